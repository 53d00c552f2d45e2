// Bends what a coarse grid drew: rivers that ran along its eight directions wind.
#ifndef SILT_ERODE_WARP_H
#define SILT_ERODE_WARP_H

#include "silt/terrain.h"

// Moves every layer of a terrain but "height" by a smooth random shift of up to `reach` cells that turns over
// `wave` cells.
SiltStatus silt_terrain_warp(SiltTerrain *terrain, int wave, float reach, uint64_t seed, uint32_t step);

#endif
