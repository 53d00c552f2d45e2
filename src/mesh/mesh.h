// What those who make, read and write meshes share.
#ifndef SILT_MESH_MESH_H
#define SILT_MESH_MESH_H

#include "silt/mesh.h"

// Arrays for so many vertices and triangles; refuses more than uint32 indices or memory can hold, in a
// sentence that begins with `what`. On failure the mesh is empty.
SiltStatus silt_mesh_allocate(const char *what, uint64_t vertex_count, uint64_t triangle_count,
                              bool has_normals, SiltMesh *out);

// The frame of a mesh of this terrain, and its origin: map coordinates of the south-western cell, where the
// map counts in metres as a mesh does.
void silt_mesh_place(const SiltTerrain *terrain, SiltMesh *mesh);

// Whether there are triangles, their indices name vertices and all positions are finite.
SiltStatus silt_mesh_check(const char *what, const SiltMesh *mesh);

#endif
