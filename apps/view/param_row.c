// A row for each type of parameter.
#include "param_inside.h"

#include <math.h>
#include <string.h>

#include "dialogs.h"
#include "land.h"
#include "numbers.h"
#include "silt/terrain.h"
#include "silt/text.h"

enum { REST_MILLISECONDS = 350 };

// ---- what a person does ----

static void give(ParamRow *row, const char *text, bool dragging)
{
    if (!row->showing)
        row->owner->set(row->owner->user, row, text, dragging);
}

static gboolean on_rest(gpointer user)
{
    ParamRow *row = user;
    row->rest_timer = 0;
    row->owner->rest(row->owner->user);
    return G_SOURCE_REMOVE;
}

static void slide_to(ParamRow *row, double share)
{
    char text[SILT_NUMBER_SIZE];
    row->value = span_value(&row->span, share);
    silt_format_number(row->value, text);
    row->showing = true;
    gtk_editable_set_text(GTK_EDITABLE(row->entry), text);
    gtk_range_set_value(GTK_RANGE(row->scale), share * SLIDER_STEPS);
    row->showing = false;
    give(row, text, true);
    if (row->rest_timer)
        g_source_remove(row->rest_timer);
    row->rest_timer = g_timeout_add(REST_MILLISECONDS, on_rest, row);
}

static gboolean on_slide(GtkRange *range, GtkScrollType scroll, double position, ParamRow *row)
{
    (void)range;
    (void)scroll;
    double share = position / SLIDER_STEPS;
    slide_to(row, share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share);
    return TRUE;
}

void param_row_slide(ParamRow *row, double share)
{
    if (row->scale)
        slide_to(row, share);
}

void param_row_type(ParamRow *row, const char *text)
{
    give(row, text, false);
}

GtkWidget *param_row_slider(ParamRow *row)
{
    return row->scale ? row->scale : row->box;
}

// What stands in the entry, or in the entries of a vector, becomes the value.
static void take_entry(ParamRow *row)
{
    if (row->showing)
        return;
    GString *text = g_string_new(NULL);
    int count = row->param->type == SILT_TYPE_VECTOR ? row->param->size : 1;
    for (int k = 0; k < count; k++) {
        GtkWidget *entry = row->param->type == SILT_TYPE_VECTOR ? row->entries[k] : row->entry;
        g_string_append_printf(text, "%s%s", k ? "," : "", gtk_editable_get_text(GTK_EDITABLE(entry)));
    }
    g_strstrip(text->str);
    if (g_strcmp0(text->str, row->text) != 0) {
        bool refused = !row->owner->set(row->owner->user, row, text->str[0] ? text->str : NULL, false);
        for (int k = 0; k < count; k++)
            row_entry_fault(row->param->type == SILT_TYPE_VECTOR ? row->entries[k] : row->entry, refused);
        row->typed = refused;
    } else
        row->typed = false;
    g_string_free(text, TRUE);
}

// Return is the end of typing: the keyboard goes back to the land, unless there is something to mend.
static void on_entry(GtkEntry *entry, ParamRow *row)
{
    View *view = view_of(GTK_WIDGET(entry));
    take_entry(row);
    if (view && !gtk_widget_has_css_class(GTK_WIDGET(entry), "error"))
        gtk_widget_grab_focus(land_widget(view->land));
}

static void on_typing(GtkEditable *entry, ParamRow *row)
{
    (void)entry;
    row->typed = row->typed || !row->showing;
}

bool param_row_is_settled(GtkWidget *text)
{
    GtkWidget *entry = gtk_widget_get_parent(text);
    const ParamRow *row = entry ? g_object_get_data(G_OBJECT(entry), "row") : NULL;
    return row && !row->typed;
}

static void on_leave(GtkEventControllerFocus *controller, ParamRow *row)
{
    (void)controller;
    take_entry(row);
}

// Up and down change a number by one of the slider's steps, ten with Shift.
static gboolean on_nudge(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                         ParamRow *row)
{
    (void)controller;
    (void)code;
    if (!row->scale || (key != GDK_KEY_Up && key != GDK_KEY_Down))
        return FALSE;
    double step = (key == GDK_KEY_Up ? 0.01 : -0.01) * (state & GDK_SHIFT_MASK ? 10.0 : 1.0);
    double share = span_share(&row->span, row->value) + step;
    slide_to(row, share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share);
    return TRUE;
}

