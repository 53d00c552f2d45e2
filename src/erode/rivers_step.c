// One step of `rivers`: where water runs, uplift, creep, rivers and slides, and what they leave in the maps.
// It can be left between its parts: until it is booked all that a run keeps is as it was.
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "erode/rivers.h"
#include "physics/power.h"
#include "terrain/terrain.h"

static void round_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    for (int j = begin; j < end; j++) {
        float *ground = silt_field_row(&rivers->ground->layers[0]->field, j);
        const double *height = rivers->height + (size_t)j * (size_t)rivers->terrain->width;
        for (int i = 0; i < rivers->terrain->width; i++)
            ground[i] = (float)height[i];
    }
}

// False: somebody wants the run to stop.
static bool find_ways(Rivers *rivers)
{
    return silt_drainage_update(rivers->drainage, rivers->ground, &rivers->options) != SILT_CANCELLED;
}

// Cannot fail: the size is the same, the heights are finite, and all memory was taken at the beginning.
bool silt_rivers_route(Rivers *rivers)
{
    silt_parallel(rivers->terrain->height, 16, round_rows, rivers);
    silt_rivers_choose_outlets(rivers);
    bool opened = false;
    if (!find_ways(rivers) || silt_rivers_open_pieces(rivers, &opened) != SILT_OK ||
        (opened && !find_ways(rivers)))
        return false;
    return !silt_is_stopped();
}

// What creep gave to each cell; returns what it took from others.
static double keep_soil(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width;
    double moved = 0.0;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        float gain = (float)(rivers->height[c] - rivers->next[c]);
        rivers->soil[c] = gain;
        moved += gain < 0.0f && rivers->kind[c] != RIVERS_WALL ? -(double)gain : 0.0;
    }
    return moved;
}

// What became of a cell goes into the maps; loose material goes first.
static void record(float gain, float *wear, float *laid, float *deposit)
{
    *wear += gain < 0.0f ? -gain : 0.0f;
    *laid += gain > 0.0f ? gain : 0.0f;
    *deposit = *deposit + gain > 0.0f ? *deposit + gain : 0.0f;
}

// First by creep, then by rivers; returns what these took.
static double record_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    int width = rivers->terrain->width;
    bool creeps = rivers->params->diffusion > 0.0;
    double moved = 0.0;
    for (int j = begin; j < end; j++) {
        float *wear = silt_field_row(&rivers->wear, j), *laid = silt_field_row(&rivers->deposition, j);
        float *deposit = silt_field_row(&rivers->deposit, j);
        size_t row = (size_t)j * (size_t)width;
        for (int i = 0; i < width; i++) {
            size_t c = row + (size_t)i;
            if (rivers->kind[c] == RIVERS_WALL)
                continue;
            float gain = (float)(rivers->next[c] - rivers->height[c]);
            if (creeps)
                record(rivers->soil[c], &wear[i], &laid[i], &deposit[i]);
            record(gain, &wear[i], &laid[i], &deposit[i]);
            moved += gain < 0.0f ? -(double)gain : 0.0;
        }
    }
    return moved;
}

static void keep_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width, at = (size_t)begin * width;
    memcpy(rivers->next + at, rivers->height + at, (size_t)(end - begin) * width * sizeof(double));
}

// Hillslopes: what left and what moved. False: somebody wants the run to stop.
static bool creep(Rivers *rivers, double *left, double *moved)
{
    if (!(rivers->params->diffusion > 0.0))
        return true;
    silt_parallel(rivers->terrain->height, 16, keep_rows, rivers);
    if (!silt_rivers_creep(rivers, left))
        return false;
    *moved = silt_parallel_sum(rivers->terrain->height, keep_soil, rivers);
    return !silt_is_stopped();
}

// Rivers: what they cut, and what slides, where their sediment is that of the step before. False: somebody
// wants the run to stop.
static bool cut(Rivers *rivers)
{
    bool wanders = rivers->params->lateral > 0.0 && rivers->params->channel_width > 0.0;
    return silt_rivers_incise(rivers) && (!wanders || silt_rivers_plane(rivers));
}

