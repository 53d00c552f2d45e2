// Files of runs that were kept (.silt), opened as land.
#include "kept.h"

#include <glib/gstdio.h>
#include <string.h>

#include "notice.h"
#include "silt/checkpoint.h"
#include "silt/text.h"

enum { MOST_READ = 256 << 20 }; // bytes that are read while the window waits

// "pipes on 48 x 48 cells: 110 steps, 12.5 s" from the file, without what no label can show. The caller frees
// it.
static char *course_of(SiltCheckpoint *kept)
{
    const char *about = silt_checkpoint_text(kept, "about");
    char *course = about ? g_utf8_make_valid(about, -1) : NULL;
    for (char *c = course; c && *c; c++)
        *c = g_ascii_iscntrl(*c) ? ' ' : *c;
    return course;
}

static void tell(View *view, const char *path, SiltCheckpoint *kept)
{
    const char *command = silt_checkpoint_text(kept, "command");
    char *name = g_path_get_basename(path), *course = course_of(kept);
    SiltText text = {0};
    silt_text_addf(&text, "%s is a run that was kept", name);
    if (course)
        silt_text_addf(&text, " (%s)", course);
    silt_text_add(&text,
                  ". The land is what it had come to, and stands still here; the run goes on with: silt ");
    silt_text_add(&text, command && g_str_has_prefix(command, "run\n") ? "run" : "erode");
    silt_text_add(&text, " --resume ");
    silt_text_add_shell(&text, path);
    if (!text.failed) {
        view_say(view, "%s", text.data);
        notice_show(view, NOTICE_OPENING, text.data);
    }
    silt_text_free(&text);
    g_free(course);
    g_free(name);
}

void kept_tell(View *view, const char *path)
{
    GStatBuf info;
    SiltCheckpoint *kept;
    if (!silt_path_is_checkpoint(path) || g_stat(path, &info) != 0)
        return;
    if (info.st_size > MOST_READ) {
        char *name = g_path_get_basename(path);
        view_say(view, "%s is a run that was kept: the land is what it had come to, and stands still here",
                 name);
        g_free(name);
    } else if (silt_checkpoint_open(path, &kept) == SILT_OK) { // else it is told when the land cannot be made
        tell(view, path, kept);
        silt_checkpoint_destroy(kept);
    }
}
