#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "core/parallel.h"

static const int thread_counts[] = {1, 2, 3, 8};

typedef struct Visits {
    atomic_uchar *seen;
    int count, grain;
    atomic_int wrong;
} Visits;

static void visit(void *context, int begin, int end)
{
    Visits *visits = context;
    int longest = visits->grain < 1 ? 1 : visits->grain;
    bool whole = begin % longest == 0 && (end - begin == longest || end == visits->count);
    if (!whole || begin < 0 || begin >= end || end > visits->count)
        atomic_fetch_add(&visits->wrong, 1);
    for (int k = begin; k < end; k++)
        atomic_fetch_add(&visits->seen[k], 1);
}

static void every_index_exactly_once(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 7, 16, 17, 100, 1000, 4097},
                     grains[] = {-1, 0, 1, 2, 7, 16, 1000, 100000};
    static atomic_uchar seen[4097];
    for (int t = 0; t < 4; t++) {
        silt_set_threads(thread_counts[t]);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
                for (int k = 0; k < 4097; k++)
                    atomic_store(&seen[k], 0);
                Visits visits = {.seen = seen, .count = counts[c], .grain = grains[g]};
                silt_parallel(counts[c], grains[g], visit, &visits);
                for (int k = 0; k < 4097; k++)
                    assert_int_equal(atomic_load(&seen[k]), k < counts[c]);
                assert_int_equal(atomic_load(&visits.wrong), 0);
            }
        }
    }
    silt_parallel(-5, 4, visit, NULL);
    silt_set_threads(0);
}

static double add_inverses(void *context, int begin, int end)
{
    (void)context;
    double sum = 0.0;
    for (int k = begin; k < end; k++)
        sum += 1.0 / (k + 1.0);
    return sum;
}

static void sums_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 255, 256, 257, 511, 100003};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        silt_set_threads(1);
        double one = silt_parallel_sum(counts[c], add_inverses, NULL);
        assert_near(one, add_inverses(NULL, 0, counts[c]), 1e-12);
        for (int t = 1; t < 4; t++) {
            silt_set_threads(thread_counts[t]);
            assert_true(silt_parallel_sum(counts[c], add_inverses, NULL) == one);
        }
    }
    silt_set_threads(0);
}

static double add_ends(void *context, int begin, int end)
{
    (void)context;
    return (double)end - (double)begin;
}

static void reductions_take_any_count(void **state)
{
    (void)state;
    static const int counts[] = {1, 255, 256, 257, 65536, INT32_MAX - 1, INT32_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        int grain = silt_reduce_span(counts[c]);
        assert_true(((int64_t)counts[c] + grain - 1) / grain <= SILT_REDUCE_BLOCKS);
        assert_true(silt_parallel_sum(counts[c], add_ends, NULL) == (double)counts[c]);
    }
}

static void inner_visit(void *context, int begin, int end)
{
    atomic_fetch_add((atomic_int *)context, end - begin);
}

static void outer_visit(void *context, int begin, int end)
{
    for (int k = begin; k < end; k++)
        silt_parallel(50, 3, inner_visit, context);
}

static void loops_within_loops(void **state)
{
    (void)state;
    silt_set_threads(8);
    for (int k = 0; k < 50; k++) {
        atomic_int total = 0;
        silt_parallel(20, 1, outer_visit, &total);
        assert_int_equal(atomic_load(&total), 1000);
    }
    silt_set_threads(0);
}

static void *call_often(void *result)
{
    atomic_int total = 0;
    for (int k = 0; k < 200; k++)
        silt_parallel(64, 1, inner_visit, &total);
    double sum = silt_parallel_sum(5000, add_inverses, NULL);
    *(bool *)result = atomic_load(&total) == 64 * 200 && fabs(sum - add_inverses(NULL, 0, 5000)) < 1e-10;
    return NULL;
}

static void callers_do_not_meet(void **state)
{
    (void)state;
    silt_set_threads(4);
    pthread_t threads[6];
    bool right[6] = {0};
    for (int k = 0; k < 6; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, call_often, &right[k]), 0);
    for (int k = 0; k < 6; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < 6; k++)
        assert_true(right[k]);
    silt_set_threads(0);
}

static void thread_counts_are_bounded(void **state)
{
    (void)state;
    silt_set_threads(5);
    assert_int_equal(silt_threads(), 5);
    silt_set_threads(-3);
    assert_true(silt_threads() >= 1);
    silt_set_threads(1000000);
    assert_true(silt_threads() <= 256);
    silt_set_threads(0);
    assert_true(silt_threads() >= 1);
}

// ---- whose threads ----

