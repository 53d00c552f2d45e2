// silt bench drawing: what pictures of the scenes of Weiss 2016, table 4.1, take, by his columns: the
// triangles of the rock, and pictures of 1440 x 900 from triangles, by rays and of particles alone while the
// camera turns. By the processor's time over its threads: where no card draws it is the processor that does,
// and others who compute at the same time do not touch it.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

#include "silt/volume.h"

enum { FRAMES = 2, WIDTH = 1440, HEIGHT = 900 };

static double ms_since(const Bench *bench, double begun)
{
    return 1e3 * (cpu_clock() - begun) / bench->threads;
}

static SiltStatus make_volume(const BenchScene *scene, SiltTerrain *terrain, SiltVolume **out)
{
    SiltVolumeOptions options;
    SiltStatus status = silt_params_init(&silt_volume_params, &options);
    options.layers = scene->size[2];
    return status == SILT_OK ? silt_volume_from_terrain(terrain, &options, NULL, 0, out) : status;
}

static SiltStatus time_mesh(const Bench *bench, SiltVolume *volume, double *ms)
{
    SiltMesh mesh;
    double begun = cpu_clock();
    SiltStatus status = silt_volume_mesh(volume, true, &mesh);
    *ms = ms_since(bench, begun);
    silt_mesh_destroy(&mesh);
    return status;
}

// A picture after the first, the camera turned. Pictures go to a folder of their own, for a few milliseconds
// each.
static SiltStatus time_frame(const Bench *bench, const SiltMotif *motif, int volume, double *ms)
{
    SiltRenderOptions options;
    SiltFilm *film = NULL;
    char folder[] = "/tmp/silt-bench-XXXXXX", pattern[64], path[64];
    SiltStatus status = silt_params_init(&silt_render_params, &options);
    if (status == SILT_OK && !mkdtemp(folder))
        status = silt_fail(SILT_IO_ERROR, "%s: there can be no folder for pictures", folder);
    if (status != SILT_OK)
        return status;
    options.width = WIDTH, options.height = HEIGHT;
    options.volume = volume;
    options.particle_look = SILT_PARTICLES_SPRITES;
    snprintf(pattern, sizeof pattern, "%s/%%d.ppm", folder);
    status = silt_film_begin(pattern, &options, 25.0, &film);
    if (status == SILT_OK)
        status = silt_film_add_motif(film, motif, 0.0);
    double begun = cpu_clock();
    for (int k = 1; k <= FRAMES && status == SILT_OK; k++)
        status = silt_film_add_motif(film, NULL, 1.2 * k);
    *ms = ms_since(bench, begun) / FRAMES;
    if (film)
        status = silt_film_end(film, status);
    for (int k = 0; k <= FRAMES + 1; k++) {
        snprintf(path, sizeof path, "%s/%d.ppm", folder, k);
        unlink(path);
    }
    rmdir(folder);
    return status;
}

// As many particles as the scene has, half a metre above its ground.
static SiltStatus time_particles(const Bench *bench, const BenchScene *scene, const SiltTerrain *terrain,
                                 double *ms)
{
    const SiltField *height = silt_terrain_layer(terrain, "height");
    size_t count = (size_t)scene->particles;
    float *values = silt_alloc(8 * count * sizeof *values);
    int64_t *ids = silt_alloc(count * sizeof *ids);
    SiltStatus status = values && ids ? SILT_OK : SILT_NO_MEMORY;
    for (size_t n = 0; n < count && status == SILT_OK; n++) {
        // places that no fraction comes near to (Roberts's R2 sequence): even, and in no order
        double east = fmod((double)n * 0.7548776662466927, 1.0) * (scene->size[0] - 1),
               south = fmod((double)n * 0.5698402909980532, 1.0) * (scene->size[1] - 1);
        values[n] = (float)east + 0.5f;
        values[count + n] = (float)south + 0.5f;
        values[2 * count + n] = silt_field_at(height, (int)east, (int)south) + 0.5f;
        for (size_t k = 3; k < 8; k++)
            values[k * count + n] = k == 6 ? 1000.0f : 0.0f;
        ids[n] = (int64_t)n;
    }
    const SiltParticles particles = {.count = scene->particles,
                                     .x = values,
                                     .y = values + count,
                                     .z = values + 2 * count,
                                     .u = values + 3 * count,
                                     .v = values + 4 * count,
                                     .w = values + 5 * count,
                                     .density = values + 6 * count,
                                     .sediment = values + 7 * count,
                                     .id = ids,
                                     .west = 0.5,
                                     .south = scene->size[1] - 0.5,
                                     .spacing = 0.5};
    if (status == SILT_OK)
        status = time_frame(bench, &(SiltMotif){.particles = &particles}, SILT_VOLUME_MESH, ms);
    silt_free(values);
    silt_free(ids);
    return status;
}

