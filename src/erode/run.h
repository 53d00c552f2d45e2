// A live run, as the files that run models see it.
#ifndef SILT_ERODE_RUN_H
#define SILT_ERODE_RUN_H

#include "core/parallel.h"
#include "core/status.h"
#include "erode/model.h"

// A layer as somebody looked at it last.
typedef struct SiltSeen {
    char name[SILT_NAME_SIZE];
    SiltField field;
    SiltRect rect;       // what of it is up to date
    uint64_t generation; // with this; 0: never
} SiltSeen;

struct SiltErosion {
    const SiltModel *model;
    SiltTerrain *terrain;
    void *params;
    void *state;
    SiltRun run;
    int frame_count;
    int moment_count;   // that came
    bool goes_on;       // a run that was kept: moments before have come
    bool counts_steps;  // between frames; else the model's time
    double frame_every; // of either; 0: no frames
    double step_time;   // what the last step took of the model's time
    double due;         // model time up to which whole steps were asked for
    double waiting;     // m3 of rock in water that a model without water found
    uint64_t available; // bytes of memory before it began
    bool finished;
    bool broken;         // what failed has left the state half-way
    bool owes;           // moments and frames of the last step: somebody had no room for them
    uint64_t generation; // counts what may have changed the state
    uint64_t edits;      // counts what may have changed the heights that the run began with
    uint64_t stored;     // the generation that the terrain's layers show; 0: none
    SiltSeen seen[SILT_MAX_LAYERS];
    int seen_count;
    struct SiltLookThere *there; // what shows layers on a device; NULL: nobody asked
    SiltReport report;
};

// While the run works, loops use its threads and warnings go to its handler.
typedef struct SiltScope {
    SiltCrew crew;
    SiltWarnings warnings;
    struct SiltDevice *device;
} SiltScope;

SiltScope silt_scope_begin(const SiltErosion *erosion);
void silt_scope_end(SiltScope before);

// Whether a state that was brought back is one that a run can have.
SiltStatus silt_erosion_check_state(const SiltErosion *erosion);

// Where layer `name` stands among those the model shows; -1: not there.
int silt_model_layer(const SiltModel *model, const char *name);
// Whether the cells lie on the map, else a sentence.
SiltStatus silt_erosion_check_rect(const SiltErosion *erosion, const SiltRect *rect);

// ---- erosion.c ----
// At most so many steps of a run towards the end of all of it; INT64_MAX: all that are left. Like
// silt_erosion_advance, but a time counts from the run's beginning, so that it ends on the same bit in
// whatever parts it is asked for; where all has come to rest no step is taken.
SiltStatus silt_erosion_toward(SiltErosion *erosion, SiltDuration whole, int64_t most);
// Hands out what is owed of the last step, before anything else changes the state.
SiltStatus silt_erosion_pay(SiltErosion *erosion, SiltDuration whole);
// One step after the last, in which water runs off.
SiltStatus silt_erosion_step_to_rest(SiltErosion *erosion);

// ---- ending.c ----
// Whether steps have led the run to its end.
bool silt_erosion_is_over(const SiltErosion *erosion, SiltDuration whole);
// Whether its water has begun to come to rest after that.
bool silt_erosion_rests(const SiltErosion *erosion);
// Fails where it has, and steps are to follow all the same: nothing would rain in them.
SiltStatus silt_erosion_check_end(const SiltErosion *erosion, SiltDuration whole);
// Keeps the run if it is time to, or because no step follows.
SiltStatus silt_erosion_keep(SiltErosion *erosion, bool last);
// The end of a run whose steps came to `status`. One that stops or fails is kept and stored as its last whole
// step left it (report.cancelled); where the state is half-way, what was kept before stands.
SiltStatus silt_erosion_leave(SiltErosion *erosion, SiltStatus status);
// silt_erode, and how many frames it has handed out, before it was kept too. report->model is NULL where the
// model could not begin.
SiltStatus silt_erode_level(const SiltModel *model, SiltTerrain *terrain, const void *params,
                            SiltDuration duration, const SiltRun *run, SiltReport *report, int *frames);

// ---- store.c ----
// Where the state lies on a device: brings what shows layer `layer` (below zero: all of it), in these rows;
// takes back rows that were changed; and takes up changed layers and parameters.
SiltStatus silt_erosion_fetch(const SiltErosion *erosion, int layer, int first, int count);
SiltStatus silt_erosion_push(const SiltErosion *erosion, int first, int count);
void silt_erosion_renew(const SiltErosion *erosion);
SiltStatus silt_erosion_fetch_all(const SiltErosion *erosion);
SiltStatus silt_erosion_fetch_resting(const SiltErosion *erosion); // what the model's `rest` works on
// m3 of rock in water that stands on the terrain while a model without water works: it stays where it is, and
// in the books.
double silt_erosion_waiting_rock(const SiltErosion *erosion);

// ---- report.c ----
// Says in words what the books of a whole run do not account for, where that is more than a hundredth of what
// moved.
void silt_warn_of_books(const SiltReport *report, const void *params);

// ---- frames.c ----
// Frames come at even intervals of the model's clock, or of steps where a number of steps was asked for.
void silt_plan_frames(SiltErosion *erosion, bool timed, int64_t steps, double time);
// Until the next frame, and the next moment that somebody waits for, in what they are counted by; infinite
// where there is none.
double silt_time_to_frame(const SiltErosion *erosion);
double silt_time_to_moment(const SiltErosion *erosion);
// Those that are due. What finds no room is owed: it comes first when the run goes on.
SiltStatus silt_hand_out(SiltErosion *erosion, bool moments_alone);

// ---- memory_need.c ----
// Bytes that the run takes beside the terrain's own layers, at the most.
uint64_t silt_erosion_need(const SiltErosion *erosion);
// SILT_NO_MEMORY, and the sentence that says the whole need rather than the one block that could not be had.
SiltStatus silt_erosion_name_need(const SiltErosion *erosion);

// ---- state.c ----
SiltStatus silt_state_make(SiltErosion *erosion);
void silt_state_free(SiltErosion *erosion);
bool silt_state_is_made_early(const SiltStateItem *item);

#endif
