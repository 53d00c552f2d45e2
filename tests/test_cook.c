// Cooking: what is kept is what would be made anew, and only what follows a change is.
#include "recipe_help.h"

#include "silt/erode.h"
#include "silt/io.h"
#include "silt/stack.h"
#include "silt/volume.h"

#ifdef SILT_HAS_YAML

#define LAND                                                                                                 \
    "terrain: {new: noise, size: 96, cell: 20, seed: 5, set: {relief: 500}}\n"                               \
    "stages:\n"                                                                                              \
    "  - erode: rivers\n"                                                                                    \
    "    steps: 8\n"                                                                                         \
    "    set: {step: 5000}\n"                                                                                \
    "  - {new: noise, into: wet}\n"                                                                          \
    "  - {scale: wet, by: 0.01}\n"                                                                           \
    "  - erode: thermal\n"                                                                                   \
    "    steps: 10\n"                                                                                        \
    "  - erode: pipes\n"                                                                                     \
    "    steps: 12\n"                                                                                        \
    "    set: {rain: 40}\n"

// Which stages were done and which were kept: "TK-..." from the terrain on.
typedef struct Log {
    char text[64];
} Log;

static void note(void *user, int stage, bool kept)
{
    Log *log = user;
    assert_in_range(stage + 1, 0, 60);
    log->text[stage + 1] = kept ? 'k' : 'C';
}

static uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = (uint64_t)terrain->layer_count;
    for (int k = 0; k < terrain->layer_count; k++)
        hash =
            hash * 31 + silt_field_hash(&terrain->layers[k]->field) + (uint64_t)terrain->layers[k]->name[0];
    return terrain->volume ? hash * 31 + silt_volume_hash(terrain->volume) : hash;
}

static uint64_t cook_with(const SiltStack *stack, SiltPantry *pantry, int side, int stages, Log *log)
{
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    *log = (Log){""};
    memset(log->text, '-', 20);
    SiltCook cook = {pantry, side, stages, NULL, note, log};
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_cook(recipe, &cook, &terrain));
    log->text[silt_stack_count(stack, SILT_IN_STAGES) + 1] = '\0';
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return hash;
}

static SiltStack *open_text(const char *text)
{
    SiltStack *stack;
    assert_ok(silt_stack_read_text("land.yaml", text, &stack));
    return stack;
}

static SiltPantry *make_pantry(uint64_t bytes)
{
    SiltPantry *pantry;
    assert_ok(silt_pantry_create(bytes, &pantry));
    return pantry;
}

static void only_what_follows_a_change_is_cooked(void **state)
{
    (void)state;
    SiltStack *stack = open_text(LAND);
    SiltPantry *pantry = make_pantry(64 << 20);
    Log log;
    uint64_t first = cook_with(stack, pantry, 0, -1, &log);
    assert_string_equal(log.text, "CCCCCC");
    assert_true(cook_with(stack, pantry, 0, -1, &log) == first);
    assert_string_equal(log.text, "kkkkkk");
    static const struct {
        int stage;
        const char *key, *value, *log;
    } changes[] = {
        {4, "rain", "60", "kkkkkC"}, {3, "talus", "25", "kkkkCC"}, {0, "incision", "1e-5", "kCCCCC"}};
    for (int k = 0; k < 3; k++) {
        assert_ok(silt_stack_set(stack, SILT_IN_STAGES, changes[k].stage, SILT_KEYS_SET, changes[k].key,
                                 changes[k].value));
        uint64_t kept = cook_with(stack, pantry, 0, -1, &log);
        assert_string_equal(log.text, changes[k].log);
        assert_true(kept == cook_with(stack, NULL, 0, -1, &log));
    }
    assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 3, false));
    uint64_t without = cook_with(stack, pantry, 0, -1, &log);
    assert_string_equal(log.text, "kkkk-C");
    assert_true(without == cook_with(stack, NULL, 0, -1, &log));
    while (silt_stack_can_undo(stack))
        assert_ok(silt_stack_undo(stack));
    assert_true(cook_with(stack, pantry, 0, -1, &log) == first); // what was taken back is still there
    assert_string_equal(log.text, "kkkkkk");
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 3, "scale", "height"));
    cook_with(stack, pantry, 0, 3, &log);
    assert_string_equal(log.text, "kkkk---");
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

