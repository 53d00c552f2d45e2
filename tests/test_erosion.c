// The frame that runs models: steps and time, cancelling, frames, failing allocations, the report.
#include "erode_help.h"

static const SiltModel *thermal(void)
{
    return silt_model_find("thermal");
}

static void models_are_found_by_name(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *model = silt_model_at(k);
        assert_ptr_equal(silt_model_find(silt_model_name(model)), model);
        assert_true(silt_model_summary(model)[0] && silt_model_source(model)[0] && model->begin &&
                    model->step && model->store);
        assert_true(silt_model_bytes(model, 64, 64) >= 64 * 64 * 4);
    }
    assert_null(silt_model_find("thermel"));
    assert_non_null(strstr(silt_message(), "thermal"));
}

// Cells that no file and no generator has, in a terrain that a program made: places in them overflow.
static void cells_beyond_reason_are_refused(void **state)
{
    (void)state;
    static const double cells[] = {1e-40, 1e-7, 1e11, 1e18};
    for (int k = 0; k < silt_model_count(); k++)
        for (size_t n = 0; n < sizeof cells / sizeof cells[0]; n++) {
            SiltTerrain *terrain = make_terrain(12, 10, cells[n]);
            SiltErosion *erosion;
            assert_fails(silt_erosion_begin(silt_model_at(k), terrain, NULL, NULL, &erosion),
                         SILT_BAD_ARGUMENT, "models take cells from 1e-06 m on");
            silt_terrain_destroy(terrain);
        }
}

// What a model says it leaves is what it leaves: outputs are checked against it before the run.
static void models_leave_what_they_say(void **state)
{
    (void)state;
    for (int k = 0; k < silt_model_count(); k++) {
        const SiltModel *model = silt_model_at(k);
        SiltTerrain *terrain = make_terrain(12, 10, 2.0);
        make_rough(terrain, 1, 9.0f);
        assert_ok(silt_model_check_output(model, terrain, "height"));
        assert_ok(silt_model_check_output(model, terrain, "net_change"));
        assert_fails(silt_model_check_output(model, terrain, "weer"), SILT_BAD_ARGUMENT,
                     "it will leave no layer 'weer', did you mean 'wear'?");
        char said[512];
        snprintf(said, sizeof said, " height change %s ", silt_model_makes(model));
        assert_ok(silt_erode(model, terrain, NULL, (SiltDuration){.steps = 1}, NULL, NULL));
        size_t length = 1;
        for (int n = 0; n < terrain->layer_count; n++) {
            char word[SILT_NAME_SIZE + 2];
            snprintf(word, sizeof word, " %s ", terrain->layers[n]->name);
            assert_non_null(strstr(said, word));
            length += strlen(word) - 1;
        }
        assert_int_equal(strlen(said), length);
        silt_terrain_destroy(terrain);
    }
}

static void time_and_steps_agree(void **state)
{
    (void)state;
    // a step stands for 3.5/16 cell^2 / rate = 0.875 years
    SiltTerrain *one = make_terrain(40, 30, 2.0), *two = make_terrain(40, 30, 2.0);
    make_rough(one, 1, 90.0f);
    make_rough(two, 1, 90.0f);
    SiltReport stepped = erode_steps(one, "thermal", "", 24);
    SiltReport timed = erode(two, "thermal", "", (SiltDuration){.time = 21.0});
    assert_int_equal(stepped.steps, 24);
    assert_int_equal(timed.steps, 24);
    assert_near(stepped.model_time, 21.0, 1e-9);
    assert_near(timed.model_time, 21.0, 1e-9);
    assert_true(layers_hash(one) == layers_hash(two));
    silt_terrain_destroy(one);
    silt_terrain_destroy(two);
}

static void time_ends_where_it_was_told(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 30, 2.0);
    make_rough(terrain, 1, 90.0f);
    SiltReport report = erode(terrain, "thermal", "", (SiltDuration){.time = 10.3});
    assert_int_equal(report.steps, 12); // 11 whole ones and a part of one
    assert_true(report.model_time == 10.3);
    silt_terrain_destroy(terrain);
}

