// Uplift in the shape of ranges: crests side by side along one strike, each a chain of segments that are
// raised by their own amounts and overlap aside of each other (en échelon), one flank steeper than the other,
// and basins between that sink. For the model `rivers`, as `uplift_map`.
//
// All lengths are metres: more cells show the same ranges, sharper.
#include "core/parallel.h"
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/elementary.h"
#include "physics/noise.h"
#include "physics/random.h"

typedef struct RangesParams {
    double rate, basin, height;
    double strike, bow, spacing, width, segment;
    double asymmetry, offset, wander, variation;
} RangesParams;

static const SiltParam ranges_items[] = {
    SILT_REAL(RangesParams, rate, "m/year", 0.001, 0.0, 0.05, "how fast the fastest crest may rise"),
    SILT_REAL(RangesParams, basin, "m/year", 0.0, -0.05, 0.05, "how fast basins rise; below 0: sink"),
    SILT_LENGTH(RangesParams, height, 0.0, 0.1, "of that crest, where the map itself is the land"),
    SILT_REAL(RangesParams, strike, "deg", 20.0, -360.0, 360.0, "where ranges run to, clockwise from north"),
    SILT_REAL(RangesParams, bow, "m", 0.0, -1e9, 1e9,
              "radius of the arc that they bend to, its middle on the right of the strike; below 0: on the "
              "left; 0: they run straight"),
    SILT_LENGTH(RangesParams, spacing, 1.0, 0.5, "from one crest to the next"),
    SILT_LENGTH(RangesParams, width, 1.0, 0.2, "from a crest to the foot of its range, on average"),
    SILT_LENGTH(RangesParams, segment, 1.0, 0.6, "length of the pieces that a range is made of"),
    SILT_REAL(RangesParams, asymmetry, "", 0.4, -0.9, 0.9,
              "how much longer the flank on the right of the strike is; below 0: the other"),
    SILT_REAL(RangesParams, offset, "", 0.3, 0.0, 1.0, "how far segments lie aside of each other, in widths"),
    SILT_REAL(RangesParams, wander, "", 0.3, 0.0, 2.0, "how far crests stray, in widths"),
    SILT_REAL(RangesParams, variation, "", 0.5, 0.0, 1.0, "how much less than the fastest the slowest rises"),
};

typedef struct Ranges {
    RangesParams p;
    double along_x, along_y; // unit vector of the strike, east and south
    double phase[2];
    uint64_t seed;
    uint32_t noise;
} Ranges;

static double noise_at(uint32_t seed, double x, double y)
{
    double column = floor(x), row = floor(y);
    return (double)silt_noise((uint32_t)(int64_t)column, (uint32_t)(int64_t)row, (float)(x - column),
                              (float)(y - row), seed) /
           0.75;
}

// 0 to 1: what piece `number` of range `index` does at u metres aside of its range's line and t lengths from
// its middle.
static double segment_at(const Ranges *r, int64_t index, int64_t number, double u, double t)
{
    const RangesParams *p = &r->p;
    SiltRandom random = silt_random(r->seed, SILT_STREAM_RANGES, (uint64_t)index, (uint32_t)number);
    double length = 0.7 + 0.3 * (double)silt_uniform(random.word[0]); // half of it; neighbours overlap
    double reach = 1.0 - (t / length) * (t / length);
    if (!(reach > 0.0))
        return 0.0;
    double amount = 1.0 - p->variation * (double)silt_uniform(random.word[1]);
    double aside = u - p->offset * p->width * (double)silt_symmetric(random.word[2]);
    double side = p->width * (aside > 0.0 ? 1.0 + p->asymmetry : 1.0 - p->asymmetry);
    double narrow = 0.55 + 0.45 * reach; // ranges taper to their ends
    return amount * reach * silt_bell(fabs(aside) / (side * narrow));
}

