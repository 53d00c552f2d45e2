// The player without a window: whatever is played, paused, scrubbed, painted and undone ends in the bytes of
// a plain run with the same hands; what is seen is what there is; and nobody waits.
#include "player_help.h"

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
    double before = fair_clock();
    Deadline late = in_seconds(5.0);
    player_stroke(screen.player, &hand.stroke);
    while (!take(&screen) && is_before(late))
        rest(0.0005);
    double waited = fair_clock() - before;
    print_message("seen after %.1f ms\n", 1e3 * waited);
    assert_true(waited < 1.0); // a few milliseconds, on a machine that does nothing else
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
    before = fair_clock();
    late = in_seconds(5.0);
    player_stroke(screen.player, &water);
    int i = 20, j = 96 - 1 - 20;
    while (silt_field_at(&screen.fields[1], i, j) < 15.0f && is_before(late)) {
        take(&screen);
        rest(0.0005);
    }
    assert_true(silt_field_at(&screen.fields[1], i, j) >= 15.0f);
    assert_true(fair_clock() - before < 1.0);
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

// Who draws gets a processor while steps are taken, and for no longer; the run is the same.
static void drawing_gets_a_processor_and_gives_it_back(void **state)
{
    (void)state;
    int all = silt_threads();
    bool shared = all < 2;
    Screen screen = {0};
    assert_ok(player_create(&(PlayerOptions){0}, &screen.player));
    player_want(screen.player, names, 4);
    live(&screen, LAND, PIPES);
    player_play(screen.player, true);
    for (int k = 0; k < 400 && !shared; k++) {
        player_make_room(screen.player, 1.0);
        watch(&screen, 0.002);
        shared = silt_threads() == all - 1;
        if (!state_of(&screen).playing) // on beyond its end
            player_play(screen.player, true);
    }
    assert_true(shared);
    player_make_room(screen.player, 0.0);
    assert_int_equal(silt_threads(), all);
    player_make_room(screen.player, 0.01); // a frame that never ends
    watch(&screen, 0.1);
    player_play(screen.player, false);
    settle(&screen);
    assert_int_equal(silt_threads(), all);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, state_of(&screen).step));
    end(&screen);
}

// Ground that wears away slowly may come less often than water; what is seen at last is all there is.
static void water_comes_sooner_than_ground(void **state)
{
    (void)state;
    Screen screen;
    begin(&screen, 0);
    live(&screen, LAND, PIPES);
    player_spare_layers(screen.player, 3600.0);
    player_speed(screen.player, PLAYER_STEPS,
                 50.0); // who waits for three frames on a busy machine is not at its end
    player_play(screen.player, true);
    for (int k = 0; k < 3000 && screen.frames < 3; k++)
        watch(&screen, 0.02);
    assert_true(screen.frames >= 3);
    // a frame that was not taken in time, as on a busy machine, is followed by all of it
    uint64_t ground = 0;
    bool is_spared = false;
    for (int tries = 0; tries < 12 && !is_spared; tries++) {
        uint64_t water = silt_field_hash(&screen.fields[1]);
        int64_t step = state_of(&screen).step;
        ground = silt_field_hash(&screen.fields[0]);
        for (int k = 0; k < 3000 && state_of(&screen).step < step + 25; k++)
            watch(&screen, 0.02);
        assert_true(state_of(&screen).playing);
        assert_true(silt_field_hash(&screen.fields[1]) != water);
        is_spared = silt_field_hash(&screen.fields[0]) == ground;
    }
    assert_true(is_spared);
    player_play(screen.player, false);
    settle(&screen);
    assert_true(silt_field_hash(&screen.fields[0]) != ground);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, state_of(&screen).step));
    // to the end by itself
    player_speed(screen.player, PLAYER_AS_FAST_AS_IT_CAN, 0.0);
    player_play(screen.player, true);
    for (int k = 0; k < 600 && state_of(&screen).playing; k++)
        watch(&screen, 0.1);
    settle(&screen);
    assert_true(seen(&screen) == plain(LAND, PIPES, NULL, 0, 400));
    // with patience the ground comes while it plays
    player_spare_layers(screen.player, 0.05);
    ground = silt_field_hash(&screen.fields[0]);
    player_play(screen.player, true);
    for (int k = 0; k < 600 && silt_field_hash(&screen.fields[0]) == ground; k++)
        watch(&screen, 0.1);
    assert_true(silt_field_hash(&screen.fields[0]) != ground);
    end(&screen);
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
        cmocka_unit_test(drawing_gets_a_processor_and_gives_it_back),
        cmocka_unit_test(water_comes_sooner_than_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
