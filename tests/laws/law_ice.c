// The laws of `ice`: exact solutions and benchmarks of ice sheets, books that balance, troughs that become
// U-shaped, and independence of threads and of the grid.
#include "erode_help.h"
#include "physics/ice_cell.h"

#define WEIGHT    (910.0 * 9.81)                           // of ice, N/m3
#define ICE_GAMMA (0.4 * 1e-16 * WEIGHT * WEIGHT * WEIGHT) // 2 A (rho g)^3 / 5 with EISMINT's softness

// The ice of these theories: EISMINT's softness, no sliding, and nothing else happens.
static const char *const still = "softness=1e-16 sliding=0 coupling=0 abrasion=0 quarrying=0 wall=89";

static SiltField *require(SiltTerrain *terrain, const char *layer)
{
    SiltField *field;
    assert_ok(silt_terrain_require(terrain, layer, &field));
    return field;
}

// ---- Halfar ----

typedef struct Halfar {
    double dome, radius, start; // m, m, years
} Halfar;

static Halfar halfar_of(double dome, double radius)
{
    Halfar halfar = {dome, radius, 0.0};
    halfar.start = pow(7.0 / 4.0, 3.0) / (18.0 * ICE_GAMMA) * pow(radius, 4.0) / pow(dome, 7.0);
    return halfar;
}

// The ice cap that keeps its shape as it spreads on level ground (Halfar 1983, in the form of Bueler et al.
// 2005, equation 9 with n = 3 and no balance).
static double halfar_at(const Halfar *halfar, double time, double r)
{
    double age = halfar->start / time;
    double part = 1.0 - pow(pow(age, 1.0 / 18.0) * r / halfar->radius, 4.0 / 3.0);
    return part > 0.0 ? halfar->dome * pow(age, 1.0 / 9.0) * pow(part, 3.0 / 7.0) : 0.0;
}

// Within 2 % of the dome in the middle, and of the volume all over, also with steps of a quarter of its age.
static void an_ice_cap_spreads_as_halfar_says(void **state)
{
    (void)state;
    enum { SIDE = 61, MIDDLE = 30 };
    static const struct {
        double dome, radius, cell;
        const char *step;
    } cases[] = {
        {3600.0, 750e3, 40e3, "step=20"}, {3600.0, 750e3, 40e3, "step=100"}, {300.0, 4e3, 200.0, "step=0.5"}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        Halfar halfar = halfar_of(cases[c].dome, cases[c].radius);
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, cases[c].cell);
        SiltField *ice = require(terrain, "ice");
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                silt_field_row(ice, j)[i] =
                    (float)halfar_at(&halfar, halfar.start, hypot(i - MIDDLE, j - MIDDLE) * cases[c].cell);
        char settings[256];
        snprintf(settings, sizeof settings, "gradient=0 aspect=0 %s %s", still, cases[c].step);
        double before = layer_sum(terrain, "ice"), end = 10.0 * halfar.start, off = 0.0;
        erode(terrain, "ice", settings, (SiltDuration){.time = end - halfar.start});
        assert_near(layer_sum(terrain, "ice"), before, 1e-5 * before);
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                off += fabs(layer_at(terrain, "ice", i, j) -
                            halfar_at(&halfar, end, hypot(i - MIDDLE, j - MIDDLE) * cases[c].cell));
        double dome = halfar_at(&halfar, end, 0.0);
        assert_near(layer_at(terrain, "ice", MIDDLE, MIDDLE), dome, 0.02 * dome);
        assert_true(off < 0.02 * before);
        silt_terrain_destroy(terrain);
    }
}

// ---- EISMINT ----

// Fixed margin (Huybrechts et al. 1996): 0.3 m a year everywhere on 1,500 km square, no ice at its edge.
// Their models have 3,384 to 3,420 m of ice at the divide, as remembered: the table was not at hand.
static void a_square_ice_sheet_is_as_high_as_eismint(void **state)
{
    (void)state;
    enum { SIDE = 29 }; // 31 with the edge
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 50e3);
    char settings[256];
    snprintf(settings, sizeof settings, "gradient=0 aspect=0 balance=0.3 sides=calving step=200 %s", still);
    SiltReport report = erode(terrain, "ice", settings, (SiltDuration){.time = 40e3});
    double dome = layer_at(terrain, "ice", SIDE / 2, SIDE / 2);
    assert_near(dome, 3402.0, 0.03 * 3402.0);
    assert_true(report.ledger.water.removed > 0.7 * report.ledger.water.added);
    silt_terrain_destroy(terrain);
}

