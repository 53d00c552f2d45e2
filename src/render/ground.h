// A height field on the graphics card: its textures, and its patches and walls as drawn from a camera.
#ifndef SILT_RENDER_GROUND_H
#define SILT_RENDER_GROUND_H
#ifdef SILT_HAS_GL

#include "render/pack.h"
#include "render/thin.h"
#include "render/view.h"
#include "silt/viewer.h"

// A part of the terrain that fits into textures, with a margin of what lies around it.
typedef struct SiltPiece {
    int column, row;   // of its first cell
    int width, height; // cells, with the margin
    GLuint height_map, water_map, surface_map, cover_map, overlay_map;
    bool is_filled; // the textures are as large as the piece
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
    int wall_length;   // cells
    bool is_live;      // keeps the light, so that a part can change
    bool lights_later; // takes any light at first
    SiltField sky, shadow;
    SiltFew few; // what the textures hold of a land of which few cells are sent
    GLuint slopes_program, slopes_array, slopes_frame, slopes_map; // for those that come from a buffer
    void *scratch;                                                 // of a part that changes
    size_t scratch_bytes;
} SiltGround;

// Rectangles of layers that have changed; those without cells have not.
typedef struct SiltChange {
    SiltRect height, water, cover, overlay; // cover: water, sediment, deposits and ice
    bool is_wash;                           // for a wash alone, which looks at the finest level of the cover
} SiltChange;

enum { SILT_PATCH = 32 }; // cells along a patch of the finest level

SiltStatus silt_ground_create(SiltGround *out);
void silt_ground_destroy(SiltGround *ground);
void silt_ground_forget(SiltGround *ground); // without a context

// Uploads the layers that the options show. The terrain holds no layer "change".
SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range);
// New heights and water of the same terrain in the old light: for frames between two lightings.
void silt_ground_set_heights(SiltGround *ground, const SiltTerrain *terrain);
// New values of parts of a terrain that was set while the ground was live, in the light it had.
SiltStatus silt_ground_update(SiltGround *ground, const SiltTerrain *terrain,
                              const SiltRenderOptions *options, const SiltRange *range,
                              const SiltChange *change);
// New heights, slopes and water from a buffer, in the light it had: of a live terrain in one piece. After a
// failure textures are what they were or half of it: they are to be sent anew.
SiltStatus silt_ground_update_shared(SiltGround *ground, const SiltRange *range, const SiltSharedLand *land);
void silt_ground_drop_shared(SiltGround *ground);
// From the next change on, which must be one of everything, `thin` x `thin` cells of a land go into a texel:
// for pictures that are small, of a land that changes all the time. 1 where it does not fit into one texture.
void silt_ground_set_thin(SiltGround *ground, int thin);
int silt_ground_thin(const SiltGround *ground);
// Other light for a live ground, from its next change of heights on: both fields are exchanged with those it
// had.
void silt_ground_exchange_light(SiltGround *ground, SiltField *sky, SiltField *shadow);
// A strip for walls at least as long as the terrain.
SiltStatus silt_ground_set_walls(SiltGround *ground);

SiltStatus silt_ground_draw(SiltGround *ground, const SiltView *view);
// For a program that looks up the land, of one piece, at places it knows.
void silt_ground_uniforms(const SiltGround *ground, const SiltView *view, GLuint program);

#endif
#endif
