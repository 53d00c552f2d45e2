// `voxel`: water made of particles on a sparse level set, which dissolves rock, carries it and lays it down:
// caves, overhangs and arches (Weiss 2016). This file declares the model and runs its step; the water is in
// sph/ and voxel_water.c, the rock in volume/ and voxel_ground.c, what passes between them in
// physics/voxel_exchange.h.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "couple/voxel_water.h"
#include "physics/voxel_exchange.h"
#include "volume/loose.h"

enum { ROCK_OWN, ROCK_UNIFORM, ROCK_NOISE, ROCK_STRATA };
enum { FALLING_OFF, FALLING_REPORT, FALLING_REMOVE, FALLING_DROP };
enum { GRAIN = 512 };
enum { LOOK_EVERY = 8 }; // re-initialisations from which the rain learns of the ground once
enum { SINK_EVERY = 4 }; // steps between two exchanges of sediment, where it is slower than the water

typedef struct VoxelParams {
    SILT_FLUID_FIELDS
    SiltList boxes, sources;
    double capacity, most;
    double dissolve_normal, dissolve_tangent;
    double deposit, least, flat[2];
    double sinking, asymmetry, cone, weight;
    int exchange, collision;
    int redistance;
    double smoothing;
    int falling, falling_every;
    int rock;
    double rock_low, rock_high, rock_size, rock_dip[2];
    int layers, brick;
    double floor, headroom;
    char erodibility[SILT_NAME_SIZE];
} VoxelParams;

typedef struct Voxel {
    SiltField before;
    double time;
    const VoxelParams *params;
    SiltFluid fluid;
    SiltVoxelGround ground;
    SiltVoxelWater water;
    SiltVoxelSinking sink;
    SiltStanding standing;       // pieces that hung free at the beginning
    uint8_t *is_covered;         // of each particle: another lies above it; NULL when nothing evaporates
    uint8_t *is_near;            // of each particle: within a voxel of the rock
    _Atomic int64_t taken, laid; // units since the beginning
    _Atomic int64_t buried;
    double start_rock;    // m3 at the beginning, less what fell
    int64_t levelled;     // units moved when the volume was last made what it should be
    int64_t tended, next; // re-initialisations, and the step of the next
    int64_t next_fall;
    float full, dt;
    float sink_time; // s since sediment last sank and the surface was last looked for
    bool looks;      // whether that is in this step
} Voxel;

