#include "erode/supply.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/streams.h"
#include "physics/decay.h"
#include "physics/random.h"

enum { X, Y, RATE, RADIUS, START, STOP, SEDIMENT, COLUMNS };

static const float mm_per_hour = 1.0f / 3.6e6f; // in m/s

// ---- sources ----

static const double *source_row(const SiltSupply *supply, int index)
{
    return supply->params->sources.values + (size_t)index * COLUMNS;
}

// Weight of a source at a distance of (dx, dy) radii.
static double source_weight(int shape, double dx, double dy)
{
    if (shape == SILT_SOURCE_BOX)
        return fabs(dx) <= 1.0 && fabs(dy) <= 1.0 ? 1.0 : 0.0;
    double square = dx * dx + dy * dy; // the Gaussian is cut off at three deviations
    return square <= 9.0 ? (double)silt_decay((float)(0.5 * square)) : 0.0;
}

typedef struct Footprint {
    double i, j, radius; // in cells
    int first_i, last_i, first_j, last_j;
    int shape;
} Footprint;

static Footprint footprint(const SiltSupply *supply, const double *source)
{
    const SiltTerrain *terrain = supply->terrain;
    Footprint print = {.i = source[X] / terrain->cell - 0.5,
                       .j = source[Y] / terrain->cell - 0.5,
                       .radius = source[RADIUS] / terrain->cell,
                       .shape = supply->params->source_shape};
    if (print.shape == SILT_SOURCE_POINT || print.radius < 0.5) { // all of it into the one cell
        print.i = fmin(floor(source[X] / terrain->cell), terrain->width - 1);
        print.j = fmin(floor(source[Y] / terrain->cell), terrain->height - 1);
        print.radius = 0.5;
        print.shape = SILT_SOURCE_BOX;
    }
    double reach = print.shape == SILT_SOURCE_GAUSSIAN ? 3.0 * print.radius : print.radius;
    print.first_i = (int)fmax(ceil(print.i - reach), 0.0);
    print.first_j = (int)fmax(ceil(print.j - reach), 0.0);
    print.last_i = (int)fmin(floor(print.i + reach), terrain->width - 1);
    print.last_j = (int)fmin(floor(print.j + reach), terrain->height - 1);
    return print;
}

static double print_weight(const Footprint *print, int i, int j)
{
    return source_weight(print->shape, (i - print->i) / print->radius, (j - print->j) / print->radius);
}

static double print_sum(const SiltTerrain *terrain, const Footprint *print)
{
    double sum = 0.0;
    for (int j = print->first_j; j <= print->last_j; j++)
        for (int i = print->first_i; i <= print->last_i; i++)
            sum += silt_terrain_is_nodata(terrain, i, j) ? 0.0 : print_weight(print, i, j);
    return sum;
}

// What a source brings is cut to whole multiples of 2^-40 m/s: then sums in double are exact, and a source
// that ends leaves nothing behind.
static double exact_rate(double rate)
{
    return nearbyint(rate * 0x1p40) * 0x1p-40;
}

static void switch_source(SiltSupply *supply, int index, double sign)
{
    const SiltTerrain *terrain = supply->terrain;
    const double *source = source_row(supply, index);
    Footprint print = footprint(supply, source);
    double sum = print_sum(terrain, &print);
    if (!(sum > 0.0)) // it springs from cells without data
        return;
    double rate = source[RATE] / (terrain->cell * terrain->cell * sum);
    for (int j = print.first_j; j <= print.last_j; j++)
        for (int i = print.first_i; i <= print.last_i; i++) {
            size_t at = (size_t)j * (size_t)terrain->width + (size_t)i;
            double depth = silt_terrain_is_nodata(terrain, i, j) ? 0.0 : rate * print_weight(&print, i, j);
            supply->exact_water[at] += sign * exact_rate(depth);
            silt_field_row(&supply->source_rate, j)[i] = (float)supply->exact_water[at];
            if (supply->exact_rock) {
                supply->exact_rock[at] += sign * exact_rate(depth * source[SEDIMENT]);
                silt_field_row(&supply->sediment_rate, j)[i] = (float)supply->exact_rock[at];
            }
        }
}

