// silt/masks.h — what engines and painting programs take beside a height map: masks of 0 to 1 of where water
// ran, rock was worn, scree lies ...; the weights of what covers the ground; and its colour.
//
//     SiltMaskOptions options;
//     silt_params_init(&silt_mask_params, &options);
//     silt_masks_write(terrain, "out/masks", &options, NULL);
#ifndef SILT_MASKS_H
#define SILT_MASKS_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SILT_MASKS_PNG, SILT_MASKS_TIF, SILT_MASKS_EXR };
enum { SILT_MASKS_AUTO, SILT_MASKS_LOG, SILT_MASKS_PERCENTILE, SILT_MASKS_RANGE };

// Fill it with silt_params_init(&silt_mask_params, &options).
typedef struct SiltMaskOptions {
    int mask_format;
    int mask_bits;         // choice: 8 or 16
    int mask_scale;        // how values become 0 to 1
    double percentiles[2]; // of the values: what becomes 0 and 1
    int bands;             // of height, whose masks add up to 1
    double snow;           // metres above which snow lies; NaN: by the relief
    double arid;           // 0: grass and trees grow; 1: a desert
    bool splat;            // weights of sand, grass, rock and snow
    bool colour;           // of the ground
} SiltMaskOptions;
SILT_API extern const SiltParamTable silt_mask_params;

typedef enum SiltMaskKind {
    SILT_MASK_LINEAR, // mask = (value - low) / (high - low)
    SILT_MASK_LOG,    // mask = log(value / low) / log(high / low)
    SILT_MASK_SHARE,  // a share as it is: 0 to 1 are its values
} SiltMaskKind;

// What a mask was made of; 0 and 1 of it stand for `low` and `high` and all that lies beyond.
typedef struct SiltMaskScale {
    char name[SILT_NAME_SIZE];
    char layer[SILT_NAME_SIZE]; // of the terrain, or what was made of its heights
    char unit[SILT_NAME_SIZE];
    SiltMaskKind kind;
    double low, high;
} SiltMaskScale;

// A terrain whose layers are masks, and what each of them means; the caller destroys it. Of wear and
// deposition those of a whole run ("total_wear", "total_deposition") count where there are such layers.
SILT_API SiltStatus silt_masks_make(const SiltTerrain *terrain, const SiltMaskOptions *options,
                                    SiltTerrain **out, SiltMaskScale scales[SILT_MAX_LAYERS]);

// The weights of sand, grass, rock and snow (SILT_COVER_...) that pictures of the terrain are drawn with:
// four integers a cell whose sum is `largest` (255 or 65535) in every cell; the caller frees them.
SILT_API SiltStatus silt_splat_make(const SiltTerrain *terrain, const SiltMaskOptions *options,
                                    unsigned largest, uint16_t **out);

// All of it into a folder: NAME.png ..., splat.png (red sand, green grass, blue rock, alpha snow), colour.png
// and masks.json, which says what each means. `json`, if it is not NULL, takes that text; the caller frees
// it. Files of the same names are replaced one by one, each whole or not at all.
SILT_API SiltStatus silt_masks_write(const SiltTerrain *terrain, const char *folder,
                                     const SiltMaskOptions *options, char **json);
// What that would refuse for the sake of the path and the options alone.
SILT_API SiltStatus silt_masks_check(const char *folder, const SiltMaskOptions *options);
// Whether a file of that folder may be written under this name ("slope.png"), whatever the terrain has;
// layers of the user's own are masks by their own names too.
SILT_API bool silt_masks_has_file(const SiltMaskOptions *options, const char *name);
// Whether masks that go into a folder would be written over this file, or remove it as a mask of an earlier
// call.
SILT_API bool silt_masks_writes(const char *folder, const SiltMaskOptions *options, const char *file);

#ifdef __cplusplus
}
#endif
#endif
