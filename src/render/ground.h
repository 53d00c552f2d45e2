// A height field on the graphics card: its textures, and its patches and walls as drawn from a camera.
#ifndef SILT_RENDER_GROUND_H
#define SILT_RENDER_GROUND_H
#ifdef SILT_HAS_GL

#include "render/camera.h"
#include "render/gl.h"

typedef struct SiltGround {
    int width, height; // cells
    double cell, exaggeration;
    SiltRange range;
    double snow;
    bool has_water, has_cover, has_overlay;
    double water_half; // metres of water whose code is one half
    GLuint height_map, water_map, surface_map, cover_map, overlay_map, ramp_map, tint_map;
    GLuint patch_array, patch_corners, patch_indices;
    GLuint wall_array, wall_corners;
    int wall_length; // cells
} SiltGround;

SiltStatus silt_ground_create(SiltGround *out);
void silt_ground_destroy(SiltGround *ground);

// Uploads the layers that the options show. The terrain holds no layer "change".
SiltStatus silt_ground_set(SiltGround *ground, const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range);

// What land.vert, skirt.vert and land.frag ask for, for the program in use; takes texture units from 0 to 6.
void silt_ground_uniforms(const SiltGround *ground, GLuint program, const SiltRenderOptions *options);

// Draws the patches that the camera sees. `focal` is how long an edge of one metre at one metre's distance
// is, over how long an edge may be, both in pixels; the matrix is that of silt_camera_matrix.
void silt_ground_draw_patches(const SiltGround *ground, GLuint program, const SiltCamera *camera,
                              const float matrix[16], double focal);
// Those that face the camera.
void silt_ground_draw_walls(const SiltGround *ground, GLuint program, const SiltCamera *camera);

// World height of the foot of the walls.
double silt_ground_foot(const SiltGround *ground);

#endif
#endif
