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
    assert_fails(silt_terrain_write(hills, test_path("a.obj"), NULL), SILT_BAD_ARGUMENT,
                 "a.obj: a mesh needs at least 2 x 2 cells, and this terrain has 1 x 1");
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

static char warned[1024];

static void keep_warning(void *user, const char *text)
{
    (void)user;
    size_t length = strlen(warned);
    snprintf(warned + length, sizeof warned - length, "%s\n", text);
}

// MIN below MAX, both or none, in both directions.
static void ranges_that_cannot_be(void **state)
{
    (void)state;
    static const double wrong[][2] = {{2000.0, 1000.0}, {5.0, 5.0}, {NAN, 5.0}, {5.0, NAN}};
    SiltTerrain *hills = make_hills(5, 4, false), *back;
    assert_ok(silt_terrain_write(hills, test_path("range.pgm"), NULL));
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        const char *words = k < 2 ? "the lowest must be below the highest" : "give both ends or none";
        SiltWriteOptions writing = write_options();
        SiltReadOptions reading = read_options();
        memcpy(writing.heights, wrong[k], sizeof wrong[k]);
        memcpy(reading.heights, wrong[k], sizeof wrong[k]);
        assert_fails(silt_terrain_write(hills, test_path("range.pgm"), &writing), SILT_BAD_ARGUMENT, words);
        assert_fails(silt_terrain_read(test_path("range.pgm"), &reading, &back), SILT_BAD_ARGUMENT, words);
        assert_null(back);
    }
    silt_terrain_destroy(hills);
}

static void clipped_cells_are_counted(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltWriteOptions options = write_options();
    assert_ok(silt_terrain_create(4, 1, 1.0, &terrain));
    const float heights[] = {999.0f, 1000.0f, 2000.0f, 2500.0f};
    memcpy(terrain->layers[0]->field.data, heights, sizeof heights);
    options.heights[0] = 1000.0;
    options.heights[1] = 2000.0;
    warned[0] = '\0';
    silt_set_warning_handler(keep_warning, NULL);
    assert_ok(silt_terrain_write(terrain, test_path("clip.pgm"), &options));
    assert_non_null(strstr(warned, "clip.pgm: 2 cells lie outside 1000 to 2000 m and were clipped\n"));
    warned[0] = '\0';
    options.heights[0] = 999.0;
    options.heights[1] = 2500.0;
    assert_ok(silt_terrain_write(terrain, test_path("clip.pgm"), &options));
    assert_string_equal(warned, "");
    silt_set_warning_handler(NULL, NULL);
    silt_terrain_destroy(terrain);
}

// No file ever holds what is not a number, whatever a program put into the layer.
static void what_is_not_finite_is_not_written(void **state)
{
    (void)state;
    static const char *const names[] = {"bad.raw", "bad.asc", "bad.npy", "bad.pgm",
                                        "bad.obj", "bad.ply", "bad.glb"};
    SiltTerrain *hills = make_hills(5, 4, true);
    SiltField *water;
    assert_ok(silt_terrain_require(hills, "water", &water));
    water->data[3] = INFINITY;
    silt_field_row(&hills->layers[0]->field, 1)[1] = NAN;
    silt_field_row(&hills->layers[0]->field, 2)[1] = -INFINITY;
    hills->nodata[5 + 1] = hills->nodata[10 + 1] = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        assert_fails(silt_terrain_write(hills, test_path(names[k]), NULL), SILT_BAD_ARGUMENT,
                     "2 cells of 'height' are not finite numbers; nothing was written");
        assert_int_equal(access(test_path(names[k]), F_OK), -1);
    }
    hills->nodata[5 + 1] = hills->nodata[10 + 1] = 1;
    assert_ok(silt_terrain_write(hills, test_path("good.asc"), NULL));
    hills->nodata[3] = 0;
    SiltWriteOptions options = write_options();
    snprintf(options.layer, sizeof options.layer, "water");
    assert_fails(silt_terrain_write(hills, test_path("bad.asc"), &options), SILT_BAD_ARGUMENT,
                 "1 cell of 'water' is not a finite number; nothing was written");
    silt_terrain_destroy(hills);
}

