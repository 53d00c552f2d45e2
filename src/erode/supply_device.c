// The supply as row code meets it, and what the processor makes of it for devices.
#include <string.h>

#include "erode/supply_drops.h"
#include "erode/supply_rows.h"
#include "erode/supply_there.h"

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

// ---- for the programs of models ----

static const SiltSuppliedMaker *maker_of(const SiltGridProgram *program)
{
    return program->maker;
}

static const SiltSupplyStep *supply_of(const SiltGridProgram *program, const void *step)
{
    return (const void *)((const char *)step + maker_of(program)->supply);
}

uint64_t silt_supplied_version(const SiltGridProgram *program, const void *step, int field)
{
    const SiltSuppliedMaker *maker = program->maker;
    return field == maker->border ? 1 : silt_supply_version(supply_of(program, step), field - maker->waters);
}

const char *silt_supplied_reads(const SiltGridProgram *program, const void *step)
{
    return silt_supply_makes_by_ground(supply_of(program, step)) ? "ground" : NULL;
}

void silt_supplied_make(const SiltGridProgram *program, const void *step, int field, int row, float *out,
                        float *scratch)
{
    const SiltSuppliedMaker *maker = program->maker;
    if (field == maker->border) {
        maker->make_border(step, row, (int32_t *)(void *)out);
        return;
    }
    if (silt_supplied_reads(program, step))
        maker->make_heights(step, row, scratch);
    silt_supply_make_row(supply_of(program, step), field - maker->waters, row, scratch, out);
}

SiltStatus silt_supplied_make_there(const SiltGridProgram *program, const void *step, int field,
                                    const SiltGridThere *there, bool *made)
{
    return silt_supply_make_there(supply_of(program, step), field - maker_of(program)->waters, there, made);
}
