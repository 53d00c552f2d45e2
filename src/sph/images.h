// Walls and periodic faces are images: water beyond a wall is the mirror image of the water before it. Rather
// than reflecting the neighbours, the particle itself is reflected, asks around there, and the answer is
// reflected back. For C and OpenCL.
#ifndef SILT_SPH_IMAGES_H
#define SILT_SPH_IMAGES_H

#include "sph/numbers.h"

enum { SILT_SPH_MIRRORS = 7 };

typedef struct SiltSphMirror {
    float nx, ny, nz, gap; // a plane, or
    float shift_x, shift_y, shift_z;
    int periodic;
} SiltSphMirror;

// Unit normal out of the ground, and height above it.
typedef struct SILT_FOURS SiltSphPlane {
    float x, y, z, gap;
} SiltSphPlane;

static inline void silt_sph_reflect(const SiltSphMirror *m, float *x, float *y, float *z)
{
    float twice = 2.0f * (m->nx * *x + m->ny * *y + m->nz * *z);
    *x -= twice * m->nx;
    *y -= twice * m->ny;
    *z -= twice * m->nz;
}

// The faces and planes within reach of a particle.
static inline int silt_sph_mirrors(SILT_STEP const SiltSphNumbers *s, const float *at, SiltSphPlane plane,
                                   SiltSphMirror *mirrors)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            float gap = side ? s->high[axis] - at[axis] : at[axis] - s->low[axis];
            bool is_there = s->face[axis][side] == SILT_SPH_PERIODIC ||
                            (s->face[axis][side] == SILT_SPH_WALL && !s->is_bare);
            if (!is_there || gap >= s->law.h)
                continue;
            float normal[3] = {0.0f, 0.0f, 0.0f}, shift[3] = {0.0f, 0.0f, 0.0f};
            int periodic = s->face[axis][side] == SILT_SPH_PERIODIC;
            if (periodic)
                shift[axis] = s->period[axis] * (side ? -1.0f : 1.0f);
            else
                normal[axis] = side ? -1.0f : 1.0f;
            SiltSphMirror mirror = {normal[0], normal[1], normal[2], gap,
                                    shift[0],  shift[1],  shift[2],  periodic};
            mirrors[count++] = mirror;
        }
    if (s->has_planes && !s->is_bare && plane.gap < s->law.h) {
        SiltSphMirror mirror = {plane.x, plane.y, plane.z, plane.gap, 0.0f, 0.0f, 0.0f, 0};
        mirrors[count++] = mirror;
    }
    return count;
}

// The image of `q` in a mirror. Gaps below zero (a particle a hair behind its plane) count as zero.
static inline SiltSphQuery silt_sph_image(SILT_STEP const SiltSphNumbers *s, const SiltSphQuery *q,
                                          const SiltSphMirror *m)
{
    SiltSphQuery image = *q;
    image.at.self = -1;
    if (m->periodic) {
        image.at.x += m->shift_x, image.at.y += m->shift_y, image.at.z += m->shift_z;
        return image;
    }
    float gap = m->gap > 0.0f ? m->gap : 0.0f;
    image.at.x -= 2.0f * gap * m->nx, image.at.y -= 2.0f * gap * m->ny, image.at.z -= 2.0f * gap * m->nz;
    silt_sph_reflect(m, &image.u, &image.v, &image.w);
    silt_sph_reflect(m, &image.slip_u, &image.slip_v, &image.slip_w);
    if (s->walls == SILT_SPH_NO_SLIP)
        image.slip_u = -q->slip_u, image.slip_v = -q->slip_v, image.slip_w = -q->slip_w;
    image.at.nx = m->nx, image.at.ny = m->ny, image.at.nz = m->nz, image.at.gap = gap;
    image.weight = s->gravity.x * m->nx + s->gravity.y * m->ny + s->gravity.z * m->nz;
    return image;
}

// Two faces of one axis make no corner.
static inline bool silt_sph_clash(const SiltSphMirror *a, const SiltSphMirror *b)
{
    return silt_absf(a->nx * b->nx + a->ny * b->ny + a->nz * b->nz) > 0.99f ||
           a->shift_x * b->shift_x + a->shift_y * b->shift_y + a->shift_z * b->shift_z != 0.0f;
}

// The image in a subset of `count` mirrors, one bit each, and the mirrors in it; false where there is none.
static inline bool silt_sph_image_in(SILT_STEP const SiltSphNumbers *s, const SiltSphQuery *q,
                                     const SiltSphMirror *mirrors, int count, uint32_t subset,
                                     SiltSphQuery *image, SiltSphMirror *chain, int *length)
{
    bool clash = false;
    *image = *q;
    *length = 0;
    for (int k = 0; k < count; k++)
        if (subset >> k & 1) {
            for (int n = 0; n < *length; n++)
                clash = clash || silt_sph_clash(&chain[n], &mirrors[k]);
            chain[(*length)++] = mirrors[k];
            *image = silt_sph_image(s, image, &mirrors[k]);
        }
    return !clash;
}

