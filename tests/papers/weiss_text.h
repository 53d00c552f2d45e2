// Weiss 2016, "Fast voxel-based hydraulic erosion", written down as printed and in its order: plain loops
// over all pairs in double, lengths in voxels, nothing shared with the library. Read weiss.c for what
// is compared.
#ifndef TESTS_PAPERS_WEISS_TEXT_H
#define TESTS_PAPERS_WEISS_TEXT_H

#include <math.h>

enum { WEISS_MOST = 512 };

typedef struct Weiss {
    double water_weight, load_weight; // omega and sigma of eq. 3.11
    double radius, stiffness, rest_density, viscosity, tension, threshold, gravity, time_step;
    double step_forward, step_out; // t_step1 and t_step2 of algorithm 1
    double capacity, dissolve_normal, dissolve_tangent, deposit, least, flat_from,
        flat_to;                                    // eq. 3.31 to 3.33
    double diffusion, asymmetry, cone, evaporation; // beta, k, the cosine of alpha, K_e
    int count;
    double place[WEISS_MOST][3], velocity[WEISS_MOST][3], force[WEISS_MOST][3];
    double water[WEISS_MOST], load[WEISS_MOST], density[WEISS_MOST], pressure[WEISS_MOST],
        load_change[WEISS_MOST];
    int is_surface[WEISS_MOST];
    int width, depth, height; // voxels
    double *level, *erodibility;
} Weiss;

static const double weiss_pi = 3.14159265358979323846;

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double between(const double a[3], const double b[3], double r[3])
{
    for (int c = 0; c < 3; c++)
        r[c] = a[c] - b[c];
    return sqrt(dot(r, r));
}

static inline double *voxel(const Weiss *w, double *values, int x, int y, int z)
{
    return &values[(z * w->depth + y) * w->width + x];
}

static inline double interpolate(const Weiss *w, double *values, const double p[3]) // programs 1 and 2
{
    int x = (int)floor(p[0]), y = (int)floor(p[1]), z = (int)floor(p[2]);
    double sum = 0, f[3] = {p[0] - x, p[1] - y, p[2] - z};
    for (int n = 0; n < 8; n++)
        sum += (n & 1 ? f[0] : 1 - f[0]) * (n & 2 ? f[1] : 1 - f[1]) * (n & 4 ? f[2] : 1 - f[2]) *
               *voxel(w, values, x + (n & 1), y + (n >> 1 & 1), z + (n >> 2));
    return sum;
}
static inline double weiss_level(const Weiss *w, const double p[3])
{
    return interpolate(w, w->level, p);
}

static inline void weiss_normal(const Weiss *w, const double p[3], double normal[3])
{
    int x = (int)floor(p[0]), y = (int)floor(p[1]), z = (int)floor(p[2]);
    double f[3] = {p[0] - x, p[1] - y, p[2] - z}, g[3] = {0, 0, 0};
    for (int n = 0; n < 8; n++) { // program 3: the gradient of the trilinear interpolation
        double s[3], v = *voxel(w, w->level, x + (n & 1), y + (n >> 1 & 1), z + (n >> 2));
        for (int c = 0; c < 3; c++)
            s[c] = n >> c & 1 ? f[c] : 1 - f[c];
        g[0] += (n & 1 ? v : -v) * s[1] * s[2], g[1] += (n & 2 ? v : -v) * s[0] * s[2],
            g[2] += (n & 4 ? v : -v) * s[0] * s[1];
    }
    double length = sqrt(dot(g, g));
    for (int c = 0; c < 3; c++)
        normal[c] = -g[c] / length; // eq. 3.3
}

static inline double to_line(double ax, double ay, double bx, double by, double x, double y) // eq. 3.7
{
    return fabs((by - ay) * (x - ax) + (ax - bx) * (y - ay)) / hypot(by - ay, ax - bx);
}
static inline double weiss_distance(const double *map, int width, int depth, const int p[3])
{
    double own = map[p[1] * width + p[0]], d = fabs(own - p[2]);
    for (int n = 0; n < 4;
         n++) { // eq. 3.6: to the four neighbouring heights, and to the lines that lead there
        int step = n & 1 ? 1 : -1, x = p[0] + (n < 2 ? step : 0), y = p[1] + (n < 2 ? 0 : step);
        if (x < 0 || y < 0 || x >= width || y >= depth)
            continue;
        d = fmin(d, hypot(1, map[y * width + x] - p[2]));
        d = fmin(d, to_line(0, own, step, map[y * width + x], 0, p[2]));
    }
    return own - p[2] < 0 ? -d : d;
}

