// The sparse level set: sampling, re-initialisation, heights to a distance band, and meshing.
#include <math.h>

#include "bench.h"

#include "silt/volume.h"

enum { SAMPLES = 1 << 21, SPAN = 1024 };

typedef struct VolumeWork {
    SiltTerrain *terrain;
    SiltVolume *volume;
    float *places, *phi, *gradients;
    size_t faces;
} VolumeWork;

static void band_work(void *context)
{
    VolumeWork *work = context;
    SiltVolumeOptions options;
    SiltVolume *volume;
    if (silt_params_init(&silt_volume_params, &options) != SILT_OK)
        return;
    options.layers = 256;
    if (silt_volume_from_terrain(work->terrain, &options, NULL, 0, &volume) == SILT_OK)
        silt_volume_destroy(volume);
}

static void redistance_work(void *context)
{
    VolumeWork *work = context;
    silt_volume_redistance(work->volume, SILT_REDISTANCE_ALL);
}

static void mesh_work(void *context)
{
    VolumeWork *work = context;
    SiltMesh mesh;
    if (silt_volume_mesh(work->volume, true, &mesh) == SILT_OK)
        work->faces = mesh.triangle_count;
    silt_mesh_destroy(&mesh);
}

static void sample_span(void *context, int begin, int end)
{
    const VolumeWork *work = context;
    size_t first = (size_t)begin * SPAN;
    silt_volume_sample_many(work->volume, (size_t)(end - begin) * SPAN, work->places + 3 * first,
                            work->phi + first, work->gradients + 3 * first);
}

static void sample_work(void *context)
{
    silt_parallel(SAMPLES / SPAN, 4, sample_span, context);
}

// The fraction of n times a number that no fraction comes near to (Roberts's R3 sequence): even and in no
// order.
static float spread(size_t n, double step)
{
    double place = (double)n * step;
    return (float)(place - floor(place));
}

// Places within 2 voxels of the surface: by column and row, or in any order.
static void choose_places(VolumeWork *work, bool in_order)
{
    SiltVolumeInfo info = silt_volume_info(work->volume);
    const SiltField *height = silt_terrain_layer(work->terrain, "height");
    int side = info.side, across = info.size[0] / side;
    for (size_t n = 0; n < SAMPLES; n++) {
        const float random[3] = {spread(n, 0.8191725133961645), spread(n, 0.6710436067037893),
                                 spread(n, 0.5497004779019703)};
        size_t column = n / 64 % (size_t)(across * (info.size[1] / side));
        float *at = work->places + 3 * n;
        float inner = (float)(side - 1);
        at[0] = in_order ? (float)((int)column % across * side) + inner * random[0]
                         : (float)(info.size[0] - 1) * random[0];
        at[1] = in_order ? (float)((int)column / across * side) + inner * random[1]
                         : (float)(info.size[1] - 1) * random[1];
        double ground = (double)silt_field_at(height, (int)at[0], info.size[1] - 1 - (int)at[1]);
        at[2] = (float)((ground - info.origin[2]) / info.cell) + 2.0f * (2.0f * random[2] - 1.0f);
    }
}

static void measure(Bench *bench, VolumeWork *work)
{
    double seconds = bench_time(band_work, work);
    bench_say(bench, "voxel-band", seconds, "s", 0.0);
    SiltVolumeInfo info = silt_volume_info(work->volume);
    double voxels = (double)info.brick_count * info.side * info.side * info.side;
    bench_say(bench, "voxel-redistance", voxels / bench_time(redistance_work, work) * 1e-6, "Mvoxels/s", 0.0);
    double meshing = bench_time(mesh_work, work);
    bench_say(bench, "voxel-mesh", (double)work->faces / meshing * 1e-6, "Mfaces/s", 0.0);
    choose_places(work, true);
    bench_say(bench, "voxel-sample", SAMPLES / bench_time(sample_work, work) * 1e-6, "Msamples/s", 0.0);
    choose_places(work, false);
    bench_say(bench, "voxel-sample-random", SAMPLES / bench_time(sample_work, work) * 1e-6, "Msamples/s",
              0.0);
}

void bench_volume(Bench *bench)
{
    if (!bench_wants(bench, "volume", "voxel"))
        return;
    VolumeWork work = {0};
    SiltVolumeOptions options;
    const SiltGenerator *noise = silt_generator_find("noise");
    bool is_sized = bench->arguments->sized;
    int width = is_sized ? bench->width : 512, height = is_sized ? bench->height : 512;
    work.places = silt_alloc(SAMPLES * 3 * sizeof(float));
    work.phi = silt_alloc(SAMPLES * sizeof(float));
    work.gradients = silt_alloc(SAMPLES * 3 * sizeof(float));
    bool good = work.places && work.phi && work.gradients && noise &&
                silt_generate(noise, width, height, 10.0, NULL, NULL, &work.terrain) == SILT_OK &&
                silt_params_init(&silt_volume_params, &options) == SILT_OK;
    options.layers = 256;
    if (good && silt_volume_from_terrain(work.terrain, &options, NULL, 0, &work.volume) == SILT_OK) {
        Bench sized = *bench;
        sized.width = width;
        sized.height = height;
        measure(&sized, &work);
        bench->json = sized.json; // it may have moved
    }
    silt_volume_destroy(work.volume);
    silt_terrain_destroy(work.terrain);
    silt_free(work.places);
    silt_free(work.phi);
    silt_free(work.gradients);
}
