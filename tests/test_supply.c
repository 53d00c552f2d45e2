#include "erode_help.h"

#include "erode/supply.h"

// A terrain of 20 x 10 cells of 2 m and a supply with these settings.
typedef struct Params {
    SILT_SUPPLY_FIELDS
} Params;

static const SiltParam items[] = {
    SILT_SUPPLY_ITEMS(Params, 36.0, 0.0, "steady", "gaussian", "linear", 0.0, NULL)};
static const SiltParamTable table = SILT_PARAM_TABLE(Params, items);

typedef struct Fixture {
    SiltTerrain *terrain;
    Params params;
    SiltSupply supply;
} Fixture;

static SiltStatus begin_on(Fixture *f, SiltTerrain *terrain, const char *settings)
{
    memset(f, 0, sizeof *f);
    f->terrain = terrain;
    assert_ok(silt_params_init(&table, &f->params));
    char text[256];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(&table, &f->params, "supply", word));
    return silt_supply_begin("erode test", &f->params.supply, f->terrain, NULL, &f->supply);
}

static SiltStatus begin(Fixture *f, const char *settings)
{
    return begin_on(f, make_terrain(20, 10, 2.0), settings);
}

static void end(Fixture *f)
{
    silt_supply_end(&f->supply);
    silt_params_free(&table, &f->params);
    silt_terrain_destroy(f->terrain);
}

// Cubic metres that fall in one step.
static double fall(Fixture *f, double time, double dt)
{
    float buffer[20], ground[20];
    for (int i = 0; i < 20; i++)
        ground[i] = 100.0f * (float)i;
    silt_supply_step(&f->supply, time, dt);
    double sum = 0.0;
    for (int j = 0; j < 10; j++) {
        const float *row = silt_supply_row(&f->supply, j, ground, buffer);
        for (int i = 0; i < 20; i++)
            sum += 4.0 * (double)row[i];
    }
    silt_supply_finish(&f->supply);
    return sum;
}

static const double area = 20 * 10 * 4.0;

static void steady_rain_is_the_same_everywhere(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, ""));
    assert_near(fall(&f, 0.0, 10.0), area * 36e-3 / 3600.0 * 10.0, 1e-7); // 36 mm/h
    end(&f);
}

static void a_map_replaces_the_rain(void **state)
{
    (void)state;
    Fixture f;
    assert_fails(begin(&f, "rain_map=rain"), SILT_BAD_ARGUMENT,
                 "the terrain has no layer 'rain' for rain_map");
    SiltField *map;
    assert_ok(silt_terrain_require(f.terrain, "rain", &map));
    silt_field_row(map, 3)[4] = 3600.0f;
    silt_field_row(map, 3)[5] = -5.0f; // rain does not fall upwards
    silt_supply_end(&f.supply);
    assert_ok(silt_supply_begin("erode test", &f.params.supply, f.terrain, NULL, &f.supply));
    assert_near(fall(&f, 0.0, 1.0), 4.0 * 1e-3, 1e-8);
    end(&f);
}

// Neidhold eq. 24.
static void rain_grows_with_the_square_of_the_height(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain=0 rain_altitude=0.001"));
    assert_true(silt_supply_needs_ground(&f.supply));
    float ground[20] = {[3] = 1000.0f, [4] = 500.0f, [5] = -1000.0f}, buffer[20];
    silt_supply_step(&f.supply, 0.0, 3600.0);
    const float *row = silt_supply_row(&f.supply, 0, ground, buffer);
    assert_near((double)row[3], 1.0, 1e-5); // 1000 mm in an hour
    assert_near((double)row[4], 0.25, 1e-5);
    assert_true(row[5] == 0.0f && row[0] == 0.0f);
    end(&f);
}

// Drops bring as much as steady rain, whatever their pattern, and not a drop less for uneven intervals.
static void drops_add_up_to_the_rain(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "rain_pattern=drops drop_interval=2", "rain_pattern=hammersley drop_interval=2",
        "rain_pattern=hammersley drop_interval=2 drop_jitter=1", "rain_pattern=drops drop_interval=0.1"};
    for (int k = 0; k < 4; k++) {
        Fixture f;
        assert_ok(begin(&f, settings[k]));
        double sum = 0.0;
        for (int step = 0; step < 2000; step++)
            sum += fall(&f, step * 0.5, 0.5);
        double wanted = area * 36e-3 / 3600.0 * 1000.0;
        assert_near(sum, wanted, 1e-5 * wanted);
        end(&f);
    }
}

