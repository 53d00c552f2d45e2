// TIFF and GeoTIFF: what is written, and the format as a whole. Floats are metres as they are; integers come
// with the scale and offset that GDAL knows.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/format.h"
#include "io/geotiff.h"
#include "io/tiff_file.h"
#include "terrain/terrain.h"

static bool recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && (memcmp(head, "II*\0", 4) == 0 || memcmp(head, "MM\0*", 4) == 0 ||
                          memcmp(head, "II+\0", 4) == 0 || memcmp(head, "MM\0+", 4) == 0);
}

#ifdef SILT_HAS_TIFF

typedef struct Writer {
    const SiltTerrain *terrain;
    const SiltLayer *layer;
    int bits; // 8 and 16 are integers over `range`, 32 floats
    SiltHeightRange range;
    unsigned lowest, largest;
    float nodata; // of floats; NaN when no cell is without data
    int block_width, block_height;
    bool tiled;
} Writer;

static void fill_integers(const Writer *writer, int i0, int j, int count, void *to)
{
    const float *from = silt_field_row(&writer->layer->field, j) + i0;
    for (int i = 0; i < count; i++) {
        unsigned sample = silt_terrain_is_nodata(writer->terrain, i0 + i, j)
                              ? 0
                              : writer->lowest + silt_raster_quantise((double)from[i], writer->range,
                                                                      writer->largest - writer->lowest);
        if (writer->bits == 16)
            ((uint16_t *)to)[i] = (uint16_t)sample;
        else
            ((uint8_t *)to)[i] = (uint8_t)sample;
    }
}

// The samples of the block whose first cell is (i0, j0), and their bytes in the file.
static size_t fill_block(const Writer *writer, int i0, int j0, char *block)
{
    const SiltTerrain *terrain = writer->terrain;
    size_t row_bytes = (size_t)writer->block_width * (size_t)writer->bits / 8;
    int rows = terrain->height - j0 < writer->block_height ? terrain->height - j0 : writer->block_height;
    int columns = terrain->width - i0 < writer->block_width ? terrain->width - i0 : writer->block_width;
    if (writer->tiled) // beyond the edge: zeros
        memset(block, 0, row_bytes * (size_t)writer->block_height);
    for (int j = 0; j < rows; j++) {
        void *to = block + (size_t)j * row_bytes;
        if (writer->bits == 32)
            silt_raster_float_row(terrain, writer->layer, i0, j0 + j, columns, writer->nodata, to);
        else
            fill_integers(writer, i0, j0 + j, columns, to);
    }
    return row_bytes * (size_t)(writer->tiled ? writer->block_height : rows);
}

// libtiff packs what it is given as it is, and says nothing, where it has no memory for the step before.
static bool is_as_given(SiltTiff *file, const Writer *writer, uint32_t number, const char *given, char *found,
                        tmsize_t bytes)
{
    tmsize_t got = writer->tiled ? TIFFReadEncodedTile(file->tiff, number, found, bytes)
                                 : TIFFReadEncodedStrip(file->tiff, number, found, bytes);
    return got == bytes && memcmp(given, found, (size_t)bytes) == 0;
}

static SiltStatus not_as_written(const char *path)
{
    return silt_fail(SILT_IO_ERROR, "%s: cannot write: read back, it is not what was written", path);
}

// Writes all blocks, or reads them back and compares.
static SiltStatus do_blocks(SiltTiff *file, const Writer *writer)
{
    const SiltTerrain *terrain = writer->terrain;
    size_t most = (size_t)writer->block_width * (size_t)writer->bits / 8 * (size_t)writer->block_height;
    void *block;
    SiltStatus status = silt_alloc_for(file->path, most, 2, &block);
    if (status != SILT_OK)
        return status;
    char *given = block, *found = given + most;
    uint32_t number = 0;
    for (int j0 = 0; j0 < terrain->height && status == SILT_OK; j0 += writer->block_height)
        for (int i0 = 0; i0 < terrain->width && status == SILT_OK; i0 += writer->block_width, number++) {
            tmsize_t bytes = (tmsize_t)fill_block(writer, i0, j0, given);
            if (!file->writing) {
                if (!is_as_given(file, writer, number, given, found, bytes))
                    status = not_as_written(file->path);
                continue;
            }
            tmsize_t put = writer->tiled ? TIFFWriteEncodedTile(file->tiff, number, given, bytes)
                                         : TIFFWriteEncodedStrip(file->tiff, number, given, bytes);
            if (put != bytes)
                status = silt_tiff_failed(file, "");
        }
    silt_free(block);
    return status;
}

