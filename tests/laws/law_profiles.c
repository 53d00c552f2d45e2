// What is measured on rivers and lines: steady rivers have the steepness that their law gives them, planes
// are planes, and water is neither lost nor made between the map, the vectors and the profile.
#include <math.h>
#include <string.h>

#include "erode_help.h"
#include "io/river_set.h"
#include "silt/profile.h"
#include "terrain/streams.h"

static SiltRiverOptions options(void)
{
    SiltRiverOptions out;
    assert_ok(silt_params_init(&silt_river_params, &out));
    return out;
}

static SiltTerrain *make_land(int width, int height, double cell, double slope, double rough)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, cell, &terrain));
    uint32_t state = 7;
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            state = state * 1664525u + 1013904223u;
            silt_field_row(&terrain->layers[0]->field, j)[i] =
                (float)(slope * cell * j + rough * (double)(state >> 8) / 16777216.0);
        }
    return terrain;
}

// K A^m S^n = U at rest: S = (U / K)^(1/n) A^-(m/n), so height over chi is straight and ksn = (U / K)^(1/n).
static void steady_rivers_have_the_steepness_of_their_law(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        double m, n, k;
    } cases[] = {{"area_exponent=0.45 slope_exponent=1 incision=1e-5", 0.45, 1.0, 1e-5},
                 {"area_exponent=0.9 slope_exponent=2 incision=1e-7", 0.9, 2.0, 1e-7}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        SiltTerrain *terrain = make_land(48, 40, 100.0, 0.001, 1.0);
        char settings[256];
        snprintf(
            settings, sizeof settings,
            "%s deposition=0 diffusion=0 source_area=0 critical_slope=89 uplift=1e-3 step=6e4 sides=fixed",
            cases[c].settings);
        erode_steps(terrain, "rivers", settings, 170);
        silt_terrain_settle(terrain);
        SiltRiverOptions how = options();
        how.concavity = cases[c].m / cases[c].n;
        how.channel_area = 20.0 * 1e4;
        SiltTable table;
        assert_ok(silt_profile_river(terrain, &how, NULL, &table));
        double wanted = pow(1e-3 / cases[c].k, 1.0 / cases[c].n);
        int rows = 0;
        // straight: every point lies on the line from the mouth with the slope of the law
        const double *mouth = table.values;
        for (int k = 1; k < table.rows; k++) {
            const double *row = table.values + (size_t)k * (size_t)table.columns;
            if (row[5] < how.channel_area)
                continue;
            assert_near((row[4] - mouth[4]) / row[7], wanted, 0.01 * wanted);
            assert_near(row[8], wanted, 0.01 * wanted);
            rows++;
        }
        assert_true(rows > 10);
        silt_table_destroy(&table);
        // and so in every reach of the map, whatever A0 is
        for (int pass = 0; pass < 2; pass++) {
            SiltRiverSet set;
            how.reference_area = pass ? 1e6 : 1.0;
            assert_ok(silt_river_set_make(terrain, &how, &set));
            assert_true(set.river_count > 3);
            for (int k = 0; k < set.river_count; k++)
                assert_near(set.rivers[k].values[SILT_RIVER_VALUES - 1], wanted, 0.03 * wanted);
            silt_river_set_free(&set);
        }
        silt_terrain_destroy(terrain);
    }
}

static double value(const SiltRiverShape *river, const char *name)
{
    for (int k = 0; k < SILT_RIVER_VALUES; k++)
        if (strcmp(silt_river_columns[k].name, name) == 0)
            return river->values[k];
    fail();
    return NAN;
}

