// A terrain in several files: one range, shared edges, a JSON beside them; and in the size and shape that an
// engine takes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "io/engine.h"
#include "io/format.h"
#include "io/tiles.h"
#include "io/together.h"
#include "terrain/terrain.h"

static const SiltParam tile_items[] = {SILT_TILE_ITEMS("tiles")};
const SiltParamTable silt_tile_params = SILT_PARAM_TABLE(SiltTileOptions, tile_items);

enum { MESSAGE_SIZE = 2048, STEM_SIZE = SILT_PATH_SIZE };

// ---- the plan ----

typedef struct Plan {
    const SiltTerrain *terrain; // settled, and as the engine wants it
    const SiltEngine *engine;   // NULL: none
    int which;
    char stem[STEM_SIZE], ending[16];
    SiltWriteOptions write; // with the range of all
    int columns, rows, overlap;
    bool single; // one file under its own name
} Plan;

static SiltStatus split_path(const char *path, const SiltEngine *engine, Plan *plan)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (strlen(path) >= SILT_PATH_SIZE - 40)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", path);
    if (!dot && !engine)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: the ending picks the format; name it .png, .tif, .exr or .raw", path);
    if (!name[0] || dot == name)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the name of a file belongs here", path);
    snprintf(plan->stem, sizeof plan->stem, "%.*s", dot ? (int)(dot - path) : (int)strlen(path), path);
    if (dot)
        snprintf(plan->ending, sizeof plan->ending, "%.15s", dot + 1);
    else
        snprintf(plan->ending, sizeof plan->ending, "%.*s", (int)strcspn(engine->endings, " "),
                 engine->endings);
    char word[16];
    const char *endings = engine ? engine->endings : "";
    bool reads = !engine;
    while (silt_next_word(&endings, word, sizeof word))
        reads = reads || strcmp(word, plan->ending) == 0;
    return reads ? SILT_OK
                 : silt_fail(SILT_BAD_ARGUMENT, "%s: for %s write one of: %s", path, engine->name,
                             engine->endings);
}

static SiltStatus make_plan(const char *path, const SiltTileOptions *tiles, const SiltWriteOptions *options,
                            Plan *out)
{
    *out = (Plan){.which = tiles->engine,
                  .engine = silt_engine_at(tiles->engine),
                  .write = *options,
                  .columns = (int)tiles->tiles[0],
                  .rows = (int)tiles->tiles[1],
                  .overlap = tiles->overlap};
    SiltStatus status = silt_params_check(&silt_tile_params, tiles, path);
    if (status == SILT_OK && (out->columns != tiles->tiles[0] || out->rows != tiles->tiles[1]))
        status =
            silt_fail(SILT_BAD_ARGUMENT, "%s: tiles = %gx%g: whole numbers of columns and rows belong here",
                      path, tiles->tiles[0], tiles->tiles[1]);
    if (status == SILT_OK)
        status = split_path(path, out->engine, out);
    if (status != SILT_OK)
        return status;
    out->single = out->engine && out->columns == 1 && out->rows == 1;
    if (out->engine)
        out->overlap = out->engine->shares_edges ? 1 : 0;
    bool sixteen =
        strcmp(out->ending, "png") == 0 || strcmp(out->ending, "r16") == 0 || strcmp(out->ending, "raw") == 0;
    if (out->engine && out->write.bits == SILT_BITS_AUTO && sixteen)
        out->write.bits = SILT_BITS_16;
    char file[SILT_PATH_SIZE];
    snprintf(file, sizeof file, "%.*s.%s", SILT_PATH_SIZE - 40, out->stem, out->ending);
    return silt_write_check(file, &out->write);
}

static SiltTileSet set_of(const Plan *plan)
{
    bool lettered = !(plan->engine && plan->engine->plain_names);
    return (SiltTileSet){plan->stem, plan->ending, plan->columns, plan->rows, lettered, plan->single};
}

static void json_path(const Plan *plan, char path[SILT_PATH_SIZE])
{
    snprintf(path, SILT_PATH_SIZE, "%.*s.json", SILT_PATH_SIZE - 40, plan->stem);
}

