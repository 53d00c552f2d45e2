// Mei, Decaudin and Hu 2007, "Fast Hydraulic Erosion Simulation and Visualization on GPU": equations 1 to 15
// as they stand in the text, in its order, in double precision. Written from the text alone and kept plain:
// one loop an equation, no bounds that the text does not have, nothing shared with the model that it is held
// against.
//
// What the text leaves open, and how it is read here:
// - the tilt of eq. 10 is that of the ground b, by central differences; beyond the border it is as high as at
// it;
// - where the mean depth of eq. 9 is zero, the velocity is zero;
// - a position of eq. 14 that lies off the grid is moved to the nearest border, and one that is further than
// a cell away
//   to a cell: the text asks for dt u <= lX and dt v <= lY (section 3.2.3).
#ifndef TESTS_MEI_TEXT_H
#define TESTS_MEI_TEXT_H

#include <math.h>

enum { MEI_MOST = 40 * 40 };

typedef struct {
    int width, height;
    double dt, A, g, l, lX, lY, Kc, Ks, Kd, Ke, least_tilt; // least_tilt in radians
    double keep;        // m of water that a cell never gives away; none in the text
    double r[MEI_MOST]; // water arriving, metres per second
    double b[MEI_MOST], d[MEI_MOST], s[MEI_MOST], u[MEI_MOST], v[MEI_MOST];
    double fL[MEI_MOST], fR[MEI_MOST], fT[MEI_MOST], fB[MEI_MOST];
    double d1[MEI_MOST], d2[MEI_MOST], s1[MEI_MOST];
} Mei;

static int mei_at(const Mei *m, int x, int y)
{
    return y * m->width + x;
}

// The flux to a neighbour that is not there is zero (section 3.2.3).
static double mei_outflow(const Mei *m, const double *f, int x, int y, int dx, int dy)
{
    int nx = x + dx, ny = y + dy;
    if (nx < 0 || ny < 0 || nx >= m->width || ny >= m->height)
        return 0;
    int c = mei_at(m, x, y), n = mei_at(m, nx, ny);
    double dh = m->b[c] + m->d1[c] - m->b[n] - m->d1[n];    // (3)
    return fmax(0, f[c] + m->dt * m->A * m->g * dh / m->l); // (2)
}

static double mei_from(const Mei *m, const double *f, int x, int y)
{
    return x < 0 || y < 0 || x >= m->width || y >= m->height ? 0 : f[mei_at(m, x, y)];
}

static void mei_flow(Mei *m)
{
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            int c = mei_at(m, x, y);
            double L = mei_outflow(m, m->fL, x, y, -1, 0), R = mei_outflow(m, m->fR, x, y, 1, 0);
            double T = mei_outflow(m, m->fT, x, y, 0, 1), B = mei_outflow(m, m->fB, x, y, 0, -1);
            double sum = (L + R + T + B) * m->dt;
            double K = sum > 0 ? fmin(1, fmax(m->d1[c] - m->keep, 0) * m->lX * m->lY / sum) : 1; // (4)
            m->fL[c] = K * L, m->fR[c] = K * R, m->fT[c] = K * T, m->fB[c] = K * B;              // (5)
        }
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            int c = mei_at(m, x, y);
            double in = mei_from(m, m->fR, x - 1, y) + mei_from(m, m->fT, x, y - 1) +
                        mei_from(m, m->fL, x + 1, y) + mei_from(m, m->fB, x, y + 1);
            double dV = m->dt * (in - (m->fL[c] + m->fR[c] + m->fT[c] + m->fB[c])); // (6)
            m->d2[c] = m->d1[c] + dV / (m->lX * m->lY);                             // (7)
            double WX = (mei_from(m, m->fR, x - 1, y) - m->fL[c] + m->fR[c] - mei_from(m, m->fL, x + 1, y)) /
                        2; // (8)
            double WY =
                (mei_from(m, m->fT, x, y - 1) - m->fB[c] + m->fT[c] - mei_from(m, m->fB, x, y + 1)) / 2;
            double mean = (m->d1[c] + m->d2[c]) / 2;
            m->u[c] = mean > 0 ? WX / (m->lY * mean) : 0; // (9)
            m->v[c] = mean > 0 ? WY / (m->lX * mean) : 0;
        }
}

static double mei_tilt(const Mei *m, int x, int y)
{
    int w = x > 0 ? x - 1 : x, e = x < m->width - 1 ? x + 1 : x;
    int s = y > 0 ? y - 1 : y, n = y < m->height - 1 ? y + 1 : y;
    double bx = (m->b[mei_at(m, e, y)] - m->b[mei_at(m, w, y)]) / (2 * m->lX);
    double by = (m->b[mei_at(m, x, n)] - m->b[mei_at(m, x, s)]) / (2 * m->lY);
    return fmax(m->least_tilt, atan(sqrt(bx * bx + by * by)));
}

static void mei_exchange(Mei *m)
{
    static double C[MEI_MOST];
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            int c = mei_at(m, x, y);
            C[c] = m->Kc * sin(mei_tilt(m, x, y)) * sqrt(m->u[c] * m->u[c] + m->v[c] * m->v[c]); // (10)
        }
    for (int c = 0; c < m->width * m->height; c++)
        if (C[c] > m->s[c]) {
            m->b[c] = m->b[c] - m->Ks * (C[c] - m->s[c]);  // (11a)
            m->s1[c] = m->s[c] + m->Ks * (C[c] - m->s[c]); // (11b)
        } else {
            m->b[c] = m->b[c] + m->Kd * (m->s[c] - C[c]);  // (12a)
            m->s1[c] = m->s[c] - m->Kd * (m->s[c] - C[c]); // (12b)
        }
}

static double mei_sample(const Mei *m, const double *f, double x, double y)
{
    x = fmin(fmax(x, 0), m->width - 1), y = fmin(fmax(y, 0), m->height - 1);
    int i = (int)fmin(floor(x), m->width - 2), j = (int)fmin(floor(y), m->height - 2);
    double a = x - i, b = y - j;
    return (1 - b) * ((1 - a) * f[mei_at(m, i, j)] + a * f[mei_at(m, i + 1, j)]) +
           b * ((1 - a) * f[mei_at(m, i, j + 1)] + a * f[mei_at(m, i + 1, j + 1)]);
}

static void mei_step(Mei *m)
{
    int cells = m->width * m->height;
    for (int c = 0; c < cells; c++)
        m->d1[c] = m->d[c] + m->dt * m->r[c]; // (1)
    mei_flow(m);
    mei_exchange(m);
    for (int y = 0; y < m->height; y++) // (13), solved by (14)
        for (int x = 0; x < m->width; x++) {
            int c = mei_at(m, x, y);
            double cx = fmin(fmax(m->u[c] * m->dt / m->lX, -1), 1),
                   cy = fmin(fmax(m->v[c] * m->dt / m->lY, -1), 1);
            m->s[c] = mei_sample(m, m->s1, x - cx, y - cy);
        }
    for (int c = 0; c < cells; c++)
        m->d[c] = m->d2[c] * (1 - m->Ke * m->dt); // (15)
}

#endif
