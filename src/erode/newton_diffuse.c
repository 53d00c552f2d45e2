// Water levels out with its four direct neighbours and dries up (Neidhold section 3, eq. 25), and what the
// maps remember.
#include <math.h>

#include "core/simd.h"
#include "erode/newton.h"

typedef struct SmoothJob {
    const int32_t *surface, *surface_above, *surface_below, *fluid, *fluid_above, *fluid_below;
    const float *load, *load_above, *load_below, *loss;
    int32_t *out, *dissolved;
    float share, dither;
    int32_t dry;     // grains: a film no deeper dries up besides
    float film_loss; // grains in this step
    int32_t deepest; // out
} SmoothJob;

// Grains that level out between two cells that one pool covers: a share of the difference of their surfaces,
// and never more than an eighth of the depth they have in common. Films that run down a slope have none.
// Positive towards the second.
SILT_INLINE int32_t levelled(int32_t surface_a, int32_t surface_b, int32_t fluid_a, int32_t fluid_b,
                             float share)
{
    float drop = (float)(surface_a - surface_b), size = drop < 0.0f ? -drop : drop;
    int32_t sill = silt_maxi(surface_a - fluid_a, surface_b - fluid_b);
    int32_t common = silt_maxi(silt_mini(surface_a, surface_b) - sill, 0);
    int32_t grains = silt_mini((int32_t)(size * share), common >> 3);
    return drop < 0.0f ? -grains : grains;
}

// Sediment goes along with the water it is dissolved in, at the load of the cell that gives.
SILT_INLINE int32_t taken_along(int32_t grains, float own, float other)
{
    return (int32_t)((float)grains * (grains < 0 ? other : own));
}

SILT_CLONES static int64_t smooth_cells(SmoothJob *shared, int width)
{
    SmoothJob job = *shared;
    int64_t dried = 0;
    int32_t deepest = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t s = job.surface[i], f = job.fluid[i];
        int32_t east = levelled(s, job.surface[i + 1], f, job.fluid[i + 1], job.share);
        int32_t west = levelled(s, job.surface[i - 1], f, job.fluid[i - 1], job.share);
        int32_t south = levelled(s, job.surface_below[i], f, job.fluid_below[i], job.share);
        int32_t north = levelled(s, job.surface_above[i], f, job.fluid_above[i], job.share);
        int32_t fluid = f - (east + west) - (south + north);
        float load = job.load[i];
        job.dissolved[i] -=
            (taken_along(east, load, job.load[i + 1]) + taken_along(west, load, job.load[i - 1])) +
            (taken_along(south, load, job.load_below[i]) + taken_along(north, load, job.load_above[i]));
        int32_t gone = silt_mini(silt_grains((float)fluid * job.loss[i], job.dither), fluid); // eq. 25
        int32_t film = silt_mini(silt_grains(job.film_loss, job.dither), fluid - gone);
        gone += fluid - gone < job.dry ? film : 0;
        gone = silt_maxi(gone, silt_grains_over(s - f, fluid));
        job.out[i] = fluid - gone;
        dried += gone;
        deepest = silt_maxi(deepest, fluid);
    }
    shared->deepest = deepest;
    return dried;
}

SILT_CLONES static void smooth_velocity(const float *v, const float *above, const float *below,
                                        const int32_t *fluid, float *out, int width, float share)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float around = (v[i + 1] + v[i - 1]) + (above[i] + below[i]);
        float smooth = v[i] + share * (around - 4.0f * v[i]);
        out[i] = fluid[i] > NEWTON_TRACE ? smooth : 0.0f;
    }
}

SILT_CLONES static float remember_cells(const float *vx, const float *vy, const float *vz,
                                        const int32_t *fluid, float *flow, float *wetness, int width,
                                        float grain, float cell, float dt)
{
    int32_t most = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float across = vx[i] * vx[i] + vy[i] * vy[i], depth = (float)fluid[i] * grain;
        union {
            float value;
            int32_t bits;
        } square = {across + vz[i] * vz[i]};
        flow[i] += silt_sqrtf(across) * depth * cell * dt;
        wetness[i] += depth > 0.001f ? dt : 0.0f;
        most = silt_maxi(most, square.bits);
    }
    union {
        int32_t bits;
        float value;
    } result = {most};
    return sqrtf(result.value);
}

void silt_newton_diffuse(void *context, int begin, int end)
{
    Newton *n = context;
    const NewtonParams *p = n->params;
    int width = width_of(n);
    const SiltField *from[] = {&n->mix_x, &n->mix_y, &n->mix_z};
    const SiltField *to[] = {&n->velocity_x, &n->velocity_y, &n->velocity_z};
    for (int j = begin; j < end; j++) {
        float *loss = n->rows + (size_t)j * 2 * (size_t)width, *heights = loss + width;
        if (silt_supply_needs_ground(&n->supply))
            silt_newton_heights(n, j, heights);
        silt_supply_loss_row(&n->supply, heights, width, loss);
        SmoothJob job = {.surface = ringed_grains(&n->surface, j),
                         .surface_above = ringed_grains(&n->surface, j - 1),
                         .surface_below = ringed_grains(&n->surface, j + 1),
                         .fluid = ringed_grains(&n->after, j),
                         .fluid_above = ringed_grains(&n->after, j - 1),
                         .fluid_below = ringed_grains(&n->after, j + 1),
                         .load = ringed(&n->level, j),
                         .load_above = ringed(&n->level, j - 1),
                         .load_below = ringed(&n->level, j + 1),
                         .loss = loss,
                         .dissolved = silt_grains_row(&n->dissolved, j),
                         .out = silt_grains_row(&n->fluid, j),
                         .share = n->diffusion,
                         .dither = n->loss_dither,
                         .dry = (int32_t)fmin(p->dry / n->grain, 1e9),
                         .film_loss = n->film_loss};
        n->tallies[j].dried += smooth_cells(&job, width);
        n->tallies[j].deepest = job.deepest;
        for (int k = 0; k < 3; k++)
            smooth_velocity(ringed(from[k], j), ringed(from[k], j - 1), ringed(from[k], j + 1), job.out,
                            silt_field_row(to[k], j), width, n->diffusion);
        n->tallies[j].swiftest =
            remember_cells(silt_field_row(to[0], j), silt_field_row(to[1], j), silt_field_row(to[2], j),
                           job.out, silt_field_row(&n->flow, j), silt_field_row(&n->wetness, j), width,
                           (float)n->grain, (float)n->terrain->cell, n->dt);
    }
}
