// `sph`: water made of particles that runs over a heightfield, wears it by shear, carries the rock and lets
// it settle (Kataev 2022, after Kristof 2009). This file declares the model and runs its step; the water is
// in sph/, what happens at the ground in heightfield_boundary.c, what particles hand on in sediment.c.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "couple/device_fluid.h"
#include "couple/sph_model.h"
#include "erode/shallow.h"
#include "physics/sph_sediment.h"

static const SiltParam sph_items[] = {
    SILT_FLUID_ITEMS(SiltSphWaterParams, SILT_KATAEV_WATER, 0.0, "", 1.0, 0.0, 0.0, "stiff", 3.0, "rate"),
    SILT_LIST(
        SiltSphWaterParams, boxes, "x:m y:m z:m length:m width:m height:m", "",
        "water there is at the start: corner from the north-western one, bottom above the ground at its "
        "middle, and size"),
    SILT_LIST(SiltSphWaterParams, sources, "x:m y:m rate:m3/s radius:m height:m start:s stop:s", "",
              "springs: place, rate, radius, height above the ground, from when to when (stop 0: for ever)",
              .flags = SILT_LIVE),
    SILT_BOOL(SiltSphWaterParams, erosion, true, "whether water moves rock", .flags = SILT_LIVE),
    SILT_CHOICE(SiltSphWaterParams, bed, "wall paper", "wall",
                "stress of water on the ground: the law of the wall, which depends little on the spacing, or "
                "eq. 1.53 and 1.54",
                .flags = SILT_LIVE, .paper = "paper"),
    SILT_CHOICE(SiltSphWaterParams, speed, "along paper", "along",
                "speed that shears the ground, for bed=paper: that along it, or |v| - |v.n| (eq. 4.22)",
                .flags = SILT_LIVE, .paper = "paper"),
    SILT_REAL(SiltSphWaterParams, power, "1", 0.5, 0.1, 2.0,
              "exponent n by which stress grows with the shear rate (eq. 1.54)", .flags = SILT_LIVE),
    SILT_CHOICE(SiltSphWaterParams, transport, "exact paper", "exact",
                "settling and diffusion of rock: with factors that make both right on a lattice, or eq. "
                "1.64, 1.68 and 1.69 as they are printed",
                .flags = SILT_LIVE, .paper = "paper"),
    SILT_REAL(SiltSphWaterParams, roughness, "m", 0.0, 0.0, 10.0,
              "Nikuradse's of the ground and of closed borders, for bed=wall; 0: smooth", .flags = SILT_LIVE),
    SILT_REAL(
        SiltSphWaterParams, boundary_spacing, "m", 0.0, 0.0, 1000.0,
        "distance of the boundary particles on the ground, a fifth of the support at least; 0: half of it",
        .paper = "0.02285"),
    SILT_REAL(SiltSphWaterParams, boundary_friction, "kg/s", 0.11, 0.0, 1e6,
              "how the ground brakes water (eq. 1.53)", .flags = SILT_LIVE, .paper = "0.11"),
    SILT_REAL(SiltSphWaterParams, shear, "Pa s^0.5", 1.0, 0.0, 1e6,
              "stress that a unit of shear rate makes (eq. 1.54)", .flags = SILT_LIVE),
    SILT_REAL(SiltSphWaterParams, critical, "Pa", 3.0, 0.0, 1e6,
              "stress below which the ground holds (eq. 1.56)", .flags = SILT_LIVE, .paper = "3"),
    SILT_REAL(SiltSphWaterParams, strength, "kg/m2/s/Pa", 0.1, 0.0, 1e6,
              "rock worn by stress above that (eq. 1.56)", .flags = SILT_LIVE | SILT_LOG, .paper = "0.1"),
    SILT_REAL(SiltSphWaterParams, rock_density, "kg/m3", 2650.0, 1.0, 10000.0,
              "of the grains; quartz has 2650, and below 1000 they rise", .flags = SILT_LIVE, .paper = "3"),
    SILT_REAL(SiltSphWaterParams, grain, "m", 1e-4, 1e-7, 0.1, "radius of the grains",
              .flags = SILT_LIVE | SILT_LOG, .paper = "1e-5"),
    SILT_REAL(SiltSphWaterParams, most, "1", 0.7, 0.01, 0.95,
              "rock that water can hold, as a share of its volume", .paper = "0.7"),
    SILT_REAL(SiltSphWaterParams, exponent, "1", 4.65, 1.0, 10.0, "how strongly grains hinder each other",
              .flags = SILT_LIVE, .paper = "4.5"),
    SILT_REAL(SiltSphWaterParams, diffusion, "m2/s", 1e-4, 0.0, 100.0, "of rock in the water",
              .flags = SILT_LIVE, .paper = "0.1"),
    SILT_CHOICE(SiltSphWaterParams, hindering, "richardson-zaki paper", "richardson-zaki",
                "settling among other grains: (1 - C)^e, or 1 - (C / most)^e (eq. 1.66)", .flags = SILT_LIVE,
                .paper = "paper"),
    SILT_CHOICE(SiltSphWaterParams, settling, "ferguson-church stokes", "ferguson-church",
                "how fast a grain settles: by a law for all sizes, or by Stokes' (eq. 1.65), which holds for "
                "silt alone",
                .flags = SILT_LIVE, .paper = "stokes"),
    SILT_LAYER(SiltSphWaterParams, erodibility, "erodibility",
               "layer that multiplies how much rock shear wears"),
    SILT_LAYER(SiltSphWaterParams, water, "water",
               "layer with water there is at the start, in m; empty: none"),
    SILT_PATH(SiltSphWaterParams, start, "",
              "file of particles there are at the start: .ply or .vtp, as frames have them; empty: none"),
};

