// Options, images, and which look draws them.
#include <errno.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/picture.h"
#include "render/hillshade.h"
#include "silt/render.h"

static const SiltParam items[] = {
    SILT_CHOICE(SiltRenderOptions, look, "hillshade grey", "hillshade",
                "hillshade tints the land by height and slope, grey shows its form alone"),
    SILT_LAYER(SiltRenderOptions, overlay, "", "a layer drawn over the land in an even colour ramp"),
    SILT_REAL(SiltRenderOptions, sun, "deg", 315.0, 0.0, 360.0,
              "where the light comes from, clockwise from north"),
    SILT_REAL(SiltRenderOptions, sun_height, "deg", 40.0, 1.0, 90.0, "how high the sun stands"),
    SILT_REAL(SiltRenderOptions, exaggeration, "", 1.0, 0.01, 100.0,
              "how much steeper the light takes slopes"),
    SILT_INT(SiltRenderOptions, width, "pixels", 0, 0, 16384,
             "width of the picture; 0 draws one pixel a cell"),
    SILT_BOOL(SiltRenderOptions, shadows, true, "mountains cast shadows"),
    SILT_BOOL(SiltRenderOptions, water, true, "draw the layer \"water\" where there is one"),
};
const SiltParamTable silt_render_params = SILT_PARAM_TABLE(SiltRenderOptions, items);

void silt_image_destroy(SiltImage *image)
{
    silt_free(image->rgba);
    *image = (SiltImage){0};
}

static SiltStatus draw(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *out)
{
    SiltImage image = {terrain->width, terrain->height, NULL};
    SiltStatus status =
        silt_alloc_for("a picture", (size_t)image.width * (size_t)image.height, 4, (void **)&image.rgba);
    if (status == SILT_OK)
        status = silt_hillshade(terrain, options, &image);
    if (status != SILT_OK) {
        silt_image_destroy(&image);
        return status;
    }
    *out = image;
    return SILT_OK;
}

SiltStatus silt_render(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *out)
{
    *out = (SiltImage){0};
    SiltRenderOptions defaults;
    SiltStatus status = silt_params_init(&silt_render_params, &defaults);
    if (status == SILT_OK && options)
        status = silt_params_check(&silt_render_params, options, "render");
    if (status != SILT_OK)
        return status;
    if (!options)
        options = &defaults;
    if (options->overlay[0] && !silt_terrain_layer(terrain, options->overlay))
        return silt_fail(SILT_BAD_ARGUMENT, "render: there is no layer '%s' to lay over the picture",
                         options->overlay);
    SiltTerrain *scaled = NULL, *settled = NULL;
    if (silt_terrain_layer(terrain, "change")) {
        status = silt_terrain_clone(terrain, &settled);
        if (status != SILT_OK)
            return status;
        silt_terrain_settle(settled);
        terrain = settled;
    }
    if (options->width > 0 && options->width != terrain->width) {
        double rows = (double)terrain->height * options->width / terrain->width;
        status = silt_terrain_resample(terrain, options->width, rows < 1.0 ? 1 : (int)(rows + 0.5), &scaled);
        terrain = scaled;
    }
    if (status == SILT_OK)
        status = draw(terrain, options, out);
    silt_terrain_destroy(scaled);
    silt_terrain_destroy(settled);
    return status;
}

static SiltStatus write_ppm(const SiltImage *image, const char *path)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    fprintf(output.file, "P6\n%d %d\n255\n", image->width, image->height);
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t k = 0; k < pixels; k++)
        fwrite(image->rgba + 4 * k, 1, 3, output.file);
    if (ferror(output.file))
        status = silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(errno));
    return silt_output_end(&output, status);
}

SiltStatus silt_image_write(const SiltImage *image, const char *path)
{
    if (silt_ends_with(path, ".ppm"))
        return write_ppm(image, path);
    if (!silt_ends_with(path, ".png"))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a picture ends in .png or .ppm", path);
    return silt_png_write_rgba(path, image->width, image->height, image->rgba, true);
}

SiltStatus silt_render_file(const SiltTerrain *terrain, const SiltRenderOptions *options, const char *path)
{
    SiltImage image;
    SiltStatus status = silt_render(terrain, options, &image);
    if (status != SILT_OK)
        return status;
    status = silt_image_write(&image, path);
    silt_image_destroy(&image);
    return status;
}
