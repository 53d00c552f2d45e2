// Land at the scale landforms are measured at, its tiles, and what is measured on each.
#ifndef SILT_TERRAIN_LANDFORMS_H
#define SILT_TERRAIN_LANDFORMS_H

#include "silt/drainage.h"
#include "silt/landforms.h"

enum { SILT_TILE = 128, SILT_TILE_CELLS = SILT_TILE * SILT_TILE };

// A terrain of cells of about 40 m, blurred by a Gaussian of one cell, and the tiles in it that have data
// everywhere.
typedef struct SiltLand {
    SiltTerrain *terrain; // one layer, the height
    int32_t *corner;      // the north-western cell of each tile, j * width + i
    int tile_count;
} SiltLand;

// One tile, row after row. Everything in it is filled by silt_land_tile but `value` and the scratch.
typedef struct SiltTile {
    double cell;
    float height[SILT_TILE_CELLS];
    float slope[SILT_TILE_CELLS];     // rise over run
    float laplacian[SILT_TILE_CELLS]; // the four neighbours less four times the cell, m
    float low[SILT_TILE_CELLS], high[SILT_TILE_CELLS], scratch[SILT_TILE_CELLS];
    int32_t near[SILT_TILE_CELLS];
    uint8_t mark[SILT_TILE_CELLS];
    double value[SILT_LANDFORM_COUNT];
} SiltTile;

SiltStatus silt_land_create(const SiltTerrain *terrain, SiltLand *out); // landforms_land.c
void silt_land_destroy(SiltLand *land);
void silt_land_tile(const SiltLand *land, int32_t corner, SiltTile *out);

void silt_tile_texture(SiltTile *tile);    // landforms_texture.c
void silt_tile_shape(SiltTile *tile);      // landforms_shape.c
SiltStatus silt_tile_flow(SiltTile *tile); // landforms_flow.c: drainage and spectrum

// How far each cell is from the nearest one with a mark, in cells, into `scratch`, and which cell that is
// into `near`; infinite and -1 where none is marked (landforms_distance.c).
void silt_tile_distance(SiltTile *tile);

// The value below which a share (0 to 1) of `count` numbers lies, between the two next to that rank; NaN of
// none. Sorts them.
double silt_sorted_share(float *values, int count, double share);

#endif
