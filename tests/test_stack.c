// A recipe in hand: what is changed is changed, and all else stays as it was; what is taken back is as it
// was.
#include "stack_help.h"

#include "silt/text.h"

#ifdef SILT_HAS_YAML

static void entries_are_what_is_written(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    SiltEntry entry;
    assert_int_equal(silt_stack_count(stack, SILT_IN_TERRAIN), 1);
    assert_int_equal(silt_stack_count(stack, SILT_IN_STAGES), 3);
    assert_int_equal(silt_stack_count(stack, SILT_IN_OUTPUTS), 1);
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 2, &entry));
    assert_string_equal(entry.stage->name, "erode");
    assert_string_equal(entry.subject, "pipes");
    assert_string_equal(silt_model_name(entry.model), "pipes");
    assert_ptr_equal(entry.tables[SILT_KEYS_SET], silt_model_params(entry.model));
    assert_true(entry.enabled && !entry.skipped && !entry.fault);
    int rain = silt_params_find(entry.tables[SILT_KEYS_SET], "rain");
    SiltValue value = {.size = sizeof value};
    assert_ok(silt_params_get(entry.tables[SILT_KEYS_SET], entry.params[SILT_KEYS_SET], rain, &value));
    assert_near(value.number[0], 20.0, 0.0);
    assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, 2, SILT_KEYS_SET, "sources"),
                        "100,100,2,40,0,0,0");
    assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, 1, SILT_KEYS_ENTRY, "by"), "$amount");
    assert_null(silt_stack_written(stack, SILT_IN_STAGES, 1, SILT_KEYS_ENTRY, "offset"));
    assert_ok(silt_stack_entry(stack, SILT_IN_TERRAIN, 0, &entry));
    assert_string_equal(entry.subject, "noise");
    assert_null(entry.model);
    assert_fails(silt_stack_entry(stack, SILT_IN_STAGES, 3, &entry), SILT_BAD_ARGUMENT, "there are 3");
    assert_int_equal(silt_stack_define_count(stack), 2);
    assert_string_equal(silt_stack_define_at(stack, 1).value, "0.5");
    silt_stack_destroy(stack);
}

static void changes_leave_the_rest_as_it_was(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    assert_false(silt_stack_is_changed(stack));
    uint64_t version = silt_stack_version(stack);
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "35"));
    assert_says(stack, "      talus: 35      # degrees\n      rate: 0.25\n");
    assert_true(silt_stack_is_changed(stack) && silt_stack_version(stack) != version);
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "steps", NULL));
    assert_says(stack, "  - erode: thermal   # by angle\n    set:\n");
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "seed", "12"));
    assert_says(stack, "      rate: 0.25\n    seed: 12\n  - {scale");
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 1, SILT_KEYS_ENTRY, "offset", "-3"));
    assert_says(stack, "  - {scale: height, by: $amount, offset: -3}\n");
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 1, SILT_KEYS_ENTRY, "by", NULL));
    assert_says(stack, "  - {scale: height, offset: -3}\n");
    assert_ok(
        silt_stack_set(stack, SILT_IN_STAGES, 2, SILT_KEYS_SET, "sources", "1,2,3,4,0,0,0;5,6,7,8,0,0,0"));
    assert_says(stack, "sources: [[1, 2, 3, 4, 0, 0, 0], [5, 6, 7, 8, 0, 0, 0]]}");
    assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, 2, SILT_KEYS_SET, "sources"),
                        "1,2,3,4,0,0,0;5,6,7,8,0,0,0");
    assert_ok(silt_stack_set(stack, SILT_IN_TERRAIN, 0, SILT_KEYS_SET, "relief", "400"));
    assert_says(stack, "terrain: {new: noise, size: $size, cell: 20, seed: 3, set: {relief: 400}}\n");
    assert_ok(silt_stack_set(stack, SILT_IN_TERRAIN, 0, SILT_KEYS_SET, "octaves", NULL)); // has it already
    assert_says(stack, "set: {relief: 400}}\n");
    assert_ok(silt_stack_set(stack, SILT_IN_TERRAIN, 0, SILT_KEYS_SET, "relief", NULL));
    assert_says(stack, "terrain: {new: noise, size: $size, cell: 20, seed: 3}\n");
    assert_ok(silt_stack_set(stack, SILT_IN_OUTPUTS, 0, SILT_KEYS_OPTIONS, "layer", "net_change"));
    assert_says(stack, "  - write: out/height.pgm # the land\n    layer: net_change\n");
    assert_ok(silt_stack_define(stack, "size", "32"));
    assert_says(stack, "  size: 32   # cells\n");
    assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 1, false));
    assert_says(stack, "  - {scale: height, offset: -3, off: yes}\n");
    SiltEntry entry;
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 1, &entry));
    assert_false(entry.enabled || entry.skipped);
    assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 1, true));
    assert_says(stack, "  - {scale: height, offset: -3}\n");
    assert_ok(silt_stack_set_subject(stack, SILT_IN_STAGES, 0, "rivers"));
    assert_says(stack, "  - erode: rivers   # by angle\n    seed: 12\n");
    silt_stack_destroy(stack);
}

