// Few cells of a land: means of square blocks of them, for pictures whose pixels are wider than a cell, of a
// land that changes from picture to picture.
#ifndef SILT_RENDER_THIN_H
#define SILT_RENDER_THIN_H

#include "render/pack.h"

enum { SILT_FEW_LAYERS = 5 }; // water, sediment, deposit, ice, overlay

typedef struct SiltFew {
    int side;          // cells along a side of a block; 0 or 1: all cells are wanted
    SiltTerrain *land; // of blocks, with their heights; NULL: nothing has been taken yet
    SiltField layers[SILT_FEW_LAYERS];
    SiltField sky, shadow;
    bool is_lit; // both are those of the pack
} SiltFew;

void silt_few_end(SiltFew *few); // its side is 0 afterwards

// Takes what is new in the layers of the pack, which from then on is one of blocks: at first all of it.
// `cover`: where anything but heights and the overlay has changed.
SiltStatus silt_few_take(SiltFew *few, SiltPack *pack, const SiltRect *heights, const SiltRect *cover,
                         const SiltRect *overlay);
// The blocks that have a part in these cells.
SiltRect silt_few_part(const SiltFew *few, const SiltRect *cells);

#endif
