// Units of length and time, their powers and ratios: "mm/year" where metres a year are meant.
#include <math.h>
#include <string.h>

#include "core/text.h"

// A unit as a ratio of whole numbers to metres or seconds, so that 0.5 mm is 0.5 / 1000 m and no less.
typedef struct Unit {
    const char *name;
    double num, den;
    int length, time; // powers
} Unit;

#define YEAR 31557600.0 // of 365.25 days, s

static const Unit units[] = {
    {"mm", 1.0, 1000.0, 1, 0},      {"cm", 1.0, 100.0, 1, 0},       {"m", 1.0, 1.0, 1, 0},
    {"km", 1000.0, 1.0, 1, 0},      {"ha", 10000.0, 1.0, 2, 0},     {"s", 1.0, 1.0, 0, 1},
    {"min", 60.0, 1.0, 0, 1},       {"h", 3600.0, 1.0, 0, 1},       {"d", 86400.0, 1.0, 0, 1},
    {"years", YEAR, 1.0, 0, 1},     {"year", YEAR, 1.0, 0, 1},      {"yr", YEAR, 1.0, 0, 1},
    {"kyr", 1e3 * YEAR, 1.0, 0, 1}, {"Myr", 1e6 * YEAR, 1.0, 0, 1},
};

// "km2": the unit and its power.
static bool parse_power(const char *text, size_t length, Unit *out)
{
    double power = 1.0;
    if (length > 1 && text[length - 1] >= '2' && text[length - 1] <= '3')
        power = text[--length] - '0';
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        const Unit *u = &units[k];
        if (strlen(u->name) != length || strncmp(u->name, text, length) != 0)
            continue;
        *out = *u;
        for (double n = power; n > 1.0; n -= 1.0) {
            out->num *= u->num;
            out->den *= u->den;
            out->length += u->length;
            out->time += u->time;
        }
        return true;
    }
    return false;
}

// "m2/year".
static bool parse_unit(const char *text, size_t length, Unit *out)
{
    const char *slash = memchr(text, '/', length);
    Unit below;
    if (!parse_power(text, slash ? (size_t)(slash - text) : length, out))
        return false;
    if (!slash)
        return true;
    if (!parse_power(slash + 1, length - (size_t)(slash - text) - 1, &below))
        return false;
    out->num *= below.den;
    out->den *= below.num;
    out->length -= below.length;
    out->time -= below.time;
    return true;
}

bool silt_unit_convert(const char *given, size_t length, const char *wanted, double *value)
{
    Unit from, to;
    if (strlen(wanted) == length && strncmp(given, wanted, length) == 0)
        return true; // to the bit
    if (!parse_unit(given, length, &from) || !parse_unit(wanted, strlen(wanted), &to) ||
        from.length != to.length || from.time != to.time)
        return false;
    double num = from.num * to.den, den = from.den * to.num;
    *value = num >= den ? *value * (num / den) : *value / (den / num);
    return true;
}

bool silt_parse_in(const char *text, const char *unit, double *out)
{
    if (!silt_parse_number(&text, out) || !isfinite(*out))
        return false;
    text += strspn(text, " ");
    size_t length = strcspn(text, " ");
    if (text[length + strspn(text + length, " ")])
        return false;
    return length == 0 || silt_unit_convert(text, length, unit, out);
}
