// The panel on the right: what the entry is, what it works on, and a row for each parameter. The first few
// and those that were changed are in sight, the others behind 'more'.
#include "panel.h"

#include <string.h>

#include "actions.h"
#include "silt/generate.h"
#include "stack_list.h"

enum { SET_IN_SIGHT = 8, OTHERS_IN_SIGHT = 5 };

struct Panel {
    View *view;
    ParamOwner owner;
    GtkWidget *box, *title, *summary, *source, *scroller, *content, *subject_line, *more, *hidden, *by_hand;
    GPtrArray *rows;    // ParamRow, which belong to their widgets
    GPtrArray *defines; // GtkEntry, of the recipe's own names
    GHashTable *live;   // name to text: set in the run that plays
    // whose rows they are
    SiltPlace place;
    int index;
    const SiltStage *stage;
    char *subject;
    const SiltParamTable *tables[3];
    bool stroke;  // a slider moves: one step to undo
    bool showing; // what widgets tell now comes from us
    bool open;    // all parameters are in sight
};

// ---- changing a value ----

static bool is_live(const Panel *panel, const ParamRow *row)
{
    PlayerState state;
    player_state(panel->view->player, &state);
    return state.live && panel->place == SILT_IN_STAGES && state.live_stage == panel->index &&
           param_row_tag(row) == SILT_KEYS_SET && (param_row_param(row)->flags & SILT_LIVE);
}

static bool set_live(Panel *panel, const ParamRow *row, const char *text)
{
    const SiltParam *param = param_row_param(row);
    const SiltParamTable *table = panel->tables[SILT_KEYS_SET];
    char *usual = text ? NULL : silt_params_default(table, silt_params_find(table, param->name));
    void *trial = silt_params_new(table); // the run would refuse it later, where nobody looks
    bool fine =
        trial && view_ok(panel->view, silt_params_set(table, trial, "", param->name, text ? text : usual));
    if (fine) {
        player_set(panel->view->player, param->name, text ? text : usual);
        g_hash_table_insert(panel->live, g_strdup(param->name), g_strdup(text ? text : usual));
    }
    silt_params_delete(table, trial);
    silt_free(usual);
    return fine;
}

static bool on_set(void *user, const ParamRow *row, const char *text, bool dragging)
{
    Panel *panel = user;
    View *view = panel->view;
    if (is_live(panel, row)) {
        bool fine = set_live(panel, row, text);
        if (fine && !dragging)
            panel_refresh(panel);
        return fine;
    }
    if (dragging && !panel->stroke) {
        silt_stack_begin_stroke(view->stack);
        panel->stroke = true;
    }
    if (!view_ok(view, silt_stack_set(view->stack, panel->place, panel->index, (SiltKeys)param_row_tag(row),
                                      param_row_param(row)->name, text)))
        return false;
    if (dragging)
        view_sketch(view);
    else
        view_changed(view);
    return true;
}

static void on_rest(void *user)
{
    Panel *panel = user;
    if (!panel->stroke) {
        panel_refresh(panel);
        return;
    }
    panel->stroke = false;
    silt_stack_end_stroke(panel->view->stack);
    view_changed(panel->view);
}

static const char *layer_at(void *user, int index)
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
        for (int k = 0; layer_at((void *)panel, k); k++)
            gtk_string_list_append(names, layer_at((void *)panel, k));
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

static void make_subject(Panel *panel, const SiltEntry *entry)
{
    static const char *const labels[] = {"layer", "model", "generator", "cells", "file", "file"};
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(panel->subject_line)))
        gtk_box_remove(GTK_BOX(panel->subject_line), child);
    const char *title = labels[entry->stage->subject];
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

static void make_defines(Panel *panel)
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

static void show_defines(Panel *panel)
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
        view_changed(view);
}

static int rows_of(const char *text)
{
    int count = text && text[0] ? 1 : 0;
    for (; text && *text; text++)
        count += *text == ';' && text[1];
    return count;
}

static void show_by_hand(Panel *panel)
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

static GtkWidget *make_by_hand(Panel *panel)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new("");
    gtk_widget_add_css_class(line, "param");
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_widget_set_hexpand(label, TRUE);
    GtkWidget *forget = gtk_button_new_with_label("Forget");
    gtk_widget_set_focus_on_click(forget, FALSE);
    g_signal_connect(forget, "clicked", G_CALLBACK(on_forget), panel);
    gtk_box_append(GTK_BOX(line), label);
    gtk_box_append(GTK_BOX(line), forget);
    return line;
}

// ---- the rows ----

