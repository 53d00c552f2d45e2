// A run that was kept is taken up in a recipe: live or cooked, its stage goes on from the step it had come
// to, and ends with the bytes of one that nobody interrupted; a stage that is another by now is refused by
// name.
#include "kept.h"

#include "silt/stack.h"
#include "silt/stroke.h"

// Runs it with its course in the file, as `silt run --checkpoint` does. The hash at its end, or of what it
// had come to after so many frames.
static uint64_t keep_recipe(const char *text, const char *defines, uint64_t seed, int frames,
                            SiltStatus wanted, const char *path)
{
    const char *given[] = {defines};
    SiltRecipe *recipe = recipe_of(text, given, defines != NULL);
    SiltCheckpoint *kept;
    SiltTerrain *terrain = NULL;
    Watcher watcher = {.left = frames};
    SiltRun run = {.seed = seed, .user = &watcher, .frame = look, .frame_interval = 1e-9};
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0)); // only where it is stopped
    assert_ok(silt_checkpoint_set_text(kept, "recipe", text));
    if (defines)
        assert_ok(silt_checkpoint_set_text(kept, "defines", defines));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(silt_recipe_grow(recipe, &run, &terrain), wanted);
    uint64_t hash = terrain ? hash_of(terrain) : 0;
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    silt_recipe_destroy(recipe);
    return hash;
}

static uint64_t whole_of(const char *text, const char *defines, uint64_t seed)
{
    return keep_recipe(text, defines, seed, INT_MAX, SILT_OK, test_path("whole.silt"));
}

