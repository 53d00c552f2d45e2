// Nearest seeds, exactly and quickly. The grid is cut into tiles; the seeds that can be nearest to some cell
// of a tile lie within a known distance of its middle and are gathered from buckets. Then the tile is
// quartered, and each quarter keeps only the seeds that the one nearest to its middle does not beat
// everywhere in it, until one is left or the quarter is small.
#include "generate/voronoi.h"

#include <math.h>

#include "core/memory.h"
#include "core/simd.h"
#include "core/status.h"
#include "physics/random.h"

enum { LEAF = 4, LARGEST_TILE = 64, LEVELS = 6 };

static SiltStatus allocate(SiltLattice lattice, int count, SiltVoronoi *out)
{
    *out = (SiltVoronoi){.lattice = lattice, .count = count};
    if (count < 1)
        return silt_fail(SILT_BAD_ARGUMENT, "%d random cells: there must be at least one", count);
    int64_t wide = silt_lattice_length(&lattice, lattice.width);
    int64_t high = silt_lattice_length(&lattice, lattice.height);
    // buckets as small as leaves about a seed in each
    int shift = 28;
    while (shift > 0 && ((wide >> (shift - 1)) + 1) * ((high >> (shift - 1)) + 1) <= (int64_t)count + 1)
        shift--;
    out->bucket_shift = shift;
    out->bucket_columns = (int)(wide >> shift) + 1;
    out->bucket_rows = (int)(high >> shift) + 1;
    size_t n = (size_t)count, buckets = (size_t)out->bucket_columns * (size_t)out->bucket_rows;
    SiltStatus status = silt_alloc_for("random cells", n, sizeof(int32_t), (void **)&out->x);
    if (status == SILT_OK)
        status = silt_alloc_for("random cells", n, sizeof(int32_t), (void **)&out->y);
    if (status == SILT_OK)
        status = silt_alloc_for("random cells", buckets + 2, sizeof(int), (void **)&out->bucket_start);
    if (status == SILT_OK)
        status = silt_alloc_for("random cells", n, sizeof(int), (void **)&out->bucket_seed);
    if (status != SILT_OK)
        silt_voronoi_destroy(out);
    return status;
}

void silt_voronoi_destroy(SiltVoronoi *voronoi)
{
    silt_free(voronoi->x);
    silt_free(voronoi->y);
    silt_free(voronoi->bucket_start);
    silt_free(voronoi->bucket_seed);
    *voronoi = (SiltVoronoi){0};
}

static int bucket_of(const SiltVoronoi *v, int k)
{
    return (v->y[k] >> v->bucket_shift) * v->bucket_columns + (v->x[k] >> v->bucket_shift);
}

static void fill_buckets(SiltVoronoi *v)
{
    int *start = v->bucket_start; // start[b + 2] counts bucket b, then start[b + 1] says where it goes on
    int buckets = v->bucket_columns * v->bucket_rows;
    for (int k = 0; k < v->count; k++)
        start[bucket_of(v, k) + 2]++;
    for (int b = 2; b < buckets + 2; b++)
        start[b] += start[b - 1];
    for (int k = 0; k < v->count; k++)
        v->bucket_seed[start[bucket_of(v, k) + 1]++] = k;
}

SiltStatus silt_voronoi_draw(SiltLattice lattice, int count, uint64_t seed, uint32_t stream, uint32_t draw,
                             SiltVoronoi *out)
{
    SiltStatus status = allocate(lattice, count, out);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < count; k += 2) {
        SiltRandom random = silt_random(seed, stream, (uint64_t)k, draw);
        for (int m = 0; m < 2 && k + m < count; m++) {
            out->x[k + m] = (int32_t)silt_lattice_random(&lattice, lattice.width, random.word[2 * m]);
            out->y[k + m] = (int32_t)silt_lattice_random(&lattice, lattice.height, random.word[2 * m + 1]);
        }
    }
    fill_buckets(out);
    return SILT_OK;
}

SiltStatus silt_voronoi_create(SiltLattice lattice, int count, const int32_t *x, const int32_t *y,
                               SiltVoronoi *out)
{
    SiltStatus status = allocate(lattice, count, out);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < count; k++) {
        if (x[k] < 0 || y[k] < 0 || x[k] > silt_lattice_length(&lattice, lattice.width) ||
            y[k] > silt_lattice_length(&lattice, lattice.height)) {
            silt_voronoi_destroy(out);
            return silt_fail(SILT_BAD_ARGUMENT, "random cells: seed %d lies outside the map", k);
        }
        out->x[k] = x[k];
        out->y[k] = y[k];
    }
    fill_buckets(out);
    return SILT_OK;
}

// ---- which seeds matter where ----

static int64_t square(int64_t x)
{
    return x * x;
}

static int64_t distance2(const SiltVoronoi *v, int seed, int64_t x, int64_t y)
{
    return square(x - v->x[seed]) + square(y - v->y[seed]);
}

static int clamp(int64_t value, int high)
{
    return value < 0 ? 0 : value > high ? high : (int)value;
}

