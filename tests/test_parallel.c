#include "test.h"

#include <pthread.h>
#include <stdatomic.h>

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
        int grain = silt_reduce_grain(counts[c]);
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
        cmocka_unit_test(a_run_stops_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
