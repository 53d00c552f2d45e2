// The bar of tools: which there are, which of them are offered, and where it stands.
#include "land.h"
#include "menus.h"
#include "tools_inside.h"

// Where a tool is at home: on land of one height, in a volume of rock, or both.
enum { ON_GROUND = 1, IN_ROCK = 2, ANYWHERE = 3 };

static const struct {
    int tool;
    const char *name, *tip;
    bool is_common; // stands in the bar; the others under "more"
    int home;
} kinds[] = {
    {SILT_BRUSH_RAIN, "Rain", "Rain falls where you paint", true, ANYWHERE},
    {SILT_BRUSH_WATER, "Water", "Pours water", true, ANYWHERE},
    {SILT_BRUSH_RAISE, "Raise", "Raises the ground; Ctrl lowers it", true, ON_GROUND},
    {SILT_BRUSH_LOWER, "Lower", "Lowers the ground; Ctrl raises it", true, ON_GROUND},
    {SILT_BRUSH_SMOOTH, "Smooth", "Smooths the ground", true, ON_GROUND},
    {SILT_BRUSH_CARVE, "Carve rock", "Carves a volume: caves and arches; Ctrl lays rock", true, IN_ROCK},
    {SILT_BRUSH_ADD, "Add rock", "Lays rock on a volume; Ctrl carves", true, IN_ROCK},
    {TOOL_SOURCE, "Source", "Puts a source of water; drag it, pull its ring, Shift+wheel for its rate", true,
     ANYWHERE},
    {SILT_BRUSH_FLATTEN, "Flatten", "Flattens the ground to the height where you began", false, ON_GROUND},
    {SILT_BRUSH_RIDGE, "Ridge", "Draws a ridge along a line; Shift goes on from its end", false, ON_GROUND},
    {SILT_BRUSH_RIVER, "River bed", "Draws a bed that falls along a line; Shift goes on from its end", false,
     ON_GROUND},
    {SILT_BRUSH_ERODIBILITY, "Soft rock", "Makes rock softer; Ctrl makes it harder", false, ON_GROUND},
    {SILT_BRUSH_PROTECT, "Protect", "Keeps the ground from wear", false, ON_GROUND},
    {SILT_BRUSH_UPLIFT, "Uplift", "Lifts the ground faster from now on; Ctrl slower", false, ON_GROUND},
    {TOOL_TRANSECT, "Transect", "Draws a line and plots the heights along it", false, ANYWHERE},
};

const char *bar_name(int tool)
{
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (kinds[k].tool == tool)
            return kinds[k].name;
    return NULL;
}

bool bar_has(int tool)
{
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (kinds[k].tool == tool)
            return kinds[k].is_common;
    return true;
}

// ---- making it ----

static void on_button(GtkToggleButton *button, Tools *tools)
{
    int tool = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "tool"));
    if (tools->is_updating)
        return;
    tools_choose(tools, tool);
    gtk_popover_popdown(tools->others);
}

static void add_button(Tools *tools, GtkWidget *box, size_t kind)
{
    GtkWidget *button = gtk_toggle_button_new_with_label(kinds[kind].name);
    g_object_set_data(G_OBJECT(button), "tool", GINT_TO_POINTER(kinds[kind].tool));
    gtk_widget_set_tooltip_text(button, kinds[kind].tip);
    gtk_widget_set_focus_on_click(button, FALSE);
    g_signal_connect(button, "toggled", G_CALLBACK(on_button), tools);
    gtk_box_append(GTK_BOX(box), button);
    tools->buttons[tools->button_count] = button;
    tools->button_tools[tools->button_count++] = kinds[kind].tool;
}

void bar_make(Tools *tools)
{
    tools->bar = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(tools->bar, "tools");
    gtk_box_append(GTK_BOX(tools->bar), transect_widget(tools->transect));
    tools->row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_set_halign(tools->row, GTK_ALIGN_CENTER);
    GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(list, "tools-more");
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        add_button(tools, kinds[k].is_common ? tools->row : list, k);
    tools->others = GTK_POPOVER(gtk_popover_new());
    gtk_popover_set_child(tools->others, list);
    tools->more = gtk_menu_button_new();
    gtk_widget_set_name(tools->more, "tools-menu");
    gtk_menu_button_set_label(GTK_MENU_BUTTON(tools->more), "More");
    gtk_menu_button_set_direction(GTK_MENU_BUTTON(tools->more), GTK_ARROW_UP);
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(tools->more), GTK_WIDGET(tools->others));
    menus_cut_tail(tools->more);
    gtk_box_append(GTK_BOX(tools->row), tools->more);
    gtk_box_append(GTK_BOX(tools->bar), tools->row);
    tools->size = gtk_label_new("");
    gtk_widget_add_css_class(tools->size, "quiet");
    gtk_widget_set_visible(tools->size, FALSE);
    gtk_box_append(GTK_BOX(tools->bar), tools->size);
}

// ---- what is offered ----

// Ground has no caves, and a volume no single height: tools that would do nothing are not offered.
static void show_tools(Tools *tools)
{
    const SiltTerrain *terrain = tools->view->terrain;
    bool is_rock = terrain && (terrain->volume || tools->view->has_surface); // at rest, or as it runs
    int home = is_rock ? IN_ROCK : ON_GROUND;
    if (!terrain || home == tools->home)
        return;
    tools->home = home;
    for (int k = 0; k < tools->button_count; k++) // in the order of their kinds
        gtk_widget_set_visible(tools->buttons[k], (kinds[k].home & home) != 0);
}

// Where the land is too narrow for both, the tools stand above the legend.
static void make_way_for_legend(Tools *tools)
{
    enum { WIDE_ENOUGH = 660, LEGEND = 72, AROUND = 40 };
    const View *view = tools->view;
    int width = gtk_widget_get_width(land_widget(view->land));
    bool is_there = view->look.legend && view->look.overlay[0];
    gtk_widget_set_margin_bottom(tools->bar, is_there && width < WIDE_ENOUGH ? LEGEND : 0);
    transect_fit(tools->transect, width - AROUND);
}

void bar_fit(Tools *tools)
{
    show_tools(tools);
    make_way_for_legend(tools);
}
