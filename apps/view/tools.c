// The tools over the land: which is chosen, where it is, and what a press, a move and the wheel do with it.
#include <math.h>
#include <string.h>

#include "cut.h"
#include "tools_inside.h"

// Seconds between two dabs of a brush that is held.
static const double dab_seconds = 1.0 / 30.0;
// Radius at first, of the land's side: of a brush, and of a ridge or the bed of a river.
static const double share = 0.04, line_share = 0.015;

static bool is_brush(int tool)
{
    return tool >= 0 && tool < BRUSHES;
}

// ---- where ----

double tools_height_at(const Tools *tools, const double place[2])
{
    const SiltTerrain *terrain = tools->view->terrain;
    const SiltField *height = terrain ? silt_terrain_layer(terrain, "height") : NULL;
    if (!height)
        return 0.0;
    int i = (int)floor(place[0] / terrain->cell),
        j = terrain->height - 1 - (int)floor(place[1] / terrain->cell);
    return (double)silt_field_at(height, CLAMP(i, 0, terrain->width - 1), CLAMP(j, 0, terrain->height - 1));
}

static double land_side(const Tools *tools)
{
    const SiltTerrain *terrain = tools->view->terrain;
    return terrain ? terrain->cell * MAX(terrain->width, terrain->height) : 1000.0;
}

static void show_size(Tools *tools);

// As large a part of another land as of the last.
static void fit_radius(Tools *tools)
{
    double side = land_side(tools);
    if (!tools->view->terrain || side == tools->side)
        return;
    bool fits = tools->side > 0.0;
    tools->radius = fits ? tools->radius * side / tools->side : (tools->is_line ? line_share : share) * side;
    tools->other_radius =
        fits ? tools->other_radius * side / tools->side : (tools->is_line ? share : line_share) * side;
    tools->side = side;
    tools->has_end = false;
    show_size(tools);
}

static bool find_place(Tools *tools, double x, double y)
{
    tools->pixel[0] = x;
    tools->pixel[1] = y;
    tools->is_over = tools->view->terrain && silt_viewer_pick(tools->view->viewer, x, y, &tools->pick);
    fit_radius(tools);
    return tools->is_over;
}

// ---- what is seen of it ----

static void colour_of(const Tools *tools, float out[4])
{
    static const float water[4] = {0.3f, 0.7f, 1.0f, 0.9f}, ground[4] = {1.0f, 0.85f, 0.5f, 0.9f},
                       rock[4] = {1.0f, 0.55f, 0.35f, 0.9f}, plain[4] = {1.0f, 1.0f, 1.0f, 0.9f};
    int brush = tools->tool;
    const float *colour = brush == SILT_BRUSH_RAIN || brush == SILT_BRUSH_WATER      ? water
                          : brush >= SILT_BRUSH_RAISE && brush <= SILT_BRUSH_FLATTEN ? ground
                          : is_brush(brush) && !brush_is_line(brush)                 ? rock
                                                                                     : plain;
    memcpy(out, colour, 4 * sizeof *out);
}

static SiltMark line_mark(const double from[2], const double to[2])
{
    return (SiltMark){.kind = SILT_MARK_LINE,
                      .places = {{from[0], from[1]}, {to[0], to[1]}},
                      .colour = {1.0f, 1.0f, 1.0f, 0.9f},
                      .chosen = true};
}

void tools_mark(Tools *tools)
{
    enum { LINES = 256 };
    SiltMark marks[PLAYER_MAX_SOURCES + LINES + 8];
    int count = sources_marks(tools, marks, PLAYER_MAX_SOURCES);
    count += cut_marks(tools->view, marks + count, 3);
    double from[2], to[2];
    if (tools->is_over && is_brush(tools->tool)) {
        SiltMark ring = {.kind = SILT_MARK_RING,
                         .places = {{tools->pick.place[0], tools->pick.place[1]}},
                         .radius = tools->radius,
                         .inner = (float)(1.0 - tools->softness),
                         .chosen = tools->is_pressed};
        if (tools->tool == SILT_BRUSH_ADD || tools->tool == SILT_BRUSH_CARVE) {
            ring.kind = SILT_MARK_BALL;
            ring.height = tools->pick.place[2];
        }
        colour_of(tools, ring.colour);
        marks[count++] = ring;
    }
    if (tools->is_pressed && brush_is_line(tools->tool)) {
        const PathPoint *path = (const PathPoint *)(void *)tools->path->data;
        int pieces = MIN((int)tools->path->len - 1, LINES);
        for (int k = 0; k < pieces; k++)
            marks[count++] = line_mark(path[k].place, path[k + 1].place);
    } else if (tools->is_pressed && tools->tool == TOOL_TRANSECT)
        marks[count++] = line_mark(tools->from, tools->last);
    else if (transect_line(tools->transect, from, to))
        marks[count++] = line_mark(from, to);
    silt_viewer_set_marks(tools->view->viewer, marks, count);
    show_size(tools);
    view_queue_draw(tools->view);
}

