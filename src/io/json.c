#include "io/json.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

enum { DEEPEST = 64 };

typedef struct Parser {
    const char *path;
    const char *start, *at, *end;
    SiltJson *json;
} Parser;

static SiltStatus bad_json(const Parser *parser)
{
    return silt_fail(SILT_BAD_FILE, "%s: byte %zu of its JSON is not what JSON allows there", parser->path,
                     (size_t)(parser->at - parser->start) + 1);
}

static void skip_space(Parser *parser)
{
    while (parser->at < parser->end &&
           (*parser->at == ' ' || *parser->at == '\t' || *parser->at == '\n' || *parser->at == '\r'))
        parser->at++;
}

static bool take(Parser *parser, char c)
{
    skip_space(parser);
    if (parser->at >= parser->end || *parser->at != c)
        return false;
    parser->at++;
    return true;
}

static SiltStatus add_value(Parser *parser, SiltJsonType type, int *index)
{
    SiltJson *json = parser->json;
    if (json->count == json->capacity) {
        if (json->capacity > INT32_MAX / 4)
            return silt_fail(SILT_BAD_FILE, "%s: its JSON has too many values", parser->path);
        int wanted = json->capacity ? json->capacity * 2 : 64;
        void *block = json->values;
        SiltStatus status =
            silt_grow(parser->path, &block, (size_t)json->count, (size_t)wanted, sizeof *json->values);
        if (status != SILT_OK)
            return status;
        json->values = block;
        json->capacity = wanted;
    }
    *index = json->count++;
    json->values[*index] = (SiltJsonValue){.type = type, .next = json->count};
    return SILT_OK;
}

static SiltStatus parse_string(Parser *parser)
{
    int index;
    if (!take(parser, '"'))
        return bad_json(parser);
    SiltStatus status = add_value(parser, SILT_JSON_STRING, &index);
    if (status != SILT_OK)
        return status;
    const char *text = parser->at;
    while (parser->at < parser->end && *parser->at != '"')
        parser->at += *parser->at == '\\' && parser->end - parser->at > 1 ? 2 : 1;
    if (parser->at >= parser->end)
        return bad_json(parser);
    parser->json->values[index].text = text;
    parser->json->values[index].length = (size_t)(parser->at - text);
    parser->at++;
    return SILT_OK;
}

static SiltStatus parse_scalar(Parser *parser)
{
    static const struct {
        const char *word;
        SiltJsonType type;
        double number;
    } words[] = {
        {"null", SILT_JSON_NULL, 0.0}, {"true", SILT_JSON_BOOL, 1.0}, {"false", SILT_JSON_BOOL, 0.0}};
    size_t left = (size_t)(parser->end - parser->at);
    int index;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        size_t length = strlen(words[k].word);
        if (left < length || memcmp(parser->at, words[k].word, length) != 0)
            continue;
        parser->at += length;
        SiltStatus status = add_value(parser, words[k].type, &index);
        if (status == SILT_OK)
            parser->json->values[index].number = words[k].number;
        return status;
    }
    const char *cursor = parser->at;
    double number;
    bool begins = left > 0 && (*cursor == '-' || (*cursor >= '0' && *cursor <= '9'));
    if (!begins || !silt_parse_number(&cursor, &number) || cursor > parser->end)
        return bad_json(parser);
    parser->at = cursor;
    SiltStatus status = add_value(parser, SILT_JSON_NUMBER, &index);
    if (status == SILT_OK)
        parser->json->values[index].number = number;
    return status;
}

static SiltStatus parse_value(Parser *parser, int depth);

static SiltStatus parse_members(Parser *parser, SiltJsonType type, int depth)
{
    int index;
    SiltStatus status = add_value(parser, type, &index);
    bool is_object = type == SILT_JSON_OBJECT;
    char close = is_object ? '}' : ']';
    int count = 0;
    for (bool is_first = true; status == SILT_OK && !take(parser, close); is_first = false) {
        if (!is_first && !take(parser, ','))
            return bad_json(parser);
        if (is_object)
            status = parse_string(parser);
        if (status == SILT_OK && is_object && !take(parser, ':'))
            return bad_json(parser);
        if (status == SILT_OK)
            status = parse_value(parser, depth + 1);
        count++;
    }
    if (status == SILT_OK) {
        parser->json->values[index].count = count;
        parser->json->values[index].next = parser->json->count;
    }
    return status;
}

static SiltStatus parse_value(Parser *parser, int depth)
{
    skip_space(parser);
    if (parser->at >= parser->end)
        return bad_json(parser);
    if (depth > DEEPEST)
        return silt_fail(SILT_BAD_FILE, "%s: its JSON is nested deeper than %d", parser->path, DEEPEST);
    char c = *parser->at;
    if (c == '"')
        return parse_string(parser);
    if (c != '{' && c != '[')
        return parse_scalar(parser);
    parser->at++;
    return parse_members(parser, c == '{' ? SILT_JSON_OBJECT : SILT_JSON_ARRAY, depth);
}

