// The middle of the window: the land, drawn by the viewer into a GtkGLArea, and what a hand does to the
// camera. Tools are asked first; what they do not take leads the camera.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "land_inside.h"
#include "numbers.h"
#include "play.h"
#include "seen.h"
#include "theme.h"

GtkWidget *land_widget(Land *land)
{
    return land->area;
}

double land_scale(const Land *land)
{
    return (double)gtk_widget_get_scale_factor(land->area);
}

// ---- frames ----

// Between two sights of ground that wears away, where no card draws: water runs meanwhile, for some frames.
static double ground_seconds(const Land *land)
{
    double frames = land_frames_per_second(land);
    return frames > 2.0 ? fmax(1.8, 4.0 / frames) : 2.0;
}

static void show_values(Land *land);
static void frame(Land *land);
static void paint(Land *land);

// No more frames until something happens.
static gboolean sleep_now(Land *land)
{
    land->tick = 0;
    land->last_tick = 0;
    return G_SOURCE_REMOVE;
}

static gboolean on_tick(GtkWidget *area, GdkFrameClock *clock, gpointer user)
{
    (void)area;
    Land *land = user;
    gint64 now = gdk_frame_clock_get_frame_time(clock);
    double seconds = land->last_tick ? (double)(now - land->last_tick) * 1e-6 : 1.0 / 60.0;
    land->last_tick = now;
    if (!land->drawable)
        return G_SOURCE_CONTINUE;
    seconds = seconds > 0.1 ? 0.1 : seconds; // a long frame does not throw the camera
    bool moves = land_fly_on(land, seconds);
    moves |= silt_viewer_animate(land->view->viewer, seconds);
    land->led = moves ? g_get_monotonic_time() : land->led;
    if (land->pointer_moved) {
        land->pointer_moved = false;
        show_values(land);
    }
    bool rests = now - land->last_change > REST_MICROSECONDS;
    if (moves || land->dirty) {
        land->dirty = false;
        land->best_drawn = false;
        land->last_change = now;
        paint(land);
        // sixty frames a second in which nothing happens would wake it in the middle of a model's steps
        bool alone = land->prints && !moves && is_playing(land->view, 0) && !land_is_led(land);
        return alone ? sleep_now(land) : G_SOURCE_CONTINUE;
    }
    if (rests && !is_playing(land->view, 0) && (!land->best_drawn || land->unfinished)) {
        land->best_drawn = true; // a slow card draws the best picture part by part
        paint(land);
        return G_SOURCE_CONTINUE;
    }
    return rests ? sleep_now(land) : G_SOURCE_CONTINUE; // the next picture of a run will call
}

void land_wake(Land *land)
{
    if (!land->tick)
        land->tick = gtk_widget_add_tick_callback(land->area, on_tick, land, NULL);
}

void land_queue_draw(Land *land)
{
    land->dirty = true;
    land_wake(land);
}

void land_hold(Land *land)
{
    land->last_change = g_get_monotonic_time();
}

// Pixels of the area; false: there is nothing to draw.
static bool size_of(const Land *land, int size[2])
{
    double scale = land_scale(land);
    size[0] = (int)(gtk_widget_get_width(land->area) * scale);
    size[1] = (int)(gtk_widget_get_height(land->area) * scale);
    return land->drawable && land->view->terrain && size[0] > 0 && size[1] > 0;
}

// Into the framebuffer that is bound, or one of the viewer's own.
static SiltStatus draw(Land *land, const int size[2], int framebuffer, bool best, int drawn[2])
{
    SiltViewer *viewer = land->view->viewer;
    return land->prints ? silt_viewer_draw_apart(viewer, size[0], size[1], best, drawn)
                        : silt_viewer_draw(viewer, (unsigned)framebuffer, size[0], size[1], best);
}

static void make_picture(Land *land, const int size[2], int drawn[2])
{
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    SiltStatus status = draw(land, size, framebuffer, land->best_drawn, drawn);
    if (status == SILT_OK && !land->has_framed && land->view->terrain) { // now it knows how large it is seen
        land->has_framed = true;
        frame(land);
        status = draw(land, size, framebuffer, false, drawn);
        land_queue_draw(land);
    }
    if (status != SILT_OK)
        land_say(land, silt_message());
    land->known[0] = size[0];
    land->known[1] = size[1];
    land->first = land->first ? land->first : g_get_monotonic_time();
    land->unfinished = land->best_drawn && silt_viewer_is_unfinished(land->view->viewer);
    land->frames[land->frame_at++ % FRAMES] = g_get_monotonic_time();
}

