// Union, difference and intersection of rock with shapes and with other volumes: the larger or the smaller of
// two distances. Bricks that a shape cannot reach are left alone, and those deep within it become uniform.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/brick.h"

enum { SPAN = 16 };
enum { FAR_OUTSIDE, NEAR, FAR_INSIDE }; // where a brick lies in a shape

typedef struct Merge {
    SiltVolume *volume;
    int operation;
    SiltDistanceFn distance;
    const void *shape;
    const SiltVolume *other; // when there is no shape
    uint8_t *place;          // of each brick
} Merge;

static float merge_phi(int operation, float own, float other)
{
    if (operation == SILT_UNION)
        return own > other ? own : other;
    float limit = operation == SILT_DIFFERENCE ? -other : other;
    return own < limit ? own : limit;
}

static void place_bricks(void *context, int begin, int end)
{
    Merge *merge = context;
    const SiltVolume *volume = merge->volume;
    double half = 0.5 * (volume->side - 1),
           reach = sqrt(3.0) * half + (double)volume->band + 1e-6 * volume->side;
    for (int brick = begin; brick < end; brick++) {
        if (merge->other) {
            const float *values = merge->other->table[brick];
            merge->place[brick] = values == merge->other->empty   ? FAR_OUTSIDE
                                  : values == merge->other->solid ? FAR_INSIDE
                                                                  : NEAR;
            continue;
        }
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        double centre[3];
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = at.at[axis] * volume->side + half;
        double distance = merge->distance(merge->shape, centre);
        merge->place[brick] = distance < -reach ? FAR_OUTSIDE : distance > reach ? FAR_INSIDE : NEAR;
    }
}

// What a brick becomes whole, if it does: the solid or empty brick, or NULL when its voxels must be looked
// at.
static const float *whole_result(const Merge *merge, size_t brick)
{
    const SiltVolume *volume = merge->volume;
    const float *own = volume->table[brick];
    int place = merge->place[brick];
    if (merge->operation == SILT_UNION)
        return place == FAR_INSIDE || own == volume->solid ? volume->solid
               : place == FAR_OUTSIDE                      ? own
                                                           : NULL;
    bool is_out = place == (merge->operation == SILT_DIFFERENCE ? FAR_INSIDE : FAR_OUTSIDE);
    return is_out || own == volume->empty ? volume->empty : place == NEAR ? NULL : own;
}

static void merge_shape(const Merge *merge, size_t brick, float *phi)
{
    const SiltVolume *volume = merge->volume;
    SiltBrickAt at = silt_brick_at(volume, brick);
    int side = volume->side;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++, phi++) {
                double place[3] = {at.at[0] * side + x, at.at[1] * side + y, at.at[2] * side + z};
                double distance = merge->distance(merge->shape, place), band = (double)volume->band;
                distance = distance < band ? distance : band;
                *phi = merge_phi(merge->operation, *phi, (float)(distance > -band ? distance : -band));
            }
}

static void merge_bricks(void *context, int begin, int end)
{
    const Merge *merge = context;
    for (int brick = begin; brick < end; brick++) {
        float *phi = merge->volume->table[brick];
        if (merge->place[brick] != NEAR)
            continue;
        if (merge->distance)
            merge_shape(merge, (size_t)brick, phi);
        else
            for (size_t k = 0; k < silt_brick_voxels(merge->volume); k++)
                phi[k] = merge_phi(merge->operation, phi[k], merge->other->table[brick][k]);
    }
}

// Decides every brick: whole ones are set here, the others listed and given voxels.
static SiltStatus list_bricks(Merge *merge)
{
    SiltVolume *volume = merge->volume;
    size_t total = silt_brick_total(volume), count = 0;
    uint32_t *list = NULL;
    SiltStatus status = silt_alloc_for("volume", total, sizeof *list, (void **)&list);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        const float *result = whole_result(merge, brick);
        if (!result) {
            merge->place[brick] = NEAR;
            list[count++] = (uint32_t)brick;
        } else {
            merge->place[brick] = FAR_OUTSIDE;
            if (result == volume->table[brick])
                continue;
            silt_volume_release(volume, brick, result == volume->solid);
        }
        volume->flags[brick] |= SILT_BRICK_TOUCHED | SILT_BRICK_CHANGED;
    }
    if (status == SILT_OK)
        status = silt_volume_require_all(volume, list, count);
    silt_free(list);
    return status;
}

static SiltStatus merge_all(Merge *merge)
{
    size_t total = silt_brick_total(merge->volume);
    SiltStatus status = silt_alloc_for("volume", total, 1, (void **)&merge->place);
    if (status != SILT_OK)
        return status;
    silt_parallel((int)total, 4 * SPAN, place_bricks, merge);
    status = list_bricks(merge);
    if (status == SILT_OK) {
        silt_parallel((int)total, SPAN, merge_bricks, merge);
        status = silt_volume_redistance(merge->volume, SILT_REDISTANCE_TOUCHED);
    }
    silt_free(merge->place);
    return status;
}

SiltStatus silt_volume_combine_shape(SiltVolume *volume, int operation, SiltDistanceFn distance,
                                     const void *shape)
{
    Merge merge = {.volume = volume, .operation = operation, .distance = distance, .shape = shape};
    return merge_all(&merge);
}

SiltStatus silt_volume_combine(SiltVolume *volume, int operation, const SiltVolume *other)
{
    for (int axis = 0; axis < 3; axis++)
        if (volume->size[axis] != other->size[axis] || volume->side != other->side)
            return silt_fail(
                SILT_BAD_ARGUMENT,
                "volume: %d x %d x %d voxels cannot be combined with %d x %d x %d: make both of one size "
                "and bricks",
                volume->size[0], volume->size[1], volume->size[2], other->size[0], other->size[1],
                other->size[2]);
    Merge merge = {.volume = volume, .operation = operation, .other = other};
    return merge_all(&merge);
}
