// Programs from embedded sources, and their kernels.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/opencl.h"
#include "silt/text.h"

#define OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
// Some compilers keep words of later versions for themselves whatever they are asked for.
#define WORDS "#define pipe silt_pipe_word\n"

// ---- building ----

// What the compiler says begins with what matters; a message is one sentence.
static SiltStatus fail_build(const SiltProgram *program, cl_int code)
{
    static const size_t most = 1 << 16;
    char *log = silt_alloc(most);
    if (log)
        clGetProgramBuildInfo(program->program, program->device->id, CL_PROGRAM_BUILD_LOG, most - 1, log,
                              NULL);
    const char *error = log ? strstr(log, "error") : NULL;
    const char *at = error ? error : log && log[0] ? log : silt_cl_error(code);
    size_t length = strcspn(at, "\n");
    SiltStatus status = silt_fail(
        SILT_MISSING_FEATURE, "%s: %.100s cannot build its program: %.*s (OpenCL %d)", program->owner,
        program->device->info.name, (int)(length < 200 ? length : 200), at, (int)code);
    silt_free(log);
    return status;
}

static bool build_kept(SiltProgram *program, uint64_t key, const char *options)
{
    SiltDevice *device = program->device;
    size_t bytes;
    unsigned char *binary = silt_cache_read(key, &bytes);
    if (!binary)
        return false;
    cl_int code, taken = CL_SUCCESS;
    const unsigned char *binaries[] = {binary};
    program->program =
        clCreateProgramWithBinary(device->context, 1, &device->id, &bytes, binaries, &taken, &code);
    bool good = code == CL_SUCCESS && taken == CL_SUCCESS &&
                clBuildProgram(program->program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS;
    if (!good && program->program) {
        clReleaseProgram(program->program);
        program->program = NULL;
    }
    silt_free(binary);
    return good;
}

static void keep(const SiltProgram *program, uint64_t key)
{
    size_t bytes = 0;
    if (clGetProgramInfo(program->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
            CL_SUCCESS ||
        bytes == 0)
        return;
    unsigned char *binary = silt_alloc(bytes);
    if (binary &&
        clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        silt_cache_write(key, binary, bytes);
    silt_free(binary);
}

// What the compiler says of registers and the like, where somebody wants it.
static void keep_log(const SiltProgram *program)
{
    static const size_t most = 1 << 18;
    const char *path = getenv("SILT_OPENCL_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    char *log = file ? silt_alloc(most) : NULL;
    if (log && clGetProgramBuildInfo(program->program, program->device->id, CL_PROGRAM_BUILD_LOG, most - 1,
                                     log, NULL) == CL_SUCCESS)
        fprintf(file, "%s\n%s\n", program->owner, log);
    if (file)
        fclose(file);
    silt_free(log);
}

// How many groups of each kernel a unit should have room for, as the program's options say; 0: as the
// compiler likes.
static int wanted_groups(const char *options)
{
    static const char word[] = "SILT_GROUPS=";
    const char *asked = getenv("SILT_OPENCL_GROUPS"); // for who measures: docs/gpu.md
    const char *said = options ? strstr(options, word) : NULL;
    return asked ? atoi(asked) : said ? atoi(said + strlen(word)) : 0;
}

// NVIDIA's binaries are text, which its assembler reads: there each kernel that says how many items a group
// has can say how many groups a unit should have room for, and gets no more registers than that allows.
static char *with_groups(const char *binary, size_t bytes, int groups)
{
    static const char word[] = "\n.reqntid ";
    SiltText text = {0};
    const char *at = binary, *end = binary + bytes;
    if (bytes < 3 || memcmp(binary, "//\n", 3) != 0 || binary[bytes - 1] != '\0')
        return NULL;
    for (const char *found; (found = strstr(at, word)) != NULL;) {
        const char *line = strchr(found + 1, '\n');
        line = line ? line : end - 1;
        silt_text_addf(&text, "%.*s\n.minnctapersm %d", (int)(line - at), at, groups);
        at = line;
    }
    silt_text_add(&text, at);
    return silt_text_take(&text);
}

static void make_room(SiltProgram *program, const char *options)
{
    SiltDevice *device = program->device;
    size_t bytes = 0;
    int groups = wanted_groups(options);
    if (groups <= 0 || !strstr(device->info.platform, "NVIDIA") ||
        clGetProgramInfo(program->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        return;
    unsigned char *binary = silt_alloc(bytes + 1);
    char *text = NULL;
    if (binary &&
        clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS) {
        binary[bytes] = '\0';
        text = with_groups((const char *)binary, bytes + 1, groups);
    }
    if (text) {
        size_t length = strlen(text) + 1;
        const unsigned char *texts[] = {(const unsigned char *)text};
        cl_int code, taken = CL_SUCCESS;
        cl_program other =
            clCreateProgramWithBinary(device->context, 1, &device->id, &length, texts, &taken, &code);
        bool good = code == CL_SUCCESS && taken == CL_SUCCESS &&
                    clBuildProgram(other, 1, &device->id, options, NULL, NULL) == CL_SUCCESS;
        if (code == CL_SUCCESS)
            clReleaseProgram(good ? program->program : other);
        program->program = good ? other : program->program;
    }
    silt_free(text);
    silt_free(binary);
}

// PoCL keeps programs itself, and compiles every kernel once more before it hands a binary out: programs of
// others are kept.
static bool are_kept(const SiltDevice *device)
{
    const char *asked = getenv("SILT_OPENCL_KEEP"); // 0 or 1: docs/gpu.md
    return asked ? strcmp(asked, "0") != 0 : !strstr(device->info.platform, "Portable Computing Language");
}

static SiltStatus build(SiltProgram *program, const char *text, const char *options)
{
    SiltDevice *device = program->device;
    uint64_t key = silt_cache_key(device, text, options);
    bool keeps = are_kept(device);
    if (keeps && build_kept(program, key, options))
        return SILT_OK;
    cl_int code;
    program->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    if (code != CL_SUCCESS)
        return silt_cl_check(device, code, program->owner);
    code = clBuildProgram(program->program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS)
        return fail_build(program, code);
    make_room(program, options);
    if (keeps)
        keep(program, key);
    keep_log(program);
    return SILT_OK;
}

SiltStatus silt_program_create(SiltDevice *device, const char *owner, const char *text, const char *defines,
                               SiltProgram **out)
{
    *out = NULL;
    void *block;
    SiltStatus status = silt_device_status(device);
    if (status == SILT_OK)
        status = silt_alloc_for(owner, 1, sizeof(SiltProgram), &block);
    if (status != SILT_OK)
        return status;
    SiltProgram *program = block;
    program->device = device;
    snprintf(program->owner, sizeof program->owner, "%s", owner);
    char options[1024];
    const char *more = getenv("SILT_OPENCL_OPTIONS"); // for who works on kernels: docs/gpu.md
    snprintf(options, sizeof options, OPTIONS "%s %s %s",
             device->info.has_double ? " -D SILT_HAS_DOUBLE=1" : "", defines ? defines : "",
             more ? more : "");
    char *expanded = silt_source_expand(text), *whole = NULL;
    SiltText all = {0};
    silt_text_add(&all, WORDS);
    silt_text_add(&all, expanded ? expanded : "");
    if (wanted_groups(defines) > 0)
        silt_text_addf(&all, "// %d groups\n", wanted_groups(defines)); // so that it is kept apart
    if (expanded)
        whole = silt_text_take(&all);
    silt_text_free(&all);
    silt_free(expanded);
    status = whole ? build(program, whole, options) : SILT_NO_MEMORY;
    silt_free(whole);
    if (status != SILT_OK) {
        silt_program_destroy(program);
        return status;
    }
    *out = program;
    return SILT_OK;
}

void silt_program_destroy(SiltProgram *program)
{
    if (!program)
        return;
    for (SiltKernel *kernel = program->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        clReleaseKernel(kernel->kernel);
        silt_free(kernel);
    }
    if (program->program)
        clReleaseProgram(program->program);
    silt_free(program);
}

// ---- kernels ----

SiltStatus silt_kernel_create(SiltProgram *program, const char *name, SiltKernel **out)
{
    *out = NULL;
    void *block;
    cl_int code;
    SiltStatus status = silt_alloc_for(program->owner, 1, sizeof(SiltKernel), &block);
    if (status != SILT_OK)
        return status;
    SiltKernel *kernel = block;
    kernel->program = program;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    kernel->kernel = clCreateKernel(program->program, name, &code);
    if (code != CL_SUCCESS) {
        silt_free(kernel);
        return silt_cl_check(program->device, code, name);
    }
    kernel->next = program->kernels;
    program->kernels = kernel;
    *out = kernel;
    return SILT_OK;
}

static SiltStatus set(SiltKernel *kernel, int index, const void *value, size_t bytes)
{
    SiltDevice *device = kernel->program->device;
    if (device->status != SILT_OK)
        return silt_device_status(device);
    if (kernel->known_at != device->made)
        memset(kernel->known_bytes, 0, sizeof kernel->known_bytes);
    kernel->known_at = device->made;
    bool is_small = value && index < SILT_KNOWN_ARGS && bytes <= SILT_KNOWN_BYTES;
    if (is_small && kernel->known_bytes[index] == bytes && memcmp(kernel->known[index], value, bytes) == 0)
        return SILT_OK; // most stay from launch to launch, and the call takes its time
    SiltStatus status =
        silt_cl_check(device, clSetKernelArg(kernel->kernel, (cl_uint)index, bytes, value), kernel->name);
    if (index < SILT_KNOWN_ARGS)
        kernel->known_bytes[index] = is_small && status == SILT_OK ? bytes : 0;
    if (is_small)
        memcpy(kernel->known[index], value, bytes);
    return status;
}

SiltStatus silt_kernel_set(SiltKernel *kernel, int index, const void *value, size_t bytes)
{
    return set(kernel, index, value, bytes);
}

SiltStatus silt_kernel_set_buffer(SiltKernel *kernel, int index, const SiltBuffer *buffer)
{
    cl_mem memory = buffer ? buffer->memory : NULL;
    return set(kernel, index, &memory, sizeof memory);
}

SiltStatus silt_kernel_set_local(SiltKernel *kernel, int index, size_t bytes)
{
    return set(kernel, index, NULL, bytes);
}

size_t silt_kernel_group_limit(const SiltKernel *kernel)
{
    size_t limit = 1;
    clGetKernelWorkGroupInfo(kernel->kernel, kernel->program->device->id, CL_KERNEL_WORK_GROUP_SIZE,
                             sizeof limit, &limit, NULL);
    return limit;
}

// Where the time of kernels of this name is kept; the last place takes what there is no room for.
static int kernel_time(SiltDevice *device, const char *name)
{
    int k = 0;
    while (k < device->time_count && strcmp(device->times[k].name, name) != 0)
        k++;
    if (k == device->time_count && k < SILT_MOST_KERNELS) {
        device->times[k] = (SiltKernelTime){.launches = 0};
        snprintf(device->times[k].name, sizeof device->times[k].name, "%.39s", name);
        device->time_count++;
    }
    return k < SILT_MOST_KERNELS ? k : SILT_MOST_KERNELS - 1;
}

SiltStatus silt_kernel_run(SiltKernel *kernel, int dimensions, const size_t *items, const size_t *group)
{
    SiltDevice *device = kernel->program->device;
    size_t whole[3] = {1, 1, 1};
    if (device->status != SILT_OK)
        return silt_device_status(device);
    for (int k = 0; k < dimensions; k++) {
        if (items[k] == 0)
            return SILT_OK;
        whole[k] = group ? (items[k] + group[k] - 1) / group[k] * group[k] : items[k];
    }
    if (device->event_count == SILT_MOST_EVENTS)
        silt_cl_collect(device);
    cl_event *event = device->is_timed ? &device->events[device->event_count] : NULL;
    if (event)
        device->launched[device->event_count] = kernel_time(device, kernel->name);
    SiltStatus status =
        silt_cl_check(device,
                      clEnqueueNDRangeKernel(device->queue, kernel->kernel, (cl_uint)dimensions, NULL, whole,
                                             group, 0, NULL, event),
                      kernel->name);
    device->event_count += status == SILT_OK && event;
    return status;
}
