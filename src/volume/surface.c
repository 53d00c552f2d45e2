// Marching cubes over all bricks, watertight across their borders (Weiss 2016, 3.3.1.1).
//
// A brick owns the edges that begin at its voxels, and the cubes whose low corner it holds. It keeps one bit
// for each of its edges along x, y and z that the surface cuts, and one for each voxel that is a corner of
// the block's walls; the number of a vertex is the count of bits before its own. So a cube finds the vertices
// of the bricks beside it without a table of edges. Triangles name a vertex by the brick it is in, one of the
// eight from here upwards along the axes, and its number there.
#include "silt/volume.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "io/mesh.h"
#include "volume/brick.h"
#include "volume/cubes.h"

enum { GRAIN = 16, NODE = 3, KINDS = 4, MAX_WORDS = KINDS * 64 };
enum { ROW = SILT_MAX_BRICK + 3, SLAB = ROW * ROW, FIRST = SLAB + ROW + 1, BLOCK_FLOATS = SLAB * ROW };
static const SiltBlock around = {.below = 1, .above = 2, .row = ROW, .slab = SLAB, .first = FIRST};

// What a brick adds to the mesh.
typedef struct Patch {
    uint64_t *masks;     // words of x edges, y edges, z edges and nodes; NULL when there is no surface here
    uint16_t *before;    // of each word: vertices with a bit before it
    float *vertices;     // place in voxels and normal, 6 a vertex
    uint32_t *triangles; // 3 each: brick << 16 | vertex
    uint32_t vertex_count, triangle_count;
    uint8_t fans; // walls that are one fan around their middle, a bit a face
} Patch;

enum { REDO_VERTICES = 1, REDO_TRIANGLES = 2 };

struct SiltSurface {
    SiltVolume *volume;
    bool is_open;
    Patch *patches; // of each brick
    uint8_t *redo;
    uint8_t *failed; // of each brick: memory ran out
};

static int word_count(const SiltVolume *volume)
{
    return (int)(silt_brick_voxels(volume) / 64);
}

static void clear_triangles(Patch *patch)
{
    silt_free(patch->triangles);
    patch->triangles = NULL;
    patch->triangle_count = 0;
}

static void clear_vertices(Patch *patch)
{
    silt_free(patch->masks);
    silt_free(patch->before);
    silt_free(patch->vertices);
    patch->masks = NULL;
    patch->before = NULL;
    patch->vertices = NULL;
    patch->vertex_count = 0;
    patch->fans = 0;
}

// ---- walls ----

// One side of the block as far as a brick lies on it.
typedef struct Wall {
    int axis, u, v; // seen from outside, u runs right and v up
    int layer;      // place along the axis in the brick
    int across, up; // squares along u and v that begin in the brick
} Wall;

// Whether the brick lies on side `face` (0 and 1: low and high along x, ...).
static bool find_wall(const SiltVolume *volume, SiltBrickAt at, int face, Wall *out)
{
    int axis = face >> 1, side = volume->side;
    int layer = (face & 1 ? volume->size[axis] - 1 : 0) - at.at[axis] * side;
    if (layer < 0 || layer >= side)
        return false;
    int u = (axis + (face & 1 ? 1 : 2)) % 3, v = (axis + (face & 1 ? 2 : 1)) % 3;
    int across = volume->size[u] - 1 - at.at[u] * side, up = volume->size[v] - 1 - at.at[v] * side;
    *out = (Wall){axis, u, v, layer, across < side ? across : side, up < side ? up : side};
    return true;
}

static int wall_place(const Wall *wall, int a, int b)
{
    int step[3] = {1, ROW, SLAB};
    return FIRST + wall->layer * step[wall->axis] + a * step[wall->u] + b * step[wall->v];
}

static bool is_fan(const Wall *wall, const float *block)
{
    if (wall->across < 2 || wall->up < 2)
        return false;
    for (int b = 0; b <= wall->up; b++)
        for (int a = 0; a <= wall->across; a++)
            if (!(block[wall_place(wall, a, b)] > 0.0f))
                return false;
    return true;
}

