// Coarse to fine: a model runs first on the terrain in fewer cells, where large forms take shape in a few
// cheap steps, then on twice as many, and so on. What it changed goes along: a finer level starts with its
// own original, all its detail in it, plus the change so far. Half of the time is spent on the coarsest
// level, a quarter on the next, and so on; the last two get the same.
//
// The books go through: the change is brought to the finer grid with its volume, and what was still in the
// water settles.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/keeper.h"
#include "erode/layers.h"
#include "erode/model.h"
#include "erode/refine.h"
#include "erode/run.h"

enum { LEAST_SIDE = 32 }; // cells: no level is smaller

// How far lines of a coarse level are bent, and over how many cells of the next.
enum { BEND_WAVE = 8 };
static const float bend_reach = 2.0f;

typedef struct Climb {
    const SiltModel *model;
    const void *params;
    const SiltRun *run;
    SiltReport report;
    SiltTerrain *below;  // the level before: its layers "change", "deposit", "wear" and "deposition"
    double share;        // of the whole duration, up to the end of the level at hand
    int first_frame;     // frames that the levels before handed out
    int frame_count;     // and with those of the level at hand
    int level;           // the one at hand
    bool stopped;        // in it, after a whole step or before the first
    bool waits;          // nothing of it counts yet
    bool goes_on;        // it was kept, further than its beginning maybe
    double share_before; // as it was when the level began, and so the frames
    int frames_before;
} Climb;

// ---- one row of frames for all levels ----

static bool pass_progress(void *user, const char *stage, double done, double total, const char *unit)
{
    const Climb *climb = user;
    return climb->run->progress(climb->run->user, stage, done, total, unit);
}

static SiltStatus pass_frame(void *user, const SiltTerrain *terrain, int index)
{
    const Climb *climb = user;
    return climb->run->frame(climb->run->user, terrain, climb->first_frame + index);
}

// Of all levels so far.
static void pass_when(void *user, int64_t steps, double time, const char *clock)
{
    const Climb *climb = user;
    climb->run->when(climb->run->user, climb->report.steps + steps, climb->report.model_time + time, clock);
}

static SiltStatus pass_particles(void *user, const struct SiltParticles *particles, int index)
{
    const Climb *climb = user;
    return climb->run->particles(climb->run->user, particles, climb->first_frame + index);
}

static void begin_level(Climb *climb)
{
    climb->waits = true;
    climb->share_before = climb->share;
    climb->frames_before = climb->frame_count;
}

// The level's share of the frames, by its share of the time; all levels together make as many as one run.
static SiltRun run_of_level(Climb *climb, double share)
{
    SiltRun run = *climb->run;
    run.began += climb->report.model_time;
    double before = floor(run.frames * climb->share + 0.5);
    climb->share += share;
    climb->first_frame = climb->frame_count;
    run.user = climb;
    run.frames = (int)(floor(run.frames * climb->share + 0.5) - before);
    run.progress = run.progress ? pass_progress : NULL;
    run.frame = run.frame ? pass_frame : NULL;
    run.particles = run.particles ? pass_particles : NULL;
    run.when = run.when ? pass_when : NULL;
    run.moment = NULL; // each level has another size
    return run;
}

// Layers that one level hands to the next. Wear and deposition are sums, the others the state of the ground.
static const char *const handed[] = {"change", "deposit", "raised", "wear", "deposition"};
enum { CHANGE, DEPOSIT, RAISED, WEAR, DEPOSITION, HANDED };

static bool is_handed(const char *name)
{
    for (int k = 0; k < HANDED; k++)
        if (strcmp(handed[k], name) == 0)
            return true;
    return false;
}

// ---- from one level to the next ----

typedef struct Shift {
    const SiltTerrain *terrain;
    SiltField *field;
    float by;
    bool hold_sides; // nothing changes there
} Shift;

static bool is_held(const Shift *shift, int i, int j)
{
    const SiltTerrain *t = shift->terrain;
    bool side = i == 0 || j == 0 || i == t->width - 1 || j == t->height - 1;
    return silt_terrain_is_nodata(t, i, j) || (shift->hold_sides && side);
}

static double sum_rows(void *context, int begin, int end)
{
    const Shift *shift = context;
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < shift->terrain->width; i++)
            if (!silt_terrain_is_nodata(shift->terrain, i, j))
                sum += (double)silt_field_at(shift->field, i, j);
    return sum;
}

static double count_rows(void *context, int begin, int end)
{
    const Shift *shift = context;
    double count = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < shift->terrain->width; i++)
            count += !is_held(shift, i, j);
    return count;
}