static const SiltParam voxel_items[] = {
    SILT_FLUID_ITEMS(VoxelParams, 0.0, 2.0, 0.0, 0.0, "stiff", 3.0, "sum"),
    SILT_LIST(
        VoxelParams, boxes, SILT_VOXEL_BOX_COLUMNS, "",
        "water there is at the start: corner from the north-western one, height of its bottom, size, and "
        "sediment in it"),
    SILT_LIST(VoxelParams, sources, SILT_VOXEL_SOURCE_COLUMNS, "",
              "boxes that water comes from: place and size as above, rate, velocity east, south and up, "
              "sediment, from when to when (stop 0: for ever)"),
    SILT_REAL(VoxelParams, capacity, "s/m", 0.05, 0.0, 10.0,
              "rock that water can carry for each m/s of its speed, as a share of its volume (eq. 3.31)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(VoxelParams, most, "1", 0.5, 1e-6, 1000.0,
              "rock that water can hold, as a share of its volume; above 1 a particle stands for more water "
              "than there is, and rock goes as in time lapse"),
    SILT_REAL(VoxelParams, dissolve_normal, "1/m", 0.1, 0.0, 1000.0,
              "how water that runs against the rock dissolves it (eq. 3.32); exchange=paper: per step, s/m",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(VoxelParams, dissolve_tangent, "1/m", 0.1, 0.0, 1000.0,
              "how water that runs along the rock dissolves it (eq. 3.32)", .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(VoxelParams, deposit, "1/s", 2.0, 0.0, 1000.0,
              "share of what water has too much that it lays down (eq. 3.33); exchange=paper: per step",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(VoxelParams, least, "1", 0.001, 0.0, 1.0,
              "what water that lays down has too much at the least, as a share of its volume"),
    SILT_VECTOR2(VoxelParams, flat, "1", 0.6, 0.8, -1.0, 1.0,
                 "cosines of the steepest ground on which anything, and on which all of it, stays"),
    SILT_REAL(VoxelParams, sinking, "1/s", 5.0, 0.0, 1e6,
              "how fast sediment sinks from particle to particle (beta of eq. 3.37)"),
    SILT_REAL(VoxelParams, asymmetry, "1", 0.7, -0.99, 0.99,
              "how much more of it goes down than aside (k of eq. 3.36)"),
    SILT_REAL(
        VoxelParams, cone, "degrees", 35.0, 0.0, 89.0,
        "half the opening of the cone above a particle that must be empty for it to evaporate (eq. 3.39)"),
    SILT_REAL(VoxelParams, weight, "1", 0.0, 0.0, 100.0,
              "how much slower water full of sediment follows the forces (sigma of eq. 3.28)"),
    SILT_CHOICE(VoxelParams, exchange, "conserving paper", "conserving",
                "rock moves by its volume, or by the same amount of phi in all eight voxels (algorithm 3)"),
    SILT_CHOICE(VoxelParams, collision, "tracing paper", "tracing",
                "steps as long as the distance allows, or fixed small ones (algorithm 1)"),
    SILT_INT(VoxelParams, redistance, "steps", 10, 1, 10000, "from one re-initialisation to the next"),
    SILT_REAL(VoxelParams, smoothing, "1", 0.3, 0.0, 0.5,
              "how far, each time, what water has made rough wears off"),
    SILT_CHOICE(VoxelParams, falling, "off report remove drop", "remove",
                "what becomes of rock that hangs on nothing"),
    SILT_INT(VoxelParams, falling_every, "steps", 200, 1, 1000000, "from one look for such rock to the next"),
    SILT_CHOICE(VoxelParams, rock, "own uniform noise strata", "own",
                "how erodible the rock is where: as the volume has it, or one of these"),
    SILT_REAL(VoxelParams, rock_low, "1", 0.01, 0.0, 1000.0, "erodibility of the hardest rock"),
    SILT_REAL(VoxelParams, rock_high, "1", 1.0, 0.0, 1000.0, "erodibility of the softest rock"),
    SILT_REAL(VoxelParams, rock_size, "m", 80.0, 1e-3, 1e6,
              "size of patches of noise, or of a hard and a soft bed together"),
    SILT_VECTOR2(VoxelParams, rock_dip, "", 0.0, 0.0, -10.0, 10.0,
                 "fall of the beds per metre east and north"),
    SILT_INT(VoxelParams, layers, "voxels", 0, 0, SILT_MAX_VOXELS,
             "layers of a grid made from heights; 0: as many as they need"),
    SILT_CHOICE(VoxelParams, brick, "8 16", "8", "voxels along a side of a brick"),
    SILT_REAL(VoxelParams, floor, "m", NAN, 0.0, 1e6, "rock below the lowest height; none: 8 voxels"),
    SILT_REAL(VoxelParams, headroom, "m", NAN, 0.0, 1e6, "air above the highest; none: 8 voxels"),
    SILT_LAYER(VoxelParams, erodibility, "", "layer whose values multiply the rock's erodibility"),
};

static const SiltStateItem voxel_state[] = {
    SILT_STATE(Voxel, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Voxel, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
};

static const char *const voxel_limiters[] = {"no room", "no number", "crowded", "buried", "cut", NULL};
static const char owner[] = "erode voxel";
static const float near_rock = 0.75f; // voxels: more than phi may change in one step

// ---- begin and end ----

static SiltStatus find_volume(const VoxelParams *p, SiltTerrain *terrain, uint64_t seed, SiltVolume **out)
{
    *out = silt_terrain_volume(terrain);
    if (*out && (p->layers > 0 || p->erodibility[0] || !isnan(p->floor) || !isnan(p->headroom)))
        silt_warn("%s: the rock is a volume already: layers, floor, headroom and erodibility are for heights",
                  owner);
    if (*out)
        return SILT_OK;
    if (terrain->volume)
        silt_warn("%s: the heights have changed since they were those of a volume: its caves are lost",
                  owner);
    SiltVolumeOptions options;
    SiltStatus status = silt_params_init(&silt_volume_params, &options);
    if (status != SILT_OK)
        return status;
    options.layers = p->layers;
    options.brick = p->brick;
    options.floor = p->floor;
    options.headroom = p->headroom;
    memcpy(options.erodibility, p->erodibility, sizeof options.erodibility);
    status = silt_volume_from_terrain(terrain, &options, NULL, seed, out);
    if (status == SILT_OK)
        silt_terrain_give_volume(terrain, *out);
    return status;
}

static SiltStatus lay_rock(const VoxelParams *p, SiltVolume *volume, uint64_t seed)
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
    Voxel *v = context;
    SiltHeightfield *field = &v->fluid.field;
    const SiltVolume *volume = v->ground.volume;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < field->width; i++) {
            double top = silt_volume_top(volume, i, field->height - 1 - j);
            field->ground[j * field->width + i] =
                (float)(volume->origin[2] + (isnan(top) ? 0.0 : top) - field->low);
        }
}

static SiltStatus make_flags(Voxel *v)
{
    size_t count = (size_t)v->fluid.sph->config.capacity;
    SiltStatus status = silt_alloc_for(owner, count, 1, (void **)&v->is_near);
    if (status == SILT_OK && v->params->life > 0.0)
        status = silt_alloc_for(owner, count, 1, (void **)&v->is_covered);
    return status;
}

// Water stands on the block's floor where there is no rock left.
static void set_floor(Voxel *v)
{
    SiltSphConfig *c = &v->fluid.sph->config;
    c->low[2] = (double)-v->ground.base * v->ground.volume->cell;
    c->face[2][0] = SILT_SPH_WALL;
}

static SiltStatus find_standing(Voxel *v, SiltVolume *volume)
{
    SiltStatus status =
        v->params->falling == FALLING_OFF ? SILT_OK : silt_standing_find(volume, &v->standing);
    if (v->standing.count > 0)
        silt_warn("%s: %zu pieces with %g m3 of rock hang free of the grid's floor from the beginning; they "
                  "stay, and only what breaks off them falls",
                  owner, v->standing.count, v->standing.rock);
    return status;
}

// Particles are told apart in float: a spacing far below the map's size would be lost in rounding.
static SiltStatus check_spacing(const VoxelParams *p, const SiltTerrain *terrain)
{
    double side = fmax(terrain->width, terrain->height) * terrain->cell, least = 1e-4 * side;
    if (!(p->spacing > 0.0) || p->spacing >= least)
        return SILT_OK;
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: spacing = %g m is too small for a map of %g m; take %g m or more, or a smaller map",
                     owner, p->spacing, side, least);
}

static SiltStatus check_order(const VoxelParams *p)
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

static SiltStatus voxel_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                              SiltLedger *ledger)
{
    Voxel *v = state;
    const VoxelParams *p = v->params = params;
    SiltVolume *volume;
    uint64_t seed = run ? run->seed : 0;
    SiltStatus status = check_order(p);
    if (status == SILT_OK)
        status = check_spacing(p, terrain);
    if (status == SILT_OK)
        status = find_volume(p, terrain, seed, &volume);
    if (status == SILT_OK)
        status = lay_rock(p, volume, seed);
    if (status == SILT_OK)
        status = silt_volume_redistance(volume, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD);
    if (status == SILT_OK)
        status = find_standing(v, volume);
    if (status == SILT_OK)
        status = silt_fluid_begin(owner, &p->fluid, terrain, run, p->most, &v->before, &v->fluid);
    if (status == SILT_OK)
        status = silt_voxel_ground_begin(owner, volume, v->fluid.field.low, p->exchange, &v->ground);
    if (status == SILT_OK)
        status = make_flags(v);
    if (status != SILT_OK)
        return status;
    v->full = 0x1p23f; // as silt_fluid_begin has it
    set_floor(v);
    silt_parallel(terrain->height, 8, read_tops, v);
    v->water = (SiltVoxelWater){.fluid = &v->fluid,
                                .ground = &v->ground,
                                .boxes = &p->boxes,
                                .sources = &p->sources,
                                .full = v->full,
                                .most = p->most};
    v->sink = (SiltVoxelSinking){.strength = (float)p->sinking,
                                 .asymmetry = (float)p->asymmetry,
                                 .cone = (float)cos(p->cone * (3.14159265358979323846 / 180.0)),
                                 .full = v->full};
    status = silt_voxel_water_begin(owner, &v->water, ledger);
    if (status != SILT_OK)
        return status;
    silt_fluid_warn_dry(owner, &v->fluid, p->sources.count);
    silt_fluid_open_books(&v->fluid, ledger);
    ledger->rock.initial = v->start_rock = silt_volume_rock(volume);
    silt_fluid_sort(&v->fluid, ledger);
    return SILT_OK;
}

