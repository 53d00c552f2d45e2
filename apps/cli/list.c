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

static char *list_json(void)
{
    SiltText text = {0};
    silt_text_add(&text, "{\"generators\": [");
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *g = silt_generator_at(k);
        add_entry(&text, k == 0, g->name, g->summary, g->source, &g->params);
    }
    silt_text_add(&text, "],\n \"volumes\": [");
    for (int k = 0; k < silt_volume_shape_count(); k++) {
        const SiltVolumeShape *v = silt_volume_shape_at(k);
        add_entry(&text, k == 0, v->name, v->summary, v->source, &v->params);
    }
    silt_text_add(&text, "],\n \"models\": [");
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *m = silt_model_at(k);
        add_entry(&text, k == 0, silt_model_name(m), silt_model_summary(m), silt_model_source(m),
                  silt_model_params(m));
    }
    silt_text_add(&text, "],\n \"stages\": [");
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *s = silt_stage_at(k);
        add_entry(&text, k == 0, s->name, s->summary, NULL, &s->params);
    }
    silt_text_add(&text, "],\n \"recipes\": [");
    list_recipes_json(&text);
    silt_text_add(&text, "],\n \"formats\": [");
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo f = silt_format_at(k);
        silt_text_addf(
            &text,
            "%s\n  {\"name\": \"%s\", \"endings\": \"%s\", \"reads\": %s, \"writes\": %s, \"mesh\": %s}",
            k ? "," : "", f.name, f.endings, f.reads ? "true" : "false", f.writes ? "true" : "false",
            f.is_mesh ? "true" : "false");
    }
    silt_text_add(&text, "]}\n");
    return silt_text_take(&text);
}

static void list_plain(void)
{
    printf("generators (silt new KIND)\n");
    for (int k = 0; k < silt_generator_count(); k++)
        printf("  %-16s %s\n", silt_generator_at(k)->name, silt_generator_at(k)->summary);
    printf("\nvolumes of rock (silt new KIND; to .siltvol, a mesh, or the heights of their tops)\n");
    for (int k = 0; k < silt_volume_shape_count(); k++)
        printf("  %-16s %s\n", silt_volume_shape_at(k)->name, silt_volume_shape_at(k)->summary);
    printf("\nerosion models (silt erode MODEL)\n");
    for (int k = 0; k < silt_model_count(); k++)
        printf("  %-16s %s\n", silt_model_name(silt_model_at(k)), silt_model_summary(silt_model_at(k)));
    const char *section = "";
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *stage = silt_stage_at(k);
        if (strcmp(section, stage->section) != 0)
            printf("\nrecipes, section '%s'\n", section = stage->section);
        printf("  %-16s %s\n", stage->name, stage->summary);
    }
    list_recipes();
    printf("\nfile formats\n");
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo f = silt_format_at(k);
        char endings[64] = "";
        size_t length = 0;
        for (const char *c = f.endings; *c && length + 3 < sizeof endings; c++) {
            if (c == f.endings || c[-1] == ' ')
                endings[length++] = '.';
            endings[length++] = *c;
        }
        printf("  %-16s %-20s %s", f.name, endings,
               f.is_mesh                           ? "mesh"
               : strcmp(f.endings, "siltvol") == 0 ? "volume"
                                                   : "raster");
        if (!f.reads || !f.writes)
            printf(", missing in this build: install %s and build again", f.package);
        printf("\n");
    }
}

// ---- devices ----

static void add_device(SiltText *text, int index, const SiltDeviceInfo *info, const char *fault)
{
    silt_text_add(text, index ? ",\n {\"name\": " : "\n {\"name\": ");
    silt_text_add_json(text, info->name);
    silt_text_add(text, ", \"platform\": ");
    silt_text_add_json(text, info->platform);
    silt_text_add(text, ", \"driver\": ");
    silt_text_add_json(text, info->driver);
    silt_text_addf(text,
                   ", \"gpu\": %s, \"double\": %s, \"memory\": %llu, \"largest_block\": %llu, \"units\": %d, "
                   "\"exact\": %s, \"fault\": ",
                   info->is_gpu ? "true" : "false", info->has_double ? "true" : "false",
                   (unsigned long long)info->memory, (unsigned long long)info->largest, info->units,
                   fault[0] ? "false" : "true");
    if (fault[0])
        silt_text_add_json(text, fault);
    else
        silt_text_add(text, "null");
    silt_text_add(text, "}");
}

static void print_device(const SiltDeviceInfo *info, const char *fault)
{
    char memory[SILT_NUMBER_SIZE];
    printf("%s\n  %s with %s and %d units, %s, driver %s\n  %s\n", info->name,
           info->is_gpu ? "a GPU" : "no GPU, taken by its name alone",
           silt_format_bytes((double)info->memory, memory), info->units, info->platform, info->driver,
           fault[0] ? fault : "self-test passed: it gives the processor's bits");
}

// A line for each device, with the self-test; none is no failure of the list.
static int list_devices(bool json)
{
    SiltText text = {0};
    int count = silt_device_count();
    if (count == 0 && !json)
        printf("no devices: %s\n", silt_message());
    silt_text_add(&text, "[");
    for (int k = 0; k < count; k++) {
        SiltDeviceInfo info;
        if (silt_device_info(k, &info) != SILT_OK)
            continue;
        const char *fault = silt_device_check(k) == SILT_OK ? "" : silt_message();
        if (json)
            add_device(&text, k, &info, fault);
        else
            print_device(&info, fault);
    }
    silt_text_add(&text, "]\n");
    if (json && !text.failed)
        fputs(text.data, stdout);
    SiltStatus status = text.failed ? SILT_NO_MEMORY : SILT_OK;
    silt_text_free(&text);
    return status == SILT_OK ? 0 : report_failure(status);
}

int run_list(const Arguments *arguments)
{
    if (arguments->word_count > 0 && strcmp(arguments->words[0], "devices") == 0)
        return list_devices(arguments->json);
    if (arguments->word_count > 0)
        return report_usage("list", "it lists everything, or 'devices'; not '%.60s'", arguments->words[0]);
    if (!arguments->json) {
        list_plain();
        return 0;
    }
    char *json = list_json();
    if (!json)
        return report_failure(SILT_NO_MEMORY);
    fputs(json, stdout);
    silt_free(json);
    return 0;
}
