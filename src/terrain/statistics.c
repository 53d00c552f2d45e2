// What a field's values are like: extremes, mean, deviation, percentiles, histogram. Every pass streams the
// field once, in blocks that depend on its size alone.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/status.h"
#include "silt/terrain.h"

enum { CHUNK = 512, LANES = 16 };

// Count, mean and sum of squared distances from the mean: two of them join exactly (Chan, Golub & LeVeque).
typedef struct Moments {
    uint64_t count, nodata, bad;
    double mean, squares;
    float low, high;
} Moments;

static void join(Moments *a, const Moments *b)
{
    a->nodata += b->nodata;
    a->bad += b->bad;
    if (b->count == 0)
        return;
    if (a->count == 0) {
        a->low = b->low;
        a->high = b->high;
    }
    double na = (double)a->count, nb = (double)b->count, apart = b->mean - a->mean;
    a->mean += apart * nb / (na + nb);
    a->squares += b->squares + apart * apart * na * nb / (na + nb);
    a->low = b->low < a->low ? b->low : a->low;
    a->high = b->high > a->high ? b->high : a->high;
    a->count += b->count;
}

static bool is_good(float value)
{
    return value - value == 0.0f; // neither NaN nor infinite
}

// Copies cells, with `stand_in` for those that are masked or not finite, and counts the three kinds.
static void clean_cells(const float *cells, const uint8_t *nodata, int count, float stand_in, float *clean,
                        Moments *moments)
{
    int masked = 0, good = 0;
    for (int k = 0; k < count; k++) {
        bool hole = nodata && nodata[k], right = !hole && is_good(cells[k]);
        masked += hole;
        good += right;
        clean[k] = right ? cells[k] : stand_in;
    }
    moments->nodata += (uint64_t)masked;
    moments->count += (uint64_t)good;
    moments->bad += (uint64_t)(count - masked - good);
}

// Sixteen sums side by side: vectors without reordering.
typedef float Floats __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t Masks __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float HalfFloats __attribute__((vector_size(2 * LANES), aligned(4), may_alias));
typedef double HalfDoubles __attribute__((vector_size(4 * LANES)));

typedef struct Lanes {
    HalfDoubles sum[2], squares[2];
    Floats low, high;
    Masks bad; // not zero where a cell was not finite
} Lanes;

// `count` is a multiple of LANES. Sums are of (x - shift) and its square.
SILT_CLONES
static void gather_cells(const float *cells, int count, double shift, Lanes *lanes)
{
    Lanes l = *lanes;
    for (int i = 0; i < count; i += LANES) {
        Floats x = *(const Floats *)(const void *)(cells + i);
        HalfDoubles a = __builtin_convertvector(*(const HalfFloats *)(const void *)(cells + i), HalfDoubles);
        HalfDoubles b =
            __builtin_convertvector(*(const HalfFloats *)(const void *)(cells + i + LANES / 2), HalfDoubles);
        a -= shift;
        b -= shift;
        l.sum[0] += a;
        l.sum[1] += b;
        l.squares[0] += a * a;
        l.squares[1] += b * b;
        Masks lower = x<l.low, higher = x> l.high;
        l.low = (Floats)(((Masks)x & lower) | ((Masks)l.low & ~lower));
        l.high = (Floats)(((Masks)x & higher) | ((Masks)l.high & ~higher));
        l.bad |= (x - x) != 0.0f;
    }
    *lanes = l;
}

static Lanes lanes_from(float shift)
{
    Lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    lanes.low += shift;
    lanes.high += shift;
    return lanes;
}

static double fold(const HalfDoubles halves[2])
{
    HalfDoubles both = halves[0] + halves[1];
    return ((both[0] + both[4]) + (both[1] + both[5])) + ((both[2] + both[6]) + (both[3] + both[7]));
}

static Moments row_moments(const float *row, const uint8_t *nodata, int width)
{
    Moments moments = {0};
    int first = 0, whole = width / LANES * LANES;
    while (first < width && (!is_good(row[first]) || (nodata && nodata[first])))
        first++;
    float stand_in = first < width ? row[first] : 0.0f, clean[CHUNK];
    Lanes lanes = lanes_from(stand_in);
    // cells in the last, broken vector, or in any chunk of a row with holes, go through a copy
    if (!nodata)
        gather_cells(row, whole, (double)stand_in, &lanes);
    bool bad = nodata != NULL;
    for (int k = 0; k < LANES; k++)
        bad = bad || lanes.bad[k];
    if (bad)
        lanes = lanes_from(stand_in);
    else
        moments.count += (uint64_t)whole;
    for (int begin = bad ? 0 : whole; begin < width; begin += CHUNK) {
        int count = width - begin < CHUNK ? width - begin : CHUNK,
            padded = (count + LANES - 1) / LANES * LANES;
        clean_cells(row + begin, nodata ? nodata + begin : NULL, count, stand_in, clean, &moments);
        for (int k = count; k < padded; k++)
            clean[k] = stand_in;
        gather_cells(clean, padded, (double)stand_in, &lanes);
    }
    if (moments.count == 0)
        return moments;
    double count = (double)moments.count, sum = fold(lanes.sum);
    moments.mean = (double)stand_in + sum / count;
    moments.squares = fold(lanes.squares) - sum * (sum / count);
    moments.squares = moments.squares > 0.0 ? moments.squares : 0.0;
    moments.low = moments.high = stand_in;
    for (int k = 0; k < LANES; k++) {
        moments.low = lanes.low[k] < moments.low ? lanes.low[k] : moments.low;
        moments.high = lanes.high[k] > moments.high ? lanes.high[k] : moments.high;
    }
    return moments;
}

