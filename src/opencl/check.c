// The self-test: whether a device gives the bits of the processor. That one did is kept in the cache, never
// that it did not.
#include "opencl/check.h"

#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "opencl/opencl.h"
#include "silt/text.h"

#define SOURCE "#include \"opencl/kernels/check.cl\"\n"
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

static SiltStatus make_test(SiltDevice *device)
{
    SiltProgram *program = NULL;
    SiltKernel *kernel = NULL;
    SiltBuffer *buffer = NULL;
    void *there = NULL;
    size_t bytes = (size_t)INPUTS * CHECK_WORDS * sizeof(uint32_t);
    const uint32_t first = 0;
    SiltStatus status = silt_program_create(device, "self-test", SOURCE, NULL, &program);
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
    silt_device_count_test();
    return status;
}

// ---- kept ----

// All that the answer rests on, word for word: a hash only finds it. NULL: memory is short.
static char *make_note(const SiltDevice *device)
{
    const char *options = getenv("SILT_OPENCL_OPTIONS");
    char *source = silt_source_expand(SOURCE);
    SiltText text = {0};
    silt_text_addf(&text, "passed the self-test\n%s\n%s\n%s\nsilt %s\n%s\n", device->info.name,
                   device->info.platform, device->info.driver, silt_version(), options ? options : "");
    silt_text_add(&text, source ? source : "");
    char *note = source ? silt_text_take(&text) : NULL;
    silt_text_free(&text);
    silt_free(source);
    return note;
}

static SiltStatus test_and_keep(SiltDevice *device, const char *note)
{
    SiltStatus status = make_test(device);
    if (note && status == SILT_OK)
        silt_cache_write(silt_cache_key(device, note, ""), (const unsigned char *)note, strlen(note));
    else if (note)
        silt_cache_forget(silt_cache_key(device, note, ""));
    return status;
}

SiltStatus silt_cl_test(SiltDevice *device)
{
    char *note = make_note(device);
    SiltStatus status = test_and_keep(device, note);
    silt_free(note);
    return status;
}

SiltStatus silt_cl_trust(SiltDevice *device)
{
    char *note = make_note(device);
    bool passed = note && silt_cache_has_note(silt_cache_key(device, note, ""), note);
    SiltStatus status = passed ? SILT_OK : test_and_keep(device, note);
    silt_free(note);
    return status;
}
