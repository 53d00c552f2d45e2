// What a player cooks: recipes with what hands did, the newest first, previews before the whole, volumes; and
// what frames cost the model.
#include "player_help.h"

// ---- what was done by hand is in the recipe ----

static void what_hands_did_is_a_recipe(void **state)
{
    (void)state;
    const char *text = LAND;
    Screen screen;
    begin(&screen, 0);
    live(&screen, text, PIPES);
    SiltStroke stroke = dab(SILT_BRUSH_RAISE, 1000.0 / 3.0, 300.0, 12.0);
    player_step(screen.player, 11);
    player_stroke(screen.player, &stroke);
    player_step(screen.player, 20);
    player_set(screen.player, "rain", "75.5");
    player_finish(screen.player);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_FINISHED);
    assert_int_equal(state_of(&screen).step, 31);
    char *hands = player_hands(screen.player);
    player_stroke(screen.player, &stroke); // one that nobody has waited for is there too
    char *more = player_hands(screen.player);
    assert_true(strlen(more) > strlen(hands));
    silt_free(more);
    player_undo(screen.player);
    SiltStack *stack;
    SiltRecipe *recipe;
    SiltTerrain *cooked;
    assert_ok(silt_stack_read_text("test", text, &stack));
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, PIPES, SILT_KEYS_ENTRY, "hands", hands));
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_grow(recipe, NULL, &cooked));
    assert_true(terrain_hash(cooked) == terrain_hash(screen.terrain));
    // opened again, the hands lie ahead and do the same
    char *whole = silt_stack_text(stack);
    uint64_t before = plain(text, PIPES, NULL, 0, 0);
    player_step(screen.player, 30);
    settle(&screen);
    uint64_t after = seen(&screen);
    live(&screen, whole, PIPES);
    assert_true(seen(&screen) == before);
    assert_int_equal(state_of(&screen).hand_count, 2);
    player_go_to(screen.player, 61);
    settle(&screen);
    assert_true(seen(&screen) == after);
    player_set_hands(screen.player, "");
    settle(&screen);
    assert_true(seen(&screen) == plain(text, PIPES, NULL, 0, 61));
    player_undo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == after);
    silt_free(whole);
    silt_free(hands);
    silt_terrain_destroy(cooked);
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
    end(&screen);
}

// ---- cooking ----

static double cook_small(const char *text, int side)
{
    SiltRecipe *recipe = recipe_of(text);
    SiltCook cook = {.longest_side = side, .stages = -1};
    SiltTerrain *terrain;
    double begun = silt_wall_clock();
    assert_ok(silt_recipe_cook(recipe, &cook, &terrain));
    double seconds = silt_wall_clock() - begun;
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return seconds;
}

// A land whose preview takes too long is not waited for: a smaller preview comes, long before the whole.
static void a_smaller_preview_takes_the_place_of_a_slow_one(void **state)
{
    (void)state;
    static const char form[] =
        "terrain: {new: noise, size: 768, extent: 7680, seed: 5}\nstages:\n  - erode: pipes\n    steps: %d\n";
    char text[200];
    snprintf(text, sizeof text, form, 200);
    double quickest = INFINITY; // what else the machine does must not pass for what the work takes
    for (int k = 0; k < 5; k++)
        quickest = fmin(quickest, cook_small(text, 128));
    int steps =
        (int)fmin(fmax(200.0 * 2.0 / quickest, 200.0), 1e6); // 2 s on this machine: over half a second
    snprintf(text, sizeof text, form, steps);
    Screen screen;
    begin(&screen, 0);
    player_cook(screen.player, recipe_of(text), -1);
    for (Deadline end = in_seconds(20.0); is_before(end) && !screen.terrain; rest(0.005))
        take(&screen);
    assert_non_null(screen.terrain);
    assert_int_equal(screen.source, PLAYER_PREVIEW);
    assert_true(screen.terrain->width < 128);
    player_cancel(screen.player);
    end(&screen);
}