static void advancing_twice_is_advancing_further(void **state)
{
    (void)state;
    SiltTerrain *one = make_terrain(40, 30, 2.0), *two = make_terrain(40, 30, 2.0);
    make_rough(one, 1, 90.0f);
    make_rough(two, 1, 90.0f);
    erode_steps(one, "thermal", "", 30);
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(thermal(), two, NULL, NULL, &erosion));
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 13}));
    assert_ok(silt_erosion_store(erosion));
    assert_ok(silt_erosion_advance(erosion, (SiltDuration){.steps = 17}));
    assert_ok(silt_erosion_store(erosion));
    assert_int_equal(silt_erosion_report(erosion)->steps, 30);
    silt_erosion_end(erosion);
    assert_true(layers_hash(one) == layers_hash(two));
    silt_terrain_destroy(one);
    silt_terrain_destroy(two);
}

static bool stop_at_once(void *user, const char *stage, double done, double total, const char *unit)
{
    assert_string_equal(stage, "thermal");
    assert_string_equal(unit, "steps");
    assert_true(done > 0.0 && done < total);
    (*(int *)user)++;
    return false;
}

static void cancelling_keeps_what_was_done(void **state)
{
    (void)state;
    int calls = 0;
    SiltRun run = {.user = &calls, .progress = stop_at_once};
    SiltTerrain *terrain = make_terrain(40, 30, 2.0), *same = make_terrain(40, 30, 2.0);
    make_rough(terrain, 1, 90.0f);
    make_rough(same, 1, 90.0f);
    SiltReport report;
    assert_int_equal(silt_erode(thermal(), terrain, NULL, (SiltDuration){.steps = 100000}, &run, &report),
                     SILT_CANCELLED);
    assert_int_equal(calls, 1);
    assert_true(report.steps > 0 && report.steps < 100000 && report.ledger.rock.moved > 0.0);
    erode_steps(same, "thermal", "", report.steps);
    assert_true(layers_hash(terrain) == layers_hash(same));
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(same);
}

typedef struct Frames {
    int count;
    double wear[8];
} Frames;

static SiltStatus keep_frame(void *user, const SiltTerrain *terrain, int index)
{
    Frames *frames = user;
    assert_int_equal(index, frames->count);
    frames->wear[frames->count++] = layer_sum(terrain, "wear");
    return SILT_OK;
}

static void frames_come_at_their_time(void **state)
{
    (void)state;
    Frames frames = {0};
    SiltRun run = {.user = &frames, .frame = keep_frame, .frame_interval = 10.0}; // steps, as the run is
    SiltTerrain *terrain = make_terrain(40, 30, 2.0), *same = make_terrain(40, 30, 2.0);
    make_rough(terrain, 1, 90.0f);
    make_rough(same, 1, 90.0f);
    assert_ok(silt_erode(thermal(), terrain, NULL, (SiltDuration){.steps = 45}, &run, NULL));
    assert_int_equal(frames.count, 4);
    erode_steps(same, "thermal", "", 20);
    assert_near(frames.wear[1], layer_sum(same, "wear"), 1e-9);
    silt_terrain_destroy(same);
    same = make_terrain(40, 30, 2.0);
    make_rough(same, 1, 90.0f);
    erode_steps(same, "thermal", "", 45);
    assert_true(layers_hash(terrain) == layers_hash(same)); // watching changes nothing
    silt_terrain_destroy(terrain);

    frames.count = 0;
    run.frame_interval = 8.7; // years, as the run is: ten steps
    terrain = make_terrain(40, 30, 2.0);
    make_rough(terrain, 1, 90.0f);
    assert_ok(silt_erode(thermal(), terrain, NULL, (SiltDuration){.time = 39.0}, &run, NULL));
    assert_int_equal(frames.count, 4);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(same);
}

static SiltStatus refuse_frame(void *user, const SiltTerrain *terrain, int index)
{
    (void)user, (void)terrain;
    return index < 6 ? SILT_OK : silt_fail(SILT_IO_ERROR, "no room for frame %d", index);
}

