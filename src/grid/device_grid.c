// Fields in a device's memory, and a pass as launches there: see device_grid.h.
#include "grid/device_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"
#include "grid/device_program.h"

enum { PAD_COLUMNS = 32, PAD_ROWS = 2, GROUP = 128, ROWS_EACH = 4 };

// Phases go over the map a block of rows at a time, each as far behind the newest row as on the processor: so
// rows in flight need no more than a ring. Blocks are long, because a launch takes its time.
enum { RING_ROWS = 1024, BEYOND = 8 }; // rows of a ring; of these no block's own

int silt_device_ring_rows = RING_ROWS;

// As in device_band.h.
typedef struct Shape {
    int32_t width, height, pitch, groups;
    int64_t origin;
    int32_t map_width, map_height, i, j, west, east, north, south;
} Shape;

struct SiltDeviceGrid {
    SiltDevice *device;
    const SiltGridTable *table;
    SiltProgram *program;
    SiltKernel *phases[SILT_GRID_PHASES], *fold, *gather;
    SiltBuffer *fields[SILT_GRID_FIELDS];
    SiltBuffer *steps, *partials, *sums, *maxima, *nothing, *places, *found;
    int32_t place_count;
    const SiltGridPlace *watched;
    uint32_t *seen;
    SiltField made; // rows that the processor makes
    char *step_copies;
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int slot_count;
    Shape shape;
    int ring_rows, block_rows, block_count;
    bool pushed;                         // whether the device has had the state
    bool is_newer[SILT_GRID_FIELDS];     // the device's than the processor's
    bool needs_layer[SILT_GRID_FIELDS];  // the processor's layer is newer
    uint64_t versions[SILT_GRID_FIELDS]; // of what the processor made
};

static bool is_state(const SiltGridTable *table, int field)
{
    const SiltField *state = table->fields[field].state;
    return state && state->data;
}

static bool is_used(const SiltGridTable *table, int field)
{
    // what the processor brings gets its place when there is something to bring
    return table->fields[field].state ? table->fields[field].state->data != NULL
                                      : silt_grid_program_rings(table, field);
}

static size_t plane_bytes(const SiltDeviceGrid *grid, int field)
{
    int rows = silt_grid_program_rings(grid->table, field) ? grid->ring_rows : grid->shape.height;
    return (size_t)grid->shape.pitch * (size_t)(rows + 2 * PAD_ROWS);
}

static int power_of_two(int least)
{
    int power = 16;
    while (power < least)
        power *= 2;
    return power;
}

// How many rows a launch does, and how many launches a phase takes.
static void choose_blocks(SiltDeviceGrid *grid)
{
    int behind = 0, all;
    for (int p = 0; p < grid->table->phase_count; p++)
        behind = grid->table->phases[p].behind > behind ? grid->table->phases[p].behind : behind;
    all = grid->shape.height + 2 + behind;
    const char *wanted = getenv("SILT_DEVICE_ROWS"); // for who measures: docs/gpu.md
    int ring = power_of_two(all + BEYOND), most = wanted ? power_of_two(atoi(wanted)) : silt_device_ring_rows;
    grid->ring_rows = ring < most ? ring : most;
    grid->block_rows = (grid->ring_rows - BEYOND) / ROWS_EACH * ROWS_EACH;
    grid->block_count = (all + grid->block_rows - 1) / grid->block_rows;
    size_t wide = ((size_t)grid->shape.width + GROUP - 1) / GROUP;
    grid->shape.groups = (int32_t)(wide * (size_t)(grid->block_rows / ROWS_EACH) * (size_t)grid->block_count);
}

// ---- making it ----

static Shape shape_of(const SiltTerrain *terrain)
{
    SiltRegion r = silt_region_of(terrain);
    Shape shape = {.width = terrain->width, .height = terrain->height};
    shape.pitch = (terrain->width + 2 * PAD_COLUMNS + 31) / 32 * 32 * 4;
    shape.origin = (int64_t)PAD_ROWS * shape.pitch + PAD_COLUMNS * 4;
    shape.map_width = r.map_width;
    shape.map_height = r.map_height;
    shape.i = r.i;
    shape.j = r.j;
    shape.west = r.west;
    shape.east = r.east;
    shape.north = r.north;
    shape.south = r.south;
    return shape;
}

