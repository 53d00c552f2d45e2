// silt/text.h — growing text, numbers that read the same in every locale, and the nearest right name.
#ifndef SILT_TEXT_H
#define SILT_TEXT_H

#include <stdarg.h>

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Text that grows; after a failed allocation `failed` stays set and further additions do nothing.
typedef struct SiltText {
    char *data; // zero-terminated once anything was added
    size_t length, capacity;
    bool failed;
} SiltText;

SILT_API void silt_text_add(SiltText *text, const char *more);
SILT_API void silt_text_addf(SiltText *text, const char *format, ...) SILT_PRINTF(2, 3);
SILT_API void silt_text_addv(SiltText *text, const char *format, va_list values) SILT_PRINTF(2, 0);
SILT_API void silt_text_add_number(SiltText *text, double value); // shortest form that reads back the same
SILT_API void silt_text_add_json(SiltText *text, const char *string);  // quoted and escaped, always UTF-8
SILT_API void silt_text_add_json_number(SiltText *text, double value); // null for what JSON cannot hold
// A line of its own, from which silt_line_restore makes the string again, in its place: \n in it is a line
// feed, \\ a backslash.
SILT_API void silt_text_add_line(SiltText *text, const char *string);
SILT_API void silt_line_restore(char *line);
// One word of a shell's command line: as it is, 'in quotes' where a shell would read it otherwise, or
// $'in quotes' with escapes where there are control characters, which no terminal should get.
SILT_API void silt_text_add_shell(SiltText *text, const char *word);
// What a terminal would obey becomes a question mark, in its place: control characters and such as turn the
// direction of writing. Line feeds and tabs stay where they are wanted.
SILT_API void silt_text_disarm(char *text, bool keeps_lines);
SILT_API void silt_text_free(SiltText *text);
// The text's memory, to be freed by the caller; NULL (with a message) if it failed to grow. The text is empty
// then.
SILT_API char *silt_text_take(SiltText *text);

// Writes the shortest decimal form that reads back as the same double.
enum { SILT_NUMBER_SIZE = 32 };
SILT_API const char *silt_format_number(double value, char buffer[SILT_NUMBER_SIZE]);

// "640 bytes", "12.3 MiB", "640 GiB".
SILT_API const char *silt_format_bytes(double bytes, char buffer[SILT_NUMBER_SIZE]);

// Reads one number and moves *cursor behind it; false when there is none. Accepts what strtod accepts in the
// C locale.
SILT_API bool silt_parse_number(const char **cursor, double *out);
// The whole of `text` (spaces around it aside) must be the number.
SILT_API bool silt_parse_whole_number(const char *text, double *out);

// A number in `unit` ("m", "m/year", "m2"), which may carry a unit of its own: mm, cm, m, km, ha, s, min, h,
// d, years, kyr, Myr, their powers and ratios ("0.5 mm/year", "3 km2"). False when it is none, or of
// something else.
SILT_API bool silt_parse_in(const char *text, const char *unit, double *out);
// The same of a unit that has been found, for a value that has been read.
SILT_API bool silt_unit_convert(const char *given, size_t length, const char *wanted, double *value);

#define SILT_UNITS "mm cm m km ha s min h d years year yr kyr Myr" // all that it knows

// A time in `clock` ("s" or "years") from a number, which may carry a unit of its own: s, min, h, d, years,
// kyr, Myr. False when it is none.
SILT_API bool silt_parse_time(const char *text, const char *clock, double *out);
#define SILT_TIME_UNITS "s, min, h, d, years, kyr or Myr" // for messages

// "N", "WxH" or "W,H" as two whole numbers, whatever their range; false when it is no size.
SILT_API bool silt_parse_size(const char *text, int size[2]);
// All 64 bits of a seed.
SILT_API bool silt_parse_seed(const char *text, uint64_t *out);

// Which of `count` names is nearest to `name`, or NULL when none is near enough to be worth offering.
SILT_API const char *silt_nearest_name(const char *name,
                                       const char *(*name_at)(const void *context, int index),
                                       const void *context, int count);
// ", did you mean 'pipes'?" or "" into a buffer the caller gives.
SILT_API const char *silt_suggestion(const char *nearest, char *buffer, size_t size);

// Whether `path` ends in `ending` (".tif"), upper or lower case.
SILT_API bool silt_ends_with(const char *path, const char *ending);

#ifdef __cplusplus
}
#endif
#endif
