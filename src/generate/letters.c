// Letters raised from a picture, as the "PG" mountain of Mei fig. 1: bright is high, dark is the plain.
// Without a picture it draws those two letters itself.
#include "core/parallel.h"
#include "core/status.h"
#include "generate/shape.h"
#include "physics/elementary.h"
#include "silt/io.h"

typedef struct LettersParams {
    char path[SILT_PATH_SIZE];
    double height, edge, size;
    bool invert;
} LettersParams;

static const SiltParam letters_items[] = {
    SILT_PATH(LettersParams, path, "", "a grey picture to raise, of any format read; empty: the letters PG"),
    SILT_LENGTH(LettersParams, height, 0.0, 0.12, "height of its brightest places"),
    SILT_LENGTH(LettersParams, edge, 0.0, 0.08, "width of the slope between dark and bright"),
    SILT_REAL(LettersParams, size, "", 0.85, 0.01, 1.0, "part of the map that the picture fills"),
    SILT_BOOL(LettersParams, invert, 0, "dark is high, bright is the plain"),
};

// A picture with a margin of plain around it, 0 to 1.
typedef struct Picture {
    SiltField field;
    int margin;
    double pixel; // metres on the map
    double height;
} Picture;

// ---- the letters we draw: lengths in heights of a letter ----

enum { DRAWN_WIDTH = 600, DRAWN_HEIGHT = 340 };
static const double drawn_pixel = 2.4 / DRAWN_WIDTH, stroke = 0.11; // half a stroke's width

static double distance_from_segment(double x, double y, const double s[4])
{
    double ax = s[2] - s[0], ay = s[3] - s[1], dx = x - s[0], dy = y - s[1];
    double t = (ax * dx + ay * dy) / (ax * ax + ay * ay);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return silt_hypot(dx - t * ax, dy - t * ay);
}

// An arc clockwise from direction `from` to direction `to` (unit vectors), but for the gap between them.
typedef struct Arc {
    double x, y, radius;
    double from[2], to[2];
    bool gap_is_wide; // more than half a turn
} Arc;

static double distance_from_arc(double x, double y, const Arc *arc)
{
    double dx = x - arc->x, dy = y - arc->y;
    bool after_to = arc->to[0] * dy - arc->to[1] * dx > 0.0;
    bool before_from = dx * arc->from[1] - dy * arc->from[0] > 0.0;
    if (arc->gap_is_wide ? after_to || before_from : after_to && before_from) {
        double to_start = silt_hypot(dx - arc->radius * arc->from[0], dy - arc->radius * arc->from[1]);
        double to_end = silt_hypot(dx - arc->radius * arc->to[0], dy - arc->radius * arc->to[1]);
        return to_start < to_end ? to_start : to_end;
    }
    return fabs(silt_hypot(dx, dy) - arc->radius);
}

static const double segments[][4] = {
    {0.26, 0.17, 0.26, 1.17},
    {0.26, 0.17, 0.52, 0.17},
    {0.26, 0.71, 0.52, 0.71},  // P
    {1.74, 0.72, 2.125, 0.72}, // G
};
static const Arc arcs[] = {
    {0.52, 0.44, 0.27, {0.0, -1.0}, {0.0, 1.0}, true},
    {1.63, 0.67, 0.50, {0.995, 0.0998}, {0.766, -0.643}, false},
};

static double distance_from_letters(double x, double y)
{
    double nearest = INFINITY;
    for (size_t k = 0; k < sizeof segments / sizeof segments[0]; k++)
        nearest = fmin(nearest, distance_from_segment(x, y, segments[k]));
    for (size_t k = 0; k < sizeof arcs / sizeof arcs[0]; k++)
        nearest = fmin(nearest, distance_from_arc(x, y, &arcs[k]));
    return nearest;
}

static void draw_letters(SiltField *field)
{
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            double distance = distance_from_letters((i + 0.5) * drawn_pixel, (j + 0.5) * drawn_pixel);
            double inside = (stroke - distance) / drawn_pixel + 0.5;
            silt_field_row(field, j)[i] = (float)(inside < 0.0 ? 0.0 : inside > 1.0 ? 1.0 : inside);
        }
}

// ---- any picture ----

// Stretches what there is to 0 .. 1.
static SiltStatus normalise(const char *path, SiltField *field)
{
    float low = INFINITY, high = -INFINITY;
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            float value = silt_field_at(field, i, j);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    double span = (double)high - (double)low;
    if (!(span > 0.0))
        return silt_fail(SILT_BAD_FILE, "%s: the picture is of one grey; there is nothing to raise", path);
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++)
            silt_field_row(field, j)[i] = (float)(((double)silt_field_at(field, i, j) - (double)low) / span);
    return SILT_OK;
}

static SiltStatus read_picture(const char *path, SiltTerrain **out)
{
    SiltReadOptions options;
    SiltStatus status = silt_params_init(&silt_read_params, &options);
    if (status != SILT_OK)
        return status;
    options.cell = 1.0; // neither matters here, and nobody need be told that the file does not say
    options.heights[0] = 0.0;
    options.heights[1] = 1.0;
    SiltTerrain *picture;
    status = silt_terrain_read(path, &options, &picture);
    if (status != SILT_OK)
        return status;
    status = normalise(path, silt_terrain_layer(picture, "height"));
    if (status != SILT_OK) {
        silt_terrain_destroy(picture);
        return status;
    }
    *out = picture;
    return SILT_OK;
}

// ---- soft edges: a box blur three times each way ----

