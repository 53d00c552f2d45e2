// A live run of any grid model: parameters, layers and sources change while it goes on, it is kept and
// brought back, and it ends with the bytes of a run in one go.
#include "erode/run.h"
#include "erode_help.h"

static const char *const models[] = {"pipes", "newton", "cells", "thermal", "ice"};
enum { MODELS = sizeof models / sizeof models[0], WIDTH = 61, HEIGHT = 47 };

static SiltTerrain *make_land(void)
{
    SiltTerrain *terrain = make_terrain(WIDTH, HEIGHT, 10.0);
    make_rough(terrain, 3, 120.0f);
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int k = 0; k < 9; k++)
        terrain->nodata[(20 + k / 3) * WIDTH + 30 + k % 3] = 1;
    return terrain;
}

static bool is_ice(const char *name)
{
    return strcmp(name, "ice") == 0;
}

static bool is_wet(const char *name)
{
    return strcmp(name, "thermal") != 0 && !is_ice(name);
}

// A parameter that may change while it runs, and one that may not.
static const char *live_of(const char *name)
{
    return is_wet(name) ? "rain" : is_ice(name) ? "gradient" : "talus";
}

static const char *fixed_of(const char *name)
{
    return is_wet(name) ? "rain_pattern" : is_ice(name) ? "cycle" : "amount";
}

static SiltErosion *begin(const char *name, const char *settings, SiltTerrain *terrain, int threads)
{
    const SiltModel *model = silt_model_find(name);
    assert_non_null(model);
    void *params = silt_params_new(silt_model_params(model));
    assert_non_null(params);
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, name, word));
    SiltErosion *run;
    assert_ok(silt_erosion_begin(model, terrain, params, &(SiltRun){.seed = 9, .threads = threads}, &run));
    silt_params_delete(silt_model_params(model), params);
    return run;
}

// Odd weather: drops, sources that begin and end, dry places; ice ages that come and go, and a thaw.
static const char *settings_of(const char *name)
{
    if (is_ice(name))
        return "gradient=0.02 cycle=500 swing=30 coupling=25 wall=30 thaw=on sliding=1e-10";
    return is_wet(name) ? "rain_pattern=drops drop_interval=3 "
                          "sources=200,150,2,20,5,60,0.01;400,300,3,30,0,30,0 rest=on"
                        : "talus=20";
}

static void go(SiltErosion *run, int64_t steps)
{
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = steps}));
}

// All that a run leaves, and its books.
static uint64_t end_of(SiltErosion *run, SiltTerrain *terrain)
{
    assert_ok(silt_erosion_finish(run));
    const SiltReport *report = silt_erosion_report(run);
    assert_true(silt_account_imbalance_fraction(&report->ledger.rock) < 1e-6);
    assert_true(silt_account_imbalance_fraction(&report->ledger.water) < 1e-6);
    uint64_t hash =
        layers_hash(terrain) ^ (uint64_t)(report->ledger.rock.moved * 1e6) ^ (uint64_t)report->steps << 48;
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
    return hash;
}

static void stepping_by_hand_ends_as_one_call(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        SiltTerrain *whole = make_land(), *parts = make_land();
        SiltErosion *one = begin(models[k], settings_of(models[k]), whole, 2);
        SiltErosion *many = begin(models[k], settings_of(models[k]), parts, 1);
        go(one, 33);
        for (int done = 0; done < 33; done += 1 + done % 5) {
            go(many, done + 1 + done % 5 <= 33 ? 1 + done % 5 : 33 - done);
            SiltLayerView view;
            assert_ok(silt_erosion_view(many, "height", NULL, &view)); // looking changes nothing
            assert_ok(silt_erosion_store(many));
        }
        assert_int_equal(silt_erosion_report(one)->steps, silt_erosion_report(many)->steps);
        assert_true(end_of(one, whole) == end_of(many, parts));
    }
}

