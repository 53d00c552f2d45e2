// silt bench MODEL --device gpu: steps of models on a device, by the device's own clock, beside a copy within
// its memory in the same run; noise and resampling there and back, beside the processor.
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { SAMPLES = 15 };

typedef struct Times {
    double device, wall; // seconds a step: medians
} Times;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

// Water has come together when the first steps are done.
static SiltStatus time_steps(SiltErosion *erosion, SiltDevice *device, int steps, Times *out)
{
    double on_device[SAMPLES], on_clock[SAMPLES], began = silt_wall_clock();
    int count = 0;
    SiltStatus status = silt_erosion_advance(erosion, (SiltDuration){.steps = 4 * steps});
    SiltKernelTime before[1];
    silt_device_times(device, before, 1); // of these steps alone
    silt_device_seconds(device);
    while (count < SAMPLES && status == SILT_OK && (count < 3 || silt_wall_clock() - began < 20.0)) {
        double start = silt_wall_clock();
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = steps});
        on_device[count] = silt_device_seconds(device) / steps;
        on_clock[count++] = (silt_wall_clock() - start) / steps;
    }
    *out = (Times){median(on_device, count), median(on_clock, count)};
    if (status == SILT_OK && silt_erosion_report(erosion)->counters.at_rest)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "bench: all is at rest on this ground, and a step takes no time; take a larger --size");
    return status;
}

// `unit`: what was stepped, cells or particles.
static void say_rate(Bench *bench, const char *name, const char *unit, const SiltDeviceInfo *info,
                     Times times, double copy, double step_bytes)
{
    double cells = (double)bench->width * bench->height, rate = cells / times.device;
    double fraction = step_bytes > 0.0 ? rate * step_bytes / copy : 0.0;
    char size[32], counted[64];
    snprintf(size, sizeof size, "%dx%d", bench->width, bench->height);
    snprintf(counted, sizeof counted, "M%s-steps/s", unit);
    if (bench->arguments->json) {
        bench_begin_entry(bench, name, size);
        add_member(&bench->json, "device", info->name);
        add_member(&bench->json, "driver", info->driver);
        add_number(&bench->json, "rate", rate * 1e-6);
        add_member(&bench->json, "unit", counted);
        add_number(&bench->json, "device_ms", times.device * 1e3);
        add_number(&bench->json, "wall_ms", times.wall * 1e3);
        add_number(&bench->json, "limit", step_bytes > 0.0 ? copy / step_bytes * 1e-6 : 0.0);
        add_number(&bench->json, "fraction", fraction);
        silt_text_add(&bench->json, "}");
    } else {
        say("%-10s %5dx%-5d %10.4g M%s-steps/s  %8.4f ms on the device, %8.4f ms in all a step  (%.2f "
            "of a copy)\n",
            name, bench->width, bench->height, rate * 1e-6, unit, times.device * 1e3, times.wall * 1e3,
            fraction);
    }
    fflush(stdout);
}

// Where the time goes.
static void say_kernels(SiltDevice *device)
{
    SiltKernelTime times[64];
    int count = silt_device_times(device, times, 64);
    for (int k = 0; k < count; k++)
        if (times[k].launches > 0)
            say("  %-28s %6d launches of %9.4f ms\n", times[k].name, times[k].launches,
                times[k].seconds / times[k].launches * 1e3);
}

