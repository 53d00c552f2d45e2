// A command line, read by the tables of options.c and of the library.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define AT(field) offsetof(Arguments, field)

// ---- the library's tables as options ----

typedef struct TableSlot {
    unsigned bit;
    const SiltParamTable *table;
    size_t offset;
} TableSlot;

static const TableSlot slots[] = {
    {TAKES_READ, &silt_read_params, AT(read)},       {TAKES_WRITE, &silt_write_params, AT(write)},
    {TAKES_RENDER, &silt_render_params, AT(render)}, {TAKES_RIVERS, &silt_river_params, AT(rivers)},
    {TAKES_VOLUME, &silt_volume_params, AT(volume)}, {TAKES_ROCK, &silt_rock_params, AT(rock)},
    {TAKES_MASKS, &silt_mask_params, AT(mask)},      {TAKES_TILES, &silt_tile_params, AT(tile)},
};
enum { SLOT_COUNT = sizeof slots / sizeof slots[0] };
_Static_assert((int)SLOT_COUNT == (int)TABLE_COUNT, "Arguments has a mask for every table");

bool was_given(const Arguments *arguments, unsigned table, const char *name)
{
    for (int k = 0; k < SLOT_COUNT; k++) {
        int index = name ? silt_params_find(slots[k].table, name) : 0;
        if (slots[k].bit == table && index >= 0 && index < 64)
            return name ? arguments->given[k] >> index & 1 : arguments->given[k] != 0;
    }
    return false;
}

// Sets "--name value" in every table of the command that has the name; false after a failure.
static bool set_in_tables(const Command *command, Arguments *arguments, const char *name, const char *value)
{
    char owner[64];
    snprintf(owner, sizeof owner, "%s", command->name);
    for (int k = 0; k < SLOT_COUNT; k++) {
        void *params = (char *)arguments + slots[k].offset;
        int index = silt_params_find(slots[k].table, name);
        if (!(command->tables & slots[k].bit) || index < 0)
            continue;
        if (index < 64)
            arguments->given[k] |= UINT64_C(1) << index;
        if (silt_params_set(slots[k].table, params, owner, name, value) != SILT_OK) {
            complain("%s", silt_message());
            return false;
        }
    }
    return true;
}

// ---- names near to a wrong one ----

typedef struct Names {
    const Command *command;
    const char *list[128];
    int count;
} Names;

static const char *name_at(const void *context, int index)
{
    return ((const Names *)context)->list[index];
}

// The parameters of the model or generator that a command line is about; NULL: it is about none.
static const SiltParamTable *settings_of(const Command *command, int count, char **words)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(command->name, "erode") == 0)
            for (int n = 0; n < silt_model_count(); n++)
                if (strcmp(silt_model_name(silt_model_at(n)), words[k]) == 0)
                    return silt_model_params(silt_model_at(n));
        if (strcmp(command->name, "new") == 0)
            for (int n = 0; n < silt_generator_count(); n++)
                if (strcmp(silt_generator_at(n)->name, words[k]) == 0)
                    return &silt_generator_at(n)->params;
    }
    return NULL;
}

// "--uplift 0.001" of a model that has such a parameter; true after telling.
static bool suggest_setting(const Command *command, int count, char **words, const char *bare)
{
    char name[SILT_NAME_SIZE];
    const SiltParamTable *table = settings_of(command, count, words);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    int index = table ? silt_params_find(table, name) : -1;
    if (index < 0)
        return false;
    const char *value = strchr(bare, '=');
    for (int k = 0; k + 1 < count && !value; k++)
        if (strlen(words[k]) > 2 && strcmp(words[k] + 2, bare) == 0)
            value = words[k + 1] - 1; // what stands behind it
    report_usage(command->name, "'%s' is a parameter, not an option: --set %s=%.60s",
                 table->items[index].name, table->items[index].name, value ? value + 1 : "VALUE");
    return true;
}

static bool unknown_option(const Command *command, int count, char **words, const char *word)
{
    Names names = {.command = command};
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(option_at(k), command))
            names.list[names.count++] = option_at(k)->name + 2;
    for (int s = 0; s < SLOT_COUNT; s++)
        for (int k = 0; (command->tables & slots[s].bit) && k < slots[s].table->count && names.count < 128;
             k++)
            names.list[names.count++] = slots[s].table->items[k].name;
    const char *bare = word + strspn(word, "-");
    if (suggest_setting(command, count, words, bare))
        return false;
    const char *nearest = silt_nearest_name(bare, name_at, &names, names.count);
    if (nearest)
        report_usage(command->name, "unknown option '%.60s', did you mean '--%s'?", word, nearest);
    else
        report_usage(command->name, "unknown option '%.60s'", word);
    return false;
}

