// Planning and running recipes, their pictures, and stopping them.
#include "recipe_help.h"

#include "silt/render.h"

#ifdef SILT_HAS_YAML

static void runs_from_end_to_end(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    char *report;
    assert_ok(run_text(SLOPE, &terrain, &report));
    assert_int_equal(terrain->width, 24);
    assert_near(terrain->cell, 10.0, 0.0);
    assert_null(silt_terrain_layer(terrain, "change")); // settled
    assert_true(is_there("out/deep/er/height.pgm"));
    assert_true(is_there("out/deep/er/maps/height.pgm"));
    assert_true(is_there("out/deep/er/report.json"));
    assert_non_null(strstr(report, "\"model\": \"thermal\""));
    assert_non_null(strstr(report, "{\"stage\": \"scale\", \"of\": \"height\", \"keys\": \"by=0.5\"}"));
    assert_non_null(strstr(report, "\"cancelled\": false"));
    assert_non_null(strstr(report, "\"defines\": {\"size\": \"24\""));
    silt_free(report);
    silt_terrain_destroy(terrain);
}

static void same_bytes_on_any_threads(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain;
        silt_set_threads(k ? 3 : 1);
        assert_ok(run_text(SLOPE, &terrain, NULL));
        hash[k] = silt_field_hash(silt_terrain_layer(terrain, "height"));
        silt_terrain_destroy(terrain);
    }
    silt_set_threads(0);
    assert_true(hash[0] == hash[1]);
}

static void what_overflows_is_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(run_text("terrain: {new: plane, size: 16}\n"
                          "stages:\n"
                          "  - {scale: height, by: 1e9, offset: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "  - {scale: height, by: 1e9}\n"
                          "outputs: [{write: huge.pgm}]\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "r.yaml:7:5: 'scale height': ");
    assert_non_null(strstr(silt_message(), "cells of 'height' are not finite numbers; the stage made"));
    assert_null(terrain);
    assert_false(is_there("huge.pgm"));
}

// What shapes generated land leaves a terrain that was given alone.
static void unless_leaves_a_stage_out(void **state)
{
    (void)state;
    static const char *const inputs[] = {"none", "alps.tif"};
    double mean[2];
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "define: {input: %s}\n" PLANE "stages: [{scale: height, offset: -500, unless: $input}]\n",
                 inputs[k]);
        SiltTerrain *terrain;
        char *report;
        assert_ok(run_text(text, &terrain, &report));
        SiltFieldStatistics heights;
        silt_field_statistics(silt_terrain_layer(terrain, "height"), NULL, &heights);
        mean[k] = heights.mean;
        assert_non_null(strstr(report, k ? "unless=alps.tif" : "unless=none"));
        silt_free(report);
        silt_terrain_destroy(terrain);
    }
    assert_near(mean[1] - mean[0], 500.0, 1e-3);
}

// What an artist's sketch shapes is left out where there is none; a sketch may have any size.
static void if_leaves_a_stage_out(void **state)
{
    (void)state;
    static const char *const sketches[] = {"none", "drawn.asc"};
    double mean[2];
    write_text("drawn.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n7 7\n7 7\n");
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "define: {sketch: %s}\n" PLANE
                 "stages: [{read: $sketch, into: drawn, fit: yes, if: $sketch}, "
                 "{add: drawn, if: $sketch}]\n",
                 sketches[k]);
        SiltTerrain *terrain;
        char *report;
        assert_ok(run_text(text, &terrain, &report));
        SiltFieldStatistics heights;
        silt_field_statistics(silt_terrain_layer(terrain, "height"), NULL, &heights);
        mean[k] = heights.mean;
        assert_non_null(strstr(report, k ? "if=drawn.asc" : "if=none"));
        silt_free(report);
        silt_terrain_destroy(terrain);
    }
    assert_near(mean[1] - mean[0], 7.0, 1e-3);
    assert_int_equal(unlink("drawn.asc"), 0);
}

// ---- plan ----

static void the_plan_says_all(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    char *plan;
    const char *defines[] = {"size=256", "output=planned"};
    assert_ok(read_with(SLOPE, defines, 2, &recipe));
    assert_ok(silt_recipe_plan(recipe, &plan));
    static const char *const said[] = {
        "r.yaml: A slope",
        "terrain   new plane: size=256, cell=10 m, angle=60",
        "256 x 256 cells of 10 m",
        "2.56 x 2.56 km",
        "stage 1   erode thermal: steps=20",
        "stage 2   scale height: by=0.5",
        "planned/height.pgm",
        "memory",
        "available",
    };
    for (size_t k = 0; k < sizeof said / sizeof said[0]; k++)
        if (!strstr(plan, said[k]))
            fail_msg("the plan does not say '%s':\n%s", said[k], plan);
    assert_false(is_there("planned")); // a plan makes nothing
    silt_free(plan);
    silt_recipe_destroy(recipe);
}

