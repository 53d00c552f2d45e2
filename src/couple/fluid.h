// Particle water on a terrain: the parameters, the rain and the borders that `acid` and `sph` share.
#ifndef SILT_COUPLE_FLUID_H
#define SILT_COUPLE_FLUID_H

#include "couple/drops.h"
#include "couple/heightfield.h"

enum { SILT_FLUID_OPEN, SILT_FLUID_CLOSED };
enum { SILT_FLUID_WEIGHTED, SILT_FLUID_MEAN };
#define SILT_FLUID_ROOM 1e4 // m that the box of the water reaches beyond the ground, up and down

#define SILT_FLUID_MEMBERS                                                                                   \
    int particles;                                                                                           \
    double spacing, support, mass;                                                                           \
    double rain;                                                                                             \
    char rain_map[SILT_NAME_SIZE];                                                                           \
    double fall;                                                                                             \
    double life;                                                                                             \
    double viscosity, artificial, tension, threshold;                                                        \
    int surface;                                                                                             \
    int pressure;                                                                                            \
    bool paper, pulls, images;                                                                               \
    int pair;                                                                                                \
    double sound, gas;                                                                                       \
    int density_from, integrator;                                                                            \
    double restitution, friction, time_step;                                                                 \
    int north, east, south, west;

typedef struct SiltFluidParams {
    SILT_FLUID_MEMBERS
} SiltFluidParams;

// Its members stand in the model's own struct, and all together as `fluid`.
#define SILT_FLUID_FIELDS                                                                                    \
    union {                                                                                                  \
        struct {                                                                                             \
            SILT_FLUID_MEMBERS                                                                               \
        };                                                                                                   \
        SiltFluidParams fluid;                                                                               \
    };

// What the papers have of them: Kataev's table 4.1, the forms of Weiss, and plain particles for Fritz, who
// names none. His mass at the density of water stands for a cube of 27.16 mm.
#define SILT_KATAEV_WATER(what) SILT_KATAEV_##what
#define SILT_KATAEV_spacing     "0.02716"
#define SILT_KATAEV_support     "0.0457"
#define SILT_KATAEV_mass        "0.02"
#define SILT_KATAEV_viscosity   "3.5"
#define SILT_KATAEV_tension     "0.0728"
#define SILT_KATAEV_gas         NULL
#define SILT_KATAEV_integrator  NULL
#define SILT_KATAEV_pair        NULL
#define SILT_WEISS_WATER(what)  SILT_WEISS_##what
#define SILT_WEISS_spacing      NULL
#define SILT_WEISS_support      NULL
#define SILT_WEISS_mass         NULL
#define SILT_WEISS_viscosity    NULL
#define SILT_WEISS_tension      NULL
#define SILT_WEISS_gas          NULL
#define SILT_WEISS_integrator   "euler"
#define SILT_WEISS_pair         "mean"
#define SILT_FRITZ_WATER(what)  SILT_FRITZ_##what
#define SILT_FRITZ_spacing      NULL
#define SILT_FRITZ_support      NULL
#define SILT_FRITZ_mass         NULL
#define SILT_FRITZ_viscosity    NULL
#define SILT_FRITZ_tension      NULL
#define SILT_FRITZ_gas          NULL
#define SILT_FRITZ_integrator   NULL
#define SILT_FRITZ_pair         NULL

