// A live run on the main thread: steps at their pace, what hands do, going back and forth, and the upkeep
// (frames, snapshots, books) that must not cost more than its share.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "player_inside.h"
#include "silt/text.h"

// Seconds of steps between two looks at what is wanted: a hand waits no longer. Some models go over memory
// once for several steps that begin at a multiple of their number, two or four: a slice takes all of them
// where that does not take too long.
static const double slice = 0.012, longest_slice = 0.040;
enum { STEPS_OF_A_PASS = 4 };
// What states that are kept may cost: one thread writes them while the others wait.
static const double snapshot_share = 0.005;
// Seconds of steps that undoing may take again: else a state is kept before a stroke.
static const double catch_up = 0.3;

static int64_t step_of(const Live *live)
{
    return silt_erosion_report(live->run)->steps;
}

void live_end(Player *player)
{
    Live *live = &player->live;
    frames_end(player);
    pthread_mutex_lock(&player->tape_mutex);
    tape_clear(&live->tape);
    pthread_mutex_unlock(&player->tape_mutex);
    silt_erosion_end(live->run);
    silt_terrain_destroy(live->terrain);
    shared_recipe_release(live->recipe);
    Tape tape = live->tape;
    *live = (Live){.tape = tape};
}

// ---- reaching a step ----

SiltStatus live_keep(Player *player)
{
    Live *live = &player->live;
    double worked = player_work_clock(player);
    SiltStatus status = tape_keep(&live->tape, live->run);
    double cost = player_work_clock(player) - worked;
    live->upkeep += cost;
    live->next_snapshot = player_now() + fmax(1.0, cost / snapshot_share);
    return status;
}

// Whether the acts of the tape are those that led to the run as it is.
static bool is_on_tape(const Live *live, int done, uint64_t key)
{
    Snapshot now = {.step = step_of(live), .done = done, .key = key};
    return tape_is_valid(&live->tape, &now);
}

void live_bring_back(Player *player, const Snapshot *snapshot)
{
    Live *live = &player->live;
    int done = snapshot->done;
    if (silt_erosion_restore(live->run, snapshot->block, snapshot->bytes) != SILT_OK) {
        player_fault(player);
        return;
    }
    live->tape.done = done;
    live->is_resting = false;
    live->books_are_old = live->is_touched = true;
    frames_touch(&player->frames, NULL);
}

// Step `step` as the tape has it now. `on_tape`: the run as it is lies on the way.
void live_reach(Player *player, int64_t step, bool on_tape)
{
    Live *live = &player->live;
    const Snapshot *nearest = tape_nearest(&live->tape, step);
    int64_t now = step_of(live);
    bool can_go_on = on_tape && now <= step && (!nearest || nearest->step <= now);
    if (!can_go_on && nearest)
        live_bring_back(player, nearest);
    else if (!can_go_on)
        player_begin_again(player);
    live->target = step > step_of(live) ? step : step_of(live);
    live->catching_up = true;
    live->must_arrive = false;
    live->goes_beyond = live->goes_beyond && step >= live->duration.steps;
}

// The acts have changed: the run goes where they lead, at the step it has.
static void follow(Player *player, int done, uint64_t key)
{
    Live *live = &player->live;
    int64_t step = live->catching_up ? live->target : step_of(live);
    live->furthest = step;
    live_reach(player, step, is_on_tape(live, done, key));
}

// Seconds of steps from the last state that was kept.
static double seconds_back(const Live *live)
{
    const Snapshot *nearest = tape_nearest(&live->tape, step_of(live));
    return nearest ? (double)(step_of(live) - nearest->step) * live->step_seconds : INFINITY;
}

// ---- hands ----

// Does what is due at this step, or, when all has come to rest, what comes next on the way: no step leads
// there.
static void live_do_due(Player *player)
{
    Live *live = &player->live;
    Tape *tape = &live->tape;
    int64_t on_the_way = live->catching_up ? live->target : live->playing ? INT64_MAX - 1 : step_of(live);
    while (tape_next_step(tape) <= (live->is_resting ? on_the_way : step_of(live))) {
        if (silt_hand_run(&tape->acts.items[tape->done].hand, live->run) != SILT_OK)
            player_fault(player);
        tape->done++;
        live->is_resting = false;
        frames_touch(&player->frames, NULL);
    }
}

