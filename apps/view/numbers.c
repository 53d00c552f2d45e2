#include "numbers.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
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

char *unit_text(const char *unit)
{
    if (strcmp(unit, "deg") == 0)
        return g_strdup("°");
    GString *text = g_string_new(NULL);
    for (const char *at = unit; *at; at++) {
        bool raised = at > unit && g_ascii_isalpha(at[-1]) && !g_ascii_isalnum(at[1]);
        g_string_append(text, raised && *at == '2' ? "²" : raised && *at == '3' ? "³" : "");
        if (!raised || (*at != '2' && *at != '3'))
            g_string_append_c(text, *at);
    }
    return g_string_free(text, FALSE);
}

char *plain_text(const char *number)
{
    double value = g_ascii_strtod(number, NULL);
    bool is_whole = strchr(number, 'e') && fabs(value) >= 1e5 && fabs(value) < 1e10 && value == floor(value);
    return is_whole ? g_strdup_printf("%.0f", value) : g_strdup(number);
}

const char *volume_unit(double largest, double *scale)
{
    double size = fabs(largest);
    *scale = size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1.0;
    return size >= 1e9 ? "km³" : size >= 1e6 ? "million m³" : "m³";
}

char *volume_text(double volume, double scale)
{
    double value = volume / scale, size = fabs(value);
    if (size == 0.0)
        return g_strdup("0");
    if (size < 0.001)
        return g_strdup(value < 0.0 ? "> -0.001" : "< 0.001");
    if (size < 100.0)
        return g_strdup_printf("%.*f", size < 1.0 ? 3 : size < 10.0 ? 2 : 1, value);
    double digits = pow(10.0, floor(log10(size)) - 2.0);
    return number_text(round(value / digits) * digits);
}
