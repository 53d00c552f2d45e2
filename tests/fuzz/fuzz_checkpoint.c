#include <string.h>

#include "fuzz.h"
#include "kept.h"
#include "silt/checkpoint.h"

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
    kept_mend(copy, bytes);
    descriptor = fuzz_open(copy, bytes, path);
    look(path);
    close(descriptor);
    free(copy);
    return 0;
}
