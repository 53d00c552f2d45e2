// The map cut by straight lines: vertices, edges, faces and which faces touch.
//
// Exact: lines have integer coefficients and orders are settled by the signs of integer determinants, so the
// subdivision is a planar graph (Euler: V - E + F = 2) whatever lines were drawn.
#ifndef SILT_GENERATE_PLANAR_H
#define SILT_GENERATE_PLANAR_H

#include "generate/lattice.h"
#include "generate/region.h"
#include "silt/base.h"

enum { SILT_MAX_CUTS = 2000 };

// a x + b y + c = 0 in units of the lattice. a and b are even and c is odd, so no point of the lattice (no
// middle of a cell, no corner of the map) lies on a line.
typedef struct SiltLine {
    int64_t a, b, c;
} SiltLine;

typedef struct SiltPlanar {
    SiltLattice lattice;
    int line_count; // cuts; the four sides of the map follow them in `lines`
    SiltLine *lines;
    int vertex_count;
    double *vertex_x, *vertex_y; // cells
    // half-edges; k and k ^ 1 are the two ways along an edge. The face lies on the left, with x to the right
    // and y up.
    int edge_count; // edges; half-edges are twice as many
    int *origin, *next, *face, *line;
    int face_count;              // without the outside, which is face number face_count
    int *first;                  // one half-edge of each face
    double *area;                // cells^2
    double *middle_x, *middle_y; // of the vertices, in cells
    uint64_t *key;  // of a face: exclusive or of the keys of the lines it lies on the upper side of
    int slot_count; // a power of two
    int *slots;     // faces by their key; -1 when free
} SiltPlanar;

// The line through two points of the lattice, within half a unit.
SiltLine silt_line_through(int64_t x0, int64_t y0, int64_t x1, int64_t y1);

// `count` lines through two random points each: draw number `draw` of a stream.
SiltStatus silt_planar_draw(SiltLattice lattice, int count, uint64_t seed, uint32_t stream, uint32_t draw,
                            SiltPlanar *out);
// Given lines. Where three meet in one point or two are the same, the last of them is moved by a unit or two.
SiltStatus silt_planar_create(SiltLattice lattice, const SiltLine *lines, int count, SiltPlanar *out);
void silt_planar_destroy(SiltPlanar *planar);

// The face of a key. A line's key is a random number of its own.
int silt_planar_find(const SiltPlanar *planar, uint64_t key);
static inline uint64_t silt_line_key(int line)
{
    uint64_t x = ((uint64_t)line + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

SiltStatus silt_planar_neighbours(const SiltPlanar *planar, SiltNeighbours *out);

// The face that holds the middle of cell (i, j).
int silt_planar_locate(const SiltPlanar *planar, int i, int j);

// A row cut into runs: run k holds cells start[k] to start[k + 1] - 1 of face[k].
typedef struct SiltPlanarRow {
    int count;
    int *start, *face; // line_count + 2 each
    int *order;        // lines in the order the last row met them, kept from row to row
    int *at;           // by line: the cell where this row crosses it
} SiltPlanarRow;

SiltStatus silt_planar_row_create(const SiltPlanar *planar, SiltPlanarRow *out);
void silt_planar_row_destroy(SiltPlanarRow *row);
void silt_planar_row_cut(const SiltPlanar *planar, int j, SiltPlanarRow *row);

#endif
