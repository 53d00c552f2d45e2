// The finder: an entry, and a list of what fits, best first.
#include "finder.h"

#include <string.h>

#include "land.h"
#include "rank.h"

enum { MOST_SHOWN = 60 };

struct Finder {
    View *view;
    GtkWidget *frame, *entry, *list, *scroller, *empty;
    GPtrArray *items;
    void (*chosen)(View *view, const FoundItem *item);
    GtkWidget *focus_before;
    guint choosing; // an idle call that does what was chosen
};

static void item_free(gpointer data)
{
    FoundItem *item = data;
    g_free(item->title);
    g_free(item->detail);
    g_free(item->key);
    g_free(item);
}

GPtrArray *found_items_new(void)
{
    return g_ptr_array_new_with_free_func(item_free);
}

FoundItem *found_items_add(GPtrArray *items, const char *group, const char *title, const char *detail,
                           const char *key)
{
    FoundItem *item = g_new0(FoundItem, 1);
    item->group = group;
    item->title = g_strdup(title);
    item->detail = g_strdup(detail ? detail : "");
    item->key = g_strdup(key ? key : "");
    g_ptr_array_add(items, item);
    return item;
}

// ---- the list ----

static GtkWidget *make_row(FoundItem *item, bool first_of_group)
{
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    if (first_of_group && item->group) {
        GtkWidget *group = gtk_label_new(item->group);
        gtk_label_set_xalign(GTK_LABEL(group), 0.0f);
        gtk_widget_add_css_class(group, "heading");
        gtk_box_append(GTK_BOX(column), group);
    }
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 16);
    GtkWidget *title = gtk_label_new(item->title);
    gtk_label_set_xalign(GTK_LABEL(title), 0.0f);
    if (item->detail[0])
        gtk_widget_set_size_request(title, 104, -1);
    gtk_box_append(GTK_BOX(line), title);
    GtkWidget *detail = gtk_label_new(item->detail);
    gtk_label_set_xalign(GTK_LABEL(detail), 0.0f);
    gtk_label_set_ellipsize(GTK_LABEL(detail), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand(detail, TRUE);
    gtk_widget_add_css_class(detail, "quiet");
    gtk_box_append(GTK_BOX(line), detail);
    if (item->key[0]) {
        GtkWidget *key = gtk_label_new(item->key);
        gtk_widget_add_css_class(key, "key");
        gtk_box_append(GTK_BOX(line), key);
    }
    gtk_box_append(GTK_BOX(column), line);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), column);
    g_object_set_data(G_OBJECT(row), "item", item);
    char *name = g_strdup_printf("%s. %s", item->title, item->detail);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_free(name);
    return row;
}

typedef struct Ranked {
    FoundItem *item;
    int rank, order;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    return x->rank != y->rank ? y->rank - x->rank : x->order - y->order;
}

static void refill(Finder *finder)
{
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(finder->list)))
        gtk_list_box_remove(GTK_LIST_BOX(finder->list), child);
    if (!finder->items)
        return;
    const char *wanted = gtk_editable_get_text(GTK_EDITABLE(finder->entry));
    Ranked *fits = g_new(Ranked, finder->items->len + 1);
    int count = 0;
    for (guint k = 0; k < finder->items->len; k++) {
        FoundItem *item = finder->items->pdata[k];
        int rank = found_rank(wanted, item->title, item->detail);
        if (rank > 0)
            fits[count++] = (Ranked){item, rank, (int)k};
    }
    if (wanted[0])
        qsort(fits, (size_t)count, sizeof *fits, compare_ranked);
    for (int k = 0; k < count && (k < MOST_SHOWN || !wanted[0]); k++) {
        bool first = !wanted[0] && (k == 0 || g_strcmp0(fits[k].item->group, fits[k - 1].item->group) != 0);
        gtk_list_box_append(GTK_LIST_BOX(finder->list), make_row(fits[k].item, first));
    }
    gtk_widget_set_visible(finder->empty, count == 0);
    gtk_widget_set_visible(finder->scroller, count > 0);
    GtkListBoxRow *top = gtk_list_box_get_row_at_index(GTK_LIST_BOX(finder->list), 0);
    gtk_list_box_select_row(GTK_LIST_BOX(finder->list), top);
    gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(finder->scroller)), 0.0);
    g_free(fits);
}

static void choose(Finder *finder, GtkListBoxRow *row)
{
    if (!row)
        return;
    FoundItem *item = g_object_get_data(G_OBJECT(row), "item");
    GPtrArray *items = g_steal_pointer(&finder->items); // stays until the action is done
    void (*chosen)(View *, const FoundItem *) = finder->chosen;
    View *view = finder->view;
    finder_close(finder);
    chosen(view, item);
    g_ptr_array_free(items, TRUE);
}

// GTK goes on with a row after it has told that it was activated, and what is chosen may open the finder
// anew: so it waits until GTK is done.
static gboolean choose_selected(gpointer user)
{
    Finder *finder = user;
    finder->choosing = 0;
    if (finder->items)
        choose(finder, gtk_list_box_get_selected_row(GTK_LIST_BOX(finder->list)));
    return G_SOURCE_REMOVE;
}

