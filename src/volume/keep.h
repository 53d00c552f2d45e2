// Whole terrains into a block and back: layers, mask, place on the map, beds of rock, and the volume below.
#ifndef SILT_VOLUME_KEEP_H
#define SILT_VOLUME_KEEP_H

#include "core/pack.h"
#include "silt/terrain.h"

// When reading, *terrain is made, and destroyed again by the caller also after a failure; it may be NULL
// then.
void silt_terrain_pack(SiltTerrain **terrain, SiltPack *pack);

#endif
