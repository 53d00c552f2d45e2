// What water does on a terrain, as layers.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "silt/rivers.h"
#include "terrain/flood.h"
#include "terrain/streams.h"

static const SiltParam river_items[] = {
    SILT_REAL(SiltRiverOptions, channel_area, "m2", NAN, 0.0, 1e12,
              "catchment from which water is a stream; none: 0.1 km2, but at least 25 cells and at most a "
              "hundredth of the land",
              .flags = SILT_LOG),
    SILT_REAL(SiltRiverOptions, precipitation, "m/year", 1.0, 0.0, 20.0, "what of the rain runs off"),
    SILT_REAL(SiltRiverOptions, lake_area, "m2", NAN, 0.0, 1e12,
              "the smallest lake that is written; none: 9 cells"),
    SILT_REAL(SiltRiverOptions, lake_depth, "m", 0.1, 0.0, 1e4,
              "how deep a lake must be somewhere to be written"),
    SILT_REAL(SiltRiverOptions, sea_level, "m", NAN, -20000.0, 20000.0, "where rivers end; none: no sea"),
    SILT_REAL(SiltRiverOptions, multiple, "", 0.0, 0.0, 10.0,
              "share discharge among all lower neighbours by slope to this power; 0: all goes one way"),
    SILT_REAL(SiltRiverOptions, concavity, "", 0.45, 0.0, 2.0, "theta = m / n of chi and steepness (ksn)"),
    SILT_REAL(SiltRiverOptions, reference_area, "m2", 1.0, 1e-6, 1e12,
              "A0 of chi; with 1 the slope of height over chi is ksn itself", .flags = SILT_LOG),
    SILT_REAL(SiltRiverOptions, segment, "m", 1000.0, 1.0, 1e7,
              "how long the pieces of a stream are that have a steepness of their own", .flags = SILT_LOG),
};
const SiltParamTable silt_river_params = SILT_PARAM_TABLE(SiltRiverOptions, river_items);

typedef struct MapJob {
    const SiltDrainage *drainage;
    const SiltTerrain *ground;
    const SiltField *change;
    SiltField *area, *discharge, *slope, *order, *basin, *lake;
    double to_discharge; // m3/s for each m2 above
} MapJob;

static void map_rows(void *context, int begin, int end)
{
    const MapJob *job = context;
    const SiltDrainage *d = job->drainage;
    for (int j = begin; j < end; j++) {
        const float *height = silt_field_row(&job->ground->layers[0]->field, j);
        const float *change = job->change ? silt_field_row(job->change, j) : NULL;
        for (int i = 0; i < d->width; i++) {
            int32_t c = j * d->width + i, to = d->receiver[c];
            double area = to < 0 ? 0.0 : silt_drainage_catchment(d, c), fall = 0.0, distance = d->cell;
            if (to >= 0 && to != c) {
                int x = to % d->width, y = to / d->width;
                fall = (double)silt_field_at(&d->surface, i, j) - (double)silt_field_at(&d->surface, x, y);
                distance *= x != i && y != j ? sqrt(2.0) : 1.0;
            }
            float depth = silt_field_at(&d->surface, i, j) - silt_terrain_ground(height, change, i);
            silt_field_row(job->area, j)[i] = (float)area;
            silt_field_row(job->discharge, j)[i] = (float)(area * job->to_discharge);
            silt_field_row(job->slope, j)[i] = (float)(fall / distance);
            silt_field_row(job->lake, j)[i] = to >= 0 && depth > 0.0f ? depth : 0.0f;
        }
    }
}

void silt_stream_orders(const SiltDrainage *d, double channel_area, uint8_t *order)
{
    double least = isnan(channel_area) ? silt_channel_cells(d) : channel_area / (d->cell * d->cell);
    size_t cells = (size_t)d->width * (size_t)d->height;
    // in the upper half: whether the highest order came in twice
    memset(order, 0, cells);
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        uint8_t own = order[c] & 127;
        own = (uint8_t)(own + (order[c] >> 7));
        own = own == 0 && d->area[c] >= least ? 1 : own;
        order[c] = own;
        if (to == c || own == 0)
            continue;
        uint8_t theirs = order[to] & 127;
        order[to] = own > theirs ? own : own == theirs ? (uint8_t)(own | 128) : order[to];
    }
}

static void write_orders(const MapJob *job, const uint8_t *order)
{
    const SiltDrainage *d = job->drainage;
    for (int j = 0; j < d->height; j++)
        for (int i = 0; i < d->width; i++)
            silt_field_row(job->order, j)[i] = (float)order[(size_t)j * (size_t)d->width + (size_t)i];
}

// Basins are numbered in the order of their outlets, row by row.
static void write_basins(const MapJob *job)
{
    const SiltDrainage *d = job->drainage;
    float number = 0.0f;
    for (int32_t c = 0; c < d->width * d->height; c++)
        silt_field_row(job->basin, c / d->width)[c % d->width] = d->receiver[c] == c ? ++number : 0.0f;
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        silt_field_row(job->basin, c / d->width)[c % d->width] =
            silt_field_at(job->basin, to % d->width, to / d->width);
    }
}

SiltStatus silt_rivers_map(const SiltDrainage *drainage, const SiltTerrain *ground,
                           const SiltRiverOptions *options, SiltTerrain *out)
{
    const double seconds_a_year = 365.25 * 86400.0;
    MapJob job = {.drainage = drainage,
                  .ground = ground,
                  .change = silt_terrain_layer(ground, "change"),
                  .to_discharge = options->precipitation / seconds_a_year};
    struct {
        const char *name;
        SiltField **field;
    } layers[] = {{"drainage", &job.area},      {"discharge", &job.discharge}, {"slope", &job.slope},
                  {"stream_order", &job.order}, {"basin", &job.basin},         {"lake", &job.lake}};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof layers / sizeof layers[0] && status == SILT_OK; k++)
        status = silt_terrain_require(out, layers[k].name, layers[k].field);
    uint8_t *order = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for("stream orders", (size_t)drainage->width * (size_t)drainage->height, 1,
                                (void **)&order);
    if (status != SILT_OK)
        return status;
    silt_parallel(drainage->height, 16, map_rows, &job);
    silt_stream_orders(drainage, options->channel_area, order);
    write_orders(&job, order);
    write_basins(&job);
    silt_free(order);
    return SILT_OK;
}
