// The list on the left. A row has a grip, its name and what it does, a switch, a menu, and a thin line that
// fills while the stage is cooking. Rows are moved by dragging, or with Alt and the arrows.
#include "stack_list.h"

#include "actions.h"
#include "menus.h"
#include "play.h"

typedef struct Row {
    SiltPlace place;
    int index;
    View *view;
    struct StackList *list;
    GtkWidget *row, *title, *detail, *toggle, *line, *menu, *mark, *eye;
    bool showing;
} Row;

struct StackList {
    View *view;
    GtkWidget *box, *list;
    GPtrArray *rows; // Row
    bool showing;
    int fault_stage; // that could not be made, -1: the terrain, -2: none
    char *fault;     // why
    guint picking;   // an idle call that picks what is wanted
    SiltPlace wanted_place;
    int wanted_index;
    int seen; // stages that the land in sight has been through; -1: all
};

static void set_class(GtkWidget *widget, const char *name, bool on)
{
    if (on)
        gtk_widget_add_css_class(widget, name);
    else
        gtk_widget_remove_css_class(widget, name);
}

// ---- what a person does ----

static void on_toggle(GtkSwitch *toggle, GParamSpec *spec, Row *row)
{
    (void)spec;
    if (row->showing)
        return;
    if (view_ok(row->view,
                silt_stack_enable(row->view->stack, row->place, row->index, gtk_switch_get_active(toggle))))
        view_changed(row->view);
}

// GTK goes on with a row after it has told that it was picked; picking may make all rows anew. So it waits.
static gboolean pick_wanted(gpointer user)
{
    StackList *list = user;
    list->picking = 0;
    if (list->wanted_index <
        silt_stack_count(list->view->stack, list->wanted_place)) // it may be gone meanwhile
        view_select(list->view, list->wanted_place, list->wanted_index);
    return G_SOURCE_REMOVE;
}

static void pick(StackList *list, const Row *row)
{
    list->wanted_place = row->place;
    list->wanted_index = row->index;
    if (!list->picking)
        list->picking = g_idle_add_full(G_PRIORITY_HIGH_IDLE, pick_wanted, list, NULL);
}

// By a click on the row that is picked already, too: its land, where the end was shown.
static void on_selected(GtkListBox *box, GtkListBoxRow *selected, StackList *list)
{
    (void)box;
    if (!list->showing && selected)
        pick(list, g_object_get_data(G_OBJECT(selected), "row"));
}

static void on_menu(GtkMenuButton *button, GParamSpec *spec, Row *row)
{
    (void)spec;
    if (gtk_widget_is_visible(GTK_WIDGET(button)))
        pick(row->list, row);
}

static void on_secondary(GtkGestureClick *click, int presses, double x, double y, Row *row)
{
    (void)click;
    (void)presses;
    (void)x;
    (void)y;
    pick(row->list, row);
    if (row->menu)
        menus_open(gtk_widget_get_first_child(row->menu));
}

// ---- dragging ----

static GdkContentProvider *on_drag(GtkDragSource *source, double x, double y, Row *row)
{
    GdkPaintable *picture = gtk_widget_paintable_new(row->row);
    gtk_drag_source_set_icon(source, picture, (int)x, (int)y);
    g_object_unref(picture);
    return gdk_content_provider_new_typed(G_TYPE_INT, (int)row->place * 4096 + row->index);
}

static void mark_drop(Row *row, bool above, bool below)
{
    const char *const classes[] = {"drop-above", "drop-below"};
    const bool on[] = {above, below};
    for (int k = 0; k < 2; k++)
        set_class(row->row, classes[k], on[k]);
}

static GdkDragAction on_drop_motion(GtkDropTarget *target, double x, double y, Row *row)
{
    (void)target;
    (void)x;
    bool below = y > gtk_widget_get_height(row->row) / 2.0;
    mark_drop(row, !below, below);
    return GDK_ACTION_MOVE;
}

