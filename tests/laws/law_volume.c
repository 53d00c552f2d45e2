// What holds for rock as a level set, whatever made it.
#include "test.h"

#include "physics/random.h"
#include "silt/generate.h"
#include "volume/volume.h"
#include "volumes.h"

static const double pi = 3.14159265358979323846;

static float random_part(uint64_t n, int word)
{
    return silt_uniform(silt_random(11, 1, n, 0).word[word]);
}

static double trilinear(double x, double y, double z)
{
    return 0.3 + 0.11 * x - 0.07 * y + 0.05 * z + 0.004 * x * y - 0.003 * y * z + 0.002 * x * z -
           0.0001 * x * y * z;
}

// Interpolation reproduces a trilinear function and its gradient across brick borders.
static void sampling_is_trilinear(void **state)
{
    (void)state;
    for (int side = 8; side <= 16; side += 8) {
        const int size[3] = {37, 21, 26};
        SiltVolume *volume;
        assert_ok(silt_volume_create(size, side, 1.0, NULL, 0, &volume));
        for (int k = 0; k < size[2]; k++)
            for (int j = 0; j < size[1]; j++)
                for (int i = 0; i < size[0]; i++)
                    assert_ok(silt_volume_set(volume, i, j, k, (float)trilinear(i, j, k)));
        double largest = 20.0; // of the values on the grid
        for (uint64_t n = 0; n < 20000; n++) {
            float at[3], gradient[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = random_part(n, axis) * (float)(size[axis] - 1);
            double x = (double)at[0], y = (double)at[1], z = (double)at[2];
            assert_near((double)silt_volume_sample(volume, at, gradient), trilinear(x, y, z), 4e-7 * largest);
            assert_near((double)gradient[0], 0.11 + 0.004 * y + 0.002 * z - 0.0001 * y * z, 1e-6 * largest);
            assert_near((double)gradient[1], -0.07 + 0.004 * x - 0.003 * z - 0.0001 * x * z, 1e-6 * largest);
            assert_near((double)gradient[2], 0.05 - 0.003 * y + 0.002 * x - 0.0001 * x * y, 1e-6 * largest);
            float again, other[3];
            silt_volume_sample_many(volume, 1, at, &again, other);
            assert_true(again == silt_volume_sample(volume, at, NULL) && other[1] == gradient[1]);
        }
        silt_volume_destroy(volume);
    }
}

// A sphere of 40 voxels has the area and the volume of a sphere, and so has the rock the ledger counts.
static void sphere_measures_right(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(101, 8, 40.0);
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    MeshFacts facts = measure_mesh(&mesh);
    double true_area = 4.0 * pi * 1600.0, true_volume = 4.0 / 3.0 * pi * 64000.0;
    assert_true(facts.is_closed);
    assert_int_equal(facts.euler, 2);
    assert_near(facts.area, true_area, 1e-3 * true_area);
    assert_near(facts.volume, true_volume, 1e-3 * true_volume);
    assert_near(silt_volume_rock(volume), true_volume, 1e-3 * true_volume);
    for (size_t v = 0; v < mesh.vertex_count; v++) { // normals point outwards
        const float *p = mesh.positions + 3 * v, *n = mesh.normals + 3 * v;
        assert_near((double)((p[0] - 50.0f) * n[0] + (p[1] - 50.0f) * n[1] + (p[2] - 50.0f) * n[2]), 40.0,
                    0.05);
    }
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
}

static void ring_has_a_hole(void **state)
{
    (void)state;
    for (int side = 8; side <= 16; side += 8) {
        SiltVolume *volume = make_shape("torus", 61, 64, 33, side);
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts facts = measure_mesh(&mesh);
        assert_true(facts.is_closed);
        assert_int_equal(facts.euler, 0);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

enum { WAVES, RIPPLES, LEAN, STEEP, SHALLOW, DISTORTIONS };

// A factor that bends phi without moving its zero.
static double distortion(int kind, double i, double j, double k)
{
    switch (kind) {
    case WAVES: // between 0.5 and 2 within some 20 voxels
        return exp2(sin(0.1 * i) * cos(0.08 * j + 0.06 * k));
    case RIPPLES:
        return exp2(sin(0.2 * i) * cos(0.16 * j + 0.12 * k));
    case LEAN:
        return 0.4 + 0.015 * i;
    case STEEP:
        return 3.0;
    default:
        return 0.3;
    }
}

static void distort(SiltVolume *volume, int kind)
{
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0]; i++)
                if (!silt_volume_is_uniform(volume, silt_volume_brick(volume, i, j, k))) {
                    float phi = silt_volume_at(volume, i, j, k);
                    assert_ok(
                        silt_volume_set(volume, i, j, k, (float)((double)phi * distortion(kind, i, j, k))));
                }
}

// How far the zero of phi on rays from the centre is from the sphere, at the worst.
static double surface_error(const SiltVolume *volume, double radius)
{
    double middle = 0.5 * (volume->size[0] - 1), moved = 0.0;
    for (int n = 0; n < 4000; n++) {
        double z = 2.0 * (n + 0.5) / 4000.0 - 1.0, angle = 2.39996323 * n, flat = sqrt(1.0 - z * z);
        double way[3] = {flat * cos(angle), flat * sin(angle), z}, low = radius - 1.5, high = radius + 1.5;
        for (int step = 0; step < 30; step++) {
            double r = 0.5 * (low + high);
            float at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = (float)(middle + r * way[axis]);
            *(silt_volume_sample(volume, at, NULL) > 0.0f ? &low : &high) = r;
        }
        moved = fmax(moved, fabs(low - radius));
    }
    return moved;
}

// The worst and the mean of ||grad phi| - 1|, of the gradient of the interpolation itself, at places whose
// cells lie within the band. A sphere's distance between voxels, if they have it exactly, is off by up to
// 0.577 / r: 1.6 % at r = 36.
static double slope_error(const SiltVolume *volume, double radius, double *mean)
{
    double middle = 0.5 * (volume->size[0] - 1), worst = 0.0, sum = 0.0,
           reach = (double)volume->band - sqrt(3.0);
    const uint64_t count = 100000;
    for (uint64_t n = 0; n < count; n++) {
        double z = 2.0 * (double)random_part(n, 0) - 1.0, angle = 2.0 * pi * (double)random_part(n, 1);
        double r = radius + reach * (2.0 * (double)random_part(n, 2) - 1.0), flat = r * sqrt(1.0 - z * z);
        float at[3] = {(float)(middle + flat * cos(angle)), (float)(middle + flat * sin(angle)),
                       (float)(middle + r * z)},
              g[3];
        silt_volume_sample(volume, at, g);
        double error = fabs(sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) - 1.0);
        worst = fmax(worst, error);
        sum += error;
    }
    *mean = sum / (double)count;
    return worst;
}

