#include "render/pose.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/status.h"
#include "render/water_top.h"
#include "silt/particles.h"

enum { MOST_VALUES = 1 << 18, PROBES = 400 };

static SiltVolume *volume_of(const SiltMotif *motif, const SiltRenderOptions *options)
{
    bool by_heights =
        options->overlay[0] || options->view == SILT_VIEW_MAP || options->look == SILT_LOOK_HILLSHADE;
    return motif->volume                   ? motif->volume
           : motif->terrain && !by_heights ? silt_terrain_volume(motif->terrain)
                                           : NULL;
}

// Water over all ground below the sea, where it is not deeper already.
static SiltStatus flood(SiltTerrain *terrain, float sea)
{
    SiltField *water;
    SiltStatus status = silt_terrain_require(terrain, "water", &water);
    const SiltField *height = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < terrain->height && status == SILT_OK; j++)
        for (int i = 0; i < terrain->width; i++) {
            float depth = sea - silt_field_at(height, i, j), *at = silt_field_row(water, j) + i;
            *at = depth > *at ? depth : *at;
        }
    return status;
}

// What stands on ice stands higher.
static void raise_by_ice(SiltTerrain *terrain)
{
    const SiltField *ice = silt_terrain_layer(terrain, "ice");
    SiltField *height = silt_terrain_layer(terrain, "height");
    silt_field_add(height, ice, height);
}

static SiltStatus settle(SiltPose *pose, const SiltRenderOptions *options)
{
    double sea = options->sea;
    bool has_change = pose->terrain && silt_terrain_layer(pose->terrain, "change");
    bool has_ice = options->ice && pose->terrain && silt_terrain_layer(pose->terrain, "ice");
    if (!pose->terrain || (!has_change && !has_ice && isnan(sea)))
        return SILT_OK;
    SiltStatus status = silt_terrain_clone(pose->terrain, &pose->own_terrain);
    if (status != SILT_OK)
        return status;
    pose->terrain = pose->own_terrain;
    if (has_change)
        silt_terrain_settle(pose->own_terrain);
    if (has_ice)
        raise_by_ice(pose->own_terrain);
    return isnan(sea) ? SILT_OK : flood(pose->own_terrain, (float)sea);
}

// The ground is drawn between the middles of cells: one row or column of them alone is drawn as two.
static SiltStatus widen(SiltPose *pose)
{
    const SiltTerrain *terrain = pose->terrain;
    if (!terrain || (terrain->width > 1 && terrain->height > 1) ||
        (terrain->width > SILT_MAX_SIDE / 2 || terrain->height > SILT_MAX_SIDE / 2))
        return SILT_OK;
    SiltTerrain *wide;
    SiltStatus status = silt_terrain_resample(terrain, 2 * terrain->width, 2 * terrain->height, &wide);
    if (status != SILT_OK)
        return status;
    silt_terrain_destroy(pose->own_terrain);
    pose->terrain = pose->own_terrain = wide;
    return SILT_OK;
}

static SiltStatus make_mesh(SiltVolume *volume, SiltRockSurface **kept, SiltMesh *out)
{
    SiltStatus status = SILT_OK;
    if (!kept) {
        status = silt_volume_mesh(volume, false, out);
    } else {
        if (!silt_surface_is_of(*kept, volume)) {
            silt_surface_destroy(*kept);
            status = silt_surface_create(volume, false, kept);
        }
        if (status == SILT_OK)
            status = silt_surface_update(*kept, NULL);
        if (status == SILT_OK)
            status = silt_surface_mesh(*kept, out);
    }
    if (status == SILT_OK && out->triangle_count == 0)
        status =
            silt_fail(SILT_BAD_ARGUMENT, "render: the volume holds no rock, so there is nothing to draw");
    return status;
}

SiltStatus silt_pose_begin(const SiltMotif *motif, const SiltRenderOptions *options, SiltRockSurface **kept,
                           SiltPose *out)
{
    SiltVolume *volume = volume_of(motif, options);
    *out = (SiltPose){.terrain = motif->terrain,
                      .mesh = motif->mesh,
                      .volume = volume,
                      .particles = options->particle_look == SILT_PARTICLES_NONE ? NULL : motif->particles};
    bool has_particles = out->particles && out->particles->count > 0;
    if (!out->terrain && !out->mesh && !volume && !has_particles)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "render: there is nothing to draw: no terrain, no mesh, no volume and "
                         "not one particle");
    SiltStatus status = settle(out, options);
    if (status == SILT_OK && options->view != SILT_VIEW_MAP && options->look != SILT_LOOK_HILLSHADE)
        status = widen(out);
    if (status == SILT_OK && volume) {
        status = make_mesh(volume, kept, &out->own_mesh);
        out->mesh = &out->own_mesh;
    }
    out->is_solid = out->mesh != NULL;
    if (status == SILT_OK && has_particles && options->particle_colour >= SILT_COLOUR_SURFACE) {
        bool by_normal = options->particle_colour == SILT_COLOUR_NORMAL;
        status = silt_particles_mark_top(out->particles, by_normal, &out->own_particles);
        out->particles = out->own_particles;
    }
    if (status != SILT_OK)
        silt_pose_end(out);
    return status;
}

