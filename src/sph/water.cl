// The kernels of particle water: cells, density, forces and motion, each the work of one particle (or of one
// row of cells). The order of every sum is that of the processor's lanes.
#include "physics/sph_kick.h"
#include "physics/sph_pair.h"
#include "sph/images.h"
#include "sph/look.h"
#include "sph/motion.h"

// Columns of x, y and so on, as SiltSphArrays has them.
#define PLACES __global const float *x, __global const float *y, __global const float *z
#define CELLS  __constant const SiltSphGrid *g, __global const SiltSphRow *rows, __global const int *start

enum { GROUP = 128 };

// ---- cells ----

#define FOLD(type, name, combine)                                                                            \
    static inline type name(__local type *scratch, type value)                                               \
    {                                                                                                        \
        int item = get_local_id(0);                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        scratch[item] = value;                                                                               \
        for (int reach = GROUP / 2; reach > 0; reach /= 2) {                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (item < reach) {                                                                              \
                type a = scratch[item], b = scratch[item + reach];                                           \
                scratch[item] = combine;                                                                     \
            }                                                                                                \
        }                                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        return scratch[0];                                                                                   \
    }

FOLD(float, fold_least, a < b ? a : b)
FOLD(float, fold_most, a > b ? a : b)
FOLD(long, fold_sum, a + b)

// Lowest and highest places of those that stay, six numbers a group.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void span(PLACES, __global const uchar *fate,
                                                                    int count, __global float *out)
{
    __local float scratch[GROUP];
    for (int axis = 0; axis < 3; axis++) {
        __global const float *all = axis == 0 ? x : axis == 1 ? y : z;
        float low = INFINITY, high = -INFINITY;
        for (int i = get_global_id(0); i < count; i += get_global_size(0))
            if (fate[i] == SILT_SPH_STAYS) {
                float at = all[i];
                low = at < low ? at : low;
                high = at > high ? at : high;
            }
        low = fold_least(scratch, low);
        high = fold_most(scratch, high);
        if (get_local_id(0) == 0) {
            out[6 * get_group_id(0) + axis] = low;
            out[6 * get_group_id(0) + 3 + axis] = high;
        }
    }
}

__kernel void clear_rows(__global SiltSphRow *rows, int count, int width)
{
    int n = get_global_id(0);
    if (n >= count)
        return;
    SiltSphRow row = {width, -1, 0};
    rows[n] = row;
}

// Row and column of each particle; each row reaches from its first to its last.
__kernel void find_rows(PLACES, __global const uchar *fate, int count, __constant const SiltSphGrid *g,
                        __global SiltSphRow *rows, __global int *row_of, __global int *column_of)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    if (fate[i] != SILT_SPH_STAYS) { // it may be no number any more
        row_of[i] = -1;
        column_of[i] = 0;
        return;
    }
    int column = silt_cell_of(x[i], g->low[0], g->inverse[0], g->size[0]);
    int j = silt_cell_of(y[i], g->low[1], g->inverse[1], g->size[1]);
    int k = silt_cell_of(z[i], g->low[2], g->inverse[2], g->size[2]), row = k * g->size[1] + j;
    row_of[i] = row;
    column_of[i] = column;
    if (column < rows[row].low)
        atomic_min(&rows[row].low, column);
    if (column > rows[row].high)
        atomic_max(&rows[row].high, column);
}

// Cells of all rows together where they are 1, 2, 4 and so on columns wide, so many sums a group.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void measure_rows(__global const SiltSphRow *rows,
                                                                            int count, __global long *out)
{
    __local long scratch[GROUP];
    for (int shift = 0; shift < SILT_CELL_WIDTHS; shift++) {
        long sum = 0;
        for (int n = get_global_id(0); n < count; n += get_global_size(0))
            sum += rows[n].high >= 0 ? (rows[n].high >> shift) - (rows[n].low >> shift) + 1 : 0;
        sum = fold_sum(scratch, sum);
        if (get_local_id(0) == 0)
            out[SILT_CELL_WIDTHS * get_group_id(0) + shift] = sum;
    }
}

// Rows as they are with cells 2^shift columns wide, and how many cells each has.
__kernel void fit_rows(__global SiltSphRow *rows, int count, int shift, __global int *width)
{
    int n = get_global_id(0);
    if (n >= count)
        return;
    int low = rows[n].low >> shift, high = rows[n].high < 0 ? -1 : rows[n].high >> shift;
    width[n] = high >= 0 ? high - low + 1 : 0;
    rows[n].low = low;
    rows[n].high = high;
}

