// What cells gain in a step, from the links between them: A x = rhs, where A takes what leaves a cell and
// gives what comes, and no cell loses more than it has. Solved on grids of halved sides: a coarse cell is
// four fine ones that grow by the same share (aggregation, weighted with the ice there is, as for Markov
// chains: bare ground has no say). Sweeps go over even rows and then over odd ones. All of it gathers, so
// that no thread can show; and because the ice is moved by the links in the end (ice_flow.c), what is left
// unsolved costs no mass.
#include "core/memory.h"
#include "core/simd.h"
#include "erode/ice.h"

static const float damping = 0.9f; // of a sweep
static const float calm = 0.3f;    // share of growth up to which neighbours do alike
enum { FEWEST_CYCLES = 2, MOST_CYCLES = 6, COARSEST_SWEEPS = 6 }; // a cycle leaves a fifth to a half
static const double solved = 0.01; // of the ice: what may be off for no more of them

// ---- one row ----

typedef struct Row {
    const float *restrict own_east, *restrict back_east, *restrict own_south, *restrict back_south;
    const float *restrict north_out, *restrict north_back, *restrict mass, *restrict rhs;
    const float *x, *north, *south, *most;
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
                 level->x + k + level->pitch,
                 level->most + (size_t)(j + 1) * level->most_pitch};
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

// A sweep over one row, through `to`: within a row all cells go by the old ones.
SILT_CLONES static void sweep_row(const Row *row, int width, float *restrict to)
{
    for (int i = 1; i <= width; i++) {
        float all = keeps(row, i), wanted = all > 0.0f ? comes(row, i) / all : 0.0f;
        float x = row->x[i] + damping * (wanted - row->x[i]);
        to[i] = x > -row->most[i] ? x : -row->most[i];
    }
}

// ---- sweeps ----

typedef struct Sweep {
    const IceLevel *level;
    float *scratch; // one row a pair of rows
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
        sweep_row(&row, level->width, to);
        for (int i = 1; i <= level->width; i++)
            x[i] = to[i];
    }
}

static void sweep_level(const IceLevel *level, float *scratch)
{
    Sweep sweep = {level, scratch, 0};
    int pairs = (level->height + 1) / 2, grain = (level->grain + 1) / 2;
    silt_parallel(pairs, grain, sweep_pairs, &sweep);
    sweep.parity = 1;
    silt_parallel(pairs, grain, sweep_pairs, &sweep);
}

// ---- what is missing ----

SILT_CLONES static float sum_of_row(const Row *row, int width)
{
    float sum = 0.0f;
    for (int i = 1; i <= width; i++) {
        float missing = comes(row, i) - keeps(row, i) * row->x[i];
        missing = missing < 0.0f && !(row->x[i] > -row->most[i]) ? 0.0f : missing; // it may lose no more
        sum += missing < 0.0f ? -missing : missing;
    }
    return sum;
}

static double check_rows(void *context, int begin, int end)
{
    const IceLevel *level = context;
    double sum = 0.0;
    for (int j = begin; j < end; j++) {
        Row row = row_of(level, j);
        sum += (double)sum_of_row(&row, level->width);
    }
    return sum;
}

// ---- from grid to grid ----

typedef struct Transfer {
    const IceLevel *fine, *coarse;
    float *scratch; // a row for each fine row
} Transfer;

// What a cell has now: as much as it can lose.
SILT_INLINE float holds(const IceLevel *level, size_t row, size_t i)
{
    return level->most[row * level->most_pitch + i] + level->x[row * level->pitch + i];
}

// Two fine links become a coarse one. Differences over a coarse cell are twice as large: of what levels out
// only half counts, of what flows one way all of it.
typedef struct Pair {
    float out_a, back_a, out_b, back_b; // times what the cells hold
} Pair;

