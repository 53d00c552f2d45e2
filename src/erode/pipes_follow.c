// What water can carry, evened out over a length, follows what it could carry place by place (SiltEvening)
// with a delay of some steps. While water is still gathering that would be a delay of minutes, longer with
// longer steps. So what has grown everywhere since the last look, seen on a few thousand cells, is made up
// for at once; only the differences between places even out in steps.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "erode/pipes.h"
#include "erode/pipes_rows.h"

enum { LEAST_STRIDE = 16, MOST_CELLS = 4096 };

static int stride_of(const SiltRegion *region)
{
    double cells = (double)region->map_width * (double)region->map_height;
    int shorter = region->map_width < region->map_height ? region->map_width : region->map_height;
    int stride = (int)fmax(sqrt(cells / MOST_CELLS), LEAST_STRIDE);
    return stride < shorter / 4 ? stride : shorter / 4 > 0 ? shorter / 4 : 1;
}

double silt_pipes_speed(const Pipes *p, int i, int j)
{
    double east = (double)silt_field_at(&p->flux_east, i, j),
           south = (double)silt_field_at(&p->flux_south, i, j);
    double west = i > 0 ? (double)silt_field_at(&p->flux_east, i - 1, j) : 0.0;
    double north = j > 0 ? (double)silt_field_at(&p->flux_south, i, j - 1) : 0.0;
    double x = east + west, y = south + north, net = (east - west) + (south - north);
    if (p->directions == 4) {
        bool left = i > 0, right = i + 1 < p->terrain->width;
        double south_east = (double)silt_field_at(&p->flux_south_east, i, j),
               south_west = (double)silt_field_at(&p->flux_south_west, i, j);
        double north_west = j > 0 && left ? (double)silt_field_at(&p->flux_south_east, i - 1, j - 1) : 0.0;
        double north_east = j > 0 && right ? (double)silt_field_at(&p->flux_south_west, i + 1, j - 1) : 0.0;
        x += (south_east + north_west) - (south_west + north_east);
        y += (south_east + north_west) + (south_west + north_east);
        net += (south_east - north_west) + (south_west - north_east);
    }
    // eq. 9: the mean of the depths before and after the water moved; what the pipes took is known, what
    // dried up hardly counts
    double water = silt_grains_row(&p->water, j)[i] * p->grain, cell = p->terrain->cell;
    double mean = water + 0.5 * (double)p->dt * net / (cell * cell), depth = fmax(mean, (double)p->shallow);
    double speed = depth > 0.0 ? sqrt(x * x + y * y) / (2.0 * cell * depth) : 0.0;
    return p->shallow == 0.0f ? speed
                              : fmin(speed, p->params->fastest); // 0: as in the paper, which has no bound
}

// The same for cells that have one to the west, with pipes to four neighbours.
SILT_CLONES static void speed_cells(const Pipes *p, const float *restrict east, const float *restrict south,
                                    const float *restrict north, const int32_t *restrict water, int begin,
                                    int end, float *restrict out)
{
    double cell = p->terrain->cell, grain = p->grain, dt = (double)p->dt, shallow = (double)p->shallow;
    double fastest = shallow == 0.0 ? INFINITY : p->params->fastest, half = 0.5 * dt, area = cell * cell;
    double twice = 2.0 * cell;
    for (int i = begin; i < end; i++) {
        double e = (double)east[i], s = (double)south[i], w = (double)east[i - 1];
        double n = north ? (double)north[i] : 0.0, x = e + w, y = s + n, net = (e - w) + (s - n);
        double mean = water[i] * grain + half * net / area, depth = mean > shallow ? mean : shallow;
        double speed = depth > 0.0 ? sqrt(x * x + y * y) / (twice * depth) : 0.0;
        out[i] = (float)(speed < fastest ? speed : fastest);
    }
}

void silt_pipes_speed_row(const Pipes *p, int j, int begin, int end, float *out)
{
    int i = begin;
    for (; i < end && (i == 0 || p->directions == 4); i++)
        out[i] = (float)silt_pipes_speed(p, i, j);
    if (i < end)
        speed_cells(p, silt_field_row(&p->flux_east, j), silt_field_row(&p->flux_south, j),
                    j > 0 ? silt_field_row(&p->flux_south, j - 1) : NULL, silt_grains_row(&p->water, j), i,
                    end, out);
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
    return silt_pipes_capacity(p->capacity, vigour, depth, (float)fmin(1.0 / p->params->film, 1e9),
                               p->densest, 1.0f);
}

#define FINE 0x1p36 // parts of a metre that are added up: whole numbers, so that the order does not matter

typedef struct LookJob {
    const Pipes *pipes;
    const SiltRegion *region;
    int stride;
    _Atomic int64_t sum;
} LookJob;

// At a cell of the map; nothing where another region has it.
static int64_t look_at(const LookJob *job, int map_i, int map_j)
{
    const Pipes *p = job->pipes;
    int i = map_i - job->region->i, j = map_j - job->region->j;
    if (!silt_region_owns(job->region, p->terrain->width, p->terrain->height, i, j))
        return 0;
    return (int64_t)(could_at(p, i, j) * (float)FINE);
}