// ---- vertices ----

typedef struct Builder {
    const SiltVolume *volume;
    SiltBrickAt at;
    float block[BLOCK_FLOATS];
    uint64_t masks[MAX_WORDS];
    bool has_wall[6];
    Wall walls[6];
} Builder;

static void gradient_at(const float *at, float out[3])
{
    out[0] = at[1] - at[-1];
    out[1] = at[ROW] - at[-ROW];
    out[2] = at[SLAB] - at[-SLAB];
}

static float *put_vertex(float *to, const float place[3], const float outward[3])
{
    float square = outward[0] * outward[0] + outward[1] * outward[1] + outward[2] * outward[2];
    float scale = square > 0.0f ? 1.0f / sqrtf(square) : 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = place[axis];
        to[3 + axis] = outward[axis] * scale;
    }
    if (!(square > 0.0f))
        to[5] = 1.0f;
    return to + 6;
}

// Where phi is zero between a voxel and the next along an axis, with the normal -grad phi (Weiss eq. 3.3).
static float *put_crossing(float *to, const float *at, const float place[3], int axis, int step)
{
    float here[3], there[3], normal[3];
    float t = at[0] / (at[0] - at[step]);
    // clear of the voxels, so that no triangle shrinks to nothing
    t = t > 1e-3f ? t : 1e-3f;
    t = t < 0.999f ? t : 0.999f;
    gradient_at(at, here);
    gradient_at(at + step, there);
    for (int k = 0; k < 3; k++)
        normal[k] = -(here[k] + t * (there[k] - here[k]));
    float crossing[3] = {place[0], place[1], place[2]};
    crossing[axis] += t;
    return put_vertex(to, crossing, normal);
}

// Marks the edges that the surface cuts; returns how many.
static unsigned mark_edges(Builder *builder)
{
    const SiltVolume *volume = builder->volume;
    int side = volume->side, words = word_count(volume), end[3], inner[3];
    unsigned count = 0;
    for (int axis = 0; axis < 3; axis++) {
        int left = volume->size[axis] - builder->at.at[axis] * side;
        end[axis] = left < side ? left : side;
        inner[axis] = left - 1 < side ? left - 1 : side; // voxels with a next one along the axis
    }
    for (int z = 0; z < end[2]; z++)
        for (int y = 0; y < end[1]; y++) {
            const float *row = builder->block + FIRST + z * SLAB + y * ROW;
            int first = (z * side + y) * side;
            for (int x = 0; x < end[0]; x++) {
                bool inside = row[x] > 0.0f;
                unsigned cut = (unsigned)((row[x + 1] > 0.0f) != inside && x < inner[0]) |
                               (unsigned)((row[x + ROW] > 0.0f) != inside && y < inner[1]) << 1 |
                               (unsigned)((row[x + SLAB] > 0.0f) != inside && z < inner[2]) << 2;
                if (!cut)
                    continue;
                int voxel = first + x;
                for (int axis = 0; axis < 3; axis++)
                    builder->masks[axis * words + voxel / 64] |= (uint64_t)(cut >> axis & 1) << (voxel & 63);
                count += (cut & 1) + (cut >> 1 & 1) + (cut >> 2);
            }
        }
    return count;
}

// Marks rock voxels on the walls that a wall's squares need: within a fan only those around its rim.
static void mark_nodes(Builder *builder, unsigned fans)
{
    const SiltVolume *volume = builder->volume;
    int side = volume->side, words = word_count(volume);
    int step[3] = {1, side, side * side};
    for (int face = 0; face < 6; face++) {
        const Wall *wall = &builder->walls[face];
        if (!builder->has_wall[face])
            continue;
        int last_a = wall->across < side ? wall->across : side - 1,
            last_b = wall->up < side ? wall->up : side - 1;
        for (int b = 0; b <= last_b; b++)
            for (int a = 0; a <= last_a; a++) {
                bool is_rim = a == 0 || b == 0 || a == wall->across || b == wall->up;
                if (!(builder->block[wall_place(wall, a, b)] > 0.0f) || (fans >> face & 1 && !is_rim))
                    continue;
                int voxel = wall->layer * step[wall->axis] + a * step[wall->u] + b * step[wall->v];
                builder->masks[NODE * words + voxel / 64] |= (uint64_t)1 << (voxel & 63);
            }
    }
}

