// From the tree of a YAML file to a checked recipe.
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"
#include "recipe/series.h"
#include "silt/record.h"

bool silt_node_is_nothing(const Node *node)
{
    return !node || (node->kind == NODE_TEXT && node->plain && node->text[0] == '\0');
}

static SiltStatus read_list(Reader *reader, const Section *section, const Node *node, Step **steps,
                            int *count)
{
    if (silt_node_is_nothing(node))
        return SILT_OK;
    if (node->kind != NODE_LIST || node->count > MOST_STEPS)
        return silt_node_fail(reader->recipe, node,
                              "a list belongs here, at most 256 entries that begin with a dash");
    SiltStatus status = silt_alloc_for("a recipe", (size_t)node->count, sizeof(Step), (void **)steps);
    for (int k = 0; k < node->count && status == SILT_OK; k++) {
        *count = k + 1;
        status = silt_step_read(reader, section, node->items[k], &(*steps)[k]);
    }
    return status;
}

// The output before `step` that writes to the same place, or NULL.
static const Step *find_twin(const SiltRecipe *recipe, const Step *step)
{
    for (const Step *other = recipe->outputs; other < step; other++)
        if (!other->skipped && strcmp(step->subject, other->subject) == 0)
            return other;
    return NULL;
}

static SiltStatus check_outputs_differ(const Reader *reader)
{
    SiltRecipe *recipe = reader->recipe;
    SiltStatus status = SILT_OK;
    for (int k = 1; k < recipe->output_count && status == SILT_OK; k++) {
        Step *step = &recipe->outputs[k];
        const Step *twin = step->skipped || step->fault ? NULL : find_twin(recipe, step);
        if (!twin)
            continue;
        silt_fail(SILT_BAD_ARGUMENT, "%s: line %d writes it already", step->subject, twin->line);
        status =
            reader->lax ? silt_step_take_fault(step, "") : silt_step_fail(recipe, step, SILT_BAD_ARGUMENT);
    }
    return status;
}

static const char *const section_names[] = {"about",   "shows",  "define", "small",
                                            "terrain", "stages", "outputs"};

static const char *section_at(const void *context, int index)
{
    (void)context;
    return section_names[index];
}

SiltStatus silt_recipe_sections(const SiltRecipe *recipe, const Node *root,
                                const Node *sections[SECTION_COUNT])
{
    if (root->kind != NODE_MAP)
        return silt_node_fail(recipe, root,
                              "a recipe begins with keys: about, define, terrain, stages, outputs");
    for (int k = 0; k < root->count; k++) {
        const Node *key = node_key(root, k);
        int which = 0;
        while (which < SECTION_COUNT && strcmp(section_names[which], key->text) != 0)
            which++;
        if (which < SECTION_COUNT) {
            sections[which] = node_value(root, k);
            continue;
        }
        char owner[OWNER_SIZE], hint[80];
        silt_suggestion(silt_nearest_name(key->text, section_at, NULL, SECTION_COUNT), hint, sizeof hint);
        return silt_fail(SILT_BAD_FILE, "%s: unknown key '%.60s'%s",
                         silt_step_owner(recipe, key->line, key->column, owner), key->text,
                         hint[0] ? hint : "; there are: about shows define small terrain stages outputs");
    }
    if (silt_node_is_nothing(sections[TERRAIN]))
        return silt_node_fail(recipe, root,
                              "the recipe names no terrain; begin with 'terrain: {new: noise}'");
    if (!silt_node_is_nothing(sections[DEFINE]) && sections[DEFINE]->kind != NODE_MAP)
        return silt_node_fail(recipe, sections[DEFINE],
                              "'define' takes names and their defaults, like 'size: 1024'");
    if (!silt_node_is_nothing(sections[SMALL]) && sections[SMALL]->kind != NODE_MAP)
        return silt_node_fail(recipe, sections[SMALL],
                              "'small' takes names of 'define' and smaller values, like 'size: 256'");
    return SILT_OK;
}

typedef enum Manner { STRICT, LAX, UNWRITTEN } Manner;

static SiltStatus read_sections(SiltRecipe *recipe, const Node *root, const char *const *defines, int count,
                                Manner manner)
{
    const Node *sections[SECTION_COUNT] = {0};
    SiltStatus status = silt_recipe_sections(recipe, root, sections);
    if (status != SILT_OK)
        return status;
    const Node *define = silt_node_is_nothing(sections[DEFINE]) ? NULL : sections[DEFINE];
    status = silt_defines_read(recipe, define, defines, count);
    if (status == SILT_OK && !silt_node_is_nothing(sections[SMALL]))
        status = silt_small_read(recipe, sections[SMALL]);
    if (status == SILT_OK && sections[ABOUT])
        status = silt_node_text(recipe, sections[ABOUT], &recipe->about);
    if (status == SILT_OK && sections[SHOWS])
        status = silt_node_text(recipe, sections[SHOWS], &recipe->shows);
    if (status != SILT_OK)
        return status;
    bool lax = manner == LAX;
    recipe->unwritten = manner == UNWRITTEN;
    Reader reader = {.recipe = recipe, .lax = lax, .names.lax = lax};
    silt_defines_note(0);
    status = silt_step_read(&reader, &silt_section_terrain, sections[TERRAIN], &recipe->terrain);
    if (status == SILT_OK)
        status =
            read_list(&reader, &silt_section_stages, sections[STAGES], &recipe->stages, &recipe->stage_count);
    if (status == SILT_OK)
        status = read_list(&reader, &silt_section_outputs, sections[OUTPUTS], &recipe->outputs,
                           &recipe->output_count);
    if (status == SILT_OK)
        status = silt_series_check(recipe, lax);
    if (status == SILT_OK && manner != UNWRITTEN)
        status = check_outputs_differ(&reader);
    if (status == SILT_OK && manner == STRICT)
        status = silt_recipe_keeps_inputs(recipe);
    if (status == SILT_OK && manner == STRICT)
        status = silt_recipe_outputs_differ(recipe);
    uint64_t used = silt_defines_note(0);
    if (status == SILT_OK)
        silt_defines_warn_of_idle(recipe, used);
    return status;
}

