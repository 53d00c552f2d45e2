// A run that a checkpoint keeps, as recipes take it up.
#ifndef SILT_RECIPE_KEPT_RUN_H
#define SILT_RECIPE_KEPT_RUN_H

#include "recipe/checkpoint_inside.h"
#include "silt/stack.h"

// A checkpoint, with what says which run it keeps.
typedef struct KeptRun {
    SiltCheckpoint *file;
    SiltStageNote note; // parameters as they were when the stage began
    int stage;          // of its recipe; 0 where it has none
    int nominal[2];     // as Kitchen has it
    int hands;          // that had been done
} KeptRun;

SiltStatus silt_kept_run_open(const char *path, KeptRun *out);
void silt_kept_run_close(KeptRun *kept);
// The recipe that the run is a stage of; `out` is NULL where it fails.
SiltStatus silt_kept_run_stack(const char *path, const KeptRun *kept, SiltStack **out);
// NULL: the file has none.
SiltStatus silt_kept_run_text(const KeptRun *kept, const char *name, const char **out);

#endif
