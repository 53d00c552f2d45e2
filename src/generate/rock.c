// The rock below a landscape: beds that dip, fold and are cut by faults, and rock that has broken through
// them. What lies bare at a place depends on how far it is worn down, so all of it is known at every depth:
// the column of beds, how high its top lies in each place (`bed`), up to where intrusions reach
// (`intrusion`), and how far faults have crushed the rock and how it varies besides (`erodibility`).
//
// All lengths are metres and all places fractions of the map: more cells show the same rock, sharper.
#include <string.h>

#include "core/parallel.h"
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/elementary.h"
#include "physics/noise.h"
#include "physics/random.h"

enum { MOST_FAULTS = 64, MOST_INTRUSIONS = 32, MOST_DIKES = 64 };
static const double deep = 20000.0; // m: below and above all land
#define DEGREE (SILT_PI / 180.0)

typedef struct RockParams {
    int beds;
    double thickness, hard, soft;
    double level, dip, direction;
    double fold, fold_spacing, fold_length;
    int faults;
    double throw, fault_length, crushed, crush_width;
    int intrusions;
    double intrusion_size, roof;
    int dikes;
    double dike_width;
    double variation, patch;
} RockParams;

static const SiltParam rock_items[] = {
    SILT_INT(RockParams, beds, "", 12, 0, SILT_MAX_BEDS,
             "hard and soft beds in turn, repeated below the last; 0: none, the models' strata name them"),
    SILT_LENGTH(RockParams, thickness, 0.05, 0.006, "mean thickness of a bed"),
    SILT_REAL(RockParams, hard, "1", 0.3, 0.0, 100.0, "erodibility of the hardest beds"),
    SILT_REAL(RockParams, soft, "1", 1.5, 0.0, 100.0, "erodibility of the softest beds"),
    SILT_REAL(RockParams, level, "m", 0.0, -10000.0, 10000.0,
              "height of the top of the first bed in the middle of the map, before folds and faults"),
    SILT_REAL(RockParams, dip, "deg", 6.0, 0.0, 80.0, "how steeply beds sink"),
    SILT_REAL(RockParams, direction, "deg", 90.0, -360.0, 360.0,
              "where they sink to, clockwise from north; folds run across it"),
    SILT_LENGTH(RockParams, fold, 0.0, 0.02, "how high the crests of the highest folds stand above troughs"),
    SILT_LENGTH(RockParams, fold_spacing, 1.0, 0.3, "from crest to crest"),
    SILT_LENGTH(RockParams, fold_length, 1.0, 0.9, "over which a fold rises and dies out along its crest"),
    SILT_INT(RockParams, faults, "", 5, 0, MOST_FAULTS, "how many; the first is the longest"),
    SILT_LENGTH(RockParams, throw, 0.0, 0.015, "by how much the first offsets the beds at its middle"),
    SILT_LENGTH(RockParams, fault_length, 1.0, 1.0, "of the first, from tip to tip"),
    SILT_REAL(RockParams, crushed, "1", 2.0, 0.0, 100.0, "what multiplies erodibility along faults"),
    SILT_LENGTH(RockParams, crush_width, 0.0, 0.015, "width of the crushed rock"),
    SILT_INT(RockParams, intrusions, "", 2, 0, MOST_INTRUSIONS,
             "bodies of other rock with round roofs, which come to light as land wears down"),
    SILT_LENGTH(RockParams, intrusion_size, 1.0, 0.18, "width of the largest"),
    SILT_REAL(RockParams, roof, "m", 0.0, -10000.0, 10000.0, "height of the first's roof"),
    SILT_INT(RockParams, dikes, "", 0, 0, MOST_DIKES,
             "upright sheets of that rock, which reach up through all"),
    SILT_LENGTH(RockParams, dike_width, 0.0, 0.004, "how thick a dike is"),
    SILT_REAL(RockParams, variation, "", 0.2, 0.0, 10.0, "how far erodibility varies from place to place"),
    SILT_LENGTH(RockParams, patch, 1.0, 0.12, "size of what is harder or softer"),
};