// The same, and what left. Creep comes before them, so that no pit is left behind where lakes are carved.
// What rivers brought in the step before is in `crept` from where they carry on, and free in the first step.
static bool flow(Rivers *rivers, double *left)
{
    if (!cut(rivers))
        return false;
    silt_rivers_find_slides(rivers);
    if (silt_is_stopped())
        return false;
    silt_rivers_slide(rivers);
    if (silt_is_stopped())
        return false;
    bool first = !(rivers->time > 0.0);
    if (!silt_rivers_carry(rivers, left))
        return false;
    if (first &&
        rivers->params->deposition > 0.0) { // once more: what rivers bring is that of the step before
        if (!cut(rivers))
            return false;
        silt_rivers_slide(rivers);
        if (silt_is_stopped() || !silt_rivers_carry(rivers, left))
            return false;
    }
    return !rivers->drainage->landlocked || silt_rivers_fill_sinks(rivers);
}

static void swap(double **a, double **b)
{
    double *own = *a;
    *a = *b;
    *b = own;
}

// The mean over a step of what multiplies uplift: 2^(-t / wane), and 1 + or - pulse_strength by turns, whose
// sum from the beginning is t and a triangle.
static double rising(const RiversParams *params, double from, double to)
{
    double factor = 1.0, years = to - from;
    if (!(years > 0.0))
        return 1.0;
    if (params->wane > 0.0) {
        double passes = years / params->wane, left = silt_power(2.0, -from / params->wane);
        const double ln2 = 0.693147180559945309417;
        double mean = passes > 1e-6 ? (1.0 - silt_power(2.0, -passes)) / (passes * ln2) : 1.0;
        factor *= left * mean;
    }
    if (params->pulse > 0.0) {
        double begin = from / params->pulse, end = to / params->pulse;
        begin -= floor(begin);
        end -= floor(end);
        double gain = (end < 0.5 ? end : 1.0 - end) - (begin < 0.5 ? begin : 1.0 - begin);
        factor *= 1.0 + params->pulse_strength * gain * params->pulse / years;
    }
    return factor;
}

static void dry_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->terrain->width;
    memset(rivers->flux + (size_t)begin * width, 0, (size_t)(end - begin) * width * sizeof(double));
}

typedef struct Books {
    double raised, crept, left; // m over a cell: what came with the land, and what left
    double slow, fast;          // what creep and rivers moved
} Books;

// All of a step but what it leaves: until that is booked the heights it began with are in `begun`.
static bool work(Rivers *rivers, Books *books)
{
    if (!silt_rivers_route(rivers))
        return false;
    silt_rivers_gather_rain(rivers);
    if (silt_is_stopped())
        return false;
    books->raised = silt_rivers_prepare(rivers);
    swap(&rivers->height, &rivers->begun);
    rivers->has_carried = false;
    bool done = !silt_is_stopped();
    if (done)
        silt_rivers_lay_belts(rivers);
    done = done && !silt_is_stopped() && creep(rivers, &books->crept, &books->slow) &&
           flow(rivers, &books->left);
    if (!done) { // as it was; what rivers bring comes to be with the first step
        swap(&rivers->height, &rivers->begun);
        if (rivers->has_carried)
            swap(&rivers->flux, &rivers->crept);
        if (!(rivers->time > 0.0))
            silt_parallel(rivers->terrain->height, 16, dry_rows, rivers);
    }
    return done;
}

double silt_rivers_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    (void)counters;
    Rivers *rivers = state;
    double area = rivers->terrain->cell * rivers->terrain->cell;
    Books books = {0};
    rivers->dt = time_left < rivers->params->step ? time_left : rivers->params->step;
    double since = rivers->began + rivers->time;
    rivers->rising = rising(rivers->params, since, since + rivers->dt);
    bool done = work(rivers, &books);
    silt_rivers_settle_pieces(rivers, done);
    if (!done)
        return -1.0;
    books.fast = silt_parallel_sum(rivers->terrain->height, record_rows, rivers);
    silt_rivers_raise(rivers);
    swap(&rivers->height, &rivers->next);
    double raised = books.raised * area, moved = books.slow;
    moved += books.fast;
    ledger->rock.added += raised > 0.0 ? raised : 0.0;
    ledger->rock.removed -= raised < 0.0 ? raised : 0.0; // land that sinks is rock that leaves
    ledger->rock.removed += books.crept * area;
    ledger->rock.removed += books.left * area;
    ledger->rock.moved += moved * area;
    rivers->time += rivers->dt;
    return rivers->dt;
}
