// The land follows the recipe: what is cooked when it changes or another stage is picked, and what is shown
// when the player has something new.
#include <string.h>

#include "actions.h"
#include "jobs.h"
#include "land.h"
#include "looks.h"
#include "notice.h"
#include "panel.h"
#include "play.h"
#include "rock.h"
#include "seen.h"
#include "stack_list.h"
#include "warnings.h"
#include "welcome.h"

enum { PEEK_MILLISECONDS = 500, PATIENCE_SECONDS = 2 };

// ---- what is cooked ----

// The sun, the snow and the place of the camera that a recipe's own picture has.
static void take_look(View *view, const SiltRecipe *recipe)
{
    const SiltRenderOptions *look = silt_recipe_look(recipe);
    SiltRenderOptions usual = {0};
    silt_params_init(&silt_render_params, &usual);
    usual.sun_height = 30.0;
    const SiltRenderOptions *from = look ? look : &usual;
    int own = view->look.look;
    bool shadows = view->look.shadows, legend = view->look.legend;
    view->look = *from;
    view->look.width = view->look.height = 0;
    view->look.look = look ? from->look : own;
    view->look.shadows = shadows;
    view->look.legend = legend;
    view->look.particle_look = usual.particle_look; // water that plays is seen
    cut_forget(view);
    looks_follow(view);
}