SiltStatus silt_tiles_check(const char *path, const SiltTileOptions *tiles, const SiltWriteOptions *options)
{
    Plan plan;
    char json[SILT_PATH_SIZE];
    SiltStatus status = make_plan(path, tiles, options, &plan);
    if (status != SILT_OK)
        return status;
    json_path(&plan, json);
    return silt_tiles_check_json(json);
}

bool silt_tiles_writes(const char *path, const SiltTileOptions *tiles, const SiltWriteOptions *options,
                       const char *file)
{
    Plan plan;
    char folder[SILT_PATH_SIZE], name[SILT_PATH_SIZE], json[SILT_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (make_plan(path, tiles, options, &plan) != SILT_OK)
        return false;
    SiltTileSet set = set_of(&plan);
    json_path(&plan, json);
    return silt_path_lies_in(file, folder, name) &&
           (silt_tiles_has_file(&set, name) || silt_tiles_has_older(json, name));
}

// Where tile k of `count` begins along a side of so many cells; where it ends is where the next begins, and
// the overlap more.
static int begin_of(int cells, int overlap, int k, int count)
{
    return (int)((int64_t)(cells - overlap) * k / count);
}

static SiltStatus check_cut(const Plan *plan, const char *path)
{
    const int cells[2] = {plan->terrain->width, plan->terrain->height},
              parts[2] = {plan->columns, plan->rows};
    bool uneven = false;
    for (int k = 0; k < 2; k++) {
        if (parts[k] > 1 && cells[k] - plan->overlap < parts[k])
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: %d x %d cells cannot be cut into %d x %d tiles that share %d: take fewer",
                             path, cells[0], cells[1], parts[0], parts[1], plan->overlap);
        uneven = uneven || (cells[k] - plan->overlap) % parts[k] != 0;
    }
    if (uneven)
        silt_warn("%s: the tiles are not all of one size: %d x %d cells less the %d shared are no multiples "
                  "of %d x %d",
                  path, cells[0], cells[1], plan->overlap, parts[0], parts[1]);
    return SILT_OK;
}

// ---- what an engine wants ----

static int whole_side(const SiltEngine *engine, int cells, int parts, int overlap)
{
    return parts * (engine->side((cells - overlap) / parts + overlap) - overlap) + overlap;
}

static void size_for(const Plan *plan, const SiltTerrain *terrain, int size[2])
{
    const int overlap = plan->overlap;
    size[0] = terrain->width;
    size[1] = terrain->height;
    if (plan->engine && plan->engine->side) {
        size[0] = whole_side(plan->engine, size[0], plan->columns, overlap);
        size[1] = whole_side(plan->engine, size[1], plan->rows, overlap);
    }
    if (plan->which == SILT_FOR_UNITY && size[0] / plan->columns != size[1] / plan->rows) // square tiles
        size[1] = plan->rows * (size[0] - overlap) / plan->columns + overlap;
}

SiltStatus silt_tiles_size(const SiltTerrain *terrain, const char *path, const SiltTileOptions *tiles,
                           const SiltWriteOptions *options, int size[2])
{
    Plan plan;
    SiltStatus status = make_plan(path, tiles, options, &plan);
    if (status == SILT_OK)
        size_for(&plan, terrain, size);
    return status;
}

// *made is the terrain in the engine's size and side up, or NULL where it is so already.
static SiltStatus fit_engine(Plan *plan, const SiltTerrain *terrain, SiltTerrain **made)
{
    SiltTerrain *next = NULL;
    SiltStatus status = SILT_OK;
    *made = NULL;
    int size[2];
    size_for(plan, terrain, size);
    if (size[0] != terrain->width || size[1] != terrain->height)
        status = silt_terrain_resample(terrain, size[0], size[1], made);
    if (status == SILT_OK && *made)
        silt_engine_keep_range(terrain, plan->write.layer, *made);
    if (status == SILT_OK && plan->engine->flips) {
        status = silt_terrain_flip(*made ? *made : terrain, false, true, &next);
        silt_terrain_destroy(*made);
        *made = next;
    }
    return status;
}

// ---- files ----

typedef struct Tile {
    int x, y;                // from the north-west, or for engines that count so from the south-west
    int i, j, width, height; // of the terrain
} Tile;

