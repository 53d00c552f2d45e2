// Where a volume's surface was before water came to it: phi in one byte a voxel of the bricks that were not
// uniform then, an eighth of what those bricks take. Pictures show by it what has gone and what has come.
#include "core/memory.h"
#include "core/pack.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/brick.h"

enum { FORMER_AIR = -1, FORMER_ROCK = -2, STEPS = 127, SPAN = 64 };

typedef struct SiltFormerRock {
    int32_t *slot; // of each brick: its place among the bytes, or one of those above
    int8_t *phi;   // in steps of band / 127
} SiltFormerRock;

void silt_former_destroy(SiltFormerRock *former)
{
    if (!former)
        return;
    silt_free(former->slot);
    silt_free(former->phi);
    silt_free(former);
}

typedef struct Copying {
    const SiltVolume *of;
    const SiltFormerRock *former;
    SiltVolume *to;
} Copying;

static void pack_bricks(void *context, int begin, int end)
{
    const Copying *copying = context;
    size_t voxels = silt_brick_voxels(copying->of);
    float scale = (float)STEPS / copying->of->band;
    for (int brick = begin; brick < end; brick++) {
        if (copying->former->slot[brick] < 0)
            continue;
        const float *from = copying->of->table[brick];
        int8_t *to = copying->former->phi + (size_t)copying->former->slot[brick] * voxels;
        for (size_t k = 0; k < voxels; k++) {
            float steps = from[k] * scale;
            float kept = steps > STEPS ? STEPS : steps < -STEPS ? -STEPS : steps;
            to[k] = (int8_t)(kept + (kept < 0.0f ? -0.5f : 0.5f));
        }
    }
}

SiltStatus silt_volume_remember(SiltVolume *volume, const SiltVolume *as)
{
    as = as ? as : volume;
    size_t total = silt_brick_total(as), count = 0;
    if (memcmp(volume->size, as->size, sizeof as->size) != 0 || volume->side != as->side)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "volume: %d x %d x %d voxels now and %d x %d x %d before: what became of a volume is "
            "seen in one of its own size and bricks",
            volume->size[0], volume->size[1], volume->size[2], as->size[0], as->size[1], as->size[2]);
    SiltFormerRock *former;
    SiltStatus status = silt_alloc_for("volume", 1, sizeof *former, (void **)&former);
    if (status == SILT_OK)
        status = silt_alloc_for("volume", total, sizeof *former->slot, (void **)&former->slot);
    for (size_t brick = 0; status == SILT_OK && brick < total; brick++)
        former->slot[brick] = as->table[brick] == as->solid   ? FORMER_ROCK
                              : as->table[brick] == as->empty ? FORMER_AIR
                                                              : (int32_t)count++;
    if (status == SILT_OK)
        status = silt_alloc_for("volume", count * silt_brick_voxels(as), 1, (void **)&former->phi);
    if (status != SILT_OK) {
        silt_former_destroy(former);
        return status;
    }
    Copying copying = {.of = as, .former = former};
    if (!silt_parallel_heard((int)total, SPAN, pack_bricks, &copying)) {
        silt_former_destroy(former);
        return SILT_CANCELLED;
    }
    silt_former_destroy(volume->former);
    volume->former = former;
    return SILT_OK;
}

static float former_at(const SiltVolume *volume, int i, int j, int k)
{
    const SiltFormerRock *former = volume->former;
    int32_t slot = former->slot[silt_volume_brick(volume, i, j, k)];
    if (slot < 0)
        return slot == FORMER_ROCK ? volume->band : -volume->band;
    size_t at = (size_t)slot * silt_brick_voxels(volume) + silt_volume_offset(volume, i, j, k);
    return (float)former->phi[at] * (volume->band / (float)STEPS);
}

float silt_volume_former(const SiltVolume *volume, const float place[3])
{
    int cell[3];
    float rest[3], sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float last = (float)(volume->size[axis] - 1);
        float at = place[axis] > 0.0f ? place[axis] < last ? place[axis] : last : 0.0f;
        cell[axis] = (int)at < volume->size[axis] - 2 ? (int)at : volume->size[axis] - 2;
        rest[axis] = at - (float)cell[axis];
    }
    for (int n = 0; n < 8; n++) {
        int far[3] = {n & 1, n >> 1 & 1, n >> 2};
        float weight = 1.0f;
        for (int axis = 0; axis < 3; axis++)
            weight *= far[axis] ? rest[axis] : 1.0f - rest[axis];
        sum += weight * former_at(volume, cell[0] + far[0], cell[1] + far[1], cell[2] + far[2]);
    }
    return sum;
}

