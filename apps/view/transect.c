// Heights, water, ice and what lies over the land along a line, plotted with cairo.
#include "transect.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 512 };

struct Transect {
    View *view;
    GtkWidget *area;
    bool is_there;
    double from[2], to[2];
    float ground[SAMPLES], top[SAMPLES], ice[SAMPLES], over[SAMPLES];
    bool has_water, has_ice, has_over;
    double low, high, over_low, over_high, rise; // rise: climbed on the way, m
};

// ---- values along the line ----

// Between cell centres; beyond the last the edge's.
static float sample(const SiltField *field, double x, double y)
{
    x = CLAMP(x, 0.0, field->width - 1.0);
    y = CLAMP(y, 0.0, field->height - 1.0);
    int i = MIN((int)x, MAX(field->width - 2, 0)), j = MIN((int)y, MAX(field->height - 2, 0));
    int right = MIN(i + 1, field->width - 1), below = MIN(j + 1, field->height - 1);
    float u = (float)(x - i), v = (float)(y - j);
    return (1.0f - v) * ((1.0f - u) * silt_field_at(field, i, j) + u * silt_field_at(field, right, j)) +
           v * ((1.0f - u) * silt_field_at(field, i, below) + u * silt_field_at(field, right, below));
}

static void read_along(Transect *t, const SiltTerrain *terrain)
{
    const SiltField *height = silt_terrain_layer(terrain, "height"),
                    *water = silt_terrain_layer(terrain, "water"), *ice = silt_terrain_layer(terrain, "ice"),
                    *over =
                        t->view->look.overlay[0] ? silt_terrain_layer(terrain, t->view->look.overlay) : NULL;
    t->low = t->over_low = INFINITY;
    t->high = t->over_high = -INFINITY;
    t->rise = 0.0;
    t->has_water = water != NULL;
    t->has_ice = ice != NULL;
    t->has_over = over != NULL;
    for (int k = 0; k < SAMPLES; k++) {
        double share = (double)k / (SAMPLES - 1);
        double x = (t->from[0] + share * (t->to[0] - t->from[0])) / terrain->cell - 0.5;
        double y = terrain->height - 0.5 - (t->from[1] + share * (t->to[1] - t->from[1])) / terrain->cell;
        t->ground[k] = sample(height, x, y);
        t->ice[k] = t->ground[k] + (ice ? sample(ice, x, y) : 0.0f);
        t->top[k] = t->ice[k] + (water ? sample(water, x, y) : 0.0f);
        t->over[k] = over ? sample(over, x, y) : 0.0f;
        t->low = fmin(t->low, (double)t->ground[k]);
        t->high = fmax(t->high, (double)t->top[k]);
        t->over_low = fmin(t->over_low, (double)t->over[k]);
        t->over_high = fmax(t->over_high, (double)t->over[k]);
        if (k > 0)
            t->rise += fmax(0.0, (double)(t->ground[k] - t->ground[k - 1]));
    }
}

// ---- the plot ----

typedef struct Frame {
    double left, top, width, height;
} Frame;

static void trace(const Frame *f, cairo_t *cairo, const float *values, double low, double high, bool closes)
{
    for (int k = 0; k < SAMPLES; k++) {
        double x = f->left + f->width * k / (SAMPLES - 1);
        double share = high > low ? ((double)values[k] - low) / (high - low) : 0.5;
        double y = f->top + f->height * (1.0 - share);
        if (k == 0)
            cairo_move_to(cairo, x, y);
        else
            cairo_line_to(cairo, x, y);
    }
    if (!closes)
        return;
    cairo_line_to(cairo, f->left + f->width, f->top + f->height);
    cairo_line_to(cairo, f->left, f->top + f->height);
    cairo_close_path(cairo);
}

static void colour(GtkWidget *widget, cairo_t *cairo, const char *name, double alpha)
{
    GdkRGBA found = {0.6f, 0.6f, 0.6f, 1.0f};
    gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, &found);
    cairo_set_source_rgba(cairo, (double)found.red, (double)found.green, (double)found.blue, alpha);
}

static void write_at(GtkWidget *widget, cairo_t *cairo, double x, double y, double align, const char *text)
{
    PangoLayout *layout = gtk_widget_create_pango_layout(widget, text);
    PangoAttrList *small = pango_attr_list_new();
    pango_attr_list_insert(small, pango_attr_scale_new(0.8));
    pango_layout_set_attributes(layout, small);
    int width, height;
    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_move_to(cairo, x - align * width, y - 0.5 * height);
    pango_cairo_show_layout(cairo, layout);
    pango_attr_list_unref(small);
    g_object_unref(layout);
}

// 1, 2 or 5 times a power of ten, so that there are three to six lines.
static double step_for(double span)
{
    double step = pow(10.0, floor(log10(fmax(span, 1e-9))));
    return span / step < 2.0 ? 0.2 * step : span / step < 5.0 ? 0.5 * step : step;
}

