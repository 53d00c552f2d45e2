// Laws of a live run of `rivers`: saved and brought back it goes on with the same bytes, on any number of
// threads; looking, storing and what is refused leave no trace; live parameters take effect at the next step;
// what a hand adds is in the books.
#include "../erode_help.h"

static const char *const scenes[] = {
    "step=20000",
    "step=5000 sides=falling strata=40,1,3;15,0.2,3 routing=steepest lakes=fill",
    "step=10000 sides=fixed multiple=1.1 deposition=1 sea_level=20 slide_time=0",
};
enum { SCENES = sizeof scenes / sizeof scenes[0], WIDE = 48, HIGH = 40 };

typedef struct Live {
    SiltTerrain *terrain;
    SiltErosion *run;
    void *params;
} Live;

static const SiltModel *rivers(void)
{
    return silt_model_find("rivers");
}

static Live begin(const char *settings, int threads)
{
    Live live = {.terrain = make_terrain(WIDE, HIGH, 100.0)};
    make_rough(live.terrain, 5, 150.0f);
    live.params = silt_params_new(silt_model_params(rivers()));
    assert_non_null(live.params);
    char text[256];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(rivers()), live.params, "rivers", word));
    SiltRun run = {.seed = 4, .threads = threads};
    assert_ok(silt_erosion_begin(rivers(), live.terrain, live.params, &run, &live.run));
    return live;
}

static void end(Live *live)
{
    silt_erosion_end(live->run);
    silt_terrain_destroy(live->terrain);
    silt_params_delete(silt_model_params(rivers()), live->params);
}

static void go(Live *live, int64_t steps)
{
    assert_ok(silt_erosion_advance(live->run, (SiltDuration){.steps = steps}));
}

static void same(Live *a, Live *b)
{
    assert_ok(silt_erosion_store(a->run));
    assert_ok(silt_erosion_store(b->run));
    assert_int_equal(a->terrain->layer_count, b->terrain->layer_count);
    for (int k = 0; k < a->terrain->layer_count; k++) {
        const SiltLayer *layer = a->terrain->layers[k];
        const SiltField *other = silt_terrain_layer(b->terrain, layer->name);
        assert_non_null(other);
        if (silt_field_hash(&layer->field) != silt_field_hash(other))
            fail_msg("layer '%s' differs", layer->name);
    }
    assert_memory_equal(&silt_erosion_report(a->run)->ledger, &silt_erosion_report(b->run)->ledger,
                        sizeof(SiltLedger));
}

static void a_run_goes_on_from_its_block(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * SCENES; k++) {
        Live whole = begin(scenes[k % SCENES], 1), second = begin(scenes[k % SCENES], 2);
        void *block;
        size_t bytes;
        go(&whole, 10);
        if (k % 2) // nothing of what it did itself stays
            go(&second, 3);
        assert_ok(silt_erosion_save(whole.run, &block, &bytes));
        assert_ok(silt_erosion_restore(second.run, block, bytes));
        silt_free(block);
        if (k >= SCENES) {
            assert_ok(silt_erosion_set(whole.run, "uplift", 0.002));
            assert_ok(silt_erosion_set(second.run, "uplift", 0.002));
        }
        go(&whole, 10);
        go(&second, 10);
        same(&whole, &second);
        assert_true(layer_sum(whole.terrain, "wear") > 0.0);
        end(&whole);
        end(&second);
    }
}

static void looking_and_refusals_leave_no_trace(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        Live quiet = begin(scenes[k], 1), asked = begin(scenes[k], 1);
        float metres[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        go(&quiet, 12);
        for (int n = 0; n < 12; n++) {
            SiltLayerView view;
            assert_ok(silt_erosion_view(asked.run, n % 2 ? "discharge" : "height", NULL, &view));
            assert_true(silt_erosion_set(asked.run, "incision", -1.0) != SILT_OK);
            assert_true(silt_erosion_set(asked.run, "outlet_spacing", 500.0) != SILT_OK);
            assert_true(silt_erosion_edit(asked.run, "water", &(SiltRect){3, 3, 2, 2}, metres, 2, SILT_ADD) !=
                        SILT_OK);
            assert_true(silt_erosion_edit(asked.run, "height", &(SiltRect){WIDE - 1, 3, 2, 2}, metres, 2,
                                          SILT_ADD) != SILT_OK);
            go(&asked, 1);
        }
        same(&quiet, &asked);
        end(&quiet);
        end(&asked);
    }
}

