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
    double reach;              // metres a map is wide
    double sun_blur, sky_blur; // metres by which what casts may be beside its place
    SiltLightView sun, skies[SILT_MOST_SKIES];
    int light, part; // which of them is being made, the sun first, and how far
} SiltShade;

// Draws depth for a light, or some of it from part *at on: true when nothing is left. `context` is the
// caller's.
typedef bool (*SiltCastFn)(const void *context, const SiltLightView *light, int *at);

SiltStatus silt_shade_create(SiltShade *out);
void silt_shade_destroy(SiltShade *shade);

// Makes the maps again: everything that casts is within the range. Without `has_sky` the sky is open; quick
// takes fewer and smaller maps. Until all is made the maps are of no use.
void silt_shade_begin(SiltShade *shade, const SiltRenderOptions *options, const SiltRange *range, bool quick,
                      bool has_sky);
// Goes on for so many seconds (INFINITY: to the end); true: all is made.
bool silt_shade_go_on(SiltShade *shade, double seconds, SiltCastFn cast_sun, SiltCastFn cast_sky,
                      const void *context);
// No maps: all is in the light.
void silt_shade_clear(SiltShade *shade);

void silt_shade_uniforms(const SiltShade *shade, GLuint program, int sun_unit, int sky_unit);

#endif
#endif