static void entries_come_and_go(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 2, "erode", "rivers"));
    assert_says(stack,
                "  - {scale: height, by: $amount}\n\n  - erode: rivers\n  # water\n  - erode: pipes\n");
    assert_ok(silt_stack_move(stack, SILT_IN_STAGES, 3, 0));
    assert_says(stack, "stages:\n  # water\n  - erode: pipes\n    steps: 10\n    set: {rain: 20, sources: "
                       "[[100, 100, 2, 40, 0, 0, 0]]}\n  # scree\n");
    assert_ok(silt_stack_move(stack, SILT_IN_STAGES, 0, 3));
    assert_ok(silt_stack_duplicate(stack, SILT_IN_STAGES, 0));
    assert_int_equal(silt_stack_count(stack, SILT_IN_STAGES), 5);
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 5, "scale", "water"));
    SiltEntry entry;
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 5, &entry));
    assert_string_equal(entry.subject, "water");
    for (int k = 0; k < 6; k++)
        assert_ok(silt_stack_remove(stack, SILT_IN_STAGES, 0));
    assert_says(stack, "stages:\n\noutputs:\n");
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 0, "erode", "thermal"));
    assert_says(stack, "stages:\n  - erode: thermal\n\noutputs:\n");
    assert_ok(silt_stack_remove(stack, SILT_IN_OUTPUTS, 0));
    assert_ok(silt_stack_insert(stack, SILT_IN_OUTPUTS, 0, "write", "a: b, [c] #.pgm"));
    assert_ok(silt_stack_entry(stack, SILT_IN_OUTPUTS, 0, &entry));
    assert_string_equal(entry.subject, "a: b, [c] #.pgm");
    assert_fails(silt_stack_remove(stack, SILT_IN_TERRAIN, 0), SILT_BAD_ARGUMENT, "one terrain");
    assert_fails(silt_stack_enable(stack, SILT_IN_TERRAIN, 0, false), SILT_BAD_ARGUMENT, "switched off");
    silt_stack_destroy(stack);
}