static void voxel_end(void *state)
{
    Voxel *v = state;
    silt_voxel_water_end(&v->water);
    silt_voxel_ground_end(&v->ground);
    silt_standing_free(&v->standing);
    silt_free(v->is_near);
    silt_free(v->is_covered);
    silt_fluid_end(&v->fluid);
}

// ---- between steps: the level set is made a distance again ----

static int64_t total_of(_Atomic int64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

// m3 of rock there should be.
static double rock_due(Voxel *v)
{
    return v->start_rock + (double)(total_of(&v->laid) - total_of(&v->taken)) * v->fluid.field.unit;
}

static SiltStatus let_fall(Voxel *v, SiltLedger *ledger)
{
    static const int actions[] = {[FALLING_REPORT] = SILT_LOOSE_REPORT,
                                  [FALLING_REMOVE] = SILT_LOOSE_REMOVE,
                                  [FALLING_DROP] = SILT_LOOSE_DROP};
    SiltLoose loose;
    SiltVolume *volume = v->ground.volume;
    int action = actions[v->params->falling];
    SiltStatus status = silt_volume_loose_from(volume, &v->standing, SILT_LOOSE_REPORT, &loose);
    if (status != SILT_OK || loose.piece_count == 0)
        return status;
    if (action == SILT_LOOSE_REPORT) {
        silt_warn("%s: after %g s %zu pieces with %g m3 of rock hang on nothing", owner, v->time,
                  loose.piece_count, loose.rock);
        return SILT_OK;
    }
    double before = silt_volume_rock(volume);
    status = silt_volume_loose_from(volume, &v->standing, action, &loose);
    double lost = before - silt_volume_rock(volume);
    v->start_rock -= lost;
    ledger->rock.removed += lost;
    return status;
}

// What water has made rough is smoothed, and the volume made what it should be.
static SiltStatus make_even(Voxel *v)
{
    int64_t moved = total_of(&v->taken) + total_of(&v->laid);
    if (moved == v->levelled)
        return SILT_OK;
    v->levelled = moved;
    SiltStatus status = silt_voxel_smooth(&v->ground, v->params->smoothing);
    if (status == SILT_OK)
        silt_voxel_level(&v->ground, rock_due(v) - silt_volume_rock(v->ground.volume));
    return status;
}

static SiltStatus voxel_tend(void *state, SiltLedger *ledger)
{
    Voxel *v = state;
    const VoxelParams *p = v->params;
    int64_t step = v->fluid.sph->step_index;
    if (step < v->next)
        return SILT_OK;
    v->next = step + p->redistance;
    SiltStatus status = p->exchange == SILT_VOXEL_PAPER ? SILT_OK : make_even(v);
    if (status == SILT_OK)
        status = silt_volume_redistance(v->ground.volume, SILT_REDISTANCE_HOLD);
    if (status == SILT_OK && p->falling != FALLING_OFF && step >= v->next_fall) {
        v->next_fall = step + p->falling_every;
        status = let_fall(v, ledger);
    }
    if (status == SILT_OK)
        status = silt_voxel_ground_list(owner, &v->ground);
    if (status != SILT_OK)
        return status;
    if (v->tended++ % LOOK_EVERY == 0 && p->rain > 0.0)
        silt_parallel(v->fluid.field.height, 8, read_tops, v);
    return SILT_OK;
}

// ---- a step ----

// The plane of the rock below every particle, for the forces; positions before the move in px, py, pz.
static void find_planes(void *context, int begin, int end)
{
    Voxel *v = context;
    SiltSph *sph = v->fluid.sph;
    for (int i = begin; i < end; i++) {
        float place[3], normal[3], slope;
        silt_voxel_place(&v->ground, sph->now.x[i], sph->now.y[i], sph->now.z[i], place);
        float phi = silt_voxel_ground_at(&v->ground, place, normal, &slope);
        sph->plane_x[i] = normal[0];
        sph->plane_y[i] = -normal[1];
        sph->plane_z[i] = normal[2];
        sph->plane_gap[i] = -phi / slope * v->ground.cell;
    }
}

// After the forces: positions are kept in px, py, pz, and sediment makes particles heavy (eq. 3.28).
static void keep_places(void *context, int begin, int end)
{
    Voxel *v = context;
    SiltSph *sph = v->fluid.sph;
    float weight = (float)v->params->weight / v->full;
    for (int i = begin; i < end; i++) {
        sph->px[i] = sph->now.x[i], sph->py[i] = sph->now.y[i], sph->pz[i] = sph->now.z[i];
        float by = 1.0f / (1.0f + weight * sph->now.sediment[i]);
        sph->now.ax[i] *= by, sph->now.ay[i] *= by, sph->now.az[i] *= by;
    }
}

// Only the surface evaporates: `age` counts the time spent there (eq. 3.40).
static void evaporate(const Voxel *v, int i)
{
    SiltSph *sph = v->fluid.sph;
    if (!v->looks || !v->is_covered || !v->is_covered[i])
        return;
    sph->now.age[i] = silt_maxf(sph->now.age[i] - v->sink_time, 1e-6f); // zero would be its first step again
    if (sph->fate[i] == SILT_SPH_EXPIRED && (double)sph->now.age[i] < v->params->life)
        sph->fate[i] = SILT_SPH_STAYS;
}

static void put_place(const SiltVoxelGround *ground, SiltSph *sph, int i, const float place[3])
{
    sph->now.x[i] = (place[0] + 0.5f) * ground->cell;
    sph->now.y[i] = (ground->rows - place[1]) * ground->cell;
    sph->now.z[i] = (place[2] - ground->base) * ground->cell;
}

// How a particle meets the rock.
typedef struct Contact {
    float place[3], normal[3], slope; // in voxels' axes
    float into, along;                // m/s across and along it
    bool is_touching;
} Contact;

// Whether a particle is too far from the rock to come near it in this step.
static bool is_far(const Voxel *v, int i, const SiltVoxelPath *path)
{
    const float *w = path->velocity;
    float way = silt_sqrtf(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return v->params->collision != SILT_VOXEL_PAPER &&
           v->fluid.sph->plane_gap[i] > (way + near_rock + 0.5f) * v->ground.cell;
}

// Advection with collision (3.2.1.4) for particle i, and what its velocity was at the rock. False when it is
// buried.
static bool travel(Voxel *v, int i, Contact *contact)
{
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    const SiltVoxelGround *ground = &v->ground;
    SiltVoxelPath path = {.phi = -sph->plane_gap[i] / ground->cell};
    float to[3], per_step = ground->cell / v->dt;
    silt_voxel_place(ground, sph->px[i], sph->py[i], sph->pz[i], path.place);
    silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], to);
    for (int axis = 0; axis < 3; axis++)
        path.velocity[axis] = to[axis] - path.place[axis];
    contact->is_touching = false;
    if (is_far(v, i, &path))
        return true;
    const float before[3] = {a->u[i], -a->v[i], a->w[i]};
    silt_voxel_travel(ground, (float)v->params->restitution, v->params->collision == SILT_VOXEL_PAPER, &path);
    if (path.is_buried)
        return false;
    if (path.impact > 0.0f) {
        a->u[i] = path.velocity[0] * per_step;
        a->v[i] = -path.velocity[1] * per_step;
        a->w[i] = path.velocity[2] * per_step;
    }
    put_place(ground, sph, i, path.place);
    const float *n = path.normal;
    float out = before[0] * n[0] + before[1] * n[1] + before[2] * n[2], gap = -path.phi / path.slope;
    float square = before[0] * before[0] + before[1] * before[1] + before[2] * before[2];
    contact->into = silt_maxf(path.impact * per_step, silt_maxf(-out, 0.0f));
    contact->along = silt_sqrtf(silt_maxf(square - out * out, 0.0f));
    contact->is_touching = path.impact > 0.0f || gap * ground->cell < 0.6f * (float)sph->config.spacing;
    contact->slope = path.slope;
    for (int axis = 0; axis < 3; axis++) { // down to the surface
        contact->normal[axis] = n[axis];
        contact->place[axis] = path.place[axis] - n[axis] * gap;
    }
    v->is_near[i] = path.phi > -near_rock;
    return true;
}

