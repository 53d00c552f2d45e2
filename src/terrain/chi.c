// chi and steepness of streams (Perron & Royden 2013), the direction of flow and filled heights as layers.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "physics/power.h"
#include "terrain/streams.h"

double silt_stream_step(const SiltDrainage *d, int32_t c)
{
    int32_t to = d->receiver[c];
    if (to == c || to < 0)
        return 0.0;
    return d->cell * (c % d->width != to % d->width && c / d->width != to / d->width ? sqrt(2.0) : 1.0);
}

void silt_stream_joining(const SiltDrainage *d, const uint8_t *order, uint8_t *joining)
{
    memset(joining, 0, (size_t)d->width * (size_t)d->height);
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c && order[c] > 0)
            joining[to]++;
    }
}

int32_t silt_reach_end(const SiltDrainage *d, const uint8_t *joining, int32_t first)
{
    int32_t c = first;
    do
        c = d->receiver[c];
    while (joining[c] == 1 && d->receiver[c] != c);
    return c;
}

// ---- chi ----

static double integrand(const SiltDrainage *d, const SiltRiverOptions *options, int32_t c)
{
    return silt_power(options->reference_area / silt_drainage_catchment(d, c), options->concavity);
}

void silt_stream_chi(const SiltDrainage *d, const SiltRiverOptions *options, double *chi)
{
    memset(chi, 0, (size_t)d->width * (size_t)d->height * sizeof *chi);
    for (int32_t k = d->count - 1; k >= 0; k--) {
        int32_t c = d->order[k], to = d->receiver[c];
        if (to != c) // between two cells runs the water of the upper one alone
            chi[c] = chi[to] + integrand(d, options, c) * silt_stream_step(d, c);
    }
}

double silt_reach_steepness(const SiltDrainage *d, const SiltRiverOptions *options, const double *chi,
                            int32_t first, int32_t last)
{
    // least squares about the first point, which keeps the sums small
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int32_t c = first;; c = d->receiver[c]) {
        double x = chi[c] - chi[last], y = silt_drainage_surface(d, c) - silt_drainage_surface(d, last);
        n += 1.0, sx += x, sy += y, sxx += x * x, sxy += x * y;
        if (c == last)
            break;
    }
    double spread = n * sxx - sx * sx;
    if (!(spread > 1e-12 * n * sxx))
        return NAN;
    return (n * sxy - sx * sy) / spread * silt_power(options->reference_area, options->concavity);
}

// ---- layers ----

typedef struct Work {
    uint8_t *order, *joining;
    double *chi;
    SiltField *way, *filled, *chi_map, *ksn;
} Work;

static void put(SiltField *field, const SiltDrainage *d, int32_t c, double value)
{
    silt_field_row(field, c / d->width)[c % d->width] = (float)(isfinite(value) ? value : 0.0);
}

static double reach_length(const SiltDrainage *d, int32_t first, int32_t last)
{
    double length = 0.0;
    for (int32_t c = first; c != last; c = d->receiver[c])
        length += silt_stream_step(d, c);
    return length;
}

// A reach in pieces of about the wanted length, each with its own steepness.
static void map_reach(const SiltDrainage *d, const SiltRiverOptions *options, const Work *work, int32_t first)
{
    int32_t last = silt_reach_end(d, work->joining, first);
    double length = reach_length(d, first, last);
    double pieces = floor(length / options->segment + 0.5), piece = length / (pieces < 1.0 ? 1.0 : pieces);
    while (first != last) {
        double passed = 0.0;
        int32_t end = first;
        while (end != last && passed < piece * (1.0 - 1e-9)) {
            passed += silt_stream_step(d, end);
            end = d->receiver[end];
        }
        double ksn = silt_reach_steepness(d, options, work->chi, first, end);
        for (; first != end; first = d->receiver[first])
            put(work->ksn, d, first, ksn);
        if (end == last && d->receiver[end] == end)
            put(work->ksn, d, end, ksn); // a mouth belongs to the reach above it
    }
}

// East is 1, and on clockwise in powers of two: 2 south-east, 4 south to 128 north-east; 0 where water
// leaves.
static double direction_code(const SiltDrainage *d, int32_t c)
{
    static const int codes[3][3] = {{32, 64, 128}, {16, 0, 1}, {8, 4, 2}};
    int32_t to = d->receiver[c];
    return codes[to / d->width - c / d->width + 1][to % d->width - c % d->width + 1];
}

static void fill_layers(const SiltDrainage *d, const SiltRiverOptions *options, const Work *work)
{
    silt_stream_orders(d, options->channel_area, work->order);
    silt_stream_joining(d, work->order, work->joining);
    silt_stream_chi(d, options, work->chi);
    for (int32_t c = 0; c < d->width * d->height; c++) {
        bool has_data = d->receiver[c] >= 0;
        put(work->way, d, c, has_data ? direction_code(d, c) : 0.0);
        put(work->filled, d, c, has_data ? silt_drainage_surface(d, c) : 0.0);
        put(work->chi_map, d, c, has_data && work->order[c] > 0 ? work->chi[c] : 0.0);
        put(work->ksn, d, c, 0.0);
    }
    for (int32_t c = 0; c < d->width * d->height; c++)
        if (silt_reach_begins(d, work->order, work->joining, c))
            map_reach(d, options, work, c);
}

SiltStatus silt_rivers_analyse(const SiltDrainage *d, const SiltRiverOptions *options, SiltTerrain *out)
{
    Work work = {0};
    struct {
        const char *name;
        SiltField **field;
    } layers[] = {
        {"flow_direction", &work.way}, {"filled", &work.filled}, {"chi", &work.chi_map}, {"ksn", &work.ksn}};
    SiltStatus status = SILT_OK;
    size_t cells = (size_t)d->width * (size_t)d->height;
    for (size_t k = 0; k < sizeof layers / sizeof layers[0] && status == SILT_OK; k++)
        status = silt_terrain_require(out, layers[k].name, layers[k].field);
    if (status == SILT_OK)
        status = silt_alloc_for("streams", cells, 1, (void **)&work.order);
    if (status == SILT_OK)
        status = silt_alloc_for("streams", cells, 1, (void **)&work.joining);
    if (status == SILT_OK)
        status = silt_alloc_for("streams", cells, sizeof *work.chi, (void **)&work.chi);
    if (status == SILT_OK)
        fill_layers(d, options, &work);
    silt_free(work.order);
    silt_free(work.joining);
    silt_free(work.chi);
    return status;
}
