// Fritz 2016, "Procedural Generation of Mountain Ranges Based on Geology": its listings and formulas in its
// order, in double precision. Thermal and hydraulic erosion are described there in words after Olsen 2004,
// "Realtime Procedural Terrain Generation"; amounts that Fritz does not print are Olsen's, and are marked so.
// Written from the texts alone.
#ifndef TESTS_FRITZ_TEXT_H
#define TESTS_FRITZ_TEXT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FRITZ_MOST = 40 * 40 };

typedef struct {
    int width, height;
    double T, share;                            // talus drop; c
    double soft_below, soft_above;              // factors of section 3.4 at the lowest and highest point,
    double low, high;                           // which are those of the beginning
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

// Section 3.4, with the rotated von Neumann neighbourhood of fig. 3.16: the four diagonal cells. Where the
// difference is larger than T, material goes to that neighbour: the share c of what exceeds T (Musgrave 1989,
// whom Olsen follows), times a factor that depends on the height of the inspected cell.
static const int fritz_dx[4] = {-1, 1, -1, 1}, fritz_dy[4] = {-1, -1, 1, 1};

static void fritz_thermal(Fritz *f)
{
    static double moved[FRITZ_MOST];
    memset(moved, 0, sizeof moved);
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++)
            for (int n = 0; n < 4; n++) {
                int nx = x + fritz_dx[n], ny = y + fritz_dy[n], c = y * f->width + x, to = ny * f->width + nx;
                if (nx < 0 || ny < 0 || nx >= f->width || ny >= f->height || f->h[c] - f->h[to] <= f->T)
                    continue;
                double height = (f->h[c] - f->low) / (f->high - f->low);
                double factor = f->soft_below + (f->soft_above - f->soft_below) * height;
                double amount = f->share * (f->h[c] - f->h[to] - f->T) * factor;
                moved[c] -= amount, moved[to] += amount;
            }
    for (int c = 0; c < f->width * f->height; c++)
        f->h[c] += moved[c];
}

// Section 3.5.1, the four steps; amounts after Olsen 2004, section 3.2: rain K_r, dissolved K_s w, evaporated
// K_e w, held K_c w. Fritz names no neighbourhood for water: the four direct neighbours. The second case
// shares water evenly.
static const int fritz_sx[4] = {-1, 1, 0, 0}, fritz_sy[4] = {0, 0, -1, 1};

static void fritz_flow(Fritz *f, int x, int y, double *dw, double *dm)
{
    int c = y * f->width + x, lower = 0, to[4];
    double a = f->h[c] + f->w[c], mean = a, total = 0, drop[4];
    for (int n = 0; n < 4; n++) {
        int nx = x + fritz_sx[n], ny = y + fritz_sy[n];
        bool there = nx >= 0 && ny >= 0 && nx < f->width && ny < f->height;
        to[n] = there ? ny * f->width + nx : c;
        drop[n] = there ? a - f->h[to[n]] - f->w[to[n]] : 0;
        if (drop[n] > 0)
            total += drop[n], mean += a - drop[n], lower++;
    }
    if (lower == 0 || f->w[c] == 0)
        return;
    mean /= lower + 1;
    bool levels = f->w[c] > a - mean; // fig. 3.18: the excess goes, or all of it
    for (int n = 0; n < 4; n++)
        if (drop[n] > 0) {
            double water = levels ? (a - mean) * drop[n] / total : f->w[c] / lower,
                   load = f->m[c] * water / f->w[c];
            dw[to[n]] += water, dm[to[n]] += load, dw[c] -= water, dm[c] -= load;
        }
}

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
    for (int c = 0; c < cells; c++)
        fritz_flow(f, c % f->width, c / f->width, dw, dm); // third step
    for (int c = 0; c < cells; c++) {                      // fourth step
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
