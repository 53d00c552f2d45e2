// Hard and soft beds: erodibility as a function of place and elevation, so that hard bands make steps and
// cliffs. A model puts SILT_STRATA_MEMBERS into its parameter struct and SILT_STRATA_ITEMS into its table.
#ifndef SILT_ERODE_STRATA_H
#define SILT_ERODE_STRATA_H

#include "erode/model.h"
#include "physics/strata_cell.h"

#define SILT_STRATA_MEMBERS                                                                                  \
    SiltList strata;                                                                                         \
    double strata_direction;

#define SILT_STRATA_ITEMS(S)                                                                                 \
    SILT_LIST(S, strata, "thickness:m erodibility:1 tilt:deg", "",                                           \
              "beds of rock, at least 1 cm thick, from the highest point down, repeated below the last; "    \
              "beds of their own tilt cut through those before them"),                                       \
        SILT_REAL(S, strata_direction, "deg", 90.0, -360.0, 360.0,                                           \
                  "where tilted beds sink to, clockwise from north")

enum { SILT_MAX_BEDS = 32 };
#define SILT_THINNEST_BED 0.01 // m: in floats, heights of kilometres have steps of a tenth of a millimetre

typedef struct SiltBed {
    float from, to; // fractions of the stack
    float slope_x, slope_y;
    float erodibility;
} SiltBed;

typedef struct SiltStrata {
    int count; // 0: the same rock everywhere
    float top; // metres, where the first bed begins in the middle of the map
    float per_metre;
    float cell, middle_i, middle_j;
    SiltBed beds[SILT_MAX_BEDS];
} SiltStrata;

// `owner` ("erode thermal") begins the message.
SiltStatus silt_strata_begin(const SiltList *list, double direction, const SiltTerrain *terrain,
                             const char *owner, SiltStrata *out);

// Of rock at `elevation` metres under cell (i, j) of the map: what multiplies the model's own erodibility of
// rock.
static inline float silt_strata_erodibility(const SiltStrata *strata, int i, int j, float elevation)
{
    float x = ((float)i - strata->middle_i) * strata->cell, y = ((float)j - strata->middle_j) * strata->cell;
    float erodibility = 1.0f;
    for (int k = 0; k < strata->count; k++) {
        const SiltBed *bed = &strata->beds[k];
        float position =
            strata_position(strata->top - elevation, x, y, bed->slope_x, bed->slope_y, strata->per_metre);
        erodibility = strata_pick(position, bed->from, bed->to, bed->erodibility, erodibility);
    }
    return erodibility;
}

// The same for `count` cells of the map's row j from column i on; the same bits.
void silt_strata_row(const SiltStrata *strata, int i, int j, int count, const float *elevation, float *out);

#endif
