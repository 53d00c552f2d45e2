// Particle water on a device: its memory, and the launches of its kernels (water.cl).
#include "sph/device_water.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"

enum {
    GROUP = 128,
    GROUPS = 1024,        // of a launch that folds numbers
    ROW_GROUPS = 64,      // of one that folds many
    LIST_ITEMS = 1 << 18, // particles that list their neighbours at the same time
    LIST_SLOTS = 160      // neighbours in a list; a batch of near.c and more
};

enum {
    SPAN,
    CLEAR_ROWS,
    FIND_ROWS,
    MEASURE_ROWS,
    FIT_ROWS,
    NUMBER_ROWS,
    FIND_CELLS,
    COUNT_GONE,
    GATHER,
    SUM_DENSITY,
    PREPARE,
    FORCES,
    FORCES_SURFACE,
    PULL_SURFACE,
    MOVE,
    KERNELS
};
static const char *const kernel_names[KERNELS] = {
    "span",        "clear_rows", "find_rows",      "measure_rows", "fit_rows",
    "number_rows", "find_cells", "count_gone",     "gather",       "sum_density",
    "prepare",     "forces",     "forces_surface", "pull_surface", "move"};

struct SiltSphDevice {
    SiltSph *sph;
    SiltDevice *device;
    SiltProgram *program;
    SiltKernel *kernels[KERNELS];
    SiltSorter *sorter;
    SiltBuffer *now[SILT_AT_COUNT], *other[SILT_AT_COUNT];
    SiltBuffer *record, *rate, *normal, *planes, *fate, *key, *order, *scratch;
    SiltBuffer *rows, *widths, *start, *list, *partials;
    SiltBuffer *numbers, *grid;
    uint32_t known;         // bits of the arrays that SiltSph has as they are here
    SiltSphNumbers written; // as the device has them
    bool has_numbers;
    bool is_pushed;
    bool is_grid_old; // the grid in the device's memory is not that of the cells
    _Alignas(int64_t) char folded[GROUPS * 2 * SILT_SPH_FATES * sizeof(int64_t)];
};

// ---- making ----

static SiltStatus make_arrays(SiltSphDevice *d, const char *owner)
{
    const SiltSphConfig *c = &d->sph->config;
    size_t count = (size_t)c->capacity, items = count < LIST_ITEMS ? count : LIST_ITEMS;
    size_t rows = (size_t)d->sph->cells.row_capacity, cells = (size_t)d->sph->cells.capacity;
    const struct {
        SiltBuffer **buffer;
        size_t bytes;
    } wanted[] = {
        {&d->record, count * sizeof(SiltSphRecord)},
        {&d->rate, count * sizeof(float)},
        {&d->normal, count * sizeof(SiltSphNormal)},
        {&d->planes, (c->has_planes ? count : 1) * 4 * sizeof(float)},
        {&d->fate, count},
        {&d->key, count * sizeof(int)},
        {&d->order, count * sizeof(int)},
        {&d->scratch, count * sizeof(int)},
        {&d->rows, rows * sizeof(SiltSphRow)},
        {&d->widths, (rows + 1) * sizeof(int)},
        {&d->start, (cells + 1) * sizeof(int)},
        {&d->list, items * LIST_SLOTS * sizeof(int)},
        {&d->partials, sizeof d->folded},
        {&d->numbers, sizeof(SiltSphNumbers)},
        {&d->grid, sizeof(SiltSphGrid)},
    };
    uint64_t all = 2 * count * (SILT_AT_ID * sizeof(float) + sizeof(int64_t)), largest = 0;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        all += wanted[k].bytes;
        largest = wanted[k].bytes > largest ? wanted[k].bytes : largest;
    }
    SiltStatus status = silt_device_has_room(d->device, owner, all, largest);
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_buffer_create(d->device, owner, wanted[k].bytes, wanted[k].buffer);
    for (int k = 0; k < SILT_AT_COUNT && status == SILT_OK; k++) {
        size_t bytes = count * (k == SILT_AT_ID ? sizeof(int64_t) : sizeof(float));
        status = silt_buffer_create(d->device, owner, bytes, &d->now[k]);
        if (status == SILT_OK)
            status = silt_buffer_create(d->device, owner, bytes, &d->other[k]);
    }
    return status;
}