__kernel void number_rows(__global SiltSphRow *rows, int count, __global const int *base)
{
    int n = get_global_id(0);
    if (n < count)
        rows[n].base = base[n];
}

// The cell of each particle, from its row and column; `cells` of those that go.
__kernel void find_cells(__global const int *row_of, int count, int cells, int shift,
                         __global const SiltSphRow *rows, __global int *key)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    int row = row_of[i];
    key[i] = row < 0 ? cells : rows[row].base + (key[i] >> shift) - rows[row].low;
}

// How many go and what they carry, whole numbers, by fate.
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
count_gone(__global const uchar *fate, __global const float *sediment, int count, __global long *out)
{
    __local long scratch[GROUP];
    for (int which = 0; which < SILT_SPH_FATES; which++) {
        long gone = 0, carried = 0;
        for (int i = get_global_id(0); which > 0 && i < count; i += get_global_size(0))
            if (fate[i] == which) {
                gone++;
                carried += (long)sediment[i];
            }
        gone = fold_sum(scratch, gone);
        carried = fold_sum(scratch, carried);
        if (get_local_id(0) == 0) {
            out[2 * (SILT_SPH_FATES * get_group_id(0) + which)] = gone;
            out[2 * (SILT_SPH_FATES * get_group_id(0) + which) + 1] = carried;
        }
    }
}

// The arrays of a particle in their order, from and to.
#define EACH(name) __global const float *name, __global float *name##_to
__kernel void gather(__global const int *order, int count, EACH(x), EACH(y), EACH(z), EACH(u), EACH(v),
                     EACH(w), EACH(ax), EACH(ay), EACH(az), EACH(density), EACH(sediment), EACH(age),
                     __global const long *id, __global long *id_to)
{
    int n = get_global_id(0);
    if (n >= count)
        return;
    int i = order[n];
    x_to[n] = x[i], y_to[n] = y[i], z_to[n] = z[i];
    u_to[n] = u[i], v_to[n] = v[i], w_to[n] = w[i];
    ax_to[n] = ax[i], ay_to[n] = ay[i], az_to[n] = az[i];
    density_to[n] = density[i], sediment_to[n] = sediment[i], age_to[n] = age[i];
    id_to[n] = id[i];
}

// ---- density by summation ----

#define LOADS __global const float *sediment, __global const float *age

static inline float heft_of(__constant const SiltSphNumbers *s, LOADS, int i)
{
    return silt_sph_heft(sediment[i], age[i], s->by_load, s->by_age);
}

static inline float ask_density(CELLS, PLACES, __constant const SiltSphNumbers *s, LOADS, SiltSphPlace at)
{
    float h2 = s->law.h2;
    SiltSphRuns runs;
    silt_look_runs(g, rows, start, at.x, at.y, at.z, &runs);
    float all = 0.0f;
    for (int odd = 0; odd < 2; odd++) { // the fold of forces.c: lanes 8 apart, then 4, 2 and 1
        float two = 0.0f;
        for (int b = 0; b < 4; b += 2) {
            float four = 0.0f;
            for (int c = 0; c < 8; c += 4) {
                float eight = 0.0f;
                for (int d = 0; d < 16; d += 8) {
                    float lane = 0.0f;
                    for (int n = 0; n < runs.count; n++)
                        for (int k = runs.begin[n] + odd + b + c + d; k < runs.end[n]; k += SILT_SPH_LANES) {
                            float share = silt_sph_share(at, at.x - x[k], at.y - y[k], at.z - z[k], h2);
                            if (s->weighs)
                                share *= heft_of(s, sediment, age, k);
                            lane += share;
                        }
                    eight += lane;
                }
                four += eight;
            }
            two += four;
        }
        all += two;
    }
    return all;
}

__kernel void sum_density(CELLS, PLACES, LOADS, __constant const SiltSphNumbers *s,
                          __global const SiltSphPlane *planes, int count, __global float *density)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    SiltSphMirror mirrors[SILT_SPH_MIRRORS], chain[SILT_SPH_MIRRORS];
    const float place[3] = {x[i], y[i], z[i]};
    SiltSphQuery q = {{x[i], y[i], z[i], i, 0.0f, 0.0f, 0.0f, 0.0f}}, image;
    SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
    if (s->has_planes)
        plane = planes[i];
    float sum = ask_density(g, rows, start, x, y, z, s, sediment, age, q.at);
    int mirror_count = silt_sph_mirrors(s, place, plane, mirrors), length;
    for (uint subset = 1; subset < 1u << mirror_count; subset++)
        if (silt_sph_image_in(s, &q, mirrors, mirror_count, subset, &image, chain, &length))
            sum += ask_density(g, rows, start, x, y, z, s, sediment, age, image.at);
    density[i] = sum * s->law.poly6;
}

