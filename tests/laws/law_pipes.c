// Laws of the pipe model with erosion.
#include "erode/model.h"
#include "silt/generate.h"
#include "water.h"

extern const SiltModel silt_model_pipes;

static const char *const plain[] = {NULL};

static double books(const SiltAccount *account)
{
    return silt_account_imbalance_fraction(account);
}

// Rain, a muddy source that ends, open borders, evaporation, banks: nothing is lost.
static void the_books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {"rain=200",          "sources=200,200,8,30,0,40,0.05",
                                           "evaporation=0.001", "bank_angle=10",
                                           "capacity=1",        NULL};
    static const char *const eight[] = {"rain=200",      "neighbours=eight",        "evaporation=0.001",
                                        "bank_angle=10", "rain_pattern=hammersley", NULL};
    const char *const *runs[] = {settings, eight};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *land = make_mountain(96, 400.0, 100.0);
        SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.steps = 400}, runs[k]);
        assert_true(report.ledger.water.added > 0.0 && report.ledger.water.removed > 0.0);
        assert_true(report.ledger.rock.moved > 0.0 && report.ledger.rock.removed > 0.0);
        assert_true(books(&report.ledger.water) <= 1e-12);
        assert_true(books(&report.ledger.rock) <= 1e-9);
        assert_near(layer_sum(land, "change"), layer_sum(land, "deposition") - layer_sum(land, "wear"),
                    1e-4 * layer_sum(land, "wear"));
        assert_sane(land);
        silt_terrain_destroy(land);
    }
}

// What falls is what the rain gauge says: grains are coarser than a step's rain, and still no drop is
// missing.
static void rain_adds_up(void **state)
{
    (void)state;
    static const char *const settings[] = {"rain=3.6",    "evaporation=0", "step=0.01",   "north=closed",
                                           "east=closed", "south=closed",  "west=closed", NULL};
    SiltTerrain *land = make_mountain(20, 100.0, 900.0);
    SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.time = 20.0}, settings);
    double wanted = 3.6e-3 / 3600.0 * 20.0 * 100.0 * 100.0;
    assert_near(report.ledger.water.added, wanted,
                0.1 * wanted); // within a grain a cell: 0.95 of 20 micrometres
    assert_near(report.ledger.water.stored, report.ledger.water.added, 0.0);
    silt_terrain_destroy(land);
}

static void a_turned_map_gives_the_turned_result(void **state)
{
    (void)state;
    static const char *const eight[] = {"neighbours=eight", "rain=300", "bank_angle=15", NULL};
    static const char *const four[] = {"rain=300", "bank_angle=15", "capacity=2", NULL};
    static const char *const paper[] = {"rain=300", "transport=semi-lagrangian", "time_scaling=paper",
                                        "step=0.05", NULL};
    assert_turns(&silt_model_pipes, 100, four);
    assert_turns(&silt_model_pipes, 100, eight);
    assert_turns(&silt_model_pipes, 100, paper);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const eight[] = {"neighbours=eight", "rain=300", "rain_pattern=drops", NULL};
    assert_same_on_any_threads(&silt_model_pipes, 30, plain);
    assert_same_on_any_threads(&silt_model_pipes, 30, eight);
}

// `pieces` of a run, each asked for on its own: a pass does two sub-steps where it can, and one where it
// must.
static SiltReport run_in_pieces(const char *const *settings, const int64_t *pieces, int threads,
                                uint64_t *hash)
{
    const SiltModel *model = &silt_model_pipes;
    SiltTerrain *land = make_mountain(150, 900.0, 200.0);
    void *params = calloc(1, silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    for (; *settings; settings++)
        assert_ok(silt_params_assign(silt_model_params(model), params, silt_model_name(model), *settings));
    silt_set_threads(threads);
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(model, land, params, NULL, &erosion));
    for (; *pieces; pieces++)
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = *pieces}));
    assert_ok(silt_erosion_store(erosion));
    *hash = land_hash(land);
    SiltReport report = *silt_erosion_report(erosion);
    silt_erosion_end(erosion);
    silt_set_threads(0);
    silt_params_free(silt_model_params(model), params);
    free(params);
    silt_terrain_destroy(land);
    return report;
}

static void two_steps_a_pass_are_two_steps(void **state)
{
    (void)state;
    static const int64_t together[] = {601, 0}, apart[] = {1, 2, 3, 1, 4, 1, 1, 88, 1, 300, 199, 0};
    static const char *const eight[] = {"neighbours=eight", "rain=300", "bank_angle=15", NULL};
    static const char *const four[] = {"rain=300", "bank_angle=15", "evaporation=0.01", NULL};
    const char *const *runs[] = {plain, four, eight};
    for (int k = 0; k < 3; k++) {
        uint64_t one, other;
        SiltReport a = run_in_pieces(runs[k], together, 2, &one),
                   b = run_in_pieces(runs[k], apart, 3, &other);
        assert_true(one == other);
        assert_int_equal(a.counters.substeps, 601);
        assert_int_equal(b.counters.substeps, 601);
        assert_int_equal(a.counters.limited[1], b.counters.limited[1]);
        assert_true(a.ledger.water.added == b.ledger.water.added);
        assert_true(a.ledger.water.removed == b.ledger.water.removed);
        assert_true(a.ledger.rock.moved == b.ledger.rock.moved && a.ledger.rock.moved > 0.0);
    }
}

