// A run that is kept and gone on with ends with the bytes of the run that nobody disturbed: every model, on
// other threads, coarse to fine, by hand and in recipes, with every frame; what is kept shows the run, and
// long ones are kept unasked.
#include "kept_scene.h"

#include <unistd.h>

// Stops as its watcher does, in the middle of a step too when it was asked so often.
typedef struct Stop {
    Watcher watcher; // first: frames are its own
    int asks;        // 0: as often as anybody likes
    bool works;
} Stop;

static bool goes_on(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total;
    Stop *stop = user;
    stop->works = stop->works || unit[0]; // before its first step there is nothing to go on from
    return stop->asks == 0 || !stop->works || --stop->asks > 0;
}

// Stopped again and again after few steps, or within them, and gone on with on another number of threads each
// time.
static uint64_t in_pieces(const Scene *scene, const char *path, bool within, SiltReport *report)
{
    SiltTerrain *terrain = ground();
    SiltCheckpoint *kept;
    assert_ok(silt_checkpoint_create(&kept));
    SiltStatus status = SILT_CANCELLED;
    uint64_t hash = 0;
    int pieces = 0;
    for (; status == SILT_CANCELLED && pieces < 200; pieces++) {
        Stop stop = {.watcher.left = within ? INT_MAX : 2 + pieces, .asks = within ? 2 + pieces : 0};
        SiltRun run = {.seed = 5,
                       .user = &stop,
                       .progress = goes_on,
                       .frame = look,
                       .frame_interval = 0.25,
                       .threads = 1 + pieces % 3};
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

static void check_scene_in(const Scene *scene, bool within)
{
    SiltTerrain *terrain = ground();
    Watcher never = {.left = INT_MAX};
    SiltRun run = {.seed = 5, .user = &never, .frame = look, .frame_interval = 0.25};
    SiltReport whole = {0}, pieces = {0};
    assert_ok(run_scene(scene, terrain, &run, &whole));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    if (in_pieces(scene, test_path("run.silt"), within, &pieces) != hash)
        fail_msg("%s %s: other bytes%s", silt_model_name(scene->model), scene->settings,
                 within ? ", stopped within steps" : "");
    assert_int_equal(whole.steps, pieces.steps);
    assert_true(whole.model_time == pieces.model_time);
    assert_memory_equal(&whole.ledger, &pieces.ledger, sizeof whole.ledger);
    assert_memory_equal(&whole.counters, &pieces.counters, sizeof whole.counters);
}

static void check_scene(const Scene *scene)
{
    check_scene_in(scene, false);
    check_scene_in(scene, true);
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

// Says stop when the model of another level is about to begin: that says no unit.
typedef struct Climber {
    bool works, waits;
} Climber;

static bool climbs(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total;
    Climber *climber = user;
    bool is_next = climber->works && climber->waits && !unit[0];
    climber->works = climber->works || unit[0];
    return !is_next;
}

// A level that is stopped before its first step loses nothing of those below it.
static void a_level_that_waits_loses_nothing(void **state)
{
    (void)state;
    for (int levels = 1; levels <= 2; levels++) {
        Scene scene = {silt_model_find("rivers"), "", steps(24, 0), NULL};
        scene.options.pyramid = levels;
        Climber climber = {0};
        SiltRun run = {.seed = 5, .user = &climber, .progress = climbs};
        SiltReport report = {0};
        SiltTerrain *terrain = make_terrain(136, 130, 2.0), *plain = make_terrain(136, 130, 2.0);
        make_rough(terrain, 7, 12.0f);
        make_rough(plain, 7, 12.0f);
        assert_ok(run_scene(&scene, terrain, &run, NULL));
        uint64_t wanted = hash_of(terrain);
        silt_field_copy(&plain->layers[0]->field, &terrain->layers[0]->field);
        while (terrain->layer_count > 1)
            silt_terrain_drop(terrain, terrain->layers[1]->name);
        climber = (Climber){.waits = true};
        SiltCheckpoint *kept;
        assert_ok(silt_checkpoint_create(&kept));
        assert_ok(silt_checkpoint_write_to(kept, test_path("waits.silt"), 1e9, 0));
        silt_checkpoint_attach(kept, &run);
        assert_int_equal(run_scene(&scene, terrain, &run, &report), SILT_CANCELLED);
        assert_true(report.cancelled);
        assert_int_equal(report.steps, 12); // those of the coarsest
        assert_true(silt_field_hash(&terrain->layers[0]->field) != silt_field_hash(&plain->layers[0]->field));
        assert_int_equal(silt_checkpoint_count(kept), 1);
        silt_checkpoint_destroy(kept);
        silt_terrain_destroy(terrain);
        assert_ok(silt_checkpoint_open(test_path("waits.silt"), &kept));
        assert_ok(silt_checkpoint_terrain(kept, &terrain));
        climber = (Climber){0};
        run.keeper = NULL;
        silt_checkpoint_attach(kept, &run);
        assert_ok(run_scene(&scene, terrain, &run, &report));
        assert_true(hash_of(terrain) == wanted);
        assert_int_equal(report.steps, 24);
        silt_checkpoint_destroy(kept);
        silt_terrain_destroy(terrain);
        silt_terrain_destroy(plain);
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
    static const char *const models[] = {"pipes", "newton"};
    for (int k = 0; k < 2; k++) {
        Scene rest = {silt_model_find(models[k]), "rest=on step=8 rain=2000", steps(1, 0), NULL};
        check_scene_in(&rest, true);
    }
}

static void hands_go_on(void **state)
{
    (void)state;
    Scene scene = {silt_model_find("pipes"), "", steps(20, 0),
                   "4,set,rain,90;9,raise,60,60,80,70,30,3,0.5,0,1;15,set,rain,5"};
    check_scene(&scene);
}

// ---- frames that find no room ----

enum { MOST_FRAMES = 64 };

// Refuses every third frame it is shown, and notes what the others were; or takes each, and stops the run.
typedef struct Album {
    int shown, count;
    bool refuses, stops;
    uint64_t seen[MOST_FRAMES];
    int64_t steps, at[MOST_FRAMES];
} Album;

static void note_steps(void *user, int64_t steps, double time, const char *clock)
{
    (void)time, (void)clock;
    ((Album *)user)->steps = steps;
}

static SiltStatus keep_frame(void *user, const SiltTerrain *terrain, int index)
{
    Album *album = user;
    if (album->refuses && ++album->shown % 3 == 1)
        return silt_fail(SILT_IO_ERROR, "no room for frame %d", index);
    assert_int_equal(index, album->count); // each comes once, and none is left out
    assert_true(index < MOST_FRAMES);
    album->at[index] = album->steps;
    album->seen[index] = hash_of(terrain);
    album->count++;
    return album->stops ? silt_fail(SILT_CANCELLED, "stopped") : SILT_OK;
}

// Frames as a run of `pieces` makes them that no room is denied, or that goes on where it was.
static uint64_t take_frames(const Scene *scene, const SiltRecipe *recipe, double every, Album *album)
{
    const char *path = test_path("album.silt");
    uint64_t hash = 0;
    SiltStatus status = SILT_IO_ERROR, early = album->stops ? SILT_CANCELLED : SILT_IO_ERROR;
    SiltCheckpoint *kept = NULL;
    SiltTerrain *terrain = recipe ? NULL : ground();
    unlink(path);
    assert_ok(silt_checkpoint_create(&kept));
    for (int pieces = 0;; pieces++) {
        SiltReport report = {0};
        SiltRun run = {.seed = 5,
                       .user = album,
                       .frame = keep_frame,
                       .when = note_steps,
                       .frame_interval = every,
                       .threads = 1 + pieces % 2};
        assert_true(pieces < MOST_FRAMES);
        assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0)); // only where it ends
        silt_checkpoint_attach(kept, &run);
        status = recipe ? silt_recipe_grow(recipe, &run, &terrain) : run_scene(scene, terrain, &run, &report);
        hash = terrain ? hash_of(terrain) : 0;
        assert_true(recipe || report.cancelled == (status != SILT_OK));
        if (status == SILT_IO_ERROR)
            assert_non_null(strstr(silt_message(), "no room for frame"));
        silt_terrain_destroy(terrain);
        silt_checkpoint_destroy(kept);
        terrain = NULL;
        kept = NULL;
        if (status != early)
            break;
        assert_ok(silt_checkpoint_open(path, &kept));
        if (!recipe)
            assert_ok(silt_checkpoint_terrain(kept, &terrain));
    }
    assert_ok(status);
    return hash;
}

static void compare_frames(const Scene *scene, const SiltRecipe *recipe, double every)
{
    Album whole = {0};
    uint64_t hash = take_frames(scene, recipe, every, &whole);
    assert_true(whole.count > 3);
    for (int stops = 0; stops < 2; stops++) {
        Album pieces = {.refuses = !stops, .stops = stops};
        assert_true(take_frames(scene, recipe, every, &pieces) == hash);
        assert_int_equal(whole.count, pieces.count);
        assert_memory_equal(whole.at, pieces.at, sizeof whole.at);
        assert_memory_equal(whole.seen, pieces.seen, sizeof whole.seen);
    }
}

static void no_frame_is_lost(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++) {
        Scene scene = {silt_model_at(k), settings_of(silt_model_at(k)), steps(8, 0), NULL};
        compare_frames(&scene, NULL, 2.0);
    }
    Scene lagging = {silt_model_find("newton"), "", steps(0, 0), NULL};
    lagging.options.time = 0.8;
    compare_frames(&lagging, NULL, 0.05); // more often than steps come
    compare_frames(&lagging, NULL, 0.004);
    Scene climbing = {silt_model_find("pipes"), "", steps(24, 1), NULL};
    compare_frames(&climbing, NULL, 3.0);
    Scene by_hand = {silt_model_find("pipes"), "", steps(20, 0),
                     "4,set,rain,90;9,raise,60,60,80,70,30,3,0.5,0,1;15,set,rain,5"};
    compare_frames(&by_hand, NULL, 3.0);
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
        Watcher watcher = {.left = 3 + *pieces};
        SiltTerrain *terrain = NULL;
        SiltRun run = {
            .seed = 5, .user = &watcher, .frame = look, .frame_interval = 0.25, .threads = 1 + *pieces % 2};
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
    SiltRecipe *recipe = recipe_of(recipe_text, NULL, 0);
    SiltTerrain *terrain;
    Watcher never = {.left = INT_MAX};
    SiltRun run = {.seed = 5, .user = &never, .frame = look, .frame_interval = 0.25};
    assert_ok(silt_recipe_grow(recipe, &run, &terrain));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    int pieces;
    assert_true(recipe_in_pieces(recipe, &pieces) == hash);
    assert_true(pieces > 3);
    compare_frames(NULL, recipe, 2.0);
    silt_recipe_destroy(recipe);
}

// ---- looking at one, and runs that nobody asked to keep ----

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

// A run that turns out to be long is kept unasked, and says so; one that does not is not.
static void long_runs_are_kept_unasked(void **state)
{
    (void)state;
    const char *path = test_path("unasked.silt");
    const Scene scenes[] = {{silt_model_find("newton"), "", steps(20, 0), NULL},
                            // by hand, and as long as the model has it
                            {silt_model_find("rivers"), "", steps(0, 0), "3,set,uplift,0.001"}};
    for (int n = 0; n < 4; n++) {
        bool is_long = n % 2;
        SiltCheckpoint *kept;
        SiltTerrain *terrain = ground();
        SiltRun run = {.seed = 5, .warning = hear};
        Scene scene = scenes[n / 2];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_goes_on),
        cmocka_unit_test(a_climb_goes_on),
        cmocka_unit_test(a_level_that_waits_loses_nothing),
        cmocka_unit_test(other_ends_go_on),
        cmocka_unit_test(hands_go_on),
        cmocka_unit_test(no_frame_is_lost),
        cmocka_unit_test(recipes_go_on),
        cmocka_unit_test(what_it_shows_is_the_run),
        cmocka_unit_test(long_runs_are_kept_unasked),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