static void a_run_brought_back_goes_on_as_it_would_have(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++)
        for (int set = 0; set < 2; set++) {
            const char *live = live_of(models[k]);
            double value = is_ice(models[k]) ? 0.03 : 25.0;
            SiltTerrain *first = make_land(), *second = make_land();
            SiltErosion *whole = begin(models[k], settings_of(models[k]), first, 1);
            go(whole, 10);
            void *block;
            size_t bytes;
            assert_ok(silt_erosion_save(whole, &block, &bytes));
            SiltErosion *fresh = begin(models[k], settings_of(models[k]), second, 2);
            go(fresh, 3); // whatever it did before
            assert_ok(silt_erosion_restore(fresh, block, bytes));
            silt_free(block);
            if (set) {
                assert_ok(silt_erosion_set(whole, live, value));
                assert_ok(silt_erosion_set(fresh, live, value));
            }
            go(whole, 10);
            go(fresh, 10);
            assert_true(end_of(whole, first) == end_of(fresh, second));
        }
}

// Without a further step too, and in a run that has done none: a speed goes by the step that was the last.
static void a_run_brought_back_shows_what_it_showed(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        SiltTerrain *first = make_land(), *second = make_land();
        SiltErosion *whole = begin(models[k], settings_of(models[k]), first, 1);
        SiltErosion *fresh = begin(models[k], settings_of(models[k]), second, 1);
        go(whole, 10);
        void *block;
        size_t bytes;
        assert_ok(silt_erosion_save(whole, &block, &bytes));
        assert_ok(silt_erosion_restore(fresh, block, bytes));
        silt_free(block);
        assert_ok(silt_erosion_store(whole));
        assert_ok(silt_erosion_store(fresh));
        assert_true(layers_hash(first) == layers_hash(second));
        assert_true(end_of(whole, first) == end_of(fresh, second));
    }
}

static void live_parameters_take_effect(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        const char *live = live_of(models[k]), *fixed = fixed_of(models[k]);
        SiltTerrain *first = make_land(), *second = make_land();
        SiltErosion *run = begin(models[k], settings_of(models[k]), first, 1);
        SiltErosion *same = begin(models[k], settings_of(models[k]), second, 1);
        go(run, 10);
        go(same, 10);
        assert_fails(silt_erosion_set(run, "rian", 1.0), SILT_BAD_ARGUMENT, "unknown parameter 'rian'");
        assert_fails(silt_erosion_set(run, live, -1e9), SILT_BAD_ARGUMENT, "is below its minimum");
        assert_fails(silt_erosion_set(run, live, NAN), SILT_BAD_ARGUMENT, "finite");
        assert_fails(silt_erosion_set(run, fixed, 1.0), SILT_BAD_ARGUMENT,
                     "cannot change while a run goes on");
        assert_fails(silt_erosion_set_text(run, live, "much"), SILT_BAD_ARGUMENT, "is not a number");
        assert_fails(silt_erosion_set_value(run, 4711, &(SiltValue){.size = sizeof(SiltValue)}),
                     SILT_BAD_ARGUMENT, "there is no parameter 4711");
        go(run, 4);
        go(same, 4);
        SiltLayerView a, b;
        assert_ok(silt_erosion_view(run, "change", NULL, &a));
        assert_ok(silt_erosion_view(same, "change", NULL, &b));
        for (int j = 0; j < HEIGHT; j++)
            assert_memory_equal(a.data + (size_t)j * a.stride, b.data + (size_t)j * b.stride,
                                WIDTH * sizeof(float));
        assert_ok(silt_erosion_set_text(run, live,
                                        is_wet(models[k])   ? "300 mm/h"
                                        : is_ice(models[k]) ? "0.1"
                                                            : "10"));
        go(run, 6);
        go(same, 6);
        assert_true(end_of(run, first) != end_of(same, second));
    }
}

