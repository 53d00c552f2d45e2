// Which values a sweep goes through, and the recipe of each combination.
#include "recipe/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/sum.h"
#include "physics/power.h"
#include "recipe/keys.h"

// ---- values ----

static SiltStatus add_value(SweepAxis *axis, const char *text, size_t length)
{
    char **values = silt_alloc(((size_t)axis->count + 1) * sizeof *values);
    char *copy = silt_alloc(length + 1);
    if (!values || !copy) {
        silt_free(values);
        silt_free(copy);
        return silt_fail_memory("a sweep", (double)length);
    }
    memcpy(copy, text, length);
    if (axis->count > 0)
        memcpy(values, axis->values, (size_t)axis->count * sizeof *values);
    silt_free(axis->values);
    values[axis->count++] = copy;
    axis->values = values;
    return SILT_OK;
}

static void clear_axis(SweepAxis *axis)
{
    for (int k = 0; k < axis->count; k++)
        silt_free(axis->values[k]);
    silt_free(axis->values);
    axis->values = NULL;
    axis->count = 0;
    axis->log = false;
}

// "low:high:log5", "1mm/year:2mm/year:3"; what does not begin as a range does is a plain value.
typedef struct Range {
    double low, high;
    char units[2][16]; // "": a plain number
    int count;
    bool log;
} Range;

// A number with or without a unit, up to the colon.
static bool parse_end(const char **text, double *value, char unit[16])
{
    if (!silt_parse_number(text, value))
        return false;
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, ":"), letter = strcspn(*text, "/0123456789");
    if (length >= 16 || (*text)[length] != ':' || strcspn(*text, ",[]\"'") < length ||
        (length > 0 && letter == 0))
        return false;
    snprintf(unit, 16, "%.*s", (int)length, *text);
    *text += length + 1;
    return true;
}

enum { MOST_STEPS_OF_RANGE = 1000 };

// Whether it is meant as a range: a number and two colons, or one before "log" and "lin".
static bool is_range(const char *text)
{
    double number;
    char unit[16];
    if (!parse_end(&text, &number, unit))
        return false;
    return strncmp(text, "log", 3) == 0 || strncmp(text, "lin", 3) == 0 || strchr(text, ':');
}

static SiltStatus parse_range(const SweepAxis *axis, const char *text, Range *out)
{
    double count;
    const char *at = text;
    *out = (Range){0};
    bool good = parse_end(&at, &out->low, out->units[0]) && parse_end(&at, &out->high, out->units[1]);
    if (!good)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s=%.60s: a range goes from one number to another in so many steps: 0:1:5, or by "
                         "equal factors 1:100:log5",
                         axis->name, text);
    out->log = strncmp(at, "log", 3) == 0;
    at += out->log || strncmp(at, "lin", 3) == 0 ? 3 : 0;
    good = silt_parse_whole_number(at, &count) && count == floor(count) && count >= 2.0 &&
           count <= MOST_STEPS_OF_RANGE;
    if (!good)
        return silt_fail(SILT_BAD_ARGUMENT, "%s=%.60s: a range has 2 to %d steps, as in 0:1:%s5", axis->name,
                         text, MOST_STEPS_OF_RANGE, out->log ? "log" : "");
    out->count = (int)count;
    return SILT_OK;
}

// All its values are in the unit of the upper end.
static SiltStatus add_range(SweepAxis *axis, const char *text, Range *range)
{
    const char *unit = range->units[1];
    if (!silt_unit_convert(range->units[0], strlen(range->units[0]), unit, &range->low))
        return silt_fail(SILT_BAD_ARGUMENT, "%s=%.60s: both ends have units of one kind, or none", axis->name,
                         text);
    if (range->log && !(range->low > 0.0 && range->high > 0.0))
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s=%.60s: equal factors lead from one number above zero to another", axis->name,
                         text);
    SiltStatus status = SILT_OK;
    axis->log = range->log;
    for (int k = 0; k < range->count && status == SILT_OK; k++) {
        double part = (double)k / (range->count - 1);
        double value = range->log ? range->low * silt_power(range->high / range->low, part)
                                  : range->low + part * (range->high - range->low);
        char rounded[40], shown[SILT_NUMBER_SIZE + 16];
        const char *digits = rounded;
        // all digits that a double has of any decimal number: 0.6, where sums leave 0.6000000000000001
        snprintf(rounded, sizeof rounded, "%.15g", value);
        silt_parse_number(&digits, &value);
        value = k == 0 ? range->low : k == range->count - 1 ? range->high : value;
        silt_format_number(value, shown);
        strcat(shown, unit);
        status = add_value(axis, shown, strlen(shown));
    }
    return status;
}

