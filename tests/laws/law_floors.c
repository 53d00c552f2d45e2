// The laws of valley floors in `rivers`: they are as wide as their rivers are, to the power 0.4 of the
// catchment; a river that wanders leaves terraces; slides leave no furrows; and no bed of a
// stream is steeper than debris lets it be.
#include "erode_help.h"

#include "silt/drainage.h"

enum { WIDE = 161, LONG = 420, AXIS = 80, STEPS = 20 };

// A trough that falls to the south, with a river along its axis.
static SiltTerrain *make_trough(void)
{
    SiltTerrain *terrain = make_terrain(WIDE, LONG, 10.0);
    for (int j = 0; j < LONG; j++)
        for (int i = 0; i < WIDE; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                (float)(0.2 * (LONG - j) + 1.0 * abs(i - AXIS));
    return terrain;
}

// How many cells on one side (-1: west) of the lowest of row j lie less than `above` metres over it.
static int floor_width(const SiltTerrain *terrain, int j, int side, double above)
{
    int lowest = AXIS - 30, count = 0;
    for (int i = AXIS - 30; i <= AXIS + 30; i++)
        lowest = ground_at(terrain, i, j) < ground_at(terrain, lowest, j) ? i : lowest;
    for (int i = lowest + side;
         i > 0 && i < WIDE && ground_at(terrain, i, j) < ground_at(terrain, lowest, j) + above; i += side)
        count++;
    return count;
}

#define TROUGH                                                                                               \
    "channel_width=10 strength_variation=0 slide_size=0 deposition=0 step=2000 lateral=0.02 "                \
    "diffusion=0.003 slide_time=10000 "

static void floors_widen_with_their_rivers(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_trough();
    erode_steps(terrain, "rivers", TROUGH "uplift=2e-3 incision=5e-5 wander=0", STEPS);
    double width[2] = {0.0, 0.0}; // with a catchment of about 1.3 and of 5.2 km2
    for (int n = -10; n <= 10; n++)
        for (int k = 0; k < 2; k++)
            for (int side = -1; side <= 1; side += 2)
                width[k] += floor_width(terrain, k ? 320 + n : 80 + n, side, 2.0) / 21.0;
    double power = log(width[1] / width[0]) / log(4.0);
    printf("floors of %.1f and %.1f cells: as the catchment to the power %.2f\n", width[0], width[1], power);
    assert_true(power > 0.25 && power < 0.55);
    assert_true(width[0] > 6.0);
    silt_terrain_destroy(terrain);
}

// How much wider the floor is on one side of a river than on the other, on average. A river that cuts down
// while it wanders has a side that it has just left, now here and now there, and which stands above it.
static double lopsided(const char *settings)
{
    SiltTerrain *terrain = make_trough();
    erode_steps(terrain, "rivers", settings, STEPS);
    double sum = 0.0, all = 0.0;
    for (int j = 100; j < 400; j++) {
        int west = floor_width(terrain, j, -1, 2.0), east = floor_width(terrain, j, 1, 2.0);
        sum += abs(west - east);
        all += west + east;
    }
    silt_terrain_destroy(terrain);
    return sum / all;
}

static void rivers_that_wander_leave_terraces(void **state)
{
    (void)state;
    double still = lopsided(TROUGH "uplift=3e-3 incision=1e-4 wander=0");
    double wanders = lopsided(TROUGH "uplift=3e-3 incision=1e-4 wander=0.8");
    printf("sides of a floor differ by %.2f of it, and by %.2f where rivers wander\n", still, wanders);
    assert_true(wanders > 1.5 * still);
}

// The least of the second differences of height along four lines through a cell: small on slopes, ridges and
// in valleys however they run, and large only where single cells stand out or lie deep.
static double bump(const SiltTerrain *t, int i, int j)
{
    static const int way[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    double least = 1e9, own = ground_at(t, i, j);
    for (int k = 0; k < 4; k++) {
        int u = way[k][0], v = way[k][1];
        least = fmin(least, fabs(ground_at(t, i + u, j + v) - 2.0 * own + ground_at(t, i - u, j - v)));
    }
    return least;
}

// Steep land of which all comes down in slides, away from streams: slides whose rims were as sharp as the
// grid allows left 0.15 of a cell.
static void slides_leave_no_furrows(void **state)
{
    (void)state;
    enum { SIDE = 128 };
    const double cell = 8.0;
    double sum = 0.0, count = 0.0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, cell);
        make_rough(terrain, seed, 80.0f);
        erode_steps(terrain, "rivers",
                    "uplift=0.002 diffusion=0.002 incision=1.3e-4 source_area=6500 slide_time=1000 step=1500",
                    60);
        SiltDrainage *drainage;
        silt_terrain_settle(terrain);
        assert_ok(silt_drainage_create(terrain, &(SiltDrainageOptions){.straight = true}, &drainage));
        for (int j = 4; j + 4 < SIDE; j++)
            for (int i = 4; i + 4 < SIDE; i++)
                if (silt_drainage_catchment(drainage, j * SIDE + i) < 6500.0) {
                    sum += bump(terrain, i, j) / cell;
                    count++;
                }
        silt_drainage_destroy(drainage);
        silt_terrain_destroy(terrain);
    }
    printf("slopes are bumpy by %.3f of a cell\n", sum / count);
    assert_true(sum / count < 0.07);
}

// Fast uplift makes streams as steep as slopes, but for debris.
static void debris_keeps_beds_below_its_slope(void **state)
{
    (void)state;
    enum { SIDE = 120 };
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain = make_terrain(SIDE, SIDE, 30.0);
        make_rough(terrain, 2, 100.0f);
        erode_steps(terrain, "rivers",
                    k ? "uplift=0.004 slide_time=0 strength_variation=0 chute_slope=0.65 diffusion=0"
                      : "uplift=0.004 slide_time=0 strength_variation=0 chute_slope=1 diffusion=0",
                    60);
        SiltDrainage *drainage;
        silt_terrain_settle(terrain);
        assert_ok(silt_drainage_create(terrain, &(SiltDrainageOptions){.straight = true}, &drainage));
        double steep = 0.0, streams = 0.0;
        for (int32_t c = 0; c < SIDE * SIDE; c++) {
            int32_t to = drainage->receiver[c];
            if (to == c || silt_drainage_catchment(drainage, c) < 6e4)
                continue;
            double far = 30.0 * hypot(to % SIDE - c % SIDE, to / SIDE - c / SIDE);
            double fall = ground_at(terrain, c % SIDE, c / SIDE) - ground_at(terrain, to % SIDE, to / SIDE);
            steep += fall / far > 0.66 * 0.8391; // tan 40 degrees
            streams++;
        }
        printf("%.3f of the beds are steeper\n", steep / streams);
        assert_true(k ? steep < 0.05 * streams : steep > 0.15 * streams);
        silt_drainage_destroy(drainage);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_widen_with_their_rivers),
        cmocka_unit_test(rivers_that_wander_leave_terraces),
        cmocka_unit_test(slides_leave_no_furrows),
        cmocka_unit_test(debris_keeps_beds_below_its_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
