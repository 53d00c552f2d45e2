// Where no card draws, GTK would take the pictures of a GtkGLArea apart and together again, which costs a
// third of what drawing them does. There the area only has the context and hears the hand; its pictures go
// through memory onto a sheet that lies over it, small ones as small as they are.
#include <epoxy/gl.h>
#include <string.h>

#include "land_inside.h"

// ---- the sheet ----

static void draw_sheet(GtkDrawingArea *sheet, cairo_t *cairo, int width, int height, gpointer user)
{
    (void)sheet;
    const Land *land = user;
    cairo_set_source_rgb(cairo, 0.62, 0.72, 0.82); // sky, where there is no land yet
    if (land->print) {
        cairo_scale(cairo, (double)width / cairo_image_surface_get_width(land->print),
                    (double)height / cairo_image_surface_get_height(land->print));
        cairo_set_source_surface(cairo, land->print, 0.0, 0.0);
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BILINEAR);
    }
    cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE);
    cairo_paint(cairo);
}

// The area below is not drawn and does not hear of it.
static void on_sheet_resize(GtkDrawingArea *sheet, int width, int height, Land *land)
{
    (void)sheet;
    if (!land->prints)
        return;
    gtk_gl_area_make_current(GTK_GL_AREA(land->area));
    double scale = land_scale(land);
    g_signal_emit_by_name(land->area, "resize", (int)(width * scale), (int)(height * scale));
}

GtkWidget *land_sheet_make(Land *land)
{
    land->sheet = gtk_drawing_area_new();
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(land->sheet), draw_sheet, land, NULL);
    gtk_widget_set_can_target(land->sheet, FALSE);
    gtk_widget_set_visible(land->sheet, FALSE);
    g_signal_connect(land->sheet, "resize", G_CALLBACK(on_sheet_resize), land);
    return land->sheet;
}

// ---- room ----

// The frame has been drawn, and all that GTK lays over it.
static void on_frame_end(GdkFrameClock *clock, Land *land)
{
    (void)clock;
    player_make_room(land->view->player, 0.0);
}

void land_make_room(Land *land)
{
    static const double longest = 0.2; // seconds; a frame may never end
    if (land->clock)
        player_make_room(land->view->player, longest);
}

static void hear_frames(Land *land)
{
    land->clock = gtk_widget_get_frame_clock(land->area);
    if (land->clock)
        g_signal_connect(land->clock, "after-paint", G_CALLBACK(on_frame_end), land);
}

static void stop_hearing(Land *land)
{
    if (land->clock)
        g_signal_handlers_disconnect_by_data(land->clock, land);
    land->clock = NULL;
}

void land_sheet_begin(Land *land)
{
    const char *name = (const char *)glGetString(GL_RENDERER), *by = g_getenv("GSK_RENDERER");
    bool by_cairo = by && strcmp(by, "cairo") == 0; // else it stays where it is drawn
    land->prints = by_cairo && name && (strstr(name, "llvmpipe") || strstr(name, "softpipe"));
    gtk_widget_set_visible(land->sheet, land->prints);
    gtk_widget_set_opacity(land->area, land->prints ? 0.0 : 1.0);
    if (land->prints)
        hear_frames(land);
}

void land_sheet_end(Land *land)
{
    stop_hearing(land);
    g_clear_pointer(&land->print, cairo_surface_destroy);
    g_clear_pointer(&land->read, g_free);
    land->read_bytes = 0;
}

// ---- pictures ----

// One that is shown still is not written to: cairo would copy it before.
static bool require_print(Land *land, const int size[2])
{
    g_clear_pointer(&land->print, cairo_surface_destroy);
    land->print = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size[0], size[1]);
    if (cairo_surface_status(land->print) == CAIRO_STATUS_SUCCESS)
        return true;
    g_clear_pointer(&land->print, cairo_surface_destroy);
    return false;
}

void land_sheet_take(Land *land, const int size[2])
{
    size_t row = (size_t)size[0] * 4, bytes = row * (size_t)size[1];
    if (size[0] < 1 || size[1] < 1 || !require_print(land, size))
        return;
    if (bytes > land->read_bytes) {
        g_free(land->read);
        land->read = g_malloc(bytes);
        land->read_bytes = bytes;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, size[0], size[1], GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, land->read);
    cairo_surface_flush(land->print);
    guchar *to = cairo_image_surface_get_data(land->print);
    size_t stride = (size_t)cairo_image_surface_get_stride(land->print);
    for (int j = 0; j < size[1]; j++) // rows come from the lower edge up
        memcpy(to + (size_t)j * stride, land->read + (size_t)(size[1] - 1 - j) * row, row);
    cairo_surface_mark_dirty(land->print);
    gtk_widget_queue_draw(land->sheet);
}
