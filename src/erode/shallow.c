#include "erode/shallow.h"
#include "erode/ground_rows.h"
#include "erode/shallow_rows.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "grid/region.h"
#include "physics/grains.h"
#include "terrain/terrain.h"

// ---- into grains ----

typedef struct FillJob {
    const SiltShallow *shallow;
    const SiltField *from[3]; // layers of the terrain, NULL where it has none: those grains stay zero, and
    const SiltField *to[3];   // their memory untouched
} FillJob;

static void fill_rows(void *context, int begin, int end)
{
    const FillJob *job = context;
    const SiltShallow *shallow = job->shallow;
    const SiltGround *base = shallow->base;
    int width = base->terrain->width;
    for (int j = begin; j < end; j++) {
        int32_t *ground = silt_grains_row(shallow->ground, j);
        silt_ground_grains_row(base, j, ground);
        for (int i = 0; base->terrain->nodata && i < width; i++)
            ground[i] = silt_terrain_is_nodata(base->terrain, i, j) ? SILT_GRAINS_WALL : ground[i];
        for (int k = 0; k < 3; k++)
            for (int i = 0; job->from[k] && i < width; i++)
                if (!silt_terrain_is_nodata(base->terrain, i, j))
                    silt_grains_row(job->to[k], j)[i] = silt_ground_layer_grains(base, job->from[k], i, j);
    }
}

void silt_shallow_fill(const SiltShallow *shallow)
{
    const SiltTerrain *terrain = shallow->base->terrain;
    FillJob job = {shallow,
                   {silt_terrain_layer(terrain, "water"), silt_terrain_layer(terrain, "sediment"),
                    silt_terrain_layer(terrain, "deposit")},
                   {shallow->water, shallow->sediment, shallow->deposit}};
    silt_parallel(terrain->height, 16, fill_rows, &job);
}

typedef struct MostJob {
    const SiltField *field;
    int grain;
    int32_t most[SILT_REDUCE_BLOCKS];
} MostJob;

static void most_of_rows(void *context, int begin, int end)
{
    MostJob *job = context;
    int32_t most = 0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < job->field->width; i++)
            most = silt_maxi(most, silt_grains_row(job->field, j)[i]);
    job->most[begin / job->grain] = most;
}

double silt_shallow_deepest(const SiltShallow *shallow)
{
    MostJob job = {.field = shallow->water, .grain = silt_reduce_span(shallow->water->height)};
    int32_t most = 0;
    silt_parallel(job.field->height, job.grain, most_of_rows, &job);
    for (int block = 0; block < SILT_REDUCE_BLOCKS; block++)
        most = silt_maxi(most, job.most[block]);
    double deepest = most * shallow->base->grain;
    SiltRegion region = silt_region_of(shallow->base->terrain);
    silt_region_fold(&region, SILT_FOLD_MOST, &deepest, 1);
    return deepest;
}

// ---- books ----

typedef struct SumJob {
    const SiltField *ground, *field; // field NULL: counts cells with data
    SiltRegion region;
} SumJob;

SILT_CLONES static int64_t sum_cells(const int32_t *restrict ground, const int32_t *restrict row, int begin,
                                     int end)
{
    int64_t sum = 0;
    for (int i = begin; i < end; i++)
        sum += ground[i] == SILT_GRAINS_WALL ? 0 : row ? row[i] : 1;
    return sum;
}

static double sum_rows(void *context, int begin, int end)
{
    const SumJob *job = context;
    int64_t sum = 0;
    int first = job->region.west, last = job->ground->width - job->region.east;
    int north = job->region.north, south = job->ground->height - job->region.south;
    for (int j = silt_maxi(begin, north); j < silt_mini(end, south); j++)
        sum += sum_cells(silt_grains_row(job->ground, j), job->field ? silt_grains_row(job->field, j) : NULL,
                         first, last);
    return (double)sum;
}

static double cell_area(const SiltShallow *shallow)
{
    double cell = shallow->base->terrain->cell;
    return cell * cell;
}

// Grains of a field on the whole map; NULL: its cells with data.
static double count(const SiltShallow *shallow, const SiltField *field)
{
    SumJob job = {shallow->ground, field, silt_region_of(shallow->base->terrain)};
    double sum = silt_parallel_sum(shallow->ground->height, sum_rows, &job);
    silt_region_fold(&job.region, SILT_FOLD_SUM, &sum, 1);
    return sum;
}

double silt_shallow_volume(const SiltShallow *shallow, const SiltField *field)
{
    return count(shallow, field) * shallow->base->grain * cell_area(shallow);
}

double silt_shallow_rock(const SiltShallow *shallow)
{
    double below = count(shallow, NULL) * shallow->base->low * cell_area(shallow);
    return silt_shallow_volume(shallow, shallow->ground) + silt_shallow_volume(shallow, shallow->sediment) +
           below;
}

