#include "test.h"

#include "core/memory.h"

static void blocks_are_zero_and_aligned(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 100000, (size_t)4 << 20, ((size_t)9 << 20) + 1};
    for (int round = 0; round < 3; round++) { // again, over memory that was used
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            unsigned char *block = silt_alloc(sizes[k]);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            for (size_t b = 0; b < sizes[k]; b++)
                if (block[b] != 0)
                    fail_msg("byte %zu of %zu is not zero", b, sizes[k]);
            memset(block, 0xAB, sizes[k]);
            silt_free(block);
        }
    }
    silt_free(NULL);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    void *block;
    assert_null(silt_alloc(SIZE_MAX));
    assert_null(silt_alloc(SIZE_MAX / 2 + 1));
    assert_null(silt_alloc_array(SIZE_MAX / 2, 3));
    assert_null(silt_alloc_array((size_t)1 << 33, (size_t)1 << 33));
    assert_fails(silt_alloc_for("a castle", SIZE_MAX / 4, 8, &block), SILT_NO_MEMORY, "a castle");
    assert_null(block);
    assert_non_null(block = silt_alloc_array(0, 8));
    silt_free(block);
}

static void the_nth_allocation_fails_and_only_that(void **state)
{
    (void)state;
    for (long n = 1; n <= 4; n++) {
        silt_fail_allocation(n);
        for (long k = 1; k <= 6; k++) {
            void *block = silt_alloc(10);
            assert_int_equal(block == NULL, k == n);
            silt_free(block);
        }
        assert_int_equal(silt_allocation_count(), 6);
    }
    silt_fail_allocation(0);
    assert_int_equal(silt_allocation_count(), 0);
    void *block = silt_alloc(1);
    assert_non_null(block);
    assert_int_equal(silt_allocation_count(), 1);
    silt_free(block);
}

static void growing_keeps_what_was_there(void **state)
{
    (void)state;
    void *block = NULL;
    assert_ok(silt_grow("numbers", &block, 0, 4, sizeof(int)));
    int *numbers = block;
    for (int k = 0; k < 4; k++)
        numbers[k] = k + 1;
    assert_ok(silt_grow("numbers", &block, 4, 100, sizeof(int)));
    numbers = block;
    for (int k = 0; k < 100; k++)
        assert_int_equal(numbers[k], k < 4 ? k + 1 : 0);
    silt_fail_allocation(1);
    assert_fails(silt_grow("numbers", &block, 100, 200, sizeof(int)), SILT_NO_MEMORY, "numbers");
    silt_fail_allocation(0);
    assert_ptr_equal(block, numbers); // still there
    assert_int_equal(numbers[3], 4);
    assert_ok(silt_grow("numbers", &block, 100, 2, sizeof(int)));
    assert_int_equal(((int *)block)[1], 2);
    silt_free(block);
}

static void copies_of_text(void **state)
{
    (void)state;
    char *copy = silt_strdup("silt");
    assert_string_equal(copy, "silt");
    silt_free(copy);
    silt_fail_allocation(1);
    assert_null(silt_strdup("silt"));
    silt_fail_allocation(0);
}

static void there_is_memory(void **state)
{
    (void)state;
    uint64_t available = silt_memory_available();
    assert_true(available > (uint64_t)1 << 20);
    assert_true(available < (uint64_t)1 << 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zero_and_aligned),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(the_nth_allocation_fails_and_only_that),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(copies_of_text),
        cmocka_unit_test(there_is_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
