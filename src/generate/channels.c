// Channels that wait for water: a dry channel on a slope (Mei fig. 4), a meander and a ditch with a ridge
// across it (Kataev 5.2).
#include "generate/shape.h"
#include "physics/elementary.h"

// ---- channel and meander: a bed along a wave, on a slope that falls to the south ----

typedef struct ChannelParams {
    double angle, width, depth, amplitude, wavelength;
} ChannelParams;

static const SiltParam channel_items[] = {
    SILT_REAL(ChannelParams, angle, "deg", 8.0, 0.0, 80.0, "slope of the land, down to the south"),
    SILT_LENGTH(ChannelParams, width, 1e-3, 0.08, "from bank to bank"),
    SILT_LENGTH(ChannelParams, depth, 0.0, 0.015, "depth of the bed below the land beside it"),
    SILT_LENGTH(ChannelParams, amplitude, 0.0, 0.05, "how far it bends to either side"),
    SILT_LENGTH(ChannelParams, wavelength, 1e-3, 0.9, "from one bend to the next of the same side"),
};

static const SiltParam meander_items[] = {
    SILT_REAL(ChannelParams, angle, "deg", 2.0, 0.0, 80.0, "slope of the land, down to the south"),
    SILT_LENGTH(ChannelParams, width, 1e-3, 0.1, "from bank to bank"),
    SILT_LENGTH(ChannelParams, depth, 0.0, 0.02, "depth of the bed below the land beside it"),
    SILT_LENGTH(ChannelParams, amplitude, 0.0, 0.15, "how far it bends to either side"),
    SILT_LENGTH(ChannelParams, wavelength, 1e-3, 0.55, "from one bend to the next of the same side"),
};

typedef struct Channel {
    double fall, half_width, depth, amplitude, wavelength;
} Channel;

static double squared_distance(const Channel *c, double x, double y, double t)
{
    double dx = x - c->amplitude * silt_wave(t / c->wavelength), dy = y - t;
    return dx * dx + dy * dy;
}

// Distance from the channel's centre line x = amplitude * wave(t / wavelength), y = t: the best of some
// places along it, then between its neighbours by halves.
static double distance_from_line(const Channel *c, double x, double y)
{
    enum { PLACES = 17, HALVINGS = 12 };
    // no point of the line further along than it is sideways can be nearer
    double reach = fabs(x - c->amplitude * silt_wave(y / c->wavelength));
    reach = reach < 0.5 * c->wavelength ? reach : 0.5 * c->wavelength;
    double step = 2.0 * reach / (PLACES - 1), best = y, best_square = squared_distance(c, x, y, y);
    for (int k = 0; k < PLACES; k++) {
        double t = y - reach + step * k, square = squared_distance(c, x, y, t);
        best = square < best_square ? t : best;
        best_square = square < best_square ? square : best_square;
    }
    for (int k = 0; k < HALVINGS; k++) {
        step *= 0.5;
        double before = squared_distance(c, x, y, best - step),
               after = squared_distance(c, x, y, best + step);
        best += before < best_square && before <= after ? -step : after < best_square ? step : 0.0;
        best_square = squared_distance(c, x, y, best);
    }
    return sqrt(best_square);
}

static double channel_height(const void *shape, double x, double y)
{
    const Channel *c = shape;
    double land = -c->fall * y;
    if (fabs(x) >= c->amplitude + c->half_width)
        return land;
    return land - c->depth * silt_bell(distance_from_line(c, x, y) / c->half_width);
}

static SiltStatus run_channel(SiltTerrain *terrain, const char *name, const ChannelParams *p,
                              const SiltRun *run)
{
    Channel c = {silt_tan(p->angle * (SILT_PI / 180.0)), 0.5 * p->width, p->depth, p->amplitude,
                 p->wavelength};
    return silt_shape_fill(terrain, "height", name, channel_height, &c, run);
}

static SiltStatus channel_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    ChannelParams p = *(const ChannelParams *)params;
    SILT_RESOLVE(channel_items, &p, terrain);
    return run_channel(terrain, "channel", &p, run);
}

static SiltStatus meander_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    ChannelParams p = *(const ChannelParams *)params;
    SILT_RESOLVE(meander_items, &p, terrain);
    return run_channel(terrain, "meander", &p, run);
}

const SiltGenerator silt_generator_channel = {
    .name = "channel",
    .summary = "a dry channel on a slope",
    .source = "Mei 2007, fig. 4",
    .params = SILT_PARAM_TABLE(ChannelParams, channel_items),
    .run = channel_run,
};

const SiltGenerator silt_generator_meander = {
    .name = "meander",
    .summary = "a winding channel on a gentle slope",
    .source = "Kataev 2022, 5.2.2",
    .params = SILT_PARAM_TABLE(ChannelParams, meander_items),
    .run = meander_run,
};

// ---- ditch ----

typedef struct DitchParams {
    double angle, width, bank, depth, ridge_height, ridge_width;
} DitchParams;

static const SiltParam ditch_items[] = {
    SILT_REAL(DitchParams, angle, "deg", 2.0, 0.0, 80.0,
              "slope of the land along the ditch, down to the west"),
    SILT_LENGTH(DitchParams, width, 1e-3, 0.4, "from bank to bank"),
    SILT_LENGTH(DitchParams, bank, 0.0, 0.1, "width of each bank, from its top to the floor"),
    SILT_LENGTH(DitchParams, depth, 0.0, 0.06, "depth of the floor below the land"),
    SILT_LENGTH(DitchParams, ridge_height, 0.0, 0.035, "height of the ridge above the floor"),
    SILT_LENGTH(DitchParams, ridge_width, 1e-3, 0.15, "width of the ridge at its foot"),
};

typedef struct Ditch {
    DitchParams p;
    double fall;
} Ditch;

static double ditch_height(const void *shape, double x, double y)
{
    const Ditch *d = shape;
    double edge = 0.5 * d->p.width, floor_edge = edge > d->p.bank ? edge - d->p.bank : 0.0;
    double floor = 1.0 - silt_smooth_step(floor_edge, edge, fabs(y)); // 1 on the floor, 0 on the land
    double ridge = d->p.ridge_height * silt_bell(fabs(x) / (0.5 * d->p.ridge_width));
    double deep = d->p.depth > ridge ? d->p.depth - ridge : 0.0; // a ridge is no higher than the land
    return d->fall * x - deep * floor;
}

static SiltStatus ditch_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Ditch d = {*(const DitchParams *)params,
               silt_tan(((const DitchParams *)params)->angle * (SILT_PI / 180.0))};
    SILT_RESOLVE(ditch_items, &d.p, terrain);
    return silt_shape_fill(terrain, "height", "ditch", ditch_height, &d, run);
}

const SiltGenerator silt_generator_ditch = {
    .name = "ditch",
    .summary = "a ditch with a ridge across it",
    .source = "Kataev 2022, 5.2.1",
    .params = SILT_PARAM_TABLE(DitchParams, ditch_items),
    .run = ditch_run,
};
