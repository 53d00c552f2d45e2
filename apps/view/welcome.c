// The welcome, and the recipes that came with Silt as a gallery of pictures.
#include "welcome.h"

#include <string.h>

#include "actions.h"
#include "files.h"
#include "finder.h"
#include "land.h"
#include "menus.h"
#include "settings.h"
#include "tools.h"

enum { RECENT_SHOWN = 4, TILE_WIDTH = 208, TILE_HEIGHT = 130 };

struct Welcome {
    View *view;
    GtkWidget *card, *doors, *gallery, *scroller, *flow, *gallery_title, *recent;
    bool scenes; // what the gallery shows
    bool folded; // the panels stand back for it
};

// ---- recipes ----

// Recipes of the papers are named after those who wrote them; the others are landscapes to start from.
static bool is_scene(const char *name)
{
    static const char *const authors[] = {"mei-",   "neidhold-", "olsen-", "weiss-",
                                          "fritz-", "acid-",     "sph-",   "water-"};
    for (size_t k = 0; k < G_N_ELEMENTS(authors); k++)
        if (g_str_has_prefix(name, authors[k]))
            return true;
    return false;
}

static char *recipe_about(const char *path)
{
    char *text = NULL, *about = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL) && g_str_has_prefix(text, "about:")) {
        char *end = strchr(text, '\n');
        about = g_strndup(text + 6, end ? (gsize)(end - text) - 6 : strlen(text) - 6);
        g_strdelimit(about, "\"", ' ');
        g_strstrip(about);
        char *colon = strstr(about, ": "); // "Alpine: high ranges ..." stands below its name
        if (colon && colon - about < 24) {
            memmove(about, colon + 2, strlen(colon + 2) + 1);
            about[0] = g_ascii_toupper(about[0]);
        }
    }
    g_free(text);
    return about ? about : g_strdup("");
}

// "Valley and ridge" of valley-and-ridge; the caller frees it.
static char *recipe_title(const char *name)
{
    char *title = g_strdelimit(g_strdup(name), "-", ' ');
    title[0] = g_ascii_toupper(title[0]);
    return title;
}

// The picture of a recipe; where there is none, a mountain as a sign.
static GtkWidget *make_face(const char *path)
{
    GtkWidget *face;
    if (path && g_file_test(path, G_FILE_TEST_EXISTS)) {
        face = gtk_picture_new_for_filename(path);
        gtk_picture_set_can_shrink(GTK_PICTURE(face), TRUE);
    } else {
        face = gtk_image_new_from_icon_name("silt-mountain-symbolic");
        gtk_image_set_pixel_size(GTK_IMAGE(face), TILE_HEIGHT / 3);
        gtk_widget_add_css_class(face, "blank");
    }
    gtk_widget_set_size_request(face, TILE_WIDTH, TILE_HEIGHT);
    gtk_widget_set_overflow(face, GTK_OVERFLOW_HIDDEN);
    return face;
}

