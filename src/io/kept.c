#include "io/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"

enum { FORMAT = 2, ORDER = 0x01020304, BUFFER = 1 << 20 };
static const char magic[8] = {'S', 'I', 'L', 'T', '\r', '\n', '\x1a', '\n'};

typedef struct FileHead {
    char magic[8];
    uint32_t format, order;
    char version[16];
    uint64_t bytes, parts, state, sum;
} FileHead;
_Static_assert(sizeof(FileHead) == 64, "as kept.h says");

typedef struct PartHead {
    char name[SILT_PART_NAME];
    uint64_t bytes, sum, own;
} PartHead;
_Static_assert(sizeof(PartHead) == 48, "as kept.h says");

// Of a head and of all before it: parts of two files do not make a third.
static uint64_t sum_of_head(const PartHead *head, uint64_t before)
{
    SiltSum sum = {.sum = 1};
    silt_sum_add(&sum, head, sizeof *head - sizeof head->own);
    silt_sum_add(&sum, &before, sizeof before);
    return silt_sum_end(&sum);
}

// ---- writing ----

static SiltStatus cannot_write(const SiltKeptWriter *writer)
{
    return silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", writer->path,
                     strerror(writer->error ? writer->error : EIO));
}

static SiltStatus note_error(SiltKeptWriter *writer)
{
    if (!writer->error)
        writer->error = errno ? errno : EIO;
    return cannot_write(writer);
}

// All of it at its place, past short writes and signals.
static SiltStatus put(SiltKeptWriter *writer, const void *bytes, size_t count, uint64_t at)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = pwrite(writer->file, (const char *)bytes + done, count - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return note_error(writer);
        done += (size_t)got;
    }
    return SILT_OK;
}

static SiltStatus empty_buffer(SiltKeptWriter *writer)
{
    SiltStatus status = put(writer, writer->buffer, writer->used, writer->at);
    writer->at += writer->used;
    writer->used = 0;
    return status;
}

// Locked by whoever keeps the run.
static SiltStatus open_fresh(SiltKeptWriter *writer)
{
    SiltStatus status = silt_kept_check(writer->path);
    if (status == SILT_OK)
        status = silt_kept_claim(writer->path, writer->claim);
    if (status != SILT_OK)
        return status;
    writer->error = silt_kept_make_fresh(writer->claim);
    writer->file = writer->claim->files[SILT_KEPT_FRESH];
    return writer->error ? cannot_write(writer) : SILT_OK;
}

static SiltStatus begin(const char *path, SiltKeptClaim *claim, SiltKeptWriter *out)
{
    *out = (SiltKeptWriter){.file = -1, .at = sizeof(FileHead), .claim = claim ? claim : &out->own};
    silt_kept_unclaimed(&out->own);
    if (path[0] == '\0' || strlen(path) >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "'%.60s': not a path of 1 to %d bytes", path, SILT_PATH_SIZE - 1);
    snprintf(out->path, sizeof out->path, "%s", path);
    return silt_alloc_for(path, BUFFER, 1, (void **)&out->buffer);
}

SiltStatus silt_kept_begin(const char *path, SiltKeptClaim *claim, SiltKeptWriter *out)
{
    SiltStatus status = begin(path, claim, out);
    if (status == SILT_OK)
        status = open_fresh(out);
    if (status != SILT_OK)
        silt_kept_abandon(out);
    return status;
}

// 0, or the error; EEXIST: the name is taken, perhaps a moment ago.
static int claim_free_name(const char *path, SiltKeptClaim *claim, char out[SILT_PATH_SIZE])
{
    enum { MOST_NAMES = 1000 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - path) : (int)strlen(path), error = EEXIST;
    for (int k = 1; k <= MOST_NAMES && error == EEXIST; k++) {
        char number[16] = "";
        if (k > 1)
            snprintf(number, sizeof number, "-%d", k);
        if (snprintf(out, SILT_PATH_SIZE, "%.*s%s%s", stem, path, number, path + stem) >= SILT_PATH_SIZE)
            return EEXIST;
        error = silt_kept_claim_new(out, claim);
    }
    return error;
}

SiltStatus silt_kept_begin_new(const char *path, SiltKeptClaim *claim, SiltKeptWriter *out)
{
    char other[SILT_PATH_SIZE];
    SiltStatus status = begin(path, claim, out);
    if (status != SILT_OK)
        return status;
    out->is_new = true;
    out->error = claim_free_name(path, claim, other);
    if (out->error == EEXIST)
        status = silt_fail(SILT_IO_ERROR, "%s: no name like it is free", path);
    else
        snprintf(out->path, sizeof out->path, "%s", other);
    if (status == SILT_OK && out->error)
        status = cannot_write(out);
    out->file = claim->files[SILT_KEPT_FRESH];
    if (status != SILT_OK)
        silt_kept_abandon(out);
    return status;
}

