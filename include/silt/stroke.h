// silt/stroke.h — what a hand does to land, as numbers that can be kept: a stroke of a brush on a terrain or
// on a run that goes on gives the same bytes whenever it is repeated.
//
//     SiltStroke hill = {SILT_BRUSH_RAISE, {1200, 800}, {1500, 800}, .radius = 150, .strength = 20,
//                        .softness = 1};
//     silt_stroke_run(&hill, erosion);
#ifndef SILT_STROKE_H
#define SILT_STROKE_H

#include "silt/erode.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- strokes ----

typedef enum SiltBrush {
    SILT_BRUSH_RAIN,        // water, spread in drops, m
    SILT_BRUSH_WATER,       // water, m
    SILT_BRUSH_RAISE,       // ground, m
    SILT_BRUSH_LOWER,       // ground, m
    SILT_BRUSH_SMOOTH,      // ground towards the mean of its neighbours, share
    SILT_BRUSH_FLATTEN,     // ground towards `level`, share
    SILT_BRUSH_ERODIBILITY, // multiplies it: strength 2 makes rock twice as soft in the middle
    SILT_BRUSH_UPLIFT,      // added to the layer "uplift", m/year
    SILT_BRUSH_PROTECT,     // takes erodibility away: strength 1 leaves none in the middle, and nothing wears
    SILT_BRUSH_RIDGE,       // ground raised to a crest so many m above a line
    SILT_BRUSH_RIVER,       // ground cut down to a bed so many m below a line that falls
    SILT_BRUSH_ADD,         // rock in a ball around `level`, of a volume, share of the ball that becomes rock
    SILT_BRUSH_CARVE,       // the same away
} SiltBrush;
SILT_API extern const char silt_brush_names[]; // in order, with spaces between

// One dab, or one straight piece of a line.
typedef struct SiltStroke {
    SiltBrush brush;
    double from[2], to[2]; // metres east and north of the south-western corner; the same for a dab
    double radius;         // m
    double strength;       // in the brush's unit
    double softness;       // 0: a hard edge, 1: falls off from the middle on
    // Flatten: towards this height, m. Add and carve: of the ball's middle. Ridge and river: of the line at
    // its beginning, which is the ground there before anything was drawn; at its end the line lies on the
    // ground, a river's never above its beginning.
    double level;
    uint64_t seed; // of the drops of rain; below 2^53
} SiltStroke;

// Whether its numbers are finite and the brush takes them; the sentence begins with `owner`.
SILT_API SiltStatus silt_stroke_check(const SiltStroke *stroke, const char *owner);
// The rectangle of cells it touches; false: none.
SILT_API bool silt_stroke_rect(const SiltStroke *stroke, const SiltTerrain *terrain, SiltRect *out);
// The layer it changes: "height", "water", "erodibility" or "uplift"; "" for add and carve.
SILT_API const char *silt_stroke_layer(const SiltStroke *stroke);
// On a terrain that no run holds; makes the layer where it needs one.
SILT_API SiltStatus silt_stroke_terrain(const SiltStroke *stroke, SiltTerrain *terrain);
// On a live run, between two steps: through silt_erosion_edit, booked as by hand.
SILT_API SiltStatus silt_stroke_run(const SiltStroke *stroke, SiltErosion *erosion);

// As a row of a recipe's `strokes` and back: "raise,1200,800,1200,800,150,20,0.5,0,1" without the word.
enum { SILT_STROKE_COLUMNS = 10 };
#define SILT_STROKE_COLUMN_NAMES "brush x:m y:m to_x:m to_y:m radius:m strength softness level:m seed"
SILT_API void silt_stroke_row(const SiltStroke *stroke, double row[SILT_STROKE_COLUMNS]);
SILT_API SiltStatus silt_stroke_from_row(const double row[SILT_STROKE_COLUMNS], SiltStroke *out);
// With the word, as text that reads back as the same bits; the caller frees it.
SILT_API char *silt_strokes_text(const SiltStroke *strokes, int count);

// ---- hands: what was done to a run while it went on ----

// A stroke, or a live parameter set (sources that come, move and go are the parameter `sources`).
typedef struct SiltHand {
    int64_t step; // done after so many steps of the run, before the next
    SiltStroke stroke;
    char name[SILT_NAME_SIZE]; // of the parameter; "": a stroke
    char *text;                // its value, as silt_erosion_set_text reads it
} SiltHand;

SILT_API SiltStatus silt_hand_run(const SiltHand *hand, SiltErosion *erosion);
// What a recipe has under `hands`, and back: rows "120,raise,1200,..." and "130,set,rain,30" with ';' between
// them; a ';' within a value is written '|'. The caller frees both.
SILT_API char *silt_hands_text(const SiltHand *hands, int count);
SILT_API SiltStatus silt_hands_read(const char *text, SiltHand **out, int *count);
SILT_API void silt_hands_free(SiltHand *hands, int count);

// At most `steps` steps of a run towards the duration of all of it (both zero: the model's default), each
// hand done when its step has come, in order; *next is the first that has not been done. A run driven so,
// in whatever parts, ends with the bytes of one that was not looked at. When all has come to rest the next
// hand comes at once. *done: there is nothing left to do but silt_erosion_finish.
SILT_API SiltStatus silt_erosion_play(SiltErosion *erosion, SiltDuration whole, const SiltHand *hands,
                                      int count, int *next, int64_t steps, bool *done);
// One stage of erosion with hands in it: silt_erode_as without a pyramid.
SILT_API SiltStatus silt_erode_by_hand(const SiltModel *model, SiltTerrain *terrain, const void *params,
                                       SiltDuration duration, const SiltHand *hands, int count,
                                       const SiltRun *run, SiltReport *report);

#ifdef __cplusplus
}
#endif
#endif