static void on_toggle(GtkSwitch *toggle, GParamSpec *spec, ParamRow *row)
{
    (void)spec;
    give(row, gtk_switch_get_active(toggle) ? "yes" : "no", false);
}

static void on_choice(GtkDropDown *choice, GParamSpec *spec, ParamRow *row)
{
    (void)spec;
    GtkStringObject *item = gtk_drop_down_get_selected_item(choice);
    const char *text = item ? gtk_string_object_get_string(item) : "";
    bool none = row->param->type == SILT_TYPE_LAYER && gtk_drop_down_get_selected(choice) == 0;
    give(row, none ? "" : text, false);
}

static void on_colour(GtkColorButton *button, ParamRow *row)
{
    GdkRGBA colour;
    gtk_color_chooser_get_rgba(GTK_COLOR_CHOOSER(button), &colour);
    char text[16];
    g_snprintf(text, sizeof text, "#%02x%02x%02x", (int)lrintf(colour.red * 255.0f) & 255,
               (int)lrintf(colour.green * 255.0f) & 255, (int)lrintf(colour.blue * 255.0f) & 255);
    give(row, text, false);
}

static void on_list(void *user, const char *text)
{
    give(user, text, false);
}

static void on_reset(GtkButton *button, ParamRow *row)
{
    (void)button;
    give(row, NULL, false);
}

static void on_label(GtkGestureClick *click, int presses, double x, double y, ParamRow *row)
{
    (void)click;
    (void)x;
    (void)y;
    if (presses == 2)
        give(row, NULL, false);
}

static void on_file(GtkNativeDialog *dialog, int response, GtkWidget *box)
{
    ParamRow *row = g_object_get_data(G_OBJECT(box), "row");
    char *path = dialogs_path(dialog, response);
    if (path)
        give(row, path, false);
    g_free(path);
}

static void on_browse(GtkButton *button, ParamRow *row)
{
    View *view = view_of(GTK_WIDGET(button));
    GtkFileChooserNative *dialog =
        view ? dialogs_file(view, "Choose a file", GTK_FILE_CHOOSER_ACTION_OPEN, "_Choose") : NULL;
    if (dialog) // rows may go before it is answered
        dialogs_ask(dialog, G_CALLBACK(on_file), row->box, G_OBJECT(row->box));
}

// ---- making it ----

static void name_widget(const ParamRow *row, GtkWidget *widget, const char *what)
{
    char *title = param_title(row->param->name);
    char *name = g_strconcat(title, what, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, row->param->help, -1);
    g_free(name);
    g_free(title);
}

static GtkWidget *new_entry(ParamRow *row, int characters)
{
    GtkWidget *entry = gtk_entry_new();
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), characters);
    gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), characters);
    gtk_entry_set_alignment(GTK_ENTRY(entry), 1.0f);
    gtk_widget_add_css_class(entry, "exact");
    gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
    g_object_set_data(G_OBJECT(entry), "row", row);
    g_signal_connect(entry, "activate", G_CALLBACK(on_entry), row);
    g_signal_connect(entry, "changed", G_CALLBACK(on_typing), row);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect(focus, "leave", G_CALLBACK(on_leave), row);
    gtk_widget_add_controller(entry, focus);
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_nudge), row);
    gtk_widget_add_controller(entry, keys);
    name_widget(row, entry, "");
    return entry;
}

// The wheel moves the panel, not whatever slider happens to lie under the pointer.
static void leave_wheel_alone(GtkWidget *scale)
{
    GListModel *controllers = gtk_widget_observe_controllers(scale);
    for (guint k = 0; k < g_list_model_get_n_items(controllers); k++) {
        GtkEventController *controller = g_list_model_get_item(controllers, k);
        if (GTK_IS_EVENT_CONTROLLER_SCROLL(controller))
            gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_NONE);
        g_object_unref(controller);
    }
    g_object_unref(controllers);
}

static GtkWidget *unit_label(const SiltParam *param)
{
    char *text = unit_text(silt_param_unit(param));
    GtkWidget *unit = gtk_label_new(text);
    g_free(text);
    gtk_label_set_xalign(GTK_LABEL(unit), 0.0f);
    gtk_widget_add_css_class(unit, "unit");
    return unit;
}

