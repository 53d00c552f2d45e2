// Strokes on layers, for terrains and for runs.
#ifndef SILT_ERODE_STROKE_H
#define SILT_ERODE_STROKE_H

#include "silt/stroke.h"

// A layer as it is around a stroke.
typedef struct SiltStrokeSight {
    const float *data; // of cell (rect.i, rect.j)
    size_t stride;
    SiltRect rect; // what can be seen: the stroke's rectangle and a cell around it, where the map has one
    float end;     // height of the ground where a line ends
} SiltStrokeSight;

// The stroke's rectangle with a cell around it, within the map.
SiltRect silt_stroke_around(const SiltRect *rect, const SiltTerrain *terrain);
// The cell where the line ends, or the nearest to it.
SiltRect silt_stroke_end(const SiltStroke *stroke, const SiltTerrain *terrain);
// What each cell of `rect` is to become (erodibility), or what is added to it. Cells without data: what they
// have, or nothing.
void silt_stroke_paint(const SiltStroke *stroke, const SiltTerrain *terrain, const SiltRect *rect,
                       const SiltStrokeSight *sight, float *values);
bool silt_stroke_replaces(const SiltStroke *stroke);
// Whether it works on rock in three dimensions.
bool silt_stroke_is_solid(const SiltStroke *stroke);
SiltRockEdit silt_stroke_rock(const SiltStroke *stroke);

#endif
