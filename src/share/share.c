// Frames of a run that stay on the card: the device makes them, in memory of its own, and copies them into
// buffers that GL draws from. See silt/share.h.
#include "silt/share.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "erode/look_there.h"
#include "erode/run.h"
#include "opencl/device.h"
#include "render/beside.h"

static const char owner[] = "a picture of the run";
enum { RANGES = 1024, PATTERN = 1 << 14 }; // items that look for a range; words of the pattern

typedef struct Slot {
    unsigned buffer; // GL's
    size_t bytes;
    SiltBuffer *there; // the same, as the device knows it
} Slot;

struct SiltShare {
    SiltBeside beside;
    SiltDevice *device; // NULL: none is open with it
    char why[300];      // "": it shares
    Slot slots[SILT_SHARE_SLOTS];
    SiltBuffer *planes, *ranges; // of the device alone
    SiltProgram *program;
    SiltKernel *pack, *range;
};

// As pack.cl has it.
typedef struct PackShape {
    int64_t heights, water, slopes, cover;
    int32_t width, height, ranges, unused;
    float rise, water_half;
} PackShape;

SiltStatus silt_share_create(SiltShare **out)
{
    void *block;
    *out = NULL;
    SiltStatus status = silt_alloc_for("a context beside the window's", 1, sizeof(SiltShare), &block);
    if (status != SILT_OK)
        return status;
    SiltShare *share = block;
    snprintf(share->why, sizeof share->why, "no device is open");
    status = silt_beside_create(&share->beside);
    if (status == SILT_OK)
        *out = share;
    else
        silt_free(share);
    return status;
}

const char *silt_share_why(const SiltShare *share)
{
    return share->why[0] ? share->why : NULL;
}

// ---- a device ----

static void drop_slot(Slot *slot)
{
    silt_buffer_destroy(slot->there);
    silt_beside_drop(slot->buffer);
    *slot = (Slot){0};
}

void silt_share_close(SiltShare *share)
{
    if (!share)
        return;
    for (int k = 0; k < SILT_SHARE_SLOTS; k++) { // the buffers themselves may be shown still
        silt_buffer_destroy(share->slots[k].there);
        share->slots[k].there = NULL;
    }
    silt_buffer_destroy(share->planes);
    silt_buffer_destroy(share->ranges);
    silt_program_destroy(share->program);
    share->planes = share->ranges = NULL;
    share->program = NULL;
    share->device = NULL;
    snprintf(share->why, sizeof share->why, "no device is open");
}

void silt_share_destroy(SiltShare *share)
{
    if (!share)
        return;
    unsigned buffers[SILT_SHARE_SLOTS];
    silt_share_close(share);
    for (int k = 0; k < SILT_SHARE_SLOTS; k++)
        buffers[k] = share->slots[k].buffer;
    silt_beside_destroy(&share->beside, buffers, SILT_SHARE_SLOTS);
    silt_free(share);
}

static uint32_t word_of(int round, uint32_t at)
{
    return (at + 1) * 0x9E3779B9u ^ (uint32_t)round * 0x85EBCA6Bu;
}

// What the device writes is what GL reads, and so the second time, when either might have kept a copy.
static SiltStatus try_pattern(SiltDevice *device)
{
    static const size_t bytes = PATTERN * sizeof(uint32_t);
    Slot slot = {.buffer = silt_beside_buffer(bytes)};
    SiltBuffer *from = NULL;
    void *block = NULL;
    bool is_same = slot.buffer != 0;
    SiltStatus status = silt_alloc_for(owner, PATTERN, 2 * sizeof(uint32_t), &block);
    uint32_t *wrote = block, *read = wrote ? wrote + PATTERN : NULL;
    if (status == SILT_OK && slot.buffer)
        status = silt_buffer_of_gl(device, slot.buffer, bytes, &slot.there);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, bytes, &from);
    for (int round = 0; round < 2 && is_same && status == SILT_OK; round++) {
        for (uint32_t k = 0; k < PATTERN; k++)
            wrote[k] = word_of(round, k);
        status = silt_buffer_write(from, 0, wrote, bytes);
        if (status == SILT_OK)
            status = silt_buffer_show(from, slot.there, bytes);
        is_same = status == SILT_OK && silt_beside_read(slot.buffer, bytes, read) &&
                  memcmp(read, wrote, bytes) == 0;
    }
    silt_buffer_destroy(from);
    drop_slot(&slot);
    silt_free(block);
    return status == SILT_OK && !is_same
               ? silt_fail(SILT_MISSING_FEATURE, "what this driver's OpenCL writes is not what its GL reads")
               : status;
}

static SiltStatus prepare(SiltShare *share, SiltDevice *device)
{
    if (!silt_device_of(device)->has_double)
        return silt_fail(SILT_MISSING_FEATURE, "the device lacks double precision");
    SiltStatus status = try_pattern(device);
    if (status == SILT_OK)
        status = silt_program_create(device, owner, "#include \"share/pack.cl\"\n", NULL, &share->program);
    if (status == SILT_OK)
        status = silt_kernel_create(share->program, "pack_land", &share->pack);
    if (status == SILT_OK)
        status = silt_kernel_create(share->program, "range_of_land", &share->range);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, RANGES * 2 * sizeof(float), &share->ranges);
    return status;
}

static void say_why(SiltShare *share, const char *why)
{
    snprintf(share->why, sizeof share->why, "%s", why);
}