static GtkWidget *make_tile(const char *name, const char *recipes, const char *pictures)
{
    GtkWidget *tile = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    char *file = g_strconcat(name, ".png", NULL), *recipe_file = g_strconcat(name, ".yaml", NULL);
    char *picture_path = pictures ? g_build_filename(pictures, file, NULL) : NULL;
    char *path = g_build_filename(recipes, recipe_file, NULL), *about = recipe_about(path),
         *title = recipe_title(name);
    GtkWidget *picture = make_face(picture_path);
    GtkWidget *label = gtk_label_new(title), *line = gtk_label_new(about);
    gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
    gtk_label_set_xalign(GTK_LABEL(line), 0.0f);
    gtk_label_set_wrap(GTK_LABEL(line), TRUE);
    gtk_label_set_lines(GTK_LABEL(line), 2);
    gtk_label_set_ellipsize(GTK_LABEL(line), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(line), 28);
    gtk_widget_add_css_class(line, "quiet");
    gtk_box_append(GTK_BOX(tile), picture);
    gtk_box_append(GTK_BOX(tile), label);
    gtk_box_append(GTK_BOX(tile), line);
    gtk_widget_set_tooltip_text(tile, about);
    GtkWidget *child = gtk_flow_box_child_new();
    gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), tile);
    g_object_set_data_full(G_OBJECT(child), "name", g_strdup(name), g_free);
    gtk_accessible_update_property(GTK_ACCESSIBLE(child), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    g_free(title);
    g_free(about);
    g_free(path);
    g_free(picture_path);
    g_free(recipe_file);
    g_free(file);
    return child;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void on_tile(GtkFlowBox *flow, GtkFlowBoxChild *child, Welcome *welcome);

// A new one each time: GTK 4.8's remembers children that were taken out of it.
static void make_flow(Welcome *welcome)
{
    welcome->flow = gtk_flow_box_new();
    gtk_widget_add_css_class(welcome->flow, "gallery");
    gtk_flow_box_set_min_children_per_line(GTK_FLOW_BOX(welcome->flow), 3);
    gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(welcome->flow), 3);
    gtk_flow_box_set_homogeneous(GTK_FLOW_BOX(welcome->flow), TRUE);
    gtk_flow_box_set_activate_on_single_click(GTK_FLOW_BOX(welcome->flow), TRUE);
    g_signal_connect(welcome->flow, "child-activated", G_CALLBACK(on_tile), welcome);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(welcome->scroller), welcome->flow);
}

static void fill_gallery(Welcome *welcome)
{
    make_flow(welcome);
    char *recipes = files_data_folder("recipes"), *pictures = files_data_folder("gallery");
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GDir *files = recipes ? g_dir_open(recipes, 0, NULL) : NULL;
    for (const char *file; files && (file = g_dir_read_name(files));)
        if (g_str_has_suffix(file, ".yaml")) {
            char *name = g_strndup(file, strlen(file) - 5);
            if (is_scene(name) == welcome->scenes)
                g_ptr_array_add(names, g_steal_pointer(&name));
            g_free(name);
        }
    if (files)
        g_dir_close(files);
    g_ptr_array_sort(names, compare_names);
    for (guint k = 0; k < names->len; k++)
        gtk_flow_box_append(GTK_FLOW_BOX(welcome->flow), make_tile(names->pdata[k], recipes, pictures));
    if (names->len == 0)
        view_say(welcome->view, "The recipes that came with Silt are not where they were installed");
    g_ptr_array_free(names, TRUE);
    g_free(recipes);
    g_free(pictures);
}

static void open_wanted(View *view)
{
    char *name = view->wanted;
    view->wanted = NULL;
    if (name && files_open(view, name))
        welcome_close(view->welcome);
    else
        reach_offer(view);
    g_free(name);
}

static void want(View *view, const char *path)
{
    g_free(view->wanted);
    view->wanted = g_strdup(path);
    files_guard(view, open_wanted);
}

static void open_found(View *view, const FoundItem *item)
{
    want(view, item->detail);
}

void act_recent(View *view, int value)
{
    (void)value;
    char **paths = settings_recent();
    GPtrArray *items = found_items_new();
    for (int k = 0; paths[k]; k++) {
        char *name = g_path_get_basename(paths[k]);
        found_items_add(items, NULL, name, paths[k], NULL);
        g_free(name);
    }
    finder_open(view->finder, "Open what was open before", items, open_found);
    g_strfreev(paths);
}

static void on_tile(GtkFlowBox *flow, GtkFlowBoxChild *child, Welcome *welcome)
{
    (void)flow;
    want(welcome->view, g_object_get_data(G_OBJECT(child), "name"));
}

// The card alone over the land: the panels stand back, for it is wider than what they leave of a small
// window.
static void show_card(Welcome *welcome, bool gallery)
{
    gtk_widget_set_visible(welcome->doors, !gallery);
    gtk_widget_set_visible(welcome->gallery, gallery);
    gtk_widget_set_visible(welcome->card, TRUE);
    if (!welcome->view->folded) {
        view_fold(welcome->view, true);
        welcome->folded = true;
    }
    gtk_widget_set_visible(tools_bar(welcome->view->tools), FALSE); // else it looks out below the card
}