static unsigned count_bits(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_popcountll(word);
#else
    unsigned count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
#endif
}

static int lowest_bit(uint64_t word)
{
    return (int)count_bits((word & (~word + 1)) - 1);
}

static void wall_normal(const Builder *builder, const int local[3], float out[3])
{
    out[0] = out[1] = out[2] = 0.0f;
    for (int face = 0; face < 6; face++)
        if (builder->has_wall[face] && local[face >> 1] == builder->walls[face].layer)
            out[face >> 1] += face & 1 ? 1.0f : -1.0f;
}

static float *put_marked(const Builder *builder, int kind, int voxel, float *to)
{
    const SiltVolume *volume = builder->volume;
    int side = volume->side, step[3] = {1, ROW, SLAB};
    int local[3] = {voxel & (side - 1), voxel >> volume->shift & (side - 1), voxel >> (2 * volume->shift)};
    float place[3], normal[3];
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (float)(builder->at.at[axis] * side + local[axis]);
    if (kind < NODE)
        return put_crossing(to, builder->block + FIRST + local[2] * SLAB + local[1] * ROW + local[0], place,
                            kind, step[kind]);
    wall_normal(builder, local, normal);
    return put_vertex(to, place, normal);
}

static float *put_fans(const Builder *builder, unsigned fans, float *to)
{
    for (int face = 0; face < 6; face++) {
        const Wall *wall = &builder->walls[face];
        if (!(fans >> face & 1))
            continue;
        float place[3], normal[3] = {0};
        for (int axis = 0; axis < 3; axis++)
            place[axis] = (float)(builder->at.at[axis] * builder->volume->side);
        place[wall->axis] += (float)wall->layer;
        place[wall->u] += 0.5f * (float)wall->across;
        place[wall->v] += 0.5f * (float)wall->up;
        normal[wall->axis] = face & 1 ? 1.0f : -1.0f;
        to = put_vertex(to, place, normal);
    }
    return to;
}

// Copies the marks to the patch and places the vertices; false when memory ran out.
static bool store_vertices(const Builder *builder, unsigned fans, Patch *patch)
{
    int words = KINDS * word_count(builder->volume);
    unsigned count = count_bits(fans);
    for (int word = 0; word < words; word++)
        count += count_bits(builder->masks[word]);
    if (count == 0)
        return true;
    patch->masks = silt_alloc_array((size_t)words, sizeof *patch->masks);
    patch->before = silt_alloc_array((size_t)words, sizeof *patch->before);
    patch->vertices = silt_alloc_array(count, 6 * sizeof *patch->vertices);
    if (!patch->masks || !patch->before || !patch->vertices)
        return false;
    patch->vertex_count = count;
    patch->fans = (uint8_t)fans;
    unsigned number = 0;
    float *to = patch->vertices;
    for (int word = 0; word < words; word++) {
        patch->masks[word] = builder->masks[word];
        patch->before[word] = (uint16_t)number;
        number += count_bits(builder->masks[word]);
        for (uint64_t left = builder->masks[word]; left; left &= left - 1)
            to = put_marked(builder, word / (words / KINDS), word % (words / KINDS) * 64 + lowest_bit(left),
                            to);
    }
    put_fans(builder, fans, to);
    return true;
}

// Whether a brick without voxels of its own may hold a surface: at a wall, or beside another kind of brick.
static bool may_have_surface(const SiltSurface *surface, size_t brick, SiltBrickAt at)
{
    const SiltVolume *volume = surface->volume;
    const float *values = volume->table[brick];
    if (!silt_volume_is_uniform(volume, brick))
        return true;
    Wall wall;
    for (int face = 0; !surface->is_open && values == volume->solid && face < 6; face++)
        if (find_wall(volume, at, face, &wall))
            return true;
    for (int n = 1; n < 8; n++)
        if (volume->table[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)] != values)
            return true;
    return false;
}

