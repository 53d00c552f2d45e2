#include "seen.h"

#include "stack_list.h"

enum { ASKED = 16 };

struct Seen {
    View *view;
    GtkWidget *box, *text, *button;
    struct {
        uint64_t number;
        int stages;
    } asked[ASKED]; // the last calls
    int next;
    int stages; // that the land in sight has been through; -1: all
    int live;   // the stage that is a live run; -1: none is
};

bool seen_is_end(const View *view, int stages)
{
    SiltEntry entry;
    for (int k = MAX(0, stages); stages >= 0 && k < silt_stack_count(view->stack, SILT_IN_STAGES); k++)
        if (silt_stack_entry(view->stack, SILT_IN_STAGES, k, &entry) == SILT_OK && entry.enabled &&
            !entry.skipped)
            return false;
    return true;
}

void seen_ask(View *view, uint64_t number, int stages)
{
    Seen *seen = view->seen;
    int at = seen->next++ % ASKED;
    seen->asked[at].number = number;
    seen->asked[at].stages = stages;
}

void seen_take(View *view, uint64_t number)
{
    Seen *seen = view->seen;
    for (int k = 0; k < ASKED; k++)
        if (seen->asked[k].number == number)
            seen->stages = seen->asked[k].stages;
}

int seen_stages(const View *view)
{
    const Seen *seen = view->seen;
    int stages = seen->live >= 0 ? seen->live + 1 : seen->stages;
    return seen_is_end(view, stages) ? -1 : stages;
}

// "stage 5 of 17, rivers"
static char *stage_text(const View *view, int stages)
{
    SiltEntry entry;
    if (silt_stack_entry(view->stack, SILT_IN_STAGES, stages - 1, &entry) != SILT_OK)
        return g_strdup("some stages");
    char *title = entry_title(&entry);
    char *text =
        g_strdup_printf("stage %d of %d, %s", stages, silt_stack_count(view->stack, SILT_IN_STAGES), title);
    g_free(title);
    return text;
}

char *seen_text(const View *view)
{
    int stages = seen_stages(view);
    if (stages <= 0)
        return stages < 0 ? NULL : g_strdup("before all stages");
    char *stage = stage_text(view, stages), *text = g_strconcat("after ", stage, NULL);
    g_free(stage);
    return text;
}

static char *line_of(const Seen *seen, int stages, bool makes_more)
{
    if (stages == 0)
        return g_strdup("The land before all stages");
    char *stage = stage_text(seen->view, stages);
    char *line = seen->live >= 0 ? g_strconcat("As it runs: ", stage, NULL)
                 : makes_more    ? g_strconcat("Made so far: ", stage, NULL)
                                 : g_strconcat("The land after ", stage, NULL);
    g_free(stage);
    return line;
}

void seen_refresh(Seen *seen, const PlayerState *state)
{
    seen->live = state->live ? state->live_stage : -1;
    int stages = seen_stages(seen->view);
    gtk_widget_set_visible(seen->box, stages >= 0 && seen->view->terrain);
    stack_list_show_seen(seen->view->list, stages);
    if (stages < 0)
        return;
    bool makes_more = state->work == PLAYER_COOKS && seen->view->asked < 0; // the end is on its way
    gtk_widget_set_visible(seen->button, !makes_more);
    char *line = line_of(seen, stages, makes_more);
    if (g_strcmp0(line, gtk_label_get_text(GTK_LABEL(seen->text))) != 0)
        gtk_label_set_text(GTK_LABEL(seen->text), line);
    g_free(line);
}

Seen *seen_create(View *view)
{
    Seen *seen = g_new0(Seen, 1);
    seen->view = view;
    seen->stages = seen->live = -1;
    seen->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_widget_add_css_class(seen->box, "chip");
    gtk_widget_add_css_class(seen->box, "seen");
    GtkWidget *eye = gtk_image_new_from_icon_name("view-reveal-symbolic");
    seen->text = gtk_label_new("");
    gtk_label_set_ellipsize(GTK_LABEL(seen->text), PANGO_ELLIPSIZE_END);
    GtkWidget *button = gtk_button_new_with_label("Show the end");
    gtk_widget_set_name(button, "show-end");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.result");
    gtk_widget_set_tooltip_text(button, "The land after all stages (End)");
    gtk_widget_set_focus_on_click(button, FALSE);
    gtk_box_append(GTK_BOX(seen->box), eye);
    gtk_box_append(GTK_BOX(seen->box), seen->text);
    gtk_box_append(GTK_BOX(seen->box), button);
    seen->button = button;
    gtk_widget_set_visible(seen->box, FALSE);
    return seen;
}

GtkWidget *seen_widget(Seen *seen)
{
    return seen->box;
}

void seen_destroy(Seen *seen)
{
    g_free(seen);
}
