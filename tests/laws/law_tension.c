// Surface tension of particle water, by curvature and by the colour field.
//
// By curvature (surface=curvature) a drop at rest has Laplace's pressure, p = 2 sigma / R.
//
// By the colour field (Kataev eq. 1.37 to 1.41; Müller 2003) it has not. Across the surface of a ball of
// radius R the force is sigma (c'' + 2 c'/r), and water lies on its inner side alone. So the pressure that
// holds it is that of Laplace's law for half the step of c, and one that is there on flat water, too:
//
//     p = sigma (|c'(R)| + 2 integral |c'| / r dr)
#include "../sph_help.h"
#include "sph/images.h"

static const double pi = 3.14159265358979323846;

// The colour field of a whole ball at r from its middle: the kernel's part that lies within R.
static double colour(double r, double big, double h)
{
    double sum = 0.0, ds = h / 2000.0;
    for (double s = 0.5 * ds; s < h; s += ds) {
        double cosine = (big * big - r * r - s * s) / (2.0 * r * s);
        sum += 4.0 * pi * s * s * ds * (double)silt_poly6((float)(s * s), (float)h) * 0.5 *
               (1.0 + fmax(-1.0, fmin(1.0, cosine)));
    }
    return sum;
}

// The acceleration towards outside, times density over tension: the Laplacian of that.
static double pull_at(double r, double big, double h)
{
    double e = 0.02 * h, before = colour(r - e, big, h), here = colour(r, big, h),
           after = colour(r + e, big, h);
    return (after - 2.0 * here + before) / (e * e) + (after - before) / (e * r);
}

// A ball around the origin, or what of it lies in the box. Its middle is not one of the lattice, so that no
// layer lies on the surface.
static SiltSph *make_round(SiltSphConfig config, double big)
{
    double spacing = config.spacing;
    SiltSph *sph = make_water(&config);
    const float still[3] = {0.0f, 0.0f, 0.0f};
    int reach = (int)ceil(big / spacing);
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                double x = (i + 0.3) * spacing, y = (j + 0.1) * spacing, z = (k - 0.2) * spacing;
                if (x * x + y * y + z * z < big * big && x > config.low[0])
                    silt_sph_add(sph, (const float[3]){(float)x, (float)y, (float)z}, still);
            }
    silt_sph_sort(sph);
    return sph;
}

static SiltSphConfig free_water(double spacing, double big)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.gravity[2] = 0.0;
    config.capacity = 40000;
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -2.0 * big, config.high[axis] = 2.0 * big;
    return config;
}

static SiltSph *make_ball(double spacing, double ratio, double big)
{
    SiltSphConfig config = free_water(spacing, big);
    config.support = ratio * spacing;
    config.mass = 1000.0 * spacing * spacing * spacing; // the paper's own factors
    config.density = 1000.0;
    config.viscosity = 0.0;
    config.tension = 0.07;
    config.surface = SILT_SPH_COLOUR;
    config.threshold = 0.2 / config.support;
    return make_round(config, big);
}

static void a_ball_is_held_together_as_its_curvature_has_it(void **state)
{
    (void)state;
    static const double ratios[] = {5.0, 6.0, 7.0}; // spacings: fewer neighbours make a coarse Laplacian
    for (int n = 0; n < 3; n++)
        for (double layers = 10.0; layers < 15.0; layers += 4.0) {
            double spacing = 0.01, h = ratios[n] * spacing, big = layers * spacing;
            SiltSph *sph = make_ball(spacing, ratios[n], big);
            silt_sph_forces(sph);
            double found = 0.0, expected = 0.0;
            for (int i = 0; i < sph->count; i++) {
                double at[3] = {(double)sph->now.x[i], (double)sph->now.y[i], (double)sph->now.z[i]};
                double r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
                if (r < big - 1.2 * h)
                    continue;
                double out = ((double)sph->now.ax[i] * at[0] + (double)sph->now.ay[i] * at[1] +
                              (double)sph->now.az[i] * at[2]) /
                             r;
                double share = spacing * spacing * spacing / (4.0 * pi * r * r); // of the way from the middle
                found -= 1000.0 * out * share;
                expected -= 0.07 * pull_at(r, big, h) * share;
            }
            assert_true(expected > 0.0);              // it pulls inwards
            assert_near(found / expected, 0.9, 0.05); // the outermost layer of a lattice has a tenth less
            silt_sph_destroy(sph);
        }
}

