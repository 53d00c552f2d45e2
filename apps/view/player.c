// The player's threads, and what the window's thread calls: commands in, news out, never waiting for a model.
#include "player.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "player_inside.h"
#include "silt/device.h"
#include "silt/parallel.h"

double player_now(void)
{
    return silt_wall_clock();
}

double player_work_clock(const Player *player)
{
    struct timespec now;
    if (player->live.run && silt_erosion_device(player->live.run))
        return player_now();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- small things that all parts use ----

void player_wake(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    bool first = !player->has_woken && !player->quits;
    player->has_woken = true;
    pthread_mutex_unlock(&player->mutex);
    if (first && player->options.wake)
        player->options.wake(player->options.user);
}

void player_fault(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    player->state.fault_number++;
    snprintf(player->state.fault, sizeof player->state.fault, "%s", silt_message());
    player->state.fault_cooking = player->state.work == PLAYER_COOKS || player->state.work == PLAYER_BEGINS;
    player->state.fault_stage = player->state.fault_cooking ? player->state.stage : -2;
    player->state.fault_kept = false;
    pthread_mutex_unlock(&player->mutex);
    player_wake(player);
}

void shared_recipe_release(SharedRecipe *recipe)
{
    if (!recipe || atomic_fetch_sub(&recipe->holders, 1) > 1)
        return;
    silt_recipe_destroy(recipe->recipe);
    silt_free(recipe);
}

void player_hand_out(Player *player, SiltTerrain *terrain, PlayerSource source, uint64_t number,
                     double seconds)
{
    pthread_mutex_lock(&player->mutex);
    bool is_old = source == PLAYER_PREVIEW ? number <= player->whole_number : number < player->whole_number;
    SiltTerrain *dropped = is_old ? terrain : player->fresh;
    if (!is_old) {
        player->fresh = terrain;
        player->fresh_source = source;
        player->fresh_number = number;
        player->fresh_seconds = seconds;
        if (source != PLAYER_PREVIEW)
            player->whole_number = number;
    }
    pthread_mutex_unlock(&player->mutex);
    silt_terrain_destroy(dropped);
    player_wake(player);
}

// ---- the threads ----

static bool is_idle(const Player *player)
{
    return player->request.kind == REQUEST_NONE && player->sketch.kind == REQUEST_NONE &&
           player->before.kind == REQUEST_NONE && !player->choice[0] && !player->has_next_share &&
           !player->first && !player->main_works && !player->sketch_works;
}

static void wait_until(Player *player, double until)
{
    if (until == INFINITY) {
        pthread_cond_wait(&player->woken, &player->mutex);
        return;
    }
    double left = until - player_now();
    struct timespec when;
    if (left <= 0.0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &when);
    left += (double)when.tv_nsec * 1e-9;
    when.tv_sec += (time_t)left;
    when.tv_nsec = (long)((left - floor(left)) * 1e9);
    pthread_cond_timedwait(&player->woken, &player->mutex, &when);
}

static void *sketch_loop(void *user)
{
    Player *player = user;
    pthread_setname_np(pthread_self(), "silt-sketch");
    pthread_mutex_lock(&player->mutex);
    while (!player->quits) {
        Request request = player->sketch;
        if (request.kind == REQUEST_NONE) {
            player->sketch_works = false;
            pthread_cond_broadcast(&player->settled);
            pthread_cond_wait(&player->woken, &player->mutex);
            continue;
        }
        player->sketch = (Request){0};
        player->sketch_works = true;
        pthread_mutex_unlock(&player->mutex);
        player_do_sketch(player, &request);
        shared_recipe_release(request.recipe);
        pthread_mutex_lock(&player->mutex);
        player->sketched = request.number > player->sketched ? request.number : player->sketched;
        pthread_cond_broadcast(&player->woken);
    }
    pthread_mutex_unlock(&player->mutex);
    return NULL;
}

static void do_request(Player *player, Request *request)
{
    live_end(player);
    live_tell(player);
    if (request->kind == REQUEST_COOK)
        player_do_cook(player, request);
    else if (request->kind == REQUEST_LIVE)
        player_begin_live(player, request);
    live_tell(player);
    shared_recipe_release(request->recipe);
}

static void free_command(Command *command)
{
    if (command)
        silt_free(command->text);
    silt_free(command);
}

// All commands that wait, up to one that must wait longer. With the mutex held.
static void do_commands(Player *player)
{
    while (player->first && !player->quits && player->request.kind == REQUEST_NONE) {
        CommandKind kind = player->first->kind;
        pthread_mutex_unlock(&player->mutex);
        bool waits = live_must_wait(player, kind);
        pthread_mutex_lock(&player->mutex);
        Command *command = player->first;
        if (waits || !command || command->kind != kind || player->request.kind != REQUEST_NONE)
            return;
        player->first = command->next;
        if (!player->first)
            player->last = NULL;
        player->is_doing = true;
        pthread_mutex_unlock(&player->mutex);
        live_do(player, command);
        free_command(command);
        pthread_mutex_lock(&player->mutex);
        player->is_doing = false;
    }
    pthread_cond_broadcast(&player->settled);
}

// A whole cook waits until its preview is there.
static bool has_request(const Player *player)
{
    const Request *request = &player->request;
    return request->kind != REQUEST_NONE &&
           (request->kind != REQUEST_COOK || player->sketched >= request->number);
}

static void *main_loop(void *user)
{
    Player *player = user;
    pthread_setname_np(pthread_self(), "silt-model"); // for those who look where the time goes
    pthread_mutex_lock(&player->mutex);
    while (!player->quits) {
        player->main_works = true;
        if (player->has_next_share) {
            pthread_mutex_unlock(&player->mutex);
            player_do_share(player);
            pthread_mutex_lock(&player->mutex);
        }
        if (player->choice[0]) {
            pthread_mutex_unlock(&player->mutex);
            player_do_choose(player);
            pthread_mutex_lock(&player->mutex);
        }
        if (has_request(player)) {
            Request request = player->request;
            player->request = (Request){0};
            pthread_mutex_unlock(&player->mutex);
            do_request(player, &request);
            pthread_mutex_lock(&player->mutex);
        }
        if (player->before.kind != REQUEST_NONE && player->request.kind == REQUEST_NONE) {
            Request request = player->before;
            player->before = (Request){0};
            request.number = atomic_load(&player->newest);
            pthread_mutex_unlock(&player->mutex);
            player_do_before(player, &request);
            shared_recipe_release(request.recipe);
            pthread_mutex_lock(&player->mutex);
        }
        do_commands(player);
        pthread_mutex_unlock(&player->mutex);
        double until = live_go_on(player);
        pthread_mutex_lock(&player->mutex);
        bool waits = player->first || player->before.kind != REQUEST_NONE;
        if (player->quits || player->choice[0] || player->has_next_share || has_request(player) ||
            until <= player_now() || (waits && player->request.kind == REQUEST_NONE))
            continue;
        player->main_works = player->live.playing || until < INFINITY;
        pthread_cond_broadcast(&player->settled);
        wait_until(player, until);
    }
    pthread_mutex_unlock(&player->mutex);
    live_end(player);
    player_close_device(player);
    return NULL;
}

// ---- beginning and end ----

static void make_locks(Player *player)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&player->mutex, NULL);
    pthread_mutex_init(&player->tape_mutex, NULL);
    pthread_cond_init(&player->woken, &monotonic);
    pthread_cond_init(&player->settled, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static SiltStatus start_threads(Player *player)
{
    if (pthread_create(&player->main_thread, NULL, main_loop, player) != 0)
        return silt_fail(SILT_NO_MEMORY, "the player's thread cannot be started");
    if (pthread_create(&player->sketch_thread, NULL, sketch_loop, player) != 0) {
        pthread_mutex_lock(&player->mutex);
        player->quits = true;
        pthread_cond_broadcast(&player->woken);
        pthread_mutex_unlock(&player->mutex);
        pthread_join(player->main_thread, NULL);
        return silt_fail(SILT_NO_MEMORY, "the player's thread cannot be started");
    }
    return SILT_OK;
}

static void free_all(Player *player)
{
    while (player->first) {
        Command *next = player->first->next;
        free_command(player->first);
        player->first = next;
    }
    shared_recipe_release(player->request.recipe);
    shared_recipe_release(player->sketch.recipe);
    shared_recipe_release(player->before.recipe);
    silt_share_destroy(player->next_share);
    silt_terrain_destroy(player->fresh);
    silt_terrain_destroy(player->fresh_before);
    frames_free(&player->frames);
    silt_pantry_destroy(player->pantry);
    silt_pantry_destroy(player->sketch_pantry);
    pthread_mutex_destroy(&player->mutex);
    pthread_mutex_destroy(&player->tape_mutex);
    pthread_cond_destroy(&player->woken);
    pthread_cond_destroy(&player->settled);
    silt_free(player);
}

SiltStatus player_create(const PlayerOptions *options, Player **out)
{
    const uint64_t gib = (uint64_t)1 << 30;
    uint64_t quarter = silt_memory_available() / 4, most = quarter < 2 * gib ? quarter : 2 * gib;
    *out = NULL;
    Player *player = silt_alloc(sizeof *player);
    if (!player)
        return silt_fail(SILT_NO_MEMORY, "there is no memory left for a player");
    make_locks(player);
    player->options = *options;
    player->live.tape.most_bytes = options->snapshot_bytes > 0 ? options->snapshot_bytes : most;
    player->frames.ready = 1;
    player->frames.front = 2;
    player->frames.shared_seconds = 0.5;
    player->state.stage = -2;
    player->side = 2;
    player->wanted = (Wanted){.layers = {"height", "water"}, .count = 2, .particles = true, .surface = true};
    player->wanted.rate = 60.0;
    player->wanted.share = 0.08;
    SiltStatus status =
        silt_pantry_create(options->pantry_bytes > 0 ? options->pantry_bytes : most, &player->pantry);
    if (status == SILT_OK)
        status = silt_pantry_create(most / 8, &player->sketch_pantry);
    if (status == SILT_OK)
        status = start_threads(player);
    if (status != SILT_OK) {
        free_all(player);
        return status;
    }
    *out = player;
    return SILT_OK;
}

void player_destroy(Player *player)
{
    if (!player)
        return;
    pthread_mutex_lock(&player->mutex);
    player->quits = true;
    atomic_fetch_add(&player->newest, 1);
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
    pthread_join(player->main_thread, NULL);
    pthread_join(player->sketch_thread, NULL);
    free_all(player);
}

// Until what is asked for is so, or so many seconds have passed; whether it is.
static bool wait_for(Player *player, double seconds, bool (*is_so)(const Player *player))
{
    struct timespec when;
    clock_gettime(CLOCK_MONOTONIC, &when);
    double left = seconds + (double)when.tv_nsec * 1e-9;
    when.tv_sec += (time_t)left;
    when.tv_nsec = (long)((left - floor(left)) * 1e9);
    pthread_mutex_lock(&player->mutex);
    int error = 0;
    while (!is_so(player) && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&player->settled, &player->mutex, &when);
    bool so = is_so(player);
    pthread_mutex_unlock(&player->mutex);
    return so;
}

bool player_wait(Player *player, double seconds)
{
    return wait_for(player, seconds, is_idle);
}

static bool has_heard(const Player *player)
{
    return !player->first && !player->is_doing;
}

char *player_hands(Player *player)
{
    wait_for(player, 0.5, has_heard); // the last strokes may not have been heard of yet
    pthread_mutex_lock(&player->tape_mutex);
    char *text = tape_text(&player->live.tape);
    pthread_mutex_unlock(&player->tape_mutex);
    return text;
}
