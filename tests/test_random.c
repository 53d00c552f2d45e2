#include "test.h"

#include "physics/random.h"

// Known answers of Philox-4x32-10 from Salmon et al.'s own test vectors.
static void known_answers(void **state)
{
    (void)state;
    SiltRandom zero = silt_random(0, 0, 0, 0);
    assert_int_equal(zero.word[0], 0x6627e8d5u);
    assert_int_equal(zero.word[1], 0xe169c58du);
    assert_int_equal(zero.word[2], 0xbc57ac4cu);
    assert_int_equal(zero.word[3], 0x9b00dbd8u);
    SiltRandom ones = silt_random(UINT64_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX);
    assert_int_equal(ones.word[0], 0x408f276du);
    assert_int_equal(ones.word[1], 0x41c83b0eu);
    assert_int_equal(ones.word[2], 0xa20bc7c6u);
    assert_int_equal(ones.word[3], 0x6d5451fdu);
}

static void every_argument_matters(void **state)
{
    (void)state;
    uint32_t base = silt_random(1, 2, 3, 4).word[0];
    assert_int_not_equal(base, silt_random(2, 2, 3, 4).word[0]);
    assert_int_not_equal(base, silt_random(1, 3, 3, 4).word[0]);
    assert_int_not_equal(base, silt_random(1, 2, 4, 4).word[0]);
    assert_int_not_equal(base, silt_random(1, 2, 3, 5).word[0]);
    assert_int_not_equal(base, silt_random(1, 2, 3 + ((uint64_t)1 << 32), 4).word[0]);
}

static void uniform_is_uniform(void **state)
{
    (void)state;
    double sum = 0.0, squares = 0.0, symmetric = 0.0;
    int count = 200000;
    for (int k = 0; k < count; k++) {
        SiltRandom random = silt_random(7, 1, (uint64_t)k, 0);
        float u = silt_uniform(random.word[k & 3]), s = silt_symmetric(random.word[k & 3]);
        assert_true(u >= 0.0f && u < 1.0f);
        assert_true(s >= -1.0f && s < 1.0f);
        sum += (double)u;
        squares += (double)u * (double)u;
        symmetric += (double)s;
    }
    assert_near(sum / count, 0.5, 0.003);
    assert_near(squares / count, 1.0 / 3.0, 0.003);
    assert_near(symmetric / count, 0.0, 0.006);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(every_argument_matters),
        cmocka_unit_test(uniform_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
