// silt/io.h — terrains and meshes in files. The ending of a path picks the format it is written in; what is
// read is recognised by its first bytes, and by its ending where a format has none. Files appear whole or not
// at all.
#ifndef SILT_IO_H
#define SILT_IO_H

#include "silt/mesh.h"
#include "silt/param.h"
#include "silt/particles.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// What integers of a file stand for, where it does not say so itself: heights (0 to 1000 m without
// `heights`), values of a layer (0 to 1), or 0 to 1 whatever it says.
enum { SILT_READ_HEIGHTS, SILT_READ_VALUES, SILT_READ_SHARES };

enum { SILT_RAW_AUTO, SILT_RAW_U8, SILT_RAW_U16, SILT_RAW_I16, SILT_RAW_F32 };

// How to read what a file does not say itself. Fill it with silt_params_init(&silt_read_params, &options).
typedef struct SiltReadOptions {
    double heights[2]; // metres of the lowest and highest integer, for files that record none; NaN: not given
    double cell;       // metres; NaN: as recorded in the file, else 1
    double nodata;     // this value marks cells without data, besides what the file says; NaN: none
    int raw_width, raw_height;  // of a RAW file; 0: from its .hdr, else a square
    int raw_type;               // SILT_RAW_AUTO: from its .hdr or ending, else SILT_RAW_U16
    int raw_order;              // 0 little-endian, 1 big-endian
    int purpose;                // SILT_READ_HEIGHTS unless silt_terrain_read_layer says otherwise
    double scale;               // of STL and 3MF, 1 to how many; NaN: as recorded, else 1000
    char unit[16];              // of the layer it becomes then: what a file records in another does not count
    char holds[SILT_NAME_SIZE]; // the layer its values are; "": as the file says, else heights
} SiltReadOptions;
SILT_API extern const SiltParamTable silt_read_params;

enum { SILT_BITS_AUTO, SILT_BITS_8, SILT_BITS_16, SILT_BITS_32 };
enum { SILT_COMPRESS_DEFLATE, SILT_COMPRESS_ZSTD, SILT_COMPRESS_LZW, SILT_COMPRESS_NONE };

// How to write. Fill it with silt_params_init(&silt_write_params, &options).
typedef struct SiltWriteOptions {
    char layer[SILT_NAME_SIZE]; // which layer a one-layer format holds
    int bits;                   // of a sample: auto takes 32-bit float where the format can, else 16
    double heights[2]; // metres of the lowest and highest value of an integer format; NaN: the layer's range
    int compression;
    int tile;      // TIFF: side of a tile in pixels; 0 for strips
    int raw_order; // 0 little-endian, 1 big-endian
    double
        skirt; // meshes: depth of a closed skirt and floor below the lowest point in metres; 0: open surface
    double error;    // meshes of heights: metres they may lie from them, for fewer triangles; 0: all
    double scale;    // STL and 3MF: 1 to how many; a millimetre is so many of them
    double snow;     // colours of a glb: metres above which snow lies; NaN: by the relief
    double arid;     // colours of a glb: 0: grass and trees grow; 1: a desert
    bool range_told; // no word of cells beyond `heights`: the caller has said it
} SiltWriteOptions;
SILT_API extern const SiltParamTable silt_write_params;

// NULL options mean the defaults. The caller destroys the terrain.
SILT_API SiltStatus silt_terrain_read(const char *path, const SiltReadOptions *options, SiltTerrain **out);
// The values of a file of the terrain's size become one of its layers: an uplift, a painted mask, rain. Of a
// picture that records no values black is 0 and white 1; a path FILE@MIN:MAX has 0 become MIN and 1 MAX. For
// the layer "height" it is read as silt_terrain_read does.
SILT_API SiltStatus silt_terrain_read_layer(SiltTerrain *terrain, const char *layer, const char *path,
                                            const SiltReadOptions *options);
