// Colliding plates (Fritz 2016, 3.6): a tally split into convex plates floats in a box whose walls push, and
// each collision of two plates with exactly two contact points raises a range along the contact.
#include "generate/plates.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/streams.h"
#include "generate/shape.h"
#include "generate/uplift.h"
#include "physics/random.h"
#include "silt/generate.h"

typedef struct PlatesParams {
    int plates, steps;
    double time, drift, push, gap, elasticity, turning;
    double height, spread, wander, sharpness, ridges, variation, smooth;
    int raise, cells, complexity, iterations;
} PlatesParams;

static const SiltParam plates_items[] = {
    SILT_INT(PlatesParams, plates, "", 12, 1, SILT_MAX_PLATES, "how many plates the tally is cut into"),
    SILT_REAL(PlatesParams, time, "year", 1e6, 1.0, 1e9, "how long they float"),
    SILT_INT(PlatesParams, steps, "", 1000, 1, 1000000, "steps that time is cut into"),
    SILT_REAL(
        PlatesParams, drift, "m/year", NAN, 0.0, 1e3,
        "speed of the plates at the start, at the most; none: 0.4 of the map's smaller side in all the time"),
    SILT_REAL(PlatesParams, push, "m/year", NAN, 0.0, 1e3,
              "speed of the walls, in and out; none: as for drift"),
    SILT_REAL(PlatesParams, gap, "", 0.06, 0.01, 0.5,
              "room between plates at the start, as a fraction of their size"),
    SILT_REAL(PlatesParams, elasticity, "", 0.8, 0.0, 1.0, "how much speed a collision gives back"),
    SILT_REAL(PlatesParams, turning, "", 0.01, 0.0, 1.0,
              "how freely plates turn: 1 as free bodies do, 0 not at all"),
    SILT_LENGTH(PlatesParams, height, 0.0, 0.016,
                "height of the range that a collision along a long border raises"),
    SILT_LENGTH(PlatesParams, spread, 0.0, 0.12, "how far such a range reaches from its crest"),
    SILT_REAL(PlatesParams, wander, "", 0.15, 0.0, 0.5,
              "how far a crest strays from the contact, as a fraction of its length"),
    SILT_REAL(PlatesParams, sharpness, "", 1.5, 0.1, 10.0,
              "1 for a gable, more for a knife's edge, less for a barrel"),
    SILT_REAL(PlatesParams, ridges, "", 1.5, 0.0, 10.0, "how much ridges and valleys stand out; 0 for none"),
    SILT_CHOICE(PlatesParams, raise, "alike random", "random",
                "polygons of a range rise alike, or each by its own amount"),
    SILT_REAL(PlatesParams, variation, "", 0.7, 0.0, 1.0,
              "how far its own amount may be from the mean, as a fraction of it"),
    SILT_CHOICE(PlatesParams, cells, "voronoi graph", "voronoi",
                "polygons from random seeds, or from random cut lines"),
    SILT_INT(PlatesParams, complexity, "", 2000, 1, SILT_MAX_POLYGONS,
             "polygons the map is cut into for a range"),
    SILT_INT(PlatesParams, iterations, "", 6, 1, 1000, "how often polygons are drawn for each collision"),
    SILT_LENGTH(PlatesParams, smooth, 0.0, 0.006, "how far the edges of polygons are softened"),
};

enum { PARTS_OF_A_METRE = 1024, BATCH = 256, FRAMES = 50, PROGRESS_STEPS = 16 };

typedef struct Job {
    PlatesParams own, *params; // with what the map decides
    const SiltRun *run;
    SiltTerrain *terrain;
    SiltField *height, *plate, *collisions, *uplift;
    SiltPlateWorld *world;
    SiltLattice lattice;
    SiltTally tally, counts, settled; // of raised parts of a metre, and of collisions
    double scale;                     // cells to a unit of the world
    uint64_t seed;
    SiltResistance resistance;
    SiltCollision pending[BATCH]; // not yet raised
    int pending_count;
    uint32_t raised_count; // collisions raised before those
    int frame_count;
    int step;   // that were taken
    int status; // of the first range that failed
} Job;

// ---- ranges ----

// A touch raises less than a long contact: the height asked for is that of a range much longer than it is
// wide.
static double share_of(const Job *job, const SiltCollision *c)
{
    double dx = c->x1 - c->x0, dy = c->y1 - c->y0;
    double length = job->scale * job->terrain->cell * sqrt(dx * dx + dy * dy);
    return length > 0.0 ? length / (length + job->params->spread) : 0.0;
}

