// A run that is kept and gone on with ends with the bytes of the run that nobody disturbed: every model, on
// other threads, coarse to fine, by hand and in recipes; and a file that is damaged is refused.
#include "erode_help.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sum.h"
#include "files.h"
#include "silt/checkpoint.h"
#include "silt/recipe.h"
#include "silt/stroke.h"

// Stops after so many frames, of which each step has one.
typedef struct Stop {
    int left;
} Stop;

static SiltStatus look(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain, (void)index;
    return ((Stop *)user)->left-- > 0 ? SILT_OK : silt_fail(SILT_CANCELLED, "stopped");
}

static uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = 1;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

typedef struct Scene {
    const SiltModel *model;
    const char *settings;
    SiltErodeOptions options;
    const char *hands;
} Scene;

static SiltTerrain *ground(void)
{
    SiltTerrain *terrain = make_terrain(72, 66, 2.0);
    make_rough(terrain, 7, 12.0f);
    return terrain;
}

static void *params_of(const Scene *scene)
{
    void *params = silt_params_new(silt_model_params(scene->model));
    char copy[512];
    snprintf(copy, sizeof copy, "%s", scene->settings);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        assert_ok(silt_params_assign(silt_model_params(scene->model), params, "test", word));
    return params;
}

static SiltStatus run_scene(const Scene *scene, SiltTerrain *terrain, const SiltRun *run, SiltReport *report)
{
    void *params = params_of(scene);
    SiltStatus status;
    if (scene->hands) {
        SiltHand *hands;
        int count;
        assert_ok(silt_hands_read(scene->hands, &hands, &count));
        status = silt_erode_by_hand(scene->model, terrain, params,
                                    (SiltDuration){.steps = scene->options.steps}, hands, count, run, report);
        silt_hands_free(hands, count);
    } else {
        status = silt_erode_as(scene->model, terrain, params, &scene->options, run, report);
    }
    silt_params_delete(silt_model_params(scene->model), params);
    return status;
}

// Stopped again and again after few steps, and gone on with on another number of threads each time.
static uint64_t in_pieces(const Scene *scene, const char *path, SiltReport *report)
{
    SiltTerrain *terrain = ground();
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    SiltStatus status = SILT_CANCELLED;
    uint64_t hash = 0;
    int pieces = 0;
    for (; status == SILT_CANCELLED && pieces < 200; pieces++) {
        Stop stop = {.left = 2 + pieces};
        SiltRun run = {
            .seed = 5, .user = &stop, .frame = look, .frame_interval = 0.25, .threads = 1 + pieces % 3};
        assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0)); // only where it is stopped
        silt_checkpoint_attach(kept, &run);
        status = run_scene(scene, terrain, &run, report);
        hash = hash_of(terrain);
        silt_terrain_destroy(terrain);
        silt_checkpoint_destroy(kept);
        terrain = NULL;
        kept = NULL;
        if (status == SILT_CANCELLED) {
            assert_ok(silt_checkpoint_open(path, &kept));
            assert_ok(silt_checkpoint_terrain(kept, &terrain));
        }
    }
    assert_ok(status);
    assert_true(pieces > 1);
    return hash;
}

static void check_scene(const Scene *scene)
{
    SiltTerrain *terrain = ground();
    Stop never = {.left = INT_MAX};
    SiltRun run = {.seed = 5, .user = &never, .frame = look, .frame_interval = 0.25};
    SiltReport whole = {0}, pieces = {0};
    assert_ok(run_scene(scene, terrain, &run, &whole));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    if (in_pieces(scene, test_path("run.silt"), &pieces) != hash)
        fail_msg("%s %s: other bytes", silt_model_name(scene->model), scene->settings);
    assert_int_equal(whole.steps, pieces.steps);
    assert_true(whole.model_time == pieces.model_time);
    assert_memory_equal(&whole.ledger, &pieces.ledger, sizeof whole.ledger);
    assert_memory_equal(&whole.counters, &pieces.counters, sizeof whole.counters);
}

static SiltErodeOptions steps(int count, int pyramid)
{
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = count;
    options.pyramid = pyramid;
    return options;
}

static const char *settings_of(const SiltModel *model)
{
    const char *name = silt_model_name(model);
    return strcmp(name, "sph") == 0       ? "boxes=40,40,20,12,12,10 spacing=2"
           : strcmp(name, "thermal") == 0 ? "strength=0"
                                          : "";
}

