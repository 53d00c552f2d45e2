// `sph`: water made of particles that runs over a heightfield, wears it by shear, carries the rock and lets
// it settle (Kataev 2022, after Kristof 2009). This file declares the model and runs its step; the water is
// in sph/, what happens at the ground in heightfield_boundary.c, what particles hand on in sediment.c.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/streams.h"
#include "couple/fluid.h"
#include "couple/heightfield_boundary.h"
#include "couple/sediment.h"
#include "erode/maps.h"
#include "physics/random.h"
#include "physics/sph_sediment.h"

typedef struct SphParams {
    SILT_FLUID_FIELDS
    SiltList boxes, sources;
    bool erosion;
    int bed;
    double roughness;
    double boundary_spacing, boundary_friction;
    double shear, critical, strength;
    double rock_density, grain, most, exponent, diffusion;
    int hindering;
    char erodibility[SILT_NAME_SIZE], water[SILT_NAME_SIZE], start[SILT_PATH_SIZE];
} SphParams;

typedef struct Sph {
    SiltField before;
    double time;
    const SphParams *params;
    SiltFluid fluid;
    SiltBoundary boundary;
    SiltSediment sediment;
    double *owed; // of each source, in particles
    SiltStateArray springs;
    int64_t poured;
    float dt;
} Sph;

