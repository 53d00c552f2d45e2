// silt render IN -o OUT: a picture or a film of a terrain, or of a recipe while it runs
#include "cli.h"

#include <math.h>
#include <string.h>

static bool is_recipe(const char *path)
{
    return silt_ends_with(path, ".yaml") || silt_ends_with(path, ".yml") || is_recipe_name(path);
}

// What there is to show; the program owns it.
typedef struct Model {
    SiltTerrain *terrain;
    SiltMesh mesh;
    SiltVolume *volume;
    SiltParticles *particles;
} Model;

static SiltMotif motif_of(const Model *model)
{
    return (SiltMotif){.terrain = model->terrain,
                       .mesh = model->mesh.triangle_count > 0 ? &model->mesh : NULL,
                       .volume = model->volume,
                       .particles = model->particles};
}

static void free_model(Model *model)
{
    silt_terrain_destroy(model->terrain);
    silt_mesh_destroy(&model->mesh);
    silt_volume_destroy(model->volume);
    silt_particles_destroy(model->particles);
}

// What a film needs while the terrain grows, and a picture of what a recipe comes to.
typedef struct Reel {
    SiltFilm *film;           // NULL: none, and only the last particles are wanted
    double turn;              // degrees from one frame to the next
    SiltParticles *particles; // of the frame at hand
} Reel;

static SiltStatus keep_particles(void *user, const SiltParticles *particles, int index)
{
    (void)index;
    Reel *reel = ((const Watch *)user)->reel;
    silt_particles_destroy(reel->particles);
    reel->particles = NULL;
    return silt_particles_clone(particles, &reel->particles);
}

static SiltStatus add_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)index;
    Reel *reel = ((const Watch *)user)->reel;
    if (!reel->film)
        return SILT_OK;
    SiltMotif motif = {.terrain = terrain, .particles = reel->particles};
    SiltStatus status =
        silt_film_add_motif(reel->film, &motif, reel->turn * silt_film_frame_count(reel->film));
    watch_keep(silt_film_frame_count(reel->film) > 0);
    silt_particles_destroy(reel->particles); // a later stage may have none
    reel->particles = NULL;
    return status;
}

static bool is_map(const SiltRenderOptions *options)
{
    return options->view == SILT_VIEW_MAP || options->look == SILT_LOOK_HILLSHADE;
}

// A recipe's own picture says how it is drawn; what the command line asks for goes before.
static SiltStatus take_look(const SiltRecipe *recipe, const Arguments *arguments, bool film,
                            SiltRenderOptions *out)
{
    const SiltParamTable *table = &silt_render_params;
    SiltStatus status = SILT_OK;
    const SiltRenderOptions *look = silt_recipe_look(recipe);
    for (int k = 0; look && k < table->count && status == SILT_OK; k++) {
        const char *name = table->items[k].name;
        bool is_size = strcmp(name, "width") == 0 || strcmp(name, "height") == 0;
        if (was_given(arguments, TAKES_RENDER, name) || (is_size && arguments->sized))
            continue;
        char *usual = silt_params_default(table, k), *own = silt_params_value(table, look, k);
        if (usual && own && strcmp(own, usual) != 0)
            status = silt_params_set(table, out, "render", name, own);
        silt_free(usual);
        silt_free(own);
    }
    // coarse levels are filmed as large as what they come to
    int size[2];
    if (status == SILT_OK && film && is_map(out) && out->width <= 0 && out->height <= 0 &&
        silt_recipe_extent(recipe, size))
        out->width = size[0];
    return status;
}

// What a recipe says before it runs; 0, or the exit status after telling what is wrong.
static int look_at_recipe(const Arguments *arguments, bool film, SiltRenderOptions *out)
{
    SiltRecipe *recipe;
    SiltStatus status = read_recipe(arguments, false, &recipe);
    bool stays = status != SILT_OK || recipe_inputs_stay("render", arguments, recipe);
    if (status == SILT_OK)
        status = take_look(recipe, arguments, film, out);
    silt_recipe_destroy(recipe);
    return !stays ? EXIT_USAGE : status != SILT_OK ? report_failure(status) : 0;
}

