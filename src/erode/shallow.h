// What models of shallow water share: ground, deposit, water, sediment and wear as fields of whole grains,
// their beginning, their books and their maps.
#ifndef SILT_ERODE_SHALLOW_H
#define SILT_ERODE_SHALLOW_H

#include "erode/ground.h"
#include "erode/maps.h"
#include "erode/supply.h"
#include "physics/exchange.h"

#define SILT_SHALLOW_HEADROOM 128.0 // metres of water and deposit above the highest ground
#define SILT_SHALLOW_REACH(S, by_default, but)                                                               \
    SILT_REAL(S, reach, "m", by_default, 0.0, 1e6,                                                           \
              "what water can carry is evened out over this length, so that gullies are as wide on every "   \
              "grid; " but)
#define SILT_STEEPEST_FAN 0.2 // sediment settles no steeper: about eleven degrees

typedef struct SiltShallow {
    const SiltGround *base;
    const SiltField *ground, *deposit, *water, *sediment, *wear; // int32
} SiltShallow;

// Fills the fields from the terrain and its layers; cells without data become walls.
void silt_shallow_fill(const SiltShallow *shallow);
// After the state was brought back: whether ground and water are such as steps leave.
SiltStatus silt_shallow_resume(const char *owner, const SiltShallow *shallow);
// The deepest water, in metres.
double silt_shallow_deepest(const SiltShallow *shallow);
// Cubic metres of one of the fields.
double silt_shallow_volume(const SiltShallow *shallow, const SiltField *field);
// Cubic metres of rock, in the ground and in the water, above height zero.
double silt_shallow_rock(const SiltShallow *shallow);

// After the last step of a run at `time`: whether one more is due before all is at rest. The supply stops,
// water runs off and dries up and sediment settles; in the end what is left comes down where it is.
bool silt_shallow_rest(const SiltShallow *shallow, SiltSupply *supply, double time, SiltLedger *ledger);

// Water that carries more than can be counted lets it fall (shallow_rows.h), in all that the terrain brings
// into a run, once the books are open.
void silt_shallow_relieve_all(const SiltShallow *shallow, SiltLedger *ledger);

// The layers such a model shows, and a row of those that all of them have: false for the last three.
enum {
    SILT_SHALLOW_CHANGE,
    SILT_SHALLOW_WATER,
    SILT_SHALLOW_SEDIMENT,
    SILT_SHALLOW_DEPOSIT,
    SILT_SHALLOW_WEAR,
    SILT_SHALLOW_DEPOSITION,
    SILT_SHALLOW_FLOW,
    SILT_SHALLOW_SPEED,
    SILT_SHALLOW_WETNESS
};
extern const char *const silt_shallow_layers[];
bool silt_shallow_show(const SiltShallow *shallow, int layer, int j, int begin, int end, float *out);

// What a hand adds to a row; returns the deepest water in it afterwards, in metres.
double silt_shallow_edit(const SiltShallow *shallow, SiltEditRow *row);

// How what water can carry, P, follows what it could carry at each place, C, in a step: tau dP/dt = C - P +
// reach^2 lap(P), as fast as one explicit step allows. `reach` in metres; 0: P is C; NaN: 1/256 of the map's
// smaller side.
SiltEvening silt_shallow_evening(const SiltTerrain *terrain, double reach);
static const SiltEvening silt_evening_none = {0.0f, 1.0f, 0.0f}; // P is C

// How water no faster than `fastest` may dig in a step of `dt` seconds: all the way in about a second, and
// half of it at the most; or without bound, as in the papers. `grain` in metres.
static inline SiltDigging silt_digging(bool free, double gravity, double grain, double fastest, double dt)
{
    double head = 0.5 / (gravity * grain), most = SILT_GRAINS_LIFT / (fastest * fastest);
    return (SiltDigging){(float)(head < most ? head : most), (float)(dt < 0.5 ? dt : 0.5), free};
}

// How many times faster than the water the ground changes, unless one says so: a run moves what rivers wear
// in some 20,000 years, a few decimetres of rock.
#define SILT_PIPES_PACE  100.0
#define SILT_NEWTON_PACE 200.0
// Warns who asks for another pace in the paper's way, which knows none.
void silt_shallow_warn_pace(const char *owner, double pace, double usual, bool as_paper);

// The layer that multiplies how fast rock goes, NULL when there is none of the default name. Fails, in a
// sentence that begins with `owner`, when another name was asked for and is not there.
SiltStatus silt_erodibility_find(const char *owner, const char *name, const SiltTerrain *terrain,
                                 const SiltField **out);

#endif
