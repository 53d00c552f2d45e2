// RAW: samples and nothing else. What they mean stands in a text file beside them, NAME.hdr for NAME.raw, in
// the keys of ESRI's EHdr (so GDAL and GIS programs open the pair) and three of our own:
//   SILT_HEIGHTS LOW HIGH   metres of the type's lowest and highest integer
//   SILT_CELL METRES        the size of a cell, which XDIM gives in units of the map
//   SILT_FILE NAME          whose header it is, since NAME.raw and NAME.r16 would share one
// Without it the options or the ending (.r16, .r32) tell, and a file of one number of samples squared is
// taken to be a square.
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/samples.h"

enum { LONGEST_HEADER = 1 << 20 };

typedef struct Header {
    int64_t width, height, skip;
    SiltSampleType type;
    bool big_endian;
    bool has_heights;
    SiltHeightRange heights;
    double cell, x, y, step_x, step_y, nodata; // x, y: centre of the first cell
} Header;

// NAME.raw has its header in NAME.hdr, and if that is not there in NAME.raw.hdr.
static SiltStatus header_path(const char *path, bool appended, char out[SILT_PATH_SIZE])
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && dot > (slash ? slash : path) && !appended ? (size_t)(dot - path) : strlen(path);
    if (length + 5 > SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is longer than %d bytes", path,
                         SILT_PATH_SIZE - 5);
    memcpy(out, path, length);
    memcpy(out + length, ".hdr", 5);
    return SILT_OK;
}

static bool is_key(const char *line, const char *key, const char **value)
{
    size_t length = strlen(key);
    if (strncasecmp(line, key, length) != 0 || (line[length] != ' ' && line[length] != '\t'))
        return false;
    *value = line + length + strspn(line + length, " \t");
    return true;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\r\n");
    return line + strspn(line, "\r\n \t");
}

// What SILT_FILE says, how long it is, and where its ending begins; NULL: nothing.
static const char *find_owner(const char *text, int *length, int *dot)
{
    const char *value = NULL;
    for (const char *line = text; *line && !value; line = next_line(line))
        is_key(line, "SILT_FILE", &value);
    *length = *dot = value ? (int)strcspn(value, "\r\n") : 0;
    while (*dot > 0 && value[*dot - 1] != '.')
        --*dot;
    return value;
}

// Whether the header says that it is of a file that ends as `path` does.
static bool is_own(const char *text, const char *path)
{
    int length, dot;
    const char *value = find_owner(text, &length, &dot), *ending = strrchr(path, '.');
    return value && dot > 0 && ending && strlen(ending + 1) == (size_t)(length - dot) &&
           strncasecmp(value + dot, ending + 1, (size_t)(length - dot)) == 0;
}

// Whether the header is that of another file beside `path`, whose path `other` takes: the ending that
// SILT_FILE names is another, and there is such a file. A pair that was renamed stays a pair.
static bool belongs_to_other(const char *hdr, const char *text, const char *path, char other[SILT_PATH_SIZE])
{
    int length, dot;
    const char *value = find_owner(text, &length, &dot);
    if (!value)
        return false;
    int stem = (int)(strlen(hdr) - strlen("hdr"));
    if (dot == 0 ||
        snprintf(other, SILT_PATH_SIZE, "%.*s%.*s", stem, hdr, length - dot, value + dot) >= SILT_PATH_SIZE)
        return false;
    return strcmp(other, path) != 0 && access(other, F_OK) == 0;
}

// A write that was cut off between two renames leaves the header of before as NAME.hdr.silt-old: of which
// samples it tells, nobody can know but whoever wrote them.
static void warn_of_aside(const char *path)
{
    char hdr[SILT_PATH_SIZE], aside[SILT_PATH_SIZE + sizeof SILT_ASIDE];
    if (header_path(path, false, hdr) != SILT_OK)
        return;
    snprintf(aside, sizeof aside, "%s" SILT_ASIDE, hdr);
    if (access(aside, F_OK) == 0)
        silt_warn("%s: no header; a write was cut off and left the one of before as %s: if the samples are "
                  "still those of before, rename it to %s",
                  path, aside, hdr);
}

// To open a pipe would be to wait for whoever writes to it.
static bool is_plain_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, R_OK) == 0;
}

