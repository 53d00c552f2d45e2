// What the actions of the stack and of the window do.
#include <string.h>

#include "actions.h"
#include "files.h"
#include "finder.h"
#include "keys.h"
#include "land.h"
#include "panel.h"
#include "param_row.h"
#include "play.h"
#include "settings.h"
#include "silt/generate.h"
#include "stack_list.h"
#include "theme.h"
#include "tools.h"
#include "welcome.h"

// ---- undo ----

static void after_undo(View *view)
{
    int count = silt_stack_count(view->stack, view->place);
    if (view->index >= count)
        view->index = count > 0 ? count - 1 : 0;
    if (count == 0) {
        view->place = SILT_IN_TERRAIN;
        view->index = 0;
    }
    view_hands_changed(view); // what was undone may have been done by hand
}

void act_undo(View *view, int value)
{
    (void)value;
    if (play_undo(view))
        return;
    const char *name = silt_stack_undo_name(view->stack);
    view_say(view, "Undone: %s", name ? name : "the last change");
    if (view_ok(view, silt_stack_undo(view->stack)))
        after_undo(view);
}

void act_redo(View *view, int value)
{
    (void)value;
    if (play_redo(view))
        return;
    const char *name = silt_stack_redo_name(view->stack);
    view_say(view, "Done again: %s", name ? name : "the last change");
    if (view_ok(view, silt_stack_redo(view->stack)))
        after_undo(view);
}

// ---- stages ----

static void insert_stage(View *view, const FoundItem *item)
{
    SiltPlace place = (SiltPlace)item->place;
    int count = silt_stack_count(view->stack, place);
    int at = view->place == place ? view->index + 1 : view->place == SILT_IN_TERRAIN ? 0 : count;
    at = at > count || place == SILT_IN_OUTPUTS ? count : at;
    play_make_way(view, place, at);
    if (!view_ok(view, silt_stack_insert(view->stack, place, at, item->name, item->other)))
        return;
    view->place = place;
    view->index = at;
    view->up_to_here = place == SILT_IN_STAGES; // what it does is seen
    view_hands_changed(view);
}

static void add_choices(GPtrArray *items, const SiltStage *stage)
{
    bool output = strcmp(stage->section, "outputs") == 0;
    FoundItem *item;
    if (stage->subject == SILT_SUBJECT_MODEL) {
        for (int k = 0; k < silt_model_count(); k++) {
            const SiltModel *model = silt_model_at(k);
            item = found_items_add(items, "Erosion", silt_model_name(model), silt_model_summary(model), NULL);
            item->place = SILT_IN_STAGES;
            item->name = stage->name;
            item->other = silt_model_name(model);
        }
    } else if (stage->subject == SILT_SUBJECT_GENERATOR) {
        for (int k = 0; k < silt_generator_count(); k++) {
            const SiltGenerator *generator = silt_generator_at(k);
            item = found_items_add(items, "Generators", generator->name, generator->summary, NULL);
            item->place = SILT_IN_STAGES;
            item->name = stage->name;
            item->other = generator->name;
        }
    } else {
        static const char *const subjects[] = {
            [SILT_SUBJECT_LAYER] = "height", [SILT_SUBJECT_SIZE] = "512", [SILT_SUBJECT_INPUT] = "file.tif"};
        static const char *const outputs[][2] = {
            {"write", "out/height.tif"},       {"render", "out/preview.png"}, {"maps", "out/maps"},
            {"vectors", "out/rivers.geojson"}, {"report", "out/report.json"}, {"sheet", "out/sheet.png"}};
        const char *subject = stage->subject < G_N_ELEMENTS(subjects) ? subjects[stage->subject] : NULL;
        for (size_t k = 0; k < G_N_ELEMENTS(outputs); k++)
            if (strcmp(stage->name, outputs[k][0]) == 0)
                subject = outputs[k][1];
        subject = subject ? subject : "by hand";
        item = found_items_add(items, output ? "Outputs" : "Layers and shape", stage->name, stage->summary,
                               NULL);
        item->place = output ? SILT_IN_OUTPUTS : SILT_IN_STAGES;
        item->name = stage->name;
        item->other = subject;
    }
}

