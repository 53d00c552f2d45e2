#include "warnings.h"

#include <math.h>

enum { SECONDS = 9, MOST_WAITING = 8, PATIENCE = 2 };

// The library's handler has no window: there is one of both in a program.
static struct {
    GMutex lock;
    View *view;
    GQueue *waiting;  // sentences, oldest first; under the lock
    GHashTable *said; // of this recipe; under the lock
    guint call;       // an idle call is on its way; under the lock
    char *last;
    gint64 dry_since; // when a run began to play without water; 0: it has some, or does not play
    bool dry_said;
} own;

static gboolean on_call(gpointer user)
{
    View *view = user;
    g_mutex_lock(&own.lock);
    own.call = 0;
    g_mutex_unlock(&own.lock);
    if (!view->gone && !view->toast_timer)
        warnings_show_next(view);
    return G_SOURCE_REMOVE;
}

// On any thread.
static void on_warning(void *user, const char *text)
{
    View *view = user;
    g_mutex_lock(&own.lock);
    if (own.view == view && own.waiting->length < MOST_WAITING &&
        g_hash_table_add(own.said, g_strdup(text))) {
        g_queue_push_tail(own.waiting, g_strdup(text));
        if (!own.call)
            own.call = g_idle_add(on_call, view);
    }
    g_mutex_unlock(&own.lock);
}

void warnings_begin(View *view)
{
    g_mutex_lock(&own.lock);
    own.view = view;
    own.waiting = g_queue_new();
    own.said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_mutex_unlock(&own.lock);
    silt_set_warning_handler(on_warning, view);
}

static void forget(void)
{
    g_queue_clear_full(own.waiting, g_free);
    g_hash_table_remove_all(own.said);
}

void warnings_forget(View *view)
{
    (void)view;
    g_mutex_lock(&own.lock);
    forget();
    g_mutex_unlock(&own.lock);
    own.dry_said = false;
}

bool warnings_show_next(View *view)
{
    g_mutex_lock(&own.lock);
    char *text = g_queue_pop_head(own.waiting);
    g_mutex_unlock(&own.lock);
    if (!text)
        return false;
    view_show_toast(view, text, SECONDS);
    g_free(own.last);
    own.last = text;
    return true;
}

void warnings_watch(View *view, const PlayerState *state)
{
    const SiltAccount *water = &state->ledger.water;
    gint64 now = g_get_monotonic_time();
    bool takes_water = state->model && silt_params_find(silt_model_params(state->model), "sources") >= 0;
    bool is_known =
        state->ledger_step > 0 && 2 * state->ledger_step >= state->step; // books of its beginning say nothing
    bool is_dry = state->live && state->playing && takes_water && is_known && state->particles == 0 &&
                  water->initial + water->added + fabs(water->by_hand) <= 0.0;
    own.dry_since = !is_dry ? 0 : own.dry_since ? own.dry_since : now;
    if (!is_dry || own.dry_said || now - own.dry_since < PATIENCE * G_USEC_PER_SEC)
        return;
    own.dry_said = true;
    on_warning(view, "No water comes: place a source (x), paint rain (r), or give the stage rain");
}

const char *warnings_last(void)
{
    return own.last ? own.last : "";
}

void warnings_end(View *view)
{
    (void)view;
    silt_set_warning_handler(NULL, NULL);
    g_mutex_lock(&own.lock);
    forget();
    own.view = NULL;
    g_clear_pointer(&own.waiting, g_queue_free);
    g_clear_pointer(&own.said, g_hash_table_unref);
    g_clear_pointer(&own.last, g_free);
    g_mutex_unlock(&own.lock);
}
