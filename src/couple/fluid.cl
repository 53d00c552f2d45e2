// The kernels of particle water on a heightfield: planes below particles, loads they hand on, collision and
// exchange with the ground, the books of the ground, and drops that come.
#include "couple/drops.h"
#include "couple/units.h"
#include "sph/look.h"

#define PLACES __global const float *x, __global const float *y, __global const float *z
#define CELLS  __constant const SiltSphGrid *g, __global const SiltSphRow *rows, __global const int *start
#define GROUND __constant const SiltFluidStep *s, __global const float *ground, __global const uchar *nodata

static inline SiltRelief relief_of(GROUND)
{
    SiltRelief relief = {ground, s->has_nodata ? nodata : 0, s->width, s->height, s->cell};
    return relief;
}

__kernel void find_planes(GROUND, PLACES, int count, __global SiltSphPlane *planes)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    SiltRelief relief = relief_of(s, ground, nodata);
    planes[i] = silt_relief_plane(&relief, x[i], y[i], z[i]);
}

// ---- loads ----

// Whether any particle has enough rock for some of it to move.
__kernel void find_load(__global const float *sediment, int count, __global int *any)
{
    int i = get_global_id(0);
    if (i < count && sediment[i] >= SILT_LOAD_LEAST)
        *any = 1;
}

// What pairs read: the load stands in place of a density, and in place of a velocity the pace of settling
// onto the particle.
__kernel void find_paces(__constant const SiltFluidStep *s, PLACES, __global const float *sediment, int count,
                         __global const int *any, __global SiltSphRecord *record)
{
    int i = get_global_id(0);
    if (i >= count || !*any)
        return;
    float load = sediment[i];
    SiltSphRecord r = {x[i], y[i], z[i], load, silt_load_pace(s->sediment, load, s->dt), 0.0f, 0.0f, 0.0f};
    record[i] = r;
}

__kernel void hand_on(__constant const SiltFluidStep *s, CELLS, PLACES, __global const SiltSphRecord *record,
                      float h2, int count, __global const int *any, __global float *after)
{
    int i = get_global_id(0);
    if (i >= count || !*any)
        return;
    SiltSphRecord me = record[i];
    SiltSphPlace at = {me.x, me.y, me.z, i, 0.0f, 0.0f, 0.0f, 0.0f};
    SiltSphRuns runs;
    float sum = 0.0f;
    silt_look_runs(g, rows, start, me.x, me.y, me.z, &runs);
    for (int n = 0; n < runs.count; n++)
        for (int j = runs.begin[n]; j < runs.end[n]; j++) {
            float dx = me.x - x[j], dy = me.y - y[j], dz = me.z - z[j];
            if (!silt_look_counts(&at, j, dx, dy, dz, h2))
                continue;
            SiltSphRecord b = record[j];
            if (me.density >= SILT_LOAD_LEAST || b.density >= SILT_LOAD_LEAST)
                sum +=
                    silt_load_gain(me.density, me.u, b.density, b.u, dx, dy, dz, s->h, s->sediment.is_printed,
                                   s->spread, s->load_dither[0], s->load_dither[1]);
        }
    after[i] = me.density + sum;
}

__kernel void keep_loads(__global float *sediment, __global const float *after, int count,
                         __global const int *any)
{
    int i = get_global_id(0);
    if (i < count && *any)
        sediment[i] = after[i];
}

// ---- books of the ground ----

static inline void shape(const SiltRelief *relief, double rise, const int *sample, long units,
                         __global long *taken, __global long *laid)
{
    long share[3];
    silt_relief_shape(relief, sample, units, rise, share);
    for (int k = 0; k < 3; k++)
        silt_add_units((units > 0 ? laid : taken) + sample[k], share[k]);
}

static inline void spread(const SiltSurface *at, long units, __global long *to)
{
    long share[3];
    silt_relief_spread(at, units, share);
    for (int k = 0; k < 3; k++)
        silt_add_units(to + at->sample[k], share[k]);
}

static inline void note(const SiltRelief *relief, float x, float y, float distance, __global long *passed,
                        __global int *present)
{
    int n = silt_relief_cell(relief, x, y);
    silt_add_units(passed + n, silt_relief_crossed(distance, relief->cell));
    atomic_inc(present + n);
}

__kernel void settle(__constant const SiltFluidStep *s, __global float *ground, __global const float *base,
                     __global long *taken, __global long *laid, __global long *passed, __global int *present,
                     __global long *change, __global long *wear, __global long *deposition,
                     __global long *loose, __global double *flow, __global double *wetness)
{
    int n = get_global_id(0);
    if (n >= s->width * s->height)
        return;
    long off = taken[n], on = laid[n];
    if (off | on) {
        SiltSample before = {change[n], wear[n], deposition[n], loose[n]};
        SiltSample after = silt_sample_settle(before, off, on);
        change[n] = after.change, wear[n] = after.wear;
        deposition[n] = after.deposition, loose[n] = after.loose;
        ground[n] = silt_sample_height(base[n], after.change, s->rise);
        taken[n] = laid[n] = 0;
    }
    int here = present[n];
    if (here) {
        wetness[n] += silt_sample_wet(here, s->volume, s->cell, s->duration);
        flow[n] += silt_sample_flow(passed[n]);
        passed[n] = 0;
        present[n] = 0;
    }
}

