// libtiff over a descriptor of our own, with its errors as sentences and its allocations bounded.
#ifndef SILT_IO_TIFF_FILE_H
#define SILT_IO_TIFF_FILE_H

#include "silt/io.h"

#ifdef SILT_HAS_TIFF

#include <stdio.h>
#include <tiffio.h>

typedef struct SiltTiff {
    TIFF *tiff;
    const char *path;
    int descriptor; // not closed by silt_tiff_close
    bool writing, warned;
    int64_t offset, bytes; // where the next byte goes or comes from, and how long the file is
    int error;             // errno of the read or write that failed
    char reason[200];      // libtiff's own words for its first complaint
} SiltTiff;

// Opened for reading, the first picture's tags are read, GeoTIFF's and GDAL's among them.
SiltStatus silt_tiff_open_read(const char *path, FILE *file, SiltTiff *out);
// `big` takes BigTIFF, which may be longer than 4 GiB.
SiltStatus silt_tiff_open_write(const char *path, FILE *file, bool big, SiltTiff *out);
void silt_tiff_close(SiltTiff *file);

// silt_fail for a libtiff call that failed while doing `what` ("in rows 1 to 16").
SiltStatus silt_tiff_failed(const SiltTiff *file, const char *what);

// The reader of the format; tiff_read.c.
SiltStatus silt_tiff_read(const char *path, const SiltReadOptions *options, SiltTerrain **out);

#endif
#endif
