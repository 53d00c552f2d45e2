// Where the water of `sph` comes from: boxes of it at the start, and springs.
#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "couple/device_fluid.h"
#include "couple/sph_model.h"

enum { WAITING = 100 };
static const char spring_remedy[] =
    "it stands four radii high over its spring; raise the spring's radius, or lower its rate";

// ---- boxes ----

static SiltStatus check_box(const double *box, int index)
{
    bool has_size = box[3] > 0.0 && box[4] > 0.0 && box[5] > 0.0;
    return has_size ? SILT_OK
                    : silt_fail(SILT_BAD_ARGUMENT,
                                "erode sph: box %d measures %g x %g x %g m; each side must lie above zero",
                                index + 1, box[3], box[4], box[5]);
}

// A box with no particle is a mistake; one with much less than it measures is worth a word.
static SiltStatus check_filled(const SiltSphModel *s, const double *box, int index, int placed, int shared)
{
    double asked = box[3] * box[4] * box[5], filled = (placed + shared) * s->fluid.volume;
    silt_fluid_warn_shared("erode sph", &s->fluid, index, shared);
    if (placed + shared == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "erode sph: box %d holds no particle: it lies inside the ground, off the map, or is "
                         "smaller than the spacing of %g m",
                         index + 1, s->fluid.sph->config.spacing);
    if (filled < 0.95 * asked && !(s->params->mass > 0.0))
        silt_warn("erode sph: box %d holds %.3g of its %.3g m3 of water: the rest lies in the ground, in the "
                  "outer half cell or off the map, or fills no whole spacing of %g m",
                  index + 1, filled, asked, s->fluid.sph->config.spacing);
    return SILT_OK;
}

static float middle_of(const SiltSphModel *s, const double *box)
{
    return silt_heightfield_at(&s->fluid.field, (float)(box[0] + 0.5 * box[3]),
                               (float)(box[1] + 0.5 * box[4]))
        .z;
}

// Whether a place lies in a box before this one.
static bool is_filled(const SiltSphModel *s, int index, const float at[3])
{
    const SiltList *boxes = &s->params->boxes;
    for (int k = 0; k < index; k++) {
        const double *box = boxes->values + (size_t)k * (size_t)boxes->columns;
        if (silt_box_holds(box, (double)middle_of(s, box) + box[2], at))
            return true;
    }
    return false;
}

// Particles of a box that lie above the ground.
SiltStatus silt_sph_fill_box(SiltSphModel *s, int index)
{
    const SiltList *boxes = &s->params->boxes;
    const double *box = boxes->values + (size_t)index * (size_t)boxes->columns;
    SiltFluid *fluid = &s->fluid;
    const SiltSphConfig *c = &fluid->sph->config;
    SiltStatus status = check_box(box, index);
    if (status != SILT_OK)
        return status;
    const float still[3] = {0.0f, 0.0f, 0.0f}, middle = middle_of(s, box);
    int size[3], placed = 0, shared = 0;
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (int)fmin(fmax(floor(box[3 + axis] / c->spacing + 0.001), 0.0), 1e6);
    if ((double)size[0] * size[1] * size[2] > 1e3 * c->capacity + 1e8) // so many that looking takes hours
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "erode sph: box %d measures more spacings of %g m than the %d particles there may be "
            "could fill; raise spacing",
            index + 1, c->spacing, c->capacity);
    for (int k = 0; k < size[2]; k++)
        for (int j = 0; j < size[1]; j++)
            for (int i = 0; i < size[0]; i++) {
                float at[3] = {(float)(box[0] + (i + 0.5) * c->spacing),
                               (float)(box[1] + (j + 0.5) * c->spacing),
                               middle + (float)(box[2] + (k + 0.5) * c->spacing)};
                bool inside = (double)at[0] >= c->low[0] && (double)at[0] <= c->high[0] &&
                              (double)at[1] >= c->low[1] && (double)at[1] <= c->high[1];
                SiltSurface below = silt_heightfield_at(&fluid->field, at[0], at[1]);
                if (!inside || !below.is_there || at[2] - below.z < 0.25f * (float)c->spacing)
                    continue;
                if (is_filled(s, index, at)) {
                    shared++;
                    continue;
                }
                if (fluid->sph->count >= c->capacity)
                    return silt_fail(SILT_BAD_ARGUMENT,
                                     "erode sph: box %d needs more than the %d particles there may be; raise "
                                     "particles or spacing",
                                     index + 1, c->capacity);
                placed += silt_sph_add(fluid->sph, at, still);
            }
    return check_filled(s, box, index, placed, shared);
}

// ---- springs ----

