// The table of actions, and what follows from it: GActions, keys and menus.
#include "actions.h"

#include <string.h>

#include "jobs.h"
#include "land.h"
#include "looks.h"
#include "menus.h"
#include "param_row.h"
#include "play.h"

static bool can_undo(const View *view, int value)
{
    (void)value;
    return play_can_undo(view) || silt_stack_can_undo(view->stack);
}

static bool can_redo(const View *view, int value)
{
    (void)value;
    return play_can_redo(view) || silt_stack_can_redo(view->stack);
}

static bool is_stage(const View *view, int verb)
{
    int count = silt_stack_count(view->stack, view->place);
    if (view->place == SILT_IN_TERRAIN || view->index >= count)
        return verb == STAGE_DEFAULTS;
    return verb == STAGE_UP ? view->index > 0 : verb == STAGE_DOWN ? view->index + 1 < count : true;
}

static bool is_enabled(const View *view, int verb)
{
    SiltEntry entry;
    (void)verb;
    return silt_stack_entry(view->stack, view->place, view->index, &entry) == SILT_OK && entry.enabled;
}

static bool is_up_to_here(const View *view, int value)
{
    (void)value;
    return view->up_to_here;
}

static bool is_folded(const View *view, int value)
{
    (void)value;
    return view->folded;
}

static bool is_full(const View *view, int value)
{
    (void)value;
    return gtk_window_is_fullscreen(view->window);
}

#define FILE_   "File"
#define EDIT    "Edit"
#define STACK   "Stack"
#define TIME    "Time"
#define HANDS   "Brushes and tools"
#define CAMERA  "Camera"
#define LOOK    "Look"
#define OVERLAY "Overlay"
#define WINDOW  "Window"

static const Action actions[] = {
    {FILE_, "new", "New land", "<Control>n", act_new, 0, NULL, NULL},
    {FILE_, "open", "Open a recipe or terrain …", "<Control>o", act_open, 0, NULL, NULL},
    {FILE_, "recent", "Open what was open before", "<Control><Shift>o", act_recent, 0, NULL, NULL},
    {FILE_, "presets", "Landscapes to start from", "<Control>l", act_gallery, 0, NULL, NULL},
    {FILE_, "scenes", "Scenes of the papers", "<Control><Shift>l", act_gallery, 1, NULL, NULL},
    {FILE_, "save", "Save the recipe", "<Control>s", act_save, 0, NULL, NULL},
    {FILE_, "save-as", "Save the recipe as …", "<Control><Shift>s", act_save_as, 0, NULL, NULL},
    {FILE_, "export", "Export the land …", "<Control>e", act_export, 0, NULL, NULL},
    {FILE_, "picture", "Save a picture …", "F12", act_picture, 0, NULL, NULL},
    {FILE_, "close", "Close the window", "<Control>w", act_close, 0, NULL, NULL},
    {FILE_, "quit", "Quit", "<Control>q", act_quit, 0, NULL, NULL},

    {EDIT, "undo", "Undo", "<Control>z", act_undo, 0, NULL, can_undo},
    {EDIT, "redo", "Redo", "<Control>y <Control><Shift>z", act_redo, 0, NULL, can_redo},
    {EDIT, "find", "Find a parameter", "<Control>f", act_find_parameter, 0, NULL, NULL},
    {EDIT, "palette", "Find any action", "<Control>k", act_palette, 0, NULL, NULL},

    {STACK, "add-stage", "Add a stage", "<Control><Shift>a", act_add_stage, 0, NULL, NULL},
    {STACK, "stage-remove", "Remove the stage", "Delete", act_stage, STAGE_REMOVE, NULL, is_stage},
    {STACK, "stage-duplicate", "Duplicate the stage", "<Control>d", act_stage, STAGE_DUPLICATE, NULL,
     is_stage},
    {STACK, "stage-switch", "Stage on or off", "<Control>Return", act_stage, STAGE_SWITCH, is_enabled,
     is_stage},
    {STACK, "stage-up", "Move the stage up", "<Alt>Up", act_stage, STAGE_UP, NULL, is_stage},
    {STACK, "stage-down", "Move the stage down", "<Alt>Down", act_stage, STAGE_DOWN, NULL, is_stage},
    {STACK, "stage-defaults", "All values of the stage to their defaults", "<Control><Alt>BackSpace",
     act_stage, STAGE_DEFAULTS, NULL, NULL},
    {STACK, "up-to-here", "The land after the picked stage, or at the end", "z", act_up_to_here, 0,
     is_up_to_here, NULL},
    {STACK, "pick-above", "Pick the entry above", "Page_Up", act_pick, -1, NULL, NULL},
    {STACK, "pick-below", "Pick the entry below", "Page_Down", act_pick, 1, NULL, NULL},

    PLAY_ACTIONS(TIME)

        HAND_ACTIONS(HANDS)

            {CAMERA, "camera-all", "Show all of the land", "Home", act_camera, CAMERA_ALL, NULL, NULL},
    {CAMERA, "camera-top", "From above", "KP_5 <Shift>Home", act_camera, CAMERA_TOP, NULL, NULL},
    {CAMERA, "camera-north", "Towards the north", "KP_8 <Alt>1", act_camera, CAMERA_NORTH, NULL, NULL},
    {CAMERA, "camera-east", "Towards the east", "KP_6 <Alt>2", act_camera, CAMERA_EAST, NULL, NULL},
    {CAMERA, "camera-south", "Towards the south", "KP_2 <Alt>3", act_camera, CAMERA_SOUTH, NULL, NULL},
    {CAMERA, "camera-west", "Towards the west", "KP_4 <Alt>4", act_camera, CAMERA_WEST, NULL, NULL},
    {CAMERA, "camera-in", "Nearer", "<Control>plus <Control>equal", act_camera, CAMERA_IN, NULL, NULL},
    {CAMERA, "camera-out", "Farther", "<Control>minus", act_camera, CAMERA_OUT, NULL, NULL},

    LOOK_ACTIONS(LOOK)

        JOB_ACTIONS(LOOK)

            OVERLAY_ACTIONS(OVERLAY)

                {WINDOW, "fold", "Only land: panels in or out", "Tab", act_fold, 0, is_folded, NULL},
    {WINDOW, "focus", "Keyboard to the next panel", "F6", act_focus, 0, NULL, NULL},
    {WINDOW, "fullscreen", "Full screen", "F11", act_fullscreen, 0, is_full, NULL},
    {WINDOW, "theme", "Dark or light", "<Control><Shift>d", act_theme, 0, NULL, NULL},
    {WINDOW, "device", "Where models work: processor or GPU …", "<Control><Shift>g", act_device, 0, NULL,
     NULL},
    {WINDOW, "keys", "All keys", "F1 question", act_keys, 0, NULL, NULL},
    {WINDOW, "welcome", "Welcome", "<Control>h", act_welcome, 0, NULL, NULL},
    {WINDOW, "about", "About Silt", "", act_about, 0, NULL, NULL},
    {WINDOW, "escape", "Close the topmost panel, let go of a tool", "Escape", act_escape, 0, NULL, NULL},
};

