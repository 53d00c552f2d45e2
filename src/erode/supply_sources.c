// Sources of water and rock: discs with a rate that flow from one moment to another, and springs that are
// painted.
#include "erode/supply_sources.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "erode/supply.h"
#include "physics/decay.h"
#include "physics/grains.h"
#include "terrain/terrain.h"

enum { X, Y, RATE, RADIUS, START, STOP, SEDIMENT, COLUMNS };

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

// The cells of the map that a source wets.
typedef struct Footprint {
    double i, j, radius; // in cells
    int first_i, last_i, first_j, last_j;
    int shape;
} Footprint;

static Footprint footprint(const SiltSupply *supply, const double *source)
{
    double cell = supply->terrain->cell;
    int last_i = supply->region.map_width - 1, last_j = supply->region.map_height - 1;
    Footprint print = {.i = source[X] / cell - 0.5,
                       .j = source[Y] / cell - 0.5,
                       .radius = source[RADIUS] / cell,
                       .shape = supply->params->source_shape};
    if (print.shape == SILT_SOURCE_POINT || print.radius < 0.5) { // all of it into the one cell
        print.i = fmin(floor(source[X] / cell), last_i);
        print.j = fmin(floor(source[Y] / cell), last_j);
        print.radius = 0.5;
        print.shape = SILT_SOURCE_BOX;
    }
    double reach = print.shape == SILT_SOURCE_GAUSSIAN ? 3.0 * print.radius : print.radius;
    print.first_i = (int)fmax(ceil(print.i - reach), 0.0);
    print.first_j = (int)fmax(ceil(print.j - reach), 0.0);
    print.last_i = (int)fmin(floor(print.i + reach), last_i);
    print.last_j = (int)fmin(floor(print.j + reach), last_j);
    return print;
}

// Those of them that lie on the terrain; with `own` those that count.
static Footprint on_terrain(const SiltSupply *supply, Footprint print, bool own)
{
    const SiltRegion *r = &supply->region;
    print.first_i = silt_maxi(print.first_i, r->i + (own ? r->west : 0));
    print.first_j = silt_maxi(print.first_j, r->j + (own ? r->north : 0));
    print.last_i = silt_mini(print.last_i, r->i + supply->terrain->width - (own ? r->east : 0) - 1);
    print.last_j = silt_mini(print.last_j, r->j + supply->terrain->height - (own ? r->south : 0) - 1);
    return print;
}

static double print_weight(const Footprint *print, int i, int j)
{
    return source_weight(print->shape, (i - print->i) / print->radius, (j - print->j) / print->radius);
}

// The sum of the weights of all of a source's cells with data, and whether there are others. Weights are
// floats above 2^-7, so that sums of millions are exact and have no order.
static void sum_weights(SiltSupply *supply)
{
    const SiltTerrain *terrain = supply->terrain;
    int count = supply->params->sources.count;
    double *sums = supply->source_sums, *partial = sums + count;
    for (int k = 0; k < count; k++) {
        Footprint print = on_terrain(supply, footprint(supply, source_row(supply, k)), true);
        for (int j = print.first_j; j <= print.last_j; j++)
            for (int i = print.first_i; i <= print.last_i; i++) {
                double weight = print_weight(&print, i, j);
                bool hole = silt_terrain_is_nodata(terrain, i - supply->region.i, j - supply->region.j);
                sums[k] += hole ? 0.0 : weight;
                partial[k] += hole && weight > 0.0 ? 1.0 : 0.0;
            }
    }
    silt_region_fold(&supply->region, SILT_FOLD_SUM, sums, 2 * count);
}

// What a source brings is cut to whole multiples of 2^-40 m/s: then sums in double are exact, and a source
// that ends leaves nothing behind.
static double exact_rate(double rate)
{
    return nearbyint(rate * 0x1p40) * 0x1p-40;
}

// `times` a rate for good, and shown; or for this step alone.
static void add_rate(double *exact, float *shown, double rate, double times, bool lasts)
{
    *exact += lasts ? times * rate : 0.0;
    *shown = lasts ? (float)*exact : *shown + (float)(times * rate);
}

