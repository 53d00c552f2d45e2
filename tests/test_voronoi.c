// Random cells: the map of nearest seeds, and who touches whom.
#include "test.h"

#include "generate/region.h"
#include "generate/voronoi.h"
#include "physics/random.h"

static uint32_t draw(uint64_t *counter)
{
    return silt_random(3, 1, (*counter)++, 0).word[0];
}

static int nearest_by_looking_at_all(const SiltVoronoi *v, int i, int j)
{
    int64_t x = silt_lattice_centre(&v->lattice, i), y = silt_lattice_centre(&v->lattice, j),
            best = INT64_MAX;
    int winner = -1;
    for (int k = 0; k < v->count; k++) {
        int64_t dx = x - v->x[k], dy = y - v->y[k];
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            winner = k;
        }
    }
    return winner;
}

static void assert_nearest_everywhere(const SiltVoronoi *v, SiltWindow w)
{
    int32_t *labels = silt_alloc((size_t)(w.i1 - w.i0) * (size_t)(w.j1 - w.j0) * sizeof *labels),
            *label = labels;
    assert_non_null(labels);
    assert_ok(silt_voronoi_label(v, w, labels));
    for (int j = w.j0; j < w.j1; j++)
        for (int i = w.i0; i < w.i1; i++, label++)
            if (*label != nearest_by_looking_at_all(v, i, j))
                fail_msg("%d seeds on %d x %d: cell (%d, %d) went to seed %d, not %d", v->count,
                         v->lattice.width, v->lattice.height, i, j, *label,
                         nearest_by_looking_at_all(v, i, j));
    silt_free(labels);
}

static void every_cell_goes_to_its_nearest_seed(void **state)
{
    (void)state;
    uint64_t counter = 0;
    const int counts[] = {1, 2, 7, 16, 100, 400};
    for (int n = 0; n < 120; n++) {
        int width = 1 + (int)(draw(&counter) % 90), height = 1 + (int)(draw(&counter) % 90);
        SiltVoronoi v;
        assert_ok(silt_voronoi_draw(silt_lattice(width, height), counts[n % 6], (uint64_t)n, 1, 5, &v));
        SiltWindow w = silt_lattice_window(&v.lattice);
        if (n % 3 == 0) { // part of the map
            w.i0 = (int)(draw(&counter) % (uint32_t)width);
            w.j1 = 1 + (int)(draw(&counter) % (uint32_t)height);
        }
        assert_nearest_everywhere(&v, w);
        silt_voronoi_destroy(&v);
    }
}

// Seeds on a coarse grid: many in the same place, many cells as near to one as to another.
static void ties_go_to_the_lower_index(void **state)
{
    (void)state;
    uint64_t counter = 1000;
    for (int n = 0; n < 60; n++) {
        SiltLattice lattice = silt_lattice(33, 20);
        int32_t x[200], y[200], grain = (int32_t)1 << (lattice.shift + n % 3);
        int count = 1 + (int)(draw(&counter) % 200);
        for (int k = 0; k < count; k++) {
            x[k] = (int32_t)(draw(&counter) % 8) * grain;
            y[k] = (int32_t)(draw(&counter) % 5) * grain;
        }
        SiltVoronoi v;
        assert_ok(silt_voronoi_create(lattice, count, x, y, &v));
        assert_nearest_everywhere(&v, silt_lattice_window(&lattice));
        silt_voronoi_destroy(&v);
    }
}

static void all_seeds_in_one_place_are_one_cell(void **state)
{
    (void)state;
    int32_t x[50], y[50];
    SiltLattice lattice = silt_lattice(5, 40);
    for (int k = 0; k < 50; k++)
        x[k] = y[k] = 77777;
    SiltVoronoi v;
    assert_ok(silt_voronoi_create(lattice, 50, x, y, &v));
    int32_t labels[200];
    assert_ok(silt_voronoi_label(&v, silt_lattice_window(&lattice), labels));
    for (int k = 0; k < 200; k++)
        assert_int_equal(labels[k], 0);
    silt_voronoi_destroy(&v);
}

