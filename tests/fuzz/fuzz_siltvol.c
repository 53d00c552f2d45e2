#include "fuzz.h"

#include "core/sum.h"
#include "silt/volume.h"

// Whatever is read must be a volume of finite voxels whose surface closes into a mesh.
static void look(const uint8_t *data, size_t bytes)
{
    char path[64];
    int descriptor = fuzz_open(data, bytes, path);
    SiltVolume *volume = NULL;
    SiltStatus status = silt_volume_read(path, &volume);
    close(descriptor);
    if ((status == SILT_OK) != (volume != NULL))
        abort();
    if (!volume)
        return;
    SiltMesh mesh;
    if (silt_volume_mesh(volume, false, &mesh) == SILT_OK)
        for (size_t k = 0; k < 3 * mesh.vertex_count; k++)
            if (!isfinite(mesh.positions[k]) || !isfinite(mesh.normals[k]))
                abort();
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
}

// As it is, and with a sum that is right: whoever means harm can do that too.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    look(data, bytes);
    uint8_t *copy = bytes > 16 && data[7] == '2' ? malloc(bytes) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, data, bytes);
    uint64_t sum = silt_sum_of(copy, bytes - 8);
    memcpy(copy + bytes - 8, &sum, 8);
    look(copy, bytes);
    free(copy);
    return 0;
}
