// `thermal` cell by cell: what one step moves, which material goes first, odd sizes and bad input.
#include "erode_help.h"

#include "physics/thermal_cell.h"

static void flux_is_the_same_seen_from_both_sides(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        SiltRandom random = silt_random(1, SILT_STREAM_TEST, k, 0);
        int32_t a = (int32_t)(random.word[0] >> 2), b = (int32_t)(random.word[1] >> 2);
        int32_t talus = (int32_t)(random.word[2] >> (k % 32));
        talus = talus < 0 ? 0 : talus;
        float ra = 0.0625f * silt_uniform(random.word[3]), rb = 0.125f * silt_uniform(random.word[2]);
        assert_int_equal(silt_thermal_gain(a, b, -1, talus, 0.5f, ra, rb),
                         -silt_thermal_gain(b, a, -1, talus, 0.5f, rb, ra));
        assert_int_equal(silt_thermal_gain(a, b, 0, talus, 1.0f, ra, rb), 0);
    }
}

static void excess_is_what_exceeds(void **state)
{
    (void)state;
    assert_int_equal(silt_thermal_excess(10, 3), 7);
    assert_int_equal(silt_thermal_excess(-10, 3), -7);
    assert_int_equal(silt_thermal_excess(3, 3), 0);
    assert_int_equal(silt_thermal_excess(-2, 3), 0);
}

static void deposit_goes_first(void **state)
{
    (void)state;
    assert_true(silt_thermal_rate(100, 100, 0, 0.0f, 0.5f, 0.0f) ==
                0.5f); // enough deposit: the rock's hardness is not asked
    assert_true(silt_thermal_rate(100, 0, 0, 0.25f, 0.5f, 0.0f) == 0.125f);
    assert_near((double)silt_thermal_rate(100, 50, 0, 0.0f, 0.5f, 0.0f), 0.25, 1e-7);
}

// One tower on a plain: a step takes a twelfth of the excess to each neighbour, half of that diagonally.
static void one_step_of_a_tower(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(5, 5, 2.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 2)[2] = 16.0f;
    erode_steps(terrain, "thermal", "talus=45 strength=0 rock=1 neighbours=eight", 1);
    double straight = (16.0 - 2.0) / 12.0, diagonal = (16.0 - 2.0 * sqrt(2.0)) / 24.0;
    assert_near(layer_at(terrain, "change", 1, 2), straight, 1e-6);
    assert_near(layer_at(terrain, "change", 3, 3), diagonal, 1e-6);
    assert_near(layer_at(terrain, "change", 2, 2), -4.0 * (straight + diagonal), 1e-5);
    assert_near(layer_at(terrain, "wear", 2, 2), 4.0 * (straight + diagonal), 1e-5);
    assert_near(layer_at(terrain, "deposition", 1, 2), straight, 1e-6);
    assert_near(layer_at(terrain, "deposit", 1, 2), straight, 1e-6);
    assert_true(layer_at(terrain, "change", 0, 0) == 0.0);
    silt_terrain_destroy(terrain);
}

static void rotated_neighbours_are_the_diagonal_ones(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(5, 5, 2.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 2)[2] = 16.0f;
    erode_steps(terrain, "thermal", "talus=45 strength=0 rock=1 neighbours=rotated", 1);
    assert_true(layer_at(terrain, "change", 1, 2) == 0.0);
    assert_near(layer_at(terrain, "change", 3, 3), (16.0 - 2.0 * sqrt(2.0)) / 8.0, 1e-6);
    silt_terrain_destroy(terrain);
}

// Across a corner with the tower in its south-east both slopes are 16, together 22.6, of which 4 may stay.
static void round_piles_slide_down_the_steepest_fall(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(5, 5, 2.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 2)[2] = 16.0f;
    erode_steps(terrain, "thermal", "talus=45 strength=0 rock=1 neighbours=round", 1);
    double straight = 0.5 * (16.0 - 2.0) / 16.0,
           across = 0.75 / 16.0 * 16.0 * (1.0 - 4.0 / (16.0 * sqrt(2.0)));
    assert_near(layer_at(terrain, "change", 1, 2), straight, 1e-6);
    assert_near(layer_at(terrain, "change", 3, 3), 2.0 * across, 1e-6);
    assert_near(layer_at(terrain, "change", 2, 2), -4.0 * (straight + 2.0 * across), 1e-5);
    silt_terrain_destroy(terrain);
}

// Fritz 4.3: height-aware weathering leaves what stands high alone.
static void height_aware_spares_the_summits(void **state)
{
    (void)state;
    double worn[2][2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(40, 20, 1.0);
        SiltField *height = silt_terrain_layer(terrain, "height");
        for (int j = 0; j < 20; j++)
            for (int i = 0; i < 40; i++)
                silt_field_row(height, j)[i] = i < 20 ? 0.0f : 100.0f;
        silt_field_row(height, 10)[5] = 10.0f;
        silt_field_row(height, 10)[33] = 110.0f;
        erode_steps(terrain, "thermal", k ? "mode=height-aware rock=1" : "rock=1", 3);
        worn[k][0] = layer_at(terrain, "wear", 5, 10);
        worn[k][1] = layer_at(terrain, "wear", 33, 10);
        silt_terrain_destroy(terrain);
    }
    assert_near(worn[0][0], worn[0][1], 1e-3);
    assert_near(worn[1][0], worn[0][0], 0.3 * worn[0][0]);
    assert_true(worn[1][1] < 0.1 * worn[1][0]);
}

