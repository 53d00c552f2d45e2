// TIFF and GeoTIFF: one sample a pixel, integers or floats, in strips or tiles. Samples are metres as they
// are, unless the file gives a scale and an offset as GDAL writes them; our own integers always do.
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

// ---- reading ----

typedef struct Layout {
    uint32_t width, height;
    uint16_t bits, format, samples, compression;
    uint32_t block_width, block_height; // of a tile, or of a strip
    bool tiled;
    uint64_t block_bytes;
    uint32_t block_count;
} Layout;

static SiltStatus read_layout(const SiltTiff *file, Layout *out)
{
    TIFF *tiff = file->tiff;
    *out = (Layout){.tiled = TIFFIsTiled(tiff)};
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &out->width) ||
        !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &out->height))
        return silt_fail(SILT_BAD_FILE, "%s: the TIFF does not say how wide and high it is", file->path);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &out->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &out->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &out->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &out->compression);
    if (out->tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &out->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &out->block_height);
        out->block_bytes = TIFFTileSize64(tiff);
        out->block_count = TIFFNumberOfTiles(tiff);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &out->block_height);
        out->block_width = out->width;
        out->block_height = out->block_height < out->height ? out->block_height : out->height;
        out->block_bytes = TIFFStripSize64(tiff);
        out->block_count = TIFFNumberOfStrips(tiff);
    }
    return SILT_OK;
}

static SiltStatus check_samples(const SiltTiff *file, const Layout *layout)
{
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(file->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (layout->samples != 1)
        return silt_fail(
            SILT_BAD_FILE,
            "%s: %u samples a pixel, where a heightmap has one (gdal_translate -b 1 takes the first)",
            file->path, layout->samples);
    if (photometric == PHOTOMETRIC_PALETTE)
        return silt_fail(SILT_BAD_FILE, "%s: a picture with a palette, not a heightmap; save it as grey",
                         file->path);
    bool integer = (layout->format == SAMPLEFORMAT_UINT || layout->format == SAMPLEFORMAT_INT ||
                    layout->format == SAMPLEFORMAT_VOID) &&
                   (layout->bits == 8 || layout->bits == 16 || layout->bits == 32);
    bool real = layout->format == SAMPLEFORMAT_IEEEFP && (layout->bits == 32 || layout->bits == 64);
    if (!integer && !real)
        return silt_fail(SILT_BAD_FILE,
                         "%s: samples of %u bits in format %u; Silt reads integers of 8, 16 and 32 bits and "
                         "floats of 32 and 64 (gdal_translate -ot Float32)",
                         file->path, layout->bits, layout->format);
    if (!TIFFIsCODECConfigured(layout->compression))
        return silt_fail(SILT_MISSING_FEATURE,
                         "%s: packed by method %u, which this libtiff lacks (gdal_translate -co "
                         "COMPRESS=DEFLATE)",
                         file->path, layout->compression);
    uint64_t wanted = (uint64_t)layout->block_width * layout->block_height * (layout->bits / 8u);
    if (layout->width == 0 || layout->height == 0 || layout->block_bytes != wanted || wanted == 0)
        return silt_fail(SILT_BAD_FILE, "%s: %u x %u pixels in blocks of %u x %u cannot be", file->path,
                         layout->width, layout->height, layout->block_width, layout->block_height);
    return SILT_OK;
}

// How many times smaller than its samples a method can make a block at the very best.
static double best_ratio(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
        return 1.0;
    case COMPRESSION_PACKBITS:
        return 64.0;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return 1040.0;
    case COMPRESSION_LZW:
        return 4096.0;
    default:
        return 40000.0; // zstd's runs; others stay below
    }
}

