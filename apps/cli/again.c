// silt again REPORT: the run that a report tells of, done once more elsewhere, and held against it file by
// file.
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static void remove_tree(const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[2 * SILT_PATH_SIZE];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            remove_tree(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

// ---- what a sudden end would leave there ----

static struct {
    char **paths; // below the folder; longest first: files before the folders they lie in
    int count;
    char folder[SILT_PATH_SIZE];
} leftovers;

// By a signal handler's means.
static void remove_leftovers(void)
{
    int folder = open(leftovers.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return; // it was not made yet
    for (int k = 0; k < leftovers.count; k++)
        if (unlinkat(folder, leftovers.paths[k], 0) != 0)
            unlinkat(folder, leftovers.paths[k], AT_REMOVEDIR);
    rmdir(leftovers.folder);
}

static int longer_first(const void *a, const void *b)
{
    size_t first = strlen(*(char *const *)a), second = strlen(*(char *const *)b);
    return first < second ? 1 : first > second ? -1 : 0;
}

// All that the run will write below the folder, which is not there yet, and the folders in it.
static void expect_leftovers(const SiltRecord *record)
{
    static const char folder[] = ".";
    enum { MOST_DEPTH = 16 };
    size_t room = (size_t)(record->output_count + 1) * MOST_DEPTH + 1;
    leftovers.paths = calloc(room, sizeof *leftovers.paths);
    for (int k = -1; leftovers.paths && k < record->output_count; k++) {
        char place[SILT_PATH_SIZE];
        if (silt_path_below(folder, k < 0 ? "report.json" : record->outputs[k].path, place) != SILT_OK)
            continue;
        for (int depth = 0; depth < MOST_DEPTH && strlen(place) > strlen(folder); depth++) {
            char *copy = strdup(place);
            if (copy)
                leftovers.paths[leftovers.count++] = copy;
            char *slash = strrchr(place, '/');
            if (slash)
                *slash = '\0';
        }
    }
    if (leftovers.paths)
        qsort(leftovers.paths, (size_t)leftovers.count, sizeof *leftovers.paths, longer_first);
    watch_on_leave(remove_leftovers);
}

static void forget_leftovers(void)
{
    watch_on_leave(NULL);
    for (int k = 0; k < leftovers.count; k++)
        free(leftovers.paths[k]);
    free(leftovers.paths);
    leftovers.paths = NULL;
    leftovers.count = 0;
}

// ---- where it is done ----

// A folder that goes whatever ends the program.
static SiltStatus make_own_place(const SiltRecord *record, char folder[SILT_PATH_SIZE])
{
    const char *above = getenv("TMPDIR");
    snprintf(folder, SILT_PATH_SIZE, "%.900s/silt-again-XXXXXX", above && above[0] ? above : "/tmp");
    expect_leftovers(record);
    sigset_t before;
    hold_signals(&before);
    bool is_made = mkdtemp(folder) != NULL;
    if (is_made)
        strcpy(leftovers.folder, folder);
    let_signals(&before);
    return is_made ? SILT_OK : silt_fail(SILT_IO_ERROR, "%s: cannot make this folder", folder);
}

static SiltStatus make_place(const Arguments *arguments, const SiltRecord *record,
                             char folder[SILT_PATH_SIZE])
{
    if (!arguments->output)
        return make_own_place(record, folder);
    snprintf(folder, SILT_PATH_SIZE, "%.1000s/", arguments->output);
    SiltStatus status = silt_make_folders(folder);
    folder[strlen(folder) - 1] = '\0';
    return status;
}

// ---- what it read ----

static bool inputs_are_the_same(const SiltRecord *record)
{
    bool same = true;
    for (int k = 0; k < record->input_count; k++) {
        const SiltRecordFile *file = &record->inputs[k];
        char hash[SILT_HASH_SIZE];
        uint64_t bytes;
        if (silt_file_hash(file->path, hash, &bytes) != SILT_OK) {
            complain("again: the run read %s, and %s", file->path, silt_message());
            same = false;
        } else if (strcmp(hash, file->hash) != 0) {
            complain("again: %s is not what the run read: its SHA-256 was %.16s..., now it is %.16s...",
                     file->path, file->hash, hash);
            same = false;
        }
    }
    return same;
}

// ---- what may be compared ----

SiltStatus again_is_free(const char *place)
{
    if (access(place, F_OK) != 0)
        return SILT_OK;
    return silt_fail(SILT_BAD_ARGUMENT,
                     "again: %s is there already, and nothing is written over: name a folder without it",
                     place);
}

// A file that lies there already could be taken for the new one, or be lost.
static bool folder_is_free(const SiltRecord *record, const char *folder)
{
    char place[SILT_PATH_SIZE];
    for (int k = -1; k < record->output_count; k++) {
        if (silt_path_below(folder, k < 0 ? "report.json" : record->outputs[k].path, place) != SILT_OK ||
            again_is_free(place) != SILT_OK) {
            report_failure(SILT_BAD_ARGUMENT);
            return false;
        }
    }
    return true;
}

static bool is_comparable(const Arguments *arguments, const SiltRecord *record, const char *folder)
{
    if (record->output_count == 0) {
        complain("again: %s names no file that the run wrote: there is nothing to compare",
                 arguments->words[0]);
        return false;
    }
    if (strcmp(record->version, silt_version()) != 0)
        silt_warn("%s: the run was of version %.40s, and this is %s: other bytes may come from that",
                  arguments->words[0], record->version, silt_version());
    return folder_is_free(record, folder);
}

// ---- once more ----

// A report may come from a stranger: what it writes goes below the folder, and what it may read it is told.
static bool redirect(const Command *command, Arguments *run, const char *folder)
{
    enum { MOST_PLACES = 16 };
    static char places[MOST_PLACES][SILT_PATH_SIZE], report[SILT_PATH_SIZE];
    run->report = run->checkpoint = run->resume = NULL;
    for (int k = 0, used = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        const char **path = (const char **)((char *)run + option->offset);
        if (!option_writes(option) || !option_belongs(option, command) || !*path)
            continue;
        if (used == MOST_PLACES || silt_path_below(folder, *path, places[used]) != SILT_OK ||
            again_is_free(places[used]) != SILT_OK) { // whatever the report says that it wrote
            report_failure(SILT_BAD_ARGUMENT);
            return false;
        }
        *path = places[used++];
    }
    snprintf(report, sizeof report, "%.1000s/report.json", folder);
    run->report = report;
    run->keep_text = NULL; // it is not kept
    if (!run->frames)
        run->every_text = NULL;
    return true;
}

static int run_once_more(const Arguments *arguments, const SiltRecord *record, const char *folder)
{
    const Command *command = command_find(record->words[0]);
    if (!command || (strcmp(command->name, "run") != 0 && strcmp(command->name, "erode") != 0))
        return report_usage("again", "the report is of 'silt %.60s', and only run and erode are done again",
                            record->words[0]);
    Arguments run;
    if (!arguments_parse(command, record->word_count - 1, record->words + 1, &run))
        return EXIT_FAILED;
    if (run.word_count < command->minimum || run.word_count > command->maximum)
        return report_usage("again", "the report's command is no whole command");
    if (!is_comparable(arguments, record, folder))
        return EXIT_FAILED;
    run.trust = arguments->trust;
    run.threads = arguments->threads ? arguments->threads : run.threads;
    run.quiet = true;
    run.json = run.dry_run = false;
    run.again = folder;
    run.told = record->recipe;
    run.given_count = record->word_count - 1;
    run.given_words = record->words + 1;
    silt_set_threads(run.threads);
    if (!silt_path_is_below(arguments->words[0], folder))
        silt_inputs_release(); // the report may be an output of the recipe, which goes elsewhere now
    return redirect(command, &run, folder) ? run_command(command, &run) : EXIT_FAILED;
}

// ---- side by side ----

typedef struct Verdict {
    int same, differs, missing;
} Verdict;

static const SiltRecordFile *find_file(const SiltRecord *record, const char *path)
{
    for (int k = 0; k < record->output_count; k++)
        if (strcmp(record->outputs[k].path, path) == 0)
            return &record->outputs[k];
    return NULL;
}

static void add_entry(SiltText *text, bool first, const char *path, const char *verdict)
{
    silt_text_add(text, first ? "\n {\"path\": " : ",\n {\"path\": ");
    silt_text_add_json(text, path);
    silt_text_addf(text, ", \"verdict\": \"%s\"}", verdict);
}

static Verdict compare(const Arguments *arguments, const SiltRecord *then, const SiltRecord *now,
                       const char *folder, SiltText *list)
{
    Verdict verdict = {0};
    for (int k = 0; k < then->output_count; k++) {
        const SiltRecordFile *file = &then->outputs[k];
        char place[SILT_PATH_SIZE];
        const SiltRecordFile *fresh =
            silt_path_below(folder, file->path, place) == SILT_OK ? find_file(now, place) : NULL;
        const char *word = !fresh ? "missing" : strcmp(fresh->hash, file->hash) == 0 ? "same" : "differs";
        verdict.same += word[0] == 's';
        verdict.differs += word[0] == 'd';
        verdict.missing += word[0] == 'm';
        add_entry(list, k == 0, file->path, word);
        if (!arguments->json && (!arguments->quiet || word[0] != 's'))
            say("%-8s %s\n", word, file->path);
    }
    return verdict;
}

static int say_verdict(const Arguments *arguments, const SiltRecord *then, const SiltRecord *now,
                       Verdict verdict, const char *list)
{
    bool good = verdict.differs + verdict.missing == 0;
    bool drains_alike = !then->drainage || (now->drainage && strcmp(then->drainage, now->drainage) == 0);
    if (arguments->json) {
        SiltText text = {0};
        add_flag(&text, "same", good);
        add_flag(&text, "drainage_same", drains_alike);
        add_member(&text, "version_then", then->version);
        add_member(&text, "version_now", now->version);
        silt_text_addf(&text, ",\n\"files\": [%s]}\n", list ? list : "");
        answer_with(&text);
    } else if (!good) {
        say("%d of %d files have other bytes%s%s%s%s\n", verdict.differs + verdict.missing,
            then->output_count, drains_alike ? ", and the drainage is the same" : ", and drainage differs",
            strcmp(then->version, now->version) ? "; the run was of version " : "",
            strcmp(then->version, now->version) ? then->version : "",
            strcmp(then->version, now->version) ? ", this is another" : "");
    } else if (!arguments->quiet) {
        say("the same bytes in %s%d file%s\n", then->output_count > 1 ? "all " : "", then->output_count,
            then->output_count == 1 ? "" : "s");
    }
    return good ? 0 : EXIT_FAILED;
}

static int repeat(const Arguments *arguments, const SiltRecord *then, const char *folder)
{
    int exit_status = run_once_more(arguments, then, folder);
    if (exit_status != 0)
        return exit_status;
    char path[SILT_PATH_SIZE];
    SiltRecord *now;
    snprintf(path, sizeof path, "%.1000s/report.json", folder);
    SiltStatus status = silt_record_read(path, &now);
    if (status != SILT_OK)
        return report_failure(status);
    SiltText list = {0};
    Verdict verdict = compare(arguments, then, now, folder, &list);
    exit_status = say_verdict(arguments, then, now, verdict, list.data);
    silt_text_free(&list);
    silt_record_destroy(now);
    return exit_status;
}

int run_again(const Arguments *arguments)
{
    SiltRecord *then;
    SiltStatus status = silt_record_read(arguments->words[0], &then);
    if (status != SILT_OK)
        return report_failure(status);
    int exit_status = EXIT_FAILED;
    char folder[SILT_PATH_SIZE];
    if (then->cancelled) {
        complain("%s: the run was stopped half-way, which nobody can repeat", arguments->words[0]);
    } else if (inputs_are_the_same(then)) {
        status = make_place(arguments, then, folder);
        exit_status = status == SILT_OK ? repeat(arguments, then, folder) : report_failure(status);
        if (status == SILT_OK && !arguments->output) {
            remove_tree(folder);
            forget_leftovers();
        }
    }
    silt_record_destroy(then);
    return exit_status;
}