// Eq. 3.5, explicit in time; a voxel with a neighbour of another sign keeps its value. The text leaves the
// differences open: the upwind ones (Godunov) of the sources it names stand here.
static inline void weiss_renormalise(Weiss *w, double step, int times)
{
    int n = w->width * w->depth * w->height, stride[3] = {1, w->width, w->width * w->depth},
        size[3] = {w->width, w->depth, w->height};
    double next[20000];
    for (int t = 0; t < times; t++) {
        for (int v = 0; v < n; v++) {
            double f = w->level[v], square = 0;
            int is_held = 0;
            for (int c = 0; c < 3; c++) {
                int at = v / stride[c] % size[c];
                double low = at > 0 ? w->level[v - stride[c]] : f,
                       high = at < size[c] - 1 ? w->level[v + stride[c]] : f;
                is_held |= low * f < 0 || high * f < 0;
                double back = f - low, ahead = high - f, s = f < 0 ? -1 : 1;
                double in = fmax(s * back, 0), out = fmin(s * ahead, 0);
                square += fmax(in * in, out * out);
            }
            double gradient = sqrt(square), sign = f / sqrt(f * f + gradient);
            next[v] = is_held || f == 0 ? f : f + step * sign * (1 - gradient);
        }
        for (int v = 0; v < n; v++)
            w->level[v] = next[v];
    }
}

static double poly6(double r, double h)
{
    return r > h ? 0 : 315 / (64 * weiss_pi * pow(h, 9)) * pow(h * h - r * r, 3);
} // eq. 3.12
static inline double mass(const Weiss *w, int i)
{
    return w->water_weight * w->water[i] + w->load_weight * w->load[i];
} // eq. 3.11

static inline void weiss_densities(Weiss *w)
{
    for (int i = 0; i < w->count; i++) {
        double r[3];
        w->density[i] = 0;
        for (int j = 0; j < w->count; j++)
            w->density[i] += mass(w, j) * poly6(between(w->place[i], w->place[j], r), w->radius); // eq. 3.19
        w->pressure[i] = w->stiffness * (w->density[i] - w->rest_density);                        // eq. 3.20
    }
}

static inline void weiss_forces(Weiss *w)
{
    double h = w->radius;
    for (int i = 0; i < w->count; i++) {
        double sum[3] = {0, 0, 0}, normal[3] = {0, 0, 0}, laplacian = 0;
        for (int j = 0; j < w->count; j++) {
            double r[3], d = between(w->place[i], w->place[j], r), m = mass(w, j), rho = w->density[j];
            if (d > h)
                continue;
            for (int c = 0; c < 3; c++) {
                if (j != i) {
                    double spiky = -45 * pow(h - d, 2) / (weiss_pi * pow(h, 6) * d) * r[c]; // eq. 3.16
                    double laplace = 45 / (weiss_pi * pow(h, 6)) * (h - d);                 // eq. 3.18
                    sum[c] -= m * (w->pressure[i] + w->pressure[j]) / (2 * rho) * spiky;    // eq. 3.21
                    sum[c] += w->viscosity * m * (w->velocity[j][c] - w->velocity[i][c]) / rho *
                              laplace; // eq. 3.22, mended
                }
                normal[c] += m / rho * -945 * pow(h * h - d * d, 2) / (32 * weiss_pi * pow(h, 9)) *
                             r[c]; // eq. 3.13 and 3.24
            }
            laplacian += m / rho *
                         (945 * (h * h - d * d) * d * d / (8 * weiss_pi * pow(h, 9)) -
                          2835 * pow(h * h - d * d, 2) / (32 * weiss_pi * pow(h, 9))); // eq. 3.14
        }
        double length = sqrt(dot(normal, normal));
        for (int c = 0; c < 3; c++)
            w->force[i][c] = sum[c] - (length > w->threshold ? w->tension * laplacian * normal[c] / length
                                                             : 0); // eq. 3.26
    }
}

