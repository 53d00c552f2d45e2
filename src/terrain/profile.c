// Heights along a line, along a river, and over all of the land.
#include "silt/profile.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "terrain/flood.h"
#include "terrain/streams.h"
#include "terrain/terrain.h"

static SiltStatus make_table(SiltTable *table, const char *const *names, int columns, int rows)
{
    *table = (SiltTable){.columns = columns, .rows = rows};
    memcpy(table->names, names, (size_t)columns * sizeof *names);
    return silt_alloc_for("a table", (size_t)rows * (size_t)columns, sizeof *table->values,
                          (void **)&table->values);
}

static double *row_of(const SiltTable *table, int row)
{
    return table->values + (size_t)row * (size_t)table->columns;
}

// ---- places ----

// Columns and rows from the north-western corner; the middle of the first cell is at (0.5, 0.5).
typedef struct Place {
    double i, j;
} Place;

static Place place_of(const SiltTerrain *t, double x, double y)
{
    const SiltGeoreference *geo = &t->geo;
    if (geo->placed)
        return (Place){(x - geo->x) / geo->step_x, (y - geo->y) / geo->step_y};
    return (Place){x / t->cell, t->height - y / t->cell};
}

static void point_at(const SiltTerrain *t, Place at, double out[2])
{
    const SiltGeoreference *geo = &t->geo;
    out[0] = geo->placed ? geo->x + at.i * geo->step_x : at.i * t->cell;
    out[1] = geo->placed ? geo->y + at.j * geo->step_y : (t->height - at.j) * t->cell;
}

static bool ground_at(const SiltTerrain *t, const SiltField *change, int i, int j, double *out)
{
    if (silt_terrain_is_nodata(t, i, j))
        return false;
    *out = (double)silt_terrain_ground(silt_field_row(&t->layers[0]->field, j),
                                       change ? silt_field_row(change, j) : NULL, i);
    return true;
}

// Between the middles of four cells; towards the edge of the map, on along the last two. NaN outside, and
// where one of the four has no data.
static double height_at(const SiltTerrain *t, const SiltField *change, Place at)
{
    if (!(at.i >= 0.0 && at.j >= 0.0 && at.i <= t->width && at.j <= t->height))
        return NAN;
    double x = at.i - 0.5, y = at.j - 0.5, sum = 0.0;
    int i = (int)floor(x), j = (int)floor(y);
    i = i < 0 ? 0 : i > t->width - 2 ? t->width - 2 : i;
    j = j < 0 ? 0 : j > t->height - 2 ? t->height - 2 : j;
    double u = t->width > 1 ? x - i : 0.0, v = t->height > 1 ? y - j : 0.0;
    i = t->width > 1 ? i : 0;
    j = t->height > 1 ? j : 0;
    for (int k = 0; k < 4; k++) {
        double weight = (k & 1 ? u : 1.0 - u) * (k & 2 ? v : 1.0 - v), height;
        if (weight == 0.0)
            continue;
        if (!ground_at(t, change, i + (k & 1), j + (k >> 1), &height))
            return NAN;
        sum += weight * height;
    }
    return sum;
}

// ---- lines ----

enum { MOST_POINTS = 10000000, LINE_COLUMNS = 4, SWATH_COLUMNS = 8 };

static const char *const line_names[SWATH_COLUMNS] = {"distance_m", "x",      "y",     "height_m",
                                                      "min_m",      "mean_m", "max_m", "deviation_m"};

static double distance(const SiltTerrain *t, Place a, Place b)
{
    return t->cell * sqrt((b.i - a.i) * (b.i - a.i) + (b.j - a.j) * (b.j - a.j));
}

