// Rock that rises with the land, and rain that falls more here than there.
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
