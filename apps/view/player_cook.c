// Cooking: small previews on a thread of their own, whole recipes and the beginnings of live runs on the main
// thread.
#include <stdio.h>
#include <string.h>

#include "player_inside.h"

// ---- what both do ----

static bool is_wanted(const Watch *watch)
{
    bool is_newest = atomic_load(&watch->player->newest) == watch->number;
    double spent = player_now() - watch->began;
    return watch->stays || spent < watch->patience ||
           (is_newest && (!(watch->longest > 0.0) || spent < watch->longest));
}

static bool on_progress(void *user, const char *stage, double done, double total, const char *unit)
{
    Watch *watch = user;
    (void)stage;
    (void)unit;
    if (watch->tells) {
        pthread_mutex_lock(&watch->player->mutex);
        watch->player->state.share = total > 0.0 ? done / total : 0.0;
        pthread_mutex_unlock(&watch->player->mutex);
        player_wake(watch->player);
    }
    return is_wanted(watch);
}

static void note_stage(Watch *watch, PlayerState *state, int stage, bool kept)
{
    double now = player_now();
    if (watch->stage >= 0 && watch->stage < PLAYER_MAX_STAGES)
        state->took[watch->stage] = now - watch->stage_began;
    watch->stage = stage;
    watch->stage_began = now;
    if (stage >= 0 && stage < PLAYER_MAX_STAGES)
        state->kept[stage] = kept;
    state->stage = stage;
    state->share = 0.0;
}

static void on_stage(void *user, int stage, bool kept)
{
    Watch *watch = user;
    if (!watch->tells)
        return;
    pthread_mutex_lock(&watch->player->mutex);
    note_stage(watch, &watch->player->state, stage, kept);
    pthread_mutex_unlock(&watch->player->mutex);
    player_wake(watch->player);
}

// ---- previews ----

static const int sides[] = {64, 96, 128, 192, 256, 384, 512};
enum { SIDES = sizeof sides / sizeof sides[0] };
static const double too_long = 0.1, short_enough = 0.03;

// Cells along the next preview: as many as a tenth of a second allows. It changes seldom, since what stages
// left for another side is of no use.
static void choose_side(Player *player, double seconds, bool is_done)
{
    player->hopeless = !is_done && player->side == 0 && seconds > too_long ? 8 : player->hopeless;
    bool is_fast = is_done && seconds < short_enough;
    player->fast_count = is_fast ? player->fast_count + 1 : 0;
    if ((!is_done || seconds > too_long) && player->side > 0) {
        bool is_far = seconds > 3.0 * too_long && player->side > 1;
        player->side -= is_far ? 2 : 1;
    } else if (player->fast_count >= 4 && player->side < SIDES - 1) {
        player->side++;
        player->fast_count = 0;
    }
}

static bool is_small(const SiltRecipe *recipe, int side)
{
    int size[2];
    return silt_recipe_extent(recipe, size) && size[0] <= side && size[1] <= side;
}

// What the main thread does goes before.
static void tell_sketching(Player *player, PlayerWork from, PlayerWork to)
{
    pthread_mutex_lock(&player->mutex);
    player->state.work = player->state.work == from ? to : player->state.work;
    pthread_mutex_unlock(&player->mutex);
}

// True: it took too long, and a smaller one may not.
static bool sketch_once(Player *player, const Request *request)
{
    int side = sides[player->side];
    Watch watch = {.player = player, .number = request->number, .began = player_now(), .patience = 0.25};
    SiltRun run = {.user = &watch, .progress = on_progress, .threads = player->options.threads};
    SiltCook cook = {.pantry = player->sketch_pantry, .longest_side = side, .stages = request->stages};
    SiltTerrain *terrain = NULL;
    if (request->kind != REQUEST_SKETCH && is_small(request->recipe->recipe, 2 * side))
        return false; // the whole is there as soon
    if (request->kind != REQUEST_SKETCH && player->hopeless > 0) {
        player->hopeless--;
        return false; // even the smallest took too long
    }
    cook.run = &run;
    cook.at = on_stage;
    cook.user = &watch;
    bool is_smallest = player->side == 0; // which is always seen through
    watch.patience = is_smallest ? 1.0 : watch.patience;
    watch.longest = request->kind == REQUEST_SKETCH ? 3.0 : is_smallest ? 2.0 : 0.5;
    tell_sketching(player, PLAYER_RESTS, PLAYER_SKETCHES);
    SiltStatus status = silt_recipe_cook(request->recipe->recipe, &cook, &terrain);
    tell_sketching(player, PLAYER_SKETCHES, PLAYER_RESTS);
    double seconds = player_now() - watch.began;
    choose_side(player, seconds, status == SILT_OK);
    if (status == SILT_OK) {
        pthread_mutex_lock(&player->mutex);
        player->state.preview_seconds = seconds;
        player->state.preview_side = terrain->width > terrain->height ? terrain->width : terrain->height;
        pthread_mutex_unlock(&player->mutex);
        player_hand_out(player, terrain, PLAYER_PREVIEW, request->number, seconds);
    } else {
        silt_terrain_destroy(terrain);
        if (status != SILT_CANCELLED && request->kind == REQUEST_SKETCH)
            player_fault(player); // else the whole says so
    }
    bool is_newest = atomic_load(&player->newest) == request->number;
    return status == SILT_CANCELLED && is_newest && !is_smallest && request->kind != REQUEST_SKETCH;
}

