// Colours as three numbers; whether in linear light or as a picture has them, their user says.
#ifndef SILT_CORE_COLOUR_H
#define SILT_CORE_COLOUR_H

typedef struct SiltColour {
    float r, g, b;
} SiltColour;

static inline SiltColour silt_colour_mix(SiltColour a, SiltColour b, float t)
{
    return (SiltColour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

#endif
