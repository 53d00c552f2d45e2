// The surface of a terrain as triangles.
//
// A vertex stands at the centre of a cell: x east, y north, z up, in metres. Four neighbouring cells with
// data span a quad, cut along the diagonal whose ends differ less in height, which is the one that runs along
// ridges and valleys. Quads that touch a cell without data are left out, and vertices no quad needs are
// dropped. Where two quads touch in one corner only, the corner has a vertex for each, so that the surface is
// a manifold.
#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "terrain/terrain.h"

enum { ROWS = 8 }; // rows a block of a parallel loop

typedef struct Surface {
    const SiltTerrain *terrain;
    const SiltField *height, *change;
    int width, rows;
    uint8_t *solid;        // of quads: all four corners have data; NULL when all are
    uint32_t *cell_vertex; // of cells: its first vertex; NULL when every cell has one
    uint64_t *vertices;    // before each row of cells, and in all
    uint64_t *quads;       // before each row of quads, and in all
    uint64_t *walls;       // edges of the surface before each row of quads, and in all
    double *lowest;        // of the vertices of each row of cells
    double skirt, floor;
    bool has_fan; // the floor is a fan around its middle, else a mirror of the surface
    SiltMesh *mesh;
} Surface;

static double ground(const Surface *s, int i, int j)
{
    float height = silt_field_at(s->height, i, j);
    return (double)(s->change ? height + silt_field_at(s->change, i, j) : height);
}

static bool has_data(const Surface *s, int i, int j)
{
    return i >= 0 && j >= 0 && i < s->width && j < s->rows && !silt_terrain_is_nodata(s->terrain, i, j) &&
           isfinite(ground(s, i, j));
}

// Quad (i, j) spans the cells (i, j) to (i + 1, j + 1).
static bool is_solid(const Surface *s, int i, int j)
{
    if (i < 0 || j < 0 || i >= s->width - 1 || j >= s->rows - 1)
        return false;
    return !s->solid || s->solid[(size_t)j * (size_t)(s->width - 1) + (size_t)i];
}

// How many vertices a cell has: 2 where the quads around it touch in this corner alone.
static unsigned vertex_count_at(const Surface *s, int i, int j)
{
    bool north_west = is_solid(s, i - 1, j - 1), north_east = is_solid(s, i, j - 1);
    bool south_west = is_solid(s, i - 1, j), south_east = is_solid(s, i, j);
    int count = north_west + north_east + south_west + south_east;
    return count == 0 ? 0 : count == 2 && north_west == south_east ? 2 : 1;
}

// The vertex of cell (i, j) for a quad to its south or north.
static uint32_t vertex_at(const Surface *s, int i, int j, bool is_south)
{
    size_t cell = (size_t)j * (size_t)s->width + (size_t)i;
    if (!s->cell_vertex)
        return (uint32_t)cell;
    return s->cell_vertex[cell] + (is_south && vertex_count_at(s, i, j) == 2 ? 1 : 0);
}

static void find_solid(void *context, int begin, int end)
{
    Surface *s = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < s->width - 1; i++)
            s->solid[(size_t)j * (size_t)(s->width - 1) + (size_t)i] =
                has_data(s, i, j) && has_data(s, i + 1, j) && has_data(s, i, j + 1) &&
                has_data(s, i + 1, j + 1);
}

static double count_missing(void *context, int begin, int end)
{
    const Surface *s = context;
    double missing = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < s->width; i++)
            missing += has_data(s, i, j) ? 0.0 : 1.0;
    return missing;
}

static void count_rows(void *context, int begin, int end)
{
    Surface *s = context;
    for (int j = begin; j < end; j++) {
        uint64_t vertices = 0, quads = 0, walls = 0;
        double lowest = INFINITY;
        for (int i = 0; i < s->width; i++) {
            unsigned count = vertex_count_at(s, i, j);
            vertices += count;
            double z = count ? ground(s, i, j) : INFINITY;
            lowest = z < lowest ? z : lowest;
            if (!is_solid(s, i, j))
                continue;
            quads++;
            walls += (uint64_t)(!is_solid(s, i, j + 1) + !is_solid(s, i + 1, j) + !is_solid(s, i, j - 1) +
                                !is_solid(s, i - 1, j));
        }
        s->vertices[j + 1] = vertices;
        s->quads[j + 1] = quads;
        s->walls[j + 1] = walls;
        s->lowest[j] = lowest;
    }
}

