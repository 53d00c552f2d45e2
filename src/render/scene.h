// A terrain, a mesh or a volume in three dimensions, with particles. Needs a current context of OpenGL 3.3 or
// OpenGL ES 3.0 and has no window code, so that the same renderer draws off-screen, in a window, and in a
// browser.
#ifndef SILT_RENDER_SCENE_H
#define SILT_RENDER_SCENE_H

#include "render/camera.h"
#include "render/ground.h"
#include "render/pose.h"

typedef struct SiltScene SiltScene;

SiltStatus silt_scene_create(SiltScene **out);
void silt_scene_destroy(SiltScene *scene);
// The same where the context is gone and with it all that lay on the card.
void silt_scene_forget(SiltScene *scene);

// Shows this from now on; it is not needed after the call. The range fixes the colours and where the world
// lies.
SiltStatus silt_scene_set(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                          const SiltRange *range);

// The same in the shadows that there are: for solids that change faster than those can be made.
SiltStatus silt_scene_set_unshaded(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                                   const SiltRange *range);

// New heights (and water) of the terrain that is shown, of the same size, in the light it had: for a window
// whose terrain changes faster than light can be computed.
void silt_scene_set_heights(SiltScene *scene, const SiltTerrain *terrain);

// For a window whose terrain changes all the time: before silt_scene_set, so that parts of it can be updated.
// With `later` a large one is set in the light that it had, or in none, and the caller brings a new one.
void silt_scene_set_live(SiltScene *scene, bool later);
#ifdef SILT_HAS_GL
// New values of parts of what was set, in the light it had.
SiltStatus silt_scene_update(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                             const SiltRange *range, const SiltChange *change);
// See silt_ground_update_shared.
SiltStatus silt_scene_update_shared(SiltScene *scene, const SiltRange *range, const SiltSharedLand *land);
// See silt_ground_set_thin; false: nothing is other than it was.
bool silt_scene_set_thin(SiltScene *scene, int thin);
// See silt_ground_exchange_light.
void silt_scene_exchange_light(SiltScene *scene, SiltField *sky, SiltField *shadow);
#endif
// New particles, of a motif that had some and has some still, in the light there was.
SiltStatus silt_scene_set_particles(SiltScene *scene, const SiltPose *pose, const SiltRenderOptions *options,
                                    const SiltRange *range);
// Shadows and sky of what is no height field, made anew; quick makes them coarser.
SiltStatus silt_scene_shade(SiltScene *scene, const SiltRenderOptions *options, bool quick);
// The same a little at a time, beside those there are: true in *done when they have taken their place.
SiltStatus silt_scene_begin_shade(SiltScene *scene, const SiltRenderOptions *options, bool quick);
SiltStatus silt_scene_go_on_with_shade(SiltScene *scene, double seconds, bool *done);

// Terrains with longer sides are cut into pieces; without this it is what the graphics card holds, 8192 at
// most.
void silt_scene_set_longest_side(SiltScene *scene, int cells);

// Draws a coarser grid and one sample a pixel, with edges smoothed afterwards: half the time, and enough for
// what moves.
void silt_scene_set_quick(SiltScene *scene, bool quick);

// Solids of many triangles are drawn by fewer from now on, and their sky is cast by fewer. How many it has.
void silt_scene_set_coarse(SiltScene *scene, bool coarse);
size_t silt_scene_triangles(const SiltScene *scene, bool coarse);

// Draws into a framebuffer of the caller's, as large as the picture.
SiltStatus silt_scene_draw(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           int width, int height, unsigned framebuffer);

// A quick scene, plainer, at `scale` (0 to 1) of its size: drawn[0] x drawn[1] pixels of *framebuffer, until
// the next draft. With `keeps_glow` it has the glow of the draft before, if that was as large.
SiltStatus silt_scene_sketch(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                             const int size[2], double scale, bool keeps_glow, int drawn[2],
                             unsigned *framebuffer);
// The same where nothing but the water of a land has changed, seen from where it was: the ground is that of
// the picture before. With `renews`, or where there is none, it is drawn anew.
SiltStatus silt_scene_wash(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           const int size[2], double scale, bool renews, int drawn[2], unsigned *framebuffer);
// Whether it is a land that this can be done with.
bool silt_scene_can_wash(const SiltScene *scene);
// The same as a sketch, made as large as it is wanted, in a framebuffer of the caller's.
SiltStatus silt_scene_draw_draft(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                 const int size[2], double scale, unsigned framebuffer);

// One part of a picture of this size, drawn in full to its place in the framebuffer; its glow is that of the
// last draft.
SiltStatus silt_scene_draw_part(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                                const int size[2], const SiltTile *tile, unsigned framebuffer);

// Draws into memory, tile by tile where the picture is large. The image is allocated.
SiltStatus silt_scene_picture(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                              SiltImage *image);
// Whether anything but sky was in the last picture; not found out, and true, where the scene is quick.
bool silt_scene_is_seen(const SiltScene *scene);

#endif
