// The player without a window: whatever is played, paused, scrubbed, painted and undone ends in the bytes of
// a plain run with the same hands; what is seen is what there is; and nobody waits.
#include "../test.h"

#include <time.h>

#include "../../apps/view/player.h"
#include "silt/parallel.h"
#include "silt/volume.h"

#define LAND                                                                                                 \
    "terrain: {new: noise, size: 96, cell: 10, seed: 5, set: {relief: 200}}\n"                               \
    "stages:\n"                                                                                              \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 5\n"                                                                                         \
    "  - erode: pipes\n"                                                                                     \
    "    steps: 400\n"                                                                                       \
    "    set: {rain: 40}\n"
enum { PIPES = 1 };

// ---- what a window does with news ----

typedef struct Screen {
    Player *player;
    SiltField fields[4]; // as the layers' names below
    SiltTerrain *terrain, *before;
    PlayerSource source;
    uint64_t recipe;
    int frames, whole_frames; // taken, and of them those that brought all of a layer
    SiltRect last;
    int particles;
    size_t triangles;
} Screen;

static const char *const names[] = {"height", "water", "sediment", "ice"};

static void begin(Screen *screen, uint64_t snapshot_bytes)
{
    *screen = (Screen){0};
    PlayerOptions options = {.threads = 2, .snapshot_bytes = snapshot_bytes};
    assert_ok(player_create(&options, &screen->player));
    player_want(screen->player, names, 4);
}

static void end(Screen *screen)
{
    player_destroy(screen->player);
    silt_terrain_destroy(screen->terrain);
    silt_terrain_destroy(screen->before);
    for (int k = 0; k < 4; k++)
        silt_field_destroy(&screen->fields[k]);
}

static void take_layer(Screen *screen, const PlayerLayer *layer)
{
    for (int k = 0; k < 4; k++) {
        SiltField *field = &screen->fields[k];
        if (strcmp(layer->name, names[k]) != 0)
            continue;
        if (!field->data)
            assert_ok(silt_field_create(screen->terrain->width, screen->terrain->height, field));
        for (int j = 0; j < layer->rect.height; j++)
            memcpy(silt_field_row(field, layer->rect.j + j) + layer->rect.i,
                   layer->values + (size_t)j * layer->stride, (size_t)layer->rect.width * sizeof(float));
    }
}

static bool take(Screen *screen)
{
    PlayerNews news;
    if (!player_take(screen->player, &news))
        return false;
    if (news.terrain) {
        silt_terrain_destroy(screen->terrain);
        screen->terrain = news.terrain;
        screen->source = news.source;
        screen->recipe = news.recipe;
        for (int k = 0; k < 4 && news.source == PLAYER_BEGAN; k++)
            silt_field_destroy(&screen->fields[k]);
    }
    for (int k = 0; k < news.layer_count; k++)
        take_layer(screen, &news.layers[k]);
    if (news.layer_count > 0) {
        screen->frames++;
        screen->last = news.layers[0].rect;
        screen->whole_frames += screen->last.width == screen->fields[0].width;
    }
    screen->particles = news.particles ? news.particles->count : screen->particles;
    screen->triangles = news.surface ? news.surface->triangle_count : screen->triangles;
    if (news.before) {
        silt_terrain_destroy(screen->before);
        screen->before = news.before;
    }
    player_give_back(screen->player, &news);
    return true;
}

static void settle(Screen *screen)
{
    assert_true(player_wait(screen->player, 60.0));
    while (take(screen))
        ;
}

