// Particle water while a run goes on: its state as the frame saves it, numbers that change, ground that a
// hand changes.
#include <math.h>
#include <string.h>

#include "core/status.h"
#include "couple/device_fluid.h"

// ---- state ----

void silt_fluid_show(SiltFluid *fluid)
{
    SiltSph *sph = fluid->sph;
    SiltSphArrays *a = &sph->now;
    SiltHeightfield *f = &fluid->field;
    SiltFluidState *s = &fluid->state;
    float *floats[] = {a->x,  a->y,  a->z,  a->u,       a->v,        a->w,
                       a->ax, a->ay, a->az, a->density, a->sediment, a->age};
    SiltStateArray *slots[] = {&s->x,  &s->y,  &s->z,  &s->u,       &s->v,        &s->w,
                               &s->ax, &s->ay, &s->az, &s->density, &s->sediment, &s->age};
    for (size_t k = 0; k < sizeof slots / sizeof slots[0]; k++)
        *slots[k] = (SiltStateArray){floats[k], sizeof(float), sph->count, sph->config.capacity};
    s->id = (SiltStateArray){a->id, sizeof(int64_t), sph->count, sph->config.capacity};
    void *ground[] = {f->change, f->wear, f->deposition, f->loose, f->flow, f->wetness};
    SiltStateArray *layers[] = {&s->change, &s->wear, &s->deposition, &s->loose, &s->flow, &s->wetness};
    int64_t cells = (int64_t)f->width * f->height;
    for (size_t k = 0; k < sizeof layers / sizeof layers[0]; k++)
        *layers[k] = (SiltStateArray){ground[k], 8, cells, cells};
    s->base = (SiltStateArray){f->base, sizeof(float), cells, cells};
    s->ground = (SiltStateArray){f->ground, sizeof(float), cells, cells};
    s->box_low = (SiltStateArray){sph->config.low, sizeof(double), 3, 3};
    s->box_high = (SiltStateArray){sph->config.high, sizeof(double), 3, 3};
    s->swiftest = (SiltStateArray){&sph->config.swiftest, sizeof(double), 1, 1};
    s->clock = (SiltStateArray){&sph->time, sizeof(double), 1, 1};
    s->rates = (SiltStateArray){sph->rates, sizeof(double), 3, 3};
    s->step = (SiltStateArray){&sph->step_index, sizeof(int64_t), 1, 1};
    s->next_id = (SiltStateArray){&sph->next_id, sizeof(int64_t), 1, 1};
    s->gone = (SiltStateArray){sph->gone, sizeof(int64_t), SILT_SPH_FATES, SILT_SPH_FATES};
    s->gone_sediment = (SiltStateArray){sph->gone_sediment, sizeof(double), SILT_SPH_FATES, SILT_SPH_FATES};
    s->drops = (SiltStateArray){fluid->drops, sizeof(int64_t), 2, 2};
}

// Particles have all of their numbers, and cells and counts theirs.
static bool is_whole(const SiltFluid *fluid)
{
    const SiltFluidState *s = &fluid->state;
    const SiltStateArray *of_particles[] = {&s->y,  &s->z,  &s->u,       &s->v,        &s->w,   &s->ax,
                                            &s->ay, &s->az, &s->density, &s->sediment, &s->age, &s->id};
    const SiltStateArray *fixed[] = {&s->change,   &s->wear,    &s->deposition, &s->loose, &s->flow,
                                     &s->wetness,  &s->base,    &s->ground,     &s->clock, &s->rates,
                                     &s->step,     &s->next_id, &s->gone,       &s->drops, &s->gone_sediment,
                                     &s->swiftest, &s->box_low, &s->box_high};
    bool whole = true;
    for (size_t k = 0; k < sizeof of_particles / sizeof of_particles[0]; k++)
        whole = whole && of_particles[k]->count == s->x.count;
    for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
        whole = whole && fixed[k]->count == fixed[k]->room;
    return whole;
}

static bool has_loads(const SiltFluid *fluid)
{
    const float *loads = fluid->state.sediment.data;
    bool good = true;
    for (int64_t k = 0; k < fluid->state.sediment.count; k++)
        good = good && loads[k] >= 0.0f && loads[k] <= 2e9f; // units are counted in whole numbers
    return good;
}

static bool are_between(const SiltStateArray *array, int64_t low, int64_t high)
{
    const int64_t *counts = array->data;
    bool good = true;
    for (int64_t k = 0; k < array->count; k++)
        good = good && counts[k] >= low && counts[k] <= high;
    return good;
}

