// Particles on triangles: the surface, collisions, and the books of single exchanges.
#include "erode_help.h"

#include "couple/heightfield.h"

static SiltHeightfield make_field(SiltTerrain *terrain)
{
    SiltHeightfield field;
    SiltField before = {0};
    assert_ok(silt_heightfield_create("test", terrain, 1e-6, &before, &field));
    return field;
}

static SiltSph *make_box(const SiltHeightfield *field, int capacity)
{
    SiltSphConfig config = silt_sph_defaults();
    config.spacing = 0.1;
    config.capacity = capacity;
    config.has_planes = true;
    config.low[0] = config.low[1] = 0.5 * (double)field->cell;
    config.high[0] = (field->width - 0.5) * (double)field->cell;
    config.high[1] = (field->height - 0.5) * (double)field->cell;
    config.low[2] = -100.0, config.high[2] = 1000.0;
    for (int axis = 0; axis < 2; axis++)
        config.face[axis][0] = config.face[axis][1] = SILT_SPH_WALL;
    SiltSph *sph;
    assert_ok(silt_sph_create("test", &config, &sph));
    return sph;
}

static void surface_goes_through_its_samples(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(9, 7, 2.0);
    make_rough(terrain, 1, 5.0f);
    SiltHeightfield field = make_field(terrain);
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 9; i++) {
            SiltSurface at = silt_heightfield_at(&field, 2.0f * (float)i + 1.0f, 2.0f * (float)j + 1.0f);
            assert_near((double)at.z + field.low, ground_at(terrain, i, j), 1e-5);
            assert_near((double)(at.nx * at.nx + at.ny * at.ny + at.nz * at.nz), 1.0, 1e-6);
        }
    // on a plane, its height and its normal are those of the plane
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 9; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = (float)(2 * i + j);
    silt_heightfield_destroy(&field);
    field = make_field(terrain);
    for (float x = 1.0f; x < 17.0f; x += 0.73f)
        for (float y = 1.0f; y < 13.0f; y += 0.61f) {
            SiltSurface at = silt_heightfield_at(&field, x, y);
            assert_near((double)at.z, (double)((x - 1.0f) + 0.5f * (y - 1.0f)), 1e-4);
            assert_near((double)(at.nx / at.nz), -1.0, 1e-4);
            assert_near((double)(at.ny / at.nz), -0.5, 1e-4);
        }
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

