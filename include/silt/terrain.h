// silt/terrain.h — fields, terrains, and what can be measured on them.
//
// A field is one 2-D array of float32. A terrain is a set of named fields of one size (layers), with the size
// of a cell in metres, its place on the map and a mask of cells without data. Column i runs east, row j runs
// south: row 0 is the northern edge, as in a picture.
//
// Small changes must not drown. A float32 height of 2,000 m has steps of 0.1 mm, and a millimetre of wear
// spread over a thousand time steps is less than one of them. So a model leaves the layer "height" as it was
// and keeps what has changed since in the layer "change", where numbers are small and steps are fine. The
// height of the ground is height + change; silt_terrain_settle adds the two, and so does everything that
// writes, draws or measures a terrain.
#ifndef SILT_TERRAIN_H
#define SILT_TERRAIN_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- fields ----

typedef struct SiltField {
    int width, height; // columns and rows
    size_t stride;     // floats from one row to the next; rows begin on a cache line
    float *data;
} SiltField;

enum { SILT_MAX_SIDE = 1 << 20 }; // columns or rows at the most

static inline float *silt_field_row(const SiltField *field, int j)
{
    return field->data + (size_t)j * field->stride;
}

static inline float silt_field_at(const SiltField *field, int i, int j)
{
    return field->data[(size_t)j * field->stride + (size_t)i];
}

// All zero. `out` must not hold a field already.
SILT_API SiltStatus silt_field_create(int width, int height, SiltField *out);
SILT_API void silt_field_destroy(SiltField *field);
// Bytes that silt_field_create(width, height) will take.
SILT_API uint64_t silt_field_bytes(int width, int height);
SILT_API void silt_field_fill(SiltField *field, float value);
// Both of the same size.
SILT_API void silt_field_copy(const SiltField *from, SiltField *to);
// In double, in fixed blocks: the same on any number of threads.
SILT_API double silt_field_sum(const SiltField *field);
// 64 bits from the size and the bits of every cell.
SILT_API uint64_t silt_field_hash(const SiltField *field);

typedef struct SiltFieldStatistics {
    double minimum, maximum, mean, deviation; // of the cells that have data and are finite
    uint64_t cell_count;                      // those cells
    uint64_t nodata_count;
    uint64_t bad_count; // NaN or infinite
} SiltFieldStatistics;

// `nodata` is a mask as in SiltTerrain, or NULL.
SILT_API void silt_field_statistics(const SiltField *field, const uint8_t *nodata, SiltFieldStatistics *out);
// Exact percentiles (0 to 100) of the cells with data: the value at rank floor(percent / 100 * (count - 1)).
SILT_API SiltStatus silt_field_percentiles(const SiltField *field, const uint8_t *nodata,
                                           const double *percents, int count, double *out);
// Counts of cells in `bins` equal classes between `low` and `high`; the last class includes `high`.
SILT_API void silt_field_histogram(const SiltField *field, const uint8_t *nodata, double low, double high,
                                   int bins, uint64_t *out);

// ---- arithmetic on fields ----

// All fields of one call have the same size; `out` may be one of the others unless said otherwise.
SILT_API void silt_field_scale(SiltField *field, float factor, float offset); // x * factor + offset
SILT_API void silt_field_clamp(SiltField *field, float low, float high);
SILT_API void silt_field_add(const SiltField *a, const SiltField *b, SiltField *out);
SILT_API void silt_field_multiply(const SiltField *a, const SiltField *b, SiltField *out);
SILT_API void silt_field_minimum(const SiltField *a, const SiltField *b, SiltField *out);
SILT_API void silt_field_maximum(const SiltField *a, const SiltField *b, SiltField *out);
// (1 - w) a + w b with w = amount times the mask (1 where the mask is NULL): w = 0 gives a, w = 1 gives b.
SILT_API void silt_field_blend(const SiltField *a, const SiltField *b, const SiltField *mask, float amount,
                               SiltField *out);
// Brings the lowest cell with data to `low` and the highest to `high`; a flat field becomes `low`.
SILT_API void silt_field_normalise(SiltField *field, const uint8_t *nodata, float low, float high);
// A bell-shaped blur whose standard deviation is `radius_cells`. The sum over the field stays.
SILT_API SiltStatus silt_field_blur(SiltField *field, double radius_cells);
// Rise over run by central differences. `out` must be another field.
SILT_API void silt_field_slope(const SiltField *height, double cell, SiltField *out);

// ---- terrains ----

typedef struct SiltLayer {
    char name[SILT_NAME_SIZE];
    char unit[SILT_NAME_SIZE];
    SiltField field;
} SiltLayer;

// Where a terrain lies on the map. The GeoTIFF keys are kept as they were read and written back unchanged.
typedef struct SiltGeoreference {
    bool placed; // whether x, y and the steps are known
    double x, y; // map coordinates of the outer corner of cell (0, 0)
    double step_x,
        step_y;     // map units from one column or row to the next; step_y is negative when rows run south
    char crs[64];   // "EPSG:32611", or what the file calls it, or ""
    uint16_t *keys; // GeoKeyDirectory
    int key_count;
    double *doubles; // GeoDoubleParams
    int double_count;
    char *ascii; // GeoAsciiParams
} SiltGeoreference;

// Cells i to i + width, j to j + height.
typedef struct SiltRect {
    int i, j, width, height;
} SiltRect;

// ---- regions of a map ----

typedef enum SiltFold { SILT_FOLD_SUM, SILT_FOLD_MOST } SiltFold;