// Lines of text that hands write: nobody edits them here.
static bool is_written_by_hand(const char *name)
{
    return strcmp(name, "hands") == 0 || strcmp(name, "strokes") == 0 || strcmp(name, "off") == 0;
}

static bool differs(const SiltEntry *entry, int keys, int index)
{
    char *value =
        entry->params[keys] ? silt_params_value(entry->tables[keys], entry->params[keys], index) : NULL;
    char *usual = silt_params_default(entry->tables[keys], index);
    bool is_other = value && g_strcmp0(value, usual) != 0;
    silt_free(value);
    silt_free(usual);
    return is_other;
}

static void make_table(Panel *panel, const SiltEntry *entry, int keys, int in_sight)
{
    const SiltParamTable *table = entry->tables[keys];
    int shown = 0;
    for (int k = 0; table && k < table->count; k++) {
        if (is_written_by_hand(table->items[k].name))
            continue;
        ParamRow *row = param_row_create(table, k, &panel->owner, keys);
        if (entry->model && strcmp(table->items[k].name, "time") == 0)
            param_row_set_unit(row, silt_model_clock(entry->model));
        bool seen = shown < in_sight || differs(entry, keys, k);
        gtk_box_append(GTK_BOX(seen ? panel->content : panel->hidden), param_row_widget(row));
        g_ptr_array_add(panel->rows, row);
        shown++;
    }
}

static void show_more(Panel *panel)
{
    int count = 0;
    for (GtkWidget *child = gtk_widget_get_first_child(panel->hidden); child;
         child = gtk_widget_get_next_sibling(child))
        count++;
    char *text = panel->open ? g_strdup("fewer") : g_strdup_printf("more (%d)", count);
    gtk_button_set_label(GTK_BUTTON(panel->more), text);
    gtk_widget_set_visible(panel->more, count > 0);
    gtk_widget_set_visible(panel->hidden, panel->open && count > 0);
    g_free(text);
}

static void on_more(GtkButton *button, Panel *panel)
{
    (void)button;
    panel->open = !panel->open;
    show_more(panel);
}

static void clear(Panel *panel)
{
    GtkWidget *child;
    panel->showing = true;
    g_ptr_array_set_size(panel->rows, 0);
    g_ptr_array_set_size(panel->defines, 0);
    while ((child = gtk_widget_get_first_child(panel->content)))
        gtk_box_remove(GTK_BOX(panel->content), child);
    while ((child = gtk_widget_get_first_child(panel->hidden)))
        gtk_box_remove(GTK_BOX(panel->hidden), child);
    panel->showing = false;
}

static void show_head(Panel *panel, const SiltEntry *entry)
{
    char *title = entry_title(entry);
    const char *summary = entry->stage->summary, *source = "";
    if (entry->model) {
        summary = silt_model_summary(entry->model);
        source = silt_model_source(entry->model);
    } else if (entry->stage->subject == SILT_SUBJECT_GENERATOR) {
        const SiltGenerator *generator = silt_generator_find(entry->subject);
        summary = generator ? generator->summary : summary;
        source = generator && generator->source ? generator->source : "";
    }
    gtk_label_set_text(GTK_LABEL(panel->title), title);
    gtk_label_set_text(GTK_LABEL(panel->summary), entry->fault ? entry->fault : summary);
    gtk_label_set_text(GTK_LABEL(panel->source), source);
    gtk_widget_set_visible(panel->source, source[0] != '\0');
    if (entry->fault)
        gtk_widget_add_css_class(panel->summary, "fault");
    else
        gtk_widget_remove_css_class(panel->summary, "fault");
    g_free(title);
}

static void rebuild(Panel *panel, const SiltEntry *entry)
{
    clear(panel);
    g_hash_table_remove_all(panel->live);
    panel->place = panel->view->place;
    panel->index = panel->view->index;
    panel->stage = entry->stage;
    memcpy(panel->tables, entry->tables, sizeof panel->tables);
    bool output = panel->place == SILT_IN_OUTPUTS;
    // how long comes first, then what the model is told
    make_table(panel, entry, SILT_KEYS_ENTRY, OTHERS_IN_SIGHT);
    make_table(panel, entry, SILT_KEYS_OPTIONS, output ? SET_IN_SIGHT : 2);
    make_table(panel, entry, SILT_KEYS_SET, SET_IN_SIGHT);
    if (panel->place == SILT_IN_TERRAIN)
        make_defines(panel);
    gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(panel->scroller)), 0.0);
}

