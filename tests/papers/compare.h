// How far two maps are from each other, for the tests that hold a model against the equations of its paper.
#ifndef TESTS_PAPERS_COMPARE_H
#define TESTS_PAPERS_COMPARE_H

#include "erode_help.h"

enum { SIDE = 32 };

// Three grounds: a bumpy slope, a basin of four slopes, rough hills. Heights in metres on cells of `cell`.
enum { SLOPE, BASIN, HILLS, GROUNDS };
static const char *const ground_names[GROUNDS] = {"slope", "basin", "hills"};

static inline SiltTerrain *make_ground(int kind, double cell)
{
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, cell);
    SiltField *height = silt_terrain_layer(terrain, "height");
    if (kind == HILLS)
        make_rough(terrain, 7, (float)(4.0 * cell));
    for (int j = 0; j < SIDE && kind != HILLS; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = (i - 15.5) / 16.0, y = (j - 15.5) / 16.0;
            double bumps = 0.15 * sin(9.0 * x + 1.0) * cos(7.0 * y);
            double shape = kind == SLOPE ? 1.5 * x + 0.4 * y : 2.0 * fmax(fabs(x), fabs(y));
            silt_field_row(height, j)[i] = (float)(cell * 2.0 * (shape + bumps));
        }
    return terrain;
}

// The sum of |a - b| over the sum of |b|.
static inline double apart(const double *a, const double *b, int count)
{
    double difference = 0.0, size = 0.0;
    for (int c = 0; c < count; c++) {
        difference += fabs(a[c] - b[c]);
        size += fabs(b[c]);
    }
    return difference / fmax(size, 1e-300);
}

static inline void read_layer(const SiltTerrain *terrain, const char *name, double *out)
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            out[j * SIDE + i] = layer_at(terrain, name, i, j);
}

#endif
