// What holds for water on any ground.
#include "terrains.h"

#include "silt/drainage.h"

// Hills, hills with holes, terraces full of ties, and noise from cell to cell.
static SiltTerrain *ground(int kind)
{
    SiltTerrain *terrain = hills(131, 97, (uint64_t)kind);
    SiltField *height = &terrain->layers[0]->field;
    if (kind == 1) {
        punch(terrain, 40, 40, 11);
        punch(terrain, 130, 20, 9);
    }
    for (int j = 0; j < 97; j++) {
        for (int i = 0; i < 131; i++) {
            float *cell = &silt_field_row(height, j)[i];
            if (kind == 2)
                *cell = 20.0f * floorf(*cell / 20.0f);
            if (kind == 3)
                *cell = lattice(99, i, j, 0);
        }
    }
    return terrain;
}

enum { KINDS = 4 };

static bool beside_outside(const SiltTerrain *terrain, int i, int j)
{
    for (int y = j - 1; y <= j + 1; y++)
        for (int x = i - 1; x <= i + 1; x++)
            if (x < 0 || y < 0 || x >= terrain->width || y >= terrain->height ||
                silt_terrain_is_nodata(terrain, x, y))
                return true;
    return false;
}

static void filled_ground_has_no_pits(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        SiltTerrain *terrain = ground(kind);
        SiltField filled, again;
        assert_ok(silt_field_create(131, 97, &filled));
        assert_ok(silt_field_create(131, 97, &again));
        assert_ok(silt_terrain_fill(terrain, &filled));
        int raised = 0;
        for (int j = 0; j < 97; j++) {
            for (int i = 0; i < 131; i++) {
                float level = silt_field_at(&filled, i, j),
                      was = silt_field_at(&terrain->layers[0]->field, i, j);
                if (silt_terrain_is_nodata(terrain, i, j))
                    continue;
                assert_true(level >= was);
                raised += level > was;
                if (beside_outside(terrain, i, j)) {
                    assert_true(level == was);
                    continue;
                }
                // never below all its neighbours, and where it rose, to the level of one of them exactly
                float lowest = INFINITY;
                for (int k = 0; k < 9; k++)
                    if (k != 4)
                        lowest = fminf(lowest, silt_field_at(&filled, i + k % 3 - 1, j + k / 3 - 1));
                assert_true(level >= lowest);
                assert_true(level == was || level == lowest);
            }
        }
        assert_true(raised > 0);
        silt_field_copy(&filled, &terrain->layers[0]->field);
        assert_ok(silt_terrain_fill(terrain, &again));
        assert_same_field(&filled, &again); // filling twice is filling once
        silt_field_destroy(&filled);
        silt_field_destroy(&again);
        silt_terrain_destroy(terrain);
    }
}

// Slow and plain: raise every cell to the lowest neighbour until nothing changes (Planchon & Darboux 2001).
static void filling_agrees_with_a_plain_method(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        SiltTerrain *terrain = ground(kind);
        SiltField filled, *height = &terrain->layers[0]->field;
        assert_ok(silt_field_create(131, 97, &filled));
        assert_ok(silt_terrain_fill(terrain, &filled));
        static float plain[97][131];
        for (int j = 0; j < 97; j++)
            for (int i = 0; i < 131; i++)
                plain[j][i] = beside_outside(terrain, i, j) ? silt_field_at(height, i, j) : INFINITY;
        for (bool changed = true; changed;) {
            changed = false;
            for (int j = 1; j < 96; j++) {
                for (int i = 1; i < 130; i++) {
                    if (beside_outside(terrain, i, j))
                        continue;
                    float lowest = INFINITY;
                    for (int k = 0; k < 9; k++)
                        lowest = fminf(lowest, k == 4 ? INFINITY : plain[j + k / 3 - 1][i + k % 3 - 1]);
                    float level = fmaxf(silt_field_at(height, i, j), lowest);
                    changed = changed || level < plain[j][i];
                    plain[j][i] = fminf(plain[j][i], level);
                }
            }
        }
        for (int j = 0; j < 97; j++)
            for (int i = 0; i < 131; i++)
                if (!silt_terrain_is_nodata(terrain, i, j))
                    assert_true(silt_field_at(&filled, i, j) == plain[j][i]);
        silt_field_destroy(&filled);
        silt_terrain_destroy(terrain);
    }
}