// The same of a file of any size, whose sides become those of the terrain; with a margin, those of what is
// left of it without: there each side has as much more land as a share of that, which goes on as the file's
// edge is.
SILT_API SiltStatus silt_terrain_fit_layer(SiltTerrain *terrain, const char *layer, const char *path,
                                           const SiltReadOptions *options, double margin);
// The path of FILE@MIN:MAX and what stands behind it, NaN where nothing does or a file has the whole as its
// name. Fails when MIN and MAX are no two different, finite numbers or the path is too long.
SILT_API SiltStatus silt_split_range(const char *word, char path[SILT_PATH_SIZE], double range[2]);
// A raster or, by its ending, a mesh of the surface. Refuses a layer with values that are not finite.
SILT_API SiltStatus silt_terrain_write(const SiltTerrain *terrain, const char *path,
                                       const SiltWriteOptions *options);

// What silt_terrain_write would refuse for the sake of the path's ending and the options alone: an ending of
// no format, a range whose ends are the wrong way round, bits, tiles or a packing that the format has not.
// For those who want to know it before the work.
SILT_API SiltStatus silt_write_check(const char *path, const SiltWriteOptions *options);
// The same, and whether there is a place that takes the file. It writes nothing that stays.
SILT_API SiltStatus silt_terrain_write_check(const char *path, const SiltWriteOptions *options);

// Every layer: into a folder (made if need be) as LAYER.ENDING, or into one .exr with a channel each. The
// layer "change" is called "net_change" in files, so that a file read back is not added to its heights again.
SILT_API SiltStatus silt_terrain_write_maps(const SiltTerrain *terrain, const char *path, const char *ending,
                                            const SiltWriteOptions *options);

// What that would refuse for the sake of the path alone: a name that ends as a file of another format does.
SILT_API SiltStatus silt_maps_check(const char *path);

// ---- for engines ----

enum { SILT_FOR_NONE, SILT_FOR_UNREAL, SILT_FOR_UNITY, SILT_FOR_GODOT, SILT_FOR_BLENDER };

// Fill it with silt_params_init(&silt_tile_params, &options).
typedef struct SiltTileOptions {
    double tiles[2]; // columns and rows of files
    int overlap;     // cells that neighbouring files share
    int engine;      // SILT_FOR_...: picks size, format, side up and range
} SiltTileOptions;
SILT_API extern const SiltParamTable silt_tile_params;

// The layer in several files of one range, NAME_x0_y0.ENDING and on from the north-western corner, and
// NAME.json that says where each lies. Cells that two files share are the same to the last bit. For an engine
// the terrain is brought to a size it takes first; `path` may then have no ending, and one file has no
// _x0_y0. `said` takes the values to type in there, or "", for a person; it may be NULL, and the caller frees
// it. Each file is whole or not there; the JSON comes last. Tiles that an earlier JSON of that name lists and
// the new set has not are removed.
SILT_API SiltStatus silt_terrain_write_tiles(const SiltTerrain *terrain, const char *path,
                                             const SiltTileOptions *tiles, const SiltWriteOptions *options,
                                             char **said);
// What the NAME.json says that lies beside tiles of this path; the caller frees it.
SILT_API SiltStatus silt_tiles_json(const char *path, char **out);
// The cells, west to east and north to south, of all these files together: what lies beside them, like masks,
// fits them in this size.
SILT_API SiltStatus silt_tiles_size(const SiltTerrain *terrain, const char *path,
                                    const SiltTileOptions *tiles, const SiltWriteOptions *options,
                                    int size[2]);
// What that would refuse for the sake of the path and the options alone, and a NAME.json that is no JSON of
// tiles.
SILT_API SiltStatus silt_tiles_check(const char *path, const SiltTileOptions *tiles,
                                     const SiltWriteOptions *options);
// Whether this file is one of those that would be written: a tile, the header of one, or the JSON; or one of
// an earlier cut under this name, which would be removed.
SILT_API bool silt_tiles_writes(const char *path, const SiltTileOptions *tiles,
                                const SiltWriteOptions *options, const char *file);

