// NPY, NumPy's file of one array: a Python dictionary in one line, then the samples. Versions 1 to 3; a 2-D
// array of rows from north to south. Numbers are metres; with --heights integers are mapped from their range.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/samples.h"

enum { PREFIX = 8, LONGEST_HEADER = 65536, ALIGNMENT = 64 };

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= PREFIX && memcmp(head, "\x93NUMPY", 6) == 0;
}

typedef struct Header {
    SiltSampleType type;
    bool big_endian, fortran_order;
    int64_t rows, columns;
} Header;

static SiltStatus bad_header(const char *path, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: the NPY header %s", path, what);
}

// What follows 'key': in the dictionary, or NULL.
static const char *find_value(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = strstr(text, key); at; at = strstr(at + 1, key)) {
        if (at == text || (at[-1] != '\'' && at[-1] != '"') || at[length] != at[-1])
            continue;
        const char *after = at + length + 1;
        after += strspn(after, " ");
        if (*after == ':')
            return after + 1 + strspn(after + 1, " ");
    }
    return NULL;
}

static SiltStatus parse_type(const char *path, const char *text, Header *header)
{
    static const struct {
        char name[3];
        SiltSampleType type;
    } names[] = {{"u1", SILT_SAMPLE_U8},  {"u2", SILT_SAMPLE_U16}, {"i2", SILT_SAMPLE_I16},
                 {"i4", SILT_SAMPLE_I32}, {"f4", SILT_SAMPLE_F32}, {"f8", SILT_SAMPLE_F64}};
    if (*text != '\'' && *text != '"')
        return bad_header(path, "describes a structured array; save one plain 2-D array");
    char quote = *text++;
    header->big_endian = *text == '>';
    if (strchr("<>|=", *text) && *text)
        text++;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strncmp(text, names[k].name, 2) == 0 && text[2] == quote) {
            header->type = names[k].type;
            return SILT_OK;
        }
    }
    return silt_fail(SILT_BAD_FILE, "%s: samples of type '%.8s are not read; save f4 f8 i2 u2 i4 or u1", path,
                     text);
}

// "(512, 1024)"
static SiltStatus parse_shape(const char *path, const char *text, Header *header)
{
    int64_t sides[3] = {0};
    int count = 0;
    if (*text++ != '(')
        return bad_header(path, "has no shape");
    while (count < 3) {
        text += strspn(text, " ,");
        if (!isdigit((unsigned char)*text))
            break;
        for (; isdigit((unsigned char)*text); text++)
            sides[count] = sides[count] > INT32_MAX ? sides[count] : sides[count] * 10 + (*text - '0');
        if (*text == 'L') // Python 2 wrote long integers so
            text++;
        count++;
    }
    if (*text != ')' || count != 2)
        return bad_header(path, "does not describe a 2-D array: a terrain has rows and columns");
    header->rows = sides[0];
    header->columns = sides[1];
    return SILT_OK;
}

static SiltStatus parse_header(const char *path, const char *text, Header *header)
{
    const char *type = find_value(text, "descr"), *order = find_value(text, "fortran_order");
    const char *shape = find_value(text, "shape");
    if (!type || !order || !shape)
        return bad_header(path, "lacks 'descr', 'fortran_order' or 'shape'");
    header->fortran_order = strncmp(order, "True", 4) == 0;
    if (!header->fortran_order && strncmp(order, "False", 5) != 0)
        return bad_header(path, "says neither True nor False for 'fortran_order'");
    SiltStatus status = parse_type(path, type, header);
    return status == SILT_OK ? parse_shape(path, shape, header) : status;
}

static SiltStatus read_header(const char *path, FILE *file, Header *header)
{
    unsigned char prefix[PREFIX + 4] = {0};
    if (fread(prefix, 1, PREFIX, file) != PREFIX || !recognise(prefix, PREFIX))
        return silt_fail(SILT_BAD_FILE, "%s: not an NPY file", path);
    int version = prefix[6];
    if (version < 1 || version > 3)
        return silt_fail(SILT_BAD_FILE, "%s: NPY version %d; 1 to 3 are read", path, version);
    size_t length_bytes = version == 1 ? 2 : 4;
    if (fread(prefix + PREFIX, 1, length_bytes, file) != length_bytes)
        return bad_header(path, "is truncated");
    size_t length =
        version == 1 ? silt_load_u16(prefix + PREFIX, false) : silt_load_u32(prefix + PREFIX, false);
    if (length > LONGEST_HEADER)
        return bad_header(path, "is longer than 65536 bytes");
    void *text;
    SiltStatus status = silt_alloc_for(path, length + 1, 1, &text);
    if (status != SILT_OK)
        return status;
    status = fread(text, 1, length, file) == length ? parse_header(path, text, header)
                                                    : bad_header(path, "is truncated");
    silt_free(text);
    return status;
}

