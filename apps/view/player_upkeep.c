// What goes with the steps of a live run: frames, snapshots and books, each with its share of the time, the
// end of a stage, and what the window is told.
#include <math.h>
#include <string.h>

#include "player_inside.h"

// ---- frames, snapshots, books ----

// What it may cost: a twentieth for frames, half a hundredth each for snapshots and for the books. On large
// grids each comes less often.
static const double books_share = 0.005;

static void publish(Player *player)
{
    Live *live = &player->live;
    pthread_mutex_lock(&player->mutex);
    double rate = player->wanted.rate, share = player->wanted.share;
    bool others = player->wants_others;
    player->wants_others = false;
    pthread_mutex_unlock(&player->mutex);
    double began = player_now(), worked = player_work_clock(player);
    frames_publish(player, others);
    double cost = player_work_clock(player) - worked;
    live->upkeep += cost;
    live->next_frame = fmax(began + 1.0 / rate, player_now() + cost / fmax(share - 0.03, 0.01));
    live->is_touched = false;
}

// A frame now, or when? Never while one waits that nobody took, unless a hand wants to see what it did or the
// run rests: nobody looks at more.
static double see_to_frames(Player *player, double until)
{
    Live *live = &player->live;
    pthread_mutex_lock(&player->mutex);
    bool untaken = player->frames.is_ready, others = player->wants_others;
    pthread_mutex_unlock(&player->mutex);
    double now = player_now();
    bool waits = until > now;
    double due = frames_due(&player->frames, live->playing && !live->is_touched);
    if (due > now && !others)
        return fmin(until, due);
    if (live->is_touched || others || ((waits || !untaken) && now >= live->next_frame))
        publish(player);
    else if (waits)
        return fmin(until, live->next_frame);
    return until;
}

static double see_to_books(Player *player, double until)
{
    Live *live = &player->live;
    bool rests = !live->playing && !live->catching_up; // then there is time
    double began = player_now(), cost = live->books_cost;
    double due = live->last_books + (rests ? fmax(0.02, cost / 0.2) : fmax(0.5, cost / books_share));
    if (!live->books_are_old)
        return until;
    if (began < due)
        return until > began ? fmin(until, due) : until;
    double worked = player_work_clock(player);
    if (silt_erosion_store(live->run) != SILT_OK)
        player_fault(player);
    const SiltReport *report = silt_erosion_report(live->run);
    cost = player_work_clock(player) - worked;
    live->books_cost = live->last_books > 0.0 ? cost : 0.0; // the first bring memory in: no measure of others
    live->last_books = began;
    live->upkeep += cost;
    live->books_are_old = false;
    pthread_mutex_lock(&player->mutex);
    player->state.ledger = report->ledger;
    player->state.ledger_step = report->steps;
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
    return until;
}

// ---- the end of the stage ----

// Takes the run to the stage's end and hands the terrain out, as cooking leaves it.
static SiltStatus finish_run(Player *player)
{
    Live *live = &player->live;
    SiltTerrain *copy = NULL;
    double began = player_now();
    int count = live->tape.acts.count, next = live->tape.done;
    SiltHand *hands = silt_alloc((size_t)(count + 1) * sizeof *hands);
    bool done = false;
    SiltStatus status =
        hands ? SILT_OK : silt_fail(SILT_NO_MEMORY, "there is no memory left to finish the run");
    for (int k = 0; k < count && hands; k++)
        hands[k] = live->tape.acts.items[k].hand;
    while (status == SILT_OK && !done && atomic_load(&player->newest) == live->number)
        status = silt_erosion_play(live->run, live->duration, hands, count, &next, 64, &done);
    if (status == SILT_OK && done)
        status = silt_erosion_finish(live->run);
    if (status == SILT_OK && done)
        status = silt_terrain_clone(live->terrain, &copy);
    if (status == SILT_OK && done) {
        silt_terrain_settle(copy);
        player_hand_out(player, copy, PLAYER_FINISHED, live->number, player_now() - began);
    }
    silt_free(hands);
    return status;
}

// The run itself is afterwards where it was.
static void finish(Player *player)
{
    Live *live = &player->live;
    void *block;
    size_t bytes;
    int done = live->tape.done;
    live->finishing = false;
    live_tell(player);
    SiltStatus status = silt_erosion_save(live->run, &block, &bytes);
    if (status == SILT_OK) {
        const SiltReport *report = silt_erosion_report(live->run);
        bool timed = live->duration.time > 0.0;
        bool is_past =
            timed ? report->model_time > live->duration.time : report->steps > live->duration.steps;
        const Snapshot *before = NULL;
        for (int k = 0; is_past && k < live->tape.snapshot_count; k++) {
            const Snapshot *s = &live->tape.snapshots[k];
            bool fits = timed ? s->time < live->duration.time : s->step <= live->duration.steps;
            before = fits && tape_is_valid(&live->tape, s) ? s : before;
        }
        if (before)
            live_bring_back(player, before);
        status = finish_run(player);
    }
    if (status != SILT_OK && status != SILT_CANCELLED)
        player_fault(player);
    if (block && silt_erosion_restore(live->run, block, bytes) != SILT_OK)
        player_fault(player);
    silt_free(block);
    live->tape.done = done;
}