// Where the unit of a number begins, in text of this length; NULL: it is no number.
static const char *unit_of(const char *text, size_t length, size_t *bytes)
{
    double number;
    const char *at = text;
    if (!silt_parse_number(&at, &number) || at > text + length)
        return NULL;
    at += strspn(at, " ");
    *bytes = at < text + length ? (size_t)(text + length - at) : 0;
    return at;
}

// Numbers stand in one column of the table: in one unit, or in none.
static SiltStatus add_list(SweepAxis *axis, const char *text)
{
    const char *whole = text, *unit = NULL;
    size_t unit_bytes = 0;
    SiltStatus status = SILT_OK;
    while (status == SILT_OK) {
        size_t length = 0;
        for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); length++)
            depth += (text[length] == '[') - (text[length] == ']');
        if (length == 0)
            return silt_fail(SILT_BAD_ARGUMENT, "%s: one of its values is empty", axis->name);
        size_t bytes = 0;
        const char *other = unit_of(text, length, &bytes);
        if (unit && other && (bytes != unit_bytes || strncmp(unit, other, bytes) != 0))
            return silt_fail(SILT_BAD_ARGUMENT, "%s=%.60s: its numbers are in one unit, or in none",
                             axis->name, whole);
        unit = other ? other : unit;
        unit_bytes = other ? bytes : unit_bytes;
        status = add_value(axis, text, length);
        text += length;
        if (!*text++)
            break;
    }
    return status;
}

static SiltStatus read_axis(SiltSweep *sweep, const char *define)
{
    const char *equals = strchr(define, '=');
    if (!equals || equals == define || (size_t)(equals - define) >= SILT_NAME_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "'%.60s' is not NAME=VALUES", define);
    char name[SILT_NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)(equals - define), define);
    int at = 0;
    while (at < sweep->axis_count && strcmp(sweep->axes[at].name, name) != 0)
        at++;
    if (at == MOST_AXES)
        return silt_fail(SILT_BAD_ARGUMENT, "a sweep has at most %d names", MOST_AXES);
    SweepAxis *axis = &sweep->axes[at];
    sweep->axis_count += at == sweep->axis_count;
    clear_axis(axis);
    strcpy(axis->name, name);
    if (!is_range(equals + 1))
        return add_list(axis, equals + 1);
    Range range;
    SiltStatus status = parse_range(axis, equals + 1, &range);
    return status == SILT_OK ? add_range(axis, equals + 1, &range) : status;
}

SiltStatus silt_sweep_read_axes(SiltSweep *sweep, const char *const *defines, int count)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < count && status == SILT_OK; k++)
        status = read_axis(sweep, defines[k]);
    double rows = 1.0;
    for (int k = 0; k < sweep->axis_count && status == SILT_OK; k++) {
        rows *= sweep->axes[k].count;
        if (sweep->axes[k].count > 1)
            sweep->several[sweep->several_count++] = k;
    }
    if (status == SILT_OK && rows > MOST_ROWS)
        status = silt_fail(SILT_BAD_ARGUMENT, "%.0f combinations; a sweep has at most %d", rows, MOST_ROWS);
    sweep->row_count = status == SILT_OK ? (int)rows : 0;
    return status;
}

void silt_sweep_caption(const SiltSweep *sweep, int axis, int index, char out[SWEEP_CAPTION])
{
    const char *value = sweep->axes[axis].values[index], *behind = value;
    double number;
    if (silt_parse_number(&behind, &number) && behind - value > 9)
        snprintf(out, SWEEP_CAPTION, "%.6g%.24s", number, behind);
    else
        snprintf(out, SWEEP_CAPTION, "%.*s", SWEEP_CAPTION - 1, value);
}

int silt_sweep_index(const SiltSweep *sweep, int axis, int row)
{
    for (int k = sweep->axis_count - 1; k > axis; k--)
        row /= sweep->axes[k].count;
    return row % sweep->axes[axis].count;
}

// ---- recipes ----

static SiltStatus read_with(const SiltSweep *sweep, char *const *values, bool writes, SiltRecipe **out)
{
    SiltText texts[MOST_AXES] = {{0}};
    const char *defines[MOST_AXES];
    SiltStatus status = SILT_OK;
    *out = NULL;
    for (int k = 0; k < sweep->axis_count; k++) {
        const SweepAxis *axis = &sweep->axes[k];
        silt_text_addf(&texts[k], "%s=%s", axis->name, values[k]);
        status = texts[k].failed ? SILT_NO_MEMORY : status;
        defines[k] = texts[k].data;
    }
    if (status == SILT_OK)
        status = (writes ? silt_recipe_read : silt_recipe_read_unwritten)(sweep->path, defines,
                                                                          sweep->axis_count, out);
    for (int k = 0; k < sweep->axis_count; k++)
        silt_text_free(&texts[k]);
    return status;
}

SiltStatus silt_sweep_recipe(const SiltSweep *sweep, int row, bool writes, SiltRecipe **out)
{
    char *values[MOST_AXES];
    for (int k = 0; k < sweep->axis_count; k++)
        values[k] = sweep->axes[k].values[silt_sweep_index(sweep, k, row)];
    return read_with(sweep, values, writes, out);
}

