// Fields in a device's memory, and the programs that work on them: see device_grid.h.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "grid/device_own.h"

enum { PAD_COLUMNS = 32, PAD_ROWS = 2 };

// Phase after phase they go over the map a block of rows at a time, each as far behind the newest row as on
// the processor: so rows in flight need no more than a ring. Blocks are long, because a launch takes its
// time.
enum { RING_ROWS = 1024, BEYOND = 8 }; // rows of a ring; of these no block's own

int silt_device_ring_rows = RING_ROWS;
int silt_device_tile_rows;
int silt_device_in_tiles = -1;
int silt_device_reads_ahead = -1;
int silt_device_cuts = -1;

typedef SiltDeviceShape Shape;

bool silt_device_grid_has_state(const SiltDeviceGrid *grid, int field)
{
    const SiltField *state = grid->table->fields[field].state;
    return state && state->data;
}

static bool is_used(const SiltDeviceGrid *grid, int field)
{
    // what the processor brings gets its place when there is something to bring, and rows in flight that a
    // group holds need none
    return grid->table->fields[field].state ? silt_device_grid_has_state(grid, field)
           : grid->tiled                    ? grid->handed >> field & 1
                                            : silt_grid_program_rings(grid->table, field);
}

static bool is_kept_twice(const SiltDeviceGrid *grid, int field)
{
    return grid->tiled && (grid->twice >> field & 1);
}

size_t silt_device_grid_plane(const SiltDeviceGrid *grid, int field)
{
    bool rings = !grid->tiled && silt_grid_program_rings(grid->table, field);
    int rows = rings ? grid->ring_rows : grid->shape.height;
    return (size_t)grid->shape.pitch * (size_t)(rows + 2 * PAD_ROWS);
}

static int power_of_two(int least)
{
    int power = 16;
    while (power < least)
        power *= 2;
    return power;
}

static int wanted_rows(void)
{
    const char *wanted = getenv("SILT_DEVICE_ROWS"); // for who measures: docs/gpu.md
    return wanted ? atoi(wanted) : 0;
}

// How many rows a launch does, and how many launches a phase takes.
static void choose_blocks(SiltDeviceGrid *grid)
{
    int behind = 0, all;
    for (int p = 0; p < grid->table->phase_count; p++)
        behind = grid->table->phases[p].behind > behind ? grid->table->phases[p].behind : behind;
    all = grid->shape.height + 2 + behind;
    int ring = power_of_two(all + BEYOND),
        most = wanted_rows() > 0 ? power_of_two(wanted_rows()) : silt_device_ring_rows;
    grid->ring_rows = ring < most ? ring : most;
    grid->shape.ring = grid->ring_rows - 1;
    grid->block_rows = (grid->ring_rows - BEYOND) / SILT_DEVICE_ROWS_EACH * SILT_DEVICE_ROWS_EACH;
    grid->block_count = (all + grid->block_rows - 1) / grid->block_rows;
    size_t wide = ((size_t)grid->shape.width + SILT_DEVICE_GROUP - 1) / SILT_DEVICE_GROUP;
    grid->shape.groups =
        (int32_t)(wide * (size_t)(grid->block_rows / SILT_DEVICE_ROWS_EACH) * (size_t)grid->block_count);
}

// ---- tiles ----

void silt_device_grid_plan(const SiltDeviceGrid *grid, uint64_t present, SiltTilePlan *plan)
{
    const char *asked = getenv("SILT_DEVICE_AHEAD"); // for who measures: docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_reads_ahead;
    silt_tiles_plan(grid->table, grid->cuts, present, silt_device_local_bytes(grid->device),
                    SILT_DEVICE_GROUP, plan);
    for (int k = 0; k < plan->count; k++) {
        plan->passes[k].ahead = wanted < 0 ? silt_device_of(grid->device)->is_gpu : wanted > 0;
        // PoCL 3.1 lets groups that work at the same time share what is a kernel's own, now and then
        plan->passes[k].is_given = !silt_device_of(grid->device)->is_gpu;
        plan->passes[k].is_large =
            (uint64_t)grid->shape.pitch * ((uint64_t)grid->shape.height + 2 * PAD_ROWS) > UINT32_MAX;
    }
}

