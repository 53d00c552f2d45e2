#include "terrains.h"

#include "io/format.h"
#include "silt/drainage.h"

// A bowl with its brim at 5 in the east, a pit of two cells at 1 and 2, and a valley beyond.
static const float bowl[5 * 7] = {
    9, 9, 9, 9, 9, 9, 9, //
    9, 6, 6, 6, 7, 8, 9, //
    9, 6, 1, 2, 5, 4, 3, //
    9, 6, 6, 6, 7, 8, 9, //
    9, 9, 9, 9, 9, 9, 9, //
};

static int32_t at(const SiltDrainage *d, int i, int j)
{
    return j * d->width + i;
}

static void a_bowl_fills_to_its_brim(void **state)
{
    (void)state;
    SiltTerrain *terrain = from_numbers(7, 5, 10.0, bowl);
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 7; i++)
            assert_true(silt_field_at(&d->surface, i, j) ==
                        (bowl[j * 7 + i] < 5 && i < 4 ? 5.0f : bowl[j * 7 + i]));
    // across the lake, over the brim, down the valley and out
    assert_int_equal(d->receiver[at(d, 2, 2)], at(d, 3, 2));
    assert_int_equal(d->receiver[at(d, 3, 2)], at(d, 4, 2));
    assert_int_equal(d->receiver[at(d, 4, 2)], at(d, 5, 2));
    assert_int_equal(d->receiver[at(d, 5, 2)], at(d, 6, 2));
    assert_int_equal(d->receiver[at(d, 6, 2)], at(d, 6, 2));
    assert_int_equal(d->count, 35);
    assert_int_equal(d->area[at(d, 6, 2)], 16); // the fifteen inner cells and itself
    assert_int_equal(d->area[at(d, 0, 0)], 1);
    assert_false(d->landlocked);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static void a_bowl_is_carved_open(void **state)
{
    (void)state;
    SiltTerrain *terrain = from_numbers(7, 5, 10.0, bowl);
    SiltDrainageOptions options = {.lakes = SILT_LAKES_CARVE};
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, &options, &d));
    // down into the pit, and from there out along row 2, now no higher than the pit itself
    assert_int_equal(d->receiver[at(d, 1, 1)], at(d, 2, 2));
    for (int i = 2; i < 6; i++)
        assert_int_equal(d->receiver[at(d, i, 2)], at(d, i + 1, 2));
    for (int i = 2; i < 7; i++)
        assert_true(silt_field_at(&d->surface, i, 2) == 1.0f);
    assert_true(silt_field_at(&d->surface, 1, 1) == 6.0f);
    assert_int_equal(d->area[at(d, 6, 2)], 16);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static void closed_sides_keep_the_water(void **state)
{
    (void)state;
    SiltTerrain *terrain = from_numbers(7, 5, 10.0, bowl);
    SiltDrainageOptions options = {.closed_sides = true};
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, &options, &d));
    assert_true(d->landlocked);
    assert_int_equal(d->area[at(d, 2, 2)], 35); // all of it to the lowest cell
    assert_int_equal(d->receiver[at(d, 2, 2)], at(d, 2, 2));
    assert_true(silt_field_at(&d->surface, 6, 2) == 5.0f); // the valley now is the lake
    options.has_sea = true;
    options.sea_level = 3.5;
    assert_ok(silt_drainage_update(d, terrain, &options));
    assert_false(d->landlocked);
    assert_int_equal(d->receiver[at(d, 3, 2)], at(d, 3, 2)); // at sea
    assert_int_equal(d->area[at(d, 6, 2)] + d->area[at(d, 2, 2)] + d->area[at(d, 3, 2)], 35);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static void nodata_is_an_outlet_or_a_wall(void **state)
{
    (void)state;
    SiltTerrain *terrain = from_numbers(7, 5, 10.0, bowl);
    assert_ok(silt_terrain_require_nodata(terrain));
    terrain->nodata[2 * 7 + 2] = 1; // a hole where the pit was
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    assert_int_equal(d->count, 34);
    assert_int_equal(d->receiver[at(d, 2, 2)], -1);
    assert_int_equal(d->receiver[at(d, 3, 2)], at(d, 3, 2));
    assert_true(silt_field_at(&d->surface, 3, 2) == 2.0f);
    SiltDrainageOptions options = {.nodata_walls = true};
    assert_ok(silt_drainage_update(d, terrain, &options));
    assert_true(silt_field_at(&d->surface, 3, 2) == 5.0f);
    assert_int_equal(d->receiver[at(d, 3, 2)], at(d, 4, 2));
    // a wall all around a piece of land: it drains to its own lowest cell
    for (int k = 0; k < 35; k++)
        terrain->nodata[k] = !(k / 7 >= 1 && k / 7 <= 3 && k % 7 >= 1 && k % 7 <= 3);
    assert_ok(silt_drainage_update(d, terrain, &options));
    assert_true(d->landlocked);
    assert_int_equal(d->count, 9);
    assert_int_equal(d->area[at(d, 2, 2)], 9);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static void all_flat_and_very_small(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 5}, {2, 2}, {3, 3}, {40, 30}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int lakes = 0; lakes < 2; lakes++) {
            SiltTerrain *terrain;
            SiltDrainage *d;
            SiltDrainageOptions options = {.lakes = lakes};
            assert_ok(silt_terrain_create(sizes[k][0], sizes[k][1], 1.0, &terrain));
            assert_ok(silt_drainage_create(terrain, &options, &d));
            uint64_t out = 0;
            for (int c = 0; c < d->width * d->height; c++)
                out += d->receiver[c] == c ? d->area[c] : 0;
            assert_int_equal(out, sizes[k][0] * sizes[k][1]);
            SiltDrainageStatistics s;
            assert_ok(silt_drainage_statistics(terrain, &s));
            assert_true(s.pit_fraction == 0.0 && isnan(s.pit_peak_ratio) && isnan(s.concavity));
            assert_true(isnan(s.hypsometric_integral));
            silt_drainage_destroy(d);
            silt_terrain_destroy(terrain);
        }
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(20, 20, 1), *other = hills(21, 20, 1);
    SiltDrainage *d, *none;
    SiltDrainageStatistics s;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    assert_fails(silt_drainage_update(d, other, NULL), SILT_BAD_ARGUMENT, "21 x 20");
    silt_field_row(&terrain->layers[0]->field, 3)[4] = NAN;
    assert_fails(silt_drainage_create(terrain, NULL, &none), SILT_BAD_ARGUMENT, "1 cells");
    assert_null(none);
    assert_fails(silt_drainage_statistics(terrain, &s), SILT_BAD_ARGUMENT, "not finite");
    punch(terrain, 4, 3, 1); // in a hole it does not matter
    assert_ok(silt_drainage_statistics(terrain, &s));
    // more cells than an index can count, in a terrain that was never made that large
    SiltTerrain huge = *other;
    huge.width = 60000;
    huge.height = 60000;
    assert_fails(silt_drainage_create(&huge, NULL, &none), SILT_BAD_ARGUMENT, "2^31");
    silt_drainage_destroy(d);
    silt_drainage_destroy(NULL);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(other);
}

