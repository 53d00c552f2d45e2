#include "render/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "render/lettering.h"

enum { MAX_TICKS = 5, WIDTH = 24, LEAST_LETTERS = 6 };
#define HEIGHT 6.6 // of the plate, as WIDTH in heights of a letter
#define PAD    1.2

// What it is written with and on: by day, and in a window that is dark.
static const SiltColour inks[2] = {{0.12f, 0.13f, 0.15f}, {0.89f, 0.91f, 0.92f}};
static const SiltColour papers[2] = {{0.97f, 0.97f, 0.96f}, {0.11f, 0.125f, 0.145f}};

// Whether numbers of these sizes are short only with an exponent: then all have one.
static bool want_exponents(const double *ticks, int count)
{
    for (int k = 0; k < count; k++) {
        double size = fabs(ticks[k]);
        if (size >= 1e5 || (size > 0.0 && size < 1e-3))
            return true;
    }
    return false;
}

static void write_tick(double value, bool exponents, char text[32])
{
    if (exponents && value != 0.0) {
        double exponent = floor(log10(fabs(value)) + 1e-9), part = value / pow(10.0, exponent);
        snprintf(text, 32, "%ge%d", round(part * 100.0) / 100.0, (int)exponent);
    } else {
        char number[SILT_NUMBER_SIZE];
        snprintf(text, 32, "%s", silt_format_number(round(value * 1e6) / 1e6, number));
    }
}

static void draw_bar(const SiltImage *image, const SiltScale *scale, const double box[4])
{
    for (int i = 0; i < (int)box[2]; i++) {
        float place = (float)((i + 0.5) / box[2]);
        silt_image_fill(image, box[0] + i, box[1], 1.0, box[3], silt_scale_colour(scale, place), 1.0);
    }
}

// Height of the letters in a picture of this size; 0: there is no room for a legend.
static double letter_size(int width, int height)
{
    double size = fmax(9.0, 0.0135 * fmin(height, 0.8 * width));
    size = fmin(size, fmin(width / (WIDTH + 4.0 * PAD), height / (2.0 * HEIGHT)));
    return size < LEAST_LETTERS ? 0.0 : size;
}

int silt_legend_strip(int width, int height)
{
    return (int)ceil((HEIGHT + 2.0 * PAD) * letter_size(width, height));
}

static void draw_ticks(const SiltImage *image, const SiltScale *scale, const double bar[4], double size,
                       SiltColour ink)
{
    double ticks[MAX_TICKS];
    int count = silt_scale_ticks(scale, MAX_TICKS, ticks);
    bool exponents = want_exponents(ticks, count);
    for (int k = 0; k < count; k++) {
        double place = (double)silt_scale_place(scale, (float)ticks[k]), x = bar[0] + place * bar[2];
        char text[32];
        write_tick(ticks[k], exponents, text);
        double wide = silt_text_width(text, 0.85 * size, false), at = x - 0.5 * wide;
        at = fmin(fmax(at, bar[0] - 0.7 * PAD * size), bar[0] + bar[2] + 0.7 * PAD * size - wide);
        silt_image_fill(image, x - 0.5, bar[1] + bar[3], 1.0, 0.35 * size, ink, 0.8);
        silt_text_draw(image, text, at, bar[1] + bar[3] + 1.6 * size, 0.85 * size, false, ink);
    }
}

// The plate with its upper edge at `top`.
static bool draw_plate(const SiltImage *image, const char *layer, const char *unit, const SiltScale *scale,
                       double top, bool dark)
{
    SiltColour paper = papers[dark], ink = inks[dark];
    double size = letter_size(image->width, image->height), width = WIDTH * size, pad = PAD * size;
    double high = HEIGHT * size;
    double left = image->width - width - 3.0 * pad;
    silt_image_fill(image, left, top, width + 2.0 * pad, high, paper, 0.80);
    double x = left + pad, y = top + pad + size;
    char name[SILT_NAME_SIZE + 1];
    snprintf(name, sizeof name, "%s", layer);
    for (char *at = name; (at = strchr(at, '_'));)
        *at = ' ';
    silt_text_draw(image, name, x, y, size, false, ink);
    if (unit[0] && strcmp(unit, "1") != 0)
        silt_text_draw(image, unit, x + width - silt_text_width(unit, size, true), y, size, true, ink);
    double bar[4] = {x, y + 0.7 * size, floor(width), 1.1 * size};
    draw_bar(image, scale, bar);
    draw_ticks(image, scale, bar, size, ink);
    return true;
}

bool silt_legend_draw(const SiltImage *image, const char *layer, const char *unit, const SiltScale *scale,
                      bool dark)
{
    double size = letter_size(image->width, image->height);
    return size > 0.0 && draw_plate(image, layer, unit, scale, image->height - (HEIGHT + PAD) * size, dark);
}

bool silt_legend_draw_below(const SiltImage *image, const char *layer, const char *unit,
                            const SiltScale *scale, int row)
{
    double size = letter_size(image->width, image->height);
    return size > 0.0 &&
           draw_plate(image, layer, unit, scale, (PAD + row * (HEIGHT + 0.5 * PAD)) * size, false);
}