static void crews_come_and_go(void **state)
{
    (void)state;
    silt_set_threads(6);
    SiltTasks tasks = {.threads = 3};
    SiltRun four = {.threads = 4}, silent = {0}, hooked = {.threads = 4, .tasks = &tasks};
    SiltCrew outside = silt_crew_begin(&four);
    assert_int_equal(silt_threads(), 4);
    SiltCrew within = silt_crew_begin(&silent); // says nothing: those of the run around it
    assert_int_equal(silt_threads(), 4);
    SiltCrew engine = silt_crew_begin(&hooked);
    assert_int_equal(silt_threads(), 3);
    silt_crew_end(engine);
    silt_crew_end(within);
    assert_int_equal(silt_threads(), 4);
    silt_crew_end(outside);
    assert_int_equal(silt_threads(), 6);
    SiltRun many = {.threads = 1000000}, few = {.threads = -7};
    outside = silt_crew_begin(&many);
    assert_int_equal(silt_threads(), 256);
    silt_crew_end(outside);
    outside = silt_crew_begin(&few);
    assert_int_equal(silt_threads(), 6);
    silt_crew_end(outside);
    silt_set_threads(0);
}

// An engine's tasks: on threads of its own, the last first; or one after the other on the caller's.
typedef struct Engine {
    bool alone;
    int calls, most;
} Engine;

typedef struct EngineTask {
    void (*task)(void *context, int index);
    void *context;
    int index;
} EngineTask;

static void *run_task(void *context)
{
    EngineTask *t = context;
    t->task(t->context, t->index);
    return NULL;
}

static void engine_parallel(void *user, int count, void (*task)(void *context, int index), void *context)
{
    Engine *engine = user;
    engine->calls++;
    engine->most = count > engine->most ? count : engine->most;
    assert_true(count >= 1 && count <= 8);
    pthread_t threads[8];
    EngineTask tasks[8];
    for (int k = count - 1; k >= 0; k--) {
        tasks[k] = (EngineTask){task, context, k};
        if (engine->alone)
            run_task(&tasks[k]);
        else
            assert_int_equal(pthread_create(&threads[k], NULL, run_task, &tasks[k]), 0);
    }
    for (int k = 0; k < count && !engine->alone; k++)
        pthread_join(threads[k], NULL);
}

static void an_engine_does_the_work(void **state)
{
    (void)state;
    static atomic_uchar seen[1000];
    for (int alone = 0; alone < 2; alone++) {
        for (int threads = 1; threads <= 5; threads += 2) {
            Engine engine = {.alone = alone != 0};
            SiltTasks tasks = {engine_parallel, threads, &engine};
            SiltRun run = {.tasks = &tasks};
            SiltCrew before = silt_crew_begin(&run);
            for (int k = 0; k < 1000; k++)
                atomic_store(&seen[k], 0);
            Visits visits = {.seen = seen, .count = 1000, .grain = 7};
            silt_parallel(1000, 7, visit, &visits);
            atomic_int total = 0;
            silt_parallel(20, 1, outer_visit, &total); // loops within its tasks stay within them
            double sum = silt_parallel_sum(5000, add_inverses, NULL);
            silt_crew_end(before);
            assert_int_equal(atomic_load(&visits.wrong), 0);
            for (int k = 0; k < 1000; k++)
                assert_int_equal(atomic_load(&seen[k]), 1);
            assert_int_equal(atomic_load(&total), 1000);
            assert_true(sum == silt_parallel_sum(5000, add_inverses, NULL));
            assert_int_equal(engine.calls, threads > 1 ? 3 : 0);
            assert_true(engine.most <= threads);
        }
    }
}

// ---- workers ----

typedef struct Workers {
    atomic_int inside[8]; // calls under way of each worker
    atomic_uchar seen[500];
    int most;
    atomic_int wrong;
} Workers;

static void visit_as(void *context, int worker, int index)
{
    Workers *w = context;
    if (worker < 0 || worker >= w->most || atomic_fetch_add(&w->inside[worker], 1) != 0) {
        atomic_fetch_add(&w->wrong, 1);
        return;
    }
    atomic_fetch_add(&w->seen[index], 1);
    volatile double sum = 0.0;
    for (int k = 0; k < 300; k++)
        sum = sum + 1.0 / (k + index + 1.0);
    atomic_fetch_sub(&w->inside[worker], 1);
}

static void *check_workers(void *result)
{
    bool right = true;
    for (int round = 0; round < 40; round++) {
        Workers w = {.most = 1 + round % 8};
        silt_parallel_workers(500, w.most, visit_as, &w);
        right = right && atomic_load(&w.wrong) == 0;
        for (int k = 0; k < 500; k++)
            right = right && atomic_load(&w.seen[k]) == 1;
    }
    *(bool *)result = right;
    return NULL;
}

// Each worker is one thread at a time, also while others' loops call helpers away.
static void workers_do_not_meet(void **state)
{
    (void)state;
    silt_set_threads(8);
    bool right[4] = {0};
    check_workers(&right[0]);
    assert_true(right[0]);
    pthread_t threads[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, check_workers, &right[k]), 0);
    for (int k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < 4; k++)
        assert_true(right[k]);
    silt_parallel_workers(0, 3, visit_as, NULL);
    silt_set_threads(0);
}

