// `pipes` with paper=on is Mei's own model. Beside a plain transcription of his equations, over 100 steps on
// three grounds, with a square and a thin pipe, in deep water and from a dry start:
// - to the letter it differs by one thing: water is counted in grains of a few tenths of a micrometre, and a
// cell that
//   eq. 4 lets give away all it holds keeps five of them, one for each pipe that may round up and one more.
//   Films that run dry in a step differ by that, and what comes of it;
// - beside the same equations with five grains kept back it is the same to within rounding.
#include "mei_text.h"

#include "compare.h"

typedef struct Setting {
    double rain, wet; // mm/h; m of water in the beginning
    double area;      // m2; 0: the square of the cell
    double cell, dt;
} Setting;

typedef struct Apart {
    double water, ground, load, speed;
} Apart;

static void fill(Mei *m, const SiltTerrain *terrain, Setting s, double keep)
{
    *m = (Mei){.width = SIDE,
               .height = SIDE,
               .dt = s.dt,
               .g = 9.81,
               .l = s.cell,
               .lX = s.cell,
               .lY = s.cell,
               .A = s.area > 0 ? s.area : s.cell * s.cell,
               .Kc = 0.3,
               .Ks = 0.02,
               .Kd = 0.03,
               .Ke = 0.002,
               .keep = keep,
               .least_tilt = 3.0 * 3.14159265358979323846 / 180.0};
    for (int c = 0; c < SIDE * SIDE; c++) {
        m->b[c] = layer_at(terrain, "height", c % SIDE, c / SIDE);
        m->d[c] = s.wet;
        m->r[c] = s.rain / 3.6e6;
    }
}

// A grain of `pipes`: 2^-30 of the power of two above the relief and 128 m of headroom.
static double grain_of(const SiltTerrain *terrain)
{
    double low = INFINITY, high = -INFINITY;
    int exponent;
    for (int c = 0; c < SIDE * SIDE; c++) {
        double height = layer_at(terrain, "height", c % SIDE, c / SIDE);
        low = fmin(low, height), high = fmax(high, height);
    }
    frexp(high - low + 128.0, &exponent);
    return ldexp(1.0, exponent - 30);
}

static Apart beside(const Mei *m, const SiltTerrain *terrain)
{
    static double water[SIDE * SIDE], load[SIDE * SIDE], change[SIDE * SIDE], wanted[SIDE * SIDE],
        speed[SIDE * SIDE];
    static double by_text[SIDE * SIDE];
    read_layer(terrain, "water", water);
    read_layer(terrain, "sediment", load);
    read_layer(terrain, "change", change);
    read_layer(terrain, "speed", speed);
    for (int c = 0; c < SIDE * SIDE; c++) {
        wanted[c] = m->b[c] - layer_at(terrain, "height", c % SIDE, c / SIDE);
        by_text[c] = hypot(m->u[c], m->v[c]);
    }
    return (Apart){apart(water, m->d, SIDE * SIDE), apart(change, wanted, SIDE * SIDE),
                   apart(load, m->s, SIDE * SIDE), apart(speed, by_text, SIDE * SIDE)};
}

// Both after 100 steps, to the letter and with five grains kept back.
static void compare(int kind, Setting s, Apart *letter, Apart *rounded)
{
    static Mei text, kept;
    enum { STEPS = 100 };
    SiltTerrain *terrain = make_ground(kind, s.cell);
    SiltField *wet;
    assert_ok(silt_terrain_require(terrain, "water", &wet));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(wet, j)[i] = (float)s.wet;
    fill(&text, terrain, s, 0.0);
    fill(&kept, terrain, s, 5.0 * grain_of(terrain));
    char settings[400];
    snprintf(settings, sizeof settings,
             "paper=on rain=%.17g step=%.17g pipe_area=%.17g capacity=0.3 dissolve=0.02 settle=0.03 "
             "evaporation=0.002 "
             "least_tilt=3",
             s.rain, s.dt, s.area > 0 ? s.area : s.cell * s.cell);
    erode_steps(terrain, "pipes", settings, STEPS);
    for (int n = 0; n < STEPS; n++) {
        mei_step(&text);
        mei_step(&kept);
    }
    *letter = beside(&text, terrain);
    *rounded = beside(&kept, terrain);
    print_message("%-5s wet %g m, area %4g m2: to the letter %.1e of the water, %.1e of the ground, %.1e of "
                  "the load, %.1e of the speed; "
                  "five grains kept %.1e, %.1e, %.1e, %.1e\n",
                  ground_names[kind], s.wet, text.A, letter->water, letter->ground, letter->load,
                  letter->speed, rounded->water, rounded->ground, rounded->load, rounded->speed);
    silt_terrain_destroy(terrain);
}

static void paper_is_what_the_text_says(void **state)
{
    (void)state;
    const Setting settings[] = {{10000.0, 2.0, 0.0, 50.0, 0.5},
                                {10000.0, 2.0, 25.0, 50.0, 0.5},
                                {10000.0, 0.0, 0.0, 50.0, 0.5},
                                {10000.0, 0.0, 5.0, 50.0, 0.5}};
    for (int kind = 0; kind < GROUNDS; kind++)
        for (int k = 0; k < 4; k++) {
            Apart letter, rounded;
            compare(kind, settings[k], &letter, &rounded);
            assert_true(letter.water < 2e-2 && letter.ground < 2e-3 && letter.load < 1e-2);
            assert_true(rounded.water < 2e-3 && rounded.ground < 3e-4 && rounded.load < 1e-3 &&
                        rounded.speed < 5e-3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_is_what_the_text_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