// The header's text, or NULL when there is none (also when the file of that name is something else).
static SiltStatus find_header(const char *path, char used[SILT_PATH_SIZE], char **text)
{
    *text = NULL;
    for (int appended = 0; appended < 2; appended++) {
        SiltStatus status = header_path(path, appended, used);
        if (status != SILT_OK)
            return status;
        if (!is_plain_file(used))
            continue;
        size_t bytes;
        status = silt_read_file(used, LONGEST_HEADER, text, &bytes);
        if (status == SILT_NO_MEMORY)
            return status;
        char other[SILT_PATH_SIZE];
        if (status != SILT_OK || !strcasestr(*text, "ncols"))
            silt_warn("%s: not a header of RAW samples that Silt understands (ESRI's NCOLS, NROWS, NBITS); "
                      "it is not used",
                      used);
        else if (belongs_to_other(used, *text, path, other))
            silt_warn("%s: the header of %s, not of %s; it is not used", used, other, path);
        else
            return SILT_OK;
        silt_free(*text);
        *text = NULL;
    }
    warn_of_aside(path);
    return SILT_OK;
}

static SiltStatus parse_type(const char *hdr, int bits, const char *name, SiltSampleType *out)
{
    bool is_float = strncasecmp(name, "FLOAT", 5) == 0, is_signed = strncasecmp(name, "SIGNED", 6) == 0;
    if (bits == 32)
        *out = is_float || name[0] == '\0' ? SILT_SAMPLE_F32 : SILT_SAMPLE_I32;
    else if (bits == 16 && !is_float)
        *out = is_signed ? SILT_SAMPLE_I16 : SILT_SAMPLE_U16;
    else if (bits == 8 && !is_float && !is_signed)
        *out = SILT_SAMPLE_U8;
    else
        return silt_fail(SILT_BAD_FILE,
                         "%s: samples of %d bits, type '%.20s', are not read; 8, 16 and 32 are", hdr, bits,
                         name);
    return SILT_OK;
}

// Keys whose value is one number.
static double *number_for(Header *header, double numbers[5], const char *line, const char **value)
{
    const struct {
        const char *key;
        double *to;
    } keys[] = {{"NCOLS", &numbers[0]},      {"NROWS", &numbers[1]},      {"NBITS", &numbers[2]},
                {"NBANDS", &numbers[3]},     {"SKIPBYTES", &numbers[4]},  {"ULXMAP", &header->x},
                {"ULYMAP", &header->y},      {"XDIM", &header->step_x},   {"YDIM", &header->step_y},
                {"NODATA", &header->nodata}, {"SILT_CELL", &header->cell}};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (is_key(line, keys[k].key, value))
            return keys[k].to;
    return NULL;
}

static SiltStatus parse_header(const char *hdr, const char *text, Header *header)
{
    *header = (Header){.x = NAN, .y = NAN, .nodata = NAN};
    double numbers[5] = {0.0, 0.0, 8.0, 1.0, 0.0}; // columns rows bits bands skip, as EHdr takes them unsaid
    char type[16] = "";
    for (const char *line = text + strspn(text, " \t\r\n"); *line; line = next_line(line)) {
        const char *value;
        double *number = number_for(header, numbers, line, &value);
        if (number && !silt_parse_number(&value, number))
            return silt_fail(SILT_BAD_FILE, "%s: '%.*s' has no number", hdr, (int)strcspn(line, "\r\n \t"),
                             line);
        if (is_key(line, "BYTEORDER", &value))
            header->big_endian = *value == 'M' || *value == 'm';
        if (is_key(line, "PIXELTYPE", &value))
            snprintf(type, sizeof type, "%.*s", (int)strcspn(value, " \t\r\n"), value);
        if (is_key(line, "SILT_HEIGHTS", &value))
            header->has_heights = silt_parse_number(&value, &header->heights.low) &&
                                  silt_parse_number(&value, &header->heights.high);
    }
    for (int k = 0; k < 5; k++)
        if (!(numbers[k] >= 0.0 && numbers[k] <= 1e9))
            return silt_fail(SILT_BAD_FILE, "%s: %g is not a number of columns, rows, bits, bands or bytes",
                             hdr, numbers[k]);
    if (numbers[3] != 1.0)
        return silt_fail(SILT_BAD_FILE, "%s: %g bands; a heightmap has one", hdr, numbers[3]);
    header->width = (int64_t)numbers[0];
    header->height = (int64_t)numbers[1];
    header->skip = (int64_t)numbers[4];
    return parse_type(hdr, (int)numbers[2], type, &header->type);
}

