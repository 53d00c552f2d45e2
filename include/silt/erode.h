// silt/erode.h — models that wear a terrain down.
//
//     SiltReport report;
//     SiltDuration duration = {.steps = 500};
//     silt_erode(silt_model_find("thermal"), terrain, NULL, duration, &run, &report);
//
// or step by step: silt_erosion_begin, then silt_erosion_advance as often as wanted (silt_erosion_store in
// between brings the terrain's layers up to date), then silt_erosion_end.
#ifndef SILT_ERODE_H
#define SILT_ERODE_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what a model is ----

typedef enum SiltStateType {
    SILT_STATE_FIELD,  // SiltField: made before the model begins, freed after it ends
    SILT_STATE_LAZY,   // SiltField: made by the model if it needs it, freed after it ends
    SILT_STATE_COUNTS, // SiltField as SILT_STATE_FIELD, whose cells hold int32_t in place of float
    SILT_STATE_EXACT,  // double *: one for each cell, made and freed as SILT_STATE_FIELD
    SILT_STATE_DOUBLE, // double
    SILT_STATE_INT64,  // int64_t
    SILT_STATE_ARRAY,  // SiltStateArray: as long as the model has it be
} SiltStateType;

// An array that the model owns: a look at it between steps, valid until the next one. Who brings a state back
// writes the elements (at most `room`) and their count, and then calls the model's resume.
typedef struct SiltStateArray {
    void *data;
    size_t size; // bytes of an element
    int64_t count, room;
} SiltStateArray;

// One line of the table that declares a model's state. Checkpoints, device uploads and inspection read it.
typedef struct SiltStateItem {
    const char *name;
    SiltStateType type;
    size_t offset; // into the state struct
    const char *unit;
    const char *help;
} SiltStateItem;

#define SILT_STATE(S, field, type_, unit_, help_)                                                            \
    {                                                                                                        \
#field, type_, offsetof(S, field), unit_, help_                                                      \
    }

enum { SILT_MAX_LIMITERS = 8 };

// What the steps counted on the way.
typedef struct SiltCounters {
    int64_t substeps;                   // inner steps the stability condition asked for
    int64_t limited[SILT_MAX_LIMITERS]; // how often each limiter of the model acted
    bool at_rest;                       // the last steps moved nothing worth counting, and no later one would
} SiltCounters;

// A look at the particles of a model; valid until its next step.
typedef struct SiltParticles {
    int count;
    const float *x, *y, *z; // m east and south of the terrain's north-western corner, and above `low`
    const float *u, *v, *w; // m/s along these
    const float *density;   // kg/m3
    const float *sediment;  // rock, in shares of `load`
    const int64_t *id;
    double low;         // m above sea level
    double load;        // share of a particle's volume that one unit of sediment takes
    double west, south; // m from the north-western corner to the centre of the south-western cell
    double spacing;     // m between particles at rest; 0: not known
    int64_t left_out;   // of a file: particles that were no finite numbers, and are not among these
} SiltParticles;

typedef struct SiltModel {
    const char *name;    // as in `silt erode NAME`
    const char *summary; // one line, no capital, no full stop
    const char *source;  // the paper
    const char *clock;   // unit of its time: "s" or "years"; "" when it only counts steps
    const char *reads;   // layers it begins with besides those its parameters name; NULL: "deposit"
    const char *makes;   // layers it leaves besides "change"; NULL: "wear deposition deposit"
    SiltParamTable params;
    const SiltStateItem *state;
    int state_count;
    size_t state_size;
    const char *const *limiters; // names, at most SILT_MAX_LIMITERS, ended by NULL; or NULL
    double more_bytes;           // memory a cell takes beyond its fields
    bool bends; // a pyramid bends what a coarse level did on its way to the next: rivers wind then
    // Whether a run with these parameters (NULL: the defaults) keeps the sides of the map at their height;
    // NULL: it need not.
    bool (*holds_sides)(const void *params);
    int64_t default_steps;
    double step_bytes; // bytes a cell moves to and from memory in one step done in one pass; for `silt bench`

    // Fields of the state are there and zero. Reads the terrain's layers; opens the ledger (initial).
    SiltStatus (*begin)(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                        SiltLedger *ledger);
    // One step of at most `time_left` (infinite when steps are counted); returns the time it took. Cannot
    // fail, does not allocate.
    double (*step)(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters);
    // What must be done before a step and may fail or allocate: bricks that come and go. NULL: nothing.
    SiltStatus (*tend)(void *state, SiltLedger *ledger);
    // Up to `steps` steps in fewer passes over memory, with the same result as one by one; `taken` says how
    // many. NULL: one by one.
    double (*leap)(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                   SiltCounters *counters);
    // After the last step of a run: whether one more is due, for what the model holds to come to rest. NULL:
    // none.
    bool (*rest)(void *state, SiltLedger *ledger);
    // When no step comes any more, also in a run that was stopped: what is left to do before `store`. NULL:
    // nothing.
    SiltStatus (*finish)(void *state, SiltLedger *ledger);
    // Writes "change" and the maps into the terrain's layers and closes the ledger (stored). May be called
    // often.
    SiltStatus (*store)(void *state, SiltTerrain *terrain, SiltLedger *ledger);
    // Where the model's particles are; NULL for a model without.
    void (*particles)(const void *state, SiltParticles *out);
    // Goes on from what was written into its arrays since it began; NULL for a model without.
    void (*resume)(void *state);
    // Bytes that follow from the parameters, whatever the grid; may be NULL.
    double (*param_bytes)(const void *params);
    // Frees what the model itself allocated beyond its fields; may be NULL.
    void (*end)(void *state);
} SiltModel;

