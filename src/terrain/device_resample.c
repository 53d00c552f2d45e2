#include "terrain/device_resample.h"

#include "core/memory.h"
#include "core/status.h"
#include "opencl/device.h"

static const char owner[] = "resampling";
enum { GROUP = 128, MOST_CELLS = 1 << 24 }; // of a launch

// As resample.cl has it.
typedef struct Axis {
    int32_t from, to, taps, wider;
} Axis;

struct SiltDeviceResample {
    SiltDevice *device;
    SiltProgram *program;
    SiltKernel *kernel;
    Axis axes[2]; // columns, rows
    SiltBuffer *first[2], *weight[2], *from, *to;
    int rows; // of a launch
};

static SiltStatus bring_axis(SiltDeviceResample *r, const SiltResampleAxis *axis, int which)
{
    size_t count = (size_t)axis->to, taps = (size_t)axis->taps;
    r->axes[which] = (Axis){axis->from, axis->to, axis->taps, axis->wider};
    SiltStatus status = silt_buffer_create(r->device, owner, count * sizeof(int32_t), &r->first[which]);
    if (status == SILT_OK)
        status = silt_buffer_create(r->device, owner, count * taps * sizeof(double), &r->weight[which]);
    if (status == SILT_OK)
        status = silt_buffer_write(r->first[which], 0, axis->first, count * sizeof(int32_t));
    if (status == SILT_OK)
        status = silt_buffer_write(r->weight[which], 0, axis->weight, count * taps * sizeof(double));
    return status;
}

static SiltStatus prepare(SiltDeviceResample *r, const SiltResampleAxis *columns,
                          const SiltResampleAxis *rows)
{
    size_t old = (size_t)columns->from * (size_t)rows->from, wide = (size_t)columns->to;
    int most = MOST_CELLS / columns->to;
    r->rows = most < 1 ? 1 : most < rows->to ? most : rows->to;
    SiltStatus status =
        silt_program_create(r->device, owner, "#include \"terrain/resample.cl\"\n", NULL, &r->program);
    if (status == SILT_OK)
        status = silt_kernel_create(r->program, "resample", &r->kernel);
    if (status == SILT_OK)
        status = bring_axis(r, columns, 0);
    if (status == SILT_OK)
        status = bring_axis(r, rows, 1);
    if (status == SILT_OK)
        status = silt_buffer_create(r->device, owner, old * sizeof(float), &r->from);
    if (status == SILT_OK)
        status = silt_buffer_create(r->device, owner, wide * (size_t)r->rows * sizeof(float), &r->to);
    return status;
}

SiltStatus silt_device_resample_create(SiltDevice *device, const SiltResampleAxis *columns,
                                       const SiltResampleAxis *rows, SiltDeviceResample **out)
{
    *out = NULL;
    if (!silt_device_of(device)->has_double)
        return silt_fail(SILT_MISSING_FEATURE,
                         "%s: cells are added up in double precision, which %.100s lacks", owner,
                         silt_device_of(device)->name);
    void *block;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltDeviceResample), &block);
    if (status != SILT_OK)
        return status;
    *out = block;
    (*out)->device = device;
    status = prepare(*out, columns, rows);
    if (status != SILT_OK) {
        silt_device_resample_destroy(*out);
        *out = NULL;
    }
    return status;
}

void silt_device_resample_destroy(SiltDeviceResample *r)
{
    if (!r)
        return;
    SiltBuffer *all[] = {r->first[0], r->first[1], r->weight[0], r->weight[1], r->from, r->to};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_buffer_destroy(all[k]);
    silt_program_destroy(r->program);
    silt_free(r);
}

SiltStatus silt_device_resample_run(SiltDeviceResample *r, const SiltField *from, SiltField *to)
{
    size_t old = (size_t)from->width * sizeof(float), made = (size_t)to->width * sizeof(float);
    SiltStatus status = silt_buffer_write_rows(
        r->from, 0, old, from->data, (size_t)from->stride * sizeof(float), old, (size_t)from->height);
    for (int k = 0; k < 2; k++) {
        silt_kernel_set(r->kernel, 3 * k, &r->axes[k], sizeof r->axes[k]);
        silt_kernel_set_buffer(r->kernel, 3 * k + 1, r->first[k]);
        silt_kernel_set_buffer(r->kernel, 3 * k + 2, r->weight[k]);
    }
    silt_kernel_set_buffer(r->kernel, 6, r->from);
    silt_kernel_set_buffer(r->kernel, 8, r->to);
    for (int32_t j = 0, count; j < to->height && status == SILT_OK; j += count) {
        count = to->height - j < r->rows ? to->height - j : r->rows;
        const size_t items[] = {(size_t)to->width, (size_t)count}, group[] = {GROUP, 1};
        silt_kernel_set(r->kernel, 7, &j, sizeof j);
        silt_kernel_run(r->kernel, 2, items, group);
        status = silt_buffer_read_rows(r->to, 0, made, silt_field_row(to, j),
                                       (size_t)to->stride * sizeof(float), made, (size_t)count);
    }
    return status;
}
