// What the tests against Weiss 2016 share.
#ifndef TESTS_PAPERS_WEISS_HELP_H
#define TESTS_PAPERS_WEISS_HELP_H

#include "../erode_help.h"
#include "../sph_help.h"
#include "couple/voxel_meet.h"
#include "couple/voxel_water.h"
#include "weiss_text.h"

enum { SIDE = 20, LAYERS = 40 };

static inline Weiss *make_text(void)
{
    Weiss *w = silt_alloc(sizeof *w);
    assert_non_null(w);
    w->water_weight = 1.0, w->step_forward = 0.01, w->step_out = 0.025, w->flat_from = 0.6, w->flat_to = 0.8,
    w->least = 0.001;
    w->width = w->depth = SIDE, w->height = LAYERS;
    w->level = silt_alloc(SIDE * SIDE * LAYERS * sizeof(double));
    w->erodibility = silt_alloc(SIDE * SIDE * LAYERS * sizeof(double));
    for (int n = 0; n < SIDE * SIDE * LAYERS; n++)
        w->erodibility[n] = 1.0;
    return w;
}

static inline void end_text(Weiss *w)
{
    silt_free(w->level);
    silt_free(w->erodibility);
    silt_free(w);
}

#endif