static const SiltParam sph_items[] = {
    SILT_FLUID_ITEMS(SphParams, 0.0, "", 1.0, 0.0, 0.0, "stiff", 3.0, "rate"),
    SILT_LIST(
        SphParams, boxes, "x:m y:m z:m length:m width:m height:m", "",
        "water there is at the start: corner from the north-western one, bottom above the ground at its "
        "middle, and size"),
    SILT_LIST(SphParams, sources, "x:m y:m rate:m3/s radius:m height:m start:s stop:s", "",
              "springs: place, rate, radius, height above the ground, from when to when (stop 0: for ever)"),
    SILT_BOOL(SphParams, erosion, true, "whether water moves rock"),
    SILT_CHOICE(SphParams, bed, "paper wall", "paper",
                "stress of water on the ground: eq. 1.53 and 1.54, or the law of the wall, which depends "
                "little on the spacing"),
    SILT_REAL(SphParams, roughness, "m", 0.0, 0.0, 10.0,
              "Nikuradse's of the ground and of closed borders, for bed=wall; 0: smooth"),
    SILT_REAL(
        SphParams, boundary_spacing, "m", 0.0, 0.0, 1000.0,
        "distance of the boundary particles on the ground, a fifth of the support at least; 0: half of it"),
    SILT_REAL(SphParams, boundary_friction, "kg/s", 0.11, 0.0, 1e6, "how the ground brakes water (eq. 1.53)"),
    SILT_REAL(SphParams, shear, "Pa s^0.5", 1.0, 0.0, 1e6,
              "stress that a unit of shear rate makes (eq. 1.54)"),
    SILT_REAL(SphParams, critical, "Pa", 3.0, 0.0, 1e6, "stress below which the ground holds (eq. 1.56)",
              .flags = SILT_LIVE),
    SILT_REAL(SphParams, strength, "kg/m2/s/Pa", 0.1, 0.0, 1e6, "rock worn by stress above that (eq. 1.56)",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(SphParams, rock_density, "kg/m3", 2650.0, 1000.0, 10000.0, "of the grains; quartz has 2650"),
    SILT_REAL(SphParams, grain, "m", 1e-4, 1e-7, 0.1, "radius of the grains", .flags = SILT_LOG),
    SILT_REAL(SphParams, most, "1", 0.7, 0.01, 0.95, "rock that water can hold, as a share of its volume"),
    SILT_REAL(SphParams, exponent, "1", 4.65, 1.0, 10.0, "how strongly grains hinder each other"),
    SILT_REAL(SphParams, diffusion, "m2/s", 1e-4, 0.0, 100.0, "of rock in the water"),
    SILT_CHOICE(SphParams, hindering, "richardson-zaki paper", "richardson-zaki",
                "settling among other grains: (1 - C)^e, or 1 - (C / most)^e (eq. 1.66)"),
    SILT_LAYER(SphParams, erodibility, "erodibility", "layer that multiplies how much rock shear wears"),
    SILT_LAYER(SphParams, water, "water", "layer with water there is at the start, in m; empty: none"),
    SILT_PATH(SphParams, start, "",
              "file of particles there are at the start: .ply or .vtp, as --frames writes them; empty: none"),
};

static const SiltStateItem sph_state[] = {
    SILT_STATE(Sph, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Sph, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(Sph, poured, SILT_STATE_INT64, "", "particles drawn for springs"),
    SILT_STATE(Sph, springs, SILT_STATE_ARRAY, "", "water that springs owe, in particles"),
    SILT_FLUID_STATE(Sph),
};

static const char *const sph_limiters[] = {SILT_FLUID_LIMITERS, NULL};

enum { GRAIN = 512, TRIES = 16, WAITING = 100 };
enum { BED_PAPER, BED_WALL };

// ---- water at the start, and springs ----

static SiltStatus check_box(const double *box, int index)
{
    bool has_size = box[3] > 0.0 && box[4] > 0.0 && box[5] > 0.0;
    return has_size ? SILT_OK
                    : silt_fail(SILT_BAD_ARGUMENT,
                                "erode sph: box %d measures %g x %g x %g m; each side must lie above zero",
                                index + 1, box[3], box[4], box[5]);
}

// A box with no particle is a mistake; one with much less than it measures is worth a word.
static SiltStatus check_filled(const Sph *s, const double *box, int index, int placed, int shared)
{
    double asked = box[3] * box[4] * box[5], filled = (placed + shared) * s->fluid.volume;
    silt_fluid_warn_shared("erode sph", &s->fluid, index, shared);
    if (placed + shared == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode sph: box %d holds no particle: it lies inside the ground, off the map, or is "
                         "smaller than the spacing of %g m",
                         index + 1, s->fluid.sph->config.spacing);
    if (filled < 0.95 * asked && !(s->params->mass > 0.0))
        silt_warn("erode sph: box %d holds %.3g of its %.3g m3 of water: the rest lies in the ground, in the "
                  "outer half cell or off the map, or fills no whole spacing of %g m",
                  index + 1, filled, asked, s->fluid.sph->config.spacing);
    return SILT_OK;
}

static float middle_of(const Sph *s, const double *box)
{
    return silt_heightfield_at(&s->fluid.field, (float)(box[0] + 0.5 * box[3]),
                               (float)(box[1] + 0.5 * box[4]))
        .z;
}

// Whether a place lies in a box before this one.
static bool is_filled(const Sph *s, int index, const float at[3])
{
    const SiltList *boxes = &s->params->boxes;
    for (int k = 0; k < index; k++) {
        const double *box = boxes->values + (size_t)k * (size_t)boxes->columns;
        if (silt_box_holds(box, (double)middle_of(s, box) + box[2], at))
            return true;
    }
    return false;
}

// Particles of a box that lie above the ground.
static SiltStatus fill_box(Sph *s, const double *box, int index)
{
    SiltFluid *fluid = &s->fluid;
    const SiltSphConfig *c = &fluid->sph->config;
    SiltStatus status = check_box(box, index);
    if (status != SILT_OK)
        return status;
    const float still[3] = {0.0f, 0.0f, 0.0f}, middle = middle_of(s, box);
    int size[3], placed = 0, shared = 0;
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (int)fmin(fmax(floor(box[3 + axis] / c->spacing + 0.001), 0.0), 1e6);
    if ((double)size[0] * size[1] * size[2] > 1e3 * c->capacity + 1e8) // so many that looking takes hours
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "erode sph: box %d measures more spacings of %g m than the %d particles there may be "
            "could fill; raise spacing",
            index + 1, c->spacing, c->capacity);
    for (int k = 0; k < size[2]; k++)
        for (int j = 0; j < size[1]; j++)
            for (int i = 0; i < size[0]; i++) {
                float at[3] = {(float)(box[0] + (i + 0.5) * c->spacing),
                               (float)(box[1] + (j + 0.5) * c->spacing),
                               middle + (float)(box[2] + (k + 0.5) * c->spacing)};
                bool inside = (double)at[0] >= c->low[0] && (double)at[0] <= c->high[0] &&
                              (double)at[1] >= c->low[1] && (double)at[1] <= c->high[1];
                SiltSurface below = silt_heightfield_at(&fluid->field, at[0], at[1]);
                if (!inside || !below.is_there || at[2] - below.z < 0.25f * (float)c->spacing)
                    continue;
                if (is_filled(s, index, at)) {
                    shared++;
                    continue;
                }
                if (fluid->sph->count >= c->capacity)
                    return silt_fail(SILT_BAD_ARGUMENT,
                                     "erode sph: box %d needs more than the %d particles there may be; raise "
                                     "particles or spacing",
                                     index + 1, c->capacity);
                placed += silt_sph_add(fluid->sph, at, still);
            }
    return check_filled(s, box, index, placed, shared);
}

static SiltStatus check_sources(const Sph *s, const SiltTerrain *terrain)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        double x = source[0], y = source[1];
        bool is_on = x >= 0.0 && x <= terrain->width * terrain->cell && y >= 0.0 &&
                     y <= terrain->height * terrain->cell;
        if (!is_on)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d at %g, %g lies off the map", k + 1, x,
                             y);
        if (source[2] < 0.0 || source[3] < 0.0)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d has a %s below zero, %g", k + 1,
                             source[2] < 0.0 ? "rate" : "radius", source[2] < 0.0 ? source[2] : source[3]);
        if (source[6] != 0.0 && source[6] <= source[5])
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode sph: source %d stops at %g s, before it starts at %g s (stop 0: for "
                             "ever)",
                             k + 1, source[6], source[5]);
        if (source[4] < 0.0)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d lies %g m inside the ground", k + 1,
                             -source[4]);
        silt_fluid_warn_idle("erode sph", k, source[2]);
    }
    return SILT_OK;
}

