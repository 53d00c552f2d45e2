#include "erode/supply_rows.h"

#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "erode/supply_drops.h"
#include "erode/supply_sources.h"
#include "erode/supply_there.h"
#include "physics/decay.h"
#include "physics/grains.h"
#include "terrain/terrain.h"

static const float mm_per_hour = SILT_MM_PER_HOUR;

// ---- beginning and end ----

SiltStatus silt_supply_begin(const char *owner, const SiltSupplyParams *params, SiltTerrain *terrain,
                             const SiltRun *run, SiltSupply *supply)
{
    *supply = (SiltSupply){
        .params = params, .terrain = terrain, .region = silt_region_of(terrain), .seed = run ? run->seed : 0};
    double holes = terrain->nodata ? 1.0 : 0.0;
    silt_region_fold(&supply->region, SILT_FOLD_MOST, &holes, 1);
    supply->has_holes = holes > 0.0;
    SiltStatus found =
        silt_terrain_find_layer(terrain, params->rain_map, "rain_map", NULL, owner, &supply->rain_map);
    if (found != SILT_OK)
        return found;
    if (supply->rain_map) {
        if (supply->rain_map->width != terrain->width || supply->rain_map->height != terrain->height)
            return silt_fail(SILT_BAD_ARGUMENT, "%s: the rain map has %d x %d cells, the terrain %d x %d",
                             owner, supply->rain_map->width, supply->rain_map->height, terrain->width,
                             terrain->height);
    }
    SiltStatus status =
        silt_alloc_for(owner, (size_t)terrain->width, sizeof(float), (void **)&supply->constant);
    if (status == SILT_OK)
        status = silt_sources_begin(owner, supply);
    if (status == SILT_OK)
        status = silt_springs_begin(owner, supply);
    if (status == SILT_OK)
        status = silt_drops_begin(owner, supply);
    return status;
}

void silt_supply_end(SiltSupply *supply)
{
    silt_field_destroy(&supply->source_rate);
    silt_field_destroy(&supply->sediment_rate);
    silt_free(supply->exact_water);
    silt_free(supply->exact_rock);
    silt_free(supply->source_sums);
    silt_free(supply->events);
    silt_drops_there_destroy(supply->drops_there);
    silt_free(supply->drop_holes);
    silt_free(supply->drops);
    silt_free(supply->unsorted);
    silt_free(supply->drop_row);
    silt_free(supply->constant);
    *supply = (SiltSupply){0};
}

SiltStatus silt_supply_refresh(const char *owner, SiltSupply *supply, double time)
{
    SiltSupply made;
    SiltRun run = {.seed = supply->seed};
    SiltStatus status = silt_supply_begin(owner, supply->params, supply->terrain, &run, &made);
    if (status != SILT_OK) {
        silt_supply_end(&made);
        return status;
    }
    silt_sources_skip(&made, time);
    made.steps = supply->steps;
    made.source_changes += supply->source_changes;
    made.carry = supply->carry;
    made.stopped = supply->stopped;
    made.rest_until = supply->rest_until;
    made.rest_steps = supply->rest_steps;
    silt_supply_end(supply);
    *supply = made;
    return SILT_OK;
}

// ---- a step ----

void silt_supply_stop(SiltSupply *supply)
{
    supply->stopped = true;
}

// How fast water dries up, in 1/s; by altitude, a kilometre above zero.
static double drying(const SiltSupply *supply)
{
    const double at_rest = 1.0 / 60.0;
    return supply->stopped ? fmax(supply->params->evaporation, at_rest) : supply->params->evaporation;
}

static void step_dry(SiltSupply *supply, double dt)
{
    supply->paint = NULL;
    supply->is_constant = true;
    for (int i = 0; i < supply->terrain->width; i++)
        supply->constant[i] = 0.0f;
    supply->loss = 1.0f - silt_decay((float)(drying(supply) * dt));
}

void silt_supply_step(SiltSupply *supply, double time, double dt)
{
    const SiltSupplyParams *params = supply->params;
    supply->dt = (float)dt;
    supply->steps++;
    if (supply->stopped) {
        step_dry(supply, dt);
        return;
    }
    silt_sources_step(supply, time, dt);
    if (params->rain_pattern != SILT_RAIN_STEADY)
        silt_drops_fall(supply, time, dt);
    supply->paint = silt_terrain_layer(supply->terrain, "paint");
    supply->is_constant = silt_supply_is_steady(supply);
    float depth = (float)(params->rain * dt) * mm_per_hour;
    for (int i = 0; supply->is_constant && i < supply->terrain->width; i++)
        supply->constant[i] = depth;
    float exponent = (float)(params->evaporation * dt);
    bool linear = params->evaporation_kind == SILT_EVAPORATION_LINEAR;
    supply->loss = linear ? silt_minf(exponent, 1.0f) : 1.0f - silt_decay(exponent);
    bool cold = params->evaporation_kind == SILT_EVAPORATION_COLD_HEIGHTS;
    supply->decay = exponent * (cold ? -1e-3f : 1e-3f); // altitude in km
    supply->decay_base = cold ? exponent * 1e-3f * (float)supply->top : 0.0f;
}