SILT_API int silt_model_count(void);
SILT_API const SiltModel *silt_model_at(int index);
// NULL, with a message that names the nearest, when there is none of that name.
SILT_API const SiltModel *silt_model_find(const char *name);

// Has the model read `layer`: a parameter that is empty and made for it (uplift_map for "uplift") takes the
// name. Fails, naming the layers it can use, when none of its parameters leads there.
SILT_API SiltStatus silt_model_choose_layer(const SiltModel *model, void *params, const char *layer);

// The layers a run leaves besides "change", with spaces between them.
SILT_API const char *silt_model_makes(const SiltModel *model);
// Whether the terrain has the layer or a run of the model will make it ("net_change" and, in an EXR, "all"
// are such names too); fails, naming the nearest, when not. For those who want to know it before the run.
SILT_API SiltStatus silt_model_check_output(const SiltModel *model, const SiltTerrain *terrain,
                                            const char *layer);

// ---- running one ----

// The longest time a run takes: older than any land in years, centuries of water in seconds.
#define SILT_MAX_TIME 1e10

// Either steps or time (in the model's clock) is above zero; both zero: the model's default.
typedef struct SiltDuration {
    int64_t steps;
    double time;
} SiltDuration;

typedef struct SiltReport {
    const SiltModel *model;
    int64_t steps;
    double model_time; // in the model's clock
    double seconds;    // of the clock on the wall
    bool cancelled;    // stopped before it was done
    SiltCounters counters;
    SiltLedger ledger;
} SiltReport;

typedef struct SiltErosion SiltErosion;

// The terrain must outlive the erosion and belongs to it until the end. `params` (NULL: defaults) is copied.
SILT_API SiltStatus silt_erosion_begin(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                       const SiltRun *run, SiltErosion **out);
// Stops early, with SILT_CANCELLED, when run->progress says so; what was done stays done. Nothing more is
// done, and time passes at once, when all has come to rest and nobody waits for frames. Calls run->frame
// after storing, every run->frame_interval of model time.
SILT_API SiltStatus silt_erosion_advance(SiltErosion *erosion, SiltDuration duration);
SILT_API SiltStatus silt_erosion_store(SiltErosion *erosion);
SILT_API const SiltReport *silt_erosion_report(const SiltErosion *erosion);
SILT_API void silt_erosion_end(SiltErosion *erosion);

// All of it, and what the parameters say of its end. On SILT_CANCELLED the terrain holds what had been done,
// and the report says how much.
SILT_API SiltStatus silt_erode(const SiltModel *model, SiltTerrain *terrain, const void *params,
                               SiltDuration duration, const SiltRun *run, SiltReport *report);

// The same coarse to fine: first on a terrain of 1 / 2^levels of the sides, with half of the duration, then
// on twice as many cells with half of what is left, and so on up to the terrain itself, each level keeping
// its own detail. Levels below 32 cells are left out; levels = 0 is silt_erode.
SILT_API SiltStatus silt_erode_pyramid(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                       SiltDuration duration, int levels, const SiltRun *run,
                                       SiltReport *report);

// Bytes a model's state takes for a grid of this size, with its default parameters.
SILT_API uint64_t silt_model_bytes(const SiltModel *model, int width, int height);
// The same with these: of particles there may be many.
SILT_API uint64_t silt_model_bytes_with(const SiltModel *model, const void *params, int width, int height);
// What helps when so many are too many, in three or four words.
SILT_API const char *silt_model_remedy(const SiltModel *model, const void *params, uint64_t bytes);

// The report as JSON (model, parameters, steps, substeps, seconds, limiters, ledger); the caller frees it.
SILT_API char *silt_report_json(const SiltReport *report, const void *params);
// {"water": {"initial": ...}, "rock": {...}}; the caller frees it.
SILT_API char *silt_ledger_json(const SiltLedger *ledger);
// The ledger as a small table for people; the caller frees it.
SILT_API char *silt_ledger_table(const SiltLedger *ledger);

#ifdef __cplusplus
}
#endif
#endif
