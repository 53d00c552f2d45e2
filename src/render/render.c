// Options, images, and which look draws them.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/picture.h"
#include "render/studio.h"
#include "render/visible.h"
#include "silt/render.h"
#include "volume/volume.h"

static const SiltParam items[] = {
    SILT_CHOICE(
        SiltRenderOptions, look, "land hillshade grey contours tint soil", "land",
        "land has grass, rock and snow by height and slope, hillshade draws it as a flat map without GL, "
        "grey shows the form alone, tint colours heights as an atlas does, contours adds lines, and soil is "
        "bare earth on which nothing grows"),
    SILT_CHOICE(
        SiltRenderOptions, view, "three-quarter top low close map panorama", "three-quarter",
        "where the camera stands; panorama looks over the land from the air, map is flat and north is up"),
    SILT_LAYER(SiltRenderOptions, overlay, "", "a layer drawn over the land in an even colour ramp"),
    SILT_INT(SiltRenderOptions, width, "pixels", 0, 0, 16384,
             "width of the picture; 0: by the height, or 1280, or for a map one a cell"),
    SILT_INT(SiltRenderOptions, height, "pixels", 0, 0, 16384, "height of the picture; 0: by the width"),
    SILT_REAL(SiltRenderOptions, sun, "deg", 315.0, 0.0, 360.0,
              "where the light comes from, clockwise from north"),
    SILT_REAL(SiltRenderOptions, sun_height, "deg", 38.0, 1.0, 90.0, "how high the sun stands"),
    SILT_REAL(SiltRenderOptions, exaggeration, "", 1.0, 0.01, 100.0, "how much higher the land is drawn"),
    SILT_REAL(SiltRenderOptions, turn, "deg", 0.0, -3600.0, 3600.0,
              "how far the camera goes round the terrain, clockwise seen from above"),
    SILT_VECTOR3(SiltRenderOptions, eye, "m", NAN, NAN, NAN, -1e9, 1e9,
                 "where the camera stands: east and north of the south-west corner, and height"),
    SILT_VECTOR3(SiltRenderOptions, target, "m", NAN, NAN, NAN, -1e9, 1e9,
                 "what it looks at; the middle when only the eye is given"),
    SILT_REAL(SiltRenderOptions, fov, "deg", 30.0, 1.0, 120.0, "angle from the lower to the upper edge"),
    SILT_REAL(SiltRenderOptions, snow, "m", NAN, -1e6, 1e6,
              "height above which snow lies; by the relief if not given"),
    SILT_REAL(SiltRenderOptions, arid, "", 0.0, 0.0, 1.0,
              "how dry the land is: 0 has grass and trees, 1 is a desert of red rock and sand"),
    SILT_REAL(SiltRenderOptions, sea, "m", NAN, -1e6, 1e6,
              "a sea that stands up to this height, over all ground below and around rock; none: no sea"),
    SILT_REAL(SiltRenderOptions, haze, "", 0.35, 0.0, 10.0, "how thick the air is; 0 for none"),
    SILT_REAL(SiltRenderOptions, bloom, "", 0.3, 0.0, 4.0, "how strongly bright places glow; 0: not at all"),
    SILT_REAL(SiltRenderOptions, bloom_above, "", 0.52, 0.0, 1.0,
              "how bright a place must be to glow, as a share of white"),
    SILT_REAL(SiltRenderOptions, bloom_white, "", NAN, 0.1, 100.0,
              "light that is white for that, L_white of Fritz 3.7.2 (after Reinhard 2002): less makes more "
              "glow; none: "
              "nothing is as bright as that"),
    SILT_CHOICE(SiltRenderOptions, compare, "side wipe", "side",
                "before and after: side by side, or one picture cut in the middle"),
    SILT_CHOICE(SiltRenderOptions, volume, "mesh rays", "mesh",
                "a volume's surface: triangles of marching cubes, or rays traced through its bricks"),
    SILT_CHOICE(SiltRenderOptions, worn, "plain tint shape", "plain",
                "what became of a volume: nothing told; fresh rock pale and what came to lie on it ochre; or "
                "so, and the rock as it was as a white shape"),
    SILT_VECTOR2(SiltRenderOptions, clip_east, "m", NAN, NAN, -1e9, 1e9,
                 "what stays of a mesh or volume, from the western edge; the cut is shown solid"),
    SILT_VECTOR2(SiltRenderOptions, clip_north, "m", NAN, NAN, -1e9, 1e9, "the same from the southern edge"),
    SILT_VECTOR2(SiltRenderOptions, clip_height, "m", NAN, NAN, -1e9, 1e9, "the same for heights"),
    SILT_VECTOR3(SiltRenderOptions, cut, "", NAN, NAN, NAN, -1e9, 1e9,
                 "a slanting cut: east, north and up, towards what is taken away"),
    SILT_VECTOR3(SiltRenderOptions, cut_at, "m", NAN, NAN, NAN, -1e9, 1e9,
                 "a place on that cut, as for the eye; the middle if not given"),
    SILT_CHOICE(SiltRenderOptions, particle_look, "fluid spheres sprites none", "fluid",
                "particles: one smooth surface of water, balls, clear discs sorted by depth, or not drawn"),
    SILT_CHOICE(
        SiltRenderOptions, particle_colour, "water sediment speed density surface normal", "water",
        "what the colour of particles means; surface: 1 for those that no other covers; normal: 1 where "
        "the normal of the water's surface points up (Weiss fig. 3.17a); all but water have a legend"),
    SILT_REAL(SiltRenderOptions, particle_size, "m", 0.0, 0.0, 1e6,
              "how large particles are drawn; 0: as far as they lie apart"),
    SILT_BOOL(SiltRenderOptions, shadows, true, "mountains cast shadows"),
    SILT_BOOL(SiltRenderOptions, water, true, "draw the layer \"water\" where there is one"),
    SILT_BOOL(SiltRenderOptions, ice, true, "draw the layer \"ice\" where there is one, as thick as it is"),
    SILT_BOOL(SiltRenderOptions, sediment, false,
              "tint muddy water green and loose deposits, where they lie, red, by how much there is; with a "
              "legend"),
    SILT_BOOL(SiltRenderOptions, legend, true, "explain the colours of an overlay, or of sediment"),
    SILT_BOOL(SiltRenderOptions, transparent, false, "no sky behind the terrain"),
};
const SiltParamTable silt_render_params = SILT_PARAM_TABLE(SiltRenderOptions, items);