static SiltStatus make(SiltSphDevice *d, const char *owner)
{
    const SiltSphCells *cells = &d->sph->cells;
    if (!silt_device_of(d->device)->has_double)
        return silt_fail(SILT_MISSING_FEATURE,
                         "%s: particles are sorted in double precision, which %.100s lacks", owner,
                         silt_device_of(d->device)->name);
    // sums stay in registers only where nothing is called
    SiltStatus status = silt_program_create(d->device, owner,
                                            "#define inline inline __attribute__((always_inline))\n"
                                            "#include \"sph/water.cl\"\n",
                                            NULL, &d->program);
    for (int k = 0; k < KERNELS && status == SILT_OK; k++)
        status = silt_kernel_create(d->program, kernel_names[k], &d->kernels[k]);
    int most = cells->capacity > cells->row_capacity ? cells->capacity : cells->row_capacity;
    if (status == SILT_OK)
        status = silt_sorter_create(d->device, owner, most + 1, d->sph->config.capacity, &d->sorter);
    return status == SILT_OK ? make_arrays(d, owner) : status;
}

SiltStatus silt_sph_device_create(SiltDevice *device, const char *owner, SiltSph *sph)
{
    void *block;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltSphDevice), &block);
    if (status != SILT_OK)
        return status;
    SiltSphDevice *d = block;
    d->sph = sph;
    d->device = device;
    d->known = SILT_AT_ALL;
    status = make(d, owner);
    if (status != SILT_OK) {
        silt_sph_device_destroy(d);
        return status;
    }
    sph->device = d;
    return SILT_OK;
}

void silt_sph_device_destroy(SiltSphDevice *d)
{
    if (!d)
        return;
    SiltBuffer *rest[] = {d->record, d->rate,  d->normal,   d->planes,  d->fate,
                          d->key,    d->order, d->scratch,  d->rows,    d->widths,
                          d->start,  d->list,  d->partials, d->numbers, d->grid};
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; k++)
        silt_buffer_destroy(rest[k]);
    for (int k = 0; k < SILT_AT_COUNT; k++) {
        silt_buffer_destroy(d->now[k]);
        silt_buffer_destroy(d->other[k]);
    }
    silt_sorter_destroy(d->sorter);
    silt_program_destroy(d->program);
    silt_free(d);
}

// ---- to and fro ----

typedef struct HostArray {
    void *data;
    size_t size;
} HostArray;

static HostArray host_array(SiltSph *sph, int which)
{
    SiltSphArrays *a = &sph->now;
    float *const floats[] = {a->x,  a->y,  a->z,  a->u,       a->v,        a->w,
                             a->ax, a->ay, a->az, a->density, a->sediment, a->age};
    if (which == SILT_AT_ID)
        return (HostArray){a->id, sizeof *a->id};
    return (HostArray){floats[which], sizeof(float)};
}

static SiltStatus fetch_cells(SiltSphDevice *d)
{
    SiltSphCells *cells = &d->sph->cells;
    if (cells->count == 0)
        return SILT_OK;
    size_t rows = (size_t)cells->size[1] * (size_t)cells->size[2];
    SiltStatus status = silt_buffer_read(d->rows, 0, cells->row, rows * sizeof *cells->row);
    return status == SILT_OK
               ? silt_buffer_read(d->start, 0, cells->start, ((size_t)cells->count + 1) * sizeof(int))
               : status;
}

SiltStatus silt_sph_device_fetch(SiltSphDevice *d, uint32_t which)
{
    uint32_t wanted = which & ~d->known;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < SILT_AT_COUNT && status == SILT_OK; k++)
        if (wanted >> k & 1) {
            HostArray here = host_array(d->sph, k);
            status = silt_buffer_read(d->now[k], 0, here.data, (size_t)d->sph->count * here.size);
        }
    if (status == SILT_OK && (wanted >> SILT_AT_CELLS & 1))
        status = fetch_cells(d);
    if (status == SILT_OK)
        d->known |= wanted;
    return status;
}

