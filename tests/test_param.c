#include "test.h"

#include "silt/param.h"

typedef struct Hill {
    double height, gap, unset;
    int count, edge;
    bool snow;
    double wind[2], light[3], span[2];
    double colour[3];
    char layer[SILT_NAME_SIZE];
    char path[SILT_PATH_SIZE];
    SiltList springs;
} Hill;

static const SiltParam hill_items[] = {
    SILT_REAL(Hill, height, "m", 300.0, 0.0, 9000.0, "height of the highest hill", .flags = SILT_LIVE),
    SILT_REAL(Hill, gap, "", 1e-3, 1e-6, 1.0, "a share", .flags = SILT_LOG | SILT_LIVE),
    SILT_REAL(Hill, unset, "mm/h", NAN, 0.0, 10.0, "may be left unset"),
    SILT_INT(Hill, count, "", 12, 1, 1000, "how many hills"),
    SILT_CHOICE(Hill, edge, "soft hard very_hard", "hard", "how a hill meets the plain"),
    SILT_BOOL(Hill, snow, true, "snow on top"),
    SILT_VECTOR2(Hill, wind, "m/s", 1.0, -2.0, -50.0, 50.0, "wind"),
    SILT_VECTOR3(Hill, light, "", 0.0, 0.0, 1.0, -1.0, 1.0, "light"),
    SILT_VECTOR2(Hill, span, "m", NAN, NAN, -1e4, 1e4, "lowest and highest"),
    SILT_COLOUR(Hill, colour, "#4080ff", "colour of the sky"),
    SILT_LAYER(Hill, layer, "rain", "a layer"),
    SILT_PATH(Hill, path, "", "a file"),
    SILT_LIST(Hill, springs, "x:m y:m rate:m3/s", "1,2,0.5;3,4,1", "sources of water"),
};
static const SiltParamTable table = SILT_PARAM_TABLE(Hill, hill_items);

static int make(void **state)
{
    Hill *hill = malloc(sizeof *hill);
    memset(hill, 0xAB, sizeof *hill); // init owes nothing to what was there
    assert_ok(silt_params_init(&table, hill));
    *state = hill;
    return 0;
}

static int unmake(void **state)
{
    silt_params_free(&table, *state);
    free(*state);
    return 0;
}

static SiltStatus set(Hill *hill, const char *key, const char *value)
{
    return silt_params_set(&table, hill, "new hill", key, value);
}

static void defaults_are_as_declared(void **state)
{
    Hill *hill = *state;
    assert_true(hill->height == 300.0 && hill->gap == 1e-3 && isnan(hill->unset));
    assert_int_equal(hill->count, 12);
    assert_int_equal(hill->edge, 1);
    assert_true(hill->snow && hill->wind[0] == 1.0 && hill->wind[1] == -2.0 && hill->light[2] == 1.0);
    assert_true(isnan(hill->span[0]) && isnan(hill->span[1]));
    assert_near(hill->colour[0], 64.0 / 255.0, 1e-15);
    assert_string_equal(hill->layer, "rain");
    assert_string_equal(hill->path, "");
    assert_int_equal(hill->springs.count, 2);
    assert_int_equal(hill->springs.columns, 3);
    assert_true(hill->springs.values[5] == 1.0);
    assert_ok(silt_params_check(&table, hill, "new hill"));
}

static void numbers_take_their_unit(void **state)
{
    Hill *hill = *state;
    assert_ok(set(hill, "height", "12"));
    assert_ok(set(hill, "height", "13 m"));
    assert_ok(set(hill, "height", " 14m "));
    assert_true(hill->height == 14.0);
    assert_ok(set(hill, "height", "1.5 km"));
    assert_true(hill->height == 1500.0);
    assert_ok(set(hill, "height", "1400cm"));
    assert_fails(set(hill, "height", "14 km"), SILT_BAD_ARGUMENT,
                 "height = 14000 m is above its maximum 9000");
    assert_fails(set(hill, "height", "14 kg"), SILT_BAD_ARGUMENT, "height = '14 kg' is not a number in m");
    assert_fails(set(hill, "height", "14 s"), SILT_BAD_ARGUMENT, "height = '14 s' is not a number in m");
    assert_fails(set(hill, "height", ""), SILT_BAD_ARGUMENT, "not a number");
    assert_fails(set(hill, "height", "high"), SILT_BAD_ARGUMENT, "new hill: height = 'high'");
    assert_ok(set(hill, "unset", "3.5mm/h"));
    assert_true(hill->unset == 3.5 && hill->height == 14.0);
}