// Every cell drains, downhill, through each cell before its receiver, and all of it arrives.
static void every_drop_arrives(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int lakes = 0; lakes < 2; lakes++) {
            SiltTerrain *terrain = ground(kind);
            SiltDrainageOptions options = {.lakes = lakes};
            SiltDrainage *d;
            assert_ok(silt_drainage_create(terrain, &options, &d));
            int cells = 131 * 97, with_data = 0;
            int *place = malloc((size_t)cells * sizeof *place);
            for (int c = 0; c < cells; c++) {
                place[c] = -1;
                with_data += !silt_terrain_is_nodata(terrain, c % 131, c / 131);
            }
            assert_int_equal(d->count, with_data);
            for (int k = 0; k < d->count; k++) {
                assert_int_equal(place[d->order[k]], -1); // each once
                place[d->order[k]] = k;
            }
            uint64_t arrived = 0;
            for (int k = 0; k < d->count; k++) {
                int c = d->order[k], to = d->receiver[c];
                assert_true(to == c || place[to] > k);
                assert_true(abs(to % 131 - c % 131) <= 1 && abs(to / 131 - c / 131) <= 1);
                assert_true(silt_field_at(&d->surface, to % 131, to / 131) <=
                            silt_field_at(&d->surface, c % 131, c / 131));
                arrived += to == c ? d->area[c] : 0;
                if (to == c)
                    assert_true(beside_outside(terrain, c % 131, c / 131));
            }
            assert_int_equal(arrived, with_data);
            free(place);
            silt_drainage_destroy(d);
            silt_terrain_destroy(terrain);
        }
    }
}

// Shared among all lower neighbours, water is neither lost nor made, on any number of threads, and no cell
// has less than its own.
static void shared_water_arrives(void **state)
{
    (void)state;
    static const double powers[] = {1.0, 1.1, 6.0};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int n = 0; n < 6; n++) {
            SiltTerrain *terrain = ground(kind);
            SiltDrainageOptions options = {.lakes = n / 3, .straight = n & 1, .multiple = powers[n % 3]};
            SiltDrainage *d, *e;
            silt_set_threads(1);
            assert_ok(silt_drainage_create(terrain, &options, &d));
            silt_set_threads(3);
            assert_ok(silt_drainage_create(terrain, &options, &e));
            assert_memory_equal(d->flow, e->flow, (size_t)131 * 97 * sizeof *d->flow);
            uint64_t arrived = 0;
            int spread = 0;
            for (int c = 0; c < 131 * 97; c++) {
                arrived += d->receiver[c] == c ? d->flow[c] : 0;
                spread += d->receiver[c] >= 0 && d->flow[c] % SILT_FLOW_ONE != 0;
                assert_true(d->receiver[c] < 0 ? d->flow[c] == 0 : d->flow[c] >= SILT_FLOW_ONE);
            }
            assert_true(arrived == (uint64_t)d->count * SILT_FLOW_ONE);
            assert_true(spread > 1000);
            silt_drainage_destroy(d);
            silt_drainage_destroy(e);
            silt_terrain_destroy(terrain);
        }
    }
    silt_set_threads(0);
}

// On a cone every direction gets as much: round a ring shared water differs by a few parts in a hundred,
// where a single way has rays and shadows.
static void shared_water_leaves_a_cone_evenly(void **state)
{
    (void)state;
    enum { SIDE = 201, MIDDLE = 100, SECTORS = 16 };
    double unevenness[2];
    for (int shared = 0; shared < 2; shared++) {
        SiltTerrain *terrain;
        assert_ok(silt_terrain_create(SIDE, SIDE, 10.0, &terrain));
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                silt_field_row(&terrain->layers[0]->field, j)[i] =
                    (float)(2000.0 - hypot(i - MIDDLE, j - MIDDLE));
        SiltDrainageOptions options = {.multiple = shared ? 1.0 : 0.0};
        SiltDrainage *d;
        assert_ok(silt_drainage_create(terrain, &options, &d));
        double worst = 0.0; // what runs through a cell, over what a cone brings to the width of one
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double radius = hypot(i - MIDDLE, j - MIDDLE);
                if (fabs(radius - 80.0) < 0.5)
                    worst = fmax(
                        worst, fabs(silt_drainage_catchment(d, j * SIDE + i) / (100.0 * 0.5 * radius) - 1.0));
            }
        unevenness[shared] = worst;
        silt_drainage_destroy(d);
        silt_terrain_destroy(terrain);
    }
    assert_true(unevenness[1] < 0.2 && unevenness[0] > 5.0 * unevenness[1]);
}