// What a window opens: the recipe that the checkpoint is of.
static SiltRecipe *taken_up(const char *path, int wanted_stage)
{
    SiltStack *stack;
    SiltRecipe *recipe;
    int stage = -1;
    assert_ok(silt_stack_from_checkpoint(path, &stack, &stage));
    assert_int_equal(stage, wanted_stage);
    assert_false(silt_stack_can_undo(stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    silt_stack_destroy(stack);
    return recipe;
}

// To the end of the stage by its steps, then the stages after it.
static uint64_t play_live(const SiltRecipe *recipe, int stage, SiltPantry *pantry, const char *path,
                          int64_t *from)
{
    SiltRun run = {.threads = 2};
    SiltCook cook = {.pantry = pantry, .run = &run, .stages = -1};
    SiltTerrain *terrain;
    SiltErosion *erosion;
    SiltDuration duration;
    const SiltHand *hands;
    int next, count;
    bool done;
    assert_ok(silt_recipe_go_on_live(recipe, stage, &cook, path, &terrain, &erosion, &duration, &next));
    *from = silt_erosion_report(erosion)->steps;
    assert_ok(silt_recipe_hands(recipe, stage, &hands, &count));
    assert_ok(silt_erosion_play(erosion, duration, hands, count, &next, INT64_MAX, &done));
    assert_true(done);
    assert_ok(silt_erosion_finish(erosion));
    silt_erosion_end(erosion);
    silt_terrain_settle(terrain);
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    return hash;
}

// How many steps it took is seen by its frames.
static uint64_t cook_from(const SiltRecipe *recipe, SiltPantry *pantry, int *frames)
{
    Watcher watcher = {.left = INT_MAX};
    SiltRun run = {.user = &watcher, .frame = look, .frame_interval = 1e-9};
    SiltCook cook = {.pantry = pantry, .run = &run, .stages = -1};
    SiltTerrain *terrain;
    assert_ok(silt_recipe_cook(recipe, &cook, &terrain));
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    *frames = watcher.seen;
    return hash;
}

static SiltPantry *pantry_with(const char *path)
{
    SiltPantry *pantry;
    assert_ok(silt_pantry_create(1 << 26, &pantry));
    assert_ok(silt_pantry_go_on_from(pantry, path));
    return pantry;
}

// ---- every model ----

static const char *settings_of(const SiltModel *model)
{
    const char *name = silt_model_name(model);
    return strcmp(name, "sph") == 0       ? "{particles: 600, spacing: 4}"
           : strcmp(name, "voxel") == 0   ? "{particles: 600}"
           : strcmp(name, "thermal") == 0 ? "{strength: 0}"
                                          : "{}";
}

static void every_model_goes_on(void **state)
{
    (void)state;
    const char *path = test_path("model.silt");
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *model = silt_model_at(k);
        char text[512];
        snprintf(text, sizeof text,
                 "terrain: {new: noise, size: 40, cell: 4, seed: 3, set: {relief: 60}}\n"
                 "stages:\n"
                 "  - {scale: height, by: 1.5}\n"
                 "  - {erode: %s, steps: 12, set: %s}\n",
                 silt_model_name(model), settings_of(model));
        uint64_t wanted = whole_of(text, NULL, 0);
        keep_recipe(text, NULL, 0, 5, SILT_CANCELLED, path);
        SiltRecipe *recipe = taken_up(path, 1);
        SiltPantry *pantry = pantry_with(path);
        int64_t from;
        int frames;
        if (play_live(recipe, 1, pantry, path, &from) != wanted)
            fail_msg("%s live: other bytes", silt_model_name(model));
        assert_true(from > 0);
        uint64_t cooked = cook_from(recipe, pantry, &frames);
        if (cooked != wanted)
            fail_msg("%s cooked: other bytes", silt_model_name(model));
        assert_true(frames <= 12 - from + 1);
        cook_from(recipe, pantry, &frames);
        assert_int_equal(frames, 0); // it is in the pantry by now
        silt_pantry_destroy(pantry);
        silt_recipe_destroy(recipe);
    }
}

// ---- recipes ----

static const char three_stages[] = "define: {rain: 10, size: 32}\n"
                                   "terrain: {new: noise, size: $size, cell: 4, set: {relief: 60}}\n"
                                   "stages:\n"
                                   "  - {erode: thermal, steps: 4, set: {strength: 0}}\n"
                                   "  - {erode: pipes, steps: 30, set: {rain: $rain}}\n"
                                   "  - {erode: rivers, steps: 3}\n"
                                   "outputs: [{write: out.pgm}]\n";

// What the command line had defined, and its seed, are the recipe's; what comes after the stage follows.
static void what_the_command_line_said_goes_on(void **state)
{
    (void)state;
    const char *path = test_path("line.silt");
    uint64_t wanted = whole_of(three_stages, "rain=55", 9);
    assert_true(wanted != whole_of(three_stages, NULL, 9));
    assert_true(wanted != whole_of(three_stages, "rain=55", 8));
    keep_recipe(three_stages, "rain=55", 9, 14, SILT_CANCELLED, path);
    SiltRecipe *recipe = taken_up(path, 1);
    SiltPantry *pantry = pantry_with(path);
    int64_t from;
    int frames;
    play_live(recipe, 1, pantry, path, &from);
    assert_true(from >= 8 && from < 14);
    assert_true(cook_from(recipe, pantry, &frames) == wanted);
    assert_true(frames < 30 + 3);
    silt_pantry_destroy(pantry);
    // without a pantry all that comes before is done again, and leads to the same
    play_live(recipe, 1, NULL, path, &from);
    assert_true(from >= 8);
    silt_recipe_destroy(recipe);
}

// A small preview is not the run that was kept, and a pantry that knows of none begins at the beginning.
static void others_begin_at_the_beginning(void **state)
{
    (void)state;
    const char *path = test_path("plain.silt");
    uint64_t wanted = whole_of(three_stages, NULL, 0);
    keep_recipe(three_stages, NULL, 0, 14, SILT_CANCELLED, path);
    SiltRecipe *recipe = taken_up(path, 1);
    SiltPantry *pantry = pantry_with(path);
    int all, frames;
    Watcher watcher = {.left = INT_MAX};
    SiltRun run = {.user = &watcher, .frame = look, .frame_interval = 1e-9};
    SiltCook small = {.pantry = pantry, .run = &run, .longest_side = 16, .stages = -1};
    SiltTerrain *terrain;
    assert_ok(silt_recipe_cook(recipe, &small, &terrain));
    assert_int_equal(terrain->width, 16);
    silt_terrain_destroy(terrain);
    assert_true(watcher.seen >= 30);
    assert_ok(silt_pantry_go_on_from(pantry, NULL));
    assert_true(cook_from(recipe, pantry, &all) == wanted);
    assert_true(all >= 30);
    // one that differs is cooked as it is
    const char *other[] = {"rain=12"};
    SiltRecipe *wetter = recipe_of(three_stages, other, 1);
    assert_ok(silt_pantry_go_on_from(pantry, path));
    assert_true(cook_from(wetter, pantry, &frames) == whole_of(three_stages, "rain=12", 0));
    assert_true(frames >= 30);
    silt_recipe_destroy(wetter);
    silt_pantry_destroy(pantry);
    silt_recipe_destroy(recipe);
}

static void another_stage_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } others[] = {
        {"terrain: {new: noise, size: 24, seed: 3}\nstages: [{erode: pipes, steps: 9, set: {rain: 11}}]\n",
         "rain = 10, not 11"},
        {"terrain: {new: noise, size: 24, seed: 4}\nstages: [{erode: pipes, steps: 9, set: {rain: 10}}]\n",
         "another seed"},
        {"terrain: {new: noise, size: 25, seed: 3}\nstages: [{erode: pipes, steps: 9, set: {rain: 10}}]\n",
         "another terrain to begin with"},
        {"terrain: {new: noise, size: 24, seed: 3}\nstages: [{erode: newton, steps: 9}]\n",
         "another stage at hand"},
        {"terrain: {new: noise, size: 24, seed: 3}\n"
         "stages: [{erode: pipes, steps: 9, pyramid: 1, set: {rain: 10}}]\n",
         "no pyramid"},
        {"terrain: {new: noise, size: 24, seed: 3}\n"
         "stages: [{erode: pipes, steps: 9, set: {rain: 10}, hands: \"2,set,rain,90\"}]\n",
         "other hands"},
        {"terrain: {new: noise, size: 24, seed: 3}\nstages: [{scale: height, by: 2}]\n", "only models"},
    };
    const char *text =
        "terrain: {new: noise, size: 24, seed: 3}\nstages: [{erode: pipes, steps: 9, set: {rain: 10}}]\n";
    const char *path = test_path("refused.silt");
    keep_recipe(text, NULL, 0, 5, SILT_CANCELLED, path);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        SiltRecipe *recipe = recipe_of(others[k].text, NULL, 0);
        SiltTerrain *terrain;
        SiltErosion *erosion;
        SiltDuration duration;
        int hands;
        assert_fails(silt_recipe_go_on_live(recipe, 0, NULL, path, &terrain, &erosion, &duration, &hands),
                     SILT_BAD_ARGUMENT, others[k].words);
        assert_null(terrain);
        assert_null(erosion);
        silt_recipe_destroy(recipe);
    }
    // a longer stage is the same one
    SiltRecipe *longer = recipe_of(
        "terrain: {new: noise, size: 24, seed: 3}\nstages: [{erode: pipes, steps: 20, set: {rain: 10}}]\n",
        NULL, 0);
    int64_t from;
    play_live(longer, 0, NULL, path, &from);
    assert_true(from > 0);
    silt_recipe_destroy(longer);
}

