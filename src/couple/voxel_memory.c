// The memory that `voxel` takes: particles by its parameters, bricks by how steep the land is.
#include <math.h>

#include "couple/voxel_model.h"

double silt_voxel_param_bytes(const void *params)
{
    const SiltVoxelParams *p = params;
    return silt_fluid_bytes(&p->fluid) + 2.0 * p->particles; // and flags
}

// Heights of the columns in and `margin` around those from (i, j) on; false: none has data.
static bool height_range(const SiltTerrain *terrain, int i, int j, int side, int margin, float range[2])
{
    const SiltField *height = &terrain->layers[0]->field;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int y = j - margin < 0 ? 0 : j - margin; y < j + side + margin && y < terrain->height; y++)
        for (int x = i - margin < 0 ? 0 : i - margin; x < i + side + margin && x < terrain->width; x++) {
            float here = silt_field_at(height, x, y);
            if (silt_terrain_is_nodata(terrain, x, y))
                continue;
            range[0] = here < range[0] ? here : range[0];
            range[1] = here > range[1] ? here : range[1];
        }
    return range[1] >= range[0];
}

// Bricks lie wherever the band about the surface reaches: on jagged land many above each other.
double silt_voxel_land_bytes(const void *params, const SiltTerrain *terrain)
{
    const SiltVoxelParams *p = params;
    const int side = p && p->brick == 1 ? 16 : 8, margin = 4;
    // what a voxel of a brick takes: distance and erodibility as they are, beside the step before, and as
    // they were
    const double voxel_bytes = 3.0 * 2.0 * sizeof(float);
    double bricks = 0.0;
    float range[2];
    for (int j = 0; j < terrain->height; j += side)
        for (int i = 0; i < terrain->width; i += side)
            if (height_range(terrain, i, j, side, margin, range))
                bricks += floor(((double)range[1] - (double)range[0]) / terrain->cell / side +
                                2.0 * margin / side) +
                          1.0;
    return bricks * voxel_bytes * side * side * side;
}
