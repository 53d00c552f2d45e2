// What `voxel` takes for what is not given, so that a first run with nothing set shows what it does: it fits
// the map. As gravity has it, lengths go with the cell, speeds with its root and rates with its power of 2.5,
// so that the same shape wears alike at any size.
#include <math.h>

#include "core/parallel.h"
#include "core/status.h"
#include "couple/voxel_model.h"
#include "physics/elementary.h"

enum { REACH = 6, MARGIN = 12, BACK = 5, HALF = 4, JUMP = 5 }; // cells
enum { LOOK_EVERY = 64 };                                      // rows, whether to go on
enum { X, Y, Z, LENGTH, WIDTH, HEIGHT, RATE, SPEED_U, SPEED_V };
static const double gravity = 9.81;

void silt_voxel_fit(SiltVoxel *v, const SiltTerrain *terrain)
{
    const SiltVoxelParams *p = v->params;
    double cell = terrain->cell, spacing = p->spacing > 0.0 ? p->spacing : 0.5 * cell;
    double water = p->mass > 0.0 ? p->mass / 1000.0 : spacing * spacing * spacing;
    // all particles together can hold six cells' depth of the map
    double layer = 6.0 * cell * cell * cell * terrain->width * terrain->height;
    bool by_paper = p->exchange == SILT_VOXEL_PAPER; // per step
    v->most = isnan(p->most) ? fmin(fmax(layer / (water * p->particles), 1.0), 60.0) : p->most;
    v->fitted_capacity = v->most / (3.0 * sqrt(gravity * cell));
    v->fitted_normal = by_paper ? 0.1 : 0.5 / cell;
    v->fitted_tangent = by_paper ? 0.15 : 0.03 / cell;
    v->fitted_deposit = by_paper ? 2.0 : 2.0 / sqrt(cell);
}

// ---- a stream over the steepest drop ----

typedef struct Brink {
    int i, j;   // where the ground falls most
    int di, dj; // towards where it falls
    double drop, score;
} Brink;

static double ground_at(const SiltHeightfield *field, int i, int j)
{
    return (double)field->ground[(size_t)j * (size_t)field->width + (size_t)i];
}

// Of equal ones that nearest to the middle, so that a straight cliff gets its stream there.
// False: somebody wants the run to stop.
static bool find_brink(const SiltHeightfield *field, Brink *out)
{
    static const int ways[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    Brink best = {.score = -1e300};
    for (int j = MARGIN; j < field->height - MARGIN; j++) {
        if (j % LOOK_EVERY == 0 && silt_is_stopped())
            return false;
        for (int i = MARGIN; i < field->width - MARGIN; i++) {
            double off = silt_hypot(i - 0.5 * field->width, j - 0.5 * field->height);
            for (int k = 0; k < 8 && !silt_terrain_is_nodata(field->terrain, i, j); k++) {
                int di = ways[k][0], dj = ways[k][1], reach = di && dj ? 2 * REACH / 3 : REACH;
                if (silt_terrain_is_nodata(field->terrain, i + reach * di, j + reach * dj))
                    continue;
                double drop = ground_at(field, i, j) - ground_at(field, i + reach * di, j + reach * dj);
                double score = drop - 0.01 * (double)field->cell * off;
                if (score > best.score)
                    best = (Brink){i, j, di, dj, drop, score};
            }
        }
    }
    *out = best;
    return true;
}

bool silt_voxel_fit_stream(SiltVoxel *v, const SiltHeightfield *field)
{
    double cell = (double)field->cell, *row = v->stream, top = -1e300;
    Brink brink;
    v->own_sources = (SiltList){0, SILT_VOXEL_SOURCE_NUMBERS, row};
    if (!find_brink(field, &brink))
        return false;
    if (!(brink.drop > 0.5 * cell))
        return true;
    int i = brink.i - BACK * brink.di, j = brink.j - BACK * brink.dj;
    for (int y = j - HALF; y < j + HALF; y++)
        for (int x = i - HALF; x < i + HALF; x++)
            top = fmax(top, ground_at(field, x, y));
    double length = silt_hypot(brink.di, brink.dj), speed = 1.2 * sqrt(gravity * cell);
    row[X] = (i - HALF) * cell;
    row[Y] = (j - HALF) * cell;
    row[Z] = field->low + top + 0.3 * cell;
    row[LENGTH] = row[WIDTH] = 2.0 * HALF * cell;
    row[HEIGHT] = 2.0 * cell;
    row[RATE] = 150.0 * cell * cell * sqrt(cell);
    row[SPEED_U] = speed * brink.di / length;
    row[SPEED_V] = speed * brink.dj / length;
    v->own_sources.count = 1;
    return true;
}

static bool is_usual(const SiltVoxelParams *p)
{
    return isnan(p->rain) && p->boxes.count == 0 && p->sources.count == 0;
}

const SiltList *silt_voxel_sources(const SiltVoxel *v)
{
    return is_usual(v->params) && v->own_sources.count > 0 ? &v->own_sources : &v->params->sources;
}

double silt_voxel_fit_rain(const SiltVoxel *v)
{
    const SiltVoxelParams *p = v->params;
    return is_usual(p) ? 0.5 * p->particles / (4.0 * sqrt(v->fluid.field.terrain->cell)) : 0.0;
}

// ---- ground that is no surface ----

// Whether the ground jumps between two neighbours that both have data.
static bool jumps(const SiltHeightfield *field, int i, int j, int di, int dj)
{
    return !silt_terrain_is_nodata(field->terrain, i, j) &&
           !silt_terrain_is_nodata(field->terrain, i + di, j + dj) &&
           fabs(ground_at(field, i + di, j + dj) - ground_at(field, i, j)) > JUMP * (double)field->cell;
}

void silt_voxel_warn_jumps(const SiltHeightfield *field)
{
    int64_t count = 0, pairs = 2 * (int64_t)field->width * field->height - field->width - field->height;
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            count += i + 1 < field->width && jumps(field, i, j, 1, 0);
            count += j + 1 < field->height && jumps(field, i, j, 0, 1);
        }
    if (count * 10 > pairs)
        silt_warn("%s: the ground jumps by more than %d cells in %.0f %% of all steps from cell to cell: "
                  "spikes one "
                  "voxel wide are no surface, and a few hundredths of what moves are corrected there; "
                  "use a smaller cell",
                  silt_voxel_owner, JUMP, 100.0 * (double)count / (double)pairs);
}
