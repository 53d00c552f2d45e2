// Strokes of a hand on terrains and on runs: where, how much, and the same whenever they are repeated.
#include "terrains.h"

#include "silt/erode.h"
#include "silt/stroke.h"
#include "silt/volume.h"

static SiltStroke dab(SiltBrush brush, double x, double y, double radius, double strength)
{
    return (SiltStroke){.brush = brush,
                        .from = {x, y},
                        .to = {x, y},
                        .radius = radius,
                        .strength = strength,
                        .softness = 1.0,
                        .seed = 4};
}

static SiltField *layer(SiltTerrain *terrain, const char *name)
{
    SiltField *field = silt_terrain_layer(terrain, name);
    assert_non_null(field);
    return field;
}

static void a_dab_is_round_and_where_it_was_put(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(40, 30, 10.0, &terrain));
    SiltStroke stroke = dab(SILT_BRUSH_RAISE, 105.0, 205.0, 60.0, 8.0); // column 10, 20 rows from the south
    SiltRect rect;
    assert_true(silt_stroke_rect(&stroke, terrain, &rect));
    assert_int_equal(rect.i, 4);
    assert_int_equal(rect.width, 13);
    assert_int_equal(rect.j, 30 - 20 - 1 - 6);
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    const SiltField *height = layer(terrain, "height");
    assert_near(silt_field_at(height, 10, 9), 8.0, 1e-6);
    for (int d = 1; d < 6; d++) {
        assert_true(silt_field_at(height, 10 + d, 9) == silt_field_at(height, 10 - d, 9));
        assert_true(silt_field_at(height, 10 + d, 9) == silt_field_at(height, 10, 9 - d));
        assert_true(silt_field_at(height, 10 + d, 9) < silt_field_at(height, 10 + d - 1, 9));
    }
    assert_true(silt_field_at(height, 17, 9) == 0.0f && silt_field_at(height, 10, 16) == 0.0f);
    stroke.softness = 0.0; // a hard edge
    stroke.brush = SILT_BRUSH_LOWER;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(height, 10, 9), 0.0, 1e-6);
    assert_true(silt_field_at(height, 15, 9) < -7.0f);
    stroke.from[0] = stroke.to[0] = -100.0;
    assert_false(silt_stroke_rect(&stroke, terrain, &rect));
    uint64_t before = silt_field_hash(height);
    assert_ok(silt_stroke_terrain(&stroke, terrain)); // off the map: nothing
    assert_true(silt_field_hash(height) == before);
    silt_terrain_destroy(terrain);
}

// A line is as wide all along, and its pieces meet without a seam that depends on which came first.
static void a_line_is_even_along_its_length(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(60, 30, 10.0, &terrain));
    SiltStroke stroke = dab(SILT_BRUSH_RAISE, 155.0, 145.0, 40.0, 3.0);
    stroke.to[0] = 455.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    const SiltField *height = layer(terrain, "height");
    for (int i = 16; i < 45; i++)
        for (int j = 10; j < 21; j++)
            assert_near(silt_field_at(height, i, j), silt_field_at(height, 30, j), 1e-5);
    assert_near(silt_field_at(height, 15, 15), 3.0, 1e-5);
    silt_terrain_destroy(terrain);
}

// Bends of the ground around column 10 and row 40.
static double roughness(const SiltField *height)
{
    double sum = 0.0;
    for (int j = 38; j < 43; j++)
        for (int i = 8; i < 13; i++)
            sum += fabs((double)silt_field_at(height, i - 1, j) + (double)silt_field_at(height, i + 1, j) -
                        2.0 * (double)silt_field_at(height, i, j));
    return sum;
}

static void brushes_do_what_they_are_called(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(48, 48, 3);
    SiltField *height = layer(terrain, "height");
    SiltStroke stroke = dab(SILT_BRUSH_FLATTEN, 240.0, 240.0, 100.0, 1.0);
    stroke.softness = 0.0;
    stroke.level = 37.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(height, 24, 24), 37.0, 1e-4);
    // smoothing brings neighbours together and moves no mean far
    double rough = roughness(height);
    stroke = dab(SILT_BRUSH_SMOOTH, 105.0, 75.0, 80.0, 1.0);
    stroke.softness = 0.0;
    for (int k = 0; k < 8; k++)
        assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_true(roughness(height) < 0.5 * rough);
    // rain is water in drops, as much as water is, on average
    stroke = dab(SILT_BRUSH_RAIN, 240.0, 240.0, 200.0, 0.5);
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    double drops = silt_field_sum(layer(terrain, "water"));
    silt_field_fill(layer(terrain, "water"), 0.0f);
    stroke.brush = SILT_BRUSH_WATER;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(drops, silt_field_sum(layer(terrain, "water")), 0.15 * drops);
    // erodibility multiplies, and protection takes it away
    stroke = dab(SILT_BRUSH_ERODIBILITY, 245.0, 235.0, 100.0, 2.0);
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(layer(terrain, "erodibility"), 24, 24), 2.0, 1e-6);
    assert_near(silt_field_at(layer(terrain, "erodibility"), 2, 2), 1.0, 0.0);
    stroke.brush = SILT_BRUSH_PROTECT;
    stroke.strength = 1.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(layer(terrain, "erodibility"), 24, 24), 0.0, 0.0);
    stroke.brush = SILT_BRUSH_UPLIFT;
    stroke.strength = 0.002;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(layer(terrain, "uplift"), 24, 24), 0.002, 1e-9);
    assert_near(silt_field_at(layer(terrain, "uplift"), 2, 2), 0.0, 0.0);
    silt_terrain_destroy(terrain);
}