// The worst error of phi itself, where it is not the band's.
static double distance_error(const SiltVolume *volume, double radius)
{
    double middle = 0.5 * (volume->size[0] - 1), worst = 0.0;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0]; i++) {
                double x = i - middle, y = j - middle, z = k - middle;
                double wanted = radius - sqrt(x * x + y * y + z * z);
                if (fabs(wanted) < (double)volume->band)
                    worst = fmax(worst, fabs((double)silt_volume_at(volume, i, j, k) - wanted));
            }
    return worst;
}

// Re-initialising a distorted sphere moves its surface by less than a hundredth of a voxel, makes phi a
// distance all through the band, and doing it twenty times more changes neither.
static void redistance_keeps_the_surface(void **state)
{
    (void)state;
    for (int kind = 0; kind < DISTORTIONS; kind++) {
        SiltVolume *volume = make_sphere(101, kind == LEAN ? 16 : 8, 40.0);
        double mean;
        distort(volume, kind);
        assert_true(slope_error(volume, 40.0, &mean) > 0.5);
        assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED));
        assert_true(surface_error(volume, 40.0) < 0.01);
        assert_true(distance_error(volume, 40.0) < 0.01);
        assert_true(slope_error(volume, 40.0, &mean) < 0.02);
        assert_true(mean < 0.003);
        double rock = silt_volume_rock(volume);
        for (int n = 0; n < 20; n++)
            assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL));
        assert_near(silt_volume_rock(volume), rock, 5e-7 * rock);
        assert_true(surface_error(volume, 40.0) < 0.01);
        assert_true(slope_error(volume, 40.0, &mean) < 0.02);
        // what is a distance stays to the last bit, however often
        uint64_t hash = silt_volume_hash(volume);
        for (int n = 0; n < 3; n++)
            assert_ok(
                silt_volume_redistance(volume, SILT_REDISTANCE_ALL | (n % 2 ? SILT_REDISTANCE_HOLD : 0)));
        assert_true(silt_volume_hash(volume) == hash);
        silt_volume_destroy(volume);
    }
}

// Voxels of cells that the surface passes, if they are held, stay even where phi is no distance.
static void held_rock_stays(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(61, 8, 20.0);
    distort(volume, LEAN); // slopes of 0.55 to 1.15
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD));
    double rock = silt_volume_rock(volume);
    for (int n = 0; n < 20; n++)
        assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD));
    assert_near(silt_volume_rock(volume), rock, 1e-7 * rock);
    silt_volume_destroy(volume);
}

