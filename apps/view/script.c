// The script: one line after the other; a line that cannot be done ends it with status 1.
#include "script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "actions.h"
#include "files.h"
#include "finder.h"
#include "land.h"
#include "panel.h"
#include "seen.h"
#include "silt/text.h"
#include "tools.h"
#include "warnings.h"

typedef struct Script {
    View *view;
    GIOChannel *input;
    gint64 until;    // nothing is done before
    bool rests;      // nothing is done before all is cooked
    bool settles;    // and drawn in full
    gint64 patience; // but not longer than this
    char *pending;   // the last line, until it is done
    int line;
    guint timer;
} Script;

static int failures;

int script_status(void)
{
    return failures > 0;
}

static bool complain(const Script *script, const char *text)
{
    fprintf(stderr, "silt-view: script, line %d: %s\n", script->line, text);
    failures++;
    return false;
}

static double number(const char *word)
{
    double value = 0.0;
    return word && silt_parse_whole_number(word, &value) ? value : 0.0;
}

// ---- what lines do ----

static bool do_pick(Script *script, char **words)
{
    static const char *const places[] = {"terrain", "stages", "outputs"};
    for (int k = 0; k < 3; k++)
        if (strcmp(words[1], places[k]) == 0) {
            int index = words[2] ? (int)number(words[2]) : 0;
            if (index >= silt_stack_count(script->view->stack, (SiltPlace)k))
                return complain(script, "there is no such entry");
            view_select(script->view, (SiltPlace)k, index);
            return true;
        }
    return complain(script, "terrain, stages or outputs?");
}

static bool do_slide(Script *script, char **words)
{
    ParamRow *row = panel_row(script->view->panel, words[1]);
    if (!row)
        return complain(script, "the picked entry has no such parameter");
    param_row_slide(row, number(words[2]));
    return true;
}

static bool do_set(Script *script, char **words)
{
    ParamRow *row = panel_row(script->view->panel, words[1]);
    if (!row)
        return complain(script, "the picked entry has no such parameter");
    param_row_type(row, strcmp(words[0], "default") == 0 ? NULL : words[2]);
    return true;
}

static bool do_hand(Script *script, char **words)
{
    double at[5] = {1.0};
    bool pen = strcmp(words[0], "pen") == 0;
    for (int k = 0; words[k + 1]; k++)
        at[strcmp(words[0], "paint") == 0 ? k + 1 : k] = number(words[k + 1]);
    if (strcmp(words[0], "fingers") == 0)
        script_fingers(script->view, at, at[2], at[3]);
    else if (!script_paint(script->view, at + 1, pen ? at[0] : -1.0))
        return complain(script, "no tool takes this");
    return true;
}

static bool do_where(Script *script, char **words)
{
    View *view = script->view;
    ParamRow *row = panel_row(view->panel, words[1]);
    GtkWidget *widget = strcmp(words[1], "land") == 0 ? land_widget(view->land)
                        : row                         ? param_row_slider(row)
                                                      : NULL;
    graphene_rect_t place;
    if (!widget || !gtk_widget_compute_bounds(widget, GTK_WIDGET(view->window), &place))
        return complain(script, "there is no such widget");
    double shadow_x, shadow_y;
    gtk_native_get_surface_transform(GTK_NATIVE(view->window), &shadow_x, &shadow_y);
    printf("%.0f %.0f %.0f %.0f\n", (double)place.origin.x + shadow_x, (double)place.origin.y + shadow_y,
           (double)place.size.width, (double)place.size.height);
    return true;
}

static bool do_state(Script *script)
{
    PlayerState state;
    GtkWidget *focus = gtk_window_get_focus(script->view->window);
    player_state(script->view->player, &state);
    printf(
        "live %d stage %d playing %d step %lld hands %d sources %d stages %d finder %d tool %d frames %.1f "
        "steps/s %.1f drawn %d seen %d focus %s device %s%s%s\n",
        state.live, state.live_stage, state.playing, (long long)state.step, state.hand_count,
        state.source_count, silt_stack_count(script->view->stack, SILT_IN_STAGES),
        finder_is_open(script->view->finder), tools_chosen(script->view->tools),
        land_frames_per_second(script->view->land), state.steps_per_second,
        land_frames_drawn(script->view->land), seen_stages(script->view),
        focus ? G_OBJECT_TYPE_NAME(focus) : "none",
        state.seeks_device ? "sought"
        : state.device[0]  ? state.device
                           : "cpu",
        state.is_on_device ? ", which plays" : "", state.shares ? ", shared" : "");
    return true;
}