static char *across_text(double across)
{
    bool is_long = across >= 1000.0;
    return g_strdup_printf("⌀ %.3g %s", is_long ? across / 1000.0 : across, is_long ? "km" : "m");
}

// How large and how strong: of the brush, or of the source that is chosen.
static void show_size(Tools *tools)
{
    char *text = NULL;
    if (is_brush(tools->tool) && tools->radius > 0.0) {
        char *across = across_text(2.0 * tools->radius), *strength = brush_strength_text(tools);
        text = g_strdup_printf("%s  Ctrl+wheel     %s  Shift+wheel", across, strength);
        g_free(across);
        g_free(strength);
    } else if (tools->tool == TOOL_SOURCE || (tools->tool == TOOL_NONE && tools->sources.chosen >= 0))
        text = sources_text(tools);
    gtk_label_set_text(GTK_LABEL(tools->size), text ? text : "");
    gtk_widget_set_visible(tools->size, text && text[0]);
    g_free(text);
}

// ---- choosing ----

// What is painted into a layer is seen where the layer lies over the land.
static void tell_overlay(Tools *tools)
{
    const char *layer = tools->tool == SILT_BRUSH_UPLIFT ? "uplift"
                        : tools->tool == SILT_BRUSH_ERODIBILITY || tools->tool == SILT_BRUSH_PROTECT
                            ? "erodibility"
                            : NULL;
    if (layer && strcmp(tools->view->look.overlay, layer) != 0)
        view_say(tools->view, "Lay '%s' over the land (%s) to see what you paint", layer,
                 tools->tool == SILT_BRUSH_UPLIFT ? "Shift+U" : "Shift+H");
}

void tools_choose(Tools *tools, int tool)
{
    if (tools->is_pressed)
        tools_release(tools, tools->pixel[0], tools->pixel[1]);
    tools->tool = tools->tool == tool ? TOOL_NONE : tool;
    tools->is_updating = true;
    for (int k = 0; k < tools->button_count; k++)
        gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tools->buttons[k]),
                                     tools->button_tools[k] == tools->tool);
    tools->is_updating = false;
    bool is_other = tools->tool != TOOL_NONE && !bar_has(tools->tool);
    gtk_menu_button_set_label(GTK_MENU_BUTTON(tools->more), is_other ? bar_name(tools->tool) : "More");
    (is_other ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(tools->more, "chosen");
    tools->has_end = false;
    fit_radius(tools);
    if (is_brush(tools->tool) && brush_is_line(tools->tool) != tools->is_line) {
        double radius = tools->radius;
        tools->radius = tools->other_radius;
        tools->other_radius = radius;
        tools->is_line = !tools->is_line;
    }
    if (tools->tool != TOOL_TRANSECT && tool != TOOL_NONE)
        transect_clear(tools->transect);
    tell_overlay(tools);
    show_size(tools);
    tools_mark(tools);
}

int tools_chosen(const Tools *tools)
{
    return tools->tool;
}

bool tools_cancel(Tools *tools)
{
    double from[2], to[2];
    if (tools->is_pressed) {
        tools_release(tools, tools->pixel[0], tools->pixel[1]);
        return true;
    }
    if (tools->tool != TOOL_NONE) {
        tools_choose(tools, TOOL_NONE);
        return true;
    }
    if (transect_line(tools->transect, from, to)) {
        transect_clear(tools->transect);
        tools_mark(tools);
        return true;
    }
    return false;
}

// ---- a press, a move, the wheel ----