static int cell_below(const SiltHeightfield *field, float x, float y)
{
    int i = (int)(x / field->cell), j = (int)(y / field->cell);
    i = i < 0 ? 0 : i >= field->width ? field->width - 1 : i;
    j = j < 0 ? 0 : j >= field->height ? field->height - 1 : j;
    return j * field->width + i;
}

// Moves whole units between particle i and the rock (eq. 3.35): above zero from the rock.
static void exchange_units(Voxel *v, int i, const Contact *contact, float units)
{
    SiltVoxelFoot foot;
    SiltHeightfield *field = &v->fluid.field;
    const SiltSphArrays *a = &v->fluid.sph->now;
    bool is_taking = units > 0.0f;
    if (!silt_voxel_foot(&v->ground, contact->place, contact->slope, is_taking, &foot))
        return;
    double voxel = v->ground.volume->cell * v->ground.volume->cell * v->ground.volume->cell;
    float per_unit = (float)(field->unit / voxel), most = floorf(silt_voxel_most(&foot) / per_unit);
    units = silt_clampf(units, -most, most);
    if (units == 0.0f)
        return;
    int64_t count = (int64_t)silt_absf(units);
    silt_voxel_move(&v->ground, &foot, -units * per_unit);
    a->sediment[i] += units;
    silt_heightfield_count(field, is_taking ? field->taken : field->laid, cell_below(field, a->x[i], a->y[i]),
                           count);
    atomic_fetch_add_explicit(is_taking ? &v->taken : &v->laid, count, memory_order_relaxed);
}

