// Diamond-square (Fournier, Fussell and Carpenter 1982; Fritz 3.1): a coarse lattice of random heights is
// made twice as fine again and again. The centre of each square is the mean of its corners, the middle of
// each edge the mean of its ends and of the centres beside it, and each is moved up or down by chance, the
// less the finer the lattice. Every level is an array of its own, made from the one before by rows.
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/power.h"
#include "physics/random.h"

enum { SPAN = 256, MAX_LEVELS = 30 }; // SPAN squares at a time

typedef struct DiamondSquareParams {
    double relief;
    double hurst;
    double feature_size;
    bool wrap;
    bool additions;
} DiamondSquareParams;

static const SiltParam diamond_square_items[] = {
    SILT_LENGTH(DiamondSquareParams, relief, 0.0, 0.15, "usual height of the highest place above the lowest"),
    SILT_REAL(DiamondSquareParams, hurst, "", 0.9, 0.0, 1.0,
              "chance falls by 2^-hurst a level: 0 is rough, 1 is smooth"),
    SILT_REAL(
        DiamondSquareParams, feature_size, "m", NAN, 1e-3, 1e7,
        "size of the first squares, as near as a power of two of cells comes; none: a quarter of the map"),
    SILT_BOOL(DiamondSquareParams, wrap, 0, "the map's edges fit each other, so that tiles repeat"),
    SILT_BOOL(DiamondSquareParams, additions, 0,
              "move all points at each level, not the new ones alone: no creases along the first squares"),
};

// One doubling: `from` holds the points of a lattice, `to` those of one twice as fine.
typedef struct Level {
    const SiltField *from;
    SiltField *to;
    int last_i, last_j; // the whole lattice's last column and row; `from` may be cropped before them
    bool wrap, additions;
    float centre_step, edge_step; // metres that a centre or the middle of an edge moves at the most
    uint64_t seed;
    uint32_t number;
} Level;

// What belongs to the squares i0 .. i0 + count - 1 of a row of squares; index 0 of each array is square i0
// - 1.
typedef struct Strip {
    float north[SPAN + 2], south[SPAN + 2];  // corners
    float above[SPAN + 1], centre[SPAN + 1]; // centres of the row before and of this one
    float chance_centre[SPAN + 1], chance_east[SPAN + 1], chance_south[SPAN + 1], chance_corner[SPAN + 1];
} Strip;

SILT_CLONES static void draw_chances(uint64_t seed, uint32_t level, uint32_t i, uint32_t j, int count,
                                     float *restrict centre, float *restrict east, float *restrict south,
                                     float *restrict corner)
{
    for (int k = 0; k < count; k++) {
        uint64_t square = (uint64_t)j << 32 | (i + (uint32_t)k);
        SiltRandom random = silt_random(seed, SILT_STREAM_DIAMOND_SQUARE, square, level);
        centre[k] = silt_symmetric(random.word[0]);
        east[k] = silt_symmetric(random.word[1]);
        south[k] = silt_symmetric(random.word[2]);
        corner[k] = silt_symmetric(random.word[3]);
    }
}

static int neighbour(const Level *level, int index, int count)
{
    if (level->wrap)
        return (index + count) % count;
    return index < 0 ? 0 : index < count ? index : count - 1;
}

static void load_corners(const Level *level, int i0, int j, int count, float *out)
{
    const SiltField *from = level->from;
    const float *row = silt_field_row(from, neighbour(level, j, from->height));
    for (int k = 0; k < count + 2; k++) {
        int i = i0 - 1 + k;
        out[k] = row[i >= 0 && i < from->width ? i : neighbour(level, i, from->width)];
    }
}

SILT_CLONES static void mean_of_corners(const float *restrict north, const float *restrict south,
                                        const float *restrict chance, float step, int count,
                                        float *restrict centre)
{
    for (int k = 0; k < count; k++)
        centre[k] = 0.25f * ((north[k] + north[k + 1]) + (south[k] + south[k + 1])) + step * chance[k];
}

// The row of squares j: its corners, what chance gives it, its centres.
static void load_squares(const Level *level, int i0, int j, int count, Strip *s)
{
    load_corners(level, i0, j, count, s->north);
    load_corners(level, i0, j + 1, count, s->south);
    uint32_t row = (uint32_t)neighbour(level, j, level->from->height);
    uint32_t before = (uint32_t)neighbour(level, i0 - 1, level->from->width);
    draw_chances(level->seed, level->number, before, row, 1, s->chance_centre, s->chance_east,
                 s->chance_south, s->chance_corner);
    draw_chances(level->seed, level->number, (uint32_t)i0, row, count, s->chance_centre + 1,
                 s->chance_east + 1, s->chance_south + 1, s->chance_corner + 1);
    mean_of_corners(s->north, s->south, s->chance_centre, level->centre_step, count + 1, s->centre);
}

