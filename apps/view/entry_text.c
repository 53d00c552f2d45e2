// What an entry of the stack is called, and what a person wants to know of it at a glance.
#include <string.h>

#include "numbers.h"
#include "param_row.h"
#include "silt/generate.h"
#include "stack_list.h"

char *entry_title(const SiltEntry *entry)
{
    const char *name = entry->stage->name, *subject = entry->subject ? entry->subject : "";
    bool thing =
        entry->stage->subject == SILT_SUBJECT_MODEL || entry->stage->subject == SILT_SUBJECT_GENERATOR;
    if (thing && subject[0])
        return param_title(subject);
    bool file = entry->stage->subject == SILT_SUBJECT_INPUT || entry->stage->subject == SILT_SUBJECT_OUTPUT;
    if (file && subject[0]) {
        char *base = g_path_get_basename(subject);
        char *title = g_strdup_printf("%s %s", name, base);
        g_free(base);
        return title;
    }
    return subject[0] ? g_strdup_printf("%s %s", name, subject) : g_strdup(name);
}

static double number_of(const SiltEntry *entry, SiltKeys keys, const char *name)
{
    const SiltParamTable *table = entry->tables[keys];
    SiltValue value = {.size = sizeof value};
    int at = table && entry->params[keys] ? silt_params_find(table, name) : -1;
    if (at < 0 || silt_params_get(table, entry->params[keys], at, &value) != SILT_OK)
        return 0.0;
    return value.number[0];
}

static char *duration_text(double time, const char *clock)
{
    if (strcmp(clock, "years") == 0)
        return time >= 1e6   ? g_strdup_printf("%.3g Myr", time / 1e6)
               : time >= 1e3 ? g_strdup_printf("%.3g kyr", time / 1e3)
                             : g_strdup_printf("%.3g years", time);
    return time >= 7200.0  ? g_strdup_printf("%.3g h", time / 3600.0)
           : time >= 120.0 ? g_strdup_printf("%.3g min", time / 60.0)
                           : g_strdup_printf("%.3g s", time);
}

static char *size_text(const SiltEntry *entry)
{
    const SiltParamTable *table = entry->tables[SILT_KEYS_ENTRY];
    int at = table ? silt_params_find(table, "size") : -1;
    char *size = at >= 0 && entry->params[SILT_KEYS_ENTRY]
                     ? silt_params_value(table, entry->params[SILT_KEYS_ENTRY], at)
                     : NULL;
    const char *comma = size ? strchr(size, ',') : NULL;
    char *text;
    if (comma) { // "512,512" reads as 512 × 512
        char *wide = number_text(g_ascii_strtod(size, NULL)),
             *high = number_text(g_ascii_strtod(comma + 1, NULL));
        text = g_strdup_printf("%s × %s cells", wide, high);
        g_free(wide);
        g_free(high);
    } else
        text = g_strdup(size ? size : "");
    silt_free(size);
    return text;
}

char *entry_detail(const SiltEntry *entry)
{
    if (entry->fault)
        return g_strdup(entry->fault);
    if (!entry->enabled)
        return g_strdup("off");
    if (entry->skipped)
        return g_strdup("not taken here");
    if (entry->model) {
        double time = number_of(entry, SILT_KEYS_OPTIONS, "time"),
               steps = number_of(entry, SILT_KEYS_OPTIONS, "steps");
        if (time == 0.0 && steps == 0.0) {
            time = number_of(entry, SILT_KEYS_ENTRY, "time");
            steps = number_of(entry, SILT_KEYS_ENTRY, "steps");
        }
        if (time > 0.0)
            return duration_text(time, silt_model_clock(entry->model));
        if (steps <= 0.0)
            steps = (double)silt_model_default_steps(entry->model);
        return g_strdup_printf("%.0f steps", steps);
    }
    if (strcmp(entry->stage->section, "terrain") == 0 && entry->stage->subject == SILT_SUBJECT_GENERATOR)
        return size_text(entry);
    if (entry->stage->subject == SILT_SUBJECT_GENERATOR) {
        const SiltGenerator *generator = silt_generator_find(entry->subject);
        if (generator)
            return g_strdup(generator->summary);
    }
    return g_strdup(entry->stage->summary);
}
