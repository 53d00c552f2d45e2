// What the two files of `thermal` share: its state, and the leap over tiles.
#ifndef SILT_ERODE_THERMAL_H
#define SILT_ERODE_THERMAL_H

#include "erode/ground.h"
#include "erode/strata.h"
#include "silt/erode.h"

enum { THERMAL_LEAP = 8 }; // steps at most in one pass over memory

enum { THERMAL_ROTATED, THERMAL_EIGHT, THERMAL_ROUND };

typedef struct ThermalTile ThermalTile; // scratch for one thread, in thermal_tile.c

typedef struct Thermal {
    // heights in grains above `low`
    SiltField ground, next_ground; // surface
    SiltField bed, next_bed;       // rock under the loose material
    SiltField risen;               // uint32_t: sum of all that a step ever added
    SiltField before;              // "change" as it was, where the terrain came with one
    double step_time;              // years

    SiltGround origin;            // the ground as the run found it
    const SiltField *erodibility; // layer, or NULL
    SiltStrata strata;
    int neighbours;      // THERMAL_ROTATED ...
    bool mobile;         // whether the rate differs from cell to cell
    float rate;          // of loose material: share of the excess that slides to one neighbour
    float rock;          // erodibility of rock where loose material has 1
    float height_factor; // change of the rate for each grain of height
    int32_t talus[2];    // grains between direct and between diagonal neighbours

    ThermalTile *tiles;
    int tile_count;
} Thermal;

SiltStatus thermal_tiles_create(Thermal *thermal);
void thermal_tiles_destroy(Thermal *thermal);
// 1 to THERMAL_LEAP steps at `rate`; returns whether any height moved by more than a grain a step.
bool thermal_slide(Thermal *thermal, int steps, float rate);

#endif