static void hard_rock_keeps_and_loose_cover_goes(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(30, 30, 1.0);
    SiltField *height = silt_terrain_layer(terrain, "height"), *layer;
    for (int j = 0; j < 30; j++)
        for (int i = 10; i < 20; i++)
            silt_field_row(height, j)[i] = 20.0f;
    assert_ok(silt_terrain_require(terrain, "erodibility", &layer));
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 30; i++)
            silt_field_row(layer, j)[i] = j < 15 ? 0.0f : 1.0f;
    assert_ok(silt_terrain_require(terrain, "deposit", &layer));
    silt_field_row(layer, 4)[10] = 3.0f;
    erode_steps(terrain, "thermal", "", 400);
    assert_true(layer_at(terrain, "wear", 10, 8) == 0.0);
    assert_true(layer_at(terrain, "wear", 10, 22) > 3.0);
    assert_near(layer_at(terrain, "change", 10, 4), -3.0, 1e-6); // the cover is gone, the hard rock stands
    assert_near(layer_at(terrain, "deposit", 10, 4), 0.0, 1e-6);
    silt_terrain_destroy(terrain);
}

static void a_change_before_the_run_is_ground(void **state)
{
    (void)state;
    SiltTerrain *one = make_terrain(64, 64, 2.0), *two = make_terrain(64, 64, 2.0);
    make_rough(one, 4, 64.0f);
    SiltField *change;
    assert_ok(silt_terrain_require(two, "change", &change));
    silt_field_copy(silt_terrain_layer(one, "height"), change);
    erode_steps(one, "thermal", "", 30);
    erode_steps(two, "thermal", "", 30);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            assert_near(ground_at(two, i, j), ground_at(one, i, j), 1e-5);
            assert_true(layer_at(two, "height", i, j) == 0.0);
        }
    silt_terrain_destroy(one);
    silt_terrain_destroy(two);
}

static void odd_sizes(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {2, 2}, {4096, 3}, {3, 700}, {257, 97}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = make_terrain(sizes[k][0], sizes[k][1], 1.0);
        make_rough(terrain, k, 80.0f);
        double before = ground_sum(terrain);
        erode_steps(terrain, "thermal", "", 21);
        // in grains nothing is lost; the layer "change" rounds what a cell has gained to a float
        double rounding = 0.0;
        for (int j = 0; j < sizes[k][1]; j++)
            for (int i = 0; i < sizes[k][0]; i++)
                rounding += fabs(layer_at(terrain, "change", i, j)) * 0x1p-24;
        assert_near(ground_sum(terrain), before, fmin(rounding, 1e-8 * before) + 1e-12 * before);
        silt_terrain_destroy(terrain);
    }
}

static void nothing_to_do(void **state)
{
    (void)state;
    SiltTerrain *flat = make_terrain(30, 20, 1.0), *empty = make_terrain(30, 20, 1.0);
    silt_field_fill(silt_terrain_layer(flat, "height"), 1234.5f);
    SiltReport report = erode_steps(flat, "thermal", "talus=0", 50);
    assert_true(report.ledger.rock.moved == 0.0 && layer_sum(flat, "change") == 0.0);
    assert_ok(silt_terrain_require_nodata(empty));
    memset(empty->nodata, 1, 600);
    report = erode_steps(empty, "thermal", "", 50);
    assert_true(report.ledger.rock.initial == 0.0 && report.ledger.rock.stored == 0.0);
    make_rough(flat, 1, 5000.0f);
    erode_steps(flat, "thermal", "talus=90", 50); // a wall may stand
    assert_true(layer_sum(flat, "wear") == 0.0);
    silt_terrain_destroy(flat);
    silt_terrain_destroy(empty);
}

static void bad_input_gets_a_sentence(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("thermal");
    SiltTerrain *terrain = make_terrain(8, 8, 1.0);
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    assert_fails(silt_params_assign(silt_model_params(model), params, "erode thermal", "talus=95"),
                 SILT_BAD_ARGUMENT, "talus");
    assert_ok(silt_params_assign(silt_model_params(model), params, "erode thermal", "erodibility=granite"));
    SiltDuration duration = {.steps = 1};
    assert_fails(silt_erode(model, terrain, params, duration, NULL, NULL), SILT_BAD_ARGUMENT, "granite");
    silt_field_row(silt_terrain_layer(terrain, "height"), 3)[3] = NAN;
    assert_fails(silt_erode(model, terrain, NULL, duration, NULL, NULL), SILT_BAD_ARGUMENT, "not finite");
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flux_is_the_same_seen_from_both_sides),
        cmocka_unit_test(excess_is_what_exceeds),
        cmocka_unit_test(deposit_goes_first),
        cmocka_unit_test(one_step_of_a_tower),
        cmocka_unit_test(round_piles_slide_down_the_steepest_fall),
        cmocka_unit_test(rotated_neighbours_are_the_diagonal_ones),
        cmocka_unit_test(height_aware_spares_the_summits),
        cmocka_unit_test(hard_rock_keeps_and_loose_cover_goes),
        cmocka_unit_test(a_change_before_the_run_is_ground),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(bad_input_gets_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
