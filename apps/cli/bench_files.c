// Reading and writing a float TIFF beside a bare libtiff loop that does the same.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SILT_HAS_TIFF
#include <tiffio.h>

typedef struct FileWork {
    SiltTerrain *terrain;
    SiltWriteOptions options;
    char path[64], bare_path[64];
    SiltStatus status; // of the first call that failed
} FileWork;

static void write_ours(void *context)
{
    FileWork *work = context;
    SiltStatus status = silt_terrain_write(work->terrain, work->path, &work->options);
    work->status = work->status == SILT_OK ? status : work->status;
}

static void read_ours(void *context)
{
    FileWork *work = context;
    SiltTerrain *terrain;
    SiltStatus status = silt_terrain_read(work->path, NULL, &terrain);
    work->status = work->status == SILT_OK ? status : work->status;
    if (status == SILT_OK)
        silt_terrain_destroy(terrain);
}

static void write_bare(void *context)
{
    FileWork *work = context;
    TIFF *tiff = TIFFOpen(work->bare_path, "w");
    if (!tiff)
        return;
    bool packed = work->options.compression == SILT_COMPRESS_DEFLATE;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)work->terrain->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)work->terrain->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, packed ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE);
    if (packed)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
    // the predictor works in place, so each row is copied first
    float *row = silt_alloc((size_t)work->terrain->width * sizeof(float));
    for (int j = 0; row && j < work->terrain->height; j++) {
        memcpy(row, silt_field_row(silt_terrain_layer(work->terrain, "height"), j),
               (size_t)work->terrain->width * sizeof(float));
        TIFFWriteScanline(tiff, row, (uint32_t)j, 0);
    }
    silt_free(row);
    TIFFClose(tiff);
    FILE *file =
        fopen(work->bare_path, "r+b"); // files of ours are on the disk when they appear: so are these
    if (file) {
        fsync(fileno(file));
        fclose(file);
    }
}

static void read_bare(void *context)
{
    FileWork *work = context;
    TIFF *tiff = TIFFOpen(work->bare_path, "r");
    SiltField field;
    if (tiff && silt_field_create(work->terrain->width, work->terrain->height, &field) == SILT_OK) {
        for (int j = 0; j < field.height; j++)
            TIFFReadScanline(tiff, silt_field_row(&field, j), (uint32_t)j, 0);
        silt_field_destroy(&field);
    }
    if (tiff)
        TIFFClose(tiff);
}

static void measure(Bench *bench, FileWork *work, int compression, const char *write_name,
                    const char *read_name)
{
    double megabytes = (double)bench->width * bench->height * sizeof(float) * 1e-6;
    work->options.compression = compression;
    work->status = SILT_OK;
    double bare_write = megabytes / bench_time(write_bare, work);
    bench_say(bench, write_name, megabytes / bench_time(write_ours, work), "MB/s", bare_write);
    double bare_read = megabytes / bench_time(read_bare, work);
    bench_say(bench, read_name, megabytes / bench_time(read_ours, work), "MB/s", bare_read);
    if (work->status != SILT_OK)
        fprintf(stderr, "silt: bench: these two figures mean nothing: %s\n", silt_message());
}

void bench_files(Bench *bench)
{
    if (!bench_wants(bench, "files", "tiff"))
        return;
    FileWork work;
    const SiltGenerator *noise = silt_generator_find("noise");
    if (silt_params_init(&silt_write_params, &work.options) != SILT_OK || !noise ||
        silt_generate(noise, bench->width, bench->height, 10.0, NULL, NULL, &work.terrain) != SILT_OK)
        return;
    snprintf(work.path, sizeof work.path, "silt-bench-%ld.tif", (long)getpid());
    snprintf(work.bare_path, sizeof work.bare_path, "silt-bench-%ld-bare.tif", (long)getpid());
    measure(bench, &work, SILT_COMPRESS_NONE, "tiff-write", "tiff-read");
    measure(bench, &work, SILT_COMPRESS_DEFLATE, "tiff-write-deflate", "tiff-read-deflate");
    unlink(work.path);
    unlink(work.bare_path);
    silt_terrain_destroy(work.terrain);
}
#else
void bench_files(Bench *bench)
{
    bench_wants(bench, "files", "tiff");
}
#endif