static uint16_t method_of(const SiltWriteOptions *options)
{
    static const uint16_t methods[] = {[SILT_COMPRESS_DEFLATE] = COMPRESSION_ADOBE_DEFLATE,
                                       [SILT_COMPRESS_ZSTD] = COMPRESSION_ZSTD,
                                       [SILT_COMPRESS_LZW] = COMPRESSION_LZW,
                                       [SILT_COMPRESS_NONE] = COMPRESSION_NONE};
    return methods[options->compression];
}

static SiltStatus set_compression(SiltTiff *file, const SiltWriteOptions *options, int bits)
{
    TIFF *tiff = file->tiff;
    uint16_t method = method_of(options);
    if (!TIFFIsCODECConfigured(method))
        return silt_fail(
            SILT_MISSING_FEATURE,
            "%s: this libtiff cannot pack in the way asked for; take compression=deflate or none",
            file->path);
    bool done = TIFFSetField(tiff, TIFFTAG_COMPRESSION, method);
    if (done && method != COMPRESSION_NONE)
        done = TIFFSetField(tiff, TIFFTAG_PREDICTOR,
                            bits == 32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    // half the time of libtiff's own levels (6 and 9), for a hundredth more bytes
    if (done && method == COMPRESSION_ADOBE_DEFLATE)
        done = TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 4);
    if (done && method == COMPRESSION_ZSTD)
        done = TIFFSetField(tiff, TIFFTAG_ZSTD_LEVEL, 3);
    return done ? SILT_OK : silt_tiff_failed(file, "");
}

static SiltStatus set_form(SiltTiff *file, const Writer *writer, const SiltWriteOptions *options)
{
    TIFF *tiff = file->tiff;
    const SiltTerrain *terrain = writer->terrain;
    int format = writer->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT;
    bool done = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)terrain->width) &&
                TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)terrain->height) &&
                TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
                TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, writer->bits) &&
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format) &&
                TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
                TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Silt " SILT_VERSION);
    if (done && writer->tiled)
        done = TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)writer->block_width) &&
               TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)writer->block_height);
    else if (done)
        done = TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)writer->block_height);
    return done ? set_compression(file, options, writer->bits) : silt_tiff_failed(file, "");
}

static SiltGeoTiff notes_of(const Writer *writer)
{
    const SiltTerrain *terrain = writer->terrain;
    SiltGeoTiff notes = {.nodata = (double)writer->nodata, .metres = 1.0};
    if (writer->bits < 32) {
        notes.has_scale = true;
        notes.scale = (writer->range.high - writer->range.low) / (writer->largest - writer->lowest);
        notes.offset = writer->range.low - notes.scale * writer->lowest;
        notes.nodata = terrain->nodata ? 0.0 : NAN;
    } else if ((float)terrain->nodata_value == writer->nodata) {
        notes.nodata = terrain->nodata_value; // with the digits the input had
    }
    return notes;
}

static SiltStatus write_tags(SiltTiff *file, const Writer *writer, const SiltWriteOptions *options)
{
    SiltGeoTiff notes = notes_of(writer);
    bool done = true;
    SiltStatus status = set_form(file, writer, options);
    if (status == SILT_OK)
        status = silt_geotiff_write(file->tiff, writer->terrain, writer->layer, &notes, &done);
    return status == SILT_OK && !done ? silt_tiff_failed(file, "") : status;
}

