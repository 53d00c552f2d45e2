// Prefix sums, and a counting sort by cells that is stable: equal items keep the order of their ids, and
// those of equal ids the order in which they stood.

enum { SCAN_GROUP = 256, SCAN_EACH = 4, SCAN_BLOCK = SCAN_GROUP * SCAN_EACH, FEW = 24 };

// One block a group: each value becomes the sum of those before it in the block, and `sums` gets the whole.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void scan_blocks(__global int *values, int count,
                                                                           __global int *sums)
{
    __local int held[2][SCAN_GROUP];
    int item = get_local_id(0), first = (int)get_group_id(0) * SCAN_BLOCK + item * SCAN_EACH;
    int own[SCAN_EACH], total = 0;
    for (int k = 0; k < SCAN_EACH; k++) {
        own[k] = total;
        total += first + k < count ? values[first + k] : 0;
    }
    int from = 0;
    held[0][item] = total;
    for (int reach = 1; reach < SCAN_GROUP; reach *= 2, from = 1 - from) {
        barrier(CLK_LOCAL_MEM_FENCE);
        held[1 - from][item] = held[from][item] + (item >= reach ? held[from][item - reach] : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = item > 0 ? held[from][item - 1] : 0;
    for (int k = 0; k < SCAN_EACH; k++)
        if (first + k < count)
            values[first + k] = before + own[k];
    if (item == SCAN_GROUP - 1)
        sums[get_group_id(0)] = held[from][item];
}

// Adds to each block what the blocks before it hold.
__kernel void scan_add(__global int *values, int count, __global const int *sums)
{
    int at = get_global_id(0);
    if (at < count)
        values[at] += sums[at / SCAN_BLOCK];
}

// How many items each cell holds, and the place of each among those that came there.
__kernel void sort_count(__global const int *keys, int count, int cells, __global int *start,
                         __global int *rank)
{
    int i = get_global_id(0);
    if (i < count && keys[i] < cells)
        rank[i] = atomic_inc(start + keys[i]);
}

__kernel void sort_deal(__global const int *keys, int count, int cells, __global const int *start,
                        __global const int *rank, __global int *order)
{
    int i = get_global_id(0);
    if (i < count && keys[i] < cells)
        order[start[keys[i]] + rank[i]] = i;
}

static inline bool comes_later(__global const long *id, int a, int b)
{
    return id[a] != id[b] ? id[a] > id[b] : a > b;
}

static inline void sort_few(__global const long *id, __global int *order, int count)
{
    for (int k = 1; k < count; k++) {
        int held = order[k], n = k;
        for (; n > 0 && comes_later(id, order[n - 1], held); n--)
            order[n] = order[n - 1];
        order[n] = held;
    }
}

// A cell that holds a crowd: heap sort, in place.
static inline void sift(__global const long *id, __global int *order, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_later(id, order[child + 1], order[child]))
            child++;
        if (!comes_later(id, order[child], order[root]))
            return;
        int held = order[root];
        order[root] = order[child];
        order[child] = held;
    }
}

static inline void sort_many(__global const long *id, __global int *order, int count)
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

// The items of each cell by id. Those beyond `crowd` in a cell get the mark, and are counted.
__kernel void sort_arrange(__global const int *start, int cells, __global const long *id, __global int *order,
                           int crowd, uchar mark, __global uchar *marks, __global int *crowded)
{
    int cell = get_global_id(0);
    if (cell >= cells)
        return;
    int from = start[cell], count = start[cell + 1] - from;
    if (count > FEW)
        sort_many(id, order + from, count);
    else
        sort_few(id, order + from, count);
    for (int n = crowd; n < count; n++)
        marks[order[from + n]] = mark;
    if (count > crowd)
        atomic_add(crowded, count - crowd);
}
