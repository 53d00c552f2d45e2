// Law: every function of src/physics gives the same bits in C and in OpenCL C, over a million inputs,
// denormals and limits among them. One program for each header there (CMake hands in SILT_HEADER and
// SILT_CASES); no test framework, so that it also builds on a bare GPU server. Exit status 77 when there is
// no OpenCL.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/cases.h"
#include SILT_HEADER

enum { INPUTS = 1 << 20, CHUNK = 1 << 15, MOST_SLOTS = 64, MOST_SAID = 4, SKIPPED = 77 };

// ---- the cases in C ----

static silt_u32 drawn[MOST_SLOTS];
static bool watching;
static int slot_count;

silt_u32 case_seen(silt_u32 at, silt_u32 slot, silt_u32 word)
{
    (void)at;
    if (watching) {
        drawn[slot] = word;
        slot_count = (int)slot + 1 > slot_count ? (int)slot + 1 : slot_count;
    }
    return word;
}

#define CASE(name, words, body)                                                                              \
    static void case_##name(silt_u32 at, silt_u32 *out)                                                      \
    {                                                                                                        \
        body;                                                                                                \
    }
#include SILT_CASES
#undef CASE

typedef struct Case {
    const char *name;
    int words; // that it gives
    void (*run)(silt_u32 at, silt_u32 *out);
} Case;

static const Case cases[] = {
#define CASE(name, words, body) {#name, words, case_##name},
#include SILT_CASES
};
enum { CASES = sizeof cases / sizeof cases[0] };

static size_t words_of_all(void)
{
    size_t sum = 0;
    for (int k = 0; k < CASES; k++)
        sum += (size_t)cases[k].words;
    return sum;
}

static void run_chunk(silt_u32 first, silt_u32 *out)
{
    for (int k = 0; k < CASES; out += (size_t)cases[k++].words * CHUNK)
        for (silt_u32 i = 0; i < CHUNK; i++)
            cases[k].run(first + i, out + (size_t)cases[k].words * i);
}

// ---- every function has a case ----

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (file && text)
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int count_missing(const char *header)
{
    int missing = 0;
    for (const char *at = header; (at = strstr(at, "\nSILT_FN "));) {
        const char *end = strchr(at, '('), *name = end;
        while (is_word(name[-1]))
            name--;
        bool found = false;
        for (int k = 0; k < CASES; k++)
            found = found || (strlen(cases[k].name) == (size_t)(end - name) &&
                              strncmp(cases[k].name, name, (size_t)(end - name)) == 0);
        if (!found)
            printf("%.*s has no case in %s\n", (int)(end - name), name, SILT_CASES);
        missing += !found;
        at = end;
    }
    return missing;
}

// Without a device the cases still run in C, which is what sanitizers look at.
static int run_here(silt_u32 *out)
{
    for (silt_u32 first = 0; first < INPUTS; first += CHUNK)
        run_chunk(first, out);
    return SKIPPED;
}

#ifdef SILT_HAS_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// ---- the comparison ----

static int said;

static void say_difference(const Case *c, silt_u32 at, const silt_u32 *here, const silt_u32 *there)
{
    silt_u32 again[MOST_SLOTS];
    if (said++ >= MOST_SAID)
        return;
    watching = true;
    slot_count = 0;
    c->run(at, again);
    watching = false;
    printf("%s differs at input %u:", c->name, at);
    for (int k = 0; k < slot_count; k++)
        printf(" %08X", drawn[k]);
    for (int k = 0; k < c->words; k++)
        printf("\n  word %d: C %08X, OpenCL %08X", k, here[k], there[k]);
    printf("\n");
}