static void a_mesh_may_be_of_any_layer(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false);
    SiltField *water;
    SiltMesh mesh;
    SiltWriteOptions options = write_options();
    assert_ok(silt_terrain_require(hills, "water", &water));
    silt_field_fill(water, 3.0f);
    snprintf(options.layer, sizeof options.layer, "water");
    assert_ok(silt_terrain_write(hills, test_path("layer.ply"), &options));
    assert_ok(silt_mesh_read(test_path("layer.ply"), &mesh));
    for (size_t k = 0; k < mesh.vertex_count; k++)
        assert_near((double)mesh.positions[3 * k + 2] + mesh.origin[2], 3.0, 1e-4);
    silt_mesh_destroy(&mesh);
    snprintf(options.layer, sizeof options.layer, "wine");
    assert_fails(silt_terrain_write(hills, test_path("layer.ply"), &options), SILT_BAD_ARGUMENT,
                 "layer.ply: there is no layer 'wine'; there is: height water");
    snprintf(options.layer, sizeof options.layer, "all");
    assert_fails(silt_terrain_write(hills, test_path("layer.asc"), &options), SILT_BAD_ARGUMENT,
                 "layer.asc: only an .exr holds all layers");
    assert_fails(silt_terrain_write(hills, test_path("layer.ply"), &options), SILT_BAD_ARGUMENT,
                 "layer.ply: only an .exr holds all layers");
    silt_terrain_destroy(hills);
}

// What a format cannot do is refused, not dropped.
static void formats_say_what_they_cannot_do(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(5, 4, false);
    SiltWriteOptions options = write_options();
    options.bits = SILT_BITS_16;
    assert_fails(silt_terrain_write(hills, test_path("no.npy"), &options), SILT_BAD_ARGUMENT,
                 "no.npy: NPY has no samples of 16 bits");
    options.bits = SILT_BITS_8;
    assert_fails(silt_write_check("no.asc", &options), SILT_BAD_ARGUMENT, "no samples of 8 bits");
    options = write_options();
    options.compression = SILT_COMPRESS_LZW;
    assert_fails(silt_write_check("no.pgm", &options), SILT_BAD_ARGUMENT, "no.pgm: PGM cannot be packed");
    options = write_options();
    options.skirt = 5.0;
    assert_fails(silt_write_check("no.asc", &options), SILT_BAD_ARGUMENT, "has no skirt");
    assert_ok(silt_write_check("yes.obj", &options));
    options = write_options();
    options.bits = SILT_BITS_32;
    assert_fails(silt_write_check("no.r16", &options), SILT_BAD_ARGUMENT, "the ending says 16 bits");
    options = write_options();
    options.tile = 16;
    assert_fails(silt_write_check("no.raw", &options), SILT_BAD_ARGUMENT, "no.raw: RAW has no tiles");
    assert_fails(silt_terrain_write_maps(hills, test_folder, "npy", &options), SILT_BAD_ARGUMENT,
                 "height.npy: NPY has no tiles");
    assert_int_equal(access(test_path("height.npy"), F_OK), -1);
    silt_terrain_destroy(hills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_lists_what_there_is),
        cmocka_unit_test(contents_win_over_names),
        cmocka_unit_test(meshes_and_grids_are_not_mixed_up),
        cmocka_unit_test(paths_that_cannot_be),
        cmocka_unit_test(the_smallest_terrain_and_its_change),
        cmocka_unit_test(ranges_that_cannot_be),
        cmocka_unit_test(clipped_cells_are_counted),
        cmocka_unit_test(what_is_not_finite_is_not_written),
        cmocka_unit_test(a_mesh_may_be_of_any_layer),
        cmocka_unit_test(formats_say_what_they_cannot_do),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
