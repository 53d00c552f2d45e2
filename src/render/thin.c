#include "render/thin.h"

#include <math.h>

#include "core/parallel.h"
#include "core/simd.h"

enum { ROWS = 16 };

typedef struct Job {
    const SiltField *from;
    const SiltTerrain *land; // whose cells without data count for nothing
    SiltField *to;
    SiltRect part; // blocks
    int side;
} Job;

// ---- means ----

// Blocks whose cells all lie in the land and have data.
SILT_CLONES static void add_row(const float *restrict from, int side, int count, float *restrict to)
{
    if (side == 2)
        for (int i = 0; i < count; i++)
            to[i] += from[2 * i] + from[2 * i + 1];
    else if (side == 4)
        for (int i = 0; i < count; i++)
            to[i] += (from[4 * i] + from[4 * i + 1]) + (from[4 * i + 2] + from[4 * i + 3]);
    else
        for (int i = 0; i < count; i++)
            for (int n = 0; n < side; n++)
                to[i] += from[side * i + n];
}

static float mean_of(const Job *job, int i, int j)
{
    int side = job->side, count = 0;
    float sum = 0.0f;
    for (int y = j * side; y < (j + 1) * side && y < job->from->height; y++)
        for (int x = i * side; x < (i + 1) * side && x < job->from->width; x++)
            if (!silt_terrain_is_nodata(job->land, x, y)) {
                sum += silt_field_at(job->from, x, y);
                count++;
            }
    return count ? sum / (float)count : 0.0f;
}

static void thin_rows(void *context, int begin, int end)
{
    const Job *job = context;
    int side = job->side, first = job->part.i, stop = first + job->part.width;
    int whole = job->land->nodata ? first : job->from->width / side; // blocks before have all their cells
    whole = whole > stop ? stop : whole < first ? first : whole;
    float share = 1.0f / (float)(side * side);
    for (int row = begin; row < end; row++) {
        int j = job->part.j + row, plain = (j + 1) * side <= job->from->height ? whole : first;
        float *to = silt_field_row(job->to, j);
        for (int i = first; i < plain; i++)
            to[i] = 0.0f;
        for (int y = j * side; y < (j + 1) * side && plain > first; y++)
            add_row(silt_field_row(job->from, y) + (size_t)first * (size_t)side, side, plain - first,
                    to + first);
        for (int i = first; i < plain; i++)
            to[i] *= share;
        for (int i = plain; i < stop; i++)
            to[i] = mean_of(job, i, j);
    }
}

SiltRect silt_few_part(const SiltFew *few, const SiltRect *cells)
{
    int side = few->side;
    if (cells->width < 1 || cells->height < 1)
        return (SiltRect){0};
    int left = cells->i / side, top = cells->j / side;
    return (SiltRect){left, top, (cells->i + cells->width - 1) / side + 1 - left,
                      (cells->j + cells->height - 1) / side + 1 - top};
}

// ---- what is taken ----

void silt_few_end(SiltFew *few)
{
    silt_terrain_destroy(few->land);
    for (int k = 0; k < SILT_FEW_LAYERS; k++)
        silt_field_destroy(&few->layers[k]);
    silt_field_destroy(&few->sky);
    silt_field_destroy(&few->shadow);
    *few = (SiltFew){0};
}

// A block is without data where most of its cells are.
static SiltStatus take_nodata(SiltFew *few, const SiltTerrain *land)
{
    SiltStatus status = silt_terrain_require_nodata(few->land);
    for (int j = 0; status == SILT_OK && j < few->land->height; j++)
        for (int i = 0; i < few->land->width; i++) {
            int all = 0, without = 0;
            for (int y = j * few->side; y < (j + 1) * few->side && y < land->height; y++)
                for (int x = i * few->side; x < (i + 1) * few->side && x < land->width; x++, all++)
                    without += silt_terrain_is_nodata(land, x, y);
            few->land->nodata[(size_t)j * (size_t)few->land->width + (size_t)i] = 2 * without > all;
        }
    return status;
}

static SiltStatus begin(SiltFew *few, const SiltTerrain *land)
{
    int side = few->side;
    SiltStatus status = silt_terrain_create((land->width + side - 1) / side, (land->height + side - 1) / side,
                                            land->cell * side, &few->land);
    if (status == SILT_OK && land->nodata)
        status = take_nodata(few, land);
    if (status == SILT_OK)
        return SILT_OK;
    silt_few_end(few);
    few->side = side;
    return status;
}

// All of a layer that was not there before.
static SiltStatus take(const SiltFew *few, const SiltTerrain *land, const SiltField **from,
                       const SiltRect *cells, SiltField *to)
{
    if (!*from)
        return SILT_OK;
    SiltRect all = {0, 0, land->width, land->height};
    SiltStatus status = SILT_OK;
    if (!to->data) {
        status = silt_field_create(few->land->width, few->land->height, to);
        cells = &all;
    }
    if (status != SILT_OK)
        return status;
    Job job = {*from, land, to, silt_few_part(few, cells), few->side};
    if (job.part.width > 0)
        silt_parallel(job.part.height, ROWS, thin_rows, &job);
    *from = to;
    return SILT_OK;
}

SiltStatus silt_few_take(SiltFew *few, SiltPack *pack, const SiltRect *heights, const SiltRect *cover,
                         const SiltRect *overlay)
{
    const SiltTerrain *land = pack->terrain;
    SiltRect all = {0, 0, land->width, land->height}, none = {0};
    bool is_new = !few->land;
    SiltStatus status = is_new ? begin(few, land) : SILT_OK;
    if (status != SILT_OK)
        return status;
    const SiltField **layers[SILT_FEW_LAYERS] = {&pack->water, &pack->sediment, &pack->deposit, &pack->ice,
                                                 &pack->overlay};
    status = take(few, land, &pack->height, is_new ? &all : heights, silt_terrain_layer(few->land, "height"));
    for (int k = 0; k < SILT_FEW_LAYERS && status == SILT_OK; k++)
        status = take(few, land, layers[k], layers[k] == &pack->overlay ? overlay : cover, &few->layers[k]);
    const SiltRect *lit = few->is_lit ? &none : &all;
    if (status == SILT_OK)
        status = take(few, land, &pack->sky, lit, &few->sky);
    if (status == SILT_OK)
        status = take(few, land, &pack->shadow, lit, &few->shadow);
    few->is_lit = status == SILT_OK;
    pack->terrain = few->land;
    pack->rise /= (float)few->side;
    return status;
}