// Points along the northern edges: corner, middle of the edge, corner ... A missing centre has weight 0.
SILT_CLONES static void write_edge_row(const Strip *restrict s, float step, float corner_step, float above,
                                       float below, int count, float *restrict out)
{
    float weight = 1.0f / (2.0f + above + below);
    for (int k = 0; k < count; k++) {
        float sum =
            (s->north[k + 1] + s->north[k + 2]) + (above * s->above[k + 1] + below * s->centre[k + 1]);
        out[2 * k] = s->north[k + 1] + corner_step * s->chance_corner[k + 1];
        out[2 * k + 1] = weight * sum + step * s->chance_east[k + 1];
    }
}

// Points through the squares: middle of the western edge, centre, middle of the next ...
SILT_CLONES static void write_centre_row(const Strip *restrict s, float step, int count, float *restrict out)
{
    for (int k = 0; k < count; k++) {
        float sum = (s->north[k + 1] + s->south[k + 1]) + (s->centre[k] + s->centre[k + 1]);
        out[2 * k] = 0.25f * sum + step * s->chance_south[k + 1];
        out[2 * k + 1] = s->centre[k + 1];
    }
}

// The map's own western and eastern edges have a centre on one side only, or on none in a map one column
// wide.
static void write_border(const Level *level, const Strip *s, int k, bool west, bool east, float *out)
{
    float sum = s->north[k + 1] + s->south[k + 1];
    sum += (west ? 0.0f : s->centre[k]) + (east ? 0.0f : s->centre[k + 1]);
    float weight = 1.0f / (4.0f - (west ? 1.0f : 0.0f) - (east ? 1.0f : 0.0f));
    out[2 * k] = weight * sum + level->edge_step * s->chance_south[k + 1];
}

static void store(const SiltField *to, int i, int j, const float *points, int count)
{
    int left = to->width - i;
    if (j < to->height && left > 0)
        memcpy(silt_field_row(to, j) + i, points, (size_t)(left < count ? left : count) * sizeof *points);
}

static void refine_strip(const Level *level, int i0, int count, int begin, int end)
{
    Strip strip;
    float points[2 * SPAN];
    bool west = !level->wrap && i0 == 0, east = !level->wrap && i0 + count - 1 == level->last_i;
    for (int j = begin; j < end; j++) {
        if (j == begin && (j > 0 || level->wrap))
            load_squares(level, i0, j - 1, count, &strip);
        memcpy(strip.above, strip.centre, sizeof strip.above);
        load_squares(level, i0, j, count, &strip);
        bool north = !level->wrap && j == 0, south = !level->wrap && j == level->last_j;
        if (north)
            memset(strip.above, 0, sizeof strip.above);
        write_edge_row(&strip, level->edge_step, level->additions ? level->edge_step : 0.0f,
                       north ? 0.0f : 1.0f, south ? 0.0f : 1.0f, count, points);
        store(level->to, 2 * i0, 2 * j, points, 2 * count);
        write_centre_row(&strip, level->edge_step, count, points);
        if (west)
            write_border(level, &strip, 0, true, east && count == 1, points);
        if (east && !(west && count == 1))
            write_border(level, &strip, count - 1, false, true, points);
        store(level->to, 2 * i0, 2 * j + 1, points, 2 * count);
    }
}

static void refine_rows(void *context, int begin, int end)
{
    const Level *level = context;
    int squares = (level->to->width + 1) / 2;
    for (int i = 0; i < squares; i += SPAN)
        refine_strip(level, i, squares - i < SPAN ? squares - i : SPAN, begin, end);
}

// ---- the lattices from the first squares to the cells ----

typedef struct Plan {
    int square;                // cells along a first square, a power of two
    int level_count;           // doublings
    int first_x, first_y;      // points of the first lattice
    int out_width, out_height; // cells to make: the map, or a little more where a map that wraps is resampled
} Plan;

