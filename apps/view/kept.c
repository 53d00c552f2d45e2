// Files of runs that were kept (.silt): opened as the run they keep, or, where it cannot go on in a window,
// as the land it had come to.
#include "kept.h"

#include <glib/gstdio.h>
#include <string.h>

#include "notice.h"
#include "silt/checkpoint.h"
#include "silt/text.h"

enum { MOST_READ = 1 << 30 }; // bytes that are read while the window waits

// "pipes on 48 x 48 cells: 110 steps, 12.5 s" from the file, without what no label can show. The caller frees
// it.
static char *course_of(const SiltCheckpoint *kept)
{
    const char *about = silt_checkpoint_text(kept, "about");
    char *course = about ? g_utf8_make_valid(about, -1) : NULL;
    for (char *c = course; c && *c; c++)
        *c = g_ascii_iscntrl(*c) ? ' ' : *c;
    return course;
}

// "k.silt is a run that was kept (pipes on ...)"
static void add_course(SiltText *text, const char *path, const SiltCheckpoint *kept)
{
    char *name = g_path_get_basename(path), *course = course_of(kept);
    silt_text_addf(text, "%s is a run that was kept", name);
    if (course)
        silt_text_addf(text, " (%s)", course);
    g_free(course);
    g_free(name);
}

static void say(View *view, SiltText *text)
{
    if (!text->failed) {
        view_say(view, "%s", text->data);
        notice_show(view, NOTICE_OPENING, text->data);
    }
    silt_text_free(text);
}

// ---- the run ----

static bool is_small_enough(const char *path)
{
    GStatBuf info;
    return g_stat(path, &info) == 0 && info.st_size <= MOST_READ;
}

// What a recipe reads is named from the folder it was run in.
static bool has_inputs(const SiltStack *stack)
{
    SiltRecipe *recipe;
    if (silt_stack_recipe(stack, &recipe) != SILT_OK)
        return false;
    bool has_all = true;
    for (int k = 0; k < silt_recipe_input_count(recipe); k++)
        has_all = has_all && g_file_test(silt_recipe_input_at(recipe, k), G_FILE_TEST_EXISTS);
    silt_recipe_destroy(recipe);
    return has_all;
}

SiltStack *kept_open(const char *path, int *stage)
{
    SiltStack *stack = NULL;
    if (!silt_path_is_checkpoint(path) || !is_small_enough(path) ||
        silt_stack_from_checkpoint(path, &stack, stage) != SILT_OK)
        return NULL;
    if (has_inputs(stack))
        return stack;
    silt_stack_destroy(stack);
    return NULL;
}

void kept_tell_run(View *view, const char *path)
{
    SiltCheckpoint *kept;
    SiltText text = {0};
    if (silt_checkpoint_open(path, &kept) != SILT_OK)
        return;
    add_course(&text, path, kept);
    silt_text_add(&text,
                  ": Space goes on with it, to the bytes it would have come to. The file stays as it is.");
    silt_checkpoint_destroy(kept);
    say(view, &text);
}

// ---- the land alone ----

static void tell_land(View *view, const char *path, const SiltCheckpoint *kept)
{
    const char *command = silt_checkpoint_text(kept, "command");
    SiltText text = {0};
    add_course(&text, path, kept);
    silt_text_add(&text,
                  ". The land is what it had come to, and stands still here; the run goes on with: silt ");
    silt_text_add(&text, command && g_str_has_prefix(command, "run\n") ? "run" : "erode");
    silt_text_add(&text, " --resume ");
    silt_text_add_shell(&text, path);
    say(view, &text);
}

void kept_tell_land(View *view, const char *path)
{
    SiltCheckpoint *kept;
    if (!silt_path_is_checkpoint(path))
        return;
    if (!is_small_enough(path)) {
        char *name = g_path_get_basename(path);
        view_say(view, "%s is a run that was kept: the land is what it had come to, and stands still here",
                 name);
        g_free(name);
    } else if (silt_checkpoint_open(path, &kept) == SILT_OK) { // else it is told when the land cannot be made
        tell_land(view, path, kept);
        silt_checkpoint_destroy(kept);
    }
}