bool silt_supply_is_steady(const SiltSupply *supply)
{
    const SiltSupplyParams *params = supply->params;
    return params->rain_pattern == SILT_RAIN_STEADY && !supply->rain_map && params->rain_altitude == 0.0 &&
           !supply->source_rate.data && !silt_terrain_layer(supply->terrain, "paint");
}

void silt_supply_finish(SiltSupply *supply)
{
    silt_sources_finish(supply);
    if (supply->paint)
        silt_terrain_drop(supply->terrain, "paint");
    supply->paint = NULL;
}

bool silt_supply_needs_ground(const SiltSupply *supply)
{
    return !supply->stopped && (supply->params->rain_altitude > 0.0 ||
                                supply->params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE);
}

// ---- rows ----

float silt_supply_rain(const SiltSupply *supply, int i, int j, const float *ground)
{
    float rate = supply->rain_map ? silt_maxf(silt_field_at(supply->rain_map, i, j), 0.0f)
                                  : (float)supply->params->rain;
    float height = supply->params->rain_altitude > 0.0 ? silt_maxf(ground[i], 0.0f) : 0.0f;
    return silt_supply_rate(rate, (float)supply->params->rain_altitude, height);
}

static void steady_row(const SiltSupply *supply, int j, const float *ground, float *depth)
{
    for (int i = 0; i < supply->terrain->width; i++)
        depth[i] = silt_supply_rain(supply, i, j, ground) * supply->dt;
}

static void add_row(const SiltField *field, int j, float factor, int width, float *depth)
{
    const float *row = silt_field_row(field, j);
    for (int i = 0; i < width; i++)
        depth[i] += silt_maxf(row[i], 0.0f) * factor;
}

const float *silt_supply_row(const SiltSupply *supply, int j, const float *ground, float *buffer)
{
    if (supply->is_constant)
        return supply->constant;
    if (supply->params->rain_pattern == SILT_RAIN_STEADY)
        steady_row(supply, j, ground, buffer);
    else
        silt_drops_row(supply, j, ground, buffer);
    if (supply->source_rate.data)
        add_row(&supply->source_rate, j, supply->dt, supply->terrain->width, buffer);
    if (supply->paint)
        add_row(supply->paint, j, 1.0f, supply->terrain->width, buffer);
    return buffer;
}

float silt_supply_dither(SiltSupply *supply, float grains_per_metre, float step_dither)
{
    if (!supply->is_constant)
        return step_dither;
    float carried = (float)supply->carry;
    double amount = (double)(supply->constant[0] * grains_per_metre);
    supply->carry += amount - (double)silt_grains((float)amount, carried);
    supply->carry = fmin(fmax(supply->carry, 0.0), 0x1.fffffep-1);
    return carried;
}

const float *silt_supply_sediment_row(const SiltSupply *supply, int j, float *buffer)
{
    if (!supply->sediment_rate.data || supply->stopped)
        return NULL;
    for (int i = 0; i < supply->terrain->width; i++)
        buffer[i] = 0.0f;
    add_row(&supply->sediment_rate, j, supply->dt, supply->terrain->width, buffer);
    return buffer;
}

void silt_supply_loss_row(const SiltSupply *supply, const float *ground, int width, float *loss)
{
    bool by_altitude = supply->params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE && !supply->stopped;
    for (int i = 0; i < width; i++)
        loss[i] = by_altitude ? silt_supply_loss(supply->decay_base, supply->decay, ground[i]) : supply->loss;
}

// ---- how long a step may be ----

double silt_pulse_bound(const SiltPulse *pulse, const SiltSupply *supply, double highest, double share,
                        double stable)
{
    const double first = 1.0 / 128.0; // on a dry map
    double rate = drying(supply);
    if (supply->params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE && !supply->stopped)
        rate *= fmax(highest, 0.0) * 1e-3;
    double bound = rate > 0.0 ? fmin(stable, 0.5 * share / rate) : stable;
    double gathering =
        pulse->held > 0.0 ? share * pulse->held / fmax(pulse->rate, 1e-300) : 2.0 * pulse->step;
    return fmin(bound, fmax(gathering, stable * first));
}

void silt_pulse_take(SiltPulse *pulse, double dt, double added, double removed)
{
    double rate = (added - removed) / dt;
    pulse->held = fmax(pulse->held + (added - removed), 0.0);
    pulse->rate = pulse->step > 0.0 ? 0.75 * pulse->rate + 0.25 * rate : rate;
    pulse->step = dt;
}
