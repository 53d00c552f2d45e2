// Devices: found by name, refused in a sentence, and their failures told with the last state intact.
#include "erode_help.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef SILT_HAS_OPENCL
#include "opencl/opencl.h"
#else
#include "opencl/device.h"
#endif
#include "terrains.h"

static char cache[] = "/tmp/silt-test-cache-XXXXXX";
static SiltDevice *device;

static void names_that_are_none_are_refused(void **state)
{
    (void)state;
    SiltDevice *none = NULL;
    assert_ok(silt_device_open("cpu", &none));
    assert_null(none);
    assert_fails(silt_device_open("gpu:no such name", &none), SILT_BAD_ARGUMENT, "there are: ");
    assert_fails(silt_device_open("cuda", &none), SILT_BAD_ARGUMENT, "it is cpu, gpu, gpu:NAME");
    assert_fails(silt_device_open("gpu:", &none), SILT_BAD_ARGUMENT, "it is cpu, gpu, gpu:NAME");
    assert_null(none);
}

static void a_program_that_does_not_build_says_why(void **state)
{
    (void)state;
    SiltProgram *program;
    assert_fails(silt_program_create(device, "erode nothing",
                                     "__kernel void k(__global int *a) { a[0] = wrong; }", NULL, &program),
                 SILT_MISSING_FEATURE, "wrong");
    assert_null(program);
    assert_ok(silt_device_status(device)); // the device itself is well
}

static void too_large_a_block_is_refused_before_it_is_made(void **state)
{
    (void)state;
    SiltBuffer *buffer;
    uint64_t before = silt_device_used(device), all = silt_device_of(device)->memory;
    assert_fails(silt_buffer_create(device, "erode pipes", (size_t)all + 4096, &buffer), SILT_NO_MEMORY,
                 "erode pipes: it needs");
    assert_true(silt_device_used(device) == before);
    assert_fails(silt_device_has_room(device, "erode pipes", all / 2, silt_device_of(device)->largest + 1),
                 SILT_NO_MEMORY, "a block of");
}

static void rows_go_there_and_come_back(void **state)
{
    (void)state;
    SiltBuffer *buffer;
    uint32_t there[5][8], back[3][4] = {{0}};
    for (uint32_t k = 0; k < 40; k++)
        there[k / 8][k % 8] = k * 2654435761u;
    assert_ok(silt_buffer_create(device, "test", 32 * 16, &buffer));
    assert_ok(silt_buffer_write_rows(buffer, 2 * 64 + 12, 64, there, sizeof there[0], 20, 5));
    assert_ok(silt_buffer_read_rows(buffer, 3 * 64 + 16, 64, back, sizeof back[0], 16, 3));
    for (int j = 0; j < 3; j++)
        assert_memory_equal(back[j], &there[j + 1][1], 16);
    silt_buffer_destroy(buffer);
}

// Long rows that lie apart, here and there.
static void much_goes_there_and_comes_back(void **state)
{
    (void)state;
    enum { ROWS = 23, WORDS = (1 << 18) + 5, PITCH = (1 << 18) + 64, STRIDE = WORDS + 3 };
    SiltBuffer *buffer;
    uint32_t *there, *back;
    assert_ok(silt_alloc_for("test", ROWS * STRIDE, sizeof *there, (void **)&there));
    assert_ok(silt_alloc_for("test", ROWS * STRIDE, sizeof *back, (void **)&back));
    for (uint32_t k = 0; k < ROWS * STRIDE; k++)
        there[k] = k * 2654435761u;
    assert_ok(silt_buffer_create(device, "test", (size_t)(ROWS + 2) * PITCH * 4, &buffer));
    assert_ok(silt_buffer_write_rows(buffer, PITCH * 4 + 12, PITCH * 4, there, STRIDE * 4, WORDS * 4, ROWS));
    assert_ok(silt_buffer_read_rows(buffer, PITCH * 4 + 12, PITCH * 4, back, STRIDE * 4, WORDS * 4, ROWS));
    for (size_t j = 0; j < ROWS; j++) {
        assert_memory_equal(back + j * STRIDE, there + j * STRIDE, WORDS * 4);
        assert_true(back[j * STRIDE + WORDS] == 0); // and nothing between the rows
    }
    silt_buffer_destroy(buffer);
    silt_free(there);
    silt_free(back);
}