// Ten million particle-steps over rough ground, fast and slow.
static void no_particle_is_ever_below_the_ground(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(64, 48, 0.5);
    make_rough(terrain, 2, 12.0f);
    SiltHeightfield field = make_field(terrain);
    enum { COUNT = 5000, STEPS = 2000 };
    SiltSph *sph = make_box(&field, COUNT);
    for (int i = 0; i < COUNT; i++) {
        SiltRandom random = silt_random(7, SILT_STREAM_TEST, (uint64_t)i, 0);
        float at[3] = {1.0f + 30.0f * silt_uniform(random.word[0]),
                       1.0f + 22.0f * silt_uniform(random.word[1]),
                       14.0f + 10.0f * silt_uniform(random.word[2])};
        float speed[3] = {40.0f * silt_symmetric(random.word[3]), 9.0f * silt_symmetric(random.word[2]),
                          0.0f};
        assert_true(silt_sph_add(sph, at, speed));
        sph->now.az[i] = -9.81f;
    }
    int64_t below = 0, touched = 0;
    const float dt = 0.01f;
    for (int step = 0; step < STEPS; step++) {
        silt_sph_move(sph, (double)dt);
        for (int i = 0; i < COUNT; i++) {
            touched += silt_heightfield_collide(&field, sph, i, dt, 0.9f);
            below += sph->now.z[i] < silt_heightfield_at(&field, sph->now.x[i], sph->now.y[i]).z;
            if (step % 200 == 0) // thrown up again
                sph->now.w[i] = 8.0f, sph->now.u[i] += 20.0f * (float)(i % 3 - 1);
        }
    }
    assert_true(touched > COUNT * 50);
    assert_int_equal(below, 0);
    silt_sph_destroy(sph);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

// A thin, high ridge, and a particle so fast that it is beyond it after one step.
static void nothing_passes_through_a_ridge(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 10, 1.0);
    for (int j = 0; j < 10; j++)
        silt_field_row(silt_terrain_layer(terrain, "height"), j)[20] = 30.0f;
    SiltHeightfield field = make_field(terrain);
    SiltSph *sph = make_box(&field, 10);
    const float at[3] = {10.0f, 5.3f, 3.0f}, speed[3] = {200.0f, 3.0f, 0.0f};
    silt_sph_add(sph, at, speed);
    silt_sph_move(sph, 0.1);
    assert_true(sph->now.x[0] > 29.0f);
    assert_true(silt_heightfield_collide(&field, sph, 0, 0.1f, 0.0f));
    assert_true(sph->now.x[0] < 20.5f);
    assert_true(sph->now.z[0] >= silt_heightfield_at(&field, sph->now.x[0], sph->now.y[0]).z);
    silt_sph_destroy(sph);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

// Kataev eq. 1.44 on level ground.
static void restitution_follows_the_depth(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(10, 10, 1.0);
    SiltHeightfield field = make_field(terrain);
    SiltSph *sph = make_box(&field, 10);
    const float at[3] = {5.2f, 5.3f, 0.5f}, speed[3] = {1.0f, 0.0f, -10.0f};
    silt_sph_add(sph, at, speed);
    silt_sph_move(sph, 0.1);
    assert_true(silt_heightfield_collide(&field, sph, 0, 0.1f, 0.8f));
    double depth = 0.5, way = 0.1 * sqrt(101.0);
    assert_near((double)sph->now.w[0], 0.8 * depth / way * 10.0, 1e-4);
    assert_near((double)sph->now.u[0], 1.0, 1e-6);
    assert_near((double)sph->now.z[0], 0.0, 1e-6);
    silt_sph_destroy(sph);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

static void exchanges_are_exact(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(10, 10, 2.0);
    make_rough(terrain, 4, 3.0f);
    SiltHeightfield field = make_field(terrain);
    double before = silt_heightfield_rock(&field);
    int64_t net = 0;
    for (int k = 0; k < 1000; k++) {
        SiltSurface at = silt_heightfield_at(&field, 1.0f + 0.017f * (float)k, 19.0f - 0.013f * (float)k);
        silt_heightfield_take(&field, &at, 12345 + k);
        silt_heightfield_lay(&field, &at, 3 * k);
        net += 3 * k - (12345 + k);
    }
    silt_heightfield_settle(&field, 1e-3, 0.1);
    int64_t sum = 0;
    for (int n = 0; n < 100; n++)
        sum += field.change[n];
    assert_int_equal(sum, net);
    assert_near(silt_heightfield_rock(&field) - before, (double)net * 1e-6, 1e-9);
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

static void bad_terrains_get_a_sentence(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(1, 5, 1.0);
    SiltHeightfield field;
    SiltField before = {0};
    assert_fails(silt_heightfield_create("erode acid", terrain, 1e-6, &before, &field), SILT_BAD_ARGUMENT,
                 "1 x 5 cells");
    silt_terrain_destroy(terrain);
    terrain = make_terrain(5, 5, 1.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 2)[2] = INFINITY;
    assert_fails(silt_heightfield_create("erode acid", terrain, 1e-6, &before, &field), SILT_BAD_ARGUMENT,
                 "not finite");
    silt_heightfield_destroy(&field);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_goes_through_its_samples),
        cmocka_unit_test(no_particle_is_ever_below_the_ground),
        cmocka_unit_test(nothing_passes_through_a_ridge),
        cmocka_unit_test(restitution_follows_the_depth),
        cmocka_unit_test(exchanges_are_exact),
        cmocka_unit_test(bad_terrains_get_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
