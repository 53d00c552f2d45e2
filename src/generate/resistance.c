#include "generate/resistance.h"

#include <math.h>

#include "physics/random.h"

// draws that no polygons use
enum { MEDIUM_VALUES = 0x7FFFFF00, MEDIUM_PLACES };

static double centred(uint32_t word)
{
    return (double)silt_symmetric(word);
}

void silt_resistance_init(SiltResistance *resistance, double strength, double size, uint64_t seed,
                          uint32_t stream)
{
    resistance->strength = strength;
    double scale = size > 1e-6 ? 1.0 / size : 1e6;
    for (int o = 0; o < SILT_RESISTANCE_OCTAVES; o++, scale *= 2.0) {
        SiltRandom random = silt_random(seed, stream, (uint64_t)o, MEDIUM_PLACES);
        resistance->shift[o][0] = SILT_RESISTANCE_SIDE * (double)silt_uniform(random.word[0]);
        resistance->shift[o][1] = SILT_RESISTANCE_SIDE * (double)silt_uniform(random.word[1]);
        double x = 1.0, y = 0.0, length = 2.0; // an angle: points of the square until one lies in the circle
        for (uint64_t k = 1; length > 1.0 || length < 0.01; k++) {
            random = silt_random(seed, stream, (uint64_t)o + k * 16, MEDIUM_PLACES);
            x = centred(random.word[0]);
            y = centred(random.word[1]);
            length = x * x + y * y;
        }
        double c = scale * x / sqrt(length), s = scale * y / sqrt(length);
        resistance->turn[o][0] = resistance->turn[o][3] = c;
        resistance->turn[o][1] = -s;
        resistance->turn[o][2] = s;
        for (int k = 0; k < SILT_RESISTANCE_SIDE * SILT_RESISTANCE_SIDE; k += 4) {
            random = silt_random(
                seed, stream, (uint64_t)(o * SILT_RESISTANCE_SIDE * SILT_RESISTANCE_SIDE + k), MEDIUM_VALUES);
            for (int m = 0; m < 4; m++)
                resistance->value[o][(k + m) / SILT_RESISTANCE_SIDE][(k + m) % SILT_RESISTANCE_SIDE] =
                    silt_symmetric(random.word[m]);
        }
    }
}

// Value noise: cubic between random values at the points of a square grid that repeats.
static double noise(const SiltResistance *resistance, int o, double x, double y)
{
    const double *turn = resistance->turn[o];
    double u = turn[0] * x + turn[1] * y + resistance->shift[o][0];
    double v = turn[2] * x + turn[3] * y + resistance->shift[o][1];
    double fu = floor(u), fv = floor(v);
    u -= fu;
    v -= fv;
    u = u * u * (3.0 - 2.0 * u);
    v = v * v * (3.0 - 2.0 * v);
    int mask = SILT_RESISTANCE_SIDE - 1;
    int i0 = (int)((int64_t)fu & mask), j0 = (int)((int64_t)fv & mask), i1 = (i0 + 1) & mask,
        j1 = (j0 + 1) & mask;
    const float(*value)[SILT_RESISTANCE_SIDE] = resistance->value[o];
    double top = (double)value[j0][i0] * (1.0 - u) + (double)value[j0][i1] * u;
    double bottom = (double)value[j1][i0] * (1.0 - u) + (double)value[j1][i1] * u;
    return top * (1.0 - v) + bottom * v;
}

double silt_resistance_at(const SiltResistance *resistance, double x, double y)
{
    double sum = 0.0, amplitude = 1.0;
    for (int o = 0; o < SILT_RESISTANCE_OCTAVES; o++, amplitude *= 0.8)
        sum += amplitude * noise(resistance, o, x, y);
    sum *= resistance->strength;
    // growth finds the easy ways, so the mean time is well below that of the places: made up for here
    double mean = 1.0 + 0.4 * resistance->strength;
    return mean * (sum > 0.0 ? 1.0 + sum : 1.0 / (1.0 - sum));
}
