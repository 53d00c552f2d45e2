// What water can carry, evened out over a length, follows what it could carry place by place (SiltEvening)
// with a delay of some steps. While water is still gathering that would be a delay of minutes, longer with
// longer steps. So what has grown everywhere since the last look, seen on a few thousand cells, is made up
// for at once; only the differences between places even out in steps.
#include <math.h>
#include <stdatomic.h>

#include "core/parallel.h"
#include "erode/pipes.h"

enum { LEAST_STRIDE = 16, MOST_CELLS = 4096 };

static int stride_of(const SiltTerrain *terrain)
{
    double cells = (double)terrain->width * (double)terrain->height;
    int shorter = terrain->width < terrain->height ? terrain->width : terrain->height;
    int stride = (int)fmax(sqrt(cells / MOST_CELLS), LEAST_STRIDE);
    return stride < shorter / 4 ? stride : shorter / 4 > 0 ? shorter / 4 : 1;
}

double silt_pipes_speed(const Pipes *p, int i, int j)
{
    double east = (double)silt_field_at(&p->flux_east, i, j),
           south = (double)silt_field_at(&p->flux_south, i, j);
    double west = i > 0 ? (double)silt_field_at(&p->flux_east, i - 1, j) : 0.0;
    double north = j > 0 ? (double)silt_field_at(&p->flux_south, i, j - 1) : 0.0;
    double x = east + west, y = south + north;
    if (p->directions == 4) {
        bool left = i > 0, right = i + 1 < p->terrain->width;
        double falling = (double)silt_field_at(&p->flux_south_east, i, j) +
                         (j > 0 && left ? (double)silt_field_at(&p->flux_south_east, i - 1, j - 1) : 0.0);
        double rising = (double)silt_field_at(&p->flux_south_west, i, j) +
                        (j > 0 && right ? (double)silt_field_at(&p->flux_south_west, i + 1, j - 1) : 0.0);
        x += falling - rising;
        y += falling + rising;
    }
    double depth = fmax(silt_grains_row(&p->water, j)[i] * p->grain, (double)p->shallow);
    return depth > 0.0 ? sqrt(x * x + y * y) / (2.0 * p->terrain->cell * depth) : 0.0;
}

// The ground at a place; a wall is as high as the cell beside it.
static int32_t ground_at(const Pipes *p, int i, int j, int32_t beside)
{
    bool on_map = i >= 0 && i < p->terrain->width && j >= 0 && j < p->terrain->height;
    return on_map ? silt_pipes_ground_beside(silt_grains_row(&p->ground, j)[i], beside) : beside;
}

// Eq. 10, from the state between two steps.
static float could_at(const Pipes *p, int i, int j)
{
    int32_t here = silt_grains_row(&p->ground, j)[i];
    if (here == SILT_GRAINS_WALL)
        return 0.0f;
    float per_cell = (float)(p->grain / (2.0 * p->terrain->cell));
    float rise_x = (float)(ground_at(p, i + 1, j, here) - ground_at(p, i - 1, j, here)) * per_cell;
    float rise_y = (float)(ground_at(p, i, j + 1, here) - ground_at(p, i, j - 1, here)) * per_cell;
    float speed = (float)fmin(silt_pipes_speed(p, i, j), p->params->fastest);
    float vigour =
        silt_pipes_vigour(rise_x * rise_x + rise_y * rise_y, p->least_tilt * p->least_tilt, speed * speed);
    float depth = (float)(silt_grains_row(&p->water, j)[i] * p->grain);
    return silt_pipes_capacity(p->capacity, vigour, depth, (float)(1.0 / p->params->film), p->densest, 1.0f);
}

typedef struct LookJob {
    const Pipes *pipes;
    int stride;
    _Atomic int64_t sum;
} LookJob;

static void look_rows(void *context, int begin, int end)
{
    LookJob *job = context;
    int width = job->pipes->terrain->width, height = job->pipes->terrain->height, stride = job->stride;
    int64_t sum = 0;
    for (int row = begin; row < end; row++)
        for (int i = stride / 2; i <= (width - 1) / 2; i += stride) {
            int j = stride / 2 + row * stride;
            const int at[4][2] = {
                {i, j}, {width - 1 - i, j}, {i, height - 1 - j}, {width - 1 - i, height - 1 - j}};
            for (int k = 0; k < 4; k++)
                sum += (int64_t)(could_at(job->pipes, at[k][0], at[k][1]) * 0x1p36f);
        }
    atomic_fetch_add(&job->sum, sum);
}

// The sum over some cells, which lie alike from all sides of the map, in whole numbers: a map turned by a
// right angle has the same, on any number of threads.
static double look(const Pipes *p)
{
    LookJob job = {.pipes = p, .stride = stride_of(p->terrain)};
    int rows = ((p->terrain->height - 1) / 2 - job.stride / 2) / job.stride + 1;
    silt_parallel(rows, 4, look_rows, &job);
    return (double)job.sum;
}

bool silt_pipes_follow(Pipes *p)
{
    const double notable = 0.005; // smaller changes wait until they have added up
    enum { PATIENCE = 8 };        // steps until the next look where nothing grows
    if (p->step_index < p->next_look)
        return true;
    double now = look(p);
    bool known = p->could > 0.0 && now > 0.0;
    double factor = known ? fmin(fmax(now / p->could, 0.25), 4.0) : 1.0;
    if (!known) // nothing is there yet to be evened out
        p->evening = silt_evening_none;
    bool grows = !known || fabs(factor - 1.0) > notable;
    p->next_look = p->step_index + (grows ? 1 : PATIENCE);
    if (!grows)
        return true;
    p->growth = (float)factor;
    p->could = now;
    return false;
}
