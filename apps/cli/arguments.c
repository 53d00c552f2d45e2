// Options: one table that parsing, help, man pages and completion all read.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "core/text.h"

#define AT(field) offsetof(Arguments, field)

static const Option options[] = {
    {"--output", "-o", "FILE", "new erode render convert",
     "where the result goes; its ending picks the format", OPTION_TEXT, AT(output)},
    {"--size", "", "W[xH]", "new convert bench", "columns and rows; for convert: resample to this",
     OPTION_SIZE, AT(width)},
    {"--cell", "", "M", "new", "size of a cell in metres (new: 10 without it)", OPTION_REAL, AT(cell)},
    {"--seed", "", "N", "new erode bench", "whole number that fixes every random choice", OPTION_SEED,
     AT(seed)},
    {"--set", "", "KEY=VALUE", "new erode bench", "set a parameter; may be given often", OPTION_MANY,
     AT(settings)},
    {"--steps", "", "N", "erode bench", "how many steps to take", OPTION_REAL, AT(steps)},
    {"--time", "", "T", "erode", "how long to run, in the model's clock (seconds or years)", OPTION_REAL,
     AT(time)},
    {"--maps", "", "DIR", "new erode", "write every layer into this folder as TIFF, or into one .exr file",
     OPTION_TEXT, AT(maps)},
    {"--report", "", "FILE", "erode run", "write the report (steps, limiters, ledger) as JSON", OPTION_TEXT,
     AT(report)},
    {"--frames", "", "DIR", "new erode", "write the terrain as it grows into this folder", OPTION_TEXT,
     AT(frames)},
    {"--every", "", "T", "erode", "model time (or steps) between frames", OPTION_REAL, AT(every)},
    {"--define", "-D", "NAME=VALUE", "run", "set a name the recipe defines; may be given often", OPTION_MANY,
     AT(defines)},
    {"--dry-run", "", "", "run", "print the plan and the memory it needs, and stop", OPTION_FLAG,
     AT(dry_run)},
    {"--drainage", "", "", "info", "measure pits, catchments, concavity and spectrum too", OPTION_FLAG,
     AT(drainage)},
    {"--crop", "", "I,J,WxH", "convert", "cut this part out, from column I and row J", OPTION_TEXT, AT(crop)},
    {"--flip", "", "x|y|xy", "convert", "mirror left-right, top-bottom or both", OPTION_TEXT, AT(flip)},
    {"--rotate", "", "DEG", "convert", "turn clockwise by 90, 180 or 270 degrees", OPTION_INT, AT(rotate)},
    {"--man", "", "", "help", "print the whole reference as a man page", OPTION_FLAG, AT(man)},
    {"--markdown", "", "", "help", "print the whole reference as Markdown", OPTION_FLAG, AT(markdown)},
    {"--bash", "", "", "help", "print the completion script for bash", OPTION_FLAG, AT(bash)},
    {"--threads", "", "N", "*", "how many threads; the result does not depend on it", OPTION_INT,
     AT(threads)},
    {"--device", "", "cpu|gpu", "*", "where to compute; the result does not depend on it", OPTION_TEXT,
     AT(device)},
    {"--json", "", "", "*", "print the answer as JSON", OPTION_FLAG, AT(json)},
    {"--quiet", "-q", "", "*", "print nothing but failures", OPTION_FLAG, AT(quiet)},
    {"--verbose", "-v", "", "*", "print more", OPTION_FLAG, AT(verbose)},
    {"--help", "-h", "", "*", "explain the command", OPTION_FLAG, AT(help)},
};

int option_count(void)
{
    return (int)(sizeof options / sizeof options[0]);
}

const Option *option_at(int index)
{
    return &options[index];
}

