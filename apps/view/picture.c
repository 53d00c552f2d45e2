// A picture of the land as it is seen.
#include <string.h>

#include "actions.h"
#include "dialogs.h"
#include "files.h"
#include "land.h"

bool files_picture(View *view, const char *path, int width, int height)
{
    SiltImage image = {0};
    gtk_gl_area_make_current(GTK_GL_AREA(land_widget(view->land)));
    bool fine = view_ok(view, silt_image_write_check(path)) &&
                view_ok(view, silt_viewer_picture(view->viewer, width, height, &image)) &&
                view_ok(view, silt_image_write(&image, path));
    silt_image_destroy(&image);
    view_queue_draw(view);
    return fine;
}

static void on_picture(GtkNativeDialog *dialog, int response, View *view)
{
    char *path = dialogs_path(dialog, response);
    const char *size = gtk_file_chooser_get_choice(GTK_FILE_CHOOSER(dialog), "size");
    int width = gtk_widget_get_width(land_widget(view->land)),
        height = gtk_widget_get_height(land_widget(view->land));
    double scale = land_scale(view->land);
    int wanted = size && strcmp(size, "4k") == 0 ? 3840 : size && strcmp(size, "hd") == 0 ? 1920 : 0;
    bool fine = false;
    if (path && wanted)
        fine = files_picture(view, path, wanted, wanted * 9 / 16);
    else if (path && width > 0 && height > 0)
        fine = files_picture(view, path, (int)(width * scale), (int)(height * scale));
    if (fine)
        view_say(view, "The picture lies in %s", path);
    g_free(path);
}

void act_picture(View *view, int value)
{
    (void)value;
    static const char *ids[] = {"seen", "hd", "4k", NULL};
    static const char *labels[] = {"as it is seen", "1920 × 1080", "3840 × 2160", NULL};
    GtkFileChooserNative *dialog =
        dialogs_file(view, "Save a picture", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save picture");
    if (!dialog)
        return;
    if (dialogs_is_new(dialog))
        gtk_file_chooser_add_choice(GTK_FILE_CHOOSER(dialog), "size", "Size", ids, labels);
    gtk_file_chooser_set_choice(GTK_FILE_CHOOSER(dialog), "size", "seen");
    char *name = files_suggest_name(view, ".png");
    dialogs_add_filter(dialog, "Pictures", "*.png *.ppm");
    dialogs_suggest(dialog, name, "*.png *.ppm");
    g_free(name);
    dialogs_ask(dialog, G_CALLBACK(on_picture), view, G_OBJECT(view->window));
}
