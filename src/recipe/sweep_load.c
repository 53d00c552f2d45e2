// What the table of a folder has for a sweep: rows by their key, wherever they stand.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"
#include "recipe/sweep.h"
#include "silt/io.h"

typedef struct Loading {
    SiltSweep *sweep;
    SiltPantry *files;
    bool *used; // numbers, from 1
    int other_room, dropped;
} Loading;

// A free number: the one that is wished for, or the next.
static int take_number(Loading *loading, int wish)
{
    int number = wish >= 1 && wish < MOST_NUMBERS ? wish : 1;
    while (number < MOST_NUMBERS && loading->used[number])
        number++;
    if (number < MOST_NUMBERS)
        loading->used[number] = true;
    return number;
}

// The cells from `column` on.
static const char *behind(const char *line, int column)
{
    bool quoted = false;
    for (; *line && column > 0; line++) {
        quoted = quoted != (*line == '"');
        column -= *line == ',' && !quoted;
    }
    return line;
}

// Number and values are written as this sweep has them.
static SiltStatus keep_row(Loading *loading, int index, const char *line)
{
    const SiltSweep *sweep = loading->sweep;
    SweepRow *row = &loading->sweep->rows[index];
    SiltText text = {0};
    row->number = take_number(loading, atoi(line));
    silt_sweep_begin_line(sweep, index, &text);
    silt_text_addf(&text, ",%s\n", behind(line, sweep->axis_count + 1));
    row->line = silt_text_take(&text);
    return row->line ? SILT_OK : SILT_NO_MEMORY;
}

// Whether today's recipe makes this row of the values it says.
static bool is_true(const Loading *loading, const char *line, const char *key)
{
    enum { CELL = 256 };
    const SiltSweep *sweep = loading->sweep;
    char cells[MOST_AXES][CELL], *values[MOST_AXES], found[17];
    for (int k = 0; k < sweep->axis_count; k++) {
        if (!silt_sweep_cell(line, k + 1, cells[k], CELL) || !cells[k][0])
            return false;
        values[k] = cells[k];
    }
    return silt_sweep_key(sweep, values, loading->files, found) == SILT_OK && strcmp(found, key) == 0;
}

static SiltStatus keep_other(Loading *loading, const char *line)
{
    SiltSweep *sweep = loading->sweep;
    if (sweep->other_count == loading->other_room) {
        int room = loading->other_room ? 2 * loading->other_room : 64;
        SweepRow *others = silt_alloc((size_t)room * sizeof *others);
        if (!others)
            return silt_fail_memory("a sweep", (double)room * sizeof *others);
        if (sweep->other_count > 0)
            memcpy(others, sweep->others, (size_t)sweep->other_count * sizeof *others);
        silt_free(sweep->others);
        sweep->others = others;
        loading->other_room = room;
    }
    SweepRow *other = &sweep->others[sweep->other_count];
    SiltText text = {0};
    *other = (SweepRow){.number = take_number(loading, atoi(line))};
    silt_text_addf(&text, "%d,%s\n", other->number, behind(line, 1));
    other->line = silt_text_take(&text);
    sweep->other_count += other->line != NULL;
    return other->line ? SILT_OK : SILT_NO_MEMORY;
}

static bool is_asked_for(const SiltSweep *sweep, const char *line)
{
    char cell[256];
    bool asked = true;
    for (int k = 0; k < sweep->axis_count && asked; k++) {
        asked = false;
        for (int n = 0; n < sweep->axes[k].count && !asked; n++)
            asked = silt_sweep_cell(line, k + 1, cell, sizeof cell) &&
                    strcmp(cell, sweep->axes[k].values[n]) == 0;
    }
    return asked;
}