static const SiltStateItem sph_state[] = {
    SILT_STATE(SiltSphModel, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(SiltSphModel, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_STATE(SiltSphModel, poured, SILT_STATE_INT64, "", "particles drawn for springs"),
    SILT_FLUID_STATE(SiltSphModel),
};

static const char *const sph_limiters[] = {SILT_FLUID_LIMITERS, NULL};

enum { SPAN = 512 };
enum { BED_WALL, BED_PAPER };
enum { SPEED_ALONG, SPEED_PAPER };
enum { TRANSPORT_EXACT, TRANSPORT_PAPER };
enum { SETTLING_ALL, SETTLING_STOKES };

// ---- begin and end ----

// A spacing of seeds that a particle can look at.
static float seed_spacing(const SiltSphModel *s)
{
    double support = s->fluid.sph->config.support, asked = s->params->boundary_spacing;
    float least = silt_boundary_least_spacing(support);
    if (!(asked > 0.0))
        return (float)(0.5 * support);
    return (float)asked < least ? least : (float)asked;
}

static void warn_of_seeds(const SiltSphModel *s)
{
    double least = (double)silt_boundary_least_spacing(s->fluid.sph->config.support);
    double asked = s->params->boundary_spacing;
    if (asked > 0.0 && asked < least)
        silt_warn("erode sph: boundary_spacing = %g m is below a fifth of the support; %g m is taken", asked,
                  least);
}

// A particle can ask only so many triangles of the ground.
static SiltStatus check_support(const SiltSphModel *s, const SiltTerrain *terrain)
{
    double support = s->fluid.sph->config.support, most = SILT_SEED_CELLS * terrain->cell;
    if (support <= most)
        return SILT_OK;
    return silt_fail(
        SILT_BAD_ARGUMENT,
        "erode sph: a support of %g m reaches over more than %d cells; take particles with a spacing of "
        "%g m or less, or a coarser map",
        support, SILT_SEED_CELLS, 0.5 * most);
}

static void set_physics(SiltSphModel *s)
{
    const SiltSphWaterParams *p = s->params;
    const SiltSphConfig *c = &s->fluid.sph->config;
    const float full = 0x1p23f; // units, as silt_fluid_begin has it
    if (p->bed == BED_WALL)
        silt_sph_set_walls(s->fluid.sph, SILT_SPH_WALL_LAW, p->roughness);
    double water = fmax(c->viscosity, 1e-3); // grains are smaller than what makes numbers viscous
    bool printed = p->transport == TRANSPORT_PAPER;
    float factor = printed ? 1.0f : silt_sediment_factor(c->spacing, c->support);
    s->sediment = (SiltSediment){
        .stokes = p->settling == SETTLING_STOKES ? silt_stokes_speed((float)p->grain, (float)p->rock_density,
                                                                     (float)c->density, (float)water, 9.81f)
                                                 : silt_grain_speed((float)p->grain, (float)p->rock_density,
                                                                    (float)c->density, (float)water, 9.81f),
        .full = full,
        .most = (float)p->most,
        .exponent = (float)p->exponent,
        .hindering = p->hindering,
        .volume = (float)s->fluid.volume,
        .diffusion = (float)p->diffusion,
        .settle = factor,
        .is_printed = printed,
        .density = (float)c->density,
    };
    s->boundary.numbers = (SiltBoundaryNumbers){
        .spacing = seed_spacing(s),
        .friction = (float)p->boundary_friction,
        .shear = (float)p->shear,
        .critical = (float)p->critical,
        .strength = (float)p->strength,
        .rock = (float)p->rock_density,
        .most = full,
        .settle = printed ? (float)(s->fluid.volume / (c->spacing * seed_spacing(s) * seed_spacing(s)))
                          : silt_sediment_ground_factor(c->spacing, c->support),
        .power = (float)p->power,
        .by_difference = p->speed == SPEED_PAPER,
        .exchanges = p->erosion,
        .by_wall_law = p->bed == BED_WALL,
    };
}

static SiltStatus sph_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                            SiltLedger *ledger)
{
    SiltSphModel *s = state;
    s->params = params;
    SiltStatus status = silt_sph_check_sources(s, terrain);
    if (status == SILT_OK)
        silt_sph_warn_idle(s);
    if (status == SILT_OK)
        status = silt_fluid_begin("erode sph", &s->params->fluid, terrain, run, s->params->most, &s->before,
                                  &s->fluid);
    if (status == SILT_OK)
        status = check_support(s, terrain);
    if (status == SILT_OK)
        status = silt_sph_check_ground(s);
    if (status == SILT_OK)
        status = silt_fluid_layer("erode sph", terrain, "erodibility", s->params->erodibility,
                                  &s->boundary.erodibility);
    double *owed = NULL;
    if (status == SILT_OK)
        status = silt_sph_make_springs(s, &owed);
    if (status == SILT_OK)
        silt_sph_take_springs(s, owed);
    if (status == SILT_OK)
        status = silt_fluid_start("erode sph", &s->fluid, s->params->start);
    const SiltField *water = NULL;
    if (status == SILT_OK)
        status = silt_fluid_layer("erode sph", terrain, "water", s->params->water, &water);
    if (status == SILT_OK)
        status = silt_fluid_fill("erode sph", &s->fluid, water, silt_terrain_layer(terrain, "sediment"));
    for (int k = 0; k < s->params->boxes.count && status == SILT_OK; k++)
        status = silt_sph_fill_box(s, k);
    if (status != SILT_OK)
        return status;
    silt_fluid_warn_dry("erode sph", &s->fluid, s->params->sources.count);
    warn_of_seeds(s);
    set_physics(s);
    silt_fluid_bound(&s->fluid, silt_sph_highest_spring(s), 0.0);
    silt_fluid_open_books(&s->fluid, ledger);
    silt_fluid_sort(&s->fluid, ledger);
    silt_fluid_show(&s->fluid);
    return silt_fluid_use_device(&s->fluid);
}

static void sph_end(void *state)
{
    SiltSphModel *s = state;
    silt_free(s->owed);
    silt_fluid_end(&s->fluid);
}

// ---- a step ----

// Collision, friction and exchange of rock.
static void touch_ground(SiltSphModel *s, int i)
{
    SiltSph *sph = s->fluid.sph;
    SiltHeightfield *field = &s->fluid.field;
    const SiltSphArrays *a = &sph->now;
    bool touched = silt_heightfield_collide(field, sph, i, s->dt, (float)sph->config.restitution);
    if (sph->fate[i] == SILT_SPH_LEFT)
        return;
    SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
    if (touched || a->z[i] - below.z < 0.5f * (float)sph->config.spacing) {
        float by = silt_fluid_brake(&s->fluid, s->dt);
        a->u[i] *= by, a->v[i] *= by, a->w[i] *= by;
    }
    if ((a->z[i] - below.z) * below.nz < sph->law.h) {
        float speed = silt_load_speed(s->sediment, a->sediment[i]);
        silt_boundary_exchange(&s->boundary, field, sph, i, s->dt, speed);
    }
}

static void meet_ground(void *context, int begin, int end)
{
    SiltSphModel *s = context;
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

static void step_here(SiltSphModel *s, double dt)
{
    SiltFluid *fluid = &s->fluid;
    SiltSph *sph = fluid->sph;
    if (s->params->erosion)
        silt_sediment_step(&s->sediment, sph, s->dt, sph->step_index); // eq. 1.64 to 1.68
    silt_heightfield_planes(&fluid->field, sph);
    silt_sph_forces(sph);                                      // eq. 1.25 to 1.41
    silt_sph_move(sph, dt);                                    // eq. 1.45, 1.46
    silt_parallel(sph->count, SPAN, meet_ground, s);           // eq. 1.44, 1.52 to 1.57, 1.69
    silt_heightfield_settle(&fluid->field, fluid->volume, dt); // eq. 1.70, 1.71
    silt_heightfield_lift(&fluid->field, sph, s->dt);
}

// The same on a device. Loads are handed on with the number of the step before the motion, and exchanged with
// the ground with that after it.
static void step_there(SiltSphModel *s, double dt)
{
    SiltFluid *fluid = &s->fluid;
    SiltFluidStep step = silt_fluid_numbers(fluid, dt);
    step.sediment = s->sediment;
    step.boundary = s->boundary.numbers;
    step.take = silt_boundary_take(&step.boundary, step.dt, fluid->field.unit);
    step.spread = silt_sediment_spread(&step.sediment, step.dt);
    silt_sediment_dithers(fluid->sph->step_index, step.load_dither);
    silt_boundary_dithers(fluid->sph->step_index + 1, step.dither);
    silt_fluid_device_begin(fluid->device, &step, s->boundary.erodibility);
    if (s->params->erosion)
        silt_fluid_device_loads(fluid->device);
    silt_fluid_device_planes(fluid->device);
    silt_sph_forces(fluid->sph);
    silt_sph_move(fluid->sph, dt);
    silt_fluid_device_meet(fluid->device, SILT_FLUID_WATER);
}

static double sph_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    SiltSphModel *s = state;
    SiltFluid *fluid = &s->fluid;
    silt_fluid_gather(fluid, ledger);
    double dt = silt_fluid_time_step(fluid, time_left);
    s->dt = (float)dt;
    if (fluid->device)
        step_there(s, dt);
    else
        step_here(s, dt);
    s->time += dt;
    silt_sph_pour(s, dt, ledger);
    silt_fluid_rain(fluid, dt, ledger);
    silt_fluid_sort(fluid, ledger);
    silt_fluid_show(fluid);
    counters->substeps++;
    silt_fluid_count(fluid, counters);
    return dt;
}

// ---- while it goes on ----

static SiltStatus sph_refresh(void *state)
{
    SiltSphModel *s = state;
    const SiltField *erodibility;
    SiltStatus status = silt_fluid_fetch(&s->fluid, SILT_FETCH_GROUND);
    if (status == SILT_OK)
        status = silt_sph_check_sources(s, s->fluid.field.terrain);
    if (status == SILT_OK)
        status = silt_sph_check_ground(s);
    if (status == SILT_OK)
        status = silt_fluid_layer("erode sph", s->fluid.field.terrain, "erodibility", s->params->erodibility,
                                  &erodibility);
    double *owed = NULL;
    if (status == SILT_OK)
        status = silt_sph_make_springs(s, &owed);
    if (status == SILT_OK)
        status = silt_fluid_refresh(&s->fluid);
    if (status != SILT_OK) {
        silt_free(owed);
        return status;
    }
    silt_sph_take_springs(s, owed);
    s->boundary.erodibility = erodibility;
    set_physics(s);
    silt_fluid_widen(&s->fluid, silt_sph_highest_spring(s), 0.0);
    return SILT_OK;
}

static void sph_edit(void *state, SiltEditRow *row)
{
    SiltSphModel *s = state;
    silt_fluid_edit(&s->fluid, row);
}

static void sph_pack(void *state, SiltTerrain *terrain, SiltPack *pack)
{
    SiltSphModel *s = state;
    void *owed = s->owed;
    (void)terrain;
    silt_pack_owned(pack, &owed, sizeof *s->owed, &s->spring_count);
    s->owed = owed;
}

static SiltStatus sph_resume(void *state)
{
    SiltSphModel *s = state;
    if (s->spring_count != s->params->sources.count)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode sph: the saved state is damaged: %d sources, and %lld of "
                         "them have water",
                         s->params->sources.count, (long long)s->spring_count);
    SiltStatus status = silt_fluid_check_owed(&s->fluid, s->owed, s->spring_count);
    return status == SILT_OK ? silt_fluid_resume(&s->fluid, &s->before) : status;
}