// Blocks that GDAL left out of a sparse file have no bytes, but a place in the list of blocks: so large a
// block of samples stands for eight bytes at the most. The others must fit the file's length.
static SiltStatus check_length(const SiltTiff *file, const Layout *layout)
{
    const double sparsest = 131072.0;
    uint32_t stored = 0, last = layout->block_count - 1;
    for (uint32_t k = 0; k < layout->block_count; k++)
        stored += TIFFGetStrileByteCount(file->tiff, k) > 0;
    if (stored == 0)
        return silt_fail(SILT_BAD_FILE, "%s: the TIFF holds no samples", file->path);
    double raw = (double)stored * (double)layout->block_bytes;
    double whole = (double)layout->block_count * (double)layout->block_bytes;
    double absent = (double)layout->width * (layout->bits / 8) *
                    ((double)layout->block_count * layout->block_height - (double)layout->height);
    if (!layout->tiled && TIFFGetStrileByteCount(file->tiff, last) > 0) // the last strip may be short
        raw -= absent;
    SiltStatus status =
        silt_raster_check_length(file->path, raw, best_ratio(layout->compression), file->bytes);
    if (status == SILT_OK && stored < layout->block_count)
        status = silt_raster_check_length(file->path, whole, sparsest, file->bytes);
    if (status == SILT_OK) // in the list a block takes four bytes at least
        status = silt_raster_check_length(file->path, 4.0 * layout->block_count, 1.0, file->bytes);
    return status;
}

// height = offset + scale * sample, and the sample that means none
typedef struct Meaning {
    double scale, offset, nodata;
    bool plain; // scale 1, offset 0
} Meaning;

#define CONVERT(name, T)                                                                                     \
    static void name(const T *from, int count, const Meaning *meaning, float *to)                            \
    {                                                                                                        \
        double scale = meaning->scale, offset = meaning->offset, nodata = meaning->nodata;                   \
        for (int i = 0; i < count; i++) {                                                                    \
            double sample = (double)from[i];                                                                 \
            to[i] = sample == nodata ? NAN : (float)(offset + scale * sample);                               \
        }                                                                                                    \
    }
CONVERT(convert_u8, uint8_t)
CONVERT(convert_i8, int8_t)
CONVERT(convert_u16, uint16_t)
CONVERT(convert_i16, int16_t)
CONVERT(convert_u32, uint32_t)
CONVERT(convert_i32, int32_t)
CONVERT(convert_f32, float)
CONVERT(convert_f64, double)
#undef CONVERT

static void convert(const Layout *layout, const void *from, int count, const Meaning *meaning, float *to)
{
    bool is_signed = layout->format == SAMPLEFORMAT_INT;
    if (layout->format == SAMPLEFORMAT_IEEEFP) {
        if (layout->bits == 64)
            convert_f64(from, count, meaning, to);
        else if (meaning->plain && isnan(meaning->nodata))
            memcpy(to, from, (size_t)count * sizeof *to);
        else
            convert_f32(from, count, meaning, to);
    } else if (layout->bits == 8) {
        is_signed ? convert_i8(from, count, meaning, to) : convert_u8(from, count, meaning, to);
    } else if (layout->bits == 16) {
        is_signed ? convert_i16(from, count, meaning, to) : convert_u16(from, count, meaning, to);
    } else {
        is_signed ? convert_i32(from, count, meaning, to) : convert_u32(from, count, meaning, to);
    }
}

static SiltStatus block_failed(const SiltTiff *file, const Layout *layout, uint32_t first)
{
    char where[64];
    uint32_t last =
        first + layout->block_height < layout->height ? first + layout->block_height : layout->height;
    snprintf(where, sizeof where, "in rows %u to %u of %u", first + 1, last, layout->height);
    return silt_tiff_failed(file, where);
}

