// Law: a grid model gives the same bytes and the same books on the processor, on any number of threads, and
// on every device that OpenCL finds; also where a run is looked at, changed by hand, kept and brought back on
// the way.
#include "erode_help.h"

#include "all_devices.h"
#include "grid/device_grid.h"
#include "grid/device_tiles.h"
#include "grid_kinds.h"
#include "opencl/device.h"
#include "silt/checkpoint.h"
#include "silt/device.h"
#include "terrains.h"

static const RoughGround sizes[] = {
    {1, 1, 10.0, 100.0f}, {2, 3, 10.0, 100.0f}, {17, 5, 10.0, 100.0f}, {133, 40, 10.0, 300.0f}};

static uint64_t hash_of_run(Kind kind, RoughGround size, bool holes, SiltDevice *device, int threads)
{
    SiltTerrain *terrain = rough_ground(size);
    if (holes)
        punch(terrain, size.width / 3, size.height / 2, size.height / 4);
    SiltRun run = {.device = device, .threads = threads};
    SiltReport report = erode_in(terrain, kind.model, kind.settings, (SiltDuration){.steps = 7}, &run);
    uint64_t hash = mix_books(layers_hash(terrain), &report);
    silt_terrain_destroy(terrain);
    return hash;
}

// As on maps that are longer than the rows that a device keeps in flight.
static void blocks_of_rows_make_no_difference(void **state)
{
    (void)state;
    int rows = silt_device_ring_rows;
    for (int k = 0; k < GRID_KINDS; k += 1 + 2 * SILT_SANITIZED) {
        uint64_t here = hash_of_run(kinds[k], sizes[3], true, NULL, 1);
        silt_device_ring_rows = 16;
        bool same = hash_of_run(kinds[k], sizes[3], true, devices[0], 1) == here;
        silt_device_ring_rows = rows;
        if (!same)
            fail_msg("%s %s: blocks of rows give other bytes", kinds[k].model, kinds[k].settings);
    }
}

// A step goes over the map once where groups hold what they work on, as on GPUs. PoCL takes long to compile
// that, so here are a few kinds; scripts/gpu-check has all of them on a GPU.
static void tiles_make_no_difference(void **state)
{
    (void)state;
    static const int some[] = {0, 3, 5, 12, 14};
    static const int items[] = {32, 0, 32, 48, 0};          // narrow ones, so that some lie inside the map
    static const int cuts[] = {-1, -1, -1, 1 << 1, 1 << 5}; // newton in two passes, as GPUs choose
    int tiles = silt_device_in_tiles;
    silt_device_in_tiles = 1;
    silt_device_tile_rows = 12;
    for (size_t n = 0; n < sizeof some / sizeof some[0]; n++) {
        Kind kind = kinds[some[n]];
        silt_device_knows_settings = n != 1;
        silt_device_reads_ahead = n == 0;
        silt_device_tile_items = items[n];
        silt_device_cuts = cuts[n];
        uint64_t here = hash_of_run(kind, sizes[3], n > 0, NULL, 1);
        if (hash_of_run(kind, sizes[3], n > 0, devices[0], 1) != here)
            fail_msg("%s %s: tiles give other bytes", kind.model, kind.settings);
    }
    silt_device_knows_settings = silt_device_reads_ahead = -1;
    silt_device_tile_items = 0;
    silt_device_cuts = -1;
    silt_device_tile_rows = 0;
    silt_device_in_tiles = tiles;
}

// Rain that is the same everywhere, then a brush of it, then none of that again: three settings, of which the
// first comes back.
static uint64_t hash_of_brushed(SiltDevice *device)
{
    SiltTerrain *terrain = rough_ground(sizes[2]);
    SiltRun run = {.device = device};
    SiltErosion *erosion;
    float metres[3 * 2] = {0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.4f};
    assert_ok(silt_erosion_begin(silt_model_find("cells"), terrain, NULL, &run, &erosion));
    assert_ok(silt_erosion_set(erosion, "rain", 200.0));
    for (int k = 0; k < 3; k++) {
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 3}));
        assert_ok(silt_erosion_edit(erosion, "paint", &(SiltRect){4, 1, 3, 2}, metres, 3, SILT_ADD));
        memset(metres, 0, sizeof metres);
    }
    assert_ok(silt_erosion_finish(erosion));
    uint64_t hash = mix_books(layers_hash(terrain), silt_erosion_report(erosion));
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return hash;
}

