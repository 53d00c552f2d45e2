// What survives a crash: the recipe's text, a moment after each change, in the user's folder for such things.
// The file goes when the window closes in peace; one whose program is gone is offered at the next start.
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "play.h"
#include "silt/io.h"

enum { SECONDS_BETWEEN = 5 };

static char *autosave_folder(void)
{
    return g_build_filename(g_get_user_state_dir(), "silt", NULL);
}

void autosave_write(View *view)
{
    if (!view->stack || !view->autosave || (!silt_stack_is_changed(view->stack) && !view->recovered) ||
        silt_stack_version(view->stack) == view->autosaved)
        return;
    char *text = silt_stack_text(view->stack);
    // the first line tells where it belongs; for YAML it is a remark
    char *whole = text ? g_strdup_printf("# silt-view: %s\n%s", view->path ? view->path : "", text) : NULL;
    if (whole && silt_write_file(view->autosave, whole, strlen(whole)) == SILT_OK)
        view->autosaved = silt_stack_version(view->stack);
    g_free(whole);
    silt_free(text);
}

static gboolean on_time(gpointer user)
{
    autosave_write(user);
    return G_SOURCE_CONTINUE;
}

void autosave_begin(View *view)
{
    static int windows;
    char *folder = autosave_folder(), name[64];
    if (g_mkdir_with_parents(folder, 0700) != 0)
        g_message("no work is kept in case of a crash: %s cannot be made", folder);
    g_snprintf(name, sizeof name, "unsaved-%ld-%d.yaml", (long)getpid(), windows++);
    view->autosave = g_build_filename(folder, name, NULL);
    view->autosaved = UINT64_MAX;
    view->autosave_timer = g_timeout_add_seconds(SECONDS_BETWEEN, on_time, view);
    g_free(folder);
}

void autosave_end(View *view)
{
    if (view->autosave_timer)
        g_source_remove(view->autosave_timer);
    view->autosave_timer = 0;
    if (view->autosave)
        g_unlink(view->autosave);
    g_clear_pointer(&view->autosave, g_free);
}

char *autosave_find(void)
{
    char *folder = autosave_folder(), *found = NULL;
    GDir *files = g_dir_open(folder, 0, NULL);
    for (const char *name; files && !found && (name = g_dir_read_name(files));) {
        long process = 0;
        if (sscanf(name, "unsaved-%ld-", &process) == 1 && process > 1 && kill((pid_t)process, 0) != 0)
            found = g_build_filename(folder, name, NULL);
    }
    if (files)
        g_dir_close(files);
    g_free(folder);
    return found;
}

bool autosave_recover(View *view, const char *path)
{
    char *text = NULL, *belongs = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return false;
    const char *first = "# silt-view: ";
    const char *end = strchr(text, '\n');
    if (g_str_has_prefix(text, first) && end)
        belongs = g_strndup(text + strlen(first), (gsize)(end - text) - strlen(first));
    SiltStack *stack = NULL;
    bool fine = view_ok(view, silt_stack_read_text(belongs && belongs[0] ? belongs : "unsaved",
                                                   end ? end + 1 : text, &stack));
    if (fine) {
        view_take_stack(view, stack, belongs && belongs[0] ? belongs : NULL);
        view->recovered = true; // it is not what the file holds
        view_refresh_title(view);
        autosave_write(view); // kept anew before the old one goes
        if (view->autosaved != UINT64_MAX)
            g_unlink(path);
    }
    g_free(belongs);
    g_free(text);
    return fine;
}

void autosave_discard(const char *path)
{
    g_unlink(path);
}

// ---- what a crash left ----

static void on_recovery(GtkButton *button, View *view)
{
    char *path = g_object_get_data(G_OBJECT(button), "path");
    GtkWidget *bar = gtk_widget_get_parent(GTK_WIDGET(button));
    if (g_object_get_data(G_OBJECT(button), "recover"))
        autosave_recover(view, path);
    else
        autosave_discard(path);
    gtk_box_remove(GTK_BOX(view->column), bar);
}

void autosave_offer(View *view)
{
    char *path = autosave_find();
    if (!path)
        return;
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label, *buttons[2];
    gtk_widget_add_css_class(bar, "recovery");
    label = gtk_label_new("Silt ended before your last work was saved. It is still there.");
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_box_append(GTK_BOX(bar), label);
    for (int k = 0; k < 2; k++) {
        buttons[k] = gtk_button_new_with_label(k ? "Recover" : "Discard");
        g_object_set_data_full(G_OBJECT(buttons[k]), "path", g_strdup(path), g_free);
        g_object_set_data(G_OBJECT(buttons[k]), "recover", k ? view : NULL);
        g_signal_connect(buttons[k], "clicked", G_CALLBACK(on_recovery), view);
        gtk_box_append(GTK_BOX(bar), buttons[k]);
    }
    gtk_widget_add_css_class(buttons[1], "suggested-action");
    gtk_widget_set_name(buttons[1], "recover");
    gtk_box_prepend(GTK_BOX(view->column), bar);
    g_free(path);
}
