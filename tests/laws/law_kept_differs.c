// A run that was kept is taken up, or gone on with, where the stage or what it reads differs from what it
// was: it leads to the bytes of a run that nobody interrupted, or is refused, or begins at its beginning.
#include "kept.h"

#include "silt/stack.h"
#include "silt/stroke.h"

static bool hear(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total;
    Watcher *watcher = user;
    return strcmp(unit, "coming to rest") != 0 || watcher->rests-- > 0;
}

static SiltRun watched(Watcher *watcher)
{
    return (SiltRun){.user = watcher, .frame = look, .frame_interval = 1e-9, .progress = hear};
}

// Runs it with `kept`, and destroys that. The hash of what it came to.
static uint64_t run_with(const char *text, SiltCheckpoint *kept, SiltRun run, SiltStatus wanted)
{
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    SiltTerrain *terrain = NULL;
    for (int k = 0; k < silt_recipe_input_count(recipe); k++)
        assert_ok(silt_checkpoint_add_input(kept, silt_recipe_input_at(recipe, k)));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(silt_recipe_grow(recipe, &run, &terrain), wanted);
    uint64_t hash = terrain ? hash_of(terrain) : 0;
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    silt_recipe_destroy(recipe);
    return hash;
}

// As `silt run --checkpoint` does, until the watcher stops it.
static const char *keep(const char *text, Watcher watcher)
{
    static char path[256], name[32];
    static int count;
    snprintf(name, sizeof name, "kept-%d.silt", count++); // one that failed may hold its own
    snprintf(path, sizeof path, "%s", test_path(name));
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0)); // only where it is stopped
    assert_ok(silt_checkpoint_set_text(kept, "recipe", text));
    run_with(text, kept, watched(&watcher), SILT_CANCELLED);
    return path;
}

static uint64_t whole_of(const char *text)
{
    SiltCheckpoint *none;
    Watcher watcher = {.left = INT_MAX, .rests = INT_MAX};
    assert_ok(silt_checkpoint_create(&none));
    return run_with(text, none, watched(&watcher), SILT_OK);
}

// As a window does, of this recipe.
static uint64_t cook_from(const char *text, const char *path, int *frames)
{
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    SiltPantry *pantry;
    SiltTerrain *terrain;
    Watcher watcher = {.left = INT_MAX, .rests = INT_MAX};
    SiltRun run = watched(&watcher);
    assert_ok(silt_pantry_create(1 << 26, &pantry));
    assert_ok(silt_pantry_go_on_from(pantry, path));
    SiltCook cook = {.pantry = pantry, .run = &run, .stages = -1};
    assert_ok(silt_recipe_cook(recipe, &cook, &terrain));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    silt_pantry_destroy(pantry);
    silt_recipe_destroy(recipe);
    *frames = watcher.seen;
    return hash;
}

static void cannot_go_on_live(const char *text, int stage, const char *path, const char *words)
{
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    SiltTerrain *terrain;
    SiltErosion *erosion;
    SiltDuration duration;
    int hands;
    assert_fails(silt_recipe_go_on_live(recipe, stage, NULL, path, &terrain, &erosion, &duration, &hands),
                 SILT_BAD_ARGUMENT, words);
    assert_null(terrain);
    silt_recipe_destroy(recipe);
}

#define LAND "terrain: {new: noise, size: 32, cell: 4, seed: 3, set: {relief: 60}}\nstages:\n"

// ---- rock that is no heightmap ----

static void rock_goes_on(void **state)
{
    (void)state;
    static const char text[] = "terrain: {new: pillars, size: 24, cell: 1}\n"
                               "stages: [{erode: voxel, steps: 12, set: {particles: 600, sources: "
                               "\"2,2,18,20,4,2,60,0,0,-3,0,0,0\"}}]\n";
    const char *path = keep(text, (Watcher){.left = 5});
    int frames;
    assert_true(cook_from(text, path, &frames) == whole_of(text));
    assert_true(frames > 0 && frames < 12 - 3);
}

// ---- another end ----

// A stage that ends before the step that was kept is not the land of that step, nor is one whose last step
// was cut to end at a time the beginning of a longer one.
static void another_end_is_another_run(void **state)
{
    (void)state;
    static const char steps[] = LAND "  - {erode: pipes, steps: 20, set: {rain: 50}}\n";
    static const char fewer[] = LAND "  - {erode: pipes, steps: 4, set: {rain: 50}}\n";
    static const char more[] = LAND "  - {erode: pipes, steps: 30, set: {rain: 50}}\n";
    static const char sooner[] = LAND "  - {erode: pipes, time: 0.1, set: {rain: 50}}\n";
    static const char later[] = LAND "  - {erode: pipes, time: 5, set: {rain: 50}}\n";
    static const char *const others[] = {fewer, more, sooner, later};
    static const bool goes_on[] = {false, true, false, true};
    const char *path = keep(steps, (Watcher){.left = 9});
    for (int k = 0; k < 4; k++) {
        int frames, all;
        uint64_t wanted = whole_of(others[k]);
        assert_true(cook_from(others[k], path, &frames) == wanted);
        assert_true(cook_from(others[k], NULL, &all) == wanted);
        assert_int_equal(frames < all, goes_on[k]);
        if (!goes_on[k])
            cannot_go_on_live(others[k], 0, path, "another end");
    }
}