// A piece of the stroke since the last dab: the brush was there all the time.
static void dab(Tools *tools)
{
    gint64 now = g_get_monotonic_time();
    double seconds = (double)(now - tools->last_dab) * 1e-6;
    seconds = CLAMP(seconds, 0.01, 0.25);
    tools->last_dab = now;
    SiltStroke stroke = brush_stroke(tools, tools->last, tools->pick.place, seconds);
    brush_put(tools, &stroke);
    tools->last[0] = tools->pick.place[0];
    tools->last[1] = tools->pick.place[1];
    tools->seed++;
}

static gboolean on_time(gpointer user)
{
    Tools *tools = user;
    bool paints = tools->is_pressed && is_brush(tools->tool) && !brush_is_line(tools->tool) &&
                  tools->is_over && tools->sources.holds == HOLDS_NOTHING;
    // into a recipe fewer are written: it is cooked after every few of them
    double way = hypot(tools->pick.place[0] - tools->last[0], tools->pick.place[1] - tools->last[1]);
    bool is_late = g_get_monotonic_time() - tools->last_dab > G_USEC_PER_SEC / 5;
    if (paints && (tools->state.live || is_late || way > 0.25 * tools->radius))
        dab(tools);
    return G_SOURCE_CONTINUE;
}

void tools_extend_path(Tools *tools, const double place[2], double spacing)
{
    const PathPoint *last =
        tools->path->len > 0 ? &g_array_index(tools->path, PathPoint, tools->path->len - 1) : NULL;
    if (last && hypot(place[0] - last->place[0], place[1] - last->place[1]) <= spacing)
        return;
    PathPoint point = {{place[0], place[1]}, tools_height_at(tools, place)};
    g_array_append_val(tools->path, point);
}

static void begin_line(Tools *tools, GdkModifierType keys)
{
    bool goes_on = keys & GDK_SHIFT_MASK && tools->has_end && brush_is_line(tools->tool);
    const double *from = goes_on ? tools->end : tools->pick.place;
    tools->from[0] = from[0];
    tools->from[1] = from[1];
    tools->level = goes_on ? tools->end_level : tools_height_at(tools, from);
    g_array_set_size(tools->path, 0);
    tools_extend_path(tools, from, 0.0);
    g_array_index(tools->path, PathPoint, 0).height = tools->level;
}

bool tools_press(Tools *tools, double x, double y, GdkModifierType keys, double pressure)
{
    view_refresh_state(tools->view); // a stroke goes where things are now: to a run that has just begun
    bool is_on_land = find_place(tools, x, y);
    bool adds = tools->tool == TOOL_SOURCE;
    if ((tools->tool == TOOL_NONE || adds) && sources_press(tools, x, y, adds)) {
        tools->is_pressed = true;
        tools_mark(tools);
        return true;
    }
    if (tools->tool == TOOL_NONE || adds || !is_on_land || keys & GDK_ALT_MASK)
        return false;
    tools->is_pressed = true;
    tools->is_reversed = (keys & GDK_CONTROL_MASK) != 0;
    tools->pressure = pressure;
    begin_line(tools, keys);
    memcpy(tools->last, tools->pick.place, sizeof tools->last);
    if (is_brush(tools->tool)) {
        brush_begin(tools);
        tools->last_dab = g_get_monotonic_time() - (gint64)(1e6 * dab_seconds);
        if (!brush_is_line(tools->tool)) {
            dab(tools);
            tools->timer = g_timeout_add((guint)(1000.0 * dab_seconds), on_time, tools);
        }
    }
    tools_mark(tools);
    return true;
}

void tools_move(Tools *tools, double x, double y, double pressure)
{
    if (!tools->is_pressed || !find_place(tools, x, y))
        return;
    tools->pressure = pressure;
    if (tools->sources.holds != HOLDS_NOTHING)
        sources_drag(tools, tools->pick.place);
    else if (brush_is_line(tools->tool))
        tools_extend_path(tools, tools->pick.place, 0.5 * tools->radius);
    else if (tools->tool == TOOL_TRANSECT)
        memcpy(tools->last, tools->pick.place, sizeof tools->last);
    if (tools->tool == TOOL_TRANSECT && tools->sources.holds == HOLDS_NOTHING)
        transect_set(tools->transect, tools->from, tools->last);
    tools_mark(tools);
}

