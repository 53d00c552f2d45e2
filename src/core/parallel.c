// Loops in blocks. Each thread begins with a range of blocks of its own, the same in every loop of that
// length, so it finds in its cache what it left there; then it takes what the others have not begun.
#include "core/parallel.h"

#include <stdatomic.h>
#include <time.h>

#include "core/company.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/status.h"

enum { LINE = 64, MAX_RANGES = 64 };

typedef struct Range {
    _Alignas(
        LINE) _Atomic int64_t next; // the first block that nobody has begun; beyond `end` when none is left
    int end;
} Range;

typedef struct Loop {
    SiltLoopFn body;    // of blocks
    SiltWorkerFn visit; // or of indices
    void *context;
    void *company;
    int count, span, blocks;
    int range_count;
    bool is_counted;
    _Atomic int64_t busy; // nanoseconds
    Range ranges[MAX_RANGES];
} Loop;

static atomic_int wanted_threads;
static _Thread_local SiltCrew crew;
static _Thread_local SiltLoopTimes *loop_times;
static _Thread_local void *company;

void *silt_company(void)
{
    return company;
}

void *silt_company_set(void *other)
{
    void *before = company;
    company = other;
    return before;
}

static int bounded(int threads)
{
    return threads < 0 ? 0 : threads > SILT_MAX_THREADS ? SILT_MAX_THREADS : threads;
}

void silt_set_threads(int count)
{
    atomic_store(&wanted_threads, bounded(count));
}

int silt_threads(void)
{
    if (crew.threads > 0)
        return crew.threads;
    int count = atomic_load(&wanted_threads);
    return count > 0 ? count : silt_processor_count();
}

SiltCrew silt_crew_begin(const SiltRun *run)
{
    SiltCrew before = crew;
    if (run && run->tasks)
        crew = (SiltCrew){run->tasks->threads > 1 ? bounded(run->tasks->threads) : 1, run->tasks};
    else if (run && run->threads > 0)
        crew = (SiltCrew){bounded(run->threads), NULL};
    return before;
}

void silt_crew_end(SiltCrew before)
{
    crew = before;
}

// ---- loops ----

static void do_block(const Loop *loop, int block, int seat)
{
    if (loop->visit) {
        loop->visit(loop->context, seat, block);
        return;
    }
    int begin = block * loop->span;
    int end = loop->count - begin < loop->span ? loop->count : begin + loop->span;
    loop->body(loop->context, begin, end);
}

static void take_blocks(Loop *loop, int seat)
{
    int begun = seat % loop->range_count;
    for (int k = 0; k < loop->range_count; k++) {
        Range *range = &loop->ranges[(begun + k) % loop->range_count];
        // a look before the claim: a range that is done stays in everybody's cache
        while (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            int64_t block = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (block >= range->end)
                break;
            do_block(loop, (int)block, seat);
            if (seat > 0 && silt_pool_calls_away())
                return;
        }
    }
}

double silt_wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int64_t nanoseconds(void)
{
    return (int64_t)(1e9 * silt_wall_clock());
}

static void work(void *job, int seat)
{
    Loop *loop = job;
    int64_t started = loop->is_counted ? nanoseconds() : 0;
    void *before = silt_company_set(loop->company);
    take_blocks(loop, seat);
    silt_company_set(before);
    if (loop->is_counted)
        atomic_fetch_add_explicit(&loop->busy, nanoseconds() - started, memory_order_relaxed);
}

static void work_as_task(void *job, int seat)
{
    bool before = silt_pool_set_busy(true); // the thread may be anybody's
    work(job, seat);
    silt_pool_set_busy(before);
}

static void deal_out(Loop *loop, int threads)
{
    loop->range_count = threads < MAX_RANGES ? threads : MAX_RANGES;
    for (int k = 0; k < loop->range_count; k++) {
        atomic_init(&loop->ranges[k].next, (int64_t)loop->blocks * k / loop->range_count);
        loop->ranges[k].end = (int)((int64_t)loop->blocks * (k + 1) / loop->range_count);
    }
}

static void run_loop(Loop *loop, int most)
{
    bool is_inner = silt_pool_is_busy(); // a loop within a loop: done here, in the same blocks
    int share = is_inner ? 1 : silt_threads();
    int threads = share < most ? share : most;
    threads = threads < 1 ? 1 : threads < loop->blocks ? threads : loop->blocks;
    deal_out(loop, threads);
    loop->company = company;
    loop->is_counted = loop_times && !is_inner;
    atomic_init(&loop->busy, 0);
    int64_t started = loop->is_counted ? nanoseconds() : 0;
    if (threads == 1)
        work_as_task(loop, 0);
    else if (crew.tasks)
        crew.tasks->parallel(crew.tasks->user, threads, work_as_task, loop);
    else
        silt_pool_run(threads - 1, share - 1, work, loop);
    if (loop->is_counted) {
        loop_times->loops++;
        loop_times->inside += 1e-9 * (double)(nanoseconds() - started);
        loop_times->busy += 1e-9 * (double)atomic_load_explicit(&loop->busy, memory_order_relaxed);
    }
}

void silt_count_loops(SiltLoopTimes *times)
{
    loop_times = times;
}

void silt_parallel(int count, int span, SiltLoopFn body, void *context)
{
    if (count <= 0)
        return;
    Loop loop;
    loop.body = body, loop.visit = NULL, loop.context = context;
    loop.count = count, loop.span = span < 1 ? 1 : span;
    loop.blocks = (count - 1) / loop.span + 1;
    run_loop(&loop, SILT_MAX_THREADS);
}

