// The time line below the land. The line is drawn by hand: how far the run has come, the moments that were
// kept, where its stage ends; dragging it goes back and forth.
#include "timeline.h"
#include "menus.h"

#include <math.h>
#include <string.h>

struct Timeline {
    View *view;
    GtkWidget *box, *play, *step, *reset, *pace, *line, *time;
    GtkPopover *paces;
    PlayerState state;
    int chosen_pace;
    bool is_dragged;
    int64_t wanted; // step under the pointer while it is dragged
    double began;   // x where the drag began
    bool shows_pause;
};

// ---- the pace ----

// Steps a second; of a model with a clock, "real time" and its multiples are more use, but a year is no
// second.
static const struct {
    const char *name;
    PlayerPace pace;
    double rate;
} paces[] = {
    {"1 step/s", PLAYER_STEPS, 1.0},         {"5 steps/s", PLAYER_STEPS, 5.0},
    {"20 steps/s", PLAYER_STEPS, 20.0},      {"60 steps/s", PLAYER_STEPS, 60.0},
    {"real time", PLAYER_TIME, 1.0},         {"10 × real time", PLAYER_TIME, 10.0},
    {"100 × real time", PLAYER_TIME, 100.0}, {"as fast as it can", PLAYER_AS_FAST_AS_IT_CAN, 0.0},
};
enum { PACES = G_N_ELEMENTS(paces) };

// "real time" is for models that count seconds.
static bool pace_fits(const Timeline *timeline, int pace)
{
    bool in_seconds = timeline->state.model && strcmp(silt_model_clock(timeline->state.model), "s") == 0;
    return paces[pace].pace != PLAYER_TIME || in_seconds || !timeline->state.live;
}

static void set_pace(Timeline *timeline, int pace)
{
    timeline->chosen_pace = pace;
    player_speed(timeline->view->player, paces[pace].pace, paces[pace].rate);
    gtk_menu_button_set_label(GTK_MENU_BUTTON(timeline->pace), paces[pace].name);
}

void timeline_change_pace(Timeline *timeline, int direction)
{
    int pace = timeline->chosen_pace + (direction > 0 ? 1 : -1);
    while (pace > 0 && pace < PACES - 1 && !pace_fits(timeline, pace))
        pace += direction > 0 ? 1 : -1;
    if (pace < 0 || pace >= PACES || !pace_fits(timeline, pace))
        return;
    set_pace(timeline, pace);
    view_say(timeline->view, "%s", paces[pace].name);
}

static void on_pace(GtkButton *button, Timeline *timeline)
{
    int pace = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "pace"));
    set_pace(timeline, pace);
    gtk_popover_popdown(timeline->paces);
}

static void show_paces(GtkPopover *popover, Timeline *timeline)
{
    GtkWidget *row = gtk_widget_get_first_child(gtk_popover_get_child(popover));
    for (int k = 0; row; k++, row = gtk_widget_get_next_sibling(row))
        gtk_widget_set_visible(row, pace_fits(timeline, k));
}

static GtkWidget *make_pace(Timeline *timeline)
{
    GtkWidget *button = gtk_menu_button_new(), *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    timeline->paces = GTK_POPOVER(gtk_popover_new());
    for (int k = 0; k < PACES; k++) {
        GtkWidget *row = gtk_button_new_with_label(paces[k].name);
        gtk_button_set_has_frame(GTK_BUTTON(row), FALSE);
        g_object_set_data(G_OBJECT(row), "pace", GINT_TO_POINTER(k));
        g_signal_connect(row, "clicked", G_CALLBACK(on_pace), timeline);
        gtk_box_append(GTK_BOX(list), row);
    }
    gtk_popover_set_child(timeline->paces, list);
    g_signal_connect(timeline->paces, "show", G_CALLBACK(show_paces), timeline);
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), GTK_WIDGET(timeline->paces));
    gtk_menu_button_set_has_frame(GTK_MENU_BUTTON(button), FALSE);
    gtk_widget_set_name(button, "pace-menu");
    menus_cut_tail(button);
    view_set_button_tip(button, "How fast it plays (+ and −)");
    return button;
}

// ---- the line ----

enum { MARGIN = 8 };

// Step at which the stage ends; of one that ends at a time, as steps have been so far. 0: not known.
static double end_of(const PlayerState *s)
{
    bool known = s->last_time > 0.0 && s->step > 0 && s->time > 0.0;
    return s->last_step > 0 ? (double)s->last_step : known ? (double)s->step * s->last_time / s->time : 0.0;
}