static double relieve_rows(void *context, int begin, int end)
{
    const SiltShallow *shallow = context;
    SiltRegion region = silt_region_of(shallow->base->terrain);
    int width = shallow->ground->width, east = width - region.east;
    int64_t lost = 0;
    for (int j = begin; j < end; j++) {
        int32_t *ground = silt_grains_row(shallow->ground, j),
                *deposit = silt_grains_row(shallow->deposit, j);
        int32_t *sediment = silt_grains_row(shallow->sediment, j);
        bool counts = j >= region.north && j < shallow->ground->height - region.south;
        silt_shallow_relieve_cells(ground, deposit, sediment, 0, region.west);
        int64_t own = silt_shallow_relieve_cells(ground, deposit, sediment, region.west, east);
        silt_shallow_relieve_cells(ground, deposit, sediment, east, width);
        lost += counts ? own : 0;
    }
    return (double)lost;
}

void silt_shallow_relieve_all(const SiltShallow *shallow, SiltLedger *ledger)
{
    if (!silt_terrain_layer(shallow->base->terrain, "sediment")) // the water is clear
        return;
    SiltRegion region = silt_region_of(shallow->base->terrain);
    double lost = silt_parallel_sum(shallow->ground->height, relieve_rows, (void *)(uintptr_t)shallow);
    silt_region_fold(&region, SILT_FOLD_SUM, &lost, 1);
    ledger->rock.removed += lost * shallow->base->grain * cell_area(shallow);
}

// ---- coming to rest ----

static void lay_down_rows(void *context, int begin, int end)
{
    const SiltShallow *shallow = context;
    for (int j = begin; j < end; j++) {
        int32_t *ground = silt_grains_row(shallow->ground, j),
                *deposit = silt_grains_row(shallow->deposit, j);
        int32_t *water = silt_grains_row(shallow->water, j),
                *sediment = silt_grains_row(shallow->sediment, j);
        for (int i = 0; i < shallow->ground->width; i++) {
            if (ground[i] == SILT_GRAINS_WALL)
                continue;
            int32_t laid = silt_mini(sediment[i], SILT_GRAINS_WALL - 1 - ground[i]);
            ground[i] += laid;
            deposit[i] += laid;
            sediment[i] -= laid;
            water[i] = 0;
        }
    }
}

bool silt_shallow_rest(const SiltShallow *shallow, SiltSupply *supply, double time, SiltLedger *ledger)
{
    const double longest = 480.0; // s: a three-thousandth of the water is left then
    const int most_steps = 4000;  // where steps are so short that this would take for ever
    if (!supply->params->rest)
        return false;
    if (!supply->stopped) {
        silt_supply_stop(supply);
        supply->rest_until = time + longest;
        return true;
    }
    bool moves = silt_shallow_volume(shallow, shallow->sediment) > 0.0 &&
                 silt_shallow_volume(shallow, shallow->water) > 0.0;
    if (moves && time < supply->rest_until && ++supply->rest_steps < most_steps)
        return true;
    ledger->water.removed += silt_shallow_volume(shallow, shallow->water);
    silt_parallel(shallow->ground->height, 16, lay_down_rows, (void *)(uintptr_t)shallow);
    return false;
}

// ---- out of grains ----

const char *const silt_shallow_layers[] = {"change",     "water", "sediment", "deposit", "wear",
                                           "deposition", "flow",  "speed",    "wetness", NULL};

SILT_CLONES static void show_grains(const int32_t *restrict row, double grain, int begin, int end,
                                    float *restrict out)
{
    for (int i = begin; i < end; i++)
        out[i] = silt_metres_of(row[i], grain);
}

bool silt_shallow_show(const SiltShallow *shallow, int layer, int j, int begin, int end, float *out)
{
    const SiltField *plain[] = {
        [SILT_SHALLOW_WATER] = shallow->water,
        [SILT_SHALLOW_SEDIMENT] = shallow->sediment,
        [SILT_SHALLOW_DEPOSIT] = shallow->deposit,
        [SILT_SHALLOW_WEAR] = shallow->wear,
    };
    const int32_t *ground = silt_grains_row(shallow->ground, j), *wear = silt_grains_row(shallow->wear, j);
    if (layer >= SILT_SHALLOW_WATER && layer <= SILT_SHALLOW_WEAR)
        show_grains(silt_grains_row(plain[layer], j), shallow->base->grain, begin, end, out);
    if (layer == SILT_SHALLOW_CHANGE)
        silt_ground_change_row(shallow->base, ground, j, begin, end, out);
    if (layer == SILT_SHALLOW_DEPOSITION)
        silt_ground_laid_row(shallow->base, ground, wear, j, begin, end, out);
    return layer <= SILT_SHALLOW_DEPOSITION;
}

// ---- by hand ----

// Raised ground is rock; where it is lowered, loose material goes first.
static int32_t edit_ground(const SiltShallow *shallow, int i, int j, float metres)
{
    int32_t *ground = &silt_grains_row(shallow->ground, j)[i],
            *deposit = &silt_grains_row(shallow->deposit, j)[i];
    int32_t water = silt_grains_row(shallow->water, j)[i];
    int32_t gained =
        silt_ground_edit(shallow->base, i, j, metres, SILT_GRAINS_FLOOR + 1 - silt_mini(*ground, 0),
                         silt_maxi(SILT_GRAINS_WALL - 2 - *ground - water, 0));
    *ground += gained;
    *deposit = silt_maxi(*deposit + silt_mini(gained, 0), 0);
    return gained;
}

