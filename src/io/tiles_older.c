// Tiles of an earlier cut under the same name: who opens all files of that name would take both sets for one.
// Removed is only what the JSON of that cut names and what is called as its tiles are.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/json.h"
#include "io/output.h"
#include "io/tiles.h"

enum { MOST_BYTES = 1 << 28 };

typedef struct TileName {
    bool lettered; // _x0_y0, else _0_0
    double x, y;
    const char *ending;
} TileName;

// Whether a file is called as tiles of this name are.
static bool read_name(const char *stem, const char *file, TileName *out)
{
    const char *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem, *digits = "0123456789";
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '_' || strchr(file, '/'))
        return false;
    const char *at = file + length + 1;
    out->lettered = *at == 'x';
    at += out->lettered;
    size_t x = strspn(at, digits);
    if (x == 0 || x > 6 || at[x] != '_' || (out->lettered && at[x + 1] != 'y'))
        return false;
    sscanf(at, "%lf", &out->x);
    at += x + 1 + out->lettered;
    size_t y = strspn(at, digits);
    if (y == 0 || y > 6 || at[y] != '.' || !at[y + 1] || strchr(at + y + 1, '.'))
        return false;
    sscanf(at, "%lf", &out->y);
    out->ending = at + y + 1;
    return true;
}

// The header that was written beside a RAW file says so.
static void remove_header(const char *path, const char *file)
{
    static const char key[] = "SILT_FILE ";
    char header[SILT_PATH_SIZE], line[SILT_PATH_SIZE + 32];
    snprintf(header, sizeof header, "%.*shdr", (int)(strrchr(path, '.') + 1 - path), path);
    FILE *opened = fopen(header, "r");
    bool is_its = false;
    while (opened && !is_its && fgets(line, sizeof line, opened)) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *value = line + strlen(key) - 1;
        is_its = strncmp(line, key, strlen(key)) == 0 && strcmp(value + strspn(value, " "), file) == 0;
    }
    if (opened)
        fclose(opened);
    if (is_its)
        unlink(header);
}

static bool remove_tile(const SiltTileSet *set, const char *file)
{
    char path[SILT_PATH_SIZE];
    TileName name;
    const char *slash = strrchr(set->stem, '/');
    int folder = slash ? (int)(slash - set->stem) + 1 : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, set->stem, file) >= SILT_PATH_SIZE ||
        !read_name(set->stem, file, &name))
        return false;
    bool stays = !set->single && name.lettered == set->lettered && strcmp(name.ending, set->ending) == 0 &&
                 name.x < set->columns && name.y < set->rows;
    if (stays || unlink(path) != 0)
        return false;
    remove_header(path, file);
    return true;
}

SiltStatus silt_tiles_read_older(const char *json, char **text, size_t *bytes)
{
    *text = NULL;
    return access(json, F_OK) == 0 ? silt_read_file(json, MOST_BYTES, text, bytes) : SILT_OK;
}

SiltStatus silt_tiles_json(const char *path, char **out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char json[SILT_PATH_SIZE];
    size_t bytes;
    *out = NULL;
    snprintf(json, sizeof json, "%.*s.json", dot ? (int)(dot - path) : SILT_PATH_SIZE - 40, path);
    return silt_read_file(json, MOST_BYTES, out, &bytes);
}

static bool is_of_cut(const SiltJson *json)
{
    return silt_json_member(json, 0, "overlap") >= 0 && silt_json_member(json, 0, "first_row") >= 0 &&
           silt_json_member(json, 0, "tiles") >= 0;
}

SiltStatus silt_tiles_check_json(const char *path)
{
    char *text;
    size_t bytes = 0;
    SiltJson json = {0};
    SiltStatus status = silt_tiles_read_older(path, &text, &bytes);
    if (status == SILT_NO_MEMORY || (status == SILT_OK && bytes == 0))
        return status;
    bool is_ours =
        status == SILT_OK && silt_json_parse(path, text, bytes, &json) == SILT_OK && is_of_cut(&json);
    silt_json_free(&json);
    silt_free(text);
    return is_ours ? SILT_OK
                   : silt_fail(SILT_BAD_ARGUMENT,
                               "%s: is there and no JSON of tiles; choose another name for them", path);
}

static bool is_raw(const char *ending)
{
    return strcmp(ending, "raw") == 0 || strcmp(ending, "r16") == 0 || strcmp(ending, "r32") == 0 ||
           strcmp(ending, "bin") == 0;
}

bool silt_tiles_has_file(const SiltTileSet *set, const char *file)
{
    const char *slash = strrchr(set->stem, '/'), *stem = slash ? slash + 1 : set->stem;
    size_t length = strlen(stem);
    TileName name;
    if (strncmp(file, stem, length) != 0)
        return false;
    if (strcmp(file + length, ".json") == 0)
        return true;
    const char *ending = set->single && file[length] == '.' ? file + length + 1 : NULL;
    if (!set->single && read_name(stem, file, &name) && name.lettered == set->lettered &&
        name.x < set->columns && name.y < set->rows)
        ending = name.ending;
    return ending &&
           (strcmp(ending, set->ending) == 0 || (is_raw(set->ending) && strcmp(ending, "hdr") == 0));
}

// How many of the files that the JSON of a cut names `does` says yes to.
static int count_tiles(const char *path, const char *text, size_t bytes,
                       bool (*does)(const void *context, const char *file), const void *context)
{
    SiltJson json = {0};
    int *items = NULL, count = 0, found = 0;
    if (silt_json_parse(path, text, bytes, &json) == SILT_OK && is_of_cut(&json))
        silt_json_items(&json, silt_json_member(&json, 0, "tiles"), &items, &count);
    for (int k = 0; k < count; k++) {
        int member = silt_json_member(&json, items[k], "file");
        char *file = member >= 0 ? silt_json_string(&json, member) : NULL;
        found += file && does(context, file);
        silt_free(file);
    }
    silt_free(items);
    silt_json_free(&json);
    return found;
}

// The file itself, or the header beside it.
static bool is_file(const void *context, const char *file)
{
    const char *name = context, *dot = strrchr(file, '.'), *end = strrchr(name, '.');
    return strcmp(name, file) == 0 ||
           (dot && end && is_raw(dot + 1) && strcmp(end, ".hdr") == 0 && dot - file == end - name &&
            strncmp(name, file, (size_t)(end - name)) == 0);
}

bool silt_tiles_has_older(const char *json, const char *file)
{
    char *text;
    size_t bytes = 0;
    bool found = silt_tiles_read_older(json, &text, &bytes) == SILT_OK && text &&
                 count_tiles(json, text, bytes, is_file, file) > 0;
    silt_free(text);
    return found;
}

static bool removes(const void *context, const char *file)
{
    return remove_tile(context, file);
}

void silt_tiles_remove_older(const SiltTileSet *set, const char *json, const char *text, size_t bytes)
{
    int gone = count_tiles(json, text, bytes, removes, set);
    if (gone > 0)
        silt_warn("%s: %d tile%s of an earlier cut that this one has not %s removed", json, gone,
                  gone == 1 ? "" : "s", gone == 1 ? "was" : "were");
}
