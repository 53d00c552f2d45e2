// silt/stack.h — a recipe in hand: its entries can be changed, taken back and made again, and what each of
// them left is kept, so that only what follows a change is done anew. What it holds is a recipe at any time:
// its text run by `silt run` gives the same bytes.
//
//     SiltStack *stack;
//     silt_stack_open("recipes/alpine.yaml", NULL, 0, &stack);
//     silt_stack_set(stack, SILT_IN_STAGES, 4, SILT_KEYS_SET, "incision", "2e-5");
//     silt_stack_undo(stack);
//     silt_stack_save(stack, "mine.yaml");
#ifndef SILT_STACK_H
#define SILT_STACK_H

#include "silt/erode.h"
#include "silt/recipe.h"
#include "silt/stroke.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltStack SiltStack;

SILT_API SiltStatus silt_stack_new(SiltStack **out); // hills from noise and nothing else
SILT_API SiltStatus silt_stack_open(const char *path, const char *const *defines, int count, SiltStack **out);
SILT_API SiltStatus silt_stack_read_text(const char *name, const char *text, SiltStack **out);
// A file of heights as the terrain of a new stack, which names it by its whole path.
SILT_API SiltStatus silt_stack_from_terrain(const char *path, SiltStack **out);
// The recipe whose run a checkpoint keeps, with what its command line had defined; of one stage (`silt
// erode`) a new stack that begins with what that stage began with. `stage`: the one at hand. Refused where no
// run can go on by hand: between two stages, and on the way from coarse to fine.
SILT_API SiltStatus silt_stack_from_checkpoint(const char *path, SiltStack **out, int *stage);
SILT_API void silt_stack_destroy(SiltStack *stack);

// Written beside the old file and renamed. Comments and order of what was opened stay as far as entries do.
SILT_API SiltStatus silt_stack_save(SiltStack *stack, const char *path);
SILT_API char *silt_stack_text(const SiltStack *stack);       // the caller frees it
SILT_API bool silt_stack_is_changed(const SiltStack *stack);  // since it was opened or saved
SILT_API uint64_t silt_stack_version(const SiltStack *stack); // another number after each change

// ---- its entries ----

typedef enum SiltPlace { SILT_IN_TERRAIN, SILT_IN_STAGES, SILT_IN_OUTPUTS } SiltPlace;
typedef enum SiltKeys {
    SILT_KEYS_ENTRY,   // stage->params
    SILT_KEYS_OPTIONS, // stage->options
    SILT_KEYS_SET,     // of the model or generator
} SiltKeys;

typedef struct SiltEntry {
    const SiltStage *stage;
    const char *subject;             // "rivers" of `erode: rivers`, $names replaced
    const char *written;             // the same as it stands in the text
    const SiltModel *model;          // the subject, where it is one
    const SiltParamTable *tables[3]; // by SiltKeys; NULL: none
    const void *params[3];           // values as they will be used; valid until the stack changes
    bool enabled;                    // switched off entries stay in the text (`off: yes`)
    bool skipped;                    // by `if` or `unless`
    const char *fault;               // why it cannot run, or NULL
} SiltEntry;

SILT_API int silt_stack_count(const SiltStack *stack, SiltPlace place);
SILT_API SiltStatus silt_stack_entry(const SiltStack *stack, SiltPlace place, int index, SiltEntry *out);
// The text that was given for a key ("$size"), or NULL when it has its default.
SILT_API const char *silt_stack_written(const SiltStack *stack, SiltPlace place, int index, SiltKeys keys,
                                        const char *key);

// ---- changing it: each call is one step to undo ----

// A value as recipes write it, checked as the table has it ($names are replaced, $$ is a dollar); NULL: back
// to the default. Beside the keys of the tables: "if" and "unless" of stages, and "hands" of those that take
// them, as silt_hands_text writes them. Changes of the same key that come within one stroke
// (silt_stack_begin_stroke ... end_stroke) are one step.
SILT_API SiltStatus silt_stack_set(SiltStack *stack, SiltPlace place, int index, SiltKeys keys,
                                   const char *key, const char *text);
// Another model or generator has other parameters: `set` goes.
SILT_API SiltStatus silt_stack_set_subject(SiltStack *stack, SiltPlace place, int index, const char *subject);
// "erode" "rivers" before entry `index`; values are the defaults.
SILT_API SiltStatus silt_stack_insert(SiltStack *stack, SiltPlace place, int index, const char *stage,
                                      const char *subject);
