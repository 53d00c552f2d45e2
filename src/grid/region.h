// Where a grid lies on the map. A model works on one region of it, mostly all of it: borders, sources, strata
// and random numbers go by map coordinates, and what a step must know of the whole map is folded over all
// regions. So a map cut into regions, each with a halo of cells that belong to its neighbours, gives the
// bytes of the whole.
#ifndef SILT_GRID_REGION_H
#define SILT_GRID_REGION_H

#include "silt/terrain.h"

// The region of a terrain; all of it where the terrain says nothing else.
static inline SiltRegion silt_region_of(const SiltTerrain *terrain)
{
    SiltRegion whole = {.map_width = terrain->width, .map_height = terrain->height};
    return terrain->region ? *terrain->region : whole;
}

// Whether a side of the grid is the map's own edge.
static inline bool silt_region_at_west(const SiltRegion *region)
{
    return region->i == 0;
}

static inline bool silt_region_at_north(const SiltRegion *region)
{
    return region->j == 0;
}

static inline bool silt_region_at_east(const SiltRegion *region, int width)
{
    return region->i + width == region->map_width;
}

static inline bool silt_region_at_south(const SiltRegion *region, int height)
{
    return region->j + height == region->map_height;
}

// Cells that count: those of the grid without its halo.
static inline bool silt_region_owns(const SiltRegion *region, int width, int height, int i, int j)
{
    return i >= region->west && i < width - region->east && j >= region->north && j < height - region->south;
}

// The least number of halo cells along the sides that are not the map's own edge; `most` where all are.
static inline int silt_region_halo(const SiltRegion *region, int width, int height, int most)
{
    const int sides[] = {silt_region_at_west(region) ? most : region->west,
                         silt_region_at_north(region) ? most : region->north,
                         silt_region_at_east(region, width) ? most : region->east,
                         silt_region_at_south(region, height) ? most : region->south};
    int least = most;
    for (int k = 0; k < 4; k++)
        least = sides[k] < least ? sides[k] : least;
    return least;
}

// The same values in all regions: their sum, or the greatest. Does nothing where there is only one.
void silt_region_fold(const SiltRegion *region, SiltFold kind, double *values, int count);

#endif