// Many rows stand as lines of one text, in braces too, and are the same rows.
static void long_lists_are_lines(void **state)
{
    (void)state;
    SiltStack *stack;
    assert_ok(silt_stack_read_text(
        "rows.yaml", PLANE "stages:\n  - erode: pipes\n  - {brush: x}\n  - {erode: pipes}\n", &stack));
    SiltText sources = {0}, strokes = {0}, hands = {0};
    for (int k = 0; k < 40; k++) {
        silt_text_addf(&sources, "%s%d,2.5,3,4,0,0,0", k ? ";" : "", k);
        silt_text_addf(&strokes, "%sraise,%d,2,3,4,5,6,0.5,0,%d", k ? ";" : "", k, k);
        silt_text_addf(&hands, "%s%d,lower,%d,2,3,4,5,6,0.5,0,%d", k ? ";" : "", k, k, k);
    }
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "sources", sources.data));
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 1, SILT_KEYS_ENTRY, "strokes", strokes.data));
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 2, SILT_KEYS_ENTRY, "hands", hands.data));
    assert_says(stack, "sources: \"0,2.5,3,4,0,0,0;\n            1,2.5,3,4,0,0,0;\n");
    for (int stage = 0; stage < 2; stage++) {
        SiltEntry entry;
        SiltKeys keys = stage == 0 ? SILT_KEYS_SET : SILT_KEYS_ENTRY;
        SiltValue value = {.size = sizeof value};
        assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, stage, &entry));
        int index = silt_params_find(entry.tables[keys], stage == 0 ? "sources" : "strokes");
        assert_ok(silt_params_get(entry.tables[keys], entry.params[keys], index, &value));
        assert_int_equal(value.rows, 40);
        assert_near(value.list[39 * value.columns + 1 - (stage == 0)], 39.0, 0.0);
    }
    SiltHand *read;
    int count;
    assert_ok(silt_hands_read(silt_stack_written(stack, SILT_IN_STAGES, 2, SILT_KEYS_ENTRY, "hands"), &read,
                              &count));
    assert_int_equal(count, 40);
    assert_true(read[39].step == 39 && read[39].stroke.brush == SILT_BRUSH_LOWER &&
                read[39].stroke.seed == 39);
    silt_hands_free(read, count);
    silt_text_free(&sources);
    silt_text_free(&strokes);
    silt_text_free(&hands);
    silt_stack_destroy(stack);
}

// Lists in brackets, one line for all, no sections at all, no line break at the end.
static void unusual_layouts_are_laid_out(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "terrain: {new: plane, size: 16}",
        "{terrain: {new: plane, size: 16}, stages: [{erode: thermal, steps: 3}]}",
        "terrain: {new: plane, size: 16}\nstages: [{erode: thermal}, {scale: height}]\noutputs: []\n",
        "terrain:\n  new: plane\n  size: 16\nstages:\n- erode: thermal\n- scale: height",
        "\xEF\xBB\xBFterrain: {new: plane, size: 16}\r\nstages:\r\n  - erode: thermal\r\n    steps: 3\r\n",
        "terrain: {new: plane, size: 16, set: &s {angle: 5}}\nstages:\n  - {new: plane, into: b, set: *s}\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        SiltStack *stack;
        SiltEntry entry;
        assert_ok(silt_stack_read_text("odd.yaml", texts[k], &stack));
        int count = silt_stack_count(stack, SILT_IN_STAGES);
        assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, count, "erode", "pipes"));
        assert_ok(silt_stack_set(stack, SILT_IN_STAGES, count, SILT_KEYS_SET, "rain", "7"));
        assert_ok(silt_stack_set(stack, SILT_IN_TERRAIN, 0, SILT_KEYS_ENTRY, "cell", "3"));
        assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 0, "scale", "height"));
        assert_ok(silt_stack_insert(stack, SILT_IN_OUTPUTS, 0, "write", "a.pgm"));
        assert_ok(silt_stack_duplicate(stack, SILT_IN_STAGES, count + 1));
        assert_ok(silt_stack_remove(stack, SILT_IN_STAGES, 0));
        assert_int_equal(silt_stack_count(stack, SILT_IN_STAGES), count + 2);
        assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, count + 1, &entry));
        assert_string_equal(entry.subject, "pipes");
        assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, count + 1, SILT_KEYS_SET, "rain"), "7");
        if (count > 0)
            assert_ok(silt_stack_move(stack, SILT_IN_STAGES, count, 0));
        while (silt_stack_can_undo(stack))
            assert_ok(silt_stack_undo(stack));
        assert_text(stack, texts[k]);
        silt_stack_destroy(stack);
    }
}

// A map that stands elsewhere under an anchor is written out where it is changed, and only there.
static void aliases_are_written_out(void **state)
{
    (void)state;
    SiltStack *stack;
    assert_ok(silt_stack_read_text("alias.yaml",
                                   "terrain: {new: plane, size: 16, set: &s {angle: 5}}\n"
                                   "stages:\n  - {new: plane, into: b, set: *s}\n",
                                   &stack));
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "angle", "9"));
    assert_says(stack, "set: &s {angle: 5}}\n");
    assert_says(stack, "{new: plane, into: b, set: {angle: 9}}\n");
    silt_stack_destroy(stack);
}

