// What clips and cameras leave of a motif: asked before a picture is drawn.
#ifndef SILT_RENDER_VISIBLE_H
#define SILT_RENDER_VISIBLE_H

#include "render/pose.h"

// Fails where a clip is reversed, where nothing is left of a mesh or volume, or where the camera stands on
// what it looks at.
bool silt_is_cut(const SiltRenderOptions *options);
// A place on the slanting cut, in the motif's own coordinates.
void silt_cut_place(const SiltRenderOptions *options, const SiltRange *range, double out[3]);

SiltStatus silt_visible_check(const SiltPose *pose, const SiltRenderOptions *options, const SiltRange *range);

// Fails, naming the layers there are, where neither terrain (each may be NULL) has the layer; "" always is
// there.
SiltStatus silt_overlay_check(const SiltTerrain *terrain, const SiltTerrain *other, const char *overlay);

#endif
