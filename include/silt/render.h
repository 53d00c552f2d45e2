// silt/render.h — pictures of a terrain.
#ifndef SILT_RENDER_H
#define SILT_RENDER_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltRenderOptions {
    int look;
} SiltRenderOptions;
SILT_API extern const SiltParamTable silt_render_params;

SILT_API SiltStatus silt_render_file(const SiltTerrain *terrain, const SiltRenderOptions *options,
                                     const char *path);

#ifdef __cplusplus
}
#endif
#endif
