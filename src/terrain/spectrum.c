// The spectral slope: the power spectrum of windows of the terrain, averaged around its centre, and a line
// through it between the longest waves (which the window bends) and the shortest (which the grid does).
#include "terrain/spectrum.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "physics/elementary.h"
#include "terrain/fit.h"
#include "terrain/flood.h"

enum { SMALLEST = 32, LARGEST = 1024, ROWS = 8, MOST_WINDOWS = 2 };

SiltStatus silt_spectrum_create(const SiltTerrain *terrain, SiltSpectrum *out)
{
    *out = (SiltSpectrum){.slope = NAN};
    int shorter = terrain->width < terrain->height ? terrain->width : terrain->height, size = 1;
    while (2 * size <= shorter && size < LARGEST)
        size *= 2;
    if (size < SMALLEST)
        return SILT_OK;
    size_t numbers = 2 * (size_t)size * (size_t)size;
    out->size = size;
    SiltStatus status = silt_alloc_for("a spectrum", numbers, sizeof(double), (void **)&out->grid);
    if (status == SILT_OK)
        status = silt_alloc_for("a spectrum", numbers, sizeof(double), (void **)&out->swap);
    if (status == SILT_OK)
        status = silt_alloc_for("a spectrum", 2 * (size_t)size, sizeof(double), (void **)&out->wave);
    if (status == SILT_OK)
        status = silt_alloc_for("a spectrum", (size_t)size / 2 + 1, sizeof(double), (void **)&out->power);
    if (status != SILT_OK)
        silt_spectrum_destroy(out);
    return status;
}

void silt_spectrum_destroy(SiltSpectrum *spectrum)
{
    silt_free(spectrum->grid);
    silt_free(spectrum->swap);
    silt_free(spectrum->wave);
    silt_free(spectrum->power);
    *spectrum = (SiltSpectrum){.slope = NAN};
}

// ---- the transform ----

// Radix 2, in place: `line` holds size complex numbers.
static void transform_line(double *line, const double *wave, int size)
{
    for (int i = 1, j = 0; i < size; i++) { // bits of the index reversed
        int bit = size >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double re = line[2 * i], im = line[2 * i + 1];
            line[2 * i] = line[2 * j];
            line[2 * i + 1] = line[2 * j + 1];
            line[2 * j] = re;
            line[2 * j + 1] = im;
        }
    }
    for (int half = 1; half < size; half *= 2) {
        int turn = size / (2 * half);
        for (int begin = 0; begin < size; begin += 2 * half) {
            double *a = line + 2 * begin, *b = a + 2 * half;
            for (int k = 0; k < half; k++) {
                double c = wave[2 * k * turn], s = -wave[2 * k * turn + 1];
                double re = b[2 * k] * c - b[2 * k + 1] * s, im = b[2 * k] * s + b[2 * k + 1] * c;
                b[2 * k] = a[2 * k] - re;
                b[2 * k + 1] = a[2 * k + 1] - im;
                a[2 * k] += re;
                a[2 * k + 1] += im;
            }
        }
    }
}

typedef struct SpectrumJob {
    SiltSpectrum *spectrum;
    const SiltTerrain *terrain;
    const SiltField *change;
    int i, j;           // corner of the window
    double plane[3];    // height at the centre, rise per column and per row
    const double *from; // lines to turn
    double *to;
} SpectrumJob;

// Transforms lines of `from` and writes each as a column of `to`.
static void transform_rows(void *context, int begin, int end)
{
    const SpectrumJob *job = context;
    int size = job->spectrum->size;
    double *from = (double *)(uintptr_t)job->from;
    for (int j = begin; j < end; j++)
        transform_line(from + 2 * (size_t)j * (size_t)size, job->spectrum->wave, size);
    for (int i = 0; i < size; i++)
        for (int j = begin; j < end; j++)
            memcpy(job->to + 2 * ((size_t)i * (size_t)size + (size_t)j),
                   from + 2 * ((size_t)j * (size_t)size + (size_t)i), 2 * sizeof(double));
}

// ---- a window ----

static double ground_at(const SpectrumJob *job, int i, int j)
{
    const float *change = job->change ? silt_field_row(job->change, j) : NULL;
    return (double)silt_terrain_ground(silt_field_row(&job->terrain->layers[0]->field, j), change, i);
}

// The plane of least squares. On a full window columns, rows and the constant do not mix; with a few holes
// what is left of the mixing is small and harmless. False when a tenth of the cells or more have no data.
static bool fit_plane(SpectrumJob *job)
{
    int size = job->spectrum->size;
    double count = 0.0, sum = 0.0, along = 0.0, across = 0.0, middle = 0.5 * (size - 1);
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < size; i++) {
            if (silt_terrain_is_nodata(job->terrain, job->i + i, job->j + j))
                continue;
            double height = ground_at(job, job->i + i, job->j + j);
            count += 1.0;
            sum += height;
            along += height * (i - middle);
            across += height * (j - middle);
        }
    }
    double cells = (double)size * size, spread = cells * (cells - 1.0) / 12.0;
    job->plane[0] = sum / count;
    job->plane[1] = along / spread;
    job->plane[2] = across / spread;
    return count > 0.9 * cells;
}

