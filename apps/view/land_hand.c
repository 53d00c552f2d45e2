// What a hand does to the camera: mouse, wheel, fingers, pen and keys. Tools are asked first.
#include <math.h>

#include "cut.h"
#include "jobs.h"
#include "land_inside.h"
#include "pen.h"
#include "tools.h"

static const guint fly_keys[] = {GDK_KEY_w, GDK_KEY_s, GDK_KEY_a, GDK_KEY_d, GDK_KEY_e, GDK_KEY_q};

// ---- flying ----

bool land_fly_on(Land *land, double seconds)
{
    double way = 0.8 * seconds, move[3] = {0.0, 0.0, 0.0};
    if (land->fly == 0)
        return false;
    move[0] = way * ((land->fly >> 3 & 1 ? 1.0 : 0.0) - (land->fly >> 2 & 1 ? 1.0 : 0.0));
    move[1] = way * ((land->fly >> 0 & 1 ? 1.0 : 0.0) - (land->fly >> 1 & 1 ? 1.0 : 0.0));
    move[2] = way * ((land->fly >> 4 & 1 ? 1.0 : 0.0) - (land->fly >> 5 & 1 ? 1.0 : 0.0));
    silt_viewer_fly(land->view->viewer, move[0], move[1], move[2]);
    return true;
}

// ---- the pointer ----

static void on_motion(GtkEventControllerMotion *motion, double x, double y, Land *land)
{
    (void)motion;
    land->pointer[0] = x;
    land->pointer[1] = y;
    land->inside = land->pointer_moved = true;
    land_wake(land);
    if (land->leads == LEADS_NOTHING)
        tools_hover(land->view->tools, x * land_scale(land), y * land_scale(land), true);
}

static void on_leave(GtkEventControllerMotion *motion, Land *land)
{
    (void)motion;
    land->inside = false;
    gtk_widget_set_visible(land->values, FALSE);
    tools_hover(land->view->tools, 0.0, 0.0, false);
}

// ---- dragging ----

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, Land *land)
{
    View *view = land->view;
    gtk_widget_grab_focus(land->area);
    guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(drag));
    GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
    land->drag_at[0] = land->drag_at[1] = 0.0;
    land->leads = LEADS_NOTHING;
    land->touched = true;
    double scale = land_scale(land);
    if (button == GDK_BUTTON_PRIMARY && compare_press(view, x, gtk_widget_get_width(land->area)))
        land->leads = LEADS_WIPE;
    else if (button == GDK_BUTTON_PRIMARY && cut_press(view, x * scale, y * scale))
        land->leads = LEADS_CUT;
    else if (button == GDK_BUTTON_PRIMARY &&
             tools_press(view->tools, x * scale, y * scale, state, land->pressure))
        land->leads = LEADS_TOOL;
    else if (button != GDK_BUTTON_PRIMARY || (state & GDK_SHIFT_MASK))
        land->leads = LEADS_PAN;
    else if (state & GDK_CONTROL_MASK)
        land->leads = LEADS_LOOK;
    else
        land->leads = LEADS_ORBIT;
}

static void on_drag(GtkGestureDrag *drag, double dx, double dy, Land *land)
{
    View *view = land->view;
    if (land->leads == LEADS_NOTHING)
        return;
    double scale = land_scale(land), x0, y0;
    double by[2] = {(dx - land->drag_at[0]) * scale, (dy - land->drag_at[1]) * scale};
    land->drag_at[0] = dx;
    land->drag_at[1] = dy;
    gtk_gesture_drag_get_start_point(drag, &x0, &y0);
    if (land->leads == LEADS_WIPE)
        compare_drag(view, x0 + dx, gtk_widget_get_width(land->area));
    else if (land->leads == LEADS_TOOL)
        tools_move(view->tools, (x0 + dx) * scale, (y0 + dy) * scale, land->pressure);
    else if (land->leads == LEADS_CUT)
        cut_drag(view, (x0 + dx) * scale, (y0 + dy) * scale);
    else if (land->leads == LEADS_ORBIT)
        silt_viewer_orbit(view->viewer, by[0], by[1]);
    else if (land->leads == LEADS_PAN)
        silt_viewer_pan(view->viewer, by[0], by[1]);
    else
        silt_viewer_look_round(view->viewer, by[0], by[1]);
    land_queue_draw(land);
}

static void on_drag_end(GtkGestureDrag *drag, double dx, double dy, Land *land)
{
    double x0, y0, scale = land_scale(land);
    gtk_gesture_drag_get_start_point(drag, &x0, &y0);
    if (land->leads == LEADS_TOOL)
        tools_release(land->view->tools, (x0 + dx) * scale, (y0 + dy) * scale);
    else if (land->leads == LEADS_WIPE)
        compare_release(land->view);
    land->leads = LEADS_NOTHING;
    land->pressure = 1.0;
    land->led = g_get_monotonic_time(); // what the tool did last is seen at once, too
}

static gboolean on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, Land *land)
{
    View *view = land->view;
    GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
    double scale = land_scale(land);
    GdkDevice *device = gtk_event_controller_get_current_event_device(GTK_EVENT_CONTROLLER(scroll));
    bool touchpad = device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHPAD;
    if (tools_scroll(view->tools, dy, state)) {
        land_queue_draw(land);
        return TRUE;
    }
    land->touched = true;
    if (touchpad && !(state & GDK_CONTROL_MASK)) // two fingers turn, as a drag does
        silt_viewer_orbit(view->viewer, -12.0 * dx * scale, -12.0 * dy * scale);
    else
        silt_viewer_zoom(view->viewer, land->pointer[0] * scale, land->pointer[1] * scale, pow(0.85, dy));
    land_queue_draw(land);
    return TRUE;
}

