// Single hills on a plain: pyramid, hemisphere and cone (Fritz 4.1), two hills and a volcano
// (Weiss 4.4, 4.6), and a smooth mountain (Mei fig. 6).
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/noise.h"
#include "physics/random.h"

static double at_least_zero(double value)
{
    return value > 0.0 ? value : 0.0;
}

// ---- pyramid ----

typedef struct PyramidParams {
    double base, height;
} PyramidParams;

static const SiltParam pyramid_items[] = {
    SILT_LENGTH(PyramidParams, base, 1e-3, 0.8, "length of a side at its foot"),
    SILT_LENGTH(PyramidParams, height, 0.0, 0.2, "height of its top"),
};

static double pyramid_height(const void *shape, double x, double y)
{
    const PyramidParams *p = shape;
    double from_centre = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return p->height * at_least_zero(1.0 - from_centre / (0.5 * p->base));
}

static SiltStatus pyramid_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    PyramidParams p = *(const PyramidParams *)params;
    SILT_RESOLVE(pyramid_items, &p, terrain);
    return silt_shape_fill(terrain, "height", "pyramid", pyramid_height, &p, run);
}

const SiltGenerator silt_generator_pyramid = {
    .name = "pyramid",
    .summary = "a four-sided pyramid",
    .source = "Fritz 2016, 4.1",
    .params = SILT_PARAM_TABLE(PyramidParams, pyramid_items),
    .run = pyramid_run,
};

// ---- hemisphere ----

typedef struct HemisphereParams {
    double radius, height;
} HemisphereParams;

static const SiltParam hemisphere_items[] = {
    SILT_LENGTH(HemisphereParams, radius, 1e-3, 0.35, "radius at its foot"),
    SILT_REAL(HemisphereParams, height, "m", NAN, 0.0, 1e7, "height of its top; none: its radius"),
};

static double hemisphere_height(const void *shape, double x, double y)
{
    const HemisphereParams *p = shape;
    double square = (x * x + y * y) / (p->radius * p->radius);
    return square < 1.0 ? p->height * sqrt(1.0 - square) : 0.0;
}

static SiltStatus hemisphere_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    HemisphereParams p = *(const HemisphereParams *)params;
    SILT_RESOLVE(hemisphere_items, &p, terrain);
    if (isnan(p.height))
        p.height = p.radius;
    return silt_shape_fill(terrain, "height", "hemisphere", hemisphere_height, &p, run);
}

const SiltGenerator silt_generator_hemisphere = {
    .name = "hemisphere",
    .summary = "half a sphere",
    .source = "Fritz 2016, 4.1",
    .params = SILT_PARAM_TABLE(HemisphereParams, hemisphere_items),
    .run = hemisphere_run,
};

// ---- cone ----

typedef struct ConeParams {
    double radius, height;
} ConeParams;

static const SiltParam cone_items[] = {
    SILT_LENGTH(ConeParams, radius, 1e-3, 0.4, "radius at its foot"),
    SILT_LENGTH(ConeParams, height, 0.0, 0.2, "height of its top"),
};

static double cone_height(const void *shape, double x, double y)
{
    const ConeParams *p = shape;
    return p->height * at_least_zero(1.0 - sqrt(x * x + y * y) / p->radius);
}

static SiltStatus cone_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    ConeParams p = *(const ConeParams *)params;
    SILT_RESOLVE(cone_items, &p, terrain);
    return silt_shape_fill(terrain, "height", "cone", cone_height, &p, run);
}

const SiltGenerator silt_generator_cone = {
    .name = "cone",
    .summary = "a cone",
    .source = "",
    .params = SILT_PARAM_TABLE(ConeParams, cone_items),
    .run = cone_run,
};

// ---- two hills ----

typedef struct TwoHillsParams {
    double height, radius, distance, second;
} TwoHillsParams;

static const SiltParam two_hills_items[] = {
    SILT_LENGTH(TwoHillsParams, height, 0.0, 0.15, "height of the western hill"),
    SILT_LENGTH(TwoHillsParams, radius, 1e-3, 0.3, "radius of each at its foot"),
    SILT_LENGTH(TwoHillsParams, distance, 0.0, 0.45, "from one top to the other"),
    SILT_REAL(TwoHillsParams, second, "", 0.8, 0.0, 10.0, "height of the eastern hill, as part of the other"),
};

static double two_hills_height(const void *shape, double x, double y)
{
    const TwoHillsParams *p = shape;
    double west = x + 0.5 * p->distance, east = x - 0.5 * p->distance;
    return p->height * (silt_bell(sqrt(west * west + y * y) / p->radius) +
                        p->second * silt_bell(sqrt(east * east + y * y) / p->radius));
}

static SiltStatus two_hills_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    TwoHillsParams p = *(const TwoHillsParams *)params;
    SILT_RESOLVE(two_hills_items, &p, terrain);
    return silt_shape_fill(terrain, "height", "two-hills", two_hills_height, &p, run);
}

