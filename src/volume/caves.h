// Caves: tunnels and rooms along the ways that water takes through soft rock.
#ifndef SILT_VOLUME_CAVES_H
#define SILT_VOLUME_CAVES_H

#include "silt/volume.h"

typedef struct SiltCavesParams {
    double height, radius, room, rough, grain;
    int sinks, rooms;
} SiltCavesParams;
enum { SILT_CAVES_ITEMS = 7 };
extern const SiltParam silt_caves_items[SILT_CAVES_ITEMS];
SiltStatus silt_caves_run(SiltVolume *volume, const void *params);

#endif
