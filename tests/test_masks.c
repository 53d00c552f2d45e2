// Masks out: shares of 0 to 1 with the scale they were made by, and weights that add up.
#include <unistd.h>

#include "recipe_help.h"

#include "core/parallel.h"
#include "io/output.h"
#include "io/picture.h"
#include "silt/io.h"
#include "silt/masks.h"

static SiltMaskOptions mask_options(void)
{
    SiltMaskOptions options;
    assert_ok(silt_params_init(&silt_mask_params, &options));
    return options;
}

// Mountains with some of the layers that models leave: flow over decades, wear, a hole.
static SiltTerrain *worn_land(int side)
{
    SiltTerrain *terrain;
    SiltField *flow, *wear, *water;
    assert_ok(silt_terrain_create(side, side, 25.0, &terrain));
    assert_ok(silt_terrain_require(terrain, "flow", &flow));
    assert_ok(silt_terrain_require(terrain, "wear", &wear));
    assert_ok(silt_terrain_require(terrain, "water", &water));
    for (int k = 0; k < side * side; k++) {
        int i = k % side, j = k / side;
        double x = (double)i / side, y = (double)j / side;
        silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
            (float)(1500.0 * x * (1.0 - y) + 90.0 * sin(23.0 * x) * cos(19.0 * y));
        silt_field_row(flow, j)[i] = (float)(1e-3 * exp(14.0 * y * y * y));
        silt_field_row(wear, j)[i] = (float)(3.0 * x + 2.0 * y);
        silt_field_row(water, j)[i] = x < 0.2 ? 2.0f : 0.0f;
    }
    return terrain;
}

static float mask_at(const SiltTerrain *masks, const char *name, int i, int j)
{
    const SiltField *field = silt_terrain_layer(masks, name);
    assert_non_null(field);
    return silt_field_at(field, i, j);
}

static const SiltMaskScale *scale_of(const SiltMaskScale *scales, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(scales[k].name, name) == 0)
            return &scales[k];
    fail_msg("no mask '%s'", name);
    return NULL;
}

// The value that a mask stands for: the scale turned round.
static double value_of(const SiltMaskScale *scale, double mask)
{
    return scale->kind == SILT_MASK_LOG ? scale->low * pow(scale->high / scale->low, mask)
                                        : scale->low + mask * (scale->high - scale->low);
}

static void masks_lie_between_0_and_1_and_give_their_values_back(void **state)
{
    (void)state;
    enum { SIDE = 61 };
    SiltTerrain *terrain = worn_land(SIDE), *masks;
    SiltMaskScale scales[SILT_MAX_LAYERS];
    SiltMaskOptions options = mask_options();
    assert_ok(silt_masks_make(terrain, &options, &masks, scales));
    static const char *const wanted[] = {"height", "slope", "curvature", "occlusion", "snow",  "scree",
                                         "flow",   "wear",  "water",     "band_1",    "band_4"};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        scale_of(scales, masks->layer_count, wanted[k]);
    assert_int_equal(scale_of(scales, masks->layer_count, "flow")->kind, SILT_MASK_LOG);
    for (int n = 0; n < masks->layer_count; n++) {
        assert_string_equal(masks->layers[n]->name, scales[n].name);
        const SiltField *source = silt_terrain_layer(terrain, scales[n].layer);
        for (int k = 0; k < SIDE * SIDE; k++) {
            float mask = silt_field_at(&masks->layers[n]->field, k % SIDE, k / SIDE);
            assert_true(mask >= 0.0f && mask <= 1.0f);
            if (!source || scales[n].kind == SILT_MASK_SHARE || mask == 0.0f || mask == 1.0f)
                continue;
            double value = (double)silt_field_at(source, k % SIDE, k / SIDE);
            assert_near(value_of(&scales[n], (double)mask), value,
                        1e-5 * fabs(value) + 1e-6 * (scales[n].high - scales[n].low));
        }
    }
    for (int k = 0; k < SIDE * SIDE; k++) { // bands share every height among them
        float sum = 0.0f;
        char name[16];
        for (int b = 1; b <= 4; b++) {
            snprintf(name, sizeof name, "band_%d", b);
            sum += mask_at(masks, name, k % SIDE, k / SIDE);
        }
        assert_near((double)sum, 1.0, 1e-6);
    }
    silt_terrain_destroy(masks);
    silt_terrain_destroy(terrain);
}

