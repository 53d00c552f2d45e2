// Water falls and gains speed: the first phases of a step of the Newtonian model (Neidhold eq. 1-3, 8-18,
// 24). Each phase reads what the phase before wrote and writes only its own cells, so rows may run in any
// order.
#include "core/simd.h"
#include "erode/newton.h"

void silt_newton_heights(const Newton *n, int j, float *heights)
{
    const int32_t *ground = silt_grains_row(&n->ground, j);
    for (int i = 0; i < width_of(n); i++)
        heights[i] = (float)(n->base.low + (double)ground[i] * n->grain);
}

// ---- water falls; the level that drives it (eq. 13, 24) ----

typedef struct RainJob {
    const int32_t *ground;
    const float *supply, *vx, *vy, *vz;
    int32_t *fluid, *level, *bed, *wet;
    float per_metre, dither, influence;
} RainJob;

SILT_CLONES static int64_t rain_cells(const RainJob *shared, int width)
{
    RainJob job = *shared;
    int64_t added = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t room = silt_maxi(SILT_GRAINS_WALL - 1 - job.ground[i] - job.fluid[i], 0);
        int32_t more = silt_mini(silt_grains(job.supply[i] * job.per_metre, job.dither), room);
        int32_t fluid = job.fluid[i] + more;
        float speed = silt_sqrtf((job.vx[i] * job.vx[i] + job.vy[i] * job.vy[i]) + job.vz[i] * job.vz[i]);
        job.fluid[i] = fluid;
        job.bed[i] = job.ground[i];
        job.wet[i] = fluid;
        job.level[i] = newton_level(job.ground[i], fluid, speed, job.influence);
        added += more;
    }
    return added;
}

static void add_sediment(Newton *n, int j, float *buffer)
{
    const float *supply = silt_supply_sediment_row(&n->supply, j, buffer);
    int32_t *dissolved = silt_grains_row(&n->dissolved, j);
    const int32_t *ground = silt_grains_row(&n->ground, j);
    for (int i = 0; supply && i < width_of(n); i++) {
        int32_t more = silt_grains(supply[i] * (float)(1.0 / n->grain), n->rain_dither);
        more = ground[i] == SILT_GRAINS_WALL ? 0
                                             : silt_mini(more, silt_maxi(SILT_GRAINS_LOAD - dissolved[i], 0));
        dissolved[i] += more;
        n->tallies[j].sediment_added += more;
    }
}

void silt_newton_rain(void *context, int begin, int end)
{
    Newton *n = context;
    for (int j = begin; j < end; j++) {
        float *buffer = n->rows + (size_t)j * 2 * (size_t)width_of(n), *heights = buffer + width_of(n);
        n->tallies[j] = (NewtonTally){0};
        if (silt_supply_needs_ground(&n->supply))
            silt_newton_heights(n, j, heights);
        RainJob job = {.ground = silt_grains_row(&n->ground, j),
                       .supply = silt_supply_row(&n->supply, j, heights, buffer),
                       .vx = silt_field_row(&n->velocity_x, j),
                       .vy = silt_field_row(&n->velocity_y, j),
                       .vz = silt_field_row(&n->velocity_z, j),
                       .fluid = silt_grains_row(&n->fluid, j),
                       .level = ringed_grains(&n->level, j),
                       .bed = ringed_grains(&n->bed, j),
                       .wet = ringed_grains(&n->after, j), // until the water has moved
                       .per_metre = (float)(1.0 / n->grain),
                       .dither = n->rain_dither,
                       .influence = (float)n->params->influence};
        n->tallies[j].added = rain_cells(&job, width_of(n));
        add_sediment(n, j, buffer);
    }
}

// Beyond an open border the ground goes on as high as it was there in the beginning, dry; beyond a closed one
// stands a wall.
static int32_t beyond(const Newton *n, bool open, int i, int j)
{
    bool wall = !open || silt_terrain_is_nodata(n->terrain, i, j);
    return wall ? SILT_GRAINS_WALL : silt_ground_grains(&n->base, i, j);
}

