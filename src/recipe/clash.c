// Which files an output writes, and that no two outputs of a recipe write the same.
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "silt/io.h"
#include "silt/masks.h"
#include "silt/terrain.h"

static bool is_kind(const Step *output, const char *name)
{
    return strcmp(output->kind->info.name, name) == 0;
}

// ---- maps ----

// The ending of the files that maps are.
static void maps_ending(const Step *output, char ending[SILT_NAME_SIZE])
{
    const SiltParamTable *table = &output->kind->info.params;
    const SiltParam *format = &table->items[silt_params_find(table, "format")];
    silt_param_choice(format, *(const int *)((const char *)output->params + format->offset), ending);
}

// The layers that maps may be of: those that Silt knows, and then those that stages make; NULL behind the
// last.
static const char *layer_at(const SiltRecipe *recipe, int index)
{
    int known = 0;
    while (silt_layer_name_at(known))
        known++;
    if (index < known)
        return silt_layer_name_at(index);
    for (int k = 0, left = index - known; k < recipe->stage_count; k++)
        if (silt_step_into(&recipe->stages[k]) && left-- == 0)
            return silt_step_into(&recipe->stages[k]);
    return NULL;
}

static bool is_map_name(const SiltRecipe *recipe, const Step *output, const char *name)
{
    char ending[SILT_NAME_SIZE];
    const char *dot = strrchr(name, '.'), *layer;
    maps_ending(output, ending);
    bool is_header = dot && strcmp(ending, "raw") == 0 && strcmp(dot, ".hdr") == 0;
    if (!dot || (strcmp(dot + 1, ending) != 0 && !is_header))
        return false;
    for (int k = 0; (layer = layer_at(recipe, k)); k++)
        if (strlen(layer) == (size_t)(dot - name) && strncmp(layer, name, strlen(layer)) == 0)
            return true;
    return false;
}

// ---- one output ----

// A header lies beside raw samples.
static bool find_header(const Step *output, char path[SILT_PATH_SIZE])
{
    return is_kind(output, "write") && silt_path_beside(output->subject, 0, path);
}

bool silt_output_writes(const SiltRecipe *recipe, const Step *output, const char *path)
{
    char name[SILT_PATH_SIZE];
    if (is_kind(output, "tiles"))
        return silt_tiles_writes(output->subject, output->params, output->options, path);
    if (silt_path_same(output->subject, path))
        return true;
    if (find_header(output, name))
        return silt_path_same(name, path);
    if (is_kind(output, "maps"))
        return silt_path_lies_in(path, output->subject, name) && is_map_name(recipe, output, name);
    if (is_kind(output, "masks"))
        return silt_masks_writes(output->subject, output->options, path);
    return false;
}

bool silt_recipe_writes(const SiltRecipe *recipe, const char *path)
{
    for (int k = 0; k < recipe->output_count; k++)
        if (!recipe->outputs[k].skipped && recipe->outputs[k].kind &&
            silt_output_writes(recipe, &recipe->outputs[k], path))
            return true;
    return false;
}

// ---- two of them ----

// Files that this output writes and others might, one after the other; false behind the last. Masks are left
// to those that lie among them, but for the JSON that all sets of masks have.
static bool file_at(const SiltRecipe *recipe, const Step *output, int index, char path[SILT_PATH_SIZE])
{
    enum { LONGEST = SILT_PATH_SIZE - SILT_NAME_SIZE - 32 };
    const char *subject = output->subject, *slash = strrchr(subject, '/');
    const char *dot = strrchr(slash ? slash : subject, '.');
    char ending[SILT_NAME_SIZE];
    if (is_kind(output, "masks"))
        return index == 0 && snprintf(path, SILT_PATH_SIZE, "%.*s/masks.json", LONGEST, subject) > 0;
    if (is_kind(output, "tiles"))
        return index < 2 &&
               snprintf(path, SILT_PATH_SIZE, "%.*s%s", dot ? (int)(dot - subject) : LONGEST, subject,
                        index == 0 ? ".json"
                        : dot      ? dot
                                   : "") > 0;
    if (is_kind(output, "maps") && !silt_ends_with(subject, ".exr")) {
        const char *layer = layer_at(recipe, index);
        maps_ending(output, ending);
        return layer && snprintf(path, SILT_PATH_SIZE, "%.*s/%s.%s", LONGEST, subject, layer, ending) > 0;
    }
    if (index == 1)
        return find_header(output, path);
    return index == 0 && snprintf(path, SILT_PATH_SIZE, "%s", subject) > 0;
}

// A file of `one` that `other` writes too.
static bool shares(const SiltRecipe *recipe, const Step *one, const Step *other, char path[SILT_PATH_SIZE])
{
    for (int k = 0; file_at(recipe, one, k, path); k++)
        if (silt_output_writes(recipe, other, path) && silt_output_writes(recipe, one, path))
            return true;
    return false;
}

static SiltStatus refuse(const SiltRecipe *recipe, const Step *output, const Step *other, const char *path)
{
    char owner[OWNER_SIZE];
    return silt_fail(
        SILT_BAD_ARGUMENT, "%s: '%s %s' would write over %s, which '%s %s' writes; name another place",
        output->line > 0 ? silt_step_owner(recipe, output->line, output->column, owner) : recipe->path,
        output->kind->info.name, output->subject, path, other->kind->info.name, other->subject);
}

SiltStatus silt_output_differs(const SiltRecipe *recipe, const Step *output, int before)
{
    char path[SILT_PATH_SIZE];
    for (int k = 0; k < before && !output->skipped; k++) {
        const Step *other = &recipe->outputs[k];
        if (!other->skipped && (shares(recipe, output, other, path) || shares(recipe, other, output, path)))
            return refuse(recipe, output, other, path);
    }
    return SILT_OK;
}

SiltStatus silt_recipe_outputs_differ(const SiltRecipe *recipe)
{
    SiltStatus status = SILT_OK;
    for (int k = 1; k < recipe->output_count && status == SILT_OK; k++)
        status = silt_output_differs(recipe, &recipe->outputs[k], k);
    return status;
}

static SiltStatus map_differs(const SiltRecipe *recipe, const Step *maps, const char *layer)
{
    char path[SILT_PATH_SIZE], ending[SILT_NAME_SIZE];
    maps_ending(maps, ending);
    if (snprintf(path, sizeof path, "%s/%s.%s", maps->subject, layer, ending) >= (int)sizeof path)
        return SILT_OK; // who writes it says so
    for (int k = 0; k < recipe->output_count; k++) {
        const Step *other = &recipe->outputs[k];
        if (other != maps && !other->skipped && silt_output_writes(recipe, other, path))
            return refuse(recipe, maps, other, path);
    }
    return SILT_OK;
}

SiltStatus silt_recipe_maps_differ(const SiltRecipe *recipe, const SiltTerrain *terrain)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < recipe->output_count; k++) {
        const Step *output = &recipe->outputs[k];
        bool is_folder =
            !output->skipped && is_kind(output, "maps") && !silt_ends_with(output->subject, ".exr");
        for (int n = 0; is_folder && n < terrain->layer_count && status == SILT_OK; n++)
            status = map_differs(recipe, output, terrain->layers[n]->name);
    }
    return status;
}
