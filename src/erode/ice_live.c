// `ice` while a run goes on: single layers, ground, ice and rock in it changed by hand, and parameters that
// change.
#include <math.h>

#include "erode/ice.h"
#include "terrain/terrain.h"

// ---- what follows from parameters and layers ----

SiltStatus silt_ice_find_maps(Ice *ice)
{
    const IceParams *params = ice->params;
    const SiltField *balance, *erodibility;
    SiltStatus status = silt_terrain_find_layer(ice->terrain, params->balance_map, "balance_map", NULL,
                                                "erode ice", &balance);
    if (status == SILT_OK)
        status = silt_terrain_find_layer(ice->terrain, params->erodibility, "erodibility", "erodibility",
                                         "erode ice", &erodibility);
    if (status != SILT_OK)
        return status;
    ice->balance = balance;
    ice->erodibility = erodibility;
    return SILT_OK;
}

// Beds of rock and sides stay as they were when it began; so does a line that no one has named.
SiltStatus silt_ice_refresh(void *state)
{
    Ice *ice = state;
    SiltStatus status = silt_ice_find_maps(ice);
    if (status != SILT_OK)
        return status;
    ice->ela = isnan(ice->params->ela) ? ice->ela : ice->params->ela;
    silt_ice_choose_rates(ice);
    return SILT_OK;
}

// ---- layers ----

enum { CHANGE, WEAR, ICE, DEPOSITION, DEPOSIT, SPEED, SEDIMENT, WATER };
const char *const silt_ice_layers[] = {"change",    "wear",     "ice",   "deposition", "deposit",
                                       "ice_speed", "sediment", "water", NULL};

const SiltField *silt_ice_field(const void *state, int layer)
{
    const Ice *ice = state;
    const SiltField *fields[] = {[CHANGE] = NULL,           [WEAR] = &ice->wear,
                                 [ICE] = &ice->ice,         [DEPOSITION] = &ice->deposition,
                                 [DEPOSIT] = &ice->deposit, [SPEED] = &ice->speed,
                                 [SEDIMENT] = &ice->debris, [WATER] = ice->lakes.data ? &ice->lakes : NULL};
    return fields[layer];
}

static float change_at(const Ice *ice, int i, int j)
{
    size_t c = (size_t)j * (size_t)ice->terrain->width + (size_t)i;
    return (float)(ice->bed[c] - (double)silt_field_at(&ice->terrain->layers[0]->field, i, j));
}

void silt_ice_show(const void *state, int layer, int j, int begin, int end, float *out)
{
    const Ice *ice = state;
    const SiltField *field = silt_ice_field(state, layer);
    for (int i = begin; i < end; i++)
        out[i] = field ? silt_field_at(field, i, j) : layer == CHANGE ? change_at(ice, i, j) : 0.0f;
}

// ---- by hand ----

// What there is of something that cannot be less than none; returns by how much it grew.
static double change_amount(float *amount, float metres)
{
    float before = *amount, next = before + metres;
    *amount = next > 0.0f ? next : 0.0f;
    return (double)*amount - (double)before;
}

// Raised ground is rock; where it is lowered, loose material goes first. The ice stays on it, as thick as it
// is.
static double change_ground(Ice *ice, int i, int j, float metres)
{
    const double highest = 1e6; // m
    double *bed = &ice->bed[(size_t)j * (size_t)ice->terrain->width + (size_t)i];
    double before = *bed, next = before + (double)metres;
    *bed = next > highest ? highest : next < -highest ? -highest : next;
    if (*bed < before)
        change_amount(silt_field_row(&ice->deposit, j) + i, (float)(*bed - before));
    return *bed - before;
}

void silt_ice_edit(void *state, SiltEditRow *row)
{
    Ice *ice = state;
    for (int k = 0; k < row->count; k++) {
        int i = row->i + k, j = row->j;
        if (silt_terrain_is_nodata(ice->terrain, i, j))
            continue;
        if (row->what == SILT_EDIT_GROUND)
            row->added += change_ground(ice, i, j, row->metres[k]);
        else if (row->what == SILT_EDIT_ICE)
            row->added += ICE_WATER * change_amount(silt_field_row(&ice->ice, j) + i, row->metres[k]);
        else
            row->added += change_amount(silt_field_row(&ice->debris, j) + i, row->metres[k]);
    }
}

// ---- store ----

double silt_ice_water(const Ice *ice)
{
    double held = silt_field_sum(&ice->ice) + silt_field_sum(&ice->owed);
    return held * ICE_WATER + (ice->lakes.data ? silt_field_sum(&ice->lakes) : 0.0);
}

static double sum_rows(void *context, int begin, int end)
{
    const Ice *ice = context;
    const SiltTerrain *terrain = ice->terrain;
    double sum = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j))
                sum += (double)silt_field_at(&terrain->layers[0]->field, i, j) +
                       (double)change_at(ice, i, j) + (double)silt_field_at(&ice->debris, i, j);
    return sum;
}

SiltStatus silt_ice_store(void *state, SiltTerrain *terrain, SiltLedger *ledger)
{
    Ice *ice = state;
    double area = terrain->cell * terrain->cell;
    ledger->rock.stored = silt_parallel_sum(terrain->height, sum_rows, ice) * area;
    ledger->water.stored = silt_ice_water(ice) * area;
    return SILT_OK;
}
