// Pictures: the first one of a terrain, frames of a film whose camera moves, and what a changed terrain
// costs.
#include "bench.h"

void bench_render(Bench *bench)
{
    if (!bench_wants(bench, "render", "render") || !silt_render_has_gl())
        return;
    const SiltGenerator *noise = silt_generator_find("noise");
    SiltTerrain *terrain = NULL;
    SiltRenderCost cost;
    SiltStatus status = silt_generate(noise, bench->width, bench->height, 10.0, NULL, NULL, &terrain);
    if (status == SILT_OK)
        status = silt_render_measure(terrain, NULL, &cost);
    if (status == SILT_OK) {
        bench_say(bench, "render-first", cost.first, "s", 0.0);
        bench_say(bench, "render-frames", 1.0 / cost.frame, "frames/s", 0.0);
        bench_say(bench, "render-change", 1e3 * cost.change, "ms", 0.0);
        bench_say(bench, "render-upload", 1e3 * cost.upload, "ms", 0.0);
        bench_say(bench, "render-live", 1.0 / cost.live, "frames/s", 0.0);
    } else {
        report_failure(status);
    }
    silt_terrain_destroy(terrain);
}
