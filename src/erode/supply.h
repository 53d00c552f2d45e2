// Where water comes from and where it goes, the same for all models: rain, sources, painted water,
// evaporation, and what happens at the four borders. A model puts SILT_SUPPLY_FIELDS first into its parameter
// struct and SILT_SUPPLY_ITEMS into its table; then, each step, it asks row by row what falls.
#ifndef SILT_ERODE_SUPPLY_H
#define SILT_ERODE_SUPPLY_H

#include "erode/model.h"
#include "grid/region.h"

enum { SILT_RAIN_STEADY, SILT_RAIN_DROPS, SILT_RAIN_HAMMERSLEY };
enum { SILT_SOURCE_POINT, SILT_SOURCE_GAUSSIAN, SILT_SOURCE_BOX };
enum {
    SILT_EVAPORATION_LINEAR,
    SILT_EVAPORATION_EXPONENTIAL,
    SILT_EVAPORATION_ALTITUDE, // from here on by the height of the ground
    SILT_EVAPORATION_COLD_HEIGHTS
};
enum { SILT_BORDER_OPEN, SILT_BORDER_CLOSED };

#define SILT_SUPPLY_MEMBERS                                                                                  \
    double rain;                                                                                             \
    char rain_map[SILT_NAME_SIZE];                                                                           \
    double rain_altitude;                                                                                    \
    int rain_pattern;                                                                                        \
    double drop_spacing, drop_interval, drop_jitter, drop_radius;                                            \
    SiltList sources;                                                                                        \
    char sources_map[SILT_NAME_SIZE];                                                                        \
    double sources_rate;                                                                                     \
    int source_shape;                                                                                        \
    int north, east, south, west;                                                                            \
    int evaporation_kind;                                                                                    \
    double evaporation;                                                                                      \
    bool rest;

typedef struct SiltSupplyParams {
    SILT_SUPPLY_MEMBERS
} SiltSupplyParams;

// Its members stand in the model's own struct, and all together as `supply`.
#define SILT_SUPPLY_FIELDS                                                                                   \
    union {                                                                                                  \
        struct {                                                                                             \
            SILT_SUPPLY_MEMBERS                                                                              \
        };                                                                                                   \
        SiltSupplyParams supply;                                                                             \
    };