// Moving margin: 0.5 m a year, less by 1 cm for each km beyond 400 km from the middle. At rest the ice that
// comes in within r flows out there, 2 pi r Gamma h^5 |h'|^3, which gives h^(8/3) by one integral.
static double eismint_flux(double r)
{
    double inner = 400e3, snow = 0.5, fall = 1e-5, lost = 0.0;
    if (r > inner)
        lost = fall * ((r * r * r - inner * inner * inner) / 3.0 - inner * (r * r - inner * inner) / 2.0) / r;
    return snow * r / 2.0 - lost;
}

static double eismint_profile(double from)
{
    double sum = 0.0, step = 100.0;
    for (double r = from + 0.5 * step; eismint_flux(r) > 0.0; r += step)
        sum += step * cbrt(eismint_flux(r) / ICE_GAMMA);
    return pow(8.0 / 3.0 * sum, 3.0 / 8.0);
}

static void a_round_ice_sheet_is_as_high_as_eismint(void **state)
{
    (void)state;
    enum { SIDE = 31, MIDDLE = 15 };
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 50e3);
    SiltField *balance = require(terrain, "snow");
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double r = hypot(i - MIDDLE, j - MIDDLE) * 50e3;
            silt_field_row(balance, j)[i] = (float)fmin(0.5, 1e-5 * (450e3 - r));
        }
    char settings[256];
    snprintf(settings, sizeof settings, "gradient=0 aspect=0 balance_map=snow step=200 %s", still);
    erode(terrain, "ice", settings, (SiltDuration){.time = 40e3});
    double dome = layer_at(terrain, "ice", MIDDLE, MIDDLE);
    assert_near(dome, 2988.0, 0.03 * 2988.0); // their models: 2,978 to 2,997 m
    for (int i = 0; i < 9; i++) {             // all the way out to 400 km
        double exact = eismint_profile(i * 50e3);
        assert_near(layer_at(terrain, "ice", MIDDLE + i, MIDDLE), exact, 0.03 * eismint_profile(0.0));
    }
    silt_terrain_destroy(terrain);
}

// ---- books ----

static void books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "",
        "sides=calving aspect=0",
        "sides=closed washed=0",
        "thaw=true cycle=400 swing=500",
        "sea_level=300 washed=1 wall=20",
        "balance=-0.2 abrasion=0.01",
        "step=100 coupling=0 sliding=1e-10",
        "ela_share=0.8 sides=calving step=100",
    };
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(90, 70, 100.0);
        make_rough(terrain, k, 1500.0f);
        for (int run = 0; run < 2; run++) { // the second begins with the ice of the first
            double before = ground_sum(terrain), ice = layer_sum(terrain, "ice");
            double load = layer_sum(terrain, "sediment"), lakes = layer_sum(terrain, "water") * 1e4;
            SiltReport report = erode(terrain, "ice", settings[k], (SiltDuration){.time = 600.0});
            const SiltAccount *rock = &report.ledger.rock, *water = &report.ledger.water;
            assert_near(rock->initial, (before + load) * 1e4, 1e-9 * rock->initial);
            assert_near(rock->stored, (ground_sum(terrain) + layer_sum(terrain, "sediment")) * 1e4,
                        1e-9 * rock->stored);
            assert_true(silt_account_imbalance_fraction(rock) < 1e-5);
            assert_near(water->initial, ice * 0.91e4 + lakes, 1e-9 * water->initial);
            lakes = layer_sum(terrain, "water") * 1e4;
            assert_near(water->stored, layer_sum(terrain, "ice") * 0.91e4 + lakes, 1e-9 * water->stored);
            assert_true(silt_account_imbalance_fraction(water) < 1e-7);
            assert_true(water->added > 0.0 && layers_finite(terrain));
        }
        silt_terrain_destroy(terrain);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    same_on_any_threads("ice", "", (SiltDuration){.time = 300.0}, (RoughGround){131, 90, 100.0, 1800.0f});
    same_on_any_threads("ice", "sea_level=400 coupling=0 cycle=150 thaw=true", (SiltDuration){.time = 300.0},
                        (RoughGround){61, 77, 100.0, 1800.0f});
}

