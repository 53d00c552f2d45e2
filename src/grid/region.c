// Parts of a map.
#include "grid/region.h"

#include "core/status.h"

void silt_region_fold(const SiltRegion *region, SiltFold kind, double *values, int count)
{
    if (region->peers)
        region->peers->fold(region->peers->user, kind, values, count);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

SiltStatus silt_terrain_region(const SiltTerrain *terrain, int i, int j, int width, int height, int halo,
                               SiltRegion *region, SiltTerrain **out)
{
    *out = NULL;
    bool inside = i >= 0 && j >= 0 && width > 0 && height > 0 && width <= terrain->width - i &&
                  height <= terrain->height - j;
    if (!inside || halo < 0)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "a region of %d x %d cells at (%d, %d) with a halo of %d does not lie on a map of %d x %d", width,
            height, i, j, halo, terrain->width, terrain->height);
    *region = (SiltRegion){.map_width = terrain->width,
                           .map_height = terrain->height,
                           .west = smaller(halo, i),
                           .north = smaller(halo, j),
                           .east = smaller(halo, terrain->width - i - width),
                           .south = smaller(halo, terrain->height - j - height)};
    region->i = i - region->west;
    region->j = j - region->north;
    SiltStatus status = silt_terrain_crop(terrain, region->i, region->j, region->west + width + region->east,
                                          region->north + height + region->south, out);
    if (status == SILT_OK)
        (*out)->region = region;
    return status;
}
