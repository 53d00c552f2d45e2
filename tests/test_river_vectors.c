#include "terrains.h"

#include "silt/rivers.h"

static SiltRiverOptions options(void)
{
    SiltRiverOptions out;
    assert_ok(silt_params_init(&silt_river_params, &out));
    return out;
}

// A bowl with its brim at 5 in the east, an island in its lake, and a valley beyond.
static const float bowl[7 * 9] = {
    9, 9, 9, 9, 9, 9, 9, 9, 9, //
    9, 6, 6, 6, 6, 6, 9, 9, 9, //
    9, 6, 2, 2, 2, 6, 9, 9, 9, //
    9, 6, 2, 7, 2, 5, 4, 3, 2, //
    9, 6, 2, 2, 1, 6, 9, 9, 9, //
    9, 6, 6, 6, 6, 6, 9, 9, 9, //
    9, 9, 9, 9, 9, 9, 9, 9, 9, //
};

static double number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static int count_of(const char *text, const char *words)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

static void a_lake_has_its_shore_and_its_island(void **state)
{
    (void)state;
    SiltTerrain *terrain = from_numbers(9, 7, 10.0, bowl);
    SiltRiverOptions how = options();
    how.channel_area = 500.0;
    char *json;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_int_equal(count_of(json, "\"Polygon\""), 0); // eight cells are a puddle unless asked for
    silt_free(json);
    how.lake_area = 0.0;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_int_equal(count_of(json, "\"Polygon\""), 1);
    const char *lake = strstr(json, "\"lake\"");
    assert_near(number_after(lake, "\"level\": "), 5.0, 0.0);
    assert_near(number_after(lake, "\"area\": "), 800.0, 1e-9);
    assert_near(number_after(lake, "\"volume\": "), 100.0 * (7 * 3 + 4), 1e-9);
    // the shore counter-clockwise from its north-west, metres from the south-western corner
    assert_non_null(strstr(lake, "[[[30, 50], [20, 50], [20, 20], [50, 20], [50, 50], [30, 50]]"));
    assert_int_equal(count_of(lake, "], [["), 0 + count_of(lake, "]], [["));
    assert_int_equal(count_of(lake, "]], [["), 1); // one island
    silt_free(json);
    how.lake_area = 801.0;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_int_equal(count_of(json, "\"Polygon\""), 0);
    silt_free(json);
    how.lake_area = 0.0;
    how.lake_depth = 4.5; // it is 4 m deep
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_int_equal(count_of(json, "\"Polygon\""), 0);
    silt_free(json);
    silt_terrain_destroy(terrain);
}

// Reads the corners of a ring "[[x, y], ...]" and returns where it ends.
static const char *read_ring(const char *at, double (*corner)[2], int *count)
{
    *count = 0;
    for (at++; *at == '['; at += *at == ',' ? 2 : 0) {
        char *end;
        corner[*count][0] = strtod(at + 1, &end);
        corner[*count][1] = strtod(end + 1, &end);
        (*count)++;
        at = end + 1;
    }
    return at + 1;
}

// Lakes and islands that touch at corners: no ring comes to a corner twice but to close, and the rings of a
// lake enclose its area.
static void rings_are_simple(void **state)
{
    (void)state;
    enum { SIDE = 48, MOST = 4 * SIDE * SIDE };
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(SIDE, SIDE, 1.0, &terrain));
    uint32_t dice = 7;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) { // a basin strewn with rocks
            bool brim = i == 0 || j == 0 || i == SIDE - 1 || j == SIDE - 1;
            dice = dice * 1664525u + 1013904223u;
            silt_field_row(&terrain->layers[0]->field, j)[i] = brim ? 5.0f : dice >> 30 ? 1.0f : 9.0f;
        }
    SiltRiverOptions how = options();
    how.lake_area = 0.0;
    char *json;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    static double corner[MOST][2];
    int rings = 0, lakes = 0;
    for (const char *lake = json; (lake = strstr(lake, "\"lake\"")); lakes++) {
        double wanted = number_after(lake, "\"area\": "), area = 0.0;
        lake = strstr(lake, "\"coordinates\": [") + 16;
        for (const char *at = lake; *at == '['; at += *at == ',' ? 2 : 0, rings++) {
            int count;
            at = read_ring(at, corner, &count);
            assert_true(count >= 5);
            assert_true(corner[0][0] == corner[count - 1][0] && corner[0][1] == corner[count - 1][1]);
            for (int k = 0; k + 1 < count; k++) {
                area += 0.5 * (corner[k][0] * corner[k + 1][1] - corner[k + 1][0] * corner[k][1]);
                for (int n = 0; n < k; n++)
                    assert_false(corner[k][0] == corner[n][0] && corner[k][1] == corner[n][1]);
            }
        }
        assert_near(area, wanted, 1e-6);
    }
    assert_true(lakes >= 1 && rings > 100);
    silt_free(json);
    silt_terrain_destroy(terrain);
}

