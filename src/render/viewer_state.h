// What the files of the viewer share. Nothing here needs a current context but what has a `scene`.
#ifndef SILT_RENDER_VIEWER_STATE_H
#define SILT_RENDER_VIEWER_STATE_H

#include "render/camera.h"
#include "render/pose.h"
#include "silt/viewer.h"

// A motif and what was made of it.
typedef struct SiltShown {
    SiltTerrain *land;    // settled, and reduced where it is large; NULL: none
    int width, height;    // cells of the terrain as it was given
    double cell;          // metres
    int reduction;        // its cells along a side of one that is shown
    SiltMesh *mesh;       // NULL: none
    SiltVolume *volume;   // the caller's; NULL: none
    bool of_terrain;      // the volume is the terrain's, and left aside where heights are asked for
    SiltParticles *drops; // NULL: none
    SiltPose pose;        // what is drawn: begun once something is shown
    SiltRange range;
} SiltShown;

// What the graphics card does not have yet.
enum {
    SILT_STALE_POSE = 1,    // the pose does not fit the options
    SILT_STALE_ALL = 2,     // nothing is there
    SILT_STALE_HEIGHTS = 4, // heights or water of the dirty rectangle
    SILT_STALE_LIGHT = 8,   // the light of an older land
};

struct SiltViewer {
    SiltRenderOptions options;
    SiltShown shown;
    bool is_shown;
    SiltRockSurface *surface; // of the last volume
    int limit;                // longest side, cells
    unsigned stale;
    SiltRect dirty;
    SiltGaze now, goal;
    int width, height; // pixels of the last picture
    struct SiltScene *scene;
};

// Options as they are drawn: no maps, and an overlay only where the land has the layer.
SiltRenderOptions silt_viewer_drawn_options(const SiltViewer *viewer);
// Makes the pose again after options or layers have changed.
SiltStatus silt_viewer_pose(SiltViewer *viewer);

// ---- camera ----

SiltCamera silt_viewer_camera(const SiltViewer *viewer, const SiltGaze *gaze, int width, int height);
// A place of the caller's in the world, and back.
void silt_viewer_to_world(const SiltViewer *viewer, const double place[3], double out[3]);
void silt_viewer_from_world(const SiltViewer *viewer, const double world[3], double out[3]);
// Height of what is drawn above a place of the world, in the world's metres; false: nothing is there.
bool silt_viewer_surface(const SiltViewer *viewer, double x, double y, double *out);
// The ray through a pixel; its direction is as long as one metre along the camera's.
void silt_viewer_ray(const SiltViewer *viewer, const SiltCamera *camera, double x, double y,
                     double direction[3]);
// How far along a ray of the world it meets what is drawn; false: nowhere.
bool silt_viewer_hit(const SiltViewer *viewer, const double from[3], const double direction[3], double *out,
                     double normal[3]);

#endif
