// Real land has a drainage network that rivers took ages to make. A model may wear it, but not spoil it: with
// the default settings the numbers that tell land from noise stay what they were.
#include "erode_help.h"

#include "silt/drainage.h"
#include "silt/io.h"
#include "silt/landforms.h"

#ifndef SILT_HAS_TIFF
int main(void)
{
    SiltTerrain *terrain;
    return silt_terrain_read(SILT_TEST_DATA "/tujunga_crop.tif", NULL, &terrain) == SILT_MISSING_FEATURE ? 0
                                                                                                         : 1;
}
#else

// The drainage of a piece of the San Gabriel Mountains, and how far the model lowered or raised its ground on
// average; without a model, as it is.
static SiltDrainageStatistics drainage_after(const char *model, const char *settings, double *mean_change)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/tujunga_crop.tif", NULL, &terrain));
    if (model)
        erode(terrain, model, settings, (SiltDuration){0});
    double sum = 0.0;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            sum += fabs(layer_at(terrain, "change", i, j));
    if (mean_change)
        *mean_change = sum / (terrain->width * terrain->height);
    SiltDrainageStatistics statistics;
    assert_ok(silt_drainage_statistics(terrain, &statistics));
    silt_terrain_destroy(terrain);
    return statistics;
}

// How far the valleys rise, on average over the cells that a stream runs through.
static double valleys_rise(const char *model, double *mean_change)
{
    SiltTerrain *terrain;
    SiltDrainage *drainage;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/tujunga_crop.tif", NULL, &terrain));
    assert_ok(silt_drainage_create(terrain, NULL, &drainage));
    erode(terrain, model, "", (SiltDuration){0});
    double rise = 0.0, all = 0.0, streams = 0.0;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            bool stream = drainage->area[j * terrain->width + i] >= 111; // 0.1 km2
            rise += stream ? layer_at(terrain, "change", i, j) : 0.0;
            streams += stream;
            all += fabs(layer_at(terrain, "change", i, j));
        }
    *mean_change = all / (terrain->width * terrain->height);
    silt_drainage_destroy(drainage);
    silt_terrain_destroy(terrain);
    return rise / streams;
}

// What rivers cannot carry off stays in the valleys. Those are a twentieth of the land, so they would rise by
// many times what the land loses; they rise by no more than one and a half times that.
static void valleys_are_not_filled(void **state)
{
    (void)state;
    static const char *const models[] = {"cells", "pipes", "newton"};
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        double change, rise = valleys_rise(models[k], &change);
        if (rise > 1.5 * change)
            fail_msg("%s: valleys rise by %.3f m, the land changes by %.3f m", models[k], rise, change);
    }
}

// A cell or two in a depression more is chance.
// Concavity has wide bounds: the crop is small, and its fit loose (R2 = 0.66). docs/models.md has whole maps.
static bool is_kept(const SiltDrainageStatistics *after, const SiltDrainageStatistics *before)
{
    return after->pit_fraction <= 1.01 * before->pit_fraction &&
           fabs(after->drainage_density / before->drainage_density - 1.0) < 0.1 &&
           fabs(after->hack - before->hack) < 0.05 && after->concavity > 0.3 && after->concavity < 0.6 &&
           after->concavity_r2 > before->concavity_r2 - 0.05;
}

static void erosion_keeps_the_drainage_of_real_land(void **state)
{
    (void)state;
    static const char *const models[] = {"thermal", "cells", "pipes", "newton"};
    SiltDrainageStatistics before = drainage_after(NULL, "", NULL);
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        double change;
        SiltDrainageStatistics after = drainage_after(models[k], "", &change);
        if (k == 0)
            assert_true(change < 0.05); // land that stands is left standing
        else
            assert_true(change > 0.1); // it did something
        if (!is_kept(&after, &before))
            fail_msg("%s: concavity %.3f (%.3f), Hack %.3f, density %.3f, pits %.4f", models[k],
                     after.concavity, after.concavity_r2, after.hack, after.drainage_density,
                     after.pit_fraction);
    }
}

static SiltLandforms landforms_after(const char *model, SiltDuration duration)
{
    SiltTerrain *terrain;
    SiltLandforms forms;
    assert_ok(silt_terrain_read(SILT_TEST_DATA "/tujunga_crop.tif", NULL, &terrain));
    if (model)
        erode(terrain, model, "", duration);
    assert_ok(silt_landforms_measure(terrain, &forms));
    silt_terrain_destroy(terrain);
    return forms;
}

// No landform moves by more than a share of the range that real land has; scripts/gentle-table has whole
// maps.
static void erosion_keeps_the_landforms_of_real_land(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double years, most;
    } cases[] = {{"thermal", 0.0, 0.05}, {"newton", 0.0, 0.1},     {"pipes", 0.0, 0.4},
                 {"cells", 0.0, 0.4},    {"rivers", 20000.0, 0.4}, {"ice", 20000.0, 0.6}};
    SiltLandforms before = landforms_after(NULL, (SiltDuration){0});
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltLandforms after = landforms_after(cases[k].model, (SiltDuration){.time = cases[k].years});
        for (int m = 0; m < SILT_LANDFORM_COUNT; m++) {
            const SiltLandformRange *range = silt_landform_range((SiltLandform)m);
            double moved = fabs(after.value[m] - before.value[m]) / (range->high - range->low);
            if (!(moved < cases[k].most))
                fail_msg("%s: %s goes from %g to %g", cases[k].model, range->name, before.value[m],
                         after.value[m]);
        }
        assert_true(after.within >= before.within - 1);
    }
}

// Olsen's water dries up on its way and leaves all it carries in the valleys; these fill, and their floors
// get many small streams.
static void water_that_dries_up_spoils_it(void **state)
{
    (void)state;
    SiltDrainageStatistics before = drainage_after(NULL, "", NULL);
    SiltDrainageStatistics after =
        drainage_after("cells", "rain=200 pace=10 evaporation=0.001 still=0", NULL);
    assert_false(is_kept(&after, &before));
    assert_true(after.drainage_density > 1.5 * before.drainage_density);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erosion_keeps_the_drainage_of_real_land),
        cmocka_unit_test(erosion_keeps_the_landforms_of_real_land),
        cmocka_unit_test(water_that_dries_up_spoils_it),
        cmocka_unit_test(valleys_are_not_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