// Who has the rest of a map that is cut into regions: other threads, other machines. Both calls are made by
// all regions, in the same order, and return when all have made them.
typedef struct SiltPeers {
    void *user;
    // Fills the halo of each field with what its owners have there.
    void (*exchange)(void *user, SiltField *const *fields, int count);
    // Each value becomes the sum, or the greatest, of all regions' values.
    void (*fold)(void *user, SiltFold kind, double *values, int count);
} SiltPeers;

// Where a terrain lies on a map that it is only a part of.
typedef struct SiltRegion {
    int map_width, map_height;    // cells of the whole
    int i, j;                     // where the terrain's cell (0, 0) lies on it
    int west, east, north, south; // cells along each side that belong to neighbours; 0 at the map's edge
    const SiltPeers *peers;       // NULL: there are none
} SiltRegion;

enum { SILT_MAX_LAYERS = 64, SILT_MAX_BEDS = 32 };

// Beds of rock from the top down, repeated below the last: the third dimension of the layers `bed` and
// `intrusion`. Models take it where their parameter `strata` names no beds.
typedef struct SiltColumn {
    int count;                       // 0: nothing is known of the rock
    double thickness[SILT_MAX_BEDS]; // m
    double erodibility[SILT_MAX_BEDS];
} SiltColumn;

typedef struct SiltTerrain {
    int width, height;
    double cell; // metres from one cell to the next
    SiltGeoreference geo;
    SiltLayer *layers[SILT_MAX_LAYERS]; // layers[0] is "height"
    int layer_count;
    uint8_t *
        nodata; // width * height, row after row, 1 where there is no data; NULL when there is data everywhere
    double nodata_value;        // what marks such cells in files; NaN when the input named none
    char holds[SILT_NAME_SIZE]; // of a file that says so: the layer that layers[0] is instead, as "drainage"
    SiltColumn column;          // what the rock is made of
    const SiltRegion *region;   // the part of a map that this is, not owned; NULL: all of it
    struct SiltVolume
        *volume; // rock with caves and overhangs whose top the heights are, or NULL; silt/volume.h
    void (*destroy_volume)(struct SiltVolume *volume); // by who gave it
} SiltTerrain;

// A terrain of zero height.
SILT_API SiltStatus silt_terrain_create(int width, int height, double cell, SiltTerrain **out);
SILT_API void silt_terrain_destroy(SiltTerrain *terrain);
// The copy has no volume.
SILT_API SiltStatus silt_terrain_clone(const SiltTerrain *terrain, SiltTerrain **out);

// The layer's field, or NULL when there is none of that name.
SILT_API SiltField *silt_terrain_layer(const SiltTerrain *terrain, const char *name);
// The same, making it (all zero, with its usual unit) when there is none.
SILT_API SiltStatus silt_terrain_require(SiltTerrain *terrain, const char *name, SiltField **out);
SILT_API void silt_terrain_drop(SiltTerrain *terrain, const char *name);
// "m", "m3/s", ... for the names that models share; "" for others.
SILT_API const char *silt_layer_unit(const char *name);
// What it means, in a line without capital and full stop; "" for others.
SILT_API const char *silt_layer_about(const char *name);
// Those names one after the other; NULL behind the last.
SILT_API const char *silt_layer_name_at(int index);

static inline bool silt_terrain_is_nodata(const SiltTerrain *terrain, int i, int j)
{
    return terrain->nodata && terrain->nodata[(size_t)j * (size_t)terrain->width + (size_t)i];
}

// Makes an empty mask if there is none yet.
SILT_API SiltStatus silt_terrain_require_nodata(SiltTerrain *terrain);

// Cells whose ground lies at or below the sea have no data from now on.
SILT_API SiltStatus silt_terrain_drown(SiltTerrain *terrain, double sea_level);

// Adds "change" to "height" and keeps it as "net_change", in place of an older one. Cells without data are
// set to zero height.
SILT_API void silt_terrain_settle(SiltTerrain *terrain);

// New terrains from old: every layer, the mask and the georeference go along. The caller destroys the result.
SILT_API SiltStatus silt_terrain_crop(const SiltTerrain *terrain, int i, int j, int width, int height,
                                      SiltTerrain **out);
// A region of the map: cells (i, j) to (i + width, j + height) and a halo of up to `halo` cells around them.
// `region` is filled and kept by the result, so it must outlive it.
SILT_API SiltStatus silt_terrain_region(const SiltTerrain *terrain, int i, int j, int width, int height,
                                        int halo, SiltRegion *region, SiltTerrain **out);
// Bicubic to more cells, by area to fewer, each axis by itself; the place on the map stays, the cell size
// follows (the geometric mean of the two axes, with a warning, where they differ by more than 1 %). A new
// cell with less than half its weight on old cells with data is nodata. Layers without negative values get
// none.
SILT_API SiltStatus silt_terrain_resample(const SiltTerrain *terrain, int width, int height,
                                          SiltTerrain **out);
// The same on a device (silt/device.h), in the same bytes; NULL: on the processor.
SILT_API SiltStatus silt_terrain_resample_on(struct SiltDevice *device, const SiltTerrain *terrain, int width,
                                             int height, SiltTerrain **out);
SILT_API SiltStatus silt_terrain_flip(const SiltTerrain *terrain, bool left_right, bool top_bottom,
                                      SiltTerrain **out);
// By quarter turns clockwise. A turned or flipped terrain has left its place: the georeference is dropped.
SILT_API SiltStatus silt_terrain_rotate(const SiltTerrain *terrain, int quarter_turns, SiltTerrain **out);

// ---- what covers the ground ----

// In this order where there is a weight for each.
enum { SILT_COVER_SAND, SILT_COVER_GRASS, SILT_COVER_ROCK, SILT_COVER_SNOW, SILT_COVER_COUNT };

#ifdef __cplusplus
}
#endif
#endif
