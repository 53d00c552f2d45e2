// Decimal text for the many numbers of a grid or a mesh: the same in every locale, and quick.
#ifndef SILT_CORE_NUMBER_H
#define SILT_CORE_NUMBER_H

#include "silt/base.h"

enum { SILT_FLOAT_SIZE = 24, SILT_INTEGER_SIZE = 20 }; // bytes the two below write at the most

// Writes the shortest decimal form that reads back as the same float; returns where it ends (no zero byte).
char *silt_write_float(char *to, float value);
char *silt_write_integer(char *to, uint64_t value);

// The common case of silt_parse_number: up to 15 or so digits and a small exponent. False, with nothing
// moved, for anything else, be it a number or not.
bool silt_parse_plain_number(const char **cursor, double *out);

#endif
