// What a kept run has read, by hash: a line each, "SHA256 BYTES PATH", so that whoever goes on sees what has
// changed, and reports say what was read.
#include <string.h>
#include <sys/stat.h>

#include "core/status.h"
#include "recipe/checkpoint_inside.h"
#include "silt/record.h"

// What a file holds; a pipe that was read gives its bytes again, from the copy that its reader made.
typedef struct Sum {
    char hash[SILT_HASH_SIZE];
    uint64_t bytes;
} Sum;

static bool sum_file(const char *path, Sum *out)
{
    return silt_file_hash(path, out->hash, &out->bytes) == SILT_OK;
}

enum { SUM_DIGITS = SILT_HASH_SIZE - 1 };

// False where the line is none.
static bool read_line(const char *line, Sum *sum, char path[SILT_PATH_SIZE])
{
    unsigned long long bytes;
    int before = 0;
    size_t length = strcspn(line, "\n");
    if (strspn(line, "0123456789abcdef") != SUM_DIGITS ||
        sscanf(line + SUM_DIGITS, " %llu%n", &bytes, &before) != 1)
        return false;
    size_t path_at = SUM_DIGITS + (size_t)before + 1;
    if (length <= path_at || line[path_at - 1] != ' ' || length - path_at >= SILT_PATH_SIZE)
        return false;
    snprintf(sum->hash, sizeof sum->hash, "%.*s", SUM_DIGITS, line);
    sum->bytes = bytes;
    snprintf(path, SILT_PATH_SIZE, "%.*s", (int)(length - path_at), line + path_at);
    silt_line_restore(path);
    return true;
}

// What the file was when the run that is gone on with began; false: that run did not note it.
static bool sum_then(const SiltCheckpoint *c, const char *path, Sum *sum)
{
    char name[SILT_PATH_SIZE];
    for (const char *line = silt_checkpoint_text(c, "inputs"); line && *line; line = next_line(line))
        if (read_line(line, sum, name) && strcmp(name, path) == 0)
            return true;
    return false;
}

static void add_line(SiltCheckpoint *c, const Sum *sum, const char *path)
{
    silt_text_addf(&c->inputs, "%s %llu ", sum->hash, (unsigned long long)sum->bytes);
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
        Sum sum;
        if (sscanf(line, "%lld %lld %ld %n", &bytes, &seconds, &nanoseconds, &before) != 3)
            continue;
        snprintf(path, sizeof path, "%.*s", (int)strcspn(line + before, "\n"), line + before);
        silt_line_restore(path);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == bytes &&
            info.st_mtim.tv_sec == seconds && info.st_mtim.tv_nsec == nanoseconds && sum_file(path, &sum))
            add_line(c, &sum, path);
    }
    silt_text_free(&c->inputs_later);
}

// ---- what programs call ----

SiltStatus silt_checkpoint_add_input(SiltCheckpoint *c, const char *path)
{
    Sum sum;
    bool is_noted = sum_then(c, path, &sum);
    if (strlen(path) >= SILT_PATH_SIZE) // nobody can read it
        return SILT_OK;
    if (!is_noted && !c->writes)
        add_later(c, path);
    else if (is_noted || sum_file(path, &sum))
        add_line(c, &sum, path);
    return c->inputs.failed || c->inputs_later.failed ? SILT_NO_MEMORY : SILT_OK;
}

// A pipe is another one by now, and to look at it would be to wait for whoever writes.
static bool is_other(const char *path, const Sum *then)
{
    struct stat info;
    Sum now;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           ((uint64_t)info.st_size != then->bytes ||
            (sum_file(path, &now) && strcmp(now.hash, then->hash) != 0));
}

const char *silt_checkpoint_changed_input(const SiltCheckpoint *c)
{
    static _Thread_local char path[SILT_PATH_SIZE];
    Sum then;
    for (const char *line = silt_checkpoint_text(c, "inputs"); line && *line; line = next_line(line))
        if (read_line(line, &then, path) && is_other(path, &then))
            return path;
    return NULL;
}

bool silt_checkpoint_has_changed(const SiltCheckpoint *c, const char *path)
{
    Sum then;
    return sum_then(c, path, &then) && is_other(path, &then);
}

bool silt_checkpoint_input(const SiltCheckpoint *c, const char *path, char hash[SILT_HASH_SIZE],
                           uint64_t *bytes)
{
    Sum then;
    if (!sum_then(c, path, &then))
        return false;
    memcpy(hash, then.hash, sizeof then.hash);
    *bytes = then.bytes;
    return true;
}
