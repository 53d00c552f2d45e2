#include "render/studio.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/legend.h"
#include "render/lettering.h"
#include "render/scene.h"

enum { WIDTH = 1280, HEIGHT = 800, LONGEST_PICTURE = 16384 };

static SiltStatus make_image(int width, int height, SiltImage *out)
{
    *out = (SiltImage){width, height, NULL};
    return silt_alloc_for("a picture", (size_t)width * (size_t)height, 4, (void **)&out->rgba);
}

// ---- maps ----

typedef struct Sheet {
    int width, height; // of the picture
    int columns, rows; // of the map on it
    int strip;         // rows below it for the legend
} Sheet;

static int whole(double side)
{
    return side < 1.0 ? 1 : side > LONGEST_PICTURE ? LONGEST_PICTURE : (int)(side + 0.5);
}

// The picture is as large as was asked for, or as the map; the map keeps its shape.
static Sheet lay_out(const SiltTerrain *terrain, const SiltRenderOptions *options, bool has_legend)
{
    double aspect = (double)terrain->height / terrain->width, width = options->width;
    double height = options->height;
    Sheet sheet = {0};
    if (width <= 0.0 && height <= 0.0)
        width = fmin(terrain->width, LONGEST_PICTURE / fmax(1.0, aspect));
    if (width > 0.0 && height > 0.0) {
        sheet.strip = has_legend ? silt_legend_strip(options->width, options->height) : 0;
        width = fmin(width, (height - sheet.strip) / aspect);
    } else {
        width = width > 0.0 ? width : height / aspect;
        width = fmin(width, LONGEST_PICTURE / fmax(1.0, aspect));
        sheet.strip = has_legend ? silt_legend_strip(whole(width), whole(width * aspect)) : 0;
    }
    sheet.columns = whole(width);
    sheet.rows = whole(width * aspect);
    bool fixed = options->width > 0 && options->height > 0;
    sheet.width = fixed ? options->width : sheet.columns;
    sheet.height = fixed ? options->height : whole(sheet.rows + sheet.strip);
    return sheet;
}

// The map in the middle of white paper.
static SiltStatus put_on_paper(const Sheet *sheet, bool transparent, SiltImage *map)
{
    static const SiltColour paper = {0.97f, 0.97f, 0.96f};
    SiltImage image;
    SiltStatus status = make_image(sheet->width, sheet->height, &image);
    if (status != SILT_OK)
        return status;
    if (!transparent)
        silt_image_fill(&image, 0.0, 0.0, image.width, image.height, paper, 1.0);
    int left = (sheet->width - map->width) / 2, top = (sheet->height - sheet->strip - map->height) / 2;
    top = top > 0 ? top : 0;
    for (int j = 0; j < map->height && top + j < image.height; j++)
        memcpy(image.rgba + ((size_t)(top + j) * (size_t)image.width + (size_t)left) * 4,
               map->rgba + (size_t)j * (size_t)map->width * 4, (size_t)map->width * 4);
    silt_image_destroy(map);
    *map = image;
    return SILT_OK;
}

static SiltStatus draw_map(const SiltTerrain *terrain, const SiltRenderOptions *options,
                           const SiltRange *range, bool has_legend, SiltImage *out)
{
    SiltTerrain *scaled = NULL;
    Sheet sheet = lay_out(terrain, options, has_legend);
    SiltStatus status = SILT_OK;
    if (sheet.columns != terrain->width || sheet.rows != terrain->height) {
        status = silt_terrain_resample(terrain, sheet.columns, sheet.rows, &scaled);
        terrain = scaled;
    }
    if (status == SILT_OK)
        status = make_image(sheet.columns, sheet.rows, out);
    if (status == SILT_OK)
        status = silt_hillshade(terrain, options, range, out);
    if (status == SILT_OK && (sheet.width != sheet.columns || sheet.height != sheet.rows))
        status = put_on_paper(&sheet, options->transparent, out);
    silt_terrain_destroy(scaled);
    return status;
}

// ---- three dimensions ----

static bool has_legend(const SiltStudio *studio, const SiltRenderOptions *options)
{
    return studio->leaves_room || (options->legend && options->overlay[0]);
}

static bool is_map(const SiltRenderOptions *options)
{
    return options->view == SILT_VIEW_MAP || options->look == SILT_LOOK_HILLSHADE;
}

