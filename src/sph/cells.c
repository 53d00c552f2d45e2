// Neighbour search by sorted cells. Cells are at least as wide as the support, in rows along x, so that all a
// particle can see are nine runs of consecutive particles; along x cells are finer, so that runs are
// short, and a row reaches from its first particle to its last.
// The sort is by cell and then by id: the order is a function of the state, not of how it came about.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "physics/sph_cells.h"
#include "sph/device_water.h"

enum {
    BUCKETS = 256, // ranges of cells that are sorted side by side; one more holds those that go
    FINE = 4,      // cells along x to one support
    MOST = 256,    // particles in a cell before the surplus goes
    FEW = 24,      // up to here insertion is the quickest sort
    SORT_SPAN = 1024,
    LINE_BUCKETS = 16 // whose counts share a cache line
};

// ---- the grid ----

typedef struct Span {
    const SiltSph *sph;
    int grain;
    float low[SILT_REDUCE_BLOCKS][3], high[SILT_REDUCE_BLOCKS][3];
} Span;

static void span_block(void *context, int begin, int end)
{
    Span *span = context;
    const SiltSph *sph = span->sph;
    const float *all[3] = {sph->now.x, sph->now.y, sph->now.z};
    int block = begin / span->grain;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = begin; i < end; i++)
            if (sph->fate[i] == SILT_SPH_STAYS) {
                float at = all[axis][i];
                low = at < low ? at : low;
                high = at > high ? at : high;
            }
        span->low[block][axis] = low;
        span->high[block][axis] = high;
    }
}

static double scaled(const SiltSphCells *cells, int axis, float at)
{
    return silt_cell_scaled(at, cells->low[axis], cells->inverse[axis], cells->size[axis]);
}

static int cell_of(const SiltSphCells *cells, int axis, float at)
{
    return silt_cell_of(at, cells->low[axis], cells->inverse[axis], cells->size[axis]);
}

static int row_of(const SiltSph *sph, int i)
{
    const SiltSphCells *cells = &sph->cells;
    int j = cell_of(cells, 1, sph->now.y[i]);
    int k = cell_of(cells, 2, sph->now.z[i]);
    return k * cells->size[1] + j;
}

static int column_of(const SiltSph *sph, int i)
{
    return cell_of(&sph->cells, 0, sph->now.x[i]);
}

