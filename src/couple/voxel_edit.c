// `voxel` under a hand: rock that is laid or carved out while water runs over it.
#include <math.h>
#include <string.h>

#include "couple/device_voxel.h"
#include "volume/brick.h"

// In voxels.
typedef struct Capsule {
    double from[3], along[3];
    double length2; // of `along`, squared
    double radius;
    double low, high; // layers beyond which rock stays as it is
} Capsule;

static double capsule_distance(const void *shape, const double place[3])
{
    const Capsule *c = shape;
    double off[3], share = 0.0, square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        off[axis] = place[axis] - c->from[axis];
        share += off[axis] * c->along[axis];
    }
    share = c->length2 > 0.0 ? share / c->length2 : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    for (int axis = 0; axis < 3; axis++) {
        double d = off[axis] - share * c->along[axis];
        square += d * d;
    }
    double within = c->radius - sqrt(square);
    double above = place[2] - c->low, below = c->high - place[2];
    within = above < within ? above : within;
    return below < within ? below : within;
}

static Capsule capsule_of(const SiltVolume *volume, const SiltRockEdit *edit)
{
    const double margin = 4.0; // the floor holds the block; rock at the ceiling could not be closed
    Capsule c = {.radius = edit->radius / volume->cell};
    double west[3] = {0.5 * volume->cell, 0.5 * volume->cell, volume->origin[2]}; // of the first voxel
    for (int axis = 0; axis < 3; axis++) {
        c.from[axis] = (edit->from[axis] - west[axis]) / volume->cell;
        c.along[axis] = (edit->to[axis] - edit->from[axis]) / volume->cell;
        c.length2 += c.along[axis] * c.along[axis];
    }
    c.low = edit->carves ? margin : -INFINITY;
    c.high = edit->carves ? INFINITY : volume->size[2] - 1 - margin;
    return c;
}

SiltStatus silt_rock_edit(SiltVolume *volume, const SiltRockEdit *edit)
{
    Capsule capsule = capsule_of(volume, edit);
    return silt_volume_combine_shape(volume, edit->carves ? SILT_DIFFERENCE : SILT_UNION, capsule_distance,
                                     &capsule);
}

// Nothing lies in rock that has come, and lists of bricks are those that there are.
static SiltStatus follow_rock(SiltVoxel *v, SiltLedger *ledger)
{
    SiltStatus status = silt_voxel_ground_list(silt_voxel_owner, &v->ground);
    if (status != SILT_OK)
        return status;
    silt_voxel_read_tops(v);
    status = silt_voxel_send(v);
    silt_voxel_clear_rock(v, 0);
    silt_fluid_sort(&v->fluid, ledger);
    silt_fluid_show(&v->fluid);
    silt_voxel_counted(v);
    return status;
}

SiltStatus silt_voxel_edit_rock(void *state, const SiltRockEdit *edit, SiltLedger *ledger, double *added)
{
    SiltVoxel *v = state;
    SiltVolume *volume = v->ground.volume;
    SiltStatus status = silt_voxel_bring(v, SILT_FETCH_ALL);
    if (status != SILT_OK)
        return status;
    double before = silt_volume_rock(volume);
    status = silt_rock_edit(volume, edit);
    *added = silt_volume_rock(volume) - before;
    v->start_rock += *added; // what there should be
    SiltStatus followed = follow_rock(v, ledger);
    return status == SILT_OK ? followed : status;
}
