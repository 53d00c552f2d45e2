// Rivers as lines and lakes as polygons, in GeoJSON with the coordinates of the terrain's map.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "silt/rivers.h"
#include "terrain/flood.h"
#include "terrain/streams.h"

typedef struct Atlas {
    const SiltTerrain *terrain;
    const SiltDrainage *drainage;
    const SiltRiverOptions *options;
    const SiltField *change;
    uint8_t *order;   // Strahler's; 0 where there is no stream
    uint8_t *joining; // how many streams come into each cell
    uint8_t *lake;    // LAKE_*, and the sides of lakes that have been drawn
    int32_t *queue;
    int feature_count;
    SiltText text;
} Atlas;

static void add_point(Atlas *atlas, double i, double j, bool first)
{
    const SiltTerrain *terrain = atlas->terrain;
    const SiltGeoreference *geo = &terrain->geo;
    double x = geo->placed ? geo->x + i * geo->step_x : i * terrain->cell;
    double y = geo->placed ? geo->y + j * geo->step_y : (terrain->height - j) * terrain->cell;
    silt_text_add(&atlas->text, first ? "[" : ", [");
    silt_text_add_json_number(&atlas->text, x);
    silt_text_add(&atlas->text, ", ");
    silt_text_add_json_number(&atlas->text, y);
    silt_text_add(&atlas->text, "]");
}

static void add_property(Atlas *atlas, const char *name, double value)
{
    silt_text_addf(&atlas->text, ", \"%s\": ", name);
    silt_text_add_json_number(&atlas->text, value);
}

static void begin_feature(Atlas *atlas, const char *kind)
{
    silt_text_addf(&atlas->text, "%s\n{\"type\": \"Feature\", \"properties\": {\"kind\": \"%s\", \"id\": %d",
                   atlas->feature_count ? "," : "", kind, atlas->feature_count + 1);
    atlas->feature_count++;
}

// ---- rivers: one line from a source or confluence to the next ----

static void count_joining(Atlas *atlas)
{
    const SiltDrainage *d = atlas->drainage;
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c && atlas->order[c] > 0)
            atlas->joining[to]++;
    }
}

typedef struct Reach {
    int32_t first, last;
    double length, discharge, slope;
} Reach;

static double step_length(const SiltDrainage *d, int32_t c, int32_t to)
{
    return d->cell * (c % d->width != to % d->width && c / d->width != to / d->width ? sqrt(2.0) : 1.0);
}

static double surface_at(const SiltDrainage *d, int32_t c)
{
    return (double)silt_field_at(&d->surface, c % d->width, c / d->width);
}

static Reach follow(const Atlas *atlas, int32_t source)
{
    const SiltDrainage *d = atlas->drainage;
    Reach reach = {.first = source, .last = source};
    int32_t before = source;
    do {
        int32_t to = d->receiver[reach.last];
        reach.length += step_length(d, reach.last, to);
        before = reach.last;
        reach.last = to;
    } while (atlas->joining[reach.last] == 1 && d->receiver[reach.last] != reach.last);
    const double seconds_a_year = 365.25 * 86400.0;
    reach.discharge = silt_drainage_catchment(d, before) * atlas->options->precipitation / seconds_a_year;
    reach.slope = (surface_at(d, reach.first) - surface_at(d, reach.last)) / reach.length;
    return reach;
}

static void add_river(Atlas *atlas, int32_t source)
{
    const SiltDrainage *d = atlas->drainage;
    Reach reach = follow(atlas, source);
    begin_feature(atlas, "river");
    add_property(atlas, "order", atlas->order[source]);
    add_property(atlas, "length", reach.length);
    add_property(atlas, "discharge", reach.discharge);
    // the width of a full bed grows as the root of its discharge (Leopold & Maddock 1953)
    add_property(atlas, "width", 5.0 * sqrt(reach.discharge));
    add_property(atlas, "slope", reach.slope);
    silt_text_add(&atlas->text, "}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [");
    for (int32_t c = source;; c = d->receiver[c]) {
        add_point(atlas, c % d->width + 0.5, c / d->width + 0.5, c == source);
        if (c == reach.last)
            break;
    }
    silt_text_add(&atlas->text, "]}}");
}