SiltStatus silt_json_parse(const char *path, const char *text, size_t length, SiltJson *out)
{
    *out = (SiltJson){0};
    Parser parser = {path, text, text, text + length, out};
    SiltStatus status = parse_value(&parser, 0);
    skip_space(&parser);
    if (status == SILT_OK && parser.at < parser.end)
        status = bad_json(&parser);
    if (status != SILT_OK)
        silt_json_free(out);
    return status;
}

void silt_json_free(SiltJson *json)
{
    silt_free(json->values);
    *json = (SiltJson){0};
}

int silt_json_member(const SiltJson *json, int object, const char *name)
{
    if (object < 0 || json->values[object].type != SILT_JSON_OBJECT)
        return -1;
    size_t length = strlen(name);
    int at = object + 1;
    for (int k = 0; k < json->values[object].count; k++) {
        const SiltJsonValue *key = &json->values[at];
        if (key->length == length && memcmp(key->text, name, length) == 0)
            return at + 1;
        at = json->values[at + 1].next;
    }
    return -1;
}

double silt_json_number(const SiltJson *json, int object, const char *name, double low, double high,
                        double absent)
{
    int member = silt_json_member(json, object, name);
    if (member < 0)
        return absent;
    const SiltJsonValue *value = &json->values[member];
    return value->type == SILT_JSON_NUMBER && value->number >= low && value->number <= high ? value->number
                                                                                            : NAN;
}

bool silt_json_numbers(const SiltJson *json, int array, int count, double *out)
{
    if (array < 0 || json->values[array].type != SILT_JSON_ARRAY || json->values[array].count != count)
        return false;
    for (int k = 0, at = array + 1; k < count; k++, at = json->values[at].next) {
        if (json->values[at].type != SILT_JSON_NUMBER || !isfinite(json->values[at].number))
            return false;
        out[k] = json->values[at].number;
    }
    return true;
}

// Four hexadecimal digits; -1 when they are none.
static long code_unit(const char *at, const char *end)
{
    long code = 0;
    for (int k = 0; k < 4; k++, at++) {
        const char *digit = at < end && *at ? strchr("0123456789abcdefABCDEF", *at) : NULL;
        if (!digit)
            return -1;
        long value = (long)(digit - "0123456789abcdefABCDEF");
        code = 16 * code + (value < 16 ? value : value - 6);
    }
    return code;
}

static char *add_utf8(char *to, long code)
{
    if (code < 0x80 || (code >= 0xDC80 && code <= 0xDCFF)) { // or a byte that was no UTF-8
        *to++ = (char)(code & 0xFF);
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int lead[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(lead[more] | (int)(code >> 6 * more));
    for (int k = more - 1; k >= 0; k--)
        *to++ = (char)(0x80 | (int)(code >> 6 * k & 63));
    return to;
}

// What stands behind a backslash; NULL: nothing that JSON knows, or a zero.
static char *undo_escape(const char **from, const char *end, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *at = *from, *letter = at < end && *at ? strchr(letters, *at) : NULL;
    *from = at + 1;
    if (letter) {
        *to = meanings[letter - letters];
        return to + 1;
    }
    long code = at < end && *at == 'u' ? code_unit(at + 1, end) : -1;
    *from = at + 5;
    if (code >= 0xD800 && code < 0xDC00 && end - at > 6 && at[5] == '\\' && at[6] == 'u') {
        long low = code_unit(at + 7, end);
        code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
        *from = at + 11;
    }
    return code > 0 ? add_utf8(to, code) : NULL;
}

char *silt_json_string(const SiltJson *json, int value)
{
    if (value < 0 || json->values[value].type != SILT_JSON_STRING)
        return NULL;
    const char *from = json->values[value].text, *end = from + json->values[value].length;
    char *text = silt_alloc(json->values[value].length + 1),
         *to = text; // escapes are longer than what they mean
    while (to && from < end) {
        if (*from != '\\' && *from)
            *to++ = *from++;
        else if (*from++)
            to = undo_escape(&from, end, to);
        else
            to = NULL;
    }
    if (!to) {
        silt_free(text);
        return NULL;
    }
    *to = '\0';
    return text;
}

SiltStatus silt_json_items(const SiltJson *json, int array, int **out, int *count)
{
    *out = NULL;
    *count = 0;
    if (array < 0 || json->values[array].type != SILT_JSON_ARRAY)
        return SILT_OK;
    int items = json->values[array].count;
    SiltStatus status = silt_alloc_for("JSON", (size_t)items, sizeof **out, (void **)out);
    if (status != SILT_OK)
        return status;
    for (int k = 0, at = array + 1; k < items; k++, at = json->values[at].next)
        (*out)[k] = at;
    *count = items;
    return SILT_OK;
}
