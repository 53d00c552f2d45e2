#include "core/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/status.h"

enum { ALIGNMENT = 64 };
static const size_t huge_page = (size_t)2 << 20, very_large = (size_t)1 << 30;

// the line before every block says where the allocation began
typedef struct BlockHead {
    void *start;
    size_t mapped; // bytes to unmap, or 0 when `start` is from the heap
} BlockHead;

// Fresh pages are zero already, and the threads that first touch them decide where they lie. Sanitizers watch
// the heap only, so they get all blocks from there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MAPS_LARGE = 0 };
#else
enum { MAPS_LARGE = 1 };
#endif

// Pages of their own on a huge page's boundary; *start and *mapped are what to unmap.
static char *map_pages(size_t bytes, void **start, size_t *mapped)
{
    *mapped = bytes + huge_page;
    *start = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*start == MAP_FAILED)
        return NULL;
    char *aligned = (char *)(((uintptr_t)*start + huge_page - 1) / huge_page * huge_page);
#ifdef MADV_HUGEPAGE
    madvise(aligned, bytes, MADV_HUGEPAGE); // a wish: nothing depends on it
#endif
    return aligned;
}

static char *heap_zeroes(size_t bytes, void **start)
{
    if (posix_memalign(start, ALIGNMENT, bytes) != 0)
        return NULL;
    return memset(*start, 0, bytes);
}

static atomic_long allocations;
static atomic_long fail_at;

void silt_fail_allocation(long n)
{
    atomic_store(&allocations, 0);
    atomic_store(&fail_at, n);
}

long silt_allocation_count(void)
{
    return atomic_load(&allocations);
}

void *silt_alloc(size_t bytes)
{
    long number = atomic_fetch_add(&allocations, 1) + 1;
    if (number == atomic_load(&fail_at))
        return NULL;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    // every page is touched sooner or later: what memory cannot hold is refused, not found out
    if (bytes >= very_large && bytes > silt_memory_available())
        return NULL;
    bool large = bytes >= 2 * huge_page;
    // large arrays all begin on a huge page; streams at the same offset in it fight for the same cache sets,
    // so each next one begins some lines later
    size_t shift = ALIGNMENT + (large ? (size_t)(number % 8) * 9 * ALIGNMENT : 0);
    size_t whole = (bytes + shift + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    BlockHead head = {0};
    char *base =
        large && MAPS_LARGE ? map_pages(whole, &head.start, &head.mapped) : heap_zeroes(whole, &head.start);
    if (!base)
        return NULL;
    memcpy(base + shift - ALIGNMENT, &head, sizeof head);
    return base + shift;
}

void silt_free(void *block)
{
    if (!block)
        return;
    BlockHead head;
    memcpy(&head, (char *)block - ALIGNMENT, sizeof head);
    if (head.mapped)
        munmap(head.start, head.mapped);
    else
        free(head.start);
}

void *silt_alloc_array(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return silt_alloc(count * size);
}

SiltStatus silt_alloc_for(const char *what, size_t count, size_t size, void **out)
{
    *out = silt_alloc_array(count, size);
    return *out ? SILT_OK : silt_fail_memory(what, (double)count * (double)size);
}

SiltStatus silt_grow(const char *what, void **block, size_t old_count, size_t new_count, size_t size)
{
    void *grown = silt_alloc_array(new_count, size);
    if (!grown)
        return silt_fail_memory(what, (double)new_count * (double)size);
    if (*block)
        memcpy(grown, *block, (old_count < new_count ? old_count : new_count) * size);
    silt_free(*block);
    *block = grown;
    return SILT_OK;
}

char *silt_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = silt_alloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

static uint64_t read_number(const char *path, const char *key, uint64_t unit)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return UINT64_MAX;
    char line[256];
    uint64_t value = UINT64_MAX;
    size_t key_length = strlen(key);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, key_length) != 0)
            continue;
        char *end;
        unsigned long long number = strtoull(line + key_length, &end, 10);
        if (end != line + key_length)
            value = (uint64_t)number * unit;
        break;
    }
    fclose(file);
    return value;
}

uint64_t silt_memory_available(void)
{
    uint64_t available = read_number("/proc/meminfo", "MemAvailable:", 1024);
    if (available == UINT64_MAX) {
        long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        if (pages > 0 && page > 0)
            available = (uint64_t)pages * (uint64_t)page;
    }
    uint64_t group_limit = read_number("/sys/fs/cgroup/memory.max", "", 1);
    uint64_t group_used = read_number("/sys/fs/cgroup/memory.current", "", 1);
    if (group_limit != UINT64_MAX && group_used != UINT64_MAX) {
        // pages of files that were read count as used, but give way when memory is asked for
        uint64_t active = read_number("/sys/fs/cgroup/memory.stat", "active_file ", 1);
        uint64_t inactive = read_number("/sys/fs/cgroup/memory.stat", "inactive_file ", 1);
        uint64_t files = (active == UINT64_MAX ? 0 : active) + (inactive == UINT64_MAX ? 0 : inactive);
        group_used -= files < group_used ? files : group_used;
        uint64_t left = group_limit > group_used ? group_limit - group_used : 0;
        available = left < available ? left : available;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        uint64_t used = read_number("/proc/self/statm", "", (uint64_t)sysconf(_SC_PAGESIZE));
        uint64_t left = used < limit.rlim_cur ? (uint64_t)limit.rlim_cur - used : 0;
        available = left < available ? left : available;
    }
    return available;
}
