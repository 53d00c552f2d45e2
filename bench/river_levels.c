// river_levels [DEVICE] [SIZE] [STEPS]: would a GPU win for `rivers`? Takes land that `rivers` has made, and
// does the two walks that its steps consist of, down (each cell adds up its donors) and up (each cell follows
// its receiver, an implicit solve of stream power), on the processor and on a device, with the same bytes. On
// the device cells of one level go together: those whose donors, or whose receiver, are all done. What the
// levels are is worked out beforehand and not counted, nor is the finding of depressions and receivers: what
// the device takes here is the least it could. docs/gpu.md has the figures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/device.h"
#include "silt/drainage.h"
#include "silt/erode.h"
#include "silt/generate.h"
#include "silt/parallel.h"
#include "terrain/order.h"

enum { REPEATS = 5, GROUP = 256 };

static const char kernels[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "static inline void down(int c, int width, __global const uchar *donors, __global double *sum)\n{\n"
    "    double all = 1.0;\n"
    "    for (int k = 0; k < 8; k++)\n"
    "        if (donors[c] >> k & 1)\n"
    "            all += sum[c + (k == 0 ? 1 : k == 1 ? width + 1 : k == 2 ? width : k == 3 ? width - 1 : k "
    "== 4 ? -1 "
    ": k == 5 ? -width - 1 : k == 6 ? -width : -width + 1)];\n"
    "    sum[c] = all;\n}\n"
    "static inline void up(int c, __global const int *to, __global const float *factor, __global double "
    "*h)\n{\n"
    "    if (to[c] != c)\n        h[c] = (h[c] + (double)factor[c] * h[to[c]]) / (1.0 + "
    "(double)factor[c]);\n}\n"
    "__kernel void down_level(__global const int *cells, int first, int count, int width, __global const "
    "uchar "
    "*donors, __global double *sum)\n{\n"
    "    int k = get_global_id(0);\n    if (k < count)\n        down(cells[first + k], width, donors, "
    "sum);\n}\n"
    "__kernel void up_level(__global const int *cells, int first, int count, __global const int *to, "
    "__global const "
    "float *factor, __global double *h)\n{\n"
    "    int k = get_global_id(0);\n    if (k < count)\n        up(cells[first + k], to, factor, h);\n}\n"
    // levels of no more cells than a group has items: one group goes on from level to level
    "__kernel void down_levels(__global const int *cells, __global const int *begin, int first, int last, "
    "int width, "
    "__global const uchar *donors, __global double *sum)\n{\n"
    "    for (int level = first; level < last; level++) {\n"
    "        int k = begin[level] + get_local_id(0);\n"
    "        if (k < begin[level + 1])\n            down(cells[k], width, donors, sum);\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n}\n"
    "__kernel void up_levels(__global const int *cells, __global const int *begin, int first, int last, "
    "__global const "
    "int *to, __global const float *factor, __global double *h)\n{\n"
    "    for (int level = first; level < last; level++) {\n"
    "        int k = begin[level] + get_local_id(0);\n"
    "        if (k < begin[level + 1])\n            up(cells[k], to, factor, h);\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n}\n";

static const int steps_x[8] = {1, 1, 0, -1, -1, -1, 0, 1}, steps_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct Levels {
    int32_t *cells, *begin; // sorted by level; where each begins
    int count;
} Levels;

typedef struct Land {
    SiltDrainage *drainage;
    size_t cells;
    uint8_t *donors;
    float *factor;
    double *heights, *sum, *solved;
} Land;

static void stop_at(SiltStatus status)
{
    if (status == SILT_OK)
        return;
    fprintf(stderr, "%s\n", silt_message());
    exit(1);
}

static void *need(size_t count, size_t bytes)
{
    void *block = silt_alloc(count * bytes);
    if (!block)
        exit(1);
    return block;
}

// ---- the land ----

static SiltTerrain *make_land(int size, int steps)
{
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltRun seed = {.seed = 1};
    stop_at(silt_generate(silt_generator_find("noise"), size, size, 20.0, NULL, &seed, &terrain));
    stop_at(silt_erosion_begin(silt_model_find("rivers"), terrain, NULL, &seed, &run));
    double start = silt_wall_clock();
    stop_at(silt_erosion_advance(run, (SiltDuration){.steps = steps}));
    printf("a step of rivers on %d threads: %.1f ms\n", silt_threads(),
           1e3 * (silt_wall_clock() - start) / steps);
    stop_at(silt_erosion_store(run));
    silt_erosion_end(run);
    return terrain;
}

static Land land_of(const SiltTerrain *terrain)
{
    Land land = {.cells = (size_t)terrain->width * (size_t)terrain->height};
    SiltDrainageOptions options = {.lakes = 0};
    stop_at(silt_drainage_create(terrain, &options, &land.drainage));
    double best = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        double start = silt_wall_clock();
        stop_at(silt_drainage_update(land.drainage, terrain, &options));
        best = silt_wall_clock() - start < best ? silt_wall_clock() - start : best;
    }
    printf("depressions, receivers and order there: %.1f ms\n", 1e3 * best);
    land.donors = need(land.cells, 1);
    land.factor = need(land.cells, sizeof *land.factor);
    land.heights = need(land.cells, sizeof *land.heights);
    land.sum = need(land.cells, sizeof *land.sum);
    land.solved = need(land.cells, sizeof *land.solved);
    const SiltDrainage *d = land.drainage;
    for (int32_t c = 0; c < (int32_t)land.cells; c++) {
        int32_t to = d->receiver[c];
        land.factor[c] = 1e-3f * (float)(d->area[c] > 1000000 ? 1000000 : d->area[c]);
        land.heights[c] =
            (double)silt_field_at(silt_terrain_layer(terrain, "height"), c % d->width, c / d->width);
        for (int k = 0; k < 8 && to >= 0 && to != c; k++)
            if (to == c - steps_x[k] - steps_y[k] * d->width)
                land.donors[to] |= (uint8_t)(1 << k);
    }
    return land;
}

