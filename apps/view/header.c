// The header bar.
#include "header.h"

#include "actions.h"
#include "looks.h"
#include "menus.h"

void view_refresh_title(View *view)
{
    char *name = view->path   ? g_path_get_basename(view->path)
                 : view->name ? g_strdup(view->name)
                              : g_strdup("Untitled");
    bool changed = silt_stack_is_changed(view->stack) || view->recovered;
    char *title = g_strdup_printf("%s%s", name, changed ? " •" : "");
    char *whole = g_strdup_printf("Silt — %s", title);
    gtk_label_set_text(GTK_LABEL(view->title), title);
    view_set_tip(view->title, view->path ? view->path : "Not saved yet (Ctrl+S)");
    gtk_window_set_title(view->window, whole);
    g_free(whole);
    g_free(title);
    g_free(name);
}

void header_refresh(View *view)
{
    const char *const names[] = {silt_stack_undo_name(view->stack), silt_stack_redo_name(view->stack)};
    GtkWidget *const buttons[] = {view->undo_button, view->redo_button};
    for (int k = 0; k < 2; k++) {
        char *tip = g_strdup_printf("%s%s%s (Ctrl+%c)", k ? "Redo" : "Undo", names[k] ? ": " : "",
                                    names[k] ? names[k] : "", k ? 'Y' : 'Z');
        view_set_tip(buttons[k], tip);
        g_free(tip);
    }
}

static GtkWidget *icon_button(const char *icon, const char *action, const char *name)
{
    GtkWidget *button = gtk_button_new_from_icon_name(icon);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    gtk_widget_set_focus_on_click(button, FALSE);
    gtk_widget_set_tooltip_text(button, name);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    return button;
}

static GtkWidget *main_menu(void)
{
    static const char *const names[] = {
        "new",        "open",  "recent",    "presets", "scenes",  "-",     "save", "save-as", "export",
        "picture",    "film",  "turntable", "-",       "palette", "find",  "keys", "-",       "fold",
        "fullscreen", "theme", "device",    "-",       "welcome", "about", "quit", NULL};
    GMenu *menu = actions_menu(names);
    GtkWidget *button = gtk_menu_button_new();
    gtk_widget_set_name(button, "menu");
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "open-menu-symbolic");
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    menus_cut_tail(button);
    gtk_widget_set_focus_on_click(button, FALSE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Menu", -1);
    g_object_unref(menu);
    return button;
}

void header_make(View *view)
{
    GtkWidget *bar = gtk_header_bar_new();
    view->undo_button = icon_button("edit-undo-symbolic", "win.undo", "Undo");
    view->redo_button = icon_button("edit-redo-symbolic", "win.redo", "Redo");
    GtkWidget *stage = gtk_button_new_with_label("+ Stage");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(stage), "win.add-stage");
    gtk_widget_set_focus_on_click(stage, FALSE);
    gtk_widget_set_tooltip_text(stage, "Add a stage behind the picked one (Ctrl+Shift+A)");
    GtkWidget *export = gtk_button_new_with_label("Export");
    gtk_widget_add_css_class(export, "export");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(export), "win.export");
    gtk_widget_set_focus_on_click(export, FALSE);
    gtk_widget_set_valign(export, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text(export, "Heights or a mesh into a file (Ctrl+E)");
    view->title = gtk_label_new("");
    gtk_widget_add_css_class(view->title, "title");
    gtk_label_set_ellipsize(GTK_LABEL(view->title), PANGO_ELLIPSIZE_MIDDLE);
    gtk_header_bar_set_title_widget(GTK_HEADER_BAR(bar), view->title);
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), main_menu());
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), stage);
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), view->undo_button);
    gtk_header_bar_pack_start(GTK_HEADER_BAR(bar), view->redo_button);
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), export);
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), overlay_button(view));
    gtk_header_bar_pack_end(GTK_HEADER_BAR(bar), looks_button(view));
    gtk_window_set_titlebar(view->window, bar);
}
