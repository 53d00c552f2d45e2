// Runs any model: makes its state from its table, steps it, watches the clock, hands out frames and the
// report.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "erode/layers.h"
#include "silt/erode.h"

struct SiltErosion {
    const SiltModel *model;
    SiltTerrain *terrain;
    void *params;
    void *state;
    SiltRun run;
    bool begun;
    int frame_count;
    bool counts_steps;  // between frames; else the model's time
    double frame_every; // of either; 0: no frames
    double step_time;   // what the last step took of the model's time
    double waiting;     // m3 of rock in water that a model without water found
    uint64_t available; // bytes of memory before it began
    SiltReport report;
};

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static SiltField *state_field(const SiltErosion *erosion, int index)
{
    const SiltStateItem *item = &erosion->model->state[index];
    bool is_field =
        item->type == SILT_STATE_FIELD || item->type == SILT_STATE_LAZY || item->type == SILT_STATE_COUNTS;
    return is_field ? (SiltField *)(void *)((char *)erosion->state + item->offset) : NULL;
}

static void **state_array(const SiltErosion *erosion, int index)
{
    const SiltStateItem *item = &erosion->model->state[index];
    return item->type == SILT_STATE_EXACT ? (void **)(void *)((char *)erosion->state + item->offset) : NULL;
}

static bool is_made_early(const SiltStateItem *item)
{
    return item->type == SILT_STATE_FIELD || item->type == SILT_STATE_COUNTS;
}

uint64_t silt_model_bytes_with(const SiltModel *model, const void *params, int width, int height)
{
    uint64_t bytes = model->state_size;
    for (int k = 0; k < model->state_count; k++) {
        if (is_made_early(&model->state[k]))
            bytes += silt_field_bytes(width, height);
        else if (model->state[k].type == SILT_STATE_EXACT)
            bytes += (uint64_t)width * (uint64_t)height * sizeof(double);
    }
    double more = model->more_bytes * (double)width * (double)height;
    return bytes + (uint64_t)(more + (model->param_bytes ? model->param_bytes(params) : 0.0));
}

uint64_t silt_model_bytes(const SiltModel *model, int width, int height)
{
    void *params = silt_alloc(model->params.size);
    if (!params || silt_params_init(&model->params, params) != SILT_OK) {
        silt_free(params);
        return 0;
    }
    uint64_t bytes = silt_model_bytes_with(model, params, width, height);
    silt_params_free(&model->params, params);
    silt_free(params);
    return bytes;
}

// Parameters own lists: each is read again from its own text, so that the copy owns its lists too.
static SiltStatus copy_params(const SiltParamTable *table, const void *from, void *to)
{
    SiltStatus status = silt_params_init(table, to);
    for (int k = 0; from && k < table->count && status == SILT_OK; k++) {
        char *value = silt_params_value(table, from, k);
        if (!value)
            return SILT_NO_MEMORY;
        status = silt_params_set(table, to, "copy", table->items[k].name, value);
        silt_free(value);
    }
    return status;
}

// Beyond, a number is a wrong unit or a mark of missing data, and floats have no metres left.
static SiltStatus check_heights(const SiltModel *model, const SiltTerrain *terrain)
{
    const double most = 1e7;
    SiltFieldStatistics found;
    silt_field_statistics(silt_terrain_layer(terrain, "height"), terrain->nodata, &found);
    double reach = fabs(found.minimum) > fabs(found.maximum) ? found.minimum : found.maximum;
    return fabs(reach) > most
               ? silt_fail(
                     SILT_BAD_ARGUMENT,
                     "erode %s: heights reach %g m; models take up to %g m above or below zero (if that "
                     "marks cells without data, say --nodata %g)",
                     model->name, reach, most, reach)
               : SILT_OK;
}

static SiltStatus make_state(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    int width = erosion->terrain->width, height = erosion->terrain->height;
    SiltStatus status = silt_alloc_for(model->name, 1, model->state_size, &erosion->state);
    for (int k = 0; k < model->state_count && status == SILT_OK; k++) {
        if (is_made_early(&model->state[k]))
            status = silt_field_create(width, height, state_field(erosion, k));
        else if (state_array(erosion, k))
            status = silt_alloc_for(model->name, (size_t)width * (size_t)height, sizeof(double),
                                    state_array(erosion, k));
    }
    return status;
}