void act_gallery(View *view, int scenes)
{
    Welcome *welcome = view->welcome;
    welcome->scenes = scenes != 0;
    gtk_label_set_text(GTK_LABEL(welcome->gallery_title),
                       scenes ? "Scenes of the papers" : "Landscapes to start from");
    fill_gallery(welcome);
    show_card(welcome, true);
    GtkWidget *first = gtk_widget_get_first_child(welcome->flow);
    if (first)
        gtk_widget_grab_focus(first);
}

void act_welcome(View *view, int value)
{
    (void)value;
    welcome_open(view->welcome);
}

// ---- the card ----

static void on_new(View *view)
{
    welcome_close(view->welcome);
    act_new(view, 0);
}

static void on_door(GtkButton *button, Welcome *welcome)
{
    int door = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "door"));
    if (door == 0)
        on_new(welcome->view);
    else if (door == 1)
        act_open(welcome->view, 0);
    else
        act_gallery(welcome->view, door == 3);
}

static GtkWidget *make_doors(Welcome *welcome)
{
    static const struct {
        const char *icon, *title, *line;
    } doors[] = {{"document-new-symbolic", "New", "hills to begin with"},
                 {"document-open-symbolic", "Open", "recipe or heightmap"},
                 {"silt-mountain-symbolic", "A landscape", "alps, canyon, fjords"},
                 {"silt-paper-symbolic", "A paper’s scene", "as it was published"}};
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_set_homogeneous(GTK_BOX(line), TRUE);
    for (int k = 0; k < (int)G_N_ELEMENTS(doors); k++) {
        GtkWidget *button = gtk_button_new(), *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
        GtkWidget *title = gtk_label_new(doors[k].title), *detail = gtk_label_new(doors[k].line);
        gtk_widget_add_css_class(button, "door");
        gtk_widget_add_css_class(detail, "quiet");
        gtk_box_append(GTK_BOX(column), gtk_image_new_from_icon_name(doors[k].icon));
        gtk_box_append(GTK_BOX(column), title);
        gtk_box_append(GTK_BOX(column), detail);
        gtk_button_set_child(GTK_BUTTON(button), column);
        g_object_set_data(G_OBJECT(button), "door", GINT_TO_POINTER(k));
        g_signal_connect(button, "clicked", G_CALLBACK(on_door), welcome);
        char *name = g_strdup_printf("%s: %s", doors[k].title, doors[k].line);
        gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
        g_free(name);
        gtk_box_append(GTK_BOX(line), button);
    }
    return line;
}

static void on_recent(GtkButton *button, Welcome *welcome)
{
    want(welcome->view, g_object_get_data(G_OBJECT(button), "path"));
}

static void fill_recent(Welcome *welcome)
{
    GtkWidget *child;
    menus_leave(welcome->view, welcome->recent);
    while ((child = gtk_widget_get_first_child(welcome->recent)))
        gtk_box_remove(GTK_BOX(welcome->recent), child);
    char **paths = settings_recent();
    int shown = 0;
    for (int k = 0; paths[k] && shown < RECENT_SHOWN; k++) {
        if (!g_file_test(paths[k], G_FILE_TEST_EXISTS))
            continue;
        char *name = g_path_get_basename(paths[k]);
        GtkWidget *button = gtk_button_new_with_label(name);
        gtk_widget_add_css_class(button, "recent");
        gtk_widget_set_tooltip_text(button, paths[k]);
        g_object_set_data_full(G_OBJECT(button), "path", g_strdup(paths[k]), g_free);
        g_signal_connect(button, "clicked", G_CALLBACK(on_recent), welcome);
        gtk_box_append(GTK_BOX(welcome->recent), button);
        g_free(name);
        shown++;
    }
    gtk_widget_set_visible(welcome->recent, shown > 0);
    g_strfreev(paths);
}

