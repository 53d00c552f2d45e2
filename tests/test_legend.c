// What the colours of an overlay mean: scales, their ticks, the legend.
#include "render_help.h"

#include "render/legend.h"

static void scales_follow_the_values(void **state)
{
    (void)state;
    SiltField field = {0};
    SiltScale scale;
    assert_ok(silt_field_create(100, 100, &field));
    for (int k = 0; k < 10000; k++) // powers of ten from 1 to a million
        silt_field_row(&field, k / 100)[k % 100] = powf(10.0f, 6.0f * powf((float)k / 9999.0f, 4.0f));
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_LOG);
    for (int k = 0; k < 10000; k++)
        silt_field_row(&field, k / 100)[k % 100] = (float)(k - 3000);
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_DIVERGING);
    assert_near(silt_scale_place(&scale, 0.0f), 0.5, 1e-6);
    silt_field_scale(&field, 1.0f, 20000.0f);
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(scale.kind, SILT_SCALE_LINEAR);
    for (float value = 15000.0f; value < 30000.0f; value += 100.0f)
        assert_true(silt_scale_place(&scale, value) <= silt_scale_place(&scale, value + 100.0f));
    assert_near(silt_scale_place(&scale, NAN), 0.0, 0.0);
    silt_field_fill(&field, 7.0f); // all alike
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_true(scale.high > scale.low);
    double ticks[5];
    assert_int_equal(silt_scale_ticks(&scale, 5, ticks), 1); // and the legend names the one value
    assert_near(ticks[0], 7.0, 0.0);
    silt_field_row(&field, 0)[0] = 9.0f; // few whole numbers have no halves between them
    silt_field_row(&field, 0)[1] = 8.0f;
    assert_ok(silt_scale_choose(&field, NULL, &scale));
    assert_int_equal(silt_scale_ticks(&scale, 5, ticks), 3);
    assert_near(ticks[1], 8.0, 0.0);
    silt_field_destroy(&field);
}

static void ticks_are_round_and_inside(void **state)
{
    (void)state;
    const SiltScale scales[] = {{SILT_SCALE_LINEAR, 0.0, 1.0},
                                {SILT_SCALE_LINEAR, 315.0, 2295.0},
                                {SILT_SCALE_DIVERGING, -0.3, 0.3},
                                {SILT_SCALE_LOG, 0.02, 31000.0},
                                {SILT_SCALE_LINEAR, -9e-5, -1e-5}};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        double ticks[5], slack = 1e-9 * (scales[s].high - scales[s].low);
        int count = silt_scale_ticks(&scales[s], 5, ticks);
        assert_in_range(count, 2, 5);
        for (int k = 0; k < count; k++) {
            assert_true(ticks[k] >= scales[s].low - slack && ticks[k] <= scales[s].high + slack);
            assert_true(k == 0 || ticks[k] > ticks[k - 1]);
        }
    }
}

static void the_legend_stays_in_its_corner(void **state)
{
    (void)state;
    enum { WIDTH = 400, HEIGHT = 300 };
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    SiltImage image = {WIDTH, HEIGHT, pixels};
    SiltScale scale = {SILT_SCALE_LOG, 0.01, 1e7};
    memset(pixels, 0, sizeof pixels);
    silt_legend_draw(&image, "velocity_x", "m3/s", &scale, false);
    int inside = 0;
    for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++) {
            bool corner = i > WIDTH / 4 && j > HEIGHT / 2, drawn = pixels[(j * WIDTH + i) * 4 + 3] > 0;
            assert_true(corner || !drawn);
            inside += drawn;
        }
    assert_true(inside > 1000);
    SiltImage tiny = {20, 20, pixels};
    memset(pixels, 0, sizeof pixels);
    silt_legend_draw(&tiny, "flow", "m3/s", &scale, false);
    for (int k = 0; k < 20 * 20 * 4; k++)
        assert_int_equal(pixels[k], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_follow_the_values),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(the_legend_stays_in_its_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
