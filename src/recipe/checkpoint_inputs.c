// What a kept run has read, by hash: a line each, "SUM PATH", so that whoever goes on sees what has changed.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/status.h"
#include "io/output.h"
#include "recipe/checkpoint_inside.h"

// A pipe that was read gives its bytes again, from the copy that its reader made.
static bool sum_file(const char *path, uint64_t *out)
{
    FILE *file;
    if (silt_open_input(path, &file) != SILT_OK)
        return false;
    char bytes[1 << 16];
    SiltSum sum = {.sum = 1};
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        silt_sum_add(&sum, bytes, got);
    bool whole = !ferror(file);
    fclose(file);
    *out = silt_sum_end(&sum);
    return whole;
}

enum { SUM_DIGITS = 16, BEFORE_PATH = SUM_DIGITS + 1 };

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

// The path of a line; false where it has none.
static bool read_path(const char *line, char path[SILT_PATH_SIZE])
{
    size_t length = strcspn(line, "\n");
    if (length <= BEFORE_PATH || length - BEFORE_PATH >= SILT_PATH_SIZE)
        return false;
    snprintf(path, SILT_PATH_SIZE, "%.*s", (int)(length - BEFORE_PATH), line + BEFORE_PATH);
    silt_line_restore(path);
    return true;
}

// What the file was when the run that is gone on with began; 0: that run did not note it.
static uint64_t sum_then(const SiltCheckpoint *c, const char *path)
{
    char name[SILT_PATH_SIZE];
    for (const char *line = silt_checkpoint_text(c, "inputs"); line && *line; line = next_line(line))
        if (read_path(line, name) && strcmp(name, path) == 0)
            return strtoull(line, NULL, 16);
    return 0;
}

static void add_line(SiltCheckpoint *c, uint64_t sum, const char *path)
{
    silt_text_addf(&c->inputs, "%016" PRIx64 " ", sum);
    silt_text_add_line(&c->inputs, path);
}

// ---- those of a run that may never be kept ----

// Nobody reads a file twice for a mere perhaps: its hash is taken when the run is first kept, if the file is
// still what it was. A line each, "BYTES SECONDS NANOSECONDS PATH".
static void add_later(SiltCheckpoint *c, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    silt_text_addf(&c->inputs_later, "%lld %lld %ld ", (long long)info.st_size,
                   (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    silt_text_add_line(&c->inputs_later, path);
}

void silt_checkpoint_sum_inputs(SiltCheckpoint *c)
{
    for (const char *line = c->inputs_later.data; line && *line; line = next_line(line)) {
        long long bytes, seconds;
        long nanoseconds;
        int before;
        char path[SILT_PATH_SIZE];
        struct stat info;
        uint64_t sum;
        if (sscanf(line, "%lld %lld %ld %n", &bytes, &seconds, &nanoseconds, &before) != 3)
            continue;
        snprintf(path, sizeof path, "%.*s", (int)strcspn(line + before, "\n"), line + before);
        silt_line_restore(path);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == bytes &&
            info.st_mtim.tv_sec == seconds && info.st_mtim.tv_nsec == nanoseconds && sum_file(path, &sum))
            add_line(c, sum, path);
    }
    silt_text_free(&c->inputs_later);
}

// ---- what programs call ----

SiltStatus silt_checkpoint_add_input(SiltCheckpoint *c, const char *path)
{
    uint64_t sum = sum_then(c, path);
    if (strlen(path) >= SILT_PATH_SIZE) // nobody can read it
        return SILT_OK;
    if (sum == 0 && !c->writes)
        add_later(c, path);
    else if (sum != 0 || sum_file(path, &sum))
        add_line(c, sum, path);
    return c->inputs.failed || c->inputs_later.failed ? SILT_NO_MEMORY : SILT_OK;
}

// A pipe is another one by now, and to look at it would be to wait for whoever writes.
const char *silt_checkpoint_changed_input(const SiltCheckpoint *c)
{
    static _Thread_local char path[SILT_PATH_SIZE];
    for (const char *line = silt_checkpoint_text(c, "inputs"); line && *line; line = next_line(line)) {
        struct stat info;
        uint64_t now, then = strtoull(line, NULL, 16);
        if (read_path(line, path) && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
            (info.st_size == 0 || (sum_file(path, &now) && now != then)))
            return path;
    }
    return NULL;
}
