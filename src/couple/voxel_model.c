// `voxel`: water made of particles on a sparse level set, which dissolves rock, carries it and lays it down:
// caves, overhangs and arches (Weiss 2016). This file declares the model and runs its step; the water is in
// sph/ and voxel_water.c, the rock in volume/ and voxel_ground.c, what passes between them in
// physics/voxel_exchange.h; voxel_contact.c is where they meet, and voxel_tend.c keeps the rock in order.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "couple/device_voxel.h"
#include "erode/shallow.h"
#include "physics/elementary.h"
#include "volume/brick.h"

enum { ROCK_OWN, ROCK_UNIFORM, ROCK_NOISE, ROCK_STRATA };
enum { MASSES_ALIKE, MASSES_OWN };
enum { REINIT_FACETS, REINIT_SWEEPS };
enum { SINK_EVERY = 4 }; // steps between two exchanges of sediment, where it is slower than the water

static const SiltParam voxel_items[] = {
    SILT_FLUID_ITEMS(SiltVoxelParams, SILT_WEISS_WATER, NAN,
                     "; none: if there is no other water, a little, and a stream over the steepest drop", NAN,
                     0.0, 0.0, "stiff", 3.0, "sum"),
    SILT_LIST(
        SiltVoxelParams, boxes, SILT_VOXEL_BOX_COLUMNS, "",
        "water there is at the start: corner from the north-western one, height of its bottom, size, and "
        "sediment in it"),
    SILT_LIST(SiltVoxelParams, sources, SILT_VOXEL_SOURCE_COLUMNS, "",
              "boxes that water comes from: place and size as above, rate, velocity east, south and up, "
              "sediment, from when to when (stop 0: for ever)",
              .flags = SILT_LIVE),
    SILT_REAL(SiltVoxelParams, capacity, "s/m", NAN, 0.0, 100.0,
              "rock that water can carry for each m/s of its speed, as a share of its volume (eq. 3.31); "
              "none: all it can hold after a fall through four or five cells",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(SiltVoxelParams, most, "1", NAN, 1e-6, 1000.0,
              "rock that water can hold, as a share of its volume; above 1 a particle stands for more water "
              "than there is, and rock goes as in time lapse; none: 1 to 60, so that all particles together "
              "hold six cells' depth of the map"),
    SILT_REAL(SiltVoxelParams, dissolve_normal, "1/m", NAN, 0.0, 1000.0,
              "how water that runs against the rock dissolves it (eq. 3.32); none: 0.5 a cell; "
              "exchange=paper: per step, s/m",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(SiltVoxelParams, dissolve_tangent, "1/m", NAN, 0.0, 1000.0,
              "how water that runs along the rock dissolves it (eq. 3.32); none: 0.03 a cell",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(
        SiltVoxelParams, deposit, "1/s", NAN, 0.0, 1000.0,
        "share of what water has too much that it lays down (eq. 3.33); none: 2 at cells of 1 m, less at "
        "larger ones; exchange=paper: per step",
        .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(SiltVoxelParams, least, "1", 0.001, 0.0, 1.0,
              "what water that lays down has too much at the least, as a share of its volume",
              .flags = SILT_LIVE),
    SILT_VECTOR2(SiltVoxelParams, flat, "1", 0.6, 0.8, -1.0, 1.0,
                 "cosines of the steepest ground on which anything, and on which all of it, stays",
                 .flags = SILT_LIVE),
    SILT_REAL(
        SiltVoxelParams, sinking, "1/s", NAN, 0.0, 1e6,
        "how fast sediment sinks from particle to particle (beta of eq. 3.37); none: 5 at cells of 1 m, "
        "less at larger ones",
        .flags = SILT_LIVE),
    SILT_REAL(SiltVoxelParams, asymmetry, "1", 0.7, -0.99, 0.99,
              "how much more of it goes down than aside (k of eq. 3.36)", .flags = SILT_LIVE),
    SILT_REAL(
        SiltVoxelParams, cone, "degrees", 35.0, 0.0, 89.0,
        "half the opening of the cone above a particle that must be empty for it to evaporate (eq. 3.39)",
        .flags = SILT_LIVE),
    SILT_REAL(SiltVoxelParams, weight, "1", 0.0, 0.0, 100.0,
              "how much slower water full of sediment follows the forces (sigma of eq. 3.28)",
              .flags = SILT_LIVE, .paper = "1"),
    SILT_CHOICE(SiltVoxelParams, masses, "alike own", "alike",
                "what particles press with: all with the mass of new water, or each with what is left of it "
                "and its load "
                "(eq. 3.11; for density_from=sum and pair=mean)",
                .flags = SILT_LIVE, .paper = "own"),
    SILT_CHOICE(SiltVoxelParams, exchange, "conserving paper", "conserving",
                "rock moves by its volume, or by the same amount of phi in all eight voxels (algorithm 3)",
                .paper = "paper"),
    SILT_CHOICE(SiltVoxelParams, collision, "tracing paper", "tracing",
                "steps as long as the distance allows, or fixed small ones (algorithm 1)", .paper = "paper"),
    SILT_CHOICE(SiltVoxelParams, distance, "true paper", "true",
                "phi of a grid made from heights: a true distance, or that to neighbouring columns (eq. 3.6)",
                .paper = "paper"),
    SILT_INT(SiltVoxelParams, redistance, "steps", 10, 1, 10000, "from one re-initialisation to the next",
             .flags = SILT_LIVE),
    SILT_CHOICE(
        SiltVoxelParams, reinit, "facets sweeps", "facets",
        "how it is done: by distances to the surface itself, or by sweeps that hand them on from voxel to "
        "voxel (eq. 3.4 and 3.5; on the processor alone)"),
    SILT_REAL(SiltVoxelParams, smoothing, "1", 0.3, 0.0, 0.5,
              "how far, each time, what water has made rough wears off", .flags = SILT_LIVE, .paper = "0"),
    SILT_CHOICE(SiltVoxelParams, falling, "off report remove drop", "remove",
                "what becomes of rock that hangs on nothing", .paper = "off"),
    SILT_INT(SiltVoxelParams, falling_every, "steps", 200, 1, 1000000,
             "from one look for such rock to the next", .flags = SILT_LIVE),
    SILT_CHOICE(SiltVoxelParams, rock, "own uniform noise strata", "own",
                "how erodible the rock is where: as the volume has it, or one of these"),
    SILT_REAL(SiltVoxelParams, rock_low, "1", 0.01, 0.0, 1000.0, "erodibility of the hardest rock"),
    SILT_REAL(SiltVoxelParams, rock_high, "1", 1.0, 0.0, 1000.0, "erodibility of the softest rock"),
    SILT_REAL(SiltVoxelParams, rock_size, "m", 80.0, 1e-3, 1e6,
              "size of patches of noise, or of a hard and a soft bed together"),
    SILT_VECTOR2(SiltVoxelParams, rock_dip, "", 0.0, 0.0, -10.0, 10.0,
                 "fall of the beds per metre east and north"),
    SILT_INT(SiltVoxelParams, layers, "voxels", 0, 0, SILT_MAX_VOXELS,
             "layers of a grid made from heights; 0: as many as they need"),
    SILT_CHOICE(SiltVoxelParams, brick, "8 16", "8", "voxels along a side of a brick"),
    SILT_REAL(SiltVoxelParams, floor, "m", NAN, 0.0, 1e6, "rock below the lowest height; none: 8 voxels"),
    SILT_REAL(SiltVoxelParams, headroom, "m", NAN, 0.0, 1e6, "air above the highest; none: 8 voxels"),
    SILT_LAYER(SiltVoxelParams, erodibility, "erodibility",
               "layer that multiplies the rock's erodibility, where the rock is made from heights"),
};

// Counts that particles add to are as wide as plain ones, and at rest between steps. voxel_live.c keeps what
// is no number: rock, bricks, sources.
static const SiltStateItem voxel_state[] = {
    SILT_STATE(SiltVoxel, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(SiltVoxel, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(SiltVoxel, taken, SILT_STATE_INT64, "units", "rock that water has taken"),
    SILT_STATE(SiltVoxel, laid, SILT_STATE_INT64, "units", "rock that it has laid"),
    SILT_STATE(SiltVoxel, buried, SILT_STATE_INT64, "", "particles that rock has grown over"),
    SILT_STATE(SiltVoxel, ground.cut, SILT_STATE_INT64, "", "voxels that would have moved too far"),
    SILT_STATE(SiltVoxel, start_rock, SILT_STATE_DOUBLE, "m3", "rock at the beginning, less what fell"),
    SILT_STATE(SiltVoxel, levelled, SILT_STATE_INT64, "units", "rock moved when it was last levelled"),
    SILT_STATE(SiltVoxel, ground.corrected, SILT_STATE_DOUBLE, "m3", "rock that levelling has moved"),
    SILT_STATE(SiltVoxel, tended, SILT_STATE_INT64, "", "re-initialisations"),
    SILT_STATE(SiltVoxel, next, SILT_STATE_INT64, "", "step of the next of them; below zero: it was left"),
    SILT_STATE(SiltVoxel, next_fall, SILT_STATE_INT64, "", "step of the next look for loose rock"),
    SILT_STATE(SiltVoxel, sink_time, SILT_STATE_FLOAT, "s", "since sediment last sank"),
    SILT_STATE(SiltVoxel, looks, SILT_STATE_BOOL, "", "whether it did so in the last step"),
    SILT_STATE(SiltVoxel, water.poured, SILT_STATE_INT64, "", "particles drawn for sources"),
    SILT_STATE(SiltVoxel, own_sources.count, SILT_STATE_INT32, "", "streams over the steepest drop"),
    SILT_FLUID_STATE(SiltVoxel),
};

static const char *const voxel_limiters[] = {SILT_FLUID_LIMITERS, "buried", "cut", NULL};
const char silt_voxel_owner[] = "erode voxel";
static const char *const owner = silt_voxel_owner;

// ---- begin and end ----

static SiltStatus find_volume(const SiltVoxelParams *p, SiltTerrain *terrain, uint64_t seed, SiltVolume **out)
{
    const SiltField *map;
    SiltStatus status = silt_fluid_layer(owner, terrain, "erodibility", p->erodibility, &map);
    *out = silt_terrain_volume(terrain);
    if (status != SILT_OK)
        return status;
    bool is_unused = map && *out && !(*out)->rock_map.data;
    if (*out && (p->layers > 0 || is_unused || !isnan(p->floor) || !isnan(p->headroom)))
        silt_warn("%s: the rock is a volume already: layers, floor, headroom and erodibility are for heights",
                  owner);
    if (*out)
        return SILT_OK;
    if (terrain->volume)
        silt_warn("%s: the heights have changed since they were those of a volume: its caves are lost",
                  owner);
    if (terrain->width < 2 || terrain->height < 2)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a terrain of %d x %d cells; for particles each side needs 2 cells or more",
                         owner, terrain->width, terrain->height);
    SiltVolumeOptions options;
    status = silt_params_init(&silt_volume_params, &options);
    if (status != SILT_OK)
        return status;
    options.layers = p->layers;
    options.brick = p->brick;
    options.floor = p->floor;
    options.headroom = p->headroom;
    options.distance = p->distance;
    snprintf(options.erodibility, sizeof options.erodibility, "%s", map ? p->erodibility : "");
    status = silt_volume_from_terrain(terrain, &options, NULL, seed, out);
    if (status == SILT_OK)
        silt_terrain_give_volume(terrain, *out);
    return status;
}

static SiltStatus lay_rock(const SiltVoxelParams *p, SiltVolume *volume, uint64_t seed)
{
    static const int kinds[] = {
        [ROCK_UNIFORM] = SILT_ROCK_UNIFORM, [ROCK_NOISE] = SILT_ROCK_NOISE, [ROCK_STRATA] = SILT_ROCK_STRATA};
    if (p->rock == ROCK_OWN)
        return SILT_OK;
    SiltRock rock = {.kind = kinds[p->rock],
                     .low = p->rock_low,
                     .high = p->rock_high,
                     .size = p->rock_size,
                     .dip = {p->rock_dip[0], p->rock_dip[1]}};
    return silt_volume_lay_rock(volume, &rock, seed);
}

// The heights the maps and the rain know are those of the volume.
static void read_tops(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltHeightfield *field = &v->fluid.field;
    const SiltVolume *volume = v->ground.volume;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < field->width; i++) {
            double top = silt_volume_top(volume, i, field->height - 1 - j);
            field->ground[j * field->width + i] =
                (float)(volume->origin[2] + (isnan(top) ? 0.0 : top) - field->low);
        }
}

void silt_voxel_read_tops(SiltVoxel *v)
{
    silt_parallel(v->fluid.field.height, 8, read_tops, v);
}

static SiltStatus make_flags(SiltVoxel *v)
{
    size_t count = (size_t)v->fluid.sph->config.capacity;
    SiltStatus status = silt_alloc_for(owner, count, 1, (void **)&v->is_near);
    return status == SILT_OK ? silt_voxel_require_covers(v) : status;
}

// Water stands on the block's floor where there is no rock left.
static void set_floor(SiltVoxel *v)
{
    SiltSphConfig *c = &v->fluid.sph->config;
    c->low[2] = (double)-v->ground.frame.base * v->ground.volume->cell;
    c->face[2][0] = SILT_SPH_WALL;
}

static SiltStatus find_standing(SiltVoxel *v, SiltVolume *volume)
{
    SiltStatus status =
        v->params->falling == SILT_VOXEL_FALLING_OFF ? SILT_OK : silt_standing_find(volume, &v->standing);
    if (v->standing.count > 0)
        silt_warn(
            "%s: pieces that hang free of the grid's floor from the beginning: %zu with %g m3 of rock; they "
            "stay, and only what breaks off them falls",
            owner, v->standing.count, v->standing.rock);
    return status;
}

// Particles are told apart in float: a spacing far below the map's size would be lost in rounding.
static SiltStatus check_spacing(const SiltVoxelParams *p, const SiltTerrain *terrain)
{
    double side = fmax(terrain->width, terrain->height) * terrain->cell, least = 1e-4 * side;
    if (!(p->spacing > 0.0) || p->spacing >= least)
        return SILT_OK;
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: spacing = %g m is too small for a map of %g m; take %g m or more, or a smaller map",
                     owner, p->spacing, side, least);
}

SiltStatus silt_voxel_check_order(const SiltVoxelParams *p)
{
    if (p->flat[0] > p->flat[1])
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: flat = %g, %g: the first cosine, of the steeper ground, is the smaller one",
                         owner, p->flat[0], p->flat[1]);
    if (p->rock != ROCK_OWN && p->rock != ROCK_UNIFORM && p->rock_low > p->rock_high)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: rock_low = %g is the hardest rock and must not lie above rock_high = %g", owner,
                         p->rock_low, p->rock_high);
    return SILT_OK;
}

void silt_voxel_set_sinking(SiltVoxel *v)
{
    const SiltVoxelParams *p = v->params;
    double by_default = 5.0 / sqrt(v->fluid.field.terrain->cell);
    v->sink = (SiltVoxelSinking){.strength = (float)(isnan(p->sinking) ? by_default : p->sinking),
                                 .asymmetry = (float)p->asymmetry,
                                 .cone = (float)silt_cos(p->cone * (3.14159265358979323846 / 180.0)),
                                 .full = v->full};
}

static unsigned redistance_of(const SiltVoxelParams *p)
{
    return p->reinit == REINIT_SWEEPS ? SILT_REDISTANCE_SWEEP : SILT_REDISTANCE_HOLD;
}

// Between two parts that take long: whether to go on.
static SiltStatus still(SiltStatus status)
{
    return status == SILT_OK && silt_is_stopped() ? SILT_CANCELLED : status;
}

static SiltStatus voxel_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                              SiltLedger *ledger)
{
    SiltVoxel *v = state;
    const SiltVoxelParams *p = v->params = params;
    SiltVolume *volume;
    uint64_t seed = run ? run->seed : 0;
    SiltStatus status = silt_voxel_check_order(p);
    if (status == SILT_OK)
        status = check_spacing(p, terrain);
    if (p->masses == MASSES_OWN && (p->density_from != SILT_SPH_SUMMATION || p->pair != SILT_FLUID_MEAN))
        silt_warn(
            "%s: masses=own does nothing without density_from=sum and pair=mean (Weiss eq. 3.19 and 3.21)",
            owner);
    silt_voxel_fit(v, terrain);
    if (status == SILT_OK)
        status = find_volume(p, terrain, seed, &volume);
    if (status == SILT_OK)
        status = still(lay_rock(p, volume, seed));
    if (status == SILT_OK)
        status = still(silt_volume_redistance(volume, SILT_REDISTANCE_ALL | redistance_of(p)));
    if (status == SILT_OK && !volume->former)
        status = still(silt_volume_remember(volume, NULL));
    if (status == SILT_OK)
        status = still(find_standing(v, volume));
    if (status == SILT_OK)
        status = still(silt_fluid_begin(owner, &p->fluid, terrain, run, v->most, &v->before, &v->fluid));
    if (status == SILT_OK)
        status = still(silt_voxel_ground_begin(owner, volume, v->fluid.field.low, p->exchange, &v->ground));
    if (status == SILT_OK)
        status = still(make_flags(v));
    if (status != SILT_OK)
        return status;
    v->ground.redistance = redistance_of(p);
    v->full = 0x1p23f; // as silt_fluid_begin has it
    set_floor(v);
    if (!silt_parallel_heard(v->fluid.field.height, 8, read_tops, v))
        return SILT_CANCELLED;
    v->water = (SiltVoxelWater){
        .fluid = &v->fluid, .ground = &v->ground, .boxes = &p->boxes, .full = v->full, .most = v->most};
    silt_voxel_set_sinking(v);
    if (!silt_voxel_fit_stream(v, &v->fluid.field))
        return SILT_CANCELLED;
    silt_voxel_warn_jumps(&v->fluid.field);
    v->water.sources = silt_voxel_sources(v);
    v->fluid.drop_rate = v->fitted_rain = silt_voxel_fit_rain(v);
    const SiltField *map = p->erodibility[0] ? silt_terrain_layer(terrain, p->erodibility) : NULL;
    v->map_seen = map ? silt_field_hash(map) : 0;
    status = still(silt_voxel_water_begin(owner, &v->water, ledger));
    if (status != SILT_OK)
        return status;
    silt_fluid_warn_dry(owner, &v->fluid, v->water.sources->count);
    silt_fluid_open_books(&v->fluid, ledger);
    if (!silt_volume_rock_heard(volume, &v->start_rock))
        return SILT_CANCELLED;
    ledger->rock.initial = v->start_rock;
    silt_fluid_sort(&v->fluid, ledger);
    silt_fluid_show(&v->fluid);
    return still(silt_voxel_use_device(v, run && run->device_or_cpu));
}

