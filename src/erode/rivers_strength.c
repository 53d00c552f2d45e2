// Strong and weak rock, where no layer and no beds say more: the critical slope differs from place to place,
// by seed, over lengths in metres, so that finer grids have the same strong places.
#include "core/parallel.h"
#include "core/streams.h"
#include "erode/rivers.h"
#include "physics/noise.h"
#include "physics/random.h"

static const double longest = 3000.0; // m; each further wave is 2.7 times as short
enum { WAVES = 4 };

typedef struct Strength {
    Rivers *rivers;
    SiltRandom word[WAVES];
} Strength;

static float strength_at(const Strength *strength, double x, double y)
{
    float sum = 0.0f, share = 1.0f;
    double length = longest;
    for (int k = 0; k < WAVES; k++, length /= 2.7, share *= 0.75f) {
        const silt_u32 *word = strength->word[k].word;
        sum += share * silt_noise(word[0], word[1], (float)(x / length), (float)(y / length), word[2]);
    }
    return silt_clampf(1.5f * sum, -1.0f, 1.0f);
}

static void strength_rows(void *context, int begin, int end)
{
    const Strength *strength = context;
    Rivers *rivers = strength->rivers;
    const SiltTerrain *terrain = rivers->terrain;
    double rise = rivers->critical * terrain->cell;
    float differs = (float)rivers->params->strength_variation;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            size_t c = (size_t)j * (size_t)terrain->width + (size_t)i;
            double x = (i + 0.5) * terrain->cell, y = (j + 0.5) * terrain->cell;
            float own = differs > 0.0f ? 1.0f + differs * strength_at(strength, x, y) : 1.0f;
            rivers->strength[c] = (float)rise * own;
        }
}

void silt_rivers_find_strength(Rivers *rivers)
{
    Strength strength = {.rivers = rivers};
    for (int k = 0; k < WAVES; k++)
        strength.word[k] = silt_random(rivers->seed, SILT_STREAM_SLOPES, (uint64_t)k, 0);
    silt_parallel(rivers->terrain->height, 16, strength_rows, &strength);
}
