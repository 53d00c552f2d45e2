// Triangles in columns, so that a ray looks at few of them.
#ifndef SILT_RENDER_COLUMNS_H
#define SILT_RENDER_COLUMNS_H

#include "silt/mesh.h"

typedef struct SiltColumns SiltColumns;

// The mesh must stay as it is; it is looked at when the first ray comes.
SiltStatus silt_columns_create(const SiltMesh *mesh, SiltColumns **out);
void silt_columns_destroy(SiltColumns *columns);
// The mesh is the same, but has moved in memory.
void silt_columns_look_at(SiltColumns *columns, const SiltMesh *mesh);

// The first triangle along a ray (in the mesh's metres, heights true) that it meets beyond `least`: how far,
// in lengths of `way`, and the triangle's normal, of any length. False: there is none, or no memory.
bool silt_columns_ray(SiltColumns *columns, const double from[3], const double way[3], double least,
                      double *out, double normal[3]);

#endif
