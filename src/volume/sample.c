// What rock_view.h says of a place, for files that have a volume and a pointer to it.
#include "volume/brick.h"
#include "volume/rock_view.h"

enum { AHEAD = 16 }; // places looked up together, so that their bricks are on the way from memory at once

float silt_volume_sample(const SiltVolume *volume, const float place[3], float gradient[3])
{
    return silt_view_sample(volume, place, gradient);
}

float silt_volume_erodibility(const SiltVolume *volume, const float place[3])
{
    return silt_view_softness(volume, place);
}

SILT_INLINE void fetch(const SiltVolume *volume, const SiltRockCell *cell)
{
    if (cell->is_inside) {
        const float *at = silt_view_phi(volume, cell->brick) + cell->offset;
        SILT_FETCH(at);
        SILT_FETCH(at + ((size_t)1 << (2 * volume->shift)));
        return;
    }
    for (int n = 0; n < 8; n++) {
        int i = cell->i + (n & 1), j = cell->j + (n >> 1 & 1), k = cell->k + (n >> 2);
        SILT_FETCH(&volume->table[silt_volume_brick(volume, i, j, k)][silt_volume_offset(volume, i, j, k)]);
    }
}

void silt_volume_fetch(const SiltVolume *volume, const float place[3])
{
    SiltRockCell cell = silt_view_locate(volume, place);
    fetch(volume, &cell);
}

void silt_volume_sample_many(const SiltVolume *volume, size_t count, const float *places, float *phi,
                             float *gradients)
{
    for (size_t begin = 0; begin < count; begin += AHEAD) {
        size_t end = count - begin < AHEAD ? count : begin + AHEAD;
        SiltRockCell cells[AHEAD];
        for (size_t n = begin; n < end; n++) {
            cells[n - begin] = silt_view_locate(volume, places + 3 * n);
            fetch(volume, &cells[n - begin]);
        }
        for (size_t n = begin; n < end; n++) {
            float c[8];
            silt_view_corners(volume, &cells[n - begin], false, c);
            phi[n] = silt_view_blend(&cells[n - begin], c, gradients ? gradients + 3 * n : NULL);
        }
    }
}
