#include "render/speckle.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/streams.h"
#include "physics/random.h"

enum { SIDE = SILT_SPECKLE_SIDE, COARSEST = 4, OCTAVES = 6 };

typedef struct Speckle {
    float *lattice[2][OCTAVES]; // random numbers at the corners of each octave's squares
    float *value[2];
    uint8_t *rgba;
} Speckle;

static float corner(const float *lattice, int period, int i, int j)
{
    return lattice[(j & (period - 1)) * period + (i & (period - 1))];
}

// Random numbers at corners, blended with a curve whose first two derivatives vanish there.
static float octave(const float *lattice, int period, float x, float y)
{
    int i = (int)x, j = (int)y;
    float u = x - (float)i, v = y - (float)j;
    u = u * u * u * (u * (u * 6.0f - 15.0f) + 10.0f);
    v = v * v * v * (v * (v * 6.0f - 15.0f) + 10.0f);
    float north = corner(lattice, period, i, j) +
                  (corner(lattice, period, i + 1, j) - corner(lattice, period, i, j)) * u;
    float south = corner(lattice, period, i, j + 1) +
                  (corner(lattice, period, i + 1, j + 1) - corner(lattice, period, i, j + 1)) * u;
    return north + (south - north) * v;
}

static void fill_rows(void *context, int begin, int end)
{
    const Speckle *speckle = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < SIDE; i++)
            for (int c = 0; c < 2; c++) {
                float sum = 0.0f, amplitude = 0.5f;
                for (int o = 0; o < OCTAVES; o++, amplitude *= 0.58f) {
                    int period = COARSEST << o;
                    float scale = (float)period / SIDE;
                    sum += amplitude *
                           octave(speckle->lattice[c][o], period, (float)i * scale, (float)j * scale);
                }
                speckle->value[c][j * SIDE + i] = 0.5f + 0.85f * sum;
            }
}

static uint8_t byte_of(float value)
{
    return (uint8_t)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

static void pack_rows(void *context, int begin, int end)
{
    const Speckle *speckle = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < SIDE; i++) {
            const float *red = speckle->value[0];
            float east = red[j * SIDE + ((i + 1) & (SIDE - 1))] - red[j * SIDE + ((i - 1) & (SIDE - 1))];
            float south = red[((j + 1) & (SIDE - 1)) * SIDE + i] - red[((j - 1) & (SIDE - 1)) * SIDE + i];
            uint8_t *to = speckle->rgba + (size_t)(j * SIDE + i) * 4;
            to[0] = byte_of(red[j * SIDE + i]);
            to[1] = byte_of(speckle->value[1][j * SIDE + i]);
            to[2] = byte_of(0.5f + 2.0f * east);
            to[3] = byte_of(0.5f + 2.0f * south);
        }
}

SiltStatus silt_speckle_make(uint8_t *rgba)
{
    Speckle speckle = {.rgba = rgba};
    size_t corners = 0;
    for (int o = 0; o < OCTAVES; o++)
        corners += (size_t)(COARSEST << o) * (size_t)(COARSEST << o);
    float *block;
    size_t cells = (size_t)SIDE * SIDE;
    SiltStatus status =
        silt_alloc_for("the speckle of the ground", 2 * (corners + cells), sizeof(float), (void **)&block);
    if (status != SILT_OK)
        return status;
    for (size_t k = 0; k < 2 * corners; k++)
        block[k] = silt_symmetric(silt_random(0, SILT_STREAM_RENDER, k, 0).word[0]);
    float *next = block;
    for (int c = 0; c < 2; c++)
        for (int o = 0; o < OCTAVES; o++) {
            speckle.lattice[c][o] = next;
            next += (size_t)(COARSEST << o) * (size_t)(COARSEST << o);
        }
    speckle.value[0] = next;
    speckle.value[1] = next + cells;
    silt_parallel(SIDE, 16, fill_rows, &speckle);
    silt_parallel(SIDE, 16, pack_rows, &speckle);
    silt_free(block);
    return SILT_OK;
}
