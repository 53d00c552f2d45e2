// The engine as silt/fluid.h shows it.
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "silt/fluid.h"
#include "sph/device_water.h"

static const char owner[] = "water";

#define SIDE(field, help_) SILT_CHOICE(SiltWaterOptions, field, "open wall periodic", "wall", help_)

static const SiltParam items[] = {
    SILT_INT(SiltWaterOptions, particles, "", 100000, 1, 100000000, "particles there may be at once"),
    SILT_REAL(SiltWaterOptions, spacing, "m", 0.02, 1e-6, 1000.0, "distance of particles at rest"),
    SILT_VECTOR3(SiltWaterOptions, low, "m", 0.0, 0.0, 0.0, -1e6, 1e6, "western, northern and lower corner"),
    SILT_VECTOR3(SiltWaterOptions, high, "m", 1.0, 1.0, 1.0, -1e6, 1e6, "the corner across"),
    SIDE(west, "what happens at the western side"),
    SIDE(east, "at the eastern side"),
    SIDE(north, "at the northern side"),
    SIDE(south, "at the southern side"),
    SIDE(floor, "at the bottom"),
    SIDE(roof, "at the top"),
    SILT_VECTOR3(SiltWaterOptions, gravity, "m/s2", 0.0, 0.0, -9.81, -1000.0, 1000.0, "east, south and up"),
    SILT_REAL(SiltWaterOptions, viscosity, "Pa s", 0.001, 0.0, 1e6, "of the water"),
    SILT_REAL(SiltWaterOptions, artificial, "1", 0.05, 0.0, 10.0,
              "artificial viscosity of particles that approach each other"),
    SILT_REAL(SiltWaterOptions, tension, "N/m", 0.0, 0.0, 1000.0, "surface tension"),
    SILT_CHOICE(SiltWaterOptions, pressure, "stiff gas", "stiff", "equation of state"),
    SILT_REAL(SiltWaterOptions, sound, "m/s", 0.0, 0.0, 10000.0,
              "speed of sound of stiff water; 0: ten times the speed of a fall through the box"),
    SILT_REAL(SiltWaterOptions, gas, "J/kg", 3.0, 1e-6, 1e6, "stiffness of the soft gas"),
    SILT_CHOICE(SiltWaterOptions, walls, "slip no-slip law", "slip",
                "how walls hold water that runs along them; law is the law of the wall"),
    SILT_REAL(SiltWaterOptions, roughness, "m", 0.0, 0.0, 10.0, "of walls with a law; 0: smooth"),
    SILT_REAL(SiltWaterOptions, restitution, "1", 0.0, 0.0, 1.0, "how much water bounces off walls"),
    SILT_REAL(SiltWaterOptions, life, "s", 0.0, 0.0, 1e9, "span after which a particle goes; 0: never"),
};
const SiltParamTable silt_water_params = SILT_PARAM_TABLE(SiltWaterOptions, items);

struct SiltWater {
    SiltSph *sph;
};

static SiltStatus check_sides(const SiltSphConfig *config)
{
    for (int axis = 0; axis < 3; axis++)
        if ((config->face[axis][0] == SILT_SPH_PERIODIC) != (config->face[axis][1] == SILT_SPH_PERIODIC))
            return silt_fail(SILT_BAD_ARGUMENT, "%s: a periodic side needs the one across to be periodic too",
                             owner);
    return SILT_OK;
}

static SiltSphConfig configure(const SiltWaterOptions *o)
{
    SiltSphConfig config = silt_sph_defaults();
    double gravity =
        sqrt(o->gravity[0] * o->gravity[0] + o->gravity[1] * o->gravity[1] + o->gravity[2] * o->gravity[2]);
    double fall = sqrt(2.0 * gravity * fmax(o->high[2] - o->low[2], o->spacing));
    config.capacity = o->particles;
    config.spacing = o->spacing;
    for (int axis = 0; axis < 3; axis++) {
        config.low[axis] = o->low[axis];
        config.high[axis] = o->high[axis];
        config.gravity[axis] = o->gravity[axis];
    }
    const int sides[3][2] = {{o->west, o->east}, {o->north, o->south}, {o->floor, o->roof}};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            config.face[axis][side] = sides[axis][side];
    config.viscosity = o->viscosity;
    config.artificial = o->artificial;
    config.tension = o->tension;
    config.state = o->pressure;
    config.density_from = o->pressure == SILT_PRESSURE_GAS ? SILT_SPH_SUMMATION : SILT_SPH_CONTINUITY;
    config.sound = o->sound > 0.0 ? o->sound : fall > 0.0 ? 10.0 * fall : config.sound;
    config.gas = o->gas;
    config.walls = o->walls;
    config.roughness = o->roughness;
    config.restitution = o->restitution;
    config.life = o->life;
    return config;
}

