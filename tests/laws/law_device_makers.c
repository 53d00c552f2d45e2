// Law: noise and resampling give the same bytes on the processor, on any number of threads, and on every
// device that OpenCL finds.
#include "erode_help.h"

#include "all_devices.h"
#include "silt/device.h"
#include "silt/generate.h"
#include "terrains.h"

// ---- noise ----

typedef struct Noise {
    const char *settings;
    int width, height;
    uint64_t seed;
} Noise;

static const Noise noises[] = {
    {"", 1, 1, 0},
    {"", 300, 17, 1},
    {"kind=billow hurst=0.3 lacunarity=1.7", 131, 40, 7},
    {"kind=ridged octaves=16", 257, 33, 3},
    {"warp=400 warp_size=900", 520, 9, 11},
    {"kind=ridged warp=5000 relief=900 origin=-8.5e6,9e6", 77, 64, 0xFFFFFFFFFFFFFFFFu},
    {"octaves=1 feature_size=1e6", 64, 64, 5},
    {"feature_size=0.01", 32, 8, 5}, // nothing of it can be seen
};

static SiltStatus make_noise(const Noise *noise, SiltRun *run, SiltTerrain **out)
{
    const SiltGenerator *generator = silt_generator_find("noise");
    void *params = silt_alloc(generator->params.size);
    char settings[200], *rest = settings;
    assert_ok(silt_params_init(&generator->params, params));
    snprintf(settings, sizeof settings, "%s", noise->settings);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        assert_ok(silt_params_assign(&generator->params, params, "noise", word));
    run->seed = noise->seed;
    SiltStatus status = silt_generate(generator, noise->width, noise->height, 10.0, params, run, out);
    silt_params_free(&generator->params, params);
    silt_free(params);
    return status;
}

static uint64_t hash_of_noise(const Noise *noise, SiltDevice *device, int threads)
{
    SiltTerrain *terrain;
    SiltRun run = {.device = device, .threads = threads};
    assert_ok(make_noise(noise, &run, &terrain));
    uint64_t hash = layers_hash(terrain);
    silt_terrain_destroy(terrain);
    return hash;
}

static void noise_has_the_bytes_of_the_processor(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof noises / sizeof noises[0]; k++) {
        uint64_t here = hash_of_noise(&noises[k], NULL, 1);
        assert_true(hash_of_noise(&noises[k], NULL, 2) == here);
        for (int d = 0; d < device_count; d++)
            if (hash_of_noise(&noises[k], devices[d], 2) != here)
                fail_msg("noise %s of %d x %d: %s gives other bytes", noises[k].settings, noises[k].width,
                         noises[k].height, silt_device_of(devices[d])->name);
    }
}

static bool stop(void *user, const char *stage, double done, double total, const char *unit)
{
    (void)user, (void)stage, (void)total, (void)unit;
    return !(done > 0.0);
}

static void noise_can_be_stopped(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltRun run = {.device = devices[0], .progress = stop};
    assert_int_equal(make_noise(&noises[1], &run, &terrain), SILT_CANCELLED);
    assert_null(terrain);
    assert_true(hash_of_noise(&noises[1], devices[0], 1) == hash_of_noise(&noises[1], NULL, 1));
}

static int warnings;

static void count_warning(void *user, const char *text)
{
    (void)user;
    warnings += strstr(text, "it works on the processor, not on") != NULL;
}

static void generators_of_the_processor_say_so(void **state)
{
    (void)state;
    SiltTerrain *terrain;
    SiltRun run = {.device = devices[0], .warning = count_warning};
    const SiltGenerator *plane = silt_generator_find("plane");
    assert_fails(silt_generate(plane, 8, 8, 10.0, NULL, &run, &terrain), SILT_BAD_ARGUMENT,
                 "new plane: it works on the processor alone");
    assert_null(terrain);
    run.device_or_cpu = true;
    assert_ok(silt_generate(plane, 8, 8, 10.0, NULL, &run, &terrain));
    assert_int_equal(warnings, 1);
    silt_terrain_destroy(terrain);
}

// ---- resampling ----

static const int sizes[][2] = {{1, 1},   {2, 3},    {3, 2},    {4, 1},   {60, 41}, {59, 42},
                               {30, 20}, {120, 82}, {31, 300}, {200, 7}, {7, 200}, {241, 165}};

// Heights, water that is never below zero, and a mask where `holes`.
static SiltTerrain *layered(int width, int height, bool holes)
{
    SiltTerrain *terrain = rough_ground((RoughGround){width, height, 10.0, 300.0f});
    SiltField *water;
    assert_ok(silt_terrain_require(terrain, "water", &water));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            silt_field_row(water, j)[i] = (i * 7 + j * 5) % 11 == 0 ? 3.0f : 0.0f;
    if (holes)
        punch(terrain, width / 3, height / 2, height / 4);
    return terrain;
}

static uint64_t hash_of_resampled(const SiltTerrain *terrain, const int size[2], SiltDevice *device)
{
    SiltTerrain *made;
    assert_ok(silt_terrain_resample_on(device, terrain, size[0], size[1], &made));
    uint64_t hash = layers_hash(made);
    for (size_t k = 0; made->nodata && k < (size_t)size[0] * (size_t)size[1]; k++)
        hash = (hash ^ made->nodata[k]) * 0x9E3779B97F4A7C15u;
    silt_terrain_destroy(made);
    return hash;
}

static void resampling_has_the_bytes_of_the_processor(void **state)
{
    (void)state;
    static const int from[][2] = {{1, 1}, {2, 3}, {60, 41}, {133, 40}};
    for (size_t f = 0; f < sizeof from / sizeof from[0]; f++)
        for (int holes = 0; holes < (from[f][1] > 20 ? 2 : 1); holes++) {
            SiltTerrain *terrain = layered(from[f][0], from[f][1], holes);
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
                uint64_t here = hash_of_resampled(terrain, sizes[k], NULL);
                for (int d = 0; d < device_count; d++)
                    if (hash_of_resampled(terrain, sizes[k], devices[d]) != here)
                        fail_msg("%d x %d%s to %d x %d: %s gives other bytes", from[f][0], from[f][1],
                                 holes ? " with holes" : "", sizes[k][0], sizes[k][1],
                                 silt_device_of(devices[d])->name);
            }
            silt_terrain_destroy(terrain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_the_bytes_of_the_processor),
        cmocka_unit_test(noise_can_be_stopped),
        cmocka_unit_test(generators_of_the_processor_say_so),
        cmocka_unit_test(resampling_has_the_bytes_of_the_processor),
    };
    return run_on_devices(tests);
}