// ---- levels ----

static Levels sort_by(const SiltDrainage *d, const int32_t *level)
{
    Levels levels = {.cells = need((size_t)d->count, sizeof(int32_t))};
    for (int32_t k = 0; k < d->count; k++)
        levels.count = level[d->order[k]] >= levels.count ? level[d->order[k]] + 1 : levels.count;
    levels.begin = need((size_t)levels.count + 2, sizeof(int32_t));
    for (int32_t k = 0; k < d->count; k++)
        levels.begin[level[d->order[k]] + 2]++;
    for (int k = 0; k < levels.count; k++)
        levels.begin[k + 2] += levels.begin[k + 1];
    for (int32_t k = 0; k < d->count; k++)
        levels.cells[levels.begin[level[d->order[k]] + 1]++] = d->order[k];
    return levels;
}

static Levels find_levels(const Land *land, bool is_down)
{
    const SiltDrainage *d = land->drainage;
    int32_t *level = need(land->cells, sizeof *level);
    for (int32_t k = 0; k < d->count && is_down; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c && level[to] <= level[c])
            level[to] = level[c] + 1;
    }
    for (int32_t k = d->count - 1; k >= 0 && !is_down; k--)
        level[d->order[k]] =
            d->receiver[d->order[k]] == d->order[k] ? 0 : level[d->receiver[d->order[k]]] + 1;
    Levels levels = sort_by(d, level);
    silt_free(level);
    return levels;
}

// ---- the processor ----

static void sum_down(void *context, int32_t begin, int32_t end, double *left)
{
    const Land *land = context;
    (void)left;
    for (int32_t k = begin; k < end; k++) {
        int32_t c = land->drainage->order[k], width = land->drainage->width;
        double all = 1.0;
        for (int n = 0; n < 8; n++)
            if (land->donors[c] >> n & 1)
                all += land->sum[c + steps_x[n] + steps_y[n] * width];
        land->sum[c] = all;
    }
}

static void solve_up(void *context, int32_t begin, int32_t end)
{
    const Land *land = context;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = land->drainage->order[k], to = land->drainage->receiver[c];
        double f = (double)land->factor[c];
        if (to != c)
            land->solved[c] = (land->solved[c] + f * land->solved[to]) / (1.0 + f);
    }
}

static void walk_here(Land *land)
{
    double best[2] = {1e9, 1e9};
    for (int k = 0; k < REPEATS; k++) {
        double start = silt_wall_clock();
        silt_order_down(land->drainage, sum_down, land);
        double middle = silt_wall_clock();
        best[0] = middle - start < best[0] ? middle - start : best[0];
        memcpy(land->solved, land->heights, land->cells * sizeof(double));
        start = silt_wall_clock();
        silt_order_up(land->drainage, solve_up, land);
        best[1] = silt_wall_clock() - start < best[1] ? silt_wall_clock() - start : best[1];
    }
    printf("on %d threads: down %.2f ms, up %.2f ms\n", silt_threads(), 1e3 * best[0], 1e3 * best[1]);
}

// ---- the device ----

static SiltBuffer *bring(SiltDevice *device, const void *data, size_t bytes)
{
    SiltBuffer *buffer;
    stop_at(silt_buffer_create(device, "rivers", bytes, &buffer));
    stop_at(silt_buffer_write(buffer, 0, data, bytes));
    return buffer;
}

typedef struct Walk {
    SiltKernel *level, *levels;
    SiltBuffer *cells, *begin, *shape[2], *values; // donors, or receivers and factors
    int32_t width;                                 // 0: up
} Walk;

static void set_rest(const Walk *w, SiltKernel *kernel, int at)
{
    if (w->width > 0)
        silt_kernel_set(kernel, at++, &w->width, sizeof w->width);
    for (int k = 0; k < 2 && w->shape[k]; k++)
        silt_kernel_set_buffer(kernel, at++, w->shape[k]);
    silt_kernel_set_buffer(kernel, at, w->values);
}

