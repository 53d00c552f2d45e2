// The table of formats, and which of them a path means.
#include "io/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/status.h"
#include "core/text.h"
#include "mesh/mesh.h"
#include "silt/volume.h"
#include "terrain/terrain.h"

static const SiltFormat *const formats[] = {
    &silt_format_png, &silt_format_tiff, &silt_format_exr,     &silt_format_raw, &silt_format_asc,
    &silt_format_npy, &silt_format_pgm,  &silt_format_siltvol, &silt_format_obj, &silt_format_ply,
    &silt_format_glb, &silt_format_stl,  &silt_format_3mf,
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static bool has_ending(const SiltFormat *format, const char *path)
{
    char ending[16] = ".";
    const char *cursor = format->endings;
    while (*cursor) {
        size_t length = strcspn(cursor, " ");
        snprintf(ending + 1, sizeof ending - 1, "%.*s", (int)length, cursor);
        if (silt_ends_with(path, ending))
            return true;
        cursor += length;
        cursor += strspn(cursor, " ");
    }
    return false;
}

static const SiltFormat *format_of_ending(const char *path)
{
    for (int k = 0; k < FORMAT_COUNT; k++)
        if (has_ending(formats[k], path))
            return formats[k];
    return NULL;
}

static SiltStatus unknown_ending(const char *path)
{
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: no format has this ending; there are: png tif exr raw asc npy pgm siltvol, and "
                     "meshes obj ply glb stl 3mf",
                     path);
}

static SiltStatus missing_library(const char *path, const SiltFormat *format)
{
    return silt_fail(SILT_MISSING_FEATURE, "%s: this build has no %s; install %s and build again", path,
                     format->name, format->package);
}

// By the first bytes, then by the ending; some formats are only known by it.
static SiltStatus find_reader(const char *path, const SiltFormat **out)
{
    FILE *file;
    SiltStatus status = silt_open_input(path, &file);
    if (status != SILT_OK)
        return status;
    unsigned char head[64];
    size_t bytes = fread(head, 1, sizeof head, file);
    fclose(file);
    *out = NULL;
    for (int k = 0; k < FORMAT_COUNT && !*out; k++)
        if (formats[k]->recognise && formats[k]->recognise(head, bytes))
            *out = formats[k];
    const SiltFormat *by_ending = format_of_ending(path);
    if (*out)
        return SILT_OK;
    if (!by_ending)
        return silt_fail(
            SILT_BAD_FILE,
            "%s: not a format Silt reads (heights: png tif exr raw asc npy pgm siltvol; meshes: obj "
            "ply glb stl 3mf; kept runs: silt)",
            path);
    if (by_ending->recognise)
        return silt_fail(SILT_BAD_FILE, "%s: the name says %s, but the contents are something else", path,
                         by_ending->name);
    *out = by_ending;
    return SILT_OK;
}

static SiltStatus check_heights(const char *path, const double heights[2])
{
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    if ((isnan(heights[0]) && isnan(heights[1])) || heights[0] < heights[1])
        return SILT_OK;
    bool is_half = isnan(heights[0]) || isnan(heights[1]);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: heights = %s:%s: %s", path, silt_format_number(heights[0], low),
                     silt_format_number(heights[1], high),
                     is_half ? "give both ends or none" : "the lowest must be below the highest");
}

SiltStatus silt_read_check(const char *owner, const SiltReadOptions *options)
{
    SiltStatus status = silt_params_check(&silt_read_params, options, owner);
    if (status == SILT_OK && options->holds[0] && !silt_layer_name_is_good(options->holds))
        status = silt_fail(SILT_BAD_ARGUMENT,
                           "%s: holds names no layer: no slash, no control character, no dot first", owner);
    return status == SILT_OK ? check_heights(owner, options->heights) : status;
}

// What was read holds what the options or else the file say; heights lie where land can.
static SiltStatus settle_contents(const char *path, const SiltReadOptions *options, SiltTerrain **terrain)
{
    if (options->holds[0])
        silt_terrain_set_holds(*terrain, options->holds);
    bool is_land = options->purpose == SILT_READ_HEIGHTS && !(*terrain)->holds[0];
    SiltStatus status = is_land ? silt_terrain_check_reach(*terrain, path) : SILT_OK;
    if (status != SILT_OK) {
        silt_terrain_destroy(*terrain);
        *terrain = NULL;
    }
    return status;
}

