#include "render/columns.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

enum { MOST_COLUMNS = 256 };

struct SiltColumns {
    const SiltMesh *mesh;
    bool is_built;
    double low[2], size[2]; // of a column, m
    int count[2];
    size_t *first; // of each column in the list; one more at the end
    uint32_t *list;
};

SiltStatus silt_columns_create(const SiltMesh *mesh, SiltColumns **out)
{
    SiltStatus status = silt_alloc_for("picking", 1, sizeof **out, (void **)out);
    if (status == SILT_OK)
        (*out)->mesh = mesh;
    return status;
}

void silt_columns_look_at(SiltColumns *columns, const SiltMesh *mesh)
{
    columns->mesh = mesh;
}

void silt_columns_destroy(SiltColumns *columns)
{
    if (!columns)
        return;
    silt_free(columns->first);
    silt_free(columns->list);
    silt_free(columns);
}

// ---- which triangles stand in which column ----

static const float *corner_of(const SiltMesh *mesh, size_t triangle, size_t k)
{
    return mesh->positions + 3 * (size_t)mesh->indices[3 * triangle + k];
}

static int column_at(const SiltColumns *columns, double place, int axis)
{
    double at = (place - columns->low[axis]) / columns->size[axis];
    int last = columns->count[axis] - 1;
    return at <= 0.0 ? 0 : at >= last ? last : (int)at;
}

static void span_of(const SiltColumns *columns, size_t triangle, int axis, int span[2])
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < 3; k++) {
        double place = (double)corner_of(columns->mesh, triangle, k)[axis];
        low = fmin(low, place);
        high = fmax(high, place);
    }
    span[0] = column_at(columns, low, axis);
    span[1] = column_at(columns, high, axis);
}

// Counts the triangles of each column, or, with a list, puts them there.
static void sort(SiltColumns *columns, uint32_t *list)
{
    for (size_t t = 0; t < columns->mesh->triangle_count; t++) {
        int x[2], y[2];
        span_of(columns, t, 0, x);
        span_of(columns, t, 1, y);
        for (int j = y[0]; j <= y[1]; j++)
            for (int i = x[0]; i <= x[1]; i++) {
                size_t *at = &columns->first[(size_t)j * (size_t)columns->count[0] + (size_t)i];
                if (list)
                    list[*at] = (uint32_t)t;
                ++*at;
            }
    }
}

static void measure(SiltColumns *columns)
{
    const SiltMesh *mesh = columns->mesh;
    double high[2] = {-INFINITY, -INFINITY};
    columns->low[0] = columns->low[1] = INFINITY;
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 2; k++) {
            double place = (double)mesh->positions[3 * v + (size_t)k];
            columns->low[k] = fmin(columns->low[k], place);
            high[k] = fmax(high[k], place);
        }
    int side = (int)fmin(fmax(sqrt((double)mesh->triangle_count / 8.0), 1.0), MOST_COLUMNS);
    for (int k = 0; k < 2; k++) {
        columns->count[k] = side;
        columns->size[k] = fmax((high[k] - columns->low[k]) / side, 1e-9);
    }
}

static SiltStatus build(SiltColumns *columns)
{
    measure(columns);
    size_t count = (size_t)columns->count[0] * (size_t)columns->count[1], sum = 0;
    SiltStatus status =
        silt_alloc_for("picking", count + 1, sizeof *columns->first, (void **)&columns->first);
    if (status != SILT_OK)
        return status;
    sort(columns, NULL);
    for (size_t k = 0; k <= count; k++) {
        size_t here = columns->first[k];
        columns->first[k] = sum;
        sum += here;
    }
    status = silt_alloc_for("picking", sum, sizeof *columns->list, (void **)&columns->list);
    if (status != SILT_OK) {
        silt_free(columns->first);
        columns->first = NULL;
        return status;
    }
    sort(columns, columns->list);
    // each column's count has gone to its end, the next one's beginning
    memmove(columns->first + 1, columns->first, count * sizeof *columns->first);
    columns->first[0] = 0;
    columns->is_built = true;
    return SILT_OK;
}

// ---- rays ----

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Where the ray meets the plane of a triangle, if within it: the ray, seen from its beginning, passes all
// three edges on the same side.
static bool meet(const SiltMesh *mesh, size_t triangle, const double from[3], const double way[3],
                 double *out, double normal[3])
{
    double corners[3][3], sides[3], u[3], v[3], n[3];
    for (size_t k = 0; k < 3; k++) {
        const float *at = corner_of(mesh, triangle, k);
        double place[3] = {(double)at[0], (double)at[1], (double)at[2] + mesh->origin[2]};
        subtract(place, from, corners[k]);
    }
    for (int k = 0; k < 3; k++) {
        cross(corners[(k + 1) % 3], corners[(k + 2) % 3], u);
        sides[k] = dot(u, way);
    }
    bool inside = (sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0) ||
                  (sides[0] <= 0.0 && sides[1] <= 0.0 && sides[2] <= 0.0);
    if (!inside)
        return false;
    subtract(corners[1], corners[0], u);
    subtract(corners[2], corners[0], v);
    cross(u, v, n);
    double facing = dot(n, way);
    if (facing == 0.0)
        return false;
    *out = dot(n, corners[0]) / facing;
    memcpy(normal, n, sizeof n);
    return true;
}

static bool meet_column(const SiltColumns *columns, const int cell[2], const double from[3],
                        const double way[3], double least, double *nearest, double normal[3])
{
    size_t index = (size_t)cell[1] * (size_t)columns->count[0] + (size_t)cell[0];
    bool found = false;
    for (size_t k = columns->first[index]; k < columns->first[index + 1]; k++) {
        double t, n[3];
        if (!meet(columns->mesh, columns->list[k], from, way, &t, n) || t < least || t >= *nearest)
            continue;
        *nearest = t;
        memcpy(normal, n, sizeof n);
        found = true;
    }
    return found;
}

bool silt_columns_ray(SiltColumns *columns, const double from[3], const double way[3], double least,
                      double *out, double normal[3])
{
    if (columns->mesh->triangle_count == 0 || (!columns->is_built && build(columns) != SILT_OK))
        return false;
    double begin = fmax(least, 0.0), end = INFINITY, nearest = INFINITY;
    for (int k = 0; k < 2; k++) {
        double low = columns->low[k], high = low + columns->count[k] * columns->size[k];
        if (way[k] == 0.0) {
            if (from[k] < low || from[k] > high)
                return false;
            continue;
        }
        double a = (low - from[k]) / way[k], b = (high - from[k]) / way[k];
        begin = fmax(begin, fmin(a, b));
        end = fmin(end, fmax(a, b));
    }
    if (begin > end)
        return false;
    int cell[2] = {column_at(columns, from[0] + begin * way[0], 0),
                   column_at(columns, from[1] + begin * way[1], 1)};
    while (true) {
        double next = end;
        int axis = -1;
        meet_column(columns, cell, from, way, least, &nearest, normal);
        for (int k = 0; k < 2; k++) {
            if (way[k] == 0.0)
                continue;
            double edge = columns->low[k] + (cell[k] + (way[k] > 0.0 ? 1 : 0)) * columns->size[k];
            double t = (edge - from[k]) / way[k];
            if (t < next) {
                next = t;
                axis = k;
            }
        }
        *out = nearest;
        if (nearest <= next || axis < 0)
            return nearest < INFINITY;
        cell[axis] += way[axis] > 0.0 ? 1 : -1;
        if (cell[axis] < 0 || cell[axis] >= columns->count[axis])
            return nearest < INFINITY;
    }
}