// Dissolving and deposition (3.2.2.1 to 3.2.2.3).
static void exchange(Voxel *v, int i, const Contact *contact)
{
    const VoxelParams *p = v->params;
    const SiltSph *sph = v->fluid.sph;
    float load = sph->now.sediment[i], time = p->exchange == SILT_VOXEL_PAPER ? 1.0f : v->dt;
    float water = p->life > 0.0 ? silt_clampf(1.0f - sph->now.age[i] / (float)p->life, 0.0f, 1.0f) : 1.0f;
    float speed = silt_sqrtf(contact->into * contact->into + contact->along * contact->along);
    float most = (float)p->most;
    float carried = silt_voxel_capacity((float)p->capacity / most * v->full, speed, water, v->full);
    float dither = silt_dither((uint64_t)sph->step_index, 0xA54FF53Bu);
    if (carried > load) {
        float softness = silt_volume_erodibility(v->ground.volume, contact->place);
        float units = silt_voxel_dissolved(time * (float)p->dissolve_normal * contact->into,
                                           time * (float)p->dissolve_tangent * contact->along, carried - load,
                                           softness);
        exchange_units(v, i, contact, floorf(silt_minf(units + dither, carried - load)));
    } else if (load > 0.0f) {
        float flat = silt_smoothstep((float)p->flat[0], (float)p->flat[1], contact->normal[2]);
        float units = silt_voxel_dropped(load, carried, (float)p->least / most * v->full,
                                         time * (float)p->deposit, flat);
        exchange_units(v, i, contact, -floorf(silt_minf(units + dither, load)));
    }
}

