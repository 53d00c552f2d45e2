#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/sum.h"
#include "core/text.h"
#include "io/spool.h"
#include "io/stale.h"
#include "io/temporary.h"
#include "io/together.h"
#include "io/written.h"

SiltStatus silt_cannot_write(const char *path, int error)
{
    return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", path, strerror(error ? error : EIO));
}

static void free_slot(SiltOutput *output)
{
    silt_temporary_let_go(output->slot);
    output->slot = -1;
}

// A file under a name of its own, marked as ours; `name` ends as SILT_TEMPORARY does, and takes what comes of
// it.
static int open_temporary(char *name)
{
    enum { TRIES = 100 };
    for (int tries = 0; tries < TRIES; tries++) {
        strcpy(strrchr(name, '.'), SILT_TEMPORARY);
        int descriptor = mkostemp(name, O_CLOEXEC);
        if (descriptor < 0 || silt_stale_mark(descriptor))
            return descriptor;
        close(descriptor);
    }
    errno = EBUSY;
    return -1;
}

static int make_temporary(SiltOutput *output)
{
    SiltGate gate;
    silt_stale_remove(output->target);
    snprintf(output->temporary, sizeof output->temporary, "%s" SILT_TEMPORARY, output->target);
    if (!silt_gate_enter(&gate))
        return -1;
    int descriptor = open_temporary(output->temporary);
    if (descriptor >= 0)
        output->slot = silt_temporary_claim(output->temporary);
    silt_gate_leave(&gate);
    return descriptor;
}

// It can only be read by setting it: one thread at a time, or one would take the other's zero for it.
static mode_t read_umask(void)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&busy))
        ;
    mode_t mask = umask(0);
    umask(mask);
    atomic_flag_clear(&busy);
    return mask;
}

static atomic_bool hurries;

void silt_output_hurry(bool hurry)
{
    hurries = hurry;
}

// Waits for who reads a pipe, as `open` does, but not when there is no time: NULL then, with EINTR.
static FILE *open_pipe(const char *path)
{
    int file;
    while ((file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO) {
        if (hurries) {
            errno = EINTR;
            return NULL;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    if (file < 0)
        return NULL;
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    FILE *stream = fdopen(file, "wb");
    if (!stream)
        close(file);
    return stream;
}

SiltStatus silt_output_begin(const char *path, SiltOutput *out)
{
    *out = (SiltOutput){.slot = -1, .mark = -1};
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "the name of the file to write is empty");
    if (strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is longer than %d bytes", path,
                         SILT_PATH_SIZE - 1);
    snprintf(out->path, sizeof out->path, "%s", path);
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: is a directory, not a file to write", path);
    if (exists && !S_ISREG(info.st_mode)) { // a device or a pipe cannot be replaced
        out->file = S_ISFIFO(info.st_mode) ? open_pipe(path) : fopen(path, "wb");
        if (!out->file && errno == EINTR)
            return silt_fail(SILT_IO_ERROR, "%s: stopped before anybody read from this pipe", path);
        return out->file ? SILT_OK : silt_cannot_write(path, errno);
    }
    if (exists && access(path, W_OK) != 0)
        return silt_cannot_write(path, errno);
    if (silt_input_spare(path) != SILT_OK)
        return SILT_BAD_ARGUMENT;
    // through a link, replace what it points to
    struct stat link;
    bool is_link = exists && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    char *real = is_link ? realpath(path, NULL) : NULL;
    bool fits = real && strlen(real) < SILT_PATH_SIZE;
    snprintf(out->target, sizeof out->target, "%s", fits ? real : path);
    free(real);
    int descriptor = make_temporary(out);
    if (descriptor < 0)
        return silt_cannot_write(path, errno);
    mode_t mask = read_umask();
    mode_t mode = exists ? info.st_mode & 07777 : 0666 & ~mask;
    fchmod(descriptor, mode);
    out->file = fdopen(descriptor, "w+b");
    if (!out->file) {
        int error = errno;
        close(descriptor);
        unlink(out->temporary);
        free_slot(out);
        return silt_cannot_write(path, error);
    }
    return SILT_OK;
}

SiltStatus silt_output_try(const char *path, SiltOutput *out)
{
    struct stat info;
    int pair[2];
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))
        return silt_output_begin(path, out);
    *out = (SiltOutput){.slot = -1, .mark = -1};
    if (access(path, W_OK) != 0 || pipe2(pair, O_CLOEXEC | O_NONBLOCK) != 0)
        return silt_cannot_write(path, errno);
    snprintf(out->path, sizeof out->path, "%s", path);
    out->file = fdopen(pair[1], "wb");
    out->mark = pair[0]; // closed with it
    if (out->file)
        return SILT_OK;
    int error = errno;
    close(pair[0]);
    close(pair[1]);
    return silt_cannot_write(path, error);
}

