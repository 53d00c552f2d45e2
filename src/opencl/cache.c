// Programs that were made once, and notes of devices that passed the self-test, in the user's cache
// directory: a file for each device, driver, version and source. One that is not whole is made anew; one that
// cannot be written is not missed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/opencl.h"

typedef struct Head {
    char magic[8]; // "siltcl01"
    uint64_t key, bytes, sum;
} Head;

static uint64_t mix(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; k++)
        sum = (sum ^ at[k]) * 0x100000001B3u;
    return sum;
}

static uint64_t mix_text(uint64_t sum, const char *text)
{
    return mix(sum, text, strlen(text) + 1);
}

uint64_t silt_cache_key(const SiltDevice *device, const char *text, const char *options)
{
    uint64_t sum = mix_text(0xCBF29CE484222325u, device->info.name);
    sum = mix_text(sum, device->info.platform);
    sum = mix_text(sum, device->info.driver);
    sum = mix_text(sum, silt_version());
    sum = mix_text(sum, options);
    return mix_text(sum, text);
}

// False where there is no place for it.
static bool find_place(uint64_t key, bool make, char path[SILT_PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[SILT_PATH_SIZE];
    int length = cache && cache[0] == '/' ? snprintf(folder, sizeof folder, "%s", cache)
                 : home && home[0] == '/' ? snprintf(folder, sizeof folder, "%s/.cache", home)
                                          : -1;
    if (length < 0 || length > SILT_PATH_SIZE - 64)
        return false;
    if (make)
        mkdir(folder, 0700);
    snprintf(folder + length, sizeof folder - (size_t)length, "/silt");
    if (make)
        mkdir(folder, 0700);
    return snprintf(path, SILT_PATH_SIZE, "%s/%016llx.opencl", folder, (unsigned long long)key) <
           SILT_PATH_SIZE;
}

unsigned char *silt_cache_read(uint64_t key, size_t *bytes)
{
    char path[SILT_PATH_SIZE];
    Head head;
    FILE *file = find_place(key, false, path) ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    unsigned char *binary = NULL;
    struct stat found;
    bool good = fread(&head, sizeof head, 1, file) == 1 && memcmp(head.magic, "siltcl01", 8) == 0 &&
                head.key == key && fstat(fileno(file), &found) == 0 &&
                (uint64_t)found.st_size == head.bytes + sizeof head && head.bytes > 0;
    if (good)
        binary = silt_alloc(head.bytes);
    good =
        binary && fread(binary, 1, head.bytes, file) == head.bytes && mix(1, binary, head.bytes) == head.sum;
    fclose(file);
    if (!good) {
        silt_free(binary);
        return NULL;
    }
    *bytes = head.bytes;
    return binary;
}

void silt_cache_write(uint64_t key, const unsigned char *binary, size_t bytes)
{
    char path[SILT_PATH_SIZE], beside[SILT_PATH_SIZE + 16];
    if (!find_place(key, true, path))
        return;
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    int handle = mkstemp(beside);
    FILE *file = handle >= 0 ? fdopen(handle, "wb") : NULL;
    if (!file) {
        if (handle >= 0)
            close(handle);
        return;
    }
    Head head = {.key = key, .bytes = bytes, .sum = mix(1, binary, bytes)};
    memcpy(head.magic, "siltcl01", 8);
    bool good = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(binary, 1, bytes, file) == bytes;
    good = fclose(file) == 0 && good;
    if (!good || rename(beside, path) != 0)
        remove(beside);
}

bool silt_cache_has_note(uint64_t key, const char *note)
{
    size_t bytes = 0;
    unsigned char *found = silt_cache_read(key, &bytes);
    bool same = found && bytes == strlen(note) && memcmp(found, note, bytes) == 0;
    silt_free(found);
    return same;
}

void silt_cache_forget(uint64_t key)
{
    char path[SILT_PATH_SIZE];
    if (find_place(key, false, path))
        remove(path);
}
