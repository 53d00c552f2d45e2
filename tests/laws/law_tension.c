// Surface tension of particle water by the colour field (Kataev eq. 1.37 to 1.41; Müller 2003).
//
// Across the surface of a ball of radius R the force is sigma (c'' + 2 c'/r), and water lies on its inner
// side alone. So the pressure that holds it is that of Laplace's law for half the step of c, and one that is
// there on flat water, too:
//
//     p = sigma (|c'(R)| + 2 integral |c'| / r dr)
#include "../sph_help.h"

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

static SiltSph *make_ball(double spacing, double ratio, double big)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = spacing;
    config.support = ratio * spacing;
    config.mass = 1000.0 * spacing * spacing * spacing; // the paper's own factors
    config.density = 1000.0;
    config.viscosity = 0.0;
    config.gravity[2] = 0.0;
    config.tension = 0.07;
    config.threshold = 0.2 / config.support;
    config.capacity = 40000;
    for (int axis = 0; axis < 3; axis++)
        config.low[axis] = -2.0 * big, config.high[axis] = 2.0 * big;
    SiltSph *sph = make_water(&config);
    const float still[3] = {0.0f, 0.0f, 0.0f};
    int reach = (int)ceil(big / spacing);
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach;
                 i++) { // not a lattice's own middle, so that no layer lies on the surface
                double x = (i + 0.3) * spacing, y = (j + 0.1) * spacing, z = (k - 0.2) * spacing;
                if (x * x + y * y + z * z < big * big)
                    silt_sph_add(sph, (const float[3]){(float)x, (float)y, (float)z}, still);
            }
    silt_sph_sort(sph);
    return sph;
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

static void a_cube_becomes_a_ball(void **state)
{
    (void)state;
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.01;
    config.capacity = 1000;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_held_together_as_its_curvature_has_it),
        cmocka_unit_test(a_cube_becomes_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
