// A recipe in hand is a recipe: whatever is done to it, and whichever it is.
#include "stack_help.h"

#include <dirent.h>

#include "silt/io.h"
#include "silt/text.h"
#include "stack_shake.h"

#ifdef SILT_HAS_YAML

static uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

static void it_is_a_recipe_at_any_time(void **state)
{
    (void)state;
    SiltStack *stack = open_valley(), *again;
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "25"));
    assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 1, false));
    assert_ok(silt_stack_save(stack, "saved.yaml"));
    assert_false(silt_stack_is_changed(stack));
    SiltRecipe *recipe;
    SiltTerrain *ran, *cooked;
    assert_ok(silt_recipe_read("saved.yaml", NULL, 0, &recipe));
    assert_ok(silt_recipe_run(recipe, NULL, &ran, NULL));
    silt_recipe_destroy(recipe);
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_cook(recipe, &(SiltCook){.stages = -1}, &cooked));
    assert_true(hash_of(ran) == hash_of(cooked));
    silt_recipe_destroy(recipe);
    silt_terrain_destroy(cooked);
    silt_terrain_destroy(ran);
    const char *defines[] = {"size=40", "amount=2"};
    assert_ok(silt_stack_open("saved.yaml", defines, 2, &again));
    assert_says(again, "  size: 40   # cells\n  amount: 2\n");
    assert_false(silt_stack_is_changed(again) || silt_stack_can_undo(again));
    silt_stack_destroy(again);
    defines[0] = "sise=40";
    assert_fails(silt_stack_open("saved.yaml", defines, 1, &again), SILT_BAD_ARGUMENT, "'sise'");
    silt_stack_destroy(stack);
}

// Every recipe there is, opened, changed everywhere it can be, and brought back byte for byte.
static void every_recipe_can_be_held(void **state)
{
    (void)state;
    DIR *there = opendir(SILT_SOURCE_DIR "/recipes");
    assert_non_null(there);
    int count = 0;
    for (struct dirent *found; (found = readdir(there));) {
        char path[1024];
        if (!strstr(found->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "%s/recipes/%s", SILT_SOURCE_DIR, found->d_name);
        SiltStack *stack;
        assert_ok(silt_stack_open(path, NULL, 0, &stack));
        char *text = silt_stack_text(stack);
        for (int k = 0; k < silt_stack_count(stack, SILT_IN_STAGES); k++) {
            SiltEntry entry;
            assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, k, &entry));
            for (int keys = 0; keys < 3; keys++)
                for (int i = 0; entry.tables[keys] && i < entry.tables[keys]->count; i++) {
                    const SiltParamTable *table = entry.tables[keys];
                    char *value = silt_params_value(table, entry.params[keys], i);
                    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, k, (SiltKeys)keys, table->items[i].name,
                                             value));
                    silt_free(value);
                    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, k, &entry));
                }
            assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, k, false));
            assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, k, true));
            assert_ok(silt_stack_move(stack, SILT_IN_STAGES, k, 0));
            assert_ok(silt_stack_move(stack, SILT_IN_STAGES, 0, k));
        }
        while (silt_stack_can_undo(stack))
            assert_ok(silt_stack_undo(stack));
        assert_text(stack, text);
        silt_free(text);
        silt_stack_destroy(stack);
        count++;
    }
    closedir(there);
    assert_true(count > 30);
}

// Recipes with bytes lost, doubled and put in.
static void mangled_recipes_are_held_or_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        VALLEY, SLOPE,
        "{terrain: {new: plane, size: 16, set: &s {angle: 5}}, stages: [{new: plane, into: b, set: *s},\n"
        "  {erode: pipes, set: {rain: 3}}], outputs: [{write: a.pgm}]}\n",
        "terrain:\n  new: plane\nstages:\n- brush: by hand\n  strokes:\n  - [raise, 1, 2, 3, 4, 5, 6, 0, 0, "
        "0]\n"
        "-\n  erode: pipes\n  hands: [[1, set, rain, 3]]\n"};
    static const char put[] = "\n\n -:{}[],#&*$\"'|>\t\r%!?x";
    uint64_t random = 88172645463325252u;
    int held = 0, tried = 0;
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < 250; n++, tried++) {
            char text[2048];
            snprintf(text, sizeof text - 8, "%s", texts[k]);
            for (int changes = 0; changes <= n % 3; changes++) {
                size_t length = strlen(text);
                random ^= random << 13, random ^= random >> 7, random ^= random << 17;
                size_t at = (size_t)(random >> 8) % length;
                if (random % 3 == 0)
                    memmove(text + at, text + at + 1, length - at);
                else if (random % 3 == 1)
                    memmove(text + at + 1, text + at, length - at + 1);
                else
                    text[at] = put[(random >> 40) % (sizeof put - 1)];
            }
            held += shake(text);
        }
    assert_in_range(held, tried / 20, tried - 1);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltStatus status = SILT_NO_MEMORY;
    for (long n = 1; status != SILT_OK; n++) {
        SiltStack *stack = open_valley();
        silt_fail_allocation(n);
        status = silt_stack_set(stack, SILT_IN_STAGES, 2, SILT_KEYS_SET, "rain", "30");
        if (status == SILT_OK)
            status = silt_stack_duplicate(stack, SILT_IN_STAGES, 2);
        silt_fail_allocation(0);
        if (status != SILT_OK)
            assert_int_equal(status, SILT_NO_MEMORY);
        while (silt_stack_can_undo(stack))
            assert_ok(silt_stack_undo(stack));
        assert_text(stack, VALLEY);
        silt_stack_destroy(stack);
        assert_true(n < 20000);
    }
}

static void a_new_one_cooks(void **state)
{
    (void)state;
    SiltStack *stack;
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    assert_ok(silt_stack_new(&stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_cook(recipe, &(SiltCook){.stages = -1, .longest_side = 64}, &terrain));
    assert_int_equal(terrain->width, 64);
    assert_ok(silt_terrain_write(terrain, "land $ 5.pgm", NULL));
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
    assert_ok(silt_stack_from_terrain("land $ 5.pgm", &stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_ok(silt_recipe_cook(recipe, NULL, &terrain));
    assert_int_equal(terrain->width, 64);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);

    // saved, and run in another folder, it still finds its terrain
    char *here = getcwd(NULL, 0);
    assert_non_null(here);
    assert_ok(silt_stack_save(stack, "of a file.yaml"));
    silt_stack_destroy(stack);
    char saved[SILT_PATH_SIZE];
    snprintf(saved, sizeof saved, "%s/of a file.yaml", here);
    assert_int_equal(chdir("/"), 0);
    assert_ok(silt_stack_open(saved, NULL, 0, &stack));
    assert_ok(silt_stack_recipe(stack, &recipe));
    SiltStatus status = silt_recipe_cook(recipe, NULL, &terrain);
    assert_int_equal(chdir(here), 0);
    assert_ok(status);
    assert_int_equal(terrain->width, 64);
    silt_terrain_destroy(terrain);
    silt_recipe_destroy(recipe);
    silt_stack_destroy(stack);
    free(here);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(it_is_a_recipe_at_any_time),
        cmocka_unit_test(every_recipe_can_be_held),
        cmocka_unit_test(mangled_recipes_are_held_or_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_new_one_cooks),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
