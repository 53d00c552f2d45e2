// silt list: everything there is, a line each.
#include <string.h>

#include "cli.h"

static void add_entry(SiltText *text, bool first, const char *name, const char *summary, const char *source,
                      const SiltParamTable *params)
{
    silt_text_add(text, first ? "\n  {\"name\": " : ",\n  {\"name\": ");
    silt_text_add_json(text, name);
    silt_text_add(text, ", \"summary\": ");
    silt_text_add_json(text, summary);
    if (source) {
        silt_text_add(text, ", \"source\": ");
        silt_text_add_json(text, source);
    }
    char *described = silt_params_describe_json(params);
    silt_text_addf(text, ", \"parameters\": %s}", described ? described : "[]");
    text->failed = text->failed || !described;
    silt_free(described);
}

// ---- each kind: as lines, and as members of a JSON array ----

static void add_generators(SiltText *text)
{
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        add_entry(text, k == 0, g->name, g->summary, g->source, &g->params);
    }
}

static void add_volumes(SiltText *text)
{
    for (int k = 0; k < silt_volume_shape_count(); k++) {
        const SiltVolumeShape *v = silt_volume_shape_at(k);
        add_entry(text, k == 0, v->name, v->summary, v->source, &v->params);
    }
}

static void add_models(SiltText *text)
{
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        add_entry(text, k == 0, silt_model_name(m), silt_model_summary(m), silt_model_source(m),
                  silt_model_params(m));
    }
}

static void add_stages(SiltText *text)
{
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *s = silt_stage_at(k);
        add_entry(text, k == 0, s->name, s->summary, NULL, &s->params);
    }
}

static void add_recipes(SiltText *text)
{
    list_recipes_json(text, false);
}

static void add_presets(SiltText *text)
{
    list_recipes_json(text, true);
}

static void add_layers(SiltText *text)
{
    for (int k = 0; silt_layer_name_at(k); k++) {
        const char *name = silt_layer_name_at(k);
        silt_text_addf(text, "%s\n  {\"name\": \"%s\", \"unit\": \"%s\", \"about\": ", k ? "," : "", name,
                       silt_layer_unit(name));
        silt_text_add_json(text, silt_layer_about(name));
        silt_text_add(text, "}");
    }
}

static void add_formats(SiltText *text)
{
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo f = silt_format_at(k);
        silt_text_addf(
            text,
            "%s\n  {\"name\": \"%s\", \"endings\": \"%s\", \"reads\": %s, \"writes\": %s, \"mesh\": %s}",
            k ? "," : "", f.name, f.endings, f.reads ? "true" : "false", f.writes ? "true" : "false",
            f.is_mesh ? "true" : "false");
    }
}

static void print_generators(void)
{
    say("generators (silt new KIND)\n");
    for (int k = 0; k < silt_generator_count(); k++)
        say("  %-16s %s\n", silt_generator_at(k)->name, silt_generator_at(k)->summary);
}

static void print_volumes(void)
{
    say("volumes of rock (silt new KIND; to .siltvol, a mesh, or the heights of their tops)\n");
    for (int k = 0; k < silt_volume_shape_count(); k++)
        say("  %-16s %s\n", silt_volume_shape_at(k)->name, silt_volume_shape_at(k)->summary);
}

static void print_models(void)
{
    say("erosion models (silt erode MODEL)\n");
    for (int k = 0; k < silt_model_count(); k++)
        say("  %-16s %s\n", silt_model_name(silt_model_at(k)), silt_model_summary(silt_model_at(k)));
}

static void print_stages(void)
{
    const char *section = "";
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *stage = silt_stage_at(k);
        if (strcmp(section, stage->section) != 0)
            say("%srecipes, section '%s'\n", k ? "\n" : "", section = stage->section);
        say("  %-16s %s\n", stage->name, stage->summary);
    }
}

static void print_recipes(void)
{
    list_recipes(false);
}

static void print_presets(void)
{
    list_recipes(true);
}

static void print_layers(void)
{
    say("layers\n");
    for (int k = 0; silt_layer_name_at(k); k++) {
        const char *name = silt_layer_name_at(k), *unit = silt_layer_unit(name);
        say("  %-16s %-12s %s\n", name, strcmp(unit, "1") == 0 ? "" : unit, silt_layer_about(name));
    }
}

static void print_formats(void)
{
    say("file formats\n");
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo f = silt_format_at(k);
        char endings[64] = "";
        size_t length = 0;
        for (const char *c = f.endings; *c && length + 3 < sizeof endings; c++) {
            if (c == f.endings || c[-1] == ' ')
                endings[length++] = '.';
            endings[length++] = *c;
        }
        say("  %-16s %-20s %s", f.name, endings,
            f.is_mesh                           ? "mesh"
            : strcmp(f.endings, "siltvol") == 0 ? "volume"
                                                : "raster");
        if (!f.reads || !f.writes)
            say(", missing in this build: install %s and build again", f.package);
        say("\n");
    }
}

