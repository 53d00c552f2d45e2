// The laws of particle water: kernels, opposite forces, still water, flow between plates, and
// water that a wall holds back.
#include "../sph_help.h"

// ---- kernels ----

typedef float (*KernelFn)(float r, float h);

static float poly6(float r, float h)
{
    return silt_poly6(r * r, h);
}

static float poly6_slope(float r, float h)
{
    return silt_poly6_slope(r * r, h);
}

static float poly6_laplacian(float r, float h)
{
    return silt_poly6_laplacian(r * r, h);
}

static float spline_slope(float r, float h)
{
    return silt_spline_derivative(r, h) / r;
}

static const struct {
    KernelFn value, slope, laplacian;
} kernels[] = {
    {poly6, poly6_slope, poly6_laplacian},
    {silt_spiky, silt_spiky_slope, silt_spiky_laplacian},
    {silt_viscous, silt_viscous_slope, silt_viscous_laplacian},
    {silt_spline, spline_slope, silt_spline_laplacian},
};

static void kernels_integrate_to_one(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (float h = 0.04f; h < 3.0f; h *= 4.0f) {
            double sum = 0.0, dr = (double)h / 4000.0;
            for (int n = 0; n < 4000; n++) {
                double r = (n + 0.5) * dr;
                sum += 4.0 * 3.14159265358979 * r * r * dr * (double)kernels[k].value((float)r, h);
            }
            assert_near(sum, 1.0, 1e-4);
            assert_true(kernels[k].value(h * 1.001f, h) == 0.0f);
        }
}

// From one place to another a kernel changes by what its slope adds up to, and r^2 dW/dr by what r^2 times
// its Laplacian does.
static void kernel_derivatives_add_up(void **state)
{
    (void)state;
    enum { PARTS = 400 };
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (float h = 0.25f; h < 5.0f; h *= 4.0f)
            for (int n = 1; n < 9; n++) {
                double from = 0.1 * n * (double)h, dr = 0.1 * (double)h / PARTS, rise = 0.0, flow = 0.0;
                double rises = 0.0, flows = 0.0; // of any sign
                for (int part = 0; part < PARTS; part++) {
                    double r = from + (part + 0.5) * dr;
                    double slope = (double)kernels[k].slope((float)r, h) * r;
                    double laplacian = (double)kernels[k].laplacian((float)r, h);
                    rise += slope * dr;
                    rises += fabs(slope) * dr;
                    flow += r * r * laplacian * dr;
                    flows += r * r * fabs(laplacian) * dr;
                }
                float a = (float)from, b = (float)(from + PARTS * dr);
                double before = (double)a * (double)a * (double)(kernels[k].slope(a, h) * a);
                double behind = (double)b * (double)b * (double)(kernels[k].slope(b, h) * b);
                double change = (double)kernels[k].value(b, h) - (double)kernels[k].value(a, h);
                assert_near(rise, change, 2e-3 * rises + 1e-6 * fabs((double)kernels[k].value(a, h)));
                assert_near(flow, behind - before, 2e-3 * flows + 1e-6 * (fabs(before) + fabs(behind)));
            }
}

// ---- pairs ----

static SiltSphConfig free_space(double spacing)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.gravity[2] = 0.0;
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -10.0, config.high[axis] = 10.0;
    return config;
}

static void two_particles_push_each_other_alike(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 200; k++) {
        SiltSphConfig config = free_space(0.1);
        config.density_from = k % 2 ? SILT_SPH_SUMMATION : SILT_SPH_CONTINUITY;
        config.state = k % 4 < 2 ? SILT_SPH_TAIT : SILT_SPH_GAS;
        config.viscosity = 3.5;
        SiltSph *sph = make_water(&config);
        for (uint64_t n = 0; n < 2; n++) {
            float at[3], speed[3];
            for (uint32_t axis = 0; axis < 3; axis++) {
                at[axis] = k == 0 ? 0.5f : 0.1f * draw(k, n, axis); // k == 0: both at one place
                speed[axis] = draw(k, n, 3 + axis) - 0.5f;
            }
            assert_true(silt_sph_add(sph, at, speed));
            sph->now.density[n] = 1100.0f + 50.0f * (float)n;
        }
        silt_sph_sort(sph);
        silt_sph_forces(sph);
        const SiltSphArrays *a = &sph->now;
        double size = fabs((double)a->ax[0]) + fabs((double)a->ay[0]) + fabs((double)a->az[0]);
        assert_true(size > 0.0);
        assert_near((double)(a->ax[0] + a->ax[1]), 0.0, 1e-6 * size);
        assert_near((double)(a->ay[0] + a->ay[1]), 0.0, 1e-6 * size);
        assert_near((double)(a->az[0] + a->az[1]), 0.0, 1e-6 * size);
        silt_sph_destroy(sph);
    }
}

