// The self-test: whether a device gives the bits of the processor.
#include "opencl/check.h"

#include "core/parallel.h"
#include "opencl/opencl.h"

enum { INPUTS = 1 << 20 };

typedef struct Comparison {
    const uint32_t *there;
    int *differences; // of each operation, for each block
} Comparison;

enum { BLOCKS = 64 };

static void compare_blocks(void *context, int begin, int end)
{
    const Comparison *job = context;
    for (int block = begin; block < end; block++)
        for (uint32_t at = (uint32_t)block * (INPUTS / BLOCKS);
             at < (uint32_t)(block + 1) * (INPUTS / BLOCKS); at++) {
            uint32_t here[CHECK_WORDS];
            SILT_CHECK(here, at);
            for (int k = 0; k < CHECK_WORDS; k++)
                job->differences[block * CHECK_WORDS + k] +=
                    here[k] != job->there[at * CHECK_WORDS + (uint32_t)k];
        }
}

static SiltStatus compare(const SiltDevice *device, const uint32_t *there)
{
    static const char *const names[CHECK_WORDS] = {
        "+", "-", "*", "/", "sqrt", "floor", "* followed by +", "whole numbers"};
    int differences[BLOCKS * CHECK_WORDS] = {0};
    Comparison job = {there, differences};
    silt_parallel(BLOCKS, 1, compare_blocks, &job);
    for (int k = 0; k < CHECK_WORDS; k++) {
        int sum = 0;
        for (int block = 0; block < BLOCKS; block++)
            sum += differences[block * CHECK_WORDS + k];
        if (sum > 0)
            return silt_fail(
                SILT_MISSING_FEATURE,
                "%.100s: %s gives other bits than the processor's on %.2g %% of a million "
                "inputs; so would every result (',inexact' behind its name takes it all the same)",
                device->info.name, names[k], 100.0 * sum / INPUTS);
    }
    return SILT_OK;
}

SiltStatus silt_cl_test(SiltDevice *device)
{
    SiltProgram *program = NULL;
    SiltKernel *kernel = NULL;
    SiltBuffer *buffer = NULL;
    void *there = NULL;
    size_t bytes = (size_t)INPUTS * CHECK_WORDS * sizeof(uint32_t);
    const uint32_t first = 0;
    SiltStatus status =
        silt_program_create(device, "self-test", "#include \"opencl/kernels/check.cl\"\n", NULL, &program);
    if (status == SILT_OK)
        status = silt_kernel_create(program, "check", &kernel);
    if (status == SILT_OK)
        status = silt_buffer_create(device, "self-test", bytes, &buffer);
    if (status == SILT_OK)
        status = silt_alloc_for("self-test", bytes, 1, &there);
    if (status == SILT_OK) {
        silt_kernel_set_buffer(kernel, 0, buffer);
        silt_kernel_set(kernel, 1, &first, sizeof first);
        silt_kernel_run(kernel, 1, (const size_t[]){INPUTS}, NULL);
        status = silt_buffer_read(buffer, 0, there, bytes);
    }
    if (status == SILT_OK)
        status = compare(device, there);
    silt_free(there);
    silt_buffer_destroy(buffer);
    silt_program_destroy(program);
    silt_device_seconds(device);
    return status;
}
