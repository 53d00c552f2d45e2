// Rain as drops: the part of the supply that falls here and there.
#ifndef SILT_ERODE_SUPPLY_DROPS_H
#define SILT_ERODE_SUPPLY_DROPS_H

#include "erode/supply.h"

SiltStatus silt_drops_begin(const char *owner, SiltSupply *supply);
// Picks the drops of a step from `time` of length `dt`: together they bring as much as steady rain.
void silt_drops_fall(SiltSupply *supply, double time, double dt);
// Metres of water that they bring to row j.
void silt_drops_row(const SiltSupply *supply, int j, const float *ground, float *depth);

// Cells that a drop wets on either side of its own column, `dj` rows off its own.
int silt_drops_half(const SiltSupply *supply, int dj);

// Rain in m/s (Neidhold eq. 24 for the part that grows with altitude).
float silt_supply_rain(const SiltSupply *supply, int i, int j, const float *ground);

#endif