// Column after column.
static SiltStatus read_columns(const char *path, FILE *file, const SiltSamples *samples, SiltTerrain *terrain)
{
    size_t bytes = (size_t)terrain->height * silt_sample_bytes(samples->type);
    void *block = NULL, *values = NULL;
    SiltStatus status = silt_alloc_for(path, bytes, 1, &block);
    if (status == SILT_OK)
        status = silt_alloc_for(path, (size_t)terrain->height, sizeof(float), &values);
    const SiltField *field = &terrain->layers[0]->field;
    for (int i = 0; i < terrain->width && status == SILT_OK; i++) {
        if (fread(block, 1, bytes, file) != bytes) {
            status =
                silt_fail(SILT_BAD_FILE, "%s: the file ends in column %d of %d", path, i + 1, terrain->width);
            break;
        }
        silt_samples_decode(samples, block, terrain->height, values);
        for (int j = 0; j < terrain->height; j++)
            silt_field_row(field, j)[i] = ((const float *)values)[j];
    }
    silt_free(block);
    silt_free(values);
    return status;
}

static SiltStatus read_array(const char *path, FILE *file, const SiltReadOptions *options, SiltTerrain **out)
{
    Header header = {0};
    SiltStatus status = read_header(path, file, &header);
    if (status == SILT_OK)
        status = silt_samples_check(path, file, header.type, header.columns, header.rows);
    if (status == SILT_OK)
        status =
            silt_raster_create(path, header.columns, header.rows, silt_raster_cell(path, options, 0.0), out);
    if (status != SILT_OK)
        return status;
    SiltSamples samples = {.type = header.type, .big_endian = header.big_endian, .scale = 1.0, .nodata = NAN};
    bool is_unsigned = header.type == SILT_SAMPLE_U8 || header.type == SILT_SAMPLE_U16;
    if (options->purpose != SILT_READ_HEIGHTS && is_unsigned)
        silt_samples_map(&samples, silt_raster_range(path, options, false, (SiltHeightRange){0}));
    else if (isfinite(options->heights[0]) && isfinite(options->heights[1]))
        silt_samples_map(&samples, (SiltHeightRange){options->heights[0], options->heights[1]});
    status = header.fortran_order ? read_columns(path, file, &samples, *out)
                                  : silt_samples_read(path, file, &samples, *out);
    return status == SILT_OK ? silt_raster_finish(path, options, *out) : status;
}

static SiltStatus read_npy(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    *out = NULL;
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    status = read_array(path, file, options, out);
    fclose(file);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        *out = NULL;
    }
    return status;
}

// Version 1: everything before the samples is a multiple of 64 bytes and ends in a line feed.
static SiltStatus write_npy(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    const SiltLayer *layer;
    SiltStatus status = silt_raster_layer(output->path, terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    char text[192];
    int used = snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
                        terrain->height, terrain->width);
    int whole = (PREFIX + 2 + used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char length[2];
    silt_store_u16(length, (uint16_t)(whole - PREFIX - 2), false);
    fwrite("\x93NUMPY\x01\x00", 1, PREFIX, output->file);
    fwrite(length, 1, sizeof length, output->file);
    fprintf(output->file, "%-*s\n", whole - PREFIX - 2 - 1, text);
    SiltSamples samples = {.type = SILT_SAMPLE_F32, .scale = 1.0, .nodata = NAN};
    return silt_samples_write(terrain, layer, &samples, output);
}

const SiltFormat silt_format_npy = {
    .name = "NPY",
    .endings = "npy",
    .package = "",
    .recognise = recognise,
    .bits = SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .read = read_npy,
    .write = write_npy,
};
