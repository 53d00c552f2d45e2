// Parts of the window that need no window: numbers as people read them, pens, and thrift with frames.
#include "../test.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>

#include "numbers.h"
#include "param_row.h"
#include "pen.h"
#include "plain_path.h"
#include "rank.h"
#include "thrift.h"

static void assert_text(char *text, const char *wanted)
{
    assert_string_equal(text, wanted);
    g_free(text);
}

static void numbers_read_well(void **state)
{
    (void)state;
    double scale;
    assert_text(number_text(1000000.0), "1,000,000");
    assert_text(number_text(20.48), "20.5");
    assert_string_equal(volume_unit(54.3e9, &scale), "km³");
    assert_text(volume_text(54.3e9, scale), "54.3");
    assert_text(volume_text(1.234e9, scale), "1.23");
    assert_text(volume_text(0.0, scale), "0");
    assert_text(volume_text(1.0, scale), "< 0.001");                // there, but not to be seen
    assert_string_equal(volume_unit(9.04e6, &scale), "million m³"); // not 0.009 km³
    assert_text(volume_text(9.04e6, scale), "9.04");
    assert_string_equal(volume_unit(4606.0, &scale), "m³");
    assert_text(volume_text(4606.4, scale), "4,610");
    assert_text(volume_text(1234567.0, scale), "1,230,000");
    assert_text(volume_text(-12.34, scale), "-12.3");
}

// What someone looks for comes before what merely has its letters.
static void words_are_found_where_they_are_meant(void **state)
{
    (void)state;
    int exact = found_rank("rain", "rain", "rain on every cell"), map = found_rank("rain", "rain map", "");
    assert_true(exact > map && map > 0);
    assert_true(map > found_rank("rain", "drop interval", "s between drops of rain"));
    assert_true(found_rank("rain", "drop interval", "s between drops of rain") > 0);
    assert_int_equal(found_rank("rain", "seed", "of the terrain"), 0); // not of rain
    assert_true(found_rank("rain", "evaporation", "of water (rain too)") > 0);
    assert_true(found_rank("MAP rain", "rain map", "") > 0); // in any order
    assert_int_equal(found_rank("rain snow", "rain map", ""), 0);
    assert_true(found_rank("", "anything", "") > 0);
    assert_true(found_rank("höhe", "Höhe", "") > 0);
}

// Whoever types a whole name over the picked stem gets two endings, and meant the first.
static void names_have_one_ending(void **state)
{
    (void)state;
    const char *all = "*.tif *.obj *.r16 ";
    assert_text(plain_path("/a/mountain.obj.tif", ".tif", all), "/a/mountain.obj");
    assert_text(plain_path("/a/Mountain.OBJ.tif", ".tif", all), "/a/Mountain.OBJ");
    assert_text(plain_path("/a/my.yaml.yaml", ".yaml", "*.yaml *.yml"), "/a/my.yaml");
    assert_text(plain_path("/a/mountain.obj", ".tif", all), "/a/mountain.obj");
    assert_text(plain_path("/a/v1.2.tif", ".tif", all), "/a/v1.2.tif"); // no ending of ours
    assert_text(plain_path("/a/mountain.tif", ".tif", all), "/a/mountain.tif");
    assert_text(plain_path("/a/mountain", "", NULL), "/a/mountain");
    assert_text(plain_path("/a/mountain.obj.tif", NULL, NULL), "/a/mountain.obj.tif");
    char *folder = g_dir_make_tmp("silt-XXXXXX", NULL), *there = g_strconcat(folder, "/a.obj", NULL);
    char *typed = g_strconcat(there, ".tif", NULL);
    assert_true(g_file_set_contents(there, "", 0, NULL));
    assert_text(plain_path(typed, ".tif", all), typed); // nobody has asked whether it may be replaced
    assert_int_equal(g_unlink(there) + g_rmdir(folder), 0);
    g_free(typed);
    g_free(there);
    g_free(folder);
}

