// Programs of a grid on a device, each for some fields and settings, and which of them is at work: see
// device_own.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "grid/device_own.h"

int silt_device_knows_settings = -1;

void silt_device_variant_free(SiltDeviceVariant *variant)
{
    silt_program_destroy(variant->program);
    silt_free(variant->settings);
    *variant = (SiltDeviceVariant){0};
}

static uint64_t fields_with_buffers(const SiltDeviceGrid *grid)
{
    uint64_t set = 0;
    for (int f = 0; f < grid->table->field_count; f++)
        set |= (uint64_t)(grid->fields[f] != NULL) << f;
    return set;
}

// A program that knows its settings is given the step as an argument, too: numbers that are arguments need no
// registers on GPUs. Compilers take their time for it, and another one is made when settings change.
bool silt_device_grid_should_know(const SiltDeviceGrid *grid)
{
    const char *asked = getenv("SILT_DEVICE_KNOWS"); // for who measures: docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_knows_settings;
    size_t pointers = 8 * (2 * (size_t)grid->table->field_count + 4);
    size_t bytes = grid->table->program->step_bytes + sizeof grid->shape + pointers;
    return (wanted < 0 ? silt_device_of(grid->device)->is_gpu : wanted > 0) &&
           bytes + 128 <= silt_device_parameter_bytes(grid->device);
}

// ---- making one ----

static void add_passes(SiltText *text, const SiltDeviceGrid *grid, const SiltDeviceVariant *variant)
{
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int slot = 0;
    for (int k = 0; k < variant->plan.count; k++) {
        const SiltTiles *tiles = &variant->plan.passes[k];
        silt_tiles_add(text, grid->table, &variant->plan, k, slot, grid->knows ? &variant->work : NULL);
        slot += silt_grid_program_members(grid->table, tiles->first, tiles->end, slots);
    }
}

static SiltStatus make_program(const SiltDeviceGrid *grid, SiltDeviceVariant *variant)
{
    const SiltGridTable *table = grid->table;
    SiltText text = {0};
    silt_grid_program_begin(&text, table, variant->settings);
    if (grid->tiled)
        add_passes(&text, grid, variant);
    else
        silt_grid_program_phases(&text, table);
    silt_grid_program_end(&text, table);
    char *all = silt_text_take(&text), options[256];
    // A kernel has a way along the ends of the map, too, which asks for twice the registers of the way inside
    // and is gone by few: it may spill some, where more groups find room for it.
    snprintf(options, sizeof options, "%s-D SILT_ROWS_EACH=%d %s",
             grid->tiled ? "-D SILT_TILES=1 -D SILT_GROUPS=5 " : "-D SILT_GROUPS=8 ", SILT_DEVICE_ROWS_EACH,
             table->defines ? table->defines : "");
    if (!all)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_program_create(grid->device, table->owner, all, options, &variant->program);
    silt_free(all);
    return status;
}

static SiltStatus make_kernels(const SiltDeviceGrid *grid, SiltDeviceVariant *variant)
{
    const SiltGridTable *table = grid->table;
    SiltStatus status = SILT_OK;
    char name[48];
    for (int k = 0; k < variant->plan.count && grid->tiled && status == SILT_OK; k++) {
        snprintf(name, sizeof name, "silt_tile_%d", k);
        status = silt_kernel_create(variant->program, name, &variant->tiles[k]);
    }
    for (int p = 0; p < table->phase_count && !grid->tiled && status == SILT_OK; p++) {
        snprintf(name, sizeof name, "phase_%d_%.24s", p, table->phases[p].name);
        status = silt_kernel_create(variant->program, name, &variant->phases[p]);
    }
    if (status == SILT_OK)
        status = silt_kernel_create(variant->program, "silt_fold", &variant->fold);
    return status == SILT_OK ? silt_kernel_create(variant->program, "silt_gather", &variant->gather) : status;
}

static SiltStatus make_variant(const SiltDeviceGrid *grid, uint64_t present, SiltTilesWork work,
                               SiltDeviceVariant *variant)
{
    const SiltGridTable *table = grid->table;
    size_t bytes = table->program->step_bytes;
    SiltStatus status = SILT_OK;
    variant->made_for = present;
    variant->work = work;
    if (grid->tiled)
        silt_device_grid_plan(grid, present, &variant->plan);
    if (grid->knows)
        status = silt_alloc_for(table->owner, 1, bytes, (void **)&variant->settings);
    if (grid->knows && status == SILT_OK)
        memcpy(variant->settings, grid->known, bytes);
    if (status == SILT_OK)
        status = make_program(grid, variant);
    if (status == SILT_OK)
        status = make_kernels(grid, variant);
    if (status != SILT_OK)
        silt_device_variant_free(variant);
    return status;
}

