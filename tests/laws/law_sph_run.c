// Laws of `sph` that show in whole runs: no water below the ground, grains that settle, layers that are
// heeded, and particles of a file from which a run begins.
#include "../erode_help.h"

#include <stdlib.h>
#include <unistd.h>

#include "couple/sph_model.h"
#include "couple/voxel_model.h"
#include "erode/run.h"
#include "silt/io.h"

static const SiltModel *sph_model(void)
{
    return silt_model_find("sph");
}

static void *make_params(const SiltModel *model, const char *settings)
{
    void *params = silt_alloc(silt_model_params(model)->size);
    assert_non_null(params);
    assert_ok(silt_params_init(silt_model_params(model), params));
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, silt_model_name(model), word));
    return params;
}

static void free_params(const SiltModel *model, void *params)
{
    silt_params_free(silt_model_params(model), params);
    silt_free(params);
}

static SiltField *paint(SiltTerrain *terrain, const char *layer, float value)
{
    SiltField *field;
    assert_ok(silt_terrain_require(terrain, layer, &field));
    silt_field_fill(field, value);
    return field;
}

// ---- no particle below the ground ----

// How many particles lie below the surface of the terrain as it is stored, by more than floats round.
static int64_t count_below(SiltTerrain *terrain, const SiltParticles *water)
{
    SiltHeightfield field;
    SiltField before = {0};
    assert_ok(silt_heightfield_create("test", terrain, 1e-6, &before, &field));
    int64_t below = 0;
    for (int i = 0; i < water->count; i++) {
        double ground = (double)silt_heightfield_at(&field, water->x[i], water->y[i]).z + field.low;
        below += (double)water->z[i] + water->low < ground - 1e-5;
    }
    silt_heightfield_destroy(&field);
    silt_field_destroy(&before);
    return below;
}

// A dam breaks in rain over rough ground that it wears, on three threads. SILT_LONG=1 makes it ten million
// particle-steps.
static void water_never_gets_below_rough_ground(void **state)
{
    (void)state;
    const SiltModel *model = sph_model();
    double wanted = getenv("SILT_LONG") ? 1e7 : 8e4;
    void *params = make_params(model, "boxes=2,2,0.5,5,5,2 spacing=0.3 fall=3 rain=5e5 particles=4000 "
                                      "critical=0.1 strength=20 grain=0.001 restitution=0.5 "
                                      "north=closed east=closed south=closed west=closed");
    SiltTerrain *terrain = make_terrain(24, 22, 0.5);
    make_rough(terrain, 4, 5.0f);
    SiltRun run = {.seed = 5, .threads = 3};
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(model, terrain, params, &run, &erosion));
    double moved = 0.0;
    for (int k = 0; moved < wanted; k++) {
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 1}));
        SiltParticles water;
        assert_ok(silt_erosion_particles(erosion, &water));
        moved += water.count;
        if (k % 4 == 0 || getenv("SILT_LONG")) {
            assert_ok(silt_erosion_store(erosion));
            assert_int_equal(count_below(terrain, &water), 0);
        }
    }
    assert_true(layer_sum(terrain, "wear") > 0.0 && layer_sum(terrain, "deposition") > 0.0);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    free_params(model, params);
}

// ---- settling ----

// Rock leaves still, evenly laden water at the speed of its grains: what lies on the ground after a time t is
// C v t, with v = Stokes (1 - C)^4.65.
static void laden_water_clears_at_the_hindered_speed(void **state)
{
    (void)state;
    long_law();
    static const double loads[] = {0.01, 0.2};
    const double stokes = 2.0 / 9.0 * (2650.0 - 998.29) * 9.81 * 1e-4 * 1e-4 / 1e-3, time = 0.25, depth = 0.3;
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(8, 8, 0.1);
        paint(terrain, "water", (float)depth);
        paint(terrain, "sediment", (float)(loads[k] * depth));
        SiltReport report = erode(
            terrain, "sph",
            "spacing=0.05 sound=25 particles=3000 diffusion=0 critical=1e5 artificial=0.3 settling=stokes "
            "north=closed east=closed south=closed west=closed",
            (SiltDuration){.time = time});
        double area = 0.7 * 0.7, laid = layer_sum(terrain, "deposition") * 0.01 / area;
        double wanted = loads[k] * stokes * pow(1.0 - loads[k], 4.65) * time;
        assert_near(laid, wanted, 0.1 * wanted);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-5);
        silt_terrain_destroy(terrain);
    }
}

// ---- what is chosen where nothing is said ----

