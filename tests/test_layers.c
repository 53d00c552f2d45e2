#include "terrains.h"

enum { W = 67, H = 43 };

typedef struct Fields {
    SiltField a, b, mask, out;
} Fields;

static int make(void **state)
{
    Fields *f = calloc(1, sizeof *f);
    assert_ok(silt_field_create(W, H, &f->a));
    assert_ok(silt_field_create(W, H, &f->b));
    assert_ok(silt_field_create(W, H, &f->mask));
    assert_ok(silt_field_create(W, H, &f->out));
    fill_hills(&f->a, 1, 16, 4, 100.0f);
    fill_hills(&f->b, 2, 16, 4, 100.0f);
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++)
            silt_field_row(&f->mask, j)[i] = (float)i / (float)(W - 1);
    *state = f;
    return 0;
}

static int unmake(void **state)
{
    Fields *f = *state;
    silt_field_destroy(&f->a);
    silt_field_destroy(&f->b);
    silt_field_destroy(&f->mask);
    silt_field_destroy(&f->out);
    free(f);
    return 0;
}

// Every cell of f->out equals `wanted`, an expression in a, b and m.
#define assert_cells(f, wanted)                                                                              \
    do {                                                                                                     \
        for (int j_ = 0; j_ < H; j_++) {                                                                     \
            for (int i_ = 0; i_ < W; i_++) {                                                                 \
                float a = silt_field_at(&(f)->a, i_, j_), b = silt_field_at(&(f)->b, i_, j_);                \
                float m = silt_field_at(&(f)->mask, i_, j_);                                                 \
                (void)a, (void)b, (void)m;                                                                   \
                assert_true(silt_field_at(&(f)->out, i_, j_) == (wanted));                                   \
            }                                                                                                \
        }                                                                                                    \
    } while (0)

static void each_operation_is_what_it_says(void **state)
{
    Fields *f = *state;
    silt_field_add(&f->a, &f->b, &f->out);
    assert_cells(f, a + b);
    silt_field_multiply(&f->a, &f->b, &f->out);
    assert_cells(f, a * b);
    silt_field_minimum(&f->a, &f->b, &f->out);
    assert_cells(f, a < b ? a : b);
    silt_field_maximum(&f->a, &f->b, &f->out);
    assert_cells(f, a > b ? a : b);
    silt_field_copy(&f->a, &f->out);
    silt_field_scale(&f->out, -2.0f, 7.0f);
    assert_cells(f, a * -2.0f + 7.0f);
    silt_field_copy(&f->a, &f->out);
    silt_field_clamp(&f->out, -10.0f, 20.0f);
    assert_cells(f, a < -10.0f ? -10.0f : a > 20.0f ? 20.0f : a);
}

static void blending_ends_at_both_ends(void **state)
{
    Fields *f = *state;
    silt_field_blend(&f->a, &f->b, NULL, 0.0f, &f->out);
    assert_cells(f, a);
    silt_field_blend(&f->a, &f->b, NULL, 1.0f, &f->out);
    assert_cells(f, b);
    silt_field_blend(&f->a, &f->b, &f->mask, 0.5f, &f->out);
    assert_cells(f, (1.0f - 0.5f * m) * a + 0.5f * m * b);
    for (int j = 0; j < H; j++)
        assert_true(silt_field_at(&f->out, 0, j) == silt_field_at(&f->a, 0, j));
}

static void out_may_be_an_input(void **state)
{
    Fields *f = *state;
    SiltField keep;
    assert_ok(silt_field_create(W, H, &keep));
    silt_field_copy(&f->a, &keep);
    silt_field_blend(&f->a, &f->b, &f->mask, 1.0f, &f->out);
    silt_field_blend(&f->a, &f->b, &f->mask, 1.0f, &f->a);
    assert_same_field(&f->a, &f->out);
    silt_field_copy(&keep, &f->a);
    silt_field_add(&f->a, &f->a, &f->a);
    silt_field_scale(&keep, 2.0f, 0.0f);
    assert_same_field(&f->a, &keep);
    silt_field_destroy(&keep);
}

static void normalised_fields_span_their_range(void **state)
{
    Fields *f = *state;
    SiltFieldStatistics s;
    silt_field_normalise(&f->a, NULL, -1.0f, 3.0f);
    silt_field_statistics(&f->a, NULL, &s);
    assert_near(s.minimum, -1.0, 1e-6);
    assert_near(s.maximum, 3.0, 1e-6);
    assert_true(s.minimum >= -1.0 && s.maximum <= 3.0);
    silt_field_normalise(&f->a, NULL, 1.0f, 0.0f); // upside-down
    silt_field_statistics(&f->a, NULL, &s);
    assert_true(s.minimum >= 0.0 && s.maximum <= 1.0);
    silt_field_fill(&f->a, 5.0f);
    silt_field_normalise(&f->a, NULL, 2.0f, 3.0f);
    assert_true(silt_field_sum(&f->a) == 2.0 * W * H);
    // cells without data do not set the range
    uint8_t nodata[W * H] = {0};
    nodata[3] = 1;
    silt_field_copy(&f->mask, &f->a);
    silt_field_row(&f->a, 0)[3] = 1e9f;
    silt_field_normalise(&f->a, nodata, 0.0f, 10.0f);
    assert_near((double)silt_field_at(&f->a, W - 1, 5), 10.0, 1e-5);
}

