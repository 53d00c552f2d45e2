// What holds for every generator that is registered, and the statistics of those that promise some.
#include <time.h>

#include "generators.h"
#include "physics/random.h"

// ---- every generator ----

// What a generator may answer to parameters it cannot follow (a peak off the map), or to a missing library.
static bool refused_politely(SiltStatus status)
{
    return (status == SILT_BAD_ARGUMENT || status == SILT_MISSING_FEATURE) && strlen(silt_message()) > 0;
}

static uint64_t hash_of(const SiltTerrain *terrain)
{
    uint64_t hash = 0;
    for (int k = 0; k < terrain->layer_count; k++)
        hash = hash * 0x9E3779B97F4A7C15u + silt_field_hash(&terrain->layers[k]->field);
    return hash;
}

static void assert_finite_layers(const SiltTerrain *terrain, const char *name)
{
    for (int k = 0; k < terrain->layer_count; k++)
        for (int j = 0; j < terrain->height; j++)
            for (int i = 0; i < terrain->width; i++)
                if (!isfinite(silt_field_at(&terrain->layers[k]->field, i, j)))
                    fail_msg("%s: layer %s is not finite at (%d, %d) of %d x %d", name,
                             terrain->layers[k]->name, i, j, terrain->width, terrain->height);
}

static void any_size_will_do(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {4096, 3}, {3, 700}, {33, 100}};
    for (int k = 0; k < silt_generator_count(); k++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            SiltTerrain *terrain;
            SiltRun run = {.seed = 1};
            SiltStatus status =
                silt_generate(silt_generator_at(k), sizes[s][0], sizes[s][1], 10.0, NULL, &run, &terrain);
            if (refused_politely(status))
                continue;
            assert_ok(status);
            assert_finite_layers(terrain, silt_generator_at(k)->name);
            silt_terrain_destroy(terrain);
        }
}

static uint32_t draw(uint64_t *counter)
{
    return silt_random(99, 1, (*counter)++, 0).word[0];
}

// A number of the parameter's range: either end, its default, or between; large ranges by magnitude, too.
static double draw_number(const SiltParam *param, uint64_t *counter)
{
    uint32_t way = draw(counter) % 8;
    double u = (double)silt_uniform(draw(counter));
    double low = param->minimum, high = param->maximum;
    if (way == 0 || (isnan(param->number[0]) && way == 1))
        return param->number[0];
    if (way == 2)
        return low;
    if (way == 3 && param->type != SILT_TYPE_INT)
        return high;
    if (param->type == SILT_TYPE_INT)
        high = fmin(high, low + 300.0);
    if (way >= 6 && low >= 0.0 && high > 1.0)
        return fmax(low, fmin(high, pow(high + 1.0, u) - 1.0));
    return low + u * (high - low);
}

static void draw_params(const SiltGenerator *generator, void *params, uint64_t *counter)
{
    for (int k = 0; k < generator->params.count; k++) {
        const SiltParam *param = &generator->params.items[k];
        void *slot = (char *)params + param->offset;
        char name[SILT_NAME_SIZE];
        int choices = 0;
        if (param->type == SILT_TYPE_REAL)
            *(double *)slot = draw_number(param, counter);
        else if (param->type == SILT_TYPE_INT)
            *(int *)slot = (int)draw_number(param, counter);
        else if (param->type == SILT_TYPE_BOOL)
            *(bool *)slot = draw(counter) & 1;
        else if (param->type == SILT_TYPE_CHOICE) {
            while (silt_param_choice(param, choices, name))
                choices++;
            *(int *)slot = (int)(draw(counter) % (uint32_t)choices);
        } else if (param->type == SILT_TYPE_VECTOR)
            for (int c = 0; c < param->size; c++)
                ((double *)slot)[c] = draw_number(param, counter);
    }
}

// A third of a second of work is enough for one set of parameters, however many polygons it asks for.
static bool stop_after_a_while(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage;
    (void)done;
    (void)total;
    (void)unit;
    return clock() - *(const clock_t *)user < CLOCKS_PER_SEC / 3;
}

static SiltStatus hash_with_threads(const SiltGenerator *generator, int width, int height, double cell,
                                    const void *params, int threads, uint64_t *hash)
{
    SiltTerrain *terrain;
    clock_t started = clock();
    SiltRun run = {.seed = 12, .user = &started, .progress = params ? stop_after_a_while : NULL};
    silt_set_threads(threads);
    SiltStatus status = silt_generate(generator, width, height, cell, params, &run, &terrain);
    silt_set_threads(0);
    if (status != SILT_OK)
        return status;
    assert_finite_layers(terrain, generator->name);
    *hash = hash_of(terrain);
    silt_terrain_destroy(terrain);
    return SILT_OK;
}