static void a_failing_frame_ends_the_run(void **state)
{
    (void)state;
    SiltRun run = {.frame = refuse_frame, .frame_interval = 1.0};
    SiltTerrain *terrain = make_terrain(10, 10, 2.0), *wanted = make_terrain(10, 10, 2.0);
    SiltReport report;
    make_rough(terrain, 3, 20.0f);
    make_rough(wanted, 3, 20.0f);
    assert_fails(silt_erode(thermal(), terrain, NULL, (SiltDuration){.steps = 45}, &run, &report),
                 SILT_IO_ERROR, "no room for frame 6");
    assert_ok(silt_erode(thermal(), wanted, NULL, (SiltDuration){.steps = 7}, NULL, NULL));
    // what was done is in the terrain, and in the books
    assert_int_equal(report.steps, 7);
    assert_true(report.cancelled);
    assert_true(silt_field_hash(silt_terrain_layer(terrain, "change")) ==
                silt_field_hash(silt_terrain_layer(wanted, "change")));
    assert_true(report.ledger.rock.moved > 0.0);
    silt_terrain_destroy(terrain);
    silt_terrain_destroy(wanted);
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    for (int m = 0; m < silt_model_count(); m++) {
        long n = 1;
        for (bool reached = true; reached; n++) { // also behind those that the model does without
            SiltTerrain *terrain = make_terrain(20, 20, 2.0);
            SiltField *change;
            assert_ok(silt_terrain_require(terrain, "change", &change));
            silt_fail_allocation(n);
            SiltStatus status =
                silt_erode(silt_model_at(m), terrain, NULL, (SiltDuration){.steps = 2}, NULL, NULL);
            reached = silt_allocation_count() >= n;
            silt_fail_allocation(0);
            assert_true(status == SILT_OK || (reached && status == SILT_NO_MEMORY));
            silt_terrain_destroy(terrain);
            assert_true(n < 5000);
        }
        print_message("%s: each of %ld allocations\n", silt_model_name(silt_model_at(m)), n - 2);
        assert_true(n > 5);
    }
}

static void parameters_out_of_range_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(10, 10, 2.0);
    void *params = silt_alloc(thermal()->params.size);
    assert_ok(silt_params_init(&thermal()->params, params));
    int talus = silt_params_find(&thermal()->params, "talus");
    *(double *)(void *)((char *)params + thermal()->params.items[talus].offset) = NAN;
    SiltErosion *erosion;
    assert_fails(silt_erosion_begin(thermal(), terrain, params, NULL, &erosion), SILT_BAD_ARGUMENT, "talus");
    assert_null(erosion);
    silt_params_free(&thermal()->params, params);
    silt_free(params);
    silt_terrain_destroy(terrain);
}

// Enough of JSON to know that a text is one value of it; returns what follows, or NULL.
static const char *skip_json(const char *text)
{
    text += strspn(text, " \n\t");
    if (*text == '{' || *text == '[') {
        char close = *text == '{' ? '}' : ']';
        bool object = *text++ == '{';
        text += strspn(text, " \n\t");
        for (bool first = true; *text != close; first = false) {
            if (!first && *text++ != ',')
                return NULL;
            if (object && (!(text = skip_json(text)) || *text++ != ':'))
                return NULL;
            if (!(text = skip_json(text)))
                return NULL;
        }
        text++;
    } else if (*text == '"') {
        for (text++; *text && *text != '"'; text++)
            text += *text == '\\';
        text = *text ? text + 1 : NULL;
    } else {
        size_t length = strspn(text, "-+.0123456789eE");
        text = length                                                           ? text + length
               : strncmp(text, "null", 4) == 0 || strncmp(text, "true", 4) == 0 ? text + 4
               : strncmp(text, "false", 5) == 0                                 ? text + 5
                                                                                : NULL;
    }
    return text ? text + strspn(text, " \n\t") : NULL;
}