// ---- parsing ----

// A number, which may carry its unit where the option has one of its own: "--cell 5m", "--swath 2km".
static bool parse_real(const Option *option, const char *value, double *out)
{
    return silt_parse_in(value, strcmp(option->value, "M") == 0 ? "m" : "", out);
}

static bool store(const Command *command, const Option *option, const char *value, Arguments *out)
{
    void *at = (char *)out + option->offset;
    double number = 0.0;
    int size[2] = {0, 0};
    bool good = true;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        break;
    case OPTION_TEXT:
    case OPTION_INPUT:
    case OPTION_ERODE:
        *(const char **)at = value;
        good = value[0] != '\0';
        break;
    case OPTION_INT:
        good = silt_parse_whole_number(value, &number) && number == floor(number) && fabs(number) < 1e9;
        *(int *)at = good ? (int)number : 0;
        break;
    case OPTION_REAL:
        good = parse_real(option, value, &number);
        *(double *)at = number;
        break;
    case OPTION_SIZE:
        good = silt_parse_size(value, size);
        out->sized = good;
        out->width = size[0];
        out->height = size[1];
        break;
    case OPTION_SEED:
        good = silt_parse_seed(value, &out->seed);
        break;
    case OPTION_MANY: {
        int *count = option->offset == AT(settings)  ? &out->setting_count
                     : option->offset == AT(defines) ? &out->define_count
                     : option->offset == AT(plots)   ? &out->plot_count
                     : option->offset == AT(to)      ? &out->to_count
                                                     : &out->layer_count;
        if (*count == MAX_SETTINGS)
            return report_usage(command->name, "%s was given more than %d times", option->name,
                                MAX_SETTINGS) == 0;
        ((const char **)at)[(*count)++] = value;
    }
    }
    static const char *const wanted[] = {[OPTION_TEXT] = "a word",
                                         [OPTION_INPUT] = "a word",
                                         [OPTION_ERODE] = "a number",
                                         [OPTION_INT] = "a whole number",
                                         [OPTION_REAL] = "a number",
                                         [OPTION_SIZE] = "W or WxH",
                                         [OPTION_SEED] = "a whole number from 0 to 18446744073709551615"};
    if (!good)
        report_usage(command->name, "%s takes %s, not '%.60s'", option->name, wanted[option->kind], value);
    return good;
}

static const Option *find_option(const Command *command, const char *word, size_t length)
{
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        bool is_name = strlen(option->name) == length && strncmp(option->name, word, length) == 0;
        bool is_short = option->short_name[0] && strlen(option->short_name) == length &&
                        strncmp(option->short_name, word, length) == 0;
        if ((is_name || is_short) && option_belongs(option, command))
            return option;
    }
    return NULL;
}

static bool check_above_zero(const Command *command, const char *name, double value)
{
    if (isnan(value) || value > 0.0)
        return true;
    char shown[SILT_NUMBER_SIZE];
    report_usage(command->name, "%s %s: it takes a number above zero", name,
                 silt_format_number(value, shown));
    return false;
}

static bool read_time(const Command *command, const char *name, const char *text, const char *clock,
                      double *out)
{
    if (!text || silt_parse_time(text, clock, out))
        return true;
    report_usage(command->name, "%s takes a number of " SILT_TIME_UNITS ", not '%.60s'", name, text);
    return false;
}

// What says how the model runs, as a recipe's `erode` has it. Times are in the clock of the model, which may
// stand before them or after.
static bool read_erode(const Command *command, Arguments *arguments)
{
    const SiltModel *model = arguments->word_count > 0 ? silt_model_find(arguments->words[0]) : NULL;
    const char *const given[][2] = {{"steps", arguments->steps_text},
                                    {"time", arguments->time_text},
                                    {"pyramid", arguments->pyramid_text}};
    SiltStatus status = silt_params_init(&silt_erode_params, &arguments->erode);
    for (size_t k = 0; k < sizeof given / sizeof given[0] && status == SILT_OK; k++)
        if (given[k][1])
            status =
                silt_erode_options_set(&arguments->erode, model, command->name, given[k][0], given[k][1]);
    if (status == SILT_OK)
        status = silt_erode_options_check(&arguments->erode, model, command->name);
    if (status != SILT_OK)
        complain("%s (see 'silt help %s')", silt_message(), command->name);
    return status == SILT_OK;
}

