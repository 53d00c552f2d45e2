// Text, for the library's own use.
#ifndef SILT_CORE_TEXT_H
#define SILT_CORE_TEXT_H

#include "silt/text.h"

// The next of words with spaces between them, with *cursor moved behind it; NULL at the end. A word longer
// than the buffer is cut.
const char *silt_next_word(const char **cursor, char *buffer, size_t size);

// silt_suggestion, or where none is near what there is: "; there are: height count edge". Of many the first
// twelve and where the rest is written: "(see 'silt help PAGE')".
enum { SILT_HINT_SIZE = 600 };
const char *silt_hint(const char *name, const char *(*name_at)(const void *context, int index),
                      const void *context, int count, const char *page, char buffer[SILT_HINT_SIZE]);

#endif
