// A height field on the graphics card: its textures, and its patches and walls as drawn from a camera.
#ifndef SILT_RENDER_GROUND_H
#define SILT_RENDER_GROUND_H
#ifdef SILT_HAS_GL

#include "render/view.h"

// A part of the terrain that fits into textures, with a margin of what lies around it.
typedef struct SiltPiece {
    int column, row;   // of its first cell
    int width, height; // cells, with the margin
    GLuint height_map, water_map, surface_map, cover_map, overlay_map;
} SiltPiece;

typedef struct SiltGround {
    int width, height; // cells
    double cell, exaggeration;
    SiltRange range;
    bool has_water, has_cover, has_overlay, has_ice;
    double water_half; // metres of water whose code is one half
    int longest;       // cells along a side of a texture
    int side;          // cells from one piece to the next
    int pieces_x, pieces_y;
    SiltPiece *pieces;
    GLuint ramp_map;
    SiltVariants land, skirt;
    GLuint patch_array, patch_corners, patch_indices;
    GLuint wall_array, wall_corners;
    int wall_length; // cells
} SiltGround;

enum { SILT_PATCH = 32 }; // cells along a patch of the finest level

SiltStatus silt_ground_create(SiltGround *out);
void silt_ground_destroy(SiltGround *ground);
void silt_ground_forget(SiltGround *ground); // without a context

// Uploads the layers that the options show. The terrain holds no layer "change".
SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range);
// New heights and water of the same terrain in the old light: for frames between two lightings.
void silt_ground_set_heights(SiltGround *ground, const SiltTerrain *terrain);
// A strip for walls at least as long as the terrain.
SiltStatus silt_ground_set_walls(SiltGround *ground);

SiltStatus silt_ground_draw(SiltGround *ground, const SiltView *view);

#endif
#endif
