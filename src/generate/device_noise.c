#include "generate/device_noise.h"

#include "core/parallel.h"
#include "core/status.h"
#include "opencl/device.h"

enum { GROUP = 128, MOST_CELLS = 1 << 24 }; // of a launch: the user is asked between them

typedef struct NoiseLaunch {
    SiltProgram *program;
    SiltKernel *kernel;
    SiltBuffer *sum, *heights;
    int rows; // of a launch
} NoiseLaunch;

static SiltStatus prepare(SiltDevice *device, const SiltNoiseSum *noise, const SiltField *field,
                          NoiseLaunch *out)
{
    static const char owner[] = "new noise";
    int rows = MOST_CELLS / field->width;
    out->rows = rows < 1 ? 1 : rows < field->height ? rows : field->height;
    SiltStatus status =
        silt_program_create(device, owner, "#include \"generate/noise.cl\"\n", NULL, &out->program);
    if (status == SILT_OK)
        status = silt_kernel_create(out->program, "make_noise", &out->kernel);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, sizeof *noise, &out->sum);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)out->rows * (size_t)field->width * sizeof(float),
                                    &out->heights);
    if (status == SILT_OK)
        status = silt_buffer_write(out->sum, 0, noise, sizeof *noise);
    return status;
}

static SiltStatus make_rows(const NoiseLaunch *launch, SiltField *field, int first, int count)
{
    size_t row = (size_t)field->width * sizeof(float);
    const int32_t width = field->width, begin = first;
    const size_t items[] = {(size_t)field->width, (size_t)count}, group[] = {GROUP, 1};
    silt_kernel_set_buffer(launch->kernel, 0, launch->sum);
    silt_kernel_set(launch->kernel, 1, &width, sizeof width);
    silt_kernel_set(launch->kernel, 2, &begin, sizeof begin);
    silt_kernel_set_buffer(launch->kernel, 3, launch->heights);
    silt_kernel_run(launch->kernel, 2, items, group);
    return silt_buffer_read_rows(launch->heights, 0, row, silt_field_row(field, first),
                                 (size_t)field->stride * sizeof(float), row, (size_t)count);
}

SiltStatus silt_noise_on_device(const SiltRun *run, const SiltNoiseSum *noise, SiltField *field)
{
    NoiseLaunch launch = {0};
    if (!silt_device_of(run->device)->has_double)
        return silt_fail(SILT_MISSING_FEATURE,
                         "new noise: lattices are found in double precision, which %.100s lacks",
                         silt_device_of(run->device)->name);
    SiltStatus status = prepare(run->device, noise, field, &launch);
    if (status == SILT_OK)
        status = silt_run_progress(run, "noise", 0.0, field->height, "rows");
    for (int j = 0, count; j < field->height && status == SILT_OK; j += count) {
        count = field->height - j < launch.rows ? field->height - j : launch.rows;
        status = make_rows(&launch, field, j, count);
        if (status == SILT_OK)
            status = silt_run_progress(run, "noise", j + count, field->height, "rows");
    }
    silt_buffer_destroy(launch.sum);
    silt_buffer_destroy(launch.heights);
    silt_program_destroy(launch.program);
    return status;
}