// A river's bed falls all the way, and a ridge stands over all that was below its crest.
static void lines_make_ridges_and_rivers(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(60, 30, 10.0, &terrain));
    SiltField *height = layer(terrain, "height");
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 60; i++)
            silt_field_row(height, j)[i] = 100.0f - (float)i + (float)(i % 7) * 2.0f;
    SiltStroke stroke = dab(SILT_BRUSH_RIVER, 55.0, 155.0, 30.0, 5.0);
    stroke.to[0] = 495.0;
    stroke.level = 95.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    for (int i = 6; i < 50; i++)
        assert_true(silt_field_at(height, i, 14) <= silt_field_at(height, i - 1, 14) + 1e-4f);
    assert_near(silt_field_at(height, 5, 14), 90.0, 1e-4);
    stroke.brush = SILT_BRUSH_RIDGE;
    stroke.from[1] = stroke.to[1] = 55.0;
    stroke.strength = 20.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_near(silt_field_at(height, 5, 24), 115.0, 1e-3);
    for (int i = 6; i < 49; i++) // a crest from 115 to 71, over all that lay below it
        assert_true(silt_field_at(height, i, 24) >= 115.0f - 44.0f * (float)(i - 5) / 44.0f - 1e-3f);
    silt_terrain_destroy(terrain);
}

static void cells_without_data_stay(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(32, 32, 1);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 16; i++)
            terrain->nodata[j * 32 + i] = 1;
    silt_terrain_settle(terrain);
    for (int brush = 0; brush <= SILT_BRUSH_RIVER; brush++) {
        SiltStroke stroke = dab((SiltBrush)brush, 160.0, 160.0, 90.0, 0.5);
        assert_ok(silt_stroke_terrain(&stroke, terrain));
    }
    for (int k = 0; k < terrain->layer_count; k++) {
        float wanted = strcmp(terrain->layers[k]->name, "erodibility") == 0 ? 1.0f : 0.0f;
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 16; i++)
                assert_true(silt_field_at(&terrain->layers[k]->field, i, j) == wanted);
    }
    silt_terrain_destroy(terrain);
}

// The same strokes on a terrain and on a run that has not begun to step leave the same ground.
static void a_run_takes_strokes_as_a_terrain_does(void **state)
{
    (void)state;
    SiltTerrain *plain = hills(48, 48, 7), *live = hills(48, 48, 7);
    SiltErosion *run;
    assert_ok(silt_erosion_begin(silt_model_find("rivers"), live, NULL, NULL, &run));
    static const SiltBrush used[] = {SILT_BRUSH_RAISE,      SILT_BRUSH_LOWER, SILT_BRUSH_SMOOTH,
                                     SILT_BRUSH_FLATTEN,    SILT_BRUSH_RIDGE, SILT_BRUSH_RIVER,
                                     SILT_BRUSH_ERODIBILITY};
    for (size_t k = 0; k < sizeof used / sizeof used[0]; k++) {
        SiltStroke stroke = dab(used[k], 100.0 + 40.0 * (double)k, 200.0, 90.0, 0.7);
        stroke.to[1] = 300.0;
        stroke.level = 30.0;
        assert_ok(silt_stroke_terrain(&stroke, plain));
        assert_ok(silt_stroke_run(&stroke, run));
    }
    SiltLayerView view;
    assert_ok(silt_erosion_view(run, "height", NULL, &view));
    const SiltField *height = layer(plain, "height");
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++)
            assert_near(view.data[(size_t)j * view.stride + (size_t)i], silt_field_at(height, i, j), 1e-3);
    assert_true(silt_field_hash(layer(plain, "erodibility")) == silt_field_hash(layer(live, "erodibility")));
    assert_true(silt_erosion_report(run)->ledger.rock.by_hand != 0.0);
    silt_erosion_end(run);
    silt_terrain_destroy(plain);
    silt_terrain_destroy(live);
}

