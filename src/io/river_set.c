// Finds the rivers and lakes of a terrain.
#include "io/river_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "terrain/flood.h"
#include "terrain/streams.h"

const SiltRiverColumn silt_river_columns[SILT_RIVER_VALUES] = {
    {"id", "", true},
    {"downstream", "", true}, // the id of the river it flows into
    {"order", "", true},
    {"length", "m", false},
    {"discharge", "m3/s", false},
    {"width", "m", false},
    {"slope", "", false},
    {"catchment_area", "m2", false},
    {"from_elevation", "m", false},
    {"to_elevation", "m", false},
    {"from_chi", "m", false},
    {"to_chi", "m", false},
    {"ksn", "m^(2*theta)", false},
};
const SiltRiverColumn silt_lake_columns[SILT_LAKE_VALUES] = {
    {"id", "", true}, {"level", "m", false}, {"area", "m2", false}, {"volume", "m3", false}};

typedef struct Atlas {
    const SiltTerrain *terrain;
    const SiltDrainage *drainage;
    const SiltRiverOptions *options;
    const SiltField *change;
    uint8_t *order;   // Strahler's; 0 where there is no stream
    uint8_t *joining; // how many streams come into each cell
    uint8_t *lake;    // LAKE_*, and the sides of lakes that have been drawn
    int32_t *queue;   // of rivers: the number of the line that begins at a cell
    double *chi;
    SiltRiverSet *set;
} Atlas;

// ---- lists that grow ----

