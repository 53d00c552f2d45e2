// silt/recipe.h — a recipe is one YAML file that names a terrain, the stages it goes through and the files
// that come out. docs/recipes.md shows how to write one.
//
//     SiltRecipe *recipe;
//     const char *defines[] = {"size=2048", "seed=9"};
//     silt_recipe_read("recipes/demo.yaml", defines, 2, &recipe);
//     silt_recipe_run(recipe, &run, NULL, NULL);
//     silt_recipe_destroy(recipe);
#ifndef SILT_RECIPE_H
#define SILT_RECIPE_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what a recipe may say ----

typedef enum SiltSubject {
    SILT_SUBJECT_LAYER,
    SILT_SUBJECT_MODEL, // `hands:` may hold what was done while it ran: silt/stroke.h
    SILT_SUBJECT_GENERATOR,
    SILT_SUBJECT_SIZE,   // N, WxH or [W, H]
    SILT_SUBJECT_INPUT,  // a file to read
    SILT_SUBJECT_OUTPUT, // a file or folder to write
    SILT_SUBJECT_LABEL,  // words for people
} SiltSubject;

// One word that may begin an entry of a section: "erode: thermal". The keys beside it are its parameters.
typedef struct SiltStage {
    const char *section; // "terrain", "stages" or "outputs"
    const char *name;
    SiltSubject subject; // what stands behind the name
    const char *summary; // one line, no capital, no full stop
    SiltParamTable params;
    const SiltParamTable *options; // further keys, shared with other commands; or NULL
    bool takes_set;                // `set:` holds parameters of the model or generator
} SiltStage;

SILT_API int silt_stage_count(void);
SILT_API const SiltStage *silt_stage_at(int index);

// ---- reading one ----

typedef struct SiltRecipe SiltRecipe;

// Reads and checks all of it: names, values, ranges, layers, endings, and whether the folders can be written.
// `defines` are "name=value" and replace what the recipe's `define` says. A message begins with
// "file:line:column: ". The caller destroys the recipe.
SILT_API SiltStatus silt_recipe_read(const char *path, const char *const *defines, int define_count,
                                     SiltRecipe **out);
// The same of a recipe whose outputs nobody will write: what would keep them from being is passed over.
SILT_API SiltStatus silt_recipe_read_unwritten(const char *path, const char *const *defines, int define_count,
                                               SiltRecipe **out);
// The same of a text in memory; `path` is what messages call it, and where it counts as lying.
SILT_API SiltStatus silt_recipe_read_text(const char *path, const char *text, const char *const *defines,
                                          int define_count, SiltRecipe **out);
// The same of one that goes on with this stage, from 0 on (silt_checkpoint_stage; -1: it begins): what its
// terrain and the stages before have read need not be there any more.
SILT_API SiltStatus silt_recipe_read_resumed(const char *path, const char *text, int stage,
                                             const char *const *defines, int define_count, SiltRecipe **out);
SILT_API void silt_recipe_destroy(SiltRecipe *recipe);

// What the recipe says it makes, or "".
SILT_API const char *silt_recipe_about(const SiltRecipe *recipe);

// Its whole text.
SILT_API const char *silt_recipe_text(const SiltRecipe *recipe);

// What is seen in its first picture, or "".
SILT_API const char *silt_recipe_shows(const SiltRecipe *recipe);

typedef struct SiltDefine {
    const char *name;
    const char *preset; // what the recipe says; "" when it must be given
    const char *value;  // what it is now
} SiltDefine;
SILT_API int silt_recipe_define_count(const SiltRecipe *recipe);
SILT_API SiltDefine silt_recipe_define_at(const SiltRecipe *recipe, int index);

// The values with which it runs in a minute or two, as "name=value": silt_recipe_read takes them as defines.
SILT_API int silt_recipe_small_count(const SiltRecipe *recipe);
SILT_API const char *silt_recipe_small_at(const SiltRecipe *recipe, int index);

// Columns and rows of the terrain it comes to; false where only the file it reads knows them.
SILT_API bool silt_recipe_extent(const SiltRecipe *recipe, int size[2]);

// The files and folders it writes, in order.
SILT_API int silt_recipe_output_count(const SiltRecipe *recipe);
SILT_API const char *silt_recipe_output_at(const SiltRecipe *recipe, int index);
// Whether one of them is this file, or has it as one of its own: a mask, a map of a layer, a tile.
SILT_API bool silt_recipe_writes(const SiltRecipe *recipe, const char *path);

// All of them go below this folder from now on (silt_path_below).
SILT_API SiltStatus silt_recipe_redirect(SiltRecipe *recipe, const char *folder);

