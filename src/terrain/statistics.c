#include <math.h>

#include "silt/terrain.h"

void silt_field_statistics(const SiltField *field, const uint8_t *nodata, SiltFieldStatistics *out)
{
    *out = (SiltFieldStatistics){.minimum = INFINITY, .maximum = -INFINITY};
    double sum = 0.0, squares = 0.0;
    for (int j = 0; j < field->height; j++) {
        const float *row = silt_field_row(field, j);
        for (int i = 0; i < field->width; i++) {
            double value = (double)row[i];
            if (nodata && nodata[(size_t)j * (size_t)field->width + (size_t)i]) {
                out->nodata_count++;
            } else if (!isfinite(value)) {
                out->bad_count++;
            } else {
                out->cell_count++;
                out->minimum = value < out->minimum ? value : out->minimum;
                out->maximum = value > out->maximum ? value : out->maximum;
                sum += value;
                squares += value * value;
            }
        }
    }
    double count = (double)out->cell_count;
    out->mean = sum / count;
    out->deviation = sqrt(fmax(0.0, squares / count - out->mean * out->mean));
}
