// Corners at the same place as one vertex, for formats that have no others.
#ifndef SILT_MESH_WELD_H
#define SILT_MESH_WELD_H

#include "silt/mesh.h"

// In the order in which they come first; triangles two of whose corners are one are dropped. Normals go.
SiltStatus silt_mesh_weld(const char *what, SiltMesh *mesh);

#endif
