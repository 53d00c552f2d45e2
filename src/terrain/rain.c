// Rain on windward slopes, after the linear theory of Smith & Barstad 2004 ("A linear theory of orographic
// precipitation") without its waves in the air: rising air condenses vapour, cloud becomes drops and drops
// fall, each after a while in which the wind carries them on. With s the way along the wind,
//   dq/ds = -C, dc/ds = C - c / cloud, dr/ds = c / cloud - r / fall, rain = r / fall,
//   C = q (1 / reach + dh/ds / depth), where c lasts.
// Falling air takes its cloud up again. Unlike theirs the air dries out as it rains (Roe 2005, "Orographic
// precipitation"), so all that falls is what the air has lost, and far lees are drier than what the wind
// meets first.
//
// Rain is smooth over the ways air drifts: it is worked out on a grid that is no finer than an eighth of
// them, along lines that run with the wind, and comes out the same for any number of cells.
#include "terrain/rain.h"

#include <math.h>

#include "core/parallel.h"
#include "core/status.h"
#include "physics/elementary.h"

static const SiltParam rain_items[] = {
    SILT_REAL(SiltRainOptions, wind, "deg", 270.0, -360.0, 360.0,
              "where the wind comes from, clockwise from north"),
    SILT_REAL(SiltRainOptions, spread, "deg", 20.0, 0.0, 180.0, "how far it turns to either side"),
    SILT_REAL(SiltRainOptions, mean, "", 1.0, 0.0, 10000.0,
              "mean over the map: 1 for rivers, whose precipitation it multiplies, or mm/h for models with "
              "water"),
    SILT_REAL(SiltRainOptions, cloud, "m", 2000.0, 1.0, 1e6,
              "how far air drifts while vapour becomes drops: wind times 200 to 2000 s"),
    SILT_REAL(SiltRainOptions, fall, "m", 2000.0, 1.0, 1e6, "how far it drifts while drops fall: as much"),
    SILT_REAL(SiltRainOptions, depth, "m", 2500.0, 100.0, 1e5,
              "by how much air must rise to lose two thirds of its vapour"),
    SILT_REAL(SiltRainOptions, reach, "m", 1e5, 1000.0, 1e8,
              "over how much flat land it loses as much; less makes rain more even"),
};
const SiltParamTable silt_rain_params = SILT_PARAM_TABLE(SiltRainOptions, rain_items);

// ---- air ----

SiltAir silt_air_arrives(const SiltRainOptions *options)
{
    return (SiltAir){1.0, options->cloud / options->reach, options->fall / options->reach};
}

// 1 - exp(-x) for x >= 0, below 1 for every x: the share that goes over a way of x lengths.
static double share_lost(double x)
{
    return x / (1.0 + x * (0.5 + x * (1.0 / 12.0)));
}

// What comes in a step comes half-way through it. No part falls below zero however long the step is.
double silt_air_moves(SiltAir *air, const SiltRainOptions *options, double rise, double step)
{
    double rate = step / options->reach + rise / options->depth;
    double condensed = air->vapour * (rate > 0.0 ? share_lost(rate) : rate);
    condensed = -condensed > air->cloud ? -air->cloud : condensed;
    air->vapour -= condensed;
    double ready = air->cloud + (condensed > 0.0 ? 0.5 * condensed : condensed);
    double gathered = ready * share_lost(step / options->cloud);
    air->cloud += condensed - gathered;
    double fallen = (air->drops + 0.5 * gathered) * share_lost(step / options->fall);
    air->drops += gathered - fallen;
    return fallen;
}

// ---- one wind ----

typedef struct Wind {
    const SiltRainOptions *options;
    const SiltTerrain *ground; // means over blocks of the terrain's cells
    int block;                 // cells of a side of those
    double step;               // m from one step to the next: a block
    double to_x, to_y;         // unit vector it blows to, east and south
    int lines;                 // as many as steps along each, a block apart
    double weight;
    SiltField air; // rain per metre of way, a row a line
    SiltField *out;
} Wind;