// Cubic metres of rock in the water of a terrain.
static double carried_rock(const SiltTerrain *terrain)
{
    const SiltField *sediment = silt_terrain_layer(terrain, "sediment");
    if (!sediment)
        return 0.0;
    SiltFieldStatistics found;
    silt_field_statistics(sediment, terrain->nodata, &found);
    return found.mean * (double)found.cell_count * terrain->cell * terrain->cell;
}

// That in water that stands on the terrain while a model without water works: it stays where it is, and in
// the books.
static double waiting_rock(const SiltErosion *erosion)
{
    bool knows = erosion->model->particles || silt_model_begins_with(erosion->model, "sediment");
    return knows ? 0.0 : carried_rock(erosion->terrain);
}

const char *silt_model_remedy(const SiltModel *model, const void *params, uint64_t bytes)
{
    double of_particles = params && model->param_bytes ? model->param_bytes(params) : 0.0;
    return of_particles > 0.5 * (double)bytes ? "lower particles" : "take a smaller size";
}

// " and N particles", where there are any.
static void count_particles(const SiltErosion *erosion, char text[64])
{
    const SiltParamTable *table = &erosion->model->params;
    int index = erosion->params ? silt_params_find(table, "particles") : -1;
    char *value = index < 0 ? NULL : silt_params_value(table, erosion->params, index);
    snprintf(text, 64, "%s%.32s%s", value ? " and " : "", value ? value : "", value ? " particles" : "");
    silt_free(value);
}

// The whole need, not the one block that could not be had.
static SiltStatus name_need(const SiltErosion *erosion)
{
    const SiltTerrain *terrain = erosion->terrain;
    char whole[SILT_NUMBER_SIZE], free[SILT_NUMBER_SIZE], particles[64];
    count_particles(erosion, particles);
    uint64_t bytes = erosion->params ? silt_model_bytes_with(erosion->model, erosion->params, terrain->width,
                                                             terrain->height)
                                     : silt_model_bytes(erosion->model, terrain->width, terrain->height);
    return silt_fail(
        SILT_NO_MEMORY,
        "erode %s: not enough memory: %d x %d cells%s need %s beside the terrain's own layers, and "
        "%s is available; %s",
        erosion->model->name, terrain->width, terrain->height, particles,
        silt_format_bytes((double)bytes, whole), silt_format_bytes((double)erosion->available, free),
        silt_model_remedy(erosion->model, erosion->params, bytes));
}

SiltStatus silt_erosion_begin(const SiltModel *model, SiltTerrain *terrain, const void *params,
                              const SiltRun *run, SiltErosion **out)
{
    *out = NULL;
    void *block;
    SiltStatus status = silt_alloc_for(model->name, 1, sizeof(SiltErosion), &block);
    if (status != SILT_OK)
        return status;
    SiltErosion *erosion = block;
    erosion->model = model;
    erosion->terrain = terrain;
    erosion->report.model = model;
    erosion->available = silt_memory_available();
    if (run)
        erosion->run = *run;
    SiltCrew before = silt_crew_begin(run);
    status = params ? silt_params_check(&model->params, params, model->name) : SILT_OK;
    if (status == SILT_OK)
        status = silt_alloc_for(model->name, 1, model->params.size, &erosion->params);
    if (status == SILT_OK)
        status = copy_params(&model->params, params, erosion->params);
    if (status == SILT_OK)
        status = check_heights(model, terrain);
    if (status == SILT_OK)
        status = silt_model_check_layers(model, terrain, erosion->params);
    if (status == SILT_OK)
        status = make_state(erosion);
    if (status == SILT_OK)
        status =
            model->begin(erosion->state, terrain, erosion->params, &erosion->run, &erosion->report.ledger);
    if (status == SILT_OK)
        erosion->waiting = waiting_rock(erosion);
    silt_crew_end(before);
    erosion->report.ledger.rock.initial += erosion->waiting;
    if (status == SILT_NO_MEMORY)
        status = name_need(erosion);
    if (status != SILT_OK) {
        silt_erosion_end(erosion);
        return status;
    }
    erosion->begun = true;
    *out = erosion;
    return SILT_OK;
}

