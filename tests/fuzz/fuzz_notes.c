// What Silt keeps for itself in the cache folder: notes of outputs that were made, programs compiled for a
// device, and notes of devices that passed the self-test. An odd first byte gives a whole file, an even one
// the lines behind the key that is looked for, or a program whose head is right. A run that finds them writes
// its output or leaves it as it was.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "fuzz.h"
#include "io/written.h"
#include "opencl/opencl.h"
#include "silt/parallel.h"
#include "silt/recipe.h"

enum { PROGRAM = 77 };

static struct Notes {
    SiltRecipe *recipe;
    SiltLarder *larder;
    char made[320], output[320], program[320], folder[320];
    uint8_t note[8192]; // as it was made
    size_t bytes, head; // of all of it, and up to where its lines begin
} all;

static void run(void)
{
    struct stat info;
    SiltTerrain *terrain = NULL;
    SiltWritten written = {0}; // as --json asks for it
    silt_written_begin(&written);
    SiltStatus status = silt_recipe_run_kept(all.recipe, NULL, all.larder, NULL, &terrain, NULL);
    silt_written_end(&written);
    bool told = written.count > 0;
    for (int k = 0; k < written.count; k++)
        told = told && access(written.paths[k], F_OK) == 0; // and no other words
    silt_written_free(&written);
    silt_terrain_destroy(terrain);
    if (status != SILT_OK || !told || stat(all.output, &info) != 0 || info.st_size == 0)
        abort(); // what is kept is no reason to fail, nor to have nothing
}

static void leave(void)
{
    silt_larder_close(all.larder);
    silt_recipe_destroy(all.recipe);
    unlink(all.made);
    unlink(all.output);
    unlink(all.program);
    rmdir(all.folder);
    fuzz_leave();
}

// Stages that were kept go; the note of the output stays.
static void find_note(const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[320];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".made"))
            snprintf(all.made, sizeof all.made, "%s", path);
        else if (strstr(entry->d_name, ".stage"))
            unlink(path);
    }
    closedir(entries);
}

static void begin(void)
{
    const char *folder = fuzz_folder();
    char text[512];
    silt_set_threads(1);
    snprintf(all.output, sizeof all.output, "%s/t.pgm", folder);
    snprintf(all.folder, sizeof all.folder, "%s/silt", folder);
    snprintf(all.program, sizeof all.program, "%.290s/%016x.opencl", all.folder, PROGRAM);
    snprintf(text, sizeof text, "terrain: {new: noise, size: 4, cell: 10}\noutputs:\n  - write: %s\n",
             all.output);
    if (setenv("XDG_CACHE_HOME", folder, 1) != 0 || mkdir(all.folder, 0700) != 0 ||
        silt_recipe_read_text("notes.yaml", text, NULL, 0, &all.recipe) != SILT_OK ||
        silt_larder_open(folder, 1 << 30, 1e9, &all.larder) != SILT_OK || atexit(leave) != 0)
        abort();
    run();
    find_note(folder);
    FILE *file = fopen(all.made, "rb");
    if (!file)
        abort();
    all.bytes = fread(all.note, 1, sizeof all.note, file);
    fclose(file);
    const uint8_t *end = memchr(all.note, '\n', all.bytes);
    all.head = end ? (size_t)(end - all.note) + (size_t)strtoull((const char *)all.note, NULL, 10) + 2 : 0;
    if (all.head == 0 || all.head >= all.bytes)
        abort();
}

static void try_note(const uint8_t *data, size_t bytes, size_t head)
{
    static uint8_t file[sizeof all.note + (1 << 14)];
    memcpy(file, all.note, head);
    memcpy(file + head, data, bytes);
    fuzz_put(file, head + bytes, all.made);
    run();
}

#ifdef SILT_HAS_OPENCL
static void try_program(const uint8_t *data, size_t bytes, bool whole)
{
    size_t got = 0;
    unsigned char *binary;
    if (whole) {
        fuzz_put(data, bytes, all.program);
        binary = silt_cache_read(PROGRAM, &got);
        if (binary && got + 32 != bytes)
            abort();
    } else {
        silt_cache_write(PROGRAM, data, bytes);
        binary = silt_cache_read(PROGRAM, &got);
        if (bytes > 0 && (!binary || got != bytes || memcmp(binary, data, bytes) != 0))
            abort();
    }
    static const char words[] = "passed";
    bool same = binary && got == strlen(words) && memcmp(binary, words, got) == 0;
    if (silt_cache_has_note(PROGRAM, words) != same)
        abort(); // no other words are these
    silt_free(binary);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes < 1 || bytes > 1 << 14)
        return 0;
    if (!all.recipe)
        begin();
#ifdef SILT_HAS_OPENCL
    if (data[0] & 2)
        try_program(data + 1, bytes - 1, data[0] & 1);
    else
#endif
        try_note(data + 1, bytes - 1, data[0] & 1 ? 0 : data[0] & 4 ? all.bytes : all.head);
    return 0;
}