static void programs_may_know_their_settings(void **state)
{
    (void)state;
    uint64_t here = hash_of_brushed(NULL);
    silt_device_knows_settings = 1;
    assert_true(hash_of_brushed(devices[0]) == here);
    silt_device_knows_settings = -1;
}

static void devices_give_the_bytes_of_the_processor(void **state)
{
    (void)state;
    for (int k = 0; k < GRID_KINDS; k += 1 + SILT_SANITIZED)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int holes = 0; holes < (sizes[s].height > 30 ? 2 : 1); holes++) {
                uint64_t here = hash_of_run(kinds[k], sizes[s], holes, NULL, 1);
                assert_true(hash_of_run(kinds[k], sizes[s], holes, NULL, 2) == here);
                for (int d = 0; d < device_count; d++)
                    if (hash_of_run(kinds[k], sizes[s], holes, devices[d], 2) != here)
                        fail_msg("%s %s on %d x %d%s: %s gives other bytes", kinds[k].model,
                                 kinds[k].settings, sizes[s].width, sizes[s].height,
                                 holes ? " with holes" : "", silt_device_of(devices[d])->name);
            }
}

// Water that runs off after the last step: the processor looks at some of the state after each step, changes
// it after the last, and what it has not looked at is still on the device.
static void water_runs_off_alike(void **state)
{
    (void)state;
    static const Kind some[] = {
        {"pipes", "rain=200 rest=on"}, {"cells", "rain=200 rest=on"}, {"newton", "rain=2000 rest=on"}};
    for (int k = 0; k < 3; k++)
        if (hash_of_run(some[k], sizes[2], true, devices[0], 2) !=
            hash_of_run(some[k], sizes[2], true, NULL, 1))
            fail_msg("%s %s: other bytes on a device", some[k].model, some[k].settings);
}

// ---- a live run ----

// Fields of zeros are not brought over: they must be zeros there, too, after the device has worked on them.
static void a_run_goes_back_to_its_beginning(void **state)
{
    (void)state;
    static const char *const some[] = {"pipes", "cells", "thermal"};
    for (int k = 0; k < 3; k++) {
        SiltTerrain *terrain = rough_ground(sizes[2]);
        SiltErosion *erosion = begin_erosion_in(terrain, some[k], "", &(SiltRun){.device = devices[0]});
        void *block;
        size_t bytes;
        uint64_t hashes[2];
        assert_ok(silt_erosion_save(erosion, &block, &bytes));
        for (int n = 0; n < 2; n++) {
            assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 9}));
            assert_ok(silt_erosion_store(erosion));
            hashes[n] = layers_hash(terrain);
            assert_ok(silt_erosion_restore(erosion, block, bytes));
        }
        assert_true(hashes[0] == hashes[1]);
        assert_ok(silt_erosion_finish(erosion)); // of a run that has not begun again
        assert_fails(silt_erosion_advance(erosion, (SiltDuration){.steps = 1}), SILT_BAD_ARGUMENT,
                     "goes no further");
        assert_ok(silt_erosion_restore(erosion, block, bytes)); // but from its beginning
        assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 9}));
        assert_ok(silt_erosion_store(erosion));
        assert_true(layers_hash(terrain) == hashes[0]);
        silt_free(block);
        silt_erosion_end(erosion);
        silt_terrain_destroy(terrain);
    }
}

static SiltErosion *begin_run(SiltTerrain *terrain, Kind kind, SiltDevice *device)
{
    return begin_erosion_in(terrain, kind.model, kind.settings, &(SiltRun){.device = device});
}

static void edit(SiltErosion *erosion, const char *layer, float metres)
{
    float values[6 * 4];
    for (int k = 0; k < 24; k++)
        values[k] = metres * (float)(k % 5);
    assert_ok(silt_erosion_edit(erosion, layer, &(SiltRect){20, 11, 6, 4}, values, 6, SILT_ADD));
}

static uint64_t view_hash(SiltErosion *erosion, const char *layer, const SiltRect *rect)
{
    SiltLayerView view;
    assert_ok(silt_erosion_view(erosion, layer, rect, &view));
    uint64_t hash = 1;
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++) {
            uint32_t bits;
            memcpy(&bits, &view.data[(size_t)j * view.stride + (size_t)i], sizeof bits);
            hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        }
    return hash;
}

