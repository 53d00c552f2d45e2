// What a recipe will do and the memory it takes, before it does anything.
#include <math.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "recipe/series.h"
#include "silt/drainage.h"
#include "silt/io.h"

// A terrain on its way through the stages.
typedef struct Extent {
    int width, height;
    uint64_t layers;       // made by the recipe or there from the start
    uint64_t model_layers; // the models' maps, which all share their names
    bool mask;
} Extent;

static uint64_t layer_bytes(const Extent *extent)
{
    uint64_t cells = (uint64_t)extent->width * (uint64_t)extent->height;
    return (extent->layers + extent->model_layers) * silt_field_bytes(extent->width, extent->height) +
           (extent->mask ? cells : 0);
}

static uint64_t makes_layers(const SiltRecipe *recipe, int index)
{
    const Step *step = &recipe->stages[index];
    const char *into = silt_step_into(step), *made = step->generator ? step->generator->makes : NULL;
    char word[SILT_NAME_SIZE];
    uint64_t count = 0;
    while (!into && made && silt_next_word(&made, word, sizeof word))
        count++;
    if (!into || strcmp(into, "height") == 0)
        return count;
    for (int k = 0; k < index; k++) {
        const char *before = silt_step_into(&recipe->stages[k]);
        if (before && strcmp(before, into) == 0)
            return 0;
    }
    return 1;
}

// Whether the model of a stage before this leaves such a map.
static bool was_made(const SiltRecipe *recipe, int index, const char *map)
{
    char word[SILT_NAME_SIZE];
    for (int k = 0; k < index; k++) {
        const SiltModel *model = recipe->stages[k].skipped ? NULL : recipe->stages[k].model;
        const char *made = model ? silt_model_makes(model) : "";
        while (silt_next_word(&made, word, sizeof word))
            if (strcmp(word, map) == 0)
                return true;
    }
    return false;
}

// Maps that the model of a stage leaves and no model before it, with "change", which all of them do.
static uint64_t makes_maps(const SiltRecipe *recipe, int index)
{
    const char *made = silt_model_makes(recipe->stages[index].model);
    char word[SILT_NAME_SIZE];
    uint64_t count = 1;
    for (int k = 0; k < index; k++)
        if (recipe->stages[k].model && !recipe->stages[k].skipped)
            count = 0;
    while (silt_next_word(&made, word, sizeof word))
        count += !was_made(recipe, index, word);
    return count;
}

static SiltStatus reshape(const SiltRecipe *recipe, const Step *step, Extent *extent)
{
    int at[2];
    if (strcmp(step->kind->info.name, "crop") == 0) {
        silt_step_corner(step, extent->width, extent->height, at);
        if (step->size[0] > extent->width - at[0] || step->size[1] > extent->height - at[1])
            return silt_step_fail(
                recipe, step,
                silt_fail(SILT_BAD_ARGUMENT,
                          "%d x %d cells from column %d, row %d reach beyond the terrain's %d x %d",
                          step->size[0], step->size[1], at[0], at[1], extent->width, extent->height));
    }
    extent->width = step->size[0];
    extent->height = step->size[1];
    return SILT_OK;
}

static void take_most(MemoryNeed *need, const Step *step, uint64_t bytes)
{
    if (bytes <= need->bytes)
        return;
    need->bytes = bytes;
    need->step = step;
}

static uint64_t output_bytes(const Step *step, const Extent *extent)
{
    uint64_t field = silt_field_bytes(extent->width, extent->height);
    // a mesh: position and normal a cell, six indices
    uint64_t mesh = (uint64_t)extent->width * (uint64_t)extent->height * (6 * sizeof(float) + 6 * 4);
    uint64_t panels = (uint64_t)silt_series_panels(step) * layer_bytes(extent);
    return silt_path_is_mesh(step->subject) ? mesh : (uint64_t)step->kind->scratch * field + panels;
}

