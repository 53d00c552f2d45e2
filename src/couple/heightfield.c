// The surface itself, and how a particle meets it.
#include "couple/heightfield.h"

#include <math.h>

#include "core/parallel.h"

// Sample (i, j) lies at ((i + 1/2) cell, (j + 1/2) cell); beyond the outermost samples the surface goes on
// level.
static int interval(float at, float cell, int size, float *share)
{
    float place = at / cell - 0.5f;
    place = place > 0.0f ? place : 0.0f;
    place = place < (float)(size - 1) ? place : (float)(size - 1); // what is far away has no whole number
    int i = (int)place;
    i = i < size - 2 ? i : size - 2;
    float rest = place - (float)i;
    *share = rest < 1.0f ? rest : 1.0f;
    return i;
}

SiltSurface silt_heightfield_at(const SiltHeightfield *field, float x, float y)
{
    SiltSurface at;
    float fx, fy;
    int i = interval(x, field->cell, field->width, &fx), j = interval(y, field->cell, field->height, &fy);
    int corner = j * field->width + i;
    bool second = fx + fy > 1.0f; // the triangle away from the corner
    at.sample[0] = second ? corner + field->width + 1 : corner;
    at.sample[1] = second ? corner + field->width : corner + 1;
    at.sample[2] = second ? corner + 1 : corner + field->width;
    float a = second ? 1.0f - fx : fx, b = second ? 1.0f - fy : fy;
    float h0 = field->ground[at.sample[0]], h1 = field->ground[at.sample[1]],
          h2 = field->ground[at.sample[2]];
    at.weight[0] = 1.0f - a - b;
    at.weight[1] = a;
    at.weight[2] = b;
    at.z = h0 + a * (h1 - h0) + b * (h2 - h0);
    float sx = second ? h0 - h1 : h1 - h0, sy = second ? h0 - h2 : h2 - h0;
    float length = sqrtf(sx * sx + sy * sy + field->cell * field->cell);
    at.nx = -sx / length, at.ny = -sy / length, at.nz = field->cell / length;
    const uint8_t *nodata = field->terrain->nodata;
    at.is_there = !nodata || !(nodata[at.sample[0]] | nodata[at.sample[1]] | nodata[at.sample[2]]);
    return at;
}

typedef struct Hit {
    float t; // 0 to 1 along the way
    SiltSurface at;
} Hit;

// The next place beyond t where the way crosses a line of the grid or a diagonal.
static float next_edge(float t, float px, float py, float dx, float dy)
{
    const float hair = 1e-5f;
    float next = 1.0f;
    const float start[3] = {px, py, px + py}, step[3] = {dx, dy, dx + dy}; // columns, rows, diagonals
    for (int k = 0; k < 3; k++) {
        if (step[k] == 0.0f)
            continue;
        float now = start[k] + (t + hair) * step[k];
        float line = step[k] > 0.0f ? floorf(now) + 1.0f : ceilf(now) - 1.0f;
        float at = (line - start[k]) / step[k];
        next = at > t + hair && at < next ? at : next;
    }
    return next;
}

// Where the way from `from` to `to` first passes from above the surface to below it. Between two edges the
// surface is a plane: the height above it runs linearly there.
static bool find_hit(const SiltHeightfield *field, const float from[3], const float to[3], Hit *hit)
{
    float dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
    float px = from[0] / field->cell - 0.5f, py = from[1] / field->cell - 0.5f;
    float cells_x = dx / field->cell, cells_y = dy / field->cell;
    float t = 0.0f, above = from[2] - silt_heightfield_at(field, from[0], from[1]).z;
    for (int k = 0; t < 1.0f && k < 4096; k++) {
        float next = next_edge(t, px, py, cells_x, cells_y);
        float x = from[0] + next * dx, y = from[1] + next * dy;
        float later = from[2] + next * dz - silt_heightfield_at(field, x, y).z;
        if (later < 0.0f) {
            float share = above > 0.0f ? above / (above - later) : 0.0f, middle = 0.5f * (t + next);
            hit->t = t + share * (next - t);
            hit->at =
                silt_heightfield_at(field, from[0] + middle * dx, from[1] + middle * dy); // its triangle
            return true;
        }
        above = later;
        t = next;
    }
    return false;
}