// Runs the recipe without its outputs.
static SiltStatus grow(const Arguments *arguments, Watch *watch, SiltTerrain **out)
{
    SiltRecipe *recipe;
    SiltStatus status = read_recipe(arguments, false, &recipe);
    if (status == SILT_OK)
        status = silt_recipe_grow(recipe, &watch->run, out);
    silt_recipe_destroy(recipe);
    return status;
}

// A file need not hold what the colours are to show.
static void warn_of_colour(const Arguments *arguments, const SiltParticles *p)
{
    static const char *const names[] = {"water", "sediment", "speed", "density", "surface", "normal"};
    int colour = arguments->render.particle_colour;
    bool any = colour == SILT_COLOUR_WATER || colour >= SILT_COLOUR_SURFACE || p->count == 0;
    for (int i = 0; i < p->count && !any; i++)
        any = colour == SILT_COLOUR_SPEED      ? p->u[i] != 0.0f || p->v[i] != 0.0f || p->w[i] != 0.0f
              : colour == SILT_COLOUR_SEDIMENT ? p->sediment[i] != 0.0f
                                               : p->density[i] != 0.0f;
    if (!any)
        silt_warn("render: %s: no particle in it has any %s, so its colour says nothing",
                  arguments->particles ? arguments->particles : arguments->words[0], names[colour]);
}

// A recipe is run; a file is read as what it is.
static SiltStatus get_model(const Arguments *arguments, Watch *watch, Reel *reel, int frames, Model *out)
{
    const char *path = arguments->words[0];
    SiltStatus status;
    *out = (Model){0};
    if (is_recipe(path)) {
        watch->reel = reel;
        watch->run.frame = add_frame;
        watch->run.particles = keep_particles;
        watch->run.frames = frames;
        status = grow(arguments, watch, &out->terrain);
        out->particles = reel->particles;
        reel->particles = NULL;
    } else if (silt_path_is_volume(path)) {
        status = silt_volume_read(path, &out->volume);
    } else if (silt_path_is_particles(path)) {
        status = silt_particles_read(path, &out->particles);
    } else if (silt_path_is_mesh(path)) {
        status = silt_mesh_read(path, &out->mesh);
    } else {
        status = read_any(path, &arguments->read, &out->terrain);
    }
    if (status == SILT_OK && arguments->particles) {
        silt_particles_destroy(out->particles);
        out->particles = NULL;
        status = silt_particles_read(arguments->particles, &out->particles);
    }
    if (status == SILT_OK && out->particles && !is_recipe(path))
        warn_of_colour(arguments, out->particles);
    return status;
}

// The path, or with --json an object; `image` is NULL for a film.
static void say_drawn(const Arguments *arguments, const SiltImage *image, int frames)
{
    SiltText text = {0};
    if (arguments->json) {
        add_member(&text, "file", arguments->output);
        if (image) {
            add_number(&text, "width", image->width);
            add_number(&text, "height", image->height);
        } else {
            add_number(&text, "frames", frames);
        }
        silt_text_add(&text, "}");
        answer_with(&text);
    } else if (!arguments->quiet && image) {
        say("%s\n", arguments->output);
    } else if (!arguments->quiet) {
        say("%s: %d frames\n", arguments->output, frames);
    }
}

// ---- films ----

// A recipe is filmed while it runs, and its last state once round if nothing grew; a file is filmed from all
// sides.
static SiltStatus shoot(const Arguments *arguments, Watch *watch, Reel *reel, int frames)
{
    Model model;
    SiltStatus status = get_model(arguments, watch, reel, frames, &model);
    if (status == SILT_OK && silt_film_frame_count(reel->film) == 0) {
        SiltMotif motif = motif_of(&model);
        if (reel->turn == 0.0)
            reel->turn = 360.0 / frames;
        for (int k = 0; k < frames && status == SILT_OK; k++) {
            status = silt_film_add_motif(reel->film, k == 0 ? &motif : NULL, reel->turn * k);
            watch_keep(status == SILT_OK);
            if (status == SILT_OK && !watch->run.progress(watch->run.user, "film", k + 1, frames, "frames"))
                status = SILT_CANCELLED;
        }
    }
    free_model(&model);
    return status;
}

