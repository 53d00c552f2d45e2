// The laws of particle water: kernels, opposite forces, still water, flow between plates, a falling column.
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

static void kernel_derivatives_match_differences(void **state)
{
    (void)state;
    const float h = 1.0f;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (float r = 0.1f; r < 0.97f; r += 0.0371f) {
            double e = 1e-2, w = (double)kernels[k].value(r, h);
            double up = (double)kernels[k].value(r + (float)e, h),
                   down = (double)kernels[k].value(r - (float)e, h);
            double first = (up - down) / (2.0 * e), second = (up - 2.0 * w + down) / (e * e);
            double scale = fabs((double)kernels[k].value(0.1f, h)) * 10.0;
            assert_near((double)(kernels[k].slope(r, h) * r), first, 0.02 * scale);
            assert_near((double)kernels[k].laplacian(r, h), second + 2.0 / (double)r * first, 0.3 * scale);
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
    config.no_slip = true;
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

// ---- the collapse of a column ----

// How far water reaches that stands so many layers of particles deep.
static double front(const SiltSph *sph, double layers)
{
    int count[256] = {0}, last = 0, width = (int)(sph->config.high[1] / sph->config.spacing + 0.5);
    for (int i = 0; i < sph->count; i++) {
        int bin = (int)((double)sph->now.x[i] / sph->config.spacing);
        count[bin < 255 ? bin : 255]++;
    }
    for (int bin = 0; bin < 256; bin++)
        last = count[bin] >= layers * width ? bin + 1 : last;
    return last * sph->config.spacing;
}

enum { RECORDS = 8192 };

// The front at the end of each step.
typedef struct Film {
    int count;
    double time[RECORDS], deep[RECORDS], thin[RECORDS];
} Film;

static double at_time(const Film *film, const double *front_at, double time)
{
    int k = 0;
    while (k < film->count - 1 && film->time[k] < time)
        k++;
    return front_at[k];
}

// Martin & Moyce 1952, fig. 3, n2 = 2, a = 2.25 in: time in sqrt(a / 2g), leading edge in a. Stiff equation
// of state, density by its rate, slip walls, 12 particles to a, a lattice let go at once. Water more than one
// layer deep is within 10 % at every point; that depth was chosen for it, see docs/models.md. The foremost
// layer is ahead at first, and within 10 % once the clock is set by the first point.
static void a_falling_column_follows_martin_and_moyce(void **state)
{
    (void)state;
    static const double measured[][2] = {{0.832, 1.217}, {1.219, 1.474}, {1.997, 2.292}, {2.547, 2.995},
                                         {3.345, 4.134}, {4.034, 4.944}, {4.418, 5.881}, {5.091, 6.980},
                                         {5.685, 7.945}, {6.306, 8.966}};
    enum { POINTS = sizeof measured / sizeof measured[0] };
    const int width = 4, across = 12;
    const double a = 0.05715, unit = sqrt(a / (2.0 * 9.81));
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = a / across;
    config.capacity = 2000;
    config.sound = 10.0 * sqrt(2.0 * 9.81 * 2.0 * a);
    config.high[0] = 16.0 * a, config.high[1] = width * config.spacing, config.high[2] = 3.0 * a;
    set_faces(&config, 0, SILT_SPH_WALL);
    set_faces(&config, 1, SILT_SPH_PERIODIC);
    set_faces(&config, 2, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, a, config.high[1], 2.0 * a);
    static Film film;
    double late = -1.0; // by how much the first point is
    while (sph->time < measured[POINTS - 1][0] * unit && film.count < RECORDS) {
        silt_sph_step(sph, 1.0);
        int k = film.count++;
        film.time[k] = sph->time / unit;
        film.deep[k] = front(sph, 1.25) / a;
        film.thin[k] = front(sph, 0.75) / a;
        if (late < 0.0 && film.thin[k] >= measured[0][1])
            late = measured[0][0] - film.time[k];
    }
    assert_true(late > 0.0 && late < 0.3);
    for (int k = 0; k < POINTS; k++) {
        double when = measured[k][0], wanted = measured[k][1];
        assert_near(at_time(&film, film.deep, when), wanted, 0.1 * wanted);
        assert_near(at_time(&film, film.thin, when - late), wanted, 0.1 * wanted);
        assert_near(at_time(&film, film.thin, when), wanted, (when < 4.1 ? 0.2 : 0.1) * wanted);
    }
    assert_int_equal(sph->count, across * width * 2 * across);
    silt_sph_destroy(sph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_integrate_to_one),
        cmocka_unit_test(kernel_derivatives_match_differences),
        cmocka_unit_test(two_particles_push_each_other_alike),
        cmocka_unit_test(a_free_drop_keeps_its_momentum),
        cmocka_unit_test(a_pool_at_rest_keeps_its_volume_and_weighs_on_its_floor),
        cmocka_unit_test(poiseuille_flow),
        cmocka_unit_test(a_falling_column_follows_martin_and_moyce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
