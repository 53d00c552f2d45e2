#include "couple/fluid.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "core/status.h"
#include "core/streams.h"
#include "couple/device_fluid.h"
#include "physics/random.h"
#include "terrain/terrain.h"

static const double gravity = 9.81;

SiltStatus silt_fluid_layer(const char *owner, const SiltTerrain *terrain, const char *param,
                            const char *name, const SiltField **out)
{
    return silt_terrain_find_layer(terrain, name, param, param, owner, out);
}

SiltStatus silt_fluid_rain_map(const SiltFluid *fluid, const SiltField **out, float *most)
{
    const char *name = fluid->params->rain_map;
    const SiltTerrain *terrain = fluid->field.terrain;
    *most = 0.0f;
    SiltStatus status = silt_terrain_find_layer(terrain, name, "rain_map", NULL, fluid->owner, out);
    if (status != SILT_OK)
        return status;
    for (int j = 0; *out && j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++) {
            float here = silt_field_at(*out, i, j);
            *most = here > *most && isfinite(here) ? here : *most;
        }
    return SILT_OK;
}

static double fall_of(const SiltFluidParams *p, const SiltTerrain *terrain)
{
    return isnan(p->fall) ? terrain->cell : p->fall;
}

// A box that reaches from sample to sample, and high enough for anything that splashes.
SiltSphConfig silt_fluid_configure(const SiltFluidParams *p, const SiltHeightfield *field)
{
    SiltSphConfig config = silt_sph_defaults();
    const SiltTerrain *terrain = field->terrain;
    double fall = fmax(fall_of(p, terrain), terrain->cell);
    config.spacing = p->spacing > 0.0 ? p->spacing : 0.5 * terrain->cell;
    config.support = p->support;
    config.mass = p->mass;
    config.viscosity = p->viscosity;
    config.artificial = p->artificial;
    config.tension = p->tension;
    config.surface = p->surface;
    config.threshold = p->threshold;
    config.state = p->pressure;
    config.pulls = p->pulls;
    config.is_bare = !p->images;
    config.means = p->pair == SILT_FLUID_MEAN;
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
    config.low[2] = -SILT_FLUID_ROOM;
    config.high[0] = (terrain->width - 0.5) * terrain->cell;
    config.high[1] = (terrain->height - 0.5) * terrain->cell;
    config.high[2] = (double)silt_heightfield_top(field) + fall_of(p, terrain) + SILT_FLUID_ROOM;
    config.face[0][0] = p->west == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[0][1] = p->east == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[1][0] = p->north == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    config.face[1][1] = p->south == SILT_FLUID_CLOSED ? SILT_SPH_WALL : SILT_SPH_OPEN;
    return config;
}

// Numbers that a run takes as they are, though it will not behave.
static void warn_of_numbers(const char *owner, const SiltFluidParams *p, const SiltSph *sph)
{
    const SiltSphConfig *c = &sph->config;
    if (c->support < 1.001 * c->spacing)
        silt_warn("%s: a support of %g m does not reach beyond the spacing of %g m: particles at rest do not "
                  "feel each other; two spacings are usual",
                  owner, c->support, c->spacing);
    double stable = silt_sph_stable_step(sph);
    if (p->time_step > 2.0 * stable)
        silt_warn("%s: time_step = %g s is far above the %.2g s at which water at rest is stable; 0 takes "
                  "what fits",
                  owner, p->time_step, stable);
}

SiltStatus silt_fluid_begin(const char *owner, const SiltFluidParams *params, SiltTerrain *terrain,
                            const SiltRun *run, double load, SiltField *before, SiltFluid *out)
{
    *out = (SiltFluid){.params = params, .seed = run ? run->seed : 0, .owner = owner};
    double spacing = params->spacing > 0.0 ? params->spacing : 0.5 * terrain->cell;
    out->volume =
        params->mass > 0.0 ? params->mass / silt_sph_defaults().density : spacing * spacing * spacing;
    // a full load is 2^23 units: whole numbers of them are exact in float
    double unit = out->volume * (load > 0.0 ? load : 1.0) / 0x1p23;
    SiltStatus status = silt_heightfield_create(owner, terrain, unit, before, &out->field);
    if (status == SILT_OK)
        status = silt_fluid_rain_map(out, &out->rain_map, &out->rain_most);
    if (status == SILT_OK && silt_is_stopped())
        status = SILT_CANCELLED;
    if (status != SILT_OK)
        return status;
    out->area = silt_heightfield_area(&out->field);
    if (silt_is_stopped())
        return SILT_CANCELLED;
    SiltSphConfig config = silt_fluid_configure(params, &out->field);
    status = silt_sph_create(owner, &config, &out->sph);
    if (status == SILT_OK)
        warn_of_numbers(owner, params, out->sph);
    return status;
}