static void on_drop_leave(GtkDropTarget *target, Row *row)
{
    (void)target;
    mark_drop(row, false, false);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y, Row *row)
{
    (void)target;
    (void)x;
    mark_drop(row, false, false);
    int code = g_value_get_int(value), from = code % 4096;
    if (code / 4096 != (int)row->place)
        return FALSE;
    int to = row->index + (y > gtk_widget_get_height(row->row) / 2.0 ? 1 : 0);
    to = to > from ? to - 1 : to; // as it stands once it was taken out
    View *view = row->view;
    if (to == from)
        return FALSE;
    play_make_way(view, row->place, MIN(from, to));
    if (!view_ok(view, silt_stack_move(view->stack, row->place, from, to)))
        return FALSE;
    view->place = row->place;
    view->index = to;
    view_hands_changed(view);
    return TRUE;
}

static void make_draggable(Row *row)
{
    GtkDragSource *source = gtk_drag_source_new();
    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
    g_signal_connect(source, "prepare", G_CALLBACK(on_drag), row);
    gtk_widget_add_controller(row->row, GTK_EVENT_CONTROLLER(source));
    GtkDropTarget *target = gtk_drop_target_new(G_TYPE_INT, GDK_ACTION_MOVE);
    g_signal_connect(target, "motion", G_CALLBACK(on_drop_motion), row);
    g_signal_connect(target, "leave", G_CALLBACK(on_drop_leave), row);
    g_signal_connect(target, "drop", G_CALLBACK(on_drop), row);
    gtk_widget_add_controller(row->row, GTK_EVENT_CONTROLLER(target));
}

// ---- rows ----

static GtkWidget *make_menu(Row *row)
{
    static const char *const names[] = {
        "up-to-here", "stage-duplicate", "stage-up", "stage-down", "stage-defaults",
        "-",          "stage-remove",    NULL};
    GtkWidget *button = gtk_menu_button_new();
    gtk_widget_set_name(button, "stage-menu");
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "view-more-symbolic");
    GMenu *menu = actions_menu(names);
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    menus_cut_tail(button);
    g_object_unref(menu);
    gtk_widget_add_css_class(button, "flat");
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    g_signal_connect(button, "notify::active", G_CALLBACK(on_menu), row);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "What to do with the stage", -1);
    return button;
}

static GtkWidget *make_texts(Row *row)
{
    GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_hexpand(texts, TRUE);
    gtk_widget_set_valign(texts, GTK_ALIGN_CENTER);
    row->title = gtk_label_new("");
    row->detail = gtk_label_new("");
    gtk_widget_add_css_class(row->title, "title");
    gtk_widget_add_css_class(row->detail, "quiet");
    for (int k = 0; k < 2; k++) {
        GtkWidget *label = k ? row->detail : row->title;
        gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
        gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
        gtk_box_append(GTK_BOX(texts), label);
    }
    return texts;
}

static Row *make_row(StackList *list, SiltPlace place, int index)
{
    Row *row = g_new0(Row, 1);
    row->place = place;
    row->index = index;
    row->view = list->view;
    row->list = list;
    row->row = gtk_list_box_row_new();
    g_object_set_data_full(G_OBJECT(row->row), "row", row, g_free);
    gtk_widget_add_css_class(row->row, "stage");
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    gtk_widget_add_css_class(line, "line");
    row->mark = gtk_label_new("!");
    gtk_widget_add_css_class(row->mark, "mark");
    gtk_widget_set_valign(row->mark, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(line), row->mark);
    gtk_box_append(GTK_BOX(line), make_texts(row));
    row->eye = gtk_image_new_from_icon_name("view-reveal-symbolic");
    gtk_widget_add_css_class(row->eye, "eye");
    gtk_widget_set_tooltip_text(row->eye, "The land is shown as this leaves it");
    gtk_widget_set_visible(row->eye, FALSE);
    gtk_box_append(GTK_BOX(line), row->eye);
    if (place != SILT_IN_TERRAIN) {
        row->toggle = gtk_switch_new();
        gtk_widget_set_valign(row->toggle, GTK_ALIGN_CENTER);
        gtk_widget_set_focus_on_click(row->toggle, FALSE);
        gtk_widget_set_tooltip_text(row->toggle, "On or off");
        g_signal_connect(row->toggle, "notify::active", G_CALLBACK(on_toggle), row);
        gtk_box_append(GTK_BOX(line), row->toggle);
        row->menu = make_menu(row);
        gtk_box_append(GTK_BOX(line), row->menu);
        make_draggable(row);
    }
    row->line = gtk_progress_bar_new();
    gtk_widget_add_css_class(row->line, "cooking");
    gtk_widget_set_opacity(row->line, 0.0);
    gtk_box_append(GTK_BOX(column), line);
    gtk_box_append(GTK_BOX(column), row->line);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row->row), column);
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
    g_signal_connect(click, "pressed", G_CALLBACK(on_secondary), row);
    gtk_widget_add_controller(row->row, GTK_EVENT_CONTROLLER(click));
    return row;
}

