// Slopes: a crooked surface (Fritz 4.1), a smooth wall (Weiss fig. 4.5), a basin of four slopes (Mei fig. 5),
// and steps.
#include "generate/shape.h"
#include "physics/elementary.h"

// A direction on the map, clockwise from north, as metres east and south for each metre along it.
typedef struct Heading {
    double east, south;
} Heading;

static Heading heading(double degrees)
{
    double angle = degrees * (SILT_PI / 180.0);
    return (Heading){silt_sin(angle), -silt_cos(angle)};
}

// ---- crooked surface ----

typedef struct CrookedParams {
    double angle, direction, amplitude, wavelength;
} CrookedParams;

static const SiltParam crooked_items[] = {
    SILT_REAL(CrookedParams, angle, "deg", 6.0, 0.0, 80.0, "mean slope of the surface"),
    SILT_REAL(CrookedParams, direction, "deg", 180.0, 0.0, 360.0, "where it falls to, clockwise from north"),
    SILT_LENGTH(CrookedParams, amplitude, 0.0, 0.02, "how far swells rise above the mean slope"),
    SILT_LENGTH(CrookedParams, wavelength, 1e-3, 0.5, "from one swell to the next"),
};

typedef struct Crooked {
    double fall_east, fall_south; // metres down for each metre
    double amplitude, wavelength;
} Crooked;

static double crooked_height(const void *shape, double x, double y)
{
    const Crooked *c = shape;
    double u = x / c->wavelength, v = y / c->wavelength;
    double swell = silt_wave(u + 0.2 * silt_wave(0.7 * v)) * silt_wave(v + 0.3) +
                   0.5 * silt_wave(0.6 * u - 0.9 * v + 0.1);
    return c->amplitude * swell / 1.5 - c->fall_east * x - c->fall_south * y;
}

static SiltStatus crooked_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    CrookedParams p = *(const CrookedParams *)params;
    SILT_RESOLVE(crooked_items, &p, terrain);
    double fall = silt_tan(p.angle * (SILT_PI / 180.0));
    Heading down = heading(p.direction);
    Crooked c = {fall * down.east, fall * down.south, p.amplitude, p.wavelength};
    return silt_shape_fill(terrain, "height", "crooked", crooked_height, &c, run);
}

const SiltGenerator silt_generator_crooked = {
    .name = "crooked",
    .summary = "a tilted surface with gentle swells",
    .source = "Fritz 2016, 4.1",
    .params = SILT_PARAM_TABLE(CrookedParams, crooked_items),
    .run = crooked_run,
};

// ---- smooth wall ----

typedef struct WallParams {
    double height, thickness, direction, back;
} WallParams;

static const SiltParam wall_items[] = {
    SILT_LENGTH(WallParams, height, 0.0, 0.15, "height of its crest"),
    SILT_LENGTH(WallParams, thickness, 1e-3, 0.5, "from foot to foot"),
    SILT_REAL(WallParams, direction, "deg", 90.0, 0.0, 360.0, "where it runs, clockwise from north"),
    SILT_REAL(WallParams, back, "", 0.0, 0.0, 1.0,
              "how high the land stays on its right-hand side: 0 for a free wall, 1 for a plateau"),
};

typedef struct Wall {
    WallParams p;
    Heading along;
} Wall;

static double wall_height(const void *shape, double x, double y)
{
    const Wall *w = shape;
    double right = w->along.east * y - w->along.south * x; // metres to the right of its crest
    double profile = silt_bell(fabs(right) / (0.5 * w->p.thickness));
    double floor_right = right > 0.0 ? w->p.back : 0.0;
    return w->p.height * (floor_right + (1.0 - floor_right) * profile);
}

static SiltStatus wall_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Wall w = {*(const WallParams *)params, heading(((const WallParams *)params)->direction)};
    SILT_RESOLVE(wall_items, &w.p, terrain);
    return silt_shape_fill(terrain, "height", "wall", wall_height, &w, run);
}