static double volume(const SiltTerrain *terrain, SiltField *field)
{
    Shift shift = {.terrain = terrain, .field = field};
    return silt_parallel_sum(terrain->height, sum_rows, &shift) * terrain->cell * terrain->cell;
}

static void add_rows(void *context, int begin, int end)
{
    const Shift *shift = context;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(shift->field, j);
        for (int i = 0; i < shift->terrain->width; i++)
            row[i] = is_held(shift, i, j) ? 0.0f : row[i] + shift->by;
    }
}

// The change of the level below on this one's cells, raised or lowered everywhere by the little that brings
// its volume to `wanted`.
static void keep_volume(const Climb *climb, SiltTerrain *level, SiltField *change, double wanted)
{
    const SiltModel *model = climb->model;
    Shift shift = {.terrain = level,
                   .field = change,
                   .hold_sides = model->holds_sides && model->holds_sides(climb->params)};
    double cells = silt_parallel_sum(level->height, count_rows, &shift);
    silt_parallel(level->height, 16, add_rows, &shift);
    double missing = wanted - volume(level, change);
    if (cells > 0.0)
        shift.by = (float)(missing / (cells * level->cell * level->cell));
    silt_parallel(level->height, 16, add_rows, &shift);
}

static SiltStatus add_layer(const SiltTerrain *from, const char *name, SiltTerrain *to)
{
    SiltField *more = silt_terrain_layer(from, name), *field;
    if (!more)
        return SILT_OK;
    SiltStatus status = silt_terrain_require(to, name, &field);
    if (status == SILT_OK)
        silt_field_add(field, more, field);
    return status;
}

// The level below in as many cells as this one.
static SiltStatus bring_up(const Climb *climb, SiltTerrain *level, SiltTerrain **out)
{
    *out = NULL;
    if (!climb->below)
        return SILT_OK;
    SiltBend bend = {.wave = BEND_WAVE,
                     .reach = climb->model->bends ? bend_reach : 0.0f,
                     .seed = climb->run ? climb->run->seed : 0,
                     .step = (uint32_t)level->width};
    SiltStatus status = silt_terrain_refine(climb->below, level->width, level->height, bend, out);
    if (status != SILT_OK)
        return status;
    keep_volume(climb, level, silt_terrain_layer(*out, "change"),
                volume(climb->below, silt_terrain_layer(climb->below, "change")));
    status = add_layer(*out, "change", level);
    for (int k = DEPOSIT; k <= RAISED && status == SILT_OK; k++) {
        SiltField *from = silt_terrain_layer(*out, handed[k]), *own;
        if (from)
            status = silt_terrain_require(level, handed[k], &own);
        if (from && status == SILT_OK)
            silt_field_copy(from, own);
    }
    return status;
}

static void take_report(Climb *climb, const SiltReport *report)
{
    SiltReport *all = &climb->report;
    bool first = !all->model;
    all->model = report->model;
    all->steps += report->steps;
    all->model_time += report->model_time;
    all->seconds += report->seconds;
    all->counters.substeps += report->counters.substeps;
    for (int k = 0; k < SILT_MAX_LIMITERS; k++)
        all->counters.limited[k] += report->counters.limited[k];
    all->counters.at_rest = report->counters.at_rest;
    if (first)
        all->ledger = report->ledger;
    else
        silt_ledger_append(&all->ledger, &report->ledger);
}

// Runs the model on one level; `wear` and `deposition` count all levels after it.
static SiltStatus run_level(Climb *climb, SiltTerrain *level, SiltDuration duration, double share)
{
    SiltRun run = run_of_level(climb, share);
    SiltTerrain *up;
    SiltReport report = {0};
    SiltStatus status = bring_up(climb, level, &up), ran = SILT_OK;
    if (status == SILT_OK)
        status = silt_keep_terrain(run.keeper, "ground", level); // for those who look at it
    if (status == SILT_OK) {
        int frames;
        ran = silt_erode_level(climb->model, level, climb->params, duration, &run, &report, &frames);
        climb->frame_count = climb->first_frame + frames;
        // one that could not begin leaves what was done below
        climb->stopped = report.cancelled || (!report.model && up && !climb->goes_on);
        status = climb->stopped ? SILT_OK : ran;
    }
    for (int k = WEAR; k <= DEPOSITION && status == SILT_OK && up; k++)
        status = add_layer(up, handed[k], level);
    if (status == SILT_OK && report.model) {
        take_report(climb, &report);
        climb->waits = false;
    }
    climb->stopped = climb->stopped && status == SILT_OK;
    climb->goes_on = false;
    silt_terrain_destroy(up);
    return status == SILT_OK ? ran : status;
}

