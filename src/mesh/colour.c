// The colour of every vertex, in linear light: what pictures show of the ground, without light and shadow.
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/mesh.h"
#include "terrain/cover.h"
#include "terrain/sky.h"
#include "terrain/terrain.h"

enum { VERTICES = 4096, MOST_CELLS = 1 << 22 };

static void store(SiltColour colour, uint16_t *to)
{
    const float light[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; k++) {
        float x = light[k] > 0.0f ? (light[k] < 1.0f ? light[k] : 1.0f) : 0.0f;
        to[k] = (uint16_t)(x * 65535.0f + 0.5f);
    }
    to[3] = 65535;
}

static SiltStatus begin_colours(SiltMesh *mesh, uint16_t **out)
{
    return silt_alloc_for("colours of a mesh", mesh->vertex_count, 4 * sizeof **out, (void **)out);
}

static void end_colours(SiltMesh *mesh, SiltStatus status, uint16_t *colours)
{
    if (status == SILT_OK) {
        silt_free(mesh->colours);
        mesh->colours = colours;
    } else {
        silt_free(colours);
    }
}

// How many blocks of VERTICES.
static int block_count(const SiltMesh *mesh)
{
    return (int)((mesh->vertex_count + VERTICES - 1) / VERTICES);
}

static size_t block_end(const SiltMesh *mesh, int block)
{
    size_t end = ((size_t)block + 1) * VERTICES;
    return end < mesh->vertex_count ? end : mesh->vertex_count;
}

// ---- heights ----

typedef struct GroundJob {
    const SiltMesh *mesh;
    SiltCoverMap map;
    uint16_t *colours;
} GroundJob;

static int clamped(double value, int count)
{
    return value < 0.0 ? 0 : value > count - 1 ? count - 1 : (int)value;
}

static void ground_blocks(void *context, int begin, int end)
{
    const GroundJob *job = context;
    const SiltTerrain *terrain = job->map.terrain;
    for (int block = begin; block < end; block++)
        for (size_t v = (size_t)block * VERTICES; v < block_end(job->mesh, block); v++) {
            const float *p = job->mesh->positions + 3 * v;
            int i = clamped(floor((double)p[0] / terrain->cell + 0.5), terrain->width);
            int j = clamped(terrain->height - 1 - floor((double)p[1] / terrain->cell + 0.5), terrain->height);
            bool below = job->mesh->normals[3 * v + 2] < 0.0f; // of the floor of a skirt
            store(below ? silt_cover_colour_rock(job->map.arid) : silt_cover_colour_at(&job->map, i, j),
                  job->colours + 4 * v);
        }
}

static SiltStatus colour_ground(SiltMesh *mesh, const SiltTerrain *terrain, double snow, double arid)
{
    GroundJob job = {.mesh = mesh};
    SiltField sky = {0};
    SiltStatus status = begin_colours(mesh, &job.colours);
    if (status == SILT_OK)
        status = silt_field_create(terrain->width, terrain->height, &sky);
    if (status == SILT_OK)
        status = silt_light_sky(silt_terrain_layer(terrain, "height"), (float)terrain->cell, 1.0f, &sky);
    if (status == SILT_OK)
        status = silt_cover_begin(terrain, snow, arid, &sky, &job.map);
    if (status == SILT_OK)
        silt_parallel(block_count(mesh), 1, ground_blocks, &job);
    silt_cover_end(&job.map);
    silt_field_destroy(&sky);
    end_colours(mesh, status, job.colours);
    return status;
}

SiltStatus silt_mesh_colour(SiltMesh *mesh, const SiltTerrain *terrain, double snow, double arid)
{
    SiltTerrain *settled = NULL;
    SiltStatus status = SILT_OK;
    if (!mesh->normals)
        return silt_fail(SILT_BAD_ARGUMENT, "colours: the mesh has no normals");
    if (silt_terrain_layer(terrain, "change")) {
        status = silt_terrain_clone(terrain, &settled);
        if (status == SILT_OK)
            silt_terrain_settle(settled);
    }
    if (status == SILT_OK)
        status = colour_ground(mesh, settled ? settled : terrain, snow, arid);
    silt_terrain_destroy(settled);
    return status;
}

// ---- rock ----

// The highest rock of each cell of a grid over the mesh, and the sky it leaves open: what lies well below it
// has a roof.
typedef struct RockJob {
    const SiltMesh *mesh;
    SiltField top, sky;
    double west, south, cell;
    float low, over_span, snow_line, arid;
    uint16_t *colours;
} RockJob;

static void find_box(const SiltMesh *mesh, float low[3], float high[3])
{
    for (size_t axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t k = 0; k < 3 * mesh->vertex_count; k++) {
        float value = mesh->positions[k];
        low[k % 3] = value < low[k % 3] ? value : low[k % 3];
        high[k % 3] = value > high[k % 3] ? value : high[k % 3];
    }
}