// Water that runs at 1.5 m/s over level, smooth ground, of particles of any size: in one step it wears what
// the stress of the law of the wall says at the middle of its lowest layer.
static void by_default_the_bed_is_worn_by_the_law_of_the_wall(void **state)
{
    (void)state;
    static const double spacings[] = {0.1, 0.05};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(24, 24, 0.1);
        paint(terrain, "water", 0.3f);
        char text[256];
        snprintf(text, sizeof text,
                 "spacing=%g particles=20000 sound=25 critical=1 strength=10 time_step=1e-4 "
                 "north=closed east=closed south=closed west=closed",
                 spacings[k]);
        SiltErosion *run = begin_erosion(terrain, "sph", text);
        SiltSph *sph = ((SiltSphModel *)run->state)->fluid.sph;
        for (int i = 0; i < sph->count; i++)
            sph->now.u[i] = 1.5f;
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 1}));
        assert_ok(silt_erosion_store(run));
        double drag = pow(1.5, 0.75) * pow(1.0017e-6 / (0.5 * spacings[k]), 0.25) * pow(8.3, -1.75);
        double wanted = 10.0 * (998.29 * 1.5 * drag - 1.0) * 2.3 * 2.3 * 1e-4 / 2650.0; // m3
        assert_near(silt_erosion_report(run)->ledger.rock.moved, wanted, 0.02 * wanted);
        silt_erosion_end(run);
        silt_terrain_destroy(terrain);
    }
}

// Sand of 0.6 mm settles at 8 cm/s (Ferguson and Church 2004), where Stokes' law, which the paper has, says
// 32.
static double settling_of_sand(const char *settings)
{
    SiltTerrain *terrain = make_terrain(8, 8, 0.1);
    SiltErosion *run = begin_erosion(terrain, "sph", settings);
    double speed = (double)((const SiltSphModel *)run->state)->sediment.stokes;
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    return speed;
}

static void by_default_grains_settle_at_their_speed(void **state)
{
    (void)state;
    assert_near(settling_of_sand("spacing=0.05 grain=3e-4"), 0.084, 0.001);
    assert_near(settling_of_sand("spacing=0.05 grain=3e-4 settling=stokes"), 0.324, 0.001);
}

// Tension is that of the laws of law_tension.c, with the pressure of Laplace's in drops.
static void by_default_tension_goes_by_curvature(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(8, 8, 1.0);
    SiltErosion *flat = begin_erosion(terrain, "sph", "tension=1"),
                *deep = begin_erosion(terrain, "voxel", "tension=1");
    assert_int_equal(((const SiltSphModel *)flat->state)->fluid.sph->config.surface, SILT_SPH_CURVATURE);
    assert_int_equal(((const SiltVoxel *)deep->state)->fluid.sph->config.surface, SILT_SPH_CURVATURE);
    silt_erosion_end(deep);
    silt_erosion_end(flat);
    silt_terrain_destroy(terrain);
}

// ---- layers ----

static const char stream[] =
    "boxes=1,1,0.1,3,3,1.2 spacing=0.25 fall=2 particles=3000 critical=0.5 strength=1 ";

static void erodibility_multiplies_the_wear(void **state)
{
    (void)state;
    double worn[3];
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(24, 22, 0.5);
        make_rough(terrain, 3, 3.0f);
        paint(terrain, "erodibility", (float)k);
        erode(terrain, "sph", stream, (SiltDuration){.time = 0.2});
        worn[k] = layer_sum(terrain, "wear");
        silt_terrain_destroy(terrain);
    }
    assert_true(worn[0] == 0.0 && worn[1] > 0.0);
    assert_near(worn[2], 2.0 * worn[1], 0.05 * worn[1]);
}

// The part of a slope with data, of which the western columns have none.
static SiltTerrain *make_cut_slope(int columns)
{
    SiltTerrain *terrain = make_terrain(20, 20, 1.0);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 20; i++) {
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 30.0f - (float)j;
            terrain->nodata[j * 20 + i] = i < columns;
        }
    return terrain;
}

static void rain_falls_on_land_and_rock_beside_nodata_is_kept(void **state)
{
    (void)state;
    for (int columns = 0; columns <= 18; columns += 9) {
        double land = 19.0 * (columns > 0 ? 19 - columns : 19), due = land * 1e6 / 3.6e6;
        SiltTerrain *terrain = make_cut_slope(columns);
        SiltReport report =
            erode(terrain, "sph", "rain=1e6 fall=0.1 critical=0.1", (SiltDuration){.time = 1});
        assert_near(report.ledger.water.added, due, 0.25);
        assert_int_equal(report.counters.limited[0], 0);
        assert_true(report.ledger.rock.moved > 0.0);
        assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 1e-6);
        silt_terrain_destroy(terrain);
        terrain = make_cut_slope(columns);
        report = erode(terrain, "acid", "drops=2 life=1 particles=4000", (SiltDuration){.time = 1});
        double drops = report.ledger.water.added / (0.5 * 0.5 * 0.5);
        assert_near(drops, 2.0 * 400.0 * land / 361.0, 2.0);
        silt_terrain_destroy(terrain);
    }
}