// ---- what is told ----

static void tell_sources(const Live *live, PlayerState *state)
{
    const SiltParamTable *table = silt_model_params(live->model);
    int place = silt_params_find(table, "sources");
    SiltValue list = {.size = sizeof list};
    state->source_count = 0;
    if (place < 0 || silt_params_get(table, silt_erosion_params(live->run), place, &list) != SILT_OK)
        return;
    state->source_columns = list.columns < SOURCE_COLUMNS ? list.columns : SOURCE_COLUMNS;
    state->source_count = list.rows < PLAYER_MAX_SOURCES ? list.rows : PLAYER_MAX_SOURCES;
    for (int k = 0; k < state->source_count; k++)
        for (int n = 0; n < state->source_columns; n++)
            state->sources[k][n] = list.list[(size_t)k * (size_t)list.columns + (size_t)n];
}

static void tell_tape(const Tape *tape, PlayerState *state)
{
    state->mark_count = 0;
    for (int k = 0; k < tape->snapshot_count; k++)
        if (tape_is_valid(tape, &tape->snapshots[k]))
            state->marks[state->mark_count++] = tape->snapshots[k].step;
    state->snapshot_bytes = tape->bytes;
    state->hand_count = tape->acts.count;
    state->can_undo = tape->change_at > 0;
    state->can_redo = tape->change_at < tape->change_count;
    memset(state->undo_name, 0, sizeof state->undo_name);
    memset(state->redo_name, 0, sizeof state->redo_name);
    if (state->can_undo)
        memcpy(state->undo_name, tape->changes[tape->change_at - 1].name, SILT_NAME_SIZE);
    if (state->can_redo)
        memcpy(state->redo_name, tape->changes[tape->change_at].name, SILT_NAME_SIZE);
}

// Steps a second over the last half of one.
static void tell_speed(Live *live, PlayerState *state)
{
    const SiltReport *report = silt_erosion_report(live->run);
    double now = player_now(), passed = now - live->window_began;
    if (!live->playing) {
        state->steps_per_second = state->time_per_second = 0.0;
        return;
    }
    if (passed < 0.5)
        return;
    state->steps_per_second = fmax(0.0, (double)(report->steps - live->window_steps) / passed);
    state->time_per_second = fmax(0.0, (report->model_time - live->window_time) / passed);
    state->frame_share = live->upkeep / passed;
    live->window_began = now;
    live->window_steps = report->steps;
    live->window_time = report->model_time;
    live->upkeep = 0.0;
}

void live_tell(Player *player)
{
    Live *live = &player->live;
    PlayerState *state = &player->state;
    pthread_mutex_lock(&player->mutex);
    bool was_live = state->live, was_playing = state->playing, could_undo = state->can_undo;
    PlayerWork before = state->work;
    state->live = live->run != NULL;
    state->is_on_device = live->run && silt_erosion_device(live->run);
    if (live->run) {
        const SiltReport *report = silt_erosion_report(live->run);
        state->live_stage = live->stage;
        state->model = live->model;
        state->playing = live->playing;
        state->work = live->finishing     ? PLAYER_FINISHES
                      : live->catching_up ? PLAYER_CATCHES_UP
                      : live->playing     ? PLAYER_PLAYS
                                          : PLAYER_RESTS;
        state->step = report->steps;
        state->target = live->catching_up ? live->target : report->steps;
        state->last_step = live->duration.time > 0.0 ? 0 : live->duration.steps;
        state->last_time = live->duration.time;
        state->time = report->model_time;
        state->at_rest = live->is_resting;
        state->particles = silt_erosion_particle_count(live->run);
        state->furthest = live->furthest > report->steps ? live->furthest : report->steps;
        tell_speed(live, state);
        tell_sources(live, state);
        tell_tape(&live->tape, state);
    } else {
        state->playing = false;
        state->work = player->sketch_works ? PLAYER_SKETCHES : PLAYER_RESTS;
        state->step = state->target = 0;
        state->source_count = state->mark_count = state->hand_count = state->particles = 0;
        state->can_undo = state->can_redo = false;
        state->last_step = state->furthest = 0;
        state->time = state->last_time = 0.0;
        state->at_rest = false;
        state->ledger = (SiltLedger){0}; // books of a run that is no more
        state->ledger_step = 0;
    }
    bool is_news = was_live != state->live || was_playing != state->playing || before != state->work ||
                   could_undo != state->can_undo;
    pthread_mutex_unlock(&player->mutex);
    if (is_news)
        player_wake(player);
}

double live_go_on(Player *player)
{
    Live *live = &player->live;
    if (!live->run)
        return INFINITY;
    bool was_playing = live->playing;
    if (live->finishing)
        finish(player);
    double until = live_go(player);
    if (live->playing && player_now() >= live->next_snapshot &&
        !tape_has(&live->tape, silt_erosion_report(live->run)->steps))
        live_keep(player);
    until = see_to_books(player, until);
    until = see_to_frames(player, until);
    if (player_leave_lost_device(player)) {
        live->playing = live->run && was_playing;
        until = 0.0;
    }
    live_tell(player);
    return until;
}