static void rest(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// As a window that draws: takes what is new, for so long.
static void watch(Screen *screen, double seconds)
{
    for (double until = silt_wall_clock() + seconds; silt_wall_clock() < until; rest(0.005))
        take(screen);
}

static PlayerState state_of(Screen *screen)
{
    PlayerState state;
    player_state(screen->player, &state);
    return state;
}

static uint64_t seen(const Screen *screen)
{
    uint64_t hash = 1;
    for (int k = 0; k < 4; k++)
        if (screen->fields[k].data)
            hash = hash * 31 + silt_field_hash(&screen->fields[k]);
    return hash;
}

// ---- a plain run ----

static SiltRecipe *recipe_of(const char *text)
{
    SiltStack *stack;
    SiltRecipe *recipe;
    assert_ok(silt_stack_read_text("test", text, &stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    silt_stack_destroy(stack);
    return recipe;
}

// What a run shows after so many steps with these hands.
static uint64_t plain(const char *text, int stage, const SiltHand *hands, int count, int64_t steps)
{
    SiltRecipe *recipe = recipe_of(text);
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration duration;
    assert_ok(silt_recipe_begin_live(recipe, stage, NULL, &terrain, &run, &duration));
    for (int k = 0; k < count; k++) {
        int64_t left = hands[k].step - silt_erosion_report(run)->steps;
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = left}));
        assert_ok(silt_hand_run(&hands[k], run));
    }
    int64_t left = steps - silt_erosion_report(run)->steps;
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = left}));
    uint64_t hash = 1;
    for (int k = 0; k < 4; k++) {
        SiltLayerView view;
        SiltField copy = {0};
        if (silt_erosion_view(run, names[k], NULL, &view) != SILT_OK)
            continue;
        assert_ok(silt_field_create(view.width, view.height, &copy));
        for (int j = 0; j < view.height; j++)
            memcpy(silt_field_row(&copy, j), view.data + (size_t)j * view.stride,
                   (size_t)view.width * sizeof(float));
        hash = hash * 31 + silt_field_hash(&copy);
        silt_field_destroy(&copy);
    }
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return hash;
}

static SiltStroke dab(SiltBrush brush, double x, double y, double strength)
{
    return (SiltStroke){.brush = brush,
                        .from = {x, y},
                        .to = {x, y},
                        .radius = 80.0,
                        .strength = strength,
                        .softness = 0.5,
                        .seed = 3};
}

static void live(Screen *screen, const char *text, int stage)
{
    uint64_t number = player_live(screen->player, recipe_of(text), stage);
    settle(screen);
    assert_int_equal(screen->source, PLAYER_BEGAN);
    assert_int_equal(screen->recipe, number);
    assert_true(state_of(screen).live);
    assert_int_equal(state_of(screen).step, 0);
}

static void play_for(Screen *screen, double seconds)
{
    int64_t before = state_of(screen).step;
    player_play(screen->player, true);
    for (int k = 0; k < 100 && state_of(screen).step <= before; k++)
        watch(screen, seconds);
    player_play(screen->player, false);
    settle(screen);
    assert_false(state_of(screen).playing);
    assert_true(state_of(screen).step > before);
}

// ---- playing ----

static void playing_and_pausing_is_a_plain_run(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 0));
    player_step(screen.player, 1);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 1);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 1));
    play_for(&screen, 0.1);
    player_speed(screen.player, PLAYER_STEPS, 200.0);
    play_for(&screen, 0.1);
    player_step(screen.player, 7);
    settle(&screen);
    PlayerState now = state_of(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, now.step));
    assert_true(now.time > 0.0 && screen.frames > 3);
    assert_true(silt_account_imbalance_fraction(&now.ledger.water) < 1e-4);
    assert_true(now.ledger.water.stored > 0.0);
    end(&screen);
}

static void it_pauses_at_its_end_and_goes_beyond_when_asked(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_play(screen.player, true);
    for (int k = 0; k < 600 && (k == 0 || state_of(&screen).playing || state_of(&screen).step == 0); k++)
        watch(&screen, 0.1);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 400);
    assert_int_equal(state_of(&screen).last_step, 400);
    play_for(&screen, 0.05);
    assert_true(state_of(&screen).step > 400);
    end(&screen);
}

static void any_step_can_be_gone_back_to(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    play_for(&screen, 1.5);
    int64_t last = state_of(&screen).step;
    assert_true(state_of(&screen).mark_count >= 1);
    const int64_t steps[] = {last / 2, 0, last / 3, last};
    for (int k = 0; k < 4; k++) {
        player_go_to(screen.player, steps[k] + 5); // of several wishes the last counts
        player_go_to(screen.player, steps[k]);
        settle(&screen);
        assert_int_equal(state_of(&screen).step, steps[k]);
        assert_true(state_of(&screen).furthest >= last);
        assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, steps[k]));
    }
    player_go_to(screen.player, last / 2);
    settle(&screen);
    play_for(&screen, 0.05); // and on from there
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, state_of(&screen).step));
    end(&screen);
}