static void kept_is_what_a_run_leaves(void **state)
{
    (void)state;
    SiltStack *stack = open_text(LAND);
    SiltPantry *pantry = make_pantry(64 << 20);
    SiltTerrain *terrain;
    Log log;
    cook_with(stack, pantry, 0, 2, &log);
    uint64_t cooked = cook_with(stack, pantry, 0, -1, &log);
    assert_string_equal(log.text, "kkkCCC");
    assert_ok(run_text(LAND, &terrain, NULL));
    assert_true(cooked == hash_of(terrain));
    silt_terrain_destroy(terrain);
    // another seed from outside is another land
    SiltRecipe *recipe;
    SiltRun run = {.seed = 99};
    SiltCook cook = {pantry, 0, 0, &run, NULL, NULL};
    write_text("free.yaml", "terrain: {new: noise, size: 32}\n");
    assert_ok(silt_recipe_read("free.yaml", NULL, 0, &recipe));
    uint64_t hashes[3];
    for (int k = 0; k < 3; k++) {
        run.seed = k == 1 ? 100 : 99;
        assert_ok(silt_recipe_cook(recipe, &cook, &terrain));
        hashes[k] = hash_of(terrain);
        silt_terrain_destroy(terrain);
    }
    assert_true(hashes[0] == hashes[2] && hashes[0] != hashes[1]);
    silt_recipe_destroy(recipe);
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    // two layers of 96 x 96 take about 75 kB: room for the last few results
    SiltStack *stack = open_text("terrain: {new: noise, size: 96, cell: 20, seed: 5}\n"
                                 "stages:\n"
                                 "  - {scale: height, by: 2}\n"
                                 "  - {scale: height, by: 3}\n"
                                 "  - {scale: height, by: 4}\n"
                                 "  - {scale: height, by: 5}\n");
    SiltPantry *pantry = make_pantry(4 * silt_field_bytes(96, 96));
    Log log;
    uint64_t first = cook_with(stack, pantry, 0, -1, &log);
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 2, SILT_KEYS_ENTRY, "by", "6"));
    cook_with(stack, pantry, 0, -1, &log);
    assert_string_equal(log.text, "kkkCC");
    assert_ok(silt_stack_undo(stack));
    assert_true(cook_with(stack, pantry, 0, -1, &log) == first);
    assert_non_null(strchr(log.text, 'C')); // the oldest went
    assert_in_range(silt_pantry_bytes(pantry), 2 * silt_field_bytes(96, 96), 4 * silt_field_bytes(96, 96));
    silt_pantry_destroy(pantry);
    // layers that stages leave alone are held once
    SiltStack *layers = open_text("terrain: {new: noise, size: 96, seed: 5}\n"
                                  "stages: [{copy: height, into: a}, {copy: height, into: b}, {scale: a},\n"
                                  "         {scale: a, by: 2}, {scale: a, by: 3}]\n");
    pantry = make_pantry(64 << 20);
    cook_with(layers, pantry, 0, -1, &log);
    assert_true(silt_pantry_bytes(pantry) < 6 * silt_field_bytes(96, 96)); // height, a, b, a, a
    silt_pantry_destroy(pantry);
    silt_stack_destroy(layers);
    pantry = make_pantry(1000); // has room for nothing
    assert_true(cook_with(stack, pantry, 0, -1, &log) == first);
    assert_true(cook_with(stack, pantry, 0, -1, &log) == first);
    assert_string_equal(log.text, "CCCCC");
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

