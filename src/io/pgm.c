// PGM, the plain grey picture of netpbm: P5 (binary) and P2 (text), 8 or 16 bits, big-endian. Metres go into
// comments that begin with "silt", so that what we write is read back to the same heights.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "io/samples.h"

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
    int c = getc_unlocked(file);
    while (c == '#' || isspace(c)) {
        if (c == '#') {
            char comment[160];
            size_t length = 0;
            while ((c = getc_unlocked(file)) != '\n' && c != EOF)
                if (length + 1 < sizeof comment)
                    comment[length++] = (char)c;
            comment[length] = '\0';
            read_comment(comment, header);
        }
        c = getc_unlocked(file);
    }
    if (!isdigit(c))
        return -1;
    int64_t value = 0;
    for (; isdigit(c); c = getc_unlocked(file))
        value = value > INT32_MAX ? value : value * 10 + (c - '0');
    if (c != EOF && !isspace(c))
        ungetc(c, file); // the one space after the last number belongs to the header
    return value;
}

static SiltStatus read_header(const char *path, FILE *file, Header *header)
{
    *header = (Header){0};
    if (getc_unlocked(file) != 'P')
        return silt_fail(SILT_BAD_FILE, "%s: not a PGM picture", path);
    header->text = getc_unlocked(file) == '2';
    header->width = next_number(file, header);
    header->height = next_number(file, header);
    header->largest = next_number(file, header);
    if (header->width < 0 || header->height < 0 || header->largest < 1 || header->largest > 65535)
        return silt_fail(SILT_BAD_FILE,
                         "%s: the PGM header is not: P5 or P2, width, height, largest value (1 to 65535)",
                         path);
    return SILT_OK;
}

// P2: numbers with white space between them.
static SiltStatus read_text(const char *path, FILE *file, Header *header, const SiltSamples *samples,
                            SiltTerrain *terrain)
{
    for (int j = 0; j < terrain->height; j++) {
        float *row = silt_field_row(&terrain->layers[0]->field, j);
        for (int i = 0; i < terrain->width; i++) {
            int64_t sample = next_number(file, header);
            if (sample < 0)
                return silt_fail(SILT_BAD_FILE, "%s: the file ends in row %d of %d", path, j + 1,
                                 terrain->height);
            if ((double)sample > samples->largest)
                return silt_samples_too_large(path, samples, j);
            row[i] = (double)sample == samples->nodata
                         ? NAN
                         : (float)(samples->offset + samples->scale * (double)sample);
        }
    }
    return SILT_OK;
}

// Every sample of text takes a digit and a space.
static SiltStatus check_size(const char *path, FILE *file, const Header *header, SiltSampleType type)
{
    if (!header->text)
        return silt_samples_check(path, file, type, header->width, header->height);
    double needed = 2.0 * (double)header->width * (double)header->height - 1.0;
    if (needed > (double)silt_input_left(file))
        return silt_fail(
            SILT_BAD_FILE, "%s: truncated: %lld x %lld samples take more than the file's %llu bytes", path,
            (long long)header->width, (long long)header->height, (unsigned long long)silt_input_left(file));
    return SILT_OK;
}

static SiltStatus read_cells(const char *path, FILE *file, const SiltReadOptions *options, Header *header,
                             SiltTerrain *terrain)
{
    SiltHeightRange range = silt_raster_range(path, options, header->has_range, header->range);
    SiltSamples samples = {.type = header->largest > 255 ? SILT_SAMPLE_U16 : SILT_SAMPLE_U8,
                           .big_endian = true,
                           .offset = range.low,
                           .scale = (range.high - range.low) / (double)header->largest,
                           .nodata = header->has_nodata ? 0.0 : NAN,
                           .largest = (double)header->largest};
    SiltStatus status = header->text ? read_text(path, file, header, &samples, terrain)
                                     : silt_samples_read(path, file, &samples, terrain);
    return status == SILT_OK ? silt_raster_finish(path, options, terrain) : status;
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
        status = check_size(path, file, &header, header.largest > 255 ? SILT_SAMPLE_U16 : SILT_SAMPLE_U8);
    if (status == SILT_OK)
        status = silt_raster_create(path, header.width, header.height,
                                    silt_raster_cell(path, options, header.cell), &terrain);
    if (status == SILT_OK) {
        if (header.largest < 256)
            silt_raster_warn_of_steps(path, options, 8, (int64_t)header.largest + 1);
        status = read_cells(path, file, options, &header, terrain);
    }
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
    SiltStatus status = silt_raster_layer(output->path, terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    bool is_small = options->bits == SILT_BITS_8;
    SiltSamples samples = {.type = is_small ? SILT_SAMPLE_U8 : SILT_SAMPLE_U16, .big_endian = true};
    SiltHeightRange range = silt_samples_plan(output->path, terrain, layer, options, &samples);
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE], cell[SILT_NUMBER_SIZE];
    fprintf(output->file, "P5\n# silt heights %s %s\n# silt cell %s\n%s%d %d\n%d\n",
            silt_format_number(range.low, low), silt_format_number(range.high, high),
            silt_format_number(terrain->cell, cell), terrain->nodata ? "# silt nodata 0\n" : "",
            terrain->width, terrain->height, is_small ? 255 : 65535);
    return silt_samples_write(terrain, layer, &samples, output);
}

const SiltFormat silt_format_pgm = {
    .name = "PGM",
    .endings = "pgm",
    .package = "",
    .recognise = recognise,
    .bits = SILT_CAN(SILT_BITS_8) | SILT_CAN(SILT_BITS_16),
    .compressions = SILT_CAN(SILT_COMPRESS_NONE),
    .read = read_pgm,
    .write = write_pgm,
};