static void meet_rock(void *context, int begin, int end)
{
    Voxel *v = context;
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    float brake = 1.0f / (1.0f + (float)v->params->friction * v->dt);
    for (int i = begin; i < end; i++) {
        v->is_near[i] = 0;
        if (sph->fate[i] == SILT_SPH_BAD || sph->fate[i] == SILT_SPH_LEFT)
            continue;
        evaporate(v, i);
        Contact contact;
        if (!travel(v, i, &contact)) {
            atomic_fetch_add_explicit(&v->buried, 1, memory_order_relaxed);
            sph->fate[i] = SILT_SPH_EXPIRED;
            continue;
        }
        if (contact.is_touching) {
            exchange(v, i, &contact);
            a->u[i] *= brake, a->v[i] *= brake, a->w[i] *= brake;
        }
        silt_heightfield_note(&v->fluid.field, a->x[i], a->y[i],
                              v->dt * silt_sqrtf(a->u[i] * a->u[i] + a->v[i] * a->v[i]));
        if (sph->fate[i] == SILT_SPH_EXPIRED && a->sediment[i] > 0.0f)
            sph->fate[i] = SILT_SPH_STAYS; // it goes when it has laid down what it carries
    }
}

// Rock that was laid down may have grown over a particle.
static void leave_rock(void *context, int begin, int end)
{
    Voxel *v = context;
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    const SiltVoxelGround *ground = &v->ground;
    for (int i = begin; i < end; i++) {
        float place[3];
        if (sph->fate[i] != SILT_SPH_STAYS || !v->is_near[i])
            continue;
        silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], place);
        for (int k = 0; k < 4; k++) { // metres are rounded: look again at what they say
            if (silt_volume_sample(ground->volume, place, NULL) <= 0.0f)
                break;
            bool is_out = k < 3 && silt_voxel_push_out(ground, place);
            put_place(ground, sph, i, place);
            silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], place);
            if (!is_out) {
                atomic_fetch_add_explicit(&v->buried, 1, memory_order_relaxed);
                sph->fate[i] = SILT_SPH_EXPIRED;
                break;
            }
        }
    }
}