// Where passes begin, as somebody wants it: numbers of phases with commas between them, `0` for one pass.
static uint32_t wanted_cuts(const char *asked)
{
    uint32_t cuts = 0;
    for (const char *at = asked; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        cuts |= (uint32_t)1 << (atoi(at) & 15);
    return cuts & ~1u;
}

// What passes hand on, and what there must be two of, lies in the device's memory.
static void note_plan(SiltDeviceGrid *grid, const SiltTilePlan *plan)
{
    for (int k = 0; k < plan->count; k++) {
        const SiltTiles *tiles = &plan->passes[k];
        grid->handed |= tiles->handed;
        grid->twice |= tiles->twice;
    }
}

// Whether groups can hold what a step works on, whatever the processor will bring for it, and in which
// passes. A processor that plays the device has no fast memory of its own, and waits at every barrier.
static bool can_tile(SiltDeviceGrid *grid)
{
    const char *asked = getenv("SILT_DEVICE_TILES"), *cuts = getenv("SILT_DEVICE_CUTS"); // docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_in_tiles;
    uint64_t most = 0;
    for (int f = 0; f < grid->table->field_count; f++)
        most |= (uint64_t)(silt_device_grid_has_state(grid, f) || !grid->table->fields[f].state) << f;
    if (wanted < 0 ? !silt_device_of(grid->device)->is_gpu : wanted == 0)
        return false;
    grid->cuts = cuts ? wanted_cuts(cuts) : (uint32_t)silt_device_cuts;
    if (!cuts && silt_device_cuts < 0 &&
        !silt_tiles_choose(grid->table, most, silt_device_local_bytes(grid->device), SILT_DEVICE_GROUP,
                           &grid->cuts))
        return false;
    grid->cuts = grid->table->exact ? grid->cuts : 0;
    SiltTilePlan plan;
    silt_device_grid_plan(grid, most, &plan);
    note_plan(grid, &plan);
    return plan.count > 0;
}

// ---- making it ----

static void leave_to_bring(SiltDeviceGrid *grid);

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

static SiltStatus has_room(const SiltDeviceGrid *grid)
{
    uint64_t all = 0, largest = 0;
    for (int f = 0; f < grid->table->field_count; f++) {
        uint64_t bytes = is_used(grid, f) ? silt_device_grid_plane(grid, f) : 0;
        all += is_kept_twice(grid, f) ? 2 * bytes : bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return silt_device_has_room(grid->device, grid->table->owner, all, largest);
}

static SiltStatus make_buffers(SiltDeviceGrid *grid)
{
    const SiltGridTable *table = grid->table;
    const char *owner = table->owner;
    SiltDevice *device = grid->device;
    size_t slots = (size_t)grid->slot_count;
    SiltStatus status = has_room(grid);
    for (int f = 0; f < table->field_count && status == SILT_OK; f++)
        if (is_used(grid, f))
            status = silt_buffer_create(device, owner, silt_device_grid_plane(grid, f), &grid->fields[f]);
    for (int f = 0; f < table->field_count && status == SILT_OK; f++)
        if (is_kept_twice(grid, f))
            status = silt_buffer_create(device, owner, silt_device_grid_plane(grid, f), &grid->next[f]);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)table->steps * table->program->step_bytes,
                                    &grid->steps);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)table->steps * (slots + 1) * 8, &grid->sums);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, slots * 4 + 4, &grid->maxima);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, 64, &grid->nothing);
    if (status == SILT_OK && table->program->make)
        status = silt_field_create(2 * grid->shape.width, grid->shape.height, &grid->made);
    for (int k = 0; k < 4 && status == SILT_OK && table->program->make; k++)
        status = silt_alloc_for(owner, (size_t)(k < 2 ? grid->shape.width : grid->shape.height),
                                sizeof(float), (void **)&grid->ends[k]);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)table->steps, table->program->step_bytes,
                                (void **)&grid->step_copies);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, 1, table->program->step_bytes, (void **)&grid->known);
    return status;
}