// A small map has rivers too: what a stream is follows from its size, as in the statistics.
static void streams_follow_the_size_of_the_map(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(120, 100, 6);
    terrain->cell = 1.0;
    SiltRiverOptions how = options();
    SiltDrainageStatistics statistics;
    assert_ok(silt_drainage_statistics(terrain, &statistics));
    char *json, *same;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_true(count_of(json, "\"LineString\"") > 5);
    how.channel_area = statistics.channel_area;
    assert_ok(silt_rivers_json(terrain, &how, &same));
    assert_string_equal(json, same);
    silt_free(json);
    silt_free(same);
    silt_terrain_destroy(terrain);
}

// A Y: two streams of order 1 join into one of order 2.
static void streams_join(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(41, 40, 10.0, &terrain));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 41; i++) {
            int arm = j < 20 ? 20 - j : 0; // distance of the arms from the middle
            int away = abs(abs(i - 20) - arm);
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)(2 * away + (40 - j));
        }
    terrain->geo = (SiltGeoreference){.placed = true, .x = 500000.0, .y = 4e6, .step_x = 10, .step_y = -10};
    snprintf(terrain->geo.crs, sizeof terrain->geo.crs, "EPSG:32611");
    SiltRiverOptions how = options();
    how.channel_area = 10000.0;
    char *json;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    assert_non_null(strstr(json, "urn:ogc:def:crs:EPSG::32611"));
    assert_true(count_of(json, "\"order\": 1") >= 2);
    assert_true(count_of(json, "\"order\": 2") >= 1);
    assert_int_equal(count_of(json, "\"order\": 3"), 0);
    assert_non_null(strstr(json, "[500205, 3999605]")); // the mouth, at the middle of its cell
    silt_free(json);
    silt_terrain_destroy(terrain);
}

static void lengths_and_ids_add_up(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(120, 100, 6);
    SiltRiverOptions how = options();
    how.channel_area = 3000.0;
    char *json;
    assert_ok(silt_rivers_json(terrain, &how, &json));
    double length = 0.0;
    int rivers = count_of(json, "\"LineString\""), features = count_of(json, "\"Feature\"");
    assert_true(rivers > 20);
    for (const char *at = json; (at = strstr(at, "\"length\": ")); at++)
        length += strtod(at + 10, NULL);
    // every stream cell but outlets is passed once
    SiltDrainage *d;
    assert_ok(silt_drainage_create(terrain, NULL, &d));
    double wanted = 0.0;
    for (int c = 0; c < 120 * 100; c++) {
        int to = d->receiver[c];
        if (to != c && d->area[c] >= 30)
            wanted += 10.0 * (to % 120 != c % 120 && to / 120 != c / 120 ? sqrt(2.0) : 1.0);
    }
    assert_near(length, wanted, 1e-6 * wanted);
    char last[32];
    snprintf(last, sizeof last, "\"id\": %d,", features);
    assert_int_equal(count_of(json, last), 1);
    silt_drainage_destroy(d);
    silt_free(json);
    silt_terrain_destroy(terrain);
}

static void only_geojson_is_written(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(20, 20, 6);
    SiltRiverOptions how = options();
    assert_fails(silt_rivers_write(terrain, &how, "rivers.shp"), SILT_BAD_ARGUMENT, ".geojson");
    char *json = NULL;
    sweep_allocations(silt_rivers_json(terrain, &how, &json), silt_free(json));
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_has_its_shore_and_its_island),
        cmocka_unit_test(rings_are_simple),
        cmocka_unit_test(streams_follow_the_size_of_the_map),
        cmocka_unit_test(streams_join),
        cmocka_unit_test(lengths_and_ids_add_up),
        cmocka_unit_test(only_geojson_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
