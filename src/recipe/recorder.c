// Notes what a report says so that a run can be done again.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/sha256.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/written.h"
#include "silt/drainage.h"
#include "silt/record.h"

_Static_assert((int)SILT_HASH_SIZE == (int)SILT_SHA256_TEXT, "a hash is a SHA-256");

struct SiltRecorder {
    SiltText command; // a JSON array
    SiltText inputs;  // the members of one
    SiltWritten written;
    SiltText before;           // those that an earlier session has read, a line each
    int input_count, measured; // 0, 1: before, 2: after
    char *drainage[2];
    char device[128];
};

// ---- hashes ----

SiltStatus silt_file_hash(const char *path, char hash[SILT_HASH_SIZE], uint64_t *bytes)
{
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    SiltSha256 sha;
    char block[1 << 16];
    silt_sha256_begin(&sha);
    *bytes = 0;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0; *bytes += got)
        silt_sha256_add(&sha, block, got);
    if (ferror(file))
        status = silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    fclose(file);
    silt_sha256_end(&sha, hash);
    return status;
}

static void add_entry(SiltText *text, bool first, const char *path, const char *hash, uint64_t bytes)
{
    silt_text_add(text, first ? "\n {\"path\": " : ",\n {\"path\": ");
    silt_text_add_json(text, path);
    silt_text_addf(text, ", \"bytes\": %llu, \"sha256\": \"%s\"}", (unsigned long long)bytes, hash);
}

static bool add_file(SiltText *text, bool first, const char *path)
{
    char hash[SILT_HASH_SIZE];
    uint64_t bytes;
    if (silt_file_hash(path, hash, &bytes) != SILT_OK)
        return false;
    add_entry(text, first, path, hash, bytes);
    return true;
}

bool silt_any_written(void)
{
    return silt_written_any();
}

// ---- recording ----

SiltStatus silt_recorder_create(SiltRecorder **out)
{
    SiltStatus status = silt_alloc_for("a report", 1, sizeof **out, (void **)out);
    if (status == SILT_OK)
        silt_written_begin(&(*out)->written);
    return status;
}

void silt_recorder_destroy(SiltRecorder *recorder)
{
    if (!recorder)
        return;
    silt_written_end(&recorder->written);
    silt_written_free(&recorder->written);
    silt_text_free(&recorder->command);
    silt_text_free(&recorder->inputs);
    silt_text_free(&recorder->before);
    silt_free(recorder->drainage[0]);
    silt_free(recorder->drainage[1]);
    silt_free(recorder);
}

SiltStatus silt_recorder_command(SiltRecorder *recorder, const char *command, int count, char *const *words)
{
    silt_text_free(&recorder->command);
    silt_text_add(&recorder->command, "[");
    silt_text_add_json(&recorder->command, command);
    for (int k = 0; k < count; k++) {
        silt_text_add(&recorder->command, ", ");
        silt_text_add_json(&recorder->command, words[k]);
    }
    silt_text_add(&recorder->command, "]");
    return recorder->command.failed ? SILT_NO_MEMORY : SILT_OK;
}

void silt_recorder_device(SiltRecorder *recorder, const char *name)
{
    snprintf(recorder->device, sizeof recorder->device, "%s", name);
}

// Whether an earlier session has read it.
static bool was_read(const SiltRecorder *recorder, const char *path)
{
    SiltText wanted = {0};
    silt_text_add_line(&wanted, path);
    bool found = false;
    for (const char *line = recorder->before.data; line && *line && !wanted.failed && !found;
         line += strcspn(line, "\n") + 1)
        found = strncmp(line, wanted.data, wanted.length) == 0;
    silt_text_free(&wanted);
    return found;
}

SiltStatus silt_recorder_input(SiltRecorder *recorder, const char *path)
{
    if (!was_read(recorder, path) && add_file(&recorder->inputs, recorder->input_count == 0, path))
        recorder->input_count++;
    return recorder->inputs.failed ? SILT_NO_MEMORY : SILT_OK;
}

SiltStatus silt_recorder_input_was(SiltRecorder *recorder, const char *path, const char hash[SILT_HASH_SIZE],
                                   uint64_t bytes)
{
    add_entry(&recorder->inputs, recorder->input_count++ == 0, path, hash, bytes);
    silt_text_add_line(&recorder->before, path);
    return recorder->inputs.failed || recorder->before.failed ? SILT_NO_MEMORY : SILT_OK;
}

