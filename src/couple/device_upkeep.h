// The upkeep of `voxel`'s rock on a device: voxel_upkeep.c there.
#ifndef SILT_COUPLE_DEVICE_UPKEEP_H
#define SILT_COUPLE_DEVICE_UPKEEP_H

#include "core/parallel.h"
#include "couple/device_rock.h"
#include "opencl/sort.h"

enum { SILT_UPKEEP_KERNELS = 23 };

typedef struct SiltDeviceUpkeep {
    SiltDeviceRock *rock;
    SiltProgram *program;
    SiltKernel *kernels[SILT_UPKEEP_KERNELS];
    SiltSorter *sorter; // for its prefix sums
    SiltBuffer *counters, *partials;
    SiltBuffer *facets, *reach; // of facet_capacity
    SiltBuffer *pairs, *soft;   // of bricks that come: where, and their rock
    int facet_capacity, pair_capacity;
    int32_t found[SILT_REINIT_COUNTERS];
    double sums[SILT_REDUCE_BLOCKS];
    void *list; // of bricks that come or have gone
    int list_capacity;
    bool is_listed; // the slots are those of the bricks there are
} SiltDeviceUpkeep;

SiltStatus silt_device_upkeep_create(SiltDeviceRock *rock, SiltDeviceUpkeep *out);
void silt_device_upkeep_destroy(SiltDeviceUpkeep *upkeep);
// After a push of the rock.
void silt_device_upkeep_renew(SiltDeviceUpkeep *upkeep);

// As voxel_ground.h has them.
void silt_device_upkeep_look(SiltDeviceUpkeep *upkeep);
void silt_device_upkeep_smooth(SiltDeviceUpkeep *upkeep, double amount);
SiltStatus silt_device_upkeep_redistance(SiltDeviceUpkeep *upkeep);
double silt_device_upkeep_rock(SiltDeviceUpkeep *upkeep);
void silt_device_upkeep_note(SiltDeviceUpkeep *upkeep);
void silt_device_upkeep_give_back(SiltDeviceUpkeep *upkeep);
void silt_device_upkeep_level(SiltDeviceUpkeep *upkeep, double rock);
// Whether any rock hangs on nothing; true also where that cannot be said.
bool silt_device_upkeep_has_loose(SiltDeviceUpkeep *upkeep);
// The highest surface of each column in metres above `low`, row 0 the northern one.
void silt_device_upkeep_tops(SiltDeviceUpkeep *upkeep, double low, SiltBuffer *ground);

#endif