SiltStatus silt_studio_begin(const SiltRenderOptions *options, bool needs_gl, SiltStudio *out)
{
    *out = (SiltStudio){.flat = true};
    if (is_map(options))
        return SILT_OK;
    SiltStatus status = silt_offscreen_begin(SILT_GL_ANY, &out->offscreen);
#ifdef SILT_HAS_GL
    if (status == SILT_OK) {
        status = silt_scene_create(&out->scene);
        out->flat = status != SILT_OK;
        if (status != SILT_OK)
            silt_offscreen_end(&out->offscreen);
    }
#endif
    if (status != SILT_MISSING_FEATURE || needs_gl)
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

void silt_studio_set_heights(SiltStudio *studio, const SiltTerrain *terrain)
{
#ifdef SILT_HAS_GL
    if (studio->scene)
        silt_scene_set_heights(studio->scene, terrain);
#else
    (void)studio, (void)terrain;
#endif
}

bool silt_render_has_gl(void)
{
    SiltOffscreen offscreen;
    bool found = silt_offscreen_begin(SILT_GL_ANY, &offscreen) == SILT_OK;
    silt_offscreen_end(&offscreen);
    return found;
}

#ifdef SILT_HAS_GL

static void picture_size(const SiltRenderOptions *options, int *width, int *height)
{
    *width = options->width;
    *height = options->height;
    if (*width <= 0 && *height <= 0) {
        *width = WIDTH;
        *height = HEIGHT;
    } else if (*height <= 0) {
        *height = (int)((double)*width * HEIGHT / WIDTH + 0.5);
    } else if (*width <= 0) {
        *width = (int)((double)*height * WIDTH / HEIGHT + 0.5);
    }
    *width = *width < 1 ? 1 : *width;
    *height = *height < 1 ? 1 : *height;
}

static SiltStatus draw_view(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, bool same, SiltImage *out)
{
    int width, height;
    picture_size(options, &width, &height);
    SiltStatus status = make_image(width, height, out);
    if (status == SILT_OK && !same)
        status = silt_scene_set(studio->scene, pose, options, range);
    if (status == SILT_OK) {
        SiltCamera camera =
            silt_camera(pose->is_solid ? NULL : pose->terrain, options, range, turn, width, height);
        status = silt_scene_picture(studio->scene, &camera, options, out);
        if (status == SILT_OK && !silt_scene_is_seen(studio->scene))
            silt_warn("render: nothing of it can be seen from here: the camera looks past it, or it is too "
                      "thin or too far away for one pixel");
    }
    return status;
}

#else

static SiltStatus draw_view(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, bool same, SiltImage *out)
{
    (void)turn, (void)same;
    return draw_map(pose->terrain, options, range, has_legend(studio, options), out);
}

#endif

static void tell_no_room(SiltStudio *studio, const SiltImage *image)
{
    if (!studio->told)
        silt_warn("render: a picture of %d x %d pixels has no room for the legend; legend = false keeps this "
                  "quiet",
                  image->width, image->height);
    studio->told = true;
}

// What red and green stand for.
static void add_mud_legend(const SiltRange *range, const SiltImage *image)
{
    SiltScale deposit = {SILT_SCALE_DEPOSIT, 0.0, range->most_deposit};
    SiltScale mud = {SILT_SCALE_MUD, 0.0, range->most_mud};
    int row = 0;
    if (deposit.high > 0.0)
        silt_legend_draw_below(image, "laid down", "m", &deposit, row++);
    if (mud.high > 0.0)
        silt_legend_draw_below(image, "in the water", "m", &mud, row);
}

static void add_legend(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                       const SiltRange *range, const SiltImage *image)
{
    bool drawn = true;
    const char *unit, *quantity = silt_particle_quantity(options->particle_colour, &unit);
    if (!options->legend)
        return;
    if (options->sediment && !options->overlay[0] && !quantity && image->width >= 300)
        add_mud_legend(range, image);
    if (quantity && range->particle_size > 0.0) {
        if (!silt_legend_draw(image, quantity, unit, &range->particle_scale, false))
            tell_no_room(studio, image);
        return;
    }
    for (int k = 0; options->overlay[0] && pose->terrain && k < pose->terrain->layer_count; k++)
        if (strcmp(pose->terrain->layers[k]->name, options->overlay) == 0)
            drawn = silt_legend_draw(image, options->overlay, pose->terrain->layers[k]->unit, &range->scale,
                                     false);
    if (!drawn)
        tell_no_room(studio, image);
}

static SiltStatus shoot(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                        const SiltRange *range, double turn, bool same, SiltImage *out)
{
    *out = (SiltImage){0};
    if (studio->flat && !pose->terrain)
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: a mesh, a volume or particles alone cannot be drawn as a flat "
                         "map; take another view or look");
    SiltStatus status = studio->flat
                            ? draw_map(pose->terrain, options, range, has_legend(studio, options), out)
                            : draw_view(studio, pose, options, range, turn, same, out);
    if (status == SILT_OK)
        add_legend(studio, pose, options, range, out);
    else
        silt_image_destroy(out);
    return status;
}

SiltStatus silt_studio_shoot(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                             const SiltRange *range, double turn, SiltImage *out)
{
    return shoot(studio, pose, options, range, turn, false, out);
}

SiltStatus silt_studio_turn(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, SiltImage *out)
{
    return shoot(studio, pose, options, range, turn, true, out);
}