static void undo_goes_back_and_forth(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    char *texts[6];
    assert_false(silt_stack_can_undo(stack) || silt_stack_can_redo(stack));
    assert_null(silt_stack_undo_name(stack));
    for (int k = 0; k < 6; k++) {
        texts[k] = silt_stack_text(stack);
        if (k == 0)
            assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "40"));
        else if (k == 1)
            assert_ok(silt_stack_move(stack, SILT_IN_STAGES, 2, 0));
        else if (k == 2)
            assert_ok(silt_stack_remove(stack, SILT_IN_STAGES, 1));
        else if (k == 3)
            assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 1, false));
        else if (k == 4)
            assert_ok(silt_stack_define(stack, "size", "30"));
    }
    assert_string_equal(silt_stack_undo_name(stack), "size");
    for (int k = 4; k >= 0; k--) {
        assert_ok(silt_stack_undo(stack));
        assert_text(stack, texts[k]);
    }
    assert_false(silt_stack_is_changed(stack));
    assert_string_equal(silt_stack_redo_name(stack), "talus of thermal");
    assert_fails(silt_stack_undo(stack), SILT_BAD_ARGUMENT, "nothing to undo");
    for (int k = 1; k < 6; k++) {
        assert_ok(silt_stack_redo(stack));
        assert_text(stack, texts[k]);
    }
    assert_fails(silt_stack_redo(stack), SILT_BAD_ARGUMENT, "nothing");
    assert_ok(silt_stack_undo(stack));
    assert_ok(silt_stack_define(stack, "size", "31")); // another future
    assert_false(silt_stack_can_redo(stack));
    for (int k = 0; k < 6; k++)
        silt_free(texts[k]);
    silt_stack_destroy(stack);
}

static void a_drag_is_one_step(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    char value[8];
    silt_stack_begin_stroke(stack);
    for (int k = 31; k < 60; k++) {
        snprintf(value, sizeof value, "%d", k);
        assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", value));
    }
    silt_stack_end_stroke(stack);
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "61"));
    assert_ok(silt_stack_undo(stack));
    assert_string_equal(silt_stack_written(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus"), "59");
    assert_ok(silt_stack_undo(stack));
    assert_text(stack, VALLEY);
    assert_false(silt_stack_can_undo(stack));
    // whatever is done in a group is one step of its name
    silt_stack_begin_group(stack, "raise");
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 0, "erode", "thermal"));
    assert_ok(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "33"));
    silt_stack_end_stroke(stack);
    assert_string_equal(silt_stack_undo_name(stack), "raise");
    assert_ok(silt_stack_undo(stack));
    assert_text(stack, VALLEY);
    assert_false(silt_stack_can_undo(stack));
    // what was done before is not forgotten without bound
    for (int k = 0; k < 1200; k++) {
        snprintf(value, sizeof value, "%d", 10 + k % 50);
        assert_ok(silt_stack_define(stack, "size", value));
    }
    int undone = 0;
    for (; silt_stack_can_undo(stack); undone++)
        assert_ok(silt_stack_undo(stack));
    assert_in_range(undone, 100, 600);
    silt_stack_destroy(stack);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    SiltStack *stack = open_valley(), *other;
    uint64_t version = silt_stack_version(stack);
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talos", "3"), SILT_BAD_ARGUMENT,
                 "thermal: unknown key 'talos', did you mean 'talus'?");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "300"), SILT_BAD_ARGUMENT,
                 "thermal: talus = 300");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_ENTRY, "steps", "many"),
                 SILT_BAD_ARGUMENT, "whole number");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 0, SILT_KEYS_SET, "talus", "$nobody"),
                 SILT_BAD_ARGUMENT, "nothing defines $nobody");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 9, SILT_KEYS_SET, "talus", "3"), SILT_BAD_ARGUMENT,
                 "no entry 9");
    assert_fails(silt_stack_set(stack, SILT_IN_STAGES, 2, SILT_KEYS_SET, "sources", "1,2"), SILT_BAD_ARGUMENT,
                 "are wanted");
    assert_fails(silt_stack_insert(stack, SILT_IN_STAGES, 0, "erode", "wind"), SILT_BAD_ARGUMENT, "wind");
    assert_fails(silt_stack_insert(stack, SILT_IN_STAGES, 0, "melt", "ice"), SILT_BAD_ARGUMENT, "melt");
    assert_fails(silt_stack_insert(stack, SILT_IN_STAGES, 5, "erode", "ice"), SILT_BAD_ARGUMENT, "place 5");
    assert_fails(silt_stack_set_subject(stack, SILT_IN_STAGES, 0, "wind"), SILT_BAD_ARGUMENT, "wind");
    assert_fails(silt_stack_define(stack, "height", "3"), SILT_BAD_ARGUMENT, "defines no name 'height'");
    assert_fails(silt_stack_define(stack, "size", "large"), SILT_BAD_ARGUMENT, "no size");
    assert_fails(silt_stack_move(stack, SILT_IN_STAGES, 0, 3), SILT_BAD_ARGUMENT, "place 3");
    assert_text(stack, VALLEY);
    assert_true(silt_stack_version(stack) == version);
    assert_false(silt_stack_can_undo(stack) || silt_stack_is_changed(stack));
    silt_stack_destroy(stack);
    assert_fails(silt_stack_read_text("b.yaml", "terrain: [", &other), SILT_BAD_FILE, "not YAML");
    assert_null(other);
    assert_fails(silt_stack_read_text("b.yaml", "", &other), SILT_BAD_FILE, "no recipe");
    assert_fails(silt_stack_read_text("b.yaml", "terrain: {new: noise, sise: 3}", &other), SILT_BAD_ARGUMENT,
                 "unknown key 'sise'");
    assert_fails(silt_stack_open("missing.yaml", NULL, 0, &other), SILT_IO_ERROR, "missing.yaml");
    assert_fails(silt_stack_from_terrain("missing.tif", &other), SILT_IO_ERROR, "missing.tif");
}

