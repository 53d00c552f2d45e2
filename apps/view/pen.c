#include "pen.h"

#include <math.h>

// A touch that is felt leaves a trace.
static const double faintest = 0.02;

double pen_strength(double pressure)
{
    if (isnan(pressure))
        return 1.0;
    double pressed = fmin(fmax(pressure, 0.0), 1.0);
    return faintest + (1.0 - faintest) * pressed * sqrt(pressed);
}