static void refuses_what_cannot_fit(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    char *plan;
    const char *defines[] = {"size=1000000", "output=huge"};
    assert_ok(read_with(SLOPE, defines, 2, &recipe));
    assert_fails(silt_recipe_plan(recipe, &plan), SILT_NO_MEMORY, "TiB of memory, and");
    assert_non_null(strstr(plan, "1000000 x 1000000 cells"));
    silt_free(plan);
    assert_fails(silt_recipe_run(recipe, NULL, NULL, NULL), SILT_NO_MEMORY, "take a smaller size");
    assert_false(is_there("huge"));
    silt_recipe_destroy(recipe);
}

// ---- pictures ----

static size_t read_bytes(const char *path, char *to, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(to, 1, room, file);
    fclose(file);
    return length;
}

// Without the layer of water, only the particles of the last stage can make a difference.
static void pictures_show_the_particles_of_the_last_stage(void **state)
{
    (void)state;
    if (!silt_render_has_gl())
        skip();
    static const char *const later[] = {"", "  - {scale: height, by: 1}\n"};
    static char with[32768], without[32768];
    for (int k = 0; k < 2; k++) {
        SiltTerrain *terrain;
        SiltRenderOptions options;
        char text[512];
        snprintf(text, sizeof text,
                 "terrain: {new: plane, size: 12, cell: 1}\n"
                 "stages:\n"
                 "  - {erode: sph, steps: 2, set: {boxes: '4,4,0,4,4,2'}}\n%s"
                 "outputs: [{render: drops.ppm, width: 96, height: 64, water: false}]\n",
                 later[k]);
        assert_ok(run_text(text, &terrain, NULL));
        assert_ok(silt_params_init(&silt_render_params, &options));
        options.width = 96;
        options.height = 64;
        options.water = false;
        assert_ok(silt_render_file(terrain, &options, "bare.ppm"));
        size_t length = read_bytes("drops.ppm", with, sizeof with);
        assert_int_equal(read_bytes("bare.ppm", without, sizeof without), length);
        assert_int_equal(memcmp(with, without, length) == 0, k);
        silt_terrain_destroy(terrain);
    }
}

// ---- progress, cancelling, failing ----

typedef struct Watch {
    char seen[64][48]; // stages in the order they were heard of
    int count;
    const char *stop_in;
} Watch;

static bool watch(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)unit;
    Watch *w = user;
    assert_true(done <= total);
    if (w->count == 0 || strcmp(w->seen[w->count - 1], stage) != 0)
        snprintf(w->seen[w->count++], sizeof w->seen[0], "%s", stage);
    return !(w->stop_in && strcmp(stage, w->stop_in) == 0 && done > 0);
}

static void stages_are_named(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.count = 0};
    SiltRun run = {.user = &w, .progress = watch};
    assert_ok(read_with(SLOPE, NULL, 0, &recipe));
    assert_ok(silt_recipe_run(recipe, &run, NULL, NULL));
    static const char *const wanted[] = {"terrain plane", "stage 1/3 thermal", "stage 2/3 scale",
                                         "stage 3/3 thermal", "writing"};
    assert_int_equal(w.count, 5);
    for (int k = 0; k < 5; k++)
        assert_string_equal(w.seen[k], wanted[k]);
    silt_recipe_destroy(recipe);
}

static void cancelling_writes_what_there_is(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.stop_in = "stage 1/3 thermal"};
    SiltRun run = {.user = &w, .progress = watch};
    const char *defines[] = {"name=stopped", "size=64"};
    assert_ok(read_with(SLOPE, defines, 2, &recipe));
    SiltTerrain *terrain;
    char *report;
    assert_fails(silt_recipe_run(recipe, &run, &terrain, &report), SILT_CANCELLED,
                 "r.yaml: cancelled in stage 1/3 thermal; what was done is written");
    assert_non_null(terrain);
    assert_true(is_there("stopped/deep/er/height.pgm"));
    assert_non_null(strstr(report, "\"cancelled\": true"));
    assert_null(strstr(report, "\"scale\"")); // it never came to that
    silt_free(report);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
}

// ... unless that is a terrain nothing has worn: the files of an earlier run stay.
static void cancelling_before_erosion_writes_nothing(void **state)
{
    (void)state;
    static const char *const stops[] = {"terrain noise", "stage 1/3 noise"};
    for (size_t k = 0; k < 2; k++) {
        SiltRecipe *recipe;
        Watch w = {.stop_in = stops[k]};
        SiltRun run = {.user = &w, .progress = watch};
        write_text("good.pgm", "good");
        assert_ok(read_with("terrain: {new: noise, size: 256}\n"
                            "stages: [{new: noise, into: extra}, {scale: height, by: 2}, {erode: thermal}]\n"
                            "outputs: [{write: good.pgm}]\n",
                            NULL, 0, &recipe));
        assert_fails(silt_recipe_run(recipe, &run, NULL, NULL), SILT_CANCELLED,
                     "before any erosion; nothing was written");
        struct stat info;
        assert_int_equal(stat("good.pgm", &info), 0);
        assert_int_equal(info.st_size, 4);
        silt_recipe_destroy(recipe);
    }
}

