// `newton` with paper=on is Neidhold's own model. Beside a plain transcription of the equations, over 100
// steps on three grounds, of water that lies everywhere in the beginning and from a dry start under rain,
// with water that never splits, always splits, and splits when it is slow: they agree to within rounding to
// grains and floats. The basin agrees less well, for a reason that lies in eq. 12: its mean is over all lower
// neighbours, and jumps where one is lower by a hair; sides of equal height are lower in one rounding and not
// in the other.
#include "neidhold_text.h"

#include "compare.h"

typedef struct Setting {
    double rain, wet; // mm/h; m of water in the beginning
    double threshold; // m/s: 0 never splits, 100 always
    double dt;
} Setting;

typedef struct Apart {
    double water, ground, load, speed;
} Apart;

static void fill(Neidhold *p, const SiltTerrain *terrain, Setting s)
{
    *p = (Neidhold){.width = SIDE,
                    .height = SIDE,
                    .dt = s.dt,
                    .g = 9.81,
                    .KA = 0.3,
                    .KC = 0.02,
                    .KD = 0.02,
                    .KS = 0.01,
                    .KE = 0.01,
                    .threshold = s.threshold,
                    .spread = 0.25 * 0.1,
                    .rain = s.rain / 3.6e6 * s.dt};
    for (int c = 0; c < SIDE * SIDE; c++) {
        p->H[c] = p->H0[c] = layer_at(terrain, "height", c % SIDE, c / SIDE);
        p->F[c] = s.wet;
    }
}

static Apart beside(const Neidhold *p, const SiltTerrain *terrain)
{
    static double water[SIDE * SIDE], load[SIDE * SIDE], change[SIDE * SIDE], wanted[SIDE * SIDE],
        speed[SIDE * SIDE];
    static double by_text[SIDE * SIDE];
    read_layer(terrain, "water", water);
    read_layer(terrain, "sediment", load);
    read_layer(terrain, "change", change);
    read_layer(terrain, "speed", speed);
    for (int c = 0; c < SIDE * SIDE; c++) {
        wanted[c] = p->H[c] - layer_at(terrain, "height", c % SIDE, c / SIDE);
        by_text[c] = neidhold_length(p->v[c]);
    }
    return (Apart){apart(water, p->F, SIDE * SIDE), apart(change, wanted, SIDE * SIDE),
                   apart(load, p->S, SIDE * SIDE), apart(speed, by_text, SIDE * SIDE)};
}

static Apart compare(int kind, Setting s)
{
    enum { STEPS = 100 };
    static Neidhold text;
    SiltTerrain *terrain = make_ground(kind, 1.0);
    SiltField *wet;
    assert_ok(silt_terrain_require(terrain, "water", &wet));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            silt_field_row(wet, j)[i] = (float)s.wet;
    fill(&text, terrain, s);
    char settings[400];
    snprintf(settings, sizeof settings,
             "paper=on rain=%.17g rain_pattern=steady step=%.17g threshold=%g capacity=0.02 settle=0.02 "
             "dissolve=0.01 "
             "evaporation=0.01 dry=0 cfl=1",
             s.rain, s.dt, s.threshold);
    SiltReport report = erode_steps(terrain, "newton", settings, STEPS);
    assert_int_equal(report.counters.substeps, STEPS); // as long as the text has them
    for (int n = 0; n < STEPS; n++)
        neidhold_step(&text);
    Apart found = beside(&text, terrain);
    print_message("%-5s rain %5g mm/h, wet %g m, threshold %3g m/s: %.1e of the water, %.1e of the ground, "
                  "%.1e of the load, "
                  "%.1e of the speed\n",
                  ground_names[kind], s.rain, s.wet, s.threshold, found.water, found.ground, found.load,
                  found.speed);
    silt_terrain_destroy(terrain);
    return found;
}

static void paper_is_what_the_text_says(void **state)
{
    (void)state;
    const Setting settings[] = {{0.0, 0.05, 0.0, 0.05}, {0.0, 0.05, 10.0, 0.05}, {10000.0, 0.0, 0.5, 0.05}};
    for (int kind = 0; kind < GROUNDS; kind++)
        for (int k = 0; k < 3; k++) {
            Apart found = compare(kind, settings[k]);
            double loose = kind == BASIN && settings[k].threshold < 1.0 ? 60.0 : 1.0;
            assert_true(found.water < 1e-3 * loose && found.ground < 2e-3 * loose &&
                        found.load < 1e-3 * loose);
            assert_true(found.speed < 4e-3);
        }
}

// Eq. 24: rain by the square of the height above zero.
static void rain_goes_by_the_square_of_the_height(void **state)
{
    (void)state;
    static Neidhold text;
    SiltTerrain *terrain = make_ground(SLOPE, 20.0);
    fill(&text, terrain, (Setting){.dt = 0.05});
    char settings[200]; // K_R / dt in metres a second is 3.6e6 mm/h
    snprintf(settings, sizeof settings,
             "paper=on rain=0 rain_altitude=%.17g rain_pattern=steady step=0.05 capacity=0", 1e-7 * 3.6e6);
    text.KR = 1e-7 * text.dt;
    double wanted = 0.0;
    for (int c = 0; c < SIDE * SIDE; c++)
        wanted += neidhold_rain(&text, c) * text.dt * 400.0; // m3
    SiltReport report = erode_steps(terrain, "newton", settings, 100);
    assert_near(report.ledger.water.added, 100.0 * wanted, 0.01 * 100.0 * wanted);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_is_what_the_text_says),
        cmocka_unit_test(rain_goes_by_the_square_of_the_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
