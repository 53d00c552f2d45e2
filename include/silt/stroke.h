// silt/stroke.h — what a hand does to land, as numbers that can be kept: a stroke of a brush on a terrain or
// on a run that goes on gives the same bytes whenever it is repeated.
#ifndef SILT_STROKE_H
#define SILT_STROKE_H

#include "silt/erode.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SiltBrush {
    SILT_BRUSH_RAIN,        // water, spread in drops, m
    SILT_BRUSH_WATER,       // water, m
    SILT_BRUSH_RAISE,       // ground, m
    SILT_BRUSH_LOWER,       // ground, m
    SILT_BRUSH_SMOOTH,      // ground towards the mean of its neighbours, share
    SILT_BRUSH_FLATTEN,     // ground towards the height where the stroke began, share
    SILT_BRUSH_ERODIBILITY, // multiplies: strength 2 makes rock twice as soft in the middle
    SILT_BRUSH_UPLIFT,      // m/year of the layer "uplift"
    SILT_BRUSH_PROTECT,     // the layer "protect": 0 nothing, 1 whole
    SILT_BRUSH_RIDGE,       // ground along a line, highest on it, m
    SILT_BRUSH_RIVER,       // a bed along a line, falling from one end to the other, m deep
} SiltBrush;
SILT_API extern const char silt_brush_names[]; // in order, with spaces between

// One dab, or one straight piece of a line.
typedef struct SiltStroke {
    SiltBrush brush;
    double from[2], to[2]; // metres east and north of the south-western corner; the same for a dab
    double radius;         // m
    double strength;       // in the brush's unit
    double softness;       // 0: a hard edge, 1: falls off from the middle on
    double level;          // flatten: towards this height, m; ridge, river: height at the beginning
    uint64_t seed;         // of the drops of rain
} SiltStroke;

// The rectangle of cells it touches; false: none.
SILT_API bool silt_stroke_rect(const SiltStroke *stroke, const SiltTerrain *terrain, SiltRect *out);
// On a terrain that no run holds; makes the layer where it needs one.
SILT_API SiltStatus silt_stroke_terrain(const SiltStroke *stroke, SiltTerrain *terrain);
// On a live run, between two steps: through silt_erosion_edit, booked as by hand.
SILT_API SiltStatus silt_stroke_run(const SiltStroke *stroke, SiltErosion *erosion);

// As a row of a recipe's `strokes` and back: "raise,1200,800,1200,800,150,20,0.5,0,1".
enum { SILT_STROKE_COLUMNS = 10 };
SILT_API void silt_stroke_row(const SiltStroke *stroke, double row[SILT_STROKE_COLUMNS]);
SILT_API SiltStatus silt_stroke_from_row(const double row[SILT_STROKE_COLUMNS], SiltStroke *out);

#ifdef __cplusplus
}
#endif
#endif