static int compare_events(const void *a, const void *b)
{
    const SiltSourceEvent *first = a, *second = b;
    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    return first->source - second->source;
}

static SiltStatus check_source(const SiltSupply *supply, const char *owner, int index)
{
    const double *source = source_row(supply, index);
    const SiltTerrain *terrain = supply->terrain;
    double width = terrain->width * terrain->cell, height = terrain->height * terrain->cell;
    if (!(source[X] >= 0.0 && source[X] <= width && source[Y] >= 0.0 && source[Y] <= height))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: source %d at %g, %g m lies off the map, which is %g x %g m from its "
                         "north-western corner",
                         owner, index + 1, source[X], source[Y], width, height);
    if (!(source[RATE] >= 0.0 && source[RATE] <= 1e7) || !(source[RADIUS] >= 0.0 && source[RADIUS] <= 1e6))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: source %d: its rate must be 0 to 1e7 m3/s and its radius 0 to 1e6 m", owner,
                         index + 1);
    if (!(source[SEDIMENT] >= 0.0 && source[SEDIMENT] <= 0.5))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: source %d: sediment = %g must be 0 to 0.5 of the water",
                         owner, index + 1, source[SEDIMENT]);
    return SILT_OK;
}

static SiltStatus make_rate(const char *owner, const SiltTerrain *terrain, SiltField *field, double **exact)
{
    SiltStatus status = silt_field_create(terrain->width, terrain->height, field);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)terrain->width * (size_t)terrain->height, sizeof(double),
                                (void **)exact);
    return status;
}

static SiltStatus begin_sources(const char *owner, SiltSupply *supply)
{
    const SiltList *sources = &supply->params->sources;
    if (sources->count == 0)
        return SILT_OK;
    bool muddy = false;
    int timed = 0;
    for (int k = 0; k < sources->count; k++) {
        SiltStatus checked = check_source(supply, owner, k);
        if (checked != SILT_OK)
            return checked;
        const double *source = source_row(supply, k);
        muddy = muddy || source[SEDIMENT] > 0.0;
        timed += (source[START] > 0.0) + (source[STOP] > 0.0);
    }
    SiltStatus status = make_rate(owner, supply->terrain, &supply->source_rate, &supply->exact_water);
    if (status == SILT_OK && muddy)
        status = make_rate(owner, supply->terrain, &supply->sediment_rate, &supply->exact_rock);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)timed, sizeof(SiltSourceEvent), (void **)&supply->events);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < sources->count; k++) {
        const double *source = source_row(supply, k);
        double start = fmax(source[START], 0.0), stop = source[STOP];
        if (stop > 0.0 && stop <= start) // it never runs
            continue;
        if (start > 0.0)
            supply->events[supply->event_count++] = (SiltSourceEvent){start, k, true};
        else
            switch_source(supply, k, 1.0);
        if (stop > 0.0)
            supply->events[supply->event_count++] = (SiltSourceEvent){stop, k, false};
    }
    qsort(supply->events, (size_t)supply->event_count, sizeof(SiltSourceEvent), compare_events);
    return SILT_OK;
}

// ---- drops ----

static double drop_spacing(const SiltSupply *supply)
{
    double wanted = supply->params->drop_spacing, cell = supply->terrain->cell;
    return wanted > 0.0 ? fmax(wanted, cell) : 8.0 * cell;
}

// Of a disc of `reach` cells, `dj` rows off its centre.
static int half_width(int reach, int dj)
{
    return (int)sqrt((double)(reach * reach - dj * dj));
}