int action_count(void)
{
    return (int)(sizeof actions / sizeof actions[0]);
}

const Action *action_at(int index)
{
    return &actions[index];
}

const Action *action_find(const char *name)
{
    for (int k = 0; k < action_count(); k++)
        if (strcmp(actions[k].name, name) == 0)
            return &actions[k];
    return NULL;
}

bool action_is_there(const View *view, const Action *action)
{
    return view->stack && (!action->is_there || action->is_there(view, action->value));
}

char *action_key_text(const Action *action)
{
    guint key;
    GdkModifierType modifiers;
    char **keys = g_strsplit(action->keys, " ", 0);
    char *text = NULL;
    if (keys[0] && gtk_accelerator_parse(keys[0], &key, &modifiers))
        text = gtk_accelerator_get_label(key, modifiers);
    g_strfreev(keys);
    return text ? text : g_strdup("");
}

// ---- keys ----

// What a widget under the keyboard wants for itself.
static bool wants_letters(GtkWidget *widget)
{
    return widget && (GTK_IS_TEXT(widget) || GTK_IS_TEXT_VIEW(widget));
}

static bool wants_press(GtkWidget *widget)
{
    return widget && (GTK_IS_BUTTON(widget) || GTK_IS_SWITCH(widget) || GTK_IS_CHECK_BUTTON(widget) ||
                      GTK_IS_DROP_DOWN(widget) || GTK_IS_EXPANDER(widget) || GTK_IS_MENU_BUTTON(widget));
}

static bool is_press(guint key)
{
    return key == GDK_KEY_space || key == GDK_KEY_Return || key == GDK_KEY_KP_Enter;
}

// Keys that edit text stay with the text that is being written.
static bool belongs_to_text(guint key, GdkModifierType modifiers)
{
    if (key == GDK_KEY_Escape || (key >= GDK_KEY_F1 && key <= GDK_KEY_F12))
        return false;
    if (modifiers & GDK_ALT_MASK)
        return false;
    if (!(modifiers & GDK_CONTROL_MASK))
        return true;
    guint lower = gdk_keyval_to_lower(key);
    return strchr("acvxzy", (int)(lower < 128 ? lower : '!')) || key == GDK_KEY_Delete ||
           key == GDK_KEY_BackSpace;
}

// Undo, redo and adding a stage belong to the window where nothing typed waits in an entry.
static bool passes_settled(guint key, GdkModifierType modifiers)
{
    guint lower = gdk_keyval_to_lower(key);
    return (modifiers & GDK_CONTROL_MASK) &&
           (lower == GDK_KEY_z || lower == GDK_KEY_y || (lower == GDK_KEY_a && modifiers & GDK_SHIFT_MASK));
}

