// How often a run is kept: "100steps" or, of the clock on the wall, "30s", "5m" or "1h".
#include <math.h>
#include <string.h>

#include "cli.h"

bool read_pace(const char *text, double *seconds, int64_t *steps)
{
    static const struct {
        const char *unit;
        double seconds; // 0: steps
    } units[] = {{"steps", 0.0}, {"step", 0.0}, {"s", 1.0}, {"m", 60.0},
                 {"min", 60.0},  {"h", 3600.0}, {"", 0.0}};
    double number;
    if (!silt_parse_number(&text, &number) || !(number > 0.0 && number < 1e9))
        return false;
    text += strspn(text, " ");
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(text, units[k].unit) == 0) {
            *seconds = number * units[k].seconds;
            *steps = units[k].seconds > 0.0 ? 0 : (int64_t)ceil(number);
            return true;
        }
    return false;
}
