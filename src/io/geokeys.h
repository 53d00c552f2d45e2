// What Silt needs to know from GeoTIFF's keys: which CRS, in metres or degrees, pixels as points or areas.
#ifndef SILT_IO_GEOKEYS_H
#define SILT_IO_GEOKEYS_H

#include "silt/terrain.h"

// "EPSG:32611" into geo->crs where a code is given, else the name the keys cite, else "".
void silt_geokeys_name(SiltGeoreference *geo);

bool silt_geokeys_pixel_is_point(const SiltGeoreference *geo);
bool silt_geokeys_geographic(const SiltGeoreference *geo); // coordinates are degrees
// Metres of one unit of the map's coordinates; 1 when the keys do not say.
double silt_geokeys_linear_metres(const SiltGeoreference *geo);

// Metres of one unit of height; when it is not 1 the keys are changed to say metres, as heights in a terrain
// are.
double silt_geokeys_settle_heights(SiltGeoreference *geo);

// Metres of a unit by name ("ft", "US survey foot"); 1 for others.
double silt_unit_metres(const char *name);

// The keys of a bare EPSG code, for a CRS that came without any; false when `crs` is not one.
enum { SILT_GEOKEYS_MADE = 16 };
bool silt_geokeys_make(const char *crs, uint16_t keys[SILT_GEOKEYS_MADE]);

#endif