static void the_time_line_keeps_to_its_memory(void **state)
{
    (void)state;
    const uint64_t most = 4 << 20;
    Screen screen;
    begin(&screen, most);
    live(&screen, LAND, PIPES);
    for (int k = 0; k < 8; k++) {
        SiltStroke stroke = dab(SILT_BRUSH_RAISE, 300.0 + 20 * k, 400.0, 1.0);
        play_for(&screen, 0.02);
        player_stroke(screen.player, &stroke);
        play_for(&screen, 0.3);
        assert_true(state_of(&screen).snapshot_bytes <= most);
    }
    assert_int_equal(state_of(&screen).hand_count, 8);
    assert_int_equal(state_of(&screen).marks[0], 0);
    end(&screen);
}

// ---- hands ----

static void a_stroke_shows_in_the_next_frame(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_step(screen.player, 3);
    settle(&screen);
    SiltHand hand = {.step = 3, .stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0)};
    double before = silt_wall_clock();
    player_stroke(screen.player, &hand.stroke);
    while (!take(&screen) && silt_wall_clock() < before + 5.0)
        rest(0.0005);
    double waited = silt_wall_clock() - before;
    print_message("seen after %.1f ms\n", 1e3 * waited);
    assert_true(waited < 0.25); // a few milliseconds, on a machine that does nothing else
    assert_in_range(screen.last.width, 16, 20);
    assert_in_range(screen.last.height, 16, 20);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 3));
    assert_true(state_of(&screen).ledger.rock.by_hand > 0.0);
    // while it plays
    player_speed(screen.player, PLAYER_STEPS, 50.0);
    player_play(screen.player, true);
    watch(&screen, 0.2);
    SiltStroke water = dab(SILT_BRUSH_WATER, 200.0, 200.0, 30.0);
    before = silt_wall_clock();
    player_stroke(screen.player, &water);
    int i = 20, j = 96 - 1 - 20;
    while (silt_field_at(&screen.fields[1], i, j) < 15.0f && silt_wall_clock() < before + 5.0) {
        take(&screen);
        rest(0.0005);
    }
    assert_true(silt_wall_clock() - before < 0.25);
    end(&screen);
}

static void of_two_changes_the_last_counts(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_step(screen.player, 4);
    player_begin_group(screen.player, "rain");
    for (int k = 0; k < 50; k++) {
        char text[16];
        snprintf(text, sizeof text, "%d", 10 + k);
        player_set(screen.player, "rain", text);
    }
    player_set(screen.player, "rain", "90");
    player_end_group(screen.player);
    player_step(screen.player, 10);
    settle(&screen);
    SiltHand hand = {.step = 4, .name = "rain", .text = "90"};
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 14));
    assert_int_equal(state_of(&screen).hand_count, 1);
    // what is refused is told, and leaves nothing behind
    uint64_t faults = state_of(&screen).fault_number;
    player_set(screen.player, "rain", "-5");
    settle(&screen);
    assert_int_equal(state_of(&screen).fault_number, faults + 1);
    assert_non_null(strstr(state_of(&screen).fault, "rain"));
    assert_int_equal(state_of(&screen).hand_count, 1);
    end(&screen);
}

static void sources_come_move_and_go(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    const double first[7] = {300, 300, 5, 40, 0, 0, 0}, moved[7] = {350, 320, 8, 40, 0, 0, 0};
    player_source(screen.player, -1, first, 7);
    player_step(screen.player, 5);
    player_source(screen.player, 0, moved, 7);
    player_step(screen.player, 5);
    settle(&screen);
    PlayerState now = state_of(&screen);
    assert_int_equal(now.source_count, 1);
    assert_int_equal(now.source_columns, 7);
    assert_near(now.sources[0][0], 350.0, 0.0);
    SiltHand hands[2] = {{.step = 0, .name = "sources", .text = "300,300,5,40,0,0,0"},
                         {.step = 5, .name = "sources", .text = "350,320,8,40,0,0,0"}};
    assert_true(seen(&screen) == plain(LAND, PIPES, hands, 2, 10));
    player_source(screen.player, 0, NULL, 0);
    player_source(screen.player, 3, NULL, 0); // there is none
    settle(&screen);
    assert_int_equal(state_of(&screen).source_count, 0);
    assert_int_equal(state_of(&screen).fault_number, 1);
    end(&screen);
}