static void make_number(ParamRow *row, GtkBox *line)
{
    row->entry = new_entry(row, 8);
    row->unit = unit_label(row->param);
    gtk_box_append(line, row->entry);
    gtk_box_append(line, row->unit);
    row->span = span_of(row->param, row->param->number[0]);
    row->scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0.0, SLIDER_STEPS, 1.0);
    gtk_scale_set_draw_value(GTK_SCALE(row->scale), FALSE);
    gtk_widget_set_focus_on_click(row->scale, FALSE);
    leave_wheel_alone(row->scale);
    g_signal_connect(row->scale, "change-value", G_CALLBACK(on_slide), row);
    name_widget(row, row->scale, ", slider");
    gtk_box_append(GTK_BOX(row->box), row->scale);
}

static void make_toggle(ParamRow *row, GtkBox *line)
{
    row->toggle = gtk_switch_new();
    gtk_widget_set_valign(row->toggle, GTK_ALIGN_CENTER);
    gtk_widget_set_focus_on_click(row->toggle, FALSE);
    g_signal_connect(row->toggle, "notify::active", G_CALLBACK(on_toggle), row);
    name_widget(row, row->toggle, "");
    gtk_box_append(line, row->toggle);
}

static void make_choice(ParamRow *row, GtkBox *line)
{
    GtkStringList *names = gtk_string_list_new(NULL);
    char buffer[SILT_NAME_SIZE];
    if (row->param->type == SILT_TYPE_LAYER) {
        gtk_string_list_append(names, "none");
        const char *layer;
        for (int k = 0; row->owner->layer_at && (layer = row->owner->layer_at(row->owner->user, k)); k++)
            if (!row_list_holds(names, layer))
                gtk_string_list_append(names, layer);
        for (int k = 0; (layer = silt_layer_name_at(k)); k++)
            if (!row_list_holds(names, layer))
                gtk_string_list_append(names, layer);
    } else {
        for (int k = 0; silt_param_choice(row->param, k, buffer); k++)
            gtk_string_list_append(names, buffer);
    }
    row->choice = gtk_drop_down_new(G_LIST_MODEL(names), NULL);
    gtk_widget_set_valign(row->choice, GTK_ALIGN_CENTER);
    gtk_widget_set_focus_on_click(row->choice, FALSE);
    g_signal_connect(row->choice, "notify::selected", G_CALLBACK(on_choice), row);
    name_widget(row, row->choice, "");
    gtk_box_append(line, row->choice);
}

static void make_vector(ParamRow *row)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_widget_add_css_class(line, "vector");
    for (int k = 0; k < row->param->size; k++) {
        row->entries[k] = new_entry(row, 6);
        gtk_widget_set_hexpand(row->entries[k], TRUE);
        gtk_box_append(GTK_BOX(line), row->entries[k]);
    }
    gtk_box_append(GTK_BOX(line), unit_label(row->param));
    gtk_box_append(GTK_BOX(row->box), line);
}

static void make_path(ParamRow *row)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    row->entry = new_entry(row, 12);
    gtk_widget_set_hexpand(row->entry, TRUE);
    gtk_entry_set_alignment(GTK_ENTRY(row->entry), 0.0f);
    gtk_editable_set_max_width_chars(GTK_EDITABLE(row->entry), -1);
    GtkWidget *browse = gtk_button_new_from_icon_name("document-open-symbolic");
    gtk_widget_set_tooltip_text(browse, "Choose a file");
    name_widget(row, browse, ": choose a file");
    gtk_widget_set_focus_on_click(browse, FALSE);
    g_signal_connect(browse, "clicked", G_CALLBACK(on_browse), row);
    gtk_box_append(GTK_BOX(line), row->entry);
    gtk_box_append(GTK_BOX(line), browse);
    gtk_box_append(GTK_BOX(row->box), line);
}

static void make_colour(ParamRow *row, GtkBox *line)
{
    row->colour = gtk_color_button_new();
    g_signal_connect(row->colour, "color-set", G_CALLBACK(on_colour), row);
    name_widget(row, row->colour, "");
    gtk_box_append(line, row->colour);
}