static void ranges_hold(void **state)
{
    Hill *hill = *state;
    assert_fails(set(hill, "height", "-3"), SILT_BAD_ARGUMENT,
                 "new hill: height = -3 m is below its minimum 0");
    assert_fails(set(hill, "height", "9000.5"), SILT_BAD_ARGUMENT, "9000.5 m is above its maximum 9000");
    assert_fails(set(hill, "height", "inf"), SILT_BAD_ARGUMENT, "not a finite number");
    assert_fails(set(hill, "height", "nan"), SILT_BAD_ARGUMENT, "not a finite number");
    assert_fails(set(hill, "height", "none"), SILT_BAD_ARGUMENT, "not a number"); // it must be set
    assert_ok(set(hill, "height", "0"));
    assert_ok(set(hill, "height", "9000"));
    assert_fails(set(hill, "count", "0"), SILT_BAD_ARGUMENT, "below its minimum 1");
    assert_fails(set(hill, "count", "1e30"), SILT_BAD_ARGUMENT, "above its maximum 1000");
    assert_fails(set(hill, "count", "inf"), SILT_BAD_ARGUMENT, "finite");
    assert_fails(set(hill, "count", "2.5"), SILT_BAD_ARGUMENT, "not a whole number");
    assert_fails(set(hill, "wind", "0,51"), SILT_BAD_ARGUMENT, "51 m/s is above its maximum 50");
    assert_true(hill->height == 9000.0 && hill->count == 12 &&
                hill->wind[0] == 1.0); // failures change nothing
}

static void what_may_be_unset(void **state)
{
    Hill *hill = *state;
    assert_ok(set(hill, "unset", "5"));
    assert_ok(set(hill, "unset", "none"));
    assert_true(isnan(hill->unset));
    assert_fails(set(hill, "unset", "nan"), SILT_BAD_ARGUMENT, "finite");
    assert_fails(set(hill, "unset", "11"), SILT_BAD_ARGUMENT, "above");
    assert_ok(set(hill, "span", "10:20"));
    assert_true(hill->span[0] == 10.0 && hill->span[1] == 20.0);
    assert_ok(set(hill, "span", "none,none"));
    assert_true(isnan(hill->span[0]) && isnan(hill->span[1]));
    assert_fails(set(hill, "wind", "none,1"), SILT_BAD_ARGUMENT, "2 numbers");
}

static void booleans_and_choices(void **state)
{
    Hill *hill = *state;
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off", "0"};
    for (int k = 0; k < 4; k++) {
        assert_ok(set(hill, "snow", no[k]));
        assert_false(hill->snow);
        assert_ok(set(hill, "snow", yes[k]));
        assert_true(hill->snow);
    }
    assert_fails(set(hill, "snow", "maybe"), SILT_BAD_ARGUMENT, "not yes or no");
    assert_ok(set(hill, "edge", "soft"));
    assert_int_equal(hill->edge, 0);
    assert_ok(set(hill, "edge", "very-hard"));
    assert_int_equal(hill->edge, 2);
    assert_fails(set(hill, "edge", "sotf"), SILT_BAD_ARGUMENT,
                 "edge = 'sotf' is none of: soft hard very_hard, did you mean 'soft'?");
    assert_fails(set(hill, "edge", ""), SILT_BAD_ARGUMENT, "none of");
    assert_int_equal(hill->edge, 2);
    char name[SILT_NAME_SIZE];
    assert_string_equal(silt_param_choice(&hill_items[4], 2, name), "very_hard");
    assert_null(silt_param_choice(&hill_items[4], 3, name));
}

static void another_unit_is_not_ours(void **state)
{
    Hill *hill = *state;
    assert_fails(set(hill, "height", "2 km2"), SILT_BAD_ARGUMENT, "height = '2 km2' is not a number in m");
    assert_fails(set(hill, "height", "km"), SILT_BAD_ARGUMENT, "height = 'km' is not a number");
    assert_fails(set(hill, "count", "2 km"), SILT_BAD_ARGUMENT, "count = '2 km' is not a whole number");
    assert_true(hill->height == 300.0);
}