static void undo_is_as_though_it_had_never_been(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    SiltHand hands[4] = {{.stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0)},
                         {.stroke = dab(SILT_BRUSH_WATER, 300.0, 600.0, 4.0)},
                         {.stroke = dab(SILT_BRUSH_WATER, 340.0, 600.0, 4.0)},
                         {.stroke = dab(SILT_BRUSH_LOWER, 700.0, 300.0, 5.0)}};
    player_stroke(screen.player, &hands[0].stroke);
    play_for(&screen, 0.2);
    player_begin_group(screen.player, "water");
    player_stroke(screen.player, &hands[1].stroke);
    player_stroke(screen.player, &hands[2].stroke);
    player_end_group(screen.player);
    settle(&screen);
    hands[1].step = hands[2].step = state_of(&screen).step;
    play_for(&screen, 0.2);
    uint64_t both = seen(&screen);
    int64_t step = state_of(&screen).step;
    assert_true(both == plain(LAND, PIPES, hands, 3, step));
    assert_string_equal(state_of(&screen).undo_name, "water");
    player_undo(screen.player);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, step);
    assert_true(seen(&screen) == plain(LAND, PIPES, hands, 1, step));
    player_undo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, step));
    assert_false(state_of(&screen).can_undo);
    player_redo(screen.player);
    player_redo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == both);
    assert_false(state_of(&screen).can_redo);
    // a stroke that comes while it catches up loses nothing of what was there
    player_undo(screen.player);
    player_stroke(screen.player, &hands[3].stroke);
    settle(&screen);
    assert_int_equal(state_of(&screen).hand_count, 2);
    hands[1] = hands[3];
    hands[1].step = state_of(&screen).step;
    assert_true(seen(&screen) == plain(LAND, PIPES, hands, 2, hands[1].step));
    // gone back, other hands take the place of what lay ahead, and that can be undone too
    player_go_to(screen.player, 1);
    settle(&screen);
    player_stroke(screen.player, &hands[3].stroke);
    settle(&screen);
    assert_int_equal(state_of(&screen).hand_count, hands[1].step > 1 ? 2 : 3);
    player_undo(screen.player);
    player_go_to(screen.player, hands[1].step);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, hands, 2, hands[1].step));
    end(&screen);
}

static void without_room_for_states_it_begins_again(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 1);
    live(&screen, LAND, PIPES);
    SiltHand hand = {.stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0)};
    player_step(screen.player, 9);
    player_stroke(screen.player, &hand.stroke);
    player_step(screen.player, 3);
    player_undo(screen.player);
    settle(&screen);
    assert_int_equal(state_of(&screen).mark_count, 0);
    assert_int_equal(state_of(&screen).step, 12);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 12));
    player_redo(screen.player);
    player_go_to(screen.player, 10);
    settle(&screen);
    hand.step = 9;
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 10));
    end(&screen);
}

static void undoing_while_it_plays_goes_on_playing(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_play(screen.player, true);
    watch(&screen, 0.1);
    SiltStroke stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0);
    player_stroke(screen.player, &stroke);
    watch(&screen, 0.1);
    player_undo(screen.player);
    watch(&screen, 0.2);
    PlayerState now = state_of(&screen);
    assert_true(now.playing || now.target == 400);
    player_play(screen.player, false);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, state_of(&screen).step));
    end(&screen);
}

// ---- what was done by hand is in the recipe ----

static uint64_t terrain_hash(const SiltTerrain *terrain)
{
    return silt_field_hash(silt_terrain_layer(terrain, "height"));
}

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
        double before = silt_wall_clock();
        player_cancel(screen.player);
        assert_true(player_wait(screen.player, 10.0));
        longest = fmax(longest, silt_wall_clock() - before);
    }
    print_message("cancelled after %.0f ms at the most\n", 1e3 * longest);
    assert_true(longest < 0.3);
    end(&screen);
}

static void previews_come_first_and_keep_coming(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    int previews = 0;
    uint64_t shown = 0;
    double until = silt_wall_clock() + 2.0;
    for (int k = 0; silt_wall_clock() < until; k++) { // a slider that is dragged
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
        cmocka_unit_test(playing_and_pausing_is_a_plain_run),
        cmocka_unit_test(it_pauses_at_its_end_and_goes_beyond_when_asked),
        cmocka_unit_test(any_step_can_be_gone_back_to),
        cmocka_unit_test(the_time_line_keeps_to_its_memory),
        cmocka_unit_test(a_stroke_shows_in_the_next_frame),
        cmocka_unit_test(of_two_changes_the_last_counts),
        cmocka_unit_test(sources_come_move_and_go),
        cmocka_unit_test(undo_is_as_though_it_had_never_been),
        cmocka_unit_test(without_room_for_states_it_begins_again),
        cmocka_unit_test(undoing_while_it_plays_goes_on_playing),
        cmocka_unit_test(what_hands_did_is_a_recipe),
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