SiltStatus silt_kept_open_part(SiltKeptWriter *writer, const char *name)
{
    if (writer->count == SILT_MOST_PARTS)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: more than %d parts", writer->path, SILT_MOST_PARTS);
    SiltStatus status = empty_buffer(writer);
    SiltKeptPart *part = &writer->parts[writer->count];
    *part = (SiltKeptPart){.at = writer->at + sizeof(PartHead)};
    snprintf(part->name, sizeof part->name, "%s", name);
    writer->at = part->at; // its head follows when its length is known
    writer->sum = (SiltSum){.sum = 1};
    return status;
}

SiltStatus silt_kept_write(SiltKeptWriter *writer, const void *bytes, size_t count)
{
    SiltStatus status = SILT_OK;
    silt_sum_add(&writer->sum, bytes, count);
    writer->parts[writer->count].bytes += count;
    if (count > BUFFER - writer->used)
        status = empty_buffer(writer);
    if (status == SILT_OK && count >= BUFFER) {
        status = put(writer, bytes, count, writer->at);
        writer->at += count;
    } else if (status == SILT_OK) {
        memcpy(writer->buffer + writer->used, bytes, count);
        writer->used += count;
    }
    return status;
}

SiltStatus silt_kept_close_part(SiltKeptWriter *writer)
{
    SiltKeptPart *part = &writer->parts[writer->count];
    static const char zeros[8];
    part->sum = silt_sum_end(&writer->sum);
    SiltStatus status = empty_buffer(writer);
    size_t gap = (size_t)(-part->bytes & 7);
    if (status == SILT_OK)
        status = put(writer, zeros, gap, writer->at);
    writer->at += gap;
    PartHead head = {.bytes = part->bytes, .sum = part->sum};
    memcpy(head.name, part->name, sizeof head.name);
    head.own = writer->chain = sum_of_head(&head, writer->chain);
    if (status == SILT_OK)
        status = put(writer, &head, sizeof head, part->at - sizeof head);
    writer->count += status == SILT_OK;
    return status;
}

static void end_writer(SiltKeptWriter *writer)
{
    silt_free(writer->buffer);
    if (writer->claim == &writer->own)
        silt_kept_release(&writer->own);
    writer->buffer = NULL;
    writer->file = -1;
}

void silt_kept_abandon(SiltKeptWriter *writer)
{
    if (writer->is_new)
        silt_kept_release(writer->claim); // next time it may be another name
    else
        silt_kept_drop_fresh(writer->claim);
    end_writer(writer);
}

