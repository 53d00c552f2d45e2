// The list of generators, and what silt_generate refuses.
#include "generators.h"

static void names_are_found_and_unique(void **state)
{
    (void)state;
    assert_true(silt_generator_count() >= 20);
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *generator = silt_generator_at(k);
        assert_ptr_equal(silt_generator_find(generator->name), generator);
        assert_true(strlen(generator->summary) > 0 && generator->source && generator->run);
        for (int p = 0; p < generator->params.count; p++)
            assert_true(strlen(generator->params.items[p].help) > 0);
    }
}

static void a_wrong_name_gets_the_nearest(void **state)
{
    (void)state;
    assert_null(silt_generator_find("diamond-sqare"));
    assert_non_null(strstr(silt_message(), "diamond-square"));
    assert_null(silt_generator_find("zzzzzzzzzz"));
    assert_non_null(strstr(silt_message(), "silt list"));
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const SiltGenerator *noise = silt_generator_find("noise");
    SiltTerrain *terrain = NULL;
    assert_fails(silt_generate(noise, 0, 10, 1.0, NULL, NULL, &terrain), SILT_BAD_ARGUMENT, "0 x 10");
    assert_null(terrain);
    assert_fails(silt_generate(noise, 10, -3, 1.0, NULL, NULL, &terrain), SILT_BAD_ARGUMENT, "10 x -3");
    assert_fails(silt_generate(noise, 10, 10, 0.0, NULL, NULL, &terrain), SILT_BAD_ARGUMENT, "a cell of 0 m");
    assert_fails(silt_generate(noise, 10, 10, NAN, NULL, NULL, &terrain), SILT_BAD_ARGUMENT, "noise: a cell");
    assert_fails(silt_generate(noise, SILT_MAX_SIDE, SILT_MAX_SIDE, 1.0, NULL, NULL, &terrain),
                 SILT_NO_MEMORY, "GiB are free");
    assert_null(terrain);
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    const SiltGenerator *fault = silt_generator_find("fault");
    void *params = generator_params(fault, "");
    assert_fails(silt_params_assign(&fault->params, params, "new fault", "count=-1"), SILT_BAD_ARGUMENT,
                 "new fault: count = -1 is below its minimum 0");
    silt_free(params);
}

static void no_run_is_seed_zero(void **state)
{
    (void)state;
    SiltTerrain *plain, *zero = make_terrain("noise", 40, 30, 5.0, 0, "");
    assert_ok(silt_generate(silt_generator_find("noise"), 40, 30, 5.0, NULL, NULL, &plain));
    assert_int_equal(silt_field_hash(silt_terrain_layer(plain, "height")),
                     silt_field_hash(silt_terrain_layer(zero, "height")));
    silt_terrain_destroy(plain);
    silt_terrain_destroy(zero);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_and_unique),
        cmocka_unit_test(a_wrong_name_gets_the_nearest),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(no_run_is_seed_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
