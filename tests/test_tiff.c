#include "raster_test.h"

#ifndef SILT_HAS_TIFF
int main(void)
{
    SiltTerrain *terrain;
    return silt_terrain_read(SILT_TEST_DATA "/huge.tif", NULL, &terrain) == SILT_MISSING_FEATURE ? 0 : 1;
}
#else

#include <tiffio.h>

#define SEEDS SILT_SOURCE_DIR "/tests/fuzz/corpus/tiff/"

static void floats_come_back_exactly(void **state)
{
    (void)state;
    for (int holes = 0; holes < 2; holes++) {
        SiltTerrain *terrain = raster_make(301, 143, holes);
        for (int compression = SILT_COMPRESS_DEFLATE; compression <= SILT_COMPRESS_NONE; compression++) {
            for (int tile = 0; tile <= 64; tile += 64) {
                SiltWriteOptions options = raster_write_options();
                options.compression = compression;
                options.tile = tile;
                raster_listen();
                raster_round_trip(terrain, "tiff_float.tif", &options, 0.0);
                assert_string_equal(raster_warnings, "");
            }
        }
        silt_terrain_destroy(terrain);
    }
}

static void integers_come_back_within_a_step(void **state)
{
    (void)state;
    for (int holes = 0; holes < 2; holes++) {
        SiltTerrain *terrain = raster_make(61, 43, holes);
        SiltWriteOptions options = raster_write_options();
        options.bits = SILT_BITS_16;
        raster_round_trip(terrain, "tiff_16.tif", &options, raster_span(terrain) / 65534.0 * 0.51);
        options.bits = SILT_BITS_8;
        raster_listen();
        raster_round_trip(terrain, "tiff_8.tif", &options, raster_span(terrain) / 254.0 * 0.51);
        assert_warned("8-bit image");
        silt_terrain_destroy(terrain);
    }
}

// A terrain without a place keeps its cell size all the same.
static void a_cell_needs_no_place(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(7, 5, false);
    terrain->geo = (SiltGeoreference){0};
    raster_listen();
    raster_round_trip(terrain, "tiff_no_place.tif", NULL, 0.0);
    assert_string_equal(raster_warnings, "");
    silt_terrain_destroy(terrain);
}

// Other programs see its cells in metres all the same, with the south-western corner at (0, 0), as in
// GeoJSON.
static void no_place_is_a_local_one(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(7, 5, false), *back;
    terrain->geo = (SiltGeoreference){0};
    terrain->cell = 20.0;
    assert_ok(silt_terrain_write(terrain, "tiff_local.tif", NULL));
    TIFF *tiff = TIFFOpen("tiff_local.tif", "r");
    const double *scale, *tie;
    uint16_t count;
    assert_int_equal(TIFFGetField(tiff, 33550, &count, &scale), 1);
    assert_true(scale[0] == 20.0 && scale[1] == 20.0);
    assert_int_equal(TIFFGetField(tiff, 33922, &count, &tie), 1);
    assert_true(tie[0] == 0.0 && tie[1] == 0.0 && tie[3] == 0.0 && tie[4] == 100.0);
    TIFFClose(tiff);
    assert_ok(silt_terrain_read("tiff_local.tif", NULL, &back));
    assert_false(back->geo.placed);
    assert_string_equal(back->geo.crs, "");
    assert_true(back->cell == 20.0);
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
    unlink("tiff_local.tif");
}

static void a_real_map_keeps_its_crs(void **state)
{
    (void)state;
    SiltTerrain *map, *back;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/tujunga_crop.tif", NULL, &map));
    assert_int_equal(map->width, 200);
    assert_int_equal(map->height, 150);
    assert_true(map->cell == 30.0);
    assert_string_equal(map->geo.crs, "EPSG:32611");
    assert_near(map->geo.x, 391313.655454263, 1e-6);
    assert_near(map->geo.y, 3800417.827628375, 1e-6);
    assert_true(map->nodata_value == 32767.0);
    SiltFieldStatistics statistics;
    silt_field_statistics(&map->layers[0]->field, map->nodata, &statistics);
    assert_true(statistics.minimum == 686.0 && statistics.maximum == 1521.0); // as gdalinfo -mm says
    assert_ok(silt_terrain_write(map, "tiff_map.tif", NULL));
    assert_ok(silt_terrain_read("tiff_map.tif", NULL, &back));
    raster_same(map, back, 0.0);
    assert_true(back->nodata_value == 32767.0);
    assert_int_equal(back->geo.key_count, map->geo.key_count);
    assert_memory_equal(back->geo.keys, map->geo.keys, (size_t)map->geo.key_count * sizeof *map->geo.keys);
    assert_string_equal(back->geo.ascii, map->geo.ascii);
    silt_terrain_destroy(back);
    silt_terrain_destroy(map);
    unlink("tiff_map.tif");
}

