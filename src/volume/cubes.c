// The case table of marching cubes, derived from one rule for a face.
//
// Seen from outside a cube, each run of rock corners around a face is cut off by one line, which goes from
// where the run begins to where it ends. Two rock corners across a face are two runs, so they are not joined;
// the cube on the other side of the face sees the same corners and draws the same lines the other way, and no
// holes appear. The lines of the six faces link the cut edges to closed polygons. Polygons are cut into
// triangles without a diagonal between two edges of one face: such a diagonal lies in the face, where the
// next cube might have the same one.
#include "volume/cubes.h"

#include <pthread.h>
#include <stdbool.h>

enum { MAX_POLYGON = 12 };

static SiltCube cubes[256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

// The four corners of a face, counter-clockwise from outside. Faces 0 and 1 are the low and high one along x,
// ...
static void face_corners(int face, int corners[4])
{
    int axis = face >> 1, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = face & 1 ? 1 << axis : 0;
    int across = face & 1 ? u : v, up = face & 1 ? v : u;
    corners[0] = base;
    corners[1] = base | across;
    corners[2] = base | across | up;
    corners[3] = base | up;
}

static int edge_between(int a, int b)
{
    int low = a < b ? a : b, bit = a ^ b, axis = bit == 1 ? 0 : bit == 2 ? 1 : 2;
    return 4 * axis + ((low >> (axis + 1)) << axis | (low & (bit - 1)));
}

// Links the edges cut on each face: next[e] follows e around a polygon.
static void link_edges(unsigned inside, int next[12])
{
    for (int edge = 0; edge < 12; edge++)
        next[edge] = -1;
    for (int face = 0; face < 6; face++) {
        int corners[4];
        face_corners(face, corners);
        for (int k = 0; k < 4; k++) {
            int before = corners[k], first = corners[(k + 1) & 3];
            if (inside >> before & 1 || !(inside >> first & 1))
                continue; // no run begins here
            int end = k + 1;
            while (inside >> corners[(end + 1) & 3] & 1)
                end++;
            next[edge_between(before, first)] = edge_between(corners[end & 3], corners[(end + 1) & 3]);
        }
    }
}

static bool share_face(int a, int b)
{
    for (int face = 0; face < 6; face++) {
        int corners[4], hits = 0;
        face_corners(face, corners);
        for (int k = 0; k < 4; k++) {
            int edge = edge_between(corners[k], corners[(k + 1) & 3]);
            hits += (edge == a) + (edge == b);
        }
        if (hits == 2)
            return true;
    }
    return false;
}

// Cuts the polygon from `first` to `last` (joined by a side or a diagonal already) into triangles; false when
// every way needs a diagonal within a face.
static bool cut_polygon(const int *polygon, int first, int last, SiltCube *cube)
{
    if (last - first < 2)
        return true;
    for (int middle = first + 1; middle < last; middle++) {
        bool left = middle == first + 1 || !share_face(polygon[first], polygon[middle]);
        bool right = middle == last - 1 || !share_face(polygon[middle], polygon[last]);
        uint8_t count = cube->count;
        if (left && right && cut_polygon(polygon, first, middle, cube) &&
            cut_polygon(polygon, middle, last, cube)) {
            uint8_t *to = cube->edges + 3 * cube->count++;
            to[0] = (uint8_t)polygon[first];
            to[1] = (uint8_t)polygon[middle];
            to[2] = (uint8_t)polygon[last];
            return true;
        }
        cube->count = count;
    }
    return false;
}

static void make_cube(unsigned inside, SiltCube *cube)
{
    int next[12];
    link_edges(inside, next);
    for (int start = 0; start < 12; start++) {
        int polygon[MAX_POLYGON], length = 0;
        for (int edge = start; next[edge] >= 0;) {
            int following = next[edge];
            polygon[length++] = edge;
            next[edge] = -1;
            edge = following;
        }
        cut_polygon(polygon, 0, length - 1, cube);
    }
}

static void make_cubes(void)
{
    for (unsigned inside = 0; inside < 256; inside++)
        make_cube(inside, &cubes[inside]);
}

const SiltCube *silt_cubes(void)
{
    pthread_once(&made, make_cubes);
    return cubes;
}