// The folder too: only then does the new name outlast a power cut.
static void sync_folder(const char *path)
{
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

static SiltStatus read_one(const char *path, SiltKeptReader *out);

// The file that this thread put in its place last; nobody has written to it as long as these are the same.
static _Thread_local struct stat own;

static bool is_own(const struct stat *info)
{
    return info->st_dev == own.st_dev && info->st_ino == own.st_ino && info->st_size == own.st_size &&
           info->st_mtim.tv_sec == own.st_mtim.tv_sec && info->st_mtim.tv_nsec == own.st_mtim.tv_nsec;
}

// Whether the file of before can take the place of NAME~, which may be the only one that is whole: ours is,
// and one that somebody else left is read once.
static bool is_worth_keeping(const char *path)
{
    struct stat info;
    SiltKeptReader reader;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    if (is_own(&info))
        return true;
    bool is_whole = read_one(path, &reader) == SILT_OK;
    silt_kept_close(&reader);
    return is_whole;
}

// Under a name that nobody else has taken meanwhile; some disks have no links.
static SiltStatus take_name(SiltKeptWriter *writer, const char *fresh, const char *path)
{
    struct stat info;
    if (link(fresh, path) == 0)
        return unlink(fresh) == 0 ? SILT_OK : note_error(writer);
    if (lstat(path, &info) == 0)
        errno = EEXIST;
    else if (rename(fresh, path) == 0)
        return SILT_OK;
    return note_error(writer);
}

// The file of before stays as NAME~ where it is kept; at no moment is there none of its name.
static SiltStatus put_in_place(SiltKeptWriter *writer, bool keeps)
{
    const SiltKeptNames *names = &writer->claim->names;
    const char *path = names->list[SILT_KEPT_FILE], *before = names->list[SILT_KEPT_BEFORE];
    const char *fresh = names->list[SILT_KEPT_FRESH];
    if (keeps) {
        unlink(before);
        if (link(path, before) != 0 && rename(path, before) != 0) // some disks have no links
            return note_error(writer);
    }
    SiltStatus status = SILT_OK;
    if (writer->is_new)
        status = take_name(writer, fresh, path);
    else if (rename(fresh, path) != 0)
        status = note_error(writer);
    if (status == SILT_OK && fstat(writer->file, &own) != 0)
        own = (struct stat){0};
    if (status == SILT_OK)
        silt_kept_moved(writer->claim, keeps);
    return status;
}

SiltStatus silt_kept_commit(SiltKeptWriter *writer)
{
    SiltGate gate;
    FileHead head = {.format = FORMAT,
                     .order = ORDER,
                     .bytes = writer->at,
                     .parts = (uint64_t)writer->count,
                     .state = SILT_KEPT_UNDER_WAY};
    memcpy(head.magic, magic, sizeof magic);
    snprintf(head.version, sizeof head.version, "%s", silt_version());
    head.sum = silt_sum_of(&head, sizeof head - sizeof head.sum);
    SiltStatus status = writer->error ? cannot_write(writer) : put(writer, &head, sizeof head, 0);
    if (status == SILT_OK && fsync(writer->file) != 0)
        status = note_error(writer);
    const char *path = writer->claim->names.list[SILT_KEPT_FILE];
    bool keeps = status == SILT_OK && !writer->is_new && is_worth_keeping(path);
    if (status == SILT_OK && !silt_gate_enter(&gate))
        status = note_error(writer);
    else if (status == SILT_OK) {
        status = put_in_place(writer, keeps);
        silt_gate_leave(&gate);
    }
    if (status == SILT_OK) {
        sync_folder(path);
        end_writer(writer);
    } else {
        silt_kept_abandon(writer);
    }
    return status;
}

// The head is one sector: it is the old one or the new one.
void silt_kept_finish(const char *path, int source)
{
    SiltKeptNames names;
    FileHead head;
    struct stat info, read;
    silt_kept_name(path, &names);
    int file = open(names.list[SILT_KEPT_FILE], O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool is_ours = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    bool is_source = is_ours && source >= 0 && fstat(source, &read) == 0 && info.st_dev == read.st_dev &&
                     info.st_ino == read.st_ino;
    is_ours = is_ours && (is_source || is_own(&info)) &&
              pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head &&
              memcmp(head.magic, magic, sizeof magic) == 0 &&
              head.sum == silt_sum_of(&head, sizeof head - sizeof head.sum);
    if (is_ours) {
        head.state = SILT_KEPT_FINISHED;
        head.sum = silt_sum_of(&head, sizeof head - sizeof head.sum);
        // where this fails the run counts as unfinished, and nothing is lost
        (void)!pwrite(file, &head, sizeof head, 0);
    }
    if (file >= 0)
        close(file);
}

// ---- reading ----

static bool get(const SiltKeptReader *reader, void *to, size_t count, uint64_t at)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = pread(reader->file, (char *)to + done, count - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

SiltStatus silt_kept_load(const SiltKeptReader *reader, const SiltKeptPart *part, uint64_t from, void *to,
                          size_t count)
{
    if (from > part->bytes || count > part->bytes - from || !get(reader, to, count, part->at + from))
        return silt_fail(SILT_BAD_FILE, "%s: part '%s' is shorter than it was", reader->path, part->name);
    return SILT_OK;
}

static SiltStatus check_sum(const SiltKeptReader *reader, const SiltKeptPart *part, char *buffer)
{
    SiltSum sum = {.sum = 1};
    for (uint64_t done = 0; done < part->bytes;) {
        size_t count = part->bytes - done < BUFFER ? (size_t)(part->bytes - done) : BUFFER;
        if (!get(reader, buffer, count, part->at + done))
            return SILT_BAD_FILE;
        silt_sum_add(&sum, buffer, count);
        done += count;
    }
    return silt_sum_end(&sum) == part->sum ? SILT_OK : SILT_BAD_FILE;
}

static SiltStatus damaged(const SiltKeptReader *reader, const char *where)
{
    return silt_fail(SILT_BAD_FILE, "%s: the checkpoint is damaged in %s", reader->path, where);
}

static SiltStatus read_head(SiltKeptReader *reader, uint64_t length, FileHead *head)
{
    if (length < sizeof *head || !get(reader, head, sizeof *head, 0) ||
        memcmp(head->magic, magic, sizeof magic) != 0)
        return silt_fail(SILT_BAD_FILE, "%s: not a checkpoint of Silt", reader->path);
    if (head->order != ORDER || head->format != FORMAT)
        return silt_fail(SILT_BAD_FILE, "%s: a checkpoint of format %u%s, and this version reads format %d",
                         reader->path, head->format,
                         head->order == ORDER ? "" : " of another kind of machine", FORMAT);
    if (head->sum != silt_sum_of(head, sizeof *head - sizeof head->sum))
        return damaged(reader, "its head");
    if (head->bytes != length)
        return silt_fail(SILT_BAD_FILE, "%s: the checkpoint has %llu bytes, and %llu were written",
                         reader->path, (unsigned long long)length, (unsigned long long)head->bytes);
    memcpy(reader->version, head->version, sizeof reader->version);
    reader->version[sizeof reader->version - 1] = '\0';
    reader->state = head->state;
    return SILT_OK;
}

static SiltStatus read_parts(SiltKeptReader *reader, const FileHead *head, char *buffer)
{
    uint64_t at = sizeof *head, chain = 0;
    if (head->parts > SILT_MOST_PARTS)
        return damaged(reader, "its head");
    for (uint64_t k = 0; k < head->parts; k++) {
        PartHead found;
        char where[64];
        if (head->bytes - at < sizeof found || !get(reader, &found, sizeof found, at) ||
            found.own != sum_of_head(&found, chain))
            return damaged(reader, "the list of its parts");
        chain = found.own;
        SiltKeptPart *part = &reader->parts[reader->count];
        at += sizeof found;
        *part = (SiltKeptPart){.bytes = found.bytes, .at = at, .sum = found.sum};
        memcpy(part->name, found.name, sizeof part->name);
        part->name[sizeof part->name - 1] = '\0';
        if (found.bytes > head->bytes - at)
            return damaged(reader, "the list of its parts");
        snprintf(where, sizeof where, "part '%s'", part->name);
        if (check_sum(reader, part, buffer) != SILT_OK)
            return damaged(reader, where);
        at += found.bytes + (-found.bytes & 7);
        reader->count++;
        if (at > head->bytes)
            return damaged(reader, "the list of its parts");
    }
    return SILT_OK;
}

static SiltStatus read_one(const char *path, SiltKeptReader *out)
{
    *out = (SiltKeptReader){.file = -1};
    if (path[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "the name of the checkpoint is empty");
    if (strlen(path) >= sizeof out->path)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", path);
    snprintf(out->path, sizeof out->path, "%s", path);
    struct stat info;
    FileHead head;
    out->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would be waited for
    if (out->file < 0)
        return silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    if (fstat(out->file, &info) != 0 || !S_ISREG(info.st_mode))
        return silt_fail(SILT_BAD_FILE, "%s: no regular file, and so no checkpoint", path);
    SiltStatus status = read_head(out, (uint64_t)info.st_size, &head);
    char *buffer = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for(path, BUFFER, 1, (void **)&buffer);
    if (status == SILT_OK)
        status = read_parts(out, &head, buffer);
    silt_free(buffer);
    return status;
}

SiltStatus silt_kept_read(const char *path, SiltKeptReader *out)
{
    SiltStatus status = read_one(path, out);
    if (status == SILT_OK)
        return SILT_OK;
    silt_kept_close(out);
    char why[SILT_PATH_SIZE + 256];
    snprintf(why, sizeof why, "%s", silt_message());
    SiltKeptNames names;
    silt_kept_name(path, &names);
    const char *before = names.list[SILT_KEPT_BEFORE];
    SiltKeptReader other;
    bool is_whole = access(before, F_OK) == 0 && read_one(before, &other) == SILT_OK;
    bool is_done = is_whole && other.state == SILT_KEPT_FINISHED; // perhaps of an earlier run
    if (access(before, F_OK) == 0)
        silt_kept_close(&other);
    return is_whole ? silt_fail(status, "%s; the one before it is whole%s: %s", why,
                                is_done ? ", of a run that is finished" : "", before)
                    : silt_fail(status, "%s", why);
}

void silt_kept_close(SiltKeptReader *reader)
{
    if (reader->file >= 0)
        close(reader->file);
    reader->file = -1;
}

const SiltKeptPart *silt_kept_find(const SiltKeptReader *reader, const char *name)
{
    for (int k = 0; k < reader->count; k++)
        if (strcmp(reader->parts[k].name, name) == 0)
            return &reader->parts[k];
    return NULL;
}

bool silt_kept_recognise(const char *path)
{
    char head[sizeof magic];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) // a pipe gives its bytes once
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is = file >= 0 && read(file, head, sizeof head) == (ssize_t)sizeof head &&
              memcmp(head, magic, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}