static void add_up(Surface *s)
{
    double lowest = INFINITY;
    for (int j = 0; j < s->rows; j++) {
        s->vertices[j + 1] += s->vertices[j];
        s->quads[j + 1] += s->quads[j];
        s->walls[j + 1] += s->walls[j];
        lowest = s->lowest[j] < lowest ? s->lowest[j] : lowest;
    }
    s->floor = lowest - s->skirt;
}

static SiltStatus measure(Surface *s)
{
    size_t rows = (size_t)s->rows + 1;
    SiltStatus status = silt_alloc_for("a mesh", rows, sizeof *s->vertices, (void **)&s->vertices);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", rows, sizeof *s->quads, (void **)&s->quads);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", rows, sizeof *s->walls, (void **)&s->walls);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", rows, sizeof *s->lowest, (void **)&s->lowest);
    bool has_holes = silt_parallel_sum(s->rows, count_missing, s) > 0.0;
    if (status == SILT_OK && has_holes)
        status =
            silt_alloc_for("a mesh", (size_t)(s->width - 1) * (size_t)(s->rows - 1), 1, (void **)&s->solid);
    if (status == SILT_OK && has_holes)
        status = silt_alloc_for("a mesh", (size_t)s->width * (size_t)s->rows, sizeof(uint32_t),
                                (void **)&s->cell_vertex);
    if (status != SILT_OK)
        return status;
    if (has_holes)
        silt_parallel(s->rows - 1, ROWS, find_solid, s);
    silt_parallel(s->rows, ROWS, count_rows, s);
    add_up(s);
    s->has_fan = !has_holes;
    return SILT_OK;
}

// Slope across the cells with data on both sides, or on one, or none.
static double slope(const Surface *s, int i, int j, int step_i, int step_j)
{
    bool ahead = has_data(s, i + step_i, j + step_j), behind = has_data(s, i - step_i, j - step_j);
    if (!ahead && !behind)
        return 0.0;
    double rise = (ahead ? ground(s, i + step_i, j + step_j) : ground(s, i, j)) -
                  (behind ? ground(s, i - step_i, j - step_j) : ground(s, i, j));
    return rise / (s->terrain->cell * (ahead && behind ? 2.0 : 1.0));
}

static void place_vertex(const Surface *s, uint64_t vertex, int i, int j)
{
    float *position = s->mesh->positions + 3 * vertex, *normal = s->mesh->normals + 3 * vertex;
    position[0] = (float)(i * s->terrain->cell);
    position[1] = (float)((s->rows - 1 - j) * s->terrain->cell);
    position[2] = (float)ground(s, i, j);
    double east = slope(s, i, j, 1, 0), north = slope(s, i, j, 0, -1);
    double length = sqrt(1.0 + east * east + north * north);
    normal[0] = (float)(-east / length);
    normal[1] = (float)(-north / length);
    normal[2] = (float)(1.0 / length);
}

static void fill_vertices(void *context, int begin, int end)
{
    Surface *s = context;
    for (int j = begin; j < end; j++) {
        uint64_t next = s->vertices[j];
        for (int i = 0; i < s->width; i++) {
            unsigned count = vertex_count_at(s, i, j);
            if (s->cell_vertex)
                s->cell_vertex[(size_t)j * (size_t)s->width + (size_t)i] = (uint32_t)next;
            while (count--)
                place_vertex(s, next++, i, j);
        }
    }
}

static uint32_t *add_triangle(uint32_t *at, uint32_t a, uint32_t b, uint32_t c)
{
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return at + 3;
}

typedef struct Quad {
    uint32_t south_west, south_east, north_east, north_west;
} Quad;

static Quad corners(const Surface *s, int i, int j)
{
    return (Quad){vertex_at(s, i, j + 1, false), vertex_at(s, i + 1, j + 1, false),
                  vertex_at(s, i + 1, j, true), vertex_at(s, i, j, true)};
}

static void fill_triangles(void *context, int begin, int end)
{
    Surface *s = context;
    for (int j = begin; j < end; j++) {
        uint32_t *at = s->mesh->indices + 6 * s->quads[j];
        for (int i = 0; i < s->width - 1; i++) {
            if (!is_solid(s, i, j))
                continue;
            Quad q = corners(s, i, j);
            double falling = fabs(ground(s, i, j) - ground(s, i + 1, j + 1));
            double rising = fabs(ground(s, i, j + 1) - ground(s, i + 1, j));
            if (rising <= falling) {
                at = add_triangle(at, q.south_west, q.south_east, q.north_east);
                at = add_triangle(at, q.south_west, q.north_east, q.north_west);
            } else {
                at = add_triangle(at, q.south_west, q.south_east, q.north_west);
                at = add_triangle(at, q.south_east, q.north_east, q.north_west);
            }
        }
    }
}