static void unpack_bricks(void *context, int begin, int end)
{
    const Copying *copying = context;
    const SiltFormerRock *former = copying->former;
    size_t voxels = silt_brick_voxels(copying->to);
    float scale = copying->to->band / (float)STEPS;
    for (int brick = begin; brick < end; brick++)
        for (size_t k = 0; former->slot[brick] >= 0 && k < voxels; k++)
            copying->to->table[brick][k] =
                (float)former->phi[(size_t)former->slot[brick] * voxels + k] * scale;
}

SiltStatus silt_volume_recall(const SiltVolume *volume, SiltVolume **out)
{
    *out = NULL;
    SiltVolume *was;
    const SiltFormerRock *former = volume->former;
    SiltStatus status = silt_volume_create(volume->size, volume->side, volume->cell, NULL, 0, &was);
    if (status != SILT_OK)
        return status;
    memcpy(was->origin, volume->origin, sizeof was->origin);
    size_t total = silt_brick_total(was);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        was->table[brick] = former->slot[brick] == FORMER_ROCK ? was->solid : was->empty;
        if (former->slot[brick] >= 0)
            status = silt_volume_require(was, brick);
    }
    if (status != SILT_OK) {
        silt_volume_destroy(was);
        return status;
    }
    Copying copying = {.former = former, .to = was};
    silt_parallel((int)total, SPAN, unpack_bricks, &copying);
    *out = was;
    return SILT_OK;
}

// ---- into a block of memory ----

// One for every brick, and the highest of them the last of `count` bricks of bytes.
static bool is_whole(const SiltVolume *volume, const SiltFormerRock *former, int64_t slots, int64_t bytes)
{
    int64_t count = 0;
    bool whole = slots == (int64_t)silt_brick_total(volume);
    for (int64_t n = 0; whole && n < slots; n++) {
        whole = former->slot[n] >= FORMER_ROCK;
        count = former->slot[n] >= count ? former->slot[n] + INT64_C(1) : count;
    }
    return whole && bytes == count * (int64_t)silt_brick_voxels(volume);
}

static int64_t count_bytes(const SiltVolume *volume, const SiltFormerRock *former)
{
    int64_t count = 0;
    for (size_t n = 0; n < silt_brick_total(volume); n++)
        count += former->slot[n] >= 0;
    return count * (int64_t)silt_brick_voxels(volume);
}

void silt_former_pack(SiltVolume *volume, SiltPack *pack)
{
    bool there = volume->former != NULL;
    silt_pack_flag(pack, &there);
    if (pack->status != SILT_OK)
        return;
    if (!there) {
        silt_former_destroy(volume->former);
        volume->former = NULL;
        return;
    }
    SiltFormerRock *former = volume->former, made = {NULL, NULL};
    int64_t slots = pack->reads ? 0 : (int64_t)silt_brick_total(volume);
    int64_t bytes = pack->reads ? 0 : count_bytes(volume, former);
    SiltFormerRock *to = pack->reads ? &made : former;
    silt_pack_owned(pack, (void **)&to->slot, sizeof *to->slot, &slots);
    silt_pack_owned(pack, (void **)&to->phi, 1, &bytes);
    if (!pack->reads)
        return;
    if (pack->status == SILT_OK && !is_whole(volume, &made, slots, bytes))
        pack->status = silt_fail(SILT_BAD_ARGUMENT, "volume: what it was before is damaged");
    if (pack->status == SILT_OK && !former)
        pack->status = silt_alloc_for("volume", 1, sizeof *former, (void **)&former);
    if (pack->status != SILT_OK) {
        silt_free(made.slot);
        silt_free(made.phi);
        return;
    }
    if (volume->former) {
        silt_free(former->slot);
        silt_free(former->phi);
    }
    *former = made;
    volume->former = former;
}