void silt_newton_ring(Newton *n)
{
    const NewtonParams *p = n->params;
    int width = width_of(n), height = n->terrain->height;
    bool west = p->west == SILT_BORDER_OPEN, east = p->east == SILT_BORDER_OPEN;
    for (int i = -1; i <= width; i++) {
        int inside = i < 0 ? 0 : i < width ? i : width - 1;
        bool side = (i >= 0 || west) && (i < width || east); // a corner is open if both its sides are
        ringed_grains(&n->level, -1)[i] = beyond(n, side && p->north == SILT_BORDER_OPEN, inside, 0);
        ringed_grains(&n->level, height)[i] =
            beyond(n, side && p->south == SILT_BORDER_OPEN, inside, height - 1);
    }
    for (int j = 0; j < height; j++) {
        ringed_grains(&n->level, j)[-1] = beyond(n, west, 0, j);
        ringed_grains(&n->level, j)[width] = beyond(n, east, width - 1, j);
    }
}

// ---- acceleration and velocity (eq. 1-3, 8-18) ----

typedef struct PushJob {
    const int32_t *level, *above, *below;
    const float *vx, *vy, *vz;
    float *px, *py, *pz;
    float per_cell, gravity, keep, gain, swift;
} PushJob;

SILT_INLINE int64_t push_cells(const PushJob *shared, int width, bool all)
{
    PushJob job = *shared;
    int32_t bounded = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        NewtonSlope slope =
            newton_slope(job.level[i], job.level[i + 1], job.level[i - 1], job.below[i], job.above[i],
                         job.below[i + 1], job.above[i - 1], job.below[i - 1], job.above[i + 1], all);
        float mx = slope.x * job.per_cell, my = slope.y * job.per_cell;
        float square = mx * mx + my * my, pull = newton_pull(square, job.gravity);
        float u = newton_velocity(job.vx[i], mx * pull, job.keep, job.gain);
        float v = newton_velocity(job.vy[i], my * pull, job.keep, job.gain);
        float w = newton_velocity(job.vz[i], -square * pull, job.keep, job.gain);
        float speed = silt_sqrtf((u * u + v * v) + w * w);
        float bound = speed > job.swift ? job.swift / speed : 1.0f;
        bounded += speed > job.swift;
        job.px[i] = u * bound;
        job.py[i] = v * bound;
        job.pz[i] = w * bound;
    }
    return bounded;
}

SILT_CLONES static int64_t push_sides(const PushJob *job, int width)
{
    return push_cells(job, width, false);
}

SILT_CLONES static int64_t push_all(const PushJob *job, int width)
{
    return push_cells(job, width, true);
}

void silt_newton_push(void *context, int begin, int end)
{
    Newton *n = context;
    const NewtonParams *p = n->params;
    for (int j = begin; j < end; j++) {
        PushJob job = {.level = ringed_grains(&n->level, j),
                       .above = ringed_grains(&n->level, j - 1),
                       .below = ringed_grains(&n->level, j + 1),
                       .vx = silt_field_row(&n->velocity_x, j),
                       .vy = silt_field_row(&n->velocity_y, j),
                       .vz = silt_field_row(&n->velocity_z, j),
                       .px = ringed(&n->push_x, j),
                       .py = ringed(&n->push_y, j),
                       .pz = ringed(&n->push_z, j),
                       .per_cell = (float)(n->grain / n->terrain->cell),
                       .gravity = (float)p->gravity,
                       .keep = n->keep,
                       .gain = n->gain,
                       .swift = n->swift};
        bool all = p->averaging == SILT_NEWTON_ALL;
        n->tallies[j].swift += all ? push_all(&job, width_of(n)) : push_sides(&job, width_of(n));
    }
}
