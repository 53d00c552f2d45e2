// Beds of rock: where they lie, how they sink, and that they make steps.
#include "erode_help.h"

#include "erode/strata.h"

static SiltTerrain *hill(void)
{
    SiltTerrain *terrain = make_terrain(21, 11, 10.0);
    silt_field_row(silt_terrain_layer(terrain, "height"), 5)[10] = 300.0f; // the top of the stack
    return terrain;
}

static SiltStatus begin(const SiltList *list, double direction, const SiltTerrain *terrain, const char *owner,
                        SiltStrata *out)
{
    SiltStrataParams params = {.strata = *list, .strata_direction = direction, .intrusion_erodibility = 0.2};
    strcpy(params.bed, "bed");
    strcpy(params.intrusion, "intrusion");
    return silt_strata_begin(&params, terrain, owner, out);
}

static void beds_repeat_downwards(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    double rows[] = {30.0, 0.9, 0.0, 10.0, 0.1, 0.0};
    SiltList list = {2, 3, rows};
    SiltStrata strata;
    assert_ok(begin(&list, 0.0, terrain, "test", &strata));
    static const float at[][2] = {{299.0f, 0.9f}, {271.0f, 0.9f}, {269.0f, 0.1f}, {261.0f, 0.1f},
                                  {259.0f, 0.9f}, {225.0f, 0.1f}, {-55.0f, 0.1f}, {305.0f, 0.1f}};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++)
        for (int i = 0; i < 21; i += 5) // flat beds: the same under every cell
            assert_true(silt_strata_erodibility(&strata, i, i / 2, at[k][0]) == at[k][1]);
    silt_terrain_destroy(terrain);
}

static void tilted_beds_sink_where_they_are_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    double rows[] = {50.0, 0.2, 45.0, 50.0, 1.0, 45.0};
    SiltList list = {2, 3, rows};
    SiltStrata strata;
    assert_ok(begin(&list, 90.0, terrain, "test", &strata)); // sinks by 10 m a cell to the east
    for (int i = 0; i < 21; i++) {
        float top = 300.0f - 10.0f * (float)(i - 10);
        assert_true(silt_strata_erodibility(&strata, i, 3, top - 1.0f) == 0.2f);
        assert_true(silt_strata_erodibility(&strata, i, 3, top - 51.0f) == 1.0f);
    }
    assert_ok(begin(&list, 180.0, terrain, "test", &strata)); // to the south
    for (int j = 0; j < 11; j++)
        assert_true(silt_strata_erodibility(&strata, 7, j, 300.0f - 10.0f * (float)(j - 5) - 49.0f) == 0.2f);
    silt_terrain_destroy(terrain);
}

static void a_row_is_its_cells(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(97, 40, 3.0);
    make_rough(terrain, 8, 200.0f);
    double rows[] = {7.0, 0.5, 12.0, 3.0, 0.1, 12.0, 11.0, 0.8, -30.0};
    SiltList list = {3, 3, rows};
    SiltStrata strata;
    assert_ok(begin(&list, 37.0, terrain, "test", &strata));
    float out[97];
    for (int j = 0; j < 40; j++) {
        const float *elevation = silt_field_row(silt_terrain_layer(terrain, "height"), j);
        silt_strata_row(&strata, 2, j, 95, elevation + 2, out);
        for (int i = 2; i < 97; i++)
            assert_true(out[i - 2] == silt_strata_erodibility(&strata, i, j, elevation[i]));
    }
    silt_terrain_destroy(terrain);
}

