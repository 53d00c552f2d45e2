// Kataev 2022, "Hydraulic erosion", written down as printed and in the order of his section 4.8: plain loops
// over all pairs in double, nothing shared with the library. Read kataev.c for what is compared.
#ifndef TESTS_PAPERS_KATAEV_TEXT_H
#define TESTS_PAPERS_KATAEV_TEXT_H

#include <math.h>

enum { KATAEV_MOST = 512, KATAEV_SEEDS = 20000 };

typedef struct KataevBoundary {
    double place[3], normal[3]; // section 4.6.1
    int cell, triangle;         // 0 is ABC, 1 is DBC
    double mass_change;         // kg a second, eq. 1.57 and 1.69
} KataevBoundary;

typedef struct Kataev {
    // tables 4.1 and 4.2
    double rest_density, mass, viscosity, tension, stiffness, restitution, support, gravity, threshold;
    double spacing, friction, strength, critical, sediment_density, most_fraction, hindering, diffusion,
        grain_radius;
    double shear_constant, shear_exponent; // K and n of eq. 1.54: no value is printed
    double time_step;
    // fluid, section 4.5
    int count;
    double place[KATAEV_MOST][3], half_velocity[KATAEV_MOST][3], acceleration[KATAEV_MOST][3];
    double density[KATAEV_MOST], pressure[KATAEV_MOST], fraction[KATAEV_MOST], fraction_change[KATAEV_MOST];
    double pressure_force[KATAEV_MOST][3], viscous_force[KATAEV_MOST][3], tension_force[KATAEV_MOST][3];
    double boundary_force[KATAEV_MOST][3];
    // ground: columns * rows points `cell` apart, row by row
    int columns, rows;
    double cell, *height;
    int seed_count;
    KataevBoundary *seeds;
} Kataev;

static const double kataev_pi = 3.14159265358979323846;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static double between(const double a[3], const double b[3], double r[3])
{
    for (int c = 0; c < 3; c++)
        r[c] = a[c] - b[c];
    return sqrt(dot(r, r));
}

static double standard(double r, double h) // eq. 1.14
{
    return r > h ? 0 : 315 / (64 * kataev_pi * pow(h, 9)) * pow(h * h - r * r, 3);
}
static double standard_gradient(double r, double h) // eq. 1.15, the factor of the vector r
{
    return r > h ? 0 : -945 / (32 * kataev_pi * pow(h, 9)) * pow(h * h - r * r, 2);
}
static double standard_laplacian(double r, double h) // eq. 1.16
{
    return r > h ? 0 : -945 / (32 * kataev_pi * pow(h, 9)) * (h * h - r * r) * (3 * h * h - 7 * r * r);
}
static double pressure_gradient(double r, double h) // eq. 1.18, the factor of r / |r|
{
    return r > h ? 0 : -45 / (kataev_pi * pow(h, 6)) * pow(h - r, 2);
}
static double viscosity_laplacian(double r, double h) // eq. 1.22
{
    return r > h ? 0 : 45 / (kataev_pi * pow(h, 6)) * (h - r);
}
// Eq. 4.19 and 4.20. Misprint: 4.19 is dW/dq of a spline whose smoothing length is h/2; dW/dr needs one more
// division by h/2.
static double spline_derivative(double r, double h)
{
    double s = h / 2, q = r / s;
    if (q >= 2)
        return 0;
    double outer = -3 * (2 - q) * (2 - q), inner = q < 1 ? 12 * (1 - q) * (1 - q) : 0;
    return (inner + outer) / (4 * kataev_pi * s * s * s) / s;
}

static void kataev_density_and_pressure(Kataev *k)
{
    for (int i = 0; i < k->count; i++) {
        double r[3];
        k->density[i] = 0;
        for (int j = 0; j < k->count; j++) // eq. 1.25, j = i included
            k->density[i] += k->mass * standard(between(k->place[i], k->place[j], r), k->support);
        k->pressure[i] = k->stiffness * (k->density[i] - k->rest_density); // eq. 1.32
    }
}

// Eq. 1.48 asks for the velocity half a step ahead, which the forces are to make: the last acceleration
// stands for it.
static double velocity(const Kataev *k, int i, int c)
{
    return k->half_velocity[i][c] + 0.5 * k->time_step * k->acceleration[i][c];
}

static void kataev_internal_forces(Kataev *k)
{
    for (int i = 0; i < k->count; i++)
        for (int c = 0; c < 3; c++) {
            double pressure = 0, viscous = 0, r[3];
            for (int j = 0; j < k->count; j++) {
                double d = between(k->place[i], k->place[j], r);
                if (j == i || d == 0)
                    continue;
                double share =
                    k->pressure[i] / pow(k->density[i], 2) + k->pressure[j] / pow(k->density[j], 2);
                pressure += share * k->mass * pressure_gradient(d, k->support) * r[c] / d;
                viscous += (velocity(k, j, c) - velocity(k, i, c)) * k->mass / k->density[j] *
                           viscosity_laplacian(d, k->support);
            }
            k->pressure_force[i][c] = -k->density[i] * pressure; // eq. 1.33
            k->viscous_force[i][c] = k->viscosity * viscous;     // eq. 1.35
        }
}

