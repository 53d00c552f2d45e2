// Depth maps of what is not a height field: seen from the sun, for shadows, and from all over the sky, for
// how much of it each place sees.
#ifndef SILT_RENDER_SHADE_H
#define SILT_RENDER_SHADE_H
#ifdef SILT_HAS_GL

#include "render/gl.h"
#include "render/hillshade.h"

enum { SILT_MOST_SKIES = 24 };

// World to map: right, up and away from the light, each 0 to 1 within the map.
typedef struct SiltLightView {
    float rows[3][4];
    float towards[3];
} SiltLightView;

typedef struct SiltShade {
    GLuint sun_map, sky_maps, frame;
    int sun_side, sky_side; // texels
    int sky_count;          // 0: the sky has no maps
    int sky_layers;         // that the texture has
    bool has_sun;
    double reach; // metres a map is wide
    SiltLightView sun, skies[SILT_MOST_SKIES];
} SiltShade;

// Draws depth for a light; `context` is the caller's.
typedef void (*SiltCastFn)(const void *context, const SiltLightView *light);

SiltStatus silt_shade_create(SiltShade *out);
void silt_shade_destroy(SiltShade *shade);

// Makes the maps again: everything that casts is within the range. `cast_sky` NULL leaves the sky open; quick
// takes fewer and smaller maps.
SiltStatus silt_shade_make(SiltShade *shade, const SiltRenderOptions *options, const SiltRange *range,
                           bool quick, SiltCastFn cast_sun, SiltCastFn cast_sky, const void *context);
// No maps: all is in the light.
void silt_shade_clear(SiltShade *shade);

void silt_shade_uniforms(const SiltShade *shade, GLuint program, int sun_unit, int sky_unit);

#endif
#endif