// Heights above the plane, faded out towards the edge by Hann's window; holes lie on the plane.
static void window_rows(void *context, int begin, int end)
{
    const SpectrumJob *job = context;
    SiltSpectrum *spectrum = job->spectrum;
    int size = spectrum->size;
    double middle = 0.5 * (size - 1);
    for (int j = begin; j < end; j++) {
        double *line = spectrum->grid + 2 * (size_t)j * (size_t)size,
               fade = 0.5 - 0.5 * spectrum->wave[2 * j];
        for (int i = 0; i < size; i++) {
            bool hole = silt_terrain_is_nodata(job->terrain, job->i + i, job->j + j);
            double plane = job->plane[0] + job->plane[1] * (i - middle) + job->plane[2] * (j - middle);
            double above = hole ? 0.0 : ground_at(job, job->i + i, job->j + j) - plane;
            line[2 * i] = above * fade * (0.5 - 0.5 * spectrum->wave[2 * i]);
            line[2 * i + 1] = 0.0;
        }
    }
}

// Adds the mean power at each distance from the centre. Half of the plane is enough: the input was real.
static void add_power(SiltSpectrum *spectrum)
{
    int size = spectrum->size, half = size / 2;
    double sum[LARGEST / 2 + 1] = {0}, count[LARGEST / 2 + 1] = {0};
    for (int j = 0; j <= half; j++) {
        const double *line = spectrum->grid + 2 * (size_t)j * (size_t)size;
        for (int i = 0; i < size; i++) {
            int x = i < half ? i : i - size, distance = (int)(sqrt((double)(x * x + j * j)) + 0.5);
            if (distance > half)
                continue;
            sum[distance] += line[2 * i] * line[2 * i] + line[2 * i + 1] * line[2 * i + 1];
            count[distance] += 1.0;
        }
    }
    for (int k = 1; k <= half; k++)
        spectrum->power[k] += count[k] > 0.0 ? sum[k] / count[k] : 0.0;
}

// A line through classes of equal width in log wavenumber, three to the octave.
double silt_spectrum_fall(const SiltSpectrum *spectrum, double low, double high)
{
    SiltFit fit = {0};
    double step = 1.2599210498948732; // 2^(1/3)
    for (; low < high; low *= step) {
        double sum = 0.0, k_sum = 0.0, count = 0.0;
        for (int k = (int)ceil(low); k < low * step && k <= high; k++) {
            sum += spectrum->power[k];
            k_sum += silt_log((double)k);
            count += 1.0;
        }
        if (count > 0.0 && sum > 0.0)
            silt_fit_add(&fit, k_sum / count, silt_log(sum / count));
    }
    return -silt_fit_slope(&fit, 3);
}

static int window_count(int side, int size)
{
    int count = (side + size - 1) / size;
    return count < MOST_WINDOWS ? count : MOST_WINDOWS;
}

static int window_place(int index, int count, int side, int size)
{
    return count == 1 ? (side - size) / 2 : (int)((int64_t)(side - size) * index / (count - 1));
}

void silt_spectrum_run(SiltSpectrum *spectrum, const SiltTerrain *terrain)
{
    int size = spectrum->size, used = 0;
    spectrum->slope = NAN;
    if (size == 0)
        return;
    for (int k = 0; k < size; k++) {
        double angle = 6.28318530717958647692 * k / size;
        spectrum->wave[2 * k] = silt_cos(angle);
        spectrum->wave[2 * k + 1] = silt_sin(angle);
    }
    memset(spectrum->power, 0, ((size_t)size / 2 + 1) * sizeof(double));
    int columns = window_count(terrain->width, size), rows = window_count(terrain->height, size);
    SpectrumJob job = {
        .spectrum = spectrum, .terrain = terrain, .change = silt_terrain_layer(terrain, "change")};
    for (int k = 0; k < columns * rows; k++) {
        job.i = window_place(k % columns, columns, terrain->width, size);
        job.j = window_place(k / columns, rows, terrain->height, size);
        if (!fit_plane(&job))
            continue;
        silt_parallel(size, ROWS, window_rows, &job);
        job.from = spectrum->grid;
        job.to = spectrum->swap;
        silt_parallel(size, ROWS, transform_rows, &job);
        job.from = spectrum->swap;
        job.to = spectrum->grid;
        silt_parallel(size, ROWS, transform_rows, &job);
        add_power(spectrum);
        used++;
    }
    if (used > 0)
        spectrum->slope = silt_spectrum_fall(spectrum, 4.0, size / 4.0);
}
