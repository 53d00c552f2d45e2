// The order of a drainage, cut into pieces that may be worked on at the same time.
//
// A piece is a tributary's catchment without its last cell; what lies between pieces is the trunk. Pieces do
// not touch each other: down, they give to cells of their own or to their last cell, which is of the trunk;
// up, they take from there. So all pieces and then all trunks (or the other way round) do what one walk along
// the order does, sum by sum in the same order.
#ifndef SILT_TERRAIN_ORDER_H
#define SILT_TERRAIN_ORDER_H

#include "terrain/flood.h"

typedef struct SiltOrderPiece {
    int32_t begin, end; // in the order; the last cell comes at `end`
} SiltOrderPiece;

struct SiltDrainageWork {
    SiltFlood flood;
    uint8_t *donors;        // which neighbours drain to each cell: bit k is step k
    SiltOrderPiece *pieces; // as in the order
    int32_t piece_count;
    int32_t *part_piece; // the first piece of each part, as `part`
};

SiltStatus silt_order_create(SiltDrainage *drainage);
void silt_order_destroy(SiltDrainage *drainage);

// From receivers and donors: area, length, order and parts. `steps` are those to the neighbours in the grid.
// False: somebody wants the run to stop that this is for, and it was left.
bool silt_order_find(SiltDrainage *drainage, const int32_t steps[8]);

// A cell at a time, each before its receiver: body takes order[begin] to order[end - 1]. What it adds to
// `sum` is summed as along the order, in fixed blocks of parts; only outlets may add.
typedef void (*SiltDownFn)(void *context, int32_t begin, int32_t end, double *sum);
double silt_order_down(const SiltDrainage *drainage, SiltDownFn body, void *context);

// Each after its receiver: body takes order[end - 1] first and order[begin] last.
typedef void (*SiltUpFn)(void *context, int32_t begin, int32_t end);
void silt_order_up(const SiltDrainage *drainage, SiltUpFn body, void *context);

// The same, with somebody asked on the way; false: the run is to stop, and not all was done.
bool silt_order_down_heard(const SiltDrainage *drainage, SiltDownFn body, void *context, double *sum);
bool silt_order_up_heard(const SiltDrainage *drainage, SiltUpFn body, void *context);

#endif