static int power_of_two_above(int value)
{
    int power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static int first_square(const SiltTerrain *terrain, const DiamondSquareParams *p)
{
    int longer = terrain->width > terrain->height ? terrain->width : terrain->height;
    int shorter = terrain->width < terrain->height ? terrain->width : terrain->height;
    int whole = power_of_two_above(p->wrap ? shorter : longer - 1);
    double wanted = p->feature_size / terrain->cell / sqrt(2.0); // between two powers, to the nearer one
    int limit = p->wrap ? whole : 1 << MAX_LEVELS;
    int square = 1;
    while (square < limit && square < wanted)
        square *= 2;
    return !isnan(p->feature_size) ? square : whole > 4 ? whole / 4 : 1;
}

static int squares_along(int cells, int square)
{
    return (cells - 1) / square + 1;
}

static Plan make_plan(const SiltTerrain *terrain, const DiamondSquareParams *p)
{
    Plan plan = {first_square(terrain, p), 0, 0, 0, terrain->width, terrain->height};
    if (p->wrap) {
        // whole squares both ways, squeezed alike to a tenth
        double squeeze_x, squeeze_y;
        for (;; plan.square /= 2) {
            squeeze_x = (double)squares_along(terrain->width, plan.square) * plan.square / terrain->width;
            squeeze_y = (double)squares_along(terrain->height, plan.square) * plan.square / terrain->height;
            if (plan.square == 1 || fabs(squeeze_x / squeeze_y - 1.0) < 0.1)
                break;
        }
        plan.first_x = squares_along(terrain->width, plan.square);
        plan.first_y = squares_along(terrain->height, plan.square);
        plan.out_width = plan.first_x * plan.square;
        plan.out_height = plan.first_y * plan.square;
    } else {
        plan.first_x = terrain->width == 1 ? 1 : squares_along(terrain->width - 1, plan.square) + 1;
        plan.first_y = terrain->height == 1 ? 1 : squares_along(terrain->height - 1, plan.square) + 1;
    }
    for (int size = plan.square; size > 1; size /= 2)
        plan.level_count++;
    return plan;
}

// Points of lattice `level` that the cells need: those of the next finer one, their neighbours, no more than
// there are.
static int points_needed(int out, int first, int level, const Plan *plan, bool wrap)
{
    int needed = out;
    for (int k = plan->level_count; k > level; k--) {
        int whole = wrap ? first << (k - 1) : ((first - 1) << (k - 1)) + 1;
        needed = (needed - 1) / 2 + 2;
        needed = wrap || needed > whole ? whole : needed;
    }
    return needed;
}

static SiltStatus level_field(const Plan *plan, int level, bool wrap, SiltField *out)
{
    return silt_field_create(points_needed(plan->out_width, plan->first_x, level, plan, wrap),
                             points_needed(plan->out_height, plan->first_y, level, plan, wrap), out);
}

// The deviation of a centre from the mean of its corners, if the heights of places a distance r apart differ
// by r^hurst: 2 g(r) - g(sqrt(2) r) / 2 - g(2 r) / 4 with g(r) = r^(2 hurst) / 2. It would leave nothing to
// chance at hurst 1, where it is held.
static double chance_ratio(double hurst)
{
    double variance = 1.0 - silt_power(2.0, hurst - 2.0) - silt_power(2.0, 2.0 * hurst - 3.0);
    return sqrt(variance > 0.04 ? variance : 0.04);
}

// What the random heights of the first lattice and of each level may be at the most, in metres.
typedef struct Steps {
    double first;
    double level; // before the first level; falls by half_fall twice a level
    double half_fall;
} Steps;

// Steps for about the relief asked: the range of as many uniform numbers as the first lattice has points, and
// some deviations of what is added to it, more where the surface is rough.
static Steps make_steps(const Plan *plan, const DiamondSquareParams *p)
{
    Steps steps = {1.0, sqrt(2.0) * chance_ratio(p->hurst), silt_power(2.0, -0.5 * p->hurst)};
    double points = (double)plan->first_x * plan->first_y, added = 0.0, step = steps.level;
    for (int k = 0; k < plan->level_count; k++) {
        double centre = step * steps.half_fall, edge = centre * steps.half_fall;
        added += (centre * centre + (p->additions ? 3.0 : 2.0) * edge * edge) / 12.0;
        step = edge;
    }
    double first_range = 2.0 * (points - 1.0) / (points + 1.0);
    double deviations = p->hurst < 0.5 ? 3.2 + 5.5 * (0.5 - p->hurst) : 3.2;
    double range = sqrt(first_range * first_range + deviations * deviations * added);
    steps.first = range > 0.0 ? p->relief / range : p->relief;
    steps.level *= steps.first;
    return steps;
}

static void fill_first(const SiltField *field, double middle, double step, uint64_t seed)
{
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            uint64_t point = (uint64_t)j << 32 | (uint32_t)i;
            SiltRandom random = silt_random(seed, SILT_STREAM_DIAMOND_SQUARE, point, 0);
            silt_field_row(field, j)[i] = (float)(middle + step * (double)silt_symmetric(random.word[0]));
        }
}

