#include "couple/device_fluid.h"

#include <limits.h>

#include "core/memory.h"
#include "couple/launch.h"
#include "erode/run.h"
#include "erode/shallow.h"

enum {
    PLANES,
    FIND_LOAD,
    FIND_PACES,
    HAND_ON,
    KEEP_LOADS,
    MEET_GROUND,
    MEET_ACID,
    SETTLE,
    LIFT,
    GROUND_KERNELS
};
static const char *const kernel_names[GROUND_KERNELS] = {"find_planes", "find_load",  "find_paces",
                                                         "hand_on",     "keep_loads", "meet_ground",
                                                         "meet_acid",   "settle",     "lift"};

// The arrays of the ground; the first of them are states that the host has too.
enum {
    GROUND,
    BASE,
    CHANGE,
    WEAR,
    DEPOSITION,
    LOOSE,
    FLOW,
    WETNESS,
    SHARED, // up to here
    TAKEN = SHARED,
    LAID,
    PASSED,
    PRESENT,
    NODATA,
    ERODIBILITY,
    RAIN,
    ARRAYS
};
static const size_t sizes[ARRAYS] = {4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 1, 4, 4};

struct SiltFluidDevice {
    SiltFluid *fluid;
    SiltSphDevice *water;
    SiltSphJoin *join;
    SiltProgram *program, *drop_program;
    SiltKernel *kernels[GROUND_KERNELS], *drop;
    SiltBuffer *arrays[ARRAYS];
    SiltBuffer *step, *rule, *any, *dropped;
    uint32_t known; // bits of the arrays that the host has as they are here
    bool is_pushed;
    bool is_layers_old;
};

static void *host_array(SiltFluidDevice *d, int which)
{
    SiltHeightfield *f = &d->fluid->field;
    void *const all[SHARED] = {f->ground,     f->base,  f->change, f->wear,
                               f->deposition, f->loose, f->flow,   f->wetness};
    return all[which];
}

static size_t cells_of(const SiltFluidDevice *d)
{
    return (size_t)d->fluid->field.width * (size_t)d->fluid->field.height;
}

// ---- making ----

static SiltStatus make_programs(SiltFluidDevice *d, SiltDevice *device, const char *owner)
{
    SiltStatus status =
        silt_program_create(device, owner, "#include \"couple/fluid.cl\"\n", NULL, &d->program);
    for (int k = 0; k < GROUND_KERNELS && status == SILT_OK; k++)
        status = silt_kernel_create(d->program, kernel_names[k], &d->kernels[k]);
    if (status == SILT_OK)
        status = silt_program_create(device, owner, "#include \"couple/drops.cl\"\n", NULL, &d->drop_program);
    if (status == SILT_OK)
        status = silt_sph_join_create(device, owner, d->fluid->sph->config.capacity, &d->join);
    return status == SILT_OK ? silt_kernel_create(d->drop_program, "place_drops", &d->drop) : status;
}

// Layers that there may or may not be take memory all the same: they can come while a run goes on.
static SiltStatus make_arrays(SiltFluidDevice *d, SiltDevice *device, const char *owner)
{
    uint64_t all = 0;
    for (int k = 0; k < ARRAYS; k++)
        all += cells_of(d) * sizes[k];
    SiltStatus status = silt_device_has_room(device, owner, all, 8 * (uint64_t)cells_of(d));
    for (int k = 0; k < ARRAYS && status == SILT_OK; k++)
        status = silt_buffer_create(device, owner, cells_of(d) * sizes[k], &d->arrays[k]);
    const struct {
        SiltBuffer **buffer;
        size_t bytes;
    } wanted[] = {{&d->step, sizeof(SiltFluidStep)},
                  {&d->rule, sizeof(SiltDropRule)},
                  {&d->any, sizeof(int)},
                  {&d->dropped, sizeof(SiltDropped)}};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_buffer_create(device, owner, wanted[k].bytes, wanted[k].buffer);
    return status;
}

