#include "render/pack.h"

#include "core/parallel.h"
#include "core/simd.h"
#include "render/codes.h"
#include "render/light.h"
#include "terrain/slope_at.h"

enum { ROWS = 16 };

typedef struct Job {
    const SiltPack *pack;
    const SiltRect *rect;
    uint16_t *halves;
    uint8_t *bytes;
} Job;

static inline uint16_t half_of(float value)
{
    return (uint16_t)silt_code_half(value);
}

static void pack_surface_cell(const SiltPack *pack, int i, int j, uint16_t to[4])
{
    float east, south;
    silt_light_slope(pack->height, pack->rise, i, j, &east, &south);
    to[0] = half_of(east);
    to[1] = half_of(-south);
    to[2] = half_of(silt_field_at(pack->sky, i, j));
    to[3] = half_of(pack->shadow ? silt_field_at(pack->shadow, i, j) : 1.0f);
}

// Cells that have neighbours on all sides, by the weights of silt_light_slope. `light` is sunshine, or the
// sky where there is none to tell apart.
SILT_CLONES static void pack_inner(const float *restrict north, const float *restrict here,
                                   const float *restrict south, const float *restrict sky,
                                   const float *restrict light, bool is_lit, float scale, int begin, int end,
                                   uint16_t *restrict to)
{
    SILT_INDEPENDENT
    for (int i = begin; i < end; i++) {
        float nw = north[i - 1], n = north[i], ne = north[i + 1], w = here[i - 1], e = here[i + 1];
        float sw = south[i - 1], s = south[i], se = south[i + 1];
        float rise_east = silt_slope_between(scale, nw, w, sw, ne, e, se);
        float rise_south = silt_slope_between(scale, nw, n, ne, sw, s, se);
        uint16_t *cell = to + 4 * (i - begin);
        cell[0] = half_of(rise_east);
        cell[1] = half_of(-rise_south);
        cell[2] = half_of(sky[i]);
        cell[3] = half_of(is_lit ? light[i] : 1.0f);
    }
}

static void surface_rows(void *context, int begin, int end)
{
    const Job *job = context;
    const SiltPack *pack = job->pack;
    const SiltField *height = pack->height;
    int first = job->rect->i, stop = first + job->rect->width;
    for (int row = begin; row < end; row++) {
        int j = job->rect->j + row;
        uint16_t *to = job->halves + (size_t)row * (size_t)job->rect->width * 4;
        bool is_inner = j > 0 && j < height->height - 1;
        int left = first < 1 ? 1 : first, right = stop > height->width - 1 ? height->width - 1 : stop;
        if (!is_inner || right <= left)
            left = right = stop;
        for (int i = first; i < left; i++)
            pack_surface_cell(pack, i, j, to + 4 * (size_t)(i - first));
        if (left < right)
            pack_inner(silt_field_row(height, j - 1), silt_field_row(height, j),
                       silt_field_row(height, j + 1), silt_field_row(pack->sky, j),
                       silt_field_row(pack->shadow ? pack->shadow : pack->sky, j), pack->shadow != NULL,
                       pack->rise, left, right, to + 4 * (size_t)(left - first));
        for (int i = right; i < stop; i++)
            pack_surface_cell(pack, i, j, to + 4 * (size_t)(i - first));
    }
}

static uint8_t byte_of(float value)
{
    return (uint8_t)silt_code_byte(value);
}

static float saturating(const float *row, int i, float half)
{
    return silt_code_saturating(row ? row[i] : 0.0f, half);
}

// By how much there is of what is shown in full, or saturating.
static float graded(const float *row, int i, float most, float half)
{
    if (!(most > 0.0f) || !row)
        return saturating(row, i, half);
    return row[i] > 0.0f ? (row[i] < most ? row[i] / most : 1.0f) : 0.0f;
}

static const float *row_of(const SiltField *field, int j)
{
    return field ? silt_field_row(field, j) : NULL;
}

static void cover_rows(void *context, int begin, int end)
{
    const Job *job = context;
    const SiltPack *pack = job->pack;
    for (int row = begin; row < end; row++) {
        int j = job->rect->j + row, first = job->rect->i, stop = first + job->rect->width;
        uint8_t *to = job->bytes + (size_t)row * (size_t)job->rect->width * 4;
        const float *water = row_of(pack->water, j), *deposit = row_of(pack->deposit, j);
        const float *second = row_of(pack->ice ? pack->ice : pack->sediment, j);
        float half = pack->ice ? 10.0f : 0.02f, most = pack->ice ? 0.0f : pack->most_mud;
        for (int i = first; i < stop; i++, to += 4) {
            to[0] = byte_of(saturating(water, i, pack->water_half));
            to[1] = byte_of(graded(second, i, most, half));
            to[2] = byte_of(graded(deposit, i, pack->most_deposit, 0.05f));
            to[3] = silt_terrain_is_nodata(pack->terrain, i, j) ? 0 : 255;
        }
    }
}

static void overlay_rows(void *context, int begin, int end)
{
    const Job *job = context;
    const SiltRect *rect = job->rect;
    for (int row = begin; row < end; row++) {
        const float *values = silt_field_row(job->pack->overlay, rect->j + row) + rect->i;
        uint8_t *to = job->bytes + (size_t)row * (size_t)rect->width;
        for (int i = 0; i < rect->width; i++)
            to[i] = byte_of(silt_scale_place(job->pack->scale, values[i]));
    }
}

void silt_pack_surface(const SiltPack *pack, const SiltRect *rect, uint16_t *to)
{
    Job job = {pack, rect, to, NULL};
    silt_parallel(rect->height, ROWS, surface_rows, &job);
}

void silt_pack_cover(const SiltPack *pack, const SiltRect *rect, uint8_t *to)
{
    Job job = {pack, rect, NULL, to};
    silt_parallel(rect->height, ROWS, cover_rows, &job);
}

void silt_pack_overlay(const SiltPack *pack, const SiltRect *rect, uint8_t *to)
{
    Job job = {pack, rect, NULL, to};
    silt_parallel(rect->height, ROWS, overlay_rows, &job);
}
