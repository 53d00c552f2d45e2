// A file as one more layer of a terrain.
#include <string.h>

#include "core/status.h"
#include "silt/io.h"

// A cell without a height has no data; a cell without a value in another layer is zero there.
static SiltStatus join_nodata(SiltTerrain *terrain, const SiltTerrain *more)
{
    if (!more->nodata)
        return SILT_OK;
    SiltStatus status = silt_terrain_require_nodata(terrain);
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    for (size_t k = 0; k < cells && status == SILT_OK; k++)
        terrain->nodata[k] |= more->nodata[k];
    return status;
}

static void warn_of_gaps(const SiltTerrain *terrain, const SiltTerrain *more, const char *layer,
                         const char *path)
{
    size_t cells = (size_t)terrain->width * (size_t)terrain->height, gaps = 0;
    for (size_t k = 0; more->nodata && k < cells; k++)
        gaps += more->nodata[k] && !(terrain->nodata && terrain->nodata[k]);
    if (gaps > 0)
        silt_warn("%s: %zu cells have no value where the terrain has data; the layer '%s' is 0 there", path,
                  gaps, layer);
}

SiltStatus silt_terrain_read_layer(SiltTerrain *terrain, const char *layer, const char *path,
                                   const SiltReadOptions *options)
{
    SiltTerrain *made = NULL;
    SiltField *target;
    SiltReadOptions here;
    SiltStatus status = silt_params_init(&silt_read_params, &here);
    if (options)
        here = *options;
    here.cell = terrain->cell; // whatever the file says of it, or does not: the values are the terrain's
    if (status == SILT_OK)
        status = silt_terrain_read(path, &here, &made);
    if (status != SILT_OK)
        return status;
    if (made->width != terrain->width || made->height != terrain->height)
        status =
            silt_fail(SILT_BAD_ARGUMENT,
                      "%s: %d x %d cells, but the terrain has %d x %d: resample it to the same size first",
                      path, made->width, made->height, terrain->width, terrain->height);
    if (status == SILT_OK && strcmp(layer, "height") == 0)
        status = join_nodata(terrain, made);
    else if (status == SILT_OK)
        warn_of_gaps(terrain, made, layer, path);
    if (status == SILT_OK)
        status = silt_terrain_require(terrain, layer, &target);
    if (status == SILT_OK)
        silt_field_copy(silt_terrain_layer(made, "height"), target);
    silt_terrain_destroy(made);
    return status;
}