// ---- two runs at once ----

// Blocks that take as long as they take (by the clock, so that a busy machine does not matter), and who did
// them.
typedef struct Shared {
    double block_seconds;
    atomic_int others; // blocks that helpers did
    atomic_bool *stop; // when the other run has ended
    pthread_t caller;
} Shared;

static void doze(void *context, int begin, int end)
{
    Shared *shared = context;
    struct timespec pause = {0, (long)(1e9 * shared->block_seconds)};
    for (int k = begin; k < end && !(shared->stop && atomic_load(shared->stop)); k++) {
        nanosleep(&pause, NULL);
        if (!pthread_equal(pthread_self(), shared->caller))
            atomic_fetch_add(&shared->others, 1);
    }
}

static void *long_loop(void *context)
{
    Shared *shared = context;
    shared->caller = pthread_self();
    silt_parallel(1 << 20, 1, doze, shared);
    return NULL;
}

// A loop that began first and lasts has every helper; short loops of another thread get theirs all the same,
// and it keeps some.
static void no_loop_starves(void **state)
{
    (void)state;
    silt_set_threads(4);
    atomic_bool stop = false;
    Shared first = {.block_seconds = 1e-3, .stop = &stop};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, long_loop, &first), 0);
    while (atomic_load(&first.others) < 6)
        sched_yield();
    Shared second = {.block_seconds = 1e-3, .caller = pthread_self()};
    int before = atomic_load(&first.others), loops = 40, blocks = 16;
    for (int k = 0; k < loops; k++)
        silt_parallel(blocks, 1, doze, &second);
    int kept = atomic_load(&first.others) - before, got = atomic_load(&second.others);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    // with one helper of the three the second run would have half of its blocks done by others
    assert_true(got > loops * blocks / 8);
    assert_true(kept > loops * blocks / 32);
    silt_set_threads(0);
}

typedef struct Watch {
    int calls, stop_at;
    double last, total;
    bool forward;
} Watch;

static bool watch(void *user, const char *stage, double done, double total, const char *unit)
{
    Watch *w = user;
    assert_string_equal(stage, "digging");
    assert_string_equal(unit, "rows");
    w->forward = w->forward && done >= w->last;
    w->last = done;
    w->total = total;
    return ++w->calls != w->stop_at;
}

static void a_run_tells_and_finishes(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 100, 5000, 100000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        Watch w = {.forward = true};
        SiltRun run = {.user = &w, .progress = watch};
        atomic_int total = 0;
        assert_ok(silt_parallel_run(&run, "digging", counts[c], 7, inner_visit, &total));
        assert_int_equal(atomic_load(&total), counts[c]);
        assert_true(w.forward && w.last == counts[c] && w.total == counts[c]);
        assert_true(w.calls >= 1 && w.calls < 300);
        assert_ok(silt_parallel_run(NULL, "digging", counts[c], 0, inner_visit, &total));
        assert_int_equal(atomic_load(&total), 2 * counts[c]);
    }
}

// The blocks of a sliced loop lie where those of a whole one lie.
static void slices_keep_the_blocks(void **state)
{
    (void)state;
    static atomic_uchar seen[4097];
    for (int k = 0; k < 4097; k++)
        atomic_store(&seen[k], 0);
    Visits visits = {.seen = seen, .count = 4097, .grain = 5};
    assert_ok(silt_parallel_run(NULL, "digging", 4097, 5, visit, &visits));
    assert_int_equal(atomic_load(&visits.wrong), 0);
    for (int k = 0; k < 4097; k++)
        assert_int_equal(atomic_load(&seen[k]), 1);
}

static void a_run_stops_on_request(void **state)
{
    (void)state;
    for (int stop = 1; stop <= 3; stop++) {
        Watch w = {.stop_at = stop, .forward = true};
        SiltRun run = {.user = &w, .progress = watch};
        atomic_int total = 0;
        assert_fails(silt_parallel_run(&run, "digging", 100000, 1, inner_visit, &total), SILT_CANCELLED,
                     "digging: stopped on request");
        assert_int_equal(w.calls, stop);
        assert_true(atomic_load(&total) == w.last && w.last < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_exactly_once),  cmocka_unit_test(sums_do_not_depend_on_threads),
        cmocka_unit_test(reductions_take_any_count), cmocka_unit_test(loops_within_loops),
        cmocka_unit_test(callers_do_not_meet),       cmocka_unit_test(thread_counts_are_bounded),
        cmocka_unit_test(a_run_tells_and_finishes),  cmocka_unit_test(slices_keep_the_blocks),
        cmocka_unit_test(a_run_stops_on_request),    cmocka_unit_test(crews_come_and_go),
        cmocka_unit_test(an_engine_does_the_work),   cmocka_unit_test(workers_do_not_meet),
        cmocka_unit_test(no_loop_starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
