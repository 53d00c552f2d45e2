// The lowest line: time, steps and frames, and the ledger as two bars, water and rock. A bar is as long as
// all that ever came; what left and what is there fill it, and a gap would show as a gap.
#include "status.h"

#include <math.h>
#include <string.h>

#include "land.h"
#include "numbers.h"
#include "stack_list.h"

typedef struct Bar {
    GtkWidget *box, *area, *text;
    double parts[3];     // shares of what came: stored, carried, removed
    SiltAccount account; // that it shows
    bool of_water;
} Bar;

struct Status {
    View *view;
    GtkWidget *box, *left, *right;
    Bar water, rock;
    guint timer;
};

static void draw_bar(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer user)
{
    const Bar *bar = user;
    static const char *const colours[] = {"accent", "accent-mild", "accent-faint"};
    GtkStyleContext *style = gtk_widget_get_style_context(GTK_WIDGET(area));
    double at = 0.0;
    for (int k = 0; k < 3; k++) {
        GdkRGBA colour = {0.5f, 0.7f, 0.8f, 1.0f};
        char name[32];
        g_snprintf(name, sizeof name, "silt-%s", colours[k]);
        gtk_style_context_lookup_color(style, name, &colour);
        gdk_cairo_set_source_rgba(cairo, &colour);
        double wide = bar->parts[k] * width;
        cairo_rectangle(cairo, at, 0.0, wide, height);
        cairo_fill(cairo);
        at += wide;
    }
}

// All sums of the books in words, made when someone asks: what is set anew while it plays makes GTK look for
// the pointer and the screen each time.
static char *account_text(const Bar *bar)
{
    const SiltAccount *account = &bar->account;
    const double sums[] = {account->initial, account->added, account->removed,
                           account->by_hand, account->moved, account->stored};
    static const char *const names[] = {"at first", "added", "removed", "by hand", "moved", "there now"};
    GString *all = g_string_new(bar->of_water ? "Water:" : "Rock:");
    for (size_t k = 0; k < G_N_ELEMENTS(sums); k++) {
        double scale;
        const char *its = volume_unit(sums[k], &scale);
        char *number = volume_text(sums[k], scale);
        g_string_append_printf(all, "%s %s %s %s", k > 0 ? "," : "", names[k], number, its);
        g_free(number);
    }
    g_string_append_printf(all, "\nThe books are off by %.2g of what moved.",
                           silt_account_imbalance_fraction(account));
    return g_string_free(all, FALSE);
}

static gboolean on_tooltip(GtkWidget *box, int x, int y, gboolean by_keys, GtkTooltip *tooltip, Bar *bar)
{
    (void)box, (void)x, (void)y, (void)by_keys;
    char *text = account_text(bar);
    gtk_tooltip_set_text(tooltip, text);
    g_free(text);
    return TRUE;
}

static void make_bar(Bar *bar, const char *name)
{
    bar->of_water = strcmp(name, "water") == 0;
    bar->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *title = gtk_label_new(name);
    gtk_widget_add_css_class(title, "quiet");
    bar->area = gtk_drawing_area_new();
    gtk_widget_add_css_class(bar->area, "bar");
    gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(bar->area), 80);
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(bar->area), 8);
    gtk_widget_set_valign(bar->area, GTK_ALIGN_CENTER);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(bar->area), draw_bar, bar, NULL);
    bar->text = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(bar->text), 0.0f);
    gtk_label_set_ellipsize(GTK_LABEL(bar->text), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(bar->text, "numbers");
    gtk_box_append(GTK_BOX(bar->box), title);
    gtk_box_append(GTK_BOX(bar->box), bar->area);
    gtk_box_append(GTK_BOX(bar->box), bar->text);
    gtk_widget_set_has_tooltip(bar->box, TRUE);
    g_signal_connect(bar->box, "query-tooltip", G_CALLBACK(on_tooltip), bar);
    gtk_widget_set_visible(bar->box, FALSE);
}

static void show_account(Bar *bar, const SiltAccount *account)
{
    bool water = bar->of_water, is_shown = gtk_widget_get_visible(bar->box);
    if (is_shown && memcmp(account, &bar->account, sizeof *account) == 0)
        return;
    bar->account = *account;
    double hand_in = account->by_hand > 0.0 ? account->by_hand : 0.0;
    double hand_out = account->by_hand < 0.0 ? -account->by_hand : 0.0;
    double in = (water ? account->initial : 0.0) + account->added + hand_in;
    double out = account->removed + hand_out;
    double stored = water ? account->stored : account->moved - account->carried;
    double whole = water ? in : account->moved + out;
    gtk_widget_set_visible(bar->box, whole > 0.0);
    if (!(whole > 0.0))
        return;
    bar->parts[0] = CLAMP(stored / whole, 0.0, 1.0);
    bar->parts[1] = water ? 0.0 : CLAMP(account->carried / whole, 0.0, 1.0);
    bar->parts[2] = CLAMP(out / whole, 0.0, 1.0);
    gtk_widget_queue_draw(bar->area);
    double scale;
    const char *unit = volume_unit(whole, &scale);
    char *a = volume_text(water ? in : account->moved, scale), *b = volume_text(out, scale),
         *c = volume_text(water ? account->stored : account->carried, scale);
    char *text = water ? g_strdup_printf("%s in = %s out + %s here %s", a, b, c, unit)
                       : g_strdup_printf("%s moved, %s out, %s afloat %s", a, b, c, unit);
    gtk_label_set_text(GTK_LABEL(bar->text), text);
    char *all = account_text(bar);
    gtk_accessible_update_property(GTK_ACCESSIBLE(bar->area), GTK_ACCESSIBLE_PROPERTY_LABEL, all, -1);
    g_free(all);
    g_free(text);
    g_free(a);
    g_free(b);
    g_free(c);
}