void silt_erosion_end(SiltErosion *erosion)
{
    if (!erosion)
        return;
    if (erosion->state && erosion->model->end)
        erosion->model->end(erosion->state);
    for (int k = 0; erosion->state && k < erosion->model->state_count; k++) {
        if (state_field(erosion, k))
            silt_field_destroy(state_field(erosion, k));
        else if (state_array(erosion, k))
            silt_free(*state_array(erosion, k));
    }
    silt_free(erosion->state);
    if (erosion->params)
        silt_params_free(&erosion->model->params, erosion->params);
    silt_free(erosion->params);
    silt_free(erosion);
}

SiltStatus silt_erosion_store(SiltErosion *erosion)
{
    SiltLedger *ledger = &erosion->report.ledger;
    ledger->rock.initial -= erosion->waiting; // the model knows only of its own
    SiltCrew before = silt_crew_begin(&erosion->run);
    SiltStatus status = erosion->model->store(erosion->state, erosion->terrain, ledger);
    ledger->rock.initial += erosion->waiting;
    ledger->rock.stored += erosion->waiting;
    if (!erosion->model->particles) // those count it themselves, to the unit
        ledger->rock.carried = carried_rock(erosion->terrain);
    silt_crew_end(before);
    return status;
}

const SiltReport *silt_erosion_report(const SiltErosion *erosion)
{
    return &erosion->report;
}

// Frames come at even intervals of the model's clock, or of steps where a number of steps was asked for.
static void plan_frames(SiltErosion *erosion, bool timed, int64_t steps, double time)
{
    const SiltRun *run = &erosion->run;
    bool by_count = !(run->frame_interval > 0.0);
    erosion->counts_steps = !timed;
    erosion->frame_every = !run->frame        ? 0.0
                           : !by_count        ? run->frame_interval
                           : run->frames <= 0 ? 0.0
                           : timed            ? time / run->frames
                                              : (double)steps / run->frames;
}

// Time until the next frame in the model's clock, or in steps; infinite without frames.
static double time_to_frame(const SiltErosion *erosion)
{
    if (!(erosion->frame_every > 0.0))
        return INFINITY;
    const SiltReport *report = &erosion->report;
    double clock = erosion->counts_steps ? (double)report->steps : report->model_time;
    return (erosion->frame_count + 1) * erosion->frame_every * (1.0 - 1e-12) - clock;
}

static SiltStatus hand_out_frames(SiltErosion *erosion)
{
    const SiltRun *run = &erosion->run;
    if (time_to_frame(erosion) > 0.0)
        return SILT_OK;
    SiltStatus status = silt_erosion_store(erosion);
    if (status == SILT_OK && run->particles && erosion->model->particles) {
        SiltParticles particles;
        erosion->model->particles(erosion->state, &particles);
        status = run->particles(run->user, &particles, erosion->frame_count);
    }
    if (status == SILT_OK)
        status = run->frame(run->user, erosion->terrain, erosion->frame_count);
    erosion->frame_count++;
    return status;
}

// One step, or as many as the model can do at once without missing a frame; returns how many.
static int64_t take_steps(SiltErosion *erosion, int64_t steps, double time_left)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    int64_t taken = 1;
    double time;
    if (model->leap) {
        double unit = erosion->counts_steps ? 1.0 : erosion->step_time, to_frame = time_to_frame(erosion);
        double room = to_frame < INFINITY ? (unit > 0.0 ? ceil(to_frame / unit) : 1.0) : (double)steps;
        steps = room < (double)steps ? (room > 1.0 ? (int64_t)room : 1) : steps;
        time = model->leap(erosion->state, steps, time_left, &taken, &report->ledger, &report->counters);
    } else {
        time = model->step(erosion->state, time_left, &report->ledger, &report->counters);
    }
    erosion->step_time = time / (double)taken;
    report->model_time += time;
    report->steps += taken;
    return taken;
}

