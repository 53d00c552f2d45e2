// What can be measured on one field.
#include <math.h>

#include "silt/terrain.h"

void silt_field_statistics(const SiltField *field, const uint8_t *nodata, SiltFieldStatistics *out)
{
    *out = (SiltFieldStatistics){.minimum = NAN, .maximum = NAN, .mean = NAN, .deviation = NAN};
    double low = INFINITY, high = -INFINITY, sum = 0.0, squares = 0.0, shift = NAN;
    for (int j = 0; j < field->height; j++) {
        const float *row = silt_field_row(field, j);
        const uint8_t *mask = nodata ? nodata + (size_t)j * (size_t)field->width : NULL;
        for (int i = 0; i < field->width; i++) {
            if (mask && mask[i]) {
                out->nodata_count++;
                continue;
            }
            double value = (double)row[i];
            if (!isfinite(value)) {
                out->bad_count++;
                continue;
            }
            if (out->cell_count++ == 0)
                shift = value; // sums of differences from it lose no digits
            low = value < low ? value : low;
            high = value > high ? value : high;
            sum += value - shift;
            squares += (value - shift) * (value - shift);
        }
    }
    if (out->cell_count == 0)
        return;
    double mean = sum / (double)out->cell_count;
    double variance = squares / (double)out->cell_count - mean * mean;
    out->minimum = low;
    out->maximum = high;
    out->mean = shift + mean;
    out->deviation = variance > 0.0 ? sqrt(variance) : 0.0;
}
