// Bands of rows, rings and rounds: see grid.h.
#include "grid/grid.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "grid/device_grid.h"

enum { SHORT_BAND = 32, STRETCH = 512, MARKS = 8, LINE = 64, FETCHED = 16 };

// The rows in flight of one step, and what its phases work on; each worker has some for every step of a pass.
typedef struct Workspace {
    SiltBand band;
    char *jobs[SILT_GRID_PHASES];
    bool busy[SILT_GRID_PHASES];
    int busy_count;
    int asked[FETCHED]; // fields whose rows to come are asked for
    int asked_count;
    const char *ahead[FETCHED]; // these rows
    int ahead_count;
} Workspace;

struct SiltGrid {
    SiltGridTable table;
    SiltGridField fields[SILT_GRID_FIELDS];
    char defines[128];
    SiltRegion region;
    int width, height;
    int worker_count, band_count, deep;
    Workspace *work;   // table.steps for each worker
    char *rings;       // of all workers
    char *copies;      // of all bands
    char *tallies;     // table.steps for each band
    size_t copy_bytes; // of one band
    size_t tally_stride;
    SiltDeviceGrid *on_device; // or NULL
};

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static size_t ring_row_bytes(int width)
{
    return lines(((size_t)width + 2 * SILT_GRID_PAD) * 4) + LINE; // a line more: rows must not collide
}

static int power_of_two(int least)
{
    int power = 1;
    while (power < least)
        power *= 2;
    return power;
}

// In a plain grid every row stays until the last phase has been over it.
static int ring_rows(const SiltGridTable *table, int wanted, int height)
{
    return table->plain && wanted > 1 ? power_of_two(height + 4 * table->halo + 2) : wanted;
}

static bool has_copies(const SiltGridField *field)
{
    return field->state && field->state->data && !field->sums;
}

static size_t work_bytes(const SiltGridTable *table, int width, int height)
{
    size_t bytes = lines((size_t)ring_rows(table, MARKS, height) * sizeof(uint32_t));
    for (int p = 0; p < table->phase_count; p++)
        bytes += lines(table->phases[p].job_size);
    for (int f = 0; f < table->field_count; f++) {
        const SiltGridField *field = &table->fields[f];
        int rows = !field->state ? ring_rows(table, field->rows, height) : field->sums ? 1 : 0;
        bytes += (size_t)rows * ring_row_bytes(width);
    }
    return bytes;
}

// Some bands for each thread, so that none waits long for the last, and the more the more threads there are
// to be late; but long ones, since each also works on rows around it.
static int choose_bands(const SiltGrid *grid, int threads)
{
    enum { MANY_THREADS = 8 };
    int height = grid->height, least = 10 * grid->deep > SHORT_BAND ? 10 * grid->deep : SHORT_BAND;
    if (grid->table.plain || threads == 1) // then there is nobody to wait for
        return 1;
    for (int each = threads >= MANY_THREADS ? 3 : 2; each > 0; each--)
        if (height / (each * threads) >= least)
            return each * threads;
    int count = height / SHORT_BAND < threads ? height / SHORT_BAND : threads;
    return count > 1 ? count : 1;
}

// Each worker begins with bands of its own, which lie beside each other, the longest first: those that are
// left for others, when it is late, are short.
static int band_begin(const SiltGrid *grid, int band)
{
    static const int before[][3] = {{0}, {0, 75}, {0, 62, 86}}; // hundredths of a worker's rows
    int each = grid->band_count / grid->worker_count;
    if (each * grid->worker_count != grid->band_count || each > 3)
        return (int)((int64_t)grid->height * band / grid->band_count);
    int64_t hundredths = 100 * (int64_t)(band / each) + before[each - 1][band % each];
    return (int)(grid->height * hundredths / (100 * (int64_t)grid->worker_count));
}

static char *take(char **next, size_t bytes)
{
    char *block = *next;
    *next += lines(bytes);
    return block;
}