// At any time, also before the first interval is over, and at the borders too.
static void drops_bring_the_rain_of_the_time_so_far(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "rain_pattern=drops drop_interval=600", "rain_pattern=hammersley drop_interval=3600 drop_jitter=1",
        "rain_pattern=drops drop_interval=7 drop_radius=9", "rain_pattern=hammersley drop_radius=1000"};
    for (int k = 0; k < 4; k++) {
        Fixture f;
        assert_ok(begin(&f, settings[k]));
        double sum = 0.0;
        for (int step = 1; step <= 100; step++) {
            sum += fall(&f, step * 10.0 - 10.0, 10.0);
            double wanted = area * 36e-3 / 3600.0 * step * 10.0;
            assert_near(sum, wanted, 1e-5 * wanted);
        }
        end(&f);
    }
}

// Drops that lie on each other thousands of times over would take minutes a step; what asks for them is
// named.
static void drops_upon_drops_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        SiltStatus status;
    } kinds[] = {{"rain_pattern=drops drop_radius=1000",
                  SILT_OK}, // at their own distance they may be as large as can be
                 {"rain_pattern=hammersley drop_spacing=2 drop_radius=60", SILT_OK},
                 {"rain_pattern=drops drop_spacing=0.01 drop_radius=1000", SILT_BAD_ARGUMENT},
                 {"rain_pattern=steady drop_spacing=0.01 drop_radius=1000", SILT_OK}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        Fixture f;
        assert_int_equal(begin_on(&f, make_terrain(600, 500, 2.0), kinds[k].settings), kinds[k].status);
        if (kinds[k].status != SILT_OK)
            assert_non_null(strstr(silt_message(), "drop_spacing=0.01, drop_radius=1000"));
        end(&f);
    }
}

// Where a tenth of the map has no data, a tenth of the drops bring nothing, and the others all they have.
static void drops_without_ground_bring_nothing(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain_pattern=hammersley drop_radius=9 drop_spacing=2"));
    silt_supply_end(&f.supply);
    assert_ok(silt_terrain_require_nodata(f.terrain));
    for (int j = 0; j < 10; j++)
        f.terrain->nodata[j * 20 + 3] = f.terrain->nodata[j * 20 + 4] = 1;
    assert_ok(silt_supply_begin("erode test", &f.params.supply, f.terrain, NULL, &f.supply));
    float buffer[20];
    double sum = 0.0;
    silt_supply_step(&f.supply, 0.0, 10.0);
    for (int j = 0; j < 10; j++) {
        const float *row = silt_supply_row(&f.supply, j, NULL, buffer);
        for (int i = 0; i < 20; i++)
            sum += silt_terrain_is_nodata(f.terrain, i, j) ? 0.0 : 4.0 * (double)row[i];
    }
    double wanted = 0.9 * area * 36e-3 / 3600.0 * 10.0;
    assert_near(sum, wanted, 0.02 * wanted);
    end(&f);
}

// The Hammersley set is even: no quarter of the map goes short.
static void hammersley_drops_are_even(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain_pattern=hammersley drop_spacing=2"));
    silt_supply_step(&f.supply, 0.0, 1.0);
    assert_int_equal(f.supply.drop_count, 200);
    int quarter[4] = {0};
    for (int k = 0; k < 200; k++)
        quarter[(f.supply.drops[k].i >= 10) + 2 * (f.supply.drops[k].j >= 5)]++;
    for (int k = 0; k < 4; k++)
        assert_true(abs(quarter[k] - 50) <= 4);
    end(&f);
}