SILT_INLINE void sum_links(Pair pair, float *coarse_out, float *coarse_back)
{
    float level = (pair.out_a < pair.back_a ? pair.out_a : pair.back_a) +
                  (pair.out_b < pair.back_b ? pair.out_b : pair.back_b);
    *coarse_out = pair.out_a + pair.out_b - 0.5f * level;
    *coarse_back = pair.back_a + pair.back_b - 0.5f * level;
}

static void coarsen_cell(const IceLevel *fine, const IceLevel *coarse, size_t row, size_t i)
{
    size_t k = row * coarse->pitch + i, j = 2 * row, c = 2 * i; // the south-eastern of the four
    size_t se = j * fine->pitch + c, below = fine->pitch;
    float here = holds(fine, j, c), east = holds(fine, j, c + 1), south = holds(fine, j + 1, c);
    if (i > 0) {
        float west = holds(fine, j, c - 1), south_west = holds(fine, j + 1, c - 1);
        Pair pair = {fine->south_out[se] * here, fine->south_back[se] * south, fine->south_out[se - 1] * west,
                     fine->south_back[se - 1] * south_west};
        sum_links(pair, coarse->south_out + k, coarse->south_back + k);
    }
    if (row > 0) {
        float north = holds(fine, j - 1, c), north_east = holds(fine, j - 1, c + 1);
        Pair pair = {fine->east_out[se] * here, fine->east_back[se] * east,
                     fine->east_out[se - below] * north, fine->east_back[se - below] * north_east};
        sum_links(pair, coarse->east_out + k, coarse->east_back + k);
    }
    if (row > 0 && i > 0)
        coarse->mass[k] = fine->mass[se] * here + fine->mass[se - 1] * holds(fine, j, c - 1) +
                          fine->mass[se - below] * holds(fine, j - 1, c) +
                          fine->mass[se - below - 1] * holds(fine, j - 1, c - 1);
}

static void coarsen_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    for (int row = begin; row < end; row++) // the row north of the first too, for its southern faces
        for (int i = 0; i <= transfer->coarse->width; i++)
            coarsen_cell(transfer->fine, transfer->coarse, (size_t)row, (size_t)i);
}

// What is missing in a row; a cell that can lose no more misses nothing.
SILT_CLONES static void missing_of_row(const Row *row, int width, float *restrict out)
{
    for (int i = 1; i <= width; i++) {
        float missing = comes(row, i) - keeps(row, i) * row->x[i];
        out[i] = missing < 0.0f && !(row->x[i] > -row->most[i]) ? 0.0f : missing;
    }
}

static void restrict_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    const IceLevel *fine = transfer->fine, *coarse = transfer->coarse;
    for (int j = begin; j < end; j++) {
        float *rhs = coarse->rhs + (size_t)(j + 1) * coarse->pitch, *x = coarse->x + (rhs - coarse->rhs);
        for (int i = 1; i <= coarse->width; i++)
            rhs[i] = x[i] = 0.0f;
        for (int half = 2 * j; half < 2 * j + 2 && half < fine->height; half++) {
            float *missing = transfer->scratch + (size_t)(half + 1) * fine->pitch;
            Row row = row_of(fine, half);
            missing_of_row(&row, fine->width, missing);
            missing[fine->width + 1] = 0.0f;
            for (int i = 1; i <= coarse->width; i++)
                rhs[i] += missing[2 * i - 1] + missing[2 * i];
        }
    }
}

// Between the four coarse cells around a fine one, as far as they have ice: the nearest counts nine times,
// the one across the corner once.
SILT_INLINE float share_at(const IceLevel *coarse, size_t near, ptrdiff_t across, ptrdiff_t along)
{
    size_t cells[] = {near, (size_t)((ptrdiff_t)near + along), (size_t)((ptrdiff_t)near + across),
                      (size_t)((ptrdiff_t)near + across + along)};
    static const float weights[] = {9.0f, 3.0f, 3.0f, 1.0f};
    float sum = weights[0] * coarse->x[near], all = weights[0];
    if (!(sum < calm * all && sum > -calm * all))
        return coarse->x[near];
    for (int n = 1; n < 4; n++) {
        float x = coarse->x[cells[n]];
        float weight = coarse->mass[cells[n]] > 0.0f && x < calm && x > -calm ? weights[n] : 0.0f;
        sum += weight * x;
        all += weight;
    }
    return sum / all;
}

