// Particle water on a terrain: the parameters, the rain and the borders that `acid` and `sph` share.
#ifndef SILT_COUPLE_FLUID_H
#define SILT_COUPLE_FLUID_H

#include "couple/heightfield.h"

enum { SILT_FLUID_OPEN, SILT_FLUID_CLOSED };

#define SILT_FLUID_MEMBERS                                                                                   \
    int particles;                                                                                           \
    double spacing, support, mass;                                                                           \
    double rain;                                                                                             \
    char rain_map[SILT_NAME_SIZE];                                                                           \
    double fall;                                                                                             \
    double life;                                                                                             \
    double viscosity, artificial, tension, threshold;                                                        \
    int pressure;                                                                                            \
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

// As below, with the density followed by its rate.
#define SILT_FLUID_ITEMS(S, rain_, fall_, life_, friction_)                                                  \
    SILT_FLUID_ITEMS_BY(S, rain_, fall_, life_, friction_, "rate")

#define SILT_FLUID_ITEMS_BY(S, rain_, fall_, life_, friction_, density_)                                     \
    SILT_INT(S, particles, "", 20000, 1, 10000000, "particles there may be at once"),                        \
        SILT_REAL(S, spacing, "m", 0.0, 0.0, 1000.0,                                                         \
                  "distance of particles at rest, which is their size; 0: half a cell"),                     \
        SILT_REAL(S, support, "m", 0.0, 0.0, 3000.0,                                                         \
                  "radius within which particles feel each other; 0: two spacings"),                         \
        SILT_REAL(S, mass, "kg", 0.0, 0.0, 1e9,                                                              \
                  "of a particle; 0: what fits the spacing, and kernels that are exact for it"),             \
        SILT_REAL(S, rain, "mm/h", rain_, 0.0, 1e7, "rain on the whole terrain, as falling particles",       \
                  .flags = SILT_LIVE),                                                                       \
        SILT_LAYER(S, rain_map, "", "layer that says how much of the rain falls where"),                     \
        SILT_REAL(S, fall, "m", fall_, 0.0, 10000.0, "height above the ground from which rain falls"),       \
        SILT_REAL(S, life, "s", life_, 0.0, 1e9, "span after which a particle evaporates; 0: never"),        \
        SILT_REAL(S, viscosity, "Pa s", 0.001, 0.0, 1e6, "of the water", .flags = SILT_LIVE),                \
        SILT_REAL(S, artificial, "1", 0.05, 0.0, 10.0,                                                       \
                  "artificial viscosity of particles that approach each other"),                             \
        SILT_REAL(S, tension, "N/m", 0.0, 0.0, 1000.0, "surface tension"),                                   \
        SILT_REAL(S, threshold, "1/m", 7.0, 0.0, 1e6, "surface normals shorter than this count as inside"),  \
        SILT_CHOICE(S, pressure, "stiff gas", "stiff",                                                       \
                    "equation of state: hardly compressible (Tait), or the soft gas of Kataev eq. 1.32"),    \
        SILT_REAL(S, sound, "m/s", 0.0, 0.0, 10000.0,                                                        \
                  "speed of sound of stiff water; 0: ten times the speed of a fall through `fall`"),         \
        SILT_REAL(S, gas, "J/kg", 3.0, 1e-6, 1e6, "stiffness k of the soft gas"),                            \
        SILT_CHOICE(S, density_from, "rate sum", density_,                                                   \
                    "density followed by its rate, or summed each step (Kataev eq. 1.25)"),                  \
        SILT_CHOICE(S, integrator, "leap-frog euler", "leap-frog", "how time goes on"),                      \
        SILT_REAL(S, restitution, "1", 0.0, 0.0, 1.0, "how much water bounces off the ground"),              \
        SILT_REAL(S, friction, "1/s", friction_, 0.0, 1000.0,                                                \
                  "how fast the ground brakes water that touches it"),                                       \
        SILT_REAL(S, time_step, "s", 0.0, 0.0, 10.0, "length of a step; 0: as long as stability allows"),    \
        SILT_CHOICE(S, north, "open closed", "open", "whether water leaves over the northern border"),       \
        SILT_CHOICE(S, east, "open closed", "open", "whether water leaves over the eastern border"),         \
        SILT_CHOICE(S, south, "open closed", "open", "whether water leaves over the southern border"),       \
        SILT_CHOICE(S, west, "open closed", "open", "whether water leaves over the western border")

typedef struct SiltFluid {
    const SiltFluidParams *params;
    SiltSph *sph;
    SiltHeightfield field;
    const SiltField *rain_map; // NULL: everywhere alike
    float rain_most;           // highest value of it
    uint64_t seed;
    double volume; // m3 of a particle
    double owed;   // rain not yet fallen, in particles
    int64_t drops; // drawn so far
    int64_t full;  // drops that found no room
} SiltFluid;

// `load` is the rock a particle can hold, as a share of its volume: it sets the unit of rock.
SiltStatus silt_fluid_begin(const char *owner, const SiltFluidParams *params, SiltTerrain *terrain,
                            const SiltRun *run, double load, SiltField *before, SiltFluid *out);
void silt_fluid_end(SiltFluid *fluid);
// Rain of a step of length dt; adds what fell to the ledger.
void silt_fluid_rain(SiltFluid *fluid, double dt, SiltLedger *ledger);
// Sorts, and books what has gone: water, and rock in it.
void silt_fluid_sort(SiltFluid *fluid, SiltLedger *ledger);
// The time step, not above `limit`.
double silt_fluid_time_step(const SiltFluid *fluid, double limit);
// Opens the books with what there is.
void silt_fluid_open_books(const SiltFluid *fluid, SiltLedger *ledger);
void silt_fluid_particles(const SiltFluid *fluid, SiltParticles *out);
// Maps and the closing of the books.
SiltStatus silt_fluid_store(const SiltFluid *fluid, SiltTerrain *terrain, SiltLedger *ledger);

#endif