const SiltGenerator silt_generator_wall = {
    .name = "wall",
    .summary = "a smooth wall across the map",
    .source = "Weiss 2016, fig. 4.5",
    .params = SILT_PARAM_TABLE(WallParams, wall_items),
    .run = wall_run,
};

// ---- basin ----

typedef struct BasinParams {
    double depth, bottom;
} BasinParams;

static const SiltParam basin_items[] = {
    SILT_LENGTH(BasinParams, depth, 0.0, 0.12, "from the middle of the map's edges down to the bottom"),
    SILT_REAL(BasinParams, bottom, "m", 0.0, 0.0, 1e7, "width of a flat bottom; 0: the slopes meet"),
};

typedef struct Basin {
    double slope, half_bottom;
} Basin;

static double basin_height(const void *shape, double x, double y)
{
    const Basin *b = shape;
    double from_centre = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return from_centre > b->half_bottom ? b->slope * (from_centre - b->half_bottom) : 0.0;
}

static SiltStatus basin_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    BasinParams p = *(const BasinParams *)params;
    SILT_RESOLVE(basin_items, &p, terrain);
    double run_out = 0.5 * (silt_map_side(terrain) - p.bottom);
    Basin b = {p.depth / (run_out > 0.5 * terrain->cell ? run_out : 0.5 * terrain->cell), 0.5 * p.bottom};
    return silt_shape_fill(terrain, "height", "basin", basin_height, &b, run);
}

const SiltGenerator silt_generator_basin = {
    .name = "basin",
    .summary = "four slopes that meet at the bottom",
    .source = "Mei 2007, fig. 5",
    .params = SILT_PARAM_TABLE(BasinParams, basin_items),
    .run = basin_run,
};

// ---- steps ----

typedef struct StepsParams {
    int count;
    double height, edge, direction;
} StepsParams;

static const SiltParam steps_items[] = {
    SILT_INT(StepsParams, count, "", 6, 1, 1000, "how many levels"),
    SILT_LENGTH(StepsParams, height, 0.0, 0.1, "from the lowest level to the highest"),
    SILT_REAL(StepsParams, edge, "m", 0.0, 0.0, 1e7, "width of the slope from level to level; 0: upright"),
    SILT_REAL(StepsParams, direction, "deg", 180.0, 0.0, 360.0, "where they go down, clockwise from north"),
};

typedef struct Steps {
    StepsParams p;
    Heading down;
    double tread; // metres from one step to the next
} Steps;

static double steps_height(const void *shape, double x, double y)
{
    const Steps *s = shape;
    double at = (s->down.east * x + s->down.south * y) / s->tread + 0.5 * s->p.count; // 0 to count, downwards
    double last = s->p.count - 1.0, riser = floor(at + 0.5);
    riser = riser < 1.0 ? 1.0 : riser > last ? last : riser; // the nearest of risers 1 to count - 1
    double half_edge = 0.5 * (s->p.edge < s->tread ? s->p.edge / s->tread : 1.0);
    double below = riser - 1.0 + silt_smooth_step(riser - half_edge, riser + half_edge, at);
    return last > 0.0 ? s->p.height * (1.0 - below / last) : 0.0;
}

static SiltStatus steps_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Steps s = {*(const StepsParams *)params, heading(((const StepsParams *)params)->direction), 0.0};
    SILT_RESOLVE(steps_items, &s.p, terrain);
    double extent = fabs(s.down.east) * terrain->width + fabs(s.down.south) * terrain->height;
    s.tread = extent * terrain->cell / s.p.count;
    return silt_shape_fill(terrain, "height", "steps", steps_height, &s, run);
}

const SiltGenerator silt_generator_steps = {
    .name = "steps",
    .summary = "level steps across the map",
    .source = "",
    .params = SILT_PARAM_TABLE(StepsParams, steps_items),
    .run = steps_run,
};
