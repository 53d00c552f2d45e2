#include "terrains.h"

#include "terrain/terrain.h"

static void height_is_always_there(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(5, 3, 2.0, &terrain));
    assert_int_equal(terrain->layer_count, 1);
    assert_string_equal(terrain->layers[0]->name, "height");
    assert_string_equal(terrain->layers[0]->unit, "m");
    silt_terrain_drop(terrain, "height");
    assert_non_null(silt_terrain_layer(terrain, "height"));
    assert_null(silt_terrain_layer(terrain, "water"));
    assert_true(isnan(terrain->nodata_value));
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(NULL);
}

static void bad_cells_and_sizes_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(silt_terrain_create(5, 3, 0.0, &terrain), SILT_BAD_ARGUMENT, "above zero");
    assert_fails(silt_terrain_create(5, 3, -1.0, &terrain), SILT_BAD_ARGUMENT, "above zero");
    assert_fails(silt_terrain_create(5, 3, NAN, &terrain), SILT_BAD_ARGUMENT, "above zero");
    assert_fails(silt_terrain_create(5, 3, INFINITY, &terrain), SILT_BAD_ARGUMENT, "above zero");
    assert_fails(silt_terrain_create(0, 3, 1.0, &terrain), SILT_BAD_ARGUMENT, "0 x 3");
    assert_null(terrain);
}

static void layers_come_and_go_by_name(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(4, 4, 1.0, &terrain));
    SiltField *water, *again, *rain;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    assert_ok(silt_terrain_require(terrain, "rain", &rain));
    assert_ok(silt_terrain_require(terrain, "water", &again));
    assert_ptr_equal(water, again);
    assert_string_equal(terrain->layers[2]->unit, "mm/h");
    assert_string_equal(silt_layer_unit("no such layer"), "");
    silt_terrain_drop(terrain, "water");
    silt_terrain_drop(terrain, "never there");
    assert_int_equal(terrain->layer_count, 2);
    assert_ptr_equal(silt_terrain_layer(terrain, "rain"), rain); // pointers stay
    assert_fails(silt_terrain_require(terrain, "", &again), SILT_BAD_ARGUMENT, "cannot be a layer's name");
    assert_fails(silt_terrain_require(terrain, "a name that is longer than thirty-one bytes", &again),
                 SILT_BAD_ARGUMENT, "31");
    // a file of maps is called so: no other place, and nothing that a terminal obeys
    static const char *const bad[] = {"../x",      "a\\b",  ".x",           "a\x1b[31m",
                                      "a\xC2\x9B", "a\x9B", "a\xE2\x80\xAE"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_fails(silt_terrain_require(terrain, bad[k], &again), SILT_BAD_ARGUMENT,
                     "cannot be a layer's name");
    assert_true(silt_layer_name_is_good("h\xC3\xB6he"));
    char name[SILT_NAME_SIZE];
    for (int k = terrain->layer_count; k < SILT_MAX_LAYERS; k++) {
        snprintf(name, sizeof name, "layer %d", k);
        assert_ok(silt_terrain_require(terrain, name, &again));
    }
    assert_fails(silt_terrain_require(terrain, "one more", &again), SILT_BAD_ARGUMENT, "at most 64");
    silt_terrain_destroy(terrain);
}

// A hundred thousand steps of a hundredth of a millimetre are a metre, and none of them drowns.
static void change_does_not_drown(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(3, 2, 1.0, &terrain));
    SiltField *height = silt_terrain_layer(terrain, "height"), *change;
    silt_field_fill(height, 2000.0f);
    assert_ok(silt_terrain_require(terrain, "change", &change));
    float drowned = 2000.0f;
    for (int k = 0; k < 100000; k++) {
        silt_field_row(change, 1)[2] += 1e-5f;
        drowned += 1e-5f;
    }
    assert_true(drowned == 2000.0f);
    silt_terrain_settle(terrain);
    assert_null(silt_terrain_layer(terrain, "change"));
    assert_near(silt_field_at(height, 2, 1), 2001.0, 0.01);
    assert_true(silt_field_at(height, 0, 0) == 2000.0f);
    silt_terrain_settle(terrain); // again changes nothing
    assert_near(silt_field_at(height, 2, 1), 2001.0, 0.01);
    silt_terrain_destroy(terrain);
}