static const struct {
    const char *name;
    void (*print)(void);
    void (*add)(SiltText *text);
    bool apart; // only where it is asked for: others show the same
} kinds[] = {
    {"generators", print_generators, add_generators, false},
    {"volumes", print_volumes, add_volumes, false},
    {"models", print_models, add_models, false},
    {"stages", print_stages, add_stages, false},
    {"recipes", print_recipes, add_recipes, false},
    {"presets", print_presets, add_presets, true},
    {"layers", print_layers, add_layers, false},
    {"formats", print_formats, add_formats, false},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *list_kind_at(int index)
{
    return index < KIND_COUNT ? kinds[index].name : index == KIND_COUNT ? "devices" : NULL;
}

static const char *kind_at(const void *context, int index)
{
    (void)context;
    return list_kind_at(index);
}

// ---- devices ----

static void add_device(SiltText *text, int index, const SiltDeviceInfo *info, bool shares, const char *fault)
{
    silt_text_add(text, index ? ",\n {\"name\": " : "\n {\"name\": ");
    silt_text_add_json(text, info->name);
    silt_text_add(text, ", \"platform\": ");
    silt_text_add_json(text, info->platform);
    silt_text_add(text, ", \"driver\": ");
    silt_text_add_json(text, info->driver);
    silt_text_addf(text,
                   ", \"gpu\": %s, \"double\": %s, \"memory\": %llu, \"largest_block\": %llu, \"units\": %d, "
                   "\"shares\": %s, \"exact\": %s, \"fault\": ",
                   info->is_gpu ? "true" : "false", info->has_double ? "true" : "false",
                   (unsigned long long)info->memory, (unsigned long long)info->largest, info->units,
                   shares ? "true" : "false", fault[0] ? "false" : "true");
    if (fault[0])
        silt_text_add_json(text, fault);
    else
        silt_text_add(text, "null");
    silt_text_add(text, "}");
}

static void print_device(const SiltDeviceInfo *info, bool shares, const char *fault)
{
    char memory[SILT_NUMBER_SIZE];
    say("%s\n  %s with %s and %d units, %s, driver %s\n  %s\n  %s\n", info->name,
        info->is_gpu ? "a GPU" : "no GPU, taken by its name alone",
        silt_format_bytes((double)info->memory, memory), info->units, info->platform, info->driver,
        fault[0] ? fault : "self-test passed: it gives the processor's bits",
        shares ? "the window can draw from its own memory, where the screen's driver is the same"
               : "the window draws by way of the processor: this driver's OpenCL does not share with GL");
}

// The list as JSON where that is asked for; an exit status.
static int end_list(bool json, SiltText *text)
{
    SiltStatus status = json ? answer_with(text) : SILT_OK;
    silt_text_free(text);
    return status == SILT_OK ? 0 : report_failure(status);
}

// A line for each device, with the self-test; none is no failure of the list.
static int list_devices(bool json)
{
    SiltText text = {0};
    int count = silt_device_count();
    if (count == 0 && !json)
        say("no devices: %s\n", silt_message());
    silt_text_add(&text, "[");
    for (int k = 0; k < count; k++) {
        SiltDeviceInfo info;
        if (silt_device_info(k, &info) != SILT_OK)
            continue;
        const char *fault = silt_device_check(k) == SILT_OK ? "" : silt_message();
        if (json)
            add_device(&text, k, &info, silt_device_shares(k), fault);
        else
            print_device(&info, silt_device_shares(k), fault);
    }
    silt_text_add(&text, "]\n");
    return end_list(json, &text);
}

static int list_kind(int kind, bool json)
{
    SiltText text = {0};
    if (!json) {
        kinds[kind].print();
        return 0;
    }
    silt_text_add(&text, "[");
    kinds[kind].add(&text);
    silt_text_add(&text, "]\n");
    return end_list(json, &text);
}

static int list_all(bool json)
{
    SiltText text = {0};
    int told = 0;
    silt_text_add(&text, "{");
    for (int k = 0; k < KIND_COUNT; k++) {
        if (kinds[k].apart)
            continue;
        if (!json) {
            say("%s", told++ ? "\n" : "");
            kinds[k].print();
            continue;
        }
        silt_text_addf(&text, "%s\"%s\": [", told++ ? ",\n " : "", kinds[k].name);
        kinds[k].add(&text);
        silt_text_add(&text, "]");
    }
    silt_text_add(&text, "}\n");
    return end_list(json, &text);
}

int run_list(const Arguments *arguments)
{
    const char *word = arguments->word_count > 0 ? arguments->words[0] : NULL;
    if (!word)
        return list_all(arguments->json);
    if (strcmp(word, "devices") == 0)
        return list_devices(arguments->json);
    for (int k = 0; k < KIND_COUNT; k++)
        if (strcmp(kinds[k].name, word) == 0)
            return list_kind(k, arguments->json);
    char hint[80];
    silt_suggestion(silt_nearest_name(word, kind_at, NULL, KIND_COUNT + 1), hint, sizeof hint);
    return report_usage(
        "list",
        "it lists everything, or generators, volumes, models, stages, recipes, presets, layers, "
        "formats or devices; not '%.60s'%s",
        word, hint);
}