static void files_are_read_again_when_they_change(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(16, 16, 10.0, &terrain));
    assert_ok(silt_terrain_write(terrain, "in.npy", NULL));
    SiltStack *stack = open_text("terrain: {read: in.npy, cell: 10}\n"
                                 "stages:\n"
                                 "  - {scale: height, by: 2}\n"
                                 "  - {read: in.npy, into: more}\n");
    SiltPantry *pantry = make_pantry(1 << 20);
    Log log;
    uint64_t before = cook_with(stack, pantry, 0, -1, &log);
    assert_true(cook_with(stack, pantry, 0, -1, &log) == before);
    assert_string_equal(log.text, "kkk");
    silt_field_fill(silt_terrain_layer(terrain, "height"), 3.0f); // as many bytes, at once
    assert_ok(silt_terrain_write(terrain, "in.npy", NULL));
    assert_true(cook_with(stack, pantry, 0, -1, &log) != before);
    assert_string_equal(log.text, "CCC");
    silt_terrain_destroy(terrain);
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

static void volumes_are_kept_whole(void **state)
{
    (void)state;
    SiltStack *stack = open_text("terrain: {new: pillars, size: 32, cell: 1, seed: 2}\n"
                                 "stages:\n"
                                 "  - erode: voxel\n"
                                 "    steps: 4\n"
                                 "    set: {particles: 300}\n"
                                 "  - erode: voxel\n"
                                 "    steps: 4\n"
                                 "    set: {particles: 200}\n");
    SiltPantry *pantry = make_pantry(256 << 20);
    Log log;
    uint64_t anew = cook_with(stack, NULL, 0, -1, &log);
    cook_with(stack, pantry, 0, 1, &log);
    assert_true(cook_with(stack, pantry, 0, -1, &log) == anew);
    assert_string_equal(log.text, "kkC");
    assert_true(cook_with(stack, pantry, 0, -1, &log) == anew);
    assert_string_equal(log.text, "kkk");
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

// ---- previews ----

static SiltTerrain *cook_text(const char *text, int side)
{
    SiltStack *stack = open_text(text);
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_cook(recipe, &(SiltCook){.longest_side = side, .stages = -1}, &terrain));
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
    return terrain;
}

// How well two fields of one size agree: 1 is the same up to a factor and an offset.
static double correlation(const SiltField *a, const SiltField *b)
{
    double n = (double)a->width * a->height, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (int j = 0; j < a->height; j++)
        for (int i = 0; i < a->width; i++) {
            double x = (double)silt_field_at(a, i, j), y = (double)silt_field_at(b, i, j);
            sa += x;
            sb += y;
            saa += x * x;
            sbb += y * y;
            sab += x * y;
        }
    return (sab / n - sa / n * sb / n) / sqrt((saa / n - sa / n * sa / n) * (sbb / n - sb / n * sb / n));
}

static void a_preview_is_the_same_place_coarser(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "terrain: {new: noise, size: [128, 64], cell: 20, seed: 5, set: {feature_size: 900}}\n",
        "terrain: {new: noise, size: 128, cell: 20, seed: 5, set: {feature_size: 900}}\n"
        "stages:\n  - erode: rivers\n    steps: 4\n    set: {step: 2000}\n",
        "terrain: {new: noise, size: 32, cell: 80, seed: 5, set: {feature_size: 900}}\n"
        "stages: [{resample: 128}, {crop: 64, at: [32, 48]}]\n",
        "terrain: {read: drawn.npy, cell: 20}\nstages: [{read: drawn.npy, into: more}, {add: more}]\n",
    };
    SiltTerrain *drawn = cook_text(texts[0], 0);
    assert_ok(silt_terrain_write(drawn, "drawn.npy", NULL));
    silt_terrain_destroy(drawn);
    for (int k = 0; k < 4; k++) {
        SiltTerrain *whole = cook_text(texts[k], 0), *small = cook_text(texts[k], 32), *coarse;
        assert_in_range(small->width, 8, 32);
        assert_near(small->width * small->cell, whole->width * whole->cell,
                    0.02 * small->width * small->cell);
        assert_near(small->height * small->cell, whole->height * whole->cell,
                    0.02 * small->height * small->cell);
        assert_ok(silt_terrain_resample(whole, small->width, small->height, &coarse));
        assert_true(correlation(&coarse->layers[0]->field, &small->layers[0]->field) > 0.97);
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(small);
        silt_terrain_destroy(whole);
    }
    // a preview larger than the land is the land, and is kept as it
    SiltStack *stack = open_text(LAND);
    SiltPantry *pantry = make_pantry(64 << 20);
    Log log;
    uint64_t whole = cook_with(stack, pantry, 0, -1, &log);
    assert_true(cook_with(stack, pantry, 96, -1, &log) == whole);
    assert_string_equal(log.text, "kkkkkk");
    cook_with(stack, pantry, 48, -1, &log);
    assert_string_equal(log.text, "CCCCCC");
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

