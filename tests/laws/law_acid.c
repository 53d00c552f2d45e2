// The laws of `acid`: books that balance, drops that leave what they took, and nothing that depends on
// threads.
#include "../erode_help.h"

static const char busy[] = "rain=200000 particles=3000 life=4 acidity=20 fall=2 spacing=1 ";

static void books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "pressure=gas density_from=sum", "integrator=euler tension=1",
                                           "restitution=0.5 life=0", "particles=50"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(30, 26, 2.0);
        make_rough(terrain, k, 20.0f);
        double before = ground_sum(terrain) * 4.0;
        char text[256];
        snprintf(text, sizeof text, "%s%s", busy, settings[k]);
        SiltReport report = erode(terrain, "acid", text, (SiltDuration){.time = 6.0});
        const SiltAccount *rock = &report.ledger.rock;
        assert_true(rock->moved > 0.01 && report.ledger.water.added > 10.0);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
        assert_true(silt_account_imbalance_fraction(rock) < 1e-5);
        // counted in the layers, not in the model
        double after = (ground_sum(terrain) + layer_sum(terrain, "sediment")) * 4.0;
        assert_near(after, before - rock->removed, 1e-5 * rock->moved + 1e-9 * before);
        assert_near(layer_sum(terrain, "water") * 4.0, report.ledger.water.stored,
                    1e-4 * report.ledger.water.stored);
        assert_true(layers_finite(terrain));
        silt_terrain_destroy(terrain);
    }
}

// In a closed basin all comes down again: what was worn is laid down, but for what drops still hold.
static void drops_leave_what_they_took(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(24, 24, 2.0);
    make_rough(terrain, 5, 10.0f);
    char text[256];
    snprintf(text, sizeof text, "%snorth=closed east=closed south=closed west=closed", busy);
    SiltReport report = erode(terrain, "acid", text, (SiltDuration){.time = 8.0});
    double worn = layer_sum(terrain, "wear"), laid = layer_sum(terrain, "deposition");
    assert_true(laid > 0.2 * worn);
    assert_near(worn, laid + layer_sum(terrain, "sediment"), 1e-4 * worn);
    assert_true(report.ledger.rock.removed == 0.0);
    silt_terrain_destroy(terrain);
}

static double worn(const char *settings, double soft)
{
    SiltTerrain *terrain = make_terrain(24, 24, 2.0);
    make_rough(terrain, 5, 10.0f);
    SiltField *erodibility;
    assert_ok(silt_terrain_require(terrain, "erodibility", &erodibility));
    silt_field_fill(erodibility, (float)soft);
    char text[256];
    snprintf(text, sizeof text, "%s%s", busy, settings);
    erode(terrain, "acid", text, (SiltDuration){.time = 4.0});
    double sum = layer_sum(terrain, "wear");
    silt_terrain_destroy(terrain);
    return sum;
}

static void acid_dissolves_by_its_strength(void **state)
{
    (void)state;
    double plain = worn("acidity=1", 1.0);
    assert_true(plain > 0.0);
    assert_near(worn("acidity=2", 1.0), 2.0 * plain, 0.2 * plain);
    assert_near(worn("acidity=1", 2.0), 2.0 * plain, 0.2 * plain);
    assert_true(worn("acidity=1", 0.0) == 0.0);
    assert_near(worn("acidity=1 time_step=0.002", 1.0), plain, 0.1 * plain); // steps halved and more
}

static void threads_change_nothing(void **state)
{
    (void)state;
    same_on_any_threads("acid", busy, (SiltDuration){.time = 3.0}, (RoughGround){40, 50, 2.0, 20.0f});
}

static void rain_falls_where_the_map_says(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 40, 2.0);
    SiltField *rain;
    assert_ok(silt_terrain_require(terrain, "rain", &rain));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 40; i++)
            silt_field_row(rain, j)[i] = i < 10 ? 1.0f : 0.0f;
    char text[256];
    snprintf(text, sizeof text, "%srain_map=rain acidity=0 friction=100", busy);
    erode(terrain, "acid", text, (SiltDuration){.time = 1.0});
    double west = 0.0, east = 0.0;
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 40; i++)
            *(i < 14 ? &west : &east) += layer_at(terrain, "water", i, j);
    assert_true(west > 1.0 && east < 0.02 * west);
    silt_terrain_destroy(terrain);
}

static void any_parameters_stay_sane(void **state)
{
    (void)state;
    const SiltModel *model = silt_model_find("acid");
    const SiltParamTable *table = silt_model_params(model);
    size_t at = table->items[silt_params_find(table, "particles")].offset;
    void *params = silt_alloc(table->size);
    for (uint64_t seed = 0; seed < 60; seed++) {
        SiltTerrain *terrain = make_terrain(17, 13, seed % 3 == 0 ? 0.1 : 30.0);
        make_rough(terrain, seed, seed % 2 ? 300.0f : 1.0f);
        draw_params(table, params, seed);
        int *particles = (int *)(void *)((char *)params + at);
        *particles = *particles % 500 + 1;
        SiltReport report;
        SiltStatus status = silt_erode(model, terrain, params, (SiltDuration){.steps = 40}, NULL, &report);
        if (status == SILT_BAD_ARGUMENT) { // particles larger than the terrain
            assert_non_null(strstr(silt_message(), "larger than"));
        } else {
            assert_ok(status);
            assert_true(layers_finite(terrain));
            assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
            assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-5 ||
                        report.ledger.rock.moved < 1e-6 * fabs(report.ledger.rock.initial));
        }
        silt_params_free(table, params);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_balance),
        cmocka_unit_test(drops_leave_what_they_took),
        cmocka_unit_test(acid_dissolves_by_its_strength),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(rain_falls_where_the_map_says),
        cmocka_unit_test(any_parameters_stay_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
