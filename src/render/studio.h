// Takes pictures off-screen, one after the other in one context, as maps or in three dimensions.
#ifndef SILT_RENDER_STUDIO_H
#define SILT_RENDER_STUDIO_H

#include "render/offscreen.h"
#include "render/pose.h"

typedef struct SiltStudio {
    bool flat;        // draws maps
    bool leaves_room; // below maps for a legend, whether this one has it or not
    bool told;        // that there is no room for the legend
    SiltOffscreen offscreen;
    struct SiltScene *scene;
} SiltStudio;

// Without GL, or when the options ask for a map, it draws maps; in the first case with a warning that says
// what is missing, or, where no map will do, with a failure.
SiltStatus silt_studio_begin(const SiltRenderOptions *options, bool needs_gl, SiltStudio *out);
void silt_studio_end(SiltStudio *studio);

// A picture of a pose. `turn` is added to the options' own. The caller destroys it.
SiltStatus silt_studio_shoot(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                             const SiltRange *range, double turn, SiltImage *out);

// The same, with the pose of the last picture as it was then: only the camera moves.
SiltStatus silt_studio_turn(SiltStudio *studio, const SiltPose *pose, const SiltRenderOptions *options,
                            const SiltRange *range, double turn, SiltImage *out);

// See silt_scene_set_heights.
void silt_studio_set_heights(SiltStudio *studio, const SiltTerrain *terrain);

// For what moves: see silt_scene_set_quick.
void silt_studio_set_quick(SiltStudio *studio);

#endif