static SiltStatus begin_drops(const char *owner, SiltSupply *supply)
{
    const SiltTerrain *terrain = supply->terrain;
    if (supply->params->rain_pattern == SILT_RAIN_STEADY)
        return SILT_OK;
    double spacing = drop_spacing(supply) / terrain->cell;
    double count = ceil((double)terrain->width * (double)terrain->height / (spacing * spacing));
    supply->drop_capacity = (int)fmin(fmax(count, 1.0), 1e8);
    supply->drop_reach = (int)fmin(supply->params->drop_radius / terrain->cell, 256.0);
    for (int dj = -supply->drop_reach; dj <= supply->drop_reach; dj++)
        supply->drop_cells += 2 * half_width(supply->drop_reach, dj) + 1;
    size_t capacity = (size_t)supply->drop_capacity;
    SiltStatus status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->drops);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, capacity, sizeof(SiltDrop), (void **)&supply->unsorted);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)terrain->height + 1, sizeof(int), (void **)&supply->drop_row);
    return status;
}

// The binary digits of `index` mirrored behind the point: one coordinate of the Hammersley set.
static double mirrored(uint32_t index)
{
    double value = 0.0, digit = 0.5;
    for (; index; index >>= 1, digit *= 0.5)
        value += (index & 1) ? digit : 0.0;
    return value;
}

// Drop k of fall `fall`. The Hammersley set is shifted from fall to fall, so that all cells get their turn.
static SiltDrop drop_at(const SiltSupply *supply, int k, int64_t fall)
{
    bool even = supply->params->rain_pattern == SILT_RAIN_HAMMERSLEY;
    SiltRandom random =
        silt_random(supply->seed, SILT_STREAM_RAIN, even ? UINT64_MAX : (uint64_t)k, (uint32_t)fall);
    double x = silt_uniform(random.word[0]), y = silt_uniform(random.word[1]);
    if (even) {
        x += ((double)k + 0.5) / supply->drop_capacity;
        y += mirrored((uint32_t)k);
        x -= floor(x);
        y -= floor(y);
    }
    int width = supply->terrain->width, height = supply->terrain->height;
    SiltDrop drop = {(int)(x * width), (int)(y * height)};
    drop.i = drop.i < width ? drop.i : width - 1;
    drop.j = drop.j < height ? drop.j : height - 1;
    return drop;
}

static double fall_time(const SiltSupply *supply, int64_t fall)
{
    SiltRandom random = silt_random(supply->seed, SILT_STREAM_RAIN, UINT64_MAX - 1, (uint32_t)fall);
    return ((double)fall + supply->params->drop_jitter * (double)silt_uniform(random.word[0])) *
           supply->params->drop_interval;
}

// Counts the falls in [time, time + dt) and names the last.
static int count_falls(const SiltSupply *supply, double time, double dt, int64_t *last)
{
    double interval = supply->params->drop_interval;
    if (dt > 1000.0 * interval) {
        *last = (int64_t)(time / interval);
        return (int)fmin(dt / interval, 1e9);
    }
    int count = 0;
    int64_t first = (int64_t)floor(time / interval) - 1;
    for (int64_t fall = first > 0 ? first : 0; (double)fall * interval < time + dt; fall++) {
        double at = fall_time(supply, fall);
        if (at >= time && at < time + dt) {
            count++;
            *last = fall;
        }
    }
    return count;
}