// ---- the skirt: walls below every edge of the surface, and a floor ----

static uint64_t surface_vertices(const Surface *s)
{
    return s->vertices[s->rows];
}

// Without holes only the cells around the grid have a vertex on the floor, and one more stands in the middle.
static uint64_t floor_vertices(const Surface *s)
{
    return s->has_fan ? 2 * (uint64_t)s->width + 2 * (uint64_t)(s->rows - 2) + 1 : surface_vertices(s);
}

static uint32_t rim_vertex(const Surface *s, int i, int j)
{
    uint32_t width = (uint32_t)s->width, inner = (uint32_t)s->rows - 2;
    uint32_t rim = j == 0             ? (uint32_t)i
                   : j == s->rows - 1 ? width + (uint32_t)i
                   : i == 0           ? 2 * width + (uint32_t)(j - 1)
                                      : 2 * width + inner + (uint32_t)(j - 1);
    return (uint32_t)surface_vertices(s) + rim;
}

static void place_floor(const Surface *s, uint64_t vertex, float x, float y)
{
    float *position = s->mesh->positions + 3 * vertex, *normal = s->mesh->normals + 3 * vertex;
    position[0] = x;
    position[1] = y;
    position[2] = (float)s->floor;
    normal[2] = -1.0f;
}

static void fill_rim(const Surface *s)
{
    const float *positions = s->mesh->positions;
    for (int j = 0; j < s->rows; j++) {
        int step = j == 0 || j == s->rows - 1 ? 1 : s->width - 1;
        for (int i = 0; i < s->width; i += step) {
            const float *above = positions + 3 * (size_t)vertex_at(s, i, j, true);
            place_floor(s, rim_vertex(s, i, j), above[0], above[1]);
        }
    }
    place_floor(s, s->mesh->vertex_count - 1, (float)(0.5 * (s->width - 1) * s->terrain->cell),
                (float)(0.5 * (s->rows - 1) * s->terrain->cell));
}

static void fill_mirror(void *context, int begin, int end)
{
    Surface *s = context;
    uint64_t surface = surface_vertices(s), quads = s->quads[s->rows];
    for (int j = begin; j < end; j++) {
        for (uint64_t v = s->vertices[j]; v < s->vertices[j + 1]; v++)
            place_floor(s, surface + v, s->mesh->positions[3 * v], s->mesh->positions[3 * v + 1]);
        uint32_t *at = s->mesh->indices + 6 * quads + 6 * s->walls[s->rows] + 6 * s->quads[j];
        for (uint64_t k = 2 * s->quads[j]; k < 2 * s->quads[j + 1]; k++) {
            const uint32_t *top = s->mesh->indices + 3 * k;
            uint32_t below = (uint32_t)surface;
            at = add_triangle(at, top[0] + below, top[2] + below, top[1] + below);
        }
    }
}

// One wall below the edge from cell a to cell b of quad (i, j), which lies to its left.
static uint32_t *add_wall(const Surface *s, uint32_t *at, int j, const int a[2], const int b[2])
{
    uint32_t from = vertex_at(s, a[0], a[1], a[1] == j), to = vertex_at(s, b[0], b[1], b[1] == j);
    uint32_t below = (uint32_t)surface_vertices(s);
    uint32_t from_floor = s->has_fan ? rim_vertex(s, a[0], a[1]) : from + below;
    uint32_t to_floor = s->has_fan ? rim_vertex(s, b[0], b[1]) : to + below;
    at = add_triangle(at, to, from, from_floor);
    at = add_triangle(at, to, from_floor, to_floor);
    if (s->has_fan)
        at = add_triangle(at, to_floor, from_floor, (uint32_t)(s->mesh->vertex_count - 1));
    return at;
}

