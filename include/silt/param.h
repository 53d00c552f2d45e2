// silt/param.h — parameter tables: a parameter is declared once, and the struct that holds it, the command
// line, recipes, help, range checks, sliders and documentation follow from that declaration.
//
//     typedef struct HillParams { double height; int count; int edge; } HillParams;
//     enum { EDGE_SOFT, EDGE_HARD }; // in the order of the choices
//     static const SiltParam hill_items[] = {
//         SILT_REAL(HillParams, height, "m", 300.0, 0.0, 9000.0, "height of the highest hill"),
//         SILT_INT(HillParams, count, "", 12, 1, 1000, "how many hills"),
//         SILT_CHOICE(HillParams, edge, "soft hard", "soft", "how a hill meets the plain", .flags =
//         SILT_LIVE),
//     };
//     static const SiltParamTable hill_params = SILT_PARAM_TABLE(HillParams, hill_items);
#ifndef SILT_PARAM_H
#define SILT_PARAM_H

#include "silt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SiltParamType {
    SILT_TYPE_REAL,   // double
    SILT_TYPE_INT,    // int
    SILT_TYPE_BOOL,   // bool
    SILT_TYPE_CHOICE, // int: index into the choices
    SILT_TYPE_VECTOR, // double[2], [3] or [4]
    SILT_TYPE_COLOUR, // double[3], each 0 to 1; written #rrggbb
    SILT_TYPE_LAYER,  // char[SILT_NAME_SIZE]: a layer's name, or empty
    SILT_TYPE_PATH,   // char[SILT_PATH_SIZE]: a file, or empty
    SILT_TYPE_LIST,   // SiltList: rows of numbers with named columns
} SiltParamType;

enum {
    SILT_LIVE = 1,    // may change while a run goes on
    SILT_LOG = 2,     // spans decades: a slider for it is logarithmic
    SILT_BESIDES = 4, // of a layer: comes on top of what the number of its name gives, not in its place
    SILT_PAPER =
        8, // of a yes or no: yes gives every parameter that has a `paper` that value, if it is not set
    SILT_RATIO = 16, // of a number: "1:25000" is 25000
};

// Rows of numbers, row after row. Lists are the only values that own memory.
typedef struct SiltList {
    int count; // rows
    int columns;
    double *values; // count * columns
} SiltList;

typedef struct SiltParam {
    const char *name;
    SiltParamType type;
    unsigned flags;
    size_t offset; // into the struct
    int size;      // components of a vector
    const char *unit;
    double number[4];    // default of numbers, booleans and vectors
    const char *text;    // default of choices, colours, layers, paths and lists
    const char *choices; // names of choices, or "name:unit" of a list's columns, with spaces between
    double minimum, maximum;
    const char *help;  // one sentence, no capital, no full stop
    const char *words; // of a list: what its first column may be, by number from 0, in place of a number; or
                       // NULL
    const char *paper; // what the model's paper has, in the form silt_params_set reads; NULL: as its default
    const char *example; // of a vector: how it is written; NULL: as vectors of its size are
} SiltParam;

typedef struct SiltParamTable {
    const SiltParam *items;
    int count;
    size_t size; // of the struct
} SiltParamTable;

// The offset of a field, refused by the compiler when the field is not of type T.
#define SILT_OFFSET_OF(S, field, T)                                                                          \
    (offsetof(S, field) + 0 * sizeof(char[_Generic(&((S *)0)->field, T : 1, default : -1)]))

#define SILT_REAL(S, field, unit_, default_, low, high, ...)                                                 \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_REAL, .offset = SILT_OFFSET_OF(S, field, double *), .unit = unit_, \
        .number = {default_}, .minimum = low, .maximum = high, .help = __VA_ARGS__                           \
    }
#define SILT_INT(S, field, unit_, default_, low, high, ...)                                                  \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_INT, .offset = SILT_OFFSET_OF(S, field, int *), .unit = unit_,     \
        .number = {default_}, .minimum = low, .maximum = high, .help = __VA_ARGS__                           \
    }
#define SILT_BOOL(S, field, default_, ...)                                                                   \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_BOOL, .offset = SILT_OFFSET_OF(S, field, bool *), .unit = "",      \
        .number = {default_}, .minimum = 0, .maximum = 1, .help = __VA_ARGS__                                \
    }
#define SILT_CHOICE(S, field, choices_, default_, ...)                                                       \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_CHOICE, .offset = SILT_OFFSET_OF(S, field, int *), .unit = "",     \
        .choices = choices_, .text = default_, .help = __VA_ARGS__                                           \
    }
#define SILT_VECTOR2(S, field, unit_, x, y, low, high, ...)                                                  \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_VECTOR, .offset = SILT_OFFSET_OF(S, field, double(*)[2]),          \
        .size = 2, .unit = unit_, .number = {x, y}, .minimum = low, .maximum = high, .help = __VA_ARGS__     \
    }
#define SILT_VECTOR3(S, field, unit_, x, y, z, low, high, ...)                                               \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_VECTOR, .offset = SILT_OFFSET_OF(S, field, double(*)[3]),          \
        .size = 3, .unit = unit_, .number = {x, y, z}, .minimum = low, .maximum = high, .help = __VA_ARGS__  \
    }
#define SILT_COLOUR(S, field, default_, ...)                                                                 \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_COLOUR, .offset = SILT_OFFSET_OF(S, field, double(*)[3]),          \
        .size = 3, .unit = "", .text = default_, .minimum = 0, .maximum = 1, .help = __VA_ARGS__             \
    }