static void a_step_that_was_cut_is_none_of_a_longer_run(void **state)
{
    (void)state;
    static const char text[] = LAND "  - {erode: newton, time: 0.5, set: {rain: 50}}\n";
    static const char longer[] = LAND "  - {erode: newton, time: 0.9, set: {rain: 50}}\n";
    int all, frames;
    uint64_t wanted = whole_of(longer);
    cook_from(text, NULL, &all);
    const char *path = keep(text, (Watcher){.left = all - 1}); // at its very end
    assert_true(cook_from(longer, path, &frames) == wanted);
    cannot_go_on_live(longer, 0, path, "another end");
    path = keep(text, (Watcher){.left = all - 6});
    assert_true(cook_from(longer, path, &frames) == wanted);
    assert_true(frames < all);
}

// ---- water that comes to rest ----

#define RESTS(hands) "  - {erode: pipes, steps: 20, set: {rain: 90, rest: yes}, hands: \"" hands "\"}\n"

// What a hand did behind the stage's end, in a window, is not done while water comes to rest.
static void no_hand_comes_to_water_at_rest(void **state)
{
    (void)state;
    static const char text[] = LAND RESTS("2,set,rain,200;22,raise,60,60,80,70,30,3,0.5,0,1");
    uint64_t wanted = whole_of(text);
    const char *path = keep(text, (Watcher){.left = INT_MAX, .rests = 6});
    Watcher watcher = {.left = INT_MAX, .rests = INT_MAX};
    SiltCheckpoint *kept;
    int frames;
    assert_ok(silt_checkpoint_open(path, &kept));
    assert_true(run_with(text, kept, watched(&watcher), SILT_OK) == wanted);
    assert_true(cook_from(text, path, &frames) == wanted);
    assert_int_equal(frames, 0);
    // one that would have come before the end is another run's
    static const char other[] = LAND RESTS("2,set,rain,200;20,set,rain,50");
    cannot_go_on_live(other, 0, path, "other hands");
}

// Nothing rains on it any more: it cannot be made longer.
static void water_at_rest_goes_no_further(void **state)
{
    (void)state;
    static const char text[] = LAND "  - {erode: pipes, steps: 20, set: {rain: 90, rest: yes}}\n";
    static const char longer[] = LAND "  - {erode: pipes, steps: 9000, set: {rain: 90, rest: yes}}\n";
    const SiltModel *model = silt_model_find("pipes");
    const char *path = keep(text, (Watcher){.left = INT_MAX, .rests = 6});
    cannot_go_on_live(longer, 0, path, "another end");
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    SiltErodeOptions options;
    SiltDuration duration;
    SiltErosion *erosion;
    SiltCheckpoint *kept;
    SiltTerrain *terrain;
    int hands;
    assert_ok(silt_recipe_go_on_live(recipe, 0, NULL, path, &terrain, &erosion, &duration, &hands));
    assert_fails(silt_erosion_advance(erosion, (SiltDuration){.steps = 1}), SILT_BAD_ARGUMENT,
                 "it goes no further");
    assert_ok(silt_erosion_finish(erosion));
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    SiltRun run = {.seed = 4};
    void *params = silt_params_new(silt_model_params(model));
    assert_ok(silt_params_assign(silt_model_params(model), params, "test", "rain=90"));
    assert_ok(silt_params_assign(silt_model_params(model), params, "test", "rest=on"));
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = 9000;
    assert_ok(silt_checkpoint_open(path, &kept));
    assert_ok(silt_checkpoint_terrain(kept, &terrain));
    silt_checkpoint_attach(kept, &run);
    assert_fails(silt_erode_as(model, terrain, params, &options, &run, NULL), SILT_BAD_ARGUMENT,
                 "it goes no further");
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    silt_params_delete(silt_model_params(model), params);
}