static void every_model_goes_on(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++) {
        Scene scene = {silt_model_at(k), settings_of(silt_model_at(k)), steps(14, 0), NULL};
        check_scene(&scene);
    }
}

static void a_climb_goes_on(void **state)
{
    (void)state;
    static const char *const models[] = {"rivers", "pipes", "thermal"};
    for (int k = 0; k < 3; k++) {
        Scene scene = {silt_model_find(models[k]), settings_of(silt_model_find(models[k])), steps(24, 1),
                       NULL};
        check_scene(&scene);
    }
}

// Times, water that comes to rest, and steps of many sub-steps.
static void other_ends_go_on(void **state)
{
    (void)state;
    Scene scene = {silt_model_find("pipes"), "rest=on", steps(0, 0), NULL};
    scene.options.time = 3.7;
    check_scene(&scene);
    Scene sub = {silt_model_find("newton"), "step=8", steps(5, 0), NULL};
    check_scene(&sub);
}

static void hands_go_on(void **state)
{
    (void)state;
    Scene scene = {silt_model_find("pipes"), "", steps(20, 0),
                   "4,set,rain,90;9,raise,60,60,80,70,30,3,0.5,0,1;15,set,rain,5"};
    check_scene(&scene);
}

// ---- recipes ----

static const char recipe_text[] = "terrain: {new: noise, size: 40, cell: 4, seed: 3, set: {relief: 60}}\n"
                                  "stages:\n"
                                  "  - {erode: thermal, steps: 8, set: {strength: 0}}\n"
                                  "  - {scale: height, by: 1.5}\n"
                                  "  - {erode: pipes, steps: 12}\n"
                                  "  - {erode: rivers, steps: 6, pyramid: 1}\n"
                                  "outputs: [{write: out.pgm}]\n";

static uint64_t recipe_in_pieces(const SiltRecipe *recipe, int *pieces)
{
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    SiltStatus status = SILT_CANCELLED;
    uint64_t hash = 0;
    for (*pieces = 0; status == SILT_CANCELLED && *pieces < 100; ++*pieces) {
        Stop stop = {.left = 3 + *pieces};
        SiltTerrain *terrain = NULL;
        SiltRun run = {
            .seed = 5, .user = &stop, .frame = look, .frame_interval = 0.25, .threads = 1 + *pieces % 2};
        assert_ok(silt_checkpoint_write_to(kept, test_path("recipe.silt"), 0.0, 0));
        silt_checkpoint_attach(kept, &run);
        status = silt_recipe_grow(recipe, &run, &terrain);
        hash = terrain ? hash_of(terrain) : 0;
        silt_terrain_destroy(terrain);
        silt_checkpoint_destroy(kept);
        kept = NULL;
        if (status == SILT_CANCELLED)
            assert_ok(silt_checkpoint_open(test_path("recipe.silt"), &kept));
    }
    assert_ok(status);
    return hash;
}

static void recipes_go_on(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    SiltStatus status = silt_recipe_read_text("r.yaml", recipe_text, NULL, 0, &recipe);
    if (status == SILT_MISSING_FEATURE)
        skip();
    assert_ok(status);
    SiltTerrain *terrain;
    Stop never = {.left = INT_MAX};
    SiltRun run = {.seed = 5, .user = &never, .frame = look, .frame_interval = 0.25};
    assert_ok(silt_recipe_grow(recipe, &run, &terrain));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    int pieces;
    assert_true(recipe_in_pieces(recipe, &pieces) == hash);
    assert_true(pieces > 3);
    silt_recipe_destroy(recipe);
}

// ---- looking at one, and damage ----

static char heard[512];
static void hear(void *user, const char *text)
{
    (void)user;
    snprintf(heard, sizeof heard, "%s", text);
}

static void keep_one(const char *path)
{
    Scene scene = {silt_model_find("pipes"), "", steps(6, 0), NULL};
    SiltTerrain *terrain = ground();
    SiltCheckpoint *kept;
    SiltRun run = {.seed = 5};
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 0.0, 2));
    assert_ok(silt_checkpoint_set_text(kept, "command", "erode\npipes\n"));
    silt_checkpoint_attach(kept, &run);
    assert_ok(run_scene(&scene, terrain, &run, NULL));
    assert_true(silt_checkpoint_count(kept) >= 2); // so there is one before it
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
}

