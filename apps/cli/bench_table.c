// silt bench voxel --device gpu: the seven scenes of Weiss 2016, table 4.1, and one with two million
// particles: what a step takes on the device, by his columns, and in all.
#include <string.h>

#include "bench.h"

enum {
    MEASURED = 200,
    TIMED = 100,
    BATCH = 20,
    MOST_WARM = 1200
}; // steps; loose rock is looked for once in 200

const BenchScene bench_scenes[BENCH_SCENES] = {
    {"slope with pillars",
     "pillars",
     {128, 128, 128},
     30000,
     {0.5, 1.4, 1.2, 2.0, 1.9, 7.0},
     {40.0, 31.5, 2.2}},
    {"two hills", "two-hills", {256, 256, 128}, 50000, {1.3, 4.3, 0.8, 3.0, 1.3, 10.7}, {17.0, 45.0, 1.0}},
    {"two hills", "two-hills", {512, 512, 256}, 100000, {1.4, 4.9, 1.5, 4.0, 1.9, 13.7}, {72.0, 73.0, 1.2}},
    {"two hills",
     "two-hills",
     {1024, 1024, 512},
     200000,
     {4.1, 15.0, 14.5, 17.2, 3.3, 54.1},
     {0.0, 134.0, 1.3}},
    {"smooth wall", "wall", {256, 256, 128}, 140000, {1.2, 4.8, 0.8, 2.0, 1.3, 10.1}, {17.5, 38.0, 1.2}},
    {"volcano", "volcano", {512, 512, 256}, 150000, {1.7, 6.9, 1.9, 4.1, 0.9, 15.5}, {143.0, 140.0, 9.0}},
    {"bridge", "bridge", {256, 256, 256}, 50000, {0.3, 1.5, 1.3, 5.0, 1.5, 9.6}, {20.0, 50.0, 3.0}},
    {"two hills", "two-hills", {1024, 1024, 512}, 2000000, {0.0}, {0.0}},
};

// Kernels by his columns; what is in none of them is upkeep of the rock, which he does not name.
enum { DENSITY, FORCES, COLLISION, SORTING, RAINING, UPKEEP, COLUMNS };
static const char *const kernels[UPKEEP] = {
    " sum_density ", " prepare forces forces_surface find_planes weigh move find_load sink keep_loads ",
    " meet_rock settle_rock settle leave_rock ",
    (" span clear_rows find_rows measure_rows fit_rows number_rows find_cells count_gone gather scan_blocks "
     "scan_add sort_count sort_deal sort_arrange "),
    " place_drops pour "};

static int column_of(const char *kernel)
{
    char word[64];
    snprintf(word, sizeof word, " %.60s ", kernel);
    int column = 0;
    while (column < UPKEEP && !strstr(kernels[column], word))
        column++;
    return column;
}

SiltStatus bench_land(const BenchScene *scene, SiltTerrain **out)
{
    const SiltVolumeShape *shape = silt_volume_shape_find(scene->thing);
    SiltVolume *volume;
    if (shape) {
        SiltStatus status = silt_volume_make(shape, scene->size, 8, 1.0, NULL, NULL, 1, &volume);
        return status == SILT_OK ? silt_terrain_from_volume(volume, out) : status;
    }
    SiltStatus status = silt_generate(silt_generator_find(scene->thing), scene->size[0], scene->size[1], 1.0,
                                      NULL, NULL, out);
    if (status == SILT_OK) // as high as the grid has room for
        silt_field_normalise(silt_terrain_layer(*out, "height"), NULL, 0.0f, 0.7f * (float)scene->size[2]);
    return status;
}