SiltStatus silt_fluid_use_device(SiltFluid *fluid)
{
    SiltDevice *device = silt_device_current();
    if (!device)
        return SILT_OK;
    void *block;
    SiltStatus status = silt_alloc_for(fluid->owner, 1, sizeof(SiltFluidDevice), &block);
    if (status != SILT_OK)
        return status;
    fluid->device = block; // silt_fluid_end frees it
    fluid->device->fluid = fluid;
    fluid->device->known = UINT32_MAX;
    status = silt_sph_device_create(device, fluid->owner, fluid->sph);
    fluid->device->water = fluid->sph->device;
    if (status == SILT_OK)
        status = make_programs(fluid->device, device, fluid->owner);
    return status == SILT_OK ? make_arrays(fluid->device, device, fluid->owner) : status;
}

void silt_fluid_device_destroy(SiltFluidDevice *d)
{
    if (!d)
        return;
    for (int k = 0; k < ARRAYS; k++)
        silt_buffer_destroy(d->arrays[k]);
    SiltBuffer *rest[] = {d->step, d->rule, d->any, d->dropped};
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; k++)
        silt_buffer_destroy(rest[k]);
    silt_sph_join_destroy(d->join);
    silt_program_destroy(d->program);
    silt_program_destroy(d->drop_program);
    silt_free(d);
}

// ---- to and fro ----

// The arrays that a layer is shown from.
static uint32_t ground_of(int layer)
{
    switch (layer) {
    case SILT_SHALLOW_CHANGE:
        return 1u << CHANGE;
    case SILT_SHALLOW_DEPOSIT:
        return 1u << LOOSE;
    case SILT_SHALLOW_WEAR:
        return 1u << WEAR;
    case SILT_SHALLOW_DEPOSITION:
        return 1u << DEPOSITION;
    case SILT_SHALLOW_FLOW:
        return 1u << FLOW;
    case SILT_SHALLOW_WETNESS:
        return 1u << WETNESS;
    case SILT_FETCH_GROUND:
        return 1u << GROUND;
    default:
        return layer == SILT_FETCH_ALL ? (1u << SHARED) - 1u : 0;
    }
}

static uint32_t particles_of(int layer)
{
    const uint32_t places = 1u << SILT_AT_X | 1u << SILT_AT_Y | 1u << SILT_AT_CELLS;
    switch (layer) {
    case SILT_SHALLOW_WATER:
        return places;
    case SILT_SHALLOW_SEDIMENT:
        return places | 1u << SILT_AT_SEDIMENT;
    case SILT_SHALLOW_SPEED:
        return places | 1u << SILT_AT_U | 1u << SILT_AT_V;
    case SILT_FETCH_PARTICLES:
    case SILT_FETCH_ALL:
        return SILT_AT_ALL;
    default:
        return 0;
    }
}

SiltStatus silt_fluid_fetch(SiltFluid *fluid, int layer)
{
    SiltFluidDevice *d = fluid->device;
    if (!d)
        return SILT_OK;
    uint32_t wanted = ground_of(layer) & ~d->known;
    SiltStatus status = silt_sph_device_fetch(d->water, particles_of(layer));
    for (int k = 0; k < SHARED && status == SILT_OK; k++)
        if (wanted >> k & 1)
            status = silt_buffer_read(d->arrays[k], 0, host_array(d, k), cells_of(d) * sizes[k]);
    if (status == SILT_OK)
        d->known |= wanted;
    return status;
}

SiltStatus silt_fluid_push(SiltFluid *fluid)
{
    SiltFluidDevice *d = fluid->device;
    if (!d)
        return SILT_OK;
    for (int k = 0; k < SHARED; k++)
        silt_buffer_write(d->arrays[k], 0, host_array(d, k), cells_of(d) * sizes[k]);
    if (fluid->field.terrain->nodata)
        silt_buffer_write(d->arrays[NODATA], 0, fluid->field.terrain->nodata, cells_of(d));
    d->known = UINT32_MAX;
    d->is_pushed = true;
    d->is_layers_old = true;
    return silt_sph_device_push(d->water);
}