// ---- what is drawn from the seed ----

// A line across the map: its middle, where it runs to, and how far.
typedef struct Line {
    double x, y;             // m from the map's centre
    double along_x, along_y; // one metre along it
    double half;             // m from its middle to a tip
    double amount;           // m of throw
    uint32_t seed;
} Line;

typedef struct Body {
    double x, y, radius, roof;
    uint32_t seed;
} Body;

typedef struct Rock {
    RockParams p;
    double cell;
    double down_x, down_y; // unit vector to where beds sink, east and south
    double slope;          // fall of the beds
    uint32_t seed[4];      // of folds and patches
    Line faults[MOST_FAULTS], dikes[MOST_DIKES];
    Body bodies[MOST_INTRUSIONS];
    SiltField *height, *bed, *intrusion, *erodibility;
} Rock;

enum { DRAW_NOISE, DRAW_FAULT, DRAW_BODY, DRAW_DIKE, DRAW_BED };

static SiltRandom draw(uint64_t seed, uint32_t what, int index)
{
    return silt_random(seed, SILT_STREAM_GEOLOGY, (uint64_t)index, what);
}

// A line within the middle of the map at `turn` from the way the beds sink.
static Line draw_line(const Rock *rock, const SiltTerrain *terrain, SiltRandom random, double turn,
                      double length)
{
    double east = terrain->width * terrain->cell, south = terrain->height * terrain->cell;
    double cosine = silt_cos(2.0 * SILT_PI * turn), sine = silt_sin(2.0 * SILT_PI * turn);
    return (Line){.x = 0.35 * east * (double)silt_symmetric(random.word[0]),
                  .y = 0.35 * south * (double)silt_symmetric(random.word[1]),
                  .along_x = cosine * rock->down_x - sine * rock->down_y,
                  .along_y = sine * rock->down_x + cosine * rock->down_y,
                  .half = 0.5 * length,
                  .seed = random.word[3]};
}

// Most faults run along the folds and some across them. A population of faults has many short ones for each
// long one, and throw goes with length (Cowie & Scholz 1992).
static void draw_faults(Rock *rock, const SiltTerrain *terrain, uint64_t seed)
{
    for (int k = 0; k < rock->p.faults; k++) {
        SiltRandom random = draw(seed, DRAW_FAULT, k);
        double size = 1.0 / sqrt(1.0 + k),
               turn = (k % 3 == 2 ? 0.0 : 0.25) + 0.06 * (double)silt_symmetric(random.word[2]);
        rock->faults[k] = draw_line(rock, terrain, random, turn, size * rock->p.fault_length);
        rock->faults[k].amount = (random.word[3] & 1 ? size : -size) * rock->p.throw;
    }
}

static void draw_bodies(Rock *rock, const SiltTerrain *terrain, uint64_t seed)
{
    for (int k = 0; k < rock->p.intrusions; k++) {
        SiltRandom random = draw(seed, DRAW_BODY, k);
        Line place = draw_line(rock, terrain, random, 0.0, 0.0);
        double size = 0.5 * rock->p.intrusion_size / sqrt(1.0 + 0.5 * k);
        rock->bodies[k] = (Body){place.x, place.y, size, rock->p.roof, random.word[3]};
        if (k > 0)
            rock->bodies[k].roof += 0.5 * size * (double)silt_symmetric(random.word[2]);
    }
    for (int k = 0; k < rock->p.dikes; k++) {
        SiltRandom random = draw(seed, DRAW_DIKE, k);
        double length = (0.4 + 0.6 * (double)silt_uniform(random.word[3])) * silt_map_side(terrain);
        rock->dikes[k] =
            draw_line(rock, terrain, random, 0.08 * (double)silt_symmetric(random.word[2]), length);
    }
}

