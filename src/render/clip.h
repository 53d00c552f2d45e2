// What cuts leave of a mesh, a volume or particles.
#ifndef SILT_RENDER_CLIP_H
#define SILT_RENDER_CLIP_H
#ifdef SILT_HAS_GL

#include "render/gl.h"
#include "render/hillshade.h"

// What is left of a motif after cutting, in the world.
typedef struct SiltClip {
    bool is_cut;
    bool has_walls; // it ends where a volume's grid does, and is rock behind its sides
    float low[3], high[3];
    float sea;      // how high water stands in the world; -1e30: there is none
    GLuint shore;   // how far rock is at that height: a map of the box; 0: none
    float plane[4]; // what lies beyond it is cut away: out of it, and how far it is; zeros: there is none
} SiltClip;

void silt_clip_uniforms(const SiltClip *clip, GLuint program);

// As the options say; `whole`, if not NULL, holds the lowest and highest corner of what there is at the most.
SiltClip silt_clip(const SiltRenderOptions *options, const SiltRange *range, const double whole[2][3]);
bool silt_clip_keeps(const SiltClip *clip, const float place[3]);

#endif
#endif
