// One style sheet, two sets of colours.
#include "theme.h"

static GtkCssProvider *colours;
static bool is_dark;

void theme_set_dark(bool dark)
{
    is_dark = dark;
    g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", dark, NULL);
    gtk_css_provider_load_from_resource(colours, dark ? "/silt/view/dark.css" : "/silt/view/light.css");
}

bool theme_is_dark(void)
{
    return is_dark;
}

void theme_install(bool dark)
{
    GdkDisplay *display = gdk_display_get_default();
    GtkCssProvider *style = gtk_css_provider_new();
    colours = gtk_css_provider_new();
    gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(colours),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(style),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
    theme_set_dark(dark);
    gtk_css_provider_load_from_resource(style, "/silt/view/style.css");
    g_object_unref(style);
    if (!gdk_display_is_composited(display)) {
        GtkCssProvider *opaque = gtk_css_provider_new();
        gtk_css_provider_load_from_resource(opaque, "/silt/view/opaque.css");
        gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(opaque),
                                                   GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 2);
        g_object_unref(opaque);
    }
    gtk_icon_theme_add_resource_path(gtk_icon_theme_get_for_display(display), "/silt/view/icons");
}