// Twice the area of a triangle seen from above, counter-clockwise positive.
static double turn(const double a[3], const double b[3], const double x, const double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void raise_top(RockJob *job, const uint32_t corners[3])
{
    double p[3][3], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        const float *from = job->mesh->positions + 3 * (size_t)corners[k];
        p[k][0] = ((double)from[0] - job->west) / job->cell;
        p[k][1] = ((double)from[1] - job->south) / job->cell;
        p[k][2] = (double)from[2];
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], p[k][axis]);
            high[axis] = fmax(high[axis], p[k][axis]);
        }
    }
    double area = turn(p[0], p[1], p[2][0], p[2][1]);
    if (!(fabs(area) > 1e-12))
        return;
    int first = clamped(ceil(low[0]), job->top.width), last = clamped(floor(high[0]), job->top.width);
    for (int j = clamped(ceil(low[1]), job->top.height); j <= clamped(floor(high[1]), job->top.height); j++)
        for (int i = first; i <= last; i++) {
            double u = turn(p[1], p[2], i, j) / area, v = turn(p[2], p[0], i, j) / area, w = 1.0 - u - v;
            float *top = silt_field_row(&job->top, j) + i;
            if (u < 0.0 || v < 0.0 || w < 0.0)
                continue;
            float z = (float)(u * p[0][2] + v * p[1][2] + w * p[2][2]);
            *top = z > *top ? z : *top;
        }
}

static SiltStatus find_tops(RockJob *job)
{
    const SiltMesh *mesh = job->mesh;
    float low[3], high[3];
    find_box(mesh, low, high);
    double across[2] = {(double)high[0] - (double)low[0], (double)high[1] - (double)low[1]};
    double longest = fmax(fmax(across[0], across[1]), 1e-6), area = across[0] * across[1];
    double cells = fmin((double)mesh->vertex_count, MOST_CELLS);
    job->cell = fmax(sqrt(area / cells), longest / 4096.0);
    job->west = (double)low[0];
    job->south = (double)low[1];
    job->low = low[2];
    job->over_span = high[2] > low[2] ? 1.0f / (high[2] - low[2]) : 1.0f;
    int width = 1 + (int)ceil(across[0] / job->cell), height = 1 + (int)ceil(across[1] / job->cell);
    SiltStatus status = silt_field_create(width, height, &job->top);
    if (status == SILT_OK)
        status = silt_field_create(width, height, &job->sky);
    if (status != SILT_OK)
        return status;
    silt_field_fill(&job->top, low[2]);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        raise_top(job, mesh->indices + 3 * t);
    return silt_light_sky(&job->top, (float)job->cell, 1.0f, &job->sky);
}

static SiltColour rock_colour(const RockJob *job, size_t v)
{
    const float *p = job->mesh->positions + 3 * v;
    static const float upright[3] = {1.0f, 0.0f, 0.0f};
    const float *n = job->mesh->normals ? job->mesh->normals + 3 * v : upright;
    double x = ((double)p[0] - job->west) / job->cell, y = ((double)p[1] - job->south) / job->cell;
    int i = clamped(floor(x), job->top.width), j = clamped(floor(y), job->top.height);
    int east = clamped(i + 1, job->top.width), north = clamped(j + 1, job->top.height);
    // beside a cliff its top is near: a roof lies above all four
    float roof = fminf(fminf(silt_field_at(&job->top, i, j), silt_field_at(&job->top, east, j)),
                       fminf(silt_field_at(&job->top, i, north), silt_field_at(&job->top, east, north)));
    bool roofed = p[2] < roof - 1.5f * (float)job->cell;
    float open = roofed ? 0.0f
                        : silt_field_at(&job->sky, clamped(floor(x + 0.5), job->top.width),
                                        clamped(floor(y + 0.5), job->top.height));
    float steep = n[2] > 0.05f ? sqrtf(n[0] * n[0] + n[1] * n[1]) / n[2] : 20.0f;
    SiltPlace place = {.level = (p[2] - job->low) * job->over_span,
                       .steep = steep < 20.0f ? steep : 20.0f,
                       .north = n[1],
                       .open = open < 0.9f ? open + 0.1f : 1.0f,
                       .snow_line = job->snow_line,
                       .arid = job->arid};
    SiltCover cover = silt_cover_of(&place);
    if (roofed) { // nothing grows there, and no snow falls: rubble
        cover.scree += cover.weights[SILT_COVER_GRASS] + cover.weights[SILT_COVER_SNOW];
        cover.weights[SILT_COVER_ROCK] += cover.weights[SILT_COVER_GRASS] + cover.weights[SILT_COVER_SNOW];
        cover.weights[SILT_COVER_GRASS] = cover.weights[SILT_COVER_SNOW] = 0.0f;
    }
    return silt_cover_colour(job->arid, &cover);
}

static void rock_blocks(void *context, int begin, int end)
{
    const RockJob *job = context;
    for (int block = begin; block < end; block++)
        for (size_t v = (size_t)block * VERTICES; v < block_end(job->mesh, block); v++)
            store(rock_colour(job, v), job->colours + 4 * v);
}

SiltStatus silt_mesh_colour_rock(SiltMesh *mesh, double snow, double arid)
{
    if (mesh->vertex_count == 0)
        return SILT_OK;
    RockJob job = {.mesh = mesh, .arid = (float)arid};
    SiltStatus status = silt_mesh_check("colours", mesh);
    if (status == SILT_OK)
        status = begin_colours(mesh, &job.colours);
    if (status == SILT_OK)
        status = find_tops(&job);
    if (status == SILT_OK) {
        double low = (double)job.low, span = 1.0 / (double)job.over_span;
        double line = isnan(snow) ? silt_usual_snow_line(low, low + span) : snow;
        job.snow_line = (float)((line - low) / span);
        silt_parallel(block_count(mesh), 1, rock_blocks, &job);
    }
    silt_field_destroy(&job.top);
    silt_field_destroy(&job.sky);
    end_colours(mesh, status, job.colours);
    return status;
}
