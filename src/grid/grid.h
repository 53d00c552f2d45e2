// The frame of grid models: runs a table of phases over the rows of a grid.
//
// A model is a table: what each phase reads and writes, how far it looks, and three functions that work on
// one row. Who runs the table, in which order and on how many threads is none of its business, and makes no
// difference to the bytes.
//
// A pass goes over bands of rows. Each band has copies of the rows around its own, which it may spoil, and
// rings of rows for what phases hand on. When row r comes in, every phase works on row r - behind; all phases
// go over their rows together, a stretch of columns at a time, so that what one leaves the next still finds
// in the nearest cache. Several steps go down the band behind one another in one pass over memory. State
// fields are changed in place.
//
// A plain grid runs phase after phase over all rows instead, as a device does: tests hold both against each
// other. A grid that is made while a run has a device (silt_device_current) keeps its fields there, and its
// phases are kernels written from the same table and the same row code (rows.h says what that must keep to).
#ifndef SILT_GRID_GRID_H
#define SILT_GRID_GRID_H

#include <stddef.h>
#include <string.h>

#include "grid/region.h"

typedef struct SiltGrid SiltGrid;
typedef struct SiltBand SiltBand;

// Columns that a phase works on. What it adds to the books counts only where the cells are the region's own.
typedef struct SiltSpan {
    int begin, end;
    int counts; // 0 or 1
} SiltSpan;

// Spans are handed over in registers, two columns in one. Compilers write the columns one by one and read
// them at once, and the reader waits until both have come to rest; here they are put together beforehand.
static inline SiltSpan silt_span(int begin, int end, bool counts)
{
    SiltSpan span = {begin, end, counts};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t columns = (uint64_t)(uint32_t)end << 32 | (uint32_t)begin;
    memcpy(&span, &columns, sizeof columns);
#endif
    return span;
}

typedef struct SiltPhase {
    const char *name;
    // Names of fields, with spaces between them; `flux` names flux_east as well. It reads rows and columns
    // around its own as far as it looks, or `flux:0` its own cell alone, `flux:1` one around it, `flux:c` its
    // own row, `flux:n` and `flux:s` that and the one north or south of it; it writes `flux!` whatever was
    // there before.
    const char *reads, *writes;
    int looks;
    int behind;         // rows it stays behind the newest
    int columns_behind; // and columns, in units of SILT_GRID_COLUMNS
    size_t job_size;    // bytes of what `begin` fills and `cells` reads
    // Gathers rows and constants; false: the row has nothing to do.
    bool (*begin)(const SiltBand *band, int row, void *job);
    // Loads, calls physics/, stores. Spans of a row come one after the other, from the west.
    void (*cells)(void *job, SiltSpan span);
    // What the row adds to the books, into the band's tally; NULL: nothing.
    void (*end)(const SiltBand *band, int row, void *job);
    // For devices: the names of these in the row code, and which members of the tally `end` adds to.
    const char *job_type, *begin_name, *cells_name, *end_name, *adds;
    bool (*skips)(const void *step); // whether the step does without the phase; NULL: none does
} SiltPhase;

// `job_size` to `skips` of a phase; of one whose job another file knows, with the bytes that suffice for it.
#define SILT_ROW_CODE_OF(size, Job, begin, cells, end, adds)                                                 \
    size, begin, cells, end, #Job, #begin, #cells, #end, adds, NULL
#define SILT_ROW_CODE(Job, begin, cells, end, adds)                                                          \
    sizeof(Job), begin, cells, end, #Job, #begin, #cells, #end, adds, NULL

enum { SILT_GRID_COLUMNS = 16, SILT_GRID_PAD = 16, SILT_GRID_FIELDS = 64, SILT_GRID_PHASES = 16 };
enum { SILT_NOT_AHEAD = -100 };

// A field of cells of four bytes.
typedef struct SiltGridField {
    const char *name;
    SiltField *state; // NULL: rows in flight, which phases hand on
    int rows; // of those: how many are in flight, a power of two; 1: a buffer for one row. Of state: how many
              // a step works on at a time, from `newest` back to the last that it changes
    bool sums;  // state that steps only add to, each cell to its own: rows beyond the band's own go nowhere
    int ahead;  // state: the row first needed in the next round, from the newest; SILT_NOT_AHEAD: do not ask
    int newest; // state, and what the processor brings: the first row that a round looks at, from the newest
    bool at_ends; // phases look at it in the outermost cells of the grid alone
} SiltGridField;

