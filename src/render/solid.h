// A mesh, or the surface of a volume, on the graphics card: lit triangles with the looks of the land.
#ifndef SILT_RENDER_SOLID_H
#define SILT_RENDER_SOLID_H
#ifdef SILT_HAS_GL

#include "render/clip.h"
#include "render/facets.h"
#include "render/view.h"

// Triangles on the card.
typedef struct SiltHeap {
    GLuint array, corners, indices;
    size_t triangle_count;
} SiltHeap;

typedef struct SiltSolid {
    SiltVariants programs, seas;
    GLuint cast_program, screen_array;
    SiltHeap full, coarse; // coarse: fewer of them, where there are many; else none
    double coarse_cell;    // metres by which its places may be wrong
    SiltSurvey survey;     // of the full one
    GLuint shore;          // how far it is at the height of the sea
    SiltClip clip;
} SiltSolid;

SiltStatus silt_solid_create(SiltSolid *out);
void silt_solid_destroy(SiltSolid *solid);
void silt_solid_forget(SiltSolid *solid); // what lay on the card is gone
// `was`, if not NULL, is the volume whose surface the mesh is, and remembers where that was: what has gone
// and what has come is tinted.
SiltStatus silt_solid_set(SiltSolid *solid, const SiltMesh *mesh, const SiltVolume *was,
                          const SiltRenderOptions *options, const SiltRange *range, const SiltClip *clip);
SiltStatus silt_solid_draw(SiltSolid *solid, const SiltView *view);
// The water around it, as far as no rock lies behind.
SiltStatus silt_solid_draw_sea(SiltSolid *solid, const SiltView *view);
// Its depth from a light; of many triangles some, from part *at on: true when these were the last. `coarse`
// takes fewer triangles where there are fewer.
bool silt_solid_cast(const SiltSolid *solid, const SiltLightView *light, bool coarse, int *at);
// Triangles that a view of it draws at the most.
size_t silt_solid_triangles(const SiltSolid *solid, bool coarse);

#endif
#endif
