#include "render/facets.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"

enum { MOST_CELLS = 1 << 24, SPAN = 8192 };

// ---- which lie together ----

typedef struct Part {
    SiltFacetBox box;
    double area;
    uint64_t sum, mixed; // of hashes of edges
} Part;

typedef struct SurveyJob {
    const SiltFacets *facets;
    Part *parts;
} SurveyJob;

static const float *place_of(const SiltFacets *facets, size_t triangle, size_t k)
{
    return facets->places + facets->stride * (size_t)facets->indices[3 * triangle + k];
}

static void include(SiltFacetBox *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
        box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
    }
}

static SiltFacetBox nothing(void)
{
    return (SiltFacetBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static double area_of(const float *a, const float *b, const float *c)
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)(b[k] - a[k]);
        v[k] = (double)(c[k] - a[k]);
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

// Every directed edge once and its opposite once: then the sum of a hash of edges, signed by their direction,
// is zero; by chance it is not.
static void add_edges(Part *part, const uint32_t corner[3])
{
    for (int k = 0; k < 3; k++) {
        uint64_t a = corner[k], b = corner[(k + 1) % 3];
        uint64_t low = a < b ? a : b, high = a < b ? b : a;
        uint64_t hash = (low << 32 | high) * 0x9e3779b97f4a7c15u;
        hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 32;
        part->sum += a < b ? hash : -hash;
        part->mixed ^= hash;
    }
}

static void survey_parts(void *context, int begin, int end)
{
    const SurveyJob *job = context;
    const SiltFacets *facets = job->facets;
    for (int n = begin; n < end; n++) {
        Part part = {.box = nothing()};
        size_t first = (size_t)n * SILT_FACET_PART, last = first + SILT_FACET_PART;
        last = last < facets->triangle_count ? last : facets->triangle_count;
        for (size_t t = first; t < last; t++) {
            const float *corners[3];
            for (size_t k = 0; k < 3; k++) {
                corners[k] = place_of(facets, t, k);
                include(&part.box, corners[k], corners[k]);
            }
            part.area += area_of(corners[0], corners[1], corners[2]);
            add_edges(&part, facets->indices + 3 * t);
        }
        job->parts[n] = part;
    }
}

void silt_survey_destroy(SiltSurvey *survey)
{
    silt_free(survey->parts);
    *survey = (SiltSurvey){0};
}

SiltStatus silt_facets_survey(const SiltFacets *facets, SiltSurvey *out)
{
    int count = (int)((facets->triangle_count + SILT_FACET_PART - 1) / SILT_FACET_PART);
    SurveyJob job = {.facets = facets};
    *out = (SiltSurvey){.part_count = count, .all = nothing()};
    SiltStatus status = silt_alloc_for("a mesh", (size_t)count, sizeof *job.parts, (void **)&job.parts);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", (size_t)count, sizeof *out->parts, (void **)&out->parts);
    if (status != SILT_OK) {
        silt_free(job.parts);
        return status;
    }
    silt_parallel(count, 4, survey_parts, &job);
    uint64_t sum = 0, mixed = 0;
    for (int n = 0; n < count; n++) {
        const Part *part = &job.parts[n];
        out->parts[n] = part->box;
        include(&out->all, part->box.low, part->box.high);
        out->area += part->area;
        sum += part->sum;
        mixed ^= part->mixed;
    }
    out->is_closed = sum == 0 && mixed == 0;
    silt_free(job.parts);
    return SILT_OK;
}

bool silt_facet_box_is_outside(const SiltFacetBox *box, const float matrix[16])
{
    int beyond[6] = {0};
    for (int n = 0; n < 8; n++) {
        float place[4] = {n & 1 ? box->high[0] : box->low[0], n & 2 ? box->high[1] : box->low[1],
                          n & 4 ? box->high[2] : box->low[2], 1.0f};
        float clip[4] = {0.0f};
        for (int c = 0; c < 4; c++)
            for (int r = 0; r < 4; r++)
                clip[r] += matrix[4 * c + r] * place[c];
        for (int k = 0; k < 3; k++) {
            beyond[2 * k] += clip[k] < -clip[3];
            beyond[2 * k + 1] += clip[k] > clip[3];
        }
    }
    bool is_outside = false;
    for (int k = 0; k < 6; k++)
        is_outside = is_outside || beyond[k] == 8;
    return is_outside;
}

// ---- fewer ----

typedef struct Grid {
    const SiltFacets *facets;
    float low[3], cell;
    int size[3];
    uint32_t *cells;  // of each vertex
    uint64_t *chosen; // of each cell: how near and which, inverted so that 0 is nobody; then its new number
    uint32_t *counts; // triangles that each part leaves, then where they begin
    SiltCoarse *coarse;
} Grid;

// A plane cuts some 3/2 cells for each cell's face it is large, and two triangles stand for each.
static void lay_grid(Grid *grid, const SiltSurvey *survey, size_t triangles)
{
    double cell = sqrt(3.0 * survey->area / (double)triangles), count;
    cell = cell > 0.0 ? cell : 1.0;
    for (;; cell *= 1.25) {
        count = 1.0;
        for (int k = 0; k < 3; k++)
            count *= floor((double)(survey->all.high[k] - survey->all.low[k]) / cell) + 1.0;
        if (count <= MOST_CELLS)
            break;
    }
    grid->cell = (float)cell;
    for (int k = 0; k < 3; k++) {
        grid->low[k] = survey->all.low[k];
        grid->size[k] = (int)floor((double)(survey->all.high[k] - survey->all.low[k]) / cell) + 1;
    }
}

static void find_cells(void *context, int begin, int end)
{
    Grid *grid = context;
    const SiltFacets *facets = grid->facets;
    size_t last = (size_t)end * SPAN < facets->vertex_count ? (size_t)end * SPAN : facets->vertex_count;
    for (size_t v = (size_t)begin * SPAN; v < last; v++) {
        const float *place = facets->places + facets->stride * v;
        uint32_t cell = 0;
        for (int k = 2; k >= 0; k--) {
            int at = (int)((place[k] - grid->low[k]) / grid->cell);
            at = at < 0 ? 0 : at >= grid->size[k] ? grid->size[k] - 1 : at; // vertices that no triangle has
            cell = cell * (uint32_t)grid->size[k] + (uint32_t)at;
        }
        grid->cells[v] = cell;
    }
}

// How far a vertex lies from the middle of its cell, as bits that are the larger the nearer it is.
static uint64_t nearness(const Grid *grid, size_t v)
{
    const float *place = grid->facets->places + grid->facets->stride * v;
    uint32_t rest = grid->cells[v], bits;
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        uint32_t at = rest % (uint32_t)grid->size[k];
        float away = place[k] - grid->low[k] - ((float)at + 0.5f) * grid->cell;
        rest /= (uint32_t)grid->size[k];
        square += away * away;
    }
    memcpy(&bits, &square, sizeof bits);
    return ~((uint64_t)bits << 32 | (uint64_t)v);
}

