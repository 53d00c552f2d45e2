// TIFF and GeoTIFF as they come: one sample a pixel, integers or floats, in strips or tiles. Samples are
// metres as they are, unless the file gives a scale and an offset as GDAL writes them.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/format.h"
#include "io/geotiff.h"
#include "io/tiff_file.h"
#include "terrain/terrain.h"

#ifdef SILT_HAS_TIFF

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

SiltStatus silt_tiff_read(const char *path, const SiltReadOptions *options, SiltTerrain **out)
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

#endif