static void every_failed_allocation_is_clean(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(64, 50, 1);
    SiltDrainage *d = NULL;
    SiltDrainageStatistics s;
    SiltDrainageOptions carve = {.lakes = SILT_LAKES_CARVE};
    sweep_allocations(silt_drainage_create(terrain, &carve, &d), silt_drainage_destroy(d));
    sweep_allocations(silt_drainage_statistics(terrain, &s), (void)0);
    silt_fail_allocation(1);
    assert_null(silt_drainage_json(&s));
    silt_fail_allocation(0);
    // a step of a model allocates nothing
    assert_ok(silt_drainage_create(terrain, &carve, &d));
    silt_fail_allocation(1);
    assert_ok(silt_drainage_update(d, terrain, &carve));
    assert_ok(silt_drainage_update(d, terrain, NULL));
    assert_int_equal(silt_allocation_count(), 0);
    silt_fail_allocation(0);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static SiltTerrain *read_sample(const char *path)
{
    SiltReadOptions options = {.heights = {NAN, NAN}, .cell = NAN, .nodata = NAN};
    SiltTerrain *terrain;
    assert_ok(silt_format_pgm.read(path, &options, &terrain));
    return terrain;
}

// Filled by SAGA 8.5.0 (ta_preprocessor 4, Wang & Liu, minimum slope 0); 195 of 3072 cells rise. The largest
// catchment is 1689 cells by SAGA and by GRASS 8.2.1 as well.
static void real_ground_agrees_with_other_programs(void **state)
{
    (void)state;
    SiltTerrain *terrain = read_sample(SILT_TEST_DATA "/bigtujunga_crop.pgm");
    SiltTerrain *filled = read_sample(SILT_TEST_DATA "/bigtujunga_crop_filled.pgm");
    SiltDrainage *d;
    SiltDrainageStatistics s;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    assert_same_field(&d->surface, &filled->layers[0]->field);
    assert_ok(silt_drainage_statistics(terrain, &s));
    assert_near(s.pit_fraction, 195.0 / 3072.0, 1e-12);
    assert_true(s.largest_catchment == 1689.0);
    assert_int_equal(d->area[41 * 64 + 0], 1689);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(filled);
}

static void rain_becomes_discharge(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(60, 40, 2);
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    double *values = malloc(2400 * sizeof *values);
    for (int c = 0; c < 2400; c++)
        values[c] = 1.0;
    silt_drainage_accumulate(d, values);
    for (int c = 0; c < 2400; c++)
        assert_true(values[c] == (double)d->area[c]);
    free(values);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

// Water leaves a flat by the shortest way, and of ways as short as each other none is favoured.
static void ways_over_a_flat_are_short_and_even(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(301, 301, 1.0, &terrain));
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d)); // flat: every choice is a tie
    int count[9] = {0}, inner = 0;
    for (int j = 1; j < 300; j++) {
        for (int i = 1; i < 300; i++) {
            int32_t c = at(d, i, j), to = d->receiver[c];
            int distance = i < j ? i : j;
            distance = 300 - i < distance ? 300 - i : distance;
            distance = 300 - j < distance ? 300 - j : distance;
            int far = to % 301 < to / 301 ? to % 301 : to / 301;
            far = 300 - to % 301 < far ? 300 - to % 301 : far;
            far = 300 - to / 301 < far ? 300 - to / 301 : far;
            assert_int_equal(far, distance - 1); // always the shortest way out
            count[(to / 301 - j + 1) * 3 + (to % 301 - i + 1)]++;
            inner++;
        }
    }
    for (int k = 0; k < 4; k++) // as many one way as the opposite way
        assert_near(count[k] / (double)inner, count[8 - k] / (double)inner, 0.04);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