static void a_free_drop_keeps_its_momentum(void **state)
{
    (void)state;
    SiltSphConfig config = free_space(0.1);
    config.viscosity = 1.0;
    SiltSph *sph = make_water(&config);
    fill_box(sph, 0.8, 0.8, 0.8);
    for (int i = 0; i < sph->count; i++) { // it falls in on itself, and flies
        sph->now.u[i] = 1.0f - 2.0f * sph->now.x[i];
        sph->now.v[i] = -2.0f * sph->now.y[i];
    }
    double before[2] = {0.0, 0.0}, after[2] = {0.0, 0.0}, size = 0.0;
    for (int i = 0; i < sph->count; i++) {
        before[0] += (double)sph->now.u[i];
        before[1] += (double)sph->now.v[i];
        size += fabs((double)sph->now.u[i]) + fabs((double)sph->now.v[i]);
    }
    for (int k = 0; k < 200; k++)
        silt_sph_step(sph, 1.0);
    for (int i = 0; i < sph->count; i++) {
        after[0] += (double)sph->now.u[i];
        after[1] += (double)sph->now.v[i];
    }
    assert_near(after[0], before[0], 1e-6 * size);
    assert_near(after[1], before[1], 1e-6 * size);
    silt_sph_destroy(sph);
}

// ---- still water ----

static void a_pool_at_rest_keeps_its_volume_and_weighs_on_its_floor(void **state)
{
    (void)state;
    const int layers = 12;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.02;
    double depth = layers * config.spacing, side = 6 * config.spacing;
    config.sound = 10.0 * sqrt(2.0 * 9.81 * depth);
    config.high[0] = config.high[1] = side, config.high[2] = 1.0;
    for (int axis = 0; axis < 3; axis++)
        set_faces(&config, axis, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, side, side, depth);
    for (double t = 0.0; t < 2.5;)
        t += silt_sph_step(sph, 1.0);
    double middle = 0.0, top = 0.0, share = 0.0;
    int count = 0;
    for (int i = 0; i < sph->count; i++) {
        double z = (double)sph->now.z[i], density = (double)sph->now.density[i];
        double pressure = (double)sph->pressure[i] * density * density;
        middle += z / sph->count;
        top = fmax(top, z);
        if (z < 0.6 * depth)
            share += pressure / (config.density * 9.81 * (depth - z)), count++;
    }
    assert_near(2.0 * middle, depth, 0.02 * depth);
    assert_near(top + 0.5 * config.spacing, depth, 0.02 * depth);
    assert_near(share / count, 1.0, 0.05);
    assert_true(sph->fastest < 0.05);
    silt_sph_destroy(sph);
}

// ---- flow between two plates ----

static void poiseuille_flow(void **state)
{
    (void)state;
    long_law();
    const int layers = 12;
    const double gap = 0.1, peak = 0.2;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = gap / layers;
    config.density = 1000.0;
    config.viscosity = 1.0;
    config.artificial = 0.0;
    config.gravity[2] = 0.0;
    config.gravity[0] = 8.0 * peak * config.viscosity / (config.density * gap * gap);
    config.sound = 10.0 * peak;
    config.pulls = true; // no surface: water may pull
    config.walls = SILT_SPH_NO_SLIP;
    config.high[0] = config.high[1] = 8 * config.spacing;
    config.high[2] = gap;
    set_faces(&config, 0, SILT_SPH_PERIODIC);
    set_faces(&config, 1, SILT_SPH_PERIODIC);
    set_faces(&config, 2, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, config.high[0], config.high[1], gap);
    for (int i = 0; i < sph->count; i++) { // too slow by a fifth
        float z = sph->now.z[i] / (float)gap;
        sph->now.u[i] = (float)(0.8 * peak * 4.0) * z * (1.0f - z);
    }
    while (sph->time < 3.0)
        silt_sph_step(sph, 1.0);
    double error2 = 0.0, size2 = 0.0;
    for (int i = 0; i < sph->count; i++) {
        double z = (double)sph->now.z[i] / gap, wanted = peak * 4.0 * z * (1.0 - z);
        error2 += ((double)sph->px[i] - wanted) * ((double)sph->px[i] - wanted);
        size2 += wanted * wanted;
    }
    assert_true(sqrt(error2 / size2) < 0.03);
    silt_sph_destroy(sph);
}

