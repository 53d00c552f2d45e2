// How the values of a layer become places on a colour ramp.
#ifndef SILT_RENDER_SCALE_H
#define SILT_RENDER_SCALE_H

#include "render/ramp.h"
#include "silt/terrain.h"

typedef enum SiltScaleKind {
    SILT_SCALE_LINEAR,
    SILT_SCALE_LOG,       // values over several decades, all above zero: flow, drainage area
    SILT_SCALE_DIVERGING, // values on both sides of zero: change
    SILT_SCALE_WHOLE,     // linear, of a few whole numbers: orders of streams
    SILT_SCALE_FLAT,      // one value alone, `low`
    SILT_SCALE_DEPOSIT,   // linear, from bare soil to red
    SILT_SCALE_MUD,       // linear, from clear water to green
} SiltScaleKind;

typedef struct SiltScale {
    SiltScaleKind kind;
    double low, high;
} SiltScale;

// Chooses from the layer's percentiles, so that a few wild cells do not darken the rest.
SiltStatus silt_scale_choose(const SiltField *field, const uint8_t *nodata, SiltScale *out);

// 0 to 1.
float silt_scale_place(const SiltScale *scale, float value);
SiltColour silt_scale_colour(const SiltScale *scale, float place);

// Round numbers between low and high for a legend; returns how many, at most `limit`.
int silt_scale_ticks(const SiltScale *scale, int limit, double *out);

// The smallest of 1, 2, 5 times a power of ten that is not below `least`, which is above zero.
double silt_round_up(double least);

// Contour lines lie this many metres apart: 1, 2 or 5 times a power of ten, some twenty over the span.
double silt_contour_interval(double span);

#endif