static char *work_text(const View *view, const PlayerState *state)
{
    static const char *const works[] = {"",        "sketching",   "making the land", "getting ready",
                                        "playing", "catching up", "finishing"};
    SiltEntry entry;
    if (state->work != PLAYER_COOKS || state->stage < 0 ||
        silt_stack_entry(view->stack, SILT_IN_STAGES, state->stage, &entry) != SILT_OK)
        return g_strdup(works[state->work]);
    char *title = entry_title(&entry);
    char *text = g_strdup_printf("making stage %d of %d: %s, %.0f %%", state->stage + 1,
                                 silt_stack_count(view->stack, SILT_IN_STAGES), title, 100.0 * state->share);
    g_free(title);
    return text;
}

// The books need the room: what the stack and the button of playing say too makes way.
static bool is_narrow(const Status *status, const PlayerState *state)
{
    return state->live && gtk_widget_get_width(status->box) < 1200;
}

static void show_left(Status *status, const PlayerState *state)
{
    const View *view = status->view;
    GString *text = g_string_new(NULL);
    bool narrow = is_narrow(status, state);
    if (view->terrain && !narrow) {
        double wide = view->terrain->width * view->terrain->cell,
               high = view->terrain->height * view->terrain->cell;
        bool far = wide >= 1000.0;
        char *numbers[] = {number_text(view->terrain->width), number_text(view->terrain->height),
                           number_text(far ? wide / 1000.0 : wide), number_text(far ? high / 1000.0 : high)};
        g_string_append_printf(text, "%s × %s cells   %s × %s %s", numbers[0], numbers[1], numbers[2],
                               numbers[3], far ? "km" : "m");
        for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
            g_free(numbers[k]);
    }
    if (view->rough)
        g_string_append(text, "   preview");
    char *work = work_text(view, state);
    if (work[0] && !(narrow && state->work == PLAYER_PLAYS))
        g_string_append_printf(text, "%s%s", text->len > 0 ? "   " : "", work);
    g_free(work);
    gtk_label_set_text(GTK_LABEL(status->left), text->str);
    g_string_free(text, TRUE);
}

static void show_right(Status *status, const PlayerState *state)
{
    GString *text = g_string_new(NULL);
    if (state->seeks_device)
        g_string_append(text, "testing the GPU   ");
    else if (state->is_on_device)
        g_string_append(text, state->device_is_gpu ? "GPU   " : "OpenCL   ");
    if (g_strcmp0(gtk_widget_get_tooltip_text(status->right), state->device) != 0)
        view_set_tip(status->right, state->device[0] ? state->device : NULL);
    if (state->live && state->steps_per_second > 0.0)
        g_string_append_printf(text, "%.*f steps/s   ", state->steps_per_second < 10.0 ? 1 : 0,
                               state->steps_per_second);
    if (state->particles > 0) {
        char *grains = number_text(state->particles);
        g_string_append_printf(text, "%s grains   ", grains);
        g_free(grains);
    }
    double frames = land_frames_per_second(status->view->land);
    if (frames > 0.0)
        g_string_append_printf(text, "%.0f frames/s", frames);
    gtk_label_set_text(GTK_LABEL(status->right), text->str);
    g_string_free(text, TRUE);
}

void status_refresh(Status *status, const PlayerState *state)
{
    show_left(status, state);
    show_right(status, state);
    if (state->live) {
        int wide = is_narrow(status, state) ? 48 : 80;
        gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(status->water.area), wide);
        gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(status->rock.area), wide);
        show_account(&status->water, &state->ledger.water);
        show_account(&status->rock, &state->ledger.rock);
    } else {
        gtk_widget_set_visible(status->water.box, FALSE);
        gtk_widget_set_visible(status->rock.box, FALSE);
    }
}

Status *status_create(View *view)
{
    Status *status = g_new0(Status, 1);
    status->view = view;
    status->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 20);
    gtk_widget_add_css_class(status->box, "status");
    status->left = gtk_label_new("");
    status->right = gtk_label_new("");
    gtk_widget_add_css_class(status->left, "numbers");
    gtk_widget_add_css_class(status->right, "numbers");
    gtk_label_set_ellipsize(GTK_LABEL(status->left), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(status->left), 0.0f);
    make_bar(&status->water, "water");
    make_bar(&status->rock, "rock");
    GtkWidget *space = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_set_hexpand(space, TRUE);
    GtkWidget *parts[] = {status->left, status->water.box, status->rock.box, space, status->right};
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
        gtk_box_append(GTK_BOX(status->box), parts[k]);
    return status;
}

GtkWidget *status_widget(Status *status)
{
    return status->box;
}

void status_destroy(Status *status)
{
    g_free(status);
}