static void add_source(SiltSupply *supply, int index, double times, bool lasts)
{
    const SiltTerrain *terrain = supply->terrain;
    const double *source = source_row(supply, index);
    supply->source_changes++;
    Footprint print = on_terrain(supply, footprint(supply, source), false);
    double rate = source[RATE] / (terrain->cell * terrain->cell * supply->source_sums[index]);
    for (int map_j = print.first_j; map_j <= print.last_j; map_j++)
        for (int map_i = print.first_i; map_i <= print.last_i; map_i++) {
            int i = map_i - supply->region.i, j = map_j - supply->region.j;
            if (silt_terrain_is_nodata(terrain, i, j))
                continue;
            size_t at = (size_t)j * (size_t)terrain->width + (size_t)i;
            double depth = rate * print_weight(&print, map_i, map_j);
            add_rate(&supply->exact_water[at], &silt_field_row(&supply->source_rate, j)[i], exact_rate(depth),
                     times, lasts);
            if (supply->exact_rock)
                add_rate(&supply->exact_rock[at], &silt_field_row(&supply->sediment_rate, j)[i],
                         exact_rate(depth * source[SEDIMENT]), times, lasts);
        }
}

// Sources that begin or end within a step run for their part of it: what the step shows is the mean of each
// rate over it, so that a source gives its rate times its time however time is cut.
void silt_sources_step(SiltSupply *supply, double time, double dt)
{
    int first = supply->next_event;
    for (; supply->next_event < supply->event_count; supply->next_event++) {
        const SiltSourceEvent *event = &supply->events[supply->next_event];
        if (event->time >= time + dt)
            break;
        add_source(supply, event->source, event->begins ? 1.0 : -1.0, true);
    }
    for (int k = first; k < supply->next_event; k++) {
        const SiltSourceEvent *event = &supply->events[k];
        double share = fmin(fmax((event->time - time) / dt, 0.0), 1.0); // of the step, before the event
        add_source(supply, event->source, event->begins ? -share : share, false);
    }
    supply->first_event = first;
}

// What runs now runs for the whole of the next step.
void silt_sources_finish(SiltSupply *supply)
{
    for (int k = supply->first_event; k < supply->next_event; k++)
        add_source(supply, supply->events[k].source, 0.0, true);
    supply->first_event = supply->next_event;
}

void silt_sources_skip(SiltSupply *supply, double time)
{
    int next = supply->next_event;
    for (; next < supply->event_count && supply->events[next].time < time; next++)
        add_source(supply, supply->events[next].source, supply->events[next].begins ? 1.0 : -1.0, true);
    supply->next_event = supply->first_event = next;
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
    double cell = supply->terrain->cell;
    double width = supply->region.map_width * cell, height = supply->region.map_height * cell;
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
    if (source[STOP] != 0.0 && source[STOP] <= fmax(source[START], 0.0))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: source %d stops at %g s, not after it starts at %g s (stop 0: for ever)", owner,
                         index + 1, source[STOP], source[START]);
    if (!(source[RATE] > 0.0))
        silt_warn("%s: source %d has a rate of 0 and gives no water", owner, index + 1);
    return SILT_OK;
}

// A source must have ground to spring from; what of it lies on cells without data comes out on the rest.
static SiltStatus check_ground(const SiltSupply *supply, const char *owner, int index)
{
    const double *source = source_row(supply, index);
    if (supply->source_sums[index] > 0.0)
        return SILT_OK;
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: source %d at %g, %g m lies where the terrain has no data; move it, or give it "
                     "a radius that reaches ground",
                     owner, index + 1, source[X], source[Y]);
}

// A source that is all right by itself must have ground too, of which the whole map decides.
static SiltStatus check_sources(SiltSupply *supply, const char *owner)
{
    int partial_count = 0, first = 0, count = supply->params->sources.count;
    SiltStatus status =
        silt_alloc_for(owner, 2 * (size_t)count, sizeof(double), (void **)&supply->source_sums);
    for (int k = 0; k < count && status == SILT_OK; k++)
        status = check_source(supply, owner, k);
    if (status == SILT_OK)
        sum_weights(supply);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        bool partial = supply->source_sums[count + k] > 0.0;
        status = check_ground(supply, owner, k);
        first = partial && partial_count == 0 ? k + 1 : first;
        partial_count += partial;
    }
    if (status == SILT_OK && partial_count > 0)
        silt_warn("%s: source %d%s partly where the terrain has no data; all of the water comes out on the "
                  "rest",
                  owner, first, partial_count > 1 ? " and others lie" : " lies");
    return status;
}