void welcome_open(Welcome *welcome)
{
    fill_recent(welcome);
    show_card(welcome, false);
}

void welcome_close(Welcome *welcome)
{
    gtk_widget_set_visible(welcome->card, FALSE);
    gtk_widget_set_visible(tools_bar(welcome->view->tools), TRUE);
    if (welcome->folded)
        view_fold(welcome->view, false);
    welcome->folded = false;
    gtk_widget_grab_focus(land_widget(welcome->view->land));
}

bool welcome_is_open(const Welcome *welcome)
{
    return gtk_widget_get_visible(welcome->card);
}

static void on_back(GtkButton *button, Welcome *welcome)
{
    (void)button;
    welcome_open(welcome);
}

static void on_close(GtkButton *button, Welcome *welcome)
{
    (void)button;
    welcome_close(welcome);
}

static GtkWidget *make_gallery(Welcome *welcome)
{
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8),
              *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *back = gtk_button_new_from_icon_name("go-previous-symbolic");
    GtkWidget *close = gtk_button_new_from_icon_name("window-close-symbolic");
    gtk_widget_add_css_class(back, "flat");
    gtk_widget_add_css_class(close, "flat");
    gtk_accessible_update_property(GTK_ACCESSIBLE(back), GTK_ACCESSIBLE_PROPERTY_LABEL, "Back", -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(close), GTK_ACCESSIBLE_PROPERTY_LABEL, "Close", -1);
    g_signal_connect(back, "clicked", G_CALLBACK(on_back), welcome);
    g_signal_connect(close, "clicked", G_CALLBACK(on_close), welcome);
    welcome->gallery_title = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(welcome->gallery_title), 0.0f);
    gtk_widget_set_hexpand(welcome->gallery_title, TRUE);
    gtk_box_append(GTK_BOX(head), back);
    gtk_box_append(GTK_BOX(head), welcome->gallery_title);
    gtk_box_append(GTK_BOX(head), close);
    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scroller), 448);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller), 240);
    welcome->scroller = scroller;
    gtk_box_append(GTK_BOX(column), head);
    gtk_box_append(GTK_BOX(column), scroller);
    return column;
}

Welcome *welcome_create(View *view)
{
    Welcome *welcome = g_new0(Welcome, 1);
    welcome->view = view;
    welcome->card = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(welcome->card, "welcome");
    gtk_widget_set_halign(welcome->card, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(welcome->card, GTK_ALIGN_END);
    welcome->doors = gtk_box_new(GTK_ORIENTATION_VERTICAL, 16);
    GtkWidget *name = gtk_label_new("Silt");
    gtk_widget_add_css_class(name, "name");
    GtkWidget *line =
        gtk_label_new("Drag to turn, scroll to come nearer, Space to let time run, ? for all keys");
    gtk_widget_add_css_class(line, "line");
    welcome->recent = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_widget_set_halign(welcome->recent, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(welcome->doors), name);
    gtk_box_append(GTK_BOX(welcome->doors), line);
    gtk_box_append(GTK_BOX(welcome->doors), make_doors(welcome));
    gtk_box_append(GTK_BOX(welcome->doors), welcome->recent);
    GtkWidget *stay = gtk_button_new_with_label("Stay with this land");
    gtk_widget_add_css_class(stay, "stay");
    gtk_widget_set_halign(stay, GTK_ALIGN_CENTER);
    g_signal_connect(stay, "clicked", G_CALLBACK(on_close), welcome);
    gtk_box_append(GTK_BOX(welcome->doors), stay);
    welcome->gallery = make_gallery(welcome);
    gtk_box_append(GTK_BOX(welcome->card), welcome->doors);
    gtk_box_append(GTK_BOX(welcome->card), welcome->gallery);
    gtk_widget_set_visible(welcome->card, FALSE);
    return welcome;
}

GtkWidget *welcome_widget(Welcome *welcome)
{
    return welcome->card;
}

void welcome_destroy(Welcome *welcome)
{
    g_free(welcome);
}