// Each pass over tiles has its own partial results.
static int slots_of_passes(SiltDeviceGrid *grid)
{
    const SiltGridTable *table = grid->table;
    int count = 0;
    for (int first = 0, end; first < table->phase_count; first = end) {
        for (end = first + 1; end < table->phase_count && !(grid->cuts >> end & 1);)
            end++;
        count += silt_grid_program_members(table, first, end, grid->slots + count);
    }
    return count;
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
    grid->tiled = can_tile(grid);
    if (grid->tiled && has_room(grid) != SILT_OK) // each field once takes half of that
        grid->tiled = false;
    grid->slot_count = grid->tiled ? slots_of_passes(grid) : silt_grid_program_slots(table, grid->slots);
    grid->knows = silt_device_grid_should_know(grid);
    silt_device_tuning_start(grid);
    status = make_buffers(grid);
    if (status == SILT_OK && !grid->tiled && !grid->knows) // else it needs to be known what the step has
        status = silt_device_grid_build(grid, NULL);
    if (status != SILT_OK) {
        silt_device_grid_destroy(grid);
        return status;
    }
    silt_device_grid_renew(grid);
    leave_to_bring(grid);
    *out = grid;
    return SILT_OK;
}

void silt_device_grid_destroy(SiltDeviceGrid *grid)
{
    if (!grid)
        return;
    for (int k = 0; k < SILT_DEVICE_VARIANTS; k++)
        silt_device_variant_free(&grid->variants[k]);
    silt_free(grid->known);
    for (int f = 0; f < SILT_GRID_FIELDS; f++) {
        silt_buffer_destroy(grid->fields[f]);
        silt_buffer_destroy(grid->next[f]);
    }
    SiltBuffer *const others[] = {grid->steps,   grid->partials, grid->sums, grid->maxima,
                                  grid->nothing, grid->places,   grid->found};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        silt_buffer_destroy(others[k]);
    silt_field_destroy(&grid->made);
    for (int k = 0; k < 4; k++)
        silt_free(grid->ends[k]);
    silt_free(grid->step_copies);
    silt_free(grid->seen);
    silt_free(grid);
}

// ---- to and fro ----

SiltStatus silt_device_grid_write(SiltDeviceGrid *grid, int f, const SiltField *from, int first, int count)
{
    size_t at = (size_t)grid->shape.origin + (size_t)first * (size_t)grid->shape.pitch;
    return silt_buffer_write_rows(grid->fields[f], at, (size_t)grid->shape.pitch, silt_field_row(from, first),
                                  from->stride * 4, (size_t)grid->shape.width * 4, (size_t)count);
}

// A row of zeros, and nothing but these: -0 is none.
static bool is_blank_row(const SiltField *field, int j)
{
    const float *row = silt_field_row(field, j);
    uint32_t any = 0, word;
    for (int i = 0; i < field->width; i++) {
        memcpy(&word, row + i, sizeof word);
        any |= word;
    }
    return any == 0;
}

typedef struct Blank {
    const SiltField *field;
    atomic_bool is_not;
} Blank;

static void look_at_rows(void *context, int begin, int end)
{
    Blank *blank = context;
    for (int j = begin; j < end && !atomic_load_explicit(&blank->is_not, memory_order_relaxed); j++)
        if (!is_blank_row(blank->field, j))
            atomic_store_explicit(&blank->is_not, true, memory_order_relaxed);
}

static bool is_blank(const SiltField *field)
{
    Blank blank = {.field = field};
    if (!is_blank_row(field, field->height / 2)) // most that are not
        return false;
    silt_parallel(field->height, 16, look_at_rows, &blank);
    return !atomic_load(&blank.is_not);
}

// Much of a run begins with zeros. These are there already, or are made there; and the processor's pages,
// which nobody has written to, stay where nobody has.
static SiltStatus bring_field(SiltDeviceGrid *grid, int f)
{
    const SiltField *state = grid->table->fields[f].state;
    if (!is_blank(state))
        return silt_device_grid_write(grid, f, state, 0, grid->shape.height);
    return grid->worked ? silt_buffer_fill(grid->fields[f], 0, 0, silt_device_grid_plane(grid, f)) : SILT_OK;
}

