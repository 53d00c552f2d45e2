// A plane at an angle.
#include <math.h>

#include "core/parallel.h"
#include "physics/elementary.h"
#include "silt/generate.h"

typedef struct PlaneParams {
    double angle;
    double direction;
    double height;
} PlaneParams;

static const SiltParam plane_items[] = {
    SILT_REAL(PlaneParams, angle, "deg", 10.0, 0.0, 85.0, "slope of the plane"),
    SILT_REAL(PlaneParams, direction, "deg", 180.0, 0.0, 360.0, "where it falls to, clockwise from north"),
    SILT_REAL(PlaneParams, height, "m", 0.0, -10000.0, 10000.0, "height at the centre of the map"),
};

typedef struct PlaneJob {
    SiltField *field;
    double east, south, height; // metres per cell, and at the centre
} PlaneJob;

static void plane_rows(void *context, int begin, int end)
{
    const PlaneJob *job = context;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->field, j);
        double y = j - 0.5 * (job->field->height - 1);
        for (int i = 0; i < job->field->width; i++)
            row[i] = (float)(job->height + job->east * (i - 0.5 * (job->field->width - 1)) + job->south * y);
    }
}

static SiltStatus plane_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    const PlaneParams *p = params;
    const double degree = 3.14159265358979323846 / 180.0;
    double fall = silt_tan(p->angle * degree) * terrain->cell;
    PlaneJob job = {.field = silt_terrain_layer(terrain, "height"),
                    .east = -fall * silt_sin(p->direction * degree),
                    .south = fall * silt_cos(p->direction * degree),
                    .height = p->height};
    return silt_parallel_run(run, "plane", terrain->height, 16, plane_rows, &job);
}

const SiltGenerator silt_generator_plane = {
    .name = "plane",
    .summary = "a plane at an angle",
    .source = "",
    .params = SILT_PARAM_TABLE(PlaneParams, plane_items),
    .run = plane_run,
};