static void a_source_gives_its_rate_whatever_its_shape(void **state)
{
    (void)state;
    static const char *const shapes[] = {"point", "gaussian", "box"};
    for (int k = 0; k < 3; k++) {
        char settings[100];
        snprintf(settings, sizeof settings, "rain=0 source_shape=%s sources=20,10,3,4,0,0,0", shapes[k]);
        Fixture f;
        assert_ok(begin(&f, settings));
        assert_near(fall(&f, 0.0, 0.5), 1.5, 1e-5);
        end(&f);
    }
}

static void a_source_begins_and_ends(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain=0 sources=20,10,3,4,5,8,0.1;7,3,1,2,6,8,0"));
    assert_true(fall(&f, 4.0, 1.0) == 0.0);
    assert_near(fall(&f, 5.0, 1.0), 3.0, 1e-4);
    assert_near(fall(&f, 6.0, 1.0), 4.0, 1e-4);
    assert_true(fall(&f, 8.0, 1.0) == 0.0); // exactly: nothing stays behind
    end(&f);
}

// However time is cut, a source gives its rate times its time, and as much mud.
static void a_source_runs_for_its_part_of_a_step(void **state)
{
    (void)state;
    static const double steps[] = {0.1, 0.7, 3.0, 13.0, 100.0};
    for (int k = 0; k < 5; k++) {
        Fixture f;
        assert_ok(begin(&f, "rain=0 sources=20,10,3,4,5.3,8.1,0.1;7,3,1,2,6.2,6.5,0;20,9,2,3,0,9,0"));
        double sum = 0.0;
        for (double time = 0.0; time < 50.0; time += steps[k])
            sum += fall(&f, time, steps[k]);
        assert_near(sum, 3.0 * 2.8 + 0.3 + 2.0 * 9.0, 1e-4);
        assert_true(fall(&f, 100.0, 1.0) == 0.0);
        end(&f);
    }
}

static void a_muddy_source_brings_rock(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain=0 sources=20,10,3,4,0,0,0.1"));
    silt_supply_step(&f.supply, 0.0, 2.0);
    double sum = 0.0;
    float buffer[20];
    for (int j = 0; j < 10; j++) {
        const float *row = silt_supply_sediment_row(&f.supply, j, buffer);
        assert_non_null(row);
        for (int i = 0; i < 20; i++)
            sum += 4.0 * (double)row[i];
    }
    assert_near(sum, 0.6, 1e-4);
    end(&f);
}

static void bad_sources_get_a_sentence(void **state)
{
    (void)state;
    Fixture f;
    assert_fails(begin(&f, "sources=41,10,3,4,0,0,0"), SILT_BAD_ARGUMENT, "lies off the map");
    end(&f);
    assert_fails(begin(&f, "sources=1,1,1,1,0,0,0;20,-1,3,4,0,0,0"), SILT_BAD_ARGUMENT, "source 2");
    end(&f);
    assert_fails(begin(&f, "sources=1,1,-1,1,0,0,0"), SILT_BAD_ARGUMENT, "rate");
    end(&f);
    assert_fails(begin(&f, "sources=1,1,1,1,0,0,0.9"), SILT_BAD_ARGUMENT, "sediment");
    end(&f);
    assert_fails(begin(&f, "sources=1,1,1,1,0,0,0;1,1,1,1,60,10,0"), SILT_BAD_ARGUMENT,
                 "source 2 stops at 10 s, not after it starts at 60 s");
    end(&f);
    assert_fails(begin(&f, "sources=1,1,1,1,0,-1,0"), SILT_BAD_ARGUMENT, "stops at -1 s");
    end(&f);
    Params params;
    assert_ok(silt_params_init(&table, &params));
    assert_int_not_equal(silt_params_assign(&table, &params, "supply", "rain=inf"), SILT_OK);
    silt_params_free(&table, &params);
}

static int warnings;

static void count_warning(void *user, const char *text)
{
    (void)user;
    assert_non_null(strstr(text, "no data"));
    warnings++;
}

