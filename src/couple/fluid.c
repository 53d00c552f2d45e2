#include "couple/fluid.h"

#include <math.h>
#include <string.h>

#include "core/status.h"
#include "core/streams.h"
#include "physics/random.h"

enum { TRIES = 16 };

static const double gravity = 9.81;

static SiltStatus find_rain_map(const char *owner, SiltFluid *fluid)
{
    const char *name = fluid->params->rain_map;
    if (!name[0])
        return SILT_OK;
    const SiltTerrain *terrain = fluid->field.terrain;
    fluid->rain_map = silt_terrain_layer(terrain, name);
    if (!fluid->rain_map)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: the terrain has no layer '%s' for rain_map", owner, name);
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            float here = silt_field_at(fluid->rain_map, i, j);
            fluid->rain_most = here > fluid->rain_most && isfinite(here) ? here : fluid->rain_most;
        }
    return SILT_OK;
}

// A box that reaches from sample to sample, and high enough for anything that splashes.
static SiltSphConfig configure(const SiltFluidParams *p, const SiltHeightfield *field)
{
    SiltSphConfig config = silt_sph_defaults();
    const SiltTerrain *terrain = field->terrain;
    double fall = p->fall > terrain->cell ? p->fall : terrain->cell;
    config.spacing = p->spacing > 0.0 ? p->spacing : 0.5 * terrain->cell;
    config.support = p->support;
    config.mass = p->mass;
    config.viscosity = p->viscosity;
    config.artificial = p->artificial;
    config.tension = p->tension;
    config.threshold = p->threshold;
    config.state = p->pressure;
    config.gas = p->gas;
    config.sound = p->sound > 0.0 ? p->sound : 10.0 * sqrt(2.0 * gravity * fall);
    config.density_from = p->density_from;
    config.integrator = p->integrator;
    config.restitution = p->restitution;
    config.life = p->life;
    config.time_step = p->time_step;
    config.capacity = p->particles;
    config.has_planes = true;
    config.low[0] = config.low[1] = 0.5 * terrain->cell;
    config.low[2] = -1e4;
    config.high[0] = (terrain->width - 0.5) * terrain->cell;
    config.high[1] = (terrain->height - 0.5) * terrain->cell;
    config.high[2] = (double)silt_heightfield_top(field) + p->fall + 1e4;
    config.face[0][0] = p->west == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[0][1] = p->east == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[1][0] = p->north == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[1][1] = p->south == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    return config;
}

SiltStatus silt_fluid_begin(const char *owner, const SiltFluidParams *params, SiltTerrain *terrain,
                            const SiltRun *run, double load, SiltField *before, SiltFluid *out)
{
    *out = (SiltFluid){.params = params, .seed = run ? run->seed : 0};
    double spacing = params->spacing > 0.0 ? params->spacing : 0.5 * terrain->cell;
    out->volume =
        params->mass > 0.0 ? params->mass / silt_sph_defaults().density : spacing * spacing * spacing;
    // a full load is 2^23 units: whole numbers of them are exact in float
    double unit = out->volume * (load > 0.0 ? load : 1.0) / 0x1p23;
    SiltStatus status = silt_heightfield_create(owner, terrain, unit, before, &out->field);
    if (status == SILT_OK)
        status = find_rain_map(owner, out);
    if (status != SILT_OK)
        return status;
    SiltSphConfig config = configure(params, &out->field);
    return silt_sph_create(owner, &config, &out->sph);
}

void silt_fluid_end(SiltFluid *fluid)
{
    silt_sph_destroy(fluid->sph);
    silt_heightfield_destroy(&fluid->field);
}

// A place for drop number n: by the rain map, on ground with data, and free.
static bool find_place(const SiltFluid *fluid, int64_t n, float place[3])
{
    const SiltSphConfig *c = &fluid->sph->config;
    for (uint32_t k = 0; k < TRIES; k++) {
        SiltRandom random = silt_random(fluid->seed, SILT_STREAM_DROPS, (uint64_t)n, k);
        place[0] = (float)(c->low[0] + (c->high[0] - c->low[0]) * (double)silt_uniform(random.word[0]));
        place[1] = (float)(c->low[1] + (c->high[1] - c->low[1]) * (double)silt_uniform(random.word[1]));
        if (fluid->rain_map) {
            int i = (int)(place[0] / fluid->field.cell), j = (int)(place[1] / fluid->field.cell);
            i = i < fluid->field.width ? i : fluid->field.width - 1;
            j = j < fluid->field.height ? j : fluid->field.height - 1;
            float here = silt_field_at(fluid->rain_map, i, j);
            if (!(silt_uniform(random.word[2]) * fluid->rain_most < here))
                continue;
        }
        SiltSurface below = silt_heightfield_at(&fluid->field, place[0], place[1]);
        // drops of one moment fall from heights a spacing apart, so that they are not two in one place
        place[2] = below.z + (float)(fluid->params->fall + c->spacing * (double)silt_uniform(random.word[3]));
        if (below.is_there && !silt_sph_is_taken(fluid->sph, place, 0.8 * c->spacing))
            return true;
    }
    return false;
}