static void sources_come_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        if (!is_wet(models[k]))
            continue;
        SiltTerrain *terrain = make_land();
        SiltErosion *run = begin(
            models[k], "rain=0 evaporation=0 north=closed south=closed east=closed west=closed", terrain, 1);
        const double source[7] = {250.0, 200.0, 5.0, 15.0, 0.0, 0.0, 0.0}, off_map[7] = {-5.0, 0.0, 1.0};
        go(run, 3);
        assert_true(silt_erosion_report(run)->ledger.water.added == 0.0);
        assert_ok(silt_erosion_add_source(run, source));
        assert_int_equal(silt_erosion_source_count(run), 1);
        double before = silt_erosion_report(run)->model_time;
        go(run, 20);
        double brought = silt_erosion_report(run)->ledger.water.added;
        assert_near(brought, 5.0 * (silt_erosion_report(run)->model_time - before), 0.02 * brought);
        assert_fails(silt_erosion_add_source(run, off_map), SILT_BAD_ARGUMENT, "lies off the map");
        assert_fails(silt_erosion_move_source(run, 1, source), SILT_BAD_ARGUMENT, "there is no source");
        assert_int_equal(silt_erosion_source_count(run), 1);
        assert_ok(silt_erosion_remove_source(run, 0));
        go(run, 5);
        assert_near(silt_erosion_report(run)->ledger.water.added, brought, 1e-9 * brought);
        end_of(run, terrain);
    }
}

// A block of ice put on the map is water by hand, rock put into it is rock by hand; all ice is taken off
// again.
static void edit_ice(SiltErosion *run, const SiltRect *rect, const float *block)
{
    static const float none[WIDTH * HEIGHT];
    const SiltLedger *ledger = &silt_erosion_report(run)->ledger;
    double rock = ledger->rock.by_hand, metres = (rect->width * rect->height - 9) * 100.0;
    SiltLayerView view;
    assert_ok(silt_erosion_edit(run, "ice", rect, block, 12, SILT_ADD));
    assert_near(ledger->water.by_hand, 3.0 * 0.91 * metres, 1.0);
    assert_ok(silt_erosion_edit(run, "sediment", rect, block, 12, SILT_ADD));
    assert_near(ledger->rock.by_hand, rock + 3.0 * metres, 1.0);
    go(run, 3);
    assert_ok(silt_erosion_edit(run, "ice", &(SiltRect){0, 0, WIDTH, HEIGHT}, none, WIDTH, SILT_REPLACE));
    assert_ok(silt_erosion_view(run, "ice", NULL, &view));
    for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++)
            assert_true(view.data[(size_t)j * view.stride + (size_t)i] == 0.0f);
    assert_true(ledger->water.by_hand < 0.0);
}

static void edits_are_booked_as_by_hand(void **state)
{
    (void)state;
    float block[12 * 8], water[12 * 8];
    for (int k = 0; k < 12 * 8; k++) {
        block[k] = 3.0f;
        water[k] = 0.5f;
    }
    const SiltRect rect = {25, 17, 12, 8}, off = {WIDTH - 5, 0, 12, 8};
    for (int k = 0; k < MODELS; k++) {
        SiltTerrain *terrain = make_land();
        SiltErosion *run = begin(models[k], settings_of(models[k]), terrain, 1);
        go(run, 6);
        SiltLayerView view;
        assert_ok(silt_erosion_view(run, "height", &rect, &view));
        float before = view.data[0];
        uint64_t generation = view.generation;
        assert_ok(silt_erosion_edit(run, "height", &rect, block, 12, SILT_ADD));
        assert_ok(silt_erosion_view(run, "height", &rect, &view));
        assert_true(view.generation != generation);
        assert_near((double)view.data[0], (double)before + 3.0, 1e-4);
        const SiltLedger *ledger = &silt_erosion_report(run)->ledger;
        assert_near(ledger->rock.by_hand, 3.0 * (12 * 8 - 9) * 100.0, 1.0); // nine cells have no data
        if (is_wet(models[k])) {
            assert_ok(silt_erosion_edit(run, "water", &rect, water, 12, SILT_REPLACE));
            assert_ok(silt_erosion_view(run, "water", &rect, &view));
            assert_near((double)view.data[5], 0.5, 1e-5);
        } else {
            assert_fails(silt_erosion_edit(run, "water", &rect, water, 12, SILT_ADD), SILT_BAD_ARGUMENT,
                         "cannot be edited");
        }
        assert_fails(silt_erosion_edit(run, "height", &off, block, 12, SILT_ADD), SILT_BAD_ARGUMENT,
                     "do not lie on a map");
        assert_fails(silt_erosion_edit(run, "colour", &rect, block, 12, SILT_ADD), SILT_BAD_ARGUMENT,
                     "reads no layer");
        if (is_ice(models[k]))
            edit_ice(run, &rect, block);
        go(run, 10);
        end_of(run, terrain); // the books balance
    }
}

