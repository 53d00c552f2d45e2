// A body of water whose particles lie in the memory of a device. sph.h hands over to it: who sorts, pushes
// and moves water need not know. The arrays of SiltSph are then a copy that is brought up to date on demand.
#ifndef SILT_SPH_DEVICE_WATER_H
#define SILT_SPH_DEVICE_WATER_H

#include "opencl/device.h"
#include "opencl/sort.h"
#include "sph/sph.h"

// The arrays of a particle, in the order of SiltSphArrays.
enum {
    SILT_AT_X,
    SILT_AT_Y,
    SILT_AT_Z,
    SILT_AT_U,
    SILT_AT_V,
    SILT_AT_W,
    SILT_AT_AX,
    SILT_AT_AY,
    SILT_AT_AZ,
    SILT_AT_DENSITY,
    SILT_AT_SEDIMENT,
    SILT_AT_AGE,
    SILT_AT_ID,
    SILT_AT_COUNT,
    SILT_AT_CELLS = SILT_AT_COUNT // rows of cells, and where each begins
};
#define SILT_AT_ALL ((1u << (SILT_AT_COUNT + 1)) - 1u)

typedef struct SiltSphDevice SiltSphDevice;

// Makes the water work on a device from here on; silt_sph_destroy ends it. Fails where the device is short of
// memory or does not count in double precision.
SiltStatus silt_sph_device_create(SiltDevice *device, const char *owner, SiltSph *sph);
void silt_sph_device_destroy(SiltSphDevice *water); // NULL: nothing

// What SiltSph asks; failures stay with the device.
void silt_sph_device_sort(SiltSphDevice *water);
void silt_sph_device_forces(SiltSphDevice *water);
void silt_sph_device_move(SiltSphDevice *water, float dt, float most[2]);

// Brings arrays (bits 1 << SILT_AT_X and so on) into those of the SiltSph where they are older there.
SiltStatus silt_sph_device_fetch(SiltSphDevice *water, uint32_t which);
// Takes all arrays and fates from there, and the cells.
SiltStatus silt_sph_device_push(SiltSphDevice *water);

// Before particles are changed or added in the arrays of SiltSph: brings all there, and takes them back
// before the next work.
void silt_sph_device_touch(SiltSphDevice *water);

// ---- for couplings with kernels of their own ----

// An argument of a kernel: a buffer, or `bytes` of a value.
typedef struct SiltKernelArg {
    const SiltBuffer *buffer;
    const void *value;
    size_t bytes;
} SiltKernelArg;
#define SILT_ARG_BUFFER(b) ((SiltKernelArg){.buffer = (b)})
#define SILT_ARG_VALUE(v)  ((SiltKernelArg){.value = &(v), .bytes = sizeof(v)})
// Sets the arguments and launches `items` in groups of so many.
void silt_sph_launch_by(size_t group, SiltKernel *kernel, size_t items, const SiltKernelArg *args, int count);
// The same in groups of 128.
void silt_sph_launch(SiltKernel *kernel, size_t items, const SiltKernelArg *args, int count);

// Makes the particles of the host's arrays those of the device, where that has not been done yet; writes the
// numbers of the step and the grid. Before any kernel of a coupling.
SiltStatus silt_sph_device_ready(SiltSphDevice *water);
// Notes that kernels have changed arrays: those of SiltSph are older now.
void silt_sph_device_changed(SiltSphDevice *water, uint32_t which);
SiltDevice *silt_sph_device_of(const SiltSphDevice *water);
SiltBuffer *silt_sph_device_array(const SiltSphDevice *water, int which);
typedef struct SiltSphBuffers {
    SiltBuffer *numbers, *grid, *rows, *start;    // of the cells; see look.h
    SiltBuffer *record, *planes, *fate, *scratch; // scratch: an int for each particle
} SiltSphBuffers;
SiltSphBuffers silt_sph_device_buffers(const SiltSphDevice *water);

#endif
