// Every stage on constant layers, where the right answer is known by arithmetic.
#include "recipe_help.h"

#include "silt/erode.h"

#ifdef SILT_HAS_YAML

// height 100 everywhere, extra 40 everywhere, then the stage
#define BASE                                                                                                 \
    "terrain: {new: plane, size: 16x12, cell: 10, set: {angle: 0, height: 100}}\n"                           \
    "stages:\n"                                                                                              \
    "  - {new: plane, into: extra, set: {angle: 0, height: 40}}\n"

static void expect(const char *stages, const char *layer, double value)
{
    char text[2048];
    SiltTerrain *terrain;
    snprintf(text, sizeof text, BASE "%s", stages);
    assert_ok(run_text(text, &terrain, NULL));
    const SiltField *field = silt_terrain_layer(terrain, layer);
    assert_non_null(field);
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++)
            assert_near((double)silt_field_at(field, i, j), value, 1e-4);
    silt_terrain_destroy(terrain);
}

static void arithmetic(void **state)
{
    (void)state;
    expect("", "height", 100);
    expect("", "extra", 40);
    expect("  - {scale: height, by: 1.5, offset: -20}\n", "height", 130);
    expect("  - {clamp: height, high: 60}\n", "height", 60);
    expect("  - {clamp: height, low: 160}\n", "height", 160);
    expect("  - {add: extra}\n", "height", 140);
    expect("  - {add: extra, amount: -0.5}\n", "height", 80);
    expect("  - {add: height, into: extra}\n", "extra", 140);
    expect("  - {add: extra, into: fresh, amount: 2}\n", "fresh", 80);
    expect("  - {multiply: extra}\n", "height", 4000);
    expect("  - {max: extra}\n", "height", 100);
    expect("  - {min: extra, into: height}\n", "height", 40);
    expect("  - {max: height, into: extra}\n", "extra", 100);
    expect("  - {normalise: extra, low: 3, high: 9}\n", "extra", 3);
    expect("  - {blur: height, radius: 20 m}\n", "height", 100);
    expect("  - {copy: height, into: again}\n", "again", 100);
    expect("  - {slope: height}\n", "slope", 0);
}

static void masks_and_blends(void **state)
{
    (void)state;
    expect("  - {mask: extra, low: 20, high: 60}\n", "mask", 0.5);
    expect("  - {mask: extra, low: 60, high: 20, into: inverse}\n", "inverse", 0.5);
    expect("  - {mask: extra, low: 0, high: 30}\n", "mask", 1);
    expect("  - {mask: extra, low: 30, high: 0}\n", "mask", 0);
    expect("  - {blend: extra}\n", "height", 70);
    expect("  - {blend: extra, amount: 0.25}\n", "height", 85);
    expect("  - {mask: extra, low: 20, high: 60}\n  - {blend: extra, mask: mask, amount: 1}\n", "height", 70);
}

