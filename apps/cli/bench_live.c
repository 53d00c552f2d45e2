// silt bench live --size N [--device gpu]: what it costs to look at a run, to change it and to keep it, in
// steps of its model.
#include <string.h>

#include "bench.h"

enum { WARM = 40, TIMES = 8 };

// Seconds, the shortest of several.
typedef struct Costs {
    double step, height, water, store, edit, set, save, restore;
} Costs;

static double since(double began, double best)
{
    double seconds = silt_wall_clock() - began;
    return best == 0.0 || seconds < best ? seconds : best;
}

static SiltStatus measure(SiltErosion *run, const char *layer, const char *live, double value, Costs *costs)
{
    const SiltRect brush = {0, 0, 16, 16};
    float raise[16 * 16];
    for (int k = 0; k < 16 * 16; k++)
        raise[k] = 0.001f;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < TIMES && status == SILT_OK; k++) {
        SiltLayerView view;
        void *block = NULL;
        size_t bytes = 0;
        double began = silt_wall_clock();
        status = silt_erosion_advance(run, (SiltDuration){.steps = 8});
        costs->step = since(began + 0.875 * (silt_wall_clock() - began), costs->step); // of the eight
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_view(run, "height", NULL, &view) : status;
        costs->height = since(began, costs->height);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_view(run, layer, NULL, &view) : status;
        costs->water = since(began, costs->water);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_store(run) : status;
        costs->store = since(began, costs->store);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_edit(run, "height", &brush, raise, 16, SILT_ADD) : status;
        costs->edit = since(began, costs->edit);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_set(run, live, value) : status;
        costs->set = since(began, costs->set);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_save(run, &block, &bytes) : status;
        costs->save = since(began, costs->save);
        began = silt_wall_clock();
        status = status == SILT_OK ? silt_erosion_restore(run, block, bytes) : status;
        costs->restore = since(began, costs->restore);
        silt_free(block);
    }
    return status;
}

static void say_live(Bench *bench, const char *model, const char *what, double seconds, double step)
{
    char name[64], unit[48];
    snprintf(name, sizeof name, "live-%.16s-%.16s", model, what);
    snprintf(unit, sizeof unit, "ms (%.2f steps)", step > 0.0 ? seconds / step : 0.0);
    bench_say(bench, name, 1e3 * seconds, unit, 0.0);
}

void bench_live(Bench *bench, SiltDevice *device)
{
    static const struct {
        const char *model, *layer, *live;
        double value;
    } runs[] = {{"pipes", "water", "rain", 30.0},
                {"newton", "water", "rain", 200.0},
                {"cells", "water", "rain", 20.0},
                {"thermal", "deposit", "talus", 33.0},
                {"rivers", "deposit", "uplift", 0.0003}};
    if (!bench_wants(bench, "live", "live"))
        return;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const SiltModel *model = silt_model_find(runs[k].model);
        SiltTerrain *terrain = NULL;
        SiltErosion *run = NULL;
        Costs costs = {0};
        if (device && !silt_model_on_device(model))
            continue;
        SiltStatus status = silt_generate(silt_generator_find("noise"), bench->width, bench->height, 10.0,
                                          NULL, NULL, &terrain);
        if (status == SILT_OK)
            status = silt_erosion_begin(model, terrain, NULL, &(SiltRun){.device = device}, &run);
        if (status == SILT_OK)
            status = silt_erosion_advance(run, (SiltDuration){.steps = WARM});
        if (status == SILT_OK)
            status = measure(run, runs[k].layer, runs[k].live, runs[k].value, &costs);
        if (status == SILT_OK) {
            say_live(bench, runs[k].model, "step", costs.step, costs.step);
            say_live(bench, runs[k].model, "view-height", costs.height, costs.step);
            say_live(bench, runs[k].model, "view-layer", costs.water, costs.step);
            say_live(bench, runs[k].model, "store", costs.store, costs.step);
            say_live(bench, runs[k].model, "edit-16x16", costs.edit, costs.step);
            say_live(bench, runs[k].model, "set", costs.set, costs.step);
            say_live(bench, runs[k].model, "save", costs.save, costs.step);
            say_live(bench, runs[k].model, "restore", costs.restore, costs.step);
        } else {
            complain("%s", silt_message());
        }
        silt_erosion_end(run);
        silt_terrain_destroy(terrain);
    }
}
