// The list of keys lies over the land in three columns: every action that has a key, and what the pointer
// does.
#include "keys.h"

#include <string.h>

#include "actions.h"
#include "land.h"

enum { COLUMNS = 3 };

static const char *const hands[][2] = {{"Drag", "turn round the land"},
                                       {"Shift + drag, right or middle button", "move along"},
                                       {"Ctrl + drag", "look round"},
                                       {"Wheel, pinch", "nearer and farther"},
                                       {"Ctrl + wheel, Shift + wheel", "size and strength of a brush"},
                                       {"W A S D, E Q", "fly; up and down"},
                                       {"Double-click on a name", "its default"}};

static GtkWidget *line_of(const char *key, const char *text)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *what = gtk_label_new(text);
    GtkWidget *cap = gtk_label_new(key);
    gtk_label_set_xalign(GTK_LABEL(what), 0.0f);
    gtk_label_set_ellipsize(GTK_LABEL(what), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand(what, TRUE);
    gtk_widget_add_css_class(what, "quiet");
    gtk_widget_add_css_class(cap, "keycap");
    gtk_box_append(GTK_BOX(line), what);
    gtk_box_append(GTK_BOX(line), cap);
    return line;
}

static GtkWidget *heading(const char *text, bool first)
{
    GtkWidget *label = gtk_label_new(text);
    if (first)
        gtk_widget_add_css_class(label, "first");
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_widget_add_css_class(label, "heading");
    return label;
}

// "Ctrl+Y, Shift+Ctrl+Z" of all its keys; the caller frees it.
static char *all_keys(const Action *action)
{
    GString *text = g_string_new(NULL);
    char **keys = g_strsplit(action->keys, " ", 0);
    for (int k = 0; keys[k]; k++) {
        guint key;
        GdkModifierType modifiers;
        if (!gtk_accelerator_parse(keys[k], &key, &modifiers))
            continue;
        char *label = gtk_accelerator_get_label(key, modifiers);
        g_string_append_printf(text, "%s%s", text->len ? ", " : "", label);
        g_free(label);
    }
    g_strfreev(keys);
    return g_string_free(text, FALSE);
}

static int count_lines(void)
{
    int count = 0;
    const char *group = NULL;
    for (int k = 0; k < action_count(); k++) {
        count += action_at(k)->keys[0] != '\0';
        count += g_strcmp0(group, action_at(k)->group) != 0 ? 2 : 0;
        group = action_at(k)->group;
    }
    return count + (int)G_N_ELEMENTS(hands) + 2;
}

static void fill(GtkWidget **columns)
{
    int at = 0, most = count_lines() / COLUMNS + 2, last = 0;
    const char *group = NULL;
    for (int k = 0; k < action_count(); k++) {
        const Action *action = action_at(k);
        if (!action->keys[0])
            continue;
        int column = MIN(at / most, COLUMNS - 1);
        if (g_strcmp0(group, action->group) != 0 ||
            column != last) { // a column never begins without its heading
            gtk_box_append(GTK_BOX(columns[column]), heading(action->group, k == 0 || column != last));
            at += 2;
        }
        group = action->group;
        last = column;
        char *keys = all_keys(action);
        gtk_box_append(GTK_BOX(columns[column]), line_of(keys, action->title));
        g_free(keys);
        at++;
    }
    gtk_box_append(GTK_BOX(columns[COLUMNS - 1]), heading("Pointer", false));
    for (size_t k = 0; k < G_N_ELEMENTS(hands); k++)
        gtk_box_append(GTK_BOX(columns[COLUMNS - 1]), line_of(hands[k][0], hands[k][1]));
}

GtkWidget *keys_card(const View *view)
{
    return g_object_get_data(G_OBJECT(view->overlay), "keys");
}

void keys_open(View *view)
{
    GtkWidget *card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
              *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 32);
    GtkWidget *columns[COLUMNS], *scroller = gtk_scrolled_window_new();
    gtk_widget_add_css_class(line, "keys");
    gtk_box_set_homogeneous(GTK_BOX(line), TRUE);
    for (int k = 0; k < COLUMNS; k++) {
        columns[k] = gtk_box_new(GTK_ORIENTATION_VERTICAL, 1);
        gtk_box_append(GTK_BOX(line), columns[k]);
    }
    fill(columns);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), line);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_scrolled_window_set_propagate_natural_width(GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_widget_set_vexpand(scroller, TRUE);
    gtk_widget_add_css_class(card, "finder");
    gtk_box_append(GTK_BOX(card), scroller);
    gtk_widget_set_halign(card, GTK_ALIGN_FILL);
    gtk_widget_set_valign(card, GTK_ALIGN_FILL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(scroller), GTK_ACCESSIBLE_PROPERTY_LABEL, "All keys", -1);
    gtk_overlay_add_overlay(GTK_OVERLAY(view->overlay), card);
    g_object_set_data(G_OBJECT(view->overlay), "keys", card);
    if (!view->folded) { // the list takes the room of the panels
        view_fold(view, true);
        g_object_set_data(G_OBJECT(card), "folded", card);
    }
    gtk_widget_grab_focus(scroller);
}

void keys_close(View *view)
{
    GtkWidget *card = keys_card(view);
    bool folded = g_object_get_data(G_OBJECT(card), "folded") != NULL;
    g_object_set_data(G_OBJECT(view->overlay), "keys", NULL);
    gtk_overlay_remove_overlay(GTK_OVERLAY(view->overlay), card);
    if (folded)
        view_fold(view, false);
    gtk_widget_grab_focus(land_widget(view->land));
}

bool keys_are_open(const View *view)
{
    return keys_card(view) != NULL;
}
