// One window: its parts, and how news and changes go through it.
#include <math.h>
#include <string.h>

#include "actions.h"
#include "files.h"
#include "finder.h"
#include "header.h"
#include "jobs.h"
#include "land.h"
#include "looks.h"
#include "notice.h"
#include "panel.h"
#include "play.h"
#include "rock.h"
#include "settings.h"
#include "stack_list.h"
#include "status.h"
#include "timeline.h"
#include "tools.h"
#include "welcome.h"

enum { TOAST_SECONDS = 5, STATUS_MILLISECONDS = 250, PEEK_MILLISECONDS = 2500 };

// ---- sentences ----

static gboolean hide_toast(gpointer user)
{
    View *view = user;
    view->toast_timer = 0;
    gtk_revealer_set_reveal_child(GTK_REVEALER(view->toast), FALSE);
    return G_SOURCE_REMOVE;
}

void view_say(View *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_free(view->said);
    view->said = text;
    if (view->gone)
        return;
    gtk_label_set_text(GTK_LABEL(view->toast_label), text);
    gtk_revealer_set_reveal_child(GTK_REVEALER(view->toast), TRUE);
    if (view->toast_timer)
        g_source_remove(view->toast_timer);
    view->toast_timer = g_timeout_add_seconds(TOAST_SECONDS, hide_toast, view);
}

bool view_ok(View *view, SiltStatus status)
{
    if (status == SILT_OK)
        return true;
    const char *message = silt_message();
    view_say(view, "%s", message[0] ? message : silt_status_name(status));
    return false;
}

// ---- changes ----

void view_refresh(View *view)
{
    stack_list_refresh(view->list);
    panel_refresh(view->panel);
    view_refresh_title(view);
    header_refresh(view);
    actions_refresh(view);
    view_refresh_state(view);
}

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
    looks_follow(view);
}

