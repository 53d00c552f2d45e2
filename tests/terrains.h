// Terrains that tests of the ground share.
#ifndef SILT_TEST_TERRAINS_H
#define SILT_TEST_TERRAINS_H

#include "test.h"

#include "core/streams.h"
#include "physics/random.h"
#include "silt/terrain.h"

static inline float lattice(uint64_t seed, int i, int j, int octave)
{
    uint64_t index = (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
    return silt_symmetric(silt_random(seed, SILT_STREAM_TEST, index, (uint32_t)octave).word[0]);
}

// Rough hills: bilinear value noise, `octaves` of it from waves of `wave` cells down.
static inline void fill_hills(SiltField *field, uint64_t seed, int wave, int octaves, float amplitude)
{
    for (int j = 0; j < field->height; j++) {
        for (int i = 0; i < field->width; i++) {
            float height = 0.0f, size = amplitude;
            for (int octave = 0, step = wave; octave < octaves && step > 0;
                 octave++, step /= 2, size *= 0.5f) {
                int x = i / step, y = j / step;
                float u = (float)(i % step) / (float)step, v = (float)(j % step) / (float)step;
                float north = lattice(seed, x, y, octave) * (1.0f - u) + lattice(seed, x + 1, y, octave) * u;
                float south =
                    lattice(seed, x, y + 1, octave) * (1.0f - u) + lattice(seed, x + 1, y + 1, octave) * u;
                height += size * (north * (1.0f - v) + south * v);
            }
            silt_field_row(field, j)[i] = height;
        }
    }
}

static inline SiltTerrain *hills(int width, int height, uint64_t seed)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, 10.0, &terrain));
    fill_hills(&terrain->layers[0]->field, seed, 32, 6, 200.0f);
    return terrain;
}

static inline SiltTerrain *from_numbers(int width, int height, double cell, const float *numbers)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, cell, &terrain));
    for (int j = 0; j < height; j++)
        memcpy(silt_field_row(&terrain->layers[0]->field, j), numbers + (size_t)j * (size_t)width,
               (size_t)width * sizeof(float));
    return terrain;
}

// A hole of nodata: a disc.
static inline void punch(SiltTerrain *terrain, int i, int j, int radius)
{
    assert_ok(silt_terrain_require_nodata(terrain));
    for (int y = 0; y < terrain->height; y++)
        for (int x = 0; x < terrain->width; x++)
            if ((x - i) * (x - i) + (y - j) * (y - j) <= radius * radius)
                terrain->nodata[(size_t)y * (size_t)terrain->width + (size_t)x] = 1;
}

static inline void assert_same_field(const SiltField *a, const SiltField *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int j = 0; j < a->height; j++)
        assert_memory_equal(silt_field_row(a, j), silt_field_row(b, j), (size_t)a->width * sizeof(float));
}

// Fails the first, second, ... allocation of `call` until it passes; each failure must be clean.
#define sweep_allocations(call, undo)                                                                        \
    do {                                                                                                     \
        for (long n_ = 1;; n_++) {                                                                           \
            silt_fail_allocation(n_);                                                                        \
            SiltStatus swept_ = (call);                                                                      \
            silt_fail_allocation(0);                                                                         \
            if (swept_ == SILT_OK) {                                                                         \
                assert_true(n_ > 1);                                                                         \
                undo;                                                                                        \
                break;                                                                                       \
            }                                                                                                \
            assert_int_equal(swept_, SILT_NO_MEMORY);                                                        \
            assert_true(n_ < 1000);                                                                          \
        }                                                                                                    \
    } while (0)

#endif
