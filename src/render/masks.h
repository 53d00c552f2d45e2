// Masks while they are made.
#ifndef SILT_RENDER_MASKS_H
#define SILT_RENDER_MASKS_H

#include "silt/masks.h"
#include "terrain/cover.h"

enum { SILT_MOST_BANDS = 16 };

typedef struct SiltMasks {
    const SiltTerrain *terrain; // settled
    const SiltMaskOptions *options;
    SiltTerrain *out; // its layers are the masks, in the order of scales unless bands come later
    SiltMaskScale scales[SILT_MAX_LAYERS];
    int count;
    bool bands_later; // their masks are no layers: files make them row by row, from that of the height
    int first_band;   // of the scales
    SiltField sky;
    SiltCoverMap cover;
    const SiltField *deposit; // what lies loose, or NULL
    SiltField *slope, *curvature, *occlusion, *snow, *scree, *bands[SILT_MOST_BANDS]; // of `out`
    uint16_t *splat;  // four a cell, or NULL: not wanted
    unsigned largest; // their sum
    uint8_t *colour;  // red, green and blue a cell, or NULL
} SiltMasks;

SiltStatus silt_mask_options_check(const SiltMaskOptions *options, const char *owner);
// After it, whatever it says, silt_masks_end must follow.
SiltStatus silt_masks_begin(const SiltTerrain *terrain, const SiltMaskOptions *options, SiltMasks *out);
SiltStatus silt_masks_fill(SiltMasks *masks);
void silt_masks_end(SiltMasks *masks);
// Band k of `count` where the mask of the height is `level`: a hat; their sum is 1.
void silt_mask_band_row(const SiltMasks *masks, int j, int k, int begin, int count, float *to);

#endif