void silt_recorder_output(SiltRecorder *recorder, const char *path)
{
    silt_written_add(&recorder->written, path);
}

void silt_recorder_measure(SiltRecorder *recorder, const SiltTerrain *terrain)
{
    SiltDrainageStatistics statistics;
    SiltStatus status = silt_drainage_statistics(terrain, &statistics);
    bool good = status == SILT_OK;
    if (status == SILT_NO_MEMORY)
        silt_warn("the report has no drainage: %s", silt_message());
    int slot = recorder->measured > 0;
    silt_free(recorder->drainage[slot]);
    recorder->drainage[slot] = good ? silt_drainage_json(&statistics) : NULL;
    recorder->measured = slot + 1;
}

const char *silt_recorder_before(const SiltRecorder *recorder)
{
    return recorder->drainage[0] ? recorder->drainage[0] : "";
}

void silt_recorder_set_before(SiltRecorder *recorder, const char *json)
{
    silt_free(recorder->drainage[0]);
    recorder->drainage[0] = json[0] ? silt_strdup(json) : NULL;
    recorder->measured = 1;
}

void silt_recorder_pause(SiltRecorder *recorder, bool paused)
{
    recorder->written.paused = paused;
}

// ---- as JSON ----

static void read_processor(char name[128])
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (file && !name[0] && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            snprintf(name, 128, "%.*s", (int)strcspn(colon + 2, "\n") % 127, colon + 2);
    }
    if (file)
        fclose(file);
}

// Nothing that names whoever ran it.
static void add_machine(SiltText *text)
{
    struct utsname system;
    char processor[128];
    bool known = uname(&system) == 0;
    read_processor(processor);
    silt_text_add(text, "\"machine\": {\"system\": ");
    silt_text_add_json(text, known ? system.sysname : "");
    silt_text_add(text, ", \"release\": ");
    silt_text_add_json(text, known ? system.release : "");
    silt_text_add(text, ", \"architecture\": ");
    silt_text_add_json(text, known ? system.machine : "");
    silt_text_add(text, ", \"processor\": ");
    silt_text_add_json(text, processor);
    silt_text_addf(text, ", \"processors\": %ld}", sysconf(_SC_NPROCESSORS_ONLN));
}

static void add_outputs(SiltText *text, const SiltWritten *written)
{
    int count = 0;
    silt_text_add(text, "\"outputs\": [");
    for (int k = 0; k < written->count; k++)
        count += add_file(text, count == 0, written->paths[k]);
    silt_text_add(text, "]");
    text->failed = text->failed || written->failed;
}

static void add_seeds(SiltText *text, const uint64_t *seeds, int count)
{
    silt_text_addf(text, "\"seed\": %llu, \"seeds\": [", (unsigned long long)(count > 0 ? seeds[0] : 0));
    for (int k = 0; k < count; k++)
        silt_text_addf(text, "%s%llu", k ? ", " : "", (unsigned long long)seeds[k]);
    silt_text_add(text, "]");
}

char *silt_recorder_json(SiltRecorder *recorder, const char *recipe, const uint64_t *seeds, int seed_count)
{
    SiltText text = {0};
    silt_text_add(&text, "\"version\": ");
    silt_text_add_json(&text, silt_version());
    silt_text_add(&text, ",\n\"command\": ");
    silt_text_add(&text, recorder->command.data ? recorder->command.data : "null");
    silt_text_add(&text, ",\n\"recipe_text\": ");
    if (recipe)
        silt_text_add_json(&text, recipe);
    else
        silt_text_add(&text, "null");
    silt_text_add(&text, ",\n");
    add_seeds(&text, seeds, seed_count);
    silt_text_addf(&text, ", \"threads\": %d, \"device\": ", silt_threads());
    silt_text_add_json(&text, recorder->device[0] ? recorder->device : "cpu");
    silt_text_add(&text, ",\n");
    add_machine(&text);
    silt_text_addf(&text, ",\n\"inputs\": [%s],\n", recorder->inputs.data ? recorder->inputs.data : "");
    add_outputs(&text, &recorder->written);
    silt_text_addf(&text, ",\n\"drainage\": {\"before\": %s,\n \"after\": %s}",
                   recorder->drainage[0] ? recorder->drainage[0] : "null",
                   recorder->drainage[1] ? recorder->drainage[1] : "null");
    return silt_text_take(&text);
}