static inline double phase(double k, double cosine)
{
    return (1 - k * k) / pow(1 - k * cosine, 2) / (4 * weiss_pi);
} // eq. 3.36

static inline void weiss_diffuse(Weiss *w)
{
    for (int i = 0; i < w->count; i++) {
        w->load_change[i] = 0;
        for (int j = 0; j < w->count; j++) {
            double r[3], d = between(w->place[j], w->place[i], r);
            if (j == i || d > w->radius || d == 0)
                continue;
            double down = -r[2] / d, weight = w->diffusion * poly6(d, w->radius);
            w->load_change[i] += weight * (phase(w->asymmetry, -down) * w->load[j] -
                                           phase(w->asymmetry, down) * w->load[i]); // eq. 3.37, 3.38
        }
    }
    for (int i = 0; i < w->count; i++)
        w->load[i] += w->load_change[i];
}

static inline void weiss_evaporate(Weiss *w)
{
    for (int i = 0; i < w->count; i++) {
        w->is_surface[i] = 1;
        for (int j = 0; j < w->count; j++) { // eq. 3.39, read as: nobody in the cone about 'up'
            double r[3], d = between(w->place[j], w->place[i], r);
            if (j != i && d <= w->radius && r[2] > d * w->cone)
                w->is_surface[i] = 0;
        }
    }
    for (int i = 0; i < w->count; i++)
        if (w->is_surface[i])
            w->water[i] = fmax(0, w->water[i] - w->evaporation); // eq. 3.40, mended
}

static inline void exchange(Weiss *w, int i, const double at[3], const double v[3])
{
    double n[3], *s = &w->load[i], speed = sqrt(dot(v, v)), room = w->capacity * speed - *s,
                 change; // eq. 3.31
    weiss_normal(w, at, n);
    if (room > 0) { // eq. 3.32
        double along = fabs(dot(v, n)), across = sqrt(fmax(0, speed * speed - along * along));
        change = (w->dissolve_normal * along + w->dissolve_tangent * across) * room *
                 interpolate(w, w->erodibility, at);
    } else { // eq. 3.33 as the guide mends it, and 3.34
        double t = fmin(1, fmax(0, (n[2] - w->flat_from) / (w->flat_to - w->flat_from)));
        change = -fmin(*s, t * t * (3 - 2 * t) * fmax(-room, w->least) * w->deposit);
    }
    *s += change;               // eq. 3.35
    for (int q = 0; q < 8; q++) // algorithm 3
        *voxel(w, w->level, (int)floor(at[0]) + (q & 1), (int)floor(at[1]) + (q >> 1 & 1),
               (int)floor(at[2]) + (q >> 2)) -= change;
}

static inline void weiss_advance(Weiss *w)
{
    for (int i = 0; i < w->count; i++) {
        double *p = w->place[i], *v = w->velocity[i],
               heavy = w->water_weight + w->load_weight * w->load[i]; // eq. 3.28
        for (int c = 0; c < 3; c++)
            v[c] += w->time_step * (w->force[i][c] + (c == 2 ? -w->gravity : 0)) / heavy; // eq. 3.27 and 3.29
        double left = w->time_step * sqrt(dot(v, v));
        while (left > 1e-5) { // algorithm 1, with the outward normal
            double step = fmin(left, w->step_forward), speed = sqrt(dot(v, v)), n[3], struck[3];
            for (int c = 0; c < 3; c++)
                p[c] += step * v[c] / speed;
            left -= step;
            if (weiss_level(w, p) <= 0)
                continue;
            weiss_normal(w, p, n);
            for (int c = 0; c < 3; c++)
                struck[c] = v[c];
            for (int tries = 0; tries < 1000 && weiss_level(w, p) > 0; tries++)
                for (int c = 0; c < 3; c++)
                    p[c] += w->step_out * n[c];
            double into = dot(v, n);
            for (int c = 0; c < 3; c++)
                v[c] -= n[c] * into;
            left *= sqrt(dot(v, v)) / speed;
            exchange(w, i, p, struck); // section 3.2.2: at collisions, with the velocity that struck
        }
    }
}

#endif
