// One 2-D array of float32: making it, copying it, its sum and its hash.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "silt/terrain.h"

enum { ROWS = 16 }; // rows a block of a parallel loop

static size_t stride_for(int width)
{
    size_t stride = ((size_t)width + 15) / 16 * 16;
    // rows a multiple of 4096 bytes apart fall into the same cache sets: one line more keeps neighbours apart
    if (stride % 1024 == 0)
        stride += 16;
    return stride;
}

uint64_t silt_field_bytes(int width, int height)
{
    return (uint64_t)stride_for(width) * (uint64_t)height * sizeof(float);
}

SiltStatus silt_field_create(int width, int height, SiltField *out)
{
    *out = (SiltField){0};
    if (width < 1 || height < 1 || width > SILT_MAX_SIDE || height > SILT_MAX_SIDE)
        return silt_fail(SILT_BAD_ARGUMENT, "a grid of %d x %d cells: each side takes 1 to %d", width, height,
                         SILT_MAX_SIDE);
    size_t stride = stride_for(width);
    void *data;
    char what[64];
    snprintf(what, sizeof what, "a layer of %d x %d cells", width, height);
    SiltStatus status = silt_alloc_for(what, stride * (size_t)height, sizeof(float), &data);
    if (status == SILT_OK)
        *out = (SiltField){width, height, stride, data};
    return status;
}

void silt_field_destroy(SiltField *field)
{
    silt_free(field->data);
    *field = (SiltField){0};
}

typedef struct FillJob {
    SiltField *field;
    float value;
} FillJob;

static void fill_rows(void *context, int begin, int end)
{
    const FillJob *job = context;
    for (int j = begin; j < end; j++) {
        float *row = silt_field_row(job->field, j);
        for (int i = 0; i < job->field->width; i++)
            row[i] = job->value;
    }
}

void silt_field_fill(SiltField *field, float value)
{
    FillJob job = {field, value};
    silt_parallel(field->height, ROWS, fill_rows, &job);
}

typedef struct CopyJob {
    const SiltField *from;
    SiltField *to;
} CopyJob;

static void copy_rows(void *context, int begin, int end)
{
    const CopyJob *job = context;
    for (int j = begin; j < end; j++)
        memcpy(silt_field_row(job->to, j), silt_field_row(job->from, j),
               (size_t)job->from->width * sizeof(float));
}

void silt_field_copy(const SiltField *from, SiltField *to)
{
    CopyJob job = {from, to};
    silt_parallel(from->height, ROWS, copy_rows, &job);
}

static double sum_rows(void *context, int begin, int end)
{
    const SiltField *field = context;
    double total = 0.0;
    for (int j = begin; j < end; j++) {
        const float *row = silt_field_row(field, j);
        double lane[8] = {0}; // fixed lanes: vectors without reordering
        int i = 0;
        for (; i + 8 <= field->width; i += 8)
            for (int k = 0; k < 8; k++)
                lane[k] += (double)row[i + k];
        for (; i < field->width; i++)
            lane[i & 7] += (double)row[i];
        total += ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    return total;
}

double silt_field_sum(const SiltField *field)
{
    return silt_parallel_sum(field->height, sum_rows, (void *)(uintptr_t)field);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// Sixteen lanes of 32 bits, each step a bijection of its lane, so that no single changed bit goes unseen.
enum { LANES = 16 };
typedef uint32_t Words __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

SILT_CLONES
static void hash_cells(const float *row, int count, uint32_t lanes[LANES])
{
    Words lane = *(const Words *)lanes;
    for (int i = 0; i + LANES <= count; i += LANES) {
        lane = (lane ^ *(const Words *)(const void *)(row + i)) * 0x85EBCA6Bu;
        lane ^= lane >> 15;
    }
    *(Words *)lanes = lane;
}

static uint64_t hash_row(const float *row, int width)
{
    uint32_t lane[LANES];
    for (uint32_t k = 0; k < LANES; k++)
        lane[k] = 0x9E3779B9u * (k + 1);
    hash_cells(row, width, lane);
    for (int i = width / LANES * LANES; i < width; i++) {
        uint32_t bits;
        memcpy(&bits, row + i, sizeof bits);
        uint32_t x = (lane[i % LANES] ^ bits) * 0x85EBCA6Bu;
        lane[i % LANES] = x ^ (x >> 15);
    }
    uint64_t hash = (uint64_t)width;
    for (int k = 0; k < LANES; k += 2)
        hash = mix(hash ^ (((uint64_t)lane[k] << 32) | lane[k + 1]));
    return hash;
}

enum { HASH_ROWS = 64 };

typedef struct HashJob {
    const SiltField *field;
    int first;
    uint64_t row_hash[16 * HASH_ROWS];
} HashJob;

static void hash_rows(void *context, int begin, int end)
{
    HashJob *job = context;
    for (int j = begin; j < end; j++)
        job->row_hash[j] = hash_row(silt_field_row(job->field, job->first + j), job->field->width);
}

uint64_t silt_field_hash(const SiltField *field)
{
    HashJob job = {.field = field};
    uint64_t hash = mix(((uint64_t)field->width << 32) | (uint64_t)field->height);
    int band = (int)(sizeof job.row_hash / sizeof job.row_hash[0]);
    for (job.first = 0; job.first < field->height; job.first += band) {
        int rows = field->height - job.first < band ? field->height - job.first : band;
        silt_parallel(rows, HASH_ROWS, hash_rows, &job);
        for (int j = 0; j < rows; j++)
            hash = mix(hash ^ job.row_hash[j]);
    }
    return hash;
}