static void begin_brick(const SiltSurface *surface, size_t brick, Builder *builder)
{
    builder->volume = surface->volume;
    builder->at = silt_brick_at(surface->volume, brick);
    silt_block_read(surface->volume, brick, &around, builder->block);
    for (int face = 0; face < 6; face++)
        builder->has_wall[face] =
            !surface->is_open && find_wall(surface->volume, builder->at, face, &builder->walls[face]);
}

static void make_vertices(void *context, int begin, int end)
{
    SiltSurface *surface = context;
    Builder builder;
    for (int brick = begin; brick < end; brick++) {
        if (!(surface->redo[brick] & REDO_VERTICES))
            continue;
        clear_vertices(&surface->patches[brick]);
        if (!may_have_surface(surface, (size_t)brick, silt_brick_at(surface->volume, (size_t)brick)))
            continue;
        begin_brick(surface, (size_t)brick, &builder);
        memset(builder.masks, 0, sizeof builder.masks);
        mark_edges(&builder);
        unsigned fans = 0;
        for (int face = 0; face < 6; face++)
            if (builder.has_wall[face] && is_fan(&builder.walls[face], builder.block))
                fans |= 1u << face;
        mark_nodes(&builder, fans);
        surface->failed[brick] = !store_vertices(&builder, fans, &surface->patches[brick]);
    }
}

// ---- triangles ----

// Triangles of one brick while they are made: on the stack of the loop that makes them.
typedef struct Weaver {
    const SiltVolume *volume;
    const Patch *near[8]; // the brick and those above it along the axes
    uint32_t *triangles;
    uint32_t count;
} Weaver;

// The vertex of this kind at a voxel that may lie in one of the bricks above.
static uint32_t vertex_at(const Weaver *weaver, int kind, int x, int y, int z)
{
    const SiltVolume *volume = weaver->volume;
    int side = volume->side, shift = volume->shift, words = word_count(volume);
    int near = (x >> shift) | (y >> shift) << 1 | (z >> shift) << 2;
    int voxel = ((z & (side - 1)) << shift | (y & (side - 1))) << shift | (x & (side - 1));
    const Patch *patch = weaver->near[near];
    int word = kind * words + voxel / 64;
    uint64_t below = patch->masks[word] & (((uint64_t)1 << (voxel & 63)) - 1);
    return (uint32_t)near << 16 | (patch->before[word] + count_bits(below));
}

static void add_triangle(Weaver *weaver, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = weaver->triangles + 3 * (size_t)weaver->count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static void weave_cube(Weaver *weaver, const SiltCube *cube, int x, int y, int z)
{
    for (int n = 0; n < cube->count; n++) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) {
            int edge = cube->edges[3 * n + k], from = silt_edge_corner(edge);
            corner[k] = vertex_at(weaver, edge >> 2, x + (from & 1), y + (from >> 1 & 1), z + (from >> 2));
        }
        add_triangle(weaver, corner[0], corner[1], corner[2]);
    }
}

static void weave_cubes(const Builder *builder, Weaver *weaver)
{
    const SiltCube *cubes = silt_cubes();
    const SiltVolume *volume = builder->volume;
    int side = volume->side, end[3];
    for (int axis = 0; axis < 3; axis++) {
        int left = volume->size[axis] - 1 - builder->at.at[axis] * side;
        end[axis] = left < side ? left : side;
    }
    for (int z = 0; z < end[2]; z++)
        for (int y = 0; y < end[1]; y++) {
            const float *row = builder->block + FIRST + z * SLAB + y * ROW;
            unsigned inside = 0;
            for (int x = -1; x < end[0];
                 x++) { // the four corners at x + 1 join those the last cube had there
                const float *at = row + x + 1;
                unsigned ahead = (unsigned)(at[0] > 0.0f) << 1 | (unsigned)(at[ROW] > 0.0f) << 3 |
                                 (unsigned)(at[SLAB] > 0.0f) << 5 | (unsigned)(at[SLAB + ROW] > 0.0f) << 7;
                inside = (inside >> 1 & 0x55u) | ahead;
                if (x >= 0 && inside != 0 && inside != 255)
                    weave_cube(weaver, &cubes[inside], x, y, z);
            }
        }
}

