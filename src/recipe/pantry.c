#include "recipe/pantry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"
#include "terrain/terrain.h"
#include "volume/brick.h"

enum { MOST_MEALS = 256, MOST_FILES = 64 };

// One layer, in as many results as have it unchanged.
typedef struct Jar {
    int users;
    SiltField field;
} Jar;

// What a stage left. The layers of `terrain` point into the jars.
typedef struct Meal {
    uint64_t hash;
    char *key;
    size_t key_bytes;
    SiltTerrain *terrain;
    Jar *jars[SILT_MAX_LAYERS];
    int nominal[2];
    uint64_t own_bytes; // beside its jars
    uint64_t used;      // when; counts uses
} Meal;

// What was in a file when it was looked at.
typedef struct Seen {
    char path[SILT_PATH_SIZE];
    struct stat info;
    uint64_t hash;
} Seen;

struct SiltPantry {
    uint64_t limit, bytes, clock;
    Meal *meals[MOST_MEALS];
    int count;
    Seen files[MOST_FILES];
    int file_count, next_file;
    char kept[SILT_PATH_SIZE];
    int kept_stage;
};

SiltStatus silt_pantry_create(uint64_t bytes, SiltPantry **out)
{
    SiltStatus status = silt_alloc_for("a pantry", 1, sizeof **out, (void **)out);
    if (status == SILT_OK)
        (*out)->limit = bytes;
    return status;
}

void silt_pantry_set_kept(SiltPantry *pantry, const char *path, int stage)
{
    snprintf(pantry->kept, sizeof pantry->kept, "%s", path);
    pantry->kept_stage = stage;
}

const char *silt_pantry_kept(const SiltPantry *pantry, int stage)
{
    return pantry->kept[0] && pantry->kept_stage == stage ? pantry->kept : NULL;
}

