// Strong and weak rock, where no layer and no beds say more: the critical slope differs from place to place,
// by seed, over lengths in metres, so that finer grids have the same strong places. And walls of land that
// stand steeper where a run begins are of rock that is strong enough for it (back-analysis: what stands is a
// lower bound of strength). Noise tells nothing of rock.
#include <math.h>

#include "core/parallel.h"
#include "core/streams.h"
#include "erode/rivers.h"
#include "physics/noise.h"
#include "physics/random.h"
#include "terrain/terrain.h"

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

// ---- what stands ----

// The height of a cell as the run began; `own` where there is none.
static double began_at(const Rivers *rivers, int i, int j, double own)
{
    const SiltTerrain *terrain = rivers->terrain;
    if (i < 0 || j < 0 || i >= terrain->width || j >= terrain->height ||
        silt_terrain_is_nodata(terrain, i, j))
        return own;
    double before = rivers->before.data ? (double)silt_field_at(&rivers->before, i, j) : 0.0;
    return (double)silt_field_at(&terrain->layers[0]->field, i, j) + before;
}

// How much a cell falls by, m a cell, down the steepest of the eight facets around it (Tarboton 1997).
static double steepest_fall(const Rivers *rivers, int i, int j)
{
    static const int ring[9][2] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                                   {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    double own = began_at(rivers, i, j, 0.0), most = 0.0;
    for (int k = 0; k < 8; k++) {
        int first = k % 2; // one of each two that follow each other lies straight ahead
        double direct = began_at(rivers, i + ring[k + first][0], j + ring[k + first][1], own);
        double oblique = began_at(rivers, i + ring[k + 1 - first][0], j + ring[k + 1 - first][1], own);
        double ahead = own - direct, aside = direct - oblique;
        double fall = aside <= 0.0     ? ahead
                      : aside >= ahead ? (own - oblique) * 0.70710678118654752440
                                       : sqrt(ahead * ahead + aside * aside);
        most = fall > most ? fall : most;
    }
    return most;
}

static bool shows_strength(const Rivers *rivers)
{
    return rivers->land && rivers->params->standing > 0.0 && !(rivers->began > 0.0) &&
           rivers->rise == rivers->strength;
}

// ---- the whole ----

static void strength_rows(void *context, int begin, int end)
{
    const Strength *strength = context;
    Rivers *rivers = strength->rivers;
    const SiltTerrain *terrain = rivers->terrain;
    double rise = rivers->critical * terrain->cell;
    float differs = (float)rivers->params->strength_variation, standing = (float)rivers->params->standing;
    bool shown = shows_strength(rivers);
    for (int j = begin; j < end; j++)
        for (int i = 0; i < terrain->width; i++) {
            size_t c = (size_t)j * (size_t)terrain->width + (size_t)i;
            double x = (i + 0.5) * terrain->cell, y = (j + 0.5) * terrain->cell;
            float own = differs > 0.0f ? 1.0f + differs * strength_at(strength, x, y) : 1.0f;
            rivers->strength[c] = (float)rise * own;
            float steeper = shown && !silt_terrain_is_nodata(terrain, i, j)
                                ? (float)steepest_fall(rivers, i, j) - rivers->strength[c]
                                : 0.0f;
            rivers->strength[c] += steeper > 0.0f ? standing * steeper : 0.0f;
        }
}

bool silt_rivers_find_strength(Rivers *rivers)
{
    Strength strength = {.rivers = rivers};
    for (int k = 0; k < WAVES; k++)
        strength.word[k] = silt_random(rivers->seed, SILT_STREAM_SLOPES, (uint64_t)k, 0);
    return silt_parallel_heard(rivers->terrain->height, 16, strength_rows, &strength);
}
