// One run at a time is kept in a file.
#include "files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "silt/checkpoint.h"
#include "silt/erode.h"

static char heard[512];
static void hear(void *user, const char *text)
{
    (void)user;
    snprintf(heard, sizeof heard, "%s", text);
}

static SiltStatus stop_soon(void *user, const SiltTerrain *terrain, int number)
{
    (void)user;
    (void)terrain;
    return number < 4 ? SILT_OK : silt_fail(SILT_CANCELLED, "stopped in frame 4");
}

// A run of pipes on this terrain (NULL: on hills), which goes.
static SiltStatus wear(SiltCheckpoint *kept, SiltTerrain *terrain, int steps,
                       SiltStatus (*frame)(void *, const SiltTerrain *, int))
{
    const SiltModel *model = silt_model_find("pipes");
    void *params = silt_params_new(silt_model_params(model));
    SiltRun run = {.seed = 5, .frame = frame, .frame_interval = 1.0, .warning = hear};
    SiltErodeOptions options;
    assert_ok(silt_params_init(&silt_erode_params, &options));
    options.steps = steps;
    if (!terrain)
        terrain = make_hills(40, 36, false);
    silt_checkpoint_attach(kept, &run);
    SiltStatus status = silt_erode_as(model, terrain, params, &options, &run, NULL);
    silt_params_delete(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
    return status;
}

static SiltStatus keep_in(const char *path, SiltCheckpoint **out)
{
    assert_ok(silt_checkpoint_create(out));
    return silt_checkpoint_write_to(*out, path, 0.0, 2);
}

static void is_refused(const char *path, const char *named)
{
    SiltCheckpoint *other;
    char sentence[700];
    snprintf(sentence, sizeof sentence, "%s: process %ld keeps a run there; wait until it ends", named,
             (long)getpid());
    SiltStatus status = keep_in(path, &other);
    assert_int_equal(status, SILT_IO_ERROR);
    assert_non_null(strstr(silt_message(), sentence));
    silt_checkpoint_destroy(other);
}

// Before there is a file, while it is replaced again and again, and with the one before it.
static void one_run_is_kept_in_a_file(void **state)
{
    (void)state;
    char path[512], before[520], fresh[520];
    snprintf(path, sizeof path, "%s", test_path("one.silt"));
    snprintf(before, sizeof before, "%s~", path);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    SiltCheckpoint *kept, *other;
    assert_ok(keep_in(path, &kept));
    is_refused(path, path);
    assert_ok(wear(kept, NULL, 6, NULL));
    assert_true(silt_checkpoint_count(kept) >= 2);
    is_refused(path, path);
    is_refused(before, before);
    // what is there can be read, and kept elsewhere
    assert_ok(silt_checkpoint_open(path, &other));
    assert_ok(silt_checkpoint_write_to(other, test_path("else.silt"), 0.0, 2));
    silt_checkpoint_destroy(other);
    silt_checkpoint_destroy(kept);
    // whoever goes on with the one before it keeps others from the file too
    assert_ok(keep_in(before, &other));
    is_refused(path, before);
    silt_checkpoint_destroy(other);
    assert_ok(keep_in(path, &kept));
    silt_checkpoint_destroy(kept);
    assert_int_equal(access(fresh, F_OK), -1);
}

// Two read it at the same moment; one goes on with it and ends. The other does not know what it did.
static void what_was_read_is_still_there(void **state)
{
    (void)state;
    const char *path = test_path("raced.silt");
    SiltCheckpoint *first, *second;
    assert_ok(keep_in(path, &first));
    assert_ok(wear(first, NULL, 6, NULL));
    silt_checkpoint_destroy(first);
    assert_ok(silt_checkpoint_open(path, &first));
    assert_ok(silt_checkpoint_open(path, &second));
    SiltTerrain *terrain;
    assert_ok(silt_checkpoint_terrain(first, &terrain));
    assert_ok(silt_checkpoint_write_to(first, path, 0.0, 1));
    assert_ok(wear(first, terrain, 9, NULL));
    silt_checkpoint_destroy(first);
    assert_fails(silt_checkpoint_write_to(second, path, 0.0, 1), SILT_IO_ERROR,
                 "another run went on with it since it was read");
    silt_checkpoint_destroy(second);
}

// A run whose file was taken away and begun anew by another leaves it to that one.
static void a_file_that_is_anothers_by_now_is_left_alone(void **state)
{
    (void)state;
    const char *path = test_path("lost.silt");
    SiltCheckpoint *kept, *other;
    assert_ok(keep_in(path, &kept));
    assert_ok(wear(kept, NULL, 6, NULL));
    assert_true(silt_checkpoint_count(kept) >= 2);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(test_path("lost.silt~")), 0);
    assert_ok(keep_in(path, &other));
    heard[0] = '\0';
    assert_int_equal(wear(kept, NULL, 60, stop_soon), SILT_CANCELLED);
    assert_string_equal(silt_message(), "stopped in frame 4"); // not why it was not kept
    assert_non_null(strstr(heard, "keeps a run there"));
    assert_int_equal(silt_checkpoint_count(kept), 0);
    assert_int_equal(access(path, F_OK), -1);
    silt_checkpoint_destroy(kept);
    is_refused(path, path);
    silt_checkpoint_destroy(other);
}