SILT_API SiltStatus silt_stack_remove(SiltStack *stack, SiltPlace place, int index);
SILT_API SiltStatus silt_stack_move(SiltStack *stack, SiltPlace place, int from, int to);
SILT_API SiltStatus silt_stack_duplicate(SiltStack *stack, SiltPlace place, int index);
SILT_API SiltStatus silt_stack_enable(SiltStack *stack, SiltPlace place, int index, bool enabled);
// The recipe's own names (size, seed, sketch ...).
SILT_API int silt_stack_define_count(const SiltStack *stack);
SILT_API SiltDefine silt_stack_define_at(const SiltStack *stack, int index);
SILT_API SiltStatus silt_stack_define(SiltStack *stack, const char *name, const char *value);

SILT_API void silt_stack_begin_stroke(SiltStack *stack);
// The same, and all changes up to its end are one step of this name ("raise").
SILT_API void silt_stack_begin_group(SiltStack *stack, const char *name);
SILT_API void silt_stack_end_stroke(SiltStack *stack);
SILT_API bool silt_stack_can_undo(const SiltStack *stack);
SILT_API bool silt_stack_can_redo(const SiltStack *stack);
SILT_API const char *silt_stack_undo_name(const SiltStack *stack); // "incision of rivers"; NULL: nothing
SILT_API const char *silt_stack_redo_name(const SiltStack *stack);
SILT_API SiltStatus silt_stack_undo(SiltStack *stack);
SILT_API SiltStatus silt_stack_redo(SiltStack *stack);

// ---- cooking it ----

// A recipe as it is now, for another thread: the stack may change meanwhile.
SILT_API SiltStatus silt_stack_recipe(const SiltStack *stack, SiltRecipe **out);

// What stages left, by what they read: shared by all recipes cooked with it, bounded in bytes. Any thread,
// one at a time.
typedef struct SiltPantry SiltPantry;
SILT_API SiltStatus silt_pantry_create(uint64_t bytes, SiltPantry **out);
SILT_API void silt_pantry_destroy(SiltPantry *pantry);
SILT_API uint64_t silt_pantry_bytes(const SiltPantry *pantry); // that it holds now
// A run that was kept: its stage is cooked from the step it had come to, for as long as recipes lead there,
// and what the stages before it left is taken from the checkpoint. NULL: from its beginning again.
SILT_API SiltStatus silt_pantry_go_on_from(SiltPantry *pantry, const char *checkpoint);

typedef struct SiltCook {
    SiltPantry *pantry; // NULL: all is done anew
    int longest_side;   // of a small preview: cells are made larger; 0: as the recipe says
    int stages;         // as far as this many of the stages; -1: all
    const SiltRun *run;
    // Each stage that is not left out, -1 is the terrain: kept, or about to be cooked.
    void (*at)(void *user, int stage, bool kept);
    void *user;
} SiltCook;
// The terrain after those stages; the caller destroys it. A stage with a fault stops it with that sentence;
// after a failure, SILT_CANCELLED too, there is no terrain, and the pantry has what was done. `cook` NULL:
// all stages, anew.
SILT_API SiltStatus silt_recipe_cook(const SiltRecipe *recipe, const SiltCook *cook, SiltTerrain **out);
// A live run of stage `index`, on the terrain the stages before it leave; its parameters and seed are the
// stage's. The caller ends the run, then destroys the terrain. silt_erosion_play with the stage's hands and
// duration to its end, silt_erosion_finish and silt_terrain_settle leave what silt_recipe_cook does, but for
// a stage with a pyramid, whose coarse levels nobody can look at.
SILT_API SiltStatus silt_recipe_begin_live(const SiltRecipe *recipe, int index, const SiltCook *cook,
                                           SiltTerrain **terrain, SiltErosion **out, SiltDuration *duration);
// The same, brought to the step that the run which is kept in this checkpoint had come to: it goes on to the
// bytes of one that nobody interrupted. The first `hands` of the stage's hands are done by then. Refused,
// with what differs, where the stage is not the one that was kept: its terrain, seed, parameters, or hands.
SILT_API SiltStatus silt_recipe_go_on_live(const SiltRecipe *recipe, int index, const SiltCook *cook,
                                           const char *path, SiltTerrain **terrain, SiltErosion **out,
                                           SiltDuration *duration, int *hands);
// The hands of a stage, which are the recipe's; none: count is 0.
SILT_API SiltStatus silt_recipe_hands(const SiltRecipe *recipe, int stage, const SiltHand **out, int *count);

#ifdef __cplusplus
}
#endif
#endif
