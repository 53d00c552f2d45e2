// silt/sweep.h — a recipe run with every combination of some values: a row of a table each, a contact sheet,
// plots.
//
//     SiltSweep *sweep;
//     const char *defines[] = {"K=1e-5,2e-5,4e-5", "U=1e-4:1e-3:log5", "size=256"};
//     silt_sweep_open("steady.yaml", defines, 3, false, &sweep);
//     silt_sweep_run(sweep, &(SiltSweepOptions){.folder = "sweep"});
//     silt_sweep_destroy(sweep);
#ifndef SILT_SWEEP_H
#define SILT_SWEEP_H

#include "silt/recipe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltSweep SiltSweep;

// `defines` are as silt_recipe_read takes them, where a value may also be a list ("1,2,4") or a range in so
// many steps, even ("0:1:5", "0:1:lin5") or by equal factors ("1e-4:1e-3:log5"); commas in brackets do not
// part a list. Both ends of a range may have a unit ("0.2mm/year:1mm/year:3"): its values are in that of the
// upper one. Later ones replace earlier ones of the same name. Each combination is read and checked here.
// `trusted`: files may lie anywhere (silt_recipe_confine). What is wrong with outputs is refused by a run
// that writes them.
SILT_API SiltStatus silt_sweep_open(const char *path, const char *const *defines, int count, bool trusted,
                                    SiltSweep **out);
SILT_API void silt_sweep_destroy(SiltSweep *sweep);

// What its rows read, the recipe too, and what lies beside that. Nothing of it is written over or removed: a
// run refuses a folder where it would be.
SILT_API int silt_sweep_input_count(const SiltSweep *sweep);
SILT_API const char *silt_sweep_input_at(const SiltSweep *sweep, int index);

SILT_API int silt_sweep_count(const SiltSweep *sweep); // of combinations; the last name changes fastest
// The names that take several values, and what they are in a combination.
SILT_API int silt_sweep_axis_count(const SiltSweep *sweep);
SILT_API const char *silt_sweep_axis_name(const SiltSweep *sweep, int axis);
SILT_API const char *silt_sweep_value(const SiltSweep *sweep, int axis, int row);

typedef struct SiltSweepOptions {
    const char *folder; // sweep.csv, pictures/0001.png and sheet.png go there
    bool outputs;       // those of the recipe too, below FOLDER/0001 and so on
    int threads;        // 0: as many as silt_threads() says; runs share them
    void *user;
    // A row is there: kept from an earlier run, made now, or, with a message, failed. One call at a time.
    void (*row)(void *user, int row, bool kept, const char *failure);
    bool (*stop)(void *user); // true: no further row begins
} SiltSweepOptions;

// Rows that the folder's sweep.csv has, made by the same stages from the same files, are kept, with their
// numbers (the column "run", by which pictures and folders are called); each new one has a free number and is
// on the disk as soon as it is made. Kept rows of values that are not asked for stand behind the others; one
// that today's recipe or files would no longer make goes, with a warning, and the table before is in
// sweep.old.csv. One sweep at a time in a folder. A row that fails does not keep the others from being made:
// the first failure is told in the end. SILT_CANCELLED where stop said so.
SILT_API SiltStatus silt_sweep_run(SiltSweep *sweep, const SiltSweepOptions *options);

// How many rows there are, and the table as it is written: one line of names, one a row.
SILT_API int silt_sweep_done(const SiltSweep *sweep);
SILT_API int silt_sweep_others(const SiltSweep *sweep); // rows of values that are not asked for, besides
SILT_API char *silt_sweep_csv(const SiltSweep *sweep);  // the caller frees it

// One column against another as SVG, a line for each value of the axis that is neither.
SILT_API SiltStatus silt_sweep_plot(const SiltSweep *sweep, const char *x, const char *y, const char *path);
// Whether there is such a column; fails, naming the nearest, when not.
SILT_API SiltStatus silt_sweep_check_column(const SiltSweep *sweep, const char *name);

#ifdef __cplusplus
}
#endif
#endif