// A new run takes the file of one that is finished: until it is kept there is no file that could be taken for
// it.
static void a_finished_run_is_set_aside(void **state)
{
    (void)state;
    char path[512], before[520];
    snprintf(path, sizeof path, "%s", test_path("done.silt"));
    snprintf(before, sizeof before, "%s~", path);
    SiltCheckpoint *kept, *other;
    assert_ok(keep_in(path, &kept));
    assert_ok(wear(kept, NULL, 6, NULL));
    silt_checkpoint_finish(kept);
    silt_checkpoint_destroy(kept);
    assert_ok(keep_in(path, &kept));
    assert_ok(silt_checkpoint_set_aside(kept));
    assert_int_equal(access(path, F_OK), -1);
    is_refused(path, path);
    assert_fails(silt_checkpoint_open(path, &other), SILT_IO_ERROR,
                 "the one before it is whole, of a run that is finished");
    assert_ok(silt_checkpoint_open(before, &other));
    silt_checkpoint_destroy(other);
    assert_ok(wear(kept, NULL, 6, NULL));
    assert_int_equal(access(path, F_OK), 0);
    silt_checkpoint_destroy(kept);
}

static void what_is_no_checkpoint_beside_it_is_spared(void **state)
{
    (void)state;
    static const char *const endings[] = {"~", ".new"};
    for (int k = 0; k < 2; k++) {
        char path[512], beside[520];
        SiltCheckpoint *kept;
        snprintf(path, sizeof path, "%s", test_path("mine.silt"));
        snprintf(beside, sizeof beside, "%s%s", path, endings[k]);
        FILE *file = fopen(beside, "w");
        assert_non_null(file);
        fputs("mine", file);
        fclose(file);
        assert_fails(keep_in(path, &kept), SILT_IO_ERROR, "no checkpoint, and a run kept in");
        silt_checkpoint_destroy(kept);
        assert_int_equal(unlink(beside), 0);
    }
}

static bool was_told_early;
static SiltStatus see_early(void *user, const SiltTerrain *terrain, int number)
{
    if (number == 3)
        was_told_early = strstr(heard, "cannot write: No such file or directory; the run goes on") != NULL;
    return stop_soon(user, terrain, number);
}

// Long before it is due.
static void what_cannot_be_written_is_told_of_at_once(void **state)
{
    (void)state;
    char folder[512], path[600];
    SiltCheckpoint *kept;
    snprintf(folder, sizeof folder, "%s", test_path("left"));
    snprintf(path, sizeof path, "%s/run.silt", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_ok(silt_checkpoint_create(&kept));
    assert_ok(silt_checkpoint_write_to(kept, path, 1e9, 0));
    assert_int_equal(unlink(strcat(path, ".new")), 0); // which kept the place
    assert_int_equal(rmdir(folder), 0);
    heard[0] = '\0';
    assert_int_equal(wear(kept, NULL, 60, see_early), SILT_CANCELLED);
    assert_true(was_told_early);
    silt_checkpoint_destroy(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_is_kept_in_a_file),
        cmocka_unit_test(what_was_read_is_still_there),
        cmocka_unit_test(a_file_that_is_anothers_by_now_is_left_alone),
        cmocka_unit_test(a_finished_run_is_set_aside),
        cmocka_unit_test(what_is_no_checkpoint_beside_it_is_spared),
        cmocka_unit_test(what_cannot_be_written_is_told_of_at_once),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
