// Opening, saving and exporting.
#include "files.h"
#include "dialogs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "actions.h"
#include "dialogs.h"
#include "kept.h"
#include "notice.h"
#include "play.h"
#include "rock.h"
#include "seen.h"
#include "settings.h"
#include "silt/checkpoint.h"
#include "silt/io.h"
#include "silt/text.h"
#include "stack_list.h"
#include "warnings.h"

enum { MOST_CHECKED = 64 << 20 }; // bytes

// ---- where things are ----

char *files_data_folder(const char *name)
{
    static const char *const places[] = {"../share/silt",    "..",    "../docs",
                                         "../../share/silt", "../..", "../../docs"};
    char program[SILT_PATH_SIZE] = "";
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 1)
        return NULL;
    char *folder = g_path_get_dirname(program), *found = NULL;
    for (size_t k = 0; k < G_N_ELEMENTS(places) && !found; k++) {
        char *path = g_build_filename(folder, places[k], name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            found = g_steal_pointer(&path);
        g_free(path);
    }
    g_free(folder);
    return found;
}

char *files_recipe_path(const char *name)
{
    char *folder = files_data_folder("recipes");
    char *file = g_str_has_suffix(name, ".yaml") ? g_strdup(name) : g_strconcat(name, ".yaml", NULL);
    char *path = folder ? g_build_filename(folder, file, NULL) : NULL;
    if (path && !g_file_test(path, G_FILE_TEST_EXISTS))
        g_clear_pointer(&path, g_free);
    g_free(file);
    g_free(folder);
    return path;
}

static gint64 file_time(const char *path)
{
    GStatBuf info;
    return path && g_stat(path, &info) == 0
               ? (gint64)info.st_mtim.tv_sec * 1000000 + info.st_mtim.tv_nsec / 1000
               : 0;
}

// ---- opening ----

static bool is_recipe(const char *path)
{
    return silt_ends_with(path, ".yaml") || silt_ends_with(path, ".yml");
}

// Whether there is a terrain in the file; the recipe made of it would only tell when it is cooked. Large
// files are taken at their word: the window does not wait for them.
static SiltStatus check_terrain(const char *path)
{
    GStatBuf info;
    SiltTerrain *terrain = NULL;
    if (silt_ends_with(path, ".siltvol") || silt_path_is_checkpoint(path) ||
        (g_stat(path, &info) == 0 && info.st_size > MOST_CHECKED))
        return SILT_OK;
    SiltStatus status = silt_terrain_read(path, NULL, &terrain);
    if (status == SILT_OK)
        silt_terrain_destroy(terrain);
    return status;
}

static SiltStatus open_terrain(const char *path, SiltStack **out)
{
    SiltStatus status = check_terrain(path);
    return status == SILT_OK ? silt_stack_from_terrain(path, out) : status;
}