// `border_`: what the model's paper has of the borders, or NULL where it lets water out.
#define SILT_SUPPLY_ITEMS(S, rain_, altitude_, pattern_, shape_, kind_, evaporation_, border_)               \
    SILT_REAL(S, rain, "mm/h", rain_, 0.0, 10000.0, "rain on every cell, unless there is a rain map",        \
              .flags = SILT_LIVE),                                                                           \
        SILT_LAYER(S, rain_map, "", "layer with the rain of each cell in mm/h, instead of rain"),            \
        SILT_REAL(S, rain_altitude, "mm/h/m2", altitude_, 0.0, 1.0,                                          \
                  "rain that grows with the square of the height above zero (Neidhold eq. 24), besides"),    \
        SILT_CHOICE(S, rain_pattern, "steady drops hammersley", pattern_,                                    \
                    "how rain falls: everywhere at all times, as drops at random places, or as drops on an " \
                    "even (Hammersley) set of places"),                                                      \
        SILT_REAL(S, drop_spacing, "m", 0.0, 0.0, 1e6,                                                       \
                  "mean distance of the drops that fall at once; 0: eight cells"),                           \
        SILT_REAL(S, drop_interval, "s", 1.0, 1e-3, 1e6,                                                     \
                  "how long drops fall on the same places before they fall on others"),                      \
        SILT_REAL(S, drop_jitter, "1", 0.0, 0.0, 1.0,                                                        \
                  "how random the intervals are: 0 all equal, 1 each ends anywhere in the next"),            \
        SILT_REAL(S, drop_radius, "m", 0.0, 0.0, 1000.0, "radius of the patch a drop wets; 0: one cell"),    \
        SILT_LIST(S, sources, "x:m y:m rate:m3/s radius:m start:s stop:s sediment:1", "",                    \
                  "springs: place from the north-western corner, rate, radius, from when to when (stop 0: "  \
                  "for ever), sediment per water",                                                           \
                  .flags = SILT_LIVE),                                                                       \
        SILT_LAYER(S, sources_map, "",                                                                       \
                   "layer of springs, a painted mask: each cell gives its share of sources_rate"),           \
        SILT_REAL(S, sources_rate, "m3/s", 10.0, 0.0, 1e7, "what the springs of sources_map give together",  \
                  .flags = SILT_LIVE),                                                                       \
        SILT_CHOICE(S, source_shape, "point gaussian box", shape_, "how a source spreads over its radius"),  \
        SILT_CHOICE(S, north, "open closed", "open", "whether water leaves over the northern border",        \
                    .paper = border_),                                                                       \
        SILT_CHOICE(S, east, "open closed", "open", "whether water leaves over the eastern border",          \
                    .paper = border_),                                                                       \
        SILT_CHOICE(S, south, "open closed", "open", "whether water leaves over the southern border",        \
                    .paper = border_),                                                                       \
        SILT_CHOICE(S, west, "open closed", "open", "whether water leaves over the western border",          \
                    .paper = border_),                                                                       \
        SILT_CHOICE(                                                                                         \
            S, evaporation_kind, "linear exponential altitude cold-heights", kind_,                          \
            "how water dries up in a step: by 1 - K dt (Mei eq. 15), by exp(-K dt) (Neidhold eq. 25), by "   \
            "exp(-K dt H) with H in km as Neidhold prints it, which dries peaks fastest, or by exp(-K dt "   \
            "(top - H)), "                                                                                   \
            "which dries the warm lowlands fastest as his reason has it"),                                   \
        SILT_REAL(S, evaporation, "1/s", evaporation_, 0.0, 10.0, "share of the water that dries up",        \
                  .flags = SILT_LIVE | SILT_LOG),                                                            \
        SILT_BOOL(                                                                                           \
            S, rest, false,                                                                                  \
            "when the time is over rain and sources stop, water dries up within minutes, and all that "      \
            "it carries comes down")

typedef struct SiltSourceEvent {
    double time;
    int source;
    bool begins;
} SiltSourceEvent;

typedef struct SiltDrop {
    int i, j;    // cell of the map
    float share; // of a drop's water that each of its cells takes
} SiltDrop;

typedef struct SiltSupply {
    const SiltSupplyParams *params;
    SiltTerrain *terrain;
    SiltRegion region;         // where the terrain lies on the map
    bool has_holes;            // cells of the map without data
    const SiltField *rain_map; // NULL: uniform
    const SiltField *springs;  // NULL: none are painted
    uint64_t seed;
    SiltField source_rate;   // m/s of all sources that run; empty when there are none
    SiltField sediment_rate; // m/s of rock they bring; empty when they bring none
    double *exact_water, *exact_rock;
    double *source_sums;     // of the weights of each source's cells, and then whether some have no data
    SiltSourceEvent *events; // those with a beginning or an end, by time
    int event_count, next_event;
    int first_event;                    // of those within this step
    int drop_count;                     // drops that fall at once
    int64_t fall;                       // which fall they are of; below zero: none yet
    SiltDrop *drops, *unsorted;         // by row, and as they were drawn
    int *drop_row;                      // where the drops of each row of the map begin
    double *drop_holes;                 // cells of each drop that have no data
    int drop_reach;                     // cells: radius of what one drop wets
    uint64_t draws;                     // how often they were drawn
    struct SiltDropsThere *drops_there; // what a device has of them; NULL: nothing
    float drop_time;        // s of rain that one drop holds in this step, if all of it fell on one cell
    float *constant;        // a row of the same depth everywhere
    bool is_constant;       // whether this step's water is that row
    const SiltField *paint; // painted water of this step, or NULL
    bool stopped;           // no more water comes, and what there is dries up within minutes
    double rest_until;      // s: when all that is left comes down at once
    int rest_steps;         // since it stopped
    double carry;           // of a grain: what even rain has left over
    uint64_t steps, source_changes; // done; of what sources bring
    float dt;
    float loss;       // share that evaporates in this step
    float decay;      // exponent per metre of altitude
    float decay_base; // and at height zero
    double top;       // m: the highest ground; the model says so before a step
} SiltSupply;

