// Re-initialisation: phi becomes a distance again and the surface stays (Weiss 2016, 3.1.3).
//
// The surface is taken apart into facets, where edges of the grid pass through it (facet.c), and every voxel
// within the band takes its distance to the facet nearest to it (nearest.c): nothing is handed on from voxel
// to voxel, so errors do not grow with the distance, and the order of bricks does not matter. A voxel whose
// phi is right within a thousandth keeps it to the last bit, so that doing it again moves nothing. Who asks
// for it has the sweeps of the text instead (sweep.c), in the same bricks.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/facet.h"
#include "volume/nearest_at.h"
#include "volume/sweep.h"

enum { SPAN = 8, WANTED = -2, LOOK_EVERY = 1 << 12 };
enum { MAX_VOXELS = SILT_MAX_BRICK * SILT_MAX_BRICK * SILT_MAX_BRICK };

// A brick that is done again, or whose facets are needed for one that is.
typedef struct Source {
    uint32_t brick;
    int count;           // of facets
    size_t facet, fixed; // places in the arrays; of `fixed`, in bricks
    bool is_near;        // whether voxels beside the surface are in it
    bool is_done;        // whether it is done again
    bool is_reached;     // in the end: by the band
    uint32_t reach;      // bit n: its facets reach brick n of the 27 around it
    uint32_t reaches;    // the same for uniform bricks and the band itself
} Source;

typedef struct Job {
    SiltVolume *volume;
    bool holds, sweeps;
    const uint8_t *is_asked; // of each brick; NULL: all of them
    int32_t *slot;           // of each brick: its place among the sources, or -1
    Source *sources;
    size_t count, capacity;
    SiltFacet *facets; // these are the volume's, and kept for the next time
    uint32_t *reach;   // of each facet, see silt_facet_reach
    float *fixed;      // of bricks beside the surface
} Job;

static size_t beside(const SiltVolume *volume, size_t brick, int n)
{
    return silt_brick_beside(volume, silt_brick_at(volume, brick), n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
}

// ---- which bricks ----

static SiltStatus add_source(Job *job, size_t brick, bool is_done)
{
    if (job->slot[brick] >= 0)
        return SILT_OK;
    if (job->count == job->capacity) {
        size_t wanted = job->capacity ? 2 * job->capacity : 256;
        SiltStatus status =
            silt_grow("redistance", (void **)&job->sources, job->count, wanted, sizeof *job->sources);
        if (status != SILT_OK)
            return status;
        job->capacity = wanted;
    }
    job->slot[brick] = (int32_t)job->count;
    job->sources[job->count++] = (Source){.brick = (uint32_t)brick, .is_done = is_done};
    return SILT_OK;
}

static bool has_sign(const float *face, int side, int axis, bool inside)
{
    int step[3] = {1, side, side * side}, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
    for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++)
            if ((face[a * u + b * v] > 0.0f) == inside)
                return true;
    return false;
}

// Whether the surface passes between a uniform brick and one that shares a face with it: it must have voxels
// then.
static bool is_torn(const SiltVolume *volume, size_t brick, SiltBrickAt at)
{
    float *const *own = volume->table + brick;
    int side = volume->side, step[3] = {1, side, side * side};
    ptrdiff_t way[3] = {1, volume->bricks[0], (ptrdiff_t)volume->bricks[0] * volume->bricks[1]};
    for (int axis = 0; axis < 3; axis++)
        for (int up = 0; up < 2; up++) {
            if (at.at[axis] == (up ? volume->bricks[axis] - 1 : 0))
                continue;
            const float *next = own[up ? way[axis] : -way[axis]];
            if (next == *own)
                continue;
            if (next == volume->solid || next == volume->empty ||
                has_sign(next + (up ? 0 : (side - 1) * step[axis]), side, axis, *own == volume->empty))
                return true;
        }
    return false;
}

