// Threads that help with loops: the library's own, shared by every calling thread.
//
// Several callers may have work open at the same time. Helpers go to the one that has the smallest share of
// what it asked for, and change over between two pieces of work when another one has less. Who gets how
// many is a matter of timing, so no result may depend on it.
#ifndef SILT_CORE_POOL_H
#define SILT_CORE_POOL_H

#include <stdbool.h>

enum { SILT_MAX_THREADS = 256 };

// Works until nothing is left or silt_pool_calls_away() says so. `seat` is 0 for the calling thread and 1 to
// `room` for helpers; no two threads sit on one seat at the same time.
typedef void (*SiltPoolFn)(void *job, int seat);

// Runs work(job, 0) here and, at the same time, work(job, seat) on up to `room` helpers; returns when all of
// them have returned. `share` is how many helpers the caller would have for a job of any size: what is fair
// is measured by it.
void silt_pool_run(int room, int share, SiltPoolFn work, void *job);

// Asked by helpers between two pieces of work: another caller has fewer of those it asked for.
bool silt_pool_calls_away(void);

// Whether this thread is at work for somebody: loops within loops run where they are.
bool silt_pool_is_busy(void);
// Says so of a thread that is not of the pool; returns what was said before.
bool silt_pool_set_busy(bool is_busy);

int silt_processor_count(void);

// A moment of a thread that waits awake; `turn` counts them. Now and then it offers the processor to others.
void silt_relax(int turn);

#endif