typedef struct StatisticsJob {
    const SiltField *field;
    const uint8_t *nodata;
    int grain;
    Moments block[SILT_REDUCE_BLOCKS];
} StatisticsJob;

static const uint8_t *mask_row(const SiltField *field, const uint8_t *nodata, int j)
{
    return nodata ? nodata + (size_t)j * (size_t)field->width : NULL;
}

static void statistics_rows(void *context, int begin, int end)
{
    StatisticsJob *job = context;
    Moments moments = {0};
    for (int j = begin; j < end; j++) {
        Moments row = row_moments(silt_field_row(job->field, j), mask_row(job->field, job->nodata, j),
                                  job->field->width);
        join(&moments, &row);
    }
    job->block[begin / job->grain] = moments;
}

void silt_field_statistics(const SiltField *field, const uint8_t *nodata, SiltFieldStatistics *out)
{
    StatisticsJob job = {.field = field, .nodata = nodata, .grain = silt_reduce_span(field->height)};
    silt_parallel(field->height, job.grain, statistics_rows, &job);
    Moments all = {0};
    for (int block = 0; block * job.grain < field->height; block++)
        join(&all, &job.block[block]);
    bool any = all.count > 0;
    *out = (SiltFieldStatistics){
        .minimum = any ? (double)all.low : NAN,
        .maximum = any ? (double)all.high : NAN,
        .mean = any ? all.mean : NAN,
        .deviation = any ? sqrt(all.squares / (double)all.count) : NAN,
        .cell_count = all.count,
        .nodata_count = all.nodata,
        .bad_count = all.bad,
    };
}

// ---- counting into tables ----

// Counts are integers, whose sums have no order: each group of rows counts into a table of its own, and the
// tables are added at the end.
enum { MAX_GROUPS = 8 };

static int group_count(const SiltField *field)
{
    double cells = (double)field->width * (double)field->height;
    int groups = cells >= (double)MAX_GROUPS * 262144.0 ? MAX_GROUPS : (int)(cells / 262144.0);
    groups = groups < 1 ? 1 : groups;
    return groups < field->height ? groups : field->height;
}

typedef struct CountJob {
    const SiltField *field;
    const uint8_t *nodata;
    int groups;
    void (*count_row)(const struct CountJob *job, const float *row, const uint8_t *nodata, uint64_t *table);
    size_t table_size;
    uint64_t *tables;
    const uint8_t *slots;    // percentiles, second pass: which table the upper half of a key has, from 1
    double low, high, scale; // histogram
    int bins;
} CountJob;

static void count_groups(void *context, int begin, int end)
{
    const CountJob *job = context;
    for (int group = begin; group < end; group++) {
        int first = (int)((int64_t)job->field->height * group / job->groups);
        int last = (int)((int64_t)job->field->height * (group + 1) / job->groups);
        for (int j = first; j < last; j++)
            job->count_row(job, silt_field_row(job->field, j), mask_row(job->field, job->nodata, j),
                           job->tables + (size_t)group * job->table_size);
    }
}

// Afterwards the first table holds the sum of all.
static void count_cells(CountJob *job)
{
    memset(job->tables, 0, (size_t)job->groups * job->table_size * sizeof *job->tables);
    silt_parallel(job->groups, 1, count_groups, job);
    for (int group = 1; group < job->groups; group++)
        for (size_t k = 0; k < job->table_size; k++)
            job->tables[k] += job->tables[(size_t)group * job->table_size + k];
}

// ---- percentiles ----

// An unsigned key that orders as the floats do.
static uint32_t key_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((bits >> 31) ? 0xFFFFFFFFu : 0x80000000u);
}

