// `cells` cell by cell: the two cases of moving water, hardness by steepness, the borders, odd sizes, bad
// input.
#include "erode_help.h"

#include "physics/cells_cell.h"

static void flux_is_the_same_seen_from_both_sides(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        SiltRandom random = silt_random(1, SILT_STREAM_TEST, k, 0);
        int32_t a = (int32_t)(random.word[0] >> 2) - (1 << 29),
                b = (int32_t)(random.word[1] >> 2) - (1 << 29);
        SiltCellsFlow fa = {silt_uniform(random.word[2]), (float)(random.word[3] >> 12)};
        SiltCellsFlow fb = {silt_uniform(random.word[3]), (float)(random.word[2] >> 12)};
        int32_t gain = silt_cells_gain(a, b, fa, fb, 0.7f, 1.0f / 9.0f);
        assert_int_equal(gain, -silt_cells_gain(b, a, fb, fa, 0.7f, 1.0f / 9.0f));
        assert_int_equal(silt_cells_carry(gain, 0.1f, 0.2f, 0.3f, 0.0f),
                         -silt_cells_carry(-gain, 0.2f, 0.1f, 0.0f, 0.3f));
    }
    assert_int_equal(silt_cells_carry(0, 0.5f, 0.5f, 0.9f, 0.9f), 0);
}

// The short way gives what the long one does, to the grain: for heights near each other and far apart.
static void trade_by_drops_is_the_exchange(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 200000; k++) {
        SiltRandom r = silt_random(2, SILT_STREAM_TEST, k, 0), q = silt_random(3, SILT_STREAM_TEST, k, 0);
        int32_t a = (int32_t)(r.word[0] >> 2) - (1 << 29), near = (int32_t)(r.word[1] >> (2 + k % 30));
        float most = k % 3 == 0 ? 1.0f : 1.0f / 9.0f, weight = k % 2 == 0 ? 1.0f : SILT_CELLS_ACROSS;
        SiltCellsSide own = {a,
                             {silt_uniform(r.word[2]), 0.0f},
                             silt_uniform(q.word[0]),
                             k % 5 == 0 ? 0.0f : silt_uniform(q.word[2])};
        SiltCellsSide other = {k % 4 < 2 ? a + near / 2 : a - near / 2,
                               {k % 7 == 0 ? 0.0f : silt_uniform(r.word[3]), 0.0f},
                               silt_uniform(q.word[1]),
                               16777215.0f / 16777216.0f};
        SiltCellsNet net = {7, -9, 5};
        SiltCellsNet wanted = silt_cells_exchange(net, own, other, weight, most);
        SiltCellsShares here = silt_cells_shares(own.flow.share, most),
                        there = silt_cells_shares(other.flow.share, most);
        bool across = k % 2 != 0;
        SiltCellsGiver from = {own.altitude, across ? here.diagonal : here.straight, own.load, own.dither};
        SiltCellsGiver to = {other.altitude, across ? there.diagonal : there.straight, other.load,
                             other.dither};
        SiltCellsNet found = silt_cells_trade(net, from, to);
        assert_int_equal(found.water, wanted.water);
        assert_int_equal(found.sediment, wanted.sediment);
        assert_int_equal(found.given, wanted.given);
    }
}

// Case 1: more water than the height above the mean. With two lower neighbours by 30 and 60 the mean is 30
// below, so 30 leave, 10 and 20 of them.
static void case_one_levels_out(void **state)
{
    (void)state;
    SiltCellsFlow flow = silt_cells_flow(1000.0f, 90.0f, 0.0f, 2.0f, 0.7f, 0);
    assert_near((double)flow.share * 30.0, 10.0, 1e-3);
    assert_near((double)flow.share * 60.0, 20.0, 1e-3);
    SiltCellsFlow evenly = silt_cells_flow(1000.0f, 90.0f, 0.0f, 2.0f, 0.7f, 1);
    assert_true(evenly.share == flow.share && evenly.even == 0.0f);
}

// Case 2: less; all of it leaves.
static void case_two_empties(void **state)
{
    (void)state;
    SiltCellsFlow flow = silt_cells_flow(12.0f, 90.0f, 0.0f, 2.0f, 0.7f, 0);
    assert_near((double)flow.share * 90.0, 12.0, 1e-3);
    SiltCellsFlow evenly = silt_cells_flow(12.0f, 90.0f, 0.0f, 2.0f, 0.7f, 1);
    assert_true(evenly.share == 0.0f);
    assert_near((double)evenly.even, 6.0, 1e-3);
}

static void steep_rock_dissolves_faster(void **state)
{
    (void)state;
    assert_near((double)silt_cells_steepness(1.0f, 0.0f, 0.05f), sqrt(0.5), 1e-6);
    assert_true(silt_cells_steepness(0.0f, 0.0f, 0.05f) == 0.05f);
    assert_true(silt_cells_steepness(0.5f, 0.5f, 0.0f) > silt_cells_steepness(0.2f, 0.2f, 0.0f));
}