// What a device needs beside the row code.
typedef struct SiltTallyMember {
    const char *name;
    size_t offset;
    bool most; // the greatest int32_t, not below zero; else a sum of int64_t
} SiltTallyMember;
#define SILT_TALLY_SUM(T, member)                                                                            \
    {                                                                                                        \
#member, offsetof(T, member), false                                                                  \
    }
#define SILT_TALLY_MOST(T, member)                                                                           \
    {                                                                                                        \
#member, offsetof(T, member), true                                                                   \
    }

// A member of the step that seldom changes: row code reads it by SILT_SET, and a program may be compiled for
// its value.
typedef struct SiltGridSetting {
    size_t offset, bytes;
} SiltGridSetting;
#define SILT_GRID_SETTING(T, member)                                                                         \
    {                                                                                                        \
        offsetof(T, member), sizeof((T){0}.member)                                                           \
    }

// Where a field lies that a device makes itself.
typedef struct SiltGridThere {
    struct SiltDevice *device;
    struct SiltBuffer *out;
    int width, height;
    int pitch;      // bytes from row to row
    int64_t origin; // bytes to the cell (0, 0)
} SiltGridThere;

typedef struct SiltGridProgram SiltGridProgram;
struct SiltGridProgram {
    const char *files; // of row code, below src/, with spaces between them
    const char *step_type, *tally_type;
    size_t step_bytes;
    const SiltGridSetting *settings;
    int setting_count;
    const SiltTallyMember *members;
    int member_count;
    // fields that are layers of the terrain, brought when they may have changed; NULL: there is none
    const int *layers;
    int layer_count;
    const SiltField *(*layer)(const void *step, int field);
    bool (*needs_double)(const void *step); // whether it counts in double precision; NULL: never
    // Fields that the processor makes: a number that is another when the step has them other than the last,
    // and 0 where it needs none; and a row. Beforehand it gets back the fields of the state that this takes;
    // NULL: none.
    const int *made;
    int made_count;
    uint64_t (*version)(const SiltGridProgram *program, const void *step, int field);
    const char *(*make_reads)(const SiltGridProgram *program, const void *step);
    // both of a row's width
    void (*make)(const SiltGridProgram *program, const void *step, int field, int row, float *out,
                 float *scratch);
    // Makes such a field on the device itself, where it can; NULL: never.
    SiltStatus (*make_there)(const SiltGridProgram *program, const void *step, int field,
                             const SiltGridThere *there, bool *made);
    const void *maker; // what these four know of this program, where they serve several
};

typedef struct SiltGridTable {
    const char *owner; // "erode pipes"
    const SiltPhase *phases;
    int phase_count;
    const SiltGridField *fields;
    int field_count;
    int halo;     // rows beyond those a step brings to their end that it looks at
    int steps;    // in one pass at the most
    size_t tally; // bytes of what a band adds to the books in a step; zeroed before
    bool plain;   // phase after phase
    bool exact;   // phases name all fields that they touch
    // Before the first row of a band comes in; NULL: nothing.
    void (*start)(const SiltBand *band, int row);
    // Whether a step needs the field at all, so that it is asked for ahead; NULL: all do.
    bool (*needs)(const void *step, int field);
    const SiltGridProgram *program; // for devices; NULL: it works on the processor alone
    const char *defines;            // what does not change while the grid is there: "-D EIGHT=1"; or NULL
} SiltGridTable;

typedef struct SiltBandField {
    char *own;     // row 0 of the grid; NULL: rows in flight
    char *others;  // copies of the rows around the band's own, or the ring
    size_t stride; // bytes from row to row
    int mask;      // rows of the ring less one; -1: copies
} SiltBandField;

// What a phase sees: a band of rows in one step.
struct SiltBand {
    const SiltGrid *grid;
    const void *step; // the model's constants of this step
    void *tally;
    int width, height; // of the grid
    int begin, end;    // the band's own rows
    int first, last;   // the rows that this step brings to their end: with those that the next one looks at
    int deep;          // rows of copies
    bool in_order;     // a phase may use what it left in the row before: rows come one after the other
    int counted_begin, counted_end; // its own rows that are the region's own
    uint32_t *marks;
    int marks_mask;
    SiltBandField fields[SILT_GRID_FIELDS];
};

