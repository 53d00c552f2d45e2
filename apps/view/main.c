// silt-view [FILE|RECIPE]: the window.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "menus.h"
#include "screen.h"
#include "script.h"
#include "settings.h"
#include "silt/parallel.h"
#include "theme.h"
#include "view.h"

typedef struct Start {
    const char *path, *script, *device;
    bool trusts;
    bool failed; // there is no window, or not what was named in it
} Start;

static void on_startup(GtkApplication *application, Start *start)
{
    (void)application;
    (void)start;
    theme_install(settings_is_dark());
    menus_watch_windows();
    screen_keep_windows();
}

static void on_activate(GtkApplication *application, Start *start)
{
    View *view = view_create(application, start->path, start->device, start->trusts);
    start->failed = !view || (view->unopened && !view->distant); // else there is a question
    if (view && start->script)
        script_run(view, start->script);
}

// Without a card GTK's own drawing by GL costs three times what drawing by Cairo does, and takes that from
// the model.
static void draw_without_card(void)
{
    GDir *cards = g_dir_open("/dev/dri", 0, NULL);
    const char *forced = g_getenv("LIBGL_ALWAYS_SOFTWARE");
    if (!cards || (forced && strcmp(forced, "0") != 0))
        g_setenv("GSK_RENDERER", "cairo", FALSE);
    if (cards)
        g_dir_close(cards);
}

static int usage(void)
{
    printf(
        "usage: silt-view [FILE|RECIPE] [--trust] [--device WHERE] [--threads N] [--script FILE]\n"
        "\n"
        "Opens the window with a recipe, a terrain, or the welcome. 'silt view' is the same.\n"
        "  --trust         let recipes read anywhere; without it, what lies neither below the current folder "
        "nor beside the recipe is asked about\n"
        "  --device WHERE  cpu, gpu, gpu:NAME or auto: where models work; the result is the same\n"
        "  --threads N     how many threads models take\n"
        "  --script FILE   do what the lines of FILE say ('-': of standard input), for tests and pictures\n"
        "  --version       print the version\n");
    return 0;
}

int main(int count, char **words)
{
    Start start = {0};
    setlocale(LC_ALL, "");
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "--help") == 0 || strcmp(words[k], "-h") == 0)
            return usage();
        if (strcmp(words[k], "--version") == 0) {
            printf("silt-view %s\n", silt_version());
            return 0;
        }
        if (strcmp(words[k], "--trust") == 0)
            start.trusts = true;
        else if (strcmp(words[k], "--script") == 0 && k + 1 < count)
            start.script = words[++k];
        else if (strcmp(words[k], "--device") == 0 && k + 1 < count)
            start.device = words[++k];
        else if (strcmp(words[k], "--threads") == 0 && k + 1 < count)
            silt_set_threads(atoi(words[++k])); // 'silt view' has looked at it
        else if (words[k][0] == '-' && words[k][1]) {
            fprintf(stderr, "silt: view: there is no option '%s' (see silt-view --help)\n", words[k]);
            return 2;
        } else
            start.path = words[k];
    }
    draw_without_card();
    if (!gtk_init_check()) {
        fprintf(stderr,
                "silt: view: there is no display to open a window on; 'silt render IN -o OUT.png' draws a "
                "picture without one\n");
        return 1;
    }
    // each start has its own window: a path means the same as in the shell it was typed in
    GtkApplication *application = gtk_application_new("org.silt.View", G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "startup", G_CALLBACK(on_startup), &start);
    g_signal_connect(application, "activate", G_CALLBACK(on_activate), &start);
    int status = g_application_run(G_APPLICATION(application), 1, words);
    g_object_unref(application);
    return status ? status : start.failed ? 1 : script_status();
}
