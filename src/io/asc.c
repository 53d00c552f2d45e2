// The ESRI ASCII grid: a few lines of names and numbers, then the heights as text, rows from north to south.
// White space of any kind parts the numbers. It places the grid on the map but does not name the map's
// system.
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/status.h"
#include "core/text.h"
#include "io/format.h"

enum { NCOLS, NROWS, XLLCORNER, XLLCENTER, YLLCORNER, YLLCENTER, CELLSIZE, DX, DY, NODATA, KEY_COUNT };
static const char *const keys[KEY_COUNT] = {"ncols",     "nrows",       "xllcorner", "xllcenter",
                                            "yllcorner", "yllcenter",   "cellsize",  "dx",
                                            "dy",        "nodata_value"};

typedef struct Header {
    double value[KEY_COUNT];
    bool has[KEY_COUNT];
} Header;

// Which key stands here, and how long it is; -1 for none.
static int key_at(const char *text, size_t *length)
{
    *length = 0;
    while (isalpha((unsigned char)text[*length]) || text[*length] == '_')
        ++*length;
    for (int k = 0; k < KEY_COUNT; k++)
        if (strlen(keys[k]) == *length && strncasecmp(text, keys[k], *length) == 0)
            return k;
    return *length == 6 && strncasecmp(text, "nodata", 6) == 0 ? NODATA : -1;
}

// Some editors put the mark of UTF-8 before the first byte.
static const char *skip_mark(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool recognise(const unsigned char *head, size_t bytes)
{
    char text[33] = "";
    memcpy(text, head, bytes < 32 ? bytes : 32);
    size_t length;
    const char *first = skip_space(skip_mark(text));
    return key_at(first, &length) >= 0 && isspace((unsigned char)first[length]);
}

static SiltStatus check_header(const char *path, const Header *header)
{
    const double *value = header->value;
    if (!header->has[NCOLS] || !header->has[NROWS])
        return silt_fail(SILT_BAD_FILE, "%s: the header of the ASCII grid has no %s", path,
                         header->has[NCOLS] ? "nrows" : "ncols");
    for (int k = NCOLS; k <= NROWS; k++)
        if (!(value[k] >= 0.0 && value[k] <= 1e15) || value[k] != floor(value[k]))
            return silt_fail(SILT_BAD_FILE, "%s: %s %g is not a number of cells", path, keys[k], value[k]);
    if (header->has[DX] && header->has[DY] && !(fabs(value[DX] - value[DY]) <= 1e-6 * fabs(value[DX])))
        return silt_fail(SILT_BAD_FILE, "%s: cells of %g x %g are not square; resample the grid first", path,
                         value[DX], value[DY]);
    for (int k = CELLSIZE; k <= DY; k++)
        if (header->has[k] && !(value[k] > 0.0 && value[k] <= 1e9))
            return silt_fail(SILT_BAD_FILE, "%s: %s %g is not a size", path, keys[k], value[k]);
    return SILT_OK;
}

static SiltStatus read_header(const char *path, const char **cursor, Header *header)
{
    *header = (Header){0};
    for (;;) {
        const char *at = skip_space(*cursor);
        size_t length;
        int key = key_at(at, &length);
        if (key < 0) {
            bool ends_here = header->has[NCOLS] && header->has[NROWS];
            if (length == 0 ||
                (ends_here && (strncasecmp(at, "nan", 3) == 0 || strncasecmp(at, "inf", 3) == 0)))
                break;
            return silt_fail(SILT_BAD_FILE, "%s: '%.*s' is not a key of an ASCII grid's header", path,
                             (int)(length < 40 ? length : 40), at);
        }
        at += length;
        if (!silt_parse_number(&at, &header->value[key]))
            return silt_fail(SILT_BAD_FILE, "%s: no number follows %s", path, keys[key]);
        header->has[key] = true;
        *cursor = at;
    }
    return check_header(path, header);
}

static double map_step(const Header *header)
{
    return header->has[CELLSIZE] ? header->value[CELLSIZE]
           : header->has[DX]     ? header->value[DX]
           : header->has[DY]     ? header->value[DY]
                                 : 0.0;
}

// Rows are counted from the north, the corner is given in the south.
static void place(const Header *header, SiltTerrain *terrain)
{
    double step = map_step(header);
    bool has_x = header->has[XLLCORNER] || header->has[XLLCENTER];
    bool has_y = header->has[YLLCORNER] || header->has[YLLCENTER];
    if (!has_x || !has_y || step <= 0.0)
        return;
    double x = header->has[XLLCORNER] ? header->value[XLLCORNER] : header->value[XLLCENTER] - 0.5 * step;
    double y = header->has[YLLCORNER] ? header->value[YLLCORNER] : header->value[YLLCENTER] - 0.5 * step;
    if (!isfinite(x) || !isfinite(y))
        return;
    terrain->geo.placed = true;
    terrain->geo.x = x;
    terrain->geo.y = y + step * terrain->height;
    terrain->geo.step_x = step;
    terrain->geo.step_y = -step;
}

static SiltStatus read_rows(const char *path, const char *cursor, SiltTerrain *terrain)
{
    for (int j = 0; j < terrain->height; j++) {
        float *row = silt_field_row(&terrain->layers[0]->field, j);
        for (int i = 0; i < terrain->width; i++) {
            double value;
            if (!silt_parse_number(&cursor, &value)) {
                cursor = skip_space(cursor);
                return silt_fail(SILT_BAD_FILE, "%s: row %d, column %d of %d x %d: %s", path, j + 1, i + 1,
                                 terrain->width, terrain->height,
                                 *cursor ? "not a number" : "the file ends here");
            }
            row[i] = (float)value;
        }
    }
    if (*skip_space(cursor))
        return silt_fail(SILT_BAD_FILE, "%s: more follows after the %d x %d numbers that the header names",
                         path, terrain->width, terrain->height);
    return SILT_OK;
}

static SiltStatus read_text(const char *path, const char *text, size_t bytes, const SiltReadOptions *options,
                            SiltTerrain **out)
{
    Header header;
    const char *cursor = skip_mark(text);
    SiltStatus status = read_header(path, &cursor, &header);
    if (status != SILT_OK)
        return status;
    double columns = header.value[NCOLS], rows = header.value[NROWS];
    size_t left = bytes - (size_t)(cursor - text);
    if (2.0 * columns * rows - 1.0 > (double)left) // a digit and a space each
        return silt_fail(SILT_BAD_FILE,
                         "%s: truncated: %.0f x %.0f numbers take more than the %zu bytes left", path,
                         columns, rows, left);
    double step = map_step(&header);
    if (step > 0.0 && step < 0.1 && !(options->cell > 0.0))
        silt_warn("%s: a cell size of %g is taken as metres; if the grid is in degrees, give its cell", path,
                  step);
    status =
        silt_raster_create(path, (int64_t)columns, (int64_t)rows, silt_raster_cell(path, options, step), out);
    if (status != SILT_OK)
        return status;
    (*out)->nodata_value =
        header.has[NODATA] ? header.value[NODATA] : -9999.0; // what the format takes unsaid
    place(&header, *out);
    status = read_rows(path, cursor, *out);
    return status == SILT_OK ? silt_raster_finish(path, options, *out) : status;
}

static SiltStatus read_asc(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    *out = NULL;
    char *text;
    size_t bytes;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &text, &bytes);
    if (status != SILT_OK)
        return status;
    status = read_text(path, text, bytes, options, out);
    silt_free(text);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        *out = NULL;
    }
    return status;
}

