#include "test.h"

#include "physics/random.h"
#include "volume/brick.h"
#include "volume/volume.h"
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

// What is brought back is rock: distances and hardnesses that are no numbers, or beyond any volume, would
// send water to places that are none.
static void forged_rock_is_refused(void **state)
{
    (void)state;
    static const float strange[] = {INFINITY, -INFINITY, NAN, 1e30f};
    const int size[3] = {24, 24, 24};
    SiltVolume *volume, *copy;
    assert_ok(silt_volume_create(size, 8, 1.0, NULL, 0, &volume));
    assert_ok(silt_volume_require(volume, 13));
    assert_ok(silt_volume_clone(volume, &copy));
    silt_volume_destroy(copy);
    for (int k = 0; k < 2 * 4; k++) {
        float *voxel = &volume->table[13][k < 4 ? 100 : 512 + 100], before = *voxel;
        *voxel = strange[k % 4];
        assert_fails(silt_volume_clone(volume, &copy), SILT_BAD_ARGUMENT, "the saved state is damaged");
        *voxel = before;
    }
    for (int k = 0; k < 4; k++) {
        volume->origin[2] = (double)strange[k];
        assert_fails(silt_volume_clone(volume, &copy), SILT_BAD_ARGUMENT, "the saved state is damaged");
    }
    silt_volume_destroy(volume);
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
    assert_near(whole, 24.0 * 24.0 * 24.0, 6.0);
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

static void rays_hit_the_nearest(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(120, 8, 20.0);
    for (int n = 0; n < 2000; n++) {
        SiltRandom random = silt_random(3, 1, (uint64_t)n, 0);
        float from[3], way[3], hit = -1.0f;
        double along = 0.0, square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = 59.5f + 140.0f * silt_symmetric(random.word[axis]);
            way[axis] =
                59.5f + 22.0f * silt_symmetric(silt_random(4, 1, (uint64_t)n, 0).word[axis]) - from[axis];
            square += (double)(way[axis] * way[axis]);
        }
        for (int axis = 0; axis < 3; axis++)
            way[axis] = (float)((double)way[axis] / sqrt(square));
        double centre = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            along += (59.5 - (double)from[axis]) * (double)way[axis];
            centre += (59.5 - (double)from[axis]) * (59.5 - (double)from[axis]);
        }
        double miss = sqrt(centre - along * along), half = miss < 20.0 ? sqrt(400.0 - miss * miss) : 0.0;
        bool is_hit = silt_volume_ray(volume, from, way, 1000.0f, &hit);
        if (centre < 402.0 || fabs(miss - 20.0) < 0.2)
            continue; // from within, or grazing
        assert_int_equal(is_hit, miss < 20.0 && along > 0.0);
        if (is_hit)
            assert_near((double)hit, along - half, 0.15);
    }
    const float below[3] = {59.5f, 59.5f, -10.0f}, up[3] = {0.0f, 0.0f, 2.0f},
                inside[3] = {59.5f, 59.5f, 60.0f};
    float hit;
    assert_true(silt_volume_ray(volume, below, up, 100.0f, &hit));
    assert_near((double)hit, (39.5 + 10.0) / 2.0, 0.01);
    assert_false(silt_volume_ray(volume, below, up, 24.0f, &hit)); // too short
    assert_true(silt_volume_ray(volume, inside, up, 1.0f, &hit));
    assert_near((double)hit, 0.0, 1e-6);
    silt_volume_destroy(volume);
}

typedef struct Slab {
    double low, high, half;
} Slab;

static double slab_distance(const void *shape, const double place[3])
{
    const Slab *slab = shape;
    double distance = fmin(place[2] - slab->low, slab->high - place[2]);
    for (int axis = 0; axis < 2; axis++)
        distance = fmin(distance, slab->half - fabs(place[axis] - 20.0));
    return distance;
}