static SiltStatus bench_model(Bench *bench, const SiltModel *model, SiltDevice *device, double copy)
{
    const char *name = silt_model_name(model);
    SiltTerrain *terrain = bench_noise(bench);
    void *params = terrain ? bench_params(bench, model) : NULL;
    SiltRun run = {.seed = 1, .device = device};
    SiltErosion *erosion = NULL;
    Times times = {0.0, 0.0};
    int steps = bench->arguments->erode.steps > 0 ? bench->arguments->erode.steps : 16;
    SiltStatus status = params ? silt_erosion_begin(model, terrain, params, &run, &erosion) : SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = time_steps(erosion, device, steps, &times);
    if (status == SILT_OK && bench->arguments->verbose)
        say_kernels(device);
    if (status == SILT_OK)
        say_rate(bench, name, "cell", silt_device_of(device), times, copy, silt_model_step_bytes(model));
    silt_erosion_end(erosion);
    if (params)
        free_params(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
    return status;
}

// Particle water in a closed tank; its size says how many there are, in layers.
static SiltStatus bench_water(Bench *bench, SiltDevice *device, double copy)
{
    SiltRun run = {.seed = 1, .device = device};
    SiltTerrain *terrain;
    SiltErosion *erosion;
    Times times = {0.0, 0.0};
    Bench pool = *bench;
    pool.width = bench_pool_size(bench) / BENCH_LAYERS;
    pool.height = BENCH_LAYERS;
    SiltStatus status = bench_pool(bench, &run, &terrain, &erosion);
    if (status == SILT_OK)
        status = time_steps(erosion, device, 8, &times);
    if (status == SILT_OK && bench->arguments->verbose)
        say_kernels(device);
    if (status == SILT_OK)
        say_rate(&pool, "sph", "particle", silt_device_of(device), times, copy, 0.0);
    bench->json = pool.json; // it may have moved
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return status;
}

// ---- what is done once ----

typedef struct Once {
    SiltDevice *device;
    SiltTerrain *terrain; // that is brought to another size
    const Bench *bench;
    void *params; // of noise
    int width, height;
} Once;

static SiltStatus make_noise(const Once *once)
{
    SiltTerrain *made;
    SiltRun run = {.seed = 1, .device = once->device};
    SiltStatus status = silt_generate(silt_generator_find("noise"), once->bench->width, once->bench->height,
                                      10.0, once->params, &run, &made);
    if (status == SILT_OK)
        silt_terrain_destroy(made);
    return status;
}

static SiltStatus resize(const Once *once)
{
    SiltTerrain *made;
    SiltStatus status =
        silt_terrain_resample_on(once->device, once->terrain, once->width, once->height, &made);
    if (status == SILT_OK)
        silt_terrain_destroy(made);
    return status;
}

// Medians of `work`: on the device, there and back in all, and on the processor.
static SiltStatus bench_once(Bench *bench, const char *name, SiltStatus (*work)(const Once *once), Once once)
{
    double on_device[SAMPLES], in_all[SAMPLES], here[SAMPLES];
    SiltDevice *device = once.device;
    SiltStatus status = work(&once); // programs are made, and memory is known
    silt_device_seconds(device);
    for (int k = 0; k < SAMPLES && status == SILT_OK; k++) {
        double start = silt_wall_clock();
        once.device = device;
        status = work(&once);
        in_all[k] = silt_wall_clock() - start;
        on_device[k] = silt_device_seconds(device);
        once.device = NULL;
        start = silt_wall_clock();
        if (status == SILT_OK)
            status = work(&once);
        here[k] = silt_wall_clock() - start;
    }
    if (status != SILT_OK)
        return status;
    double there = median(on_device, SAMPLES), all = median(in_all, SAMPLES), cpu = median(here, SAMPLES);
    char size[32];
    snprintf(size, sizeof size, "%dx%d", bench->width, bench->height);
    if (bench->arguments->json) {
        bench_begin_entry(bench, name, size);
        add_member(&bench->json, "device", silt_device_of(device)->name);
        add_number(&bench->json, "device_ms", there * 1e3);
        add_number(&bench->json, "wall_ms", all * 1e3);
        add_number(&bench->json, "processor_ms", cpu * 1e3);
        add_number(&bench->json, "threads", bench->threads);
        silt_text_add(&bench->json, "}");
    } else {
        say("%-16s %5dx%-5d %9.3f ms on the device, %9.3f ms in all, %9.3f ms on %d threads\n", name,
            bench->width, bench->height, there * 1e3, all * 1e3, cpu * 1e3, bench->threads);
    }
    fflush(stdout);
    return SILT_OK;
}

static SiltStatus bench_makers(Bench *bench, SiltDevice *device)
{
    const SiltGenerator *noise = silt_generator_find("noise");
    Once once = {.device = device, .bench = bench};
    SiltStatus status = SILT_OK;
    bool half = bench_wants(bench, "core", "resample-half"),
         twice = bench_wants(bench, "core", "resample-double") && bench->width <= 8192;
    if (bench_wants(bench, "generators", "noise")) {
        once.params = make_params(&noise->params, "noise", bench->arguments);
        status = once.params ? bench_once(bench, "noise", make_noise, once) : SILT_NO_MEMORY;
        if (once.params)
            free_params(&noise->params, once.params);
    }
    once.terrain = half || twice ? bench_noise(bench) : NULL;
    once.width = (bench->width + 1) / 2, once.height = (bench->height + 1) / 2;
    if (status == SILT_OK && once.terrain && half)
        status = bench_once(bench, "resample-half", resize, once);
    once.width = 2 * bench->width, once.height = 2 * bench->height;
    if (status == SILT_OK && once.terrain && twice)
        status = bench_once(bench, "resample-double", resize, once);
    silt_terrain_destroy(once.terrain);
    return status;
}

// ---- models ----

static SiltStatus bench_one(Bench *bench, const SiltModel *model, SiltDevice *device, double copy)
{
    if (strcmp(silt_model_name(model), "sph") == 0)
        return bench_water(bench, device, copy);
    if (strcmp(silt_model_name(model), "voxel") == 0)
        return bench_table(bench, device);
    return bench_model(bench, model, device, copy);
}

int bench_device(Bench *bench)
{
    const char *choice = bench->arguments->device;
    SiltDevice *device;
    SiltStatus status = silt_device_open(choice, &device);
    if (status == SILT_OK && !device)
        status = silt_fail(SILT_BAD_ARGUMENT,
                           "bench: there is no device to measure; without --device it measures the "
                           "processor");
    if (status == SILT_OK)
        status = silt_device_watch(device, true);
    if (status != SILT_OK)
        return report_failure(status);
    double copy = silt_device_copy_rate(device);
    if (!bench->arguments->json)
        say("%s, driver %s: a copy moves %.4g GB/s\n", silt_device_of(device)->name,
            silt_device_of(device)->driver, copy * 1e-9);
    status = bench_makers(bench, device);
    if (bench->arguments->word_count > 0 && strcmp(bench->arguments->words[0], "live") == 0) {
        silt_device_watch(device, false); // as a window has it
        bench_live(bench, device);
    }
    for (int k = 0; k < silt_model_count() && status == SILT_OK; k++) {
        const SiltModel *model = silt_model_at(k);
        bool named = bench->arguments->word_count > 0 &&
                     strcmp(bench->arguments->words[0], silt_model_name(model)) == 0;
        if ((named || silt_model_on_device(model)) && bench_wants(bench, "models", silt_model_name(model)))
            status = bench_one(bench, model, device, copy);
    }
    int exit_status = bench_end(bench, status);
    silt_device_close(device);
    return exit_status;
}