static int32_t edit_amount(int32_t *amount, double grains, int32_t most)
{
    int32_t added =
        (int32_t)fmin(fmax(floor(grains + 0.5), -(double)*amount), (double)silt_maxi(most - *amount, 0));
    *amount += added;
    return added;
}

static bool can_edit(const SiltShallow *shallow, const SiltEditRow *row, int i, float metres)
{
    int j = row->j;
    int32_t ground = silt_grains_row(shallow->ground, j)[i], water = silt_grains_row(shallow->water, j)[i];
    double more = (double)metres / shallow->base->grain;
    if (row->what == SILT_EDIT_GROUND)
        return silt_ground_can_edit(shallow->base, i, j, metres, ground, SILT_GRAINS_FLOOR + 2,
                                    SILT_GRAINS_WALL - 2 - water);
    if (row->what == SILT_EDIT_WATER)
        return water + more <= SILT_GRAINS_WALL - 2 - ground;
    return silt_grains_row(shallow->sediment, j)[i] + more <= SILT_GRAINS_LOAD;
}

static void try_edit(const SiltShallow *shallow, SiltEditRow *row)
{
    for (int k = 0; k < row->count; k++) {
        int i = row->i + k;
        if (silt_grains_row(shallow->ground, row->j)[i] == SILT_GRAINS_WALL || row->metres[k] == 0.0f ||
            can_edit(shallow, row, i, row->metres[k]))
            continue;
        row->refused++;
        row->refused_i = i;
    }
}

double silt_shallow_edit(const SiltShallow *shallow, SiltEditRow *row)
{
    if (row->trial) {
        try_edit(shallow, row);
        return 0.0;
    }
    int j = row->j;
    int64_t added = 0;
    int32_t deepest = 0;
    for (int k = 0; k < row->count; k++) {
        int i = row->i + k;
        int32_t ground = silt_grains_row(shallow->ground, j)[i],
                *water = &silt_grains_row(shallow->water, j)[i];
        double grains = (double)row->metres[k] / shallow->base->grain;
        if (ground == SILT_GRAINS_WALL)
            continue;
        if (row->what == SILT_EDIT_GROUND)
            added += edit_ground(shallow, i, j, row->metres[k]);
        else if (row->what == SILT_EDIT_WATER)
            added += edit_amount(water, grains, SILT_GRAINS_WALL - 2 - ground);
        else
            added += edit_amount(&silt_grains_row(shallow->sediment, j)[i], grains, SILT_GRAINS_LOAD);
        deepest = silt_maxi(deepest, *water);
    }
    row->added = (double)added * shallow->base->grain;
    return deepest * shallow->base->grain;
}

// ---- brought back ----

static bool is_sound(const SiltShallow *shallow, int i, int j)
{
    int32_t ground = silt_grains_row(shallow->ground, j)[i], water = silt_grains_row(shallow->water, j)[i];
    int32_t sediment = silt_grains_row(shallow->sediment, j)[i],
            deposit = silt_grains_row(shallow->deposit, j)[i], wear = silt_grains_row(shallow->wear, j)[i];
    return ground == SILT_GRAINS_WALL
               ? water == 0
               : water >= 0 && water <= silt_mini(SILT_GRAINS_WALL, SILT_GRAINS_WALL - ground) &&
                     sediment >= 0 && deposit >= 0 && wear >= 0;
}

SiltStatus silt_shallow_resume(const char *owner, const SiltShallow *shallow)
{
    for (int j = 0; j < shallow->ground->height; j++)
        for (int i = 0; i < shallow->ground->width; i++)
            if (!is_sound(shallow, i, j))
                return silt_fail(
                    SILT_BAD_ARGUMENT,
                    "%s: the saved state is damaged: water or ground of cell (%d, %d) is what no run has",
                    owner, i, j);
    return SILT_OK;
}

// ---- what water can carry ----

SiltEvening silt_shallow_evening(const SiltTerrain *terrain, double reach)
{
    SiltRegion region = silt_region_of(terrain);
    double side = terrain->cell * fmin(region.map_width, region.map_height);
    double cells = (isnan(reach) ? side / 256.0 : reach) / terrain->cell, square = cells * cells;
    double blend = square > 0.0 ? 0.9 / (1.0 + 4.0 * square) : 1.0; // blend + 4 spread < 1
    double spread = blend * square;
    return (SiltEvening){(float)(1.0 - blend - 4.0 * spread), (float)blend, (float)spread};
}

void silt_shallow_warn_pace(const char *owner, double pace, double usual, bool as_paper)
{
    if (as_paper && pace != usual)
        silt_warn("%s: pace = %g does nothing in the paper's way (time_scaling=paper)", owner, pace);
}

// ---- layers ----

SiltStatus silt_erodibility_find(const char *owner, const char *name, const SiltTerrain *terrain,
                                 const SiltField **out)
{
    return silt_terrain_find_layer(terrain, name, "erodibility", "erodibility", owner, out);
}
