#include "notice.h"

#include "land.h"
#include "menus.h"
#include "stack_list.h"

static const char *const names[] = {"notice-opening", "notice-making"};

static void on_close(GtkButton *button, View *view)
{
    notice_show(view, (NoticeKind)GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "kind")), NULL);
    view_queue_draw(view);
}

static GtkWidget *make_bar(View *view, NoticeKind kind)
{
    GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *mark = gtk_label_new("!");
    GtkWidget *label = gtk_label_new(""), *close = gtk_button_new_with_label("Close");
    gtk_widget_add_css_class(bar, "recovery");
    gtk_widget_add_css_class(mark, "mark");
    gtk_widget_set_valign(mark, GTK_ALIGN_CENTER);
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR); // paths have no spaces
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_widget_set_can_focus(label, FALSE);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_widget_set_valign(close, GTK_ALIGN_CENTER);
    g_object_set_data(G_OBJECT(close), "kind", GINT_TO_POINTER(kind));
    g_signal_connect(close, "clicked", G_CALLBACK(on_close), view);
    gtk_box_append(GTK_BOX(bar), mark);
    gtk_box_append(GTK_BOX(bar), label);
    gtk_box_append(GTK_BOX(bar), close);
    g_object_set_data(G_OBJECT(bar), "label", label);
    gtk_box_prepend(GTK_BOX(view->column), bar);
    return bar;
}

void notice_show(View *view, NoticeKind kind, const char *text)
{
    if (view->gone)
        return;
    GtkWidget *bar = g_object_get_data(G_OBJECT(view->column), names[kind]);
    if (!text) {
        if (bar) {
            menus_leave(view, bar);
            gtk_box_remove(GTK_BOX(view->column), bar);
        }
        g_object_set_data(G_OBJECT(view->column), names[kind], NULL);
        return;
    }
    if (!bar) {
        bar = make_bar(view, kind);
        g_object_set_data(G_OBJECT(view->column), names[kind], bar);
    }
    gtk_label_set_text(GTK_LABEL(g_object_get_data(G_OBJECT(bar), "label")), text);
    if (g_strcmp0(view->said, text) == 0) // once is enough
        gtk_revealer_set_reveal_child(GTK_REVEALER(view->toast), FALSE);
}

// ---- what the player does ----

void notice_fault(View *view, const PlayerState *state)
{
    view_say(view, "%s", state->fault);
    if (state->fault_kept) // in place of what was said when the file was opened
        notice_show(view, NOTICE_OPENING, state->fault);
    if (!state->fault_cooking)
        return;
    view->waits = false;
    land_show_work(view->land, NULL, 0.0);
    notice_show(view, NOTICE_MAKING, state->fault);
    stack_list_show_fault(view->list, state->fault_stage, state->fault);
}

void notice_work(View *view, const PlayerState *state)
{
    SiltEntry entry;
    bool begins = state->work == PLAYER_BEGINS && view->wish > 0;
    if (!view->waits && !begins) {
        land_show_work(view->land, NULL, 0.0);
        return;
    }
    SiltPlace place = state->stage >= 0 ? SILT_IN_STAGES : SILT_IN_TERRAIN;
    int index = state->stage >= 0 ? state->stage : 0;
    bool known =
        state->stage >= -1 && silt_stack_entry(view->stack, place, index, &entry) == SILT_OK && entry.stage;
    char *title = known ? entry_title(&entry) : NULL;
    const char *what = view->waits ? "Making the land" : "Getting ready";
    char *text = title ? g_strdup_printf("%s: %s", what, title) : g_strdup_printf("%s …", what);
    land_show_work(view->land, text, known ? state->share : 0.0);
    g_free(text);
    g_free(title);
}

void notice_forget_fault(View *view)
{
    notice_show(view, NOTICE_MAKING, NULL);
    stack_list_show_fault(view->list, -2, NULL);
}