void panel_refresh(Panel *panel)
{
    SiltEntry entry;
    View *view = panel->view;
    if (silt_stack_entry(view->stack, view->place, view->index, &entry) != SILT_OK) {
        clear(panel);
        return;
    }
    bool same =
        panel->place == view->place && panel->index == view->index && panel->stage == entry.stage &&
        memcmp(panel->tables, entry.tables, sizeof panel->tables) == 0 &&
        (panel->place != SILT_IN_TERRAIN || (int)panel->defines->len == silt_stack_define_count(view->stack));
    if (!same)
        rebuild(panel, &entry);
    panel->showing = true;
    if (!same || g_strcmp0(panel->subject, entry.written) != 0) {
        g_free(panel->subject);
        panel->subject = g_strdup(entry.written);
        make_subject(panel, &entry);
    }
    show_head(panel, &entry);
    show_defines(panel);
    show_by_hand(panel);
    for (guint k = 0; k < panel->rows->len; k++) {
        ParamRow *row = panel->rows->pdata[k];
        int keys = param_row_tag(row);
        const char *name = param_row_param(row)->name;
        const char *live = keys == SILT_KEYS_SET ? g_hash_table_lookup(panel->live, name) : NULL;
        if (live)
            param_row_show_text(row, live, true);
        else
            param_row_show(row, entry.params[keys],
                           silt_stack_written(view->stack, panel->place, panel->index, (SiltKeys)keys, name));
    }
    show_more(panel);
    panel->showing = false;
}

void panel_forget_live(Panel *panel)
{
    g_hash_table_remove_all(panel->live);
}

ParamRow *panel_row(Panel *panel, const char *name)
{
    for (guint k = 0; k < panel->rows->len; k++)
        if (strcmp(param_row_param(panel->rows->pdata[k])->name, name) == 0)
            return panel->rows->pdata[k];
    return NULL;
}

bool panel_reveal(Panel *panel, const char *name)
{
    ParamRow *row = panel_row(panel, name);
    if (!row)
        return false;
    if (gtk_widget_get_parent(param_row_widget(row)) == panel->hidden && !panel->open)
        on_more(NULL, panel);
    view_fold(panel->view, false);
    param_row_focus(row);
    return true;
}

static GtkWidget *head_label(const char *class)
{
    GtkWidget *label = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 30);
    gtk_widget_add_css_class(label, class);
    return label;
}

Panel *panel_create(View *view)
{
    Panel *panel = g_new0(Panel, 1);
    panel->view = view;
    panel->owner = (ParamOwner){panel, on_set, on_rest, layer_at};
    panel->rows = g_ptr_array_new();
    panel->defines = g_ptr_array_new();
    panel->live = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    panel->index = -1;
    panel->title = head_label("head");
    panel->summary = head_label("quiet");
    panel->source = head_label("source");
    panel->subject_line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_widget_add_css_class(panel->subject_line, "param");
    panel->by_hand = make_by_hand(panel);
    panel->content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    panel->hidden = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    panel->more = gtk_button_new_with_label("more");
    gtk_widget_add_css_class(panel->more, "flat");
    gtk_widget_set_halign(panel->more, GTK_ALIGN_START);
    gtk_widget_set_focus_on_click(panel->more, FALSE);
    g_signal_connect(panel->more, "clicked", G_CALLBACK(on_more), panel);

    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(column, "params");
    GtkWidget *parts[] = {panel->title,   panel->summary, panel->source, panel->subject_line,
                          panel->by_hand, panel->content, panel->more,   panel->hidden};
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
        gtk_box_append(GTK_BOX(column), parts[k]);
    panel->scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(panel->scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(panel->scroller), column);
    gtk_widget_set_vexpand(panel->scroller, TRUE);
    GtkWidget *find = gtk_button_new_with_label("⌕  Find a parameter");
    gtk_widget_add_css_class(find, "flat");
    gtk_widget_add_css_class(find, "add");
    gtk_widget_set_focus_on_click(find, FALSE);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(find), "win.find");
    panel->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(panel->box, "side");
    gtk_box_append(GTK_BOX(panel->box), panel->scroller);
    gtk_box_append(GTK_BOX(panel->box), find);
    return panel;
}

GtkWidget *panel_widget(Panel *panel)
{
    return panel->box;
}

void panel_destroy(Panel *panel)
{
    if (!panel)
        return;
    g_ptr_array_free(panel->rows, TRUE);
    g_ptr_array_free(panel->defines, TRUE);
    g_hash_table_destroy(panel->live);
    g_free(panel->subject);
    g_free(panel);
}
