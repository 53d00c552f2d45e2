// The laws of `sph`: books that balance, grains that settle as Stokes has it, still water on a heightfield.
#include "../erode_help.h"

#include "couple/heightfield_boundary.h"
#include "couple/sediment.h"
#include "physics/sph_sediment.h"

static const char stream[] =
    "boxes=1,1,0.1,3,3,1.2 spacing=0.25 fall=2 particles=3000 critical=0.5 strength=5 ";

static void books_balance(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "",
        "integrator=euler hindering=paper grain=0.001",
        "sources=6,5,0.5,1,1,0,0 life=0.4",
        "rain=3e6 diffusion=0.05",
        "pressure=gas density_from=sum viscosity=3.5 tension=0.07",
        "bed=wall roughness=0.05 friction=0.5",
        "bed=paper",
        "bed=paper speed=paper power=0.7 transport=paper rock_density=3 pulls=yes images=no"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        SiltTerrain *terrain = make_terrain(24, 22, 0.5);
        make_rough(terrain, k, 3.0f);
        double before = ground_sum(terrain) * 0.25;
        char text[256];
        snprintf(text, sizeof text, "%s%s", stream, settings[k]);
        SiltReport report = erode(terrain, "sph", text, (SiltDuration){.time = 0.4});
        const SiltAccount *rock = &report.ledger.rock;
        assert_true(rock->moved > 1e-4);
        assert_true(silt_account_imbalance_fraction(&report.ledger.water) < 1e-9);
        assert_true(fabs(silt_account_imbalance(rock)) < 1e-5 * rock->moved);
        double after = (ground_sum(terrain) + layer_sum(terrain, "sediment")) * 0.25;
        assert_near(after, before - rock->removed, 1e-4 * rock->moved + 1e-9 * fabs(before));
        assert_true(layers_finite(terrain) && layer_sum(terrain, "flow") > 0.0);
        silt_terrain_destroy(terrain);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    same_on_any_threads("sph", stream, (SiltDuration){.time = 0.2}, (RoughGround){24, 22, 0.5, 3.0f});
}

static void ground_holds_below_the_critical_stress(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(24, 22, 0.5);
    make_rough(terrain, 3, 3.0f);
    char text[256];
    snprintf(text, sizeof text, "%scritical=1000", stream);
    SiltReport report = erode(terrain, "sph", text, (SiltDuration){.time = 0.3});
    assert_true(report.ledger.rock.moved == 0.0);
    silt_terrain_destroy(terrain);
}

// ---- the stress of running water ----

// Rock that two layers of water take in dt off a level bed of 1.28 m by 1.28 m, over which they run at 1.5
// m/s.
static double worn_by_sheet(double gap, double roughness, float dt)
{
    SiltTerrain *terrain = make_terrain(24, 24, 0.1);
    silt_field_fill(silt_terrain_layer(terrain, "height"), 0.0f);
    SiltField before = {0};
    SiltHeightfield field;
    SiltSph *sph;
    assert_ok(silt_heightfield_create("test", terrain, 1e-9, &before, &field));
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = gap;
    config.capacity = 20000;
    config.has_planes = true;
    config.walls = SILT_SPH_WALL_LAW;
    config.roughness = roughness;
    config.high[0] = config.high[1] = 2.4, config.high[2] = 2.0;
    assert_ok(silt_sph_create("test", &config, &sph));
    const double low[3] = {0.4, 0.4, 0.0}, high[3] = {1.68, 1.68, 2.0 * gap};
    const float along[3] = {1.5f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, along);
    SiltBoundary boundary = {.numbers = {.spacing = (float)gap,
                                         .critical = 1.0f,
                                         .strength = 0.5f,
                                         .rock = 2650.0f,
                                         .most = 0x1p23f,
                                         .exchanges = true,
                                         .by_wall_law = true}};
    silt_sph_sort(sph);
    for (int i = 0; i < sph->count; i++)
        silt_boundary_exchange(&boundary, &field, sph, i, dt, 0.0f);
    silt_heightfield_settle(&field, 1e-3, (double)dt);
    double worn = silt_heightfield_wear(&field);
    silt_sph_destroy(sph);
    silt_heightfield_destroy(&field);
    silt_field_destroy(&before);
    silt_terrain_destroy(terrain);
    return worn;
}

