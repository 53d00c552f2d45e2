// silt/erode.h — models that wear a terrain down.
//
//     SiltReport report;
//     SiltDuration duration = {.steps = 500};
//     silt_erode(silt_model_find("thermal"), terrain, NULL, duration, &run, &report);
//
// or as a live run, step by step: see silt_erosion_begin.
#ifndef SILT_ERODE_H
#define SILT_ERODE_H

#include "silt/param.h"
#include "silt/particles.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what a model is ----

typedef struct SiltModel SiltModel;

enum { SILT_MAX_LIMITERS = 8 };

// What the steps counted on the way.
typedef struct SiltCounters {
    int64_t substeps;                   // inner steps the stability condition asked for
    int64_t limited[SILT_MAX_LIMITERS]; // how often each limiter of the model acted
    bool at_rest;                       // the last steps moved nothing worth counting, and no later one would
} SiltCounters;

SILT_API int silt_model_count(void);
SILT_API const SiltModel *silt_model_at(int index);
// NULL, with a message that names the nearest, when there is none of that name.
SILT_API const SiltModel *silt_model_find(const char *name);

SILT_API const char *silt_model_name(const SiltModel *model);    // as in `silt erode NAME`
SILT_API const char *silt_model_summary(const SiltModel *model); // one line, no capital, no full stop
SILT_API const char *silt_model_source(const SiltModel *model);  // the paper
// The unit of its time: "s" or "years"; "" when it only counts steps.
SILT_API const char *silt_model_clock(const SiltModel *model);
SILT_API const SiltParamTable *silt_model_params(const SiltModel *model);
SILT_API int64_t silt_model_default_steps(const SiltModel *model);
// What its counters.limited[index] counts; NULL behind the last.
SILT_API const char *silt_model_limiter(const SiltModel *model, int index);
// Bytes that a cell moves to and from memory in a step, at least; 0: not known.
SILT_API double silt_model_step_bytes(const SiltModel *model);
// Whether it can work on a device (SiltRun.device).
SILT_API bool silt_model_on_device(const SiltModel *model);
// Cells around a region of a map that a step looks at: the halo the region must have; 0: it takes none.
SILT_API int silt_model_halo(const SiltModel *model);

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

// Either steps or time (in the model's clock); a time goes first. Both zero: nothing, and for silt_erode the
// model's default.
typedef struct SiltDuration {
    int64_t steps;
    double time;
    bool whole; // of a time: the step that reaches its end is not cut short, and the next call starts later
} SiltDuration;

typedef struct SiltReport {
    const SiltModel *model;
    int64_t steps;
    double model_time; // in the model's clock
    double seconds;    // of the clock on the wall
    bool cancelled;    // it stopped or failed before it was done, and the terrain holds what had been done
    SiltCounters counters;
    SiltLedger ledger;
} SiltReport;

// A run of a model that can be looked at and changed between its steps. One thread at a time may use it.
//
//     SiltErosion *run;
//     silt_erosion_begin(model, terrain, NULL, &(SiltRun){.seed = 1}, &run);
//     while (playing) {
//         silt_erosion_set(run, "rain", 30.0);                                // from the next step on
//         silt_erosion_edit(run, "water", &brush, deltas, brush.width, SILT_ADD); // booked as by hand
//         silt_erosion_advance(run, (SiltDuration){.time = 1.0 / 60, .whole = true});
//         SiltLayerView water;
//         silt_erosion_view(run, "water", NULL, &water);
//         draw(&water);
//     }
//     silt_erosion_finish(run); // ends as silt_erode does
//     silt_erosion_end(run);
typedef struct SiltErosion SiltErosion;

// The terrain must outlive the erosion and belongs to it until the end. `params` (NULL: defaults) is copied.
SILT_API SiltStatus silt_erosion_begin(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                       const SiltRun *run, SiltErosion **out);
// Stops early, with SILT_CANCELLED, when run->progress says so; what was done stays done. Nothing more is
// done, and time passes at once, when all has come to rest and nobody waits for frames. Calls run->frame
// after storing, every run->frame_interval of model time. So many steps give the same bytes however they are
// asked for; whole parts of a time give those of as many steps.
SILT_API SiltStatus silt_erosion_advance(SiltErosion *erosion, SiltDuration duration);
// Brings all of the terrain's layers, and the ledger, up to date.
SILT_API SiltStatus silt_erosion_store(SiltErosion *erosion);
// What the parameters say of the end (water comes to rest), then the layers: the terrain holds what
// silt_erode would have left. Afterwards the run can be looked at, and goes no further.
SILT_API SiltStatus silt_erosion_finish(SiltErosion *erosion);
SILT_API void silt_erosion_end(SiltErosion *erosion);

// Steps, time, limiters and the ledger; the ledger's stored and moved are those of the last store.
SILT_API const SiltReport *silt_erosion_report(const SiltErosion *erosion);
// The parameters as they are now.
SILT_API const void *silt_erosion_params(const SiltErosion *erosion);

// ---- changing a run ----

// A parameter that is live (SILT_LIVE) changes from the next step on: a number, or anything as text, or a
// value at its place in the table. A name that is unknown, a value out of range and a parameter that is not
// live are refused, and the run goes on as it was.
SILT_API SiltStatus silt_erosion_set(SiltErosion *erosion, const char *name, double number);
SILT_API SiltStatus silt_erosion_set_text(SiltErosion *erosion, const char *name, const char *text);
SILT_API SiltStatus silt_erosion_set_value(SiltErosion *erosion, int index, const SiltValue *value);