static void draw_scale(const Transect *t, GtkWidget *widget, cairo_t *cairo, const Frame *f, double low,
                       double high)
{
    char text[64];
    double step = step_for(high - low);
    cairo_set_line_width(cairo, 1.0);
    for (double at = ceil(low / step) * step; at <= high; at += step) {
        double y = floor(f->top + f->height * (high - at) / (high - low)) + 0.5;
        colour(widget, cairo, "silt_line", 0.8);
        cairo_move_to(cairo, f->left, y);
        cairo_line_to(cairo, f->left + f->width, y);
        cairo_stroke(cairo);
        colour(widget, cairo, "silt_quiet", 1.0);
        g_snprintf(text, sizeof text, "%.4g m", fabs(at) < 1e-9 * step ? 0.0 : at);
        write_at(widget, cairo, f->left - 6.0, y, 1.0, text);
    }
    double length = hypot(t->to[0] - t->from[0], t->to[1] - t->from[1]);
    colour(widget, cairo, "silt_quiet", 1.0);
    g_snprintf(text, sizeof text, "%.4g %s, climbs %.4g m, heights × %.2g",
               length >= 1000.0 ? length / 1000.0 : length, length >= 1000.0 ? "km" : "m", t->rise,
               (f->height / fmax(high - low, 1e-9)) / (f->width / fmax(length, 1e-9)));
    write_at(widget, cairo, f->left + 0.5 * f->width, f->top + f->height + 10.0, 0.5, text);
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer user)
{
    const Transect *t = user;
    GtkWidget *widget = GTK_WIDGET(area);
    Frame f = {64.0, 8.0, width - 64.0 - (t->has_over ? 56.0 : 16.0), height - 28.0};
    if (!t->is_there || f.width < 10.0 || f.height < 10.0)
        return;
    double room = fmax(0.05 * (t->high - t->low), 1e-3), low = t->low - room, high = t->high + room;
    draw_scale(t, widget, cairo, &f, low, high);
    if (t->has_water) {
        trace(&f, cairo, t->top, low, high, true);
        cairo_set_source_rgba(cairo, 0.25, 0.6, 0.95, 0.9);
        cairo_fill(cairo);
    }
    if (t->has_ice) {
        trace(&f, cairo, t->ice, low, high, true);
        cairo_set_source_rgba(cairo, 0.85, 0.93, 0.98, 1.0);
        cairo_fill(cairo);
    }
    trace(&f, cairo, t->ground, low, high, true);
    cairo_set_source_rgba(cairo, 0.55, 0.48, 0.40, 1.0);
    cairo_fill(cairo);
    trace(&f, cairo, t->ground, low, high, false);
    colour(widget, cairo, "silt_text", 1.0);
    cairo_set_line_width(cairo, 1.5);
    cairo_stroke(cairo);
    if (t->has_over && t->over_high > t->over_low) {
        char text[32];
        trace(&f, cairo, t->over, t->over_low, t->over_high, false);
        colour(widget, cairo, "silt-accent", 1.0);
        cairo_stroke(cairo);
        g_snprintf(text, sizeof text, "%.3g", t->over_high);
        write_at(widget, cairo, f.left + f.width + 6.0, f.top + 4.0, 0.0, text);
        g_snprintf(text, sizeof text, "%.3g", t->over_low);
        write_at(widget, cairo, f.left + f.width + 6.0, f.top + f.height - 4.0, 0.0, text);
    }
}

// ---- making it ----

enum { WIDEST = 480, NARROWEST = 200 };

void transect_fit(Transect *transect, int room)
{
    gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(transect->area), CLAMP(room, NARROWEST, WIDEST));
}

Transect *transect_create(View *view)
{
    Transect *t = g_new0(Transect, 1);
    t->view = view;
    t->area = gtk_drawing_area_new();
    transect_fit(t, WIDEST);
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(t->area), 160);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(t->area), draw, t, NULL);
    gtk_widget_set_visible(t->area, FALSE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(t->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Heights along the line", -1);
    return t;
}

void transect_destroy(Transect *transect)
{
    g_free(transect);
}

GtkWidget *transect_widget(Transect *transect)
{
    return transect->area;
}

void transect_set(Transect *transect, const double from[2], const double to[2])
{
    memcpy(transect->from, from, sizeof transect->from);
    memcpy(transect->to, to, sizeof transect->to);
    transect->is_there = hypot(to[0] - from[0], to[1] - from[1]) > 0.0;
    gtk_widget_set_visible(transect->area, transect->is_there);
    transect_refresh(transect);
}

void transect_clear(Transect *transect)
{
    transect->is_there = false;
    gtk_widget_set_visible(transect->area, FALSE);
}

bool transect_line(const Transect *transect, double from[2], double to[2])
{
    memcpy(from, transect->from, sizeof transect->from);
    memcpy(to, transect->to, sizeof transect->to);
    return transect->is_there;
}

void transect_refresh(Transect *transect)
{
    if (!transect->is_there || !transect->view->terrain)
        return;
    read_along(transect, transect->view->terrain);
    gtk_widget_queue_draw(transect->area);
}