static void weights_of_the_splat_map_add_up_in_every_cell(void **state)
{
    (void)state;
    SiltTerrain *terrain = worn_land(64);
    SiltMaskOptions options = mask_options();
    options.snow = 700.0;
    static const unsigned sums[] = {255, 65535};
    for (int n = 0; n < 2; n++) {
        uint16_t *splat;
        unsigned seen[4] = {0};
        assert_ok(silt_splat_make(terrain, &options, sums[n], &splat));
        for (int k = 0; k < 64 * 64; k++) {
            assert_int_equal(splat[4 * k] + splat[4 * k + 1] + splat[4 * k + 2] + splat[4 * k + 3], sums[n]);
            for (int c = 0; c < 4; c++)
                seen[c] |= splat[4 * k + c] > sums[n] / 4;
        }
        for (int c = 0; c < 4; c++)
            assert_true(seen[c]); // sand by the water, grass, rock and snow
        silt_free(splat);
    }
    silt_terrain_destroy(terrain);
}

#ifdef SILT_HAS_PNG
static void files_hold_the_masks_and_say_their_scale(void **state)
{
    (void)state;
    SiltTerrain *terrain = worn_land(40), *masks, *back;
    SiltMaskScale scales[SILT_MAX_LAYERS];
    for (int wide = 0; wide < 2; wide++) {
        SiltMaskOptions options = mask_options();
        options.mask_bits = wide;
        char *json;
        assert_ok(silt_masks_make(terrain, &options, &masks, scales));
        assert_ok(silt_masks_write(terrain, "masks", &options, &json));
        assert_non_null(strstr(
            json, "\"file\": \"flow.png\", \"layer\": \"flow\", \"unit\": \"m3/s\", \"scale\": \"log\""));
        silt_free(json);
        for (int n = 0; n < masks->layer_count; n++) {
            char path[64];
            snprintf(path, sizeof path, "masks/%.40s.png", scales[n].name);
            assert_ok(silt_terrain_read(path, NULL, &back));
            for (int k = 0; k < 1600; k++)
                assert_near((double)silt_field_at(&back->layers[0]->field, k % 40, k / 40),
                            (double)silt_field_at(&masks->layers[n]->field, k % 40, k / 40),
                            0.5001 / (wide ? 65535.0 : 255.0));
            silt_terrain_destroy(back);
        }
        silt_terrain_destroy(masks);
        if (!wide) {
            int width, height;
            uint8_t *rgba;
            assert_ok(silt_png_read_rgba("masks/splat.png", &width, &height, &rgba));
            for (int k = 0; k < width * height; k++)
                assert_int_equal(rgba[4 * k] + rgba[4 * k + 1] + rgba[4 * k + 2] + rgba[4 * k + 3], 255);
            silt_free(rgba);
        }
    }
    char text[4096];
    FILE *file = fopen("masks/flow.png", "rb");
    size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    bool said = false;
    for (size_t k = 0; k + 10 < bytes; k++)
        said = said || memcmp(text + k, "Silt-Scale", 10) == 0;
    assert_true(said);
    silt_terrain_destroy(terrain);
}
#endif

static uint64_t hash_of(const SiltTerrain *terrain, int threads)
{
    SiltRun run = {.threads = threads};
    SiltCrew before = silt_crew_begin(&run);
    SiltMaskScale scales[SILT_MAX_LAYERS];
    SiltMaskOptions options = mask_options();
    SiltTerrain *masks;
    uint16_t *splat;
    uint64_t hash = 14695981039346656037u;
    assert_ok(silt_masks_make(terrain, &options, &masks, scales));
    assert_ok(silt_splat_make(terrain, &options, 255, &splat));
    silt_crew_end(before);
    for (int n = 0; n < masks->layer_count; n++)
        for (int j = 0; j < masks->height; j++) {
            const unsigned char *row = (const unsigned char *)silt_field_row(&masks->layers[n]->field, j);
            for (size_t k = 0; k < (size_t)masks->width * sizeof(float); k++)
                hash = (hash ^ row[k]) * 1099511628211u;
        }
    for (int k = 0; k < 4 * masks->width * masks->height; k++)
        hash = (hash ^ splat[k]) * 1099511628211u;
    silt_free(splat);
    silt_terrain_destroy(masks);
    return hash;
}

static void threads_do_not_show(void **state)
{
    (void)state;
    SiltTerrain *terrain = worn_land(97);
    silt_terrain_drop(terrain, "flow"); // by the heights then
    uint64_t one = hash_of(terrain, 1);
    assert_true(hash_of(terrain, 2) == one && hash_of(terrain, 8) == one);
    silt_terrain_destroy(terrain);
}

#ifdef SILT_HAS_YAML
#define TWO_STAGES                                                                                           \
    "terrain: {new: plane, size: 24, cell: 10, set: {angle: 60}}\n"                                          \
    "stages:\n"                                                                                              \
    "  - {erode: thermal, steps: 3, set: {strength: 30}}\n"                                                  \
    "  - {copy: wear, into: first}\n"                                                                        \
    "  - {erode: thermal, steps: 3, set: {strength: 30}}\n"