static SiltStatus make_buffers(SiltDeviceGrid *grid)
{
    const SiltGridTable *table = grid->table;
    const char *owner = table->owner;
    SiltDevice *device = grid->device;
    size_t slots = (size_t)grid->slot_count;
    uint64_t all = 0, largest = 0;
    for (int f = 0; f < table->field_count; f++) {
        uint64_t bytes = is_used(table, f) ? plane_bytes(grid, f) : 0;
        all += bytes;
        largest = bytes > largest ? bytes : largest;
    }
    SiltStatus status = silt_device_has_room(device, owner, all, largest);
    for (int f = 0; f < table->field_count && status == SILT_OK; f++)
        if (is_used(table, f))
            status = silt_buffer_create(device, owner, plane_bytes(grid, f), &grid->fields[f]);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)table->steps * table->program->step_bytes,
                                    &grid->steps);
    if (status == SILT_OK)
        status =
            silt_buffer_create(device, owner, slots * (size_t)grid->shape.groups * 8 + 8, &grid->partials);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)table->steps * (slots + 1) * 8, &grid->sums);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, slots * 4 + 4, &grid->maxima);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, 64, &grid->nothing);
    int32_t maxima[SILT_GRID_SLOTS];
    for (int k = 0; k < grid->slot_count; k++)
        maxima[k] = grid->slots[k].most;
    if (status == SILT_OK)
        status = silt_buffer_write(grid->maxima, 0, maxima, slots * 4);
    if (status == SILT_OK && table->program->make)
        status = silt_field_create(2 * grid->shape.width, grid->shape.height, &grid->made);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)table->steps, table->program->step_bytes,
                                (void **)&grid->step_copies);
    return status;
}

static SiltStatus make_kernels(SiltDeviceGrid *grid)
{
    const SiltGridTable *table = grid->table;
    char *text = silt_grid_program_text(table), options[256];
    snprintf(options, sizeof options, "-D SILT_ROWS_EACH=%d -D SILT_RING_ROWS=%d %s", ROWS_EACH,
             grid->ring_rows, table->defines ? table->defines : "");
    if (!text)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_program_create(grid->device, table->owner, text, options, &grid->program);
    silt_free(text);
    for (int p = 0; p < table->phase_count && status == SILT_OK; p++) {
        char name[40];
        snprintf(name, sizeof name, "phase_%d_%.24s", p, table->phases[p].name);
        status = silt_kernel_create(grid->program, name, &grid->phases[p]);
        SiltKernel *kernel = grid->phases[p];
        if (status != SILT_OK)
            break;
        silt_kernel_set_buffer(kernel, 0, grid->steps);
        silt_kernel_set(kernel, 2, &grid->shape, sizeof grid->shape);
        silt_kernel_set_buffer(kernel, 5, grid->partials);
        for (int f = 0; f < table->field_count; f++)
            silt_kernel_set_buffer(kernel, 6 + f, grid->fields[f] ? grid->fields[f] : grid->nothing);
    }
    if (status == SILT_OK)
        status = silt_kernel_create(grid->program, "silt_fold", &grid->fold);
    if (status == SILT_OK)
        status = silt_kernel_create(grid->program, "silt_gather", &grid->gather);
    if (status == SILT_OK) {
        silt_kernel_set_buffer(grid->fold, 0, grid->partials);
        silt_kernel_set_buffer(grid->fold, 2, grid->maxima);
        silt_kernel_set(grid->fold, 3, &grid->shape.groups, sizeof grid->shape.groups);
    }
    return status == SILT_OK ? silt_device_status(grid->device) : status;
}

SiltStatus silt_device_grid_create(SiltDevice *device, const SiltGridTable *table, const SiltTerrain *terrain,
                                   SiltDeviceGrid **out)
{
    *out = NULL;
    if (terrain->region)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a region of a map is worked on by the processor alone",
                         table->owner);
    void *block;
    SiltStatus status = silt_alloc_for(table->owner, 1, sizeof(SiltDeviceGrid), &block);
    if (status != SILT_OK)
        return status;
    SiltDeviceGrid *grid = block;
    grid->device = device;
    grid->table = table;
    grid->shape = shape_of(terrain);
    choose_blocks(grid);
    grid->slot_count = silt_grid_program_slots(table, grid->slots);
    status = make_buffers(grid);
    if (status == SILT_OK)
        status = make_kernels(grid);
    if (status != SILT_OK) {
        silt_device_grid_destroy(grid);
        return status;
    }
    silt_device_grid_renew(grid);
    *out = grid;
    return SILT_OK;
}