double silt_fluid_bytes(const SiltFluidParams *params)
{
    SiltSphConfig config = {.has_planes = true};
    return silt_sph_bytes(&config) * params->particles;
}

void silt_fluid_end(SiltFluid *fluid)
{
    silt_fluid_device_destroy(fluid->device);
    silt_sph_destroy(fluid->sph);
    silt_heightfield_destroy(&fluid->field);
}

// What water and rock of the layers are due, handed on from column to column so that none is lost.
typedef struct Due {
    double particles, units;
} Due;

// A column of particles one above the other; those of rock hold alike.
static void fill_column(SiltFluid *fluid, float x, float y, Due *due)
{
    const float still[3] = {0.0f, 0.0f, 0.0f}, spacing = (float)fluid->sph->config.spacing;
    SiltSurface below = silt_heightfield_at(&fluid->field, x, y);
    int count = (int)due->particles;
    for (int k = 0; k < count; k++) {
        float at[3] = {x, y, below.z + ((float)k + 0.5f) * spacing};
        if (!silt_sph_add(fluid->sph, at, still))
            return;
        double held = fmin(floor(due->units / (count - k)), 0x1p23);
        fluid->sph->now.sediment[fluid->sph->count - 1] = (float)held;
        due->units -= held;
        due->particles -= 1.0;
    }
}

SiltStatus silt_fluid_fill(const char *owner, SiltFluid *fluid, const SiltField *water, const SiltField *rock)
{
    if (!water)
        return SILT_OK;
    const SiltSphConfig *c = &fluid->sph->config;
    const SiltTerrain *terrain = fluid->field.terrain;
    double step = c->spacing, area = step * step, cell = terrain->cell;
    Due due = {0.0, 0.0};
    if ((c->high[0] - c->low[0]) * (c->high[1] - c->low[1]) / area > 1e9)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a spacing of %g m is too small for the water of this terrain; raise it, or "
                         "leave the water out with water=",
                         owner, step);
    for (double y = c->low[1] + 0.5 * step; y < c->high[1]; y += step)
        for (double x = c->low[0] + 0.5 * step; x < c->high[0]; x += step) {
            int i = (int)(x / cell), j = (int)(y / cell);
            double depth = (double)silt_field_at(water, i, j);
            if (silt_terrain_is_nodata(terrain, i, j) || !(depth > 0.0) || !isfinite(depth))
                continue;
            double laden = rock ? (double)silt_field_at(rock, i, j) : 0.0;
            due.particles += depth * area / fluid->volume;
            due.units += laden > 0.0 && isfinite(laden) ? laden * area / fluid->field.unit : 0.0;
            if (fluid->sph->count + due.particles > c->capacity)
                return silt_fail(
                    SILT_BAD_ARGUMENT,
                    "%s: the terrain's water needs more than the %d particles there may be; raise "
                    "particles or spacing, or leave it out with water=",
                    owner, c->capacity);
            fill_column(fluid, (float)x, (float)y, &due);
        }
    return SILT_OK;
}

// What no water reaches that falls so far, and comes so fast.
static double swiftest(const SiltFluid *fluid, double high, double fastest)
{
    enum { SPARE = 10 }; // jets and splashes are several times faster than what falls
    const SiltSphConfig *c = &fluid->sph->config;
    double sound = c->state == SILT_SPH_TAIT ? c->sound : sqrt(c->gas);
    double fall = sqrt(2.0 * gravity * (high + c->spacing));
    return SPARE * fmax(fall + fastest, sound / 5.0);
}

void silt_fluid_widen(SiltFluid *fluid, double highest, double fastest)
{
    double high = fmax(highest, highest + fluid->params->fall); // where that is a number
    fluid->sph->config.swiftest = fmax(fluid->sph->config.swiftest, swiftest(fluid, high, fastest));
}

