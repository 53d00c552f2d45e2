// A run that is kept where something fails: a file that is damaged, or of another run, is refused; where
// memory ends, what was kept leads to the bytes of the run that nobody disturbed; a checkpoint that cannot be
// written stops no run.
#include "kept_scene.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/sum.h"

// ---- damage, and other runs ----

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

// ---- memory that ends ----

// What a run without memory kept leads to where it would have come to.
static void go_on_to_the_end(const Scene *scene, const SiltReport *report, const char *path, uint64_t wanted)
{
    SiltCheckpoint *kept;
    SiltTerrain *terrain;
    SiltRun run = {.seed = 5};
    char steps_done[64];
    assert_ok(silt_checkpoint_open(path, &kept));
    snprintf(steps_done, sizeof steps_done, " %lld steps", (long long)report->steps);
    if (report->cancelled ||
        strcmp(silt_model_name(scene->model), "voxel") != 0) // its bricks may be half-way
        assert_non_null(strstr(silt_checkpoint_text(kept, "about"), steps_done));
    assert_ok(silt_checkpoint_terrain(kept, &terrain));
    silt_checkpoint_attach(kept, &run);
    assert_ok(run_scene(scene, terrain, &run, NULL));
    assert_true(hash_of(terrain) == wanted);
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
}

// The n-th allocation fails, for every n, while a run is gone on with, takes steps and is kept: it says so,
// and leaves a checkpoint that leads to the right bytes, or ends with them.
static void go_on_without_memory(const SiltModel *model, const char *path)
{
    SiltTerrain *terrain = ground();
    // of voxel the steps in which its upkeep has something to do
    bool digs = strcmp(silt_model_name(model), "voxel") == 0;
    const char *settings =
        digs ? "redistance=2 sources=60,60,7,10,10,4,500,0,0,-20,0,0,0" : settings_of(model);
    int before = digs ? 25 : 1;
    Scene scene = {model, settings, steps(before + 5, 0), NULL};
    Watcher watcher = {.left = before};
    SiltRun run = {.seed = 5, .user = &watcher, .frame = look, .frame_interval = 1.0};
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
    long most = 1, ended = 0;
    run.frame_interval = 2.0;
    for (long n = 0; n <= most; n++) {
        put_file(path, first, length);
        SiltReport report = {0};
        watcher.left = INT_MAX;
        terrain = NULL;
        kept = NULL;
        silt_fail_allocation(n);
        SiltStatus status = silt_checkpoint_open(path, &kept);
        if (status == SILT_OK)
            status = silt_checkpoint_terrain(kept, &terrain);
        if (status == SILT_OK)
            status = silt_checkpoint_write_to(kept, path, 0.0, 5);
        if (status == SILT_OK) {
            silt_checkpoint_attach(kept, &run);
            long so_far = silt_allocation_count();
            silt_fail_allocation(0);
            void *params = params_of(&scene); // the test's own
            silt_fail_allocation(n > so_far ? n - so_far : 0);
            status = silt_erode_as(model, terrain, params, &scene.options, &run, &report);
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
        if (status == SILT_NO_MEMORY && report.steps > before && (!SILT_SANITIZED || n % 5 == 0)) {
            go_on_to_the_end(&scene, &report, path, wanted);
            ended++;
        }
    }
    print_message("%s: each of %ld allocations, %ld of them in its course\n", silt_model_name(model), most,
                  ended);
}

static void memory_may_end(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++)
        go_on_without_memory(silt_model_at(k), test_path("short.silt"));
}

static SiltStatus count_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain, (void)index;
    ++*(int *)user;
    return SILT_OK;
}

// The same between the stages of a recipe and the levels of a pyramid: what was worn by then is not lost.
static void recipes_outlive_memory(void **state)
{
    (void)state;
    static const char text[] = "terrain: {new: noise, size: 72, cell: 4, seed: 3, set: {relief: 60}}\n"
                               "stages:\n"
                               "  - {erode: thermal, steps: 2, set: {strength: 0}}\n"
                               "  - {blur: height, radius: 8}\n"
                               "  - {erode: pipes, steps: 4, pyramid: 1}\n"
                               "  - {resample: 60}\n"
                               "  - {erode: newton, steps: 2, hands: '1,set,rain,90'}\n"
                               "outputs: [{write: out.pgm}]\n";
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    const char *path = test_path("poor.silt");
    uint64_t wanted = 0;
    long most = 1, ended = 0;
    for (long n = 0; n <= most; n += n == 0 || !SILT_SANITIZED ? 1 : 7) {
        SiltCheckpoint *kept;
        SiltTerrain *terrain = NULL;
        int frames = 0;
        SiltRun run = {.seed = 5, .user = &frames, .frame = count_frame, .frame_interval = 1.0};
        unlink(path);
        assert_ok(silt_checkpoint_create(&kept));
        assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
        silt_checkpoint_attach(kept, &run);
        silt_fail_allocation(n);
        SiltStatus status = silt_recipe_grow(recipe, &run, &terrain);
        most = n == 0 ? silt_allocation_count() : most;
        silt_fail_allocation(0);
        silt_checkpoint_destroy(kept);
        wanted = n == 0 ? hash_of(terrain) : wanted;
        assert_true(status == SILT_NO_MEMORY || (status == SILT_OK && hash_of(terrain) == wanted));
        silt_terrain_destroy(terrain);
        if (status == SILT_OK || frames == 0)
            continue;
        ended++;
        assert_ok(silt_checkpoint_open(path, &kept));
        silt_checkpoint_attach(kept, &run);
        assert_ok(silt_recipe_grow(recipe, &run, &terrain));
        assert_true(hash_of(terrain) == wanted);
        silt_terrain_destroy(terrain);
        silt_checkpoint_destroy(kept);
    }
    print_message("a recipe: each of %ld allocations, %ld of them in its course\n", most, ended);
    assert_true(ended > 5);
    silt_recipe_destroy(recipe);
}

// ---- no room for it ----

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
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(others_do_not_go_on),
        cmocka_unit_test(memory_may_end),
        cmocka_unit_test(recipes_outlive_memory),
        cmocka_unit_test(a_run_outlives_its_checkpoint),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
