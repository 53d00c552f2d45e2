// `rivers` while a run goes on: layers, ground by hand, parameters that change, and state.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/rivers.h"
#include "physics/elementary.h"
#include "silt/rivers.h"

// ---- what follows from parameters and layers ----

SiltStatus silt_rivers_find_layers(Rivers *rivers)
{
    const RiversParams *params = rivers->params;
    const SiltTerrain *terrain = rivers->terrain;
    const SiltField *erodibility =
        params->erodibility[0] ? silt_terrain_layer(terrain, params->erodibility) : NULL;
    const SiltField *uplift = params->uplift_map[0] ? silt_terrain_layer(terrain, params->uplift_map) : NULL;
    if (params->erodibility[0] && !erodibility && strcmp(params->erodibility, "erodibility") != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: the terrain has no layer '%s' for erodibility",
                         params->erodibility);
    if (params->uplift_map[0] && !uplift && strcmp(params->uplift_map, "uplift") != 0)
        return silt_fail(SILT_BAD_ARGUMENT, "erode rivers: the terrain has no layer '%s' for uplift_map",
                         params->uplift_map);
    rivers->erodibility = erodibility;
    rivers->uplift = uplift;
    return SILT_OK;
}

void silt_rivers_find_critical(Rivers *rivers)
{
    rivers->critical = silt_tan(rivers->params->critical_slope * (3.14159265358979323846 / 180.0));
}

// How steep rock may be has a map of its own where not all is alike.
static SiltStatus require_rise(Rivers *rivers)
{
    size_t cells = (size_t)rivers->terrain->width * (size_t)rivers->terrain->height;
    bool is_own = rivers->rise != rivers->strength;
    if (is_own || !rivers->params->erodibility[0] ||
        !silt_terrain_layer(rivers->terrain, rivers->params->erodibility))
        return SILT_OK;
    float *rise;
    SiltStatus status = silt_alloc_for("rivers", cells, sizeof(float), (void **)&rise);
    if (status != SILT_OK)
        return status;
    memcpy(rise, rivers->strength, cells * sizeof(float));
    rivers->rise = rise;
    return SILT_OK;
}

// Beds of rock, lakes, routes and sides stay as they were when it began.
SiltStatus silt_rivers_refresh(void *state)
{
    Rivers *rivers = state;
    SiltStatus status = require_rise(rivers);
    if (status == SILT_OK)
        status = silt_rivers_require_raised(rivers);
    if (status == SILT_OK)
        status = silt_rivers_find_rain(rivers);
    if (status == SILT_OK)
        status = silt_rivers_find_layers(rivers);
    if (status != SILT_OK)
        return status;
    rivers->base = isnan(rivers->params->base) ? rivers->base : rivers->params->base;
    silt_rivers_find_critical(rivers);
    (void)silt_rivers_find_strength(rivers); // nobody listens but at the beginning
    return SILT_OK;
}

// ---- state ----

// The lows of an open edge, as they were found at the beginning, and what has been opened since.
void silt_rivers_pack(void *state, SiltTerrain *terrain, SiltPack *pack)
{
    Rivers *rivers = state;
    if (rivers->edge)
        silt_pack(pack, rivers->edge, (size_t)terrain->width * (size_t)terrain->height);
}

SiltStatus silt_rivers_resume(void *state)
{
    Rivers *rivers = state;
    if (rivers->raised.data)
        rivers->strata.raised = &rivers->raised;
    (void)silt_rivers_find_strength(rivers); // by its seed
    return SILT_OK;
}

// ---- layers, and ground by hand ----

enum { CHANGE, WEAR, DEPOSITION, DEPOSIT };
const char *const silt_rivers_layers[] = {"change", "wear", "deposition", "deposit", NULL};

static float change_at(const Rivers *rivers, int i, int j)
{
    size_t c = (size_t)j * (size_t)rivers->terrain->width + (size_t)i;
    return (float)(rivers->height[c] - (double)silt_field_at(&rivers->terrain->layers[0]->field, i, j));
}

const SiltField *silt_rivers_field(const void *state, int layer)
{
    const Rivers *rivers = state;
    return layer == WEAR         ? &rivers->wear
           : layer == DEPOSITION ? &rivers->deposition
           : layer == DEPOSIT    ? &rivers->deposit
                                 : NULL;
}

void silt_rivers_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Rivers *rivers = state;
    const SiltField *field = silt_rivers_field(state, layer);
    for (int i = begin; i < end; i++)
        out[i] = field ? silt_field_at(field, i, j) : change_at(rivers, i, j);
}

// Loose material goes first.
void silt_rivers_edit(void *state, SiltEditRow *row)
{
    const double highest = 1e6; // m
    Rivers *rivers = state;
    float *deposit = silt_field_row(&rivers->deposit, row->j);
    for (int k = 0; k < row->count; k++) {
        int i = row->i + k;
        if (silt_terrain_is_nodata(rivers->terrain, i, row->j))
            continue;
        double *height = &rivers->height[(size_t)row->j * (size_t)rivers->terrain->width + (size_t)i];
        double next = fmin(fmax(*height + (double)row->metres[k], -highest), highest), added = next - *height;
        deposit[i] = added < 0.0 ? fmaxf(deposit[i] + (float)added, 0.0f) : deposit[i];
        *height = next;
        row->added += added;
    }
}

// ---- store ----

static double sum_rows(void *context, int begin, int end)
{
    const Rivers *rivers = context;
    const SiltTerrain *terrain = rivers->terrain;
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j))
                sum +=
                    (double)silt_field_at(&terrain->layers[0]->field, i, j) + (double)change_at(rivers, i, j);
    return sum;
}

SiltStatus silt_rivers_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Rivers *rivers = state;
    ledger->rock.stored =
        silt_parallel_sum(terrain->height, sum_rows, rivers) * terrain->cell * terrain->cell;
    (void)silt_rivers_route(rivers); // nobody listens but in steps
    silt_rivers_settle_pieces(rivers, true);
    SiltRiverOptions options = {.precipitation = rivers->params->precipitation,
                                .channel_area = rivers->params->channel_area};
    SiltStatus status = silt_rivers_map(rivers->drainage, rivers->ground, &options, terrain);
    return status == SILT_OK ? silt_rivers_store_rock(rivers, terrain) : status;
}