// Bricks to do: all, or those asked for. Uniform ones stay so unless the surface passes at them.
static void choose_bricks(void *context, int begin, int end)
{
    const Job *job = context;
    const SiltVolume *volume = job->volume;
    size_t brick = (size_t)begin * (size_t)volume->bricks[0];
    for (int row = begin; row < end; row++)
        for (int a = 0; a < volume->bricks[0]; a++, brick++) {
            SiltBrickAt at = {{a, row % volume->bricks[1], row / volume->bricks[1]}};
            bool is_wanted = (!job->is_asked || job->is_asked[brick]) &&
                             (!silt_volume_is_uniform(volume, brick) || is_torn(volume, brick, at));
            job->slot[brick] = is_wanted ? WANTED : -1;
        }
}

// On the way: whether to go on.
static SiltStatus still(SiltStatus status)
{
    return status == SILT_OK && silt_is_stopped() ? SILT_CANCELLED : status;
}

static SiltStatus list_region(Job *job)
{
    size_t total = silt_brick_total(job->volume);
    SiltStatus status = SILT_OK;
    silt_parallel(job->volume->bricks[1] * job->volume->bricks[2], 16, choose_bricks, job);
    for (size_t brick = 0; brick < total && status == SILT_OK; brick++) {
        if (job->slot[brick] == WANTED)
            status = add_source(job, brick, true);
        if (brick % LOOK_EVERY == 0)
            status = still(status);
    }
    return status;
}

// The facets of bricks beside those that are done are needed too.
static SiltStatus list_beside(Job *job)
{
    SiltStatus status = SILT_OK;
    for (size_t k = 0, count = job->count; k < count && job->is_asked; k++)
        for (int n = 0; n < 27 && status == SILT_OK; n++) {
            size_t brick = beside(job->volume, job->sources[k].brick, n);
            if (!silt_volume_is_uniform(job->volume, brick))
                status = add_source(job, brick, false);
            if (n == 0 && k % LOOK_EVERY == 0)
                status = still(status);
        }
    return status;
}

static SiltStatus list_first(Job *job)
{
    size_t total = silt_brick_total(job->volume);
    SiltStatus status = silt_alloc_for("redistance", total, sizeof *job->slot, (void **)&job->slot);
    return status == SILT_OK ? list_region(job) : status;
}

static SiltStatus copy_list(const Job *job, size_t first, uint32_t **out)
{
    SiltStatus status = silt_alloc_for("redistance", job->count - first, sizeof **out, (void **)out);
    for (size_t n = first; n < job->count && status == SILT_OK; n++)
        (*out)[n - first] = job->sources[n].brick;
    return status;
}

// Gives the bricks listed from `first` on voxels.
static SiltStatus admit(Job *job, size_t first)
{
    uint32_t *list;
    SiltStatus status = copy_list(job, first, &list);
    if (status != SILT_OK)
        return status;
    status = silt_volume_require_all(job->volume, list, job->count - first);
    silt_free(list);
    return status;
}

// ---- facets ----

static void count_facets(void *context, int begin, int end)
{
    Job *job = context;
    for (int n = begin; n < end; n++) {
        SiltFacetCount found = silt_facet_count(job->volume, job->sources[n].brick);
        job->sources[n].count = found.facets;
        job->sources[n].is_near = found.is_near;
    }
}

// Which uniform bricks around a source have a voxel within the band of one of its facets.
static uint32_t find_reaches(const Job *job, const Source *source)
{
    const SiltVolume *volume = job->volume;
    uint32_t reaches = 0;
    for (int n = 0; n < 27; n++) {
        size_t brick = beside(volume, source->brick, n);
        if (!(source->reach >> n & 1) || !silt_volume_is_uniform(volume, brick))
            continue;
        for (int k = 0; k < source->count && !(reaches >> n & 1); k++) {
            const float *at = job->facets[source->facet + (size_t)k].at;
            reaches |= silt_facet_is_within(at, n, volume->side, volume->band) ? 1u << n : 0;
        }
    }
    return reaches;
}

