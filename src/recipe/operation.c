// What stages do to layers alone: scale, clamp, add, blend ... Each is its keys and one call on fields.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "physics/elementary.h"
#include "recipe/recipe.h"
#include "silt/rain.h"

static SiltStatus find_layer(const Kitchen *kitchen, const char *name, SiltField **out)
{
    *out = silt_terrain_layer(kitchen->terrain, name);
    if (*out)
        return SILT_OK;
    char there[512] = "";
    for (int k = 0; k < kitchen->terrain->layer_count; k++) {
        size_t used = strlen(there);
        snprintf(there + used, sizeof there - used, " %s", kitchen->terrain->layers[k]->name);
    }
    return silt_fail(SILT_BAD_ARGUMENT, "there is no layer '%s' here; there are:%s", name, there);
}

typedef struct ScaleStage {
    double by, offset;
} ScaleStage;

static const SiltParam scale_items[] = {
    SILT_REAL(ScaleStage, by, "", 1.0, -1e9, 1e9, "what it is multiplied by"),
    SILT_REAL(ScaleStage, offset, "", 0.0, -1e9, 1e9, "what is added then, in the layer's unit"),
};

static SiltStatus scale(const Step *step, Kitchen *kitchen)
{
    const ScaleStage *p = step->params;
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    if (status == SILT_OK)
        silt_field_scale(field, (float)p->by, (float)p->offset);
    return status;
}

typedef struct RangeStage {
    double low, high;
} RangeStage;

static const SiltParam clamp_items[] = {
    SILT_REAL(RangeStage, low, "", NAN, -1e9, 1e9, "no value stays below; none: no limit"),
    SILT_REAL(RangeStage, high, "", NAN, -1e9, 1e9, "no value stays above; none: no limit"),
};

static SiltStatus check_clamp(const Step *step, const char *owner)
{
    const RangeStage *p = step->params;
    return p->low > p->high
               ? silt_fail(SILT_BAD_ARGUMENT, "%s: low = %g is above high = %g", owner, p->low, p->high)
               : SILT_OK;
}

static SiltStatus clamp(const Step *step, Kitchen *kitchen)
{
    const RangeStage *p = step->params;
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    if (status == SILT_OK)
        silt_field_clamp(field, isnan(p->low) ? -INFINITY : (float)p->low,
                         isnan(p->high) ? INFINITY : (float)p->high);
    return status;
}

static const SiltParam normalise_items[] = {
    SILT_REAL(RangeStage, low, "", 0.0, -1e9, 1e9, "where its lowest value comes to lie"),
    SILT_REAL(RangeStage, high, "", 1.0, -1e9, 1e9, "where its highest value comes to lie"),
};

static SiltStatus normalise(const Step *step, Kitchen *kitchen)
{
    const RangeStage *p = step->params;
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    if (status == SILT_OK)
        silt_field_normalise(field, kitchen->terrain->nodata, (float)p->low, (float)p->high);
    return status;
}

typedef struct BlurStage {
    double radius;
} BlurStage;

static const SiltParam blur_items[] = {
    SILT_REAL(BlurStage, radius, "m", 50.0, 0.0, 1e6, "standard deviation of the bell it is smoothed with"),
};

static SiltStatus blur(const Step *step, Kitchen *kitchen)
{
    const BlurStage *p = step->params;
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    return status == SILT_OK ? silt_field_blur(field, p->radius / kitchen->terrain->cell) : status;
}

typedef struct IntoStage {
    char into[SILT_NAME_SIZE];
} IntoStage;

static const SiltParam copy_items[] = {
    SILT_LAYER(IntoStage, into, "", "the layer that becomes the copy"),
};

static SiltStatus copy(const Step *step, Kitchen *kitchen)
{
    const IntoStage *p = step->params;
    SiltField *from, *to;
    SiltStatus status = find_layer(kitchen, step->subject, &from);
    if (status == SILT_OK)
        status = silt_terrain_require(kitchen->terrain, p->into, &to);
    if (status == SILT_OK && from != to)
        silt_field_copy(from, to);
    return status;
}

static SiltStatus check_drop(const Step *step, const char *owner)
{
    return strcmp(step->subject, "height") == 0
               ? silt_fail(SILT_BAD_ARGUMENT, "%s: a terrain keeps its height; drop another layer", owner)
               : SILT_OK;
}

static SiltStatus drop(const Step *step, Kitchen *kitchen)
{
    silt_terrain_drop(kitchen->terrain, step->subject);
    return SILT_OK;
}