// Why the entry cannot be made: the recipe says so, or the player has tried. NULL: it can.
static const char *fault_of(const Row *row, const SiltEntry *entry)
{
    const StackList *list = row->list;
    bool here = list->fault && (row->place == SILT_IN_TERRAIN
                                    ? list->fault_stage == -1
                                    : row->place == SILT_IN_STAGES && row->index == list->fault_stage);
    return entry->fault ? entry->fault : here ? list->fault : NULL;
}

static void show_row(Row *row)
{
    SiltEntry entry;
    if (silt_stack_entry(row->view->stack, row->place, row->index, &entry) != SILT_OK)
        return;
    const char *fault = fault_of(row, &entry);
    char *title = entry_title(&entry), *detail = fault ? g_strdup(fault) : entry_detail(&entry);
    row->showing = true;
    gtk_widget_set_visible(row->mark, fault != NULL);
    gtk_label_set_text(GTK_LABEL(row->title), title);
    gtk_label_set_text(GTK_LABEL(row->detail), detail);
    if (row->toggle)
        gtk_switch_set_active(GTK_SWITCH(row->toggle), entry.enabled);
    row->showing = false;
    const char *const classes[] = {"off", "faulty"};
    const bool on[] = {!entry.enabled || entry.skipped, fault != NULL};
    for (int k = 0; k < 2; k++)
        set_class(row->row, classes[k], on[k]);
    const char *tip = fault ? fault : entry.model ? silt_model_summary(entry.model) : entry.stage->summary;
    view_set_tip(gtk_widget_get_parent(row->title), tip); // not of the row: its menu would have it too
    char *name = g_strdup_printf("%s, %s", title, detail);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row->row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    if (row->toggle) {
        g_free(name);
        name = g_strdup_printf("%s on or off", title);
        gtk_accessible_update_property(GTK_ACCESSIBLE(row->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    }
    g_free(name);
    g_free(title);
    g_free(detail);
}

static void rebuild(StackList *list)
{
    GtkWidget *child;
    menus_leave(list->view, list->list);
    g_ptr_array_set_size(list->rows, 0);
    while ((child = gtk_widget_get_first_child(list->list)))
        gtk_list_box_remove(GTK_LIST_BOX(list->list), child);
    for (int place = SILT_IN_TERRAIN; place <= SILT_IN_OUTPUTS; place++)
        for (int k = 0; k < silt_stack_count(list->view->stack, (SiltPlace)place); k++) {
            Row *row = make_row(list, (SiltPlace)place, k);
            g_ptr_array_add(list->rows, row);
            gtk_list_box_append(GTK_LIST_BOX(list->list), row->row);
        }
}

static bool is_same_shape(const StackList *list)
{
    guint at = 0;
    for (int place = SILT_IN_TERRAIN; place <= SILT_IN_OUTPUTS; place++)
        for (int k = 0; k < silt_stack_count(list->view->stack, (SiltPlace)place); k++, at++) {
            const Row *row = at < list->rows->len ? list->rows->pdata[at] : NULL;
            if (!row || row->place != (SiltPlace)place || row->index != k)
                return false;
        }
    return at == list->rows->len;
}

static void on_header(GtkListBoxRow *shown, GtkListBoxRow *before, gpointer user)
{
    (void)user;
    static const char *const titles[] = {"Terrain", "Stages", "Outputs"};
    const Row *row = g_object_get_data(G_OBJECT(shown), "row");
    const Row *above = before ? g_object_get_data(G_OBJECT(before), "row") : NULL;
    if (!row || (above && above->place == row->place)) {
        gtk_list_box_row_set_header(shown, NULL);
        return;
    }
    GtkWidget *header = gtk_label_new(titles[row->place]);
    gtk_label_set_xalign(GTK_LABEL(header), 0.0f);
    gtk_widget_add_css_class(header, "heading");
    gtk_list_box_row_set_header(shown, header);
}

// The row whose land is in sight, and those whose work is not.
static void mark_seen(const StackList *list)
{
    for (guint k = 0; k < list->rows->len; k++) {
        const Row *row = list->rows->pdata[k];
        int stage = row->place == SILT_IN_TERRAIN ? -1 : row->index;
        bool makes_land = row->place != SILT_IN_OUTPUTS && list->seen >= 0;
        gtk_widget_set_visible(row->eye, makes_land && stage == list->seen - 1);
        set_class(row->row, "beyond", makes_land && stage >= list->seen);
    }
}

void stack_list_refresh(StackList *list)
{
    list->showing = true;
    bool is_other = !is_same_shape(list), by_keys = is_other && menus_have_keyboard(list->view, list->list);
    if (is_other)
        rebuild(list);
    for (guint k = 0; k < list->rows->len; k++) {
        Row *row = list->rows->pdata[k];
        show_row(row);
        if (row->place != list->view->place || row->index != list->view->index)
            continue;
        gtk_list_box_select_row(GTK_LIST_BOX(list->list), GTK_LIST_BOX_ROW(row->row));
        if (by_keys) // it is where it was, among other rows
            gtk_widget_grab_focus(row->row);
    }
    mark_seen(list);
    list->showing = false;
}

void stack_list_show_seen(StackList *list, int stages)
{
    if (list->seen != stages) {
        list->seen = stages;
        mark_seen(list);
    }
}

void stack_list_show_work(StackList *list, int stage, double share)
{
    for (guint k = 0; k < list->rows->len; k++) {
        const Row *row = list->rows->pdata[k];
        bool here = (row->place == SILT_IN_TERRAIN && stage == -1) ||
                    (row->place == SILT_IN_STAGES && stage == row->index);
        gtk_widget_set_opacity(row->line, here ? 1.0 : 0.0);
        if (here)
            gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(row->line), share < 0.0   ? 0.0
                                                                       : share > 1.0 ? 1.0
                                                                                     : share);
    }
}

void stack_list_show_fault(StackList *list, int stage, const char *fault)
{
    if (g_strcmp0(list->fault, fault) == 0 && list->fault_stage == stage)
        return;
    g_free(list->fault);
    list->fault = g_strdup(fault);
    list->fault_stage = stage;
    stack_list_refresh(list);
}

StackList *stack_list_create(View *view)
{
    StackList *list = g_new0(StackList, 1);
    list->view = view;
    list->seen = -1;
    list->rows = g_ptr_array_new();
    list->list = gtk_list_box_new();
    gtk_widget_add_css_class(list->list, "stack");
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list->list), GTK_SELECTION_BROWSE);
    gtk_list_box_set_header_func(GTK_LIST_BOX(list->list), on_header, NULL, NULL);
    g_signal_connect(list->list, "row-selected", G_CALLBACK(on_selected), list);
    g_signal_connect(list->list, "row-activated", G_CALLBACK(on_selected), list);
    gtk_accessible_update_property(GTK_ACCESSIBLE(list->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Stack of stages", -1);
    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), list->list);
    gtk_widget_set_vexpand(scroller, TRUE);
    menus_watch_scroller(scroller);
    GtkWidget *add = gtk_button_new_with_label("+  Add a stage");
    gtk_widget_add_css_class(add, "flat");
    gtk_widget_add_css_class(add, "add");
    gtk_widget_set_focus_on_click(add, FALSE);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(add), "win.add-stage");
    list->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(list->box, "side");
    gtk_box_append(GTK_BOX(list->box), scroller);
    gtk_box_append(GTK_BOX(list->box), add);
    return list;
}

GtkWidget *stack_list_widget(StackList *list)
{
    return list->box;
}

void stack_list_destroy(StackList *list)
{
    if (list) {
        if (list->picking)
            g_source_remove(list->picking);
        g_ptr_array_free(list->rows, TRUE);
        g_free(list->fault);
    }
    g_free(list);
}