static gboolean on_render(GtkGLArea *area, GdkGLContext *context, Land *land)
{
    (void)area;
    (void)context;
    int size[2], drawn[2];
    if (!land->prints && size_of(land, size)) {
        make_picture(land, size, drawn);
    } else { // sky
        glClearColor(0.62f, 0.72f, 0.82f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    return TRUE;
}

static void paint(Land *land)
{
    int size[2], drawn[2];
    if (!land->prints) {
        gtk_gl_area_queue_render(GTK_GL_AREA(land->area));
    } else if (size_of(land, size)) {
        land_make_room(land);
        gtk_gl_area_make_current(GTK_GL_AREA(land->area));
        bool thrifty = is_playing(land->view, 0) && !land_is_led(land);
        silt_viewer_set_thrifty(land->view->viewer, thrifty);
        player_spare_layers(land->view->player,
                            thrifty && !land->view->look.overlay[0] ? ground_seconds(land) : 0.0);
        make_picture(land, size, drawn);
        land_sheet_take(land, drawn);
    }
}

double land_frames_per_second(const Land *land)
{
    gint64 now = g_get_monotonic_time(), first = now;
    int count = 0;
    for (int k = 0; k < FRAMES; k++)
        if (land->frames[k] && now - land->frames[k] < G_USEC_PER_SEC) {
            count++;
            first = land->frames[k] < first ? land->frames[k] : first;
        }
    double span = count == FRAMES ? (double)(now - first) * 1e-6 : 1.0;
    return count / (span > 1e-3 ? span : 1e-3);
}

void land_show_values(Land *land, bool shown)
{
    land->quiet = !shown;
    land->pointer_moved = true;
}

bool land_is_led(const Land *land)
{
    return land->leads != LEADS_NOTHING || land->fly != 0 ||
           g_get_monotonic_time() - land->led < REST_MICROSECONDS;
}

bool land_is_finished(const Land *land)
{
    return land->best_drawn && !land->unfinished && !land->dirty;
}

gint64 land_first_picture(const Land *land)
{
    return land->first;
}

int land_frames_drawn(const Land *land)
{
    return land->frame_at;
}

// ---- the viewer ----

void land_say(Land *land, const char *text)
{
    gtk_label_set_text(GTK_LABEL(land->notice), text ? text : "");
    gtk_widget_set_visible(land->notice, text && text[0]);
}

const char *land_notice(const Land *land)
{
    return gtk_label_get_text(GTK_LABEL(land->notice));
}

// All of the land, at once: the camera has been nowhere yet.
static void frame(Land *land)
{
    silt_viewer_frame_as_asked(land->view->viewer);
    SiltGaze gaze = silt_viewer_gaze(land->view->viewer);
    silt_viewer_set_gaze(land->view->viewer, &gaze, true);
}

bool land_show(Land *land)
{
    View *view = land->view;
    if (!view->terrain)
        return false;
    bool first = !land->has_framed, is_early = view->rough || view->peeks;
    SiltMotif motif = {.terrain = view->terrain, .volume = view->terrain->volume};
    if (!view_ok(view, silt_viewer_show(view->viewer, &motif)))
        return false;
    int reduction = silt_viewer_reduction(view->viewer);
    char *text = reduction > 1
                     ? g_strdup_printf("Shown by one cell for each %d × %d: it has more than a picture can. "
                                       "Files have all of them.",
                                       reduction, reduction)
                     : NULL;
    land_say(land, text);
    g_free(text);
    if (first) { // the viewer fits it to its last picture: panels that came or went since have not been seen
                 // yet
        int size[2];
        land->has_framed =
            land->sized && size_of(land, size) && size[0] == land->known[0] && size[1] == land->known[1];
        frame(land);
    } else if (land->framed_early && !is_early && !land->touched)
        silt_viewer_frame_as_asked(view->viewer); // heights of a preview are others, and so is the best place
    land->framed_early = is_early && (first || land->framed_early);
    land->pointer_moved = true;
    land_queue_draw(land);
    return true;
}

void land_touch(Land *land)
{
    land->touched = true;
}

void land_frame_next(Land *land)
{
    land->has_framed = land->touched = false;
}

void land_set_look(Land *land)
{
    View *view = land->view;
    SiltRenderOptions look = view->look;
    if (look.look ==
        SILT_LOOK_HILLSHADE) { // slopes alone, as on a map: nothing casts a shadow, the air is clear
        look.look = SILT_LOOK_GREY;
        look.shadows = false;
        look.haze = 0.0;
        look.sun_height = 45.0;
    }
    silt_viewer_set_dark(view->viewer, theme_is_dark());
    view_ok(view, silt_viewer_set_options(view->viewer, &look));
    land_queue_draw(land);
}

void land_update(Land *land, const char *layer, const SiltRect *rect, const float *values, size_t stride)
{
    View *view = land->view;
    silt_viewer_update(view->viewer, layer, rect, values, stride);
    land->pointer_moved = land->inside;
    land_queue_draw(land);
}

// A device may draw into memory that this context sees, where a card draws and its drivers can.
static void begin_sharing(Land *land)
{
    SiltShare *share;
    g_clear_pointer(&land->apart, g_free);
    if (land->prints)
        land->apart = g_strdup("no card draws the window");
    else if (silt_share_create(&share) == SILT_OK)
        player_share(land->view->player, share);
    else
        land->apart = g_strdup(silt_message());
}

const char *land_apart(const Land *land)
{
    return land->apart;
}

// Whoever leads the camera or paints goes by values that are here.
void land_ask_to_share(Land *land)
{
    double exaggeration;
    bool takes = land->drawable && !land->prints && !land_is_led(land) &&
                 silt_viewer_takes_shared(land->view->viewer, &exaggeration);
    player_take_shared(land->view->player, takes ? exaggeration : 0.0);
}

static void on_realize(GtkGLArea *area, Land *land)
{
    gtk_gl_area_make_current(area);
    GError *error = gtk_gl_area_get_error(area);
    if (error) {
        char *text = g_strdup_printf("This display draws nothing in three dimensions: %s", error->message);
        land_say(land, text);
        g_free(text);
        return;
    }
    land->drawable = true;
    land_sheet_begin(land);
    begin_sharing(land);
    land_queue_draw(land);
}

// The card forgets, the viewer does not: the next picture brings everything back, in whatever context.
static void on_unrealize(GtkGLArea *area, Land *land)
{
    gtk_gl_area_make_current(area);
    bool current = gtk_gl_area_get_error(area) == NULL && gdk_gl_context_get_current() != NULL;
    land->drawable = false;
    land_sheet_end(land);
    silt_viewer_unload(land->view->viewer, current);
    player_share(land->view->player, NULL);
}

static void on_resize(GtkGLArea *area, int width, int height, Land *land)
{
    (void)area;
    land->sized = width > 1 && height > 1;
    if (land->sized && !land->touched) // nobody has chosen another place: all of it stays in sight
        land->has_framed = false;
    land_queue_draw(land);
}

// ---- what lies under the pointer ----

static void add_layer(GString *text, const SiltTerrain *terrain, const char *name, int i, int j,
                      const char *title, const char *unit, double least)
{
    const SiltField *field = silt_terrain_layer(terrain, name);
    if (!field || i < 0 || j < 0 || i >= field->width || j >= field->height)
        return;
    double value = (double)silt_field_at(field, i, j);
    bool thin = strcmp(unit, "m") == 0 && fabs(value) < 0.01;
    char *its = unit_text(unit);
    if (fabs(value) >= least)
        g_string_append_printf(text, "   %s %.3g%s%s", title, thin ? value * 1000.0 : value,
                               unit[0] ? " " : "", thin ? "mm" : its);
    g_free(its);
}

static void show_values(Land *land)
{
    View *view = land->view;
    SiltPick pick;
    double scale = land_scale(land);
    bool on_land = land->inside && !land->quiet && view->terrain &&
                   silt_viewer_pick(view->viewer, land->pointer[0] * scale, land->pointer[1] * scale, &pick);
    gtk_widget_set_visible(land->values, on_land);
    if (!on_land)
        return;
    GString *text = g_string_new(NULL);
    bool far = view->terrain->width * view->terrain->cell >= 2000.0;
    g_string_append_printf(
        text, far ? "%.2f km E  %.2f km N   %.0f m   %.0f°" : "%.1f m E  %.1f m N   %.1f m   %.0f°",
        pick.place[0] / (far ? 1000.0 : 1.0), pick.place[1] / (far ? 1000.0 : 1.0), pick.place[2],
        pick.slope);
    add_layer(text, view->terrain, "water", pick.i, pick.j, "water", "m", 1e-4);
    add_layer(text, view->terrain, "flow", pick.i, pick.j, "flow", silt_layer_unit("flow"), 1e-3);
    if (view->look.overlay[0] && strcmp(view->look.overlay, "flow") != 0 &&
        strcmp(view->look.overlay, "water") != 0)
        add_layer(text, view->terrain, view->look.overlay, pick.i, pick.j, view->look.overlay,
                  silt_layer_unit(view->look.overlay), 0.0);
    gtk_label_set_text(GTK_LABEL(land->values), text->str);
    g_string_free(text, TRUE);
    // below what is said of the stage in sight, where there is no room for both beside each other
    GtkWidget *seen = seen_widget(view->seen);
    int wide = 0;
    gtk_widget_measure(land->values, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL, NULL);
    bool is_narrow = gtk_widget_get_visible(seen) &&
                     gtk_widget_get_width(seen) + wide > gtk_widget_get_width(land->area) - 16;
    gtk_widget_set_margin_top(land->values, is_narrow ? gtk_widget_get_height(seen) + 8 : 0);
}

// ---- making it ----

static void make_work(Land *land)
{
    land->work = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
    land->work_text = gtk_label_new("");
    land->work_line = gtk_progress_bar_new();
    gtk_widget_add_css_class(land->work, "work");
    gtk_widget_set_size_request(land->work, 240, -1);
    gtk_widget_set_halign(land->work, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(land->work, GTK_ALIGN_CENTER);
    gtk_widget_set_can_target(land->work, FALSE);
    gtk_widget_set_visible(land->work, FALSE);
    gtk_box_append(GTK_BOX(land->work), land->work_text);
    gtk_box_append(GTK_BOX(land->work), land->work_line);
}

void land_show_work(Land *land, const char *text, double share)
{
    gtk_widget_set_visible(land->work, text != NULL);
    if (!text)
        return;
    gtk_label_set_text(GTK_LABEL(land->work_text), text);
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(land->work_line), CLAMP(share, 0.0, 1.0));
}

Land *land_create(View *view)
{
    Land *land = g_new0(Land, 1);
    land->view = view;
    land->pressure = 1.0;
    land->area = gtk_gl_area_new();
    gtk_gl_area_set_required_version(GTK_GL_AREA(land->area), 3, 3);
    gtk_gl_area_set_auto_render(GTK_GL_AREA(land->area), FALSE);
    gtk_gl_area_set_has_depth_buffer(GTK_GL_AREA(land->area), TRUE);
    gtk_widget_set_focusable(land->area, TRUE);
    gtk_widget_set_hexpand(land->area, TRUE);
    gtk_widget_set_vexpand(land->area, TRUE);
    gtk_widget_set_size_request(land->area, 64, 64);
    gtk_accessible_update_property(GTK_ACCESSIBLE(land->area), GTK_ACCESSIBLE_PROPERTY_LABEL, "The land", -1);
    g_signal_connect(land->area, "realize", G_CALLBACK(on_realize), land);
    g_signal_connect(land->area, "unrealize", G_CALLBACK(on_unrealize), land);
    g_signal_connect(land->area, "render", G_CALLBACK(on_render), land);
    g_signal_connect(land->area, "resize", G_CALLBACK(on_resize), land);
    land->values = gtk_label_new("");
    gtk_widget_add_css_class(land->values, "chip");
    gtk_widget_set_halign(land->values, GTK_ALIGN_END);
    gtk_widget_set_valign(land->values, GTK_ALIGN_START);
    gtk_widget_set_can_target(land->values, FALSE);
    gtk_widget_set_visible(land->values, FALSE);
    land->notice = gtk_label_new("");
    gtk_label_set_wrap(GTK_LABEL(land->notice), TRUE);
    gtk_widget_add_css_class(land->notice, "chip");
    gtk_widget_set_halign(land->notice, GTK_ALIGN_START);
    gtk_widget_set_valign(land->notice, GTK_ALIGN_START);
    gtk_widget_set_can_target(land->notice, FALSE);
    gtk_widget_set_visible(land->notice, FALSE);
    make_work(land);
    land_listen(land);
    return land;
}

void land_add_overlays(Land *land, GtkOverlay *overlay)
{
    gtk_overlay_add_overlay(overlay, land_sheet_make(land));
    gtk_overlay_add_overlay(overlay, land->values);
    GtkWidget *corner = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_halign(corner, GTK_ALIGN_START);
    gtk_widget_set_valign(corner, GTK_ALIGN_START);
    gtk_box_append(GTK_BOX(corner), seen_widget(land->view->seen));
    gtk_box_append(GTK_BOX(corner), land->notice);
    gtk_overlay_add_overlay(overlay, corner);
    gtk_overlay_add_overlay(overlay, land->work);
}

void land_destroy(Land *land)
{
    land_sheet_end(land);
    g_free(land->apart);
    g_free(land); // its widgets, and what ticked for them, have gone before
}
