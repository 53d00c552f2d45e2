// A file as one more layer of a terrain: heights in metres, or values as a mask has them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/status.h"
#include "core/text.h"
#include "silt/io.h"

// A cell without a height has no data; a cell without a value in another layer is zero there.
static SiltStatus join_nodata(SiltTerrain *terrain, const SiltTerrain *more)
{
    if (!more->nodata)
        return SILT_OK;
    SiltStatus status = silt_terrain_require_nodata(terrain);
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    for (size_t k = 0; k < cells && status == SILT_OK; k++)
        terrain->nodata[k] |= more->nodata[k];
    return status;
}

static void warn_of_gaps(const SiltTerrain *terrain, const SiltTerrain *more, const char *layer,
                         const char *path)
{
    size_t cells = (size_t)terrain->width * (size_t)terrain->height, gaps = 0;
    for (size_t k = 0; more->nodata && k < cells; k++)
        gaps += more->nodata[k] && !(terrain->nodata && terrain->nodata[k]);
    if (gaps > 0)
        silt_warn("%s: %zu cells have no value where the terrain has data; the layer '%s' is 0 there", path,
                  gaps, layer);
}

// Whether what stands behind the last @ of a word is meant as a range: it looks like one, or what stands
// before it is a file and the whole is none.
static bool is_range(const char *word, const char *at)
{
    char before[SILT_PATH_SIZE];
    if (!strchr(at, ':') || access(word, F_OK) == 0 || (size_t)(at - word) >= sizeof before)
        return false;
    snprintf(before, sizeof before, "%.*s", (int)(at - word), word);
    return strspn(at + 1, "0123456789+-.eE:") == strlen(at + 1) || access(before, F_OK) == 0;
}

// Whether the word is a file and an @ with nothing behind it.
static bool is_range_left_out(const char *word, const char *at)
{
    char before[SILT_PATH_SIZE];
    if (at[1] || access(word, F_OK) == 0 || (size_t)(at - word) >= sizeof before)
        return false;
    snprintf(before, sizeof before, "%.*s", (int)(at - word), word);
    return access(before, F_OK) == 0;
}

SiltStatus silt_split_range(const char *word, char path[SILT_PATH_SIZE], double range[2])
{
    const char *at = strrchr(word, '@');
    range[0] = range[1] = NAN;
    if (at && is_range_left_out(word, at))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%.200s: behind the @ MIN:MAX is missing, two numbers in the unit of the layer",
                         word);
    if (at && !is_range(word, at))
        at = NULL; // of the name, not behind it
    size_t length = at ? (size_t)(at - word) : strlen(word);
    if (length >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", word);
    snprintf(path, SILT_PATH_SIZE, "%.*s", (int)length, word);
    if (!at)
        return SILT_OK;
    const char *cursor = at + 1;
    bool good = silt_parse_number(&cursor, &range[0]) && *cursor++ == ':' &&
                silt_parse_number(&cursor, &range[1]) && *cursor == '\0';
    for (int k = 0; k < 2 && good; k++)
        if (fabs(range[k]) > 1e9)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%.200s: %s of MIN:MAX is too far from 0: a value lies between -1e9 and 1e9",
                             word, k == 0 ? "MIN" : "MAX");
    if (!good || isnan(range[0]) || isnan(range[1]))
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%.200s: behind the @ stand two numbers, MIN:MAX, in the unit of the layer and without "
            "its name",
            word);
    return range[0] < range[1] ? SILT_OK
                               : silt_fail(SILT_BAD_ARGUMENT, "%.200s: MIN must be below MAX", word);
}

// Values between MIN and MAX in the place of 0 to 1.
static void stretch(SiltField *field, const double range[2])
{
    for (int j = 0; j < field->height; j++) {
        float *row = silt_field_row(field, j);
        for (int i = 0; i < field->width; i++)
            row[i] = (float)(range[0] + (range[1] - range[0]) * (double)row[i]);
    }
}

