// What lies on the ground, packed for the graphics card: any rectangle of it, rows one after the other.
#ifndef SILT_RENDER_PACK_H
#define SILT_RENDER_PACK_H

#include "render/scale.h"
#include "silt/terrain.h"

// The layers that are shown; all but the heights and the sky may be NULL.
typedef struct SiltPack {
    const SiltTerrain *terrain;
    const SiltField *height, *water, *sediment, *deposit, *ice, *overlay;
    const SiltField *sky, *shadow;
    const SiltScale *scale;       // of the overlay
    float rise;                   // drawn height by the size of a cell
    float water_half;             // metres of water whose code is one half
    float most_deposit, most_mud; // metres whose code is full; 0: the code saturates
} SiltPack;

// Four halves a cell: slope east and north, open sky, sunshine.
void silt_pack_surface(const SiltPack *pack, const SiltRect *rect, uint16_t *to);
// Four bytes a cell: water, sediment or ice, deposits, and 255 where there is data.
void silt_pack_cover(const SiltPack *pack, const SiltRect *rect, uint8_t *to);
// A byte a cell: the place on the colour ramp.
void silt_pack_overlay(const SiltPack *pack, const SiltRect *rect, uint8_t *to);

#endif