static SiltStatus read_blocks(SiltTiff *file, const Layout *layout, const Meaning *meaning, SiltField *field)
{
    void *block;
    SiltStatus status = silt_alloc_for(file->path, layout->block_bytes, 1, &block);
    if (status != SILT_OK)
        return status;
    size_t row_bytes = (size_t)layout->block_width * (layout->bits / 8u);
    uint32_t across = (layout->width - 1) / layout->block_width + 1;
    for (uint32_t k = 0; k < layout->block_count && status == SILT_OK; k++) {
        uint32_t j0 = k / across * layout->block_height, i0 = k % across * layout->block_width;
        if (j0 >= layout->height)
            break;
        uint32_t rows = layout->height - j0, columns = layout->width - i0;
        rows = rows < layout->block_height ? rows : layout->block_height;
        columns = columns < layout->block_width ? columns : layout->block_width;
        tmsize_t wanted = (tmsize_t)(row_bytes * (layout->tiled ? layout->block_height : rows));
        bool sparse = TIFFGetStrileByteCount(file->tiff, k) == 0;
        tmsize_t got = sparse          ? wanted
                       : layout->tiled ? TIFFReadEncodedTile(file->tiff, k, block, wanted)
                                       : TIFFReadEncodedStrip(file->tiff, k, block, wanted);
        if (got != wanted)
            status = block_failed(file, layout, j0);
        for (uint32_t j = 0; j < rows && status == SILT_OK; j++) {
            float *to = silt_field_row(field, (int)(j0 + j)) + i0;
            if (!sparse)
                convert(layout, (const char *)block + j * row_bytes, (int)columns, meaning, to);
            for (uint32_t i = 0; sparse && i < columns; i++)
                to[i] = isnan(meaning->nodata) ? (float)meaning->offset : NAN;
        }
    }
    silt_free(block);
    return status;
}

// Integers are metres, as most elevation models in TIFF have them. Unsigned ones that neither lie on a map
// nor record a scale are a heightmap from a painting or terrain program, and for those --heights says what
// they mean.
static Meaning find_meaning(const char *path, const SiltReadOptions *options, const Layout *layout,
                            const SiltGeoTiff *notes)
{
    Meaning meaning = {.scale = notes->scale * notes->metres,
                       .offset = notes->offset * notes->metres,
                       .nodata = notes->nodata};
    bool real = layout->format == SAMPLEFORMAT_IEEEFP;
    bool is_asked = isfinite(options->heights[0]) && isfinite(options->heights[1]);
    bool is_picture = !real && layout->format != SAMPLEFORMAT_INT && !notes->geo.placed &&
                      notes->scale == 1.0 && notes->offset == 0.0;
    bool is_unsigned = !real && layout->format != SAMPLEFORMAT_INT;
    if ((is_picture && options->purpose == SILT_READ_VALUES) ||
        (is_unsigned && options->purpose == SILT_READ_SHARES)) {
        SiltHeightRange range = silt_raster_range(path, options, false, (SiltHeightRange){0});
        meaning.scale = (range.high - range.low) / (ldexp(1.0, layout->bits) - 1.0);
        meaning.offset = range.low;
    } else if (is_asked && is_picture) {
        meaning.scale = (options->heights[1] - options->heights[0]) / (ldexp(1.0, layout->bits) - 1.0);
        meaning.offset = options->heights[0];
    }
    silt_raster_warn_of_steps(path, options, layout->bits, INT64_C(1) << (layout->bits & 31));
    meaning.plain = meaning.scale == 1.0 && meaning.offset == 0.0;
    if (real && layout->bits == 32) // the text of a nodata value may have more digits than a float
        meaning.nodata = (double)(float)meaning.nodata;
    return meaning;
}

static SiltStatus read_open(SiltTiff *file, const SiltReadOptions *options, SiltTerrain **out)
{
    Layout layout;
    SiltStatus status = read_layout(file, &layout);
    if (status == SILT_OK)
        status = check_samples(file, &layout);
    if (status == SILT_OK)
        status = check_length(file, &layout);
    if (status != SILT_OK)
        return status;
    SiltGeoTiff notes;
    status = silt_geotiff_read(file->tiff, file->path, (int)layout.height, &notes);
    if (status != SILT_OK)
        return status;
    SiltTerrain *terrain;
    status = silt_raster_create(file->path, layout.width, layout.height,
                                silt_raster_cell(file->path, options, notes.cell), &terrain);
    if (status != SILT_OK) {
        silt_georeference_clear(&notes.geo);
        return status;
    }
    terrain->geo = notes.geo;
    silt_terrain_set_holds(terrain, notes.layer);
    Meaning meaning = find_meaning(file->path, options, &layout, &notes);
    status = read_blocks(file, &layout, &meaning, &terrain->layers[0]->field);
    if (status == SILT_OK)
        status = silt_raster_finish(file->path, options, terrain);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    if (meaning.plain) // else the value means a sample, not a height
        terrain->nodata_value = notes.nodata;
    *out = terrain;
    return SILT_OK;
}