// A report measures the drainage of what comes out, where there is room for that.
static uint64_t report_bytes(const Extent *extent)
{
    uint64_t bytes = layer_bytes(extent) + silt_drainage_statistics_bytes(extent->width, extent->height);
    return bytes <= silt_memory_available() ? bytes : 0;
}

static SiltStatus follow(const SiltRecipe *recipe, Extent *extent, MemoryNeed *out)
{
    *out = (MemoryNeed){layer_bytes(extent), &recipe->terrain};
    for (int k = 0; k < recipe->stage_count; k++) {
        const Step *step = &recipe->stages[k];
        if (step->skipped)
            continue;
        uint64_t scratch = (uint64_t)step->kind->scratch * silt_field_bytes(extent->width, extent->height);
        extent->layers += makes_layers(recipe, k);
        if (step->model) {
            scratch = silt_model_bytes_with(step->model, step->set, extent->width, extent->height);
            extent->model_layers += makes_maps(recipe, k);
        } else if (step->kind->info.subject == SILT_SUBJECT_SIZE) {
            scratch = layer_bytes(extent);
            SiltStatus status = reshape(recipe, step, extent);
            if (status != SILT_OK)
                return status;
        }
        take_most(out, step, layer_bytes(extent) + scratch);
    }
    for (int k = 0; k < recipe->output_count; k++) {
        const Step *output = &recipe->outputs[k];
        if (output->skipped)
            continue;
        take_most(out, output, layer_bytes(extent) + output_bytes(output, extent));
        if (strcmp(output->kind->info.name, "report") == 0)
            take_most(out, output, report_bytes(extent));
    }
    return SILT_OK;
}

SiltStatus silt_recipe_measure(const SiltRecipe *recipe, int width, int height, int layers, bool mask,
                               MemoryNeed *out)
{
    Extent extent = {.width = width, .height = height, .layers = (uint64_t)layers, .mask = mask};
    return follow(recipe, &extent, out);
}

bool silt_recipe_bytes_reported(const SiltRecipe *recipe, bool reported, uint64_t *out)
{
    int size[2];
    double cell;
    MemoryNeed need;
    if (!silt_recipe_size(recipe, size, &cell))
        return false;
    Extent extent = {.width = size[0], .height = size[1], .layers = 1};
    if (follow(recipe, &extent, &need) != SILT_OK)
        return false;
    if (reported)
        take_most(&need, &recipe->terrain, report_bytes(&extent));
    *out = need.bytes;
    return true;
}

bool silt_recipe_bytes(const SiltRecipe *recipe, uint64_t *out)
{
    return silt_recipe_bytes_reported(recipe, false, out);
}

static void add_bytes(SiltText *text, uint64_t bytes)
{
    char shown[SILT_NUMBER_SIZE];
    silt_text_add(text, silt_format_bytes((double)bytes, shown));
}

static void add_step(SiltText *text, const Step *step)
{
    silt_text_addf(text, "%s%s %s%s%s", step->skipped ? "(left out) " : "", step->kind->info.name,
                   step->subject, step->words[0] ? ": " : "", step->words);
}

SiltStatus silt_recipe_fits(const SiltRecipe *recipe, MemoryNeed need)
{
    uint64_t available = silt_memory_available();
    if (need.bytes <= available)
        return SILT_OK;
    SiltText text = {0};
    silt_text_addf(&text, "%s:%d:%d: '%s %s' needs ", recipe->path, need.step->line, need.step->column,
                   need.step->kind->info.name, need.step->subject);
    add_bytes(&text, need.bytes);
    silt_text_add(&text, " of memory, and ");
    add_bytes(&text, available);
    const SiltModel *model = need.step->model;
    silt_text_addf(&text, " is available: %s",
                   model ? silt_model_remedy(model, need.step->set, need.bytes) : "take a smaller size");
    SiltStatus status = silt_fail(SILT_NO_MEMORY, "%s", text.data ? text.data : "not enough memory");
    silt_text_free(&text);
    return status;
}

