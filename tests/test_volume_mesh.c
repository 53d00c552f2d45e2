// Meshes of volumes, and volumes of meshes.
#include "test.h"

#include "volume/cubes.h"
#include "volume/volume.h"
#include "volumes.h"

// Twice the area of the smallest triangle, as part of its longest side squared.
static double thinnest(const SiltMesh *mesh)
{
    double least = 1e30;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double side[3][3], square = 0.0, longest = 0.0;
        for (size_t k = 0; k < 3; k++)
            for (size_t axis = 0; axis < 3; axis++)
                side[k][axis] = (double)mesh->positions[3 * mesh->indices[3 * t + (k + 1) % 3] + axis] -
                                (double)mesh->positions[3 * mesh->indices[3 * t + k] + axis];
        for (int axis = 0; axis < 3; axis++) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double n = side[0][u] * side[1][v] - side[0][v] * side[1][u];
            square += n * n;
        }
        for (int k = 0; k < 3; k++)
            longest =
                fmax(longest, side[k][0] * side[k][0] + side[k][1] * side[k][1] + side[k][2] * side[k][2]);
        least = fmin(least, longest > 0.0 ? sqrt(square) / longest : 0.0);
    }
    return least;
}

// A tenth of the triangles: still closed, still a ring, and hardly less rock.
static void fewer_triangles_stay_closed(void **state)
{
    (void)state;
    static const char *const shapes[] = {"torus", "sphere", "bridge", "pillars", "box"};
    for (int k = 0; k < 5; k++) {
        SiltVolume *volume = make_shape(shapes[k], 48, 48, 48, 8);
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts before = measure_mesh(&mesh);
        size_t triangles = mesh.triangle_count;
        assert_ok(silt_mesh_decimate(&mesh, 0.1));
        MeshFacts after = measure_mesh(&mesh);
        assert_true(mesh.triangle_count <= triangles / 10 + 2 && mesh.triangle_count > triangles / 12);
        assert_true(after.is_closed);
        assert_int_equal(after.euler, before.euler);
        assert_near(after.volume, before.volume, 0.02 * before.volume);
        assert_true(thinnest(&mesh) > 9e-5);        // each has an area
        assert_ok(silt_mesh_decimate(&mesh, 0.01)); // as far as it goes
        assert_true(measure_mesh(&mesh).is_closed);
        assert_true(thinnest(&mesh) > 9e-5);
        assert_fails(silt_mesh_decimate(&mesh, 0.0), SILT_BAD_ARGUMENT, "share of 0");
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

// Triangles without area that a mesh brought along are gone when it is made smaller.
static void flat_triangles_go(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(32, 8, 9.0);
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    for (uint32_t t = 5; t < mesh.triangle_count; t += 97) // a corner moves onto the next one
        memcpy(mesh.positions + 3 * mesh.indices[3 * t], mesh.positions + 3 * mesh.indices[3 * t + 1],
               3 * sizeof(float));
    assert_true(thinnest(&mesh) == 0.0);
    assert_ok(silt_mesh_decimate(&mesh, 0.9));
    assert_true(thinnest(&mesh) > 9e-5);
    assert_true(measure_mesh(&mesh).is_closed);
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
}

// An open mesh keeps its border: the corners of the block are where they were.
static void borders_stay(void **state)
{
    (void)state;
    SiltVolume *volume = make_shape("bridge", 32, 32, 32, 8);
    SiltMesh whole, few;
    assert_ok(silt_volume_mesh(volume, true, &whole));
    assert_ok(silt_volume_mesh(volume, true, &few));
    assert_ok(silt_mesh_decimate(&few, 0.2));
    float low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
    const SiltMesh *meshes[2] = {&whole, &few};
    for (int m = 0; m < 2; m++)
        for (size_t v = 0; v < meshes[m]->vertex_count; v++) {
            low[m] = fminf(low[m], meshes[m]->positions[3 * v]);
            high[m] = fmaxf(high[m], meshes[m]->positions[3 * v]);
        }
    assert_true(low[0] == low[1] && high[0] == high[1]);
    silt_mesh_destroy(&whole);
    silt_mesh_destroy(&few);
    silt_volume_destroy(volume);
}

// What heights show is no overhang; the ground below an arch and the arch from below are.
static void overhangs_lie_under_roofs(void **state)
{
    (void)state;
    SiltVolume *bridge = make_shape("bridge", 48, 48, 48, 8), *hills;
    SiltTerrain *top;
    SiltMesh whole, under, none;
    assert_ok(silt_volume_to_terrain(bridge, &top));
    assert_ok(silt_volume_from_terrain(top, NULL, NULL, 0, &hills));
    assert_ok(silt_volume_mesh(bridge, true, &whole));
    assert_ok(silt_volume_overhangs(bridge, &under));
    assert_ok(silt_volume_overhangs(hills, &none));
    assert_true(under.triangle_count > whole.triangle_count / 50);
    assert_true(under.triangle_count < whole.triangle_count / 3);
    assert_true(none.triangle_count < under.triangle_count / 20);
    silt_mesh_destroy(&whole);
    silt_mesh_destroy(&under);
    silt_mesh_destroy(&none);
    silt_terrain_destroy(top);
    silt_volume_destroy(hills);
    silt_volume_destroy(bridge);
}

// Each of the 256 ways eight voxels can lie in rock and air, alone in the air.
static void all_cubes_close(void **state)
{
    (void)state;
    const SiltCube *cubes = silt_cubes();
    for (unsigned inside = 0; inside < 256; inside++) {
        const int size[3] = {4, 4, 4};
        SiltVolume *volume;
        assert_ok(silt_volume_create(size, 8, 1.0, NULL, 0, &volume));
        for (int c = 0; c < 8; c++)
            assert_ok(silt_volume_set(volume, 1 + (c & 1), 1 + (c >> 1 & 1), 1 + (c >> 2),
                                      inside >> c & 1 ? 1.0f : -1.0f));
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts facts = measure_mesh(&mesh);
        assert_true(facts.is_closed);
        assert_true(inside == 0 ? mesh.triangle_count == 0 : facts.volume > 0.0);
        assert_true((cubes[inside].count == 0) == (inside == 0 || inside == 255));
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

// A block of rock is a box to the last digit, and its fans and walls meet.
static void solid_block_is_a_box(void **state)
{
    (void)state;
    const int sizes[3][3] = {{17, 20, 33}, {8, 9, 10}, {2, 16, 3}};
    for (int n = 0; n < 3; n++)
        for (int side = 8; side <= 16; side += 8) {
            const int *size = sizes[n];
            SiltVolume *volume;
            assert_ok(silt_volume_create(size, side, 1.0, NULL, 0, &volume));
            for (int k = 0; k < size[2]; k++)
                for (int j = 0; j < size[1]; j++)
                    for (int i = 0; i < size[0]; i++)
                        assert_ok(silt_volume_set(volume, i, j, k, 1.0f));
            SiltMesh mesh;
            assert_ok(silt_volume_mesh(volume, false, &mesh));
            MeshFacts facts = measure_mesh(&mesh);
            assert_true(facts.is_closed);
            assert_int_equal(facts.euler, 2);
            assert_near(facts.volume, (size[0] - 1.0) * (size[1] - 1.0) * (size[2] - 1.0), 1e-9);
            silt_mesh_destroy(&mesh);
            assert_ok(silt_volume_mesh(volume, true, &mesh));
            assert_int_equal(mesh.triangle_count, 0);
            silt_mesh_destroy(&mesh);
            silt_volume_destroy(volume);
        }
}

// A surface that was kept and brought up to date is the one made anew, and only bricks near the change were
// redone.
static void only_changes_are_remeshed(void **state)
{
    (void)state;
    SiltVolume *volume = make_shape("pillars", 90, 90, 90, 8);
    SiltRockSurface *surface;
    size_t redone;
    SiltMesh kept, anew;
    assert_ok(silt_surface_create(volume, false, &surface));
    assert_ok(silt_surface_update(surface, &redone));
    assert_int_equal(redone, 12 * 12 * 12);
    assert_ok(silt_surface_update(surface, &redone));
    assert_int_equal(redone, 0);
    for (int n = 0; n < 3; n++)
        assert_ok(silt_volume_set(volume, 15 + n, 16, 40, 0.5f));
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED));
    assert_ok(silt_surface_update(surface, &redone));
    assert_true(redone > 0 && redone < 300);
    assert_ok(silt_surface_mesh(surface, &kept));
    // a mesh made beside it takes no change away from it
    assert_ok(silt_volume_set(volume, 15, 16, 41, 0.5f));
    assert_ok(silt_volume_mesh(volume, false, &anew));
    silt_mesh_destroy(&anew);
    silt_mesh_destroy(&kept);
    assert_ok(silt_surface_update(surface, &redone));
    assert_true(redone > 0 && redone < 300);
    assert_ok(silt_surface_mesh(surface, &kept));
    assert_ok(silt_volume_mesh(volume, false, &anew));
    assert_int_equal(kept.vertex_count, anew.vertex_count);
    assert_int_equal(kept.triangle_count, anew.triangle_count);
    assert_memory_equal(kept.positions, anew.positions, 12 * anew.vertex_count);
    assert_memory_equal(kept.normals, anew.normals, 12 * anew.vertex_count);
    assert_memory_equal(kept.indices, anew.indices, 12 * anew.triangle_count);
    assert_true(measure_mesh(&kept).is_closed);
    silt_mesh_destroy(&kept);
    silt_mesh_destroy(&anew);
    assert_true(silt_surface_is_of(surface, volume));
    silt_volume_destroy(volume);
    silt_surface_destroy(surface);
}

// Erodibility: uniform, in patches between low and high, in beds, and times a map.
// A mesh that was made from a volume fills to the same rock again, whichever way its triangles face.
static void meshes_fill_with_rock(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        SiltVolume *volume = make_shape("torus", 64, 64, 30, 8), *back;
        SiltMesh mesh, again;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        double wanted = measure_mesh(&mesh).volume;
        for (size_t t = 0; turned && t < mesh.triangle_count; t++) {
            uint32_t kept = mesh.indices[3 * t];
            mesh.indices[3 * t] = mesh.indices[3 * t + 1];
            mesh.indices[3 * t + 1] = kept;
        }
        assert_ok(silt_volume_from_mesh(&mesh, 60, 8, NULL, 0, &back));
        double low = INFINITY, high = -INFINITY;
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            low = fmin(low, (double)mesh.positions[3 * v]);
            high = fmax(high, (double)mesh.positions[3 * v]);
        }
        assert_near(back->cell, (high - low) / 60.0, 1e-3 * back->cell); // the air around it is not counted
        assert_int_equal(back->size[0], 60 + 13);
        assert_near(silt_volume_rock(back), wanted, 0.01 * wanted);
        assert_ok(silt_volume_mesh(back, false, &again));
        MeshFacts facts = measure_mesh(&again);
        assert_true(facts.is_closed);
        assert_int_equal(facts.euler, 0);
        double middle = back->origin[0] + 0.5 * (back->size[0] - 1) * back->cell;
        assert_near(middle, 31.5, 1.0);
        silt_mesh_destroy(&mesh);
        silt_mesh_destroy(&again);
        silt_volume_destroy(volume);
        silt_volume_destroy(back);
    }
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(40, 8, 10.0), *back;
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    mesh.triangle_count--;
    assert_fails(silt_volume_from_mesh(&mesh, 40, 8, NULL, 0, &back), SILT_BAD_ARGUMENT, "open: 3 edges");
    mesh.triangle_count++;
    uint32_t turned = mesh.indices[0];
    mesh.indices[0] = mesh.indices[1];
    mesh.indices[1] = turned;
    assert_fails(silt_volume_from_mesh(&mesh, 40, 8, NULL, 0, &back), SILT_BAD_ARGUMENT, "winding differs");
    mesh.indices[1] = mesh.indices[0];
    mesh.indices[0] = turned;
    SiltMesh flat = mesh;
    flat.positions = malloc(flat.vertex_count * 12);
    for (size_t k = 0; k < 3 * mesh.vertex_count; k++)
        flat.positions[k] = k % 3 == 2 ? 0.0f : mesh.positions[k];
    assert_fails(silt_volume_from_mesh(&flat, 40, 8, NULL, 0, &back), SILT_BAD_ARGUMENT, "flat");
    free(flat.positions);
    assert_fails(silt_volume_from_mesh(&mesh, 3, 8, NULL, 0, &back), SILT_BAD_ARGUMENT, "it takes 4 to 8179");
    assert_fails(silt_volume_from_mesh(&mesh, 8180, 8, NULL, 0, &back), SILT_BAD_ARGUMENT, "it takes 4 to");
    // a second sphere that overlaps the first
    SiltMesh both = {.vertex_count = 2 * mesh.vertex_count, .triangle_count = 2 * mesh.triangle_count};
    both.positions = malloc(both.vertex_count * 12);
    both.indices = malloc(both.triangle_count * 12);
    for (size_t k = 0; k < 3 * mesh.vertex_count; k++) {
        both.positions[k] = mesh.positions[k];
        both.positions[3 * mesh.vertex_count + k] = mesh.positions[k] + 5.0f;
    }
    for (size_t k = 0; k < 3 * mesh.triangle_count; k++) {
        both.indices[k] = mesh.indices[k];
        both.indices[3 * mesh.triangle_count + k] = mesh.indices[k] + (uint32_t)mesh.vertex_count;
    }
    assert_fails(silt_volume_from_mesh(&both, 40, 8, NULL, 0, &back), SILT_BAD_ARGUMENT,
                 "passes through itself");
    assert_null(back);
    free(both.positions);
    free(both.indices);
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_triangles_stay_closed),
        cmocka_unit_test(flat_triangles_go),
        cmocka_unit_test(borders_stay),
        cmocka_unit_test(overhangs_lie_under_roofs),
        cmocka_unit_test(all_cubes_close),
        cmocka_unit_test(solid_block_is_a_box),
        cmocka_unit_test(only_changes_are_remeshed),
        cmocka_unit_test(meshes_fill_with_rock),
        cmocka_unit_test(bad_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
