// The panel on the right: what the entry is, what it works on, and a row for each parameter. The first few
// and those that were changed are in sight, the others behind 'more'.
#include "panel_inside.h"

#include <math.h>
#include <string.h>

#include "actions.h"
#include "menus.h"
#include "silt/generate.h"
#include "silt/text.h"
#include "stack_list.h"

enum { SET_IN_SIGHT = 8, OTHERS_IN_SIGHT = 5 };

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
    SiltEntry entry;
    bool known = silt_stack_entry(panel->view->stack, panel->place, panel->index, &entry) == SILT_OK;
    const void *params = known ? entry.params[SILT_KEYS_SET] : NULL;
    char *usual = text ? NULL : param_usual(table, params, silt_params_find(table, param->name));
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

// The recipe takes a value. Steps and a time say the same: of the two the one that was set last stays.
static bool set_in_stack(Panel *panel, const ParamRow *row, const char *text, bool dragging)
{
    View *view = panel->view;
    SiltKeys keys = (SiltKeys)param_row_tag(row);
    const char *name = param_row_param(row)->name;
    const char *other = strcmp(name, "steps") == 0 ? "time" : strcmp(name, "time") == 0 ? "steps" : NULL;
    const SiltParamTable *table = panel->tables[keys];
    bool ends =
        other && text && table && silt_params_find(table, other) >= 0 && g_ascii_strtod(text, NULL) > 0.0;
    double number;
    if (strcmp(name, "seed") == 0 && text && silt_parse_whole_number(text, &number) &&
        number != floor(number)) {
        view_say(view, "seed = %s is not a whole number", text);
        return false;
    }
    if (ends && !dragging)
        silt_stack_begin_group(view->stack, "how long a stage takes");
    bool fine = (!ends ||
                 view_ok(view, silt_stack_set(view->stack, panel->place, panel->index, keys, other, NULL))) &&
                view_ok(view, silt_stack_set(view->stack, panel->place, panel->index, keys, name, text));
    if (ends && !dragging)
        silt_stack_end_stroke(view->stack);
    return fine;
}

static bool on_set(void *user, const ParamRow *row, const char *text, bool dragging)
{
    Panel *panel = user;
    View *view = panel->view;
    if (panel->showing) // the keyboard leaves a row that goes
        return true;
    if (is_live(panel, row)) {
        bool fine = set_live(panel, row, text);
        if (fine && !dragging)
            panel_refresh(panel);
        return fine;
    }
    const char *name = param_row_param(row)->name;
    if (dragging && !panel->stroke) {
        if (strcmp(name, "steps") == 0 || strcmp(name, "time") == 0)
            silt_stack_begin_group(view->stack, "how long a stage takes");
        else
            silt_stack_begin_stroke(view->stack);
        panel->stroke = true;
    }
    if (!set_in_stack(panel, row, text, dragging))
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
    char *usual = param_usual(entry->tables[keys], entry->params[keys], index);
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
    menus_leave(panel->view, panel->content);
    menus_leave(panel->view, panel->hidden);
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

// What hands have set in the run that plays, up to where it is: that is in force, not what the recipe says.
static void read_live(Panel *panel)
{
    PlayerState state;
    SiltHand *hands = NULL;
    int count = 0;
    g_hash_table_remove_all(panel->live);
    player_state(panel->view->player, &state);
    if (!state.live || panel->place != SILT_IN_STAGES || panel->index != state.live_stage ||
        state.hand_count == 0)
        return;
    char *text = player_hands(panel->view->player);
    if (text && text[0] && silt_hands_read(text, &hands, &count) == SILT_OK)
        for (int k = 0; k < count && hands[k].step <= state.step; k++)
            if (hands[k].name[0])
                g_hash_table_insert(panel->live, g_strdup(hands[k].name), g_strdup(hands[k].text));
    silt_hands_free(hands, count);
    silt_free(text);
}

static void rebuild(Panel *panel, const SiltEntry *entry)
{
    clear(panel);
    panel->place = panel->view->place;
    panel->index = panel->view->index;
    read_live(panel);
    panel->stage = entry->stage;
    memcpy(panel->tables, entry->tables, sizeof panel->tables);
    bool output = panel->place == SILT_IN_OUTPUTS;
    // how long comes first, then what the model is told
    make_table(panel, entry, SILT_KEYS_ENTRY, OTHERS_IN_SIGHT);
    make_table(panel, entry, SILT_KEYS_OPTIONS, output ? SET_IN_SIGHT : 2);
    make_table(panel, entry, SILT_KEYS_SET, SET_IN_SIGHT);
    if (panel->place == SILT_IN_TERRAIN)
        panel_make_defines(panel);
    gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(panel->scroller)), 0.0);
}