// A layer that a cancelled run did not come to make is no failure.
static void cancelling_forgives_missing_layers(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    Watch w = {.stop_in = "stage 1/2 thermal"};
    SiltRun run = {.user = &w, .progress = watch};
    assert_ok(read_with("terrain: {new: plane, size: 64, set: {angle: 60}}\n"
                        "stages: [{erode: thermal, steps: 9}, {copy: height, into: late}]\n"
                        "outputs: [{write: late.pgm, layer: late}, {write: early.pgm}]\n",
                        NULL, 0, &recipe));
    assert_int_equal(silt_recipe_run(recipe, &run, NULL, NULL), SILT_CANCELLED);
    assert_false(is_there("late.pgm"));
    assert_true(is_there("early.pgm"));
    silt_recipe_destroy(recipe);
}

static void one_output_does_not_stop_the_others(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    // of a height alone there is nothing to show
    assert_fails(run_text(PLANE "outputs: [{sheet: none.png}, {write: second.pgm}]\n", &terrain, NULL),
                 SILT_BAD_ARGUMENT, "r.yaml:2:11: ");
    assert_null(terrain);
    assert_false(is_there("none.png"));
    assert_true(is_there("second.pgm"));
}

static bool look_before_the_picture(void *user, const char *stage, double done, double total,
                                    const char *unit)
{
    (void)unit;
    bool *is_first = user;
    if (strcmp(stage, "drawing") == 0 && done == total - 1.0)
        *is_first = is_there("data.pgm") && is_there("data.json") && !is_there("picture.ppm");
    return true;
}

// A driver may crash while it draws: what was computed is on the disk by then.
static void pictures_are_drawn_last(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    bool is_first = false;
    SiltRun run = {.user = &is_first, .progress = look_before_the_picture};
    assert_ok(read_with(PLANE "outputs: [{render: picture.ppm, view: map}, {write: data.pgm},"
                              " {report: data.json}]\n",
                        NULL, 0, &recipe));
    SiltStatus status = silt_recipe_run(recipe, &run, NULL, NULL);
    assert_true(status == SILT_OK || status == SILT_MISSING_FEATURE);
    assert_true(is_first);
    silt_recipe_destroy(recipe);
}

// The n-th allocation fails, for every n: an error each time, nothing leaked, and in the end it runs.
static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char tiny[] = "about: tiny\n"
                               "define: {size: 4}\n"
                               "terrain: {new: plane, size: $size, set: {angle: 50}}\n"
                               "stages:\n"
                               "  - {erode: thermal, steps: 2}\n"
                               "  - {new: plane, into: extra}\n"
                               "  - {add: extra, amount: 0.5}\n"
                               "  - {blur: height}\n"
                               "  - {crop: 3x3}\n"
                               "outputs: [{write: tiny/a.pgm}, {report: tiny/a.json}]\n";
    write_text("tiny.yaml", tiny);
    int failures = 0;
    SiltStatus status = SILT_NO_MEMORY;
    while (status != SILT_OK) {
        SiltRecipe *recipe;
        char *plan = NULL, *report = NULL;
        SiltTerrain *terrain = NULL;
        silt_fail_allocation(++failures);
        status = silt_recipe_read("tiny.yaml", NULL, 0, &recipe);
        if (status == SILT_OK)
            status = silt_recipe_plan(recipe, &plan);
        if (status == SILT_OK)
            status = silt_recipe_run(recipe, NULL, &terrain, &report);
        silt_fail_allocation(0);
        if (status != SILT_OK) {
            assert_int_equal(status, SILT_NO_MEMORY);
            assert_non_null(strstr(silt_message(), "memory"));
            assert_null(terrain);
            assert_null(report);
        }
        silt_free(plan);
        silt_free(report);
        silt_terrain_destroy(terrain);
        silt_recipe_destroy(recipe);
        assert_true(failures < 5000);
    }
    assert_true(failures > 50);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(runs_from_end_to_end),
        cmocka_unit_test(same_bytes_on_any_threads),
        cmocka_unit_test(pictures_are_drawn_last),
        cmocka_unit_test(the_plan_says_all),
        cmocka_unit_test(refuses_what_cannot_fit),
        cmocka_unit_test(pictures_show_the_particles_of_the_last_stage),
        cmocka_unit_test(stages_are_named),
        cmocka_unit_test(cancelling_writes_what_there_is),
        cmocka_unit_test(cancelling_before_erosion_writes_nothing),
        cmocka_unit_test(cancelling_forgives_missing_layers),
        cmocka_unit_test(unless_leaves_a_stage_out),
        cmocka_unit_test(if_leaves_a_stage_out),
        cmocka_unit_test(what_overflows_is_refused),
        cmocka_unit_test(one_output_does_not_stop_the_others),
        cmocka_unit_test(every_allocation_may_fail),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
