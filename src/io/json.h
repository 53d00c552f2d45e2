// A reader of JSON, small and safe on hostile text: the values of a document in one array, in the order they
// stand there, each with the index of what follows it.
#ifndef SILT_IO_JSON_H
#define SILT_IO_JSON_H

#include "silt/base.h"

typedef enum SiltJsonType {
    SILT_JSON_NULL,
    SILT_JSON_BOOL,
    SILT_JSON_NUMBER,
    SILT_JSON_STRING,
    SILT_JSON_ARRAY,
    SILT_JSON_OBJECT
} SiltJsonType;

typedef struct SiltJsonValue {
    SiltJsonType type;
    int next;         // the value behind this one and all it holds
    int count;        // members of an array or object; an object's are a string and a value each
    double number;    // also 0 or 1 of a bool
    const char *text; // of a string, escapes as they stand, not zero-terminated
    size_t length;
} SiltJsonValue;

typedef struct SiltJson {
    SiltJsonValue *values; // values[0] is the document
    int count, capacity;
} SiltJson;

// `text` must stay as long as the document; a zero byte must follow it.
SiltStatus silt_json_parse(const char *path, const char *text, size_t length, SiltJson *out);
void silt_json_free(SiltJson *json);

// The member of an object, or -1; -1 also when `object` is -1 or no object.
int silt_json_member(const SiltJson *json, int object, const char *name);
// A number member within [low, high], or `absent` when there is none; NaN when it is something else.
double silt_json_number(const SiltJson *json, int object, const char *name, double low, double high,
                        double absent);
// Fills `count` numbers from an array; false when it does not hold exactly those.
bool silt_json_numbers(const SiltJson *json, int array, int count, double *out);
// A string with its escapes undone, to be freed by the caller; NULL when it is none, holds a zero or finds no
// memory.
char *silt_json_string(const SiltJson *json, int value);
// Indices of an array's values, to be freed by the caller; count 0 and NULL when there is no such array.
SiltStatus silt_json_items(const SiltJson *json, int array, int **out, int *count);

#endif