static SiltStatus make_rate(const char *owner, const SiltTerrain *terrain, SiltField *field, double **exact)
{
    SiltStatus status = silt_field_create(terrain->width, terrain->height, field);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)terrain->width * (size_t)terrain->height, sizeof(double),
                                (void **)exact);
    return status;
}

// ---- painted springs ----

// The share of a painted cell, as a whole multiple of 2^-20 of the brightest: sums are exact and have no
// order.
static double spring_share(const SiltSupply *supply, int i, int j, double most)
{
    double value = (double)silt_field_at(supply->springs, i, j);
    return silt_terrain_is_nodata(supply->terrain, i, j) ? 0.0 : nearbyint(value / most * 0x1p20) * 0x1p-20;
}

static SiltStatus add_springs(const char *owner, SiltSupply *supply)
{
    const SiltTerrain *terrain = supply->terrain;
    const SiltRegion *r = &supply->region;
    double most = 0.0, sum = 0.0;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            if (!silt_terrain_is_nodata(terrain, i, j))
                most = fmax(most, (double)silt_field_at(supply->springs, i, j));
    silt_region_fold(r, SILT_FOLD_MOST, &most, 1);
    if (!(most > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the layer '%s' is 0 everywhere: no spring is painted", owner,
                         supply->params->sources_map);
    for (int j = r->north; j < terrain->height - r->south; j++)
        for (int i = r->west; i < terrain->width - r->east; i++)
            sum += spring_share(supply, i, j, most);
    silt_region_fold(r, SILT_FOLD_SUM, &sum, 1);
    double rate = supply->params->sources_rate / (terrain->cell * terrain->cell * sum);
    supply->source_changes++;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            add_rate(&supply->exact_water[(size_t)j * (size_t)terrain->width + (size_t)i],
                     &silt_field_row(&supply->source_rate, j)[i],
                     exact_rate(rate * spring_share(supply, i, j, most)), 1.0, true);
    return SILT_OK;
}

SiltStatus silt_springs_begin(const char *owner, SiltSupply *supply)
{
    SiltStatus status = silt_terrain_find_layer(supply->terrain, supply->params->sources_map, "sources_map",
                                                NULL, owner, &supply->springs);
    if (status != SILT_OK || !supply->springs)
        return status;
    if (!supply->source_rate.data)
        status = make_rate(owner, supply->terrain, &supply->source_rate, &supply->exact_water);
    return status == SILT_OK ? add_springs(owner, supply) : status;
}

SiltStatus silt_sources_begin(const char *owner, SiltSupply *supply)
{
    const SiltList *sources = &supply->params->sources;
    if (sources->count == 0)
        return SILT_OK;
    SiltStatus status = check_sources(supply, owner);
    if (status != SILT_OK)
        return status;
    bool muddy = false;
    int timed = 0;
    for (int k = 0; k < sources->count; k++) {
        const double *source = source_row(supply, k);
        muddy = muddy || source[SEDIMENT] > 0.0;
        timed += (source[START] > 0.0) + (source[STOP] > 0.0);
    }
    status = make_rate(owner, supply->terrain, &supply->source_rate, &supply->exact_water);
    if (status == SILT_OK && muddy)
        status = make_rate(owner, supply->terrain, &supply->sediment_rate, &supply->exact_rock);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)timed, sizeof(SiltSourceEvent), (void **)&supply->events);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < sources->count; k++) {
        const double *source = source_row(supply, k);
        double start = fmax(source[START], 0.0), stop = source[STOP];
        if (start > 0.0)
            supply->events[supply->event_count++] = (SiltSourceEvent){start, k, true};
        else
            add_source(supply, k, 1.0, true);
        if (stop > 0.0)
            supply->events[supply->event_count++] = (SiltSourceEvent){stop, k, false};
    }
    qsort(supply->events, (size_t)supply->event_count, sizeof(SiltSourceEvent), compare_events);
    return SILT_OK;
}
