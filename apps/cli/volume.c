// Volumes on the command line: silt new SHAPE, and silt convert from and to .siltvol files and from meshes.
#include <math.h>
#include <string.h>

#include "cli.h"

enum { USUAL_VOXELS = 128, USUAL_MESH_VOXELS = 256 };

static int brick_side(const Arguments *arguments)
{
    return arguments->volume.brick == 0 ? 8 : 16;
}

// As a line, or as members of the answer.
static void say_triangles(const Arguments *arguments, const char *path, size_t triangles, size_t before,
                          SiltText *json)
{
    if (arguments->json) {
        add_member(json, "file", path);
        add_number(json, "triangles", (double)triangles);
        add_number(json, "triangles_before", (double)before);
    } else if (!arguments->quiet && triangles < before) {
        say("%s: %zu triangles of %zu\n", path, triangles, before);
    } else if (!arguments->quiet) {
        say("%s: %zu triangles\n", path, triangles);
    }
}

// A volume, a mesh of it, or its highest surface, by the ending of the path.
static SiltStatus write_volume(const Arguments *arguments, SiltVolume *volume, const char *path,
                               SiltText *json)
{
    if (silt_path_is_volume(path))
        return silt_volume_write(volume, path);
    if (silt_path_is_mesh(path)) {
        SiltMesh mesh;
        SiltStatus status = arguments->volume.part == SILT_PART_OVERHANGS
                                ? silt_volume_overhangs(volume, &mesh)
                                : silt_volume_mesh(volume, arguments->volume.open, &mesh);
        size_t before = mesh.triangle_count;
        if (status == SILT_OK)
            status = silt_mesh_decimate(&mesh, arguments->volume.decimate);
        if (status == SILT_OK && silt_path_has_colours(path))
            status = silt_mesh_colour_rock(&mesh, arguments->write.snow, arguments->write.arid);
        if (status == SILT_OK) {
            silt_volume_place_mesh(volume, &mesh);
            status = silt_mesh_write_as(&mesh, path, &arguments->write);
        }
        if (status == SILT_OK)
            say_triangles(arguments, path, mesh.triangle_count, before, json);
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

// The rock that was written, behind what `json` has of it.
static SiltStatus say_rock(const Arguments *arguments, const SiltVolume *volume, const char *path,
                           SiltText *json)
{
    SiltVolumeInfo info = silt_volume_info(volume);
    if (arguments->json) {
        const double size[] = {info.size[0], info.size[1], info.size[2]};
        if (json->length == 0)
            add_member(json, "file", path);
        add_numbers(json, "voxels", size, 3);
        add_number(json, "cell", info.cell);
        add_number(json, "bricks", (double)info.brick_count);
        add_number(json, "rock", silt_volume_rock(volume));
        silt_text_add(json, "}");
        return answer_with(json);
    }
    if (!arguments->quiet)
        say("%s: %d x %d x %d voxels of %g m, %zu bricks at the surface, %.6g m3 of rock\n", path,
            info.size[0], info.size[1], info.size[2], info.cell, info.brick_count, silt_volume_rock(volume));
    return SILT_OK;
}

static int finish(const Arguments *arguments, SiltStatus status, SiltVolume *volume, const char *path)
{
    SiltText json = {0};
    if (status == SILT_OK)
        status = write_volume(arguments, volume, path, &json);
    if (status == SILT_OK)
        status = say_rock(arguments, volume, path, &json);
    silt_text_free(&json);
    silt_volume_destroy(volume);
    return status == SILT_OK ? 0 : report_failure(status);
}

// Within an error a mesh follows heights; rock has its own way to fewer triangles.
static bool takes_error(const char *command, const Arguments *arguments)
{
    if (!was_given(arguments, TAKES_WRITE, "error"))
        return true;
    report_usage(command, "--error is for meshes of heights; for fewer triangles of rock, or of a mesh, "
                          "take --decimate SHARE");
    return false;
}

static double voxel_size(const Arguments *arguments)
{
    return arguments->cell > 0.0 ? arguments->cell : 10.0;
}

// Before the work: that the file can be written, and that there is memory for what it takes.
static SiltStatus check_shape(const Arguments *arguments, const SiltVolumeShape *shape, const int size[3],
                              const void *params)
{
    uint64_t bytes, available = silt_memory_available();
    char owner[64], most[SILT_NUMBER_SIZE], there[SILT_NUMBER_SIZE];
    SiltStatus status = silt_make_folders(arguments->output);
    if (status == SILT_OK)
        status = silt_terrain_write_check(arguments->output, &arguments->write);
    if (status == SILT_OK)
        status = silt_volume_make_bytes(shape, size, brick_side(arguments), voxel_size(arguments), params,
                                        &arguments->rock, arguments->seed,
                                        silt_path_is_mesh(arguments->output), &bytes);
    if (status != SILT_OK)
        return status;
    snprintf(owner, sizeof owner, "new %s", shape->name);
    if (bytes > available)
        return silt_fail(
            SILT_NO_MEMORY,
            "%s: %d x %d x %d voxels need about %s of memory, and %s is available: take a smaller "
            "--size",
            owner, size[0], size[1], size[2], silt_format_bytes((double)bytes, most),
            silt_format_bytes((double)available, there));
    say_memory(arguments, owner, bytes, available);
    return SILT_OK;
}

int run_new_volume(const Arguments *arguments, const SiltVolumeShape *shape)
{
    if (!arguments->output)
        return report_usage("new", "say where the volume goes: -o FILE");
    if (!takes_error("new", arguments))
        return EXIT_USAGE;
    if (arguments->device && strncmp(arguments->device, "gpu", 3) == 0)
        return report_usage("new", "%s is made on the processor alone: no --device", shape->name);
    char owner[64];
    snprintf(owner, sizeof owner, "new %s", shape->name);
    void *params = make_params(&shape->params, owner, arguments);
    if (!params)
        return EXIT_FAILED;
    volume_warn_unused("new", arguments, FROM_SHAPE, arguments->output, ~0u);
    int size[3] = {USUAL_VOXELS, USUAL_VOXELS, arguments->volume.layers};
    if (arguments->sized) {
        size[0] = arguments->width;
        size[1] = arguments->height;
    }
    if (size[2] == 0)
        size[2] = size[0] < size[1] ? size[0] : size[1];
    SiltVolume *volume = NULL;
    SiltStatus status = check_shape(arguments, shape, size, params);
    if (status == SILT_OK)
        status = silt_volume_make(shape, size, brick_side(arguments), voxel_size(arguments), params,
                                  &arguments->rock, arguments->seed, &volume);
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
    if (arguments->sized && arguments->width != arguments->height)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: --size %dx%d: a mesh takes one number, the voxels along its longest side", path,
                         arguments->width, arguments->height);
    SiltStatus status = silt_mesh_read_as(path, &arguments->read, &mesh);
    if (status != SILT_OK)
        return status;
    status = silt_volume_from_mesh(&mesh, arguments->sized ? arguments->width : USUAL_MESH_VOXELS,
                                   brick_side(arguments), &arguments->rock, arguments->seed, out);
    silt_mesh_destroy(&mesh);
    return status;
}

SiltStatus write_heights_as_volume(const Arguments *arguments, const SiltTerrain *terrain, const char *path)
{
    SiltVolume *volume;
    SiltStatus status =
        silt_volume_from_terrain(terrain, &arguments->volume, &arguments->rock, arguments->seed, &volume);
    if (status == SILT_OK)
        status = silt_volume_write(volume, path);
    SiltText json = {0};
    if (status == SILT_OK)
        status = say_rock(arguments, volume, path, &json);
    silt_volume_destroy(volume);
    return status;
}

// A run that was kept may hold caves: that volume as it is, and not one made of its heights. `kept` is set
// then.
static SiltStatus volume_from_terrain(const Arguments *arguments, const char *path, const char *output,
                                      SiltVolume **out, bool *kept)
{
    SiltTerrain *terrain;
    SiltStatus status = read_any(path, &arguments->read, &terrain);
    if (status != SILT_OK)
        return status;
    *out = silt_terrain_volume(terrain);
    *kept = *out != NULL;
    if (*kept) {
        terrain->volume = NULL;
        volume_warn_unused("convert", arguments, FROM_VOLUME, output, ~0u);
    } else {
        if (terrain->volume)
            silt_warn("%s: the heights have changed since they were those of a volume: its caves and "
                      "overhangs are filled",
                      path);
        status =
            silt_volume_from_terrain(terrain, &arguments->volume, &arguments->rock, arguments->seed, out);
    }
    silt_terrain_destroy(terrain);
    return status;
}

// Triangles stay as they are from mesh to mesh, unless voxels of them are asked for.
static bool copies_mesh(const Arguments *arguments, const char *input, const char *output)
{
    return silt_path_is_mesh(input) && silt_path_is_mesh(output) && !arguments->sized &&
           !was_given(arguments, TAKES_VOLUME, "brick") && !was_given(arguments, TAKES_VOLUME, "open") &&
           arguments->volume.part == SILT_PART_WHOLE;
}

static int copy_mesh(const Arguments *arguments, const char *input, const char *output)
{
    SiltMesh mesh;
    SiltReadOptions read = arguments->read;
    read.scale = NAN; // --scale is that of what is written; the file read has its own
    SiltStatus status = silt_mesh_read_as(input, &read, &mesh);
    if (status != SILT_OK)
        return report_failure(status);
    size_t before = mesh.triangle_count;
    SiltWriteOptions write = arguments->write;
    if (mesh.scale > 0.0 && !was_given(arguments, TAKES_WRITE, "scale"))
        write.scale = mesh.scale;
    if (arguments->volume.decimate < 1.0)
        status = silt_mesh_decimate(&mesh, arguments->volume.decimate);
    if (status == SILT_OK)
        status = silt_make_folders(output);
    if (status == SILT_OK)
        status = silt_terrain_write_check(output, &arguments->write); // no --scale for files in metres
    if (status == SILT_OK)
        status = silt_mesh_write_as(&mesh, output, &write);
    SiltText json = {0};
    if (status == SILT_OK)
        say_triangles(arguments, output, mesh.triangle_count, before, &json);
    silt_text_add(&json, "}");
    if (status == SILT_OK && arguments->json)
        status = answer_with(&json);
    silt_text_free(&json);
    silt_mesh_destroy(&mesh);
    return status == SILT_OK ? 0 : report_failure(status);
}

int convert_volume(const Arguments *arguments, const char *output)
{
    const char *input = arguments->words[0];
    if (arguments->crop || arguments->flip || arguments->rotate ||
        (arguments->sized && !silt_path_is_mesh(input)))
        return report_usage("convert",
                            "volumes keep their size and side: --crop, --flip, --rotate and --size are for "
                            "terrains (--size N also for a mesh: voxels along its longest side)");
    if (!takes_error("convert", arguments))
        return EXIT_USAGE;
    volume_warn_unused("convert", arguments, source_of(input), output, ~0u);
    if (copies_mesh(arguments, input, output))
        return copy_mesh(arguments, input, output);
    SiltVolume *volume = NULL;
    bool is_read = silt_path_is_volume(input);
    SiltStatus status = SILT_OK;
    if (silt_path_is_mesh(output) && !silt_path_is_mesh(input)) // whose scale --scale would be
        status = silt_terrain_write_check(output, &arguments->write);
    if (status == SILT_OK)
        status = silt_path_is_volume(input) ? silt_volume_read(input, &volume)
                 : silt_path_is_mesh(input)
                     ? volume_from_mesh(arguments, input, &volume)
                     : volume_from_terrain(arguments, input, output, &volume, &is_read);
    // a volume that is read keeps its rock unless another is asked for
    if (status == SILT_OK && is_read && was_given(arguments, TAKES_ROCK, NULL))
        status = silt_volume_lay_rock(volume, &arguments->rock, arguments->seed);
    return finish(arguments, status, volume, output);
}

SiltStatus read_ground(const Arguments *arguments, const char *path, SiltTerrain **out)
{
    *out = NULL;
    volume_warn_unused("erode", arguments, source_of(path), path, TAKES_READ);
    warn_unused("erode", arguments->sized && !silt_path_is_mesh(path), "--size",
                "only a mesh has no size of its own yet; 'silt convert --size' resamples heights");
    if (!silt_path_is_mesh(path))
        return read_any(path, &arguments->read, out);
    SiltVolume *volume;
    SiltStatus status = volume_from_mesh(arguments, path, &volume);
    if (status == SILT_OK)
        return silt_terrain_from_volume(volume, out);
    const char owner[] = "volume: ", *why = silt_message(); // the file is what the user knows
    bool is_owned = strncmp(why, owner, sizeof owner - 1) == 0;
    return is_owned ? silt_fail(status, "%s: %s", path, why + sizeof owner - 1) : status;
}

// ---- silt info FILE.siltvol ----

typedef struct VolumeFacts {
    const char *path;
    double rock, area;
    SiltLoose loose;
    float erodibility[2]; // of the hardest and of the softest rock
} VolumeFacts;

static double mesh_area(const SiltMesh *mesh)
{
    double sum = 0.0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const float *p[3];
        double u[3], v[3];
        for (int k = 0; k < 3; k++)
            p[k] = mesh->positions + 3 * (size_t)mesh->indices[3 * t + (size_t)k];
        for (int k = 0; k < 3; k++) {
            u[k] = (double)p[1][k] - (double)p[0][k];
            v[k] = (double)p[2][k] - (double)p[0][k];
        }
        double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
        sum += 0.5 * sqrt(x * x + y * y + z * z);
    }
    return sum;
}

