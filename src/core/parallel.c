// A pool of POSIX threads that sleep between loops. The calling thread works too, and a worker that wakes too
// late finds the loop closed and goes back to sleep, so a busy machine costs no waiting.
#include "core/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "core/status.h"

enum { MAX_THREADS = 256, SPIN = 2000 };

typedef struct Loop {
    SiltLoopFn body;
    void *context;
    int count, grain, blocks;
    atomic_int next;
} Loop;

static struct {
    pthread_mutex_t lock;  // guards all below but the atomics
    pthread_cond_t wake;   // a loop was opened
    pthread_cond_t closed; // the last helper left the loop
    int started;           // workers alive
    Loop *loop;            // the open loop, or NULL
    int helpers_wanted;
    int helpers_inside;
    atomic_uint generation; // counts loops opened
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .closed = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t pool_user = PTHREAD_MUTEX_INITIALIZER; // held by the thread whose loop is in the pool
static atomic_int wanted_threads;
static _Thread_local bool inside_loop;

void silt_set_threads(int count)
{
    if (count < 0)
        count = 0;
    atomic_store(&wanted_threads, count > MAX_THREADS ? MAX_THREADS : count);
}

int silt_threads(void)
{
    static atomic_int processor_count; // asking the system takes longer than a small loop
    int count = atomic_load(&wanted_threads);
    if (count == 0)
        count = atomic_load_explicit(&processor_count, memory_order_relaxed);
    if (count == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        count = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (int)processors;
        atomic_store_explicit(&processor_count, count, memory_order_relaxed);
    }
    return count;
}

static void work(Loop *loop)
{
    for (;;) {
        int block = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
        if (block >= loop->blocks)
            return;
        int begin = block * loop->grain;
        int end = loop->count - begin < loop->grain ? loop->count : begin + loop->grain;
        loop->body(loop->context, begin, end);
    }
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void *worker(void *unused)
{
    (void)unused;
    inside_loop = true;
    unsigned seen = 0;
    for (;;) {
        // a short wait awake: loops often follow each other within microseconds
        for (int i = 0; i < SPIN && atomic_load_explicit(&pool.generation, memory_order_relaxed) == seen; i++)
            relax();
        pthread_mutex_lock(&pool.lock);
        while (atomic_load_explicit(&pool.generation, memory_order_relaxed) == seen)
            pthread_cond_wait(&pool.wake, &pool.lock);
        seen = atomic_load_explicit(&pool.generation, memory_order_relaxed);
        Loop *loop = pool.helpers_inside < pool.helpers_wanted ? pool.loop : NULL;
        if (loop)
            pool.helpers_inside++;
        pthread_mutex_unlock(&pool.lock);
        if (!loop)
            continue;
        work(loop);
        pthread_mutex_lock(&pool.lock);
        if (--pool.helpers_inside == 0)
            pthread_cond_signal(&pool.closed);
        pthread_mutex_unlock(&pool.lock);
    }
    return NULL;
}

// Called with pool.lock held; fewer workers than asked for is no failure.
static void start_workers(int count)
{
    while (pool.started < count) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, worker, NULL) != 0)
            return;
        pthread_detach(thread);
        pool.started++;
    }
}

static void run_in_pool(Loop *loop, int helpers)
{
    pthread_mutex_lock(&pool.lock);
    start_workers(helpers);
    pool.loop = loop;
    pool.helpers_wanted = helpers;
    pool.helpers_inside = 0;
    atomic_fetch_add_explicit(&pool.generation, 1, memory_order_relaxed);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);

    inside_loop = true;
    work(loop);
    inside_loop = false;

    pthread_mutex_lock(&pool.lock);
    pool.loop = NULL; // closed: nobody enters any more
    while (pool.helpers_inside > 0)
        pthread_cond_wait(&pool.closed, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void silt_parallel(int count, int grain, SiltLoopFn body, void *context)
{
    if (count <= 0)
        return;
    if (grain < 1)
        grain = 1;
    Loop loop = {.body = body, .context = context, .count = count, .grain = grain};
    loop.blocks = (count - 1) / grain + 1;
    atomic_init(&loop.next, 0);
    int threads = silt_threads();
    if (threads > loop.blocks)
        threads = loop.blocks;
    // another thread's loop in the pool, or a loop within a loop: do it here, in the same blocks
    if (threads <= 1 || inside_loop || pthread_mutex_trylock(&pool_user) != 0) {
        work(&loop);
        return;
    }
    run_in_pool(&loop, threads - 1);
    pthread_mutex_unlock(&pool_user);
}

int silt_reduce_grain(int count)
{
    return count <= SILT_REDUCE_BLOCKS ? 1 : (count - 1) / SILT_REDUCE_BLOCKS + 1;
}

typedef struct Sum {
    SiltSumFn body;
    void *context;
    int grain;
    double partial[SILT_REDUCE_BLOCKS];
} Sum;

static void sum_block(void *context, int begin, int end)
{
    Sum *sum = context;
    sum->partial[begin / sum->grain] = sum->body(sum->context, begin, end);
}

double silt_parallel_sum(int count, SiltSumFn body, void *context)
{
    Sum sum = {.body = body, .context = context, .grain = silt_reduce_grain(count)};
    silt_parallel(count, sum.grain, sum_block, &sum);
    double total = 0.0;
    int blocks = count > 0 ? (count - 1) / sum.grain + 1 : 0;
    for (int block = 0; block < blocks; block++)
        total += sum.partial[block];
    return total;
}

SiltStatus silt_run_progress(const SiltRun *run, const char *stage, double done, double total,
                             const char *unit)
{
    if (!run || !run->progress || run->progress(run->user, stage, done, total, unit))
        return SILT_OK;
    return silt_fail(SILT_CANCELLED, "%s: stopped on request", stage);
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

SiltStatus silt_parallel_run(const SiltRun *run, const char *stage, int count, int grain, SiltLoopFn body,
                             void *context)
{
    if (grain < 1)
        grain = 1;
    // slices of whole blocks, so that the blocks lie as in one loop; some hundred calls of progress in all
    int blocks = count > 0 ? (count - 1) / grain + 1 : 0;
    int slice_blocks = blocks / 128 + 1;
    if (slice_blocks < 16)
        slice_blocks = 16;
    int slice_count = slice_blocks > count / grain ? count : slice_blocks * grain;
    SiltStatus status = silt_run_progress(run, stage, 0.0, count, "rows");
    for (int begin = 0; begin < count && status == SILT_OK; begin += slice_count) {
        int length = count - begin < slice_count ? count - begin : slice_count;
        Slice slice = {body, context, begin};
        silt_parallel(length, grain, slice_block, &slice);
        status = silt_run_progress(run, stage, (double)begin + length, count, "rows");
        if (count - begin <= slice_count)
            break;
    }
    return status;
}
