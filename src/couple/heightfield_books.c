// What particles take from the ground and leave on it, and the books of that.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "couple/heightfield.h"
#include "terrain/terrain.h"

enum { ROW_SPAN = 8, LOOK_EVERY = 128 }; // rows

static SiltStatus make(const char *owner, size_t count, size_t size, void *slot)
{
    void *block = NULL;
    SiltStatus status = silt_alloc_for(owner, count, size, &block);
    memcpy(slot, &block, sizeof block);
    return status;
}

static SiltStatus make_arrays(const char *owner, SiltHeightfield *f)
{
    size_t count = (size_t)f->width * (size_t)f->height;
    const struct {
        void *slot;
        size_t count, size;
    } wanted[] = {
        {&f->ground, count, sizeof(float)},
        {&f->base, count, sizeof(float)},
        {&f->taken, count, sizeof(int64_t)},
        {&f->laid, count, sizeof(int64_t)},
        {&f->change, count, sizeof(int64_t)},
        {&f->wear, count, sizeof(int64_t)},
        {&f->deposition, count, sizeof(int64_t)},
        {&f->loose, count, sizeof(int64_t)},
        {&f->passed, count, sizeof(int64_t)},
        {&f->present, count, sizeof(int)},
        {&f->flow, count, sizeof(double)},
        {&f->wetness, count, sizeof(double)},
        {&f->row_touched, (size_t)f->height, sizeof(int)},
    };
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = make(owner, wanted[k].count, wanted[k].size, wanted[k].slot);
    return status;
}

// Heights above the lowest, so that floats have their fine steps where they are needed.
static SiltStatus read_heights(const char *owner, SiltHeightfield *f)
{
    const SiltTerrain *terrain = f->terrain;
    const SiltField *height = &terrain->layers[0]->field;
    const SiltField *deposit = silt_terrain_layer(terrain, "deposit");
    double low = INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < f->height; j++) {
            if (j % LOOK_EVERY == 0 && silt_is_stopped())
                return SILT_CANCELLED;
            for (int i = 0; i < f->width; i++) {
                int n = j * f->width + i;
                if (silt_terrain_is_nodata(terrain, i, j))
                    continue;
                double before = f->before ? (double)silt_field_at(f->before, i, j) : 0.0;
                double here = (double)silt_field_at(height, i, j) + before;
                if (!isfinite(here))
                    return silt_fail(SILT_BAD_ARGUMENT, "%s: the terrain has heights that are not finite",
                                     owner);
                if (fabs(here) > 2.0 * SILT_MAX_HEIGHT)
                    return silt_fail(SILT_BAD_ARGUMENT,
                                     "%s: heights with their changes reach %g m, where no land is", owner,
                                     here);
                low = pass == 0 && here < low ? here : low;
                f->ground[n] = f->base[n] = (float)(here - low);
                double loose = deposit ? (double)silt_field_at(deposit, i, j) / f->rise : 0.0;
                f->loose[n] = loose > 0.0 && loose < 1e18 ? (int64_t)loose : 0;
            }
        }
    f->low = low < INFINITY ? low : 0.0;
    return SILT_OK;
}

SiltStatus silt_heightfield_create(const char *owner, SiltTerrain *terrain, double unit, SiltField *before,
                                   SiltHeightfield *out)
{
    *out = (SiltHeightfield){.terrain = terrain,
                             .width = terrain->width,
                             .height = terrain->height,
                             .cell = (float)terrain->cell,
                             .unit = unit,
                             .rise = unit / (terrain->cell * terrain->cell)};
    if (out->width < 2 || out->height < 2)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a terrain of %d x %d cells; for particles each side needs 2 cells or more",
                         owner, out->width, out->height);
    if ((double)out->width * out->height > 0x1p30)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a terrain of %d x %d cells; particles take up to 2^30",
                         owner, out->width, out->height);
    SiltStatus status = make_arrays(owner, out);
    const SiltField *change = silt_terrain_layer(terrain, "change");
    if (status == SILT_OK && change) {
        status = silt_field_create(out->width, out->height, before);
        if (status == SILT_OK) {
            silt_field_copy(change, before);
            out->before = before;
        }
    }
    return status == SILT_OK ? read_heights(owner, out) : status;
}

static void claim_rows(void *context, int begin, int end)
{
    SiltHeightfield *f = context;
    size_t from = (size_t)begin * (size_t)f->width, to = (size_t)end * (size_t)f->width;
    void *wide[] = {(void *)f->taken, (void *)f->laid, f->change,  f->wear,          f->deposition,
                    f->loose,         f->flow,         f->wetness, (void *)f->passed};
    for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++)
        silt_touch_pages(wide[k], 8 * from, 8 * to);
    silt_touch_pages((void *)f->present, sizeof(int) * from, sizeof(int) * to);
}

bool silt_heightfield_claim(SiltHeightfield *f)
{
    return silt_parallel_heard(f->height, 16, claim_rows, f);
}

void silt_heightfield_destroy(SiltHeightfield *f)
{
    void *all[] = {f->ground,
                   f->base,
                   (void *)f->taken,
                   (void *)f->laid,
                   f->change,
                   f->wear,
                   f->deposition,
                   f->loose,
                   (void *)f->passed,
                   (void *)f->present,
                   f->flow,
                   f->wetness,
                   (void *)f->row_touched};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_free(all[k]);
}

// ---- what particles do to it: integers, so in any order ----

