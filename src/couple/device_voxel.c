#include "couple/device_voxel.h"

#include <limits.h>

#include "core/memory.h"
#include "core/status.h"
#include "couple/device_upkeep.h"
#include "couple/launch.h"
#include "erode/run.h"
#include "erode/shallow.h"
#include "physics/voxel_exchange.h"

enum { PLANES, WEIGH, FIND_LOAD, SINK, KEEP_LOADS, MEET_ROCK, SETTLE_ROCK, LEAVE_ROCK, POUR, KERNELS };
static const char *const kernel_names[KERNELS] = {"find_planes", "weigh",      "find_load",
                                                  "sink",        "keep_loads", "meet_rock",
                                                  "settle_rock", "leave_rock", "pour"};

struct SiltVoxelDevice {
    SiltVoxel *v;
    SiltSphDevice *water;
    SiltDeviceRock rock;
    SiltDeviceUpkeep upkeep;
    SiltProgram *program;
    SiltKernel *kernels[KERNELS];
    SiltBuffer *numbers, *pour, *any, *poured;
    SiltBuffer *covered, *near; // of each particle
    bool is_pushed;
};

// ---- making ----

static SiltStatus make_buffers(SiltVoxelDevice *d, SiltDevice *device, const char *owner)
{
    size_t count = (size_t)d->v->fluid.sph->config.capacity;
    const struct {
        SiltBuffer **buffer;
        size_t bytes;
    } wanted[] = {
        {&d->numbers, sizeof(SiltVoxelNumbers)}, {&d->pour, sizeof(SiltPour)}, {&d->any, sizeof(int)},
        {&d->poured, sizeof(SiltDropped)},       {&d->covered, count},         {&d->near, count}};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_buffer_create(device, owner, wanted[k].bytes, wanted[k].buffer);
    return status;
}

static SiltStatus make(SiltVoxelDevice *d, SiltDevice *device, const char *owner)
{
    SiltStatus status =
        silt_program_create(device, owner, "#include \"couple/voxel.cl\"\n", NULL, &d->program);
    for (int k = 0; k < KERNELS && status == SILT_OK; k++)
        status = silt_kernel_create(d->program, kernel_names[k], &d->kernels[k]);
    if (status == SILT_OK)
        status = make_buffers(d, device, owner);
    if (status == SILT_OK)
        status = silt_device_rock_create(device, owner, &d->v->ground, &d->rock);
    return status == SILT_OK ? silt_device_upkeep_create(&d->rock, &d->upkeep) : status;
}

SiltStatus silt_voxel_use_device(SiltVoxel *v, bool or_cpu)
{
    SiltDevice *device = silt_device_current();
    bool sweeps = v->ground.redistance & SILT_REDISTANCE_SWEEP;
    if (device && sweeps && !or_cpu)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: reinit = sweeps works on the processor alone; the device 'auto' would let it",
                         silt_voxel_owner);
    if (device && sweeps) {
        silt_warn("%s: with reinit = sweeps it works on the processor, not on %s", silt_voxel_owner,
                  silt_device_of(device)->name);
        return SILT_OK;
    }
    SiltStatus status = silt_fluid_use_device(&v->fluid);
    if (!device || status != SILT_OK)
        return status;
    void *block;
    status = silt_alloc_for(silt_voxel_owner, 1, sizeof(SiltVoxelDevice), &block);
    if (status != SILT_OK)
        return status;
    v->ground.device = block; // voxel_end frees it
    v->ground.device->v = v;
    v->ground.device->water = v->fluid.sph->device;
    return make(v->ground.device, device, silt_voxel_owner);
}

void silt_voxel_device_destroy(SiltVoxelDevice *d)
{
    if (!d)
        return;
    SiltBuffer *rest[] = {d->numbers, d->pour, d->any, d->poured, d->covered, d->near};
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; k++)
        silt_buffer_destroy(rest[k]);
    silt_device_upkeep_destroy(&d->upkeep);
    silt_device_rock_destroy(&d->rock);
    silt_program_destroy(d->program);
    silt_free(d);
}

// ---- to and fro ----

SiltStatus silt_voxel_bring_rock(SiltVoxel *v)
{
    return v->ground.device && v->ground.device->is_pushed ? silt_device_rock_fetch(&v->ground.device->rock)
                                                           : SILT_OK;
}

SiltStatus silt_voxel_send_rock(SiltVoxel *v)
{
    SiltVoxelDevice *d = v->ground.device;
    if (!d)
        return SILT_OK;
    d->rock.found[SILT_ROCK_TAKEN] = silt_voxel_total(&v->taken);
    d->rock.found[SILT_ROCK_LAID] = silt_voxel_total(&v->laid);
    d->rock.found[SILT_ROCK_BURIED] = silt_voxel_total(&v->buried);
    d->rock.found[SILT_ROCK_CUT] = silt_voxel_total(&v->ground.cut);
    silt_device_upkeep_renew(&d->upkeep);
    SiltStatus status = silt_device_rock_push(&d->rock);
    d->is_pushed = status == SILT_OK;
    return status;
}