// Two hundred sets of parameters a generator, fewer where they take long: finite, and the same on 1 and 3
// threads.
static void any_parameters_give_finite_heights_on_any_threads(void **state)
{
    (void)state;
    const double cells[] = {1.0, 10.0, 0.1, 1e-6, 1e6};
    uint64_t counter = 0;
    for (int k = 0; k < silt_generator_count(); k++) {
        const SiltGenerator *generator = silt_generator_at(k);
        void *params = silt_alloc(generator->params.size + 1);
        assert_ok(silt_params_init(&generator->params, params));
        clock_t started = clock();
        int made = 0;
        for (int set = 0; set < 200 && clock() - started < CLOCKS_PER_SEC / 2; set++) {
            int width = 1 + (int)(draw(&counter) % 40), height = 1 + (int)(draw(&counter) % 40);
            double cell = cells[draw(&counter) % 5];
            uint64_t one = 0, three = 0;
            draw_params(generator, params, &counter);
            SiltStatus status = hash_with_threads(generator, width, height, cell, params, 1, &one);
            if (refused_politely(status))
                continue;
            made++;
            if (status == SILT_CANCELLED)
                continue;
            assert_ok(status);
            status = hash_with_threads(generator, width, height, cell, params, 3, &three);
            if (status == SILT_CANCELLED)
                continue;
            assert_ok(status);
            if (one != three)
                fail_msg("%s: 1 and 3 threads differ", generator->name);
        }
        uint64_t ignored;
        if (made == 0)
            assert_true(refused_politely(hash_with_threads(generator, 64, 64, 10.0, NULL, 1, &ignored)));
        silt_params_free(&generator->params, params);
        silt_free(params);
    }
}

static void defaults_are_the_same_on_any_threads(void **state)
{
    (void)state;
    for (int k = 0; k < silt_generator_count(); k++) {
        uint64_t one = 0, five = 0;
        SiltStatus status = hash_with_threads(silt_generator_at(k), 301, 170, 10.0, NULL, 1, &one);
        if (refused_politely(status))
            continue;
        assert_ok(status);
        assert_ok(hash_with_threads(silt_generator_at(k), 301, 170, 10.0, NULL, 5, &five));
        assert_int_equal(one, five);
    }
}

static void the_seed_fixes_the_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t hash;
    } cases[] = {
        {"noise", "", 0x97edc3242c117ce2},          {"noise", "kind=ridged warp=300", 0x3de2e0c155d5bb66},
        {"diamond-square", "", 0xd92e453ac755e14c}, {"diamond-square", "wrap=yes", 0x831f14643e2f6885},
        {"fault", "edge=95", 0xa00105a0bcbe8d71},   {"fault", "edge=95 shape=circles", 0xfad403eb58062d4f},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *terrain = make_terrain(cases[k].name, 250, 190, 10.0, 7, cases[k].text);
        assert_int_equal(silt_field_hash(silt_terrain_layer(terrain, "height")), cases[k].hash);
        silt_terrain_destroy(terrain);
    }
}

static bool stop_at_once(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)stage;
    (void)done;
    (void)total;
    (void)unit;
    ++*(int *)user;
    return false;
}

static void every_generator_can_be_stopped(void **state)
{
    (void)state;
    for (int k = 0; k < silt_generator_count(); k++) {
        int calls = 0;
        SiltRun run = {.user = &calls, .progress = stop_at_once};
        SiltTerrain *terrain;
        SiltStatus status = silt_generate(silt_generator_at(k), 64, 64, 10.0, NULL, &run, &terrain);
        if (refused_politely(status))
            continue;
        assert_int_equal(status, SILT_CANCELLED);
        assert_null(terrain);
        assert_int_equal(calls, 1);
    }
}

static void failed_allocations_are_told(void **state)
{
    (void)state;
    for (int k = 0; k < silt_generator_count(); k++) {
        bool reached = true;
        for (long n = 1; reached && n < 60; n++) { // also behind those that it does without
            SiltTerrain *terrain = NULL;
            silt_fail_allocation(n);
            SiltStatus status = silt_generate(silt_generator_at(k), 20, 20, 10.0, NULL, NULL, &terrain);
            reached = silt_allocation_count() >= n;
            silt_fail_allocation(0);
            assert_true(status == SILT_OK || (!terrain && strlen(silt_message()) > 0));
            silt_terrain_destroy(terrain);
        }
    }
}

// ---- roughness ----

enum { SEEDS = 8, SIDE = 513 };