typedef struct MaskStage {
    double low, high;
    char into[SILT_NAME_SIZE];
} MaskStage;

static const SiltParam mask_items[] = {
    SILT_REAL(MaskStage, low, "", 0.0, -1e9, 1e9,
              "where the mask is 0; above high, it falls instead of rising"),
    SILT_REAL(MaskStage, high, "", 1.0, -1e9, 1e9, "where the mask is 1"),
    SILT_LAYER(MaskStage, into, "mask", "the layer that becomes the mask"),
};

static SiltStatus check_mask(const Step *step, const char *owner)
{
    const MaskStage *p = step->params;
    return p->low == p->high
               ? silt_fail(SILT_BAD_ARGUMENT, "%s: low and high are both %g; they must differ", owner, p->low)
               : SILT_OK;
}

// (value - low) / (high - low), kept within 0 and 1
static SiltStatus mask(const Step *step, Kitchen *kitchen)
{
    const MaskStage *p = step->params;
    SiltField *from, *to;
    SiltStatus status = find_layer(kitchen, step->subject, &from);
    if (status == SILT_OK)
        status = silt_terrain_require(kitchen->terrain, p->into, &to);
    if (status != SILT_OK)
        return status;
    if (from != to)
        silt_field_copy(from, to);
    double factor = 1.0 / (p->high - p->low);
    silt_field_scale(to, (float)factor, (float)(-p->low * factor));
    silt_field_clamp(to, 0.0f, 1.0f);
    return SILT_OK;
}

// ---- masks by scales of other kinds ----

static const SiltParam log_items[] = {
    SILT_REAL(RangeStage, low, "", NAN, 1e-30, 1e9,
              "the value that becomes 0; none: the median, or 1e-5 of high"),
    SILT_REAL(RangeStage, high, "", NAN, 1e-30, 1e9, "the value that becomes 1; none: the highest"),
};

static SiltStatus by_log(const Step *step, Kitchen *kitchen)
{
    const RangeStage *p = step->params;
    const double middle[] = {50.0};
    double median;
    SiltField *field;
    SiltFieldStatistics found;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    if (status == SILT_OK)
        status = silt_field_percentiles(field, kitchen->terrain->nodata, middle, 1, &median);
    if (status != SILT_OK)
        return status;
    silt_field_statistics(field, kitchen->terrain->nodata, &found);
    double high = isnan(p->high) ? found.maximum : p->high, least = 1e-5 * high;
    double low = !isnan(p->low) ? p->low : median > least && median < high ? median : least;
    if (!(high > 0.0 && low < high)) {
        silt_field_fill(field, 0.0f); // nothing is above zero
        return SILT_OK;
    }
    double factor = 1.0 / silt_log(high / low);
    for (int j = 0; j < field->height; j++) {
        float *row = silt_field_row(field, j);
        for (int i = 0; i < field->width; i++)
            row[i] = row[i] > 0.0f ? (float)(silt_log((double)row[i] / low) * factor) : 0.0f;
    }
    silt_field_clamp(field, 0.0f, 1.0f);
    return SILT_OK;
}

static const SiltParam percentile_items[] = {
    SILT_REAL(RangeStage, low, "%", 1.0, 0.0, 100.0, "so many of all values become 0"),
    SILT_REAL(RangeStage, high, "%", 99.0, 0.0, 100.0, "and all above so many become 1"),
};

static SiltStatus check_percentile(const Step *step, const char *owner)
{
    const RangeStage *p = step->params;
    return p->low < p->high
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT, "%s: low = %g is not below high = %g", owner, p->low, p->high);
}

static SiltStatus by_percentile(const Step *step, Kitchen *kitchen)
{
    const RangeStage *p = step->params;
    const double percents[2] = {p->low, p->high};
    double bounds[2];
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    if (status == SILT_OK)
        status = silt_field_percentiles(field, kitchen->terrain->nodata, percents, 2, bounds);
    if (status != SILT_OK)
        return status;
    double factor = bounds[1] > bounds[0] ? 1.0 / (bounds[1] - bounds[0]) : 0.0;
    silt_field_scale(field, 1.0f, (float)-bounds[0]);
    silt_field_scale(field, (float)factor, 0.0f);
    silt_field_clamp(field, 0.0f, 1.0f);
    return SILT_OK;
}

typedef struct CurveStage {
    SiltList points;
} CurveStage;

