// The supply as row code meets it, and what the processor makes of it for devices.
#include <string.h>

#include "erode/supply_drops.h"
#include "erode/supply_rows.h"

SiltSupplyStep silt_supply_step_of(const SiltSupply *supply)
{
    bool by_altitude = supply->params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE && !supply->stopped;
    bool varies = !supply->is_constant;
    return (SiltSupplyStep){.host = supply,
                            .is_constant = supply->is_constant,
                            .drops = varies && supply->params->rain_pattern != SILT_RAIN_STEADY,
                            .has_map = varies && supply->rain_map,
                            .has_sources = varies && supply->source_rate.data,
                            .has_paint = varies && supply->paint,
                            .brings = supply->sediment_rate.data && !supply->stopped,
                            .needs_ground = silt_supply_needs_ground(supply),
                            .by_altitude = by_altitude,
                            .depth = supply->constant[0],
                            .rain = (float)supply->params->rain,
                            .altitude = (float)supply->params->rain_altitude,
                            .dt = supply->dt,
                            .loss = supply->loss,
                            .decay = supply->decay,
                            .decay_base = supply->decay_base};
}

uint64_t silt_supply_version(const SiltSupplyStep *s, int which)
{
    switch (which) {
    case SILT_SUPPLY_DROPS:
        return s->drops ? s->host->steps : 0;
    case SILT_SUPPLY_MAP:
        return s->has_map ? 1 : 0;
    case SILT_SUPPLY_WATER:
        return s->has_sources ? 1 + s->host->source_changes : 0;
    case SILT_SUPPLY_PAINT:
        return s->has_paint ? s->host->steps : 0;
    default:
        return s->brings ? s->host->steps : 0;
    }
}

bool silt_supply_makes_by_ground(const SiltSupplyStep *s)
{
    return s->drops && s->altitude > 0.0f;
}

void silt_supply_make_row(const SiltSupplyStep *s, int which, int row, const float *heights, float *out)
{
    const SiltSupply *supply = s->host;
    const SiltField *field = which == SILT_SUPPLY_MAP     ? supply->rain_map
                             : which == SILT_SUPPLY_WATER ? &supply->source_rate
                                                          : supply->paint;
    if (which == SILT_SUPPLY_DROPS)
        silt_drops_row(supply, row, heights, out);
    else if (which == SILT_SUPPLY_ROCK)
        silt_supply_sediment_row(supply, row, out);
    else
        memcpy(out, silt_field_row(field, row), (size_t)supply->terrain->width * sizeof *out);
}