static Tile tile_at(const Plan *plan, int index)
{
    Tile tile = {.x = index % plan->columns, .y = index / plan->columns};
    const SiltTerrain *terrain = plan->terrain;
    tile.i = begin_of(terrain->width, plan->overlap, tile.x, plan->columns);
    tile.j = begin_of(terrain->height, plan->overlap, tile.y, plan->rows);
    tile.width = begin_of(terrain->width, plan->overlap, tile.x + 1, plan->columns) + plan->overlap - tile.i;
    tile.height = begin_of(terrain->height, plan->overlap, tile.y + 1, plan->rows) + plan->overlap - tile.j;
    return tile;
}

static void tile_path(const Plan *plan, const Tile *tile, char path[SILT_PATH_SIZE])
{
    enum { STEM = SILT_PATH_SIZE - 40 };
    if (plan->single)
        snprintf(path, SILT_PATH_SIZE, "%.*s.%s", STEM, plan->stem, plan->ending);
    else if (plan->engine && plan->engine->plain_names)
        snprintf(path, SILT_PATH_SIZE, "%.*s_%d_%d.%s", STEM, plan->stem, tile->x, tile->y, plan->ending);
    else
        snprintf(path, SILT_PATH_SIZE, "%.*s_x%d_y%d.%s", STEM, plan->stem, tile->x, tile->y, plan->ending);
}

// A part of a terrain, without copying its layers. The mask stays though it may be empty: it decides which
// sample stands for which height.
typedef struct Window {
    SiltTerrain terrain;
    SiltLayer layers[SILT_MAX_LAYERS];
} Window;

static SiltStatus open_window(const SiltTerrain *from, const Tile *tile, Window **out)
{
    SiltStatus status = silt_alloc_for("a tile", 1, sizeof(Window), (void **)out);
    if (status != SILT_OK)
        return status;
    Window *window = *out;
    window->terrain = *from;
    window->terrain.width = tile->width;
    window->terrain.height = tile->height;
    window->terrain.volume = NULL;
    window->terrain.nodata = NULL;
    window->terrain.geo.x += tile->i * from->geo.step_x;
    window->terrain.geo.y += tile->j * from->geo.step_y;
    for (int k = 0; k < from->layer_count; k++) {
        SiltLayer *layer = &window->layers[k];
        *layer = *from->layers[k];
        layer->field.data = silt_field_row(&from->layers[k]->field, tile->j) + tile->i;
        layer->field.width = tile->width;
        layer->field.height = tile->height;
        window->terrain.layers[k] = layer;
    }
    if (!from->nodata)
        return SILT_OK;
    status =
        silt_alloc_for("a tile", (size_t)tile->width, (size_t)tile->height, (void **)&window->terrain.nodata);
    for (int j = 0; j < tile->height && status == SILT_OK; j++)
        memcpy(window->terrain.nodata + (size_t)j * (size_t)tile->width,
               from->nodata + (size_t)(tile->j + j) * (size_t)from->width + (size_t)tile->i,
               (size_t)tile->width);
    return status;
}

static void close_window(Window *window)
{
    if (window)
        silt_free(window->terrain.nodata);
    silt_free(window);
}

typedef struct Batch {
    const Plan *plan;
    SiltStatus *status;
    char (*message)[MESSAGE_SIZE];
} Batch;

static void write_some(void *context, int begin, int end)
{
    const Batch *batch = context;
    for (int k = begin; k < end; k++) {
        Tile tile = tile_at(batch->plan, k);
        Window *window = NULL;
        char path[SILT_PATH_SIZE];
        tile_path(batch->plan, &tile, path);
        SiltStatus status = open_window(batch->plan->terrain, &tile, &window);
        if (status == SILT_OK)
            status = silt_terrain_write(&window->terrain, path, &batch->plan->write);
        close_window(window);
        batch->status[k] = status;
        if (status != SILT_OK)
            snprintf(batch->message[k], MESSAGE_SIZE, "%s", silt_message());
    }
}