static void kataev_surface_tension(Kataev *k)
{
    for (int i = 0; i < k->count; i++) {
        double normal[3] = {0, 0, 0}, laplacian = 0, r[3];
        for (int j = 0; j < k->count; j++) { // eq. 1.39 and the Laplacian of 1.38: every j, i itself too
            double d = between(k->place[i], k->place[j], r), volume = k->mass / k->density[j];
            for (int c = 0; c < 3; c++)
                normal[c] += volume * standard_gradient(d, k->support) * r[c];
            laplacian += volume * standard_laplacian(d, k->support);
        }
        double length = sqrt(dot(normal, normal)),
               curvature = length >= k->threshold ? -laplacian / length : 0; // eq. 1.40
        for (int c = 0; c < 3; c++)
            k->tension_force[i][c] = k->tension * curvature * normal[c]; // eq. 1.41
    }
}

static void corner(const Kataev *k, int i, int j, double point[3])
{
    point[0] = i * k->cell, point[1] = j * k->cell,
    point[2] = k->height[j * k->columns + i]; // eq. 4.8, each with its own height
}
static void triangle_of(const Kataev *k, int cell, int triangle, double a[3], double b[3], double c[3],
                        double normal[3])
{
    int i = cell % (k->columns - 1), j = cell / (k->columns - 1);
    corner(k, i + 1, j, b), corner(k, i, j + 1, c), corner(k, i + triangle, j + triangle, a); // A, or D = AA
    double u[3], v[3];
    between(b, a, u), between(c, a, v);
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]},
           length = sqrt(dot(n, n));
    for (int q = 0; q < 3; q++)
        normal[q] = n[q] / (n[2] < 0 ? -length : length);
}

// Section 4.6.3: lines parallel to AB, a step apart on the way from C to A, each filled from AC to BC.
static void kataev_seed(Kataev *k)
{
    k->seed_count = 0;
    for (int cell = 0; cell < (k->columns - 1) * (k->rows - 1); cell++)
        for (int triangle = 0; triangle < 2; triangle++) {
            double a[3], b[3], c[3], normal[3], ac[3], line[3], from[3];
            triangle_of(k, cell, triangle, a, b, c, normal);
            double side = between(a, c, ac);
            for (double s = 0; s < side; s += k->spacing) {
                for (int q = 0; q < 3; q++)
                    from[q] = c[q] + ac[q] * s / side, line[q] = (b[q] - a[q]) * s / side;
                double length = sqrt(dot(line, line));
                for (double t = 0; t <= length && k->seed_count < KATAEV_SEEDS; t += k->spacing) {
                    KataevBoundary *seed = &k->seeds[k->seed_count++];
                    *seed = (KataevBoundary){.cell = cell, .triangle = triangle};
                    for (int q = 0; q < 3; q++)
                        seed->place[q] = from[q] + (length > 0 ? line[q] * t / length : 0),
                        seed->normal[q] = normal[q];
                }
            }
        }
}

static void kataev_boundary_forces(Kataev *k)
{
    for (int i = 0; i < k->count; i++) {
        double sum = 0, r[3];
        for (int b = 0; b < k->seed_count; b++) // eq. 1.52 and 1.53
            sum += k->spacing * k->spacing *
                   viscosity_laplacian(between(k->place[i], k->seeds[b].place, r), k->support);
        for (int c = 0; c < 3; c++)
            k->boundary_force[i][c] = -k->friction * k->half_velocity[i][c] * sum;
    }
}

static double settling(const Kataev *k, double fraction) // eq. 1.65 and 1.66: along gravity, which is -z
{
    double hindered = fraction > k->most_fraction ? 0 : 1 - pow(fraction / k->most_fraction, k->hindering);
    return 2.0 / 9 * k->grain_radius * k->grain_radius * (k->sediment_density - k->rest_density) /
           k->viscosity * k->gravity * hindered;
}

// Eq. 1.64 and 1.68. Misprint in 4.8.7 c: walked over every i and every j as printed, a donor pays twice and
// nobody receives; each i takes its own sum here, which is what the equations say. C of eq. 1.65 is that of
// the acceptor.
static void kataev_sediment_transfer(Kataev *k)
{
    for (int i = 0; i < k->count; i++)
        for (int j = 0; j < k->count; j++) {
            double r[3], d = between(k->place[i], k->place[j], r), slope = spline_derivative(d, k->support);
            if (j == i || d == 0 || d > k->support)
                continue;
            int lower = r[2] < 0 ? i : j,
                acceptor = k->sediment_density > k->rest_density ? lower : i + j - lower;
            double speed = settling(k, k->fraction[acceptor]);
            int donor = i + j - acceptor; // vs.r_ij >= 0: i is the acceptor
            k->fraction_change[i] -=
                k->mass * k->fraction[donor] / k->density[donor] * (-speed * r[2] / d) * slope;
            k->fraction_change[i] += k->mass / (k->density[i] * k->density[j]) * k->diffusion *
                                     (k->fraction[i] - k->fraction[j]) * slope;
        }
}

