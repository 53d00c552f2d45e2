// A straight line through points, y = intercept + slope x, by least squares.
#ifndef SILT_TERRAIN_FIT_H
#define SILT_TERRAIN_FIT_H

#include <math.h>

typedef struct SiltFit {
    double count, x, y, xx, xy, yy; // sums
} SiltFit;

static inline void silt_fit_add(SiltFit *fit, double x, double y)
{
    fit->count += 1.0;
    fit->x += x;
    fit->y += y;
    fit->xx += x * x;
    fit->xy += x * y;
    fit->yy += y * y;
}

// NaN with fewer than `least` points, or all at one x.
static inline double silt_fit_slope(const SiltFit *fit, int least)
{
    double spread = fit->count * fit->xx - fit->x * fit->x;
    return fit->count >= least && spread > 0.0 ? (fit->count * fit->xy - fit->x * fit->y) / spread : NAN;
}

// The share of the variance of y that the line explains.
static inline double silt_fit_r2(const SiltFit *fit, int least)
{
    double x = fit->count * fit->xx - fit->x * fit->x, y = fit->count * fit->yy - fit->y * fit->y;
    double both = fit->count * fit->xy - fit->x * fit->y;
    return fit->count >= least && x > 0.0 && y > 0.0 ? both * both / (x * y) : NAN;
}

#endif