static void choose_vertices(Grid *grid)
{
    SiltCoarse *coarse = grid->coarse;
    for (size_t v = 0; v < grid->facets->vertex_count; v++) {
        uint64_t *chosen = &grid->chosen[grid->cells[v]], near = nearness(grid, v);
        *chosen = near > *chosen ? near : *chosen;
    }
    // in the order of the mesh, whose neighbours lie near each other
    for (size_t v = 0; v < grid->facets->vertex_count; v++) {
        uint64_t *chosen = &grid->chosen[grid->cells[v]];
        if ((uint32_t) ~*chosen == (uint32_t)v && *chosen >> 32 != 0) {
            coarse->vertices[coarse->vertex_count] = (uint32_t)v;
            *chosen = (uint64_t)coarse->vertex_count++; // its upper half is zero: nobody is so far away
        }
    }
}

// The triangles of a part that keep three corners; counted, or written where they belong.
static uint32_t sift_part(const Grid *grid, int part, uint32_t *out)
{
    const SiltFacets *facets = grid->facets;
    size_t first = (size_t)part * SILT_FACET_PART, last = first + SILT_FACET_PART;
    uint32_t count = 0;
    last = last < facets->triangle_count ? last : facets->triangle_count;
    for (size_t t = first; t < last; t++) {
        uint32_t cells[3];
        for (size_t k = 0; k < 3; k++)
            cells[k] = grid->cells[facets->indices[3 * t + k]];
        if (cells[0] == cells[1] || cells[1] == cells[2] || cells[2] == cells[0])
            continue;
        for (size_t k = 0; out && k < 3; k++)
            out[3 * (size_t)count + k] = (uint32_t)grid->chosen[cells[k]];
        count++;
    }
    return count;
}

static void count_parts(void *context, int begin, int end)
{
    Grid *grid = context;
    for (int n = begin; n < end; n++)
        grid->counts[n] = sift_part(grid, n, NULL);
}

static void write_parts(void *context, int begin, int end)
{
    const Grid *grid = context;
    for (int n = begin; n < end; n++)
        sift_part(grid, n, grid->coarse->indices + 3 * (size_t)grid->counts[n]);
}

static SiltStatus sift_triangles(Grid *grid, int part_count)
{
    SiltCoarse *coarse = grid->coarse;
    SiltStatus status =
        silt_alloc_for("a mesh", (size_t)part_count, sizeof *grid->counts, (void **)&grid->counts);
    if (status != SILT_OK)
        return status;
    silt_parallel(part_count, 4, count_parts, grid);
    for (int n = 0; n < part_count; n++) {
        uint32_t here = grid->counts[n];
        grid->counts[n] = (uint32_t)coarse->triangle_count;
        coarse->triangle_count += here;
    }
    status =
        silt_alloc_for("a mesh", coarse->triangle_count, 3 * sizeof(uint32_t), (void **)&coarse->indices);
    if (status == SILT_OK)
        silt_parallel(part_count, 4, write_parts, grid);
    return status;
}

void silt_coarse_destroy(SiltCoarse *coarse)
{
    silt_free(coarse->vertices);
    silt_free(coarse->indices);
    *coarse = (SiltCoarse){0};
}

SiltStatus silt_facets_coarsen(const SiltFacets *facets, const SiltSurvey *survey, size_t triangles,
                               SiltCoarse *out)
{
    Grid grid = {.facets = facets, .coarse = out};
    *out = (SiltCoarse){0};
    lay_grid(&grid, survey, triangles);
    out->cell = (double)grid.cell;
    size_t cells = (size_t)grid.size[0] * (size_t)grid.size[1] * (size_t)grid.size[2];
    SiltStatus status =
        silt_alloc_for("a mesh", facets->vertex_count, sizeof *grid.cells, (void **)&grid.cells);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", cells, sizeof *grid.chosen, (void **)&grid.chosen);
    if (status == SILT_OK)
        status = silt_alloc_for("a mesh", facets->vertex_count < cells ? facets->vertex_count : cells,
                                sizeof *out->vertices, (void **)&out->vertices);
    if (status == SILT_OK) {
        silt_parallel((int)((facets->vertex_count + SPAN - 1) / SPAN), 1, find_cells, &grid);
        choose_vertices(&grid);
        status = sift_triangles(&grid, survey->part_count);
    }
    silt_free(grid.cells);
    silt_free(grid.chosen);
    silt_free(grid.counts);
    if (status != SILT_OK)
        silt_coarse_destroy(out);
    return status;
}
