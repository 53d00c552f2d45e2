// Pieces that hang free from the beginning.
#ifndef SILT_VOLUME_LOOSE_H
#define SILT_VOLUME_LOOSE_H

#include "volume/volume.h"

typedef struct SiltStanding {
    uint32_t
        *piece; // of each brick: which piece hung free in it at the beginning, from 1; NULL: there was none
    size_t count;
    double rock; // cubic metres of voxels in them
} SiltStanding;

// Remembers the pieces that hang free now.
SiltStatus silt_standing_find(SiltVolume *volume, SiltStanding *out);
void silt_standing_free(SiltStanding *standing);
// silt_volume_loose, but the largest part left of each remembered piece hangs on. `standing` may be NULL.
SiltStatus silt_volume_loose_from(SiltVolume *volume, const SiltStanding *standing, int action,
                                  SiltLoose *out);

#endif
