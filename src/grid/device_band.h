// What row code stands on where OpenCL compilers read it: the band of one column, in the whole fields that
// lie in a device's memory. grid.h and rows.h have the same words for the processor.
#ifndef SILT_GRID_DEVICE_BAND_H
#define SILT_GRID_DEVICE_BAND_H

#include "physics/eight.h"
#include "physics/silt_fn.h"

#ifdef SILT_HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double SiltDouble;
#else
typedef ulong SiltDouble; // nobody reads it
#endif
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT32_MAX  0x7FFFFFFF
#define UINT32_MAX 0xFFFFFFFFu
#ifndef NULL
#define NULL 0
#endif
#define SILT_CLONES
#define SILT_INLINE static inline
#ifdef __NV_CL_C_VERSION // whose compiler makes four times as much of a loop over one column
#define SILT_INDEPENDENT _Pragma("unroll 1")
#else
#define SILT_INDEPENDENT
#endif

enum { SILT_GRID_FIELDS = 64 };

typedef struct SiltSpan {
    int begin, end;
    int counts;
} SiltSpan;

static inline SiltSpan silt_span(int begin, int end, bool counts)
{
    SiltSpan span = {begin, end, counts};
    return span;
}

typedef struct SiltRegion {
    int map_width, map_height;
    int i, j;
    int west, east, north, south;
} SiltRegion;

// As src/grid/device_grid.c fills it.
typedef struct SiltGridShape {
    int width, height;
    int pitch;  // bytes from row to row of any field
    int groups; // of all launches of a phase
    int ring;   // rows that are kept of those in flight, less one: phase after phase
    int unused;
    long origin; // bytes to the cell (0, 0)
    SiltRegion region;
} SiltGridShape;

#ifdef SILT_TILES
// Where the rows of rings lie that a round works on, in bytes: rings of as many rows lie alike.
typedef struct SiltPlaces {
    int round;  // the newest row
    int column; // of rings of one row: where the column lies in it
    // of others: that of the newest row, of the one that will be newest in the next round ...
    int two[2], three[3], four[4], five[5];
} SiltPlaces;
#else
typedef long SiltPlace;
#endif

typedef struct SiltBand {
    SILT_STEP const SILT_STEP_TYPE *step;
    SILT_TALLY_TYPE *tally;
    int width, height;
    int begin, end, first, last;
    int counted_begin, counted_end;
    int column, pitch;
    int west;       // columns of the grid before the first
    bool in_order;  // rows do not come one after the other
    bool inside;    // all rows that come are on the grid, and none of them is its first or last
    uint32_t marks; // of any row
    SiltRegion region;
    SILT_GLOBAL char *fields[SILT_GRID_FIELDS];
    int masks[SILT_GRID_FIELDS]; // of rows in flight: how many there are less one; -1: all rows
#ifdef SILT_TILES
    SiltPlaces places;
#endif
} SiltBand;

#ifdef SILT_TILES
// Which row a phase asks for is known but for the newest one, so this is one of the places that a round has.
static inline SILT_GLOBAL void *silt_band_row(const SiltBand *band, int field, int row)
{
    const SiltPlaces *at = &band->places;
    int mask = band->masks[field], k = (int)((uint)(row - at->round + 60) % (uint)(mask + 1));
    int place = mask == 0   ? at->column
                : mask == 1 ? (k == 0 ? at->two[0] : at->two[1])
                : mask == 2 ? (k == 0   ? at->three[0]
                               : k == 1 ? at->three[1]
                                        : at->three[2])
                : mask == 3
                    ? (k < 2 ? (k == 0 ? at->four[0] : at->four[1]) : (k == 2 ? at->four[2] : at->four[3]))
                : mask == 4 ? (k < 2 ? (k == 0 ? at->five[0] : at->five[1])
                                     : (k == 2   ? at->five[2]
                                        : k == 3 ? at->five[3]
                                                 : at->five[4]))
                            : at->column + (row & mask) * band->pitch;
    return (SILT_GLOBAL void *)(band->fields[field] + place);
}
#else
static inline SILT_GLOBAL void *silt_band_row(const SiltBand *band, int field, int row)
{
    return (SILT_GLOBAL void *)(band->fields[field] + (SiltPlace)(row & band->masks[field]) * band->pitch);
}
#endif

static inline SILT_GLOBAL void *silt_band_ring(const SiltBand *band, int field, int row)
{
    return silt_band_row(band, field, row);
}

// Nothing is noted of whole rows: all that a mark below SILT_MARKS_ASSUMED can say is taken to be so.
enum { SILT_MARKS_ASSUMED = 8 };
static inline uint32_t *silt_band_mark(const SiltBand *band, int row)
{
    uint32_t *marks = (uint32_t *)&band->marks;
    *marks = SILT_MARKS_ASSUMED - 1;
    return marks;
}

static inline bool silt_band_on_grid(const SiltBand *band, int row)
{
    return band->inside || (row >= 0 && row < band->height);
}

// Whether the row is the first or the last of the grid, or beyond these.
static inline bool silt_band_is_outer(const SiltBand *band, int row)
{
    return !band->inside && (row <= 0 || row >= band->height - 1);
}

static inline bool silt_band_counts(const SiltBand *band, int row)
{
    return row >= band->counted_begin && row < band->counted_end;
}

static inline bool silt_band_finishes(const SiltBand *band, int row)
{
    return silt_band_on_grid(band, row);
}

static inline int silt_band_from(const SiltBand *band)
{
    return band->column;
}

static inline int silt_band_to(const SiltBand *band)
{
    return band->column + 1;
}

static inline SiltRegion silt_band_region(const SiltBand *band)
{
    return band->region;
}

static inline SiltBand silt_device_band(SiltGridShape shape, SILT_STEP const SILT_STEP_TYPE *step,
                                        SILT_TALLY_TYPE *tally)
{
    SiltBand band;
    band.step = step;
    band.tally = tally;
    band.width = shape.width;
    band.height = shape.height;
    band.begin = band.first = 0;
    band.end = band.last = shape.height;
    band.counted_begin = shape.region.north;
    band.counted_end = shape.height - shape.region.south;
    band.column = get_global_id(0);
    band.west = 0;
    band.in_order = false;
    band.inside = false;
    band.pitch = shape.pitch;
    band.region = shape.region;
    return band;
}

// ---- what a group adds to the books ----

enum { SILT_GROUP = 128, SILT_GROUP_LANES = 16 };

// `scratch` has what each item added to each of some members; bit m of `maxima` says that member m is the
// greatest, not the sum. The group's own go to out[m * stride].
static inline void silt_group_fold(__local long *scratch, __local long *part, int members, int maxima,
                                   __global long *out, long stride)
{
    int item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int at = item; at < members * SILT_GROUP_LANES; at += SILT_GROUP) {
        int m = at / SILT_GROUP_LANES, lane = at % SILT_GROUP_LANES;
        long all = 0;
        for (int k = lane; k < SILT_GROUP; k += SILT_GROUP_LANES) {
            long value = scratch[m * SILT_GROUP + k];
            all = maxima >> m & 1 ? (value > all ? value : all) : all + value;
        }
        part[at] = all;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < members) {
        long all = 0;
        for (int k = 0; k < SILT_GROUP_LANES; k++) {
            long value = part[item * SILT_GROUP_LANES + k];
            all = maxima >> item & 1 ? (value > all ? value : all) : all + value;
        }
        out[item * stride] = all;
    }
}

#endif