// How far a place is pushed across the strike, in widths: long bends, and spurs and bays at the foot.
static double stray_at(const Ranges *r, double along, double across)
{
    double u = across / r->p.spacing, v = along / r->p.segment;
    return r->p.wander * (noise_at(r->noise, v, 0.5 * u) + 0.4 * noise_at(r->noise + 1, 3.0 * v, 4.0 * u));
}

// Metres along an arc that touches the strike in the middle of the map, and aside of it.
static void bend(double bow, double *along, double *across)
{
    if (bow == 0.0)
        return;
    double side = bow < 0.0 ? -1.0 : 1.0, radius = fabs(bow), from = radius - side * *across;
    double r = sqrt(*along * *along + from * from);
    double turn =
        2.0 * silt_atan(*along / (r + from > 1e-9 * radius ? r + from : 1e-9 * radius)); // half-angle formula
    *across = side * (radius - r);
    *along = radius * turn;
}

// 0 in basins, 1 on the highest crests. Pieces are joined by the fourth root of the sum of their fourth
// powers: about the higher of two, without a crease.
static double rise_at(const Ranges *r, double x, double y)
{
    const RangesParams *p = &r->p;
    double along = x * r->along_x + y * r->along_y, across = y * r->along_x - x * r->along_y;
    bend(p->bow, &along, &across);
    double u = (across + p->width * stray_at(r, along, across)) / p->spacing + r->phase[0], sum = 0.0;
    double nearest = floor(u);
    for (int k = -1; k <= 2; k++) {
        double range = nearest + k;
        double v = along / p->segment + r->phase[1] + 0.37 * range, piece = floor(v);
        for (int n = -1; n <= 1; n++) {
            double rise = segment_at(r, (int64_t)range, (int64_t)piece + n, (u - range) * p->spacing,
                                     v - piece - n - 0.5);
            sum += rise * rise * rise * rise;
        }
    }
    return sum < 1.0 ? sqrt(sqrt(sum)) : 1.0;
}

typedef struct Job {
    const Ranges *ranges;
    SiltField *height, *uplift;
    double cell;
} Job;

static void ranges_rows(void *context, int begin, int end)
{
    const Job *job = context;
    const RangesParams *p = &job->ranges->p;
    for (int j = begin; j < end; j++) {
        float *height = silt_field_row(job->height, j), *uplift = silt_field_row(job->uplift, j);
        double y = (j - 0.5 * (job->height->height - 1)) * job->cell;
        for (int i = 0; i < job->height->width; i++) {
            double rise = rise_at(job->ranges, (i - 0.5 * (job->height->width - 1)) * job->cell, y);
            height[i] = (float)(p->height * rise);
            uplift[i] = (float)(p->basin + (p->rate - p->basin) * rise);
        }
    }
}

static SiltStatus ranges_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Ranges ranges = {.p = *(const RangesParams *)params, .seed = run ? run->seed : 0};
    SILT_RESOLVE(ranges_items, &ranges.p, terrain);
    SiltRandom random = silt_random(ranges.seed, SILT_STREAM_RANGES, UINT64_MAX, 0);
    double turn = ranges.p.strike * (SILT_PI / 180.0);
    ranges.along_x = silt_sin(turn);
    ranges.along_y = -silt_cos(turn);
    ranges.noise = random.word[0];
    // a crest passes near the middle of the map
    ranges.phase[0] = 0.25 * (double)silt_symmetric(random.word[1]);
    ranges.phase[1] = (double)silt_uniform(random.word[2]);
    Job job = {&ranges, silt_terrain_layer(terrain, "height"), NULL, terrain->cell};
    SiltStatus status = silt_terrain_require(terrain, "uplift", &job.uplift);
    return status == SILT_OK ? silt_parallel_run(run, "ranges", terrain->height, 4, ranges_rows, &job)
                             : status;
}

const SiltGenerator silt_generator_ranges = {
    .name = "ranges",
    .summary = "uplift in the shape of ranges, in segments along one strike, with basins between",
    .source = "",
    .makes = "uplift",
    .layers_only = true,
    .params = SILT_PARAM_TABLE(RangesParams, ranges_items),
    .run = ranges_run,
};