void act_add_stage(View *view, int value)
{
    (void)value;
    GPtrArray *items = found_items_new();
    for (int k = 0; k < silt_stage_count(); k++)
        if (strcmp(silt_stage_at(k)->section, "terrain") != 0)
            add_choices(items, silt_stage_at(k));
    finder_open(view->finder, "Add a stage: what shall happen to the land?", items, insert_stage);
}

static SiltStatus all_defaults(View *view)
{
    SiltEntry entry;
    SiltStatus status = silt_stack_entry(view->stack, view->place, view->index, &entry);
    const SiltParamTable *table = status == SILT_OK ? entry.tables[SILT_KEYS_SET] : NULL;
    silt_stack_begin_stroke(view->stack);
    for (int k = 0; table && status == SILT_OK && k < table->count; k++)
        if (silt_stack_written(view->stack, view->place, view->index, SILT_KEYS_SET, table->items[k].name))
            status = silt_stack_set(view->stack, view->place, view->index, SILT_KEYS_SET,
                                    table->items[k].name, NULL);
    silt_stack_end_stroke(view->stack);
    return status;
}

void act_stage(View *view, int verb)
{
    SiltStack *stack = view->stack;
    SiltPlace place = view->place;
    int index = view->index;
    SiltEntry entry;
    if (verb == STAGE_REMOVE && tools_delete(view->tools)) // a source that is chosen on the land goes first
        return;
    SiltStatus status = silt_stack_entry(stack, place, index, &entry);
    if (status != SILT_OK)
        return;
    bool stays = verb == STAGE_SWITCH || verb == STAGE_DEFAULTS; // where it stands
    play_make_way(view, stays ? SILT_IN_OUTPUTS : place,
                  verb == STAGE_UP          ? index - 1
                  : verb == STAGE_DUPLICATE ? index + 1
                                            : index);
    if (verb == STAGE_REMOVE)
        status = silt_stack_remove(stack, place, index);
    else if (verb == STAGE_DUPLICATE)
        status = silt_stack_duplicate(stack, place, index);
    else if (verb == STAGE_SWITCH)
        status = silt_stack_enable(stack, place, index, !entry.enabled);
    else if (verb == STAGE_UP || verb == STAGE_DOWN)
        status = silt_stack_move(stack, place, index, verb == STAGE_UP ? index - 1 : index + 1);
    else
        status = all_defaults(view);
    if (!view_ok(view, status))
        return;
    view->index += verb == STAGE_UP ? -1 : verb == STAGE_DOWN || verb == STAGE_DUPLICATE ? 1 : 0;
    after_undo(view);
}

void act_up_to_here(View *view, int value)
{
    (void)value;
    view->up_to_here = !view->up_to_here;
    view_say(view,
             view->up_to_here ? "The land after the picked stage (Z: at the end)" : "The land at the end");
    view_changed(view);
}

void act_pick(View *view, int step)
{
    int counts[3], at = 0, total = 0;
    for (int place = 0; place < 3; place++) {
        counts[place] = silt_stack_count(view->stack, (SiltPlace)place);
        at += place < (int)view->place ? counts[place] : 0;
        total += counts[place];
    }
    at = CLAMP(at + view->index + step, 0, total - 1);
    int place = 0;
    for (; place < 2 && at >= counts[place]; place++)
        at -= counts[place];
    view_select(view, (SiltPlace)place, at);
}

// ---- finding ----

static void reveal_parameter(View *view, const FoundItem *item)
{
    view_select(view, (SiltPlace)item->place, item->index);
    panel_reveal(view->panel, item->name);
}

void act_find_parameter(View *view, int value)
{
    (void)value;
    GPtrArray *items = found_items_new();
    for (int place = 0; place < 3; place++)
        for (int k = 0; k < silt_stack_count(view->stack, (SiltPlace)place); k++) {
            SiltEntry entry;
            if (silt_stack_entry(view->stack, (SiltPlace)place, k, &entry) != SILT_OK)
                continue;
            char *stage = entry_title(&entry);
            for (int keys = 0; keys < 3; keys++)
                for (int p = 0; entry.tables[keys] && p < entry.tables[keys]->count; p++) {
                    const SiltParam *param = &entry.tables[keys]->items[p];
                    char *title = param_title(param->name);
                    char *shown = entry.params[keys]
                                      ? silt_params_value(entry.tables[keys], entry.params[keys], p)
                                      : NULL;
                    char *detail = g_strdup_printf("%s — %s", stage, param->help);
                    FoundItem *item =
                        found_items_add(items, NULL, title, detail,
                                        shown && strlen(shown) < 16 && strcmp(shown, "nan") ? shown : NULL);
                    item->place = place;
                    item->index = k;
                    item->name = param->name;
                    silt_free(shown);
                    g_free(detail);
                    g_free(title);
                }
            g_free(stage);
        }
    finder_open(view->finder, "Find a parameter of any stage", items, reveal_parameter);
}