static bool do_gaze(Script *script)
{
    SiltGaze gaze = silt_viewer_gaze(script->view->viewer);
    printf("target %.0f %.0f %.0f distance %.0f turn %.1f tilt %.1f fov %.1f\n", gaze.target[0],
           gaze.target[1], gaze.target[2], gaze.distance, gaze.turn, gaze.tilt, gaze.fov);
    return true;
}

static bool do_hash(Script *script)
{
    SiltTerrain *copy = NULL;
    if (!script->view->terrain || silt_terrain_clone(script->view->terrain, &copy) != SILT_OK)
        return complain(script, "there is no land yet");
    silt_terrain_settle(copy);
    printf("%016llx\n", (unsigned long long)silt_field_hash(silt_terrain_layer(copy, "height")));
    silt_terrain_destroy(copy);
    return true;
}

static bool do_window(Script *script, const char *path)
{
    GtkWidget *window = GTK_WIDGET(script->view->window);
    GdkPaintable *paintable = gtk_widget_paintable_new(window);
    GskRenderNode *node = NULL;
    for (int k = 0; k < 100 && !node; k++) { // what has just changed is laid out first
        GtkSnapshot *snapshot = gtk_snapshot_new();
        gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(window),
                               gtk_widget_get_height(window));
        node = gtk_snapshot_free_to_node(snapshot);
        if (!node)
            g_main_context_iteration(NULL, FALSE);
        if (!node)
            g_usleep(10000);
    }
    GskRenderer *renderer = gtk_native_get_renderer(GTK_NATIVE(window));
    GdkTexture *texture = node ? gsk_renderer_render_texture(renderer, node, NULL) : NULL;
    bool fine = texture && gdk_texture_save_to_png(texture, path);
    g_clear_object(&texture);
    g_clear_pointer(&node, gsk_render_node_unref);
    g_object_unref(paintable);
    return fine ? true : complain(script, "the window could not be drawn into a file");
}

static bool do_action(Script *script, const char *name)
{
    const Action *action = action_find(name);
    if (!action)
        return complain(script, "there is no such action");
    if (!action_is_there(script->view, action))
        return complain(script, "this cannot be done now");
    g_action_group_activate_action(G_ACTION_GROUP(script->view->window), name, NULL);
    return true;
}

static bool do_file(Script *script, char **words)
{
    View *view = script->view;
    GtkWidget *land = land_widget(view->land);
    double scale = land_scale(view->land);
    if (strcmp(words[0], "save") == 0)
        return files_save(view, words[1]) || complain(script, view->said);
    if (strcmp(words[0], "open") == 0)
        return files_open(view, words[1]) || complain(script, view->said);
    if (strcmp(words[0], "picture") == 0)
        return files_picture(view, words[1], (int)(gtk_widget_get_width(land) * scale),
                             (int)(gtk_widget_get_height(land) * scale)) ||
               complain(script, view->said);
    files_export(view, words[1]);
    return true;
}

static bool do_camera(Script *script, char **words)
{
    SiltViewer *viewer = script->view->viewer;
    GtkWidget *land = land_widget(script->view->land);
    double scale = land_scale(script->view->land);
    land_touch(script->view->land);
    if (strcmp(words[0], "orbit") == 0)
        silt_viewer_orbit(viewer, number(words[1]), number(words[2]));
    else
        silt_viewer_zoom(viewer, gtk_widget_get_width(land) * scale / 2.0,
                         gtk_widget_get_height(land) * scale / 2.0, number(words[1]));
    view_queue_draw(script->view);
    return true;
}

static bool do_expect(Script *script, const char *text)
{
    if (script->view->said && strstr(script->view->said, text))
        return true;
    fprintf(stderr, "the last sentence was: %s\n", script->view->said ? script->view->said : "none");
    return complain(script, "another sentence was expected");
}

static GtkWidget *find_named(GtkWidget *widget, const char *name)
{
    if (strcmp(gtk_widget_get_name(widget), name) == 0)
        return widget;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = find_named(child, name);
    return found;
}

// ---- files that are dropped ----

