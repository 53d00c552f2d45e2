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

// the line before every block says what to give back
typedef struct BlockHead {
    void *start;
    size_t mapped; // bytes, when the block was mapped; 0 when it came from the heap
} BlockHead;

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

static void *finish_block(void *start, size_t mapped, char *block)
{
    *(BlockHead *)(void *)(block - ALIGNMENT) = (BlockHead){start, mapped};
    return block;
}

static void *alloc_small(size_t bytes)
{
    size_t whole = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *start = NULL;
    if (posix_memalign(&start, ALIGNMENT, whole) != 0)
        return NULL;
    memset(start, 0, whole);
    return finish_block(start, 0, (char *)start + ALIGNMENT);
}

// Sanitizers watch the heap alone: under them every block comes from there.
#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif
enum { MAPS_LARGE = !HAS_SANITIZER };

// Fresh pages are zero already, and whoever touches them first, on any thread, brings them in.
static void *alloc_large(size_t bytes, size_t number)
{
    // arrays that all begin on a huge page, walked side by side, fight for the same cache sets: each next one
    // begins some lines later
    size_t shift = ALIGNMENT + number % 8 * 9 * ALIGNMENT;
    size_t mapped = bytes + shift + huge_page;
    void *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    uintptr_t page = ((uintptr_t)start + huge_page - 1) / huge_page * huge_page;
#ifdef MADV_HUGEPAGE
    madvise((void *)page, mapped - (page - (uintptr_t)start), MADV_HUGEPAGE); // a wish: nothing depends on it
#endif
    return finish_block(start, mapped, (char *)page + shift);
}

void *silt_alloc(size_t bytes)
{
    long number = atomic_fetch_add(&allocations, 1) + 1;
    if (number == atomic_load(&fail_at) || bytes > SIZE_MAX / 2)
        return NULL;
    // pages come only when they are touched: what memory cannot hold must be refused now, not found out then
    if (bytes >= very_large && bytes > silt_memory_available())
        return NULL;
    return MAPS_LARGE && bytes >= 2 * huge_page ? alloc_large(bytes, (size_t)number) : alloc_small(bytes);
}

void silt_free(void *block)
{
    if (!block)
        return;
    BlockHead head = *(BlockHead *)(void *)((char *)block - ALIGNMENT);
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

void silt_touch_pages(void *block, size_t begin, size_t end)
{
    enum { PAGE = 4096 };
    for (size_t at = (begin + PAGE - 1) / PAGE * PAGE; at < end; at += PAGE) {
        volatile char *byte = (char *)block + at;
        *byte = *byte;
    }
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