// ---- hands ----

static void hands_go_on(void **state)
{
    (void)state;
    static const char text[] =
        "terrain: {new: noise, size: 32, cell: 4, seed: 3, set: {relief: 60}}\n"
        "stages:\n"
        "  - erode: pipes\n"
        "    steps: 20\n"
        "    hands: \"2,set,rain,90;4,raise,60,60,80,70,30,3,0.5,0,1;15,set,rain,5\"\n";
    const char *path = test_path("hands.silt");
    uint64_t wanted = whole_of(text, NULL, 0);
    keep_recipe(text, NULL, 0, 9, SILT_CANCELLED, path);
    SiltRecipe *recipe = taken_up(path, 0);
    SiltPantry *pantry = pantry_with(path);
    int64_t from;
    int frames;
    assert_true(play_live(recipe, 0, pantry, path, &from) == wanted);
    assert_true(from > 4 && from < 15);
    assert_true(cook_from(recipe, pantry, &frames) == wanted);
    assert_true(frames <= 20 - from + 1);
    silt_pantry_destroy(pantry);
    silt_recipe_destroy(recipe);
}

// ---- one stage without a recipe ----

static void a_stage_alone_becomes_a_recipe(void **state)
{
    (void)state;
    const char *path = test_path("alone $5.silt");
    const SiltModel *model = silt_model_find("pipes");
    void *params = silt_params_new(silt_model_params(model));
    assert_ok(silt_params_assign(silt_model_params(model), params, "test", "rain=33"));
    assert_ok(silt_params_assign(silt_model_params(model), params, "test", "sources=20,20,3,50,0,0,0"));
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = 18;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(30, 34, 2.0);
        make_rough(terrain, 7, 12.0f);
        SiltCheckpoint *kept;
        Watcher watcher = {.left = k == 0 ? INT_MAX : 6};
        SiltRun run = {.seed = 5, .user = &watcher, .frame = look, .frame_interval = 1e-9};
        assert_ok(silt_checkpoint_create(&kept));
        assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
        silt_checkpoint_attach(kept, &run);
        assert_int_equal(silt_erode_as(model, terrain, params, &options, &run, NULL),
                         k == 0 ? SILT_OK : SILT_CANCELLED);
        silt_checkpoint_destroy(kept);
        silt_terrain_settle(terrain);
        hash[k] = hash_of(terrain);
        silt_terrain_destroy(terrain);
    }
    silt_params_delete(silt_model_params(model), params);
    SiltStack *stack;
    int stage;
    SiltStatus status = silt_stack_from_checkpoint(path, &stack, &stage);
    if (status == SILT_MISSING_FEATURE)
        skip();
    assert_ok(status);
    silt_stack_destroy(stack);
    SiltRecipe *recipe = taken_up(path, 0);
    SiltPantry *pantry = pantry_with(path);
    int64_t from;
    int frames;
    assert_true(play_live(recipe, 0, pantry, path, &from) == hash[0]);
    assert_true(from > 0 && from < 18);
    assert_true(cook_from(recipe, pantry, &frames) == hash[0]);
    assert_true(frames < 18);
    silt_pantry_destroy(pantry);
    silt_recipe_destroy(recipe);
}

