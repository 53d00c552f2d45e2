#include "numbers.h"

#include <glib.h>
#include <math.h>
#include <string.h>

char *number_text(double value)
{
    if (!(fabs(value) >= 100.0) || fabs(value) >= 1e15)
        return g_strdup_printf("%.3g", value);
    char digits[32];
    g_snprintf(digits, sizeof digits, "%.0f", fabs(value));
    GString *text = g_string_new(value < 0.0 ? "-" : "");
    size_t count = strlen(digits);
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && (count - k) % 3 == 0)
            g_string_append_c(text, ',');
        g_string_append_c(text, digits[k]);
    }
    return g_string_free(text, FALSE);
}
