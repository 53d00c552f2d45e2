#include "test.h"

#include "core/number.h"
#include "core/text.h"
#include "physics/random.h"

static const char *written(float value)
{
    static char text[SILT_FLOAT_SIZE + 1];
    char *end = silt_write_float(text, value);
    assert_true(end - text <= SILT_FLOAT_SIZE);
    *end = '\0';
    return text;
}

static void known_texts(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0.0f, "0"},           {-0.0f, "0"},
                 {1.0f, "1"},           {-2.5f, "-2.5"},
                 {0.1f, "0.1"},         {1234.5678f, "1234.5677"},
                 {100000.0f, "100000"}, {16777216.0f, "16777216"},
                 {1e-3f, "0.001"},      {1e-7f, "1e-7"},
                 {3e20f, "3e+20"},      {0.3f, "0.3"},
                 {8848.86f, "8848.86"}, {999999.94f, "999999.94"},
                 {INFINITY, "inf"},     {-INFINITY, "-inf"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_string_equal(written(cases[k].value), cases[k].text);
    assert_string_equal(written(NAN), "nan");
}

// Every float reads back as itself, and none could be shorter: printf finds no shorter one either.
static void round_trip_and_shortest(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 200000; k++) {
        SiltRandom random = silt_random(11, 0, k, 0);
        uint32_t bits = random.word[0];
        float value;
        if (k & 1)
            value = (silt_uniform(random.word[0]) - 0.2f) * 9000.0f;
        else
            memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        const char *text = written(value);
        assert_true(strtof(text, NULL) == value);
        double back;
        const char *cursor = text;
        assert_true(silt_parse_number(&cursor, &back));
        assert_true((float)back == value && *cursor == '\0');
        int digits = 0, zeros = 0; // significant ones, those at the end aside
        for (const char *c = text; *c && *c != 'e'; c++) {
            digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
            zeros = *c == '0' && digits ? zeros + 1 : *c == '.' ? zeros : 0;
        }
        digits -= zeros;
        char shorter[32];
        snprintf(shorter, sizeof shorter, "%.*e", digits > 1 ? digits - 2 : 0, (double)value);
        if (digits > 1 && !strchr(text, 'e') && fabsf(value) < 1e6f && fabsf(value) >= 1e-4f)
            assert_true(strtof(shorter, NULL) != value);
    }
}

static void plain_numbers_agree_with_strtod(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1",   "-1.5",          "+3e2",  "007.25", ".5", "5.",  "1e22", "1e-22", "9007199254740992",
        "0.1", "123456.789e-5", "0e999", "  42 x", "1e", "1e+", "\n-0", "1.5.2", "12,5"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const char *cursor = texts[k];
        double value;
        char *end;
        double wanted = strtod(texts[k], &end);
        assert_true(silt_parse_plain_number(&cursor, &value));
        assert_true(value == wanted && signbit(value) == signbit(wanted));
        assert_ptr_equal(cursor, end);
    }
    static const char *const others[] = {
        "", "-", ".", "e5", "nan", "inf", "0x10", "1e23", "9007199254740993123", "x12", "1e-400"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        const char *cursor = others[k];
        double value;
        assert_false(silt_parse_plain_number(&cursor, &value));
        assert_ptr_equal(cursor, others[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts),
        cmocka_unit_test(round_trip_and_shortest),
        cmocka_unit_test(plain_numbers_agree_with_strtod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