static void prolong_rows(void *context, int begin, int end)
{
    const Transfer *transfer = context;
    const IceLevel *fine = transfer->fine, *coarse = transfer->coarse;
    for (int j = begin; j < end; j++) {
        const float *most = fine->most + (size_t)(j + 1) * fine->most_pitch;
        float *x = fine->x + (size_t)(j + 1) * fine->pitch;
        size_t row = (size_t)(j / 2 + 1) * coarse->pitch;
        ptrdiff_t across = j % 2 ? (ptrdiff_t)coarse->pitch : -(ptrdiff_t)coarse->pitch;
        for (int i = 1; i <= fine->width; i++) {
            float holds_now = most[i] + x[i];
            if (!(holds_now > 0.0f))
                continue;
            float sum =
                x[i] + holds_now * share_at(coarse, row + (size_t)((i + 1) / 2), across, i % 2 ? -1 : 1);
            x[i] = sum > -most[i] ? sum : -most[i];
        }
    }
}

// ---- cycles ----

// False: somebody wants the run to stop, who is asked where a grid is fine.
static bool cycle(Ice *ice, int k)
{
    const IceLevel *level = &ice->levels[k], *coarse = level + 1;
    if (k + 1 == ice->level_count) {
        for (int n = 0; n < COARSEST_SWEEPS; n++)
            sweep_level(level, ice->scratch);
        return true;
    }
    Transfer transfer = {level, coarse, ice->scratch};
    sweep_level(level, ice->scratch);
    if (k == 0 && silt_is_stopped())
        return false;
    silt_parallel(coarse->height + 1, coarse->grain, coarsen_rows, &transfer);
    silt_parallel(coarse->height, coarse->grain, restrict_rows, &transfer);
    if (!cycle(ice, k + 1) || (k == 0 && silt_is_stopped()))
        return false;
    silt_parallel(level->height, level->grain, prolong_rows, &transfer);
    sweep_level(level, ice->scratch);
    return true;
}

bool silt_ice_solve(Ice *ice, double held, double *off)
{
    const IceLevel *finest = &ice->levels[0];
    double cells = (double)finest->width * (double)finest->height;
    *off = 0.0;
    for (int n = 1; n <= MOST_CYCLES; n++) {
        if (!cycle(ice, 0) || silt_is_stopped())
            return false;
        if (n < FEWEST_CYCLES)
            continue;
        *off = silt_parallel_sum(finest->height, check_rows, &ice->levels[0]) / cells;
        if (!(*off > solved * held))
            break;
    }
    return true;
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

SiltStatus silt_ice_levels_create(Ice *ice)
{
    int width = ice->terrain->width, height = ice->terrain->height;
    void *block;
    SiltStatus status = silt_alloc_for("ice", (size_t)width + 4, sizeof(float), &block);
    ice->whole = status == SILT_OK ? block : NULL;
    for (int i = 0; status == SILT_OK && i < width + 4; i++)
        ice->whole[i] = 1.0f;
    for (int k = 0; k < ICE_MOST_LEVELS && status == SILT_OK; k++) {
        status = make_level(width, height, &ice->levels[k]);
        ice->levels[k].most = ice->whole;
        ice->level_count = k + 1;
        if (width <= 4 || height <= 4)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return status;
}

void silt_ice_levels_destroy(Ice *ice)
{
    silt_free(ice->whole);
    for (int k = 0; k < ice->level_count; k++) {
        IceLevel *level = &ice->levels[k];
        float *arrays[] = {level->east_out, level->east_back, level->south_out, level->south_back,
                           level->mass,     level->rhs,       level->x};
        for (size_t n = 0; n < sizeof arrays / sizeof arrays[0]; n++)
            silt_free(arrays[n]);
    }
}