static void painted_uplift_comes_on_top(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(32, 32, 2);
    SiltErosion *run;
    assert_ok(silt_erosion_begin(silt_model_find("rivers"), terrain, NULL, NULL, &run));
    SiltStroke stroke = dab(SILT_BRUSH_UPLIFT, 160.0, 160.0, 50.0, 0.003);
    assert_ok(silt_stroke_run(&stroke, run));
    const SiltField *uplift = layer(terrain, "uplift");
    assert_true(silt_field_at(uplift, 1, 1) == 0.0f); // and not the uplift that is everywhere once more
    assert_true(silt_field_at(uplift, 16, 16) > 0.0025f);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 2}));
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
}

static void rock_is_added_and_carved(void **state)
{
    (void)state;
    const int size[3] = {32, 32, 32};
    SiltVolume *volume;
    SiltTerrain *terrain, *flat = hills(32, 32, 1);
    assert_ok(silt_volume_make(silt_volume_shape_find("pillars"), size, 8, 1.0, NULL, NULL, 1, &volume));
    assert_ok(silt_terrain_from_volume(volume, &terrain));
    double before = silt_volume_rock(terrain->volume);
    SiltStroke stroke = dab(SILT_BRUSH_ADD, 16.0, 16.0, 6.0, 1.0);
    stroke.level = 16.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    double with = silt_volume_rock(terrain->volume);
    assert_true(with > before + 10.0);
    assert_non_null(silt_terrain_volume(terrain)); // heights follow
    stroke.brush = SILT_BRUSH_CARVE;
    stroke.radius = 8.0;
    assert_ok(silt_stroke_terrain(&stroke, terrain));
    assert_true(silt_volume_rock(terrain->volume) < with - 10.0);
    assert_non_null(silt_terrain_volume(terrain));
    assert_fails(silt_stroke_terrain(&stroke, flat), SILT_BAD_ARGUMENT, "no volume of rock");
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(flat);
}

static void wrong_strokes_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain = hills(32, 32, 2);
    uint64_t before = silt_field_hash(layer(terrain, "height"));
    SiltErosion *run;
    assert_ok(silt_erosion_begin(silt_model_find("thermal"), terrain, NULL, NULL, &run));
    SiltStroke right = dab(SILT_BRUSH_RAISE, 100.0, 100.0, 50.0, 1.0), wrong;
    wrong = right;
    wrong.radius = 0.0;
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "radius");
    wrong = right;
    wrong.strength = NAN;
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "strength");
    wrong = right;
    wrong.to[0] = INFINITY;
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "place");
    wrong = right;
    wrong.softness = 2.0;
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "softness");
    wrong = right;
    wrong.brush = (SiltBrush)77;
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "no brush 77");
    wrong = dab(SILT_BRUSH_WATER, 100.0, 100.0, 50.0, 1.0);
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "water"); // thermal has none
    wrong = dab(SILT_BRUSH_CARVE, 100.0, 100.0, 50.0, 1.0);
    assert_fails(silt_stroke_run(&wrong, run), SILT_BAD_ARGUMENT, "no volume");
    silt_erosion_end(run);
    assert_true(silt_field_hash(layer(terrain, "height")) == before);
    silt_terrain_destroy(terrain);
}

static void rows_read_back_as_they_were(void **state)
{
    (void)state;
    SiltHand hands[3] = {
        {.step = 7, .stroke = dab(SILT_BRUSH_RAIN, 1.0 / 3.0, 2e-7, 1e3 / 7.0, 0.1)},
        {.step = 7, .name = "rain", .text = (char *)"30"},
        {.step = 90000000000, .name = "sources", .text = (char *)"1,2,3,4,0,0,0;5,6.5,7,8,0,0,0.25"}};
    hands[0].stroke.seed = (1ull << 53) - 1;
    char *text = silt_hands_text(hands, 3);
    SiltHand *read;
    int count;
    assert_ok(silt_hands_read(text, &read, &count));
    assert_int_equal(count, 3);
    double row[2][SILT_STROKE_COLUMNS]; // structs may have gaps between their members
    silt_stroke_row(&read[0].stroke, row[0]);
    silt_stroke_row(&hands[0].stroke, row[1]);
    assert_memory_equal(row[0], row[1], sizeof row[0]);
    for (int k = 0; k < 3; k++)
        assert_true(read[k].step == hands[k].step && strcmp(read[k].name, hands[k].name) == 0);
    assert_string_equal(read[2].text, hands[2].text);
    silt_hands_free(read, count);
    silt_free(text);
    assert_ok(silt_hands_read(" ", &read, &count));
    assert_int_equal(count, 0);
    assert_fails(silt_hands_read("raise,1,2", &read, &count), SILT_BAD_ARGUMENT, "row 1 begins with no step");
    assert_fails(silt_hands_read("3,raise,1,2", &read, &count), SILT_BAD_ARGUMENT, "hands: row 1");
    assert_fails(silt_hands_read("3,dig,1,2,1,2,5,1,0,0,0", &read, &count), SILT_BAD_ARGUMENT, "row 1");
    assert_fails(silt_hands_read("3,set,rain", &read, &count), SILT_BAD_ARGUMENT, "'set' takes");
    assert_fails(silt_hands_read("3,set,rain,1;2,set,rain,2", &read, &count), SILT_BAD_ARGUMENT, "order");
    assert_fails(silt_hands_read("3,raise,1,2,1,2,-5,1,0,0,0", &read, &count), SILT_BAD_ARGUMENT, "radius");
    assert_fails(silt_hands_read("3,raise,1,2,1,2,5,1,0,0,0;", &read, &count), SILT_BAD_ARGUMENT, "row 2");
}

