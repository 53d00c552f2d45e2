// What the window's thread calls: each takes the mutex for a moment and returns.
#include <stdio.h>
#include <string.h>

#include "player_inside.h"

// ---- where ----

void player_work_on(Player *player, const char *choice)
{
    pthread_mutex_lock(&player->mutex);
    snprintf(player->choice, sizeof player->choice, "%s", choice);
    player->state.seeks_device = true;
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
}

void player_share(Player *player, SiltShare *share)
{
    pthread_mutex_lock(&player->mutex);
    SiltShare *unused = player->next_share; // nobody has entered it
    player->next_share = share;
    player->has_next_share = true;
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
    silt_share_destroy(unused);
}

void player_take_shared(Player *player, double exaggeration)
{
    pthread_mutex_lock(&player->mutex);
    player->wanted.exaggeration = exaggeration;
    pthread_mutex_unlock(&player->mutex);
}

// ---- what is cooked ----

static SharedRecipe *share(SiltRecipe *recipe)
{
    SharedRecipe *shared = silt_alloc(sizeof *shared);
    if (!shared) {
        silt_recipe_destroy(recipe);
        return NULL;
    }
    shared->recipe = recipe;
    atomic_init(&shared->holders, 0);
    return shared;
}

static void drop_commands(Player *player)
{
    while (player->first) {
        Command *next = player->first->next;
        silt_free(player->first->text);
        silt_free(player->first);
        player->first = next;
    }
    player->last = NULL;
}

static Request take_shared(RequestKind kind, SharedRecipe *recipe, int stages, uint64_t number)
{
    if (recipe)
        atomic_fetch_add(&recipe->holders, 1);
    return (Request){kind, recipe, stages, number};
}

// Older requests that wait are dropped, those under way cancelled, and so is what was to be done with a run
// that ends now.
static uint64_t ask(Player *player, RequestKind kind, SiltRecipe *recipe, int stages)
{
    SharedRecipe *shared = recipe ? share(recipe) : NULL;
    if (recipe && !shared) {
        silt_fail(SILT_NO_MEMORY, "there is no memory left to cook the recipe");
        player_fault(player);
        return 0;
    }
    bool sketches = kind == REQUEST_SKETCH || kind == REQUEST_COOK;
    pthread_mutex_lock(&player->mutex);
    uint64_t number = atomic_fetch_add(&player->newest, 1) + 1;
    SharedRecipe *dropped[2] = {player->request.recipe, player->sketch.recipe};
    player->request = (Request){0};
    player->sketch = (Request){0};
    player->request = take_shared(kind == REQUEST_SKETCH ? REQUEST_END : kind,
                                  kind == REQUEST_SKETCH ? NULL : shared, stages, number);
    if (sketches)
        player->sketch = take_shared(kind, shared, stages, number);
    drop_commands(player);
    player->state.recipe = number;
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
    shared_recipe_release(dropped[0]);
    shared_recipe_release(dropped[1]);
    return number;
}

uint64_t player_cook(Player *player, SiltRecipe *recipe, int stages)
{
    return ask(player, REQUEST_COOK, recipe, stages);
}

uint64_t player_sketch(Player *player, SiltRecipe *recipe, int stages)
{
    return ask(player, REQUEST_SKETCH, recipe, stages);
}

void player_go_on_from(Player *player, const char *checkpoint)
{
    pthread_mutex_lock(&player->mutex);
    snprintf(player->next_kept, sizeof player->next_kept, "%s", checkpoint ? checkpoint : "");
    player->has_next_kept = true;
    pthread_mutex_unlock(&player->mutex);
}

uint64_t player_live(Player *player, SiltRecipe *recipe, int stage)
{
    return ask(player, REQUEST_LIVE, recipe, stage);
}

// Beside what goes on: nothing is cancelled for it.
void player_before(Player *player, SiltRecipe *recipe, int stages)
{
    SharedRecipe *shared = share(recipe);
    if (!shared)
        return;
    pthread_mutex_lock(&player->mutex);
    SharedRecipe *dropped = player->before.recipe;
    player->before = take_shared(REQUEST_COOK, shared, stages, atomic_load(&player->newest));
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
    shared_recipe_release(dropped);
}

void player_end_live(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    bool live =
        player->state.live || player->state.work == PLAYER_BEGINS || player->request.kind == REQUEST_LIVE;
    pthread_mutex_unlock(&player->mutex);
    if (live)
        ask(player, REQUEST_END, NULL, 0);
}