// ---- forces ----

__kernel void prepare(PLACES, __global const float *u, __global const float *v, __global const float *w,
                      __global const float *ax, __global const float *ay, __global const float *az,
                      __global const float *density, LOADS, __constant const SiltSphNumbers *s, int count,
                      __global SiltSphRecord *record)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    float dense = density[i];
    SiltSphRecord r = {x[i],
                       y[i],
                       z[i],
                       dense,
                       u[i] + s->ahead * ax[i],
                       v[i] + s->ahead * ay[i],
                       w[i] + s->ahead * az[i],
                       silt_sph_pressure(dense, s->rest, s->stiffness, s->gas, s->pulls)};
    record[i] = s->weighs ? silt_sph_weigh(r, heft_of(s, sediment, age, i)) : r;
}

// Neighbours in a column of the list, `stride` apart. The processor picks them in batches, and looks at eight
// particles before it asks whether there is room in one: a new batch begins with the first lane again, and
// what is missing up to there is filled with -1. Returns how many; -1: more than the list holds.
static inline int pick(PLACES, const SiltSphRuns *runs, const SiltSphPlace *at, float h2, __global int *list,
                       int stride, int slots)
{
    int base = 0, count = 0;
    for (int n = 0; n < runs->count; n++)
        for (int k = runs->begin[n]; k < runs->end[n]; k += 8) {
            if (count > SILT_NEAR_MOST - 8) {
                for (; count % SILT_SPH_LANES; count++)
                    list[(base + count) * stride] = -1;
                base += count;
                count = 0;
            }
            if (base + count + 8 + SILT_SPH_LANES > slots)
                return -1;
            int end = min(k + 8, runs->end[n]);
            for (int j = k; j < end; j++)
                if (silt_look_counts(at, j, at->x - x[j], at->y - y[j], at->z - z[j], h2))
                    list[(base + count++) * stride] = j;
        }
    return base + count;
}

static inline void add_sums(SiltSphSums *sum, const SiltSphSums *part, const bool surface)
{
    sum->ax += part->ax, sum->ay += part->ay, sum->az += part->az, sum->rate += part->rate;
    sum->bx += part->bx, sum->by += part->by, sum->bz += part->bz;
    if (surface)
        sum->nx += part->nx, sum->ny += part->ny, sum->nz += part->nz, sum->curve += part->curve;
}

static inline SiltSphSums no_sums(void)
{
    SiltSphSums sums = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    return sums;
}

static inline void add_pair(__constant const SiltSphNumbers *s, __global const SiltSphRecord *record,
                            const SiltSphQuery *q, int j, const bool surface, SiltSphSums *lane)
{
    bool is_before = j < q->at.self;
    SiltSphSums part = q->at.self < 0
                           ? silt_sph_meet(s->law, s->gravity, *q, record[j], is_before, true, surface)
                           : silt_sph_meet(s->law, s->gravity, *q, record[j], is_before, false, surface);
    add_sums(lane, &part, surface);
}

// One lane of a crowd that the list cannot hold: looks at all again.
static inline SiltSphSums walk_lane(PLACES, const SiltSphRuns *runs, __constant const SiltSphNumbers *s,
                                    __global const SiltSphRecord *record, const SiltSphQuery *q, int which,
                                    const bool surface)
{
    SiltSphSums lane = no_sums();
    int count = 0;
    for (int n = 0; n < runs->count; n++)
        for (int k = runs->begin[n]; k < runs->end[n]; k += 8) {
            count = count > SILT_NEAR_MOST - 8 ? 0 : count;
            int end = min(k + 8, runs->end[n]);
            for (int j = k; j < end; j++)
                if (silt_look_counts(&q->at, j, q->at.x - x[j], q->at.y - y[j], q->at.z - z[j], s->law.h2))
                    if (count++ % SILT_SPH_LANES == which)
                        add_pair(s, record, q, j, surface, &lane);
        }
    return lane;
}

