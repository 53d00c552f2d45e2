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
    uint16_t *colours; // 4 a vertex: red, green, blue in linear light and opacity, 0 to 65535; or NULL
    double origin[3];  // added to every position: keeps float32 fine far from the map's origin
    double scale;      // of STL and 3MF, in millimetres: 1 to how many; 0: of no such file, or 1000
    // Of a mesh of a map: metres from west to east, from south to north, and of a cell, whose centre the
    // first vertex is; so pictures of the map can be laid on it. 0: of no map.
    double frame[3];
} SiltMesh;

SILT_API void silt_mesh_destroy(SiltMesh *mesh);
// The surface of a terrain, two triangles a cell between cell centres; holes where there is no data. Refuses
// heights that are not finite.
SILT_API SiltStatus silt_mesh_from_terrain(const SiltTerrain *terrain, double skirt, SiltMesh *out);
// The same in as few triangles as right-angled ones of growing size allow while no cell lies further than
// `error` metres above or below them; closed by a skirt as above.
SILT_API SiltStatus silt_mesh_within(const SiltTerrain *terrain, double skirt, double error, SiltMesh *out);
// The colours of the ground on a mesh that silt_mesh_from_terrain or silt_mesh_within has just made of this
// terrain: those of its colour map (silt/masks.h), and rock below. Snow lies above `snow` metres, or by the
// relief where that is NaN; `arid` is 0 where grass grows, 1 in a desert.
SILT_API SiltStatus silt_mesh_colour(SiltMesh *mesh, const SiltTerrain *terrain, double snow, double arid);
// The same for rock of any shape: by height, slope and open sky, and bare where there is a roof above.
SILT_API SiltStatus silt_mesh_colour_rock(SiltMesh *mesh, double snow, double arid);
// Leaves about this share of the triangles, those that the shape needs most. What is closed stays closed, and
// what is open keeps its border. Colours stay where their vertices do.
SILT_API SiltStatus silt_mesh_decimate(SiltMesh *mesh, double share);

// What a mesh is like, for those who print it.
typedef struct SiltMeshInfo {
    size_t open_edges;      // that one triangle alone has, or two the same way round; 0: it is closed
    int shells;             // pieces that do not touch
    double volume;          // m3; below zero where it is inside out; of an open mesh of no meaning
    double area;            // m2
    double low[3], high[3]; // m, with the origin
    double thinnest;        // m through the rock from places all over it; NaN: not closed
    double thinnest_at[3];
} SiltMeshInfo;
SILT_API SiltStatus silt_mesh_measure(const SiltMesh *mesh, SiltMeshInfo *out);

#ifdef __cplusplus
}
#endif
#endif