static void sph_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const SiltSphModel *s = state;
    silt_heightfield_show(&s->fluid.field, s->fluid.sph, s->fluid.volume, layer, j, begin, end, out);
}

static SiltStatus sph_fetch(void *state, int layer)
{
    SiltSphModel *s = state;
    return silt_fluid_fetch(&s->fluid, layer);
}

static SiltStatus sph_push(void *state)
{
    SiltSphModel *s = state;
    return silt_fluid_push(&s->fluid);
}

static double sph_bytes(const void *params)
{
    const SiltSphWaterParams *p = params;
    return silt_fluid_bytes(&p->fluid);
}

static SiltStatus sph_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    const SiltSphModel *s = state;
    (void)terrain;
    silt_fluid_close_books(&s->fluid, ledger);
    return SILT_OK;
}

static void sph_particles(const void *state, SiltParticles *out)
{
    const SiltSphModel *water = state;
    silt_fluid_particles(&water->fluid, out);
}

const SiltModel silt_model_sph = {
    .name = "sph",
    .summary = "water made of particles wears the ground, carries the rock and lets it settle",
    .source = "Kataev 2022, after Kristof et al. 2009",
    .clock = "s",
    .reads = "sediment deposit",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(SiltSphWaterParams, sph_items),
    .state = sph_state,
    .state_count = sizeof sph_state / sizeof sph_state[0],
    .state_size = sizeof(SiltSphModel),
    .limiters = sph_limiters,
    .more_bytes = 100.0,
    .default_steps = 2000,
    .begin = sph_begin,
    .step = sph_step,
    .store = sph_store,
    .layers = silt_shallow_layers,
    .show = sph_show,
    .fetch = sph_fetch,
    .push = sph_push,
    .edit = sph_edit,
    .edits = "height",
    .refresh = sph_refresh,
    .particles = sph_particles,
    .pack = sph_pack,
    .resume = sph_resume,
    .param_bytes = sph_bytes,
    .end = sph_end,
};
