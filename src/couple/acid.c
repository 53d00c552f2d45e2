// Drops with acid in them (Fritz 3.5.3): rain falls at random places from a height, runs down the terrain as
// particles of water, dissolves the ground it touches up to what it can hold, and leaves all of it where its
// life ends.
#include <math.h>

#include "core/parallel.h"
#include "core/status.h"
#include "couple/device_fluid.h"
#include "erode/shallow.h"

typedef struct AcidParams {
    SILT_FLUID_FIELDS
    double drops, acidity, capacity;
    char erodibility[SILT_NAME_SIZE];
} AcidParams;

typedef struct Acid {
    SiltField before;
    double time;
    const AcidParams *params;
    SiltFluid fluid;
    const SiltField *erodibility;
    float dt;
} Acid;

static const SiltParam acid_items[] = {
    SILT_FLUID_ITEMS(AcidParams, SILT_FRITZ_WATER, 0.0, "", 1.0, 60.0, 0.5, "gas", 25.0, "rate"),
    SILT_REAL(AcidParams, drops, "", 1.0, 0.0, 1000.0,
              "drops on the way at once over each cell, where `rain` is 0", .flags = SILT_LIVE),
    SILT_REAL(AcidParams, acidity, "%/s", 5.0, 0.0, 1000.0,
              "rock that a drop dissolves where it touches, in hundredths of its spacing a second",
              .flags = SILT_LIVE | SILT_LOG),
    SILT_REAL(AcidParams, capacity, "1", 0.3, 1e-6, 1.0,
              "rock that a drop can hold, as a share of its volume"),
    SILT_LAYER(AcidParams, erodibility, "erodibility", "layer that multiplies how fast rock dissolves"),
};

static const SiltStateItem acid_state[] = {
    SILT_STATE(Acid, before, SILT_STATE_LAZY, "m", "change of the terrain before the run"),
    SILT_STATE(Acid, time, SILT_STATE_DOUBLE, "s", "time since the beginning"),
    SILT_FLUID_STATE(Acid),
};

static const char *const acid_limiters[] = {SILT_FLUID_LIMITERS, NULL};

enum { SPAN = 1024 };

// Drops a second, so that as many as asked for are on the way; it rains on ground with data.
static void set_rate(Acid *acid)
{
    const SiltTerrain *terrain = acid->fluid.field.terrain;
    double all = (terrain->width - 1.0) * (terrain->height - 1.0) * terrain->cell * terrain->cell;
    double land = acid->fluid.area / all;
    double life = acid->params->life > 0.0 ? acid->params->life : 60.0;
    acid->fluid.drop_rate = acid->params->drops * terrain->width * terrain->height * land / life;
}

static SiltStatus acid_begin(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                             SiltLedger *ledger)
{
    Acid *acid = state;
    acid->params = params;
    SiltStatus status =
        silt_fluid_layer("erode acid", terrain, "erodibility", acid->params->erodibility, &acid->erodibility);
    if (status == SILT_OK)
        status = silt_fluid_begin("erode acid", &acid->params->fluid, terrain, run, acid->params->capacity,
                                  &acid->before, &acid->fluid);
    if (status == SILT_OK && (silt_is_stopped() || !silt_heightfield_claim(&acid->fluid.field)))
        status = SILT_CANCELLED;
    if (status != SILT_OK)
        return status;
    if (!(acid->params->drops > 0.0) && !(acid->params->rain > 0.0))
        silt_warn("erode acid: there are no drops and no rain, so nothing will happen; raise drops or rain");
    set_rate(acid);
    silt_fluid_bound(&acid->fluid, 0.0, 0.0);
    silt_fluid_open_books(&acid->fluid, ledger);
    silt_fluid_show(&acid->fluid);
    status = silt_fluid_use_device(&acid->fluid);
    return status == SILT_OK && silt_is_stopped() ? SILT_CANCELLED : status;
}

static void acid_end(void *state)
{
    Acid *acid = state;
    silt_fluid_end(&acid->fluid);
}

// How soft the rock of a triangle is.
static float softness(const Acid *acid, const SiltSurface *at)
{
    if (!acid->erodibility)
        return 1.0f;
    float corner[3];
    for (int k = 0; k < 3; k++) {
        int width = acid->fluid.field.width;
        corner[k] = silt_field_at(acid->erodibility, at->sample[k] % width, at->sample[k] / width);
    }
    return silt_surface_softness(at->weight, corner[0], corner[1], corner[2]);
}

// Units a second that a drop dissolves: it covers the square of its spacing.
static float dissolving_rate(const Acid *acid)
{
    const SiltSphConfig *c = &acid->fluid.sph->config;
    double area = c->spacing * c->spacing;
    double depth = acid->params->acidity * 0.01 * c->spacing; // m/s
    return (float)(depth * area / acid->fluid.field.unit);
}

static const float full_drop = 0x1p23f; // units

static void dissolve(Acid *acid, int i, const SiltSurface *at)
{
    SiltSph *sph = acid->fluid.sph;
    float units = silt_drop_dissolve(dissolving_rate(acid), acid->dt, softness(acid, at), full_drop,
                                     sph->now.sediment[i]);
    if (units > 0.0f) {
        sph->now.sediment[i] += units;
        silt_heightfield_take(&acid->fluid.field, at, (int64_t)units);
    }
}

