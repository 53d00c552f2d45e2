#include "couple/voxel_water.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "core/streams.h"
#include "couple/device_voxel.h"
#include "couple/voxel_meet.h"
#include "couple/voxel_pour.h"
#include "sph/near.h"

enum { X, Y, Z, LENGTH, WIDTH, HEIGHT };
enum { BOX_SEDIMENT = 6 };
enum { RATE = 6, SPEED_U, SPEED_V, SPEED_W, SEDIMENT, START, STOP };
enum { WAITING = 100, LANES = SILT_SPH_LANES, SPAN = 512, PROBES = 8 };

// ---- boxes and sources (3.2.1.5) ----

static const double *row_of(const SiltList *list, int index)
{
    return list->values + (size_t)index * (size_t)list->columns;
}

// How particles come from a box or a source; those of a box stand still and are clear.
static SiltPour pour_of(const SiltVoxelWater *water, const double *box)
{
    const SiltFluid *fluid = water->fluid;
    const SiltSphConfig *c = &fluid->sph->config;
    double near = 0.8 * c->spacing;
    SiltPour pour = {.corner = {box[X], box[Y], box[Z] - fluid->field.low},
                     .taken2 = near * near,
                     .seed = fluid->seed,
                     .frame = water->ground->frame,
                     .stream = SILT_STREAM_SPRINGS};
    for (int axis = 0; axis < 3; axis++) {
        pour.size[axis] = box[LENGTH + axis];
        pour.low[axis] = c->low[axis], pour.high[axis] = c->high[axis];
    }
    return pour;
}

static float units_of(const SiltVoxelWater *water, double sediment)
{
    return floorf((float)(sediment / water->most) * water->full);
}

static bool has_air(const SiltVoxelWater *water, const double *box)
{
    float at[3];
    SiltPour pour = pour_of(water, box);
    for (int n = 0; n < PROBES * PROBES * PROBES; n++) {
        double part[3] = {(n % PROBES + 0.5) / PROBES, (n / PROBES % PROBES + 0.5) / PROBES,
                          (n / (PROBES * PROBES) + 0.5) / PROBES};
        if (silt_pour_point(water->ground->volume, &pour, part, at))
            return true;
    }
    return false;
}

static SiltStatus check_box(const char *owner, const SiltVoxelWater *water, const char *kind, int index,
                            const double *box, double sediment)
{
    const SiltTerrain *terrain = water->fluid->field.terrain;
    double width = terrain->width * terrain->cell, height = terrain->height * terrain->cell;
    if (!(box[LENGTH] > 0.0 && box[WIDTH] > 0.0 && box[HEIGHT] > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s %d is %g x %g x %g m: each side must lie above zero",
                         owner, kind, index + 1, box[LENGTH], box[WIDTH], box[HEIGHT]);
    if (!(box[X] < width && box[X] + box[LENGTH] > 0.0 && box[Y] < height && box[Y] + box[WIDTH] > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %s %d at %g, %g m lies off the map, which is %g x %g m from its north-western "
                         "corner",
                         owner, kind, index + 1, box[X], box[Y], width, height);
    if (!(sediment >= 0.0 && sediment <= water->most))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s %d: sediment = %g must be 0 to %g of the water", owner,
                         kind, index + 1, sediment, water->most);
    if (!has_air(water, box))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %s %d lies within the rock; raise its z = %g m (heights here are %g to %g m)",
                         owner, kind, index + 1, box[Z], water->fluid->field.low,
                         water->fluid->field.low + (double)silt_heightfield_top(&water->fluid->field));
    return SILT_OK;
}

static SiltStatus check_source(const char *owner, const SiltVoxelWater *water, int index)
{
    const double *source = row_of(water->sources, index);
    double speed = fabs(source[SPEED_U]) + fabs(source[SPEED_V]) + fabs(source[SPEED_W]);
    if (!(source[RATE] >= 0.0 && source[RATE] <= 1e7) || !(speed <= 1e4))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: source %d: its rate must be 0 to 1e7 m3/s and its speed at most 1e4 m/s", owner,
                         index + 1);
    if (source[STOP] != 0.0 && source[STOP] <= source[START])
        return silt_fail(SILT_BAD_ARGUMENT, "%s: source %d stops at %g s and starts at %g s: it never runs",
                         owner, index + 1, source[STOP], source[START]);
    return check_box(owner, water, "source", index, source, source[SEDIMENT]);
}