static void the_report_is_json(void **state)
{
    (void)state;
    for (int m = 0; m < silt_model_count(); m++) {
        const SiltModel *model = silt_model_at(m);
        SiltTerrain *terrain = make_terrain(20, 20, 2.0);
        make_rough(terrain, 1, 50.0f);
        void *params = silt_alloc(silt_model_params(model)->size);
        assert_ok(silt_params_init(silt_model_params(model), params));
        SiltReport report;
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 3}, NULL, &report));
        char *json = silt_report_json(&report, params), *table = silt_ledger_table(&report.ledger);
        assert_non_null(json);
        const char *rest = skip_json(json);
        assert_true(rest && *rest == '\0');
        assert_non_null(strstr(json, "\"steps\": 3"));
        assert_non_null(strstr(json, "\"imbalance_fraction\""));
        assert_non_null(strstr(table, "rock"));
        silt_free(json);
        silt_free(table);
        silt_params_free(silt_model_params(model), params);
        silt_free(params);
        silt_terrain_destroy(terrain);
    }
}

// Rock that a model laid or took so that its books close is told to programs and to people.
static void the_report_tells_what_was_corrected(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        SiltReport report = {.model = silt_model_find("voxel")};
        report.ledger.rock = (SiltAccount){.initial = 100.0, .moved = 8.0, .stored = 100.0};
        report.ledger.rock.corrected = k ? 0.375 : 0.0;
        char *json = silt_report_json(&report, NULL), *table = silt_ledger_table(&report.ledger);
        assert_true((strstr(json, "\"corrected\": 0.375") != NULL) == (k == 1));
        assert_true((strstr(json, "corrected") != NULL) == (k == 1));
        const char *told = strstr(table, "corrected");
        assert_true((told != NULL) == (k == 1));
        assert_true(k == 0 || strstr(told, "0.375") != NULL);
        silt_free(json);
        silt_free(table);
    }
}

// The books of every model count the same rock: all that lies above zero.
static void models_agree_on_the_rock_there_is(void **state)
{
    (void)state;
    static const char *const names[] = {"thermal", "cells", "newton", "pipes", "rivers", "acid"};
    double wanted = 0.0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        SiltTerrain *terrain = make_terrain(40, 30, 2.0);
        make_rough(terrain, 1, 90.0f);
        SiltField *height = silt_terrain_layer(terrain, "height");
        for (int j = 0; j < 30; j++)
            for (int i = 0; i < 40; i++)
                silt_field_row(height, j)[i] += 250.0f;
        SiltReport report = erode_steps(terrain, names[k], "", 1);
        wanted = k == 0 ? report.ledger.rock.initial : wanted;
        assert_true(wanted > 250.0 * 40 * 30 * 4);
        assert_near(report.ledger.rock.initial, wanted, 1e-5 * wanted);
        silt_terrain_destroy(terrain);
    }
}

static void heights_and_times_out_of_reach_are_refused(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 30, 2.0);
    make_rough(terrain, 1, 90.0f);
    assert_fails(silt_erode(thermal(), terrain, NULL, (SiltDuration){.time = 1e300}, NULL, NULL),
                 SILT_BAD_ARGUMENT, "the longest is 1e+10");
    silt_field_row(silt_terrain_layer(terrain, "height"), 3)[4] = -3.4e38f;
    assert_fails(silt_erode(thermal(), terrain, NULL, (SiltDuration){.steps = 1}, NULL, NULL),
                 SILT_BAD_ARGUMENT, "heights reach -3.4e+38 m");
    silt_terrain_destroy(terrain);
}

// Slopes come to rest long before the time is over; then there is nothing to wait for.
static void what_is_at_rest_ends(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 30, 20.0);
    make_rough(terrain, 1, 900.0f);
    SiltReport report = erode(terrain, "thermal", "strength=0", (SiltDuration){.time = SILT_MAX_TIME});
    assert_true(report.counters.at_rest && report.steps < 100000);
    assert_true(report.model_time == SILT_MAX_TIME);
    SiltReport more = erode_steps(terrain, "thermal", "strength=0", 200);
    assert_true(more.ledger.rock.moved < 1e-4 * report.ledger.rock.moved);
    silt_terrain_destroy(terrain);
    terrain = make_terrain(40, 30, 20.0);
    make_rough(terrain, 1, 900.0f);
    assert_false(erode_steps(terrain, "thermal", "", 4).counters.at_rest);
    silt_terrain_destroy(terrain);
}

