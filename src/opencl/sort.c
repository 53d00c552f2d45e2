#include "opencl/sort.h"

#include "core/memory.h"

enum { BLOCK = 1024, SCAN_GROUP = 256, GROUP = 128, LEVELS = 4 };

struct SiltSorter {
    SiltProgram *program;
    SiltKernel *scan, *add, *count, *deal, *arrange;
    SiltBuffer *sums[LEVELS]; // of blocks, of blocks of those, ...
    SiltBuffer *rank, *marked;
};

static int blocks_of(int count)
{
    return (count + BLOCK - 1) / BLOCK;
}

static SiltStatus make_kernels(SiltSorter *s)
{
    const struct {
        const char *name;
        SiltKernel **kernel;
    } wanted[] = {{"scan_blocks", &s->scan},
                  {"scan_add", &s->add},
                  {"sort_count", &s->count},
                  {"sort_deal", &s->deal},
                  {"sort_arrange", &s->arrange}};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_kernel_create(s->program, wanted[k].name, wanted[k].kernel);
    return status;
}

SiltStatus silt_sorter_create(SiltDevice *device, const char *owner, int most, int items, SiltSorter **out)
{
    void *block;
    *out = NULL;
    SiltStatus status = silt_alloc_for(owner, 1, sizeof(SiltSorter), &block);
    if (status != SILT_OK)
        return status;
    SiltSorter *s = block;
    status = silt_program_create(device, owner, "#include \"opencl/kernels/sort.cl\"\n", NULL, &s->program);
    if (status == SILT_OK)
        status = make_kernels(s);
    int count = most;
    for (int level = 0; level < LEVELS && status == SILT_OK; level++) {
        count = blocks_of(count);
        status = silt_buffer_create(device, owner, (size_t)count * sizeof(int), &s->sums[level]);
    }
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, (size_t)items * sizeof(int), &s->rank);
    if (status == SILT_OK)
        status = silt_buffer_create(device, owner, sizeof(int), &s->marked);
    if (status != SILT_OK) {
        silt_sorter_destroy(s);
        return status;
    }
    *out = s;
    return SILT_OK;
}

void silt_sorter_destroy(SiltSorter *s)
{
    if (!s)
        return;
    for (int level = 0; level < LEVELS; level++)
        silt_buffer_destroy(s->sums[level]);
    silt_buffer_destroy(s->rank);
    silt_buffer_destroy(s->marked);
    silt_program_destroy(s->program);
    silt_free(s);
}

// ---- prefix sums ----

static void scan(SiltSorter *s, SiltBuffer *values, int count, int level)
{
    int blocks = blocks_of(count);
    size_t items = (size_t)blocks * SCAN_GROUP, group = SCAN_GROUP;
    silt_kernel_set_buffer(s->scan, 0, values);
    silt_kernel_set(s->scan, 1, &count, sizeof count);
    silt_kernel_set_buffer(s->scan, 2, s->sums[level]);
    silt_kernel_run(s->scan, 1, &items, &group);
    if (blocks == 1)
        return;
    scan(s, s->sums[level], blocks, level + 1);
    silt_kernel_set_buffer(s->add, 0, values);
    silt_kernel_set(s->add, 1, &count, sizeof count);
    silt_kernel_set_buffer(s->add, 2, s->sums[level]);
    silt_kernel_run(s->add, 1, (const size_t[]){(size_t)count}, &group);
}

SiltStatus silt_sorter_scan(SiltSorter *s, SiltBuffer *values, int count)
{
    if (count > 0)
        scan(s, values, count, 0);
    return SILT_OK;
}

// ---- sorting ----

// Both kernels over items begin with the same arguments.
static void begin_items(SiltKernel *kernel, const SiltSortJob *job, const SiltBuffer *rank)
{
    silt_kernel_set_buffer(kernel, 0, job->keys);
    silt_kernel_set(kernel, 1, &job->count, sizeof job->count);
    silt_kernel_set(kernel, 2, &job->cells, sizeof job->cells);
    silt_kernel_set_buffer(kernel, 3, job->start);
    silt_kernel_set_buffer(kernel, 4, rank);
}

static void arrange(SiltSorter *s, const SiltSortJob *job)
{
    silt_kernel_set_buffer(s->arrange, 0, job->start);
    silt_kernel_set(s->arrange, 1, &job->cells, sizeof job->cells);
    silt_kernel_set_buffer(s->arrange, 2, job->ids);
    silt_kernel_set_buffer(s->arrange, 3, job->order);
    silt_kernel_set(s->arrange, 4, &job->crowd, sizeof job->crowd);
    silt_kernel_set(s->arrange, 5, &job->mark, sizeof job->mark);
    silt_kernel_set_buffer(s->arrange, 6, job->marks);
    silt_kernel_set_buffer(s->arrange, 7, s->marked);
    silt_kernel_run(s->arrange, 1, (const size_t[]){(size_t)job->cells}, (const size_t[]){GROUP});
}

SiltStatus silt_sorter_run(SiltSorter *s, const SiltSortJob *job, int *sorted, int *marked)
{
    const size_t items = (size_t)job->count, group = GROUP;
    *sorted = *marked = 0;
    silt_buffer_fill(job->start, 0, 0, ((size_t)job->cells + 1) * sizeof(int));
    silt_buffer_fill(s->marked, 0, 0, sizeof(int));
    begin_items(s->count, job, s->rank);
    silt_kernel_run(s->count, 1, &items, &group);
    silt_sorter_scan(s, job->start, job->cells + 1);
    begin_items(s->deal, job, s->rank);
    silt_kernel_set_buffer(s->deal, 5, job->order);
    silt_kernel_run(s->deal, 1, &items, &group);
    arrange(s, job);
    silt_buffer_read_later(job->start, (size_t)job->cells * sizeof(int), sorted, sizeof *sorted);
    return silt_buffer_read(s->marked, 0, marked, sizeof *marked);
}
