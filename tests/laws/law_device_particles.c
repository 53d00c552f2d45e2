// Law: water made of particles on a heightfield (sph, acid) gives the same bytes and the same books on the
// processor, on any number of threads, and on every device that OpenCL finds; also where a run is looked at,
// changed by hand, kept and brought back on the way. A model that knows no device is refused by name.
#include "particle_runs.h"

static const Kind kinds[] = {
    {"sph", "boxes=2,2,0.3,6,6,2 spacing=0.5 particles=2000 erosion=off", 40},
    {"sph", "boxes=2,2,0.3,6,6,2 spacing=0.5 particles=2000 critical=0 strength=30 diffusion=0.1 bed=paper",
     60},
    {"sph",
     "boxes=2,2,0.3,6,6,2 spacing=0.5 particles=2000 critical=0 strength=30 bed=wall roughness=0.01 "
     "west=closed north=closed hindering=paper",
     40},
    {"sph",
     "rain=3e6 sources=6,5,2,1,1,0,0;4,11,1,0.5,0.2,0.01,0.05 spacing=0.5 particles=900 life=0.15 critical=0 "
     "strength=20 friction=1 restitution=0.4 bed=paper",
     80},
    {"sph",
     "boxes=2,2,0.3,5,5,1.5 spacing=0.5 particles=2000 density_from=sum pressure=gas integrator=euler "
     "tension=2 critical=0 strength=30 boundary_spacing=0.2 bed=paper",
     30},
    {"sph",
     "boxes=2,2,0.3,5,5,1.5 spacing=0.5 particles=2000 density_from=sum pressure=gas pulls=yes images=no "
     "pair=mean bed=paper "
     "speed=paper power=0.7 transport=paper rock_density=3 critical=0 strength=30 diffusion=1 "
     "time_step=0.002",
     30},
    {"sph", "boxes=2,2,0.3,5,5,1.5 spacing=0.5 particles=2000 support=1.6 time_step=0.002", 25},
    {"acid", "rain=2e6 spacing=0.5 fall=0.5 particles=900 life=0.2 acidity=500", 80},
    {"acid", "drops=2 particles=900 acidity=50 fall=0.2 south=closed east=closed", 60},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const RoughGround ground = {27, 19, 0.8, 3.0f};

// Maps that a parameter may name.
static void add_maps(SiltTerrain *terrain)
{
    SiltField *soft, *rain;
    assert_ok(silt_terrain_require(terrain, "erodibility", &soft));
    assert_ok(silt_terrain_require(terrain, "clouds", &rain));
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            silt_field_row(soft, j)[i] = 0.5f + 0.1f * (float)((3 * i + j) % 11);
            silt_field_row(rain, j)[i] = (float)((i + 2 * j) % 7);
        }
}

// `how`: 0 as it is, 1 with holes in the ground, 2 with maps of soft rock and of rain.
static uint64_t hash_of_run(Kind kind, int how, SiltDevice *device, int threads)
{
    SiltTerrain *terrain = rough_ground(ground);
    if (how == 1)
        punch(terrain, ground.width / 2, ground.height / 2, 3);
    if (how == 2)
        add_maps(terrain);
    SiltErosion *erosion = begin_run(terrain, kind, how == 2 ? "rain_map=clouds" : "", device, threads);
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = kind.steps}));
    return finish_run(erosion, terrain);
}

static void devices_give_the_bytes_of_the_processor(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int how = 0; how < 3; how++) {
            uint64_t here = hash_of_run(kinds[k], how, NULL, 1);
            assert_true(hash_of_run(kinds[k], how, NULL, 2) == here);
            for (int d = 0; d < device_count; d++)
                if (hash_of_run(kinds[k], how, devices[d], 2) != here)
                    fail_msg("%s %s (%d): %s gives other bytes", kinds[k].model, kinds[k].settings, how,
                             silt_device_of(devices[d])->name);
        }
}

// ---- a live run ----

// Steps, looks, ground raised below the water, a live parameter, and a state that goes on in a run on
// `second`.
static uint64_t hash_of_live(Kind kind, const char *param, double value, SiltDevice *first,
                             SiltDevice *second)
{
    SiltTerrain *terrain = rough_ground(ground), *other = rough_ground(ground);
    SiltErosion *run = begin_run(terrain, kind, "", first, 2), *next = begin_run(other, kind, "", second, 2);
    float values[6 * 4];
    for (int k = 0; k < 24; k++)
        values[k] = 0.2f * (float)(k % 5);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 12}));
    uint64_t hash = look_at_all(run);
    assert_ok(silt_erosion_edit(run, "height", &(SiltRect){3, 4, 6, 4}, values, 6, SILT_ADD));
    hash = hash * 31 + look_at_all(run);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 7}));
    assert_ok(silt_erosion_set(run, param, value));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 7}));
    return hash_of_both(hash, run, terrain, next, other);
}

static void live_runs_may_move_between_devices(void **state)
{
    (void)state;
    const struct {
        Kind kind;
        const char *param;
        double value;
    } lives[] = {{kinds[1], "strength", 90.0}, {kinds[3], "tension", 1.5}, {kinds[7], "acidity", 50.0}};
    for (size_t k = 0; k < sizeof lives / sizeof lives[0]; k++) {
        uint64_t here = hash_of_live(lives[k].kind, lives[k].param, lives[k].value, NULL, NULL);
        for (int d = 0; d < device_count; d++) {
            assert_true(hash_of_live(lives[k].kind, lives[k].param, lives[k].value, devices[d], NULL) ==
                        here);
            assert_true(hash_of_live(lives[k].kind, lives[k].param, lives[k].value, NULL, devices[d]) ==
                        here);
        }
    }
}

static void rivers_is_refused_by_name(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground(ground);
    SiltRun run = {.device = devices[0]};
    SiltErosion *erosion;
    assert_fails(silt_erosion_begin(silt_model_find("rivers"), terrain, NULL, &run, &erosion),
                 SILT_BAD_ARGUMENT, "erode rivers: it works on the processor alone");
    assert_null(erosion);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_give_the_bytes_of_the_processor),
        cmocka_unit_test(live_runs_may_move_between_devices),
        cmocka_unit_test(rivers_is_refused_by_name),
    };
    return run_on_devices(tests);
}