typedef struct BlurJob {
    const SiltField *from;
    SiltField *to;
    int radius;
    bool columns;
} BlurJob;

static void blur_lines(void *context, int begin, int end)
{
    const BlurJob *job = context;
    size_t next = job->columns ? job->from->stride : 1, line_step = job->columns ? 1 : job->from->stride;
    int length = job->columns ? job->from->height : job->from->width;
    double weight = 1.0 / (2 * job->radius + 1);
    for (int line = begin; line < end; line++) {
        const float *from = job->from->data + (size_t)line * line_step;
        float *to = job->to->data + (size_t)line * line_step;
        double sum = 0.0;
        for (int k = -job->radius; k < length; k++) {
            int entering = k + job->radius, leaving = k - job->radius - 1;
            sum += entering < length ? (double)from[(size_t)entering * next] : 0.0;
            sum -= leaving >= 0 ? (double)from[(size_t)leaving * next] : 0.0;
            if (k >= 0)
                to[(size_t)k * next] =
                    sum > 0.0 ? (float)(sum * weight) : 0.0f; // the rest of a sum may be below
        }
    }
}

static SiltStatus blur(SiltField *field, int radius, const SiltRun *run)
{
    SiltField other = {0};
    SiltStatus status = silt_field_create(field->width, field->height, &other);
    for (int pass = 0; pass < 6 && status == SILT_OK; pass++) {
        BlurJob job = {pass % 2 ? &other : field, pass % 2 ? field : &other, radius, pass >= 3};
        int lines = job.columns ? field->width : field->height;
        status = silt_parallel_run(run, "letters", lines, 16, blur_lines, &job);
    }
    silt_field_destroy(&other);
    return status;
}

// ---- onto the map ----

static double sample(const Picture *picture, int i, int j)
{
    const SiltField *field = &picture->field;
    bool inside = i >= 0 && j >= 0 && i < field->width && j < field->height;
    return inside ? (double)silt_field_at(field, i, j) : 0.0;
}

// Weights of four neighbours in a cubic B-spline: smooth even where the map has many cells to a pixel.
static void spline(double t, double weight[4])
{
    double s = 1.0 - t;
    weight[0] = s * s * s / 6.0;
    weight[1] = (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0;
    weight[2] = (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0;
    weight[3] = t * t * t / 6.0;
}

static double letters_height(const void *shape, double x, double y)
{
    const Picture *picture = shape;
    double u = x / picture->pixel + 0.5 * (picture->field.width - 1);
    double v = y / picture->pixel + 0.5 * (picture->field.height - 1);
    if (!(u > -2.0 && v > -2.0 && u < picture->field.width + 1.0 && v < picture->field.height + 1.0))
        return 0.0;
    int i = (int)floor(u), j = (int)floor(v);
    double across[4], down[4], sum = 0.0;
    spline(u - i, across);
    spline(v - j, down);
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++)
            sum += across[a] * down[b] * sample(picture, i - 1 + a, j - 1 + b);
    return picture->height * sum;
}

// The picture with its margin, and as soft as asked: three boxes reach across an edge of 6 radii and a
// little.
static SiltStatus make_picture(const LettersParams *p, const SiltTerrain *terrain, const SiltField *drawn,
                               const SiltRun *run, Picture *out)
{
    double fit_x = terrain->width * terrain->cell / drawn->width;
    double fit_y = terrain->height * terrain->cell / drawn->height;
    out->pixel = p->size * (fit_x < fit_y ? fit_x : fit_y);
    double edge = p->edge / out->pixel;
    int longer = drawn->width > drawn->height ? drawn->width : drawn->height;
    int radius = edge / 6.0 < longer ? (int)(edge / 6.0) : longer;
    out->margin = 3 * radius;
    out->height = p->height;
    SiltStatus status =
        silt_field_create(drawn->width + 2 * out->margin, drawn->height + 2 * out->margin, &out->field);
    if (status != SILT_OK)
        return status;
    for (int j = 0; j < drawn->height; j++)
        for (int i = 0; i < drawn->width; i++) {
            float value = silt_field_at(drawn, i, j);
            silt_field_row(&out->field, j + out->margin)[i + out->margin] = p->invert ? 1.0f - value : value;
        }
    return radius > 0 ? blur(&out->field, radius, run) : SILT_OK;
}

static SiltStatus letters_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    LettersParams p = *(const LettersParams *)params;
    SILT_RESOLVE(letters_items, &p, terrain);
    SiltTerrain *drawn = NULL;
    Picture picture = {0};
    SiltStatus status = p.path[0] ? read_picture(p.path, &drawn)
                                  : silt_terrain_create(DRAWN_WIDTH, DRAWN_HEIGHT, 1.0, &drawn);
    if (status == SILT_OK && !p.path[0])
        draw_letters(silt_terrain_layer(drawn, "height"));
    if (status == SILT_OK)
        status = make_picture(&p, terrain, silt_terrain_layer(drawn, "height"), run, &picture);
    if (status == SILT_OK)
        status = silt_shape_fill(terrain, "height", "letters", letters_height, &picture, run);
    silt_field_destroy(&picture.field);
    silt_terrain_destroy(drawn);
    return status;
}

const SiltGenerator silt_generator_letters = {
    .name = "letters",
    .summary = "letters, or any picture, raised as a mountain",
    .source = "Mei 2007, fig. 1",
    .params = SILT_PARAM_TABLE(LettersParams, letters_items),
    .run = letters_run,
};