static SiltStatus find_key(const SiltRecipe *recipe, SiltPantry *files, char key[17])
{
    Kitchen kitchen = {.recipe = recipe};
    Keys keys = {0};
    silt_text_addf(&keys.text, "silt %s\n", silt_version());
    SiltStatus status = silt_keys_make(&kitchen, files, &keys);
    if (status == SILT_OK)
        snprintf(key, 17, "%016llx", (unsigned long long)silt_sum_of(keys.text.data, keys.text.length));
    silt_keys_free(&keys);
    return status;
}

SiltStatus silt_sweep_key(const SiltSweep *sweep, char *const *values, SiltPantry *files, char key[17])
{
    SiltRecipe *recipe;
    SiltStatus status = read_with(sweep, values, false, &recipe);
    if (status == SILT_OK)
        status = find_key(recipe, files, key);
    silt_recipe_destroy(recipe);
    return status;
}

// Every combination is read before the first one runs: what is wrong with the last is known at once.
static SiltStatus check_rows(SiltSweep *sweep)
{
    SiltPantry *files;
    SiltStatus status = silt_pantry_create(0, &files);
    for (int k = 0; k < sweep->row_count && status == SILT_OK; k++) {
        SiltRecipe *recipe;
        status = silt_sweep_recipe(sweep, k, false, &recipe);
        if (status == SILT_OK && !sweep->trusted)
            status = silt_recipe_confine(recipe);
        if (status == SILT_OK)
            status = silt_sweep_add_inputs(sweep, recipe);
        if (status == SILT_OK)
            status = find_key(recipe, files, sweep->rows[k].key);
        silt_recipe_destroy(recipe);
    }
    silt_pantry_destroy(files);
    return status;
}

SiltStatus silt_sweep_check_outputs(const SiltSweep *sweep)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < sweep->row_count && status == SILT_OK; k++) {
        SiltRecipe *recipe;
        status = silt_sweep_recipe(sweep, k, true, &recipe);
        if (status == SILT_OK && !sweep->trusted)
            status = silt_recipe_confine(recipe);
        silt_recipe_destroy(recipe);
    }
    return status;
}

SiltStatus silt_sweep_open(const char *path, const char *const *defines, int count, bool trusted,
                           SiltSweep **out)
{
    SiltSweep *sweep;
    *out = NULL;
    SiltStatus status = silt_alloc_for("a sweep", 1, sizeof *sweep, (void **)&sweep);
    if (status != SILT_OK)
        return status;
    snprintf(sweep->path, sizeof sweep->path, "%s", path);
    sweep->trusted = trusted;
    status = silt_sweep_read_axes(sweep, defines, count);
    if (status == SILT_OK)
        status =
            silt_alloc_for("a sweep", (size_t)sweep->row_count, sizeof *sweep->rows, (void **)&sweep->rows);
    if (status == SILT_OK)
        status = check_rows(sweep);
    if (status == SILT_OK)
        status = silt_sweep_make_head(sweep);
    if (status != SILT_OK) {
        silt_sweep_destroy(sweep);
        return status;
    }
    *out = sweep;
    return SILT_OK;
}

void silt_sweep_destroy(SiltSweep *sweep)
{
    if (!sweep)
        return;
    for (int k = 0; k < sweep->axis_count; k++)
        clear_axis(&sweep->axes[k]);
    for (int k = 0; sweep->rows && k < sweep->row_count; k++)
        silt_free(sweep->rows[k].line);
    for (int k = 0; k < sweep->other_count; k++)
        silt_free(sweep->others[k].line);
    for (int k = 0; k < sweep->input_count; k++)
        silt_free(sweep->inputs[k]);
    silt_free(sweep->inputs);
    silt_free(sweep->others);
    silt_free(sweep->rows);
    silt_free(sweep->head);
    silt_free(sweep);
}

int silt_sweep_count(const SiltSweep *sweep)
{
    return sweep->row_count;
}

int silt_sweep_axis_count(const SiltSweep *sweep)
{
    return sweep->several_count;
}

const char *silt_sweep_axis_name(const SiltSweep *sweep, int axis)
{
    return sweep->axes[sweep->several[axis]].name;
}

const char *silt_sweep_value(const SiltSweep *sweep, int axis, int row)
{
    int k = sweep->several[axis];
    return sweep->axes[k].values[silt_sweep_index(sweep, k, row)];
}

int silt_sweep_others(const SiltSweep *sweep)
{
    return sweep->other_count;
}

int silt_sweep_done(const SiltSweep *sweep)
{
    int count = 0;
    for (int k = 0; k < sweep->row_count; k++)
        count += sweep->rows[k].line != NULL;
    return count;
}