static bool grow(SiltRiverSet *set, void **list, size_t size, size_t used, size_t *room)
{
    if (used < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *bigger = set->failed ? NULL : silt_alloc(wanted * size);
    set->failed = set->failed || !bigger;
    if (!bigger)
        return false;
    if (used > 0)
        memcpy(bigger, *list, used * size);
    silt_free(*list);
    *list = bigger;
    *room = wanted;
    return true;
}

static void add_point(Atlas *atlas, double i, double j)
{
    const SiltTerrain *terrain = atlas->terrain;
    const SiltGeoreference *geo = &terrain->geo;
    SiltRiverSet *set = atlas->set;
    if (!grow(set, (void **)&set->points, sizeof *set->points, set->point_count, &set->point_room))
        return;
    set->points[set->point_count++] =
        (SiltRiverPoint){geo->placed ? geo->x + i * geo->step_x : i * terrain->cell,
                         geo->placed ? geo->y + j * geo->step_y : (terrain->height - j) * terrain->cell};
    set->parts[set->part_count - 1].count++;
}

static void begin_part(Atlas *atlas, SiltRiverShape *shape)
{
    SiltRiverSet *set = atlas->set;
    size_t room = (size_t)set->part_room;
    if (!grow(set, (void **)&set->parts, sizeof *set->parts, (size_t)set->part_count, &room))
        return;
    set->part_room = (int)room;
    set->parts[set->part_count++] = (SiltRiverPart){.first = set->point_count};
    shape->part_count++;
}

static SiltRiverShape *begin_shape(SiltRiverSet *set, SiltRiverShape **list, int *count, int *most)
{
    size_t room = (size_t)*most;
    if (!grow(set, (void **)list, sizeof **list, (size_t)*count, &room))
        return NULL;
    *most = (int)room;
    SiltRiverShape *shape = &(*list)[(*count)++];
    *shape = (SiltRiverShape){.first_part = set->part_count};
    for (int k = 0; k < SILT_RIVER_VALUES; k++)
        shape->values[k] = NAN;
    return shape;
}

// ---- rivers: one line from a source or confluence to the next ----

static double surface_at(const SiltDrainage *d, int32_t c)
{
    return silt_drainage_surface(d, c);
}

static void measure_river(const Atlas *atlas, int32_t first, int32_t last, double values[SILT_RIVER_VALUES])
{
    const SiltDrainage *d = atlas->drainage;
    const double seconds_a_year = 365.25 * 86400.0;
    double length = 0.0;
    int32_t before = first;
    for (int32_t c = first; c != last; c = d->receiver[c]) {
        length += silt_stream_step(d, c);
        before = c;
    }
    double area = silt_drainage_catchment(d, before),
           discharge = area * atlas->options->precipitation / seconds_a_year;
    const double measured[] = {
        length, discharge,
        // the width of a full bed grows as the root of its discharge (Leopold & Maddock 1953)
        5.0 * sqrt(discharge), (surface_at(d, first) - surface_at(d, last)) / length, area,
        surface_at(d, first), surface_at(d, last), atlas->chi[first], atlas->chi[last],
        silt_reach_steepness(d, atlas->options, atlas->chi, first, last)};
    memcpy(values + SILT_RIVER_ORDER + 1, measured, sizeof measured);
}

static void add_river(Atlas *atlas, int32_t first)
{
    const SiltDrainage *d = atlas->drainage;
    SiltRiverSet *set = atlas->set;
    int32_t last = silt_reach_end(d, atlas->joining, first);
    SiltRiverShape *river = begin_shape(set, &set->rivers, &set->river_count, &set->river_room);
    if (!river)
        return;
    river->values[SILT_RIVER_ID] = set->river_count;
    river->values[SILT_RIVER_DOWNSTREAM] = atlas->queue[last] > 0 ? atlas->queue[last] : (double)NAN;
    river->values[SILT_RIVER_ORDER] = atlas->order[first];
    measure_river(atlas, first, last, river->values);
    begin_part(atlas, river);
    for (int32_t c = first;; c = d->receiver[c]) {
        add_point(atlas, c % d->width + 0.5, c / d->width + 0.5);
        if (c == last)
            break;
    }
}

static void add_rivers(Atlas *atlas)
{
    const SiltDrainage *d = atlas->drainage;
    int32_t count = 0;
    silt_stream_joining(d, atlas->order, atlas->joining);
    silt_stream_chi(d, atlas->options, atlas->chi);
    for (int32_t c = 0; c < d->width * d->height; c++)
        atlas->queue[c] = silt_reach_begins(d, atlas->order, atlas->joining, c) ? ++count : 0;
    for (int32_t c = 0; c < d->width * d->height; c++)
        if (atlas->queue[c] > 0)
            add_river(atlas, c);
}

// ---- lakes: cells under one level that touch, drawn along their sides ----

enum { LEAST_LAKE = 9 };                               // cells: three by three has an inside
enum { LAKE_WET = 16, LAKE_SEEN = 32, LAKE_OWN = 64 }; // below: a bit for each side, north west south east

// Ways along the sides of a cell with its inside to the left: along its northern side westwards, and on
// counter-clockwise, as GeoJSON wants shores.
static const int ahead[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

static bool is_own(const Atlas *atlas, int i, int j)
{
    const SiltDrainage *d = atlas->drainage;
    return i >= 0 && j >= 0 && i < d->width && j < d->height && (atlas->lake[j * d->width + i] & LAKE_OWN);
}

static void add_corner(Atlas *atlas, int i, int j, int way)
{
    // where the side begins: the corner behind it
    add_point(atlas, i + (way == 0 || way == 3), j + (way == 2 || way == 3));
}

// Around the lake, or around an island in it. Where two of its cells touch at a corner alone it keeps to the
// land at its side: land that touches at corners is apart, for the lake around it hangs together by its
// sides. So no ring comes to a corner twice.
static void add_ring(Atlas *atlas, SiltRiverShape *lake, int i, int j)
{
    int i0 = i, j0 = j, way = 0, before = 3;
    begin_part(atlas, lake);
    do {
        if (way != before)
            add_corner(atlas, i, j, way);
        before = way;
        atlas->lake[j * atlas->drainage->width + i] |= (uint8_t)(1 << way);
        int aside = (way + 3) & 3, x = i + ahead[way][0], y = j + ahead[way][1];
        if (is_own(atlas, x + ahead[aside][0], y + ahead[aside][1])) {
            i = x + ahead[aside][0], j = y + ahead[aside][1];
            way = aside;
        } else if (is_own(atlas, x, y)) {
            i = x, j = y;
        } else {
            way = (way + 1) & 3;
        }
    } while (i != i0 || j != j0 || way != 0);
    add_corner(atlas, i0, j0, 0);
}

// Cells of the lake around c, marked as its own, in the queue.
static int32_t gather_lake(Atlas *atlas, int32_t c)
{
    const SiltDrainage *d = atlas->drainage;
    int32_t count = 0;
    double level = surface_at(d, c);
    atlas->queue[count++] = c;
    atlas->lake[c] |= LAKE_SEEN | LAKE_OWN;
    for (int32_t head = 0; head < count; head++) {
        int32_t at = atlas->queue[head], i = at % d->width, j = at / d->width;
        for (int k = 0; k < 4; k++) {
            int x = i + ahead[k][0], y = j + ahead[k][1];
            if (x < 0 || y < 0 || x >= d->width || y >= d->height)
                continue;
            int32_t next = y * d->width + x;
            bool same =
                (atlas->lake[next] & (LAKE_WET | LAKE_SEEN)) == LAKE_WET && surface_at(d, next) == level;
            if (!same)
                continue;
            atlas->lake[next] |= LAKE_SEEN | LAKE_OWN;
            atlas->queue[count++] = next;
        }
    }
    return count;
}

static double depth_at(const Atlas *atlas, int32_t c)
{
    int i = c % atlas->drainage->width, j = c / atlas->drainage->width;
    const float *height = silt_field_row(&atlas->terrain->layers[0]->field, j);
    const float *change = atlas->change ? silt_field_row(atlas->change, j) : NULL;
    return surface_at(atlas->drainage, c) - (double)silt_terrain_ground(height, change, i);
}

static bool is_deep(const Atlas *atlas, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        if (depth_at(atlas, atlas->queue[k]) >= atlas->options->lake_depth)
            return true;
    return false;
}

static int compare_cells(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// The first ring is the shore, for it begins at the first cell row by row; the others are islands.
static void add_lake(Atlas *atlas, int32_t count)
{
    const SiltDrainage *d = atlas->drainage;
    double volume = 0.0, cell_area = d->cell * d->cell;
    qsort(atlas->queue, (size_t)count, sizeof *atlas->queue, compare_cells);
    for (int32_t k = 0; k < count; k++)
        volume += depth_at(atlas, atlas->queue[k]) * cell_area;
    SiltRiverSet *set = atlas->set;
    SiltRiverShape *lake = begin_shape(set, &set->lakes, &set->lake_count, &set->lake_room);
    if (!lake)
        return;
    const double values[] = {set->river_count + set->lake_count, surface_at(d, atlas->queue[0]),
                             count * cell_area, volume};
    memcpy(lake->values, values, sizeof values);
    for (int32_t k = 0; k < count; k++) {
        int32_t c = atlas->queue[k], i = c % d->width, j = c / d->width;
        if (!(atlas->lake[c] & 1) && !is_own(atlas, i, j - 1))
            add_ring(atlas, lake, i, j);
    }
}

static void add_lakes(Atlas *atlas)
{
    const SiltDrainage *d = atlas->drainage;
    double area = atlas->options->lake_area, least = isnan(area) ? LEAST_LAKE : area / (d->cell * d->cell);
    for (int32_t c = 0; c < d->width * d->height; c++)
        atlas->lake[c] = d->receiver[c] >= 0 && depth_at(atlas, c) > 0.0 ? LAKE_WET : 0;
    for (int32_t c = 0; c < d->width * d->height; c++) {
        if ((atlas->lake[c] & (LAKE_WET | LAKE_SEEN)) != LAKE_WET)
            continue;
        int32_t count = gather_lake(atlas, c);
        if (count >= least && is_deep(atlas, count))
            add_lake(atlas, count);
        for (int32_t k = 0; k < count; k++)
            atlas->lake[atlas->queue[k]] &= (uint8_t)~LAKE_OWN;
    }
}

// ---- the whole ----

static SiltStatus make_arrays(Atlas *atlas)
{
    size_t cells = (size_t)atlas->drainage->width * (size_t)atlas->drainage->height;
    SiltStatus status = silt_alloc_for("rivers", cells, 1, (void **)&atlas->order);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, 1, (void **)&atlas->joining);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, 1, (void **)&atlas->lake);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, sizeof *atlas->queue, (void **)&atlas->queue);
    if (status == SILT_OK)
        status = silt_alloc_for("rivers", cells, sizeof *atlas->chi, (void **)&atlas->chi);
    return status;
}

