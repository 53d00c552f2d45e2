// Before and after, and films.
#include "jobs.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "dialogs.h"
#include "land.h"
#include "play.h"

// ---- before and after ----

typedef struct Comparison {
    bool is_on, is_dragged;
    double wipe; // 0 to 1 across the picture
    SiltPlace place;
    int index;
    uint64_t version;
} Comparison;

static Comparison *comparison_of(const View *view)
{
    Comparison *found = g_object_get_data(G_OBJECT(view->window), "comparison");
    if (!found) {
        found = g_new0(Comparison, 1);
        found->wipe = 0.5;
        g_object_set_data_full(G_OBJECT(view->window), "comparison", found, g_free);
    }
    return found;
}

bool is_compared(const View *view, int value)
{
    (void)value;
    return comparison_of(view)->is_on;
}

enum { BELOW_CHIPS = 36 }; // which stage is seen, and values under the pointer

// "before" and "after" on their sides of the line, near the upper edge.
static void place_words(View *view)
{
    const Comparison *c = comparison_of(view);
    GtkWidget *words = g_object_get_data(G_OBJECT(view->window), "words");
    int wide, least, width = gtk_widget_get_width(land_widget(view->land));
    gtk_widget_set_visible(words, c->is_on);
    gtk_widget_set_margin_top(view->toast, c->is_on ? BELOW_CHIPS : 0);
    gtk_widget_measure(words, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
    int left = (int)(c->wipe * width) - wide / 2;
    gtk_widget_set_margin_start(words, CLAMP(left, 0, MAX(0, width - wide)));
}

static void on_resize(GtkGLArea *area, int width, int height, View *view)
{
    (void)area;
    (void)width;
    (void)height;
    place_words(view);
}

static void show_words(View *view)
{
    static const char *const texts[] = {"before", "after"};
    if (!g_object_get_data(G_OBJECT(view->window), "words")) {
        GtkWidget *words = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
        gtk_box_set_homogeneous(GTK_BOX(words), TRUE);
        for (int k = 0; k < 2; k++) {
            GtkWidget *word = gtk_label_new(texts[k]);
            gtk_widget_add_css_class(word, "chip");
            gtk_widget_set_halign(word, k ? GTK_ALIGN_START : GTK_ALIGN_END);
            gtk_box_append(GTK_BOX(words), word);
        }
        gtk_widget_set_halign(words, GTK_ALIGN_START);
        gtk_widget_set_valign(words, GTK_ALIGN_START);
        gtk_widget_set_margin_top(words, BELOW_CHIPS);
        gtk_widget_set_can_target(words, FALSE);
        gtk_overlay_add_overlay(GTK_OVERLAY(view->overlay), words);
        g_object_set_data(G_OBJECT(view->window), "words", words);
        g_signal_connect(land_widget(view->land), "resize", G_CALLBACK(on_resize), view);
    }
    place_words(view);
}

// The land without the picked stage and what follows it.
static void ask_before(View *view)
{
    Comparison *c = comparison_of(view);
    SiltRecipe *recipe;
    c->place = view->place;
    c->index = view->index;
    c->version = silt_stack_version(view->stack);
    int stages = view->place == SILT_IN_STAGES ? view->index : 0;
    if (view_ok(view, silt_stack_recipe(view->stack, &recipe)))
        player_before(view->player, recipe, stages);
}

void act_compare(View *view, int value)
{
    (void)value;
    Comparison *c = comparison_of(view);
    c->is_on = !c->is_on && view->stack;
    if (c->is_on) {
        ask_before(view);
        view_say(view, "Left: before the picked stage. Drag the line; Y ends it");
    } else {
        silt_viewer_compare(view->viewer, NULL, c->wipe);
        view_queue_draw(view);
    }
    show_words(view);
}

void compare_take(View *view, SiltTerrain *before)
{
    Comparison *c = comparison_of(view);
    if (c->is_on && view_ok(view, silt_viewer_compare(view->viewer, before, c->wipe)))
        view_queue_draw(view);
    silt_terrain_destroy(before);
}

void compare_follow(View *view)
{
    Comparison *c = comparison_of(view);
    if (c->is_on && view->stack &&
        (c->place != view->place || c->index != view->index || c->version != silt_stack_version(view->stack)))
        ask_before(view);
}

bool compare_press(View *view, double x, double width)
{
    Comparison *c = comparison_of(view);
    c->is_dragged = c->is_on && fabs(x - c->wipe * width) < 12.0;
    return c->is_dragged;
}

void compare_drag(View *view, double x, double width)
{
    Comparison *c = comparison_of(view);
    if (!c->is_dragged || !(width > 0.0))
        return;
    c->wipe = CLAMP(x / width, 0.02, 0.98);
    silt_viewer_wipe(view->viewer, c->wipe);
    place_words(view);
    view_queue_draw(view);
}

void compare_release(View *view)
{
    comparison_of(view)->is_dragged = false;
}

// ---- films ----

enum { FILM_FRAMES = 240, FPS = 30 };

typedef struct Film {
    View *view;
    char *path;
    SiltRenderOptions options;
    SiltTerrain *terrain; // of a turntable; NULL: a run
    SiltRecipe *recipe;
    int stage;
    int64_t steps;
    atomic_bool stops;
    atomic_int done;
    char *fault;
    GThread *thread;
    guint timer;
    int told; // tenths
} Film;

static Film *film_of(const View *view)
{
    return g_object_get_data(G_OBJECT(view->window), "film");
}

bool is_filming(const View *view, int value)
{
    (void)value;
    return film_of(view) != NULL;
}

static SiltStatus film_round(Film *film, SiltFilm *out)
{
    SiltStatus status = SILT_OK;
    SiltMotif motif = {.terrain = film->terrain};
    for (int k = 0; k < FILM_FRAMES && status == SILT_OK && !film->stops; k++) {
        status = silt_film_add_motif(out, k == 0 ? &motif : NULL, 360.0 * k / FILM_FRAMES);
        film->done = k + 1;
    }
    return status;
}

// A run of its own, with what hands did, frame by frame to the step where the window's is.
static SiltStatus film_steps(Film *film, SiltFilm *out, SiltErosion *run, const SiltTerrain *terrain)
{
    const SiltHand *hands;
    int count = 0, next = 0;
    int64_t frames = MIN(FILM_FRAMES, film->steps);
    SiltStatus status = silt_recipe_hands(film->recipe, film->stage, &hands, &count);
    bool is_done = false;
    for (int64_t k = 0; k <= frames && status == SILT_OK && !film->stops; k++) {
        int64_t left = film->steps * k / MAX(frames, 1) - silt_erosion_report(run)->steps;
        SiltParticles water;
        if (left > 0 && !is_done)
            status = silt_erosion_play(run, (SiltDuration){.steps = film->steps}, hands, count, &next, left,
                                       &is_done);
        if (status == SILT_OK)
            status = silt_erosion_store(run);
        bool is_wet = status == SILT_OK && silt_erosion_particles(run, &water) == SILT_OK;
        SiltMotif motif = {.particles = is_wet ? &water : NULL};
        if (terrain->volume)
            motif.volume = terrain->volume;
        else
            motif.terrain = terrain;
        if (status == SILT_OK)
            status = silt_film_add_motif(out, &motif, 0.0);
        film->done = (int)(k * FILM_FRAMES / MAX(frames, 1));
    }
    return status;
}

static SiltStatus film_run(Film *film, SiltFilm *out)
{
    SiltTerrain *terrain = NULL;
    SiltErosion *run = NULL;
    SiltDuration duration;
    SiltStatus status = silt_recipe_begin_live(film->recipe, film->stage, NULL, &terrain, &run, &duration);
    if (status == SILT_OK)
        status = film_steps(film, out, run, terrain);
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    return status;
}

// On a thread of its own: GL too is its own there.
static gpointer make_film(gpointer user)
{
    Film *film = user;
    SiltFilm *out;
    SiltStatus status = silt_film_begin(film->path, &film->options, FPS, &out);
    if (status == SILT_OK) {
        status = film->terrain ? film_round(film, out) : film_run(film, out);
        status = silt_film_end(out, status == SILT_OK && film->stops ? SILT_CANCELLED : status);
    }
    if (status != SILT_OK && status != SILT_CANCELLED)
        film->fault = g_strdup(silt_message());
    film->done = -1;
    return NULL;
}

static void free_film(Film *film)
{
    if (film->thread)
        g_thread_join(film->thread);
    if (film->timer)
        g_source_remove(film->timer);
    silt_terrain_destroy(film->terrain);
    silt_recipe_destroy(film->recipe);
    g_free(film->fault);
    g_free(film->path);
    g_free(film);
}

static gboolean on_time(gpointer user)
{
    Film *film = user;
    View *view = film->view;
    int done = film->done;
    if (done >= 0) {
        if (10 * done / FILM_FRAMES != film->told)
            view_say(view, "Filming: %d %%", 100 * done / FILM_FRAMES);
        film->told = 10 * done / FILM_FRAMES;
        return G_SOURCE_CONTINUE;
    }
    if (film->fault)
        view_say(view, "%s", film->fault);
    else
        view_say(view, film->stops ? "The film was stopped" : "The film lies in %s", film->path);
    film->timer = 0;
    g_object_set_data(G_OBJECT(view->window), "film", NULL);
    free_film(film);
    return G_SOURCE_REMOVE;
}

// What is filmed, as it is seen now.
static bool prepare(Film *film, bool turntable)
{
    View *view = film->view;
    PlayerState state;
    player_state(view->player, &state);
    silt_viewer_as_options(view->viewer, &film->options);
    film->options.width = 1280;
    film->options.height = 720;
    if (turntable)
        return view->terrain && view_ok(view, silt_terrain_clone(view->terrain, &film->terrain));
    film->stage = state.live_stage;
    film->steps = state.step;
    play_keep_hands(view);
    return view_ok(view, silt_stack_recipe(view->stack, &film->recipe));
}

static void on_path(GtkNativeDialog *dialog, int response, View *view)
{
    bool turntable = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(dialog), "turntable")) != 0;
    char *path = dialogs_path(dialog, response);
    if (path && !film_of(view)) {
        Film *film = g_new0(Film, 1);
        film->view = view;
        film->path = g_strdup(path);
        if (prepare(film, turntable)) {
            film->thread = g_thread_new("film", make_film, film);
            film->timer = g_timeout_add(500, on_time, film);
            g_object_set_data(G_OBJECT(view->window), "film", film);
        } else {
            free_film(film);
        }
    }
    g_free(path);
}

void act_film(View *view, int turntable)
{
    Film *film = film_of(view);
    PlayerState state;
    player_state(view->player, &state);
    if (film) {
        film->stops = true;
        return;
    }
    if (!turntable && (!state.live || state.step == 0)) {
        view_say(view, "Play a stage first: the film shows it from its beginning to where it is");
        return;
    }
    GtkFileChooserNative *dialog =
        dialogs_file(view, turntable ? "Film once round the land" : "Film of the run",
                     GTK_FILE_CHOOSER_ACTION_SAVE, "_Film");
    if (!dialog)
        return;
    g_object_set_data(G_OBJECT(dialog), "turntable", GINT_TO_POINTER(turntable));
    dialogs_suggest(dialog, turntable ? "round.mp4" : "run.mp4", "*.mp4 *.webm *.gif *.apng *.webp");
    dialogs_ask(dialog, G_CALLBACK(on_path), view, G_OBJECT(view->window));
}

void jobs_end(View *view)
{
    Film *film = film_of(view);
    if (!film)
        return;
    film->stops = true;
    g_object_set_data(G_OBJECT(view->window), "film", NULL);
    free_film(film);
}
