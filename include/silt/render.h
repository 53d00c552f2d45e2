// silt/render.h — pictures of terrains.
#ifndef SILT_RENDER_H
#define SILT_RENDER_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Eight bits a channel, red green blue alpha, row after row from the top.
typedef struct SiltImage {
    int width, height;
    uint8_t *rgba;
} SiltImage;

enum { SILT_LOOK_HILLSHADE, SILT_LOOK_GREY };

typedef struct SiltRenderOptions {
    int look;
    char overlay[SILT_NAME_SIZE]; // a layer drawn over the land in a colour ramp; empty: none
    double sun;                   // degrees clockwise from north the light comes from
    double sun_height;            // degrees above the horizon
    double exaggeration;          // of heights, for the light alone
    int width;                    // pixels; 0: one a cell
    bool shadows;
    bool water;
} SiltRenderOptions;
SILT_API extern const SiltParamTable silt_render_params;

// NULL options mean the defaults. The caller destroys the image.
SILT_API SiltStatus silt_render(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *out);
SILT_API void silt_image_destroy(SiltImage *image);
// PNG or, without any library, PPM, by the ending of the path.
SILT_API SiltStatus silt_image_write(const SiltImage *image, const char *path);
// Both at once.
SILT_API SiltStatus silt_render_file(const SiltTerrain *terrain, const SiltRenderOptions *options,
                                     const char *path);

#ifdef __cplusplus
}
#endif
#endif