static SiltStatus check_tags(SiltTiff *file, const Writer *writer, const SiltWriteOptions *options)
{
    SiltGeoTiff notes = notes_of(writer);
    uint32_t width = 0, height = 0;
    uint16_t bits = 0, format = 0, method = 0;
    bool done = false;
    SiltStatus status = silt_geotiff_check(file->tiff, writer->terrain, writer->layer, &notes, &done);
    TIFFGetField(file->tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file->tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(file->tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(file->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetField(file->tiff, TIFFTAG_COMPRESSION, &method);
    done = done && width == (uint32_t)writer->terrain->width && height == (uint32_t)writer->terrain->height &&
           bits == writer->bits && method == method_of(options) &&
           format == (writer->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    return status == SILT_OK && !done ? not_as_written(file->path) : status;
}

static SiltStatus check_tile(const char *path, const SiltWriteOptions *options)
{
    return options->tile % 16 == 0
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: tile = %d is not a multiple of 16", path, options->tile);
}

static SiltStatus plan(const SiltTerrain *terrain, const SiltWriteOptions *options, const char *path,
                       Writer *out)
{
    enum { STRIP_BYTES = 1 << 18 }; // fits the second-level cache, and a reader of a part wastes little
    *out = (Writer){.terrain = terrain};
    SiltStatus status = silt_raster_layer(path, terrain, options, &out->layer);
    if (status != SILT_OK)
        return status;
    out->bits = options->bits == SILT_BITS_8 ? 8 : options->bits == SILT_BITS_16 ? 16 : 32;
    out->largest = out->bits == 8 ? 255 : 65535;
    out->lowest = terrain->nodata ? 1 : 0;
    if (out->bits < 32)
        out->range = silt_raster_write_range(path, terrain, out->layer, options);
    out->nodata = silt_raster_write_nodata(terrain);
    out->tiled = options->tile > 0;
    size_t row_bytes = (size_t)terrain->width * (size_t)out->bits / 8;
    int rows = row_bytes < STRIP_BYTES ? (int)(STRIP_BYTES / row_bytes) : 1;
    out->block_width = out->tiled ? options->tile : terrain->width;
    out->block_height = out->tiled ? options->tile : rows < terrain->height ? rows : terrain->height;
    return SILT_OK;
}

// What libtiff has no memory for it may leave out or pack otherwise: the file is right that reads so.
static SiltStatus read_back(SiltOutput *output, const Writer *writer, const SiltWriteOptions *options)
{
    SiltTiff file;
    SiltStatus status = silt_tiff_open_read(output->path, output->file, &file);
    if (status == SILT_OK)
        status = check_tags(&file, writer, options);
    if (status == SILT_OK && options->compression != SILT_COMPRESS_NONE)
        status = do_blocks(&file, writer);
    silt_tiff_close(&file);
    return status == SILT_BAD_FILE ? silt_fail(SILT_IO_ERROR, "%s", silt_message()) : status;
}

static SiltStatus write_tiff(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output)
{
    Writer writer;
    SiltStatus status = plan(terrain, options, output->path, &writer);
    if (status != SILT_OK)
        return status;
    double bytes = (double)terrain->width * terrain->height * writer.bits / 8;
    SiltTiff file;
    // what is no pattern grows by up to a half when it is packed, and a small TIFF ends at 4 GiB
    status = silt_tiff_open_write(output->path, output->file, 1.5 * bytes > 4.2e9, &file);
    if (status != SILT_OK)
        return status;
    status = write_tags(&file, &writer, options);
    if (status == SILT_OK)
        status = do_blocks(&file, &writer);
    if (status == SILT_OK && !TIFFWriteDirectory(file.tiff))
        status = silt_tiff_failed(&file, "");
    silt_tiff_close(&file);
    if (status == SILT_OK && (file.error || file.reason[0])) // also what libtiff only mentions
        status = silt_tiff_failed(&file, "");
    bool is_file = output->temporary[0] != '\0'; // what goes to /dev/null does not come back
    return status == SILT_OK && is_file ? read_back(output, &writer, options) : status;
}

#endif

const SiltFormat silt_format_tiff = {
    .name = "GeoTIFF",
    .endings = "tif tiff",
    .package = "libtiff-dev",
    .recognise = recognise,
    .bits = SILT_CAN(SILT_BITS_8) | SILT_CAN(SILT_BITS_16) | SILT_CAN(SILT_BITS_32),
    .compressions = SILT_CAN(SILT_COMPRESS_ZSTD) | SILT_CAN(SILT_COMPRESS_LZW) | SILT_CAN(SILT_COMPRESS_NONE),
    .has_tiles = true,
#ifdef SILT_HAS_TIFF
    .read = silt_tiff_read,
    .write = write_tiff,
    .check = check_tile,
#endif
};