void silt_fluid_renew(SiltFluid *fluid)
{
    if (fluid->device)
        fluid->device->is_layers_old = true;
}

static void write_layer(SiltFluidDevice *d, int which, const SiltField *field)
{
    size_t row = (size_t)d->fluid->field.width * sizeof(float);
    if (field)
        silt_buffer_write_rows(d->arrays[which], 0, row, field->data, (size_t)field->stride * sizeof(float),
                               row, (size_t)d->fluid->field.height);
}

// ---- a step ----

#define RELIEF(d) BUFFER((d)->step), BUFFER((d)->arrays[GROUND]), BUFFER((d)->arrays[NODATA])

SiltFluidStep silt_fluid_numbers(const SiltFluid *fluid, double dt)
{
    const SiltSph *sph = fluid->sph;
    const SiltSphConfig *c = &sph->config;
    const SiltHeightfield *f = &fluid->field;
    return (SiltFluidStep){
        .rise = f->rise,
        .volume = fluid->volume,
        .duration = dt,
        .sides = {(float)c->low[0], (float)c->high[0], (float)c->low[1], (float)c->high[1]},
        .width = f->width,
        .height = f->height,
        .cell = f->cell,
        .has_nodata = f->terrain->nodata != NULL,
        .dt = (float)dt,
        .restitution = (float)c->restitution,
        .brake = silt_fluid_brake(fluid, (float)dt),
        .h = sph->law.h,
        .spacing = (float)c->spacing,
        .density = (float)c->density,
        .steep = sph->steep,
        .rough = sph->rough,
    };
}

void silt_fluid_device_begin(SiltFluidDevice *d, const SiltFluidStep *step, const SiltField *erodibility)
{
    SiltFluidStep whole = *step;
    if (!d->is_pushed)
        silt_fluid_push(d->fluid);
    if (d->is_layers_old) {
        write_layer(d, ERODIBILITY, erodibility);
        write_layer(d, RAIN, d->fluid->rain_map);
        d->is_layers_old = false;
    }
    whole.has_erodibility = erodibility != NULL;
    silt_buffer_write(d->step, 0, &whole, sizeof whole);
    silt_sph_device_ready(d->water);
}

void silt_fluid_device_loads(SiltFluidDevice *d)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    SiltSph *sph = d->fluid->sph;
    int count = sph->count;
    silt_buffer_fill(d->any, 0, 0, sizeof(int));
    LAUNCH(d->kernels[FIND_LOAD], count, ARRAY(d, SILT_AT_SEDIMENT), VALUE(count), BUFFER(d->any));
    LAUNCH(d->kernels[FIND_PACES], count, BUFFER(d->step), PLACES(d), ARRAY(d, SILT_AT_SEDIMENT),
           VALUE(count), BUFFER(d->any), BUFFER(b.record));
    LAUNCH(d->kernels[HAND_ON], count, BUFFER(d->step), CELLS(b), PLACES(d), BUFFER(b.record),
           VALUE(sph->law.h2), VALUE(count), BUFFER(d->any), BUFFER(b.scratch));
    LAUNCH(d->kernels[KEEP_LOADS], count, ARRAY(d, SILT_AT_SEDIMENT), BUFFER(b.scratch), VALUE(count),
           BUFFER(d->any));
    silt_sph_device_changed(d->water, 1u << SILT_AT_SEDIMENT);
}

void silt_fluid_device_planes(SiltFluidDevice *d)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    int count = d->fluid->sph->count;
    LAUNCH(d->kernels[PLANES], count, RELIEF(d), PLACES(d), VALUE(count), BUFFER(b.planes));
}

void silt_fluid_device_settle(SiltFluidDevice *d)
{
    SiltBuffer **a = d->arrays;
    LAUNCH(d->kernels[SETTLE], cells_of(d), BUFFER(d->step), BUFFER(a[GROUND]), BUFFER(a[BASE]),
           BUFFER(a[TAKEN]), BUFFER(a[LAID]), BUFFER(a[PASSED]), BUFFER(a[PRESENT]), BUFFER(a[CHANGE]),
           BUFFER(a[WEAR]), BUFFER(a[DEPOSITION]), BUFFER(a[LOOSE]), BUFFER(a[FLOW]), BUFFER(a[WETNESS]));
    d->known &= 1u << BASE;
}

