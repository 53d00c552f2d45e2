// What fuzz targets share: bytes as a file that never touches the disk.
#ifndef SILT_FUZZ_H
#define SILT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "silt/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Opens a file in memory with these bytes and writes a path to it; close() the result.
static inline int fuzz_open(const uint8_t *data, size_t size, char path[64])
{
    int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) {
        perror("fuzz: no file in memory");
        abort();
    }
    snprintf(path, 64, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

// Reads the bytes as a terrain. Either there is one and every height in it is finite, or there is a sentence.
static inline void fuzz_read_terrain(const uint8_t *data, size_t size)
{
    char path[64];
    int descriptor = fuzz_open(data, size, path);
    SiltTerrain *terrain;
    if (silt_terrain_read(path, NULL, &terrain) == SILT_OK) {
        for (int k = 0; k < terrain->layer_count; k++)
            for (int j = 0; j < terrain->height; j++)
                for (int i = 0; i < terrain->width; i++)
                    if (!(silt_field_at(&terrain->layers[k]->field, i, j) -
                              silt_field_at(&terrain->layers[k]->field, i, j) ==
                          0.0f))
                        abort();
        silt_terrain_destroy(terrain);
    } else if (terrain || !silt_message()[0]) {
        abort();
    }
    close(descriptor);
}

#endif