static void what_it_shows_is_the_run(void **state)
{
    (void)state;
    const char *path = test_path("show.silt");
    keep_one(path);
    SiltCheckpoint *kept;
    SiltTerrain *shown, *terrain = ground();
    assert_ok(silt_checkpoint_open(path, &kept));
    assert_string_equal(silt_checkpoint_text(kept, "command"), "erode\npipes\n");
    assert_non_null(strstr(silt_checkpoint_text(kept, "about"), "6 steps"));
    assert_ok(silt_checkpoint_show(kept, &shown));
    Scene scene = {silt_model_find("pipes"), "", steps(6, 0), NULL};
    SiltRun run = {.seed = 5};
    assert_ok(run_scene(&scene, terrain, &run, NULL));
    assert_true(hash_of(shown) == hash_of(terrain));
    silt_terrain_destroy(shown);
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
}

static char whole[1 << 20];

static void damage_is_told(void **state)
{
    (void)state;
    const char *path = test_path("hurt.silt");
    keep_one(path);
    size_t length = get_file(path, whole, sizeof whole);
    assert_true(length > 1000 && length < sizeof whole);
    SiltCheckpoint *kept;
    for (size_t cut = 0; cut < length; cut += cut < 300 ? 1 : 4001) { // truncated
        put_file(path, whole, cut);
        SiltStatus status = silt_checkpoint_open(path, &kept);
        assert_true(status == SILT_BAD_FILE || status == SILT_IO_ERROR);
        assert_null(kept);
        assert_non_null(strstr(silt_message(), "the one before it is whole: "));
    }
    for (size_t at = 0; at < length; at += at < 600 ? 1 : 997) { // a bit is another, but for what fills gaps
        char kept_byte = whole[at];
        whole[at] = (char)(kept_byte ^ (1 << at % 8));
        put_file(path, whole, length);
        SiltStatus status = silt_checkpoint_open(path, &kept);
        whole[at] = kept_byte;
        if (status == SILT_OK) {
            silt_checkpoint_destroy(kept);
            assert_true(kept_byte == 0); // up to a multiple of 8
        } else {
            assert_int_equal(status, SILT_BAD_FILE);
        }
    }
    put_file(path, whole, length);
    assert_ok(silt_checkpoint_open(path, &kept));
    silt_checkpoint_destroy(kept);
    // of another version, which its head says with a sum that is right
    memcpy(whole + 16, "9.8.7\0\0\0\0\0\0\0\0\0\0", 16);
    uint64_t sum = silt_sum_of(whole, 56);
    memcpy(whole + 56, &sum, 8);
    put_file(path, whole, length);
    assert_fails(silt_checkpoint_open(path, &kept), SILT_BAD_FILE,
                 "a checkpoint of version 9.8.7; this is version ");
}

// A run that turns out to be long is kept unasked, and says so; one that does not is not.
static void long_runs_are_kept_unasked(void **state)
{
    (void)state;
    const char *path = test_path("unasked.silt");
    for (int is_long = 0; is_long < 2; is_long++) {
        SiltCheckpoint *kept;
        SiltTerrain *terrain = ground();
        SiltRun run = {.seed = 5, .warning = hear};
        Scene scene = {silt_model_find("newton"), "", steps(20, 0), NULL};
        heard[0] = '\0';
        assert_ok(silt_checkpoint_create(&kept));
        assert_ok(silt_checkpoint_write_if_long(kept, path, is_long ? 0.0 : 1e6, 60.0));
        silt_checkpoint_attach(kept, &run);
        assert_ok(run_scene(&scene, terrain, &run, NULL));
        assert_int_equal(silt_checkpoint_count(kept), is_long);
        assert_true((strstr(heard, "what is done is kept in") != NULL) == is_long);
        assert_int_equal(access(path, F_OK), is_long ? 0 : -1);
        silt_checkpoint_discard(kept);
        assert_int_equal(access(path, F_OK), -1);
        silt_checkpoint_destroy(kept);
        silt_terrain_destroy(terrain);
    }
}