static void finer_seeds_wear_as_much(void **state)
{
    (void)state;
    double worn[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(24, 22, 0.5);
        make_rough(terrain, 3, 3.0f);
        char text[256];
        snprintf(text, sizeof text, "%sboundary_spacing=%g", stream, k ? 0.01 : 0.25);
        erode(terrain, "sph", text, (SiltDuration){.time = 0.2});
        worn[k] = layer_sum(terrain, "wear");
        silt_terrain_destroy(terrain);
    }
    assert_near(worn[1], worn[0], 0.1 * worn[0]);
}

// Water that waits a while and then comes is not lost.
static void a_crowded_spring_counts_only_what_is_lost(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(24, 22, 0.5);
        const char *text = k ? "spacing=0.25 sources=6,5,4,0.3,0.2,0,0 particles=50"
                             : "spacing=0.25 sources=6,5,1,0.3,0.2,0,0.5";
        SiltReport report = erode(terrain, "sph", text, (SiltDuration){.time = 1.5});
        double volume = 0.25 * 0.25 * 0.25, due = k ? 6.0 : 0.5;
        double lost = (double)report.counters.limited[0] * volume;
        assert_true(k ? lost > 0.0 : lost == 0.0);
        assert_near(report.ledger.water.added + lost, due, (k ? 101.0 : 1.0) * volume);
        silt_terrain_destroy(terrain);
    }
}

// What a spring gives is what it is asked for, however fine the particles: 0.5 m3/s out of a disc of 0.8 m
// across leave at 1 m/s, and water that falls a fine spacing from rest is slower than that.
static void a_spring_gives_its_rate_whatever_the_spacing(void **state)
{
    (void)state;
    static const double spacings[] = {0.1, 0.06, 0.04};
    const double rate = 0.5, time = 0.5;
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = make_terrain(24, 24, 0.25);
        char text[256];
        snprintf(text, sizeof text, "sources=3,3,%g,0.4,0.1,0,0 spacing=%g sound=25 particles=10000", rate,
                 spacings[k]);
        SiltReport report = erode(terrain, "sph", text, (SiltDuration){.time = time});
        double volume = spacings[k] * spacings[k] * spacings[k];
        assert_int_equal(report.counters.limited[0], 0);
        assert_near(report.ledger.water.added, rate * time, 1.01 * volume);
        silt_terrain_destroy(terrain);
    }
}

// Water does not stand over a spring for ever: four radii, and what finds no place below is lost and counted.
static void water_stands_four_radii_over_a_spring(void **state)
{
    (void)state;
    static const double radii[] = {0.0, 0.2, 0.4};
    const SiltModel *model = sph_model();
    for (int k = 0; k < 3; k++) {
        const double spacing = 0.1, highest = 0.2 + 1.5 * spacing + 4.0 * radii[k];
        char text[256];
        snprintf(text, sizeof text, "sources=3,3,9000,%g,0.2,0,0 spacing=%g sound=25 particles=20000",
                 radii[k], spacing);
        void *params = make_params(model, text);
        SiltTerrain *terrain = make_terrain(24, 24, 0.25);
        SiltErosion *erosion;
        assert_ok(silt_erosion_begin(model, terrain, params, NULL, &erosion));
        SiltParticles water;
        float top = 0.0f;
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 1}));
        assert_ok(silt_erosion_particles(erosion, &water));
        for (int i = 0; i < water.count; i++)
            top = fmaxf(top, water.z[i]);
        assert_in_range(water.count, 1, 19999);
        assert_true(silt_erosion_report(erosion)->counters.limited[0] > 0);
        assert_true((double)top <= highest && (double)top > highest - 1.6 * spacing);
        silt_erosion_end(erosion);
        silt_terrain_destroy(terrain);
        free_params(model, params);
    }
}

static void painted_water_and_its_rock_become_particles(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(20, 20, 0.5);
    SiltField *water = paint(terrain, "water", 0.0f), *rock = paint(terrain, "sediment", 0.0f);
    double volume = 0.0, laden = 0.0;
    for (int j = 5; j < 12; j++)
        for (int i = 4; i < 14; i++) {
            silt_field_row(water, j)[i] = 0.13f * (float)(1 + i % 3);
            silt_field_row(rock, j)[i] = 0.01f;
            volume += 0.25 * 0.13 * (1 + i % 3), laden += 0.25 * 0.01;
        }
    SiltReport report =
        erode(terrain, "sph", "spacing=0.125 particles=9000 critical=1e5", (SiltDuration){.steps = 1});
    double particle = 0.125 * 0.125 * 0.125;
    assert_near(report.ledger.water.initial, volume, 1.01 * particle);
    assert_near(report.ledger.rock.initial, laden, 1e-4 * laden);
    assert_near(layer_sum(terrain, "water") * 0.25, volume, 1.01 * particle + 1e-5);
    double west = layer_at(terrain, "water", 2, 8), inside = layer_at(terrain, "water", 8, 8);
    assert_true(west == 0.0 && inside > 0.2);
    silt_terrain_destroy(terrain);
}

