// The numbers that tell a landscape from noise.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "physics/elementary.h"
#include "silt/drainage.h"
#include "terrain/fit.h"
#include "terrain/flood.h"
#include "terrain/spectrum.h"
#include "terrain/streams.h"

// ---- depressions ----

typedef struct Pits {
    double cells, in_pits, depth; // depth: sum over the cells in pits, m
} Pits;

// Compares a filled surface with the ground, times `sign`, that it rose from.
static Pits measure_pits(const SiltTerrain *terrain, const float *filled, size_t stride, float sign)
{
    const SiltField *change_field = silt_terrain_layer(terrain, "change");
    Pits pits = {0};
    for (int j = 0; j < terrain->height; j++) {
        const float *height = silt_field_row(&terrain->layers[0]->field, j);
        const float *change = change_field ? silt_field_row(change_field, j) : NULL;
        double depth = 0.0;
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            float ground = sign * silt_terrain_ground(height, change, i);
            double below = (double)filled[(size_t)j * stride + (size_t)i] - (double)ground;
            pits.cells += 1.0;
            pits.in_pits += below > 0.0;
            depth += below;
        }
        pits.depth += depth;
    }
    return pits;
}

// The terrain upside-down and its spectrum: two tasks that know nothing of each other.
typedef struct Survey {
    const SiltTerrain *terrain;
    SiltFlood twin;
    SiltSpectrum spectrum;
    Pits peaks;
} Survey;

static void survey_part(void *context, int begin, int end)
{
    Survey *survey = context;
    for (int part = begin; part < end; part++) {
        if (part == 0) {
            silt_spectrum_run(&survey->spectrum, survey->terrain);
            continue;
        }
        (void)silt_flood_run(&survey->twin, false);
        survey->peaks = measure_pits(survey->terrain, survey->twin.level + silt_flood_at(&survey->twin, 0, 0),
                                     (size_t)survey->twin.stride, -1.0f);
    }
}

// ---- channels ----

// Classes of catchment area, ten to a decade.
enum { CLASSES = 100, PER_DECADE = 10, LEAST_CELLS = 5, LEAST_CLASSES = 4, LEAST_STEMS = 8 };

typedef struct Channels {
    const SiltDrainage *drainage;
    uint32_t threshold; // cells above a channel
    double length;      // of all channels, in cells
    double slope[CLASSES], log_area[CLASSES], count[CLASSES];
    SiltFit stems; // log length over log area of main stems
    double largest;
} Channels;

static double surface_at(const SiltDrainage *d, int32_t cell)
{
    return (double)silt_field_at(&d->surface, cell % d->width, cell / d->width);
}

static void add_slope(Channels *channels, int32_t cell)
{
    const SiltDrainage *d = channels->drainage;
    double step = (double)silt_drainage_step(d, cell), log_area = silt_log10((double)d->area[cell]);
    int k = (int)(log_area * PER_DECADE);
    if (step == 0.0 || k >= CLASSES)
        return;
    channels->slope[k] += (surface_at(d, cell) - surface_at(d, d->receiver[cell])) / (step * d->cell);
    channels->log_area[k] += log_area;
    channels->count[k] += 1.0;
}

// Whether a river ends here: at an outlet, or where it joins one with a larger catchment.
static bool ends_stem(const SiltDrainage *d, int32_t cell)
{
    int32_t to = d->receiver[cell], i = to % d->width, j = to / d->width;
    if (to == cell)
        return true;
    for (int32_t y = j - 1; y <= j + 1; y++) {
        for (int32_t x = i - 1; x <= i + 1; x++) {
            int32_t other = y * d->width + x;
            bool joins = x >= 0 && y >= 0 && x < d->width && y < d->height && other != cell && other != to &&
                         d->receiver[other] == to;
            if (joins &&
                (d->area[other] > d->area[cell] || (d->area[other] == d->area[cell] && other < cell)))
                return true;
        }
    }
    return false;
}

static void walk_channels(Channels *channels)
{
    const SiltDrainage *d = channels->drainage;
    for (int32_t k = 0; k < d->count; k++) {
        int32_t cell = d->order[k];
        channels->largest = d->area[cell] > channels->largest ? d->area[cell] : channels->largest;
        if (d->area[cell] < channels->threshold)
            continue;
        channels->length += (double)silt_drainage_step(d, cell);
        add_slope(channels, cell);
        if (d->length[cell] > 0.0f && ends_stem(d, cell))
            silt_fit_add(&channels->stems, silt_log((double)d->area[cell]),
                         silt_log((double)d->length[cell]));
    }
}

static SiltFit slope_over_area(const Channels *channels)
{
    SiltFit fit = {0};
    for (int k = 0; k < CLASSES; k++) {
        double count = channels->count[k];
        if (count >= LEAST_CELLS && channels->slope[k] > 0.0)
            silt_fit_add(&fit, channels->log_area[k] / count, silt_log10(channels->slope[k] / count));
    }
    return fit;
}

double silt_channel_cells(const SiltDrainage *d)
{
    double wanted = 1e5 / (d->cell * d->cell), most = d->count / 100.0;
    wanted = wanted < most ? wanted : most;
    return ceil(wanted > 25.0 ? wanted : 25.0);
}

// ---- the whole ----