static double mean_square_step(const SiltTerrain *terrain, int lag)
{
    const SiltField *height = silt_terrain_layer(terrain, "height");
    double sum = 0.0;
    for (int j = 0; j + lag < terrain->height; j++) {
        const float *row = silt_field_row(height, j), *below = silt_field_row(height, j + lag);
        for (int i = 0; i + lag < terrain->width; i++) {
            double east = (double)row[i + lag] - (double)row[i], south = (double)below[i] - (double)row[i];
            sum += east * east + south * south;
        }
    }
    return sum / (2.0 * (terrain->height - lag) * (terrain->width - lag));
}

// Half the slope of the variogram in logarithms, from lag 2 to 32.
static double measured_hurst(const char *name, const char *text)
{
    enum { LAGS = 5 };
    double variogram[LAGS] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SiltTerrain *terrain = make_terrain(name, SIDE, SIDE, 1.0, seed, text);
        for (int k = 0; k < LAGS; k++)
            variogram[k] += mean_square_step(terrain, 2 << k) / SEEDS;
        silt_terrain_destroy(terrain);
    }
    double product = 0.0, squares = 0.0;
    for (int k = 0; k < LAGS; k++) {
        product += (k - 2) * log2(variogram[k]);
        squares += (k - 2) * (k - 2);
    }
    return 0.5 * product / squares;
}

static void roughness_is_the_one_asked(void **state)
{
    (void)state;
    long_law();
    static const double hursts[] = {0.2, 0.4, 0.6, 0.8, 1.0};
    for (int k = 0; k < 5; k++) {
        char text[120];
        snprintf(text, sizeof text, "hurst=%g", hursts[k]);
        assert_near(measured_hurst("diamond-square", text), hursts[k], 0.1);
        snprintf(text, sizeof text, "hurst=%g additions=yes", hursts[k]);
        assert_near(measured_hurst("diamond-square", text), hursts[k], 0.1);
        snprintf(text, sizeof text, "hurst=%g feature_size=512 octaves=11 kind=fbm", hursts[k]);
        assert_near(measured_hurst("noise", text), hursts[k], 0.1);
    }
}

// ---- symmetry ----

// The mean over many seeds is zero everywhere, to five times what chance allows.
static void faults_are_flat_in_the_mean(void **state)
{
    (void)state;
    long_law();
    enum { N = 25, MAPS = 600 };
    const char *texts[] = {"count=10 step=1", "count=10 step=1 shape=circles", "count=10 step=1 edge=0"};
    for (int k = 0; k < 3; k++) {
        static double sum[N][N], squares[N][N];
        memset(sum, 0, sizeof sum);
        memset(squares, 0, sizeof squares);
        for (uint64_t seed = 0; seed < MAPS; seed++) {
            SiltTerrain *terrain = make_terrain("fault", N, N, 1.0, seed, texts[k]);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    sum[j][i] += height_at(terrain, i, j);
                    squares[j][i] += height_at(terrain, i, j) * height_at(terrain, i, j);
                }
            silt_terrain_destroy(terrain);
        }
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                assert_true(squares[j][i] > 0.0);
                assert_near(sum[j][i] / sqrt(squares[j][i]), 0.0, 5.0);
            }
    }
}

// ---- metres, not pixels ----

// Three times as many cells on the same ground: each third cell lies where a cell of the coarse map lies.
static void finer_maps_show_the_same_land(void **state)
{
    (void)state;
    long_law();
    static const char *const cases[][2] = {
        {"noise", "octaves=6"},
        {"noise", "octaves=6 kind=ridged warp=200"},
        {"noise", "octaves=6 kind=billow"},
        {"crooked", ""},
        {"volcano", ""},
        {"stratovolcano", ""},
        {"mountain", ""},
        {"meander", ""},
        {"ditch", ""},
        {"letters", ""},
        {"fault", ""},
        {"two-hills", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltTerrain *coarse = make_terrain(cases[k][0], 101, 67, 30.0, 8, cases[k][1]);
        SiltTerrain *fine = make_terrain(cases[k][0], 303, 201, 10.0, 8, cases[k][1]);
        HeightRange range = height_range(coarse);
        for (int j = 0; j < 67; j++)
            for (int i = 0; i < 101; i++)
                assert_near(height_at(fine, 3 * i + 1, 3 * j + 1), height_at(coarse, i, j),
                            1e-3 * (range.high - range.low));
        silt_terrain_destroy(coarse);
        silt_terrain_destroy(fine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_will_do),
        cmocka_unit_test(any_parameters_give_finite_heights_on_any_threads),
        cmocka_unit_test(defaults_are_the_same_on_any_threads),
        cmocka_unit_test(the_seed_fixes_the_bytes),
        cmocka_unit_test(every_generator_can_be_stopped),
        cmocka_unit_test(failed_allocations_are_told),
        cmocka_unit_test(roughness_is_the_one_asked),
        cmocka_unit_test(faults_are_flat_in_the_mean),
        cmocka_unit_test(finer_maps_show_the_same_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