SiltStatus silt_output_add_sidecar(SiltOutput *output, const char *path)
{
    void *block;
    SiltStatus status = silt_alloc_for(path, 1, sizeof(SiltOutput), &block);
    if (status != SILT_OK)
        return status;
    status = silt_output_begin(path, block);
    if (status != SILT_OK)
        silt_free(block);
    else
        output->sidecar = block;
    return status;
}

void silt_output_abandon(SiltOutput *output)
{
    if (output->file)
        fclose(output->file);
    if (output->temporary[0])
        unlink(output->temporary);
    if (output->mark >= 0)
        close(output->mark);
    free_slot(output);
    if (output->sidecar)
        silt_output_abandon(output->sidecar);
    silt_free(output->sidecar);
    *output = (SiltOutput){.slot = -1, .mark = -1};
}

static _Thread_local bool lazily;

void silt_output_lazily(bool lazy)
{
    lazily = lazy;
}

// Everything on the disk under its temporary name; 0 or the error.
static int finish_writing(SiltOutput *output)
{
    errno = 0;
    int error = 0;
    if (fflush(output->file) != 0 || ferror(output->file))
        error = errno ? errno : EIO;
    else if (output->temporary[0] && !lazily && fsync(fileno(output->file)) != 0 && errno != EINVAL &&
             errno != ENOTSUP)
        error = errno;
    if (output->temporary[0])
        output->mark = fcntl(fileno(output->file), F_DUPFD_CLOEXEC, 0);
    if (fclose(output->file) != 0 && !error)
        error = errno ? errno : EIO;
    output->file = NULL;
    return error;
}

// The old sidecar goes out of the way under another name. Where there is none it may have been there already,
// if the program was killed.
static int set_aside(const SiltMove *sidecar, const char *aside, bool *is_aside)
{
    *is_aside = rename(sidecar->to, aside) == 0;
    return *is_aside || errno == ENOENT ? 0 : errno;
}

static int put_in_place(const SiltMove *move)
{
    return move->from[0] && rename(move->from, move->to) != 0 ? errno : 0;
}

int silt_move_pair(const SiltMove *file, const SiltMove *sidecar, const char **failed)
{
    char aside[SILT_PATH_SIZE + sizeof SILT_ASIDE] = "";
    bool is_aside = false;
    int error = 0;
    if (sidecar && sidecar->from[0]) {
        *failed = sidecar->path;
        snprintf(aside, sizeof aside, "%s" SILT_ASIDE, sidecar->to);
        error = set_aside(sidecar, aside, &is_aside);
    }
    if (!error) {
        *failed = file->path;
        error = put_in_place(file);
        if (error && is_aside)
            rename(aside, sidecar->to); // the old file stands, and its sidecar again beside it
    }
    if (!error && sidecar) {
        *failed = sidecar->path;
        error = put_in_place(sidecar);
        if (!error && aside[0])
            unlink(aside);
    }
    return error;
}

static SiltMove move_of(const SiltOutput *output)
{
    return (SiltMove){output->path, output->temporary, output->target};
}

