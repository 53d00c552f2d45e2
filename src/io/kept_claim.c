// Whose a kept file is: one run at a time is kept under a name.
//
// A lock lies on the file itself, with the one before it, and goes over to each that takes its place, which
// is locked before it has the name. Where there is no file yet it lies on an empty NAME.new. So nothing stays
// behind that could refuse the next run: a lock ends with the process, however that ends.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "core/status.h"
#include "io/kept.h"
#include "io/temporary.h"

enum { TRIES = 100 }; // others look at the names for a moment each

void silt_kept_unclaimed(SiltKeptClaim *out)
{
    *out = (SiltKeptClaim){.slot = -1};
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        out->files[k] = -1;
}

bool silt_kept_is_at(int file, const char *name)
{
    struct stat there, ours;
    return file >= 0 && lstat(name, &there) == 0 && fstat(file, &ours) == 0 && there.st_dev == ours.st_dev &&
           there.st_ino == ours.st_ino;
}

// ---- one lock ----

static bool is_there(const char *name)
{
    struct stat info;
    return lstat(name, &info) == 0;
}

// 0, or EWOULDBLOCK where another has it. Some file systems know no locks: then everybody gets one.
static int lock(SiltKeptClaim *claim, int file)
{
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return EWOULDBLOCK;
        if (errno != EINTR) {
            claim->has_no_locks = true;
            return 0;
        }
    }
    return 0;
}

// The process that has locked the file, as Linux tells; 0: unknown. Some file systems have several numbers.
static long holder_of(int file)
{
    long holder = 0;
#ifdef __linux__
    struct stat info;
    char line[256];
    FILE *locks = fstat(file, &info) == 0 ? fopen("/proc/locks", "re") : NULL;
    for (bool is_sure = false; locks && !is_sure && fgets(line, sizeof line, locks);) {
        long process;
        unsigned high, low;
        unsigned long long inode;
        if (sscanf(line, "%*d: FLOCK %*s WRITE %ld %x:%x:%llu", &process, &high, &low, &inode) != 4 ||
            inode != info.st_ino)
            continue;
        is_sure = high == major(info.st_dev) && low == minor(info.st_dev);
        if (is_sure || holder == 0)
            holder = process;
    }
    if (locks)
        fclose(locks);
#else
    (void)file;
#endif
    return holder;
}

// Opens and locks what has the name, and goes on having it: 0, or the error. EWOULDBLOCK comes with the
// process that has locked it (NULL: nobody asks); while that writes one file after the other, nobody has
// locked the one we look at.
static int take(SiltKeptClaim *claim, const char *name, int *file, long *holder)
{
    int error = EBUSY;
    long process = 0;
    for (int tries = 0; tries < TRIES && process == 0; tries++) {
        const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        *file = open(name, O_RDWR | flags); // over a network who only reads gets no lock
        if (*file < 0 && errno == EACCES)
            *file = open(name, O_RDONLY | flags);
        if (*file < 0)
            return errno;
        error = lock(claim, *file);
        bool is_it = silt_kept_is_at(*file, name);
        if (error == 0 && is_it)
            return 0;
        process = !is_it || !error ? 0 : holder ? holder_of(*file) : -1;
        close(*file);
    }
    if (holder)
        *holder = process;
    return error ? error : EBUSY;
}

static SiltStatus is_held(const char *path, long process)
{
    char who[48] = "another process";
    if (process > 0)
        snprintf(who, sizeof who, "process %ld", process);
    return silt_fail(SILT_IO_ERROR, "%s: %s keeps a run there; wait until it ends, or name another file",
                     path, who);
}

static void let_go(SiltKeptClaim *claim, int which)
{
    if (claim->files[which] >= 0)
        close(claim->files[which]);
    claim->files[which] = -1;
}