// ---- where no hand can reach ----

static void what_cannot_go_on_by_hand_is_refused(void **state)
{
    (void)state;
    const char *path = test_path("climb.silt");
    static const char climbs[] = "terrain: {new: noise, size: 64, seed: 3}\n"
                                 "stages: [{erode: pipes, steps: 40, pyramid: 1}]\n";
    SiltStack *stack;
    int stage;
    keep_recipe(climbs, NULL, 0, 3, SILT_CANCELLED, path);
    assert_fails(silt_stack_from_checkpoint(path, &stack, &stage), SILT_BAD_ARGUMENT, "pyramid");
    assert_null(stack);
    SiltPantry *pantry;
    assert_ok(silt_pantry_create(1 << 20, &pantry));
    assert_fails(silt_pantry_go_on_from(pantry, path), SILT_BAD_ARGUMENT, "pyramid");
    assert_fails(silt_pantry_go_on_from(pantry, "not-there.silt"), SILT_IO_ERROR, "not-there.silt");
    silt_pantry_destroy(pantry);
    put_file(path, "SILT", 4);
    assert_int_equal(silt_stack_from_checkpoint(path, &stack, &stage), SILT_BAD_FILE);
}

// The n-th allocation fails, for every n, while a stage is taken up and cooked: it says so, or ends with the
// right bytes.
static void without_memory_nothing_is_wrong(void **state)
{
    (void)state;
    const char *path = test_path("memory.silt");
    static const char text[] = "terrain: {new: noise, size: 16, cell: 4, seed: 3, set: {relief: 60}}\n"
                               "stages:\n"
                               "  - {scale: height, by: 1.5}\n"
                               "  - {erode: pipes, steps: 6, hands: \"2,set,rain,90\"}\n";
    uint64_t wanted = whole_of(text, NULL, 0);
    keep_recipe(text, NULL, 0, 4, SILT_CANCELLED, path);
    int refused = 0;
    bool was_spared = false;
    for (long n = 1; !was_spared; n++) {
        SiltStack *stack = NULL;
        SiltRecipe *recipe = NULL;
        SiltPantry *pantry = NULL;
        SiltTerrain *terrain = NULL;
        int stage;
        silt_fail_allocation(n);
        SiltStatus status = silt_stack_from_checkpoint(path, &stack, &stage);
        if (status == SILT_OK)
            status = silt_stack_recipe(stack, &recipe);
        if (status == SILT_OK)
            status = silt_pantry_create(1 << 22, &pantry);
        if (status == SILT_OK)
            status = silt_pantry_go_on_from(pantry, path);
        SiltCook cook = {.pantry = pantry, .stages = -1};
        if (status == SILT_OK)
            status = silt_recipe_cook(recipe, &cook, &terrain);
        was_spared = silt_allocation_count() < n;
        silt_fail_allocation(0);
        // a recipe in hand keeps what it could not read as a fault of the stage
        if (status != SILT_OK && status != SILT_NO_MEMORY && !strstr(silt_message(), "not enough memory"))
            fail_msg("allocation %ld failed: %s", n, silt_message());
        if (status == SILT_OK && hash_of(terrain) != wanted)
            fail_msg("allocation %ld failed, and other bytes came", n);
        refused += status != SILT_OK;
        silt_terrain_destroy(terrain);
        silt_pantry_destroy(pantry);
        silt_recipe_destroy(recipe);
        silt_stack_destroy(stack);
    }
    assert_true(refused > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_goes_on),
        cmocka_unit_test(what_the_command_line_said_goes_on),
        cmocka_unit_test(others_begin_at_the_beginning),
        cmocka_unit_test(another_stage_is_refused),
        cmocka_unit_test(hands_go_on),
        cmocka_unit_test(a_stage_alone_becomes_a_recipe),
        cmocka_unit_test(what_cannot_go_on_by_hand_is_refused),
        cmocka_unit_test(without_memory_nothing_is_wrong),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
