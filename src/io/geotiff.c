#include "io/geotiff.h"
#include "silt/base.h"

#ifdef SILT_HAS_TIFF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/geokeys.h"
#include "physics/elementary.h"
#include "terrain/terrain.h"

enum {
    TAG_PIXEL_SCALE = 33550,
    TAG_TIE_POINT = 33922,
    TAG_TRANSFORMATION = 34264,
    TAG_KEYS = 34735,
    TAG_DOUBLES = 34736,
    TAG_ASCII = 34737,
    TAG_GDAL_METADATA = 42112,
    TAG_GDAL_NODATA = 42113,
};

static char tag_names[][24] = {"ModelPixelScale", "ModelTiepoint",  "ModelTransformation", "GeoKeyDirectory",
                               "GeoDoubleParams", "GeoAsciiParams", "GDAL_METADATA",       "GDAL_NODATA"};
static const TIFFFieldInfo tags[] = {
    {TAG_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_names[0]},
    {TAG_TIE_POINT, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_names[1]},
    {TAG_TRANSFORMATION, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_names[2]},
    {TAG_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, tag_names[3]},
    {TAG_DOUBLES, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_names[4]},
    {TAG_ASCII, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tag_names[5]},
    {TAG_GDAL_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tag_names[6]},
    {TAG_GDAL_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, tag_names[7]},
};

void silt_geotiff_register(TIFF *tiff)
{
    TIFFMergeFieldInfo(tiff, tags, sizeof tags / sizeof tags[0]);
}

// ---- reading ----

// A tag's values and how many there are. libtiff knows these tags by their number alone when it reads, with
// the type they have in the file and a count of 32 bits; a program around Silt may have described them as
// well.
static uint32_t get_values(TIFF *tiff, uint32_t tag, TIFFDataType type, const void **out)
{
    *out = NULL;
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    if (!field || TIFFFieldDataType(field) != type)
        return 0;
    uint32_t count = 0;
    uint16_t short_count = 0;
    bool found;
    if (!TIFFFieldPassCount(field)) {
        found = type == TIFF_ASCII && TIFFGetField(tiff, tag, out);
        count = found && *out ? (uint32_t)strlen(*out) : 0;
    } else if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
        found = TIFFGetField(tiff, tag, &count, out);
    } else {
        found = TIFFGetField(tiff, tag, &short_count, out);
        count = short_count;
    }
    return found && *out ? count : 0;
}

// libtiff keeps a text that it had no memory for as one that is there and has no bytes, without a word: what
// it said (nodata, the place on the map) must not be lost in silence.
static SiltStatus check_texts(TIFF *tiff, const char *path)
{
    for (size_t k = 0; k < sizeof tags / sizeof tags[0]; k++) {
        const TIFFField *field = TIFFFindField(tiff, tags[k].field_tag, TIFF_ANY);
        if (!field || TIFFFieldDataType(field) != TIFF_ASCII)
            continue;
        const char *text = NULL;
        uint32_t count = 1;
        uint16_t short_count = 1;
        bool wide = TIFFFieldReadCount(field) == TIFF_VARIABLE2;
        int found = !TIFFFieldPassCount(field) ? TIFFGetField(tiff, tags[k].field_tag, &text)
                    : wide                     ? TIFFGetField(tiff, tags[k].field_tag, &count, &text)
                                               : TIFFGetField(tiff, tags[k].field_tag, &short_count, &text);
        if (found && !text && count > 0 && short_count > 0)
            return silt_fail(SILT_NO_MEMORY, "%s: not enough memory for what its tags say", path);
    }
    return SILT_OK;
}

static int get_doubles(TIFF *tiff, uint32_t tag, const double **out)
{
    const void *values;
    uint32_t count = get_values(tiff, tag, TIFF_DOUBLE, &values);
    *out = values;
    return count > UINT16_MAX ? UINT16_MAX : (int)count; // as many as can be written back
}

