// `voxel` erosion's parameters and state, for the files that make its step.
#ifndef SILT_COUPLE_VOXEL_MODEL_H
#define SILT_COUPLE_VOXEL_MODEL_H

#include "couple/voxel_meet.h"
#include "couple/voxel_water.h"
#include "volume/loose.h"

typedef struct SiltVoxelParams {
    SILT_FLUID_FIELDS
    SiltList boxes, sources;
    double capacity, most;
    double dissolve_normal, dissolve_tangent;
    double deposit, least, flat[2];
    double sinking, asymmetry, cone, weight;
    int masses, exchange, collision, distance;
    int redistance, reinit;
    double smoothing;
    int falling, falling_every;
    int rock;
    double rock_low, rock_high, rock_size, rock_dip[2];
    int layers, brick;
    double floor, headroom;
    char erodibility[SILT_NAME_SIZE];
} SiltVoxelParams;

typedef struct SiltVoxel {
    SiltField before;
    double time; // s since the beginning
    const SiltVoxelParams *params;
    SiltFluid fluid;
    SiltVoxelGround ground;
    SiltVoxelWater water;
    SiltVoxelSinking sink;
    SiltStanding standing;       // pieces that hung free at the beginning
    uint8_t *is_covered;         // of each particle: another lies above it; NULL when nothing evaporates
    uint8_t *is_near;            // of each particle: within a voxel of the rock
    _Atomic int64_t taken, laid; // units since the beginning
    _Atomic int64_t buried;
    double start_rock;    // m3 at the beginning, less what fell
    int64_t levelled;     // units moved when the volume was last made what it should be
    int64_t tended, next; // re-initialisations, and the step of the next
    int64_t next_fall;
    double most; // `most` as given, or for this map
    double fitted_capacity, fitted_normal, fitted_tangent,
        fitted_deposit;                       // what stands for those that are not given
    double fitted_rain;                       // particles/s when no water is given
    double stream[SILT_VOXEL_SOURCE_NUMBERS]; // and the source that there is then
    SiltList own_sources;                     // that one; empty where the ground falls nowhere
    float full, dt;
    SiltVoxelNumbers numbers; // of this step
    float sink_time;          // s since sediment last sank and the surface was last looked for
    bool looks;               // whether that is in this step
    uint64_t map_seen;        // hash of the layer of erodibility that the rock knows; 0: there is none
} SiltVoxel;

static inline int64_t silt_voxel_total(_Atomic int64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

extern const char silt_voxel_owner[]; // "erode voxel"
// Whether parameters fit each other.
SiltStatus silt_voxel_check_order(const SiltVoxelParams *params);
// Sinking and what else of the step follows from the parameters.
void silt_voxel_set_sinking(SiltVoxel *v);

// What stands for what is not given.
void silt_voxel_fit(SiltVoxel *v, const SiltTerrain *terrain);
// Puts a stream into own_sources, unless the ground falls nowhere.
bool silt_voxel_fit_stream(SiltVoxel *v,
                           const SiltHeightfield *field); // false: somebody wants the run to stop
// Says so where much of the ground is walls between one cell and the next.
void silt_voxel_warn_jumps(const SiltHeightfield *field);
// Where water comes from: the sources that are given or, where there is no other water, the stream.
const SiltList *silt_voxel_sources(const SiltVoxel *v);
// Drops a second that fall where no water is given.
double silt_voxel_fit_rain(const SiltVoxel *v);
// The heights the maps and the rain know become those of the volume.
void silt_voxel_read_tops(SiltVoxel *v);

// ---- voxel_tend.c ----
enum {
    SILT_VOXEL_FALLING_OFF,
    SILT_VOXEL_FALLING_REPORT,
    SILT_VOXEL_FALLING_REMOVE,
    SILT_VOXEL_FALLING_DROP
};
// Before a step, where it is time, and at the end.
SiltStatus silt_voxel_tend(void *voxel, SiltLedger *ledger);
SiltStatus silt_voxel_finish(void *voxel, SiltLedger *ledger);
// What particles do in a step of this length follows from these.
void silt_voxel_count_numbers(SiltVoxel *v);
// The plane of the rock below every particle, for the forces.
void silt_voxel_find_planes(SiltVoxel *v);
// After the forces: positions are kept in px, py, pz, and sediment makes particles heavy (eq. 3.28).
void silt_voxel_keep_places(SiltVoxel *v);
// After the move: particles come to lie outside the rock, and exchange sediment with it.
void silt_voxel_touch_rock(SiltVoxel *v);
// After the rock has changed: nothing lies in it. Of the first `old` particles those are looked at that came
// near it in this step, and all behind them.
void silt_voxel_clear_rock(SiltVoxel *v, int old);

// ---- voxel_live.c: what the frame asks for while a run goes on ----

SiltStatus silt_voxel_refresh(void *state);
void silt_voxel_pack(void *state, SiltTerrain *terrain, SiltPack *pack);
SiltStatus silt_voxel_resume(void *state);

// ---- voxel_memory.c ----
// Bytes of bricks that a column of usual land has: two and a half bricks for 64, with what they were.
#define SILT_VOXEL_USUAL_BYTES 520.0
double silt_voxel_param_bytes(const void *params);
double silt_voxel_land_bytes(const void *params, const SiltTerrain *terrain);
void silt_voxel_show(const void *state, int layer, int j, int begin, int end, float *out);
// voxel_edit.c
SiltStatus silt_rock_edit(SiltVolume *volume, const SiltRockEdit *edit); // of a volume that no run holds
SiltStatus silt_voxel_edit_rock(void *state, const SiltRockEdit *edit, SiltLedger *ledger, double *added);
// Room for what evaporation needs to know of each particle, where water evaporates.
SiltStatus silt_voxel_require_covers(SiltVoxel *v);

#endif
