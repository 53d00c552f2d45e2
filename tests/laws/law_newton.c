// Laws of the Newtonian model.
#include "erode/model.h"
#include "water.h"

extern const SiltModel silt_model_newton;

static const char *const plain[] = {NULL};

// Rain on a Hammersley set, a muddy source that ends, open borders, evaporation: nothing is lost.
static void the_books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {"rain=200", "sources=200,200,8,30,0,40,0.05", "evaporation=0.001",
                                           NULL};
    static const char *const paper[] = {"rain=100", "time_scaling=paper", "step=1", "rain_pattern=drops",
                                        NULL};
    const char *const *runs[] = {settings, paper};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *land = make_mountain(96, 400.0, 100.0);
        SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.steps = 300}, runs[k]);
        assert_true(report.ledger.water.added > 0.0 && report.ledger.water.removed > 0.0);
        assert_true(report.ledger.rock.moved > 0.0);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) <= 1e-12);
        assert_near(silt_account_imbalance_fraction(&report.ledger.rock), 0.0, 1e-9);
        assert_sane(land);
        silt_terrain_destroy(land);
    }
}

// Water on a plane gets faster until friction holds it: g sin(a) / K_A along the slope.
static void water_on_a_plane_reaches_its_speed(void **state)
{
    (void)state;
    SiltTerrain *plane = make_land(9, 600, 10.0);
    SiltField *height = silt_terrain_layer(plane, "height");
    for (int j = 0; j < 600; j++)
        for (int i = 0; i < 9; i++)
            silt_field_row(height, j)[i] = (float)(600 - j) * 2.0f; // one in five
    static const char *const settings[] = {
        "rain=3600", "rain_altitude=0", "rain_pattern=steady", "evaporation=0", "capacity=0", "diffusion=0",
        NULL};
    run_model(&silt_model_newton, plane, (SiltDuration){.time = 400.0}, settings);
    double wanted = 9.81 * 0.2 / sqrt(1.04) / 0.3;
    assert_near((double)silt_field_at(silt_terrain_layer(plane, "speed"), 4, 560), wanted, 0.05 * wanted);
    silt_terrain_destroy(plane);
}

// Water in a hollow comes to rest, level.
static void a_hollow_holds_a_calm_pool(void **state)
{
    (void)state;
    SiltTerrain *bowl = make_land(21, 21, 2.0);
    SiltField *height = silt_terrain_layer(bowl, "height"), *water;
    assert_ok(silt_terrain_require(bowl, "water", &water));
    for (int j = 0; j < 21; j++)
        for (int i = 0; i < 21; i++) {
            int x = i - 10, y = j - 10;
            silt_field_row(height, j)[i] = 0.05f * (float)(x * x + y * y);
            silt_field_row(water, j)[i] = i == 12 && j == 9 ? 60.0f : 0.0f;
        }
    static const char *const settings[] = {"rain=0", "evaporation=0", "capacity=0", "dry=0", NULL};
    run_model(&silt_model_newton, bowl, (SiltDuration){.time = 1500.0}, settings);
    assert_true(layer_most(bowl, "speed") < 0.3);
    double low = INFINITY, high = -INFINITY;
    for (int j = 8; j <= 12; j++)
        for (int i = 8; i <= 12; i++) {
            double surface = (double)silt_field_at(height, i, j) + (double)silt_field_at(water, i, j);
            low = fmin(low, surface);
            high = fmax(high, surface);
        }
    assert_true(high - low < 0.1);
    silt_terrain_destroy(bowl);
}

static void a_turned_map_gives_the_turned_result(void **state)
{
    (void)state;
    static const char *const settings[] = {"rain=300", "rain_pattern=steady", NULL};
    static const char *const evened[] = {"rain=300", "rain_pattern=steady", "reach=20", NULL};
    assert_turns(&silt_model_newton, 200, settings);
    assert_turns(&silt_model_newton, 100, evened);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const char *const evened[] = {"reach=30", NULL};
    assert_same_on_any_threads(&silt_model_newton, 60, plain);
    assert_same_on_any_threads(&silt_model_newton, 60, evened);
}

static double eroded(SiltTerrain *land, double seconds, const char *step)
{
    const char *settings[] = {step, NULL};
    SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.time = seconds}, settings);
    silt_terrain_destroy(land);
    return report.ledger.rock.moved;
}