// A stage with hands that leaves its length to the model is as long as that says, in what is kept of it too.
static void a_stage_by_hand_has_an_end(void **state)
{
    (void)state;
    char wanted[64], *what;
    const char *path =
        keep(LAND "  - {erode: pipes, hands: \"2,set,rain,200\"}\n", (Watcher){.left = 5, .rests = INT_MAX});
    snprintf(wanted, sizeof wanted, "of %lld steps",
             (long long)silt_model_default_steps(silt_model_find("pipes")));
    assert_ok(silt_checkpoint_unfinished(path, &what));
    assert_non_null(what);
    assert_non_null(strstr(what, wanted));
    silt_free(what);
}

// ---- other files ----

static void write_land(const char *path, unsigned seed)
{
    SiltTerrain *terrain = make_terrain(32, 28, 4.0);
    make_rough(terrain, seed, 30.0f);
    assert_ok(silt_terrain_write(terrain, path, NULL));
    silt_terrain_destroy(terrain);
}

// A file that stages before the kept one read has other bytes: what comes from it is made anew.
static void a_file_that_changed_is_read(void **state)
{
    (void)state;
    char text[512], land[256];
    snprintf(land, sizeof land, "%s", test_path("land.asc"));
    snprintf(text, sizeof text,
             "terrain: {read: %s}\nstages:\n  - {scale: height, by: 2}\n  - {erode: pipes, steps: 12}\n",
             land);
    write_land(land, 7);
    const char *path = keep(text, (Watcher){.left = 5});
    int frames, all;
    uint64_t before = whole_of(text);
    assert_true(cook_from(text, path, &frames) == before);
    assert_true(frames < 10);
    write_land(land, 8);
    uint64_t wanted = whole_of(text);
    assert_true(wanted != before);
    assert_true(cook_from(text, path, &all) == wanted);
    assert_true(all > frames);
    cannot_go_on_live(text, 1, path, "another terrain to begin with");
}

// The same of one that the stage itself began with.
static void particles_that_changed_are_read(void **state)
{
    (void)state;
    static const char cloud[] = "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\n"
                                "property float y\nproperty float z\nend_header\n"
                                "40 40 80\n60 40 80\n80 60 80\n";
    char text[512], start[256], words[512];
    snprintf(start, sizeof start, "%s", test_path("start.ply"));
    snprintf(text, sizeof text,
             LAND "  - {erode: sph, steps: 12, set: {particles: 300, spacing: 4, start: %s}}\n", start);
    int count = snprintf(words, sizeof words, cloud, 3), frames, all;
    put_file(start, words, (size_t)count);
    const char *path = keep(text, (Watcher){.left = 5});
    uint64_t before = whole_of(text);
    assert_true(cook_from(text, path, &frames) == before);
    snprintf(words, sizeof words, cloud, 2);
    put_file(start, words, (size_t)count - strlen("80 60 80\n"));
    uint64_t wanted = whole_of(text);
    assert_true(wanted != before);
    assert_true(cook_from(text, path, &all) == wanted);
    assert_true(all > frames);
    cannot_go_on_live(text, 0, path, "start.ply has changed since");
}

// ---- what outputs alone ask for ----

// A run that writes masks keeps what was worn in all stages together: no stage of it is another for that.
static void totals_are_no_other_land(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text,
             LAND "  - {erode: pipes, steps: 4, set: {rain: 50}}\n  - {erode: pipes, steps: 12}\n"
                  "outputs: [{masks: %s}]\n",
             test_folder);
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("totals.silt"));
    SiltRecipe *recipe = recipe_of(text, NULL, 0);
    SiltCheckpoint *kept;
    Watcher watcher = {.left = 10};
    SiltRun run = watched(&watcher);
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    assert_ok(silt_checkpoint_set_text(kept, "recipe", text));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(silt_recipe_run(recipe, &run, NULL, NULL), SILT_CANCELLED);
    silt_checkpoint_destroy(kept);
    SiltTerrain *terrain;
    SiltErosion *erosion;
    SiltDuration duration;
    int hands, frames;
    assert_ok(silt_recipe_go_on_live(recipe, 1, NULL, path, &terrain, &erosion, &duration, &hands));
    assert_null(silt_terrain_layer(terrain, "total_wear"));
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    assert_true(cook_from(text, path, &frames) == whole_of(text));
    assert_true(frames < 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_goes_on),
        cmocka_unit_test(another_end_is_another_run),
        cmocka_unit_test(a_step_that_was_cut_is_none_of_a_longer_run),
        cmocka_unit_test(no_hand_comes_to_water_at_rest),
        cmocka_unit_test(water_at_rest_goes_no_further),
        cmocka_unit_test(a_stage_by_hand_has_an_end),
        cmocka_unit_test(a_file_that_changed_is_read),
        cmocka_unit_test(particles_that_changed_are_read),
        cmocka_unit_test(totals_are_no_other_land),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