// Random grids: every voxel anything, and the mesh closes all the same.
static void random_grids_close(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        SiltRandom random = silt_random(5, 1, n, 0);
        const int size[3] = {2 + (int)(random.word[0] % 3), 2 + (int)(random.word[1] % 3),
                             n % 50 == 0 ? 7 + (int)(random.word[2] % 4) : 2 + (int)(random.word[2] % 3)};
        SiltVolume *volume;
        assert_ok(silt_volume_create(size, 8, 1.0, NULL, 0, &volume));
        uint64_t voxel = 0;
        for (int k = 0; k < size[2]; k++)
            for (int j = 0; j < size[1]; j++)
                for (int i = 0; i < size[0]; i++)
                    assert_ok(silt_volume_set(volume, i, j, k,
                                              silt_symmetric(silt_random(n, 1, voxel++, 0).word[0])));
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts facts = measure_mesh(&mesh);
        if (!facts.is_closed)
            fail_msg("grid %llu is not closed", (unsigned long long)n);
        if (mesh.triangle_count > 0)
            assert_true(facts.volume > 0.0);
        assert_true(facts.euler % 2 == 0);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

// The same across brick borders, where four bricks of noise meet, with both sides of bricks.
static void random_bricks_close(void **state)
{
    (void)state;
    for (int side = 8; side <= 16; side += 8) {
        const int size[3] = {18, 17, 19};
        SiltVolume *volume;
        assert_ok(silt_volume_create(size, side, 1.0, NULL, 0, &volume));
        uint64_t voxel = 0;
        for (int k = 0; k < size[2]; k++)
            for (int j = 0; j < size[1]; j++)
                for (int i = 0; i < size[0]; i++)
                    assert_ok(silt_volume_set(volume, i, j, k,
                                              silt_symmetric(silt_random(9, 1, voxel++, 0).word[0])));
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        assert_true(measure_mesh(&mesh).is_closed);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
    }
}

static SiltTerrain *make_hills(int width, int height)
{
    SiltTerrain *terrain;
    SiltRun run = {.seed = 3};
    assert_ok(silt_generate(silt_generator_find("noise"), width, height, 10.0, NULL, &run, &terrain));
    return terrain;
}

static double worst_difference(const SiltTerrain *a, const SiltTerrain *b)
{
    double worst = 0.0;
    for (int j = 0; j < a->height; j++)
        for (int i = 0; i < a->width; i++)
            worst = fmax(worst, fabs((double)silt_field_at(&a->layers[0]->field, i, j) -
                                     (double)silt_field_at(&b->layers[0]->field, i, j)));
    return worst;
}

// Heights that become a volume and heights again are the same, on rough ground too; and re-initialising does
// not wear them down.
static void heights_come_back(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(150, 101), *back;
    for (int mode = 0; mode < 2; mode++) {
        SiltVolumeOptions options;
        assert_ok(silt_params_init(&silt_volume_params, &options));
        options.brick = mode;
        SiltVolume *volume;
        assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume));
        assert_ok(silt_volume_to_terrain(volume, &back));
        assert_true(worst_difference(terrain, back) < 0.05 * 10.0);
        silt_terrain_destroy(back);
        double rock = silt_volume_rock(volume);
        for (int n = 0; n < 5; n++)
            assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL));
        assert_near(silt_volume_rock(volume), rock, 1e-4 * rock);
        silt_volume_destroy(volume);
    }
    silt_terrain_destroy(terrain);
}

static bool is_gap(int i, int j)
{
    return (i >= 10 && i < 22 && j >= 8 && j < 17) || i + j < 6;
}