// The least and the greatest of whole numbers are the same in any order.
static void widen_row(SiltSphRow *row, int low, int high)
{
    int known = __atomic_load_n(&row->low, __ATOMIC_RELAXED);
    while (low < known &&
           !__atomic_compare_exchange_n(&row->low, &known, low, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    known = __atomic_load_n(&row->high, __ATOMIC_RELAXED);
    while (high > known &&
           !__atomic_compare_exchange_n(&row->high, &known, high, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

// Particles lie much as they were sorted last: those of a row follow each other.
static void key_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    int row = -1, low = 0, high = -1;
    for (int i = begin; i < end; i++) {
        bool stays = sph->fate[i] == SILT_SPH_STAYS; // others may be no numbers any more
        sph->order[i] = stays ? row_of(sph, i) : -1; // the order itself comes later
        sph->key[i] = stays ? column_of(sph, i) : 0;
        if (!stays)
            continue;
        int column = sph->key[i];
        if (sph->order[i] != row) {
            if (row >= 0)
                widen_row(&sph->cells.row[row], low, high);
            row = sph->order[i];
            low = high = column;
        }
        low = column < low ? column : low;
        high = column > high ? column : high;
    }
    if (row >= 0)
        widen_row(&sph->cells.row[row], low, high);
}

// Each row reaches from its first to its last particle.
static void lay_rows(SiltSph *sph)
{
    SiltSphCells *cells = &sph->cells;
    int rows = cells->size[1] * cells->size[2];
    for (int row = 0; row < rows; row++)
        cells->row[row] = (SiltSphRow){.low = cells->size[0], .high = -1};
    silt_parallel(sph->count, SORT_SPAN, key_block, sph);
}

// The cells of all rows together, where cells are 2^shift as wide.
static double count_cells(const SiltSphCells *cells, int rows, int shift)
{
    double total = 0.0;
    for (int row = 0; row < rows; row++)
        if (cells->row[row].high >= 0)
            total += (cells->row[row].high >> shift) - (cells->row[row].low >> shift) + 1.0;
    return total;
}

static void number_rows(SiltSphCells *cells, int rows)
{
    int at = 0;
    for (int n = 0; n < rows; n++) {
        SiltSphRow *row = &cells->row[n];
        row->base = at;
        if (row->high < 0)
            continue;
        row->low >>= cells->shift;
        row->high >>= cells->shift;
        at += row->high - row->low + 1;
    }
    cells->count = at;
}

void silt_cells_widen(SiltSphCells *cells, int axis, double extent)
{
    cells->inverse[axis] *= 0.5;
    cells->size[axis] = (int)floor(extent * cells->inverse[axis]) + 1;
    cells->crowd *= 2.0;
}

void silt_cells_lay(SiltSph *sph, const double lowest[3], const double highest[3], double extent[3])
{
    SiltSphCells *cells = &sph->cells;
    cells->crowd = MOST;
    cells->shift = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = lowest[axis], high = highest[axis];
        cells->low[axis] = low <= high ? low : 0.0;
        extent[axis] = low <= high ? high - low : 0.0;
        cells->inverse[axis] = (axis == 0 ? FINE : 1.0) / (sph->config.support * 1.0001); // for rounding
        while (extent[axis] * cells->inverse[axis] > 0x1p20)
            cells->inverse[axis] *= 0.5, cells->crowd *= 2.0;
        cells->size[axis] = (int)floor(extent[axis] * cells->inverse[axis]) + 1;
    }
    while ((double)cells->size[1] * cells->size[2] > cells->row_capacity) {
        int axis = cells->size[1] > cells->size[2] ? 1 : 2;
        silt_cells_widen(cells, axis, extent[axis]);
    }
}

void silt_cells_measure(SiltSphCells *cells)
{
    for (int axis = 0; axis < 3; axis++)
        cells->side[axis] = (float)(1.0 / cells->inverse[axis]);
}

// Rows over all particles.
static void lay_grid(SiltSph *sph)
{
    Span span = {.sph = sph, .grain = silt_reduce_span(sph->count)};
    silt_parallel(sph->count, span.grain, span_block, &span);
    double extent[3], low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY, high[axis] = -INFINITY;
        for (int block = 0; block * span.grain < sph->count; block++) {
            low[axis] = fmin(low[axis], (double)span.low[block][axis]);
            high[axis] = fmax(high[axis], (double)span.high[block][axis]);
        }
    }
    silt_cells_lay(sph, low, high, extent);
    SiltSphCells *cells = &sph->cells;
    lay_rows(sph);
    for (int rows = cells->size[1] * cells->size[2]; count_cells(cells, rows, cells->shift) > cells->capacity;
         cells->shift++)
        silt_cells_widen(cells, 0, extent[0]);
    number_rows(cells, cells->size[1] * cells->size[2]);
    silt_cells_measure(&sph->cells);
}

// ---- sorting ----

typedef struct Sort {
    SiltSph *sph;
    int grain;               // particles a block
    int width;               // cells a bucket
    int bucket[BUCKETS + 2]; // where each begins
    int crowded[BUCKETS];
} Sort;

static int bucket_of(const Sort *sort, int key)
{
    return key == sort->sph->cells.count ? BUCKETS : key / sort->width;
}

static void count_block(void *context, int begin, int end)
{
    Sort *sort = context;
    SiltSph *sph = sort->sph;
    int *counts = sph->block_count + (size_t)(begin / sort->grain) * (BUCKETS + 1);
    for (int b = 0; b <= BUCKETS; b++)
        counts[b] = 0;
    for (int i = begin; i < end; i++) {
        int row = sph->order[i];
        const SiltSphRow *at = &sph->cells.row[row < 0 ? 0 : row];
        int key = row < 0 ? sph->cells.count : at->base + (sph->key[i] >> sph->cells.shift) - at->low;
        sph->key[i] = key;
        counts[bucket_of(sort, key)]++;
    }
}

// How many each bucket holds.
static void sum_buckets(void *context, int begin, int end)
{
    Sort *sort = context;
    for (int b = begin; b < end; b++)
        sort->bucket[b] = 0;
    for (int first = 0, block = 0; first < sort->sph->count; first += sort->grain, block++) {
        const int *counts = sort->sph->block_count + (size_t)block * (BUCKETS + 1);
        for (int b = begin; b < end; b++)
            sort->bucket[b] += counts[b];
    }
}

// From counts to where each block's share of each bucket begins.
static void share_buckets(void *context, int begin, int end)
{
    Sort *sort = context;
    int at[LINE_BUCKETS];
    for (int b = begin; b < end; b++)
        at[b - begin] = sort->bucket[b];
    for (int first = 0, block = 0; first < sort->sph->count; first += sort->grain, block++) {
        int *counts = sort->sph->block_count + (size_t)block * (BUCKETS + 1);
        for (int b = begin; b < end; b++) {
            int count = counts[b];
            counts[b] = at[b - begin];
            at[b - begin] += count;
        }
    }
}

static void lay_buckets(Sort *sort)
{
    silt_parallel(BUCKETS + 1, LINE_BUCKETS, sum_buckets, sort);
    int at = 0;
    for (int b = 0; b <= BUCKETS; b++) {
        int count = sort->bucket[b];
        sort->bucket[b] = at;
        at += count;
    }
    sort->bucket[BUCKETS + 1] = at;
    silt_parallel(BUCKETS + 1, LINE_BUCKETS, share_buckets, sort);
}

static void deal_block(void *context, int begin, int end)
{
    Sort *sort = context;
    SiltSph *sph = sort->sph;
    int *next = sph->block_count + (size_t)(begin / sort->grain) * (BUCKETS + 1);
    for (int i = begin; i < end; i++)
        sph->scratch[next[bucket_of(sort, sph->key[i])]++] = i;
}

static void sort_few(const int64_t *id, int *order, int count)
{
    for (int k = 1; k < count; k++) {
        int held = order[k], n = k;
        for (; n > 0 && id[order[n - 1]] > id[held]; n--)
            order[n] = order[n - 1];
        order[n] = held;
    }
}

// A cell that holds a crowd: heap sort by id, in place.
static void sift(const int64_t *id, int *order, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && id[order[child + 1]] > id[order[child]])
            child++;
        if (id[order[root]] >= id[order[child]])
            return;
        int held = order[root];
        order[root] = order[child];
        order[child] = held;
    }
}