// ---- from a file ----

typedef struct Going {
    SiltTerrain *terrain;
    SiltErosion *run;
} Going;

static Going begin(const SiltModel *model, const void *params)
{
    static const SiltRun run = {.seed = 9};
    Going going = {.terrain = make_terrain(24, 22, 0.5)};
    make_rough(going.terrain, 3, 3.0f);
    assert_ok(silt_erosion_begin(model, going.terrain, params, &run, &going.run));
    return going;
}

static void end(Going *going)
{
    silt_erosion_end(going->run);
    silt_terrain_destroy(going->terrain);
}

// Particles of a file, PLY or VTP, begin where they lay, as fast, with what they carried and, of PLY, as who
// they were.
static void water_begins_from_a_file(void **state)
{
    (void)state;
    const SiltModel *model = sph_model();
    void *params = make_params(
        model, "boxes=1,1,0.1,3,3,1.2 spacing=0.25 particles=3000 bed=paper critical=0.5 strength=5");
    Going first = begin(model, params);
    assert_ok(silt_erosion_advance(first.run, (SiltDuration){.steps = 40}));
    SiltParticles was, is;
    assert_ok(silt_erosion_particles(first.run, &was));
    for (int k = 0; k < 2; k++) {
        char path[64], settings[160];
        snprintf(path, sizeof path, "law_sph_run_%d.%s", (int)getpid(), k ? "vtp" : "ply");
        assert_ok(silt_particles_write(&was, path));
        snprintf(settings, sizeof settings, "start=%s spacing=0.25 particles=3000", path);
        void *again = make_params(model, settings);
        Going second = begin(model, again);
        remove(path);
        assert_ok(silt_erosion_particles(second.run, &is));
        assert_int_equal(is.count, was.count);
        double carried[2] = {0.0, 0.0}, away = 0.0;
        int place[3000];
        for (int i = 0; i < is.count; i++)
            place[is.id[i] < 3000 ? is.id[i] : 0] = i;
        for (int i = 0; i < was.count; i++) {
            int j = k == 0 ? place[was.id[i]] : i;
            carried[0] += (double)was.sediment[i], carried[1] += (double)is.sediment[j];
            if (k == 0) {
                assert_true(is.id[j] == was.id[i]);
                away = fmax(away, fabs((double)(is.x[j] - was.x[i])) + fabs((double)(is.y[j] - was.y[i])));
                assert_near((double)is.v[j], (double)was.v[i], 1e-6);
            }
        }
        assert_true(away < 1e-4 && carried[0] > 0.0);
        assert_near(carried[1] / carried[0], 1.0, 1e-4);
        assert_ok(silt_erosion_advance(second.run, (SiltDuration){.steps = 5}));
        assert_int_equal(silt_erosion_report(second.run)->counters.limited[1], 0);
        end(&second);
        free_params(model, again);
    }
    end(&first);
    free_params(model, params);
}

static void memory_counts_the_particles(void **state)
{
    (void)state;
    const SiltModel *model = sph_model();
    void *few = make_params(model, "particles=1000"), *many = make_params(model, "particles=1001000");
    double more = (double)silt_model_bytes_with(model, many, 10, 10) -
                  (double)silt_model_bytes_with(model, few, 10, 10);
    assert_true(more > 150.0 * 1e6 && more < 400.0 * 1e6);
    free_params(model, few);
    free_params(model, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_never_gets_below_rough_ground),
        cmocka_unit_test(laden_water_clears_at_the_hindered_speed),
        cmocka_unit_test(by_default_the_bed_is_worn_by_the_law_of_the_wall),
        cmocka_unit_test(by_default_grains_settle_at_their_speed),
        cmocka_unit_test(by_default_tension_goes_by_curvature),
        cmocka_unit_test(erodibility_multiplies_the_wear),
        cmocka_unit_test(rain_falls_on_land_and_rock_beside_nodata_is_kept),
        cmocka_unit_test(finer_seeds_wear_as_much),
        cmocka_unit_test(a_crowded_spring_counts_only_what_is_lost),
        cmocka_unit_test(a_spring_gives_its_rate_whatever_the_spacing),
        cmocka_unit_test(water_stands_four_radii_over_a_spring),
        cmocka_unit_test(painted_water_and_its_rock_become_particles),
        cmocka_unit_test(water_begins_from_a_file),
        cmocka_unit_test(memory_counts_the_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