// Values at (x, y) cells, between the four around it.
static float between(const SiltField *field, double x, double y)
{
    double i = floor(x), j = floor(y);
    int i0 = i < 0.0 ? 0 : i > field->width - 1 ? field->width - 1 : (int)i;
    int j0 = j < 0.0 ? 0 : j > field->height - 1 ? field->height - 1 : (int)j;
    int i1 = i0 + 1 < field->width ? i0 + 1 : i0, j1 = j0 + 1 < field->height ? j0 + 1 : j0;
    float u = x < 0.0 ? 0.0f : (float)(x - i), v = y < 0.0 ? 0.0f : (float)(y - j);
    const float *north = silt_field_row(field, j0), *south = silt_field_row(field, j1);
    float a = north[i0] + (north[i1] - north[i0]) * u, b = south[i0] + (south[i1] - south[i0]) * u;
    return a + (b - a) * v;
}

static bool has_data_around(const SiltTerrain *ground, double x, double y)
{
    for (int corner = 0; ground->nodata && corner < 4; corner++) {
        int i = (int)floor(x) + (corner & 1), j = (int)floor(y) + (corner >> 1);
        bool on_map = i >= 0 && j >= 0 && i < ground->width && j < ground->height;
        if (on_map && silt_terrain_is_nodata(ground, i, j))
            return false;
    }
    return true;
}

// The ground at step k of a line; false beyond the map and where there is no data.
static bool ground_at(const Wind *wind, int line, int k, double *height)
{
    const SiltTerrain *ground = wind->ground;
    double middle = 0.5 * (wind->lines - 1), s = k - middle, t = line - middle;
    double x = s * wind->to_x - t * wind->to_y + 0.5 * wind->out->width / wind->block - 0.5;
    double y = s * wind->to_y + t * wind->to_x + 0.5 * wind->out->height / wind->block - 0.5;
    if (!(x >= -0.5 && y >= -0.5 && x < ground->width - 0.5 && y < ground->height - 0.5))
        return false;
    if (silt_terrain_is_nodata(ground, (int)(x + 0.5), (int)(y + 0.5)))
        return false;
    const SiltField *field = &ground->layers[0]->field;
    *height = (double)(has_data_around(ground, x, y) ? between(field, x, y)
                                                     : silt_field_at(field, (int)(x + 0.5), (int)(y + 0.5)));
    return true;
}

// Where nothing is known of the ground, it is level.
static void blow_lines(void *context, int begin, int end)
{
    const Wind *wind = context;
    for (int line = begin; line < end; line++) {
        float *rain = silt_field_row(&wind->air, line);
        SiltAir air = silt_air_arrives(wind->options);
        double before = NAN, height = 0.0;
        for (int k = 0; k < wind->lines; k++) {
            bool known = ground_at(wind, line, k, &height);
            double rise = known && !isnan(before) ? height - before : 0.0;
            before = known ? height : before;
            rain[k] = (float)(silt_air_moves(&air, wind->options, rise, wind->step) / wind->step);
        }
    }
}

static void gather_rows(void *context, int begin, int end)
{
    const Wind *wind = context;
    double middle = 0.5 * (wind->lines - 1), scale = 1.0 / wind->block;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(wind->out, j);
        double y = (j - 0.5 * (wind->out->height - 1)) * scale;
        for (int i = 0; i < wind->out->width; i++) {
            double x = (i - 0.5 * (wind->out->width - 1)) * scale;
            double s = x * wind->to_x + y * wind->to_y + middle, t = y * wind->to_x - x * wind->to_y + middle;
            row[i] += (float)wind->weight * between(&wind->air, s, t);
        }
    }
}

