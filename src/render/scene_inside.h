// What the two files of a scene share.
#ifndef SILT_RENDER_SCENE_INSIDE_H
#define SILT_RENDER_SCENE_INSIDE_H
#ifdef SILT_HAS_GL

#include "render/drops.h"
#include "render/post.h"
#include "render/rays.h"
#include "render/scene.h"
#include "render/wash.h"

struct SiltScene {
    SiltGround ground;
    SiltSolid solid;
    SiltRays rays;
    SiltRays veil; // the rock as it was
    SiltDrops drops;
    SiltShade shade;
    SiltShade dusk; // shadows that are being made, to take the place of these
    SiltPost post;
    SiltPost sketch; // of drafts
    SiltWash wash;
    bool has_ground, has_solid, has_rays, has_veil, has_drops; // what is shown
    SiltRange range;
    double unit; // metres that textures take for a cell
    GLuint sky_program;
    GLuint speckle, tint, array, query;
    bool is_seen; // something of it was drawn since the last picture began
    bool quick;
    bool coarse;       // solids of many triangles are drawn by fewer, and their sky is cast by fewer
    bool casts_coarse; // and the sun's shadow too
    bool is_live, lights_later;
    int longest_side; // 0: as the graphics card has it
};

#endif
#endif