#define SILT_FLUID_ITEMS(S, OF, rain_, rain_help_, fall_, life_, friction_, pressure_, gas_, density_)       \
    SILT_PAPER_SWITCH(S), SILT_INT(S, particles, "", 20000, 1, 100000000, "particles there may be at once"), \
        SILT_REAL(S, spacing, "m", 0.0, 0.0, 1000.0,                                                         \
                  "distance of particles at rest, which is their size; 0: half a cell",                      \
                  .paper = OF(spacing)),                                                                     \
        SILT_REAL(S, support, "m", 0.0, 0.0, 3000.0,                                                         \
                  "radius within which particles feel each other; 0: two spacings", .paper = OF(support)),   \
        SILT_REAL(S, mass, "kg", 0.0, 0.0, 1e9,                                                              \
                  "of a particle; 0: what fits the spacing, and kernels that are exact for it",              \
                  .paper = OF(mass)),                                                                        \
        SILT_REAL(S, rain, "mm/h", rain_, 0.0, 1e7,                                                          \
                  "rain on the whole terrain, as falling particles" rain_help_, .flags = SILT_LIVE),         \
        SILT_LAYER(S, rain_map, "", "layer that says how much of the rain falls where"),                     \
        SILT_REAL(S, fall, "m", fall_, 0.0, 10000.0,                                                         \
                  "height above the ground from which rain falls; none: a cell", .flags = SILT_LIVE),        \
        SILT_REAL(S, life, "s", life_, 0.0, 1e9, "span after which a particle evaporates; 0: never",         \
                  .flags = SILT_LIVE),                                                                       \
        SILT_REAL(S, viscosity, "Pa s", 0.001, 0.0, 1e6, "of the water", .flags = SILT_LIVE,                 \
                  .paper = OF(viscosity)),                                                                   \
        SILT_REAL(S, artificial, "1", 0.05, 0.0, 10.0,                                                       \
                  "artificial viscosity of particles that approach each other", .flags = SILT_LIVE,          \
                  .paper = "0"),                                                                             \
        SILT_REAL(S, tension, "N/m", 0.0, 0.0, 1000.0, "surface tension", .flags = SILT_LIVE,                \
                  .paper = OF(tension)),                                                                     \
        SILT_CHOICE(S, surface, "curvature colour", "curvature",                                             \
                    "how tension pulls: by the curvature of the surface, so that drops have the pressure "   \
                    "of Laplace's law; or by the Laplacian of the colour field (Kataev eq. 1.37)",           \
                    .flags = SILT_LIVE, .paper = "colour"),                                                  \
        SILT_REAL(S, threshold, "1/m", 7.0, 0.0, 1e6,                                                        \
                  "with surface=colour: surface normals shorter than this count as inside",                  \
                  .flags = SILT_LIVE),                                                                       \
        SILT_CHOICE(S, pressure, "stiff gas", pressure_,                                                     \
                    "equation of state: hardly compressible (Tait), or the soft gas of Kataev eq. 1.32",     \
                    .paper = "gas"),                                                                         \
        SILT_BOOL(S, pulls, false,                                                                           \
                  "whether pressure falls below zero, so that water holds together; else it only pushes",    \
                  .flags = SILT_LIVE, .paper = "yes"),                                                       \
        SILT_BOOL(S, images, true,                                                                           \
                  "whether water feels its mirror image beyond ground and walls, which keeps it from "       \
                  "clotting there",                                                                          \
                  .flags = SILT_LIVE, .paper = "no"),                                                        \
        SILT_CHOICE(S, pair, "weighted mean", "weighted",                                                    \
                    "pressure of a pair: p / density^2 of both (Kataev eq. 1.33), or their mean over both "  \
                    "densities (Weiss eq. 3.21)",                                                            \
                    .flags = SILT_LIVE, .paper = OF(pair)),                                                  \
        SILT_REAL(S, sound, "m/s", 0.0, 0.0, 10000.0,                                                        \
                  "speed of sound of stiff water; 0: ten times the speed of a fall through `fall`",          \
                  .flags = SILT_LIVE),                                                                       \
        SILT_REAL(S, gas, "J/kg", gas_, 1e-6, 1e6, "stiffness k of the soft gas", .flags = SILT_LIVE,        \
                  .paper = OF(gas)),                                                                         \
        SILT_CHOICE(S, density_from, "rate sum", density_,                                                   \
                    "density followed by its rate, or summed each step (Kataev eq. 1.25)", .paper = "sum"),  \
        SILT_CHOICE(S, integrator, "leap-frog euler", "leap-frog", "how time goes on",                       \
                    .paper = OF(integrator)),                                                                \
        SILT_REAL(S, restitution, "1", 0.0, 0.0, 1.0, "how much water bounces off the ground",               \
                  .flags = SILT_LIVE),                                                                       \
        SILT_REAL(S, friction, "1/s", friction_, 0.0, 1000.0,                                                \
                  "how fast the ground brakes water that touches it", .flags = SILT_LIVE),                   \
        SILT_REAL(S, time_step, "s", 0.0, 0.0, 10.0, "length of a step; 0: as long as stability allows",     \
                  .flags = SILT_LIVE),                                                                       \
        SILT_CHOICE(S, north, "open closed", "open", "whether water leaves over the northern border",        \
                    .flags = SILT_LIVE),                                                                     \
        SILT_CHOICE(S, east, "open closed", "open", "whether water leaves over the eastern border",          \
                    .flags = SILT_LIVE),                                                                     \
        SILT_CHOICE(S, south, "open closed", "open", "whether water leaves over the southern border",        \
                    .flags = SILT_LIVE),                                                                     \
        SILT_CHOICE(S, west, "open closed", "open", "whether water leaves over the western border",          \
                    .flags = SILT_LIVE)

