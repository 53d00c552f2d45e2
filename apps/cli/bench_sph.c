// silt bench sph --size PARTICLES: steps a second of particle water in a closed tank on a terrain, and where
// the time of the water alone goes.
#include <math.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "sph/sph.h"

enum { WARM = 30, MEASURED = 40, LAYERS = 20 };

static const double spacing = 0.1;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Particles along a side of a pool of LAYERS layers.
static int side_of(int particles)
{
    int side = (int)ceil(sqrt((double)particles / LAYERS));
    return side > 4 ? side : 4;
}

static void bench_model(Bench *bench, int particles)
{
    const SiltModel *model = silt_model_find("sph");
    int side = side_of(particles), cells = side / 2 + 2;
    char boxes[160], count[64];
    double length = side * spacing;
    snprintf(boxes, sizeof boxes, "boxes=%g,%g,0,%g,%g,%g", spacing, spacing, length, length,
             LAYERS * spacing);
    snprintf(count, sizeof count, "particles=%d", side * side * LAYERS + 1);
    // with erosion=on still water wears its bed too, and rock spreads through all of it: the dearest case
    const char *own[] = {boxes,          count,         "spacing=0.1",  "erosion=off",
                         "sound=60",     "critical=0",  "strength=10",  "diffusion=10",
                         "north=closed", "east=closed", "south=closed", "west=closed"};
    SiltTerrain *terrain = NULL;
    SiltErosion *erosion = NULL;
    void *params = make_params(silt_model_params(model), "bench sph", bench->arguments);
    SiltStatus status = params ? silt_terrain_create(cells, cells, 2.0 * spacing, &terrain) : SILT_NO_MEMORY;
    for (size_t k = 0; k < sizeof own / sizeof own[0] && status == SILT_OK; k++)
        status = silt_params_assign(silt_model_params(model), params, "bench sph", own[k]);
    for (int k = 0; k < bench->arguments->setting_count && status == SILT_OK; k++)
        status =
            silt_params_assign(silt_model_params(model), params, "bench sph", bench->arguments->settings[k]);
    if (status == SILT_OK)
        status = silt_erosion_begin(model, terrain, params, NULL, &erosion);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = WARM});
    bench_watch();
    double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = MEASURED});
    wall = seconds_of(CLOCK_MONOTONIC) - wall;
    bench_watched();
    if (status == SILT_OK) {
        bench_say(bench, "sph", MEASURED / wall, "steps/s", 0.0);
        cpu = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) / bench->threads;
        bench_say(bench, "sph-by-cpu-time", MEASURED / cpu, "steps/s", 0.0);
        double steps = (double)MEASURED * side * side * LAYERS;
        bench_say(bench, "sph-particle-step", 1e9 * cpu * bench->threads / steps, "ns of cpu", 0.0);
    } else {
        fprintf(stderr, "silt: %s\n", silt_message());
    }
    if (erosion)
        silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    if (params)
        free_params(silt_model_params(model), params);
}

static void count_pair(void *context, int j, float r2)
{
    (void)j;
    *(double *)context += r2 > 0.0f;
}

// The engine alone, in a box with six walls.
static void bench_stages(Bench *bench, int particles)
{
    int side = side_of(particles);
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.sound = 60.0;
    config.capacity = side * side * LAYERS;
    config.high[0] = config.high[1] = side * spacing, config.high[2] = 2.0 * LAYERS * spacing;
    for (int axis = 0; axis < 3; axis++)
        config.face[axis][0] = config.face[axis][1] = SILT_SPH_WALL;
    SiltSph *sph;
    if (silt_sph_create("bench sph", &config, &sph) != SILT_OK)
        return;
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {side * spacing, side * spacing, LAYERS * spacing};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, still);
    for (int k = 0; k < WARM; k++)
        silt_sph_step(sph, 1.0);
    double pairs = 0.0, at[4], spent[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < MEASURED; k++) {
        at[0] = seconds_of(CLOCK_MONOTONIC);
        silt_sph_sort(sph);
        at[1] = seconds_of(CLOCK_MONOTONIC);
        silt_sph_forces(sph);
        at[2] = seconds_of(CLOCK_MONOTONIC);
        if (k == 0)
            for (int i = 0; i < sph->count; i++)
                silt_sph_visit(sph, (float[3]){sph->now.x[i], sph->now.y[i], sph->now.z[i]}, count_pair,
                               &pairs);
        double visited = seconds_of(CLOCK_MONOTONIC);
        silt_sph_move(sph, silt_sph_time_step(sph));
        at[3] = seconds_of(CLOCK_MONOTONIC) - (visited - at[2]);
        for (int n = 0; n < 3; n++)
            spent[n] += (at[n + 1] - at[n]) / MEASURED;
    }
    double total = spent[0] + spent[1] + spent[2];
    bench_say(bench, "sph-neighbours", pairs / sph->count, "a particle", 0.0);
    bench_say(bench, "sph-pairs", pairs / total * 1e-6, "Mpairs/s", 0.0);
    bench_say(bench, "sph-sort", 100.0 * spent[0] / total, "% of time", 0.0);
    bench_say(bench, "sph-forces", 100.0 * spent[1] / total, "% of time", 0.0);
    bench_say(bench, "sph-move", 100.0 * spent[2] / total, "% of time", 0.0);
    bench_say(bench, "sph-memory", silt_sph_bytes(&config), "bytes/particle", 0.0);
    silt_sph_destroy(sph);
}

void bench_sph(Bench *bench)
{
    if (!bench_wants(bench, "sph", "sph"))
        return;
    int particles = bench->arguments->sized ? bench->width : 100000;
    bench->width = side_of(particles) * side_of(particles); // says how many there are: layer times layers
    bench->height = LAYERS;
    bench_model(bench, particles);
    bench_stages(bench, particles);
}