static const SiltParam curve_items[] = {
    SILT_LIST(CurveStage, points, "from:1 to:1", "0,0;1,1",
              "values and what they become, straight lines between them; the first and last hold beyond"),
};

static SiltStatus check_curve(const Step *step, const char *owner)
{
    const CurveStage *p = step->params;
    if (p->points.count < 2)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: points: a curve has two of them at least", owner);
    for (int k = 1; k < p->points.count; k++)
        if (!(p->points.values[2 * k] > p->points.values[2 * k - 2]))
            return silt_fail(SILT_BAD_ARGUMENT,
                             "%s: points: each value lies above the one before, and %g does not", owner,
                             p->points.values[2 * k]);
    return SILT_OK;
}

static SiltStatus curve(const Step *step, Kitchen *kitchen)
{
    const CurveStage *p = step->params;
    const double *points = p->points.values;
    int last = p->points.count - 1;
    SiltField *field;
    SiltStatus status = find_layer(kitchen, step->subject, &field);
    for (int j = 0; status == SILT_OK && j < field->height; j++) {
        float *row = silt_field_row(field, j);
        for (int i = 0; i < field->width; i++) {
            double x = (double)row[i];
            int k = 0;
            while (k < last - 1 && x > points[2 * k + 2])
                k++;
            const double *a = points + 2 * k, *b = a + 2;
            x = x < points[0] ? points[0] : x > points[2 * last] ? points[2 * last] : x;
            row[i] = (float)(a[1] + (b[1] - a[1]) * ((x - a[0]) / (b[0] - a[0])));
        }
    }
    return status;
}

static const SiltParam slope_items[] = {
    SILT_LAYER(IntoStage, into, "slope", "the layer that takes it"),
};

static SiltStatus slope(const Step *step, Kitchen *kitchen)
{
    const IntoStage *p = step->params;
    SiltField *from, *to;
    SiltStatus status = find_layer(kitchen, step->subject, &from);
    if (status == SILT_OK)
        status = silt_terrain_require(kitchen->terrain, p->into, &to);
    if (status == SILT_OK)
        silt_field_slope(from, kitchen->terrain->cell, to);
    return status;
}

static SiltStatus check_slope(const Step *step, const char *owner)
{
    const IntoStage *p = step->params;
    return strcmp(step->subject, p->into) == 0
               ? silt_fail(SILT_BAD_ARGUMENT, "%s: into = %s is the layer itself; take another", owner,
                           p->into)
               : SILT_OK;
}

static const SiltParam rain_items[] = {
    SILT_LAYER(IntoStage, into, "rain", "the layer that takes it"),
};

static SiltStatus rain(const Step *step, Kitchen *kitchen)
{
    const IntoStage *p = step->params;
    SiltField *from, *to;
    SiltStatus status = find_layer(kitchen, step->subject, &from);
    if (status == SILT_OK)
        status = silt_terrain_require(kitchen->terrain, p->into, &to);
    return status == SILT_OK ? silt_rain_map(kitchen->terrain, from, step->options, to) : status;
}

// ---- two layers ----

typedef struct CombineStage {
    char into[SILT_NAME_SIZE];
    double amount;
    char mask[SILT_NAME_SIZE];
} CombineStage;

static const SiltParam combine_items[] = {
    SILT_LAYER(CombineStage, into, "height", "the other layer, which takes the result"),
};

static const SiltParam add_items[] = {
    SILT_LAYER(CombineStage, into, "height", "the layer it is added to"),
    SILT_REAL(CombineStage, amount, "", 1.0, -1e9, 1e9, "how much of it is added; negative takes away"),
};

static const SiltParam blend_items[] = {
    SILT_LAYER(CombineStage, into, "height", "the layer it is blended into"),
    SILT_REAL(CombineStage, amount, "", 0.5, 0.0, 1.0, "0 leaves `into` as it is, 1 replaces it"),
    SILT_LAYER(CombineStage, mask, "", "a layer of 0 to 1 that scales the amount cell by cell; empty: none"),
};

static SiltStatus find_pair(const Step *step, Kitchen *kitchen, SiltField **from, SiltField **into)
{
    const CombineStage *p = step->params;
    SiltStatus status = find_layer(kitchen, step->subject, from);
    return status == SILT_OK ? silt_terrain_require(kitchen->terrain, p->into, into) : status;
}

