// What an entry has besides its parameters: the subject it works on, the recipe's own names, what was done by
// hand.
#include <string.h>

#include "menus.h"
#include "panel_inside.h"
#include "silt/generate.h"

const char *panel_layer_at(void *user, int index)
{
    const Panel *panel = user;
    const SiltTerrain *terrain = panel->view->terrain;
    return terrain && index < terrain->layer_count ? terrain->layers[index]->name : NULL;
}

// ---- the subject ----

static void take_subject(Panel *panel, const char *text)
{
    View *view = panel->view;
    SiltEntry entry;
    if (panel->showing || silt_stack_entry(view->stack, panel->place, panel->index, &entry) != SILT_OK ||
        g_strcmp0(entry.written, text) == 0 || g_strcmp0(entry.subject, text) == 0)
        return;
    if (view_ok(view, silt_stack_set_subject(view->stack, panel->place, panel->index, text)))
        view_changed(view);
}

static void on_subject_choice(GtkDropDown *choice, GParamSpec *spec, Panel *panel)
{
    (void)spec;
    GtkStringObject *item = gtk_drop_down_get_selected_item(choice);
    if (item)
        take_subject(panel, gtk_string_object_get_string(item));
}

static void on_subject_entry(GtkEntry *entry, Panel *panel)
{
    take_subject(panel, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

static GtkStringList *subject_names(const Panel *panel, const SiltEntry *entry)
{
    GtkStringList *names = gtk_string_list_new(NULL);
    if (entry->stage->subject == SILT_SUBJECT_MODEL)
        for (int k = 0; k < silt_model_count(); k++)
            gtk_string_list_append(names, silt_model_name(silt_model_at(k)));
    else if (entry->stage->subject == SILT_SUBJECT_GENERATOR) {
        bool known = false;
        for (int k = 0; k < silt_generator_count(); k++) {
            gtk_string_list_append(names, silt_generator_at(k)->name);
            known |= g_strcmp0(silt_generator_at(k)->name, entry->subject) == 0;
        }
        if (!known) // a volume of rock
            gtk_string_list_append(names, entry->subject);
    } else
        for (int k = 0; panel_layer_at((void *)panel, k); k++)
            gtk_string_list_append(names, panel_layer_at((void *)panel, k));
    return names;
}

static GtkWidget *make_subject_choice(Panel *panel, const SiltEntry *entry)
{
    GtkStringList *names = subject_names(panel, entry);
    guint count = g_list_model_get_n_items(G_LIST_MODEL(names)), at = GTK_INVALID_LIST_POSITION;
    for (guint k = 0; k < count; k++)
        if (g_strcmp0(gtk_string_list_get_string(names, k), entry->subject) == 0)
            at = k;
    if (at == GTK_INVALID_LIST_POSITION) {
        gtk_string_list_append(names, entry->subject);
        at = count;
    }
    GtkWidget *choice = gtk_drop_down_new(G_LIST_MODEL(names), NULL);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(choice), at);
    g_signal_connect(choice, "notify::selected", G_CALLBACK(on_subject_choice), panel);
    return choice;
}

void panel_make_subject(Panel *panel, const SiltEntry *entry, bool by_keys)
{
    static const char *const labels[] = {"layer", "model", "generator", "cells", "file", "file"};
    GtkWidget *child;
    menus_leave(panel->view, panel->subject_line);
    while ((child = gtk_widget_get_first_child(panel->subject_line)))
        gtk_box_remove(GTK_BOX(panel->subject_line), child);
    const char *title = entry->stage->subject < G_N_ELEMENTS(labels) ? labels[entry->stage->subject] : "name";
    GtkWidget *label = gtk_label_new(title), *field;
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_widget_add_css_class(label, "name");
    if (entry->stage->subject <= SILT_SUBJECT_GENERATOR)
        field = make_subject_choice(panel, entry);
    else {
        field = gtk_entry_new();
        gtk_editable_set_text(GTK_EDITABLE(field), entry->written ? entry->written : "");
        gtk_widget_set_hexpand(field, TRUE);
        g_signal_connect(field, "activate", G_CALLBACK(on_subject_entry), panel);
    }
    gtk_widget_set_focus_on_click(field, entry->stage->subject > SILT_SUBJECT_GENERATOR);
    gtk_accessible_update_property(GTK_ACCESSIBLE(field), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    gtk_box_append(GTK_BOX(panel->subject_line), label);
    gtk_box_append(GTK_BOX(panel->subject_line), field);
    if (by_keys)
        gtk_widget_grab_focus(field);
}

// ---- the recipe's own names ----

static void take_define(Panel *panel, GtkEntry *entry)
{
    const char *name = g_object_get_data(G_OBJECT(entry), "name");
    const char *text = gtk_editable_get_text(GTK_EDITABLE(entry));
    for (int k = 0; k < silt_stack_define_count(panel->view->stack); k++) {
        SiltDefine define = silt_stack_define_at(panel->view->stack, k);
        if (strcmp(define.name, name) == 0 && strcmp(define.value, text) == 0)
            return;
    }
    if (!panel->showing && view_ok(panel->view, silt_stack_define(panel->view->stack, name, text)))
        view_changed(panel->view);
}

static void on_define(GtkEntry *entry, Panel *panel)
{
    take_define(panel, entry);
}

static void on_define_left(GtkEventControllerFocus *focus, Panel *panel)
{
    take_define(panel, GTK_ENTRY(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(focus))));
}

static void add_heading(Panel *panel, const char *text)
{
    GtkWidget *heading = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(heading), 0.0f);
    gtk_widget_add_css_class(heading, "heading");
    gtk_box_append(GTK_BOX(panel->content), heading);
}