SiltStatus silt_voxel_send_soft(SiltVoxel *v)
{
    return v->ground.device && v->ground.device->is_pushed
               ? silt_device_rock_push_soft(&v->ground.device->rock)
               : SILT_OK;
}

SiltStatus silt_voxel_bring(void *state, int layer)
{
    SiltVoxel *v = state;
    SiltStatus status = silt_fluid_fetch(&v->fluid, layer);
    bool wants_rock = layer == SILT_SHALLOW_CHANGE || layer == SILT_FETCH_ALL;
    return status == SILT_OK && wants_rock ? silt_voxel_bring_rock(v) : status;
}

SiltStatus silt_voxel_send(void *state)
{
    SiltVoxel *v = state;
    SiltStatus status = silt_fluid_push(&v->fluid);
    return status == SILT_OK ? silt_voxel_send_rock(v) : status;
}

// ---- a step ----

#define ROCK(d)                                                                                              \
    BUFFER((d)->rock.size), BUFFER((d)->rock.of_brick[SILT_BRICK_TABLE]),                                    \
        BUFFER((d)->rock.of_place[SILT_PLACE_PHI]), BUFFER((d)->rock.of_place[SILT_PLACE_SOFT])

static void begin(SiltVoxelDevice *d, double dt)
{
    SiltVoxel *v = d->v;
    SiltVoxelNumbers numbers = v->numbers;
    SiltFluidStep step = silt_fluid_numbers(&v->fluid, dt);
    numbers.sink_pace = silt_voxel_sink_pace(&v->sink, v->fluid.sph, v->sink_time);
    numbers.sink_dither = silt_voxel_sink_dither(v->fluid.sph);
    numbers.asymmetry = v->sink.asymmetry;
    numbers.cone = v->sink.cone;
    if (!d->is_pushed)
        silt_voxel_send(v);
    silt_fluid_device_begin(v->fluid.device, &step, NULL);
    silt_buffer_write(d->numbers, 0, &numbers, sizeof numbers);
    d->rock.is_known = false;
}

// eq. 3.36 to 3.39
static void sink(SiltVoxelDevice *d)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    const SiltSph *sph = d->v->fluid.sph;
    int count = sph->count;
    silt_buffer_fill(d->any, 0, 0, sizeof(int));
    LAUNCH(d->kernels[FIND_LOAD], count, ARRAY(d, SILT_AT_SEDIMENT), VALUE(count), BUFFER(d->any));
    LAUNCH(d->kernels[SINK], count, BUFFER(d->numbers), CELLS(b), PLACES(d), ARRAY(d, SILT_AT_SEDIMENT),
           VALUE(sph->law.h2), VALUE(count), BUFFER(d->any), BUFFER(b.scratch), BUFFER(d->covered));
    LAUNCH(d->kernels[KEEP_LOADS], count, BUFFER(d->numbers), ARRAY(d, SILT_AT_SEDIMENT), BUFFER(b.scratch),
           VALUE(count), BUFFER(d->any));
    silt_sph_device_changed(d->water, 1u << SILT_AT_SEDIMENT);
}

static void meet(SiltVoxelDevice *d)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    SiltFluidBooks books = silt_fluid_device_books(d->v->fluid.device);
    SiltDeviceRock *rock = &d->rock;
    int count = d->v->fluid.sph->count;
    LAUNCH(d->kernels[MEET_ROCK], count, ROCK(d), BUFFER(d->numbers), BUFFER(books.step),
           BUFFER(rock->of_place[SILT_PLACE_SUMS]), BUFFER(rock->of_place[SILT_PLACE_TOUCHED]),
           BUFFER(books.taken), BUFFER(books.laid), BUFFER(books.passed), BUFFER(books.present),
           BUFFER(b.record), BUFFER(b.planes), PLACES(d), VELOCITIES(d), ARRAY(d, SILT_AT_SEDIMENT),
           ARRAY(d, SILT_AT_AGE), BUFFER(b.fate), BUFFER(d->covered), BUFFER(d->near), VALUE(count),
           BUFFER(rock->totals));
    LAUNCH_BY(64, d->kernels[SETTLE_ROCK], 64 * (size_t)(rock->places - SILT_DEVICE_SHARED),
              BUFFER(rock->size), BUFFER(rock->of_place[SILT_PLACE_PHI]),
              BUFFER(rock->of_place[SILT_PLACE_SUMS]), BUFFER(rock->of_place[SILT_PLACE_TOUCHED]),
              BUFFER(rock->of_place[SILT_PLACE_BRICK]), BUFFER(rock->of_brick[SILT_BRICK_ACTIVITY]),
              BUFFER(rock->of_brick[SILT_BRICK_FLAGS]), BUFFER(rock->totals));
    silt_sph_device_changed(d->water, SILT_AT_ALL);
}