static void the_law_of_the_wall_wears_what_its_stress_says(void **state)
{
    (void)state;
    static const double gaps[] = {0.16, 0.08, 0.04};
    for (size_t k = 0; k < 3; k++)
        for (int rough = 0; rough < 2; rough++) {
            double y = 0.5 * gaps[k], speed = 1.5, roughness = rough ? 0.02 : 0.0;
            double drag = rough ? pow(0.4 / log(30.0 * y / roughness), 2.0) * speed
                                : pow(speed, 0.75) * pow(1.0017e-6 / y, 0.25) * pow(8.3, -1.75);
            double stress = 998.29 * drag * speed;
            double wanted = 0.5 * (stress - 1.0) * 1.28 * 1.28 * 0.1 / 2650.0;
            assert_near(worn_by_sheet(gaps[k], roughness, 0.1f), wanted, 0.01 * wanted);
        }
}

// One particle of a support of many cells, on its way east over level ground: what it wears lies as much
// north of it as south. No seed within its reach is left out.
static void wide_particles_wear_all_around(void **state)
{
    (void)state;
    for (int cells = 2; cells <= 12; cells += 5) {
        SiltTerrain *terrain = make_terrain(41, 41, 0.1);
        silt_field_fill(silt_terrain_layer(terrain, "height"), 0.0f);
        SiltField before = {0};
        SiltHeightfield field;
        SiltSph *sph;
        assert_ok(silt_heightfield_create("test", terrain, 1e-12, &before, &field));
        SiltSphConfig config = silt_sph_defaults();
        config.spacing = 0.05 * cells;
        config.has_planes = true;
        config.capacity = 4;
        config.high[0] = config.high[1] = config.high[2] = 5.0;
        assert_ok(silt_sph_create("test", &config, &sph));
        assert_true(
            silt_sph_add(sph, (const float[3]){2.05f, 2.05f, 0.05f}, (const float[3]){3.0f, 0.0f, 0.0f}));
        SiltBoundary boundary = {.numbers = {.spacing = (float)config.spacing,
                                             .shear = 1.0f,
                                             .power = 0.5f,
                                             .strength = 1.0f,
                                             .rock = 2650.0f,
                                             .most = 0x1p23f,
                                             .exchanges = true}};
        silt_sph_sort(sph);
        silt_boundary_exchange(&boundary, &field, sph, 0, 1e-4f, 0.0f);
        double all = 0.0, north = 0.0, across = 0.0;
        for (int n = 0; n < 41 * 41; n++) {
            double worn = (double)atomic_load(&field.taken[n]), off = n / 41 - 20,
                   way = hypot(off, n % 41 - 20);
            all += worn, north += worn * off, across += worn > 0.0 ? fmax(way - cells - 1.5, 0.0) : 0.0;
        }
        assert_true(all > 1e4 && across == 0.0);
        assert_near(north / all, 0.0, 0.05 * cells); // cells; triangles lean a little
        double mean = 0.0;
        for (double r = 0.005 * cells; r < 0.1 * cells;
             r += 0.01 * cells) // the stress of eq. 1.54 on rings of ground around it
            mean += 2.0 * 3.14159265 * r * 0.01 * cells * sqrt(3.0 / fmax(hypot(r, 0.05), 0.01 * cells));
        assert_near(all * 1e-12 * 2650.0 / 1e-4 / mean, 1.0, 0.2);
        silt_sph_destroy(sph);
        silt_heightfield_destroy(&field);
        silt_field_destroy(&before);
        silt_terrain_destroy(terrain);
    }
}

// Water that runs down a slope is slower the more friction there is.
static void friction_brakes_water(void **state)
{
    (void)state;
    double flow[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(16, 16, 0.5);
        SiltField *height = silt_terrain_layer(terrain, "height");
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++)
                silt_field_row(height, j)[i] = 0.1f * (float)i;
        erode(terrain, "sph",
              k ? "boxes=5,3,0.1,2,2,0.5 spacing=0.25 erosion=no friction=5"
                : "boxes=5,3,0.1,2,2,0.5 spacing=0.25 erosion=no",
              (SiltDuration){.time = 0.6});
        flow[k] = layer_sum(terrain, "flow");
        silt_terrain_destroy(terrain);
    }
    assert_true(flow[1] < 0.8 * flow[0]);
}

// ---- settling ----

static const double spacing = 0.02;