// How often the run is kept: without frames --every says so, too.
static bool read_keeping(const Command *command, Arguments *arguments)
{
    const char *every = arguments->frames ? NULL : arguments->every_text, *keep = arguments->keep_text;
    const char *text = keep ? keep : every;
    if (keep && every)
        report_usage(command->name, "--every and --keep-every both say how often the run is kept; give one");
    else if (keep && !arguments->checkpoint && !arguments->resume)
        report_usage(command->name, "--keep-every says how often a --checkpoint FILE is written; name one");
    else if (text && !read_pace(text, &arguments->keep_seconds, &arguments->keep_steps))
        report_usage(command->name,
                     "%s takes a number of steps or, of the clock on the wall, 30s, 5m or 1h, between "
                     "checkpoints; not '%.60s'",
                     keep ? "--keep-every" : "--every", text);
    else
        return true;
    return false;
}

// How often frames are written: steps, or a time where the run's length is one.
static bool read_every(const Command *command, Arguments *arguments)
{
    const SiltModel *model = arguments->word_count > 0 ? silt_model_find(arguments->words[0]) : NULL;
    const char *clock = model ? silt_model_clock(model) : "s";
    if (!read_keeping(command, arguments))
        return false;
    if (!arguments->frames)
        return true;
    if (arguments->time_text || !arguments->every_text)
        return read_time(command, "--every", arguments->every_text, clock, &arguments->every);
    if (silt_parse_whole_number(arguments->every_text, &arguments->every) && isfinite(arguments->every))
        return true;
    report_usage(command->name,
                 "--every takes a number of steps, or a time where --time is given; not '%.60s'",
                 arguments->every_text);
    return false;
}

// Files in metres have no scale; those that are written say so themselves.
static bool check_scale(const Command *command, const Arguments *arguments)
{
    bool given = was_given(arguments, TAKES_READ, "scale") || was_given(arguments, TAKES_WRITE, "scale");
    const char *output = arguments->output;
    bool has_scale = output && !silt_path_is_volume(output) && silt_path_is_mesh(output);
    for (int k = 0; k < arguments->word_count; k++)
        has_scale = has_scale || silt_path_is_mesh(arguments->words[k]);
    if (!given || has_scale)
        return true;
    report_usage(command->name,
                 "--scale is that of STL and 3MF, which are in millimetres, and there is none here");
    return false;
}

static bool check(const Command *command, const Arguments *arguments)
{
    // bench sph counts particles
    bool particles = arguments->word_count > 0 && strcmp(arguments->words[0], "sph") == 0;
    bool pixels = strcmp(command->name, "render") == 0;
    int most = particles ? 10000000 : pixels ? 16384 : SILT_MAX_SIDE;
    if (arguments->sized && (arguments->width < 1 || arguments->height < 1 || arguments->width > most ||
                             arguments->height > most)) {
        report_usage(command->name, "--size %dx%d: each side takes 1 to %d %s", arguments->width,
                     arguments->height, most, pixels ? "pixels" : "cells");
        return false;
    }
    if (arguments->threads < 0) {
        report_usage(command->name, "--threads %d: it takes a whole number, 0 for one per processor",
                     arguments->threads);
        return false;
    }
    return check_scale(command, arguments) && check_above_zero(command, "--cell", arguments->cell) &&
           check_above_zero(command, "--extent", arguments->extent) &&
           check_above_zero(command, "--steps",
                            arguments->steps_text ? (double)arguments->erode.steps : (double)NAN) &&
           check_above_zero(command, "--time", arguments->time_text ? arguments->erode.time : NAN) &&
           check_above_zero(command, "--every", arguments->every) &&
           check_above_zero(command, "--fps", arguments->fps) &&
           check_above_zero(command, "--spacing", arguments->spacing) &&
           check_above_zero(command, "--swath", arguments->swath) &&
           check_above_zero(command, "--seconds", arguments->seconds) &&
           outputs_differ(command->name, arguments, arguments->output);
}

