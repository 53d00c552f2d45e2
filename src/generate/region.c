#include "generate/region.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

void silt_neighbours_destroy(SiltNeighbours *neighbours)
{
    silt_free(neighbours->start);
    silt_free(neighbours->neighbour);
    *neighbours = (SiltNeighbours){0};
}

// Counting sort of directed pairs by their end `key`, stable.
static void sort_by(const int32_t (*from)[2], size_t pairs, int key, int count, int *start, int32_t (*to)[2])
{
    memset(start, 0, ((size_t)count + 2) * sizeof *start);
    for (size_t k = 0; k < pairs; k++)
        start[from[k][key] + 2]++;
    for (int b = 2; b < count + 2; b++)
        start[b] += start[b - 1];
    for (size_t k = 0; k < pairs; k++) {
        int at = start[from[k][key] + 1]++;
        to[at][0] = from[k][0];
        to[at][1] = from[k][1];
    }
}

// Drops repeated pairs of the sorted list.
static void keep_each_once(const int32_t (*sorted)[2], size_t pairs, SiltNeighbours *out)
{
    memset(out->start, 0, ((size_t)out->count + 2) * sizeof *out->start);
    int kept = 0;
    for (size_t k = 0; k < pairs; k++) {
        if (k > 0 && sorted[k][0] == sorted[k - 1][0] && sorted[k][1] == sorted[k - 1][1])
            continue;
        out->neighbour[kept++] = sorted[k][1];
        out->start[sorted[k][0] + 1] = kept;
    }
    for (int b = 1; b <= out->count; b++)
        if (out->start[b] < out->start[b - 1])
            out->start[b] = out->start[b - 1];
}

SiltStatus silt_neighbours_create(int count, const int32_t (*pairs)[2], size_t pair_count,
                                  SiltNeighbours *out)
{
    *out = (SiltNeighbours){.count = count};
    int32_t(*both)[2] = NULL, (*sorted)[2] = NULL;
    size_t directed = 2 * pair_count;
    SiltStatus status = silt_alloc_for("neighbours", (size_t)count + 2, sizeof(int), (void **)&out->start);
    if (status == SILT_OK)
        status = silt_alloc_for("neighbours", directed, sizeof(int), (void **)&out->neighbour);
    if (status == SILT_OK)
        status = silt_alloc_for("neighbours", directed, sizeof *both, (void **)&both);
    if (status == SILT_OK)
        status = silt_alloc_for("neighbours", directed, sizeof *sorted, (void **)&sorted);
    if (status == SILT_OK) {
        for (size_t k = 0; k < pair_count; k++) {
            both[2 * k][0] = both[2 * k + 1][1] = pairs[k][0];
            both[2 * k][1] = both[2 * k + 1][0] = pairs[k][1];
        }
        sort_by((const int32_t(*)[2])both, directed, 1, count, out->start, sorted);
        sort_by((const int32_t(*)[2])sorted, directed, 0, count, out->start, both);
        keep_each_once((const int32_t(*)[2])both, directed, out);
    } else {
        silt_neighbours_destroy(out);
    }
    silt_free(both);
    silt_free(sorted);
    return status;
}

// Pairs of labels across the right and lower side of each cell, a run of equal pairs once.
static size_t pairs_of_labels(const int32_t *labels, int width, int height, int32_t (*pairs)[2])
{
    size_t count = 0;
    for (int j = 0; j < height; j++) {
        const int32_t *row = labels + (size_t)j * (size_t)width, *below = j + 1 < height ? row + width : row;
        int32_t last[2] = {-1, -1};
        for (int i = 0; i < width; i++) {
            if (i + 1 < width && row[i] != row[i + 1]) {
                if (pairs) {
                    pairs[count][0] = row[i];
                    pairs[count][1] = row[i + 1];
                }
                count++;
            }
            if (row[i] != below[i] && (row[i] != last[0] || below[i] != last[1])) {
                last[0] = row[i];
                last[1] = below[i];
                if (pairs) {
                    pairs[count][0] = row[i];
                    pairs[count][1] = below[i];
                }
                count++;
            }
        }
    }
    return count;
}

SiltStatus silt_neighbours_from_labels(int count, const int32_t *labels, int width, int height,
                                       SiltNeighbours *out)
{
    *out = (SiltNeighbours){0};
    size_t pair_count = pairs_of_labels(labels, width, height, NULL);
    int32_t(*pairs)[2];
    SiltStatus status = silt_alloc_for("neighbours", pair_count, sizeof *pairs, (void **)&pairs);
    if (status != SILT_OK)
        return status;
    pairs_of_labels(labels, width, height, pairs);
    status = silt_neighbours_create(count, (const int32_t(*)[2])pairs, pair_count, out);
    silt_free(pairs);
    return status;
}

// ---- growth: Dijkstra's shortest paths, with a heap of (arrival, polygon) ----

typedef struct Front {
    double arrival;
    int polygon;
} Front;

static bool before(Front a, Front b)
{
    return a.arrival < b.arrival || (a.arrival == b.arrival && a.polygon < b.polygon);
}

static void push(Front *heap, size_t *count, Front item)
{
    size_t at = (*count)++;
    while (at > 0 && before(item, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static Front pop(Front *heap, size_t *count)
{
    Front top = heap[0], last = heap[--(*count)];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= *count)
            break;
        if (child + 1 < *count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

SiltStatus silt_region_grow(const SiltNeighbours *neighbours, const double *x, const double *y,
                            const float *weight, double reach, double *arrival)
{
    // each polygon enters at most once for each neighbour, and sources once more
    size_t room = (size_t)neighbours->start[neighbours->count] + (size_t)neighbours->count + 1, count = 0;
    Front *heap;
    SiltStatus status = silt_alloc_for("a growing region", room, sizeof *heap, (void **)&heap);
    if (status != SILT_OK)
        return status;
    for (int p = 0; p < neighbours->count; p++)
        if (arrival[p] == 0.0)
            push(heap, &count, (Front){0.0, p});
    while (count > 0) {
        Front front = pop(heap, &count);
        int p = front.polygon;
        if (front.arrival > arrival[p])
            continue;
        for (int k = neighbours->start[p]; k < neighbours->start[p + 1]; k++) {
            int q = neighbours->neighbour[k];
            double dx = x[q] - x[p], dy = y[q] - y[p];
            double time = front.arrival + sqrt(dx * dx + dy * dy) * (double)weight[q];
            if (time <= reach && (arrival[q] < 0.0 || time < arrival[q])) {
                arrival[q] = time;
                push(heap, &count, (Front){time, q});
            }
        }
    }
    silt_free(heap);
    return SILT_OK;
}
