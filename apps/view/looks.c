// Looks, overlays and light.
#include "looks.h"

#include <math.h>
#include <string.h>

#include "land.h"
#include "menus.h"
#include "param_row.h"

static const char *const overlay_names[] = {"",        "flow", "net_change",  "water",  "speed", "sediment",
                                            "deposit", "wear", "erodibility", "uplift", "ice"};

const char *overlay_name_at(int index)
{
    return index >= 0 && index < (int)G_N_ELEMENTS(overlay_names) ? overlay_names[index] : NULL;
}

// ---- what is on ----

bool look_is(const View *view, int look)
{
    return view->look.look == look;
}

// The layer of an overlay: rivers have a discharge in place of a flow.
static const char *layer_of(const View *view, int index)
{
    const char *name = overlay_names[index];
    bool is_flow = strcmp(name, "flow") == 0 && view->terrain && !silt_terrain_layer(view->terrain, "flow");
    return is_flow ? "discharge" : name;
}

bool overlay_is(const View *view, int index)
{
    return strcmp(view->look.overlay, layer_of(view, index)) == 0;
}

bool overlay_is_there(const View *view, int index)
{
    return view->terrain && silt_terrain_layer(view->terrain, layer_of(view, index));
}

static bool *toggle_of(View *view, int what)
{
    bool *const toggles[] = {&view->look.shadows, &view->look.water, &view->look.ice, &view->look.sediment,
                             &view->look.legend};
    return toggles[what];
}

bool toggle_is(const View *view, int what)
{
    return *toggle_of((View *)view, what);
}

// ---- what the actions do ----

void looks_follow(View *view)
{
    const char *wanted[] = {"height", "water", "sediment", "ice", view->look.overlay};
    player_want(view->player, wanted, view->look.overlay[0] ? 5 : 4);
    land_set_look(view->land);
    looks_refresh(view);
    actions_refresh(view);
}

void act_look(View *view, int look)
{
    view->look.look = look;
    looks_follow(view);
}

static void lay_over(View *view, const char *layer)
{
    g_strlcpy(view->look.overlay, layer, sizeof view->look.overlay);
    looks_follow(view);
}

void act_overlay(View *view, int index)
{
    if (index >= 0) {
        lay_over(view, layer_of(view, index));
        return;
    }
    if (!view->terrain)
        return;
    int at = 0; // layer 0 is the height, which the land shows anyway
    for (int k = 1; k < view->terrain->layer_count; k++)
        if (strcmp(view->terrain->layers[k]->name, view->look.overlay) == 0)
            at = k;
    at++;
    lay_over(view, at < view->terrain->layer_count ? view->terrain->layers[at]->name : "");
    view_say(view, "Overlay: %s", view->look.overlay[0] ? view->look.overlay : "none");
}

void act_toggle(View *view, int what)
{
    bool *toggle = toggle_of(view, what);
    *toggle = !*toggle;
    looks_follow(view);
}

void act_sun(View *view, int what)
{
    double *sun = &view->look.sun, *height = &view->look.sun_height;
    if (what == SUN_LEFT || what == SUN_RIGHT)
        *sun = fmod(*sun + (what == SUN_RIGHT ? 15.0 : 345.0), 360.0);
    else
        *height = CLAMP(*height + (what == SUN_UP ? 4.0 : -4.0), 2.0, 90.0);
    looks_follow(view);
}

static double *air_of(View *view, int what)
{
    return what == AIR_HAZE ? &view->look.haze : &view->look.bloom;
}

bool air_is(const View *view, int what)
{
    return *air_of((View *)view, what) > 0.0;
}

void act_air(View *view, int what)
{
    double *air = air_of(view, what), before = *air, usual = what == AIR_HAZE ? 0.35 : 0.3;
    *air = before > 0.0 ? 0.0 : view->air[what] > 0.0 ? view->air[what] : usual;
    view->air[what] = before;
    looks_follow(view);
}

static bool has_particles(const View *view)
{
    PlayerState state;
    player_state(view->player, &state);
    return state.particles > 0;
}

