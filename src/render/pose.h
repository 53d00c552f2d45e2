// A motif made ready to be drawn: checked, settled, and a volume's surface made.
#ifndef SILT_RENDER_POSE_H
#define SILT_RENDER_POSE_H

#include "render/hillshade.h"

typedef struct SiltPose {
    const SiltTerrain *terrain; // without a layer "change"
    bool is_solid;              // the mesh is drawn, and no heights
    const SiltMesh *mesh;       // or the surface of the volume
    const SiltVolume *volume;
    const struct SiltParticles *particles;
    SiltTerrain *own_terrain;
    struct SiltParticles *own_particles;
    SiltMesh own_mesh;
} SiltPose;

// What the motif points to must outlive the pose. After a failure there is nothing to end. A terrain that
// carries a volume is drawn as one, unless the options lay something over its heights or ask for a map.
// `kept`, if not NULL, holds the surface of the volume from one pose to the next, so that only what changed
// is made again; the caller destroys it.
SiltStatus silt_pose_begin(const SiltMotif *motif, const SiltRenderOptions *options, SiltRockSurface **kept,
                           SiltPose *out);
void silt_pose_end(SiltPose *pose);

SiltStatus silt_pose_range(const SiltPose *pose, const SiltRenderOptions *options, SiltRange *out);

// The number a particle's colour stands for; its name and unit for the legend (NULL: the colour is water's).
float silt_particle_value(const struct SiltParticles *particles, int colour, int index);
const char *silt_particle_quantity(int colour, const char **unit);

#endif
