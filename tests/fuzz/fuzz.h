// Gives libFuzzer's bytes to a format's reader as a file that exists only in memory.
#ifndef SILT_FUZZ_H
#define SILT_FUZZ_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static inline int fuzz_open(const uint8_t *data, size_t bytes, char path[64])
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, bytes) != (ssize_t)bytes)
        abort();
    snprintf(path, 64, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

// For readers that go by a file's ending, or read another one beside it: a folder of this process's own, gone
// when it ends well.
static char fuzz_own[] = "/tmp/silt-fuzz-XXXXXX";

static inline void fuzz_leave(void)
{
    rmdir(fuzz_own);
}

static inline const char *fuzz_folder(void)
{
    static bool made;
    if (!made && (!mkdtemp(fuzz_own) || atexit(fuzz_leave) != 0))
        abort();
    made = true;
    return fuzz_own;
}

static inline void fuzz_put(const uint8_t *data, size_t bytes, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        abort();
}

// A terrain comes with success alone, and its heights are finite.
static inline void fuzz_end_terrain(SiltStatus status, SiltTerrain *terrain)
{
    if ((status == SILT_OK) != (terrain != NULL))
        abort();
    for (int j = 0; terrain && j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!isfinite(silt_field_at(&terrain->layers[0]->field, i, j)))
                abort();
    silt_terrain_destroy(terrain);
}

// Whatever is read must be a terrain of finite heights.
static inline int fuzz_raster(const SiltFormat *format, const uint8_t *data, size_t bytes)
{
    SiltReadOptions options;
    if (silt_params_init(&silt_read_params, &options) != SILT_OK)
        abort();
    char path[64];
    int descriptor = fuzz_open(data, bytes, path);
    SiltTerrain *terrain = NULL;
    SiltStatus status = format->read(path, &options, &terrain);
    close(descriptor);
    fuzz_end_terrain(status, terrain);
    return 0;
}

// Whatever is read must be a mesh of finite vertices whose triangles name them.
static inline int fuzz_mesh(const SiltFormat *format, const uint8_t *data, size_t bytes)
{
    char path[64];
    int descriptor = fuzz_open(data, bytes, path);
    SiltMesh mesh = {0};
    SiltStatus status = format->read_mesh(path, &mesh);
    close(descriptor);
    if ((status == SILT_OK) != (mesh.positions != NULL))
        abort();
    for (size_t k = 0; k < 3 * mesh.vertex_count; k++)
        if (!isfinite(mesh.positions[k]))
            abort();
    for (size_t k = 0; k < 3 * mesh.triangle_count; k++)
        if (mesh.indices[k] >= mesh.vertex_count)
            abort();
    silt_mesh_destroy(&mesh);
    return 0;
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
