#include "terrains.h"

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The cells that count, sorted.
static float *sorted_cells(const SiltField *field, const uint8_t *nodata, size_t *count)
{
    float *cells = malloc((size_t)field->width * (size_t)field->height * sizeof *cells);
    *count = 0;
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++)
            if (isfinite(silt_field_at(field, i, j)) && !(nodata && nodata[j * field->width + i]))
                cells[(*count)++] = silt_field_at(field, i, j);
    qsort(cells, *count, sizeof *cells, by_value);
    return cells;
}

static SiltTerrain *spoiled_hills(int width, int height)
{
    SiltTerrain *terrain = hills(width, height, 8);
    SiltField *field = &terrain->layers[0]->field;
    punch(terrain, width / 3, height / 2, 9);
    silt_field_row(field, 0)[0] = NAN;
    silt_field_row(field, 1)[width - 1] = INFINITY;
    silt_field_row(field, 2)[3] = -INFINITY;
    silt_field_row(field, height / 2)[width / 3] = NAN; // in the hole: nodata, not bad
    silt_field_row(field, 4)[4] = -0.0f;
    return terrain;
}

static void known_numbers(void **state)
{
    (void)state;
    SiltField field;
    SiltFieldStatistics s;
    assert_ok(silt_field_create(3, 2, &field));
    const float numbers[2][3] = {{2, 4, 4}, {4, 5, 5}};
    for (int j = 0; j < 2; j++)
        memcpy(silt_field_row(&field, j), numbers[j], sizeof numbers[j]);
    silt_field_statistics(&field, NULL, &s);
    assert_true(s.minimum == 2.0 && s.maximum == 5.0 && s.mean == 4.0 && s.cell_count == 6);
    assert_near(s.deviation, 1.0, 1e-15);
    const uint8_t mask[6] = {1, 0, 0, 0, 1, 1};
    silt_field_statistics(&field, mask, &s);
    assert_true(s.minimum == 4.0 && s.maximum == 4.0 && s.mean == 4.0 && s.deviation == 0.0);
    assert_int_equal(s.cell_count, 3);
    assert_int_equal(s.nodata_count, 3);
    silt_field_destroy(&field);
}

static void agree_with_plain_sums(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {23, 25}, {511, 30}, {512, 31}, {513, 32}, {1100, 700}};
    for (size_t k = 1; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = spoiled_hills(sizes[k][0], sizes[k][1]);
        SiltField *field = &terrain->layers[0]->field;
        SiltFieldStatistics s;
        silt_field_statistics(field, terrain->nodata, &s);
        size_t count;
        float *cells = sorted_cells(field, terrain->nodata, &count);
        long double sum = 0, squares = 0;
        for (size_t c = 0; c < count; c++)
            sum += (long double)cells[c];
        for (size_t c = 0; c < count; c++)
            squares += ((long double)cells[c] - sum / count) * ((long double)cells[c] - sum / count);
        assert_int_equal(s.cell_count, count);
        assert_int_equal(s.bad_count, 3);
        assert_int_equal(s.cell_count + s.bad_count + s.nodata_count, sizes[k][0] * sizes[k][1]);
        assert_true(s.minimum == (double)cells[0] && s.maximum == (double)cells[count - 1]);
        assert_near(s.mean, (double)(sum / count), 1e-10);
        assert_near(s.deviation, (double)sqrtl(squares / count), 1e-9);
        free(cells);
        silt_terrain_destroy(terrain);
    }
}

// A centimetre of roughness on top of Everest: naive sums of squares lose it.
static void small_deviation_far_from_zero(void **state)
{
    (void)state;
    SiltField field;
    assert_ok(silt_field_create(700, 300, &field));
    for (int j = 0; j < 300; j++)
        for (int i = 0; i < 700; i++)
            silt_field_row(&field, j)[i] = 8848.0f + ((i + j) & 1 ? 0.0078125f : -0.0078125f);
    SiltFieldStatistics s;
    silt_field_statistics(&field, NULL, &s);
    assert_near(s.mean, 8848.0, 1e-11);
    assert_near(s.deviation, 0.0078125, 1e-12);
    silt_field_destroy(&field);
}

static void nothing_to_measure(void **state)
{
    (void)state;
    SiltField field;
    SiltFieldStatistics s;
    double percent = 50.0, value = 0.0;
    uint64_t counts[3];
    assert_ok(silt_field_create(9, 9, &field));
    silt_field_fill(&field, NAN);
    silt_field_statistics(&field, NULL, &s);
    assert_int_equal(s.bad_count, 81);
    assert_int_equal(s.cell_count, 0);
    assert_true(isnan(s.minimum) && isnan(s.maximum) && isnan(s.mean) && isnan(s.deviation));
    assert_ok(silt_field_percentiles(&field, NULL, &percent, 1, &value));
    assert_true(isnan(value));
    silt_field_histogram(&field, NULL, 0.0, 1.0, 3, counts);
    assert_true(counts[0] == 0 && counts[1] == 0 && counts[2] == 0);
    silt_field_destroy(&field);
}