// Cells without data are columns without rock: they and all heights come back, a plateau holds the rock of
// its cells with data to their sides, and the mesh is closed with a hole through it.
static void cells_without_data_hold_no_rock(void **state)
{
    (void)state;
    enum { WIDTH = 40, HEIGHT = 31 };
    for (int mode = 0; mode < 4; mode++) {
        bool is_plateau = mode < 2;
        SiltTerrain *terrain = make_hills(WIDTH, HEIGHT), *back;
        assert_ok(silt_terrain_require_nodata(terrain));
        double cells = 0.0;
        for (int j = 0; j < HEIGHT; j++)
            for (int i = 0; i < WIDTH; i++) {
                if (is_plateau)
                    silt_field_row(&terrain->layers[0]->field, j)[i] = 234.0f;
                bool is_side = i == 0 || i == WIDTH - 1, is_end = j == 0 || j == HEIGHT - 1;
                terrain->nodata[j * WIDTH + i] = is_gap(i, j);
                cells += is_gap(i, j) ? 0.0 : (is_side ? 0.5 : 1.0) * (is_end ? 0.5 : 1.0);
            }
        SiltVolumeOptions options;
        assert_ok(silt_params_init(&silt_volume_params, &options));
        options.brick = mode % 2;
        options.distance = mode == 3 ? SILT_DISTANCE_PAPER : SILT_DISTANCE_TRUE;
        options.floor = 120.0;
        SiltVolume *volume;
        assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume));
        assert_ok(silt_volume_to_terrain(volume, &back));
        assert_non_null(back->nodata);
        assert_memory_equal(back->nodata, terrain->nodata, WIDTH * HEIGHT);
        for (int j = 0; j < HEIGHT; j++)
            for (int i = 0; i < WIDTH; i++)
                if (!is_gap(i, j))
                    assert_near((double)silt_field_at(&back->layers[0]->field, i, j),
                                (double)silt_field_at(&terrain->layers[0]->field, i, j), 0.02 * 10.0);
        if (is_plateau)
            assert_near(silt_volume_rock(volume), cells * 100.0 * 120.0, 0.01 * cells * 100.0 * 120.0);
        SiltMesh mesh;
        assert_ok(silt_volume_mesh(volume, false, &mesh));
        MeshFacts facts = measure_mesh(&mesh);
        assert_true(facts.is_closed);
        assert_int_equal(facts.euler, 0);
        silt_mesh_destroy(&mesh);
        silt_volume_destroy(volume);
        silt_terrain_destroy(back);
        silt_terrain_destroy(terrain);
    }
}

// On a tilted plane phi is the distance to it, wherever the band reaches.
static void tilted_plane_is_exact(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(48, 48, 2.0, &terrain));
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++)
            silt_field_row(&terrain->layers[0]->field, j)[i] = (float)(2.0 * (0.7 * i - 0.4 * j));
    SiltVolume *volume;
    assert_ok(silt_volume_from_terrain(terrain, NULL, NULL, 0, &volume));
    double scale = 1.0 / sqrt(1.0 + 0.49 + 0.16), worst = 0.0;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 8; j < 40; j++)
            for (int i = 8; i < 40; i++) {
                double wanted = (0.7 * i - 0.4 * (47 - j) - k - volume->origin[2] / 2.0) * scale;
                if (fabs(wanted) < 3.9)
                    worst = fmax(worst, fabs((double)silt_volume_at(volume, i, j, k) - wanted));
            }
    assert_true(worst < 0.01);
    silt_volume_destroy(volume);
    silt_terrain_destroy(terrain);
}

static uint64_t hash_of_everything(int threads)
{
    silt_set_threads(threads);
    SiltTerrain *terrain = make_hills(90, 70);
    SiltRock rock = {.kind = SILT_ROCK_NOISE, .low = 0.1, .high = 2.0, .size = 120.0};
    SiltVolume *volume;
    assert_ok(silt_volume_from_terrain(terrain, NULL, &rock, 4, &volume));
    distort(volume, WAVES);
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED));
    uint64_t hash = silt_volume_hash(volume);
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(volume, false, &mesh));
    for (size_t k = 0; k < 3 * mesh.triangle_count; k++)
        hash = (hash ^ mesh.indices[k]) * 0x100000001B3u;
    for (size_t k = 0; k < 3 * mesh.vertex_count; k++) {
        uint32_t bits[2];
        memcpy(&bits[0], &mesh.positions[k], 4);
        memcpy(&bits[1], &mesh.normals[k], 4);
        hash = (((hash ^ bits[0]) * 0x100000001B3u) ^ bits[1]) * 0x100000001B3u;
    }
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(volume);
    silt_terrain_destroy(terrain);
    silt_set_threads(0);
    return hash;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t one = hash_of_everything(1);
    assert_true(hash_of_everything(2) == one);
    assert_true(hash_of_everything(3) == one);
    assert_true(hash_of_everything(8) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampling_is_trilinear),
        cmocka_unit_test(sphere_measures_right),
        cmocka_unit_test(ring_has_a_hole),
        cmocka_unit_test(redistance_keeps_the_surface),
        cmocka_unit_test(held_rock_stays),
        cmocka_unit_test(random_grids_close),
        cmocka_unit_test(random_bricks_close),
        cmocka_unit_test(heights_come_back),
        cmocka_unit_test(cells_without_data_hold_no_rock),
        cmocka_unit_test(tilted_plane_is_exact),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
