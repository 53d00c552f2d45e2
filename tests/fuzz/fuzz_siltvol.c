#include "fuzz.h"

#include "silt/volume.h"

// Whatever is read must be a volume of finite voxels whose surface closes into a mesh.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64];
    int descriptor = fuzz_open(data, bytes, path);
    SiltVolume *volume = NULL;
    SiltStatus status = silt_volume_read(path, &volume);
    close(descriptor);
    if ((status == SILT_OK) != (volume != NULL))
        abort();
    if (!volume)
        return 0;
    SiltMesh mesh;
    if (silt_volume_mesh(volume, false, &mesh) == SILT_OK)
        for (size_t k = 0; k < 3 * mesh.vertex_count; k++)
            if (!isfinite(mesh.positions[k]) || !isfinite(mesh.normals[k]))
                abort();
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
    return 0;
}
