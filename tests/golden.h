// Pictures compared by what an eye would see, with others and with those in tests/golden; SILT_GOLDEN=write
// makes the latter anew.
#ifndef SILT_TESTS_GOLDEN_H
#define SILT_TESTS_GOLDEN_H

#include "test.h"

#include "io/picture.h"
#include "silt/render.h"
#include "terrains.h"

#define GOLDEN SILT_SOURCE_DIR "/tests/golden/"

static inline SiltRenderOptions small_options(void)
{
    SiltRenderOptions options;
    assert_ok(silt_params_init(&silt_render_params, &options));
    options.width = 160;
    options.height = 120;
    return options;
}

// Mountains with a lake in their lowest part.
static inline SiltTerrain *mountains(void)
{
    SiltTerrain *terrain;
    SiltField *water, *flow;
    assert_ok(silt_terrain_create(128, 128, 20.0, &terrain));
    SiltField *height = &terrain->layers[0]->field;
    fill_hills(height, 5, 64, 6, 600.0f);
    assert_ok(silt_terrain_require(terrain, "water", &water));
    assert_ok(silt_terrain_require(terrain, "flow", &flow));
    for (int j = 0; j < 128; j++)
        for (int i = 0; i < 128; i++) {
            float depth = -250.0f - silt_field_at(height, i, j);
            silt_field_row(water, j)[i] = depth > 0.0f ? depth : 0.0f;
            silt_field_row(flow, j)[i] = 1.0f + fabsf((float)(i - 64)) * (float)j;
        }
    return terrain;
}

static inline int compare_differences(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The mean and the 95th percentile of the largest difference of a channel, in steps of 255; keeps the
// difference.
static inline void assert_alike(const SiltImage *image, const uint8_t *golden, const char *name)
{
    size_t pixels = (size_t)image->width * (size_t)image->height;
    int *differences = calloc(pixels, sizeof *differences);
    SiltImage shown = {image->width, image->height, calloc(pixels, 4)};
    assert_non_null(differences);
    assert_non_null(shown.rgba);
    double sum = 0.0;
    for (size_t k = 0; k < pixels; k++) {
        for (int c = 0; c < 4; c++) {
            int away = abs(image->rgba[4 * k + (size_t)c] - golden[4 * k + (size_t)c]);
            differences[k] = away > differences[k] ? away : differences[k];
        }
        int bright = 8 * differences[k] > 255 ? 255 : 8 * differences[k];
        memset(shown.rgba + 4 * k, bright, 3);
        shown.rgba[4 * k + 3] = 255;
        sum += differences[k];
    }
    qsort(differences, pixels, sizeof *differences, compare_differences);
    double mean = sum / (double)pixels;
    int most = differences[pixels * 95 / 100];
    char path[256], got[256];
    snprintf(path, sizeof path, "golden-%s-difference.png", name);
    snprintf(got, sizeof got, "golden-%s.png", name);
    bool good = mean <= 2.5 && most <= 12;
    if (!good) {
        silt_image_write(&shown, path);
        silt_image_write(image, got);
    }
    free(differences);
    free(shown.rgba);
    if (!good)
        fail_msg(
            "%s: differs by %.2f of 255 in the mean and by %d in a twentieth of all pixels; see %s and %s",
            name, mean, most, got, path);
}

static inline void check_golden(const SiltMotif *motif, const SiltRenderOptions *options, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, GOLDEN "%s.png", name);
    SiltImage image;
    assert_ok(silt_render_motif(motif, options, &image));
    const char *wish = getenv("SILT_GOLDEN");
    if (wish && strcmp(wish, "write") == 0) {
        assert_ok(silt_image_write(&image, path));
    } else {
        int width, height;
        uint8_t *golden;
        assert_ok(silt_png_read_rgba(path, &width, &height, &golden));
        assert_int_equal(width, image.width);
        assert_int_equal(height, image.height);
        assert_alike(&image, golden, name);
        silt_free(golden);
    }
    silt_image_destroy(&image);
}

#endif
