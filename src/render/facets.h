// What a graphics card is told of many triangles besides themselves: which of them lie together, so that
// those that no pixel sees are left out, and fewer of them for pictures that move.
#ifndef SILT_RENDER_FACETS_H
#define SILT_RENDER_FACETS_H

#include "silt/mesh.h"

enum {
    SILT_FACET_PART = 2048,     // triangles that are drawn or left out together
    SILT_MANY_TRIANGLES = 60000 // more are too many for frames of a slow card
};

// Vertices as the card has them: a place and more, `stride` floats a vertex.
typedef struct SiltFacets {
    const float *places;
    size_t stride, vertex_count;
    const uint32_t *indices;
    size_t triangle_count;
} SiltFacets;

// A part is SILT_FACET_PART triangles that follow each other in the mesh: bricks and rows of cells make them
// lie together.
typedef struct SiltFacetBox {
    float low[3], high[3];
} SiltFacetBox;

typedef struct SiltSurvey {
    SiltFacetBox *parts;
    int part_count;
    SiltFacetBox all;
    double area;
    bool is_closed; // every edge once in each direction
} SiltSurvey;

SiltStatus silt_facets_survey(const SiltFacets *facets, SiltSurvey *out);
void silt_survey_destroy(SiltSurvey *survey);

// About so many of the triangles. Of all vertices in a cell of a grid the one nearest to its middle stands
// for them, and triangles whose corners fall together are left out. What is closed stays closed.
typedef struct SiltCoarse {
    uint32_t *vertices; // those that are left, by their numbers in the mesh
    size_t vertex_count;
    uint32_t *indices; // into `vertices`
    size_t triangle_count;
    double cell; // side of the grid's cells
} SiltCoarse;

SiltStatus silt_facets_coarsen(const SiltFacets *facets, const SiltSurvey *survey, size_t triangles,
                               SiltCoarse *out);
void silt_coarse_destroy(SiltCoarse *coarse);

// Whether nothing of a box can be seen: it lies beyond one side of what a matrix (column after column) takes
// to clip space.
bool silt_facet_box_is_outside(const SiltFacetBox *box, const float matrix[16]);

#endif
