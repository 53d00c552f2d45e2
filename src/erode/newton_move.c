// Water arrives, velocities mix, rock dissolves and settles (Neidhold eq. 5-7, 19-23).
#include "core/simd.h"
#include "erode/newton.h"

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

// Sediment goes with the water it is dissolved in.
SILT_CLONES static void load_cells(const LoadJob *shared, int width)
{
    LoadJob job = *shared;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        int32_t in = newton_carried(job.in.east[i], job.load[i + 1], job.dither[i + 1]) +
                     newton_carried(job.in.west[i], job.load[i - 1], job.dither[i - 1]) +
                     newton_carried(job.in.south[i], job.load_below[i], job.dither_below[i]) +
                     newton_carried(job.in.north[i], job.load_above[i], job.dither_above[i]) +
                     newton_carried(job.in.south_east[i], job.load_below[i + 1], job.dither_below[i + 1]) +
                     newton_carried(job.in.north_west[i], job.load_above[i - 1], job.dither_above[i - 1]) +
                     newton_carried(job.in.south_west[i], job.load_below[i - 1], job.dither_below[i - 1]) +
                     newton_carried(job.in.north_east[i], job.load_above[i + 1], job.dither_above[i + 1]);
        int32_t out = 0;
        for (int k = 0; k < WAYS; k++)
            out += newton_carried(job.out[k][i], job.load[i], job.dither[i]);
        job.dissolved[i] += in - out;
    }
}

typedef struct RockJob {
    const int32_t *after, *bed, *bed_above, *bed_below;
    const float *mx, *my, *mz, *erodibility;
    int32_t *ground, *deposit, *dissolved, *wear, *surface;
    float *load;  // dissolved per fluid, for what levels out
    int32_t rest; // grains that a heap may rise above its neighbours
    float capacity, most_load;
    SiltRates rates;
} RockJob;

// eq. 19-23, once for all the water that has come or stayed. Returns the heaviest load.
SILT_CLONES static int32_t rock_cells(const RockJob *shared, int width)
{
    RockJob job = *shared;
    int32_t heaviest = 0;
    SILT_INDEPENDENT
    for (int i = 0; i < width; i++) {
        float speed = silt_sqrtf((job.mx[i] * job.mx[i] + job.my[i] * job.my[i]) + job.mz[i] * job.mz[i]);
        float capacity = newton_capacity((float)job.after[i], speed, job.capacity, job.most_load);
        int32_t room = silt_grains_to_dig(job.bed[i], job.bed[i + 1], job.bed[i - 1], job.bed_below[i],
                                          job.bed_above[i]);
        int32_t heap = silt_grains_to_heap(job.ground[i], job.bed[i + 1], job.bed[i - 1], job.bed_below[i],
                                           job.bed_above[i], job.rest);
        SiltExchange change = silt_pipe_exchange(capacity, capacity, job.dissolved[i], job.deposit[i], room,
                                                 heap, job.erodibility[i], false, job.rates);
        job.ground[i] += change.ground;
        job.deposit[i] += change.deposit;
        job.dissolved[i] -= change.ground;
        job.wear[i] = silt_mini(job.wear[i], INT32_MAX - change.wear) + change.wear;
        job.surface[i] = job.ground[i] + job.after[i];
        job.load[i] = (float)job.dissolved[i] / (float)silt_maxi(job.after[i], 1);
        heaviest = silt_maxi(heaviest, job.dissolved[i]);
    }
    return heaviest;
}

// What neighbours may bring in a step fits into 32 bits only beside a load within its bound.
static int64_t relieve_cells(const RockJob *job, int width)
{
    int64_t lost = silt_wet_relieve(job->ground, job->deposit, job->dissolved, 0, width);
    for (int i = 0; i < width; i++) {
        job->surface[i] = job->ground[i] + job->after[i];
        job->load[i] = (float)job->dissolved[i] / (float)silt_maxi(job->after[i], 1);
    }
    return lost;
}

// What multiplies the erodibility of rock: layer and strata, in `row`.
static const float *rock_row(const Newton *n, int j, float *row, float *heights)
{
    const float *layer = n->erodibility ? silt_field_row(n->erodibility, j) : NULL;
    for (int i = 0; i < width_of(n); i++)
        row[i] = 1.0f;
    if (n->strata.count > 0) {
        silt_newton_heights(n, j, heights);
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
                       .bed = ringed_grains(&n->bed, j),
                       .bed_above = ringed_grains(&n->bed, j - 1),
                       .bed_below = ringed_grains(&n->bed, j + 1),
                       .mx = ringed(&n->mix_x, j),
                       .my = ringed(&n->mix_y, j),
                       .mz = ringed(&n->mix_z, j),
                       .erodibility = rock_row(n, j, buffer, heights),
                       .ground = silt_grains_row(&n->ground, j),
                       .deposit = silt_grains_row(&n->deposit, j),
                       .dissolved = silt_grains_row(&n->dissolved, j),
                       .wear = silt_grains_row(&n->wear, j),
                       .surface = ringed_grains(&n->surface, j),
                       .load = ringed(&n->level, j), // the levels have done their work
                       .rest = n->rest,
                       .capacity = n->capacity,
                       .most_load = n->most_load,
                       .rates = {.dissolve = n->dissolve,
                                 .settle = n->settle,
                                 .loose = (float)p->loose,
                                 .per_loose = (float)(1.0 / p->loose),
                                 .dither = n->rock_dither,
                                 .most = SILT_GRAINS_CHANGE}};
        if (rock_cells(&job, width_of(n)) > SILT_GRAINS_LOAD)
            n->tallies[j].sediment_left += relieve_cells(&job, width_of(n));
    }
}
