// The middle of the window: the land, drawn by the viewer into a GtkGLArea, and what a hand does to the
// camera. Tools are asked first; what they do not take leads the camera.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "jobs.h"
#include "land.h"
#include "seen.h"
#include "tools.h"

enum { REST_MICROSECONDS = 180000, FRAMES = 32 };

struct Land {
    View *view;
    GtkWidget *area, *values, *notice;
    GtkWidget *work, *work_text, *work_line; // in the middle, while there is no land yet
    GtkGesture *drag, *zoom, *rotate, *stylus;
    double drag_at[2];   // how far the drag had come at the last event
    double pinch, twist; // scale and angle at the last event
    enum { LEADS_NOTHING, LEADS_WIPE, LEADS_TOOL, LEADS_ORBIT, LEADS_PAN, LEADS_LOOK } leads;
    double pressure;   // of a pen, 0 to 1; 1 for a mouse
    double pointer[2]; // widget pixels
    bool inside, pointer_moved;
    bool quiet;           // no values under the pointer
    bool has_framed;      // the camera has a place
    bool drawable, sized; // there is a GL context; it has pixels
    bool unfinished;      // the picture in full wants more frames
    unsigned fly;         // keys held: bits of FLY_KEYS
    guint tick;
    gint64 last_tick, last_change;
    bool dirty, best_drawn; // something is new; the last picture was drawn in full
    gint64 frames[FRAMES];  // times of the last pictures
    int frame_at;
};

static const guint fly_keys[] = {GDK_KEY_w, GDK_KEY_s, GDK_KEY_a, GDK_KEY_d, GDK_KEY_e, GDK_KEY_q};

GtkWidget *land_widget(Land *land)
{
    return land->area;
}

double land_scale(const Land *land)
{
    return (double)gtk_widget_get_scale_factor(land->area);
}

// ---- frames ----

static bool fly_on(Land *land, double seconds)
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

static void show_values(Land *land);
static void frame(Land *land);

static gboolean on_tick(GtkWidget *area, GdkFrameClock *clock, gpointer user)
{
    Land *land = user;
    gint64 now = gdk_frame_clock_get_frame_time(clock);
    double seconds = land->last_tick ? (double)(now - land->last_tick) * 1e-6 : 1.0 / 60.0;
    land->last_tick = now;
    if (!land->drawable)
        return G_SOURCE_CONTINUE;
    seconds = seconds > 0.1 ? 0.1 : seconds; // a long frame does not throw the camera
    bool moves = fly_on(land, seconds);
    moves |= silt_viewer_animate(land->view->viewer, seconds);
    if (land->pointer_moved) {
        land->pointer_moved = false;
        show_values(land);
    }
    if (moves || land->dirty) {
        land->dirty = false;
        land->best_drawn = false;
        land->last_change = now;
        gtk_gl_area_queue_render(GTK_GL_AREA(area));
    } else if (!land->best_drawn && now - land->last_change > REST_MICROSECONDS) {
        land->best_drawn = true;
        gtk_gl_area_queue_render(GTK_GL_AREA(area));
    } else if (land->unfinished && now - land->last_change >
                                       REST_MICROSECONDS) { // a slow card draws the best picture part by part
        gtk_gl_area_queue_render(GTK_GL_AREA(area));
    } else if (land->best_drawn && !land->unfinished) { // all rests: no more frames until something happens
        land->tick = 0;
        land->last_tick = 0;
        return G_SOURCE_REMOVE;
    }
    return G_SOURCE_CONTINUE;
}

static void wake(Land *land)
{
    if (!land->tick)
        land->tick = gtk_widget_add_tick_callback(land->area, on_tick, land, NULL);
}

void land_queue_draw(Land *land)
{
    land->dirty = true;
    wake(land);
}

void land_hold(Land *land)
{
    land->last_change = g_get_monotonic_time();
}

