#include "files.h"

static void meshes_come_back(void **state)
{
    (void)state;
    check_meshes_come_back("a.ply", 0.0f);
}

static void normals_may_be_missing(void **state)
{
    (void)state;
    check_normals_may_be_missing("plain.ply");
}

static void text_and_odd_properties_are_read(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {0, 1, 2, 0, 2, 3, 0, 2, 3};
    SiltMesh mesh;
    put_text(test_path("text.ply"),
             "ply\nformat ascii 1.0\ncomment hello\nobj_info x\nelement vertex 4\nproperty double x\n"
             "property uchar red\nproperty double y\nproperty float64 z\nelement edge 1\n"
             "property list uchar int ends\nelement face 2\nproperty uchar flag\n"
             "property list uchar int vertex_index\nend_header\n"
             "0 1 0 0\n1 2 0 0\n1 3 1 0.25\n0 4 1 0\n2 0 1\n7 4 0 1 2 3\n7 3 0 2 3\n");
    assert_ok(silt_mesh_read(test_path("text.ply"), &mesh));
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.indices, wanted, sizeof wanted);
    assert_near((double)mesh.positions[8], 0.25, 0.0);
    assert_null(mesh.normals);
    silt_mesh_destroy(&mesh);
}

static void big_endian_is_read(void **state)
{
    (void)state;
    static const char head[] =
        "ply\r\nformat binary_big_endian 1.0\r\nelement vertex 3\r\nproperty short x\r\n"
        "property char y\r\nproperty float z\r\nelement face 1\r\n"
        "property list ushort uint vertex_indices\r\nend_header\r\n";
    static const unsigned char body[] = {1, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 5, 0x3f, 0x80, 0, 0, 0, 7, 0xfe, 0,
                                         0, 0, 0, 0, 3, 0, 0, 0,    0,    0, 0,    0,    1, 0, 0, 0, 2};
    char file[512];
    memcpy(file, head, sizeof head - 1);
    memcpy(file + sizeof head - 1, body, sizeof body);
    put_file(test_path("big.ply"), file, sizeof head - 1 + sizeof body);
    SiltMesh mesh;
    assert_ok(silt_mesh_read(test_path("big.ply"), &mesh));
    static const float wanted[] = {256, 0, 0, -1, 5, 1, 7, -2, 0};
    assert_memory_equal(mesh.positions, wanted, sizeof wanted);
    assert_int_equal(mesh.indices[2], 2);
    silt_mesh_destroy(&mesh);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
#define VERTEX "property float x\nproperty float y\nproperty float z\n"
#define FACE   "property list uchar int vertex_indices\nend_header\n"
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"ply\nformat ascii 1.0\nelement vertex 4000000000\n" VERTEX "end_header\n1 2 3\n", "do not fit"},
        {"ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n" VERTEX "end_header\n",
         "no whole number from 0 on"},
        {"ply\nformat ascii 1.0\nelement vertex -1\n" VERTEX "end_header\n", "no whole number from 0 on"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n1 2 3\n", "x, y and z"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" VERTEX "element face 1\n" FACE "0 0 0 3 0 0 1\n",
         "names vertex 1"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" VERTEX "element face 1\n" FACE "0 0 0 3 0 0\n",
         "the file ends"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" VERTEX "element face 1\n" FACE "0 0 0 300 0 0\n",
         "list of 300"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" VERTEX "end_header\n0 0 nan\n", "not a finite"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" VERTEX "end_header\n0 0 0\n", "no faces"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\nend_header\n", "'TYPE NAME'"},
        {"ply\nformat ascii 1.0\nproperty float x\n", "outside an element"},
        {"ply\nformat xml 1.0\nend_header\n", "names no format"},
        {"ply\nelement vertex 1\nend_header\n", "no format line"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n", "no end_header"},
        {"ply\nformat ascii 1.0\nhello\n", "neither format"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltMesh mesh;
        put_text(test_path("bad.ply"), cases[k].text);
        SiltStatus status = silt_mesh_read(test_path("bad.ply"), &mesh);
        assert_int_equal(status, SILT_BAD_FILE);
        if (!strstr(silt_message(), cases[k].words))
            fail_msg("case %zu: '%s' does not say '%s'", k, silt_message(), cases[k].words);
        assert_null(mesh.positions);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 3, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 1.0, &mesh));
    sweep_mesh(&mesh, test_path("sweep.ply"));
    refuse_every_cut(test_path("sweep.ply"), true);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_come_back),
        cmocka_unit_test(normals_may_be_missing),
        cmocka_unit_test(text_and_odd_properties_are_read),
        cmocka_unit_test(big_endian_is_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