// A run of another model or of another recipe does not go on from it.
static void others_do_not_go_on(void **state)
{
    (void)state;
    const char *path = test_path("other.silt");
    keep_one(path);
    SiltCheckpoint *kept;
    SiltTerrain *terrain;
    assert_ok(silt_checkpoint_open(path, &kept));
    assert_ok(silt_checkpoint_terrain(kept, &terrain));
    SiltRun run = {.seed = 5};
    silt_checkpoint_attach(kept, &run);
    Scene scene = {silt_model_find("newton"), "", steps(6, 0), NULL};
    assert_fails(run_scene(&scene, terrain, &run, NULL), SILT_BAD_ARGUMENT, "a run of 'pipes'");
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
}

// The n-th allocation fails, for every n, while a run is gone on with, takes steps and is kept: it says so,
// or ends with the right bytes.
static void go_on_without_memory(const SiltModel *model, const char *path)
{
    SiltTerrain *terrain = ground();
    Scene scene = {model, settings_of(model), steps(6, 0), NULL};
    Stop stop = {.left = 1};
    SiltRun run = {.seed = 5, .user = &stop, .frame = look, .frame_interval = 1.0};
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(run_scene(&scene, terrain, &run, NULL), SILT_CANCELLED);
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
    static char first[1 << 24];
    size_t length = get_file(path, first, sizeof first);
    assert_true(length + 1 < sizeof first);
    uint64_t wanted = 0;
    long most = 1;
    for (long n = 0; n <= most; n++) {
        put_file(path, first, length);
        stop.left = INT_MAX;
        terrain = NULL;
        kept = NULL;
        silt_fail_allocation(n);
        SiltStatus status = silt_checkpoint_open(path, &kept);
        if (status == SILT_OK)
            status = silt_checkpoint_terrain(kept, &terrain);
        if (status == SILT_OK)
            status = silt_checkpoint_write_to(kept, path, 0.0, 2);
        if (status == SILT_OK) {
            silt_checkpoint_attach(kept, &run);
            long so_far = silt_allocation_count();
            silt_fail_allocation(0);
            void *params = params_of(&scene); // the test's own
            silt_fail_allocation(n > so_far ? n - so_far : 0);
            status = silt_erode_as(model, terrain, params, &scene.options, &run, NULL);
            most = n == 0 ? so_far + silt_allocation_count() : most;
            silt_fail_allocation(0);
            silt_params_delete(silt_model_params(model), params);
        }
        silt_fail_allocation(0);
        wanted = n == 0 ? hash_of(terrain) : wanted;
        if (status == SILT_OK)
            assert_true(hash_of(terrain) == wanted);
        else if (status != SILT_NO_MEMORY)
            fail_msg("%s, allocation %ld: %s: %s", silt_model_name(model), n, silt_status_name(status),
                     silt_message());
        silt_checkpoint_destroy(kept);
        silt_terrain_destroy(terrain);
    }
    print_message("%s: each of %ld allocations\n", silt_model_name(model), most);
}

static void memory_may_end(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++)
        go_on_without_memory(silt_model_at(k), test_path("short.silt"));
}

// A disk that is full, or a folder that is gone, does not stop a run.
static void a_run_outlives_its_checkpoint(void **state)
{
    (void)state;
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s", test_path("gone"));
    snprintf(path, sizeof path, "%s/run.silt", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 0.0, 1));
    SiltTerrain *terrain = ground();
    SiltRun run = {.seed = 5, .warning = hear};
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(unlink(strcat(path, ".new")), 0); // which kept the place
    assert_int_equal(rmdir(folder), 0);
    Scene scene = {silt_model_find("thermal"), "strength=0", steps(4, 0), NULL};
    heard[0] = '\0';
    assert_ok(run_scene(&scene, terrain, &run, NULL));
    assert_non_null(strstr(heard, "run.silt: cannot write: No such file or directory; the run goes on"));
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_goes_on),
        cmocka_unit_test(a_climb_goes_on),
        cmocka_unit_test(other_ends_go_on),
        cmocka_unit_test(hands_go_on),
        cmocka_unit_test(recipes_go_on),
        cmocka_unit_test(what_it_shows_is_the_run),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(others_do_not_go_on),
        cmocka_unit_test(memory_may_end),
        cmocka_unit_test(long_runs_are_kept_unasked),
        cmocka_unit_test(a_run_outlives_its_checkpoint),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
