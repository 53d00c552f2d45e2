// One window: its parts, and how news and changes go through it.
#include <math.h>
#include <string.h>

#include "actions.h"
#include "devices.h"
#include "files.h"
#include "finder.h"
#include "header.h"
#include "jobs.h"
#include "keys.h"
#include "land.h"
#include "looks.h"
#include "menus.h"
#include "notice.h"
#include "panel.h"
#include "play.h"
#include "rock.h"
#include "seen.h"
#include "settings.h"
#include "stack_list.h"
#include "status.h"
#include "timeline.h"
#include "tools.h"
#include "warnings.h"
#include "welcome.h"

enum { TOAST_SECONDS = 5, STATUS_MILLISECONDS = 250 };

// ---- sentences ----

static gboolean hide_toast(gpointer user)
{
    View *view = user;
    view->toast_timer = 0;
    if (!warnings_show_next(view))
        gtk_revealer_set_reveal_child(GTK_REVEALER(view->toast), FALSE);
    return G_SOURCE_REMOVE;
}

void view_show_toast(View *view, const char *text, int seconds)
{
    gtk_label_set_text(GTK_LABEL(view->toast_label), text);
    gtk_revealer_set_reveal_child(GTK_REVEALER(view->toast), TRUE);
    if (view->toast_timer)
        g_source_remove(view->toast_timer);
    view->toast_timer = g_timeout_add_seconds((guint)seconds, hide_toast, view);
}

void view_say(View *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_free(view->said);
    view->said = text;
    if (!view->gone)
        view_show_toast(view, text, TOAST_SECONDS);
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

// ---- the player's state ----

void view_refresh_state(View *view)
{
    PlayerState state;
    view->state_shown = g_get_monotonic_time();
    player_state(view->player, &state);
    bool cooks = state.work == PLAYER_COOKS || state.work == PLAYER_BEGINS;
    stack_list_show_work(view->list, cooks ? state.stage : -2, state.share);
    notice_work(view, &state);
    status_refresh(view->status, &state);
    timeline_refresh(view->timeline, &state);
    tools_refresh(view->tools, &state);
    seen_refresh(view->seen, &state);
    warnings_watch(view, &state);
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
        view_queue_draw(view); // a run that stands still is drawn in full
    }
}

// Seconds that news of a run may wait, so that the model has the machine: none where a hand is at work.
static double news_may_wait(View *view)
{
    double now = (double)g_get_monotonic_time() * 1e-6;
    PlayerState state;
    if (!is_playing(view, 0) || land_is_led(view->land))
        return 0.0;
    thrift_measure(&view->thrift, now, land_frames_drawn(view->land));
    player_state(view->player, &state);
    return thrift_wait(&view->thrift, now, state.steps_per_second);
}

// Microseconds between two sights of the numbers: twice as long where the processor draws them and has a
// model to run.
static gint64 status_wait(View *view)
{
    bool is_costly = view->thrift.draws_itself && is_playing(view, 0);
    return (is_costly ? 2 : 1) * STATUS_MILLISECONDS * (gint64)1000;
}

