// What an earlier run left of its stages, damaged in any way whose sums are right: the parts "done" and
// "terrain" of a kept stage are the input's, cut at the length in its first two bytes. A run that finds them
// ends as it would have, or without them.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "fuzz.h"
#include "kept.h"
#include "silt/parallel.h"
#include "silt/recipe.h"

static const char text[] = "terrain: {new: noise, size: 4, cell: 10}\n"
                           "stages:\n  - erode: thermal\n    steps: 1\n";

static struct Larder {
    SiltRecipe *recipe;
    SiltLarder *larder;
    char stage[320];    // the file
    uint8_t file[8192]; // as it was
    size_t bytes, done; // where the part "done" begins
} all;

static SiltStatus run(void)
{
    SiltTerrain *terrain = NULL;
    SiltStatus status = silt_recipe_run_kept(all.recipe, NULL, all.larder, NULL, &terrain, NULL);
    silt_terrain_destroy(terrain);
    return status;
}

static void leave(void)
{
    silt_larder_close(all.larder);
    silt_recipe_destroy(all.recipe);
    unlink(all.stage);
    fuzz_leave();
}

// The last stage is the largest file; the others go.
static void find_stage(const char *folder)
{
    DIR *entries = opendir(folder);
    long most = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[320];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        if (info.st_size > most && all.stage[0])
            unlink(all.stage);
        if (info.st_size > most)
            snprintf(all.stage, sizeof all.stage, "%s", path);
        else
            unlink(path);
        most = info.st_size > most ? info.st_size : most;
    }
    closedir(entries);
}

// The stage that the recipe leaves, and where its parts lie.
static void begin(void)
{
    const char *folder = fuzz_folder();
    silt_set_threads(1);
    if (silt_recipe_read_text("kept.yaml", text, NULL, 0, &all.recipe) != SILT_OK ||
        silt_larder_open(folder, 1 << 30, 0.0, &all.larder) != SILT_OK || run() != SILT_OK)
        abort();
    find_stage(folder);
    silt_larder_close(all.larder); // no run that follows keeps anything
    if (silt_larder_open(folder, 1 << 30, 1e9, &all.larder) != SILT_OK)
        abort();
    FILE *file = fopen(all.stage, "rb");
    if (!file)
        abort();
    all.bytes = fread(all.file, 1, sizeof all.file, file);
    fclose(file);
    for (size_t at = 64; at + 48 < all.bytes && !all.done;) {
        uint64_t count;
        memcpy(&count, all.file + at + 24, 8);
        if (strcmp((const char *)all.file + at, "done") == 0)
            all.done = at;
        at += 48 + count + (-count & 7);
    }
    if (!all.done || atexit(leave) != 0)
        abort();
}

static size_t add_part(uint8_t *to, const char *name, const uint8_t *data, size_t bytes)
{
    uint64_t count = bytes;
    memset(to, 0, 48 + ((bytes + 7) & ~(size_t)7));
    strcpy((char *)to, name);
    memcpy(to + 24, &count, 8);
    memcpy(to + 48, data, bytes);
    return 48 + ((bytes + 7) & ~(size_t)7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static uint8_t file[1 << 16];
    if (bytes < 2 || bytes > 1 << 14)
        return 0;
    if (!all.done)
        begin();
    size_t cut = data[0] + 256U * data[1];
    data += 2, bytes -= 2;
    cut = cut < bytes ? cut : bytes;
    memcpy(file, all.file, all.done);
    size_t length = all.done;
    length += add_part(file + length, "done", data, cut);
    length += add_part(file + length, "terrain", data + cut, bytes - cut);
    kept_mend(file, length);
    fuzz_put(file, length, all.stage);
    if (run() != SILT_OK)
        abort(); // what is kept is no reason to fail
    return 0;
}
