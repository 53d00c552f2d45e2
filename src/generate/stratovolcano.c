// A volcano that has lived: flanks hollow towards the foot and longer on some sides, tongues of lava one over
// the other, side vents, a crater, and a flank that fell away: a scar like a horseshoe that opens the crater,
// hummocks of what fell before it, and a dome that has grown in it since. Which side, how much of it and all
// else is drawn by seed, in metres, so that more cells show the same mountain, sharper.
#include "core/streams.h"
#include "generate/shape.h"
#include "physics/elementary.h"
#include "physics/noise.h"
#include "physics/random.h"

enum { MOST_FLOWS = 200, MOST_VENTS = 50 };

typedef struct StratoParams {
    double height, radius, crater_radius, crater_depth;
    int flows, vents;
    double thickness, collapse, direction, aside;
} StratoParams;

static const SiltParam strato_items[] = {
    SILT_LENGTH(StratoParams, height, 0.0, 0.18, "height of the rim"),
    SILT_LENGTH(StratoParams, radius, 1e-3, 0.5, "mean radius at its foot"),
    SILT_LENGTH(StratoParams, crater_radius, 1e-3, 0.035, "radius of the crater at its rim"),
    SILT_LENGTH(StratoParams, crater_depth, 0.0, 0.02, "how far the crater goes down from the rim"),
    SILT_INT(StratoParams, flows, "", 40, 0, MOST_FLOWS, "how many tongues of lava"),
    SILT_LENGTH(StratoParams, thickness, 0.0, 0.004, "thickness of the thickest of them"),
    SILT_INT(StratoParams, vents, "", 5, 0, MOST_VENTS, "cones on its flanks"),
    SILT_REAL(StratoParams, collapse, "", NAN, 0.0, 1.0,
              "how much of a flank has fallen away; 0: none; none: by seed"),
    SILT_REAL(StratoParams, direction, "deg", NAN, -360.0, 360.0,
              "where that was, clockwise from north; none: by seed"),
    SILT_REAL(StratoParams, aside, "", 0.1, 0.0, 0.5,
              "how far from the middle it may stand, in sides of the map, by seed"),
};

// A line from the middle outwards, and a place as metres along it and to its side.
typedef struct Way {
    double u, v;
} Way;

typedef struct Flow {
    Way way;
    double from, to, half, thick, phase;
} Flow;

typedef struct Vent {
    double x, y, radius, height;
} Vent;

typedef struct Strato {
    StratoParams p;
    double x, y; // of its middle
    Flow flow[MOST_FLOWS];
    Vent vent[MOST_VENTS];
    Way open; // where the scar leads to
    uint32_t noise;
} Strato;

static double noise_at(const Strato *s, int which, double x, double y)
{
    double column = floor(x), row = floor(y);
    return (double)silt_noise((uint32_t)(int64_t)column, (uint32_t)(int64_t)row, (float)(x - column),
                              (float)(y - row), s->noise + (uint32_t)which);
}