// Beds and joints roughen the faces of a headland: more surface, hardly less rock, all of one piece.
static void a_headland_has_beds_and_joints(void **state)
{
    (void)state;
    static const char *const keys[] = {"ledges", "creases"};
    const int sizes[3] = {72, 72, 48};
    const SiltVolumeShape *shape = silt_volume_shape_find("headland");
    void *params = calloc(1, shape->params.size);
    assert_ok(silt_params_init(&shape->params, params));
    double area[3], rock[3];
    for (int n = 0; n < 3; n++) { // with nothing, with ledges, and with both
        SiltVolume *volume;
        SiltLoose loose;
        SiltMesh mesh;
        if (n > 0)
            assert_ok(silt_params_set(&shape->params, params, "headland", keys[n - 1], "0.04"));
        assert_ok(silt_volume_make(shape, sizes, 8, 1.0, params, NULL, 5, &volume));
        assert_ok(silt_volume_loose(volume, SILT_LOOSE_REPORT, &loose));
        assert_int_equal(loose.piece_count, 0);
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts facts = measure_mesh(&mesh);
        assert_true(facts.is_closed);
        area[n] = facts.area;
        rock[n] = facts.volume;
        assert_true(n == 0 || area[n] > 1.02 * area[n - 1]);
        assert_near(rock[n], rock[0], 0.1 * rock[0]);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
    free(params);
}

// A slab over the ground: held by a pillar it stays, without one it is loose, and it is removed or falls onto
// the ground.
static void hanging_rock_is_found(void **state)
{
    (void)state;
    const Slab ground = {-10.0, 6.3, 100.0}, plate = {25.2, 31.4, 12.0}, pillar = {0.0, 28.0, 3.0};
    for (int action = SILT_LOOSE_REPORT; action <= SILT_LOOSE_DROP; action++) {
        const int size[3] = {41, 41, 50};
        SiltVolume *volume;
        SiltLoose loose;
        assert_ok(silt_volume_create(size, 8, 2.0, NULL, 0, &volume));
        assert_ok(silt_volume_combine_shape(volume, SILT_UNION, slab_distance, &ground));
        double bare = silt_volume_rock(volume);
        assert_ok(silt_volume_combine_shape(volume, SILT_UNION, slab_distance, &plate));
        double both = silt_volume_rock(volume);
        assert_ok(silt_volume_loose(volume, action, &loose));
        assert_int_equal(loose.piece_count, 1);
        assert_near(loose.rock, 6.0 * 23.0 * 23.0 * 8.0, 0.1 * 6.0 * 23.0 * 23.0 * 8.0);
        double after = silt_volume_rock(volume);
        assert_near(after, action == SILT_LOOSE_REMOVE ? bare : both, 0.02 * both);
        if (action == SILT_LOOSE_DROP)
            assert_near(loose.fallen, 19.0 * 2.0,
                        0.1); // the lowest voxel of rock is 26, the highest of ground 6
        assert_ok(silt_volume_loose(volume, SILT_LOOSE_REPORT, &loose));
        assert_int_equal(loose.piece_count, action == SILT_LOOSE_REPORT ? 1 : 0);
        if (action == SILT_LOOSE_REPORT) {
            assert_ok(silt_volume_combine_shape(volume, SILT_UNION, slab_distance, &pillar));
            assert_ok(silt_volume_loose(volume, SILT_LOOSE_REMOVE, &loose));
            assert_int_equal(loose.piece_count, 0);
        }
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        assert_true(measure_mesh(&mesh).is_closed);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

// What a large volume takes is known before it is made, by a small one: enough, and not twice as much.
static void memory_is_known_before(void **state)
{
    (void)state;
    static const char *const names[] = {"sphere", "tunnel"};
    const int size[3] = {416, 400, 392}, huge[3] = {8192, 8192, 8192};
    for (int k = 0; k < 2; k++) {
        const SiltVolumeShape *shape = silt_volume_shape_find(names[k]);
        SiltVolume *volume;
        uint64_t bytes, meshed, most;
        assert_ok(silt_volume_make_bytes(shape, size, 8, 1.0, NULL, NULL, 1, false, &bytes));
        assert_ok(silt_volume_make_bytes(shape, size, 8, 1.0, NULL, NULL, 1, true, &meshed));
        assert_ok(silt_volume_make_bytes(shape, huge, 8, 1.0, NULL, NULL, 1, false, &most));
        assert_ok(silt_volume_make(shape, size, 8, 1.0, NULL, NULL, 1, &volume));
        uint64_t taken = silt_volume_bytes(size, 8, silt_volume_info(volume).brick_count);
        assert_true(bytes >= taken && bytes < 2 * taken);
        assert_true(meshed > bytes + taken / 3 && most > 100 * bytes);
        silt_volume_destroy(volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_known_before),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(tall_heights_are_refused),
        cmocka_unit_test(only_the_surface_costs),
        cmocka_unit_test(shapes_join_and_cut),
        cmocka_unit_test(forged_rock_is_refused),
        cmocka_unit_test(rock_has_its_erodibility),
        cmocka_unit_test(paper_distance_is_near),
        cmocka_unit_test(rays_hit_the_nearest),
        cmocka_unit_test(hanging_rock_is_found),
        cmocka_unit_test(a_headland_has_beds_and_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
