// A recipe once read: defines, the terrain, stages and outputs, each a step with its parameters.
#ifndef SILT_RECIPE_RECIPE_H
#define SILT_RECIPE_RECIPE_H

#include "core/pack.h"
#include "core/text.h"
#include "erode/model.h"
#include "recipe/document.h"
#include "silt/generate.h"
#include "silt/recipe.h"
#include "silt/stack.h"
#include "silt/volume.h"

typedef struct Step Step;
typedef struct Kitchen Kitchen;

// A stage as the library sees it: its description, and what it does.
typedef struct StageKind {
    SiltStage info;
    // What the tables cannot say; NULL when they say all. The message begins with silt_step_owner.
    SiltStatus (*check)(const Step *step, const char *owner);
    // The layers it makes beside `into`, one after the other ("": none); NULL behind the last. May be NULL.
    const char *(*makes)(const Step *step, int index);
    // Does it to kitchen->terrain, or makes it.
    SiltStatus (*run)(const Step *step, Kitchen *kitchen);
    int scratch; // fields it takes beside the layers while it runs
    bool draws;  // a picture
} StageKind;

struct Step {
    const StageKind *kind;
    int line, column;
    char subject[SILT_PATH_SIZE]; // the text behind the stage's name
    int size[2];                  // the subject, where it is a size
    const SiltModel *model;       // the subject, where it is a model
    const SiltGenerator *generator;
    const SiltVolumeShape *shape; // the same for a terrain that is a volume of rock
    bool has_seed;                // all 64 bits of it, where the table's number has 53
    uint64_t seed;
    void *params;  // as kind->info.params describes
    void *options; // as kind->info.options describes
    void *set;     // parameters of the model or generator
    SiltHand *hands;
    int hand_count;
    char *hands_text; // as it was given
    bool skipped;     // by its `unless`, `if` or `off`
    bool off;         // by `off: yes`
    char *words;      // the keys beside the subject as they were given, for the plan
    char *fault;      // of a recipe in hand: why it cannot run; NULL: it can
};

typedef struct Define {
    char name[SILT_NAME_SIZE];
    int line, column;
    char *preset, *value;
    bool given;      // with -D
    bool distrusted; // though given, it does not say where files may lie
    uint64_t reads;  // the names that its value is made of, a bit each
} Define;

enum { MOST_STEPS = 256, MOST_DEFINES = 64 };

struct SiltRecipe {
    char path[SILT_PATH_SIZE];
    char *about, *shows;
    char *text;     // as it was read
    bool unwritten; // nobody will write its outputs
    bool displaced; // nobody knows that it lies where it says
    int resumed;    // a run goes on with this stage, the first is 1, and needs no terrain; 0: it begins
    Define defines[MOST_DEFINES];
    int define_count;
    char *small[MOST_DEFINES]; // "name=value"
    int small_count;
    Step terrain;
    Step *stages;
    int stage_count;
    Step *outputs;
    int output_count;
};

// What a run has in hand.
struct Kitchen {
    const SiltRecipe *recipe;
    SiltTerrain *terrain;
    SiltRun run;         // for the stage at hand, with its seed
    const SiltRun *all;  // the caller's, or NULL
    char label[64];      // "stage 2/4 thermal"
    SiltReport *reports; // one a stage; those of models hold something
    int at;              // the stage at hand
    int done_count;      // stages done, or begun when it was cancelled
    int frame_count;
    SiltParticles *particles;   // of the stage before, for pictures; NULL: it has none
    struct SiltSeries **series; // one an output, those that are no series NULL; or NULL
    double *moments;            // of the stage at hand that series show
    int64_t steps;              // of the stage at hand when the last frame or moment came,
    double time;                // and its model time
    bool knows_before;          // what its land was like in the beginning, from what was kept
    bool goes_on;               // a run that was kept, from this stage:
    int began_at;
    bool writes; // the outputs
    bool cancelled;
    char unreached[1024]; // outputs that a run which was cancelled did not come to
    bool worn;            // a model has taken a step
    bool tries;           // files are only looked at, for a terrain of one cell that fits all of them
    bool lax;             // stages are checked one by one, when their turn comes
    int longest_side;     // of a small preview: no terrain has more cells along a side; 0: as the recipe says
    bool totals;          // wear and deposition of all stages are kept in layers of their own
    char *masks;          // what an output `masks` says of its files, for the report; or NULL
    int nominal[2];       // columns and rows the terrain has by the recipe
    struct SiltRecorder *recorder; // for the report; NULL: nobody wants one
    struct SiltLarder *larder;     // what earlier runs left; NULL: nobody looks
    struct Keys *keys;             // of the stages, where there is a larder
    double since;                  // when the last result was kept
    int kept_stage;                // the last that came from the larder; -2: none did
    int kept_outputs;              // that were there already
};

// ---- run.c ----

