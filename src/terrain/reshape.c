// New terrains from old ones: crop, flip, quarter turns. Each layer is moved by itself, "change" too, so that
// nothing small drowns on the way.
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "terrain/terrain.h"

enum { ROWS = 16, TILE = 32 };

// Which cell of the old grid each cell of the new one shows.
typedef struct Move {
    int i, j; // old cell of the new corner
    bool mirror_i, mirror_j;
    bool transpose;    // new rows are old columns
    int width, height; // new
} Move;

void silt_terrain_drop_empty_mask(SiltTerrain *terrain)
{
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    if (!terrain->nodata || memchr(terrain->nodata, 1, cells))
        return;
    silt_free(terrain->nodata);
    terrain->nodata = NULL;
}

SILT_CLONES
static void mirror_floats(const float *restrict from, float *restrict to, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = from[count - 1 - k];
}

typedef struct MoveJob {
    const Move *move;
    const char *from;
    char *to;
    size_t from_pitch, to_pitch; // bytes a row
    size_t size;                 // bytes a cell: 4 (a layer) or 1 (the mask)
} MoveJob;

static void move_row(const MoveJob *job, int j)
{
    const Move *m = job->move;
    int old_j = m->mirror_j ? m->j + m->height - 1 - j : m->j + j;
    const char *from = job->from + (size_t)old_j * job->from_pitch + (size_t)m->i * job->size;
    char *to = job->to + (size_t)j * job->to_pitch;
    if (!m->mirror_i)
        memcpy(to, from, (size_t)m->width * job->size);
    else if (job->size == sizeof(float))
        mirror_floats((const float *)(const void *)from, (float *)(void *)to, m->width);
    else
        for (int i = 0; i < m->width; i++)
            to[i] = from[m->width - 1 - i];
}

// One tile of a turned grid: new cell (i, j) is old cell (j, i), mirrored as the move says. Both sides of a
// tile fit the cache. `step` and `pitch` are those of the old cell as i and j grow.
#define TURN_TILE(Cell, name)                                                                                \
    static void name(const Cell *restrict from, ptrdiff_t step, ptrdiff_t pitch, Cell *restrict to,          \
                     size_t to_stride, int width, int height)                                                \
    {                                                                                                        \
        for (int j = 0; j < height; j++, from += pitch, to += to_stride)                                     \
            for (int i = 0; i < width; i++)                                                                  \
                to[i] = from[i * step];                                                                      \
    }
TURN_TILE(float, turn_floats)
TURN_TILE(char, turn_bytes)

static void turn_tile(const MoveJob *job, int i, int j)
{
    const Move *m = job->move;
    int width = m->width - i < TILE ? m->width - i : TILE,
        height = m->height - j < TILE ? m->height - j : TILE;
    int old_i = m->mirror_i ? m->height - 1 - j : j, old_j = m->mirror_j ? m->width - 1 - i : i;
    const char *from = job->from + (size_t)old_j * job->from_pitch + (size_t)old_i * job->size;
    char *to = job->to + (size_t)j * job->to_pitch + (size_t)i * job->size;
    ptrdiff_t step = (ptrdiff_t)(job->from_pitch / job->size) * (m->mirror_j ? -1 : 1);
    ptrdiff_t pitch = m->mirror_i ? -1 : 1;
    size_t to_stride = job->to_pitch / job->size;
    if (job->size == sizeof(float))
        turn_floats((const float *)(const void *)from, step, pitch, (float *)(void *)to, to_stride, width,
                    height);
    else
        turn_bytes(from, step, pitch, to, to_stride, width, height);
}

static void move_rows(void *context, int begin, int end)
{
    const MoveJob *job = context;
    if (!job->move->transpose) {
        for (int j = begin; j < end; j++)
            move_row(job, j);
        return;
    }
    for (int i = 0; i < job->move->width; i += TILE)
        turn_tile(job, i, begin);
}

static SiltStatus move_terrain(const SiltTerrain *terrain, const Move *move, SiltTerrain **out)
{
    SiltTerrain *made;
    SiltStatus status = silt_terrain_create_like(terrain, move->width, move->height, &made);
    if (status != SILT_OK)
        return status;
    int grain = move->transpose ? TILE : ROWS;
    for (int k = 0; k < terrain->layer_count; k++) {
        const SiltField *from = &terrain->layers[k]->field, *to = &made->layers[k]->field;
        MoveJob job = {move,
                       (const char *)from->data,
                       (char *)to->data,
                       from->stride * sizeof(float),
                       to->stride * sizeof(float),
                       sizeof(float)};
        silt_parallel(move->height, grain, move_rows, &job);
    }
    if (terrain->nodata) {
        MoveJob job = {move,
                       (const char *)terrain->nodata,
                       (char *)made->nodata,
                       (size_t)terrain->width,
                       (size_t)made->width,
                       1};
        silt_parallel(move->height, grain, move_rows, &job);
        silt_terrain_drop_empty_mask(made);
    }
    *out = made;
    return SILT_OK;
}

SiltStatus silt_terrain_crop(const SiltTerrain *terrain, int i, int j, int width, int height,
                             SiltTerrain **out)
{
    *out = NULL;
    bool inside = i >= 0 && j >= 0 && width >= 1 && height >= 1 && i < terrain->width &&
                  j < terrain->height && width <= terrain->width - i && height <= terrain->height - j;
    if (!inside)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "crop: %d x %d cells from column %d, row %d do not lie within %d x %d", width,
                         height, i, j, terrain->width, terrain->height);
    Move move = {.i = i, .j = j, .width = width, .height = height};
    SiltStatus status = move_terrain(terrain, &move, out);
    if (status == SILT_OK) {
        (*out)->geo.x += i * terrain->geo.step_x;
        (*out)->geo.y += j * terrain->geo.step_y;
    }
    return status;
}

SiltStatus silt_terrain_flip(const SiltTerrain *terrain, bool left_right, bool top_bottom, SiltTerrain **out)
{
    *out = NULL;
    Move move = {
        .mirror_i = left_right, .mirror_j = top_bottom, .width = terrain->width, .height = terrain->height};
    SiltStatus status = move_terrain(terrain, &move, out);
    if (status == SILT_OK && (left_right || top_bottom))
        silt_georeference_clear(&(*out)->geo);
    return status;
}

SiltStatus silt_terrain_rotate(const SiltTerrain *terrain, int quarter_turns, SiltTerrain **out)
{
    *out = NULL;
    int turns = (quarter_turns % 4 + 4) % 4;
    if (turns % 2 == 0)
        return silt_terrain_flip(terrain, turns == 2, turns == 2, out);
    // clockwise: the new top row is the old first column, read from its lower end
    Move move = {.transpose = true,
                 .mirror_i = turns == 3,
                 .mirror_j = turns == 1,
                 .width = terrain->height,
                 .height = terrain->width};
    SiltStatus status = move_terrain(terrain, &move, out);
    if (status == SILT_OK)
        silt_georeference_clear(&(*out)->geo);
    return status;
}