// A pair of particles passes on 1/512 of a load at once at the most (silt_load_part): with a spacing straight
// below, that is strength times 0.0375 s.
static bool is_sinking_due(const Voxel *v)
{
    return v->fluid.sph->step_index % SINK_EVERY == 0 ||
           v->sink.strength * v->sink_time * 0.0375f > 1.0f / 512.0f;
}

static double voxel_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Voxel *v = state;
    SiltFluid *fluid = &v->fluid;
    SiltSph *sph = fluid->sph;
    double dt = silt_fluid_time_step(fluid, time_left);
    v->dt = (float)dt;
    v->sink_time = v->looks ? v->dt : v->sink_time + v->dt;
    v->looks = is_sinking_due(v);
    if (v->looks)
        silt_voxel_sink(&v->sink, sph, v->sink_time, v->is_covered); // eq. 3.36 to 3.39
    silt_parallel(sph->count, GRAIN, find_planes, v);
    silt_sph_forces(sph); // eq. 3.19 to 3.26
    silt_parallel(sph->count, 4 * GRAIN, keep_places, v);
    silt_sph_move(sph, dt);                         // eq. 3.27 to 3.30
    silt_parallel(sph->count, GRAIN, meet_rock, v); // algorithm 1, eq. 3.31 to 3.35, 3.40
    silt_voxel_settle(&v->ground);                  // algorithm 3
    silt_heightfield_settle(&fluid->field, fluid->volume, dt);
    int old_count = sph->count;
    silt_voxel_pour(&v->water, v->time, dt, ledger);
    silt_fluid_rain(fluid, dt, ledger); // algorithm 2
    memset(v->is_near + old_count, 1, (size_t)(sph->count - old_count));
    silt_parallel(sph->count, GRAIN, leave_rock, v);
    silt_fluid_sort(fluid, ledger);
    v->time += dt;
    counters->substeps++;
    counters->limited[0] = fluid->drops[1];
    counters->limited[1] = sph->gone[SILT_SPH_BAD];
    counters->limited[2] = sph->gone[SILT_SPH_CROWDED];
    counters->limited[3] = total_of(&v->buried);
    counters->limited[4] = total_of(&v->ground.cut);
    return dt;
}