static void load_last(SiltVoxelWater *water, float units, SiltLedger *ledger)
{
    SiltSph *sph = water->fluid->sph;
    sph->now.sediment[sph->count - 1] = units;
    ledger->rock.added += (double)units * water->fluid->field.unit;
}

// Whether a place lies in a box before this one.
static bool is_filled(const SiltVoxelWater *water, int index, const float at[3])
{
    for (int k = 0; k < index; k++)
        if (silt_box_holds(row_of(water->boxes, k), row_of(water->boxes, k)[Z] - water->fluid->field.low, at))
            return true;
    return false;
}

static SiltStatus fill_box(const char *owner, SiltVoxelWater *water, int index, SiltLedger *ledger)
{
    const double *box = row_of(water->boxes, index);
    SiltSph *sph = water->fluid->sph;
    double spacing = sph->config.spacing;
    const float still[3] = {0.0f, 0.0f, 0.0f};
    int size[3], placed = 0, shared = 0;
    SiltPour pour = pour_of(water, box);
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (int)fmin(fmax(floor(box[LENGTH + axis] / spacing + 0.001), 0.0), 1e6);
    for (int k = 0; k < size[2]; k++)
        for (int j = 0; j < size[1]; j++)
            for (int i = 0; i < size[0]; i++) {
                const double part[3] = {(i + 0.5) * spacing / box[LENGTH], (j + 0.5) * spacing / box[WIDTH],
                                        (k + 0.5) * spacing / box[HEIGHT]};
                float at[3];
                if (!silt_pour_point(water->ground->volume, &pour, part, at))
                    continue;
                if (is_filled(water, index, at)) {
                    shared++;
                    continue;
                }
                if (!silt_sph_add(sph, at, still))
                    return silt_fail(SILT_BAD_ARGUMENT,
                                     "%s: box %d needs more than the %d particles there may be; raise "
                                     "particles or spacing",
                                     owner, index + 1, sph->config.capacity);
                load_last(water, units_of(water, box[BOX_SEDIMENT]), ledger);
                placed++;
            }
    silt_fluid_warn_shared(owner, water->fluid, index, shared);
    if (placed + shared == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: box %d holds no particle: it is smaller than the spacing of %g m", owner,
                         index + 1, spacing);
    return SILT_OK;
}

// ---- sources come and go ----

