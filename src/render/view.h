// One tile of a picture while it is drawn: what every drawable asks for.
//
// A drawable is one thing a scene shows: ground, solid, rays, drops. Each has create, set (uploads), draw
// (into the target that is bound, for a view) and destroy; those that cast shadows have cast, called by
// shade.c.
#ifndef SILT_RENDER_VIEW_H
#define SILT_RENDER_VIEW_H
#ifdef SILT_HAS_GL

#include "render/camera.h"
#include "render/gl.h"
#include "render/shade.h"

typedef struct SiltView {
    const SiltCamera *camera;
    const SiltRenderOptions *options;
    const SiltRange *range;
    const SiltShade *shade;
    GLuint speckle, tint; // textures
    double unit;          // metres that textures of the ground take for a cell
    bool quick;           // for what moves: fewer triangles and plainer ground
    bool draft;           // plainer still, where the card is slow
    bool keeps;           // the ground alone, for water that is drawn over it later
    bool coarse;          // solids of many triangles by fewer of them
    int width, height;    // of the whole picture
    SiltTile tile;
    float matrix[16]; // world to clip space of the tile
} SiltView;

// Texture units: 0 to 5 are the drawable's own.
enum { SILT_UNIT_TINT = 6, SILT_UNIT_SPECKLE, SILT_UNIT_SUN, SILT_UNIT_SKY, SILT_UNIT_MORE };

// What a shader is compiled for; the look stands above these.
enum {
    SILT_WITH_WATER = 1,
    SILT_WITH_COVER = 2,
    SILT_WITH_OVERLAY = 4,
    SILT_WITH_SUN_MAP = 8,
    SILT_WITH_SKY_MAPS = 16,
    SILT_WITH_QUICK = 32,
    SILT_WITH_ICE = 64,
    SILT_WITH_DRAFT = 128,
    SILT_WITH_CUT = 256,  // a solid that clips or the walls of a volume cut
    SILT_WITH_KEPT = 512, // ground without water, and where its pixels lie
    SILT_WITH_LOOK = 1024 // times the look
};
// The key of a drawable's variant for this view: its own bits and those of light, look and haste.
unsigned silt_view_key(const SiltView *view, unsigned own);
// The program for it.
SiltStatus silt_view_program(SiltVariants *variants, unsigned key, const char *name, const char *vertex,
                             const char *const fragment[], GLuint *out);

// Sets what common.glsl, land.glsl, shade.glsl and the rays of screen.vert ask for, for the program in use.
void silt_view_uniforms(const SiltView *view, GLuint program);

#endif
#endif