static SiltStatus make_recipe(const char *path, SiltRecipe **out)
{
    *out = NULL;
    if (strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is longer than %d bytes", path,
                         SILT_PATH_SIZE - 1);
    SiltStatus status = silt_alloc_for("a recipe", 1, sizeof **out, (void **)out);
    if (status == SILT_OK)
        strcpy((*out)->path, path);
    return status;
}

// The recipe, or nothing where it could not be read.
static SiltStatus end_reading(SiltStatus status, SiltRecipe **out)
{
    if (status == SILT_OK)
        return status;
    silt_recipe_destroy(*out);
    *out = NULL;
    return status;
}

static SiltStatus read_file(const char *path, const char *const *defines, int define_count, Manner manner,
                            SiltRecipe **out)
{
    SiltStatus status = make_recipe(path, out);
    if (status != SILT_OK)
        return status;
    Document document;
    status = silt_document_read((*out)->path, &document);
    if (status == SILT_OK)
        status = read_sections(*out, document.root, defines, define_count, manner);
    (*out)->text = document.text;
    document.text = NULL;
    silt_document_free(&document);
    return end_reading(status, out);
}

SiltStatus silt_recipe_read(const char *path, const char *const *defines, int define_count, SiltRecipe **out)
{
    return read_file(path, defines, define_count, STRICT, out);
}

SiltStatus silt_recipe_read_unwritten(const char *path, const char *const *defines, int define_count,
                                      SiltRecipe **out)
{
    return read_file(path, defines, define_count, UNWRITTEN, out);
}

SiltStatus silt_recipe_read_resumed(const char *path, const char *text, int stage, const char *const *defines,
                                    int define_count, SiltRecipe **out)
{
    SiltStatus status = make_recipe(path, out);
    if (status != SILT_OK)
        return status;
    Document document;
    (*out)->resumed = stage >= 0 && stage <= MOST_STEPS ? stage + 1 : 0;
    status = silt_document_parse((*out)->path, text, strlen(text), &document);
    if (status == SILT_OK)
        status = read_sections(*out, document.root, defines, define_count, STRICT);
    silt_document_free(&document);
    if (status == SILT_OK && !((*out)->text = silt_strdup(text)))
        status = silt_fail_memory(path, (double)strlen(text));
    return end_reading(status, out);
}

SiltStatus silt_recipe_read_text(const char *path, const char *text, const char *const *defines,
                                 int define_count, SiltRecipe **out)
{
    return silt_recipe_read_resumed(path, text, -1, defines, define_count, out);
}

SiltStatus silt_recipe_parse(const char *path, const Node *root, SiltRecipe **out)
{
    SiltStatus status = make_recipe(path, out);
    if (status == SILT_OK)
        status = read_sections(*out, root, NULL, 0, LAX);
    return end_reading(status, out);
}

void silt_recipe_destroy(SiltRecipe *recipe)
{
    if (!recipe)
        return;
    for (int k = 0; k < recipe->define_count; k++) {
        silt_free(recipe->defines[k].preset);
        silt_free(recipe->defines[k].value);
    }
    silt_step_free(&recipe->terrain);
    for (int k = 0; k < recipe->stage_count; k++)
        silt_step_free(&recipe->stages[k]);
    for (int k = 0; k < recipe->output_count; k++)
        silt_step_free(&recipe->outputs[k]);
    silt_free(recipe->stages);
    silt_free(recipe->outputs);
    for (int k = 0; k < recipe->small_count; k++)
        silt_free(recipe->small[k]);
    silt_free(recipe->about);
    silt_free(recipe->text);
    silt_free(recipe->shows);
    silt_free(recipe);
}

const char *silt_recipe_about(const SiltRecipe *recipe)
{
    return recipe->about ? recipe->about : "";
}

const char *silt_recipe_text(const SiltRecipe *recipe)
{
    return recipe->text ? recipe->text : "";
}

SiltStatus silt_recipe_redirect(SiltRecipe *recipe, const char *folder)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < recipe->output_count && status == SILT_OK; k++) {
        char path[SILT_PATH_SIZE];
        status = silt_path_below(folder, recipe->outputs[k].subject, path);
        if (status == SILT_OK)
            strcpy(recipe->outputs[k].subject, path);
    }
    return status;
}

const char *silt_recipe_shows(const SiltRecipe *recipe)
{
    return recipe->shows ? recipe->shows : "";
}

int silt_recipe_small_count(const SiltRecipe *recipe)
{
    return recipe->small_count;
}

const char *silt_recipe_small_at(const SiltRecipe *recipe, int index)
{
    return recipe->small[index];
}

int silt_recipe_define_count(const SiltRecipe *recipe)
{
    return recipe->define_count;
}

SiltDefine silt_recipe_define_at(const SiltRecipe *recipe, int index)
{
    const Define *define = &recipe->defines[index];
    return (SiltDefine){.name = define->name, .preset = define->preset, .value = define->value};
}

int silt_recipe_output_count(const SiltRecipe *recipe)
{
    int count = 0;
    for (int k = 0; k < recipe->output_count; k++)
        count += !recipe->outputs[k].skipped;
    return count;
}

const char *silt_recipe_output_at(const SiltRecipe *recipe, int index)
{
    const Step *step = recipe->outputs;
    while (step->skipped || index-- > 0)
        step++;
    return step->subject;
}
