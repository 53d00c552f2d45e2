// What an ideal fluid does when a column of it is let go: potential flow under the full free-surface
// conditions, by boundary elements (mixed Eulerian-Lagrangian). Independent of particles. Lengths in the
// column's width a, times in sqrt(a / g).
//
// Only the free surface is divided; floor and back wall are mirrors. Its nodes 0 (toe, on the floor) to
// count - 1 (at the back wall) move with the water: dx/dt = grad phi, dphi/dt = |grad phi|^2 / 2 - z.
#ifndef SILT_COLUMN_THEORY_H
#define SILT_COLUMN_THEORY_H

#include "../test.h"

enum { THEORY_NODES = 320, THEORY_ARRAYS = 3 };
#define THEORY_TOUCH 1e-24 // squared distances below it are none

typedef struct {
    double x[THEORY_NODES], z[THEORY_NODES], phi[THEORY_NODES];
} TheoryState;

typedef struct {
    int count, steps;
    double time, size; // size: of the longest elements
    TheoryState now;
    double flux[THEORY_NODES]; // dphi/dn outwards
    double arc[THEORY_NODES];  // length of the surface from the toe, by chords
    double matrix[THEORY_NODES][THEORY_NODES];
} Theory;

// ---- the potential ----

static void theory_arc(Theory *t, const TheoryState *s)
{
    t->arc[0] = 0.0;
    for (int i = 1; i < t->count; i++)
        t->arc[i] = t->arc[i - 1] + hypot(s->x[i] - s->x[i - 1], s->z[i] - s->z[i - 1]);
}

// Integrals over an element of its two linear shape functions times ln r (out[0..1]) and times d(ln r)/dn
// (out[2..3]), exactly. Its ends lie at p and q from where it is seen, at the logarithms of r^2 given.
static void theory_element(const double p[2], const double q[2], double length, double log_p, double log_q,
                           double out[4])
{
    double along_x = (q[0] - p[0]) / length, along_z = (q[1] - p[1]) / length;
    double from = p[0] * along_x + p[1] * along_z, to = from + length, off = p[0] * along_z - p[1] * along_x;
    double rr_p = p[0] * p[0] + p[1] * p[1], rr_q = q[0] * q[0] + q[1] * q[1];
    bool apart = rr_p > THEORY_TOUCH && rr_q > THEORY_TOUCH;
    double angle = apart ? atan2(off * length, off * off + from * to) : 0.0;
    double line = 0.5 * (to * log_q - from * log_p) - length + off * angle;
    double moment = 0.25 * (rr_q * (log_q - 1.0) - rr_p * (log_p - 1.0));
    double turn = apart ? 0.5 * off * (log_q - log_p) : 0.0;
    out[1] = (moment - from * line) / length;
    out[0] = line - out[1];
    out[3] = (turn - from * angle) / length;
    out[2] = angle - out[3];
}

static double theory_log(const double at[2])
{
    double rr = at[0] * at[0] + at[1] * at[1];
    return rr > THEORY_TOUCH ? log(rr) : 0.0;
}

// Green's third identity at each node: sum_j G_ij flux_j = sum_j K_ij (phi_j - phi_i). ln r is taken over a
// length no column reaches, so that the equations are never singular.
static void theory_equations(Theory *t, const TheoryState *s, double *right)
{
    const double far = log(50.0);
    theory_arc(t, s);
    for (int i = 0; i < t->count; i++) {
        double *row = t->matrix[i];
        memset(row, 0, sizeof t->matrix[i]);
        right[i] = 0.0;
        for (int image = 0; image < 4; image++) {
            double x = image & 1 ? -s->x[i] : s->x[i], z = image & 2 ? -s->z[i] : s->z[i], part[4];
            double q[2] = {s->x[0] - x, s->z[0] - z}, log_q = theory_log(q);
            for (int k = 0; k + 1 < t->count; k++) {
                double p[2] = {q[0], q[1]}, log_p = log_q, length = t->arc[k + 1] - t->arc[k];
                q[0] = s->x[k + 1] - x, q[1] = s->z[k + 1] - z;
                log_q = theory_log(q);
                theory_element(p, q, length, log_p, log_q, part);
                row[k] += part[0] - 0.5 * far * length;
                row[k + 1] += part[1] - 0.5 * far * length;
                right[i] += part[2] * (s->phi[k] - s->phi[i]) + part[3] * (s->phi[k + 1] - s->phi[i]);
            }
        }
    }
}

