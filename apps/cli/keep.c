// Runs that are kept on the way (--checkpoint) and gone on with (--resume).
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { USUAL_SECONDS = 300, LONG_RUN = 600 };

// ---- going on ----

// What a command line goes on with stays to the end of the program, as its words do.
static struct {
    SiltCheckpoint *kept;
    char *text, **words;
} held;

// The value of "--resume FILE" or "--resume=FILE", which is taken out of the words.
static const char *take_resume(int *count, char **words)
{
    for (int k = 0; k < *count; k++) {
        bool joined = strncmp(words[k], "--resume=", 9) == 0;
        if (strcmp(words[k], "--") == 0)
            return NULL;
        if (!joined && (strcmp(words[k], "--resume") != 0 || k + 1 >= *count))
            continue;
        const char *path = joined ? words[k] + 9 : words[k + 1];
        int used = joined ? 1 : 2;
        memmove(words + k, words + k + used, (size_t)(*count - k - used) * sizeof *words);
        *count -= used;
        return path;
    }
    return NULL;
}

// The words that a text holds, each ended by a line feed, `option`, and those that are there. A file cannot
// ask for trust.
static char **join_words(const char *text, char *option, int count, char **words, int *all)
{
    size_t room = (size_t)count + 2;
    for (const char *c = text; *c; c++)
        room += *c == '\n';
    char **joined = silt_alloc(room * sizeof *joined), *copy = silt_alloc(strlen(text) + 1);
    *all = 0;
    if (!joined || !copy)
        return NULL;
    strcpy(copy, text);
    held.text = copy;
    for (char *at = copy; *at;) {
        char *end = at + strcspn(at, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        silt_line_restore(at);
        if (strcmp(at, "--trust") != 0)
            joined[(*all)++] = at;
        at = is_last ? end : end + 1;
    }
    joined[(*all)++] = option;
    for (int k = 0; k < count; k++)
        joined[(*all)++] = words[k];
    return joined;
}

bool resume_words(const Command *command, int *count, char ***words, SiltCheckpoint **kept, int *kept_count)
{
    *kept = NULL;
    bool resumes = strcmp(command->name, "erode") == 0 || strcmp(command->name, "run") == 0;
    const char *path = resumes ? take_resume(count, *words) : NULL;
    if (!path)
        return true;
    if (silt_checkpoint_open(path, kept) != SILT_OK) {
        complain("%s", silt_message());
        return false;
    }
    held.kept = *kept;
    const char *text = silt_checkpoint_text(*kept, "command");
    size_t length = strlen(command->name);
    if (!text || strncmp(text, command->name, length) != 0 || text[length] != '\n') {
        complain("%s: a run of 'silt %.*s', not of 'silt %s'", path, text ? (int)strcspn(text, "\n") : 1,
                 text ? text : "?", command->name);
        return false;
    }
    // what it goes on from is where it is kept from now on, unless the words say otherwise
    static char option[SILT_PATH_SIZE + 32];
    snprintf(option, sizeof option, "--resume=%s", path);
    int all;
    char **joined = join_words(text + length + 1, option, *count, *words, &all);
    if (!joined) {
        complain("not enough memory");
        return false;
    }
    *kept_count = all - *count - 1;
    *count = all;
    *words = held.words = joined;
    return true;
}

bool was_kept(const Arguments *arguments, const char *word)
{
    for (int k = 0; k < arguments->kept_count; k++) {
        const char *begin = arguments->given_words[k];
        if (word >= begin && word <= begin + strlen(begin))
            return true;
    }
    return false;
}

bool resume_stays(const Command *command, const Arguments *arguments)
{
    if (!options_lie_here(command, arguments))
        return false;
    for (int k = 0; k < option_count() && !arguments->trust; k++) {
        const Option *option = option_at(k);
        if (!option_writes(option) || !option_belongs(option, command))
            continue;
        const char *path = *(const char *const *)((const char *)arguments + option->offset);
        if (path && was_kept(arguments, path) && !silt_path_is_below(path, ".")) {
            report_usage(command->name,
                         "the run writes %.200s, outside the current folder: name it again, or say --trust",
                         path);
            return false;
        }
    }
    return true;
}

// ---- keeping ----

static SiltStatus set_command(const char *command, const Arguments *arguments, SiltCheckpoint *checkpoint)
{
    SiltText text = {0};
    silt_text_addf(&text, "%s\n", command);
    words_keep(&text, arguments->given_count, arguments->given_words);
    SiltStatus status =
        text.failed ? SILT_NO_MEMORY : silt_checkpoint_set_text(checkpoint, "command", text.data);
    silt_text_free(&text);
    return status;
}

// After how many seconds a run is long: SILT_LONG_RUN is for tests, which cannot wait.
static double long_run(void)
{
    const char *text = getenv("SILT_LONG_RUN");
    double seconds;
    return text && silt_parse_number(&text, &seconds) && seconds >= 0.0 ? seconds : LONG_RUN;
}

// -q hushes warnings; that work may be lost is none.
static void tell_failure(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "silt: %s\n", text);
}