static void half_the_step_erodes_as_much(void **state)
{
    (void)state;
    long_law();
    double whole = eroded(make_mountain(64, 512.0, 120.0), 60.0, "step=0.1");
    double half = eroded(make_mountain(64, 512.0, 120.0), 60.0, "step=0.05");
    assert_near(half, whole, 0.05 * whole);
}

// A slope with the same folds on any grid, a few centimetres high: twelve of them, the narrowest 17 m wide,
// or the wider ones alone.
typedef struct Slope {
    double extent; // m
    int folds;
} Slope;

static SiltTerrain *make_slope(int side, Slope slope)
{
    double cell = slope.extent / side;
    SiltTerrain *land = make_land(side, side, cell);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = (i + 0.5) * cell, y = (j + 0.5) * cell, folds = 0.0;
            for (int k = 1; k <= slope.folds; k++)
                folds += 0.05 * sin(0.031 * k * x + 0.017 * (k * 7 % 5 - 2) * y + 1.7 * k * k);
            silt_field_row(silt_terrain_layer(land, "height"), j)[i] =
                (float)(0.15 * (slope.extent - y) + folds);
        }
    return land;
}

static void twice_the_resolution_erodes_as_much(void **state)
{
    (void)state;
    long_law();
    double coarse = eroded(make_hills(96, 1920.0), 240.0, "step=0");
    double fine = eroded(make_hills(192, 1920.0), 240.0, "step=0");
    assert_near(fine, coarse, 0.1 * coarse);
}

// Thick water at two resolutions, both of which resolve hills and reach. Without a reach gullies are one cell
// wide, on both grids, and the finer one stirs more; with one it moves as much rock.
typedef struct Flood {
    double moved, lowered; // m3 of rock
} Flood;

static Flood flood(int side, const char *reach)
{
    SiltTerrain *land = make_hills(side, 1280.0);
    const char *settings[] = {"densest=1", reach, NULL};
    SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.time = 400.0}, settings);
    Flood result = {report.ledger.rock.moved, lowered(land)};
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) <= 1e-9);
    silt_terrain_destroy(land);
    return result;
}

static void a_reach_digs_as_much_on_a_finer_grid(void **state)
{
    (void)state;
    long_law();
    Flood coarse = flood(64, "reach=40"), fine = flood(128, "reach=40");
    assert_near(fine.moved, coarse.moved, 0.1 * coarse.moved);
    assert_true(fine.moved < 1.25 * fine.lowered); // little is taken up twice
}

static void without_a_reach_gullies_are_one_cell_wide(void **state)
{
    (void)state;
    long_law();
    Flood coarse = flood(64, "reach=0"), fine = flood(128, "reach=0");
    assert_true(fine.moved > 1.2 * coarse.moved);
    assert_true(fine.moved > 1.5 * fine.lowered);
}

// Only what is named differs from the defaults: the laws of `reach` want thick water, and banks that stay.
static const char *const thick[] = {"densest=1", "banks=0", NULL};

// What a flood cuts into it, in metres: how far the ground across the slope lies from its mean, and how wide
// gullies are half way down.
typedef struct Gullies {
    double depth, width;
    int count;
} Gullies;

// How far from i, in cells, a row comes up to `half`: between two cells where it does.
static double way_up(const double *row, int side, int i, int step, double half)
{
    int k = i;
    while (k + step >= 0 && k + step < side && row[k + step] < half)
        k += step;
    if (k + step < 0 || k + step >= side)
        return fabs((double)(k - i));
    return fabs((double)(k - i)) + (half - row[k]) / (row[k + step] - row[k]);
}

// Adds up the gullies of a row whose mean is zero: places lower than those beside them, and deep for this
// land.
static void measure_row(const double *row, int side, double deep, Gullies *sum)
{
    for (int i = side / 8; i < side - side / 8; i++)
        if (row[i] < -deep && row[i] <= row[i - 1] && row[i] < row[i + 1]) {
            sum->width += way_up(row, side, i, -1, 0.5 * row[i]) + way_up(row, side, i, 1, 0.5 * row[i]);
            sum->count++;
        }
}

