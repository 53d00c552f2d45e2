// `sph` erosion's parameters and state, for the files that make its step.
#ifndef SILT_COUPLE_SPH_MODEL_H
#define SILT_COUPLE_SPH_MODEL_H

#include "couple/fluid.h"
#include "couple/heightfield_boundary.h"
#include "couple/sediment.h"

typedef struct SiltSphWaterParams {
    SILT_FLUID_FIELDS
    SiltList boxes, sources;
    bool erosion;
    int bed, speed, transport;
    double power;
    double roughness;
    double boundary_spacing, boundary_friction;
    double shear, critical, strength;
    double rock_density, grain, most, exponent, diffusion;
    int hindering, settling;
    char erodibility[SILT_NAME_SIZE], water[SILT_NAME_SIZE], start[SILT_PATH_SIZE];
} SiltSphWaterParams;

typedef struct SiltSphModel {
    SiltField before;
    double time; // s since the beginning
    const SiltSphWaterParams *params;
    SiltFluid fluid;
    SiltBoundary boundary;
    SiltSediment sediment;
    double *owed;         // of each source, in particles
    int64_t spring_count; // of those
    int64_t poured;       // particles drawn for them
    float dt;
} SiltSphModel;

// ---- sph_springs.c: where its water comes from ----

// Fills box `index` with particles; fails where it holds none or too many.
SiltStatus silt_sph_fill_box(SiltSphModel *model, int index);
// Whether the sources are such as can be; once the fluid has begun, whether they lie on ground with data.
SiltStatus silt_sph_check_sources(const SiltSphModel *model, const SiltTerrain *terrain);
SiltStatus silt_sph_check_ground(const SiltSphModel *model);
void silt_sph_warn_idle(const SiltSphModel *model);
// What each source of the parameters owes: those of before keep theirs. The model takes it.
SiltStatus silt_sph_make_springs(const SiltSphModel *model, double **owed);
void silt_sph_take_springs(SiltSphModel *model, double *owed);
// The highest source in m above the lowest ground.
double silt_sph_highest_spring(const SiltSphModel *model);
// What the sources give in a step of length dt that ends now.
void silt_sph_pour(SiltSphModel *model, double dt, SiltLedger *ledger);

#endif
