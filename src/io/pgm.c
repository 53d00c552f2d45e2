// PGM, the plain grey picture of netpbm: P5 (binary) and P2 (text), 8 or 16 bits, big-endian. Metres go into
// comments that begin with "silt", so that what we write is read back to the same heights.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/format.h"

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 3 && head[0] == 'P' && (head[1] == '5' || head[1] == '2') && isspace(head[2]);
}

typedef struct Header {
    int64_t width, height, largest;
    bool text; // P2
    bool has_range;
    SiltHeightRange range;
    double cell;
    bool has_nodata; // sample 0 marks cells without data
} Header;

// "# silt heights 120.5 2210" and "# silt cell 30" and "# silt nodata 0"
static void read_comment(const char *comment, Header *header)
{
    const char *cursor;
    if (strncmp(comment, " silt heights ", 14) == 0) {
        cursor = comment + 14;
        header->has_range =
            silt_parse_number(&cursor, &header->range.low) && silt_parse_number(&cursor, &header->range.high);
    } else if (strncmp(comment, " silt cell ", 11) == 0) {
        cursor = comment + 11;
        silt_parse_number(&cursor, &header->cell);
    } else if (strncmp(comment, " silt nodata 0", 14) == 0) {
        header->has_nodata = true;
    }
}

// Skips white space and comments before the next number of the header; -1 when there is none.
static int64_t next_number(FILE *file, Header *header)
{
    int c = getc(file);
    while (c == '#' || isspace(c)) {
        if (c == '#') {
            char comment[160];
            size_t length = 0;
            while ((c = getc(file)) != '\n' && c != EOF)
                if (length + 1 < sizeof comment)
                    comment[length++] = (char)c;
            comment[length] = '\0';
            read_comment(comment, header);
        }
        c = getc(file);
    }
    if (!isdigit(c))
        return -1;
    int64_t value = 0;
    for (; isdigit(c); c = getc(file))
        value = value > INT32_MAX ? value : value * 10 + (c - '0');
    if (c != EOF && !isspace(c))
        ungetc(c, file); // the one space after the last number belongs to the header
    return value;
}

static SiltStatus read_header(const char *path, FILE *file, Header *header)
{
    *header = (Header){0};
    if (getc(file) != 'P')
        return silt_fail(SILT_BAD_FILE, "%s: not a PGM picture", path);
    header->text = getc(file) == '2';
    header->width = next_number(file, header);
    header->height = next_number(file, header);
    header->largest = next_number(file, header);
    if (header->width < 0 || header->height < 0 || header->largest < 1 || header->largest > 65535)
        return silt_fail(SILT_BAD_FILE,
                         "%s: the PGM header is not: P5 or P2, width, height, largest value (1 to 65535)",
                         path);
    return SILT_OK;
}

static SiltStatus truncated(const char *path, int row, int64_t rows)
{
    return silt_fail(SILT_BAD_FILE, "%s: the file ends in row %d of %lld", path, row + 1, (long long)rows);
}

static SiltStatus read_rows(const char *path, FILE *file, Header *header, SiltHeightRange range,
                            SiltTerrain *terrain)
{
    int sample_bytes = header->largest > 255 ? 2 : 1;
    size_t row_bytes = (size_t)terrain->width * (size_t)sample_bytes;
    void *block = NULL;
    SiltStatus status = silt_alloc_for(path, row_bytes, 1, &block);
    if (status != SILT_OK)
        return status;
    unsigned char *bytes = block;
    double step = (range.high - range.low) / (double)header->largest;
    for (int j = 0; j < terrain->height && status == SILT_OK; j++) {
        float *row = silt_field_row(&terrain->layers[0]->field, j);
        if (!header->text && fread(bytes, 1, row_bytes, file) != row_bytes)
            status = truncated(path, j, header->height);
        for (int i = 0; i < terrain->width && status == SILT_OK; i++) {
            int64_t sample = header->text        ? next_number(file, header)
                             : sample_bytes == 1 ? bytes[i]
                                                 : bytes[2 * i] << 8 | bytes[2 * i + 1];
            if (sample < 0)
                status = truncated(path, j, header->height);
            row[i] = header->has_nodata && sample == 0 ? NAN : (float)(range.low + step * (double)sample);
        }
    }
    silt_free(block);
    return status;
}

static SiltStatus read_pgm(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    Header header;
    SiltTerrain *terrain = NULL;
    status = read_header(path, file, &header);
    if (status == SILT_OK)
        status = silt_raster_create(path, header.width, header.height,
                                    silt_raster_cell(path, options, header.cell), &terrain);
    if (status == SILT_OK) {
        if (header.largest < 256)
            silt_warn("%s: 8-bit image, %lld height levels; terraces will show (use 16-bit PNG, TIFF or EXR)",
                      path, (long long)header.largest + 1);
        SiltHeightRange range = silt_raster_range(path, options, header.has_range, header.range);
        status = read_rows(path, file, &header, range, terrain);
    }
    if (status == SILT_OK)
        status = silt_raster_finish(path, options, terrain);
    fclose(file);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    *out = terrain;
    return SILT_OK;
}

// With cells without data, sample 0 is theirs and heights take 1 to the largest.
static SiltStatus write_pgm(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    const SiltLayer *layer;
    SiltStatus status = silt_raster_layer(terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    SiltHeightRange range = silt_raster_write_range(terrain, layer, options);
    unsigned largest = options->bits == SILT_BITS_8 ? 255 : 65535, lowest = terrain->nodata ? 1 : 0;
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE], cell[SILT_NUMBER_SIZE];
    double zero = range.low - (range.high - range.low) / (largest - lowest) * lowest; // metres of sample 0
    fprintf(output->file, "P5\n# silt heights %s %s\n# silt cell %s\n%s%d %d\n%u\n",
            silt_format_number(zero, low), silt_format_number(range.high, high),
            silt_format_number(terrain->cell, cell), terrain->nodata ? "# silt nodata 0\n" : "",
            terrain->width, terrain->height, largest);
    for (int j = 0; j < terrain->height; j++) {
        const float *row = silt_field_row(&layer->field, j);
        for (int i = 0; i < terrain->width; i++) {
            unsigned sample = lowest + silt_raster_quantise((double)row[i], range, largest - lowest);
            if (silt_terrain_is_nodata(terrain, i, j))
                sample = 0;
            if (largest > 255)
                putc((int)(sample >> 8), output->file);
            putc((int)(sample & 255), output->file);
        }
    }
    if (ferror(output->file))
        return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", output->path, strerror(errno));
    return SILT_OK;
}

const SiltFormat silt_format_pgm = {
    .name = "PGM",
    .endings = "pgm",
    .package = "",
    .recognise = recognise,
    .read = read_pgm,
    .write = write_pgm,
};
