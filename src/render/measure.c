// What pictures of a terrain cost on this machine.
#include <math.h>

#include "core/parallel.h"
#include "render/studio.h"
#include "render/viewer_state.h"

enum { WIDTH = 1280, HEIGHT = 800 };

typedef struct Measured {
    const SiltTerrain *terrain;
    SiltRenderOptions options;
    SiltPose pose;
    SiltRange range;
    SiltStudio studio;
    SiltStatus status;
    double turn;
    SiltViewer *viewer;
    SiltFrame window;
    SiltTerrain *land; // with water on it
} Measured;

static void first_work(void *context)
{
    Measured *work = context;
    SiltImage image;
    if (work->status == SILT_OK)
        work->status = silt_render(work->terrain, &work->options, &image);
    silt_image_destroy(&image);
}

static void frame_work(void *context)
{
    Measured *work = context;
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
    Measured *work = context;
    SiltRenderOptions small = work->options;
    SiltImage image = {0};
    small.width = small.height = 1;
    if (work->status == SILT_OK)
        work->status = silt_studio_shoot(&work->studio, &work->pose, &small, &work->range, 0.0, &image);
    silt_image_destroy(&image);
}

static void upload_work(void *context)
{
    Measured *work = context;
    silt_studio_set_heights(&work->studio, work->terrain);
}

// The shortest time of several, in seconds; it goes on for about half a second.
static double best_time(void (*work)(void *context), Measured *measured)
{
    work(measured); // warm
    double best = 1e30, spent = 0.0;
    for (int k = 0; k < 200 && (spent < 0.5 || k < 3) && measured->status == SILT_OK; k++) {
        double begun = silt_wall_clock();
        work(measured);
        double taken = silt_wall_clock() - begun;
        best = taken < best ? taken : best;
        spent += taken;
        if (taken > 5.0)
            break;
    }
    return best;
}

#ifdef SILT_HAS_GL

// As a live run has it: all cells are new, and the camera turns.
static void live_work(void *context)
{
    Measured *work = context;
    for (int k = 0; k < 2 && work->status == SILT_OK; k++) {
        const char *layer = k ? "water" : "height";
        SiltField *field = silt_terrain_layer(work->land, layer);
        silt_field_scale(field, 1.0f, k ? 0.01f : -0.01f);
        work->status = silt_viewer_update(work->viewer, layer, NULL, field->data, field->stride);
    }
    silt_viewer_orbit(work->viewer, 3.0, 0.0);
    silt_viewer_animate(work->viewer, 0.05);
    if (work->status == SILT_OK)
        work->status = silt_viewer_draw(work->viewer, work->window.frame, WIDTH, HEIGHT, false);
}

static void measure_live(Measured *measured, double *out)
{
    SiltField *water;
    measured->status = silt_terrain_clone(measured->pose.terrain, &measured->land);
    if (measured->status == SILT_OK)
        measured->status = silt_terrain_require(measured->land, "water", &water);
    if (measured->status == SILT_OK)
        measured->status = silt_viewer_frame(&measured->window, (const int[2]){WIDTH, HEIGHT});
    if (measured->status == SILT_OK)
        measured->status = silt_viewer_create(&measured->viewer);
    if (measured->status == SILT_OK)
        measured->status = silt_viewer_show(measured->viewer, &(SiltMotif){.terrain = measured->land});
    for (int k = 0; k < 5 && measured->status == SILT_OK; k++)
        live_work(measured); // shaders are compiled, and it is known how fast the card is
    *out = best_time(live_work, measured);
    silt_viewer_destroy(measured->viewer, true);
    silt_viewer_drop_frame(&measured->window);
    silt_terrain_destroy(measured->land);
}

#else

static void measure_live(Measured *measured, double *out)
{
    (void)measured;
    *out = INFINITY;
}

#endif

static void measure(Measured *measured, SiltRenderCost *out)
{
    out->first = best_time(first_work, measured);
    if (measured->status == SILT_OK)
        measured->status = silt_studio_begin(&measured->options, false, &measured->studio);
    if (measured->status != SILT_OK)
        return;
    silt_studio_set_quick(&measured->studio);
    out->change = best_time(change_work, measured);
    out->frame = best_time(frame_work, measured);
    out->upload = best_time(upload_work, measured);
    if (measured->status == SILT_OK)
        measure_live(measured, &out->live);
    silt_studio_end(&measured->studio);
}

SiltStatus silt_render_measure(const SiltTerrain *terrain, const SiltRenderOptions *options,
                               SiltRenderCost *out)
{
    *out = (SiltRenderCost){0};
    Measured measured = {.terrain = terrain};
    measured.status = silt_params_init(&silt_render_params, &measured.options);
    if (options)
        measured.options = *options;
    if (measured.status == SILT_OK)
        measured.status =
            silt_pose_begin(&(SiltMotif){.terrain = terrain}, &measured.options, NULL, &measured.pose);
    if (measured.status != SILT_OK)
        return measured.status;
    measured.status = silt_pose_range(&measured.pose, &measured.options, &measured.range);
    if (measured.status == SILT_OK)
        measure(&measured, out);
    silt_pose_end(&measured.pose);
    return measured.status;
}