static uint32_t wall_vertex(const Weaver *weaver, const Wall *wall, int kind, int a, int b)
{
    int at[3];
    at[wall->axis] = wall->layer;
    at[wall->u] = a;
    at[wall->v] = b;
    return vertex_at(weaver, kind, at[0], at[1], at[2]);
}

// The rock's part of a wall's square: a polygon for each run of rock corners, by the rule of cubes.c.
static void weave_square(const Builder *builder, Weaver *weaver, const Wall *wall, int a, int b)
{
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    bool rock[4];
    uint32_t node[4] = {0}, edge[4] = {0}; // edge k lies between corners k and k + 1
    int rocks = 0;
    for (int k = 0; k < 4; k++)
        rocks += rock[k] = builder->block[wall_place(wall, a + step[k][0], b + step[k][1])] > 0.0f;
    if (rocks == 0)
        return;
    for (int k = 0; k < 4; k++) {
        if (rock[k])
            node[k] = wall_vertex(weaver, wall, NODE, a + step[k][0], b + step[k][1]);
        if (rock[k] != rock[(k + 1) & 3])
            edge[k] = wall_vertex(weaver, wall, k & 1 ? wall->v : wall->u, a + (k == 1), b + (k == 2));
    }
    if (rocks == 4) {
        add_triangle(weaver, node[0], node[1], node[2]);
        add_triangle(weaver, node[0], node[2], node[3]);
        return;
    }
    for (int k = 0; k < 4; k++) {
        if (rock[k] || !rock[(k + 1) & 3])
            continue;
        int corner = (k + 1) & 3; // a fan around where the run begins
        for (; rock[(corner + 1) & 3]; corner = (corner + 1) & 3)
            add_triangle(weaver, edge[k], node[corner], node[(corner + 1) & 3]);
        add_triangle(weaver, edge[k], node[corner], edge[corner]);
    }
}

static void weave_fan(Weaver *weaver, const Wall *wall, uint32_t middle)
{
    uint32_t last = wall_vertex(weaver, wall, NODE, 0, 0);
    int length = 2 * (wall->across + wall->up);
    for (int n = 1; n <= length; n++) {
        int along = n, a, b;
        if (along <= wall->across) {
            a = along;
            b = 0;
        } else if ((along -= wall->across) <= wall->up) {
            a = wall->across;
            b = along;
        } else if ((along -= wall->up) <= wall->across) {
            a = wall->across - along;
            b = wall->up;
        } else {
            a = 0;
            b = wall->up - (along - wall->across);
        }
        uint32_t next = wall_vertex(weaver, wall, NODE, a, b);
        add_triangle(weaver, last, next, middle);
        last = next;
    }
}

static void weave_walls(const Builder *builder, Weaver *weaver)
{
    const Patch *own = weaver->near[0];
    uint32_t middle = own->vertex_count - count_bits(own->fans);
    for (int face = 0; face < 6; face++) {
        const Wall *wall = &builder->walls[face];
        if (!builder->has_wall[face])
            continue;
        if (own->fans >> face & 1) {
            weave_fan(weaver, wall, middle++);
            continue;
        }
        for (int b = 0; b < wall->up; b++)
            for (int a = 0; a < wall->across; a++)
                weave_square(builder, weaver, wall, a, b);
    }
}

static bool has_any(const Weaver *weaver)
{
    for (int n = 0; n < 8; n++)
        if (weaver->near[n]->vertex_count > 0)
            return true;
    return false;
}