// Carving only lowers, filling only raises, and neither leaves a closed depression.
static void carved_ground_has_no_pits(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        SiltTerrain *terrain = ground(kind);
        SiltDrainageOptions options = {.lakes = SILT_LAKES_CARVE};
        SiltDrainage *d;
        SiltDrainageStatistics s;
        assert_ok(silt_drainage_create(terrain, &options, &d));
        for (int j = 0; j < 97; j++)
            for (int i = 0; i < 131; i++)
                if (!silt_terrain_is_nodata(terrain, i, j))
                    assert_true(silt_field_at(&d->surface, i, j) <=
                                silt_field_at(&terrain->layers[0]->field, i, j));
        silt_field_copy(&d->surface, &terrain->layers[0]->field);
        assert_ok(silt_drainage_statistics(terrain, &s));
        assert_true(s.pit_fraction == 0.0);
        silt_drainage_destroy(d);
        silt_terrain_destroy(terrain);
    }
}

static void upside_down_swaps_pits_and_peaks(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        SiltTerrain *terrain = ground(kind);
        SiltDrainageStatistics up, down;
        assert_ok(silt_drainage_statistics(terrain, &up));
        silt_field_scale(&terrain->layers[0]->field, -1.0f, 0.0f);
        assert_ok(silt_drainage_statistics(terrain, &down));
        assert_true(up.pit_fraction > 0.0 && up.pit_fraction == down.peak_fraction);
        assert_true(up.peak_fraction == down.pit_fraction);
        assert_near(up.pit_peak_ratio * down.pit_peak_ratio, 1.0, 1e-12);
        assert_near(up.hypsometric_integral + down.hypsometric_integral, 1.0, 1e-6);
        assert_near(up.spectral_slope, down.spectral_slope, 1e-9);
        silt_terrain_destroy(terrain);
    }
}

static void turned_ground_is_the_same_ground(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        SiltTerrain *terrain = ground(kind), *turned;
        SiltDrainageStatistics a, b;
        assert_ok(silt_terrain_rotate(terrain, 1, &turned));
        assert_ok(silt_drainage_statistics(terrain, &a));
        assert_ok(silt_drainage_statistics(turned, &b));
        assert_true(a.pit_fraction == b.pit_fraction && a.peak_fraction == b.peak_fraction);
        assert_near(a.mean_pit_depth, b.mean_pit_depth, 1e-9);
        assert_near(a.hypsometric_integral, b.hypsometric_integral, 1e-9);
        assert_near(a.spectral_slope, b.spectral_slope, 0.1); // the window lies a cell further off
        if (kind == 0) {                                      // no ties: the very same rivers
            SiltDrainage *d, *e;
            assert_ok(silt_drainage_create(terrain, NULL, &d));
            assert_ok(silt_drainage_create(turned, NULL, &e));
            int differ = 0;
            for (int j = 0; j < 97; j++)
                for (int i = 0; i < 131; i++)
                    differ += d->area[j * 131 + i] != e->area[i * 97 + 96 - j];
            assert_true(differ < 131 * 97 / 10); // lakes hold ties
            silt_drainage_destroy(d);
            silt_drainage_destroy(e);
        }
        silt_terrain_destroy(terrain);
        silt_terrain_destroy(turned);
    }
}

// Twice the height or twice the cell: shares and exponents stay, metres follow.
static void units_carry_through(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(300, 300, 12);
    terrain->cell = 30.0;
    SiltDrainageStatistics a, b;
    assert_ok(silt_drainage_statistics(terrain, &a));
    silt_field_scale(&terrain->layers[0]->field, 2.0f, 0.0f);
    assert_ok(silt_drainage_statistics(terrain, &b));
    assert_true(a.pit_fraction == b.pit_fraction && a.drainage_density == b.drainage_density);
    assert_near(b.mean_pit_depth, 2.0 * a.mean_pit_depth, 1e-9);
    assert_near(b.concavity, a.concavity, 1e-9);
    assert_near(b.hack, a.hack, 1e-12);
    assert_near(b.spectral_slope, a.spectral_slope, 1e-9);
    silt_terrain_destroy(terrain);
}

