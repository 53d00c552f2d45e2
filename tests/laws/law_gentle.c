// `rivers` comes gently to land that is there: lakes are filled no higher than their brim is in the end, the
// edge of the map dams no valley that leaves it and gathers no streams, and walls that stand are taken for
// rock that can.
#include "erode_help.h"

#include "silt/drainage.h"

// ---- lakes ----

enum { SIDE = 64 };

// A slope of 8 m a cell with a bowl in it.
static SiltTerrain *bowl_on_a_slope(double cell, double radius, double deep)
{
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, cell);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = i - 24.0, y = j - 0.5 * SIDE, r = sqrt(x * x + y * y);
            double bowl = r < radius ? deep * (1.0 - r / radius) : 0.0;
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(8.0 * i + 2.0 * fabs(y) - bowl);
        }
    return terrain;
}

static double lake_depth(const SiltTerrain *terrain, const SiltDrainage *drainage, int cell)
{
    return (double)silt_field_at(&drainage->surface, cell % SIDE, cell / SIDE) -
           layer_at(terrain, "height", cell % SIDE, cell / SIDE);
}

// While rivers bring sediment the one that leaves cuts the brim down. What was filled up to the brim as it
// was would stand above its own outlet.
static void lakes_are_filled_to_the_brim_that_is_left(void **state)
{
    (void)state;
    SiltTerrain *terrain = bowl_on_a_slope(40.0, 12.0, 240.0);
    SiltDrainage *drainage;
    assert_ok(silt_drainage_create(terrain, NULL, &drainage));
    int brim = SIDE / 2 * SIDE + 24, filled = 0;
    while (lake_depth(terrain, drainage, brim) > 0.0)
        brim = drainage->receiver[brim];
    erode(terrain, "rivers", "uplift=0 lakes=fill diffusion=0.02 incision=1e-4 deposition=0 step=20000",
          (SiltDuration){.time = 20000.0});
    double left = ground_at(terrain, brim % SIDE, brim / SIDE);
    assert_true(left < layer_at(terrain, "height", brim % SIDE, brim / SIDE) - 20.0);
    for (int c = 0; c < SIDE * SIDE; c++) {
        double rises = layer_at(terrain, "change", c % SIDE, c / SIDE);
        if (!(lake_depth(terrain, drainage, c) > 40.0) || rises < 10.0)
            continue; // its shores
        filled++;
        double above = ground_at(terrain, c % SIDE, c / SIDE) - left;
        if (above > 8.0) // 1 % over the width of the lake
            fail_msg("cell %d, %d is filled to %.1f m above the brim", c % SIDE, c / SIDE, above);
    }
    assert_true(filled > 30);
    silt_drainage_destroy(drainage);
    silt_terrain_destroy(terrain);
}

// ---- the edge ----

// Valleys side by side go down to the south, each 6 m lower there than the one before it: within the spacing
// of outlets one is the lowest. The others would be lakes of 24 m.
static void the_edge_dams_no_valley(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 30.0);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(5.0 * (SIDE - j) + 6.0 * (i / 12) + 8.0 * abs(i % 12 - 6) - 0.1 * (i % 12));
    erode(terrain, "rivers", "uplift=0 outlet_spacing=1000 diffusion=0 lateral=0 slide_time=1e9",
          (SiltDuration){.time = 20000.0});
    for (int i = 3; i < SIDE - 3; i++) {
        double change = layer_at(terrain, "change", i, SIDE - 1);
        if (change > 0.2)
            fail_msg("the edge rises by %.1f m at %d", change, i);
    }
    silt_terrain_destroy(terrain);
}

// A slope falls to the south and a little to the west, with shallow valleys down it: their streams come
// aslant to the edge and leave. Gathered along it, they would cut a ditch there.
static void the_edge_gathers_no_streams(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 30.0);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double down = 0.9 * j - 0.44 * i, across = 0.9 * i + 0.44 * j;
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(600.0 - 6.0 * down + 2.0 * fabs(fmod(across + 100.0, 10.0) - 5.0));
        }
    erode(terrain, "rivers", "", (SiltDuration){.time = 20000.0});
    double edge = 0.0, inside = 0.0, lowest = 0.0, lowest_inside = 0.0;
    for (int i = 8; i < SIDE - 8; i++) {
        double change = layer_at(terrain, "change", i, SIDE - 1);
        edge += change / (SIDE - 16);
        lowest = change < lowest ? change : lowest;
        for (int j = SIDE - 9; j < SIDE - 5; j++) {
            change = layer_at(terrain, "change", i, j);
            inside += change / (4 * (SIDE - 16));
            lowest_inside = change < lowest_inside ? change : lowest_inside;
        }
    }
    if (fabs(edge - inside) > 0.5 || lowest < lowest_inside - 1.0)
        fail_msg("the edge changes by %.2f m, by %.2f at the lowest; the land inside by %.2f and %.2f", edge,
                 lowest, inside, lowest_inside);
    silt_terrain_destroy(terrain);
}

// ---- walls ----

// What slides from a wall of 60 degrees and 100 m, in metres over a cell.
static double wall_loses(const char *standing)
{
    char settings[256];
    snprintf(settings, sizeof settings,
             "uplift=0 incision=0 diffusion=0 lateral=0 slide_size=0 chute_slope=1 %s", standing);
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 20.0);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double up = 34.6 * (i - 30);
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(2.0 * i + (up < 0.0     ? 0.0
                                   : up > 100.0 ? 100.0
                                                : up));
        }
    erode(terrain, "rivers", settings, (SiltDuration){.time = 20000.0});
    double lost = layer_sum(terrain, "wear");
    silt_terrain_destroy(terrain);
    return lost;
}

static void walls_that_stand_are_strong(void **state)
{
    (void)state;
    double all = wall_loses("standing=0"), half = wall_loses("standing=0.5"), none = wall_loses("standing=1");
    assert_true(all > 100.0 * SIDE); // m: it would come down
    assert_true(none < 1e-3 * all);
    assert_true(half > 0.1 * all && half < 0.6 * all);
    assert_true(wall_loses("") == none);
}

static uint64_t rough_after(const char *settings)
{
    SiltTerrain *terrain = rough_ground((RoughGround){SIDE, SIDE, 20.0, 900.0f});
    erode_steps(terrain, "rivers", settings, 2);
    uint64_t hash = layers_hash(terrain);
    silt_terrain_destroy(terrain);
    return hash;
}

static void noise_tells_nothing_of_rock(void **state)
{
    (void)state;
    assert_true(rough_after("standing=1") == rough_after("standing=0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lakes_are_filled_to_the_brim_that_is_left),
        cmocka_unit_test(the_edge_dams_no_valley),
        cmocka_unit_test(the_edge_gathers_no_streams),
        cmocka_unit_test(walls_that_stand_are_strong),
        cmocka_unit_test(noise_tells_nothing_of_rock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
