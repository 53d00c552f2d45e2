// A column of water that collapses, a wide and 2a high, a = 2.25 in, against theory (column_theory.h) and
// against the experiments of Martin & Moyce (1952). Stiff equation of state, density by its rate, a lattice
// let go at once, walls that slip (theory) or have the law of a smooth wall (experiment); 12 particles to a,
// and 24 with SILT_LONG=1. Docs: models.md, "Particle water".
#include "../sph_help.h"
#include "column_theory.h"

static const double a = 0.05715, gravity = 9.81, pi = 3.14159265358979323846;

static SiltSph *stand_column(int across, int walls)
{
    enum { WIDTH = 4 };
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = a / across;
    config.capacity = 2 * WIDTH * across * across;
    config.sound = 10.0 * sqrt(2.0 * gravity * 2.0 * a);
    config.high[0] = 18.0 * a, config.high[1] = WIDTH * config.spacing, config.high[2] = 3.0 * a;
    config.walls = walls;
    set_faces(&config, 0, SILT_SPH_WALL);
    set_faces(&config, 1, SILT_SPH_PERIODIC);
    set_faces(&config, 2, SILT_SPH_WALL);
    SiltSph *sph = make_water(&config);
    fill_box(sph, a, config.high[1], 2.0 * a);
    assert_int_equal(sph->count, config.capacity);
    return sph;
}

static void run_until(SiltSph *sph, double time)
{
    while (sph->time < time - 1e-9)
        silt_sph_step(sph, time - sph->time);
}

// ---- the first moment ----

// Acceleration of the face at height z just after the release, in g: p harmonic, zero at the top and the
// face, dp/dz = -rho g on the bed, dp/dx = 0 at the back; taken half a spacing inside, where the particles
// are.
static double face_acceleration(double z, double inside)
{
    double sum = 0.0, height = 2.0 * a, x = a - inside;
    for (int k = 0; k < 2000; k++) {
        double m = (k + 0.5) * pi / height;
        double shape = exp(-m * inside) * (1.0 - exp(-2.0 * m * x)) / (1.0 + exp(-2.0 * m * a));
        sum += 2.0 / (height * m) * shape * cos(m * z);
    }
    return sum;
}

static void a_column_starts_as_potential_theory_says(void **state)
{
    (void)state;
    enum { ACROSS = 12, LAYERS = 2 * ACROSS };
    const double time = 0.2 * sqrt(a / gravity);
    SiltSph *sph = stand_column(ACROSS, SILT_SPH_WALL_LAW);
    double spacing = sph->config.spacing, moved[LAYERS] = {0.0}, start[2 * 4 * ACROSS * ACROSS];
    int layer[2 * 4 * ACROSS * ACROSS], count[LAYERS] = {0};
    for (int i = 0; i < sph->count; i++) {
        start[sph->now.id[i]] = (double)sph->now.x[i];
        layer[sph->now.id[i]] = (int)((double)sph->now.z[i] / spacing);
    }
    run_until(sph, time);
    for (int i = 0; i < sph->count; i++) {
        int64_t id = sph->now.id[i];
        if (start[id] > a - spacing) {
            moved[layer[id]] += (double)sph->now.x[i] - start[id];
            count[layer[id]]++;
        }
    }
    double toe = 0.5 * gravity * face_acceleration(0.5 * spacing, 0.5 * spacing) * time * time;
    for (int k = 0; k < LAYERS; k++) {
        double z = (k + 0.5) * spacing;
        double wanted = 0.5 * gravity * face_acceleration(z, 0.5 * spacing) * time * time;
        assert_near(moved[k] / count[k], wanted, 0.1 * toe);
    }
    silt_sph_destroy(sph);
}

// ---- how far and how high ----

// How far the body of water reaches: the foremost particle that is joined to it by steps of at most one and a
// half spacings, and half a spacing more. Drops that fly ahead are not joined.
static double front(const SiltSph *sph)
{
    double spacing = sph->config.spacing, width = sph->config.high[1], most = 0.0;
    uint8_t *joined = test_calloc((size_t)sph->count, 1);
    int *queue = test_calloc((size_t)sph->count, sizeof *queue), last = 0;
    for (int i = 0; i < sph->count; i++)
        if ((double)sph->now.x[i] < 0.5 * a) {
            joined[i] = 1;
            queue[last++] = i;
        }
    for (int next = 0; next < last; next++) {
        int i = queue[next];
        most = fmax(most, (double)sph->now.x[i]);
        for (int j = 0; j < sph->count; j++) {
            double dx = (double)(sph->now.x[i] - sph->now.x[j]), dz = (double)(sph->now.z[i] - sph->now.z[j]);
            if (joined[j] || fabs(dx) > 1.5 * spacing || fabs(dz) > 1.5 * spacing)
                continue;
            double dy = (double)(sph->now.y[i] - sph->now.y[j]);
            dy -= width * round(dy / width);
            if (dx * dx + dy * dy + dz * dz < 2.25 * spacing * spacing) {
                joined[j] = 1;
                queue[last++] = j;
            }
        }
    }
    test_free(joined);
    test_free(queue);
    return most + 0.5 * spacing;
}