static void blur_keeps_flats_and_sums(void **state)
{
    Fields *f = *state;
    silt_field_fill(&f->out, 1234.567f);
    assert_ok(silt_field_blur(&f->out, 5.0));
    assert_cells(f, 1234.567f);
    double before = silt_field_sum(&f->a);
    SiltFieldStatistics rough, smooth;
    silt_field_statistics(&f->a, NULL, &rough);
    assert_ok(silt_field_blur(&f->a, 4.0));
    silt_field_statistics(&f->a, NULL, &smooth);
    assert_near(silt_field_sum(&f->a), before, 1e-3);
    assert_true(smooth.deviation < 0.9 * rough.deviation);
    assert_true(smooth.minimum > rough.minimum && smooth.maximum < rough.maximum);
}

// The second moment of a blurred point is the radius squared, in both directions, and nothing is mirrored.
static void blur_has_the_radius_it_says(void **state)
{
    (void)state;
    static const double radii[] = {1.0, 2.5, 6.0};
    for (int k = 0; k < 3; k++) {
        SiltField field;
        assert_ok(silt_field_create(81, 81, &field));
        silt_field_row(&field, 40)[40] = 1000.0f;
        assert_ok(silt_field_blur(&field, radii[k]));
        double sum = 0.0, x = 0.0, y = 0.0;
        for (int j = 0; j < 81; j++) {
            for (int i = 0; i < 81; i++) {
                double v = (double)silt_field_at(&field, i, j);
                sum += v;
                x += v * (i - 40) * (i - 40);
                y += v * (j - 40) * (j - 40);
                assert_near(v, (double)silt_field_at(&field, 80 - i, j), 1e-4);
                assert_near(v, (double)silt_field_at(&field, j, i), 1e-4);
            }
        }
        assert_near(sum, 1000.0, 1e-2);
        assert_near(sqrt(x / sum), radii[k], 0.02 * radii[k]);
        assert_near(sqrt(y / sum), radii[k], 0.02 * radii[k]);
        silt_field_destroy(&field);
    }
}

static void blur_refuses_and_survives(void **state)
{
    Fields *f = *state;
    assert_fails(silt_field_blur(&f->a, -1.0), SILT_BAD_ARGUMENT, "radius");
    assert_fails(silt_field_blur(&f->a, NAN), SILT_BAD_ARGUMENT, "radius");
    assert_fails(silt_field_blur(&f->a, 1e9), SILT_BAD_ARGUMENT, "radius");
    silt_field_copy(&f->a, &f->out);
    assert_ok(silt_field_blur(&f->out, 0.0));
    assert_same_field(&f->a, &f->out);
    assert_ok(silt_field_blur(&f->out, 500.0)); // wider than the field
    sweep_allocations(silt_field_blur(&f->a, 3.0), (void)0);
}

static void a_plane_has_one_slope(void **state)
{
    Fields *f = *state;
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++)
            silt_field_row(&f->a, j)[i] = 3.0f * (float)i + 4.0f * (float)j;
    silt_field_slope(&f->a, 10.0, &f->out);
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++)
            assert_near((double)silt_field_at(&f->out, i, j), 0.5, 1e-6);
    SiltField one, slope;
    assert_ok(silt_field_create(1, 1, &one));
    assert_ok(silt_field_create(1, 1, &slope));
    silt_field_slope(&one, 1.0, &slope);
    assert_true(silt_field_at(&slope, 0, 0) == 0.0f);
    silt_field_destroy(&one);
    silt_field_destroy(&slope);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        SiltField field, slope;
        silt_set_threads(threads[k]);
        assert_ok(silt_field_create(301, 203, &field));
        assert_ok(silt_field_create(301, 203, &slope));
        fill_hills(&field, 1, 16, 4, 100.0f);
        assert_ok(silt_field_blur(&field, 3.5));
        silt_field_slope(&field, 7.0, &slope);
        silt_field_normalise(&slope, NULL, 0.0f, 1.0f);
        silt_field_blend(&field, &slope, &slope, 0.7f, &field);
        assert_true(k == 0 || silt_field_hash(&field) == hash);
        hash = silt_field_hash(&field);
        silt_field_destroy(&field);
        silt_field_destroy(&slope);
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_operation_is_what_it_says, make, unmake),
        cmocka_unit_test_setup_teardown(blending_ends_at_both_ends, make, unmake),
        cmocka_unit_test_setup_teardown(out_may_be_an_input, make, unmake),
        cmocka_unit_test_setup_teardown(normalised_fields_span_their_range, make, unmake),
        cmocka_unit_test_setup_teardown(blur_keeps_flats_and_sums, make, unmake),
        cmocka_unit_test(blur_has_the_radius_it_says),
        cmocka_unit_test_setup_teardown(blur_refuses_and_survives, make, unmake),
        cmocka_unit_test_setup_teardown(a_plane_has_one_slope, make, unmake),
        cmocka_unit_test(same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
