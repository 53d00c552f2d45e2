// Parallel loops whose results do not depend on the number of threads.
//
// A loop is cut into blocks of `grain` indices: where the cuts lie depends on count and grain alone. Blocks
// run on any thread in any order, so a block may write only what no other block touches. Reductions keep one
// partial result a block and fold them in order.
#ifndef SILT_CORE_PARALLEL_H
#define SILT_CORE_PARALLEL_H

#include "silt/base.h"

typedef void (*SiltLoopFn)(void *context, int begin, int end);
typedef double (*SiltSumFn)(void *context, int begin, int end);

// Calls body(context, begin, end) for every block of [0, count). Nested calls run on the calling thread.
void silt_parallel(int count, int grain, SiltLoopFn body, void *context);

// Sums what `body` returns for fixed blocks, in order, in double.
double silt_parallel_sum(int count, SiltSumFn body, void *context);

// The block size silt_parallel_sum uses, for reductions that keep partial results of their own:
// at most SILT_REDUCE_BLOCKS blocks for any count.
enum { SILT_REDUCE_BLOCKS = 256 };
int silt_reduce_grain(int count);

// silt_parallel in slices, with run->progress between them. SILT_CANCELLED when the callback said stop.
SiltStatus silt_parallel_run(const SiltRun *run, const char *stage, int count, int grain, SiltLoopFn body,
                             void *context);

// Tells run->progress; SILT_CANCELLED (with its message) when the callback said stop.
SiltStatus silt_run_progress(const SiltRun *run, const char *stage, double done, double total,
                             const char *unit);

#endif
