// Meshes for printers: STL and 3MF come back closed and as large as they were, decimated land lies within its
// error everywhere, and what is said of a mesh is so.
#include "files.h"

#include "core/parallel.h"
#include "silt/mesh.h"
#include "silt/volume.h"

#define SEEDS SILT_SOURCE_DIR "/tests/fuzz/corpus/"

static SiltMesh rock_mesh(void)
{
    static const int size[3] = {32, 32, 32};
    SiltVolume *volume;
    SiltMesh mesh;
    assert_ok(silt_volume_make(silt_volume_shape_find("bridge"), size, 8, 10.0, NULL, NULL, 1, &volume));
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    silt_volume_destroy(volume);
    return mesh;
}

static void check_round_trip(const SiltMesh *mesh, const char *name, double scale)
{
    SiltWriteOptions options = write_options();
    SiltMeshInfo before, after;
    SiltMesh back;
    options.scale = scale;
    assert_ok(silt_mesh_measure(mesh, &before));
    assert_int_equal(before.open_edges, 0);
    assert_ok(silt_mesh_write_as(mesh, test_path(name), &options));
    assert_ok(silt_mesh_read(test_path(name), &back));
    assert_ok(silt_mesh_measure(&back, &after));
    assert_int_equal(after.open_edges, 0);
    assert_int_equal(after.shells, before.shells);
    assert_near(after.volume, before.volume, 1e-5 * before.volume);
    assert_near(back.scale, scale, 1e-9 * scale);
    for (int k = 0; k < 3; k++)
        assert_near(after.high[k] - after.low[k], before.high[k] - before.low[k],
                    1e-5 * (before.high[k] - before.low[k]));
    // as a stranger sees it, a millimetre is one
    SiltReadOptions plain = read_options();
    plain.scale = 1.0;
    silt_mesh_destroy(&back);
    assert_ok(silt_mesh_read_as(test_path(name), &plain, &back));
    assert_ok(silt_mesh_measure(&back, &after));
    assert_near(after.high[0] - after.low[0], (before.high[0] - before.low[0]) / scale,
                1e-5 * before.high[0] / scale);
    silt_mesh_destroy(&back);
}

static void prints_come_back_closed_and_as_large(void **state)
{
    (void)state;
    SiltMesh rock = rock_mesh(), block;
    SiltTerrain *terrain = make_hills(33, 27, true);
    assert_ok(silt_mesh_from_terrain(terrain, 50.0, &block));
    static const char *const names[] = {"p.stl", "p.3mf"};
    for (int k = 0; k < 2; k++) {
        check_round_trip(&rock, names[k], 1000.0);
        check_round_trip(&block, names[k], 25000.0);
    }
    sweep_mesh(&rock, test_path("s.stl"));
    sweep_mesh(&rock, test_path("s.3mf"));
    silt_mesh_destroy(&rock);
    silt_mesh_destroy(&block);
    silt_terrain_destroy(terrain);
}

static void files_of_other_programs_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double volume;
        int shells;
    } files[] = {
        {SEEDS "stl/cube.stl", 1.0, 1},
        {SEEDS "stl/text.stl", 1.0, 1},
        {SEEDS "3mf/stored.3mf", 9.0 * 25.4 * 25.4 * 25.4, 2}, // a cube of an inch, and one of two beside it
#ifdef SILT_HAS_ZLIB
        {SEEDS "3mf/packed.3mf", 9.0 * 25.4 * 25.4 * 25.4, 2},
#endif
    };
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        SiltMesh mesh;
        SiltMeshInfo info;
        assert_ok(silt_mesh_read(files[k].path, &mesh));
        assert_ok(silt_mesh_measure(&mesh, &info));
        assert_int_equal(info.open_edges, 0);
        assert_int_equal(info.shells, files[k].shells);
        assert_near(info.volume, files[k].volume, 1e-5 * files[k].volume);
        silt_mesh_destroy(&mesh);
    }
    SiltMesh mesh;
    assert_fails(silt_mesh_read(SEEDS "stl/cut.stl", &mesh), SILT_BAD_FILE, "truncated");
    assert_fails(silt_mesh_read(SEEDS "3mf/cut.3mf", &mesh), SILT_BAD_FILE, "not a ZIP archive");
    assert_fails(silt_mesh_read(SEEDS "3mf/bad.3mf", &mesh), SILT_BAD_FILE,
                 "names a vertex that is not there");
}

// The thickness of a box is what is told, and what is missing is seen.
static void what_is_said_of_a_box_is_so(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltMesh mesh;
    SiltMeshInfo info;
    assert_ok(silt_terrain_create(11, 21, 10.0, &terrain));
    silt_field_fill(silt_terrain_layer(terrain, "height"), 100.0f);
    assert_ok(silt_mesh_from_terrain(terrain, 7.0, &mesh));
    assert_ok(silt_mesh_measure(&mesh, &info));
    assert_int_equal(info.open_edges, 0);
    assert_int_equal(info.shells, 1);
    assert_near(info.volume, 100.0 * 200.0 * 7.0, 1e-3);
    assert_near(info.thinnest, 7.0, 1e-4);
    assert_near(info.area, 2.0 * 100.0 * 200.0 + 2.0 * 7.0 * 300.0, 1e-2);
    mesh.triangle_count--;
    assert_ok(silt_mesh_measure(&mesh, &info));
    assert_int_equal(info.open_edges, 3);
    assert_true(isnan(info.thinnest));
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(terrain);
}

