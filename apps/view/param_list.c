// Rows of numbers (sources, strata): a card a row with its columns by name, one more, one less.
#include <string.h>

#include "numbers.h"
#include "param_row.h"
#include "silt/text.h"

enum { MAX_COLUMNS = 16 };

struct ListEditor {
    const SiltParam *param;
    void (*changed)(void *user, const char *text);
    void *user;
    GtkWidget *box, *cards;
    char names[MAX_COLUMNS][SILT_NAME_SIZE], units[MAX_COLUMNS][SILT_NAME_SIZE];
    int columns;
    GPtrArray *entries; // GtkWidget, row after row
    char *text;         // as it was shown last
    bool showing;
};

static void read_columns(ListEditor *editor)
{
    char **words = g_strsplit(editor->param->choices, " ", 0);
    for (int k = 0; words[k] && editor->columns < MAX_COLUMNS; k++) {
        if (!words[k][0])
            continue;
        char *colon = strchr(words[k], ':');
        int length = colon ? (int)(colon - words[k]) : (int)strlen(words[k]);
        g_snprintf(editor->names[editor->columns], SILT_NAME_SIZE, "%.*s", length, words[k]);
        g_snprintf(editor->units[editor->columns], SILT_NAME_SIZE, "%s",
                   colon && strcmp(colon + 1, "1") != 0 ? colon + 1 : "");
        editor->columns++;
    }
    g_strfreev(words);
}

// "1,2,3;4,5,6", without row `without` and with a copy of the last behind it when `more`.
static char *entries_text(const ListEditor *editor, int without, bool more)
{
    GString *text = g_string_new(NULL);
    int rows = (int)editor->entries->len / editor->columns;
    for (int r = 0; r < rows + (more ? 1 : 0); r++) {
        if (r == without)
            continue;
        if (text->len)
            g_string_append_c(text, ';');
        for (int c = 0; c < editor->columns; c++) {
            int from = (r < rows ? r : rows - 1) * editor->columns + c;
            const char *cell =
                rows > 0 ? gtk_editable_get_text(GTK_EDITABLE(editor->entries->pdata[from])) : "1";
            g_string_append_printf(text, "%s%s", c ? "," : "", cell[0] ? cell : "0");
        }
    }
    return g_string_free(text, FALSE);
}

static void tell(ListEditor *editor, int without, bool more)
{
    if (editor->showing)
        return;
    char *text = entries_text(editor, without, more);
    if (strcmp(text, editor->text ? editor->text : "") != 0)
        editor->changed(editor->user, text);
    g_free(text);
}

static void on_cell(GtkEntry *entry, ListEditor *editor)
{
    (void)entry;
    tell(editor, -1, false);
}

static void on_leave(GtkEventControllerFocus *controller, ListEditor *editor)
{
    (void)controller;
    tell(editor, -1, false);
}

static void on_remove(GtkButton *button, ListEditor *editor)
{
    tell(editor, GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "row")), false);
}

static void on_more(GtkButton *button, ListEditor *editor)
{
    (void)button;
    tell(editor, -1, true);
}

static GtkWidget *make_cell(ListEditor *editor, int row, int column, const char *title)
{
    GtkWidget *entry = gtk_entry_new();
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), 6);
    gtk_entry_set_alignment(GTK_ENTRY(entry), 1.0f);
    gtk_widget_set_hexpand(entry, TRUE);
    gtk_widget_add_css_class(entry, "exact");
    g_signal_connect(entry, "activate", G_CALLBACK(on_cell), editor);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect(focus, "leave", G_CALLBACK(on_leave), editor);
    gtk_widget_add_controller(entry, focus);
    char *name = g_strdup_printf("%s %d, %s", editor->param->name, row + 1, title);
    gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_free(name);
    gtk_widget_set_tooltip_text(entry, editor->units[column]);
    g_ptr_array_add(editor->entries, entry);
    return entry;
}

