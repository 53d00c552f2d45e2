// Water that begins as the particles of a file, as `--frames` writes them.
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "couple/fluid.h"
#include "silt/io.h"

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

// Particles keep the ids they have in the file, unless two have the same.
static SiltStatus keep_ids(const char *owner, SiltSph *sph, int first, const int64_t *ids)
{
    int count = sph->count - first;
    void *block;
    SiltStatus status = silt_alloc_for(owner, (size_t)count + 1, sizeof(int64_t), &block);
    if (status != SILT_OK)
        return status;
    int64_t *sorted = block;
    for (int i = 0; i < count; i++)
        sorted[i] = ids[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ids);
    bool distinct = count > 0 && first == 0 && sorted[0] >= 0;
    for (int i = 1; i < count; i++)
        distinct = distinct && sorted[i] != sorted[i - 1];
    for (int i = 0; distinct && i < count; i++)
        sph->now.id[first + i] = ids[i];
    if (distinct)
        sph->next_id = sorted[count - 1] + 1;
    silt_free(block);
    return SILT_OK;
}

// Adds particle i of the file; false where it lies off the map, without data below it, or deep in the ground.
static bool add(SiltFluid *fluid, const SiltParticles *from, int i)
{
    SiltSph *sph = fluid->sph;
    const SiltSphConfig *c = &sph->config;
    const SiltTerrain *terrain = fluid->field.terrain;
    // files count from the centre of the south-western cell
    double x = (double)from->x[i] + 0.5 * terrain->cell,
           y = (double)from->y[i] + (terrain->height - 0.5) * terrain->cell;
    float at[3] = {(float)x, (float)y, (float)((double)from->z[i] + from->low - fluid->field.low)};
    const float velocity[3] = {from->u[i], from->v[i], from->w[i]};
    if (!(x >= c->low[0] && x <= c->high[0] && y >= c->low[1] && y <= c->high[1]))
        return false;
    SiltSurface below = silt_heightfield_at(&fluid->field, at[0], at[1]);
    if (!below.is_there || at[2] < below.z - (float)c->spacing)
        return false;
    at[2] = at[2] > below.z ? at[2] : below.z;
    if (!silt_sph_add(sph, at, velocity))
        return false;
    int k = sph->count - 1;
    double units = floor((double)from->sediment[i] * from->load * fluid->volume / fluid->field.unit);
    double density = (double)from->density[i];
    sph->now.sediment[k] = (float)fmin(fmax(units, 0.0), 0x1p23);
    if (density >= 0.1 * c->density && density <= 2.0 * c->density)
        sph->now.density[k] = (float)density;
    return true;
}

static SiltStatus add_all(const char *owner, SiltFluid *fluid, const char *path, const SiltParticles *from)
{
    SiltSph *sph = fluid->sph;
    const SiltSphConfig *c = &sph->config;
    if (from->count > c->capacity - sph->count)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: %s has more than the %d particles there may be; raise particles", owner, path,
                         c->capacity);
    if (from->spacing > 0.0 && fabs(from->spacing - c->spacing) > 0.01 * c->spacing)
        silt_warn("%s: the particles of %s stand for %g m each way, those of this run for %g m; set "
                  "spacing=%g to keep the water there was",
                  owner, path, from->spacing, c->spacing, from->spacing);
    void *block;
    SiltStatus status = silt_alloc_for(owner, (size_t)from->count + 1, sizeof(int64_t), &block);
    if (status != SILT_OK)
        return status;
    int64_t *ids = block;
    int first = sph->count, placed = 0;
    for (int i = 0; i < from->count; i++)
        if (add(fluid, from, i))
            ids[placed++] = from->id[i];
    int64_t astray = from->count - placed;
    sph->gone[SILT_SPH_BAD] += from->left_out;
    sph->gone[SILT_SPH_LEFT] += astray;
    if (astray > 0)
        silt_warn("%s: %lld of the %d particles of %s lie off the map or in the ground, and are left out",
                  owner, (long long)astray, from->count, path);
    status = placed > 0
                 ? keep_ids(owner, sph, first, ids)
                 : silt_fail(SILT_BAD_ARGUMENT, "%s: no particle of %s lies on this terrain", owner, path);
    silt_free(block);
    return status;
}

SiltStatus silt_fluid_start(const char *owner, SiltFluid *fluid, const char *path)
{
    if (!path[0])
        return SILT_OK;
    SiltParticles *from;
    SiltStatus status = silt_particles_read(path, &from);
    if (status == SILT_OK)
        status = add_all(owner, fluid, path, from);
    silt_particles_destroy(from);
    return status;
}
