#include "test.h"

#include <locale.h>

#include "core/status.h"
#include "core/text.h"
#include "physics/random.h"

static void text_grows(void **state)
{
    (void)state;
    SiltText text = {0};
    for (int k = 0; k < 500; k++)
        silt_text_addf(&text, "%d,", k % 10);
    assert_int_equal(text.length, 1000);
    char *taken = silt_text_take(&text);
    assert_int_equal(strlen(taken), 1000);
    assert_memory_equal(taken, "0,1,2,3,4,", 10);
    assert_null(text.data);
    silt_free(taken);
    taken = silt_text_take(&text); // of nothing: empty, not NULL
    assert_string_equal(taken, "");
    silt_free(taken);
}

static void a_failed_text_stays_failed(void **state)
{
    (void)state;
    for (long n = 1; n <= 3; n++) {
        SiltText text = {0};
        silt_fail_allocation(n);
        for (int k = 0; k < 1000; k++)
            silt_text_add(&text, "more");
        silt_fail_allocation(0);
        assert_true(text.failed);
        silt_text_add(&text, "even more");
        assert_null(silt_text_take(&text));
        assert_non_null(strstr(silt_message(), "text"));
        assert_false(text.failed); // empty again
    }
    SiltText text = {0};
    silt_text_add(&text, "x");
    silt_text_free(&text);
    assert_null(text.data);
}

static void json_strings_are_escaped(void **state)
{
    (void)state;
    SiltText text = {0};
    silt_text_add_json(&text, "a\"b\\c\n\x01/\xc3\xa9");
    assert_string_equal(text.data, "\"a\\\"b\\\\c\\u000a\\u0001/\xc3\xa9\"");
    silt_text_free(&text);
    // bytes that are no UTF-8: alone, cut short, longer than need be, half of a pair, beyond the last
    silt_text_add_json(&text, "\xff \xe2\x82 \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xf0\x9f\x98\x80");
    assert_string_equal(text.data, "\"\\udcff \\udce2\\udc82 \\udcc0\\udcaf \\udced\\udca0\\udc80 "
                                   "\\udcf4\\udc90\\udc80\\udc80 \xf0\x9f\x98\x80\"");
    silt_text_free(&text);
    silt_text_add_json_number(&text, NAN);
    silt_text_add_json_number(&text, INFINITY);
    silt_text_add_json_number(&text, -2.5);
    assert_string_equal(text.data, "nullnull-2.5");
    silt_text_free(&text);
}

static void lines_come_back_as_strings(void **state)
{
    (void)state;
    static const char *const strings[] = {"", "plain", "a\nb", "\n", "\\", "\\n", "a\\\n\\\\n\n"};
    for (size_t k = 0; k < sizeof strings / sizeof strings[0]; k++) {
        SiltText text = {0};
        silt_text_add_line(&text, strings[k]);
        assert_ptr_equal(strchr(text.data, '\n'), text.data + text.length - 1); // one line, and its end
        text.data[text.length - 1] = '\0';
        silt_line_restore(text.data);
        assert_string_equal(text.data, strings[k]);
        silt_text_free(&text);
    }
    char odd[] = "a\\tb\\"; // as no string is written: it stays what it is
    silt_line_restore(odd);
    assert_string_equal(odd, "a\\tb\\");
}

static void words_are_quoted_for_shells(void **state)
{
    static const char *const words[][2] = {
        {"a.tif", "a.tif"},     {"-o", "-o"},       {"rain=2.5", "rain=2.5"},
        {"a.silt~", "a.silt~"}, {"", "''"},         {"my run", "'my run'"},
        {"it's", "'it'\\''s'"}, {"~a", "'~a'"},     {"a=~b", "'a=~b'"},
        {"$(a)", "'$(a)'"},     {"a\\b", "'a\\b'"}, {"a\n'\\\033", "$'a\\n\\'\\\\\\033'"}};
    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        SiltText text = {0};
        silt_text_add_shell(&text, words[k][0]);
        assert_string_equal(text.data, words[k][1]);
        silt_text_free(&text);
    }
}

static void numbers_read_back_the_same(void **state)
{
    (void)state;
    char buffer[SILT_NUMBER_SIZE];
    assert_string_equal(silt_format_number(0.1, buffer), "0.1");
    assert_string_equal(silt_format_number(30.0, buffer), "30");
    assert_string_equal(silt_format_number(-0.0, buffer), "0");
    assert_string_equal(silt_format_number(1.0 / 3.0, buffer), "0.3333333333333333");
    for (int k = 0; k < 20000; k++) {
        SiltRandom random = silt_random(4, 1, (uint64_t)k, 0);
        uint64_t bits = (uint64_t)random.word[0] << 32 | random.word[1];
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        assert_true(silt_parse_whole_number(silt_format_number(value, buffer), &back));
        assert_true(value == back);
        assert_true(strlen(buffer) < SILT_NUMBER_SIZE);
    }
}

