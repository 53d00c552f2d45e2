// Where and how hard water of `voxel` strikes rock, and what it wears there: against the rock and along it.
#include "couple/voxel_meet.h"
#include "erode_help.h"
#include "physics/voxel_exchange.h"
#include "volume/volume.h"

// ---- one particle ----

// What lies on the rock hops within the layer in which it touches: only what is faster than a fall through
// that strikes. On a wall and below an overhang nothing lies.
static void water_that_lies_on_rock_does_not_strike(void **state)
{
    (void)state;
    assert_near((double)silt_voxel_strike(5.0f, 8.0f, 1.0f), 3.0, 1e-6); // 25 - 2 * 8
    assert_near((double)silt_voxel_strike(5.0f, 4.0f, 1.5f), sqrt(13.0), 1e-6);
    assert_true(silt_voxel_strike(3.9f, 8.0f, 1.0f) == 0.0f);
    assert_true(silt_voxel_strike(5.0f, 0.0f, 1.0f) == 5.0f && silt_voxel_strike(5.0f, -8.0f, 1.0f) == 5.0f);
}

// A volume of the terrain, and the numbers of a step of half a second in it, from which particles come back
// as fast as they came.
static SiltVoxelNumbers begin_strike(SiltTerrain *terrain, SiltVolume **volume)
{
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, volume));
    return (SiltVoxelNumbers){.frame = {.cell = 1.0f,
                                        .rows = (float)(*volume)->size[1] - 0.5f,
                                        .base = (float)(-(*volume)->origin[2] / (*volume)->cell)},
                              .collision = SILT_VOXEL_CONSERVING,
                              .dt = 0.5f,
                              .restitution = 1.0f,
                              .layer = 0.3f,
                              .gravity = -9.81f};
}

// A particle that strikes the ground early in a step, and is far away at its end, wears the place it struck
// (3.2.2: at collisions), with the speeds it struck with.
static void rock_is_worn_where_it_is_struck(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(32, 32, 1.0); // level, at 0
    SiltVolume *volume;
    const SiltVoxelNumbers numbers = begin_strike(terrain, &volume);
    static const float from[3] = {6.0f, 16.0f, 1.0f};
    float at[3] = {18.0f, 16.0f, -3.0f}, velocity[3] = {24.0f, 0.0f, -8.0f}, place[3];
    SiltVoxelContact contact = silt_voxel_contact(volume, &numbers, from, 1.0f, at, velocity);
    assert_true(contact.is_touching && !contact.is_buried);
    assert_near((double)at[0], 18.0, 0.3); // it goes on, upwards now
    assert_near((double)at[2], 3.0, 0.2);
    assert_near((double)velocity[2], 8.0, 0.1);
    silt_voxel_place(numbers.frame, 9.0f, 16.0f, 0.0f, place); // a quarter of the way, on the ground
    for (int axis = 0; axis < 3; axis++)
        assert_near((double)contact.place[axis], (double)place[axis], 0.2);
    assert_near((double)contact.into, 8.0, 0.05);
    assert_near((double)contact.along, 24.0, 0.05);
    assert_near((double)contact.strike, sqrt(64.0 - 2.0 * 9.81 * 0.3), 0.05);
    // what glides along within reach of the ground wears what lies below its end
    static const float above[3] = {6.0f, 16.0f, 0.25f};
    float on[3] = {8.0f, 16.0f, 0.25f}, gliding[3] = {4.0f, 0.0f, 0.0f};
    contact = silt_voxel_contact(volume, &numbers, above, 0.25f, on, gliding);
    assert_true(contact.is_touching && contact.into == 0.0f && contact.strike == 0.0f);
    silt_voxel_place(numbers.frame, 8.0f, 16.0f, 0.0f, place);
    for (int axis = 0; axis < 3; axis++)
        assert_near((double)contact.place[axis], (double)place[axis], 0.1);
    silt_volume_destroy(volume);
    silt_terrain_destroy(terrain);
}

