// Plates: the sheet they are cut from, their mechanics, and the ranges they raise.
#include "generators.h"

#include "generate/plates.h"

static void pieces_are_convex_and_fill_the_sheet(void **state)
{
    (void)state;
    static SiltPlate plates[SILT_MAX_PLATES];
    const int counts[] = {1, 2, 3, 12, 60, SILT_MAX_PLATES};
    for (uint64_t n = 0; n < 30; n++) {
        int count = counts[n % 6];
        double height = n % 2 ? 100.0 : 7.0, sum = 0.0;
        silt_plates_cut(100.0, height, count, n, plates);
        for (int p = 0; p < count; p++) {
            const SiltPlate *plate = &plates[p];
            assert_true(plate->count >= 3);
            sum += silt_plate_area(plate);
            for (int k = 0; k < plate->count; k++) { // every corner turns the same way
                int l = (k + 1) % plate->count, m = (k + 2) % plate->count;
                double turn = (plate->x[l] - plate->x[k]) * (plate->y[m] - plate->y[l]) -
                              (plate->y[l] - plate->y[k]) * (plate->x[m] - plate->x[l]);
                assert_true(turn > -1e-9);
            }
        }
        assert_near(sum, 100.0 * height, 1e-9 * 100.0 * height);
    }
}

#ifdef SILT_HAS_CHIPMUNK

static SiltPlateWorld *make_world(int count, double drift, double push, double elasticity, uint64_t seed)
{
    SiltPlateSetup setup = {.count = count,
                            .width = 100.0,
                            .height = 80.0,
                            .gap = 0.06,
                            .drift = drift,
                            .push = push,
                            .elasticity = elasticity,
                            .turning = 0.05,
                            .seed = seed};
    SiltPlateWorld *world;
    assert_ok(silt_plate_world_create(&setup, &world));
    return world;
}

static void plates_never_leave_the_box(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        SiltPlateWorld *world = make_world(4 + 4 * (int)seed, 5.0, 3.0, 0.8, seed);
        for (int step = 0; step < 600; step++) {
            silt_plate_world_step(world);
            double box[4];
            silt_plate_world_box(world, box);
            assert_true(box[0] >= -1e-9 && box[1] >= -1e-9 && box[2] <= 100.0 + 1e-9 &&
                        box[3] <= 80.0 + 1e-9);
            for (int p = 0; p < 4 + 4 * (int)seed; p++) {
                SiltPlate outline;
                silt_plate_world_outline(world, p, &outline);
                for (int k = 0; k < outline.count;
                     k++) { // a contact is soft by less than a hundredth of the map
                    assert_true(outline.x[k] > box[0] - 1.0 && outline.x[k] < box[2] + 1.0);
                    assert_true(outline.y[k] > box[1] - 1.0 && outline.y[k] < box[3] + 1.0);
                }
            }
        }
        silt_plate_world_destroy(world);
    }
}

// Plates at rest are moved by the walls alone: their momentum is what the walls gave, at every step, however
// often they collide among themselves.
static void momentum_comes_from_the_walls(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        SiltPlateWorld *world = make_world(12, 0.0, 6.0, 0.9, seed);
        double given = 0.0, collided = 0.0;
        for (int step = 0; step < 600; step++) {
            silt_plate_world_step(world);
            double momentum[2], impulse[2];
            silt_plate_world_momentum(world, momentum);
            silt_plate_world_impulse(world, impulse);
            given = fmax(given, fabs(impulse[0]) + fabs(impulse[1]));
            assert_near(momentum[0], impulse[0], 1e-8 * (1.0 + given));
            assert_near(momentum[1], impulse[1], 1e-8 * (1.0 + given));
            const SiltCollision *collisions;
            collided += silt_plate_world_collisions(world, &collisions);
        }
        assert_true(given > 1.0);
        assert_true(collided > 5.0);
        silt_plate_world_destroy(world);
    }
}

static void plates_at_rest_in_a_box_at_rest_stay(void **state)
{
    (void)state;
    SiltPlateWorld *world = make_world(8, 0.0, 0.0, 0.8, 1);
    SiltPlate before, after;
    silt_plate_world_outline(world, 3, &before);
    for (int step = 0; step < 200; step++) {
        const SiltCollision *collisions;
        silt_plate_world_step(world);
        assert_int_equal(silt_plate_world_collisions(world, &collisions), 0);
    }
    silt_plate_world_outline(world, 3, &after);
    assert_near(after.x[0], before.x[0], 0.0);
    assert_near(after.y[0], before.y[0], 0.0);
    silt_plate_world_destroy(world);
}

// Collisions come in the order of the plates, lie along both outlines, and count once until the two part.
static void collisions_lie_between_their_plates(void **state)
{
    (void)state;
    SiltPlateWorld *world = make_world(12, 5.0, 3.0, 0.8, 3);
    int total = 0, flat = 0;
    for (int step = 0; step < 500; step++) {
        const SiltCollision *c;
        silt_plate_world_step(world);
        int count = silt_plate_world_collisions(world, &c);
        for (int k = 0; k < count; k++, total++) {
            assert_true(c[k].a >= 0 && c[k].a < c[k].b && c[k].b < 12);
            assert_true(k == 0 || c[k].a > c[k - 1].a || (c[k].a == c[k - 1].a && c[k].b > c[k - 1].b));
            assert_true(c[k].x0 > -2.0 && c[k].x0 < 102.0 && c[k].y1 > -2.0 && c[k].y1 < 82.0);
            flat += hypot(c[k].x1 - c[k].x0, c[k].y1 - c[k].y0) > 5.0;
        }
        assert_true(count < 40);
    }
    assert_true(total > 20 && flat > 10);
    silt_plate_world_destroy(world);
}