// Piece by piece: a ridge follows the ground, a river never rises.
static void end_line(Tools *tools)
{
    tools_extend_path(tools, tools->pick.place, 0.1 * tools->radius);
    for (guint k = 0; k + 1 < tools->path->len; k++) {
        const PathPoint *from = &g_array_index(tools->path, PathPoint, k), *to = from + 1;
        SiltStroke stroke = brush_stroke(tools, from->place, to->place, 1.0);
        brush_put(tools, &stroke);
        tools->level = tools->tool == SILT_BRUSH_RIVER ? MIN(to->height, tools->level) : to->height;
    }
    const PathPoint *end = &g_array_index(tools->path, PathPoint, tools->path->len - 1);
    memcpy(tools->end, end->place, sizeof tools->end);
    tools->end_level = tools->level;
    tools->has_end = true;
}

void tools_release(Tools *tools, double x, double y)
{
    if (!tools->is_pressed)
        return;
    tools_move(tools, x, y, tools->pressure);
    tools->is_pressed = false;
    if (tools->timer)
        g_source_remove(tools->timer);
    tools->timer = 0;
    if (tools->sources.holds != HOLDS_NOTHING) {
        sources_release(tools);
    } else if (is_brush(tools->tool)) {
        if (brush_is_line(tools->tool))
            end_line(tools);
        else if (!tools->state.live && tools->is_over)
            dab(tools);
        brush_end(tools);
    }
    tools_mark(tools);
}

void tools_hover(Tools *tools, double x, double y, bool inside)
{
    bool was_over = tools->is_over;
    if (inside)
        find_place(tools, x, y);
    else
        tools->is_over = false;
    if (is_brush(tools->tool) || was_over != tools->is_over)
        tools_mark(tools);
}

bool tools_scroll(Tools *tools, double dy, GdkModifierType keys)
{
    if (keys & GDK_SHIFT_MASK && sources_scroll(tools, dy)) {
        tools_mark(tools);
        return true;
    }
    if (!is_brush(tools->tool) || !(keys & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)))
        return false;
    if (keys & GDK_CONTROL_MASK) {
        double least = tools->view->terrain ? 0.75 * tools->view->terrain->cell : 1.0;
        tools->radius = CLAMP(tools->radius * pow(1.15, -dy), least, 0.5 * land_side(tools));
    } else {
        double *strength = &tools->strength[tools->tool];
        *strength = CLAMP(*strength * pow(1.15, -dy), 0.01, 20.0);
    }
    show_size(tools);
    tools_mark(tools);
    return true;
}

// ---- making it ----

Tools *tools_create(View *view)
{
    Tools *tools = g_new0(Tools, 1);
    tools->view = view;
    tools->tool = TOOL_NONE;
    tools->softness = 0.6;
    tools->pressure = 1.0;
    tools->sources.chosen = -1;
    for (int k = 0; k < BRUSHES; k++)
        tools->strength[k] = 1.0;
    tools->strokes = g_array_new(FALSE, FALSE, sizeof(SiltStroke));
    tools->path = g_array_new(FALSE, FALSE, sizeof(PathPoint));
    tools->transect = transect_create(view);
    bar_make(tools);
    return tools;
}

void tools_destroy(Tools *tools)
{
    if (tools->timer)
        g_source_remove(tools->timer);
    transect_destroy(tools->transect);
    g_array_free(tools->strokes, TRUE);
    g_array_free(tools->path, TRUE);
    g_free(tools);
}

GtkWidget *tools_bar(Tools *tools)
{
    return tools->bar;
}

void tools_refresh(Tools *tools, const PlayerState *state)
{
    bool changed = tools->state.source_count != state->source_count || tools->state.live != state->live ||
                   memcmp(tools->state.sources, state->sources, sizeof state->sources) != 0;
    int count = tools->sources.count;
    if (tools->is_pressed && is_brush(tools->tool) && state->live != tools->state.live)
        tools_release(tools, tools->pixel[0], tools->pixel[1]); // a stroke ends where it began
    tools->state = *state;
    bar_fit(tools);
    fit_radius(tools);
    sources_refresh(tools);
    transect_refresh(tools->transect);
    if (changed || count != tools->sources.count)
        tools_mark(tools);
}