// A kitchen for the recipe: terrain, then stages in order, then closed.
SiltStatus silt_kitchen_open(const SiltRecipe *recipe, const SiltRun *run, bool writes, Kitchen *out);
void silt_kitchen_name_stage(Kitchen *kitchen, int index);  // the label: by its place in the recipe's list
SiltStatus silt_kitchen_begin(Kitchen *kitchen);            // makes the terrain
SiltStatus silt_kitchen_stage(Kitchen *kitchen, int index); // which is not skipped
// Leaves the terrain to the caller.
void silt_kitchen_close(Kitchen *kitchen);

// silt_recipe_run, or silt_recipe_grow where nothing is to be written, with the books.
SiltStatus silt_recipe_try(const SiltRecipe *recipe, const SiltRun *run, bool writes, SiltTerrain **out,
                           SiltLedger *ledger);

// ---- kept.c ----

// Where a run that was kept goes on: its terrain, and the stage it was in.
SiltStatus silt_kitchen_go_on(Kitchen *kitchen, bool *goes_on);
// What the stages need to go on is noted, and let go when they came to `status`: where that is a failure the
// stage at hand is kept as it began, unless more of it is.
SiltStatus silt_kitchen_keep(Kitchen *kitchen);
void silt_kitchen_let_go(Kitchen *kitchen, SiltStatus status);
// Between two stages, when something has been done that would be lost; and stopped there.
SiltStatus silt_kitchen_keep_between(Kitchen *kitchen, const Step *step);
void silt_kitchen_keep_next(Kitchen *kitchen, int index);
// What stage `index` said.
void silt_kitchen_pack_report(Kitchen *kitchen, int index, SiltPack *pack);
// Of the part "kitchen" of a checkpoint, which stage was at hand, and Kitchen.nominal.
void silt_kitchen_place(SiltPack *pack, int *stage, int nominal[2]);

// ---- read.c ----

enum { ABOUT, SHOWS, DEFINE, SMALL, TERRAIN, STAGES, OUTPUTS, SECTION_COUNT };
// The sections a document has, by the list above; NULL: it has none of that name.
SiltStatus silt_recipe_sections(const SiltRecipe *recipe, const Node *root,
                                const Node *sections[SECTION_COUNT]);
// A recipe of a text in memory, as a hand changes it: what a run would trip over is told by its steps.
SiltStatus silt_recipe_parse(const char *path, const Node *root, SiltRecipe **out);
bool silt_node_is_nothing(const Node *node);

// ---- define.c ----

// Reads the section `define` (NULL: there is none) and applies "name=value" from outside.
SiltStatus silt_defines_read(SiltRecipe *recipe, const Node *section, const char *const *given, int count);
// Begins to note anew which names are read, a bit each, with these; returns those that were noted.
uint64_t silt_defines_note(uint64_t from);
// Warns of every name that was given and is none of `used`.
void silt_defines_warn_of_idle(const SiltRecipe *recipe, uint64_t used);
// Reads the section `small`: other values for names that are defined.
SiltStatus silt_small_read(SiltRecipe *recipe, const Node *section);
// The text of a node with $name, ${name} and $$ replaced; the caller frees it.
SiltStatus silt_defines_expand(const SiltRecipe *recipe, const Node *node, char **out);

// the step keeps all 64 bits
#define SEED(S, otherwise)                                                                                   \
    SILT_REAL(S, seed, "", NAN, 0.0, 18446744073709551615.0, "a whole number; none: " otherwise)

// ---- stage.c, whole.c, operation.c, outputs.c ----

typedef struct Section {
    const char *name;
    const StageKind *kinds;
    int count;
    const struct Section *more; // further words of the same section, or NULL
} Section;
extern const Section silt_section_terrain, silt_section_stages, silt_section_whole, silt_section_operations,
    silt_section_brush, silt_section_outputs;
int silt_section_count(const Section *section);
const StageKind *silt_section_kind(const Section *section, int index);

// Whether the layer that an output writes has been made: a stage that did not come to its turn makes none.
bool silt_output_is_reached(const Step *output, const Kitchen *kitchen);

// Whether an output asks for what was worn and laid down in all stages together.
bool silt_recipe_wants_totals(const SiltRecipe *recipe);
// The layers of those, which a recipe in hand does not have: nobody writes its outputs.
void silt_recipe_drop_totals(SiltTerrain *terrain);

// The seed of stage `index` from 0; -1 is the terrain. A stage that names none takes the terrain's plus its
// number.
uint64_t silt_recipe_seed(const SiltRecipe *recipe, int index, const SiltRun *run);
// Whether the step's seed, where it has one, is a whole number.
SiltStatus silt_step_check_seed(const Step *step, const char *owner);
// Generators that know no device make their terrain on the processor, wherever the models work.
SiltRun silt_kitchen_run_for(const SiltGenerator *generator, const Kitchen *kitchen);
// Cells the terrain has for each that it has by the recipe.
double silt_kitchen_shrunk(const Kitchen *kitchen, int axis);
// How far the terrain goes on beyond the map: what was drawn is for the map.
double silt_kitchen_margin(const Kitchen *kitchen);
SiltDuration silt_step_duration(const Step *step);
// The column and row a crop begins at.
void silt_step_corner(const Step *step, int width, int height, int at[2]);