static void say_volume(const SiltVolume *volume, const VolumeFacts *facts)
{
    SiltVolumeInfo info = silt_volume_info(volume);
    const double side[3] = {(info.size[0] - 1) * info.cell, (info.size[1] - 1) * info.cell,
                            (info.size[2] - 1) * info.cell};
    say("%s\n  %-22s %d x %d x %d of %g m (%g x %g x %g m)\n", facts->path, "voxels", info.size[0],
        info.size[1], info.size[2], info.cell, side[0], side[1], side[2]);
    say("  %-22s %zu of %d voxels a side, of %zu\n", "bricks at the surface", info.brick_count, info.side,
        info.brick_total);
    char place[3][SILT_NUMBER_SIZE];
    say("  %-22s %s %s %s m\n", "place of the first", silt_format_number(info.origin[0], place[0]),
        silt_format_number(info.origin[1], place[1]), silt_format_number(info.origin[2], place[2]));
    say("  %-22s %.6g m3\n  %-22s %.6g m2\n", "rock", facts->rock, "surface", facts->area);
    say("  %-22s %zu, %.6g m3\n", "pieces without hold", facts->loose.piece_count, facts->loose.rock);
    say("  %-22s %g to %g\n  %-22s %016llx\n", "erodibility", (double)facts->erodibility[0],
        (double)facts->erodibility[1], "hash", (unsigned long long)silt_volume_hash(volume));
}

