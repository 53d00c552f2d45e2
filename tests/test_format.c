#include "files.h"

static void the_table_lists_what_there_is(void **state)
{
    (void)state;
    bool has_raw = false, has_glb = false;
    for (int k = 0; k < silt_format_count(); k++) {
        SiltFormatInfo info = silt_format_at(k);
        assert_true(info.name[0] && info.endings[0]);
        assert_true(info.reads || info.package[0]); // what is missing says what brings it
        assert_int_equal(info.reads, info.writes);
        has_raw = has_raw || strcmp(info.endings, "raw r16 r32 bin") == 0;
        has_glb = has_glb || (info.is_mesh && strcmp(info.endings, "glb") == 0);
    }
    assert_true(has_raw && has_glb);
    assert_true(silt_path_is_mesh("a/b.OBJ"));
    assert_false(silt_path_is_mesh("obj"));
    assert_false(silt_path_is_mesh("a.asc"));
}

// What a file is stands in its first bytes; the name matters where they say nothing.
static void contents_win_over_names(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("a.asc"), NULL));
    assert_int_equal(rename(test_path("a.asc"), test_path("a.npy")), 0);
    assert_ok(silt_terrain_read(test_path("a.npy"), NULL, &back));
    assert_same_heights(back, hills, 0.0);
    silt_terrain_destroy(back);
    put_text(test_path("b.npy"), "hello, world");
    assert_fails(silt_terrain_read(test_path("b.npy"), NULL, &back), SILT_BAD_FILE, "the name says NPY");
    put_text(test_path("b.txt"), "hello, world");
    assert_fails(silt_terrain_read(test_path("b.txt"), NULL, &back), SILT_BAD_FILE, "not a format");
    silt_terrain_destroy(hills);
}

static void meshes_and_grids_are_not_mixed_up(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false), *back;
    SiltMesh mesh;
    assert_ok(silt_terrain_write(hills, test_path("a.ply"), NULL));
    assert_fails(silt_terrain_read(test_path("a.ply"), NULL, &back), SILT_BAD_FILE, "a mesh (PLY)");
    assert_ok(silt_terrain_write(hills, test_path("a.asc"), NULL));
    assert_fails(silt_mesh_read(test_path("a.asc"), &mesh), SILT_BAD_FILE, "not a mesh format");
    assert_ok(silt_mesh_read(test_path("a.ply"), &mesh));
    assert_fails(silt_mesh_write(&mesh, test_path("a.asc")), SILT_BAD_ARGUMENT, "no mesh format");
    mesh.indices[4] = (uint32_t)mesh.vertex_count;
    assert_fails(silt_mesh_write(&mesh, test_path("b.obj")), SILT_BAD_ARGUMENT, "names vertex 20");
    mesh.indices[4] = 0;
    mesh.positions[7] = INFINITY;
    assert_fails(silt_mesh_write(&mesh, test_path("b.obj")), SILT_BAD_ARGUMENT, "finite");
    mesh.triangle_count = 0;
    assert_fails(silt_mesh_write(&mesh, test_path("b.obj")), SILT_BAD_ARGUMENT, "no triangles");
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

static void paths_that_cannot_be(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(1, 1, false), *back;
    assert_fails(silt_terrain_read(test_path("none.asc"), NULL, &back), SILT_IO_ERROR, "no such file");
    assert_fails(silt_terrain_read(test_folder, NULL, &back), SILT_IO_ERROR, "is a directory");
    put_file(test_path("empty.asc"), "", 0);
    assert_fails(silt_terrain_read(test_path("empty.asc"), NULL, &back), SILT_BAD_FILE, "empty");
    assert_fails(silt_terrain_write(hills, test_path("a.docx"), NULL), SILT_BAD_ARGUMENT,
                 "no format has this ending");
    assert_fails(silt_terrain_write(hills, test_path("a.obj"), NULL), SILT_BAD_ARGUMENT, "1 x 1");
    assert_int_equal(access(test_path("a.obj"), F_OK), -1);
    SiltReadOptions options = read_options();
    options.raw_type = 9;
    put_text(test_path("a.raw"), "abcd");
    assert_int_equal(silt_terrain_read(test_path("a.raw"), &options, &back), SILT_BAD_ARGUMENT);
    assert_null(back);
    silt_terrain_destroy(hills);
}

// One cell goes through every raster format; changes since the start are added on the way.
static void the_smallest_terrain_and_its_change(void **state)
{
    (void)state;
    static const char *const names[] = {"one.raw", "one.asc", "one.npy", "one.pgm"};
    SiltTerrain *terrain, *back;
    SiltField *change;
    assert_ok(silt_terrain_create(1, 1, 4.0, &terrain));
    terrain->layers[0]->field.data[0] = 7.0f;
    assert_ok(silt_terrain_require(terrain, "change", &change));
    change->data[0] = 0.5f;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        assert_ok(silt_terrain_write(terrain, test_path(names[k]), NULL));
        assert_ok(silt_terrain_read(test_path(names[k]), NULL, &back));
        assert_int_equal(back->width * back->height, 1);
        assert_near((double)back->layers[0]->field.data[0], 7.5, 1e-4);
        silt_terrain_destroy(back);
    }
    assert_near((double)terrain->layers[0]->field.data[0], 7.0, 0.0); // the caller's is as it was
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_lists_what_there_is),       cmocka_unit_test(contents_win_over_names),
        cmocka_unit_test(meshes_and_grids_are_not_mixed_up),   cmocka_unit_test(paths_that_cannot_be),
        cmocka_unit_test(the_smallest_terrain_and_its_change),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