static void touch(SiltHeightfield *f, int sample)
{
    _Atomic int *touched = &f->row_touched[sample / f->width];
    if (!atomic_load_explicit(touched,
                              memory_order_relaxed)) // many threads come here: a look leaves it to all
        atomic_store_explicit(touched, 1, memory_order_relaxed);
}

void silt_heightfield_count(SiltHeightfield *f, _Atomic int64_t *to, int sample, int64_t units)
{
    atomic_fetch_add_explicit(&to[sample], units, memory_order_relaxed);
    touch(f, sample);
}

static void spread(SiltHeightfield *f, _Atomic int64_t *to, const SiltSurface *at, int64_t units)
{
    int64_t share[3];
    silt_relief_spread(at, units, share);
    for (int k = 0; k < 3; k++)
        silt_heightfield_count(f, to, at->sample[k], share[k]);
}

void silt_heightfield_take(SiltHeightfield *f, const SiltSurface *at, int64_t units)
{
    spread(f, f->taken, at, units);
}

void silt_heightfield_lay(SiltHeightfield *f, const SiltSurface *at, int64_t units)
{
    spread(f, f->laid, at, units);
}

int silt_heightfield_cell(const SiltHeightfield *f, float x, float y)
{
    SiltRelief ground = silt_heightfield_relief(f);
    return silt_relief_cell(&ground, x, y);
}

void silt_heightfield_note(SiltHeightfield *f, float x, float y, float distance)
{
    int n = silt_heightfield_cell(f, x, y);
    int64_t crossed = silt_relief_crossed(distance, f->cell);
    atomic_fetch_add_explicit(&f->passed[n], crossed, memory_order_relaxed);
    atomic_fetch_add_explicit(&f->present[n], 1, memory_order_relaxed);
    touch(f, n);
}

typedef struct Settle {
    SiltHeightfield *field;
    double volume, dt;
} Settle;

static void settle_sample(const Settle *settle, int n)
{
    SiltHeightfield *f = settle->field;
    int64_t taken = atomic_load_explicit(&f->taken[n], memory_order_relaxed);
    int64_t laid = atomic_load_explicit(&f->laid[n], memory_order_relaxed);
    int64_t passed = atomic_load_explicit(&f->passed[n], memory_order_relaxed);
    int present = atomic_load_explicit(&f->present[n], memory_order_relaxed);
    if (taken | laid) {
        SiltSample before = {f->change[n], f->wear[n], f->deposition[n], f->loose[n]};
        SiltSample after = silt_sample_settle(before, taken, laid);
        f->change[n] = after.change, f->wear[n] = after.wear;
        f->deposition[n] = after.deposition, f->loose[n] = after.loose;
        f->ground[n] = silt_sample_height(f->base[n], after.change, f->rise);
        atomic_store_explicit(&f->taken[n], 0, memory_order_relaxed);
        atomic_store_explicit(&f->laid[n], 0, memory_order_relaxed);
    }
    if (present) {
        f->wetness[n] += silt_sample_wet(present, settle->volume, f->cell, settle->dt);
        f->flow[n] += silt_sample_flow(passed);
        atomic_store_explicit(&f->passed[n], 0, memory_order_relaxed);
        atomic_store_explicit(&f->present[n], 0, memory_order_relaxed);
    }
}

static void settle_rows(void *context, int begin, int end)
{
    const Settle *settle = context;
    SiltHeightfield *f = settle->field;
    for (int j = begin; j < end; j++) {
        if (!atomic_load_explicit(&f->row_touched[j], memory_order_relaxed))
            continue;
        atomic_store_explicit(&f->row_touched[j], 0, memory_order_relaxed);
        for (int i = 0; i < f->width; i++)
            settle_sample(settle, j * f->width + i);
    }
}

void silt_heightfield_settle(SiltHeightfield *f, double volume, double dt)
{
    Settle settle = {f, volume, dt};
    silt_parallel(f->height, ROW_SPAN, settle_rows, &settle);
}

// ---- books ----

double silt_heightfield_rock(const SiltHeightfield *f)
{
    const SiltField *height = &f->terrain->layers[0]->field;
    double sum = 0.0;
    int64_t units = 0;
    for (int j = 0; j < f->height; j++)
        for (int i = 0; i < f->width; i++)
            if (!silt_terrain_is_nodata(f->terrain, i, j)) {
                double before = f->before ? (double)silt_field_at(f->before, i, j) : 0.0;
                sum += (double)silt_field_at(height, i, j) + before;
                units += f->change[j * f->width + i];
            }
    return sum * f->terrain->cell * f->terrain->cell + (double)units * f->unit;
}

double silt_heightfield_wear(const SiltHeightfield *f)
{
    int64_t units = 0;
    for (int n = 0; n < f->width * f->height; n++)
        units += f->wear[n];
    return (double)units * f->unit;
}

double silt_heightfield_area(const SiltHeightfield *f)
{
    const uint8_t *nodata = f->terrain->nodata;
    int64_t triangles = 0;
    for (int j = 0; j < f->height - 1; j++)
        for (int i = 0; i < f->width - 1; i++) {
            const uint8_t *n = nodata ? nodata + j * f->width + i : NULL;
            triangles += !n || !(n[0] | n[1] | n[f->width]);
            triangles += !n || !(n[1] | n[f->width] | n[f->width + 1]);
        }
    return 0.5 * (double)triangles * f->terrain->cell * f->terrain->cell;
}

float silt_heightfield_top(const SiltHeightfield *f)
{
    float top = 0.0f;
    for (int n = 0; n < f->width * f->height; n++)
        top = f->ground[n] > top ? f->ground[n] : top;
    return top;
}