static SiltSph *still_water(int side, int layers)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.capacity = side * side * layers;
    SiltSph *sph;
    assert_ok(silt_sph_create("test", &config, &sph));
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {side * spacing, side * spacing, layers * spacing};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    assert_int_equal(silt_sph_fill(sph, low, high, still), side * side * layers);
    silt_sph_sort(sph);
    return sph;
}

static SiltSediment quartz(double grain)
{
    return (SiltSediment){.stokes = silt_stokes_speed((float)grain, 2650.0f, 998.29f, 1.002e-3f, 9.81f),
                          .full = 0x1p23f,
                          .most = 0.7f,
                          .exponent = 4.65f,
                          .volume = (float)(spacing * spacing * spacing),
                          .settle = silt_sediment_factor(spacing, 2.0 * spacing)};
}

static double middle_of_load(const SiltSph *sph, double *total)
{
    double sum = 0.0, height = 0.0;
    for (int i = 0; i < sph->count; i++) {
        sum += (double)sph->now.sediment[i];
        height += (double)sph->now.sediment[i] * (double)sph->now.z[i];
    }
    *total = sum;
    return height / sum;
}

// A little quartz flour in still water sinks at 2/9 (rho_s - rho_w) g r2 / mu, and none of it is lost.
static void dilute_grains_settle_at_stokes_speed(void **state)
{
    (void)state;
    SiltSph *sph = still_water(7, 24);
    for (int i = 0; i < sph->count; i++) {
        bool inside = sph->now.x[i] > 0.05f && sph->now.x[i] < 0.09f && sph->now.y[i] > 0.05f &&
                      sph->now.y[i] < 0.09f && sph->now.z[i] > 0.35f && sph->now.z[i] < 0.4f;
        sph->now.sediment[i] = inside ? 83886.0f : 0.0f; // 0.7 % of the volume
    }
    SiltSediment sediment = quartz(5e-5);
    double wanted = 2.0 / 9.0 * (2650.0 - 998.29) * 9.81 * 5e-5 * 5e-5 / 1.002e-3;
    assert_near((double)sediment.stokes, wanted, 1e-4 * wanted);
    double total, kept, start = middle_of_load(sph, &total);
    const float dt = 0.004f;
    for (int k = 0; k < 1000; k++)
        silt_sediment_step(&sediment, sph, dt, k);
    double end = middle_of_load(sph, &kept);
    assert_true(kept == total);
    assert_near((start - end) / (1000 * (double)dt), wanted, 0.05 * wanted);
    silt_sph_destroy(sph);
}

static void many_grains_hinder_each_other(void **state)
{
    (void)state;
    SiltSediment sediment = quartz(5e-5);
    for (double share = 0.0; share < 0.7; share += 0.05) {
        float load = (float)(share / 0.7 * 0x1p23);
        double zaki = (double)sediment.stokes * pow(1.0 - share, 4.65);
        assert_near((double)silt_load_speed(sediment, load), zaki, 1e-5 * (double)sediment.stokes);
        sediment.hindering = SILT_HINDERED_PAPER;
        double paper = (double)sediment.stokes * (1.0 - pow(share / 0.7, 4.65));
        assert_near((double)silt_load_speed(sediment, load), paper, 1e-5 * (double)sediment.stokes);
        sediment.hindering = SILT_HINDERED_ZAKI;
    }
    assert_true(silt_load_speed(sediment, 0x1p23f) == 0.0f);
}

static void diffusion_evens_out_and_keeps_all(void **state)
{
    (void)state;
    SiltSph *sph = still_water(6, 6);
    for (int i = 0; i < sph->count; i++)
        sph->now.sediment[i] = sph->now.z[i] > 0.06f ? 1e6f : 0.0f;
    SiltSediment sediment = quartz(5e-5);
    sediment.stokes = 0.0f;
    sediment.diffusion = 1e-4f;
    double total, kept;
    middle_of_load(sph, &total);
    for (int k = 0; k < 8000; k++)
        silt_sediment_step(&sediment, sph, 0.01f, k);
    middle_of_load(sph, &kept);
    assert_true(kept == total);
    for (int i = 0; i < sph->count; i++)
        assert_near((double)sph->now.sediment[i], 5e5, 5e4);
    silt_sph_destroy(sph);
}

// ---- the ground ----