// What an outermost particle of each direction is away from the middle, the farthest over the nearest.
static double roundness(const SiltSph *sph)
{
    double farthest[26] = {0.0}, most = 0.0, least = 1e9, middle[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < sph->count; i++) {
        middle[0] += (double)sph->now.x[i] / sph->count;
        middle[1] += (double)sph->now.y[i] / sph->count;
        middle[2] += (double)sph->now.z[i] / sph->count;
    }
    for (int i = 0; i < sph->count; i++)
        for (int n = 0, way = 0; n < 27; n++) {
            double to[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1},
                   size = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
            if (size == 0.0)
                continue;
            double along =
                (((double)sph->now.x[i] - middle[0]) * to[0] + ((double)sph->now.y[i] - middle[1]) * to[1] +
                 ((double)sph->now.z[i] - middle[2]) * to[2]) /
                size;
            farthest[way] = fmax(farthest[way], along), way++;
        }
    for (int way = 0; way < 26; way++)
        most = fmax(most, farthest[way]), least = fmin(least, farthest[way]);
    return most / least;
}

static void a_cube_becomes_a_ball_by_its_colour(void **state)
{
    (void)state;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.01;
    config.capacity = 1000;
    config.surface = SILT_SPH_COLOUR;
    config.density_from = SILT_SPH_SUMMATION;
    config.state = SILT_SPH_GAS;
    config.gas = 9.0;
    config.viscosity = 2.0;
    config.gravity[2] = 0.0;
    config.tension = 1.0;
    config.threshold = 15.0;
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -0.2, config.high[axis] = 0.2;
    SiltSph *sph = make_water(&config);
    const double low[3] = {-0.05, -0.05, -0.05}, high[3] = {0.05, 0.05, 0.05};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, still);
    assert_true(roundness(sph) > 1.6); // corners
    for (int k = 0; k < 800; k++)
        silt_sph_step(sph, 1.0);
    assert_int_equal(sph->count, 1000); // nothing flew off
    assert_true(roundness(sph) < 1.15);
    silt_sph_destroy(sph);
}

// ---- by curvature ----

static const double tension = 1.0;

// The mean pressure in the inner half of a drop around the origin: that of the equation of state, which alone
// balances what pulls at the surface (the pressure by the forces of pairs agrees with it within 2 %).
static double core_pressure(const SiltSph *sph, double big)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < sph->count; i++) {
        const SiltSphArrays *a = &sph->now;
        double x = (double)a->x[i], y = (double)a->y[i], z = (double)a->z[i], density = (double)a->density[i];
        if (x * x + y * y + z * z > 0.25 * big * big)
            continue;
        float p = silt_sph_pressure(a->density[i], (float)sph->config.density, sph->stiffness, false, false);
        sum += (double)p * density * density, count++;
    }
    assert_true(count > 10);
    return sum / count;
}

static double radius_of(const SiltSph *sph, double share)
{
    return cbrt(3.0 / (4.0 * pi) * sph->count / share * (double)sph->mass / sph->config.density);
}

// Its pressure over 2 sigma / R once it is at rest, in the mean of the last fifth of the time.
static double settle(SiltSph *sph, double share)
{
    double big = radius_of(sph, share), sum = 0.0;
    int before = sph->count, steps = 1000;
    for (int k = 0; k < steps; k++) {
        silt_sph_step(sph, 1.0);
        if (5 * k >= 4 * steps)
            sum += core_pressure(sph, big) * 5.0 / steps;
    }
    assert_int_equal(sph->count, before); // nothing flew off
    return sum * big / (2.0 * tension);
}

static SiltSphConfig resting_drop(double big)
{
    SiltSphConfig config = free_water(0.01, big);
    config.tension = tension;
    config.viscosity = 1.0;
    config.sound = 20.0;
    return config;
}

static void drops_have_the_pressure_of_laplace(void **state)
{
    (void)state;
    long_law();
    static const double radii[] = {4.0, 5.5, 8.0}; // spacings
    for (int n = 0; n < 3; n++) {
        SiltSph *sph = make_round(resting_drop(0.01 * radii[n]), 0.01 * radii[n]);
        double found = settle(sph, 1.0), drift = 0.0;
        assert_near(found, 1.0, 0.1);
        for (int i = 0; i < sph->count; i++)
            drift += (double)sph->now.x[i] / sph->count;
        print_message("radius %g spacings: %.3f of Laplace's pressure\n", radii[n], found);
        assert_near(drift, 0.0, 0.001); // no force of its own moves it: a tenth of a spacing
        silt_sph_destroy(sph);
    }
}