static void make_triangles(void *context, int begin, int end)
{
    SiltSurface *surface = context;
    const SiltVolume *volume = surface->volume;
    // no cube has more than 5 triangles for each of its voxels' edges, no wall more than 3 a square
    size_t limit = 5 * silt_brick_voxels(volume) + 3 * 6 * (size_t)volume->side * (size_t)volume->side;
    Weaver weaver = {.volume = volume, .triangles = silt_alloc_array(limit, 3 * sizeof(uint32_t))};
    Builder builder;
    for (int brick = begin; brick < end; brick++) {
        Patch *patch = &surface->patches[brick];
        if (!(surface->redo[brick] & REDO_TRIANGLES))
            continue;
        clear_triangles(patch);
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        for (int n = 0; n < 8; n++)
            weaver.near[n] = &surface->patches[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)];
        weaver.count = 0;
        if (!has_any(&weaver))
            continue;
        surface->failed[brick] = !weaver.triangles;
        if (!weaver.triangles)
            continue;
        begin_brick(surface, (size_t)brick, &builder);
        weave_cubes(&builder, &weaver);
        weave_walls(&builder, &weaver);
        if (weaver.count == 0)
            continue;
        patch->triangles = silt_alloc_array(weaver.count, 3 * sizeof *patch->triangles);
        surface->failed[brick] = !patch->triangles;
        if (!patch->triangles)
            continue;
        memcpy(patch->triangles, weaver.triangles, 3 * (size_t)weaver.count * sizeof *patch->triangles);
        patch->triangle_count = weaver.count;
    }
    silt_free(weaver.triangles);
}

// ---- the whole ----

SiltStatus silt_surface_create(SiltVolume *volume, bool is_open, SiltSurface **out)
{
    *out = NULL;
    SiltSurface *surface = NULL;
    size_t total = silt_brick_total(volume);
    SiltStatus status = silt_alloc_for("surface", 1, sizeof *surface, (void **)&surface);
    if (status != SILT_OK)
        return status;
    surface->volume = volume;
    surface->is_open = is_open;
    status = silt_alloc_for("surface", total, sizeof *surface->patches, (void **)&surface->patches);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *surface->redo, (void **)&surface->redo);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *surface->failed, (void **)&surface->failed);
    if (status != SILT_OK) {
        silt_surface_destroy(surface);
        return status;
    }
    for (size_t brick = 0; brick < total; brick++)
        volume->flags[brick] |= SILT_BRICK_REMESH;
    *out = surface;
    return SILT_OK;
}

void silt_surface_destroy(SiltSurface *surface)
{
    if (!surface)
        return;
    size_t total = silt_brick_total(surface->volume);
    for (size_t brick = 0; surface->patches && brick < total; brick++) {
        clear_vertices(&surface->patches[brick]);
        clear_triangles(&surface->patches[brick]);
    }
    silt_free(surface->patches);
    silt_free(surface->redo);
    silt_free(surface->failed);
    silt_free(surface);
}

// A vertex depends on its brick and those around it (normals look one voxel back), a triangle on where the
// vertices of the bricks above are.
static void choose_bricks(void *context, int begin, int end)
{
    SiltSurface *surface = context;
    const SiltVolume *volume = surface->volume;
    for (int brick = begin; brick < end; brick++) {
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        surface->redo[brick] = 0;
        for (int n = 0; n < 64; n++) {
            int step[3] = {n % 4 - 1, n / 4 % 4 - 1, n / 16 - 1};
            if (!(volume->flags[silt_brick_beside(volume, at, step[0], step[1], step[2])] &
                  SILT_BRICK_REMESH))
                continue;
            surface->redo[brick] |= REDO_TRIANGLES;
            if (step[0] < 2 && step[1] < 2 && step[2] < 2)
                surface->redo[brick] |= REDO_VERTICES;
        }
    }
}