static double value_of(uint32_t key)
{
    uint32_t bits = key ^ ((key >> 31) ? 0x80000000u : 0xFFFFFFFFu);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

enum { HALF = 65536, BATCH = 8, COPIES = 4 };

// Neighbours often fall into one class; alternating tables keep one count from waiting for the last.
static void count_upper(const CountJob *job, const float *row, const uint8_t *nodata, uint64_t *table)
{
    for (int i = 0; i < job->field->width; i++)
        if (is_good(row[i]) && !(nodata && nodata[i]))
            table[(uint32_t)(i % COPIES) * HALF + (key_of(row[i]) >> 16)]++;
}

static void count_lower(const CountJob *job, const float *row, const uint8_t *nodata, uint64_t *table)
{
    for (int i = 0; i < job->field->width; i++) {
        uint32_t key = key_of(row[i]);
        uint8_t slot = job->slots[key >> 16];
        if (slot && !(nodata && nodata[i]))
            table[(uint32_t)(slot - 1) * HALF + (key & 0xFFFFu)]++;
    }
}

// The class of a table in which `rank` falls; what is left of the rank within it.
static uint32_t find_rank(const uint64_t *table, uint64_t *rank)
{
    uint32_t k = 0;
    while (k < HALF - 1 && *rank >= table[k])
        *rank -= table[k++];
    return k;
}

typedef struct Wanted {
    uint32_t upper;
    uint64_t rank; // within its class
    double *out;
} Wanted;

// Second pass: as many distinct classes at a time as there are tables. `slots` is all zero before and after.
static void find_batch(CountJob *job, uint8_t *slots, Wanted *wanted, int count)
{
    for (int done = 0; done < count;) {
        int used = 0, end = done;
        for (; end < count; end++) {
            if (slots[wanted[end].upper])
                continue;
            if (used == BATCH)
                break;
            slots[wanted[end].upper] = (uint8_t)++used;
        }
        count_cells(job);
        for (int k = done; k < end; k++) {
            uint64_t rank = wanted[k].rank;
            size_t slot = (size_t)slots[wanted[k].upper] - 1;
            *wanted[k].out = value_of(wanted[k].upper << 16 | find_rank(job->tables + slot * HALF, &rank));
        }
        memset(slots, 0, HALF);
        done = end;
    }
}

static SiltStatus check_percents(const double *percents, int count)
{
    for (int k = 0; k < count; k++)
        if (!(percents[k] >= 0.0 && percents[k] <= 100.0))
            return silt_fail(SILT_BAD_ARGUMENT, "percentile %g: it lies between 0 and 100", percents[k]);
    return SILT_OK;
}

SiltStatus silt_field_percentiles(const SiltField *field, const uint8_t *nodata, const double *percents,
                                  int count, double *out)
{
    SiltStatus status = check_percents(percents, count);
    if (status != SILT_OK || count <= 0)
        return status;
    CountJob job = {.field = field, .nodata = nodata, .groups = group_count(field)};
    size_t largest = BATCH > COPIES ? BATCH : COPIES;
    uint8_t *slots = NULL;
    Wanted *wanted = NULL;
    status = silt_alloc_for("percentiles", (size_t)job.groups * largest * HALF, sizeof *job.tables,
                            (void **)&job.tables);
    if (status == SILT_OK)
        status = silt_alloc_for("percentiles", HALF, 1, (void **)&slots);
    if (status == SILT_OK)
        status = silt_alloc_for("percentiles", (size_t)count, sizeof *wanted, (void **)&wanted);
    if (status != SILT_OK)
        goto fail;
    job.count_row = count_upper;
    job.table_size = (size_t)COPIES * HALF;
    count_cells(&job);
    uint64_t total = 0;
    for (int k = 0; k < HALF; k++) {
        for (int copy = 1; copy < COPIES; copy++)
            job.tables[k] += job.tables[(size_t)copy * HALF + (size_t)k];
        total += job.tables[k];
    }
    for (int k = 0; k < count; k++) {
        uint64_t rank = total ? (uint64_t)(percents[k] / 100.0 * (double)(total - 1)) : 0;
        out[k] = NAN;
        wanted[k].upper = find_rank(job.tables, &rank);
        wanted[k].rank = rank;
        wanted[k].out = &out[k];
    }
    job.count_row = count_lower;
    job.table_size = (size_t)BATCH * HALF;
    job.slots = slots;
    if (total)
        find_batch(&job, slots, wanted, count);
fail:
    silt_free(wanted);
    silt_free(slots);
    silt_free(job.tables);
    return status;
}

// ---- histogram ----

static void count_bins(const CountJob *job, const float *row, const uint8_t *nodata, uint64_t *table)
{
    for (int i = 0; i < job->field->width; i++) {
        double value = (double)row[i];
        if (!(value >= job->low && value <= job->high) || (nodata && nodata[i]))
            continue;
        double at = (value - job->low) * job->scale;
        int bin = (int)at;
        table[bin < job->bins ? bin : job->bins - 1]++;
    }
}

void silt_field_histogram(const SiltField *field, const uint8_t *nodata, double low, double high, int bins,
                          uint64_t *out)
{
    if (bins < 1)
        return;
    CountJob job = {.field = field,
                    .nodata = nodata,
                    .count_row = count_bins,
                    .groups = group_count(field),
                    .table_size = (size_t)bins,
                    .low = low,
                    .high = high,
                    .scale = high > low ? bins / (high - low) : 0.0,
                    .bins = bins};
    uint64_t *tables =
        job.groups > 1 ? silt_alloc_array((size_t)job.groups * (size_t)bins, sizeof *tables) : NULL;
    if (!tables)
        job.groups = 1; // one table is the caller's own
    job.tables = tables ? tables : out;
    count_cells(&job);
    if (tables)
        memcpy(out, tables, (size_t)bins * sizeof *out);
    silt_free(tables);
}