static void rock_made_hard_by_hand_wears_less(void **state)
{
    (void)state;
    static float soft[WIDTH * HEIGHT];
    const SiltRect all = {0, 0, WIDTH, HEIGHT};
    for (int k = 0; k < MODELS; k++) {
        double worn[2];
        for (int hard = 0; hard < 2; hard++) {
            SiltTerrain *terrain = make_land();
            SiltErosion *run = begin(models[k],
                                     is_wet(models[k])   ? "rain=200"
                                     : is_ice(models[k]) ? "gradient=0.02 coupling=25 sliding=1e-10 wall=89"
                                                         : "talus=15",
                                     terrain, 1);
            go(run, 4);
            if (hard) {
                assert_ok(silt_erosion_edit(run, "erodibility", &all, soft, WIDTH, SILT_REPLACE));
                float bad = -1.0f;
                assert_fails(
                    silt_erosion_edit(run, "erodibility", &(SiltRect){0, 0, 1, 1}, &bad, 1, SILT_REPLACE),
                    SILT_BAD_ARGUMENT, "reaches -1");
            }
            go(run, 30);
            assert_ok(silt_erosion_store(run));
            worn[hard] = silt_erosion_report(run)->ledger.rock.moved;
            silt_erosion_end(run);
            silt_terrain_destroy(terrain);
        }
        assert_true(worn[1] < 0.7 * worn[0]);
    }
}

static void views_are_what_store_writes(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        SiltTerrain *terrain = make_land();
        SiltErosion *run = begin(models[k], settings_of(models[k]), terrain, 2);
        go(run, 12);
        static float seen[16][WIDTH * HEIGHT];
        const char *const wet[] = {"change",   "wear", "deposition", "deposit", "water",
                                   "sediment", "flow", "speed",      "wetness"};
        const char *const cold[] = {"change", "wear",     "deposition", "deposit",
                                    "water",  "sediment", "ice",        "ice_speed"};
        const char *const *names = is_ice(models[k]) ? cold : wet;
        int count = is_wet(models[k]) ? 9 : is_ice(models[k]) ? 8 : 4;
        for (int n = 0; n < count; n++) {
            SiltLayerView part, view;
            assert_ok(silt_erosion_view(run, names[n], &(SiltRect){5, 6, 7, 8}, &part));
            assert_ok(silt_erosion_view(run, names[n], NULL, &view));
            for (int j = 0; j < HEIGHT; j++)
                memcpy(&seen[n][j * WIDTH], view.data + (size_t)j * view.stride, WIDTH * sizeof(float));
        }
        assert_ok(silt_erosion_store(run));
        for (int n = 0; n < count; n++)
            for (int j = 0; j < HEIGHT; j++)
                for (int i = 0; i < WIDTH; i++)
                    if (!silt_terrain_is_nodata(terrain, i, j))
                        assert_true(seen[n][j * WIDTH + i] ==
                                    silt_field_at(silt_terrain_layer(terrain, names[n]), i, j));
        SiltLayerView none;
        assert_fails(silt_erosion_view(run, "sorrow", NULL, &none), SILT_BAD_ARGUMENT, "no layer 'sorrow'");
        assert_fails(silt_erosion_view(run, "change", &(SiltRect){0, 0, WIDTH + 1, 1}, &none),
                     SILT_BAD_ARGUMENT, "do not lie on a map");
        SiltParticles particles;
        assert_fails(silt_erosion_particles(run, &particles), SILT_BAD_ARGUMENT, "it has no particles");
        end_of(run, terrain);
    }
}

// The sums of a whole map are large numbers where it is large or its water deep: they are no damage.
static void deep_water_goes_on(void **state)
{
    (void)state;
    static const char *const names[] = {"pipes", "newton", "cells"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        SiltTerrain *terrain = make_terrain(160, 160, 1000.0);
        SiltField *water;
        assert_ok(silt_terrain_require(terrain, "water", &water));
        for (int j = 0; j < 160; j++)
            for (int i = 0; i < 160; i++) {
                silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] = (float)(i + j);
                silt_field_row(water, j)[i] = 2000.0f;
            }
        SiltErosion *run = begin(names[k], "rain=1", terrain, 2);
        go(run, 4);
        assert_ok(silt_erosion_check_state(run));
        silt_erosion_end(run);
        silt_terrain_destroy(terrain);
    }
}