static Gullies gullies_by(int side, Slope slope, double time, const char *const *settings)
{
    enum { MOST = 128 };
    static double rows[MOST][MOST];
    SiltTerrain *land = make_slope(side, slope);
    SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.time = time}, settings);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) <= 1e-9);
    const SiltField *change = silt_terrain_layer(land, "change");
    Gullies found = {0};
    int first = side / 8, last = side - first;
    for (int j = side / 4; j < 3 * side / 4; j++) {
        double mean = 0.0;
        for (int i = first; i < last; i++)
            mean += (double)silt_field_at(change, i, j) / (last - first);
        for (int i = 0; i < side; i++)
            rows[j][i] = (double)silt_field_at(change, i, j) - mean;
        for (int i = first; i < last; i++)
            found.depth += rows[j][i] * rows[j][i];
    }
    found.depth = sqrt(found.depth / (side / 2 * (last - first)));
    for (int j = side / 4; j < 3 * side / 4; j++)
        measure_row(rows[j], side, found.depth, &found);
    assert_true(found.count > side / 2);
    found.width *= slope.extent / side / found.count;
    silt_terrain_destroy(land);
    return found;
}

static Gullies gullies_after(int side, Slope slope, double time, const char *reach, const char *dissolve)
{
    const char *settings[] = {thick[0], thick[1], reach, dissolve, NULL};
    return gullies_by(side, slope, time, settings);
}

static Gullies gullies(int side, Slope slope, const char *reach)
{
    return gullies_after(side, slope, 400.0, reach, NULL);
}

static void a_reach_makes_gullies_as_deep_on_a_finer_grid(void **state)
{
    (void)state;
    long_law();
    const Slope slope = {640.0, 12};
    Gullies coarse = gullies(64, slope, "reach=0"), fine = gullies(128, slope, "reach=0");
    assert_true(fine.depth > 1.5 * coarse.depth); // the narrower the cells the deeper
    Gullies wide = gullies(64, slope, "reach=20"), same = gullies(128, slope, "reach=20");
    assert_near(same.depth, wide.depth, 0.15 * wide.depth);
    assert_true(same.depth < 0.25 * fine.depth);
}

// With cells of 5 and of 2.5 m: as many metres wide with a reach, as many cells wide without.
static void a_reach_keeps_gullies_wider_than_a_cell(void **state)
{
    (void)state;
    long_law();
    const Slope slope = {320.0, 6};
    Gullies coarse = gullies(64, slope, "reach=0"), fine = gullies(128, slope, "reach=0");
    Gullies wide = gullies(64, slope, "reach=40"), same = gullies(128, slope, "reach=40");
    print_message("gullies without a reach %.1f and %.1f m wide, with one %.1f and %.1f m\n", coarse.width,
                  fine.width, wide.width, same.width);
    assert_true(fine.width < 0.65 * coarse.width);
    assert_near(same.width, wide.width, 0.25 * wide.width);
    assert_true(same.width > 4.0 * 2.5);
}

// At any time where rock goes so slowly that water never has all it can carry: it then digs by that, which is
// evened out. Water that is full within a few metres (0.3 /s) digs where it gains more to carry, however
// narrow that is.
static void slow_wear_has_the_width_of_its_reach_at_any_time(void **state)
{
    (void)state;
    long_law();
    const Slope slope = {320.0, 6};
    static const double times[] = {200.0, 800.0};
    for (int k = 0; k < 2; k++) {
        Gullies wide = gullies_after(64, slope, times[k], "reach=40", "dissolve=0.003");
        Gullies same = gullies_after(128, slope, times[k], "reach=40", "dissolve=0.003");
        print_message("slow wear after %g s: %.1f and %.1f m wide, %.4f and %.4f m deep\n", times[k],
                      wide.width, same.width, wide.depth, same.depth);
        assert_near(same.width, wide.width, 0.2 * wide.width);
        assert_near(same.depth, wide.depth, 0.2 * wide.depth);
    }
    Gullies coarse = gullies_after(64, slope, 200.0, "reach=0", "dissolve=0.003");
    Gullies fine = gullies_after(128, slope, 200.0, "reach=0", "dissolve=0.003");
    assert_true(fine.width < 0.65 * coarse.width);
    assert_true(fine.depth > 1.5 * coarse.depth);
}

// With nothing set, at any time, cells of 5 and of 2.5 m have gullies of the same width; where banks stay
// they are as many cells wide.
static void gullies_are_as_wide_on_a_finer_grid(void **state)
{
    (void)state;
    long_law();
    const Slope slope = {320.0, 6};
    static const double times[] = {100.0, 200.0, 400.0, 800.0};
    static const char *const stay[] = {"banks=0", NULL};
    for (int k = 0; k < 4; k++) {
        Gullies wide = gullies_by(64, slope, times[k], plain), same = gullies_by(128, slope, times[k], plain);
        print_message("by default after %g s: %.1f and %.1f m wide, %.4f and %.4f m deep\n", times[k],
                      wide.width, same.width, wide.depth, same.depth);
        assert_near(same.width, wide.width, 0.2 * wide.width);
        assert_true(same.width > 3.5 * 2.5);
    }
    Gullies coarse = gullies_by(64, slope, 400.0, stay), fine = gullies_by(128, slope, 400.0, stay);
    assert_true(fine.width < 0.65 * coarse.width && coarse.width < 2.0 * 5.0);
}

