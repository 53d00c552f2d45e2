// Catchments and the order of cells, on any number of threads. Sums go from ridges down, each thread along a
// stream until it meets one whose other waters are not known yet: whoever comes last goes on. With catchments
// known, so is where in the order each tributary lies.
#include "terrain/order.h"

#include <stdatomic.h>

#include "core/memory.h"
#include "core/parallel.h"

enum {
    PART_CELLS = 1 << 14, // a part of the order is at least as long
    PIECE_LEAST = 32,     // cells of a piece: smaller ones are left to the trunk,
    PIECE_MOST = 1 << 14, // larger ones fall apart into trunk and pieces
    PIECES_AT_ONCE = 8,
};

SiltStatus silt_order_create(SiltDrainage *drainage)
{
    struct SiltDrainageWork *work = drainage->work;
    size_t cells = (size_t)drainage->width * (size_t)drainage->height, parts = cells / PART_CELLS + 2;
    SiltStatus status = silt_alloc_for("drainage", cells, 1, (void **)&work->donors);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells, sizeof(int32_t), (void **)&drainage->order);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", parts, sizeof(int32_t), (void **)&drainage->part);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", parts, sizeof(int32_t), (void **)&work->part_piece);
    if (status == SILT_OK)
        status = silt_alloc_for("drainage", cells / PIECE_LEAST + 1, sizeof(SiltOrderPiece),
                                (void **)&work->pieces);
    return status;
}

void silt_order_destroy(SiltDrainage *drainage)
{
    silt_free(drainage->order);
    silt_free(drainage->part);
    if (!drainage->work)
        return;
    silt_free(drainage->work->donors);
    silt_free(drainage->work->pieces);
    silt_free(drainage->work->part_piece);
}

// ---- how much drains through each cell, and from how far ----

typedef struct Gather {
    SiltDrainage *drainage;
    const uint8_t *donors;
    const int32_t *steps;
    atomic_uchar *missing; // donors that are not known yet
    bool alone;            // on one thread
} Gather;

