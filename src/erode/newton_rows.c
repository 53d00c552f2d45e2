// The phases of a step of the Newtonian model, row by row. Each phase reads what the phase before wrote and
// writes only its own cells, so rows may run in any order.
#include <math.h>
#include <string.h>

#include "core/simd.h"
#include "erode/newton.h"

static int width_of(const Newton *n)
{
    return n->terrain->width;
}

// ---- water falls; the level that drives it (eq. 13, 24) ----

typedef struct RainJob {
    const int32_t *ground;
    const float *supply, *vx, *vy, *vz;
    int32_t *fluid, *level;
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
        job.level[i] = newton_level(job.ground[i], fluid, speed, job.influence);
        added += more;
    }
    return added;
}

static void heights_row(const Newton *n, int j, float *heights)
{
    const int32_t *ground = silt_grains_row(&n->ground, j);
    for (int i = 0; i < width_of(n); i++)
        heights[i] = (float)(n->base.low + (double)ground[i] * n->grain);
}

static void add_sediment(Newton *n, int j, float *buffer)
{
    const float *supply = silt_supply_sediment_row(&n->supply, j, buffer);
    int32_t *dissolved = silt_grains_row(&n->dissolved, j);
    const int32_t *ground = silt_grains_row(&n->ground, j);
    for (int i = 0; supply && i < width_of(n); i++) {
        int32_t more = silt_grains(supply[i] * (float)(1.0 / n->grain), n->rain_dither);
        more = ground[i] == SILT_GRAINS_WALL ? 0 : more;
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
            heights_row(n, j, heights);
        RainJob job = {.ground = silt_grains_row(&n->ground, j),
                       .supply = silt_supply_row(&n->supply, j, heights, buffer),
                       .vx = silt_field_row(&n->velocity_x, j),
                       .vy = silt_field_row(&n->velocity_y, j),
                       .vz = silt_field_row(&n->velocity_z, j),
                       .fluid = silt_grains_row(&n->fluid, j),
                       .level = ringed_grains(&n->level, j),
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

// ---- acceleration, velocity, and where the water goes (eq. 1-4, 8-18) ----

typedef struct PushJob {
    const int32_t *level, *above, *below, *fluid, *dissolved;
    const float *vx, *vy, *vz;
    float *px, *py, *pz, *load, *load_dither;
    int32_t *out[WAYS];
    float by_count; // 1: the mean is over all lower neighbours; 0: over the three of a side
    float per_cell, courant, gravity, keep, gain, threshold, push, swift, dither, sediment_dither;
} PushJob;

// Nothing goes into a wall.
SILT_INLINE float unless_wall(float share, int32_t neighbour)
{
    return neighbour == SILT_GRAINS_WALL ? 0.0f : share;
}

SILT_INLINE float pick(bool first, float one, float other)
{
    return first ? one : other;
}

SILT_CLONES static int64_t push_cells(const PushJob *shared, int width)
{
    PushJob job = *shared;
    int32_t bounded = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t level = job.level[i];
        float drop_e = newton_drop(level, job.level[i + 1]), drop_w = newton_drop(level, job.level[i - 1]);
        float drop_s = newton_drop(level, job.below[i]), drop_n = newton_drop(level, job.above[i]);
        float drop_se = newton_drop(level, job.below[i + 1]), drop_nw = newton_drop(level, job.above[i - 1]);
        float drop_sw = newton_drop(level, job.below[i - 1]), drop_ne = newton_drop(level, job.above[i + 1]);
        float lower = newton_sum(newton_is_lower(drop_e), newton_is_lower(drop_w), newton_is_lower(drop_s),
                                 newton_is_lower(drop_n), newton_is_lower(drop_se), newton_is_lower(drop_nw),
                                 newton_is_lower(drop_sw), newton_is_lower(drop_ne));
        float scale = job.per_cell / silt_maxf(3.0f + job.by_count * (lower - 3.0f), 1.0f);
        float mx = newton_downhill(drop_e, drop_w, drop_ne, drop_se, drop_nw, drop_sw) * scale;
        float my = newton_downhill(drop_s, drop_n, drop_se, drop_sw, drop_ne, drop_nw) * scale;
        float square = mx * mx + my * my, pull = newton_pull(square, job.gravity);
        float speed_before =
            silt_sqrtf((job.vx[i] * job.vx[i] + job.vy[i] * job.vy[i]) + job.vz[i] * job.vz[i]);
        float u = newton_velocity(job.vx[i], mx * pull, job.keep, job.gain);
        float v = newton_velocity(job.vy[i], my * pull, job.keep, job.gain);
        float w = newton_velocity(job.vz[i], -square * pull, job.keep, job.gain);
        float speed = silt_sqrtf((u * u + v * v) + w * w);
        float bound = speed > job.swift ? job.swift / speed : 1.0f;
        bounded += speed > job.swift;
        job.px[i] = u * bound;
        job.py[i] = v * bound;
        job.pz[i] = w * bound;
        float x = job.px[i] * job.courant, y = job.py[i] * job.courant; // cells: eq. 4
        float fluid = (float)job.fluid[i],
              per_drop = 1.0f / silt_maxf(newton_sum(drop_e, drop_w, drop_s, drop_n, drop_se, drop_nw,
                                                     drop_sw, drop_ne),
                                          1.0f);
        bool slow = speed_before < job.threshold;
        float diagonal = job.push * 0.5f, lean = 0.70710678f;
        float e = pick(slow, newton_split(fluid, drop_e, drop_e * per_drop, x, job.push),
                       fluid * newton_straight_share(x, y));
        float ww = pick(slow, newton_split(fluid, drop_w, drop_w * per_drop, -x, job.push),
                        fluid * newton_straight_share(-x, y));
        float s = pick(slow, newton_split(fluid, drop_s, drop_s * per_drop, y, job.push),
                       fluid * newton_straight_share(y, x));
        float n = pick(slow, newton_split(fluid, drop_n, drop_n * per_drop, -y, job.push),
                       fluid * newton_straight_share(-y, x));
        float se = pick(slow, newton_split(fluid, drop_se, drop_se * per_drop, (x + y) * lean, diagonal),
                        fluid * newton_diagonal_share(x, y));
        float nw = pick(slow, newton_split(fluid, drop_nw, drop_nw * per_drop, (-x - y) * lean, diagonal),
                        fluid * newton_diagonal_share(-x, -y));
        float sw = pick(slow, newton_split(fluid, drop_sw, drop_sw * per_drop, (y - x) * lean, diagonal),
                        fluid * newton_diagonal_share(-x, y));
        float ne = pick(slow, newton_split(fluid, drop_ne, drop_ne * per_drop, (x - y) * lean, diagonal),
                        fluid * newton_diagonal_share(x, -y));
        e = unless_wall(e, job.level[i + 1]);
        ww = unless_wall(ww, job.level[i - 1]);
        s = unless_wall(s, job.below[i]);
        n = unless_wall(n, job.above[i]);
        se = unless_wall(se, job.below[i + 1]);
        nw = unless_wall(nw, job.above[i - 1]);
        sw = unless_wall(sw, job.below[i - 1]);
        ne = unless_wall(ne, job.above[i + 1]);
        float leaving = ((e + ww) + (s + n)) + ((se + nw) + (sw + ne));
        float share = silt_pipe_share(leaving, fluid), held = leaving * share;
        float dither = silt_pipe_dither(held, fluid, 8.0f, job.dither);
        job.out[TO_EAST][i] = silt_grains_moved(e * share, dither);
        job.out[TO_WEST][i] = silt_grains_moved(ww * share, dither);
        job.out[TO_SOUTH][i] = silt_grains_moved(s * share, dither);
        job.out[TO_NORTH][i] = silt_grains_moved(n * share, dither);
        job.out[TO_SOUTH_EAST][i] = silt_grains_moved(se * share, dither);
        job.out[TO_NORTH_WEST][i] = silt_grains_moved(nw * share, dither);
        job.out[TO_SOUTH_WEST][i] = silt_grains_moved(sw * share, dither);
        job.out[TO_NORTH_EAST][i] = silt_grains_moved(ne * share, dither);
        float load = (float)job.dissolved[i] / silt_maxf(fluid, 1.0f);
        job.load[i] = load;
        job.load_dither[i] =
            silt_pipe_dither((held + 8.0f) * load, (float)job.dissolved[i], 8.0f, job.sediment_dither);
    }
    return bounded;
}

static int32_t carried(int32_t grains, float load, float dither)
{
    return silt_grains_moved((float)grains * load, dither);
}

// What went over the borders, for the books.
static void count_leaving(Newton *n, int j, const PushJob *job)
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
            n->tallies[j].sediment_left += carried(job->out[k][i], job->load[i], job->load_dither[i]);
        }
}

