// What a file format is to the rest of Silt: one entry in the table of format.c, one file beside it.
#ifndef SILT_IO_FORMAT_H
#define SILT_IO_FORMAT_H

#include "io/output.h"
#include "silt/io.h"

typedef struct SiltFormat {
    const char *name;
    const char *endings; // "tif tiff"
    const char *package; // what brings it when it is missing, or ""
    // Whether the first bytes of a file are this format's; NULL when only the ending tells.
    bool (*recognise)(const unsigned char *head, size_t bytes);
    // NULL when this build lacks the library, or the format is one of meshes.
    SiltStatus (*read)(const char *path, const SiltReadOptions *options, SiltTerrain **out);
    // Writes to output->file; format.c begins and ends the output. `terrain` is settled.
    SiltStatus (*write)(const SiltTerrain *terrain, const SiltWriteOptions *options, SiltOutput *output);
    SiltStatus (*read_mesh)(const char *path, SiltMesh *out);
    // `mesh->scale` is 1 to how many the millimetres of a format that has them are to be, or were.
    SiltStatus (*write_mesh)(const SiltMesh *mesh, SiltOutput *output);
    bool in_millimetres;
    bool has_colours; // of vertices: meshes of terrains and volumes are given them
    // What it can do of SiltWriteOptions beyond the defaults, which every format takes: masks of
    // SILT_BITS_... and SILT_COMPRESS_..., and whether it has tiles. Skirts are for meshes.
    unsigned bits, compressions;
    bool has_tiles;
    // What else the options may get wrong; NULL when there is nothing.
    SiltStatus (*check)(const char *path, const SiltWriteOptions *options);
} SiltFormat;
#define SILT_CAN(choice) (1u << (choice))

extern const SiltFormat silt_format_png, silt_format_tiff, silt_format_exr, silt_format_raw, silt_format_asc,
    silt_format_npy, silt_format_pgm, silt_format_siltvol, silt_format_obj, silt_format_ply, silt_format_glb,
    silt_format_stl, silt_format_3mf;

// What silt_terrain_read would refuse for the sake of the options alone, in a sentence that begins with
// `owner`.
SiltStatus silt_read_check(const char *owner, const SiltReadOptions *options);

// ---- what readers share (raster.c) ----

// A terrain for a file that claims this size: refuses absurd sizes and what memory cannot hold before
// allocating, in a sentence that begins with the path.
SiltStatus silt_raster_create(const char *path, int64_t width, int64_t height, double cell,
                              SiltTerrain **out);

// Refuses a file too short for the cells it claims: `raw_bytes` of samples, of which packing may save all but
// one in `ratio`. Call it before silt_raster_create, so that a few bytes cannot ask for many gigabytes.
SiltStatus silt_raster_check_length(const char *path, double raw_bytes, double ratio, int64_t file_bytes);

// Marks cells whose height is NaN, infinite or equal to one of the nodata values (terrain->nodata_value and
// options->nodata) and sets them to zero; in other layers what is not finite becomes zero. Fails when no cell
// has data. Call it once the heights are in.
SiltStatus silt_raster_finish(const char *path, const SiltReadOptions *options, SiltTerrain *terrain);

// The metres of sample value 0 and of the largest sample value: what the file recorded (has_recorded), then
// the options, else 0 to 1000 with a warning; of a layer 0 to 1.
typedef struct SiltHeightRange {
    double low, high;
} SiltHeightRange;
SiltHeightRange silt_raster_range(const char *path, const SiltReadOptions *options, bool has_recorded,
                                  SiltHeightRange recorded);
// Says that 256 levels make terraces, where they are heights.
void silt_raster_warn_of_steps(const char *path, const SiltReadOptions *options, int bits, int64_t levels);
// Options first, then the file's (0: none), else 1 m with a warning.
double silt_raster_cell(const char *path, const SiltReadOptions *options, double recorded);

// ---- what writers share (raster.c) ----

// The layer options->layer of a terrain, or a failure that names the layers there are.
SiltStatus silt_raster_layer(const char *path, const SiltTerrain *terrain, const SiltWriteOptions *options,
                             const SiltLayer **out);
// The range an integer format maps to 0 .. its largest value: options first (with a warning of cells that lie
// outside), else the layer's own. Low < high always.
SiltHeightRange silt_raster_write_range(const char *path, const SiltTerrain *terrain, const SiltLayer *layer,
                                        const SiltWriteOptions *options);
// One value as an integer sample between 0 and `largest`, rounded.
unsigned silt_raster_quantise(double value, SiltHeightRange range, unsigned largest);

// A number to mark cells without data in a layer's file: the terrain's own where no height has it, else
// -9999, else the lowest float.
double silt_raster_nodata(const SiltTerrain *terrain, const SiltLayer *layer);

// Writes all cells, row after row: pack(context, j, begin, end, to) writes cells [begin, end) of row j, at
// most `limit` bytes a cell, and returns the bytes. In parallel.
typedef size_t (*SiltPackRunFn)(const void *context, int j, int begin, int end, char *to);
SiltStatus silt_raster_pack(const SiltTerrain *terrain, SiltOutput *output, size_t limit, SiltPackRunFn pack,
                            const void *context);

// The value that marks cells without data in a float format: the input's own, else -9999; NaN when neither
// the input named one nor a cell needs it.
float silt_raster_write_nodata(const SiltTerrain *terrain);
// `count` cells of row j from column i as floats, with `nodata` (if not NaN) where there is no data. A height
// that happens to be that value moves by the least a float can.
void silt_raster_float_row(const SiltTerrain *terrain, const SiltLayer *layer, int i, int j, int count,
                           float nodata, float *out);

#endif
