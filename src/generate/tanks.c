// Tanks with water in them, whose motion is known: a dam that breaks, and a parabolic bowl (Thacker 1981).
#include "generate/shape.h"

// ---- dam break ----

typedef struct DamBreakParams {
    double depth, ahead, dam;
} DamBreakParams;

static const SiltParam dam_break_items[] = {
    SILT_LENGTH(DamBreakParams, depth, 0.0, 0.05, "depth of the water west of the dam"),
    SILT_REAL(DamBreakParams, ahead, "m", 0.0, 0.0, 1e7, "depth of the water east of it"),
    SILT_REAL(DamBreakParams, dam, "", 0.5, 0.0, 1.0, "where the dam stands, as part of the map's width"),
};

typedef struct DamBreak {
    double depth, ahead, x;
} DamBreak;

static double dam_break_floor(const void *shape, double x, double y)
{
    (void)shape;
    (void)x;
    (void)y;
    return 0.0;
}

static double dam_break_water(const void *shape, double x, double y)
{
    const DamBreak *d = shape;
    (void)y;
    return x < d->x ? d->depth : d->ahead;
}

static SiltStatus dam_break_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    DamBreakParams p = *(const DamBreakParams *)params;
    SILT_RESOLVE(dam_break_items, &p, terrain);
    DamBreak d = {p.depth, p.ahead, (p.dam - 0.5) * terrain->width * terrain->cell};
    SiltStatus status = silt_shape_fill(terrain, "height", "dam-break", dam_break_floor, &d, run);
    if (status != SILT_OK)
        return status;
    return silt_shape_fill(terrain, "water", "dam-break", dam_break_water, &d, run);
}

const SiltGenerator silt_generator_dam_break = {
    .name = "dam-break",
    .summary = "a flat tank with deep water behind a dam that has just gone",
    .source = "",
    .params = SILT_PARAM_TABLE(DamBreakParams, dam_break_items),
    .run = dam_break_run,
};

// ---- parabolic bowl ----

enum { MOTION_REST, MOTION_PLANAR, MOTION_CURVED };

typedef struct BowlParams {
    double depth, radius, amplitude;
    int motion;
} BowlParams;

static const SiltParam bowl_items[] = {
    SILT_LENGTH(BowlParams, depth, 0.0, 0.05, "depth of the water at rest, in the middle"),
    SILT_LENGTH(BowlParams, radius, 1e-3, 0.3, "radius of the shore at rest"),
    SILT_CHOICE(BowlParams, motion, "rest planar curved", "planar",
                "how the water begins: at rest, tilted to the east, or heaped up in the middle"),
    SILT_REAL(BowlParams, amplitude, "", 0.3, 0.0, 0.9, "how far from rest: Thacker's eta / radius, or A"),
};

typedef struct Bowl {
    double depth, radius;
    double shift; // metres by which the tilted water lies east of the middle
    double heap;  // times the depth at rest in the middle
} Bowl;

static double bowl_floor(const void *shape, double x, double y)
{
    const Bowl *b = shape;
    return b->depth * (x * x + y * y) / (b->radius * b->radius);
}

// Thacker's two solutions at the turn of their swing, less the floor: a tilted plane over a paraboloid is the
// water at rest, moved; a heap is depth * heap * (1 - heap r^2 / radius^2) deep.
static double bowl_water(const void *shape, double x, double y)
{
    const Bowl *b = shape;
    double dx = x - b->shift, r2 = (dx * dx + y * y) / (b->radius * b->radius);
    double depth = b->depth * b->heap * (1.0 - b->heap * r2);
    return depth > 0.0 ? depth : 0.0;
}

static SiltStatus bowl_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    BowlParams p = *(const BowlParams *)params;
    SILT_RESOLVE(bowl_items, &p, terrain);
    Bowl b = {p.depth, p.radius, 0.0, 1.0};
    if (p.motion == MOTION_PLANAR)
        b.shift = p.amplitude * p.radius;
    if (p.motion == MOTION_CURVED)
        b.heap = sqrt((1.0 + p.amplitude) / (1.0 - p.amplitude));
    SiltStatus status = silt_shape_fill(terrain, "height", "bowl", bowl_floor, &b, run);
    if (status != SILT_OK)
        return status;
    return silt_shape_fill(terrain, "water", "bowl", bowl_water, &b, run);
}

const SiltGenerator silt_generator_bowl = {
    .name = "bowl",
    .summary = "a parabolic bowl with water that swings without end",
    .source = "Thacker 1981",
    .params = SILT_PARAM_TABLE(BowlParams, bowl_items),
    .run = bowl_run,
};