static void add_rivers(Atlas *atlas)
{
    const SiltDrainage *d = atlas->drainage;
    count_joining(atlas);
    for (int32_t c = 0; c < d->width * d->height; c++)
        if (atlas->order[c] > 0 && atlas->joining[c] != 1 && d->receiver[c] != c)
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

static void add_corner(Atlas *atlas, int i, int j, int way, bool first)
{
    // where the side begins: the corner behind it
    add_point(atlas, i + (way == 0 || way == 3), j + (way == 2 || way == 3), first);
}

// Around the lake, or around an island in it. Where two of its cells touch at a corner alone it keeps to the
// land at its side: land that touches at corners is apart, for the lake around it hangs together by its
// sides. So no ring comes to a corner twice.
static void add_ring(Atlas *atlas, int i, int j)
{
    int i0 = i, j0 = j, way = 0, before = 3;
    bool first = true;
    silt_text_add(&atlas->text, "[");
    do {
        if (way != before) {
            add_corner(atlas, i, j, way, first);
            first = false;
        }
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
    add_corner(atlas, i0, j0, 0, false);
    silt_text_add(&atlas->text, "]");
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
    begin_feature(atlas, "lake");
    add_property(atlas, "level", surface_at(d, atlas->queue[0]));
    add_property(atlas, "area", count * cell_area);
    add_property(atlas, "volume", volume);
    silt_text_add(&atlas->text, "}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [");
    bool first = true;
    for (int32_t k = 0; k < count; k++) {
        int32_t c = atlas->queue[k], i = c % d->width, j = c / d->width;
        if ((atlas->lake[c] & 1) || is_own(atlas, i, j - 1))
            continue;
        silt_text_add(&atlas->text, first ? "" : ", ");
        add_ring(atlas, i, j);
        first = false;
    }
    silt_text_add(&atlas->text, "]}}");
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

// ---- the file ----

static void add_head(Atlas *atlas)
{
    const char *crs = atlas->terrain->geo.crs;
    silt_text_add(&atlas->text, "{\"type\": \"FeatureCollection\",\n");
    if (strncmp(crs, "EPSG:", 5) == 0 && crs[5] && crs[5 + strspn(crs + 5, "0123456789")] == '\0')
        silt_text_addf(&atlas->text,
                       "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
                       "\"urn:ogc:def:crs:EPSG::%s\"}},\n",
                       crs + 5);
    silt_text_add(&atlas->text, "\"features\": [");
}

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
    return status;
}

SiltStatus silt_rivers_json(const SiltTerrain *terrain, const SiltRiverOptions *options, char **out)
{
    *out = NULL;
    SiltDrainage *drainage;
    SiltDrainageOptions how = {.has_sea = !isnan(options->sea_level),
                               .sea_level = options->sea_level,
                               .multiple = options->multiple};
    SiltStatus status = silt_drainage_create(terrain, &how, &drainage);
    if (status != SILT_OK)
        return status;
    Atlas atlas = {.terrain = terrain,
                   .drainage = drainage,
                   .options = options,
                   .change = silt_terrain_layer(terrain, "change")};
    status = make_arrays(&atlas);
    if (status == SILT_OK) {
        silt_stream_orders(drainage, options->channel_area, atlas.order);
        add_head(&atlas);
        add_rivers(&atlas);
        add_lakes(&atlas);
        silt_text_add(&atlas.text, "\n]}\n");
        *out = silt_text_take(&atlas.text);
        status = *out ? SILT_OK : SILT_NO_MEMORY;
    }
    silt_text_free(&atlas.text);
    silt_free(atlas.order);
    silt_free(atlas.joining);
    silt_free(atlas.lake);
    silt_free(atlas.queue);
    silt_drainage_destroy(drainage);
    return status;
}

SiltStatus silt_rivers_check(const char *path)
{
    return silt_ends_with(path, ".geojson") || silt_ends_with(path, ".json")
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: rivers are written as GeoJSON; name it .geojson", path);
}

SiltStatus silt_rivers_write(const SiltTerrain *terrain, const SiltRiverOptions *options, const char *path)
{
    char *json = NULL;
    SiltStatus status = silt_rivers_check(path);
    if (status == SILT_OK)
        status = silt_rivers_json(terrain, options, &json);
    if (status == SILT_OK)
        status = silt_write_file(path, json, strlen(json));
    silt_free(json);
    return status;
}
