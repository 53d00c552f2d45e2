// Pictures: the first one of a terrain, frames of a film whose camera moves, and what a changed terrain
// costs.
#include "bench.h"

#include "render/studio.h"

typedef struct RenderWork {
    SiltTerrain *terrain;
    SiltRenderOptions options;
    SiltPose pose;
    SiltRange range;
    SiltStudio studio;
    SiltStatus status;
    double turn;
} RenderWork;

static void first_work(void *context)
{
    RenderWork *work = context;
    SiltImage image;
    if (work->status == SILT_OK)
        work->status = silt_render(work->terrain, &work->options, &image);
    silt_image_destroy(&image);
}

static void frame_work(void *context)
{
    RenderWork *work = context;
    SiltImage image = {0};
    work->turn += 1.2;
    if (work->status == SILT_OK)
        work->status =
            silt_studio_turn(&work->studio, &work->pose, &work->options, &work->range, work->turn, &image);
    silt_image_destroy(&image);
}

// One pixel, so that nothing but the terrain's way to the graphics card is left.
static void change_work(void *context)
{
    RenderWork *work = context;
    SiltRenderOptions small = work->options;
    SiltImage image = {0};
    small.width = small.height = 1;
    if (work->status == SILT_OK)
        work->status = silt_studio_shoot(&work->studio, &work->pose, &small, &work->range, 0.0, &image);
    silt_image_destroy(&image);
}

static void upload_work(void *context)
{
    RenderWork *work = context;
    silt_studio_set_heights(&work->studio, work->terrain);
}

static void measure(Bench *bench, RenderWork *work)
{
    bench_say(bench, "render-first", bench_time(first_work, work), "s", 0.0);
    if (work->status == SILT_OK)
        work->status = silt_studio_begin(&work->options, false, &work->studio);
    silt_studio_set_quick(&work->studio);
    double change = bench_time(change_work, work);
    bench_say(bench, "render-frames", 1.0 / bench_time(frame_work, work), "frames/s", 0.0);
    bench_say(bench, "render-change", 1e3 * change, "ms", 0.0);
    bench_say(bench, "render-upload", 1e3 * bench_time(upload_work, work), "ms", 0.0);
    silt_studio_end(&work->studio);
}

void bench_render(Bench *bench)
{
    if (!bench_wants(bench, "render", "render") || !silt_render_has_gl())
        return;
    RenderWork work = {0};
    const SiltGenerator *noise = silt_generator_find("noise");
    work.status = silt_params_init(&silt_render_params, &work.options);
    if (work.status == SILT_OK)
        work.status = silt_generate(noise, bench->width, bench->height, 10.0, NULL, NULL, &work.terrain);
    if (work.status == SILT_OK)
        work.status = silt_pose_begin(&(SiltMotif){.terrain = work.terrain}, &work.options, NULL, &work.pose);
    if (work.status == SILT_OK)
        work.status = silt_pose_range(&work.pose, &work.options, &work.range);
    if (work.status == SILT_OK)
        measure(bench, &work);
    if (work.status != SILT_OK)
        report_failure(work.status);
    silt_pose_end(&work.pose);
    silt_terrain_destroy(work.terrain);
}
