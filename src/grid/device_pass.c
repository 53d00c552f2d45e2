// A pass as launches on a device: see device_grid.h.
#include <string.h>

#include "core/parallel.h"
#include "grid/device_own.h"

// ---- what the processor brings ----

typedef struct MakeJob {
    SiltDeviceGrid *grid;
    const void *step;
    int field;
} MakeJob;

static void make_rows(void *context, int begin, int end)
{
    const MakeJob *job = context;
    const SiltGridProgram *program = job->grid->table->program;
    for (int j = begin; j < end; j++)
        program->make(program, job->step, job->field, j, silt_field_row(&job->grid->made, j),
                      silt_field_row(&job->grid->made, j) + job->grid->shape.width);
}

static SiltStatus make_place(SiltDeviceGrid *grid, int f)
{
    const SiltGridTable *table = grid->table;
    SiltStatus status = grid->fields[f]
                            ? SILT_OK
                            : silt_buffer_create(grid->device, table->owner, silt_device_grid_plane(grid, f),
                                                 &grid->fields[f]);
    bool bound = !grid->tiled && silt_device_grid_variant(grid)->program;
    for (int p = 0; p < table->phase_count && status == SILT_OK && bound; p++)
        status = silt_kernel_set_buffer(silt_device_grid_variant(grid)->phases[p], 6 + f, grid->fields[f]);
    return status;
}

// Of a row the cells at its ends, and all of the first and of the last.
static void make_ends(void *context, int worker, int j)
{
    const MakeJob *job = context;
    SiltDeviceGrid *grid = job->grid;
    const SiltGridProgram *program = grid->table->program;
    int width = grid->shape.width, height = grid->shape.height;
    bool is_outer = j == 0 || j == height - 1;
    float *row = is_outer ? grid->ends[j > 0] : silt_field_row(&grid->made, worker);
    program->make(program, job->step, job->field, j, row, silt_field_row(&grid->made, worker) + width);
    grid->ends[2][j] = row[0];
    grid->ends[3][j] = row[width - 1];
}

// A field that is looked at in the outermost cells alone: no others are brought.
static SiltStatus bring_ends(MakeJob *job)
{
    SiltDeviceGrid *grid = job->grid;
    SiltBuffer *buffer = grid->fields[job->field];
    size_t width = (size_t)grid->shape.width, height = (size_t)grid->shape.height;
    size_t pitch = (size_t)grid->shape.pitch, origin = (size_t)grid->shape.origin;
    int threads = silt_threads();
    silt_parallel_workers((int)height, threads < (int)height ? threads : (int)height, make_ends, job);
    SiltStatus status = silt_buffer_write(buffer, origin, grid->ends[0], width * 4);
    if (status == SILT_OK && height > 1)
        status = silt_buffer_write(buffer, origin + (height - 1) * pitch, grid->ends[1], width * 4);
    if (status == SILT_OK)
        status = silt_buffer_write_rows(buffer, origin, pitch, grid->ends[2], 4, 4, height);
    if (status == SILT_OK)
        status = silt_buffer_write_rows(buffer, origin + (width - 1) * 4, pitch, grid->ends[3], 4, 4, height);
    return status;
}

// A field that the device makes itself, if it can.
static SiltStatus make_there(SiltDeviceGrid *grid, const void *step, int f, bool *made)
{
    const SiltGridProgram *program = grid->table->program;
    *made = false;
    if (!program->make_there)
        return SILT_OK;
    SiltStatus status = make_place(grid, f);
    const SiltGridThere there = {grid->device,       grid->fields[f],   grid->shape.width,
                                 grid->shape.height, grid->shape.pitch, grid->shape.origin};
    return status == SILT_OK ? program->make_there(program, step, f, &there, made) : status;
}