static void sort_many(const int64_t *id, int *order, int count)
{
    for (int k = count / 2; k-- > 0;)
        sift(id, order, k, count);
    for (int k = count; k-- > 1;) {
        int held = order[0];
        order[0] = order[k];
        order[k] = held;
        sift(id, order, 0, k);
    }
}

// Within a bucket: a counting sort by cell, then by id in each cell.
static void sort_bucket(void *context, int begin, int end)
{
    Sort *sort = context;
    SiltSph *sph = sort->sph;
    int crowd = sph->cells.crowd < (double)sph->count ? (int)sph->cells.crowd : sph->count;
    for (int b = begin; b < end; b++) {
        int64_t from_cell = (int64_t)b * sort->width;
        int first = from_cell < sph->cells.count ? (int)from_cell : sph->cells.count;
        int last = sph->cells.count - first < sort->width ? sph->cells.count : first + sort->width;
        int low = sort->bucket[b], high = sort->bucket[b + 1];
        int *start = sph->cells.start;
        for (int cell = first; cell < last; cell++)
            start[cell] = 0;
        for (int n = low; n < high; n++)
            start[sph->key[sph->scratch[n]]]++;
        for (int cell = first, at = low; cell < last; cell++) {
            at += start[cell];
            start[cell] = at; // its end, for now
        }
        for (int n = high; n-- > low;)
            sph->order[--start[sph->key[sph->scratch[n]]]] = sph->scratch[n];
        sort->crowded[b] = 0;
        for (int cell = first; cell < last; cell++) {
            int from = start[cell], count = (cell + 1 < last ? start[cell + 1] : high) - from;
            if (count > FEW)
                sort_many(sph->now.id, sph->order + from, count);
            else
                sort_few(sph->now.id, sph->order + from, count);
            for (int n = crowd; n < count; n++) {
                sph->fate[sph->order[from + n]] = SILT_SPH_CROWDED;
                sort->crowded[b]++;
            }
        }
    }
}