static int bit_count(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void begin_rows(void *context, int begin, int end)
{
    const Gather *gather = context;
    size_t width = (size_t)gather->drainage->width;
    for (size_t k = (size_t)begin * width; k < (size_t)end * width; k++)
        atomic_store_explicit(&gather->missing[k], (unsigned char)bit_count(gather->donors[k]),
                              memory_order_relaxed);
}

// One donor of the cell more is known; true when all are.
static bool is_last(const Gather *gather, int32_t cell)
{
    atomic_uchar *missing = &gather->missing[cell];
    if (!gather->alone)
        return atomic_fetch_sub_explicit(missing, 1, memory_order_acq_rel) == 1;
    unsigned char left = (unsigned char)(atomic_load_explicit(missing, memory_order_relaxed) - 1);
    atomic_store_explicit(missing, left, memory_order_relaxed);
    return left == 0;
}

static void gather_cell(const Gather *gather, int32_t cell)
{
    SiltDrainage *drainage = gather->drainage;
    uint32_t area = 1;
    float longest = 0.0f;
    for (unsigned from = gather->donors[cell], k = 0; from; from >>= 1, k++) {
        if (!(from & 1))
            continue;
        int32_t donor = cell + gather->steps[k];
        float way = drainage->length[donor] + silt_drainage_step(drainage, donor);
        longest = way > longest ? way : longest;
        area += drainage->area[donor];
    }
    drainage->area[cell] = area;
    drainage->length[cell] = longest;
}

static void gather_rows(void *context, int begin, int end)
{
    const Gather *gather = context;
    const int32_t *receiver = gather->drainage->receiver;
    int32_t width = gather->drainage->width;
    for (int32_t source = begin * width; source < end * width; source++) {
        if (receiver[source] < 0 || gather->donors[source] != 0)
            continue;
        for (int32_t cell = source;;) {
            gather_cell(gather, cell);
            int32_t to = receiver[cell];
            if (to == cell || !is_last(gather, to))
                break;
            cell = to;
        }
    }
}

// ---- the order ----

typedef struct Layout {
    SiltDrainage *drainage;
    const int32_t *steps;
} Layout;

// Puts the cells on the stack and all above them into the order, from `left` down. With pieces the catchments
// of a piece's size are left out but for their last cell, and noted.
static int32_t lay_out(const Layout *layout, int32_t *stack, int32_t top, int32_t left, bool pieces)
{
    SiltDrainage *drainage = layout->drainage;
    struct SiltDrainageWork *work = drainage->work;
    while (top > 0) {
        int32_t cell = stack[--top];
        drainage->order[--left] = cell;
        uint32_t area = drainage->area[cell];
        if (pieces && area >= PIECE_LEAST && area <= PIECE_MOST) {
            int32_t begin = left - (int32_t)area + 1;
            work->pieces[work->piece_count++] = (SiltOrderPiece){begin, left};
            left = begin;
            continue;
        }
        for (unsigned from = work->donors[cell], k = 0; from; from >>= 1, k++)
            if (from & 1)
                stack[top++] = cell + layout->steps[k];
    }
    return left;
}

static void lay_out_pieces(void *context, int begin, int end)
{
    const Layout *layout = context;
    const struct SiltDrainageWork *work = layout->drainage->work;
    for (int p = begin; p < end; p++) {
        SiltOrderPiece piece = work->pieces[p];
        int32_t last = layout->drainage->order[piece.end], top = 0;
        int32_t *stack = work->flood.queue + piece.begin; // no more cells wait than the piece has
        for (unsigned from = work->donors[last], k = 0; from; from >>= 1, k++)
            if (from & 1)
                stack[top++] = last + layout->steps[k];
        lay_out(layout, stack, top, piece.end, false);
    }
}

// Parts and pieces were found from the end of the order.
static void turn_round(SiltDrainage *drainage)
{
    struct SiltDrainageWork *work = drainage->work;
    int32_t parts = drainage->part_count, pieces = work->piece_count;
    for (int32_t k = 0; k < parts - k; k++) {
        int32_t other = drainage->part[parts - k];
        drainage->part[parts - k] = drainage->part[k];
        drainage->part[k] = other;
    }
    for (int32_t k = 0; k < pieces - 1 - k; k++) {
        SiltOrderPiece other = work->pieces[pieces - 1 - k];
        work->pieces[pieces - 1 - k] = work->pieces[k];
        work->pieces[k] = other;
    }
    for (int32_t part = 0, piece = 0; part <= parts; part++) {
        while (piece < pieces && work->pieces[piece].begin < drainage->part[part])
            piece++;
        work->part_piece[part] = piece;
    }
}

// From each outlet up, and the list from its end down: every cell comes before its receiver, and catchments
// one after the other. The queue of the flood is free by now.
static void put_in_order(SiltDrainage *drainage, const int32_t steps[8])
{
    int32_t cells = drainage->width * drainage->height, left = drainage->count, parts = 0;
    struct SiltDrainageWork *work = drainage->work;
    Layout layout = {drainage, steps};
    work->piece_count = 0;
    drainage->part[0] = left;
    for (int32_t outlet = 0; outlet < cells; outlet++) {
        if (drainage->receiver[outlet] != outlet)
            continue;
        work->flood.queue[0] = outlet;
        left = lay_out(&layout, work->flood.queue, 1, left, true);
        if (drainage->part[parts] - left >= PART_CELLS || left == 0)
            drainage->part[++parts] = left;
    }
    drainage->part_count = parts;
    turn_round(drainage);
    silt_parallel(work->piece_count, PIECES_AT_ONCE, lay_out_pieces, &layout);
}

bool silt_order_find(SiltDrainage *drainage, const int32_t steps[8])
{
    Gather gather = {.drainage = drainage,
                     .donors = drainage->work->donors,
                     .steps = steps,
                     .missing = (atomic_uchar *)(void *)drainage->work->flood.donors,
                     .alone = silt_threads() == 1};
    silt_parallel(drainage->height, 16, begin_rows, &gather);
    if (silt_is_stopped())
        return false;
    silt_parallel(drainage->height, 16, gather_rows, &gather);
    if (silt_is_stopped())
        return false;
    put_in_order(drainage, steps);
    return !silt_is_stopped();
}

// ---- walks ----

typedef struct Walk {
    const SiltDrainage *drainage;
    SiltDownFn down;
    SiltUpFn up;
    void *context;
    int first; // piece of the loop
} Walk;

static void walk_pieces(void *context, int begin, int end)
{
    const Walk *walk = context;
    const SiltOrderPiece *pieces = walk->drainage->work->pieces;
    double nothing = 0.0; // no outlet is in a piece
    for (int p = walk->first + begin; p < walk->first + end; p++) {
        if (walk->down)
            walk->down(walk->context, pieces[p].begin, pieces[p].end, &nothing);
        else
            walk->up(walk->context, pieces[p].begin, pieces[p].end);
    }
}

static double trunks_down(void *context, int begin, int end)
{
    const Walk *walk = context;
    const struct SiltDrainageWork *work = walk->drainage->work;
    int32_t at = walk->drainage->part[begin];
    double sum = 0.0;
    for (int32_t p = work->part_piece[begin]; p < work->part_piece[end]; p++) {
        walk->down(walk->context, at, work->pieces[p].begin, &sum);
        at = work->pieces[p].end;
    }
    walk->down(walk->context, at, walk->drainage->part[end], &sum);
    return sum;
}

static void trunks_up(void *context, int begin, int end)
{
    const Walk *walk = context;
    const struct SiltDrainageWork *work = walk->drainage->work;
    int32_t at = walk->drainage->part[end];
    for (int32_t p = work->part_piece[end] - 1; p >= work->part_piece[begin]; p--) {
        walk->up(walk->context, work->pieces[p].end, at);
        at = work->pieces[p].begin;
    }
    walk->up(walk->context, walk->drainage->part[begin], at);
}

// In a few loops, so that somebody can be asked between them. False: somebody wants the run to stop.
static bool walk_heard(Walk *walk)
{
    enum { LOOPS = 4 };
    int count = walk->drainage->work->piece_count;
    int length = (count / LOOPS / PIECES_AT_ONCE + 1) * PIECES_AT_ONCE;
    for (; walk->first < count; walk->first += length) {
        int left = count - walk->first;
        silt_parallel(left < length ? left : length, PIECES_AT_ONCE, walk_pieces, walk);
        if (silt_is_stopped())
            return false;
    }
    return true;
}

double silt_order_down(const SiltDrainage *drainage, SiltDownFn body, void *context)
{
    Walk walk = {.drainage = drainage, .down = body, .context = context};
    silt_parallel(drainage->work->piece_count, PIECES_AT_ONCE, walk_pieces, &walk);
    return silt_parallel_sum(drainage->part_count, trunks_down, &walk);
}

void silt_order_up(const SiltDrainage *drainage, SiltUpFn body, void *context)
{
    Walk walk = {.drainage = drainage, .up = body, .context = context};
    silt_parallel(drainage->part_count, 1, trunks_up, &walk);
    silt_parallel(drainage->work->piece_count, PIECES_AT_ONCE, walk_pieces, &walk);
}

bool silt_order_down_heard(const SiltDrainage *drainage, SiltDownFn body, void *context, double *sum)
{
    Walk walk = {.drainage = drainage, .down = body, .context = context};
    if (!walk_heard(&walk))
        return false;
    *sum = silt_parallel_sum(drainage->part_count, trunks_down, &walk);
    return !silt_is_stopped();
}

bool silt_order_up_heard(const SiltDrainage *drainage, SiltUpFn body, void *context)
{
    Walk walk = {.drainage = drainage, .up = body, .context = context};
    silt_parallel(drainage->part_count, 1, trunks_up, &walk);
    return !silt_is_stopped() && walk_heard(&walk);
}
