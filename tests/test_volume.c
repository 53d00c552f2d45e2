#include "test.h"

#include "physics/random.h"
#include "silt/volume.h"
#include "volume/cubes.h"
#include "volumes.h"

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    SiltVolume *volume;
    const int flat[3] = {10, 1, 10}, huge[3] = {9000, 10, 10}, fine[3] = {10, 10, 10};
    assert_fails(silt_volume_create(flat, 8, 1.0, NULL, 0, &volume), SILT_BAD_ARGUMENT,
                 "each side takes 2 to");
    assert_fails(silt_volume_create(huge, 8, 1.0, NULL, 0, &volume), SILT_BAD_ARGUMENT,
                 "each side takes 2 to");
    assert_fails(silt_volume_create(fine, 7, 1.0, NULL, 0, &volume), SILT_BAD_ARGUMENT, "8 or 16");
    assert_fails(silt_volume_create(fine, 8, NAN, NULL, 0, &volume), SILT_BAD_ARGUMENT, "voxel of");
    SiltRock rock = {.low = -1.0, .high = 1.0, .size = 10.0};
    assert_fails(silt_volume_create(fine, 8, 1.0, &rock, 0, &volume), SILT_BAD_ARGUMENT, "low");
    assert_null(volume);
}

static void tall_heights_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(16, 16, 1.0, &terrain));
    silt_field_row(&terrain->layers[0]->field, 3)[4] = 100.0f;
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    options.layers = 64;
    SiltVolume *volume;
    assert_fails(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume), SILT_BAD_ARGUMENT,
                 "need 109 layers");
    options.layers = 0;
    silt_field_row(&terrain->layers[0]->field, 3)[4] = 1e6f;
    assert_fails(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume), SILT_BAD_ARGUMENT,
                 "larger cells");
    silt_terrain_destroy(terrain);
}

// Uniform bricks cost nothing: a large block of mostly rock and air takes what its surface needs.
static void only_the_surface_costs(void **state)
{
    (void)state;
    const int size[3] = {512, 512, 256};
    SiltVolume *volume = make_sphere(256, 8, 40.0);
    assert_true(volume->brick_count < 1500); // 4 pi 40^2 / 8^2 = 314 bricks across the surface
    assert_true(silt_volume_bytes(size, 8, volume->brick_count) < 12u << 20);
    silt_volume_destroy(volume);
}

static void shapes_join_and_cut(void **state)
{
    (void)state;
    SiltVolume *box = make_shape("box", 41, 41, 41, 8), *ball = make_sphere(41, 8, 9.0);
    double whole = silt_volume_rock(box), round = silt_volume_rock(ball);
    assert_near(whole, 24.0 * 24.0 * 24.0, 150.0); // its edges are blunt
    assert_ok(silt_volume_combine(box, SILT_DIFFERENCE, ball));
    assert_near(silt_volume_rock(box), whole - round, 1e-3 * whole);
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(box, false, &mesh)); // a box with a hollow: two closed surfaces
    MeshFacts facts = measure_mesh(&mesh);
    assert_true(facts.is_closed);
    assert_int_equal(facts.euler, 4);
    assert_ok(silt_volume_combine(box, SILT_UNION, ball));
    assert_near(silt_volume_rock(box), whole, 1e-2 * whole);
    assert_ok(silt_volume_combine(box, SILT_INTERSECTION, ball));
    assert_near(silt_volume_rock(box), round, 2e-2 * round);
    SiltVolume *other = make_sphere(42, 8, 9.0);
    assert_fails(silt_volume_combine(box, SILT_UNION, other), SILT_BAD_ARGUMENT, "one size");
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(other);
    silt_volume_destroy(box);
    silt_volume_destroy(ball);
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
            silt_volume_destroy(volume);
        }
}