static SiltStatus copy(const void *from, size_t count, size_t size, void **to)
{
    SiltStatus status = silt_alloc_for("a georeference", count, size, to);
    if (status == SILT_OK)
        memcpy(*to, from, count * size);
    return status;
}

// The text of a tag with its closing zero, in memory of its own; NULL when there is none.
static SiltStatus get_text(TIFF *tiff, uint32_t tag, char **out)
{
    *out = NULL;
    const void *text;
    uint32_t count = get_values(tiff, tag, TIFF_ASCII, &text);
    if (count == 0)
        return SILT_OK;
    SiltStatus status = silt_alloc_for("a tag", (size_t)count + 1, 1, (void **)out);
    if (status == SILT_OK)
        memcpy(*out, text, count);
    return status;
}

static SiltStatus read_keys(TIFF *tiff, SiltGeoreference *geo)
{
    const void *keys;
    uint32_t count = get_values(tiff, TAG_KEYS, TIFF_SHORT, &keys);
    if (count < 4 || count > UINT16_MAX)
        return SILT_OK;
    SiltStatus status = copy(keys, count, sizeof *geo->keys, (void **)&geo->keys);
    if (status != SILT_OK)
        return status;
    geo->key_count = (int)count;
    const double *doubles;
    int double_count = get_doubles(tiff, TAG_DOUBLES, &doubles);
    if (double_count > 0)
        status = copy(doubles, (size_t)double_count, sizeof *doubles, (void **)&geo->doubles);
    if (status != SILT_OK)
        return status;
    geo->double_count = double_count;
    return get_text(tiff, TAG_ASCII, &geo->ascii);
}