static void find_facets(void *context, int begin, int end)
{
    Job *job = context;
    size_t voxels = silt_brick_voxels(job->volume);
    for (int n = begin; n < end; n++) {
        Source *source = &job->sources[n];
        if (!source->is_near)
            continue;
        source->count = silt_facet_find(job->volume, source->brick, job->holds, job->facets + source->facet,
                                        job->fixed + source->fixed * voxels);
        silt_facet_reach(job->facets + source->facet, source->count, job->volume->side,
                         job->reach + source->facet);
        for (int k = 0; k < source->count; k++)
            source->reach |= job->reach[source->facet + (size_t)k];
        source->reaches = find_reaches(job, source);
    }
}

static SiltStatus make_facets(Job *job)
{
    size_t facets = 0, near = 0, voxels = silt_brick_voxels(job->volume);
    if (!silt_parallel_heard((int)job->count, SPAN, count_facets, job))
        return SILT_CANCELLED;
    for (size_t n = 0; n < job->count; n++) {
        job->sources[n].facet = facets;
        job->sources[n].fixed = near;
        facets += (size_t)job->sources[n].count;
        near += job->sources[n].is_near;
    }
    void *block;
    SiltStatus status = silt_volume_scratch(
        job->volume, facets * (sizeof *job->facets + sizeof *job->reach) + near * voxels * sizeof *job->fixed,
        &block);
    if (status != SILT_OK || !block) // no surface at all
        return status;
    job->facets = block;
    job->reach = (uint32_t *)(job->facets + facets);
    job->fixed = (float *)(job->reach + facets);
    return silt_parallel_heard((int)job->count, SPAN, find_facets, job) ? SILT_OK : SILT_CANCELLED;
}

// Lists the uniform bricks that the band reaches from those that are done.
static SiltStatus list_reached(Job *job)
{
    SiltStatus status = SILT_OK;
    size_t count = job->count;
    for (size_t k = 0; k < count && status == SILT_OK; k++)
        for (int n = 0; n < 27 && status == SILT_OK; n++) {
            size_t brick = beside(job->volume, job->sources[k].brick, n);
            if ((job->sources[k].reaches >> n & 1) && job->sources[k].is_done)
                status = add_source(job, brick, true);
            if (n == 0 && k % LOOK_EVERY == 0)
                status = still(status);
        }
    return status == SILT_OK ? admit(job, count) : status;
}

// ---- distances ----

// phi with its old sign. Bit 0: the band reaches the brick; bit 1: something changed.
SILT_CLONES static int store_phi(const float *distances, const float *fixed, size_t voxels, float band,
                                 float *phi)
{
    int found = 0;
    for (size_t k = 0; k < voxels; k++) {
        float next = silt_phi_of(phi[k], distances[k], fixed[k], band);
        found |= (fabsf(next) < band) | (next != phi[k]) << 1;
        phi[k] = next;
    }
    return found;
}

