#ifndef SILT_RECIPE_SHEET_H
#define SILT_RECIPE_SHEET_H

#include "silt/render.h"

// Every layer but the height as a picture of its own, `columns` in a row; the options hold for each of them.
SiltStatus silt_sheet_draw(const SiltTerrain *terrain, const SiltRenderOptions *options, int columns,
                           SiltImage *out);

#endif
