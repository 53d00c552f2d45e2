// What the files of `rivers` share. Cells are numbered c = j * width + i, as in a drainage.
#ifndef SILT_ERODE_RIVERS_H
#define SILT_ERODE_RIVERS_H

#include "erode/model.h"
#include "erode/strata.h"
#include "silt/drainage.h"

enum { RIVERS_OPEN, RIVERS_FIXED, RIVERS_FALLING, RIVERS_CLOSED };
enum { RIVERS_LAKES_AUTO = 2 }; // after SILT_LAKES_FILL and SILT_LAKES_CARVE

typedef struct RiversParams {
    double step;
    double uplift, uplift_scale, wane, pulse, pulse_strength;
    char uplift_map[SILT_NAME_SIZE], rain_map[SILT_NAME_SIZE];
    double incision, area_exponent, slope_exponent, source_area;
    double deposition, diffusion, weathering, critical_slope, chute_slope, strength_variation, standing,
        slide_time, slide_size;
    double channel_width, lateral, wander;
    int lakes, routing, sides;
    double multiple;
    double outlet_spacing, base, reach;
    int nodata;
    double sea_level, precipitation, channel_area;
    char erodibility[SILT_NAME_SIZE];
    SILT_STRATA_FIELDS
} RiversParams;

enum { RIVERS_OUTLET = 1, RIVERS_WAY_OUT }; // of an open edge: one that keeps its height, one that leaves

#define RIVERS_BANK 3.0 // m: a bank of this height moves half as fast as a low one

// What a cell is in this step.
enum {
    RIVERS_LAND,
    RIVERS_WALL,   // no data
    RIVERS_KEPT,   // an outlet that keeps its height: what comes leaves
    RIVERS_SEA,    // below the sea: rises with the land, takes sediment up to the surface
    RIVERS_FALLS,  // an outlet from which the land goes on down to the base
    RIVERS_LEAVES, // one beyond which the slope of the land goes on
    RIVERS_SINK,   // the lowest cell of a piece of land without an outlet
    RIVERS_LAKE,   // under the surface of a lake
    RIVERS_VALLEY, // land with a stream: what creeps into it goes with the water
};

typedef struct Rivers {
    SiltField wear, deposition, deposit; // m
    SiltField before;                    // "change" as the run found it
    double *height;                      // m, at the beginning of the step; then with its uplift and creep
    double *begun;                       // m: what it was; between steps scratch
    double *flux;                        // sediment that comes into a cell in a step, in metres over its area
    double time;                         // years
    double began;                        // years before this run, of which it is the rest
    SiltField raised;                    // m: how far the rock has risen; empty where it does not matter

    const RiversParams *params;
    SiltTerrain *terrain;
    SiltTerrain *ground; // scratch: the height in float, for the drainage
    SiltDrainageOptions options;
    SiltDrainage *drainage;
    const SiltField *erodibility, *uplift, *rain;
    SiltStrata strata;
    int32_t land;    // whether it began as land does: not as noise, which has more depressions
    double base;     // m, what falling sides lead down to
    double critical; // slope of ground that fails, where nothing says that it is stronger or weaker
    uint64_t seed;
    double source_power; // source_area to the power m

    double *next;    // m, at the end of the step
    double *level;   // m: the surface of the lake or sea above the cell; on land, below which it is not cut
    double *lowest;  // m: the lowest of those that drain to the cell
    double *crept;   // m: what creep brings to a stream; then the flux that the step began with
    double *wetness; // mean of the rain map over the catchment of each cell
    float *factor;   // K A^m dt / d^n
    float *belt;     // m: how far to either side a river wanders; 0 where there is none
    int32_t *river;  // the cell of a river on whose floor a cell lies, or -1
    float *floor;    // m: how wide that floor is, times the share of the cell that it takes
    float *strength; // m from cell to cell: the critical slope, by seed
    float *rise;     // the same, by what rock is there too; `strength` itself where all is alike
    float *gain;     // of creep, by the slope; then what sweeps over rows find; then lakes, above water
    float *fall;     // m: how much of a cell slides down
    float *soil;     // m: what a cell gained by creep
    float *turned_rise, *turned_fall; // column by column
    double *sweep[2];                 // two lines of heights
    uint8_t *kind;
    bool has_carried;   // whether that is there
    bool has_fresh;     // ways out of pieces that no outlet reached, opened in this step
    uint8_t *edge;      // with open sides: whether a cell is at the edge, and a low of it
    uint8_t *outlets;   // and whether water leaves there, and how
    double *line_left;  // one for each group of lines of creep
    uint8_t *fails;     // of 255: what share of ground that is too steep slides in this step
    float fails_anyway; // the share that comes down elsewhere
    double dt;          // years
    double rising;      // what multiplies uplift in this step
} Rivers;

