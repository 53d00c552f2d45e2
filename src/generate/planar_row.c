// Which face of a map cut by lines a cell lies in, cell by cell and row by row.
#include "core/memory.h"
#include "generate/planar.h"

static int64_t value_at(const SiltPlanar *planar, int l, int i, int j)
{
    SiltLine line = planar->lines[l];
    return line.a * silt_lattice_centre(&planar->lattice, i) +
           line.b * silt_lattice_centre(&planar->lattice, j) + line.c;
}

int silt_planar_locate(const SiltPlanar *planar, int i, int j)
{
    uint64_t key = 0;
    for (int l = 0; l < planar->line_count; l++)
        key ^= value_at(planar, l, i, j) > 0 ? silt_line_key(l) : 0;
    return silt_planar_find(planar, key);
}

SiltStatus silt_planar_row_create(const SiltPlanar *planar, SiltPlanarRow *out)
{
    *out = (SiltPlanarRow){0};
    size_t n = (size_t)planar->line_count + 2;
    int **blocks[] = {&out->start, &out->face, &out->order, &out->at};
    SiltStatus status = SILT_OK;
    for (int k = 0; k < 4 && status == SILT_OK; k++)
        status = silt_alloc_for("a row cut by lines", n, sizeof(int), (void **)blocks[k]);
    if (status != SILT_OK) {
        silt_planar_row_destroy(out);
        return status;
    }
    for (int l = 0; l < planar->line_count; l++)
        out->order[l] = l;
    return SILT_OK;
}

void silt_planar_row_destroy(SiltPlanarRow *row)
{
    silt_free(row->start);
    silt_free(row->face);
    silt_free(row->order);
    silt_free(row->at);
    *row = (SiltPlanarRow){0};
}

// Where each line is crossed, and the key of the row's first cell.
static uint64_t cross_row(const SiltPlanar *planar, int j, int *at)
{
    uint64_t key = 0;
    for (int l = 0; l < planar->line_count; l++) {
        int64_t value = value_at(planar, l, 0, j),
                step = planar->lines[l].a * ((int64_t)1 << planar->lattice.shift);
        key ^= value > 0 ? silt_line_key(l) : 0;
        at[l] = planar->lattice.width; // never
        if (step != 0 && (value > 0) == (step < 0)) {
            int64_t cells = (value < 0 ? -value : value) / (step < 0 ? -step : step) + 1;
            at[l] = cells < at[l] ? (int)cells : at[l];
        }
    }
    return key;
}

void silt_planar_row_cut(const SiltPlanar *planar, int j, SiltPlanarRow *row)
{
    uint64_t key = cross_row(planar, j, row->at);
    for (int k = 1; k < planar->line_count; k++) { // nearly sorted from the row before
        int l = row->order[k], m = k;
        for (; m > 0 && row->at[row->order[m - 1]] > row->at[l]; m--)
            row->order[m] = row->order[m - 1];
        row->order[m] = l;
    }
    row->count = 0;
    int begin = 0;
    for (int k = 0; k <= planar->line_count; k++) {
        int end = k < planar->line_count ? row->at[row->order[k]] : planar->lattice.width;
        if (end > begin) {
            row->start[row->count] = begin;
            row->face[row->count++] = silt_planar_find(planar, key);
            begin = end;
        }
        if (end == planar->lattice.width)
            break;
        key ^= silt_line_key(row->order[k]);
    }
    row->start[row->count] = planar->lattice.width;
}