static void a_number_set_at_once_is_one_begun_with(void **state)
{
    (void)state;
    static const char *const tries[] = {"uplift=0.002",      "incision=2e-5", "diffusion=0.1", "deposition=2",
                                        "critical_slope=25", "lateral=0.3",   "step=7000",     "wane=50000"};
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        char text[64], name[32];
        snprintf(text, sizeof text, "step=20000 %s", tries[k]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(tries[k], "="), tries[k]);
        Live given = begin(text, 1), set = begin("step=20000", 1), plain = begin("step=20000", 1);
        assert_ok(silt_erosion_set_text(set.run, name, strchr(tries[k], '=') + 1));
        go(&given, 6);
        go(&set, 6);
        go(&plain, 6);
        same(&given, &set);
        assert_ok(silt_erosion_store(plain.run));
        assert_true(layers_hash(plain.terrain) != layers_hash(set.terrain)); // and it does something
        end(&given);
        end(&set);
        end(&plain);
    }
}

static void ground_by_hand_is_booked(void **state)
{
    (void)state;
    Live live = begin(scenes[0], 2);
    SiltRect rect = {10, 12, 6, 5};
    float metres[30];
    for (int n = 0; n < 30; n++)
        metres[n] = n < 20 ? 30.0f : -10.0f;
    go(&live, 5);
    SiltLayerView view;
    assert_ok(silt_erosion_view(live.run, "height", &(SiltRect){11, 13, 1, 1}, &view));
    double before = (double)view.data[0];
    assert_ok(silt_erosion_edit(live.run, "height", &rect, metres, 6, SILT_ADD));
    assert_ok(silt_erosion_view(live.run, "height", &(SiltRect){11, 13, 1, 1}, &view));
    assert_near((double)view.data[0], before + 30.0, 1e-3);
    assert_near(silt_erosion_report(live.run)->ledger.rock.by_hand, (20 * 30.0 - 10 * 10.0) * 1e4, 1.0);
    go(&live, 5);
    assert_ok(silt_erosion_store(live.run));
    assert_true(silt_account_imbalance_fraction(&silt_erosion_report(live.run)->ledger.rock) < 1e-6);
    end(&live);
}

// A layer made on the way is heeded, and comes back with the block.
static void a_block_brings_its_layers(void **state)
{
    (void)state;
    Live whole = begin(scenes[0], 1), second = begin(scenes[0], 2), plain = begin(scenes[0], 1);
    static float soft[WIDE * HIGH];
    for (int n = 0; n < WIDE * HIGH; n++)
        soft[n] = n % WIDE < WIDE / 2 ? 4.0f : 0.25f;
    go(&whole, 4);
    go(&plain, 12);
    assert_ok(
        silt_erosion_edit(whole.run, "erodibility", &(SiltRect){0, 0, WIDE, HIGH}, soft, WIDE, SILT_REPLACE));
    go(&whole, 4);
    void *block;
    size_t bytes;
    assert_ok(silt_erosion_save(whole.run, &block, &bytes));
    assert_ok(silt_erosion_restore(second.run, block, bytes));
    silt_free(block);
    go(&whole, 4);
    go(&second, 4);
    same(&whole, &second);
    assert_ok(silt_erosion_store(plain.run));
    assert_true(layer_sum(plain.terrain, "wear") != layer_sum(whole.terrain, "wear"));
    end(&whole);
    end(&second);
    end(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_from_its_block),
        cmocka_unit_test(looking_and_refusals_leave_no_trace),
        cmocka_unit_test(a_number_set_at_once_is_one_begun_with),
        cmocka_unit_test(ground_by_hand_is_booked),
        cmocka_unit_test(a_block_brings_its_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