static void vectors_and_colours(void **state)
{
    Hill *hill = *state;
    assert_ok(set(hill, "wind", "3,4"));
    assert_ok(set(hill, "wind", " 3 m/s , -4 m/s"));
    assert_true(hill->wind[0] == 3.0 && hill->wind[1] == -4.0);
    assert_ok(set(hill, "light", "1,0,-1"));
    assert_fails(set(hill, "light", "1,0"), SILT_BAD_ARGUMENT, "3 numbers");
    assert_fails(set(hill, "light", "1,0,0,0"), SILT_BAD_ARGUMENT, "3 numbers like 1,2,3");
    assert_fails(set(hill, "wind", "1 2"), SILT_BAD_ARGUMENT, "2 numbers");
    assert_fails(set(hill, "span", "5"), SILT_BAD_ARGUMENT, "span = '5' is not 2 numbers like 0:1500");
    assert_fails(set(hill, "wind", "1,nan"), SILT_BAD_ARGUMENT, "finite");
    assert_true(hill->light[0] == 1.0 && hill->light[2] == -1.0);
    assert_ok(set(hill, "colour", "#FF0080"));
    assert_true(hill->colour[0] == 1.0 && hill->colour[1] == 0.0);
    static const char *const wrong[] = {"red", "#12345", "#1234567", "#12345g",
                                        "",    "123456", "# 12345",  "#-1-1-1"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_fails(set(hill, "colour", wrong[k]), SILT_BAD_ARGUMENT, "a colour like #4080ff");
}

static void names_and_paths_fit(void **state)
{
    Hill *hill = *state;
    char long_text[SILT_PATH_SIZE + 1];
    memset(long_text, 'x', SILT_PATH_SIZE);
    long_text[SILT_PATH_SIZE] = '\0';
    assert_fails(set(hill, "path", long_text), SILT_BAD_ARGUMENT, "longer than 1023");
    long_text[SILT_PATH_SIZE - 1] = '\0';
    assert_ok(set(hill, "path", long_text));
    assert_fails(set(hill, "layer", "a name that is much too long for it"), SILT_BAD_ARGUMENT,
                 "longer than 31");
    assert_ok(set(hill, "layer", ""));
    assert_string_equal(hill->layer, "");
}

static void lists_are_rows_of_numbers(void **state)
{
    Hill *hill = *state;
    assert_ok(set(hill, "springs", "1,2,3"));
    assert_int_equal(hill->springs.count, 1);
    assert_ok(set(hill, "springs", " 1 , 2 , 3 ; 4,5,6 ; "));
    assert_int_equal(hill->springs.count, 2);
    assert_true(hill->springs.values[3] == 4.0);
    assert_fails(set(hill, "springs", "1,2"), SILT_BAD_ARGUMENT,
                 "springs: row 1 has 2 numbers, 3 are wanted: x:m y:m rate:m3/s");
    assert_fails(set(hill, "springs", "1,2,3;4,x,6"), SILT_BAD_ARGUMENT, "row 2");
    assert_fails(set(hill, "springs", "1,2,3,4"), SILT_BAD_ARGUMENT, "row 1");
    assert_fails(set(hill, "springs", "1,2,inf"), SILT_BAD_ARGUMENT, "finite");
    assert_fails(set(hill, "springs", ";"), SILT_BAD_ARGUMENT, "row 1");
    assert_int_equal(hill->springs.count, 2); // as before the failures
    assert_ok(set(hill, "springs", ""));
    assert_int_equal(hill->springs.count, 0);
}

static void unknown_names_get_an_offer(void **state)
{
    Hill *hill = *state;
    assert_fails(set(hill, "heigth", "3"), SILT_BAD_ARGUMENT,
                 "new hill: unknown parameter 'heigth', did you mean 'height'?");
    assert_fails(
        set(hill, "qqqqqq", "3"), SILT_BAD_ARGUMENT,
        "unknown parameter 'qqqqqq'; there are: height gap unset count edge snow wind light span colour "
        "layer path ... (see 'silt help hill')");
    SiltParamTable empty = {hill_items, 0, sizeof(Hill)};
    assert_fails(silt_params_set(&empty, hill, "plain", "height", "3"), SILT_BAD_ARGUMENT, "it has none");
    assert_int_equal(silt_params_find(&table, "count"), 3);
    assert_int_equal(silt_params_find(&table, "nothing"), -1);
    assert_ok(silt_params_assign(&table, hill, "new hill", "height=7 m"));
    assert_true(hill->height == 7.0);
    assert_ok(silt_params_assign(&table, hill, "new hill", "path=a=b"));
    assert_string_equal(hill->path, "a=b");
    assert_fails(silt_params_assign(&table, hill, "new hill", "height"), SILT_BAD_ARGUMENT, "key=value");
    assert_fails(silt_params_assign(&table, hill, "new hill", "=7"), SILT_BAD_ARGUMENT, "key=value");
    assert_fails(silt_params_assign(&table, hill, "new hill", ""), SILT_BAD_ARGUMENT, "key=value");
}

static void check_finds_what_was_filled_in_by_hand(void **state)
{
    Hill *hill = *state;
    hill->height = -1.0;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "height = -1 m is below");
    hill->height = NAN;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "not a finite number");
    hill->height = 1.0;
    hill->count = 1001;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "above its maximum 1000");
    hill->count = 1;
    hill->edge = 3;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "edge = 3 is none of");
    hill->edge = -1;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "none of");
    hill->edge = 0;
    hill->wind[1] = 51.0;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "wind = 51");
    hill->wind[1] = 0.0;
    hill->colour[2] = 1.5;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "colour = 1.5");
    hill->colour[2] = 1.0;
    hill->springs.values[2] = INFINITY;
    assert_fails(silt_params_check(&table, hill, "new hill"), SILT_BAD_ARGUMENT, "springs: row 1");
    hill->springs.values[2] = 1.0;
    assert_ok(silt_params_check(&table, hill, "new hill"));
}