#define SILT_LAYER(S, field, default_, ...)                                                                  \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_LAYER,                                                             \
        .offset = SILT_OFFSET_OF(S, field, char(*)[SILT_NAME_SIZE]), .unit = "", .text = default_,           \
        .help = __VA_ARGS__                                                                                  \
    }
#define SILT_PATH(S, field, default_, ...)                                                                   \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_PATH, .offset = SILT_OFFSET_OF(S, field, char(*)[SILT_PATH_SIZE]), \
        .unit = "", .text = default_, .help = __VA_ARGS__                                                    \
    }
#define SILT_LIST(S, field, columns_, default_, ...)                                                         \
    {                                                                                                        \
        .name = #field, .type = SILT_TYPE_LIST, .offset = SILT_OFFSET_OF(S, field, SiltList *), .unit = "",  \
        .choices = columns_, .text = default_, .help = __VA_ARGS__                                           \
    }

// The switch of a model that has a paper: see silt_params_paper.
#define SILT_PAPER_SWITCH(S)                                                                                 \
    SILT_BOOL(S, paper, false,                                                                               \
              "all as the paper has it: every parameter for which a value of the paper is named, unless it " \
              "is set too",                                                                                  \
              .flags = SILT_PAPER)

#define SILT_PARAM_TABLE(S, items_)                                                                          \
    {                                                                                                        \
        items_, (int)(sizeof(items_) / sizeof((items_)[0])), sizeof(S)                                       \
    }

// Fills the struct with the defaults. It owns nothing before; free it with silt_params_free.
SILT_API SiltStatus silt_params_init(const SiltParamTable *table, void *params);
SILT_API void silt_params_free(const SiltParamTable *table, void *params);

// Sets one parameter from text. `owner` ("erode pipes") begins the message. Numbers may carry their unit: "12
// mm/h". Vectors are "1,2,3", lists rows apart by ';' and columns by ','.
SILT_API SiltStatus silt_params_set(const SiltParamTable *table, void *params, const char *owner,
                                    const char *key, const char *value);
// The same from "key=value".
SILT_API SiltStatus silt_params_assign(const SiltParamTable *table, void *params, const char *owner,
                                       const char *assignment);

// Where the switch `paper` stands in the table, or -1. Setting it gives every parameter that has a value of
// the paper, and holds its default, that value; who sets several parameters sets the switch first, so that
// all others stand on top of it in any order.
SILT_API int silt_params_paper(const SiltParamTable *table);

// ---- as values ----

// A struct of the table with its defaults, or with a copy of all that another holds; NULL when there is no
// memory. silt_params_delete frees it.
SILT_API void *silt_params_new(const SiltParamTable *table);
SILT_API void *silt_params_clone(const SiltParamTable *table, const void *params);
SILT_API void silt_params_delete(const SiltParamTable *table, void *params);
// All that one struct holds into another that was filled before.
SILT_API SiltStatus silt_params_copy(const SiltParamTable *table, const void *from, void *to);

// A value of any type. Texts and lists are borrowed.
typedef struct SiltValue {
    size_t size; // sizeof(SiltValue), as the program knows it
    SiltParamType type;
    int count;          // numbers: 1, or those of a vector or colour
    double number[4];   // a number, yes or no as 1 or 0, a choice by its index
    const char *text;   // the name of a choice, a layer or a path
    int rows, columns;  // of a list
    const double *list; // row after row
} SiltValue;

SILT_API SiltValue silt_value_number(double number);
SILT_API SiltValue silt_value_text(const char *text); // of a choice, layer or path
SILT_API SiltValue silt_value_list(const double *list, int rows, int columns);

// The value at a place of the table, and into it, checked as silt_params_set does. `out->size` must be set.
SILT_API SiltStatus silt_params_get(const SiltParamTable *table, const void *params, int index,
                                    SiltValue *out);
SILT_API SiltStatus silt_params_put(const SiltParamTable *table, void *params, const char *owner, int index,
                                    const SiltValue *value);

// Checks every value against its range, for structs filled in by hand.
SILT_API SiltStatus silt_params_check(const SiltParamTable *table, const void *params, const char *owner);

// Where `key` stands in the table, or -1. '-' and '_' are the same.
SILT_API int silt_params_find(const SiltParamTable *table, const char *key);

// The value of a parameter, or its default, in the form silt_params_set reads; the caller frees it.
SILT_API char *silt_params_value(const SiltParamTable *table, const void *params, int index);
SILT_API char *silt_params_default(const SiltParamTable *table, int index);

// {"name": value, ...} and a JSON list of descriptions; the caller frees them.
SILT_API char *silt_params_json(const SiltParamTable *table, const void *params);
SILT_API char *silt_params_describe_json(const SiltParamTable *table);

// The table as text for a terminal, a line or two a parameter; the caller frees it.
SILT_API char *silt_params_help(const SiltParamTable *table);

// The name of choice `index` of a choice parameter into `buffer`; NULL when there are fewer.
SILT_API const char *silt_param_choice(const SiltParam *param, int index, char buffer[SILT_NAME_SIZE]);

// The unit as it stands behind a number: none where it is a share, whose unit is 1.
SILT_API const char *silt_param_unit(const SiltParam *param);

#ifdef __cplusplus
}
#endif
#endif