void act_next_choice(View *view, int what)
{
    static const char *const names[] = {"particle_look", "particle_colour", "worn"};
    if (what == NEXT_WORN ? !cut_has_rock(view) : !has_particles(view)) {
        view_say(view, "There is no %s here: a paper's scene such as Weiss bridge has some",
                 what == NEXT_WORN ? "volume of rock" : "water of particles");
        return;
    }
    int at = silt_params_find(&silt_render_params, names[what]);
    const SiltParam *param = &silt_render_params.items[at];
    int *chosen = (int *)((char *)&view->look + param->offset);
    char word[SILT_NAME_SIZE];
    *chosen = silt_param_choice(param, *chosen + 1, word) ? *chosen + 1 : 0;
    looks_follow(view);
    char *title = param_title(param->name);
    view_say(view, "%s: %s", title, silt_param_choice(param, *chosen, word));
    g_free(title);
}

void act_camera(View *view, int what)
{
    land_touch(view->land);
    if (what == CAMERA_ALL) {
        silt_viewer_frame_all(view->viewer);
        view_queue_draw(view);
        return;
    }
    SiltGaze gaze = silt_viewer_gaze(view->viewer);
    if (what == CAMERA_IN || what == CAMERA_OUT)
        gaze.distance *= what == CAMERA_IN ? 0.8 : 1.25;
    else if (what == CAMERA_TOP) {
        gaze.tilt = 90.0;
        gaze.turn = 0.0;
    } else {
        gaze.turn = 90.0 * (what - CAMERA_NORTH);
        gaze.tilt = gaze.tilt > 60.0 ? 30.0 : gaze.tilt;
    }
    silt_viewer_set_gaze(view->viewer, &gaze, false);
    view_queue_draw(view);
}

void looks_init(View *view)
{
    silt_params_init(&silt_render_params, &view->look);
    view->look.sun_height = 30.0;
}

// ---- the popover ----

typedef struct Looks {
    View *view;
    ParamOwner owner;
    GPtrArray *rows;
    GtkWidget *cuts;
} Looks;

static bool on_set(void *user, const ParamRow *row, const char *text, bool dragging)
{
    Looks *looks = user;
    View *view = looks->view;
    const char *name = param_row_param(row)->name;
    int at = silt_params_find(&silt_render_params, name);
    char *usual = text ? NULL : silt_params_default(&silt_render_params, at);
    bool fine =
        view_ok(view, silt_params_set(&silt_render_params, &view->look, "look", name, text ? text : usual));
    silt_free(usual);
    if (fine) {
        land_set_look(view->land);
        if (!dragging)
            looks_refresh(view);
    }
    return fine;
}

static void on_rest(void *user)
{
    looks_refresh(((Looks *)user)->view);
}

static void looks_free(gpointer user)
{
    Looks *looks = user;
    g_ptr_array_free(looks->rows, TRUE);
    g_free(looks);
}

void looks_refresh(View *view)
{
    Looks *looks = g_object_get_data(G_OBJECT(view->window), "looks");
    if (!looks)
        return;
    bool rock = cut_has_rock(view), wet = has_particles(view);
    gtk_widget_set_visible(looks->cuts, rock);
    for (guint k = 0; k < looks->rows->len; k++) {
        ParamRow *row = looks->rows->pdata[k];
        const char *name = param_row_param(row)->name;
        param_row_show(row, &view->look, NULL);
        if (g_str_has_prefix(name, "particle")) // what there is nothing of is not asked about
            gtk_widget_set_visible(param_row_widget(row), wet);
        else if (strcmp(name, "worn") == 0)
            gtk_widget_set_visible(param_row_widget(row), rock);
    }
}

static GtkWidget *action_check(const char *name)
{
    const Action *action = action_find(name);
    GtkWidget *check = gtk_check_button_new_with_label(action->title);
    char *detailed = g_strconcat("win.", name, NULL), *key = action_key_text(action);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(check), detailed);
    char *tip = g_strdup_printf("%s  (%s)", action->title, key);
    gtk_widget_set_tooltip_text(check, tip);
    gtk_widget_set_focus_on_click(check, FALSE);
    g_free(tip);
    g_free(key);
    g_free(detailed);
    return check;
}

