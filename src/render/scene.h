// A terrain in three dimensions. Needs a current context of OpenGL 3.3 or OpenGL ES 3.0 and has no window
// code, so that the same renderer draws off-screen, in a window, and in a browser.
#ifndef SILT_RENDER_SCENE_H
#define SILT_RENDER_SCENE_H

#include "render/camera.h"

typedef struct SiltScene SiltScene;

SiltStatus silt_scene_create(SiltScene **out);
void silt_scene_destroy(SiltScene *scene);

// Shows this terrain from now on; it is not needed after the call. The range fixes the colours of heights and
// overlay.
SiltStatus silt_scene_set_terrain(SiltScene *scene, const SiltTerrain *terrain,
                                  const SiltRenderOptions *options, const SiltRange *range);

// Draws a coarser grid and one sample a pixel, with edges smoothed afterwards: half the time, and enough for
// what moves.
void silt_scene_set_quick(SiltScene *scene, bool quick);

// Draws into a framebuffer of the caller's, as large as the picture.
SiltStatus silt_scene_draw(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                           int width, int height, unsigned framebuffer);

// Draws into memory, tile by tile where the picture is large. The image is allocated.
SiltStatus silt_scene_picture(SiltScene *scene, const SiltCamera *camera, const SiltRenderOptions *options,
                              SiltImage *image);

// Terrains with longer sides must be resampled first.
int silt_scene_longest_side(void);

#endif