static gboolean on_wake(gpointer user)
{
    View *view = user;
    double wait = news_may_wait(view);
    if (wait > 0.0) {
        g_timeout_add((guint)(wait * 1000.0) + 1, on_wake, view);
        return G_SOURCE_REMOVE;
    }
    g_atomic_int_set(&view->woken, 0);
    view_take_news(view);
    // numbers that change faster than one reads cost frames
    gint64 since = g_get_monotonic_time() - view->state_shown;
    if (since > (is_playing(view, 0) ? status_wait(view) : STATUS_MILLISECONDS * 400))
        view_refresh_state(view);
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
    View *view = user;
    if (g_get_monotonic_time() - view->state_shown > status_wait(view) * 7 / 10)
        view_refresh_state(view);
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

void view_set_tip(GtkWidget *widget, const char *tip)
{
    if (g_strcmp0(gtk_widget_get_tooltip_text(widget), tip) != 0)
        gtk_widget_set_tooltip_text(widget, tip);
}

void view_set_button_tip(GtkWidget *button, const char *tip)
{
    GtkWidget *face = gtk_widget_get_first_child(button); // beside it is the popover
    gtk_widget_set_tooltip_text(GTK_IS_BUTTON(face) ? face : button, tip);
}

void view_fold(View *view, bool folded)
{
    menus_close(view);
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
    if (view->closing) {
        menus_close(view);
        settings_store(view);
    }
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

// The finder and the list of keys are as wide as is pleasant to read, or as there is room.
static gboolean on_place(GtkOverlay *overlay, GtkWidget *widget, GdkRectangle *place, View *view)
{
    enum { PLEASANT = 592, PLEASANT_KEYS = 1400 };
    bool of_keys = widget == keys_card(view);
    if (!of_keys && widget != finder_widget(view->finder))
        return FALSE;
    int least, wanted, width = gtk_widget_get_width(GTK_WIDGET(overlay));
    int height = gtk_widget_get_height(GTK_WIDGET(overlay));
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    place->width = MAX(MIN(width, of_keys ? PLEASANT_KEYS : PLEASANT), least);
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, place->width, &least, &wanted, NULL, NULL);
    place->height = MAX(MIN(height, wanted), least);
    place->x = (width - place->width) / 2;
    place->y = of_keys ? MAX((height - place->height) / 2, 0) : 0;
    return TRUE;
}

static GtkWidget *make_middle(View *view)
{
    GtkWidget *overlay = gtk_overlay_new();
    view->overlay = overlay;
    g_signal_connect(overlay, "get-child-position", G_CALLBACK(on_place), view);
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

// A screen without anyone who manages windows may make one smaller than what is in it wants, down to a pixel.
// GTK 4.8 then gives negative sizes to the title bar and complains of them: there is nothing in so small a
// window.
static void on_surface_size(GdkSurface *surface, GParamSpec *spec, View *view)
{
    (void)spec;
    enum { LEAST = 200 };
    bool fits = gdk_surface_get_width(surface) >= LEAST && gdk_surface_get_height(surface) >= LEAST;
    menus_close(view);
    gtk_widget_set_visible(gtk_window_get_titlebar(view->window), fits);
    gtk_widget_set_visible(view->column, fits);
}

static void on_realize(GtkWidget *window, View *view)
{
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    g_signal_connect(surface, "notify::width", G_CALLBACK(on_surface_size), view);
    g_signal_connect(surface, "notify::height", G_CALLBACK(on_surface_size), view);
}

// ---- making and unmaking ----

static void make_parts(View *view)
{
    view->seen = seen_create(view);
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
    g_object_set_data(G_OBJECT(window), "gone", window); // for those who hold it, not the view
    view_destroy(view);
}

View *view_create(GtkApplication *application, const char *path, const char *device, bool trusts)
{
    View *view = g_new0(View, 1);
    view->kept_stage = -1;
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
    warnings_begin(view);
    devices_begin(view, device);
    g_signal_connect(view->window, "realize", G_CALLBACK(on_realize), view);
    g_signal_connect(view->window, "close-request", G_CALLBACK(on_close), view);
    g_signal_connect(view->window, "destroy", G_CALLBACK(on_destroy), view);
    view->status_timer = g_timeout_add(STATUS_MILLISECONDS, on_status, view);

    view->trusts = trusts;
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
    reach_offer(view);
    gtk_widget_grab_focus(land_widget(view->land));
    return view;
}

void view_destroy(View *view)
{
    view->gone = true;
    view_stop_peeking(view);
    while (view->outside > 0) // files are written to their end
        g_main_context_iteration(NULL, TRUE);
    jobs_end(view);
    rock_keep(view, NULL);
    autosave_end(view);
    if (view->toast_timer)
        g_source_remove(view->toast_timer);
    if (view->status_timer)
        g_source_remove(view->status_timer);
    player_destroy(view->player);
    warnings_end(view);
    while (g_source_remove_by_user_data(view)) // what the player had still to tell
        ;
    tools_destroy(view->tools);
    timeline_destroy(view->timeline);
    finder_destroy(view->finder);
    welcome_destroy(view->welcome);
    status_destroy(view->status);
    panel_destroy(view->panel);
    stack_list_destroy(view->list);
    seen_destroy(view->seen);
    land_destroy(view->land);
    silt_viewer_destroy(view->viewer, false);
    silt_stack_destroy(view->stack);
    if (view->terrain)
        silt_terrain_destroy(view->terrain);
    g_free(view->wanted);
    g_free(view->dropped);
    g_free(view->distant);
    g_free(view->said);
    g_free(view->path);
    g_free(view->name);
    g_free(view);
}