static void flat_water_holds_less(void **state)
{
    (void)state;
    assert_true(silt_cells_calm(0.0f, 0.0f, 0.03f) == 0.0f);
    assert_near((double)silt_cells_calm(0.009f, 0.012f, 0.03f), 0.5, 1e-6);
    assert_true(silt_cells_calm(0.1f, -0.2f, 0.03f) == 1.0f);
    assert_true(silt_cells_calm(0.0f, 0.0f, 0.0f) == 1.0f); // the paper's way
}

static void deposit_dissolves_before_rock(void **state)
{
    (void)state;
    SiltCellsDissolved d = silt_cells_dissolve(10.0f, 100, 1000, 3.0f, 0.5f, 0.0f);
    assert_int_equal(d.deposit, 30);
    assert_int_equal(d.rock, 0);
    d = silt_cells_dissolve(10.0f, 15, 1000, 3.0f, 0.5f, 0.0f);
    assert_int_equal(d.deposit, 15);
    assert_int_equal(d.rock, 2); // (10 - 15/3) * 0.5, in whole grains
    assert_int_equal(silt_cells_dissolve(10.0f, 0, 1, 3.0f, 1.0f, 0.0f).rock, 1);
}

static void water_runs_down_and_out(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 9, 5.0);
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 40; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 2.0f * (float)(40 - i);
    SiltReport report = erode_steps(terrain, "cells", "evaporation=0", 400);
    assert_true(report.ledger.water.removed > 0.8 * report.ledger.water.added);
    assert_true(report.ledger.rock.removed > 0.0);
    assert_true(layer_at(terrain, "flow", 35, 4) >
                3.0 * layer_at(terrain, "flow", 5, 4)); // it gathers downhill
    assert_true(layer_at(terrain, "change", 20, 4) < 0.0);
    silt_terrain_destroy(terrain);
}

static void closed_borders_keep_the_water(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 33, 5.0);
    make_rough(terrain, 4, 60.0f);
    SiltReport report =
        erode_steps(terrain, "cells", "evaporation=0 north=closed east=closed south=closed west=closed", 200);
    assert_true(report.ledger.water.removed == 0.0 && report.ledger.rock.removed == 0.0);
    assert_true(report.ledger.water.added > 0.0);
    assert_true(report.ledger.water.stored == report.ledger.water.added);
    silt_terrain_destroy(terrain);
}

static void one_open_border_is_the_way_out(void **state)
{
    (void)state;
    static const char *const sides[] = {"north", "east", "south", "west"};
    for (int k = 0; k < 4; k++) {
        SiltTerrain *terrain = make_terrain(20, 20, 5.0);
        char settings[160] = "evaporation=0";
        for (int side = 0; side < 4; side++)
            if (side != k)
                snprintf(settings + strlen(settings), sizeof settings - strlen(settings), " %s=closed",
                         sides[side]);
        SiltReport report = erode_steps(terrain, "cells", settings, 50);
        assert_true(report.ledger.water.removed > 0.0);
        double edge = layer_at(terrain, "water",
                               k == 1   ? 19
                               : k == 3 ? 0
                                        : 10,
                               k == 0   ? 0
                               : k == 2 ? 19
                                        : 10);
        assert_true(edge < 0.95 * layer_at(terrain, "water", 10, 10));
        silt_terrain_destroy(terrain);
    }
}

static void water_of_before_goes_on(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(10, 10, 1.0);
    SiltField *water, *sediment;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    assert_ok(silt_terrain_require(terrain, "sediment", &sediment));
    silt_field_row(water, 5)[5] = 4.0f;
    silt_field_row(sediment, 5)[5] = 0.5f;
    SiltReport report =
        erode_steps(terrain, "cells",
                    "rain=0 evaporation=0 dissolve=0 north=closed east=closed south=closed west=closed", 300);
    assert_near(report.ledger.water.initial, 4.0, 1e-6);
    assert_true(report.ledger.water.stored == report.ledger.water.initial);
    for (int j = 0; j < 10; j++)
        for (int i = 0; i < 10; i++)
            assert_near(layer_at(terrain, "water", i, j), 0.04, 0.01);
    assert_near(layer_sum(terrain, "sediment") + layer_sum(terrain, "change"), 0.5, 1e-5);
    silt_terrain_destroy(terrain);
}

