// silt bench sph --size PARTICLES: steps a second of particle water in a closed tank on a terrain, and where
// the time of the water alone goes.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "silt/fluid.h"

enum { WARM = 30, MEASURED = 40, LAYERS = BENCH_LAYERS };

static const double spacing = 0.1;

// Particles along a side of a pool of LAYERS layers.
static int side_of(int particles)
{
    int side = (int)ceil(sqrt((double)particles / LAYERS));
    return side > 4 ? side : 4;
}

int bench_pool_size(const Bench *bench)
{
    int particles = bench->arguments->sized ? bench->arguments->width : 100000, side = side_of(particles);
    return side * side * LAYERS;
}

SiltStatus bench_pool(const Bench *bench, const SiltRun *run, SiltTerrain **terrain, SiltErosion **erosion)
{
    const SiltModel *model = silt_model_find("sph");
    int side = side_of(bench_pool_size(bench)), cells = side / 2 + 2;
    char boxes[160], count[64];
    double length = side * spacing;
    snprintf(boxes, sizeof boxes, "boxes=%g,%g,0,%g,%g,%g", spacing, spacing, length, length,
             LAYERS * spacing);
    snprintf(count, sizeof count, "particles=%d", side * side * LAYERS + 1);
    // with erosion=on still water wears its bed too, and rock spreads through all of it: the dearest case
    const char *own[] = {boxes,          count,         "spacing=0.1",  "erosion=off",
                         "sound=60",     "critical=0",  "strength=10",  "diffusion=10",
                         "north=closed", "east=closed", "south=closed", "west=closed"};
    *terrain = NULL;
    *erosion = NULL;
    void *params = make_params(silt_model_params(model), "bench sph", bench->arguments);
    SiltStatus status = params ? silt_terrain_create(cells, cells, 2.0 * spacing, terrain) : SILT_NO_MEMORY;
    for (size_t k = 0; k < sizeof own / sizeof own[0] && status == SILT_OK; k++)
        status = silt_params_assign(silt_model_params(model), params, "bench sph", own[k]);
    for (int k = 0; k < bench->arguments->setting_count && status == SILT_OK; k++)
        status =
            silt_params_assign(silt_model_params(model), params, "bench sph", bench->arguments->settings[k]);
    if (status == SILT_OK)
        status = silt_erosion_begin(model, *terrain, params, run, erosion);
    if (params)
        free_params(silt_model_params(model), params);
    return status;
}

static void bench_model(Bench *bench, int particles)
{
    SiltTerrain *terrain;
    SiltErosion *erosion;
    int side = side_of(particles);
    SiltStatus status = bench_pool(bench, NULL, &terrain, &erosion);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = WARM});
    bench_watch();
    double wall = silt_wall_clock(), cpu = cpu_clock();
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = MEASURED});
    wall = silt_wall_clock() - wall;
    bench_watched();
    if (status == SILT_OK) {
        bench_say(bench, "sph", MEASURED / wall, "steps/s", 0.0);
        cpu = (cpu_clock() - cpu) / bench->threads;
        bench_say(bench, "sph-by-cpu-time", MEASURED / cpu, "steps/s", 0.0);
        double steps = (double)MEASURED * side * side * LAYERS;
        bench_say(bench, "sph-particle-step", 1e9 * cpu * bench->threads / steps, "ns of cpu", 0.0);
    } else {
        complain("%s", silt_message());
    }
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
}

// The engine alone, in a box with six walls.
static void bench_stages(Bench *bench, int particles)
{
    int side = side_of(particles);
    SiltWaterOptions options;
    SiltWater *water;
    if (silt_params_init(&silt_water_params, &options) != SILT_OK)
        return;
    options.spacing = spacing;
    options.sound = 60.0;
    options.particles = side * side * LAYERS;
    options.high[0] = options.high[1] = side * spacing, options.high[2] = 2.0 * LAYERS * spacing;
    options.west = options.east = options.north = options.south = SILT_SIDE_WALL;
    options.floor = options.roof = SILT_SIDE_WALL;
    if (silt_water_create(&options, &water) != SILT_OK)
        return;
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {side * spacing, side * spacing, LAYERS * spacing};
    silt_water_fill(water, low, high, NULL);
    for (int k = 0; k < WARM; k++)
        silt_water_step(water, 1.0);
    SiltWaterCost cost;
    silt_water_measure(water, MEASURED, &cost);
    double total = cost.sort + cost.forces + cost.move;
    bench_say(bench, "sph-neighbours", cost.neighbours, "a particle", 0.0);
    bench_say(bench, "sph-pairs", cost.neighbours * options.particles / total * 1e-6, "Mpairs/s", 0.0);
    bench_say(bench, "sph-sort", 100.0 * cost.sort / total, "% of time", 0.0);
    bench_say(bench, "sph-forces", 100.0 * cost.forces / total, "% of time", 0.0);
    bench_say(bench, "sph-move", 100.0 * cost.move / total, "% of time", 0.0);
    bench_say(bench, "sph-memory", cost.bytes, "bytes/particle", 0.0);
    silt_water_destroy(water);
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