static uint64_t hash_of(const SiltList *list)
{
    uint64_t hash = 1 + (uint64_t)list->count;
    for (size_t k = 0; k < (size_t)list->count * (size_t)list->columns; k++) {
        uint64_t bits;
        memcpy(&bits, &list->values[k], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

bool silt_voxel_knows_sources(const SiltVoxelWater *next)
{
    return next->sources_seen == hash_of(next->sources);
}

// Rock may have grown over a source since it was good; that is no reason to refuse another change.
SiltStatus silt_voxel_check_sources(const char *owner, const SiltVoxelWater *next, double **owed)
{
    int count = next->sources->count;
    SiltStatus status = SILT_OK;
    bool is_known = silt_voxel_knows_sources(next);
    for (int k = 0; k < count && status == SILT_OK && !is_known; k++)
        status = check_source(owner, next, k);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, (size_t)count + 1, sizeof(double), (void **)owed);
    for (int64_t k = 0; status == SILT_OK && k < count && k < next->source_count; k++)
        (*owed)[k] = next->owed[k];
    return status;
}

static void bound_sources(const SiltVoxelWater *water, double *highest, double *fastest)
{
    *highest = *fastest = 0.0;
    for (int k = 0; k < water->sources->count; k++) {
        const double *s = row_of(water->sources, k);
        *highest = fmax(*highest, s[Z] + s[HEIGHT] - water->fluid->field.low);
        *fastest = fmax(*fastest, fabs(s[SPEED_U]) + fabs(s[SPEED_V]) + fabs(s[SPEED_W]));
    }
}

void silt_voxel_take_sources(SiltVoxelWater *water, const SiltList *sources, double *owed)
{
    silt_free(water->owed);
    water->owed = owed;
    water->sources = sources;
    water->source_count = sources->count;
    water->sources_seen = hash_of(sources);
    double highest, fastest;
    bound_sources(water, &highest, &fastest);
    silt_fluid_widen(water->fluid, highest, fastest);
}

SiltStatus silt_voxel_water_begin(const char *owner, SiltVoxelWater *water, SiltLedger *ledger)
{
    double *owed = NULL, highest, fastest;
    SiltStatus status = silt_voxel_check_sources(owner, water, &owed);
    if (status != SILT_OK)
        return status;
    silt_voxel_take_sources(water, water->sources, owed);
    for (int k = 0; k < water->sources->count; k++)
        silt_fluid_warn_idle(owner, k, row_of(water->sources, k)[RATE]);
    for (int k = 0; k < water->boxes->count && status == SILT_OK; k++) {
        const double *box = row_of(water->boxes, k);
        status = check_box(owner, water, "box", k, box, box[BOX_SEDIMENT]);
        if (status == SILT_OK)
            status = fill_box(owner, water, k, ledger);
    }
    bound_sources(water, &highest, &fastest);
    silt_fluid_bound(water->fluid, highest, fastest);
    return status;
}

void silt_voxel_water_end(SiltVoxelWater *water)
{
    silt_free(water->owed);
}

// ---- what they give ----

static bool find_place(const SiltVoxelWater *water, const SiltPour *pour, int64_t n, float at[3])
{
    for (uint32_t k = 0; k < SILT_POUR_TRIES; k++)
        if (silt_pour_try(water->ground->volume, pour, (uint64_t)n, k, at) &&
            !silt_sph_is_taken(water->fluid->sph, at, 0.8 * water->fluid->sph->config.spacing))
            return true;
    return false;
}

static void pour_here(SiltVoxelWater *water, const SiltPour *pour, double *owed, SiltLedger *ledger)
{
    SiltSph *sph = water->fluid->sph;
    while (*owed >= 1.0) {
        float at[3];
        bool is_found = sph->count < sph->config.capacity && find_place(water, pour, water->poured++, at);
        if (!is_found || !silt_sph_add_drop(sph, at, pour->velocity))
            return;
        load_last(water, pour->units, ledger);
        *owed -= 1.0;
        ledger->water.added += water->fluid->volume;
    }
}

static void pour_there(SiltVoxelWater *water, const SiltPour *pour, double *owed, SiltLedger *ledger)
{
    SiltFluid *fluid = water->fluid;
    SiltDropped dropped = silt_voxel_device_pour(water->ground->device, pour, water->poured, *owed);
    water->poured += dropped.tried;
    *owed -= dropped.placed; // whole numbers: exact
    for (int k = 0; k < dropped.placed; k++) {
        ledger->rock.added += (double)pour->units * fluid->field.unit;
        ledger->water.added += fluid->volume;
    }
    silt_fluid_device_add(fluid->device, dropped.placed);
}

// Water that finds no free place waits, but not for ever: a source under water does not burst later.
void silt_voxel_pour(SiltVoxelWater *water, double time, double dt, SiltLedger *ledger)
{
    SiltFluid *fluid = water->fluid;
    for (int k = 0; k < water->sources->count; k++) {
        const double *source = row_of(water->sources, k);
        double runs = silt_time_within(time, dt, source[START], source[STOP]); // s
        double *owed = &water->owed[k];
        *owed += source[RATE] * runs / fluid->volume;
        if (!(*owed >= 1.0))
            continue;
        SiltPour pour = pour_of(water, source);
        pour.units = units_of(water, source[SEDIMENT]);
        for (int axis = 0; axis < 3; axis++)
            pour.velocity[axis] = (float)source[SPEED_U + axis];
        if (water->ground->device)
            pour_there(water, &pour, owed, ledger);
        else
            pour_here(water, &pour, owed, ledger);
        if (*owed >= 1.0) {
            double lost = floor(fmax(*owed - WAITING, 0.0));
            *owed -= lost;
            silt_fluid_lose(fluid, (int64_t)lost, "lower the source's rate, or give it a larger box");
        }
    }
}

// ---- sediment that sinks, and the surface ----

typedef struct Sink {
    const SiltVoxelSinking *sinking;
    SiltSph *sph;
    float pace, dither;
    uint8_t *is_covered;
} Sink;

typedef struct Answer {
    float gain; // units
    bool is_covered;
} Answer;

// Those picked around a particle, side by side.
typedef struct Around {
    float x[SILT_NEAR_ROOM], y[SILT_NEAR_ROOM], z[SILT_NEAR_ROOM], load[SILT_NEAR_ROOM];
} Around;

SILT_INLINE void fetch(const SiltSph *sph, const SiltSphNear *near, Around *out)
{
    for (int n = 0; n < (near->count + LANES - 1) / LANES * LANES; n++) { // beyond them those of nobody
        int j = near->index[n];
        out->x[n] = sph->now.x[j], out->y[n] = sph->now.y[j], out->z[n] = sph->now.z[j];
        out->load[n] = sph->now.sediment[j];
    }
}

// Loads are whole numbers: their sums have no order.
SILT_INLINE Answer ask(const Sink *sink, int i, const bool sinks, const bool covers)
{
    const SiltSph *sph = sink->sph;
    const float h2 = sph->law.h2, k_ = sink->sinking->asymmetry, cone = sink->sinking->cone;
    const float pace = sink->pace, dither = sink->dither, mine = sph->now.sediment[i];
    const SiltSphPlace at = {.x = sph->now.x[i], .y = sph->now.y[i], .z = sph->now.z[i], .self = i};
    const float by_full = 1.0f / sink->sinking->full;
    float lane[LANES] = {0.0f}, over[LANES] = {0.0f};
    SiltSphNear near;
    Around around;
    silt_near_begin(sph, &at, &near);
    while (silt_near_pick(sph, &at, &near)) {
        fetch(sph, &near, &around);
        for (int n = 0; n < near.count; n += LANES) {
            SILT_INDEPENDENT
            for (int l = 0; l < LANES; l++) {
                float dx = at.x - around.x[n + l], dy = at.y - around.y[n + l], dz = at.z - around.z[n + l];
                float r2 = dx * dx + dy * dy + dz * dz;
                bool counts = n + l < near.count;
                if (sinks) {
                    float gain =
                        silt_voxel_gain(mine, around.load[n + l], by_full, dz, r2, h2, k_, pace, dither);
                    lane[l] += counts ? gain : 0.0f;
                }
                if (covers) {
                    bool above = counts & silt_voxel_covers(dz, r2, cone);
                    over[l] = above ? 1.0f : over[l];
                }
            }
        }
    }
    Answer answer = {0.0f, false};
    for (int l = 0; l < LANES; l++) {
        answer.gain += lane[l];
        answer.is_covered = answer.is_covered || over[l] > 0.0f;
    }
    return answer;
}

SILT_CLONES
static Answer ask_both(const Sink *sink, int i)
{
    return ask(sink, i, true, true);
}

SILT_CLONES
static Answer ask_sinking(const Sink *sink, int i)
{
    return ask(sink, i, true, false);
}

SILT_CLONES
static Answer ask_cover(const Sink *sink, int i)
{
    return ask(sink, i, false, true);
}

static void sink_block(void *context, int begin, int end)
{
    const Sink *sink = context;
    SiltSph *sph = sink->sph;
    for (int i = begin; i < end; i++) {
        Answer answer = !(sink->pace > 0.0f) ? ask_cover(sink, i)
                        : sink->is_covered   ? ask_both(sink, i)
                                             : ask_sinking(sink, i);
        sph->other.sediment[i] = sph->now.sediment[i] + answer.gain;
        if (sink->is_covered)
            sink->is_covered[i] = answer.is_covered;
    }
}

static bool has_loads(const SiltSph *sph)
{
    for (int i = 0; i < sph->count; i++)
        if (sph->now.sediment[i] > 0.0f)
            return true;
    return false;
}

float silt_voxel_sink_pace(const SiltVoxelSinking *sinking, const SiltSph *sph, float dt)
{
    float volume = sph->mass / (float)sph->config.density;
    // law.poly6 is the kernel's factor times the mass
    return sinking->strength > 0.0f ? dt * sinking->strength * volume * sph->law.poly6 / sph->mass : 0.0f;
}

float silt_voxel_sink_dither(const SiltSph *sph)
{
    return silt_dither((uint64_t)sph->step_index, 0x9E3779B9u);
}

void silt_voxel_sink(const SiltVoxelSinking *sinking, SiltSph *sph, float dt, uint8_t *is_covered)
{
    bool sinks = sinking->strength > 0.0f && has_loads(sph);
    if (!sinks && !is_covered)
        return;
    float pace = sinks ? silt_voxel_sink_pace(sinking, sph, dt) : 0.0f;
    Sink sink = {sinking, sph, pace, silt_voxel_sink_dither(sph), is_covered};
    silt_parallel(sph->count, SPAN, sink_block, &sink);
    memcpy(sph->now.sediment, sph->other.sediment, (size_t)sph->count * sizeof(float));
}