static bool voxel_is_there(const void *state)
{
    return ((const SiltVoxel *)state)->ground.device;
}

static void voxel_end(void *state)
{
    SiltVoxel *v = state;
    silt_voxel_device_destroy(v->ground.device);
    silt_voxel_water_end(&v->water);
    silt_voxel_ground_end(&v->ground);
    silt_standing_free(&v->standing);
    silt_free(v->is_near);
    silt_free(v->is_covered);
    silt_fluid_end(&v->fluid);
}

// ---- a step ----

// A pair of particles passes on 1/512 of a load at once at the most (silt_load_part): with a spacing straight
// below, that is strength times 0.0375 s.
static bool is_sinking_due(const SiltVoxel *v)
{
    return v->fluid.sph->step_index % SINK_EVERY == 0 ||
           v->sink.strength * v->sink_time * 0.0375f > 1.0f / 512.0f;
}

static void step_here(SiltVoxel *v, double dt)
{
    SiltFluid *fluid = &v->fluid;
    SiltSph *sph = fluid->sph;
    if (v->looks)
        silt_voxel_sink(&v->sink, sph, v->sink_time,
                        v->params->life > 0.0 ? v->is_covered : NULL); // eq. 3.36
    silt_voxel_find_planes(v);
    silt_sph_forces(sph); // eq. 3.19 to 3.26
    silt_voxel_keep_places(v);
    silt_sph_move(sph, dt);        // eq. 3.27 to 3.30
    silt_voxel_touch_rock(v);      // algorithm 1, eq. 3.31 to 3.35, 3.40
    silt_voxel_settle(&v->ground); // algorithm 3
    silt_heightfield_settle(&fluid->field, fluid->volume, dt);
}

