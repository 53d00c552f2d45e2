// The sparse level set: sampling, re-initialisation, heights to a distance band, and meshing.
#include "bench.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/streams.h"
#include "physics/random.h"
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

// Places within 2 voxels of the surface: by column and row, or in any order.
static void choose_places(VolumeWork *work, bool in_order)
{
    const SiltVolume *volume = work->volume;
    const SiltField *height = silt_terrain_layer(work->terrain, "height");
    int side = volume->side, across = volume->size[0] / side;
    for (size_t n = 0; n < SAMPLES; n++) {
        SiltRandom random = silt_random(1, SILT_STREAM_TEST, n, 0);
        size_t column = n / 64 % (size_t)(across * (volume->size[1] / side));
        float *at = work->places + 3 * n;
        float inner = (float)(side - 1);
        at[0] = in_order ? (float)((int)column % across * side) + inner * silt_uniform(random.word[0])
                         : (float)(volume->size[0] - 1) * silt_uniform(random.word[0]);
        at[1] = in_order ? (float)((int)column / across * side) + inner * silt_uniform(random.word[1])
                         : (float)(volume->size[1] - 1) * silt_uniform(random.word[1]);
        double ground = (double)silt_field_at(height, (int)at[0], volume->size[1] - 1 - (int)at[1]);
        at[2] = (float)((ground - volume->origin[2]) / volume->cell) + 2.0f * silt_symmetric(random.word[2]);
    }
}

static void measure(Bench *bench, VolumeWork *work)
{
    double seconds = bench_time(band_work, work);
    bench_say(bench, "voxel-band", seconds, "s", 0.0);
    double voxels =
        (double)work->volume->brick_count * work->volume->side * work->volume->side * work->volume->side;
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
    work.places = silt_alloc_array(SAMPLES, 3 * sizeof(float));
    work.phi = silt_alloc_array(SAMPLES, sizeof(float));
    work.gradients = silt_alloc_array(SAMPLES, 3 * sizeof(float));
    bool good = work.places && work.phi && work.gradients && noise &&
                silt_generate(noise, width, height, 10.0, NULL, NULL, &work.terrain) == SILT_OK &&
                silt_params_init(&silt_volume_params, &options) == SILT_OK;
    options.layers = 256;
    if (good && silt_volume_from_terrain(work.terrain, &options, NULL, 0, &work.volume) == SILT_OK) {
        Bench sized = *bench;
        sized.width = width;
        sized.height = height;
        measure(&sized, &work);
        bench->printed = sized.printed;
    }
    silt_volume_destroy(work.volume);
    silt_terrain_destroy(work.terrain);
    silt_free(work.places);
    silt_free(work.phi);
    silt_free(work.gradients);
}