static void wear_is_that_of_all_stages(void **state)
{
    (void)state;
    SiltRecipe *recipe;
    SiltTerrain *terrain;
    char *report;
    assert_ok(silt_recipe_read_text("two.yaml", TWO_STAGES, NULL, 0, &recipe));
    assert_ok(silt_recipe_add_masks(recipe, "two", NULL));
    SiltStatus status = silt_recipe_run(recipe, NULL, &terrain, &report);
#ifndef SILT_HAS_PNG
    assert_int_equal(status, SILT_MISSING_FEATURE);
#else
    assert_int_equal(status, SILT_OK);
    assert_non_null(strstr(report, "\"file\": \"wear.png\", \"layer\": \"total_wear\""));
    const SiltField *first = silt_terrain_layer(terrain, "first"),
                    *last = silt_terrain_layer(terrain, "wear"),
                    *total = silt_terrain_layer(terrain, "total_wear");
    double sum = 0.0;
    for (int k = 0; k < 24 * 24; k++) {
        float both = silt_field_at(first, k % 24, k / 24) + silt_field_at(last, k % 24, k / 24);
        assert_near((double)silt_field_at(total, k % 24, k / 24), (double)both, 0.0);
        sum += (double)both;
    }
    assert_true(sum > 0.0);
    silt_free(report);
    silt_terrain_destroy(terrain);
#endif
    silt_recipe_destroy(recipe);
}

#endif

// Masks of an earlier call that this one does not make go, and nothing else does.
static void an_older_call_leaves_no_masks(void **state)
{
    (void)state;
    SiltTerrain *terrain = worn_land(24);
    SiltMaskOptions six = mask_options(), two = mask_options();
    six.bands = 6;
    two.bands = 2;
    two.splat = false;
    assert_ok(silt_masks_write(terrain, "older", &six, NULL));
    assert_int_equal(access("older/band_6.png", F_OK), 0);
    static const char *const mine[] = {"older/mine.png", "older/band_6.txt", "older/band_7.png"};
    for (int k = 0; k < 3; k++)
        assert_ok(silt_write_file(mine[k], "mine", 4));
    assert_ok(silt_masks_write(terrain, "older", &two, NULL));
    assert_int_equal(access("older/band_2.png", F_OK), 0);
    assert_int_not_equal(access("older/band_3.png", F_OK), 0);
    assert_int_not_equal(access("older/splat.png", F_OK), 0);
    const char evil[] =
        "{\"bits\": 8, \"masks\": [{\"file\": \"mine.png\"}, {\"file\": \"../older/flow.png\"}, "
        "{\"file\": \"band_6.txt\"}, {\"file\": 3}, 4], \"splat\": 7}";
    assert_ok(silt_write_file("older/masks.json", evil, sizeof evil - 1));
    assert_ok(silt_masks_write(terrain, "older", &two, NULL));
    for (int k = 0; k < 3; k++)
        assert_int_equal(access(mine[k], F_OK), 0);
    silt_terrain_destroy(terrain);
}

static void bad_wishes_are_refused(void **state)
{
    (void)state;
    SiltTerrain *one, *masks;
    SiltMaskScale scales[SILT_MAX_LAYERS];
    SiltMaskOptions options = mask_options();
    assert_ok(silt_terrain_create(1, 1, 1.0, &one));
    assert_ok(silt_masks_make(one, &options, &masks, scales)); // one cell is enough
    silt_terrain_destroy(masks);
    assert_fails(silt_masks_check("masks.png", &options), SILT_BAD_ARGUMENT, "a folder");
    assert_fails(silt_masks_check("masks.exr", &options), SILT_BAD_ARGUMENT, "a folder");
    options.percentiles[0] = 99.5;
    assert_fails(silt_masks_make(one, &options, &masks, scales), SILT_BAD_ARGUMENT,
                 "the first must be below");
    options = mask_options();
    silt_field_row(silt_terrain_layer(one, "height"), 0)[0] = NAN;
    assert_fails(silt_masks_write(one, "nan", &options, NULL), SILT_BAD_ARGUMENT, "nothing was written");
    assert_int_not_equal(access("nan", F_OK), 0);
    silt_terrain_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_lie_between_0_and_1_and_give_their_values_back),
        cmocka_unit_test(weights_of_the_splat_map_add_up_in_every_cell),
#ifdef SILT_HAS_PNG
        cmocka_unit_test(files_hold_the_masks_and_say_their_scale),
#endif
        cmocka_unit_test(threads_do_not_show),
#ifdef SILT_HAS_YAML
        cmocka_unit_test(wear_is_that_of_all_stages),
#endif
        cmocka_unit_test(bad_wishes_are_refused),
        cmocka_unit_test(an_older_call_leaves_no_masks),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