// What the next level needs of this one; sediment in the water comes to rest, the water is gone.
static SiltStatus hand_on(Climb *climb, SiltTerrain *level)
{
    SiltField *sediment = silt_terrain_layer(level, "sediment"), *change;
    SiltStatus status = silt_terrain_require(level, "change", &change);
    if (status != SILT_OK)
        return status;
    if (sediment && silt_model_begins_with(climb->model, "sediment"))
        silt_field_add(change, sediment, change);
    SiltAccount *water = &climb->report.ledger.water;
    water->removed += water->stored;
    water->stored = 0.0;
    for (int k = level->layer_count - 1; k > 0; k--)
        if (!is_handed(level->layers[k]->name))
            silt_terrain_drop(level, level->layers[k]->name);
    if (!climb->stopped) // else the run goes on in this level
        status = silt_keep_terrain(climb->run->keeper, "below", level);
    if (status != SILT_OK)
        return status;
    silt_terrain_destroy(climb->below);
    climb->below = level;
    return SILT_OK;
}

// ---- the whole ----

static double share_of(int level, int levels)
{
    return ldexp(1.0, level > 0 ? level - levels - 1 : -levels);
}

static SiltDuration part_of(SiltDuration duration, double share)
{
    SiltDuration part = {.time = duration.time * share};
    if (!(duration.time > 0.0)) {
        part.steps = (int64_t)floor((double)duration.steps * share + 0.5);
        part.steps = part.steps > 0 ? part.steps : 1;
    }
    return part;
}

static int side_of(int side, int level)
{
    int half = (int)(((int64_t)side + (1LL << level) - 1) >> level);
    return half < 1 ? 1 : half;
}

// A coarse level: the terrain as the run found it, in fewer cells.
static SiltStatus climb_level(Climb *climb, const SiltTerrain *original, int level, SiltDuration part,
                              double share)
{
    SiltTerrain *coarse;
    SiltStatus status = silt_terrain_resample(original, side_of(original->width, level),
                                              side_of(original->height, level), &coarse);
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(coarse);
    SiltStatus ran = run_level(climb, coarse, part, share);
    status = climb->stopped ? SILT_OK : ran;
    if (status == SILT_OK)
        status = hand_on(climb, coarse);
    if (status != SILT_OK)
        silt_terrain_destroy(coarse);
    return status == SILT_OK ? ran : status;
}

// Particles say so themselves, where there are none.
static void warn_idle(const SiltReport *report)
{
    const SiltAccount *water = &report->ledger.water, *rock = &report->ledger.rock;
    bool idle = !(water->initial > 0.0) && !(water->added > 0.0) && !(rock->moved > 0.0) &&
                !(rock->added > 0.0) && !(rock->removed > 0.0);
    if (idle && !report->cancelled && !report->model->particles)
        silt_warn("erode %s: the run did nothing: %sno rock moved%s", report->model->name,
                  silt_params_find(&report->model->params, "rain") < 0 ? "" : "no water came, and ",
                  silt_params_find(&report->model->params, "strength") < 0
                      ? ""
                      : ": no slope is steeper than its talus and strength let stand");
}

static SiltStatus erode_whole(const SiltModel *model, SiltTerrain *terrain, const void *params,
                              SiltDuration duration, const SiltRun *run, SiltReport *out)
{
    SiltReport report = {0};
    SiltStatus status = silt_erode(model, terrain, params, duration, run, &report);
    if (status == SILT_OK)
        warn_idle(&report);
    if (status == SILT_OK)
        silt_warn_of_books(&report, params);
    if (out)
        *out = report;
    return status;
}

// ---- a climb that is kept ----

// What the level at hand began with.
static void pack_climb(void *context, SiltPack *pack)
{
    Climb *climb = context;
    SiltReport *report = &climb->report;
    bool begun = report->model != NULL;
    SILT_PACK(pack, climb->level);
    SILT_PACK(pack, climb->share_before);
    SILT_PACK(pack, climb->frames_before);
    silt_pack_flag(pack, &begun);
    SILT_PACK(pack, report->steps);
    SILT_PACK(pack, report->model_time);
    SILT_PACK(pack, report->seconds);
    silt_counters_pack(&report->counters, pack);
    SILT_PACK(pack, report->ledger);
    report->model = begun ? climb->model : NULL;
}

// Goes on with the climb that was kept, and the level below the one at hand.
static SiltStatus climb_on(Climb *climb, int levels)
{
    SiltPack pack;
    if (!silt_keep_take(climb->run->keeper, "climb", &pack))
        return SILT_OK;
    pack_climb(climb, &pack);
    climb->goes_on = true;
    climb->share = climb->share_before;
    climb->frame_count = climb->frames_before;
    if (pack.status == SILT_OK && (climb->level < 0 || climb->level > levels))
        return silt_fail(SILT_BAD_ARGUMENT, "the climb that was kept had other levels");
    if (pack.status != SILT_OK || climb->level == levels)
        return pack.status;
    SiltKeeper *keeper = climb->run->keeper;
    SiltStatus status = keeper->take_terrain(keeper, "below", &climb->below);
    return status == SILT_OK && climb->below ? silt_keep_terrain(keeper, "below", climb->below) : status;
}

