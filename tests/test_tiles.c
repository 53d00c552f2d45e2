// Tiles: put together again they are the whole, to the last bit; and what engines are given is what they
// take.
#include <unistd.h>

#include "files.h"

#include "core/parallel.h"

static SiltTileOptions tile_options(int columns, int rows, int overlap, int engine)
{
    SiltTileOptions options;
    assert_ok(silt_params_init(&silt_tile_params, &options));
    options.tiles[0] = columns;
    options.tiles[1] = rows;
    options.overlap = overlap;
    options.engine = engine;
    return options;
}

static float height_at(const SiltTerrain *terrain, int i, int j)
{
    return silt_field_at(&terrain->layers[0]->field, i, j);
}

// Every sample of every tile is that of the whole written as one file with the same range.
static void check_together(const SiltTerrain *terrain, const char *ending, int columns, int rows, int overlap)
{
    char name[64];
    SiltTileOptions tiles = tile_options(columns, rows, overlap, SILT_FOR_NONE);
    SiltWriteOptions options = write_options();
    SiltTerrain *whole, *part;
    snprintf(name, sizeof name, "whole_%s.%s", ending, ending);
    assert_ok(silt_terrain_write(terrain, test_path(name), &options));
    assert_ok(silt_terrain_read(test_path(name), NULL, &whole));
    snprintf(name, sizeof name, "cut_%s.%s", ending, ending);
    assert_ok(silt_terrain_write_tiles(terrain, test_path(name), &tiles, &options, NULL));
    int seen = 0, last_i = 0, last_j = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            snprintf(name, sizeof name, "cut_%s_x%d_y%d.%s", ending, x, y, ending);
            SiltReadOptions read = read_options();
            read.cell = 30.0;
            assert_ok(silt_terrain_read(test_path(name), &read, &part));
            int i0 = (terrain->width - overlap) * x / columns, j0 = (terrain->height - overlap) * y / rows;
            for (int j = 0; j < part->height; j++)
                for (int i = 0; i < part->width; i++, seen++) {
                    float got = height_at(part, i, j), wanted = height_at(whole, i0 + i, j0 + j);
                    assert_memory_equal(&got, &wanted, sizeof got);
                    assert_int_equal(silt_terrain_is_nodata(part, i, j),
                                     silt_terrain_is_nodata(whole, i0 + i, j0 + j));
                }
            last_i = i0 + part->width;
            last_j = j0 + part->height;
            silt_terrain_destroy(part);
        }
    assert_int_equal(last_i, terrain->width); // all of it, and what is shared twice
    assert_int_equal(last_j, terrain->height);
    assert_int_equal(seen,
                     (terrain->width + (columns - 1) * overlap) * (terrain->height + (rows - 1) * overlap));
    silt_terrain_destroy(whole);
}

static void tiles_put_together_are_the_whole(void **state)
{
    (void)state;
    static const char *const endings[] = {
        "r16", "r32", "npy",
#ifdef SILT_HAS_PNG
        "png",
#endif
#ifdef SILT_HAS_TIFF
        "tif",
#endif
    };
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        for (int holes = 0; holes < 2; holes++) {
            SiltTerrain *terrain = make_hills(65, 49, false);
            if (holes) { // in one corner alone: other tiles keep the same samples
                assert_ok(silt_terrain_require_nodata(terrain));
                terrain->nodata[3] = terrain->nodata[70] = 1;
            }
            check_together(terrain, endings[k], 4, 4, 1);
            check_together(terrain, endings[k], 3, 2, 0);
            check_together(terrain, endings[k], 2, 5, 3);
            silt_terrain_destroy(terrain);
        }
}

static uint64_t hash_file(const char *path)
{
    static char data[1 << 20];
    size_t bytes = get_file(path, data, sizeof data);
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < bytes; k++)
        hash = (hash ^ (unsigned char)data[k]) * 1099511628211u;
    return hash;
}

static void threads_do_not_show(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 8};
    SiltTerrain *terrain = make_hills(80, 80, false);
    uint64_t first = 0;
    for (int n = 0; n < 3; n++) {
        SiltRun run = {.threads = threads[n]};
        SiltCrew before = silt_crew_begin(&run);
        SiltTileOptions tiles = tile_options(3, 3, 1, SILT_FOR_NONE);
        SiltWriteOptions options = write_options();
        assert_ok(silt_terrain_write_tiles(terrain, test_path("t.r16"), &tiles, &options, NULL));
        silt_crew_end(before);
        uint64_t hash = 0;
        for (int k = 0; k < 9; k++) {
            char name[32];
            snprintf(name, sizeof name, "t_x%d_y%d.r16", k % 3, k / 3);
            hash = hash * 31 + hash_file(test_path(name));
        }
        hash = hash * 31 + hash_file(test_path("t.json"));
        first = n == 0 ? hash : first;
        assert_true(hash == first);
    }
    silt_terrain_destroy(terrain);
}