static SiltSampleType type_of_options(const char *path, const SiltReadOptions *options)
{
    static const SiltSampleType types[] = {[SILT_RAW_AUTO] = SILT_SAMPLE_U16,
                                           [SILT_RAW_U8] = SILT_SAMPLE_U8,
                                           [SILT_RAW_U16] = SILT_SAMPLE_U16,
                                           [SILT_RAW_I16] = SILT_SAMPLE_I16,
                                           [SILT_RAW_F32] = SILT_SAMPLE_F32};
    if (options->raw_type == SILT_RAW_AUTO && silt_ends_with(path, ".r32"))
        return SILT_SAMPLE_F32;
    return types[options->raw_type];
}

// No header: the size from the options, or the side of a square.
static SiltStatus guess_header(const char *path, FILE *file, const SiltReadOptions *options, Header *header)
{
    *header = (Header){.x = NAN, .y = NAN, .nodata = NAN};
    header->type = type_of_options(path, options);
    header->big_endian = options->raw_order == 1;
    header->width = options->raw_width;
    header->height = options->raw_height;
    uint64_t bytes = silt_input_left(file), sample = silt_sample_bytes(header->type), count = bytes / sample;
    if (bytes == UINT64_MAX || (header->width && header->height))
        return SILT_OK;
    uint64_t known = (uint64_t)(header->width ? header->width : header->height);
    uint64_t side = known ? count / known : (uint64_t)sqrt((double)count);
    uint64_t other = known ? known : side;
    if (side * other * sample != bytes)
        return silt_fail(SILT_BAD_FILE,
                         "%s: %llu bytes of %llu-byte samples do not make a %s; "
                         "give raw_width and raw_height (and raw_type), or put a .hdr beside it",
                         path, (unsigned long long)bytes, (unsigned long long)sample,
                         known ? "grid of that side" : "square");
    header->width = header->width ? header->width : (int64_t)side;
    header->height = header->height ? header->height : (int64_t)side;
    return SILT_OK;
}

// `hdr` takes the path of the header that tells the size; empty when none does. What the options say wins.
static SiltStatus learn_header(const char *path, FILE *file, const SiltReadOptions *options,
                               char hdr[SILT_PATH_SIZE], Header *header)
{
    char *text;
    SiltStatus status = find_header(path, hdr, &text);
    if (status != SILT_OK)
        return status;
    if (!text) {
        hdr[0] = '\0';
        return guess_header(path, file, options, header);
    }
    status = parse_header(hdr, text, header);
    silt_free(text);
    if (status != SILT_OK)
        return status;
    header->width = options->raw_width ? options->raw_width : header->width;
    header->height = options->raw_height ? options->raw_height : header->height;
    if (options->raw_type != SILT_RAW_AUTO)
        header->type = type_of_options(path, options);
    if (header->skip && fseeko(file, (off_t)header->skip, SEEK_SET) != 0)
        return silt_fail(SILT_BAD_FILE, "%s: cannot skip the %lld bytes that %s names", path,
                         (long long)header->skip, hdr);
    return SILT_OK;
}

static SiltStatus check_size(const char *path, FILE *file, const char *hdr, const Header *header)
{
    uint64_t left = silt_input_left(file);
    if (left == UINT64_MAX || header->width > SILT_MAX_SIDE || header->height > SILT_MAX_SIDE)
        return SILT_OK; // silt_raster_create has words for such sides
    uint64_t wanted = (uint64_t)header->width * (uint64_t)header->height * silt_sample_bytes(header->type);
    if (left == wanted)
        return SILT_OK;
    return silt_fail(SILT_BAD_FILE,
                     "%s: %s%lld x %lld samples of %zu bytes make %llu bytes, and the file has %llu%s%s: %s",
                     path, left < wanted ? "truncated: " : "", (long long)header->width,
                     (long long)header->height, silt_sample_bytes(header->type), (unsigned long long)wanted,
                     (unsigned long long)left, hdr[0] ? "; the size is from " : "", hdr,
                     left < wanted ? "it was cut off, or the size or the type is wrong"
                                   : "the size or the type is wrong");
}

