// silt/plot.h — numbers as lines and points in an SVG.
#ifndef SILT_PLOT_H
#define SILT_PLOT_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltSeries {
    const char *name; // for the legend; NULL or "": it has no line there
    const double *x, *y;
    int count;
    bool points; // a mark at each of them
    bool filled; // the area between y and `low`, in place of a line
    const double *low;
} SiltSeries;

typedef struct SiltPlot {
    const char *title, *x_label, *y_label; // with their units; NULL: none
    bool x_log, y_log;
    const SiltSeries *series;
    int series_count;
} SiltPlot;

// The whole SVG; the caller frees it. Numbers that are not finite, and on an axis of logarithms those not
// above zero, are gaps. Fails where nothing is left to draw.
SILT_API SiltStatus silt_plot_svg(const SiltPlot *plot, char **out);
SILT_API SiltStatus silt_plot_write(const SiltPlot *plot, const char *path);

#ifdef __cplusplus
}
#endif
#endif
