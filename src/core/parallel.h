// Parallel loops whose results do not depend on the number of threads.
#ifndef SILT_CORE_PARALLEL_H
#define SILT_CORE_PARALLEL_H

#include "silt/parallel.h"

typedef double (*SiltSumFn)(void *context, int begin, int end);

typedef void (*SiltWorkerFn)(void *context, int worker, int index);

// Calls body(context, worker, index) for every index of [0, count). `worker` is below `most`, and no two
// calls at the same time have the same: each may have scratch of its own, made once for `most` =
// silt_threads().
void silt_parallel_workers(int count, int most, SiltWorkerFn body, void *context);

// Sums what `body` returns for fixed blocks, in order, in double.
double silt_parallel_sum(int count, SiltSumFn body, void *context);

// The block size silt_parallel_sum uses, for reductions that keep partial results of their own:
// at most SILT_REDUCE_BLOCKS blocks for any count.
enum { SILT_REDUCE_BLOCKS = 256 };
int silt_reduce_span(int count);

// Whose threads the calling thread's loops use.
typedef struct SiltCrew {
    int threads;            // 0: as many as silt_set_threads said
    const SiltTasks *tasks; // in place of the library's threads, or NULL
} SiltCrew;

// From here on those that `run` (may be NULL) asks for; where it does not say, nothing changes. Returns the
// crew before, which silt_crew_end brings back.
SiltCrew silt_crew_begin(const SiltRun *run);
void silt_crew_end(SiltCrew before);

// Who may want the work of this thread to stop: for what takes long and knows no run. Who listens is told
// between two phases, and leaves what it is at.
typedef struct SiltListener {
    bool (*is_stopped)(void *context); // NULL: nobody
    void *context;
} SiltListener;

// From here on, on this thread; returns who listened before.
SiltListener silt_listen(SiltListener listener);
// Nobody listens within a loop, and while the listener itself is asked.
bool silt_is_stopped(void);

// The same for a walk of one thread over many cells: asked of its k-th cell, of some of them.
static inline bool silt_walk_is_stopped(int64_t k)
{
    enum { CELLS = 1 << 15 };
    return k % CELLS == 0 && silt_is_stopped();
}

// silt_parallel in slices, with run->progress between them. SILT_CANCELLED when the callback said stop.
SiltStatus silt_parallel_run(const SiltRun *run, const char *stage, int count, int span, SiltLoopFn body,
                             void *context);

// The same for who knows no run: false when somebody wants the work of this thread to stop, and not all was
// done.
bool silt_parallel_heard(int count, int span, SiltLoopFn body, void *context);
// A block that is fresh: the system clears its pages now, while somebody is asked, and not when they are
// first written.
bool silt_claim_pages(void *block, size_t bytes);
bool silt_parallel_sum_heard(int count, SiltSumFn body, void *context, double *total);

// Tells run->progress; SILT_CANCELLED (with its message) when the callback said stop.
SiltStatus silt_run_progress(const SiltRun *run, const char *stage, double done, double total,
                             const char *unit);

#endif