static double clamp01(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static Way draw_way(silt_u32 word)
{
    double turn = 2.0 * SILT_PI * (double)silt_uniform(word);
    return (Way){silt_sin(turn), -silt_cos(turn)};
}

// ---- parts ----

// Steep at the rim and level at the foot, which reaches further on some sides; within the rim it goes on at
// the rim's slope.
static double flank_at(const Strato *s, double x, double y, double r)
{
    double u = r > 0.0 ? x / r : 1.0, v = r > 0.0 ? y / r : 0.0;
    double longer = 1.0 + 0.35 * noise_at(s, 0, 1.1 * u, 1.1 * v) + 0.1 * noise_at(s, 1, 3.0 * u, 3.0 * v);
    double foot = s->p.radius * longer, rim = s->p.crater_radius;
    double t = foot > 1.1 * rim ? (r - rim) / (foot - rim) : 2.0 * r / rim;
    if (t >= 1.0)
        return 0.0;
    double ribs = 0.05 * noise_at(s, 2, 9.0 * u, 9.0 * v) * clamp01(4.0 * t) * (1.0 - clamp01(t));
    double flank = t > 0.0 ? (1.0 - t) * (1.0 - t) * (1.0 - 0.3 * t) : 1.0 - 2.3 * t;
    return s->p.height * (flank + ribs);
}

// Tongues that swing as they go down, with a steep front and sides, and a hollow between their levees.
static double flow_at(const Strato *s, const Flow *f, double x, double y)
{
    double along = x * f->way.u + y * f->way.v, across = y * f->way.u - x * f->way.v;
    if (along < f->from || along > f->to)
        return 0.0;
    across += 3.0 * f->half * noise_at(s, 3, along / (9.0 * f->half), f->phase);
    double swells = 1.0 + 0.9 * noise_at(s, 13, along / (4.0 * f->half), f->phase);
    double wider = f->half * swells * (0.6 + 0.7 * (along - f->from) / (f->to - f->from));
    double a = fabs(across) / wider;
    if (a >= 1.0)
        return 0.0;
    double side = clamp01(3.0 * (1.0 - a)), ends = f->to - 1.5 * wider * a * a;
    double front = clamp01((ends - along) / (0.5 * f->half));
    double begins = clamp01((along - f->from) / (4.0 * f->half));
    double levee = 0.75 + 0.25 * a * a,
           ropes = 1.0 + 0.25 * noise_at(s, 4, x / (0.4 * f->half), y / (0.4 * f->half));
    return f->thick * sqrt(side * front) * begins * levee * ropes;
}

static double vent_at(const Vent *vent, double x, double y)
{
    double u = (x - vent->x) / vent->radius, v = (y - vent->y) / vent->radius, r = sqrt(u * u + v * v);
    if (r >= 1.0)
        return 0.0;
    double cone = vent->height * (1.0 - r), bowl = vent->height * (0.55 + 2.0 * r * r);
    return cone < bowl ? cone : bowl;
}

// The lower of two, with a rounded edge where they differ by less than `blend`.
static double join_low(double a, double b, double blend)
{
    double t = blend > 0.0 ? clamp01(1.0 - fabs(a - b) / blend) : 0.0;
    return (a < b ? a : b) - 0.25 * blend * t * t;
}

static double crater_at(const Strato *s, double h, double x, double y, double r)
{
    const StratoParams *p = &s->p;
    double swing = 1.0 + 0.3 * noise_at(s, 5, x / (1.5 * p->crater_radius), y / (1.5 * p->crater_radius));
    double bowl = r / (p->crater_radius * swing);
    return join_low(h, p->height + p->crater_depth * (bowl * bowl - 1.0), 0.3 * p->crater_depth);
}

// The scar: a floor that falls outwards from behind the summit, between walls that part; hummocks before it,
// and a dome at its head.
static double fallen(const Strato *s, double h, double x, double y)
{
    const StratoParams *p = &s->p;
    double size = p->collapse, along = x * s->open.u + y * s->open.v, across = y * s->open.u - x * s->open.v;
    double back = p->crater_radius * (0.2 + 1.3 * size), half = p->crater_radius * (0.8 + 1.6 * size);
    double torn = noise_at(s, 6, x / 900.0, y / 900.0) + 0.5 * noise_at(s, 7, x / 350.0, y / 350.0);
    across += 0.35 * half * noise_at(s, 8, along / (3.0 * half), 0.5);
    double out = along + back, wide = half * (1.0 + 0.28 * clamp01(out / p->radius));
    double round = out < half ? sqrt(out > 0.0 ? 1.0 - (1.0 - out / half) * (1.0 - out / half) : 0.0) : 1.0;
    double beyond = fabs(across) - wide * round, behind = -out;
    double outside = beyond > behind ? beyond : behind;
    outside += 0.25 * half * torn;
    double drop = p->height * (0.25 + 0.3 * size);
    double floor_height = p->height - drop - 0.2 * (out > 0.0 ? out : 0.0) + 0.02 * p->height * torn;
    floor_height = floor_height > 0.0 ? floor_height : 0.0;
    double limit = floor_height + (outside > 0.0 ? 1.1 * outside : 0.0);
    double dome =
        vent_at(&(Vent){0.3 * half * s->open.u, 0.3 * half * s->open.v, 0.55 * half, 0.25 * drop}, x, y);
    double low = h < limit ? h : limit;
    low += h > limit && outside <= 0.0 ? dome : 0.0;
    double far = along / p->radius, fan = clamp01(3.0 * (far - 0.35)) * clamp01(2.0 * (1.35 - far));
    double spread = 1.0 - clamp01(fabs(across) / (wide * (0.8 + far)));
    double hummocks =
        0.6 + 1.2 * noise_at(s, 9, x / 420.0, y / 420.0) + 0.6 * noise_at(s, 10, x / 170.0, y / 170.0);
    return low + size * 0.035 * p->height * fan * sqrt(spread) * (hummocks > 0.1 ? hummocks : 0.1);
}

static double strato_height(const void *shape, double east, double south)
{
    const Strato *s = shape;
    double x = east - s->x, y = south - s->y, stray = 0.02 * s->p.radius, wave = 0.3 * s->p.radius;
    x += stray * noise_at(s, 11, x / wave, y / wave);
    y += stray * noise_at(s, 12, x / wave, y / wave);
    double r = sqrt(x * x + y * y), h = flank_at(s, x, y, r);
    for (int k = 0; k < s->p.flows; k++)
        h += flow_at(s, &s->flow[k], x, y);
    for (int k = 0; k < s->p.vents; k++)
        h += vent_at(&s->vent[k], x, y);
    h = crater_at(s, h, x, y, r);
    return s->p.collapse > 0.0 ? fallen(s, h, x, y) : h;
}

// ---- what is drawn by seed ----

static void draw_flows(Strato *s, uint64_t seed)
{
    const StratoParams *p = &s->p;
    for (int k = 0; k < p->flows; k++) {
        SiltRandom a = silt_random(seed, SILT_STREAM_MOUNTAIN, 100 + (uint64_t)k, 0);
        SiltRandom b = silt_random(seed, SILT_STREAM_MOUNTAIN, 100 + (uint64_t)k, 1);
        double high = (double)silt_uniform(a.word[1]), length = (double)silt_uniform(a.word[2]);
        Flow *f = &s->flow[k];
        f->way = draw_way(a.word[0]);
        f->from = p->radius * 0.5 * high * high;
        f->to = f->from + p->radius * (0.2 + 0.6 * length);
        f->half = p->radius * (0.02 + 0.045 * (double)silt_uniform(a.word[3]));
        f->thick = p->thickness * (0.35 + 0.65 * (double)silt_uniform(b.word[0]));
        f->phase = 100.0 * (double)silt_uniform(b.word[1]);
    }
}

static void draw_vents(Strato *s, uint64_t seed)
{
    for (int k = 0; k < s->p.vents; k++) {
        SiltRandom a = silt_random(seed, SILT_STREAM_MOUNTAIN, 1000 + (uint64_t)k, 0);
        SiltRandom b = silt_random(seed, SILT_STREAM_MOUNTAIN, 1000 + (uint64_t)k, 1);
        Way way = draw_way(a.word[0]);
        double far = s->p.radius * (0.3 + 0.6 * (double)silt_uniform(a.word[1]));
        double radius = s->p.radius * (0.035 + 0.04 * (double)silt_uniform(a.word[2]));
        s->vent[k] =
            (Vent){far * way.u, far * way.v, radius, radius * (0.3 + 0.15 * (double)silt_uniform(b.word[0]))};
    }
}

static SiltStatus strato_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    Strato s = {.p = *(const StratoParams *)params};
    SILT_RESOLVE(strato_items, &s.p, terrain);
    uint64_t seed = run ? run->seed : 0;
    SiltRandom draw = silt_random(seed, SILT_STREAM_MOUNTAIN, 1, 0),
               more = silt_random(seed, SILT_STREAM_MOUNTAIN, 2, 0);
    double side = silt_map_side(terrain), turn = s.p.direction * (SILT_PI / 180.0);
    s.noise = draw.word[0];
    s.x = s.p.aside * side * (double)silt_symmetric(draw.word[1]);
    s.y = s.p.aside * side * (double)silt_symmetric(draw.word[2]);
    s.open = isnan(turn) ? draw_way(draw.word[3]) : (Way){silt_sin(turn), -silt_cos(turn)};
    if (isnan(s.p.collapse))
        s.p.collapse = 0.25 + 0.75 * (double)silt_uniform(more.word[0]);
    draw_flows(&s, seed);
    draw_vents(&s, seed);
    return silt_shape_fill(terrain, "height", "stratovolcano", strato_height, &s, run);
}

const SiltGenerator silt_generator_stratovolcano = {
    .name = "stratovolcano",
    .summary = "a volcano with flows, vents, a crater, and a flank that fell away",
    .source = "",
    .params = SILT_PARAM_TABLE(StratoParams, strato_items),
    .run = strato_run,
};
