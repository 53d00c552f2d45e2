// Particles as one surface of water, made in the picture: depth of the balls, smoothed; how thick they are;
// shading (van der Laan et al. 2009, as in Weiss 2016, 3.3.2).
#ifndef SILT_RENDER_FLUID_H
#define SILT_RENDER_FLUID_H
#ifdef SILT_HAS_GL

#include "render/drops.h"

SiltStatus silt_fluid_create(SiltDrops *drops);
void silt_fluid_drop_targets(SiltDrops *drops);
// Nothing is drawn where the driver draws no float pictures of one channel.
SiltStatus silt_fluid_draw(SiltDrops *drops, const SiltView *view, SiltPost *post, bool *drawn);

#endif
#endif