static void copy_block(void *context, int begin, int end)
{
    SiltSph *sph = context;
    const SiltSphArrays *a = &sph->now, *b = &sph->other;
    const float *from[] = {a->x,  a->y,  a->z,  a->u,       a->v,        a->w,
                           a->ax, a->ay, a->az, a->density, a->sediment, a->age};
    float *to[] = {b->x, b->y, b->z, b->u, b->v, b->w, b->ax, b->ay, b->az, b->density, b->sediment, b->age};
    for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
        const float *source = from[k];
        float *target = to[k];
        for (int n = begin; n < end; n++)
            target[n] = source[sph->order[n]];
    }
    for (int n = begin; n < end; n++)
        b->id[n] = a->id[sph->order[n]];
}

static int sort_once(SiltSph *sph)
{
    lay_grid(sph);
    Sort sort = {.sph = sph, .grain = silt_reduce_span(sph->count)};
    sort.width = (sph->cells.count + BUCKETS - 1) / BUCKETS;
    silt_parallel(sph->count, sort.grain, count_block, &sort);
    lay_buckets(&sort);
    silt_parallel(sph->count, sort.grain, deal_block, &sort);
    silt_parallel(BUCKETS, 1, sort_bucket, &sort);
    sph->cells.start[sph->cells.count] = sort.bucket[BUCKETS];
    int crowded = 0;
    for (int b = 0; b < BUCKETS; b++)
        crowded += sort.crowded[b];
    return crowded;
}

// Nearly all stay: eight of them at a look.
static void count_gone(SiltSph *sph)
{
    static_assert(SILT_SPH_STAYS == 0, "eight that stay are a word of zeros");
    for (int i = 0; i < sph->count;) {
        uint64_t eight = 0;
        if (sph->count - i >= 8)
            memcpy(&eight, sph->fate + i, sizeof eight);
        if (sph->count - i >= 8 && eight == 0) {
            i += 8;
            continue;
        }
        if (sph->fate[i] != SILT_SPH_STAYS) {
            sph->gone[sph->fate[i]]++;
            sph->gone_sediment[sph->fate[i]] += (double)sph->now.sediment[i];
        }
        i++;
    }
}

void silt_sph_sort(SiltSph *sph)
{
    if (sph->device) {
        silt_sph_device_sort(sph->device);
        return;
    }
    if (sph->count == 0) {
        sph->cells.count = 0;
        return;
    }
    if (sort_once(sph) > 0) // once more without the surplus of overfull cells
        sort_once(sph);
    count_gone(sph);
    int after = sph->cells.start[sph->cells.count];
    silt_parallel(after, SORT_SPAN, copy_block, sph);
    silt_sph_swap(sph);
    sph->count = after;
    memset(sph->fate, SILT_SPH_STAYS, (size_t)after);
}

// ---- looking around ----

enum { ROWS = 9, ROWS_PADDED = 16 };

