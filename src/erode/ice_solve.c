// The ice at the end of a step, from the links between cells: A x = rhs, where A takes what leaves a cell and
// gives what comes, and no x is below zero. Solved on grids of halved sides (aggregation multigrid: a coarse
// cell is four fine ones, and a coarse link the sum of two), with sweeps over even rows and then over odd
// ones. All of it gathers, so that no thread can show; and because the ice is moved by the links in the end
// (ice_flow.c), what is left unsolved costs no mass.
#include "core/memory.h"
#include "core/simd.h"
#include "erode/ice.h"

static const float damping = 0.8f; // of a sweep
enum { MOST_CYCLES = 8, COARSEST_SWEEPS = 6 };

// ---- one row ----

typedef struct Row {
    const float *restrict own_east, *restrict back_east, *restrict own_south, *restrict back_south;
    const float *restrict north_out, *restrict north_back, *restrict mass, *restrict rhs;
    const float *x, *north, *south;
} Row;

static Row row_of(const IceLevel *level, int j)
{
    size_t k = (size_t)(j + 1) * level->pitch;
    return (Row){level->east_out + k,
                 level->east_back + k,
                 level->south_out + k,
                 level->south_back + k,
                 level->south_out + k - level->pitch,
                 level->south_back + k - level->pitch,
                 level->mass + k,
                 level->rhs + k,
                 level->x + k,
                 level->x + k - level->pitch,
                 level->x + k + level->pitch};
}

// What a cell has and gets, and what multiplies its own x.
SILT_INLINE float comes(const Row *row, int i)
{
    return row->rhs[i] + row->back_east[i] * row->x[i + 1] + row->own_east[i - 1] * row->x[i - 1] +
           row->back_south[i] * row->south[i] + row->north_out[i] * row->north[i];
}

SILT_INLINE float keeps(const Row *row, int i)
{
    return row->mass[i] + row->own_east[i] + row->back_east[i - 1] + row->own_south[i] + row->north_back[i];
}

// A sweep over one row, through `to`: within a row all cells go by the old ones. `least` is 0 for ice, and
// far below for a correction.
SILT_CLONES static void sweep_row(const Row *row, int width, float least, float *restrict to)
{
    for (int i = 1; i <= width; i++) {
        float all = keeps(row, i), wanted = all > 0.0f ? comes(row, i) / all : 0.0f;
        float x = row->x[i] + damping * (wanted - row->x[i]);
        to[i] = x > least ? x : least;
    }
}

SILT_CLONES static float residual_row(const Row *row, int width, float *restrict out)
{
    float worst = 0.0f;
    for (int i = 1; i <= width; i++) {
        float all = keeps(row, i), missing = comes(row, i) - all * row->x[i];
        missing = missing < 0.0f && !(row->x[i] > 0.0f) ? 0.0f : missing; // bare ground may melt no more
        out[i] = missing;
        float size = missing < 0.0f ? -missing : missing;
        worst = size > worst ? size : worst;
    }
    return worst;
}

// How much of a cell's fate is its neighbours': 0 on bare ground, which no coarse grid needs to know of.
SILT_INLINE float tied(const Row *row, int i)
{
    float all = keeps(row, i);
    return all > row->mass[i] ? 1.0f - row->mass[i] / all : 0.0f;
}

// ---- sweeps ----

typedef struct Sweep {
    const IceLevel *level;
    float *scratch; // one row a pair of rows
    float least;
    int parity;
} Sweep;

static void sweep_pairs(void *context, int begin, int end)
{
    const Sweep *sweep = context;
    const IceLevel *level = sweep->level;
    for (int pair = begin; pair < end; pair++) {
        int j = 2 * pair + sweep->parity;
        if (j >= level->height)
            continue;
        Row row = row_of(level, j);
        float *to = sweep->scratch + (size_t)(pair + 1) * level->pitch, *x = level->x + (row.x - level->x);
        sweep_row(&row, level->width, sweep->least, to);
        for (int i = 1; i <= level->width; i++)
            x[i] = to[i];
    }
}