static SiltStatus take_line(Loading *loading, const char *line)
{
    SiltSweep *sweep = loading->sweep;
    size_t length = strlen(line);
    if (length < 18 || line[length - 17] != ',')
        return SILT_OK;
    const char *key = line + length - 16;
    for (int k = 0; k < sweep->row_count; k++)
        if (!sweep->rows[k].line && strcmp(key, sweep->rows[k].key) == 0)
            return keep_row(loading, k, line);
    if (is_true(loading, line, key))
        return keep_other(loading, line);
    loading->dropped += !is_asked_for(sweep, line); // else it is made anew
    return SILT_OK;
}

// Hours of work may be in rows that are left out: the table as it was stays beside the new one.
static SiltStatus set_aside(const Loading *loading, const char *path, const char *text, size_t bytes)
{
    char old[SILT_PATH_SIZE + 8];
    snprintf(old, sizeof old, "%.*s.old.csv", (int)(strlen(path) - strlen(".csv")), path);
    SiltStatus status = silt_write_file(old, text, bytes);
    if (status == SILT_OK)
        silt_warn("%s: %d row%s of values that are not asked for came from another recipe, other files or "
                  "another version: the table without them begins here, the one before is in %s",
                  path, loading->dropped, loading->dropped == 1 ? "" : "s", old);
    return status;
}

static SiltStatus read_table(Loading *loading, const char *path)
{
    const SiltSweep *sweep = loading->sweep;
    char *text = NULL;
    size_t bytes;
    if (access(path, F_OK) != 0)
        return SILT_OK;
    SiltStatus status = silt_read_file(path, (size_t)1 << 30, &text, &bytes);
    if (status == SILT_OK && strncmp(text, sweep->head, strlen(sweep->head)) != 0)
        status =
            silt_fail(SILT_BAD_FILE,
                      "%s: it is the table of another sweep, with other columns; name another folder", path);
    char *line = status == SILT_OK ? text + strlen(sweep->head) : NULL;
    while (line && *line && status == SILT_OK) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        status = take_line(loading, line);
        if (next > end)
            *end = '\n';
        line = next;
    }
    if (status == SILT_OK && loading->dropped > 0)
        status = set_aside(loading, path, text, bytes);
    silt_free(text);
    return status;
}

// Pictures whose number no kept row has show what is no longer there.
static void remove_stale(const Loading *loading, const char *folder)
{
    char place[SILT_PATH_SIZE];
    snprintf(place, sizeof place, "%.900s/pictures", folder);
    DIR *entries = opendir(place);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const char *name = entry->d_name;
        size_t digits = strspn(name, "0123456789");
        char path[SILT_PATH_SIZE + 32];
        if (digits < 4 || digits > 6 || strcmp(name + digits, ".png") != 0)
            continue;
        int number = atoi(name);
        snprintf(path, sizeof path, "%s/%.12s", place, name);
        if (number >= MOST_NUMBERS || !loading->used[number])
            unlink(path);
    }
    if (entries)
        closedir(entries);
}

SiltStatus silt_sweep_load(SiltSweep *sweep, const char *folder)
{
    char path[SILT_PATH_SIZE];
    Loading loading = {.sweep = sweep};
    snprintf(path, sizeof path, "%.900s/sweep.csv", folder);
    SiltStatus status = silt_alloc_for("a sweep", MOST_NUMBERS, sizeof *loading.used, (void **)&loading.used);
    if (status == SILT_OK)
        status = silt_pantry_create(0, &loading.files);
    if (status == SILT_OK)
        status = read_table(&loading, path);
    if (status == SILT_OK)
        remove_stale(&loading, folder);
    for (int k = 0; k < sweep->row_count && status == SILT_OK; k++) {
        if (!sweep->rows[k].line)
            sweep->rows[k].number = take_number(&loading, k + 1);
        if (sweep->rows[k].number >= MOST_NUMBERS)
            status =
                silt_fail(SILT_BAD_ARGUMENT, "%s: it has no room for more rows; name another folder", path);
    }
    silt_pantry_destroy(loading.files);
    silt_free(loading.used);
    return status;
}
