// What the three files of the surface share: the skin of each brick, and a brick's voxels while they are
// read.
#ifndef SILT_VOLUME_SURFACE_H
#define SILT_VOLUME_SURFACE_H

#include "volume/brick.h"

enum { NODE = 3, KINDS = 4, MAX_WORDS = KINDS * 64 };
enum { ROW = SILT_MAX_BRICK + 3, SLAB = ROW * ROW, FIRST = SLAB + ROW + 1, BLOCK_FLOATS = SLAB * ROW };
static const SiltBlock silt_skin_block = {.below = 1, .above = 2, .row = ROW, .slab = SLAB, .first = FIRST};

// What a brick adds to the mesh.
typedef struct Skin {
    uint64_t *masks;     // words of x edges, y edges, z edges and nodes; NULL when there is no surface here
    uint16_t *before;    // of each word: vertices with a bit before it
    float *vertices;     // place in voxels and normal, 6 a vertex
    uint32_t *triangles; // 3 each: brick << 16 | vertex
    uint32_t vertex_count, triangle_count;
    uint8_t fans; // walls that are one fan around their middle, a bit a face
} Skin;

enum { REDO_VERTICES = 1, REDO_TRIANGLES = 2 };

struct SiltRockSurface {
    SiltVolume *volume;
    size_t total;  // bricks
    bool is_fresh; // every brick is made, whatever the volume says of changes, and its word is left as it is
    bool is_open;
    Skin *skins; // of each brick
    uint8_t *redo;
    uint8_t *failed; // of each brick: memory ran out
};

static inline int silt_skin_words(const SiltVolume *volume)
{
    return (int)(silt_brick_voxels(volume) / 64);
}

// One side of the block as far as a brick lies on it.
typedef struct Wall {
    int axis, u, v; // seen from outside, u runs right and v up
    int layer;      // place along the axis in the brick
    int across, up; // squares along u and v that begin in the brick
} Wall;

static inline int silt_wall_place(const Wall *wall, int a, int b)
{
    int step[3] = {1, ROW, SLAB};
    return FIRST + wall->layer * step[wall->axis] + a * step[wall->u] + b * step[wall->v];
}

typedef struct Builder {
    const SiltVolume *volume;
    SiltBrickAt at;
    float block[BLOCK_FLOATS];
    uint64_t masks[MAX_WORDS];
    bool has_wall[6];
    Wall walls[6];
} Builder;

static inline unsigned silt_count_bits(uint64_t word)
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

// Reads a brick's voxels and finds its walls.
void silt_builder_begin(const SiltRockSurface *surface, size_t brick, Builder *builder);
// Loops over bricks that surface->redo asks for.
void silt_skin_vertices(void *context, int begin, int end);
void silt_skin_triangles(void *context, int begin, int end);
void silt_skin_clear_vertices(Skin *skin);
void silt_skin_clear_triangles(Skin *skin);

#endif