static void sweep_level(const IceLevel *level, float *scratch, float least)
{
    Sweep sweep = {level, scratch, least, 0};
    int pairs = (level->height + 1) / 2, grain = (level->grain + 1) / 2;
    silt_parallel(pairs, grain, sweep_pairs, &sweep);
    sweep.parity = 1;
    silt_parallel(pairs, grain, sweep_pairs, &sweep);
}

// ---- from grid to grid ----

typedef struct Transfer {
    const IceLevel *fine, *coarse;
    float *missing; // on the fine grid
    float worst[SILT_REDUCE_BLOCKS];
    int grain;
} Transfer;

static void residual_rows(void *context, int begin, int end)
{
    Transfer *transfer = context;
    const IceLevel *fine = transfer->fine;
    float worst = 0.0f;
    for (int j = begin; j < end; j++) {
        Row row = row_of(fine, j);
        float most = residual_row(&row, fine->width, transfer->missing + (size_t)(j + 1) * fine->pitch);
        worst = most > worst ? most : worst;
    }
    transfer->worst[begin / transfer->grain] = worst;
}

static float find_residual(const IceLevel *fine, float *missing)
{
    Transfer transfer = {.fine = fine, .missing = missing, .grain = silt_reduce_grain(fine->height)};
    transfer.grain = transfer.grain > fine->grain ? transfer.grain : fine->grain;
    silt_parallel(fine->height, transfer.grain, residual_rows, &transfer);
    float worst = 0.0f;
    for (int k = 0; k * transfer.grain < fine->height; k++)
        worst = transfer.worst[k] > worst ? transfer.worst[k] : worst;
    return worst;
}

static float weighted(const Row *row, const float *missing, int i, int width)
{
    return i <= width ? tied(row, i) * missing[i] : 0.0f;
}

static void restrict_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    const IceLevel *fine = transfer->fine, *coarse = transfer->coarse;
    for (int j = begin; j < end; j++) {
        size_t at = (size_t)(j + 1) * coarse->pitch;
        for (int i = 1; i <= coarse->width; i++) {
            coarse->x[at + (size_t)i] = 0.0f;
            coarse->rhs[at + (size_t)i] = 0.0f;
        }
        for (int half = 0; half < 2 && 2 * j + half < fine->height; half++) {
            Row row = row_of(fine, 2 * j + half);
            const float *missing = transfer->missing + (size_t)(2 * j + half + 1) * fine->pitch;
            for (int i = 1; i <= coarse->width; i++)
                coarse->rhs[at + (size_t)i] += weighted(&row, missing, 2 * i - 1, fine->width) +
                                               weighted(&row, missing, 2 * i, fine->width);
        }
    }
}

static void prolong_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    const IceLevel *fine = transfer->fine, *coarse = transfer->coarse;
    bool finest = transfer->missing == NULL;
    for (int j = begin; j < end; j++) {
        Row row = row_of(fine, j);
        float *x = fine->x + (size_t)(j + 1) * fine->pitch;
        const float *from = coarse->x + (size_t)(j / 2 + 1) * coarse->pitch;
        for (int i = 1; i <= fine->width; i++) {
            float sum = x[i] + tied(&row, i) * from[(i + 1) / 2];
            x[i] = finest && !(sum > 0.0f) ? 0.0f : sum;
        }
    }
}

static float best_of(float a, float b)
{
    return a < b ? a : b;
}

// Differences over a coarse cell are twice as large: of what levels out, half of the sum of the fine links;
// of what flows one way, all of it.
static void sum_links(const float *out, const float *back, size_t a, size_t b, float *coarse_out,
                      float *coarse_back)
{
    float level = best_of(out[a], back[a]) + best_of(out[b], back[b]);
    *coarse_out = out[a] + out[b] - 0.5f * level;
    *coarse_back = back[a] + back[b] - 0.5f * level;
}

