// What the laws of particle water on devices share: every device there is, runs by text, hashes of what a run
// shows.
#ifndef SILT_PARTICLE_RUNS_H
#define SILT_PARTICLE_RUNS_H

#include "erode_help.h"

#include "all_devices.h"
#include "silt/particles.h"
#include "silt/volume.h"
#include "terrains.h"

typedef struct Kind {
    const char *model, *settings;
    int steps;
} Kind;

static inline uint64_t mix_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t k = 0; k < bytes; k++)
        hash = (hash ^ byte[k]) * 0x100000001B3u;
    return hash;
}

static inline uint64_t particles_hash(SiltErosion *erosion)
{
    SiltParticles p;
    assert_ok(silt_erosion_particles(erosion, &p));
    const float *const all[] = {p.x, p.y, p.z, p.u, p.v, p.w, p.density, p.sediment};
    uint64_t hash = (uint64_t)p.count;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        hash = mix_bytes(hash, all[k], (size_t)p.count * sizeof(float));
    return mix_bytes(hash, p.id, (size_t)p.count * sizeof *p.id);
}

static inline SiltErosion *begin_run(SiltTerrain *terrain, Kind kind, const char *more, SiltDevice *device,
                                     int threads)
{
    const SiltModel *model = silt_model_find(kind.model);
    void *params = silt_params_new(silt_model_params(model));
    char text[512];
    snprintf(text, sizeof text, "%s %s", kind.settings, more);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_ok(silt_params_assign(silt_model_params(model), params, kind.model, word));
    SiltRun run = {.seed = 5, .device = device, .threads = threads};
    SiltErosion *erosion;
    assert_ok(silt_erosion_begin(model, terrain, params, &run, &erosion));
    silt_params_delete(silt_model_params(model), params);
    return erosion;
}

static inline uint64_t view_hash(SiltErosion *erosion, const char *layer)
{
    SiltLayerView view;
    assert_ok(silt_erosion_view(erosion, layer, &(SiltRect){3, 4, 17, 9}, &view));
    uint64_t hash = 1;
    for (int j = 0; j < view.height; j++)
        hash = mix_bytes(hash, view.data + (size_t)j * view.stride, (size_t)view.width * sizeof(float));
    return hash;
}

static inline uint64_t look_at_all(SiltErosion *erosion)
{
    static const char *const layers[] = {"water", "speed",      "sediment", "height", "deposit",
                                         "wear",  "deposition", "flow",     "wetness"};
    uint64_t hash = 7;
    for (size_t k = 0; k < sizeof layers / sizeof layers[0]; k++)
        hash = hash * 31 + view_hash(erosion, layers[k]);
    return hash * 31 + particles_hash(erosion);
}

static inline uint64_t finish_run(SiltErosion *erosion, SiltTerrain *terrain)
{
    uint64_t hash = particles_hash(erosion);
    assert_ok(silt_erosion_finish(erosion));
    const SiltReport *report = silt_erosion_report(erosion);
    hash = mix_bytes(hash * 31 + layers_hash(terrain), &report->ledger, sizeof report->ledger);
    hash = mix_bytes(hash, report->counters.limited, sizeof report->counters.limited);
    if (silt_terrain_volume(terrain))
        hash = hash * 31 + silt_volume_hash(silt_terrain_volume(terrain));
    silt_erosion_end(erosion);
    silt_terrain_destroy(terrain);
    return hash;
}

// Ends two runs that went different ways to the same place: both take some steps more and must then be alike.
// Returns what the first showed on the way and in the end.
static inline uint64_t hash_of_both(uint64_t hash, SiltErosion *run, SiltTerrain *terrain, SiltErosion *next,
                                    SiltTerrain *other)
{
    void *block;
    size_t bytes;
    assert_ok(silt_erosion_save(run, &block, &bytes));
    assert_ok(silt_erosion_advance(next, (SiltDuration){.steps = 5}));
    assert_ok(silt_erosion_restore(next, block, bytes));
    silt_free(block);
    assert_ok(silt_erosion_advance(run, (SiltDuration){.steps = 9}));
    assert_ok(silt_erosion_advance(next, (SiltDuration){.steps = 9}));
    hash = hash * 31 + look_at_all(run);
    uint64_t one = finish_run(run, terrain), two = finish_run(next, other);
    assert_true(one == two);
    return hash * 31 + one;
}

#endif