// Rock that waits in the water while slopes crumble stays in the books of every stage.
static void chained_books_have_no_gaps(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(40, 30, 20.0);
    make_rough(terrain, 1, 300.0f);
    SiltReport pipes = erode(terrain, "pipes", "rain=100", (SiltDuration){.time = 400.0});
    assert_true(layer_sum(terrain, "sediment") > 0.0);
    double scale = pipes.ledger.rock.moved;
    SiltReport thermal_run = erode_steps(terrain, "thermal", "", 20);
    SiltReport cells = erode_steps(terrain, "cells", "", 5);
    assert_near(thermal_run.ledger.rock.initial, pipes.ledger.rock.stored, 1e-4 * scale);
    assert_near(cells.ledger.rock.initial, thermal_run.ledger.rock.stored, 1e-4 * scale);
    assert_near(silt_account_imbalance(&thermal_run.ledger.rock), 0.0, 1e-4 * scale);
    silt_terrain_destroy(terrain);
}

static char warned[256];

static void keep_warning(void *user, const char *text)
{
    (void)user;
    snprintf(warned, sizeof warned, "%s", text);
}

static void a_run_that_does_nothing_says_so(void **state)
{
    (void)state;
    static const char *const names[] = {"pipes", "newton", "cells", "thermal"};
    silt_set_warning_handler(keep_warning, NULL);
    for (int k = 0; k < 8; k++) { // on a plain without rain, and with it
        const SiltModel *model = silt_model_find(names[k % 4]);
        SiltTerrain *terrain = make_terrain(40, 40, 20.0);
        void *params = silt_alloc(silt_model_params(model)->size);
        assert_ok(silt_params_init(silt_model_params(model), params));
        if (k < 3)
            assert_ok(silt_params_set(silt_model_params(model), params, "", "rain", "0"));
        warned[0] = '\0';
        assert_ok(silt_erode_pyramid(model, terrain, params, (SiltDuration){.steps = 30}, 0, NULL, NULL));
        assert_true((strstr(warned, "did nothing") != NULL) == (k < 4 || k == 7));
        silt_params_free(silt_model_params(model), params);
        silt_free(params);
        silt_terrain_destroy(terrain);
    }
    silt_set_warning_handler(NULL, NULL);
}

static void missing_memory_is_named_as_a_whole(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(100, 50, 20.0);
    SiltErosion *erosion;
    silt_fail_allocation(8); // somewhere among the fields of the state
    assert_fails(silt_erosion_begin(silt_model_find("newton"), terrain, NULL, NULL, &erosion), SILT_NO_MEMORY,
                 "erode newton: not enough memory: 100 x 50 cells need ");
    for (int k = 0; k < 2; k++) {
        const SiltModel *model = silt_model_find(k ? "voxel" : "sph");
        void *params = silt_alloc(silt_model_params(model)->size);
        assert_non_null(params);
        assert_ok(silt_params_init(silt_model_params(model), params));
        assert_ok(silt_params_set(silt_model_params(model), params, "test", "particles", "1000000"));
        silt_fail_allocation(0);
        assert_ok(silt_erosion_begin(model, terrain, params, NULL, &erosion));
        long made = silt_allocation_count();
        silt_erosion_end(erosion);
        silt_fail_allocation(made * 2 / 3);
        assert_fails(silt_erosion_begin(model, terrain, params, NULL, &erosion), SILT_NO_MEMORY,
                     "100 x 50 cells and 1000000 particles need ");
        assert_non_null(strstr(silt_message(), "; lower particles"));
        silt_fail_allocation(0);
        silt_params_free(silt_model_params(model), params);
        silt_free(params);
    }
    silt_terrain_destroy(terrain);
}

// ---- stopping within a step ----

typedef struct Patience {
    int left; // questions until it says no
} Patience;

static bool ask(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage, (void)done, (void)total, (void)unit;
    Patience *patience = user;
    return patience->left-- > 0;
}

