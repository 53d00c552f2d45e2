// The list of generators.
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "silt/device.h"
#include "silt/generate.h"

extern const SiltGenerator silt_generator_noise, silt_generator_diamond_square, silt_generator_fault,
    silt_generator_plane, silt_generator_crooked, silt_generator_steps, silt_generator_wall,
    silt_generator_basin, silt_generator_pyramid, silt_generator_cone, silt_generator_hemisphere,
    silt_generator_two_hills, silt_generator_mountain, silt_generator_volcano, silt_generator_channel,
    silt_generator_meander, silt_generator_ditch, silt_generator_dam_break, silt_generator_bowl,
    silt_generator_letters, silt_generator_rmp, silt_generator_range, silt_generator_plates,
    silt_generator_rock, silt_generator_ranges, silt_generator_stratovolcano;

static const SiltGenerator *const generators[] = {
    &silt_generator_noise,    &silt_generator_diamond_square, &silt_generator_fault,
    &silt_generator_rmp,      &silt_generator_range,          &silt_generator_plates,
    &silt_generator_plane,    &silt_generator_crooked,        &silt_generator_steps,
    &silt_generator_wall,     &silt_generator_basin,          &silt_generator_pyramid,
    &silt_generator_cone,     &silt_generator_hemisphere,     &silt_generator_two_hills,
    &silt_generator_mountain, &silt_generator_volcano,        &silt_generator_channel,
    &silt_generator_meander,  &silt_generator_ditch,          &silt_generator_dam_break,
    &silt_generator_bowl,     &silt_generator_letters,        &silt_generator_rock,
    &silt_generator_ranges,   &silt_generator_stratovolcano,
};
enum { GENERATOR_COUNT = sizeof generators / sizeof generators[0] };

int silt_generator_count(void)
{
    return GENERATOR_COUNT;
}

const SiltGenerator *silt_generator_at(int index)
{
    return generators[index];
}

static const char *name_at(const void *context, int index)
{
    (void)context;
    return generators[index]->name;
}

const SiltGenerator *silt_generator_find(const char *name)
{
    for (int k = 0; k < GENERATOR_COUNT; k++)
        if (strcmp(generators[k]->name, name) == 0)
            return generators[k];
    char hint[80];
    silt_suggestion(silt_nearest_name(name, name_at, NULL, GENERATOR_COUNT), hint, sizeof hint);
    silt_fail(SILT_BAD_ARGUMENT, "there is no generator '%.60s'%s", name,
              hint[0] ? hint : "; 'silt list' shows them all");
    return NULL;
}

// Refuses what no map can be, and what memory cannot hold, before it is asked for.
static SiltStatus check_size(const char *name, int width, int height, double cell)
{
    if (width < 1 || height < 1 || width > SILT_MAX_SIDE || height > SILT_MAX_SIDE)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a map of %d x %d cells: each side takes 1 to %d", name,
                         width, height, SILT_MAX_SIDE);
    if (!(cell >= 1e-6 && cell <= 1e6))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: a cell of %g m: its size takes 1e-6 to 1e6", name, cell);
    uint64_t bytes = silt_field_bytes(width, height), available = silt_memory_available();
    if (bytes > available)
        return silt_fail(SILT_NO_MEMORY, "%s: %d x %d cells need %.1f GiB, and %.1f GiB are free", name,
                         width, height, (double)bytes / 1073741824.0, (double)available / 1073741824.0);
    return SILT_OK;
}

// A generator that knows no device takes the processor only where it may.
static SiltStatus check_device(const SiltGenerator *generator, const SiltRun *run)
{
    if (!run || !run->device || generator->on_device)
        return SILT_OK;
    if (!run->device_or_cpu)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "new %s: it works on the processor alone; the device 'auto' would let it",
                         generator->name);
    silt_warn("new %s: it works on the processor, not on %s", generator->name,
              silt_device_of(run->device)->name);
    return SILT_OK;
}

SiltStatus silt_generate(const SiltGenerator *generator, int width, int height, double cell,
                         const void *params, const SiltRun *run, SiltTerrain **out)
{
    *out = NULL;
    SiltTerrain *terrain = NULL;
    void *defaults = NULL;
    SiltCrew before = silt_crew_begin(run);
    SiltWarnings warnings = silt_warnings_begin(run);
    SiltStatus status = check_size(generator->name, width, height, cell);
    if (status == SILT_OK)
        status = check_device(generator, run);
    if (status == SILT_OK)
        status = silt_terrain_create(width, height, cell, &terrain);
    if (status == SILT_OK && !params) {
        status = silt_alloc_for("parameters", 1, generator->params.size, &defaults);
        if (status == SILT_OK)
            status = silt_params_init(&generator->params, defaults);
        params = defaults;
    }
    if (status == SILT_OK)
        status = silt_params_check(&generator->params, params, generator->name);
    if (status == SILT_OK)
        status = generator->run(terrain, params, run);
    silt_crew_end(before);
    silt_warnings_end(warnings);
    if (defaults)
        silt_params_free(&generator->params, defaults);
    silt_free(defaults);
    if (status != SILT_OK) {
        silt_terrain_destroy(terrain);
        return status;
    }
    *out = terrain;
    return SILT_OK;
}