void silt_newton_push(void *context, int begin, int end)
{
    Newton *n = context;
    const NewtonParams *p = n->params;
    float cell = (float)n->terrain->cell;
    for (int j = begin; j < end; j++) {
        PushJob job = {.level = ringed_grains(&n->level, j),
                       .above = ringed_grains(&n->level, j - 1),
                       .below = ringed_grains(&n->level, j + 1),
                       .fluid = silt_grains_row(&n->fluid, j),
                       .dissolved = silt_grains_row(&n->dissolved, j),
                       .vx = silt_field_row(&n->velocity_x, j),
                       .vy = silt_field_row(&n->velocity_y, j),
                       .vz = silt_field_row(&n->velocity_z, j),
                       .px = ringed(&n->push_x, j),
                       .py = ringed(&n->push_y, j),
                       .pz = ringed(&n->push_z, j),
                       .load = ringed(&n->load, j),
                       .load_dither = ringed(&n->load_dither, j),
                       .by_count = p->averaging == SILT_NEWTON_ALL ? 1.0f : 0.0f,
                       .per_cell = (float)n->grain / cell,
                       .courant = n->dt / cell,
                       .gravity = (float)p->gravity,
                       .keep = n->keep,
                       .gain = n->gain,
                       .threshold = (float)p->threshold,
                       .push = (float)p->gravity * n->dt * n->dt * (float)n->grain / (cell * cell),
                       .swift = n->swift,
                       .dither = n->fluid_dither,
                       .sediment_dither = n->load_dither_now};
        for (int k = 0; k < WAYS; k++)
            job.out[k] = ringed_grains(&n->out[k], j);
        n->tallies[j].swift += push_cells(&job, width_of(n));
        count_leaving(n, j, &job);
    }
}