// The size as the recipe says it, or as the input file has it.
static SiltStatus find_extent(const SiltRecipe *recipe, Extent *extent, double *cell)
{
    int size[2];
    if (silt_recipe_size(recipe, size, cell)) {
        *extent = (Extent){.width = size[0], .height = size[1], .layers = 1};
        return SILT_OK;
    }
    Kitchen kitchen = {.recipe = recipe};
    SiltStatus status = recipe->terrain.kind->run(&recipe->terrain, &kitchen);
    if (status != SILT_OK)
        return silt_step_fail(recipe, &recipe->terrain, status);
    const SiltTerrain *terrain = kitchen.terrain;
    *extent = (Extent){.width = terrain->width,
                       .height = terrain->height,
                       .layers = (uint64_t)terrain->layer_count,
                       .mask = terrain->nodata != NULL};
    *cell = terrain->cell;
    silt_terrain_destroy(kitchen.terrain);
    return SILT_OK;
}

bool silt_recipe_extent(const SiltRecipe *recipe, int size[2])
{
    double cell;
    if (!silt_recipe_size(recipe, size, &cell))
        return false;
    for (int k = 0; k < recipe->stage_count; k++)
        if (recipe->stages[k].kind->info.subject == SILT_SUBJECT_SIZE && !recipe->stages[k].skipped)
            memcpy(size, recipe->stages[k].size, 2 * sizeof *size);
    return true;
}

// Reads the files of the stages, so that a plan approves of none that a run refuses.
static SiltStatus try_inputs(const SiltRecipe *recipe)
{
    Kitchen kitchen = {.recipe = recipe, .tries = true};
    SiltStatus status = SILT_OK;
    for (int k = 0; k < recipe->stage_count && status == SILT_OK; k++) {
        const Step *step = &recipe->stages[k];
        if (step->skipped || step->kind->info.subject != SILT_SUBJECT_INPUT)
            continue;
        kitchen.at = k;
        status = silt_terrain_create(1, 1, 1.0, &kitchen.terrain);
        if (status == SILT_OK)
            status = step->kind->run(step, &kitchen);
        if (status != SILT_OK)
            status = silt_step_fail(recipe, step, status);
        silt_terrain_destroy(kitchen.terrain);
        kitchen.terrain = NULL;
    }
    return status;
}

static void add_duration(SiltText *text, const Step *step)
{
    SiltDuration duration = silt_step_duration(step);
    if (duration.time > 0.0)
        return; // stands among the keys
    if (duration.steps == 0)
        silt_text_addf(text, "%ssteps=%lld", step->words[0] ? ", " : ": ",
                       (long long)step->model->default_steps);
}

static void add_plan(SiltText *text, const SiltRecipe *recipe, const Extent *extent, double cell,
                     MemoryNeed need)
{
    const char *about = silt_recipe_about(recipe);
    silt_text_addf(text, "%s%s%s\n  terrain   ", recipe->path, about[0] ? ": " : "", about);
    add_step(text, &recipe->terrain);
    silt_text_addf(text, "\n            %d x %d cells of ", extent->width, extent->height);
    silt_text_add_number(text, cell);
    silt_text_addf(text, " m, %.4g x %.4g km\n", extent->width * cell * 1e-3, extent->height * cell * 1e-3);
    for (int k = 0; k < recipe->stage_count; k++) {
        silt_text_addf(text, "  stage %-3d ", k + 1);
        add_step(text, &recipe->stages[k]);
        if (recipe->stages[k].model)
            add_duration(text, &recipe->stages[k]);
        silt_text_add(text, "\n");
    }
    for (int k = 0; k < recipe->output_count; k++) {
        silt_text_add(text, "  output    ");
        add_step(text, &recipe->outputs[k]);
        silt_text_add(text, "\n");
    }
    silt_text_add(text, "  memory    ");
    add_bytes(text, need.bytes);
    silt_text_addf(text, " at the most, for '%s %s'; ", need.step->kind->info.name, need.step->subject);
    add_bytes(text, silt_memory_available());
    silt_text_add(text, " available\n");
}