// Something is seen while the whole is made, on machines that are slow or busy too.
void player_do_sketch(Player *player, const Request *request)
{
    while (sketch_once(player, request))
        ;
}

// ---- the whole ----

static void begin_work(Player *player, PlayerWork work, uint64_t number)
{
    pthread_mutex_lock(&player->mutex);
    player->state.work = work;
    player->state.recipe = number;
    player->state.share = 0.0;
    memset(player->state.kept, 0, sizeof player->state.kept);
    memset(player->state.took, 0, sizeof player->state.took);
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
}

static void end_work(Player *player, Watch *watch)
{
    pthread_mutex_lock(&player->mutex);
    note_stage(watch, &player->state, -2, false);
    player->state.work = PLAYER_RESTS;
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
}

static void watch_main(Player *player, uint64_t number)
{
    double now = player_now();
    player->watch = (Watch){
        .player = player, .number = number, .began = now, .stage_began = now, .tells = true, .stage = -2};
    player->watched = (SiltRun){.user = &player->watch,
                                .progress = on_progress,
                                .threads = player->options.threads,
                                .device = player->device,
                                .device_or_cpu = true};
}

// Says why nothing goes on from the checkpoint.
static void fault_of_kept(Player *player)
{
    char why[sizeof player->state.fault];
    snprintf(why, sizeof why, "%s", silt_message());
    pthread_mutex_lock(&player->mutex);
    player->state.fault_number++;
    snprintf(player->state.fault, sizeof player->state.fault, "%.400s; the stage begins at its beginning",
             why);
    player->state.fault_cooking = false;
    player->state.fault_stage = -2;
    player->state.fault_kept = true;
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
}

// Whether there is another checkpoint to go on from than there was.
static bool take_kept(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    bool is_new = player->has_next_kept;
    memcpy(player->kept, player->next_kept, sizeof player->kept);
    player->has_next_kept = false;
    pthread_mutex_unlock(&player->mutex);
    if (is_new && silt_pantry_go_on_from(player->pantry, player->kept[0] ? player->kept : NULL) != SILT_OK) {
        player->kept[0] = '\0';
        fault_of_kept(player);
    }
    return is_new;
}

void player_do_cook(Player *player, const Request *request)
{
    Watch *watch = &player->watch;
    SiltTerrain *terrain = NULL;
    watch_main(player, request->number);
    SiltCook cook = {player->pantry, 0, request->stages, &player->watched, on_stage, watch};
    begin_work(player, PLAYER_COOKS, request->number);
    take_kept(player);
    SiltStatus status = silt_recipe_cook(request->recipe->recipe, &cook, &terrain);
    if (status != SILT_OK && player_leave_lost_device(player))
        status = silt_recipe_cook(request->recipe->recipe, &cook, &terrain);
    if (status == SILT_OK && is_wanted(watch))
        player_hand_out(player, terrain, PLAYER_COOKED, request->number, player_now() - watch->began);
    else
        silt_terrain_destroy(terrain);
    if (status != SILT_OK && status != SILT_CANCELLED)
        player_fault(player);
    end_work(player, watch);
}

// What a comparison shows; a newer request for anything ends it.
void player_do_before(Player *player, const Request *request)
{
    Watch watch = {.player = player, .number = request->number};
    SiltRun run = {.user = &watch, .progress = on_progress, .threads = player->options.threads};
    SiltCook cook = {.pantry = player->pantry, .stages = request->stages, .run = &run};
    SiltTerrain *terrain = NULL;
    SiltStatus status = silt_recipe_cook(request->recipe->recipe, &cook, &terrain);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        if (status != SILT_CANCELLED)
            player_fault(player);
        return;
    }
    pthread_mutex_lock(&player->mutex);
    SiltTerrain *old = player->fresh_before;
    player->fresh_before = terrain;
    pthread_mutex_unlock(&player->mutex);
    silt_terrain_destroy(old);
    player_wake(player);
}

