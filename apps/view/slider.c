// Where a value lies on a slider. A parameter may go from nothing to a million; what people want lies about
// its default, so the slider spans that, and grows when a value is typed that lies beyond.
#include <math.h>
#include <string.h>

#include "param_row.h"

// So many of 10^exponent. Below one they are divided: 28 / 10000 is 0.0028, and 28 * 0.0001 a little more,
// which would be seen.
static double decimal(double count, double exponent)
{
    return exponent < 0.0 ? count / pow(10.0, -exponent) : count * pow(10.0, exponent);
}

// The next of 1, 2, 5, 10 ... that is no less.
static double round_up(double value)
{
    double exponent = floor(log10(value)), lead = value / pow(10.0, exponent);
    return decimal(lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0, exponent);
}

static void narrow_log(Span *span, double usual)
{
    if (span->low <= 0.0)
        span->low = usual > 0.0 ? usual * 1e-3 : span->high * 1e-6;
    if (span->high / span->low > 1e6 && usual > 0.0) {
        span->low = fmax(span->low, usual * 1e-3);
        span->high = fmin(span->high, usual * 1e3);
    }
}

static void narrow_linear(Span *span, double usual)
{
    double size = fabs(usual);
    if (size > 0.0 && span->high - span->low > 40.0 * size) {
        span->high = fmin(span->high, round_up(4.0 * size));
        span->low = fmax(span->low, -round_up(4.0 * size));
    } else if (size == 0.0 && span->high > 1000.0) {
        span->high = fmin(span->high, 100.0);
        span->low = fmax(span->low, -100.0);
    }
}

Span span_of(const SiltParam *param, double value)
{
    Span span = {param->minimum, param->maximum, (param->flags & SILT_LOG) != 0,
                 param->type == SILT_TYPE_INT || strcmp(param->name, "seed") == 0};
    double usual = isfinite(param->number[0]) ? param->number[0] : 0.0;
    if (!isfinite(span.low))
        span.low = -1e6;
    if (!isfinite(span.high))
        span.high = 1e6;
    if (span.log)
        narrow_log(&span, usual);
    else
        narrow_linear(&span, usual);
    if (isfinite(value) && (!span.log || value > 0.0)) {
        // whoever has come to its end finds as much room again
        span.high =
            value > 0.0 && value >= span.high ? fmin(param->maximum, round_up(2.0 * value)) : span.high;
        span.low = value < span.low ? value : span.low;
    }
    if (span.whole && span.high - span.low < 1.0)
        span.high = span.low + 1.0;
    return span;
}

double span_share(const Span *span, double value)
{
    if (!isfinite(value) || !(span->high > span->low))
        return 0.0;
    double share = !span->log           ? (value - span->low) / (span->high - span->low)
                   : value <= span->low ? 0.0
                                        : log(value / span->low) / log(span->high / span->low);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

double span_value(const Span *span, double share)
{
    if (share <= 0.0)
        return span->low;
    if (share >= 1.0)
        return span->high;
    double value = span->log ? span->low * pow(span->high / span->low, share)
                             : span->low + share * (span->high - span->low);
    // a slider of two hundred pixels tells that many values apart
    double grain = floor(span->log ? log10(value) - 2.0 : log10((span->high - span->low) / 200.0));
    if (span->whole && grain < 0.0)
        grain = 0.0;
    value = decimal(round(value / pow(10.0, grain)), grain);
    return value < span->low ? span->low : value > span->high ? span->high : value;
}