// ---- what comes out ----

// Columns without rock have no height.
static SiltStatus mark_empty(const Voxel *v, SiltTerrain *terrain)
{
    SiltStatus status = SILT_OK;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width && status == SILT_OK; i++)
            if (isnan(silt_volume_top(v->ground.volume, i, terrain->height - 1 - j)) &&
                !silt_terrain_is_nodata(terrain, i, j)) {
                status = silt_terrain_require_nodata(terrain);
                if (status == SILT_OK)
                    terrain->nodata[(size_t)j * (size_t)terrain->width + (size_t)i] = 1;
            }
    return status;
}

static SiltStatus voxel_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Voxel *v = state;
    SiltHeightfield *field = &v->fluid.field;
    SiltStatus status = silt_fluid_store(&v->fluid, terrain, ledger);
    if (status != SILT_OK)
        return status;
    // in the volume rock is what the surface encloses, and the ground is its top
    ledger->rock.stored += silt_volume_rock(v->ground.volume) - silt_heightfield_rock(field);
    ledger->rock.moved = (double)total_of(&v->taken) * field->unit;
    SiltField *change;
    status = silt_terrain_require(terrain, "change", &change);
    if (status == SILT_OK)
        status = mark_empty(v, terrain);
    if (status != SILT_OK)
        return status;
    silt_parallel(terrain->height, 8, read_tops, v);
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            double now = field->low + (double)field->ground[j * field->width + i];
            silt_field_row(change, j)[i] =
                silt_terrain_is_nodata(terrain, i, j)
                    ? 0.0f
                    : (float)(now - (double)silt_field_at(&terrain->layers[0]->field, i, j));
        }
    return SILT_OK;
}

static void voxel_particles(const void *state, SiltParticles *out)
{
    const Voxel *v = state;
    silt_fluid_particles(&v->fluid, out);
}

const SiltModel silt_model_voxel = {
    .name = "voxel",
    .summary = "water made of particles carves caves, arches and overhangs into a volume of rock",
    .source = "Weiss 2016",
    .clock = "s",
    .reads = "",
    .params = SILT_PARAM_TABLE(VoxelParams, voxel_items),
    .state = voxel_state,
    .state_count = sizeof voxel_state / sizeof voxel_state[0],
    .state_size = sizeof(Voxel),
    .limiters = voxel_limiters,
    .more_bytes = 600.0, // the maps' 100, and two and a half bricks for 64 columns
    .has_volume = true,
    .default_steps = 2000,
    .begin = voxel_begin,
    .step = voxel_step,
    .tend = voxel_tend,
    .store = voxel_store,
    .particles = voxel_particles,
    .end = voxel_end,
};