// "alpine" of .../alpine.yaml; the caller frees it.
static char *name_of(const char *path)
{
    char *name = g_path_get_basename(path), *dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

static void open_kept(View *view, SiltStack *stack, int stage, const char *path)
{
    PlayerState before, now;
    player_state(view->player, &before);
    view_take_kept(view, stack, stage, path);
    view->name = name_of(path);
    view_refresh_title(view);
    player_state(view->player, &now);
    if (now.fault_number == before.fault_number) // else it does not go on, and that is said
        kept_tell_run(view, path);
    settings_add_recent(path);
}

bool files_open(View *view, const char *path)
{
    int stage;
    SiltStack *stack = kept_open(path, &stage);
    if (stack && reach_allows(view, stack, path)) {
        open_kept(view, stack, stage, path);
        return true;
    }
    char *named =
        !strchr(path, '/') && !g_file_test(path, G_FILE_TEST_EXISTS) ? files_recipe_path(path) : NULL;
    const char *file = named ? named : path;
    bool is_kept = stack != NULL; // one that reads elsewhere
    silt_stack_destroy(stack);
    stack = NULL;
    SiltStatus status = is_kept                    ? SILT_BAD_ARGUMENT
                        : named || is_recipe(file) ? silt_stack_open(file, NULL, 0, &stack)
                                                   : open_terrain(file, &stack);
    bool fine = view_ok(view, status);
    if (fine && !named && is_recipe(file) && !reach_allows(view, stack, path)) {
        silt_stack_destroy(stack);
        fine = view_ok(view, SILT_BAD_ARGUMENT);
    }
    if (!fine) {
        g_printerr("silt: view: %s\n", view->said);
        notice_show(view, NOTICE_OPENING, view->said);
        warnings_forget(view); // the land is the old one still
    } else {
        // a recipe that came with Silt is a beginning, not a file to save over
        bool own = is_recipe(file) && !named && g_access(file, W_OK) == 0;
        view_take_stack(view, stack, own ? file : NULL);
        view->path_time = file_time(view->path);
        view->name = own ? NULL : name_of(file);
        view_refresh_title(view);
        kept_tell_land(view, file);
        if (!named)
            settings_add_recent(file);
    }
    g_free(named);
    return fine;
}

static void on_open(GtkNativeDialog *dialog, int response, View *view)
{
    char *path = dialogs_path(dialog, response);
    if (path && !files_open(view, path))
        reach_offer(view);
    g_free(path);
}

// "*.tif *.tiff ..." of all formats that this build reads or writes; the caller frees it.
static char *format_patterns(bool reading, bool meshes)
{
    GString *patterns = g_string_new(NULL);
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo info = silt_format_at(k);
        if ((reading ? info.reads : info.writes) && info.is_mesh == meshes) {
            char **endings = g_strsplit_set(info.endings, " ,", 0);
            for (int e = 0; endings[e]; e++)
                if (endings[e][0])
                    g_string_append_printf(patterns, "*%s%s ", endings[e][0] == '.' ? "" : ".", endings[e]);
            g_strfreev(endings);
        }
    }
    return g_string_free(patterns, FALSE);
}

static void ask_open(View *view)
{
    GtkFileChooserNative *dialog =
        dialogs_file(view, "Open a recipe or terrain", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open");
    if (!dialog)
        return;
    char *rasters = format_patterns(true, false);
    char *all = g_strdup_printf("*.yaml *.yml *.silt *.siltvol %s", rasters);
    dialogs_add_filter(dialog, "Recipes, terrains and kept runs", all);
    dialogs_add_filter(dialog, "Recipes", "*.yaml *.yml");
    dialogs_add_filter(dialog, "Kept runs", "*.silt");
    dialogs_add_filter(dialog, "Terrains", rasters);
    dialogs_add_filter(dialog, "All files", "*");
    dialogs_ask(dialog, G_CALLBACK(on_open), view, G_OBJECT(view->window));
    g_free(all);
    g_free(rasters);
}

void act_open(View *view, int value)
{
    (void)value;
    files_guard(view, ask_open);
}

static void start_new(View *view)
{
    SiltStack *stack;
    if (view_ok(view, silt_stack_new(&stack)))
        view_take_stack(view, stack, NULL);
}

void act_new(View *view, int value)
{
    (void)value;
    files_guard(view, start_new);
}

static void open_dropped(View *view)
{
    char *path = view->dropped;
    view->dropped = NULL;
    if (!files_open(view, path))
        reach_offer(view);
    g_free(path);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y, View *view)
{
    (void)target;
    (void)x;
    (void)y;
    GSList *files = g_value_get_boxed(value);
    char *path = files ? g_file_get_path(files->data) : NULL;
    if (!path)
        return FALSE;
    g_free(view->dropped);
    view->dropped = path;
    files_guard(view, open_dropped); // what is not saved is asked about first
    return TRUE;
}

void files_accept_drops(View *view)
{
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(on_drop), view);
    gtk_widget_add_controller(GTK_WIDGET(view->window), GTK_EVENT_CONTROLLER(target));
}

// ---- saving ----

bool files_save(View *view, const char *path)
{
    play_keep_hands(view);
    if (!view_ok(view, silt_stack_save(view->stack, path)))
        return false;
    if (g_strcmp0(view->path, path) != 0) {
        g_free(view->path);
        view->path = g_strdup(path);
    }
    view->path_time = file_time(path);
    view->recovered = false;
    settings_add_recent(path);
    view_refresh(view);
    char *name = g_path_get_basename(path);
    view_say(view, "Saved: silt run %s gives the same bytes", name);
    g_free(name);
    return true;
}

