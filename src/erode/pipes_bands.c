// Bands of rows: what each thread of the pipe model works on, with copies of the rows around it.
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "erode/pipes.h"

enum { DEEP = STEPS * HALO, SHORT_BAND = 32, LONG_BAND = 256 };

static char *lay_out_halo(const Pipes *p, PipesBand *band, char *block)
{
    size_t halo_bytes = 2 * DEEP * p->ground.stride * sizeof(float);
    for (int f = 0; f < FIELDS; f++) {
        if (!p->fields[f] || f == FLOW || f == WETNESS)
            continue;
        band->halo[f] = block;
        block += halo_bytes;
    }
    return block;
}

static void lay_out_band(const Pipes *p, PipesBand *steps, char *block)
{
    bool traced = p->params->transport == SILT_PIPES_SEMI_LAGRANGIAN;
    block = lay_out_halo(p, &steps[0], block);
    for (int n = 0; n < STEPS; n++) {
        memcpy(steps[n].halo, steps[0].halo, sizeof steps[n].halo);
        silt_pipes_rows_place(&steps[n].rows, p->terrain->width, p->directions, traced, block);
        block += silt_pipes_rows_bytes(p->terrain->width, p->directions);
    }
}

SiltStatus silt_pipes_bands_create(Pipes *p)
{
    int height = p->terrain->height, threads = silt_threads();
    // some for each thread, so that none waits long for the last; but long ones, as each works on rows around
    // it
    int fair = (height - 1) / (2 * threads) + 1, most = (height - 1) / threads + 1;
    int rows = silt_maxi(silt_maxi(fair, silt_mini(most, LONG_BAND)), SHORT_BAND);
    p->band_count = (height - 1) / rows + 1;
    size_t halo_bytes = (size_t)FIELDS * 2 * DEEP * p->ground.stride * sizeof(float);
    size_t band_bytes = halo_bytes + STEPS * silt_pipes_rows_bytes(p->terrain->width, p->directions);
    size_t count = (size_t)p->band_count * STEPS;
    SiltStatus status = silt_alloc_for("pipes", count, sizeof(PipesBand), (void **)&p->bands);
    if (status == SILT_OK)
        status = silt_alloc_for("pipes", (size_t)p->band_count, band_bytes, &p->workspace);
    if (status != SILT_OK)
        return status;
    for (int b = 0; b < p->band_count; b++) {
        PipesBand *steps = &p->bands[b * STEPS];
        for (int n = 0; n < STEPS; n++) {
            steps[n].begin = b * rows;
            steps[n].end = (b + 1) * rows < height ? (b + 1) * rows : height;
        }
        lay_out_band(p, steps, (char *)p->workspace + (size_t)b * band_bytes);
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

typedef struct BandJob {
    const Pipes *pipes, *next; // the first step and the second, if there is one
    int deep;                  // rows of halo
} BandJob;

static void copy_halos(void *context, int begin, int end)
{
    const BandJob *job = context;
    const Pipes *p = job->pipes;
    for (int b = begin; b < end; b++) {
        const PipesBand *band = &p->bands[b * STEPS];
        for (int f = 0; f < FIELDS; f++)
            for (int k = 1; band->halo[f] && k <= job->deep; k++) {
                copy_halo(p, band, f, band->begin - k);
                copy_halo(p, band, f, band->end - 1 + k);
            }
    }
}

static void run_bands(void *context, int begin, int end)
{
    const BandJob *job = context;
    for (int b = begin; b < end; b++) {
        PipesBand *first = &job->pipes->bands[b * STEPS], *second = first + 1;
        int beyond = job->next ? HALO : 0;
        first->first = first->begin - beyond;
        first->last = first->end + beyond;
        second->first = second->begin;
        second->last = second->end;
        second->tally = (PipesTally){0};
        if (job->next)
            silt_pipes_pass_twice(job->pipes, first, job->next, second);
        else
            silt_pipes_pass(job->pipes, first);
    }
}

static void add_tally(PipesTally *all, const PipesTally *tally)
{
    all->added += tally->added;
    all->evaporated += tally->evaporated;
    all->left += tally->left;
    all->sediment_added += tally->sediment_added;
    all->sediment_left += tally->sediment_left;
    all->swift += tally->swift;
    all->limited += tally->limited;
}

PipesTally silt_pipes_bands_step(Pipes *p, Pipes *next)
{
    BandJob job = {p, next, next ? DEEP : HALO};
    silt_parallel(p->band_count, 1, copy_halos, &job);
    silt_parallel(p->band_count, 1, run_bands, &job);
    PipesTally all = {0};
    for (int b = 0; b < p->band_count; b++) {
        const PipesBand *steps = &p->bands[b * STEPS], *last = next ? &steps[1] : &steps[0];
        for (int n = 0; n < STEPS; n++)
            add_tally(&all, &steps[n].tally);
        all.deepest = silt_maxi(all.deepest, last->tally.deepest);
        all.swiftest = silt_maxi(all.swiftest, last->tally.swiftest);
    }
    return all;
}
