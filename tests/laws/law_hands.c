// What was done by hand while a run was watched stands in the recipe, and running that gives the same bytes.
#include "recipe_help.h"

#include "silt/stack.h"
#include "silt/volume.h"

#ifdef SILT_HAS_YAML

typedef struct Scene {
    const char *name;
    const char *text;  // a recipe whose last stage is played
    const char *param; // live, and what it is set to on the way
    const char *value;
    SiltBrush brushes[4];
    double strength[4];
    bool has_sources;
    double level; // of strokes that have one; 0: a little above the lowest ground
} Scene;

#define LAND "terrain: {new: noise, size: [64, 48], cell: 10, seed: 5, set: {relief: 120}}\n"
#define POOL "terrain: {new: noise, size: 24, cell: 2, seed: 5, set: {relief: 6}}\n"

static const Scene scenes[] = {
    {"pipes by steps",
     LAND "stages:\n  - {erode: thermal, steps: 3}\n  - erode: pipes\n    steps: 40\n    set: {rain: 20}\n",
     "rain",
     "75.5",
     {SILT_BRUSH_RAIN, SILT_BRUSH_RAISE, SILT_BRUSH_SMOOTH, SILT_BRUSH_PROTECT},
     {0.3, 4.0, 0.5, 0.8},
     true,
     0.0},
    {"pipes by time, to rest",
     LAND "stages:\n  - erode: pipes\n    time: 33.3\n    set: {rain: 20, rest: yes}\n",
     "rain",
     "75.5",
     {SILT_BRUSH_WATER, SILT_BRUSH_RIVER, SILT_BRUSH_LOWER, SILT_BRUSH_ERODIBILITY},
     {0.3, 4.0, 0.5, 3.0},
     true,
     0.0},
    {"rivers",
     LAND "stages:\n  - {erode: rivers, time: 61234, set: {step: 2000}}\n",
     "incision",
     "7e-6",
     {SILT_BRUSH_RIDGE, SILT_BRUSH_UPLIFT, SILT_BRUSH_FLATTEN, SILT_BRUSH_PROTECT},
     {30.0, 0.002, 0.9, 1.0},
     false,
     0.0},
    {"thermal",
     LAND "stages:\n  - {erode: thermal, steps: 30}\n",
     "talus",
     "22",
     {SILT_BRUSH_RIDGE, SILT_BRUSH_RAISE, SILT_BRUSH_FLATTEN, SILT_BRUSH_ERODIBILITY},
     {30.0, 9.0, 0.9, 2.0},
     false,
     0.0},
    {"ice",
     LAND "stages:\n  - {erode: ice, steps: 12, set: {step: 20}}\n",
     "abrasion",
     "3e-4",
     {SILT_BRUSH_RIDGE, SILT_BRUSH_RAISE, SILT_BRUSH_SMOOTH, SILT_BRUSH_ERODIBILITY},
     {30.0, 9.0, 0.9, 2.0},
     false,
     0.0},
    {"sph",
     POOL "stages:\n  - erode: sph\n    steps: 30\n    set: {particles: 400, rain: 200}\n",
     "rain",
     "900",
     {SILT_BRUSH_RAISE, SILT_BRUSH_LOWER, SILT_BRUSH_SMOOTH, SILT_BRUSH_ERODIBILITY},
     {0.4, 0.4, 0.5, 2.0},
     false,
     0.0},
    {"voxel",
     "terrain: {new: pillars, size: 24, cell: 1, seed: 2}\n"
     "stages:\n  - erode: voxel\n    steps: 10\n    set: {particles: 300, rain: 900}\n",
     "rain",
     "300",
     {SILT_BRUSH_CARVE, SILT_BRUSH_ADD, SILT_BRUSH_CARVE, SILT_BRUSH_ERODIBILITY},
     {1.0, 0.9, 0.8, 2.0},
     false,
     9.0},
};

static uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = (uint64_t)terrain->layer_count;
    for (int k = 0; k < terrain->layer_count; k++)
        hash =
            hash * 31 + silt_field_hash(&terrain->layers[k]->field) + (uint64_t)terrain->layers[k]->name[0];
    return terrain->volume ? hash * 31 + silt_volume_hash(terrain->volume) : hash;
}

// A hand at work: what it does is kept.
typedef struct Tape {
    SiltHand hands[64];
    int count;
} Tape;

static void act(SiltErosion *run, Tape *tape, SiltHand hand)
{
    hand.step = silt_erosion_report(run)->steps;
    assert_ok(silt_hand_run(&hand, run));
    tape->hands[tape->count++] = hand;
}

static SiltStroke stroke_on(const SiltTerrain *terrain, SiltBrush brush, double strength, double level, int n)
{
    double wide = terrain->width * terrain->cell, x = wide * (0.2 + 0.13 * n), y = wide * (0.55 - 0.08 * n);
    return (SiltStroke){.brush = brush,
                        .from = {x, y},
                        .to = {x + wide / 7.3, y + wide / 19.0},
                        .radius = wide / 8.7,
                        .strength = strength,
                        .softness = 0.6,
                        .level = level > 0.0 ? level : 3.25,
                        .seed = 17u + (unsigned)n};
}

// Played at an uneven pace, with something done now and then.
static uint64_t play(const Scene *scene, SiltStack *stack, Tape *tape)
{
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration whole;
    int stage = silt_stack_count(stack, SILT_IN_STAGES) - 1;
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_begin_live(recipe, stage, NULL, &terrain, &run, &whole));
    bool done = false;
    for (int turn = 0; !done; turn++) {
        int next = tape->count;
        if (turn < 4)
            act(run, tape,
                (SiltHand){.stroke = stroke_on(terrain, scene->brushes[turn], scene->strength[turn],
                                               scene->level, turn)});
        SiltHand set = {.text = (char *)(uintptr_t)scene->value};
        strcpy(set.name, scene->param);
        if (turn == 2)
            act(run, tape, set);
        set.text = (char *)(uintptr_t) "105,100,3,30,0,0,0;200,150,2.5,25,0,0,0.01";
        strcpy(set.name, "sources");
        if (turn == 3 && scene->has_sources)
            act(run, tape, set);
        next = tape->count;
        assert_ok(silt_erosion_play(run, whole, tape->hands, tape->count, &next, 1 + turn % 3, &done));
        assert_true(turn < 100000);
    }
    assert_ok(silt_erosion_finish(run));
    silt_erosion_end(run);
    silt_terrain_settle(terrain);
    uint64_t hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    return hash;
}

static void the_recipe_has_what_hands_did(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        const Scene *scene = &scenes[k];
        SiltStack *stack;
        Tape tape = {.count = 0};
        assert_ok(silt_stack_read_text("played.yaml", scene->text, &stack));
        int stage = silt_stack_count(stack, SILT_IN_STAGES) - 1;
        uint64_t live = play(scene, stack, &tape);
        assert_true(tape.count >= 5);
        char *text = silt_hands_text(tape.hands, tape.count);
        assert_ok(silt_stack_set(stack, SILT_IN_STAGES, stage, SILT_KEYS_ENTRY, "hands", text));
        assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, stage, SILT_KEYS_ENTRY, "hands"), text);
        assert_ok(silt_stack_save(stack, "played.yaml"));
        silt_free(text);
        SiltRecipe *recipe;
        SiltTerrain *terrain;
        for (int threads = 1; threads <= 3; threads += 2) {
            silt_set_threads(threads);
            assert_ok(silt_recipe_read("played.yaml", NULL, 0, &recipe));
            assert_ok(silt_recipe_run(recipe, NULL, &terrain, NULL));
            if (hash_of(terrain) != live)
                fail_msg("%s: the recipe ends otherwise than what was played", scene->name);
            silt_terrain_destroy(terrain);
            silt_recipe_destroy(recipe);
        }
        silt_set_threads(0);
        // and hands matter
        assert_ok(silt_stack_set(stack, SILT_IN_STAGES, stage, SILT_KEYS_ENTRY, "hands", NULL));
        assert_ok(silt_stack_recipe(stack, &recipe));
        assert_ok(silt_recipe_cook(recipe, NULL, &terrain));
        assert_true(hash_of(terrain) != live);
        silt_terrain_destroy(terrain);
        silt_recipe_destroy(recipe);
        char *before = silt_stack_text(stack);
        assert_string_equal(before, scene->text);
        silt_free(before);
        silt_stack_destroy(stack);
    }
}

