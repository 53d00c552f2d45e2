// The shapes: their dimensions are the ones asked for.
#include "generators.h"
#include "silt/io.h"

// Maps of 201 x 201 cells of 1 m: cell (100, 100) is the centre, (100 + x, 100 + y) is x east and y south.
static SiltTerrain *shape(const char *name, const char *text)
{
    return make_terrain(name, 201, 201, 1.0, 0, text);
}

static double at(const SiltTerrain *terrain, int x, int y)
{
    return height_at(terrain, 100 + x, 100 + y);
}

static void hills_are_as_high_and_wide_as_asked(void **state)
{
    (void)state;
    SiltTerrain *t = shape("pyramid", "base=100 height=40");
    assert_near(at(t, 0, 0), 40.0, 1e-5);
    assert_near(at(t, 25, 10), 20.0, 1e-5);
    assert_near(at(t, -10, 25), 20.0, 1e-5);
    assert_near(at(t, 50, 0), 0.0, 1e-5);
    silt_terrain_destroy(t);
    t = shape("cone", "radius=50 height=40");
    assert_near(at(t, 0, 0), 40.0, 1e-5);
    assert_near(at(t, 15, 20), 20.0, 1e-5);
    assert_near(at(t, 36, 36), 0.0, 1e-5);
    silt_terrain_destroy(t);
    t = shape("hemisphere", "radius=50");
    assert_near(at(t, 30, 0), 40.0, 1e-4);
    assert_near(at(t, 24, 32), 30.0, 1e-4);
    silt_terrain_destroy(t);
    t = shape("two-hills", "height=40 radius=30 distance=80 second=0.5");
    assert_near(at(t, -40, 0), 40.0, 1e-5);
    assert_near(at(t, 40, 0), 20.0, 1e-5);
    assert_near(at(t, 0, 0), 0.0, 1e-5);
    silt_terrain_destroy(t);
    t = shape("mountain", "height=40 radius=60");
    assert_near(at(t, 0, 0), 40.0, 1e-5);
    assert_near(height_range(t).high, 40.0, 1e-5);
    silt_terrain_destroy(t);
}

static void a_volcano_has_a_crater(void **state)
{
    (void)state;
    SiltTerrain *t = shape("volcano", "height=50 radius=90 crater_radius=20 crater_depth=15");
    assert_near(at(t, 0, 0), 35.0, 0.1);
    HeightRange range = height_range(t);
    assert_near(range.high, 50.0, 2.0); // the rim is rounded
    assert_true(at(t, 20, 0) > 47.0 && at(t, 10, 0) < at(t, 20, 0) && at(t, 40, 0) < at(t, 20, 0));
    assert_near(at(t, 95, 0), 0.0, 1e-6);
    silt_terrain_destroy(t);
}

static void slopes_slope(void **state)
{
    (void)state;
    SiltTerrain *t = shape("plane", "angle=45 direction=90 height=5");
    assert_near(at(t, 0, 0), 5.0, 1e-5);
    assert_near(at(t, 10, 7), -5.0, 1e-4);
    silt_terrain_destroy(t);
    t = shape("crooked", "angle=45 direction=180 amplitude=3 wavelength=50");
    for (int k = -100; k <= 100; k++)
        assert_near(at(t, k, 20), -20.0, 3.001);
    silt_terrain_destroy(t);
    t = shape("wall", "height=30 thickness=60 back=0.5");
    assert_near(at(t, 70, 0), 30.0, 1e-5);
    assert_near(at(t, -70, -30), 0.0, 1e-5);
    assert_near(at(t, -70, 30), 15.0, 1e-5); // right-hand of a wall that runs east is south
    silt_terrain_destroy(t);
    t = shape("basin", "depth=50");
    assert_near(at(t, 0, 0), 0.0, 1e-5);
    assert_near(at(t, 60, 20), at(t, -20, -60), 1e-5);
    assert_near(at(t, 100, 0), 50.0, 0.3);
    silt_terrain_destroy(t);
}

static void steps_are_level(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("steps", 60, 90, 1.0, 0, "count=4 height=30 direction=90");
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 90; j++)
            assert_near(height_at(t, i, j), 30.0 - 10.0 * (i / 15), 1e-5);
    silt_terrain_destroy(t);
    t = make_terrain("steps", 60, 90, 1.0, 0, "count=3 height=30 direction=0 edge=10");
    assert_near(height_at(t, 9, 0), 0.0, 1e-5);
    assert_near(height_at(t, 9, 45), 15.0, 1e-5);
    assert_near(height_at(t, 9, 89), 30.0, 1e-5);
    silt_terrain_destroy(t);
}