static inline SiltSphSums ask(CELLS, PLACES, __constant const SiltSphNumbers *s,
                              __global const SiltSphRecord *record, const SiltSphQuery *q, __global int *list,
                              int stride, int slots, const bool surface)
{
    SiltSphRuns runs;
    silt_look_runs(g, rows, start, q->at.x, q->at.y, q->at.z, &runs);
    int length = pick(x, y, z, &runs, &q->at, s->law.h2, list, stride, slots);
    SiltSphSums all = no_sums();
    for (int odd = 0; odd < 2; odd++) { // the fold of forces.c: lanes 8 apart, then 4, 2 and 1
        SiltSphSums two = no_sums();
        for (int b = 0; b < 4; b += 2) {
            SiltSphSums four = no_sums();
            for (int c = 0; c < 8; c += 4) {
                SiltSphSums eight = no_sums();
                for (int d = 0; d < 16; d += 8) {
                    int which = odd + b + c + d;
                    SiltSphSums lane = no_sums();
                    if (length < 0)
                        lane = walk_lane(x, y, z, &runs, s, record, q, which, surface);
                    for (int n = which; n < length; n += SILT_SPH_LANES) {
                        int j = list[n * stride];
                        if (j >= 0)
                            add_pair(s, record, q, j, surface, &lane);
                    }
                    add_sums(&eight, &lane, surface);
                }
                add_sums(&four, &eight, surface);
            }
            add_sums(&two, &four, surface);
        }
        add_sums(&all, &two, surface);
    }
    return all;
}

static inline void push(CELLS, PLACES, __constant const SiltSphNumbers *s,
                        __global const SiltSphRecord *record, __global const SiltSphPlane *planes,
                        __global int *list, int stride, int slots, int i, __global float *ax,
                        __global float *ay, __global float *az, __global float *rate,
                        __global const float *density, __global SiltSphNormal *normal, const bool surface)
{
    SiltSphMirror mirrors[SILT_SPH_MIRRORS], chain[SILT_SPH_MIRRORS];
    SiltSphRecord me = record[i];
    if (s->weighs) { // who asks does so as it is
        me.density = density[i];
        me.pressure = silt_sph_pressure(me.density, s->rest, s->stiffness, s->gas, s->pulls);
    }
    const float place[3] = {me.x, me.y, me.z};
    SiltSphQuery q = {{me.x, me.y, me.z, i, 0.0f, 0.0f, 0.0f, 0.0f},
                      me.u,
                      me.v,
                      me.w,
                      me.u,
                      me.v,
                      me.w,
                      me.pressure,
                      me.density,
                      0.0f};
    SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
    if (s->has_planes)
        plane = planes[i];
    SiltSphSums sums = no_sums();
    int count = silt_sph_mirrors(s, place, plane, mirrors), length = 0;
    for (uint subset = 0; subset < 1u << count; subset++) { // without a mirror first
        SiltSphQuery image;
        if (!silt_sph_image_in(s, &q, mirrors, count, subset, &image, chain, &length))
            continue;
        SiltSphSums part = ask(g, rows, start, x, y, z, s, record, &image, list, stride, slots, surface);
        silt_sph_add_reflected(s, chain, length, &part, &sums);
    }
    float a[3];
    silt_sph_accelerate(s, &sums, 1.0f / me.density, 1.0f / record[i].density, a);
    ax[i] = a[0], ay[i] = a[1], az[i] = a[2];
    rate[i] = sums.rate;
    if (surface && s->curved)
        normal[i] = silt_sph_find_normal(s, &sums);
}

// Particles first to first + batch; each item has a column of the list.
__kernel void forces(CELLS, PLACES, __constant const SiltSphNumbers *s, __global const SiltSphRecord *record,
                     __global const SiltSphPlane *planes, int first, int batch, __global int *list, int slots,
                     __global float *ax, __global float *ay, __global float *az, __global float *rate,
                     __global const float *density)
{
    int item = get_global_id(0);
    if (item < batch)
        push(g, rows, start, x, y, z, s, record, planes, list + item, batch, slots, first + item, ax, ay, az,
             rate, density, 0, false);
}

__kernel void forces_surface(CELLS, PLACES, __constant const SiltSphNumbers *s,
                             __global const SiltSphRecord *record, __global const SiltSphPlane *planes,
                             int first, int batch, __global int *list, int slots, __global float *ax,
                             __global float *ay, __global float *az, __global float *rate,
                             __global const float *density, __global SiltSphNormal *normal)
{
    int item = get_global_id(0);
    if (item < batch)
        push(g, rows, start, x, y, z, s, record, planes, list + item, batch, slots, first + item, ax, ay, az,
             rate, density, normal, true);
}

