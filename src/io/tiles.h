// A set of tiles, for those who ask which files are its own.
#ifndef SILT_IO_TILES_H
#define SILT_IO_TILES_H

#include "silt/io.h"

typedef struct SiltTileSet {
    const char *stem, *ending; // of the path: STEM_x0_y0.ENDING
    int columns, rows;
    bool lettered; // _x0_y0, else _0_0
    bool single;   // one file, STEM.ENDING
} SiltTileSet;

// What stands in the JSON that lies there now; *text is NULL where there is none. The caller frees it.
SiltStatus silt_tiles_read_older(const char *json, char **text, size_t *bytes);
// Fails where a file lies there that no cut has written: it is not ours to replace.
SiltStatus silt_tiles_check_json(const char *json);
// Whether the set has a file of this name, without its folder: a tile, the header of one, or the JSON.
bool silt_tiles_has_file(const SiltTileSet *set, const char *file);
// Whether such a JSON names it, which a new cut under the name writes over or removes.
bool silt_tiles_has_older(const char *json, const char *file);
// Removes the tiles that such a JSON names and the set has not, and says how many.
void silt_tiles_remove_older(const SiltTileSet *set, const char *json, const char *text, size_t bytes);

#endif
