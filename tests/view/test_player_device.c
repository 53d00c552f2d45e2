// The player on a device: what is seen is what the processor would show, wherever the run has been on its
// way.
#include "player_help.h"

#include "../../apps/view/player_inside.h"
#include "opencl/device.h"
#include "silt/device.h"

static char choice[160]; // the first device there is

static Screen begin_on(const char *where)
{
    Screen screen;
    begin(&screen, 0);
    player_work_on(screen.player, where);
    settle(&screen);
    return screen;
}

static void step(Screen *screen, int64_t steps)
{
    player_step(screen->player, steps);
    settle(screen);
}

static void a_run_on_a_device_is_a_plain_run(void **state)
{
    (void)state;
    Screen screen = begin_on(choice);
    assert_true(state_of(&screen).device[0] != '\0');
    assert_false(state_of(&screen).seeks_device);
    live(&screen, LAND, PIPES);
    assert_true(state_of(&screen).is_on_device);
    step(&screen, 9);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 9));
    SiltHand hand = {.step = 9, .stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0)};
    player_stroke(screen.player, &hand.stroke);
    step(&screen, 6);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 15));
    player_go_to(screen.player, 4);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 4));
    end(&screen);
}

// To the device and back in the middle, with what hands did, and undone on the other side.
static void a_run_moves_with_the_step_it_has(void **state)
{
    (void)state;
    Screen screen = begin_on("cpu");
    assert_int_equal(state_of(&screen).device[0], 0);
    live(&screen, LAND, PIPES);
    step(&screen, 5);
    SiltHand hand = {.step = 5, .stroke = dab(SILT_BRUSH_RAISE, 500.0, 300.0, 12.0)};
    player_stroke(screen.player, &hand.stroke);
    step(&screen, 3);
    player_work_on(screen.player, choice);
    settle(&screen);
    assert_true(state_of(&screen).is_on_device);
    assert_int_equal(state_of(&screen).step, 8);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 8));
    step(&screen, 4);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 12));
    player_undo(screen.player);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 12));
    player_redo(screen.player);
    player_work_on(screen.player, "cpu");
    settle(&screen);
    assert_false(state_of(&screen).is_on_device);
    step(&screen, 2);
    assert_true(seen(&screen) == plain(LAND, PIPES, &hand, 1, 14));
    end(&screen);
}

// What is asked for twice while it plays, and a device that is not there: the run goes on.
static void what_is_not_there_is_told(void **state)
{
    (void)state;
    Screen screen = begin_on("cpu");
    live(&screen, LAND, PIPES);
    player_play(screen.player, true);
    player_work_on(screen.player, "gpu:no such thing");
    watch(&screen, 0.2);
    for (int k = 0; k < 200 && state_of(&screen).seeks_device; k++)
        watch(&screen, 0.05);
    PlayerState now = state_of(&screen);
    assert_int_equal(now.fault_number, 1);
    assert_non_null(strstr(now.fault, "no such thing"));
    assert_true(now.playing || now.step == 400);
    assert_int_equal(now.device[0], 0);
    player_play(screen.player, false);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, state_of(&screen).step));
    end(&screen);
}

static void without_its_device_a_run_goes_on(void **state)
{
    (void)state;
    Screen screen = begin_on(choice);
    live(&screen, LAND, PIPES);
    step(&screen, 20);
    silt_device_fail(screen.player->device, SILT_IO_ERROR, "someone took it away");
    player_step(screen.player, 5);
    settle(&screen);
    PlayerState now = state_of(&screen);
    assert_non_null(strstr(now.fault, "someone took it away"));
    assert_non_null(strstr(now.fault, "goes on on the processor"));
    assert_true(now.live && !now.is_on_device && now.device[0] == '\0');
    assert_true(now.step >= 20);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, now.step));
    end(&screen);
}

// All stages of a recipe, cooked there.
static void a_cook_on_a_device_is_the_same(void **state)
{
    (void)state;
    static const char *const places[] = {"cpu", choice};
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        Screen screen = begin_on(places[k]);
        player_cook(screen.player, recipe_of(LAND), -1);
        settle(&screen);
        assert_int_equal(screen.source, PLAYER_COOKED);
        hash[k] = terrain_hash(screen.terrain);
        end(&screen);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    SiltDeviceInfo info;
    if (silt_device_count() == 0 || silt_device_info(0, &info) != SILT_OK)
        return 77; // skipped
    snprintf(choice, sizeof choice, "gpu:%s", info.name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_on_a_device_is_a_plain_run),
        cmocka_unit_test(a_run_moves_with_the_step_it_has),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(without_its_device_a_run_goes_on),
        cmocka_unit_test(a_cook_on_a_device_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