// Every value, printed, is read back as the same value; and so is every default.
static void values_read_back(void **state)
{
    Hill *hill = *state, copy;
    assert_ok(set(hill, "gap", "0.12345678901234567"));
    assert_ok(set(hill, "edge", "soft"));
    assert_ok(set(hill, "snow", "no"));
    assert_ok(set(hill, "span", "1.5,none"));
    assert_ok(set(hill, "springs", "0.1,0.2,0.3"));
    assert_ok(silt_params_init(&table, &copy));
    for (int k = 0; k < table.count; k++) {
        char *value = silt_params_value(&table, hill, k);
        assert_ok(set(&copy, table.items[k].name, value));
        char *again = silt_params_value(&table, &copy, k);
        assert_string_equal(value, again);
        silt_free(value);
        silt_free(again);
    }
    assert_true(copy.gap == hill->gap && copy.edge == 0 && !copy.snow && copy.springs.values[1] == 0.2);
    for (int k = 0; k < table.count; k++) {
        char *value = silt_params_default(&table, k);
        assert_ok(set(&copy, table.items[k].name, value));
        silt_free(value);
    }
    Hill fresh;
    assert_ok(silt_params_init(&table, &fresh));
    for (int k = 0; k < table.count; k++) {
        char *a = silt_params_value(&table, &fresh, k), *b = silt_params_value(&table, &copy, k);
        assert_string_equal(a, b);
        silt_free(a);
        silt_free(b);
    }
    silt_params_free(&table, &copy);
    silt_params_free(&table, &fresh);
}

static void json_of_values(void **state)
{
    char *json = silt_params_json(&table, *state);
    assert_string_equal(
        json, "{\"height\": 300, \"gap\": 0.001, \"unset\": null, \"count\": 12, \"edge\": \"hard\", "
              "\"snow\": true, \"wind\": [1, -2], \"light\": [0, 0, 1], \"span\": [null, null], "
              "\"colour\": \"#4080ff\", \"layer\": \"rain\", \"path\": \"\", "
              "\"springs\": [[1, 2, 0.5], [3, 4, 1]]}");
    silt_free(json);
}

static void json_of_descriptions(void **state)
{
    (void)state;
    char *json = silt_params_describe_json(&table);
    static const char *const parts[] = {
        "[{\"name\": \"height\", \"type\": \"real\", \"unit\": \"m\", \"default\": \"300\", \"minimum\": 0, "
        "\"maximum\": 9000, \"logarithmic\": false, \"live\": true, \"help\": \"height of the highest "
        "hill\"}",
        "\"logarithmic\": true, \"live\": true",
        "\"default\": \"none\"",
        "\"choices\": [\"soft\", \"hard\", \"very_hard\"]",
        "\"type\": \"bool\", \"unit\": \"\", \"default\": \"yes\"",
        "\"components\": 2",
        "\"columns\": [\"x:m\", \"y:m\", \"rate:m3/s\"]",
    };
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (!strstr(json, parts[k]))
            fail_msg("%s\nhas no %s", json, parts[k]);
    silt_free(json);
}

static void help_has_a_line_for_each(void **state)
{
    (void)state;
    char *help = silt_params_help(&table);
    int lines = 0;
    for (const char *c = help; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, table.count);
    assert_non_null(strstr(help, "height=300 m"));
    assert_non_null(strstr(help, "height of the highest hill (0 to 9000; live)"));
    assert_non_null(strstr(help, "how a hill meets the plain (soft hard very_hard)"));
    assert_non_null(strstr(help, "(rows of x:m y:m rate:m3/s)"));
    silt_free(help);
}