// The first stage whose water is made of particles, or that was kept on the way, or -1. Such a stage takes
// minutes to hours: it waits for whoever wants to see it flow, and is cooked on request alone.
static int slow_stage(const View *view)
{
    SiltEntry entry;
    for (int k = 0; k < silt_stack_count(view->stack, SILT_IN_STAGES); k++)
        if (silt_stack_entry(view->stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model &&
            entry.enabled && !entry.skipped &&
            (k == view->kept_stage || silt_params_find(silt_model_params(entry.model), "particles") >= 0))
            return k;
    return -1;
}

// How many stages are shown: all (-1), or as far as the picked one.
static int last_shown(const View *view)
{
    if (!view->up_to_here || view->place == SILT_IN_OUTPUTS)
        return -1;
    int stages = view->place == SILT_IN_TERRAIN ? 0 : view->index + 1;
    return seen_is_end(view, stages) ? -1 : stages;
}

static void cook(View *view, bool sketch)
{
    SiltRecipe *recipe;
    if (!view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        return;
    notice_forget_fault(view); // it is tried anew
    if (view->fresh)
        take_look(view, recipe);
    view->fresh = false;
    int slow = slow_stage(view), end = last_shown(view);
    bool waits = slow >= 0 && (end < 0 || end > slow); // for whoever wants to see it flow
    view->asked = end;
    uint64_t number = sketch  ? player_sketch(view->player, recipe, waits ? slow : end)
                      : waits ? player_live(view->player, recipe, slow)
                              : player_cook(view->player, recipe, end);
    seen_ask(view, number, waits ? slow : end);
}

// Whether one of these stages wears the land. What comes before such a stage, noise most often, tells
// nothing of what was opened: the old land stays until then.
static bool are_worth_a_look(const View *view, int from, int to)
{
    SiltEntry entry;
    for (int k = from; k < to; k++)
        if (silt_stack_entry(view->stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model &&
            entry.enabled && !entry.skipped)
            return true;
    return false;
}

// What of a slow recipe is done is shown after each stage that wears it, before the rest is cooked.
static gboolean on_peek(gpointer user)
{
    View *view = user;
    PlayerState state;
    SiltRecipe *recipe;
    player_state(view->player, &state);
    if (state.live) {
        view->peek_timer = 0;
        return G_SOURCE_REMOVE;
    }
    bool early = g_get_monotonic_time() - view->opened < PATIENCE_SECONDS * G_USEC_PER_SEC;
    if (view->peeks || early || state.work != PLAYER_COOKS ||
        !are_worth_a_look(view, view->peeked, state.stage) ||
        silt_stack_recipe(view->stack, &recipe) != SILT_OK)
        return G_SOURCE_CONTINUE;
    view->peeks = true;
    view->peeked = state.stage;
    seen_ask(view, player_cook(view->player, recipe, state.stage), state.stage);
    return G_SOURCE_CONTINUE;
}

void view_stop_peeking(View *view)
{
    if (view->peek_timer)
        g_source_remove(view->peek_timer);
    view->peek_timer = 0;
}

void view_cook_all(View *view)
{
    SiltRecipe *recipe;
    view->up_to_here = false;
    view->asked = -1;
    if (view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        seen_ask(view, player_cook(view->player, recipe, -1), -1);
    compare_follow(view);
    view_refresh(view);
}

static void follow(View *view, bool keeps_hands)
{
    view_stop_peeking(view); // a hand is at work: previews again
    if (keeps_hands && !is_playing(view, 0))
        play_keep_hands(view);
    if (!play_follow(view, keeps_hands))
        cook(view, false);
    compare_follow(view);
    view_refresh(view);
}

void view_changed(View *view)
{
    follow(view, true);
}

void view_hands_changed(View *view)
{
    follow(view, false);
}

void view_sketch(View *view)
{
    view_stop_peeking(view);
    if (!is_live(view, 0))
        cook(view, true);
    stack_list_refresh(view->list);
    view_refresh_title(view);
}

void view_point_to(View *view, SiltPlace place, int index)
{
    if (view->place == place && view->index == index)
        return;
    view->place = place;
    view->index = index;
    compare_follow(view);
    view_refresh(view);
}

void view_select(View *view, SiltPlace place, int index)
{
    PlayerState state;
    player_state(view->player, &state);
    view->up_to_here = place != SILT_IN_OUTPUTS;
    view_point_to(view, place, index);
    // a run that has begun is not thrown away because someone looks at the parameters of another stage
    bool held = state.work == PLAYER_BEGINS || (state.live && (is_playing(view, 0) || state.step > 0));
    if (!held && last_shown(view) != view->asked)
        cook(view, false);
    view_refresh(view);
}

// `checkpoint` NULL: no stage of it was kept.
static void take_stack(View *view, SiltStack *stack, const char *path, int stage, const char *checkpoint)
{
    player_cancel(view->player);
    player_end_live(view->player);
    player_go_on_from(view->player, checkpoint);
    view->kept_stage = stage;
    warnings_forget(view);
    if (view->stack)
        silt_stack_destroy(view->stack);
    view->stack = stack;
    char *copy = g_strdup(path);
    g_free(view->path);
    view->path = copy;
    g_clear_pointer(&view->name, g_free);
    view->path_time = 0;
    view->recovered = false;
    view->up_to_here = false;
    view->autosaved = UINT64_MAX; // nothing of it
    // the last stage of erosion is what people look at first
    view->place = SILT_IN_TERRAIN;
    view->index = 0;
    SiltEntry entry;
    for (int k = 0; k < silt_stack_count(stack, SILT_IN_STAGES); k++)
        if (silt_stack_entry(stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model &&
            (stage < 0 || k <= stage)) {
            view->place = SILT_IN_STAGES;
            view->index = k;
        }
    land_frame_next(view->land);
    rock_keep(view, NULL);
    view->fresh = true;
    panel_forget_live(view->panel);
    welcome_close(view->welcome);
    notice_show(view, NOTICE_OPENING, NULL);
    view->waits = true;
    cook(view, false);
    view_stop_peeking(view);
    view->peeks = false;
    view->peeked = 0;
    view->opened = g_get_monotonic_time();
    view->peek_timer = g_timeout_add(PEEK_MILLISECONDS, on_peek, view);
    view_refresh(view);
}

void view_take_stack(View *view, SiltStack *stack, const char *path)
{
    take_stack(view, stack, path, -1, NULL);
}

void view_take_kept(View *view, SiltStack *stack, int stage, const char *checkpoint)
{
    take_stack(view, stack, NULL, stage, checkpoint);
}

// ---- news ----

// The window's own copy follows the run, for values under the pointer and for files.
static void take_layer(View *view, const PlayerLayer *layer)
{
    SiltField *field = NULL;
    const SiltRect *rect = &layer->rect;
    land_update(view->land, layer->name, rect, layer->values, layer->stride);
    if (!view->terrain || silt_terrain_require(view->terrain, layer->name, &field) != SILT_OK ||
        rect->i + rect->width > field->width || rect->j + rect->height > field->height)
        return;
    if (strcmp(layer->name, "height") == 0) // the ground: nothing is left to add to it
        silt_terrain_drop(view->terrain, "change");
    for (int j = 0; j < rect->height; j++)
        memcpy(silt_field_row(field, rect->j + j) + rect->i, layer->values + (size_t)j * layer->stride,
               sizeof(float) * (size_t)rect->width);
}

static void take_terrain(View *view, const PlayerNews *news)
{
    SiltTerrain *old = view->terrain;
    // a small preview does not take the place of what is made so far in full
    if (news->source == PLAYER_PREVIEW && view->peek_timer && view->peeked > 0) {
        silt_terrain_destroy(news->terrain);
        return;
    }
    view->terrain = news->terrain;
    view->rough = news->source == PLAYER_PREVIEW;
    view->previews += view->rough;
    seen_take(view, news->recipe);
    view->waits = false;
    land_show_work(view->land, NULL, 0.0);
    if (!view->rough)
        notice_forget_fault(view);
    if (!land_show(view->land)) { // what is shown still must stay
        view->terrain = old;
        old = news->terrain;
    }
    silt_terrain_destroy(old);
    actions_refresh(view);
    if (view->rough)
        return;
    if (!view->peeks) {
        view_stop_peeking(view); // all of it is seen
        return;
    }
    view->peeks = false;
    cook(view, false);
}

void view_take_news(View *view)
{
    PlayerNews news;
    if (!player_take(view->player, &news))
        return;
    if (news.terrain)
        take_terrain(view, &news);
    if (news.is_frame) // what is on the card takes the place of what was
        silt_viewer_update_shared(view->viewer, news.shared);
    if (news.shared)
        land_queue_draw(view->land);
    for (int k = 0; k < news.layer_count; k++)
        take_layer(view, &news.layers[k]);
    land_ask_to_share(view->land);
    if (news.surface)
        rock_keep(view, news.surface);
    if (news.surface)
        silt_viewer_show(view->viewer, &(SiltMotif){.mesh = news.surface, .particles = news.particles});
    else if (news.particles)
        silt_viewer_update_particles(view->viewer, news.particles);
    if (news.surface || news.particles)
        view_queue_draw(view);
    if (news.before)
        compare_take(view, news.before);
    player_give_back(view->player, &news);
}
