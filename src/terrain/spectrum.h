// How rough a terrain is at each wavelength.
#ifndef SILT_TERRAIN_SPECTRUM_H
#define SILT_TERRAIN_SPECTRUM_H

#include "silt/terrain.h"

typedef struct SiltSpectrum {
    int size;      // side of a window in cells, a power of two; 0 when the terrain is too small
    double *grid;  // size * size complex numbers
    double *swap;  // the same, turned
    double *wave;  // cos and sin of 2 pi k / size
    double *power; // by whole wavenumber, 0 .. size / 2
    double slope;  // the result
} SiltSpectrum;

SiltStatus silt_spectrum_create(const SiltTerrain *terrain, SiltSpectrum *out);
void silt_spectrum_destroy(SiltSpectrum *spectrum);
// Sets `slope`: beta of power ~ wavenumber^-beta, or NaN. Does not allocate.
void silt_spectrum_run(SiltSpectrum *spectrum, const SiltTerrain *terrain);

// After that: beta between two wavenumbers, in waves per window.
double silt_spectrum_fall(const SiltSpectrum *spectrum, double low, double high);

#endif
