// Growing text, numbers that read the same in every locale, and the nearest right name.
#ifndef SILT_CORE_TEXT_H
#define SILT_CORE_TEXT_H

#include "silt/base.h"

// Text that grows; after a failed allocation `failed` stays set and further additions do nothing.
typedef struct SiltText {
    char *data; // zero-terminated once anything was added
    size_t length, capacity;
    bool failed;
} SiltText;

void silt_text_add(SiltText *text, const char *more);
void silt_text_addf(SiltText *text, const char *format, ...) SILT_PRINTF(2, 3);
void silt_text_add_number(SiltText *text, double value);      // shortest form that reads back the same
void silt_text_add_json(SiltText *text, const char *string);  // quoted and escaped
void silt_text_add_json_number(SiltText *text, double value); // null for what JSON cannot hold
void silt_text_free(SiltText *text);
// The text's memory, to be freed by the caller; NULL (with a message) if it failed to grow. The text is empty
// then.
char *silt_text_take(SiltText *text);

// Writes the shortest decimal form that reads back as the same double.
enum { SILT_NUMBER_SIZE = 32 };
const char *silt_format_number(double value, char buffer[SILT_NUMBER_SIZE]);

// "640 bytes", "12.3 MiB", "640 GiB".
const char *silt_format_bytes(double bytes, char buffer[SILT_NUMBER_SIZE]);

// Reads one number and moves *cursor behind it; false when there is none. Accepts what strtod accepts in the
// C locale.
bool silt_parse_number(const char **cursor, double *out);
// The whole of `text` (spaces around it aside) must be the number.
bool silt_parse_whole_number(const char *text, double *out);

// The next of words with spaces between them, with *cursor moved behind it; NULL at the end. A word longer
// than the buffer is cut.
const char *silt_next_word(const char **cursor, char *buffer, size_t size);

// A time in `clock` ("s" or "years") from a number, which may carry a unit of its own: s, min, h, d, years.
// False when it is none.
bool silt_parse_time(const char *text, const char *clock, double *out);
#define SILT_TIME_UNITS "s, min, h, d or years" // for messages

// Which of `count` names is nearest to `name`, or NULL when none is near enough to be worth offering.
const char *silt_nearest_name(const char *name, const char *(*name_at)(const void *context, int index),
                              const void *context, int count);
// ", did you mean 'pipes'?" or "" into a buffer the caller gives.
const char *silt_suggestion(const char *nearest, char *buffer, size_t size);

// That, or where none is near what there is: "; there are: height count edge". Of many the first twelve and
// where the rest is written: "(see 'silt help PAGE')".
enum { SILT_HINT_SIZE = 600 };
const char *silt_hint(const char *name, const char *(*name_at)(const void *context, int index),
                      const void *context, int count, const char *page, char buffer[SILT_HINT_SIZE]);

// Whether `path` ends in `ending` (".tif"), upper or lower case.
bool silt_ends_with(const char *path, const char *ending);

#endif
