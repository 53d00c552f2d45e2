// Showing a value in the widgets of its row, whatever its type.
#include <math.h>
#include <string.h>

#include "numbers.h"
#include "param_inside.h"
#include "silt/text.h"
#include "view.h"

void row_entry_fault(GtkWidget *entry, bool fault)
{
    if (fault)
        gtk_widget_add_css_class(entry, "error");
    else
        gtk_widget_remove_css_class(entry, "error");
}

bool row_list_holds(GtkStringList *list, const char *name)
{
    for (guint k = 0; k < g_list_model_get_n_items(G_LIST_MODEL(list)); k++)
        if (strcmp(gtk_string_list_get_string(list, k), name) == 0)
            return true;
    return false;
}

// ---- showing a value ----

static void show_number(ParamRow *row, double value, const char *text)
{
    row->value = value;
    if (!row->rest_timer) { // under a hand it stays as long as it is
        row->span = span_of(row->param, value);
        gtk_range_set_value(GTK_RANGE(row->scale), span_share(&row->span, value) * SLIDER_STEPS);
    }
    bool none = !isfinite(value);
    gtk_entry_set_placeholder_text(GTK_ENTRY(row->entry), none ? "auto" : NULL);
    gtk_editable_set_text(GTK_EDITABLE(row->entry), none ? "" : text);
}

static void show_choice(ParamRow *row, const char *text)
{
    GListModel *names = gtk_drop_down_get_model(GTK_DROP_DOWN(row->choice));
    if (row->param->type == SILT_TYPE_LAYER) {
        if (!text[0])
            text = "none";
        if (!row_list_holds(GTK_STRING_LIST(names), text))
            gtk_string_list_append(GTK_STRING_LIST(names), text);
    }
    for (guint k = 0; k < g_list_model_get_n_items(names); k++)
        if (strcmp(gtk_string_list_get_string(GTK_STRING_LIST(names), k), text) == 0)
            gtk_drop_down_set_selected(GTK_DROP_DOWN(row->choice), k);
}

static void show_vector(ParamRow *row, const SiltValue *value)
{
    char text[SILT_NUMBER_SIZE];
    for (int k = 0; k < row->param->size; k++) {
        bool none = !isfinite(value->number[k]);
        gtk_entry_set_placeholder_text(GTK_ENTRY(row->entries[k]), none ? "auto" : NULL);
        gtk_editable_set_text(GTK_EDITABLE(row->entries[k]),
                              none ? "" : silt_format_number(value->number[k], text));
        row_entry_fault(row->entries[k], false);
    }
}

static void show_value(ParamRow *row, const SiltValue *value)
{
    if (row->scale)
        show_number(row, value->number[0], row->text);
    else if (row->entry)
        gtk_editable_set_text(GTK_EDITABLE(row->entry), value->text ? value->text : "");
    if (row->entry)
        row_entry_fault(row->entry, false);
    if (row->entries[0])
        show_vector(row, value);
    if (row->toggle)
        gtk_switch_set_active(GTK_SWITCH(row->toggle), value->number[0] != 0.0);
    if (row->choice)
        show_choice(row, value->text ? value->text : "");
    if (row->colour) {
        GdkRGBA colour = {(float)value->number[0], (float)value->number[1], (float)value->number[2], 1.0f};
        gtk_color_chooser_set_rgba(GTK_COLOR_CHOOSER(row->colour), &colour);
    }
    if (row->list)
        list_editor_show(row->list, value->list, value->rows, value->columns);
}

static void show_changed(ParamRow *row, bool changed)
{
    row->changed = changed;
    gtk_widget_set_visible(row->reset, changed);
    if (changed)
        gtk_widget_add_css_class(row->box, "changed");
    else
        gtk_widget_remove_css_class(row->box, "changed");
}

// A name of the recipe's own ("$size") stands in the text: a value typed here takes its place.
static void show_name(GtkWidget *entry, const char *written)
{
    if (!written || !strchr(written, '$')) {
        gtk_widget_remove_css_class(entry, "named");
        view_set_tip(entry, NULL);
        return;
    }
    char *tip = g_strdup_printf("%s in the recipe; a value typed here takes its place", written);
    gtk_widget_add_css_class(entry, "named");
    view_set_tip(entry, tip);
    g_free(tip);
}

void param_row_show(ParamRow *row, const void *params, const char *written)
{
    SiltValue value = {.size = sizeof value};
    if (!params || silt_params_get(row->table, params, row->index, &value) != SILT_OK)
        return;
    char *text = silt_params_value(row->table, params, row->index);
    char *usual = param_usual(row->table, params, row->index);
    g_free(row->text);
    row->text = row->scale && text ? plain_text(text) : g_strdup(text ? text : "");
    row->showing = true;
    show_value(row, &value);
    show_changed(row, g_strcmp0(text, usual) != 0);
    if (row->entry)
        show_name(row->entry, written);
    row->showing = false;
    row->typed = false;
    silt_free(text);
    silt_free(usual);
}

void param_row_show_text(ParamRow *row, const char *text, bool changed)
{
    void *params = silt_params_new(row->table);
    if (params && silt_params_set(row->table, params, "", row->param->name, text) == SILT_OK)
        param_row_show(row, params, NULL);
    show_changed(row, changed);
    silt_params_delete(row->table, params);
}