typedef struct WriteJob {
    const SiltTerrain *terrain;
    const SiltField *field;
    float nodata;
} WriteJob;

static size_t pack_run(const void *context, int j, int begin, int end, char *to)
{
    const WriteJob *job = context;
    const float *row = silt_field_row(job->field, j);
    char *at = to;
    for (int i = begin; i < end; i++) {
        at = silt_write_float(at, silt_terrain_is_nodata(job->terrain, i, j) ? job->nodata : row[i]);
        *at++ = i + 1 == job->terrain->width ? '\n' : ' ';
    }
    return (size_t)(at - to);
}

static SiltStatus write_asc(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    const SiltLayer *layer;
    SiltStatus status = silt_raster_layer(output->path, terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    const SiltGeoreference *geo = &terrain->geo;
    bool placed = geo->placed && geo->step_x > 0.0 && fabs(geo->step_x + geo->step_y) <= 1e-6 * geo->step_x;
    double step = placed ? geo->step_x : terrain->cell;
    double y = placed ? geo->y + geo->step_y * terrain->height : 0.0;
    double nodata = silt_raster_nodata(terrain, layer);
    char number[4][SILT_NUMBER_SIZE];
    fprintf(output->file, "ncols %d\nnrows %d\nxllcorner %s\nyllcorner %s\ncellsize %s\nNODATA_value %s\n",
            terrain->width, terrain->height, silt_format_number(placed ? geo->x : 0.0, number[0]),
            silt_format_number(y, number[1]), silt_format_number(step, number[2]),
            silt_format_number(nodata, number[3]));
    WriteJob job = {terrain, &layer->field, (float)nodata};
    return silt_raster_pack(terrain, output, SILT_FLOAT_SIZE + 1, pack_run, &job);
}

const SiltFormat silt_format_asc = {
    .name = "ESRI ASCII grid",
    .endings = "asc",
    .package = "",
    .recognise = recognise,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .read = read_asc,
    .write = write_asc,
};