static void foreign_and_damaged_blocks_are_refused(void **state)
{
    (void)state;
    SiltTerrain *first = make_land(), *second = make_land(), *other = make_land(),
                *small = make_terrain(20, 20, 10.0);
    SiltErosion *run = begin("pipes", settings_of("pipes"), first, 1),
                *same = begin("pipes", settings_of("pipes"), second, 1);
    SiltErosion *foreign = begin("cells", settings_of("cells"), other, 1),
                *tiny = begin("pipes", "rain=10", small, 1);
    void *block, *cells, *little;
    size_t bytes, cells_bytes, little_bytes;
    go(run, 5);
    go(same, 5);
    assert_ok(silt_erosion_save(run, &block, &bytes));
    assert_ok(silt_erosion_save(foreign, &cells, &cells_bytes));
    assert_ok(silt_erosion_save(tiny, &little, &little_bytes));
    assert_fails(silt_erosion_restore(run, cells, cells_bytes), SILT_BAD_ARGUMENT,
                 "the block is a run of 'cells'");
    assert_fails(silt_erosion_restore(run, little, little_bytes), SILT_BAD_ARGUMENT, "20 x 20 cells");
    assert_fails(silt_erosion_restore(run, block, bytes - 1), SILT_BAD_ARGUMENT, "were saved");
    assert_fails(silt_erosion_restore(run, block, 3), SILT_BAD_ARGUMENT, "is no saved run");
    ((char *)block)[bytes / 2] ^= 1;
    assert_fails(silt_erosion_restore(run, block, bytes), SILT_BAD_ARGUMENT, "is damaged");
    go(run, 5);
    go(same, 5);
    assert_true(end_of(run, first) == end_of(same, second));
    silt_free(block);
    silt_free(cells);
    silt_free(little);
    silt_erosion_end(foreign);
    silt_erosion_end(tiny);
    silt_terrain_destroy(other);
    silt_terrain_destroy(small);
}

// What cannot be done is refused whole, and nothing has changed.
static void edits_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    float much = 1e6f, little = 1.0f;
    const SiltRect one = {3, 4, 1, 1};
    for (int k = 0; k < MODELS; k++) {
        SiltTerrain *first = make_land(), *second = make_land();
        SiltErosion *run = begin(models[k], settings_of(models[k]), first, 1);
        SiltErosion *same = begin(models[k], settings_of(models[k]), second, 1);
        go(run, 4);
        go(same, 4);
        if (strcmp(models[k], "ice") != 0)
            assert_fails(silt_erosion_edit(run, "height", &one, &much, 1, SILT_ADD), SILT_BAD_ARGUMENT,
                         "follow from the relief it began with");
        assert_fails(silt_erosion_edit(run, "bed", &one, &little, 1, SILT_ADD), SILT_BAD_ARGUMENT,
                     "when it begins");
        assert_fails(silt_erosion_edit(run, "height", &one, &little, 0, SILT_ADD), SILT_BAD_ARGUMENT,
                     "rows 0 apart");
        assert_fails(silt_erosion_advance(run, (SiltDuration){.steps = -1}), SILT_BAD_ARGUMENT,
                     "neither goes back");
        assert_fails(silt_erosion_advance(run, (SiltDuration){.time = NAN}), SILT_BAD_ARGUMENT,
                     "neither goes back");
        assert_ok(silt_erosion_advance(run, (SiltDuration){.time = 0.0})); // a paused game
        if (is_wet(models[k])) {
            int sources = silt_erosion_source_count(run);
            assert_fails(silt_erosion_set(run, "sources", 1.0), SILT_BAD_ARGUMENT, "sources takes a list");
            assert_int_equal(silt_erosion_source_count(run), sources);
        }
        go(run, 6);
        go(same, 6);
        assert_true(end_of(run, first) == end_of(same, second));
    }
}

