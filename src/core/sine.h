// Sines of + - * and floor alone: the same on every machine.
#ifndef SILT_CORE_SINE_H
#define SILT_CORE_SINE_H

#include <math.h>

// sin(2 pi turns) to 1e-9.
static inline double silt_sine(double turns)
{
    double t = turns - floor(turns + 0.5); // -0.5 to 0.5
    t = t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t;
    double x = 6.283185307179586 * t, y = x * x, term = x, sum = x;
    for (int k = 1; k <= 7; k++) { // Taylor's series up to x^15
        term *= -y / (double)((2 * k) * (2 * k + 1));
        sum += term;
    }
    return sum;
}

#endif
