// Films: one picture after the other in the same light and colours, to ffmpeg or to numbered files.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "render/encoder.h"
#include "render/studio.h"
#include "render/visible.h"

struct SiltFilm {
    char path[SILT_PATH_SIZE];
    SiltRenderOptions options;
    double fps;
    bool numbered, begun, ranged;
    SiltStudio studio;
    SiltRange range; // grows with the terrain, so that colours do not jump
    SiltEncoder encoder;
    int width, height; // of the first frame
    int count;
    SiltRockSurface *surface; // of the last volume
    SiltTerrain *still;       // the last terrain, for frames in which only the camera moves
    bool posed;               // there was a frame
    bool is_solid;            // and it showed no heights
};

// Where the number of a picture goes: "%d", "%04d"; NULL when there is not exactly one.
static const char *find_number(const char *path, int *digits)
{
    const char *found = strchr(path, '%');
    *digits = 0;
    if (!found || strchr(found + 1, '%'))
        return NULL;
    const char *at = found + 1;
    for (; *at >= '0' && *at <= '9' && *digits < 100; at++)
        *digits = *digits * 10 + (*at - '0');
    return *at == 'd' && *digits <= 20 ? found : NULL;
}

static bool is_picture(const char *path)
{
    return silt_ends_with(path, ".png") || silt_ends_with(path, ".ppm");
}

bool silt_path_is_film(const char *path)
{
    int digits;
    return is_picture(path) ? find_number(path, &digits) != NULL : silt_encoder_knows(path);
}

SiltStatus silt_film_begin(const char *path, const SiltRenderOptions *options, double fps, SiltFilm **out)
{
    *out = NULL;
    SiltFilm *film;
    if (is_picture(path) && !silt_path_is_film(path))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: numbered pictures have one %%d or %%04d in their name",
                         path);
    if (!is_picture(path) && !silt_encoder_knows(path))
        return SILT_BAD_ARGUMENT;
    if (strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", path);
    if (!(fps >= 0.1 && fps <= 240.0))
        return silt_fail(SILT_BAD_ARGUMENT, "render: fps = %g is not between 0.1 and 240", fps);
    SiltStatus status = silt_alloc_for("a film", 1, sizeof *film, (void **)&film);
    if (status != SILT_OK)
        return status;
    strcpy(film->path, path);
    film->fps = fps;
    film->numbered = is_picture(path);
    status = silt_params_init(&silt_render_params, &film->options);
    if (options)
        film->options = *options;
    if (status == SILT_OK)
        status = silt_params_check(&silt_render_params, &film->options, "render");
    if (status == SILT_OK)
        status = silt_make_folders(path);
    if (status == SILT_OK && !film->numbered)
        status = silt_encoder_check(path);
    if (status == SILT_OK)
        status = silt_studio_begin(&film->options, false, &film->studio);
    if (status == SILT_OK) {
        silt_studio_set_quick(&film->studio);
        film->studio.leaves_room =
            film->options.legend && film->options.overlay[0]; // the layer may come later
        *out = film;
        return SILT_OK;
    }
    silt_studio_end(&film->studio);
    silt_free(film);
    return status;
}

int silt_film_frame_count(const SiltFilm *film)
{
    return film->count;
}

static SiltStatus keep_frame(SiltFilm *film, const SiltImage *image)
{
    if (film->count == 0) {
        film->width = image->width;
        film->height = image->height;
    }
    if (film->numbered) {
        char name[SILT_PATH_SIZE + 32];
        int digits;
        const char *number = find_number(film->path, &digits), *rest = strchr(number, 'd') + 1;
        snprintf(name, sizeof name, "%.*s%0*d%s", (int)(number - film->path), film->path, digits, film->count,
                 rest);
        return silt_image_write(image, name);
    }
    SiltStatus status = SILT_OK;
    if (!film->begun)
        status = silt_encoder_begin(film->path, (const int[2]){image->width, image->height},
                                    film->options.transparent, film->fps, &film->encoder);
    film->begun = film->begun || status == SILT_OK;
    return status == SILT_OK ? silt_encoder_add(&film->encoder, image) : status;
}

// Keeps the terrain of this frame, for frames in which only the camera moves.
static SiltStatus keep_terrain(SiltFilm *film, SiltPose *pose)
{
    silt_terrain_destroy(film->still);
    film->still = NULL;
    if (!pose->terrain)
        return SILT_OK;
    SiltStatus status = SILT_OK;
    if (pose->own_terrain)
        film->still = pose->own_terrain;
    else
        status = silt_terrain_clone(pose->terrain, &film->still);
    pose->own_terrain = NULL;
    pose->terrain = film->still;
    return status;
}

static SiltStatus measure(SiltFilm *film, const SiltPose *pose, const SiltRenderOptions *options)
{
    SiltRange range;
    SiltStatus status = silt_pose_range(pose, options, &range);
    if (status == SILT_OK)
        status = silt_visible_check(pose, options, &range);
    if (status != SILT_OK)
        return status;
    if (film->ranged)
        silt_range_include(&film->range, &range);
    else
        film->range = range;
    film->ranged = true;
    return SILT_OK;
}

// A map is as large as its terrain: one of another size than the first frame is drawn again, to fit that.
static SiltStatus shoot(SiltFilm *film, const SiltPose *pose, SiltRenderOptions *options, bool same,
                        double turn, SiltImage *out)
{
    SiltStatus status = same ? silt_studio_turn(&film->studio, pose, options, &film->range, turn, out)
                             : silt_studio_shoot(&film->studio, pose, options, &film->range, turn, out);
    if (status != SILT_OK || film->count == 0 || (out->width == film->width && out->height == film->height))
        return status;
    film->options.width = options->width = film->width;
    film->options.height = options->height = film->height;
    silt_image_destroy(out);
    return silt_studio_shoot(&film->studio, pose, options, &film->range, turn, out);
}

SiltStatus silt_film_add_motif(SiltFilm *film, const SiltMotif *motif, double turn)
{
    SiltRenderOptions options = film->options;
    SiltPose pose = {.terrain = film->still, .is_solid = film->is_solid};
    SiltStatus status = SILT_OK;
    if (!motif && !film->posed)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the first frame of a film needs something to show",
                         film->path);
    const SiltTerrain *shown = motif ? motif->terrain : film->still;
    if (!shown || !silt_terrain_layer(shown, options.overlay))
        options.overlay[0] = '\0'; // the model that makes it has not begun
    if (motif) {
        status = silt_pose_begin(motif, &options, &film->surface, &pose);
        film->is_solid = pose.is_solid;
        if (status == SILT_OK)
            status = keep_terrain(film, &pose);
        if (status == SILT_OK)
            status = measure(film, &pose, &options);
    }
    SiltImage image = {0};
    if (status == SILT_OK)
        status = shoot(film, &pose, &options, !motif, turn, &image);
    film->posed = film->posed || status == SILT_OK;
    if (status == SILT_OK)
        status = keep_frame(film, &image);
    film->count += status == SILT_OK;
    silt_image_destroy(&image);
    silt_pose_end(&pose);
    return status;
}

SiltStatus silt_film_add(SiltFilm *film, const SiltTerrain *terrain, double turn)
{
    return silt_film_add_motif(film, terrain ? &(SiltMotif){.terrain = terrain} : NULL, turn);
}

SiltStatus silt_film_end(SiltFilm *film, SiltStatus status)
{
    if (film->begun)
        status = silt_encoder_end(&film->encoder, status);
    silt_surface_destroy(film->surface);
    silt_terrain_destroy(film->still);
    silt_studio_end(&film->studio);
    silt_free(film);
    return status;
}