// What the processor makes for the step: layers that have changed, and rows such as those of drops.
static SiltStatus bring_layers(SiltDeviceGrid *grid, const void *step)
{
    const SiltGridProgram *program = grid->table->program;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < program->layer_count && status == SILT_OK; k++) {
        int f = program->layers[k];
        const SiltField *layer = program->layer(step, f);
        if (grid->needs_layer[f] && layer)
            status = make_place(grid, f);
        if (grid->needs_layer[f] && layer && status == SILT_OK)
            status = silt_device_grid_write(grid, f, layer, 0, grid->shape.height);
        grid->needs_layer[f] = false;
    }
    for (int k = 0; k < program->made_count && status == SILT_OK; k++) {
        int f = program->made[k];
        uint64_t version = program->version(program, step, f);
        if (version == 0 || (version == grid->versions[f] && !grid->needs_layer[f]))
            continue;
        grid->versions[f] = version;
        bool made;
        status = make_there(grid, step, f, &made);
        if (made || status != SILT_OK) {
            grid->needs_layer[f] = false;
            continue;
        }
        const char *needs = program->make_reads ? program->make_reads(program, step) : NULL;
        if (needs)
            status = silt_device_grid_fetch(grid, needs, 0, grid->shape.height);
        MakeJob job = {grid, step, f};
        if (status == SILT_OK)
            status = make_place(grid, f);
        if (grid->table->fields[f].at_ends) {
            status = status == SILT_OK ? bring_ends(&job) : status;
            grid->needs_layer[f] = false;
            continue;
        }
        silt_parallel(grid->shape.height, 16, make_rows, &job);
        if (status == SILT_OK)
            status = silt_device_grid_write(grid, f, &grid->made, 0, grid->shape.height);
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

// ---- phase after phase ----

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
    const size_t items[] = {(size_t)grid->shape.width, (size_t)(grid->block_rows / SILT_DEVICE_ROWS_EACH)},
                 group[] = {SILT_DEVICE_GROUP, 1};
    const int32_t first_group = (int32_t)(block_groups * (size_t)block);
    for (int p = 0; p < table->phase_count; p++) {
        const SiltPhase *phase = &table->phases[p];
        const int32_t first = -1 + block * grid->block_rows - phase->behind;
        if (phase->skips && phase->skips(step))
            continue;
        silt_kernel_set(silt_device_grid_variant(grid)->phases[p], 3, &first, sizeof first);
        silt_kernel_set(silt_device_grid_variant(grid)->phases[p], 4, &first_group, sizeof first_group);
        silt_kernel_run(silt_device_grid_variant(grid)->phases[p], 2, items, group);
    }
}

static void run_phases(SiltDeviceGrid *grid, const void *step, int n)
{
    const int32_t which = n;
    for (int p = 0; p < grid->table->phase_count; p++) {
        silt_kernel_set(silt_device_grid_variant(grid)->phases[p], 1, &which, sizeof which);
        if (grid->knows)
            silt_kernel_set(silt_device_grid_variant(grid)->phases[p], 0, step,
                            grid->table->program->step_bytes);
        if (grid->table->phases[p].skips && grid->table->phases[p].skips(step))
            skip(grid, p);
    }
    for (int block = 0; block < grid->block_count; block++)
        run_block(grid, step, block);
}

// ---- in tiles ----