// ---- a live run ----

static SiltStatus take_hands(Player *player, const SiltRecipe *recipe, int stage)
{
    const SiltHand *found;
    int count;
    SiltStatus status = silt_recipe_hands(recipe, stage, &found, &count);
    if (status != SILT_OK || count == 0)
        return status;
    char *text = silt_hands_text(found, count);
    SiltHand *copy = NULL;
    status = text ? silt_hands_read(text, &copy, &count) : SILT_NO_MEMORY;
    silt_free(text);
    if (status != SILT_OK)
        return status;
    pthread_mutex_lock(&player->tape_mutex);
    bool is_well = tape_replace(&player->live.tape, copy, count, false);
    pthread_mutex_unlock(&player->tape_mutex);
    return is_well ? SILT_OK : silt_fail(SILT_NO_MEMORY, "there is no memory left for what hands did");
}

// What it starts from is shown, and kept as the first of its states.
static SiltStatus show_beginning(Player *player, const Request *request)
{
    Live *live = &player->live;
    SiltTerrain *copy;
    SiltStatus status = silt_terrain_clone(live->terrain, &copy);
    if (status == SILT_OK) {
        silt_terrain_settle(copy);
        player_hand_out(player, copy, PLAYER_BEGAN, request->number, player_now() - player->watch.began);
        live_keep(player); // without memory for it the run begins again where it would be needed
    }
    return status;
}

// From its beginning, where no state was kept: what comes before is in the pantry, most likely.
bool player_begin_again(Player *player)
{
    Live *live = &player->live;
    SiltCook cook = {player->pantry, 0, -1, &player->watched, NULL, NULL};
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration duration;
    player->watch.stays = true;
    SiltStatus status =
        silt_recipe_begin_live(live->recipe->recipe, live->stage, &cook, &terrain, &run, &duration);
    player->watch.stays = false;
    if (status != SILT_OK) {
        player_fault(player);
        return false;
    }
    frames_forget_surface(&player->frames);
    silt_erosion_end(live->run);
    silt_terrain_destroy(live->terrain);
    live->run = run;
    live->terrain = terrain;
    live->tape.done = 0;
    live->is_resting = false;
    live->books_are_old = live->is_touched = true;
    frames_touch(&player->frames, NULL);
    return true;
}

// At the step that a checkpoint had come to, where there is one of this run; else at its beginning.
static SiltStatus begin_run(Player *player, const SiltCook *cook, int *hands)
{
    Live *live = &player->live;
    const SiltRecipe *recipe = live->recipe->recipe;
    bool is_new = take_kept(player);
    SiltStatus status = SILT_BAD_ARGUMENT;
    if (player->kept[0])
        status = silt_recipe_go_on_live(recipe, live->stage, cook, player->kept, &live->terrain, &live->run,
                                        &live->duration, hands);
    if (status == SILT_OK || status == SILT_CANCELLED)
        return status;
    if (is_new && player->kept[0])
        fault_of_kept(player);
    *hands = 0;
    return silt_recipe_begin_live(recipe, live->stage, cook, &live->terrain, &live->run, &live->duration);
}

void player_begin_live(Player *player, Request *request)
{
    Live *live = &player->live;
    watch_main(player, request->number);
    SiltCook cook = {player->pantry, 0, -1, &player->watched, on_stage, &player->watch};
    begin_work(player, PLAYER_BEGINS, request->number);
    live->recipe = request->recipe;
    live->number = request->number;
    live->stage = request->stages;
    request->recipe = NULL;
    int hands;
    SiltStatus status = begin_run(player, &cook, &hands);
    if (status != SILT_OK && player_leave_lost_device(player))
        status = begin_run(player, &cook, &hands);
    if (status == SILT_OK) {
        live->model = silt_erosion_report(live->run)->model;
        live->furthest = silt_erosion_report(live->run)->steps;
        status = take_hands(player, live->recipe->recipe, live->stage);
        live->tape.done = hands;
    }
    if (status == SILT_OK) {
        frames_begin(player);
        status = show_beginning(player, request);
        live->is_touched = live->books_are_old = true;
    }
    if (status != SILT_OK && status != SILT_CANCELLED)
        player_fault(player);         // while the state tells which stage it was
    end_work(player, &player->watch); // the first frame of a large volume takes its time, too
    player->watch.tells = false;
    if (status != SILT_OK)
        live_end(player);
}
