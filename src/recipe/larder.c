// Results of stages in files of a folder: each has the whole key it was made from, and is taken only for
// that.
#include "recipe/larder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/sum.h"
#include "io/kept.h"
#include "io/output.h"
#include "recipe/series.h"
#include "silt/record.h"
#include "volume/keep.h"

struct SiltLarder {
    char folder[SILT_PATH_SIZE];
    uint64_t limit;
    double least; // seconds that a result must have taken
    SiltPantry *files;
};

enum { MOST_MADE = 4096 }; // outputs whose files are known
// Of what is kept of an output. 1 missed files that other threads than the first had written.
enum { RECORD_VERSION = 2 };

// ---- the folder ----

static bool usual_folder(char folder[SILT_PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && cache[0] == '/' ? snprintf(folder, SILT_PATH_SIZE, "%s/silt/stages", cache)
                 : home && home[0] == '/' ? snprintf(folder, SILT_PATH_SIZE, "%s/.cache/silt/stages", home)
                                          : -1;
    return length > 0 && length < SILT_PATH_SIZE - 64;
}

SiltStatus silt_larder_open(const char *folder, uint64_t bytes, double seconds, SiltLarder **out)
{
    char place[SILT_PATH_SIZE];
    *out = NULL;
    if (folder ? snprintf(place, sizeof place, "%s", folder) >= SILT_PATH_SIZE - 64 : !usual_folder(place))
        return silt_fail(SILT_BAD_ARGUMENT, "there is no folder to keep the results of stages in");
    strcat(place, "/");
    SiltStatus status = silt_make_folders(place);
    if (status == SILT_OK)
        status = silt_alloc_for("a larder", 1, sizeof **out, (void **)out);
    if (status != SILT_OK)
        return status;
    snprintf((*out)->folder, sizeof(*out)->folder, "%.*s", (int)strlen(place) - 1, place);
    (*out)->limit = bytes;
    (*out)->least = seconds;
    status = silt_pantry_create(0, &(*out)->files);
    if (status != SILT_OK) {
        silt_larder_close(*out);
        *out = NULL;
    }
    return status;
}

void silt_larder_close(SiltLarder *larder)
{
    if (larder)
        silt_pantry_destroy(larder->files);
    silt_free(larder);
}

static void place_of(const SiltLarder *larder, Key key, const char *ending, char path[SILT_PATH_SIZE])
{
    snprintf(path, SILT_PATH_SIZE, "%.900s/%016llx.%s", larder->folder,
             (unsigned long long)silt_sum_of(key.text, key.bytes), ending);
}

typedef struct Shelf {
    char oldest[SILT_PATH_SIZE];
    double age; // of the oldest, as the time it was last used
    uint64_t bytes;
    int count;
} Shelf;

static Shelf look(const SiltLarder *larder, const char *ending)
{
    Shelf shelf = {.age = 1e300};
    DIR *entries = opendir(larder->folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[2 * SILT_PATH_SIZE];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", larder->folder, entry->d_name);
        if (!strstr(entry->d_name, ending) || strlen(path) >= SILT_PATH_SIZE || stat(path, &info) != 0)
            continue;
        double age = (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
        shelf.bytes += (uint64_t)info.st_size;
        shelf.count++;
        if (age < shelf.age)
            strcpy(shelf.oldest, path);
        shelf.age = age < shelf.age ? age : shelf.age;
    }
    if (entries)
        closedir(entries);
    return shelf;
}

// What was not asked for the longest goes first.
static void make_room(const SiltLarder *larder, uint64_t bytes)
{
    for (Shelf shelf = look(larder, ".stage"); shelf.count > 0 && shelf.bytes + bytes > larder->limit;
         shelf = look(larder, ".stage"))
        if (unlink(shelf.oldest) != 0)
            break;
    for (Shelf shelf = look(larder, ".made"); shelf.count > MOST_MADE; shelf = look(larder, ".made"))
        if (unlink(shelf.oldest) != 0)
            break;
}

// ---- keys ----

// A program that was built anew may do other things under the same version.
static void add_program(SiltText *text)
{
    struct stat info = {0};
    bool known = stat("/proc/self/exe", &info) == 0;
    silt_text_addf(text, "silt %s %lld %lld.%09ld\n", silt_version(), known ? (long long)info.st_size : 0LL,
                   (long long)info.st_mtim.tv_sec, (long)info.st_mtim.tv_nsec);
}

SiltStatus silt_larder_begin(SiltLarder *larder, Kitchen *kitchen)
{
    void *keys;
    SiltStatus status = silt_alloc_for("a recipe", 1, sizeof(Keys), &keys);
    if (status != SILT_OK)
        return status;
    kitchen->keys = keys;
    kitchen->larder = larder;
    kitchen->since = silt_wall_clock();
    add_program(&kitchen->keys->text);
    silt_text_addf(&kitchen->keys->text, "told=%d totals=%d\n", kitchen->recorder != NULL, kitchen->totals);
    return silt_keys_make(kitchen, larder->files, kitchen->keys);
}

void silt_larder_end(Kitchen *kitchen)
{
    if (kitchen->keys)
        silt_keys_free(kitchen->keys);
    silt_free(kitchen->keys);
    kitchen->keys = NULL;
}

// ---- stages ----

// What the stages up to `index` said.
static void pack_done(Kitchen *kitchen, int index, SiltPack *pack)
{
    SILT_PACK(pack, kitchen->nominal);
    silt_pack_flag(pack, &kitchen->worn);
    for (int k = 0; k <= index; k++)
        if (!kitchen->recipe->stages[k].skipped)
            silt_kitchen_pack_report(kitchen, k, pack);
}

static SiltStatus to_file(void *user, void *bytes, size_t count)
{
    return silt_kept_write(user, bytes, count);
}

static SiltStatus write_part(SiltKeptWriter *writer, const char *name, const void *bytes, size_t count)
{
    SiltStatus status = silt_kept_open_part(writer, name);
    if (status == SILT_OK)
        status = silt_kept_write(writer, bytes, count);
    return status == SILT_OK ? silt_kept_close_part(writer) : status;
}

static SiltStatus write_all(Kitchen *kitchen, int index, SiltKeptWriter *writer)
{
    Key key = silt_key_of(kitchen->keys, index);
    const char *before = kitchen->recorder ? silt_recorder_before(kitchen->recorder) : "";
    SiltPack pack = {.flow = to_file, .user = writer};
    SiltStatus status = write_part(writer, "key", key.text, key.bytes);
    if (status == SILT_OK)
        status = write_part(writer, "before", before, strlen(before));
    if (status == SILT_OK)
        status = silt_kept_open_part(writer, "done");
    if (status == SILT_OK) {
        pack_done(kitchen, index, &pack);
        status = pack.status == SILT_OK ? silt_kept_close_part(writer) : pack.status;
    }
    if (status == SILT_OK)
        status = silt_kept_open_part(writer, "terrain");
    if (status == SILT_OK) {
        silt_terrain_pack(&kitchen->terrain, &pack);
        status = pack.status == SILT_OK ? silt_kept_close_part(writer) : pack.status;
    }
    return status;
}

static uint64_t bytes_of(const SiltTerrain *terrain)
{
    uint64_t bytes = (uint64_t)terrain->layer_count * silt_field_bytes(terrain->width, terrain->height);
    if (terrain->volume) {
        SiltVolumeInfo info = silt_volume_info(terrain->volume);
        bytes += silt_volume_bytes(info.size, info.side, info.brick_count);
    }
    return bytes;
}

void silt_larder_keep(Kitchen *kitchen, int index)
{
    const double disk = 2e8; // bytes a second that a slow one takes
    double seconds = silt_wall_clock() - kitchen->since;
    uint64_t bytes = bytes_of(kitchen->terrain);
    SiltLarder *larder = kitchen->larder;
    // particles are not kept, and a picture of the stage would miss them
    if (seconds < larder->least || seconds < (double)bytes / disk || bytes > larder->limit / 2 ||
        kitchen->particles)
        return;
    char path[SILT_PATH_SIZE];
    SiltKeptWriter writer;
    place_of(larder, silt_key_of(kitchen->keys, index), "stage", path);
    make_room(larder, bytes);
    if (silt_kept_begin(path, NULL, &writer) != SILT_OK)
        return; // a run is worth more than what it leaves to the next
    SiltWritten *hidden = silt_written_hide();
    if (write_all(kitchen, index, &writer) == SILT_OK)
        silt_kept_commit(&writer);
    else
        silt_kept_abandon(&writer);
    silt_written_show(hidden);
    kitchen->since = silt_wall_clock();
}

typedef struct Source {
    SiltKeptReader reader;
    const SiltKeptPart *part;
    uint64_t at;
} Source;

static SiltStatus from_file(void *user, void *bytes, size_t count)
{
    Source *source = user;
    SiltStatus status = silt_kept_load(&source->reader, source->part, source->at, bytes, count);
    source->at += count;
    return status;
}

static bool open_part(Source *source, const char *name, SiltPack *pack)
{
    source->part = silt_kept_find(&source->reader, name);
    source->at = 0;
    if (!source->part)
        return false;
    *pack = (SiltPack){.flow = from_file, .user = source, .size = (size_t)source->part->bytes, .reads = true};
    return true;
}

static char *load_text(Source *source, const char *name)
{
    const SiltKeptPart *part = silt_kept_find(&source->reader, name);
    char *text = part ? silt_alloc((size_t)part->bytes + 1) : NULL;
    if (text && silt_kept_load(&source->reader, part, 0, text, (size_t)part->bytes) == SILT_OK)
        return text;
    silt_free(text);
    return NULL;
}

static bool has_key(Source *source, Key key)
{
    const SiltKeptPart *part = silt_kept_find(&source->reader, "key");
    char *text = part && part->bytes == key.bytes ? load_text(source, "key") : NULL;
    bool same = text && memcmp(text, key.text, key.bytes) == 0;
    silt_free(text);
    return same;
}

static bool read_all(Kitchen *kitchen, int index, Source *source)
{
    SiltPack pack;
    if (!has_key(source, silt_key_of(kitchen->keys, index)) || !open_part(source, "done", &pack))
        return false;
    pack_done(kitchen, index, &pack);
    if (pack.status != SILT_OK || !open_part(source, "terrain", &pack))
        return false;
    silt_terrain_pack(&kitchen->terrain, &pack);
    if (pack.status != SILT_OK) {
        silt_terrain_destroy(kitchen->terrain);
        kitchen->terrain = NULL;
        return false;
    }
    char *before = kitchen->recorder ? load_text(source, "before") : NULL;
    if (before)
        silt_recorder_set_before(kitchen->recorder, before);
    silt_free(before);
    return true;
}

// A series that is not drawn yet shows its stage at work: neither that nor one behind it is fetched.
static int last_to_fetch(Kitchen *kitchen)
{
    const SiltRecipe *recipe = kitchen->recipe;
    int last = recipe->stage_count - 1;
    for (int k = 0; k < recipe->output_count; k++) {
        int stage = silt_series_stage(recipe, &recipe->outputs[k]);
        if (stage >= 0 && stage <= last && !silt_larder_has_output(kitchen, &recipe->outputs[k]))
            last = stage - 1;
    }
    return last;
}

void silt_larder_fetch(Kitchen *kitchen)
{
    int last = last_to_fetch(kitchen);
    for (int k = last; k >= -1 && !kitchen->terrain; k--) {
        char path[SILT_PATH_SIZE];
        Source source;
        place_of(kitchen->larder, silt_key_of(kitchen->keys, k), "stage", path);
        if ((k >= 0 && kitchen->recipe->stages[k].skipped) || access(path, R_OK) != 0 ||
            silt_kept_read(path, &source.reader) != SILT_OK)
            continue;
        if (read_all(kitchen, k, &source)) {
            kitchen->at = k + 1;
            kitchen->done_count = k + 1;
            kitchen->kept_stage = k;
            utimensat(AT_FDCWD, path, NULL, 0); // it was asked for
        }
        silt_kept_close(&source.reader);
    }
    kitchen->since = silt_wall_clock();
}

// ---- outputs ----

static SiltStatus output_key(const Kitchen *kitchen, const Step *output, SiltText *text)
{
    Key key = silt_key_of(kitchen->keys, kitchen->recipe->stage_count - 1);
    char folder[SILT_PATH_SIZE];
    silt_text_addf(text, "%.*s\nrecord %d in %s", (int)key.bytes, key.text, (int)RECORD_VERSION,
                   getcwd(folder, sizeof folder) ? folder : "?");
    SiltStatus status = silt_key_add_output(kitchen->larder->files, output, text);
    return status == SILT_OK && text->failed ? SILT_NO_MEMORY : status;
}

static bool sum_file(const char *path, uint64_t *out)
{
    struct stat info; // a pipe would be waited for
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    char bytes[1 << 16];
    SiltSum sum = {.sum = 1};
    for (size_t got; file && (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        silt_sum_add(&sum, bytes, got);
    if (file)
        fclose(file);
    *out = silt_sum_end(&sum);
    return file != NULL;
}

void silt_larder_note_output(Kitchen *kitchen, const Step *output, const SiltWritten *files)
{
    SiltText key = {0}, text = {0};
    bool good = output_key(kitchen, output, &key) == SILT_OK && files->count > 0 && !files->failed;
    silt_text_addf(&text, "%zu\n%s\n", key.length, good ? key.data : "");
    for (int k = 0; k < files->count && good; k++) {
        uint64_t sum;
        good = sum_file(files->paths[k], &sum) && !strchr(files->paths[k], '\n');
        silt_text_addf(&text, "%016llx %s\n", (unsigned long long)sum, files->paths[k]);
    }
    char path[SILT_PATH_SIZE];
    if (good && !text.failed) {
        place_of(kitchen->larder, (Key){key.data, key.length}, "made", path);
        SiltWritten *hidden = silt_written_hide();
        silt_write_file(path, text.data, text.length);
        silt_written_show(hidden);
    }
    silt_text_free(&key);
    silt_text_free(&text);
}

// Each line behind the key is a file with its sum.
static bool lines_hold(char *lines)
{
    for (char *line = lines, *end; *line; line = end + 1) {
        uint64_t now, then = strtoull(line, NULL, 16);
        end = strchr(line, '\n');
        if (!end || end - line < 18)
            return false;
        *end = '\0';
        if (!sum_file(line + 17, &now) || now != then)
            return false;
    }
    return *lines != '\0';
}

static void note_lines(const char *lines, const char *end)
{
    for (const char *line = lines; line < end; line += strlen(line) + 1)
        silt_written_note(line + 17);
}

bool silt_larder_has_output(Kitchen *kitchen, const Step *output)
{
    SiltText key = {0};
    char path[SILT_PATH_SIZE], *text = NULL;
    size_t bytes = 0;
    bool holds = false;
    if (output_key(kitchen, output, &key) == SILT_OK) {
        place_of(kitchen->larder, (Key){key.data, key.length}, "made", path);
        if (access(path, R_OK) == 0)
            silt_read_file(path, 1 << 26, &text, &bytes);
    }
    const char *behind = text ? strchr(text, '\n') : NULL;
    size_t length = behind ? (size_t)strtoull(text, NULL, 10) : 0;
    if (behind && length == key.length && bytes > (size_t)(behind - text) + length + 2 &&
        memcmp(behind + 1, key.data, length) == 0) {
        char *lines = text + (behind - text) + length + 2, *end = text + bytes;
        holds = strlen(lines) == (size_t)(end - lines) && lines_hold(lines); // no line hides behind a zero
        if (holds)
            note_lines(lines, end);
    }
    silt_free(text);
    silt_text_free(&key);
    return holds;
}
