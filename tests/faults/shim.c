// LD_PRELOAD=shim.so SILT_FAULT=CALL:N:WHAT makes the Nth call of that name fail with WHAT (ENOSPC, EIO,
// ENOMEM), ends the program there as kill -9 would (KILL), or holds it up there for a minute (HOLD).
// SILT_FAULT_HIT names a file that tells that it happened; SILT_FAULT_SEEN names one that takes how many
// calls of each name there were. Only calls of the program itself and of the libraries it loads are seen.
// SILT_CLOCK=100 makes the clock go so many times as fast, for those who cannot wait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static char wanted[32];
static long left; // calls until it happens; 0: never
static int error; // 0: kill
static bool holds;
static atomic_long seen;

static double pace = 1.0;
static bool counts; // all calls, for those who want to know how many there are

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("SILT_FAULT"), *clock = getenv("SILT_CLOCK");
    pace = clock ? atof(clock) : 1.0;
    counts = getenv("SILT_FAULT_SEEN") != NULL;
    char what[16] = "";
    long number = 0;
    if (!fault || sscanf(fault, "%31[a-z]:%ld:%15s", wanted, &number, what) != 3)
        return;
    error = strcmp(what, "ENOSPC") == 0   ? ENOSPC
            : strcmp(what, "EIO") == 0    ? EIO
            : strcmp(what, "ENOMEM") == 0 ? ENOMEM
                                          : 0;
    holds = strcmp(what, "HOLD") == 0;
    left = number;
}

// ---- how many there are ----

enum { NAMES = 16 };
static const char *_Atomic names[NAMES];
static atomic_long calls[NAMES];

static void count(const char *name)
{
    for (int k = 0; k < NAMES; k++) {
        const char *nobody = NULL;
        if (atomic_compare_exchange_strong(&names[k], &nobody, name) || strcmp(nobody, name) == 0) {
            atomic_fetch_add(&calls[k], 1);
            return;
        }
    }
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("SILT_FAULT_SEEN");
    FILE *file = counts && path ? fopen(path, "w") : NULL;
    counts = false;
    for (int k = 0; file && k < NAMES && names[k]; k++)
        fprintf(file, "%s %ld\n", names[k], (long)calls[k]);
    if (file)
        fclose(file);
}

static void tell(void)
{
    const char *path = getenv("SILT_FAULT_HIT");
    int file = path ? open(path, O_CREAT | O_WRONLY, 0600) : -1;
    if (file >= 0)
        close(file);
}

static bool fails(const char *name)
{
    if (counts)
        count(name);
    if (left == 0 || strcmp(name, wanted) != 0 || atomic_fetch_add(&seen, 1) + 1 != left)
        return false;
    tell();
    if (holds) { // whatever signals come meanwhile
        struct timespec rest = {.tv_sec = 60};
        while (nanosleep(&rest, &rest) != 0)
            ;
        return false;
    }
    if (error == 0)
        kill(getpid(), SIGKILL);
    errno = error;
    return true;
}

#define REAL(result, name, ...)                                                                              \
    static result (*real)(__VA_ARGS__);                                                                      \
    if (!real)                                                                                               \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count)
{
    REAL(ssize_t, write, int, const void *, size_t);
    return fails("write") ? -1 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    return fails("pwrite") ? -1 : real(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    return fails("pwrite") ? -1 : real(file, bytes, count, at);
}

// A stream remembers that something failed.
static bool stream_fails(const char *name, FILE *file)
{
    bool failed = file != stdout && file != stderr && fails(name);
    if (failed)
        file->_flags |= _IO_ERR_SEEN;
    return failed;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *);
    return stream_fails("fwrite", file) ? 0 : real(bytes, size, count, file);
}

int fflush(FILE *file)
{
    REAL(int, fflush, FILE *);
    return stream_fails("fflush", file) ? EOF : real(file);
}

int fsync(int file)
{
    REAL(int, fsync, int);
    return fails("fsync") ? -1 : real(file);
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *);
    return fails("rename") ? -1 : real(from, to);
}

int link(const char *from, const char *to)
{
    REAL(int, link, const char *, const char *);
    return fails("link") ? -1 : real(from, to);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    REAL(int, clock_gettime, clockid_t, struct timespec *);
    int status = real(clock, now);
    if (pace == 1.0 || clock != CLOCK_MONOTONIC)
        return status;
    double seconds = pace * ((double)now->tv_sec + 1e-9 * (double)now->tv_nsec);
    now->tv_sec = (time_t)seconds;
    now->tv_nsec = (long)(1e9 * (seconds - (double)now->tv_sec));
    return status;
}

// As where the file system knows no locks.
int flock(int file, int kind)
{
    REAL(int, flock, int, int);
    return fails("flock") ? -1 : real(file, kind);
}

int mkstemp(char *name)
{
    REAL(int, mkstemp, char *);
    return fails("mkstemp") ? -1 : real(name);
}

int mkstemp64(char *name)
{
    REAL(int, mkstemp64, char *);
    return fails("mkstemp") ? -1 : real(name);
}

// dlsym itself may want memory before the real one is known.
static char early[1 << 14];
static size_t early_used;

static void *take_early(size_t bytes)
{
    size_t at = early_used;
    early_used += (bytes + 15) & ~(size_t)15;
    return early_used <= sizeof early ? early + at : NULL;
}

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static _Thread_local bool looking;

#define FIND(result, name, ...)                                                                              \
    static result (*real)(__VA_ARGS__);                                                                      \
    if (!real && !looking) {                                                                                 \
        looking = true;                                                                                      \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                           \
        looking = false;                                                                                     \
    }

void *malloc(size_t bytes)
{
    FIND(void *, malloc, size_t);
    return !real ? take_early(bytes) : fails("malloc") ? NULL : real(bytes);
}

void *calloc(size_t count, size_t size)
{
    FIND(void *, calloc, size_t, size_t);
    return !real ? take_early(count * size) : fails("malloc") ? NULL : real(count, size);
}

void *realloc(void *block, size_t bytes)
{
    FIND(void *, realloc, void *, size_t);
    return is_early(block)   ? memcpy(malloc(bytes), block, bytes < 4096 ? bytes : 4096)
           : fails("malloc") ? NULL
                             : real(block, bytes);
}

void free(void *block)
{
    FIND(void, free, void *);
    if (block && !is_early(block))
        real(block);
}
