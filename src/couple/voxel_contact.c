// Where water and rock of `voxel` meet: particles travel around the rock, dissolve it and lay it down
// (Weiss 2016, 3.2.1.4 and 3.2.2).
#include <math.h>

#include "core/parallel.h"
#include "couple/voxel_model.h"
#include "physics/voxel_exchange.h"
#include "volume/brick.h"

enum { SPAN = 512, BATCH = 32, AHEAD = 8 };
static const float near_rock = 0.75f; // voxels: more than phi may change in one step
static const float touch = 0.6f;      // spacings from the rock within which water touches it

static void place_of(const SiltVoxel *v, int i, float place[3])
{
    const SiltSphArrays *a = &v->fluid.sph->now;
    silt_voxel_place(&v->ground, a->x[i], a->y[i], a->z[i], place);
}

// What a particle a little later in the order will need of the rock, if it is near.
static void fetch_ahead(const SiltVoxel *v, int i, int end)
{
    float place[3];
    if (i + AHEAD >= end || v->fluid.sph->plane_gap[i + AHEAD] > 2.0f * v->ground.cell)
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
            float normal[3], slope;
            silt_voxel_normal(gradients[n], normal, &slope);
            sph->plane_x[first + n] = normal[0];
            sph->plane_y[first + n] = -normal[1];
            sph->plane_z[first + n] = normal[2];
            // beyond the band nothing is known of the rock but that it is farther away
            bool is_known = phi[n] > -v->ground.volume->band;
            sph->plane_gap[first + n] = is_known ? -phi[n] / slope * v->ground.cell : INFINITY;
        }
    }
}

static void keep_places(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    float weight = (float)v->params->weight / v->full;
    for (int i = begin; i < end; i++) {
        sph->px[i] = sph->now.x[i], sph->py[i] = sph->now.y[i], sph->pz[i] = sph->now.z[i];
        float by = 1.0f / (1.0f + weight * sph->now.sediment[i]);
        sph->now.ax[i] *= by, sph->now.ay[i] *= by, sph->now.az[i] *= by;
    }
}

// Only the surface evaporates: `age` counts the time spent there (eq. 3.40).
static void evaporate(const SiltVoxel *v, int i)
{
    SiltSph *sph = v->fluid.sph;
    if (!v->looks || !(v->params->life > 0.0) || !v->is_covered[i])
        return;
    sph->now.age[i] = silt_maxf(sph->now.age[i] - v->sink_time, 1e-6f); // zero would be its first step again
    if (sph->fate[i] == SILT_SPH_EXPIRED && (double)sph->now.age[i] < v->params->life)
        sph->fate[i] = SILT_SPH_STAYS;
}

static void put_place(const SiltVoxelGround *ground, SiltSph *sph, int i, const float place[3])
{
    sph->now.x[i] = (place[0] + 0.5f) * ground->cell;
    sph->now.y[i] = (ground->rows - place[1]) * ground->cell;
    sph->now.z[i] = (place[2] - ground->base) * ground->cell;
}

// How a particle meets the rock.
typedef struct Contact {
    float place[3], normal[3]; // in voxels' axes
    float into, along;         // m/s across and along it
    float strike;              // m/s across it, less what lying on it brings
    bool is_touching;
} Contact;

// Whether a particle is too far from the rock to come near it in this step.
static bool is_far(const SiltVoxel *v, const SiltVoxelPath *path)
{
    const float *w = path->velocity;
    float way = silt_sqrtf(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    return v->params->collision != SILT_VOXEL_PAPER && -path->phi > way + near_rock + 0.5f;
}

// Advection with collision (3.2.1.4) for particle i, and what its velocity was at the rock. False when it is
// buried.
static bool travel(SiltVoxel *v, int i, Contact *contact)
{
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    const SiltVoxelGround *ground = &v->ground;
    SiltVoxelPath path = {.phi = -silt_minf(sph->plane_gap[i] / ground->cell, ground->volume->band)};
    float to[3], per_step = ground->cell / v->dt;
    silt_voxel_place(ground, sph->px[i], sph->py[i], sph->pz[i], path.place);
    silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], to);
    for (int axis = 0; axis < 3; axis++)
        path.velocity[axis] = to[axis] - path.place[axis];
    contact->is_touching = false;
    if (is_far(v, &path))
        return true;
    const float before[3] = {a->u[i], -a->v[i], a->w[i]};
    silt_voxel_travel(ground, (float)v->params->restitution, v->params->collision == SILT_VOXEL_PAPER, &path);
    if (path.is_buried)
        return false;
    if (path.impact > 0.0f) {
        a->u[i] = path.velocity[0] * per_step;
        a->v[i] = -path.velocity[1] * per_step;
        a->w[i] = path.velocity[2] * per_step;
    }
    put_place(ground, sph, i, path.place);
    bool is_struck = path.impact > 0.0f;
    const float *n = is_struck ? path.struck_normal : path.normal, *at = is_struck ? path.struck : path.place;
    float out = before[0] * n[0] + before[1] * n[1] + before[2] * n[2];
    float gap = is_struck ? -path.struck_phi / path.struck_slope : -path.phi / path.slope;
    float square = before[0] * before[0] + before[1] * before[1] + before[2] * before[2];
    contact->into = silt_maxf(path.impact * per_step, silt_maxf(-out, 0.0f));
    contact->along = silt_sqrtf(silt_maxf(square - out * out, 0.0f));
    float layer = touch * (float)sph->config.spacing, weight = -(float)sph->config.gravity[2] * n[2];
    contact->strike = v->params->exchange == SILT_VOXEL_PAPER
                          ? contact->into
                          : silt_voxel_strike(contact->into, weight, layer);
    contact->is_touching = path.impact > 0.0f || gap * ground->cell < layer;
    for (int axis = 0; axis < 3; axis++) { // down to the surface, where it struck if it did
        contact->normal[axis] = n[axis];
        contact->place[axis] = at[axis] - n[axis] * gap;
    }
    v->is_near[i] = path.phi > -near_rock;
    return true;
}