void silt_device_grid_destroy(SiltDeviceGrid *grid)
{
    if (!grid)
        return;
    silt_program_destroy(grid->program);
    for (int f = 0; f < SILT_GRID_FIELDS; f++)
        silt_buffer_destroy(grid->fields[f]);
    SiltBuffer *const others[] = {grid->steps,   grid->partials, grid->sums, grid->maxima,
                                  grid->nothing, grid->places,   grid->found};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        silt_buffer_destroy(others[k]);
    silt_field_destroy(&grid->made);
    silt_free(grid->step_copies);
    silt_free(grid->seen);
    silt_free(grid);
}

// ---- to and fro ----

static SiltStatus write_field(SiltDeviceGrid *grid, int f, const SiltField *from, int first, int count)
{
    size_t at = (size_t)grid->shape.origin + (size_t)first * (size_t)grid->shape.pitch;
    return silt_buffer_write_rows(grid->fields[f], at, (size_t)grid->shape.pitch, silt_field_row(from, first),
                                  from->stride * 4, (size_t)grid->shape.width * 4, (size_t)count);
}

SiltStatus silt_device_grid_push(SiltDeviceGrid *grid, int first, int count)
{
    bool all = first == 0 && count == grid->shape.height;
    SiltStatus status = SILT_OK;
    for (int f = 0; f < grid->table->field_count && status == SILT_OK; f++) {
        if (!is_state(grid->table, f) || !grid->fields[f])
            continue;
        status = write_field(grid, f, grid->table->fields[f].state, first, count);
        grid->is_newer[f] = grid->is_newer[f] && !all;
    }
    for (int k = 0; k < grid->table->program->made_count;
         k++) // some follow from the ground as a hand left it
        grid->needs_layer[grid->table->program->made[k]] = true;
    grid->pushed = grid->pushed || all;
    return status;
}

static bool is_named(const char *names, const char *name)
{
    char word[SILT_NAME_SIZE];
    for (const char *cursor = names ? names : ""; silt_next_word(&cursor, word, sizeof word);)
        if (strcmp(word, name) == 0)
            return true;
    return !names;
}

SiltStatus silt_device_grid_fetch(SiltDeviceGrid *grid, const char *names, int first, int count)
{
    const Shape *shape = &grid->shape;
    SiltStatus status = SILT_OK;
    for (int f = 0; f < grid->table->field_count && status == SILT_OK; f++) {
        const SiltGridField *field = &grid->table->fields[f];
        if (!grid->is_newer[f] || !is_named(names, field->name))
            continue;
        size_t at = (size_t)shape->origin + (size_t)first * (size_t)shape->pitch;
        status = silt_buffer_read_rows(grid->fields[f], at, (size_t)shape->pitch,
                                       silt_field_row(field->state, first), field->state->stride * 4,
                                       (size_t)shape->width * 4, (size_t)count);
        grid->is_newer[f] = status != SILT_OK || first > 0 || count < shape->height;
    }
    return status;
}

void silt_device_grid_renew(SiltDeviceGrid *grid)
{
    for (int f = 0; f < grid->table->field_count; f++)
        grid->needs_layer[f] = true;
}