static void raise_ranges(void *context, int begin, int end)
{
    Job *job = context;
    const PlatesParams *p = job->params;
    for (int k = begin; k < end && __atomic_load_n(&job->status, __ATOMIC_RELAXED) == SILT_OK; k++) {
        int which = k / p->iterations, iteration = k % p->iterations;
        const SiltCollision *c = &job->pending[which];
        uint32_t number = job->raised_count + (uint32_t)which;
        uint32_t draw = number * (uint32_t)p->iterations + (uint32_t)iteration;
        SiltCrestLine crest;
        silt_crest_init(&crest, c->x0 * job->scale, c->y0 * job->scale, c->x1 * job->scale,
                        c->y1 * job->scale, p->wander, job->seed, SILT_STREAM_PLATES, number);
        SiltRandom random = silt_random(job->seed, SILT_STREAM_PLATES, (uint64_t)1 << 40, draw);
        double q = (iteration + (double)silt_uniform(random.word[0])) / p->iterations;
        double height = p->height * share_of(job, c) / p->iterations;
        SiltUplift uplift = {.polygons = p->cells,
                             .count = p->complexity,
                             .seed = job->seed,
                             .stream = SILT_STREAM_PLATES,
                             .draw = draw,
                             .reach = p->spread / job->terrain->cell * silt_uplift_reach(q, p->sharpness),
                             .amount = (int64_t)(height * PARTS_OF_A_METRE + 0.5),
                             .variation = p->raise == 1 ? p->variation : 0.0,
                             .resistance = &job->resistance};
        SiltStatus status = silt_uplift(&job->lattice, &uplift, &crest, &job->tally,
                                        iteration == p->iterations - 1 ? &job->counts : NULL);
        if (status != SILT_OK)
            __atomic_store_n(&job->status, (int)status, __ATOMIC_RELAXED);
    }
}

static SiltStatus tell(const Job *job)
{
    return silt_run_progress(job->run, "plates", job->step, job->params->steps, "steps");
}

// Whoever watches hears of steps, whatever is done in one.
static bool tell_step(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total, (void)unit;
    return tell(user) == SILT_OK;
}

static SiltStatus raise_pending(Job *job)
{
    SiltRun run = {.user = job, .progress = tell_step};
    SiltStatus status =
        silt_parallel_run(&run, "plates", job->pending_count * job->params->iterations, 1, raise_ranges, job);
    if (status != SILT_OK)
        return status;
    job->raised_count += (uint32_t)job->pending_count;
    job->pending_count = 0;
    if (job->status == SILT_OK)
        return SILT_OK;
    return silt_fail((SiltStatus)job->status, "plates: no memory for %d polygons; ask for fewer",
                     job->params->complexity);
}

// ---- layers ----

