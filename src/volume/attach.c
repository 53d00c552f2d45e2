// Terrains that carry a volume: caves and overhangs travel below the heights they show from above.
#include <math.h>

#include "core/parallel.h"
#include "volume/brick.h"
#include "volume/volume.h"

void silt_terrain_give_volume(SiltTerrain *terrain, SiltVolume *volume)
{
    if (terrain->volume != volume)
        silt_volume_destroy(terrain->volume);
    terrain->volume = volume;
    terrain->destroy_volume = silt_volume_destroy;
}

static double differing_columns(void *context, int begin, int end)
{
    const SiltTerrain *terrain = context;
    const SiltVolume *volume = terrain->volume;
    const SiltField *change = silt_terrain_layer(terrain, "change");
    double count = 0.0, tolerance = 0.01 * volume->cell;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            double top = volume->origin[2] + silt_volume_top(volume, i, terrain->height - 1 - j);
            double height = (double)silt_field_at(&terrain->layers[0]->field, i, j) +
                            (change ? (double)silt_field_at(change, i, j) : 0.0);
            if (!silt_terrain_is_nodata(terrain, i, j) && !(fabs(top - height) <= tolerance))
                count += 1.0;
        }
    return count;
}

SiltVolume *silt_terrain_volume(const SiltTerrain *terrain)
{
    const SiltVolume *volume = terrain->volume;
    if (!volume || volume->size[0] != terrain->width || volume->size[1] != terrain->height ||
        fabs(volume->cell - terrain->cell) > 1e-9 * terrain->cell)
        return NULL;
    double differing = silt_parallel_sum(terrain->height, differing_columns, (void *)(uintptr_t)terrain);
    return differing == 0.0 ? terrain->volume : NULL;
}

SiltStatus silt_terrain_from_volume(SiltVolume *volume, SiltTerrain **out)
{
    SiltStatus status = silt_volume_to_terrain(volume, out);
    if (status == SILT_OK)
        silt_terrain_give_volume(*out, volume);
    else
        silt_volume_destroy(volume);
    return status;
}

SiltStatus silt_terrain_copy_volume(const SiltTerrain *from, SiltTerrain *to)
{
    SiltVolume *copy;
    SiltStatus status = from->volume ? silt_volume_clone(from->volume, &copy) : SILT_OK;
    if (status == SILT_OK && from->volume)
        silt_terrain_give_volume(to, copy);
    return status;
}