__kernel void lift(GROUND, PLACES, __global const float *u, __global const float *v, __global const float *w,
                   __global const uchar *fate, int count, __global float *lifted)
{
    int i = get_global_id(0);
    if (i >= count || silt_sph_is_out(fate[i]))
        return;
    SiltRelief relief = relief_of(s, ground, nodata);
    SiltSphMotion m = {{x[i], y[i], z[i]}, {u[i], v[i], w[i]}};
    lifted[i] = silt_relief_lift(&relief, &m, s->h, s->dt);
}

// ---- at the ground ----

#define BOOKS                                                                                                \
    __global long *taken, __global long *laid, __global long *passed, __global int *present,                 \
        __global const float *erodibility
#define MOTIONS                                                                                              \
    __global float *x, __global float *y, __global float *z, __global float *u, __global float *v,           \
        __global float *w, __global const float *density, __global float *sediment, __global uchar *fate,    \
        int count

static inline SiltSphMotion load_motion(MOTIONS, int i)
{
    SiltSphMotion m = {{x[i], y[i], z[i]}, {u[i], v[i], w[i]}};
    return m;
}

static inline void keep_motion(const SiltSphMotion *m, MOTIONS, int i)
{
    x[i] = m->at[0], y[i] = m->at[1], z[i] = m->at[2];
    u[i] = m->velocity[0], v[i] = m->velocity[1], w[i] = m->velocity[2];
}

#define ALL_BOOKS   taken, laid, passed, present, erodibility
#define ALL_MOTIONS x, y, z, u, v, w, density, sediment, fate, count

static inline float triangle_softness(__constant const SiltFluidStep *s, __global const float *erodibility,
                                      const int *sample)
{
    if (!s->has_erodibility)
        return 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += erodibility[sample[k]];
    return silt_seed_softness(sum);
}

static inline void wear_triangle(__constant const SiltFluidStep *s, const SiltRelief *relief, BOOKS,
                                 const int *sample, float wanted, float *load)
{
    if (!(wanted > 0.0f))
        return;
    float worn = silt_seed_worn(wanted, triangle_softness(s, erodibility, sample), s->dither[1],
                                s->boundary.most, *load);
    if (worn >= 1.0f) {
        *load += worn;
        shape(relief, s->rise, sample, -(long)worn, taken, laid);
    }
}

// One triangle of silt_boundary_exchange: its seeds, numbered on from *count, what they brake, and the rock
// that goes to and fro.
static inline void exchange_triangle(__constant const SiltFluidStep *s, const SiltRelief *relief, BOOKS,
                                     const SiltAsker *at, const SiltSeedTriangle *t, float pace, float take,
                                     int *count, int *triangles, float *lanes, float *load)
{
    float area, along, share = 0.0f, wanted = 0.0f;
    int before = *count;
    silt_seed_measure(t, relief->cell, at, s->boundary.by_difference, &area, &along);
    for (int b = t->b0; b <= t->b1; b++)
        for (int a = t->a0; a <= t->a1 && *count < SILT_SEEDS; a++) {
            float dz, r2;
            if (!silt_seed_at(t, relief->cell, at, a, b, &dz, &r2))
                break;
            if (!(r2 < at->h * at->h))
                continue;
            SiltSeedWork work =
                s->boundary.power == 0.5f
                    ? silt_seed_weigh(s->boundary.shear, s->boundary.critical, s->boundary.strength, 0.5f,
                                      at->h, pace, take, r2, dz, area, along)
                    : silt_seed_weigh(s->boundary.shear, s->boundary.critical, s->boundary.strength,
                                      s->boundary.power, at->h, pace, take, r2, dz, area, along);
            share += work.settling;
            wanted += work.worn;
            lanes[(*count)++ % SILT_SEED_LANES] += work.slow;
        }
    if (*count == before)
        return;
    ++*triangles;
    if (!s->boundary.exchanges)
        return;
    float laid_here = silt_seed_laid(*load, share, s->dither[0]);
    if (laid_here >= 1.0f)
        shape(relief, s->rise, t->sample, (long)laid_here, taken, laid);
    *load -= laid_here;
    wear_triangle(s, relief, ALL_BOOKS, t->sample, wanted, load);
}