// ---- playing ----

static uint64_t play(const char *model, SiltDuration whole, const SiltHand *hands, int count, int64_t part)
{
    SiltTerrain *terrain = hills(48, 40, 5);
    SiltErosion *run;
    assert_ok(silt_erosion_begin(silt_model_find(model), terrain, NULL, &(SiltRun){.seed = 3}, &run));
    bool done = false;
    int next = 0;
    for (int calls = 0; !done; calls++) {
        assert_ok(silt_erosion_play(run, whole, hands, count, &next, part, &done));
        assert_true(calls < 100000);
    }
    assert_int_equal(next, count);
    assert_ok(silt_erosion_finish(run));
    silt_erosion_end(run);
    silt_terrain_settle(terrain);
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    silt_terrain_destroy(terrain);
    return hash;
}

static uint64_t erode_at_once(const char *model, SiltDuration whole)
{
    SiltTerrain *terrain = hills(48, 40, 5);
    assert_ok(silt_erode(silt_model_find(model), terrain, NULL, whole, &(SiltRun){.seed = 3}, NULL));
    silt_terrain_settle(terrain);
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 31 + silt_field_hash(&terrain->layers[k]->field);
    silt_terrain_destroy(terrain);
    return hash;
}

// Steps or a time, in parts of any size: the bytes of a run that nobody looked at.
static void parts_make_the_whole(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        SiltDuration whole;
    } cases[] = {{"pipes", {.steps = 13}},     {"pipes", {.time = 2.7}},    {"rivers", {.time = 41234.5}},
                 {"thermal", {.time = 17.77}}, {"ice", {.time = 333.3}},    {"cells", {.steps = 9}},
                 {"newton", {.time = 0.71}},   {"thermal", {.steps = 4000}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint64_t once = erode_at_once(cases[k].model, cases[k].whole);
        for (int64_t part = 1; part <= 7; part += 3)
            if (play(cases[k].model, cases[k].whole, NULL, 0, part) != once)
                fail_msg("%s in parts of %d steps ends otherwise", cases[k].model, (int)part);
    }
}

static void hands_come_at_their_step(void **state)
{
    (void)state;
    SiltHand hands[] = {{.step = 0, .stroke = dab(SILT_BRUSH_RAISE, 200.0, 200.0, 80.0, 5.0)},
                        {.step = 4, .name = "rain", .text = (char *)"90"},
                        {.step = 4, .stroke = dab(SILT_BRUSH_RAIN, 300.0, 100.0, 60.0, 0.2)},
                        {.step = 12, .stroke = dab(SILT_BRUSH_LOWER, 100.0, 100.0, 60.0, 0.2)}};
    SiltDuration whole = {.steps = 12};
    uint64_t once = play("pipes", whole, hands, 4, INT64_MAX);
    assert_true(play("pipes", whole, hands, 4, 1) == once);
    assert_true(play("pipes", whole, hands, 4, 5) == once);
    assert_true(play("pipes", whole, hands, 3, 5) != once); // also the one after the last step
    hands[1].step = hands[2].step = 5;
    assert_true(play("pipes", whole, hands, 4, 5) != once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dab_is_round_and_where_it_was_put),
        cmocka_unit_test(a_line_is_even_along_its_length),
        cmocka_unit_test(brushes_do_what_they_are_called),
        cmocka_unit_test(lines_make_ridges_and_rivers),
        cmocka_unit_test(cells_without_data_stay),
        cmocka_unit_test(a_run_takes_strokes_as_a_terrain_does),
        cmocka_unit_test(painted_uplift_comes_on_top),
        cmocka_unit_test(rock_is_added_and_carved),
        cmocka_unit_test(wrong_strokes_are_refused),
        cmocka_unit_test(rows_read_back_as_they_were),
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(hands_come_at_their_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
