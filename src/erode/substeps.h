// The sub-steps of a step whose length a parameter says: as many as stability asks for, up to a bound, and a
// step that is stopped half-way goes on where it was.
#ifndef SILT_ERODE_SUBSTEPS_H
#define SILT_ERODE_SUBSTEPS_H

#include "silt/base.h"

enum { SILT_MOST_SUBSTEPS = 256 }; // in one step

typedef struct SiltSubsteps {
    double length, left; // of the step at hand; left = 0: none is
    int taken;
    bool told; // that there are too many
} SiltSubsteps;

#define SILT_SUBSTEPS_STATE(S, field)                                                                        \
    SILT_STATE(S, field.length, SILT_STATE_DOUBLE, "s", "length of a step that was stopped half-way"),       \
        SILT_STATE(S, field.left, SILT_STATE_DOUBLE, "s", "what is left of it"),                             \
        SILT_STATE(S, field.taken, SILT_STATE_INT32, "", "sub-steps of it that were taken")

// A step of `length` seconds, or the rest of one that was stopped.
void silt_substeps_begin(SiltSubsteps *steps, double length);
// The length of the next sub-step where `stable` is the longest that is stable; false: there is none.
bool silt_substeps_next(SiltSubsteps *steps, double stable, double *dt);
// The time the step took: shorter than asked for where it would have taken too many; below zero where
// somebody wants the run to stop, and the next step goes on from there.
double silt_substeps_end(SiltSubsteps *steps);
// Says once which parameter asks for more than a step takes.
void silt_substeps_warn(SiltSubsteps *steps, const char *owner, double step, double stable, double deepest,
                        double swiftest);

#endif