// ---- hashes ----

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t hash_bytes(uint64_t hash, const char *data, size_t bytes)
{
    for (; bytes >= 8; bytes -= 8, data += 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t last = 0;
    memcpy(&last, data, bytes);
    return mix(hash ^ last ^ ((uint64_t)bytes << 56));
}

// ---- jars ----

static void release_jar(SiltPantry *pantry, Jar *jar)
{
    if (!jar || --jar->users > 0)
        return;
    pantry->bytes -= silt_field_bytes(jar->field.width, jar->field.height);
    silt_field_destroy(&jar->field);
    silt_free(jar);
}

static bool same_field(const SiltField *a, const SiltField *b)
{
    if (a->width != b->width || a->height != b->height)
        return false;
    for (int j = 0; j < a->height; j++)
        if (memcmp(silt_field_row(a, j), silt_field_row(b, j), (size_t)a->width * sizeof(float)) != 0)
            return false;
    return true;
}

static Jar *fill_jar(SiltPantry *pantry, const SiltField *field)
{
    Jar *jar = silt_alloc(sizeof *jar);
    if (jar && silt_field_create(field->width, field->height, &jar->field) != SILT_OK) {
        silt_free(jar);
        jar = NULL;
    }
    if (!jar)
        return NULL;
    silt_field_copy(field, &jar->field);
    jar->users = 1;
    pantry->bytes += silt_field_bytes(field->width, field->height);
    return jar;
}

// The jar of a layer in `before` when it holds the same; NULL: none does.
static Jar *find_jar(const Meal *before, const SiltLayer *layer)
{
    for (int k = 0; before && k < before->terrain->layer_count; k++)
        if (strcmp(before->terrain->layers[k]->name, layer->name) == 0 &&
            same_field(&before->jars[k]->field, &layer->field))
            return before->jars[k];
    return NULL;
}

// ---- meals ----

static void destroy_meal(SiltPantry *pantry, Meal *meal)
{
    if (!meal)
        return;
    for (int k = 0; meal->terrain && k < meal->terrain->layer_count; k++) {
        if (meal->jars[k]) // the field is the jar's
            meal->terrain->layers[k]->field = (SiltField){0};
        release_jar(pantry, meal->jars[k]);
    }
    pantry->bytes -= meal->own_bytes;
    silt_terrain_destroy(meal->terrain);
    silt_free(meal->key);
    silt_free(meal);
}

void silt_pantry_destroy(SiltPantry *pantry)
{
    if (!pantry)
        return;
    for (int k = 0; k < pantry->count; k++)
        destroy_meal(pantry, pantry->meals[k]);
    silt_free(pantry);
}

static void drop_meal(SiltPantry *pantry, int index)
{
    destroy_meal(pantry, pantry->meals[index]);
    pantry->meals[index] = pantry->meals[--pantry->count];
}

// Bytes that a terrain would take: beside its layers, and of those that no jar holds yet.
static uint64_t bytes_of(const SiltTerrain *terrain, size_t key_bytes, Jar *const jars[])
{
    uint64_t bytes = sizeof(SiltTerrain) + sizeof(Meal) + key_bytes;
    if (terrain->nodata)
        bytes += (uint64_t)terrain->width * (uint64_t)terrain->height;
    if (terrain->volume) {
        SiltVolumeInfo info = silt_volume_info(terrain->volume);
        bytes += silt_volume_bytes(info.size, info.side, info.brick_count);
    }
    for (int k = 0; jars && k < terrain->layer_count; k++)
        bytes += jars[k] ? 0 : silt_field_bytes(terrain->width, terrain->height);
    return bytes;
}

// Room for so many bytes: what was not asked for the longest goes first. False: there is not so much in all.
static bool make_room(SiltPantry *pantry, uint64_t bytes)
{
    while (pantry->count > 0 && (pantry->bytes + bytes > pantry->limit || pantry->count == MOST_MEALS)) {
        int oldest = 0;
        for (int k = 1; k < pantry->count; k++)
            if (pantry->meals[k]->used < pantry->meals[oldest]->used)
                oldest = k;
        drop_meal(pantry, oldest);
    }
    return pantry->bytes + bytes <= pantry->limit;
}

static Meal *find_meal(const SiltPantry *pantry, Key key)
{
    uint64_t hash = hash_bytes(0, key.text, key.bytes);
    for (int k = 0; k < pantry->count; k++) {
        Meal *meal = pantry->meals[k];
        if (meal->hash == hash && meal->key_bytes == key.bytes && memcmp(meal->key, key.text, key.bytes) == 0)
            return meal;
    }
    return NULL;
}

bool silt_pantry_has(const SiltPantry *pantry, Key key)
{
    return find_meal(pantry, key) != NULL;
}

SiltStatus silt_pantry_fetch(SiltPantry *pantry, Key key, SiltTerrain **out, int nominal[2])
{
    Meal *meal = find_meal(pantry, key);
    meal->used = ++pantry->clock;
    memcpy(nominal, meal->nominal, sizeof meal->nominal);
    SiltStatus status = silt_terrain_clone(meal->terrain, out);
    if (status == SILT_OK)
        status = silt_terrain_copy_volume(meal->terrain, *out);
    if (status != SILT_OK) {
        silt_terrain_destroy(*out);
        *out = NULL;
    }
    return status;
}

// The terrain without its layers: a frame whose fields are put in one by one.
static SiltTerrain *make_frame(const SiltTerrain *terrain)
{
    SiltTerrain *frame = silt_alloc(sizeof *frame);
    if (!frame)
        return NULL;
    *frame = *terrain;
    frame->layer_count = 0;
    memset(frame->layers, 0, sizeof frame->layers);
    frame->volume = NULL;
    frame->region = NULL;
    frame->nodata = NULL;
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    SiltStatus status = silt_georeference_copy(&terrain->geo, &frame->geo);
    if (status != SILT_OK)
        frame->geo = (SiltGeoreference){0};
    if (status == SILT_OK && terrain->nodata) {
        frame->nodata = silt_alloc(cells);
        status = frame->nodata ? SILT_OK : SILT_NO_MEMORY;
        if (frame->nodata)
            memcpy(frame->nodata, terrain->nodata, cells);
    }
    if (status == SILT_OK)
        status = silt_terrain_copy_volume(terrain, frame);
    if (status != SILT_OK) {
        silt_terrain_destroy(frame);
        return NULL;
    }
    return frame;
}

static bool put_layers(SiltPantry *pantry, Meal *meal, Jar *const jars[], const SiltTerrain *terrain)
{
    for (int k = 0; k < terrain->layer_count; k++) {
        SiltLayer *layer = silt_alloc(sizeof *layer);
        if (!layer)
            return false;
        *layer = *terrain->layers[k];
        layer->field = (SiltField){0};
        meal->terrain->layers[meal->terrain->layer_count++] = layer;
        meal->jars[k] = jars[k];
        if (jars[k])
            jars[k]->users++;
        else
            meal->jars[k] = fill_jar(pantry, &terrain->layers[k]->field);
        if (!meal->jars[k])
            return false;
        layer->field = meal->jars[k]->field;
    }
    return true;
}

static Meal *make_meal(SiltPantry *pantry, Key key, Jar *const jars[], const SiltTerrain *terrain,
                       const int nominal[2])
{
    Meal *meal = silt_alloc(sizeof *meal);
    if (!meal)
        return NULL;
    meal->hash = hash_bytes(0, key.text, key.bytes);
    meal->key_bytes = key.bytes;
    meal->key = silt_alloc(key.bytes + 1);
    meal->terrain = make_frame(terrain);
    memcpy(meal->nominal, nominal, sizeof meal->nominal);
    if (!meal->key || !meal->terrain || !put_layers(pantry, meal, jars, terrain)) {
        destroy_meal(pantry, meal);
        return NULL;
    }
    memcpy(meal->key, key.text, key.bytes);
    meal->own_bytes = bytes_of(terrain, key.bytes, NULL);
    pantry->bytes += meal->own_bytes;
    return meal;
}

void silt_pantry_keep(SiltPantry *pantry, Key key, Key before, const SiltTerrain *terrain,
                      const int nominal[2])
{
    if (find_meal(pantry, key))
        return;
    Jar *jars[SILT_MAX_LAYERS] = {NULL};
    Meal *last = find_meal(pantry, before);
    if (last)
        last->used = ++pantry->clock;
    for (int k = 0; k < terrain->layer_count; k++) {
        jars[k] = find_jar(last, terrain->layers[k]);
        if (jars[k])
            jars[k]->users++; // stays, whatever goes
    }
    bool fits = make_room(pantry, bytes_of(terrain, key.bytes, jars));
    Meal *meal = fits ? make_meal(pantry, key, jars, terrain, nominal) : NULL;
    for (int k = 0; k < terrain->layer_count; k++)
        release_jar(pantry, jars[k]);
    if (!meal)
        return;
    meal->used = ++pantry->clock;
    pantry->meals[pantry->count++] = meal;
}

uint64_t silt_pantry_bytes(const SiltPantry *pantry)
{
    return pantry->bytes;
}

// ---- files ----

static bool same_stat(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

// A file written a moment ago may be written again within the same tick of its clock.
static bool is_fresh(const struct stat *info)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec - info->st_mtim.tv_sec < 2;
}

static SiltStatus hash_file(const char *path, uint64_t *out)
{
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    enum { BLOCK = 1 << 20 };
    char *block;
    status = silt_alloc_for("a file", BLOCK, 1, (void **)&block);
    *out = 0;
    size_t got;
    while (status == SILT_OK && (got = fread(block, 1, BLOCK, file)) > 0)
        *out = hash_bytes(*out, block, got);
    if (status == SILT_OK && ferror(file))
        status = silt_fail(SILT_IO_ERROR, "%s: cannot read: %s", path, strerror(errno));
    silt_free(block);
    fclose(file);
    return status;
}

static Seen *find_seen(SiltPantry *pantry, const char *path)
{
    for (int k = 0; k < pantry->file_count; k++)
        if (strcmp(pantry->files[k].path, path) == 0)
            return &pantry->files[k];
    Seen *seen = &pantry->files[pantry->next_file];
    pantry->next_file = (pantry->next_file + 1) % MOST_FILES;
    pantry->file_count += pantry->file_count < MOST_FILES;
    *seen = (Seen){0};
    snprintf(seen->path, sizeof seen->path, "%s", path);
    return seen;
}

static SiltStatus add_file(SiltPantry *pantry, const char *path, SiltText *out)
{
    struct stat info;
    uint64_t hash = 0;
    if (stat(path, &info) != 0) {
        silt_text_add(out, "missing");
        return SILT_OK; // who reads it says so
    }
    Seen *seen = find_seen(pantry, path);
    SiltStatus status = SILT_OK;
    if (seen->info.st_ino != 0 && same_stat(&seen->info, &info) && !is_fresh(&info))
        hash = seen->hash;
    else if (S_ISREG(info.st_mode))
        status = hash_file(path, &hash);
    if (status == SILT_OK) {
        seen->info = info;
        seen->hash = hash;
    }
    silt_text_addf(out, "%lld bytes %016llx", (long long)info.st_size, (unsigned long long)hash);
    return status;
}

// What samples mean may stand in a header beside them.
SiltStatus silt_pantry_file(SiltPantry *pantry, const char *path, SiltText *out)
{
    SiltStatus status = add_file(pantry, path, out);
    char header[SILT_PATH_SIZE];
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    for (int k = 0; k < 2 && status == SILT_OK; k++) {
        size_t length = k == 0 ? stem : strlen(path);
        struct stat info;
        if (length + 5 > sizeof header)
            continue;
        snprintf(header, sizeof header, "%.*s.hdr", (int)length, path);
        if (stat(header, &info) == 0 && strcmp(header, path) != 0)
            status = add_file(pantry, header, out);
    }
    return status;
}
