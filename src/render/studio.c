#include "render/studio.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/legend.h"
#include "render/scene.h"

enum { WIDTH = 1280, HEIGHT = 800, LONGEST_PICTURE = 16384 };

SiltStatus silt_settled(const SiltTerrain *terrain, SiltTerrain **copy, const SiltTerrain **out)
{
    *copy = NULL;
    *out = terrain;
    if (!silt_terrain_layer(terrain, "change"))
        return SILT_OK;
    SiltStatus status = silt_terrain_clone(terrain, copy);
    if (status != SILT_OK)
        return status;
    silt_terrain_settle(*copy);
    *out = *copy;
    return SILT_OK;
}

static SiltStatus make_image(int width, int height, SiltImage *out)
{
    *out = (SiltImage){width, height, NULL};
    return silt_alloc_for("a picture", (size_t)width * (size_t)height, 4, (void **)&out->rgba);
}

// ---- maps ----

static SiltStatus draw_map(const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range, SiltImage *out)
{
    SiltTerrain *scaled = NULL;
    double aspect = (double)terrain->height / terrain->width, width = options->width,
           height = options->height;
    if (width <= 0.0 && height <= 0.0)
        width = terrain->width;
    width = width > 0.0 ? width : height / aspect;
    if (options->height > 0 && width * aspect > options->height) // fits both
        width = options->height / aspect;
    if (width > LONGEST_PICTURE)
        width = LONGEST_PICTURE;
    if (width * aspect > LONGEST_PICTURE)
        width = LONGEST_PICTURE / aspect;
    int columns = width < 1.0 ? 1 : (int)(width + 0.5), rows = (int)(width * aspect + 0.5);
    rows = rows < 1 ? 1 : rows;
    SiltStatus status = SILT_OK;
    if (columns != terrain->width || rows != terrain->height) {
        status = silt_terrain_resample(terrain, columns, rows, &scaled);
        terrain = scaled;
    }
    if (status == SILT_OK)
        status = make_image(columns, rows, out);
    if (status == SILT_OK)
        status = silt_hillshade(terrain, options, range, out);
    silt_terrain_destroy(scaled);
    return status;
}

// ---- three dimensions ----

static bool is_map(const SiltRenderOptions *options)
{
    return options->view == SILT_VIEW_MAP || options->look == SILT_LOOK_HILLSHADE;
}

SiltStatus silt_studio_begin(const SiltRenderOptions *options, SiltStudio *out)
{
    *out = (SiltStudio){.flat = true};
    if (is_map(options))
        return SILT_OK;
    SiltStatus status = silt_offscreen_begin(&out->offscreen);
#ifdef SILT_HAS_GL
    if (status == SILT_OK) {
        status = silt_scene_create(&out->scene);
        out->flat = status != SILT_OK;
        if (status != SILT_OK)
            silt_offscreen_end(&out->offscreen);
    }
#endif
    if (status != SILT_MISSING_FEATURE)
        return status;
    silt_warn("%s; a flat map is drawn instead", silt_message());
    return SILT_OK;
}

void silt_studio_end(SiltStudio *studio)
{
#ifdef SILT_HAS_GL
    silt_scene_destroy(studio->scene);
#endif
    silt_offscreen_end(&studio->offscreen);
    *studio = (SiltStudio){0};
}

void silt_studio_set_quick(SiltStudio *studio)
{
#ifdef SILT_HAS_GL
    if (studio->scene)
        silt_scene_set_quick(studio->scene, true);
#else
    (void)studio;
#endif
}

bool silt_render_has_gl(void)
{
    SiltOffscreen offscreen;
    bool found = silt_offscreen_begin(&offscreen) == SILT_OK;
    silt_offscreen_end(&offscreen);
    return found;
}

#ifdef SILT_HAS_GL

static SiltStatus draw_view(SiltStudio *studio, const SiltTerrain *terrain, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, bool same, SiltImage *out)
{
    int width = options->width, height = options->height, limit = silt_scene_longest_side();
    if (width <= 0 && height <= 0) {
        width = WIDTH;
        height = HEIGHT;
    } else if (height <= 0) {
        height = (int)((double)width * HEIGHT / WIDTH + 0.5);
    } else if (width <= 0) {
        width = (int)((double)height * WIDTH / HEIGHT + 0.5);
    }
    width = width < 1 ? 1 : width;
    height = height < 1 ? 1 : height;
    SiltTerrain *smaller = NULL;
    SiltStatus status = make_image(width, height, out);
    if (status == SILT_OK && (terrain->width > limit || terrain->height > limit)) {
        double scale = (double)limit / (terrain->width > terrain->height ? terrain->width : terrain->height);
        int columns = (int)(terrain->width * scale), rows = (int)(terrain->height * scale);
        status = silt_terrain_resample(terrain, columns < 1 ? 1 : columns, rows < 1 ? 1 : rows, &smaller);
        terrain = smaller;
    }
    if (status == SILT_OK && !same)
        status = silt_scene_set_terrain(studio->scene, terrain, options, range);
    if (status == SILT_OK) {
        SiltCamera camera = silt_camera(terrain, options, range, turn, width, height);
        status = silt_scene_picture(studio->scene, &camera, options, out);
    }
    silt_terrain_destroy(smaller);
    return status;
}

#else

static SiltStatus draw_view(SiltStudio *studio, const SiltTerrain *terrain, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, bool same, SiltImage *out)
{
    (void)studio, (void)turn, (void)same;
    return draw_map(terrain, options, range, out);
}

#endif

static SiltStatus shoot(SiltStudio *studio, const SiltTerrain *terrain, const SiltRenderOptions *options,
                        const SiltRange *range, double turn, bool same, SiltImage *out)
{
    *out = (SiltImage){0};
    SiltStatus status = studio->flat ? draw_map(terrain, options, range, out)
                                     : draw_view(studio, terrain, options, range, turn, same, out);
    if (status != SILT_OK) {
        silt_image_destroy(out);
        return status;
    }
    if (options->legend && options->overlay[0])
        for (int k = 0; k < terrain->layer_count; k++)
            if (strcmp(terrain->layers[k]->name, options->overlay) == 0)
                silt_legend_draw(out, options->overlay, terrain->layers[k]->unit, &range->scale);
    return SILT_OK;
}

SiltStatus silt_studio_shoot(SiltStudio *studio, const SiltTerrain *terrain, const SiltRenderOptions *options,
                             const SiltRange *range, double turn, SiltImage *out)
{
    return shoot(studio, terrain, options, range, turn, false, out);
}

SiltStatus silt_studio_turn(SiltStudio *studio, const SiltTerrain *terrain, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, SiltImage *out)
{
    return shoot(studio, terrain, options, range, turn, true, out);
}
