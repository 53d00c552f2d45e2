// Law: water made of particles on a level set (voxel) gives the same bytes and the same books on the
// processor, on any number of threads, and on every device that OpenCL finds: particles, rock and maps; also
// where a run is looked at, carved by hand, kept and brought back on the way.
#include "particle_runs.h"
#include "silt/volume.h"

static const Kind kinds[] = {
    {"voxel", "particles=900", 45}, // a stream and rain
    {"voxel", "boxes=3,3,2,8,6,3,0.2 spacing=0.6 particles=1500 redistance=3 north=closed west=closed", 40},
    {"voxel",
     "rain=2e6 sources=5,5,6,2,2,1,60,1,0.5,-1,0.1,0,0;9,9,6,2,2,1,40,0,0,0,0,0.05,0.2 spacing=0.5 "
     "particles=1200 life=0.1 weight=2 friction=1 restitution=0.3 redistance=4 smoothing=0.5",
     60},
    {"voxel", "boxes=3,3,3,6,6,2,0 spacing=0.6 particles=900 exchange=paper collision=paper redistance=5",
     20},
    {"voxel",
     "paper=yes boxes=3,3,2,8,6,3,0.2;11,3,2,4,6,3,0 spacing=0.7 particles=1200 life=0.4 weight=3 "
     "redistance=5",
     20},
    {"voxel", "brick=16 rock=noise rock_size=4 particles=700 falling=drop falling_every=10 redistance=5", 40},
    {"voxel", "boxes=1,1,3,18,12,4,0 spacing=2 particles=400 rock=strata rock_size=3 tension=1 pressure=gas",
     25},
    {"voxel",
     "boxes=3,3,2,8,6,3,0 spacing=0.6 particles=1500 density_from=rate integrator=euler dissolve_normal=50 "
     "dissolve_tangent=50 capacity=10 most=60 redistance=2",
     40},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const RoughGround ground = {27, 19, 0.8, 5.0f};

static void add_map(SiltTerrain *terrain)
{
    SiltField *soft;
    assert_ok(silt_terrain_require(terrain, "erodibility", &soft));
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            silt_field_row(soft, j)[i] = 0.5f + 0.1f * (float)((3 * i + j) % 11);
}

// `how`: 0 as it is, 1 with a map of soft rock.
static uint64_t hash_of_run(Kind kind, int how, SiltDevice *device, int threads)
{
    SiltTerrain *terrain = rough_ground(ground);
    if (how == 1)
        add_map(terrain);
    SiltErosion *erosion = begin_run(terrain, kind, "", device, threads);
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = kind.steps}));
    return finish_run(erosion, terrain);
}

static void devices_give_the_bytes_of_the_processor(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int how = 0; how < (k < 2 ? 2 : 1); how++) {
            uint64_t here = hash_of_run(kinds[k], how, NULL, 1);
            assert_true(hash_of_run(kinds[k], how, NULL, 2) == here);
            for (int d = 0; d < device_count; d++)
                if (hash_of_run(kinds[k], how, devices[d], 2) != here)
                    fail_msg("%s %s (%d): %s gives other bytes", kinds[k].model, kinds[k].settings, how,
                             silt_device_of(devices[d])->name);
        }
}

// Sweeps are the processor's: a device is refused, or passed over where it may be.
static void sweeps_stay_on_the_processor(void **state)
{
    (void)state;
    const Kind kind = {"voxel", "reinit=sweeps", 12};
    const SiltModel *model = silt_model_find("voxel");
    void *params = silt_params_new(silt_model_params(model));
    assert_ok(silt_params_assign(silt_model_params(model), params, "voxel", kind.settings));
    uint64_t here = hash_of_run(kind, 0, NULL, 2);
    for (int d = 0; d < device_count; d++) {
        SiltErosion *erosion;
        SiltTerrain *terrain = rough_ground(ground);
        SiltRun run = {.seed = 5, .device = devices[d], .threads = 2};
        assert_int_equal(silt_erosion_begin(model, terrain, params, &run, &erosion), SILT_BAD_ARGUMENT);
        assert_non_null(strstr(silt_message(), "reinit"));
        silt_terrain_destroy(terrain);
        terrain = rough_ground(ground);
        run.device_or_cpu = true;
        assert_ok(silt_erosion_begin(model, terrain, params, &run, &erosion));
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = kind.steps}));
        assert_true(finish_run(erosion, terrain) == here);
    }
    silt_params_delete(silt_model_params(model), params);
}

// ---- a live run ----

// Steps, looks, rock laid and carved out by hand, live parameters, and a state that goes on in a run on
// `second`.
static uint64_t hash_of_live(Kind kind, SiltDevice *first, SiltDevice *second)
{
    SiltTerrain *terrain = rough_ground(ground), *other = rough_ground(ground);
    SiltErosion *run = begin_run(terrain, kind, "", first, 2), *next = begin_run(other, kind, "", second, 2);
    const SiltRockEdit lay = {.from = {8, 8, 4}, .to = {12, 8, 5}, .radius = 1.5},
                       hang = {.from = {14, 6, 8}, .to = {14, 6, 8}, .radius = 1.2}, // it falls
        carve = {.from = {9, 9, 4}, .to = {5, 11, 2}, .radius = 1.2, .carves = true};
    assert_ok(silt_erosion_edit_rock(run, &lay));
    assert_ok(silt_erosion_edit_rock(run, &hang));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 12}));
    uint64_t hash = look_at_all(run);
    assert_ok(silt_erosion_edit_rock(run, &carve));
    hash = hash * 31 + look_at_all(run);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 7}));
    assert_ok(silt_erosion_set(run, "dissolve_tangent", 20.0));
    assert_ok(silt_erosion_set(run, "rain", 1e6));
    assert_ok(silt_erosion_set_text(run, "sources", "5,5,8,2,2,1,60,1,0,0,0.1,0,0"));
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 9}));
    return hash_of_both(hash, run, terrain, next, other);
}

static void live_runs_may_move_between_devices(void **state)
{
    (void)state;
    const Kind lives[] = {kinds[1], kinds[4]};
    for (size_t k = 0; k < sizeof lives / sizeof lives[0]; k++) {
        uint64_t here = hash_of_live(lives[k], NULL, NULL);
        for (int d = 0; d < device_count; d++) {
            assert_true(hash_of_live(lives[k], devices[d], NULL) == here);
            assert_true(hash_of_live(lives[k], NULL, devices[d]) == here);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_give_the_bytes_of_the_processor),
        cmocka_unit_test(sweeps_stay_on_the_processor),
        cmocka_unit_test(live_runs_may_move_between_devices),
    };
    return run_on_devices(tests);
}
