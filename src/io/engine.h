// What game engines and 3-D programs take: sizes, endings, which row comes first, and the numbers to type in.
#ifndef SILT_IO_ENGINE_H
#define SILT_IO_ENGINE_H

#include <stddef.h>

#include "silt/io.h"
#include "silt/text.h"

typedef struct SiltEngine {
    const char *name;    // "unreal"
    const char *endings; // it reads, the best first
    bool flips;          // southern rows come first
    bool plain_names;    // tiles are called _0_0, counted from the south
    bool shares_edges;   // neighbouring tiles have one row of cells in common
    // The side of a tile nearest to `wanted` cells that it takes; NULL: it takes any.
    int (*side)(int wanted);
} SiltEngine;

// The items of silt_tile_params. A recipe's output `tiles: FILE` cannot have a key of its own name, and calls
// the first of them otherwise.
#define SILT_TILE_ITEMS(tiles_)                                                                              \
    {.name = tiles_,                                                                                         \
     .type = SILT_TYPE_VECTOR,                                                                               \
     .offset = offsetof(SiltTileOptions, tiles),                                                             \
     .size = 2,                                                                                              \
     .unit = "",                                                                                             \
     .example = "4x4",                                                                                       \
     .number = {1.0, 1.0},                                                                                   \
     .minimum = 1.0,                                                                                         \
     .maximum = 1024.0,                                                                                      \
     .help = "columns and rows of files that it is cut into, as 4x4"},                                       \
        SILT_INT(SiltTileOptions, overlap, "cells", 1, 0, 4096, "cells that neighbouring files share"),      \
    {                                                                                                        \
        .name = "for", .type = SILT_TYPE_CHOICE, .offset = offsetof(SiltTileOptions, engine), .unit = "",    \
        .choices = "none unreal unity godot blender", .text = "none",                                        \
        .help = "an engine, which picks size, format, side up and range, and whose values to type in are "   \
                "said"                                                                                       \
    }

// NULL for SILT_FOR_NONE.
const SiltEngine *silt_engine_at(int which);

// Engines know no holes: they lie at the lowest height, and that is said.
void silt_engine_fill_holes(const SiltEngine *engine, const char *layer, const char *path,
                            SiltTerrain *terrain);
// Bicubic weights swing beyond what they lie between, by a few per cent of a step: a sea of 0 m stays at 0.
void silt_engine_keep_range(const SiltTerrain *from, const char *layer, SiltTerrain *resampled);

// What was written, for the numbers.
typedef struct SiltEngineFit {
    int columns, rows; // of tiles
    int width, height; // cells of a tile
    int whole_width, whole_height;
    double cell_x, cell_y; // m from sample to sample
    double low, high;      // m of the lowest and the highest sample, or of the heights where they are floats
    const char *ending;
} SiltEngineFit;

// Lines "name: value" for a person, and members of a JSON object.
void silt_engine_say(int which, const SiltEngineFit *fit, SiltText *text);
void silt_engine_json(int which, const SiltEngineFit *fit, SiltText *text);

#endif
