// How often runs are kept: each unit is as long as it is called.
#include "test.h"

#include "cli.h"

static void paces_are_as_long_as_they_are_called(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
        int64_t steps;
    } paces[] = {{"30s", 30.0, 0},       {"0.5s", 0.5, 0},     {"5m", 300.0, 0},  {"5min", 300.0, 0},
                 {"1h", 3600.0, 0},      {"1.5 h", 5400.0, 0}, {"100", 0.0, 100}, {"100steps", 0.0, 100},
                 {"1 step", 0.0, 1},     {"2.5", 0.0, 3},      {"0.1m", 6.0, 0},  {"24h", 86400.0, 0},
                 {"1e3steps", 0.0, 1000}};
    for (size_t k = 0; k < sizeof paces / sizeof paces[0]; k++) {
        double seconds = -1.0;
        int64_t steps = -1;
        assert_true(read_pace(paces[k].text, &seconds, &steps));
        assert_near(seconds, paces[k].seconds, 1e-9);
        assert_int_equal(steps, paces[k].steps);
    }
}

static void what_is_no_pace_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "soon",   "m",   "0s",  "-5m", "5d", "5mm",
                                        "5 ms", "5hours", "nan", "inf", "1e9", "5m "};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double seconds = -1.0;
        int64_t steps = -1;
        assert_false(read_pace(texts[k], &seconds, &steps));
        assert_near(seconds, -1.0, 0.0);
        assert_int_equal(steps, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paces_are_as_long_as_they_are_called),
        cmocka_unit_test(what_is_no_pace_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