// Open sides: finds the lows of the edge, once, and the outlets among them, before each step.
bool silt_rivers_find_lows(Rivers *rivers); // false: somebody wants the run to stop
void silt_rivers_choose_outlets(Rivers *rivers);
// Lets pieces of land out that none of these reaches, over the lowest of their edge, where there are any.
SiltStatus silt_rivers_open_pieces(Rivers *rivers, bool *found);
// These ways out stay, or are closed again: the step was left that would have had them.
void silt_rivers_settle_pieces(Rivers *rivers, bool stay);
// Lets valleys out that the edge would dam, one from each lake.
SiltStatus silt_rivers_open_valleys(Rivers *rivers, bool *found);

// How far the land falls beyond an edge from cell to cell, at such a way out, m.
double silt_rivers_falls_outwards(const Rivers *rivers, int32_t cell);

// How steep the ground of each cell may be, once.
bool silt_rivers_find_strength(Rivers *rivers); // false: somebody wants the run to stop

// Where ground slides in this step, and what share of it does elsewhere.
float silt_rivers_draw_slides(Rivers *rivers);

// rivers_rock.c: what the rock is made of and how it rises, and where it rains.
SiltStatus silt_rivers_begin_rock(Rivers *rivers);
float silt_rivers_bedding(const Rivers *rivers, int i, int j); // what multiplies the critical slope
SiltStatus silt_rivers_require_raised(Rivers *rivers);         // where beds rise from now on
SiltStatus silt_rivers_find_rain(Rivers *rivers);
void silt_rivers_gather_rain(Rivers *rivers); // once the drainage is known
SiltStatus silt_rivers_store_rock(Rivers *rivers, SiltTerrain *terrain);

// rivers_live.c: what the frame asks for while a run goes on.
SiltStatus silt_rivers_find_layers(Rivers *rivers);
void silt_rivers_find_critical(Rivers *rivers);
extern const char *const silt_rivers_layers[];
void silt_rivers_show(const void *state, int layer, int j, int begin, int end, float *out);
const SiltField *silt_rivers_field(const void *state, int layer);
void silt_rivers_edit(void *state, SiltEditRow *row);
SiltStatus silt_rivers_refresh(void *state);
void silt_rivers_pack(void *state, SiltTerrain *terrain, SiltPack *pack);
SiltStatus silt_rivers_resume(void *state);
SiltStatus silt_rivers_store(void *state, SiltTerrain *terrain, SiltLedger *ledger);

// Where water runs on the ground as it is now; false: somebody wants the run to stop, and it is not known.
bool silt_rivers_route(Rivers *rivers);

// rivers_belt.c: valley floors. How far a river with so large a catchment wanders, m; which river each cell
// belongs to, before creep; and floors that come down with it, after rivers have cut.
float silt_rivers_belt(const Rivers *rivers, double area);
void silt_rivers_lay_belts(Rivers *rivers);
bool silt_rivers_plane(Rivers *rivers); // false: somebody wants the run to stop

// Below zero: somebody wants the run to stop, and the step has not been taken.
double silt_rivers_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters);

// The parts of a step. Sums are in metres over a cell.
double silt_rivers_prepare(Rivers *rivers);   // uplift, into `begun`; returns what was raised
void silt_rivers_raise(Rivers *rivers);       // and of the rock below, at the end of the step
bool silt_rivers_incise(Rivers *rivers);      // false, here and below: somebody wants the run to stop
void silt_rivers_find_slides(Rivers *rivers); // after that: how much of each cell slides down
void silt_rivers_slide(Rivers *rivers);
// Sediment, and what left.
bool silt_rivers_carry(Rivers *rivers, double *left);
bool silt_rivers_fill_sinks(Rivers *rivers);
// Hillslopes, the heights before in `next`; adds what left.
bool silt_rivers_creep(Rivers *rivers, double *left);

static inline bool silt_rivers_is_land(uint8_t kind)
{
    return kind == RIVERS_LAND || kind == RIVERS_VALLEY;
}

// Whether nothing wears the ground of a cell: its erodibility is painted away.
static inline bool silt_rivers_protects(const Rivers *rivers, size_t cell)
{
    int width = rivers->drainage->width;
    return rivers->erodibility && !(silt_field_at(rivers->erodibility, (int)(cell % (size_t)width),
                                                  (int)(cell / (size_t)width)) > 0.0f);
}

// Whether a height keeps still when its neighbours creep.
static inline bool silt_rivers_holds(uint8_t kind)
{
    return kind == RIVERS_KEPT || kind == RIVERS_SEA || kind == RIVERS_LEAVES;
}

#endif
