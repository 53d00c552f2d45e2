// Where the water goes in a step of the Newtonian model (Neidhold eq. 4).
#include "core/simd.h"
#include "erode/newton.h"

typedef struct SpreadJob {
    const int32_t *level, *level_above, *level_below, *wet, *wet_above, *wet_below, *dissolved;
    const float *vx, *vy, *vz;                       // before the push
    const float *px, *py, *pz, *py_above, *py_below; // after it
    float *load, *load_dither;
    int32_t *out[WAYS];
    float courant, threshold, push, head, dither, sediment_dither; // head: grains for a speed squared
} SpreadJob;

// Cells that water crosses at the side between two cells: their mean. A dry cell has no say.
SILT_INLINE float at_side(float own, float other, int32_t other_wet)
{
    return other_wet > NEWTON_TRACE ? 0.5f * (own + other) : own;
}

// Nothing goes into a wall.
SILT_INLINE float unless_wall(float share, int32_t neighbour)
{
    return neighbour == SILT_GRAINS_WALL ? 0.0f : share;
}

SILT_INLINE float pick(bool first, float one, float other)
{
    return first ? one : other;
}

SILT_CLONES static void spread_cells(const SpreadJob *shared, int width)
{
    SpreadJob job = *shared;
    const int32_t *here = job.level, *above = job.level_above, *below = job.level_below;
    const float diagonal = job.push * 0.5f, lean = 0.70710678f;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t level = here[i];
        float drop_e = newton_drop(level, here[i + 1]), drop_w = newton_drop(level, here[i - 1]);
        float drop_s = newton_drop(level, below[i]), drop_n = newton_drop(level, above[i]);
        float drop_se = newton_drop(level, below[i + 1]), drop_nw = newton_drop(level, above[i - 1]);
        float drop_sw = newton_drop(level, below[i - 1]), drop_ne = newton_drop(level, above[i + 1]);
        float fluid = (float)job.wet[i], x = job.px[i] * job.courant, y = job.py[i] * job.courant;
        float drops = newton_sum(drop_e, drop_w, drop_s, drop_n, drop_se, drop_nw, drop_sw, drop_ne);
        float part = fluid / silt_maxf(drops, 1.0f);
        float before = (job.vx[i] * job.vx[i] + job.vy[i] * job.vy[i]) + job.vz[i] * job.vz[i];
        bool slow = before < job.threshold * job.threshold;
        float swift = (job.px[i] * job.px[i] + job.py[i] * job.py[i]) + job.pz[i] * job.pz[i];
        float per_head = 1.0f / (swift * job.head + 1.0f);
        float to_e = silt_maxf(at_side(x, job.px[i + 1] * job.courant, job.wet[i + 1]), 0.0f);
        float to_w = silt_maxf(-at_side(x, job.px[i - 1] * job.courant, job.wet[i - 1]), 0.0f);
        float to_s = silt_maxf(at_side(y, job.py_below[i] * job.courant, job.wet_below[i]), 0.0f);
        float to_n = silt_maxf(-at_side(y, job.py_above[i] * job.courant, job.wet_above[i]), 0.0f);
        float along_x = fluid * silt_maxf(1.0f - (to_s + to_n), 0.0f);
        float along_y = fluid * silt_maxf(1.0f - (to_e + to_w), 0.0f);
        float e = pick(slow, newton_split(drop_e, part, x, job.push),
                       to_e * along_x * newton_climb(level, here[i + 1], per_head));
        float w = pick(slow, newton_split(drop_w, part, -x, job.push),
                       to_w * along_x * newton_climb(level, here[i - 1], per_head));
        float s = pick(slow, newton_split(drop_s, part, y, job.push),
                       to_s * along_y * newton_climb(level, below[i], per_head));
        float n = pick(slow, newton_split(drop_n, part, -y, job.push),
                       to_n * along_y * newton_climb(level, above[i], per_head));
        float se = pick(slow, newton_split(drop_se, part, (x + y) * lean, diagonal),
                        fluid * (to_e * to_s) * newton_climb(level, below[i + 1], per_head));
        float nw = pick(slow, newton_split(drop_nw, part, (-x - y) * lean, diagonal),
                        fluid * (to_w * to_n) * newton_climb(level, above[i - 1], per_head));
        float sw = pick(slow, newton_split(drop_sw, part, (y - x) * lean, diagonal),
                        fluid * (to_w * to_s) * newton_climb(level, below[i - 1], per_head));
        float ne = pick(slow, newton_split(drop_ne, part, (x - y) * lean, diagonal),
                        fluid * (to_e * to_n) * newton_climb(level, above[i + 1], per_head));
        e = unless_wall(e, here[i + 1]);
        w = unless_wall(w, here[i - 1]);
        s = unless_wall(s, below[i]);
        n = unless_wall(n, above[i]);
        se = unless_wall(se, below[i + 1]);
        nw = unless_wall(nw, above[i - 1]);
        sw = unless_wall(sw, below[i - 1]);
        ne = unless_wall(ne, above[i + 1]);
        float leaving = newton_sum(e, w, s, n, se, nw, sw, ne);
        float share = newton_share(leaving, fluid), held = leaving * share;
        float dither = newton_dither(held, fluid, job.dither);
        job.out[TO_EAST][i] = silt_grains_moved(e * share, dither);
        job.out[TO_WEST][i] = silt_grains_moved(w * share, dither);
        job.out[TO_SOUTH][i] = silt_grains_moved(s * share, dither);
        job.out[TO_NORTH][i] = silt_grains_moved(n * share, dither);
        job.out[TO_SOUTH_EAST][i] = silt_grains_moved(se * share, dither);
        job.out[TO_NORTH_WEST][i] = silt_grains_moved(nw * share, dither);
        job.out[TO_SOUTH_WEST][i] = silt_grains_moved(sw * share, dither);
        job.out[TO_NORTH_EAST][i] = silt_grains_moved(ne * share, dither);
        float load = (float)job.dissolved[i] / silt_maxf(fluid, 1.0f);
        job.load[i] = load;
        job.load_dither[i] =
            newton_dither((held + 8.0f) * load, (float)job.dissolved[i], job.sediment_dither);
    }
}