static void settled_holes_are_zero(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(20, 20, 1);
    punch(terrain, 10, 10, 3);
    assert_true(silt_terrain_is_nodata(terrain, 10, 10));
    assert_false(silt_terrain_is_nodata(terrain, 0, 0));
    float corner = silt_field_at(&terrain->layers[0]->field, 0, 0);
    silt_terrain_settle(terrain);
    assert_true(silt_field_at(&terrain->layers[0]->field, 10, 10) == 0.0f);
    assert_true(silt_field_at(&terrain->layers[0]->field, 0, 0) == corner);
    silt_terrain_destroy(terrain);
}

static void place(SiltTerrain *terrain)
{
    static const uint16_t keys[] = {1, 1, 0, 1, 3072, 0, 1, 32611};
    static const double doubles[] = {1.5, 2.5};
    terrain->geo = (SiltGeoreference){
        .placed = true, .x = 1000.0, .y = 2000.0, .step_x = 10.0, .step_y = -10.0, .crs = "EPSG:32611"};
    terrain->geo.keys = silt_alloc(sizeof keys);
    terrain->geo.doubles = silt_alloc(sizeof doubles);
    terrain->geo.ascii = silt_alloc(4);
    memcpy(terrain->geo.keys, keys, sizeof keys);
    memcpy(terrain->geo.doubles, doubles, sizeof doubles);
    memcpy(terrain->geo.ascii, "UTM", 4);
    terrain->geo.key_count = 8;
    terrain->geo.double_count = 2;
}

static SiltTerrain *full_terrain(void)
{
    SiltTerrain *terrain = hills(30, 20, 4);
    SiltField *water;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    fill_hills(water, 5, 4, 2, 1.0f);
    punch(terrain, 4, 5, 2);
    place(terrain);
    terrain->nodata_value = -9999.0;
    return terrain;
}

static void clone_is_the_same_and_apart(void **state)
{
    (void)state;
    SiltTerrain *terrain = full_terrain(), *copy;
    assert_ok(silt_terrain_clone(terrain, &copy));
    assert_int_equal(copy->layer_count, 2);
    for (int k = 0; k < 2; k++) {
        assert_string_equal(copy->layers[k]->name, terrain->layers[k]->name);
        assert_string_equal(copy->layers[k]->unit, terrain->layers[k]->unit);
        assert_same_field(&copy->layers[k]->field, &terrain->layers[k]->field);
        assert_ptr_not_equal(copy->layers[k]->field.data, terrain->layers[k]->field.data);
    }
    assert_memory_equal(copy->nodata, terrain->nodata, 600);
    assert_true(copy->cell == terrain->cell && copy->nodata_value == -9999.0);
    assert_true(copy->geo.placed && copy->geo.x == 1000.0 && copy->geo.step_y == -10.0);
    assert_memory_equal(copy->geo.keys, terrain->geo.keys, 8 * sizeof(uint16_t));
    assert_memory_equal(copy->geo.doubles, terrain->geo.doubles, 2 * sizeof(double));
    assert_string_equal(copy->geo.ascii, "UTM");
    assert_ptr_not_equal(copy->geo.keys, terrain->geo.keys);
    silt_terrain_destroy(terrain);
    assert_string_equal(copy->geo.crs, "EPSG:32611");
    silt_terrain_destroy(copy);
}

static void every_failed_allocation_is_clean(void **state)
{
    (void)state;
    SiltTerrain *terrain = full_terrain(), *made = NULL;
    sweep_allocations(silt_terrain_create(8, 8, 1.0, &made), silt_terrain_destroy(made));
    sweep_allocations(silt_terrain_clone(terrain, &made), silt_terrain_destroy(made));
    sweep_allocations(silt_terrain_crop(terrain, 1, 1, 9, 9, &made), silt_terrain_destroy(made));
    sweep_allocations(silt_terrain_resample(terrain, 60, 11, &made), silt_terrain_destroy(made));
    sweep_allocations(silt_terrain_flip(terrain, true, false, &made), silt_terrain_destroy(made));
    sweep_allocations(silt_terrain_rotate(terrain, 1, &made), silt_terrain_destroy(made));
    SiltField *field;
    sweep_allocations(silt_terrain_require(terrain, "lake", &field), silt_terrain_drop(terrain, "lake"));
    assert_int_equal(terrain->layer_count, 2);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_is_always_there),           cmocka_unit_test(bad_cells_and_sizes_are_refused),
        cmocka_unit_test(layers_come_and_go_by_name),       cmocka_unit_test(change_does_not_drown),
        cmocka_unit_test(settled_holes_are_zero),           cmocka_unit_test(clone_is_the_same_and_apart),
        cmocka_unit_test(every_failed_allocation_is_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