// As though it had been let go over the land: the window's own target gets GTK's signal.
static bool do_drop(Script *script, const char *path)
{
    GFile *file = g_file_new_for_path(path);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GDK_TYPE_FILE_LIST);
    g_value_take_boxed(&value, gdk_file_list_new_from_array(&file, 1));
    GListModel *all = gtk_widget_observe_controllers(GTK_WIDGET(script->view->window));
    gboolean taken = FALSE;
    for (guint k = 0; k < g_list_model_get_n_items(all) && !taken; k++) {
        GObject *controller = g_list_model_get_item(all, k);
        if (GTK_IS_DROP_TARGET(controller))
            g_signal_emit_by_name(controller, "drop", &value, 400.0, 300.0, &taken);
        g_object_unref(controller);
    }
    g_object_unref(all);
    g_value_unset(&value);
    g_object_unref(file);
    return taken || complain(script, "the window does not take this");
}

// The first part of a row of parameters that can be pressed stands for the row.
static bool press(GtkWidget *widget)
{
    bool pressed = gtk_widget_is_visible(widget) && !GTK_IS_EDITABLE(widget) && gtk_widget_activate(widget);
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !pressed;
         child = gtk_widget_get_next_sibling(child))
        pressed = !GTK_IS_POPOVER(child) && press(child);
    return pressed;
}

static bool do_press(Script *script, const char *name)
{
    GtkWidget *button = find_named(GTK_WIDGET(script->view->window), name);
    return (button && press(button)) || complain(script, "there is no such button");
}

// As when a card is taken away: the area leaves the window, with its context and all that was in it, and
// comes back.
static bool do_lose(Script *script)
{
    GtkOverlay *overlay = GTK_OVERLAY(script->view->overlay);
    GtkWidget *area = g_object_ref(land_widget(script->view->land));
    gtk_overlay_set_child(overlay, NULL);
    gtk_overlay_set_child(overlay, area);
    g_object_unref(area);
    return true;
}

static bool do_quit(Script *script)
{
    script->view->closing = true;
    gtk_window_close(script->view->window);
    return true;
}

static bool do_words(Script *script, char **words, int count)
{
    View *view = script->view;
    const char *verb = words[0];
    if (strcmp(verb, "wait") == 0 && count == 2)
        script->until = g_get_monotonic_time() + (gint64)(number(words[1]) * 1e6);
    else if (strcmp(verb, "rest") == 0 || strcmp(verb, "settle") == 0) {
        script->rests = true;
        script->settles = verb[0] == 's';
        script->patience = g_get_monotonic_time() + (gint64)((count > 1 ? number(words[1]) : 120.0) * 1e6);
    } else if (strcmp(verb, "action") == 0 && count == 2)
        return do_action(script, words[1]);
    else if (strcmp(verb, "pick") == 0 && count >= 2)
        return do_pick(script, words);
    else if ((strcmp(verb, "set") == 0 && count == 3) || (strcmp(verb, "default") == 0 && count == 2))
        return do_set(script, words);
    else if (strcmp(verb, "slide") == 0 && count == 3)
        return do_slide(script, words);
    else if (((strcmp(verb, "paint") == 0 || strcmp(verb, "fingers") == 0) && count == 5) ||
             (strcmp(verb, "pen") == 0 && count == 6))
        return do_hand(script, words);
    else if ((strcmp(verb, "orbit") == 0 && count == 3) || (strcmp(verb, "zoom") == 0 && count == 2))
        return do_camera(script, words);
    else if (strcmp(verb, "where") == 0 && count == 2)
        return do_where(script, words);
    else if (strcmp(verb, "state") == 0)
        return do_state(script);
    else if (strcmp(verb, "names") == 0)
        script_names(script->view);
    else if (strcmp(verb, "drop") == 0 && count == 2)
        return do_drop(script, words[1]);
    else if (strcmp(verb, "times") == 0)
        script_times(script->view);
    else if (strcmp(verb, "gaze") == 0)
        return do_gaze(script);
    else if (strcmp(verb, "hash") == 0)
        return do_hash(script);
    else if (strcmp(verb, "say") == 0)
        printf("%s\n", view->said ? view->said : "");
    else if (strcmp(verb, "warned") == 0)
        printf("%s\n", warnings_last());
    else if (strcmp(verb, "notice") == 0)
        printf("%s\n", land_notice(view->land));
    else if (strcmp(verb, "window") == 0 && count == 2)
        return do_window(script, words[1]);
    else if (strcmp(verb, "size") == 0 && count == 3)
        gtk_window_set_default_size(view->window, (int)number(words[1]), (int)number(words[2]));
    else if (strcmp(verb, "expect") == 0 && count == 2)
        return do_expect(script, words[1]);
    else if (strcmp(verb, "press") == 0 && count == 2)
        return do_press(script, words[1]);
    else if (strcmp(verb, "lose") == 0)
        return do_lose(script);
    else if (strcmp(verb, "quit") == 0)
        return do_quit(script);
    else if (strcmp(verb, "try") == 0 && count == 2)
        files_open(view, words[1]); // what is wrong with it is said
    else if (count == 2 && (strcmp(verb, "save") == 0 || strcmp(verb, "open") == 0 ||
                            strcmp(verb, "export") == 0 || strcmp(verb, "picture") == 0))
        return do_file(script, words);
    else
        return complain(script, "what does this mean?");
    return true;
}