static bool key_matches(const Action *action, guint key, GdkModifierType modifiers)
{
    bool found = false;
    char **keys = g_strsplit(action->keys, " ", 0);
    for (int k = 0; keys[k] && !found; k++) {
        guint wanted;
        GdkModifierType with;
        if (!gtk_accelerator_parse(keys[k], &wanted, &with))
            continue;
        // a sign such as '?' comes with whatever modifiers the keyboard needs for it
        bool sign = key < 128 && key > ' ' && !g_ascii_isalnum((char)key);
        GdkModifierType given = sign ? modifiers & (GdkModifierType)~GDK_SHIFT_MASK : modifiers;
        found = gdk_keyval_to_lower(key) == gdk_keyval_to_lower(wanted) && given == with;
    }
    g_strfreev(keys);
    return found;
}

static gboolean on_key(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                       View *view)
{
    (void)controller;
    (void)code;
    GtkWidget *focus = gtk_window_get_focus(view->window);
    land_hold(view->land);
    GdkModifierType modifiers = state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);
    if (key == GDK_KEY_ISO_Left_Tab)
        key = GDK_KEY_Tab;
    if (menus_take_key(focus, key, modifiers))
        return TRUE;
    if (wants_letters(focus) && belongs_to_text(key, modifiers) &&
        !(passes_settled(key, modifiers) && param_row_is_settled(focus)))
        return FALSE;
    if (modifiers == 0 && is_press(key) && wants_press(focus))
        return FALSE;
    // with the keyboard inside a panel Tab walks on, as everywhere; over the land it folds the panels away
    if (key == GDK_KEY_Tab && focus && focus != land_widget(view->land))
        return FALSE;
    for (int k = 0; k < action_count(); k++)
        if (key_matches(&actions[k], key, modifiers)) {
            if (!action_is_there(view, &actions[k]))
                return FALSE;
            g_action_group_activate_action(G_ACTION_GROUP(view->window), actions[k].name, NULL);
            return TRUE;
        }
    if (modifiers == 0 && !wants_letters(focus))
        land_fly_key(view->land, key, true);
    return FALSE;
}

static void on_key_up(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                      View *view)
{
    (void)controller;
    (void)code;
    (void)state;
    land_fly_key(view->land, key, false);
}

// ---- actions of GTK ----

static void on_activate(GSimpleAction *simple, GVariant *parameter, gpointer user)
{
    (void)parameter;
    View *view = user;
    const Action *action = action_find(g_action_get_name(G_ACTION(simple)));
    if (!action || !action_is_there(view, action))
        return;
    GtkWindow *window = g_object_ref(view->window); // which the action may close
    action->run(view, action->value);
    if (!g_object_get_data(G_OBJECT(window), "gone"))
        actions_refresh(view);
    g_object_unref(window);
}

void actions_refresh(View *view)
{
    for (int k = 0; k < action_count(); k++) {
        GAction *found = g_action_map_lookup_action(G_ACTION_MAP(view->window), actions[k].name);
        if (!found)
            continue;
        g_simple_action_set_enabled(G_SIMPLE_ACTION(found), action_is_there(view, &actions[k]));
        if (actions[k].is_on)
            g_simple_action_set_state(
                G_SIMPLE_ACTION(found),
                g_variant_new_boolean(view->stack && actions[k].is_on(view, actions[k].value)));
    }
}

void actions_install(View *view)
{
    for (int k = 0; k < action_count(); k++) {
        const Action *action = &actions[k];
        GSimpleAction *simple =
            action->is_on ? g_simple_action_new_stateful(action->name, NULL, g_variant_new_boolean(FALSE))
                          : g_simple_action_new(action->name, NULL);
        g_signal_connect(simple, "activate", G_CALLBACK(on_activate), view);
        g_action_map_add_action(G_ACTION_MAP(view->window), G_ACTION(simple));
        g_object_unref(simple);
    }
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), view);
    g_signal_connect(keys, "key-released", G_CALLBACK(on_key_up), view);
    gtk_widget_add_controller(GTK_WIDGET(view->window), keys);
}

GMenu *actions_menu(const char *const *names)
{
    GMenu *menu = g_menu_new();
    GMenu *section = g_menu_new();
    for (int k = 0; names[k]; k++) {
        if (strcmp(names[k], "-") == 0) {
            g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
            g_object_unref(section);
            section = g_menu_new();
            continue;
        }
        const Action *action = action_find(names[k]);
        g_assert(action);
        char *detailed = g_strconcat("win.", action->name, NULL);
        GMenuItem *item = g_menu_item_new(action->title, detailed);
        char **keys = g_strsplit(action->keys, " ", 0);
        if (keys[0] && keys[0][0]) // shown beside the title; the keys themselves are ours
            g_menu_item_set_attribute(item, "accel", "s", keys[0]);
        g_menu_append_item(section, item);
        g_strfreev(keys);
        g_free(detailed);
        g_object_unref(item);
    }
    g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
    g_object_unref(section);
    return menu;
}