static void a_cube_becomes_a_ball_with_the_pressure_of_laplace(void **state)
{
    (void)state;
    long_law();
    SiltSphConfig config = resting_drop(0.06);
    config.viscosity = 0.5;
    SiltSph *sph = make_water(&config);
    const float still[3] = {0.0f, 0.0f, 0.0f};
    for (int n = 0; n < 729; n++) { // out of order by a little, as water is
        const int place[3] = {n % 9, n / 9 % 9, n / 81};
        float at[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = 0.01f * ((float)place[axis] - 4.0f) + 0.002f * (draw(1, (uint64_t)n, axis) - 0.5f);
        silt_sph_add(sph, at, still);
    }
    assert_true(roundness(sph) > 1.5);
    for (int k = 0; k < 2; k++)
        settle(sph, 1.0);
    double found = settle(sph, 1.0);
    print_message("a cube that became a ball: %.3f, round to %.3f\n", found, roundness(sph));
    assert_true(roundness(sph) < 1.15);
    assert_near(found, 1.0, 0.1);
    silt_sph_destroy(sph);
}

// A drop that sits on a wall without gravity: its image beyond makes it whole, so it stays half a ball.
static void half_a_drop_at_a_wall_is_as_a_whole_one(void **state)
{
    (void)state;
    SiltSphConfig config = resting_drop(0.06);
    config.low[0] = 0.0;
    config.face[0][0] = SILT_SPH_WALL;
    SiltSph *sph = make_round(config, 0.06);
    double found = settle(sph, 0.5);
    print_message("at a wall: %.3f\n", found);
    assert_near(found, 1.0, 0.1);
    silt_sph_destroy(sph);
}

// A neighbour straight across the surface says nothing of how it bends, whatever its normal is; one along it
// that lies so far apart as the radius of a ball, where normals stand a right angle apart, says all.
static void normals_turn_along_the_surface_alone(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const float one[3] = {axis == 0, axis == 1, axis == 2}, other[3] = {axis == 2, axis == 0, axis == 1};
        SiltSphNormal a = {one[0], one[1], one[2], 1.0f}, b = {0.6f, 0.8f, 0.0f, 1.0f};
        SiltSphBend across = silt_sph_bend(a, b, one[0], one[1], one[2], 4.0f, 1.0f);
        assert_near((double)across.turn, 0.0, 1e-6);
        assert_near((double)across.apart, 0.0, 1e-6);
        // on a ball of radius 1: from (-a) to (-other), normals into it
        SiltSphNormal far = {other[0], other[1], other[2], 1.0f};
        SiltSphBend along =
            silt_sph_bend(a, far, other[0] - one[0], other[1] - one[1], other[2] - one[2], 4.0f, 1.0f);
        assert_near((double)silt_sph_curvature(along, 0.0f), 2.0, 1e-6);
        assert_near((double)silt_sph_curvature(along, 1.0f), 1.0, 1e-6); // of a ball of radius 2 around it
    }
}

// Beyond a wall normals are those of the mirror image; beyond a periodic side they are as they were.
static void a_mirror_turns_normals_round(void **state)
{
    (void)state;
    const SiltSphMirror wall = {.nx = 1.0f}, side = {.shift_y = 1.0f, .periodic = 1};
    const SiltSphNormal n = {0.6f, 0.8f, 0.0f, 3.0f};
    SiltSphNormal turned = silt_sph_turn_normal(n, &wall, 1), same = silt_sph_turn_normal(n, &side, 1);
    assert_near((double)turned.x, -0.6, 1e-6);
    assert_near((double)turned.y, 0.8, 1e-6);
    assert_near((double)same.x, 0.6, 1e-6);
    assert_near((double)turned.slope, 3.0, 1e-6);
}

// Level water is not pulled at, however thick its surface is.
static void flat_water_feels_no_tension(void **state)
{
    (void)state;
    SiltSphConfig config = resting_drop(0.05);
    for (int axis = 0; axis < 2; axis++)
        set_faces(&config, axis, SILT_SPH_PERIODIC);
    SiltSph *sph = make_water(&config);
    const double low[3] = {-0.1, -0.1, -0.03}, high[3] = {0.1, 0.1, 0.03};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, still);
    silt_sph_sort(sph);
    silt_sph_forces(sph);
    for (int i = 0; i < sph->count; i++) // sigma over one spacing and the density would be 10 m/s2
        assert_near((double)sph->now.az[i], 0.0, 1e-3);
    silt_sph_destroy(sph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_held_together_as_its_curvature_has_it),
        cmocka_unit_test(a_cube_becomes_a_ball_by_its_colour),
        cmocka_unit_test(drops_have_the_pressure_of_laplace),
        cmocka_unit_test(a_cube_becomes_a_ball_with_the_pressure_of_laplace),
        cmocka_unit_test(half_a_drop_at_a_wall_is_as_a_whole_one),
        cmocka_unit_test(normals_turn_along_the_surface_alone),
        cmocka_unit_test(a_mirror_turns_normals_round),
        cmocka_unit_test(flat_water_feels_no_tension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