// ---- putting one to work ----

// What kernels add to the books: room for it, and which are maxima.
static SiltStatus make_books(SiltDeviceGrid *grid)
{
    size_t slots = (size_t)grid->slot_count;
    int32_t maxima[SILT_GRID_SLOTS];
    for (int k = 0; k < grid->slot_count; k++)
        maxima[k] = grid->slots[k].most;
    silt_buffer_destroy(grid->partials);
    grid->partials = NULL;
    SiltStatus status = silt_buffer_create(grid->device, grid->table->owner,
                                           slots * (size_t)grid->shape.groups * 8 + 8, &grid->partials);
    return status == SILT_OK ? silt_buffer_write(grid->maxima, 0, maxima, slots * 4) : status;
}

static void bind_phase(const SiltDeviceGrid *grid, SiltKernel *kernel)
{
    if (!grid->knows)
        silt_kernel_set_buffer(kernel, 0, grid->steps);
    silt_kernel_set(kernel, 2, &grid->shape, sizeof grid->shape);
    silt_kernel_set_buffer(kernel, 5, grid->partials);
    for (int f = 0; f < grid->table->field_count; f++)
        silt_kernel_set_buffer(kernel, 6 + f, grid->fields[f] ? grid->fields[f] : grid->nothing);
}

static SiltStatus put_to_work(SiltDeviceGrid *grid, int which)
{
    const SiltDeviceVariant *variant = &grid->variants[which];
    grid->variant = which;
    grid->gather = variant->gather;
    grid->plan = variant->plan;
    bool changed = grid->tiled && silt_device_grid_cut(grid);
    SiltStatus status = grid->partials && !changed ? SILT_OK : make_books(grid);
    if (status != SILT_OK)
        return status;
    for (int p = 0; p < grid->table->phase_count && !grid->tiled; p++)
        bind_phase(grid, variant->phases[p]);
    for (int k = 0; k < grid->plan.count && grid->tiled; k++) {
        if (!grid->knows)
            silt_kernel_set_buffer(variant->tiles[k], SILT_TILES_STEPS, grid->steps);
        silt_kernel_set(variant->tiles[k], SILT_TILES_SHAPE, &grid->shape, sizeof grid->shape);
        silt_kernel_set(variant->tiles[k], SILT_TILES_ROWS, &grid->cut[k].rows, sizeof grid->cut[k].rows);
        silt_kernel_set_buffer(variant->tiles[k], SILT_TILES_PARTIALS, grid->partials);
    }
    silt_kernel_set_buffer(variant->fold, 0, grid->partials);
    silt_kernel_set_buffer(variant->fold, 1, grid->sums);
    silt_kernel_set_buffer(variant->fold, 2, grid->maxima);
    silt_kernel_set(variant->fold, 3, &grid->shape.groups, sizeof grid->shape.groups);
    return silt_device_status(grid->device);
}

SiltStatus silt_device_grid_reshape(SiltDeviceGrid *grid)
{
    return put_to_work(grid, grid->variant);
}

static bool suits(const SiltDeviceGrid *grid, const SiltDeviceVariant *variant, uint64_t present,
                  SiltTilesWork work)
{
    // phase after phase a program has arguments for all fields, whether they have buffers or not
    return variant->program && (variant->made_for == present || !grid->tiled) &&
           variant->work.skipped == work.skipped && variant->work.unused == work.unused &&
           (!grid->knows || memcmp(variant->settings, grid->known, grid->table->program->step_bytes) == 0);
}

SiltStatus silt_device_grid_build(SiltDeviceGrid *grid, const void *step)
{
    uint64_t present = fields_with_buffers(grid);
    SiltTilesWork work = {0};
    if (grid->knows && grid->tiled)
        work = silt_tiles_work(grid->table, step);
    if (grid->knows)
        silt_grid_program_settings(grid->table->program, step, grid->known);
    if (suits(grid, silt_device_grid_variant(grid), present, work))
        return SILT_OK;
    for (int k = 0; k < SILT_DEVICE_VARIANTS; k++)
        if (suits(grid, &grid->variants[k], present, work))
            return put_to_work(grid, k);
    int which = grid->next_variant;
    grid->next_variant = (which + 1) % SILT_DEVICE_VARIANTS;
    silt_device_variant_free(&grid->variants[which]);
    grid->made_programs++;
    SiltStatus status = make_variant(grid, present, work, &grid->variants[which]);
    return status == SILT_OK ? put_to_work(grid, which) : status;
}
