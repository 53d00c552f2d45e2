// Where drops of rain and particles of springs appear, and the numbers of a step over a heightfield. For C
// and OpenCL.
#ifndef SILT_COUPLE_DROPS_H
#define SILT_COUPLE_DROPS_H

#include "couple/loads.h"
#include "couple/seeds.h"
#include "physics/random.h"

enum {
    SILT_DROP_TRIES = 16, // in a place that may be taken
    SILT_DROP_STACK = 4,  // in each layer above that of a spring
    SILT_DROP_DRAWS = 4096
};

typedef struct SiltDropRule {
    double low[2], high[2]; // m: the box
    double x, y, radius;    // m: of a spring
    double stack;           // m: as high may water of a spring stand over the layer in which it appears
    double height, spacing; // m above the ground, and up to so much higher
    double taken2;          // m2: a place is taken where another particle lies nearer
    silt_u64 seed;
    int is_spring, has_map, stream; // a spring, or rain; a map says where it falls
    float rain_most;                // highest value of the map
} SiltDropRule;

// A place on the map for rain, or one within the radius of a spring; false: draw again.
static inline bool silt_drop_place(SILT_STEP const SiltDropRule *r, SiltRandom random, float *x, float *y)
{
    if (!r->is_spring) {
        *x = (float)(r->low[0] + (r->high[0] - r->low[0]) * (double)silt_uniform(random.word[0]));
        *y = (float)(r->low[1] + (r->high[1] - r->low[1]) * (double)silt_uniform(random.word[1]));
        return true;
    }
    float dx = silt_symmetric(random.word[0]), dy = silt_symmetric(random.word[1]);
    *x = silt_clampf((float)(r->x + r->radius * (double)dx), (float)r->low[0], (float)r->high[0]);
    *y = silt_clampf((float)(r->y + r->radius * (double)dy), (float)r->low[1], (float)r->high[1]);
    return !(dx * dx + dy * dy > 1.0f);
}

// How many spacings above its own layer a spring looks that has found so many places taken. Water appears at
// rest, and a layer one spacing thick is free again only once it has fallen that far: the thinner, the less
// water a second. What finds no place stands above, and its weight drives what lies below.
static inline int silt_drop_layer(int tries)
{
    return tries < SILT_DROP_TRIES ? 0 : 1 + (tries - SILT_DROP_TRIES) / SILT_DROP_STACK;
}

// Whether it is worth looking on after so many places that were taken.
static inline bool silt_drop_looks_on(SILT_STEP const SiltDropRule *r, int tries)
{
    return tries < SILT_DROP_TRIES || (r->is_spring && silt_drop_layer(tries) * r->spacing <= r->stack);
}

// Metres above the ground: drops of one moment lie up to a spacing apart, so that they are not two in one
// place.
static inline float silt_drop_height(SILT_STEP const SiltDropRule *r, SiltRandom random, int tries)
{
    double part = (double)silt_uniform(random.word[r->is_spring ? 2 : 3]);
    double layers = r->is_spring ? silt_drop_layer(tries) + 0.5 : 0.0;
    return (float)(r->height + r->spacing * (layers + part));
}

// The cell of the map of rain below a place.
static inline int silt_drop_cell(float at, float cell, int size)
{
    int i = (int)(at / cell);
    return i < size ? i : size - 1;
}

// Whether rain falls where the map has this value.
static inline bool silt_drop_falls(SILT_STEP const SiltDropRule *r, SiltRandom random, float here)
{
    return silt_uniform(random.word[2]) * r->rain_most < here;
}

// Acid (Fritz 3.5.3): whole units that a drop dissolves where it touches; `most` fill it.
static inline float silt_drop_dissolve(float rate, float dt, float softness, float most, float load)
{
    return silt_floorf(silt_minf(rate * dt * softness, most - load));
}

// ---- the numbers of a step ----

typedef struct SiltFluidStep {
    double rise;     // m that one unit raises a sample
    double volume;   // m3 of a particle
    double duration; // s
    SiltSediment sediment;
    SiltBoundaryNumbers boundary;
    SiltSides sides;
    int width, height;
    float cell;
    int has_nodata, has_erodibility;
    float dt, restitution;
    float brake;                     // speed that is left where water touches
    float take, spread;              // see heightfield_boundary.h and sediment.h
    float dither[2], load_dither[2]; // of the boundary, and of what particles hand on
    float h, spacing, density;       // of the water
    float steep, rough;              // of the law of the wall
    float dissolve, full;            // acid: units a second, and in a full drop
} SiltFluidStep;

#endif
