// One value of a parameter from text, by its type.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"
#include "core/text.h"

static SiltStatus not_a(const SiltParam *param, const char *owner, const char *value, const char *what)
{
    return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = '%.60s' is not %s", owner, param->name, value, what);
}

// The number is there, and something follows that is not its unit.
static SiltStatus not_in_unit(const SiltParam *param, const char *owner, const char *value, const char *what)
{
    char words[128];
    const char *unit = silt_param_unit(param);
    snprintf(words, sizeof words, "%.64s%s%.31s", what, unit[0] ? " in " : "", unit);
    return not_a(param, owner, value, words);
}

static const char *skip_spaces(const char *cursor)
{
    while (isspace((unsigned char)*cursor))
        cursor++;
    return cursor;
}

static const char *skip_unit(const SiltParam *param, const char *cursor)
{
    cursor = skip_spaces(cursor);
    const char *unit = silt_param_unit(param);
    size_t length = strlen(unit);
    return length && strncmp(cursor, unit, length) == 0 ? skip_spaces(cursor + length) : cursor;
}

// The same where the number may have come in another unit of the same kind: kyr of years, mm/year of m/year.
static const char *take_unit(const SiltParam *param, const char *cursor, double *number)
{
    cursor = skip_spaces(cursor);
    size_t length = strcspn(cursor, " ,:;");
    double value = *number;
    if (length == 0 || !silt_unit_convert(cursor, length, silt_param_unit(param), &value))
        return skip_unit(param, cursor);
    *number = value;
    return skip_spaces(cursor + length);
}

static SiltStatus set_real(const SiltParam *param, double *out, const char *owner, const char *value)
{
    const char *cursor = value;
    double number;
    if (silt_param_may_be_unset(param) && strcmp(value, "none") == 0) {
        *out = NAN;
        return SILT_OK;
    }
    bool is_ratio = param->flags & SILT_RATIO;
    const char *what = is_ratio ? "a number like 25000 or 1:25000" : "a number";
    if (is_ratio && strncmp(value, "1:", 2) == 0)
        cursor += 2;
    if (!silt_parse_number(&cursor, &number))
        return not_a(param, owner, value, what);
    if (*take_unit(param, cursor, &number))
        return not_in_unit(param, owner, value, what);
    if (isnan(number))
        return not_a(param, owner, value, "a finite number");
    SiltStatus status = silt_param_check_number(param, owner, number);
    if (status == SILT_OK)
        *out = number;
    return status;
}

static SiltStatus set_int(const SiltParam *param, int *out, const char *owner, const char *value)
{
    const char *cursor = value;
    double number;
    if (!silt_parse_number(&cursor, &number) || (isfinite(number) && number != floor(number)))
        return not_a(param, owner, value, "a whole number");
    if (*skip_unit(param, cursor))
        return not_in_unit(param, owner, value, "a whole number");
    SiltStatus status = silt_param_check_number(param, owner, number);
    if (status == SILT_OK)
        *out = (int)number;
    return status;
}

static SiltStatus set_bool(const SiltParam *param, bool *out, const char *owner, const char *value)
{
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off", "0"};
    for (int k = 0; k < 4; k++) {
        if (strcmp(value, yes[k]) == 0 || strcmp(value, no[k]) == 0) {
            *out = strcmp(value, yes[k]) == 0;
            return SILT_OK;
        }
    }
    return not_a(param, owner, value, "yes or no");
}

static const char *name_of_choice(const void *context, int index)
{
    // names live in one string; hand out stable copies a choice each
    static _Thread_local char names[32][SILT_NAME_SIZE];
    const SiltParam *param = context;
    return silt_param_choice(param, index, names[index % 32]);
}

static SiltStatus set_choice(const SiltParam *param, int *out, const char *owner, const char *value)
{
    char name[SILT_NAME_SIZE];
    for (int k = 0; silt_param_choice(param, k, name); k++) {
        if (silt_param_same_name(name, value)) {
            *out = k;
            return SILT_OK;
        }
    }
    char hint[80];
    silt_suggestion(silt_nearest_name(value, name_of_choice, param, silt_param_choice_count(param)), hint,
                    sizeof hint);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: %s = '%.60s' is none of: %s%s", owner, param->name, value,
                     param->choices, hint);
}

// A number, or "none" where a number may be left unset.
static bool parse_component(const SiltParam *param, const char **cursor, double *out)
{
    const char *word = skip_spaces(*cursor);
    if (silt_param_may_be_unset(param) && strncmp(word, "none", 4) == 0) {
        *cursor = word + 4;
        *out = NAN;
        return true;
    }
    return silt_parse_number(cursor, out);
}

static SiltStatus not_a_vector(const SiltParam *param, const char *owner, const char *value)
{
    static const char *const examples[] = {"", "", "0:1500", "1,2,3", "1,2,3,4"};
    char words[64];
    snprintf(words, sizeof words, "%d numbers like %.20s", param->size,
             param->example ? param->example : examples[param->size]);
    return not_in_unit(param, owner, value, words);
}

static SiltStatus set_vector(const SiltParam *param, double *out, const char *owner, const char *value)
{
    double numbers[4];
    const char *cursor = value;
    for (int k = 0; k < param->size; k++) {
        bool separated = k == 0 || *cursor == ',' || *cursor == ':' || (*cursor == 'x' && param->size == 2);
        cursor += k > 0 && separated;
        if (k == 0 && param->size == 2 && strncmp(cursor, "0x", 2) == 0) { // 0 and more, no hexadecimal
            numbers[k] = 0.0;
            cursor++;
            continue;
        }
        if (!separated || !parse_component(param, &cursor, &numbers[k]))
            return not_a_vector(param, owner, value);
        cursor = take_unit(param, cursor, &numbers[k]);
    }
    if (*cursor)
        return not_a_vector(param, owner, value);
    for (int k = 0; k < param->size; k++) {
        SiltStatus status = silt_param_check_number(param, owner, numbers[k]);
        if (status != SILT_OK)
            return status;
    }
    memcpy(out, numbers, (size_t)param->size * sizeof *out);
    return SILT_OK;
}

