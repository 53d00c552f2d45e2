// A heightfield that particles meet: two triangles between each four samples, over which drops slide and
// never fall through, and the books of what they take from it and leave on it.
//
// Rock is counted in whole units (a fixed volume), in 64-bit integers for the ground and as whole numbers in
// the floats of the particles: what leaves one arrives in the other exactly, and sums have no order.
#ifndef SILT_COUPLE_HEIGHTFIELD_H
#define SILT_COUPLE_HEIGHTFIELD_H

#include <stdatomic.h>

#include "couple/surface.h"
#include "erode/maps.h"
#include "erode/model.h"
#include "sph/sph.h"

typedef struct SiltHeightfield {
    SiltTerrain *terrain;
    int width, height;
    float cell;                                  // m
    double unit;                                 // m3 of rock in one unit
    double rise;                                 // m that one unit raises a sample
    double low;                                  // m: heights count from here
    float *ground;                               // m above low, width * height
    float *base;                                 // the same as the run found it
    _Atomic int64_t *taken, *laid;               // units, of the present step
    int64_t *change, *wear, *deposition, *loose; // units, since the beginning; loose: on the rock now
    _Atomic int64_t *passed;                     // of the present step: 2^20 times cells crossed by particles
    _Atomic int *present;                        // particles over the cell
    double *flow, *wetness;                      // particles times cells crossed; s
    _Atomic int *row_touched;
    const SiltField *before; // layer "change" as the run found it, or NULL
} SiltHeightfield;

// `unit` in m3. Fails, in a sentence that begins with `owner`, when heights are not finite or there are fewer
// than two samples a side. `before` takes a copy of the layer "change" if there is one.
SiltStatus silt_heightfield_create(const char *owner, SiltTerrain *terrain, double unit, SiltField *before,
                                   SiltHeightfield *out);
// Has the system clear all of its memory, for those who write all over it in one step. False: somebody wants
// the run to stop.
bool silt_heightfield_claim(SiltHeightfield *field);
void silt_heightfield_destroy(SiltHeightfield *field);

// The surface as surface.h sees it.
static inline SiltRelief silt_heightfield_relief(const SiltHeightfield *field)
{
    return (SiltRelief){field->ground, field->terrain->nodata, field->width, field->height, field->cell};
}
SiltSurface silt_heightfield_at(const SiltHeightfield *field, float x, float y);

// Brings particle i, which the last step moved by dt, back above the ground along the way it came
// (Kataev 4.3, eq. 1.44). True when it touched.
bool silt_heightfield_collide(const SiltHeightfield *field, SiltSph *sph, int i, float dt, float restitution);

// True where particle i, on the way it went in a step of length dt, was higher than the support above all
// ground around: then nothing happens between the two.
bool silt_heightfield_is_far(const SiltHeightfield *field, const SiltSph *sph, int i, float dt);

// After the ground has moved: lifts particles it rose over. `dt` as in silt_heightfield_collide.
void silt_heightfield_lift(const SiltHeightfield *field, SiltSph *sph, float dt);

// After a sort: gives every particle the plane of the triangle below it.
void silt_heightfield_planes(const SiltHeightfield *field, SiltSph *sph);

// Takes whole units off the triangle, or lays them on it.
void silt_heightfield_take(SiltHeightfield *field, const SiltSurface *at, int64_t units);
void silt_heightfield_lay(SiltHeightfield *field, const SiltSurface *at, int64_t units);
// The same for one sample: `to` is field->taken or field->laid.
void silt_heightfield_count(SiltHeightfield *field, _Atomic int64_t *to, int sample, int64_t units);
// Notes that a particle is over its cell and moved by `distance`.
void silt_heightfield_note(SiltHeightfield *field, float x, float y, float distance);
// The cell a place lies over, as j * width + i.
int silt_heightfield_cell(const SiltHeightfield *field, float x, float y);
// After a step: moves the samples and adds up.
void silt_heightfield_settle(SiltHeightfield *field, double volume, double dt);

// Columns begin to end of row j of a layer (silt_shallow_layers) into out[begin] and so on. `volume` is that
// of a particle in m3. Particles are where they were when they were last sorted, but for their height.
void silt_heightfield_show(const SiltHeightfield *field, const SiltSph *sph, double volume, int layer, int j,
                           int begin, int end, float *out);
// Adds to the ground of a row, and lifts the water over it; true where that moved a particle: then they are
// to be sorted.
bool silt_heightfield_edit(SiltHeightfield *field, SiltSph *sph, SiltEditRow *row);
// m3 of rock in the ground now, and all that was taken off it.
double silt_heightfield_rock(const SiltHeightfield *field);
double silt_heightfield_wear(const SiltHeightfield *field);
// m2 of the surface as seen from above: triangles whose corners all have data.
double silt_heightfield_area(const SiltHeightfield *field);
// Highest sample in m above low.
float silt_heightfield_top(const SiltHeightfield *field);

#endif