// The files of the cache, and the bytes in their middle turned.
static int spoil_cache(void)
{
    char folder[64], path[400];
    int count = 0;
    snprintf(folder, sizeof folder, "%s/silt", cache);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, 100, SEEK_SET);
        fputs("spoilt", file);
        fclose(file);
        count++;
    }
    if (entries)
        closedir(entries);
    return count;
}

static void run_doubling(void)
{
    static const char text[] = "__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }";
    SiltProgram *program;
    SiltKernel *kernel;
    SiltBuffer *buffer;
    int32_t values[] = {1, -2, 300}, found[3];
    assert_ok(silt_program_create(device, "test", text, NULL, &program));
    assert_ok(silt_kernel_create(program, "twice", &kernel));
    assert_ok(silt_buffer_create(device, "test", sizeof values, &buffer));
    assert_ok(silt_buffer_write(buffer, 0, values, sizeof values));
    assert_ok(silt_kernel_set_buffer(kernel, 0, buffer));
    assert_ok(silt_kernel_run(kernel, 1, (const size_t[]){3}, NULL));
    assert_ok(silt_buffer_read(buffer, 0, found, sizeof found));
    for (int k = 0; k < 3; k++)
        assert_int_equal(found[k], 2 * values[k]);
    silt_buffer_destroy(buffer);
    silt_program_destroy(program);
}

static void spoilt_programs_of_the_cache_are_made_anew(void **state)
{
    (void)state;
    run_doubling();
    assert_true(spoil_cache() > 0);
    run_doubling();
    run_doubling();
}

// ---- that it passed the self-test ----

// How many self-tests it takes to open it.
static unsigned tests_of_opening(void)
{
    char choice[160];
    SiltDevice *again;
    unsigned before = silt_device_tests();
    snprintf(choice, sizeof choice, "gpu:%s", silt_device_of(device)->name);
    assert_ok(silt_device_open(choice, &again));
    silt_device_close(again);
    return silt_device_tests() - before;
}

static void a_device_that_passed_is_not_tested_again(void **state)
{
    (void)state;
    assert_true(silt_device_tests() >= 1); // when it was opened first
    tests_of_opening();                    // it may have been spoilt since
    assert_int_equal(tests_of_opening(), 0);
    unsigned before = silt_device_tests();
    assert_ok(silt_device_check(0)); // who asks for the test gets it
    assert_int_equal(silt_device_tests() - before, 1);
    assert_int_equal(tests_of_opening(), 0);
    setenv("SILT_OPENCL_OPTIONS", "-D NOTHING=1", 1); // other options may give other bits
    assert_int_equal(tests_of_opening(), 1);
    unsetenv("SILT_OPENCL_OPTIONS");
    assert_int_equal(tests_of_opening(), 0);
}

static void a_spoilt_note_is_made_anew(void **state)
{
    (void)state;
    tests_of_opening();
    assert_true(spoil_cache() > 0);
    assert_int_equal(tests_of_opening(), 1);
    assert_int_equal(tests_of_opening(), 0);
}

#ifdef SILT_HAS_OPENCL
static void another_driver_is_tested(void **state)
{
    (void)state;
    SiltDevice *other;
    assert_ok(silt_cl_open(0, NULL, &other));
    assert_ok(silt_cl_trust(other));
    unsigned before = silt_device_tests();
    assert_ok(silt_cl_trust(other));
    assert_int_equal(silt_device_tests() - before, 0);
    snprintf(other->info.driver, sizeof other->info.driver, "another");
    assert_ok(silt_cl_trust(other));
    assert_ok(silt_cl_trust(other));
    assert_int_equal(silt_device_tests() - before, 1);
    snprintf(other->info.name, sizeof other->info.name, "another too");
    assert_ok(silt_cl_trust(other));
    assert_int_equal(silt_device_tests() - before, 2);
    silt_device_close(other);
}

static void notes_of_others_are_no_notes(void **state)
{
    (void)state;
    char from[96], to[96];
    silt_cache_write(77, (const unsigned char *)"passed", 6);
    assert_true(silt_cache_has_note(77, "passed"));
    assert_false(silt_cache_has_note(77, "passe"));
    assert_false(silt_cache_has_note(77, "passed it"));
    assert_false(silt_cache_has_note(78, "passed"));
    snprintf(from, sizeof from, "%s/silt/%016x.opencl", cache, 77);
    snprintf(to, sizeof to, "%s/silt/%016x.opencl", cache, 78);
    assert_int_equal(rename(from, to), 0);
    assert_false(silt_cache_has_note(78, "passed"));
    assert_false(silt_cache_has_note(77, "passed"));
    silt_cache_write(77, (const unsigned char *)"passed", 6);
    silt_cache_forget(77);
    assert_false(silt_cache_has_note(77, "passed"));
    silt_cache_forget(77); // nor is that anything
}
#endif