static SiltStatus write_all(const Plan *plan)
{
    int count = plan->columns * plan->rows;
    Batch batch = {.plan = plan};
    SiltStatus status = silt_alloc_for("tiles", (size_t)count, sizeof *batch.status, (void **)&batch.status);
    if (status == SILT_OK)
        status = silt_alloc_for("tiles", (size_t)count, sizeof *batch.message, (void **)&batch.message);
    if (status == SILT_OK)
        silt_parallel(count, 1, write_some, &batch);
    for (int k = 0; k < count && status == SILT_OK; k++)
        if (batch.status[k] != SILT_OK)
            status = silt_fail(batch.status[k], "%s", batch.message[k]);
    silt_free(batch.status);
    silt_free(batch.message);
    return status;
}

// ---- what is said ----

static SiltEngineFit fit_of(const Plan *plan, double cell_x, double cell_y)
{
    Tile first = tile_at(plan, 0);
    double low = plan->write.heights[0], high = plan->write.heights[1];
    bool real = plan->write.bits != SILT_BITS_8 && plan->write.bits != SILT_BITS_16;
    if (plan->terrain->nodata && !real) // sample 0 is that of cells without data
        low -= (high - low) / (plan->write.bits == SILT_BITS_8 ? 254.0 : 65534.0);
    return (SiltEngineFit){.columns = plan->columns,
                           .rows = plan->rows,
                           .width = first.width,
                           .height = first.height,
                           .whole_width = plan->terrain->width,
                           .whole_height = plan->terrain->height,
                           .cell_x = cell_x,
                           .cell_y = cell_y,
                           .low = low,
                           .high = high,
                           .ending = plan->ending};
}

static void add_pair(SiltText *text, const char *key, double a, double b)
{
    silt_text_addf(text, "\"%s\": [", key);
    silt_text_add_json_number(text, a);
    silt_text_add(text, ", ");
    silt_text_add_json_number(text, b);
    silt_text_add(text, "]");
}

static char *tiles_json(const Plan *plan, const SiltEngineFit *fit)
{
    SiltText text = {0};
    silt_text_addf(&text, "{\n  \"width\": %d, \"height\": %d, ", fit->whole_width, fit->whole_height);
    add_pair(&text, "cell", fit->cell_x, fit->cell_y);
    silt_text_add(&text, ", ");
    add_pair(&text, "heights", fit->low, fit->high);
    silt_text_addf(
        &text,
        ",\n  \"layer\": \"%s\", \"columns\": %d, \"rows\": %d, \"overlap\": %d, \"first_row\": \"%s\"",
        plan->write.layer, plan->columns, plan->rows, plan->overlap,
        plan->engine && plan->engine->flips ? "south" : "north");
    if (plan->engine) {
        silt_text_addf(&text, ",\n  \"for\": \"%s\", \"import\": {", plan->engine->name);
        silt_engine_json(plan->which, fit, &text);
        silt_text_add(&text, "}");
    }
    silt_text_add(&text, ",\n  \"tiles\": [");
    for (int k = 0; k < plan->columns * plan->rows; k++) {
        Tile tile = tile_at(plan, k);
        char path[SILT_PATH_SIZE];
        tile_path(plan, &tile, path);
        const char *slash = strrchr(path, '/');
        silt_text_add(&text, k ? ",\n    {\"file\": " : "\n    {\"file\": ");
        silt_text_add_json(&text, slash ? slash + 1 : path);
        silt_text_addf(&text, ", \"x\": %d, \"y\": %d, \"i\": %d, \"j\": %d, \"width\": %d, \"height\": %d}",
                       tile.x, tile.y, tile.i, tile.j, tile.width, tile.height);
    }
    silt_text_add(&text, "\n  ]\n}\n");
    return silt_text_take(&text);
}

static char *tiles_words(const Plan *plan, const SiltEngineFit *fit)
{
    SiltText text = {0};
    silt_text_addf(&text, "%d x %d file%s of %d x %d cells of %.6g m, %.2f to %.2f m\n", plan->columns,
                   plan->rows, plan->columns * plan->rows == 1 ? "" : "s", fit->width, fit->height,
                   fit->cell_x, fit->low, fit->high);
    silt_engine_say(plan->which, fit, &text);
    return silt_text_take(&text);
}

