// The table of a sweep: a line of names, a line a row, numbers as the shortest text that reads back the same.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"
#include "recipe/sweep.h"
#include "silt/drainage.h"
#include "silt/plot.h"

// ---- writing ----

static void add_text(SiltText *text, const char *value)
{
    if (!strpbrk(value, ",\"\n")) {
        silt_text_add(text, value);
        return;
    }
    silt_text_add(text, "\"");
    for (const char *c = value; *c; c++)
        silt_text_addf(text, *c == '"' ? "\"\"" : "%c", *c);
    silt_text_add(text, "\"");
}

// A comma before it; nothing where there is no number.
static void add_number(SiltText *text, double value)
{
    silt_text_add(text, ",");
    if (isfinite(value))
        silt_text_add_number(text, value);
}

static void add_name(SiltText *text, const char *name, const char *unit)
{
    silt_text_addf(text, ",%s", name);
    if (unit[0])
        silt_text_addf(text, "_%s", strcmp(unit, "1/km") == 0 ? "per_km" : unit);
}

static const char *const account_names[] = {"initial", "added", "removed", "moved", "stored"};

SiltStatus silt_sweep_make_head(SiltSweep *sweep)
{
    SiltText text = {0};
    SiltStatistic item;
    silt_text_add(&text, "run");
    for (int k = 0; k < sweep->axis_count; k++)
        silt_text_addf(&text, ",%s", sweep->axes[k].name);
    silt_text_add(&text, ",height_min_m,height_max_m,height_mean_m,relief_m");
    for (int k = 0; silt_drainage_statistic_at(k, NULL, &item); k++)
        add_name(&text, item.name, item.unit);
    for (int k = 0; k < 2; k++) {
        const char *substance = k ? "rock" : "water";
        for (size_t n = 0; n < sizeof account_names / sizeof account_names[0]; n++)
            silt_text_addf(&text, ",%s_%s_m3", substance, account_names[n]);
        silt_text_addf(&text, ",%s_imbalance", substance);
    }
    silt_text_add(&text, ",seconds,hash,key\n");
    sweep->head = silt_text_take(&text);
    return sweep->head ? SILT_OK : SILT_NO_MEMORY;
}

static void add_account(SiltText *text, const SiltAccount *a)
{
    const double values[] = {a->initial, a->added, a->removed, a->moved, a->stored};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        add_number(text, values[k]);
    add_number(text, silt_account_imbalance_fraction(a));
}

void silt_sweep_begin_line(const SiltSweep *sweep, int row, SiltText *text)
{
    silt_text_addf(text, "%d", sweep->rows[row].number);
    for (int k = 0; k < sweep->axis_count; k++) {
        silt_text_add(text, ",");
        add_text(text, sweep->axes[k].values[silt_sweep_index(sweep, k, row)]);
    }
}

SiltStatus silt_sweep_make_line(const SiltSweep *sweep, int row, const SiltTerrain *terrain,
                                const SiltLedger *ledger, double seconds, char **out)
{
    const SiltField *height = silt_terrain_layer(terrain, "height");
    SiltFieldStatistics heights;
    SiltDrainageStatistics drainage;
    SiltStatistic item;
    SiltStatus status = silt_drainage_statistics(terrain, &drainage);
    if (status != SILT_OK)
        return status;
    silt_field_statistics(height, terrain->nodata, &heights);
    SiltText text = {0};
    silt_sweep_begin_line(sweep, row, &text);
    add_number(&text, heights.minimum);
    add_number(&text, heights.maximum);
    add_number(&text, heights.mean);
    add_number(&text, heights.maximum - heights.minimum);
    for (int k = 0; silt_drainage_statistic_at(k, &drainage, &item); k++)
        add_number(&text, item.value);
    add_account(&text, &ledger->water);
    add_account(&text, &ledger->rock);
    add_number(&text, 0.001 * floor(1000.0 * seconds + 0.5));
    silt_text_addf(&text, ",%016llx,%s\n", (unsigned long long)silt_field_hash(height), sweep->rows[row].key);
    *out = silt_text_take(&text);
    return *out ? SILT_OK : SILT_NO_MEMORY;
}

char *silt_sweep_csv(const SiltSweep *sweep)
{
    SiltText text = {0};
    silt_text_add(&text, sweep->head);
    for (int k = 0; k < sweep->row_count; k++)
        if (sweep->rows[k].line)
            silt_text_add(&text, sweep->rows[k].line);
    for (int k = 0; k < sweep->other_count; k++)
        silt_text_add(&text, sweep->others[k].line);
    return silt_text_take(&text);
}

// ---- reading ----

bool silt_sweep_cell(const char *line, int column, char *out, size_t size)
{
    size_t used = 0;
    bool quoted = false;
    for (; *line && *line != '\n' && column >= 0; line++) {
        if (*line == '"')
            quoted = !quoted;
        else if (*line == ',' && !quoted)
            column--;
        else if (column == 0 && used + 1 < size)
            out[used++] = *line;
    }
    out[used] = '\0';
    return column <= 0;
}

