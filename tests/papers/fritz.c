// `thermal` and `cells` with paper=on are Fritz's, after Olsen: beside a plain transcription of the text,
// over 100 steps on three grounds, they agree to within rounding to grains. The text prints no amounts: they
// are Musgrave's and Olsen's, in both. Generators draw other random numbers than his program did; of them the
// text's rules are held.
#include "fritz_text.h"

#include "compare.h"
#include "silt/generate.h"

static void fill(Fritz *f, const SiltTerrain *terrain)
{
    f->width = f->height = SIDE;
    f->low = INFINITY, f->high = -INFINITY;
    for (int c = 0; c < SIDE * SIDE; c++) {
        f->h[c] = layer_at(terrain, "height", c % SIDE, c / SIDE);
        f->low = fmin(f->low, f->h[c]), f->high = fmax(f->high, f->h[c]);
    }
}

// Of the change of the ground.
static double changes_apart(const Fritz *f, const SiltTerrain *terrain)
{
    static double change[SIDE * SIDE], wanted[SIDE * SIDE];
    read_layer(terrain, "change", change);
    for (int c = 0; c < SIDE * SIDE; c++)
        wanted[c] = f->h[c] - layer_at(terrain, "height", c % SIDE, c / SIDE);
    return apart(change, wanted, SIDE * SIDE);
}

static void slopes_slide_as_the_text_says(void **state)
{
    (void)state;
    static Fritz text;
    for (int kind = 0; kind < GROUNDS; kind++)
        for (int aware = 0; aware < 2; aware++) {
            SiltTerrain *terrain = make_ground(kind, 10.0);
            fill(&text, terrain);
            text.T = tan(8.0 * 3.14159265358979323846 / 180.0) * 10.0 * sqrt(2.0); // to a diagonal neighbour
            text.share = 0.6 / 8.0, text.soft_below = 1.0, text.soft_above = aware ? 0.2 : 1.0;
            char settings[200];
            snprintf(settings, sizeof settings, "paper=on talus=8 amount=0.6 %s",
                     aware ? "mode=height-aware summit=0.2" : "mode=constant");
            erode_steps(terrain, "thermal", settings, 100);
            for (int n = 0; n < 100; n++)
                fritz_thermal(&text);
            double found = changes_apart(&text, terrain);
            print_message("thermal %s, %s: %.1e of the ground\n", ground_names[kind],
                          aware ? "height-aware" : "constant", found);
            assert_true(found < 1e-4);
            silt_terrain_destroy(terrain);
        }
}

static void water_runs_as_the_text_says(void **state)
{
    (void)state;
    static Fritz text;
    static double water[SIDE * SIDE], load[SIDE * SIDE];
    for (int kind = 0; kind < GROUNDS; kind++) {
        SiltTerrain *terrain = make_ground(kind, 10.0);
        fill(&text, terrain);
        memset(text.w, 0, sizeof text.w), memset(text.m, 0, sizeof text.m);
        double dt = 10.0 / 5.0; // a step is the time in which water crosses a cell
        text.rain = 2000.0 / 3.6e6 * dt, text.evaporate = 0.02 * dt, text.capacity = 0.4;
        text.dissolve = 0.004 * dt / (1.0 + 0.004 * dt);
        enum { STEPS = 100 };
        erode_steps(
            terrain, "cells",
            "paper=on rain=2000 evaporation_kind=linear evaporation=0.02 speed=5 dissolve=0.004 capacity=0.4 "
            "least_steepness=1",
            STEPS);
        for (int n = 0; n < STEPS; n++)
            fritz_cells(&text);
        read_layer(terrain, "water", water);
        read_layer(terrain, "sediment", load);
        double found[3] = {apart(water, text.w, SIDE * SIDE), changes_apart(&text, terrain),
                           apart(load, text.m, SIDE * SIDE)};
        print_message("cells %s: %.1e of the water, %.1e of the ground, %.1e of the load\n",
                      ground_names[kind], found[0], found[1], found[2]);
        double loose = kind == BASIN ? 10.0 : 1.0;
        assert_true(found[0] < 5e-3 * loose && found[1] < 1e-2 * loose && found[2] < 1e-2 * loose);
        silt_terrain_destroy(terrain);
    }
}

static SiltTerrain *generate(const char *name, const char *const *settings, int side)
{
    const SiltGenerator *generator = silt_generator_find(name);
    void *params = silt_params_new(&generator->params);
    for (int k = 0; settings[k]; k++)
        assert_ok(silt_params_assign(&generator->params, params, name, settings[k]));
    SiltRun run = {.seed = 5};
    SiltTerrain *terrain;
    assert_ok(silt_generate(generator, side, side, 1.0, params, &run, &terrain));
    silt_params_delete(&generator->params, params);
    return terrain;
}

