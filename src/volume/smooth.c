// Wears off what is rough: phi moves towards the mean of its neighbours and then as far away again (Taubin
// 1995). Bumps of a voxel or two go, shapes of many voxels stay, and so does the volume of rock: together the
// two are a diffusion along the surface.
#include "core/memory.h"
#include "core/parallel.h"
#include "volume/brick.h"
#include "volume/rock_piece.h"

enum { ROW = SILT_MAX_BRICK + 2, SLAB = ROW * ROW, FIRST = SLAB + ROW + 1, BLOCK_FLOATS = SLAB * ROW };
static const SiltBlock around = {.below = 1, .above = 1, .row = ROW, .slab = SLAB, .first = FIRST};

typedef struct Smooth {
    SiltVolume *volume;
    const uint32_t *list;
    float *values; // of each listed brick
    float amount;
    const float *share;
} Smooth;

static void smooth_bricks(void *context, int begin, int end)
{
    const Smooth *smooth = context;
    const SiltVolume *volume = smooth->volume;
    int side = volume->side;
    size_t voxels = silt_brick_voxels(volume);
    float block[BLOCK_FLOATS];
    for (int n = begin; n < end; n++) {
        float *to = smooth->values + (size_t)n * voxels;
        float amount = smooth->amount * (smooth->share ? smooth->share[smooth->list[n]] : 1.0f);
        silt_block_read(volume, smooth->list[n], &around, block);
        for (int z = 0; z < side; z++)
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    const float *at = block + FIRST + z * SLAB + y * ROW + x;
                    *to++ = silt_smooth_voxel(at[0], at[1], at[-1], at[ROW], at[-ROW], at[SLAB], at[-SLAB],
                                              amount);
                }
    }
}

static void store_bricks(void *context, int begin, int end)
{
    const Smooth *smooth = context;
    size_t voxels = silt_brick_voxels(smooth->volume);
    for (int n = begin; n < end; n++)
        memcpy(smooth->volume->table[smooth->list[n]], smooth->values + (size_t)n * voxels,
               voxels * sizeof(float));
}

SiltStatus silt_volume_smooth(SiltVolume *volume, double amount, const float *share)
{
    size_t total = silt_brick_total(volume), count = 0;
    uint32_t *list = NULL;
    void *values = NULL;
    Smooth smooth = {.volume = volume, .amount = (float)amount, .share = share};
    SiltStatus status = silt_alloc_for("volume", volume->brick_count + 1, sizeof *list, (void **)&list);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++)
        if ((share ? share[brick] > 0.0f : volume->flags[brick] & SILT_BRICK_TOUCHED) &&
            !silt_volume_is_uniform(volume, brick)) {
            list[count++] = (uint32_t)brick;
            volume->flags[brick] |= SILT_BRICK_CHANGED;
        }
    smooth.list = list;
    if (status == SILT_OK)
        status = silt_volume_scratch(volume, count * silt_brick_voxels(volume) * sizeof(float), &values);
    smooth.values = values;
    if (status == SILT_OK) {
        for (int pass = 0; pass < 2; pass++, smooth.amount = -smooth.amount) {
            silt_parallel((int)count, 8, smooth_bricks, &smooth);
            silt_parallel((int)count, 32, store_bricks, &smooth);
        }
    }
    silt_free(list);
    return status;
}