SiltStatus silt_sph_device_push(SiltSphDevice *d)
{
    const SiltSphCells *cells = &d->sph->cells;
    size_t count = (size_t)d->sph->count;
    for (int k = 0; k < SILT_AT_COUNT; k++) {
        HostArray here = host_array(d->sph, k);
        silt_buffer_write(d->now[k], 0, here.data, count * here.size);
    }
    silt_buffer_write(d->fate, 0, d->sph->fate, count);
    if (cells->count > 0) {
        silt_buffer_write(d->rows, 0, cells->row,
                          (size_t)cells->size[1] * (size_t)cells->size[2] * sizeof *cells->row);
        silt_buffer_write(d->start, 0, cells->start, ((size_t)cells->count + 1) * sizeof(int));
    }
    d->known = SILT_AT_ALL;
    d->is_pushed = true;
    d->is_grid_old = true;
    return silt_device_status(d->device);
}

void silt_sph_device_touch(SiltSphDevice *d)
{
    if (silt_sph_device_fetch(d, SILT_AT_ALL) == SILT_OK)
        d->is_pushed = false;
}

static void write_grid(SiltSphDevice *d, int sorted)
{
    const SiltSphCells *cells = &d->sph->cells;
    float h = d->sph->law.h;
    SiltSphGrid grid = {
        .scale = (float)cells->inverse[0], .h2 = h * h * 1.001f, .count = cells->count, .sorted = sorted};
    for (int axis = 0; axis < 3; axis++) {
        grid.low[axis] = cells->low[axis], grid.inverse[axis] = cells->inverse[axis];
        grid.side[axis] = cells->side[axis], grid.size[axis] = cells->size[axis];
    }
    silt_buffer_write(d->grid, 0, &grid, sizeof grid);
    d->is_grid_old = false;
}

SiltStatus silt_sph_device_ready(SiltSphDevice *d)
{
    if (!d->is_pushed)
        silt_sph_device_push(d);
    if (d->is_grid_old)
        write_grid(d, d->sph->cells.count > 0 ? d->sph->cells.start[d->sph->cells.count] : 0);
    if (!d->has_numbers || memcmp(&d->written, &d->sph->numbers, sizeof d->written) != 0) { // it waits
        d->written = d->sph->numbers;
        d->has_numbers = true;
        silt_buffer_write(d->numbers, 0, &d->written, sizeof d->written);
    }
    return silt_device_status(d->device);
}

void silt_sph_device_changed(SiltSphDevice *d, uint32_t which)
{
    d->known &= ~which;
}

SiltDevice *silt_sph_device_of(const SiltSphDevice *d)
{
    return d->device;
}

SiltBuffer *silt_sph_device_array(const SiltSphDevice *d, int which)
{
    return d->now[which];
}

SiltSphBuffers silt_sph_device_buffers(const SiltSphDevice *d)
{
    return (SiltSphBuffers){d->numbers, d->grid,   d->rows, d->start,
                            d->record,  d->planes, d->fate, d->scratch};
}

// ---- launches ----

void silt_sph_launch_by(size_t group, SiltKernel *kernel, size_t items, const SiltKernelArg *args, int count)
{
    for (int k = 0; k < count; k++)
        if (args[k].value)
            silt_kernel_set(kernel, k, args[k].value, args[k].bytes);
        else
            silt_kernel_set_buffer(kernel, k, args[k].buffer);
    silt_kernel_run(kernel, 1, &items, &group);
}

void silt_sph_launch(SiltKernel *kernel, size_t items, const SiltKernelArg *args, int count)
{
    silt_sph_launch_by(GROUP, kernel, items, args, count);
}

#define LAUNCH(d, which, items, ...)                                                                         \
    silt_sph_launch((d)->kernels[which], (size_t)(items), (const SiltKernelArg[]){__VA_ARGS__},              \
                    (int)(sizeof((const SiltKernelArg[]){__VA_ARGS__}) / sizeof(SiltKernelArg)))