// A surface made of waves whose power falls as k^-beta gives beta back.
static void spectrum_gives_back_its_slope(void **state)
{
    (void)state;
    for (int beta = 2; beta <= 4; beta++) {
        SiltTerrain *terrain;
        assert_ok(silt_terrain_create(128, 128, 5.0, &terrain));
        for (int v = 0; v < 40; v++) {
            for (int u = v == 0 ? 1 : -40; u <= 40; u++) {
                double k2 = u * u + v * v, phase = 3.14159265 * (double)lattice(7, u, v, beta);
                if (k2 > 1600.0 || lattice(8, u, v, beta) > -0.2f) // a part of them is enough
                    continue;
                double amplitude = 100.0 * pow(k2, -0.25 * beta);
                for (int j = 0; j < 128; j++)
                    for (int i = 0; i < 128; i++)
                        silt_field_row(&terrain->layers[0]->field, j)[i] +=
                            (float)(amplitude * cos(6.283185307 * (u * i + v * j) / 128.0 + phase));
            }
        }
        SiltDrainageStatistics s;
        assert_ok(silt_drainage_statistics(terrain, &s));
        assert_near(s.spectral_slope, beta, 0.3);
        silt_terrain_destroy(terrain);
    }
}

// A hillside whose slope falls as area^-0.45 along one long valley gives 0.45 back.
static void concavity_gives_back_its_exponent(void **state)
{
    (void)state;
    enum { W = 201, L = 800 };
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(W, L, 30.0, &terrain));
    // water runs straight to the middle column, then along it: the area there grows by W cells a row
    double floor_height = 0.0;
    for (int j = L - 1; j >= 0; j--) {
        for (int i = 0; i < W; i++) {
            int aside = abs(i - W / 2);
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)(floor_height + 300.0 * aside);
        }
        floor_height += 30.0 * 2.0 * pow((double)W * (j + 1), -0.45);
    }
    SiltDrainageStatistics s;
    assert_ok(silt_drainage_statistics(terrain, &s));
    assert_near(s.concavity, 0.45, 0.05);
    assert_true(s.concavity_r2 > 0.9);
    assert_true(s.pit_fraction == 0.0);
    silt_terrain_destroy(terrain);
}

static void same_on_any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int lakes = 0; lakes < 2; lakes++) {
            SiltTerrain *terrain = ground(kind);
            SiltDrainageOptions options = {.lakes = lakes};
            SiltDrainage *first = NULL;
            SiltDrainageStatistics first_statistics = {0}, s;
            for (int k = 0; k < 4; k++) {
                SiltDrainage *d;
                silt_set_threads(threads[k]);
                assert_ok(silt_drainage_create(terrain, &options, &d));
                assert_ok(silt_drainage_statistics(terrain, &s));
                if (k == 0) {
                    first = d;
                    first_statistics = s;
                    continue;
                }
                size_t cells = (size_t)131 * 97;
                assert_memory_equal(first->receiver, d->receiver, cells * sizeof *d->receiver);
                assert_memory_equal(first->order, d->order, (size_t)d->count * sizeof *d->order);
                assert_memory_equal(first->area, d->area, cells * sizeof *d->area);
                assert_same_field(&first->surface, &d->surface);
                assert_memory_equal(&first_statistics, &s, sizeof s);
                silt_drainage_destroy(d);
            }
            silt_drainage_destroy(first);
            silt_terrain_destroy(terrain);
        }
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_ground_has_no_pits),
        cmocka_unit_test(filling_agrees_with_a_plain_method),
        cmocka_unit_test(every_drop_arrives),
        cmocka_unit_test(shared_water_arrives),
        cmocka_unit_test(shared_water_leaves_a_cone_evenly),
        cmocka_unit_test(carved_ground_has_no_pits),
        cmocka_unit_test(upside_down_swaps_pits_and_peaks),
        cmocka_unit_test(turned_ground_is_the_same_ground),
        cmocka_unit_test(units_carry_through),
        cmocka_unit_test(spectrum_gives_back_its_slope),
        cmocka_unit_test(concavity_gives_back_its_exponent),
        cmocka_unit_test(same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