// ---- walls that hold back what runs along them ----

// Water that slides over a floor without weight, in a box with periodic sides.
static SiltSph *slide(double spacing, double roughness, int layers)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.gravity[2] = 0.0;
    config.artificial = config.diffusion = 0.0;
    config.sound = 1.0; // nothing presses
    config.walls = SILT_SPH_WALL_LAW;
    config.roughness = roughness;
    config.capacity = 64 * layers;
    config.high[0] = config.high[1] = 8.0 * spacing, config.high[2] = (layers + 4) * spacing;
    set_faces(&config, 0, SILT_SPH_PERIODIC);
    set_faces(&config, 1, SILT_SPH_PERIODIC);
    set_faces(&config, 2, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, config.high[0], config.high[1], layers * spacing);
    return sph;
}

static double mean_speed(const SiltSph *sph)
{
    double sum = 0.0;
    for (int i = 0; i < sph->count; i++)
        sum += (double)sph->now.u[i];
    return sum / sph->count;
}

// du/dt = -tau / (rho h) for a sheet of depth h: with the power law u^(-3/4) = u0^(-3/4) + 3/4 k t, with the
// logarithm 1/u = 1/u0 + k t, and slow water dies out as e^(-k t).
static void a_sliding_sheet_slows_down_by_the_law_of_the_wall(void **state)
{
    (void)state;
    static const struct {
        double spacing, roughness, speed;
    } cases[] = {{0.005, 0.0, 2.0},  {0.02, 0.0, 2.0}, {0.02, 0.0, 0.3},
                 {0.02, 0.002, 2.0}, {0.1, 0.01, 1.0}, {0.002, 0.0, 1e-4}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double h = cases[k].spacing, y = 0.5 * h, u0 = cases[k].speed, nu = 0.001 / 998.29, wanted;
        SiltSph *sph = slide(h, cases[k].roughness, 1);
        for (int i = 0; i < sph->count; i++)
            sph->now.u[i] = (float)u0;
        double drag = cases[k].roughness > 0.0 ? pow(0.4 / log(30.0 * y / cases[k].roughness), 2.0) : 0.0;
        double power = pow(8.3, -1.75) * pow(nu / y, 0.25);
        bool laminar = nu / y > power * pow(u0, 0.75);
        double rate = laminar ? nu / y / h : drag > 0.0 ? drag * u0 / h : power * pow(u0, 0.75) / h;
        double time = 0.5 / rate; // about a third of the speed goes
        while (sph->time < time - 1e-9)
            silt_sph_step(sph, fmin(time - sph->time, 0.002 * time));
        if (laminar)
            wanted = u0 * exp(-rate * time);
        else if (drag > 0.0)
            wanted = u0 / (1.0 + rate * time);
        else
            wanted = u0 * pow(1.0 + 0.75 * rate * time, -4.0 / 3.0);
        assert_near(mean_speed(sph), wanted, 0.003 * u0);
        silt_sph_destroy(sph);
    }
}

// Each particle near the wall answers for its share of it, however they lie.
static void the_stress_of_a_wall_does_not_depend_on_the_arrangement(void **state)
{
    (void)state;
    double change[2];
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        SiltSph *sph = slide(0.01, 0.0, 24);
        for (int i = 0; i < sph->count; i++) {
            sph->now.u[i] = 2.0f;
            if (shuffled)
                sph->now.z[i] = (float)(24 * 0.01) * draw(1, (uint64_t)i, 0);
        }
        silt_sph_sort(sph);
        silt_sph_move(sph, 1e-3); // no forces but the wall's
        change[shuffled] = 2.0 - mean_speed(sph);
        silt_sph_destroy(sph);
    }
    assert_true(change[0] > 0.0);
    assert_near(change[1], change[0], 0.2 * change[0]); // 64 particles at the wall: 13 % of noise
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_integrate_to_one),
        cmocka_unit_test(kernel_derivatives_add_up),
        cmocka_unit_test(two_particles_push_each_other_alike),
        cmocka_unit_test(a_free_drop_keeps_its_momentum),
        cmocka_unit_test(a_pool_at_rest_keeps_its_volume_and_weighs_on_its_floor),
        cmocka_unit_test(poiseuille_flow),
        cmocka_unit_test(a_sliding_sheet_slows_down_by_the_law_of_the_wall),
        cmocka_unit_test(the_stress_of_a_wall_does_not_depend_on_the_arrangement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
