// What files about terrains share beyond the public header.
#ifndef SILT_TERRAIN_TERRAIN_H
#define SILT_TERRAIN_TERRAIN_H

#include "silt/terrain.h"

#define SILT_MAX_HEIGHT 1e7 // metres above or below zero

// A terrain of another size with the same layers (all zero), cell size, nodata value and georeference keys.
SiltStatus silt_terrain_create_like(const SiltTerrain *terrain, int width, int height, SiltTerrain **out);

// The layer that parameter `param` of `owner` names: none where the name is empty, or is `optional` (NULL: no
// name is) and the terrain has no such layer; any other must be there.
SiltStatus silt_terrain_find_layer(const SiltTerrain *terrain, const char *name, const char *param,
                                   const char *optional, const char *owner, const SiltField **out);

// Whether a layer can have this name: a map of it is a file of that name in a folder.
bool silt_layer_name_is_good(const char *name);

// Forgets a mask that marks no cell.
void silt_terrain_drop_empty_mask(SiltTerrain *terrain);

// Fails with a sentence that begins with `owner` and ends in `undone` when cells with data of the layer
// (NULL: of any) are NaN or infinite. A layer that is not there is finite.
SiltStatus silt_terrain_check_finite(const SiltTerrain *terrain, const char *layer, const char *owner,
                                     const char *undone);

// Fails with a sentence that begins with `owner` where heights are not finite or beyond what land can have:
// such a number is a wrong unit or a mark of missing data, and floats have no metres left there.
SiltStatus silt_terrain_check_heights(const SiltTerrain *terrain, const char *owner);
// The same for the second of these reasons alone.
SiltStatus silt_terrain_check_reach(const SiltTerrain *terrain, const char *owner);

// layers[0] is the layer of that name ("" or "height": land), in its unit.
void silt_terrain_set_holds(SiltTerrain *terrain, const char *layer);
// What to call the layer where one of it is written: its name, or what the terrain holds in its place.
const char *silt_terrain_layer_name(const SiltTerrain *terrain, const SiltLayer *layer);

SiltStatus silt_georeference_copy(const SiltGeoreference *from, SiltGeoreference *to);
void silt_georeference_clear(SiltGeoreference *geo);

#endif
