#include "render/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "render/lettering.h"

enum { MAX_TICKS = 5 };

// Powers of ten as 1e6, all others as short as they can be.
static void write_tick(double value, char text[32])
{
    double exponent = value > 0.0 ? floor(log10(value) + 0.5) : 0.0;
    if (value >= 1e5 || (value > 0.0 && value < 1e-3)) {
        double part = value / pow(10.0, exponent);
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

void silt_legend_draw(const SiltImage *image, const char *layer, const char *unit, const SiltScale *scale)
{
    static const SiltColour paper = {0.97f, 0.97f, 0.96f}, ink = {0.12f, 0.13f, 0.15f};
    double size = fmax(9.0, 0.0135 * fmin(image->height, 0.8 * image->width)), width = 24.0 * size;
    double pad = 1.2 * size, high = 6.6 * size;
    if (image->width < width + 4.0 * pad || image->height < 2.0 * high)
        return;
    double left = image->width - width - 3.0 * pad, top = image->height - high - pad;
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
    double ticks[MAX_TICKS];
    int count = silt_scale_ticks(scale, MAX_TICKS, ticks);
    for (int k = 0; k < count; k++) {
        double place = (double)silt_scale_place(scale, (float)ticks[k]);
        char text[32];
        write_tick(ticks[k], text);
        double wide = silt_text_width(text, 0.85 * size, false), at = x + place * width - 0.5 * wide;
        at = fmin(fmax(at, left + 0.3 * pad), left + width + 1.7 * pad - wide);
        silt_image_fill(image, x + place * width - 0.5, bar[1] + bar[3], 1.0, 0.35 * size, ink, 0.8);
        silt_text_draw(image, text, at, bar[1] + bar[3] + 1.6 * size, 0.85 * size, false, ink);
    }
}
