// Where water and rock of `voxel` meet: particles travel around the rock, dissolve it and lay it down
// (Weiss 2016, 3.2.1.4 and 3.2.2).
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "couple/device_voxel.h"
#include "volume/brick.h"

enum { SPAN = 512, BATCH = 32, AHEAD = 8 };

static float given(double value, double usual)
{
    return (float)(isnan(value) ? usual : value);
}

void silt_voxel_count_numbers(SiltVoxel *v)
{
    const SiltVoxelParams *p = v->params;
    const SiltSphConfig *c = &v->fluid.sph->config;
    const float touch = 0.6f; // spacings from the rock within which water touches it
    double voxel = v->ground.volume->cell * v->ground.volume->cell * v->ground.volume->cell;
    float time = p->exchange == SILT_VOXEL_PAPER ? 1.0f : v->dt, most = (float)v->most;
    v->numbers = (SiltVoxelNumbers){
        .life = p->life,
        .frame = v->ground.frame,
        .exchange = p->exchange,
        .collision = p->collision,
        .dt = v->dt,
        .restitution = (float)p->restitution,
        .brake = 1.0f / (1.0f + (float)p->friction * v->dt),
        .layer = touch * (float)c->spacing,
        .gravity = (float)c->gravity[2],
        .weight = (float)p->weight / v->full,
        .capacity = given(p->capacity, v->fitted_capacity) / most * v->full,
        .normal = time * given(p->dissolve_normal, v->fitted_normal),
        .tangent = time * given(p->dissolve_tangent, v->fitted_tangent),
        .deposit = time * given(p->deposit, v->fitted_deposit),
        .least = (float)p->least / most * v->full,
        .flat = {(float)p->flat[0], (float)p->flat[1]},
        .full = v->full,
        .per_unit = (float)(v->fluid.field.unit / voxel),
        .dither = silt_dither((uint64_t)v->fluid.sph->step_index + 1, 0xA54FF53Bu), // after the motion
        .sink_time = v->sink_time,
        .evaporates = v->looks && p->life > 0.0,
    };
}

static void place_of(const SiltVoxel *v, int i, float place[3])
{
    const SiltSphArrays *a = &v->fluid.sph->now;
    silt_voxel_place(v->ground.frame, a->x[i], a->y[i], a->z[i], place);
}

// What a particle a little later in the order will need of the rock, if it is near.
static void fetch_ahead(const SiltVoxel *v, int i, int end)
{
    float place[3];
    if (i + AHEAD >= end || v->fluid.sph->plane_gap[i + AHEAD] > 2.0f * v->ground.frame.cell)
        return;
    place_of(v, i + AHEAD, place);
    silt_voxel_fetch(&v->ground, place);
}

static void find_planes(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    float places[BATCH][3], gradients[BATCH][3], phi[BATCH];
    for (int first = begin; first < end; first += BATCH) {
        int count = end - first < BATCH ? end - first : BATCH;
        for (int n = 0; n < count; n++)
            place_of(v, first + n, places[n]);
        silt_volume_sample_many(v->ground.volume, (size_t)count, places[0], phi, gradients[0]);
        for (int n = 0; n < count; n++) {
            SiltSphPlane plane =
                silt_voxel_plane(v->ground.frame.cell, v->ground.volume->band, phi[n], gradients[n]);
            sph->plane_x[first + n] = plane.x;
            sph->plane_y[first + n] = plane.y;
            sph->plane_z[first + n] = plane.z;
            sph->plane_gap[first + n] = plane.gap;
        }
    }
}

static void keep_places(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    for (int i = begin; i < end; i++) {
        sph->px[i] = sph->now.x[i], sph->py[i] = sph->now.y[i], sph->pz[i] = sph->now.z[i];
        float by = silt_voxel_weigh(v->numbers.weight, sph->now.sediment[i]);
        sph->now.ax[i] *= by, sph->now.ay[i] *= by, sph->now.az[i] *= by;
    }
}

static void evaporate(const SiltVoxel *v, int i)
{
    SiltSph *sph = v->fluid.sph;
    if (!v->numbers.evaporates || !v->is_covered[i])
        return;
    sph->now.age[i] = silt_voxel_covered_age(sph->now.age[i], v->numbers.sink_time);
    if (sph->fate[i] == SILT_SPH_EXPIRED && (double)sph->now.age[i] < v->numbers.life)
        sph->fate[i] = SILT_SPH_STAYS;
}