static double eroded(int side, double seconds, const char *step)
{
    SiltTerrain *land = make_mountain(side, 512.0, 120.0);
    const char *settings[] = {"rain=120", step, NULL};
    SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.time = seconds}, settings);
    silt_terrain_destroy(land);
    return report.ledger.rock.moved;
}

static void half_the_step_erodes_as_much(void **state)
{
    (void)state;
    double whole = eroded(48, 80.0, "step=0.1"), half = eroded(48, 80.0, "step=0.05");
    assert_near(half, whole, 0.05 * whole);
}

// A rough place at two resolutions, both of which resolve it and the reach: a flood at a pace of 200
// digs as much on either, although it deepens its own gullies.
typedef struct Flood {
    double moved, lowered; // m3 of rock
} Flood;

static Flood flood(int side, const char *reach)
{
    const double extent = 1920.0;
    SiltTerrain *land = make_hills(side, extent);
    const char *settings[] = {"pace=200", reach, NULL};
    SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.time = 1500.0}, settings);
    Flood result = {report.ledger.rock.moved, lowered(land)};
    silt_terrain_destroy(land);
    return result;
}

static void twice_the_resolution_erodes_as_much(void **state)
{
    (void)state;
    long_law();
    Flood coarse = flood(96, "reach=40"), fine = flood(192, "reach=40");
    assert_near(fine.moved, coarse.moved, 0.1 * coarse.moved);
    assert_true(fine.moved < 1.05 * fine.lowered); // little is taken up twice
}

// Without the reach gullies are one cell wide, on both grids, and the finer one stirs more: what the law
// above is there to prevent.
static void without_a_reach_gullies_are_one_cell_wide(void **state)
{
    (void)state;
    long_law();
    Flood coarse = flood(96, "reach=0"), fine = flood(192, "reach=0");
    assert_true(fine.moved > 1.2 * coarse.moved);
    assert_true(fine.moved > 1.3 * fine.lowered);
}

// Noise without the detail that only the finer grid could show.
static SiltTerrain *make_noise(int side, double extent)
{
    const SiltGenerator *noise = silt_generator_find("noise");
    void *params = calloc(1, noise->params.size);
    assert_ok(silt_params_init(&noise->params, params));
    assert_ok(silt_params_assign(&noise->params, params, "noise", "octaves=3"));
    SiltRun run = {.seed = 1};
    SiltTerrain *land;
    assert_ok(silt_generate(noise, side, side, extent / side, params, &run, &land));
    silt_params_free(&noise->params, params);
    free(params);
    return land;
}

// Long after pools have formed: what settles in them must not lift their water so fast that it sloshes, runs
// into the limits, and tears up and drops the same grains in every step. On a finer grid, with its shorter
// steps, that was a fifth more rock for the same land.
static void run_pools(const char *const *settings, double most_stirred)
{
    double moved[2], low[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *land = make_noise(128 << k, 5120.0);
        SiltReport report = run_model(&silt_model_pipes, land, (SiltDuration){.time = 2700.0}, settings);
        moved[k] = report.ledger.rock.moved;
        low[k] = lowered(land);
        assert_true(report.counters.limited[0] + report.counters.limited[1] < 50);
        assert_true(moved[k] < most_stirred * low[k]);
        silt_terrain_destroy(land);
    }
    assert_near(moved[1], moved[0], 0.1 * moved[0]);
    assert_near(low[1], low[0], 0.03 * low[0]);
}

// By default rivers carry three times as much, and lay it down and take it up again on their way.
static void pools_do_not_slosh_on_any_grid(void **state)
{
    (void)state;
    long_law();
    static const char *const weak[] = {"capacity=1", "pace=200", NULL}, *const fast[] = {"pace=200", NULL};
    run_pools(weak, 1.2);
    run_pools(fast, 1.3);
    run_pools(plain, 1.3);
}

static void heavy_loads_are_counted(void **state)
{
    (void)state;
    static const char *const settings[] = {"settle=0",     "north=closed", "east=closed",
                                           "south=closed", "west=closed",  NULL};
    assert_heavy_loads_are_counted(&silt_model_pipes, settings);
}

static void no_parameters_blow_it_up(void **state)
{
    (void)state;
    survive_random_params(&silt_model_pipes, 300);
}