static double voxel_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    SiltVoxel *v = state;
    SiltFluid *fluid = &v->fluid;
    SiltSph *sph = fluid->sph;
    double dt = silt_fluid_time_step(fluid, time_left);
    v->dt = (float)dt;
    v->sink_time = v->looks ? v->dt : v->sink_time + v->dt;
    v->looks = is_sinking_due(v);
    silt_voxel_count_numbers(v);
    sph->weighs = v->params->masses == MASSES_OWN;
    sph->by_load = v->numbers.weight;
    if (v->ground.device)
        silt_voxel_device_step(v, dt);
    else
        step_here(v, dt);
    int old_count = sph->count;
    silt_voxel_pour(&v->water, v->time, dt, ledger);
    silt_fluid_rain(fluid, dt, ledger); // algorithm 2
    silt_voxel_clear_rock(v, old_count);
    silt_fluid_sort(fluid, ledger);
    silt_fluid_show(fluid);
    silt_voxel_counted(v);
    v->time += dt;
    counters->substeps++;
    silt_fluid_count(fluid, counters);
    counters->limited[SILT_FLUID_LIMITER_COUNT] = silt_voxel_total(&v->buried);
    counters->limited[SILT_FLUID_LIMITER_COUNT + 1] = silt_voxel_total(&v->ground.cut);
    return dt;
}

