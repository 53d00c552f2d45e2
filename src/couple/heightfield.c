// The surface itself, and how a particle meets it.
#include "couple/heightfield.h"

#include <math.h>

#include "core/parallel.h"

SiltSurface silt_heightfield_at(const SiltHeightfield *field, float x, float y)
{
    SiltRelief ground = silt_heightfield_relief(field);
    return silt_relief_at(&ground, x, y);
}

static SiltSphMotion motion_of(const SiltSph *sph, int i)
{
    const SiltSphArrays *a = &sph->now;
    return (SiltSphMotion){{a->x[i], a->y[i], a->z[i]}, {a->u[i], a->v[i], a->w[i]}};
}

bool silt_heightfield_is_far(const SiltHeightfield *field, const SiltSph *sph, int i, float dt)
{
    SiltRelief ground = silt_heightfield_relief(field);
    SiltSphMotion m = motion_of(sph, i);
    return silt_relief_is_far(&ground, &m, sph->law.h, dt);
}

bool silt_heightfield_collide(const SiltHeightfield *field, SiltSph *sph, int i, float dt, float restitution)
{
    const SiltSphArrays *a = &sph->now;
    const SiltSphConfig *c = &sph->config;
    SiltRelief ground = silt_heightfield_relief(field);
    SiltSphMotion m = motion_of(sph, i);
    SiltSides sides = {(float)c->low[0], (float)c->high[0], (float)c->low[1], (float)c->high[1]};
    bool is_there, touched = silt_relief_collide(&ground, &m, dt, restitution, sides, &is_there);
    a->x[i] = m.at[0], a->y[i] = m.at[1], a->z[i] = m.at[2];
    a->u[i] = m.velocity[0], a->v[i] = m.velocity[1], a->w[i] = m.velocity[2];
    if (!is_there)
        sph->fate[i] = SILT_SPH_LEFT;
    return touched;
}

typedef struct Planes {
    const SiltHeightfield *field;
    SiltSph *sph;
    float dt;
} Planes;

static void lift_block(void *context, int begin, int end)
{
    const Planes *planes = context;
    SiltSph *sph = planes->sph;
    SiltRelief ground = silt_heightfield_relief(planes->field);
    for (int i = begin; i < end; i++) {
        if (silt_sph_is_out(sph->fate[i]))
            continue;
        SiltSphMotion m = motion_of(sph, i);
        sph->now.z[i] = silt_relief_lift(&ground, &m, sph->law.h, planes->dt);
    }
}

void silt_heightfield_lift(const SiltHeightfield *field, SiltSph *sph, float dt)
{
    Planes planes = {field, sph, dt};
    silt_parallel(sph->count, 512, lift_block, &planes);
}

static void set_planes(void *context, int begin, int end)
{
    const Planes *planes = context;
    SiltSph *sph = planes->sph;
    SiltRelief ground = silt_heightfield_relief(planes->field);
    for (int i = begin; i < end; i++) {
        SiltSphPlane plane = silt_relief_plane(&ground, sph->now.x[i], sph->now.y[i], sph->now.z[i]);
        sph->plane_x[i] = plane.x, sph->plane_y[i] = plane.y, sph->plane_z[i] = plane.z;
        sph->plane_gap[i] = plane.gap;
    }
}

void silt_heightfield_planes(const SiltHeightfield *field, SiltSph *sph)
{
    Planes planes = {.field = field, .sph = sph};
    silt_parallel(sph->count, 512, set_planes, &planes);
}
