// A sweep, as the files that read, run and show it see it.
#ifndef SILT_RECIPE_SWEEP_H
#define SILT_RECIPE_SWEEP_H

#include "core/text.h"
#include "recipe/pantry.h"
#include "silt/recipe.h"
#include "silt/sweep.h"

enum { MOST_AXES = 16, MOST_ROWS = 100000, MOST_NUMBERS = 4 * MOST_ROWS };

typedef struct SweepAxis {
    char name[SILT_NAME_SIZE];
    char **values;
    int count;
    bool log; // a range by equal factors
} SweepAxis;

typedef struct SweepRow {
    char key[17]; // of all that it follows from
    char *line;   // of the table, with its line feed; NULL: not made yet
    int number;   // of its picture and its folder, the same in every sweep of the folder
} SweepRow;

struct SiltSweep {
    char path[SILT_PATH_SIZE];
    SweepAxis axes[MOST_AXES]; // names of one value too
    int axis_count;
    int several[MOST_AXES]; // those of more than one, in order
    int several_count;
    SweepRow *rows;
    int row_count;
    SweepRow *others; // that the folder has, with values that are not asked for now
    int other_count;
    char *head;    // the names of the columns, with a line feed
    char **inputs; // the recipe and all that any of its rows reads, and what lies beside that
    int input_count;
    int input_room;
    bool trusted; // files may lie anywhere
};

// Which value of an axis a row has.
int silt_sweep_index(const SiltSweep *sweep, int axis, int row);
// One of its values for a picture: a number with six digits.
enum { SWEEP_CAPTION = 41 };
void silt_sweep_caption(const SiltSweep *sweep, int axis, int index, char out[SWEEP_CAPTION]);
SiltStatus silt_sweep_read_axes(SiltSweep *sweep, const char *const *defines, int count);
// The recipe of a row, whose outputs will or will not be written; the caller destroys it.
SiltStatus silt_sweep_recipe(const SiltSweep *sweep, int row, bool writes, SiltRecipe **out);
// What would be refused of the outputs of all rows.
SiltStatus silt_sweep_check_outputs(const SiltSweep *sweep);

// The key of a row with these values, one an axis.
SiltStatus silt_sweep_key(const SiltSweep *sweep, char *const *values, SiltPantry *files, char key[17]);

// ---- sweep_guard.c ----

// Notes what the recipe of a row reads.
SiltStatus silt_sweep_add_inputs(SiltSweep *sweep, const SiltRecipe *recipe);
// Fails where a sweep in this folder would write over one of them, or remove it.
SiltStatus silt_sweep_keeps_inputs(const SiltSweep *sweep, const char *folder);
// The same of the outputs of one row, as they are redirected.
SiltStatus silt_sweep_row_keeps_inputs(const SiltSweep *sweep, const SiltRecipe *recipe);

// ---- sweep_table.c ----

SiltStatus silt_sweep_make_head(SiltSweep *sweep);
// The number of a row and its values.
void silt_sweep_begin_line(const SiltSweep *sweep, int row, SiltText *text);
// The line of a row.
SiltStatus silt_sweep_make_line(const SiltSweep *sweep, int row, const SiltTerrain *terrain,
                                const SiltLedger *ledger, double seconds, char **out);
// The text of a cell, without quotes; false where the line has no such column.
bool silt_sweep_cell(const char *line, int column, char *out, size_t size);

// ---- sweep_load.c ----

// Takes the rows that the folder's table has, and gives the rest their numbers; SILT_BAD_FILE where it is the
// table of another sweep. No table: none. Pictures of no row are removed.
SiltStatus silt_sweep_load(SiltSweep *sweep, const char *folder);

// ---- sweep_sheet.c ----

SiltStatus silt_sweep_draw(const SiltSweep *sweep, const SiltTerrain *terrain, const SiltRecipe *recipe,
                           const char *path);
// All pictures of the folder with their values; a row without one stays white.
SiltStatus silt_sweep_sheet(const SiltSweep *sweep, const char *folder);

#endif