// ---- plots ----

static int find_column(const SiltSweep *sweep, const char *name)
{
    char cell[64];
    for (int k = 0; silt_sweep_cell(sweep->head, k, cell, sizeof cell) && cell[0]; k++)
        if (strcmp(cell, name) == 0)
            return k;
    return -1;
}

static const char *column_at(const void *context, int index)
{
    enum { MOST_COLUMNS = 64 };
    static _Thread_local char cells[MOST_COLUMNS][64];
    silt_sweep_cell(((const SiltSweep *)context)->head, index, cells[index % MOST_COLUMNS], sizeof cells[0]);
    return cells[index % MOST_COLUMNS];
}

SiltStatus silt_sweep_check_column(const SiltSweep *sweep, const char *name)
{
    char hint[80];
    int count = 1;
    if (find_column(sweep, name) >= 0)
        return SILT_OK;
    for (const char *c = sweep->head; *c; c++)
        count += *c == ',';
    silt_suggestion(silt_nearest_name(name, column_at, sweep, count), hint, sizeof hint);
    return silt_fail(SILT_BAD_ARGUMENT, "the table has no column '%.60s'%s", name, hint);
}

// Values with a unit are in that of the first one of their name.
static double number_at(const SiltSweep *sweep, int row, int column)
{
    char cell[64];
    double value = NAN, first;
    const char *line = sweep->rows[row].line, *unit = cell, *wanted = "";
    if (!line || !silt_sweep_cell(line, column, cell, sizeof cell) || !silt_parse_number(&unit, &value))
        return NAN;
    if (column >= 1 && column <= sweep->axis_count) {
        wanted = sweep->axes[column - 1].values[0];
        if (!silt_parse_number(&wanted, &first))
            return NAN;
    }
    unit += strspn(unit, " ");
    wanted += strspn(wanted, " ");
    return silt_unit_convert(unit, strlen(unit), wanted, &value) ? value : NAN;
}

// Numbers that go over more than a power of ten and a half are told apart by their logarithms.
static bool wants_log(const double *values, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            continue;
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return low > 0.0 && high > 30.0 * low;
}

// Those that a range of equal factors made, whatever it spans, too.
static bool is_log(const SiltSweep *sweep, int column, const double *values, int count)
{
    bool asked = column >= 1 && column <= sweep->axis_count && sweep->axes[column - 1].log;
    return asked || wants_log(values, count);
}

// The axis whose values part the lines: the first that is neither x nor y; -1: there is none.
static int parting_axis(const SiltSweep *sweep, const char *x, const char *y)
{
    for (int k = 0; k < sweep->several_count; k++) {
        const char *name = sweep->axes[sweep->several[k]].name;
        if (strcmp(name, x) != 0 && strcmp(name, y) != 0)
            return sweep->several[k];
    }
    return -1;
}

SiltStatus silt_sweep_plot(const SiltSweep *sweep, const char *x, const char *y, const char *path)
{
    int columns[2] = {find_column(sweep, x), find_column(sweep, y)}, axis = parting_axis(sweep, x, y);
    int lines = axis < 0 ? 1 : sweep->axes[axis].count, rows = sweep->row_count;
    double *values = NULL;
    SiltSeries *series = NULL;
    char(*names)[80] = NULL;
    SiltStatus status = silt_sweep_check_column(sweep, x);
    if (status == SILT_OK)
        status = silt_sweep_check_column(sweep, y);
    if (status == SILT_OK)
        status = silt_alloc_for("a plot", 2 * (size_t)rows, sizeof *values, (void **)&values);
    if (status == SILT_OK)
        status = silt_alloc_for("a plot", (size_t)lines, sizeof *series, (void **)&series);
    if (status == SILT_OK)
        status = silt_alloc_for("a plot", (size_t)lines, sizeof *names, (void **)&names);
    int used = 0;
    for (int n = 0; n < lines && status == SILT_OK; n++) {
        series[n] = (SiltSeries){.x = values + used, .y = values + rows + used, .points = true};
        for (int k = 0; k < rows; k++) {
            if (axis >= 0 && silt_sweep_index(sweep, axis, k) != n)
                continue;
            values[used] = number_at(sweep, k, columns[0]);
            values[rows + used++] = number_at(sweep, k, columns[1]);
            series[n].count++;
        }
        char value[SWEEP_CAPTION];
        if (axis >= 0) {
            silt_sweep_caption(sweep, axis, n, value);
            snprintf(names[n], sizeof names[n], "%s=%s", sweep->axes[axis].name, value);
        }
        series[n].name = names[n];
    }
    if (status == SILT_OK)
        status = silt_plot_write(&(SiltPlot){.x_label = x,
                                             .y_label = y,
                                             .x_log = is_log(sweep, columns[0], values, rows),
                                             .y_log = is_log(sweep, columns[1], values + rows, rows),
                                             .series = series,
                                             .series_count = lines},
                                 path);
    silt_free(values);
    silt_free(series);
    silt_free(names);
    return status;
}