// ---- hand.c ----

SiltStatus silt_step_read_hands(Step *step, const char *text);
SiltStatus silt_step_check_hands(const Step *step, const char *owner);

// ---- layers.c ----

typedef struct LayerNames {
    char names[SILT_MAX_LAYERS][SILT_NAME_SIZE];
    int count;
    bool open; // a file that is not read yet may bring any of the names that models share
    bool lax;  // what a step makes counts even where it reads what is not there
} LayerNames;

// Checks the layers a step reads and notes those it makes.
SiltStatus silt_layers_check(LayerNames *names, const Step *step, const char *owner);
// All stages and outputs again, once the terrain is there.
SiltStatus silt_layers_check_all(const SiltRecipe *recipe, const SiltTerrain *terrain);

// ---- step.c ----

// The table of the model's or generator's parameters, or NULL.
const SiltParamTable *silt_step_table(const Step *step);
enum { OWNER_SIZE = SILT_PATH_SIZE + 32 };
// "recipes/demo.yaml:12:9"
const char *silt_step_owner(const SiltRecipe *recipe, int line, int column, char buffer[OWNER_SIZE]);
// Puts the step's place before the message of a failure; other statuses go through.
SiltStatus silt_step_fail(const SiltRecipe *recipe, const Step *step, SiltStatus status);
// The calling thread's message, without the `owner` it begins with, becomes the step's fault.
SiltStatus silt_step_take_fault(Step *step, const char *owner);
// The value of a parameter of type SILT_TYPE_LAYER called `key`, or NULL when the stage has none.
const char *silt_step_layer(const Step *step, const char *key);
// The layer a stage fills; NULL: none, or those that its generator makes.
const char *silt_step_into(const Step *step);

typedef struct Reader {
    SiltRecipe *recipe;
    LayerNames names; // so far
    SiltText words;   // of the step at hand
    uint64_t decides; // the names that say whether it is left out, a bit each
    bool lax;         // what only a run would trip over becomes the step's fault
} Reader;

// Whether it is done where a run goes on: what it has read is not read again.
bool silt_step_is_done(const SiltRecipe *recipe, const Step *step);
// On failure the step holds what was made of it, to be freed.
SiltStatus silt_step_read(Reader *reader, const Section *section, const Node *node, Step *step);
void silt_step_free(Step *step);
// The node's text with its $names replaced; lists become "1,2" and rows "1,2;3,4". The caller frees it.
SiltStatus silt_node_text(const SiltRecipe *recipe, const Node *node, char **out);
SiltStatus silt_node_fail(const SiltRecipe *recipe, const Node *node, const char *sentence);
// One value from text into step->params, options or set, whichever `params` is.
SiltStatus silt_step_set(const Step *step, const SiltParamTable *table, void *params, int index,
                         const char *owner, const char *value);

// Whether a file can be read; the message begins with `owner`.
SiltStatus silt_check_input(const char *path, const char *owner);

// ---- plan.c ----

typedef struct MemoryNeed {
    uint64_t bytes;   // at the most
    const Step *step; // where that is
} MemoryNeed;

// Follows a terrain of this size through the stages and outputs: what does not fit it (a crop outside) fails.
SiltStatus silt_recipe_measure(const SiltRecipe *recipe, int width, int height, int layers, bool mask,
                               MemoryNeed *out);
// SILT_NO_MEMORY, in one sentence, when the need is above what is available.
SiltStatus silt_recipe_fits(const SiltRecipe *recipe, MemoryNeed need);
// The terrain's size where the recipe says it; false when a file does.
bool silt_recipe_size(const SiltRecipe *recipe, int size[2], double *cell);
// The file that is read in place of the terrain's generator; NULL: none is.
const char *silt_step_instead(const Step *terrain);

// ---- guard.c ----

// No output takes the place of a file that is read.
SiltStatus silt_recipe_keeps_inputs(const SiltRecipe *recipe);

// ---- clash.c ----

// Whether an output writes this file, itself or as one of several.
bool silt_output_writes(const SiltRecipe *recipe, const Step *output, const char *path);
// Fails where it writes what one of the first so many outputs of the recipe writes, naming both.
SiltStatus silt_output_differs(const SiltRecipe *recipe, const Step *output, int before);
// No two outputs write one file.
SiltStatus silt_recipe_outputs_differ(const SiltRecipe *recipe);
// The same with maps of the layers that the terrain has from its file, whatever these are called.
SiltStatus silt_recipe_maps_differ(const SiltRecipe *recipe, const SiltTerrain *terrain);

// ---- serve.c ----

// All outputs; one that fails does not keep the others from being written.
SiltStatus silt_kitchen_serve(Kitchen *kitchen);

// ---- report.c ----

// What an output `report` holds; the caller frees it, NULL on failure.
char *silt_recipe_report(const Kitchen *kitchen);
// The books of all models chained.
void silt_kitchen_ledger(const Kitchen *kitchen, SiltLedger *out);
// Whether the step is such an output.
bool silt_output_reports(const Step *step);

#endif