static void set_distances(void *context, int begin, int end)
{
    static const float none[MAX_VOXELS];
    Job *job = context;
    SiltVolume *volume = job->volume;
    size_t voxels = silt_brick_voxels(volume);
    float distances[MAX_VOXELS];
    for (int k = begin; k < end; k++) {
        Source *source = &job->sources[k];
        if (!source->is_done)
            continue;
        SiltFacetList lists[27];
        SiltBrickAt at = silt_brick_at(volume, source->brick);
        for (int n = 0; n < 27; n++) {
            int by[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            bool is_there = true;
            for (int axis = 0; axis < 3; axis++)
                is_there &= at.at[axis] + by[axis] >= 0 && at.at[axis] + by[axis] < volume->bricks[axis];
            int32_t slot = job->slot[silt_brick_beside(volume, at, by[0], by[1], by[2])];
            lists[n] = (SiltFacetList){0};
            if (is_there && slot >= 0 && (job->sources[slot].reach >> (26 - n) & 1))
                lists[n] = (SiltFacetList){job->facets + job->sources[slot].facet,
                                           job->reach + job->sources[slot].facet, job->sources[slot].count};
        }
        float *phi = volume->table[source->brick];
        silt_facet_distances(volume, lists, phi, distances);
        const float *fixed = source->is_near ? job->fixed + source->fixed * voxels : none;
        int found = store_phi(distances, fixed, voxels, volume->band, phi);
        source->is_reached = found & 1;
        volume->flags[source->brick] |= found & 2 ? SILT_BRICK_CHANGED : 0;
    }
}

static void release_bricks(Job *job)
{
    SiltVolume *volume = job->volume;
    for (size_t n = 0; n < job->count; n++) {
        const Source *source = &job->sources[n];
        if (source->is_done && !source->is_reached)
            silt_volume_release(volume, source->brick, volume->table[source->brick][0] > 0.0f);
    }
}

static SiltStatus measure_facets(Job *job)
{
    SiltStatus status = list_beside(job);
    if (status == SILT_OK)
        status = make_facets(job);
    if (status == SILT_OK)
        status = list_reached(job);
    if (status == SILT_OK && !silt_parallel_heard((int)job->count, SPAN, set_distances, job))
        status = SILT_CANCELLED;
    return status;
}

// ---- sweeps ----

static void find_swept(void *context, int begin, int end)
{
    Job *job = context;
    for (int n = begin; n < end; n++)
        job->sources[n].reaches = silt_sweep_reaches(job->volume, job->sources[n].brick);
}

static SiltStatus sweep_list(Job *job)
{
    uint32_t *list = NULL;
    bool *is_reached = NULL;
    silt_parallel((int)job->count, SPAN, find_swept, job);
    SiltStatus status = list_reached(job);
    if (status == SILT_OK)
        status = copy_list(job, 0, &list);
    if (status == SILT_OK)
        status = silt_alloc_for("redistance", job->count, sizeof *is_reached, (void **)&is_reached);
    if (status == SILT_OK)
        status = silt_sweep_bricks(job->volume, list, job->count, is_reached);
    for (size_t n = 0; n < job->count && status == SILT_OK; n++)
        job->sources[n].is_reached = is_reached[n];
    silt_free(list);
    silt_free(is_reached);
    return status;
}

static SiltStatus run_job(Job *job)
{
    SiltVolume *volume = job->volume;
    SiltStatus status = list_first(job);
    if (status == SILT_OK)
        status = admit(job, 0);
    if (status == SILT_OK)
        status = job->sweeps ? sweep_list(job) : measure_facets(job);
    if (status == SILT_OK) {
        release_bricks(job);
        for (size_t brick = 0; brick < silt_brick_total(volume); brick++)
            volume->flags[brick] &= (uint8_t)~SILT_BRICK_TOUCHED;
    }
    silt_free(job->slot);
    silt_free(job->sources);
    return status;
}

SiltStatus silt_volume_redistance_of(SiltVolume *volume, const uint8_t *is_asked, unsigned how)
{
    Job job = {.volume = volume,
               .holds = how & SILT_REDISTANCE_HOLD,
               .sweeps = how & SILT_REDISTANCE_SWEEP,
               .is_asked = is_asked};
    return run_job(&job);
}

// Bricks that the band may reach from a touched one.
static void ask_beside_touched(const SiltVolume *volume, uint8_t *is_asked)
{
    size_t total = silt_brick_total(volume);
    for (size_t brick = 0; brick < total; brick++)
        if (volume->flags[brick] & SILT_BRICK_TOUCHED)
            for (int n = 0; n < 27; n++)
                is_asked[beside(volume, brick, n)] = 1;
}

SiltStatus silt_volume_redistance(SiltVolume *volume, unsigned how)
{
    if (how & SILT_REDISTANCE_ALL)
        return silt_volume_redistance_of(volume, NULL, how);
    uint8_t *is_asked;
    SiltStatus status = silt_alloc_for("redistance", silt_brick_total(volume), 1, (void **)&is_asked);
    if (status != SILT_OK)
        return status;
    ask_beside_touched(volume, is_asked);
    status = silt_volume_redistance_of(volume, is_asked, how);
    silt_free(is_asked);
    return status;
}