SiltFluidBooks silt_fluid_device_books(const SiltFluidDevice *d)
{
    SiltBuffer *const *a = d->arrays;
    return (SiltFluidBooks){
        .step = d->step, .taken = a[TAKEN], .laid = a[LAID], .passed = a[PASSED], .present = a[PRESENT]};
}

SiltBuffer *silt_fluid_device_ground(SiltFluidDevice *d)
{
    if (!d->is_pushed)
        silt_fluid_push(d->fluid);
    d->known &= ~(1u << GROUND);
    return d->arrays[GROUND];
}

void silt_fluid_device_meet(SiltFluidDevice *d, SiltFluidKind kind)
{
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    SiltBuffer **a = d->arrays;
    int count = d->fluid->sph->count;
    LAUNCH(d->kernels[kind == SILT_FLUID_ACID ? MEET_ACID : MEET_GROUND], count, RELIEF(d), BUFFER(a[TAKEN]),
           BUFFER(a[LAID]), BUFFER(a[PASSED]), BUFFER(a[PRESENT]), BUFFER(a[ERODIBILITY]), PLACES(d),
           VELOCITIES(d), ARRAY(d, SILT_AT_DENSITY), ARRAY(d, SILT_AT_SEDIMENT), BUFFER(b.fate),
           VALUE(count));
    silt_fluid_device_settle(d);
    LAUNCH(d->kernels[LIFT], count, RELIEF(d), PLACES(d), VELOCITIES(d), BUFFER(b.fate), VALUE(count),
           ARRAY(d, SILT_AT_Z));
    silt_sph_device_changed(d->water, SILT_AT_ALL);
}

// ---- drops ----

SiltDropped silt_fluid_device_drop(SiltFluidDevice *d, const SiltDropRule *rule, int64_t first, double owed)
{
    SiltSph *sph = d->fluid->sph;
    SiltSphBuffers b = silt_sph_device_buffers(d->water);
    SiltDropped dropped = {0, 0};
    int wanted = owed < INT_MAX ? (int)owed : INT_MAX;
    if (silt_sph_device_ready(d->water) != SILT_OK)
        return dropped;
    silt_buffer_write(d->rule, 0, rule, sizeof *rule);
    LAUNCH_BY(SILT_JOIN_ITEMS, d->drop, 1, BUFFER(d->rule), RELIEF(d), BUFFER(d->arrays[RAIN]), CELLS(b),
              VALUE(sph->law), VALUE(first), VALUE(wanted), VALUE(sph->count), VALUE(sph->config.capacity),
              VALUE(sph->next_id), PLACES(d), VELOCITIES(d), ARRAY(d, SILT_AT_AX), ARRAY(d, SILT_AT_AY),
              ARRAY(d, SILT_AT_AZ), ARRAY(d, SILT_AT_DENSITY), ARRAY(d, SILT_AT_SEDIMENT),
              ARRAY(d, SILT_AT_AGE), ARRAY(d, SILT_AT_ID), BUFFER(b.fate), BUFFER(d->dropped));
    silt_fluid_device_join(d, wanted, d->dropped);
    if (silt_buffer_read(d->dropped, 0, &dropped, sizeof dropped) != SILT_OK)
        dropped = (SiltDropped){0, 0};
    return dropped;
}

void silt_fluid_device_join(SiltFluidDevice *d, int wanted, SiltBuffer *placed)
{
    const SiltSph *sph = d->fluid->sph;
    int room = sph->config.capacity - sph->count;
    silt_sph_join_run(d->join, d->water, sph, wanted < room ? wanted : room, placed);
}

void silt_fluid_device_add(SiltFluidDevice *d, int placed)
{
    SiltSph *sph = d->fluid->sph;
    sph->count += placed;
    sph->next_id += placed;
    silt_sph_device_changed(d->water, SILT_AT_ALL);
}
