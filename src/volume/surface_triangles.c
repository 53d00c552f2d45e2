// The triangles of the surface: marching cubes within the block, and polygons on its walls.
#include "core/memory.h"
#include "volume/cubes.h"
#include "volume/surface.h"

void silt_skin_clear_triangles(Skin *skin)
{
    silt_free(skin->triangles);
    skin->triangles = NULL;
    skin->triangle_count = 0;
}
// Triangles of one brick while they are made: on the stack of the loop that makes them.
typedef struct Weaver {
    const SiltVolume *volume;
    const Skin *near[8]; // the brick and those above it along the axes
    uint32_t *triangles;
    uint32_t count;
} Weaver;

// The vertex of this kind at a voxel that may lie in one of the bricks above.
static uint32_t vertex_at(const Weaver *weaver, int kind, int x, int y, int z)
{
    const SiltVolume *volume = weaver->volume;
    int side = volume->side, shift = volume->shift, words = silt_skin_words(volume);
    int near = (x >> shift) | (y >> shift) << 1 | (z >> shift) << 2;
    int voxel = ((z & (side - 1)) << shift | (y & (side - 1))) << shift | (x & (side - 1));
    const Skin *skin = weaver->near[near];
    int word = kind * words + voxel / 64;
    uint64_t below = skin->masks[word] & (((uint64_t)1 << (voxel & 63)) - 1);
    return (uint32_t)near << 16 | (skin->before[word] + silt_count_bits(below));
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
        rocks += rock[k] = builder->block[silt_wall_place(wall, a + step[k][0], b + step[k][1])] > 0.0f;
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
    const Skin *own = weaver->near[0];
    uint32_t middle = own->vertex_count - silt_count_bits(own->fans);
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

void silt_skin_triangles(void *context, int begin, int end)
{
    SiltRockSurface *surface = context;
    const SiltVolume *volume = surface->volume;
    // no cube has more than 5 triangles for each of its voxels' edges, no wall more than 3 a square
    size_t limit = 5 * silt_brick_voxels(volume) + 3 * 6 * (size_t)volume->side * (size_t)volume->side;
    Weaver weaver = {.volume = volume, .triangles = silt_alloc_array(limit, 3 * sizeof(uint32_t))};
    Builder builder;
    for (int brick = begin; brick < end; brick++) {
        Skin *skin = &surface->skins[brick];
        if (!(surface->redo[brick] & REDO_TRIANGLES))
            continue;
        silt_skin_clear_triangles(skin);
        SiltBrickAt at = silt_brick_at(volume, (size_t)brick);
        for (int n = 0; n < 8; n++)
            weaver.near[n] = &surface->skins[silt_brick_beside(volume, at, n & 1, n >> 1 & 1, n >> 2)];
        weaver.count = 0;
        if (!has_any(&weaver))
            continue;
        surface->failed[brick] = !weaver.triangles;
        if (!weaver.triangles)
            continue;
        silt_builder_begin(surface, (size_t)brick, &builder);
        weave_cubes(&builder, &weaver);
        weave_walls(&builder, &weaver);
        if (weaver.count == 0)
            continue;
        skin->triangles = silt_alloc_array(weaver.count, 3 * sizeof *skin->triangles);
        surface->failed[brick] = !skin->triangles;
        if (!skin->triangles)
            continue;
        memcpy(skin->triangles, weaver.triangles, 3 * (size_t)weaver.count * sizeof *skin->triangles);
        skin->triangle_count = weaver.count;
    }
    silt_free(weaver.triangles);
}