void silt_voxel_device_step(SiltVoxel *v, double dt)
{
    SiltVoxelDevice *d = v->ground.device;
    SiltSph *sph = v->fluid.sph;
    int count = sph->count;
    begin(d, dt);
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    if (v->looks)
        sink(d);
    LAUNCH(d->kernels[PLANES], count, ROCK(d), BUFFER(d->numbers), PLACES(d), VALUE(count), BUFFER(b.planes));
    silt_sph_forces(sph); // eq. 3.19 to 3.26
    if (v->numbers.weight != 0.0f)
        LAUNCH(d->kernels[WEIGH], count, BUFFER(d->numbers), ARRAY(d, SILT_AT_SEDIMENT), VALUE(count),
               ARRAY(d, SILT_AT_AX), ARRAY(d, SILT_AT_AY), ARRAY(d, SILT_AT_AZ));
    silt_sph_move(sph, dt); // eq. 3.27 to 3.30
    meet(d);                // algorithms 1 and 3, eq. 3.31 to 3.35, 3.40
    silt_fluid_device_settle(v->fluid.device);
}

SiltDropped silt_voxel_device_pour(SiltVoxelDevice *d, const SiltPour *pour, int64_t first, double owed)
{
    SiltSph *sph = d->v->fluid.sph;
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    SiltDropped dropped = {0, 0};
    int wanted = owed < INT_MAX ? (int)owed : INT_MAX;
    if (silt_sph_device_ready(d->water) != SILT_OK)
        return dropped;
    silt_buffer_write(d->pour, 0, pour, sizeof *pour);
    LAUNCH_BY(SILT_JOIN_ITEMS, d->kernels[POUR], 1, ROCK(d), BUFFER(d->pour), CELLS(b), VALUE(sph->law),
              VALUE(first), VALUE(wanted), VALUE(sph->count), VALUE(sph->config.capacity),
              VALUE(sph->next_id), PLACES(d), VELOCITIES(d), ARRAY(d, SILT_AT_AX), ARRAY(d, SILT_AT_AY),
              ARRAY(d, SILT_AT_AZ), ARRAY(d, SILT_AT_DENSITY), ARRAY(d, SILT_AT_SEDIMENT),
              ARRAY(d, SILT_AT_AGE), ARRAY(d, SILT_AT_ID), BUFFER(b.fate), BUFFER(d->poured));
    silt_fluid_device_join(d->v->fluid.device, wanted, d->poured);
    if (silt_buffer_read(d->poured, 0, &dropped, sizeof dropped) != SILT_OK)
        dropped = (SiltDropped){0, 0};
    return dropped;
}

void silt_voxel_device_leave(SiltVoxelDevice *d, int old)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    int count = d->v->fluid.sph->count;
    LAUNCH(d->kernels[LEAVE_ROCK], count, ROCK(d), VALUE(d->v->ground.frame), PLACES(d), BUFFER(b.fate),
           BUFFER(d->near), VALUE(old), VALUE(count), BUFFER(d->rock.totals));
    silt_sph_device_changed(d->water, SILT_AT_ALL);
    if (d->v->fluid.sph->count > 0) // else there is no sort to wait for
        silt_buffer_read_later(d->rock.totals, 0, d->rock.found, sizeof d->rock.found);
    else
        silt_buffer_read(d->rock.totals, 0, d->rock.found, sizeof d->rock.found);
}

void silt_voxel_counted(SiltVoxel *v)
{
    if (!v->ground.device)
        return;
    const int64_t *found = v->ground.device->rock.found;
    atomic_store_explicit(&v->taken, found[SILT_ROCK_TAKEN], memory_order_relaxed);
    atomic_store_explicit(&v->laid, found[SILT_ROCK_LAID], memory_order_relaxed);
    atomic_store_explicit(&v->buried, found[SILT_ROCK_BURIED], memory_order_relaxed);
    atomic_store_explicit(&v->ground.cut, found[SILT_ROCK_CUT], memory_order_relaxed);
}

// ---- upkeep ----

// What is not there yet is brought before the first look.
void silt_voxel_device_look(SiltVoxelDevice *d)
{
    if (!d->is_pushed)
        silt_voxel_send_rock(d->v);
    silt_device_upkeep_look(&d->upkeep);
}

void silt_voxel_device_smooth(SiltVoxelDevice *d, double amount)
{
    silt_device_upkeep_smooth(&d->upkeep, amount);
}

SiltStatus silt_voxel_device_redistance(SiltVoxelDevice *d)
{
    return silt_device_upkeep_redistance(&d->upkeep);
}

double silt_voxel_device_rock(SiltVoxelDevice *d)
{
    return silt_device_upkeep_rock(&d->upkeep);
}

void silt_voxel_device_note(SiltVoxelDevice *d)
{
    silt_device_upkeep_note(&d->upkeep);
}

void silt_voxel_device_give_back(SiltVoxelDevice *d)
{
    silt_device_upkeep_give_back(&d->upkeep);
}

void silt_voxel_device_level(SiltVoxelDevice *d, double rock)
{
    silt_device_upkeep_level(&d->upkeep, rock);
}

void silt_voxel_device_tops(SiltVoxelDevice *d)
{
    SiltFluid *fluid = &d->v->fluid;
    silt_device_upkeep_tops(&d->upkeep, fluid->field.low, silt_fluid_device_ground(fluid->device));
}

bool silt_voxel_device_has_loose(SiltVoxelDevice *d)
{
    return silt_device_upkeep_has_loose(&d->upkeep);
}