// Launches, at most `gathered` cells a level of those that one group does.
static int run_levels(const Walk *w, const Levels *levels, int gathered)
{
    int launches = 0;
    for (int level = 0; level < levels->count; launches++) {
        int32_t first = levels->begin[level], count = levels->begin[level + 1] - first, last = level;
        while (last < levels->count && levels->begin[last + 1] - levels->begin[last] <= gathered)
            last++;
        SiltKernel *kernel = last > level + 1 ? w->levels : w->level;
        silt_kernel_set_buffer(kernel, 0, w->cells);
        if (last > level + 1) {
            const int32_t from = level, to = last;
            silt_kernel_set_buffer(kernel, 1, w->begin);
            silt_kernel_set(kernel, 2, &from, sizeof from);
            silt_kernel_set(kernel, 3, &to, sizeof to);
            set_rest(w, kernel, 4);
            silt_kernel_run(kernel, 1, (const size_t[]){GROUP}, (const size_t[]){GROUP});
            level = last;
        } else {
            silt_kernel_set(kernel, 1, &first, sizeof first);
            silt_kernel_set(kernel, 2, &count, sizeof count);
            set_rest(w, kernel, 3);
            silt_kernel_run(kernel, 1, (const size_t[]){(size_t)count}, (const size_t[]){GROUP});
            level++;
        }
    }
    return launches;
}

static void walk_there(SiltDevice *device, const Land *land, const Levels *levels, Walk w, const char *name,
                       const double *from, const double *wanted)
{
    size_t bytes = land->cells * sizeof(double);
    double *found = need(land->cells, sizeof(double));
    int32_t widest = 0;
    for (int k = 0; k < levels->count; k++)
        widest = levels->begin[k + 1] - levels->begin[k] > widest ? levels->begin[k + 1] - levels->begin[k]
                                                                  : widest;
    printf("%s: %d levels of %.0f cells, at most %d\n", name, levels->count,
           (double)land->drainage->count / levels->count, (int)widest);
    w.cells = bring(device, levels->cells, (size_t)land->drainage->count * sizeof(int32_t));
    w.begin = bring(device, levels->begin, ((size_t)levels->count + 1) * sizeof(int32_t));
    w.values = bring(device, from, bytes);
    for (int gathered = 0; gathered <= GROUP; gathered += GROUP) {
        double best = 1e9;
        int launches = 0;
        for (int k = 0; k < 3; k++) {
            stop_at(silt_buffer_write(w.values, 0, from, bytes));
            stop_at(silt_device_finish(device));
            double start = silt_wall_clock();
            launches = run_levels(&w, levels, gathered);
            stop_at(silt_device_finish(device));
            best = silt_wall_clock() - start < best ? silt_wall_clock() - start : best;
        }
        stop_at(silt_buffer_read(w.values, 0, found, bytes));
        printf("  %s: %d launches, %.2f ms, %s\n", gathered ? "small levels together" : "a launch a level",
               launches, 1e3 * best, memcmp(found, wanted, bytes) == 0 ? "same bytes" : "OTHER BYTES");
    }
    double start = silt_wall_clock();
    stop_at(silt_buffer_write(w.values, 0, from, bytes));
    stop_at(silt_buffer_read(w.values, 0, found, bytes));
    printf("  there and back alone: %.2f ms\n", 1e3 * (silt_wall_clock() - start));
    silt_buffer_destroy(w.cells);
    silt_buffer_destroy(w.begin);
    silt_buffer_destroy(w.values);
    silt_free(found);
}

int main(int count, char **words)
{
    int size = count > 2 ? atoi(words[2]) : 1024, steps = count > 3 ? atoi(words[3]) : 10;
    SiltDevice *device;
    SiltProgram *program;
    SiltKernel *made[4];
    static const char *const names[4] = {"down_level", "down_levels", "up_level", "up_levels"};
    stop_at(silt_device_open(count > 1 ? words[1] : "gpu", &device));
    stop_at(silt_program_create(device, "rivers", kernels, NULL, &program));
    for (int k = 0; k < 4; k++)
        stop_at(silt_kernel_create(program, names[k], &made[k]));
    printf("%d x %d, %s\n", size, size, silt_device_of(device)->name);
    SiltTerrain *terrain = make_land(size, steps);
    Land land = land_of(terrain);
    walk_here(&land);
    Levels down = find_levels(&land, true), up = find_levels(&land, false);
    double *nothing = need(land.cells, sizeof *nothing);
    SiltBuffer *donors = bring(device, land.donors, land.cells);
    SiltBuffer *to = bring(device, land.drainage->receiver, land.cells * sizeof(int32_t));
    SiltBuffer *factor = bring(device, land.factor, land.cells * sizeof(float));
    walk_there(device, &land, &down, (Walk){made[0], made[1], .shape = {donors}, .width = size}, "down",
               nothing, land.sum);
    walk_there(device, &land, &up, (Walk){made[2], made[3], .shape = {to, factor}}, "up", land.heights,
               land.solved);
    silt_buffer_destroy(donors);
    silt_buffer_destroy(to);
    silt_buffer_destroy(factor);
    silt_program_destroy(program);
    silt_device_close(device);
    silt_drainage_destroy(land.drainage);
    silt_terrain_destroy(terrain);
    return 0;
}