// The files it reads, in order.
SILT_API int silt_recipe_input_count(const SiltRecipe *recipe);
SILT_API const char *silt_recipe_input_at(const SiltRecipe *recipe, int index);
// Whether it is still to be read: not by what is done in a recipe that goes on.
SILT_API bool silt_recipe_input_is_wanted(const SiltRecipe *recipe, int index);

// Whether it keeps to where a recipe of a stranger may go: it writes below the current folder, and reads
// there or beside itself, or what a define from outside names. Fails, naming the first file that lies
// elsewhere.
SILT_API SiltStatus silt_recipe_confine(const SiltRecipe *recipe);
// The same of what it reads alone, also in stages that are left out: for programs that write none of its
// outputs, and let their users put stages in and out. The file `named` (NULL: none) may be read too.
SILT_API SiltStatus silt_recipe_confine_reading(const SiltRecipe *recipe, const char *named);
// What was given for this name leads nowhere else any more: it came from a file, not from who runs the
// recipe. NULL: so did the place the recipe is said to lie at, and what lies beside that may not be read.
SILT_API void silt_recipe_distrust(SiltRecipe *recipe, const char *name);

struct SiltMaskOptions; // silt/masks.h
// Has it write masks into this folder too, as an output `masks` would; NULL options mean the defaults.
SILT_API SiltStatus silt_recipe_add_masks(SiltRecipe *recipe, const char *folder,
                                          const struct SiltMaskOptions *options);

// ---- running it ----

// The plan for a person: sizes, stages, outputs, the memory it takes at the most and what there is. Reads the
// input, if there is one, to know its size. The caller frees the text, which is also there when the status is
// SILT_NO_MEMORY because the recipe would not fit.
SILT_API SiltStatus silt_recipe_plan(const SiltRecipe *recipe, char **out);
// The same for a program, as JSON.
SILT_API SiltStatus silt_recipe_plan_json(const SiltRecipe *recipe, char **out);
// The memory it takes at the most, where the recipe itself says how large its land is; false where a file
// does.
SILT_API bool silt_recipe_bytes(const SiltRecipe *recipe, uint64_t *out);
// The same of a run that is asked for a report, whose numbers of drainage take memory of their own.
SILT_API bool silt_recipe_bytes_reported(const SiltRecipe *recipe, bool reported, uint64_t *out);

// Runs the stages and writes the outputs, or refuses before the first stage what memory cannot hold. The
// progress callback sees stages as "2/4 thermal". When it cancels, SILT_CANCELLED is returned and the outputs
// are written from what was done, or, before a model has taken a step, left as they are. `out` takes the
// terrain and `report` the JSON of an output `report`; both may be NULL, the caller destroys or frees them,
// and after SILT_CANCELLED they are there as far as they were made. Where a frame finds no room, or memory
// ends, the outputs are written from what was done as well, and there is a report.
SILT_API SiltStatus silt_recipe_run(const SiltRecipe *recipe, const SiltRun *run, SiltTerrain **out,
                                    char **report);

// What stages left, in a folder of a disk, by what they read, from one run of a program to the next. Bounded
// in bytes: what was not asked for the longest goes.
typedef struct SiltLarder SiltLarder;
// `folder` NULL: silt/stages in the user's cache. What took less than so many seconds to make is not kept.
SILT_API SiltStatus silt_larder_open(const char *folder, uint64_t bytes, double seconds, SiltLarder **out);
SILT_API void silt_larder_close(SiltLarder *larder);

typedef struct SiltKept {
    int stage;   // the last stage that came from it: -1 is the terrain, -2: none did
    int outputs; // files and folders that are as an earlier run left them, and were not written again
    bool all;    // all of them: there was nothing to do
} SiltKept;

// silt_recipe_run from the first stage on that changed, in itself or in what it reads. The bytes are those of
// a run from nothing. `kept` may be NULL.
SILT_API SiltStatus silt_recipe_run_kept(const SiltRecipe *recipe, const SiltRun *run, SiltLarder *larder,
                                         SiltKept *kept, SiltTerrain **out, char **report);

// silt_recipe_run without the outputs: nothing is written. After SILT_CANCELLED the terrain is there as far
// as it was made.
SILT_API SiltStatus silt_recipe_grow(const SiltRecipe *recipe, const SiltRun *run, SiltTerrain **out);

struct SiltRenderOptions; // silt/render.h
// How the recipe's first picture is drawn, for others of it; NULL when it draws none. The recipe owns it.
SILT_API const struct SiltRenderOptions *silt_recipe_look(const SiltRecipe *recipe);

#ifdef __cplusplus
}
#endif
#endif