// Every cell that has a quad lies in a triangle, and within the error of each it lies in.
static void check_within(const SiltTerrain *terrain, double error, size_t *triangles)
{
    SiltMesh mesh;
    SiltMeshInfo info;
    uint8_t *seen = calloc((size_t)terrain->width * (size_t)terrain->height, 1);
    assert_ok(silt_mesh_within(terrain, 0.0, error, &mesh));
    *triangles = mesh.triangle_count;
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        double x[3], y[3], z[3];
        for (size_t k = 0; k < 3; k++) {
            const float *p = mesh.positions + 3 * mesh.indices[3 * t + k];
            x[k] = (double)p[0] / terrain->cell;
            y[k] = terrain->height - 1 - (double)p[1] / terrain->cell;
            z[k] = (double)p[2];
        }
        double area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
        assert_true(area < 0.0); // counter-clockwise from above, with rows that run south
        int i0 = (int)(fmin(x[0], fmin(x[1], x[2])) + 0.5), i1 = (int)(fmax(x[0], fmax(x[1], x[2])) + 0.5);
        int j0 = (int)(fmin(y[0], fmin(y[1], y[2])) + 0.5), j1 = (int)(fmax(y[0], fmax(y[1], y[2])) + 0.5);
        for (int j = j0; j <= j1; j++)
            for (int i = i0; i <= i1; i++) {
                double u = ((x[1] - i) * (y[2] - j) - (y[1] - j) * (x[2] - i)) / area;
                double v = ((x[2] - i) * (y[0] - j) - (y[2] - j) * (x[0] - i)) / area, w = 1.0 - u - v;
                if (u < -1e-6 || v < -1e-6 || w < -1e-6)
                    continue;
                assert_false(silt_terrain_is_nodata(terrain, i, j));
                seen[(size_t)j * (size_t)terrain->width + (size_t)i] = 1;
                assert_near(u * z[0] + v * z[1] + w * z[2],
                            (double)silt_field_at(&terrain->layers[0]->field, i, j), error + 1e-3);
            }
    }
    for (int j = 0; j + 1 < terrain->height; j++)
        for (int i = 0; i + 1 < terrain->width; i++) {
            bool solid =
                !silt_terrain_is_nodata(terrain, i, j) && !silt_terrain_is_nodata(terrain, i + 1, j) &&
                !silt_terrain_is_nodata(terrain, i, j + 1) && !silt_terrain_is_nodata(terrain, i + 1, j + 1);
            if (solid)
                assert_true(seen[(size_t)j * (size_t)terrain->width + (size_t)i]);
        }
    silt_mesh_destroy(&mesh);
    free(seen);
    assert_ok(silt_mesh_within(terrain, 30.0, error, &mesh)); // and as a block it is closed
    assert_ok(silt_mesh_measure(&mesh, &info));
    assert_int_equal(info.open_edges, 0);
    assert_true(info.volume > 0.0);
    silt_mesh_destroy(&mesh);
}

static void decimated_land_lies_within_its_error(void **state)
{
    (void)state;
    static const int sizes[][2] = {{65, 65}, {64, 50}, {7, 90}, {2, 2}};
    for (size_t n = 0; n < 4; n++)
        for (int holes = 0; holes < 2; holes++) {
            SiltTerrain *terrain = make_hills(sizes[n][0], sizes[n][1], holes && sizes[n][0] > 2);
            size_t fine, coarse;
            check_within(terrain, 0.0, &fine);
            check_within(terrain, 40.0, &coarse);
            if (!holes && sizes[n][0] > 2)
                assert_true(2 * coarse < fine);
            check_within(terrain, 1e5, &coarse);
            silt_terrain_destroy(terrain);
        }
}

static void threads_do_not_show(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(65, 65, false);
    SiltMesh first = {0}, mesh;
    static const int threads[] = {1, 2, 8};
    for (int n = 0; n < 3; n++) {
        SiltRun run = {.threads = threads[n]};
        SiltCrew before = silt_crew_begin(&run);
        SiltMeshInfo info;
        assert_ok(silt_mesh_within(terrain, 20.0, 20.0, &mesh));
        assert_ok(silt_mesh_measure(&mesh, &info));
        silt_crew_end(before);
        if (n == 0) {
            first = mesh;
            continue;
        }
        assert_int_equal(mesh.triangle_count, first.triangle_count);
        assert_memory_equal(mesh.indices, first.indices, 12 * mesh.triangle_count);
        assert_memory_equal(mesh.positions, first.positions, 12 * mesh.vertex_count);
        silt_mesh_destroy(&mesh);
    }
    silt_mesh_destroy(&first);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_come_back_closed_and_as_large),
        cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(what_is_said_of_a_box_is_so),
        cmocka_unit_test(decimated_land_lies_within_its_error),
        cmocka_unit_test(threads_do_not_show),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