static GtkWidget *make_card(ListEditor *editor, int row)
{
    GtkWidget *card = gtk_grid_new();
    gtk_widget_add_css_class(card, "card");
    gtk_grid_set_column_spacing(GTK_GRID(card), 8);
    gtk_grid_set_row_spacing(GTK_GRID(card), 4);
    for (int c = 0; c < editor->columns; c++) {
        char *title = param_title(editor->names[c]);
        char *unit = unit_text(editor->units[c]);
        char *shown = unit[0] ? g_strdup_printf("%s, %s", title, unit) : g_strdup(title);
        GtkWidget *label = gtk_label_new(shown);
        gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
        gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
        gtk_widget_add_css_class(label, "unit");
        gtk_grid_attach(GTK_GRID(card), label, c % 2, c / 2 * 2, 1, 1);
        gtk_grid_attach(GTK_GRID(card), make_cell(editor, row, c, title), c % 2, c / 2 * 2 + 1, 1, 1);
        g_free(shown);
        g_free(unit);
        g_free(title);
    }
    GtkWidget *remove = gtk_button_new_from_icon_name("user-trash-symbolic");
    gtk_widget_add_css_class(remove, "flat");
    gtk_widget_set_valign(remove, GTK_ALIGN_START);
    gtk_widget_set_tooltip_text(remove, "Remove this row");
    gtk_accessible_update_property(GTK_ACCESSIBLE(remove), GTK_ACCESSIBLE_PROPERTY_LABEL, "Remove this row",
                                   -1);
    g_object_set_data(G_OBJECT(remove), "row", GINT_TO_POINTER(row));
    g_signal_connect(remove, "clicked", G_CALLBACK(on_remove), editor);
    gtk_grid_attach(GTK_GRID(card), remove, 2, 0, 1, 2);
    return card;
}

static void set_rows(ListEditor *editor, int rows)
{
    GtkWidget *child;
    g_ptr_array_set_size(editor->entries, 0);
    while ((child = gtk_widget_get_first_child(editor->cards)))
        gtk_box_remove(GTK_BOX(editor->cards), child);
    for (int r = 0; r < rows; r++)
        gtk_box_append(GTK_BOX(editor->cards), make_card(editor, r));
}

void list_editor_show(ListEditor *editor, const double *values, int rows, int columns)
{
    char text[SILT_NUMBER_SIZE];
    bool was = editor->showing;
    editor->showing = true;
    if ((int)editor->entries->len != rows * editor->columns)
        set_rows(editor, rows);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < editor->columns && c < columns; c++)
            gtk_editable_set_text(GTK_EDITABLE(editor->entries->pdata[r * editor->columns + c]),
                                  silt_format_number(values[r * columns + c], text));
    g_free(editor->text);
    editor->text = entries_text(editor, -1, false);
    editor->showing = was;
}

static void editor_free(gpointer user)
{
    ListEditor *editor = user;
    g_ptr_array_free(editor->entries, TRUE);
    g_free(editor->text);
    g_free(editor);
}

static void on_unmake(GtkWidget *box, ListEditor *editor)
{
    (void)box;
    editor->showing = true;
}

ListEditor *list_editor_create(const SiltParam *param, void (*changed)(void *user, const char *text),
                               void *user)
{
    ListEditor *editor = g_new0(ListEditor, 1);
    editor->param = param;
    editor->changed = changed;
    editor->user = user;
    editor->entries = g_ptr_array_new();
    read_columns(editor);
    editor->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    g_signal_connect(editor->box, "destroy", G_CALLBACK(on_unmake), editor);
    g_object_set_data_full(G_OBJECT(editor->box), "editor", editor, editor_free);
    editor->cards = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    GtkWidget *more = gtk_button_new_with_label("+ one more");
    gtk_widget_add_css_class(more, "flat");
    gtk_widget_set_halign(more, GTK_ALIGN_START);
    gtk_widget_set_focus_on_click(more, FALSE);
    g_signal_connect(more, "clicked", G_CALLBACK(on_more), editor);
    gtk_box_append(GTK_BOX(editor->box), editor->cards);
    gtk_box_append(GTK_BOX(editor->box), more);
    return editor;
}

GtkWidget *list_editor_widget(const ListEditor *editor)
{
    return editor->box;
}

void list_editor_focus(const ListEditor *editor)
{
    if (editor->entries->len > 0)
        gtk_widget_grab_focus(editor->entries->pdata[0]);
    else
        gtk_widget_child_focus(editor->box, GTK_DIR_TAB_FORWARD);
}
