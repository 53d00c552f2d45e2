// Plots as SVG: axes with round numbers, lines, points, bands and a legend.
#include "silt/plot.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "silt/io.h"

enum {
    WIDTH = 720,
    HEIGHT = 460,
    LEFT = 86,
    RIGHT = 20,
    TOP = 40,
    BOTTOM = 62,
    LEGEND = 150,
    MOST_TICKS = 16
};

typedef struct Axis {
    double low, high; // of what is drawn: logarithms where `log`
    bool log;
    double from, to; // pixels
    double ticks[MOST_TICKS];
    int tick_count;
} Axis;

// eight hues that stay apart in grey and for eyes that see no red or no green (Okabe & Ito 2008)
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8c7a00"};

// ---- axes ----

static double scaled(const Axis *axis, double value)
{
    return axis->log ? log10(value) : value;
}

static bool is_shown(const Axis *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0.0);
}

static void include(Axis *axis, double value)
{
    if (!is_shown(axis, value))
        return;
    double at = scaled(axis, value);
    axis->low = fmin(axis->low, at);
    axis->high = fmax(axis->high, at);
}

static void span(const SiltPlot *plot, Axis *x, Axis *y)
{
    *x = (Axis){.low = INFINITY, .high = -INFINITY, .log = plot->x_log};
    *y = (Axis){.low = INFINITY, .high = -INFINITY, .log = plot->y_log};
    for (int s = 0; s < plot->series_count; s++)
        for (int k = 0; k < plot->series[s].count; k++) {
            const SiltSeries *series = &plot->series[s];
            if (!is_shown(x, series->x[k]) || !is_shown(y, series->y[k]))
                continue;
            include(x, series->x[k]);
            include(y, series->y[k]);
            if (series->filled && series->low)
                include(y, series->low[k]);
        }
}

// A little room at both ends; something of no extent gets some.
static void widen(Axis *axis)
{
    double size = axis->high - axis->low;
    if (!(size > 1e-12 * fmax(fabs(axis->low), fabs(axis->high))))
        size = axis->log ? 1.0 : fmax(1e-12, 0.1 * fabs(axis->low));
    axis->low -= 0.04 * size;
    axis->high += 0.04 * size;
}

// 1, 2 or 5 times a power of ten, five to ten of them.
static void find_ticks(Axis *axis)
{
    double size = axis->high - axis->low, power = pow(10.0, floor(log10(size / 5.0)));
    double ratio = size / 5.0 / power, step = power * (ratio < 1.5   ? 1.0
                                                       : ratio < 3.5 ? 2.0
                                                       : ratio < 7.5 ? 5.0
                                                                     : 10.0);
    if (axis->log && step < 1.0)
        step = 1.0;
    for (double k = ceil(axis->low / step); k * step <= axis->high && axis->tick_count < MOST_TICKS; k += 1.0)
        axis->ticks[axis->tick_count++] = k * step;
    // less than two powers of ten: their multiples too
    if (!axis->log || axis->tick_count >= 3)
        return;
    axis->tick_count = 0;
    for (double k = floor(axis->low); k <= axis->high; k += 1.0)
        for (int m = 1; m < 10 && axis->tick_count < MOST_TICKS; m++) {
            double at = k + log10((double)m);
            bool round = m == 1 || m == 2 || m == 5 || size < 0.5;
            if (round && at >= axis->low && at <= axis->high)
                axis->ticks[axis->tick_count++] = at;
        }
}

