// Neidhold, Wacker and Deussen 2005, "Interactive physically based Fluid and Erosion Simulation": equations 1
// to 25 as they stand in the text, in its order, in double precision. Written from the text alone and kept
// plain, with nothing shared with the model that it is held against.
//
// Misprint mended: eq. 10 prints the lower left neighbour as (dI1, -dI1); the gradient of a plane comes out
// right only with (dI1, dI1). What the text leaves open, and how it is read here:
// - K_F of eq. 13 is that of each cell with its own velocity;
// - all water of a cell moves, so that F_dest of eq. 5 is what has arrived so far; sums have no order;
// - the erosion function of section 4 acts on every part that eq. 4 lays down, with the part's own velocity;
// - the diffusion after a step gives the share `spread` of each value to each of the four direct neighbours;
// - material that lands off the grid has left (section 5); beyond the border the ground goes on, dry, as high
// as it was
//   there in the beginning.
#ifndef TESTS_NEIDHOLD_TEXT_H
#define TESTS_NEIDHOLD_TEXT_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NEIDHOLD_MOST = 40 * 40 };

typedef struct {
    double x, y, z;
} NeidholdVector;

typedef struct {
    int width, height;
    double dt, g, KA, KC, KD, KS, KE, KR, epsilon, threshold, spread;
    double rain; // m that come at the beginning of a step, and leave the velocity as it is
    double F[NEIDHOLD_MOST], S[NEIDHOLD_MOST], H[NEIDHOLD_MOST];
    NeidholdVector v[NEIDHOLD_MOST];
    double H0[NEIDHOLD_MOST];                                          // H in the beginning
    double I[NEIDHOLD_MOST], newF[NEIDHOLD_MOST], newS[NEIDHOLD_MOST]; // at work in a step
    NeidholdVector newv[NEIDHOLD_MOST];
    double left_F, left_S; // what has left over the border
} Neidhold;

static const int neidhold_dx[8] = {-1, 0, 1, 1, 1, 0, -1, -1}, neidhold_dy[8] = {-1, -1, -1, 0, 1, 1, 1, 0};