// What only a run would trip over stays in the recipe, and is told where it stands.
static void faults_are_told_by_entries(void **state)
{
    (void)state;
    SiltStack *stack = open_valley();
    SiltEntry entry;
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 0, "scale", "snow"));
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 0, &entry));
    assert_string_equal(entry.fault, "no stage before makes a layer 'snow'");
    assert_ok(silt_stack_insert(stack, SILT_IN_STAGES, 1, "read", "nowhere.tif"));
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 1, &entry));
    assert_non_null(strstr(entry.fault, "nowhere.tif: no such file"));
    assert_ok(silt_stack_duplicate(stack, SILT_IN_OUTPUTS, 0));
    assert_ok(silt_stack_entry(stack, SILT_IN_OUTPUTS, 1, &entry));
    assert_non_null(strstr(entry.fault, "writes it already"));
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    assert_ok(silt_stack_recipe(stack, &recipe));
    assert_fails(silt_recipe_cook(recipe, &(SiltCook){.stages = -1}, &terrain), SILT_BAD_ARGUMENT,
                 "no stage before makes a layer 'snow'");
    assert_null(terrain);
    assert_fails(silt_recipe_run(recipe, NULL, NULL, NULL), SILT_BAD_ARGUMENT, "snow");
    silt_recipe_destroy(recipe);
    // switched off, it is in nobody's way
    assert_ok(silt_stack_enable(stack, SILT_IN_STAGES, 0, false));
    assert_ok(silt_stack_entry(stack, SILT_IN_STAGES, 0, &entry));
    assert_null(entry.fault);
    silt_stack_destroy(stack);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SILT_HAS_YAML
        cmocka_unit_test(entries_are_what_is_written),  cmocka_unit_test(changes_leave_the_rest_as_it_was),
        cmocka_unit_test(entries_come_and_go),          cmocka_unit_test(long_lists_are_lines),
        cmocka_unit_test(unusual_layouts_are_laid_out), cmocka_unit_test(aliases_are_written_out),
        cmocka_unit_test(undo_goes_back_and_forth),     cmocka_unit_test(a_drag_is_one_step),
        cmocka_unit_test(what_is_wrong_is_refused),     cmocka_unit_test(faults_are_told_by_entries),
#else
        cmocka_unit_test(without_yaml),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