bool option_belongs(const Option *option, const Command *command)
{
    if (strcmp(option->commands, "*") == 0)
        return true;
    size_t length = strlen(command->name);
    for (const char *at = option->commands; (at = strstr(at, command->name)); at += length)
        if ((at == option->commands || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

// ---- the library's tables as options ----

typedef struct TableSlot {
    unsigned bit;
    const SiltParamTable *table;
    size_t offset;
} TableSlot;

static const TableSlot slots[] = {
    {TAKES_READ, &silt_read_params, AT(read)},
    {TAKES_WRITE, &silt_write_params, AT(write)},
    {TAKES_RENDER, &silt_render_params, AT(render)},
    {TAKES_VOLUME, &silt_volume_params, AT(volume)},
};
enum { SLOT_COUNT = sizeof slots / sizeof slots[0] };

// Sets "--name value" in every table of the command that has the name; counts them, or -1 after a failure.
static int set_in_tables(const Command *command, Arguments *arguments, const char *name, const char *value)
{
    char owner[64];
    snprintf(owner, sizeof owner, "%s", command->name);
    int found = 0;
    for (int k = 0; k < SLOT_COUNT; k++) {
        void *params = (char *)arguments + slots[k].offset;
        if (!(command->tables & slots[k].bit) || silt_params_find(slots[k].table, name) < 0)
            continue;
        found++;
        if (value && silt_params_set(slots[k].table, params, owner, name, value) != SILT_OK) {
            fprintf(stderr, "silt: %s\n", silt_message());
            return -1;
        }
    }
    return found;
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

static bool unknown_option(const Command *command, const char *word)
{
    Names names = {.command = command};
    for (int k = 0; k < option_count(); k++)
        if (option_belongs(&options[k], command))
            names.list[names.count++] = options[k].name + 2;
    for (int s = 0; s < SLOT_COUNT; s++)
        for (int k = 0; (command->tables & slots[s].bit) && k < slots[s].table->count && names.count < 128;
             k++)
            names.list[names.count++] = slots[s].table->items[k].name;
    const char *bare = word + strspn(word, "-");
    const char *nearest = silt_nearest_name(bare, name_at, &names, names.count);
    if (nearest)
        report_usage(command->name, "unknown option '%.60s', did you mean '--%s'?", word, nearest);
    else
        report_usage(command->name, "unknown option '%.60s'", word);
    return false;
}

// ---- parsing ----

static bool parse_size(const char *text, Arguments *out)
{
    char *end;
    long width = strtol(text, &end, 10), height = width;
    if (end == text)
        return false;
    if (*end == 'x') {
        const char *second = end + 1;
        height = strtol(second, &end, 10);
        if (end == second)
            return false;
    }
    if (*end)
        return false;
    out->sized = true;
    out->width = width > INT_MAX ? INT_MAX : width < INT_MIN ? INT_MIN : (int)width;
    out->height = height > INT_MAX ? INT_MAX : height < INT_MIN ? INT_MIN : (int)height;
    return true;
}

static bool parse_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return end != text && !*end && !errno && !strchr(text, '-');
}

static bool store(const Command *command, const Option *option, const char *value, Arguments *out)
{
    void *at = (char *)out + option->offset;
    double number = 0.0;
    bool good = true;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        break;
    case OPTION_TEXT:
        *(const char **)at = value;
        good = value[0] != '\0';
        break;
    case OPTION_INT:
        good = silt_parse_whole_number(value, &number) && number == floor(number) && fabs(number) < 1e9;
        *(int *)at = good ? (int)number : 0;
        break;
    case OPTION_REAL:
        good = silt_parse_whole_number(value, &number) && isfinite(number);
        *(double *)at = number;
        break;
    case OPTION_SIZE:
        good = parse_size(value, out);
        break;
    case OPTION_SEED:
        good = parse_seed(value, &out->seed);
        break;
    case OPTION_MANY: {
        int *count = option->offset == AT(settings) ? &out->setting_count : &out->define_count;
        if (*count == MAX_SETTINGS)
            return report_usage(command->name, "%s was given more than %d times", option->name,
                                MAX_SETTINGS) == 0;
        ((const char **)at)[(*count)++] = value;
    }
    }
    if (!good)
        report_usage(command->name, "%s takes %s, not '%.60s'", option->name, option->value, value);
    return good;
}

static const Option *find_option(const Command *command, const char *word, size_t length)
{
    for (int k = 0; k < option_count(); k++) {
        const Option *option = &options[k];
        bool is_name = strlen(option->name) == length && strncmp(option->name, word, length) == 0;
        bool is_short = option->short_name[0] && strlen(option->short_name) == length &&
                        strncmp(option->short_name, word, length) == 0;
        if ((is_name || is_short) && option_belongs(option, command))
            return option;
    }
    return NULL;
}

static bool check(const Command *command, const Arguments *arguments)
{
    if (arguments->sized && (arguments->width < 1 || arguments->height < 1 ||
                             arguments->width > SILT_MAX_SIDE || arguments->height > SILT_MAX_SIDE)) {
        report_usage(command->name, "--size %dx%d: each side takes 1 to %d cells", arguments->width,
                     arguments->height, SILT_MAX_SIDE);
        return false;
    }
    if (arguments->cell < 0.0 || arguments->threads < 0 || arguments->steps < 0.0 || arguments->time < 0.0 ||
        arguments->every < 0.0) {
        report_usage(command->name,
                     "--cell, --threads, --steps, --time and --every take no negative numbers");
        return false;
    }
    if (arguments->steps != floor(arguments->steps) || arguments->steps > 1e15) {
        report_usage(command->name, "--steps takes a whole number");
        return false;
    }
    if (arguments->steps > 0.0 && arguments->time > 0.0) {
        report_usage(command->name, "say --steps or --time, not both");
        return false;
    }
    if (arguments->device && strcmp(arguments->device, "cpu") != 0 && strcmp(arguments->device, "gpu") != 0) {
        report_usage(command->name, "--device takes cpu or gpu, not '%.60s'", arguments->device);
        return false;
    }
    if (arguments->device && strcmp(arguments->device, "gpu") == 0) {
        report_usage(command->name, "this version of Silt computes on the CPU alone; leave out --device gpu");
        return false;
    }
    return true;
}

// "--name value" or "--name=value"; *k moves on to the last word it used.
static bool take_option(const Command *command, int count, char **words, int *k, Arguments *out)
{
    const char *word = words[*k];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const Option *option = find_option(command, word, length);
    // -Dname=value, as compilers take it
    if (!option && word[1] != '-' && (option = find_option(command, word, 2)) && option->kind != OPTION_FLAG)
        return store(command, option, word + 2, out);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length > 2 ? length - 2 : 0), word + 2);
    bool in_tables = word[1] == '-' && set_in_tables(command, out, name, NULL) > 0;
    if (!option && !in_tables)
        return unknown_option(command, word);
    if (option && option->kind == OPTION_FLAG) {
        if (equals)
            report_usage(command->name, "%s takes no value", option->name);
        return !equals && store(command, option, "", out);
    }
    const char *value = equals ? equals + 1 : *k + 1 < count ? words[++*k] : NULL;
    if (!value) {
        report_usage(command->name, "%.60s wants a value", word);
        return false;
    }
    if (in_tables && set_in_tables(command, out, name, value) < 0)
        return false;
    return !option || store(command, option, value, out);
}

bool arguments_parse(const Command *command, int count, char **words, Arguments *out)
{
    *out = (Arguments){0};
    for (int k = 0; k < SLOT_COUNT; k++) {
        if (silt_params_init(slots[k].table, (char *)out + slots[k].offset) != SILT_OK) {
            fprintf(stderr, "silt: %s\n", silt_message());
            return false;
        }
    }
    bool only_words = false;
    for (int k = 0; k < count; k++) {
        const char *word = words[k];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && word[0] == '-' && word[1] != '\0') {
            if (!take_option(command, count, words, &k, out))
                return false;
        } else if (out->word_count == MAX_WORDS) {
            report_usage(command->name, "too many words");
            return false;
        } else {
            out->words[out->word_count++] = word;
        }
    }
    return out->help || check(command, out);
}