SiltStatus silt_sph_check_sources(const SiltSphModel *s, const SiltTerrain *terrain)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        double x = source[0], y = source[1];
        bool is_on = x >= 0.0 && x <= terrain->width * terrain->cell && y >= 0.0 &&
                     y <= terrain->height * terrain->cell;
        if (!is_on)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d at %g, %g lies off the map", k + 1, x,
                             y);
        if (source[2] < 0.0 || source[3] < 0.0)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d has a %s below zero, %g", k + 1,
                             source[2] < 0.0 ? "rate" : "radius", source[2] < 0.0 ? source[2] : source[3]);
        if (source[2] > 1e7 || source[3] > 1e6)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode sph: source %d: its rate must be 0 to 1e7 m3/s and its radius 0 to 1e6 m",
                             k + 1);
        if (source[6] != 0.0 && source[6] <= source[5])
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode sph: source %d stops at %g s, before it starts at %g s (stop 0: for "
                             "ever)",
                             k + 1, source[6], source[5]);
        if (source[4] < 0.0)
            return silt_fail(SILT_BAD_ARGUMENT, "erode sph: source %d lies %g m inside the ground", k + 1,
                             -source[4]);
    }
    return SILT_OK;
}

// Water would find no ground below the middle of a spring: not a place for one.
SiltStatus silt_sph_check_ground(const SiltSphModel *s)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        if (!silt_heightfield_at(&s->fluid.field, (float)source[0], (float)source[1]).is_there)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "erode sph: source %d at %g, %g lies where the terrain has no data", k + 1,
                             source[0], source[1]);
    }
    return SILT_OK;
}

// Up to `wanted` particles of a spring, until one finds no room; how many.
static int pour_here(SiltSphModel *s, const SiltDropRule *rule, double wanted)
{
    int placed = 0;
    while (placed + 1.0 <= wanted && s->fluid.sph->count < s->fluid.sph->config.capacity &&
           silt_fluid_drop(&s->fluid, rule, s->poured++))
        placed++;
    return placed;
}

static int pour_there(SiltSphModel *s, const SiltDropRule *rule, double wanted)
{
    SiltDropped dropped = silt_fluid_device_drop(s->fluid.device, rule, s->poured, wanted);
    s->poured += dropped.tried;
    silt_fluid_device_add(s->fluid.device, dropped.placed);
    return dropped.placed;
}

// Water that finds no free place waits, but not for ever: a spring under water does not burst later.
void silt_sph_pour(SiltSphModel *s, double dt, SiltLedger *ledger)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++) {
        const double *source = list->values + (size_t)k * (size_t)list->columns;
        s->owed[k] += source[2] * silt_time_within(s->time, dt, source[5], source[6]) / s->fluid.volume;
        if (!(s->owed[k] >= 1.0))
            continue;
        SiltDropRule rule = silt_fluid_spring_rule(&s->fluid, source);
        int placed = s->fluid.device ? pour_there(s, &rule, s->owed[k]) : pour_here(s, &rule, s->owed[k]);
        for (int n = 0; n < placed; n++)
            ledger->water.added += s->fluid.volume;
        s->owed[k] -= placed; // whole numbers: exact
        if (s->owed[k] >= 1.0) {
            double lost = floor(fmax(s->owed[k] - WAITING, 0.0));
            s->owed[k] -= lost;
            silt_fluid_lose(&s->fluid, (int64_t)lost, spring_remedy);
        }
    }
}

void silt_sph_warn_idle(const SiltSphModel *s)
{
    const SiltList *list = &s->params->sources;
    for (int k = 0; k < list->count; k++)
        silt_fluid_warn_idle("erode sph", k, list->values[(size_t)k * (size_t)list->columns + 2]);
}

SiltStatus silt_sph_make_springs(const SiltSphModel *s, double **out)
{
    int64_t count = s->params->sources.count;
    SiltStatus status = silt_alloc_for("erode sph", (size_t)count + 1, sizeof(double), (void **)out);
    for (int64_t k = 0; status == SILT_OK && k < count && k < s->spring_count; k++)
        (*out)[k] = s->owed[k];
    return status;
}

void silt_sph_take_springs(SiltSphModel *s, double *owed)
{
    silt_free(s->owed);
    s->owed = owed;
    s->spring_count = s->params->sources.count;
}

double silt_sph_highest_spring(const SiltSphModel *s)
{
    const SiltList *list = &s->params->sources;
    double high = 0.0;
    for (int k = 0; k < list->count; k++)
        high = fmax(high, list->values[(size_t)k * (size_t)list->columns + 4]);
    return high + (double)silt_heightfield_top(&s->fluid.field);
}