static void coarsen_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    const IceLevel *fine = transfer->fine, *coarse = transfer->coarse;
    for (int row = begin; row < end; row++) // the row north of the first too, for its southern faces
        for (int i = 0; i <= coarse->width; i++) {
            size_t k = (size_t)row * coarse->pitch + (size_t)i, below = fine->pitch;
            size_t corner = (size_t)(2 * row) * fine->pitch + (size_t)(2 * i); // the south-eastern of four
            if (i > 0)
                sum_links(fine->south_out, fine->south_back, corner, corner - 1, coarse->south_out + k,
                          coarse->south_back + k);
            if (row > 0) {
                sum_links(fine->east_out, fine->east_back, corner, corner - below, coarse->east_out + k,
                          coarse->east_back + k);
                if (i > 0)
                    coarse->mass[k] = fine->mass[corner] + fine->mass[corner - 1] +
                                      fine->mass[corner - below] + fine->mass[corner - below - 1];
            }
        }
}

// ---- cycles ----

static void cycle(Ice *ice, int k)
{
    const IceLevel *level = &ice->levels[k];
    float least = k == 0 ? 0.0f : -1e30f;
    float *scratch = ice->scratch, *missing = ice->missing;
    if (k + 1 == ice->level_count) {
        for (int n = 0; n < COARSEST_SWEEPS; n++)
            sweep_level(level, scratch, least);
        return;
    }
    const IceLevel *coarse = level + 1;
    Transfer transfer = {.fine = level, .coarse = coarse, .missing = missing};
    sweep_level(level, scratch, least);
    (void)find_residual(level, missing);
    silt_parallel(coarse->height, coarse->grain, restrict_rows, &transfer);
    cycle(ice, k + 1);
    transfer.missing = k == 0 ? NULL : missing;
    silt_parallel(level->height, level->grain, prolong_rows, &transfer);
    sweep_level(level, scratch, least);
}

int ice_solve(Ice *ice, float enough)
{
    for (int k = 0; k + 1 < ice->level_count; k++) {
        Transfer transfer = {.fine = &ice->levels[k], .coarse = &ice->levels[k + 1]};
        silt_parallel(transfer.coarse->height + 1, transfer.coarse->grain, coarsen_rows, &transfer);
    }
    int cycles = 0;
    for (; cycles < MOST_CYCLES; cycles++) {
        cycle(ice, 0);
        if (find_residual(&ice->levels[0], ice->missing) < enough)
            return cycles + 1;
    }
    return cycles;
}

// ---- memory ----

// A row and a half more than the grid, because a coarse cell may hang over its edge.
static SiltStatus make_level(int width, int height, IceLevel *level)
{
    level->width = width;
    level->height = height;
    level->grain = 1 + 8192 / width;
    level->pitch = ((size_t)width + 3 + 15) / 16 * 16;
    float **arrays[] = {&level->east_out, &level->east_back, &level->south_out, &level->south_back,
                        &level->mass,     &level->rhs,       &level->x};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status =
            silt_alloc_for("ice", level->pitch * ((size_t)height + 3), sizeof(float), (void **)arrays[k]);
    return status;
}

SiltStatus ice_levels_create(Ice *ice)
{
    int width = ice->terrain->width, height = ice->terrain->height;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < ICE_MOST_LEVELS && status == SILT_OK; k++) {
        status = make_level(width, height, &ice->levels[k]);
        ice->level_count = k + 1;
        if (width <= 4 || height <= 4)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return status;
}

void ice_levels_destroy(Ice *ice)
{
    for (int k = 0; k < ice->level_count; k++) {
        IceLevel *level = &ice->levels[k];
        float *arrays[] = {level->east_out, level->east_back, level->south_out, level->south_back,
                           level->mass,     level->rhs,       level->x};
        for (size_t n = 0; n < sizeof arrays / sizeof arrays[0]; n++)
            silt_free(arrays[n]);
    }
}