// Water that follows the bed never has to climb, and the bed is as deep as asked wherever it bends.
static void channels_lead_down(void **state)
{
    (void)state;
    const char *names[] = {"channel", "meander"};
    for (int k = 0; k < 2; k++) {
        SiltTerrain *t = shape(names[k], "angle=3 width=20 depth=8 amplitude=50 wavelength=100");
        double fall = tan(3.0 * 3.14159265358979323846 / 180.0), before = INFINITY;
        for (int y = -100; y <= 100; y++) {
            double lowest = INFINITY;
            for (int x = -100; x <= 100; x++)
                lowest = fmin(lowest, at(t, x, y));
            assert_near(lowest, -8.0 - fall * y, 0.15);
            assert_true(lowest < before + 0.1);
            before = lowest;
            assert_near(at(t, 90, y), -fall * y, 1e-4);
        }
        silt_terrain_destroy(t);
    }
    SiltTerrain *t = shape("ditch", "angle=0 width=80 bank=10 depth=20 ridge_height=12 ridge_width=30");
    assert_near(at(t, 60, 0), -20.0, 1e-5);
    assert_near(at(t, 0, 0), -8.0, 1e-5);
    assert_near(at(t, 0, 50), 0.0, 1e-5);
    silt_terrain_destroy(t);
}

static double water_volume(const SiltTerrain *terrain)
{
    return silt_field_sum(silt_terrain_layer(terrain, "water"));
}

static void tanks_hold_their_water(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("dam-break", 100, 40, 1.0, 0, "depth=4 ahead=1 dam=0.3");
    assert_near(water_volume(t), 30 * 40 * 4.0 + 70 * 40 * 1.0, 1e-6);
    silt_terrain_destroy(t);
    const char *motions[] = {"rest", "planar", "curved"};
    for (int k = 0; k < 3; k++) { // Thacker: the same water, pi / 2 depth radius^2, however it swings
        char text[80];
        snprintf(text, sizeof text, "depth=10 radius=50 amplitude=0.4 motion=%s", motions[k]);
        t = shape("bowl", text);
        assert_near(water_volume(t) / (0.5 * 3.14159265 * 10.0 * 50.0 * 50.0), 1.0, 1e-3);
        assert_near(at(t, 50, 0), 10.0, 1e-5);
        silt_terrain_destroy(t);
    }
    // tilted water has a level surface: a plane
    t = shape("bowl", "depth=10 radius=50 amplitude=0.4 motion=planar");
    const SiltField *water = silt_terrain_layer(t, "water");
    double a = at(t, 10, 5) + (double)silt_field_at(water, 110, 105);
    double b = at(t, 20, -5) + (double)silt_field_at(water, 120, 95);
    double c = at(t, 30, 0) + (double)silt_field_at(water, 130, 100);
    assert_near(b - a, c - b, 1e-4);
    assert_near(b - a, 10.0 * 2.0 * 0.4 * 10.0 / 50.0, 1e-4);
    silt_terrain_destroy(t);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void letters_rise_where_the_picture_is_bright(void **state)
{
    (void)state;
    SiltTerrain *t = make_terrain("letters", 240, 136, 1.0, 0, "height=30 edge=0 size=1");
    assert_near(height_range(t).high, 30.0, 1e-3);
    assert_near(height_at(t, 26, 60), 30.0, 1e-3);   // in the stem of the P
    assert_near(height_at(t, 45, 44), 0.0, 1e-3);    // in its eye
    assert_near(height_at(t, 163, 117), 30.0, 1e-3); // at the bottom of the G
    assert_near(height_at(t, 213, 55), 0.0, 1e-3);   // in its gap
    silt_terrain_destroy(t);
    write_file("letters_test.pgm", "P2 4 2 9\n0 9 9 0\n0 0 9 0\n");
    t = make_terrain("letters", 80, 40, 1.0, 0, "path=letters_test.pgm height=10 edge=0 size=1");
    assert_true(height_at(t, 40, 10) > 6.0 && height_at(t, 5, 20) < 1.0 && height_at(t, 50, 30) > 3.0 &&
                height_at(t, 25, 35) < 1.0);
    silt_terrain_destroy(t);
    t = make_terrain("letters", 80, 40, 1.0, 0, "path=letters_test.pgm height=10 edge=0 size=1 invert=yes");
    assert_true(height_at(t, 40, 10) < 4.0 && height_at(t, 5, 20) > 4.0);
    silt_terrain_destroy(t);
    remove("letters_test.pgm");
}

static void bad_pictures_get_a_sentence(void **state)
{
    (void)state;
    SiltTerrain *t = NULL;
    write_file("letters_flat.pgm", "P2 2 2 9\n3 3 3 3\n");
    assert_fails(try_terrain("letters", 9, 9, 1.0, 0, "path=letters_flat.pgm", &t), SILT_BAD_FILE,
                 "one grey");
    remove("letters_flat.pgm");
    write_file("letters_colour.ppm", "P3 1 1 9\n3 4 5\n");
    SiltStatus status = try_terrain("letters", 9, 9, 1.0, 0, "path=letters_colour.ppm", &t);
    assert_true(status != SILT_OK && strstr(silt_message(), "letters_colour.ppm"));
    remove("letters_colour.ppm");
    assert_fails(try_terrain("letters", 9, 9, 1.0, 0, "path=nowhere.pgm", &t), SILT_IO_ERROR, "nowhere.pgm");
    assert_null(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hills_are_as_high_and_wide_as_asked),
        cmocka_unit_test(a_volcano_has_a_crater),
        cmocka_unit_test(slopes_slope),
        cmocka_unit_test(steps_are_level),
        cmocka_unit_test(channels_lead_down),
        cmocka_unit_test(tanks_hold_their_water),
        cmocka_unit_test(letters_rise_where_the_picture_is_bright),
        cmocka_unit_test(bad_pictures_get_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
