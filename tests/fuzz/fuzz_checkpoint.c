#include <string.h>

#include "core/sum.h"
#include "fuzz.h"
#include "silt/checkpoint.h"

// Makes every checksum right again, so that what is behind them is reached: whoever means harm can do it too.
static void mend(uint8_t *file, size_t bytes)
{
    uint64_t length = bytes, sum, parts, at = 64;
    if (bytes < 64)
        return;
    memcpy(file + 32, &length, 8);
    memcpy(&parts, file + 40, 8);
    sum = silt_sum_of(file, 56);
    memcpy(file + 56, &sum, 8);
    for (uint64_t k = 0; k < parts && k < 32 && bytes - at >= 48; k++) {
        uint64_t count;
        memcpy(&count, file + at + 24, 8);
        if (count > bytes - at - 48)
            return;
        sum = silt_sum_of(file + at + 48, count);
        memcpy(file + at + 32, &sum, 8);
        sum = silt_sum_of(file + at, 40);
        memcpy(file + at + 40, &sum, 8);
        at += 48 + count + (-count & 7);
        if (at > bytes)
            return;
    }
}

// Whatever is opened has texts that end and, if any, a terrain of a size that was there.
static void look(const char *path)
{
    SiltCheckpoint *kept;
    if (silt_checkpoint_open(path, &kept) != SILT_OK) {
        if (kept || !silt_message()[0])
            abort();
        return;
    }
    char *about = silt_checkpoint_about(kept);
    if (about && strlen(about) == SIZE_MAX)
        abort();
    silt_free(about);
    silt_checkpoint_changed_input(kept);
    SiltTerrain *terrain;
    if ((silt_checkpoint_terrain(kept, &terrain) == SILT_OK) != (terrain != NULL))
        abort();
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    if (silt_checkpoint_open(path, &kept) != SILT_OK)
        return;
    if ((silt_checkpoint_show(kept, &terrain) == SILT_OK) != (terrain != NULL))
        abort();
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64];
    int descriptor = fuzz_open(data, bytes, path);
    look(path);
    close(descriptor);
    uint8_t *copy = malloc(bytes + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, bytes);
    mend(copy, bytes);
    descriptor = fuzz_open(copy, bytes, path);
    look(path);
    close(descriptor);
    free(copy);
    return 0;
}