static SiltStatus read_tiff(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    FILE *input;
    SiltStatus status = silt_open_input(path, &input);
    if (status != SILT_OK)
        return status;
    SiltTiff file;
    status = silt_tiff_open_read(path, input, &file);
    if (status == SILT_OK) {
        status = read_open(&file, options, out);
        silt_tiff_close(&file);
    }
    fclose(input);
    return status;
}

// ---- writing ----

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
                    status = silt_fail(SILT_IO_ERROR,
                                       "%s: cannot write: read back, it is not what was written", file->path);
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

static SiltStatus set_compression(SiltTiff *file, const SiltWriteOptions *options, int bits)
{
    static const uint16_t methods[] = {[SILT_COMPRESS_DEFLATE] = COMPRESSION_ADOBE_DEFLATE,
                                       [SILT_COMPRESS_ZSTD] = COMPRESSION_ZSTD,
                                       [SILT_COMPRESS_LZW] = COMPRESSION_LZW,
                                       [SILT_COMPRESS_NONE] = COMPRESSION_NONE};
    uint16_t method = methods[options->compression];
    if (!TIFFIsCODECConfigured(method))
        return silt_fail(
            SILT_MISSING_FEATURE,
            "%s: this libtiff cannot pack in the way asked for; take compression=deflate or none",
            file->path);
    TIFFSetField(file->tiff, TIFFTAG_COMPRESSION, method);
    if (method == COMPRESSION_NONE)
        return SILT_OK;
    TIFFSetField(file->tiff, TIFFTAG_PREDICTOR, bits == 32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    // half the time of libtiff's own levels (6 and 9), for a hundredth more bytes
    if (method == COMPRESSION_ADOBE_DEFLATE)
        TIFFSetField(file->tiff, TIFFTAG_ZIPQUALITY, 4);
    if (method == COMPRESSION_ZSTD)
        TIFFSetField(file->tiff, TIFFTAG_ZSTD_LEVEL, 3);
    return SILT_OK;
}

static SiltStatus write_tags(SiltTiff *file, const Writer *writer, const SiltWriteOptions *options)
{
    TIFF *tiff = file->tiff;
    const SiltTerrain *terrain = writer->terrain;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)terrain->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)terrain->height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, writer->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, writer->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Silt " SILT_VERSION);
    if (writer->tiled) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)writer->block_width);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)writer->block_height);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)writer->block_height);
    }
    SiltStatus status = set_compression(file, options, writer->bits);
    if (status != SILT_OK)
        return status;
    SiltGeoTiff notes = {.nodata = (double)writer->nodata, .metres = 1.0};
    if (writer->bits < 32) {
        notes.has_scale = true;
        notes.scale = (writer->range.high - writer->range.low) / (writer->largest - writer->lowest);
        notes.offset = writer->range.low - notes.scale * writer->lowest;
        notes.nodata = terrain->nodata ? 0.0 : NAN;
    } else if ((float)terrain->nodata_value == writer->nodata) {
        notes.nodata = terrain->nodata_value; // with the digits the input had
    }
    return silt_geotiff_write(tiff, terrain, writer->layer, &notes);
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

static SiltStatus read_back(SiltOutput *output, const Writer *writer)
{
    SiltTiff file;
    SiltStatus status = silt_tiff_open_read(output->path, output->file, &file);
    if (status == SILT_OK)
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
    status = silt_tiff_open_write(output->path, output->file, bytes > 4.0e9, &file);
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
    bool is_packed = options->compression != SILT_COMPRESS_NONE && writer.bits == 32;
    return status == SILT_OK && is_packed ? read_back(output, &writer) : status;
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
    .read = read_tiff,
    .write = write_tiff,
    .check = check_tile,
#endif
};
