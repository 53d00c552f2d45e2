// Names for those who do not see: which controls of the window have none.
#include <stdio.h>

#include "script.h"

static bool has_text(GtkWidget *widget)
{
    bool found = GTK_IS_LABEL(widget) && gtk_label_get_text(GTK_LABEL(widget))[0];
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
         child = gtk_widget_get_next_sibling(child))
        found = !GTK_IS_POPOVER(child) && has_text(child);
    return found;
}

// Whatever the keyboard comes to or a pointer presses. What a control is made of, and what only holds others
// and hands the keyboard on to them, is none.
static bool is_control(GtkWidget *widget)
{
    GtkWidget *parent = gtk_widget_get_parent(widget);
    bool inside = GTK_IS_MENU_BUTTON(parent) || GTK_IS_DROP_DOWN(parent) || GTK_IS_SCROLLBAR(parent) ||
                  GTK_IS_ENTRY(parent) || GTK_IS_SEARCH_ENTRY(parent) || GTK_IS_RANGE(parent);
    bool holds = GTK_IS_SCROLLED_WINDOW(widget) || GTK_IS_VIEWPORT(widget) || GTK_IS_POPOVER(widget) ||
                 GTK_IS_STACK(widget) || GTK_IS_LIST_BOX(widget) || GTK_IS_FLOW_BOX(widget) ||
                 GTK_IS_LIST_VIEW(widget) || GTK_IS_WINDOW(widget) || GTK_IS_PANED(widget);
    return !inside && !holds &&
           (gtk_widget_get_focusable(widget) || GTK_IS_MENU_BUTTON(widget) || GTK_IS_DROP_DOWN(widget));
}

// Prints the controls that have neither a name nor a text of their own; how many controls there are.
static int list_nameless(GtkWidget *widget, const char *where, int *nameless)
{
    char *here = g_strdup_printf("%s/%s", where, G_OBJECT_TYPE_NAME(widget));
    int count = is_control(widget);
    if (count > 0 &&
        !gtk_test_accessible_has_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL) &&
        !gtk_test_accessible_has_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY) &&
        !(GTK_IS_RANGE(widget) || GTK_IS_ENTRY(widget) || GTK_IS_SWITCH(widget) ? false : has_text(widget))) {
        const char *tip = gtk_widget_get_tooltip_text(widget);
        printf("nameless %s (%s)\n", here, tip ? tip : "");
        ++*nameless;
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
         child = gtk_widget_get_next_sibling(child))
        count += list_nameless(child, here, nameless);
    g_free(here);
    return count;
}

void script_names(View *view)
{
    int nameless = 0, count = list_nameless(GTK_WIDGET(view->window), "", &nameless);
    printf("controls %d nameless %d\n", count, nameless);
}