static void lay_out(SiltGrid *grid, Workspace *work, char *next)
{
    const SiltGridTable *table = &grid->table;
    SiltBand *band = &work->band;
    int marks = ring_rows(table, MARKS, grid->height);
    size_t row = ring_row_bytes(grid->width);
    band->marks = (uint32_t *)(void *)take(&next, (size_t)marks * sizeof(uint32_t));
    band->marks_mask = marks - 1;
    for (int p = 0; p < table->phase_count; p++)
        work->jobs[p] = take(&next, table->phases[p].job_size);
    for (int f = 0; f < table->field_count; f++) {
        const SiltGridField *field = &table->fields[f];
        SiltBandField *out = &band->fields[f];
        out->mask = -1;
        if (field->state) {
            out->own = (char *)field->state->data;
            out->stride = field->state->stride * 4;
        }
        if (field->state && !field->sums)
            continue;
        int rows = field->state ? 1 : ring_rows(table, field->rows, grid->height);
        out->others = take(&next, (size_t)rows * row) + SILT_GRID_PAD * 4;
        out->stride = field->state ? out->stride : row;
        out->mask = rows - 1;
    }
    band->grid = grid;
    band->width = grid->width;
    band->height = grid->height;
    band->deep = grid->deep;
    band->in_order = !table->plain;
}

static size_t copy_bytes(const SiltGridTable *table, int deep)
{
    size_t bytes = 0;
    for (int f = 0; f < table->field_count; f++)
        if (has_copies(&table->fields[f]))
            bytes += lines(2 * (size_t)deep * table->fields[f].state->stride * 4);
    return bytes;
}

bool silt_grid_make_plain;

// Nothing but room for the tallies is needed here.
static SiltStatus create_on_device(SiltGrid *grid, SiltDevice *device, const SiltTerrain *terrain)
{
    const SiltGridTable *table = &grid->table;
    grid->band_count = 1;
    SiltStatus status = silt_alloc_for(table->owner, (size_t)table->steps, grid->tally_stride + LINE,
                                       (void **)&grid->tallies);
    return status == SILT_OK ? silt_device_grid_create(device, table, terrain, &grid->on_device) : status;
}

SiltStatus silt_grid_create(const SiltGridTable *table, const SiltTerrain *terrain, SiltGrid **out)
{
    *out = NULL;
    void *block;
    SiltStatus status = silt_alloc_for(table->owner, 1, sizeof(SiltGrid), &block);
    if (status != SILT_OK)
        return status;
    SiltGrid *grid = block;
    memcpy(grid->fields, table->fields, (size_t)table->field_count * sizeof(SiltGridField));
    grid->table = *table;
    grid->table.fields = grid->fields;
    snprintf(grid->defines, sizeof grid->defines, "%s", table->defines ? table->defines : "");
    grid->table.defines = grid->defines;
    grid->table.plain = table->plain || silt_grid_make_plain;
    table = &grid->table;
    grid->region = silt_region_of(terrain);
    grid->width = terrain->width;
    grid->height = terrain->height;
    grid->deep = table->steps * table->halo;
    grid->tally_stride = lines(table->tally);
    if (silt_device_current() && table->program) {
        status = create_on_device(grid, silt_device_current(), terrain);
        if (status == SILT_OK)
            *out = grid;
        else
            silt_grid_destroy(grid);
        return status;
    }
    grid->band_count = choose_bands(grid, silt_threads());
    grid->worker_count = silt_threads() < grid->band_count ? silt_threads() : grid->band_count;
    grid->copy_bytes = copy_bytes(table, grid->deep);
    size_t per_work = work_bytes(table, grid->width, grid->height);
    size_t works = (size_t)(grid->worker_count * table->steps), bands = (size_t)grid->band_count;
    status = silt_alloc_for(table->owner, works, sizeof(Workspace), (void **)&grid->work);
    if (status == SILT_OK)
        status = silt_alloc_for(table->owner, works, per_work, (void **)&grid->rings);
    if (status == SILT_OK)
        status = silt_alloc_for(table->owner, bands, grid->copy_bytes + LINE, (void **)&grid->copies);
    if (status == SILT_OK)
        status = silt_alloc_for(table->owner, bands * (size_t)table->steps, grid->tally_stride + LINE,
                                (void **)&grid->tallies);
    if (status != SILT_OK) {
        silt_grid_destroy(grid);
        return status;
    }
    for (size_t k = 0; k < works; k++)
        lay_out(grid, &grid->work[k], grid->rings + k * per_work);
    *out = grid;
    return SILT_OK;
}