#define BUFFER    SILT_ARG_BUFFER
#define VALUE     SILT_ARG_VALUE
#define PLACES(d) BUFFER((d)->now[SILT_AT_X]), BUFFER((d)->now[SILT_AT_Y]), BUFFER((d)->now[SILT_AT_Z])
#define CELLS(d)  BUFFER((d)->grid), BUFFER((d)->rows), BUFFER((d)->start)

// Groups of a launch that folds `count` items.
static int groups_for(int count)
{
    int groups = (count + GROUP - 1) / GROUP;
    return groups < GROUPS ? groups : GROUPS;
}

static void find_span(SiltSphDevice *d, double low[3], double high[3])
{
    int count = d->sph->count, groups = groups_for(count);
    const float *found = (const float *)(const void *)d->folded;
    LAUNCH(d, SPAN, groups * GROUP, PLACES(d), BUFFER(d->fate), VALUE(count), BUFFER(d->partials));
    for (int axis = 0; axis < 3; axis++)
        low[axis] = INFINITY, high[axis] = -INFINITY;
    if (silt_buffer_read(d->partials, 0, d->folded, (size_t)groups * 6 * sizeof(float)) != SILT_OK)
        return;
    for (int n = 0; n < groups; n++)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], (double)found[6 * n + axis]);
            high[axis] = fmax(high[axis], (double)found[6 * n + 3 + axis]);
        }
}

// Each row reaches from its first to its last particle. totals[k] takes the cells of all rows together, where
// they are 2^k columns wide.
static void lay_rows(SiltSphDevice *d, double totals[SILT_CELL_WIDTHS])
{
    SiltSphCells *cells = &d->sph->cells;
    int count = d->sph->count, rows = cells->size[1] * cells->size[2], groups = groups_for(rows);
    const int64_t *found = (const int64_t *)(const void *)d->folded;
    groups = groups < ROW_GROUPS ? groups : ROW_GROUPS;
    write_grid(d, 0);
    LAUNCH(d, CLEAR_ROWS, rows, BUFFER(d->rows), VALUE(rows), VALUE(cells->size[0]));
    LAUNCH(d, FIND_ROWS, count, PLACES(d), BUFFER(d->fate), VALUE(count), BUFFER(d->grid), BUFFER(d->rows),
           BUFFER(d->scratch), BUFFER(d->key));
    LAUNCH(d, MEASURE_ROWS, groups * GROUP, BUFFER(d->rows), VALUE(rows), BUFFER(d->partials));
    for (int k = 0; k < SILT_CELL_WIDTHS; k++)
        totals[k] = 0.0;
    if (silt_buffer_read(d->partials, 0, d->folded, (size_t)groups * SILT_CELL_WIDTHS * sizeof(int64_t)) !=
        SILT_OK)
        return;
    for (int n = 0; n < groups; n++)
        for (int k = 0; k < SILT_CELL_WIDTHS; k++)
            totals[k] += (double)found[SILT_CELL_WIDTHS * n + k];
}

static void lay_grid(SiltSphDevice *d)
{
    SiltSphCells *cells = &d->sph->cells;
    double low[3], high[3], extent[3], totals[SILT_CELL_WIDTHS];
    find_span(d, low, high);
    silt_cells_lay(d->sph, low, high, extent);
    lay_rows(d, totals);
    for (; cells->shift + 1 < SILT_CELL_WIDTHS && totals[cells->shift] > cells->capacity; cells->shift++)
        silt_cells_widen(cells, 0, extent[0]);
    int rows = cells->size[1] * cells->size[2];
    cells->count = (int)totals[cells->shift];
    LAUNCH(d, FIT_ROWS, rows, BUFFER(d->rows), VALUE(rows), VALUE(cells->shift), BUFFER(d->widths));
    silt_sorter_scan(d->sorter, d->widths, rows);
    LAUNCH(d, NUMBER_ROWS, rows, BUFFER(d->rows), VALUE(rows), BUFFER(d->widths));
    silt_cells_measure(cells);
}

