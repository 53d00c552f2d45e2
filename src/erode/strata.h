// Rock in three dimensions: erodibility as a function of place and elevation, so that hard bands make steps,
// cliffs and ridges, and what lies bare changes as land wears down. A model puts SILT_STRATA_FIELDS into its
// parameter struct and SILT_STRATA_ITEMS into its table.
//
// The beds are those of the list, or those that the terrain brings along (its `column`, which the generator
// `rock` draws). The layer `bed` says how high the top of the first one lies in each place, the layer
// `intrusion` up to where other rock has broken through them, and the layer `raised`, which `rivers` leaves,
// how far all of it has risen since.
#ifndef SILT_ERODE_STRATA_H
#define SILT_ERODE_STRATA_H

#include "erode/model.h"
#include "physics/strata_cell.h"

#define SILT_STRATA_MEMBERS                                                                                  \
    SiltList strata;                                                                                         \
    double strata_direction;                                                                                 \
    char bed[SILT_NAME_SIZE], intrusion[SILT_NAME_SIZE];                                                     \
    double intrusion_erodibility;

typedef struct SiltStrataParams {
    SILT_STRATA_MEMBERS
} SiltStrataParams;

// Its members stand in the model's own struct, and all together as `geology`.
#define SILT_STRATA_FIELDS                                                                                   \
    union {                                                                                                  \
        struct {                                                                                             \
            SILT_STRATA_MEMBERS                                                                              \
        };                                                                                                   \
        SiltStrataParams geology;                                                                            \
    };

#define SILT_STRATA_ITEMS(S)                                                                                 \
    SILT_LIST(S, strata, "thickness:m erodibility:1 tilt:deg", "",                                           \
              "beds of rock, at least 1 cm thick, from the highest point down, repeated below the last; "    \
              "beds of their own tilt cut through those before them; empty: those that `rock` has drawn"),   \
        SILT_REAL(S, strata_direction, "deg", 90.0, -360.0, 360.0,                                           \
                  "where tilted beds sink to, clockwise from north"),                                        \
        SILT_LAYER(S, bed, "bed",                                                                            \
                   "layer with the height of the top of the first bed in m, as rock makes it, in place of "  \
                   "the highest point",                                                                      \
                   .minimum = -1e6, .maximum = 1e6),                                                         \
        SILT_LAYER(S, intrusion, "intrusion",                                                                \
                   "layer with the height in m up to which other rock has broken through the beds",          \
                   .minimum = -1e6, .maximum = 1e6),                                                         \
        SILT_REAL(S, intrusion_erodibility, "1", 0.2, 0.0, 100.0, "erodibility of that rock")

#define SILT_THINNEST_BED 0.01 // m: in floats, heights of kilometres have steps of a tenth of a millimetre

typedef struct SiltStrata {
    int count; // 0: the same rock everywhere
    float top; // metres, where the first bed begins in the middle of the map, besides `bed`
    float per_metre;
    float cell, middle_i, middle_j;
    const SiltField *bed, *intrusion, *raised; // layers of the terrain, or NULL
    float intruded;                            // erodibility of intrusions
    SiltBed beds[SILT_MAX_BEDS];
} SiltStrata;

// `owner` ("erode thermal") begins the message. The layers must stay where they are.
SiltStatus silt_strata_begin(const SiltStrataParams *params, const SiltTerrain *terrain, const char *owner,
                             SiltStrata *out);

static inline float silt_strata_layer(const SiltField *layer, int i, int j)
{
    return layer ? silt_field_at(layer, i, j) : 0.0f;
}

// Of rock at `elevation` metres under cell (i, j): what multiplies the model's own erodibility of
// rock.
static inline float silt_strata_erodibility(const SiltStrata *strata, int i, int j, float elevation)
{
    float x = ((float)i - strata->middle_i) * strata->cell, y = ((float)j - strata->middle_j) * strata->cell;
    float raised = silt_strata_layer(strata->raised, i, j), erodibility = 1.0f;
    float level = strata_level(elevation, silt_strata_layer(strata->bed, i, j), raised);
    for (int k = 0; k < strata->count; k++) {
        const SiltBed *bed = &strata->beds[k];
        float position =
            strata_position(strata->top - level, x, y, bed->slope_x, bed->slope_y, strata->per_metre);
        erodibility = strata_pick(position, bed->from, bed->to, bed->erodibility, erodibility);
    }
    return strata->intrusion ? strata_intrude(elevation, raised, silt_field_at(strata->intrusion, i, j),
                                              strata->intruded, erodibility)
                             : erodibility;
}

// The same for `count` cells of row j from column i on, the same bits; cells beyond the map may be among
// them.
void silt_strata_row(const SiltStrata *strata, int i, int j, int count, const float *elevation, float *out);

#endif
