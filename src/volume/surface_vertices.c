// The vertices of the surface: where it cuts the edges of the grid, and the corners of the block's walls.
#include <math.h>

#include "core/memory.h"
#include "volume/surface.h"

void silt_skin_clear_vertices(Skin *skin)
{
    silt_free(skin->masks);
    silt_free(skin->before);
    silt_free(skin->vertices);
    skin->masks = NULL;
    skin->before = NULL;
    skin->vertices = NULL;
    skin->vertex_count = 0;
    skin->fans = 0;
}
// ---- walls ----

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

static bool is_fan(const Wall *wall, const float *block)
{
    if (wall->across < 2 || wall->up < 2)
        return false;
    for (int b = 0; b <= wall->up; b++)
        for (int a = 0; a <= wall->across; a++)
            if (!(block[silt_wall_place(wall, a, b)] > 0.0f))
                return false;
    return true;
}

// ---- vertices ----

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
    int side = volume->side, words = silt_skin_words(volume), end[3], inner[3];
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
    int side = volume->side, words = silt_skin_words(volume);
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
                if (!(builder->block[silt_wall_place(wall, a, b)] > 0.0f) || (fans >> face & 1 && !is_rim))
                    continue;
                int voxel = wall->layer * step[wall->axis] + a * step[wall->u] + b * step[wall->v];
                builder->masks[NODE * words + voxel / 64] |= (uint64_t)1 << (voxel & 63);
            }
    }
}

static int lowest_bit(uint64_t word)
{
    return (int)silt_count_bits((word & (~word + 1)) - 1);
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

// Copies the marks to the skin and places the vertices; false when memory ran out.
static bool store_vertices(const Builder *builder, unsigned fans, Skin *skin)
{
    int words = KINDS * silt_skin_words(builder->volume);
    unsigned count = silt_count_bits(fans);
    for (int word = 0; word < words; word++)
        count += silt_count_bits(builder->masks[word]);
    if (count == 0)
        return true;
    skin->masks = silt_alloc_array((size_t)words, sizeof *skin->masks);
    skin->before = silt_alloc_array((size_t)words, sizeof *skin->before);
    skin->vertices = silt_alloc_array(count, 6 * sizeof *skin->vertices);
    if (!skin->masks || !skin->before || !skin->vertices)
        return false;
    skin->vertex_count = count;
    skin->fans = (uint8_t)fans;
    unsigned number = 0;
    float *to = skin->vertices;
    for (int word = 0; word < words; word++) {
        skin->masks[word] = builder->masks[word];
        skin->before[word] = (uint16_t)number;
        number += silt_count_bits(builder->masks[word]);
        for (uint64_t left = builder->masks[word]; left; left &= left - 1)
            to = put_marked(builder, word / (words / KINDS), word % (words / KINDS) * 64 + lowest_bit(left),
                            to);
    }
    put_fans(builder, fans, to);
    return true;
}

// Whether a brick without voxels of its own may hold a surface: at a wall, or beside another kind of brick.
static bool may_have_surface(const SiltRockSurface *surface, size_t brick, SiltBrickAt at)
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

void silt_builder_begin(const SiltRockSurface *surface, size_t brick, Builder *builder)
{
    builder->volume = surface->volume;
    builder->at = silt_brick_at(surface->volume, brick);
    silt_block_read(surface->volume, brick, &silt_skin_block, builder->block);
    for (int face = 0; face < 6; face++)
        builder->has_wall[face] =
            !surface->is_open && find_wall(surface->volume, builder->at, face, &builder->walls[face]);
}

void silt_skin_vertices(void *context, int begin, int end)
{
    SiltRockSurface *surface = context;
    Builder builder;
    for (int brick = begin; brick < end; brick++) {
        if (!(surface->redo[brick] & REDO_VERTICES))
            continue;
        silt_skin_clear_vertices(&surface->skins[brick]);
        if (!may_have_surface(surface, (size_t)brick, silt_brick_at(surface->volume, (size_t)brick)))
            continue;
        silt_builder_begin(surface, (size_t)brick, &builder);
        memset(builder.masks, 0, sizeof builder.masks);
        mark_edges(&builder);
        unsigned fans = 0;
        for (int face = 0; face < 6; face++)
            if (builder.has_wall[face] && is_fan(&builder.walls[face], builder.block))
                fans |= 1u << face;
        mark_nodes(&builder, fans);
        surface->failed[brick] = !store_vertices(&builder, fans, &surface->skins[brick]);
    }
}
