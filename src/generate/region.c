#include "generate/region.h"

#include <math.h>

#include "core/heap.h"
#include "core/memory.h"

void silt_neighbours_destroy(SiltNeighbours *neighbours)
{
    silt_free(neighbours->start);
    silt_free(neighbours->neighbour);
    *neighbours = (SiltNeighbours){0};
}

// Pairs found so far: a list for each polygon of its neighbours of higher index. Lists are short, so looking
// through one is quicker than sorting all pairs afterwards.
typedef struct Links {
    int *head;      // of each polygon's list, or -1
    int (*link)[2]; // neighbour, next in the list
    int count, room;
} Links;

static SiltStatus links_create(int polygons, Links *out)
{
    *out = (Links){.room = 4 * polygons + 16};
    SiltStatus status = silt_alloc_for("neighbours", (size_t)polygons, sizeof(int), (void **)&out->head);
    if (status == SILT_OK)
        status = silt_alloc_for("neighbours", (size_t)out->room, sizeof *out->link, (void **)&out->link);
    for (int k = 0; k < polygons && status == SILT_OK; k++)
        out->head[k] = -1;
    return status;
}

static void links_destroy(Links *links)
{
    silt_free(links->head);
    silt_free(links->link);
}

static SiltStatus link_pair(Links *links, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int k = links->head[low]; k >= 0; k = links->link[k][1])
        if (links->link[k][0] == high)
            return SILT_OK;
    if (links->count == links->room) {
        SiltStatus status = silt_grow("neighbours", (void **)&links->link, (size_t)links->room,
                                      2 * (size_t)links->room, sizeof *links->link);
        if (status != SILT_OK)
            return status;
        links->room *= 2;
    }
    links->link[links->count][0] = high;
    links->link[links->count][1] = links->head[low];
    links->head[low] = links->count++;
    return SILT_OK;
}

static void sort_few(int *list, int count)
{
    for (int k = 1; k < count; k++) {
        int item = list[k], at = k;
        for (; at > 0 && list[at - 1] > item; at--)
            list[at] = list[at - 1];
        list[at] = item;
    }
}

// Both ways, sorted: a polygon's lower neighbours are entered, in order, before its own turn comes.
static SiltStatus collect(const Links *links, int count, SiltNeighbours *out)
{
    *out = (SiltNeighbours){.count = count};
    SiltStatus status = silt_alloc_for("neighbours", (size_t)count + 2, sizeof(int), (void **)&out->start);
    if (status == SILT_OK)
        status =
            silt_alloc_for("neighbours", 2 * (size_t)links->count, sizeof(int), (void **)&out->neighbour);
    if (status != SILT_OK) {
        silt_neighbours_destroy(out);
        return status;
    }
    int *end = out->start + 1; // where each polygon's list goes on
    for (int a = 0; a < count; a++)
        for (int k = links->head[a]; k >= 0; k = links->link[k][1]) {
            end[a + 1]++;
            end[links->link[k][0] + 1]++;
        }
    for (int a = 1; a <= count; a++)
        end[a] += end[a - 1];
    for (int a = 0; a < count; a++) {
        int own = end[a];
        for (int k = links->head[a]; k >= 0; k = links->link[k][1]) {
            int b = links->link[k][0];
            out->neighbour[end[a]++] = b;
            out->neighbour[end[b]++] = a;
        }
        sort_few(out->neighbour + own, end[a] - own);
    }
    return SILT_OK;
}

SiltStatus silt_neighbours_create(int count, const int32_t (*pairs)[2], size_t pair_count,
                                  SiltNeighbours *out)
{
    *out = (SiltNeighbours){0};
    Links links;
    SiltStatus status = links_create(count, &links);
    for (size_t k = 0; k < pair_count && status == SILT_OK; k++)
        status = link_pair(&links, pairs[k][0], pairs[k][1]);
    if (status == SILT_OK)
        status = collect(&links, count, out);
    links_destroy(&links);
    return status;
}

// Pairs of labels across the right and the lower side of each cell; runs of the same pair are tried once.
static SiltStatus link_row(Links *links, const int32_t *row, const int32_t *below, int width)
{
    SiltStatus status = SILT_OK;
    int last_row = -1, last_below = -1;
    for (int i = 0; i < width && status == SILT_OK; i++) {
        if (i + 1 < width && row[i] != row[i + 1])
            status = link_pair(links, row[i], row[i + 1]);
        if (status == SILT_OK && row[i] != below[i] && (row[i] != last_row || below[i] != last_below)) {
            last_row = row[i];
            last_below = below[i];
            status = link_pair(links, row[i], below[i]);
        }
    }
    return status;
}

SiltStatus silt_neighbours_from_labels(int count, const int32_t *labels, int width, int height,
                                       SiltNeighbours *out)
{
    *out = (SiltNeighbours){0};
    Links links;
    SiltStatus status = links_create(count, &links);
    for (int j = 0; j < height && status == SILT_OK; j++) {
        const int32_t *row = labels + (size_t)j * (size_t)width;
        status = link_row(&links, row, j + 1 < height ? row + width : row, width);
    }
    if (status == SILT_OK)
        status = collect(&links, count, out);
    links_destroy(&links);
    return status;
}

// ---- growth: Dijkstra's shortest paths, with a heap of (arrival, polygon) ----

typedef struct Front {
    double arrival;
    int polygon;
} Front;

static bool before(const void *first, const void *second)
{
    const Front *a = first, *b = second;
    return a->arrival < b->arrival || (a->arrival == b->arrival && a->polygon < b->polygon);
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
            silt_heap_push(heap, &count, sizeof *heap, before, &(Front){0.0, p});
    while (count > 0) {
        Front front;
        silt_heap_pop(heap, &count, sizeof front, before, &front);
        int p = front.polygon;
        if (front.arrival > arrival[p])
            continue;
        for (int k = neighbours->start[p]; k < neighbours->start[p + 1]; k++) {
            int q = neighbours->neighbour[k];
            double dx = x[q] - x[p], dy = y[q] - y[p];
            double time = front.arrival + sqrt(dx * dx + dy * dy) * (double)weight[q];
            if (time <= reach && (arrival[q] < 0.0 || time < arrival[q])) {
                arrival[q] = time;
                silt_heap_push(heap, &count, sizeof *heap, before, &(Front){time, q});
            }
        }
    }
    silt_free(heap);
    return SILT_OK;
}