// How high it still stands: the mean depth over the quarter of a at the back. A particle is as wide as the
// spacing, and what of it lies there counts.
static double residue(const SiltSph *sph)
{
    double spacing = sph->config.spacing, widths = 0.0;
    for (int i = 0; i < sph->count; i++)
        widths += fmin(fmax((0.25 * a - (double)sph->now.x[i]) / spacing + 0.5, 0.0), 1.0);
    return widths * pow(spacing, 3.0) / (0.25 * a * sph->config.high[1]);
}

// ---- theory ----

// Theory itself: its first acceleration is that of the series, water and energy stay, and elements of half
// the length change the front by less than half a per cent.
static void potential_theory_keeps_its_own_laws(void **state)
{
    (void)state;
    long_law();
    bool whole = getenv("SILT_LONG") != NULL;
    Theory *rough = theory_start(2.0, whole ? 0.05 : 0.1), *fine = theory_start(2.0, whole ? 0.025 : 0.05);
    for (int i = 0; i < fine->count; i++)
        fine->now.phi[i] = -fine->now.z[i]; // after a unit of time in which nothing has moved yet
    double volume, energy, volume_later, energy_later;
    theory_books(fine, &volume, &energy);
    for (int i = 0; i < fine->count; i++) {
        double z = fine->now.z[i];
        if (z > 0.1 && z < 1.8)
            assert_near(fine->flux[i], face_acceleration(z * a, 0.0), 0.01);
        fine->now.phi[i] = 0.0;
    }
    theory_books(fine, &volume, &energy);
    for (double time = 0.25; time < 2.9; time += 0.25) {
        theory_run(rough, time);
        theory_run(fine, time);
        theory_books(fine, &volume_later, &energy_later);
        assert_near(volume_later, volume, 5e-4 * volume);
        assert_near(energy_later, energy, 1e-3 * energy);
        assert_near(rough->now.x[0], fine->now.x[0], 5e-3 * fine->now.x[0]);
    }
    test_free(rough);
    test_free(fine);
}

// Front and height of the column on walls that slip, up to T = 2.55. The front is held to 5 %. The height is
// within 3 % up to T = 2 and then falls behind, in the end by 5 % with 12 and 24 particles and by 3 %
// with 36.
static void check_theory(int across)
{
    static const double times[] = {0.41, 0.832, 1.219, 1.6, 1.997, 2.3, 2.547}; // in sqrt(a / 2g)
    SiltSph *sph = stand_column(across, SILT_SPH_SLIP);
    Theory *theory = theory_start(2.0, 0.05);
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
        theory_run(theory, times[k] / sqrt(2.0));
        run_until(sph, times[k] * sqrt(a / (2.0 * gravity)));
        double toe = theory->now.x[0], depth = theory_depth(theory, 0.25);
        assert_near(front(sph) / a, toe, 0.05 * toe);
        assert_near(residue(sph) / a, depth, (times[k] < 2.0 ? 0.03 : 0.06) * depth);
    }
    test_free(theory);
    silt_sph_destroy(sph);
}

static void a_column_falls_as_potential_theory_says(void **state)
{
    (void)state;
    long_law();
    check_theory(12);
    if (getenv("SILT_LONG"))
        check_theory(24);
}

// ---- Martin & Moyce ----

// Table 6, as Ocellaris quotes it: height over 2a at times in sqrt(a / g).
static const double heights[][2] = {{0.56, 0.94}, {0.77, 0.89}, {0.93, 0.83}, {1.08, 0.78}, {1.28, 0.72},
                                    {1.46, 0.67}, {1.66, 0.61}, {1.84, 0.56}, {2.00, 0.50}};
// Fig. 3, case B: leading edge in a at times in sqrt(a / 2g).
static const double edges[][2] = {{0.832, 1.217},  {1.219, 1.474},  {1.997, 2.292}, {2.547, 2.995},
                                  {3.345, 4.134},  {4.034, 4.944},  {4.418, 5.881}, {5.091, 6.980},
                                  {5.685, 7.945},  {6.306, 8.966},  {6.822, 9.986}, {7.439, 10.963},
                                  {8.031, 11.977}, {8.633, 13.005}, {9.237, 13.970}};
enum { HEIGHTS = sizeof heights / sizeof heights[0], EDGES = sizeof edges / sizeof edges[0] };

