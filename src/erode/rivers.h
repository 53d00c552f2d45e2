// What the files of `rivers` share. Cells are numbered c = j * width + i, as in a drainage.
#ifndef SILT_ERODE_RIVERS_H
#define SILT_ERODE_RIVERS_H

#include "erode/model.h"
#include "erode/strata.h"
#include "silt/drainage.h"

enum { RIVERS_OPEN, RIVERS_FIXED, RIVERS_FALLING, RIVERS_CLOSED };

typedef struct RiversParams {
    double step;
    double uplift, uplift_scale;
    char uplift_map[SILT_NAME_SIZE], rain_map[SILT_NAME_SIZE];
    double incision, area_exponent, slope_exponent, source_area;
    double deposition, diffusion;
    int lakes, routing, sides;
    double multiple;
    double outlet_spacing, base, reach;
    int nodata;
    double sea_level, precipitation, channel_area;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} RiversParams;

// What a cell is in this step.
enum {
    RIVERS_LAND,
    RIVERS_WALL,   // no data
    RIVERS_KEPT,   // an outlet that keeps its height: what comes leaves
    RIVERS_SEA,    // below the sea: rises with the land, takes sediment up to the surface
    RIVERS_FALLS,  // an outlet from which the land goes on down to the base
    RIVERS_SINK,   // the lowest cell of a piece of land without an outlet
    RIVERS_LAKE,   // under the surface of a lake
    RIVERS_VALLEY, // land with a stream: what creeps into it goes with the water
};

typedef struct Rivers {
    SiltField wear, deposition, deposit; // m
    SiltField before;                    // "change" as the run found it
    double *height;                      // m, at the beginning of the step; then with its uplift and creep
    double *flux;                        // sediment that comes into a cell in a step, in metres over its area
    double time;                         // years
    SiltField raised;                    // m: how far the rock has risen; empty where it does not matter

    const RiversParams *params;
    SiltTerrain *terrain;
    SiltTerrain *ground; // scratch: the height in float, for the drainage
    SiltDrainageOptions options;
    SiltDrainage *drainage;
    const SiltField *erodibility, *uplift, *rain;
    SiltStrata strata;
    double base;       // m, what falling sides lead down to
    double rill_width; // m

    double *next;    // m, at the end of the step
    double *level;   // m: the surface of the lake or sea above the cell; on land, below which it is not cut
    double *lowest;  // m: the lowest of those that drain to the cell
    double *crept;   // m: what creep brings to a stream
    double *wetness; // mean of the rain map over the catchment of each cell
    float *factor;   // K A^m dt / d^n
    uint8_t *kind;
    uint8_t *edge;                   // with open sides: whether a cell is at the edge, and a low of it
    uint8_t *outlets;                // and whether water leaves there
    double *line_left;               // one for each group of lines of creep
    double *line_factor, *line_over; // of a line without walls and outlets
    double dt;                       // years
} Rivers;

// Open sides: finds the lows of the edge, once, and the outlets among them, before each step.
void silt_rivers_find_lows(Rivers *rivers);
void silt_rivers_choose_outlets(Rivers *rivers);
// Lets pieces of land out that none of these reaches, over the lowest of their edge; false: there were none.
bool silt_rivers_open_pieces(Rivers *rivers);

// rivers_rock.c: what the rock is made of and how it rises, and where it rains.
SiltStatus silt_rivers_begin_rock(Rivers *rivers);
SiltStatus silt_rivers_begin_rain(Rivers *rivers);
void silt_rivers_gather_rain(Rivers *rivers); // once the drainage is known
SiltStatus silt_rivers_store_rock(Rivers *rivers, SiltTerrain *terrain);

// The parts of a step. Sums are in metres over a cell.
double silt_rivers_prepare(Rivers *rivers); // uplift; returns what was raised
void silt_rivers_incise(Rivers *rivers);
double silt_rivers_carry(Rivers *rivers); // sediment; returns what left
void silt_rivers_fill_sinks(Rivers *rivers);
double silt_rivers_creep(Rivers *rivers); // hillslopes, the heights before in `next`; returns what left

static inline bool rivers_is_land(uint8_t kind)
{
    return kind == RIVERS_LAND || kind == RIVERS_VALLEY;
}

// Whether a height keeps still when its neighbours creep.
static inline bool rivers_holds(uint8_t kind)
{
    return kind == RIVERS_KEPT || kind == RIVERS_SEA;
}

#endif