// Of size, cell and extent two say what the third is.
static bool resolve_extent(const Command *command, Arguments *arguments)
{
    double extent = arguments->extent, cell = arguments->cell;
    if (isnan(extent) || strcmp(command->name, "new") != 0)
        return true;
    if (arguments->sized && cell > 0.0 && fabs(cell * arguments->width - extent) > 1e-6 * extent) {
        report_usage(command->name, "--size %d, --cell %g and --extent %g do not agree; give two of them",
                     arguments->width, cell, extent);
        return false;
    }
    if (!arguments->sized && cell > 0.0) {
        double cells = floor(extent / cell + 0.5);
        if (!(cells >= 1.0 && cells <= SILT_MAX_SIDE)) {
            report_usage(command->name, "--extent %g in cells of %g m: a side takes 1 to %d cells", extent,
                         cell, SILT_MAX_SIDE);
            return false;
        }
        arguments->width = arguments->height = (int)cells;
        arguments->sized = true;
    }
    arguments->cell = extent / (arguments->sized ? arguments->width : 1024);
    return true;
}

// "--name value", "--name=value" or "-Dname=value", as compilers take it; *k moves on to the last word it
// used.
static bool split_option(const Command *command, int count, char **words, int *k, GivenOption *out)
{
    const char *word = words[*k];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    *out = (GivenOption){.option = find_option(command, word, length)};
    if (!out->option && word[1] != '-') {
        out->option = find_option(command, word, 2);
        out->value = word + 2;
        if (out->option && out->option->kind != OPTION_FLAG)
            return true;
        out->option = NULL;
    }
    snprintf(out->name, sizeof out->name, "%.*s", (int)(length > 2 ? length - 2 : 0), word + 2);
    for (int s = 0; s < SLOT_COUNT && word[1] == '-'; s++)
        if ((command->tables & slots[s].bit) && silt_params_find(slots[s].table, out->name) >= 0)
            out->tables |= slots[s].bit;
    if (!out->option && !out->tables)
        return unknown_option(command, count, words, word);
    if (out->option && out->option->kind == OPTION_FLAG) {
        out->value = "";
        if (equals)
            report_usage(command->name, "%s takes no value", out->option->name);
        return !equals;
    }
    out->value = equals ? equals + 1 : *k + 1 < count ? words[++*k] : NULL;
    if (!out->value)
        report_usage(command->name, "%.60s wants a value", word);
    return out->value != NULL;
}

// How long a run goes, as it was said before it was kept.
typedef struct Length {
    const char *steps, *time; // NULL: not given
} Length;

static bool take_option(const Command *command, int count, char **words, int *k, Length *begun,
                        Arguments *out)
{
    GivenOption given;
    if (!split_option(command, count, words, k, &given))
        return false;
    if (given.tables && !set_in_tables(command, out, given.name, given.value))
        return false;
    if (given.option && given.option->offset == AT(resume)) { // what was kept stands before it
        *begun = (Length){out->steps_text, out->time_text};
        out->steps_text = out->time_text = out->checkpoint = NULL; // it is kept where it is, and
        out->quiet = out->verbose = false;                         // says what is asked of it now
    }
    return !given.option || store(command, given.option, given.value, out);
}

// Whoever goes on with a run may say anew how long it goes, in steps or in time.
static void go_as_long(const Length *begun, Arguments *out)
{
    if (out->steps_text || out->time_text)
        return;
    out->steps_text = begun->steps;
    out->time_text = begun->time;
}

bool option_next(const Command *command, int count, char **words, int *k, GivenOption *out)
{
    for (; *k < count && strcmp(words[*k], "--") != 0; (*k)++)
        if (words[*k][0] == '-' && words[*k][1] != '\0')
            return split_option(command, count, words, k, out) && ++*k;
    return false;
}

bool arguments_parse(const Command *command, int count, char **words, Arguments *out)
{
    *out = (Arguments){.cell = NAN,
                       .extent = NAN,
                       .every = NAN,
                       .sea_level = NAN,
                       .orbit = NAN,
                       .fps = NAN,
                       .seconds = NAN,
                       .spacing = NAN,
                       .swath = NAN};
    for (int k = 0; k < SLOT_COUNT; k++) {
        if (silt_params_init(slots[k].table, (char *)out + slots[k].offset) != SILT_OK) {
            complain("%s", silt_message());
            return false;
        }
    }
    bool only_words = false;
    Length begun = {NULL, NULL};
    for (int k = 0; k < count; k++) {
        const char *word = words[k];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && word[0] == '-' && word[1] != '\0') {
            if (!take_option(command, count, words, &k, &begun, out))
                return false;
        } else if (out->word_count == MAX_WORDS) {
            report_usage(command->name, "too many words");
            return false;
        } else {
            out->words[out->word_count++] = word;
        }
    }
    go_as_long(&begun, out);
    return out->help || (read_erode(command, out) && read_every(command, out) && check(command, out) &&
                         resolve_extent(command, out));
}
