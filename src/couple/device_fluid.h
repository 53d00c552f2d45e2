// Particle water on a heightfield whose particles and ground lie in the memory of a device: what `sph` and
// `acid` do there in a step. The arrays of SiltSph and SiltHeightfield are then copies that are brought up to
// date on demand.
#ifndef SILT_COUPLE_DEVICE_FLUID_H
#define SILT_COUPLE_DEVICE_FLUID_H

#include "couple/fluid.h"

typedef struct SiltFluidDevice SiltFluidDevice;

// Once the water has begun: moves it to the device of the run, if that has one.
SiltStatus silt_fluid_use_device(SiltFluid *fluid);
void silt_fluid_device_destroy(SiltFluidDevice *device); // NULL: nothing

// Brings what shows a layer (silt_shallow_layers), or all, or the particles, where it lies on a device.
enum { SILT_FETCH_ALL = -1, SILT_FETCH_GROUND = -3 }; // heights of the ground as it is now
SiltStatus silt_fluid_fetch(SiltFluid *fluid, int layer);
// Takes all back there.
SiltStatus silt_fluid_push(SiltFluid *fluid);
// Layers of the terrain or parameters have changed.
void silt_fluid_renew(SiltFluid *fluid);

// ---- a step; failures stay with the device ----

// The numbers that all models on a heightfield need; the model adds its own.
SiltFluidStep silt_fluid_numbers(const SiltFluid *fluid, double dt);
void silt_fluid_device_begin(SiltFluidDevice *device, const SiltFluidStep *step,
                             const SiltField *erodibility);
// silt_sediment_step, and silt_heightfield_planes.
void silt_fluid_device_loads(SiltFluidDevice *device);
void silt_fluid_device_planes(SiltFluidDevice *device);
// What particles do at the ground, silt_heightfield_settle and silt_heightfield_lift.
typedef enum SiltFluidKind { SILT_FLUID_WATER, SILT_FLUID_ACID } SiltFluidKind;
void silt_fluid_device_meet(SiltFluidDevice *device, SiltFluidKind kind);

// silt_heightfield_settle alone, for a model with kernels of its own over these.
void silt_fluid_device_settle(SiltFluidDevice *device);
typedef struct SiltFluidBooks {
    struct SiltBuffer *step;                            // SiltFluidStep
    struct SiltBuffer *taken, *laid, *passed, *present; // of each cell, in this step
} SiltFluidBooks;
SiltFluidBooks silt_fluid_device_books(const SiltFluidDevice *device);
// The heights of the ground that rain knows, to be written there.
struct SiltBuffer *silt_fluid_device_ground(SiltFluidDevice *device);

// Drops from number `first` on, as many as `owed` has whole ones, while there is room; those of a spring
// until one finds none.
typedef struct SiltDropped {
    int placed, tried;
} SiltDropped;
SiltDropped silt_fluid_device_drop(SiltFluidDevice *device, const SiltDropRule *rule, int64_t first,
                                   double owed);
// Once a kernel has placed up to `wanted` newcomers, *placed of them: their densities, and those of who is
// around.
void silt_fluid_device_join(SiltFluidDevice *device, int wanted, struct SiltBuffer *placed);
// Counts those placed as particles.
void silt_fluid_device_add(SiltFluidDevice *device, int placed);

#endif
