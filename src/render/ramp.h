// Colour ramps.
#ifndef SILT_RENDER_RAMP_H
#define SILT_RENDER_RAMP_H

#include "core/colour.h"

// A ramp of `count` colours at even distances, at t in 0 to 1.
static inline SiltColour silt_ramp(const SiltColour *stops, int count, float t)
{
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    float place = t * (float)(count - 1);
    int k = (int)place;
    k = k > count - 2 ? count - 2 : k;
    return silt_colour_mix(stops[k], stops[k + 1], place - (float)k);
}

// Dark blue over green to yellow: lightness grows evenly, so that equal steps of a value look equal.
static inline SiltColour silt_ramp_uniform(float t)
{
    static const SiltColour stops[] = {
        {0.250f, 0.160f, 0.440f}, {0.220f, 0.260f, 0.530f}, {0.150f, 0.390f, 0.550f},
        {0.110f, 0.510f, 0.530f}, {0.180f, 0.640f, 0.470f}, {0.430f, 0.760f, 0.350f},
        {0.720f, 0.850f, 0.250f}, {0.980f, 0.910f, 0.280f},
    };
    return silt_ramp(stops, (int)(sizeof stops / sizeof stops[0]), t);
}

// Blue over nearly white to red, for values on both sides of zero: both arms darken evenly.
static inline SiltColour silt_ramp_diverging(float t)
{
    static const SiltColour stops[] = {
        {0.090f, 0.180f, 0.460f}, {0.190f, 0.410f, 0.680f}, {0.490f, 0.690f, 0.850f},
        {0.950f, 0.945f, 0.930f}, {0.930f, 0.640f, 0.490f}, {0.770f, 0.320f, 0.250f},
        {0.470f, 0.070f, 0.130f},
    };
    return silt_ramp(stops, (int)(sizeof stops / sizeof stops[0]), t);
}

// Lowland green over ochre and brown to the pale of high mountains, as atlases tint heights.
static inline SiltColour silt_ramp_heights(float t)
{
    static const SiltColour stops[] = {
        {0.400f, 0.520f, 0.420f}, {0.560f, 0.640f, 0.470f}, {0.760f, 0.750f, 0.560f},
        {0.780f, 0.670f, 0.480f}, {0.680f, 0.540f, 0.400f}, {0.620f, 0.520f, 0.460f},
        {0.780f, 0.750f, 0.730f}, {0.960f, 0.960f, 0.970f},
    };
    return silt_ramp(stops, (int)(sizeof stops / sizeof stops[0]), t);
}

#endif