// A surface that was kept and brought up to date is the one made anew, and only bricks near the change were
// redone.
static void only_changes_are_remeshed(void **state)
{
    (void)state;
    SiltVolume *volume = make_shape("pillars", 90, 90, 90, 8);
    SiltSurface *surface;
    size_t redone;
    SiltMesh kept, anew;
    assert_ok(silt_surface_create(volume, false, &surface));
    assert_ok(silt_surface_update(surface, &redone));
    assert_int_equal(redone, 12 * 12 * 12);
    assert_ok(silt_surface_update(surface, &redone));
    assert_int_equal(redone, 0);
    for (int n = 0; n < 3; n++)
        assert_ok(silt_volume_set(volume, 15 + n, 16, 40, 0.5f));
    assert_ok(silt_volume_redistance(volume, false));
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
    silt_surface_destroy(surface);
    silt_volume_destroy(volume);
}

// Erodibility: uniform, in patches between low and high, in beds, and times a map.
static void rock_has_its_erodibility(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltField *map;
    assert_ok(silt_terrain_create(40, 40, 5.0, &terrain));
    assert_ok(silt_terrain_require(terrain, "soft", &map));
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 40; i++)
            silt_field_row(map, j)[i] = i < 20 ? 1.0f : 3.0f;
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    snprintf(options.erodibility, sizeof options.erodibility, "soft");
    SiltRock rock = {.kind = SILT_ROCK_STRATA, .low = 0.25, .high = 2.0, .size = 40.0};
    SiltVolume *volume;
    assert_ok(silt_volume_from_terrain(terrain, &options, &rock, 1, &volume));
    const float hard[3] = {10.0f, 10.0f, 8.0f}, soft[3] = {10.0f, 10.0f, 12.0f},
                east[3] = {30.0f, 10.0f, 12.0f};
    assert_near((double)silt_volume_erodibility(volume, hard), 0.25,
                1e-6); // the middle of a hard bed, z = 40 m
    assert_near((double)silt_volume_erodibility(volume, soft), 2.0, 1e-6);
    assert_near((double)silt_volume_erodibility(volume, east), 6.0, 1e-6);
    silt_volume_destroy(volume);
    snprintf(options.erodibility, sizeof options.erodibility, "hard");
    assert_fails(silt_volume_from_terrain(terrain, &options, &rock, 1, &volume), SILT_BAD_ARGUMENT,
                 "no layer 'hard'");
    options.erodibility[0] = '\0';
    rock.kind = SILT_ROCK_NOISE;
    assert_ok(silt_volume_from_terrain(terrain, &options, &rock, 1, &volume));
    float least = 9.0f, most = 0.0f;
    for (int n = 0; n < 1600; n++) {
        float place[3] = {(float)(n % 40), (float)(n / 40), 8.0f},
              value = silt_volume_erodibility(volume, place);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    assert_true(least >= 0.25f && most <= 2.0f && most - least > 0.5f);
    silt_volume_destroy(volume);
    silt_terrain_destroy(terrain);
}

// Eq. 3.6 of the paper agrees with the true distance beside the surface of a gentle slope.
static void paper_distance_is_near(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(32, 32, 1.0, &terrain));
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = 0.3f * (float)i;
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    SiltVolume *exact, *paper;
    assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, &exact));
    options.distance = SILT_DISTANCE_PAPER;
    assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, &paper));
    for (int k = 0; k < exact->size[2]; k++)
        for (int i = 4; i < 28; i++) {
            float phi = silt_volume_at(exact, i, 16, k);
            if (fabsf(phi) < 1.0f)
                assert_near((double)silt_volume_at(paper, i, 16, k), (double)phi, 0.02);
        }
    silt_volume_destroy(exact);
    silt_volume_destroy(paper);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(tall_heights_are_refused),
        cmocka_unit_test(only_the_surface_costs),
        cmocka_unit_test(shapes_join_and_cut),
        cmocka_unit_test(all_cubes_close),
        cmocka_unit_test(solid_block_is_a_box),
        cmocka_unit_test(only_changes_are_remeshed),
        cmocka_unit_test(rock_has_its_erodibility),
        cmocka_unit_test(paper_distance_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
