#include "erode/supply_there.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "erode/supply_drops.h"
#include "erode/supply_rows.h"
#include "opencl/device.h"

static const char owner[] = "rain as drops";
enum { LEAST_WIDE = 16, GROUP = 64 };

// As supply_drops.cl has them.
typedef struct DropsShape {
    int32_t width, height, pitch, reach, map_height, i, j, bins, wide;
    float depth;
    int64_t origin;
} DropsShape;

typedef struct Drop {
    int32_t i, number;
    float share;
} Drop;

struct SiltDropsThere {
    SiltProgram *program;
    SiltKernel *kernel;
    SiltBuffer *begin, *drops, *half;
    int32_t *begin_here; // where the drops of each bin of each row of the map begin
    Drop *drops_here;
    int bins, wide, rows;
    int count, reach; // of drops, when this was made
    uint64_t draws;   // those that are there
};

static SiltStatus make_buffers(SiltDropsThere *d, SiltDevice *device, const SiltSupply *supply)
{
    size_t starts = (size_t)d->rows * (size_t)d->bins + 1, count = (size_t)supply->drop_count;
    size_t reach = (size_t)supply->drop_reach + 1;
    int32_t *half = NULL;
    SiltStatus status = silt_buffer_create(device, owner, starts * sizeof *d->begin_here, &d->begin);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, count * sizeof *d->drops_here, &d->drops);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, reach * sizeof *half, &d->half);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, starts, sizeof *d->begin_here, (void **)&d->begin_here);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, count, sizeof *d->drops_here, (void **)&d->drops_here);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, reach, sizeof *half, (void **)&half);
    for (int k = 0; k < (int)reach && status == SILT_OK; k++)
        half[k] = silt_drops_half(supply, k);
    if (status == SILT_OK)
        status = silt_buffer_write(d->half, 0, half, reach * sizeof *half);
    silt_free(half);
    return status;
}

static SiltStatus create(SiltSupply *supply, SiltDevice *device)
{
    void *block;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltDropsThere), &block);
    if (status != SILT_OK)
        return status;
    SiltDropsThere *d = supply->drops_there = block; // silt_supply_end frees it
    d->count = supply->drop_count;
    d->reach = supply->drop_reach;
    d->wide = 2 * supply->drop_reach + 1 > LEAST_WIDE ? 2 * supply->drop_reach + 1 : LEAST_WIDE;
    d->bins = (supply->region.map_width + d->wide - 1) / d->wide;
    d->rows = supply->region.map_height;
    status = silt_program_create(device, owner, "#include \"erode/supply_drops.cl\"\n", NULL, &d->program);
    if (status == SILT_OK)
        status = silt_kernel_create(d->program, "make_drops", &d->kernel);
    return status == SILT_OK ? make_buffers(d, device, supply) : status;
}

void silt_drops_there_destroy(SiltDropsThere *d)
{
    if (!d)
        return;
    silt_buffer_destroy(d->begin);
    silt_buffer_destroy(d->drops);
    silt_buffer_destroy(d->half);
    silt_program_destroy(d->program);
    silt_free(d->begin_here);
    silt_free(d->drops_here);
    silt_free(d);
}

// The drops of some rows of the map, bin by bin; within a bin they stay in their order.
static void sort_rows(void *context, int first, int last)
{
    const SiltSupply *supply = context;
    SiltDropsThere *d = supply->drops_there;
    for (int r = first; r < last; r++) {
        int32_t *begin = d->begin_here + (size_t)r * (size_t)d->bins, at = supply->drop_row[r];
        for (int b = 0; b < d->bins; b++)
            begin[b] = 0;
        for (int k = supply->drop_row[r]; k < supply->drop_row[r + 1]; k++)
            begin[supply->drops[k].i / d->wide]++;
        for (int b = 0; b < d->bins; b++) { // becomes where each ends
            at += begin[b];
            begin[b] = at;
        }
        for (int k = supply->drop_row[r + 1] - 1; k >= supply->drop_row[r]; k--) // and then where it begins
            d->drops_here[--begin[supply->drops[k].i / d->wide]] =
                (Drop){supply->drops[k].i, k, supply->drops[k].share};
    }
}

static SiltStatus bring_drops(SiltSupply *supply)
{
    SiltDropsThere *d = supply->drops_there;
    size_t starts = (size_t)d->rows * (size_t)d->bins + 1;
    if (d->draws == supply->draws)
        return SILT_OK;
    silt_parallel(d->rows, 16, sort_rows, supply);
    d->begin_here[starts - 1] = supply->drop_count;
    SiltStatus status = silt_buffer_write(d->begin, 0, d->begin_here, starts * sizeof *d->begin_here);
    if (status == SILT_OK)
        status =
            silt_buffer_write(d->drops, 0, d->drops_here, (size_t)supply->drop_count * sizeof *d->drops_here);
    d->draws = supply->draws;
    return status;
}

SiltStatus silt_supply_make_there(const SiltSupplyStep *step, int which, const SiltGridThere *there,
                                  bool *made)
{
    SiltSupply *supply = (SiltSupply *)step->host; // of which nothing but drops_there is changed
    *made = which == SILT_SUPPLY_DROPS && step->drops && !supply->rain_map && !(step->altitude > 0.0f);
    if (!*made)
        return SILT_OK;
    const SiltDropsThere *old = supply->drops_there;
    if (old && (old->count != supply->drop_count || old->reach != supply->drop_reach)) {
        silt_drops_there_destroy(supply->drops_there);
        supply->drops_there = NULL;
    }
    SiltStatus status = supply->drops_there ? SILT_OK : create(supply, there->device);
    if (status == SILT_OK)
        status = bring_drops(supply);
    if (status != SILT_OK)
        return status;
    const SiltDropsThere *d = supply->drops_there;
    const SiltRegion *r = &supply->region;
    const DropsShape shape = {.width = there->width,
                              .height = there->height,
                              .pitch = there->pitch,
                              .reach = supply->drop_reach,
                              .map_height = r->map_height,
                              .i = r->i,
                              .j = r->j,
                              .bins = d->bins,
                              .wide = d->wide,
                              .depth = silt_supply_rain(supply, 0, 0, NULL) * supply->drop_time,
                              .origin = there->origin};
    const size_t items[] = {(size_t)there->width, (size_t)there->height}, group[] = {GROUP, 1};
    silt_kernel_set(d->kernel, 0, &shape, sizeof shape);
    silt_kernel_set_buffer(d->kernel, 1, d->begin);
    silt_kernel_set_buffer(d->kernel, 2, d->drops);
    silt_kernel_set_buffer(d->kernel, 3, d->half);
    silt_kernel_set_buffer(d->kernel, 4, there->out);
    return silt_kernel_run(d->kernel, 2, items, group);
}