static void make_kind(ParamRow *row, GtkBox *line)
{
    switch (row->param->type) {
    case SILT_TYPE_REAL:
    case SILT_TYPE_INT:
        make_number(row, line);
        break;
    case SILT_TYPE_BOOL:
        make_toggle(row, line);
        break;
    case SILT_TYPE_CHOICE:
    case SILT_TYPE_LAYER:
        make_choice(row, line);
        break;
    case SILT_TYPE_VECTOR:
        make_vector(row);
        break;
    case SILT_TYPE_COLOUR:
        make_colour(row, line);
        break;
    case SILT_TYPE_PATH:
        make_path(row);
        break;
    case SILT_TYPE_LIST:
        row->list = list_editor_create(row->param, on_list, row);
        gtk_box_append(GTK_BOX(row->box), list_editor_widget(row->list));
        break;
    }
}

static void row_free(gpointer user)
{
    ParamRow *row = user;
    if (row->rest_timer)
        g_source_remove(row->rest_timer);
    g_free(row->text);
    g_free(row);
}

// Widgets still tell things while they go; nobody listens then.
static void on_unmake(GtkWidget *box, ParamRow *row)
{
    (void)box;
    row->showing = true;
    if (row->rest_timer) {
        g_source_remove(row->rest_timer);
        row->rest_timer = 0;
    }
}

ParamRow *param_row_create(const SiltParamTable *table, int index, const ParamOwner *owner, int tag)
{
    ParamRow *row = g_new0(ParamRow, 1);
    row->table = table;
    row->index = index;
    row->param = &table->items[index];
    row->owner = owner;
    row->tag = tag;
    row->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(row->box, "param");
    g_signal_connect(row->box, "destroy", G_CALLBACK(on_unmake), row);
    g_object_set_data_full(G_OBJECT(row->box), "row", row, row_free);
    gtk_widget_set_name(row->box, row->param->name);
    char *tip = param_tip(table, index), *title = param_title(row->param->name);
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    row->label = gtk_label_new(title);
    gtk_label_set_xalign(GTK_LABEL(row->label), 0.0f);
    gtk_label_set_ellipsize(GTK_LABEL(row->label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(row->label, "name");
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "pressed", G_CALLBACK(on_label), row);
    gtk_widget_add_controller(row->label, GTK_EVENT_CONTROLLER(click));
    gtk_box_append(GTK_BOX(line), row->label);
    row->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
    gtk_widget_add_css_class(row->reset, "reset");
    gtk_widget_set_valign(row->reset, GTK_ALIGN_CENTER);
    gtk_widget_set_focus_on_click(row->reset, FALSE);
    gtk_widget_set_tooltip_text(row->reset, "Back to the default");
    name_widget(row, row->reset, ": back to the default");
    g_signal_connect(row->reset, "clicked", G_CALLBACK(on_reset), row);
    gtk_box_append(GTK_BOX(line), row->reset);
    GtkWidget *space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_set_hexpand(space, TRUE);
    gtk_box_append(GTK_BOX(line), space);
    gtk_box_append(GTK_BOX(row->box), line);
    make_kind(row, GTK_BOX(line));
    // not of the row: lists and menus that open in it would have it too, and GTK 4.8 complains when they go
    GtkWidget *const tipped[] = {row->label, row->scale, row->toggle, row->unit};
    for (size_t k = 0; k < G_N_ELEMENTS(tipped); k++)
        if (tipped[k])
            gtk_widget_set_tooltip_text(tipped[k], tip);
    if (row->choice)
        view_set_button_tip(row->choice, tip);
    g_free(tip);
    g_free(title);
    return row;
}

GtkWidget *param_row_widget(const ParamRow *row)
{
    return row->box;
}

const SiltParam *param_row_param(const ParamRow *row)
{
    return row->param;
}

int param_row_tag(const ParamRow *row)
{
    return row->tag;
}

bool param_row_is_changed(const ParamRow *row)
{
    return row->changed;
}

void param_row_focus(ParamRow *row)
{
    GtkWidget *first = row->entry        ? row->entry
                       : row->entries[0] ? row->entries[0]
                       : row->toggle     ? row->toggle
                                         : row->choice;
    if (first)
        gtk_widget_grab_focus(first);
    else if (row->list)
        list_editor_focus(row->list);
}

void param_row_set_unit(ParamRow *row, const char *unit)
{
    if (row->unit)
        gtk_label_set_text(GTK_LABEL(row->unit), unit);
}

void param_row_set_sensitive(ParamRow *row, bool sensitive)
{
    gtk_widget_set_sensitive(row->box, sensitive);
}