// What went over the borders, for the books.
static void count_leaving(Newton *n, int j, const SpreadJob *job)
{
    static const int east[WAYS] = {1, -1, 0, 0, 1, -1, -1, 1}, south[WAYS] = {0, 0, 1, -1, 1, -1, 1, -1};
    int width = width_of(n), last_row = n->terrain->height - 1;
    bool all = j == 0 || j == last_row || width < 2;
    for (int i = 0; i < width; i += all ? 1 : width - 1)
        for (int k = 0; k < WAYS; k++) {
            int to_i = i + east[k], to_j = j + south[k];
            if (to_i >= 0 && to_i < width && to_j >= 0 && to_j <= last_row)
                continue;
            n->tallies[j].left += job->out[k][i];
            n->tallies[j].sediment_left += newton_carried(job->out[k][i], job->load[i], job->load_dither[i]);
        }
}

void silt_newton_spread(void *context, int begin, int end)
{
    Newton *n = context;
    const NewtonParams *p = n->params;
    float cell = (float)n->terrain->cell;
    for (int j = begin; j < end; j++) {
        SpreadJob job = {.level = ringed_grains(&n->level, j),
                         .level_above = ringed_grains(&n->level, j - 1),
                         .level_below = ringed_grains(&n->level, j + 1),
                         .wet = ringed_grains(&n->after, j),
                         .wet_above = ringed_grains(&n->after, j - 1),
                         .wet_below = ringed_grains(&n->after, j + 1),
                         .dissolved = silt_grains_row(&n->dissolved, j),
                         .vx = silt_field_row(&n->velocity_x, j),
                         .vy = silt_field_row(&n->velocity_y, j),
                         .vz = silt_field_row(&n->velocity_z, j),
                         .px = ringed(&n->push_x, j),
                         .py = ringed(&n->push_y, j),
                         .pz = ringed(&n->push_z, j),
                         .py_above = ringed(&n->push_y, j - 1),
                         .py_below = ringed(&n->push_y, j + 1),
                         .load = ringed(&n->load, j),
                         .load_dither = ringed(&n->load_dither, j),
                         .courant = n->dt / cell,
                         .threshold = (float)p->threshold,
                         .push = (float)p->gravity * n->dt * n->dt * (float)n->grain / (cell * cell),
                         .head = (float)(0.5 / (p->gravity * n->grain)),
                         .dither = n->fluid_dither,
                         .sediment_dither = n->load_dither_now};
        for (int k = 0; k < WAYS; k++)
            job.out[k] = ringed_grains(&n->out[k], j);
        spread_cells(&job, width_of(n));
        count_leaving(n, j, &job);
    }
}