static gboolean on_render(GtkGLArea *area, GdkGLContext *context, Land *land)
{
    (void)context;
    double scale = land_scale(land);
    int width = (int)(gtk_widget_get_width(GTK_WIDGET(area)) * scale);
    int height = (int)(gtk_widget_get_height(GTK_WIDGET(area)) * scale);
    if (!land->drawable || !land->view->terrain || width < 1 || height < 1) { // sky
        glClearColor(0.62f, 0.72f, 0.82f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        return TRUE;
    }
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    SiltStatus status =
        silt_viewer_draw(land->view->viewer, (unsigned)framebuffer, width, height, land->best_drawn);
    if (status == SILT_OK && !land->has_framed && land->view->terrain) { // now it knows how large it is seen
        land->has_framed = true;
        frame(land);
        status = silt_viewer_draw(land->view->viewer, (unsigned)framebuffer, width, height, false);
        land_queue_draw(land);
    }
    if (status != SILT_OK)
        land_say(land, silt_message());
    land->unfinished = land->best_drawn && silt_viewer_is_unfinished(land->view->viewer);
    land->frames[land->frame_at++ % FRAMES] = g_get_monotonic_time();
    return TRUE;
}

double land_frames_per_second(const Land *land)
{
    gint64 now = g_get_monotonic_time(), first = now;
    int count = 0;
    for (int k = 0; k < FRAMES; k++)
        if (land->frames[k] && now - land->frames[k] < G_USEC_PER_SEC) {
            count++;
            first = land->frames[k] < first ? land->frames[k] : first;
        }
    double span = count == FRAMES ? (double)(now - first) * 1e-6 : 1.0;
    return count / (span > 1e-3 ? span : 1e-3);
}

void land_show_values(Land *land, bool shown)
{
    land->quiet = !shown;
    land->pointer_moved = true;
}

int land_frames_drawn(const Land *land)
{
    return land->frame_at;
}

// ---- the viewer ----

void land_say(Land *land, const char *text)
{
    gtk_label_set_text(GTK_LABEL(land->notice), text ? text : "");
    gtk_widget_set_visible(land->notice, text && text[0]);
}

// All of the land, at once: the camera has been nowhere yet.
static void frame(Land *land)
{
    silt_viewer_frame_all(land->view->viewer);
    SiltGaze gaze = silt_viewer_gaze(land->view->viewer);
    silt_viewer_set_gaze(land->view->viewer, &gaze, true);
}

void land_show(Land *land)
{
    View *view = land->view;
    if (!view->terrain)
        return;
    bool first = !land->has_framed;
    SiltMotif motif = {.terrain = view->terrain, .volume = view->terrain->volume};
    if (!view_ok(view, silt_viewer_show(view->viewer, &motif)))
        return;
    int reduction = silt_viewer_reduction(view->viewer);
    char *text =
        reduction > 1
            ? g_strdup_printf("Every %d. cell is shown: the land is larger than the card can draw", reduction)
            : NULL;
    land_say(land, text);
    g_free(text);
    if (first) {
        land->has_framed = land->sized;
        frame(land);
    }
    land->pointer_moved = true;
    land_queue_draw(land);
}

void land_frame_next(Land *land)
{
    land->has_framed = false;
}

void land_set_look(Land *land)
{
    View *view = land->view;
    SiltRenderOptions look = view->look;
    if (look.look ==
        SILT_LOOK_HILLSHADE) { // slopes alone, as on a map: nothing casts a shadow, the air is clear
        look.look = SILT_LOOK_GREY;
        look.shadows = false;
        look.haze = 0.0;
        look.sun_height = 45.0;
    }
    view_ok(view, silt_viewer_set_options(view->viewer, &look));
    land_queue_draw(land);
}

void land_update(Land *land, const char *layer, const SiltRect *rect, const float *values, size_t stride)
{
    View *view = land->view;
    silt_viewer_update(view->viewer, layer, rect, values, stride);
    land->pointer_moved = land->inside;
    land_queue_draw(land);
}

static void on_realize(GtkGLArea *area, Land *land)
{
    gtk_gl_area_make_current(area);
    GError *error = gtk_gl_area_get_error(area);
    if (error) {
        char *text = g_strdup_printf("This display draws nothing in three dimensions: %s", error->message);
        land_say(land, text);
        g_free(text);
        return;
    }
    land->drawable = true;
    land_queue_draw(land);
}

// The card forgets, the viewer does not: the next picture brings everything back, in whatever context.
static void on_unrealize(GtkGLArea *area, Land *land)
{
    gtk_gl_area_make_current(area);
    bool current = gtk_gl_area_get_error(area) == NULL && gdk_gl_context_get_current() != NULL;
    land->drawable = false;
    silt_viewer_unload(land->view->viewer, current);
}

static void on_resize(GtkGLArea *area, int width, int height, Land *land)
{
    (void)area;
    land->sized = width > 1 && height > 1;
    land_queue_draw(land);
}

// ---- what lies under the pointer ----

static void add_layer(GString *text, const SiltTerrain *terrain, const char *name, int i, int j,
                      const char *title, const char *unit, double least)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    if (!field || i < 0 || j < 0 || i >= field->width || j >= field->height)
        return;
    double value = (double)silt_field_at(field, i, j);
    bool thin = strcmp(unit, "m") == 0 && fabs(value) < 0.01;
    if (fabs(value) >= least)
        g_string_append_printf(text, "   %s %.3g%s%s", title, thin ? value * 1000.0 : value,
                               unit[0] ? " " : "", thin ? "mm" : unit);
}