static double neidhold_length(NeidholdVector a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// Acceleration down a gradient of I.
static NeidholdVector neidhold_acceleration(const Neidhold *p, double gx, double gy)
{
    NeidholdVector M = {-gx, -gy, -gx * gx - gy * gy}; // (16), from (14) and (15)
    double length = neidhold_length(M);
    if (length == 0)
        return (NeidholdVector){0, 0, 0};
    double a = fabs(M.z) / length * p->g;                                          // (8) with (17)
    return (NeidholdVector){a * M.x / length, a * M.y / length, a * M.z / length}; // (18)
}

// Section 4: a part of a material vector arrives at a cell.
static void neidhold_arrive(Neidhold *p, int c, double dF, double dS, NeidholdVector v)
{
    double Fnew = p->newF[c] + dF; // (5)
    if (dF > 0) {
        double k = p->newF[c] / Fnew;                    // (7)
        p->newv[c].x = k * p->newv[c].x + (1 - k) * v.x; // (6)
        p->newv[c].y = k * p->newv[c].y + (1 - k) * v.y;
        p->newv[c].z = k * p->newv[c].z + (1 - k) * v.z;
    }
    p->newF[c] = Fnew;
    double cs = p->KC / p->dt * dF * neidhold_length(v); // (19)
    double K = dS > cs ? p->KD / p->dt : p->KS / p->dt;
    p->H[c] = p->H[c] + K * (dS - cs);            // (20), (22)
    p->newS[c] = p->newS[c] + dS - K * (dS - cs); // (21), (23)
}

// A material vector is pushed and moved.
static void neidhold_move(Neidhold *p, int x, int y, double dF, double dS, double gx, double gy)
{
    NeidholdVector a = neidhold_acceleration(p, gx, gy), v = p->v[y * p->width + x];
    v.x = v.x + a.x * p->dt - p->KA * v.x * p->dt; // (3), from (1)
    v.y = v.y + a.y * p->dt - p->KA * v.y * p->dt;
    v.z = v.z + a.z * p->dt - p->KA * v.z * p->dt;
    double tox = x + v.x * p->dt, toy = y + v.y * p->dt; // (4), from (2)
    int i = (int)floor(tox), j = (int)floor(toy);
    for (int corner = 0; corner < 4; corner++) {
        int cx = i + corner % 2, cy = j + corner / 2;
        double weight = (1 - fabs(tox - cx)) * (1 - fabs(toy - cy));
        if (weight <= 0)
            continue;
        if (cx < 0 || cy < 0 || cx >= p->width || cy >= p->height)
            p->left_F += weight * dF, p->left_S += weight * dS;
        else
            neidhold_arrive(p, cy * p->width + cx, weight * dF, weight * dS, v);
    }
}

static void neidhold_push(Neidhold *p, int x, int y)
{
    int c = y * p->width + x, lower = 0;
    double dI[8], sum = 0, gx = 0, gy = 0;
    for (int n = 0; n < 8; n++) {
        int nx = x + neidhold_dx[n], ny = y + neidhold_dy[n];
        int inside_x = (int)fmin(fmax(nx, 0), p->width - 1), inside_y = (int)fmin(fmax(ny, 0), p->height - 1);
        bool off = nx != inside_x || ny != inside_y;
        dI[n] = p->I[c] - (off ? p->H0 : p->I)[inside_y * p->width + inside_x]; // (11)
        if (dI[n] > 0)
            lower++, sum += dI[n], gx -= neidhold_dx[n] * dI[n], gy -= neidhold_dy[n] * dI[n]; // (10)
    }
    if (lower == 0)
        neidhold_move(p, x, y, p->F[c], p->S[c], 0, 0);
    else if (neidhold_length(p->v[c]) >= p->threshold)
        neidhold_move(p, x, y, p->F[c], p->S[c], gx / lower, gy / lower); // (12)
    else
        for (int n = 0; n < 8; n++)
            if (dI[n] > 0)
                neidhold_move(p, x, y, p->F[c] * dI[n] / sum, p->S[c] * dI[n] / sum, -neidhold_dx[n] * dI[n],
                              -neidhold_dy[n] * dI[n]);
}

static void neidhold_diffuse(const Neidhold *p, double *f, int stride)
{
    static double old[NEIDHOLD_MOST];
    for (int c = 0; c < p->width * p->height; c++)
        old[c] = f[c * stride];
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int n = 1; n < 8; n += 2) {
                int nx = x + neidhold_dx[n], ny = y + neidhold_dy[n];
                if (nx >= 0 && ny >= 0 && nx < p->width && ny < p->height)
                    f[(y * p->width + x) * stride] +=
                        p->spread * (old[ny * p->width + nx] - old[y * p->width + x]);
            }
}

static void neidhold_step(Neidhold *p)
{
    int cells = p->width * p->height;
    for (int c = 0; c < cells; c++)
        p->F[c] += p->rain;
    for (int c = 0; c < cells; c++)
        p->I[c] = p->H[c] + fmax(0, 1 - 0.05 * neidhold_length(p->v[c])) * p->F[c]; // (13)
    memset(p->newF, 0, sizeof p->newF), memset(p->newS, 0, sizeof p->newS),
        memset(p->newv, 0, sizeof p->newv);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (p->F[y * p->width + x] > 0)
                neidhold_push(p, x, y);
    memcpy(p->F, p->newF, sizeof p->F), memcpy(p->S, p->newS, sizeof p->S),
        memcpy(p->v, p->newv, sizeof p->v);
    neidhold_diffuse(p, p->F, 1), neidhold_diffuse(p, p->S, 1);
    neidhold_diffuse(p, &p->v->x, 3), neidhold_diffuse(p, &p->v->y, 3), neidhold_diffuse(p, &p->v->z, 3);
    for (int c = 0; c < cells; c++)
        p->F[c] = p->F[c] < p->epsilon ? 0 : p->F[c] * exp(-p->KE * p->dt); // (25)
}

// Eq. 24, for the cells on which rain falls.
static double neidhold_rain(const Neidhold *p, int c)
{
    return p->H[c] > 0 ? p->KR / p->dt * p->H[c] * p->H[c] : 0;
}

#endif