static void every_failed_allocation_is_clean(void **state)
{
    Hill *hill = *state, other;
    for (long n = 1; n < 100; n++) {
        silt_fail_allocation(n);
        SiltStatus status = silt_params_init(&table, &other);
        silt_fail_allocation(0);
        if (status == SILT_OK) {
            silt_params_free(&table, &other);
            break;
        }
        assert_null(other.springs.values);
    }
    silt_fail_allocation(1);
    assert_fails(set(hill, "springs", "1,2,3"), SILT_NO_MEMORY, "springs");
    silt_fail_allocation(0);
    assert_int_equal(hill->springs.count, 2);
    for (int kind = 0; kind < 4; kind++) {
        for (long n = 1; n < 200; n++) {
            silt_fail_allocation(n);
            char *text = kind == 0   ? silt_params_json(&table, hill)
                         : kind == 1 ? silt_params_describe_json(&table)
                         : kind == 2 ? silt_params_help(&table)
                                     : silt_params_value(&table, hill, 12);
            bool reached = silt_allocation_count() >= n;
            silt_fail_allocation(0);
            assert_int_equal(text == NULL, reached); // whole or not at all
            silt_free(text);
            if (!reached)
                break;
        }
    }
}

// ---- the switch `paper` ----

typedef struct Mill {
    bool paper;
    double speed;
    int way;
    SiltList gates;
    double free;
} Mill;

static const SiltParam mill_items[] = {
    SILT_PAPER_SWITCH(Mill),
    SILT_REAL(Mill, speed, "m/s", 2.0, 0.0, 90.0, "how fast", .paper = "7"),
    SILT_CHOICE(Mill, way, "ours theirs other", "ours", "whose way", .paper = "theirs"),
    SILT_LIST(Mill, gates, "x:m", "1;2", "gates", .paper = "3"),
    SILT_REAL(Mill, free, "", 5.0, 0.0, 9.0, "not in the paper"),
};
static const SiltParamTable mill_table = SILT_PARAM_TABLE(Mill, mill_items);

static void paper_sets_all_that_was_not_set(void **state)
{
    (void)state;
    Mill *mill = silt_params_new(&mill_table);
    assert_int_equal(silt_params_paper(&mill_table), 0);
    assert_int_equal(silt_params_paper(&table), -1);
    assert_ok(silt_params_assign(&mill_table, mill, "mill", "speed=4"));
    assert_ok(silt_params_assign(&mill_table, mill, "mill", "paper=on"));
    assert_true(mill->paper && mill->speed == 4.0 && mill->way == 1 && mill->free == 5.0);
    assert_true(mill->gates.count == 1 && mill->gates.values[0] == 3.0);
    assert_ok(silt_params_assign(&mill_table, mill, "mill", "way=other")); // on top
    assert_ok(silt_params_assign(&mill_table, mill, "mill", "paper=yes")); // it is on already
    assert_true(mill->way == 2 && mill->speed == 4.0);
    SiltValue off = silt_value_number(0.0);
    assert_ok(silt_params_put(&mill_table, mill, "mill", 0, &off));
    assert_true(!mill->paper && mill->speed == 4.0 && mill->way == 2 && mill->gates.count == 2);
    SiltValue on = silt_value_number(1.0);
    assert_ok(silt_params_put(&mill_table, mill, "mill", 0, &on));
    assert_true(mill->paper && mill->gates.count == 1);
    silt_params_delete(&mill_table, mill);
}

static void help_says_what_paper_sets(void **state)
{
    (void)state;
    char *help = silt_params_help(&mill_table), *json = silt_params_describe_json(&mill_table);
    assert_non_null(strstr(help, "how fast (0 to 90) [paper: 7]"));
    assert_non_null(strstr(help, "paper=yes sets speed=7 way=theirs gates=3\n"));
    assert_non_null(strstr(json, "\"help\": \"whose way\", \"paper\": \"theirs\"}"));
    silt_free(help);
    silt_free(json);
}

#define hill_test(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        hill_test(defaults_are_as_declared),
        hill_test(numbers_take_their_unit),
        hill_test(ranges_hold),
        hill_test(what_may_be_unset),
        hill_test(booleans_and_choices),
        hill_test(vectors_and_colours),
        hill_test(another_unit_is_not_ours),
        hill_test(names_and_paths_fit),
        hill_test(lists_are_rows_of_numbers),
        hill_test(unknown_names_get_an_offer),
        hill_test(check_finds_what_was_filled_in_by_hand),
        hill_test(values_read_back),
        hill_test(json_of_values),
        cmocka_unit_test(json_of_descriptions),
        cmocka_unit_test(help_has_a_line_for_each),
        cmocka_unit_test(paper_sets_all_that_was_not_set),
        cmocka_unit_test(help_says_what_paper_sets),
        hill_test(every_failed_allocation_is_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
