// What holds for landforms of any land: real land is called real and noise is not, a finer grid shows the
// same land, a map that is turned has the same forms, and nothing depends on threads.
#include "generators.h"
#include "terrains.h"

#include "silt/drainage.h"
#include "silt/io.h"
#include "silt/landforms.h"

static void noise_is_not_real(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        SiltTerrain *terrain = hills(256, 256, seed);
        SiltLandforms forms;
        terrain->cell = 40.0;
        assert_ok(silt_landforms_measure(terrain, &forms));
        assert_string_equal(silt_landforms_verdict(&forms), "noise");
        silt_terrain_destroy(terrain);
    }
}

// Nor is it where its pits have been filled, and not by what is left of them: no river has made its slopes.
static void filled_noise_is_not_real(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        SiltTerrain *terrain = hills(256, 256, seed);
        SiltLandforms forms;
        terrain->cell = 40.0;
        SiltField *height = silt_terrain_layer(terrain, "height"), filled;
        assert_ok(silt_field_create(height->width, height->height, &filled));
        assert_ok(silt_terrain_fill(terrain, &filled));
        silt_field_copy(&filled, height);
        silt_field_destroy(&filled);
        assert_ok(silt_landforms_measure(terrain, &forms));
        assert_true(forms.drainage_fit < 0.59);
        assert_string_equal(silt_landforms_verdict(&forms), "noise");
        silt_terrain_destroy(terrain);
    }
}

// Hills without waves shorter than 150 m, at 20 m and at 10 m a cell. Whole cells in metres are the same, so
// values differ by what averaging over cells of 20 m has blurred, and by where water finds ties.
static SiltLandforms smooth_hills(int size)
{
    SiltLandforms forms;
    SiltTerrain *terrain =
        make_terrain("noise", size, size, 10240.0 / size, 6, "relief=900 feature_size=2400 octaves=4");
    assert_ok(silt_landforms_measure(terrain, &forms));
    silt_terrain_destroy(terrain);
    return forms;
}

static void a_finer_grid_shows_the_same_land(void **state)
{
    (void)state;
    SiltLandforms coarse = smooth_hills(512), fine = smooth_hills(1024);
    assert_near(coarse.cell, fine.cell, 1e-9);
    for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
        const SiltLandformRange *range = silt_landform_range((SiltLandform)k);
        double apart = fabs(fine.value[k] - coarse.value[k]) / (range->high - range->low);
        if (!(apart < 0.1))
            fail_msg("%s: %g at 20 m, %g at 10 m", range->name, coarse.value[k], fine.value[k]);
    }
}

#ifdef SILT_HAS_TIFF
static const char *const crops[] = {"tujunga_crop", "alps_crop", "andes_crop", "zion_crop"};
enum { CROPS = 4 };

static SiltTerrain *read_crop(int index)
{
    char path[SILT_PATH_SIZE];
    SiltTerrain *terrain;
    snprintf(path, sizeof path, SILT_TEST_DATA "/%s.tif", crops[index]);
    assert_ok(silt_terrain_read(path, NULL, &terrain));
    return terrain;
}

// At least 17 of 21: four of five measures, which is what being within the 10th and the 90th percentile
// means.
static void real_land_is_real(void **state)
{
    (void)state;
    for (int k = 0; k < CROPS; k++) {
        SiltTerrain *terrain = read_crop(k);
        SiltLandforms forms;
        assert_ok(silt_landforms_measure(terrain, &forms));
        assert_string_equal(silt_landforms_verdict(&forms), "real");
        if (forms.within < 17)
            fail_msg("%s: %d of 21", crops[k], forms.within);
        silt_terrain_destroy(terrain);
    }
}

static void threads_do_not_show(void **state)
{
    (void)state;
    SiltTerrain *terrain = read_crop(0);
    SiltLandforms one, many;
    silt_set_threads(1);
    assert_ok(silt_landforms_measure(terrain, &one));
    silt_set_threads(5);
    assert_ok(silt_landforms_measure(terrain, &many));
    silt_set_threads(0);
    assert_memory_equal(&one, &many, sizeof one);
    silt_terrain_destroy(terrain);
}

// What is left are ties on whole metres and the way windows of even size lie.
static void a_turned_map_has_the_same_forms(void **state)
{
    (void)state;
    for (int k = 1; k < CROPS; k++) {
        SiltTerrain *terrain = read_crop(k), *cut, *turned;
        SiltLandforms before, after;
        assert_ok(silt_terrain_crop(terrain, 8, 8, 128, 128, &cut));
        assert_ok(silt_terrain_rotate(cut, 1, &turned));
        assert_ok(silt_landforms_measure(cut, &before));
        assert_ok(silt_landforms_measure(turned, &after));
        for (int m = 0; m < SILT_LANDFORM_COUNT; m++) {
            const SiltLandformRange *range = silt_landform_range((SiltLandform)m);
            double apart = fabs(after.value[m] - before.value[m]) / (range->high - range->low);
            if (!(apart < 0.1))
                fail_msg("%s, %s: %g, turned %g", crops[k], range->name, before.value[m], after.value[m]);
        }
        silt_terrain_destroy(turned);
        silt_terrain_destroy(cut);
        silt_terrain_destroy(terrain);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_not_real),
        cmocka_unit_test(filled_noise_is_not_real),
        cmocka_unit_test(a_finer_grid_shows_the_same_land),
#ifdef SILT_HAS_TIFF
        cmocka_unit_test(real_land_is_real),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(a_turned_map_has_the_same_forms),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
