// Frames of a run that is kept and gone on with, at the same pace or at another: their numbers are those that
// the whole run would have given them.
#include "erode_help.h"

#include <limits.h>

#include "files.h"
#include "silt/checkpoint.h"

typedef struct Album {
    int room;      // for so many frames; the next one stops the run
    double every;  // steps
    int64_t steps; // when the last came
    int count, first, wrong;
} Album;

static void note_steps(void *user, int64_t steps, double time, const char *clock)
{
    (void)time, (void)clock;
    ((Album *)user)->steps = steps;
}

static SiltStatus paste(void *user, const SiltTerrain *terrain, int index)
{
    (void)terrain;
    Album *album = user;
    album->first = album->count == 0 ? index : album->first;
    album->wrong += (double)album->steps != (index + 1) * album->every;
    album->count++;
    return album->count < album->room ? SILT_OK : silt_fail(SILT_CANCELLED, "stopped");
}

// Twenty steps of rain, or as many as the album has room for.
static SiltStatus wear(SiltTerrain *terrain, SiltCheckpoint *kept, Album *album)
{
    const SiltModel *model = silt_model_find("pipes");
    void *params = silt_params_new(silt_model_params(model));
    SiltErodeOptions options;
    SiltRun run = {.user = album, .frame = paste, .when = note_steps, .frame_interval = album->every};
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = 20;
    silt_checkpoint_attach(kept, &run);
    SiltStatus status = silt_erode_as(model, terrain, params, &options, &run, NULL);
    silt_params_delete(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
    silt_checkpoint_destroy(kept);
    return status;
}

static void frames_have_the_numbers_of_their_pace(void **state)
{
    (void)state;
    static const struct {
        double before, after; // steps between frames; the run is stopped after eight
        int first;            // frame that comes then
    } cases[] = {{4, 4, 2}, {4, 2, 4}, {1, 4, 2}, {8, 3, 2}, {4, 20, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Album begun = {.room = (int)(8.0 / cases[k].before), .every = cases[k].before};
        Album later = {.room = INT_MAX, .every = cases[k].after};
        SiltTerrain *terrain = make_terrain(24, 20, 2.0);
        SiltCheckpoint *kept;
        make_rough(terrain, 7, 12.0f);
        assert_ok(silt_checkpoint_create(&kept));
        assert_ok(silt_checkpoint_write_to(kept, test_path("run.silt"), 1e9, 0)); // only where it is stopped
        assert_int_equal(wear(terrain, kept, &begun), SILT_CANCELLED);
        assert_ok(silt_checkpoint_open(test_path("run.silt"), &kept));
        assert_ok(silt_checkpoint_terrain(kept, &terrain));
        assert_ok(wear(terrain, kept, &later));
        assert_int_equal(begun.wrong + later.wrong, 0);
        assert_int_equal(later.first, cases[k].first);
        assert_int_equal(later.first + later.count, (int)(20.0 / later.every));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_have_the_numbers_of_their_pace),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