// In its place now, whatever becomes of the program meanwhile.
static SiltStatus put_now(SiltOutput *output)
{
    SiltGate gate;
    SiltOutput *sidecar = output->sidecar;
    SiltMove file = move_of(output), beside = sidecar ? move_of(sidecar) : (SiltMove){0};
    const char *failed = output->path;
    if (!silt_gate_enter(&gate))
        return silt_cannot_write(failed, errno);
    int error = silt_move_pair(&file, sidecar ? &beside : NULL, &failed);
    if (!error)
        silt_written_say();
    silt_gate_leave(&gate);
    if (error)
        return silt_cannot_write(failed, error);
    output->temporary[0] = '\0'; // what has its final name is not removed
    silt_written_note(output->path);
    if (sidecar) {
        sidecar->temporary[0] = '\0';
        silt_written_note(sidecar->path);
    }
    return SILT_OK;
}

SiltStatus silt_output_commit(SiltOutput *output)
{
    SiltOutput *sidecar = output->sidecar;
    SiltTogether *together = silt_together();
    const char *failed = output->path;
    int error = finish_writing(output);
    if (!error && sidecar) {
        failed = sidecar->path;
        error = finish_writing(sidecar);
    }
    SiltStatus status = error      ? silt_cannot_write(failed, error)
                        : together ? silt_together_hold(together, output)
                                   : put_now(output);
    silt_output_abandon(output);
    return status;
}

SiltStatus silt_output_end(SiltOutput *output, SiltStatus status)
{
    if (status == SILT_OK)
        return silt_output_commit(output);
    silt_output_abandon(output);
    return status;
}

void silt_sync_folder(const char *folder)
{
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return;
    syncfs(opened);
    close(opened);
}

// 0 or the error, which would be lost where somebody looks afterwards.
static int make_folder(const char *folder)
{
    SiltGate gate;
    if (!silt_gate_enter(&gate))
        return errno;
    int error = mkdir(folder, 0777) == 0 ? 0 : errno;
    silt_gate_leave(&gate);
    return error;
}

SiltStatus silt_make_folders(const char *path)
{
    char folder[SILT_PATH_SIZE];
    if (path[0] == '\0' || strlen(path) >= sizeof folder)
        return silt_fail(SILT_BAD_ARGUMENT, "'%.60s': not a path of 1 to %d bytes", path, SILT_PATH_SIZE - 1);
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        struct stat info;
        int error = make_folder(folder);
        if (error && (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
            return silt_fail(SILT_IO_ERROR, "%s: cannot make this folder: %s", folder,
                             strerror(error == EEXIST ? ENOTDIR : error));
        *slash = '/';
    }
    return SILT_OK;
}

SiltStatus silt_write_file(const char *path, const void *data, size_t bytes)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    if (fwrite(data, 1, bytes, output.file) != bytes)
        status = silt_cannot_write(path, errno);
    return silt_output_end(&output, status);
}

enum { PACK_BLOCKS = 32, PACK_BYTES = 65536 };

typedef struct PackJob {
    SiltPackFn pack;
    const void *context;
    size_t first, count, items, block_bytes;
    char *buffer;
    size_t packed[PACK_BLOCKS];
} PackJob;

static void pack_blocks(void *context, int begin, int end)
{
    PackJob *job = context;
    for (int k = begin; k < end; k++) {
        size_t from = job->first + (size_t)k * job->items;
        size_t to = job->count - from < job->items ? job->count : from + job->items;
        job->packed[k] = job->pack(job->context, from, to, job->buffer + (size_t)k * job->block_bytes);
    }
}