// Moves whole units between particle i and the rock (eq. 3.35): above zero from the rock.
static void exchange_units(SiltVoxel *v, int i, const Contact *contact, float units)
{
    SiltVoxelFoot foot;
    SiltHeightfield *field = &v->fluid.field;
    const SiltSphArrays *a = &v->fluid.sph->now;
    bool is_taking = units > 0.0f;
    if (!silt_voxel_foot(&v->ground, contact->place, is_taking, &foot))
        return;
    double voxel = v->ground.volume->cell * v->ground.volume->cell * v->ground.volume->cell;
    float per_unit = (float)(field->unit / voxel), most = floorf(silt_voxel_most(&foot) / per_unit);
    units = silt_clampf(units, -most, most);
    if (units == 0.0f)
        return;
    int64_t count = (int64_t)silt_absf(units);
    silt_voxel_move(&v->ground, &foot, -units * per_unit);
    a->sediment[i] += units;
    silt_heightfield_count(field, is_taking ? field->taken : field->laid,
                           silt_heightfield_cell(field, a->x[i], a->y[i]), count);
    atomic_fetch_add_explicit(is_taking ? &v->taken : &v->laid, count, memory_order_relaxed);
}

static float given(double value, double usual)
{
    return (float)(isnan(value) ? usual : value);
}

// Dissolving and deposition (3.2.2.1 to 3.2.2.3).
static void exchange(SiltVoxel *v, int i, const Contact *contact)
{
    const SiltVoxelParams *p = v->params;
    const SiltSph *sph = v->fluid.sph;
    float load = sph->now.sediment[i], time = p->exchange == SILT_VOXEL_PAPER ? 1.0f : v->dt;
    float water = p->life > 0.0 ? silt_clampf(1.0f - sph->now.age[i] / (float)p->life, 0.0f, 1.0f) : 1.0f;
    float speed = silt_sqrtf(contact->into * contact->into + contact->along * contact->along);
    float most = (float)v->most, capacity = given(p->capacity, v->fitted_capacity);
    float carried = silt_voxel_capacity(capacity / most * v->full, speed, water, v->full);
    float dither = silt_dither((uint64_t)sph->step_index, 0xA54FF53Bu);
    if (carried > load) {
        float softness = silt_volume_erodibility(v->ground.volume, contact->place);
        float units = silt_voxel_dissolved(
            time * given(p->dissolve_normal, v->fitted_normal) * contact->strike,
            time * given(p->dissolve_tangent, v->fitted_tangent) * contact->along, carried - load, softness);
        exchange_units(v, i, contact, floorf(silt_minf(units + dither, carried - load)));
    } else if (load > 0.0f) {
        float flat = silt_smoothstep((float)p->flat[0], (float)p->flat[1], contact->normal[2]);
        float units = silt_voxel_dropped(load, carried, (float)p->least / most * v->full,
                                         time * given(p->deposit, v->fitted_deposit), flat);
        exchange_units(v, i, contact, -floorf(silt_minf(units + dither, load)));
    }
}

static void meet_rock(void *context, int begin, int end)
{
    SiltVoxel *v = context;
    SiltSph *sph = v->fluid.sph;
    const SiltSphArrays *a = &sph->now;
    float brake = 1.0f / (1.0f + (float)v->params->friction * v->dt);
    for (int i = begin; i < end; i++) {
        v->is_near[i] = 0;
        fetch_ahead(v, i, end);
        if (silt_sph_is_out(sph->fate[i]))
            continue;
        evaporate(v, i);
        Contact contact;
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
    const SiltVoxelGround *ground = &v->ground;
    for (int i = begin; i < end; i++) {
        float place[3];
        if (i + AHEAD < end && v->is_near[i + AHEAD]) {
            place_of(v, i + AHEAD, place);
            silt_volume_fetch(ground->volume, place);
        }
        if (sph->fate[i] != SILT_SPH_STAYS || !v->is_near[i])
            continue;
        silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], place);
        for (int k = 0; k < 4; k++) { // metres are rounded: look again at what they say
            if (silt_volume_sample(ground->volume, place, NULL) <= 0.0f)
                break;
            bool is_out = k < 3 && silt_voxel_push_out(ground, place);
            put_place(ground, sph, i, place);
            silt_voxel_place(ground, a->x[i], a->y[i], a->z[i], place);
            if (!is_out) {
                atomic_fetch_add_explicit(&v->buried, 1, memory_order_relaxed);
                sph->fate[i] = SILT_SPH_EXPIRED;
                break;
            }
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

void silt_voxel_leave_rock(SiltVoxel *v)
{
    silt_parallel(v->fluid.sph->count, SPAN, leave_rock, v);
}