void silt_grid_destroy(SiltGrid *grid)
{
    if (!grid)
        return;
    silt_device_grid_destroy(grid->on_device);
    silt_free(grid->work);
    silt_free(grid->rings);
    silt_free(grid->copies);
    silt_free(grid->tallies);
    silt_free(grid);
}

int silt_grid_steps(const SiltGrid *grid)
{
    int steps = silt_region_halo(&grid->region, grid->width, grid->height, grid->deep) / grid->table.halo;
    return steps > 1 ? steps : 1;
}

int silt_grid_band_count(const SiltGrid *grid)
{
    return grid->band_count;
}

const void *silt_grid_tally(const SiltGrid *grid, int step, int band)
{
    return grid->tallies + (size_t)(band * grid->table.steps + step) * grid->tally_stride;
}

const SiltRegion *silt_grid_region(const SiltGrid *grid)
{
    return &grid->region;
}

double silt_grid_bytes(const SiltGridTable *table, int width, int height)
{
    return (double)(silt_threads() * table->steps) * (double)work_bytes(table, width, height);
}

// ---- copies of the rows around a band ----

typedef struct Pass {
    SiltGrid *grid;
    const void *const *steps;
    int count;
} Pass;

static char *copies_of(const SiltGrid *grid, int band, int field)
{
    char *at = grid->copies + (size_t)band * (grid->copy_bytes + LINE) / LINE * LINE;
    for (int f = 0; f < field; f++)
        if (has_copies(&grid->table.fields[f]))
            at += lines(2 * (size_t)grid->deep * grid->table.fields[f].state->stride * 4);
    return at;
}

// A row at distance k from the band, 1 for the nearest.
static void copy_row(const SiltGrid *grid, const SiltField *field, char *copies, int row, int place)
{
    if (row >= 0 && row < grid->height)
        memcpy(copies + (size_t)place * field->stride * 4, silt_field_row(field, row),
               (size_t)grid->width * 4);
}

static void copy_rows(void *context, int begin, int end)
{
    const Pass *pass = context;
    const SiltGrid *grid = pass->grid;
    int deep = pass->count * grid->table.halo;
    for (int b = begin; b < end; b++) {
        int first = band_begin(grid, b), last = band_begin(grid, b + 1);
        for (int f = 0; f < grid->table.field_count; f++) {
            const SiltGridField *field = &grid->table.fields[f];
            if (!has_copies(field))
                continue;
            char *copies = copies_of(grid, b, f);
            for (int k = 1; k <= deep; k++) {
                copy_row(grid, field->state, copies, first - k, grid->deep - k);
                copy_row(grid, field->state, copies, last - 1 + k, grid->deep - 1 + k);
            }
        }
    }
}

// ---- a round: one row comes in, and every phase works on the row it has come to ----

// The rows that the next round will read first. The loops that compute ask for them while they work.
static void find_ahead(const SiltGrid *grid, Workspace *work, int row)
{
    const SiltBand *band = &work->band;
    work->ahead_count = 0;
    for (int n = 0; n < work->asked_count; n++) {
        int f = work->asked[n], j = row + grid->fields[f].ahead;
        if (j >= band->begin && j < band->end)
            work->ahead[work->ahead_count++] = silt_band_row(band, f, j);
    }
}

static void fetch(const Workspace *work, int from, int to, int begin, int end)
{
    for (int n = from; n < to; n++)
        for (const char *at = work->ahead[n] + (size_t)begin * 4, *last = at + (size_t)(end - begin) * 4;
             at < last; at += LINE)
            SILT_FETCH(at);
}

