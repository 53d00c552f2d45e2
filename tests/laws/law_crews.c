// Runs at the same time, each with threads or tasks of its own, end with the bytes of runs alone.
#include "erode_help.h"

#include <pthread.h>

static const char *const models[] = {"pipes", "thermal", "rivers", "newton", "cells"};
enum { MODELS = sizeof models / sizeof models[0], ROUNDS = 3 };

// An engine that has no threads to spare: its tasks follow each other, the last first.
static void backwards(void *user, int count, void (*task)(void *context, int index), void *context)
{
    int *calls = user;
    *calls += 1;
    for (int k = count - 1; k >= 0; k--)
        task(context, k);
}

typedef struct Trial {
    const char *model;
    SiltRun run;
    uint64_t hash;
    bool ended;
} Trial;

static void *try_model(void *context)
{
    Trial *trial = context;
    SiltTerrain *land = make_terrain(96, 112, 20.0);
    make_rough(land, 3, 300.0f);
    SiltDuration duration = {.steps = 24};
    trial->ended =
        silt_erode(silt_model_find(trial->model), land, NULL, duration, &trial->run, NULL) == SILT_OK;
    trial->hash = layers_hash(land);
    silt_terrain_destroy(land);
    return NULL;
}

static void runs_at_once_are_runs_alone(void **state)
{
    (void)state;
    silt_set_threads(4);
    uint64_t alone[MODELS];
    for (int k = 0; k < MODELS; k++) {
        Trial trial = {.model = models[k], .run = {.seed = 5, .threads = 1}};
        try_model(&trial);
        assert_true(trial.ended);
        alone[k] = trial.hash;
    }
    for (int round = 0; round < ROUNDS; round++) {
        Trial trials[MODELS];
        pthread_t threads[MODELS];
        int calls[MODELS] = {0};
        SiltTasks tasks[MODELS];
        for (int k = 0; k < MODELS; k++) {
            tasks[k] = (SiltTasks){.parallel = backwards, .threads = 5, .user = &calls[k]};
            bool is_hooked = (k + round) % 3 == 0;
            trials[k] = (Trial){.model = models[k], .run = {.seed = 5, .threads = (k + round) % 4}};
            trials[k].run.tasks = is_hooked ? &tasks[k] : NULL;
            assert_int_equal(pthread_create(&threads[k], NULL, try_model, &trials[k]), 0);
        }
        for (int k = 0; k < MODELS; k++)
            pthread_join(threads[k], NULL);
        for (int k = 0; k < MODELS; k++) {
            assert_true(trials[k].ended);
            assert_true(trials[k].hash == alone[k]);
            assert_int_equal(calls[k] > 0, (k + round) % 3 == 0);
        }
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_at_once_are_runs_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