// Back to where it was: a layer painted since is gone, and a run of another seed goes on as this one would
// have.
static void a_rewind_takes_back_what_came_since(void **state)
{
    (void)state;
    SiltTerrain *first = make_land(), *second = make_land();
    SiltErosion *run = begin("pipes", settings_of("pipes"), first, 1), *other;
    assert_ok(silt_erosion_begin(silt_model_find("pipes"), second, silt_erosion_params(run),
                                 &(SiltRun){.seed = 77}, &other));
    go(run, 5);
    void *block;
    size_t bytes;
    assert_ok(silt_erosion_save(run, &block, &bytes));
    float hard = 0.1f;
    assert_ok(silt_erosion_edit(run, "erodibility", &(SiltRect){5, 5, 1, 1}, &hard, 1, SILT_REPLACE));
    go(run, 3);
    assert_ok(silt_erosion_restore(run, block, bytes));
    assert_null(silt_terrain_layer(first, "erodibility"));
    assert_ok(silt_erosion_restore(other, block, bytes));
    silt_free(block);
    go(run, 12);
    go(other, 12);
    assert_true(end_of(run, first) == end_of(other, second));
}

static void a_run_that_has_finished_goes_no_further(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_land();
    SiltErosion *run = begin("thermal", "talus=20", terrain, 1);
    go(run, 5);
    assert_ok(silt_erosion_finish(run));
    assert_ok(silt_erosion_finish(run));
    assert_fails(silt_erosion_advance(run, (SiltDuration){.steps = 1}), SILT_BAD_ARGUMENT, "has finished");
    silt_erosion_end(run);
    silt_terrain_destroy(terrain);
}

static void take_warning(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

static void warnings_go_to_the_run(void **state)
{
    (void)state;
    int own = 0, library = 0;
    SiltTerrain *terrain = make_land();
    const SiltModel *model = silt_model_find("pipes");
    void *params = silt_params_new(silt_model_params(model));
    assert_ok(silt_params_assign(silt_model_params(model), params, "test", "sources=100,100,0,5,0,0,0"));
    silt_set_warning_handler(take_warning, &library);
    SiltErosion *run;
    assert_ok(
        silt_erosion_begin(model, terrain, params, &(SiltRun){.warning = take_warning, .user = &own}, &run));
    silt_set_warning_handler(NULL, NULL);
    assert_int_equal(own, 1); // a source without water
    assert_int_equal(library, 0);
    silt_erosion_end(run);
    silt_params_delete(silt_model_params(model), params);
    silt_terrain_destroy(terrain);
}

static void whole_steps_follow_a_clock(void **state)
{
    (void)state;
    SiltTerrain *first = make_land(), *second = make_land();
    SiltErosion *frames = begin("pipes", settings_of("pipes"), first, 1),
                *whole = begin("pipes", settings_of("pipes"), second, 1);
    for (int k = 0; k < 120; k++)
        assert_ok(silt_erosion_advance(frames, (SiltDuration){.time = 1.0 / 60.0, .whole = true}));
    double time = silt_erosion_report(frames)->model_time;
    assert_true(time >= 2.0 - 1e-9 && time < 3.0);
    go(whole, silt_erosion_report(frames)->steps);
    assert_true(end_of(frames, first) == end_of(whole, second));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepping_by_hand_ends_as_one_call),
        cmocka_unit_test(a_run_brought_back_goes_on_as_it_would_have),
        cmocka_unit_test(a_run_brought_back_shows_what_it_showed),
        cmocka_unit_test(live_parameters_take_effect),
        cmocka_unit_test(sources_come_and_go),
        cmocka_unit_test(edits_are_booked_as_by_hand),
        cmocka_unit_test(rock_made_hard_by_hand_wears_less),
        cmocka_unit_test(views_are_what_store_writes),
        cmocka_unit_test(foreign_and_damaged_blocks_are_refused),
        cmocka_unit_test(deep_water_goes_on),
        cmocka_unit_test(edits_that_do_not_fit_are_refused),
        cmocka_unit_test(a_rewind_takes_back_what_came_since),
        cmocka_unit_test(a_run_that_has_finished_goes_no_further),
        cmocka_unit_test(warnings_go_to_the_run),
        cmocka_unit_test(whole_steps_follow_a_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
