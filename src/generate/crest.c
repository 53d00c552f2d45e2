#include "generate/crest.h"

#include <math.h>

#include "physics/random.h"

enum { CREST_DRAW = 0x7FFFFF10 }; // a draw that no polygons use

void silt_crest_init(SiltCrestLine *crest, double x0, double y0, double x1, double y1, double wander,
                     uint64_t seed, uint32_t stream, uint64_t number)
{
    int last = SILT_CREST_POINTS - 1;
    crest->x[0] = x0;
    crest->y[0] = y0;
    crest->x[last] = x1;
    crest->y[last] = y1;
    for (int step = last; step > 1; step /= 2)
        for (int k = step / 2; k < last; k += step) {
            int a = k - step / 2, b = k + step / 2;
            double dx = crest->x[b] - crest->x[a], dy = crest->y[b] - crest->y[a];
            SiltRandom random =
                silt_random(seed, stream, number * SILT_CREST_POINTS + (uint64_t)k, CREST_DRAW);
            double across = wander * (double)silt_symmetric(random.word[0]);
            crest->x[k] = 0.5 * (crest->x[a] + crest->x[b]) - across * dy;
            crest->y[k] = 0.5 * (crest->y[a] + crest->y[b]) + across * dx;
        }
}