static void run_action(View *view, const FoundItem *item)
{
    g_action_group_activate_action(G_ACTION_GROUP(view->window), item->name, NULL);
}

void act_palette(View *view, int value)
{
    (void)value;
    GPtrArray *items = found_items_new();
    for (int k = 0; k < action_count(); k++) {
        const Action *action = action_at(k);
        if (!action_is_there(view, action) || strcmp(action->name, "palette") == 0)
            continue;
        char *key = action_key_text(action);
        FoundItem *item = found_items_add(items, action->group, action->title, "", key);
        item->name = action->name;
        g_free(key);
    }
    finder_open(view->finder, "What would you like to do?", items, run_action);
}

// ---- the window ----

void act_keys(View *view, int value)
{
    (void)value;
    if (keys_are_open(view))
        keys_close(view);
    else
        keys_open(view);
}

void act_about(View *view, int value)
{
    (void)value;
    gtk_show_about_dialog(view->window, "program-name", "Silt", "version", silt_version(), "logo-icon-name",
                          "silt", "comments", "Makes mountains and wears them down with water.", "license",
                          "Apache-2.0", NULL);
}

void act_fullscreen(View *view, int value)
{
    (void)value;
    if (gtk_window_is_fullscreen(view->window))
        gtk_window_unfullscreen(view->window);
    else
        gtk_window_fullscreen(view->window);
}

void act_fold(View *view, int value)
{
    (void)value;
    view_fold(view, !view->folded);
}

// From where the keyboard is to the next of the parts that are in sight.
void act_focus(View *view, int value)
{
    (void)value;
    GtkWidget *focus = gtk_window_get_focus(view->window);
    GtkWidget *const parts[] = {land_widget(view->land), view->left, view->right, view->bottom};
    int at = 0, count = (int)G_N_ELEMENTS(parts);
    for (int k = 0; k < count; k++)
        if (focus && (focus == parts[k] || gtk_widget_is_ancestor(focus, parts[k])))
            at = k;
    for (int k = 1; k <= count; k++) {
        GtkWidget *next = parts[(at + k) % count];
        bool reached = gtk_widget_get_visible(next) &&
                       (next == parts[0] ? gtk_widget_grab_focus(next)
                                         : gtk_widget_child_focus(next, GTK_DIR_TAB_FORWARD));
        if (reached)
            return;
    }
}

void act_theme(View *view, int value)
{
    (void)value;
    theme_set_dark(!theme_is_dark());
    settings_set_dark(theme_is_dark());
    land_set_look(view->land);
}

void act_close(View *view, int value)
{
    (void)value;
    gtk_window_close(view->window);
}

void act_quit(View *view, int value)
{
    (void)value;
    GList *windows = g_list_copy(gtk_application_get_windows(view->application));
    for (GList *at = windows; at; at = at->next)
        if (GTK_IS_APPLICATION_WINDOW(at->data))
            gtk_window_close(at->data);
    g_list_free(windows);
}

// The topmost thing that is open, one at a time; never the window.
void act_escape(View *view, int value)
{
    (void)value;
    GtkWidget *focus = gtk_window_get_focus(view->window);
    if (finder_is_open(view->finder))
        finder_close(view->finder);
    else if (keys_are_open(view))
        keys_close(view);
    else if (welcome_is_open(view->welcome))
        welcome_close(view->welcome);
    else if (tools_cancel(view->tools))
        view_refresh(view);
    else if (focus && focus != land_widget(view->land)) {
        panel_refresh(view->panel);
        gtk_widget_grab_focus(land_widget(view->land));
    } else if (gtk_window_is_fullscreen(view->window))
        gtk_window_unfullscreen(view->window);
    else if (view->folded)
        view_fold(view, false);
}
