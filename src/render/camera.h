// Where the picture is taken from. The world's origin is the middle of the motif at its lowest height: x
// runs east, y north, z up, in metres with heights exaggerated.
#ifndef SILT_RENDER_CAMERA_H
#define SILT_RENDER_CAMERA_H

#include "render/hillshade.h"

typedef struct SiltCamera {
    double eye[3], forward[3], right[3], up[3];
    double slope;     // half the picture's height at distance 1
    double near, far; // metres
} SiltCamera;

// The part of a picture that is drawn at once, in pixels from its lower left corner.
typedef struct SiltTile {
    int x, y, width, height;
} SiltTile;

// As the options say, for a picture of width x height pixels. `turn` is added to the options' own. The views
// `low` and `close` stand on the terrain; without one (NULL) they stand beside what is shown.
SiltCamera silt_camera(const SiltTerrain *terrain, const SiltRenderOptions *options, const SiltRange *range,
                       double turn, int width, int height);

// A place of the motif's in the world.
void silt_world_place(const SiltRange *range, double exaggeration, const double place[3], double out[3]);

// World height of the foot of the walls around a terrain of this span and shorter side, in the world's
// metres.
double silt_foot(double span, double side);

// World to clip space for the tile of a picture, column after column.
void silt_camera_matrix(const SiltCamera *camera, int width, int height, const SiltTile *tile,
                        float matrix[16]);

#endif
