// What silt render refuses before any work, and what it says of options that change nothing.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

// ---- the pictures must not replace what they show ----

bool render_keeps_inputs(const Arguments *arguments, int frames)
{
    const char *number = strchr(arguments->output, '%');
    if (!number)
        return true; // inputs_stay has looked
    int digits = 0;
    const char *rest = number + 1;
    for (; *rest >= '0' && *rest <= '9' && digits < 100; rest++)
        digits = 10 * digits + (*rest - '0');
    for (int k = 0; k < frames && *rest == 'd'; k++) { // of the numbers any might be an input
        char name[SILT_PATH_SIZE + 64];
        snprintf(name, sizeof name, "%.*s%0*d%s", (int)(number - arguments->output), arguments->output,
                 digits, k, rest + 1);
        if (access(name, F_OK) == 0 && silt_file_check(name) != SILT_OK) {
            report_usage("render", "%s", silt_message());
            return false;
        }
    }
    return true;
}

// ---- options that change nothing ----

static void unused(bool given, const char *option, const char *why)
{
    warn_unused("render", given, option, why);
}

void render_warn_unused(const Arguments *arguments, bool film, bool recipe)
{
    const SiltRenderOptions *render = &arguments->render;
    const char *input = arguments->words[0], *output = arguments->output;
    bool solid = silt_path_is_volume(input) || silt_path_is_mesh(input);
    bool no_film = !film, has_particles = arguments->particles || recipe || silt_path_is_particles(input);
    char still[SILT_PATH_SIZE + 32];
    snprintf(still, sizeof still, "%s is a picture, not a film", output);
    unused(no_film && !isnan(arguments->orbit), "--orbit", still);
    unused(no_film && !isnan(arguments->fps), "--fps", still);
    unused(no_film && !isnan(arguments->seconds), "--seconds", still);
    unused(!recipe && arguments->define_count > 0, "-D", "only recipes define names");
    unused(arguments->sized && (render->width > 0 || render->height > 0), "--width or --height",
           "--size stands beside it");
    unused(!arguments->before && render->compare != SILT_COMPARE_SIDE, "--compare",
           "there is no --before to compare with");
    unused(!has_particles && render->particle_colour != SILT_COLOUR_WATER, "--particle-colour",
           "there are no particles");
    bool clipped = !isnan(render->clip_east[0]) || !isnan(render->clip_north[0]) ||
                   !isnan(render->clip_height[0]) || !isnan(render->cut[0]);
    unused(!isnan(render->cut_at[0]) && isnan(render->cut[0]), "--cut-at", "there is no --cut");
    unused(clipped && !solid && !recipe, "--clip-east, --clip-north, --clip-height or --cut",
           "meshes and volumes can be cut, heights cannot; 'silt convert --crop' cuts them");
    unused(render->transparent && (silt_ends_with(output, ".mp4") || silt_ends_with(output, ".ppm")),
           "--transparent", ".mp4 and .ppm keep no transparency; take .png, .webm, .webp or .apng");
}
