// Bands of rows: what each thread of the pipe model works on, with copies of the rows around it.
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "erode/pipes.h"

static void lay_out_band(Pipes *p, PipesBand *band, char *block)
{
    size_t halo_bytes = 2 * HALO * p->ground.stride * sizeof(float);
    for (int f = 0; f < FIELDS; f++) {
        if (!p->fields[f] || f == FLOW || f == WETNESS)
            continue;
        band->halo[f] = block;
        block += halo_bytes;
    }
    silt_pipes_rows_place(&band->rows, p->terrain->width, p->directions, block);
}

SiltStatus silt_pipes_bands_create(Pipes *p)
{
    int height = p->terrain->height, threads = silt_threads();
    int rows = (height - 1) / (4 * threads) + 1;
    rows = rows < 32 ? 32 : rows;
    p->band_count = (height - 1) / rows + 1;
    size_t halo_bytes = (size_t)FIELDS * 2 * HALO * p->ground.stride * sizeof(float);
    size_t band_bytes = halo_bytes + silt_pipes_rows_bytes(p->terrain->width, p->directions);
    SiltStatus status = silt_alloc_for("pipes", (size_t)p->band_count, sizeof(PipesBand), (void **)&p->bands);
    if (status == SILT_OK)
        status = silt_alloc_for("pipes", (size_t)p->band_count, band_bytes, &p->workspace);
    if (status != SILT_OK)
        return status;
    for (int b = 0; b < p->band_count; b++) {
        p->bands[b].begin = b * rows;
        p->bands[b].end = (b + 1) * rows < height ? (b + 1) * rows : height;
        lay_out_band(p, &p->bands[b], (char *)p->workspace + (size_t)b * band_bytes);
    }
    return SILT_OK;
}

void silt_pipes_bands_destroy(Pipes *p)
{
    silt_free(p->bands);
    silt_free(p->workspace);
}

static void copy_halo(const Pipes *p, const PipesBand *band, int field, int j)
{
    if (j < 0 || j >= p->terrain->height)
        return;
    memcpy(silt_pipes_row(p, band, field, j), silt_field_row(p->fields[field], j),
           (size_t)p->terrain->width * sizeof(float));
}

static void copy_halos(void *context, int begin, int end)
{
    const Pipes *p = context;
    for (int b = begin; b < end; b++)
        for (int f = 0; f < FIELDS; f++)
            for (int k = 1; p->bands[b].halo[f] && k <= HALO; k++) {
                copy_halo(p, &p->bands[b], f, p->bands[b].begin - k);
                copy_halo(p, &p->bands[b], f, p->bands[b].end - 1 + k);
            }
}

static void run_bands(void *context, int begin, int end)
{
    Pipes *p = context;
    for (int b = begin; b < end; b++)
        silt_pipes_pass(p, &p->bands[b]);
}

PipesTally silt_pipes_bands_step(Pipes *p)
{
    silt_parallel(p->band_count, 1, copy_halos, p);
    silt_parallel(p->band_count, 1, run_bands, p);
    PipesTally all = {0};
    for (int b = 0; b < p->band_count; b++) {
        const PipesTally *tally = &p->bands[b].tally;
        all.added += tally->added;
        all.evaporated += tally->evaporated;
        all.left += tally->left;
        all.sediment_added += tally->sediment_added;
        all.sediment_left += tally->sediment_left;
        all.swift += tally->swift;
        all.limited += tally->limited;
        all.deepest = silt_maxi(all.deepest, tally->deepest);
        all.swiftest = silt_maxi(all.swiftest, tally->swiftest);
    }
    return all;
}
