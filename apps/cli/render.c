// silt render IN -o OUT: a picture or a film of a terrain, or of a recipe while it runs
#include "cli.h"
#include "core/text.h"

static bool is_recipe(const char *path)
{
    return silt_ends_with(path, ".yaml") || silt_ends_with(path, ".yml");
}

// What a film needs while the terrain grows.
typedef struct Reel {
    SiltFilm *film;
    double turn; // degrees from one frame to the next
} Reel;

static SiltStatus add_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)index;
    const Watch *watch = user;
    Reel *reel = watch->reel;
    return silt_film_add(reel->film, terrain, reel->turn * silt_film_frame_count(reel->film));
}

// Runs the recipe without its outputs.
static SiltStatus grow(const Arguments *arguments, Watch *watch, SiltTerrain **out)
{
    SiltRecipe *recipe;
    SiltStatus status = read_recipe(arguments, &recipe);
    if (status == SILT_OK)
        status = silt_recipe_grow(recipe, &watch->run, out);
    silt_recipe_destroy(recipe);
    return status;
}

static SiltStatus get_terrain(const Arguments *arguments, Watch *watch, SiltTerrain **out)
{
    *out = NULL;
    if (is_recipe(arguments->words[0]))
        return grow(arguments, watch, out);
    return silt_terrain_read(arguments->words[0], &arguments->read, out);
}

// ---- films ----

// A recipe is filmed while it runs, and its last state once round if nothing grew; a file is filmed from all
// sides.
static SiltStatus shoot(const Arguments *arguments, Watch *watch, Reel *reel, int frames)
{
    SiltTerrain *terrain = NULL;
    watch->reel = reel;
    watch->run.frame = add_frame;
    watch->run.frames = frames;
    SiltStatus status = get_terrain(arguments, watch, &terrain);
    if (status == SILT_OK && silt_film_frame_count(reel->film) == 0) {
        if (reel->turn == 0.0)
            reel->turn = 360.0 / frames;
        for (int k = 0; k < frames && status == SILT_OK; k++) {
            status = silt_film_add(reel->film, k == 0 ? terrain : NULL, reel->turn * k);
            if (status == SILT_OK && !watch->run.progress(watch->run.user, "film", k + 1, frames, "frames"))
                status = SILT_CANCELLED;
        }
    }
    silt_terrain_destroy(terrain);
    return status;
}

static int make_film(const Arguments *arguments, Watch *watch)
{
    double fps = arguments->fps > 0.0 ? arguments->fps : 30.0;
    double seconds = arguments->seconds > 0.0 ? arguments->seconds : 10.0, count = fps * seconds;
    if (count > 1e6)
        return report_usage("render", "%g seconds at %g frames a second are more than a million frames",
                            seconds, fps);
    int frames = count < 1.0 ? 1 : (int)(count + 0.5);
    Reel reel = {.turn = arguments->orbit / frames};
    SiltStatus status = silt_film_begin(arguments->output, &arguments->render, fps, &reel.film);
    if (status != SILT_OK)
        return report_failure(status);
    status = shoot(arguments, watch, &reel, frames);
    bool stopped = status == SILT_CANCELLED && silt_film_frame_count(reel.film) > 0;
    int taken = silt_film_frame_count(reel.film);
    status = silt_film_end(reel.film, stopped ? SILT_OK : status); // what was filmed until then is kept
    if (status != SILT_OK)
        return report_failure(status);
    if (!arguments->quiet)
        printf("%s: %d frames\n", arguments->output, taken);
    return stopped ? EXIT_CANCELLED : 0;
}

// ---- pictures ----

static int make_picture(const Arguments *arguments, Watch *watch)
{
    SiltTerrain *terrain = NULL, *before = NULL;
    SiltImage image = {0};
    SiltStatus status = get_terrain(arguments, watch, &terrain);
    if (status == SILT_OK && arguments->before)
        status = silt_terrain_read(arguments->before, &arguments->read, &before);
    if (status == SILT_OK)
        status = before ? silt_render_pair(before, terrain, &arguments->render, &image)
                        : silt_render(terrain, &arguments->render, &image);
    if (status == SILT_OK)
        status = silt_image_write(&image, arguments->output);
    silt_image_destroy(&image);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(before);
    if (status != SILT_OK)
        return report_failure(status);
    if (!arguments->quiet)
        printf("%s\n", arguments->output);
    return 0;
}

int run_render(const Arguments *arguments)
{
    if (!arguments->output)
        return report_usage("render", "say where the picture goes: -o FILE.png");
    if (arguments->fps < 0.0 || arguments->seconds < 0.0)
        return report_usage("render", "--fps and --seconds take no negative numbers");
    bool film = silt_path_is_film(arguments->output);
    if (film && arguments->before)
        return report_usage("render", "--before compares two pictures, and %s is a film", arguments->output);
    Arguments sized = *arguments;
    if (arguments->sized) {
        sized.render.width = arguments->width;
        sized.render.height = arguments->height;
    }
    Watch watch;
    if (!watch_begin(&sized, &watch))
        return EXIT_USAGE;
    int exit_status = film ? make_film(&sized, &watch) : make_picture(&sized, &watch);
    watch_end(&watch);
    return exit_status;
}

int run_view(const Arguments *arguments)
{
    (void)arguments;
    fprintf(stderr, "silt: this version has no window yet; 'silt render IN -o OUT.png' draws a picture\n");
    return EXIT_FAILED;
}
