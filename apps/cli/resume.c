// The words of a run that is gone on with: how they are kept, and what those behind --resume may change.
#include <string.h>

#include "cli.h"

// ---- kept, a line each ----

// Options may follow when it is gone on with: no "--" stands before them, and a name that would look like an
// option says that it is a file.
void words_keep(SiltText *text, int count, char *const *words)
{
    bool only_words = false;
    for (int k = 0; k < count; k++) {
        if (!only_words && strncmp(words[k], "--resume=", 9) == 0)
            continue;
        if (!only_words && strcmp(words[k], "--") == 0) {
            only_words = true;
            continue;
        }
        if (only_words && words[k][0] == '-' && words[k][1] != '\0')
            silt_text_add(text, "./");
        silt_text_add_line(text, words[k]);
    }
}

// ---- what stays as it was begun ----

// What the run was begun with, and has become part of it.
static bool is_fixed(const GivenOption *given)
{
    static const char *const names[] = {"--seed",    "--set",    "--map",   "--size",
                                        "--pyramid", "--define", "--small", "--resume"};
    if (given->tables & TAKES_READ)
        return true;
    for (size_t k = 0; given->option && k < sizeof names / sizeof names[0]; k++)
        if (strcmp(given->option->name, names[k]) == 0)
            return true;
    return false;
}

static bool is_option(const GivenOption *given, const char *name)
{
    return given->option && strcmp(given->option->name, name) == 0;
}

static bool is_length(const GivenOption *given)
{
    return is_option(given, "--steps") || is_option(given, "--time");
}

// How often frames are taken: they are numbered through, and whether it counts steps or time goes by how the
// length was given. Without frames it says how often the run is kept.
static bool is_pace_of_frames(const Command *command, int count, char **words, const GivenOption *given)
{
    GivenOption before;
    bool has_frames = false, has_pace = false, is_timed = false;
    for (int k = 0; option_next(command, count, words, &k, &before);) {
        has_frames = has_frames || is_option(&before, "--frames");
        has_pace = has_pace || is_option(&before, "--every");
        is_timed = is_timed || is_option(&before, "--time");
    }
    bool is_other_clock = has_pace && is_length(given) && is_option(given, "--time") != is_timed;
    return has_frames && (is_option(given, "--every") || is_other_clock);
}

// Of "--set rain=3" the name as far as `rain`, which is how long that is.
static size_t key_length(const GivenOption *given)
{
    bool has_key = given->option && given->option->kind == OPTION_MANY;
    return has_key ? strcspn(given->value, "=") : 0;
}

static bool is_same_key(const GivenOption *a, const GivenOption *b)
{
    size_t length = key_length(a);
    return a->option == b->option && strcmp(a->name, b->name) == 0 && length == key_length(b) &&
           strncmp(a->value, b->value, length) == 0;
}

// Whether the run was begun with this very value.
static bool was_begun_with(const Command *command, int count, char **words, const GivenOption *given)
{
    GivenOption before;
    bool same = false;
    for (int k = 0; option_next(command, count, words, &k, &before);)
        if (is_same_key(&before, given))
            same = strcmp(before.value, given->value) == 0;
    return same;
}

static int resumed_at(const Arguments *arguments)
{
    int k = 0;
    while (k < arguments->given_count && strncmp(arguments->given_words[k], "--resume=", 9) != 0)
        k++;
    return k;
}

void length_anew(const Command *command, Arguments *arguments)
{
    char **words = arguments->given_words;
    GivenOption given;
    bool is_anew = false;
    for (int k = arguments->kept_count + 1; option_next(command, arguments->given_count, words, &k, &given);)
        is_anew = is_anew || is_length(&given);
    int kept = 0, from = 0;
    for (int k = 0; is_anew && option_next(command, arguments->kept_count, words, &k, &given); from = k) {
        bool stands_apart = given.value == words[k - 1]; // from its name
        int end = is_length(&given) ? k - 1 - stands_apart : k;
        memmove(words + kept, words + from, (size_t)(end - from) * sizeof *words);
        kept += end - from;
    }
    memmove(words + kept, words + from, (size_t)(arguments->given_count - from) * sizeof *words);
    arguments->given_count -= from - kept;
    arguments->kept_count -= from - kept;
}

bool resume_fits(const Command *command, const Arguments *arguments)
{
    char **words = arguments->given_words;
    int count = arguments->given_count, begun = resumed_at(arguments);
    GivenOption given;
    for (int k = begun + 1; option_next(command, count, words, &k, &given);) {
        bool fixed = is_fixed(&given) || is_pace_of_frames(command, begun, words, &given);
        if (!fixed || was_begun_with(command, begun, words, &given))
            continue;
        int length = (int)key_length(&given);
        report_usage(command->name, "--resume %.200s goes on with what was begun; %s%s%s%.*s cannot change",
                     words[begun] + 9, given.option ? "" : "--",
                     given.option ? given.option->name : given.name, length ? " " : "",
                     length < 60 ? length : 60, given.value);
        return false;
    }
    return true;
}