void silt_image_destroy(SiltImage *image)
{
    silt_free(image->rgba);
    *image = (SiltImage){0};
}

static SiltStatus check(const SiltTerrain *terrain, const SiltRenderOptions *options)
{
    SiltStatus status = silt_params_check(&silt_render_params, options, "render");
    return status == SILT_OK ? silt_overlay_check(terrain, NULL, options->overlay) : status;
}

SiltStatus silt_render_motif(const SiltMotif *motif, const SiltRenderOptions *options, SiltImage *out)
{
    *out = (SiltImage){0};
    SiltRenderOptions defaults;
    SiltStatus status = silt_params_init(&silt_render_params, &defaults);
    options = options ? options : &defaults;
    if (status == SILT_OK)
        status = check(motif->terrain, options);
    SiltPose pose = {0};
    if (status == SILT_OK)
        status = silt_pose_begin(motif, options, NULL, &pose);
    if (status != SILT_OK)
        return status;
    if (options->worn != SILT_WORN_PLAIN && !(pose.volume && pose.volume->former))
        silt_warn(
            "render: worn shows what water has changed of a volume, and there is none here that remembers "
            "how it was (erode voxel in a recipe, or a volume to compare with)");
    SiltStudio studio = {0};
    SiltRange range;
    status = silt_pose_range(&pose, options, &range);
    if (status == SILT_OK)
        status = silt_visible_check(&pose, options, &range);
    if (status == SILT_OK)
        status = silt_studio_begin(options, !pose.terrain, &studio);
    if (status == SILT_OK)
        status = silt_studio_shoot(&studio, &pose, options, &range, 0.0, out);
    silt_studio_end(&studio);
    silt_pose_end(&pose);
    return status;
}

SiltStatus silt_render(const SiltTerrain *terrain, const SiltRenderOptions *options, SiltImage *out)
{
    return silt_render_motif(&(SiltMotif){.terrain = terrain}, options, out);
}

static size_t pack_rgb(const void *context, size_t begin, size_t end, char *to)
{
    const SiltImage *image = context;
    for (size_t k = begin; k < end; k++, to += 3)
        memcpy(to, image->rgba + 4 * k, 3);
    return 3 * (end - begin);
}

static SiltStatus write_ppm(const SiltImage *image, const char *path)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    fprintf(output.file, "P6\n%d %d\n255\n", image->width, image->height);
    status = silt_output_pack(&output, (size_t)image->width * (size_t)image->height, 3, pack_rgb, image);
    if (status == SILT_OK)
        status = silt_output_status(&output);
    return silt_output_end(&output, status);
}

static SiltStatus check_ending(const char *path)
{
    return silt_ends_with(path, ".ppm") || silt_ends_with(path, ".png")
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT,
                           "%s: a picture ends in .png or .ppm, a film in .mp4, .webm, .gif, .apng or .webp",
                           path);
}

SiltStatus silt_image_write_check(const char *path)
{
    SiltOutput output;
    SiltStatus status = check_ending(path);
    if (status == SILT_OK)
        status = silt_output_try(path, &output);
    if (status == SILT_OK)
        silt_output_abandon(&output);
    return status;
}

SiltStatus silt_image_write(const SiltImage *image, const char *path)
{
    SiltStatus status = check_ending(path);
    if (status != SILT_OK)
        return status;
    if (silt_ends_with(path, ".ppm"))
        return write_ppm(image, path);
    bool clear = false;
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t k = 0; k < pixels && !clear; k++)
        clear = image->rgba[4 * k + 3] != 255;
    return silt_png_write_rgba(path, image->width, image->height, image->rgba, clear);
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