static int sort_once(SiltSphDevice *d, int *crowded)
{
    SiltSph *sph = d->sph;
    int sorted = 0;
    lay_grid(d);
    LAUNCH(d, FIND_CELLS, sph->count, BUFFER(d->scratch), VALUE(sph->count), VALUE(sph->cells.count),
           VALUE(sph->cells.shift), BUFFER(d->rows), BUFFER(d->key));
    SiltSortJob job = {.keys = d->key,
                       .ids = d->now[SILT_AT_ID],
                       .marks = d->fate,
                       .count = sph->count,
                       .cells = sph->cells.count,
                       .crowd = sph->cells.crowd < (double)sph->count ? (int)sph->cells.crowd : sph->count,
                       .mark = SILT_SPH_CROWDED,
                       .start = d->start,
                       .order = d->order};
    silt_sorter_run(d->sorter, &job, &sorted, crowded);
    return sorted;
}

static void count_gone(SiltSphDevice *d)
{
    SiltSph *sph = d->sph;
    int groups = groups_for(sph->count);
    const int64_t *found = (const int64_t *)(const void *)d->folded;
    LAUNCH(d, COUNT_GONE, groups * GROUP, BUFFER(d->fate), BUFFER(d->now[SILT_AT_SEDIMENT]),
           VALUE(sph->count), BUFFER(d->partials));
    if (silt_buffer_read(d->partials, 0, d->folded, (size_t)groups * 2 * SILT_SPH_FATES * sizeof(int64_t)) !=
        SILT_OK)
        return;
    for (int n = 0; n < groups; n++)
        for (int which = SILT_SPH_STAYS + 1; which < SILT_SPH_FATES; which++) {
            sph->gone[which] += found[2 * (SILT_SPH_FATES * n + which)];
            sph->gone_sediment[which] += (double)found[2 * (SILT_SPH_FATES * n + which) + 1];
        }
}

static void gather(SiltSphDevice *d, int count)
{
    SiltKernelArg args[2 + 2 * SILT_AT_COUNT] = {BUFFER(d->order), VALUE(count)};
    for (int k = 0; k < SILT_AT_COUNT; k++) {
        args[2 + 2 * k] = BUFFER(d->now[k]);
        args[3 + 2 * k] = BUFFER(d->other[k]);
    }
    silt_sph_launch(d->kernels[GATHER], (size_t)count, args, (int)(sizeof args / sizeof args[0]));
    for (int k = 0; k < SILT_AT_COUNT; k++) {
        SiltBuffer *held = d->now[k];
        d->now[k] = d->other[k];
        d->other[k] = held;
    }
}

void silt_sph_device_sort(SiltSphDevice *d)
{
    SiltSph *sph = d->sph;
    int crowded = 0;
    if (sph->count == 0) {
        sph->cells.count = 0;
        d->is_grid_old = true;
        return;
    }
    if (silt_sph_device_ready(d) != SILT_OK)
        return;
    int after = sort_once(d, &crowded);
    if (crowded > 0) // once more without the surplus of overfull cells
        after = sort_once(d, &crowded);
    if (silt_device_status(d->device) != SILT_OK)
        return;
    if (after < sph->count)
        count_gone(d);
    gather(d, after);
    sph->count = after;
    silt_buffer_fill(d->fate, 0, 0, ((size_t)after + 3) / 4 * 4);
    memset(sph->fate, SILT_SPH_STAYS, (size_t)after);
    write_grid(d, after);
    d->known = 0;
}

// What the kernels of forces are given.
#define FORCE_ARGS(d, first, batch, slots)                                                                   \
    CELLS(d), PLACES(d), BUFFER((d)->numbers), BUFFER((d)->record), BUFFER((d)->planes), VALUE(first),       \
        VALUE(batch), BUFFER((d)->list), VALUE(slots), BUFFER((d)->now[SILT_AT_AX]),                         \
        BUFFER((d)->now[SILT_AT_AY]), BUFFER((d)->now[SILT_AT_AZ]), BUFFER((d)->rate),                       \
        BUFFER((d)->now[SILT_AT_DENSITY])