// One cut: all cells on one side of a line lie as much higher as those on the other lie lower.
static void a_cut_raises_one_side(void **state)
{
    (void)state;
    static const char *const settings[] = {"paper=on", "count=1", "step=10", NULL};
    SiltTerrain *terrain = generate("fault", settings, SIDE);
    double crossing[2][2]; // of the first and of the last row, or column
    int found = 0;
    for (int row = 0; row < SIDE && found < 2; row += SIDE - 1)
        for (int i = 1; i < SIDE; i++)
            if (layer_at(terrain, "height", i - 1, row) * layer_at(terrain, "height", i, row) < 0.0 &&
                found < 2)
                crossing[found][0] = i - 0.5, crossing[found++][1] = row;
    for (int column = 0; column < SIDE && found < 2; column += SIDE - 1)
        for (int j = 1; j < SIDE; j++)
            if (layer_at(terrain, "height", column, j - 1) * layer_at(terrain, "height", column, j) < 0.0 &&
                found < 2)
                crossing[found][0] = column, crossing[found++][1] = j - 0.5;
    assert_int_equal(found, 2);
    int as_text = 0, other = 0;
    for (int c = 0; c < SIDE * SIDE; c++) {
        double height = layer_at(terrain, "height", c % SIDE, c / SIDE);
        assert_near(fabs(height), 10.0, 1e-3);
        bool raised =
            fritz_raise(c % SIDE, c / SIDE, crossing[0][0], crossing[0][1], crossing[1][0], crossing[1][1]);
        *(raised == (height > 0.0) ? &as_text : &other) += 1;
    }
    assert_true(as_text < 0.03 * SIDE * SIDE ||
                other < 0.03 * SIDE * SIDE); // the line is known to half a cell
    silt_terrain_destroy(terrain);
}

// Sections 3.2 and 3.3: each cut raises and lowers by as much as the one before, and each iteration raises
// the polygon that holds the peak, all of it and nothing else.
static void generators_raise_what_the_text_raises(void **state)
{
    (void)state;
    static const char *const cuts[] = {"paper=on", "count=7", "step=10", NULL};
    static const char *const polygons[] = {"paper=on", "iterations=4", "complexity=8", "height=100", NULL};
    SiltTerrain *cut = generate("fault", cuts, SIDE), *peak = generate("rmp", polygons, SIDE);
    double highest = 0.0;
    int levels[5] = {0};
    for (int c = 0; c < SIDE * SIDE; c++) {
        double sum = layer_at(cut, "height", c % SIDE, c / SIDE) / 10.0;
        double raised = layer_at(peak, "height", c % SIDE, c / SIDE) / 25.0;
        assert_near(sum, 2.0 * floor(sum / 2.0) + 1.0, 1e-3); // seven times up or down: an odd number
        assert_true(raised > -1e-3 && raised < 4.0 + 1e-3);
        assert_near(raised, floor(raised + 0.5), 1e-3);
        levels[(int)floor(raised + 0.5)]++;
        highest = fmax(highest, raised);
    }
    assert_near(highest, 4.0, 1e-3);
    assert_near(layer_at(peak, "height", SIDE / 2, SIDE / 2), 100.0, 1e-2);
    assert_true(levels[0] > levels[4] && levels[4] > 0);
    silt_terrain_destroy(cut);
    silt_terrain_destroy(peak);
}

static double draw(int x, int y)
{
    return (double)silt_symmetric(
        silt_random(9, SILT_STREAM_TEST, (uint64_t)y << 32 | (uint32_t)x, 1).word[0]);
}

// How far the middles of edges of 2 `half` cells lie from the mean of their ends.
static double roughness(const double *h, int n, int half)
{
    double sum = 0.0;
    int count = 0;
    for (int y = 0; y < n; y += 2 * half)
        for (int x = half; x < n - 1; x += 2 * half, count++)
            sum += fabs(h[y * n + x] - 0.5 * (h[y * n + x - half] + h[y * n + x + half]));
    return sum / count;
}

// Chance is halved from level to level: lines 37 to 39 of listing 3.1, and hurst=1.
static void chance_is_halved_from_level_to_level(void **state)
{
    (void)state;
    enum { N = 129 };
    static double text[N * N], ours[N * N];
    fritz_diamond_square(text, N, 20.0, draw);
    static const char *const settings[] = {"hurst=1", "relief=100", "feature_size=128", NULL};
    SiltTerrain *terrain = generate("diamond-square", settings, N);
    for (int c = 0; c < N * N; c++)
        ours[c] = layer_at(terrain, "height", c % N, c / N);
    for (int half = 1; half <= 4; half *= 2) {
        assert_near(roughness(text, N, half) / roughness(text, N, 2 * half), 0.5, 0.1);
        assert_near(roughness(ours, N, half) / roughness(ours, N, 2 * half), 0.5, 0.1);
    }
    silt_terrain_destroy(terrain);
}

// What the numbers of the text say of themselves.
static void the_text_s_own_numbers(void **state)
{
    (void)state;
    assert_int_equal(fritz_polygons(3), 7);
    assert_int_equal(fritz_polygons(4), 11);
    assert_int_equal(fritz_polygons(5), 16);
    assert_near(fritz_bright(2.0, 2.0), 1.0, 1e-12); // what is as bright as L_white becomes white
    assert_near(fritz_bright(0.5, 1e9), 0.5 / 1.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_slide_as_the_text_says),
        cmocka_unit_test(water_runs_as_the_text_says),
        cmocka_unit_test(a_cut_raises_one_side),
        cmocka_unit_test(generators_raise_what_the_text_raises),
        cmocka_unit_test(chance_is_halved_from_level_to_level),
        cmocka_unit_test(the_text_s_own_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
