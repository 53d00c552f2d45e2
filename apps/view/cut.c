#include "cut.h"

#include <math.h>

#include "land.h"
#include "tools.h"

static const char *const keys[] = {"cut-0", "cut-1", "cut-2"}; // of the sliders
static const double deepest = 0.99, reach = 18.0;              // pixels

bool cut_has_rock(const View *view)
{
    return view->terrain && (view->terrain->volume || view->has_surface);
}

// From where to where the land lies along an axis, in metres from its corner.
static void extent_of(const View *view, int axis, double out[2])
{
    const SiltTerrain *terrain = view->terrain;
    SiltFieldStatistics heights = {0};
    out[0] = 0.0;
    out[1] = (axis == 0 ? terrain->width : terrain->height) * terrain->cell;
    if (axis < 2)
        return;
    silt_field_statistics(silt_terrain_layer(terrain, "height"), terrain->nodata, &heights);
    out[0] = heights.minimum - 1.0;
    out[1] = heights.maximum + 1.0;
}

// Where the cut lies along its axis.
static double face_of(const View *view, int axis, const double span[2])
{
    double share = view->cuts[axis], wide = span[1] - span[0];
    return view->cuts_low[axis] ? span[0] + share * wide : span[1] - share * wide;
}

void cut_set(View *view, int axis, double share)
{
    double(*const clips[])[2] = {&view->look.clip_east, &view->look.clip_north, &view->look.clip_height};
    double span[2];
    if (!view->terrain)
        return;
    view->cuts[axis] = share = CLAMP(share, 0.0, deepest);
    extent_of(view, axis, span);
    bool is_open = share > 0.0;
    bool is_low = view->cuts_low[axis]; // from the west or the south
    (*clips[axis])[0] = !is_open ? NAN : is_low ? face_of(view, axis, span) : -1e9;
    (*clips[axis])[1] = !is_open ? NAN : is_low ? 1e9 : face_of(view, axis, span);
    GtkRange *slider = g_object_get_data(G_OBJECT(view->window), keys[axis]);
    if (slider && fabs(gtk_range_get_value(slider) - share) > 1e-6)
        gtk_range_set_value(slider, share);
    land_set_look(view->land);
    tools_mark(view->tools);
}

void cut_forget(View *view)
{
    for (int axis = 0; axis < 3; axis++) {
        GtkRange *slider = g_object_get_data(G_OBJECT(view->window), keys[axis]);
        view->cuts[axis] = 0.0;
        view->cuts_low[axis] = false;
        if (slider)
            gtk_range_set_value(slider, 0.0);
    }
}

bool is_cut(const View *view, int value)
{
    (void)value;
    return view->cuts[0] > 0.0 || view->cuts[1] > 0.0 || view->cuts[2] > 0.0;
}

void act_cut(View *view, int value)
{
    (void)value;
    if (is_cut(view, 0)) {
        for (int axis = 0; axis < 3; axis++)
            cut_set(view, axis, 0.0);
        cut_forget(view);
        return;
    }
    if (!cut_has_rock(view)) {
        view_say(view, "Only a volume of rock can be cut open: a paper's scene such as Weiss bridge has one");
        return;
    }
    double turn = silt_viewer_gaze(view->viewer).turn * G_PI / 180.0, east = sin(turn), north = cos(turn);
    int axis = fabs(east) > fabs(north) ? 0 : 1; // along which one looks: the near side goes
    view->cuts_low[axis] = (axis == 0 ? east : north) > 0.0;
    cut_set(view, axis, 0.5);
    view_say(view, "Cut open: drag the ball; Shift+C closes it");
}

// ---- sliders ----

static void on_cut(GtkRange *range, View *view)
{
    int axis = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(range), "axis"));
    if (fabs(gtk_range_get_value(range) - view->cuts[axis]) > 1e-6)
        cut_set(view, axis, gtk_range_get_value(range)); // from the side it was cut from before
}