static void look_rows(void *context, int begin, int end)
{
    LookJob *job = context;
    int last_i = job->region->map_width - 1, last_j = job->region->map_height - 1, stride = job->stride;
    int64_t sum = 0;
    for (int row = begin; row < end; row++)
        for (int i = stride / 2; i <= last_i / 2; i += stride) {
            int j = stride / 2 + row * stride;
            sum += look_at(job, i, j) + look_at(job, last_i - i, j);
            sum += look_at(job, i, last_j - j) + look_at(job, last_i - i, last_j - j);
        }
    atomic_fetch_add(&job->sum, sum);
}

// The sum over some cells, which lie alike from all sides of the map, in whole numbers: a map turned by a
// right angle has the same, on any number of threads and in any regions. In metres.
static double look(const Pipes *p)
{
    const SiltRegion *region = silt_grid_region(p->grid);
    LookJob job = {.pipes = p, .region = region, .stride = stride_of(region)};
    int rows = ((region->map_height - 1) / 2 - job.stride / 2) / job.stride + 1;
    silt_parallel(rows, 4, look_rows, &job);
    const int64_t high = INT64_C(1) << 32; // in two parts, of which any sum is exact
    double parts[] = {(double)(job.sum / high), (double)(job.sum % high)};
    silt_region_fold(region, SILT_FOLD_SUM, parts, 2);
    return (double)((int64_t)parts[0] * high + (int64_t)parts[1]) / FINE;
}

// ---- on a device ----

typedef struct Watch {
    const Pipes *pipes;
    SiltGridPlace *places; // NULL: they are only counted
    int count;
} Watch;

static void add_place(Watch *watch, int field, int i, int j)
{
    const SiltTerrain *terrain = watch->pipes->terrain;
    if (i < 0 || j < 0 || i >= terrain->width || j >= terrain->height)
        return;
    if (watch->places)
        watch->places[watch->count] = (SiltGridPlace){field, i, j};
    watch->count++;
}

// What could_at reads.
static void watch_cell(Watch *watch, int i, int j)
{
    static const int beside[][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int k = 0; k < 5; k++)
        add_place(watch, GROUND, i + beside[k][0], j + beside[k][1]);
    add_place(watch, WATER, i, j);
    for (int d = 0; d < watch->pipes->directions; d++) {
        add_place(watch, FLUX + d, i, j);
        add_place(watch, FLUX + d, d == SOUTH ? i : d == SOUTH_WEST ? i + 1 : i - 1, d == EAST ? j : j - 1);
    }
}

static void watch_all(Watch *watch)
{
    const SiltRegion *region = silt_grid_region(watch->pipes->grid);
    int last_i = region->map_width - 1, last_j = region->map_height - 1, stride = stride_of(region);
    for (int j = stride / 2; j <= last_j / 2; j += stride)
        for (int i = stride / 2; i <= last_i / 2; i += stride) {
            watch_cell(watch, i, j);
            watch_cell(watch, last_i - i, j);
            watch_cell(watch, i, last_j - j);
            watch_cell(watch, last_i - i, last_j - j);
        }
}

static int compare_places(const void *a, const void *b)
{
    const SiltGridPlace *one = a, *other = b;
    int by_field = (one->field > other->field) - (one->field < other->field);
    int by_row = (one->j > other->j) - (one->j < other->j);
    return by_field ? by_field : by_row ? by_row : (one->i > other->i) - (one->i < other->i);
}

// As they lie in memory, each of them once; how many are left.
static int sort_places(SiltGridPlace *places, int count)
{
    int kept = 0;
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare_places(&places[kept - 1], &places[k]) != 0)
            places[kept++] = places[k];
    return kept;
}

SiltStatus silt_pipes_watch(Pipes *p)
{
    Watch watch = {.pipes = p};
    if (!silt_grid_is_on_device(p->grid))
        return SILT_OK;
    watch_all(&watch);
    SiltStatus status =
        silt_alloc_for("erode pipes", (size_t)watch.count, sizeof *p->watched, (void **)&p->watched);
    if (status != SILT_OK)
        return status;
    watch = (Watch){.pipes = p, .places = p->watched};
    watch_all(&watch);
    return silt_grid_watch(p->grid, p->watched, sort_places(p->watched, watch.count));
}

bool silt_pipes_follow(Pipes *p)
{
    const double notable = 0.005; // smaller changes wait until they have added up
    enum { PATIENCE = 8 };        // steps until the next look where nothing grows
    if (p->step_index < p->next_look)
        return true;
    if (silt_grid_look(p->grid) != SILT_OK)
        return true; // the device has failed, and the run will say so
    double now = look(p);
    bool known = p->could > 0.0 && now > 0.0;
    double factor = known ? fmin(fmax(now / p->could, 0.25), 4.0) : 1.0;
    if (!known) // nothing is there yet to be evened out
        p->carrying.evening = silt_evening_none;
    bool grows = !known || fabs(factor - 1.0) > notable;
    p->next_look = p->step_index + (grows ? 1 : PATIENCE);
    if (!grows)
        return true;
    p->growth = (float)factor;
    p->could = now;
    return false;
}