// Water would find no ground below the middle of a spring: not a place for one.
static SiltStatus check_ground(const Sph *s)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        if (!silt_heightfield_at(&s->fluid.field, (float)source[0], (float)source[1]).is_there)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode sph: source %d at %g, %g lies where the terrain has no data", k + 1,
                             source[0], source[1]);
    }
    return SILT_OK;
}

// A free place within the source's radius, for particle number n.
static bool find_place(const Sph *s, const double *source, int64_t n, float place[3])
{
    const SiltFluid *fluid = &s->fluid;
    const SiltSphConfig *c = &fluid->sph->config;
    for (uint32_t k = 0; k < TRIES; k++) {
        SiltRandom random = silt_random(fluid->seed, SILT_STREAM_SPRINGS, (uint64_t)n, k);
        float dx = silt_symmetric(random.word[0]), dy = silt_symmetric(random.word[1]);
        if (dx * dx + dy * dy > 1.0f)
            continue;
        place[0] =
            silt_clampf((float)(source[0] + source[3] * (double)dx), (float)c->low[0], (float)c->high[0]);
        place[1] =
            silt_clampf((float)(source[1] + source[3] * (double)dy), (float)c->low[1], (float)c->high[1]);
        SiltSurface below = silt_heightfield_at(&fluid->field, place[0], place[1]);
        place[2] = below.z + (float)(source[4] + c->spacing * (0.5 + (double)silt_uniform(random.word[2])));
        if (below.is_there && !silt_sph_is_taken(fluid->sph, place, 0.8 * c->spacing))
            return true;
    }
    return false;
}

// Water that finds no free place waits, but not for ever: a spring under water does not burst later.
static void pour(Sph *s, double dt, SiltLedger *ledger)
{
    const SiltList *list = &s->params->sources;
    SiltSph *sph = s->fluid.sph;
    const float still[3] = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        s->owed[k] += source[2] * silt_time_within(s->time, dt, source[5], source[6]) / s->fluid.volume;
        while (s->owed[k] >= 1.0) {
            float place[3];
            bool found = sph->count < sph->config.capacity && find_place(s, source, s->poured++, place);
            if (!found || !silt_sph_add_drop(sph, place, still)) {
                double lost = floor(fmax(s->owed[k] - WAITING, 0.0));
                s->owed[k] -= lost;
                silt_fluid_lose(&s->fluid, (int64_t)lost, "raise the spring's radius or height");
                break;
            }
            s->owed[k] -= 1.0;
            ledger->water.added += s->fluid.volume;
        }
    }
}

// ---- begin and end ----

