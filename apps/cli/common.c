#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "cli.h"

int report_failure(SiltStatus status)
{
    complain("%s", silt_message());
    return status == SILT_CANCELLED ? exit_of_stop() : EXIT_FAILED;
}

static const char *command_name_at(const void *context, int index)
{
    (void)context;
    return command_at(index)->name;
}

int report_usage(const char *command, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (command[0]) {
        complain("%s: %s (see 'silt help %s')", command, text, command);
        return EXIT_USAGE;
    }
    // an unknown command: its name stands between quotes
    char name[64] = "", hint[80];
    const char *quote = strchr(text, '\'');
    if (quote)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(quote + 1, "'"), quote + 1);
    silt_suggestion(silt_nearest_name(name, command_name_at, NULL, command_count()), hint, sizeof hint);
    complain("%s%s", text, hint[0] ? hint : " (see 'silt help')");
    return EXIT_USAGE;
}

void warn_unused(const char *command, bool given, const char *option, const char *why)
{
    if (given)
        silt_warn("%s: %s changes nothing: %s", command, option, why);
}

void *make_params(const SiltParamTable *table, const char *owner, const Arguments *arguments)
{
    void *params = silt_params_new(table);
    SiltStatus status = params ? SILT_OK : SILT_NO_MEMORY;
    for (int k = 0; status == SILT_OK && k < arguments->setting_count; k++) // first, whatever stands first
        if (silt_params_paper(table) >= 0 && strncmp(arguments->settings[k], "paper=", 6) == 0)
            status = silt_params_assign(table, params, owner, arguments->settings[k]);
    for (int k = 0; status == SILT_OK && k < arguments->setting_count; k++)
        status = silt_params_assign(table, params, owner, arguments->settings[k]);
    if (status == SILT_OK)
        return params;
    complain("%s", silt_message());
    if (params)
        free_params(table, params);
    return NULL;
}

void free_params(const SiltParamTable *table, void *params)
{
    silt_params_delete(table, params);
}

double plain_zero(double value, int digits)
{
    double half = 0.5;
    while (digits-- > 0)
        half *= 0.1;
    return fabs(value) <= half ? 0.0 : value;
}

void say_memory(const Arguments *arguments, const char *what, uint64_t bytes, uint64_t available)
{
    const uint64_t large = (uint64_t)1 << 30;
    char most[SILT_NUMBER_SIZE], there[SILT_NUMBER_SIZE];
    if (arguments->quiet || arguments->json || (bytes < large && !arguments->verbose))
        return;
    say("%s: takes %s of memory at the most; %s is available\n", what, silt_format_bytes((double)bytes, most),
        silt_format_bytes((double)available, there));
    fflush(stdout);
}

void say_written(const Arguments *arguments, const SiltTerrain *terrain, const char *path)
{
    if (arguments->quiet && !arguments->json)
        return;
    // what the file holds; of all layers the heights are told
    const char *name = strcmp(arguments->write.layer, "change") ? arguments->write.layer : "net_change";
    const SiltField *field = silt_terrain_layer(terrain, name);
    bool is_height = !field || strcmp(name, "height") == 0;
    SiltFieldStatistics statistics;
    silt_field_statistics(is_height ? silt_terrain_layer(terrain, "height") : field, terrain->nodata,
                          &statistics);
    if (is_height && terrain->holds[0]) {
        is_height = false;
        name = terrain->holds;
    }
    if (arguments->json) {
        SiltText text = {0};
        add_member(&text, "file", path);
        add_number(&text, "width", terrain->width);
        add_number(&text, "height", terrain->height);
        add_number(&text, "cell", terrain->cell);
        add_member(&text, "layer", is_height ? "height" : name);
        add_number(&text, "min", statistics.minimum);
        add_number(&text, "max", statistics.maximum);
        silt_text_add(&text, "}");
        answer_with(&text);
        return;
    }
    char cell[SILT_NUMBER_SIZE];
    say("%s: %d x %d cells of %s m, ", path, terrain->width, terrain->height,
        silt_format_number(terrain->cell, cell));
    if (is_height)
        say("%.2f to %.2f m\n", plain_zero(statistics.minimum, 2), plain_zero(statistics.maximum, 2));
    else
        say("%s %.4g to %.4g %s\n", name, statistics.minimum, statistics.maximum, silt_layer_unit(name));
}

SiltStatus write_masks(const Arguments *arguments, const SiltTerrain *terrain)
{
    return arguments->masks ? silt_masks_write(terrain, arguments->masks, &arguments->mask, NULL) : SILT_OK;
}

SiltStatus write_report(const char *path, const char *json)
{
    SiltText text = {0};
    silt_text_addf(&text, "%s\n", json);
    SiltStatus status = text.failed ? SILT_NO_MEMORY : silt_write_file(path, text.data, text.length);
    silt_text_free(&text);
    return status;
}

SiltStatus prepare_file(const char *path)
{
    SiltStatus status = silt_make_folders(path);
    return status == SILT_OK ? silt_file_check(path) : status;
}

enum { MOST_SAID = 64 };
static uint64_t said[MOST_SAID];
static int said_count;
static pthread_mutex_t said_lock = PTHREAD_MUTEX_INITIALIZER; // files are written by several threads

bool is_news(const char *text)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    bool news = true;
    pthread_mutex_lock(&said_lock);
    for (int k = 0; k < said_count; k++)
        news = news && said[k] != hash;
    if (news && said_count < MOST_SAID)
        said[said_count++] = hash;
    pthread_mutex_unlock(&said_lock);
    return news;
}

void forget_said(void)
{
    said_count = 0;
}

SiltStatus prepare_maps(const char *path)
{
    char file[SILT_PATH_SIZE + 16];
    snprintf(file, sizeof file, "%s%s", path, silt_ends_with(path, ".exr") ? "" : "/height.tif");
    SiltStatus status = silt_maps_check(path);
    if (status == SILT_OK)
        status = silt_make_folders(file);
    return status == SILT_OK ? silt_terrain_write_check(file, NULL) : status;
}

SiltStatus prepare_masks(const Arguments *arguments)
{
    char folder[SILT_PATH_SIZE + 16];
    SiltStatus status = SILT_OK;
    if (arguments->masks)
        status = silt_masks_check(arguments->masks, &arguments->mask);
    snprintf(folder, sizeof folder, "%s/", arguments->masks ? arguments->masks : "");
    return status == SILT_OK && arguments->masks ? silt_make_folders(folder) : status;
}

SiltStatus prepare_outputs(const Arguments *arguments)
{
    SiltStatus status = SILT_OK;
    if (arguments->output) {
        status = silt_make_folders(arguments->output);
        if (status == SILT_OK)
            status = silt_terrain_write_check(arguments->output, &arguments->write);
    }
    if (status == SILT_OK && arguments->maps)
        status = prepare_maps(arguments->maps);
    if (status == SILT_OK)
        status = prepare_masks(arguments);
    if (status == SILT_OK && arguments->report)
        status = prepare_file(arguments->report);
    if (status == SILT_OK && arguments->vectors)
        status = silt_rivers_check(arguments->vectors);
    if (status == SILT_OK && arguments->vectors)
        status = prepare_file(arguments->vectors);
    return status;
}
