// What a model is: its tables, and what the frame asks of it. A user of the library sees only its name, its
// words and its parameters (silt/erode.h).
#ifndef SILT_ERODE_MODEL_H
#define SILT_ERODE_MODEL_H

#include "core/pack.h"
#include "silt/erode.h"

// ---- state ----

typedef enum SiltStateType {
    SILT_STATE_FIELD,  // SiltField of float: made before the model begins, freed after it ends
    SILT_STATE_COUNTS, // the same of int32_t: grains
    SILT_STATE_SUMS,   // the same that only grows, and stops at what can be counted
    SILT_STATE_LAZY,   // SiltField of float: made by the model if it needs it, freed after it ends
    SILT_STATE_EXACT,  // double *: one for each cell, made and freed as SILT_STATE_FIELD
    SILT_STATE_DOUBLE, // double
    SILT_STATE_INT64,  // int64_t
    SILT_STATE_INT32,  // int
    SILT_STATE_FLOAT,  // float
    SILT_STATE_BOOL,   // bool
    SILT_STATE_ARRAY,  // SiltStateArray: as long as the model has it be
} SiltStateType;

// An array that the model owns: a look at it between steps, valid until the next one. Who brings a state back
// writes the elements (at most `room`) and their count, and then calls the model's resume.
typedef struct SiltStateArray {
    void *data;
    size_t size; // bytes of an element
    int64_t count, room;
} SiltStateArray;

// One line of the table that declares a model's state. Saving, device uploads and inspection read it.
typedef struct SiltStateItem {
    const char *name;
    SiltStateType type;
    size_t offset; // into the state struct
    const char *unit;
    const char *help;
} SiltStateItem;

#define SILT_STATE(S, field, type_, unit_, help_)                                                            \
    {                                                                                                        \
#field, type_, offsetof(S, field), unit_, help_                                                      \
    }

// ---- what is changed by hand ----

typedef enum SiltEditable {
    SILT_EDIT_GROUND,
    SILT_EDIT_WATER,
    SILT_EDIT_SEDIMENT,
    SILT_EDIT_ICE
} SiltEditable;

// Metres to add to cells (i .. i + count, j). The model adds what it can, and says how much in all.
typedef struct SiltEditRow {
    SiltEditable what;
    int i, j, count;
    const float *metres;
    double added; // out: the sum in metres, of ice in metres of water
    bool trial;   // only says whether it can: nothing changes
    int refused;  // out, of a trial: cells that cannot hold it, the last of them in column refused_i
    int refused_i;
} SiltEditRow;

enum { SILT_FETCH_PARTICLES = -2 };

struct SiltModel {
    const char *name;    // as in `silt erode NAME`
    const char *summary; // one line, no capital, no full stop
    const char *source;  // the paper
    const char *clock;   // unit of its time: "s" or "years"; "" when it only counts steps
    const char *reads;   // layers it begins with besides those its parameters name; NULL: "deposit"
    const char *makes;   // layers it leaves besides "change"; NULL: "wear deposition deposit"
    SiltParamTable params;
    const SiltStateItem *state;
    int state_count;
    size_t state_size;
    const char *const *limiters; // names, at most SILT_MAX_LIMITERS, ended by NULL; or NULL
    double more_bytes;           // memory a cell takes beyond its fields
    bool bends; // a pyramid bends what a coarse level did on its way to the next: rivers wind then
    // Whether a run with these parameters (NULL: the defaults) keeps the sides of the map at their height;
    // NULL: it need not.
    bool (*holds_sides)(const void *params);
    // why its books may be off by more than a hundredth, as it is set, and what keeps them; NULL: they are
    // not
    const char *(*leak)(const void *params);
    int64_t default_steps;
    double step_bytes; // bytes a cell moves to and from memory in one step done in one pass; for `silt bench`
    // The grid whose fields are those of the state, and lie on a device where the run has one; NULL: the
    // model works on the processor alone.
    struct SiltGrid *(*grid)(const void *state);
    // A model whose state lies on a device where the run has one, and is no grid: brings what shows `layer`
    // (SILT_FETCH_PARTICLES: the particles, other numbers below zero: all of it), and takes all back. NULL:
    // see `grid`.
    SiltStatus (*fetch)(void *state, int layer);
    SiltStatus (*push)(void *state);
    // Whether the state lies there, after `begin` that may have left it here; NULL: wherever the run has it.
    bool (*is_there)(const void *state);
    const char *const *layer_fields; // of the state, with spaces between, that each of `layers` is shown from
    // Of a grid whose fields "ground" and the one that "water" is shown from are whole grains: what they
    // count from, so that a device can show both; NULL: it cannot.
    const struct SiltGround *(*base)(const void *state);
    const char *rest_fields; // of the state, that `rest` looks at and changes; NULL: any
    int halo;                // cells around a region of a map that a step looks at; 0: it takes no regions
    const char *const
        *layers; // "change" and those that `show` can make, ended by NULL; NULL: `store` writes all

