// Brushes: how much a dab does, and where it goes: to the live run, or into a `brush` stage of the recipe.
#include <math.h>
#include <string.h>

#include "tools_inside.h"

const char *brush_name(int brush, char buffer[SILT_NAME_SIZE])
{
    const char *at = silt_brush_names;
    for (int k = 0; k < brush && *at; k++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    g_strlcpy(buffer, at, MIN(strcspn(at, " ") + 1, (size_t)SILT_NAME_SIZE));
    return buffer;
}

bool brush_is_line(int tool)
{
    return tool == SILT_BRUSH_RIDGE || tool == SILT_BRUSH_RIVER;
}

// What a second under the brush does, in its unit; in metres it grows with the brush, so that any of them
// makes a hill and not a needle.
static double a_second_of(int brush, double radius)
{
    switch (brush) {
    case SILT_BRUSH_RAIN:
        return 0.005 * radius;
    case SILT_BRUSH_WATER:
        return 0.03 * radius;
    case SILT_BRUSH_RAISE:
    case SILT_BRUSH_LOWER:
        return 0.25 * radius;
    case SILT_BRUSH_SMOOTH:
        return 6.0;
    case SILT_BRUSH_FLATTEN:
        return 3.0;
    case SILT_BRUSH_ERODIBILITY:
        return 2.0;
    case SILT_BRUSH_UPLIFT:
        return 0.001;
    case SILT_BRUSH_PROTECT:
        return 2.0;
    case SILT_BRUSH_RIDGE:
        return 0.5 * radius;
    case SILT_BRUSH_RIVER:
        return 0.15 * radius;
    default:
        return 1.0;
    }
}

static const char *unit_of(int brush)
{
    switch (brush) {
    case SILT_BRUSH_SMOOTH:
    case SILT_BRUSH_FLATTEN:
    case SILT_BRUSH_PROTECT:
    case SILT_BRUSH_ADD:
    case SILT_BRUSH_CARVE:
        return "";
    case SILT_BRUSH_ERODIBILITY:
        return "×";
    case SILT_BRUSH_UPLIFT:
        return "m/year";
    case SILT_BRUSH_RIDGE:
    case SILT_BRUSH_RIVER:
        return "m";
    default:
        return "m/s";
    }
}

char *brush_strength_text(const Tools *tools)
{
    int brush = tools->tool;
    if (brush < 0 || brush >= BRUSHES)
        return g_strdup("");
    double value = tools->strength[brush] * a_second_of(brush, tools->radius);
    const char *unit = unit_of(brush);
    if (!unit[0])
        return g_strdup_printf("strength %.0f %%", 100.0 * tools->strength[brush]);
    return value >= 1000.0 ? g_strdup_printf("%.0f %s", value, unit)
                           : g_strdup_printf("%.3g %s", value, unit);
}

static int reverse_of(int brush)
{
    static const int pairs[][2] = {{SILT_BRUSH_RAISE, SILT_BRUSH_LOWER}, {SILT_BRUSH_ADD, SILT_BRUSH_CARVE}};
    for (size_t k = 0; k < G_N_ELEMENTS(pairs); k++) {
        if (brush == pairs[k][0])
            return pairs[k][1];
        if (brush == pairs[k][1])
            return pairs[k][0];
    }
    return brush;
}

// Volumes: the ball sinks into the surface under the pointer by what a dab may move.
static void place_ball(const Tools *tools, SiltStroke *stroke, double amount)
{
    double depth = MIN(2.0, 2.5 * amount) * tools->radius;
    double out = stroke->brush == SILT_BRUSH_CARVE ? tools->radius - depth : depth - tools->radius;
    for (int axis = 0; axis < 2; axis++) {
        stroke->from[axis] += out * tools->pick.normal[axis];
        stroke->to[axis] += out * tools->pick.normal[axis];
    }
    stroke->level = tools->pick.place[2] + out * tools->pick.normal[2];
    stroke->strength = 1.0;
}

// Millimetres, or thousandths of smaller cells, and five figures: nobody's hand is finer, and recipes are
// read by people.
static double rounded(double value, double cell)
{
    double fine = cell < 1.0 && cell > 0.0 ? pow(10.0, ceil(-log10(cell))) : 1.0;
    return floor(1000.0 * fine * value + 0.5) / (1000.0 * fine);
}

static double five_figures(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.5g", value), NULL);
}

static void round_all(SiltStroke *stroke, double cell)
{
    for (int axis = 0; axis < 2; axis++) {
        stroke->from[axis] = rounded(stroke->from[axis], cell);
        stroke->to[axis] = rounded(stroke->to[axis], cell);
    }
    stroke->radius = rounded(stroke->radius, cell);
    stroke->level = rounded(stroke->level, cell);
    stroke->softness = rounded(stroke->softness, 1.0);
    stroke->strength = five_figures(stroke->strength);
}

SiltStroke brush_stroke(const Tools *tools, const double from[2], const double to[2], double seconds)
{
    int brush = tools->is_reversed ? reverse_of(tools->tool) : tools->tool;
    double amount = tools->strength[tools->tool] * tools->pressure * (brush_is_line(brush) ? 1.0 : seconds);
    SiltStroke stroke = {.brush = (SiltBrush)brush,
                         .from = {from[0], from[1]},
                         .to = {to[0], to[1]},
                         .radius = tools->radius,
                         .softness = tools->softness,
                         .level = tools->level,
                         .seed = tools->seed,
                         .strength = amount * a_second_of(brush, tools->radius)};
    if (brush == SILT_BRUSH_SMOOTH || brush == SILT_BRUSH_FLATTEN || brush == SILT_BRUSH_PROTECT)
        stroke.strength = MIN(stroke.strength, 1.0);
    if (brush == SILT_BRUSH_ERODIBILITY) // twice as soft after a second, or half
        stroke.strength = pow(tools->is_reversed ? 0.5 : 2.0, amount);
    if (brush == SILT_BRUSH_UPLIFT && tools->is_reversed)
        stroke.strength = -stroke.strength;
    if (brush == SILT_BRUSH_ADD || brush == SILT_BRUSH_CARVE)
        place_ball(tools, &stroke, amount);
    round_all(&stroke, tools->view->terrain ? tools->view->terrain->cell : 1.0);
    return stroke;
}

// ---- into the recipe ----

static bool is_brush(const View *view, int index)
{
    SiltEntry entry;
    return silt_stack_entry(view->stack, SILT_IN_STAGES, index, &entry) == SILT_OK && entry.enabled &&
           strcmp(entry.stage->name, "brush") == 0;
}

// What a model reads is painted before it; ground is painted where it is seen, at the end.
static const char *layer_for_model(int brush)
{
    return brush == SILT_BRUSH_ERODIBILITY || brush == SILT_BRUSH_PROTECT ? "erodibility"
           : brush == SILT_BRUSH_UPLIFT                                   ? "uplift"
           : brush == SILT_BRUSH_RAIN || brush == SILT_BRUSH_WATER        ? "water"
                                                                          : NULL;
}

// The model's parameter that names such a layer takes it, where it is free.
static void choose_layer(View *view, int stage, const SiltEntry *entry, const char *layer)
{
    const SiltParamTable *table = entry->tables[SILT_KEYS_SET];
    void *chosen = table ? silt_params_clone(table, entry->params[SILT_KEYS_SET]) : NULL;
    if (chosen && silt_model_choose_layer(entry->model, chosen, layer) == SILT_OK) {
        for (int k = 0; k < table->count; k++) {
            char *old = silt_params_value(table, entry->params[SILT_KEYS_SET], k);
            char *new = silt_params_value(table, chosen, k);
            bool differs = old && new &&strcmp(old, new) != 0;
            silt_free(old);
            if (differs) // what the entry holds is another one afterwards
                view_ok(view, silt_stack_set(view->stack, SILT_IN_STAGES, stage, SILT_KEYS_SET,
                                             table->items[k].name, new));
            silt_free(new);
            if (differs)
                break;
        }
    }
    if (chosen)
        silt_params_delete(table, chosen);
}

// Before the picked model, where the brush paints for one; -1: it does not, or there is none.
static int find_stage_before(Tools *tools)
{
    View *view = tools->view;
    SiltEntry entry;
    const char *layer = layer_for_model(tools->tool);
    int at = view->index;
    if (!layer || view->place != SILT_IN_STAGES ||
        silt_stack_entry(view->stack, SILT_IN_STAGES, at, &entry) != SILT_OK || !entry.model)
        return -1;
    if (strcmp(layer, "water") != 0)
        choose_layer(view, at, &entry, layer);
    if (at > 0 && is_brush(view, at - 1))
        return at - 1;
    if (!view_ok(view, silt_stack_insert(view->stack, SILT_IN_STAGES, at, "brush", "by hand")))
        return -1;
    view->index++; // the same stage stays picked
    return at;
}

// The stage that takes strokes: before the picked model, or the one that is picked, else the last where it is
// one, else a new one.
static int find_stage(Tools *tools)
{
    View *view = tools->view;
    int count = silt_stack_count(view->stack, SILT_IN_STAGES), before;
    if (view->place == SILT_IN_STAGES && is_brush(view, view->index))
        return view->index;
    before = find_stage_before(tools);
    if (before >= 0)
        return before;
    if (count > 0 && is_brush(view, count - 1))
        return count - 1;
    return view_ok(view, silt_stack_insert(view->stack, SILT_IN_STAGES, count, "brush", "by hand")) ? count
                                                                                                    : -1;
}

// All strokes of the stage, old and new.
static void store_strokes(Tools *tools, bool is_last)
{
    View *view = tools->view;
    if (tools->strokes->len == 0 || tools->brush_stage < 0)
        return;
    const char *before =
        silt_stack_written(view->stack, SILT_IN_STAGES, tools->brush_stage, SILT_KEYS_ENTRY, "strokes");
    char *more =
        silt_strokes_text((const SiltStroke *)(void *)tools->strokes->data, (int)tools->strokes->len);
    char *text = before && before[0] ? g_strconcat(before, ";", more, NULL) : g_strdup(more ? more : "");
    SiltStatus status =
        silt_stack_set(view->stack, SILT_IN_STAGES, tools->brush_stage, SILT_KEYS_ENTRY, "strokes", text);
    silt_free(more);
    g_free(text);
    g_array_set_size(tools->strokes, 0);
    if (!view_ok(view, status))
        return;
    if (is_last)
        view_changed(view);
    else
        view_sketch(view);
}

void brush_begin(Tools *tools)
{
    char name[SILT_NAME_SIZE];
    tools->seed++;
    if (tools->state.live) {
        player_begin_group(tools->view->player, brush_name(tools->tool, name));
        return;
    }
    silt_stack_begin_group(tools->view->stack, brush_name(tools->tool, name));
    tools->brush_stage = find_stage(tools);
    g_array_set_size(tools->strokes, 0);
}

void brush_put(Tools *tools, const SiltStroke *stroke)
{
    if (tools->state.live) {
        player_stroke(tools->view->player, stroke);
        return;
    }
    g_array_append_val(tools->strokes, *stroke);
    if (tools->strokes->len >= 4)
        store_strokes(tools, false);
}

void brush_end(Tools *tools)
{
    if (tools->state.live) {
        player_end_group(tools->view->player);
        return;
    }
    store_strokes(tools, true);
    silt_stack_end_stroke(tools->view->stack);
    view_changed(tools->view);
}