static uint64_t hash_layers(const SiltTerrain *terrain)
{
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

static void the_same_bytes_every_time(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 8, 1};
    uint64_t first = 0;
    void *litter[5];
    for (int t = 0; t < 5; t++) {
        litter[t] = malloc((size_t)1 << (6 + 3 * t)); // other addresses, same plates
        silt_set_threads(threads[t]);
        SiltTerrain *terrain = make_terrain("plates", 128, 96, 50.0, 5, "steps=300 time=3e5 iterations=2");
        first = t == 0 ? hash_layers(terrain) : first;
        assert_int_equal(hash_layers(terrain), first);
        silt_terrain_destroy(terrain);
    }
    for (int t = 0; t < 5; t++)
        free(litter[t]);
    silt_set_threads(0);
}

// Uplift over all the years is the height; where no collision reached, nothing rose.
static void layers_agree(void **state)
{
    (void)state;
    SiltTerrain *terrain =
        make_terrain("plates", 160, 120, 50.0, 2, "steps=400 time=4e5 smooth=0 iterations=3");
    const SiltField *height = silt_terrain_layer(terrain, "height"),
                    *uplift = silt_terrain_layer(terrain, "uplift");
    const SiltField *plate = silt_terrain_layer(terrain, "plate"),
                    *hits = silt_terrain_layer(terrain, "collisions");
    assert_string_equal(terrain->layers[0]->name, "height");
    double most = 0.0, seen[13] = {0};
    for (int j = 0; j < 120; j++)
        for (int i = 0; i < 160; i++) {
            double h = (double)silt_field_at(height, i, j);
            assert_near((double)silt_field_at(uplift, i, j) * 4e5, h, 1e-6 * h + 1e-6);
            most = fmax(most, (double)silt_field_at(hits, i, j));
            int id = (int)silt_field_at(plate, i, j);
            assert_in_range(id, 0, 12);
            seen[id]++;
        }
    assert_true(most >= 1.0 && height_range(terrain).high > 100.0);
    for (int id = 1; id <= 12; id++)
        assert_true(seen[id] > 100);
    assert_true(seen[0] > 0 && seen[0] < 0.3 * 160 * 120);
    silt_terrain_destroy(terrain);
}

typedef struct Frames {
    int count;
    double last_volume;
    bool grew;
    int stop_at;
} Frames;

static SiltStatus take_frame(void *user, const SiltTerrain *terrain, int index)
{
    Frames *frames = user;
    assert_int_equal(index, frames->count++);
    double volume = silt_field_sum(silt_terrain_layer(terrain, "height"));
    assert_true(volume >= frames->last_volume);
    frames->grew |= volume > frames->last_volume;
    frames->last_volume = volume;
    assert_non_null(silt_terrain_layer(terrain, "plate"));
    return frames->count == frames->stop_at ? SILT_IO_ERROR : SILT_OK;
}

static void frames_show_the_land_grow(void **state)
{
    (void)state;
    const SiltGenerator *plates = silt_generator_find("plates");
    void *params = generator_params(plates, "steps=200 time=2e5 iterations=1");
    const struct {
        double interval;
        int wanted, stop_at;
        SiltStatus status;
    } cases[] = {
        {0.0, 50, 0, SILT_OK}, {2e4, 10, 0, SILT_OK}, {1e9, 0, 0, SILT_OK}, {2e4, 3, 3, SILT_IO_ERROR}};
    for (int k = 0; k < 4; k++) {
        Frames frames = {.stop_at = cases[k].stop_at};
        SiltRun run = {.seed = 1, .user = &frames, .frame = take_frame, .frame_interval = cases[k].interval};
        SiltTerrain *terrain = NULL;
        assert_int_equal(silt_generate(plates, 64, 64, 100.0, params, &run, &terrain), cases[k].status);
        assert_int_equal(frames.count, cases[k].wanted);
        assert_true(frames.grew || cases[k].wanted < 10);
        silt_terrain_destroy(terrain);
    }
    silt_free(params);
}

static void watching_changes_nothing(void **state)
{
    (void)state;
    const SiltGenerator *plates = silt_generator_find("plates");
    void *params = generator_params(plates, "steps=200 time=2e5 iterations=2");
    Frames frames = {0};
    SiltRun watched = {.seed = 1, .user = &frames, .frame = take_frame}, alone = {.seed = 1};
    SiltTerrain *one, *two;
    assert_ok(silt_generate(plates, 64, 64, 100.0, params, &watched, &one));
    assert_ok(silt_generate(plates, 64, 64, 100.0, params, &alone, &two));
    assert_int_equal(hash_layers(one), hash_layers(two));
    silt_terrain_destroy(one);
    silt_terrain_destroy(two);
    silt_free(params);
}

static void haste_is_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(try_terrain("plates", 64, 64, 10.0, 1, "drift=1 steps=10", &terrain), SILT_BAD_ARGUMENT,
                 "raise steps");
}

#else

static void without_chipmunk_the_package_is_named(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(try_terrain("plates", 64, 64, 10.0, 1, "", &terrain), SILT_MISSING_FEATURE,
                 "libchipmunk-dev");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_convex_and_fill_the_sheet),
#ifdef SILT_HAS_CHIPMUNK
        cmocka_unit_test(plates_never_leave_the_box),
        cmocka_unit_test(momentum_comes_from_the_walls),
        cmocka_unit_test(plates_at_rest_in_a_box_at_rest_stay),
        cmocka_unit_test(collisions_lie_between_their_plates),
        cmocka_unit_test(the_same_bytes_every_time),
        cmocka_unit_test(layers_agree),
        cmocka_unit_test(frames_show_the_land_grow),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(haste_is_refused),
#else
        cmocka_unit_test(without_chipmunk_the_package_is_named),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