static void check_height(int across)
{
    SiltSph *sph = stand_column(across, SILT_SPH_WALL_LAW);
    for (int k = 0; k < HEIGHTS; k++) {
        run_until(sph, heights[k][0] * sqrt(a / gravity));
        assert_near(residue(sph) / (2.0 * a), heights[k][1], 0.1 * heights[k][1]);
    }
    silt_sph_destroy(sph);
}

// Table 2: leading edge at times in sqrt(a / 2g).
static const double stations[][2] = {{0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                                     {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                     {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
enum { STATIONS = sizeof stations / sizeof stations[0] };

// What theory says of the experiment. Its first two stations lie on a straight line from (0, 1), as water
// that starts from rest does not run. From then on to 4.11 it stands at each where theory stood 0.24 to 0.36
// before, 13 to 19 ms: the same motion, later. So by the experiment's own clock theory itself is more than 10
// % ahead of case B as long as it is run here, up to T = 4, and by 20 % at T = 1.2: nothing that is let go at
// once and has no friction can keep within 10 %.
static void martin_and_moyce_run_as_theory_but_late(void **state)
{
    (void)state;
    long_law();
    enum { POINTS = 205 };
    const double step = 0.02; // of T
    double curve[POINTS];
    Theory *theory = theory_start(2.0, 0.05);
    for (int k = 0; k < POINTS; k++) {
        theory_run(theory, k * step / sqrt(2.0));
        curve[k] = theory->now.x[0];
    }
    test_free(theory);
    for (int k = 1, i = 0; k < STATIONS; k++) {
        while (curve[i + 1] < stations[k][1])
            i++;
        double time = step * (i + (stations[k][1] - curve[i]) / (curve[i + 1] - curve[i]));
        assert_true(stations[k][0] - time > 0.24 && stations[k][0] - time < 0.36);
    }
    for (int k = 0; edges[k][0] < 4.1; k++) {
        int i = (int)(edges[k][0] / step);
        double here = curve[i] + (edges[k][0] / step - i) * (curve[i + 1] - curve[i]);
        assert_true(here > 1.1 * edges[k][1]);
        assert_true(k != 1 || here > 1.19 * edges[k][1]);
    }
}

// The time at which the front passes `place`, in `unit`.
static double time_of(int across, double place, double unit)
{
    SiltSph *sph = stand_column(across, SILT_SPH_WALL_LAW);
    while (front(sph) < place)
        run_until(sph, sph->time + 0.01 * unit);
    double time = sph->time / unit;
    silt_sph_destroy(sph);
    return time;
}

// By the experiment's own clock our front is ahead of it by up to 21 % at T = 1.2, as theory is, and within
// 10 % from 4.4 on; over the whole curve the deviation is 9 % in the mean square. With its clock set once,
// where table 2 has the front at 1.44, each point is within 10 %.
static void check_front(int across)
{
    const double unit = sqrt(a / (2.0 * gravity)), late = 1.19 - time_of(across, 1.44 * a, unit);
    assert_true(late > 0.2 && late < 0.35);
    SiltSph *sph = stand_column(across, SILT_SPH_WALL_LAW);
    run_until(sph, 0.41 * unit);
    assert_near(front(sph) / a, 1.11, 0.1 * 1.11);
    bool whole = getenv("SILT_LONG") != NULL;
    double squares = 0.0;
    for (int k = 0; k < (whole ? EDGES : EDGES - 4); k++) {
        double when = edges[k][0], wanted = edges[k][1];
        run_until(sph, (when - late) * unit);
        assert_near(front(sph) / a, wanted, 0.1 * wanted);
        run_until(sph, when * unit);
        assert_near(front(sph) / a, wanted, (when < 4.4 ? 0.21 : 0.1) * wanted);
        double ahead = front(sph) / a / wanted - 1.0;
        squares += ahead * ahead;
    }
    assert_true(!whole || sqrt(squares / EDGES) < 0.1);
    silt_sph_destroy(sph);
}

static void the_height_of_a_column_follows_martin_and_moyce(void **state)
{
    (void)state;
    long_law();
    check_height(12);
    if (getenv("SILT_LONG"))
        check_height(24);
}

static void the_front_of_a_column_follows_martin_and_moyce(void **state)
{
    (void)state;
    long_law();
    check_front(12);
    if (getenv("SILT_LONG"))
        check_front(24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_starts_as_potential_theory_says),
        cmocka_unit_test(potential_theory_keeps_its_own_laws),
        cmocka_unit_test(a_column_falls_as_potential_theory_says),
        cmocka_unit_test(martin_and_moyce_run_as_theory_but_late),
        cmocka_unit_test(the_height_of_a_column_follows_martin_and_moyce),
        cmocka_unit_test(the_front_of_a_column_follows_martin_and_moyce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
