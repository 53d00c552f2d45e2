#include "erode/substeps.h"

#include <math.h>

#include "core/parallel.h"

void silt_substeps_begin(SiltSubsteps *steps, double length)
{
    if (steps->left > 0.0)
        return;
    steps->length = steps->left = length;
    steps->taken = 0;
}

bool silt_substeps_next(SiltSubsteps *steps, double stable, double *dt)
{
    if (!(steps->left > 0.0) || steps->taken >= SILT_MOST_SUBSTEPS)
        return false;
    if (steps->taken > 0 && silt_is_stopped())
        return false;
    double count = ceil(steps->left / stable - 1e-9);
    *dt = count > 1.0 ? steps->left / count : steps->left;
    steps->left = count > 1.0 ? steps->left - *dt : 0.0;
    steps->taken++;
    return true;
}

double silt_substeps_end(SiltSubsteps *steps)
{
    if (steps->left > 0.0 && steps->taken < SILT_MOST_SUBSTEPS)
        return -1.0;
    double took = steps->length - steps->left;
    steps->left = 0.0;
    return took;
}

void silt_substeps_warn(SiltSubsteps *steps, const char *owner, double step, double stable, double deepest,
                        double swiftest)
{
    if (steps->told || !(step > SILT_MOST_SUBSTEPS * stable))
        return;
    steps->told = true;
    silt_warn(
        "%s: step = %g s asks for %.0f sub-steps of %.3g s, for water is %.3g m deep and %.3g m/s fast; "
        "a step ends after %d of them: lower step, or leave it at 0",
        owner, step, ceil(step / stable), stable, deepest, swiftest, SILT_MOST_SUBSTEPS);
}
