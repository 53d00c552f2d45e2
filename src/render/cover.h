// What covers the ground, cell by cell: the weights that the pictures' shader (shaders/land.glsl) draws sand,
// grass, rock and snow with, its speckle at its mean; and the colour they make.
#ifndef SILT_RENDER_COVER_H
#define SILT_RENDER_COVER_H

#include "render/ramp.h"
#include "silt/masks.h"

typedef struct SiltCoverMap {
    const SiltTerrain *terrain;
    const SiltField *height, *sky, *water, *ice; // the last two may be NULL
    float low, over_span;                        // of heights
    float snow_line;                             // as a part of the span
    float arid;
    SiltField around; // open sky and water of blocks of 8 x 8 cells, one above the other
} SiltCoverMap;

// `sky` is what silt_light_sky makes. silt_cover_end frees what it holds.
SiltStatus silt_cover_begin(const SiltTerrain *terrain, const SiltMaskOptions *options, const SiltField *sky,
                            SiltCoverMap *out);
void silt_cover_end(SiltCoverMap *map);

typedef struct SiltCover {
    float weights[SILT_COVER_COUNT]; // their sum is 1 but for rounding
    float scree;                     // share of rubble below rock, part of the rock's weight
    float lush, trees;               // of the grass: green rather than dry, forest rather than meadow
    float level;                     // 0 at the lowest place, 1 at the highest
    float pale;                      // of the rock
} SiltCover;
SiltCover silt_cover_at(const SiltCoverMap *map, int i, int j, float slope_east, float slope_south);
// In linear light.
SiltColour silt_cover_colour(const SiltCoverMap *map, const SiltCover *cover);

// Integers in the proportion of the weights whose sum is `largest`: what rounding down leaves goes to those
// that lost most.
void silt_cover_quantise(const float weights[SILT_COVER_COUNT], unsigned largest,
                         uint16_t out[SILT_COVER_COUNT]);

#endif
