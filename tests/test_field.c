#include "terrains.h"

static void created_zero_and_aligned(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 9}, {15, 3}, {16, 2}, {17, 5}, {1024, 3}, {4096, 2}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltField field;
        assert_ok(silt_field_create(sizes[k][0], sizes[k][1], &field));
        assert_true(field.stride >= (size_t)field.width);
        assert_int_equal(silt_field_bytes(sizes[k][0], sizes[k][1]),
                         field.stride * (size_t)field.height * sizeof(float));
        for (int j = 0; j < field.height; j++) {
            assert_int_equal((uintptr_t)silt_field_row(&field, j) % 64, 0);
            for (int i = 0; i < field.width; i++)
                assert_true(silt_field_at(&field, i, j) == 0.0f);
        }
        assert_true(field.stride * sizeof(float) % 4096 != 0);
        silt_field_destroy(&field);
        assert_null(field.data);
    }
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    SiltField field;
    assert_fails(silt_field_create(0, 5, &field), SILT_BAD_ARGUMENT, "0 x 5");
    assert_fails(silt_field_create(5, -1, &field), SILT_BAD_ARGUMENT, "5 x -1");
    assert_fails(silt_field_create(SILT_MAX_SIDE + 1, 1, &field), SILT_BAD_ARGUMENT, "each side");
    assert_null(field.data);
    assert_fails(silt_field_create(SILT_MAX_SIDE, SILT_MAX_SIDE, &field), SILT_NO_MEMORY, "4.0 TiB");
    assert_null(field.data);
    silt_fail_allocation(1);
    assert_fails(silt_field_create(8, 8, &field), SILT_NO_MEMORY, "a layer of 8 x 8 cells");
    silt_fail_allocation(0);
    assert_null(field.data);
}

static void fill_and_copy_reach_every_cell(void **state)
{
    (void)state;
    SiltField a, b;
    assert_ok(silt_field_create(133, 71, &a));
    assert_ok(silt_field_create(133, 71, &b));
    silt_field_fill(&a, 2.5f);
    silt_field_copy(&a, &b);
    assert_same_field(&a, &b);
    assert_true(silt_field_sum(&b) == 133.0 * 71.0 * 2.5);
    silt_field_destroy(&a);
    silt_field_destroy(&b);
}

// Every cell counts once, whatever the width does to the lanes.
static void sum_is_the_sum(void **state)
{
    (void)state;
    for (int width = 1; width < 40; width++) {
        SiltField field;
        assert_ok(silt_field_create(width, 7, &field));
        double wanted = 0.0;
        for (int j = 0; j < 7; j++)
            for (int i = 0; i < width; i++)
                wanted += (double)(silt_field_row(&field, j)[i] = (float)(i * 31 + j * 7));
        assert_true(silt_field_sum(&field) == wanted); // whole numbers: exact in any order
        silt_field_destroy(&field);
    }
}

static void hash_sees_every_bit(void **state)
{
    (void)state;
    SiltField field;
    assert_ok(silt_field_create(37, 5, &field));
    fill_hills(&field, 3, 8, 3, 100.0f);
    uint64_t before = silt_field_hash(&field);
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 37; i++) {
            for (int bit = 0; bit < 32; bit++) {
                uint32_t bits, flipped;
                float *cell = &silt_field_row(&field, j)[i];
                memcpy(&bits, cell, sizeof bits);
                flipped = bits ^ (1u << bit);
                memcpy(cell, &flipped, sizeof flipped);
                assert_true(silt_field_hash(&field) != before);
                memcpy(cell, &bits, sizeof bits);
            }
        }
    }
    assert_true(silt_field_hash(&field) == before);
    silt_field_destroy(&field);
}

static void hash_sees_size_and_order_but_not_padding(void **state)
{
    (void)state;
    SiltField a, b;
    assert_ok(silt_field_create(6, 4, &a));
    assert_ok(silt_field_create(4, 6, &b));
    assert_true(silt_field_hash(&a) != silt_field_hash(&b));
    uint64_t zero = silt_field_hash(&a);
    silt_field_row(&a, 2)[6] = 9.0f; // beyond the last column
    assert_true(silt_field_hash(&a) == zero);
    silt_field_row(&a, 1)[2] = 1.0f;
    uint64_t one = silt_field_hash(&a);
    silt_field_row(&a, 1)[2] = 0.0f;
    silt_field_row(&a, 2)[2] = 1.0f;
    assert_true(silt_field_hash(&a) != one);
    silt_field_row(&a, 2)[2] = -0.0f;
    assert_true(silt_field_hash(&a) != zero);
    silt_field_destroy(&a);
    silt_field_destroy(&b);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    SiltField field;
    assert_ok(silt_field_create(517, 1301, &field));
    fill_hills(&field, 11, 64, 4, 1000.0f);
    silt_set_threads(1);
    uint64_t hash = silt_field_hash(&field);
    double sum = silt_field_sum(&field);
    static const int threads[] = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
        silt_set_threads(threads[k]);
        assert_true(silt_field_hash(&field) == hash);
        assert_true(silt_field_sum(&field) == sum);
    }
    silt_set_threads(0);
    silt_field_destroy(&field);
}

// The bits are the promise: a change here changes every recorded hash.
static void hash_stays_what_it_was(void **state)
{
    (void)state;
    SiltField field;
    assert_ok(silt_field_create(33, 3, &field));
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 33; i++)
            silt_field_row(&field, j)[i] = (float)(i + 100 * j);
    assert_int_equal(silt_field_hash(&field), 0x1c65350f756549eau);
    silt_field_destroy(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(created_zero_and_aligned),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(fill_and_copy_reach_every_cell),
        cmocka_unit_test(sum_is_the_sum),
        cmocka_unit_test(hash_sees_every_bit),
        cmocka_unit_test(hash_sees_size_and_order_but_not_padding),
        cmocka_unit_test(same_on_any_number_of_threads),
        cmocka_unit_test(hash_stays_what_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