static SiltSamples samples_of(const char *path, const SiltReadOptions *options, const Header *header)
{
    SiltSamples samples = {
        .type = header->type, .big_endian = header->big_endian, .scale = 1.0, .nodata = header->nodata};
    bool is_asked = isfinite(options->heights[0]) && isfinite(options->heights[1]);
    bool is_unsigned = header->type == SILT_SAMPLE_U8 || header->type == SILT_SAMPLE_U16;
    bool is_float = header->type == SILT_SAMPLE_F32;
    if (!is_float && (is_unsigned || is_asked || header->has_heights))
        silt_samples_map(&samples, silt_raster_range(path, options, header->has_heights, header->heights));
    return samples;
}

static void place(const Header *header, SiltTerrain *terrain)
{
    if (!isfinite(header->x) || !isfinite(header->y) || !(header->step_x > 0.0) || !(header->step_y > 0.0))
        return;
    terrain->geo.placed = true;
    terrain->geo.x = header->x - 0.5 * header->step_x;
    terrain->geo.y = header->y + 0.5 * header->step_y;
    terrain->geo.step_x = header->step_x;
    terrain->geo.step_y = -header->step_y;
}

static SiltStatus read_samples(const char *path, FILE *file, const SiltReadOptions *options,
                               SiltTerrain **out)
{
    Header header;
    char hdr[SILT_PATH_SIZE];
    SiltStatus status = learn_header(path, file, options, hdr, &header);
    if (status == SILT_OK)
        status = check_size(path, file, hdr, &header);
    if (status != SILT_OK)
        return status;
    double cell = silt_raster_cell(path, options, header.cell > 0.0 ? header.cell : header.step_x);
    status = silt_raster_create(path, header.width, header.height, cell, out);
    if (status != SILT_OK)
        return status;
    SiltSamples samples = samples_of(path, options, &header);
    if (samples.scale == 1.0 && samples.offset == 0.0)
        (*out)->nodata_value = header.nodata;
    place(&header, *out);
    status = silt_samples_read(path, file, &samples, *out);
    return status == SILT_OK ? silt_raster_finish(path, options, *out) : status;
}

static SiltStatus read_raw(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    *out = NULL;
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    status = read_samples(path, file, options, out);
    fclose(file);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        *out = NULL;
    }
    return status;
}

static int bits_to_write(const char *path, const SiltWriteOptions *options)
{
    return options->bits != SILT_BITS_AUTO ? options->bits
           : silt_ends_with(path, ".r16")  ? SILT_BITS_16
                                           : SILT_BITS_32;
}

static SiltStatus check_bits(const char *path, const SiltWriteOptions *options)
{
    bool is_r16 = silt_ends_with(path, ".r16"), is_r32 = silt_ends_with(path, ".r32");
    int bits = bits_to_write(path, options);
    if ((is_r16 && bits != SILT_BITS_16) || (is_r32 && bits != SILT_BITS_32))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the ending says %d bits, and the options say %d", path,
                         is_r16 ? 16 : 32,
                         bits == SILT_BITS_8    ? 8
                         : bits == SILT_BITS_16 ? 16
                                                : 32);
    return SILT_OK;
}

static void print_key(FILE *file, const char *key, double value)
{
    char number[SILT_NUMBER_SIZE];
    fprintf(file, "%-14s %s\n", key, silt_format_number(value, number));
}