typedef struct Buckets {
    int c0, r0, c1, r1; // columns and rows, ends included
} Buckets;

static Buckets buckets_within(const SiltVoronoi *v, int64_t x, int64_t y, int64_t reach)
{
    return (Buckets){clamp((x - reach) >> v->bucket_shift, v->bucket_columns - 1),
                     clamp((y - reach) >> v->bucket_shift, v->bucket_rows - 1),
                     clamp((x + reach) >> v->bucket_shift, v->bucket_columns - 1),
                     clamp((y + reach) >> v->bucket_shift, v->bucket_rows - 1)};
}

// Adds the seeds of a rectangle of buckets to `list`; each row of buckets is one run of seeds.
static int gather(const SiltVoronoi *v, Buckets b, int *list)
{
    int count = 0;
    for (int row = b.r0; row <= b.r1; row++) {
        int first = v->bucket_start[row * v->bucket_columns + b.c0];
        int last = v->bucket_start[row * v->bucket_columns + b.c1 + 1];
        for (int k = first; k < last; k++)
            list[count++] = v->bucket_seed[k];
    }
    return count;
}

static int64_t nearest_distance2(const SiltVoronoi *v, const int *list, int count, int64_t x, int64_t y)
{
    int64_t best = INT64_MAX;
    for (int k = 0; k < count; k++) {
        int64_t d = distance2(v, list[k], x, y);
        best = d < best ? d : best;
    }
    return best;
}

static int keep_within(const SiltVoronoi *v, int *list, int count, int64_t x, int64_t y, int64_t bound)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        int seed = list[k];
        list[kept] = seed;
        kept += distance2(v, seed, x, y) <= bound * bound;
    }
    return kept;
}

// Seeds that may be nearest to a point at most `half` from (x, y). With d the distance of the nearest seed to
// (x, y), every such seed is within d + 2 half; an upper bound of d will do.
static int gather_near(const SiltVoronoi *v, int64_t x, int64_t y, int64_t half, int *list)
{
    int64_t reach = ((int64_t)1 << v->bucket_shift) / 2 + half + 1, best = INT64_MAX;
    int count = 0;
    for (; best == INT64_MAX; reach *= 2) {
        count = gather(v, buckets_within(v, x, y, reach), list);
        best = nearest_distance2(v, list, count, x, y);
        if (best != INT64_MAX)
            break;
    }
    int64_t bound = (int64_t)sqrt((double)best) + 2 + 2 * half;
    if (bound > reach)
        count = gather(v, buckets_within(v, x, y, bound), list);
    return keep_within(v, list, count, x, y, bound);
}

// Whether seed t is at least as near as s, and wins, at every point of the rectangle: the difference of the
// squared distances is linear in x and in y, so its largest value is at a corner.
static bool beats(const SiltVoronoi *v, int t, int s, const int64_t x[2], const int64_t y[2])
{
    int64_t x0 = square(x[0] - v->x[t]) - square(x[0] - v->x[s]);
    int64_t x1 = square(x[1] - v->x[t]) - square(x[1] - v->x[s]);
    int64_t y0 = square(y[0] - v->y[t]) - square(y[0] - v->y[s]);
    int64_t y1 = square(y[1] - v->y[t]) - square(y[1] - v->y[s]);
    int64_t most = (x0 > x1 ? x0 : x1) + (y0 > y1 ? y0 : y1);
    return most < 0 || (most == 0 && t < s);
}

static int prune(const SiltVoronoi *v, SiltWindow w, const int *from, int count, int *to)
{
    int64_t x[2] = {silt_lattice_centre(&v->lattice, w.i0), silt_lattice_centre(&v->lattice, w.i1 - 1)};
    int64_t y[2] = {silt_lattice_centre(&v->lattice, w.j0), silt_lattice_centre(&v->lattice, w.j1 - 1)};
    int64_t cx = (x[0] + x[1]) / 2, cy = (y[0] + y[1]) / 2, best = INT64_MAX;
    int winner = 0;
    for (int k = 0; k < count; k++) {
        int64_t d = distance2(v, from[k], cx, cy);
        if (d < best || (d == best && from[k] < winner)) {
            best = d;
            winner = from[k];
        }
    }
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (from[k] == winner || !beats(v, winner, from[k], x, y))
            to[kept++] = from[k];
    return kept;
}

typedef struct Label {
    const SiltVoronoi *voronoi;
    SiltWindow window;
    int32_t *labels;
} Label;

static int32_t *label_row(const Label *label, int j)
{
    size_t wide = (size_t)(label->window.i1 - label->window.i0);
    return label->labels + (size_t)(j - label->window.j0) * wide - label->window.i0;
}

static void fill(const Label *label, SiltWindow w, int32_t seed)
{
    for (int j = w.j0; j < w.j1; j++) {
        int32_t *row = label_row(label, j);
        for (int i = w.i0; i < w.i1; i++)
            row[i] = seed;
    }
}