// Adds what an image was told, reflected back.
static inline void silt_sph_add_reflected(SILT_STEP const SiltSphNumbers *s, const SiltSphMirror *chain,
                                          int length, SiltSphSums *part, SiltSphSums *sum)
{
    for (int k = length; k-- > 0;) {
        if (chain[k].periodic)
            continue;
        silt_sph_reflect(&chain[k], &part->ax, &part->ay, &part->az);
        silt_sph_reflect(&chain[k], &part->nx, &part->ny, &part->nz);
        if (s->walls == SILT_SPH_NO_SLIP)
            part->bx = -part->bx, part->by = -part->by, part->bz = -part->bz;
        else
            silt_sph_reflect(&chain[k], &part->bx, &part->by, &part->bz);
    }
    sum->ax += part->ax, sum->ay += part->ay, sum->az += part->az, sum->rate += part->rate;
    sum->bx += part->bx, sum->by += part->by, sum->bz += part->bz;
    sum->nx += part->nx, sum->ny += part->ny, sum->nz += part->nz, sum->curve += part->curve;
}

// Surface tension (eq. 1.37 to 1.41) as an acceleration. The sums are over the others: to the Laplacian of
// eq. 1.38 a particle adds its own share.
static inline void silt_sph_add_tension(SILT_STEP const SiltSphNumbers *s, const SiltSphSums *sums,
                                        float inverse, float own, float *a)
{
    float factor = s->law.normal;
    float nx = factor * sums->nx, ny = factor * sums->ny, nz = factor * sums->nz;
    float length = silt_sqrtf(nx * nx + ny * ny + nz * nz);
    if (length < s->threshold)
        return;
    float curve = sums->curve - 3.0f * s->law.h2 * s->law.h2 * own;
    float pull = -s->tension * factor * curve / length * inverse;
    a[0] += pull * nx, a[1] += pull * ny, a[2] += pull * nz;
}

// The normal of the surface, of which the sums are the gradient of the colour field.
static inline SiltSphNormal silt_sph_find_normal(SILT_STEP const SiltSphNumbers *s, const SiltSphSums *sums)
{
    float factor = s->law.normal;
    return silt_sph_normal(factor * sums->nx, factor * sums->ny, factor * sums->nz, s->threshold);
}

// The same in the mirrors of an image.
static inline SiltSphNormal silt_sph_turn_normal(SiltSphNormal n, const SiltSphMirror *chain, int length)
{
    for (int k = 0; k < length; k++)
        if (!chain[k].periodic)
            silt_sph_reflect(&chain[k], &n.x, &n.y, &n.z);
    return n;
}

// What the particles of one run turn away from the normal `mine` of who asks at a place.
static inline void silt_sph_bend_along(SILT_STEP const SiltSphNumbers *s,
                                       SILT_GLOBAL const SiltSphRecord *record,
                                       SILT_GLOBAL const SiltSphNormal *normal, const SiltSphPlace *at,
                                       SiltSphNormal mine, int begin, int end, SiltSphBend *sum)
{
    for (int j = begin; j < end; j++) {
        SiltSphRecord other = record[j];
        float dx = at->x - other.x, dy = at->y - other.y, dz = at->z - other.z;
        bool is_behind = at->nx * dx + at->ny * dy + at->nz * dz + at->gap > 0.0f;
        if (normal[j].slope == 0.0f || is_behind)
            continue;
        SiltSphBend part = silt_sph_bend(mine, normal[j], dx, dy, dz, s->law.h2, 1.0f / other.density);
        sum->turn += part.turn;
        sum->apart += part.apart;
    }
}

// Surface tension by curvature, as an acceleration along the normal.
static inline float silt_sph_pull(SILT_STEP const SiltSphNumbers *s, SiltSphNormal n, SiltSphBend sum,
                                  float inverse)
{
    return s->tension * s->skin * silt_sph_curvature(sum, s->depth) * n.slope * inverse;
}

// The acceleration that the sums make; `inverse` is one over the density, and `own` one over that which pairs
// read of the particle.
static inline void silt_sph_accelerate(SILT_STEP const SiltSphNumbers *s, const SiltSphSums *sums,
                                       float inverse, float own, float *a)
{
    a[0] = sums->ax + sums->bx * inverse;
    a[1] = sums->ay + sums->by * inverse;
    a[2] = sums->az + sums->bz * inverse;
    if (s->tension > 0.0f && !s->curved)
        silt_sph_add_tension(s, sums, inverse, own, a);
    a[0] += s->gravity.x, a[1] += s->gravity.y, a[2] += s->gravity.z;
}

#endif
