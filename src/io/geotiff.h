// What a TIFF says about its place on the map and the meaning of its samples: GeoTIFF's tags and GDAL's.
#ifndef SILT_IO_GEOTIFF_H
#define SILT_IO_GEOTIFF_H

#include "silt/terrain.h"

#ifdef SILT_HAS_TIFF

#include <tiffio.h>

// Makes libtiff know the tags it is to write.
void silt_geotiff_register(TIFF *tiff);

typedef struct SiltGeoTiff {
    SiltGeoreference geo;
    double cell;    // metres; 0 when the file does not say
    double metres;  // of one unit of height: 1, or that of a foot
    bool has_scale; // height = offset + scale * sample, in units of height
    double scale, offset;
    double nodata;              // the sample that marks cells without data; NaN when there is none
    char layer[SILT_NAME_SIZE]; // what one of our files says it holds; "" in others'
} SiltGeoTiff;

// `path` for warnings, `height` in rows. The caller clears out->geo.
SiltStatus silt_geotiff_read(TIFF *tiff, const char *path, int height, SiltGeoTiff *out);

// Tags for a layer of `terrain`; `has_scale`, `scale`, `offset` and `nodata` of `notes` are written as they
// are. `done`: whether libtiff took them all.
SiltStatus silt_geotiff_write(TIFF *tiff, const SiltTerrain *terrain, const SiltLayer *layer,
                              const SiltGeoTiff *notes, bool *done);
// Whether they are in a file that was written so and is read again.
SiltStatus silt_geotiff_check(TIFF *tiff, const SiltTerrain *terrain, const SiltLayer *layer,
                              const SiltGeoTiff *notes, bool *done);

#endif
#endif
