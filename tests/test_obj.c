#include "files.h"

static void meshes_come_back(void **state)
{
    (void)state;
    check_meshes_come_back("a.obj", 1e-5f);
}

static void normals_may_be_missing(void **state)
{
    (void)state;
    check_normals_may_be_missing("plain.obj");
}

static SiltStatus read_text(const char *text, SiltMesh *out)
{
    put_text(test_path("text.obj"), text);
    return silt_mesh_read(test_path("text.obj"), out);
}

static void polygons_and_negative_indices_are_read(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {0, 1, 2, 0, 2, 3, 3, 2, 1};
    SiltMesh mesh;
    assert_ok(
        read_text("mtllib x.mtl\r\nv 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\nv 1 1e0 .5\n  v 0 1 0\nvt 0 0\nvn 0 0 1\n"
                  "g rock\nf 1/1/1 2/1/1 \\\n 3//1 4//1\nf -1 -2 2/1 # a comment\nl 1 2",
                  &mesh));
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.indices, wanted, sizeof wanted);
    assert_near((double)mesh.positions[8], 0.5, 0.0);
    assert_non_null(mesh.normals);
    assert_near((double)mesh.normals[11], 1.0, 0.0);
    silt_mesh_destroy(&mesh);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no faces"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: a face names a vertex"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "not there"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "not there"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999999\n", "not there"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "three corners"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "not a vertex number"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n", "a normal that is not there"},
        {"v 0 0\nv 1 0 0\n", "line 1: three finite numbers"},
        {"v 0 0 nan\n", "three finite numbers"},
        {"v 0 0 1e300\n", "three finite numbers"},
        {"hello", "no faces"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltMesh mesh;
        assert_fails(read_text(cases[k].text, &mesh), SILT_BAD_FILE, cases[k].words);
        assert_null(mesh.positions);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 3, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 1.0, &mesh));
    sweep_mesh(&mesh, test_path("sweep.obj"));
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_come_back),
        cmocka_unit_test(normals_may_be_missing),
        cmocka_unit_test(polygons_and_negative_indices_are_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