void silt_fluid_bound(SiltFluid *fluid, double highest, double fastest)
{
    const SiltSph *sph = fluid->sph;
    const SiltSphArrays *a = &sph->now;
    double high = fmax(highest, (double)silt_heightfield_top(&fluid->field) + fluid->params->fall);
    for (int i = 0; i < sph->count; i++) {
        double u = (double)a->u[i], v = (double)a->v[i], w = (double)a->w[i];
        high = fmax(high, (double)a->z[i]);
        fastest = fmax(fastest, sqrt(u * u + v * v + w * w));
    }
    fluid->sph->config.swiftest = swiftest(fluid, high, fastest);
}

void silt_fluid_count(const SiltFluid *fluid, SiltCounters *counters)
{
    const int64_t *gone = fluid->sph->gone;
    counters->limited[0] = fluid->drops[1];
    counters->limited[1] = gone[SILT_SPH_BAD];
    counters->limited[2] = gone[SILT_SPH_CROWDED];
    counters->limited[3] = gone[SILT_SPH_FLOWN];
}

void silt_fluid_warn_idle(const char *owner, int index, double rate)
{
    if (!(rate > 0.0))
        silt_warn("%s: source %d has a rate of 0 and gives no water", owner, index + 1);
}

void silt_fluid_warn_shared(const char *owner, const SiltFluid *fluid, int index, int shared)
{
    if (shared > 0)
        silt_warn("%s: box %d shares %.3g m3 with those before it; these are filled once", owner, index + 1,
                  shared * fluid->volume);
}

void silt_fluid_warn_dry(const char *owner, const SiltFluid *fluid, int springs)
{
    if (fluid->sph->count == 0 && springs == 0 && !(fluid->params->rain > 0.0) && !(fluid->drop_rate > 0.0))
        silt_warn("%s: there is no water; give it rain, sources, boxes or a terrain with a layer of water",
                  owner);
}

// ---- drops ----

static SiltDropRule plain_rule(const SiltFluid *fluid)
{
    const SiltSphConfig *c = &fluid->sph->config;
    double near = 0.8 * c->spacing;
    return (SiltDropRule){.low = {c->low[0], c->low[1]},
                          .high = {c->high[0], c->high[1]},
                          .spacing = c->spacing,
                          .taken2 = near * near,
                          .seed = fluid->seed};
}

SiltDropRule silt_fluid_rain_rule(const SiltFluid *fluid)
{
    SiltDropRule rule = plain_rule(fluid);
    rule.height = fall_of(fluid->params, fluid->field.terrain);
    rule.stream = SILT_STREAM_DROPS;
    rule.has_map = fluid->rain_map != NULL;
    rule.rain_most = fluid->rain_most;
    return rule;
}

SiltDropRule silt_fluid_spring_rule(const SiltFluid *fluid, const double *spring)
{
    SiltDropRule rule = plain_rule(fluid);
    rule.is_spring = true;
    rule.x = spring[0], rule.y = spring[1];
    rule.radius = spring[3], rule.height = spring[4];
    rule.stack = 4.0 * rule.radius;
    rule.stream = SILT_STREAM_SPRINGS;
    return rule;
}

// By the rain map and on ground with data, drawn until there is one; and free, for which it is not worth
// trying long.
static bool find_place(const SiltFluid *fluid, const SiltDropRule *rule, int64_t n, float place[3])
{
    const SiltHeightfield *field = &fluid->field;
    int tries = 0;
    for (uint32_t k = 0; k < SILT_DROP_DRAWS && silt_drop_looks_on(rule, tries); k++) {
        SiltRandom random = silt_random(rule->seed, (uint32_t)rule->stream, (uint64_t)n, k);
        if (!silt_drop_place(rule, random, &place[0], &place[1]))
            continue;
        if (rule->has_map &&
            !silt_drop_falls(rule, random,
                             silt_field_at(fluid->rain_map,
                                           silt_drop_cell(place[0], field->cell, field->width),
                                           silt_drop_cell(place[1], field->cell, field->height))))
            continue;
        SiltSurface below = silt_heightfield_at(field, place[0], place[1]);
        place[2] = below.z + silt_drop_height(rule, random, tries);
        if (!below.is_there)
            continue;
        if (!silt_sph_is_taken(fluid->sph, place, 0.8 * rule->spacing))
            return true;
        tries++;
    }
    return false;
}

