#include "render/light.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"

enum { ROWS = 16, PAD = 2 };

SiltSun silt_sun(const SiltRenderOptions *options)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double flat = cos(options->sun_height * degree);
    return (SiltSun){(float)(sin(options->sun * degree) * flat), (float)(-cos(options->sun * degree) * flat),
                     (float)sin(options->sun_height * degree)};
}

// ---- shadows: a sweep away from the sun ----
//
// Row after row, starting at the side of the sun, the plane below which nothing is lit comes down by the
// slope of the sun's rays and is lifted by what stands above it: plane(p) = max(plane(p - s), height(p - s))
// - drop. Beside it goes the way since the land that throws the shadow, because the sun is a disc and its
// half-shadow widens with it.

typedef struct Sweep {
    int count;           // cells of a row
    float shift;         // columns towards the sun from one row to the next, -1 to 1
    float drop;          // metres of height the rays lose on the way
    float way;           // cells of it
    float least, spread; // height of the half-shadow in metres: least + spread * way
} Sweep;

// The rows begin with PAD cells that repeat the border.
typedef struct SweepRow {
    float *top, *way;
} SweepRow;

static void repeat_border(float *row, int count)
{
    for (int k = 1; k <= PAD; k++) {
        row[-k] = row[0];
        row[count - 1 + k] = row[count - 1];
    }
}

SILT_CLONES static void sweep_row(const Sweep *sweep, const float *restrict top, const float *restrict way,
                                  const float *restrict height, float *restrict new_top,
                                  float *restrict new_way, float *restrict lit)
{
    int whole = (int)floorf(sweep->shift), count = sweep->count;
    float part = sweep->shift - (float)whole, step = sweep->way, drop = sweep->drop;
    float least = sweep->least, spread = sweep->spread;
    const float *near_top = top + whole, *near_way = way + whole;
    SILT_INDEPENDENT
    for (int i = 0; i < count; i++) {
        float plane = near_top[i] + (near_top[i + 1] - near_top[i]) * part - drop;
        float far = near_way[i] + (near_way[i + 1] - near_way[i]) * part + step;
        float h = height[i], light = 0.5f + (h - plane) / (least + spread * far);
        lit[i] = light < 0.0f ? 0.0f : light > 1.0f ? 1.0f : light;
        new_top[i] = h > plane ? h : plane;
        new_way[i] = h > plane ? 0.0f : far;
    }
}

// Sweeps over rows from the first (or, backwards, the last) on.
static void sweep_field(const Sweep *sweep, bool backwards, const SiltField *height, SweepRow rows[2],
                        SiltField *lit)
{
    int first = backwards ? height->height - 1 : 0, step = backwards ? -1 : 1;
    memcpy(rows[0].top, silt_field_row(height, first), (size_t)sweep->count * sizeof(float));
    memset(rows[0].way, 0, (size_t)sweep->count * sizeof(float));
    for (int i = 0; i < sweep->count; i++)
        silt_field_row(lit, first)[i] = 1.0f;
    for (int k = 1; k < height->height; k++) {
        int j = first + step * k;
        SweepRow *old = &rows[(k - 1) & 1], *new = &rows[k & 1];
        repeat_border(old->top, sweep->count);
        repeat_border(old->way, sweep->count);
        sweep_row(sweep, old->top, old->way, silt_field_row(height, j), new->top, new->way,
                  silt_field_row(lit, j));
    }
}

typedef struct Turn {
    const SiltField *from;
    SiltField *to;
} Turn;

static void turn_rows(void *context, int begin, int end)
{
    const Turn *turn = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < turn->to->width; i++)
            silt_field_row(turn->to, j)[i] = silt_field_at(turn->from, j, i);
}

static void transpose(const SiltField *from, SiltField *to)
{
    Turn turn = {from, to};
    silt_parallel(to->height, ROWS, turn_rows, &turn);
}

static SiltStatus sweep_along_rows(const Sweep *sweep, bool backwards, const SiltField *height,
                                   SiltField *lit)
{
    size_t length = (size_t)sweep->count + 2 * PAD;
    float *block;
    SiltStatus status = silt_alloc_for("shadows", 4 * length, sizeof(float), (void **)&block);
    if (status != SILT_OK)
        return status;
    SweepRow rows[2] = {{block + PAD, block + length + PAD},
                        {block + 2 * length + PAD, block + 3 * length + PAD}};
    sweep_field(sweep, backwards, height, rows, lit);
    silt_free(block);
    return SILT_OK;
}

SiltStatus silt_light_shadow(const SiltField *height, float cell, float rise, SiltSun sun, SiltField *out)
{
    float across = fabsf(sun.east), along = fabsf(sun.south);
    bool turned = across > along; // the sweep runs over columns
    float major = turned ? across : along;
    if (major < 1e-4f) { // the sun stands overhead
        silt_field_fill(out, 1.0f);
        return SILT_OK;
    }
    float way = sqrtf(across * across + along * along) / major, metres = cell / rise;
    Sweep sweep = {.count = turned ? height->height : height->width,
                   .shift = (turned ? sun.south : sun.east) / major,
                   .drop = sun.up / major * metres,
                   .way = way,
                   .least = 0.35f * metres,
                   .spread = 0.05f * metres};
    bool backwards = (turned ? sun.east : sun.south) > 0.0f;
    if (!turned)
        return sweep_along_rows(&sweep, backwards, height, out);
    SiltField turned_height = {0}, turned_lit = {0};
    SiltStatus status = silt_field_create(height->height, height->width, &turned_height);
    if (status == SILT_OK)
        status = silt_field_create(height->height, height->width, &turned_lit);
    if (status == SILT_OK) {
        transpose(height, &turned_height);
        status = sweep_along_rows(&sweep, backwards, &turned_height, &turned_lit);
    }
    if (status == SILT_OK)
        transpose(&turned_lit, out);
    silt_field_destroy(&turned_height);
    silt_field_destroy(&turned_lit);
    return status;
}
