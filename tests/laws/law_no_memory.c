// Whatever allocation fails, the answer is a sentence and a status, nothing leaks and no file is left
// half-written.
#include <unistd.h>

#include "test.h"

#include "erode/model.h"
#include "silt/generate.h"
#include "silt/io.h"
#include "silt/landforms.h"
#include "silt/render.h"

// Runs `work` with the 1st, 2nd, ... allocation failing until one run gets through.
static void sweep(SiltStatus (*work)(void))
{
    for (long n = 1; n < 5000; n++) {
        silt_fail_allocation(n);
        SiltStatus status = work();
        bool reached = silt_allocation_count() >= n;
        silt_fail_allocation(0);
        if (!reached) {
            assert_int_equal(status, SILT_OK);
            return;
        }
        if (status == SILT_OK)
            continue; // it did without
        if (status != SILT_NO_MEMORY)
            fail_msg("allocation %ld: %s: %s", n, silt_status_name(status), silt_message());
        assert_true(strlen(silt_message()) > 10);
    }
    fail_msg("no end after 5000 allocations");
}

static SiltStatus make_and_write(void)
{
    SiltTerrain *terrain;
    SiltStatus status = silt_generate(silt_generator_find("noise"), 20, 16, 5.0, NULL, NULL, &terrain);
    if (status != SILT_OK)
        return status;
    status = silt_terrain_write(terrain, "no_memory.pgm", NULL);
    silt_terrain_destroy(terrain);
    return status;
}

static SiltStatus convert(void)
{
    SiltTerrain *terrain, *smaller = NULL;
    SiltStatus status = silt_terrain_read("no_memory.pgm", NULL, &terrain);
    if (status != SILT_OK)
        return status;
    status = silt_terrain_resample(terrain, 10, 8, &smaller);
    if (status == SILT_OK)
        status = silt_terrain_write(smaller, "no_memory.asc", NULL);
    if (status == SILT_OK)
        status = silt_terrain_write(smaller, "no_memory.glb", NULL);
    silt_terrain_destroy(smaller);
    silt_terrain_destroy(terrain);
    return status;
}

static SiltStatus erode_and_draw(void)
{
    SiltTerrain *terrain;
    SiltStatus status = silt_terrain_read("no_memory.pgm", NULL, &terrain);
    if (status != SILT_OK)
        return status;
    SiltDuration duration = {.steps = 2};
    status = silt_erode(silt_model_find("thermal"), terrain, NULL, duration, NULL, NULL);
    if (status == SILT_OK)
        status = silt_render_file(terrain, NULL, "no_memory.ppm");
    silt_terrain_destroy(terrain);
    return status;
}

static SiltStatus measure_landforms(void)
{
    SiltTerrain *terrain;
    SiltLandforms forms;
    SiltStatus status = silt_generate(silt_generator_find("noise"), 160, 260, 20.0, NULL, NULL, &terrain);
    if (status != SILT_OK)
        return status;
    status = silt_landforms_measure(terrain, &forms);
    char *json = status == SILT_OK ? silt_landforms_json(&forms) : NULL;
    status = status == SILT_OK && !json ? SILT_NO_MEMORY : status;
    silt_free(json);
    silt_terrain_destroy(terrain);
    return status;
}

static void nothing_is_lost(void **state)
{
    (void)state;
    sweep(make_and_write);
    sweep(convert);
    sweep(erode_and_draw);
    sweep(measure_landforms);
    static const char *const made[] = {"no_memory.pgm", "no_memory.asc", "no_memory.glb", "no_memory.ppm"};
    for (size_t k = 0; k < sizeof made / sizeof made[0]; k++)
        assert_int_equal(unlink(made[k]), 0);
    assert_int_not_equal(system("ls no_memory.* 2>/dev/null | grep -q ."), 0); // no temporaries either
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