// ---- water arrives, velocities mix, rock dissolves and settles (eq. 5-7, 19-23) ----

// The eight neighbours of a cell as rows of a ringed field.
typedef struct Around {
    const int32_t *east, *west, *south, *north, *south_east, *north_west, *south_west, *north_east;
} Around;

// What neighbours send here: the grains each gives in the direction of this cell.
static Around arrivals(const Newton *n, int j)
{
    return (Around){.east = ringed_grains(&n->out[TO_WEST], j) + 1,
                    .west = ringed_grains(&n->out[TO_EAST], j) - 1,
                    .south = ringed_grains(&n->out[TO_NORTH], j + 1),
                    .north = ringed_grains(&n->out[TO_SOUTH], j - 1),
                    .south_east = ringed_grains(&n->out[TO_NORTH_WEST], j + 1) + 1,
                    .north_west = ringed_grains(&n->out[TO_SOUTH_EAST], j - 1) - 1,
                    .south_west = ringed_grains(&n->out[TO_NORTH_EAST], j + 1) - 1,
                    .north_east = ringed_grains(&n->out[TO_SOUTH_WEST], j - 1) + 1};
}

typedef struct MixJob {
    Around in;
    const int32_t *out[WAYS], *fluid;
    const float *push, *above, *below; // one component
    float *mix;
    int32_t *after; // NULL when another component has written it
} MixJob;

SILT_INLINE int32_t all_out(const MixJob *job, int i)
{
    int32_t sum = 0;
    for (int k = 0; k < WAYS; k++)
        sum += job->out[k][i];
    return sum;
}

// eq. 5: amounts add up.
SILT_CLONES static void arrive_cells(const MixJob *shared, int width)
{
    MixJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t in = job.in.east[i] + job.in.west[i] + job.in.south[i] + job.in.north[i] +
                     job.in.south_east[i] + job.in.north_west[i] + job.in.south_west[i] +
                     job.in.north_east[i];
        job.after[i] = job.fluid[i] - all_out(&job, i) + in;
    }
}

// eq. 6-7: velocities mix by mass.
SILT_CLONES static void mix_cells(const MixJob *shared, int width)
{
    MixJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float stays = (float)(job.fluid[i] - all_out(&job, i)) * job.push[i];
        float straight = ((float)job.in.east[i] * job.push[i + 1] + (float)job.in.west[i] * job.push[i - 1]) +
                         ((float)job.in.south[i] * job.below[i] + (float)job.in.north[i] * job.above[i]);
        float askew =
            ((float)job.in.south_east[i] * job.below[i + 1] +
             (float)job.in.north_west[i] * job.above[i - 1]) +
            ((float)job.in.south_west[i] * job.below[i - 1] + (float)job.in.north_east[i] * job.above[i + 1]);
        float mass = (float)silt_maxi(job.after[i], 1);
        job.mix[i] = (stays + (straight + askew)) / mass;
    }
}