// Hard and soft in turn; between the two ends by magnitude, a quarter of the way at most. The mean thickness
// is the one asked for.
static void draw_column(const RockParams *p, uint64_t seed, SiltColumn *column)
{
    double sum = 0.0;
    column->count = p->beds;
    for (int k = 0; k < p->beds; k++) {
        SiltRandom random = draw(seed, DRAW_BED, k);
        double share = 0.25 * (double)silt_uniform(random.word[1]);
        double from = k % 2 ? p->soft : p->hard, to = k % 2 ? p->hard : p->soft;
        double thickness = 0.4 + (double)silt_uniform(random.word[0]);
        column->thickness[k] =
            thickness * (double)(random.word[2] % 4 == 0 ? 2.0f : 1.0f); // one in four is massive
        column->erodibility[k] = from + (to - from) * share;
        sum += column->thickness[k];
    }
    for (int k = 0; k < p->beds; k++)
        column->thickness[k] *= p->thickness * p->beds / sum;
}

static void draw_rock(Rock *rock, const SiltTerrain *terrain, uint64_t seed)
{
    SiltRandom random = draw(seed, DRAW_NOISE, 0);
    memcpy(rock->seed, random.word, sizeof rock->seed);
    double turn = rock->p.direction * DEGREE;
    rock->down_x = silt_sin(turn);
    rock->down_y = -silt_cos(turn);
    rock->slope = silt_tan(rock->p.dip * DEGREE);
    draw_faults(rock, terrain, seed);
    draw_bodies(rock, terrain, seed);
}

// ---- one place ----

// Noise within -1 and 1, smooth over a distance of one.
static double noise_at(uint32_t seed, double x, double y)
{
    double column = floor(x), row = floor(y);
    return (double)silt_noise((uint32_t)(int64_t)column, (uint32_t)(int64_t)row, (float)(x - column),
                              (float)(y - row), seed) /
           0.75;
}

// Crests bend along their way, and each fold rises and dies out: domes and basins in long rows.
static double folds_at(const Rock *rock, double across, double along)
{
    const RockParams *p = &rock->p;
    if (!(p->fold > 0.0))
        return 0.0;
    double u = across / p->fold_spacing, v = along / p->fold_length;
    double bend = 0.3 * noise_at(rock->seed[0], 0.5 * u, v);
    double strength = 0.62 + 0.62 * noise_at(rock->seed[1], 0.7 * u + 100.0, v);
    strength = strength < 0.0 ? 0.0 : strength > 1.0 ? 1.0 : strength;
    double phase = (double)silt_uniform(rock->seed[2]);
    return 0.5 * p->fold * strength * silt_wave(u + bend + phase);
}

// How far a place lies along a line (in halves) and aside of it (metres); lines are not quite straight.
static void from_line(const Line *line, double x, double y, double *along, double *aside)
{
    double dx = x - line->x, dy = y - line->y;
    double t = dx * line->along_x + dy * line->along_y;
    *along = t / line->half;
    *aside = dy * line->along_x - dx * line->along_y +
             0.06 * line->half * noise_at(line->seed, 1.5 * *along + 50.0, 0.5);
}

// A fault offsets the beds by its throw in the middle and by nothing at its tips; away from it they bend back
// over about half its length. Adds what it lifts the beds by, and how much of the rock is crushed.
static void add_fault(const Rock *rock, const Line *fault, double x, double y, double *lift, double *crushed)
{
    double along, aside;
    from_line(fault, x, y, &along, &aside);
    double share = 1.0 - along * along;
    if (!(share > 0.0))
        return;
    double far = aside / fault->half;
    *lift += (aside > 0.0 ? 0.5 : -0.5) * fault->amount * share * sqrt(share) / (1.0 + far * far);
    double crush = silt_bell(fabs(aside) / (0.5 * rock->p.crush_width)) * (share < 0.25 ? 4.0 * share : 1.0);
    *crushed = crush > *crushed ? crush : *crushed;
}

