// A volume's bricks on the graphics card, and rays through them.
#ifndef SILT_RENDER_RAYS_H
#define SILT_RENDER_RAYS_H
#ifdef SILT_HAS_GL

#include "render/solid.h"

typedef struct SiltRays {
    SiltVariants programs;
    GLuint array;
    GLuint table, block; // textures: where each brick stands in the block, and phi
    int size[3];         // texels of the block
    int last[3];         // voxels
    int shift;           // logarithm of a brick's side
    float band;
    double cell, low; // metres of a voxel, height of the lowest
    SiltClip clip;
} SiltRays;

void silt_rays_create(SiltRays *out);
void silt_rays_destroy(SiltRays *rays);
// SILT_MISSING_FEATURE when the bricks do not fit into a texture of this machine. `with_former` tints what
// has gone and what has come of a volume that remembers where its surface was.
SiltStatus silt_rays_set(SiltRays *rays, const SiltVolume *volume, bool with_former, const SiltClip *clip);
SiltStatus silt_rays_draw(SiltRays *rays, const SiltView *view);
// A white shape before what was drawn. Rays draw one or the other: their shaders are kept in one place.
SiltStatus silt_rays_draw_veil(SiltRays *rays, const SiltView *view);

#endif
#endif