static void percentiles_are_those_of_a_sort(void **state)
{
    (void)state;
    static const int sizes[][2] = {{23, 25}, {300, 200}, {900, 700}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = spoiled_hills(sizes[k][0], sizes[k][1]);
        SiltField *field = &terrain->layers[0]->field;
        size_t count;
        float *cells = sorted_cells(field, terrain->nodata, &count);
        double percents[101], values[101];
        for (int p = 0; p <= 100; p++)
            percents[p] = 100 - p; // any order will do
        assert_ok(silt_field_percentiles(field, terrain->nodata, percents, 101, values));
        for (int p = 0; p <= 100; p++) {
            size_t rank = (size_t)(percents[p] / 100.0 * (double)(count - 1));
            assert_true(values[p] == (double)cells[rank]);
        }
        free(cells);
        silt_terrain_destroy(terrain);
    }
}

static void percentiles_refuse_what_is_none(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(64, 64, 2);
    SiltField *field = &terrain->layers[0]->field;
    double percents[] = {10.0, 101.0}, values[2];
    assert_fails(silt_field_percentiles(field, NULL, percents, 2, values), SILT_BAD_ARGUMENT, "101");
    percents[1] = -0.5;
    assert_fails(silt_field_percentiles(field, NULL, percents, 2, values), SILT_BAD_ARGUMENT, "-0.5");
    percents[1] = NAN;
    assert_fails(silt_field_percentiles(field, NULL, percents, 2, values), SILT_BAD_ARGUMENT, "0 and 100");
    percents[1] = 90.0;
    sweep_allocations(silt_field_percentiles(field, NULL, percents, 2, values), (void)0);
    silt_terrain_destroy(terrain);
}

static void histogram_counts_each_cell_once(void **state)
{
    (void)state;
    SiltField field;
    assert_ok(silt_field_create(1000, 1200, &field));
    for (int j = 0; j < field.height; j++)
        for (int i = 0; i < field.width; i++)
            silt_field_row(&field, j)[i] = (float)(i % 10);
    uint64_t counts[10];
    silt_field_histogram(&field, NULL, 0.0, 10.0, 10, counts);
    for (int k = 0; k < 10; k++)
        assert_int_equal(counts[k], 120000);
    silt_field_histogram(&field, NULL, 0.0, 9.0, 3, counts); // the last class includes 9
    assert_int_equal(counts[0], 360000);
    assert_int_equal(counts[1], 360000);
    assert_int_equal(counts[2], 480000);
    silt_field_histogram(&field, NULL, 2.0, 3.5, 1, counts); // outside is outside
    assert_int_equal(counts[0], 240000);
    silt_field_histogram(&field, NULL, 4.0, 4.0, 2, counts);
    assert_int_equal(counts[0] + counts[1], 120000);
    // without memory for tables it counts one after the other
    silt_fail_allocation(1);
    silt_field_histogram(&field, NULL, 0.0, 10.0, 10, counts);
    silt_fail_allocation(0);
    for (int k = 0; k < 10; k++)
        assert_int_equal(counts[k], 120000);
    silt_field_destroy(&field);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    SiltTerrain *terrain = spoiled_hills(900, 700);
    SiltField *field = &terrain->layers[0]->field;
    SiltFieldStatistics one, many;
    double percents[] = {0, 1, 50, 99, 100}, one_values[5], many_values[5];
    uint64_t one_counts[50], many_counts[50];
    silt_set_threads(1);
    silt_field_statistics(field, terrain->nodata, &one);
    assert_ok(silt_field_percentiles(field, terrain->nodata, percents, 5, one_values));
    silt_field_histogram(field, terrain->nodata, -200, 200, 50, one_counts);
    static const int threads[] = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
        silt_set_threads(threads[k]);
        silt_field_statistics(field, terrain->nodata, &many);
        assert_ok(silt_field_percentiles(field, terrain->nodata, percents, 5, many_values));
        silt_field_histogram(field, terrain->nodata, -200, 200, 50, many_counts);
        assert_memory_equal(&one, &many, sizeof one);
        assert_memory_equal(one_values, many_values, sizeof one_values);
        assert_memory_equal(one_counts, many_counts, sizeof one_counts);
    }
    silt_set_threads(0);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(agree_with_plain_sums),
        cmocka_unit_test(small_deviation_far_from_zero),
        cmocka_unit_test(nothing_to_measure),
        cmocka_unit_test(percentiles_are_those_of_a_sort),
        cmocka_unit_test(percentiles_refuse_what_is_none),
        cmocka_unit_test(histogram_counts_each_cell_once),
        cmocka_unit_test(same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