static void on_row(GtkListBox *list, GtkListBoxRow *row, Finder *finder)
{
    gtk_list_box_select_row(list, row);
    if (!finder->choosing)
        finder->choosing = g_idle_add_full(G_PRIORITY_HIGH_IDLE, choose_selected, finder, NULL);
}

static void on_activate(GtkSearchEntry *entry, Finder *finder)
{
    (void)entry;
    choose(finder, gtk_list_box_get_selected_row(GTK_LIST_BOX(finder->list)));
}

static void on_search(GtkSearchEntry *entry, Finder *finder)
{
    (void)entry;
    if (finder->items)
        refill(finder);
}

static void on_stop(GtkSearchEntry *entry, Finder *finder)
{
    (void)entry;
    finder_close(finder);
}

// Up and down walk through the list while the letters stay in the entry.
static gboolean on_key(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                       Finder *finder)
{
    (void)controller;
    (void)code;
    (void)state;
    int step = key == GDK_KEY_Down        ? 1
               : key == GDK_KEY_Up        ? -1
               : key == GDK_KEY_Page_Down ? 8
               : key == GDK_KEY_Page_Up   ? -8
                                          : 0;
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(finder->list));
    if (step == 0 || !row)
        return FALSE;
    int at = gtk_list_box_row_get_index(row) + step;
    GtkListBoxRow *next = NULL;
    for (; at >= 0 && !next; at--) // the last one, where the step leads beyond it
        next = gtk_list_box_get_row_at_index(GTK_LIST_BOX(finder->list), at);
    if (!next)
        return TRUE;
    gtk_list_box_select_row(GTK_LIST_BOX(finder->list), next);
    graphene_rect_t place;
    if (gtk_widget_compute_bounds(GTK_WIDGET(next), finder->list, &place)) {
        GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(finder->scroller));
        gtk_adjustment_clamp_page(scroll, (double)place.origin.y,
                                  (double)(place.origin.y + place.size.height));
    }
    return TRUE;
}

// ---- opening and closing ----

void finder_open(Finder *finder, const char *prompt, GPtrArray *items,
                 void (*chosen)(View *view, const FoundItem *item))
{
    if (finder->items)
        g_ptr_array_free(finder->items, TRUE);
    finder->items = items;
    finder->chosen = chosen;
    g_object_set(finder->entry, "placeholder-text", prompt, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(finder->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, prompt, -1);
    gtk_editable_set_text(GTK_EDITABLE(finder->entry), "");
    refill(finder);
    gtk_widget_set_visible(finder->frame, TRUE);
    gtk_widget_grab_focus(finder->entry);
}

void finder_close(Finder *finder)
{
    if (!finder_is_open(finder))
        return;
    gtk_widget_set_visible(finder->frame, FALSE);
    gtk_widget_grab_focus(land_widget(finder->view->land));
}

bool finder_is_open(const Finder *finder)
{
    return gtk_widget_get_visible(finder->frame);
}

GtkWidget *finder_widget(Finder *finder)
{
    return finder->frame;
}

Finder *finder_create(View *view)
{
    Finder *finder = g_new0(Finder, 1);
    finder->view = view;
    finder->frame = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(finder->frame, "finder");
    gtk_widget_set_halign(finder->frame, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(finder->frame, GTK_ALIGN_START);
    finder->entry = gtk_search_entry_new();
    gtk_accessible_update_property(GTK_ACCESSIBLE(finder->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "What to find", -1);
    gtk_search_entry_set_search_delay(GTK_SEARCH_ENTRY(finder->entry), 0);
    g_signal_connect(finder->entry, "search-changed", G_CALLBACK(on_search), finder);
    g_signal_connect(finder->entry, "activate", G_CALLBACK(on_activate), finder);
    g_signal_connect(finder->entry, "stop-search", G_CALLBACK(on_stop), finder);
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), finder);
    gtk_widget_add_controller(finder->entry, keys);
    finder->list = gtk_list_box_new();
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(finder->list), GTK_SELECTION_BROWSE);
    gtk_widget_set_focusable(finder->list, FALSE);
    g_signal_connect(finder->list, "row-activated", G_CALLBACK(on_row), finder);
    finder->scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(finder->scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(finder->scroller), 400);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(finder->scroller), TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(finder->scroller), finder->list);
    finder->empty = gtk_label_new("Nothing of that name");
    gtk_widget_add_css_class(finder->empty, "quiet");
    gtk_box_append(GTK_BOX(finder->frame), finder->entry);
    gtk_box_append(GTK_BOX(finder->frame), finder->scroller);
    gtk_box_append(GTK_BOX(finder->frame), finder->empty);
    gtk_widget_set_visible(finder->frame, FALSE);
    return finder;
}

void finder_destroy(Finder *finder)
{
    if (finder && finder->choosing)
        g_source_remove(finder->choosing);
    if (finder && finder->items)
        g_ptr_array_free(finder->items, TRUE);
    g_free(finder);
}