// Particles that are pushed go anywhere.
static void touch_stroke(Player *player, const SiltStroke *stroke)
{
    SiltRect rect;
    SiltParticles grains;
    if (silt_erosion_particles(player->live.run, &grains) == SILT_OK)
        frames_touch(&player->frames, NULL);
    else if (silt_stroke_rect(stroke, player->live.terrain, &rect))
        frames_touch(&player->frames, &rect);
}

// Takes the hand's text.
static void act(Player *player, SiltHand *hand)
{
    Live *live = &player->live;
    if (!live->tape.is_open && seconds_back(live) > catch_up)
        live_keep(player);
    hand->step = step_of(live);
    pthread_mutex_lock(&player->tape_mutex);
    bool is_added = tape_add(&live->tape, hand);
    pthread_mutex_unlock(&player->tape_mutex);
    if (!is_added) {
        silt_fail(SILT_NO_MEMORY, "there is no memory left to remember this");
        player_fault(player);
        return;
    }
    const SiltHand *added = &live->tape.acts.items[live->tape.done - 1].hand;
    if (silt_hand_run(added, live->run) != SILT_OK) {
        player_fault(player);
        pthread_mutex_lock(&player->tape_mutex);
        tape_drop_last(&live->tape);
        pthread_mutex_unlock(&player->tape_mutex);
        return;
    }
    if (!added->name[0])
        touch_stroke(player, &added->stroke);
    live->furthest = step_of(live);
    live->is_resting = false;
    live->is_touched = live->books_are_old = true;
}

// The list `sources` with one row more, another or less, as text.
static char *changed_sources(const Live *live, int index, const double *row, int columns)
{
    const SiltParamTable *table = silt_model_params(live->model);
    SiltValue sources = {.size = sizeof sources};
    int place = silt_params_find(table, "sources");
    if (place < 0 || silt_params_get(table, silt_erosion_params(live->run), place, &sources) != SILT_OK) {
        silt_fail(SILT_BAD_ARGUMENT, "erode %s: it has no sources", silt_model_name(live->model));
        return NULL;
    }
    if (index >= sources.rows || (row && columns != sources.columns) || (!row && index < 0)) {
        silt_fail(SILT_BAD_ARGUMENT, "erode %s: there is no source %d of %d numbers",
                  silt_model_name(live->model), index, columns);
        return NULL;
    }
    SiltText text = {0};
    int rows = sources.rows + (index < 0);
    for (int k = 0; k < rows; k++) {
        bool is_it = k == (index < 0 ? sources.rows : index);
        const double *from = is_it ? row : sources.list + (size_t)k * (size_t)sources.columns;
        for (int n = 0; from && n < sources.columns; n++) {
            silt_text_add(&text, n > 0 ? "," : text.length > 0 ? ";" : "");
            silt_text_add_number(&text, from[n]);
        }
    }
    silt_text_add(&text, "");
    return silt_text_take(&text);
}

static void do_source(Player *player, const Command *command)
{
    SiltHand hand = {.name = "sources"};
    hand.text = changed_sources(&player->live, (int)command->number,
                                command->columns > 0 ? command->row : NULL, command->columns);
    if (hand.text)
        act(player, &hand);
    else
        player_fault(player);
}

static void do_hands(Player *player, const Command *command)
{
    Live *live = &player->live;
    SiltHand *hands = NULL;
    int count = 0, done = live->tape.done;
    uint64_t key = tape_key(&live->tape, done);
    if (command->text && command->text[0] && silt_hands_read(command->text, &hands, &count) != SILT_OK) {
        player_fault(player);
        return;
    }
    pthread_mutex_lock(&player->tape_mutex);
    tape_replace(&live->tape, hands, count, true);
    pthread_mutex_unlock(&player->tape_mutex);
    follow(player, done, key);
}