SiltStatus silt_device_grid_watch(SiltDeviceGrid *grid, const SiltGridPlace *places, int count)
{
    const char *owner = grid->table->owner;
    silt_buffer_destroy(grid->places);
    silt_buffer_destroy(grid->found);
    grid->places = grid->found = NULL;
    grid->place_count = 0;
    SiltStatus status =
        silt_buffer_create(grid->device, owner, (size_t)count * sizeof *places, &grid->places);
    if (status == SILT_OK)
        status = silt_buffer_create(grid->device, owner, (size_t)count * sizeof(uint32_t), &grid->found);
    if (status == SILT_OK)
        status = silt_buffer_write(grid->places, 0, places, (size_t)count * sizeof *places);
    silt_free(grid->seen);
    grid->seen = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)count, sizeof *grid->seen, (void **)&grid->seen);
    if (status != SILT_OK)
        return status;
    grid->place_count = count;
    grid->watched = places;
    silt_kernel_set(grid->gather, 0, &grid->shape, sizeof grid->shape);
    silt_kernel_set_buffer(grid->gather, 1, grid->places);
    silt_kernel_set(grid->gather, 2, &grid->place_count, sizeof grid->place_count);
    silt_kernel_set_buffer(grid->gather, 3, grid->found);
    for (int f = 0; f < grid->table->field_count; f++)
        silt_kernel_set_buffer(grid->gather, 4 + f, grid->fields[f] ? grid->fields[f] : grid->nothing);
    return silt_device_status(grid->device);
}

SiltStatus silt_device_grid_look(SiltDeviceGrid *grid)
{
    if (!grid->pushed) // the processor has it all
        return SILT_OK;
    size_t bytes = (size_t)grid->place_count * sizeof *grid->seen;
    SiltStatus status = silt_kernel_run(grid->gather, 1, (const size_t[]){(size_t)grid->place_count}, NULL);
    if (status == SILT_OK)
        status = silt_buffer_read(grid->found, 0, grid->seen, bytes);
    for (int k = 0; k < grid->place_count && status == SILT_OK; k++) {
        SiltGridPlace at = grid->watched[k];
        memcpy(silt_field_row(grid->table->fields[at.field].state, at.j) + at.i, &grid->seen[k],
               sizeof *grid->seen);
    }
    return status;
}

// ---- a pass ----

typedef struct MakeJob {
    SiltDeviceGrid *grid;
    const void *step;
    int field;
} MakeJob;

static void make_rows(void *context, int begin, int end)
{
    const MakeJob *job = context;
    for (int j = begin; j < end; j++)
        job->grid->table->program->make(job->step, job->field, j, silt_field_row(&job->grid->made, j),
                                        silt_field_row(&job->grid->made, j) + job->grid->shape.width);
}

static SiltStatus make_place(SiltDeviceGrid *grid, int f)
{
    const SiltGridTable *table = grid->table;
    SiltStatus status = grid->fields[f] ? SILT_OK
                                        : silt_buffer_create(grid->device, table->owner, plane_bytes(grid, f),
                                                             &grid->fields[f]);
    for (int p = 0; p < table->phase_count && status == SILT_OK; p++)
        status = silt_kernel_set_buffer(grid->phases[p], 6 + f, grid->fields[f]);
    return status;
}

// What the processor makes for the step: layers that have changed, and rows such as those of drops.
static SiltStatus bring_layers(SiltDeviceGrid *grid, const void *step)
{
    const SiltGridProgram *program = grid->table->program;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < program->layer_count && status == SILT_OK; k++) {
        int f = program->layers[k].field;
        const SiltField *layer = program->layers[k].of(step);
        if (grid->needs_layer[f] && layer)
            status = make_place(grid, f);
        if (grid->needs_layer[f] && layer && status == SILT_OK)
            status = write_field(grid, f, layer, 0, grid->shape.height);
        grid->needs_layer[f] = false;
    }
    for (int k = 0; k < program->made_count && status == SILT_OK; k++) {
        int f = program->made[k];
        uint64_t version = program->version(step, f);
        if (version == 0 || (version == grid->versions[f] && !grid->needs_layer[f]))
            continue;
        grid->versions[f] = version;
        const char *needs = program->make_reads ? program->make_reads(step) : NULL;
        if (needs)
            status = silt_device_grid_fetch(grid, needs, 0, grid->shape.height);
        MakeJob job = {grid, step, f};
        silt_parallel(grid->shape.height, 16, make_rows, &job);
        if (status == SILT_OK)
            status = make_place(grid, f);
        if (status == SILT_OK)
            status = write_field(grid, f, &grid->made, 0, grid->shape.height);
        grid->needs_layer[f] = false;
    }
    return status;
}

