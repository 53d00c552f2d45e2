// The way down from every cell, a row at a time. One direction after the other is held against the best so
// far, for many cells at once.
#include "core/parallel.h"
#include "core/simd.h"
#include "terrain/flood.h"

enum { CHUNK = 256 }; // cells of a row in one go: all that is looked at stays in the cache

typedef struct Look {
    float best[CHUNK];   // steepest fall so far, or its square
    int32_t way[CHUNK];  // where that leads
    int32_t rank[CHUNK]; // among equals the higher one wins
    int32_t start[CHUNK];
    float ahead[CHUNK], aside[CHUNK]; // falls of the triangle that won
} Look;

// Rotated by a number of the cell's own, so that among equals no direction is favoured.
SILT_CLONES static void begin_look(Look *look, uint32_t cell, int count)
{
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        uint32_t own = cell + (uint32_t)i, bits = own * 0x9E3779B1u;
        look->best[i] = 0.0f;
        look->way[i] = SILT_WAY_NONE;
        look->rank[i] = 8; // level ground wins against nothing
        look->start[i] = (int32_t)(bits >> 29);
        look->ahead[i] = 1.0f;
        look->aside[i] = 0.0f;
    }
}

SILT_CLONES static void look_at(Look *look, const float *restrict own, const float *restrict there, int k,
                                float per_distance, int count)
{
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        float fall = (own[i] - there[i]) * per_distance;
        int32_t rank = 7 - ((k - look->start[i]) & 7);
        int better = (fall > look->best[i]) | ((fall == look->best[i]) & (rank > look->rank[i]));
        look->best[i] = better ? fall : look->best[i];
        look->way[i] = better ? k : look->way[i];
        look->rank[i] = better ? rank : look->rank[i];
    }
}

// The triangle between a cell, a direct neighbour and the diagonal one beside it is a plane; where its
// steepest descent points between the two (Tarboton 1997), the way is left open: straight.c draws it.
SILT_CLONES static void look_between(Look *look, const float *restrict own, const float *restrict direct,
                                     const float *restrict diagonal, int facet, int straight, int oblique,
                                     int count)
{
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        float ahead = own[i] - direct[i], aside = direct[i] - diagonal[i], corner = own[i] - diagonal[i];
        float edge = ahead * ahead, within = edge + aside * aside;
        float past = aside > 0.0f ? aside - ahead : -1.0f; // above 0: steepest along the diagonal
        float square = aside > 0.0f ? within : edge, fall = past >= 0.0f ? corner : ahead;
        square = past >= 0.0f ? 0.5f * corner * corner : square;
        square = fall > 0.0f ? square : 0.0f;
        int32_t way = aside > 0.0f ? SILT_WAY_BETWEEN + facet : straight;
        way = past >= 0.0f ? oblique : way;
        int32_t rank = 7 - ((facet - look->start[i]) & 7);
        int better = (square > look->best[i]) | ((square == look->best[i]) & (rank > look->rank[i]));
        look->best[i] = better ? square : look->best[i];
        look->way[i] = better ? way : look->way[i];
        look->rank[i] = better ? rank : look->rank[i];
        look->ahead[i] = better ? ahead : look->ahead[i];
        look->aside[i] = better ? aside : look->aside[i];
    }
}

// How far the steepest descent leads aside for a step ahead, where it points between two neighbours.
SILT_CLONES static void keep_lean(const Look *look, int count, int32_t *restrict lean)
{
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        float share = look->way[i] >= SILT_WAY_BETWEEN ? look->aside[i] / look->ahead[i] : 0.0f;
        lean[i] = (int32_t)(share * (float)SILT_LEAN_ONE);
    }
}

static void look_around(Look *look, const float *own, const int32_t steps[8], bool straight, int count)
{
    for (int k = 0; k < 8; k++) {
        if (!straight) {
            look_at(look, own, own + steps[k], k, k & 1 ? 0.70710678f : 1.0f, count);
            continue;
        }
        int direct = (k + 1) & 6, oblique = k | 1; // between k and k + 1
        look_between(look, own, own + steps[direct], own + steps[oblique], k, direct, oblique, count);
    }
}

typedef struct DescendJob {
    SiltFlood *flood;
    const float *surface;
    bool straight;
    int32_t steps[8];
} DescendJob;

static void descend_rows(void *context, int begin, int end)
{
    const DescendJob *job = context;
    SiltFlood *flood = job->flood;
    Look look;
    for (int j = begin; j < end; j++) {
        for (int i = 0; i < flood->width; i += CHUNK) {
            int count = flood->width - i < CHUNK ? flood->width - i : CHUNK;
            size_t at = silt_flood_at(flood, i, j);
            begin_look(&look, (uint32_t)(j * flood->width + i), count);
            look_around(&look, job->surface + at, job->steps, job->straight, count);
            if (job->straight)
                keep_lean(&look, count, flood->place + at);
            const uint8_t *state = flood->state + at;
            for (int n = 0; n < count; n++) {
                int way = look.way[n];
                way = state[n] & SILT_CELL_OUTLET ? SILT_WAY_OUT : way;
                flood->way[at + (size_t)n] = (uint8_t)(state[n] & SILT_CELL_WALL ? SILT_WAY_WALL : way);
            }
        }
    }
}

bool silt_flood_descend(SiltFlood *flood, const float *surface, bool straight)
{
    DescendJob job = {.flood = flood, .surface = surface, .straight = straight};
    silt_flood_steps(flood, job.steps);
    silt_parallel(flood->height, 16, descend_rows, &job);
    if (silt_is_stopped())
        return false;
    return !straight || silt_flood_straighten(flood);
}
