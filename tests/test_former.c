// What a volume remembers of where its surface was.
#include "volumes.h"

#include "terrains.h"

static void a_sphere_is_remembered(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(48, 8, 15.0), *was;
    double rock = silt_volume_rock(volume);
    assert_ok(silt_volume_remember(volume, NULL));
    for (int n = 0; n < 1000; n++) {
        SiltRandom random = silt_random(3, SILT_STREAM_TEST, (uint64_t)n, 0);
        float place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = 50.0f * silt_uniform(random.word[axis]) - 1.0f;
        assert_near(silt_volume_former(volume, place), silt_volume_sample(volume, place, NULL), 4.0 / 254.0);
    }
    assert_ok(silt_volume_recall(volume, &was));
    assert_near(silt_volume_rock(was) / rock, 1.0, 0.001);
    silt_volume_destroy(was);
    silt_volume_destroy(volume);
}

// What becomes of the rock does not change what is remembered, and bricks that came since are remembered as
// the air or rock that they were.
static void what_was_stays(void **state)
{
    (void)state;
    SiltVolume *before = make_sphere(48, 16, 15.0), *now = make_sphere(48, 16, 8.0);
    assert_ok(silt_volume_remember(now, before));
    const float middle[3] = {23.5f, 23.5f, 23.5f}, shell[3] = {23.5f, 23.5f, 35.5f};
    assert_near(silt_volume_former(now, middle), 4.0, 0.0);
    assert_near(silt_volume_former(now, shell), 3.0, 0.1); // it lay three voxels deep
    assert_true(silt_volume_sample(now, shell, NULL) < 0.0f);
    SiltVolume *was;
    assert_ok(silt_volume_recall(now, &was));
    assert_near(silt_volume_rock(was) / silt_volume_rock(before), 1.0, 0.001);
    silt_volume_destroy(was);
    silt_volume_destroy(before);
    silt_volume_destroy(now);
}

static void other_grids_are_refused(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(48, 8, 15.0), *other = make_sphere(40, 8, 15.0);
    assert_fails(silt_volume_remember(volume, other), SILT_BAD_ARGUMENT, "of its own size");
    assert_null(volume->former);
    silt_volume_destroy(other);
    silt_volume_destroy(volume);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltVolume *volume = make_sphere(32, 8, 10.0), *was;
    sweep_allocations(silt_volume_remember(volume, NULL), (void)0);
    sweep_allocations(silt_volume_recall(volume, &was), silt_volume_destroy(was));
    silt_volume_destroy(volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_is_remembered),
        cmocka_unit_test(what_was_stays),
        cmocka_unit_test(other_grids_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
