// Plots: every number is where it belongs, and what is none leaves a gap.
#include <math.h>
#include <string.h>

#include "silt/plot.h"
#include "silt/text.h"
#include "test.h"

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        found++;
    return found;
}

// The number behind a word.
static double number_behind(const char *text, const char *word)
{
    double value = NAN;
    const char *at = strstr(text, word);
    assert_non_null(at);
    at += strlen(word);
    assert_true(silt_parse_number(&at, &value));
    return value;
}

// In even steps of the factor, even steps of the picture.
static void logarithms_are_even(void **state)
{
    (void)state;
    double x[] = {1e-5, 1e-4, 1e-3}, y[] = {1.0, 2.0, 3.0};
    SiltSeries series = {.x = x, .y = y, .count = 3, .points = true};
    char *svg;
    assert_ok(silt_plot_svg(&(SiltPlot){.x_log = true, .series = &series, .series_count = 1}, &svg));
    double at[3];
    const char *cursor = svg;
    for (int k = 0; k < 3; k++) {
        at[k] = number_behind(cursor, "<circle cx=\"");
        cursor = strstr(cursor, "<circle cx=\"") + 1;
    }
    assert_near(at[2] - at[1], at[1] - at[0], 0.02);
    assert_int_equal(count(svg, "<circle"), 3);
    assert_non_null(strstr(svg, ">0.0001</text>"));
    silt_free(svg);
}

static void no_number_is_a_gap(void **state)
{
    (void)state;
    double x[] = {0.0, 1.0, 2.0, 3.0, 4.0}, y[] = {0.0, 1.0, NAN, INFINITY, 2.0};
    SiltSeries series = {.name = "a < b & \"c\"", .x = x, .y = y, .count = 5, .points = true};
    char *svg;
    assert_ok(silt_plot_svg(&(SiltPlot){.title = "t", .series = &series, .series_count = 1}, &svg));
    assert_int_equal(count(svg, "<circle"), 3);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    assert_non_null(strstr(svg, "a &lt; b &amp; &quot;c&quot;"));
    silt_free(svg);
}

static void nothing_is_refused(void **state)
{
    (void)state;
    double x[] = {1.0}, y[] = {-1.0};
    SiltSeries series = {.x = x, .y = y, .count = 1};
    char *svg;
    assert_int_equal(silt_plot_svg(&(SiltPlot){.y_log = true, .series = &series, .series_count = 1}, &svg),
                     SILT_BAD_ARGUMENT);
    assert_null(svg);
    assert_int_equal(silt_plot_svg(&(SiltPlot){.title = "none"}, &svg), SILT_BAD_ARGUMENT);
    assert_ok(silt_plot_svg(&(SiltPlot){.series = &series, .series_count = 1}, &svg)); // a single point
    silt_free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_even),
        cmocka_unit_test(no_number_is_a_gap),
        cmocka_unit_test(nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