bool silt_fluid_drop(SiltFluid *fluid, const SiltDropRule *rule, int64_t n)
{
    const float still[3] = {0.0f, 0.0f, 0.0f};
    float place[3];
    return find_place(fluid, rule, n, place) && silt_sph_add_drop(fluid->sph, place, still);
}

void silt_fluid_lose(SiltFluid *fluid, int64_t lost, const char *remedy)
{
    const SiltSphConfig *c = &fluid->sph->config;
    bool is_full = fluid->sph->count >= c->capacity;
    fluid->drops[1] += lost;
    if (lost <= 0 || fluid->has_warned)
        return;
    fluid->has_warned = true;
    if (is_full)
        silt_warn("%s: there are as many particles as may be, %d, and water that comes now is lost; raise "
                  "particles",
                  fluid->owner, c->capacity);
    else
        silt_warn("%s: water is lost that finds no free place; %s", fluid->owner, remedy);
}

static const char rain_remedy[] = "lower rain, or raise fall";

// Drops of this step, one by one; ends when the water is full.
static void rain_here(SiltFluid *fluid, const SiltDropRule *rule, SiltLedger *ledger)
{
    while (fluid->owed >= 1.0 && fluid->sph->count < fluid->sph->config.capacity) {
        fluid->owed -= 1.0;
        if (silt_fluid_drop(fluid, rule, fluid->drops[0]++))
            ledger->water.added += fluid->volume;
        else
            silt_fluid_lose(fluid, 1, rain_remedy);
    }
}

static void rain_there(SiltFluid *fluid, const SiltDropRule *rule, SiltLedger *ledger)
{
    SiltDropped dropped = silt_fluid_device_drop(fluid->device, rule, fluid->drops[0], fluid->owed);
    silt_fluid_lose(fluid, dropped.tried - dropped.placed, rain_remedy);
    fluid->drops[0] += dropped.tried;
    fluid->owed -= dropped.tried; // whole numbers: exact
    for (int k = 0; k < dropped.placed; k++)
        ledger->water.added += fluid->volume;
    silt_fluid_device_add(fluid->device, dropped.placed);
}

void silt_fluid_rain(SiltFluid *fluid, double dt, SiltLedger *ledger)
{
    if (fluid->rain_map && !(fluid->rain_most > 0.0f))
        return;
    double rate = fluid->params->rain / 3.6e6 * fluid->area / fluid->volume; // particles a second
    fluid->owed += (rate > 0.0 ? rate : fluid->drop_rate) * dt;
    if (!(fluid->owed >= 1.0))
        return;
    SiltDropRule rule = silt_fluid_rain_rule(fluid);
    if (fluid->device)
        rain_there(fluid, &rule, ledger);
    else
        rain_here(fluid, &rule, ledger);
    if (fluid->owed >= 1.0) { // no room: it does not rain now
        silt_fluid_lose(fluid, (int64_t)fluid->owed, rain_remedy);
        fluid->owed -= floor(fluid->owed);
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

float silt_fluid_brake(const SiltFluid *fluid, float dt)
{
    return 1.0f / (1.0f + (float)fluid->params->friction * dt);
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
    ledger->rock.initial =
        silt_heightfield_rock(&fluid->field) + carried_units(fluid->sph) * fluid->field.unit;
}

void silt_fluid_close_books(const SiltFluid *fluid, SiltLedger *ledger)
{
    const SiltSph *sph = fluid->sph;
    ledger->water.stored = sph->count * fluid->volume;
    ledger->water.moved = ledger->water.added;
    ledger->rock.carried = carried_units(sph) * fluid->field.unit;
    ledger->rock.stored = silt_heightfield_rock(&fluid->field) + ledger->rock.carried;
    ledger->rock.moved = silt_heightfield_wear(&fluid->field);
}

void silt_fluid_particles(const SiltFluid *fluid, SiltParticles *out)
{
    const SiltTerrain *terrain = fluid->field.terrain;
    silt_sph_particles(fluid->sph, out);
    out->low = fluid->field.low;
    out->load = fluid->field.unit / fluid->volume;
    out->west = 0.5 * terrain->cell;
    out->south = (terrain->height - 0.5) * terrain->cell;
}