static SiltStatus add(const Step *step, Kitchen *kitchen)
{
    const CombineStage *p = step->params;
    SiltField *from, *into, part;
    SiltStatus status = find_pair(step, kitchen, &from, &into);
    if (status == SILT_OK)
        status = silt_field_create(from->width, from->height, &part);
    if (status != SILT_OK)
        return status;
    silt_field_copy(from, &part);
    silt_field_scale(&part, (float)p->amount, 0.0f);
    silt_field_add(into, &part, into);
    silt_field_destroy(&part);
    return SILT_OK;
}

static SiltStatus multiply(const Step *step, Kitchen *kitchen)
{
    SiltField *from, *into;
    SiltStatus status = find_pair(step, kitchen, &from, &into);
    if (status == SILT_OK)
        silt_field_multiply(into, from, into);
    return status;
}

static SiltStatus maximum(const Step *step, Kitchen *kitchen)
{
    SiltField *from, *into;
    SiltStatus status = find_pair(step, kitchen, &from, &into);
    if (status == SILT_OK)
        silt_field_maximum(into, from, into);
    return status;
}

static SiltStatus minimum(const Step *step, Kitchen *kitchen)
{
    SiltField *from, *into;
    SiltStatus status = find_pair(step, kitchen, &from, &into);
    if (status == SILT_OK)
        silt_field_minimum(into, from, into);
    return status;
}

static SiltStatus blend(const Step *step, Kitchen *kitchen)
{
    const CombineStage *p = step->params;
    SiltField *from, *into, *where = NULL;
    SiltStatus status = find_pair(step, kitchen, &from, &into);
    if (status == SILT_OK && p->mask[0])
        status = find_layer(kitchen, p->mask, &where);
    if (status == SILT_OK)
        silt_field_blend(into, from, where, (float)p->amount, into);
    return status;
}

// ---- the words ----

#define OPERATION(name_, summary_, S, items_, ...)                                                           \
    {                                                                                                        \
        .info = {"stages", name_, SILT_SUBJECT_LAYER, summary_, SILT_PARAM_TABLE(S, items_), NULL, false},   \
        __VA_ARGS__                                                                                          \
    }

static const StageKind operations[] = {
    OPERATION("scale", "a layer times a number, plus another", ScaleStage, scale_items, .run = scale),
    OPERATION("clamp", "a layer kept between two values", RangeStage, clamp_items, .check = check_clamp,
              .run = clamp),
    OPERATION("normalise", "a layer stretched to fill a range", RangeStage, normalise_items,
              .check = check_clamp, .run = normalise),
    OPERATION("blur", "a layer smoothed", BlurStage, blur_items, .run = blur, .scratch = 2),
    OPERATION("add", "a layer added to another", CombineStage, add_items, .run = add, .scratch = 1),
    OPERATION("multiply", "a layer multiplied by another", CombineStage, combine_items, .run = multiply),
    OPERATION("max", "the higher of two layers, cell by cell", CombineStage, combine_items, .run = maximum),
    OPERATION("min", "the lower of two layers, cell by cell", CombineStage, combine_items, .run = minimum),
    OPERATION("blend", "a layer mixed into another, everywhere or by a mask", CombineStage, blend_items,
              .run = blend),
    OPERATION("mask", "a mask of 0 to 1 from the values of a layer", MaskStage, mask_items,
              .check = check_mask, .run = mask),
    OPERATION("log", "a layer of values over decades as a mask of 0 to 1, by their logarithm", RangeStage,
              log_items, .check = check_clamp, .run = by_log),
    OPERATION("percentile", "a layer as a mask of 0 to 1 between two percentiles of its values", RangeStage,
              percentile_items, .check = check_percentile, .run = by_percentile),
    OPERATION("curve", "a layer bent by a curve through points", CurveStage, curve_items,
              .check = check_curve, .run = curve),
    OPERATION("slope", "rise over run of a layer in metres", IntoStage, slope_items, .check = check_slope,
              .run = slope),
    {.info = {"stages", "rainfall", SILT_SUBJECT_LAYER,
              "rain on a layer of heights: more where the wind climbs",
              SILT_PARAM_TABLE(IntoStage, rain_items), &silt_rain_params, false},
     .check = check_slope,
     .run = rain,
     .scratch = 3},
    OPERATION("copy", "a layer copied under another name", IntoStage, copy_items, .run = copy),
    {.info = {"stages", "drop", SILT_SUBJECT_LAYER, "a layer forgotten", {NULL, 0, 1}, NULL, false},
     .check = check_drop,
     .run = drop},
};

const Section silt_section_operations = {"stages", operations, sizeof operations / sizeof operations[0],
                                         &silt_section_brush};