bool keep_claim(const char *command, const Arguments *arguments, SiltCheckpoint **out)
{
    *out = arguments->kept;
    if (arguments->again)
        return true;
    SiltStatus status = *out ? SILT_OK : silt_checkpoint_create(out);
    double seconds = arguments->keep_seconds > 0.0 ? arguments->keep_seconds : USUAL_SECONDS;
    const char *to = arguments->checkpoint ? arguments->checkpoint : arguments->resume;
    if (status == SILT_OK && to)
        status = silt_make_folders(to);
    if (status == SILT_OK && to)
        status = silt_checkpoint_write_to(*out, to, seconds, arguments->keep_steps);
    if (status != SILT_OK)
        report_failure(status);
    else if (checkpoint_spares(command, arguments))
        return true;
    silt_checkpoint_destroy(*out);
    *out = NULL;
    return false;
}

SiltStatus keep_begin(const char *command, const Arguments *arguments, const char *path, SiltRun *run,
                      SiltCheckpoint *checkpoint)
{
    SiltStatus status = SILT_OK;
    double seconds = arguments->keep_seconds > 0.0 ? arguments->keep_seconds : USUAL_SECONDS;
    if (!arguments->checkpoint && !arguments->resume)
        status = silt_checkpoint_write_if_long(checkpoint, path, long_run(), seconds);
    if (status == SILT_OK)
        status = set_command(command, arguments, checkpoint);
    if (status == SILT_OK)
        status = keep_folder(checkpoint);
    if (status == SILT_OK && arguments->quiet)
        silt_checkpoint_tell_failure(checkpoint, tell_failure, NULL);
    if (status == SILT_OK)
        silt_checkpoint_attach(checkpoint, run);
    return status;
}

// Whether it is told to end elsewhere than the file says: then that is not finished yet.
static bool is_of_other_length(const Arguments *arguments)
{
    const char *length = arguments->steps_text ? arguments->steps_text : arguments->time_text;
    return length && !was_kept(arguments, length);
}

void keep_end(const char *command, const Arguments *arguments, SiltCheckpoint *checkpoint, SiltStatus status)
{
    if (!checkpoint)
        return;
    SiltText path = {0};
    silt_text_add_shell(&path, silt_checkpoint_path(checkpoint));
    if (status == SILT_OK && silt_checkpoint_is_automatic(checkpoint))
        silt_checkpoint_discard(checkpoint);
    else if (status == SILT_OK && (silt_checkpoint_count(checkpoint) > 0 || !is_of_other_length(arguments)))
        silt_checkpoint_finish(checkpoint);
    else if (status != SILT_OK && silt_checkpoint_count(checkpoint) > 0)
        fprintf(stderr, "silt: to go on: silt %s --resume %s%s\n", command,
                path.failed ? silt_checkpoint_path(checkpoint) : path.data,
                arguments->trust ? " --trust" : "");
    silt_text_free(&path);
    silt_checkpoint_destroy(checkpoint);
}

// ---- what reports say ----

SiltStatus record_begin(const char *command, const Arguments *arguments, SiltRun *run)
{
    if (strcmp(command, "erode") == 0 && !arguments->report && !arguments->json)
        return SILT_OK; // the report of a recipe may be one of its outputs
    SiltStatus status = silt_recorder_create(&run->recorder);
    char **words = NULL;
    if (status == SILT_OK)
        words = silt_alloc(((size_t)arguments->given_count + 1) * sizeof *words);
    if (!words)
        return status == SILT_OK ? silt_fail(SILT_NO_MEMORY, "not enough memory for a report") : status;
    int count = 0;
    for (int k = 0; k < arguments->given_count; k++)
        if (strncmp(arguments->given_words[k], "--resume=", 9) != 0)
            words[count++] = arguments->given_words[k];
    status = silt_recorder_command(run->recorder, command, count, words);
    if (run->device)
        silt_recorder_device(run->recorder, silt_device_of(run->device)->name);
    silt_free(words);
    return status;
}

// ---- looking at what was kept ----

SiltStatus read_any(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    SiltCheckpoint *checkpoint;
    *out = NULL;
    if (!silt_path_is_checkpoint(path))
        return silt_terrain_read(path, options, out);
    SiltStatus status = silt_checkpoint_open(path, &checkpoint);
    if (status == SILT_OK)
        status = silt_checkpoint_show(checkpoint, out);
    silt_checkpoint_destroy(checkpoint);
    return status;
}

int checkpoint_info(const Arguments *arguments)
{
    const char *path = arguments->words[0];
    SiltCheckpoint *checkpoint;
    SiltStatus status = silt_checkpoint_open(path, &checkpoint);
    if (status != SILT_OK)
        return report_failure(status);
    char *about = silt_checkpoint_about(checkpoint);
    SiltText text = {0};
    if (arguments->json) {
        add_member(&text, "file", path);
        add_member(&text, "checkpoint", about ? about : "");
        silt_text_add(&text, "}");
        answer_with(&text);
    } else {
        say("%s\n%s", path, about ? about : "");
    }
    silt_free(about);
    silt_checkpoint_destroy(checkpoint);
    return 0;
}