static void a_source_needs_ground(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain=0 sources=9,9,3,1,0,0,0"));
    silt_supply_end(&f.supply);
    assert_ok(silt_terrain_require_nodata(f.terrain));
    for (int j = 2; j < 7; j++)
        for (int i = 2; i < 7; i++)
            f.terrain->nodata[j * 20 + i] = 1;
    assert_fails(silt_supply_begin("erode test", &f.params.supply, f.terrain, NULL, &f.supply),
                 SILT_BAD_ARGUMENT, "source 1 at 9, 9 m lies where the terrain has no data");
    silt_supply_end(&f.supply);
    f.params.sources.values[3] = 4.0; // metres: it reaches ground, and all of it comes out there
    silt_set_warning_handler(count_warning, NULL);
    assert_ok(silt_supply_begin("erode test", &f.params.supply, f.terrain, NULL, &f.supply));
    silt_set_warning_handler(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_near(fall(&f, 0.0, 1.0), 3.0, 1e-4);
    end(&f);
}

// A million sources are one field of rates.
static void a_million_sources_are_no_trouble(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    Fixture f;
    assert_ok(begin(&f, "rain=0 source_shape=point"));
    silt_supply_end(&f.supply);
    SiltList *list = &f.params.sources;
    silt_free(list->values);
    *list = (SiltList){.count = COUNT, .columns = 7, .values = silt_alloc(7 * COUNT * sizeof(double))};
    assert_non_null(list->values);
    for (int k = 0; k < COUNT; k++) {
        list->values[7 * k] = (k % 400) * 0.1;
        list->values[7 * k + 1] = (k / 400 % 200) * 0.1;
        list->values[7 * k + 2] = 1e-6;
    }
    assert_ok(silt_supply_begin("erode test", &f.params.supply, f.terrain, NULL, &f.supply));
    assert_near(fall(&f, 0.0, 1.0), 1.0, 1e-3);
    end(&f);
}

static void painted_water_is_taken_up_once(void **state)
{
    (void)state;
    Fixture f;
    assert_ok(begin(&f, "rain=0"));
    assert_true(fall(&f, 0.0, 1.0) == 0.0);
    SiltField *paint;
    assert_ok(silt_terrain_require(f.terrain, "paint", &paint)); // at any time
    silt_field_row(paint, 2)[2] = 0.5f;
    assert_near(fall(&f, 1.0, 1.0), 2.0, 1e-6);
    assert_null(silt_terrain_layer(f.terrain, "paint"));
    assert_true(fall(&f, 2.0, 1.0) == 0.0);
    end(&f);
}

static void evaporation_takes_its_share(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double wanted; // at 2,000 m, K dt = 0.1
    } kinds[] = {{"linear", 0.1}, {"exponential", 1.0 - 0.904837418}, {"altitude", 1.0 - 0.818730753}};
    for (int k = 0; k < 3; k++) {
        char settings[100];
        snprintf(settings, sizeof settings, "evaporation=0.01 evaporation_kind=%s", kinds[k].kind);
        Fixture f;
        assert_ok(begin(&f, settings));
        float ground[1] = {2000.0f}, loss[1];
        silt_supply_step(&f.supply, 0.0, 10.0);
        silt_supply_loss_row(&f.supply, ground, 1, loss);
        assert_near((double)loss[0], kinds[k].wanted, 1e-5);
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_rain_is_the_same_everywhere),
        cmocka_unit_test(a_map_replaces_the_rain),
        cmocka_unit_test(rain_grows_with_the_square_of_the_height),
        cmocka_unit_test(drops_add_up_to_the_rain),
        cmocka_unit_test(drops_bring_the_rain_of_the_time_so_far),
        cmocka_unit_test(drops_without_ground_bring_nothing),
        cmocka_unit_test(drops_upon_drops_are_refused),
        cmocka_unit_test(hammersley_drops_are_even),
        cmocka_unit_test(a_source_gives_its_rate_whatever_its_shape),
        cmocka_unit_test(a_source_begins_and_ends),
        cmocka_unit_test(a_source_runs_for_its_part_of_a_step),
        cmocka_unit_test(a_source_needs_ground),
        cmocka_unit_test(a_muddy_source_brings_rock),
        cmocka_unit_test(bad_sources_get_a_sentence),
        cmocka_unit_test(a_million_sources_are_no_trouble),
        cmocka_unit_test(painted_water_is_taken_up_once),
        cmocka_unit_test(evaporation_takes_its_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