// Neither steps nor a time is given.
static bool has_no_end(const SiltEntry *entry)
{
    const char *const names[] = {"steps", "time"};
    if (!entry->model)
        return false;
    for (int k = 0; k < 2; k++)
        for (int keys = 0; keys < 2; keys++) {
            SiltValue value = {.size = sizeof value};
            int at = entry->tables[keys] && entry->params[keys]
                         ? silt_params_find(entry->tables[keys], names[k])
                         : -1;
            if (at >= 0 && silt_params_get(entry->tables[keys], entry->params[keys], at, &value) == SILT_OK &&
                value.number[0] > 0.0)
                return false;
        }
    return true;
}

static double number_at(const SiltEntry *entry, const char *name)
{
    SiltValue value = {.size = sizeof value};
    const SiltParamTable *table = entry->tables[SILT_KEYS_ENTRY];
    int at = table && entry->params[SILT_KEYS_ENTRY] ? silt_params_find(table, name) : -1;
    bool is_there = at >= 0 && silt_params_get(table, entry->params[SILT_KEYS_ENTRY], at, &value) == SILT_OK;
    return is_there && isfinite(value.number[0]) ? value.number[0] : 0.0;
}

// What counts where the recipe says nothing: the model's own number of steps, the cell that an extent makes.
static bool in_force(const SiltEntry *entry, const char *name, char text[SILT_NUMBER_SIZE])
{
    double extent = number_at(entry, "extent"), cells = number_at(entry, "size");
    if (strcmp(name, "steps") == 0 && has_no_end(entry))
        silt_format_number((double)silt_model_default_steps(entry->model), text);
    else if (strcmp(name, "cell") == 0 && extent > 0.0 && cells > 0.0)
        silt_format_number(round(extent / cells * 1000.0) / 1000.0, text);
    else
        return false;
    return true;
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
    bool by_keys = menus_have_keyboard(view, panel->subject_line);
    if (!same)
        rebuild(panel, &entry);
    panel->showing = true;
    if (!same || g_strcmp0(panel->subject, entry.written) != 0) {
        g_free(panel->subject);
        panel->subject = g_strdup(entry.written);
        panel_make_subject(panel, &entry, by_keys);
    }
    show_head(panel, &entry);
    panel_show_defines(panel);
    panel_show_by_hand(panel);
    for (guint k = 0; k < panel->rows->len; k++) {
        ParamRow *row = panel->rows->pdata[k];
        int keys = param_row_tag(row);
        const char *name = param_row_param(row)->name;
        const char *live = keys == SILT_KEYS_SET ? g_hash_table_lookup(panel->live, name) : NULL;
        char text[SILT_NUMBER_SIZE];
        if (live)
            param_row_show_text(row, live, true);
        else if (in_force(&entry, name, text))
            param_row_show_text(row, text, false);
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

typedef struct Reveal {
    Panel *panel;
    char name[SILT_NAME_SIZE];
    int frames;
} Reveal;

// All of a row, once it is laid out, which may be another one by then: GTK scrolls to the one part of it that
// has the keyboard.
static gboolean bring_into_sight(GtkWidget *scroller, GdkFrameClock *clock, gpointer user)
{
    enum { FRAMES = 12 };
    (void)clock;
    Reveal *reveal = user;
    if (reveal->frames++ < FRAMES)
        return G_SOURCE_CONTINUE;
    ParamRow *row = panel_row(reveal->panel, reveal->name);
    GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    graphene_rect_t here;
    if (!row || !gtk_widget_compute_bounds(param_row_widget(row), scroller, &here))
        return G_SOURCE_REMOVE;
    double top = gtk_adjustment_get_value(place) + (double)here.origin.y;
    gtk_adjustment_clamp_page(place, top, top + (double)here.size.height);
    return G_SOURCE_REMOVE;
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
    Reveal *reveal = g_new0(Reveal, 1);
    reveal->panel = panel;
    g_strlcpy(reveal->name, name, sizeof reveal->name);
    gtk_widget_add_tick_callback(panel->scroller, bring_into_sight, reveal, g_free);
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
    panel->owner = (ParamOwner){panel, on_set, on_rest, panel_layer_at};
    panel->rows = g_ptr_array_new();
    panel->defines = g_ptr_array_new();
    panel->live = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    panel->index = -1;
    panel->title = head_label("head");
    panel->summary = head_label("quiet");
    panel->source = head_label("source");
    panel->subject_line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_widget_add_css_class(panel->subject_line, "param");
    gtk_widget_add_css_class(panel->subject_line, "subject");
    panel->by_hand = panel_make_by_hand(panel);
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
    menus_watch_scroller(panel->scroller);
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