// A run that is taken up again from its saved state in the middle of it all ends the same.
static void hands_go_on_after_a_snapshot(void **state)
{
    (void)state;
    const Scene *scene = &scenes[0];
    SiltStack *stack;
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    SiltErosion *run;
    SiltDuration whole;
    Tape tape = {.count = 0};
    assert_ok(silt_stack_read_text("played.yaml", scene->text, &stack));
    uint64_t live = play(scene, stack, &tape);
    assert_ok(silt_stack_recipe(stack, &recipe));
    void *block;
    size_t bytes;
    int next = 0, kept;
    bool done;
    assert_ok(silt_recipe_begin_live(recipe, 1, NULL, &terrain, &run, &whole));
    assert_ok(silt_erosion_play(run, whole, tape.hands, tape.count, &next, 4, &done));
    kept = next;
    assert_in_range(kept, 1, tape.count - 1);
    assert_ok(silt_erosion_save(run, &block, &bytes));
    assert_ok(silt_erosion_play(run, whole, tape.hands, tape.count, &next, 9, &done));
    assert_ok(silt_erosion_restore(run, block, bytes));
    next = kept;
    do
        assert_ok(silt_erosion_play(run, whole, tape.hands, tape.count, &next, 5, &done));
    while (!done);
    assert_ok(silt_erosion_finish(run));
    silt_erosion_end(run);
    silt_terrain_settle(terrain);
    assert_true(hash_of(terrain) == live);
    silt_free(block);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
}

// The books of all stages together balance, with what hands brought in them.
static void the_books_balance_with_hands(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    char *report;
    assert_ok(run_text(
        LAND "stages:\n"
             "  - {erode: pipes, steps: 20, hands: [[3, raise, 200, 200, 300, 200, 60, 4, 1, 0, 0],\n"
             "     [5, water, 200, 200, 200, 200, 60, 0.4, 1, 0, 0]]}\n"
             "  - brush: x\n    strokes: [[raise, 400, 200, 400, 200, 60, 4, 1, 0, 0]]\n"
             "  - {erode: pipes, steps: 20, hands: [[3, lower, 200, 200, 300, 200, 60, 2, 1, 0, 0],\n"
             "     [5, rain, 200, 200, 200, 200, 60, 0.4, 1, 0, 0]]}\n",
        &terrain, &report));
    const char *all = strstr(report, "],\n\"ledger\"");
    assert_non_null(all);
    for (int k = 0; k < 2; k++) {
        const char *account = strstr(all, k ? "\"rock\"" : "\"water\""),
                   *by_hand = strstr(account, "\"by_hand\":");
        const char *imbalance = strstr(account, "\"imbalance_fraction\":");
        assert_true(by_hand && imbalance);
        assert_true(atof(strchr(by_hand, ':') + 1) != 0.0);
        assert_near(atof(strchr(imbalance, ':') + 1), 0.0, 1e-6);
    }
    silt_free(report);
    silt_terrain_destroy(terrain);
}

