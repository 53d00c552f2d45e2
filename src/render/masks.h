// Masks while they are made.
#ifndef SILT_RENDER_MASKS_H
#define SILT_RENDER_MASKS_H

#include "silt/masks.h"
#include "terrain/cover.h"

enum { SILT_MOST_BANDS = 16 };

typedef struct SiltMasks {
    const SiltTerrain *terrain; // settled
    const SiltMaskOptions *options;
    SiltTerrain *out; // its layers are the masks, in the order of scales
    SiltMaskScale scales[SILT_MAX_LAYERS];
    int count;
    SiltField sky;
    SiltCoverMap cover;
    const SiltField *deposit; // what lies loose, or NULL
    SiltField *slope, *curvature, *occlusion, *snow, *scree, *bands[SILT_MOST_BANDS]; // of `out`
    uint16_t *splat;  // four a cell, or NULL: not wanted
    unsigned largest; // their sum
    uint8_t *colour;  // red, green, blue and 255 a cell, or NULL
} SiltMasks;

SiltStatus silt_mask_options_check(const SiltMaskOptions *options, const char *owner);
// After it, whatever it says, silt_masks_end must follow.
SiltStatus silt_masks_begin(const SiltTerrain *terrain, const SiltMaskOptions *options, SiltMasks *out);
SiltStatus silt_masks_fill(SiltMasks *masks);
void silt_masks_end(SiltMasks *masks);

// Linear light as the bytes of a picture (sRGB).
void silt_mask_colour(SiltColour colour, uint8_t out[4]);

#endif
