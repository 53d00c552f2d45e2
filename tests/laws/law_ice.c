// The laws of `ice`: exact solutions and benchmarks of ice sheets, books that balance, troughs that become
// U-shaped, and independence of threads and of the grid.
#include "erode_help.h"

#define WEIGHT    (910.0 * 9.81) // of ice, N/m3
#define ICE_GAMMA (0.4 * 1e-16 * WEIGHT * WEIGHT * WEIGHT) // 2 A (rho g)^3 / 5 with EISMINT's softness

static SiltField *require(SiltTerrain *terrain, const char *layer)
{
    SiltField *field;
    assert_ok(silt_terrain_require(terrain, layer, &field));
    return field;
}

// ---- Halfar ----

typedef struct Halfar {
    double dome, radius, start; // m, m, years
} Halfar;

static Halfar halfar_of(double dome, double radius)
{
    Halfar halfar = {dome, radius, 0.0};
    halfar.start = pow(7.0 / 4.0, 3.0) / (18.0 * ICE_GAMMA) * pow(radius, 4.0) / pow(dome, 7.0);
    return halfar;
}

// The ice cap that keeps its shape as it spreads on level ground (Halfar 1983, in the form of Bueler et al.
// 2005, equation 9 with n = 3 and no balance).
static double halfar_at(const Halfar *halfar, double time, double r)
{
    double age = halfar->start / time;
    double part = 1.0 - pow(pow(age, 1.0 / 18.0) * r / halfar->radius, 4.0 / 3.0);
    return part > 0.0 ? halfar->dome * pow(age, 1.0 / 9.0) * pow(part, 3.0 / 7.0) : 0.0;
}

static void an_ice_cap_spreads_as_halfar_says(void **state)
{
    (void)state;
    static const struct {
        double dome, radius, cell;
        const char *step;
    } cases[] = {{3600.0, 750e3, 30e3, "step=5"}, {300.0, 4000.0, 150.0, "step=0.05"}, {3600.0, 750e3, 30e3, "step=100"}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        enum { SIDE = 81, MIDDLE = 40 };
        Halfar halfar = halfar_of(cases[c].dome, cases[c].radius);
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, cases[c].cell);
        SiltField *ice = require(terrain, "ice");
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                silt_field_row(ice, j)[i] = (float)halfar_at(
                    &halfar, halfar.start, hypot(i - MIDDLE, j - MIDDLE) * cases[c].cell);
        char settings[256];
        snprintf(settings, sizeof settings,
                 "gradient=0 softness=1e-16 sliding=0 coupling=0 abrasion=0 quarrying=0 aspect=0 %s",
                 cases[c].step);
        double before = layer_sum(terrain, "ice"), end = 20.0 * halfar.start;
        SiltReport report = erode(terrain, "ice", settings, (SiltDuration){.time = end - halfar.start});
        printf("volume %.9f\n", layer_sum(terrain, "ice") / before);
        double off = 0.0;
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                off += fabs(layer_at(terrain, "ice", i, j) -
                            halfar_at(&halfar, end, hypot(i - MIDDLE, j - MIDDLE) * cases[c].cell));
        double dome = halfar_at(&halfar, end, 0.0), found = layer_at(terrain, "ice", MIDDLE, MIDDLE);
        printf("start %g dome %g found %g rel %g; mean off %g; steps %ld cycles %ld\n", halfar.start, dome, found, found / dome,
               off / before, (long)report.steps, (long)report.counters.substeps);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ice_cap_spreads_as_halfar_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