SiltStatus silt_terrain_read(const char *path, const SiltReadOptions *options, SiltTerrain **out)
{
    *out = NULL;
    SiltReadOptions defaults;
    SiltStatus status = silt_params_init(&silt_read_params, &defaults);
    if (status == SILT_OK && options)
        status = silt_read_check(path, options);
    if (status != SILT_OK)
        return status;
    const SiltFormat *format;
    status = find_reader(path, &format);
    if (status != SILT_OK)
        return status;
    if (format->read_mesh)
        return silt_fail(SILT_BAD_FILE, "%s: a mesh (%s), not a grid of heights", path, format->name);
    if (!format->read)
        return missing_library(path, format);
    silt_hold_warnings();
    status = format->read(path, options ? options : &defaults, out);
    if (status == SILT_OK)
        status = settle_contents(path, options ? options : &defaults, out);
    return silt_release_warnings(status);
}

// The surface of any layer, as if it were the height. A terrain with a volume gives the volume's surface.
static SiltStatus write_mesh_of(const SiltTerrain *terrain, const SiltFormat *format,
                                const SiltWriteOptions *options, SiltOutput *output)
{
    const SiltLayer *layer;
    SiltStatus status = silt_raster_layer(output->path, terrain, options, &layer);
    if (status != SILT_OK)
        return status;
    SiltLayer surface = *layer;
    SiltTerrain view = *terrain;
    SiltVolume *volume = layer == terrain->layers[0] ? silt_terrain_volume(terrain) : NULL;
    if (terrain->volume && !volume && layer == terrain->layers[0])
        silt_warn(
            "%s: the heights have changed since they were those of a volume: its caves and overhangs are "
            "filled",
            output->path);
    if (volume && options->skirt > 0.0)
        silt_warn("%s: skirt changes nothing: rock has walls and a floor of its own", output->path);
    view.layers[0] = &surface;
    view.layer_count = 1;
    SiltMesh mesh;
    status = volume                 ? silt_volume_mesh(volume, false, &mesh)
             : options->error > 0.0 ? silt_mesh_within(&view, options->skirt, options->error, &mesh)
                                    : silt_mesh_from_terrain(&view, options->skirt, &mesh);
    if (volume && options->error > 0.0)
        silt_warn("%s: error changes nothing: it is for heights, and this is rock", output->path);
    if (status == SILT_OK && format->has_colours)
        status = volume ? silt_mesh_colour_rock(&mesh, options->snow, options->arid)
                        : silt_mesh_colour(&mesh, terrain, options->snow, options->arid);
    if (status != SILT_OK) {
        silt_mesh_destroy(&mesh);
        return silt_fail(status, "%s: %s", output->path, silt_message());
    }
    if (terrain->volume) // heights that were rock's lie where it did
        silt_volume_place_mesh(terrain->volume, &mesh);
    mesh.scale = options->scale;
    status = format->write_mesh(&mesh, output);
    silt_mesh_destroy(&mesh);
    return status;
}

static SiltStatus write_settled(const SiltTerrain *terrain, const char *path, const SiltFormat *format,
                                const SiltWriteOptions *options)
{
    bool is_all = strcmp(options->layer, "all") == 0;
    SiltStatus status =
        silt_terrain_check_finite(terrain, is_all ? NULL : options->layer, path, "nothing was written");
    bool is_land = !terrain->holds[0] && (is_all || strcmp(options->layer, "height") == 0);
    if (status == SILT_OK && is_land) // what nobody would read again
        status = silt_terrain_check_reach(terrain, path);
    if (status != SILT_OK)
        return status;
    SiltOutput output;
    status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    status = format->write_mesh ? write_mesh_of(terrain, format, options, &output)
                                : format->write(terrain, options, &output);
    return silt_output_end(&output, status);
}

// A terrain as silt_terrain_settle leaves it: the height is height + change, and "change" is "net_change".
typedef struct SettledView {
    SiltTerrain terrain;
    SiltLayer height, change;
} SettledView;

// The caller frees the field of view.height.
static SiltStatus settled_view(const SiltTerrain *terrain, SettledView *out)
{
    const SiltField *change = silt_terrain_layer(terrain, "change");
    *out = (SettledView){.terrain = *terrain};
    if (!change)
        return SILT_OK;
    out->height = *terrain->layers[0];
    SiltStatus status = silt_field_create(terrain->width, terrain->height, &out->height.field);
    if (status != SILT_OK)
        return status;
    silt_field_add(&terrain->layers[0]->field, change, &out->height.field);
    out->terrain.layers[0] = &out->height;
    out->terrain.layer_count = 1;
    for (int k = 1; k < terrain->layer_count; k++) {
        SiltLayer *layer = terrain->layers[k];
        if (strcmp(layer->name, "net_change") == 0)
            continue; // of a model before
        if (&layer->field == change) {
            out->change = *layer;
            strcpy(out->change.name, "net_change");
            layer = &out->change;
        }
        out->terrain.layers[out->terrain.layer_count++] = layer;
    }
    return SILT_OK;
}

