// A recipe may be a stranger's, and names files: what lies neither below the current folder nor beside it is
// read once its user has been asked. Nothing that a recipe names is written by the window.
#include "dialogs.h"
#include "files.h"
#include "silt/recipe.h"
#include "silt/text.h"
#include "welcome.h"

bool reach_allows(View *view, const SiltStack *stack, const char *path)
{
    SiltRecipe *recipe;
    g_clear_pointer(&view->distant, g_free);
    if (view->trusts || silt_stack_recipe(stack, &recipe) != SILT_OK) // what cannot be made reads nothing
        return true;
    bool keeps = silt_recipe_confine_reading(recipe, path) == SILT_OK;
    silt_recipe_destroy(recipe);
    if (keeps)
        return true;
    view->distant = g_strdup(path);
    silt_fail(SILT_BAD_ARGUMENT, "%s (--trust)", silt_message());
    return false;
}

static void on_answer(GtkDialog *dialog, int response, View *view)
{
    char *path = view->distant;
    view->distant = NULL;
    dialogs_end_question(dialog);
    if (path && response == GTK_RESPONSE_ACCEPT) {
        bool trusts = view->trusts;
        view->trusts = true; // this one
        if (files_open(view, path))
            welcome_close(view->welcome);
        view->trusts = trusts;
    }
    g_free(path);
}

void reach_offer(View *view)
{
    if (!view->distant)
        return;
    GtkWidget *dialog = dialogs_question(view, "May this recipe read there?", view->said);
    gtk_dialog_add_buttons(GTK_DIALOG(dialog), "_Cancel", GTK_RESPONSE_CANCEL, "_Read it",
                           GTK_RESPONSE_ACCEPT, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CANCEL);
    g_signal_connect(dialog, "response", G_CALLBACK(on_answer), view);
    gtk_window_present(GTK_WINDOW(dialog));
}