const SiltGenerator silt_generator_two_hills = {
    .name = "two-hills",
    .summary = "two round hills with a saddle between",
    .source = "Weiss 2016, fig. 4.4",
    .params = SILT_PARAM_TABLE(TwoHillsParams, two_hills_items),
    .run = two_hills_run,
};

// ---- volcano ----

typedef struct VolcanoParams {
    double height, radius, crater_radius, crater_depth;
} VolcanoParams;

static const SiltParam volcano_items[] = {
    SILT_LENGTH(VolcanoParams, height, 0.0, 0.16, "height of the rim"),
    SILT_LENGTH(VolcanoParams, radius, 1e-3, 0.45, "radius at its foot"),
    SILT_LENGTH(VolcanoParams, crater_radius, 1e-3, 0.07, "radius of the crater at its rim"),
    SILT_LENGTH(VolcanoParams, crater_depth, 0.0, 0.04, "how far the crater goes down from the rim"),
};

// The lower of two, with a rounded edge where they differ by less than `blend`.
static double smooth_lower(double a, double b, double blend)
{
    double lower = a < b ? a : b;
    double t = blend > 0.0 ? at_least_zero(1.0 - fabs(a - b) / blend) : 0.0;
    return lower - 0.25 * blend * t * t;
}

static double volcano_height(const void *shape, double x, double y)
{
    const VolcanoParams *p = shape;
    double r = sqrt(x * x + y * y), t = (r - p->crater_radius) / (p->radius - p->crater_radius);
    if (t >= 1.0)
        return 0.0;
    // steep at the rim, flat at the foot; within the rim it goes on at the rim's slope
    double flank = t > 0.0 ? (1.0 - t) * (1.0 - t) * (1.0 + 0.5 * t) : 1.0 - 1.5 * t;
    double bowl = r / p->crater_radius;
    return smooth_lower(p->height * flank, p->height + p->crater_depth * (bowl * bowl - 1.0),
                        0.3 * p->crater_depth);
}

static SiltStatus volcano_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    VolcanoParams p = *(const VolcanoParams *)params;
    SILT_RESOLVE(volcano_items, &p, terrain);
    if (p.radius < 1.05 * p.crater_radius) // a foot lies outside its rim
        p.radius = 1.05 * p.crater_radius;
    return silt_shape_fill(terrain, "height", "volcano", volcano_height, &p, run);
}

const SiltGenerator silt_generator_volcano = {
    .name = "volcano",
    .summary = "a volcano with a crater",
    .source = "Weiss 2016, fig. 4.6",
    .params = SILT_PARAM_TABLE(VolcanoParams, volcano_items),
    .run = volcano_run,
};

// ---- smooth mountain ----

typedef struct MountainParams {
    double height, radius, spurs;
} MountainParams;

static const SiltParam mountain_items[] = {
    SILT_LENGTH(MountainParams, height, 0.0, 0.16, "height of its top"),
    SILT_LENGTH(MountainParams, radius, 1e-3, 0.45, "mean radius at its foot"),
    SILT_REAL(MountainParams, spurs, "", 0.5, 0.0, 1.0, "how far spurs and hollows bend its flanks"),
};

typedef struct Mountain {
    MountainParams p;
    SiltRandom random;
} Mountain;

static double mountain_height(const void *shape, double x, double y)
{
    const Mountain *m = shape;
    double u = x / m->p.radius, v = y / m->p.radius, r = sqrt(u * u + v * v);
    if (r > 4.0) // beyond any spur; further out float could not hold the place
        return 0.0;
    const uint32_t *word = m->random.word;
    double bend = (double)silt_noise(word[0], word[1], (float)(1.3 * u), (float)(1.3 * v), word[2]) +
                  0.45 * (double)silt_noise(word[1], word[2], (float)(1.9 * u - 1.4 * v),
                                            (float)(1.4 * u + 1.9 * v), word[3]);
    double foot = r * (1.0 + m->p.spurs * bend);
    double t = at_least_zero(1.0 - foot * foot);
    return m->p.height * t * t / (1.0 + 2.0 * foot * foot);
}

static SiltStatus mountain_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Mountain m = {*(const MountainParams *)params,
                  silt_random(run ? run->seed : 0, SILT_STREAM_MOUNTAIN, 0, 0)};
    SILT_RESOLVE(mountain_items, &m.p, terrain);
    return silt_shape_fill(terrain, "height", "mountain", mountain_height, &m, run);
}

const SiltGenerator silt_generator_mountain = {
    .name = "mountain",
    .summary = "a smooth mountain with spurs",
    .source = "Mei 2007, fig. 6",
    .params = SILT_PARAM_TABLE(MountainParams, mountain_items),
    .run = mountain_run,
};