void panel_make_defines(Panel *panel)
{
    int count = silt_stack_define_count(panel->view->stack);
    if (count > 0)
        add_heading(panel, "Names of this recipe");
    for (int k = 0; k < count; k++) {
        SiltDefine define = silt_stack_define_at(panel->view->stack, k);
        GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label, *entry = gtk_entry_new();
        char *title = param_title(define.name);
        label = gtk_label_new(title);
        gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
        gtk_widget_set_hexpand(label, TRUE);
        gtk_widget_add_css_class(label, "name");
        gtk_widget_add_css_class(line, "param");
        gtk_widget_add_css_class(entry, "exact");
        gtk_editable_set_width_chars(GTK_EDITABLE(entry), 12);
        g_object_set_data_full(G_OBJECT(entry), "name", g_strdup(define.name), g_free);
        g_signal_connect(entry, "activate", G_CALLBACK(on_define), panel);
        GtkEventController *focus = gtk_event_controller_focus_new();
        g_signal_connect(focus, "leave", G_CALLBACK(on_define_left), panel);
        gtk_widget_add_controller(entry, focus);
        gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
        gtk_box_append(GTK_BOX(line), label);
        gtk_box_append(GTK_BOX(line), entry);
        gtk_box_append(GTK_BOX(panel->content), line);
        g_ptr_array_add(panel->defines, entry);
        g_free(title);
    }
}

void panel_show_defines(Panel *panel)
{
    for (guint e = 0; e < panel->defines->len; e++)
        for (int k = 0; k < silt_stack_define_count(panel->view->stack); k++) {
            SiltDefine define = silt_stack_define_at(panel->view->stack, k);
            if (strcmp(define.name, g_object_get_data(G_OBJECT(panel->defines->pdata[e]), "name")) == 0)
                gtk_editable_set_text(GTK_EDITABLE(panel->defines->pdata[e]), define.value);
        }
}

// ---- what was done by hand ----

static void on_forget(GtkButton *button, Panel *panel)
{
    (void)button;
    View *view = panel->view;
    if (view_ok(view,
                silt_stack_set(view->stack, panel->place, panel->index, SILT_KEYS_ENTRY, "hands", NULL)))
        view_hands_changed(view);
}

static int rows_of(const char *text)
{
    int count = text && text[0] ? 1 : 0;
    for (; text && *text; text++)
        count += *text == ';' && text[1];
    return count;
}

void panel_show_by_hand(Panel *panel)
{
    const char *key = panel->stage && strcmp(panel->stage->name, "brush") == 0 ? "strokes" : "hands";
    const char *text =
        silt_stack_written(panel->view->stack, panel->place, panel->index, SILT_KEYS_ENTRY, key);
    int count = rows_of(text);
    gtk_widget_set_visible(panel->by_hand, count > 0);
    char *said = g_strdup_printf("%d thing%s done by hand", count, count == 1 ? "" : "s");
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_first_child(panel->by_hand)), said);
    gtk_widget_set_visible(gtk_widget_get_last_child(panel->by_hand), strcmp(key, "hands") == 0);
    g_free(said);
}

GtkWidget *panel_make_by_hand(Panel *panel)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new("");
    gtk_widget_add_css_class(line, "param");
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_widget_set_hexpand(label, TRUE);
    GtkWidget *forget = gtk_button_new_with_label("Forget");
    gtk_widget_set_name(forget, "forget-hands");
    gtk_widget_set_focus_on_click(forget, FALSE);
    g_signal_connect(forget, "clicked", G_CALLBACK(on_forget), panel);
    gtk_box_append(GTK_BOX(line), label);
    gtk_box_append(GTK_BOX(line), forget);
    return line;
}
