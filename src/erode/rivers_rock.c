// Rock that rises with the land, and rain that falls more here than there.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/rivers.h"

// ---- rock ----

// Beds rise with the land they are in: without this, steady land would wear through the same bed for ever.
static bool rises(const RiversParams *params)
{
    return params->uplift != 0.0 || (params->uplift_map[0] && params->uplift_scale != 0.0);
}

SiltStatus silt_rivers_require_raised(Rivers *rivers)
{
    const SiltTerrain *terrain = rivers->terrain;
    if (rivers->strata.count == 0 || !rises(rivers->params) || rivers->raised.data)
        return SILT_OK;
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &rivers->raised);
    if (status == SILT_OK && rivers->strata.raised)
        silt_field_copy(rivers->strata.raised, &rivers->raised);
    if (status == SILT_OK)
        rivers->strata.raised = &rivers->raised;
    return status;
}

SiltStatus silt_rivers_begin_rock(Rivers *rivers)
{
    SiltStatus status =
        silt_strata_begin(&rivers->params->geology, rivers->terrain, "erode rivers", &rivers->strata);
    return status == SILT_OK ? silt_rivers_require_raised(rivers) : status;
}

// Ground that falls the way its beds do slips on them and stands less steep; ground that cuts across them
// stands steeper (of the terms of rock mass strength in Selby 1980, the one for the lie of joints). What
// multiplies the critical slope: 1 - 0.45 cos of the angle between them, the less the more level beds are,
// and where they are so steep that no slope lies on them. Over two cells to either side.
float silt_rivers_bedding(const Rivers *rivers, int i, int j)
{
    const double most = 0.45, lies = 0.1;
    const SiltField *bed = rivers->strata.bed, *ground = &rivers->ground->layers[0]->field;
    int west = i > 1 ? i - 2 : 0, east = i + 2 < ground->width ? i + 2 : ground->width - 1;
    int north = j > 1 ? j - 2 : 0, south = j + 2 < ground->height ? j + 2 : ground->height - 1;
    if (west == east || north == south)
        return 1.0f;
    double over_x = 1.0 / ((east - west) * rivers->terrain->cell),
           over_y = 1.0 / ((south - north) * rivers->terrain->cell);
    double u = (double)(silt_field_at(ground, west, j) - silt_field_at(ground, east, j)) * over_x;
    double v = (double)(silt_field_at(ground, i, north) - silt_field_at(ground, i, south)) * over_y;
    double dip_u = ((double)silt_field_at(bed, west, j) - (double)silt_field_at(bed, east, j)) * over_x;
    double dip_v = ((double)silt_field_at(bed, i, north) - (double)silt_field_at(bed, i, south)) * over_y;
    double fall = sqrt(u * u + v * v), dip = sqrt(dip_u * dip_u + dip_v * dip_v);
    if (!(fall > 0.0) || !(dip > 0.0))
        return 1.0f;
    double counts = (dip < lies ? dip / lies : 1.0) / (1.0 + dip * dip);
    return (float)(1.0 - most * counts * (u * dip_u + v * dip_v) / (fall * dip));
}

// ---- rain ----

SiltStatus silt_rivers_find_rain(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    size_t cells = (size_t)rivers->terrain->width * (size_t)rivers->terrain->height;
    const SiltField *rain =
        params->rain_map[0] ? silt_terrain_layer(rivers->terrain, params->rain_map) : NULL;
    if (params->rain_map[0] && !rain)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: the terrain has no layer '%s' for rain_map",
                         params->rain_map);
    SiltStatus status = SILT_OK;
    if (rain && !rivers->wetness)
        status = silt_alloc_for("rivers", cells, sizeof(double), (void **)&rivers->wetness);
    rivers->rain = status == SILT_OK ? rain : rivers->rain;
    return status;
}

static void fall_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width;
    for (int j = begin; j < end; j++)
        for (size_t i = 0; i < width; i++)
            rivers->wetness[(size_t)j * width + i] = (double)silt_field_row(rivers->rain, j)[i];
}

static void mean_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++)
        rivers->wetness[c] =
            rivers->drainage->area[c] > 0 ? rivers->wetness[c] / (double)rivers->drainage->area[c] : 0.0;
}

void silt_rivers_gather_rain(Rivers *rivers)
{
    if (!rivers->rain)
        return;
    silt_parallel(rivers->terrain->height, 16, fall_rows, rivers);
    silt_drainage_accumulate(rivers->drainage, rivers->wetness);
    silt_parallel(rivers->terrain->height, 16, mean_rows, rivers);
}

// ---- store ----

typedef struct Wet {
    const Rivers *rivers;
    SiltField *discharge;
} Wet;

static void wet_rows(void *context, int begin, int end)
{
    const Wet *wet = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < wet->discharge->width; i++)
            silt_field_row(wet->discharge, j)[i] *=
                (float)wet->rivers->wetness[(size_t)j * (size_t)wet->discharge->width + (size_t)i];
}

SiltStatus silt_rivers_store_rock(Rivers *rivers, SiltTerrain *terrain)
{
    Wet wet = {rivers, silt_terrain_layer(terrain, "discharge")};
    if (rivers->rain && wet.discharge) {
        silt_rivers_gather_rain(rivers);
        silt_parallel(terrain->height, 16, wet_rows, &wet);
    }
    SiltField *raised;
    if (!rivers->raised.data)
        return SILT_OK;
    SiltStatus status = silt_terrain_require(terrain, "raised", &raised);
    if (status == SILT_OK)
        silt_field_copy(&rivers->raised, raised);
    return status;
}
