// Prefix sums and sorting on a device, against the plainest way to do them.
#include "device_help.h"

#include "core/streams.h"
#include "opencl/sort.h"
#include "physics/random.h"

static SiltDevice *device;

static int draw(uint64_t seed, int index, int below)
{
    return (int)(silt_random(seed, SILT_STREAM_TEST, (uint64_t)index, 0).word[0] % (uint32_t)below);
}

static SiltBuffer *buffer_of(const void *data, size_t bytes)
{
    SiltBuffer *buffer;
    assert_ok(silt_buffer_create(device, "test", bytes, &buffer));
    if (data)
        assert_ok(silt_buffer_write(buffer, 0, data, bytes));
    return buffer;
}

static void prefix_sums(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 5, 255, 256, 1023, 1024, 1025, 4097, 1048576, 1048577, 1500000};
    if (!device)
        skip();
    SiltSorter *sorter;
    assert_ok(silt_sorter_create(device, "test", 1500000, 1, &sorter));
    int *values = malloc(1500001 * sizeof(int)), *found = malloc(1500001 * sizeof(int));
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int count = sizes[k];
        for (int i = 0; i <= count; i++)
            values[i] = draw(k, i, 1000) - 100;
        SiltBuffer *buffer = buffer_of(values, ((size_t)count + 1) * sizeof(int));
        assert_ok(silt_sorter_scan(sorter, buffer, count));
        assert_ok(silt_buffer_read(buffer, 0, found, ((size_t)count + 1) * sizeof(int)));
        int sum = 0;
        for (int i = 0; i < count; i++) {
            if (found[i] != sum)
                fail_msg("of %d values the sum before number %d is %d, not %d", count, i, found[i], sum);
            sum += values[i];
        }
        assert_int_equal(found[count], values[count]); // what lies behind is left alone
        silt_buffer_destroy(buffer);
    }
    free(values), free(found);
    silt_sorter_destroy(sorter);
}

typedef struct Item {
    int key, index;
    int64_t id;
} Item;

static int by_cell_and_id(const void *a, const void *b)
{
    const Item *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

// Sorts `count` items into `cells` cells, ids drawn from `ids` numbers; every eleventh item is left out.
static void sort_case(uint64_t seed, int count, int cells, int ids, int crowd)
{
    Item *items = calloc((size_t)count, sizeof *items);
    int *keys = calloc((size_t)count, sizeof *keys), *order = calloc((size_t)count, sizeof *order),
        *start = calloc((size_t)cells + 1, sizeof *start);
    int64_t *id = calloc((size_t)count, sizeof *id);
    uint8_t *marks = calloc((size_t)count, 1);
    int wanted = 0, wanted_marks = 0;
    for (int i = 0; i < count; i++) {
        keys[i] = i % 11 == 3 ? cells : draw(seed, i, cells);
        id[i] = draw(seed + 1, i, ids) * (1LL << 33);
        if (keys[i] < cells)
            items[wanted++] = (Item){keys[i], i, id[i]};
    }
    qsort(items, (size_t)wanted, sizeof *items, by_cell_and_id);
    size_t each = (size_t)count * sizeof(int);
    SiltSortJob job = {.keys = buffer_of(keys, each),
                       .ids = buffer_of(id, 2 * each),
                       .marks = buffer_of(NULL, (size_t)count),
                       .count = count,
                       .cells = cells,
                       .crowd = crowd,
                       .mark = 7,
                       .start = buffer_of(NULL, ((size_t)cells + 1) * sizeof(int)),
                       .order = buffer_of(NULL, each)};
    SiltSorter *sorter;
    int sorted, marked;
    assert_ok(silt_sorter_create(device, "test", cells + 1, count, &sorter));
    for (int again = 0; again < 2; again++) { // atomics come in any order, and must not tell
        assert_ok(silt_sorter_run(sorter, &job, &sorted, &marked));
        assert_int_equal(sorted, wanted);
        assert_ok(silt_buffer_read(job.order, 0, order, each));
        assert_ok(silt_buffer_read(job.start, 0, start, ((size_t)cells + 1) * sizeof(int)));
        assert_ok(silt_buffer_read(job.marks, 0, marks, (size_t)count));
        for (int n = 0; n < wanted; n++) {
            if (order[n] != items[n].index)
                fail_msg("place %d of %d: item %d, not %d", n, wanted, order[n], items[n].index);
            assert_true(n >= start[items[n].key] && n < start[items[n].key + 1]);
            bool surplus = n - start[items[n].key] >= crowd;
            assert_int_equal(marks[order[n]], surplus ? 7 : 0);
            wanted_marks += again == 0 && surplus;
        }
        assert_int_equal(start[cells], wanted);
        assert_int_equal(marked, wanted_marks);
    }
    SiltBuffer *all[] = {job.keys, job.ids, job.marks, job.start, job.order};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_buffer_destroy(all[k]);
    silt_sorter_destroy(sorter);
    free(items), free(keys), free(order), free(start), free(id), free(marks);
}

static void sorting_is_stable(void **state)
{
    (void)state;
    if (!device)
        skip();
    sort_case(1, 1, 1, 10, 100);
    sort_case(2, 1000, 100, 1 << 20, 1000);
    sort_case(3, 5000, 1, 1 << 20, 5000);    // one cell: heap sort
    sort_case(4, 5000, 7, 3, 5000);          // many of the same id keep their order
    sort_case(5, 20000, 100000, 1 << 30, 4); // cells mostly empty
    sort_case(6, 20000, 500, 1 << 30, 24);   // surplus is marked
}

int main(void)
{
    device = open_any_device();
    const struct CMUnitTest tests[] = {cmocka_unit_test(prefix_sums), cmocka_unit_test(sorting_is_stable)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    silt_device_close(device);
    return failed;
}