SiltStatus silt_erosion_advance(SiltErosion *erosion, SiltDuration duration)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    if (duration.time > 0.0 && !model->clock[0])
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: it counts steps and knows no time; say --steps",
                         model->name);
    if (duration.time > SILT_MAX_TIME)
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: a time of %g %s: the longest is %g", model->name,
                         duration.time, model->clock, SILT_MAX_TIME);
    bool timed = duration.time > 0.0;
    int64_t steps = timed ? INT64_MAX : duration.steps > 0 ? duration.steps : model->default_steps;
    double end_time = report->model_time + duration.time, started = wall_clock(), told = 0.0;
    plan_frames(erosion, timed, steps, duration.time);
    SiltCrew before = silt_crew_begin(&erosion->run);
    SiltStatus status = SILT_OK;
    for (int64_t k = 0; k < steps && status == SILT_OK;) {
        double left = timed ? end_time - report->model_time : INFINITY;
        if (!(left > 0.0))
            break;
        if (model->tend)
            status = model->tend(erosion->state, &report->ledger);
        if (status != SILT_OK)
            break;
        k += take_steps(erosion, steps - k, left);
        if (timed && report->model_time >= end_time - 1e-12 * fabs(end_time))
            report->model_time = end_time;
        double now = wall_clock();
        if (now - told >= 0.05 || k == steps) { // twenty times a second is enough to watch and to stop
            told = now;
            status = timed ? silt_run_progress(&erosion->run, model->name,
                                               report->model_time - (end_time - duration.time), duration.time,
                                               model->clock)
                           : silt_run_progress(&erosion->run, model->name, (double)k, (double)steps, "steps");
        }
        if (status == SILT_OK)
            status = hand_out_frames(erosion);
        if (report->counters.at_rest && !(erosion->frame_every > 0.0)) {
            report->model_time = timed ? end_time : report->model_time;
            break;
        }
    }
    silt_crew_end(before);
    report->seconds += wall_clock() - started;
    report->cancelled = status == SILT_CANCELLED;
    return status;
}

// The steps after the last, in which water runs off.
static SiltStatus come_to_rest(SiltErosion *erosion)
{
    const SiltModel *model = erosion->model;
    SiltReport *report = &erosion->report;
    double started = wall_clock();
    SiltStatus status = SILT_OK;
    while (status == SILT_OK && model->rest && model->rest(erosion->state, &report->ledger)) {
        model->step(erosion->state, INFINITY, &report->ledger, &report->counters);
        report->steps++;
        status = silt_run_progress(&erosion->run, model->name, 1.0, 1.0, "coming to rest");
    }
    report->seconds += wall_clock() - started;
    report->cancelled = status == SILT_CANCELLED;
    return status;
}

SiltStatus silt_erode(const SiltModel *model, SiltTerrain *terrain, const void *params, SiltDuration duration,
                      const SiltRun *run, SiltReport *report)
{
    SiltErosion *erosion;
    SiltStatus status = silt_erosion_begin(model, terrain, params, run, &erosion);
    if (status != SILT_OK)
        return status;
    SiltCrew before = silt_crew_begin(run);
    status = silt_erosion_advance(erosion, duration);
    if (status == SILT_OK)
        status = come_to_rest(erosion);
    if (status == SILT_OK || status == SILT_CANCELLED) { // what was done is not lost
        SiltStatus stored = model->finish ? model->finish(erosion->state, &erosion->report.ledger) : SILT_OK;
        stored = stored == SILT_OK ? silt_erosion_store(erosion) : stored;
        if (stored == SILT_OK && run && run->last_particles && model->particles) {
            SiltParticles particles;
            model->particles(erosion->state, &particles);
            stored = run->last_particles(run->user, &particles);
        }
        status = stored == SILT_OK ? status : stored;
    }
    silt_crew_end(before);
    if (report)
        *report = erosion->report;
    silt_erosion_end(erosion);
    return status;
}