// How far along x the sphere of the support reaches into each of the nine rows, as columns from that of the
// place: from > to where it does not.
typedef struct Reach {
    int from[ROWS_PADDED], to[ROWS_PADDED];
} Reach;

// `share` is the place in its cell, 0 to 1.
SILT_CLONES
static void find_reach(const SiltSphCells *cells, float support, const float share[3], Reach *reach)
{
    // distance from the rows before, around and behind: a + b share
    static const float a[ROWS_PADDED] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                       b[ROWS_PADDED] = {1, 0, -1, 1, 0, -1, 1, 0, -1};
    static const float c[ROWS_PADDED] = {0, 0, 0, 0, 0, 0, 1, 1, 1},
                       d[ROWS_PADDED] = {1, 1, 1, 0, 0, 0, -1, -1, -1};
    const float x = share[0], y = share[1], z = share[2], scale = (float)cells->inverse[0];
    const float side_y = cells->side[1], side_z = cells->side[2], h2 = support * support * 1.001f;
    for (int n = 0; n < ROWS_PADDED; n++) {
        float dy = (a[n] + b[n] * y) * side_y, dz = (c[n] + d[n] * z) * side_z;
        SiltCellReach found = silt_cell_reach(x, dy, dz, h2, scale);
        reach->from[n] = found.from;
        reach->to[n] = found.to;
    }
}

void silt_sph_runs(const SiltSph *sph, float x, float y, float z, SiltSphRuns *runs)
{
    const SiltSphCells *cells = &sph->cells;
    runs->count = 0;
    if (cells->count == 0)
        return;
    double place[3] = {scaled(cells, 0, x), scaled(cells, 1, y), scaled(cells, 2, z)};
    int i = silt_cell_whole(place[0]), j = silt_cell_whole(place[1]), k = silt_cell_whole(place[2]);
    float share[3] = {(float)(place[0] - i), (float)(place[1] - j), (float)(place[2] - k)};
    Reach reach;
    find_reach(cells, sph->law.h, share, &reach);
    int count = 0;
    for (int n = 0; n < ROWS; n++) {
        int jj = j + n % 3 - 1, kk = k + n / 3 - 1;
        bool inside = (unsigned)jj < (unsigned)cells->size[1] && (unsigned)kk < (unsigned)cells->size[2];
        SiltSphRow row = cells->row[inside ? kk * cells->size[1] + jj : 0];
        int from = i + reach.from[n], to = i + reach.to[n];
        from = from > row.low ? from : row.low;
        to = to < row.high ? to : row.high;
        bool some = inside & (from <= to);
        runs->begin[count] = cells->start[some ? row.base + from - row.low : 0];
        runs->end[count] = cells->start[some ? row.base + to - row.low + 1 : 0];
        count += runs->begin[count] < runs->end[count];
    }
    runs->count = count;
}

void silt_sph_visit(const SiltSph *sph, const float position[3], SiltSphVisitFn visit, void *context)
{
    const SiltSphArrays *a = &sph->now;
    SiltSphRuns runs;
    silt_sph_runs(sph, position[0], position[1], position[2], &runs);
    int sorted = sph->cells.count > 0 ? sph->cells.start[sph->cells.count] : 0;
    if (sorted < sph->count)
        runs.begin[runs.count] = sorted, runs.end[runs.count++] = sph->count;
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n]; j < runs.end[n]; j++) {
            float dx = position[0] - a->x[j], dy = position[1] - a->y[j], dz = position[2] - a->z[j];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < sph->law.h2)
                visit(context, j, r2);
        }
}

static void find_nearest(void *context, int j, float r2)
{
    (void)j;
    float *nearest = context;
    *nearest = r2 < *nearest ? r2 : *nearest;
}

bool silt_sph_is_taken(const SiltSph *sph, const float position[3], double radius)
{
    float nearest = INFINITY;
    silt_sph_visit(sph, position, find_nearest, &nearest);
    return (double)nearest < radius * radius;
}
