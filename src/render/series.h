// The panels of a series into a block and back.
#ifndef SILT_RENDER_SERIES_H
#define SILT_RENDER_SERIES_H

#include "core/pack.h"
#include "silt/render.h"

// When reading, into a series that has just begun, which takes at most so many panels.
void silt_series_pack(SiltSeries *series, int most, SiltPack *pack);

#endif