static void describe_channels(const SiltDrainage *drainage, SiltDrainageStatistics *out)
{
    Channels channels = {.drainage = drainage, .threshold = (uint32_t)silt_channel_cells(drainage)};
    walk_channels(&channels);
    SiltFit fit = slope_over_area(&channels);
    double area = drainage->cell * drainage->cell;
    out->channel_area = channels.threshold * area;
    out->concavity = -silt_fit_slope(&fit, LEAST_CLASSES);
    out->concavity_r2 = silt_fit_r2(&fit, LEAST_CLASSES);
    out->hack = silt_fit_slope(&channels.stems, LEAST_STEMS);
    out->largest_catchment = channels.largest;
    bool room = drainage->count >= 100 * 25; // below, the threshold says more than the land
    out->drainage_density = room ? 1000.0 * channels.length * drainage->cell / (drainage->count * area) : NAN;
}

static double hypsometric_integral(const SiltTerrain *terrain)
{
    const SiltField *change = silt_terrain_layer(terrain, "change");
    double low = INFINITY, high = -INFINITY, sum = 0.0, count = 0.0;
    for (int j = 0; j < terrain->height; j++) {
        const float *height = silt_field_row(&terrain->layers[0]->field, j);
        const float *row = change ? silt_field_row(change, j) : NULL;
        double row_sum = 0.0;
        for (int i = 0; i < terrain->width; i++) {
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            double ground = (double)silt_terrain_ground(height, row, i);
            low = ground < low ? ground : low;
            high = ground > high ? ground : high;
            row_sum += ground;
            count += 1.0;
        }
        sum += row_sum;
    }
    return high > low ? (sum / count - low) / (high - low) : NAN;
}

uint64_t silt_drainage_statistics_bytes(int width, int height)
{
    const uint64_t cell = 92; // two floods, where water runs, and a spectrum, as they lie in memory together
    return cell * ((uint64_t)width + 2) * ((uint64_t)height + 2);
}

static SiltStatus has_room(const SiltTerrain *terrain)
{
    uint64_t need = silt_drainage_statistics_bytes(terrain->width, terrain->height);
    uint64_t available = need < (uint64_t)1 << 26 ? need : silt_memory_available();
    char wanted[SILT_NUMBER_SIZE], there[SILT_NUMBER_SIZE];
    if (need <= available)
        return SILT_OK;
    return silt_fail(SILT_NO_MEMORY, "drainage of %d x %d cells takes %s of memory, and %s is available",
                     terrain->width, terrain->height, silt_format_bytes((double)need, wanted),
                     silt_format_bytes((double)available, there));
}

SiltStatus silt_drainage_statistics(const SiltTerrain *terrain, SiltDrainageStatistics *out)
{
    memset(out, 0, sizeof *out);
    SiltDrainage *drainage = NULL;
    Survey survey = {.terrain = terrain};
    SiltStatus status = has_room(terrain);
    if (status == SILT_OK)
        status = silt_drainage_create(terrain, NULL, &drainage);
    if (status == SILT_OK)
        status = silt_flood_create(terrain->width, terrain->height, &survey.twin);
    if (status == SILT_OK)
        status = silt_flood_load(&survey.twin, terrain, NULL, -1.0f);
    if (status == SILT_OK)
        status = silt_spectrum_create(terrain, &survey.spectrum);
    if (status == SILT_OK) {
        silt_parallel(2, 1, survey_part, &survey);
        Pits pits = measure_pits(terrain, drainage->surface.data, drainage->surface.stride, 1.0f);
        out->pit_fraction = pits.cells > 0.0 ? pits.in_pits / pits.cells : NAN;
        out->peak_fraction = pits.cells > 0.0 ? survey.peaks.in_pits / pits.cells : NAN;
        out->pit_peak_ratio = survey.peaks.in_pits > 0.0 ? pits.in_pits / survey.peaks.in_pits : NAN;
        out->mean_pit_depth = pits.in_pits > 0.0 ? pits.depth / pits.in_pits : 0.0;
        out->hypsometric_integral = hypsometric_integral(terrain);
        out->spectral_slope = survey.spectrum.slope;
        describe_channels(drainage, out);
    }
    silt_spectrum_destroy(&survey.spectrum);
    silt_flood_destroy(&survey.twin);
    silt_drainage_destroy(drainage);
    return status;
}

bool silt_drainage_statistic_at(int index, const SiltDrainageStatistics *s, SiltStatistic *out)
{
    static const SiltDrainageStatistics nothing;
    s = s ? s : &nothing;
    const SiltStatistic items[] = {
        {"pit_fraction", "", s->pit_fraction},
        {"peak_fraction", "", s->peak_fraction},
        {"pit_peak_ratio", "", s->pit_peak_ratio},
        {"mean_pit_depth", "m", s->mean_pit_depth},
        {"concavity", "", s->concavity},
        {"concavity_r2", "", s->concavity_r2},
        {"hack", "", s->hack},
        {"drainage_density", "1/km", s->drainage_density},
        {"channel_area", "m2", s->channel_area},
        {"hypsometric_integral", "", s->hypsometric_integral},
        {"spectral_slope", "", s->spectral_slope},
        {"largest_catchment", "cells", s->largest_catchment},
    };
    if (index < 0 || index >= (int)(sizeof items / sizeof items[0]))
        return false;
    *out = items[index];
    return true;
}

char *silt_drainage_json(const SiltDrainageStatistics *statistics)
{
    SiltText text = {0};
    SiltStatistic item;
    for (int k = 0; silt_drainage_statistic_at(k, statistics, &item); k++) {
        silt_text_addf(&text, "%s\"%s\": ", k ? ", " : "{", item.name);
        silt_text_add_json_number(&text, item.value);
    }
    silt_text_add(&text, "}");
    return silt_text_take(&text);
}