// Cells without data are walls: water stands beside them, and nothing of them changes.
static void nodata_passes_nothing(void **state)
{
    (void)state;
    SiltTerrain *land = make_mountain(32, 320.0, 40.0);
    assert_ok(silt_terrain_require_nodata(land));
    for (int j = 0; j < 32; j++) // a wall between west and east, and water in the west only
        land->nodata[j * 32 + 16] = 1;
    static const char *const settings[] = {"rain=0",
                                           "sources=80,160,20,20,0,0,0",
                                           "north=closed",
                                           "south=closed",
                                           "west=closed",
                                           "evaporation=0",
                                           NULL};
    run_model(&silt_model_pipes, land, (SiltDuration){.steps = 500}, settings);
    const SiltField *water = silt_terrain_layer(land, "water"), *change = silt_terrain_layer(land, "change");
    for (int j = 0; j < 32; j++)
        for (int i = 16; i < 32; i++) {
            assert_true(silt_field_at(water, i, j) == 0.0f);
            assert_true(silt_field_at(change, i, j) == 0.0f);
        }
    assert_true(layer_sum(land, "water") > 1.0);
    silt_terrain_destroy(land);
}

static void odd_lands_give_the_obvious_result(void **state)
{
    (void)state;
    SiltTerrain *row = make_rough(50, 1, 1.0, 5.0, 1), *cell = make_land(1, 1, 1.0);
    run_model(&silt_model_pipes, row, (SiltDuration){.steps = 100}, plain);
    run_model(&silt_model_pipes, cell, (SiltDuration){.steps = 100}, plain);
    assert_sane(row);
    assert_sane(cell);
    SiltTerrain *flat = make_land(20, 20, 1.0), *empty = make_land(9, 9, 1.0);
    static const char *const closed[] = {"north=closed", "east=closed", "south=closed", "west=closed", NULL};
    run_model(&silt_model_pipes, flat, (SiltDuration){.steps = 200}, closed);
    assert_true(layer_most(flat, "change") == 0.0);
    assert_true(layer_most(flat, "speed") == 0.0);
    assert_ok(silt_terrain_require_nodata(empty));
    memset(empty->nodata, 1, 81);
    SiltReport report = run_model(&silt_model_pipes, empty, (SiltDuration){.steps = 20}, plain);
    assert_true(report.ledger.water.added == 0.0);
    silt_terrain_destroy(row);
    silt_terrain_destroy(cell);
    silt_terrain_destroy(flat);
    silt_terrain_destroy(empty);
}

static char heard[512];
static int heard_count;
static void hear(void *user, const char *text)
{
    (void)user;
    snprintf(heard, sizeof heard, "%s", text);
    heard_count++;
}

// What eq. 14 loses or invents is said in words, once, with how much; where nothing is lost, nothing is said.
static void lost_sediment_is_told(void **state)
{
    (void)state;
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = 60;
    for (int traced = 0; traced < 2; traced++) {
        SiltTerrain *terrain = make_rough(48, 44, 20.0, 120.0, 3);
        void *params = silt_params_new(silt_model_params(&silt_model_pipes));
        if (traced)
            assert_ok(silt_params_assign(silt_model_params(&silt_model_pipes), params, "test",
                                         "transport=semi-lagrangian"));
        SiltReport report;
        SiltRun run = {.seed = 1, .warning = hear};
        heard_count = 0;
        assert_ok(silt_erode_as(&silt_model_pipes, terrain, params, &options, &run, &report));
        double lost = silt_account_imbalance(&report.ledger.rock);
        char how_much[64];
        snprintf(how_much, sizeof how_much, "%.3g m3 of rock %s", fabs(lost),
                 lost > 0.0 ? "were lost" : "came from nowhere");
        assert_int_equal(heard_count, traced);
        assert_true(!traced || (strstr(heard, how_much) && strstr(heard, "transport=semi-lagrangian")));
        silt_params_delete(silt_model_params(&silt_model_pipes), params);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_books_balance),
        cmocka_unit_test(rain_adds_up),
        cmocka_unit_test(a_turned_map_gives_the_turned_result),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(two_steps_a_pass_are_two_steps),
        cmocka_unit_test(half_the_step_erodes_as_much),
        cmocka_unit_test(twice_the_resolution_erodes_as_much),
        cmocka_unit_test(without_a_reach_gullies_are_one_cell_wide),
        cmocka_unit_test(pools_do_not_slosh_on_any_grid),
        cmocka_unit_test(heavy_loads_are_counted),
        cmocka_unit_test(no_parameters_blow_it_up),
        cmocka_unit_test(nodata_passes_nothing),
        cmocka_unit_test(odd_lands_give_the_obvious_result),
        cmocka_unit_test(lost_sediment_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