// What a run needs to go on exactly: the particles, what the ground became, clocks and counts. Particles are
// sorted again, so the cells need not be kept.
typedef struct SiltFluidState {
    SiltStateArray x, y, z, u, v, w, ax, ay, az, density, sediment, age, id;
    SiltStateArray base, ground, change, wear, deposition, loose, flow, wetness;
    SiltStateArray box_low, box_high, swiftest;
    SiltStateArray clock, rates, step, next_id, gone, gone_sediment, drops;
} SiltFluidState;

#define SILT_FLUID_ARRAY(S, name_, unit_, help_)                                                             \
    {                                                                                                        \
#name_, SILT_STATE_ARRAY, offsetof(S, fluid.state.name_), unit_, help_                               \
    }

#define SILT_FLUID_STATE(S)                                                                                  \
    SILT_FLUID_ARRAY(S, x, "m", "particles: place"), SILT_FLUID_ARRAY(S, y, "m", "particles: place"),        \
        SILT_FLUID_ARRAY(S, z, "m", "particles: place"), SILT_FLUID_ARRAY(S, u, "m/s", "their velocity"),    \
        SILT_FLUID_ARRAY(S, v, "m/s", "their velocity"), SILT_FLUID_ARRAY(S, w, "m/s", "their velocity"),    \
        SILT_FLUID_ARRAY(S, ax, "m/s2", "their acceleration"),                                               \
        SILT_FLUID_ARRAY(S, ay, "m/s2", "their acceleration"),                                               \
        SILT_FLUID_ARRAY(S, az, "m/s2", "their acceleration"),                                               \
        SILT_FLUID_ARRAY(S, density, "kg/m3", "their density"),                                              \
        SILT_FLUID_ARRAY(S, sediment, "units", "rock in them"), SILT_FLUID_ARRAY(S, age, "s", "their age"),  \
        SILT_FLUID_ARRAY(S, id, "", "their numbers"),                                                        \
        SILT_FLUID_ARRAY(S, base, "m", "the ground as the run found it, above the lowest"),                  \
        SILT_FLUID_ARRAY(S, ground, "m", "the ground now, above the lowest"),                                \
        SILT_FLUID_ARRAY(S, change, "units", "change of the ground since the run began"),                    \
        SILT_FLUID_ARRAY(S, wear, "units", "rock taken off since then"),                                     \
        SILT_FLUID_ARRAY(S, deposition, "units", "rock laid since then"),                                    \
        SILT_FLUID_ARRAY(S, loose, "units", "loose rock on the ground"),                                     \
        SILT_FLUID_ARRAY(S, flow, "1", "particles times cells crossed"),                                     \
        SILT_FLUID_ARRAY(S, wetness, "s", "how long water stood"),                                           \
        SILT_FLUID_ARRAY(S, box_low, "m", "corner of the box of the water"),                                 \
        SILT_FLUID_ARRAY(S, box_high, "m", "the corner across"),                                             \
        SILT_FLUID_ARRAY(S, swiftest, "m/s", "what no water reaches"),                                       \
        SILT_FLUID_ARRAY(S, clock, "s", "time of the water"),                                                \
        SILT_FLUID_ARRAY(S, rates, "", "last step, highest speed and acceleration"),                         \
        SILT_FLUID_ARRAY(S, step, "", "steps of the water"),                                                 \
        SILT_FLUID_ARRAY(S, next_id, "", "number of the next particle"),                                     \
        SILT_FLUID_ARRAY(S, gone, "", "particles that went, by fate"),                                       \
        SILT_FLUID_ARRAY(S, gone_sediment, "units", "rock that went with them"),                             \
        SILT_FLUID_ARRAY(S, drops, "", "drops drawn, and those that found no room"),                         \
        SILT_STATE(S, fluid.field.low, SILT_STATE_DOUBLE, "m", "the lowest ground as the run found it"),     \
        SILT_STATE(S, fluid.owed, SILT_STATE_DOUBLE, "", "rain not yet fallen, in particles"),               \
        SILT_STATE(S, fluid.drop_rate, SILT_STATE_DOUBLE, "1/s", "drops where no rain is given"),            \
        SILT_STATE(S, fluid.area, SILT_STATE_DOUBLE, "m2", "ground on which it rains"),                      \
        SILT_STATE(S, fluid.seed, SILT_STATE_INT64, "", "of random numbers")

