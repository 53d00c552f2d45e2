// What generators share: lengths that follow the map when nobody gives them, and maps filled from a function
// of the place.
#ifndef SILT_GENERATE_SHAPE_H
#define SILT_GENERATE_SHAPE_H

#include <math.h>

#include "silt/generate.h"

#define SILT_PI 3.14159265358979323846

// A length in metres that may stay "none": the generator then takes `fraction` (a literal) of the smaller
// side.
#define SILT_LENGTH(S, field, low, fraction, help_)                                                          \
    SILT_REAL(S, field, "m", NAN, low, 1e7, help_ "; none: " #fraction " of the map's smaller side")

static inline double silt_map_side(const SiltTerrain *terrain)
{
    return (terrain->width < terrain->height ? terrain->width : terrain->height) * terrain->cell;
}

static inline double silt_length_or(double asked, double otherwise)
{
    return isnan(asked) ? otherwise : asked;
}

// Height in metres at x metres east and y metres south of the map's centre.
typedef double (*SiltShapeFn)(const void *shape, double x, double y);

// Fills the layer from the function, in parallel, with progress under the generator's name.
SiltStatus silt_shape_fill(SiltTerrain *terrain, const char *layer, const char *generator, SiltShapeFn height,
                           const void *shape, const SiltRun *run);

// 0 below `low`, 1 above `high`, smooth between; a step where they are equal.
double silt_smooth_step(double low, double high, double value);

// 1 at 0, falling to 0 at 1 and beyond, without a kink: (1 - r^2)^3.
double silt_bell(double r);

// sin(2 pi t) to 0.1 %, of + - * only, so that it is the same on every machine.
double silt_wave(double t);

#endif
