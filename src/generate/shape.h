// What generators share: lengths that follow the map when nobody gives them, and maps filled from a function
// of the place.
#ifndef SILT_GENERATE_SHAPE_H
#define SILT_GENERATE_SHAPE_H

#include <math.h>

#include "silt/generate.h"

#define SILT_PI 3.14159265358979323846

// A length in metres that may stay "none": silt_lengths_resolve then takes `fraction` (a literal, kept beside
// the default) of the map's smaller side.
#define SILT_LENGTH(S, field_, low, fraction, help_) SILT_LENGTH_OF(S, field_, low, fraction, help_, NULL)

// The same, with what the paper has (SiltParam.paper).
#define SILT_LENGTH_OF(S, field_, low, fraction, help_, paper_)                                              \
    {                                                                                                        \
        .name = #field_, .type = SILT_TYPE_REAL, .offset = SILT_OFFSET_OF(S, field_, double *), .unit = "m", \
        .number = {NAN, fraction}, .minimum = low, .maximum = 1e7, .paper = paper_,                          \
        .help = help_ "; none: " #fraction " of the map's smaller side"                                      \
    }

// Gives every length of the struct `params` (a copy) that is "none" its part of the map.
#define SILT_RESOLVE(items, params, terrain)                                                                 \
    silt_lengths_resolve(items, (int)(sizeof(items) / sizeof((items)[0])), params, terrain)
void silt_lengths_resolve(const SiltParam *items, int count, void *params, const SiltTerrain *terrain);

static inline double silt_map_side(const SiltTerrain *terrain)
{
    return (terrain->width < terrain->height ? terrain->width : terrain->height) * terrain->cell;
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