// What its limiters are called; silt_fluid_count fills them in.
#define SILT_FLUID_LIMITERS "no room", "no number", "crowded", "flown"
enum { SILT_FLUID_LIMITER_COUNT = 4 };

typedef struct SiltFluid {
    const SiltFluidParams *params;
    SiltSph *sph;
    SiltHeightfield field;
    const SiltField *rain_map; // NULL: everywhere alike
    float rain_most;           // highest value of it
    uint64_t seed;
    double volume;    // m3 of a particle
    double owed;      // rain not yet fallen, in particles
    double drop_rate; // particles a second, where no rain is given
    int64_t drops[2]; // drawn so far, and those that found no room
    double area;      // m2 of ground with data, on which it rains
    const char *owner;
    bool has_warned;  // of water that found no room
    bool is_unsorted; // a hand has lifted water since the last sort
    SiltFluidState state;
    struct SiltFluidDevice *device; // where the water and the ground are; NULL: here
} SiltFluid;

// `load` is the rock a particle can hold, as a share of its volume: it sets the unit of rock.
SiltStatus silt_fluid_begin(const char *owner, const SiltFluidParams *params, SiltTerrain *terrain,
                            const SiltRun *run, double load, SiltField *before, SiltFluid *out);
void silt_fluid_end(SiltFluid *fluid);
// The layer a parameter names: NULL when it names none, or when there is none of the name it has by default.
SiltStatus silt_fluid_layer(const char *owner, const SiltTerrain *terrain, const char *param,
                            const char *name, const SiltField **out);
// The water of a layer as particles, and the rock of another in them; both may be NULL.
SiltStatus silt_fluid_fill(const char *owner, SiltFluid *fluid, const SiltField *water,
                           const SiltField *rock);