// The harder a pen is pressed the stronger is the brush, from a trace to what a mouse does.
static void a_pen_presses_gently_first(void **state)
{
    (void)state;
    assert_true(pen_strength(0.0) > 0.0 && pen_strength(0.0) < 0.05);
    assert_near(pen_strength(1.0), 1.0, 1e-12);
    for (int k = 0; k < 100; k++)
        assert_true(pen_strength((k + 1) / 100.0) > pen_strength(k / 100.0));
    assert_true(pen_strength(0.5) < 0.5); // finer below
    assert_near(pen_strength(-3.0), pen_strength(0.0), 1e-12);
    assert_near(pen_strength(7.0), 1.0, 1e-12);
    assert_near(pen_strength(NAN), 1.0, 1e-12); // a device without pressure is a mouse
}

// Where a card draws, frames are free; where the processor does, a run keeps its share of it.
static void frames_leave_the_model_its_share(void **state)
{
    (void)state;
    Thrift card = {.cost = 0.05, .cores = 2.0};
    assert_near(thrift_rate(&card, 40.0), 60.0, 1e-12);
    Thrift slow = {.cost = 0.02, .cores = 2.0, .draws_itself = true};
    double rate = thrift_rate(&slow, 40.0);
    assert_true(rate * slow.cost <= 0.1 * slow.cores); // no more than a tenth
    assert_true(thrift_rate(&slow, 1000.0) >= 10.0);   // of a fast run ten frames a second
    slow.cores = 64.0;
    assert_true(thrift_rate(&slow, 40.0) > 30.0); // many cores draw many
    slow.cost = 10.0;
    assert_true(thrift_rate(&slow, 40.0) >= 1.0); // never nothing
    Thrift unknown = {.draws_itself = true};
    assert_near(thrift_rate(&unknown, 40.0), 60.0, 1e-12);
    // the next frame is due after that time, and not before
    slow = (Thrift){.cost = 0.02, .cores = 2.0, .draws_itself = true};
    assert_near(thrift_wait(&slow, 100.0, 40.0), 0.0, 1e-12);
    double wait = thrift_wait(&slow, 100.01, 40.0);
    assert_near(wait, 1.0 / rate - 0.01, 1e-9);
    assert_near(thrift_wait(&slow, 100.01 + wait, 40.0), 0.0, 1e-12);
    // one that is late by a third does not put off the one after it, and a long rest is not made up for
    slow.last = 200.0;
    assert_near(thrift_wait(&slow, 200.0 + 1.33 / rate, 40.0), 0.0, 1e-12);
    assert_near(thrift_wait(&slow, 200.0 + 1.5 / rate, 40.0), 0.5 / rate, 1e-9);
    assert_near(thrift_wait(&slow, 300.0, 40.0), 0.0, 1e-12);
    assert_near(thrift_wait(&slow, 300.0 + 0.25 / rate, 40.0), 0.75 / rate, 1e-9);
}

static void what_frames_cost_is_measured(void **state)
{
    (void)state;
    Thrift thrift = {0};
    thrift_measure(&thrift, 10.0, 5);
    volatile double sum = 0.0;
    for (int k = 0; k < 20000000; k++) // some work
        sum += k;
    thrift_measure(&thrift, 11.5, 15);
    assert_true(sum > 0.0);
    assert_true(thrift.cost > 0.0 && thrift.cost < 1.0);
    assert_true(thrift.cores > 0.0);
    assert_false(thrift.draws_itself); // nothing draws here
}

// What a slider gives is what its few digits say, not a last digit more: the entry beside it has room for
// those.
static void sliders_give_short_numbers(void **state)
{
    (void)state;
    const Span spans[] = {{0.0, 0.005, false, false}, {1e-7, 1e-1, true, false}, {-40.0, 40.0, false, false}};
    for (size_t n = 0; n < sizeof spans / sizeof spans[0]; n++)
        for (int k = 0; k <= 1000; k++) {
            double value = span_value(&spans[n], k / 1000.0);
            char *text = g_strdup_printf("%.6g", value);
            assert_true(g_ascii_strtod(text, NULL) == value);
            g_free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_well),
        cmocka_unit_test(words_are_found_where_they_are_meant),
        cmocka_unit_test(names_have_one_ending),
        cmocka_unit_test(a_pen_presses_gently_first),
        cmocka_unit_test(sliders_give_short_numbers),
        cmocka_unit_test(frames_leave_the_model_its_share),
        cmocka_unit_test(what_frames_cost_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