// What was done on the levels below goes into the terrain.
static SiltStatus end_early(Climb *climb, SiltTerrain *terrain, SiltStatus why)
{
    char message[2048];
    SiltTerrain *up;
    snprintf(message, sizeof message, "%s", silt_message());
    SiltStatus status = bring_up(climb, terrain, &up);
    silt_terrain_destroy(up);
    climb->stopped = status == SILT_OK;
    return status != SILT_OK && why == SILT_CANCELLED ? status : silt_fail(why, "%s", message);
}

// A level that could not begin begins when the run goes on.
static void keep_between(const Climb *climb)
{
    SiltKeeper *keeper = climb->run->keeper;
    char message[2048];
    snprintf(message, sizeof message, "%s", silt_message());
    if (keeper && climb->below)
        keeper->step(keeper, NULL, true);
    silt_fail(SILT_OK, "%s", message);
}

static SiltStatus erode_levels(const SiltModel *model, SiltTerrain *terrain, const void *params,
                               SiltDuration duration, int levels, const SiltRun *run, SiltReport *report)
{
    if (levels > 0 && model->particles)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode %s: water of particles would be lost between coarse and fine levels; leave "
                         "pyramid out",
                         model->name);
    static const SiltRun nobody = {0};
    Climb climb = {.model = model, .params = params, .run = run ? run : &nobody};
    int shorter = terrain->width < terrain->height ? terrain->width : terrain->height;
    int asked = levels;
    while (levels > 0 && (levels > 20 || side_of(shorter, levels) < LEAST_SIDE))
        levels--;
    if (levels < asked)
        silt_warn("erode %s: pyramid = %d: %d x %d cells have room for %d level%s, none below %d cells",
                  model->name, asked, terrain->width, terrain->height, levels, levels == 1 ? "" : "s",
                  LEAST_SIDE);
    if (levels <= 0)
        return erode_whole(model, terrain, params, duration, run, report);
    if (!(duration.time > 0.0) && duration.steps <= 0)
        duration.steps = model->default_steps;
    SiltField *change = silt_terrain_layer(terrain, "change");
    SiltField *sediment = silt_terrain_layer(terrain, "sediment");
    double initial = volume(terrain, &terrain->layers[0]->field) + (change ? volume(terrain, change) : 0.0) +
                     (sediment ? volume(terrain, sediment) : 0.0);
    climb.level = levels;
    SiltStatus status = climb_on(&climb, levels);
    if (status == SILT_OK)
        status = silt_keep_note(climb.run->keeper, "climb", pack_climb, &climb, false);
    for (; climb.level > 0 && status == SILT_OK; climb.level--) {
        double share = share_of(climb.level, levels);
        begin_level(&climb);
        status = climb_level(&climb, terrain, climb.level, part_of(duration, share), share);
        if (status != SILT_OK)
            break;
    }
    double last = share_of(0, levels);
    if (status == SILT_OK) {
        begin_level(&climb);
        status = run_level(&climb, terrain, part_of(duration, last), last);
    } else if (climb.stopped)
        status = end_early(&climb, terrain, status);
    if (status != SILT_OK && climb.waits)
        keep_between(&climb);
    silt_keep_let_go(climb.run->keeper, "climb");
    silt_keep_let_go(climb.run->keeper, "ground");
    silt_keep_let_go(climb.run->keeper, "below");
    climb.report.cancelled = climb.stopped;
    climb.report.ledger.rock.initial = initial; // on the terrain's own cells, as what is stored at the end
    if (status == SILT_OK)
        warn_idle(&climb.report);
    if (status == SILT_OK)
        silt_warn_of_books(&climb.report, params);
    if (report && (status == SILT_OK || climb.stopped))
        *report = climb.report;
    silt_terrain_destroy(climb.below);
    return status;
}

SiltStatus silt_erode_pyramid(const SiltModel *model, SiltTerrain *terrain, const void *params,
                              SiltDuration duration, int levels, const SiltRun *run, SiltReport *report)
{
    SiltCrew before = silt_crew_begin(run);
    SiltWarnings warnings = silt_warnings_begin(run);
    SiltStatus status = erode_levels(model, terrain, params, duration, levels, run, report);
    silt_warnings_end(warnings);
    silt_crew_end(before);
    return status;
}
