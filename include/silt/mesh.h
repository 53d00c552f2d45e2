// silt/mesh.h — triangles: the surface of a terrain or of rock, for other programs. silt/io.h reads and
// writes them.
#ifndef SILT_MESH_H
#define SILT_MESH_H

#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltMesh {
    size_t vertex_count, triangle_count;
    float *positions;  // 3 a vertex, metres, z up
    float *normals;    // 3 a vertex, or NULL
    uint32_t *indices; // 3 a triangle, counter-clockwise seen from outside
    double origin[3];  // added to every position: keeps float32 fine far from the map's origin
} SiltMesh;

SILT_API void silt_mesh_destroy(SiltMesh *mesh);
// The surface of a terrain, two triangles a cell between cell centres; holes where there is no data. Refuses
// heights that are not finite.
SILT_API SiltStatus silt_mesh_from_terrain(const SiltTerrain *terrain, double skirt, SiltMesh *out);
// Leaves about this share of the triangles, those that the shape needs most. What is closed stays closed, and
// what is open keeps its border.
SILT_API SiltStatus silt_mesh_decimate(SiltMesh *mesh, double share);

#ifdef __cplusplus
}
#endif
#endif
