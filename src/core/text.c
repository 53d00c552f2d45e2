#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/status.h"

static bool reserve(SiltText *text, size_t more)
{
    if (text->failed)
        return false;
    size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < wanted)
        capacity *= 2;
    void *block = text->data;
    if (silt_grow("text", &block, text->capacity, capacity, 1) != SILT_OK) {
        text->failed = true;
        return false;
    }
    text->data = block;
    text->capacity = capacity;
    return true;
}

void silt_text_add(SiltText *text, const char *more)
{
    size_t length = strlen(more);
    if (!reserve(text, length))
        return;
    memcpy(text->data + text->length, more, length + 1);
    text->length += length;
}

void silt_text_addv(SiltText *text, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void silt_text_addf(SiltText *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    silt_text_addv(text, format, values);
    va_end(values);
}

void silt_text_add_number(SiltText *text, double value)
{
    char buffer[SILT_NUMBER_SIZE];
    silt_text_add(text, silt_format_number(value, buffer));
}

void silt_text_add_json_number(SiltText *text, double value)
{
    if (isfinite(value))
        silt_text_add_number(text, value);
    else
        silt_text_add(text, "null");
}

// How many bytes the UTF-8 character at `c` has; 0: it is none (RFC 3629).
static int utf8_length(const unsigned char *c)
{
    int more = c[0] < 0x80 ? 0 : c[0] >= 0xC2 && c[0] < 0xE0 ? 1 : c[0] >= 0xE0 && c[0] < 0xF0 ? 2 : 3;
    if (more == 3 && !(c[0] >= 0xF0 && c[0] <= 0xF4))
        return 0;
    for (int k = 1; k <= more; k++)
        if ((c[k] & 0xC0) != 0x80)
            return 0;
    // longer than it need be, half of a pair, or beyond the last character
    bool is_none = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
                   (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F);
    return is_none ? 0 : more + 1;
}

// How many bytes of what a terminal obeys begin at `c`: control characters (those above U+007F too, also as
// the bare bytes of older terminals), and what turns the direction of all that follows; 0: none.
static int obeyed_length(const unsigned char *c)
{
    int length = utf8_length(c);
    if (c[0] < 0x80)
        return c[0] < 0x20 || c[0] == 0x7F;
    if (length == 0)
        return c[0] < 0xA0;
    bool is_control = c[0] == 0xC2 && c[1] < 0xA0;
    bool turns = c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) ||
                                  (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
    return is_control || turns ? length : 0;
}

void silt_text_disarm(char *text, bool keeps_lines)
{
    char *to = text;
    while (*text) {
        const unsigned char *c = (const unsigned char *)text;
        int obeyed = keeps_lines && (*c == '\n' || *c == '\t') ? 0 : obeyed_length(c);
        int length = obeyed ? obeyed : utf8_length(c) ? utf8_length(c) : 1;
        if (obeyed)
            *to = '?';
        else
            memmove(to, text, (size_t)length);
        to += obeyed ? 1 : length;
        text += length;
    }
    *to = '\0';
}

// The code of a character of two bytes or three.
static unsigned code_of(const unsigned char *c, int length)
{
    return length == 2 ? (c[0] & 0x1Fu) << 6 | (c[1] & 0x3Fu)
                       : (c[0] & 0x0Fu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu);
}

// A byte that is no UTF-8 (file names may have them) becomes the lone half of a pair, as Python's
// surrogateescape has it: JSON stays JSON, and who reads it finds the byte again.
void silt_text_add_json(SiltText *text, const char *string)
{
    silt_text_add(text, "\"");
    for (const unsigned char *c = (const unsigned char *)string; *c;) {
        int length = utf8_length(c);
        if (length == 0)
            silt_text_addf(text, "\\udc%02x", *c);
        else if (*c == '"' || *c == '\\')
            silt_text_addf(text, "\\%c", *c);
        else if (obeyed_length(c))
            silt_text_addf(text, "\\u%04x", length == 1 ? *c : code_of(c, length));
        else
            silt_text_addf(text, "%.*s", length, (const char *)c);
        c += length ? length : 1;
    }
    silt_text_add(text, "\"");
}

void silt_text_add_line(SiltText *text, const char *string)
{
    for (; *string; string++)
        if (*string == '\n' || *string == '\\')
            silt_text_add(text, *string == '\n' ? "\\n" : "\\\\");
        else
            silt_text_addf(text, "%c", *string);
    silt_text_add(text, "\n");
}

void silt_line_restore(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++) {
        bool escaped = from[0] == '\\' && (from[1] == 'n' || from[1] == '\\');
        from += escaped;
        *to++ = escaped && *from == 'n' ? '\n' : *from;
    }
    *to = '\0';
}

// Whether shells take the character at `c` for itself; a tilde is a home where a word or a value begins.
static bool is_plain(const char *word, const char *c)
{
    bool begins = c == word || c[-1] == '=' || c[-1] == ':';
    unsigned char byte = (unsigned char)*c;
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || strchr("_@%+=:,./-", *c) || (*c == '~' && !begins);
}

void silt_text_add_shell(SiltText *text, const char *word)
{
    bool plain = word[0] != '\0', escapes = false;
    for (const char *c = word; *c; c++) {
        plain = plain && is_plain(word, c);
        escapes = escapes || obeyed_length((const unsigned char *)c) > 0;
    }
    if (plain && !escapes) {
        silt_text_add(text, word);
        return;
    }
    silt_text_add(text, escapes ? "$'" : "'");
    int left = 0; // bytes of a character that no terminal should get
    for (const char *c = word; *c; c++) {
        left = left > 0 ? left : obeyed_length((const unsigned char *)c);
        if (escapes && *c == '\n')
            silt_text_add(text, "\\n");
        else if (left > 0)
            silt_text_addf(text, "\\%03o", (unsigned)(unsigned char)*c);
        else if (escapes && (*c == '\'' || *c == '\\'))
            silt_text_addf(text, "\\%c", *c);
        else
            silt_text_addf(text, "%s%c%s", *c == '\'' ? "'\\" : "", *c, *c == '\'' ? "'" : "");
        left -= left > 0;
    }
    silt_text_add(text, "'");
}