// Banks come down beside a gully, but no rock is lost by it, and ground that is protected or without data
// stays where it is.
static void protected_banks_stay(void **state)
{
    (void)state;
    const Slope slope = {320.0, 6};
    for (int k = 0; k < 2; k++) { // the second time nothing is protected
        SiltTerrain *land = make_slope(64, slope);
        SiltField *hard;
        assert_ok(silt_terrain_require(land, "erodibility", &hard));
        assert_ok(silt_terrain_require_nodata(land));
        silt_field_fill(hard, 1.0f);
        for (int j = 0; j < 64; j++)
            for (int i = 20; i < 24; i++) {
                silt_field_row(hard, j)[i] = k == 0 ? 0.0f : 1.0f;
                land->nodata[j * 64 + i + 20] = 1;
            }
        SiltReport report = run_model(&silt_model_newton, land, (SiltDuration){.time = 200.0}, plain);
        assert_true(report.ledger.rock.moved > 0.0);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) <= 1e-9);
        int lower = 0;
        for (int j = 0; j < 64; j++)
            for (int i = 20; i < 24; i++)
                lower += silt_field_at(silt_terrain_layer(land, "change"), i, j) < 0.0f;
        assert_true(k == 0 ? lower == 0 : lower > 100);
        silt_terrain_destroy(land);
    }
}

// By default, and where water moves in parts as in the paper, nothing is evened out.
static void a_reach_of_zero_is_none(void **state)
{
    (void)state;
    static const char *const off[] = {"reach=0", NULL}, *const parts[] = {"transfer=bilinear", NULL},
                             *const both[] = {"transfer=bilinear", "reach=40", NULL};
    const char *const *runs[] = {plain, off, parts, both};
    uint64_t hash[4];
    for (int k = 0; k < 4; k++) {
        SiltTerrain *land = make_mountain(48, 400.0, 100.0);
        run_model(&silt_model_newton, land, (SiltDuration){.steps = 60}, runs[k]);
        hash[k] = land_hash(land);
        silt_terrain_destroy(land);
    }
    assert_true(hash[0] == hash[1] && hash[2] == hash[3] && hash[0] != hash[2]);
}

static void heavy_loads_are_counted(void **state)
{
    (void)state;
    static const char *const settings[] = {"settle=0",     "north=closed", "east=closed",
                                           "south=closed", "west=closed",  NULL};
    assert_heavy_loads_are_counted(&silt_model_newton, settings);
}

// A torrent runs down a slope of one in two against a cliff of 30 m, and away to both sides. Its speed lifts
// water by v^2 / 2g, some metres: none comes up on the cliff.
static void water_does_not_climb_cliffs(void **state)
{
    (void)state;
    SiltTerrain *land = make_land(40, 24, 10.0);
    SiltField *height = silt_terrain_layer(land, "height");
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 40; i++)
            silt_field_row(height, j)[i] = i < 24 ? 5.0f * (float)(24 - i) : 35.0f;
    static const char *const settings[] = {"rain=0", "capacity=0", "sources=30,120,40,30,0,0,0", NULL};
    run_model(&silt_model_newton, land, (SiltDuration){.time = 300.0}, settings);
    const SiltField *water = silt_terrain_layer(land, "water"), *flow = silt_terrain_layer(land, "flow");
    assert_true((double)silt_field_at(flow, 22, 12) > 1.0); // it came to the cliff
    for (int j = 0; j < 24; j++)
        for (int i = 24; i < 40; i++)
            assert_true(silt_field_at(water, i, j) == 0.0f);
    silt_terrain_destroy(land);
}

