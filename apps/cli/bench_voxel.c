// silt bench voxel: a step of `voxel` erosion on Weiss's two hills, at two of his sizes, and the memory.
#include <math.h>
#include <sys/resource.h>

#include "bench.h"

enum { MEASURED = 40, MOST_WARM = 2000 };

static double megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

// It rains until all particles are there; then the water runs down and erodes.
static SiltStatus warm_up(SiltErosion *erosion)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < MOST_WARM / MEASURED && status == SILT_OK; k++) {
        const SiltReport *report = silt_erosion_report(erosion);
        if (report->counters.limited[0] > 0) // no room for more
            break;
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = MEASURED});
    }
    return status;
}

static SiltStatus begin(const Bench *bench, int size, int particles, SiltTerrain **terrain, void *params,
                        SiltErosion **out)
{
    const SiltModel *model = silt_model_find("voxel");
    char layers[32], count[32], rain[64];
    double depth = particles * 0.125 / ((double)size * size); // a cube of half a metre each
    snprintf(layers, sizeof layers, "layers=%d", size / 2);
    snprintf(count, sizeof count, "particles=%d", particles);
    snprintf(rain, sizeof rain, "rain=%g", depth / 0.5 * 3.6e6); // all of it in half a second
    const char *own[] = {layers, count, rain};
    SiltStatus status = silt_generate(silt_generator_find("two-hills"), size, size, 1.0, NULL, NULL, terrain);
    if (status == SILT_OK) { // as high as the grid has room for
        SiltField *height = silt_terrain_layer(*terrain, "height");
        silt_field_normalise(height, NULL, 0.0f, 0.35f * (float)size);
    }
    for (size_t k = 0; k < sizeof own / sizeof own[0] && status == SILT_OK; k++)
        status = silt_params_assign(silt_model_params(model), params, "bench voxel", own[k]);
    for (int k = 0; k < bench->arguments->setting_count && status == SILT_OK; k++)
        status = silt_params_assign(silt_model_params(model), params, "bench voxel",
                                    bench->arguments->settings[k]);
    return status == SILT_OK ? silt_erosion_begin(model, *terrain, params, NULL, out) : status;
}

static void bench_hills(Bench *bench, const char *name, int size, int particles)
{
    const SiltModel *model = silt_model_find("voxel");
    SiltTerrain *terrain = NULL;
    SiltErosion *erosion = NULL;
    void *params = make_params(silt_model_params(model), "bench voxel", bench->arguments);
    if (!params)
        return;
    SiltStatus status = begin(bench, size, particles, &terrain, params, &erosion);
    if (status == SILT_OK)
        status = warm_up(erosion);
    double wall = silt_wall_clock(), cpu = cpu_clock();
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = MEASURED});
    if (status == SILT_OK) {
        char label[64];
        Bench sized = *bench;
        sized.width = sized.height = size;
        bench_say(&sized, name, 1e3 * (silt_wall_clock() - wall) / MEASURED, "ms/step", 0.0);
        cpu = (cpu_clock() - cpu) / bench->threads;
        snprintf(label, sizeof label, "%s-by-cpu-time", name);
        bench_say(&sized, label, 1e3 * cpu / MEASURED, "ms/step", 0.0);
        snprintf(label, sizeof label, "%s-memory", name);
        bench_say(&sized, label, megabytes(), "MiB at the most", 0.0);
        bench->json = sized.json; // it may have moved
    } else {
        complain("%s", silt_message());
    }
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    free_params(silt_model_params(model), params);
}

void bench_voxel(Bench *bench)
{
    if (bench_wants(bench, "voxel", "voxel-hills"))
        bench_hills(bench, "voxel-hills", 256, 50000);
    if (bench_wants(bench, "voxel", "voxel-large"))
        bench_hills(bench, "voxel-large", 1024, 200000);
}
