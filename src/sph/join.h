// Water that comes among the particles of a device: each newcomer sees those before it. A group finds places
// for many at a time: every item looks for one alone, as if those before it in the group were not there, and
// the first whose place one of them has taken looks again, with all behind it. Who stays is who would have
// come one after the other. For OpenCL.
#ifndef SILT_SPH_JOIN_H
#define SILT_SPH_JOIN_H

#include "sph/look.h"

#define SILT_JOIN_PLACES __global const float *x, __global const float *y, __global const float *z
#define SILT_JOIN_CELLS                                                                                      \
    __constant const SiltSphGrid *g, __global const SiltSphRow *rows, __global const int *start
enum { SILT_JOIN_GROUP = 256 };

// The runs that a place can see, and those added since the sort.
static inline void silt_join_runs(SILT_JOIN_CELLS, const float *place, int count, SiltSphRuns *runs)
{
    int sorted = g->count > 0 ? g->sorted : 0;
    silt_look_runs(g, rows, start, place[0], place[1], place[2], runs);
    if (sorted < count) {
        runs->begin[runs->count] = sorted;
        runs->end[runs->count++] = count;
    }
}

static inline float silt_join_distance2(SILT_JOIN_PLACES, const float *place, int j)
{
    float dx = place[0] - x[j], dy = place[1] - y[j], dz = place[2] - z[j];
    return dx * dx + dy * dy + dz * dz;
}

// Whether one of the first `count` particles lies where an item would have its own.
static inline bool silt_join_is_taken(SILT_JOIN_CELLS, SILT_JOIN_PLACES, const float *place, int count,
                                      float h2, double taken2)
{
    SiltSphRuns runs;
    bool is_taken = false;
    silt_join_runs(g, rows, start, place, count, &runs);
    for (int n = 0; n < runs.count && !is_taken; n++)
        for (int j = runs.begin[n]; j < runs.end[n] && !is_taken; j++) {
            float r2 = silt_join_distance2(x, y, z, place, j);
            is_taken = r2 < h2 && (double)r2 < taken2;
        }
    return is_taken;
}

// What a group shares: the places its items have found, and how far it has come.
typedef struct SiltJoinGroup {
    float place[SILT_JOIN_GROUP][3];
    int is_free[SILT_JOIN_GROUP];
    int cut;    // the first item that must look again, or has no room; how many there are: none
    int stop;   // the first without a place
    int placed; // of those before
} SiltJoinGroup;

// How far newcomers have come: what all items of the group know.
typedef struct SiltJoinState {
    int placed, tried;
    bool goes_on;
} SiltJoinState;

// All items of a group call it, each with its own place, if it has one. `items` of them count, `room` is left
// for newcomers; `stops`: the first that finds no place is the last that is tried. Returns where among the
// newcomers this item's own stands, or -1; the group's state is then in *state.
static inline int silt_join_admit(__local SiltJoinGroup *group, SiltJoinState *state, const float *place,
                                  bool is_free, int items, int room, bool stops, float h2, double taken2)
{
    int item = get_local_id(0), rank = 0;
    bool must_wait = false;
    for (int axis = 0; axis < 3; axis++)
        group->place[item][axis] = place[axis];
    group->is_free[item] = is_free && item < items;
    if (item == 0)
        group->cut = group->stop = items;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < item; m++) {
        float dx = place[0] - group->place[m][0], dy = place[1] - group->place[m][1],
              dz = place[2] - group->place[m][2], r2 = dx * dx + dy * dy + dz * dz;
        must_wait = must_wait || (group->is_free[m] && r2 < h2 && (double)r2 < taken2);
        rank += group->is_free[m];
    }
    if (item < items && ((is_free && must_wait) || rank >= room))
        atomic_min(&group->cut, item);
    if (item < items && !is_free && stops)
        atomic_min(&group->stop, item);
    barrier(CLK_LOCAL_MEM_FENCE);
    bool is_over = group->stop < group->cut;
    int done = is_over ? group->stop + 1 : group->cut;
    if (item == done - 1)
        group->placed = rank + (is_free ? 1 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int own = is_free && item < done ? state->placed + rank : -1;
    state->tried += done;
    state->placed += group->placed;
    state->goes_on = !is_over;
    return own;
}

#endif