static void json_has_every_key_and_null(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltDrainageStatistics s;
    assert_ok(silt_terrain_create(4, 4, 1.0, &terrain));
    assert_ok(silt_drainage_statistics(terrain, &s));
    char *json = silt_drainage_json(&s);
    static const char *const parts[] = {"{\"pit_fraction\": 0,",     "\"peak_fraction\": 0,",
                                        "\"pit_peak_ratio\": null,", "\"mean_pit_depth\": 0,",
                                        "\"concavity\": null,",      "\"concavity_r2\": null,",
                                        "\"hack\": null,",           "\"drainage_density\": null,",
                                        "\"channel_area\": 25,",     "\"hypsometric_integral\": null,",
                                        "\"spectral_slope\": null,", "\"largest_catchment\": "};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (!strstr(json, parts[k]))
            fail_msg("%s has no %s", json, parts[k]);
    silt_free(json);
    silt_terrain_destroy(terrain);
}

// "change" counts: the statistics are those of the settled ground.
static void change_is_part_of_the_ground(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(96, 96, 3);
    SiltField *change;
    assert_ok(silt_terrain_require(terrain, "change", &change));
    fill_hills(change, 4, 16, 3, 50.0f);
    SiltDrainageStatistics before, after;
    assert_ok(silt_drainage_statistics(terrain, &before));
    silt_terrain_settle(terrain);
    assert_ok(silt_drainage_statistics(terrain, &after));
    assert_memory_equal(&before, &after, sizeof before);
    silt_terrain_destroy(terrain);
}

// A drop whose slope is less than the smallest number still leads down, and no cell is left without a way.
static void the_smallest_drop_drains(void **state)
{
    (void)state;
    static const float heights[5] = {0.0f, 1e-44f, 1.0f, 2.0f, 3.0f};
    SiltDrainageOptions options = {.nodata_walls = true};
    SiltTerrain *terrain;
    SiltDrainage *drainage;
    assert_ok(silt_terrain_create(5, 3, 50.0, &terrain));
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int i = 0; i < 5; i++) {
        terrain->nodata[i] = terrain->nodata[10 + i] = 1;
        silt_field_row(silt_terrain_layer(terrain, "height"), 1)[i] = heights[i];
    }
    assert_ok(silt_drainage_create(terrain, &options, &drainage));
    assert_int_equal(drainage->count, 5);
    assert_int_equal(drainage->receiver[6], 5);
    assert_int_equal(drainage->receiver[7], 6);
    assert_int_equal(drainage->area[5], 4);
    silt_drainage_destroy(drainage);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bowl_fills_to_its_brim),
        cmocka_unit_test(a_bowl_is_carved_open),
        cmocka_unit_test(closed_sides_keep_the_water),
        cmocka_unit_test(nodata_is_an_outlet_or_a_wall),
        cmocka_unit_test(all_flat_and_very_small),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(every_failed_allocation_is_clean),
        cmocka_unit_test(real_ground_agrees_with_other_programs),
        cmocka_unit_test(rain_becomes_discharge),
        cmocka_unit_test(ways_over_a_flat_are_short_and_even),
        cmocka_unit_test(json_has_every_key_and_null),
        cmocka_unit_test(the_smallest_drop_drains),
        cmocka_unit_test(change_is_part_of_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
