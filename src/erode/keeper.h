// What a run that may be interrupted needs to go on, part by part. Whoever wants runs to be kept gives one of
// these (SiltRun.keeper): models and their frame know what there is, and nothing of files.
#ifndef SILT_ERODE_KEEPER_H
#define SILT_ERODE_KEEPER_H

#include "core/pack.h"
#include "silt/erode.h"

typedef struct SiltKeeper SiltKeeper;
typedef void (*SiltPackPart)(void *context, SiltPack *pack);

struct SiltKeeper {
    // A part under this name, in place of an older one. `now`: it is packed at once, for it will change; else
    // whenever the run is kept, and the context stays until it is let go.
    SiltStatus (*note)(SiltKeeper *keeper, const char *name, SiltPackPart pack, void *context, bool now);
    void (*let_go)(SiltKeeper *keeper, const char *name);
    // The part of what is gone on from, to be read at once; each is there once. False: there is none.
    bool (*take)(SiltKeeper *keeper, const char *name, SiltPack *out);
    // The same with a whole terrain, at once.
    SiltStatus (*terrain)(SiltKeeper *keeper, const char *name, SiltTerrain *terrain);
    SiltStatus (*take_terrain)(SiltKeeper *keeper, const char *name,
                               SiltTerrain **out); // NULL: there is none
    // Between two steps (NULL: between two stages): keeps the run if it is time to. `last`: no step follows.
    SiltStatus (*step)(SiltKeeper *keeper, SiltErosion *erosion, bool last);
};

// The same for those who may have none.
SiltStatus silt_keep_note(SiltKeeper *keeper, const char *name, SiltPackPart pack, void *context, bool now);
void silt_keep_let_go(SiltKeeper *keeper, const char *name);
bool silt_keep_take(SiltKeeper *keeper, const char *name, SiltPack *out);

// The terrain that a stage begins with is the part "terrain".
SiltStatus silt_keep_terrain(SiltKeeper *keeper, const char *name, SiltTerrain *terrain);

// All of a run's state, for a keeper: to pack->flow, or from it into a run that has just begun; a run that
// could not be brought back is good for nothing but silt_erosion_end.
SiltStatus silt_erosion_pack(SiltErosion *erosion, SiltPack *pack);
// Goes on from the part "run", if there is one, to the end of so much in all (NULL: as far as it is).
SiltStatus silt_erosion_go_on(SiltErosion *erosion, const SiltDuration *whole);

// What the steps of a run counted.
void silt_counters_pack(SiltCounters *counters, SiltPack *pack);

// Who runs: the part "stage", from which the run can be begun again.
typedef struct SiltStageNote {
    const SiltModel *model;
    const SiltModel *(*find)(const char *name); // for those who read it
    void *params;
    uint64_t seed;
    double began;
    SiltDuration duration;
} SiltStageNote;
void silt_stage_pack(void *note, SiltPack *pack); // reading makes the parameters

#endif