GtkWidget *cut_sliders(View *view)
{
    static const char *const names[] = {"cut from the east", "cut from the north", "cut from above"};
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_column_spacing(GTK_GRID(grid), 8);
    for (int k = 0; k < 3; k++) {
        GtkWidget *label = gtk_label_new(names[k]);
        GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0.0, deepest, 0.01);
        gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
        gtk_widget_set_hexpand(scale, TRUE);
        gtk_widget_set_focus_on_click(scale, FALSE);
        gtk_widget_set_tooltip_text(scale, "Volumes and meshes are cut open, to look into caves (Shift+C)");
        gtk_accessible_update_property(GTK_ACCESSIBLE(scale), GTK_ACCESSIBLE_PROPERTY_LABEL, names[k], -1);
        g_object_set_data(G_OBJECT(scale), "axis", GINT_TO_POINTER(k));
        g_object_set_data(G_OBJECT(view->window), keys[k], scale);
        g_signal_connect(scale, "value-changed", G_CALLBACK(on_cut), view);
        gtk_grid_attach(GTK_GRID(grid), label, 0, k, 1, 1);
        gtk_grid_attach(GTK_GRID(grid), scale, 1, k, 1, 1);
    }
    return grid;
}

// ---- balls ----

// The middle of what a cut lays open.
static void ball_at(const View *view, int axis, double out[3])
{
    for (int k = 0; k < 3; k++) {
        double span[2];
        extent_of(view, k, span);
        double face = face_of(view, k, span);
        out[k] = k == axis ? face : 0.5 * (view->cuts_low[k] ? face + span[1] : span[0] + face);
    }
}

int cut_marks(const View *view, SiltMark *marks, int room)
{
    int count = 0;
    for (int axis = 0; axis < 3 && count < room && cut_has_rock(view); axis++) {
        double place[3];
        if (!(view->cuts[axis] > 0.0))
            continue;
        ball_at(view, axis, place);
        marks[count++] = (SiltMark){.kind = SILT_MARK_BALL,
                                    .places = {{place[0], place[1]}},
                                    .height = place[2],
                                    .radius = 0.014 * silt_viewer_gaze(view->viewer).distance,
                                    .colour = {1.0f, 0.8f, 0.3f, 1.0f},
                                    .chosen = true};
    }
    return count;
}

bool cut_press(View *view, double x, double y)
{
    view->cut_axis = -1;
    for (int axis = 0; axis < 3 && cut_has_rock(view); axis++) {
        double place[3], pixel[2];
        if (!(view->cuts[axis] > 0.0))
            continue;
        ball_at(view, axis, place);
        if (silt_viewer_project(view->viewer, place, pixel) && hypot(pixel[0] - x, pixel[1] - y) < reach)
            view->cut_axis = axis;
    }
    return view->cut_axis >= 0;
}

// The ball goes along its axis to where it is nearest to the pointer.
void cut_drag(View *view, double x, double y)
{
    int axis = view->cut_axis;
    double place[3], from[2], to[2], span[2];
    if (axis < 0 || !cut_has_rock(view))
        return;
    extent_of(view, axis, span);
    ball_at(view, axis, place);
    double unit = 0.01 * (span[1] - span[0]);
    bool is_seen = silt_viewer_project(view->viewer, place, from);
    place[axis] += unit;
    if (!is_seen || !silt_viewer_project(view->viewer, place, to))
        return;
    double way[2] = {to[0] - from[0], to[1] - from[1]}, square = way[0] * way[0] + way[1] * way[1];
    if (square < 1e-4) // one looks along it
        return;
    double units = ((x - from[0]) * way[0] + (y - from[1]) * way[1]) / square;
    units = CLAMP(units, -20.0, 20.0); // perspective is no straight line: it comes nearer with every move
    cut_set(view, axis,
            CLAMP(view->cuts[axis] + (view->cuts_low[axis] ? 0.01 : -0.01) * units, 0.01, deepest));
}
