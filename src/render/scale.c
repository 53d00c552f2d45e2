#include "render/scale.h"

#include <math.h>

enum { MOST_COUNTED = 30 };

// Few whole numbers, as orders of streams are.
static bool counts(const SiltField *field, const uint8_t *nodata)
{
    for (int j = 0; j < field->height; j++)
        for (int i = 0; i < field->width; i++) {
            float value = silt_field_at(field, i, j);
            bool hole = nodata && nodata[(size_t)j * (size_t)field->width + (size_t)i];
            if (!hole && !(value == floorf(value) && value >= 0.0f && value <= MOST_COUNTED))
                return false;
        }
    return true;
}

SiltStatus silt_scale_choose(const SiltField *field, const uint8_t *nodata, SiltScale *out)
{
    const double percents[] = {1.0, 50.0, 99.0};
    double bounds[3];
    SiltStatus status = silt_field_percentiles(field, nodata, percents, 3, bounds);
    if (status != SILT_OK)
        return status;
    SiltFieldStatistics statistics;
    silt_field_statistics(field, nodata, &statistics);
    double low = bounds[0], middle = bounds[1], high = bounds[2];
    if (!(high > low)) { // nearly all cells are alike: show the others
        low = statistics.minimum;
        high = statistics.maximum;
    }
    if (!(high > low)) {
        *out = (SiltScale){SILT_SCALE_FLAT, low, low + 1.0};
    } else if (counts(field, nodata)) {
        *out = (SiltScale){SILT_SCALE_WHOLE, statistics.minimum, statistics.maximum};
    } else if (low < -0.02 * high && high > -0.02 * low) {
        double reach = -low > high ? -low : high;
        *out = (SiltScale){SILT_SCALE_DIVERGING, -reach, reach};
    } else if (low >= 0.0 && middle > 0.0 && high > 12.0 * middle) {
        double top = statistics.maximum, least = top * 1e-5;
        *out = (SiltScale){SILT_SCALE_LOG, middle > least ? middle : least, top};
    } else {
        *out = (SiltScale){SILT_SCALE_LINEAR, low, high};
    }
    return SILT_OK;
}

float silt_scale_place(const SiltScale *scale, float value)
{
    double place;
    if (scale->kind == SILT_SCALE_LOG)
        place = value > 0.0f ? log((double)value / scale->low) / log(scale->high / scale->low) : 0.0;
    else
        place = ((double)value - scale->low) / (scale->high - scale->low);
    return place > 0.0 ? (place < 1.0 ? (float)place : 1.0f) : 0.0f; // NaN becomes 0
}

SiltColour silt_scale_colour(const SiltScale *scale, float place)
{
    static const SiltColour deposit[] = {{0.56f, 0.46f, 0.34f}, {0.66f, 0.28f, 0.20f}, {0.72f, 0.12f, 0.09f}};
    static const SiltColour mud[] = {{0.13f, 0.30f, 0.38f}, {0.20f, 0.38f, 0.26f}, {0.30f, 0.47f, 0.14f}};
    return scale->kind == SILT_SCALE_DIVERGING ? silt_ramp_diverging(place)
           : scale->kind == SILT_SCALE_DEPOSIT ? silt_ramp(deposit, 3, place)
           : scale->kind == SILT_SCALE_MUD     ? silt_ramp(mud, 3, place)
                                               : silt_ramp_uniform(place);
}

double silt_round_up(double least)
{
    double decade = pow(10.0, floor(log10(least)));
    return least <= decade         ? decade
           : least <= 2.0 * decade ? 2.0 * decade
           : least <= 5.0 * decade ? 5.0 * decade
                                   : 10.0 * decade;
}

double silt_contour_interval(double span)
{
    return span > 0.0 ? silt_round_up(span / 24.0) : 1.0;
}

int silt_scale_ticks(const SiltScale *scale, int limit, double *out)
{
    int count = 0;
    if (scale->kind == SILT_SCALE_LOG) {
        int first = (int)ceil(log10(scale->low) - 1e-9), last = (int)floor(log10(scale->high) + 1e-9);
        int every = 1 + (last - first) / limit;
        for (int k = first; k <= last && count < limit; k += every)
            out[count++] = pow(10.0, k);
        return count;
    }
    if (scale->kind == SILT_SCALE_FLAT) {
        out[0] = scale->low;
        return 1;
    }
    double step = silt_round_up((scale->high - scale->low) / (double)(limit > 1 ? limit - 1 : 1));
    step = scale->kind == SILT_SCALE_WHOLE && step < 1.0 ? 1.0 : step;
    double first = ceil(scale->low / step - 1e-9);
    for (int k = 0; count < limit && (first + k) * step <= scale->high * (1.0 + 1e-12) + 1e-9 * step; k++)
        out[count++] = (first + k) * step;
    return count;
}