static void the_newest_recipe_is_cooked(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    const char *big =
        "terrain: {new: noise, size: 400, seed: 5}\nstages:\n  - erode: rivers\n    steps: 500\n";
    uint64_t first = player_cook(screen.player, recipe_of(big), -1);
    watch(&screen, 0.5);
    assert_true(state_of(&screen).work == PLAYER_COOKS || state_of(&screen).work == PLAYER_SKETCHES);
    assert_int_equal(state_of(&screen).recipe, first);
    player_cook(screen.player, recipe_of(LAND), -1);
    uint64_t last = player_cook(screen.player, recipe_of(LAND), 1);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_COOKED);
    assert_int_equal(screen.recipe, last);
    assert_int_equal(screen.terrain->width, 96);
    SiltRecipe *recipe = recipe_of(LAND);
    SiltTerrain *cooked;
    SiltCook cook = {.stages = 1};
    assert_ok(silt_recipe_cook(recipe, &cook, &cooked));
    assert_true(terrain_hash(cooked) == terrain_hash(screen.terrain));
    // beside what is shown: how it was before a stage
    player_cook(screen.player, recipe_of(LAND), -1);
    player_before(screen.player, recipe_of(LAND), 1);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_COOKED);
    assert_non_null(screen.before);
    assert_true(terrain_hash(cooked) == terrain_hash(screen.before));
    assert_false(terrain_hash(cooked) == terrain_hash(screen.terrain));
    silt_terrain_destroy(cooked);
    silt_recipe_destroy(recipe);
    assert_int_equal(state_of(&screen).fault_number, 0);
    end(&screen);
}

static void a_cook_is_soon_cancelled(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        player_cook(screen.player,
                    recipe_of("terrain: {new: noise, size: 300, seed: 5}\nstages:\n  - erode: pipes\n"
                              "    steps: 100000\n"),
                    -1);
        for (int n = 0; n < 1000 && !(state_of(&screen).stage == 0 && state_of(&screen).share > 0.0); n++)
            watch(&screen, 0.01);
        assert_int_equal(state_of(&screen).stage, 0);
        double before = fair_clock();
        player_cancel(screen.player);
        assert_true(player_wait(screen.player, 60.0));
        longest = fmax(longest, fair_clock() - before);
    }
    print_message("cancelled after %.0f ms at the most\n", 1e3 * longest);
    assert_true(longest < 2.0); // all of it would take minutes
    end(&screen);
}

static void previews_come_first_and_keep_coming(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    int previews = 0;
    uint64_t shown = 0;
    Deadline end_of_drag = in_seconds(2.0);
    for (int k = 0; is_before(end_of_drag); k++) { // a slider that is dragged
        char text[256];
        snprintf(text, sizeof text,
                 "terrain: {new: noise, size: 1024, seed: %d}\nstages:\n  - erode: thermal\n    steps: 20\n",
                 k);
        player_sketch(screen.player, recipe_of(text), -1);
        rest(0.02);
        take(&screen);
        previews += screen.recipe != shown;
        shown = screen.recipe;
    }
    print_message("%.1f previews a second, %d cells along the last, in %.0f ms\n", 0.5 * previews,
                  state_of(&screen).preview_side, 1e3 * state_of(&screen).preview_seconds);
    assert_true(previews >= 5);
    assert_int_equal(screen.source, PLAYER_PREVIEW);
    assert_true(screen.terrain->width <= 512);
    player_cook(screen.player, recipe_of(LAND), -1);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_COOKED);
    end(&screen);
}

static void faults_are_told(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    player_cook(screen.player, recipe_of("terrain: {read: /nowhere/at-all.tif}\n"), -1);
    settle(&screen);
    assert_true(state_of(&screen).fault_number > 0);
    assert_non_null(strstr(state_of(&screen).fault, "at-all.tif"));
    player_live(screen.player, recipe_of(LAND), 7);
    player_play(screen.player, true);
    settle(&screen);
    assert_false(state_of(&screen).live);
    assert_non_null(strstr(state_of(&screen).fault, "8"));
    end(&screen);
}