// One range for all: as was asked for, or that of the whole layer.
static SiltStatus choose_range(Plan *plan, const char *path)
{
    const SiltLayer *layer;
    if (strcmp(plan->write.layer, "all") == 0)
        return SILT_OK;
    SiltStatus status = silt_raster_layer(path, plan->terrain, &plan->write, &layer);
    if (status != SILT_OK)
        return status;
    SiltHeightRange range = silt_raster_write_range(path, plan->terrain, layer, &plan->write);
    plan->write.range_told = true; // of the whole, once, and not of every file
    plan->write.heights[0] = range.low;
    plan->write.heights[1] = range.high;
    return SILT_OK;
}

// All tiles and their JSON, or none: a cut that fails leaves the one before it. Tiles without a JSON are not
// all there.
static SiltStatus write_together(const Plan *plan, const SiltEngineFit *fit, const char *json)
{
    SiltTogether *together;
    SiltStatus status = silt_together_begin(json, &together);
    if (status != SILT_OK)
        return status;
    status = write_all(plan);
    char *text = status == SILT_OK ? tiles_json(plan, fit) : NULL;
    if (status == SILT_OK)
        status = text ? silt_write_file(json, text, strlen(text)) : silt_fail_memory("text", 1.0);
    silt_free(text);
    return silt_together_end(together, status);
}

static SiltStatus write_plan(Plan *plan, const char *path, double width_m, double height_m, char **said)
{
    char json[SILT_PATH_SIZE];
    json_path(plan, json);
    SiltStatus status = check_cut(plan, path);
    if (status == SILT_OK)
        status = silt_terrain_check_finite(plan->terrain,
                                           strcmp(plan->write.layer, "all") == 0 ? NULL : plan->write.layer,
                                           path, "nothing was written");
    if (status == SILT_OK)
        status = choose_range(plan, path);
    if (status == SILT_OK)
        status = silt_make_folders(json);
    if (status == SILT_OK)
        status = silt_file_check(json);
    if (status == SILT_OK)
        status = silt_tiles_check_json(json);
    if (status != SILT_OK)
        return status;
    SiltEngineFit fit = fit_of(plan, width_m / plan->terrain->width, height_m / plan->terrain->height);
    char *older = NULL;
    size_t older_bytes = 0;
    if (silt_tiles_read_older(json, &older, &older_bytes) != SILT_OK)
        older = NULL; // no JSON of ours
    status = write_together(plan, &fit, json);
    SiltTileSet set = set_of(plan);
    if (status == SILT_OK && older)
        silt_tiles_remove_older(&set, json, older, older_bytes);
    silt_free(older);
    if (status == SILT_OK && said && !(*said = tiles_words(plan, &fit)))
        status = silt_fail_memory("text", 1.0);
    return status;
}

SiltStatus silt_terrain_write_tiles(const SiltTerrain *terrain, const char *path,
                                    const SiltTileOptions *tiles, const SiltWriteOptions *options,
                                    char **said)
{
    Plan plan;
    SiltTerrain *settled = NULL, *fitted = NULL;
    if (said)
        *said = NULL;
    SiltStatus status = make_plan(path, tiles, options, &plan);
    if (status == SILT_OK && strcmp(plan.write.layer, "change") == 0)
        strcpy(plan.write.layer, "net_change");
    bool has_holes = plan.engine && terrain->nodata;
    if (status == SILT_OK && (has_holes || silt_terrain_layer(terrain, "change"))) {
        status = silt_terrain_clone(terrain, &settled);
        if (status == SILT_OK)
            silt_terrain_settle(settled);
        if (status == SILT_OK && has_holes)
            silt_engine_fill_holes(plan.engine, plan.write.layer, path, settled);
    }
    if (status == SILT_OK && plan.engine && tiles->overlap != plan.overlap && tiles->overlap != 1 &&
        !plan.single) // 1: the default
        silt_warn("%s: overlap = %d is passed over: tiles of %s share %d", path, tiles->overlap,
                  plan.engine->name, plan.overlap);
    const SiltTerrain *from = settled ? settled : terrain;
    if (status == SILT_OK && plan.engine)
        status = fit_engine(&plan, from, &fitted);
    plan.terrain = fitted ? fitted : from;
    if (status == SILT_OK)
        status =
            write_plan(&plan, path, terrain->width * terrain->cell, terrain->height * terrain->cell, said);
    silt_terrain_destroy(fitted);
    silt_terrain_destroy(settled);
    return status;
}