static void after_save(View *view, bool saved)
{
    void (*then)(View *) = view->after_save;
    view->after_save = NULL;
    if (saved && then)
        then(view);
}

static void on_save_as(GtkNativeDialog *dialog, int response, View *view)
{
    char *path = dialogs_path(dialog, response);
    char *whole = path && !is_recipe(path) ? g_strconcat(path, ".yaml", NULL) : g_strdup(path);
    // the dialog has asked about the name that was typed, not about one with an ending
    bool taken = whole && strcmp(whole, path) != 0 && g_file_test(whole, G_FILE_TEST_EXISTS);
    if (taken)
        view_say(view, "There is a file %s already: choose it in the list to replace it", whole);
    bool saved = whole && !taken && files_save(view, whole);
    g_free(whole);
    g_free(path);
    after_save(view, saved);
}

void act_save_as(View *view, int value)
{
    (void)value;
    GtkFileChooserNative *dialog =
        dialogs_file(view, "Save the recipe", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save");
    if (!dialog)
        return;
    dialogs_add_filter(dialog, "Recipes", "*.yaml *.yml");
    char *name = view->path ? g_path_get_basename(view->path)
                            : g_strconcat(view->name ? view->name : "land", ".yaml", NULL);
    dialogs_suggest(dialog, name, "*.yaml *.yml");
    g_free(name);
    dialogs_ask(dialog, G_CALLBACK(on_save_as), view, G_OBJECT(view->window));
}

static void on_overwrite(GtkDialog *dialog, int response, View *view)
{
    dialogs_end_question(dialog);
    if (response == GTK_RESPONSE_ACCEPT)
        after_save(view, files_save(view, view->path));
    else if (response == GTK_RESPONSE_APPLY)
        act_save_as(view, 0);
    else
        after_save(view, false);
}

// A small question with up to three answers.
void act_save(View *view, int value)
{
    (void)value;
    if (!view->path) {
        act_save_as(view, 0);
        return;
    }
    gint64 now = file_time(view->path);
    if (now && view->path_time && now != view->path_time) { // another window, or an editor
        GtkWidget *dialog =
            dialogs_question(view, "The file has changed since it was opened",
                             "Someone else has written it. Shall what is here take its place?");
        gtk_dialog_add_buttons(GTK_DIALOG(dialog), "_Cancel", GTK_RESPONSE_CANCEL, "Save _as …",
                               GTK_RESPONSE_APPLY, "_Overwrite", GTK_RESPONSE_ACCEPT, NULL);
        g_signal_connect(dialog, "response", G_CALLBACK(on_overwrite), view);
        gtk_window_present(GTK_WINDOW(dialog));
        return;
    }
    after_save(view, files_save(view, view->path));
}

// ---- asking once ----

static void on_answer(GtkDialog *dialog, int response, View *view)
{
    void (*then)(View *) = view->after_save;
    dialogs_end_question(dialog);
    view->asking = false;
    if (response == GTK_RESPONSE_ACCEPT)
        act_save(view, 0);
    else {
        view->after_save = NULL;
        if (response == GTK_RESPONSE_REJECT)
            then(view);
    }
}

void files_guard(View *view, void (*then)(View *view))
{
    if (view->asking)
        return;
    play_keep_hands(view);
    if (!silt_stack_is_changed(view->stack) && !view->recovered) {
        then(view);
        return;
    }
    view->after_save = then;
    view->asking = true;
    GtkWidget *dialog =
        dialogs_question(view, "Save this land first?", "What was changed is lost otherwise.");
    gtk_dialog_add_buttons(GTK_DIALOG(dialog), "_Cancel", GTK_RESPONSE_CANCEL, "_Don’t save",
                           GTK_RESPONSE_REJECT, "_Save", GTK_RESPONSE_ACCEPT, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_ACCEPT);
    g_signal_connect(dialog, "response", G_CALLBACK(on_answer), view);
    gtk_window_present(GTK_WINDOW(dialog));
}

// ---- exporting ----

typedef struct Export {
    View *view;
    SiltTerrain *terrain;
    SiltMesh mesh; // of a volume, in place of the terrain
    char *path, *message;
    char *seen; // which land it is, where it is not the end
} Export;

static gboolean export_done(gpointer user)
{
    Export *job = user;
    char *name = g_filename_display_name(job->path);
    if (job->message)
        view_say(job->view, "%s", job->message);
    else
        view_say(job->view, "Exported to %s%s%s", name, job->seen ? ": the land " : "",
                 job->seen ? job->seen : "");
    job->view->outside--;
    g_free(name);
    if (job->terrain)
        silt_terrain_destroy(job->terrain);
    else
        silt_mesh_destroy(&job->mesh);
    g_free(job->seen);
    g_free(job->message);
    g_free(job->path);
    g_free(job);
    return G_SOURCE_REMOVE;
}

static gpointer export_run(gpointer user)
{
    Export *job = user;
    SiltStatus status = SILT_OK;
    if (!job->terrain && silt_path_has_colours(job->path))
        status = silt_mesh_colour_rock(&job->mesh, NAN, 0.0);
    if (status == SILT_OK)
        status = job->terrain ? silt_terrain_write(job->terrain, job->path, NULL)
                              : silt_mesh_write(&job->mesh, job->path);
    if (status != SILT_OK)
        job->message = g_strdup(silt_message());
    g_idle_add(export_done, job);
    return NULL;
}

void files_export(View *view, const char *path)
{
    if (is_recipe(path)) {
        files_save(view, path);
        return;
    }
    if (!view->terrain || view->rough) {
        view_say(view, "The land is still being made: export it when it is done");
        return;
    }
    SiltTerrain *copy = NULL;
    SiltMesh mesh = {0};
    if (!view_ok(view, silt_terrain_write_check(path, NULL)))
        return;
    bool rock = silt_path_is_mesh(path) && rock_copy(view, &mesh); // with its caves
    if (!rock && !view_ok(view, silt_terrain_clone(view->terrain, &copy)))
        return;
    Export *job = g_new0(Export, 1);
    *job = (Export){
        .view = view, .terrain = copy, .mesh = mesh, .path = g_strdup(path), .seen = seen_text(view)};
    view->outside++;
    g_thread_unref(g_thread_new("export", export_run, job));
}

static void on_export(GtkNativeDialog *dialog, int response, View *view)
{
    char *path = dialogs_path(dialog, response);
    if (path)
        files_export(view, path);
    g_free(path);
}

// Never the name of the file that the land was read from.
char *files_suggest_name(const View *view, const char *ending)
{
    char *base = view->path ? name_of(view->path) : g_strdup(view->name ? view->name : "land");
    char *name = g_strconcat(base, ending, NULL);
    SiltEntry terrain;
    char *text =
        silt_stack_entry(view->stack, SILT_IN_TERRAIN, 0, &terrain) == SILT_OK ? entry_title(&terrain) : NULL;
    if (text && strstr(text, name)) {
        g_free(name);
        name = g_strconcat(base, "-2", ending, NULL);
    }
    g_free(text);
    g_free(base);
    return name;
}

void act_export(View *view, int value)
{
    (void)value;
    char *seen = seen_text(view), *title = g_strconcat("Export the land ", seen, NULL); // as it is in sight
    GtkFileChooserNative *dialog = dialogs_file(view, title, GTK_FILE_CHOOSER_ACTION_SAVE, "_Export");
    g_free(title);
    g_free(seen);
    if (!dialog)
        return;
    char *rasters = format_patterns(false, false), *meshes = format_patterns(false, true);
    char *all = g_strconcat(rasters, meshes, NULL), *name = files_suggest_name(view, ".tif");
    dialogs_add_filter(dialog, "Heights and meshes, by the ending", all);
    dialogs_add_filter(dialog, "Heights", rasters);
    dialogs_add_filter(dialog, "Meshes", meshes);
    dialogs_suggest(dialog, name, all);
    dialogs_ask(dialog, G_CALLBACK(on_export), view, G_OBJECT(view->window));
    g_free(name);
    g_free(all);
    g_free(meshes);
    g_free(rasters);
}