// ---- what comes out ----

static void mark_cell(SiltTerrain *terrain, int i, int j)
{
    terrain->nodata[(size_t)j * (size_t)terrain->width + (size_t)i] = 1;
    for (int k = 0; silt_shallow_layers[k]; k++) {
        SiltField *layer = silt_terrain_layer(terrain, silt_shallow_layers[k]);
        if (layer)
            silt_field_row(layer, j)[i] = 0.0f;
    }
}

// Columns without rock have no height, and no data.
static SiltStatus mark_empty(const SiltVoxel *v, SiltTerrain *terrain)
{
    SiltStatus status = SILT_OK;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width && status == SILT_OK; i++)
            if (isnan(silt_volume_top(v->ground.volume, i, terrain->height - 1 - j)) &&
                !silt_terrain_is_nodata(terrain, i, j)) {
                status = silt_terrain_require_nodata(terrain);
                if (status == SILT_OK)
                    mark_cell(terrain, i, j);
            }
    return status;
}

static SiltStatus voxel_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    SiltVoxel *v = state;
    SiltHeightfield *field = &v->fluid.field;
    silt_fluid_close_books(&v->fluid, ledger);
    // in the volume rock is what the surface encloses, and the ground is its top
    ledger->rock.stored += silt_volume_rock(v->ground.volume) - silt_heightfield_rock(field);
    ledger->rock.moved = (double)silt_voxel_total(&v->taken) * field->unit;
    ledger->rock.corrected = v->ground.corrected;
    return mark_empty(v, terrain);
}