// ---- shapes ----

// Whether a cap on level ground stays round: the mean of cos 4a and cos 8a over its thickness at one radius.
static void ice_shows_no_grid(void **state)
{
    (void)state;
    enum { SIDE = 101, MIDDLE = 50 };
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 100.0);
    SiltField *balance = require(terrain, "snow");
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(balance, j)[i] =
                (float)fmin(1.0, 0.002 * (2000.0 - hypot(i - MIDDLE, j - MIDDLE) * 100.0));
    erode(terrain, "ice", "gradient=0 aspect=0 balance_map=snow abrasion=0 quarrying=0",
          (SiltDuration){.time = 3000.0});
    double sum = 0.0, four = 0.0, eight = 0.0;
    for (int k = 0; k < 720; k++) {
        double angle = k * acos(-1.0) / 360.0, x = MIDDLE + 22.0 * cos(angle), y = MIDDLE + 22.0 * sin(angle);
        int i = (int)x, j = (int)y;
        double u = x - i, v = y - j;
        double ice =
            (1 - v) * ((1 - u) * layer_at(terrain, "ice", i, j) + u * layer_at(terrain, "ice", i + 1, j)) +
            v * ((1 - u) * layer_at(terrain, "ice", i, j + 1) + u * layer_at(terrain, "ice", i + 1, j + 1));
        sum += ice;
        four += ice * cos(4.0 * angle);
        eight += ice * cos(8.0 * angle);
    }
    assert_true(sum > 720.0 * 20.0);
    assert_true(fabs(four / sum) < 0.02 && fabs(eight / sum) < 0.02);
    silt_terrain_destroy(terrain);
}

static void turned_ground_gives_the_same(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(64, 64, 100.0);
    make_rough(terrain, 5, 1500.0f);
    SiltTerrain *turn = turned(terrain);
    erode(terrain, "ice", "aspect=0 step=5", (SiltDuration){.time = 600.0});
    erode(turn, "ice", "aspect=0 step=5", (SiltDuration){.time = 600.0});
    double off = 0.0;
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            off += fabs(layer_at(terrain, "ice", i, j) - layer_at(turn, "ice", 63 - j, i));
    assert_true(off < 0.03 * layer_sum(terrain, "ice"));
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(turn);
}

