// A tile of noise that repeats without seams: what the ground looks like below the size of a cell.
#ifndef SILT_RENDER_SPECKLE_H
#define SILT_RENDER_SPECKLE_H

#include "silt/base.h"

enum { SILT_SPECKLE_SIDE = 256 };

// Red and green: two fields of noise, 0 to 1. Blue and alpha: the slope of red east and south, 0.5 where
// level.
SiltStatus silt_speckle_make(uint8_t *rgba);

#endif
