// Faults (Krten 1994; Fritz 3.2): cuts at random places raise the land on one side and lower it on the other.
// A cut crosses a row at one place (a line) or two (a circle): what lies beyond takes one entry in an array
// of differences, and only the soft edge is worked out cell by cell.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/random.h"

enum { SHAPE_LINES, SHAPE_CIRCLES };
enum { SPAN = 1024 }; // columns at a time

typedef struct FaultParams {
    int shape;
    int count;
    double step;
    double decay;
    double edge;
    double radius;
    bool paper;
} FaultParams;

static const SiltParam fault_items[] = {
    SILT_PAPER_SWITCH(FaultParams),
    SILT_CHOICE(FaultParams, shape, "lines circles", "lines", "cut along lines or along circles"),
    SILT_INT(FaultParams, count, "", 400, 0, 100000, "how many cuts", .flags = SILT_LOG),
    SILT_REAL(
        FaultParams, step, "m", NAN, 0.0, 1e5,
        "how far the first cut raises and lowers; none: for a relief of 0.15 of the map's smaller side"),
    SILT_REAL(FaultParams, decay, "", 0.8, 0.0, 1.0, "how much of the step is lost by the last cut",
              .paper = "0"),
    SILT_LENGTH_OF(FaultParams, edge, 0.0, 0.03, "width of the slope between the two sides, 0 for a cliff",
                   "0"),
    SILT_LENGTH(FaultParams, radius, 0.0, 0.4, "radius of the largest circles"),
};

// A line is east * x + south * y = at; a circle has its centre at (x, y). Metres from the map's centre.
typedef struct Cut {
    double x, y;
    double at; // distance of the line from the centre, or radius
    double step;
} Cut;

typedef struct FaultJob {
    SiltField *field;
    double cell;
    bool circles;
    double half_edge;
    int count;
    const Cut *cuts;
} FaultJob;

// One span of a row while cuts are added to it.
typedef struct Span {
    double x, y; // metres, of its first cell
    double cell;
    int count;
    double jump[SPAN + 1]; // what each cell has more than the one before
    double soft[SPAN];     // edges
} Span;

// The first cell of the span at or beyond x metres.
static int cell_beyond(const Span *span, double x)
{
    double k = ceil((x - span->x) / span->cell);
    return k > 0.0 ? k < span->count ? (int)k : span->count : 0;
}

// Raises cells first .. end - 1 of the span by `amount`.
static void raise(Span *span, int first, int end, double amount)
{
    span->jump[first] += amount;
    span->jump[end] -= amount;
}

// -1 to 1 across an edge: t (3 - t^2) / 2 of the distance in half edges.
SILT_CLONES static void add_line_edge(const Cut *cut, double half_edge, const Span *span, int first, int end,
                                      double *restrict soft)
{
    double slope = cut->x * span->cell / half_edge;
    double start = (cut->x * span->x + cut->y * span->y - cut->at) / half_edge, step = 0.5 * cut->step;
    for (int k = first; k < end; k++) {
        double t = start + slope * (double)k;
        t = t < -1.0 ? -1.0 : t;
        t = t > 1.0 ? 1.0 : t;
        soft[k] += step * (t * (3.0 - t * t));
    }
}

SILT_CLONES static void add_circle_edge(const Cut *cut, double half_edge, const Span *span, int first,
                                        int end, double *restrict soft)
{
    double dy = span->y - cut->y, start = span->x - cut->x, step = 0.5 * cut->step;
    for (int k = first; k < end; k++) {
        double dx = start + span->cell * (double)k;
        double t = (cut->at - sqrt(dx * dx + dy * dy)) / half_edge;
        t = t < -1.0 ? -1.0 : t;
        t = t > 1.0 ? 1.0 : t;
        soft[k] += step * (t * (3.0 - t * t));
    }
}

// Cells before the edge are on one side, those behind it on the other.
static void add_line(const FaultJob *job, const Cut *cut, Span *span)
{
    double here = cut->x * span->x + cut->y * span->y - cut->at;
    double across = fabs(cut->x); // metres further from the line for each metre east
    if (across * span->cell * span->count < 1e-9 * (job->half_edge + span->cell)) {
        if (fabs(here) < job->half_edge)
            add_line_edge(cut, job->half_edge, span, 0, span->count, span->soft);
        else
            raise(span, 0, span->count, here < 0.0 ? -cut->step : cut->step);
        return;
    }
    double crossing = span->x - here / cut->x;
    int first = cell_beyond(span, crossing - job->half_edge / across);
    int end = job->half_edge > 0.0 ? cell_beyond(span, crossing + job->half_edge / across) : first;
    double east = cut->x > 0.0 ? cut->step : -cut->step;
    raise(span, 0, first, -east);
    raise(span, end, span->count, east);
    if (first < end)
        add_line_edge(cut, job->half_edge, span, first, end, span->soft);
}

// Half the chord that a circle of this radius cuts from the row; below zero when it misses it.
static double half_chord(double radius, double dy)
{
    double square = radius * radius - dy * dy;
    return radius > 0.0 && square >= 0.0 ? sqrt(square) : -1.0;
}