SiltStatus silt_device_grid_bring(SiltDeviceGrid *grid)
{
    SiltStatus status = SILT_OK;
    for (int f = 0; f < grid->table->field_count && status == SILT_OK; f++)
        if (grid->is_older[f]) {
            status = bring_field(grid, f);
            grid->is_older[f] = status != SILT_OK;
        }
    grid->worked = true;
    grid->pushed = status == SILT_OK;
    return status;
}

// All of it may change again, or never be looked at: it waits for the next step.
static void leave_to_bring(SiltDeviceGrid *grid)
{
    for (int f = 0; f < grid->table->field_count; f++)
        grid->is_older[f] = silt_device_grid_has_state(grid, f) && grid->fields[f] && !grid->is_newer[f];
    grid->pushed = false;
}

SiltStatus silt_device_grid_push(SiltDeviceGrid *grid, int first, int count)
{
    SiltStatus status = SILT_OK;
    if (first == 0 && count == grid->shape.height)
        leave_to_bring(grid);
    else
        for (int f = 0; f < grid->table->field_count && status == SILT_OK; f++)
            if (silt_device_grid_has_state(grid, f) && grid->fields[f] && !grid->is_older[f])
                status = silt_device_grid_write(grid, f, grid->table->fields[f].state, first, count);
    for (int k = 0; k < grid->table->program->made_count;
         k++) // some follow from the ground as a hand left it
        grid->needs_layer[grid->table->program->made[k]] = true;
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
    return silt_device_status(grid->device);
}

static void take_places(void *context, int begin, int end)
{
    const SiltDeviceGrid *grid = context;
    for (int k = begin; k < end; k++) {
        SiltGridPlace at = grid->watched[k];
        memcpy(silt_field_row(grid->table->fields[at.field].state, at.j) + at.i, &grid->seen[k],
               sizeof *grid->seen);
    }
}

SiltStatus silt_device_grid_look(SiltDeviceGrid *grid)
{
    if (!grid->pushed || !grid->gather) // the processor has it all
        return SILT_OK;
    size_t bytes = (size_t)grid->place_count * sizeof *grid->seen;
    SiltStatus status = SILT_OK;
    silt_kernel_set(grid->gather, 0, &grid->shape, sizeof grid->shape);
    silt_kernel_set_buffer(grid->gather, 1, grid->places);
    silt_kernel_set(grid->gather, 2, &grid->place_count, sizeof grid->place_count);
    silt_kernel_set_buffer(grid->gather, 3, grid->found);
    for (int f = 0; f < grid->table->field_count; f++)
        silt_kernel_set_buffer(grid->gather, 4 + f, grid->fields[f] ? grid->fields[f] : grid->nothing);
    status = silt_kernel_run(grid->gather, 1, (const size_t[]){(size_t)grid->place_count}, NULL);
    if (status == SILT_OK)
        status = silt_buffer_read(grid->found, 0, grid->seen, bytes);
    if (status == SILT_OK)
        silt_parallel(grid->place_count, 1024, take_places, grid);
    return status;
}

SiltStatus silt_device_grid_there(SiltDeviceGrid *grid, const char *name, SiltGridThere *out)
{
    SiltStatus status = grid->pushed ? SILT_OK : silt_device_grid_bring(grid);
    for (int f = 0; f < grid->table->field_count && status == SILT_OK; f++)
        if (strcmp(grid->table->fields[f].name, name) == 0 && silt_device_grid_has_state(grid, f) &&
            grid->fields[f]) {
            *out = (SiltGridThere){grid->device,       grid->fields[f],   grid->shape.width,
                                   grid->shape.height, grid->shape.pitch, grid->shape.origin};
            return SILT_OK;
        }
    return status == SILT_OK
               ? silt_fail(SILT_BAD_ARGUMENT, "%s: '%.60s' lies on no device", grid->table->owner, name)
               : status;
}