// The same heights as int16, uint16, float32, float64, tiles, BigTIFF, big-endian, in five ways of packing.
static void every_kind_of_sample_is_read(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int k = 1; k <= 7; k++) {
        char path[512];
        snprintf(path, sizeof path, SEEDS "seed%d.tif", k);
        SiltTerrain *terrain;
        assert_ok(silt_terrain_read(path, NULL, &terrain));
        if (k == 1)
            hash = silt_field_hash(&terrain->layers[0]->field);
        assert_true(silt_field_hash(&terrain->layers[0]->field) == hash);
        silt_terrain_destroy(terrain);
    }
}

// Where a pixel is a point, its coordinates are those of its middle: the corner lies half a cell further out.
static void points_are_not_areas(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/sthelens_point.tif", NULL, &terrain));
    assert_near(terrain->geo.x, 557805.0, 1e-9);
    assert_near(terrain->geo.y, 5122005.0, 1e-9);
    assert_int_equal(silt_terrain_is_nodata(terrain, 0, 0), 1);
    assert_true(terrain->nodata_value == -32767.0);
    raster_round_trip(terrain, "tiff_point.tif", NULL, 0.0);
    silt_terrain_destroy(terrain);
}

static void degrees_become_metres(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    raster_listen();
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/degrees.tif", NULL, &terrain));
    // at 34.45 degrees north a degree is 91,898 m eastward and 110,930 m northward
    assert_near(terrain->cell, 0.01 * sqrt(91898.0 * 110930.0), 0.5);
    assert_string_equal(terrain->geo.crs, "EPSG:4326");
    assert_warned("in degrees (EPSG:4326)");
    raster_round_trip(terrain, "tiff_degrees.tif", NULL, 0.0);
    silt_terrain_destroy(terrain);
}

static void feet_become_metres(void **state)
{
    (void)state;
    SiltTerrain *feet, *metres;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/feet.tif", NULL, &feet));
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/sthelens_point.tif", NULL, &metres));
    double foot = 1200.0 / 3937.0;
    assert_near(feet->cell, 10.0 * foot, 1e-12);
    assert_true(feet->geo.step_x == 10.0);
    for (int j = 0; j < feet->height; j++)
        for (int i = 0; i < feet->width; i++)
            if (!silt_terrain_is_nodata(metres, i, j))
                assert_near((double)silt_field_at(&feet->layers[0]->field, i, j),
                            foot * (double)silt_field_at(&metres->layers[0]->field, i, j), 1e-3);
    raster_round_trip(feet, "tiff_feet.tif", NULL, 0.0); // heights are not scaled twice
    silt_terrain_destroy(feet);
    silt_terrain_destroy(metres);
}

// Unsigned integers that lie on no map are a picture's; those on a map are metres whatever the options say.
static void heights_map_pictures_alone(void **state)
{
    (void)state;
    SiltReadOptions options = raster_read_options();
    options.heights[0] = 0.0;
    options.heights[1] = 655.35;
    SiltTerrain *placed, *plain, *mapped;
    assert_ok(silt_terrain_read(SEEDS "seed2.tif", &options, &placed));
    assert_ok(silt_terrain_read(SEEDS "plain_u16.tif", NULL, &plain));
    assert_ok(silt_terrain_read(SEEDS "plain_u16.tif", &options, &mapped));
    double metres = (double)silt_field_at(&placed->layers[0]->field, 3, 4);
    assert_near((double)silt_field_at(&plain->layers[0]->field, 3, 4), metres, 0.0);
    assert_near((double)silt_field_at(&mapped->layers[0]->field, 3, 4), 0.01 * metres, 1e-4);
    silt_terrain_destroy(placed);
    silt_terrain_destroy(plain);
    silt_terrain_destroy(mapped);
}

// A height that happens to be the nodata value is still a height.
static void nodata_takes_no_heights(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(9, 4, true), *back;
    terrain->nodata_value = 5.0;
    silt_field_row(&terrain->layers[0]->field, 0)[1] = 5.0f;
    assert_ok(silt_terrain_write(terrain, "tiff_nodata.tif", NULL));
    assert_ok(silt_terrain_read("tiff_nodata.tif", NULL, &back));
    raster_same(terrain, back, 1e-6);
    silt_terrain_destroy(back);
    silt_terrain_destroy(terrain);
    unlink("tiff_nodata.tif");
}

