// Fritz 2016, "Procedural Generation of Mountain Ranges Based on Geology": its listings and formulas in its
// order, in double precision. Thermal and hydraulic erosion are described there in words after Olsen 2004,
// "Realtime Procedural Terrain Generation"; amounts that Fritz does not print are Olsen's, and are marked so.
// Written from the texts alone.
#ifndef TESTS_FRITZ_TEXT_H
#define TESTS_FRITZ_TEXT_H

#include <math.h>
#include <string.h>

enum { FRITZ_MOST = 40 * 40 };

typedef struct {
    int width, height;
    double T, share, soft_below,
        soft_above; // talus drop; Olsen's c; factors of section 3.4 at the lowest and highest cell
    double rain, dissolve, evaporate, capacity; // Olsen's K_r, K_s, K_e, K_c
    double h[FRITZ_MOST], w[FRITZ_MOST], m[FRITZ_MOST];
} Fritz;

// Listing 3.1. `draw` gives a random number in [-1, 1) for a vertex: roughness*(randomFloat(2)-1), line 8
// and 15. Mended: averages over corners that are on the map (the listing leaves the diamonds of the border
// open).
typedef double FritzDraw(int x, int y);

static void fritz_diamond_square(double *hm, int n, double roughness, FritzDraw *draw)
{
    hm[0] = hm[n - 1] = hm[(n - 1) * n] = hm[n * n - 1] = roughness; // lines 28 to 31
    for (int step = n - 1; step > 1; step /= 2, roughness /= 2) {
        int half = step / 2;
        for (int y = half; y < n; y += step)
            for (int x = half; x < n; x += step) {
                double avg = (hm[(y - half) * n + x - half] + hm[(y - half) * n + x + half] +
                              hm[(y + half) * n + x - half] + hm[(y + half) * n + x + half]) /
                             4;
                hm[y * n + x] = avg + roughness * draw(x, y);
            }
        for (int y = 0; y < n; y += half)
            for (int x = (y / half) % 2 ? 0 : half; x < n; x += step) {
                double sum = 0;
                int corners = 0;
                if (x >= half)
                    sum += hm[y * n + x - half], corners++;
                if (x + half < n)
                    sum += hm[y * n + x + half], corners++;
                if (y >= half)
                    sum += hm[(y - half) * n + x], corners++;
                if (y + half < n)
                    sum += hm[(y + half) * n + x], corners++;
                hm[y * n + x] = sum / corners + roughness * draw(x, y);
            }
    }
}

// Section 3.2: raise((p - a) x (b - a)) looks at the component across the map; x and z lie in it.
static int fritz_raise(double px, double pz, double ax, double az, double bx, double bz)
{
    double v2 = (pz - az) * (bx - ax) - (px - ax) * (bz - az);
    return v2 >= 0;
}

// Section 3.4, the rotated von Neumann neighbourhood: the four diagonal cells. Olsen: of the sum of what the
// drops exceed T, the share c of the greatest excess moves, to each in proportion. Fritz: times a factor that
// depends on the height.
static const int fritz_dx[4] = {-1, 1, -1, 1}, fritz_dy[4] = {-1, -1, 1, 1};

static void fritz_thermal(Fritz *f)
{
    static double moved[FRITZ_MOST];
    memset(moved, 0, sizeof moved);
    double low = f->h[0], high = f->h[0];
    for (int c = 1; c < f->width * f->height; c++)
        low = fmin(low, f->h[c]), high = fmax(high, f->h[c]);
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            double most = 0, total = 0, drop[4];
            for (int n = 0; n < 4; n++) {
                int nx = x + fritz_dx[n], ny = y + fritz_dy[n];
                drop[n] = nx < 0 || ny < 0 || nx >= f->width || ny >= f->height
                              ? 0
                              : f->h[y * f->width + x] - f->h[ny * f->width + nx];
                if (drop[n] > f->T)
                    total += drop[n], most = fmax(most, drop[n]);
            }
            if (total == 0)
                continue;
            double height = high > low ? (f->h[y * f->width + x] - low) / (high - low) : 0;
            double amount =
                f->share * (most - f->T) * (f->soft_below + (f->soft_above - f->soft_below) * height);
            for (int n = 0; n < 4; n++)
                if (drop[n] > f->T) {
                    moved[(y + fritz_dy[n]) * f->width + x + fritz_dx[n]] += amount * drop[n] / total;
                    moved[y * f->width + x] -= amount * drop[n] / total;
                }
        }
    for (int c = 0; c < f->width * f->height; c++)
        f->h[c] += moved[c];
}

// Section 3.5.1, the four steps; amounts after Olsen 2004, section 3.2.
static void fritz_cells(Fritz *f)
{
    static double dw[FRITZ_MOST], dm[FRITZ_MOST];
    int cells = f->width * f->height;
    for (int c = 0; c < cells; c++)
        f->w[c] += f->rain; // first step
    for (int c = 0; c < cells; c++) {
        f->h[c] -= f->dissolve * f->w[c]; // second step
        f->m[c] += f->dissolve * f->w[c];
    }
    memset(dw, 0, sizeof dw), memset(dm, 0, sizeof dm);
    for (int y = 0; y < f->height; y++) // third step
        for (int x = 0; x < f->width; x++) {
            int c = y * f->width + x, lower = 0;
            double a = f->h[c] + f->w[c], mean = a, total = 0, drop[4];
            for (int n = 0; n < 4; n++) {
                int nx = x + fritz_dx[n], ny = y + fritz_dy[n];
                double an = nx < 0 || ny < 0 || nx >= f->width || ny >= f->height
                                ? a
                                : f->h[ny * f->width + nx] + f->w[ny * f->width + nx];
                drop[n] = a - an;
                if (drop[n] > 0)
                    total += drop[n], mean += an, lower++;
            }
            if (total == 0 || f->w[c] == 0)
                continue;
            mean /= lower + 1;
            double out = fmin(f->w[c], a - mean); // the two cases of fig. 3.18
            for (int n = 0; n < 4; n++)
                if (drop[n] > 0) {
                    int to = (y + fritz_dy[n]) * f->width + x + fritz_dx[n];
                    double water = out * drop[n] / total, load = f->m[c] * water / f->w[c];
                    dw[to] += water, dm[to] += load, dw[c] -= water, dm[c] -= load;
                }
        }
    for (int c = 0; c < cells; c++) { // fourth step
        f->w[c] += dw[c], f->m[c] += dm[c];
        f->w[c] *= 1 - f->evaporate;
        double drop = fmax(0, f->m[c] - f->capacity * f->w[c]);
        f->m[c] -= drop, f->h[c] += drop;
    }
}

// Section 3.7.2. Mended: printed as L (1 + L) / Lwhite^2 / (1 + L), which is L / Lwhite^2 whatever else L is;
// Reinhard 2002, eq. 4, has 1 + L / Lwhite^2.
static double fritz_bright(double L, double Lwhite)
{
    return L * (1 + L / (Lwhite * Lwhite)) / (1 + L);
}

// Eq. 4.1: the most polygons that n cuts give.
static int fritz_polygons(int n)
{
    return (n * n + n + 2) / 2;
}

#endif
