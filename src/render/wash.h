// A picture of a land in two: the ground, drawn now and then and kept, and the water over it, drawn anew in
// every picture. For a land that water runs over, seen from one place, where the processor draws.
#ifndef SILT_RENDER_WASH_H
#define SILT_RENDER_WASH_H
#ifdef SILT_HAS_GL

#include "render/ground.h"
#include "render/post.h"

typedef struct SiltWash {
    int width, height; // of the targets
    GLuint frame, depth;
    GLuint kept, place;         // textures: the light of the ground, and where its pixels lie
    GLuint finished, ground;    // the ground as it is shown, eight bits
    GLuint shown, shown_colour; // with the water
    GLuint programs[2], array;  // for the ground, for water
    bool is_kept;               // there is ground
} SiltWash;

void silt_wash_destroy(SiltWash *wash);
// Whether this ground can be drawn in two.
bool silt_wash_fits(const SiltGround *ground);

// Targets of this size, bound and cleared, for ground whose view `keeps`. Then what has no place on land.
SiltStatus silt_wash_begin(SiltWash *wash, int width, int height);
void silt_wash_leave_land(SiltWash *wash);

// The ground that was kept with the water as it is now, and with the glow of `post`.
SiltStatus silt_wash_draw(SiltWash *wash, const SiltGround *ground, const SiltView *view,
                          const SiltPost *post);

#endif
#endif