// The formats this build knows.
typedef struct SiltFormatInfo {
    const char *name;    // "GeoTIFF"
    const char *endings; // "tif tiff"
    bool reads, writes;  // false when the library for it was missing at build time
    const char *package; // the Debian package that brings it, or "" when built in
    bool is_mesh;
} SiltFormatInfo;
SILT_API int silt_format_count(void);
SILT_API SiltFormatInfo silt_format_at(int index);

// ---- meshes ----

// In metres. STL and 3MF count in millimetres: one is scale / 1000 m, by the options, or as the file records
// it, else 1000. NULL options mean the defaults.
SILT_API SiltStatus silt_mesh_read(const char *path, SiltMesh *out);
SILT_API SiltStatus silt_mesh_read_as(const char *path, const SiltReadOptions *options, SiltMesh *out);
SILT_API SiltStatus silt_mesh_write(const SiltMesh *mesh, const char *path);
SILT_API SiltStatus silt_mesh_write_as(const SiltMesh *mesh, const char *path,
                                       const SiltWriteOptions *options);
// Whether the ending of `path` is a mesh format's.
SILT_API bool silt_path_is_mesh(const char *path);
// Whether it is that of one that holds a colour for each vertex: .glb.
SILT_API bool silt_path_has_colours(const char *path);

// ---- particles ----

// Particles by the ending of `path`: .ply (binary) or .vtp (VTK, opens in ParaView), with position, velocity,
// density, sediment and id. They lie where silt_mesh_from_terrain puts the surface of their terrain.
SILT_API SiltStatus silt_particles_write(const SiltParticles *particles, const char *path);
// What such a file holds; of other PLY files the vertices, at rest where they have no velocity. Particles
// that are no finite numbers are left out, with a warning that says how many. The caller destroys them.
SILT_API SiltStatus silt_particles_read(const char *path, SiltParticles **out);
// Whether the file is one of particles: .vtp, or .ply without faces.
SILT_API bool silt_path_is_particles(const char *path);

// ---- any file ----

// Makes every folder above the last '/' of `path`: "maps/" makes maps itself.
SILT_API SiltStatus silt_make_folders(const char *path);

// The whole of `data` as a file.
SILT_API SiltStatus silt_write_file(const char *path, const void *data, size_t bytes);

// Whether there is a place that takes such a file, or files in such a folder. They make nothing.
SILT_API SiltStatus silt_file_check(const char *path);
SILT_API SiltStatus silt_folder_check(const char *path);
// Whether both lead to one file or folder, be it there yet or not; of devices and pipes it is never said.
SILT_API bool silt_path_same(const char *a, const char *b);
// Whether a path, be it there yet or not, leads to this folder or to somewhere below it, links followed.
SILT_API bool silt_path_is_below(const char *path, const char *folder);
// Whether a file, be it there yet or not, lies in the folder itself, or is what a link there leads to; `name`
// is then what it is called there.
SILT_API bool silt_path_lies_in(const char *file, const char *folder, char name[SILT_PATH_SIZE]);

// From here on nothing that this process writes takes the place of this file or of what is read with it (the
// header beside samples), under whatever name it is written: silt_file_check refuses it, and so does whatever
// would write it. For programs whose users name files to read and files to write. What is no file is left
// alone.
SILT_API SiltStatus silt_inputs_hold(const char *path);
// Forgets all of them.
SILT_API void silt_inputs_release(void);
// Files that are read and written with one of this name, one after the other, be they there or not; false
// behind the last. The first is written too, the second is looked for where the first is missing.
SILT_API bool silt_path_beside(const char *path, int index, char out[SILT_PATH_SIZE]);

// Somebody wants the program to end: nobody waits for a pipe to be read any more, and what goes there fails.
// It may be called from a signal handler.
SILT_API void silt_output_hurry(bool hurry);

// Removes every temporary that is open now, of any thread. Only for a process about to die: it may be called
// from a signal handler, and what was being written fails afterwards.
SILT_API void silt_output_remove_temporaries(void);

#ifdef __cplusplus
}
#endif
#endif
