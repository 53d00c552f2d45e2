// silt view: the window is a program of its own, so that this one needs no GTK. It takes this one's place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

// Beside this program, or where distributions keep such helpers; else the shell's path is tried.
static void become_window(const Arguments *arguments)
{
    static const char *const folders[] = {"", "../libexec/silt/", "../lib/silt/"};
    char program[SILT_PATH_SIZE] = "", path[SILT_PATH_SIZE + 64];
    char *words[8] = {(char *)"silt-view"}, threads[16];
    int count = 1;
    if (arguments->threads > 0) {
        snprintf(threads, sizeof threads, "%d", arguments->threads);
        words[count++] = (char *)"--threads";
        words[count++] = threads;
    }
    if (arguments->device) {
        words[count++] = (char *)"--device";
        words[count++] = (char *)arguments->device;
    }
    if (arguments->trust)
        words[count++] = (char *)"--trust";
    words[count] = (char *)(arguments->word_count ? arguments->words[0] : NULL);
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    for (size_t k = 0; slash && k < sizeof folders / sizeof folders[0]; k++) {
        slash[1] = '\0';
        snprintf(path, sizeof path, "%s%ssilt-view", program, folders[k]);
        execv(path, words);
    }
    execvp("silt-view", words);
}

int run_view(const Arguments *arguments)
{
    const char *const displays[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    bool has_display = false;
    if (arguments->json)
        return report_usage("view", "a window answers a hand, not a program: no --json");
    for (int k = 0; k < 2; k++) {
        const char *name = getenv(displays[k]);
        has_display |= name && name[0];
    }
    if (!has_display) {
        complain("view: there is no display to open a window on; 'silt render IN -o OUT.png' draws a picture "
                 "without one");
        return EXIT_FAILED;
    }
    fflush(NULL);
    become_window(arguments);
    complain("view: the program silt-view is not there; build Silt with libgtk-4-dev, or draw a picture with "
             "'silt render IN -o OUT.png'");
    return EXIT_FAILED;
}
