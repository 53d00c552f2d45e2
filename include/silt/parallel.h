// silt/parallel.h — the library's loops, for work on its fields that is your own, and where their time goes.
//
// A loop is cut into blocks of `span` indices: where the cuts lie depends on count and span alone. Blocks
// run on any thread in any order, so a block may write only what no other block touches. Reductions keep one
// partial result a block and fold them in order.
#ifndef SILT_PARALLEL_H
#define SILT_PARALLEL_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*SiltLoopFn)(void *context, int begin, int end);

// Calls body(context, begin, end) for every block of [0, count). Nested calls run on the calling thread.
SILT_API void silt_parallel(int count, int span, SiltLoopFn body, void *context);

// Where the calling thread's time goes: what is not inside loops is done by one thread, whatever the crew.
typedef struct SiltLoopTimes {
    int64_t loops;
    double inside; // seconds from the beginning to the end of loops
    double busy;   // seconds of all threads within them
} SiltLoopTimes;

// From here on the calling thread's loops are added to `times`; NULL ends that.
SILT_API void silt_count_loops(SiltLoopTimes *times);

// Seconds of a clock that only runs forward.
SILT_API double silt_wall_clock(void);

#ifdef __cplusplus
}
#endif
#endif