// Muddy water in a bowl, nothing dries up: standing water clears, and fills the bowl without a heap in it.
static void mud_settles_where_water_stands(void **state)
{
    (void)state;
    for (int still = 0; still < 2; still++) {
        SiltTerrain *terrain = make_terrain(24, 24, 1.0);
        SiltField *height = silt_terrain_layer(terrain, "height"), *water, *sediment;
        assert_ok(silt_terrain_require(terrain, "water", &water));
        assert_ok(silt_terrain_require(terrain, "sediment", &sediment));
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                float x = (float)i - 11.0f, y = (float)j - 12.0f, bowl = 0.05f * (x * x + y * y);
                silt_field_row(height, j)[i] = bowl;
                silt_field_row(water, j)[i] = silt_maxf(3.0f - bowl, 0.0f);
                silt_field_row(sediment, j)[i] = 0.1f * silt_maxf(3.0f - bowl, 0.0f);
            }
        double mud = silt_field_sum(sediment);
        char settings[120];
        snprintf(settings, sizeof settings,
                 "rain=0 evaporation=0 dissolve=0 pace=1 still=%g north=closed east=closed south=closed "
                 "west=closed",
                 0.03 * still);
        erode_steps(terrain, "cells", settings, 300);
        assert_near(layer_sum(terrain, "sediment") + layer_sum(terrain, "change"), mud, 1e-4);
        assert_true(still ? layer_sum(terrain, "sediment") < 0.1 * mud
                          : layer_sum(terrain, "deposition") < 0.1 * mud);
        for (int j = 1; j < 23 && still; j++)
            for (int i = 1; i < 23; i++)
                if (i != 11 || j != 12) { // only the middle may be a pit
                    double lowest = INFINITY;
                    for (int k = 0; k < 9; k++)
                        lowest = fmin(lowest,
                                      k == 4 ? INFINITY : ground_at(terrain, i + k % 3 - 1, j + k / 3 - 1));
                    assert_true(ground_at(terrain, i, j) >= lowest - 1e-5);
                }
        silt_terrain_destroy(terrain);
    }
}

static void odd_sizes(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {2, 2}, {4096, 3}, {3, 700}, {65, 64}, {64, 65}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        SiltTerrain *terrain = make_terrain(sizes[k][0], sizes[k][1], 1.0);
        make_rough(terrain, k, 80.0f);
        SiltReport report = erode_steps(terrain, "cells", "", 21);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
        assert_true(layers_finite(terrain));
        silt_terrain_destroy(terrain);
    }
}

static void nothing_to_do(void **state)
{
    (void)state;
    SiltTerrain *empty = make_terrain(30, 20, 1.0), *dry = make_terrain(30, 20, 1.0);
    assert_ok(silt_terrain_require_nodata(empty));
    memset(empty->nodata, 1, 600);
    SiltReport report = erode_steps(empty, "cells", "", 50);
    assert_true(report.ledger.water.added == 0.0 && layer_sum(empty, "water") == 0.0);
    make_rough(dry, 1, 100.0f);
    report = erode_steps(dry, "cells", "rain=0", 50);
    assert_true(report.ledger.rock.moved == 0.0);
    silt_terrain_destroy(empty);
    silt_terrain_destroy(dry);
}

static void a_flood_fills_up_and_is_counted(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(12, 12, 1000.0);
    make_rough(terrain, 1, 10.0f);
    SiltReport report = erode_steps(
        terrain, "cells",
        "rain=10000 speed=0.001 evaporation=0 north=closed east=closed south=closed west=closed", 600);
    assert_true(report.counters.limited[0] > 0);
    assert_true(report.ledger.water.stored == report.ledger.water.added);
    assert_true(layers_finite(terrain));
    silt_terrain_destroy(terrain);
}

static void bad_input_gets_a_sentence(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("cells");
    static const struct {
        const char *setting, *words;
    } bad[] = {{"erodibility=granite", "granite"},
               {"rain_map=nowhere", "nowhere"},
               {"sources=500,5,1,1,0,0,0", "off the map"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        SiltTerrain *terrain = make_terrain(8, 8, 1.0);
        void *params = silt_alloc(silt_model_params(model)->size);
        assert_ok(silt_params_init(silt_model_params(model), params));
        assert_ok(silt_params_assign(silt_model_params(model), params, "erode cells", bad[k].setting));
        assert_fails(silt_erode(model, terrain, params, (SiltDuration){.steps = 1}, NULL, NULL),
                     SILT_BAD_ARGUMENT, bad[k].words);
        silt_params_free(silt_model_params(model), params);
        silt_free(params);
        silt_terrain_destroy(terrain);
    }
}

static void water_holds_its_share(void **state)
{
    (void)state;
    assert_near((double)silt_cells_holds(1000.0f, 0.2f), 200.0, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_holds_its_share),
        cmocka_unit_test(flux_is_the_same_seen_from_both_sides),
        cmocka_unit_test(trade_by_drops_is_the_exchange),
        cmocka_unit_test(case_one_levels_out),
        cmocka_unit_test(case_two_empties),
        cmocka_unit_test(steep_rock_dissolves_faster),
        cmocka_unit_test(flat_water_holds_less),
        cmocka_unit_test(deposit_dissolves_before_rock),
        cmocka_unit_test(water_runs_down_and_out),
        cmocka_unit_test(closed_borders_keep_the_water),
        cmocka_unit_test(one_open_border_is_the_way_out),
        cmocka_unit_test(water_of_before_goes_on),
        cmocka_unit_test(mud_settles_where_water_stands),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(a_flood_fills_up_and_is_counted),
        cmocka_unit_test(bad_input_gets_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