static void meet_ground(void *context, int begin, int end)
{
    Acid *acid = context;
    SiltSph *sph = acid->fluid.sph;
    SiltHeightfield *field = &acid->fluid.field;
    const SiltSphArrays *a = &sph->now;
    float brake = silt_fluid_brake(&acid->fluid, acid->dt);
    for (int i = begin; i < end; i++) {
        if (silt_sph_is_out(sph->fate[i]))
            continue;
        bool touched = silt_heightfield_collide(field, sph, i, acid->dt, (float)sph->config.restitution);
        if (sph->fate[i] == SILT_SPH_LEFT)
            continue;
        SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
        touched = touched || a->z[i] - below.z < 0.5f * (float)sph->config.spacing;
        if (touched) {
            a->u[i] *= brake, a->v[i] *= brake, a->w[i] *= brake;
            dissolve(acid, i, &below);
        }
        float speed = sqrtf(a->u[i] * a->u[i] + a->v[i] * a->v[i]);
        silt_heightfield_note(field, a->x[i], a->y[i], speed * acid->dt);
        if (sph->fate[i] == SILT_SPH_EXPIRED) { // it evaporates, and leaves what it carried
            silt_heightfield_lay(field, &below, (int64_t)a->sediment[i]);
            a->sediment[i] = 0.0f;
        }
    }
}

static void step_here(Acid *acid, double dt)
{
    SiltFluid *fluid = &acid->fluid;
    silt_heightfield_planes(&fluid->field, fluid->sph);
    silt_sph_forces(fluid->sph);
    silt_sph_move(fluid->sph, dt);
    silt_parallel(fluid->sph->count, SPAN, meet_ground, acid);
    silt_heightfield_settle(&fluid->field, fluid->volume, dt);
    silt_heightfield_lift(&fluid->field, fluid->sph, acid->dt);
}

// The same on a device.
static void step_there(Acid *acid, double dt)
{
    SiltFluid *fluid = &acid->fluid;
    SiltFluidStep step = silt_fluid_numbers(fluid, dt);
    step.dissolve = dissolving_rate(acid);
    step.full = full_drop;
    silt_fluid_device_begin(fluid->device, &step, acid->erodibility);
    silt_fluid_device_planes(fluid->device);
    silt_sph_forces(fluid->sph);
    silt_sph_move(fluid->sph, dt);
    silt_fluid_device_meet(fluid->device, SILT_FLUID_ACID);
}

static double acid_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Acid *acid = state;
    SiltFluid *fluid = &acid->fluid;
    silt_fluid_gather(fluid, ledger);
    double dt = silt_fluid_time_step(fluid, time_left);
    acid->dt = (float)dt;
    if (fluid->device)
        step_there(acid, dt);
    else
        step_here(acid, dt);
    silt_fluid_rain(fluid, dt, ledger);
    silt_fluid_sort(fluid, ledger);
    silt_fluid_show(fluid);
    acid->time += dt;
    counters->substeps++;
    silt_fluid_count(fluid, counters);
    return dt;
}

// ---- while it goes on ----

static SiltStatus acid_refresh(void *state)
{
    Acid *acid = state;
    const SiltField *erodibility;
    SiltStatus status = silt_fluid_fetch(&acid->fluid, SILT_FETCH_GROUND);
    if (status == SILT_OK)
        status = silt_fluid_layer("erode acid", acid->fluid.field.terrain, "erodibility",
                                  acid->params->erodibility, &erodibility);
    if (status == SILT_OK)
        status = silt_fluid_refresh(&acid->fluid);
    if (status != SILT_OK)
        return status;
    acid->erodibility = erodibility;
    set_rate(acid);
    silt_fluid_widen(&acid->fluid, (double)silt_heightfield_top(&acid->fluid.field), 0.0);
    return SILT_OK;
}

static void acid_edit(void *state, SiltEditRow *row)
{
    Acid *acid = state;
    silt_fluid_edit(&acid->fluid, row);
}

static SiltStatus acid_resume(void *state)
{
    Acid *acid = state;
    return silt_fluid_resume(&acid->fluid, &acid->before);
}

static void acid_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Acid *acid = state;
    silt_heightfield_show(&acid->fluid.field, acid->fluid.sph, acid->fluid.volume, layer, j, begin, end, out);
}

static SiltStatus acid_fetch(void *state, int layer)
{
    Acid *acid = state;
    return silt_fluid_fetch(&acid->fluid, layer);
}

static SiltStatus acid_push(void *state)
{
    Acid *acid = state;
    return silt_fluid_push(&acid->fluid);
}

static double acid_bytes(const void *params)
{
    const AcidParams *acid = params;
    return silt_fluid_bytes(&acid->fluid);
}

static SiltStatus acid_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    const Acid *acid = state;
    (void)terrain;
    silt_fluid_close_books(&acid->fluid, ledger);
    return SILT_OK;
}

static void acid_particles(const void *state, SiltParticles *out)
{
    const Acid *water = state;
    silt_fluid_particles(&water->fluid, out);
}

const SiltModel silt_model_acid = {
    .name = "acid",
    .summary = "drops of rain dissolve what they touch and leave it where they dry up",
    .source = "Fritz 2016, 3.5.3",
    .clock = "s",
    .makes = SILT_MAPS_MADE,
    .params = SILT_PARAM_TABLE(AcidParams, acid_items),
    .state = acid_state,
    .state_count = sizeof acid_state / sizeof acid_state[0],
    .state_size = sizeof(Acid),
    .limiters = acid_limiters,
    .more_bytes = 100.0,
    .default_steps = 2000,
    .begin = acid_begin,
    .step = acid_step,
    .store = acid_store,
    .layers = silt_shallow_layers,
    .show = acid_show,
    .fetch = acid_fetch,
    .push = acid_push,
    .edit = acid_edit,
    .edits = "height",
    .refresh = acid_refresh,
    .particles = acid_particles,
    .resume = acid_resume,
    .param_bytes = acid_bytes,
    .end = acid_end,
};