static SiltStatus volume_json(const SiltVolume *volume, const VolumeFacts *facts)
{
    SiltVolumeInfo info = silt_volume_info(volume);
    const double size[] = {info.size[0], info.size[1], info.size[2]};
    const double erodibility[] = {(double)facts->erodibility[0], (double)facts->erodibility[1]};
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)silt_volume_hash(volume));
    SiltText text = {0};
    add_numbers(&text, "voxels", size, 3);
    add_number(&text, "cell", info.cell);
    add_numbers(&text, "origin", info.origin, 3);
    add_number(&text, "brick", info.side);
    add_number(&text, "bricks", (double)info.brick_count);
    add_number(&text, "rock", facts->rock);
    add_number(&text, "surface", facts->area);
    add_number(&text, "loose_pieces", (double)facts->loose.piece_count);
    add_number(&text, "loose_rock", facts->loose.rock);
    add_numbers(&text, "erodibility", erodibility, 2);
    add_member(&text, "hash", hash);
    silt_text_add(&text, "}");
    return answer_with(&text);
}

int volume_info(const Arguments *arguments)
{
    VolumeFacts facts = {.path = arguments->words[0]};
    SiltVolume *volume;
    SiltMesh mesh;
    SiltStatus status = silt_volume_read(facts.path, &volume);
    if (status != SILT_OK)
        return report_failure(status);
    status = silt_volume_mesh(volume, true, &mesh);
    if (status == SILT_OK)
        status = silt_volume_loose(volume, SILT_LOOSE_REPORT, &facts.loose);
    if (status == SILT_OK) {
        facts.rock = silt_volume_rock(volume);
        facts.area = mesh_area(&mesh);
        silt_volume_erodibility_range(volume, facts.erodibility);
        if (arguments->json)
            status = volume_json(volume, &facts);
        else
            say_volume(volume, &facts);
    }
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
    return status == SILT_OK ? 0 : report_failure(status);
}