static void theory_eliminate(Theory *t, double *right)
{
    int n = t->count;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(t->matrix[i][k]) > fabs(t->matrix[best][k]) ? i : best;
        for (int j = k; j < n; j++) {
            double swap = t->matrix[k][j];
            t->matrix[k][j] = t->matrix[best][j], t->matrix[best][j] = swap;
        }
        double swap = right[k];
        right[k] = right[best], right[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double share = t->matrix[i][k] / t->matrix[k][k];
            for (int j = k + 1; j < n; j++)
                t->matrix[i][j] -= share * t->matrix[k][j];
            right[i] -= share * right[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = right[i];
        for (int j = i + 1; j < n; j++)
            sum -= t->matrix[i][j] * t->flux[j];
        t->flux[i] = sum / t->matrix[i][i];
    }
}

static void theory_solve(Theory *t, const TheoryState *s)
{
    double right[THEORY_NODES];
    theory_equations(t, s, right);
    theory_eliminate(t, right);
}

// ---- along the surface ----

// Slopes of the cubic spline through y over the arc. At the toe its curvature is none; at the back wall y is
// even (no slope) or odd (no curvature).
static void theory_slopes(const Theory *t, const double *y, bool even, double *slope)
{
    double diagonal[THEORY_NODES] = {0.0}, right[THEORY_NODES] = {0.0};
    int last = t->count - 1;
    for (int i = 0; i <= last; i++) {
        double before = i > 0 ? t->arc[i] - t->arc[i - 1] : 0.0,
               after = i < last ? t->arc[i + 1] - t->arc[i] : 0.0;
        bool still = i == last && even;
        double lower = i > 0 && !still ? 1.0 / before : 0.0, upper = i < last ? 1.0 / after : 0.0;
        diagonal[i] = still ? 1.0 : 2.0 * (lower + upper);
        right[i] = (i > 0 && !still ? 3.0 * (y[i] - y[i - 1]) * lower * lower : 0.0) +
                   (i < last ? 3.0 * (y[i + 1] - y[i]) * upper * upper : 0.0);
        if (i > 0) {
            double share = lower / diagonal[i - 1];
            diagonal[i] -= share / before;
            right[i] -= share * right[i - 1];
        }
    }
    slope[last] = right[last] / diagonal[last];
    for (int i = last - 1; i >= 0; i--)
        slope[i] = (right[i] - slope[i + 1] / (t->arc[i + 1] - t->arc[i])) / diagonal[i];
}

static void theory_rate(Theory *t, const TheoryState *s, TheoryState *rate)
{
    double dx[THEORY_NODES], dz[THEORY_NODES], dphi[THEORY_NODES];
    theory_solve(t, s);
    theory_slopes(t, s->x, false, dx);
    theory_slopes(t, s->z, true, dz);
    theory_slopes(t, s->phi, true, dphi);
    for (int i = 0; i < t->count; i++) {
        double length = hypot(dx[i], dz[i]), along = dphi[i] / length, x = dx[i] / length, z = dz[i] / length;
        rate->x[i] = i == t->count - 1 ? 0.0 : along * x + t->flux[i] * z;
        rate->z[i] = i == 0 ? 0.0 : along * z - t->flux[i] * x;
        rate->phi[i] = 0.5 * (rate->x[i] * rate->x[i] + rate->z[i] * rate->z[i]) - s->z[i];
    }
}

// Nodes anew, close together at the toe where the jet is thin. The last stays where it is.
static void theory_divide(Theory *t)
{
    static const bool even[THEORY_ARRAYS] = {false, true, true};
    TheoryState old = t->now;
    double at[THEORY_NODES], slope[THEORY_NODES], arc[THEORY_NODES], next = 0.0, step = 0.0;
    const double *from[THEORY_ARRAYS] = {old.x, old.z, old.phi};
    double *to[THEORY_ARRAYS] = {t->now.x, t->now.z, t->now.phi};
    theory_arc(t, &old);
    memcpy(arc, t->arc, sizeof arc);
    int old_last = t->count - 1, count = 0;
    double length = arc[old_last];
    for (; next < length - 0.5 * step || count == 0; next += step) {
        assert_true(count < THEORY_NODES);
        at[count++] = next;
        step = fmin(t->size, 0.2 * t->size + 0.16 * next);
    }
    for (int v = 0; v < THEORY_ARRAYS; v++) {
        theory_slopes(t, from[v], even[v], slope);
        for (int i = 0, k = 0; i < count; i++) {
            double s = i == count - 1 ? length : at[i] * length / at[count - 1];
            while (k < old_last - 1 && arc[k + 1] < s)
                k++;
            double h = arc[k + 1] - arc[k], u = (s - arc[k]) / h, w = 1.0 - u;
            to[v][i] = w * w * ((1.0 + 2.0 * u) * from[v][k] + u * h * slope[k]) +
                       u * u * ((1.0 + 2.0 * w) * from[v][k + 1] - w * h * slope[k + 1]);
        }
    }
    t->count = count;
    t->now.z[0] = t->now.x[count - 1] = 0.0;
}

// Takes out what goes up and down from node to node, and no parabola.
static void theory_smooth(Theory *t)
{
    static const double sign[THEORY_ARRAYS] = {-1.0, 1.0, 1.0}; // beyond the back wall
    TheoryState old = t->now;
    const double *y[THEORY_ARRAYS] = {old.x, old.z, old.phi};
    double *to[THEORY_ARRAYS] = {t->now.x, t->now.z, t->now.phi};
    int last = t->count - 1;
    for (int v = 0; v < THEORY_ARRAYS; v++)
        for (int i = 2; i < last; i++) {
            double second = i + 2 <= last ? y[v][i + 2] : sign[v] * y[v][last - 1];
            to[v][i] = (10.0 * y[v][i] + 4.0 * (y[v][i - 1] + y[v][i + 1]) - y[v][i - 2] - second) / 16.0;
        }
}

// ---- time ----

static double theory_step_limit(const Theory *t, const TheoryState *rate)
{
    double limit = 0.002 * (t->steps + 1);
    for (int i = 0; i + 1 < t->count; i++) {
        double length = t->arc[i + 1] - t->arc[i];
        double apart = hypot(rate->x[i + 1] - rate->x[i], rate->z[i + 1] - rate->z[i]);
        limit = fmin(limit, 0.2 * fmin(sqrt(length), length / (apart + 1e-30)));
    }
    return limit;
}

static void theory_add(TheoryState *s, double factor, const TheoryState *rate, int count)
{
    for (int i = 0; i < count; i++) {
        s->x[i] += factor * rate->x[i];
        s->z[i] += factor * rate->z[i];
        s->phi[i] += factor * rate->phi[i];
    }
}

// Runge-Kutta of the fourth order.
static void theory_run(Theory *t, double until)
{
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    while (t->time < until - 1e-12) {
        TheoryState start = t->now, sum = start, rate;
        double dt = 0.0;
        for (int stage = 0; stage < 4; stage++) {
            TheoryState at = start;
            if (stage > 0)
                theory_add(&at, ahead[stage] * dt, &rate, t->count);
            theory_rate(t, &at, &rate);
            if (stage == 0)
                dt = fmin(until - t->time, theory_step_limit(t, &rate));
            theory_add(&sum, weight[stage] * dt / 6.0, &rate, t->count);
        }
        t->now = sum;
        t->time += dt;
        if (++t->steps % 5 == 0)
            theory_smooth(t);
        theory_divide(t);
    }
}

// A column 1 wide and `height` high, its upper edge rounded by two elements so that the surface is smooth.
static Theory *theory_start(double height, double size)
{
    Theory *t = test_calloc(1, sizeof *t);
    double round = 2.0 * size, face = height - round, bend = 1.57079632679489661923 * round;
    double length = face + bend + 1.0 - round;
    t->size = size;
    t->count = THEORY_NODES;
    for (int i = 0; i < t->count; i++) {
        double s = length * i / (t->count - 1), angle = fmin(fmax((s - face) / round, 0.0), bend / round);
        t->now.x[i] = 1.0 - round + round * cos(angle) - fmax(s - face - bend, 0.0);
        t->now.z[i] = fmin(s, face) + round * sin(angle);
    }
    theory_divide(t);
    return t;
}

// Water, and its energy (of motion and of height), a unit of length along the wall.
static void theory_books(Theory *t, double *volume, double *energy)
{
    const TheoryState *s = &t->now;
    theory_solve(t, s);
    *volume = *energy = 0.0;
    for (int k = 0; k + 1 < t->count; k++) {
        double across = s->x[k] - s->x[k + 1], z0 = s->z[k], z1 = s->z[k + 1];
        double length = hypot(across, z1 - z0), a = s->phi[k], b = s->phi[k + 1];
        *volume += 0.5 * (z0 + z1) * across;
        *energy += (z0 * z0 + z0 * z1 + z1 * z1) / 6.0 * across;
        *energy += length / 12.0 * ((2.0 * a + b) * t->flux[k] + (a + 2.0 * b) * t->flux[k + 1]);
    }
}

// Mean depth between the back wall and x = across.
static double theory_depth(const Theory *t, double across)
{
    const TheoryState *s = &t->now;
    double area = 0.0;
    for (int k = t->count - 1; k > 0 && s->x[k] < across; k--) {
        double share = fmin(1.0, (across - s->x[k]) / (s->x[k - 1] - s->x[k])), width = s->x[k - 1] - s->x[k];
        double end = s->z[k] + share * (s->z[k - 1] - s->z[k]);
        area += 0.5 * share * width * (s->z[k] + end);
    }
    return area / across;
}

#endif
