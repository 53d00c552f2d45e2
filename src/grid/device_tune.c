// How many rows a tile has: the first steps of a run find what suits the device. It makes no difference to
// what they give.
#include <stdlib.h>

#include "core/parallel.h"
#include "grid/device_own.h"
#include "silt/parallel.h"

int silt_device_tunes = -1;

// Groups that each unit of the device gets in a step. Where as many of them are at work at a time as it has
// room for, or a few times as many, no unit waits for the others at the end; long tiles work on few rows that
// are not their own. How many groups a unit has room for no driver says.
static const int groups_a_unit[] = {16, 5, 8, 9, 10, 12, 20};
enum { CHOICES = sizeof groups_a_unit / sizeof groups_a_unit[0], LOOKS = 2 };

// A group goes down its rows alone. Short tiles, of which a device has several under way at a time, do not
// wait for the last of them, but few rows are their own.
static int rows_of(const SiltDeviceGrid *grid, int pass, int choice)
{
    enum { LEAST_ROWS = 24 };
    int own = grid->plan.passes[pass].own;
    int height = grid->shape.height, strips = (grid->shape.width + own - 1) / own;
    int bands = groups_a_unit[choice] * silt_device_of(grid->device)->units / strips;
    int rows = bands > 1 ? (height + bands - 1) / bands : height;
    return rows > LEAST_ROWS ? rows : LEAST_ROWS;
}

bool silt_device_grid_cut(SiltDeviceGrid *grid)
{
    const char *asked = getenv("SILT_DEVICE_ROWS"); // for who measures: docs/gpu.md
    int height = grid->shape.height;
    bool changed = false;
    grid->shape.groups = 0;
    for (int k = 0; k < grid->plan.count; k++) {
        int own = grid->plan.passes[k].own, strips = (grid->shape.width + own - 1) / own;
        int rows = silt_device_tile_rows > 0  ? silt_device_tile_rows
                   : asked && atoi(asked) > 0 ? atoi(asked)
                                              : rows_of(grid, k, grid->tuning.choices[k]);
        rows = rows < height ? rows : height;
        int count = (height + rows - 1) / rows, groups = strips * count;
        changed = changed || groups != grid->cut[k].groups;
        grid->cut[k].rows = rows;
        grid->cut[k].count = count;
        grid->cut[k].groups = groups;
        grid->shape.groups = groups > grid->shape.groups ? groups : grid->shape.groups;
    }
    return changed;
}

void silt_device_tuning_start(SiltDeviceGrid *grid)
{
    const char *asked = getenv("SILT_DEVICE_TUNES"); // for who measures: docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_tunes;
    grid->tuning = (SiltTuning){.runs = grid->tiled && grid->slot_count > 0 && !getenv("SILT_DEVICE_ROWS") &&
                                        silt_device_tile_rows == 0 &&
                                        (wanted < 0 ? silt_device_of(grid->device)->is_gpu : wanted > 0)};
}

void silt_device_tuning_begin(SiltDeviceGrid *grid)
{
    grid->tuning.made = grid->made_programs;
    grid->tuning.began = silt_wall_clock();
}

// The next number of rows that is another than those before; after the last the best of them, and the turn of
// the next pass.
static void choose_next(SiltDeviceGrid *grid)
{
    SiltTuning *tuning = &grid->tuning;
    int *choice = &tuning->choices[tuning->pass];
    bool known = true;
    while (known && ++*choice < CHOICES) {
        known = false;
        for (int k = 0; k < *choice; k++)
            known = known || rows_of(grid, tuning->pass, k) == rows_of(grid, tuning->pass, *choice);
    }
    tuning->looks = 0;
    if (*choice >= CHOICES) {
        *choice = tuning->best;
        tuning->best = 0;
        tuning->runs = ++tuning->pass < grid->plan.count;
    }
    silt_device_grid_reshape(grid);
}

// A pass that made programs says nothing of how long its steps take.
void silt_device_tuning_end(SiltDeviceGrid *grid, int steps)
{
    SiltTuning *tuning = &grid->tuning;
    if (!tuning->runs || tuning->made != grid->made_programs)
        return;
    double seconds = (silt_wall_clock() - tuning->began) / steps;
    tuning->least = tuning->looks == 0 || seconds < tuning->least ? seconds : tuning->least;
    if (++tuning->looks < LOOKS)
        return;
    if (tuning->choices[tuning->pass] == 0 || tuning->least < tuning->shortest) {
        tuning->shortest = tuning->least;
        tuning->best = tuning->choices[tuning->pass];
    }
    choose_next(grid);
}
