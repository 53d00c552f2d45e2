// silt/base.h — status, messages, memory, threads, progress and the ledger: what every other header stands
// on.
//
// Calls that can fail return a SiltStatus and write their result through their last argument. On failure
// silt_message() holds one sentence for a person, naming the file or parameter and, where there is one, the
// remedy. No call prints, exits or changes the process's locale.
#ifndef SILT_BASE_H
#define SILT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SILT_API               __attribute__((visibility("default")))
#define SILT_PRINTF(at, first) __attribute__((__format__(__printf__, at, first)))
#else
#define SILT_API
#define SILT_PRINTF(at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SILT_NAME_SIZE 32   // bytes for a layer's or parameter's name, the closing zero included
#define SILT_PATH_SIZE 1024 // bytes for a path

typedef enum SiltStatus {
    SILT_OK = 0,
    SILT_NO_MEMORY,       // an allocation failed, or the work would not fit
    SILT_IO_ERROR,        // a file could not be opened, read, written or renamed
    SILT_BAD_FILE,        // a file was read, but its contents are wrong
    SILT_BAD_ARGUMENT,    // an unknown name, a value out of range, sizes that do not match
    SILT_MISSING_FEATURE, // this build lacks the library that does it; the message names the package
    SILT_CANCELLED,       // the progress callback asked to stop
} SiltStatus;

// A short lower-case name: "ok", "no memory", "bad file" ...
SILT_API const char *silt_status_name(SiltStatus status);

// The sentence of the calling thread's last failure; never NULL.
SILT_API const char *silt_message(void);

// Stores the calling thread's message and returns `status`, for callbacks that fail:
// `return silt_fail(SILT_IO_ERROR, "%s: the disk is full", path);`
SILT_API SiltStatus silt_fail(SiltStatus status, const char *format, ...) SILT_PRINTF(2, 3);

// Warnings (an 8-bit heightmap, a missing cell size) go to this handler; without one they are dropped.
typedef void (*SiltWarningFn)(void *user, const char *text);
SILT_API void silt_set_warning_handler(SiltWarningFn handler, void *user);
// A warning of your own, to the same handler.
SILT_API void silt_warn(const char *format, ...) SILT_PRINTF(1, 2);

// "0.1.0"
SILT_API const char *silt_version(void);

// ---- memory ----

// All memory that Silt hands out comes from silt_alloc and goes back through silt_free. Blocks are zeroed and
// aligned to 64 bytes; blocks of several MiB ask for huge pages. NULL when there is none left.
SILT_API void *silt_alloc(size_t bytes);
SILT_API void silt_free(void *block);

// Bytes this process may still use: free memory, bounded by its control group and resource limits.
SILT_API uint64_t silt_memory_available(void);

// ---- threads ----

// How many threads loops use where a run does not say; 0 means one per processor. Results do not depend on
// it.
SILT_API void silt_set_threads(int count);
// How many the calling thread's loops use now: inside a run (in its callbacks), those of the run.
SILT_API int silt_threads(void);

// The task system of a program that has one, to be used in place of the library's own threads.
typedef struct SiltTasks {
    // Calls task(context, index) once for each index from 0 to count - 1, on any threads and in any order,
    // and returns when all of them have returned. Tasks do not wait for each other: one after the other is
    // right too.
    void (*parallel)(void *user, int count, void (*task)(void *context, int index), void *context);
    int threads; // how many tasks it can run at the same time: no loop has more of them
    void *user;  // handed back to `parallel`
} SiltTasks;

// ---- a run: seed, progress, cancel, frames ----

struct SiltTerrain;
struct SiltParticles;
struct SiltDevice;

// Given to everything that takes long. A zeroed SiltRun is valid, and so is NULL: seed 0, nobody watching.
typedef struct SiltRun {
    uint64_t seed;
    double began; // model time before this run, of which it is the rest: a pyramid's levels have it
    void *user;   // handed back to the callbacks

    // Its warnings, in place of the library's handler; NULL: that one.
    void (*warning)(void *user, const char *text);

    // Who does the work. Runs on several threads at the same time share the library's threads fairly.
    int threads;               // so many of the library's threads; 0: as many as silt_threads() says
    const SiltTasks *tasks;    // or this, when it is not NULL; it must stay until the run has ended
    struct SiltDevice *device; // where models that can work (silt/device.h); NULL: the processor
    bool device_or_cpu;        // models that cannot work there work on the processor, and say so

    // Called now and then from the calling thread: `done` of `total` units of `stage`. Returning false
    // cancels.
    bool (*progress)(void *user, const char *stage, double done, double total, const char *unit);

    // Called for each frame of a model or generator that grows its terrain; NULL when nobody wants frames.
    SiltStatus (*frame)(void *user, const struct SiltTerrain *terrain, int index);
    double frame_interval; // model time between frames, or steps where steps are counted; 0: as many as
                           // `frames` says
    int frames;            // how many each model and generator hands out; 0 for its own choice

    // Called before each frame, its particles, and each moment: how many steps were taken until then, and the
    // model time in `clock` ("years", "s"; "" where steps are all there is, and `time` is 0). It may be NULL.
    void (*when)(void *user, int64_t steps, double time, const char *clock);

    // Called when a model comes to each of these moments, which ascend: steps where steps are counted, else
    // model time; 0 is before its first step. Those at its end or behind it, or after it has come to rest, do
    // not come; nor do any of a pyramid. `particles` is NULL where its water has none.
    SiltStatus (*moment)(void *user, const struct SiltTerrain *terrain, const struct SiltParticles *particles,
                         int index);
    const double *moments;
    int moment_count;

    // Called before each frame of a model whose water is made of particles; NULL when nobody wants them.
    SiltStatus (*particles)(void *user, const struct SiltParticles *particles, int index);
    // Called once with the particles such a model ends with; NULL when nobody wants them.
    SiltStatus (*last_particles)(void *user, const struct SiltParticles *particles);

    struct SiltKeeper
        *keeper; // keeps the run so that it can be gone on with (silt/checkpoint.h); NULL: nobody

    struct SiltRecorder *recorder; // of what a report says to do it again (silt/record.h); NULL: nobody
} SiltRun;

// ---- ledger ----

// One substance, in cubic metres: initial + added - removed + by_hand = stored, but for the imbalance.
typedef struct SiltAccount {
    double initial;   // what there was
    double added;     // what came in: rain, sources, uplift
    double removed;   // what left: over the border, evaporated
    double by_hand;   // what edits of a live run have put there, or taken
    double moved;     // what changed its place or its state on the way: dissolved, deposited, slid
    double stored;    // what there is now
    double carried;   // how much of that is in the water: rock that no height or volume shows
    double corrected; // what a model laid or took besides, to make what it stores what it moved (voxel)
} SiltAccount;

typedef struct SiltLedger {
    SiltAccount water;
    SiltAccount rock;
} SiltLedger;

// initial + added - removed + by_hand - stored: zero when the books balance.
SILT_API double silt_account_imbalance(const SiltAccount *account);
// |imbalance| as a fraction of the larger of added, removed and moved; 0 when nothing moved and nothing is
// missing.
SILT_API double silt_account_imbalance_fraction(const SiltAccount *account);
// Chains two ledgers of runs that followed each other: the later run starts with what the earlier one stored.
SILT_API void silt_ledger_append(SiltLedger *ledger, const SiltLedger *later);

#ifdef __cplusplus
}
#endif
#endif