static void long_maps_and_more_seeds_than_cells(void **state)
{
    (void)state;
    SiltVoronoi v;
    assert_ok(silt_voronoi_draw(silt_lattice(2048, 3), 300, 1, 1, 0, &v));
    assert_nearest_everywhere(&v, silt_lattice_window(&v.lattice));
    silt_voronoi_destroy(&v);
    assert_ok(silt_voronoi_draw(silt_lattice(12, 9), 3000, 1, 1, 0, &v));
    assert_nearest_everywhere(&v, silt_lattice_window(&v.lattice));
    silt_voronoi_destroy(&v);
}

static void seeds_outside_the_map_are_refused(void **state)
{
    (void)state;
    SiltVoronoi v;
    const int32_t x[] = {-1}, y[] = {0};
    assert_fails(silt_voronoi_create(silt_lattice(4, 4), 1, x, y, &v), SILT_BAD_ARGUMENT, "outside the map");
    assert_fails(silt_voronoi_draw(silt_lattice(4, 4), 0, 1, 1, 0, &v), SILT_BAD_ARGUMENT, "at least one");
}

// Seeds are places on the map, not on the grid: twice the resolution shows the same cells.
static void finer_maps_show_the_same_cells(void **state)
{
    (void)state;
    SiltVoronoi coarse, fine;
    assert_ok(silt_voronoi_draw(silt_lattice(64, 64), 20, 9, 1, 0, &coarse));
    assert_ok(silt_voronoi_draw(silt_lattice(128, 128), 20, 9, 1, 0, &fine));
    for (int k = 0; k < 20; k++) {
        assert_near(silt_lattice_cells(&coarse.lattice, coarse.x[k]) * 2.0,
                    silt_lattice_cells(&fine.lattice, fine.x[k]), 1e-4);
        assert_near(silt_lattice_cells(&coarse.lattice, coarse.y[k]) * 2.0,
                    silt_lattice_cells(&fine.lattice, fine.y[k]), 1e-4);
    }
    silt_voronoi_destroy(&coarse);
    silt_voronoi_destroy(&fine);
}

enum { SIDE = 40, SEEDS = 30 };

static void neighbours_are_those_that_touch(void **state)
{
    (void)state;
    static int32_t labels[SIDE * SIDE];
    for (uint64_t n = 0; n < 20; n++) {
        static bool touch[SEEDS][SEEDS];
        memset(touch, 0, sizeof touch);
        SiltVoronoi v;
        SiltNeighbours neighbours;
        assert_ok(silt_voronoi_draw(silt_lattice(SIDE, SIDE), SEEDS, n, 1, 0, &v));
        assert_ok(silt_voronoi_label(&v, silt_lattice_window(&v.lattice), labels));
        assert_ok(silt_neighbours_from_labels(SEEDS, labels, SIDE, SIDE, &neighbours));
        for (int k = 0; k < SIDE * SIDE; k++) {
            if (k % SIDE + 1 < SIDE)
                touch[labels[k]][labels[k + 1]] = touch[labels[k + 1]][labels[k]] = true;
            if (k + SIDE < SIDE * SIDE)
                touch[labels[k]][labels[k + SIDE]] = touch[labels[k + SIDE]][labels[k]] = true;
        }
        for (int a = 0; a < SEEDS; a++) {
            int at = neighbours.start[a];
            for (int b = 0; b < SEEDS; b++)
                if (a != b && touch[a][b])
                    assert_true(at < neighbours.start[a + 1] && neighbours.neighbour[at++] == b);
            assert_int_equal(at, neighbours.start[a + 1]);
        }
        silt_neighbours_destroy(&neighbours);
        silt_voronoi_destroy(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_goes_to_its_nearest_seed),
        cmocka_unit_test(ties_go_to_the_lower_index),
        cmocka_unit_test(all_seeds_in_one_place_are_one_cell),
        cmocka_unit_test(long_maps_and_more_seeds_than_cells),
        cmocka_unit_test(seeds_outside_the_map_are_refused),
        cmocka_unit_test(finer_maps_show_the_same_cells),
        cmocka_unit_test(neighbours_are_those_that_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