// Steps the line stands for: what has been, and the stage's end.
static double length_of(const Timeline *timeline)
{
    const PlayerState *s = &timeline->state;
    return fmax(fmax((double)MAX(s->furthest, s->target), end_of(s)), 1.0);
}

static double x_of(const Timeline *timeline, double step, int width)
{
    return MARGIN + (width - 2 * MARGIN) * CLAMP(step / length_of(timeline), 0.0, 1.0);
}

static void pick_colour(GtkWidget *widget, cairo_t *cairo, const char *name, double alpha)
{
    GdkRGBA colour = {0.5f, 0.7f, 0.8f, 1.0f};
    gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, &colour);
    cairo_set_source_rgba(cairo, (double)colour.red, (double)colour.green, (double)colour.blue,
                          (double)colour.alpha * alpha);
}

static void draw_line(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer user)
{
    const Timeline *timeline = user;
    const PlayerState *s = &timeline->state;
    GtkWidget *widget = GTK_WIDGET(area);
    double middle = 0.5 * height;
    int64_t shown = timeline->is_dragged ? timeline->wanted : s->step;
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo, 4.0);
    pick_colour(widget, cairo, "silt_line", 1.0);
    cairo_move_to(cairo, MARGIN, middle);
    cairo_line_to(cairo, width - MARGIN, middle);
    cairo_stroke(cairo);
    if (!s->live)
        return;
    pick_colour(widget, cairo, "silt-accent-mild", 0.6); // where it has been
    cairo_move_to(cairo, MARGIN, middle);
    cairo_line_to(cairo, x_of(timeline, (double)s->furthest, width), middle);
    cairo_stroke(cairo);
    pick_colour(widget, cairo, "silt-accent", 1.0);
    cairo_move_to(cairo, MARGIN, middle);
    cairo_line_to(cairo, x_of(timeline, (double)shown, width), middle);
    cairo_stroke(cairo);
    pick_colour(widget, cairo, "silt_text", 0.45); // moments that were kept
    for (int k = 0; k < s->mark_count; k++) {
        cairo_rectangle(cairo, x_of(timeline, (double)s->marks[k], width) - 0.5, middle - 5.0, 1.0, 10.0);
        cairo_fill(cairo);
    }
    if (end_of(s) > 0.0) { // the stage's end
        pick_colour(widget, cairo, "silt_text", 0.9);
        cairo_rectangle(cairo, x_of(timeline, end_of(s), width) - 1.0, middle - 8.0, 2.0, 16.0);
        cairo_fill(cairo);
    }
    pick_colour(widget, cairo, "silt_text", 1.0);
    cairo_arc(cairo, x_of(timeline, (double)shown, width), middle, 6.0, 0.0, 2.0 * G_PI);
    cairo_fill(cairo);
}

static void go_to_x(Timeline *timeline, double x)
{
    int width = gtk_widget_get_width(timeline->line);
    double share = (x - MARGIN) / fmax(1.0, width - 2 * MARGIN);
    int64_t step = (int64_t)(CLAMP(share, 0.0, 1.0) * length_of(timeline) + 0.5);
    timeline->wanted = MIN(step, timeline->state.furthest); // what has not been cannot be gone to
    player_go_to(timeline->view->player, timeline->wanted);
    gtk_widget_queue_draw(timeline->line);
}

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, Timeline *timeline)
{
    (void)drag;
    (void)y;
    if (!timeline->state.live)
        return;
    player_play(timeline->view->player, false);
    timeline->is_dragged = true;
    timeline->began = x;
    go_to_x(timeline, x);
}

static void on_drag(GtkGestureDrag *drag, double dx, double dy, Timeline *timeline)
{
    (void)drag;
    (void)dy;
    if (timeline->is_dragged)
        go_to_x(timeline, timeline->began + dx);
}

static void on_drag_end(GtkGestureDrag *drag, double dx, double dy, Timeline *timeline)
{
    (void)drag;
    (void)dx;
    (void)dy;
    timeline->is_dragged = false;
}