static SiltStatus read_values(const SiltTerrain *terrain, const char *layer, const char *word,
                              const SiltReadOptions *options, char path[SILT_PATH_SIZE], SiltTerrain **out)
{
    double range[2];
    SiltReadOptions here;
    *out = NULL;
    SiltStatus status = silt_params_init(&silt_read_params, &here);
    if (status == SILT_OK)
        status = silt_split_range(word, path, range);
    if (status != SILT_OK)
        return status;
    if (options)
        here = *options;
    here.cell = terrain->cell; // whatever the file says of it, or does not: the values are the terrain's
    snprintf(here.holds, sizeof here.holds, "%s", layer);
    bool is_told = !isnan(range[0]);
    if (strcmp(layer, "height") != 0 && isnan(here.heights[0])) {
        here.purpose = is_told ? SILT_READ_SHARES : SILT_READ_VALUES;
        snprintf(here.unit, sizeof here.unit, "%s", silt_layer_unit(layer));
    } else if (is_told) {
        memcpy(here.heights, range, sizeof here.heights);
    }
    status = silt_terrain_read(path, &here, out);
    if (status == SILT_OK && here.purpose == SILT_READ_SHARES)
        stretch(silt_terrain_layer(*out, "height"), range);
    return status;
}

SiltStatus silt_terrain_read_layer(SiltTerrain *terrain, const char *layer, const char *path,
                                   const SiltReadOptions *options)
{
    char file[SILT_PATH_SIZE];
    SiltTerrain *made;
    SiltField *target;
    SiltStatus status = read_values(terrain, layer, path, options, file, &made);
    if (status != SILT_OK)
        return status;
    if (made->width != terrain->width || made->height != terrain->height)
        status =
            silt_fail(SILT_BAD_ARGUMENT,
                      "%s: %d x %d cells, but the terrain has %d x %d: resample it to the same size first",
                      file, made->width, made->height, terrain->width, terrain->height);
    if (status == SILT_OK && strcmp(layer, "height") == 0)
        status = join_nodata(terrain, made);
    else if (status == SILT_OK)
        warn_of_gaps(terrain, made, layer, file);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, layer, &target);
    if (status == SILT_OK)
        silt_field_copy(silt_terrain_layer(made, "height"), target);
    silt_terrain_destroy(made);
    return status;
}

// The middle of `target` becomes `inner`, and around it the nearest of its cells go on.
static void place_in_middle(const SiltField *inner, SiltField *target)
{
    int di = (target->width - inner->width) / 2, dj = (target->height - inner->height) / 2;
    for (int j = 0; j < target->height; j++) {
        int from_j = j - dj < 0 ? 0 : j - dj < inner->height ? j - dj : inner->height - 1;
        const float *from = silt_field_row(inner, from_j);
        float *row = silt_field_row(target, j);
        for (int i = 0; i < target->width; i++)
            row[i] = from[i - di < 0 ? 0 : i - di < inner->width ? i - di : inner->width - 1];
    }
}

SiltStatus silt_terrain_fit_layer(SiltTerrain *terrain, const char *layer, const char *path,
                                  const SiltReadOptions *options, double margin)
{
    char file[SILT_PATH_SIZE];
    SiltTerrain *drawn, *fitted = NULL;
    SiltField *target;
    int width = (int)(terrain->width / (1.0 + 2.0 * margin) + 0.5);
    int height = (int)(terrain->height / (1.0 + 2.0 * margin) + 0.5);
    SiltStatus status = read_values(terrain, layer, path, options, file, &drawn);
    if (status == SILT_OK)
        status = silt_terrain_resample(drawn, width < 1 ? 1 : width, height < 1 ? 1 : height, &fitted);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, layer, &target);
    if (status == SILT_OK)
        place_in_middle(silt_terrain_layer(fitted, "height"), target);
    silt_terrain_destroy(fitted);
    silt_terrain_destroy(drawn);
    return status;
}