SiltStatus silt_water_create(const SiltWaterOptions *options, SiltWater **out)
{
    *out = NULL;
    SiltWaterOptions defaults;
    SiltStatus status = silt_params_init(&silt_water_params, &defaults);
    const SiltWaterOptions *o = options ? options : &defaults;
    if (status == SILT_OK)
        status = silt_params_check(&silt_water_params, o, owner);
    if (status != SILT_OK)
        return status;
    SiltSphConfig config = configure(o);
    status = check_sides(&config);
    void *block = NULL;
    if (status == SILT_OK)
        status = silt_alloc_for(owner, 1, sizeof(SiltWater), &block);
    if (status != SILT_OK)
        return status;
    SiltWater *water = block;
    status = silt_sph_create(owner, &config, &water->sph);
    if (status != SILT_OK) {
        silt_free(water);
        return status;
    }
    *out = water;
    return SILT_OK;
}

void silt_water_destroy(SiltWater *water)
{
    if (!water)
        return;
    silt_sph_destroy(water->sph);
    silt_free(water);
}

SiltStatus silt_water_use_device(SiltWater *water, SiltDevice *device)
{
    if (water->sph->device)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: it works on a device already", owner);
    return silt_sph_device_create(device, owner, water->sph);
}

SiltStatus silt_water_status(const SiltWater *water)
{
    return water->sph->device ? silt_device_status(silt_sph_device_of(water->sph->device)) : SILT_OK;
}

static bool take_velocity(const double velocity[3], float out[3])
{
    bool finite = true;
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = velocity ? (float)velocity[axis] : 0.0f;
        finite = finite && isfinite(out[axis]);
    }
    return finite;
}

int silt_water_fill(SiltWater *water, const double low[3], const double high[3], const double velocity[3])
{
    const SiltSphConfig *c = &water->sph->config;
    double from[3], to[3]; // what of it lies in the box
    float speed[3];
    if (!take_velocity(velocity, speed))
        return 0;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = fmax(low[axis], c->low[axis]);
        to[axis] = fmin(high[axis], c->high[axis]);
        if (!isfinite(low[axis]) || !isfinite(high[axis]) || !(to[axis] - from[axis] < 1e6 * c->spacing))
            return 0;
    }
    return silt_sph_fill(water->sph, from, to, speed);
}

bool silt_water_add(SiltWater *water, const double position[3], const double velocity[3])
{
    const SiltSphConfig *c = &water->sph->config;
    float at[3], speed[3];
    bool good = take_velocity(velocity, speed);
    for (int axis = 0; axis < 3; axis++) {
        good = good && position[axis] >= c->low[axis] && position[axis] <= c->high[axis];
        at[axis] = (float)position[axis];
    }
    return good && silt_sph_add(water->sph, at, speed);
}

double silt_water_step(SiltWater *water, double limit)
{
    return limit > 0.0 && silt_water_status(water) == SILT_OK ? silt_sph_step(water->sph, limit) : 0.0;
}

void silt_water_advance(SiltWater *water, double seconds)
{
    for (double left = isfinite(seconds) ? seconds : 0.0;
         left > 1e-9 * seconds && silt_water_status(water) == SILT_OK;)
        left -= silt_sph_step(water->sph, left);
}

double silt_water_time(const SiltWater *water)
{
    return water->sph->time;
}

void silt_water_particles(const SiltWater *water, SiltParticles *out)
{
    if (water->sph->device)
        silt_sph_device_fetch(water->sph->device, SILT_AT_ALL);
    silt_sph_particles(water->sph, out);
}

int64_t silt_water_gone(const SiltWater *water)
{
    int64_t sum = 0;
    for (int k = SILT_SPH_STAYS + 1; k < SILT_SPH_FATES; k++)
        sum += water->sph->gone[k];
    return sum;
}

static void count_pair(void *context, int j, float r2)
{
    (void)j;
    *(double *)context += r2 > 0.0f;
}

static double mean_neighbours(const SiltSph *sph)
{
    double pairs = 0.0;
    if (sph->device && silt_sph_device_fetch(sph->device, SILT_AT_ALL) != SILT_OK)
        return 0.0;
    for (int i = 0; i < sph->count; i++)
        silt_sph_visit(sph, (float[3]){sph->now.x[i], sph->now.y[i], sph->now.z[i]}, count_pair, &pairs);
    return sph->count > 0 ? pairs / sph->count : 0.0;
}

void silt_water_measure(SiltWater *water, int steps, SiltWaterCost *out)
{
    SiltSph *sph = water->sph;
    *out = (SiltWaterCost){.bytes = silt_sph_bytes(&sph->config)};
    for (int k = 0; k < steps; k++) {
        double begun = silt_wall_clock();
        silt_sph_sort(sph);
        double sorted = silt_wall_clock();
        silt_sph_forces(sph);
        if (sph->device)
            silt_device_finish(silt_sph_device_of(sph->device));
        double pushed = silt_wall_clock();
        if (k == 0)
            out->neighbours = mean_neighbours(sph);
        double visited = silt_wall_clock();
        silt_sph_move(sph, silt_sph_time_step(sph));
        out->sort += (sorted - begun) / steps;
        out->forces += (pushed - sorted) / steps;
        out->move += (silt_wall_clock() - visited) / steps;
    }
}