static void take_back(Player *player, bool again)
{
    Live *live = &player->live;
    Tape *tape = &live->tape;
    int done = tape->done;
    uint64_t key = tape_key(tape, done);
    bool is_any = again ? tape->change_at < tape->change_count : tape->change_at > 0;
    if (is_any && !again && seconds_back(live) > catch_up)
        live_keep(player); // for redoing
    pthread_mutex_lock(&player->tape_mutex);
    int changed = again ? tape_redo(tape) : tape_undo(tape);
    pthread_mutex_unlock(&player->tape_mutex);
    if (changed >= 0)
        follow(player, done, key);
}

// ---- commands ----

bool live_must_wait(Player *player, CommandKind kind)
{
    Live *live = &player->live;
    bool is_hand = kind == COMMAND_STROKE || kind == COMMAND_SET || kind == COMMAND_SOURCE ||
                   kind == COMMAND_BEGIN_GROUP;
    if (!live->run || !(is_hand || kind == COMMAND_FINISH))
        return false;
    if (live->finishing || !live->catching_up || live->must_arrive || !is_hand)
        return live->finishing || live->catching_up;
    if ((double)(live->target - step_of(live)) * live->step_seconds < catch_up)
        return true;
    // no further than what other hands did on the way: what is seen is what is painted on
    int64_t needed = step_of(live);
    for (int k = live->tape.done; k < live->tape.acts.count; k++) {
        int64_t step = live->tape.acts.items[k].hand.step;
        needed = step <= live->target && step > needed ? step : needed;
    }
    live_do_due(player);
    live->target = needed;
    live->catching_up = needed > step_of(live);
    return live->catching_up;
}

// The stage's own end lies ahead: no further at first.
static int64_t to_end(const Live *live)
{
    const SiltReport *report = silt_erosion_report(live->run);
    if (live->goes_beyond)
        return INT64_MAX;
    if (live->duration.time > 0.0) {
        double left = live->duration.time - report->model_time;
        return live->step_time > 0.0 ? (int64_t)ceil(left / live->step_time) : left > 0.0;
    }
    return live->duration.steps > 0 ? live->duration.steps - report->steps : INT64_MAX;
}

static void play(Player *player, bool playing)
{
    Live *live = &player->live;
    live->playing = playing;
    live->goes_beyond = live->goes_beyond || (playing && to_end(live) <= 0);
    live->credit = 0.0;
    live->credited = live->window_began = player_now();
    live->window_steps = step_of(live);
    live->window_time = silt_erosion_report(live->run)->model_time;
    live->upkeep = 0.0;
    live->is_touched = true;
}

void live_do(Player *player, Command *command)
{
    Live *live = &player->live;
    SiltHand hand = {.stroke = command->stroke};
    if (!live->run)
        return;
    switch (command->kind) {
    case COMMAND_PLAY:
        play(player, command->number != 0);
        break;
    case COMMAND_STEP:
        live->playing = false;
        live->target = (live->catching_up ? live->target : step_of(live)) + command->number;
        live->catching_up = live->must_arrive = true;
        break;
    case COMMAND_RESET:
        live->playing = false;
        live_reach(player, 0, true);
        break;
    case COMMAND_GO_TO:
        live_reach(player, command->number, true);
        break;
    case COMMAND_FINISH:
        live->finishing = true;
        break;
    case COMMAND_STROKE:
        act(player, &hand);
        break;
    case COMMAND_SET:
        memcpy(hand.name, command->name, sizeof hand.name);
        hand.text = command->text;
        command->text = NULL;
        act(player, &hand);
        break;
    case COMMAND_SOURCE:
        do_source(player, command);
        break;
    case COMMAND_BEGIN_GROUP:
        tape_begin_group(&live->tape, command->name);
        break;
    case COMMAND_END_GROUP:
        tape_end_group(&live->tape);
        break;
    case COMMAND_UNDO:
    case COMMAND_REDO:
        take_back(player, command->kind == COMMAND_REDO);
        break;
    case COMMAND_HANDS:
        do_hands(player, command);
        break;
    }
}