static void show_values(Land *land)
{
    View *view = land->view;
    SiltPick pick;
    double scale = land_scale(land);
    bool on_land = land->inside && !land->quiet && view->terrain &&
                   silt_viewer_pick(view->viewer, land->pointer[0] * scale, land->pointer[1] * scale, &pick);
    gtk_widget_set_visible(land->values, on_land);
    if (!on_land)
        return;
    GString *text = g_string_new(NULL);
    bool far = view->terrain->width * view->terrain->cell >= 2000.0;
    g_string_append_printf(
        text, far ? "%.2f km E  %.2f km N   %.0f m   %.0f°" : "%.1f m E  %.1f m N   %.1f m   %.0f°",
        pick.place[0] / (far ? 1000.0 : 1.0), pick.place[1] / (far ? 1000.0 : 1.0), pick.place[2],
        pick.slope);
    add_layer(text, view->terrain, "water", pick.i, pick.j, "water", "m", 1e-4);
    add_layer(text, view->terrain, "flow", pick.i, pick.j, "flow", silt_layer_unit("flow"), 1e-3);
    if (view->look.overlay[0] && strcmp(view->look.overlay, "flow") != 0 &&
        strcmp(view->look.overlay, "water") != 0)
        add_layer(text, view->terrain, view->look.overlay, pick.i, pick.j, view->look.overlay,
                  silt_layer_unit(view->look.overlay), 0.0);
    gtk_label_set_text(GTK_LABEL(land->values), text->str);
    g_string_free(text, TRUE);
}

static void on_motion(GtkEventControllerMotion *motion, double x, double y, Land *land)
{
    (void)motion;
    land->pointer[0] = x;
    land->pointer[1] = y;
    land->inside = land->pointer_moved = true;
    wake(land);
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
    double scale = land_scale(land);
    if (button == GDK_BUTTON_PRIMARY && compare_press(view, x, gtk_widget_get_width(land->area)))
        land->leads = LEADS_WIPE;
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
    if (touchpad && !(state & GDK_CONTROL_MASK)) // two fingers turn, as a drag does
        silt_viewer_orbit(view->viewer, -12.0 * dx * scale, -12.0 * dy * scale);
    else
        silt_viewer_zoom(view->viewer, land->pointer[0] * scale, land->pointer[1] * scale, pow(0.85, dy));
    land_queue_draw(land);
    return TRUE;
}

static void on_pinch_begin(GtkGesture *gesture, GdkEventSequence *sequence, Land *land)
{
    (void)gesture;
    (void)sequence;
    land->pinch = 1.0;
    land->twist = 0.0;
}

static void on_pinch(GtkGestureZoom *gesture, double factor, Land *land)
{
    double x = land->pointer[0], y = land->pointer[1], scale = land_scale(land);
    gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y);
    if (factor > 0.0)
        silt_viewer_zoom(land->view->viewer, x * scale, y * scale, factor / land->pinch);
    land->pinch = factor;
    land_queue_draw(land);
}

static void on_twist(GtkGestureRotate *gesture, double angle, double delta, Land *land)
{
    (void)gesture;
    (void)angle;
    SiltGaze gaze = silt_viewer_gaze(land->view->viewer);
    gaze.turn -= (delta - land->twist) * 180.0 / G_PI;
    land->twist = delta;
    silt_viewer_set_gaze(land->view->viewer, &gaze, true);
    land_queue_draw(land);
}

static void on_pen(GtkGestureStylus *stylus, double x, double y, Land *land)
{
    (void)x;
    (void)y;
    double pressure;
    if (gtk_gesture_stylus_get_axis(stylus, GDK_AXIS_PRESSURE, &pressure))
        land->pressure = pressure;
}