// Cells whose middle lies in a plate get its number, from 1 on; those between plates stay 0.
static void draw_plate(const Job *job, const SiltPlate *outline, float number)
{
    int height = job->terrain->height, width = job->terrain->width;
    for (int j = 0; j < height; j++) {
        double y = (j + 0.5) / job->scale, low = INFINITY, high = -INFINITY;
        for (int k = 0; k < outline->count; k++) {
            int next = k + 1 < outline->count ? k + 1 : 0;
            if ((outline->y[k] <= y) == (outline->y[next] <= y))
                continue;
            double t = (y - outline->y[k]) / (outline->y[next] - outline->y[k]);
            double x = job->scale * (outline->x[k] + t * (outline->x[next] - outline->x[k]));
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (!(low < high))
            continue;
        int first = low > 0.5 ? (int)ceil(low - 0.5) : 0, last = high < width ? (int)ceil(high - 0.5) : width;
        for (int i = first; i < last; i++)
            silt_field_row(job->plate, j)[i] = number;
    }
}

static SiltStatus update_layers(Job *job)
{
    SiltStatus status = raise_pending(job);
    if (status != SILT_OK)
        return status;
    silt_tally_settle(&job->counts, &job->settled);
    silt_tally_write(&job->settled, 1.0, 1.0, job->collisions);
    silt_tally_settle(&job->tally, &job->settled);
    status = tell(job);
    if (status == SILT_OK)
        status = silt_tally_smooth(&job->settled, job->params->smooth / job->terrain->cell, NULL);
    if (status == SILT_OK)
        status = tell(job);
    if (status != SILT_OK)
        return status;
    silt_tally_write(&job->settled, 1.0, PARTS_OF_A_METRE, job->height);
    silt_tally_write(&job->settled, 1.0, PARTS_OF_A_METRE * job->params->time, job->uplift);
    silt_field_fill(job->plate, 0.0f);
    for (int k = 0; k < job->params->plates; k++) {
        SiltPlate outline;
        silt_plate_world_outline(job->world, k, &outline);
        draw_plate(job, &outline, (float)(k + 1));
    }
    return status;
}

// ---- time ----

static SiltStatus collect(Job *job)
{
    const SiltCollision *collisions;
    int count = silt_plate_world_collisions(job->world, &collisions);
    SiltStatus status = SILT_OK;
    for (int k = 0; k < count && status == SILT_OK; k++) {
        job->pending[job->pending_count++] = collisions[k];
        if (job->pending_count == BATCH)
            status = raise_pending(job);
    }
    return status;
}

static SiltStatus hand_out_frames(Job *job, int step)
{
    const SiltRun *run = job->run;
    if (!run || !run->frame)
        return SILT_OK;
    double interval = run->frame_interval > 0.0
                          ? run->frame_interval
                          : job->params->time / (run->frames > 0 ? run->frames : FRAMES);
    double clock = job->params->time * (step + 1) / job->params->steps;
    if (clock < (job->frame_count + 1) * interval * (1.0 - 1e-12))
        return SILT_OK;
    SiltStatus status = update_layers(job);
    if (status == SILT_OK && run->when)
        run->when(run->user, step + 1, clock, "years");
    return status == SILT_OK ? run->frame(run->user, job->terrain, job->frame_count++) : status;
}

static SiltStatus float_plates(Job *job)
{
    const PlatesParams *p = job->params;
    SiltStatus status = SILT_OK;
    for (int step = 0; step < p->steps && status == SILT_OK; step++) {
        silt_plate_world_step(job->world);
        status = collect(job);
        if (status == SILT_OK)
            status = hand_out_frames(job, step);
        job->step = step + 1;
        if (status == SILT_OK && (step + 1) % PROGRESS_STEPS == 0)
            status = tell(job);
    }
    return status == SILT_OK ? update_layers(job) : status;
}

static SiltStatus make_world(Job *job)
{
    const PlatesParams *p = job->params;
    int side = job->terrain->width > job->terrain->height ? job->terrain->width : job->terrain->height;
    job->scale = side / SILT_PLATE_WORLD;
    double years = p->time / p->steps, cell = job->terrain->cell;
    double speed = years / (SILT_PLATE_STEP * cell * job->scale); // m/year as units of the world
    double fastest = p->drift > p->push ? p->drift : p->push;
    if (fastest * years > 0.01 * side * cell)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "plates: %g m in a step is too far on a map of %g m; raise steps, or lower drift and push",
            fastest * years, side * cell);
    SiltPlateSetup setup = {.count = p->plates,
                            .width = job->terrain->width / job->scale,
                            .height = job->terrain->height / job->scale,
                            .gap = p->gap,
                            .drift = p->drift * speed,
                            .push = p->push * speed,
                            .elasticity = p->elasticity,
                            .turning = p->turning,
                            .seed = job->seed};
    return silt_plate_world_create(&setup, &job->world);
}

static SiltStatus make_layers(Job *job)
{
    int width = job->terrain->width, height = job->terrain->height;
    job->height = silt_terrain_layer(job->terrain, "height");
    SiltStatus status = silt_terrain_require(job->terrain, "plate", &job->plate);
    if (status == SILT_OK)
        status = silt_terrain_require(job->terrain, "collisions", &job->collisions);
    if (status == SILT_OK)
        status = silt_terrain_require(job->terrain, "uplift", &job->uplift);
    if (status == SILT_OK)
        status = silt_tally_create(width, height, &job->tally);
    if (status == SILT_OK)
        status = silt_tally_create(width, height, &job->counts);
    if (status == SILT_OK)
        status = silt_tally_create(width, height, &job->settled);
    return status;
}

static SiltStatus plates_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    void *block;
    SiltStatus status = silt_alloc_for("plates", 1, sizeof(Job), &block);
    if (status != SILT_OK)
        return status;
    Job *job = block;
    job->own = *(const PlatesParams *)params;
    job->params = &job->own;
    double speed = 0.4 * silt_map_side(terrain) / job->own.time;
    job->own.drift = isnan(job->own.drift) ? speed : job->own.drift;
    job->own.push = isnan(job->own.push) ? speed : job->own.push;
    SILT_RESOLVE(plates_items, job->params, terrain);
    job->run = run;
    job->terrain = terrain;
    job->lattice = silt_lattice(terrain->width, terrain->height);
    job->seed = run ? run->seed : 0;
    silt_resistance_init(&job->resistance, job->params->ridges, 0.3 * job->params->spread / terrain->cell,
                         job->seed, SILT_STREAM_PLATES);
    status = make_world(job);
    if (status == SILT_OK)
        status = make_layers(job);
    if (status == SILT_OK)
        status = float_plates(job);
    silt_plate_world_destroy(job->world);
    silt_tally_destroy(&job->tally);
    silt_tally_destroy(&job->counts);
    silt_tally_destroy(&job->settled);
    silt_free(job);
    return status;
}

const SiltGenerator silt_generator_plates = {
    .name = "plates",
    .summary =
        "ranges raised by colliding plates; layers say which plate, how many collisions and how much uplift",
    .source = "Fritz 2016, section 3.6",
    .makes = "plate collisions uplift",
    .params = SILT_PARAM_TABLE(PlatesParams, plates_items),
    .run = plates_run,
};