// A spacing of seeds that a particle can look at.
static float seed_spacing(const Sph *s)
{
    double support = s->fluid.sph->config.support, asked = s->params->boundary_spacing;
    float least = silt_boundary_least_spacing(support);
    if (!(asked > 0.0))
        return (float)(0.5 * support);
    if ((float)asked < least)
        silt_warn("erode sph: boundary_spacing = %g m is below a fifth of the support; %g m is taken", asked,
                  (double)least);
    return (float)asked < least ? least : (float)asked;
}

static void set_physics(Sph *s)
{
    const SphParams *p = s->params;
    const SiltSphConfig *c = &s->fluid.sph->config;
    const float full = 0x1p23f; // units, as silt_fluid_begin has it
    if (p->bed == BED_WALL)
        silt_sph_set_walls(s->fluid.sph, SILT_SPH_WALL_LAW, p->roughness);
    double water = fmax(c->viscosity, 1e-3); // grains are smaller than what makes numbers viscous
    float factor = silt_sediment_factor(c->spacing, c->support);
    s->sediment = (SiltSediment){
        .stokes = silt_stokes_speed((float)p->grain, (float)p->rock_density, (float)c->density, (float)water,
                                    9.81f),
        .full = full,
        .most = (float)p->most,
        .exponent = (float)p->exponent,
        .hindering = p->hindering,
        .volume = (float)s->fluid.volume,
        .diffusion = (float)p->diffusion,
        .settle = factor,
    };
    s->boundary = (SiltBoundary){
        .spacing = seed_spacing(s),
        .friction = (float)p->boundary_friction,
        .shear = (float)p->shear,
        .critical = (float)p->critical,
        .strength = (float)p->strength,
        .rock = (float)p->rock_density,
        .most = full,
        .settle = silt_sediment_ground_factor(c->spacing, c->support),
        .exchanges = p->erosion,
        .by_wall_law = p->bed == BED_WALL,
        .erodibility = s->boundary.erodibility,
    };
}

// Above the lowest ground.
static double highest_spring(const Sph *s)
{
    const SiltList *list = &s->params->sources;
    double high = 0.0;
    for (int k = 0; k < list->count; k++)
        high = fmax(high, list->values[(size_t)k * (size_t)list->columns + 4]);
    return high + (double)silt_heightfield_top(&s->fluid.field);
}

static SiltStatus sph_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                            SiltLedger *ledger)
{
    Sph *s = state;
    s->params = params;
    SiltStatus status = check_sources(s, terrain);
    if (status == SILT_OK)
        status = silt_fluid_begin("erode sph", &s->params->fluid, terrain, run, s->params->most, &s->before,
                                  &s->fluid);
    if (status == SILT_OK)
        status = check_ground(s);
    if (status == SILT_OK)
        status = silt_fluid_layer("erode sph", terrain, "erodibility", s->params->erodibility,
                                  &s->boundary.erodibility);
    void *owed = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for("erode sph", (size_t)s->params->sources.count + 1, sizeof(double), &owed);
    s->owed = owed;
    s->springs = (SiltStateArray){owed, sizeof(double), s->params->sources.count, s->params->sources.count};
    if (status == SILT_OK)
        status = silt_fluid_start("erode sph", &s->fluid, s->params->start);
    const SiltField *water = NULL;
    if (status == SILT_OK)
        status = silt_fluid_layer("erode sph", terrain, "water", s->params->water, &water);
    if (status == SILT_OK)
        status = silt_fluid_fill("erode sph", &s->fluid, water, silt_terrain_layer(terrain, "sediment"));
    const SiltList *boxes = &s->params->boxes;
    for (int k = 0; k < boxes->count && status == SILT_OK; k++)
        status = fill_box(s, boxes->values + (size_t)k * (size_t)boxes->columns, k);
    if (status != SILT_OK)
        return status;
    silt_fluid_warn_dry("erode sph", &s->fluid, s->params->sources.count);
    set_physics(s);
    silt_fluid_bound(&s->fluid, highest_spring(s), 0.0);
    silt_fluid_open_books(&s->fluid, ledger);
    silt_fluid_sort(&s->fluid, ledger);
    silt_fluid_show(&s->fluid);
    return SILT_OK;
}

static void sph_end(void *state)
{
    Sph *s = state;
    silt_free(s->owed);
    silt_fluid_end(&s->fluid);
}

// ---- a step ----