static void add_circle(const FaultJob *job, const Cut *cut, Span *span)
{
    double outer = half_chord(cut->at + job->half_edge, span->y - cut->y);
    double inner = half_chord(cut->at - job->half_edge, span->y - cut->y);
    if (outer < 0.0) {
        raise(span, 0, span->count, -cut->step);
        return;
    }
    int first = cell_beyond(span, cut->x - outer), end = cell_beyond(span, cut->x + outer);
    int inner_first = inner < 0.0 ? end : cell_beyond(span, cut->x - inner);
    int inner_end = inner < 0.0 ? end : cell_beyond(span, cut->x + inner);
    raise(span, 0, first, -cut->step);
    raise(span, inner_first, inner_end, cut->step);
    raise(span, end, span->count, -cut->step);
    if (job->half_edge > 0.0) {
        add_circle_edge(cut, job->half_edge, span, first, inner_first, span->soft);
        add_circle_edge(cut, job->half_edge, span, inner_end, end, span->soft);
    }
}

static void fault_rows(void *context, int begin, int end)
{
    const FaultJob *job = context;
    const SiltField *field = job->field;
    Span span = {.cell = job->cell};
    for (int j = begin; j < end; j++)
        for (int i = 0; i < field->width; i += SPAN) {
            span.count = field->width - i < SPAN ? field->width - i : SPAN;
            span.x = (i - 0.5 * (field->width - 1)) * job->cell;
            span.y = (j - 0.5 * (field->height - 1)) * job->cell;
            memset(span.jump, 0, sizeof span.jump);
            memset(span.soft, 0, sizeof span.soft);
            for (int k = 0; k < job->count; k++)
                (job->circles ? add_circle : add_line)(job, &job->cuts[k], &span);
            double height = 0.0;
            for (int k = 0; k < span.count; k++) {
                height += span.jump[k];
                silt_field_row(field, j)[i + k] = (float)(height + span.soft[k]);
            }
        }
}

// ---- the cuts ----

// A direction that is uniform on the circle, without sin and cos: points of the square outside the disc are
// thrown away.
static void draw_direction(uint64_t seed, int cut, double *x, double *y)
{
    for (uint32_t attempt = 1;; attempt++) {
        SiltRandom random = silt_random(seed, SILT_STREAM_FAULT, (uint64_t)cut, attempt);
        double u = (double)silt_symmetric(random.word[0]), v = (double)silt_symmetric(random.word[1]);
        double length = sqrt(u * u + v * v);
        if (length <= 1.0 && length > 0.01) {
            *x = u / length;
            *y = v / length;
            return;
        }
    }
}

// Lines cross the disc around the map evenly, and either side is as likely to rise: the mean over all seeds
// is flat. Circles lie evenly on the map and as far around it as they reach, and go up and down in turn.
static Cut draw_cut(const FaultJob *job, double width, double height, double radius, uint64_t seed,
                    int number)
{
    SiltRandom random = silt_random(seed, SILT_STREAM_FAULT, (uint64_t)number, 0);
    double r[3];
    for (int k = 0; k < 3; k++)
        r[k] = (double)silt_symmetric(random.word[k]);
    Cut cut;
    if (job->circles) {
        unsigned first = silt_random(seed, SILT_STREAM_FAULT, UINT64_MAX, 0).word[0];
        cut.x = r[0] * (0.5 * width + radius);
        cut.y = r[1] * (0.5 * height + radius);
        cut.at = radius * (0.625 + 0.375 * r[2]);
        cut.step = (first ^ (unsigned)number) & 1 ? 1.0 : -1.0;
    } else {
        draw_direction(seed, number, &cut.x, &cut.y);
        cut.at = r[0] * 0.5 * sqrt(width * width + height * height);
        cut.step = 1.0;
    }
    return cut;
}

static SiltStatus fault_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    FaultParams p = *(const FaultParams *)params;
    SILT_RESOLVE(fault_items, &p, terrain);
    FaultJob job = {.field = silt_terrain_layer(terrain, "height"),
                    .cell = terrain->cell,
                    .circles = p.shape == SHAPE_CIRCLES,
                    .half_edge = 0.5 * p.edge,
                    .count = p.count};
    void *block;
    SiltStatus status = silt_alloc_for("fault", (size_t)p.count, sizeof(Cut), &block);
    if (status != SILT_OK)
        return status;
    Cut *cuts = block;
    double squares = 0.0;
    for (int k = 0; k < p.count; k++) {
        cuts[k] = draw_cut(&job, terrain->width * terrain->cell, terrain->height * terrain->cell, p.radius,
                           run ? run->seed : 0, k);
        cuts[k].step *= 1.0 - p.decay * k / (p.count > 1 ? p.count - 1 : 1);
        squares += cuts[k].step * cuts[k].step;
    }
    // a random walk of these steps spans some four deviations over a map, half that where circles leave it
    // alone
    double default_step =
        0.15 * silt_map_side(terrain) / (job.circles ? 2.0 : 4.0) / sqrt(squares > 0.0 ? squares : 1.0);
    double step = isnan(p.step) ? default_step : p.step;
    for (int k = 0; k < p.count; k++)
        cuts[k].step *= step;
    job.cuts = cuts;
    status = silt_parallel_run(run, "fault", terrain->height, 4, fault_rows, &job);
    silt_free(cuts);
    return status;
}

const SiltGenerator silt_generator_fault = {
    .name = "fault",
    .summary = "cuts that raise the land on one side and lower it on the other",
    .source = "Fritz 2016, 3.2",
    .params = SILT_PARAM_TABLE(FaultParams, fault_items),
    .run = fault_run,
};
