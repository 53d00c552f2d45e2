#include "generate/massif.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "physics/random.h"

enum { SHARE = 1 << 12 }; // units of the tally that one iteration raises

typedef struct Job {
    const SiltMassif *massif;
    SiltLattice lattice;
    SiltTally tally;
    SiltCrestLine crest;
    SiltResistance resistance;
    double cell;
    uint64_t seed;
    int peak[2];
    int status; // of the first iteration that failed
} Job;

static int cell_at(double fraction, int cells)
{
    int k = (int)(fraction * cells);
    return k < cells ? k : cells - 1;
}

// Iterations share the reaches from 0 to the spread among themselves.
static double reach_of(const Job *job, uint32_t iteration)
{
    const SiltMassif *m = job->massif;
    SiltRandom random = silt_random(job->seed, m->stream, (uint64_t)1 << 40, iteration);
    double q = ((double)iteration + (double)silt_uniform(random.word[0])) / (double)m->iterations;
    return m->spread / job->cell * silt_uplift_reach(q, m->sharpness);
}

static void iterate(void *context, int begin, int end)
{
    Job *job = context;
    const SiltMassif *m = job->massif;
    for (int k = begin; k < end && __atomic_load_n(&job->status, __ATOMIC_RELAXED) == SILT_OK; k++) {
        SiltUplift uplift = {.polygons = m->polygons,
                             .count = m->complexity,
                             .seed = job->seed,
                             .stream = m->stream,
                             .draw = (uint32_t)k,
                             .reach = reach_of(job, (uint32_t)k),
                             .amount = SHARE,
                             .variation = m->variation,
                             .resistance = &job->resistance};
        SiltStatus status = silt_uplift(&job->lattice, &uplift, &job->crest, &job->tally, NULL);
        if (status != SILT_OK)
            __atomic_store_n(&job->status, (int)status, __ATOMIC_RELAXED);
    }
}

static SiltStatus finish(Job *job, SiltTerrain *terrain)
{
    const SiltMassif *m = job->massif;
    silt_tally_settle(&job->tally, &job->tally);
    SiltStatus status =
        silt_tally_smooth(&job->tally, m->smooth / job->cell, m->keep_peak ? job->peak : NULL);
    // where every iteration raised the ground, it has the height asked for to the last bit
    silt_tally_write(&job->tally, m->height, (double)SHARE * m->iterations,
                     silt_terrain_layer(terrain, "height"));
    return status;
}

SiltStatus silt_massif_raise(SiltTerrain *terrain, const SiltMassif *m, const SiltRun *run)
{
    int width = terrain->width, height = terrain->height;
    void *block;
    SiltStatus status = silt_alloc_for(m->name, 1, sizeof(Job), &block);
    if (status != SILT_OK)
        return status;
    Job *job = block;
    *job = (Job){.massif = m,
                 .lattice = silt_lattice(width, height),
                 .cell = terrain->cell,
                 .seed = run ? run->seed : 0,
                 .peak = {cell_at(m->from[0], width), cell_at(m->from[1], height)},
                 .status = SILT_OK};
    silt_resistance_init(&job->resistance, m->ridges, 0.3 * m->spread / terrain->cell, job->seed, m->stream);
    silt_crest_init(&job->crest, m->from[0] * width, m->from[1] * height, m->to[0] * width, m->to[1] * height,
                    m->wander, job->seed, m->stream, 0);
    status = silt_tally_create(width, height, &job->tally);
    if (status == SILT_OK)
        status = silt_parallel_run(run, m->name, m->iterations, 1, iterate, job);
    if (status == SILT_OK && job->status != SILT_OK) // the message stayed with the thread that failed
        status = silt_fail((SiltStatus)job->status, "%s: no memory for %d polygons; ask for fewer", m->name,
                           m->complexity);
    if (status == SILT_OK)
        status = finish(job, terrain);
    silt_tally_destroy(&job->tally);
    silt_free(job);
    return status;
}