// Collision, friction and exchange of rock.
static void touch_ground(Sph *s, int i)
{
    SiltSph *sph = s->fluid.sph;
    SiltHeightfield *field = &s->fluid.field;
    const SiltSphArrays *a = &sph->now;
    bool touched = silt_heightfield_collide(field, sph, i, s->dt, (float)sph->config.restitution);
    if (sph->fate[i] == SILT_SPH_LEFT)
        return;
    SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
    if (touched || a->z[i] - below.z < 0.5f * (float)sph->config.spacing) {
        float by = 1.0f / (1.0f + (float)s->params->friction * s->dt);
        a->u[i] *= by, a->v[i] *= by, a->w[i] *= by;
    }
    if ((a->z[i] - below.z) * below.nz < sph->law.h) {
        float speed = silt_sediment_speed(&s->sediment, a->sediment[i]);
        silt_boundary_exchange(&s->boundary, field, sph, i, s->dt, speed);
    }
}

static void meet_ground(void *context, int begin, int end)
{
    Sph *s = context;
    SiltSph *sph = s->fluid.sph;
    SiltHeightfield *field = &s->fluid.field;
    const SiltSphArrays *a = &sph->now;
    for (int i = begin; i < end; i++) {
        if (silt_sph_is_out(sph->fate[i]))
            continue;
        if (!silt_heightfield_is_far(field, sph, i, s->dt))
            touch_ground(s, i);
        if (sph->fate[i] == SILT_SPH_LEFT)
            continue;
        silt_heightfield_note(field, a->x[i], a->y[i], s->dt * sqrtf(a->u[i] * a->u[i] + a->v[i] * a->v[i]));
        if (sph->fate[i] == SILT_SPH_EXPIRED) {
            SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
            silt_boundary_shape(field, below.sample, (int64_t)a->sediment[i]);
            a->sediment[i] = 0.0f;
        }
    }
}

static double sph_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Sph *s = state;
    SiltFluid *fluid = &s->fluid;
    SiltSph *sph = fluid->sph;
    double dt = silt_fluid_time_step(fluid, time_left);
    s->dt = (float)dt;
    if (s->params->erosion)
        silt_sediment_step(&s->sediment, sph, s->dt, sph->step_index); // eq. 1.64 to 1.68
    silt_heightfield_planes(&fluid->field, sph);
    silt_sph_forces(sph);                                      // eq. 1.25 to 1.41
    silt_sph_move(sph, dt);                                    // eq. 1.45, 1.46
    silt_parallel(sph->count, GRAIN, meet_ground, s);          // eq. 1.44, 1.52 to 1.57, 1.69
    silt_heightfield_settle(&fluid->field, fluid->volume, dt); // eq. 1.70, 1.71
    silt_heightfield_lift(&fluid->field, sph, s->dt);
    s->time += dt;
    pour(s, dt, ledger);
    silt_fluid_rain(fluid, dt, ledger);
    silt_fluid_sort(fluid, ledger);
    silt_fluid_show(fluid);
    counters->substeps++;
    silt_fluid_count(fluid, counters);
    return dt;
}

static SiltStatus sph_resume(void *state)
{
    Sph *s = state;
    silt_fluid_resume(&s->fluid);
    return SILT_OK;
}

static double sph_bytes(const void *params)
{
    const SphParams *p = params;
    return silt_fluid_bytes(&p->fluid);
}

static SiltStatus sph_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Sph *s = state;
    return silt_fluid_store(&s->fluid, terrain, ledger);
}

static void sph_particles(const void *state, SiltParticles *out)
{
    const Sph *water = state;
    silt_fluid_particles(&water->fluid, out);
}

const SiltModel silt_model_sph = {
    .name = "sph",
    .summary = "water made of particles wears the ground, carries the rock and lets it settle",
    .source = "Kataev 2022, after Kristof et al. 2009",
    .clock = "s",
    .reads = "sediment deposit",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(SphParams, sph_items),
    .state = sph_state,
    .state_count = sizeof sph_state / sizeof sph_state[0],
    .state_size = sizeof(Sph),
    .limiters = sph_limiters,
    .more_bytes = 100.0,
    .default_steps = 2000,
    .begin = sph_begin,
    .step = sph_step,
    .store = sph_store,
    .particles = sph_particles,
    .resume = sph_resume,
    .param_bytes = sph_bytes,
    .end = sph_end,
};