void silt_sph_device_forces(SiltSphDevice *d)
{
    SiltSph *sph = d->sph;
    SiltBuffer **now = d->now;
    int count = sph->count;
    const int slots = LIST_SLOTS;
    const bool pulls = sph->numbers.tension > 0.0f;
    if (silt_sph_device_ready(d) != SILT_OK)
        return;
    if (sph->numbers.sums_density)
        LAUNCH(d, SUM_DENSITY, count, CELLS(d), PLACES(d), BUFFER(now[SILT_AT_SEDIMENT]),
               BUFFER(now[SILT_AT_AGE]), BUFFER(d->numbers), BUFFER(d->planes), VALUE(count),
               BUFFER(now[SILT_AT_DENSITY]));
    LAUNCH(d, PREPARE, count, PLACES(d), BUFFER(now[SILT_AT_U]), BUFFER(now[SILT_AT_V]),
           BUFFER(now[SILT_AT_W]), BUFFER(now[SILT_AT_AX]), BUFFER(now[SILT_AT_AY]), BUFFER(now[SILT_AT_AZ]),
           BUFFER(now[SILT_AT_DENSITY]), BUFFER(now[SILT_AT_SEDIMENT]), BUFFER(now[SILT_AT_AGE]),
           BUFFER(d->numbers), VALUE(count), BUFFER(d->record));
    for (int first = 0; first < count; first += LIST_ITEMS) {
        int batch = count - first < LIST_ITEMS ? count - first : LIST_ITEMS;
        if (pulls)
            LAUNCH(d, FORCES_SURFACE, batch, FORCE_ARGS(d, first, batch, slots), BUFFER(d->normal));
        else
            LAUNCH(d, FORCES, batch, FORCE_ARGS(d, first, batch, slots));
    }
    if (pulls && sph->numbers.curved)
        LAUNCH(d, PULL_SURFACE, count, CELLS(d), PLACES(d), BUFFER(d->numbers), BUFFER(d->record),
               BUFFER(d->planes), BUFFER(d->normal), VALUE(count), BUFFER(now[SILT_AT_AX]),
               BUFFER(now[SILT_AT_AY]), BUFFER(now[SILT_AT_AZ]), BUFFER(now[SILT_AT_DENSITY]));
    d->known &= ~(1u << SILT_AT_AX | 1u << SILT_AT_AY | 1u << SILT_AT_AZ | 1u << SILT_AT_DENSITY);
}

void silt_sph_device_move(SiltSphDevice *d, float dt, float most[2])
{
    SiltBuffer **now = d->now;
    int count = d->sph->count, groups = groups_for(count);
    const float *found = (const float *)(const void *)d->folded;
    most[0] = most[1] = 0.0f;
    if (count == 0 || silt_sph_device_ready(d) != SILT_OK)
        return;
    LAUNCH(d, MOVE, groups * GROUP, BUFFER(d->numbers), VALUE(dt), VALUE(count), PLACES(d),
           BUFFER(now[SILT_AT_U]), BUFFER(now[SILT_AT_V]), BUFFER(now[SILT_AT_W]), BUFFER(now[SILT_AT_AX]),
           BUFFER(now[SILT_AT_AY]), BUFFER(now[SILT_AT_AZ]), BUFFER(now[SILT_AT_DENSITY]), BUFFER(d->rate),
           BUFFER(now[SILT_AT_AGE]), BUFFER(d->planes), BUFFER(d->fate), BUFFER(d->partials));
    d->known &= 1u << SILT_AT_CELLS;
    if (silt_buffer_read(d->partials, 0, d->folded, (size_t)groups * 2 * sizeof(float)) != SILT_OK)
        return;
    for (int n = 0; n < groups; n++) {
        most[0] = fmaxf(most[0], found[2 * n]);
        most[1] = fmaxf(most[1], found[2 * n + 1]);
    }
}