void player_cancel(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    bool live = player->state.live || player->request.kind == REQUEST_LIVE;
    pthread_mutex_unlock(&player->mutex);
    if (!live)
        ask(player, REQUEST_END, NULL, 0);
}

// ---- what is done with a run ----

// Whether a command makes one that waits needless: of several wishes for one thing the last counts.
static bool replaces(const Command *waiting, const Command *command)
{
    if (waiting->kind != command->kind)
        return false;
    return command->kind == COMMAND_GO_TO || command->kind == COMMAND_PLAY ||
           (command->kind == COMMAND_SET && strcmp(waiting->name, command->name) == 0) ||
           (command->kind == COMMAND_SOURCE && command->number >= 0 && waiting->number == command->number &&
            command->columns > 0 && waiting->columns > 0);
}

static void tell(Player *player, const Command *command)
{
    pthread_mutex_lock(&player->mutex);
    Command *last = player->last;
    if (last && replaces(last, command)) {
        silt_free(last->text);
        *last = *command;
        last->next = NULL;
    } else {
        Command *copy = silt_alloc(sizeof *copy);
        if (copy) {
            *copy = *command;
            copy->next = NULL;
            if (last)
                last->next = copy;
            else
                player->first = copy;
            player->last = copy;
        } else {
            silt_free(command->text);
        }
    }
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = silt_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void player_play(Player *player, bool playing)
{
    tell(player, &(Command){.kind = COMMAND_PLAY, .number = playing});
}

void player_step(Player *player, int64_t steps)
{
    tell(player, &(Command){.kind = COMMAND_STEP, .number = steps});
}

void player_reset(Player *player)
{
    tell(player, &(Command){.kind = COMMAND_RESET});
}

void player_go_to(Player *player, int64_t step)
{
    tell(player, &(Command){.kind = COMMAND_GO_TO, .number = step > 0 ? step : 0});
}

void player_finish(Player *player)
{
    tell(player, &(Command){.kind = COMMAND_FINISH});
}

void player_stroke(Player *player, const SiltStroke *stroke)
{
    tell(player, &(Command){.kind = COMMAND_STROKE, .stroke = *stroke});
}

void player_set(Player *player, const char *name, const char *text)
{
    Command command = {.kind = COMMAND_SET, .text = copy_text(text)};
    snprintf(command.name, sizeof command.name, "%s", name);
    if (command.text)
        tell(player, &command);
}

void player_source(Player *player, int index, const double *row, int columns)
{
    Command command = {.kind = COMMAND_SOURCE, .number = index};
    command.columns = !row ? 0 : columns < SOURCE_COLUMNS ? columns : SOURCE_COLUMNS;
    for (int k = 0; k < command.columns; k++)
        command.row[k] = row[k];
    tell(player, &command);
}

void player_begin_group(Player *player, const char *name)
{
    Command command = {.kind = COMMAND_BEGIN_GROUP};
    snprintf(command.name, sizeof command.name, "%s", name);
    tell(player, &command);
}

void player_end_group(Player *player)
{
    tell(player, &(Command){.kind = COMMAND_END_GROUP});
}

void player_undo(Player *player)
{
    tell(player, &(Command){.kind = COMMAND_UNDO});
}

void player_redo(Player *player)
{
    tell(player, &(Command){.kind = COMMAND_REDO});
}

void player_set_hands(Player *player, const char *text)
{
    Command command = {.kind = COMMAND_HANDS, .text = copy_text(text ? text : "")};
    if (command.text)
        tell(player, &command);
}

void player_clear_hands(Player *player)
{
    player_set_hands(player, "");
}

// ---- how, and what is shown ----

void player_speed(Player *player, PlayerPace pace, double rate)
{
    pthread_mutex_lock(&player->mutex);
    player->pace = pace;
    player->rate = rate;
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
}

void player_want(Player *player, const char *const *layers, int count)
{
    Wanted wanted = {.count = count < PLAYER_MAX_LAYERS ? count : PLAYER_MAX_LAYERS};
    for (int k = 0; k < wanted.count; k++)
        snprintf(wanted.layers[k], SILT_NAME_SIZE, "%s", layers[k]);
    pthread_mutex_lock(&player->mutex);
    memcpy(player->wanted.layers, wanted.layers, sizeof wanted.layers);
    player->wanted.count = wanted.count;
    player->wants_others = true;
    pthread_cond_broadcast(&player->woken);
    pthread_mutex_unlock(&player->mutex);
}

void player_spare_layers(Player *player, double seconds)
{
    pthread_mutex_lock(&player->mutex);
    player->wanted.spare = seconds;
    pthread_mutex_unlock(&player->mutex);
}

void player_want_particles(Player *player, bool wanted)
{
    pthread_mutex_lock(&player->mutex);
    player->wanted.particles = wanted;
    pthread_mutex_unlock(&player->mutex);
}

void player_want_surface(Player *player, bool wanted)
{
    pthread_mutex_lock(&player->mutex);
    player->wanted.surface = wanted;
    pthread_mutex_unlock(&player->mutex);
}

void player_limit_frames(Player *player, double per_second, double share)
{
    pthread_mutex_lock(&player->mutex);
    player->wanted.rate = per_second > 0.1 ? per_second : 0.1;
    player->wanted.share = share;
    pthread_mutex_unlock(&player->mutex);
}

// ---- what is new ----

static void fill_frame(const Frame *frame, PlayerNews *out)
{
    out->number = frame->number;
    out->recipe = frame->recipe;
    out->step = frame->step;
    out->time = frame->time;
    for (int k = 0; k < frame->slab_count; k++) {
        const Slab *slab = &frame->slabs[k];
        SiltRect rect = slab->changed;
        if (!slab->is_there || rect.width <= 0 || rect.height <= 0)
            continue;
        out->layers[out->layer_count++] =
            (PlayerLayer){slab->name, silt_field_row(&slab->field, rect.j) + rect.i, slab->field.stride, rect,
                          slab->generation};
    }
    out->is_frame = true;
    out->shared = frame->is_shared ? &frame->shared : NULL;
    out->particles = frame->has_particles ? &frame->particles : NULL;
    out->surface = frame->has_surface ? &frame->surface : NULL;
}

bool player_take(Player *player, PlayerNews *out)
{
    Frames *frames = &player->frames;
    *out = (PlayerNews){0};
    pthread_mutex_lock(&player->mutex);
    player->has_woken = false;
    out->terrain = player->fresh;
    player->fresh = NULL;
    out->before = player->fresh_before;
    player->fresh_before = NULL;
    if (out->terrain) {
        out->source = player->fresh_source;
        out->recipe = player->fresh_number;
        out->seconds = player->fresh_seconds;
    }
    // a frame of a run that has been replaced is none
    bool has_frame = frames->is_ready && frames->frames[frames->ready].recipe == atomic_load(&player->newest);
    if (has_frame) {
        int shown = frames->front;
        frames->front = frames->ready;
        frames->ready = shown;
        frames->is_ready = false;
    }
    pthread_mutex_unlock(&player->mutex);
    if (has_frame)
        fill_frame(&frames->frames[frames->front], out);
    return has_frame || out->terrain || out->before;
}

void player_give_back(Player *player, PlayerNews *news)
{
    (void)player; // the frame is the window's until it takes another
    *news = (PlayerNews){0};
}

void player_state(Player *player, PlayerState *out)
{
    pthread_mutex_lock(&player->mutex);
    player->has_woken = false;
    *out = player->state;
    pthread_mutex_unlock(&player->mutex);
}

// ---- room for those who draw ----

// Under the mutex.
static void share_processors(const Player *player)
{
    bool shares = player->advances && player_now() < player->room_until;
    if (player->options.threads <= 0 && player->threads > 1)
        silt_set_threads(shares ? player->threads - 1 : player->threads);
}

void player_make_room(Player *player, double seconds)
{
    pthread_mutex_lock(&player->mutex);
    player->room_until = seconds > 0.0 ? player_now() + seconds : 0.0;
    if (player->advances)
        share_processors(player);
    pthread_mutex_unlock(&player->mutex);
}

void player_begin_steps(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    player->threads = player->threads > 0 ? player->threads : silt_threads();
    player->advances = true;
    share_processors(player);
    pthread_mutex_unlock(&player->mutex);
}

void player_end_steps(Player *player)
{
    pthread_mutex_lock(&player->mutex);
    player->advances = false;
    share_processors(player);
    pthread_mutex_unlock(&player->mutex);
}