static void includes_come_from_the_library(void **state)
{
    (void)state;
    char *text = silt_source_expand("#include \"physics/pipes_cell.h\"\nint here;\n");
    assert_non_null(text);
    assert_non_null(strstr(text, "silt_pipes_flux"));
    assert_non_null(strstr(text, "silt_minf")); // what that includes
    assert_non_null(strstr(text, "int here;"));
    silt_free(text);
    assert_null(silt_source_find("physics/none.h"));
}

static int warnings;

static void count_warning(void *user, const char *text)
{
    (void)user;
    warnings += strstr(text, "on the processor") != NULL;
}

static void models_of_the_processor_say_so(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){32, 32, 10.0, 100.0f});
    SiltRun run = {.device = device, .warning = count_warning};
    SiltErosion *erosion;
    assert_fails(silt_erosion_begin(silt_model_find("rivers"), terrain, NULL, &run, &erosion),
                 SILT_BAD_ARGUMENT, "works on the processor alone");
    run.device_or_cpu = true;
    assert_ok(silt_erosion_begin(silt_model_find("rivers"), terrain, NULL, &run, &erosion));
    assert_int_equal(warnings, 1);
    assert_null(silt_erosion_device(erosion));
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
}

// A run says where it works, not where it was to.
static void runs_say_where_they_work(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){16, 16, 10.0, 50.0f});
    SiltRun run = {.device = device, .device_or_cpu = true, .warning = count_warning};
    warnings = 0;
    SiltErosion *erosion = begin_erosion_in(terrain, "voxel", "reinit=sweeps particles=100", &run);
    assert_int_equal(warnings, 1);
    assert_null(silt_erosion_device(erosion));
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 2}));
    assert_ok(silt_erosion_finish(erosion));
    silt_erosion_end(erosion);
    erosion = begin_erosion_in(terrain, "thermal", "", &run);
    assert_ptr_equal(silt_erosion_device(erosion), device);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
}

// Last, because the device does not recover.
static void a_lost_device_ends_the_run_and_leaves_the_last_state(void **state)
{
    (void)state;
    SiltTerrain *terrain = rough_ground((RoughGround){48, 40, 10.0, 200.0f});
    SiltRun run = {.device = device};
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(silt_model_find("thermal"), terrain, NULL, &run, &erosion));
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 8}));
    assert_ok(silt_erosion_store(erosion));
    uint64_t stored = layers_hash(terrain);
    silt_device_fail(device, SILT_IO_ERROR, "it fell off the bus");
    assert_fails(silt_erosion_advance(erosion, (SiltDuration){.steps = 8}), SILT_IO_ERROR,
                 "fell off the bus");
    assert_ok(silt_erosion_store(erosion)); // what had come back before
    assert_true(layers_hash(terrain) == stored);
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    char choice[160];
    SiltDeviceInfo info;
    if (silt_device_count() == 0 || silt_device_info(0, &info) != SILT_OK || !mkdtemp(cache)) {
        printf("skipped: %s\n", silt_message());
        return 77;
    }
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("SILT_OPENCL_KEEP", "1", 1); // PoCL's too
    snprintf(choice, sizeof choice, "gpu:%s", info.name);
    if (silt_device_open(choice, &device) != SILT_OK) {
        printf("skipped: %s\n", silt_message());
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_none_are_refused),
        cmocka_unit_test(a_program_that_does_not_build_says_why),
        cmocka_unit_test(too_large_a_block_is_refused_before_it_is_made),
        cmocka_unit_test(rows_go_there_and_come_back),
        cmocka_unit_test(much_goes_there_and_comes_back),
        cmocka_unit_test(spoilt_programs_of_the_cache_are_made_anew),
        cmocka_unit_test(a_device_that_passed_is_not_tested_again),
        cmocka_unit_test(a_spoilt_note_is_made_anew),
#ifdef SILT_HAS_OPENCL
        cmocka_unit_test(another_driver_is_tested),
        cmocka_unit_test(notes_of_others_are_no_notes),
#endif
        cmocka_unit_test(includes_come_from_the_library),
        cmocka_unit_test(models_of_the_processor_say_so),
        cmocka_unit_test(runs_say_where_they_work),
        cmocka_unit_test(a_lost_device_ends_the_run_and_leaves_the_last_state),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    silt_device_close(device);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command) != 0 || failed;
}