// The columns of a stretch for a phase that stays behind others.
static SiltSpan span_behind(int begin, int end, int behind, int width)
{
    int from = begin - behind * SILT_GRID_COLUMNS, to = end - behind * SILT_GRID_COLUMNS;
    return silt_span(from > 0 ? from : 0, end == width ? width : to > 0 ? to : 0, true);
}

// Cells of the halo of a region are worked on like others, and do not count.
static void do_cells(const SiltGrid *grid, const SiltPhase *phase, void *job, SiltSpan span)
{
    int west = grid->region.west, east = grid->width - grid->region.east;
    if (span.begin >= west && span.end <= east) {
        if (span.begin < span.end)
            phase->cells(job, span);
        return;
    }
    const SiltSpan parts[] = {
        silt_span(span.begin, span.end < west ? span.end : west, false),
        silt_span(span.begin > west ? span.begin : west, span.end < east ? span.end : east, true),
        silt_span(span.begin > east ? span.begin : east, span.end, false)};
    for (int k = 0; k < 3; k++)
        if (parts[k].begin < parts[k].end)
            phase->cells(job, parts[k]);
}

static void do_stretch(const SiltGrid *grid, Workspace *work, int begin, int end)
{
    const SiltGridTable *table = &grid->table;
    int fetched = 0;
    for (int p = 0, done = 0; p < table->phase_count; p++) {
        const SiltPhase *phase = &table->phases[p];
        if (!work->busy[p])
            continue;
        do_cells(grid, phase, work->jobs[p], span_behind(begin, end, phase->columns_behind, grid->width));
        int to = work->ahead_count * ++done / work->busy_count;
        fetch(work, fetched, to, begin, end);
        fetched = to;
    }
}

static void do_round(const SiltGrid *grid, Workspace *work, int row)
{
    const SiltGridTable *table = &grid->table;
    const SiltBand *band = &work->band;
    work->busy_count = 0;
    for (int p = 0; p < table->phase_count; p++) {
        work->busy[p] = table->phases[p].begin(band, row - table->phases[p].behind, work->jobs[p]);
        work->busy_count += work->busy[p];
    }
    find_ahead(grid, work, row);
    for (int begin = 0; begin < grid->width; begin += STRETCH)
        do_stretch(grid, work, begin, grid->width - begin < STRETCH ? grid->width : begin + STRETCH);
    for (int p = 0; p < table->phase_count; p++)
        if (work->busy[p] && table->phases[p].end)
            table->phases[p].end(band, row - table->phases[p].behind, work->jobs[p]);
}

// ---- a band ----

// Which fields to ask for. What the step before has just left is in a cache; but sums are of no interest to
// it.
static void choose_ahead(const SiltGrid *grid, Workspace *work, bool far)
{
    const SiltGridTable *table = &grid->table;
    work->asked_count = 0;
    for (int f = 0; f < table->field_count && work->asked_count < FETCHED; f++) {
        const SiltGridField *field = &table->fields[f];
        bool known = field->state && field->state->data && field->ahead != SILT_NOT_AHEAD;
        bool needed = !table->needs || table->needs(work->band.step, f);
        if (known && needed && (far || field->sums))
            work->asked[work->asked_count++] = f;
    }
}

static void open_band(const Pass *pass, int index, int step, Workspace *work)
{
    const SiltGrid *grid = pass->grid;
    const SiltGridTable *table = &grid->table;
    SiltBand *band = &work->band;
    int beyond = (pass->count - 1 - step) * table->halo;
    int north = grid->region.north, south = grid->height - grid->region.south;
    band->step = pass->steps[step];
    band->begin = band_begin(grid, index);
    band->end = band_begin(grid, index + 1);
    band->first = band->begin - beyond;
    band->last = band->end + beyond;
    band->counted_begin = band->begin > north ? band->begin : north;
    band->counted_end = band->end < south ? band->end : south;
    band->tally = grid->tallies + (size_t)(index * table->steps + step) * grid->tally_stride;
    for (int f = 0; f < table->field_count; f++)
        if (has_copies(&table->fields[f]))
            band->fields[f].others = copies_of(grid, index, f);
    choose_ahead(grid, work, step == 0);
    memset(band->tally, 0, table->tally);
    if (table->start)
        table->start(band, band->first - table->halo);
}