static void it_ends_in_the_middle_of_anything(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_play(screen.player, true);
    watch(&screen, 0.05);
    end(&screen);
    begin(&screen, 0);
    player_cook(screen.player, recipe_of(LAND), -1);
    end(&screen);
    begin(&screen, 0);
    player_live(screen.player, recipe_of(LAND), PIPES);
    player_play(screen.player, true);
    player_cook(screen.player, recipe_of(LAND), -1);
    player_live(screen.player, recipe_of(LAND), PIPES);
    player_finish(screen.player);
    end(&screen);
}

// ---- particles and volumes ----

static void a_volume_shows_its_surface_and_its_water(void **state)
{
    (void)state;
    const char *text =
        "terrain: {new: noise, size: 32, cell: 1, seed: 5, set: {relief: 12}}\nstages:\n"
        "  - erode: voxel\n    steps: 40\n    set: {particles: 2000, rain: 1e6, headroom: 10}\n";
    Screen screen;
    begin(&screen, 0);
    live(&screen, text, 0);
    assert_true(screen.triangles > 1000);
    play_for(&screen, 0.2);
    assert_true(screen.particles > 0);
    assert_int_equal(screen.particles, state_of(&screen).particles);
    int64_t step = state_of(&screen).step;
    assert_true(seen(&screen) == plain(text, 0, NULL, 0, step));
    SiltHand hand = {.step = step,
                     .stroke = {.brush = SILT_BRUSH_CARVE,
                                .from = {16, 16},
                                .to = {16, 16},
                                .radius = 4,
                                .strength = 1,
                                .level = (double)silt_field_at(&screen.fields[0], 16, 15)}};
    uint64_t before = seen(&screen);
    player_stroke(screen.player, &hand.stroke);
    settle(&screen);
    assert_int_equal(state_of(&screen).fault_number, 0);
    assert_true(seen(&screen) == plain(text, 0, &hand, 1, step));
    assert_true(state_of(&screen).ledger.rock.by_hand < -50.0);
    player_undo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == before);
    end(&screen);
}

// ---- what it costs ----

// Seconds of all processors: others may use them too.
static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What a step of a run costs that nobody looks at.
static double plain_cost(const char *text, double seconds)
{
    SiltRecipe *recipe = recipe_of(text);
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration duration;
    SiltCook cook = {.run = &(SiltRun){.threads = 2}};
    assert_ok(silt_recipe_begin_live(recipe, 0, &cook, &terrain, &run, &duration));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 50}));
    double began = silt_wall_clock(), used = cpu_clock();
    while (silt_wall_clock() < began + seconds)
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 50}));
    double cost = (cpu_clock() - used) / (double)(silt_erosion_report(run)->steps - 50);
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return cost;
}

static void frames_and_snapshots_keep_to_their_share(void **state)
{
    (void)state;
    const char *text =
        "terrain: {new: noise, size: 256, cell: 10, seed: 5}\nstages:\n  - erode: pipes\n    steps: 100000\n";
    double alone = plain_cost(text, 0.5);
    Screen screen;
    begin(&screen, 0);
    live(&screen, text, 0);
    player_play(screen.player, true);
    watch(&screen, 0.5);
    int64_t before = state_of(&screen).step;
    double used = cpu_clock();
    watch(&screen, 2.0);
    PlayerState now = state_of(&screen);
    double played = (cpu_clock() - used) / (double)(now.step - before);
    end(&screen);
    alone = 0.5 * (alone + plain_cost(text, 0.5));
    print_message(
        "a step: %.0f us alone, %.0f us played (%.2f of it); %.1f %% of the time for upkeep, %d frames\n",
        1e6 * alone, 1e6 * played, played / alone, 100.0 * now.frame_share, screen.frames);
    assert_true(now.steps_per_second > 0.0);
    assert_true(now.frame_share < 0.15);
    assert_true(screen.frames > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hands_did_is_a_recipe),
        cmocka_unit_test(a_smaller_preview_takes_the_place_of_a_slow_one),
        cmocka_unit_test(the_newest_recipe_is_cooked),
        cmocka_unit_test(a_cook_is_soon_cancelled),
        cmocka_unit_test(previews_come_first_and_keep_coming),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(it_ends_in_the_middle_of_anything),
        cmocka_unit_test(a_volume_shows_its_surface_and_its_water),
        cmocka_unit_test(frames_and_snapshots_keep_to_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
