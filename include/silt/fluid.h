// silt/fluid.h — water made of particles in a box, for programs that step it themselves: a flood in a game, a
// tank in a study. It knows no terrain; `sph`, `acid` and `voxel` (silt/erode.h) put the same water on one.
//
// x runs east, y south and z up, in metres. The same particles and steps give the same bytes on any number of
// threads.
#ifndef SILT_FLUID_H
#define SILT_FLUID_H

#include "silt/device.h"
#include "silt/param.h"
#include "silt/particles.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SILT_SIDE_OPEN, SILT_SIDE_WALL, SILT_SIDE_PERIODIC };  // what leaves is gone; or stays; or comes back
enum { SILT_WALLS_SLIP, SILT_WALLS_NO_SLIP, SILT_WALLS_LAW }; // docs/models.md, "Particle water"
enum { SILT_PRESSURE_STIFF, SILT_PRESSURE_GAS };

// silt_water_params describes these, with defaults and bounds: silt_params_init sets the defaults.
typedef struct SiltWaterOptions {
    int particles;                             // there may be at once
    double spacing;                            // m between particles at rest
    double low[3], high[3];                    // corners of the box
    int west, east, north, south, floor, roof; // its sides
    double gravity[3];                         // m/s2
    double viscosity, artificial, tension;     // Pa s; 1; N/m
    int pressure;                              // equation of state
    double sound, gas;                         // m/s (0: by the height of the box), J/kg
    int walls;                                 // how walls hold water that runs along them
    double roughness, restitution;             // of walls: m, 1
    double life;                               // s; 0: for ever
} SiltWaterOptions;
SILT_API extern const SiltParamTable silt_water_params;

typedef struct SiltWater SiltWater;

// NULL options are the defaults. The caller destroys the water.
SILT_API SiltStatus silt_water_create(const SiltWaterOptions *options, SiltWater **out);
SILT_API void silt_water_destroy(SiltWater *water);

// From here on its steps are done on a device (silt/device.h), with the same bytes; once, and the device must
// outlive the water. Fails where the device is short of memory or lacks double precision: then all is as
// before.
SILT_API SiltStatus silt_water_use_device(SiltWater *water, SiltDevice *device);
// Whether the device has failed since, and how: then steps do nothing, and particles are those of the last
// look.
SILT_API SiltStatus silt_water_status(const SiltWater *water);

// Particles a spacing apart in what of a box lies in the water's own, all at one velocity (NULL: at rest);
// how many of them there was room for.
SILT_API int silt_water_fill(SiltWater *water, const double low[3], const double high[3],
                             const double velocity[3]);
// One particle; false, and nothing done, where there is no room, or it is not finite, or not in the box.
SILT_API bool silt_water_add(SiltWater *water, const double position[3], const double velocity[3]);

// One step, as long as stability allows and at most `limit` seconds; returns its length.
SILT_API double silt_water_step(SiltWater *water, double limit);
// As many steps as `seconds` take.
SILT_API void silt_water_advance(SiltWater *water, double seconds);
SILT_API double silt_water_time(const SiltWater *water);

// The particles as they are, without copying (but from a device): valid until the next call that changes the
// water. Sorted by place, so follow one by its id. silt_particles_write (silt/io.h) writes them for ParaView
// and Blender.
SILT_API void silt_water_particles(const SiltWater *water, SiltParticles *out);
// How many have left, grown too old, stopped being numbers, or were taken out of a crowd.
SILT_API int64_t silt_water_gone(const SiltWater *water);

// What steps cost, each the mean of all.
typedef struct SiltWaterCost {
    double sort, forces, move; // seconds a step
    double neighbours;         // of a particle
    double bytes;              // of memory a particle takes
} SiltWaterCost;
// Takes so many steps, as long as stability allows, and says what they cost.
SILT_API void silt_water_measure(SiltWater *water, int steps, SiltWaterCost *out);

#ifdef __cplusplus
}
#endif

#endif