// What Unreal and Unity make of the samples are the heights again.
static void engines_come_to_the_same_heights(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(140, 140, false), *back;
    SiltWriteOptions options = write_options();
    SiltTileOptions unity = tile_options(2, 2, 1, SILT_FOR_UNITY);
    char *said, json[4096];
    assert_ok(silt_terrain_write_tiles(terrain, test_path("game"), &unity, &options, &said));
    assert_non_null(strstr(said, "Heightmap Resolution   65"));
    silt_free(said);
    SiltTerrain *tiles[2];
    assert_ok(silt_terrain_read(test_path("game_0_0.raw"), NULL, &tiles[0]));
    assert_ok(silt_terrain_read(test_path("game_0_1.raw"), NULL, &tiles[1]));
    assert_int_equal(tiles[0]->width, 65);
    for (int i = 0; i < 65; i++) // the northern edge of the southern tile, whose first row is its southern
        assert_near((double)height_at(tiles[0], i, 64), (double)height_at(tiles[1], i, 0), 0.0);
    // the south-western corner comes first
    assert_near((double)height_at(tiles[0], 0, 0), (double)height_at(terrain, 0, 139), 25.0);
    silt_terrain_destroy(tiles[0]);
    silt_terrain_destroy(tiles[1]);
#ifdef SILT_HAS_PNG
    SiltTileOptions unreal = tile_options(1, 1, 1, SILT_FOR_UNREAL);
    assert_ok(silt_terrain_write_tiles(terrain, test_path("level"), &unreal, &options, NULL));
    assert_ok(silt_terrain_read(test_path("level.png"), NULL, &back));
    assert_int_equal(back->width, 127);
    get_file(test_path("level.json"), json, sizeof json);
    double scale_z = atof(strstr(json, "\"scale_z\": ") + 11),
           place_z = atof(strstr(json, "\"location_z\": ") + 14);
    double low = 1e30, high = -1e30;
    for (int k = 0; k < 127 * 127; k++) {
        low = fmin(low, (double)height_at(back, k % 127, k / 127));
        high = fmax(high, (double)height_at(back, k % 127, k / 127));
    }
    assert_near(place_z / 100.0 + (0.0 - 32768.0) / 128.0 * scale_z / 100.0, low, 1e-3);
    assert_near(place_z / 100.0 + (65535.0 - 32768.0) / 128.0 * scale_z / 100.0, high, 1e-3);
    silt_terrain_destroy(back);
#else
    (void)back, (void)json;
#endif
    silt_terrain_destroy(terrain);
}

// An engine knows no holes: they lie at the lowest height, and no depth of their own stands in the range.
static void holes_lie_at_the_lowest_height(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(40, 40, true), *back;
    SiltWriteOptions options = write_options();
    SiltTileOptions godot = tile_options(1, 1, 1, SILT_FOR_GODOT);
    SiltFieldStatistics before, after;
    char json[4096];
    silt_field_statistics(&terrain->layers[0]->field, terrain->nodata, &before);
    assert_true(before.nodata_count > 0);
    assert_ok(silt_terrain_write_tiles(terrain, test_path("holes.r16"), &godot, &options, NULL));
    assert_ok(silt_terrain_read(test_path("holes.r16"), NULL, &back));
    assert_null(back->nodata);
    silt_field_statistics(&back->layers[0]->field, NULL, &after);
    assert_near(after.minimum, before.minimum, 0.01);
    assert_near(after.maximum, before.maximum, 0.01);
    get_file(test_path("holes.json"), json, sizeof json);
    assert_near(atof(strstr(json, "\"heights\": [") + 12), before.minimum, 0.01);
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
}

