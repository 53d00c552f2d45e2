// How easily the rock wears, as a function of the place: known deep below before any brick is made there.
#include <math.h>

#include "core/streams.h"
#include "physics/noise.h"
#include "physics/random.h"
#include "volume/brick.h"

// Their names stand among those of other tables on the command line, so they say what they are of.
#define ROCK_REAL(field, unit_, default_, low_, high_, ...)                                                  \
    {                                                                                                        \
        .name = "rock_" #field, .type = SILT_TYPE_REAL, .offset = SILT_OFFSET_OF(SiltRock, field, double *), \
        .unit = unit_, .number = {default_}, .minimum = low_, .maximum = high_, .help = __VA_ARGS__          \
    }

static const SiltParam rock_items[] = {
    {.name = "rock",
     .type = SILT_TYPE_CHOICE,
     .offset = SILT_OFFSET_OF(SiltRock, kind, int *),
     .unit = "",
     .choices = "uniform noise strata",
     .text = "uniform",
     .help = "the same everywhere, patches of harder and softer rock, or hard and soft beds in turn"},
    ROCK_REAL(low, "", 0.2, 0.0, 1e3, "erodibility of the hardest rock"),
    ROCK_REAL(high, "", 1.0, 0.0, 1e3, "erodibility of the softest rock, and of uniform rock"),
    ROCK_REAL(size, "m", 100.0, 1e-3, 1e7,
              "size of the patches, or thickness of a hard and a soft bed together", .flags = SILT_LOG),
    {.name = "rock_dip",
     .type = SILT_TYPE_VECTOR,
     .offset = SILT_OFFSET_OF(SiltRock, dip, double (*)[2]),
     .size = 2,
     .unit = "",
     .minimum = -10.0,
     .maximum = 10.0,
     .help = "fall of the beds per metre east and north"},
};
const SiltParamTable silt_rock_params = SILT_PARAM_TABLE(SiltRock, rock_items);

static double lattice_value(uint32_t seed, int i, int j, int k)
{
    uint32_t number =
        seed + (uint32_t)i * SILT_NOISE_X + (uint32_t)j * SILT_NOISE_Y + (uint32_t)k * 0xC2B2AE35u;
    return (double)silt_noise_mix(number) * (1.0 / 4294967296.0);
}

double silt_rock_noise(uint32_t seed, const double at[3])
{
    double fade[3];
    int low[3];
    for (int axis = 0; axis < 3; axis++) {
        double whole = floor(at[axis]), t = at[axis] - whole;
        low[axis] = (int)whole;
        fade[axis] = t * t * (3.0 - 2.0 * t);
    }
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        for (int axis = 0; axis < 3; axis++)
            weight *= corner >> axis & 1 ? fade[axis] : 1.0 - fade[axis];
        sum += weight *
               lattice_value(seed, low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2));
    }
    return sum;
}

// 1 in the middle of a soft bed, 0 in that of a hard one, with short passages between.
static double bed(double position)
{
    double t = position - floor(position), from_middle = fabs(t - 0.5);
    double soft = (0.25 - from_middle) * 10.0 + 0.5;
    return soft < 0.0 ? 0.0 : soft > 1.0 ? 1.0 : soft;
}

static double softness(const SiltVolume *volume, int i, int j, int k)
{
    const SiltRock *rock = &volume->rock;
    double at[3] = {i * volume->cell, j * volume->cell, k * volume->cell};
    SiltRandom random = silt_random(volume->rock_seed, SILT_STREAM_ROCK, 0, 0);
    if (rock->kind == SILT_ROCK_STRATA)
        return bed((at[2] + rock->dip[0] * at[0] + rock->dip[1] * at[1]) / rock->size);
    if (rock->kind != SILT_ROCK_NOISE)
        return 1.0;
    double sum = 0.0, weight = 0.5;
    for (int octave = 0; octave < 4; octave++, weight *= 0.5) {
        double scale = (double)(1 << octave) / rock->size;
        double point[3] = {at[0] * scale, at[1] * scale, at[2] * scale};
        sum += weight * silt_rock_noise(random.word[octave], point);
    }
    return sum / (1.0 - 0.0625);
}

float silt_rock_at(const SiltVolume *volume, int i, int j, int k)
{
    const SiltRock *rock = &volume->rock;
    double erodibility = rock->low + (rock->high - rock->low) * softness(volume, i, j, k);
    if (volume->rock_map.data) {
        int last_i = volume->size[0] - 1, last_j = volume->size[1] - 1;
        int row = last_j - (j > last_j ? last_j : j);
        erodibility *= (double)silt_field_at(&volume->rock_map, i > last_i ? last_i : i, row);
    }
    return (float)erodibility;
}

void silt_volume_erodibility_range(const SiltVolume *volume, float out[2])
{
    size_t voxels = silt_brick_voxels(volume);
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (size_t brick = 0; brick < silt_brick_total(volume); brick++)
        for (size_t k = voxels; !silt_volume_is_uniform(volume, brick) && k < 2 * voxels; k++) {
            float here = volume->table[brick][k];
            out[0] = here < out[0] ? here : out[0];
            out[1] = here > out[1] ? here : out[1];
        }
    if (out[0] > out[1])
        out[0] = out[1] = (float)volume->rock.high;
}