// And as steep as it is there: straight down onto a slope of 45 degrees, and off over the plain at its foot.
static void rock_is_struck_as_steep_as_it_is_there(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(32, 32, 1.0);
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 12; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = 11.5f - (float)i;
    SiltVolume *volume;
    const SiltVoxelNumbers numbers = begin_strike(terrain, &volume);
    static const float from[3] = {5.0f, 16.0f, 11.0f}; // 4 m above the slope
    float at[3] = {5.0f, 16.0f, -5.0f}, velocity[3] = {0.0f, 0.0f, -32.0f}, place[3];
    SiltVoxelContact contact = silt_voxel_contact(volume, &numbers, from, 2.8f, at, velocity);
    assert_true(contact.is_touching && !contact.is_buried);
    assert_near((double)at[0], 17.0, 0.5); // level, to the east
    assert_near((double)at[2], 7.0, 0.5);
    silt_voxel_place(numbers.frame, 5.0f, 16.0f, 7.0f, place);
    for (int axis = 0; axis < 3; axis++)
        assert_near((double)contact.place[axis], (double)place[axis], 0.2);
    assert_near((double)contact.normal[0], sqrt(0.5), 0.05);
    assert_near((double)contact.normal[2], sqrt(0.5), 0.05);
    assert_near((double)contact.into, 32.0 * sqrt(0.5), 1.0);
    assert_near((double)contact.along, 32.0 * sqrt(0.5), 1.0);
    silt_volume_destroy(volume);
    silt_terrain_destroy(terrain);
}

// ---- against the rock and along it (fig. 4.2) ----

typedef struct Profile {
    double slope, foot; // m3 of rock that a slope lost, and the level ground where it ends
} Profile;

// A sheet of water runs down a slope that is hard where the water comes from, and strikes level ground. It
// comes from a box whose lower part is rock, so that it lies on the slope and runs in its direction from the
// first: out of a higher one, or of one that is too narrow for so much water, it is thrown off the slope and
// strikes it where it comes down.
static Profile run_down(const char *constants)
{
    enum { SIDE = 40 };
    SiltTerrain *terrain = make_terrain(SIDE, SIDE, 1.0);
    SiltField *soft;
    float before[SIDE * SIDE];
    assert_ok(silt_terrain_require(terrain, "soft", &soft));
    for (int k = 0; k < SIDE * SIDE; k++) {
        int i = k % SIDE, j = k / SIDE;
        before[k] = fmaxf(0.8f * (float)(26 - j), 0.0f);
        silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = before[k];
        silt_field_row(soft, j)[i] = j < 11 ? 0.0f : 1.0f;
    }
    char text[512];
    snprintf(text, sizeof text,
             "sources=8,1,18.6,24,2,1.4,60,0,6,-4.8,0,0,0 particles=4000 spacing=0.7 sound=40 friction=0.5 "
             "erodibility=soft capacity=0.4 most=4 %s",
             constants);
    erode_steps(terrain, "voxel", text, 900);
    silt_terrain_settle(terrain);
    Profile lost = {0.0, 0.0};
    for (int k = 0; k < SIDE * SIDE; k++) {
        float now = silt_field_at(silt_terrain_layer(terrain, "height"), k % SIDE, k / SIDE);
        lost.slope += k / SIDE < 22 ? (double)(before[k] - now) : 0.0;
        lost.foot += k / SIDE > 24 ? (double)(before[k] - now) : 0.0;
    }
    silt_terrain_destroy(terrain);
    return lost;
}

// By its speed against the rock alone, water leaves a smooth slope as it is and digs where the slope ends; by
// its speed along the rock alone it wears the slope, and leaves the ground where it ends nearly as it was.
static void slopes_wear_along_and_feet_against(void **state)
{
    (void)state;
    Profile against = run_down("dissolve_normal=1 dissolve_tangent=0");
    Profile along = run_down("dissolve_normal=0 dissolve_tangent=0.02");
    assert_true(against.foot > 40.0 && along.slope > 100.0);
    assert_true(against.foot > 20.0 * fabs(against.slope));
    assert_true(along.slope > 5.0 * fabs(along.foot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_that_lies_on_rock_does_not_strike),
        cmocka_unit_test(rock_is_worn_where_it_is_struck),
        cmocka_unit_test(rock_is_struck_as_steep_as_it_is_there),
        cmocka_unit_test(slopes_wear_along_and_feet_against),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