// Surface tension by curvature, for the particles at the surface.
__kernel void pull_surface(CELLS, PLACES, __constant const SiltSphNumbers *s,
                           __global const SiltSphRecord *record, __global const SiltSphPlane *planes,
                           __global const SiltSphNormal *normal, int count, __global float *ax,
                           __global float *ay, __global float *az, __global const float *density)
{
    int i = get_global_id(0);
    if (i >= count || normal[i].slope == 0.0f)
        return;
    SiltSphMirror mirrors[SILT_SPH_MIRRORS], chain[SILT_SPH_MIRRORS];
    SiltSphNormal mine = normal[i];
    const float place[3] = {x[i], y[i], z[i]};
    SiltSphQuery q = {{x[i], y[i], z[i], i, 0.0f, 0.0f, 0.0f, 0.0f}}, image;
    SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
    if (s->has_planes)
        plane = planes[i];
    SiltSphBend sum = {0.0f, 0.0f};
    int mirror_count = silt_sph_mirrors(s, place, plane, mirrors), length;
    for (uint subset = 0; subset < 1u << mirror_count; subset++) {
        if (!silt_sph_image_in(s, &q, mirrors, mirror_count, subset, &image, chain, &length))
            continue;
        SiltSphNormal turned = silt_sph_turn_normal(mine, chain, length);
        SiltSphRuns runs;
        silt_look_runs(g, rows, start, image.at.x, image.at.y, image.at.z, &runs);
        for (int n = 0; n < runs.count; n++)
            silt_sph_bend_along(s, record, normal, &image.at, turned, runs.begin[n], runs.end[n], &sum);
    }
    float pull = silt_sph_pull(s, mine, sum, 1.0f / density[i]);
    ax[i] += pull * mine.x, ay[i] += pull * mine.y, az[i] += pull * mine.z;
}

// ---- motion ----

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
move(__constant const SiltSphNumbers *s, float dt, int count, __global float *x, __global float *y,
     __global float *z, __global float *u, __global float *v, __global float *w, __global const float *ax,
     __global const float *ay, __global const float *az, __global float *density, __global const float *rate,
     __global float *age, __global const SiltSphPlane *planes, __global uchar *fate, __global float *out)
{
    __local float scratch[GROUP];
    float fastest2 = 0.0f, hardest2 = 0.0f;
    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
        float old = age[i], by = old == 0.0f && s->leaps ? 0.5f * dt : dt;
        SiltSphKick k = silt_sph_kick(x[i], y[i], z[i], u[i], v[i], w[i], ax[i], ay[i], az[i], by, dt);
        SiltSphMotion m = {{k.x, k.y, k.z}, {k.u, k.v, k.w}};
        SiltSphPlane plane = {0.0f, 0.0f, 0.0f, INFINITY};
        if (s->has_planes)
            plane = planes[i];
        float now = old + dt, dense = density[i];
        age[i] = now;
        if (!s->sums_density)
            density[i] = dense = silt_sph_next_density(dense, rate[i], s->rest, dt);
        if (s->walls == SILT_SPH_WALL_LAW)
            silt_sph_stop_at_walls(s, plane, &m, dt);
        float finite = k.speed2 + k.force2 + m.at[0] + m.at[1] + m.at[2] + dense;
        int end = silt_sph_stop_at_box(s, &m, finite, k.speed2, now);
        x[i] = m.at[0], y[i] = m.at[1], z[i] = m.at[2];
        u[i] = m.velocity[0], v[i] = m.velocity[1], w[i] = m.velocity[2];
        if (end != SILT_SPH_STAYS)
            fate[i] = end;
        if (end != SILT_SPH_BAD && end != SILT_SPH_FLOWN) {
            fastest2 = k.speed2 > fastest2 ? k.speed2 : fastest2;
            hardest2 = k.force2 > hardest2 ? k.force2 : hardest2;
        }
    }
    fastest2 = fold_most(scratch, fastest2);
    hardest2 = fold_most(scratch, hardest2);
    if (get_local_id(0) == 0) {
        out[2 * get_group_id(0)] = fastest2;
        out[2 * get_group_id(0) + 1] = hardest2;
    }
}