// Heights on the line and across it, as far as half the width on both sides, a cell apart at the most.
static void measure_swath(const SiltTerrain *t, const SiltField *change, Place at, Place along, double width,
                          double *row)
{
    double cells = width / t->cell, steps = 2.0 * ceil(0.5 * cells), n = 0.0, sum = 0.0, squares = 0.0;
    double low = INFINITY, high = -INFINITY, first = NAN;
    for (double k = 0.0; k <= steps; k += 1.0) {
        double aside = cells * (k / steps - 0.5);
        double height = height_at(t, change, (Place){at.i - along.j * aside, at.j + along.i * aside});
        if (isnan(height))
            continue;
        first = isnan(first) ? height : first;
        n += 1.0;
        sum += height - first;
        squares += (height - first) * (height - first);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    double mean = sum / n, variance = squares / n - mean * mean;
    row[4] = n > 0.0 ? low : (double)NAN;
    row[5] = n > 0.0 ? first + mean : (double)NAN;
    row[6] = n > 0.0 ? high : (double)NAN;
    row[7] = n > 0.0 ? sqrt(variance > 0.0 ? variance : 0.0) : (double)NAN;
}

static void fill_line(const SiltTerrain *t, const double *points, int count, double spacing, double width,
                      SiltTable *out)
{
    const SiltField *change = silt_terrain_layer(t, "change");
    double passed = 0.0;
    int row = 0;
    for (int k = 0; k + 1 < count; k++) {
        Place a = place_of(t, points[2 * k], points[2 * k + 1]),
              b = place_of(t, points[2 * k + 2], points[2 * k + 3]);
        double length = distance(t, a, b), cells = length / t->cell;
        Place along = {(b.i - a.i) / cells, (b.j - a.j) / cells};
        bool last = k + 2 == count;
        for (; row < out->rows; row++) {
            double at = row * spacing - passed;
            if (last && row == out->rows - 1)
                at = length; // the end itself
            else if (at >= length)
                break;
            Place here = {a.i + along.i * at / t->cell, a.j + along.j * at / t->cell};
            double *values = row_of(out, row);
            values[0] = passed + at;
            point_at(t, here, values + 1);
            values[3] = height_at(t, change, here);
            if (width > 0.0)
                measure_swath(t, change, here, along, width, values);
        }
        passed += length;
    }
}

static SiltStatus check_line(const SiltTerrain *t, const double *points, int count, double *length)
{
    *length = 0.0;
    for (int k = 0; k < 2 * count; k++)
        if (!isfinite(points[k]))
            return silt_fail(SILT_BAD_ARGUMENT, "a point of the line is no number");
    for (int k = 0; k + 1 < count; k++) {
        Place a = place_of(t, points[2 * k], points[2 * k + 1]),
              b = place_of(t, points[2 * k + 2], points[2 * k + 3]);
        double part = distance(t, a, b);
        if (!(part > 0.0) || !isfinite(part))
            return silt_fail(SILT_BAD_ARGUMENT, "two points of the line are the same, or too far apart");
        *length += part;
    }
    return count >= 2 ? SILT_OK : silt_fail(SILT_BAD_ARGUMENT, "a line has two points or more");
}

static SiltStatus outside(const SiltTerrain *t, const char *what)
{
    double low[2], high[2];
    point_at(t, (Place){0.0, t->height}, low);
    point_at(t, (Place){t->width, 0.0}, high);
    return silt_fail(SILT_BAD_ARGUMENT, "%s lies outside the land, which reaches from %.6g,%.6g to %.6g,%.6g",
                     what, low[0], low[1], high[0], high[1]);
}

// How much of a line that begins or ends beyond the map has no heights.
static void warn_of_outside(const SiltTerrain *t, const SiltTable *table, double length)
{
    int rows = 0;
    double low[2], high[2];
    for (int k = 0; k < table->rows; k++) {
        Place at = place_of(t, row_of(table, k)[1], row_of(table, k)[2]);
        // a line along the very edge is on the map
        rows += at.i < -1e-6 || at.j < -1e-6 || at.i > t->width + 1e-6 || at.j > t->height + 1e-6;
    }
    if (rows == 0)
        return;
    double share = (double)rows / table->rows;
    point_at(t, (Place){0.0, t->height}, low);
    point_at(t, (Place){t->width, 0.0}, high);
    silt_warn(
        "profile: %.4g of the line's %.4g m (%.0f %%) lie outside the map, which reaches from %.6g,%.6g "
        "to %.6g,%.6g: there are no heights there",
        share * length, length, 100.0 * share, low[0], low[1], high[0], high[1]);
}

SiltStatus silt_profile_transect(const SiltTerrain *t, const double *points, int count, double spacing,
                                 double width, SiltTable *out)
{
    double length;
    *out = (SiltTable){0};
    SiltStatus status = silt_terrain_check_heights(t, "profile");
    if (status == SILT_OK)
        status = check_line(t, points, count, &length);
    if (status != SILT_OK)
        return status;
    spacing = spacing > 0.0 ? spacing : t->cell;
    double rows = floor(length / spacing * (1.0 - 1e-12)) + 2.0;
    if (!(rows < MOST_POINTS) || !(width / t->cell < 1e6))
        return silt_fail(SILT_BAD_ARGUMENT, "a profile has at most %d points, and a swath 1e6 across",
                         MOST_POINTS);
    status = make_table(out, line_names, width > 0.0 ? SWATH_COLUMNS : LINE_COLUMNS, (int)rows);
    if (status != SILT_OK)
        return status;
    fill_line(t, points, count, spacing, width, out);
    for (int k = 0; k < out->rows; k++)
        if (!isnan(row_of(out, k)[3])) {
            warn_of_outside(t, out, length);
            return SILT_OK;
        }
    silt_table_destroy(out);
    return outside(t, "the line");
}

// ---- rivers ----

static const char *const river_names[] = {"distance_m",   "x",     "y",     "height_m", "filled_m",
                                          "catchment_m2", "slope", "chi_m", "ksn"};

// The cell with the largest catchment within two of the point; -1: it lies outside. Without a point that of
// all.
static int32_t find_cell(const SiltTerrain *t, const SiltDrainage *d, const double *point)
{
    Place at = point ? place_of(t, point[0], point[1]) : (Place){0.0, 0.0};
    if (point && !(at.i >= 0.0 && at.j >= 0.0 && at.i < t->width && at.j < t->height))
        return -1;
    int i0 = point ? (int)at.i - 2 : 0, i1 = point ? (int)at.i + 2 : t->width - 1;
    int j0 = point ? (int)at.j - 2 : 0, j1 = point ? (int)at.j + 2 : t->height - 1;
    int32_t best = -1;
    for (int j = j0 < 0 ? 0 : j0; j <= j1 && j < t->height; j++)
        for (int i = i0 < 0 ? 0 : i0; i <= i1 && i < t->width; i++) {
            int32_t c = j * t->width + i;
            if (d->receiver[c] >= 0 && (best < 0 || d->area[c] > d->area[best]))
                best = c;
        }
    return best;
}

// The neighbour with the largest catchment that drains here; -1: none does.
static int32_t main_donor(const SiltDrainage *d, int32_t c)
{
    int i = c % d->width, j = c / d->width;
    int32_t best = -1;
    for (int k = 0; k < 9; k++) {
        int x = i + k % 3 - 1, y = j + k / 3 - 1;
        int32_t from = y * d->width + x;
        if (x < 0 || y < 0 || x >= d->width || y >= d->height || from == c || d->receiver[from] != c)
            continue;
        if (best < 0 || d->area[from] > d->area[best])
            best = from;
    }
    return best;
}

static int count_up(const SiltDrainage *d, int32_t mouth, int32_t through, int32_t *way)
{
    int below = 0;
    for (int32_t c = through; c != mouth; c = d->receiver[c])
        below++;
    int count = below;
    for (int32_t c = through; way && count >= 0; count--, c = d->receiver[c]) {
        way[count] = c;
        if (count == 0)
            break;
    }
    count = below + 1;
    for (int32_t c = through; (c = main_donor(d, c)) >= 0; count++)
        if (way)
            way[count] = c;
    return count;
}

static void fill_river(const SiltTerrain *t, const SiltDrainage *d, const SiltRiverOptions *options,
                       const int32_t *way, const double *chi, SiltTable *out)
{
    const SiltField *change = silt_terrain_layer(t, "change");
    double passed = 0.0;
    for (int k = 0; k < out->rows; k++) {
        int32_t c = way[k];
        int i = c % d->width, j = c / d->width;
        double *row = row_of(out, k), step = silt_stream_step(d, c);
        passed += step;
        row[0] = passed;
        point_at(t, (Place){i + 0.5, j + 0.5}, row + 1);
        row[3] = NAN;
        ground_at(t, change, i, j, &row[3]);
        row[4] = silt_drainage_surface(d, c);
        row[5] = silt_drainage_catchment(d, c);
        row[6] = k > 0 ? (row[4] - row_of(out, k - 1)[4]) / step : (double)NAN;
        row[7] = chi[c];
    }
    // pieces of about the wanted length, from the mouth on
    double pieces = floor(passed / options->segment + 0.5), piece = passed / (pieces < 1.0 ? 1.0 : pieces);
    for (int begin = 0, end; begin < out->rows; begin = end + 1) {
        for (end = begin;
             end + 1 < out->rows && row_of(out, end)[0] - row_of(out, begin)[0] < piece * (1.0 - 1e-9);)
            end++;
        double ksn = end > begin ? silt_reach_steepness(d, options, chi, way[end], way[begin]) : (double)NAN;
        for (int k = begin; k <= end; k++)
            row_of(out, k)[8] = ksn;
    }
}

SiltStatus silt_profile_river(const SiltTerrain *t, const SiltRiverOptions *options, const double *point,
                              SiltTable *out)
{
    SiltDrainage *d;
    SiltDrainageOptions how = {.has_sea = !isnan(options->sea_level),
                               .sea_level = options->sea_level,
                               .multiple = options->multiple};
    *out = (SiltTable){0};
    SiltStatus status = silt_drainage_create(t, &how, &d);
    if (status != SILT_OK)
        return status;
    int32_t through = find_cell(t, d, point), mouth = through, *way = NULL;
    double *chi = NULL;
    while (mouth >= 0 && d->receiver[mouth] != mouth)
        mouth = d->receiver[mouth];
    if (through < 0)
        status = outside(t, "the point");
    int count = status == SILT_OK ? count_up(d, mouth, through, NULL) : 0;
    if (status == SILT_OK)
        status = silt_alloc_for("a profile", (size_t)count, sizeof *way, (void **)&way);
    if (status == SILT_OK)
        status =
            silt_alloc_for("a profile", (size_t)d->width * (size_t)d->height, sizeof *chi, (void **)&chi);
    if (status == SILT_OK)
        status = make_table(out, river_names, sizeof river_names / sizeof river_names[0], count);
    if (status == SILT_OK) {
        count_up(d, mouth, through, way);
        silt_stream_chi(d, options, chi);
        fill_river(t, d, options, way, chi, out);
    }
    silt_free(way);
    silt_free(chi);
    silt_drainage_destroy(d);
    return status;
}

// ---- hypsometry ----

SiltStatus silt_profile_hypsometry(const SiltTerrain *t, int classes, SiltTable *out, double *integral)
{
    static const char *const names[] = {"area_above", "height_m", "relative_height"};
    *out = (SiltTable){0};
    if (classes < 1 || classes > 10000)
        return silt_fail(SILT_BAD_ARGUMENT, "a hypsometric curve has 1 to 10000 classes, not %d", classes);
    SiltTerrain *settled;
    double *percents = NULL, *heights = NULL;
    SiltStatus status = silt_terrain_clone(t, &settled);
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(settled);
    size_t count = (size_t)classes + 1;
    status = silt_terrain_check_heights(settled, "profile");
    if (status == SILT_OK)
        status = silt_alloc_for("a curve", count, sizeof *percents, (void **)&percents);
    if (status == SILT_OK)
        status = silt_alloc_for("a curve", count, sizeof *heights, (void **)&heights);
    for (int k = 0; k <= classes && status == SILT_OK; k++)
        percents[k] = 100.0 * (classes - k) / classes;
    if (status == SILT_OK)
        status = silt_field_percentiles(silt_terrain_layer(settled, "height"), settled->nodata, percents,
                                        (int)count, heights);
    if (status == SILT_OK)
        status = make_table(out, names, 3, (int)count);
    SiltFieldStatistics all;
    silt_field_statistics(silt_terrain_layer(settled, "height"), settled->nodata, &all);
    double low = all.minimum, relief = all.maximum - all.minimum;
    for (int k = 0; k <= classes && status == SILT_OK; k++) {
        double *row = row_of(out, k);
        row[0] = (double)k / classes;
        row[1] = heights[k];
        row[2] = relief > 0.0 ? (heights[k] - low) / relief : (double)NAN;
    }
    if (integral)
        *integral = relief > 0.0 ? (all.mean - low) / relief : (double)NAN;
    silt_free(percents);
    silt_free(heights);
    silt_terrain_destroy(settled);
    return status;
}