static void lowest_corners_fill_first_and_highest_wear_first(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(2, 2, 1.0);
    SiltField *height = silt_terrain_layer(terrain, "height"), before = {0};
    silt_field_row(height, 0)[1] = 1.0f;
    silt_field_row(height, 1)[0] = 3.0f;
    SiltHeightfield field;
    assert_ok(silt_heightfield_create("test", terrain, 0.01, &before, &field)); // a unit raises by 1 cm
    const int corners[3] = {0, 1, 2};                                           // at 0, 1 and 3 m
    silt_boundary_shape(&field, corners, 50);
    silt_heightfield_settle(&field, 1.0, 1.0);
    assert_int_equal(field.change[0], 50);
    assert_int_equal(field.change[1] + field.change[2], 0);
    silt_boundary_shape(&field, corners, 150); // 50 to level, then 50 each
    silt_heightfield_settle(&field, 1.0, 1.0);
    assert_int_equal(field.change[0], 150);
    assert_int_equal(field.change[1], 50);
    silt_boundary_shape(&field, corners, -100);
    silt_heightfield_settle(&field, 1.0, 1.0);
    assert_int_equal(field.change[2], -100);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

// A pool in a trough of a heightfield, held by planes and collisions alone.
static void a_pool_on_a_heightfield_keeps_its_volume(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(6, 6, 0.1);
    SiltField before = {0};
    SiltHeightfield field;
    assert_ok(silt_heightfield_create("test", terrain, 1e-9, &before, &field));
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.05;
    config.capacity = 1200;
    config.has_planes = true;
    config.sound = 10.0 * sqrt(2.0 * 9.81 * 0.5);
    config.low[0] = config.low[1] = 0.05, config.low[2] = -10.0;
    config.high[0] = config.high[1] = 0.55, config.high[2] = 10.0;
    for (int axis = 0; axis < 2; axis++)
        config.face[axis][0] = config.face[axis][1] = SILT_SPH_WALL;
    SiltSph *sph;
    assert_ok(silt_sph_create("test", &config, &sph));
    const double low[3] = {0.05, 0.05, 0.0}, high[3] = {0.55, 0.55, 0.5};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, still);
    silt_sph_sort(sph);
    while (sph->time < 1.0) {
        double dt = silt_sph_time_step(sph);
        silt_heightfield_planes(&field, sph);
        silt_sph_forces(sph);
        silt_sph_move(sph, dt);
        for (int i = 0; i < sph->count; i++)
            silt_heightfield_collide(&field, sph, i, (float)dt, 0.0f);
        silt_sph_sort(sph);
    }
    double middle = 0.0;
    for (int i = 0; i < sph->count; i++)
        middle += (double)sph->now.z[i] / sph->count;
    assert_near(2.0 * middle, 0.5, 0.02 * 0.5);
    assert_true(sph->fastest < 0.3);
    silt_sph_destroy(sph);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

static void refuse(const char *setting, const char *words)
{
    const SiltModel *model = silt_model_find("sph");
    SiltTerrain *terrain = make_terrain(10, 10, 1.0);
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_ok(silt_params_init(silt_model_params(model), params));
    assert_ok(silt_params_assign(silt_model_params(model), params, "sph", setting));
    assert_fails(silt_erode(model, terrain, params, (SiltDuration){.steps = 1}, NULL, NULL),
                 SILT_BAD_ARGUMENT, words);
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
    silt_terrain_destroy(terrain);
}

static void bad_input_gets_a_sentence(void **state)
{
    (void)state;
    refuse("spacing=50", "larger than the 9 m");
    refuse("spacing=7", "reaches over more than 12 cells"); // no seed is left out without a word
    refuse("boxes=2,2,-9,1,1,1", "inside the ground");
    refuse("sources=3,3,1,1,-2,0,0", "inside the ground");
    refuse("sources=30,3,1,1,2,0,0", "off the map");
    refuse("boxes=1,1,0,8,8,900", "raise particles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_balance),
        cmocka_unit_test(wide_particles_wear_all_around),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(ground_holds_below_the_critical_stress),
        cmocka_unit_test(the_law_of_the_wall_wears_what_its_stress_says),
        cmocka_unit_test(friction_brakes_water),
        cmocka_unit_test(dilute_grains_settle_at_stokes_speed),
        cmocka_unit_test(many_grains_hinder_each_other),
        cmocka_unit_test(diffusion_evens_out_and_keeps_all),
        cmocka_unit_test(lowest_corners_fill_first_and_highest_wear_first),
        cmocka_unit_test(a_pool_on_a_heightfield_keeps_its_volume),
        cmocka_unit_test(bad_input_gets_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