    // Fields of the state are there and zero. Reads the terrain's layers; opens the ledger (initial).
    SiltStatus (*begin)(void *state, SiltTerrain *terrain, const void *params, const SiltRun *run,
                        SiltLedger *ledger);
    // One step of at most `time_left` (infinite when steps are counted); returns the time it took, or a
    // number below zero where it was stopped within (silt_is_stopped): the next call goes on there.
    // Cannot fail, does not allocate.
    double (*step)(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters);
    // What must be done before a step and may fail or allocate: bricks that come and go. NULL: nothing. Where
    // it is left (SILT_CANCELLED, silt_is_stopped) the state is whole, and the next call goes on there.
    SiltStatus (*tend)(void *state, SiltLedger *ledger);
    // Up to `steps` steps in fewer passes over memory, with the same result as one by one; `taken` says how
    // many. NULL: one by one.
    double (*leap)(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                   SiltCounters *counters);
    // After the last step of a run: whether one more is due, for what the model holds to come to rest. NULL:
    // none.
    bool (*rest)(void *state, SiltLedger *ledger);
    // Whether it has begun to: no step of the run comes any more. NULL: never.
    bool (*rests)(const void *state);
    // When no step comes any more, also in a run that was stopped: what is left to do before `store`. NULL:
    // nothing.
    SiltStatus (*finish)(void *state, SiltLedger *ledger);
    // Columns begin to end of row j of layers[layer] into out[begin] .. out[end - 1]; cells without data may
    // get anything.
    void (*show)(const void *state, int layer, int j, int begin, int end, float *out);
    // The field of the state that is layers[layer] as it stands, or NULL: then `show` makes it. May be NULL.
    const SiltField *(*field)(const void *state, int layer);
    // Writes what `layers` does not list into the terrain and closes the ledger (stored, moved). May be
    // called often.
    SiltStatus (*store)(void *state, SiltTerrain *terrain, SiltLedger *ledger);
    // Parameters or layers of the terrain have changed since the last step: what was made of them is made
    // anew. On failure the state is as before. NULL: nothing was.
    SiltStatus (*refresh)(void *state);
    // Takes in what a hand adds; NULL: nothing can be edited.
    void (*edit)(void *state, SiltEditRow *row);
    // Of "height", "water", "sediment" and "ice" those that it takes; NULL: height, and of the others what
    // `layers` lists.
    const char *edits;
    bool tries_edits; // `edit` knows trials; others take what they can and say how much
    // Lays rock in a volume or carves it out, and says how many m3 there are more; NULL: it has no volume.
    SiltStatus (*edit_rock)(void *state, const SiltRockEdit *edit, SiltLedger *ledger, double *added);
    // Where the model's particles are; NULL for a model without.
    void (*particles)(const void *state, SiltParticles *out);
    // State that the table cannot hold: bricks, lists of lists. Same order when writing and reading. NULL:
    // none.
    void (*pack)(void *state, SiltTerrain *terrain, SiltPack *pack);
    // Goes on from what was written into its state since it began; NULL: nothing follows from that.
    SiltStatus (*resume)(void *state);
    // Bytes that follow from the parameters, whatever the grid; may be NULL.
    double (*param_bytes)(const void *params);
    // Bytes that follow from the heights of a land, of which more_bytes holds what is usual; may be NULL.
    double (*land_bytes)(const void *params, const SiltTerrain *terrain);
    double usual_land_bytes; // of a cell
    // Frees what the model itself allocated beyond its fields; may be NULL.
    void (*end)(void *state);
};

#endif
