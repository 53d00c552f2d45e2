// What the files of masks are called.
#include <stdio.h>
#include <string.h>

#include "render/masks.h"

static bool is_named(const char *name, const char *stem, const char *ending)
{
    size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 && name[length] == '.' && strcmp(name + length + 1, ending) == 0;
}

bool silt_masks_has_file(const SiltMaskOptions *options, const char *name)
{
    static const char *const made[] = {"slope", "curvature", "occlusion", "snow", "scree", "flow"};
    char band[16], ending[SILT_NAME_SIZE];
    silt_param_choice(&silt_mask_params.items[0], options->mask_format, ending);
    if (strcmp(name, "masks.json") == 0 || (options->splat && strcmp(name, "splat.png") == 0) ||
        (options->colour && strcmp(name, "colour.png") == 0))
        return true;
    for (size_t k = 0; k < sizeof made / sizeof made[0]; k++)
        if (is_named(name, made[k], ending))
            return true;
    for (int k = 0; k < options->bands; k++) {
        snprintf(band, sizeof band, "band_%d", k + 1);
        if (is_named(name, band, ending))
            return true;
    }
    for (int k = 0; silt_layer_name_at(k); k++)
        if (is_named(name, silt_layer_name_at(k), ending))
            return true;
    return false;
}