// The first stage whose water is made of particles, or -1. Such a stage takes minutes to hours: it waits at
// its beginning for whoever wants to see it flow, and is cooked on request alone.
static int slow_stage(const View *view)
{
    SiltEntry entry;
    for (int k = 0; k < silt_stack_count(view->stack, SILT_IN_STAGES); k++)
        if (silt_stack_entry(view->stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model &&
            entry.enabled && !entry.skipped &&
            silt_params_find(silt_model_params(entry.model), "particles") >= 0)
            return k;
    return -1;
}

// How many stages are shown: all (-1), or as far as the picked one.
static int last_shown(const View *view)
{
    return !view->up_to_here || view->place == SILT_IN_OUTPUTS ? -1
           : view->place == SILT_IN_TERRAIN                    ? 0
                                                               : view->index + 1;
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
    if (sketch)
        player_sketch(view->player, recipe, slow >= 0 ? slow : end);
    else if (slow >= 0 && (end < 0 || end > slow))
        player_live(view->player, recipe, slow);
    else
        player_cook(view->player, recipe, end);
}

// What of a slow recipe is done after some seconds is shown, before the rest is cooked.
static gboolean on_peek(gpointer user)
{
    View *view = user;
    PlayerState state;
    SiltRecipe *recipe;
    player_state(view->player, &state);
    if (state.work == PLAYER_RESTS || state.live) {
        view->peek_timer = 0;
        return G_SOURCE_REMOVE;
    }
    if (state.stage < 0 || silt_stack_recipe(view->stack, &recipe) != SILT_OK)
        return G_SOURCE_CONTINUE;
    view->peek_timer = 0;
    view->peeks = true;
    player_cook(view->player, recipe, state.stage);
    return G_SOURCE_REMOVE;
}

static void stop_peeking(View *view)
{
    if (view->peek_timer)
        g_source_remove(view->peek_timer);
    view->peek_timer = 0;
}

void view_cook_all(View *view)
{
    SiltRecipe *recipe;
    if (view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        player_cook(view->player, recipe, -1);
    view_refresh(view);
}

void view_changed(View *view)
{
    if (!is_playing(view, 0))
        play_keep_hands(view);
    if (!play_follow(view))
        cook(view, false);
    compare_follow(view);
    view_refresh(view);
}

void view_sketch(View *view)
{
    if (!is_live(view, 0))
        cook(view, true);
    stack_list_refresh(view->list);
    view_refresh_title(view);
}

void view_select(View *view, SiltPlace place, int index)
{
    if (view->place == place && view->index == index)
        return;
    view->place = place;
    view->index = index;
    if (view->up_to_here && !is_live(view, 0))
        cook(view, false);
    compare_follow(view);
    view_refresh(view);
}

void view_take_stack(View *view, SiltStack *stack, const char *path)
{
    player_cancel(view->player);
    player_end_live(view->player);
    if (view->stack)
        silt_stack_destroy(view->stack);
    view->stack = stack;
    char *copy = g_strdup(path);
    g_free(view->path);
    view->path = copy;
    view->path_time = 0;
    view->recovered = false;
    view->autosaved = UINT64_MAX; // nothing of it
    // the last stage of erosion is what people look at first
    view->place = SILT_IN_TERRAIN;
    view->index = 0;
    SiltEntry entry;
    for (int k = 0; k < silt_stack_count(stack, SILT_IN_STAGES); k++)
        if (silt_stack_entry(stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.model) {
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
    stop_peeking(view);
    view->peeks = false;
    view->peek_timer = g_timeout_add(PEEK_MILLISECONDS, on_peek, view);
    view_refresh(view);
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
    view->terrain = news->terrain;
    view->rough = news->source == PLAYER_PREVIEW;
    view->waits = false;
    land_show_work(view->land, NULL, 0.0);
    if (!view->rough)
        notice_forget_fault(view);
    land_show(view->land);
    if (old)
        silt_terrain_destroy(old);
    actions_refresh(view);
    stop_peeking(view);
    if (view->peeks && !view->rough) {
        view->peeks = false;
        cook(view, false);
    }
}

void view_take_news(View *view)
{
    PlayerNews news;
    if (!player_take(view->player, &news))
        return;
    if (news.terrain)
        take_terrain(view, &news);
    for (int k = 0; k < news.layer_count; k++)
        take_layer(view, &news.layers[k]);
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

void view_refresh_state(View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    bool cooks = state.work == PLAYER_COOKS || state.work == PLAYER_BEGINS;
    stack_list_show_work(view->list, cooks ? state.stage : -2, state.share);
    notice_work(view, &state);
    status_refresh(view->status, &state);
    timeline_refresh(view->timeline, &state);
    tools_refresh(view->tools, &state);
    if (state.fault_number != view->fault_number) {
        view->fault_number = state.fault_number;
        if (state.fault[0])
            notice_fault(view, &state);
    }
    // it was done, or came to nothing: a stage may end before anyone has looked
    bool late = state.work != PLAYER_BEGINS && g_get_monotonic_time() - view->wished > 2 * G_USEC_PER_SEC;
    // a stage that has ended before one could see anything plays on beyond its end
    bool short_one = view->wish > 0 && !state.playing && state.live && state.last_step > 0 &&
                     state.step == state.last_step && state.work == PLAYER_RESTS;
    if (short_one)
        player_play(view->player, true);
    if (view->wish && (state.playing == (view->wish > 0) || late))
        view->wish = 0;
    int can = state.playing | state.live << 1 | state.can_undo << 2 | state.can_redo << 3;
    if (can != view->could) {
        view->could = can;
        actions_refresh(view);
    }
}

static gboolean on_wake(gpointer user)
{
    View *view = user;
    g_atomic_int_set(&view->woken, 0);
    view_take_news(view);
    gint64 now = g_get_monotonic_time(); // numbers that change faster than one reads cost frames
    if (now - view->state_shown > STATUS_MILLISECONDS * 400) {
        view->state_shown = now;
        view_refresh_state(view);
    }
    return G_SOURCE_REMOVE;
}

// On a thread of the player's.
static void wake(void *user)
{
    View *view = user;
    if (g_atomic_int_compare_and_exchange(&view->woken, 0, 1))
        g_idle_add_full(G_PRIORITY_DEFAULT, on_wake, view, NULL);
}

static gboolean on_status(gpointer user)
{
    view_refresh_state(user);
    return G_SOURCE_CONTINUE;
}

// ---- the window ----

void view_queue_draw(View *view)
{
    land_queue_draw(view->land);
}

View *view_of(GtkWidget *widget)
{
    GtkRoot *root = gtk_widget_get_root(widget);
    return root ? g_object_get_data(G_OBJECT(root), "view") : NULL;
}

void view_fold(View *view, bool folded)
{
    view->folded = folded;
    GtkWidget *parts[] = {view->left, view->right, view->bottom};
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
        gtk_widget_set_visible(parts[k], !folded);
    gtk_widget_set_visible(tools_bar(view->tools), !folded);
    land_show_values(view->land, !folded);
    gtk_widget_grab_focus(land_widget(view->land));
    view_queue_draw(view);
}

static void close_now(View *view)
{
    view->closing = true;
    gtk_window_close(view->window);
}

static gboolean on_close(GtkWindow *window, View *view)
{
    (void)window;
    if (!view->closing)
        files_guard(view,
                    close_now); // which may say yes at once: a window that is closing is not closed anew
    if (view->closing)
        settings_store(view);
    return !view->closing;
}

static void make_toast(View *view)
{
    view->toast = gtk_revealer_new();
    gtk_revealer_set_transition_type(GTK_REVEALER(view->toast), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
    view->toast_label = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(view->toast_label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(view->toast_label), 72);
    gtk_widget_add_css_class(view->toast_label, "toast");
    gtk_revealer_set_child(GTK_REVEALER(view->toast), view->toast_label);
    gtk_widget_set_halign(view->toast, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(view->toast, GTK_ALIGN_START);
    gtk_widget_set_can_target(view->toast, FALSE);
}

static GtkWidget *make_middle(View *view)
{
    GtkWidget *overlay = gtk_overlay_new();
    view->overlay = overlay;
    gtk_overlay_set_child(GTK_OVERLAY(overlay), land_widget(view->land));
    land_add_overlays(view->land, GTK_OVERLAY(overlay));
    GtkWidget *tools = tools_bar(view->tools);
    gtk_widget_set_halign(tools, GTK_ALIGN_START); // legends stand on the right
    gtk_widget_set_valign(tools, GTK_ALIGN_END);
    GtkWidget *over[] = {tools, welcome_widget(view->welcome), finder_widget(view->finder), view->toast};
    for (size_t k = 0; k < G_N_ELEMENTS(over); k++)
        gtk_overlay_add_overlay(GTK_OVERLAY(overlay), over[k]);
    return overlay;
}

static void make_body(View *view)
{
    view->left = stack_list_widget(view->list);
    view->right = panel_widget(view->panel);
    gtk_widget_set_size_request(view->left, 216, -1);
    gtk_widget_set_size_request(view->right, 296, -1);
    GtkWidget *inner = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL),
              *outer = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    gtk_paned_set_start_child(GTK_PANED(inner), make_middle(view));
    gtk_paned_set_end_child(GTK_PANED(inner), view->right);
    gtk_paned_set_resize_end_child(GTK_PANED(inner), FALSE);
    gtk_paned_set_shrink_end_child(GTK_PANED(inner), FALSE);
    gtk_paned_set_start_child(GTK_PANED(outer), view->left);
    gtk_paned_set_end_child(GTK_PANED(outer), inner);
    gtk_paned_set_resize_start_child(GTK_PANED(outer), FALSE);
    gtk_paned_set_shrink_start_child(GTK_PANED(outer), FALSE);
    gtk_widget_set_vexpand(outer, TRUE);
    view->bottom = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *timeline = timeline_widget(view->timeline);
    gtk_widget_add_css_class(timeline, "timeline");
    gtk_box_append(GTK_BOX(view->bottom), timeline);
    gtk_box_append(GTK_BOX(view->bottom), status_widget(view->status));
    view->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(view->column), outer);
    gtk_box_append(GTK_BOX(view->column), view->bottom);
    gtk_window_set_child(view->window, view->column);
}

// ---- making and unmaking ----

static void make_parts(View *view)
{
    view->land = land_create(view);
    view->list = stack_list_create(view);
    view->panel = panel_create(view);
    view->tools = tools_create(view);
    view->timeline = timeline_create(view);
    view->status = status_create(view);
    view->welcome = welcome_create(view);
    view->finder = finder_create(view);
    make_toast(view);
    header_make(view);
    make_body(view);
}

static void on_destroy(GtkWidget *window, View *view)
{
    (void)window;
    view_destroy(view);
}

View *view_create(GtkApplication *application, const char *path)
{
    View *view = g_new0(View, 1);
    view->application = application;
    looks_init(view);
    if (silt_viewer_create(&view->viewer) != SILT_OK ||
        player_create(&(PlayerOptions){.wake = wake, .user = view}, &view->player) != SILT_OK ||
        silt_stack_new(&view->stack) != SILT_OK) {
        g_printerr("silt-view: %s\n", silt_message());
        return NULL;
    }
    view->window = GTK_WINDOW(gtk_application_window_new(application));
    gtk_widget_add_css_class(GTK_WIDGET(view->window), "silt");
    gtk_window_set_icon_name(view->window, "silt");
    g_object_set_data(G_OBJECT(view->window), "view", view);
    settings_load(view);
    actions_install(view);
    make_parts(view);
    land_set_look(view->land);
    files_accept_drops(view);
    autosave_begin(view);
    g_signal_connect(view->window, "close-request", G_CALLBACK(on_close), view);
    g_signal_connect(view->window, "destroy", G_CALLBACK(on_destroy), view);
    view->status_timer = g_timeout_add(STATUS_MILLISECONDS, on_status, view);

    if (!path || !files_open(view, path)) {
        char *said = path ? g_strdup(view->said) : NULL;
        char *first = files_recipe_path("welcome");
        SiltStack *stack = NULL;
        if (first && silt_stack_open(first, NULL, 0, &stack) == SILT_OK)
            view_take_stack(view, stack, NULL);
        else
            view_changed(view);
        g_free(first);
        welcome_open(view->welcome);
        if (said) { // what stands there is not what was asked for
            view->unopened = true;
            view_say(view, "%s", said);
            notice_show(view, NOTICE_OPENING, said);
        }
        g_free(said);
    }
    autosave_offer(view);
    gtk_window_present(view->window);
    gtk_widget_grab_focus(land_widget(view->land));
    return view;
}

void view_destroy(View *view)
{
    view->gone = true;
    stop_peeking(view);
    while (view->exports > 0) // a file is written to its end
        g_main_context_iteration(NULL, TRUE);
    jobs_end(view);
    rock_keep(view, NULL);
    autosave_end(view);
    if (view->toast_timer)
        g_source_remove(view->toast_timer);
    if (view->status_timer)
        g_source_remove(view->status_timer);
    player_destroy(view->player);
    while (g_source_remove_by_user_data(view)) // what the player had still to tell
        ;
    tools_destroy(view->tools);
    timeline_destroy(view->timeline);
    finder_destroy(view->finder);
    welcome_destroy(view->welcome);
    status_destroy(view->status);
    panel_destroy(view->panel);
    stack_list_destroy(view->list);
    land_destroy(view->land);
    silt_viewer_destroy(view->viewer, false);
    silt_stack_destroy(view->stack);
    if (view->terrain)
        silt_terrain_destroy(view->terrain);
    g_free(view->wanted);
    g_free(view->said);
    g_free(view->path);
    g_free(view);
}