static SiltStatus set_colour(const SiltParam *param, double *out, const char *owner, const char *value)
{
    unsigned rgb[3];
    int used = 0;
    bool right_length = strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6;
    if (!right_length || sscanf(value, "#%2x%2x%2x%n", &rgb[0], &rgb[1], &rgb[2], &used) != 3 || used != 7)
        return not_a(param, owner, value, "a colour like #4080ff");
    for (int k = 0; k < 3; k++)
        out[k] = rgb[k] / 255.0;
    return SILT_OK;
}

static SiltStatus set_text(const SiltParam *param, char *out, size_t size, const char *owner,
                           const char *value)
{
    if (strlen(value) >= size)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s is longer than %zu bytes", owner, param->name, size - 1);
    snprintf(out, size, "%s", value);
    return SILT_OK;
}

SiltStatus silt_param_bad_row(const SiltParam *param, const char *owner, int row)
{
    return silt_fail(SILT_BAD_ARGUMENT,
                     "%s: %s: row %d is not %sfinite numbers for: %s (commas between, ';' between rows)",
                     owner, param->name, row + 1, param->words ? "a word and " : "", param->choices);
}

// A number, or in the first column of a list that has words one of them, as its number.
static bool read_cell(const SiltParam *param, int column, const char **cursor, double *out)
{
    if (column > 0 || !param->words)
        return silt_parse_number(cursor, out);
    const char *words = param->words, *at = skip_spaces(*cursor);
    char word[SILT_NAME_SIZE];
    int count = 0;
    for (; silt_next_word(&words, word, sizeof word); count++) {
        size_t length = strlen(word);
        if (strncmp(at, word, length) == 0 && strchr(" ,;", at[length])) { // the closing zero too
            *cursor = at + length;
            *out = count;
            return true;
        }
    }
    return silt_parse_number(cursor, out) && *out >= 0.0 && *out < count && *out == floor(*out);
}

// Rows end with ';', and where there is one column with ',' too: "0,5,10" are three.
static bool ends_row(int columns, char c)
{
    return c == ';' || (columns == 1 && c == ',');
}

// How many numbers stand before the end of the row; -1 when something else does.
static int count_numbers(const SiltParam *param, int columns, const char *cursor)
{
    for (int count = 0;; count++, cursor++) {
        double number;
        if (!read_cell(param, count, &cursor, &number) || !isfinite(number))
            return -1;
        cursor = skip_spaces(cursor);
        if (*cursor == '\0' || ends_row(columns, *cursor))
            return count + 1;
        if (*cursor != ',')
            return -1;
    }
}

static SiltStatus read_row(const SiltParam *param, const char *owner, int row, int columns,
                           const char **cursor, double *out)
{
    int count = count_numbers(param, columns, *cursor);
    if (count < 0)
        return silt_param_bad_row(param, owner, row);
    if (count != columns)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s: row %d has %d number%s, %d are wanted: %s", owner,
                         param->name, row + 1, count, count == 1 ? "" : "s", columns, param->choices);
    for (int k = 0; k < columns; k++) {
        *cursor += k > 0; // the comma
        read_cell(param, k, cursor, &out[k]);
        *cursor = skip_spaces(*cursor);
    }
    return SILT_OK;
}

static SiltStatus set_list(const SiltParam *param, SiltList *out, const char *owner, const char *value)
{
    int columns = silt_param_choice_count(param), rows = 0;
    for (const char *c = value; *c; c++)
        rows += ends_row(columns, *c);
    SiltList list = {.columns = columns};
    SiltStatus status = silt_alloc_for(param->name, (size_t)(rows + 1) * (size_t)columns, sizeof(double),
                                       (void **)&list.values);
    if (status != SILT_OK)
        return status;
    const char *cursor = skip_spaces(value);
    while (*cursor) {
        double *row = list.values + (size_t)list.count * (size_t)columns;
        status = read_row(param, owner, list.count, columns, &cursor, row);
        if (status != SILT_OK) {
            silt_free(list.values);
            return status;
        }
        list.count++;
        if (ends_row(columns, *cursor))
            cursor = skip_spaces(cursor + 1);
    }
    silt_free(out->values);
    *out = list;
    return SILT_OK;
}

SiltStatus silt_param_read(const SiltParam *param, void *params, const char *owner, const char *value)
{
    void *out = (char *)params + param->offset;
    switch (param->type) {
    case SILT_TYPE_REAL:
        return set_real(param, out, owner, value);
    case SILT_TYPE_INT:
        return set_int(param, out, owner, value);
    case SILT_TYPE_BOOL:
        return set_bool(param, out, owner, value);
    case SILT_TYPE_CHOICE:
        return set_choice(param, out, owner, value);
    case SILT_TYPE_VECTOR:
        return set_vector(param, out, owner, value);
    case SILT_TYPE_COLOUR:
        return set_colour(param, out, owner, value);
    case SILT_TYPE_LAYER:
        return set_text(param, out, SILT_NAME_SIZE, owner, value);
    case SILT_TYPE_PATH:
        return set_text(param, out, SILT_PATH_SIZE, owner, value);
    case SILT_TYPE_LIST:
        return set_list(param, out, owner, value);
    }
    return SILT_OK;
}