static double place(const Axis *axis, double at)
{
    return axis->from + (at - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

// ---- text ----

static void add_escaped(SiltText *text, const char *words)
{
    for (const char *c = words; *c; c++)
        switch (*c) {
        case '<':
            silt_text_add(text, "&lt;");
            break;
        case '&':
            silt_text_add(text, "&amp;");
            break;
        case '"':
            silt_text_add(text, "&quot;");
            break;
        default:
            silt_text_addf(text, "%c", (unsigned char)*c < 32 ? ' ' : *c);
        }
}

static void add_words(SiltText *text, double x, double y, const char *how, const char *words)
{
    silt_text_addf(text, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, how);
    add_escaped(text, words);
    silt_text_add(text, "</text>\n");
}

// What is nearly zero beside its neighbours is zero.
static void tick_words(const Axis *axis, double at, char words[32])
{
    double value = axis->log ? pow(10.0, at) : fabs(at) < 1e-9 * (axis->high - axis->low) ? 0.0 : at;
    snprintf(words, 32, "%.6g", value);
}

static void add_axes(SiltText *text, const SiltPlot *plot, const Axis *x, const Axis *y)
{
    char words[32];
    for (int k = 0; k < x->tick_count; k++) {
        double at = place(x, x->ticks[k]);
        silt_text_addf(text, "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/>\n", at, y->from, y->to);
        tick_words(x, x->ticks[k], words);
        add_words(text, at, y->from + 18.0, "text-anchor=\"middle\"", words);
    }
    for (int k = 0; k < y->tick_count; k++) {
        double at = place(y, y->ticks[k]);
        silt_text_addf(text, "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n", x->from, at, x->to);
        tick_words(y, y->ticks[k], words);
        add_words(text, x->from - 8.0, at + 4.0, "text-anchor=\"end\"", words);
    }
    silt_text_addf(text, "<path class=\"a\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x->from, y->to, y->from, x->to);
    char how[96];
    double middle = 0.5 * (y->from + y->to);
    snprintf(how, sizeof how, "text-anchor=\"middle\" transform=\"rotate(-90 18 %.1f)\"", middle);
    add_words(text, 0.5 * (x->from + x->to), y->from + 44.0, "text-anchor=\"middle\"",
              plot->x_label ? plot->x_label : "");
    add_words(text, 18.0, middle, how, plot->y_label ? plot->y_label : "");
    add_words(text, 0.5 * (x->from + x->to), 24.0, "text-anchor=\"middle\" font-weight=\"bold\"",
              plot->title ? plot->title : "");
}

// ---- series ----

static void add_line(SiltText *text, const SiltSeries *s, const Axis *x, const Axis *y, const char *colour)
{
    bool pen = false;
    silt_text_addf(text, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"", colour);
    for (int k = 0; k < s->count; k++) {
        bool shown = is_shown(x, s->x[k]) && is_shown(y, s->y[k]);
        if (shown)
            silt_text_addf(text, "%s%.2f %.2f", pen ? "L" : "M", place(x, scaled(x, s->x[k])),
                           place(y, scaled(y, s->y[k])));
        pen = shown;
    }
    silt_text_add(text, "\"/>\n");
}

static void add_points(SiltText *text, const SiltSeries *s, const Axis *x, const Axis *y, const char *colour)
{
    for (int k = 0; k < s->count; k++)
        if (is_shown(x, s->x[k]) && is_shown(y, s->y[k]))
            silt_text_addf(text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n",
                           place(x, scaled(x, s->x[k])), place(y, scaled(y, s->y[k])), colour);
}

// Up along the highest, back along the lowest; pieces between gaps by themselves.
static void add_band(SiltText *text, const SiltSeries *s, const Axis *x, const Axis *y, const char *colour)
{
    for (int begin = 0, end; begin < s->count; begin = end + 1) {
        for (end = begin;
             end < s->count && is_shown(x, s->x[end]) && is_shown(y, s->y[end]) && is_shown(y, s->low[end]);)
            end++;
        if (end == begin)
            continue;
        silt_text_addf(text, "<path fill=\"%s\" fill-opacity=\"0.22\" d=\"M", colour);
        for (int k = begin; k < end; k++)
            silt_text_addf(text, "%.2f %.2f ", place(x, scaled(x, s->x[k])), place(y, scaled(y, s->y[k])));
        for (int k = end - 1; k >= begin; k--)
            silt_text_addf(text, "%.2f %.2f ", place(x, scaled(x, s->x[k])), place(y, scaled(y, s->low[k])));
        silt_text_add(text, "Z\"/>\n");
    }
}

static bool has_legend(const SiltPlot *plot)
{
    for (int s = 0; s < plot->series_count; s++)
        if (plot->series[s].name && plot->series[s].name[0])
            return true;
    return false;
}

static void add_series(SiltText *text, const SiltPlot *plot, const Axis *x, const Axis *y)
{
    int line = 0;
    for (int k = 0; k < plot->series_count; k++) {
        const SiltSeries *s = &plot->series[k];
        const char *colour = colours[k % (int)(sizeof colours / sizeof colours[0])];
        if (s->filled && s->low)
            add_band(text, s, x, y, colour);
        else
            add_line(text, s, x, y, colour);
        if (s->points)
            add_points(text, s, x, y, colour);
        if (!s->name || !s->name[0])
            continue;
        double at = y->to + 10.0 + 18.0 * line++;
        silt_text_addf(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>\n",
                       x->to + 14.0, at - 6.0, colour);
        add_words(text, x->to + 34.0, at, "", s->name);
    }
}

SiltStatus silt_plot_svg(const SiltPlot *plot, char **out)
{
    *out = NULL;
    Axis x, y;
    span(plot, &x, &y);
    if (!(x.low <= x.high) || !(y.low <= y.high))
        return silt_fail(SILT_BAD_ARGUMENT, "there is nothing to plot: no pair of numbers%s",
                         plot->x_log || plot->y_log ? " above zero" : "");
    widen(&x);
    widen(&y);
    find_ticks(&x);
    find_ticks(&y);
    int width = WIDTH + (has_legend(plot) ? LEGEND : 0);
    x.from = LEFT, x.to = WIDTH - RIGHT;
    y.from = HEIGHT - BOTTOM, y.to = TOP;
    SiltText text = {0};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // a point in numbers, wherever it is drawn
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    silt_text_addf(
        &text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n"
        "<style>.g{stroke:#ddd}.a{stroke:#222;fill:none}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        width, HEIGHT, width, HEIGHT, width, HEIGHT);
    add_axes(&text, plot, &x, &y);
    add_series(&text, plot, &x, &y);
    silt_text_add(&text, "</svg>\n");
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    *out = silt_text_take(&text);
    return *out ? SILT_OK : SILT_NO_MEMORY;
}

SiltStatus silt_plot_write(const SiltPlot *plot, const char *path)
{
    char *svg;
    SiltStatus status = silt_plot_svg(plot, &svg);
    if (status == SILT_OK)
        status = silt_write_file(path, svg, strlen(svg));
    silt_free(svg);
    return status;
}