static void numbers_are_the_same_in_every_locale(void **state)
{
    (void)state;
    // whichever of these the machine has; "C" always is
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (!setlocale(LC_ALL, names[k]))
            continue;
        char buffer[SILT_NUMBER_SIZE];
        double value;
        assert_string_equal(silt_format_number(1234.5, buffer), "1234.5");
        assert_true(silt_parse_whole_number("1234.5", &value) && value == 1234.5);
    }
    setlocale(LC_ALL, "C");
}

static void parsing_takes_one_number_or_all(void **state)
{
    (void)state;
    double value = 7.0;
    const char *cursor = "1.5e3mm";
    assert_true(silt_parse_number(&cursor, &value));
    assert_true(value == 1500.0);
    assert_string_equal(cursor, "mm");
    assert_false(silt_parse_number(&cursor, &value));
    assert_string_equal(cursor, "mm");
    assert_true(silt_parse_whole_number(" -3 ", &value) && value == -3.0);
    assert_false(silt_parse_whole_number("3 m", &value));
    assert_false(silt_parse_whole_number("", &value));
}

static const char *const words[] = {"thermal", "pipes", "newton", "cells", "rain_rate"};

static const char *word_at(const void *context, int index)
{
    return ((const char *const *)context)[index];
}

static const char *nearest(const char *name)
{
    return silt_nearest_name(name, word_at, words, 5);
}

static void the_nearest_right_name(void **state)
{
    (void)state;
    assert_string_equal(nearest("thremal"), "thermal");
    assert_string_equal(nearest("pipe"), "pipes");
    assert_string_equal(nearest("PIPES"), "pipes");
    assert_string_equal(nearest("rain-rate"), "rain_rate");
    assert_string_equal(nearest("ther"), "thermal"); // a beginning
    assert_null(nearest("xylophone"));
    assert_null(nearest("an exceedingly long name that nobody would ever type for anything at all"));
    assert_null(silt_nearest_name("x", word_at, words, 0));
    char buffer[64];
    assert_string_equal(silt_suggestion("pipes", buffer, sizeof buffer), ", did you mean 'pipes'?");
    assert_string_equal(silt_suggestion(NULL, buffer, sizeof buffer), "");
}

static void endings(void **state)
{
    (void)state;
    assert_true(silt_ends_with("a.tif", ".tif"));
    assert_true(silt_ends_with("A.TIF", ".tif"));
    assert_false(silt_ends_with("tif", ".tif"));
    assert_false(silt_ends_with("a.tiff", ".tif"));
    assert_false(silt_ends_with("", ".tif"));
}

// Control characters, those above U+007F too, and what turns the direction of writing: no terminal gets them.
static void what_a_terminal_obeys_is_disarmed(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"a\x1b[31mb\x7f\r", "a?[31mb??", "\"a\\u001b[31mb\\u007f\\u000d\""},
        {"\xc2\x9b"
         "31m",
         "?31m", "\"\\u009b31m\""},
        {"\xc2\x80\xc2\x9f\xc2\xa0", "??\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\""},
        {"\xe2\x80\xae"
         "gnp",
         "?gnp", "\"\\u202egnp\""},
        {"\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\xaa", "???", "\"\\u2066\\u2069\\u202a\""},
        {"\xe2\x80\xa6 \xc3\x9c \xe2\x81\xaa", "\xe2\x80\xa6 \xc3\x9c \xe2\x81\xaa",
         "\"\xe2\x80\xa6 \xc3\x9c \xe2\x81\xaa\""},
        {"\x9b"
         "31m \xff",
         "?31m \xff", "\"\\udc9b31m \\udcff\""},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char text[64];
        SiltText json = {0};
        snprintf(text, sizeof text, "%s", pairs[k][0]);
        silt_text_disarm(text, false);
        assert_string_equal(text, pairs[k][1]);
        silt_text_add_json(&json, pairs[k][0]);
        assert_string_equal(json.data, pairs[k][2]);
        silt_text_free(&json);
        assert_int_equal(silt_fail(SILT_BAD_FILE, "%s", pairs[k][0]), SILT_BAD_FILE);
        assert_string_equal(silt_message(), pairs[k][1]);
    }
    char lines[] = "a\tb\n\x1b";
    silt_text_disarm(lines, true);
    assert_string_equal(lines, "a\tb\n?");
    silt_text_disarm(lines, false);
    assert_string_equal(lines, "a?b??");
    SiltText word = {0};
    silt_text_add_shell(&word, "x\xc2\x9b\xe2\x80\xae\xc3\xa9");
    assert_string_equal(word.data, "$'x\\302\\233\\342\\200\\256\xc3\xa9'");
    silt_text_free(&word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_obeys_is_disarmed),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(a_failed_text_stays_failed),
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(lines_come_back_as_strings),
        cmocka_unit_test(words_are_quoted_for_shells),
        cmocka_unit_test(numbers_read_back_the_same),
        cmocka_unit_test(numbers_are_the_same_in_every_locale),
        cmocka_unit_test(parsing_takes_one_number_or_all),
        cmocka_unit_test(the_nearest_right_name),
        cmocka_unit_test(endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