// Fails, in a sentence that begins with `owner`, when a source lies off the map or has no ground, or there is
// no rain map of that name.
SiltStatus silt_supply_begin(const char *owner, const SiltSupplyParams *params, SiltTerrain *terrain,
                             const SiltRun *run, SiltSupply *supply);
void silt_supply_end(SiltSupply *supply);
// Parameters or layers have changed, or clocks were brought back: all that follows from them and from `time`
// is made anew. On failure the supply is as before.
SiltStatus silt_supply_refresh(const char *owner, SiltSupply *supply, double time);

// What it remembers between steps; the rest follows from parameters and time.
#define SILT_SUPPLY_STATE(S)                                                                                 \
    SILT_STATE(S, supply.seed, SILT_STATE_INT64, "", "of the drops"),                                        \
        SILT_STATE(S, supply.carry, SILT_STATE_DOUBLE, "grains", "what even rain has left over"),            \
        SILT_STATE(S, supply.stopped, SILT_STATE_BOOL, "", "whether no more water comes"),                   \
        SILT_STATE(S, supply.rest_until, SILT_STATE_DOUBLE, "s", "when all that is left comes down"),        \
        SILT_STATE(S, supply.rest_steps, SILT_STATE_INT32, "", "steps since it stopped")

// Before a step from `time` of length `dt`: sources begin and end, each for its part of the step, drops fall,
// the layer "paint" is taken up.
void silt_supply_step(SiltSupply *supply, double time, double dt);
// After it: painted water has been used and its layer goes.
void silt_supply_finish(SiltSupply *supply);

// Whether every step to come brings the same rain to every cell, as long as nothing is painted.
bool silt_supply_is_steady(const SiltSupply *supply);
// From the next step on nothing comes, and a minute dries up two thirds of what there is.
void silt_supply_stop(SiltSupply *supply);

// Whether the rows below depend on the height of the ground; it may be NULL else.
bool silt_supply_needs_ground(const SiltSupply *supply);
// Metres of water that fall on row j in this step: in `buffer`, or a row that stays valid until the next
// step. `ground` is the height in metres. Cells without data get water too: models know that they hold none.
const float *silt_supply_row(const SiltSupply *supply, int j, const float *ground, float *buffer);
// Metres of rock that come with it; NULL when none does.
const float *silt_supply_sediment_row(const SiltSupply *supply, int j, float *buffer);
// The dither for this step's water in grains: `step_dither`, or where the same falls everywhere what is left
// over from the steps before, so that not a grain is missing in the end.
float silt_supply_dither(SiltSupply *supply, float grains_per_metre, float step_dither);
// The share of the water of row j that evaporates in this step, below 1.
void silt_supply_loss_row(const SiltSupply *supply, const float *ground, int width, float *loss);

// ---- how long a step may be ----

// How fast water gathers: what a model remembers of its last steps.
typedef struct SiltPulse {
    double held; // water on the map; any unit
    double rate; // at which it grew in the last few steps: a film of a grain comes in some and not in others
    double step; // s: length of the last; 0: there was none
} SiltPulse;

// A sub-step of at most `stable`, short enough to follow what rain makes of a dry map and evaporation of a
// wet one: no more than `share` of the water comes or dries up in it. `highest` ground in metres.
double silt_pulse_bound(const SiltPulse *pulse, const SiltSupply *supply, double highest, double share,
                        double stable);
void silt_pulse_take(SiltPulse *pulse, double dt, double added, double removed);

#endif