SiltStatus silt_share_open(SiltShare *share, const char *choice, SiltDevice **out)
{
    const SiltGlContext gl = {share->beside.context, share->beside.display};
    *out = NULL;
    if (silt_beside_enter(&share->beside) != SILT_OK) {
        say_why(share, silt_message());
        return silt_device_open(choice, out);
    }
    SiltStatus status = silt_device_open_sharing(choice, &gl, out);
    if (status != SILT_OK) // one that was open before stays as it is
        return status;
    silt_share_close(share);
    if (!*out)
        return SILT_OK;
    if (silt_device_apart(*out)) {
        say_why(share, silt_device_apart(*out));
        return SILT_OK;
    }
    if (prepare(share, *out) == SILT_OK) {
        share->device = *out;
        share->why[0] = '\0';
        return SILT_OK;
    }
    char why[sizeof share->why];
    snprintf(why, sizeof why, "%s", silt_message());
    silt_share_close(share);
    say_why(share, why);
    silt_device_close(*out); // whatever went wrong in it: one that has never heard of GL takes its place
    return silt_device_open(choice, out);
}

// ---- frames ----

bool silt_share_can(const SiltShare *share, const SiltErosion *run)
{
    bool water;
    return share->device && silt_erosion_device(run) == share->device &&
           silt_erosion_can_look_there(run, &water);
}

// Planes of four bytes a cell, one after the other.
static SiltSharedLand land_of(const SiltErosion *run, double exaggeration, bool water)
{
    const SiltTerrain *terrain = run->terrain;
    size_t plane = (size_t)terrain->width * (size_t)terrain->height * 4;
    return (SiltSharedLand){.width = terrain->width,
                            .height = terrain->height,
                            .heights = 0,
                            .slopes = plane,
                            .has_water = water,
                            .cover = 2 * plane,
                            .water = 3 * plane,
                            .rise = (float)exaggeration / (float)terrain->cell,
                            .water_half = (float)(0.1 * terrain->cell + 0.5)};
}

static SiltStatus require(SiltShare *share, Slot *slot, size_t bytes)
{
    SiltStatus status = SILT_OK;
    if (!share->planes || silt_buffer_bytes(share->planes) != bytes) {
        silt_buffer_destroy(share->planes);
        share->planes = NULL;
        status = silt_buffer_create(share->device, owner, bytes, &share->planes);
    }
    if (status == SILT_OK && slot->bytes != bytes) {
        drop_slot(slot);
        slot->buffer = silt_beside_buffer(bytes);
        slot->bytes = slot->buffer ? bytes : 0;
    }
    if (status == SILT_OK && !slot->buffer)
        return silt_fail(SILT_NO_MEMORY, "%s: GL has no memory left for it", owner);
    if (status == SILT_OK && !slot->there)
        status = silt_buffer_of_gl(share->device, slot->buffer, bytes, &slot->there);
    return status;
}

// In the device's own memory.
static SiltStatus fill(SiltShare *share, SiltErosion *run, SiltSharedLand *land)
{
    SiltBuffer *holes;
    const PackShape shape = {.heights = (int64_t)land->heights,
                             .water = land->has_water ? (int64_t)land->water : -1,
                             .slopes = (int64_t)land->slopes,
                             .cover = land->has_water ? (int64_t)land->cover : -1,
                             .width = land->width,
                             .height = land->height,
                             .ranges = RANGES,
                             .rise = land->rise,
                             .water_half = land->water_half};
    float ranges[RANGES][2];
    SiltStatus status = silt_erosion_look_there(run, "height", share->planes, land->heights);
    if (status == SILT_OK && land->has_water)
        status = silt_erosion_look_there(run, "water", share->planes, land->water);
    if (status == SILT_OK)
        status = silt_erosion_holes_there(run, &holes);
    if (status != SILT_OK)
        return status;
    silt_kernel_set(share->pack, 0, &shape, sizeof shape);
    silt_kernel_set_buffer(share->pack, 1, share->planes);
    silt_kernel_set_buffer(share->pack, 2, holes);
    silt_kernel_run(share->pack, 2, (const size_t[]){(size_t)land->width, (size_t)land->height}, NULL);
    silt_kernel_set(share->range, 0, &shape, sizeof shape);
    silt_kernel_set_buffer(share->range, 1, share->planes);
    silt_kernel_set_buffer(share->range, 2, share->ranges);
    silt_kernel_run(share->range, 1, (const size_t[]){RANGES}, NULL);
    status = silt_buffer_read(share->ranges, 0, ranges, sizeof ranges);
    land->low = ranges[0][0];
    land->high = ranges[0][1];
    for (int k = 1; k < RANGES && status == SILT_OK; k++) {
        land->low = ranges[k][0] < land->low ? ranges[k][0] : land->low;
        land->high = ranges[k][1] > land->high ? ranges[k][1] : land->high;
    }
    return status;
}

SiltStatus silt_share_show(SiltShare *share, int slot, SiltErosion *run, double exaggeration,
                           SiltSharedLand *out)
{
    bool water;
    *out = (SiltSharedLand){0};
    if (!silt_share_can(share, run) || !silt_erosion_can_look_there(run, &water))
        return silt_fail(SILT_BAD_ARGUMENT, "erode %s: this run does not share memory with GL",
                         run->model->name);
    SiltSharedLand land = land_of(run, exaggeration, water);
    Slot *place = &share->slots[slot];
    size_t bytes = (water ? 4 : 2) * land.slopes;
    SiltStatus status = require(share, place, bytes);
    if (status == SILT_OK)
        status = fill(share, run, &land);
    if (status == SILT_OK)
        status = silt_buffer_show(share->planes, place->there, bytes);
    if (status != SILT_OK) {
        SiltDevice *device = share->device;
        char why[sizeof share->why];
        snprintf(why, sizeof why, "%s", silt_message());
        silt_share_close(share);
        say_why(share, why);
        return silt_device_status(device) != SILT_OK ? status : silt_fail(status, "%s", why);
    }
    land.buffer = place->buffer;
    *out = land;
    return SILT_OK;
}