static bool all_finite(const double *values, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

// The six numbers of GeoTIFF that place a picture: one tie point with a scale, or a matrix. Returns the side
// of a pixel in map units, as the root of its area, by which a turned picture is still known.
static void read_place(TIFF *tiff, const char *path, SiltGeoreference *geo, double side[2])
{
    const double *scale, *tie, *matrix;
    int scale_count = get_doubles(tiff, TAG_PIXEL_SCALE, &scale);
    int tie_count = get_doubles(tiff, TAG_TIE_POINT, &tie);
    int matrix_count = get_doubles(tiff, TAG_TRANSFORMATION, &matrix);
    side[0] = side[1] = 0.0;
    if (matrix_count >= 16 && all_finite(matrix, 16)) {
        side[0] = silt_hypot(matrix[0], matrix[4]);
        side[1] = silt_hypot(matrix[1], matrix[5]);
        bool turned = fabs(matrix[1]) > 1e-9 * side[1] || fabs(matrix[4]) > 1e-9 * side[0];
        geo->placed = !turned && side[0] > 0.0 && side[1] > 0.0;
        geo->x = matrix[3], geo->y = matrix[7];
        geo->step_x = matrix[0], geo->step_y = matrix[5];
        if (turned)
            silt_warn("%s: the grid is turned on the map; its place is not kept (gdalwarp turns it north)",
                      path);
    } else if (scale_count >= 2 && scale[0] != 0.0 && scale[1] != 0.0 && all_finite(scale, 2)) {
        side[0] = geo->step_x = fabs(scale[0]);
        side[1] = fabs(scale[1]);
        geo->step_y = -side[1];
        geo->placed = tie_count >= 6 && all_finite(tie, 6);
        if (geo->placed) {
            geo->x = tie[3] - tie[0] * geo->step_x;
            geo->y = tie[4] - tie[1] * geo->step_y;
        }
    }
    if (geo->placed && silt_geokeys_pixel_is_point(geo)) { // the tie is the middle of a pixel, not its corner
        geo->x -= 0.5 * geo->step_x;
        geo->y -= 0.5 * geo->step_y;
    }
    if (!geo->placed)
        geo->x = geo->y = geo->step_x = geo->step_y = 0.0;
}

// Metres from one cell to the next: the root of its area, with degrees measured at the middle of the map.
static double cell_metres(const SiltGeoreference *geo, const double side[2], int height)
{
    if (!silt_geokeys_geographic(geo))
        return sqrt(side[0] * side[1]) * silt_geokeys_linear_metres(geo);
    double latitude =
        geo->placed ? (geo->y + 0.5 * geo->step_y * height) * (3.14159265358979323846 / 180.0) : 0.0;
    // the lengths of a degree on the WGS 84 ellipsoid, as cosine series
    double east =
        111412.84 * silt_cos(latitude) - 93.5 * silt_cos(3.0 * latitude) + 0.118 * silt_cos(5.0 * latitude);
    double north = 111132.92 - 559.82 * silt_cos(2.0 * latitude) + 1.175 * silt_cos(4.0 * latitude);
    double area = side[0] * east * side[1] * north;
    return area > 0.0 ? sqrt(area) : 0.0;
}

static void warn_of_shape(const char *path, const SiltGeoreference *geo, const double side[2], double cell)
{
    if (silt_geokeys_geographic(geo))
        silt_warn("%s: the grid is in degrees (%s); cells are taken as %.4g m squares (gdalwarp -t_srs "
                  "EPSG:326xx makes them true metres)",
                  path, geo->crs[0] ? geo->crs : "no CRS named", cell);
    else if (fabs(side[0] - side[1]) > 1e-3 * side[0])
        silt_warn("%s: cells are %g by %g map units; taken as %g m squares", path, side[0], side[1], cell);
}

// The role, or else the name, of the next <Item name="..." role="...">, and its text; false at the end.
static bool next_item(const char **cursor, char *key, size_t key_size, char *text, size_t text_size)
{
    const char *item = strstr(*cursor, "<Item ");
    const char *open = item ? strchr(item, '>') : NULL;
    const char *close = open ? strstr(open, "</Item>") : NULL;
    if (!close)
        return false;
    char head[256];
    snprintf(head, sizeof head, "%.*s", (int)(open - item < 255 ? open - item : 255), item);
    const char *role = strstr(head, "role=\""), *name = strstr(head, "name=\"");
    const char *chosen = role ? role + 6 : name ? name + 6 : "";
    snprintf(key, key_size, "%.*s", (int)strcspn(chosen, "\""), chosen);
    const char *sample = strstr(head, "sample=\"");
    if (sample && strncmp(sample, "sample=\"0\"", 10) != 0)
        key[0] = '\0'; // of another band
    size_t length = (size_t)(close - open) - 1;
    snprintf(text, text_size, "%.*s", (int)(length < text_size ? length : text_size - 1), open + 1);
    *cursor = close;
    return true;
}

static SiltStatus read_metadata(TIFF *tiff, SiltGeoTiff *out)
{
    char *metadata;
    SiltStatus status = get_text(tiff, TAG_GDAL_METADATA, &metadata);
    if (!metadata)
        return status;
    const char *cursor = metadata;
    char key[SILT_NAME_SIZE], text[64];
    double number;
    while (next_item(&cursor, key, sizeof key, text, sizeof text)) {
        if (strcmp(key, "SILT_LAYER") == 0 && silt_layer_name_is_good(text))
            snprintf(out->layer, sizeof out->layer, "%.*s", SILT_NAME_SIZE - 1, text);
        if (strcmp(key, "unittype") == 0 && silt_unit_metres(text) != 1.0)
            out->metres = silt_unit_metres(text);
        if (!silt_parse_whole_number(text, &number) || !isfinite(number))
            continue;
        if (strcmp(key, "scale") == 0 && number != 0.0) {
            out->scale = number;
            out->has_scale = true;
        } else if (strcmp(key, "offset") == 0) {
            out->offset = number;
            out->has_scale = true;
        } else if (strcmp(key, "SILT_CELL") == 0 && number > 0.0) {
            out->cell = number;
        }
    }
    silt_free(metadata);
    return SILT_OK;
}

static SiltStatus read_nodata(TIFF *tiff, SiltGeoTiff *out)
{
    char *text;
    SiltStatus status = get_text(tiff, TAG_GDAL_NODATA, &text);
    double nodata;
    if (text && silt_parse_whole_number(text, &nodata))
        out->nodata = nodata;
    silt_free(text);
    return status;
}

// A terrain without a map lies with its south-western corner at (0, 0), in metres, as its rivers do in
// GeoJSON: programs then show cells of the right size. It is known again by that, and stays without a map.
static SiltGeoreference local_place(int height, double cell)
{
    return (SiltGeoreference){.placed = true, .y = height * cell, .step_x = cell, .step_y = -cell};
}

static bool is_local(const SiltGeoTiff *notes, int height, double noted_cell)
{
    const SiltGeoreference *geo = &notes->geo;
    SiltGeoreference local = local_place(height, noted_cell);
    return noted_cell > 0.0 && geo->placed && !geo->keys && !geo->crs[0] && geo->x == local.x &&
           geo->y == local.y && geo->step_x == local.step_x && geo->step_y == local.step_y;
}

SiltStatus silt_geotiff_read(TIFF *tiff, const char *path, int height, SiltGeoTiff *out)
{
    *out = (SiltGeoTiff){.metres = 1.0, .scale = 1.0, .nodata = NAN};
    SiltStatus status = check_texts(tiff, path);
    if (status == SILT_OK)
        status = read_keys(tiff, &out->geo);
    if (status == SILT_OK) {
        out->metres = silt_geokeys_settle_heights(&out->geo);
        status = read_metadata(tiff, out);
    }
    if (status == SILT_OK)
        status = read_nodata(tiff, out);
    if (status != SILT_OK) {
        silt_georeference_clear(&out->geo);
        return status;
    }
    silt_geokeys_name(&out->geo);
    double side[2];
    read_place(tiff, path, &out->geo, side);
    if (is_local(out, height, out->cell)) {
        out->geo.placed = false;
        out->geo.x = out->geo.y = out->geo.step_x = out->geo.step_y = 0.0;
    }
    if (out->cell == 0.0 && side[0] > 0.0) {
        out->cell = cell_metres(&out->geo, side, height);
        warn_of_shape(path, &out->geo, side, out->cell);
    }
    return SILT_OK;
}

// ---- writing, and reading back what was written ----

// Sets a tag, or looks whether it is there as it was set: libtiff can lose one for which it has no memory.
typedef bool Tell(TIFF *tiff, uint32_t tag, int count, const void *values);

static const TIFFFieldInfo *info_of(uint32_t tag)
{
    size_t k = 0;
    while (tags[k].field_tag != tag)
        k++;
    return &tags[k];
}

static bool set_tag(TIFF *tiff, uint32_t tag, int count, const void *values)
{
    return info_of(tag)->field_type == TIFF_ASCII ? TIFFSetField(tiff, tag, values)
                                                  : TIFFSetField(tiff, tag, count, values);
}

static bool has_tag(TIFF *tiff, uint32_t tag, int count, const void *values)
{
    TIFFDataType type = info_of(tag)->field_type;
    size_t size = type == TIFF_DOUBLE ? sizeof(double) : type == TIFF_SHORT ? sizeof(uint16_t) : 1;
    const void *found;
    uint32_t got = get_values(tiff, tag, type, &found);
    return got >= (uint32_t)count && memcmp(found, values, (size_t)count * size) == 0;
}

static bool tell_text(TIFF *tiff, Tell *tell, uint32_t tag, const char *text)
{
    return tell(tiff, tag, (int)strlen(text), text);
}

static bool tell_place(TIFF *tiff, Tell *tell, const SiltGeoreference *geo)
{
    double half = silt_geokeys_pixel_is_point(geo) ? 0.5 : 0.0;
    double x = geo->x + half * geo->step_x, y = geo->y + half * geo->step_y;
    if (geo->step_x > 0.0 && geo->step_y < 0.0) {
        double scale[3] = {geo->step_x, -geo->step_y, 0.0}, tie[6] = {0.0, 0.0, 0.0, x, y, 0.0};
        return tell(tiff, TAG_PIXEL_SCALE, 3, scale) && tell(tiff, TAG_TIE_POINT, 6, tie);
    } else { // rows that run north need the matrix
        double matrix[16] = {[0] = geo->step_x, [3] = x, [5] = geo->step_y, [7] = y, [15] = 1.0};
        return tell(tiff, TAG_TRANSFORMATION, 16, matrix);
    }
}

static bool tell_keys(TIFF *tiff, Tell *tell, const SiltGeoreference *geo)
{
    uint16_t made[SILT_GEOKEYS_MADE];
    if (geo->keys)
        return tell(tiff, TAG_KEYS, geo->key_count, geo->keys) &&
               (!geo->doubles || tell(tiff, TAG_DOUBLES, geo->double_count, geo->doubles)) &&
               (!geo->ascii || tell_text(tiff, tell, TAG_ASCII, geo->ascii));
    return !silt_geokeys_make(geo->crs, made) || tell(tiff, TAG_KEYS, SILT_GEOKEYS_MADE, made);
}

static void add_item(SiltText *text, const char *head, double number)
{
    silt_text_addf(text, "  <Item %s>", head);
    silt_text_add_number(text, number);
    silt_text_add(text, "</Item>\n");
}

static void add_escaped(SiltText *text, const char *words)
{
    for (; *words; words++)
        silt_text_addf(text, strchr("<>&\"", *words) ? "&#%d;" : "%c", *words);
}

static char *make_metadata(const SiltTerrain *terrain, const SiltLayer *layer, const SiltGeoTiff *notes)
{
    const SiltGeoreference *geo = &terrain->geo;
    SiltText text = {0};
    silt_text_add(&text, "<GDALMetadata>\n  <Item name=\"SILT_LAYER\">");
    add_escaped(&text, silt_terrain_layer_name(terrain, layer));
    silt_text_add(&text, "</Item>\n");
    if (notes->has_scale) {
        add_item(&text, "name=\"OFFSET\" sample=\"0\" role=\"offset\"", notes->offset);
        add_item(&text, "name=\"SCALE\" sample=\"0\" role=\"scale\"", notes->scale);
    }
    if (layer->unit[0]) {
        silt_text_add(&text, "  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">");
        add_escaped(&text, layer->unit);
        silt_text_add(&text, "</Item>\n");
    }
    // the cell needs words of its own only where the place on the map does not tell it
    double side[2] = {fabs(geo->step_x), fabs(geo->step_y)};
    if (!geo->placed || cell_metres(geo, side, terrain->height) != terrain->cell)
        add_item(&text, "name=\"SILT_CELL\"", terrain->cell);
    silt_text_add(&text, "</GDALMetadata>\n");
    return silt_text_take(&text);
}

static SiltStatus tell_tags(TIFF *tiff, Tell *tell, const SiltTerrain *terrain, const SiltLayer *layer,
                            const SiltGeoTiff *notes, bool *done)
{
    SiltGeoreference local = local_place(terrain->height, terrain->cell);
    char number[SILT_NUMBER_SIZE], *metadata = make_metadata(terrain, layer, notes);
    if (!metadata)
        return SILT_NO_MEMORY;
    *done = tell_place(tiff, tell, terrain->geo.placed ? &terrain->geo : &local) &&
            tell_keys(tiff, tell, &terrain->geo) &&
            (isnan(notes->nodata) ||
             tell_text(tiff, tell, TAG_GDAL_NODATA, silt_format_number(notes->nodata, number))) &&
            tell_text(tiff, tell, TAG_GDAL_METADATA, metadata);
    silt_free(metadata);
    return SILT_OK;
}

SiltStatus silt_geotiff_write(TIFF *tiff, const SiltTerrain *terrain, const SiltLayer *layer,
                              const SiltGeoTiff *notes, bool *done)
{
    return tell_tags(tiff, set_tag, terrain, layer, notes, done);
}

SiltStatus silt_geotiff_check(TIFF *tiff, const SiltTerrain *terrain, const SiltLayer *layer,
                              const SiltGeoTiff *notes, bool *done)
{
    return tell_tags(tiff, has_tag, terrain, layer, notes, done);
}

#endif