// GDAL leaves blocks without data out of sparse files.
static void missing_blocks_are_nodata(void **state)
{
    (void)state;
    float tile[16 * 16];
    for (int k = 0; k < 16 * 16; k++)
        tile[k] = 100.0f;
    TIFF *tiff = TIFFOpen("tiff_sparse.tif", "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 32);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 16);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
    assert_int_equal(TIFFWriteEncodedTile(tiff, 1, tile, sizeof tile), sizeof tile);
    TIFFClose(tiff);
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read("tiff_sparse.tif", NULL, &terrain));
    assert_true(silt_field_at(&terrain->layers[0]->field, 3, 3) == 0.0f);
    assert_true(silt_field_at(&terrain->layers[0]->field, 20, 3) == 100.0f);
    silt_terrain_destroy(terrain);
    unlink("tiff_sparse.tif");
}

// A thousand bytes that claim 554 million cells: one strip is there, and its list of strips ends with it.
static void a_short_list_of_blocks_is_no_sparse_file(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(silt_terrain_read(SILT_SOURCE_DIR "/tests/fuzz/corpus/tiff/claims_more.tif", NULL, &terrain),
                 SILT_BAD_FILE, "far too few");
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    raster_refused(SILT_TEST_DATA "/three_bands.tif", SILT_BAD_FILE, "3 samples a pixel");
    raster_refused(SILT_TEST_DATA "/huge.tif", SILT_BAD_FILE, "far too few");
    raster_refused(SILT_TEST_DATA "/zero.tif", SILT_BAD_FILE, "damaged");
    raster_refused("tiff_missing.tif", SILT_IO_ERROR, "no such file");
    raster_save("tiff_text.tif", "not a picture", 13);
    raster_refused("tiff_text.tif", SILT_BAD_FILE, "GeoTIFF");
    unlink("tiff_text.tif");
    SiltTerrain *terrain = raster_make(21, 13, true);
    assert_ok(silt_terrain_write(terrain, "tiff_damage.tif", NULL));
    raster_survives_damage("tiff_damage.tif");
    SiltWriteOptions options = raster_write_options();
    options.tile = 20;
    assert_fails(silt_terrain_write(terrain, "tiff_damage.tif", &options), SILT_BAD_ARGUMENT,
                 "multiple of 16");
    options.tile = 0;
    strcpy(options.layer, "hight");
    assert_fails(silt_terrain_write(terrain, "tiff_damage.tif", &options), SILT_BAD_ARGUMENT,
                 "there is: height");
    assert_ok(silt_terrain_require_nodata(terrain));
    memset(terrain->nodata, 1, (size_t)terrain->width * (size_t)terrain->height);
    assert_ok(silt_terrain_write(terrain, "tiff_damage.tif", NULL));
    raster_refused("tiff_damage.tif", SILT_BAD_FILE, "no cell has a height");
    unlink("tiff_damage.tif");
    silt_terrain_destroy(terrain);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = raster_make(21, 13, false);
    if (access("/dev/full", W_OK) == 0) {
        SiltStatus status = symlink("/dev/full", "tiff_full.tif") == 0
                                ? silt_terrain_write(terrain, "tiff_full.tif", NULL)
                                : SILT_IO_ERROR;
        assert_int_equal(status, SILT_IO_ERROR);
        unlink("tiff_full.tif");
    }
    silt_terrain_destroy(terrain);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/sthelens_point.tif", NULL, &terrain));
    raster_survives_no_memory(terrain, "tiff_memory.tif", NULL);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_come_back_exactly),
        cmocka_unit_test(integers_come_back_within_a_step),
        cmocka_unit_test(a_cell_needs_no_place),
        cmocka_unit_test(no_place_is_a_local_one),
        cmocka_unit_test(a_real_map_keeps_its_crs),
        cmocka_unit_test(every_kind_of_sample_is_read),
        cmocka_unit_test(points_are_not_areas),
        cmocka_unit_test(degrees_become_metres),
        cmocka_unit_test(feet_become_metres),
        cmocka_unit_test(heights_map_pictures_alone),
        cmocka_unit_test(nodata_takes_no_heights),
        cmocka_unit_test(missing_blocks_are_nodata),
        cmocka_unit_test(a_short_list_of_blocks_is_no_sparse_file),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