// Along the vectors water only gathers: a river has at least what those above it bring, and what the map
// says.
static void water_gathers_along_the_vectors(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_land(90, 70, 20.0, 0.02, 3.0);
    SiltRiverOptions how = options();
    SiltRiverSet set;
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    assert_ok(silt_river_set_make(terrain, &how, &set));
    double *brought = silt_alloc((size_t)(set.river_count + 1) * sizeof *brought);
    for (int k = 0; k < set.river_count; k++) {
        const SiltRiverShape *river = &set.rivers[k];
        double down = value(river, "downstream"), area = value(river, "catchment_area");
        assert_near(value(river, "id"), k + 1, 0.0);
        assert_true(value(river, "from_elevation") >= value(river, "to_elevation"));
        assert_true(value(river, "from_chi") > value(river, "to_chi"));
        const SiltRiverPart *part = &set.parts[river->first_part];
        const SiltRiverPoint *last = &set.points[part->first + (size_t)part->count - 1], *before = last - 1;
        int32_t cell = (int32_t)((70.0 - before->y / 20.0)) * 90 + (int32_t)(before->x / 20.0);
        assert_near(area, silt_drainage_catchment(d, cell), 0.0);
        if (isnan(down)) {
            assert_near(value(river, "to_chi"), 0.0, 0.0);
            continue;
        }
        brought[(int)down] += area;
        // it ends where the one it flows into begins, at the same height
        const SiltRiverShape *next = &set.rivers[(int)down - 1];
        const SiltRiverPoint *first = &set.points[set.parts[next->first_part].first];
        assert_true(first->x == last->x && first->y == last->y);
        assert_near(value(next, "from_elevation"), value(river, "to_elevation"), 0.0);
        assert_near(value(next, "from_chi"), value(river, "to_chi"), 0.0);
        assert_true(value(next, "order") >= value(river, "order"));
    }
    for (int k = 0; k < set.river_count; k++)
        assert_true(value(&set.rivers[k], "catchment_area") > brought[k + 1]);
    silt_free(brought);
    silt_river_set_free(&set);
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

// Following the codes from any cell leads where the drainage leads, and filled ground never rises on the way.
static void directions_lead_down(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_land(60, 50, 10.0, 0.01, 5.0);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int k = 0; k < 9; k++)
        terrain->nodata[(20 + k / 3) * 60 + 30 + k % 3] = 1;
    SiltDrainage *d;
    SiltRiverOptions how = options();
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    assert_ok(silt_rivers_analyse(d, &how, terrain));
    const SiltField *way = silt_terrain_layer(terrain, "flow_direction"),
                    *filled = silt_terrain_layer(terrain, "filled");
    static const int steps[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int32_t c = 0; c < 60 * 50; c++) {
        int i = c % 60, j = c / 60, code = (int)silt_field_at(way, i, j);
        if (terrain->nodata[c]) {
            assert_int_equal(code, 0);
            continue;
        }
        int x = i, y = j;
        for (int k = 0; k < 8; k++)
            if (code == 1 << k)
                x += steps[k][0], y += steps[k][1];
        assert_int_equal(d->receiver[c], y * 60 + x);
        assert_true(silt_field_at(filled, x, y) <= silt_field_at(filled, i, j));
        assert_true(silt_field_at(filled, i, j) >= silt_field_at(&terrain->layers[0]->field, i, j));
        assert_true(isfinite(silt_field_at(silt_terrain_layer(terrain, "ksn"), i, j)));
    }
    silt_drainage_destroy(d);
    silt_terrain_destroy(terrain);
}

// Between cells heights are those of the plane, at the corners of the map too; so are those of its swath.
static void a_plane_stays_a_plane(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(33, 21, 10.0, &terrain));
    for (int j = 0; j < 21; j++)
        for (int i = 0; i < 33; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = 4.0f * (float)i + 2.0f * (float)(20 - j);
    // x = 10 i + 5, y = 10 (20 - j) + 5: height = 0.4 (x - 5) + 0.2 (y - 5)
    double line[] = {0.0, 0.0, 330.0, 210.0, 5.0, 205.0};
    SiltTable table;
    assert_ok(silt_profile_transect(terrain, line, 3, 7.0, 30.0, &table));
    for (int k = 0; k < table.rows; k++) {
        const double *row = table.values + (size_t)k * (size_t)table.columns;
        assert_near(row[3], 0.4 * (row[1] - 5.0) + 0.2 * (row[2] - 5.0), 1e-4);
        assert_true(row[4] <= row[5] + 1e-9 && row[5] <= row[6] + 1e-9);
    }
    double length = hypot(330.0, 210.0) + hypot(325.0, 5.0);
    assert_near(table.values[(size_t)(table.rows - 1) * (size_t)table.columns], length, 1e-9);
    assert_near(table.values[(size_t)(table.rows - 1) * (size_t)table.columns + 1], 5.0, 1e-9);
    silt_table_destroy(&table);
    // half of a block lies below a plane, and the curve is straight
    double integral;
    for (int j = 0; j < 21; j++)
        for (int i = 0; i < 33; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = 3.0f * (float)i;
    assert_ok(silt_profile_hypsometry(terrain, 32, &table, &integral));
    assert_near(integral, 0.5, 1e-9);
    for (int k = 0; k < table.rows; k++)
        assert_near(table.values[3 * k + 2], 1.0 - table.values[3 * k], 1.0 / 32.0);
    silt_table_destroy(&table);
    silt_terrain_destroy(terrain);
}

// Where there is no data there is no number, and it is no NaN in a file.
static void nodata_leaves_gaps(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_land(20, 20, 1.0, 0.1, 0.0);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int j = 8; j < 12; j++)
        for (int i = 8; i < 12; i++)
            terrain->nodata[j * 20 + i] = 1;
    double line[] = {0.5, 10.0, 19.5, 10.0};
    SiltTable table;
    assert_ok(silt_profile_transect(terrain, line, 2, 0.0, 0.0, &table));
    int gaps = 0;
    for (int k = 0; k < table.rows; k++)
        gaps += isnan(table.values[4 * k + 3]);
    assert_true(gaps >= 4 && gaps <= 6);
    char *csv = silt_table_csv(&table), *json = silt_table_json(&table);
    assert_null(strstr(csv, "nan"));
    assert_non_null(strstr(csv, ",\n"));
    assert_non_null(strstr(json, "null"));
    silt_free(csv);
    silt_free(json);
    silt_table_destroy(&table);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_rivers_have_the_steepness_of_their_law),
        cmocka_unit_test(water_gathers_along_the_vectors),
        cmocka_unit_test(directions_lead_down),
        cmocka_unit_test(a_plane_stays_a_plane),
        cmocka_unit_test(nodata_leaves_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