static void fill_walls(void *context, int begin, int end)
{
    Surface *s = context;
    size_t indices_per_wall = s->has_fan ? 9 : 6;
    for (int j = begin; j < end; j++) {
        uint32_t *at = s->mesh->indices + 6 * s->quads[s->rows] + indices_per_wall * s->walls[j];
        for (int i = 0; i < s->width - 1 && s->walls[j] < s->walls[j + 1]; i++) {
            if (!is_solid(s, i, j))
                continue;
            const int north_west[2] = {i, j}, north_east[2] = {i + 1, j};
            const int south_west[2] = {i, j + 1}, south_east[2] = {i + 1, j + 1};
            if (!is_solid(s, i, j + 1))
                at = add_wall(s, at, j, south_west, south_east);
            if (!is_solid(s, i + 1, j))
                at = add_wall(s, at, j, south_east, north_east);
            if (!is_solid(s, i, j - 1))
                at = add_wall(s, at, j, north_east, north_west);
            if (!is_solid(s, i - 1, j))
                at = add_wall(s, at, j, north_west, south_west);
        }
    }
}

static void fill_skirt(Surface *s)
{
    if (s->has_fan)
        fill_rim(s);
    else
        silt_parallel(s->rows, ROWS, fill_mirror, s);
    silt_parallel(s->rows - 1, ROWS, fill_walls, s);
}

// ---- meshes ----

// How large the map is, and map coordinates of the first vertex (south-west), where the map counts in metres
// as the mesh does.
void silt_mesh_place(const SiltTerrain *terrain, SiltMesh *mesh)
{
    const SiltGeoreference *geo = &terrain->geo;
    mesh->frame[0] = terrain->width * terrain->cell;
    mesh->frame[1] = terrain->height * terrain->cell;
    mesh->frame[2] = terrain->cell;
    double tolerance = 1e-3 * terrain->cell;
    if (!geo->placed || fabs(geo->step_x - terrain->cell) > tolerance ||
        fabs(geo->step_y + terrain->cell) > tolerance)
        return;
    mesh->origin[0] = geo->x + 0.5 * geo->step_x;
    mesh->origin[1] = geo->y + (terrain->height - 0.5) * geo->step_y;
}

static SiltStatus build(Surface *s)
{
    SiltStatus status = measure(s);
    if (status != SILT_OK)
        return status;
    uint64_t vertices = s->vertices[s->rows], quads = s->quads[s->rows], walls = s->walls[s->rows];
    if (quads == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "a mesh needs four neighbouring cells with data, and this terrain has none");
    uint64_t triangles = 2 * quads;
    if (s->skirt > 0.0) {
        vertices += floor_vertices(s);
        triangles += s->has_fan ? 3 * walls : 2 * walls + 2 * quads;
    }
    status = silt_mesh_allocate("a mesh", vertices, triangles, true, s->mesh);
    if (status != SILT_OK)
        return status;
    silt_mesh_place(s->terrain, s->mesh);
    silt_parallel(s->rows, ROWS, fill_vertices, s);
    silt_parallel(s->rows - 1, ROWS, fill_triangles, s);
    if (s->skirt > 0.0)
        fill_skirt(s);
    return SILT_OK;
}

SiltStatus silt_mesh_from_terrain(const SiltTerrain *terrain, double skirt, SiltMesh *out)
{
    *out = (SiltMesh){0};
    if (terrain->width < 2 || terrain->height < 2)
        return silt_fail(SILT_BAD_ARGUMENT, "a mesh needs at least 2 x 2 cells, and this terrain has %d x %d",
                         terrain->width, terrain->height);
    if (!(skirt >= 0.0) || !isfinite(skirt))
        return silt_fail(SILT_BAD_ARGUMENT, "a skirt of %g m: its depth must be zero or above", skirt);
    SiltStatus status = silt_terrain_check_finite(terrain, "height", "a mesh", "it was not made");
    if (status == SILT_OK)
        status = silt_terrain_check_heights(terrain, "a mesh");
    if (status == SILT_OK)
        status = silt_terrain_check_finite(terrain, "change", "a mesh", "it was not made");
    if (status != SILT_OK)
        return status;
    Surface surface = {.terrain = terrain,
                       .height = &terrain->layers[0]->field,
                       .change = silt_terrain_layer(terrain, "change"),
                       .width = terrain->width,
                       .rows = terrain->height,
                       .skirt = skirt,
                       .mesh = out};
    status = build(&surface);
    silt_free(surface.solid);
    silt_free(surface.cell_vertex);
    silt_free(surface.vertices);
    silt_free(surface.quads);
    silt_free(surface.walls);
    silt_free(surface.lowest);
    return status;
}