void silt_parallel_workers(int count, int most, SiltWorkerFn body, void *context)
{
    if (count <= 0)
        return;
    Loop loop;
    loop.body = NULL, loop.visit = body, loop.context = context;
    loop.count = count, loop.span = 1, loop.blocks = count;
    run_loop(&loop, most);
}

int silt_reduce_span(int count)
{
    return count <= SILT_REDUCE_BLOCKS ? 1 : (count - 1) / SILT_REDUCE_BLOCKS + 1;
}

typedef struct Sum {
    SiltSumFn body;
    void *context;
    int span;
    double partial[SILT_REDUCE_BLOCKS];
} Sum;

static void sum_block(void *context, int begin, int end)
{
    Sum *sum = context;
    sum->partial[begin / sum->span] = sum->body(sum->context, begin, end);
}

static double total_of(const Sum *sum, int count)
{
    double total = 0.0;
    int blocks = count > 0 ? (count - 1) / sum->span + 1 : 0;
    for (int block = 0; block < blocks; block++)
        total += sum->partial[block];
    return total;
}

double silt_parallel_sum(int count, SiltSumFn body, void *context)
{
    Sum sum = {.body = body, .context = context, .span = silt_reduce_span(count)};
    silt_parallel(count, sum.span, sum_block, &sum);
    return total_of(&sum, count);
}

SiltStatus silt_run_progress(const SiltRun *run, const char *stage, double done, double total,
                             const char *unit)
{
    if (!run || !run->progress || run->progress(run->user, stage, done, total, unit))
        return SILT_OK;
    return silt_fail(SILT_CANCELLED, "%s: stopped on request", stage);
}

static _Thread_local SiltListener listening;

SiltListener silt_listen(SiltListener listener)
{
    SiltListener before = listening;
    listening = listener;
    return before;
}

bool silt_is_stopped(void)
{
    if (!listening.is_stopped || silt_pool_is_busy())
        return false;
    SiltListener own = silt_listen((SiltListener){0}); // what it does there is nobody's step
    bool is_stopped = own.is_stopped(own.context);
    silt_listen(own);
    return is_stopped;
}

typedef struct Slice {
    SiltLoopFn body;
    void *context;
    int offset;
} Slice;

static void slice_block(void *context, int begin, int end)
{
    const Slice *slice = context;
    slice->body(slice->context, slice->offset + begin, slice->offset + end);
}

// How many blocks come next. A slice is to take some ten milliseconds: of blocks that take long (a million
// polygons) each thread has one, and no slice has more than `most`.
static int next_slice(int blocks, int most, double took)
{
    const double least = 0.01, longest = 0.05; // s
    int least_blocks = silt_threads() < most ? silt_threads() : most;
    blocks = took < least ? (blocks < most / 2 ? 2 * blocks : most) : took > longest ? blocks / 2 : blocks;
    return blocks > least_blocks ? blocks : least_blocks;
}

// Somebody is told of rows; or, without a name for the work, whoever listens is asked.
static SiltStatus tell_slice(const SiltRun *run, const char *stage, int done, int count)
{
    if (stage)
        return silt_run_progress(run, stage, done, count, "rows");
    return silt_is_stopped() ? SILT_CANCELLED : SILT_OK;
}

SiltStatus silt_parallel_run(const SiltRun *run, const char *stage, int count, int span, SiltLoopFn body,
                             void *context)
{
    if (span < 1)
        span = 1;
    // slices of whole blocks, so that the blocks lie as in one loop; some hundred calls of progress in all
    int blocks = count > 0 ? (count - 1) / span + 1 : 0, most = blocks / 128 + 1;
    most = most < 16 ? 16 : most;
    int slice = next_slice(1, most, 1.0);
    double before = silt_wall_clock();
    SiltStatus status = tell_slice(run, stage, 0, count);
    for (int begin = 0; begin < count && status == SILT_OK;) {
        int length = slice > (count - begin) / span ? count - begin : slice * span;
        Slice part = {body, context, begin};
        silt_parallel(length, span, slice_block, &part);
        begin += length;
        double now = silt_wall_clock();
        slice = next_slice(slice, most, now - before);
        before = now;
        status = tell_slice(run, stage, begin, count);
    }
    return status;
}

bool silt_parallel_heard(int count, int span, SiltLoopFn body, void *context)
{
    if (listening.is_stopped)
        return silt_parallel_run(NULL, NULL, count, span, body, context) == SILT_OK;
    silt_parallel(count, span, body, context);
    return true;
}

bool silt_parallel_sum_heard(int count, SiltSumFn body, void *context, double *total)
{
    Sum sum = {.body = body, .context = context, .span = silt_reduce_span(count)};
    if (!silt_parallel_heard(count, sum.span, sum_block, &sum))
        return false;
    *total = total_of(&sum, count);
    return true;
}

enum { CLAIM = 1 << 20 }; // bytes

typedef struct Claim {
    void *block;
    size_t bytes;
} Claim;

static void claim_pages(void *context, int begin, int end)
{
    const Claim *claim = context;
    size_t to = (size_t)end * CLAIM;
    silt_touch_pages(claim->block, (size_t)begin * CLAIM, to < claim->bytes ? to : claim->bytes);
}

bool silt_claim_pages(void *block, size_t bytes)
{
    Claim claim = {block, bytes};
    return silt_parallel_heard((int)((bytes + CLAIM - 1) / CLAIM), 4, claim_pages, &claim);
}
