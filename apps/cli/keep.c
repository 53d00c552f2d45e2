// Runs that are kept on the way (--checkpoint) and gone on with (--resume).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { USUAL_SECONDS = 300, LONG_RUN = 600 };

// ---- going on ----

// What a command line goes on with stays to the end of the program, as its words do.
static struct {
    SiltCheckpoint *kept;
    char *text, **words;
    bool began; // to go on
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
        if (strcmp(at, "--trust") != 0 && strcmp(at, "--") != 0) // nor hide what follows
            joined[(*all)++] = at;
        at = is_last ? end : end + 1;
    }
    joined[(*all)++] = option;
    for (int k = 0; k < count; k++)
        joined[(*all)++] = words[k];
    return joined;
}

static bool is_named(const char *word, const char *option)
{
    size_t length = strlen(option);
    return strncmp(word, option, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

// Of a run without frames --every said how often it is kept. Once there are frames it is another option that
// says so.
static void keep_pace(char **words, int kept, int count)
{
    static char joined[64];
    bool had = false, has = false;
    for (int k = 0; k < count; k++)
        *(k < kept ? &had : &has) |= is_named(words[k], "--frames");
    for (int k = 0; k < kept && has && !had; k++)
        if (strcmp(words[k], "--every") == 0)
            words[k] = "--keep-every";
        else if (is_named(words[k], "--every") && strlen(words[k]) < sizeof joined - 8) {
            snprintf(joined, sizeof joined, "--keep-every%s", words[k] + 7);
            words[k] = joined;
        }
}

// Which command it is of is known of those that are one.
static void tell_other_command(const Command *command, const char *path, const char *text)
{
    SiltText name = {0};
    bool is_run = text && strncmp(text, "run\n", 4) == 0;
    silt_text_add_shell(&name, path);
    if (is_run || (text && strncmp(text, "erode\n", 6) == 0))
        complain("%s: a run of 'silt %s', not of 'silt %s'; to go on: silt %s --resume %s", path,
                 is_run ? "run" : "erode", command->name, is_run ? "run" : "erode",
                 name.failed ? path : name.data);
    else
        complain("%s: no run of 'silt %s'", path, command->name);
    silt_text_free(&name);
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
        tell_other_command(command, path, text);
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
    keep_pace(joined, *kept_count, all);
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

const char *written_outside(const Command *command, const Arguments *arguments, const char *folder,
                            bool kept_alone)
{
    char place[2 * SILT_PATH_SIZE];
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (!option_writes(option) || !option_belongs(option, command))
            continue;
        const char *path = *(const char *const *)((const char *)arguments + option->offset);
        if (!path || path == arguments->checkpoint || (kept_alone && !was_kept(arguments, path)))
            continue;
        bool is_named_whole = path[0] == '/';
        snprintf(place, sizeof place, "%s%s%s", is_named_whole ? "" : folder, is_named_whole ? "" : "/",
                 path);
        if (!silt_path_is_below(place, folder))
            return path;
    }
    return NULL;
}

bool resume_stays(const Command *command, const Arguments *arguments)
{
    if (!options_lie_here(command, arguments))
        return false;
    const char *path = arguments->trust ? NULL : written_outside(command, arguments, ".", true);
    if (path)
        report_usage(command->name,
                     "the run writes %.200s, outside the current folder: name it again, or say --trust",
                     path);
    return !path;
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

// What is gone on with is kept where it lies: that may be a place where nobody writes.
static void tell_no_place(const Arguments *arguments, SiltStatus status)
{
    char folder[SILT_PATH_SIZE], why[SILT_PATH_SIZE + 256];
    const char *path = arguments->checkpoint || !arguments->resume ? "" : arguments->resume,
               *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    snprintf(why, sizeof why, "%s", silt_message());
    if (status == SILT_IO_ERROR && path[0] && access(folder, W_OK) != 0)
        silt_fail(status, "%s; --checkpoint FILE keeps the run elsewhere", why);
    report_failure(status);
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
        tell_no_place(arguments, status);
    else if (checkpoint_spares(command, arguments))
        return true;
    silt_checkpoint_destroy(*out);
    *out = NULL;
    return false;
}

// A run that is finished is not taken for the one that takes its place. A disk that has no room for that is
// told of, and stops nothing.
static void set_aside(const Arguments *arguments, SiltCheckpoint *checkpoint)
{
    const char *path = arguments->checkpoint;
    if (!path || (arguments->resume && silt_checkpoint_writes(path, arguments->resume)))
        return;
    if (silt_checkpoint_set_aside(checkpoint) != SILT_OK)
        tell_failure(NULL, silt_message());
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
    if (status == SILT_OK) {
        set_aside(arguments, checkpoint);
        silt_checkpoint_attach(checkpoint, run);
    }
    held.began = status == SILT_OK;
    return status;
}

// Whether it is told to end elsewhere than the file says: then that is not finished yet.
static bool is_of_other_length(const Arguments *arguments)
{
    const char *length = arguments->steps_text ? arguments->steps_text : arguments->time_text;
    return length && !was_kept(arguments, length);
}

// What a run was gone on with is there still, where it came to no other place.
static bool stays_kept(const Arguments *arguments)
{
    return held.began && arguments->resume && silt_path_is_checkpoint(arguments->resume);
}

void keep_end(const char *command, const Arguments *arguments, SiltCheckpoint *checkpoint, SiltStatus status,
              bool needs_trust)
{
    if (!checkpoint)
        return;
    SiltText path = {0};
    needs_trust = needs_trust || arguments->trust ||
                  written_outside(command_find(command), arguments, ".", false) != NULL;
    bool is_new = silt_checkpoint_count(checkpoint) > 0 || !arguments->resume;
    const char *kept = is_new ? silt_checkpoint_path(checkpoint) : arguments->resume;
    silt_text_add_shell(&path, kept);
    if (status == SILT_OK && silt_checkpoint_is_automatic(checkpoint))
        silt_checkpoint_discard(checkpoint);
    else if (status == SILT_OK && (silt_checkpoint_count(checkpoint) > 0 || !is_of_other_length(arguments)))
        silt_checkpoint_finish(checkpoint);
    else if (status != SILT_OK && (silt_checkpoint_count(checkpoint) > 0 || stays_kept(arguments)))
        tell_go_on("silt %s --resume %s%s", command, path.failed ? kept : path.data,
                   needs_trust ? " --trust" : "");
    else if (status == SILT_CANCELLED && !arguments->checkpoint && !arguments->quiet && !arguments->watch)
        fprintf(stderr, "silt: the run was not kept: --checkpoint FILE keeps one that may be stopped\n");
    silt_text_free(&path);
    silt_checkpoint_destroy(checkpoint);
}

void fit_remedy(const Arguments *arguments, SiltStatus status)
{
    static const char *const remedies[] = {"take a smaller size", "lower particles"};
    char text[1024];
    snprintf(text, sizeof text, "%s", silt_message());
    for (size_t k = 0; status == SILT_NO_MEMORY && arguments->kept && k < 2; k++) {
        size_t length = strlen(text), part = strlen(remedies[k]);
        if (length >= part && strcmp(text + length - part, remedies[k]) == 0)
            silt_fail(status, "%.*sits size cannot change: go on where there is more", (int)(length - part),
                      text);
    }
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
    char *about = arguments->json ? silt_checkpoint_json(checkpoint) : silt_checkpoint_about(checkpoint);
    SiltText text = {0};
    if (arguments->json) {
        add_member(&text, "file", path);
        add_json(&text, "checkpoint", about);
        silt_text_add(&text, "}\n");
        status = answer_with(&text);
    } else {
        say("%s\n%s", path, about ? about : "");
    }
    silt_free(about);
    silt_checkpoint_destroy(checkpoint);
    return status == SILT_OK ? 0 : report_failure(status);
}
