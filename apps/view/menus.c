#include "menus.h"

#include <math.h>

#include "dialogs.h"
#include "land.h"
#include "screen.h"

// ---- closing ----

// The outermost menu or list in a part of a window that is open, or is to be: one that could not be shown
// because the pointer was held elsewhere is shown by GTK whenever its widget is laid out next.
static GtkWidget *open_popover(GtkWidget *part)
{
    if (GTK_IS_POPOVER(part) && gtk_widget_get_visible(part))
        return part;
    GtkWidget *found = NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(part); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = open_popover(child);
    return found;
}

static GtkWidget *next_outer(GtkWidget *widget, GType type)
{
    GtkWidget *parent = gtk_widget_get_parent(widget);
    return parent ? gtk_widget_get_ancestor(parent, type) : NULL;
}

bool menus_have_keyboard(const View *view, GtkWidget *part)
{
    GtkWidget *focus = view->gone ? NULL : gtk_window_get_focus(view->window);
    return focus && (focus == part || gtk_widget_is_ancestor(focus, part));
}

void menus_close(View *view)
{
    GtkWidget *window = GTK_WIDGET(view->window), *popover;
    if (view->gone)
        return;
    while ((popover = open_popover(window)))
        gtk_popover_popdown(GTK_POPOVER(popover));
    GtkWidget *focus = gtk_window_get_focus(view->window);
    if (focus && gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER))
        // else it lives on in what has gone, and tooltips that wait look for it on the screen
        gtk_widget_grab_focus(land_widget(view->land));
    if (gtk_widget_get_mapped(window))
        gtk_widget_trigger_tooltip_query(window);
}

void menus_leave(View *view, GtkWidget *part)
{
    menus_close(view);
    if (menus_have_keyboard(view, part))
        gtk_widget_grab_focus(land_widget(view->land));
}

// GTK scrolls to what has the keyboard, also when that is a line of a list that has just opened, which then
// would no longer lie where it belongs. *kept: where it was while no menu was open.
static void on_scroll(GtkAdjustment *place, GtkWidget *scroller)
{
    GtkWidget *popover = open_popover(scroller);
    double value = gtk_adjustment_get_value(place), *kept = g_object_get_data(G_OBJECT(scroller), "kept");
    if (!popover || isnan(*kept)) {
        *kept = value;
    } else if (value != *kept) {
        gtk_adjustment_set_value(place, *kept);
        *kept = gtk_adjustment_get_value(place);
        if (*kept == value) // there is no such place any more
            gtk_popover_popdown(GTK_POPOVER(popover));
    }
}

void menus_watch_scroller(GtkWidget *scroller)
{
    GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    g_object_set_data_full(G_OBJECT(scroller), "kept", g_new0(double, 1), g_free);
    g_signal_connect_object(place, "value-changed", G_CALLBACK(on_scroll), scroller, 0);
}

// ---- what is in sight ----

// Scrolls so that a widget shows. True: it does already, and lies where it is to lie; what has just been
// scrolled is laid out with the next frame.
static bool shows_in(GtkWidget *widget, GtkScrolledWindow *scroller)
{
    graphene_rect_t now, inside, all;
    GtkWidget *viewport = gtk_scrolled_window_get_child(scroller);
    GtkWidget *content = GTK_IS_VIEWPORT(viewport) ? gtk_viewport_get_child(GTK_VIEWPORT(viewport)) : NULL;
    if (!content || !gtk_widget_compute_bounds(widget, viewport, &now) ||
        !gtk_widget_compute_bounds(widget, content, &inside) ||
        !gtk_widget_compute_bounds(content, content, &all))
        return true;
    GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(scroller);
    double value = gtk_adjustment_get_value(place), room = gtk_adjustment_get_page_size(place);
    double top = (double)(inside.origin.y - all.origin.y), bottom = top + (double)inside.size.height;
    double wanted = top < value ? floor(top) : bottom > value + room ? ceil(fmin(bottom - room, top)) : value;
    gtk_adjustment_set_value(place, wanted);
    return fabs((double)now.origin.y - (top - gtk_adjustment_get_value(place))) < 2.0;
}

static bool bring_back(GtkWidget *widget)
{
    bool there = true;
    for (GtkWidget *scroller = gtk_widget_get_ancestor(widget, GTK_TYPE_SCROLLED_WINDOW); scroller;
         scroller = next_outer(scroller, GTK_TYPE_SCROLLED_WINDOW))
        there = shows_in(widget, GTK_SCROLLED_WINDOW(scroller)) && there;
    return there;
}

// ---- opening by keys ----

static void press(GtkWidget *button)
{
    View *view = view_of(button);
    if (screen_shows(button))
        g_signal_emit_by_name(button, "clicked"); // at once: a quarter of a second later it may lie elsewhere
    else if (view)
        view_say(view, "What opens here lies beyond the edge of the screen: move the window");
}