// ---- fingers ----

// A hand has led the camera: no land that comes moves it, and pictures of a run come at once.
static void is_led(Land *land)
{
    land->touched = true;
    land->led = g_get_monotonic_time();
    land_queue_draw(land);
}

static void on_fingers_begin(GtkGesture *gesture, GdkEventSequence *sequence, Land *land)
{
    (void)sequence;
    land->pinch = 1.0;
    land->twist = 0.0;
    land->has_fingers = gtk_gesture_is_active(gesture) &&
                        gtk_gesture_get_bounding_box_center(gesture, &land->fingers[0], &land->fingers[1]);
}

void land_move_fingers(Land *land, double x, double y)
{
    double scale = land_scale(land);
    if (land->has_fingers && (x != land->fingers[0] || y != land->fingers[1])) {
        silt_viewer_pan(land->view->viewer, (x - land->fingers[0]) * scale, (y - land->fingers[1]) * scale);
        is_led(land);
    }
    land->has_fingers = true;
    land->fingers[0] = x;
    land->fingers[1] = y;
}

static void on_fingers(GtkGesture *gesture, GdkEventSequence *sequence, Land *land)
{
    double x, y;
    (void)sequence;
    if (gtk_gesture_is_active(gesture) && gtk_gesture_get_bounding_box_center(gesture, &x, &y))
        land_move_fingers(land, x, y);
}

static void on_pinch(GtkGestureZoom *gesture, double factor, Land *land)
{
    (void)gesture;
    const double *at = land->has_fingers ? land->fingers : land->pointer;
    double scale = land_scale(land);
    if (factor > 0.0) {
        silt_viewer_zoom(land->view->viewer, at[0] * scale, at[1] * scale, factor / land->pinch);
        land->pinch = factor;
    }
    is_led(land);
}

// The land turns with the fingers: the camera goes round it the other way.
static void on_twist(GtkGestureRotate *gesture, double angle, double delta, Land *land)
{
    (void)gesture;
    (void)angle;
    SiltGaze gaze = silt_viewer_gaze(land->view->viewer);
    gaze.turn -= (delta - land->twist) * 180.0 / G_PI;
    land->twist = delta;
    silt_viewer_set_gaze(land->view->viewer, &gaze, true);
    is_led(land);
}

// ---- pens ----

void land_press_pen(Land *land, double pressure)
{
    land->pressure = pen_strength(pressure);
}

static void on_pen(GtkGestureStylus *stylus, double x, double y, Land *land)
{
    (void)x;
    (void)y;
    double pressure;
    if (gtk_gesture_stylus_get_axis(stylus, GDK_AXIS_PRESSURE, &pressure))
        land_press_pen(land, pressure);
}

// ---- keys ----

void land_fly_key(Land *land, guint key, bool pressed)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(fly_keys); k++)
        if (gdk_keyval_to_lower(key) == fly_keys[k]) {
            land->fly = pressed ? land->fly | 1u << k : land->fly & ~(1u << k);
            land_wake(land);
            land->best_drawn = false;
            land->touched = true;
        }
}

static void on_focus_lost(GtkEventControllerFocus *focus, Land *land)
{
    (void)focus;
    land->fly = 0; // a key that is let go elsewhere is never heard of
}

// ---- all of it ----

void land_listen(Land *land)
{
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "motion", G_CALLBACK(on_motion), land);
    g_signal_connect(motion, "leave", G_CALLBACK(on_leave), land);
    gtk_widget_add_controller(land->area, motion);
    land->stylus = gtk_gesture_stylus_new();
    g_signal_connect(land->stylus, "down", G_CALLBACK(on_pen), land);
    g_signal_connect(land->stylus, "motion", G_CALLBACK(on_pen), land);
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(land->stylus), GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(land->area, GTK_EVENT_CONTROLLER(land->stylus));
    land->drag = gtk_gesture_drag_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(land->drag), 0);
    g_signal_connect(land->drag, "drag-begin", G_CALLBACK(on_drag_begin), land);
    g_signal_connect(land->drag, "drag-update", G_CALLBACK(on_drag), land);
    g_signal_connect(land->drag, "drag-end", G_CALLBACK(on_drag_end), land);
    gtk_widget_add_controller(land->area, GTK_EVENT_CONTROLLER(land->drag));
    GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), land);
    gtk_widget_add_controller(land->area, scroll);
    land->zoom = gtk_gesture_zoom_new();
    g_signal_connect(land->zoom, "begin", G_CALLBACK(on_fingers_begin), land);
    g_signal_connect(land->zoom, "update", G_CALLBACK(on_fingers), land);
    g_signal_connect(land->zoom, "scale-changed", G_CALLBACK(on_pinch), land);
    gtk_widget_add_controller(land->area, GTK_EVENT_CONTROLLER(land->zoom));
    land->rotate = gtk_gesture_rotate_new();
    g_signal_connect(land->rotate, "angle-changed", G_CALLBACK(on_twist), land);
    gtk_widget_add_controller(land->area, GTK_EVENT_CONTROLLER(land->rotate));
    gtk_gesture_group(land->zoom, land->rotate);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect(focus, "leave", G_CALLBACK(on_focus_lost), land);
    gtk_widget_add_controller(land->area, focus);
}