// With the keyboard alone: the arrows go by hundredths of the line.
static gboolean on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                       Timeline *timeline)
{
    (void)keys;
    (void)code;
    (void)state;
    int64_t by = (int64_t)fmax(1.0, length_of(timeline) / 100.0);
    if (!timeline->state.live || (key != GDK_KEY_Left && key != GDK_KEY_Right))
        return FALSE;
    player_play(timeline->view->player, false);
    player_go_to(timeline->view->player, timeline->state.step + (key == GDK_KEY_Left ? -by : by));
    return TRUE;
}

static GtkWidget *make_line(Timeline *timeline)
{
    GtkWidget *line = gtk_drawing_area_new();
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(line), 24);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(line), draw_line, timeline, NULL);
    gtk_widget_set_hexpand(line, TRUE);
    gtk_widget_set_focusable(line, TRUE);
    gtk_widget_set_tooltip_text(line,
                                "Drag to go back, and play on from there; lines are moments that were kept");
    gtk_accessible_update_property(GTK_ACCESSIBLE(line), GTK_ACCESSIBLE_PROPERTY_LABEL, "Time line", -1);
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), timeline);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag), timeline);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), timeline);
    gtk_widget_add_controller(line, GTK_EVENT_CONTROLLER(drag));
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), timeline);
    gtk_widget_add_controller(line, keys);
    return line;
}

// ---- all of it ----

static GtkWidget *action_button(const char *icon, const char *action, const char *tip)
{
    GtkWidget *button = gtk_button_new_from_icon_name(icon);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    gtk_widget_set_tooltip_text(button, tip);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
    return button;
}

Timeline *timeline_create(View *view)
{
    Timeline *timeline = g_new0(Timeline, 1);
    timeline->view = view;
    timeline->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    gtk_widget_add_css_class(timeline->box, "timeline");
    timeline->play = action_button("media-playback-start-symbolic", "win.play", "Play and pause (Space)");
    timeline->step = action_button("media-skip-forward-symbolic", "win.step", "One step (.)");
    timeline->reset = action_button("media-skip-backward-symbolic", "win.reset", "Back to the beginning");
    timeline->pace = make_pace(timeline);
    timeline->line = make_line(timeline);
    timeline->time = gtk_label_new("");
    gtk_widget_add_css_class(timeline->time, "numbers");
    gtk_label_set_xalign(GTK_LABEL(timeline->time), 1.0f);
    gtk_label_set_width_chars(GTK_LABEL(timeline->time), 22);
    GtkWidget *const parts[] = {timeline->reset, timeline->play, timeline->step,
                                timeline->pace,  timeline->line, timeline->time};
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
        gtk_box_append(GTK_BOX(timeline->box), parts[k]);
    set_pace(timeline, PACES - 1);
    return timeline;
}

void timeline_destroy(Timeline *timeline)
{
    g_free(timeline);
}

GtkWidget *timeline_widget(Timeline *timeline)
{
    return timeline->box;
}

// "12.4 s", "3 min 20 s", "1.25 Myr".
static char *time_text(double time, const char *clock)
{
    if (strcmp(clock, "s") == 0) {
        if (time < 60.0)
            return g_strdup_printf("%.1f s", time);
        if (time < 3600.0)
            return g_strdup_printf("%d min %02d s", (int)(time / 60.0), (int)fmod(time, 60.0));
        return g_strdup_printf("%.4g h", time / 3600.0);
    }
    if (time >= 1e6)
        return g_strdup_printf("%.4g Myr", time / 1e6);
    return g_strdup_printf("%.0f %s", time, clock);
}

void timeline_refresh(Timeline *timeline, const PlayerState *state)
{
    const View *view = timeline->view;
    bool plays = view->wish ? view->wish > 0 : state->playing; // what was asked for is shown at once
    timeline->state = *state;
    if (plays != timeline->shows_pause)
        gtk_button_set_icon_name(GTK_BUTTON(timeline->play),
                                 plays ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
    timeline->shows_pause = plays;
    char *text = g_strdup("");
    if (state->live) {
        const char *clock = silt_model_clock(state->model);
        char *time = clock[0] ? time_text(state->time, clock) : g_strdup("");
        g_free(text);
        text = g_strdup_printf("%s%sstep %lld%s", time, time[0] ? "   " : "", (long long)state->step,
                               state->work == PLAYER_CATCHES_UP ? " …"
                               : state->at_rest                 ? "   at rest"
                                                                : "");
        g_free(time);
    }
    gtk_label_set_text(GTK_LABEL(timeline->time), text);
    g_free(text);
    gtk_widget_queue_draw(timeline->line);
}
