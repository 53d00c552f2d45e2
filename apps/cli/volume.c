// Volumes on the command line: silt new SHAPE, and silt convert from and to .siltvol files and from meshes.
#include "cli.h"

enum { USUAL_VOXELS = 128, USUAL_MESH_VOXELS = 256 };

// A volume, a mesh of it, or its highest surface, by the ending of the path.
static SiltStatus write_volume(const Arguments *arguments, SiltVolume *volume, const char *path)
{
    if (silt_path_is_volume(path))
        return silt_volume_write(volume, path);
    if (silt_path_is_mesh(path)) {
        SiltMesh mesh;
        SiltStatus status = silt_volume_mesh(volume, arguments->volume.open, &mesh);
        if (status == SILT_OK)
            status = silt_mesh_write(&mesh, path);
        silt_mesh_destroy(&mesh);
        return status;
    }
    SiltTerrain *terrain;
    SiltStatus status = silt_volume_to_terrain(volume, &terrain);
    if (status != SILT_OK)
        return status;
    status = silt_terrain_write(terrain, path, &arguments->write);
    silt_terrain_destroy(terrain);
    return status;
}

static int finish(const Arguments *arguments, SiltStatus status, SiltVolume *volume, const char *path)
{
    if (status == SILT_OK)
        status = write_volume(arguments, volume, path);
    if (status == SILT_OK && !arguments->quiet)
        printf("%s: %d x %d x %d voxels of %g m, %zu bricks at the surface, %.6g m3 of rock\n", path,
               volume->size[0], volume->size[1], volume->size[2], volume->cell, volume->brick_count,
               silt_volume_rock(volume));
    silt_volume_destroy(volume);
    return status == SILT_OK ? 0 : report_failure(status);
}

int run_new_volume(const Arguments *arguments, const SiltVolumeShape *shape)
{
    if (!arguments->output)
        return report_usage("new", "say where the volume goes: -o FILE");
    char owner[64];
    snprintf(owner, sizeof owner, "new %s", shape->name);
    void *params = make_params(&shape->params, owner, arguments);
    if (!params)
        return EXIT_FAILED;
    int size[3] = {USUAL_VOXELS, USUAL_VOXELS, arguments->volume.layers};
    if (arguments->sized) {
        size[0] = arguments->width;
        size[1] = arguments->height;
    }
    if (size[2] == 0)
        size[2] = size[0] < size[1] ? size[0] : size[1];
    SiltVolume *volume = NULL;
    SiltStatus status = silt_volume_make(shape, size, arguments->volume.brick == 0 ? 8 : 16,
                                         arguments->cell > 0.0 ? arguments->cell : 10.0, params, NULL,
                                         arguments->seed, &volume);
    free_params(&shape->params, params);
    return finish(arguments, status, volume, arguments->output);
}

bool converts_volume(const char *input, const char *output)
{
    return silt_path_is_volume(input) || silt_path_is_volume(output) || silt_path_is_mesh(input);
}

static SiltStatus volume_from_mesh(const Arguments *arguments, const char *path, SiltVolume **out)
{
    SiltMesh mesh;
    SiltStatus status = silt_mesh_read(path, &mesh);
    if (status != SILT_OK)
        return status;
    status = silt_volume_from_mesh(&mesh, arguments->sized ? arguments->width : USUAL_MESH_VOXELS,
                                   arguments->volume.brick == 0 ? 8 : 16, NULL, 0, out);
    silt_mesh_destroy(&mesh);
    return status;
}

static SiltStatus volume_from_terrain(const Arguments *arguments, const char *path, SiltVolume **out)
{
    SiltTerrain *terrain;
    SiltStatus status = silt_terrain_read(path, &arguments->read, &terrain);
    if (status != SILT_OK)
        return status;
    status = silt_volume_from_terrain(terrain, &arguments->volume, NULL, 0, out);
    silt_terrain_destroy(terrain);
    return status;
}

int convert_volume(const Arguments *arguments, const char *output)
{
    const char *input = arguments->words[0];
    if (arguments->crop || arguments->flip || arguments->rotate ||
        (arguments->sized && !silt_path_is_mesh(input)))
        return report_usage("convert",
                            "volumes keep their size and side: --crop, --flip, --rotate and --size are for "
                            "terrains (--size N also for a mesh: voxels along its longest side)");
    SiltVolume *volume = NULL;
    SiltStatus status =
        silt_path_is_volume(input)
            ? silt_volume_read(input, &volume)
            : (silt_path_is_mesh(input) ? volume_from_mesh : volume_from_terrain)(arguments, input, &volume);
    return finish(arguments, status, volume, output);
}