// Particle i goes around the rock; false when it is buried.
static bool travel(SiltVoxel *v, int i, SiltVoxelContact *contact)
{
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    const float from[3] = {sph->px[i], sph->py[i], sph->pz[i]};
    float at[3] = {a->x[i], a->y[i], a->z[i]}, velocity[3] = {a->u[i], a->v[i], a->w[i]};
    *contact = silt_voxel_contact(v->ground.volume, &v->numbers, from, sph->plane_gap[i], at, velocity);
    if (contact->is_buried)
        return false;
    a->x[i] = at[0], a->y[i] = at[1], a->z[i] = at[2];
    a->u[i] = velocity[0], a->v[i] = velocity[1], a->w[i] = velocity[2];
    v->is_near[i] = contact->is_near;
    return true;
}

// Moves whole units between particle i and the rock.
static void exchange(SiltVoxel *v, int i, const SiltVoxelContact *contact)
{
    SiltVoxelFoot foot;
    SiltHeightfield *field = &v->fluid.field;
    const SiltSphArrays *a = &v->fluid.sph->now;
    const SiltVolume *volume = v->ground.volume;
    float units = silt_voxel_wanted(volume, &v->numbers, contact, a->sediment[i], a->age[i]);
    if (units != 0.0f)
        units = silt_voxel_passed(volume, v->ground.slot, &v->numbers, contact, units, &foot);
    if (units == 0.0f)
        return;
    bool is_taking = units > 0.0f;
    int64_t count = (int64_t)silt_absf(units);
    silt_voxel_move(&v->ground, &foot, -units * v->numbers.per_unit);
    a->sediment[i] += units;
    silt_heightfield_count(field, is_taking ? field->taken : field->laid,
                           silt_heightfield_cell(field, a->x[i], a->y[i]), count);
    atomic_fetch_add_explicit(is_taking ? &v->taken : &v->laid, count, memory_order_relaxed);
}

static void meet_rock(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    float brake = v->numbers.brake;
    for (int i = begin; i < end; i++) {
        v->is_near[i] = 0;
        fetch_ahead(v, i, end);
        if (silt_sph_is_out(sph->fate[i]))
            continue;
        evaporate(v, i);
        SiltVoxelContact contact;
        if (!travel(v, i, &contact)) {
            atomic_fetch_add_explicit(&v->buried, 1, memory_order_relaxed);
            sph->fate[i] = SILT_SPH_EXPIRED;
            continue;
        }
        if (contact.is_touching) {
            exchange(v, i, &contact);
            a->u[i] *= brake, a->v[i] *= brake, a->w[i] *= brake;
        }
        silt_heightfield_note(&v->fluid.field, a->x[i], a->y[i],
                              v->dt * silt_sqrtf(a->u[i] * a->u[i] + a->v[i] * a->v[i]));
        if (sph->fate[i] == SILT_SPH_EXPIRED && a->sediment[i] > 0.0f)
            sph->fate[i] = SILT_SPH_STAYS; // it goes when it has laid down what it carries
    }
}

// Rock that was laid down may have grown over a particle.
static void leave_rock(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    for (int i = begin; i < end; i++) {
        if (i + AHEAD < end && v->is_near[i + AHEAD]) {
            float place[3];
            place_of(v, i + AHEAD, place);
            silt_volume_fetch(v->ground.volume, place);
        }
        if (sph->fate[i] != SILT_SPH_STAYS || !v->is_near[i])
            continue;
        float at[3] = {a->x[i], a->y[i], a->z[i]};
        bool is_out = silt_voxel_leave(v->ground.volume, v->ground.frame, at);
        a->x[i] = at[0], a->y[i] = at[1], a->z[i] = at[2];
        if (!is_out) {
            atomic_fetch_add_explicit(&v->buried, 1, memory_order_relaxed);
            sph->fate[i] = SILT_SPH_EXPIRED;
        }
    }
}

void silt_voxel_find_planes(SiltVoxel *v)
{
    silt_parallel(v->fluid.sph->count, SPAN, find_planes, v);
}

void silt_voxel_keep_places(SiltVoxel *v)
{
    silt_parallel(v->fluid.sph->count, 4 * SPAN, keep_places, v);
}

void silt_voxel_touch_rock(SiltVoxel *v)
{
    silt_parallel(v->fluid.sph->count, SPAN, meet_rock, v);
}

void silt_voxel_clear_rock(SiltVoxel *v, int old)
{
    int count = v->fluid.sph->count;
    if (v->ground.device) {
        silt_voxel_device_leave(v->ground.device, old);
        return;
    }
    memset(v->is_near + old, 1, (size_t)(count - old));
    silt_parallel(count, SPAN, leave_rock, v);
}