// ---- stopping, failing, playing ----

static bool stop_in_pipes(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)user;
    (void)done;
    (void)total;
    (void)unit;
    return !strstr(stage, "pipes");
}

static void a_cook_that_stops_leaves_the_pantry_right(void **state)
{
    (void)state;
    SiltStack *stack = open_text(LAND);
    SiltPantry *pantry = make_pantry(64 << 20);
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    Log log;
    SiltRun run = {.progress = stop_in_pipes};
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_int_equal(silt_recipe_cook(recipe, &(SiltCook){pantry, 0, -1, &run, NULL, NULL}, &terrain),
                     SILT_CANCELLED);
    assert_null(terrain);
    uint64_t whole = cook_with(stack, pantry, 0, -1, &log);
    assert_string_equal(log.text, "kkkkkC");
    assert_true(whole == cook_with(stack, NULL, 0, -1, &log));
    silt_recipe_destroy(recipe);
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltStack *stack = open_text("terrain: {new: noise, size: 16, seed: 5}\n"
                                 "stages: [{scale: height, by: 2}, {erode: thermal, steps: 2}]\n");
    SiltRecipe *recipe;
    Log log;
    uint64_t whole = cook_with(stack, NULL, 0, -1, &log);
    assert_ok(silt_stack_recipe(stack, &recipe));
    SiltStatus status = SILT_NO_MEMORY;
    for (long n = 1; status != SILT_OK; n++) {
        SiltPantry *pantry = make_pantry(1 << 20);
        SiltTerrain *terrain;
        silt_fail_allocation(n);
        status = silt_recipe_cook(recipe, &(SiltCook){.pantry = pantry, .stages = -1}, &terrain);
        silt_fail_allocation(0);
        if (status == SILT_OK)
            assert_true(hash_of(terrain) == whole);
        else
            assert_int_equal(status, SILT_NO_MEMORY);
        silt_terrain_destroy(terrain);
        assert_true(cook_with(stack, pantry, 0, -1, &log) == whole);
        silt_pantry_destroy(pantry);
        status = n < 60 ? SILT_NO_MEMORY : status; // what fails in the pantry alone fails nothing
        assert_true(n < 3000);
    }
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
}

static void a_live_run_ends_as_the_stage_does(void **state)
{
    (void)state;
    SiltStack *stack = open_text(LAND);
    SiltPantry *pantry = make_pantry(64 << 20);
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration duration;
    Log log;
    uint64_t whole = cook_with(stack, pantry, 0, -1, &log);
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_begin_live(recipe, 4, &(SiltCook){.pantry = pantry}, &terrain, &run, &duration));
    assert_int_equal(duration.steps, 12);
    for (int k = 0; k < 12; k++)
        assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 1}));
    assert_ok(silt_erosion_finish(run));
    silt_erosion_end(run);
    silt_terrain_settle(terrain);
    assert_true(hash_of(terrain) == whole);
    silt_terrain_destroy(terrain);
    assert_fails(silt_recipe_begin_live(recipe, 2, NULL, &terrain, &run, &duration), SILT_BAD_ARGUMENT,
                 "no erosion");
    assert_fails(silt_recipe_begin_live(recipe, 7, NULL, &terrain, &run, &duration), SILT_BAD_ARGUMENT,
                 "no erosion");
    silt_recipe_destroy(recipe);
    silt_pantry_destroy(pantry);
    silt_stack_destroy(stack);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(only_what_follows_a_change_is_cooked),
        cmocka_unit_test(kept_is_what_a_run_leaves),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(files_are_read_again_when_they_change),
        cmocka_unit_test(volumes_are_kept_whole),
        cmocka_unit_test(a_preview_is_the_same_place_coarser),
        cmocka_unit_test(a_cook_that_stops_leaves_the_pantry_right),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_live_run_ends_as_the_stage_does),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