// Sources of water, from the next step on: a row of the parameter `sources` each, in its columns. Add one at
// the end, or replace, or remove the one at `index`.
SILT_API int silt_erosion_source_count(const SiltErosion *erosion);
SILT_API SiltStatus silt_erosion_add_source(SiltErosion *erosion, const double *row);
SILT_API SiltStatus silt_erosion_move_source(SiltErosion *erosion, int index, const double *row);
SILT_API SiltStatus silt_erosion_remove_source(SiltErosion *erosion, int index);

typedef enum SiltEditKind { SILT_ADD, SILT_REPLACE } SiltEditKind;

// Changes a rectangle of a layer while the run goes on: "height" (the ground), "water", "sediment" and "ice"
// of a model that has them, booked as by hand; or a layer that it reads ("erodibility", a rain map, a mask),
// which is made where there is none. `values` has rect->height rows, `stride` floats apart. Cells without
// data stay.
SILT_API SiltStatus silt_erosion_edit(SiltErosion *erosion, const char *layer, const SiltRect *rect,
                                      const float *values, size_t stride, SiltEditKind kind);

// Rock in a capsule round a piece of line, for a model whose rock is a volume: laid there, or carved out, but
// for the floor that holds the block and its ceiling. What it changes is booked as by hand.
typedef struct SiltRockEdit {
    double from[3], to[3]; // metres east and north of the south-western corner, and height; a ball: the same
    double radius;         // m
    bool carves;
} SiltRockEdit;
SILT_API SiltStatus silt_erosion_edit_rock(SiltErosion *erosion, const SiltRockEdit *edit);

// ---- looking at a run ----

// A rectangle of a layer: rows of `width` floats, `stride` floats apart. Valid until the run is used again.
typedef struct SiltLayerView {
    const float *data;
    size_t stride;
    int width, height;
    uint64_t generation; // another number when the layer may have changed
} SiltLayerView;

// "height" is the ground as it is now; "change" and the layers that the model makes; and those of the
// terrain. Where the model has the layer as it is this costs nothing, else one pass over the rectangle, and
// nothing again until the run goes on. `rect` NULL: all of it.
SILT_API SiltStatus silt_erosion_view(SiltErosion *erosion, const char *layer, const SiltRect *rect,
                                      SiltLayerView *out);
// The particles of a model that has them; fails for others. Valid until the run is used again.
SILT_API SiltStatus silt_erosion_particles(const SiltErosion *erosion, SiltParticles *out);
// How many there are, 0 where a model has none: nothing is brought from a device for it.
SILT_API int silt_erosion_particle_count(const SiltErosion *erosion);
// Where the run works; NULL: on the processor, which may be so though its SiltRun names a device
// (device_or_cpu).
SILT_API const struct SiltDevice *silt_erosion_device(const SiltErosion *erosion);

// ---- keeping a run ----

// All of its state in one block of memory, which the caller frees: the run it is brought back into goes on
// with the same bytes, on any number of threads.
SILT_API SiltStatus silt_erosion_save(SiltErosion *erosion, void **block, size_t *bytes);
// The run must be of the same model on as many cells of the same size, begun with the same parameters but for
// those that are live. A block that does not fit is refused and the run goes on as it was, and so where
// memory runs out.
SILT_API SiltStatus silt_erosion_restore(SiltErosion *erosion, const void *block, size_t bytes);

// All of it, and what the parameters say of its end. On SILT_CANCELLED, and where a frame or what is stored
// found no room or no memory (report->cancelled), the terrain holds what had been done, and the report says
// how much.
SILT_API SiltStatus silt_erode(const SiltModel *model, SiltTerrain *terrain, const void *params,
                               SiltDuration duration, const SiltRun *run, SiltReport *report);

// The same coarse to fine: first on a terrain of 1 / 2^levels of the sides, with half of the duration, then
// on twice as many cells with half of what is left, and so on up to the terrain itself, each level keeping
// its own detail. Levels below 32 cells are left out; levels = 0 is silt_erode.
SILT_API SiltStatus silt_erode_pyramid(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                       SiltDuration duration, int levels, const SiltRun *run,
                                       SiltReport *report);

// One stage of erosion: what a recipe's `erode` and `silt erode` take beside the model's own parameters. Fill
// it with silt_params_init(&silt_erode_params, &options).
typedef struct SiltErodeOptions {
    int steps;   // 0: the model's own choice
    double time; // in place of steps, in the model's clock; 0: not given
    int pyramid; // levels, as above
    double seed; // of recipes; NaN: what the run says
} SiltErodeOptions;
SILT_API extern const SiltParamTable silt_erode_params;
// Sets one from text; a time may carry a unit of its own (s, min, h, d, years). `model` may be NULL: seconds.
SILT_API SiltStatus silt_erode_options_set(SiltErodeOptions *options, const SiltModel *model,
                                           const char *owner, const char *key, const char *value);
// Whether they go together, and with the model (NULL: any).
SILT_API SiltStatus silt_erode_options_check(const SiltErodeOptions *options, const SiltModel *model,
                                             const char *owner);
// Runs it and adds the change to the heights (silt_terrain_settle), also when it ended half-way.
SILT_API SiltStatus silt_erode_as(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                  const SiltErodeOptions *options, const SiltRun *run, SiltReport *report);

// Bytes a model's state takes for a grid of this size, with its default parameters.
SILT_API uint64_t silt_model_bytes(const SiltModel *model, int width, int height);
// The same with these: of particles there may be many.
SILT_API uint64_t silt_model_bytes_with(const SiltModel *model, const void *params, int width, int height);
// All that wearing this terrain down takes at the most: the model's state, the maps it leaves, and the layers
// that are there already. A run that needs more than there is is refused before it begins.
SILT_API uint64_t silt_erode_bytes(const SiltModel *model, const void *params, const SiltTerrain *terrain);
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
