// The list of devices is made by another thread: a driver may take a second to tell what it has.
#include "devices.h"

#include <string.h>

#include "actions.h"
#include "finder.h"
#include "land.h"
#include "settings.h"
#include "silt/device.h"
#include "silt/parallel.h"

enum { MOST_DEVICES = 16 };

typedef struct Search {
    View *view;
    int count;
    SiltDeviceInfo found[MOST_DEVICES];
    char *none; // why there are none
} Search;

void devices_begin(View *view, const char *choice)
{
    char *before = choice ? NULL : settings_text("device");
    const char *wanted = choice ? choice : before;
    if (wanted && wanted[0] && strcmp(wanted, "cpu") != 0)
        player_work_on(view->player, wanted);
    g_free(before);
}

static void choose(View *view, const FoundItem *item)
{
    if (item->number < 0)
        return;
    char *choice = item->number ? g_strdup_printf("gpu:%s", item->title) : g_strdup("cpu");
    settings_set_text("device", choice);
    player_work_on(view->player, choice);
    if (item->number)
        view_say(view, "Models work on %s as soon as it has passed its test", item->title);
    else
        view_say(view, "Models work on the processor");
    g_free(choice);
}

// How pictures of a run on the device in use come to the screen.
static char *drawing_of(const View *view, const PlayerState *state)
{
    const char *why = land_apart(view->land) ? land_apart(view->land) : state->apart;
    return state->shares ? g_strdup("; draws from its own memory")
           : why[0]      ? g_strdup_printf("; draws by way of the processor: %s", why)
                         : g_strdup("");
}

static void add_device(GPtrArray *items, const SiltDeviceInfo *info, bool is_chosen, const char *drawing)
{
    char *detail = g_strdup_printf("%s, %.1f GiB, %s%s%s", info->is_gpu ? "GPU" : "OpenCL on the processor",
                                   (double)info->memory / (double)(1 << 30), info->platform,
                                   info->has_double ? "" : "; without double precision: grid models alone",
                                   is_chosen ? drawing : "");
    found_items_add(items, NULL, info->name, detail, is_chosen ? "in use" : NULL)->number = 1;
    g_free(detail);
}

static gboolean show(gpointer user)
{
    Search *search = user;
    View *view = search->view;
    view->outside--;
    if (!view->gone) {
        PlayerState state;
        player_state(view->player, &state);
        GPtrArray *items = found_items_new();
        char *threads = g_strdup_printf("%d threads", silt_threads());
        found_items_add(items, NULL, "Processor", threads, state.device[0] ? NULL : "in use");
        char *drawing = drawing_of(view, &state);
        for (int k = 0; k < search->count; k++)
            add_device(items, &search->found[k], strcmp(state.device, search->found[k].name) == 0, drawing);
        g_free(drawing);
        if (search->count == 0)
            found_items_add(items, NULL, "No GPU", search->none, NULL)->number = -1;
        finder_open(view->finder, "Where shall models work? The result is the same", items, choose);
        g_free(threads);
    }
    g_free(search->none);
    g_free(search);
    return G_SOURCE_REMOVE;
}

static gpointer find(gpointer user)
{
    Search *search = user;
    int count = silt_device_count();
    for (int k = 0; k < count && search->count < MOST_DEVICES; k++)
        search->count += silt_device_info(k, &search->found[search->count]) == SILT_OK;
    search->none = g_strdup(search->count > 0 ? "" : silt_message());
    g_idle_add(show, search);
    return NULL;
}

void act_device(View *view, int value)
{
    (void)value;
    Search *search = g_new0(Search, 1);
    search->view = view;
    view->outside++;
    g_thread_unref(g_thread_new("devices", find, search));
}