// Folds and faults shift beds up and down with all that lies in them; uplift shifts folds and intrusions too.
static void layers_bend_beds_and_uplift_raises_them(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(30, 7, 10.0);
    SiltField *bed, *intrusion, *raised;
    assert_ok(silt_terrain_require(terrain, "bed", &bed));
    assert_ok(silt_terrain_require(terrain, "intrusion", &intrusion));
    assert_ok(silt_terrain_require(terrain, "raised", &raised));
    double rows[] = {30.0, 0.9, 0.0, 10.0, 0.1, 0.0};
    SiltList list = {2, 3, rows};
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 30; i++) {
            silt_field_row(bed, j)[i] = (float)(5 * i - 3 * j + (i > 12 ? 70 : 0));
            silt_field_row(intrusion, j)[i] = i == 20 ? 5.0f : -5000.0f;
            silt_field_row(raised, j)[i] = (float)(2 * j);
        }
    SiltStrata strata;
    assert_ok(begin(&list, 0.0, terrain, "test", &strata));
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 30; i++) {
            float up = (float)(2 * j), top = silt_field_at(bed, i, j) + up;
            if (i == 20) { // harder than any bed up to 5 m, beds above
                assert_true(silt_strata_erodibility(&strata, i, j, up + 4.9f) == 0.2f);
                assert_true(silt_strata_erodibility(&strata, i, j, up + 5.1f) != 0.2f);
                continue;
            }
            assert_true(silt_strata_erodibility(&strata, i, j, top - 1.0f) == 0.9f);
            assert_true(silt_strata_erodibility(&strata, i, j, top - 31.0f) == 0.1f);
            assert_true(silt_strata_erodibility(&strata, i, j, top - 41.0f) == 0.9f);
            assert_true(silt_strata_erodibility(&strata, i, j, top + 1.0f) == 0.1f);
        }
    float elevation[50], out[50]; // ten cells beyond the map on either side
    for (int k = 0; k < 50; k++)
        elevation[k] = 7.3f * (float)k;
    for (int j = -1; j <= 7; j++) {
        silt_strata_row(&strata, -10, j, 50, elevation, out);
        for (int k = 0; k < 50; k++) {
            bool on_map = j >= 0 && j < 7 && k >= 10 && k < 40;
            assert_true(out[k] ==
                        (on_map ? silt_strata_erodibility(&strata, k - 10, j, elevation[k]) : 1.0f));
        }
    }
    silt_terrain_destroy(terrain);
}

// A terrain may know what it is made of; who names beds is asked first.
static void the_column_of_the_terrain_is_taken(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    terrain->column = (SiltColumn){2, {30.0, 10.0}, {0.9, 0.1}};
    SiltList none = {0, 3, NULL};
    double rows[] = {30.0, 0.5, 0.0, 10.0, 0.7, 0.0};
    SiltList list = {2, 3, rows};
    SiltStrata strata;
    assert_ok(begin(&none, 0.0, terrain, "test", &strata));
    assert_int_equal(strata.count, 2);
    assert_true(silt_strata_erodibility(&strata, 3, 3, 299.0f) == 0.9f);
    assert_true(silt_strata_erodibility(&strata, 3, 3, 265.0f) == 0.1f);
    assert_ok(begin(&list, 0.0, terrain, "test", &strata));
    assert_true(silt_strata_erodibility(&strata, 3, 3, 265.0f) == 0.7f);
    silt_terrain_destroy(terrain);
}

// Intrusions alone: other rock where they are, plain rock elsewhere.
static void intrusions_need_no_beds(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    SiltField *intrusion;
    assert_ok(silt_terrain_require(terrain, "intrusion", &intrusion));
    silt_field_row(intrusion, 4)[6] = 100.0f;
    SiltList none = {0, 3, NULL};
    SiltStrata strata;
    assert_ok(begin(&none, 0.0, terrain, "test", &strata));
    assert_true(strata.count > 0);
    assert_true(silt_strata_erodibility(&strata, 6, 4, 50.0f) == 0.2f);
    assert_true(silt_strata_erodibility(&strata, 6, 4, 150.0f) == 1.0f);
    assert_true(silt_strata_erodibility(&strata, 7, 4, 50.0f) == 1.0f);
    silt_terrain_destroy(terrain);
}

static void no_beds_are_plain_rock(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    SiltList list = {0, 3, NULL};
    SiltStrata strata;
    assert_ok(begin(&list, 0.0, terrain, "test", &strata));
    assert_int_equal(strata.count, 0);
    assert_true(silt_strata_erodibility(&strata, 3, 3, 12.0f) == 1.0f);
    silt_terrain_destroy(terrain);
}