// Drops sorted by row, in the order of their numbers within a row.
static void let_drops_fall(SiltSupply *supply, double time, double dt)
{
    int64_t fall = 0;
    int falls = count_falls(supply, time, dt, &fall);
    int height = supply->terrain->height;
    supply->drop_count = falls > 0 ? supply->drop_capacity : 0;
    double cells = (double)supply->terrain->width * (double)height;
    supply->drop_share =
        (float)(falls * supply->params->drop_interval * cells / (double)supply->drop_capacity);
    for (int j = 0; j <= height; j++)
        supply->drop_row[j] = 0;
    for (int k = 0; k < supply->drop_count; k++) {
        supply->unsorted[k] = drop_at(supply, k, fall);
        supply->drop_row[supply->unsorted[k].j + 1]++;
    }
    for (int j = 0; j < height; j++)
        supply->drop_row[j + 1] += supply->drop_row[j];
    for (int k = supply->drop_count - 1; k >= 0;
         k--) // from the back: the ends of the rows become their beginnings
        supply->drops[--supply->drop_row[supply->unsorted[k].j + 1]] = supply->unsorted[k];
    for (int j = 0; j < height; j++) // now entry j + 1 holds where row j begins
        supply->drop_row[j] = supply->drop_row[j + 1];
    supply->drop_row[height] = supply->drop_count;
}

// ---- beginning and end ----

SiltStatus silt_supply_begin(const char *owner, const SiltSupplyParams *params, SiltTerrain *terrain,
                             const SiltRun *run, SiltSupply *supply)
{
    *supply = (SiltSupply){.params = params, .terrain = terrain, .seed = run ? run->seed : 0};
    if (params->rain_map[0]) {
        supply->rain_map = silt_terrain_layer(terrain, params->rain_map);
        if (!supply->rain_map)
            return silt_fail(SILT_BAD_ARGUMENT, "%s: rain_map = %s: the terrain has no layer of that name",
                             owner, params->rain_map);
        if (supply->rain_map->width != terrain->width || supply->rain_map->height != terrain->height)
            return silt_fail(SILT_BAD_ARGUMENT, "%s: the rain map has %d x %d cells, the terrain %d x %d",
                             owner, supply->rain_map->width, supply->rain_map->height, terrain->width,
                             terrain->height);
    }
    SiltStatus status =
        silt_alloc_for(owner, (size_t)terrain->width, sizeof(float), (void **)&supply->constant);
    if (status == SILT_OK)
        status = begin_sources(owner, supply);
    if (status == SILT_OK)
        status = begin_drops(owner, supply);
    return status;
}

void silt_supply_end(SiltSupply *supply)
{
    silt_field_destroy(&supply->source_rate);
    silt_field_destroy(&supply->sediment_rate);
    silt_free(supply->exact_water);
    silt_free(supply->exact_rock);
    silt_free(supply->events);
    silt_free(supply->drops);
    silt_free(supply->unsorted);
    silt_free(supply->drop_row);
    silt_free(supply->constant);
    *supply = (SiltSupply){0};
}

// ---- a step ----

void silt_supply_step(SiltSupply *supply, double time, double dt)
{
    const SiltSupplyParams *params = supply->params;
    supply->dt = (float)dt;
    for (; supply->next_event < supply->event_count; supply->next_event++) {
        const SiltSourceEvent *event = &supply->events[supply->next_event];
        if (event->time > time)
            break;
        switch_source(supply, event->source, event->begins ? 1.0 : -1.0);
    }
    if (params->rain_pattern != SILT_RAIN_STEADY)
        let_drops_fall(supply, time, dt);
    supply->paint = silt_terrain_layer(supply->terrain, "paint");
    supply->is_constant = silt_supply_is_steady(supply);
    float depth = (float)(params->rain * dt) * mm_per_hour;
    for (int i = 0; supply->is_constant && i < supply->terrain->width; i++)
        supply->constant[i] = depth;
    float exponent = (float)(params->evaporation * dt);
    bool linear = params->evaporation_kind == SILT_EVAPORATION_LINEAR;
    supply->loss = linear ? silt_minf(exponent, 1.0f) : 1.0f - silt_decay(exponent);
    supply->decay = exponent * 1e-3f; // altitude in km
}

bool silt_supply_is_steady(const SiltSupply *supply)
{
    const SiltSupplyParams *params = supply->params;
    return params->rain_pattern == SILT_RAIN_STEADY && !supply->rain_map && params->rain_altitude == 0.0 &&
           !supply->source_rate.data && !silt_terrain_layer(supply->terrain, "paint");
}

