// Dialogs that ask for a file: one of each kind, made once and shown again. GTK 4.8 goes on reading a folder
// when the dialog that wanted it has been destroyed, and then tells the dialog what it has found there, which
// ends the program. So none is ever destroyed.
#include "dialogs.h"

#include <string.h>

#include "plain_path.h"

static GtkFileChooserNative *kept_dialog(const char *kind)
{
    static GHashTable *kept;
    if (!kept)
        kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GtkFileChooserNative *dialog = g_hash_table_lookup(kept, kind);
    if (!dialog) {
        dialog = gtk_file_chooser_native_new(NULL, NULL, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, "_Cancel");
        g_hash_table_insert(kept, g_strdup(kind), dialog);
    }
    return dialog;
}

bool dialogs_is_new(GtkFileChooserNative *dialog)
{
    return !g_object_get_data(G_OBJECT(dialog), "answer");
}

GtkFileChooserNative *dialogs_file(View *view, const char *title, GtkFileChooserAction action,
                                   const char *accept)
{
    GtkFileChooserNative *dialog = kept_dialog(accept);
    GtkNativeDialog *native = GTK_NATIVE_DIALOG(dialog);
    if (gtk_native_dialog_get_visible(native))
        return NULL;
    gtk_native_dialog_set_title(native, title);
    gtk_native_dialog_set_transient_for(native, view->window);
    gtk_native_dialog_set_modal(native, TRUE);
    gtk_file_chooser_set_action(GTK_FILE_CHOOSER(dialog), action);
    gtk_file_chooser_native_set_accept_label(dialog, accept);
    return dialog;
}

void dialogs_add_filter(GtkFileChooserNative *dialog, const char *name, const char *patterns)
{
    if (!dialogs_is_new(dialog))
        return;
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, name);
    char **each = g_strsplit(patterns, " ", 0);
    for (int k = 0; each[k]; k++)
        if (each[k][0])
            gtk_file_filter_add_pattern(filter, each[k]);
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    g_object_unref(filter);
    g_strfreev(each);
}

void dialogs_ask(GtkFileChooserNative *dialog, GCallback answer, gpointer user, GObject *owner)
{
    gulong before = GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(dialog), "answer"));
    if (before && g_signal_handler_is_connected(dialog, before))
        g_signal_handler_disconnect(dialog, before);
    GClosure *closure = g_cclosure_new(answer, user, NULL);
    g_object_watch_closure(owner, closure);
    gulong now = g_signal_connect_closure(dialog, "response", closure, FALSE);
    g_object_set_data(G_OBJECT(dialog), "answer", GSIZE_TO_POINTER(now));
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

// ---- names ----

void dialogs_suggest(GtkFileChooserNative *dialog, const char *name, const char *patterns)
{
    const char *ending = strrchr(name, '.');
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    g_object_set_data_full(G_OBJECT(dialog), "offered", g_strdup(ending ? ending : ""), g_free);
    g_object_set_data_full(G_OBJECT(dialog), "endings", g_strdup(patterns), g_free);
}

char *dialogs_path(GtkNativeDialog *dialog, int response)
{
    GFile *file =
        response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
    char *path = file ? g_file_get_path(file) : NULL;
    char *plain = path ? plain_path(path, g_object_get_data(G_OBJECT(dialog), "offered"),
                                    g_object_get_data(G_OBJECT(dialog), "endings"))
                       : NULL;
    g_clear_object(&file);
    g_free(path);
    return plain;
}

// ---- their lists of files ----

static GtkTreeView *list_at(GtkWidget *widget)
{
    GtkWidget *list = widget ? gtk_widget_get_ancestor(widget, GTK_TYPE_TREE_VIEW) : NULL;
    return list ? GTK_TREE_VIEW(list) : NULL;
}

bool dialogs_refuse_click(GtkWidget *window, GtkWidget *at, double x, double y)
{
    GtkTreeView *list = list_at(at);
    int i, j;
    if (!list || !gtk_widget_translate_coordinates(window, GTK_WIDGET(list), x, y, &x, &y))
        return false;
    gtk_tree_view_convert_widget_to_bin_window_coords(list, (int)x, (int)y, &i, &j);
    return !gtk_tree_view_get_path_at_pos(list, i, j, NULL, NULL, NULL, NULL);
}

static bool shows_picked(GtkTreeView *list)
{
    GtkTreePath *first = NULL, *last = NULL;
    GList *picked = gtk_tree_selection_get_selected_rows(gtk_tree_view_get_selection(list), NULL);
    bool shows = !picked || (gtk_tree_view_get_visible_range(list, &first, &last) &&
                             gtk_tree_path_compare(first, picked->data) <= 0 &&
                             gtk_tree_path_compare(picked->data, last) <= 0);
    gtk_tree_path_free(first);
    gtk_tree_path_free(last);
    g_list_free_full(picked, (GDestroyNotify)gtk_tree_path_free);
    return shows;
}

bool dialogs_refuse_key(GtkWidget *focus, guint key, GdkModifierType modifiers)
{
    GtkTreeView *list = list_at(focus);
    bool opens_menu = key == GDK_KEY_Menu || (key == GDK_KEY_F10 && modifiers & GDK_SHIFT_MASK);
    bool searches = gdk_keyval_to_lower(key) == GDK_KEY_f && modifiers & GDK_CONTROL_MASK;
    return list && (searches || (opens_menu && !shows_picked(list)));
}

// ---- questions ----

GtkWidget *dialogs_question(View *view, const char *title, const char *text)
{
    GtkWidget *dialog =
        gtk_message_dialog_new(view->window, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", title);
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", text);
    // where it has no title bar its first line would touch the edge
    gtk_widget_set_margin_top(gtk_message_dialog_get_message_area(GTK_MESSAGE_DIALOG(dialog)), 16);
    return dialog;
}

// Whoever brings the answer still holds it: it must not know of a window
// that the answer may close.
void dialogs_end_question(GtkDialog *dialog)
{
    gtk_window_set_transient_for(GTK_WINDOW(dialog), NULL);
    gtk_window_destroy(GTK_WINDOW(dialog));
}
