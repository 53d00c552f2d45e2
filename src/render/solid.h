// A mesh, or the surface of a volume, on the graphics card: lit triangles with the looks of the land.
#ifndef SILT_RENDER_SOLID_H
#define SILT_RENDER_SOLID_H
#ifdef SILT_HAS_GL

#include "render/clip.h"
#include "render/view.h"

typedef struct SiltSolid {
    SiltVariants programs, seas;
    GLuint cast_program;
    GLuint array, corners, indices, screen_array;
    size_t index_count;
    bool is_closed; // no edge is open, so that what is cut can be shown as solid
    SiltClip clip;
} SiltSolid;

SiltStatus silt_solid_create(SiltSolid *out);
void silt_solid_destroy(SiltSolid *solid);
// `was`, if not NULL, is the volume whose surface the mesh is, and remembers where that was: what has gone
// and what has come is tinted.
SiltStatus silt_solid_set(SiltSolid *solid, const SiltMesh *mesh, const SiltVolume *was,
                          const SiltRenderOptions *options, const SiltRange *range, const SiltClip *clip);
SiltStatus silt_solid_draw(SiltSolid *solid, const SiltView *view);
// The water around it, as far as no rock lies behind.
SiltStatus silt_solid_draw_sea(SiltSolid *solid, const SiltView *view);
// Its depth from a light.
void silt_solid_cast(const SiltSolid *solid, const SiltLightView *light);

#endif
#endif