static void run_plain(const Pass *pass, Workspace *work)
{
    const SiltGrid *grid = pass->grid;
    const SiltGridTable *table = &grid->table;
    for (int n = 0; n < pass->count; n++) {
        open_band(pass, 0, n, &work[n]);
        const SiltBand *band = &work[n].band;
        for (int p = 0; p < table->phase_count; p++) {
            const SiltPhase *phase = &table->phases[p];
            for (int row = band->first - table->halo; row < band->last + table->halo; row++)
                if (phase->begin(band, row - phase->behind, work[n].jobs[p])) {
                    do_cells(grid, phase, work[n].jobs[p], silt_span(0, grid->width, true));
                    if (phase->end)
                        phase->end(band, row - phase->behind, work[n].jobs[p]);
                }
        }
    }
}

// Step n + 1 works `halo` rows behind step n: a row has been brought to its end before the next step takes it
// in.
static void run_band(const Pass *pass, Workspace *work, int index)
{
    const SiltGrid *grid = pass->grid;
    int halo = grid->table.halo;
    for (int n = 0; n < pass->count; n++)
        open_band(pass, index, n, &work[n]);
    for (int row = work[0].band.first - halo; row < work[0].band.last + halo; row++)
        for (int n = 0; n < pass->count; n++)
            if (row - n * halo >= work[n].band.first - halo)
                do_round(grid, &work[n], row - n * halo);
}

static void take_band(void *context, int worker, int band)
{
    Pass *pass = context;
    SiltGrid *grid = pass->grid;
    Workspace *work = &grid->work[worker * grid->table.steps];
    if (grid->table.plain)
        run_plain(pass, work);
    else
        run_band(pass, work, band);
}

static void exchange(const SiltGrid *grid)
{
    const SiltPeers *peers = grid->region.peers;
    SiltField *fields[SILT_GRID_FIELDS];
    int count = 0;
    for (int f = 0; f < grid->table.field_count; f++)
        if (has_copies(&grid->table.fields[f]))
            fields[count++] = grid->table.fields[f].state;
    if (peers)
        peers->exchange(peers->user, fields, count);
}

void silt_grid_pass(SiltGrid *grid, const void *const *steps, int count)
{
    Pass pass = {.grid = grid, .steps = steps, .count = count};
    if (grid->on_device) {
        silt_device_grid_pass(grid->on_device, steps, count, grid->tallies, grid->tally_stride);
        return;
    }
    exchange(grid);
    silt_parallel(grid->band_count, 1, copy_rows, &pass);
    silt_parallel_workers(grid->band_count, grid->worker_count, take_band, &pass);
}

// ---- where the fields lie on a device ----

SiltStatus silt_grid_fetch(SiltGrid *grid, const char *names, int first, int count)
{
    return grid->on_device ? silt_device_grid_fetch(grid->on_device, names, first, count) : SILT_OK;
}

SiltStatus silt_grid_push(SiltGrid *grid, int first, int count)
{
    return grid->on_device ? silt_device_grid_push(grid->on_device, first, count) : SILT_OK;
}

void silt_grid_renew(SiltGrid *grid)
{
    if (grid->on_device)
        silt_device_grid_renew(grid->on_device);
}

bool silt_grid_is_on_device(const SiltGrid *grid)
{
    return grid->on_device;
}

SiltStatus silt_grid_watch(SiltGrid *grid, const SiltGridPlace *places, int count)
{
    return grid->on_device ? silt_device_grid_watch(grid->on_device, places, count) : SILT_OK;
}

SiltStatus silt_grid_look(SiltGrid *grid)
{
    return grid->on_device ? silt_device_grid_look(grid->on_device) : SILT_OK;
}

SiltStatus silt_grid_there(SiltGrid *grid, const char *name, SiltGridThere *out)
{
    return grid->on_device ? silt_device_grid_there(grid->on_device, name, out)
                           : silt_fail(SILT_BAD_ARGUMENT, "'%.60s' lies on no device", name);
}
