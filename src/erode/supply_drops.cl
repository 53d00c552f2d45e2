// Rain as drops on a device, an item for each cell: silt_drops_row, where it rains alike everywhere.
#include "physics/silt_fn.h"

// As src/erode/supply_there.c has them.
typedef struct DropsShape {
    int width, height;         // of the terrain
    int pitch, reach;          // bytes from row to row; cells that a drop wets around its own
    int map_height, i, j;      // where the terrain lies on the map
    int bins, wide;            // of a row of the map, and columns of each
    float depth;               // m that all of a drop would bring to one cell
    long origin;               // bytes to the cell (0, 0)
} DropsShape;

typedef struct Drop {
    int i, number; // column of the map; drops of a row bring their water in the order of their numbers
    float share;
} Drop;

// Bin b of row r of the map has the drops begin[r * bins + b] and on; reaches[d] is how far a drop reaches d rows
// off its own. A cell looks into two bins of a row at the most.
__kernel void make_drops(DropsShape s, __global const int *begin, __global const Drop *drops,
                         __global const int *reaches, __global char *out)
{
    int i = get_global_id(0), j = get_global_id(1), at = s.i + i, row = s.j + j;
    float depth = 0.0f;
    if (i >= s.width || j >= s.height)
        return;
    for (int r = max(row - s.reach, 0); r <= min(row + s.reach, s.map_height - 1); r++) {
        int far = reaches[r < row ? row - r : r - row];
        int west = max(at - far, 0) / s.wide, east = min((at + far) / s.wide, s.bins - 1);
        int a = begin[r * s.bins + west], a_end = begin[r * s.bins + west + 1];
        int b = east > west ? begin[r * s.bins + east] : 0, b_end = east > west ? begin[r * s.bins + east + 1] : 0;
        while (a < a_end || b < b_end) {
            bool first = b >= b_end || (a < a_end && drops[a].number < drops[b].number);
            Drop drop = drops[first ? a++ : b++];
            if (drop.i >= at - far && drop.i <= at + far)
                depth += s.depth * drop.share;
        }
    }
    *(__global float *)(out + s.origin + (long)j * s.pitch + 4 * i) = depth;
}