// A step of many sub-steps is stopped between two of them; the run that goes on ends as if nobody had asked.
static void long_steps_are_stopped_within(void **state)
{
    (void)state;
    static const char *const models[] = {"newton", "pipes"};
    static const int sizes[] = {96, 400}; // a run is asked every few milliseconds: a step must take longer
    for (int m = 0; m < 2; m++) {
        const SiltModel *model = silt_model_find(models[m]);
        void *params = silt_params_new(silt_model_params(model));
        assert_ok(silt_params_assign(silt_model_params(model), params, "test", "step=20"));
        SiltTerrain *terrains[2];
        uint64_t hashes[2];
        int cut = 0;
        for (int k = 0; k < 2; k++) {
            terrains[k] = make_terrain(sizes[m], sizes[m], 1.0);
            make_rough(terrains[k], 1, 9.0f);
            Patience patience = {.left = 0};
            SiltRun run = {.user = &patience, .progress = k == 1 ? ask : NULL};
            SiltErosion *erosion;
            assert_ok(silt_erosion_begin(model, terrains[k], params, &run, &erosion));
            SiltStatus status = SILT_CANCELLED;
            while (status == SILT_CANCELLED && silt_erosion_report(erosion)->steps < 6) {
                int64_t before = silt_erosion_report(erosion)->steps;
                patience.left = 1;
                status = silt_erosion_advance(
                    erosion, (SiltDuration){.steps = 6 - silt_erosion_report(erosion)->steps});
                cut += silt_erosion_report(erosion)->steps == before;
            }
            assert_int_equal(silt_erosion_report(erosion)->steps, 6);
            assert_ok(silt_erosion_store(erosion));
            hashes[k] = silt_field_hash(silt_terrain_layer(terrains[k], "water")) +
                        3 * silt_field_hash(silt_terrain_layer(terrains[k], "change"));
            silt_erosion_end(erosion);
        }
        assert_true(cut > 0);
        assert_true(hashes[0] == hashes[1]);
        silt_terrain_destroy(terrains[0]);
        silt_terrain_destroy(terrains[1]);
        silt_params_delete(silt_model_params(model), params);
    }
}

// However small the sub-steps, a step takes a bounded number of them, and it is said who asks for more.
static char heard[512];
static void hear(void *user, const char *text)
{
    (void)user;
    snprintf(heard, sizeof heard, "%s", text);
}

static void substeps_are_bounded(void **state)
{
    (void)state;
    static const char *const models[] = {"newton", "pipes"};
    for (int m = 0; m < 2; m++) {
        SiltTerrain *terrain = make_terrain(16, 16, 0.01);
        SiltField *water;
        assert_ok(silt_terrain_require(terrain, "water", &water));
        silt_field_fill(water, 2.0f);
        const SiltModel *model = silt_model_find(models[m]);
        void *params = silt_params_new(silt_model_params(model));
        assert_ok(silt_params_assign(silt_model_params(model), params, "test", "step=60"));
        SiltReport report;
        SiltRun run = {.warning = hear};
        heard[0] = '\0';
        assert_ok(silt_erode(model, terrain, params, (SiltDuration){.steps = 3}, &run, &report));
        assert_true(report.counters.substeps <= 3 * 256);
        assert_non_null(strstr(heard, "step = 60 s asks for"));
        silt_params_delete(silt_model_params(model), params);
        silt_terrain_destroy(terrain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_found_by_name),
        cmocka_unit_test(cells_beyond_reason_are_refused),
        cmocka_unit_test(models_leave_what_they_say),
        cmocka_unit_test(time_and_steps_agree),
        cmocka_unit_test(time_ends_where_it_was_told),
        cmocka_unit_test(advancing_twice_is_advancing_further),
        cmocka_unit_test(cancelling_keeps_what_was_done),
        cmocka_unit_test(frames_come_at_their_time),
        cmocka_unit_test(a_failing_frame_ends_the_run),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(parameters_out_of_range_are_refused),
        cmocka_unit_test(the_report_is_json),
        cmocka_unit_test(the_report_tells_what_was_corrected),
        cmocka_unit_test(models_agree_on_the_rock_there_is),
        cmocka_unit_test(heights_and_times_out_of_reach_are_refused),
        cmocka_unit_test(what_is_at_rest_ends),
        cmocka_unit_test(chained_books_have_no_gaps),
        cmocka_unit_test(a_run_that_does_nothing_says_so),
        cmocka_unit_test(long_steps_are_stopped_within),
        cmocka_unit_test(substeps_are_bounded),
        cmocka_unit_test(missing_memory_is_named_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
