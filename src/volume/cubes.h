// The triangles between eight voxels, for each of the 256 ways they can lie in rock or air.
//
// Corner c of a cube lies at (c & 1, c >> 1 & 1, c >> 2); edge 4 a + n runs along axis a from corner
// silt_edge_corner(edge).
#ifndef SILT_VOLUME_CUBES_H
#define SILT_VOLUME_CUBES_H

#include <stdint.h>

enum { SILT_CUBE_TRIANGLES = 10 }; // at the most: twelve cut edges in one polygon

typedef struct SiltCube {
    uint8_t count;                          // of triangles
    uint8_t edges[3 * SILT_CUBE_TRIANGLES]; // counter-clockwise seen from the air
} SiltCube;

// The table, made on the first call. `inside` has bit c set when corner c is rock.
const SiltCube *silt_cubes(void);

// The corner an edge begins at.
static inline int silt_edge_corner(int edge)
{
    int axis = edge >> 2, n = edge & 3;
    int low = n & ((1 << axis) - 1), high = n >> axis;
    return high << (axis + 1) | low;
}

#endif