static void say_scene(Bench *bench, const BenchScene *scene, const double ms[4])
{
    static const char *const names[4] = {"mesh_ms", "triangles_ms", "rays_ms", "particles_ms"};
    static const char *const theirs[3] = {"thesis_mesh_ms", "thesis_rays_ms", "thesis_particles_ms"};
    if (bench->arguments->json) {
        char size[48];
        snprintf(size, sizeof size, "%dx%dx%d", scene->size[0], scene->size[1], scene->size[2]);
        bench_begin_entry(bench, scene->name, size);
        for (int k = 0; k < 4; k++)
            add_number(&bench->json, names[k], ms[k]);
        for (int k = 0; k < 3; k++)
            add_number(&bench->json, theirs[k], scene->drawing[k]);
        silt_text_add(&bench->json, "}");
    } else {
        say("%-18s %4dx%4dx%3d %8d", scene->name, scene->size[0], scene->size[1], scene->size[2],
            scene->particles);
        for (int k = 0; k < 4; k++)
            say(" %9.1f", ms[k]);
        for (int k = 0; k < 3; k++)
            say(" %8.1f", scene->drawing[k]);
        say("\n");
    }
    fflush(stdout);
}

static SiltStatus measure(Bench *bench, const BenchScene *scene)
{
    SiltTerrain *terrain = NULL;
    SiltVolume *made = NULL, *volume = NULL;
    double ms[4] = {0.0};
    SiltStatus status = bench_land(scene, &terrain);
    if (status == SILT_OK && !(volume = silt_terrain_volume(terrain))) {
        status = make_volume(scene, terrain, &made);
        volume = made;
    }
    if (status == SILT_OK)
        status = time_mesh(bench, volume, &ms[0]);
    const SiltMotif motif = {.volume = volume};
    if (status == SILT_OK)
        status = time_frame(bench, &motif, SILT_VOLUME_MESH, &ms[1]);
    if (status == SILT_OK)
        status = time_frame(bench, &motif, SILT_VOLUME_RAYS, &ms[2]);
    if (status == SILT_OK)
        status = time_particles(bench, scene, terrain, &ms[3]);
    if (status == SILT_OK)
        say_scene(bench, scene, ms);
    silt_volume_destroy(made);
    silt_terrain_destroy(terrain);
    return status;
}

void bench_drawing(Bench *bench)
{
    const Arguments *arguments = bench->arguments;
    if (arguments->word_count == 0 || !bench_wants(bench, "drawing", "drawing") || !silt_render_has_gl())
        return; // it takes minutes: by its name alone
    int wanted = arguments->sized ? arguments->width : 0;
    if (!arguments->json)
        say("%-18s %13s %9s %9s %9s %9s %9s %8s %8s %8s\n", "ms a picture", "grid", "particles", "mesh",
            "triangles", "rays", "particles", "thesis", "rays", "parts");
    for (int k = 0; k < BENCH_SCENES_DRAWN; k++) {
        SiltStatus status =
            wanted == 0 || bench_scenes[k].size[0] == wanted ? measure(bench, &bench_scenes[k]) : SILT_OK;
        if (status != SILT_OK)
            report_failure(status);
    }
}