// It rains until all particles are there; then the water runs down and erodes.
static SiltStatus begin(const Bench *bench, const BenchScene *scene, SiltDevice *device, SiltTerrain *terrain,
                        SiltErosion **out)
{
    const SiltModel *model = silt_model_find("voxel");
    const SiltParamTable *table = silt_model_params(model);
    void *params = make_params(table, "bench voxel", bench->arguments);
    char layers[32], count[32], rain[64];
    double depth = scene->particles * 0.125 / ((double)scene->size[0] * scene->size[1]);
    double seconds = scene->particles > 500000 ? 2.0 : 0.5; // for all of it
    snprintf(layers, sizeof layers, "layers=%d", silt_terrain_volume(terrain) ? 0 : scene->size[2]);
    snprintf(count, sizeof count, "particles=%d", scene->particles);
    snprintf(rain, sizeof rain, "rain=%g", depth / seconds * 3.6e6);
    const char *own[] = {layers, count, rain};
    SiltStatus status = params ? SILT_OK : SILT_NO_MEMORY;
    for (size_t k = 0; k < sizeof own / sizeof own[0] && status == SILT_OK; k++)
        status = silt_params_assign(table, params, "bench voxel", own[k]);
    for (int k = 0; k < bench->arguments->setting_count && status == SILT_OK; k++)
        status = silt_params_assign(table, params, "bench voxel", bench->arguments->settings[k]);
    SiltRun run = {.seed = 1, .device = device};
    if (status == SILT_OK)
        status = silt_erosion_begin(model, terrain, params, &run, out);
    for (int k = 0; k < MOST_WARM / BATCH && status == SILT_OK; k++) {
        if (silt_erosion_report(*out)->counters.limited[0] > 0) // no room for more
            break;
        status = silt_erosion_advance(*out, (SiltDuration){.steps = BATCH});
    }
    if (params)
        free_params(table, params);
    return status;
}

static void say_scene(Bench *bench, const BenchScene *scene, const double ms[COLUMNS], double device,
                      double wall)
{
    const double *his = scene->thesis;
    if (bench->arguments->json) {
        static const char *const names[COLUMNS] = {"density_ms", "forces_ms",  "collision_ms",
                                                   "sorting_ms", "raining_ms", "upkeep_ms"};
        char size[48];
        snprintf(size, sizeof size, "%dx%dx%d", scene->size[0], scene->size[1], scene->size[2]);
        bench_begin_entry(bench, scene->name, size);
        add_number(&bench->json, "particles", scene->particles);
        for (int k = 0; k < COLUMNS; k++)
            add_number(&bench->json, names[k], ms[k]);
        add_number(&bench->json, "device_ms", device);
        add_number(&bench->json, "wall_ms", wall);
        add_number(&bench->json, "thesis_ms", his[5]);
        silt_text_add(&bench->json, "}");
    } else {
        say("%-18s %4dx%4dx%3d %8d", scene->name, scene->size[0], scene->size[1], scene->size[2],
            scene->particles);
        for (int k = 0; k < COLUMNS; k++)
            say(" %7.3f", ms[k]);
        say(" %8.3f %8.3f %8.1f\n", device, wall, his[5]);
    }
    fflush(stdout);
}

static SiltStatus measure(Bench *bench, const BenchScene *scene, SiltDevice *device)
{
    SiltTerrain *terrain = NULL;
    SiltErosion *erosion = NULL;
    SiltKernelTime times[64];
    double ms[COLUMNS] = {0.0};
    SiltStatus status = bench_land(scene, &terrain);
    if (status == SILT_OK)
        status = silt_device_watch(device, false);
    if (status == SILT_OK)
        status = begin(bench, scene, device, terrain, &erosion);
    double started = silt_wall_clock(), on_device = 0.0;
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = MEASURED});
    double wall = silt_wall_clock() - started;
    if (status == SILT_OK)
        status = silt_device_watch(device, true);
    silt_device_times(device, times, 64); // of the steps that follow alone
    silt_device_seconds(device);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = TIMED});
    on_device = silt_device_seconds(device);
    int count = silt_device_times(device, times, 64);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        ms[column_of(times[k].name)] += 1e3 * times[k].seconds / TIMED;
        if (bench->arguments->verbose && times[k].launches > 0)
            say("  %-28s %6d launches of %9.4f ms\n", times[k].name, times[k].launches,
                times[k].seconds / times[k].launches * 1e3);
    }
    if (status == SILT_OK)
        say_scene(bench, scene, ms, 1e3 * on_device / TIMED, 1e3 * wall / MEASURED);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return status;
}

SiltStatus bench_table(Bench *bench, SiltDevice *device)
{
    int wanted = bench->arguments->sized ? bench->arguments->width : 0;
    SiltStatus status = SILT_OK;
    if (!bench->arguments->json)
        say("%-18s %13s %9s %7s %7s %7s %7s %7s %7s %8s %8s %8s\n", "ms a step", "grid", "particles",
            "density", "forces", "rock", "sort", "rain", "upkeep", "device", "in all", "thesis");
    for (size_t k = 0; k < BENCH_SCENES && status == SILT_OK; k++)
        if (wanted == 0 || bench_scenes[k].size[0] == wanted)
            status = measure(bench, &bench_scenes[k], device);
    return status;
}