// Whether the format can do what was asked for beyond the defaults. The heights and the byte order are left
// out: programs hand the same to what is read.
static SiltStatus check_abilities(const char *path, const SiltFormat *format, const SiltWriteOptions *options)
{
    static const int bits[] = {[SILT_BITS_8] = 8, [SILT_BITS_16] = 16, [SILT_BITS_32] = 32};
    if (options->bits != SILT_BITS_AUTO && !(format->bits & SILT_CAN(options->bits)))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s has no samples of %d bits; write %s", path, format->name,
                         bits[options->bits], options->bits == SILT_BITS_32 ? "TIFF or EXR" : "PNG or TIFF");
    if (options->compression != SILT_COMPRESS_DEFLATE &&
        !(format->compressions & SILT_CAN(options->compression)))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %s cannot be packed so; leave compression out, or write TIFF", path,
                         format->name);
    if (options->tile != 0 && !format->has_tiles)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s has no tiles; leave tile out, or write TIFF", path,
                         format->name);
    if (options->error > 0.0 && !format->write_mesh)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s has no triangles to leave out; error is for meshes", path,
                         format->name);
    if (options->scale != 1000.0 && !format->in_millimetres)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s is in metres; scale is for STL and 3MF", path,
                         format->name);
    if (options->skirt > 0.0 && !format->write_mesh)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %s has no skirt; leave it out, or write a mesh: obj ply glb stl 3mf", path,
                         format->name);
    return format->check ? format->check(path, options) : SILT_OK;
}

static SiltStatus check_write(const char *path, const SiltWriteOptions *options, const SiltFormat **out)
{
    SiltStatus status = silt_params_check(&silt_write_params, options, path);
    if (status == SILT_OK)
        status = check_heights(path, options->heights);
    if (status != SILT_OK)
        return status;
    *out = format_of_ending(path);
    if (!*out)
        return unknown_ending(path);
    if (!(*out)->write && !(*out)->write_mesh)
        return missing_library(path, *out);
    return check_abilities(path, *out, options);
}

SiltStatus silt_write_check(const char *path, const SiltWriteOptions *options)
{
    const SiltFormat *format;
    return check_write(path, options, &format);
}

SiltStatus silt_terrain_write(const SiltTerrain *terrain, const char *path, const SiltWriteOptions *options)
{
    SiltWriteOptions defaults;
    SiltStatus status = silt_params_init(&silt_write_params, &defaults);
    if (status != SILT_OK)
        return status;
    if (!options)
        options = &defaults;
    const SiltFormat *format;
    status = check_write(path, options, &format);
    if (status != SILT_OK)
        return status;
    SettledView view;
    status = settled_view(terrain, &view);
    if (status != SILT_OK)
        return status;
    SiltWriteOptions renamed = *options;
    if (strcmp(options->layer, "change") == 0)
        strcpy(renamed.layer, "net_change");
    status = write_settled(&view.terrain, path, format, &renamed);
    silt_field_destroy(&view.height.field);
    return status;
}

SiltStatus silt_terrain_write_check(const char *path, const SiltWriteOptions *options)
{
    const SiltFormat *format;
    SiltOutput output;
    SiltWriteOptions defaults;
    SiltStatus status = silt_params_init(&silt_write_params, &defaults);
    if (!options)
        options = &defaults;
    if (status == SILT_OK)
        status = check_write(path, options, &format);
    SiltTerrain *trial = NULL; // the least that every format can hold, written and thrown away
    SiltField *layer;
    if (status == SILT_OK)
        status = silt_terrain_create(2, 2, 1.0, &trial);
    if (status == SILT_OK && strcmp(options->layer, "all") != 0)
        status = silt_terrain_require(trial, options->layer, &layer);
    if (status == SILT_OK)
        status = silt_output_try(path, &output);
    if (status == SILT_OK) {
        status = format->write_mesh ? write_mesh_of(trial, format, options, &output)
                                    : format->write(trial, options, &output);
        silt_output_abandon(&output);
    }
    silt_terrain_destroy(trial);
    return status;
}

SiltStatus silt_maps_check(const char *path)
{
    const SiltFormat *format = format_of_ending(path);
    return !format || format == &silt_format_exr
               ? SILT_OK
               : silt_fail(
                     SILT_BAD_ARGUMENT,
                     "%s: every layer goes into a folder with a file each, or into one .exr; %s holds one",
                     path, format->name);
}

// Maps of layers that this terrain has not: whoever opens the folder would take them for its own.
static void warn_of_older_maps(const char *folder, const char *ending, const SiltTerrain *terrain)
{
    char names[512] = "", file[SILT_PATH_SIZE];
    for (int k = 0; silt_layer_name_at(k); k++) {
        const char *name = silt_layer_name_at(k);
        size_t used = strlen(names);
        snprintf(file, sizeof file, "%s/%s.%s", folder, name, ending);
        if (!silt_terrain_layer(terrain, name) && access(file, F_OK) == 0)
            snprintf(names + used, sizeof names - used, "%s%s.%s", used ? ", " : "", name, ending);
    }
    if (names[0])
        silt_warn("%s: not of this run, and there before it: %s", folder, names);
}

