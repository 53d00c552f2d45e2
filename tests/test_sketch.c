// Sketch to land: the ridge that is drawn is the ridge that a preset makes; and more cells are the same
// place.
#include "recipe_help.h"

#ifndef SILT_HAS_YAML
int main(void)
{
    return 77;
}
#else

enum { SIDE = 80 };

// Where the drawn ridge lies in row j, as a share of the width: a bend from the left to the right.
static double drawn_at(double y)
{
    return 0.30 + 0.45 * y * y;
}

static void draw_sketch(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5\n64 64\n255\n");
    for (int k = 0; k < 64 * 64; k++) {
        double away = ((k % 64 + 0.5) / 64.0 - drawn_at((k / 64 + 0.5) / 64.0)) / 0.09;
        fputc((int)(255.0 * exp(-away * away) + 0.5), file);
    }
    fclose(file);
}

static SiltTerrain *grow(const char *name, const char *sketch, int size)
{
    char path[512], sized[32], drawn[300];
    snprintf(path, sizeof path, SILT_SOURCE_DIR "/recipes/%s.yaml", name);
    snprintf(sized, sizeof sized, "size=%d", size);
    snprintf(drawn, sizeof drawn, "sketch=%s", sketch);
    const char *defines[] = {sized, drawn, "output=out"};
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    assert_ok(silt_recipe_read(path, defines, 3, &recipe));
    assert_ok(silt_recipe_grow(recipe, NULL, &terrain));
    silt_recipe_destroy(recipe);
    return terrain;
}

static float height_at(const SiltTerrain *terrain, int i, int j)
{
    return silt_field_at(silt_terrain_layer(terrain, "height"), i, j);
}

static void the_ridge_drawn_is_the_ridge_made(void **state)
{
    (void)state;
    static const char *const presets[] = {"demo", "canyon", "mesas", "gentle"};
    draw_sketch("sketch.pgm");
    for (size_t n = 0; n < sizeof presets / sizeof presets[0]; n++) {
        SiltTerrain *terrain = grow(presets[n], "sketch.pgm", SIDE);
        assert_int_equal(terrain->width, SIDE);
        int near = 0, rows = 0;
        for (int j = SIDE / 10; j < SIDE - SIDE / 10; j++, rows++) {
            int highest = 0;
            for (int i = 1; i < SIDE; i++)
                highest = height_at(terrain, i, j) > height_at(terrain, highest, j) ? i : highest;
            near += fabs((highest + 0.5) / SIDE - drawn_at((j + 0.5) / SIDE)) < 0.08;
        }
        if (near < 9 * rows / 10)
            fail_msg("%s: the highest place lies on the drawn ridge in %d of %d rows", presets[n], near,
                     rows);
        silt_terrain_destroy(terrain);
    }
}

// The share of one map's variation that the other explains, after both are brought to a grid of 24 x 24.
static double agreement(const SiltTerrain *a, const SiltTerrain *b)
{
    enum { COARSE = 24 };
    SiltTerrain *few[2];
    assert_ok(silt_terrain_resample(a, COARSE, COARSE, &few[0]));
    assert_ok(silt_terrain_resample(b, COARSE, COARSE, &few[1]));
    double sx = 0.0, sy = 0.0, sxx = 0.0, syy = 0.0, sxy = 0.0, count = COARSE * COARSE;
    for (int k = 0; k < COARSE * COARSE; k++) {
        double x = (double)height_at(few[0], k % COARSE, k / COARSE),
               y = (double)height_at(few[1], k % COARSE, k / COARSE);
        sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y;
    }
    silt_terrain_destroy(few[0]);
    silt_terrain_destroy(few[1]);
    double shared = sxy - sx * sy / count;
    return shared * shared / ((sxx - sx * sx / count) * (syy - sy * sy / count));
}

static void more_cells_are_the_same_place(void **state)
{
    (void)state;
    static const char *const presets[] = {"demo", "canyon"};
    for (size_t n = 0; n < sizeof presets / sizeof presets[0]; n++) {
        SiltTerrain *coarse = grow(presets[n], "none", 64), *fine = grow(presets[n], "none", 128);
        double extent = coarse->width * coarse->cell;
        assert_near(fine->width * fine->cell, extent, 1e-6 * extent);
        double same = agreement(coarse, fine);
        if (!(same > 0.7))
            fail_msg("%s: 64 and 128 cells a side agree to %.3f", presets[n], same);
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(fine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ridge_drawn_is_the_ridge_made),
        cmocka_unit_test(more_cells_are_the_same_place),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
#endif