// Water with the same load everywhere levels out, and has the same load everywhere after.
static void what_levels_out_takes_its_load_along(void **state)
{
    (void)state;
    SiltTerrain *land = make_rough(24, 20, 2.0, 1.0, 5);
    SiltField *water, *sediment;
    assert_ok(silt_terrain_require(land, "water", &water));
    assert_ok(silt_terrain_require(land, "sediment", &sediment));
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 24; i++) {
            silt_field_row(water, j)[i] = 2.0f + 0.1f * (float)i;
            silt_field_row(sediment, j)[i] = 0.5f * silt_field_at(water, i, j);
        }
    static const char *const settings[] = {
        "rain=0",       "evaporation=0", "dry=0",        "settle=0",    "dissolve=0", "diffusion=1",
        "north=closed", "east=closed",   "south=closed", "west=closed", NULL};
    run_model(&silt_model_newton, land, (SiltDuration){.time = 60.0}, settings);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 24; i++)
            assert_near((double)silt_field_at(sediment, i, j), 0.5 * (double)silt_field_at(water, i, j),
                        0.001 * (double)silt_field_at(water, i, j));
    silt_terrain_destroy(land);
}

static double ground_of(const SiltTerrain *land, int i, int j)
{
    return (double)silt_field_at(silt_terrain_layer(land, "height"), i, j) +
           (double)silt_field_at(silt_terrain_layer(land, "change"), i, j);
}

// How far a cell stands above the highest of all eight around it.
static double tower(const SiltTerrain *land, int i, int j)
{
    double highest = -INFINITY;
    for (int y = j - 1; y <= j + 1; y++)
        for (int x = i - 1; x <= i + 1; x++)
            if (x != i || y != j)
                highest = fmax(highest, ground_of(land, x, y));
    return ground_of(land, i, j) - highest;
}

// Water that is as heavy as can be, on hills where it meets: what it drops rises above all around by twice
// the steepest fan at the most.
static void heavy_water_heaps_no_towers(void **state)
{
    (void)state;
    static const char *const settings[] = {"densest=1", "capacity=15", "evaporation=0.001", NULL};
    SiltTerrain *land = make_hills(96, 1920.0);
    run_model(&silt_model_newton, land, (SiltDuration){.time = 500.0}, settings);
    for (int j = 1; j < 95; j++)
        for (int i = 1; i < 95; i++)
            if (tower(land, i, j) > 2.0 * 0.2 * land->cell)
                fail_msg("%d, %d stands %g m above all around it", i, j, tower(land, i, j));
    silt_terrain_destroy(land);
}

static void no_parameters_blow_it_up(void **state)
{
    (void)state;
    survive_random_params(&silt_model_newton, 300);
}

static void odd_lands_give_the_obvious_result(void **state)
{
    (void)state;
    SiltTerrain *row = make_rough(50, 1, 1.0, 5.0, 1), *cell = make_land(1, 1, 1.0);
    run_model(&silt_model_newton, row, (SiltDuration){.steps = 100}, plain);
    run_model(&silt_model_newton, cell, (SiltDuration){.steps = 100}, plain);
    assert_sane(row);
    assert_sane(cell);
    SiltTerrain *empty = make_land(9, 9, 1.0);
    assert_ok(silt_terrain_require_nodata(empty));
    memset(empty->nodata, 1, 81);
    SiltReport report = run_model(&silt_model_newton, empty, (SiltDuration){.steps = 20}, plain);
    assert_true(report.ledger.water.added == 0.0);
    silt_terrain_destroy(row);
    silt_terrain_destroy(cell);
    silt_terrain_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_books_balance),
        cmocka_unit_test(water_on_a_plane_reaches_its_speed),
        cmocka_unit_test(a_hollow_holds_a_calm_pool),
        cmocka_unit_test(a_turned_map_gives_the_turned_result),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(half_the_step_erodes_as_much),
        cmocka_unit_test(twice_the_resolution_erodes_as_much),
        cmocka_unit_test(a_reach_digs_as_much_on_a_finer_grid),
        cmocka_unit_test(without_a_reach_gullies_are_one_cell_wide),
        cmocka_unit_test(a_reach_makes_gullies_as_deep_on_a_finer_grid),
        cmocka_unit_test(a_reach_keeps_gullies_wider_than_a_cell),
        cmocka_unit_test(slow_wear_has_the_width_of_its_reach_at_any_time),
        cmocka_unit_test(gullies_are_as_wide_on_a_finer_grid),
        cmocka_unit_test(protected_banks_stay),
        cmocka_unit_test(a_reach_of_zero_is_none),
        cmocka_unit_test(heavy_loads_are_counted),
        cmocka_unit_test(water_does_not_climb_cliffs),
        cmocka_unit_test(what_levels_out_takes_its_load_along),
        cmocka_unit_test(heavy_water_heaps_no_towers),
        cmocka_unit_test(no_parameters_blow_it_up),
        cmocka_unit_test(odd_lands_give_the_obvious_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
