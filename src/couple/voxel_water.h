// The water of `voxel`: where it comes from, how sediment sinks in it, and which of it evaporates.
#ifndef SILT_COUPLE_VOXEL_WATER_H
#define SILT_COUPLE_VOXEL_WATER_H

#include "couple/fluid.h"
#include "couple/voxel_ground.h"

#define SILT_VOXEL_BOX_COLUMNS "x:m y:m z:m length:m width:m height:m sediment:1"
#define SILT_VOXEL_SOURCE_COLUMNS                                                                            \
    "x:m y:m z:m length:m width:m height:m rate:m3/s u:m/s v:m/s w:m/s sediment:1 start:s stop:s"

enum { SILT_VOXEL_SOURCE_NUMBERS = 13 };

typedef struct SiltVoxelWater {
    SiltFluid *fluid;
    SiltVoxelGround *ground;
    const SiltList *boxes, *sources;
    double *owed;          // of each source, in particles
    int64_t source_count;  // of those
    int64_t poured;        // particles drawn for them
    uint64_t sources_seen; // hash of those that were found to be good
    float full;            // units in a full load
    double most;           // share of a particle's volume that is
} SiltVoxelWater;

// Fails, in one sentence, for boxes and sources that have no size, lie off the map, or wholly within rock.
// Fills the boxes.
SiltStatus silt_voxel_water_begin(const char *owner, SiltVoxelWater *water, SiltLedger *ledger);
void silt_voxel_water_end(SiltVoxelWater *water);
// Sources that have changed while the run goes on: `next` is the water with those. Fails as above, and gives
// nothing; else `owed` takes what each owes, for silt_voxel_take_sources.
SiltStatus silt_voxel_check_sources(const char *owner, const SiltVoxelWater *next, double **owed);
// Whether these were found to be good before.
bool silt_voxel_knows_sources(const SiltVoxelWater *next);
void silt_voxel_take_sources(SiltVoxelWater *water, const SiltList *sources, double *owed);
// What the sources give in a step that begins at `time`.
void silt_voxel_pour(SiltVoxelWater *water, double time, double dt, SiltLedger *ledger);

// Sediment that sinks from particle to particle (eq. 3.36 to 3.38), exact in whole units, and, if
// `is_covered` is not NULL, whether another particle lies in a cone around "up" (eq. 3.39). Particles are
// sorted.
typedef struct SiltVoxelSinking {
    float strength;  // beta, 1/s
    float asymmetry; // k
    float cone;      // cosine of half its opening
    float full;      // units in a full load
} SiltVoxelSinking;
// dt times beta, a particle's volume and the factor of the kernel, or 0; what rounds loads at this step.
float silt_voxel_sink_pace(const SiltVoxelSinking *sinking, const SiltSph *sph, float dt);
float silt_voxel_sink_dither(const SiltSph *sph);
void silt_voxel_sink(const SiltVoxelSinking *sinking, SiltSph *sph, float dt, uint8_t *is_covered);

#endif