static void take_tally(const SiltDeviceGrid *grid, const int64_t *found, char *tally)
{
    for (int k = 0; k < grid->slot_count; k++) {
        int64_t sum;
        int32_t most;
        char *member = tally + grid->slots[k].offset;
        if (grid->slots[k].most) {
            memcpy(&most, member, sizeof most);
            most = (int32_t)found[k] > most ? (int32_t)found[k] : most;
            memcpy(member, &most, sizeof most);
        } else {
            memcpy(&sum, member, sizeof sum);
            sum += found[k];
            memcpy(member, &sum, sizeof sum);
        }
    }
}

// A phase that the step does without adds nothing: not what it left in the step before.
static void skip(SiltDeviceGrid *grid, int phase)
{
    size_t each = (size_t)grid->shape.groups * 8;
    for (int k = 0; k < grid->slot_count; k++)
        if (grid->slots[k].phase == phase)
            silt_buffer_fill(grid->partials, (size_t)k * each, 0, each);
}

static void run_block(SiltDeviceGrid *grid, const void *step, int block)
{
    const SiltGridTable *table = grid->table;
    size_t block_groups = (size_t)grid->shape.groups / (size_t)grid->block_count;
    const size_t items[] = {(size_t)grid->shape.width, (size_t)(grid->block_rows / ROWS_EACH)},
                 group[] = {GROUP, 1};
    const int32_t first_group = (int32_t)(block_groups * (size_t)block);
    for (int p = 0; p < table->phase_count; p++) {
        const SiltPhase *phase = &table->phases[p];
        const int32_t first = -1 + block * grid->block_rows - phase->behind;
        if (phase->skips && phase->skips(step))
            continue;
        silt_kernel_set(grid->phases[p], 3, &first, sizeof first);
        silt_kernel_set(grid->phases[p], 4, &first_group, sizeof first_group);
        silt_kernel_run(grid->phases[p], 2, items, group);
    }
}

static void run_step(SiltDeviceGrid *grid, const void *step, int n)
{
    const int32_t which = n;
    for (int p = 0; p < grid->table->phase_count; p++) {
        silt_kernel_set(grid->phases[p], 1, &which, sizeof which);
        if (grid->table->phases[p].skips && grid->table->phases[p].skips(step))
            skip(grid, p);
    }
    for (int block = 0; block < grid->block_count; block++)
        run_block(grid, step, block);
}

void silt_device_grid_pass(SiltDeviceGrid *grid, const void *const *steps, int count, char *tallies,
                           size_t stride)
{
    const SiltGridTable *table = grid->table;
    size_t each = table->program->step_bytes, slots = (size_t)grid->slot_count;
    int64_t found[SILT_GRID_SLOTS];
    SiltStatus status = grid->pushed ? SILT_OK : silt_device_grid_push(grid, 0, grid->shape.height);
    for (int n = 0; n < count; n++)
        memcpy(grid->step_copies + (size_t)n * each, steps[n], each);
    if (status == SILT_OK && table->program->needs_double && table->program->needs_double(steps[0]) &&
        !silt_device_of(grid->device)->has_double)
        status =
            silt_device_fail(grid->device, SILT_MISSING_FEATURE,
                             "beds of rock and what goes by altitude need double precision, which it lacks");
    if (status == SILT_OK)
        status = silt_buffer_write(grid->steps, 0, grid->step_copies, (size_t)count * each);
    for (int n = 0; n < count && status == SILT_OK; n++) {
        memset(tallies + (size_t)n * stride, 0, table->tally);
        status = bring_layers(grid, steps[n]);
        if (status != SILT_OK)
            break;
        run_step(grid, steps[n], n);
        for (int f = 0; f < table->field_count; f++)
            grid->is_newer[f] = is_state(table, f) && grid->fields[f];
        if (slots == 0)
            continue;
        silt_kernel_set_buffer(grid->fold, 1, grid->sums);
        silt_kernel_run(grid->fold, 1, (const size_t[]){slots * GROUP}, (const size_t[]){GROUP});
        status = silt_buffer_read(grid->sums, 0, found, slots * 8);
        if (status == SILT_OK)
            take_tally(grid, found, tallies + (size_t)n * stride);
    }
}