// Who reads all tiles of a name gets one set: those of a coarser cut alone, and nothing else is touched.
static void an_older_cut_leaves_no_tiles(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(33, 33, false);
    SiltWriteOptions options = write_options();
    SiltTileOptions three = tile_options(3, 3, 1, SILT_FOR_NONE), two = tile_options(2, 2, 1, SILT_FOR_NONE);
    int before = count_files(test_folder);
    assert_ok(silt_terrain_write_tiles(terrain, test_path("again.r16"), &three, &options, NULL));
    int nine = count_files(test_folder);
    static const char *const mine[] = {"again_x7_y7.r16", "again_x2_y2.txt", "other_x2_y2.r16"};
    for (int k = 0; k < 3; k++)
        assert_ok(silt_write_file(test_path(mine[k]), "mine", 4));
    assert_ok(silt_terrain_write_tiles(terrain, test_path("again.r16"), &two, &options, NULL));
    for (int k = 0; k < 3; k++)
        assert_int_equal(access(test_path(mine[k]), F_OK), 0);
    assert_int_equal(access(test_path("again_x1_y1.r16"), F_OK), 0);
    assert_int_not_equal(access(test_path("again_x2_y2.r16"), F_OK), 0);
    assert_int_equal(nine - before - 1, (count_files(test_folder) - 3 - before - 1) / 4 * 9);
    // a JSON that names files elsewhere, or of other names, moves nothing
    const char evil[] =
        "{\"overlap\": 1, \"first_row\": \"north\", \"tiles\": [{\"file\": \"other_x2_y2.r16\"}, "
        "{\"file\": \"../again_x9_y9.r16\"}, {\"file\": \"again_x7_y7\"}, {\"file\": 3}, 4]}";
    assert_ok(silt_write_file(test_path("again.json"), evil, sizeof evil - 1));
    assert_ok(silt_terrain_write_tiles(terrain, test_path("again.r16"), &two, &options, NULL));
    for (int k = 0; k < 3; k++)
        assert_int_equal(access(test_path(mine[k]), F_OK), 0);
    // a JSON that no cut has written is not ours to replace
    assert_ok(silt_write_file(test_path("again.json"), "{\"tiles\": [", 11));
    assert_fails(silt_terrain_write_tiles(terrain, test_path("again.r16"), &two, &options, NULL),
                 SILT_BAD_ARGUMENT, "no JSON of tiles");
    silt_terrain_destroy(terrain);
}

static void bad_cuts_are_refused_and_leave_nothing(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(16, 16, false);
    SiltWriteOptions options = write_options();
    int files = count_files(test_folder);
    SiltTileOptions tiles = tile_options(17, 1, 0, SILT_FOR_NONE);
    assert_fails(silt_terrain_write_tiles(terrain, test_path("n.r16"), &tiles, &options, NULL),
                 SILT_BAD_ARGUMENT, "cannot be cut into");
    tiles = tile_options(2, 2, 20, SILT_FOR_NONE);
    assert_fails(silt_terrain_write_tiles(terrain, test_path("n.r16"), &tiles, &options, NULL),
                 SILT_BAD_ARGUMENT, "cannot be cut into");
    tiles = tile_options(2, 2, -1, SILT_FOR_NONE);
    assert_fails(silt_terrain_write_tiles(terrain, test_path("n.r16"), &tiles, &options, NULL),
                 SILT_BAD_ARGUMENT, "below its minimum 0");
    tiles = tile_options(2, 2, 1, SILT_FOR_NONE);
    tiles.tiles[0] = 1.5;
    assert_fails(silt_tiles_check(test_path("n.r16"), &tiles, &options), SILT_BAD_ARGUMENT, "whole numbers");
    tiles = tile_options(2, 2, 1, SILT_FOR_UNITY);
    assert_fails(silt_tiles_check(test_path("n.png"), &tiles, &options), SILT_BAD_ARGUMENT,
                 "for unity write one of");
    tiles = tile_options(2, 2, 1, SILT_FOR_NONE);
    assert_fails(silt_tiles_check(test_path("n"), &tiles, &options), SILT_BAD_ARGUMENT,
                 "the ending picks the format");
    assert_int_equal(count_files(test_folder), files);
    silt_field_row(&terrain->layers[0]->field, 0)[0] = NAN;
    assert_fails(silt_terrain_write_tiles(terrain, test_path("n.r16"), &tiles, &options, NULL),
                 SILT_BAD_ARGUMENT, "nothing was written");
    assert_int_equal(count_files(test_folder), files);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_put_together_are_the_whole),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(engines_come_to_the_same_heights),
        cmocka_unit_test(holes_lie_at_the_lowest_height),
        cmocka_unit_test(an_older_cut_leaves_no_tiles),
        cmocka_unit_test(bad_cuts_are_refused_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