// Beds as thin as they may be are still two kinds of rock, two kilometres down as at the top.
static void thin_beds_do_not_blur(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    double rows[] = {SILT_THINNEST_BED, 1.0, 0.0, SILT_THINNEST_BED, 0.0, 0.0};
    SiltList list = {2, 3, rows};
    SiltStrata strata;
    assert_ok(begin(&list, 0.0, terrain, "test", &strata));
    double soft = 0.0;
    for (int k = 0; k < 10000; k++)
        soft += (double)silt_strata_erodibility(&strata, 3, 3, -1700.0f + 0.00123f * (float)k);
    assert_near(soft, 5000.0, 300.0);
    silt_terrain_destroy(terrain);
}

static void bad_beds_get_a_sentence(void **state)
{
    (void)state;
    SiltTerrain *terrain = hill();
    double rows[40 * 3] = {0.0, 1.0, 0.0};
    SiltList list = {1, 3, rows};
    SiltStrata strata;
    assert_fails(begin(&list, 0.0, terrain, "erode x", &strata), SILT_BAD_ARGUMENT, "bed 1");
    rows[0] = 1e-9;
    assert_fails(begin(&list, 0.0, terrain, "erode x", &strata), SILT_BAD_ARGUMENT, "it takes 0.01 to");
    rows[0] = 5.0;
    rows[1] = -1.0;
    assert_fails(begin(&list, 0.0, terrain, "erode x", &strata), SILT_BAD_ARGUMENT, "erodibility -1");
    rows[1] = 1.0;
    rows[2] = 90.0;
    assert_fails(begin(&list, 0.0, terrain, "erode x", &strata), SILT_BAD_ARGUMENT, "tilted by 90");
    list.count = 40;
    assert_fails(begin(&list, 0.0, terrain, "erode x", &strata), SILT_BAD_ARGUMENT, "40 beds");
    SiltStrataParams missing = {.strata = {0, 3, NULL}, .bed = "folds"};
    assert_fails(silt_strata_begin(&missing, terrain, "erode x", &strata), SILT_BAD_ARGUMENT,
                 "no layer 'folds' for bed");
    silt_terrain_destroy(terrain);
}

// A steep face of soft rock with one hard band: the band stands out as a step, with more fall inside it.
static void hard_bands_make_steps(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(80, 12, 2.0);
    for (int j = 0; j < 12; j++)
        for (int i = 0; i < 80; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                i < 20   ? 100.0f
                : i > 45 ? 0.0f
                         : 100.0f - 4.0f * (float)(i - 20);
    erode_steps(terrain, "thermal", "talus=20 strength=0 rock=1 strata=40,1,0;20,0,0;60,1,0", 400);
    double inside = 0.0, outside = 0.0; // the steepest fall between two cells, in the band and above it
    for (int i = 1; i < 60; i++) {
        double high = ground_at(terrain, i, 6), low = ground_at(terrain, i + 1, 6);
        if (high <= 60.5 && low >= 39.5)
            inside = fmax(inside, high - low);
        else if (low > 60.5)
            outside = fmax(outside, high - low);
    }
    assert_true(inside > 3.9);
    assert_true(outside < 0.6 * inside);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beds_repeat_downwards),
        cmocka_unit_test(tilted_beds_sink_where_they_are_told),
        cmocka_unit_test(a_row_is_its_cells),
        cmocka_unit_test(no_beds_are_plain_rock),
        cmocka_unit_test(thin_beds_do_not_blur),
        cmocka_unit_test(bad_beds_get_a_sentence),
        cmocka_unit_test(hard_bands_make_steps),
        cmocka_unit_test(layers_bend_beds_and_uplift_raises_them),
        cmocka_unit_test(the_column_of_the_terrain_is_taken),
        cmocka_unit_test(intrusions_need_no_beds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