bool silt_heightfield_is_far(const SiltHeightfield *field, const SiltSph *sph, int i, float dt)
{
    enum { MOST = 4 }; // cells a side worth looking at
    const SiltSphArrays *a = &sph->now;
    float h = sph->law.h, x = a->x[i], y = a->y[i], z = a->z[i];
    float back_x = x - dt * a->u[i], back_y = y - dt * a->v[i], back_z = z - dt * a->w[i], share;
    int west = interval(silt_minf(x, back_x) - h, field->cell, field->width, &share);
    int east = interval(silt_maxf(x, back_x) + h, field->cell, field->width, &share);
    int north = interval(silt_minf(y, back_y) - h, field->cell, field->height, &share);
    int south = interval(silt_maxf(y, back_y) + h, field->cell, field->height, &share);
    if (field->terrain->nodata || east - west > MOST || south - north > MOST)
        return false;
    float low = silt_minf(z, back_z) - h;
    bool below = false;
    for (int row = north; row <= south + 1; row++)
        for (int column = west; column <= east + 1; column++)
            below |= field->ground[row * field->width + column] >= low;
    return !below;
}

// Kataev eq. 1.44: the way into the ground ends, and what comes back is bounded by how deep it would have
// gone.
static void bounce(SiltSph *sph, int i, const SiltSurface *at, float depth, float dt, float restitution)
{
    const SiltSphArrays *a = &sph->now;
    float into = a->u[i] * at->nx + a->v[i] * at->ny + a->w[i] * at->nz;
    if (into >= 0.0f)
        return;
    float speed = sqrtf(a->u[i] * a->u[i] + a->v[i] * a->v[i] + a->w[i] * a->w[i]);
    float back = restitution * silt_minf(depth / (dt * speed), 1.0f);
    float by = (1.0f + back) * into;
    a->u[i] -= by * at->nx;
    a->v[i] -= by * at->ny;
    a->w[i] -= by * at->nz;
}

bool silt_heightfield_collide(const SiltHeightfield *field, SiltSph *sph, int i, float dt, float restitution)
{
    const SiltSphArrays *a = &sph->now;
    float to[3] = {a->x[i], a->y[i], a->z[i]};
    float from[3] = {to[0] - dt * a->u[i], to[1] - dt * a->v[i], to[2] - dt * a->w[i]};
    float floor = silt_heightfield_at(field, from[0], from[1]).z;
    from[2] = from[2] > floor ? from[2] : floor; // the ground may have risen
    bool touched = false;
    Hit hit;
    for (int k = 0; k < 4 && find_hit(field, from, to, &hit); k++) {
        touched = true;
        const SiltSurface *at = &hit.at;
        for (int axis = 0; axis < 3; axis++)
            from[axis] += hit.t * (to[axis] - from[axis]);
        // how far the end lies behind the triangle's plane; it goes back there along the normal
        float depth = -((to[0] - from[0]) * at->nx + (to[1] - from[1]) * at->ny + (to[2] - from[2]) * at->nz);
        depth = depth > 0.0f ? depth : 0.0f;
        bounce(sph, i, at, depth, dt, restitution);
        to[0] += depth * at->nx, to[1] += depth * at->ny, to[2] += depth * at->nz;
        floor = silt_heightfield_at(field, from[0], from[1]).z;
        from[2] = from[2] > floor ? from[2] : floor;
    }
    const SiltSphConfig *c = &sph->config;
    a->x[i] = silt_clampf(to[0], (float)c->low[0], (float)c->high[0]);
    a->y[i] = silt_clampf(to[1], (float)c->low[1], (float)c->high[1]);
    SiltSurface below = silt_heightfield_at(field, a->x[i], a->y[i]);
    touched = touched || to[2] <= below.z;
    a->z[i] = to[2] > below.z ? to[2] : below.z;
    if (!below.is_there)
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
    const SiltSphArrays *a = &planes->sph->now;
    for (int i = begin; i < end; i++) {
        if (silt_sph_is_out(planes->sph->fate[i]) ||
            silt_heightfield_is_far(planes->field, planes->sph, i, planes->dt))
            continue;
        float ground = silt_heightfield_at(planes->field, a->x[i], a->y[i]).z;
        a->z[i] = a->z[i] > ground ? a->z[i] : ground;
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
    for (int i = begin; i < end; i++) {
        SiltSurface below = silt_heightfield_at(planes->field, sph->now.x[i], sph->now.y[i]);
        sph->plane_x[i] = below.nx, sph->plane_y[i] = below.ny, sph->plane_z[i] = below.nz;
        sph->plane_gap[i] = (sph->now.z[i] - below.z) * below.nz;
    }
}

void silt_heightfield_planes(const SiltHeightfield *field, SiltSph *sph)
{
    Planes planes = {.field = field, .sph = sph};
    silt_parallel(sph->count, 512, set_planes, &planes);
}