static void voxel_particles(const void *state, SiltParticles *out)
{
    const SiltVoxel *v = state;
    silt_fluid_particles(&v->fluid, out);
}

const SiltModel silt_model_voxel = {
    .name = "voxel",
    .summary = "water made of particles carves caves, arches and overhangs into a volume of rock",
    .source = "Weiss 2016",
    .clock = "s",
    .reads = "",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(SiltVoxelParams, voxel_items),
    .state = voxel_state,
    .state_count = sizeof voxel_state / sizeof voxel_state[0],
    .state_size = sizeof(SiltVoxel),
    .limiters = voxel_limiters,
    .more_bytes = 100.0 + SILT_VOXEL_USUAL_BYTES,
    .default_steps = 4000,
    .begin = voxel_begin,
    .step = voxel_step,
    .tend = silt_voxel_tend,
    .finish = silt_voxel_finish,
    .store = voxel_store,
    .layers = silt_shallow_layers,
    .show = silt_voxel_show,
    .fetch = silt_voxel_bring,
    .push = silt_voxel_send,
    .is_there = voxel_is_there,
    .refresh = silt_voxel_refresh,
    .edit_rock = silt_voxel_edit_rock,
    .particles = voxel_particles,
    .pack = silt_voxel_pack,
    .resume = silt_voxel_resume,
    .param_bytes = silt_voxel_param_bytes,
    .land_bytes = silt_voxel_land_bytes,
    .usual_land_bytes = SILT_VOXEL_USUAL_BYTES,
    .end = voxel_end,
};
