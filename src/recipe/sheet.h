#ifndef SILT_RECIPE_SHEET_H
#define SILT_RECIPE_SHEET_H

#include "silt/masks.h"
#include "silt/render.h"

// Every layer but the height as a picture of its own, `columns` in a row, with the water of a layer
// "NAME-water" on it; and every volume of rock that can be made. The options hold for each of them.
SiltStatus silt_sheet_draw(const SiltTerrain *terrain, const SiltRenderOptions *options, int columns,
                           bool volumes, SiltImage *out);
// Every mask that silt_masks_make makes, in grey, with its name; each `width` pixels wide (0: 320).
SiltStatus silt_sheet_masks(const SiltTerrain *terrain, const SiltMaskOptions *options, int width,
                            int columns, SiltImage *out);

#endif
