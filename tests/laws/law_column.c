// A column of water that collapses, against theory and against the experiments of Martin & Moyce (1952): a
// wide and 2a high, a = 2.25 in. Stiff equation of state, density by its rate, slip walls, a lattice let go
// at once; 12 particles to a, and 24 with SILT_LONG=1. Docs: models.md, "Particle water".
#include "../sph_help.h"

static const double a = 0.05715, gravity = 9.81, pi = 3.14159265358979323846;

static SiltSph *stand_column(int across)
{
    enum { WIDTH = 4 };
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = a / across;
    config.capacity = 2 * WIDTH * across * across;
    config.sound = 10.0 * sqrt(2.0 * gravity * 2.0 * a);
    config.high[0] = 18.0 * a, config.high[1] = WIDTH * config.spacing, config.high[2] = 3.0 * a;
    config.walls = SILT_SPH_WALL_LAW;
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
    SiltSph *sph = stand_column(ACROSS);
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

// ---- Martin & Moyce ----

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

// How high it still stands: the mean depth over the quarter of a at the back.
static double residue(const SiltSph *sph)
{
    int count = 0;
    for (int i = 0; i < sph->count; i++)
        count += (double)sph->now.x[i] < 0.25 * a;
    return count * pow(sph->config.spacing, 3.0) / (0.25 * a * sph->config.high[1]);
}

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
    SiltSph *sph = stand_column(across);
    for (int k = 0; k < HEIGHTS; k++) {
        run_until(sph, heights[k][0] * sqrt(a / gravity));
        assert_near(residue(sph) / (2.0 * a), heights[k][1], 0.1 * heights[k][1]);
    }
    silt_sph_destroy(sph);
}

// The time at which the front passes `place`, in `unit`.
static double time_of(int across, double place, double unit)
{
    SiltSph *sph = stand_column(across);
    while (front(sph) < place)
        run_until(sph, sph->time + 0.01 * unit);
    double time = sph->time / unit;
    silt_sph_destroy(sph);
    return time;
}

// The experiment's front starts as theory has it (1.11 at 0.41, table 2), then hardly moves until 0.84, and
// from there on runs beside ours 0.3 of its unit of time late. So its clock is set once, where table 2 has
// the front at 1.44, and then each point is within 10 %. By its own clock the front is ahead of it by up to
// 21 % there, and within 10 % from 4.4 on; over the whole curve the deviation is 9 % in the mean square.
static void check_front(int across)
{
    const double unit = sqrt(a / (2.0 * gravity)), late = 1.19 - time_of(across, 1.44 * a, unit);
    assert_true(late > 0.2 && late < 0.35);
    SiltSph *sph = stand_column(across);
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
    check_height(12);
    if (getenv("SILT_LONG"))
        check_height(24);
}

static void the_front_of_a_column_follows_martin_and_moyce(void **state)
{
    (void)state;
    check_front(12);
    if (getenv("SILT_LONG"))
        check_front(24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_starts_as_potential_theory_says),
        cmocka_unit_test(the_height_of_a_column_follows_martin_and_moyce),
        cmocka_unit_test(the_front_of_a_column_follows_martin_and_moyce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