// The first time things have not been laid out yet; a wheel may still be turning later.
static gboolean press_soon(GtkWidget *button, GdkFrameClock *clock, gpointer user)
{
    (void)clock;
    enum { PATIENCE = 20 };
    int *passed = user;
    ++*passed;
    bool there = *passed > 1 && bring_back(button);
    if (there && gtk_widget_is_sensitive(button))
        press(button);
    return there || *passed > PATIENCE ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static bool is_press(guint key, GdkModifierType modifiers)
{
    return modifiers == 0 && (key == GDK_KEY_space || key == GDK_KEY_KP_Space || key == GDK_KEY_Return ||
                              key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter);
}

// Of text: its menu, and little pictures to write with.
static bool opens_at_text(guint key, GdkModifierType modifiers)
{
    return key == GDK_KEY_Menu || (key == GDK_KEY_F10 && modifiers & GDK_SHIFT_MASK) ||
           (modifiers & GDK_CONTROL_MASK && (key == GDK_KEY_period || key == GDK_KEY_semicolon));
}

void menus_open(GtkWidget *button)
{
    if (bring_back(button))
        press(button);
    else
        gtk_widget_add_tick_callback(button, press_soon, g_new0(int, 1), g_free);
}

bool menus_take_key(GtkWidget *focus, guint key, GdkModifierType modifiers)
{
    if (focus && GTK_IS_TEXT(focus) && opens_at_text(key, modifiers))
        return !bring_back(focus) || !screen_shows(focus);
    GtkWidget *owner = focus ? gtk_widget_get_parent(focus) : NULL;
    if (!is_press(key, modifiers) || !GTK_IS_BUTTON(focus) ||
        !(GTK_IS_DROP_DOWN(owner) || GTK_IS_MENU_BUTTON(owner)))
        return false;
    menus_open(focus);
    return true;
}

static gboolean on_key(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                       gpointer user)
{
    (void)code;
    (void)user;
    GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(controller));
    GtkRoot *root = gtk_widget_get_root(widget);
    if (GTK_IS_WINDOW(widget) && view_of(widget)) // it asks itself, before its own keys
        return FALSE;
    GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
    GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask();
    return menus_take_key(focus, key, modifiers) || dialogs_refuse_key(focus, key, modifiers);
}

void menus_cut_tail(GtkWidget *button)
{
    gtk_popover_set_has_arrow(gtk_menu_button_get_popover(GTK_MENU_BUTTON(button)), FALSE);
}

void menus_watch_keys(GtkWidget *popover)
{
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), NULL);
    gtk_widget_add_controller(popover, keys);
}

// A wheel may have turned since things were laid out last: then what has opened would go out of sight with
// them.
static void on_focus(GtkWindow *window, GParamSpec *spec, gpointer user)
{
    (void)spec;
    (void)user;
    GtkWidget *focus = gtk_window_get_focus(window);
    GtkWidget *popover = focus ? gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER) : NULL;
    GtkWidget *owner = popover ? gtk_widget_get_parent(popover) : NULL;
    GtkWidget *scroller = owner ? gtk_widget_get_ancestor(owner, GTK_TYPE_SCROLLED_WINDOW) : NULL;
    double *kept = scroller ? g_object_get_data(G_OBJECT(scroller), "kept") : NULL;
    if (!kept)
        return;
    GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    *kept = NAN; // the place that it is brought back to is where it stays
    shows_in(owner, GTK_SCROLLED_WINDOW(scroller));
    *kept = gtk_adjustment_get_value(place);
}

// ---- title bars ----

// As GTK does it, but for the menu of its own that it shows where nobody manages windows: tooltips wait for
// it after it has gone.
static void on_title(GtkGestureClick *click, int presses, double x, double y, GtkWidget *window)
{
    (void)presses;
    GtkWidget *at = gtk_widget_pick(window, x, y, GTK_PICK_DEFAULT);
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (at && dialogs_refuse_click(window, at, x, y)) {
        gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
        return;
    }
    if (!at || !gtk_widget_get_ancestor(at, GTK_TYPE_WINDOW_HANDLE) || !GDK_IS_TOPLEVEL(surface))
        return;
    GdkEvent *event = gtk_event_controller_get_current_event(GTK_EVENT_CONTROLLER(click));
    gdk_toplevel_show_window_menu(GDK_TOPLEVEL(surface), event);
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
}

// The tool of GTK for programmers has no place among keys that paint.
static gboolean on_debugging(GtkWindow *window, gboolean toggle, gpointer user)
{
    (void)toggle;
    (void)user;
    g_signal_stop_emission_by_name(window, "enable-debugging");
    return TRUE;
}

static void watch_window(GtkWidget *window)
{
    if (g_object_get_data(G_OBJECT(window), "watched"))
        return;
    g_object_set_data(G_OBJECT(window), "watched", window);
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
    g_signal_connect(click, "pressed", G_CALLBACK(on_title), window);
    gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(click));
    menus_watch_keys(window);
    g_signal_connect(window, "enable-debugging", G_CALLBACK(on_debugging), NULL);
    g_signal_connect(window, "notify::focus-widget", G_CALLBACK(on_focus), NULL);
}

static void on_windows(GListModel *windows, guint at, guint removed, guint added, gpointer user)
{
    (void)removed;
    (void)user;
    for (guint k = at; k < at + added; k++) {
        GtkWidget *window = g_list_model_get_item(windows, k);
        watch_window(window);
        g_object_unref(window);
    }
}

void menus_watch_windows(void)
{
    GListModel *windows = gtk_window_get_toplevels();
    on_windows(windows, 0, 0, g_list_model_get_n_items(windows), NULL);
    g_signal_connect(windows, "items-changed", G_CALLBACK(on_windows), NULL);
}