void silt_fluid_rain(SiltFluid *fluid, double dt, SiltLedger *ledger)
{
    const SiltSphConfig *c = &fluid->sph->config;
    double area = (c->high[0] - c->low[0]) * (c->high[1] - c->low[1]);
    if (fluid->rain_map && !(fluid->rain_most > 0.0f))
        return;
    fluid->owed += fluid->params->rain / 3.6e6 * area * dt / fluid->volume;
    const float still[3] = {0.0f, 0.0f, 0.0f};
    while (fluid->owed >= 1.0) {
        if (fluid->sph->count >= c->capacity) { // no room: it does not rain now
            fluid->full += (int64_t)fluid->owed;
            fluid->owed -= floor(fluid->owed);
            return;
        }
        float place[3];
        fluid->owed -= 1.0;
        if (find_place(fluid, fluid->drops++, place) && silt_sph_add_drop(fluid->sph, place, still))
            ledger->water.added += fluid->volume;
        else
            fluid->full++;
    }
}

void silt_fluid_sort(SiltFluid *fluid, SiltLedger *ledger)
{
    SiltSph *sph = fluid->sph;
    int before = sph->count;
    double carried = 0.0, held = 0.0;
    for (int k = SILT_SPH_STAYS + 1; k < SILT_SPH_FATES; k++)
        held += sph->gone_sediment[k];
    silt_sph_sort(sph);
    for (int k = SILT_SPH_STAYS + 1; k < SILT_SPH_FATES; k++)
        carried += sph->gone_sediment[k];
    ledger->water.removed += (before - sph->count) * fluid->volume;
    ledger->rock.removed += (carried - held) * fluid->field.unit;
}

double silt_fluid_time_step(const SiltFluid *fluid, double limit)
{
    double dt = silt_sph_time_step(fluid->sph);
    return dt < limit ? dt : limit;
}

static double carried_units(const SiltSph *sph)
{
    double sum = 0.0;
    for (int i = 0; i < sph->count; i++)
        sum += (double)sph->now.sediment[i];
    return sum;
}

void silt_fluid_open_books(const SiltFluid *fluid, SiltLedger *ledger)
{
    ledger->water.initial = fluid->sph->count * fluid->volume;
    ledger->rock.initial = silt_heightfield_rock(&fluid->field);
}

SiltStatus silt_fluid_store(const SiltFluid *fluid, SiltTerrain *terrain, SiltLedger *ledger)
{
    const SiltSph *sph = fluid->sph;
    SiltStatus status = silt_heightfield_store(&fluid->field, sph, fluid->volume, sph->time, terrain);
    if (status != SILT_OK)
        return status;
    ledger->water.stored = sph->count * fluid->volume;
    ledger->water.moved = ledger->water.added;
    ledger->rock.stored = silt_heightfield_rock(&fluid->field) + carried_units(sph) * fluid->field.unit;
    ledger->rock.moved = silt_heightfield_wear(&fluid->field);
    return SILT_OK;
}

void silt_fluid_particles(const SiltFluid *fluid, SiltParticles *out)
{
    const SiltSphArrays *a = &fluid->sph->now;
    const SiltTerrain *terrain = fluid->field.terrain;
    *out = (SiltParticles){.count = fluid->sph->count,
                           .x = a->x,
                           .y = a->y,
                           .z = a->z,
                           .u = a->u,
                           .v = a->v,
                           .w = a->w,
                           .density = a->density,
                           .sediment = a->sediment,
                           .id = a->id,
                           .low = fluid->field.low,
                           .load = fluid->field.unit / fluid->volume,
                           .west = 0.5 * terrain->cell,
                           .south = (terrain->height - 0.5) * terrain->cell,
                           .spacing = fluid->sph->config.spacing};
}