SiltStatus silt_river_set_make(const SiltTerrain *terrain, const SiltRiverOptions *options, SiltRiverSet *out)
{
    SiltDrainage *drainage;
    SiltDrainageOptions how = {.has_sea = !isnan(options->sea_level),
                               .sea_level = options->sea_level,
                               .multiple = options->multiple};
    *out = (SiltRiverSet){0};
    SiltStatus status = silt_drainage_create(terrain, &how, &drainage);
    if (status != SILT_OK)
        return status;
    Atlas atlas = {.terrain = terrain,
                   .drainage = drainage,
                   .options = options,
                   .change = silt_terrain_layer(terrain, "change"),
                   .set = out};
    status = make_arrays(&atlas);
    if (status == SILT_OK) {
        silt_stream_orders(drainage, options->channel_area, atlas.order);
        add_rivers(&atlas);
        add_lakes(&atlas);
        if (out->failed)
            status = silt_fail_memory("rivers", (double)out->point_count * sizeof(SiltRiverPoint));
    }
    silt_free(atlas.order);
    silt_free(atlas.joining);
    silt_free(atlas.lake);
    silt_free(atlas.queue);
    silt_free(atlas.chi);
    silt_drainage_destroy(drainage);
    if (status != SILT_OK)
        silt_river_set_free(out);
    return status;
}

void silt_river_set_free(SiltRiverSet *set)
{
    silt_free(set->rivers);
    silt_free(set->lakes);
    silt_free(set->parts);
    silt_free(set->points);
    *set = (SiltRiverSet){0};
}