static void the_terrain_as_a_whole(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(run_text("terrain: {new: plane, size: [32, 24], cell: 10, set: {angle: 30, direction: 90}}\n"
                       "stages:\n"
                       "  - {copy: height, into: kept}\n"
                       "  - {crop: 8x6, at: [4, 2]}\n",
                       &terrain, NULL));
    assert_int_equal(terrain->width, 8);
    assert_int_equal(terrain->height, 6);
    assert_non_null(silt_terrain_layer(terrain, "kept"));
    float *row = silt_field_row(silt_terrain_layer(terrain, "height"), 0);
    double fall = tan(30.0 * 3.14159265358979 / 180.0) * 10.0;
    assert_near((double)row[0], -fall * (4 - 15.5), 1e-3);
    silt_terrain_destroy(terrain);

    assert_ok(run_text(BASE "  - {resample: 32x24}\n  - {drop: extra}\n", &terrain, NULL));
    assert_int_equal(terrain->width, 32);
    assert_near(terrain->cell, 5.0, 1e-12);
    assert_null(silt_terrain_layer(terrain, "extra"));
    silt_terrain_destroy(terrain);

    assert_fails(run_text(BASE "  - {crop: 8x8, at: [0, 5]}\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "r.yaml:4:5: 8 x 8 cells from column 0, row 5 reach beyond the terrain's 16 x 12");
}

static void a_file_fills_a_layer(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    write_text("rain.pgm", "P2\n# silt heights 0 100\n# silt cell 10\n2 2\n100\n0 25\n50 100\n");
    assert_ok(run_text("terrain: {new: plane, size: 2, cell: 10}\n"
                       "stages: [{read: rain.pgm, into: rain}]\n",
                       &terrain, NULL));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "rain"), 1, 0), 25.0, 1e-4);
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "rain"), 1, 1), 100.0, 1e-4);
    silt_terrain_destroy(terrain);
    assert_fails(run_text("terrain: {new: plane, size: 3, cell: 10}\n"
                          "stages: [{read: rain.pgm, into: rain}]\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "r.yaml:2:10: rain.pgm: 2 x 2 cells, but the terrain has 3 x 3");
}

// Cells without data stay without data through every stage.
static void nodata_is_kept(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    write_text("dem.pgm",
               "P2\n# silt heights 0 100\n# silt cell 10\n# silt nodata 0\n3 2\n100\n0 25 30\n50 100 9\n");
    assert_ok(run_text("terrain: {read: dem.pgm}\n"
                       "stages:\n"
                       "  - {scale: height, by: 2, offset: 7}\n"
                       "  - {new: plane, into: extra, set: {height: 5}}\n"
                       "  - {add: extra}\n"
                       "  - {erode: thermal, steps: 2}\n"
                       "  - {read: dem.pgm, into: height}\n",
                       &terrain, NULL));
    assert_true(silt_terrain_is_nodata(terrain, 0, 0));
    assert_false(silt_terrain_is_nodata(terrain, 1, 0));
    assert_near((double)silt_field_at(silt_terrain_layer(terrain, "height"), 0, 0), 0.0, 0.0);
    silt_terrain_destroy(terrain);
}

// A layer that neither the terrain has nor a stage before makes is refused before anything runs.
static void missing_layers(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(run_text(BASE "  - {add: extar}\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "r.yaml:4:5: no stage before makes a layer 'extar', did you mean 'extra'?");
    assert_fails(run_text(BASE "  - {add: flow}\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "r.yaml:4:5: no stage before makes a layer 'flow'");
    // of a file it is known once it is read, and before the stages
    write_text("flat.pgm", "P2\n2 2\n9\n1 1 1 1\n");
    assert_fails(
        run_text("terrain: {read: flat.pgm, heights: [0, 9], cell: 10}\n"
                 "stages: [&s {scale: height, by: 1e9}, *s, *s, *s, *s]\n" // would fail, were they run
                 "outputs: [{write: x.pgm, layer: uplift}]\n",
                 &terrain, NULL),
        SILT_BAD_ARGUMENT, "r.yaml:3:11: no stage before makes a layer 'uplift'");
}

// What became of the ground is the difference of the heights, of the last model alone, as wear and deposition
// are.
static void net_change_is_kept(void **state)
{
    (void)state;
    SiltTerrain *terrain, *before;
    assert_ok(run_text("terrain: {new: plane, size: 16, cell: 10, set: {angle: 70}}\n"
                       "stages: [{erode: thermal, steps: 9}]\n",
                       &before, NULL));
    assert_ok(run_text("terrain: {new: plane, size: 16, cell: 10, set: {angle: 70}}\n"
                       "stages: [{erode: thermal, steps: 9}, {erode: thermal, steps: 4}]\n"
                       "outputs: [{write: n.tif, layer: net_change}, {maps: all}]\n",
                       &terrain, NULL));
    const SiltField *change = silt_terrain_layer(terrain, "net_change");
    assert_non_null(change);
    double moved = 0.0;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 16; i++) {
            double was = (double)silt_field_at(&before->layers[0]->field, i, j);
            double is = (double)silt_field_at(&terrain->layers[0]->field, i, j);
            assert_near((double)silt_field_at(change, i, j), is - was, 1e-4);
            moved += fabs(is - was);
        }
    assert_true(moved > 1.0);
    assert_true(is_there("n.tif") && is_there("all/net_change.tif"));
    silt_terrain_destroy(before);
    silt_terrain_destroy(terrain);
}

static uint64_t hash_of(const char *text, const char *layer)
{
    SiltTerrain *terrain;
    assert_ok(run_text(text, &terrain, NULL));
    uint64_t hash = silt_field_hash(silt_terrain_layer(terrain, layer));
    silt_terrain_destroy(terrain);
    return hash;
}

// Two stages of one generator differ unless they name the same seed, and all follow the terrain's.
static void seeds(void **state)
{
    (void)state;
    static const char own[] = "terrain: {new: noise, size: 32, seed: 5}\n"
                              "stages: [{new: noise, into: a}, {new: noise, into: b}]\n";
    static const char other[] = "terrain: {new: noise, size: 32, seed: 6}\n"
                                "stages: [{new: noise, into: a}, {new: noise, into: b}]\n";
    static const char same[] = "terrain: {new: noise, size: 32, seed: 5}\n"
                               "stages: [{new: noise, into: a, seed: 5}, {new: noise, into: b, seed: 7}]\n";
    assert_true(hash_of(own, "height") == hash_of(own, "height"));
    assert_true(hash_of(own, "height") != hash_of(own, "a"));
    assert_true(hash_of(own, "a") != hash_of(own, "b"));
    assert_true(hash_of(own, "height") != hash_of(other, "height"));
    assert_true(hash_of(own, "b") != hash_of(other, "b"));
    assert_true(hash_of(same, "height") == hash_of(same, "a"));
    assert_true(hash_of(same, "b") == hash_of(own, "b")); // the second stage: 5 + 2
    SiltTerrain *terrain;
    // all 64 bits count
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        assert_ok(run_text(k ? "terrain: {new: noise, size: 32, seed: 18446744073709551615}\n"
                             : "terrain: {new: noise, size: 32, seed: 18446744073709551614}\n",
                           &terrain, NULL));
        hashes[k] = silt_field_hash(silt_terrain_layer(terrain, "height"));
        silt_terrain_destroy(terrain);
    }
    assert_true(hashes[0] != hashes[1]);
    SiltRun largest = {.seed = UINT64_MAX};
    SiltRecipe *recipe;
    assert_ok(read_with("terrain: {new: noise, size: 32}\n", NULL, 0, &recipe));
    assert_ok(silt_recipe_run(recipe, &largest, &terrain, NULL));
    assert_true(silt_field_hash(silt_terrain_layer(terrain, "height")) == hashes[1]);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    assert_fails(run_text("terrain: {new: plane, seed: 18446744073709551616}\n", &terrain, NULL),
                 SILT_BAD_ARGUMENT, "above its maximum 18446744073709551615");
    assert_fails(run_text("terrain: {new: plane, seed: 1.5}\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "seed = 1.5 is not a whole number");
}

// docs/recipes.md names every stage and every key.
static void documented(void **state)
{
    (void)state;
    static char text[1 << 16];
    FILE *file = fopen(SILT_SOURCE_DIR "/docs/recipes.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *stage = silt_stage_at(k);
        char entry[64], key[64], line[512];
        snprintf(entry, sizeof entry, "| `%s: ", stage->name);
        char heading[64];
        snprintf(heading, sizeof heading, "\n## %s\n", stage->section);
        const char *at = strstr(text, heading);
        at = at ? strstr(at, entry) : NULL;
        if (!at)
            fail_msg("docs/recipes.md does not show '%s' of '%s'", stage->name, stage->section);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        for (int i = 0; i < stage->params.count; i++) {
            snprintf(key, sizeof key, "`%s`", stage->params.items[i].name);
            if (!strstr(line, key))
                fail_msg("docs/recipes.md does not show %s of '%s'", key, stage->name);
        }
    }
}

// Everything about a stage is said in its description.
static void descriptions(void **state)
{
    (void)state;
    for (int k = 0; k < silt_stage_count(); k++) {
        const SiltStage *stage = silt_stage_at(k);
        assert_true(stage->name[0] && stage->summary[0]);
        assert_true(strcmp(stage->section, "terrain") == 0 || strcmp(stage->section, "stages") == 0 ||
                    strcmp(stage->section, "outputs") == 0);
        for (int i = 0; i < stage->params.count; i++)
            assert_true(stage->params.items[i].help[0]);
        char *help = silt_params_help(&stage->params);
        assert_non_null(help);
        silt_free(help);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(masks_and_blends),
        cmocka_unit_test(the_terrain_as_a_whole),
        cmocka_unit_test(a_file_fills_a_layer),
        cmocka_unit_test(nodata_is_kept),
        cmocka_unit_test(missing_layers),
        cmocka_unit_test(net_change_is_kept),
        cmocka_unit_test(seeds),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(documented),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
