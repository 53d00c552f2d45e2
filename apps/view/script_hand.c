// What scripts do in place of hands: brushes, fingers and pens. No screen of a test has fingers, so their
// gestures' own signals are sent, and where GTK would ask a device (where the fingers are, how hard a pen is
// pressed) what lies behind is called.
#include "land_inside.h"
#include "script.h"
#include "tools.h"

void script_fingers(View *view, const double move[2], double factor, double degrees)
{
    Land *land = view->land;
    double middle[2] = {0.5 * gtk_widget_get_width(land->area), 0.5 * gtk_widget_get_height(land->area)};
    g_signal_emit_by_name(land->zoom, "begin", NULL);
    land_move_fingers(land, middle[0], middle[1]);
    for (int k = 1; k <= 4; k++) { // part by part, as they move
        double share = 0.25 * k;
        land_move_fingers(land, middle[0] + share * move[0], middle[1] + share * move[1]);
        g_signal_emit_by_name(land->zoom, "scale-changed", 1.0 + share * (factor - 1.0));
        g_signal_emit_by_name(land->rotate, "angle-changed", 0.0, share * degrees * G_PI / 180.0);
    }
    g_signal_emit_by_name(land->zoom, "end", NULL);
}

bool script_paint(View *view, const double line[4], double pressure)
{
    Land *land = view->land;
    double scale = land_scale(land), at[4];
    double size[2] = {gtk_widget_get_width(land->area) * scale, gtk_widget_get_height(land->area) * scale};
    for (int k = 0; k < 4; k++)
        at[k] = line[k] * size[k % 2];
    tools_hover(view->tools, at[0], at[1], true);
    if (pressure >= 0.0)
        land_press_pen(land, pressure);
    bool taken = tools_press(view->tools, at[0], at[1], 0, land->pressure);
    for (int k = 1; taken && k <= 8; k++)
        tools_move(view->tools, at[0] + (at[2] - at[0]) * k / 8.0, at[1] + (at[3] - at[1]) * k / 8.0,
                   land->pressure);
    if (taken)
        tools_release(view->tools, at[2], at[3]);
    land->pressure = 1.0;
    return taken;
}