void silt_text_free(SiltText *text)
{
    silt_free(text->data);
    *text = (SiltText){0};
}

char *silt_text_take(SiltText *text)
{
    if (!text->failed && !text->data)
        silt_text_add(text, "");
    char *data = text->data;
    if (text->failed) {
        silt_fail_memory("text", (double)text->length);
        silt_free(data);
        data = NULL;
    }
    *text = (SiltText){0};
    return data;
}

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

const char *silt_format_number(double value, char buffer[SILT_NUMBER_SIZE])
{
    pthread_once(&c_locale_once, make_c_locale);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    if (value == 0.0)
        value = 0.0; // no "-0"
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, SILT_NUMBER_SIZE, "%.*g", digits, value);
        if (digits == 17 || strtod(buffer, NULL) == value)
            break;
    }
    if (c_locale)
        uselocale(before);
    return buffer;
}

const char *silt_format_bytes(double bytes, char buffer[SILT_NUMBER_SIZE])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024.0 && unit < 4; unit++)
        bytes /= 1024.0;
    snprintf(buffer, SILT_NUMBER_SIZE, "%.*f %s", unit && bytes < 100.0 ? 1 : 0, bytes, units[unit]);
    return buffer;
}

bool silt_parse_number(const char **cursor, double *out)
{
    if (silt_parse_plain_number(cursor, out))
        return true;
    pthread_once(&c_locale_once, make_c_locale);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    char *end;
    double value = strtod(*cursor, &end);
    if (c_locale)
        uselocale(before);
    if (end == *cursor)
        return false;
    *cursor = end;
    *out = value;
    return true;
}

bool silt_parse_whole_number(const char *text, double *out)
{
    if (!silt_parse_number(&text, out))
        return false;
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

// Edit distance with insertions, deletions, replacements; letters of another case and - for _ cost nothing.
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 48 };
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    int row[LONGEST + 1];
    for (size_t k = 0; k <= b_length; k++)
        row[k] = (int)k;
    for (size_t i = 1; i <= a_length; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        int c = tolower((unsigned char)a[i - 1]);
        for (size_t k = 1; k <= b_length; k++) {
            int d = tolower((unsigned char)b[k - 1]);
            bool same = c == d || ((c == '-' || c == '_') && (d == '-' || d == '_'));
            int replace = diagonal + (same ? 0 : 1);
            diagonal = row[k];
            int best = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;
            row[k] = replace < best ? replace : best;
        }
    }
    return row[b_length];
}

bool silt_parse_time(const char *text, const char *clock, double *out)
{
    return silt_parse_in(text, strcmp(clock, "years") == 0 ? "years" : "s", out);
}

const char *silt_next_word(const char **cursor, char *buffer, size_t size)
{
    *cursor += strspn(*cursor, " ");
    size_t length = strcspn(*cursor, " ");
    if (length == 0)
        return NULL;
    snprintf(buffer, size, "%.*s", (int)length, *cursor);
    *cursor += length;
    return buffer;
}

const char *silt_nearest_name(const char *name, const char *(*name_at)(const void *context, int index),
                              const void *context, int count)
{
    const char *best = NULL;
    int best_distance = (int)strlen(name) / 3 + 2; // further off than this is a guess
    for (int k = 0; k < count; k++) {
        const char *candidate = name_at(context, k);
        int distance = edit_distance(name, candidate);
        // what was typed is the beginning of a longer name
        if (strlen(name) >= 2 && strncasecmp(name, candidate, strlen(name)) == 0)
            distance = 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

const char *silt_suggestion(const char *nearest, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (nearest)
        snprintf(buffer, size, ", did you mean '%s'?", nearest);
    return buffer;
}

const char *silt_hint(const char *name, const char *(*name_at)(const void *context, int index),
                      const void *context, int count, const char *page, char buffer[SILT_HINT_SIZE])
{
    enum { SHOWN = 12 };
    const char *nearest = silt_nearest_name(name, name_at, context, count);
    if (nearest || count == 0)
        return silt_suggestion(nearest, buffer, SILT_HINT_SIZE);
    size_t length = (size_t)snprintf(buffer, SILT_HINT_SIZE, "; there %s:", count == 1 ? "is" : "are");
    for (int k = 0; k < count && k < SHOWN; k++)
        length += (size_t)snprintf(buffer + length, SILT_HINT_SIZE - length, " %.31s", name_at(context, k));
    if (count > SHOWN)
        snprintf(buffer + length, SILT_HINT_SIZE - length, " ... (see 'silt help%s%.31s')", *page ? " " : "",
                 page);
    return buffer;
}

bool silt_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

bool silt_parse_size(const char *text, int size[2])
{
    double number[2];
    if (!silt_parse_number(&text, &number[0]))
        return false;
    number[1] = number[0];
    if ((*text == 'x' || *text == ',') && (text++, !silt_parse_number(&text, &number[1])))
        return false;
    for (int k = 0; k < 2; k++) {
        if (!(fabs(number[k]) <= INT_MAX) || number[k] != floor(number[k]))
            return false;
        size[k] = (int)number[k];
    }
    return text[strspn(text, " ")] == '\0';
}

bool silt_parse_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return end != text && !*end && !errno && !strchr(text, '-');
}