static void brushes_are_stages(void **state)
{
    (void)state;
    SiltStack *stack;
    SiltRecipe *recipe;
    SiltTerrain *terrain, *by_hand;
    assert_ok(
        silt_stack_read_text("b.yaml", LAND "stages:\noutputs: [{write: wet.npy, layer: water}]\n", &stack));
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 0, "brush", "two hills: and a lake"));
    assert_ok(silt_recipe_cook((silt_stack_recipe(stack, &recipe), recipe), NULL, &by_hand));
    silt_recipe_destroy(recipe);
    SiltStroke strokes[3] = {stroke_on(by_hand, SILT_BRUSH_RAISE, 40.0, 0.0, 0),
                             stroke_on(by_hand, SILT_BRUSH_RAISE, 20.0, 0.0, 1),
                             stroke_on(by_hand, SILT_BRUSH_WATER, 2.0, 0.0, 2)};
    char *text = silt_strokes_text(strokes, 3);
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "strokes", text));
    assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "strokes"), text);
    silt_free(text);
    SiltEntry entry;
    assert_ok(silt_stack_entry(stack, SILT_IN_OUTPUTS, 0, &entry));
    assert_null(entry.fault); // strokes of water make the layer
    assert_ok(silt_stack_save(stack, "b.yaml"));
    for (int k = 0; k < 3; k++)
        assert_ok(silt_stroke_terrain(&strokes[k], by_hand));
    assert_ok(silt_recipe_read("b.yaml", NULL, 0, &recipe));
    assert_ok(silt_recipe_run(recipe, NULL, &terrain, NULL));
    assert_true(hash_of(terrain) == hash_of(by_hand));
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(by_hand);
    silt_recipe_destroy(recipe);
    assert_fails(
        silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "strokes", "dig,1,2,3,4,5,6,0,0,0"),
        SILT_BAD_ARGUMENT, "row 1 is not a word and finite numbers");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "strokes", "raise,1,2"),
                 SILT_BAD_ARGUMENT, "row 1 has 3 numbers, 10 are wanted");
    silt_stack_destroy(stack);
}

static void wrong_hands_are_told(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_fails(
        run_text(LAND "stages:\n  - {erode: pipes, steps: 2, hands: [[1, set, rian, 3]]}\n", &terrain, NULL),
        SILT_BAD_ARGUMENT, "hands: row 1: unknown parameter 'rian', did you mean 'rain'?");
    assert_fails(
        run_text(LAND "stages:\n  - {erode: pipes, steps: 2, hands: [[1, set, rain, -3]]}\n", &terrain, NULL),
        SILT_BAD_ARGUMENT, "below its minimum");
    assert_fails(run_text(LAND "stages:\n  - {erode: pipes, steps: 2, hands: [[1, set, rest, yes]]}\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "cannot change while a run goes on");
    assert_fails(
        run_text(LAND
                 "stages:\n  - {erode: rivers, steps: 2, pyramid: 1, hands: [[1, set, incision, 1e-6]]}\n",
                 &terrain, NULL),
        SILT_BAD_ARGUMENT, "leave pyramid out");
    assert_fails(
        run_text(LAND "stages:\n  - {erode: pipes, steps: 2, hands: [[1, raise, 3]]}\n", &terrain, NULL),
        SILT_BAD_ARGUMENT, "r.yaml:3:37: hands: row 1");
    assert_fails(run_text(LAND "stages:\n  - {scale: height, hands: [[1, set, rain, 3]]}\n", &terrain, NULL),
                 SILT_BAD_ARGUMENT, "unknown key 'hands'");
    assert_fails(run_text(LAND "stages:\n  - {brush: x, strokes: [[raise, 1, 2, 3, 4, 0, 5, 0, 0, 0]]}\n",
                          &terrain, NULL),
                 SILT_BAD_ARGUMENT, "strokes: row 1: a stroke: radius");
    assert_fails(run_text(LAND "stages:\n  - {scale: height, off: maybe}\n", &terrain, NULL), SILT_BAD_FILE,
                 "'off' takes yes or no");
    assert_fails(run_text("terrain: {new: noise, off: yes}\n", &terrain, NULL), SILT_BAD_ARGUMENT,
                 "unknown key 'off'");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(the_recipe_has_what_hands_did), cmocka_unit_test(hands_go_on_after_a_snapshot),
        cmocka_unit_test(the_books_balance_with_hands),  cmocka_unit_test(brushes_are_stages),
        cmocka_unit_test(wrong_hands_are_told),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