static GtkWidget *look_grid(void)
{
    enum { LOOKS = 6 };
    static const char *const names[] = {"look-land", "look-hillshade", "look-grey", "look-contours",
                                        "look-tint", "look-soil",      "shadows",   "show-water",
                                        "show-ice",  "show-sediment",  "haze",      "legend"};
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_column_spacing(GTK_GRID(grid), 16);
    gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
    GtkWidget *first = NULL;
    for (int k = 0; k < (int)G_N_ELEMENTS(names); k++) {
        GtkWidget *check = action_check(names[k]);
        if (k > 0 && k < LOOKS) // one of them
            gtk_check_button_set_group(GTK_CHECK_BUTTON(check), GTK_CHECK_BUTTON(first));
        first = k == 0 ? check : first;
        gtk_grid_attach(GTK_GRID(grid), check, k / LOOKS, k % LOOKS, 1, 1);
    }
    return grid;
}

GtkWidget *looks_button(View *view)
{
    static const char *const shown[] = {
        "sun",  "sun_height",    "exaggeration",    "snow",         "arid", "sea", "haze", "bloom",
        "worn", "particle_look", "particle_colour", "particle_size"};
    Looks *looks = g_new0(Looks, 1);
    looks->view = view;
    looks->owner = (ParamOwner){looks, on_set, on_rest, NULL};
    looks->rows = g_ptr_array_new();
    g_object_set_data_full(G_OBJECT(view->window), "looks", looks, looks_free);
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    gtk_widget_add_css_class(column, "params");
    gtk_widget_set_size_request(column, 336, -1);
    gtk_box_append(GTK_BOX(column), look_grid());
    looks->cuts = cut_sliders(view);
    gtk_box_append(GTK_BOX(column), looks->cuts);
    for (size_t k = 0; k < G_N_ELEMENTS(shown); k++) {
        int at = silt_params_find(&silt_render_params, shown[k]);
        ParamRow *row = param_row_create(&silt_render_params, at, &looks->owner, 0);
        g_ptr_array_add(looks->rows, row);
        gtk_box_append(GTK_BOX(column), param_row_widget(row));
    }
    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scroller), 560);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), column);
    menus_watch_scroller(scroller);
    GtkWidget *popover = gtk_popover_new();
    menus_watch_keys(popover);
    gtk_popover_set_child(GTK_POPOVER(popover), scroller);
    g_signal_connect_swapped(popover, "show", G_CALLBACK(looks_refresh), view);
    GtkWidget *button = gtk_menu_button_new();
    gtk_widget_set_name(button, "look-menu");
    gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Look");
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
    menus_cut_tail(button);
    view_set_button_tip(button, "How the land is drawn, and the light on it");
    gtk_widget_set_focus_on_click(button, FALSE);
    looks_refresh(view);
    return button;
}

GtkWidget *overlay_button(View *view)
{
    static const char *const names[] = {"overlay-none",
                                        "-",
                                        "overlay-flow",
                                        "overlay-water",
                                        "overlay-speed",
                                        "overlay-sediment",
                                        "overlay-change",
                                        "overlay-wear",
                                        "overlay-deposit",
                                        "overlay-erodibility",
                                        "overlay-uplift",
                                        "overlay-ice",
                                        "-",
                                        "overlay-next",
                                        "legend",
                                        NULL};
    (void)view;
    GMenu *menu = actions_menu(names);
    GtkWidget *button = gtk_menu_button_new();
    gtk_widget_set_name(button, "overlay-menu");
    gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Overlay");
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    menus_cut_tail(button);
    view_set_button_tip(button, "A layer laid over the land");
    gtk_widget_set_focus_on_click(button, FALSE);
    g_object_unref(menu);
    return button;
}