// A row of a field as the band sees it. Rows in flight have SILT_GRID_PAD cells before and behind.
static inline void *silt_band_row(const SiltBand *band, int field, int row)
{
    const SiltBandField *f = &band->fields[field];
    if (f->own && row >= band->begin && row < band->end)
        return f->own + (size_t)row * f->stride;
    if (f->mask >= 0)
        return f->others + (size_t)(row & f->mask) * f->stride;
    int k = row < band->begin ? row - band->begin + band->deep : row - band->end + band->deep;
    return f->others + (size_t)k * f->stride;
}

// The same for rows in flight, of which there are copies nowhere.
static inline void *silt_band_ring(const SiltBand *band, int field, int row)
{
    const SiltBandField *f = &band->fields[field];
    return f->others + (size_t)(row & f->mask) * f->stride;
}

// A word for each row in flight, to note what a whole row is like.
static inline uint32_t *silt_band_mark(const SiltBand *band, int row)
{
    return &band->marks[row & band->marks_mask];
}

static inline bool silt_band_on_grid(const SiltBand *band, int row)
{
    return row >= 0 && row < band->height;
}

// Whether it is the first or the last of the grid, or beyond these.
static inline bool silt_band_is_outer(const SiltBand *band, int row)
{
    return row <= 0 || row >= band->height - 1;
}

// Whether the row's numbers count: each row does in one band only.
static inline bool silt_band_counts(const SiltBand *band, int row)
{
    return row >= band->counted_begin && row < band->counted_end;
}

// Whether the step brings the row to its end.
static inline bool silt_band_finishes(const SiltBand *band, int row)
{
    return row >= band->first && row < band->last && silt_band_on_grid(band, row);
}

// The table and its fields are copied, the phases are not. The grid is made for the threads there are now;
// results do not depend on them.
SiltStatus silt_grid_create(const SiltGridTable *table, const SiltTerrain *terrain, SiltGrid **out);
void silt_grid_destroy(SiltGrid *grid);
extern bool silt_grid_make_plain; // tests: all grids made from now on are plain

// Steps that one pass can do: as the table says, or fewer where the halo of a region is too narrow for them.
int silt_grid_steps(const SiltGrid *grid);
// `count` steps in one pass: steps[n] is what phases find as band->step in the n-th.
void silt_grid_pass(SiltGrid *grid, const void *const *steps, int count);

// What the last pass added to the books in step n: the tallies of all bands one after the other.
int silt_grid_band_count(const SiltGrid *grid);
const void *silt_grid_tally(const SiltGrid *grid, int step, int band);
const SiltRegion *silt_grid_region(const SiltGrid *grid);

// ---- where the fields lie on a device; without one these do nothing ----

// The fields of the state of these names (with spaces between; NULL: all), and of rows first to first +
// count, are in the processor's memory as they are now.
SiltStatus silt_grid_fetch(SiltGrid *grid, const char *names, int first, int count);
// The processor has changed these rows of the state, which it had fetched.
SiltStatus silt_grid_push(SiltGrid *grid, int first, int count);
// Layers or parameters may have changed.
void silt_grid_renew(SiltGrid *grid);

// Some cells of the state: where they lie is said once, and then they are fetched as often as needed. The
// places must stay, and each of them stands there once.
typedef struct SiltGridPlace {
    int32_t field, i, j;
} SiltGridPlace;
bool silt_grid_is_on_device(const SiltGrid *grid);
SiltStatus silt_grid_watch(SiltGrid *grid, const SiltGridPlace *places, int count);
SiltStatus silt_grid_look(SiltGrid *grid);

// Where a field of the state lies on a device as it is now: what the processor has changed has gone over.
// Fails where there is none of that name, or no device.
SiltStatus silt_grid_there(SiltGrid *grid, const char *name, SiltGridThere *out);

// Bytes that a grid takes beside the fields of the state.
double silt_grid_bytes(const SiltGridTable *table, int width, int height);

#endif
