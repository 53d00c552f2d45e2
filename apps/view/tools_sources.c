// Sources of water as things in the scene: a handle that is dragged, a ring that is pulled, a rate that the
// wheel turns. They are those of the live run, or of the stage that is picked.
#include <math.h>
#include <string.h>

#include "numbers.h"
#include "silt/text.h"
#include "tools_inside.h"

// ---- which there are ----

static int column_of(const char *columns, const char *name)
{
    int index = 0;
    for (const char *at = columns; *at; index++) {
        size_t length = strcspn(at, ": ");
        if (strlen(name) == length && strncmp(at, name, length) == 0)
            return index;
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return -1;
}

static void find_columns(const char *columns, SourceColumns *out)
{
    out->x = column_of(columns, "x");
    out->y = column_of(columns, "y");
    out->z = column_of(columns, "z");
    out->rate = column_of(columns, "rate");
    out->radius = column_of(columns, "radius");
    out->length = column_of(columns, "length");
    out->width = column_of(columns, "width");
}

static bool take_table(Sources *sources, const SiltParamTable *table)
{
    int index = table ? silt_params_find(table, "sources") : -1;
    if (index < 0 || table->items[index].type != SILT_TYPE_LIST)
        return false;
    find_columns(table->items[index].choices, &sources->at);
    return sources->at.x >= 0 && sources->at.y >= 0 && sources->at.rate >= 0;
}

static void read_picked(Tools *tools)
{
    View *view = tools->view;
    Sources *sources = &tools->sources;
    SiltEntry entry;
    SiltValue list = {.size = sizeof list};
    if (!view->stack || view->place != SILT_IN_STAGES ||
        silt_stack_entry(view->stack, SILT_IN_STAGES, view->index, &entry) != SILT_OK || !entry.model)
        return;
    const SiltParamTable *table = entry.tables[SILT_KEYS_SET];
    if (!take_table(sources, table) || !entry.params[SILT_KEYS_SET] ||
        silt_params_get(table, entry.params[SILT_KEYS_SET], silt_params_find(table, "sources"), &list) !=
            SILT_OK)
        return;
    sources->are_there = list.columns <= PLAYER_MAX_COLUMNS;
    sources->stage = view->index;
    sources->columns = list.columns;
    sources->count = MIN(list.rows, PLAYER_MAX_SOURCES);
    for (int k = 0; k < sources->count && sources->are_there; k++)
        memcpy(sources->rows[k], list.list + (size_t)k * (size_t)list.columns,
               (size_t)list.columns * sizeof(double));
}

void sources_refresh(Tools *tools)
{
    Sources *sources = &tools->sources;
    const PlayerState *state = &tools->state;
    if (sources->holds != HOLDS_NOTHING)
        return; // what is held goes before
    sources->are_there = false;
    sources->count = 0;
    sources->live = state->live;
    if (state->live && take_table(sources, silt_model_params(state->model))) {
        sources->are_there = true;
        sources->stage = state->live_stage;
        sources->count = state->source_count;
        const SiltParamTable *table = silt_model_params(state->model);
        const char *columns = table->items[silt_params_find(table, "sources")].choices;
        sources->columns = 1;
        for (const char *at = columns; *at; at++)
            sources->columns += *at == ' ';
        for (int k = 0; k < sources->count; k++)
            memcpy(sources->rows[k], state->sources[k], sizeof sources->rows[k]);
    } else if (!state->live) {
        read_picked(tools);
    }
    if (sources->chosen >= sources->count)
        sources->chosen = -1;
}

// ---- places: a source counts south from the northern edge ----

static double land_height(const Tools *tools)
{
    const SiltTerrain *terrain = tools->view->terrain;
    return terrain ? terrain->height * terrain->cell : 0.0;
}

static void place_of(const Tools *tools, int index, double place[2])
{
    const SourceColumns *at = &tools->sources.at;
    const double *row = tools->sources.rows[index];
    place[0] = row[at->x] + (at->length >= 0 ? 0.5 * row[at->length] : 0.0);
    place[1] = land_height(tools) - row[at->y] - (at->width >= 0 ? 0.5 * row[at->width] : 0.0);
}

static double radius_of(const Tools *tools, int index)
{
    const SourceColumns *at = &tools->sources.at;
    const double *row = tools->sources.rows[index];
    return at->radius >= 0 ? row[at->radius] : at->length >= 0 ? 0.5 * row[at->length] : 0.0;
}

static void put_place(Tools *tools, int index, const double place[2])
{
    const SourceColumns *at = &tools->sources.at;
    double *row = tools->sources.rows[index];
    double before[2];
    place_of(tools, index, before);
    if (at->z >= 0) // a box stays as high above the ground as it was
        row[at->z] += tools_height_at(tools, place) - tools_height_at(tools, before);
    row[at->x] = place[0] - (at->length >= 0 ? 0.5 * row[at->length] : 0.0);
    row[at->y] = land_height(tools) - place[1] - (at->width >= 0 ? 0.5 * row[at->width] : 0.0);
}

static void put_radius(Tools *tools, int index, double radius)
{
    const SourceColumns *at = &tools->sources.at;
    double *row = tools->sources.rows[index], place[2];
    radius = fmax(radius, 0.5 * tools->view->terrain->cell);
    if (at->radius >= 0) {
        row[at->radius] = radius;
        return;
    }
    place_of(tools, index, place);
    if (at->length >= 0)
        row[at->length] = 2.0 * radius;
    if (at->width >= 0)
        row[at->width] = 2.0 * radius;
    put_place(tools, index, place);
}

// ---- what is done with them ----

static void store_in_recipe(Tools *tools)
{
    const Sources *sources = &tools->sources;
    SiltText text = {0};
    for (int k = 0; k < sources->count; k++)
        for (int n = 0; n < sources->columns; n++) {
            silt_text_add(&text, n > 0 ? "," : k > 0 ? ";" : "");
            silt_text_add_number(&text, sources->rows[k][n]);
        }
    silt_text_add(&text, "");
    char *value = silt_text_take(&text);
    if (value && view_ok(tools->view, silt_stack_set(tools->view->stack, SILT_IN_STAGES, sources->stage,
                                                     SILT_KEYS_SET, "sources", value[0] ? value : NULL)))
        view_changed(tools->view);
    silt_free(value);
}

static void store(Tools *tools, int index, bool is_new)
{
    Sources *sources = &tools->sources;
    if (sources->live)
        player_source(tools->view->player, is_new ? -1 : index, sources->rows[index], sources->columns);
    else if (sources->holds == HOLDS_NOTHING || is_new)
        store_in_recipe(tools);
}

static int under(const Tools *tools, double x, double y, bool *is_ring)
{
    const double reach = 14.0, ring_reach = 8.0;
    for (int k = 0; k < tools->sources.count; k++) {
        double place[3], pixel[2], radius = radius_of(tools, k);
        place_of(tools, k, place);
        place[2] = tools_height_at(tools, place);
        *is_ring = false;
        if (silt_viewer_project(tools->view->viewer, place, pixel) &&
            hypot(pixel[0] - x, pixel[1] - y) < reach)
            return k;
        *is_ring = true;
        for (int n = 0; n < 64 && radius > 0.0; n++) {
            double edge[3] = {place[0] + radius * cos(n * G_PI / 32.0),
                              place[1] + radius * sin(n * G_PI / 32.0), 0.0};
            edge[2] = tools_height_at(tools, edge);
            if (silt_viewer_project(tools->view->viewer, edge, pixel) &&
                hypot(pixel[0] - x, pixel[1] - y) < ring_reach)
                return k;
        }
    }
    return -1;
}

// What suits a source so wide: a centimetre a second over its square; where water is made of particles, of
// which each is as thick as half a cell, a metre a second over its disc, or none would be seen.
static double usual_rate(const Tools *tools, double radius)
{
    SiltEntry entry;
    bool known =
        silt_stack_entry(tools->view->stack, SILT_IN_STAGES, tools->sources.stage, &entry) == SILT_OK;
    bool of_particles =
        known && entry.model && silt_params_find(silt_model_params(entry.model), "particles") >= 0;
    return of_particles ? G_PI * radius * radius : 0.01 * radius * radius;
}

// A new one: as others of its kind, or with what suits the land.
static bool add(Tools *tools)
{
    Sources *sources = &tools->sources;
    if (!sources->are_there || sources->count == PLAYER_MAX_SOURCES) {
        view_say(tools->view, "Sources belong to a stage with water: pick one, or play it");
        return false;
    }
    int k = sources->count++;
    double *row = sources->rows[k];
    const SourceColumns *at = &sources->at;
    double radius = 0.02 * tools->view->terrain->width * tools->view->terrain->cell;
    memset(row, 0, sizeof sources->rows[k]);
    if (k > 0)
        memcpy(row, sources->rows[k - 1], sizeof sources->rows[k]);
    else {
        row[at->rate] = usual_rate(tools, radius);
        if (at->radius >= 0)
            row[at->radius] = radius;
        if (at->length >= 0 && at->z >= 0) {
            row[at->length] = row[at->width] = 2.0 * radius;
            row[at->z + 3] = radius; // its height stands behind length and width
            row[at->z] = tools_height_at(tools, tools->pick.place) + radius;
        }
    }
    put_place(tools, k, tools->pick.place);
    sources->chosen = k;
    store(tools, k, true);
    return true;
}

bool sources_press(Tools *tools, double x, double y, bool adds)
{
    Sources *sources = &tools->sources;
    bool is_ring = false;
    sources_refresh(tools);
    int k = sources->are_there ? under(tools, x, y, &is_ring) : -1;
    if (k < 0 && (!adds || !tools->is_over))
        return false;
    if (sources->live)
        player_begin_group(tools->view->player, k < 0     ? "new source"
                                                : is_ring ? "size of source"
                                                          : "move source");
    if (k < 0) {
        bool is_added = add(tools);
        if (sources->live)
            player_end_group(tools->view->player);
        return is_added;
    }
    sources->chosen = k;
    sources->holds = is_ring ? HOLDS_RING : HOLDS_PLACE;
    return true;
}

void sources_drag(Tools *tools, const double to[2])
{
    Sources *sources = &tools->sources;
    int k = sources->chosen;
    if (sources->holds == HOLDS_NOTHING || k < 0 || k >= sources->count)
        return;
    double place[2];
    place_of(tools, k, place);
    if (sources->holds == HOLDS_PLACE)
        put_place(tools, k, to);
    else
        put_radius(tools, k, hypot(to[0] - place[0], to[1] - place[1]));
    store(tools, k, false);
}

void sources_release(Tools *tools)
{
    Sources *sources = &tools->sources;
    if (sources->holds == HOLDS_NOTHING)
        return;
    sources->holds = HOLDS_NOTHING;
    if (sources->live)
        player_end_group(tools->view->player);
    else
        store_in_recipe(tools);
}

bool sources_scroll(Tools *tools, double dy)
{
    Sources *sources = &tools->sources;
    bool is_ring = false;
    int k = sources->are_there ? under(tools, tools->pixel[0], tools->pixel[1], &is_ring) : -1;
    if (k < 0)
        return false;
    sources->chosen = k;
    double *rate = &sources->rows[k][sources->at.rate];
    *rate *= pow(1.15, -dy);
    store(tools, k, false);
    char *text = number_text(*rate);
    view_say(tools->view, "Source: %s m³/s", text);
    g_free(text);
    tools_mark(tools);
    return true;
}

char *sources_text(const Tools *tools)
{
    const Sources *sources = &tools->sources;
    int k = sources->chosen;
    if (!sources->are_there)
        return g_strdup("Pick a stage with water first");
    if (k < 0 || k >= sources->count)
        return g_strdup("Click where water shall rise");
    char *rate = number_text(sources->rows[k][sources->at.rate]),
         *wide = number_text(2.0 * radius_of(tools, k));
    char *text = g_strdup_printf("%s m³/s   ⌀ %s m   Shift+wheel, drag the ring", rate, wide);
    g_free(rate);
    g_free(wide);
    return text;
}

bool tools_delete(Tools *tools)
{
    Sources *sources = &tools->sources;
    int k = sources->chosen;
    if (!sources->are_there || k < 0 || k >= sources->count || sources->holds != HOLDS_NOTHING)
        return false;
    if (sources->live) {
        player_source(tools->view->player, k, NULL, 0);
    } else {
        memmove(sources->rows[k], sources->rows[k + 1],
                (size_t)(sources->count - k - 1) * sizeof sources->rows[0]);
        sources->count--;
        store_in_recipe(tools);
    }
    sources->chosen = -1;
    return true;
}

int sources_marks(const Tools *tools, SiltMark *marks, int room)
{
    const Sources *sources = &tools->sources;
    int count = sources->are_there ? MIN(sources->count, room) : 0;
    for (int k = 0; k < count; k++) {
        marks[k] = (SiltMark){.kind = SILT_MARK_HANDLE,
                              .radius = radius_of(tools, k),
                              .colour = {0.25f, 0.65f, 1.0f, 1.0f},
                              .chosen = k == sources->chosen};
        place_of(tools, k, marks[k].places[0]);
    }
    return count;
}