// Counts of all cells together are numbers yet, and those that grow have room to.
static bool has_counts(const SiltFluid *fluid)
{
    const SiltFluidState *s = &fluid->state;
    const int64_t far = INT64_C(1) << 62, most = far / (s->wear.count + 1);
    return are_between(&s->change, -most, most) && are_between(&s->wear, -most, most) &&
           are_between(&s->deposition, -most, most) && are_between(&s->loose, -most, most) &&
           are_between(&s->step, 0, far) && are_between(&s->next_id, 0, far) &&
           are_between(&s->gone, 0, far) && are_between(&s->drops, 0, far);
}

static bool are_within(const SiltStateArray *array, double low, double high)
{
    const double *numbers = array->data;
    bool good = true;
    for (int64_t k = 0; k < array->count; k++)
        good = good && numbers[k] >= low && numbers[k] <= high;
    return good;
}

// Times, speeds and places by which steps are measured.
static bool has_measures(const SiltFluid *fluid)
{
    const SiltFluidState *s = &fluid->state;
    const double most = 1e12;
    return are_within(&s->box_low, -most, most) && are_within(&s->box_high, -most, most) &&
           are_within(&s->swiftest, 0.0, most) && are_within(&s->clock, 0.0, most) &&
           are_within(&s->rates, 0.0, most) && are_within(&s->gone_sediment, 0.0, 1e18);
}

SiltStatus silt_fluid_check_owed(const SiltFluid *fluid, const double *owed, int64_t count)
{
    const double most = 1e6; // particles; what finds no room waits in hundreds
    bool good = true;
    for (int64_t k = 0; k < count; k++)
        good = good && owed[k] >= 0.0 && owed[k] <= most;
    return good ? SILT_OK
                : silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: the water that waits",
                            fluid->owner);
}

SiltStatus silt_fluid_resume(SiltFluid *fluid, const SiltField *before)
{
    SiltStatus owes = silt_fluid_check_owed(fluid, &fluid->owed, 1);
    if (owes != SILT_OK)
        return owes;
    if (!is_whole(fluid))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: its arrays differ in length",
                         fluid->owner);
    if (!has_loads(fluid))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: what its water carries",
                         fluid->owner);
    if (!has_counts(fluid))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: it counts more than can be",
                         fluid->owner);
    if (!has_measures(fluid))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the saved state is damaged: times, speeds or places",
                         fluid->owner);
    fluid->field.before = before->data ? before : NULL;
    fluid->sph->count = (int)fluid->state.x.count;
    memset(fluid->sph->fate, SILT_SPH_STAYS, (size_t)fluid->sph->count);
    SiltStatus status = silt_fluid_push(fluid);
    silt_sph_sort(fluid->sph); // cells; the order is a function of the state
    if (status == SILT_OK)
        status = silt_fluid_fetch(fluid, SILT_FETCH_ALL);
    fluid->is_unsorted = false;
    silt_fluid_show(fluid);
    return status;
}

// ---- numbers that change ----

SiltStatus silt_fluid_refresh(SiltFluid *fluid)
{
    const SiltField *map;
    float most;
    SiltStatus status = silt_fluid_rain_map(fluid, &map, &most);
    SiltSphConfig config = silt_fluid_configure(fluid->params, &fluid->field);
    if (status == SILT_OK)
        status = silt_sph_set(fluid->owner, fluid->sph, &config);
    if (status != SILT_OK)
        return status;
    fluid->rain_map = map;
    fluid->rain_most = most;
    silt_fluid_renew(fluid);
    return SILT_OK;
}

// ---- ground by hand ----

// No ground comes near the roof or the floor of the box, and what falls from the highest is no mistake.
static void make_room(SiltFluid *fluid, const SiltEditRow *row)
{
    SiltSphConfig *c = &fluid->sph->config;
    const float *ground = fluid->field.ground + (size_t)row->j * (size_t)fluid->field.width + row->i;
    float low = 0.0f, high = 0.0f;
    for (int k = 0; k < row->count; k++) {
        low = ground[k] < low ? ground[k] : low;
        high = ground[k] > high ? ground[k] : high;
    }
    double fall = isnan(fluid->params->fall) ? fluid->field.terrain->cell : fluid->params->fall;
    c->low[2] = fmin(c->low[2], (double)low - SILT_FLUID_ROOM);
    c->high[2] = fmax(c->high[2], (double)high + fall + SILT_FLUID_ROOM);
    silt_fluid_widen(fluid, (double)high - (double)low, 0.0);
}

void silt_fluid_edit(SiltFluid *fluid, SiltEditRow *row)
{
    if (silt_heightfield_edit(&fluid->field, fluid->sph, row))
        fluid->is_unsorted = true;
    make_room(fluid, row);
}

void silt_fluid_gather(SiltFluid *fluid, SiltLedger *ledger)
{
    if (!fluid->is_unsorted)
        return;
    silt_fluid_sort(fluid, ledger);
    fluid->is_unsorted = false;
}
