// A tile of noise that repeats without seams: what the ground looks like below the size of a cell.
#ifndef SILT_RENDER_GRAIN_H
#define SILT_RENDER_GRAIN_H

#include "silt/base.h"

enum { SILT_GRAIN_SIDE = 256 };

// Red and green: two fields of noise, 0 to 1. Blue and alpha: the slope of red east and south, 0.5 where
// level.
SiltStatus silt_grain_make(uint8_t *rgba);

#endif