// The file of that name, or the one before it, where it is there and not ours already.
static SiltStatus claim_name(SiltKeptClaim *claim, const char *path, int which)
{
    const char *name = claim->names.list[which];
    int file;
    long holder;
    if (silt_kept_is_at(claim->files[which], name))
        return SILT_OK;
    let_go(claim, which);
    // a program that was killed may have left both names to one file
    if (which == SILT_KEPT_BEFORE && silt_kept_is_at(claim->files[SILT_KEPT_FILE], name))
        return SILT_OK;
    int error = take(claim, name, &file, &holder);
    if (error == EWOULDBLOCK)
        return is_held(which == SILT_KEPT_FILE ? path : name, holder);
    claim->files[which] = error == 0 ? file : -1;
    return SILT_OK;
}

// ---- the one that is being written ----

static int create(const char *name)
{
    return open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
}

// A new one, ours; EEXIST where the name is taken. 0, or the error.
static int make_new(SiltKeptClaim *claim, int *file)
{
    const char *name = claim->names.list[SILT_KEPT_FRESH];
    *file = create(name);
    if (*file < 0)
        return errno;
    if (lock(claim, *file) == 0 && silt_kept_is_at(*file, name))
        return 0;
    close(*file);
    return EEXIST;
}

// The same where the file itself is ours.
static int make_anew(SiltKeptClaim *claim, int *file)
{
    int error = EEXIST;
    for (int tries = 0; tries < TRIES && error == EEXIST; tries++) {
        unlink(claim->names.list[SILT_KEPT_FRESH]);
        error = make_new(claim, file);
    }
    return error;
}

// What is there may be another's who begins: then it is not ours to remove.
static int share(SiltKeptClaim *claim, int *file)
{
    const char *name = claim->names.list[SILT_KEPT_FRESH];
    for (int tries = 0; tries < TRIES; tries++) {
        int made = create(name);
        if (made >= 0)
            close(made);
        else if (errno != EEXIST)
            return errno;
        int error = take(claim, name, file, NULL);
        if (error != ENOENT)
            return error;
    }
    return EBUSY;
}

static void drop_fresh(SiltKeptClaim *claim)
{
    const char *name = claim->names.list[SILT_KEPT_FRESH];
    if (silt_kept_is_at(claim->files[SILT_KEPT_FRESH], name))
        unlink(name);
    let_go(claim, SILT_KEPT_FRESH);
    silt_temporary_let_go(claim->slot);
    claim->slot = -1;
}

// The file itself is ours: what has the name was left by a run that was killed, or kept the place.
static void clear_fresh(SiltKeptClaim *claim)
{
    drop_fresh(claim);
    unlink(claim->names.list[SILT_KEPT_FRESH]);
}

static int in_gate(SiltKeptClaim *claim, int (*open_fresh)(SiltKeptClaim *, int *))
{
    SiltGate gate;
    int file = -1;
    if (!silt_gate_enter(&gate))
        return errno;
    int error = open_fresh(claim, &file);
    if (error == 0) {
        claim->files[SILT_KEPT_FRESH] = file;
        claim->slot = silt_temporary_claim(claim->names.list[SILT_KEPT_FRESH]);
    }
    silt_gate_leave(&gate);
    return error;
}

int silt_kept_make_fresh(SiltKeptClaim *claim)
{
    int file = claim->files[SILT_KEPT_FRESH];
    if (silt_kept_is_at(file, claim->names.list[SILT_KEPT_FRESH])) // which kept the place
        return ftruncate(file, 0) == 0 ? 0 : errno;
    drop_fresh(claim);
    return in_gate(claim, make_anew);
}

void silt_kept_drop_fresh(SiltKeptClaim *claim)
{
    bool keeps_place = claim->files[SILT_KEPT_FILE] < 0 && claim->files[SILT_KEPT_FRESH] >= 0;
    if (!keeps_place || ftruncate(claim->files[SILT_KEPT_FRESH], 0) != 0)
        drop_fresh(claim);
}

// The file has the name of the one before it, and its lock goes along.
static void becomes_before(SiltKeptClaim *claim)
{
    let_go(claim, SILT_KEPT_BEFORE);
    claim->files[SILT_KEPT_BEFORE] = claim->files[SILT_KEPT_FILE];
}

