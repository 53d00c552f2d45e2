#include "core/number.h"

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "physics/power.h"

enum { LARGEST_POWER = 22 }; // 10^22 is the largest power of ten that a double holds exactly
static const double powers[LARGEST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

char *silt_write_integer(char *to, uint64_t value)
{
    char digits[SILT_INTEGER_SIZE];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *to++ = digits[--count];
    return to;
}

static char *write_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

// digits * 10^-places as 123.45, 0.0012 or 1.2e-09
static char *write_decimal(char *to, uint32_t digits, int places)
{
    while (digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    char text[SILT_INTEGER_SIZE];
    int count = (int)(silt_write_integer(text, digits) - text);
    int whole = count - places; // digits before the point
    if (whole < -4 || whole > 12) {
        *to++ = text[0];
        if (count > 1)
            *to++ = '.';
        memcpy(to, text + 1, (size_t)count - 1);
        to += count - 1;
        *to++ = 'e';
        *to++ = whole < 1 ? '-' : '+';
        return silt_write_integer(to, (uint64_t)(whole < 1 ? 1 - whole : whole - 1));
    }
    if (whole <= 0)
        to = write_text(to, "0.");
    for (int k = whole; k < 0; k++)
        *to++ = '0';
    for (int k = 0; k < count; k++) {
        if (k == whole && k > 0)
            *to++ = '.';
        *to++ = text[k];
    }
    for (int k = count; k < whole; k++)
        *to++ = '0';
    return to;
}

static double scaled(double digits, int places)
{
    return places < 0 ? digits * powers[-places] : digits / powers[places];
}

// Out of the powers' reach: print with more and more digits until it reads back.
static char *write_far_float(char *to, double value)
{
    char text[SILT_NUMBER_SIZE];
    for (int digits = 5; digits <= 9; digits++) {
        double power = silt_power(10.0, digits - 1 - floor(silt_log10(value)));
        double rounded = power < 1e300 ? round(value * power) / power : value;
        silt_format_number(rounded, text);
        if ((float)rounded == (float)value && strlen(text) < SILT_FLOAT_SIZE - 1)
            return write_text(to, text);
    }
    return write_text(to, silt_format_number(value, text));
}

// A decimal reads back as `value` when it lies between the midpoints to its neighbours. Those are exact in
// double, and digits * 10^-places is one correctly rounded operation, which keeps order: if the rounded
// result lies strictly between them, so does the decimal. With 6 digits at most one decimal can lie there, so
// a shorter one would show as zeros at its end.
char *silt_write_float(char *to, float value)
{
    if (isnan(value))
        return write_text(to, "nan");
    if (signbit(value) && value != 0.0f) {
        *to++ = '-';
        value = -value;
    }
    if (isinf(value))
        return write_text(to, "inf");
    if (value == 0.0f)
        return write_text(to, "0");
    double exact = (double)value;
    if (exact < 1e-12 || exact >= 1e27)
        return write_far_float(to, exact);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    float neighbours[2];
    uint32_t around[2] = {bits - 1, bits + 1};
    memcpy(neighbours, around, sizeof neighbours);
    double low = 0.5 * (exact + (double)neighbours[0]), high = 0.5 * (exact + (double)neighbours[1]);
    int places = 6; // such that value * 10^places has six digits before the point
    if (exact >= 1.0)
        for (; places > -LARGEST_POWER && scaled(exact, -places) >= 1e6; places--)
            ;
    else
        for (; places < LARGEST_POWER && exact * powers[places] < 1e5; places++)
            ;
    for (int digits = 6; digits < 9; digits++, places++) {
        double rounded = floor(scaled(exact, -places) + 0.5), back = scaled(rounded, places);
        if (back > low && back < high)
            return write_decimal(to, (uint32_t)rounded, places);
    }
    return write_decimal(to, (uint32_t)floor(scaled(exact, -places) + 0.5), places);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// "e-12" after the digits; what does not make an exponent stays unread.
static const char *parse_exponent(const char *at, int *exponent)
{
    if (*at != 'e' && *at != 'E')
        return at;
    const char *c = at + 1;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+')
        c++;
    if (!is_digit(*c))
        return at;
    int value = 0;
    for (; is_digit(*c); c++)
        value = value < 10000 ? value * 10 + (*c - '0') : value;
    *exponent += negative ? -value : value;
    return c;
}

// An integer below 2^53 times or over an exact power of ten is one rounding: the correct one.
bool silt_parse_plain_number(const char **cursor, double *out)
{
    const char *c = *cursor;
    while (*c == ' ' || (*c >= '\t' && *c <= '\r'))
        c++;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+')
        c++;
    uint64_t digits = 0;
    int exponent = 0;
    const char *start = c;
    for (; is_digit(*c); c++) {
        if (digits >= UINT64_C(100000000000000000))
            return false;
        digits = digits * 10 + (uint64_t)(*c - '0');
    }
    bool any = c > start;
    if (any && (*c == 'x' || *c == 'X'))
        return false;
    if (*c == '.') {
        start = ++c;
        for (; is_digit(*c); c++, exponent--) {
            if (digits >= UINT64_C(100000000000000000) || exponent < -1000)
                return false;
            digits = digits * 10 + (uint64_t)(*c - '0');
        }
        any = any || c > start;
    }
    if (!any)
        return false;
    c = parse_exponent(c, &exponent);
    if (digits == 0)
        exponent = 0;
    if (digits > (UINT64_C(1) << 53) || exponent < -LARGEST_POWER || exponent > LARGEST_POWER)
        return false;
    double value = scaled((double)digits, -exponent);
    *out = negative ? -value : value;
    *cursor = c;
    return true;
}
