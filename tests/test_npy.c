#include "files.h"

// A file as NumPy writes it.
static void put_npy(const char *path, int version, const char *dictionary, const void *data, size_t bytes)
{
    char file[1024] = "\x93NUMPY";
    size_t prefix = version == 1 ? 10 : 12, length = strlen(dictionary) + 1;
    size_t padded = (prefix + length + 63) / 64 * 64 - prefix;
    file[6] = (char)version;
    file[8] = (char)(padded & 255);
    file[9] = (char)(padded >> 8);
    memset(file + prefix, ' ', padded);
    memcpy(file + prefix, dictionary, length - 1);
    file[prefix + padded - 1] = '\n';
    memcpy(file + prefix + padded, data, bytes);
    put_file(path, file, prefix + padded + bytes);
}

static void what_is_written_is_numpys(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(6, 4, true), *back;
    assert_ok(silt_terrain_write(hills, test_path("a.npy"), NULL));
    char data[1024];
    size_t bytes = get_file(test_path("a.npy"), data, sizeof data);
    assert_memory_equal(data, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_memory_equal(data + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 6), }", 59);
    assert_int_equal(data[127], '\n');
    assert_int_equal(bytes, 128 + 4 * 24);
    SiltReadOptions options = read_options();
    options.cell = 30.0;
    assert_ok(silt_terrain_read(test_path("a.npy"), &options, &back));
    assert_same_heights(back, hills, 0.0);
    assert_near(back->cell, 30.0, 0.0);
    silt_terrain_destroy(back);
    silt_terrain_destroy(hills);
}

static void every_type_version_and_order_is_read(void **state)
{
    (void)state;
    static const float f4[] = {1, 2, 3, 4, 5, 6};
    static const double f8[] = {1, 2, 3, 4, 5, 6};
    static const int16_t i2[] = {1, 2, 3, 4, 5, 6};
    static const int32_t i4[] = {1, 2, 3, 4, 5, 6};
    static const uint8_t u1[] = {1, 2, 3, 4, 5, 6};
    static const unsigned char big[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    static const float fortran[] = {1, 4, 2, 5, 3, 6};
    static const struct {
        const char *dictionary;
        const void *data;
        size_t bytes;
    } cases[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", f4, sizeof f4},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", f8, sizeof f8},
        {"{\"shape\": (2L, 3L), \"fortran_order\": False, \"descr\": \"<i2\"}", i2, sizeof i2},
        {"{'descr':'<u2','fortran_order':False,'shape':(2,3)}", i2, sizeof i2},
        {"{'descr': '>u2', 'fortran_order': False, 'shape': (2, 3), }", big, sizeof big},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", big, sizeof big},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", i4, sizeof i4},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", u1, sizeof u1},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", fortran, sizeof fortran},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int version = 1; version <= 3; version++) {
            SiltTerrain *terrain;
            put_npy(test_path("b.npy"), version, cases[k].dictionary, cases[k].data, cases[k].bytes);
            assert_ok(silt_terrain_read(test_path("b.npy"), NULL, &terrain));
            assert_int_equal(terrain->width, 3);
            assert_int_equal(terrain->height, 2);
            for (int n = 0; n < 6; n++)
                assert_near((double)silt_field_at(&terrain->layers[0]->field, n % 3, n / 3), n + 1.0, 0.0);
            silt_terrain_destroy(terrain);
        }
    }
}

static void heights_map_integers(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 255};
    SiltTerrain *terrain;
    SiltReadOptions options = read_options();
    options.heights[0] = -10.0;
    options.heights[1] = 20.0;
    put_npy(test_path("c.npy"), 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }", bytes, 2);
    assert_ok(silt_terrain_read(test_path("c.npy"), &options, &terrain));
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 0, 0), -10.0, 1e-6);
    assert_near((double)silt_field_at(&terrain->layers[0]->field, 1, 0), 20.0, 1e-6);
    silt_terrain_destroy(terrain);
}

static void bad_arrays_are_refused(void **state)
{
    (void)state;
    static const struct {
        int version;
        const char *dictionary, *words;
    } cases[] = {
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 100000), }", "40000000000 bytes"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }", "4 x 0"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3), }", "2-D"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "2-D"},
        {1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "c8"},
        {1, "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1, 1), }", "structured"},
        {1, "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 1), }", "True nor False"},
        {1, "{'descr': '<f4', 'shape': (1, 1), }", "lacks"},
        {1, "{'descr': '<f4', 'shape': (1, 1), 'fortran_order'", "lacks"}, // ends with a key
        {9, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", "version 9"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain;
        put_npy(test_path("d.npy"), cases[k].version, cases[k].dictionary, "1234", 4);
        assert_fails(silt_terrain_read(test_path("d.npy"), NULL, &terrain), SILT_BAD_FILE, cases[k].words);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, true);
    sweep_terrain(hills, test_path("sweep.npy"), NULL);
    refuse_every_cut(test_path("sweep.npy"), false);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_numpys), cmocka_unit_test(every_type_version_and_order_is_read),
        cmocka_unit_test(heights_map_integers),      cmocka_unit_test(bad_arrays_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