// ---- one line after the other ----

static bool is_busy(Script *script)
{
    PlayerState state;
    gint64 now = g_get_monotonic_time();
    if (now < script->until)
        return true;
    if (!script->rests)
        return false;
    player_state(script->view->player, &state);
    bool works = state.work != PLAYER_RESTS && state.work != PLAYER_PLAYS;
    works = works || script->view->peeks || (!state.playing && !player_wait(script->view->player, 0.0));
    if ((works || g_atomic_int_get(&script->view->woken)) && now < script->patience)
        return true;
    if (script->settles && !state.playing && !land_is_finished(script->view->land) && now < script->patience)
        return true;
    script->settles = false;
    if (works)
        complain(script, "it did not come to rest");
    script->rests = false;
    script->until = now + 300000; // the picture follows
    return true;
}

static gboolean on_time(gpointer user);

static gboolean on_input(GIOChannel *input, GIOCondition condition, gpointer user)
{
    Script *script = user;
    (void)input;
    (void)condition;
    script->timer = g_timeout_add(30, on_time, script);
    return G_SOURCE_REMOVE;
}

static gboolean on_time(gpointer user)
{
    Script *script = user;
    char *line = NULL, **words = NULL;
    int count = 0;
    gsize end = 0;
    if (is_busy(script))
        return G_SOURCE_CONTINUE;
    if (script->pending) {
        printf("done %s\n", script->pending);
        fflush(stdout);
        g_clear_pointer(&script->pending, g_free);
    }
    GIOStatus status = g_io_channel_read_line(script->input, &line, NULL, &end, NULL);
    if (status == G_IO_STATUS_AGAIN) { // who waits for a line does not wake beside a model that runs
        g_io_add_watch(script->input, G_IO_IN | G_IO_HUP | G_IO_ERR, on_input, script);
        return G_SOURCE_REMOVE;
    }
    if (status != G_IO_STATUS_NORMAL) {
        g_io_channel_unref(script->input);
        g_free(script);
        return G_SOURCE_REMOVE;
    }
    line[end] = '\0';
    script->line++;
    bool quits = g_str_has_prefix(line, "quit");
    if (line[0] != '#' && g_shell_parse_argv(line, &count, &words, NULL) && !do_words(script, words, count)) {
        script->view->closing = true;
        gtk_window_close(script->view->window);
        quits = true;
    }
    g_strfreev(words);
    script->pending = line; // said when what it asked for has been waited for
    if (!quits)
        return G_SOURCE_CONTINUE;
    g_free(script->pending);
    g_io_channel_unref(script->input);
    g_free(script);
    return G_SOURCE_REMOVE;
}

void script_run(View *view, const char *path)
{
    Script *script = g_new0(Script, 1);
    script->view = view;
    GError *error = NULL;
    script->input =
        strcmp(path, "-") == 0 ? g_io_channel_unix_new(0) : g_io_channel_new_file(path, "r", &error);
    if (!script->input) {
        fprintf(stderr, "silt-view: %s\n", error->message);
        g_error_free(error);
        failures++;
        g_free(script);
        return;
    }
    g_io_channel_set_flags(script->input, G_IO_FLAG_NONBLOCK, NULL);
    script->timer = g_timeout_add(30, on_time, script);
}