void land_fly_key(Land *land, guint key, bool pressed)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(fly_keys); k++)
        if (gdk_keyval_to_lower(key) == fly_keys[k]) {
            land->fly = pressed ? land->fly | 1u << k : land->fly & ~(1u << k);
            wake(land);
            land->best_drawn = false;
        }
}

static void on_focus_lost(GtkEventControllerFocus *focus, Land *land)
{
    (void)focus;
    land->fly = 0; // a key that is let go elsewhere is never heard of
}

// ---- making it ----

static void listen(Land *land)
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
    g_signal_connect(land->zoom, "begin", G_CALLBACK(on_pinch_begin), land);
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

static void make_work(Land *land)
{
    land->work = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    land->work_text = gtk_label_new("");
    land->work_line = gtk_progress_bar_new();
    gtk_widget_add_css_class(land->work, "work");
    gtk_widget_set_size_request(land->work, 240, -1);
    gtk_widget_set_halign(land->work, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(land->work, GTK_ALIGN_CENTER);
    gtk_widget_set_can_target(land->work, FALSE);
    gtk_widget_set_visible(land->work, FALSE);
    gtk_box_append(GTK_BOX(land->work), land->work_text);
    gtk_box_append(GTK_BOX(land->work), land->work_line);
}

void land_show_work(Land *land, const char *text, double share)
{
    gtk_widget_set_visible(land->work, text != NULL);
    if (!text)
        return;
    gtk_label_set_text(GTK_LABEL(land->work_text), text);
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(land->work_line), CLAMP(share, 0.0, 1.0));
}

Land *land_create(View *view)
{
    Land *land = g_new0(Land, 1);
    land->view = view;
    land->pressure = 1.0;
    land->area = gtk_gl_area_new();
    gtk_gl_area_set_required_version(GTK_GL_AREA(land->area), 3, 3);
    gtk_gl_area_set_auto_render(GTK_GL_AREA(land->area), FALSE);
    gtk_gl_area_set_has_depth_buffer(GTK_GL_AREA(land->area), TRUE);
    gtk_widget_set_focusable(land->area, TRUE);
    gtk_widget_set_hexpand(land->area, TRUE);
    gtk_widget_set_vexpand(land->area, TRUE);
    gtk_widget_set_size_request(land->area, 64, 64);
    gtk_accessible_update_property(GTK_ACCESSIBLE(land->area), GTK_ACCESSIBLE_PROPERTY_LABEL, "The land", -1);
    g_signal_connect(land->area, "realize", G_CALLBACK(on_realize), land);
    g_signal_connect(land->area, "unrealize", G_CALLBACK(on_unrealize), land);
    g_signal_connect(land->area, "render", G_CALLBACK(on_render), land);
    g_signal_connect(land->area, "resize", G_CALLBACK(on_resize), land);
    land->values = gtk_label_new("");
    gtk_widget_add_css_class(land->values, "chip");
    gtk_widget_set_halign(land->values, GTK_ALIGN_END);
    gtk_widget_set_valign(land->values, GTK_ALIGN_START);
    gtk_widget_set_can_target(land->values, FALSE);
    gtk_widget_set_visible(land->values, FALSE);
    land->notice = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(land->notice), TRUE);
    gtk_widget_add_css_class(land->notice, "chip");
    gtk_widget_set_halign(land->notice, GTK_ALIGN_START);
    gtk_widget_set_valign(land->notice, GTK_ALIGN_START);
    gtk_widget_set_can_target(land->notice, FALSE);
    gtk_widget_set_visible(land->notice, FALSE);
    make_work(land);
    listen(land);
    return land;
}

void land_add_overlays(Land *land, GtkOverlay *overlay)
{
    gtk_overlay_add_overlay(overlay, land->values);
    GtkWidget *corner = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_halign(corner, GTK_ALIGN_START);
    gtk_widget_set_valign(corner, GTK_ALIGN_START);
    gtk_box_append(GTK_BOX(corner), seen_widget(land->view->seen));
    gtk_box_append(GTK_BOX(corner), land->notice);
    gtk_overlay_add_overlay(overlay, corner);
    gtk_overlay_add_overlay(overlay, land->work);
}

void land_destroy(Land *land)
{
    g_free(land); // its widgets, and what ticked for them, have gone before
}