SiltStatus silt_output_pack(SiltOutput *output, size_t count, size_t limit, SiltPackFn pack,
                            const void *context)
{
    PackJob job = {.pack = pack, .context = context, .count = count};
    job.items = limit < PACK_BYTES ? PACK_BYTES / limit : 1;
    job.block_bytes = job.items * limit;
    void *buffer;
    SiltStatus status = silt_alloc_for(output->path, PACK_BLOCKS, job.block_bytes, &buffer);
    if (status != SILT_OK)
        return status;
    job.buffer = buffer;
    while (job.first < count && status == SILT_OK) {
        size_t blocks = (count - job.first + job.items - 1) / job.items;
        blocks = blocks < PACK_BLOCKS ? blocks : PACK_BLOCKS;
        silt_parallel((int)blocks, 1, pack_blocks, &job);
        for (size_t k = 0; k < blocks && status == SILT_OK; k++) {
            const char *block = job.buffer + k * job.block_bytes;
            if (output->sum)
                silt_sum_add(output->sum, block, job.packed[k]);
            if (fwrite(block, 1, job.packed[k], output->file) != job.packed[k])
                status = silt_cannot_write(output->path, errno);
        }
        job.first += blocks * job.items;
    }
    silt_free(buffer);
    return status;
}

SiltStatus silt_output_status(const SiltOutput *output)
{
    return ferror(output->file) ? silt_cannot_write(output->path, errno) : SILT_OK;
}

int64_t silt_input_bytes(FILE *file)
{
    struct stat info;
    bool known = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    return known ? (int64_t)info.st_size : INT64_MAX;
}

uint64_t silt_input_left(FILE *file)
{
    int64_t length = silt_input_bytes(file), at = (int64_t)ftello(file);
    if (length == INT64_MAX || at < 0)
        return UINT64_MAX;
    return length > at ? (uint64_t)(length - at) : 0;
}

SiltStatus silt_open_input(const char *path, FILE **out)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) != 0)
        return errno == ENOENT ? silt_fail(SILT_IO_ERROR, "%s: no such file", path)
                               : silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return silt_fail(SILT_IO_ERROR, "%s: is a directory, not a file", path);
    *out =
        S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) ? silt_spool_open(path, &info) : fopen(path, "rb");
    if (!*out)
        return silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISREG(info.st_mode) && info.st_size == 0) {
        fclose(*out);
        *out = NULL;
        return silt_fail(SILT_BAD_FILE, "%s: the file is empty", path);
    }
    return SILT_OK;
}

SiltStatus silt_read_file(const char *path, size_t limit, char **out, size_t *bytes)
{
    *out = NULL;
    *bytes = 0;
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    void *data = NULL;
    size_t length = 0, capacity = 0, known = 65536;
    char shown[SILT_NUMBER_SIZE];
    uint64_t left = silt_input_left(file);
    if (left != UINT64_MAX) {
        if (left > limit)
            status =
                silt_fail(SILT_BAD_FILE, "%s: %llu bytes, longer than the %zu bytes such a file may have",
                          path, (unsigned long long)left, limit);
        else if (left > 65536 && left > silt_memory_available())
            status = silt_fail(SILT_NO_MEMORY, "%s: the file has %s, more than memory is free", path,
                               silt_format_bytes((double)left, shown));
        if (status != SILT_OK)
            goto fail;
        known = (size_t)left + 2; // one for the zero byte, one so that the end is seen without growing
    }
    for (;;) {
        if (length + 1 >= capacity) {
            size_t wanted = capacity ? capacity * 2 : known;
            status = silt_grow(path, &data, length, wanted, 1);
            if (status != SILT_OK)
                goto fail;
            capacity = wanted;
        }
        size_t got = fread((char *)data + length, 1, capacity - length - 1, file);
        length += got;
        if (length > limit) {
            status =
                silt_fail(SILT_BAD_FILE, "%s: longer than the %zu bytes such a file may have", path, limit);
            goto fail;
        }
        if (got == 0)
            break;
    }
    if (ferror(file)) {
        status = silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
        goto fail;
    }
    fclose(file);
    ((char *)data)[length] = '\0';
    *out = data;
    *bytes = length;
    return SILT_OK;
fail:
    fclose(file);
    silt_free(data);
    return status;
}