void silt_supply_finish(SiltSupply *supply)
{
    if (supply->paint)
        silt_terrain_drop(supply->terrain, "paint");
    supply->paint = NULL;
}

bool silt_supply_needs_ground(const SiltSupply *supply)
{
    return supply->params->rain_altitude > 0.0 ||
           supply->params->evaporation_kind == SILT_EVAPORATION_ALTITUDE;
}

// ---- rows ----

// Rain in m/s (Neidhold eq. 24 for the part that grows with altitude).
static float rain_at(const SiltSupply *supply, int i, int j, const float *ground)
{
    float rate = supply->rain_map ? silt_maxf(silt_field_at(supply->rain_map, i, j), 0.0f)
                                  : (float)supply->params->rain;
    float height = supply->params->rain_altitude > 0.0 ? silt_maxf(ground[i], 0.0f) : 0.0f;
    return (rate + (float)supply->params->rain_altitude * height * height) * mm_per_hour;
}

static void steady_row(const SiltSupply *supply, int j, const float *ground, float *depth)
{
    for (int i = 0; i < supply->terrain->width; i++)
        depth[i] = rain_at(supply, i, j, ground) * supply->dt;
}

// Every drop spreads evenly over the cells within its radius, and each cell takes the rain of its own place.
static void drops_row(const SiltSupply *supply, int j, const float *ground, float *depth)
{
    int width = supply->terrain->width, height = supply->terrain->height;
    int reach = supply->drop_reach;
    float share = supply->drop_share / (float)supply->drop_cells;
    for (int i = 0; i < width; i++)
        depth[i] = 0.0f;
    int first = j - reach > 0 ? j - reach : 0, last = j + reach < height - 1 ? j + reach : height - 1;
    for (int k = supply->drop_row[first]; k < supply->drop_row[last + 1]; k++) {
        int dj = supply->drops[k].j - j, half = half_width(reach, dj);
        for (int i = supply->drops[k].i - half; i <= supply->drops[k].i + half; i++)
            if (i >= 0 && i < width)
                depth[i] += rain_at(supply, i, j, ground) * share;
    }
}

static void add_row(const SiltField *field, int j, float factor, int width, float *depth)
{
    const float *row = silt_field_row(field, j);
    for (int i = 0; i < width; i++)
        depth[i] += silt_maxf(row[i], 0.0f) * factor;
}

const float *silt_supply_row(const SiltSupply *supply, int j, const float *ground, float *buffer)
{
    if (supply->is_constant)
        return supply->constant;
    if (supply->params->rain_pattern == SILT_RAIN_STEADY)
        steady_row(supply, j, ground, buffer);
    else
        drops_row(supply, j, ground, buffer);
    if (supply->source_rate.data)
        add_row(&supply->source_rate, j, supply->dt, supply->terrain->width, buffer);
    if (supply->paint)
        add_row(supply->paint, j, 1.0f, supply->terrain->width, buffer);
    return buffer;
}

const float *silt_supply_sediment_row(const SiltSupply *supply, int j, float *buffer)
{
    if (!supply->sediment_rate.data)
        return NULL;
    for (int i = 0; i < supply->terrain->width; i++)
        buffer[i] = 0.0f;
    add_row(&supply->sediment_rate, j, supply->dt, supply->terrain->width, buffer);
    return buffer;
}

void silt_supply_loss_row(const SiltSupply *supply, const float *ground, int width, float *loss)
{
    bool by_altitude = supply->params->evaporation_kind == SILT_EVAPORATION_ALTITUDE;
    for (int i = 0; i < width; i++)
        loss[i] = by_altitude ? 1.0f - silt_decay(supply->decay * silt_maxf(ground[i], 0.0f)) : supply->loss;
}