// Particles of a file, at the velocity they have there; an empty path is none. Those that lie off the map or
// deep in the ground are counted as gone, and so are those that are no numbers.
SiltStatus silt_fluid_start(const char *owner, SiltFluid *fluid, const char *path);
// Once the water of the start is there: what is faster than it can get by falling, with plenty to spare, goes
// and is counted as flown. Sources lie at most `highest` metres above the lowest ground and give water at
// most `fastest` m/s.
void silt_fluid_bound(SiltFluid *fluid, double highest, double fastest);
// The same for ground and sources that came later: nothing slower than before is a mistake now.
void silt_fluid_widen(SiltFluid *fluid, double highest, double fastest);
void silt_fluid_count(const SiltFluid *fluid, SiltCounters *counters);
// Warns of a source that gives nothing; `index` counts from 0.
void silt_fluid_warn_idle(const char *owner, int index, double rate);
// Warns of `shared` particles that a box did not place, for they lie in a box before it.
void silt_fluid_warn_shared(const char *owner, const SiltFluid *fluid, int index, int shared);
// Warns of a run that will do nothing, for there is no water now and no spring, nor rain.
void silt_fluid_warn_dry(const char *owner, const SiltFluid *fluid, int springs);
// Rain of a step of length dt; adds what fell to the ledger.
void silt_fluid_rain(SiltFluid *fluid, double dt, SiltLedger *ledger);
// How drops of rain are placed, and those of a spring {x, y, rate, radius, height, ...}.
SiltDropRule silt_fluid_rain_rule(const SiltFluid *fluid);
SiltDropRule silt_fluid_spring_rule(const SiltFluid *fluid, const double *spring);
// Places drop number n; false where no free place was found.
bool silt_fluid_drop(SiltFluid *fluid, const SiltDropRule *rule, int64_t n);
// Counts `lost` particles of water that found no room; the first time, says so and what helps.
void silt_fluid_lose(SiltFluid *fluid, int64_t lost, const char *remedy);
// Sorts, and books what has gone: water, and rock in it.
void silt_fluid_sort(SiltFluid *fluid, SiltLedger *ledger);
// What is left of the speed of water that touches the ground in a step.
float silt_fluid_brake(const SiltFluid *fluid, float dt);
// The time step, not above `limit`.
double silt_fluid_time_step(const SiltFluid *fluid, double limit);
// Bytes of the particles.
double silt_fluid_bytes(const SiltFluidParams *params);
// Opens the books with what there is.
void silt_fluid_open_books(const SiltFluid *fluid, SiltLedger *ledger);
void silt_fluid_particles(const SiltFluid *fluid, SiltParticles *out);
// Closes them with what there is now.
void silt_fluid_close_books(const SiltFluid *fluid, SiltLedger *ledger);

// ---- fluid_live.c ----

// After the last sort of a step: says where the arrays of the state are now.
void silt_fluid_show(SiltFluid *fluid);
// Takes up what was written there, or fails where it cannot be; `before` is what the terrain's change was.
SiltStatus silt_fluid_resume(SiltFluid *fluid, const SiltField *before);
// Fails where more water waits, in particles, than a step leaves waiting.
SiltStatus silt_fluid_check_owed(const SiltFluid *fluid, const double *owed, int64_t count);
// Parameters or layers have changed: takes them up, or fails and is as before. The size of particles, the box
// and how many there may be stay.
SiltStatus silt_fluid_refresh(SiltFluid *fluid);
// Takes in what a hand adds to the ground.
void silt_fluid_edit(SiltFluid *fluid, SiltEditRow *row);
// Before a step: sorts, where a hand has moved particles since the last.
void silt_fluid_gather(SiltFluid *fluid, SiltLedger *ledger);

// For fluid_live.c: the layer of rain and its highest value; the water's config for these parameters.
SiltStatus silt_fluid_rain_map(const SiltFluid *fluid, const SiltField **out, float *most);
SiltSphConfig silt_fluid_configure(const SiltFluidParams *params, const SiltHeightfield *field);

// Whether a place lies in a box of x, y, z, length, width and height whose bottom is at `bottom`.
static inline bool silt_box_holds(const double *box, double bottom, const float at[3])
{
    const double low[3] = {box[0], box[1], bottom};
    for (int axis = 0; axis < 3; axis++)
        if (!((double)at[axis] >= low[axis] && (double)at[axis] <= low[axis] + box[3 + axis]))
            return false;
    return true;
}

// Seconds of a step from `time` of length `dt` that lie between `start` and `stop` (0: for ever).
static inline double silt_time_within(double time, double dt, double start, double stop)
{
    double begin = time > start ? time : start;
    double end = stop > 0.0 && stop < time + dt ? stop : time + dt;
    return begin == time && end == time + dt ? dt : end > begin ? end - begin : 0.0;
}

#endif