static void kataev_deposition(Kataev *k)
{
    for (int b = 0; b < k->seed_count; b++)
        for (int j = 0; j < k->count; j++) {
            double r[3],
                d = between(k->place[j], k->seeds[b].place, r); // fluid minus boundary: fluid is the donor
            double speed = settling(k, k->fraction[j]);
            if (k->fraction[j] <= 0 || d == 0 || d > k->support || -speed * r[2] >= 0)
                continue;
            double volume = k->mass / k->density[j];
            double given = -volume * k->fraction[j] * (-speed * r[2] / d) *
                           spline_derivative(d, k->support); // eq. 1.64, below zero
            k->fraction_change[j] += given;
            k->seeds[b].mass_change -= k->sediment_density * volume * given; // eq. 1.69
        }
}

static void kataev_erosion(Kataev *k)
{
    for (int b = 0; b < k->seed_count; b++)
        for (int j = 0; j < k->count; j++) {
            double r[3], d = between(k->place[j], k->seeds[b].place, r), *v = k->half_velocity[j];
            if (d == 0 || d > k->support)
                continue;
            double relative = sqrt(dot(v, v)) - fabs(dot(v, k->seeds[b].normal)); // eq. 4.22
            double shear = k->shear_constant *
                           pow(relative / d, k->shear_exponent); // eq. 1.54 and 1.55, l = the distance
            double rate = shear > k->critical ? k->strength * (shear - k->critical) : 0; // eq. 1.56
            double lost = k->spacing * k->spacing * rate;                                // eq. 1.57
            k->seeds[b].mass_change -= lost;
            k->fraction_change[j] += lost / (k->sediment_density * k->mass / k->density[j]); // eq. 4.23
        }
}

// Eq. 1.70 and 1.71: H metres in all go to the lowest vertices first (deposit) or come from the highest
// (erosion).
static void spread(double height, double *v[3])
{
    double sign = height < 0 ? -1 : 1, left = height * sign;
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++)
            if (sign * *v[j] < sign * *v[i]) {
                double *swap = v[i];
                v[i] = v[j], v[j] = swap;
            }
    for (int level = 1; level <= 3; level++) {
        double room = level < 3 ? level * sign * (*v[level] - *v[level - 1]) : left,
               part = left < room ? left : room;
        for (int i = 0; i < level; i++)
            *v[i] += sign * part / level;
        left -= part;
    }
}
static void kataev_update_heightfield(Kataev *k)
{
    for (int cell = 0; cell < (k->columns - 1) * (k->rows - 1); cell++)
        for (int triangle = 0; triangle < 2; triangle++) {
            double mass = 0, *corner_height =
                                 &k->height[cell / (k->columns - 1) * k->columns + cell % (k->columns - 1)];
            for (int b = 0; b < k->seed_count; b++)
                if (k->seeds[b].cell == cell && k->seeds[b].triangle == triangle)
                    mass += k->time_step * k->seeds[b].mass_change; // eq. 1.70
            double *v[3] = {corner_height + 1, corner_height + k->columns,
                            corner_height + triangle * (1 + k->columns)};
            spread(3.0 / 6 * mass / k->sediment_density / (k->cell * k->cell / 2), v); // eq. 1.71
        }
}

static void kataev_integrate(Kataev *k, int is_first)
{
    for (int i = 0; i < k->count; i++) {
        double *u = k->half_velocity[i], *p = k->place[i], dt = k->time_step;
        for (int c = 0; c < 3; c++) {
            double force = k->pressure_force[i][c] + k->viscous_force[i][c] + k->tension_force[i][c] +
                           k->boundary_force[i][c];
            k->acceleration[i][c] =
                force / k->density[i] + (c == 2 ? -k->gravity : 0);    // eq. 1.24, 1.36 and 1.49
            u[c] += (is_first ? 0.5 : 1) * dt * k->acceleration[i][c]; // eq. 1.45, begun by 1.47
            p[c] += dt * u[c];                                         // eq. 1.46
        }
        if (k->columns < 2) // no ground
            continue;
        int column = (int)floor(p[0] / k->cell), row = (int)floor(p[1] / k->cell); // eq. 4.10
        if (column < 0 || row < 0 || column > k->columns - 2 || row > k->rows - 2)
            continue;
        double a[3], b[3], c[3], n[3], r[3], x = p[0] / k->cell - column, y = p[1] / k->cell - row;
        triangle_of(k, row * (k->columns - 1) + column, x + y > 1, a, b, c, n);
        double depth = -(between(p, a, r), dot(r, n)), speed = sqrt(dot(u, u)), inward = dot(u, n);
        if (depth > 0) // eq. 4.16 to 4.18: out along the normal
            for (int q = 0; q < 3; q++) {
                p[q] += depth * n[q];
                u[q] -= (1 + k->restitution * depth / (dt * speed)) * inward * n[q]; // eq. 1.44
            }
        k->fraction[i] += dt * k->fraction_change[i]; // 4.8.11, 7 to 10; the clamps lose what they cut off
        k->fraction[i] = k->fraction[i] < 0 ? 0 : k->fraction[i];
        k->fraction_change[i] = 0;
    }
}

#endif