typedef struct LoadJob {
    Around in;
    const int32_t *out[WAYS];
    const float *load, *load_above, *load_below, *dither, *dither_above, *dither_below;
    int32_t *dissolved;
} LoadJob;

SILT_INLINE int32_t brought(int32_t grains, float load, float dither)
{
    return silt_grains_moved((float)grains * load, dither);
}

// Sediment goes with the water it is dissolved in.
SILT_CLONES static void load_cells(const LoadJob *shared, int width)
{
    LoadJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t in = brought(job.in.east[i], job.load[i + 1], job.dither[i + 1]) +
                     brought(job.in.west[i], job.load[i - 1], job.dither[i - 1]) +
                     brought(job.in.south[i], job.load_below[i], job.dither_below[i]) +
                     brought(job.in.north[i], job.load_above[i], job.dither_above[i]) +
                     brought(job.in.south_east[i], job.load_below[i + 1], job.dither_below[i + 1]) +
                     brought(job.in.north_west[i], job.load_above[i - 1], job.dither_above[i - 1]) +
                     brought(job.in.south_west[i], job.load_below[i - 1], job.dither_below[i - 1]) +
                     brought(job.in.north_east[i], job.load_above[i + 1], job.dither_above[i + 1]);
        int32_t out = 0;
        for (int k = 0; k < WAYS; k++)
            out += brought(job.out[k][i], job.load[i], job.dither[i]);
        job.dissolved[i] += in - out;
    }
}

typedef struct RockJob {
    const int32_t *after;
    const float *mx, *my, *mz, *erodibility;
    int32_t *ground, *deposit, *dissolved, *wear, *surface;
    float capacity, most_load, dissolve, settle, loose, per_loose, dither;
} RockJob;

// eq. 19-23, once for all the water that has come or stayed.
SILT_CLONES static void rock_cells(const RockJob *shared, int width)
{
    RockJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float speed = silt_sqrtf((job.mx[i] * job.mx[i] + job.my[i] * job.my[i]) + job.mz[i] * job.mz[i]);
        float capacity = newton_capacity((float)job.after[i], speed, job.capacity, job.most_load);
        SiltExchange change =
            silt_pipe_exchange(capacity, job.dissolved[i], job.deposit[i], job.ground[i], job.dissolve,
                               job.settle, job.loose, job.per_loose, job.erodibility[i], job.dither);
        job.ground[i] += change.ground;
        job.deposit[i] += change.deposit;
        job.dissolved[i] += change.sediment;
        job.wear[i] = silt_mini(job.wear[i], INT32_MAX - change.wear) + change.wear;
        job.surface[i] = job.ground[i] + job.after[i];
    }
}

// What multiplies the erodibility of rock: layer and strata, in `row`.
static const float *rock_row(const Newton *n, int j, float *row, float *heights)
{
    const float *layer = n->erodibility ? silt_field_row(n->erodibility, j) : NULL;
    for (int i = 0; i < width_of(n); i++)
        row[i] = 1.0f;
    if (n->strata.count > 0) {
        heights_row(n, j, heights);
        silt_strata_row(&n->strata, 0, j, width_of(n), heights, row);
    }
    for (int i = 0; layer && i < width_of(n); i++)
        row[i] *= layer[i];
    return row;
}

static void mix_row(const Newton *n, int j)
{
    const SiltField *from[] = {&n->push_x, &n->push_y, &n->push_z}, *to[] = {&n->mix_x, &n->mix_y, &n->mix_z};
    MixJob job = {
        .in = arrivals(n, j), .fluid = silt_grains_row(&n->fluid, j), .after = ringed_grains(&n->after, j)};
    for (int k = 0; k < WAYS; k++)
        job.out[k] = ringed_grains(&n->out[k], j);
    arrive_cells(&job, width_of(n));
    for (int k = 0; k < 3; k++) {
        job.push = ringed(from[k], j);
        job.above = ringed(from[k], j - 1);
        job.below = ringed(from[k], j + 1);
        job.mix = ringed(to[k], j);
        mix_cells(&job, width_of(n));
    }
}