SiltStatus silt_surface_update(SiltSurface *surface, size_t *redone)
{
    SiltVolume *volume = surface->volume;
    size_t total = silt_brick_total(volume), count = 0;
    memset(surface->failed, 0, total);
    silt_parallel((int)total, 256, choose_bricks, surface);
    silt_parallel((int)total, GRAIN, make_vertices, surface);
    bool has_failed = false;
    for (size_t brick = 0; brick < total; brick++)
        has_failed = has_failed || surface->failed[brick];
    if (!has_failed)
        silt_parallel((int)total, 4 * GRAIN, make_triangles, surface);
    for (size_t brick = 0; brick < total; brick++) {
        has_failed = has_failed || surface->failed[brick];
        count += surface->redo[brick] != 0;
    }
    if (has_failed)
        return silt_fail(SILT_NO_MEMORY, "surface: not enough memory for the triangles of %zu bricks", count);
    for (size_t brick = 0; brick < total; brick++)
        volume->flags[brick] &= (uint8_t)~SILT_BRICK_REMESH;
    if (redone)
        *redone = count;
    return SILT_OK;
}

typedef struct Gathering {
    const SiltSurface *surface;
    const uint64_t *vertices, *triangles; // before each brick
    SiltMesh *mesh;
} Gathering;

static void gather_bricks(void *context, int begin, int end)
{
    const Gathering *gathering = context;
    const SiltVolume *volume = gathering->surface->volume;
    float cell = (float)volume->cell;
    for (int brick = begin; brick < end; brick++) {
        const Patch *patch = &gathering->surface->patches[brick];
        float *position = gathering->mesh->positions + 3 * gathering->vertices[brick];
        float *normal = gathering->mesh->normals + 3 * gathering->vertices[brick];
        for (uint32_t v = 0; v < patch->vertex_count; v++)
            for (int axis = 0; axis < 3; axis++) {
                *position++ = patch->vertices[6 * (size_t)v + (size_t)axis] * cell;
                *normal++ = patch->vertices[6 * (size_t)v + 3 + (size_t)axis];
            }
        if (!patch->triangle_count)
            continue;
        uint32_t first[8];
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        for (int n = 0; n < 8; n++)
            first[n] =
                (uint32_t)gathering->vertices[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)];
        uint32_t *to = gathering->mesh->indices + 3 * gathering->triangles[brick];
        for (size_t k = 0; k < 3 * (size_t)patch->triangle_count; k++)
            to[k] = first[patch->triangles[k] >> 16] + (patch->triangles[k] & 0xFFFFu);
    }
}

SiltStatus silt_surface_mesh(const SiltSurface *surface, SiltMesh *out)
{
    *out = (SiltMesh){0};
    size_t total = silt_brick_total(surface->volume);
    uint64_t *vertices = NULL, *triangles = NULL, vertex_count = 0, triangle_count = 0;
    SiltStatus status = silt_alloc_for("surface", total, sizeof *vertices, (void **)&vertices);
    if (status == SILT_OK)
        status = silt_alloc_for("surface", total, sizeof *triangles, (void **)&triangles);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        vertices[brick] = vertex_count;
        triangles[brick] = triangle_count;
        vertex_count += surface->patches[brick].vertex_count;
        triangle_count += surface->patches[brick].triangle_count;
    }
    if (status == SILT_OK)
        status = silt_mesh_allocate("surface", vertex_count, triangle_count, true, out);
    if (status == SILT_OK) {
        Gathering gathering = {surface, vertices, triangles, out};
        memcpy(out->origin, surface->volume->origin, sizeof out->origin);
        silt_parallel((int)total, GRAIN, gather_bricks, &gathering);
    }
    silt_free(vertices);
    silt_free(triangles);
    return status;
}

SiltStatus silt_volume_mesh(SiltVolume *volume, bool is_open, SiltMesh *out)
{
    *out = (SiltMesh){0};
    SiltSurface *surface;
    SiltStatus status = silt_surface_create(volume, is_open, &surface);
    if (status != SILT_OK)
        return status;
    status = silt_surface_update(surface, NULL);
    if (status == SILT_OK)
        status = silt_surface_mesh(surface, out);
    silt_surface_destroy(surface);
    return status;
}