// ---- the same for programs ----

static void add_json_step(SiltText *text, const Step *step, bool first)
{
    silt_text_add(text, first ? "\n  {\"kind\": " : ",\n  {\"kind\": ");
    silt_text_add_json(text, step->kind->info.name);
    silt_text_add(text, ", \"subject\": ");
    silt_text_add_json(text, step->subject);
    silt_text_add(text, ", \"keys\": ");
    silt_text_add_json(text, step->words);
    if (step->model) {
        SiltDuration duration = silt_step_duration(step);
        int64_t steps = duration.steps > 0    ? duration.steps
                        : duration.time > 0.0 ? 0
                                              : step->model->default_steps;
        silt_text_addf(text, ", \"steps\": %lld, \"time\": ", (long long)steps);
        silt_text_add_json_number(text, duration.time);
    }
    silt_text_addf(text, ", \"skipped\": %s}", step->skipped ? "true" : "false");
}

static void add_json_plan(SiltText *text, const SiltRecipe *recipe, const Extent *extent, double cell,
                          MemoryNeed need)
{
    silt_text_add(text, "{\"recipe\": ");
    silt_text_add_json(text, recipe->path);
    silt_text_add(text, ", \"about\": ");
    silt_text_add_json(text, silt_recipe_about(recipe));
    silt_text_addf(text, ",\n \"width\": %d, \"height\": %d, \"cell\": ", extent->width, extent->height);
    silt_text_add_json_number(text, cell);
    silt_text_add(text, ",\n \"terrain\":");
    add_json_step(text, &recipe->terrain, true);
    silt_text_add(text, ",\n \"stages\": [");
    for (int k = 0; k < recipe->stage_count; k++)
        add_json_step(text, &recipe->stages[k], k == 0);
    silt_text_add(text, "],\n \"outputs\": [");
    for (int k = 0; k < recipe->output_count; k++)
        add_json_step(text, &recipe->outputs[k], k == 0);
    silt_text_addf(text, "],\n \"bytes\": %llu, \"bytes_available\": %llu, \"bytes_of\": ",
                   (unsigned long long)need.bytes, (unsigned long long)silt_memory_available());
    silt_text_addf(text, "[\"%s\", ", need.step->kind->info.name);
    silt_text_add_json(text, need.step->subject);
    silt_text_add(text, "]}\n");
}

// ---- either ----

typedef void AddPlan(SiltText *text, const SiltRecipe *recipe, const Extent *extent, double cell,
                     MemoryNeed need);

static SiltStatus make_plan(const SiltRecipe *recipe, AddPlan *add, char **out)
{
    *out = NULL;
    Extent extent = {0};
    double cell = 0.0;
    MemoryNeed need;
    SiltStatus status = find_extent(recipe, &extent, &cell);
    if (status == SILT_OK)
        status = try_inputs(recipe);
    if (status == SILT_OK)
        status =
            silt_recipe_measure(recipe, extent.width, extent.height, (int)extent.layers, extent.mask, &need);
    if (status != SILT_OK)
        return status;
    SiltText text = {0};
    add(&text, recipe, &extent, cell, need);
    *out = silt_text_take(&text);
    return *out ? silt_recipe_fits(recipe, need) : SILT_NO_MEMORY;
}

SiltStatus silt_recipe_plan(const SiltRecipe *recipe, char **out)
{
    return make_plan(recipe, add_plan, out);
}

SiltStatus silt_recipe_plan_json(const SiltRecipe *recipe, char **out)
{
    return make_plan(recipe, add_json_plan, out);
}
