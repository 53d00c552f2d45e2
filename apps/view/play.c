// Which stage plays, and how the recipe keeps what was done to it by hand.
#include "play.h"

#include <string.h>

#include "panel.h"
#include "timeline.h"
#include "tools.h"
#include "welcome.h"

bool is_playing(const View *view, int value)
{
    (void)value;
    PlayerState state;
    player_state(view->player, &state);
    return view->wish ? view->wish > 0 : state.playing;
}

// The player does it as soon as it can; until then the wish counts, so that Space twice is play and pause.
static void wish_to_play(View *view, bool playing)
{
    view->wish = playing ? 1 : -1;
    view->wished = g_get_monotonic_time();
    player_play(view->player, playing);
}

bool is_live(const View *view, int value)
{
    (void)value;
    PlayerState state;
    player_state(view->player, &state);
    return state.live;
}

// The picked stage where it is a model that is on; else the last such stage; -1: there is none.
static int stage_to_play(const View *view)
{
    SiltEntry entry;
    if (view->place == SILT_IN_STAGES &&
        silt_stack_entry(view->stack, SILT_IN_STAGES, view->index, &entry) == SILT_OK && entry.model &&
        entry.enabled)
        return view->index;
    for (int k = silt_stack_count(view->stack, SILT_IN_STAGES) - 1; k >= 0; k--)
        if (silt_stack_entry(view->stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model &&
            entry.enabled && !entry.skipped)
            return k;
    return -1;
}

// Begins the live run that is wanted, unless it is there. False: there is nothing to play.
static bool begin_live(View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    int stage = stage_to_play(view);
    if (stage < 0) {
        view_say(view, "Nothing flows here yet: add a stage of erosion first (Ctrl+Shift+A)");
        return false;
    }
    if (state.live && state.live_stage == stage)
        return true;
    play_keep_hands(view);
    SiltRecipe *recipe;
    if (!view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        return false;
    panel_forget_live(view->panel);
    player_live(view->player, recipe, stage);
    view_point_to(view, SILT_IN_STAGES, stage);
    return true;
}

void act_play(View *view, int value)
{
    (void)value;
    if (welcome_is_open(view->welcome))
        welcome_close(view->welcome);
    bool playing = is_playing(view, 0);
    if (playing || begin_live(view))
        wish_to_play(view, !playing);
    view_refresh(view);
}

void act_step(View *view, int steps)
{
    PlayerState state;
    if (!begin_live(view))
        return;
    wish_to_play(view, false);
    player_state(view->player, &state);
    if (steps > 0)
        player_step(view->player, steps);
    else if (state.live)
        player_go_to(view->player, MAX(0, state.target + steps));
}

void act_reset(View *view, int value)
{
    (void)value;
    panel_forget_live(view->panel);
    view->wish = -1;
    view->wished = g_get_monotonic_time();
    player_reset(view->player);
    view_refresh(view);
}

void act_back(View *view, int direction)
{
    PlayerState state;
    player_state(view->player, &state);
    int64_t to = direction < 0 ? 0 : state.furthest;
    for (int k = 0; k < state.mark_count; k++)
        if (direction < 0 ? state.marks[k] < state.step && state.marks[k] > to
                          : state.marks[k] > state.step && state.marks[k] < to)
            to = state.marks[k];
    player_go_to(view->player, to);
}

void act_pace(View *view, int direction)
{
    timeline_change_pace(view->timeline, direction);
}

void act_result(View *view, int value)
{
    (void)value;
    play_keep_hands(view);
    player_end_live(view->player);
    panel_forget_live(view->panel);
    view_cook_all(view);
}

// Both ends of a stage are its own options; one of them counts.
static bool set_end(View *view, int stage, int64_t steps)
{
    char text[32];
    g_snprintf(text, sizeof text, "%lld", (long long)steps);
    SiltStack *stack = view->stack;
    SiltEntry entry;
    if (silt_stack_entry(stack, SILT_IN_STAGES, stage, &entry) != SILT_OK)
        return false;
    SiltKeys keys =
        entry.tables[SILT_KEYS_OPTIONS] && silt_params_find(entry.tables[SILT_KEYS_OPTIONS], "steps") >= 0
            ? SILT_KEYS_OPTIONS
            : SILT_KEYS_ENTRY;
    silt_stack_begin_group(stack, "how long a stage takes");
    bool fine = view_ok(view, silt_stack_set(stack, SILT_IN_STAGES, stage, keys, "time", NULL)) &&
                view_ok(view, silt_stack_set(stack, SILT_IN_STAGES, stage, keys, "steps", text));
    silt_stack_end_stroke(stack);
    return fine;
}

void act_end_here(View *view, int value)
{
    (void)value;
    PlayerState state;
    player_state(view->player, &state);
    play_keep_hands(view);
    player_end_live(view->player);
    if (state.step > 0 && set_end(view, state.live_stage, state.step))
        view_say(view, "The stage now ends after %lld steps", (long long)state.step);
    view_changed(view);
}

bool play_keep_hands(View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    if (!state.live ||
        (state.hand_count == 0 &&
         !silt_stack_written(view->stack, SILT_IN_STAGES, state.live_stage, SILT_KEYS_ENTRY, "hands")))
        return false;
    char *hands = player_hands(view->player);
    const char *written =
        silt_stack_written(view->stack, SILT_IN_STAGES, state.live_stage, SILT_KEYS_ENTRY, "hands");
    bool changed = hands && g_strcmp0(hands, written ? written : "") != 0;
    if (changed)
        view_ok(view, silt_stack_set(view->stack, SILT_IN_STAGES, state.live_stage, SILT_KEYS_ENTRY, "hands",
                                     hands[0] ? hands : NULL));
    // hands that came after the stage's own end would be lost
    if (changed && hands[0] && state.last_step > 0 && state.step > state.last_step)
        set_end(view, state.live_stage, state.step);
    silt_free(hands);
    return changed;
}

void play_make_way(View *view, SiltPlace place, int first)
{
    PlayerState state;
    play_keep_hands(view);
    player_state(view->player, &state);
    if (!state.live || place != SILT_IN_STAGES || first > state.live_stage)
        return;
    panel_forget_live(view->panel);
    wish_to_play(view, false); // the player hears of it in its own time
    player_end_live(view->player);
}

bool play_follow(View *view, bool keeps_hands)
{
    PlayerState state;
    player_state(view->player, &state);
    SiltEntry entry;
    if (!state.live)
        return false;
    // a run that waits makes way for the result of the whole recipe, and leaves what hands did to it there
    bool stays = is_playing(view, 0) &&
                 silt_stack_entry(view->stack, SILT_IN_STAGES, state.live_stage, &entry) == SILT_OK &&
                 entry.model && entry.enabled && !entry.skipped;
    if (!stays) {
        panel_forget_live(view->panel);
        player_end_live(view->player);
        return false;
    }
    bool later =
        view->place == SILT_IN_OUTPUTS || (view->place == SILT_IN_STAGES && view->index > state.live_stage);
    SiltRecipe *recipe;
    if (!later && keeps_hands)
        play_keep_hands(view); // it begins anew, with all that was done to it
    if (later || !view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        return true; // what comes after the run does not touch it
    player_live(view->player, recipe, state.live_stage);
    wish_to_play(view, true);
    return true;
}

bool play_can_undo(const View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    return state.live && state.can_undo;
}

bool play_can_redo(const View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    return state.live && state.can_redo;
}

bool play_undo(View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    if (!state.live || !state.can_undo)
        return false;
    view_say(view, "Undone: %s", state.undo_name);
    player_undo(view->player);
    panel_forget_live(view->panel);
    return true;
}

bool play_redo(View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    if (!state.live || !state.can_redo)
        return false;
    view_say(view, "Done again: %s", state.redo_name);
    player_redo(view->player);
    return true;
}

// ---- tools ----

void act_tool(View *view, int tool)
{
    tools_choose(view->tools, tool);
}

void act_brush_size(View *view, int direction)
{
    tools_scroll(view->tools, direction, GDK_CONTROL_MASK);
}

bool tool_is(const View *view, int tool)
{
    return tools_chosen(view->tools) == tool;
}