static void run_tile_pass(SiltDeviceGrid *grid, const void *step, int n, int pass)
{
    const SiltGridTable *table = grid->table;
    const SiltTiles *tiles = &grid->plan.passes[pass];
    SiltKernel *kernel = silt_device_grid_variant(grid)->tiles[pass];
    const int32_t which = n;
    const SiltTilesWork work = silt_tiles_work(table, step);
    int argument = SILT_TILES_FIELDS;
    for (int f = 0; f < table->field_count; f++) {
        if ((tiles->loaded | tiles->stored) >> f & 1)
            silt_kernel_set_buffer(kernel, argument++, grid->fields[f] ? grid->fields[f] : grid->nothing);
        if (!(tiles->twice >> f & 1))
            continue;
        silt_kernel_set_buffer(kernel, argument++, grid->next[f]);
        if (!(work.unused >> f & 1)) {
            SiltBuffer *before = grid->fields[f];
            grid->fields[f] = grid->next[f];
            grid->next[f] = before;
        }
    }
    if (tiles->is_given)
        silt_kernel_set_local(kernel, argument, silt_tiles_given(tiles));
    silt_kernel_set(kernel, SILT_TILES_WHICH, &which, sizeof which);
    if (grid->knows)
        silt_kernel_set(kernel, SILT_TILES_STEPS, step, table->program->step_bytes);
    silt_kernel_set(kernel, SILT_TILES_SKIPPED, &work.skipped, sizeof work.skipped);
    silt_kernel_set(kernel, SILT_TILES_UNUSED, &work.unused, sizeof work.unused);
    size_t count = (size_t)grid->cut[pass].count, wide = (size_t)tiles->items;
    const size_t items[] = {(size_t)grid->cut[pass].groups / count * wide, count}, group[] = {wide, 1};
    silt_kernel_run(kernel, 2, items, group);
}

// ---- a pass ----

static SiltStatus run_step(SiltDeviceGrid *grid, const void *step, int n)
{
    const int32_t first = n * grid->slot_count;
    SiltStatus status = bring_layers(grid, step);
    if (status == SILT_OK)
        status = silt_device_grid_build(grid, step);
    if (status != SILT_OK)
        return status;
    for (int pass = 0; pass < grid->plan.count && grid->tiled; pass++)
        run_tile_pass(grid, step, n, pass);
    if (!grid->tiled)
        run_phases(grid, step, n);
    for (int f = 0; f < grid->table->field_count; f++)
        grid->is_newer[f] = silt_device_grid_has_state(grid, f) && grid->fields[f];
    if (grid->slot_count == 0)
        return SILT_OK;
    SiltKernel *fold = silt_device_grid_variant(grid)->fold;
    silt_kernel_set(fold, 4, &first, sizeof first);
    return silt_kernel_run(fold, 1, (const size_t[]){(size_t)grid->slot_count * SILT_DEVICE_GROUP},
                           (const size_t[]){SILT_DEVICE_GROUP});
}

void silt_device_grid_pass(SiltDeviceGrid *grid, const void *const *steps, int count, char *tallies,
                           size_t stride)
{
    const SiltGridTable *table = grid->table;
    size_t each = table->program->step_bytes, slots = (size_t)grid->slot_count;
    int64_t found[SILT_GRID_SLOTS];
    SiltStatus status = grid->pushed ? SILT_OK : silt_device_grid_bring(grid);
    for (int n = 0; n < count; n++) {
        memcpy(grid->step_copies + (size_t)n * each, steps[n], each);
        memset(tallies + (size_t)n * stride, 0, table->tally);
    }
    if (status == SILT_OK && table->program->needs_double && table->program->needs_double(steps[0]) &&
        !silt_device_of(grid->device)->has_double)
        status =
            silt_device_fail(grid->device, SILT_MISSING_FEATURE,
                             "beds of rock and what goes by altitude need double precision, which it lacks");
    if (status == SILT_OK)
        status = silt_buffer_write(grid->steps, 0, grid->step_copies, (size_t)count * each);
    silt_device_tuning_begin(grid);
    for (int n = 0; n < count && status == SILT_OK; n++)
        status = run_step(grid, steps[n], n);
    for (int n = 0; n < count && status == SILT_OK && slots > 0; n++) { // the first waits for all
        status = silt_buffer_read(grid->sums, (size_t)n * slots * 8, found, slots * 8);
        if (status == SILT_OK)
            take_tally(grid, found, tallies + (size_t)n * stride);
    }
    if (status == SILT_OK)
        silt_device_tuning_end(grid, count);
    if (status != SILT_OK) // a program that cannot be built fails here, where a step cannot
        silt_device_fail(grid->device, status, silt_message());
}