void silt_kept_moved(SiltKeptClaim *claim, bool keeps)
{
    if (keeps) {
        becomes_before(claim);
    } else {
        let_go(claim, SILT_KEPT_FILE);
    }
    claim->files[SILT_KEPT_FILE] = claim->files[SILT_KEPT_FRESH];
    claim->files[SILT_KEPT_FRESH] = -1;
    silt_temporary_let_go(claim->slot);
    claim->slot = -1;
}

// ---- all of it ----

// No file is there: its place is kept by one that is empty. A disk that has no room for that has none for the
// file either.
static SiltStatus claim_place(SiltKeptClaim *claim, const char *path)
{
    const char *name = claim->names.list[SILT_KEPT_FRESH];
    if (silt_kept_is_at(claim->files[SILT_KEPT_FRESH], name))
        return SILT_OK;
    drop_fresh(claim);
    for (int tries = 0; tries < TRIES; tries++) {
        int file = -1;
        long holder;
        if (in_gate(claim, share) != EWOULDBLOCK)
            return SILT_OK;
        int error = take(claim, name, &file, &holder);
        if (error == EWOULDBLOCK)
            return is_held(path, holder);
        if (error != 0) // it has become the file itself
            return SILT_OK;
        close(file); // whoever had it has gone
    }
    return is_held(path, 0);
}

SiltStatus silt_kept_claim(const char *path, SiltKeptClaim *claim)
{
    SiltStatus status = SILT_OK;
    if (!claim->names.list[SILT_KEPT_FILE][0])
        silt_kept_name(path, &claim->names);
    const char *name = claim->names.list[SILT_KEPT_FILE];
    for (int tries = 0; tries < TRIES && status == SILT_OK; tries++) {
        status = claim_name(claim, path, SILT_KEPT_FILE);
        bool has_file = claim->files[SILT_KEPT_FILE] >= 0;
        if (status == SILT_OK && has_file)
            clear_fresh(claim);
        else if (status == SILT_OK)
            status = claim_place(claim, path);
        if (has_file || !is_there(name))
            break;
    }
    return status == SILT_OK ? claim_name(claim, path, SILT_KEPT_BEFORE) : status;
}

// The place is kept before the file has gone from it; where the disk has no room for that nobody else begins
// a file there either.
int silt_kept_set_aside(SiltKeptClaim *claim)
{
    const char *path = claim->names.list[SILT_KEPT_FILE], *before = claim->names.list[SILT_KEPT_BEFORE];
    if (!silt_kept_is_at(claim->files[SILT_KEPT_FILE], path))
        return 0;
    (void)!silt_kept_make_fresh(claim);
    if (rename(path, before) != 0) {
        int error = errno;
        drop_fresh(claim);
        return error;
    }
    if (silt_kept_is_at(claim->files[SILT_KEPT_FILE], path)) // both were names of one file, and stay
        unlink(path);
    becomes_before(claim);
    claim->files[SILT_KEPT_FILE] = -1;
    return 0;
}

int silt_kept_claim_new(const char *path, SiltKeptClaim *claim)
{
    silt_kept_release(claim);
    silt_kept_name(path, &claim->names);
    return silt_kept_is_free(path) ? in_gate(claim, make_new) : EEXIST;
}

void silt_kept_release(SiltKeptClaim *claim)
{
    drop_fresh(claim);
    for (int k = 0; k < SILT_KEPT_NAMES; k++)
        let_go(claim, k);
    silt_kept_unclaimed(claim);
}

void silt_kept_remove(SiltKeptClaim *claim)
{
    static const int list[] = {SILT_KEPT_BEFORE, SILT_KEPT_FILE}; // so what a kill leaves is the newest
    for (int k = 0; k < 2; k++)
        if (silt_kept_is_at(claim->files[list[k]], claim->names.list[list[k]]))
            unlink(claim->names.list[list[k]]);
}
