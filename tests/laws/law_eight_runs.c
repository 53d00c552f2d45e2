// Eight runs in one process, each from a thread of its own, end with the bytes of runs alone: eight of one
// model, for every model, and then eight different ones, begun, kept in memory, brought back and looked at.
// `make tsan` holds the same against data races.
#include "erode_help.h"

#include <pthread.h>

enum { RUNS = 8, STEPS = 4, MOST_MODELS = 32 };

typedef struct Trial {
    const SiltModel *model;
    int threads;
    pthread_barrier_t *gate; // all begin at the same moment
    SiltTerrain *land;
    uint64_t hash;
    SiltStatus status; // assertions belong to the thread of the test
    char said[256];
} Trial;

static SiltStatus set_all(const SiltModel *model, void *params)
{
    char words[256], *rest;
    snprintf(words, sizeof words, "%s", small_settings(silt_model_name(model)));
    SiltStatus status = params ? SILT_OK : SILT_NO_MEMORY;
    for (char *word = strtok_r(words, " ", &rest); word && status == SILT_OK;
         word = strtok_r(NULL, " ", &rest))
        status = silt_params_assign(silt_model_params(model), params, "test", word);
    return status;
}

// Half of the way, into a block of memory and back, a look at the ground, and the other half.
static SiltStatus wear(const Trial *trial, const void *params)
{
    SiltErosion *erosion = NULL;
    SiltRun run = {.seed = 5, .threads = trial->threads};
    void *block = NULL;
    size_t bytes = 0;
    SiltLayerView view;
    SiltStatus status = silt_erosion_begin(trial->model, trial->land, params, &run, &erosion);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = STEPS});
    if (status == SILT_OK)
        status = silt_erosion_save(erosion, &block, &bytes);
    if (status == SILT_OK)
        status = silt_erosion_restore(erosion, block, bytes);
    if (status == SILT_OK)
        status = silt_erosion_view(erosion, "change", NULL, &view);
    if (status == SILT_OK)
        status = silt_erosion_advance(erosion, (SiltDuration){.steps = STEPS});
    if (status == SILT_OK)
        status = silt_erosion_finish(erosion);
    silt_erosion_end(erosion);
    silt_free(block);
    return status;
}

static void *try_model(void *context)
{
    Trial *trial = context;
    const SiltParamTable *table = silt_model_params(trial->model);
    void *params = silt_params_new(table);
    trial->status = set_all(trial->model, params);
    if (trial->gate)
        pthread_barrier_wait(trial->gate);
    if (trial->status == SILT_OK)
        trial->status = wear(trial, params);
    snprintf(trial->said, sizeof trial->said, "%s", trial->status == SILT_OK ? "" : silt_message());
    trial->hash = layers_hash(trial->land);
    silt_params_delete(table, params);
    return NULL;
}

static SiltTerrain *small_land(void)
{
    return rough_ground((RoughGround){44, 37, 2.0, 12.0f});
}

static uint64_t hash_alone(const SiltModel *model)
{
    Trial trial = {.model = model, .threads = 1, .land = small_land()};
    try_model(&trial);
    assert_int_equal(trial.status, SILT_OK);
    silt_terrain_destroy(trial.land);
    return trial.hash;
}

// models[k] is what run k does, and alone[k] what it comes to.
static void run_eight(const SiltModel *const models[RUNS], const uint64_t alone[RUNS])
{
    Trial trials[RUNS];
    pthread_t threads[RUNS];
    pthread_barrier_t gate;
    assert_int_equal(pthread_barrier_init(&gate, NULL, RUNS), 0);
    for (int k = 0; k < RUNS; k++) {
        trials[k] = (Trial){.model = models[k], .threads = 1 + k % 3, .gate = &gate, .land = small_land()};
        assert_int_equal(pthread_create(&threads[k], NULL, try_model, &trials[k]), 0);
    }
    for (int k = 0; k < RUNS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < RUNS; k++) {
        if (trials[k].status != SILT_OK)
            fail_msg("%s: %s", silt_model_name(models[k]), trials[k].said);
        if (trials[k].hash != alone[k])
            fail_msg("%s: other bytes beside seven others", silt_model_name(models[k]));
        silt_terrain_destroy(trials[k].land);
    }
    pthread_barrier_destroy(&gate);
}

static void eight_runs_at_once_are_runs_alone(void **state)
{
    (void)state;
    silt_set_threads(4);
    const int count = silt_model_count();
    uint64_t alone[MOST_MODELS];
    assert_true(count <= MOST_MODELS);
    for (int k = 0; k < count; k++)
        alone[k] = hash_alone(silt_model_at(k));
    for (int first = 0; first < 2 * count; first++) { // all alike, then each another
        const SiltModel *models[RUNS];
        uint64_t wanted[RUNS];
        for (int k = 0; k < RUNS; k++) {
            int which = first < count ? first : (first + k) % count;
            models[k] = silt_model_at(which);
            wanted[k] = alone[which];
        }
        run_eight(models, wanted);
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eight_runs_at_once_are_runs_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
