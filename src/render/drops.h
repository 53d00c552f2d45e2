// Particles on the graphics card: as balls, as clear discs, or as one surface of water.
#ifndef SILT_RENDER_DROPS_H
#define SILT_RENDER_DROPS_H
#ifdef SILT_HAS_GL

#include "render/clip.h"
#include "render/post.h"
#include "render/view.h"

struct SiltParticles;

typedef struct SiltDropOrder {
    float depth;
    int index;
} SiltDropOrder;

typedef struct SiltDrops {
    SiltVariants balls, sprites, fluids;
    GLuint cast_program, depth_program, smooth_program, thick_program;
    GLuint array, corners, places; // four corners, and a place in the world and on the ramp for each particle
    GLuint ramp, screen_array;
    int count, capacity;
    int fluid_count; // those that make a surface; the rest fly alone
    float (*at)[4];  // what `places` holds, for sorting
    float *sorted;
    SiltDropOrder *order;
    double radius; // metres
    int look;
    SiltClip clip;
    bool means;              // the colours stand for a quantity
    bool is_surf;            // it is water in a sea: white, and too thin for shadows
    int width, height;       // of the targets below
    GLuint frames[3];        // depth, depth smoothed, thickness
    GLuint maps[3], nearest; // their textures, and a depth buffer
} SiltDrops;

SiltStatus silt_drops_create(SiltDrops *out);
void silt_drops_destroy(SiltDrops *drops);
void silt_drops_forget(SiltDrops *drops); // without a context
SiltStatus silt_drops_set(SiltDrops *drops, const struct SiltParticles *particles,
                          const SiltRenderOptions *options, const SiltRange *range, const SiltClip *clip);
// Into the target of `post`, over what was drawn there.
SiltStatus silt_drops_draw(SiltDrops *drops, const SiltView *view, SiltPost *post);
// One of its programs, with balls of this radius; and so many of them.
void silt_drops_use(const SiltDrops *drops, const SiltView *view, GLuint program, double radius);
void silt_drops_some(const SiltDrops *drops, int first, int count);
void silt_drops_cast(const SiltDrops *drops, const SiltLightView *light);

#endif
#endif