static void print_header(FILE *file, const char *path, const SiltTerrain *terrain, const SiltSamples *samples,
                         SiltHeightRange range)
{
    static const char *const type_names[] = {
        [SILT_SAMPLE_U8] = "UNSIGNEDINT", [SILT_SAMPLE_U16] = "UNSIGNEDINT", [SILT_SAMPLE_F32] = "FLOAT"};
    const SiltGeoreference *geo = &terrain->geo;
    bool placed = geo->placed && geo->step_x > 0.0 && geo->step_y < 0.0;
    int row_bytes = terrain->width * (int)silt_sample_bytes(samples->type);
    print_key(file, "NROWS", terrain->height);
    print_key(file, "NCOLS", terrain->width);
    print_key(file, "NBANDS", 1.0);
    print_key(file, "NBITS", 8.0 * (double)silt_sample_bytes(samples->type));
    fprintf(file, "%-14s %s\n", "PIXELTYPE", type_names[samples->type]);
    fprintf(file, "%-14s %s\n", "BYTEORDER", samples->big_endian ? "M" : "I");
    fprintf(file, "%-14s %s\n", "LAYOUT", "BIL");
    print_key(file, "BANDROWBYTES", row_bytes);
    print_key(file, "TOTALROWBYTES", row_bytes);
    if (placed) {
        print_key(file, "ULXMAP", geo->x + 0.5 * geo->step_x);
        print_key(file, "ULYMAP", geo->y + 0.5 * geo->step_y);
    }
    print_key(file, "XDIM", placed ? geo->step_x : terrain->cell);
    print_key(file, "YDIM", placed ? -geo->step_y : terrain->cell);
    if (terrain->nodata)
        print_key(file, "NODATA", samples->nodata);
    const char *slash = strrchr(path, '/');
    fprintf(file, "%-14s %s\n", "SILT_FILE", slash ? slash + 1 : path);
    print_key(file, "SILT_CELL", terrain->cell);
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    if (samples->type != SILT_SAMPLE_F32)
        fprintf(file, "%-14s %s %s\n", "SILT_HEIGHTS", silt_format_number(range.low, low),
                silt_format_number(range.high, high));
}

// The header takes a name that a panorama or an ENVI file could have: such a file is not ours to replace.
static SiltStatus begin_header(SiltOutput *output)
{
    char hdr[SILT_PATH_SIZE], *text = NULL;
    SiltStatus status = header_path(output->target, false, hdr);
    if (status != SILT_OK)
        return status;
    size_t bytes;
    if (access(hdr, F_OK) == 0) {
        status = is_plain_file(hdr) ? silt_read_file(hdr, LONGEST_HEADER, &text, &bytes) : SILT_BAD_FILE;
        if (status == SILT_NO_MEMORY)
            return status;
        char other[SILT_PATH_SIZE];
        bool is_header = status == SILT_OK && strcasestr(text, "ncols");
        bool is_other =
            is_header && (belongs_to_other(hdr, text, output->target, other) ||
                          (!is_own(text, output->target) && silt_samples_beside(hdr, output->target, other)));
        silt_free(text);
        if (!is_header)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: is there and no header of a RAW file; choose another name "
                             "for the RAW file",
                             hdr);
        if (is_other)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: its header %s is that of %s, which could not be read without it; choose "
                             "another name",
                             output->path, hdr, other);
    }
    return silt_output_add_sidecar(output, hdr);
}

static SiltStatus write_raw(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    const SiltLayer *layer;
    SiltSamples samples = {.scale = 1.0, .nodata = NAN, .big_endian = options->raw_order == 1};
    SiltHeightRange range = {0};
    SiltStatus status = silt_raster_layer(output->path, terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    int bits = bits_to_write(output->path, options);
    samples.type = bits == SILT_BITS_8    ? SILT_SAMPLE_U8
                   : bits == SILT_BITS_16 ? SILT_SAMPLE_U16
                                          : SILT_SAMPLE_F32;
    if (samples.type != SILT_SAMPLE_F32)
        range = silt_samples_plan(output->path, terrain, layer, options, &samples);
    else if (terrain->nodata)
        samples.nodata = silt_raster_nodata(terrain, layer);
    if (output->temporary[0]) { // a pipe has no neighbours
        status = begin_header(output);
        if (status != SILT_OK)
            return status;
        print_header(output->sidecar->file, output->target, terrain, &samples, range);
    }
    return silt_samples_write(terrain, layer, &samples, output);
}

const SiltFormat silt_format_raw = {
    .name = "RAW",
    .endings = "raw r16 r32 bin",
    .package = "",
    .bits = SILT_CAN(SILT_BITS_8) | SILT_CAN(SILT_BITS_16) | SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .read = read_raw,
    .write = write_raw,
    .check = check_bits,
};