// ---- steps ----

// Steps that the pace owes by now; *until: when the next is due.
static int64_t owed(Player *player, double now, double *until)
{
    Live *live = &player->live;
    pthread_mutex_lock(&player->mutex);
    PlayerPace pace = player->pace;
    double rate = player->rate;
    pthread_mutex_unlock(&player->mutex);
    live->pace = pace;
    if (pace == PLAYER_AS_FAST_AS_IT_CAN || !(rate > 0.0))
        return INT64_MAX;
    double unit = pace == PLAYER_STEPS || !(live->step_time > 0.0) ? 1.0 : live->step_time;
    live->credit += rate * (now - live->credited);
    live->credited = now;
    if (live->credit > fmax(unit, 0.1 * rate)) // a model that is slower than that owes nothing
        live->credit = fmax(unit, 0.1 * rate);
    *until = now + fmax(0.0, unit - live->credit) / rate;
    return live->credit >= unit ? (int64_t)(live->credit / unit) : 0;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Steps for a slice, so that the next begins at a multiple of those of a pass, or of half of them.
static int64_t steps_of_slice(const Live *live, int64_t before)
{
    double each = live->step_seconds;
    int64_t count = each > 0.0 ? (int64_t)(slice / each) : 1;
    for (int64_t pass = STEPS_OF_A_PASS; pass > 1 && each > 0.0; pass /= 2)
        if ((double)pass * each < longest_slice)
            return (count > pass ? count : pass) / pass * pass + (pass - before % pass) % pass;
    return count > 1 ? count : 1;
}

// As many as a slice has time for, but not past what hands did.
static void take_steps(Player *player, int64_t most)
{
    Live *live = &player->live;
    const SiltReport *report = silt_erosion_report(live->run);
    int64_t before = report->steps, room = tape_next_step(&live->tape) - before;
    int64_t count = least(least(steps_of_slice(live, before), most), room > 0 ? room : 1);
    double time = report->model_time, began = player_now();
    player_begin_steps(player);
    // a step that was left for something newer is taken the next time, or none ever would be
    player->watch.stays = live->was_left;
    SiltStatus status = silt_erosion_advance(live->run, (SiltDuration){.steps = count});
    player->watch.stays = false;
    live->was_left = status == SILT_CANCELLED && report->steps == before;
    player_end_steps(player);
    double seconds = player_now() - began;
    int64_t taken = report->steps - before;
    if (taken > 0) {
        double each = seconds / (double)taken;
        live->step_seconds = live->step_seconds > 0.0 ? 0.8 * live->step_seconds + 0.2 * each : each;
        live->step_time = (report->model_time - time) / (double)taken;
        live->credit -= (double)taken * (live->pace == PLAYER_TIME ? live->step_time : 1.0);
        frames_touch(&player->frames, NULL);
        live->books_are_old = true;
    }
    live->is_resting = taken == 0 && status == SILT_OK;
    live->furthest = report->steps > live->furthest ? report->steps : live->furthest;
    if (status != SILT_OK && status != SILT_CANCELLED) {
        player_fault(player);
        live->playing = live->catching_up = false;
    }
}

// What is owed, or leads to the target; when to come again.
double live_go(Player *player)
{
    Live *live = &player->live;
    double now = player_now(), until = INFINITY;
    int64_t most = 0;
    live_do_due(player);
    if (live->catching_up) {
        most = live->target - step_of(live);
    } else if (live->playing && !live->is_resting) {
        if (to_end(live) <= 0) {
            play(player, false);
            live->goes_beyond = true;
            return INFINITY;
        }
        most = least(owed(player, now, &until), to_end(live));
    }
    if (most > 0) {
        take_steps(player, most);
        until = 0.0;
    }
    bool rests = live->is_resting && tape_next_step(&live->tape) > live->target;
    if (live->catching_up && (rests || step_of(live) >= live->target)) {
        live_do_due(player);
        live->catching_up = false;
        live->is_touched = true;
        until = 0.0;
    }
    return until;
}