// b of a cross profile |z - z0| ~ |x|^b, fitted over the lower two thirds of its walls: 1 is a V, 2 a U.
static double profile_exponent(const SiltTerrain *terrain, int j)
{
    int middle = 0, width = terrain->width;
    for (int i = 1; i < width; i++)
        middle = ground_at(terrain, i, j) < ground_at(terrain, middle, j) ? i : middle;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, low = ground_at(terrain, middle, j);
    for (int i = width / 4; i < 3 * width / 4; i++) {
        double away = fabs((double)i - width / 2), up = ground_at(terrain, i, j) - low;
        if (away < 3.0 || up < 1.0)
            continue;
        double a = log(away), b = log(up);
        n++, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

// A valley of 30 degrees becomes a trough.
static void a_v_becomes_a_u(void **state)
{
    (void)state;
    long_law();
    enum { WIDTH = 64, LENGTH = 96 };
    SiltTerrain *terrain = make_terrain(WIDTH, LENGTH, 75.0);
    for (int j = 0; j < LENGTH; j++)
        for (int i = 0; i < WIDTH; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(0.55 * 75.0 * fabs((double)i - WIDTH / 2) + 0.08 * 75.0 * (LENGTH - j));
    double before = profile_exponent(terrain, LENGTH / 2);
    erode(terrain, "ice", "ela=700 aspect=0 abrasion=3e-4 quarrying=2e-3", (SiltDuration){.time = 30e3});
    double after = 0.0;
    for (int j = LENGTH / 3; j < 2 * LENGTH / 3; j++)
        after += profile_exponent(terrain, j) / (LENGTH / 3);
    assert_near(before, 1.0, 0.05);
    assert_true(after > 1.5 && after < 3.0);
    silt_terrain_destroy(terrain);
}

// Where a glacier comes down to a plain it digs deeper than its outlet: when it has melted, a lake is left.
static void troughs_are_overdeepened(void **state)
{
    (void)state;
    long_law();
    enum { WIDTH = 48, LENGTH = 160 };
    SiltTerrain *terrain = make_terrain(WIDTH, LENGTH, 100.0);
    for (int j = 0; j < LENGTH; j++)
        for (int i = 0; i < WIDTH; i++) {
            double along = 100.0 * j, wall = fmin(0.5 * 100.0 * fabs((double)i - WIDTH / 2), 500.0);
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(wall + fmax(1800.0 - 0.25 * along, 0.0) + 0.01 * (100.0 * LENGTH - along));
        }
    erode(terrain, "ice", "ela=900 aspect=0 thaw=true abrasion=3e-4 quarrying=2e-3",
          (SiltDuration){.time = 40e3});
    assert_true(layer_sum(terrain, "water") > 0.0);
    double deepest = 0.0, floor_here = 1e9;
    for (int j = 0; j < LENGTH - 2; j++) { // how far the floor rises again down the valley
        double low = 1e9;
        for (int i = 8; i < WIDTH - 8; i++)
            low = fmin(low, ground_at(terrain, i, j));
        floor_here = fmin(floor_here, low);
        deepest = fmax(deepest, low - floor_here);
    }
    assert_true(deepest > 5.0);
    silt_terrain_destroy(terrain);
}

static void any_parameters_stay_finite(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("ice");
    void *params = silt_alloc(model->params.size);
    assert_non_null(params);
    for (uint64_t seed = 0; seed < 60; seed++) {
        SiltTerrain *terrain = make_terrain(23, 31, seed % 3 ? 60.0 : 1.0);
        make_rough(terrain, seed, 2000.0f);
        draw_params(&model->params, params, seed);
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 12}, NULL, NULL));
        assert_true(layers_finite(terrain));
        silt_params_free(&model->params, params);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

// The speed of a column as the head of physics/ice_cell.h has it, what slides of it, and snow less melt:
// numbers worked out by hand.
static void a_column_moves_as_its_equations_say(void **state)
{
    (void)state;
    // stress 100^3 * 0.01 = 1e4; deform * ice = 1e-4; slide / press = 2e-4
    assert_near((double)ice_pace(100.0f, 100.0f, 0.01f, 1e-6f, 0.02f, 1e6f), 3.0, 1e-4);
    assert_near((double)ice_pace(100.0f, 100.0f, 0.01f, 1e-6f, 0.02f, 0.1f), 1.0, 1e-4); // no faster than 0.1
    assert_near((double)ice_sliding_share(100.0f, 100.0f, 1e-6f, 0.02f), 2.0 / 3.0, 1e-5);
    assert_near((double)ice_balance(200.0f, 0.005f, 3.0f, 0.0f, 1.0f), 1.0, 1e-6);
    assert_near((double)ice_balance(1000.0f, 0.005f, 3.0f, 0.0f, 1.0f), 3.0, 1e-6);
    assert_near((double)ice_balance(200.0f, 0.005f, 3.0f, 0.75f, 1.0f), 0.5, 1e-6);
    assert_near((double)ice_balance(-200.0f, 0.005f, 3.0f, 0.75f, 1.0f), -1.0, 1e-6);
    assert_near((double)ice_rockfall(50.0f, 10.0f, 30.0f, 0.25f), 2.5, 1e-6);
    IceLink link = ice_link(10.0f, 40.0f, 0.0f, 20.0f, 0.01f); // 30 m down, with 30 m of ice on the way
    assert_near((double)link.flow, 0.01 * 30.0 * 30.0, 1e-4);
    // 10 m/year, of ice that presses by a quarter; quarrying where the bed falls by half
    assert_near((double)ice_wear(10.0f, 60.0f, 0.5f, 0.0f, 0.0f, 1e-3f, 4e-3f), 10.0 * 0.25 * 2e-3, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_moves_as_its_equations_say),
        cmocka_unit_test(an_ice_cap_spreads_as_halfar_says),
        cmocka_unit_test(a_square_ice_sheet_is_as_high_as_eismint),
        cmocka_unit_test(a_round_ice_sheet_is_as_high_as_eismint),
        cmocka_unit_test(books_balance),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(ice_shows_no_grid),
        cmocka_unit_test(turned_ground_gives_the_same),
        cmocka_unit_test(a_v_becomes_a_u),
        cmocka_unit_test(troughs_are_overdeepened),
        cmocka_unit_test(any_parameters_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
