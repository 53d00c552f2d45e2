// Numbers as people read them.
#ifndef SILT_VIEW_NUMBERS_H
#define SILT_VIEW_NUMBERS_H

// Whole from a hundred on, with commas: "1,000,000"; below it three digits count: "20.5". The caller frees
// it.
char *number_text(double value);

// A unit of the tables: "m2/year" reads as m²/year, "deg" as °. The caller frees it.
char *unit_text(const char *unit);
// A number as it is written, a large whole one without an exponent: "1000000" for 1e+06. The caller frees it.
char *plain_text(const char *number);

// What volumes of up to `largest` m³ are told in: "m³", "million m³" or "km³"; *scale: m³ of one.
const char *volume_unit(double largest, double *scale);
// A number of such a line: three digits count; nothing is "0". The caller frees it.
char *volume_text(double volume, double scale);

#endif