static long compare(silt_u32 first, const silt_u32 *here, const silt_u32 *there)
{
    long differences = 0;
    for (int k = 0; k < CASES; k++) {
        size_t words = (size_t)cases[k].words;
        for (size_t i = 0; i < CHUNK && memcmp(here, there, words * CHUNK * sizeof *here) != 0; i++)
            if (memcmp(here + words * i, there + words * i, words * sizeof *here) != 0) {
                say_difference(&cases[k], first + (silt_u32)i, here + words * i, there + words * i);
                differences++;
            }
        here += words * CHUNK;
        there += words * CHUNK;
    }
    return differences;
}

// The first GPU, or what else there is.
static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return NULL;
    const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    for (int k = 0; k < 2; k++)
        for (cl_uint p = 0; p < count && p < 16; p++) {
            cl_device_id device;
            if (clGetDeviceIDs(platforms[p], types[k], 1, &device, NULL) == CL_SUCCESS)
                return device;
        }
    return NULL;
}

static cl_kernel build(cl_context context, cl_device_id device)
{
    static char log[16384];
    const char *source = "#define SILT_HEADER \"" SILT_HEADER "\"\n#define SILT_CASES \"" SILT_CASES "\"\n"
                         "#include \"physics/physics.cl\"\n";
    // zeros as on NVIDIA's devices; the laws of devices have them as on others
    const char *options = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -D SILT_ZEROS_APART "
                          "-I " SILT_SOURCE_DIR "/src -I " SILT_SOURCE_DIR "/tests";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return clCreateKernel(program, "run_cases", NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    printf("%s\n", log);
    return NULL;
}

// Returns how many results differ; below zero when the device does not run.
static long run_both(cl_device_id device, silt_u32 *here, silt_u32 *there)
{
    size_t bytes = words_of_all() * CHUNK * sizeof *here, items = CHUNK;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_kernel kernel = build(context, device);
    if (!context || !queue || !buffer || !kernel)
        return -1;
    long differences = 0;
    cl_uint count = CHUNK;
    for (cl_uint first = 0; first < INPUTS; first += CHUNK) {
        cl_int status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer) |
                        clSetKernelArg(kernel, 1, sizeof first, &first) |
                        clSetKernelArg(kernel, 2, sizeof count, &count) |
                        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
        status |= clFlush(queue);
        run_chunk(first, here);
        status |= clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, there, 0, NULL, NULL);
        if (status != CL_SUCCESS)
            return -1;
        differences += compare(first, here, there);
    }
    return differences;
}

static int run_device(const char *header, silt_u32 *here, silt_u32 *there)
{
    cl_device_id device = find_device();
    char name[256] = "";
    cl_device_fp_config doubles = 0;
    if (!device) {
        printf("skipped: OpenCL finds no device (Debian package pocl-opencl-icd brings the CPU as one)\n");
        return run_here(here);
    }
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    if (!doubles && strstr(header, "cl_khr_fp64")) {
        printf("skipped: %s has no doubles\n", name);
        return run_here(here);
    }
    long differences = run_both(device, here, there);
    if (differences < 0)
        printf("OpenCL on %s does not run the cases of %s\n", name, SILT_CASES);
    else
        printf("%d functions, %d inputs each, on %s: %ld differences\n", CASES, INPUTS, name, differences);
    return differences == 0 ? 0 : 1;
}
#else
static int run_device(const char *header, silt_u32 *here, silt_u32 *there)
{
    (void)header;
    (void)there;
    printf("skipped: built without OpenCL (Debian package ocl-icd-opencl-dev)\n");
    return run_here(here);
}
#endif

int main(void)
{
    size_t bytes = words_of_all() * CHUNK * sizeof(silt_u32);
    silt_u32 *here = calloc(1, bytes), *there = calloc(1, bytes);
    char *header = read_text(SILT_SOURCE_DIR "/src/" SILT_HEADER);
    if (!here || !there || !header || !header[0]) {
        printf("cannot read %s\n", SILT_HEADER);
        return 1;
    }
    int missing = count_missing(header), status = run_device(header, here, there);
    free(here);
    free(there);
    free(header);
    return missing ? 1 : status;
}