// The top of an intrusion: a low dome over most of its width, walls of four in one beside it.
static double roof_at(const Body *body, double x, double y)
{
    double dx = (x - body->x) / body->radius, dy = (y - body->y) / body->radius;
    double r = sqrt(dx * dx + dy * dy);
    if (r > 1e6)
        return -deep;
    r *= 1.0 + 0.3 * noise_at(body->seed, 1.3 * dx, 1.3 * dy);
    return body->roof - body->radius * (0.3 * r * r + (r > 1.0 ? 4.0 * (r - 1.0) : 0.0));
}

static double intrusion_at(const Rock *rock, double x, double y)
{
    double top = -deep;
    for (int k = 0; k < rock->p.intrusions; k++) {
        double roof = roof_at(&rock->bodies[k], x, y);
        top = roof > top ? roof : top;
    }
    for (int k = 0; k < rock->p.dikes; k++) {
        double along, aside;
        from_line(&rock->dikes[k], x, y, &along, &aside);
        if (fabs(along) < 1.0 && fabs(aside) < 0.5 * rock->p.dike_width * (1.0 - along * along))
            top = deep;
    }
    return top;
}

static double patches_at(const Rock *rock, double x, double y)
{
    const RockParams *p = &rock->p;
    if (!(p->variation > 0.0))
        return 1.0;
    double u = x / p->patch, v = y / p->patch;
    double sum = (2.0 * noise_at(rock->seed[2], u, v) + noise_at(rock->seed[3], 2.0 * u, 2.0 * v)) / 3.0;
    return sum > 0.0 ? 1.0 + p->variation * sum : 1.0 / (1.0 - p->variation * sum);
}

static void rock_rows(void *context, int begin, int end)
{
    const Rock *rock = context;
    const RockParams *p = &rock->p;
    int width = rock->bed->width;
    for (int j = begin; j < end; j++) {
        double y = (j - 0.5 * (rock->bed->height - 1)) * rock->cell;
        for (int i = 0; i < width; i++) {
            double x = (i - 0.5 * (width - 1)) * rock->cell;
            double across = x * rock->down_x + y * rock->down_y, along = y * rock->down_x - x * rock->down_y;
            double lift = p->level - rock->slope * across + folds_at(rock, across, along), crushed = 0.0;
            for (int k = 0; k < p->faults; k++)
                add_fault(rock, &rock->faults[k], x, y, &lift, &crushed);
            silt_field_row(rock->height, j)[i] = silt_field_row(rock->bed, j)[i] = (float)lift;
            silt_field_row(rock->intrusion, j)[i] = (float)intrusion_at(rock, x, y);
            silt_field_row(rock->erodibility, j)[i] =
                (float)(patches_at(rock, x, y) * (1.0 + (p->crushed - 1.0) * crushed));
        }
    }
}

static SiltStatus rock_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Rock rock = {.p = *(const RockParams *)params,
                 .cell = terrain->cell,
                 .height = silt_terrain_layer(terrain, "height")};
    SILT_RESOLVE(rock_items, &rock.p, terrain);
    uint64_t seed = run ? run->seed : 0;
    draw_rock(&rock, terrain, seed);
    draw_column(&rock.p, seed, &terrain->column);
    SiltStatus status = silt_terrain_require(terrain, "bed", &rock.bed);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, "intrusion", &rock.intrusion);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, "erodibility", &rock.erodibility);
    return status == SILT_OK ? silt_parallel_run(run, "rock", terrain->height, 4, rock_rows, &rock) : status;
}

const SiltGenerator silt_generator_rock = {
    .name = "rock",
    .summary = "the rock below a landscape: beds that dip, fold and are faulted, and intrusions",
    .source = "",
    .makes = "bed intrusion erodibility",
    .layers_only = true,
    .params = SILT_PARAM_TABLE(RockParams, rock_items),
    .run = rock_run,
};