static int make_film(const Arguments *arguments, Watch *watch)
{
    double fps = isnan(arguments->fps) ? 30.0 : arguments->fps;
    double seconds = isnan(arguments->seconds) ? 10.0 : arguments->seconds, count = fps * seconds;
    if (count > 1e6)
        return report_usage("render", "%g seconds at %g frames a second are more than a million frames",
                            seconds, fps);
    int frames = count < 1.0 ? 1 : (int)(count + 0.5);
    if (!render_keeps_inputs(arguments, frames))
        return EXIT_USAGE;
    Reel reel = {.turn = isnan(arguments->orbit) ? 0.0 : arguments->orbit / frames};
    SiltStatus status = silt_film_begin(arguments->output, &arguments->render, fps, &reel.film);
    if (status != SILT_OK)
        return report_failure(status);
    status = shoot(arguments, watch, &reel, frames);
    silt_particles_destroy(reel.particles);
    bool stopped = status == SILT_CANCELLED && silt_film_frame_count(reel.film) > 0;
    int taken = silt_film_frame_count(reel.film);
    status = silt_film_end(reel.film, stopped ? SILT_OK : status); // what was filmed until then is kept
    if (status != SILT_OK)
        return report_failure(status);
    say_drawn(arguments, NULL, taken);
    return stopped ? exit_of_stop() : 0;
}

// ---- pictures ----

// A volume is shown with what became of it since the other, tinted unless another way is asked for.
static SiltStatus remember(SiltVolume *volume, const char *path, SiltRenderOptions *look)
{
    SiltVolume *before;
    if (!silt_path_is_volume(path))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: what a volume was before is told by a .siltvol", path);
    SiltStatus status = silt_volume_read(path, &before);
    if (status != SILT_OK)
        return status;
    look->worn = look->worn == SILT_WORN_PLAIN ? SILT_WORN_TINT : look->worn;
    status = silt_volume_remember(volume, before);
    silt_volume_destroy(before);
    return status;
}

static int make_picture(const Arguments *arguments, Watch *watch)
{
    Model model;
    Reel reel = {0};
    SiltTerrain *before = NULL;
    SiltImage image = {0};
    SiltStatus status = silt_make_folders(arguments->output);
    if (status == SILT_OK)
        status = silt_image_write_check(arguments->output);
    if (status != SILT_OK)
        return report_failure(status);
    status = get_model(arguments, watch, &reel, 1, &model);
    SiltMotif motif = motif_of(&model);
    SiltRenderOptions look = arguments->render;
    if (status == SILT_OK && arguments->before && model.volume)
        status = remember(model.volume, arguments->before, &look);
    else if (status == SILT_OK && arguments->before && !model.terrain)
        status =
            silt_fail(SILT_BAD_ARGUMENT, "render: --before compares terrains, or volumes, and %s is neither",
                      arguments->words[0]);
    else if (status == SILT_OK && arguments->before)
        status = read_any(arguments->before, &arguments->read, &before);
    if (status == SILT_OK)
        status = before ? silt_render_pair(before, model.terrain, &look, &image)
                        : silt_render_motif(&motif, &look, &image);
    if (status == SILT_OK)
        status = silt_image_write(&image, arguments->output);
    silt_terrain_destroy(before);
    free_model(&model);
    if (status == SILT_OK)
        say_drawn(arguments, &image, 1);
    silt_image_destroy(&image);
    return status == SILT_OK ? 0 : report_failure(status);
}

int run_render(const Arguments *arguments)
{
    if (!arguments->output)
        return report_usage("render", "say where the picture goes: -o FILE.png");
    bool film = silt_path_is_film(arguments->output);
    if (film && arguments->before)
        return report_usage("render", "--before compares two pictures, and %s is a film", arguments->output);
    Arguments sized = *arguments;
    if (arguments->sized) {
        sized.render.width = arguments->width;
        sized.render.height = arguments->height;
    }
    bool recipe = is_recipe(arguments->words[0]);
    render_warn_unused(arguments, film, recipe);
    if (recipe) {
        int exit_status = look_at_recipe(&sized, film, &sized.render);
        if (exit_status != 0)
            return exit_status;
    }
    if (sized.particles && (is_map(&sized.render) || sized.before))
        return report_usage("render", "--particles are drawn in space: not with --view map, --look hillshade "
                                      "or --before");
    Watch watch;
    if (!watch_begin(&sized, &watch))
        return EXIT_USAGE;
    int exit_status = film ? make_film(&sized, &watch) : make_picture(&sized, &watch);
    watch_end(&watch);
    return exit_status;
}