// Steps, a look at a part, edits, a live parameter, and a state that goes on in another run on `second`.
static uint64_t hash_of_live(Kind kind, SiltDevice *first, SiltDevice *second)
{
    SiltTerrain *terrain = rough_ground(sizes[3]), *other = rough_ground(sizes[3]);
    SiltErosion *run = begin_run(terrain, kind, first), *next = begin_run(other, kind, second);
    bool water = strcmp(kind.model, "thermal") != 0;
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 5}));
    uint64_t hash = view_hash(run, "height", &(SiltRect){7, 28, 40, 9});
    edit(run, "height", 2.0f);
    hash = hash * 31 + view_hash(run, "deposition", NULL);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 3}));
    if (water) {
        edit(run, "water", 0.3f);
        assert_ok(silt_erosion_set(run, "rain", 90.0));
    } else {
        assert_ok(silt_erosion_set(run, "talus", 20.0));
    }
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 4}));
    void *block;
    size_t bytes;
    assert_ok(silt_erosion_save(run, &block, &bytes));
    assert_ok(silt_erosion_advance(next, (SiltDuration){.steps = 2}));
    assert_ok(silt_erosion_restore(next, block, bytes));
    silt_free(block);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 6}));
    assert_ok(silt_erosion_advance(next, (SiltDuration){.steps = 6}));
    assert_ok(silt_erosion_finish(run));
    assert_ok(silt_erosion_finish(next));
    assert_true(layers_hash(terrain) == layers_hash(other));
    hash = mix_books(hash * 31 + layers_hash(terrain), silt_erosion_report(run));
    silt_erosion_end(run);
    silt_erosion_end(next);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(other);
    return hash;
}

static void live_runs_may_move_between_devices(void **state)
{
    (void)state;
    static const Kind live[] = {{"thermal", ""},        {"cells", ""},          {"newton", ""},
                                {"newton", "reach=40"}, {"newton", "banks=40"}, {"pipes", ""}};
    for (size_t k = 0; k < sizeof live / sizeof live[0]; k++) {
        uint64_t here = hash_of_live(live[k], NULL, NULL);
        for (int d = 0; d < device_count; d++) {
            assert_true(hash_of_live(live[k], devices[d], NULL) == here);
            assert_true(hash_of_live(live[k], NULL, devices[d]) == here);
        }
    }
}

// ---- kept in a file ----

static SiltStatus stop_at_third(void *user, const SiltTerrain *terrain, int index)
{
    (void)user, (void)terrain;
    return index == 2 ? silt_fail(SILT_CANCELLED, "stopped") : SILT_OK;
}

// Three steps in one place, the rest in another.
static uint64_t hash_of_moved(const char *model, SiltDevice *first, SiltDevice *second)
{
    const char *path = "law_devices.silt";
    SiltTerrain *terrain = rough_ground(sizes[3]);
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = 8;
    SiltCheckpoint *kept;
    SiltRun run = {.device = first, .frame = stop_at_third, .frame_interval = 1.0};
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    silt_checkpoint_attach(kept, &run);
    assert_int_equal(silt_erode_as(silt_model_find(model), terrain, NULL, &options, &run, NULL),
                     SILT_CANCELLED);
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
    assert_ok(silt_checkpoint_open(path, &kept));
    assert_ok(silt_checkpoint_terrain(kept, &terrain));
    run = (SiltRun){.device = second};
    silt_checkpoint_attach(kept, &run);
    SiltReport report;
    assert_ok(silt_erode_as(silt_model_find(model), terrain, NULL, &options, &run, &report));
    uint64_t hash = mix_books(layers_hash(terrain), &report);
    silt_checkpoint_destroy(kept);
    silt_terrain_destroy(terrain);
    remove(path);
    return hash;
}

static void kept_runs_change_over(void **state)
{
    (void)state;
    static const char *const models[] = {"pipes", "thermal"};
    for (int k = 0; k < 2; k++) {
        uint64_t here = hash_of_moved(models[k], NULL, NULL);
        assert_true(hash_of_moved(models[k], NULL, devices[0]) == here);
        assert_true(hash_of_moved(models[k], devices[0], NULL) == here);
    }
}

int main(int count, char **words)
{
    cmocka_set_test_filter(count > 1 ? words[1] : NULL); // "*tiles*" alone
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_give_the_bytes_of_the_processor),
        cmocka_unit_test(water_runs_off_alike),
        cmocka_unit_test(a_run_goes_back_to_its_beginning),
        cmocka_unit_test(tiles_make_no_difference),
        cmocka_unit_test(programs_may_know_their_settings),
        cmocka_unit_test(blocks_of_rows_make_no_difference),
        cmocka_unit_test(kept_runs_change_over),
        cmocka_unit_test(live_runs_may_move_between_devices),
    };
    return run_on_devices(tests);
}
