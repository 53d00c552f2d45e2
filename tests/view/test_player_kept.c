// A run that was kept goes on in a player: it waits at the step it had come to, and leads back and forth to
// the same bytes as one that nobody interrupted.
#include "player_help.h"

#include "../files.h"
#include "silt/checkpoint.h"

static SiltStatus look(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain, (void)index;
    return (*(int *)user)-- > 0 ? SILT_OK : silt_fail(SILT_CANCELLED, "stopped");
}

// As `silt run --checkpoint` leaves it when it is stopped.
static const char *keep(const char *text, int frames)
{
    const char *path = test_path("kept.silt");
    SiltRecipe *recipe = recipe_of(text);
    SiltCheckpoint *kept;
    SiltTerrain *terrain = NULL;
    SiltRun run = {.user = &frames, .frame = look, .frame_interval = 1e-9};
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0)); // only where it is stopped
    assert_ok(silt_checkpoint_set_text(kept, "recipe", text));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(silt_recipe_grow(recipe, &run, &terrain), SILT_CANCELLED);
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    silt_recipe_destroy(recipe);
    return path;
}

static uint64_t grown(const char *text)
{
    SiltRecipe *recipe = recipe_of(text);
    SiltTerrain *terrain;
    assert_ok(silt_recipe_grow(recipe, NULL, &terrain));
    uint64_t hash = terrain_hash(terrain);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return hash;
}

static void it_goes_on_and_back(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    player_go_on_from(screen.player, keep(LAND, 60));
    player_live(screen.player, recipe_of(LAND), PIPES);
    settle(&screen);
    int64_t from = state_of(&screen).step;
    assert_int_equal(screen.source, PLAYER_BEGAN);
    assert_true(from > 20 && from < 60);
    assert_int_equal(state_of(&screen).fault_number, 0);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, from));
    player_go_to(screen.player, from + 30);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, from + 30));
    player_go_to(screen.player, 10); // before what was kept
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 10);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 10));
    player_go_to(screen.player, from + 5);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, from + 5));
    player_finish(screen.player);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_FINISHED);
    assert_true(terrain_hash(screen.terrain) == grown(LAND));
    end(&screen);
}

// On the way that a cook takes, too; and with what hands do from there on.
static void it_is_cooked_from_there(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    player_go_on_from(screen.player, keep(LAND, 60));
    player_cook(screen.player, recipe_of(LAND), -1);
    settle(&screen);
    assert_int_equal(screen.source, PLAYER_COOKED);
    assert_true(terrain_hash(screen.terrain) == grown(LAND));
    player_live(screen.player, recipe_of(LAND), PIPES);
    settle(&screen);
    SiltHand hand = {.step = state_of(&screen).step + 4, .stroke = dab(SILT_BRUSH_RAISE, 400.0, 300.0, 12.0)};
    player_step(screen.player, 4);
    player_stroke(screen.player, &hand.stroke);
    player_step(screen.player, 6);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, hand.step + 6));
    player_undo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, hand.step + 6));
    end(&screen);
}

// It says why, once, and begins at the beginning.
static void another_run_begins_at_its_beginning(void **state)
{
    (void)state;
    const char *other = "terrain: {new: noise, size: 96, cell: 10, seed: 5, set: {relief: 200}}\n"
                        "stages:\n"
                        "  - {erode: thermal, steps: 5}\n"
                        "  - {erode: pipes, steps: 400, set: {rain: 41}}\n";
    Screen screen;
    begin(&screen, 0);
    player_go_on_from(screen.player, keep(LAND, 60));
    player_live(screen.player, recipe_of(other), PIPES);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 0);
    assert_int_equal(state_of(&screen).fault_number, 1);
    assert_non_null(strstr(state_of(&screen).fault, "rain = 40, not 41; the stage begins at its beginning"));
    assert_true(state_of(&screen).fault_kept);
    assert_true(seen(&screen) == plain(other, PIPES, NULL, 0, 0));
    player_live(screen.player, recipe_of(other), PIPES);
    settle(&screen);
    assert_int_equal(state_of(&screen).fault_number, 1);
    player_live(screen.player, recipe_of(LAND), PIPES); // back again
    settle(&screen);
    assert_true(state_of(&screen).step > 20);
    player_go_on_from(screen.player, NULL);
    player_live(screen.player, recipe_of(LAND), PIPES);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 0);
    player_go_on_from(screen.player, "not-there.silt");
    player_live(screen.player, recipe_of(LAND), PIPES);
    settle(&screen);
    assert_int_equal(state_of(&screen).step, 0);
    assert_int_equal(state_of(&screen).fault_number, 2);
    assert_non_null(strstr(state_of(&screen).fault, "not-there.silt"));
    end(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_on_and_back),
        cmocka_unit_test(it_is_cooked_from_there),
        cmocka_unit_test(another_run_begins_at_its_beginning),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