static void load_row(const Newton *n, int j)
{
    LoadJob job = {.in = arrivals(n, j),
                   .load = ringed(&n->load, j),
                   .load_above = ringed(&n->load, j - 1),
                   .load_below = ringed(&n->load, j + 1),
                   .dither = ringed(&n->load_dither, j),
                   .dither_above = ringed(&n->load_dither, j - 1),
                   .dither_below = ringed(&n->load_dither, j + 1),
                   .dissolved = silt_grains_row(&n->dissolved, j)};
    for (int k = 0; k < WAYS; k++)
        job.out[k] = ringed_grains(&n->out[k], j);
    load_cells(&job, width_of(n));
}

void silt_newton_move(void *context, int begin, int end)
{
    Newton *n = context;
    const NewtonParams *p = n->params;
    for (int j = begin; j < end; j++) {
        float *buffer = n->rows + (size_t)j * 2 * (size_t)width_of(n), *heights = buffer + width_of(n);
        mix_row(n, j);
        load_row(n, j);
        RockJob job = {.after = ringed_grains(&n->after, j),
                       .mx = ringed(&n->mix_x, j),
                       .my = ringed(&n->mix_y, j),
                       .mz = ringed(&n->mix_z, j),
                       .erodibility = rock_row(n, j, buffer, heights),
                       .ground = silt_grains_row(&n->ground, j),
                       .deposit = silt_grains_row(&n->deposit, j),
                       .dissolved = silt_grains_row(&n->dissolved, j),
                       .wear = silt_grains_row(&n->wear, j),
                       .surface = ringed_grains(&n->surface, j),
                       .capacity = n->capacity,
                       .most_load = n->most_load,
                       .dissolve = n->dissolve,
                       .settle = n->settle,
                       .loose = (float)p->loose,
                       .per_loose = (float)(1.0 / p->loose),
                       .dither = n->rock_dither};
        rock_cells(&job, width_of(n));
    }
}

// ---- diffusion to the four direct neighbours, evaporation (eq. 25) ----

typedef struct SmoothJob {
    const int32_t *surface, *surface_above, *surface_below, *fluid, *fluid_above, *fluid_below;
    const float *loss;
    int32_t *out;
    float share, dither;
    int32_t dry;     // grains: a film no deeper dries up besides
    float film_loss; // grains in this step
    int32_t deepest; // out
} SmoothJob;

// Grains that level out between two cells: a share of the difference of their surfaces, and never more than
// an eighth of what the higher one holds. Positive towards the second.
SILT_INLINE int32_t levelled(int32_t surface_a, int32_t surface_b, int32_t fluid_a, int32_t fluid_b,
                             float share)
{
    float drop = (float)(surface_a - surface_b), size = drop < 0.0f ? -drop : drop;
    int32_t held = drop > 0.0f ? fluid_a : fluid_b;
    bool wall = surface_a == SILT_GRAINS_WALL || surface_b == SILT_GRAINS_WALL;
    int32_t grains = silt_mini((int32_t)(size * share), held >> 3);
    grains = drop < 0.0f ? -grains : grains;
    return wall ? 0 : grains;
}

SILT_CLONES static int64_t smooth_cells(SmoothJob *shared, int width)
{
    SmoothJob job = *shared;
    int64_t dried = 0;
    int32_t deepest = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t s = job.surface[i], f = job.fluid[i];
        int32_t lost = levelled(s, job.surface[i + 1], f, job.fluid[i + 1], job.share) +
                       levelled(s, job.surface[i - 1], f, job.fluid[i - 1], job.share) +
                       levelled(s, job.surface_below[i], f, job.fluid_below[i], job.share) +
                       levelled(s, job.surface_above[i], f, job.fluid_above[i], job.share);
        int32_t fluid = f - lost;
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

enum { TRACE = 16 }; // grains, a few micrometres: they cling to the ground

SILT_CLONES static void smooth_velocity(const float *v, const float *above, const float *below,
                                        const int32_t *fluid, float *out, int width, float share)
{
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float around = (v[i + 1] + v[i - 1]) + (above[i] + below[i]);
        float smooth = v[i] + share * (around - 4.0f * v[i]);
        out[i] = fluid[i] > TRACE ? smooth : 0.0f;
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
            heights_row(n, j, heights);
        silt_supply_loss_row(&n->supply, heights, width, loss);
        SmoothJob job = {.surface = ringed_grains(&n->surface, j),
                         .surface_above = ringed_grains(&n->surface, j - 1),
                         .surface_below = ringed_grains(&n->surface, j + 1),
                         .fluid = ringed_grains(&n->after, j),
                         .fluid_above = ringed_grains(&n->after, j - 1),
                         .fluid_below = ringed_grains(&n->after, j + 1),
                         .loss = loss,
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