// The seed of least squared distance for each cell of a square of LEAF cells a side, of which (x, y) is the
// first middle and `unit` the distance between two. From cell to cell the squared distance grows by a term
// that is the same for all seeds, left out here, and by a constant: additions are all it takes. Seeds come in
// the order of their index, so the first of equals stays.
SILT_CLONES
static void nearest_of(const SiltVoronoi *v, const int *list, int count, int64_t x, int64_t y, int64_t unit,
                       int64_t winner[LEAF * LEAF])
{
    int64_t best[LEAF * LEAF];
    for (int c = 0; c < LEAF * LEAF; c++)
        best[c] = INT64_MAX;
    for (int k = 0; k < count; k++) {
        int64_t dx = x - v->x[list[k]], dy = y - v->y[list[k]], seed = list[k];
        int64_t value = dx * dx + dy * dy, right = 2 * unit * dx, down = 2 * unit * dy;
        int64_t d[LEAF * LEAF];
        for (int c = 0; c < LEAF; c++, value += down) {
            d[LEAF * c] = value;
            for (int m = 1; m < LEAF; m++)
                d[LEAF * c + m] = d[LEAF * c + m - 1] + right;
        }
        for (int c = 0; c < LEAF * LEAF; c++) {
            winner[c] = d[c] < best[c] ? seed : winner[c];
            best[c] = d[c] < best[c] ? d[c] : best[c];
        }
    }
}

static void compare(const Label *label, SiltWindow w, int *list, int count)
{
    const SiltLattice *lattice = &label->voronoi->lattice;
    for (int k = 1; k < count; k++) {
        int seed = list[k], at = k;
        for (; at > 0 && list[at - 1] > seed; at--)
            list[at] = list[at - 1];
        list[at] = seed;
    }
    int64_t winner[LEAF * LEAF] = {0};
    nearest_of(label->voronoi, list, count, silt_lattice_centre(lattice, w.i0),
               silt_lattice_centre(lattice, w.j0), silt_lattice_length(lattice, 1), winner);
    for (int j = w.j0; j < w.j1; j++)
        for (int i = w.i0; i < w.i1; i++)
            label_row(label, j)[i] = (int32_t)winner[(j - w.j0) * LEAF + i - w.i0];
}

// `room` takes the seeds kept, and behind them those of the quarters.
static void label_block(const Label *label, SiltWindow w, const int *from, int count, int *room)
{
    int kept = prune(label->voronoi, w, from, count, room);
    if (kept == 1) {
        fill(label, w, room[0]);
        return;
    }
    int wide = w.i1 - w.i0, high = w.j1 - w.j0;
    if (wide <= LEAF && high <= LEAF) {
        compare(label, w, room, kept);
        return;
    }
    int im = wide > LEAF ? w.i0 + wide / 2 : w.i1, jm = high > LEAF ? w.j0 + high / 2 : w.j1;
    SiltWindow quarters[4] = {
        {w.i0, w.j0, im, jm}, {im, w.j0, w.i1, jm}, {w.i0, jm, im, w.j1}, {im, jm, w.i1, w.j1}};
    for (int q = 0; q < 4; q++)
        if (quarters[q].i1 > quarters[q].i0 && quarters[q].j1 > quarters[q].j0)
            label_block(label, quarters[q], room, kept, room + kept);
}

static int tile_side(const SiltVoronoi *v)
{
    int side = LEAF;
    while (side < LARGEST_TILE && silt_lattice_length(&v->lattice, side * 2) <= (int64_t)1 << v->bucket_shift)
        side *= 2;
    return side;
}

SiltStatus silt_voronoi_label(const SiltVoronoi *voronoi, SiltWindow window, int32_t *labels)
{
    Label label = {voronoi, window, labels};
    void *block; // one list for the tile and one a level of quarters, each no longer than the one before
    SiltStatus status =
        silt_alloc_for("random cells", (size_t)voronoi->count * (LEVELS + 1), sizeof(int), &block);
    if (status != SILT_OK)
        return status;
    int *list = block, side = tile_side(voronoi);
    for (int j = window.j0; j < window.j1; j += side)
        for (int i = window.i0; i < window.i1; i += side) {
            SiltWindow tile = {i, j, i + side < window.i1 ? i + side : window.i1,
                               j + side < window.j1 ? j + side : window.j1};
            const SiltLattice *l = &voronoi->lattice;
            int64_t x = (silt_lattice_centre(l, tile.i0) + silt_lattice_centre(l, tile.i1 - 1)) / 2;
            int64_t y = (silt_lattice_centre(l, tile.j0) + silt_lattice_centre(l, tile.j1 - 1)) / 2;
            double wide = (double)silt_lattice_length(l, tile.i1 - tile.i0 - 1);
            double high = (double)silt_lattice_length(l, tile.j1 - tile.j0 - 1);
            int64_t half = (int64_t)(0.5 * sqrt(wide * wide + high * high)) + 2;
            int count = gather_near(voronoi, x, y, half, list);
            label_block(&label, tile, list, count, list + count);
        }
    silt_free(block);
    return SILT_OK;
}
