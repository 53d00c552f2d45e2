// Units in numbers: of the same kind they are converted as exactly as a division can, of another they are
// refused.
#include "silt/text.h"
#include "test.h"

static void conversions_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {{"5", "m", 5.0},
                 {"0.5 mm/year", "m/year", 0.0005},
                 {"0.1mm/yr", "m/year", 0.0001},
                 {"3km", "m", 3000.0},
                 {"7 cm", "m", 0.07},
                 {"100kyr", "years", 100000.0},
                 {"0.1 Myr", "years", 100000.0},
                 {"2 km2", "m2", 2e6},
                 {"1.5ha", "m2", 15000.0},
                 {"1 m3/s", "m3/s", 1.0},
                 {"1 km/Myr", "m/year", 0.001},
                 {"30 mm/h", "mm/h", 30.0},
                 {"1.5 min", "s", 90.0},
                 {"1 m2/kyr", "m2/year", 0.001},
                 {"1 years", "s", 31557600.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value;
        assert_true(silt_parse_in(cases[k].text, cases[k].unit, &value));
        assert_true(value == cases[k].value);
    }
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"5 s", "m"},   {"5 m", "m2"},         {"5 m/year", "m"}, {"5 kg", "m"},
        {"5 m m", "m"}, {"five", "m"},         {"", "m"},         {"inf", "m"},
        {"5 m/", "m"},  {"5 /year", "m/year"}, {"5 mm", ""},      {"5 m4", "m2"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value;
        assert_false(silt_parse_in(cases[k][0], cases[k][1], &value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conversions_are_exact),
                                       cmocka_unit_test(other_kinds_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