SiltStatus silt_terrain_write_maps(const SiltTerrain *terrain, const char *path, const char *ending,
                                   const SiltWriteOptions *options)
{
    SiltWriteOptions each;
    SiltStatus status = silt_params_init(&silt_write_params, &each);
    if (status == SILT_OK)
        status = silt_maps_check(path);
    if (status != SILT_OK)
        return status;
    if (options)
        each = *options;
    if (silt_ends_with(path, ".exr")) {
        status = silt_make_folders(path);
        snprintf(each.layer, sizeof each.layer, "all");
        return status == SILT_OK ? silt_terrain_write(terrain, path, &each) : status;
    }
    SettledView view;
    status = settled_view(terrain, &view);
    for (int k = 0; k < view.terrain.layer_count && status == SILT_OK; k++) {
        const char *name = view.terrain.layers[k]->name;
        char file[SILT_PATH_SIZE];
        int length = snprintf(file, sizeof file, "%s/%s.%s", path, name, ending);
        if (length >= (int)sizeof file)
            status = silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", path);
        snprintf(each.layer, sizeof each.layer, "%s", name);
        if (status == SILT_OK)
            status = silt_make_folders(file);
        if (status == SILT_OK)
            status = silt_terrain_write(&view.terrain, file, &each);
    }
    if (status == SILT_OK)
        warn_of_older_maps(path, ending, &view.terrain);
    silt_field_destroy(&view.height.field);
    return status;
}

bool silt_path_is_mesh(const char *path)
{
    const SiltFormat *format = format_of_ending(path);
    return format && format->write_mesh;
}

bool silt_path_has_colours(const char *path)
{
    const SiltFormat *format = format_of_ending(path);
    return format && format->has_colours;
}

SiltStatus silt_mesh_read(const char *path, SiltMesh *out)
{
    return silt_mesh_read_as(path, NULL, out);
}

// Millimetres to metres, at 1 to how many.
static void apply_scale(const SiltReadOptions *options, SiltMesh *mesh)
{
    if (options && options->scale > 0.0)
        mesh->scale = options->scale;
    if (!(mesh->scale > 0.0))
        mesh->scale = 1000.0;
    double factor = mesh->scale / 1000.0;
    for (size_t k = 0; factor != 1.0 && k < 3 * mesh->vertex_count; k++)
        mesh->positions[k] = (float)(factor * (double)mesh->positions[k]);
}

SiltStatus silt_mesh_read_as(const char *path, const SiltReadOptions *options, SiltMesh *out)
{
    *out = (SiltMesh){0};
    const SiltFormat *format;
    SiltStatus status = find_reader(path, &format);
    if (status != SILT_OK)
        return status;
    if (!format->read_mesh)
        return silt_fail(SILT_BAD_FILE, "%s: %s is not a mesh format", path, format->name);
    status = format->read_mesh(path, out);
    if (status == SILT_OK && format->in_millimetres)
        apply_scale(options, out);
    if (status == SILT_OK && format->in_millimetres)
        status = silt_mesh_check(path, out);
    if (status != SILT_OK)
        silt_mesh_destroy(out);
    return status;
}

SiltStatus silt_mesh_write(const SiltMesh *mesh, const char *path)
{
    return silt_mesh_write_as(mesh, path, NULL);
}

SiltStatus silt_mesh_write_as(const SiltMesh *mesh, const char *path, const SiltWriteOptions *options)
{
    const SiltFormat *format = format_of_ending(path);
    if (!format || !format->write_mesh)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: no mesh format has this ending; there are: obj ply glb stl 3mf", path);
    SiltStatus status = silt_mesh_check(path, mesh);
    if (status != SILT_OK)
        return status;
    SiltOutput output;
    SiltMesh view = *mesh;
    view.scale = options ? options->scale : mesh->scale > 0.0 ? mesh->scale : 1000.0;
    status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    return silt_output_end(&output, format->write_mesh(&view, &output));
}

int silt_format_count(void)
{
    return FORMAT_COUNT;
}

SiltFormatInfo silt_format_at(int index)
{
    const SiltFormat *format = formats[index];
    return (SiltFormatInfo){.name = format->name,
                            .endings = format->endings,
                            .reads = format->read || format->read_mesh,
                            .writes = format->write || format->write_mesh,
                            .package = format->package,
                            .is_mesh = format->write_mesh != NULL};
}