static inline void exchange(__constant const SiltFluidStep *s, const SiltRelief *relief, BOOKS,
                            SiltSphMotion *m, float density, float *load)
{
    SiltBoundaryNumbers boundary = s->boundary;
    SiltAsker at = {m->at[0], m->at[1], m->at[2], m->velocity[0], m->velocity[1], m->velocity[2], s->h};
    SiltSeedCells cells = silt_seed_cells(relief, &at);
    float pace = silt_seed_pace(&boundary, s->dt, silt_load_speed(s->sediment, *load), s->spacing);
    float take = boundary.by_wall_law ? 0.0f : s->take, slow = 0.0f;
    float lanes[SILT_SEED_LANES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    int count = 0, triangles = 0;
    for (int j = cells.north; j <= cells.south; j++)
        for (int i = cells.west; i <= cells.east; i++)
            for (int second = 0; second < 2 && silt_seed_in_reach(relief, &at, i, j); second++) {
                SiltSeedTriangle t;
                if (triangles < SILT_SEED_TRIANGLES &&
                    silt_seed_triangle(relief, boundary.spacing, &at, i, j, second, &t))
                    exchange_triangle(s, relief, ALL_BOOKS, &at, &t, pace, take, &count, &triangles, lanes,
                                      load);
            }
    if (count == 0)
        return;
    for (int l = 0; l < SILT_SEED_LANES; l++)
        slow += lanes[l];
    if (!boundary.by_wall_law) {
        float by = silt_seed_brake(s->dt, boundary.friction, slow, density);
        m->velocity[0] *= by, m->velocity[1] *= by, m->velocity[2] *= by;
    } else if (boundary.exchanges) { // the engine brakes
        SiltSurface below = silt_relief_at(relief, at.x, at.y);
        float wanted =
            silt_seed_wall_wear(&boundary, &below, &at, s->spacing, s->density, s->steep, s->rough, s->take);
        wear_triangle(s, relief, ALL_BOOKS, below.sample, wanted, load);
    }
}

// Water with rock in it: sph_model.c, meet_ground.
__kernel void meet_ground(GROUND, BOOKS, MOTIONS)
{
    int i = get_global_id(0);
    if (i >= count || silt_sph_is_out(fate[i]))
        return;
    SiltRelief relief = relief_of(s, ground, nodata);
    SiltSphMotion m = load_motion(ALL_MOTIONS, i);
    float load = sediment[i];
    bool is_there = true;
    if (!silt_relief_is_far(&relief, &m, s->h, s->dt)) {
        bool touched = silt_relief_collide(&relief, &m, s->dt, s->restitution, s->sides, &is_there);
        SiltSurface below = silt_relief_at(&relief, m.at[0], m.at[1]);
        if (is_there && (touched || m.at[2] - below.z < 0.5f * s->spacing))
            m.velocity[0] *= s->brake, m.velocity[1] *= s->brake, m.velocity[2] *= s->brake;
        if (is_there && (m.at[2] - below.z) * below.nz < s->h)
            exchange(s, &relief, ALL_BOOKS, &m, density[i], &load);
    }
    keep_motion(&m, ALL_MOTIONS, i);
    if (is_there) {
        float u1 = m.velocity[0], v1 = m.velocity[1];
        note(&relief, m.at[0], m.at[1], s->dt * silt_sqrtf(u1 * u1 + v1 * v1), passed, present);
        if (fate[i] == SILT_SPH_EXPIRED) {
            SiltSurface below = silt_relief_at(&relief, m.at[0], m.at[1]);
            shape(&relief, s->rise, below.sample, (long)load, taken, laid);
            load = 0.0f;
        }
    } else {
        fate[i] = SILT_SPH_LEFT;
    }
    sediment[i] = load;
}

// Drops of acid: acid.c, meet_ground.
__kernel void meet_acid(GROUND, BOOKS, MOTIONS)
{
    int i = get_global_id(0);
    if (i >= count || silt_sph_is_out(fate[i]))
        return;
    SiltRelief relief = relief_of(s, ground, nodata);
    SiltSphMotion m = load_motion(ALL_MOTIONS, i);
    float load = sediment[i];
    bool is_there = true;
    bool touched = silt_relief_collide(&relief, &m, s->dt, s->restitution, s->sides, &is_there);
    SiltSurface below = silt_relief_at(&relief, m.at[0], m.at[1]);
    touched = touched || m.at[2] - below.z < 0.5f * s->spacing;
    if (is_there && touched) {
        m.velocity[0] *= s->brake, m.velocity[1] *= s->brake, m.velocity[2] *= s->brake;
        float soft = 1.0f;
        if (s->has_erodibility)
            soft = silt_surface_softness(below.weight, erodibility[below.sample[0]],
                                         erodibility[below.sample[1]], erodibility[below.sample[2]]);
        float units = silt_drop_dissolve(s->dissolve, s->dt, soft, s->full, load);
        if (units > 0.0f) {
            load += units;
            spread(&below, (long)units, taken);
        }
    }
    keep_motion(&m, ALL_MOTIONS, i);
    if (is_there) {
        float u1 = m.velocity[0], v1 = m.velocity[1];
        note(&relief, m.at[0], m.at[1], silt_sqrtf(u1 * u1 + v1 * v1) * s->dt, passed, present);
        if (fate[i] == SILT_SPH_EXPIRED) { // it evaporates, and leaves what it carried
            spread(&below, (long)load, laid);
            load = 0.0f;
        }
    } else {
        fate[i] = SILT_SPH_LEFT;
    }
    sediment[i] = load;
}