// Doubles until the cells are reached, and leaves them in `out`.
static SiltStatus refine(const Plan *plan, const DiamondSquareParams *p, const SiltRun *run, SiltField *out)
{
    uint64_t seed = run ? run->seed : 0;
    Steps steps = make_steps(plan, p);
    SiltField from = {0}, to = {0};
    SiltStatus status = plan->level_count ? level_field(plan, 0, p->wrap, &from) : SILT_OK;
    if (status == SILT_OK)
        fill_first(plan->level_count ? &from : out, 0.5 * p->relief, steps.first, seed);
    for (int k = 0; k < plan->level_count && status == SILT_OK; k++) {
        bool last = k + 1 == plan->level_count;
        if (!last)
            status = level_field(plan, k + 1, p->wrap, &to);
        if (status != SILT_OK)
            break;
        Level level = {.from = &from,
                       .to = last ? out : &to,
                       .last_i = (plan->first_x - 1) << k,
                       .last_j = (plan->first_y - 1) << k,
                       .wrap = p->wrap,
                       .additions = p->additions,
                       .centre_step = (float)(steps.level * steps.half_fall),
                       .edge_step = (float)(steps.level * steps.half_fall * steps.half_fall),
                       .seed = seed,
                       .number = (uint32_t)k + 1};
        status =
            silt_parallel_run(run, "diamond-square", (level.to->height + 1) / 2, 16, refine_rows, &level);
        steps.level *= steps.half_fall * steps.half_fall;
        silt_field_destroy(&from);
        from = to;
        to = (SiltField){0};
    }
    silt_field_destroy(&from);
    return status;
}

// ---- sizes that are no whole number of squares, and yet wrap ----

typedef struct ResampleJob {
    const SiltField *from;
    SiltField *to;
} ResampleJob;

// Catmull and Rom's cubic through four points, at t between the second and third.
static double cubic(const double v[4], double t)
{
    double a = 3.0 * (v[1] - v[2]) + v[3] - v[0];
    double b = 2.0 * v[0] - 5.0 * v[1] + 4.0 * v[2] - v[3];
    return v[1] + 0.5 * t * (v[2] - v[0] + t * (b + t * a));
}

static void resample_rows(void *context, int begin, int end)
{
    const ResampleJob *job = context;
    const SiltField *from = job->from;
    double scale_x = (double)from->width / job->to->width, scale_y = (double)from->height / job->to->height;
    for (int j = begin; j < end; j++) {
        double y = j * scale_y;
        int top = (int)y;
        const float *rows[4];
        for (int k = 0; k < 4; k++)
            rows[k] = silt_field_row(from, (top - 1 + k + from->height) % from->height);
        for (int i = 0; i < job->to->width; i++) {
            double x = i * scale_x, column[4];
            int left = (int)x;
            for (int k = 0; k < 4; k++) {
                double v[4];
                for (int n = 0; n < 4; n++)
                    v[n] = (double)rows[k][(left - 1 + n + from->width) % from->width];
                column[k] = cubic(v, x - left);
            }
            silt_field_row(job->to, j)[i] = (float)cubic(column, y - top);
        }
    }
}

static SiltStatus diamond_square_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    DiamondSquareParams p = *(const DiamondSquareParams *)params;
    SILT_RESOLVE(diamond_square_items, &p, terrain);
    SiltField *height = silt_terrain_layer(terrain, "height");
    Plan plan = make_plan(terrain, &p);
    if (plan.out_width == terrain->width && plan.out_height == terrain->height)
        return refine(&plan, &p, run, height);
    SiltField whole = {0};
    SiltStatus status = silt_field_create(plan.out_width, plan.out_height, &whole);
    if (status == SILT_OK)
        status = refine(&plan, &p, run, &whole);
    ResampleJob job = {&whole, height};
    if (status == SILT_OK)
        status = silt_parallel_run(run, "diamond-square", height->height, 16, resample_rows, &job);
    silt_field_destroy(&whole);
    return status;
}

const SiltGenerator silt_generator_diamond_square = {
    .name = "diamond-square",
    .summary = "random heights made finer level by level",
    .source = "Fritz 2016, 3.1",
    .params = SILT_PARAM_TABLE(DiamondSquareParams, diamond_square_items),
    .run = diamond_square_run,
};