void silt_pose_end(SiltPose *pose)
{
    silt_terrain_destroy(pose->own_terrain);
    silt_particles_destroy(pose->own_particles);
    silt_mesh_destroy(&pose->own_mesh);
    *pose = (SiltPose){0};
}

// ---- particles ----

const char *silt_particle_quantity(int colour, const char **unit)
{
    static const struct {
        const char *name, *unit;
    } quantities[] = {{NULL, ""},           {"sediment", "1"}, {"speed", "m/s"},
                      {"density", "kg/m3"}, {"surface", "1"},  {"surface", "1"}};
    *unit = quantities[colour].unit;
    return quantities[colour].name;
}

float silt_particle_value(const SiltParticles *p, int colour, int i)
{
    if (colour == SILT_COLOUR_SPEED)
        return sqrtf(p->u[i] * p->u[i] + p->v[i] * p->v[i] + p->w[i] * p->w[i]);
    if (colour == SILT_COLOUR_DENSITY)
        return p->density[i];
    return (float)((double)p->sediment[i] * p->load);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// How far particles lie apart: the middle one of the distances from some of them to their nearest neighbours.
static double measure_spacing(const SiltParticles *p, double widest)
{
    float nearest[PROBES];
    int count = 0;
    for (int n = 0; n < PROBES && n < p->count; n++) {
        int i = (int)((int64_t)n * p->count / (p->count < PROBES ? p->count : PROBES));
        float best = INFINITY;
        for (int j = 0; j < p->count; j++) {
            float x = p->x[j] - p->x[i], y = p->y[j] - p->y[i], z = p->z[j] - p->z[i];
            float square = x * x + y * y + z * z;
            best = j != i && square < best ? square : best;
        }
        if (best < INFINITY)
            nearest[count++] = sqrtf(best);
    }
    if (count == 0)
        return 0.02 * widest;
    qsort(nearest, (size_t)count, sizeof *nearest, compare_floats);
    double middle = (double)nearest[count / 2];
    return fmin(fmax(middle, 1e-4 * widest), 0.02 * widest);
}

static SiltStatus particle_scale(const SiltParticles *p, int colour, SiltScale *out)
{
    SiltField values = {0};
    int count = p->count < MOST_VALUES ? p->count : MOST_VALUES;
    SiltStatus status = silt_field_create(count, 1, &values);
    for (int n = 0; n < count && status == SILT_OK; n++)
        silt_field_row(&values, 0)[n] = silt_particle_value(p, colour, (int)((int64_t)n * p->count / count));
    if (status == SILT_OK)
        status = silt_scale_choose(&values, NULL, out);
    if (status == SILT_OK && out->kind == SILT_SCALE_LOG) // few decades: a straight scale reads better
        *out = (SiltScale){SILT_SCALE_LINEAR, 0.0, out->high};
    silt_field_destroy(&values);
    return status;
}

static SiltStatus particle_range(const SiltPose *pose, const SiltRenderOptions *options, SiltRange *range)
{
    const SiltParticles *p = pose->particles;
    double widest =
        fmax(fmax(range->east - range->west, range->north - range->south), range->high - range->low);
    range->particle_size = options->particle_size > 0.0 ? options->particle_size
                           : p->spacing > 0.0           ? p->spacing
                                                        : measure_spacing(p, widest);
    return options->particle_colour == SILT_COLOUR_WATER
               ? SILT_OK
               : particle_scale(p, options->particle_colour, &range->particle_scale);
}

// ---- how large it is ----

static void include(double low[3], double high[3], const double place[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], place[k]);
        high[k] = fmax(high[k], place[k]);
    }
}

static SiltRange box_of(const SiltPose *pose)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const SiltMesh *mesh = pose->mesh;
    const SiltParticles *p = pose->particles;
    for (size_t v = 0; mesh && v < mesh->vertex_count; v++) {
        const float *at = mesh->positions + 3 * v;
        double place[3] = {(double)at[0], (double)at[1], (double)at[2] + mesh->origin[2]};
        include(low, high, place);
    }
    for (int i = 0; !mesh && i < p->count; i++) {
        double place[3] = {(double)p->x[i] - p->west, p->south - (double)p->y[i], (double)p->z[i] + p->low};
        include(low, high, place);
    }
    double least = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    least = least > 0.0 ? 1e-3 * least : 1.0;
    for (int k = 0; k < 2; k++)
        if (!(high[k] - low[k] >= least)) {
            low[k] -= 0.5 * least;
            high[k] += 0.5 * least;
        }
    return (SiltRange){
        .west = low[0], .east = high[0], .south = low[1], .north = high[1], .low = low[2], .high = high[2]};
}

SiltStatus silt_pose_range(const SiltPose *pose, const SiltRenderOptions *options, SiltRange *out)
{
    SiltStatus status = SILT_OK;
    if (pose->terrain && !pose->is_solid)
        status = silt_range_of(pose->terrain, options, out);
    else
        *out = box_of(pose);
    if (status == SILT_OK && pose->particles && pose->particles->count > 0)
        status = particle_range(pose, options, out);
    return status;
}