// Winds from five directions, those in the middle twice as often as the outer two.
static SiltStatus blow(const SiltTerrain *ground, int block, double step, const SiltRainOptions *options,
                       SiltField *out)
{
    const double degree = 3.14159265358979323846 / 180.0;
    static const double shares[5] = {0.125, 0.25, 0.25, 0.25, 0.125};
    double diagonal = sqrt((double)ground->width * ground->width + (double)ground->height * ground->height);
    Wind wind = {.options = options,
                 .ground = ground,
                 .block = block,
                 .step = step,
                 .lines = (int)ceil(diagonal) + 3,
                 .out = out};
    SiltStatus status = silt_field_create(wind.lines, wind.lines, &wind.air);
    int count = options->spread > 0.0 ? 5 : 1;
    for (int k = 0; k < count && status == SILT_OK; k++) {
        double from = (options->wind + (count > 1 ? 0.5 * (k - 2) * options->spread : 0.0)) * degree;
        wind.to_x = -silt_sin(from);
        wind.to_y = silt_cos(from);
        wind.weight = count > 1 ? shares[k] : 1.0;
        silt_parallel(wind.lines, 1, blow_lines, &wind);
        silt_parallel(out->height, 16, gather_rows, &wind);
    }
    silt_field_destroy(&wind.air);
    return status;
}

// ---- the map ----

// The ground in cells no finer than rain can tell: means over blocks.
typedef struct Blocks {
    const SiltTerrain *terrain;
    const SiltField *height;
    SiltTerrain *ground;
    int block;
} Blocks;

static void block_rows(void *context, int begin, int end)
{
    const Blocks *b = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < b->ground->width; i++) {
            int i1 = (i + 1) * b->block, j1 = (j + 1) * b->block;
            i1 = i1 < b->terrain->width ? i1 : b->terrain->width;
            j1 = j1 < b->terrain->height ? j1 : b->terrain->height;
            double sum = 0.0, count = 0.0;
            for (int y = j * b->block; y < j1; y++)
                for (int x = i * b->block; x < i1; x++)
                    if (!silt_terrain_is_nodata(b->terrain, x, y)) {
                        sum += (double)silt_field_at(b->height, x, y);
                        count += 1.0;
                    }
            silt_field_row(&b->ground->layers[0]->field, j)[i] = count > 0.0 ? (float)(sum / count) : 0.0f;
            if (b->ground->nodata)
                b->ground->nodata[(size_t)j * (size_t)b->ground->width + (size_t)i] =
                    (uint8_t) !(count > 0.0);
        }
}

static SiltStatus coarsen(const SiltTerrain *terrain, const SiltField *height, int block, SiltTerrain **out)
{
    int width = (terrain->width + block - 1) / block, high = (terrain->height + block - 1) / block;
    SiltStatus status = silt_terrain_create(width, high, terrain->cell * block, out);
    if (status == SILT_OK && terrain->nodata)
        status = silt_terrain_require_nodata(*out);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        return status;
    }
    Blocks blocks = {terrain, height, *out, block};
    silt_parallel(high, 4, block_rows, &blocks);
    return SILT_OK;
}

SiltStatus silt_rain_map(const SiltTerrain *terrain, const SiltField *height, const SiltRainOptions *options,
                         SiltField *out)
{
    SiltFieldStatistics found;
    silt_field_statistics(height, terrain->nodata, &found);
    if (found.bad_count > 0)
        return silt_fail(SILT_BAD_ARGUMENT, "rain: %llu cells have a height that is not finite",
                         (unsigned long long)found.bad_count);
    double shorter = options->cloud < options->fall ? options->cloud : options->fall;
    double cells = shorter / (8.0 * terrain->cell);
    int side = terrain->width > terrain->height ? terrain->width : terrain->height;
    int block = cells < 1.0 ? 1 : cells < side ? (int)cells : side;
    SiltTerrain *ground;
    SiltStatus status = coarsen(terrain, height, block, &ground);
    if (status != SILT_OK)
        return status;
    silt_field_fill(out, 0.0f);
    status = blow(ground, block, terrain->cell * block, options, out);
    silt_terrain_destroy(ground);
    if (status != SILT_OK)
        return status;
    silt_field_statistics(out, terrain->nodata, &found);
    silt_field_scale(out, (float)(found.mean > 0.0 ? options->mean / found.mean : 0.0), 0.0f);
    return SILT_OK;
}
