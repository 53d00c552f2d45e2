#include "screen.h"

#ifdef SILT_HAS_X11
#include <gdk/x11/gdkx.h>

// Calls `visit` with each monitor's place, in the units that programs draw in.
static void visit_monitors(GdkDisplay *display, void (*visit)(const GdkRectangle *place, void *user),
                           void *user)
{
    GListModel *monitors = gdk_display_get_monitors(display);
    for (guint k = 0; k < g_list_model_get_n_items(monitors); k++) {
        GdkMonitor *monitor = g_list_model_get_item(monitors, k);
        GdkRectangle place;
        gdk_monitor_get_geometry(monitor, &place);
        visit(&place, user);
        g_object_unref(monitor);
    }
}

// ---- what can be seen ----

typedef struct Sight {
    GdkRectangle place;
    bool found;
} Sight;

static void look_on(const GdkRectangle *place, void *user)
{
    Sight *sight = user;
    sight->found = sight->found || gdk_rectangle_intersect(place, &sight->place, NULL);
}

bool screen_shows(GtkWidget *widget)
{
    GtkNative *native = gtk_widget_get_native(widget);
    GdkSurface *surface = native ? gtk_native_get_surface(native) : NULL;
    graphene_rect_t place;
    if (!surface || !GDK_IS_X11_SURFACE(surface) ||
        !gtk_widget_compute_bounds(widget, GTK_WIDGET(native), &place))
        return true;
    GdkDisplay *display = gdk_surface_get_display(surface);
    Display *server = gdk_x11_display_get_xdisplay(display);
    int x = 0, y = 0, scale = gdk_surface_get_scale_factor(surface);
    Window child;
    double shadow_x, shadow_y;
    XTranslateCoordinates(server, gdk_x11_surface_get_xid(surface), DefaultRootWindow(server), 0, 0, &x, &y,
                          &child);
    gtk_native_get_surface_transform(native, &shadow_x, &shadow_y);
    Sight sight = {{x / scale + (int)((double)place.origin.x + shadow_x),
                    y / scale + (int)((double)place.origin.y + shadow_y), (int)place.size.width,
                    (int)place.size.height},
                   false};
    visit_monitors(display, look_on, &sight);
    return sight.found;
}

// ---- windows that are dragged ----

static void add_to(const GdkRectangle *place, void *user)
{
    GdkRectangle *all = user;
    if (all->width > 0)
        gdk_rectangle_union(all, place, all);
    else
        *all = *place;
}

// Nearest to `at` where `length` still lies between the edges, or begins at the first of them.
static int keep_within(int at, int length, int first, int room)
{
    return MAX(MIN(at, first + room - length), first);
}

static bool is_managed(GdkDisplay *display, const XConfigureEvent *now)
{
    Window root, parent, *children = NULL;
    unsigned count;
    bool known = XQueryTree(now->display, now->window, &root, &parent, &children, &count) != 0;
    if (children)
        XFree(children);
    // in a frame of somebody's, or with somebody who moves windows when asked to
    return !known || parent != root ||
           gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen(display), "_NET_WM_MOVERESIZE");
}

// GTK asks where a window is once it has been told that it moved, thus after it was put back: it never knows
// of a place beyond the edge.
static gboolean on_event(GdkDisplay *display, gpointer data, gpointer user)
{
    (void)user;
    const XConfigureEvent *now = &((const XEvent *)data)->xconfigure;
    if (now->type != ConfigureNotify || now->event != now->window || now->override_redirect)
        return FALSE;
    GdkSurface *surface = gdk_x11_surface_lookup_for_display(display, now->window);
    if (!surface || !GDK_IS_TOPLEVEL(surface) || gdk_surface_is_destroyed(surface))
        return FALSE;
    GdkRectangle all = {0, 0, 0, 0};
    visit_monitors(display, add_to, &all);
    int scale = gdk_surface_get_scale_factor(surface);
    int x = keep_within(now->x, now->width, all.x * scale, all.width * scale);
    int y = keep_within(now->y, now->height, all.y * scale, all.height * scale);
    if (all.width > 0 && (x != now->x || y != now->y) && !is_managed(display, now))
        XMoveWindow(now->display, now->window, x, y);
    return FALSE;
}

void screen_keep_windows(void)
{
    GdkDisplay *display = gdk_display_get_default();
    if (display && GDK_IS_X11_DISPLAY(display))
        g_signal_connect(display, "xevent", G_CALLBACK(on_event), NULL);
}
#else
bool screen_shows(GtkWidget *widget)
{
    (void)widget;
    return true;
}

void screen_keep_windows(void)
{
}
#endif
