// Volumes from nothing: bodies to test with, and the rock of Weiss's scenes. Lengths are parts of the block's
// shortest side, so that a shape is the same on any number of voxels.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "volume/brick.h"
#include "volume/caves.h"

// The block a shape stands in, in voxels.
typedef struct Block {
    double unit;    // its shortest side
    double side[3]; // first voxel to last
} Block;

static Block block_of(const SiltVolume *volume)
{
    Block block;
    for (int axis = 0; axis < 3; axis++)
        block.side[axis] = volume->size[axis] - 1;
    block.unit = fmin(block.side[0], fmin(block.side[1], block.side[2]));
    return block;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double box_distance(const double from_centre[3], const double half[3])
{
    double square = 0.0, deepest = -1e30;
    for (int axis = 0; axis < 3; axis++) {
        double out = fabs(from_centre[axis]) - half[axis];
        square += out > 0.0 ? out * out : 0.0;
        deepest = larger(deepest, out);
    }
    return deepest > 0.0 ? -sqrt(square) : -deepest;
}

// ---- sphere, torus, box ----

typedef struct BodyParams {
    double radius, tube;
} BodyParams;

typedef struct Body {
    BodyParams p; // voxels
    double centre[3];
    double half[3];
} Body;

static const SiltParam sphere_items[] = {
    SILT_REAL(BodyParams, radius, "", 0.35, 0.0, 0.5, "radius, as part of the block's shortest side"),
};
static const SiltParam torus_items[] = {
    SILT_REAL(BodyParams, radius, "", 0.28, 0.0, 0.5, "from the middle of the hole to that of the tube"),
    SILT_REAL(BodyParams, tube, "", 0.11, 0.0, 0.5, "radius of the tube"),
};
static const SiltParam box_items[] = {
    SILT_REAL(BodyParams, radius, "", 0.3, 0.0, 0.5, "half a side, as part of that side of the block"),
};

static Body body_of(const SiltVolume *volume, const BodyParams *params)
{
    Block block = block_of(volume);
    Body body = {.p = {params->radius * block.unit, params->tube * block.unit}};
    for (int axis = 0; axis < 3; axis++) {
        body.centre[axis] = 0.5 * block.side[axis];
        body.half[axis] = params->radius * block.side[axis];
    }
    return body;
}

static double sphere_distance(const void *shape, const double place[3])
{
    const Body *body = shape;
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++)
        square += (place[axis] - body->centre[axis]) * (place[axis] - body->centre[axis]);
    return body->p.radius - sqrt(square);
}

static double torus_distance(const void *shape, const double place[3])
{
    const Body *body = shape;
    double x = place[0] - body->centre[0], y = place[1] - body->centre[1], z = place[2] - body->centre[2];
    double out = sqrt(x * x + y * y) - body->p.radius;
    return body->p.tube - sqrt(out * out + z * z);
}

static double solid_box_distance(const void *shape, const double place[3])
{
    const Body *body = shape;
    double from_centre[3] = {place[0] - body->centre[0], place[1] - body->centre[1],
                             place[2] - body->centre[2]};
    return box_distance(from_centre, body->half);
}

static SiltStatus sphere_run(SiltVolume *volume, const void *params)
{
    Body body = body_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, sphere_distance, &body);
}

static SiltStatus torus_run(SiltVolume *volume, const void *params)
{
    Body body = body_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, torus_distance, &body);
}

static SiltStatus box_run(SiltVolume *volume, const void *params)
{
    Body body = body_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, solid_box_distance, &body);
}

// ---- slopes: they fall southwards ----

typedef struct SlopeParams {
    double slope, foot;
    double radius, height, width;
    int count;
} SlopeParams;

#define SLOPE_ITEMS                                                                                          \
    SILT_REAL(SlopeParams, slope, "", 0.35, 0.0, 10.0, "rise of the ground per distance north"),             \
        SILT_REAL(SlopeParams, foot, "", 0.12, 0.0, 1.0, "height of the ground at the southern side")

static const SiltParam pillars_items[] = {
    SLOPE_ITEMS,
    SILT_INT(SlopeParams, count, "", 3, 1, 32, "rows of pillars, and pillars in a row"),
    SILT_REAL(SlopeParams, radius, "", 0.06, 0.001, 0.5, "radius of a pillar"),
    SILT_REAL(SlopeParams, height, "", 0.75, 0.0, 1.0, "height of their tops above the floor"),
};
static const SiltParam bridge_items[] = {
    SLOPE_ITEMS,
    SILT_REAL(SlopeParams, radius, "", 0.24, 0.001, 0.5, "radius of the arch beneath the bridge"),
    SILT_REAL(SlopeParams, height, "", 0.72, 0.0, 1.0, "height of the bridge's top above the floor"),
    SILT_REAL(SlopeParams, width, "", 0.2, 0.001, 1.0, "width of the bridge"),
};
static const SiltParam tunnel_items[] = {
    SILT_REAL(SlopeParams, radius, "", 0.16, 0.001, 0.5, "radius of the tunnel"),
    SILT_REAL(SlopeParams, height, "", 0.75, 0.0, 1.0, "height of the block the tunnel leads through"),
    SILT_REAL(SlopeParams, foot, "", 0.35, 0.0, 1.0, "height of the tunnel's middle above the floor"),
};

typedef struct Slope {
    SlopeParams p; // voxels, but for slope and count
    Block block;
} Slope;

static Slope slope_of(const SiltVolume *volume, const SlopeParams *params)
{
    Slope slope = {*params, block_of(volume)};
    double unit = slope.block.unit;
    slope.p.foot *= unit;
    slope.p.radius *= unit;
    slope.p.height *= unit;
    slope.p.width *= unit;
    return slope;
}

static double ground_distance(const Slope *s, const double place[3])
{
    return (s->p.foot + s->p.slope * place[1] - place[2]) / sqrt(1.0 + s->p.slope * s->p.slope);
}

// Upright pillars on a square grid, each rising from the floor.
static double pillars_distance(const void *shape, const double place[3])
{
    const Slope *s = shape;
    double square = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        double step = s->block.side[axis] / s->p.count;
        double nearest = floor(place[axis] / step);
        nearest = larger(0.0, smaller(nearest, s->p.count - 1.0));
        double from = place[axis] - (nearest + 0.5) * step;
        square += from * from;
    }
    double pillar = smaller(s->p.radius - sqrt(square), s->p.height - place[2]);
    return larger(ground_distance(s, place), pillar);
}

// A wall from side to side across the slope, with an arch through it.
static double bridge_distance(const void *shape, const double place[3])
{
    const Slope *s = shape;
    double middle = 0.5 * s->block.side[1], along = place[0] - 0.5 * s->block.side[0];
    double ground = ground_distance(s, place);
    double wall = smaller(0.5 * s->p.width - fabs(place[1] - middle), s->p.height - place[2]);
    double spring = s->p.foot + s->p.slope * middle; // the arch springs from the ground below the wall
    double up = larger(place[2] - spring, 0.0);
    double opening = s->p.radius - sqrt(along * along + up * up);
    return larger(ground, smaller(wall, -opening));
}

static double tunnel_distance(const void *shape, const double place[3])
{
    const Slope *s = shape;
    double x = place[0] - 0.5 * s->block.side[0], z = place[2] - s->p.foot;
    double tunnel = s->p.radius - sqrt(x * x + z * z);
    return smaller(s->p.height - place[2], -tunnel);
}

static SiltStatus pillars_run(SiltVolume *volume, const void *params)
{
    Slope slope = slope_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, pillars_distance, &slope);
}

static SiltStatus bridge_run(SiltVolume *volume, const void *params)
{
    Slope slope = slope_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, bridge_distance, &slope);
}

static SiltStatus tunnel_run(SiltVolume *volume, const void *params)
{
    Slope slope = slope_of(volume, params);
    return silt_volume_combine_shape(volume, SILT_UNION, tunnel_distance, &slope);
}

// ---- a headland: land in the north, a ridge of rock from it into the sea, and the sea's bed ----

typedef struct HeadlandParams {
    double height, width, length, bed, batter, rough, grain, beds, ledges, joints, creases, fall;
} HeadlandParams;

static const SiltParam headland_items[] = {
    SILT_REAL(HeadlandParams, height, "", 0.72, 0.0, 1.0, "height of the land above the floor"),
    SILT_REAL(HeadlandParams, width, "", 0.26, 0.01, 1.0, "width of the ridge at its foot"),
    SILT_REAL(HeadlandParams, length, "", 0.62, 0.0, 1.0,
              "how far it reaches, as part of the block's side north"),
    SILT_REAL(HeadlandParams, bed, "", 0.14, 0.0, 1.0, "height of the bed of the sea at the shore"),
    SILT_REAL(HeadlandParams, batter, "", 0.12, 0.0, 2.0, "how far its faces lean back per height"),
    SILT_REAL(HeadlandParams, rough, "", 0.03, 0.0, 0.5, "depth of the hollows in its faces"),
    SILT_REAL(HeadlandParams, grain, "", 0.16, 0.001, 1.0, "size of the hollows"),
    SILT_REAL(HeadlandParams, beds, "", 0.08, 0.001, 1.0, "thickness of its beds, on the mean"),
    SILT_REAL(HeadlandParams, ledges, "", 0.0, 0.0, 0.5, "how far hard beds stand out of its faces"),
    SILT_REAL(HeadlandParams, joints, "", 0.12, 0.001, 1.0, "width of the blocks that joints part it into"),
    SILT_REAL(HeadlandParams, creases, "", 0.0, 0.0, 0.5,
              "how deep the joints are, and how unevenly its blocks stand"),
    SILT_REAL(HeadlandParams, fall, "", 0.0, 0.0, 2.0,
              "how much lower the ridge is per distance from the shore"),
};

typedef struct Headland {
    HeadlandParams p; // voxels, but for batter and fall
    Block block;
    uint32_t seed;
} Headland;

// A number of 0 to 1 of a corner of a lattice.
static double corner_value(uint32_t seed, double x, double y, double z)
{
    return silt_rock_noise(seed, (const double[3]){x, y, z});
}

// How far a bed stands out: each has a thickness and a hardness of its own, and a groove parts it from the
// next.
static double ledge_at(const Headland *h, const double place[3])
{
    double wide[3] = {place[0] / (5.0 * h->p.beds), place[1] / (5.0 * h->p.beds), 0.5};
    double at = place[2] / h->p.beds + 0.35 * silt_rock_noise(h->seed + 11, wide), whole = floor(at),
           t = at - whole;
    double low = 0.35 * corner_value(h->seed + 12, whole, 0.0, 0.0);
    double high = 1.0 + 0.35 * corner_value(h->seed + 12, whole + 1.0, 0.0, 0.0);
    if (t < low) {
        high = low;
        low = 0.35 * corner_value(h->seed + 12, whole - 1.0, 0.0, 0.0) - 1.0;
        whole -= 1.0;
    }
    double groove = larger(1.0 - 7.0 * smaller(t - low, high - t), 0.0);
    return corner_value(h->seed + 13, whole, 0.0, 0.0) - 0.5 - 0.6 * groove;
}

// The same for the blocks between joints: cells around scattered points, twice as high as they are wide.
static double block_at(const Headland *h, const double place[3])
{
    double at[3] = {place[0] / h->p.joints, place[1] / h->p.joints, place[2] / (2.0 * h->p.joints)};
    double nearest = 1e9, next = 1e9, stands = 0.0;
    for (int n = 0; n < 27; n++) {
        double cell[3] = {floor(at[0]) + n % 3 - 1, floor(at[1]) + n / 3 % 3 - 1, floor(at[2]) + n / 9 - 1};
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            double point =
                cell[axis] + corner_value(h->seed + 14 + (uint32_t)axis, cell[0], cell[1], cell[2]);
            square += (at[axis] - point) * (at[axis] - point);
        }
        if (square < nearest)
            stands = corner_value(h->seed + 17, cell[0], cell[1], cell[2]) - 0.5;
        next = square < nearest ? nearest : smaller(next, square);
        nearest = smaller(nearest, square);
    }
    double crease = larger(1.0 - 5.0 * (sqrt(next) - sqrt(nearest)), 0.0);
    return stands - crease;
}

// Both faces of the ridge and the cliff of the land lean back, and its end is round.
static double headland_distance(const void *shape, const double place[3])
{
    const Headland *h = shape;
    double at[3], up = place[2] - h->p.bed, lean = larger(up, 0.0) * h->p.batter;
    for (int axis = 0; axis < 3; axis++)
        at[axis] = place[axis] / h->p.grain;
    double hollow = h->p.rough * (2.0 * silt_rock_noise(h->seed, at) - 1.0);
    double aside = fabs(place[0] - 0.5 * h->block.side[0]);
    double shore = h->block.side[1] - 0.3 * h->block.unit, head = h->block.side[1] - h->p.length;
    double past = larger(head + 0.5 * h->p.width - place[1], 0.0);
    double ridge = 0.5 * h->p.width - sqrt(aside * aside + past * past);
    double land = larger(place[1] - shore, ridge) - lean + hollow;
    double near = h->p.ledges + 2.0 * h->p.creases + 4.0; // beyond it is one whether there are any or not
    if (h->p.ledges > 0.0 && fabs(land) < near)
        land += h->p.ledges * ledge_at(h, place);
    if (h->p.creases > 0.0 && fabs(land) < near)
        land += h->p.creases * block_at(h, place);
    double top = h->p.height + 0.5 * hollow - place[2] - h->p.fall * larger(shore - place[1], 0.0);
    double bed =
        h->p.bed + 0.05 * (place[1] - shore) + 0.3 * hollow - place[2]; // it falls away from the shore
    // hollows and the leaning faces make it steeper than a distance
    return larger(bed, smaller(land, top)) / sqrt(1.0 + h->p.batter * h->p.batter) * 0.8;
}

static SiltStatus headland_run(SiltVolume *volume, const void *params)
{
    Headland h = {*(const HeadlandParams *)params, block_of(volume), (uint32_t)volume->rock_seed};
    double unit = h.block.unit, *lengths[] = {&h.p.height, &h.p.width,  &h.p.bed,    &h.p.rough,  &h.p.grain,
                                              &h.p.beds,   &h.p.ledges, &h.p.joints, &h.p.creases};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        *lengths[k] *= unit;
    h.p.length *= h.block.side[1];
    SiltStatus status = silt_volume_combine_shape(volume, SILT_UNION, headland_distance, &h);
    SiltLoose loose; // splinters between joints
    if (status == SILT_OK && (h.p.ledges > 0.0 || h.p.creases > 0.0))
        status = silt_volume_loose(volume, SILT_LOOSE_REMOVE, &loose);
    return status;
}

// ---- the list ----

static const SiltVolumeShape shapes[] = {
    {"pillars", "a slope with upright pillars", "Weiss 2016, fig. 4.3",
     SILT_PARAM_TABLE(SlopeParams, pillars_items), pillars_run},
    {"bridge", "a bridge of rock over a slope", "Weiss 2016, fig. 4.6b",
     SILT_PARAM_TABLE(SlopeParams, bridge_items), bridge_run},
    {"headland", "a ridge of rock that juts out into the sea", "",
     SILT_PARAM_TABLE(HeadlandParams, headland_items), headland_run},
    {"tunnel", "a block of rock with a tunnel through it", "", SILT_PARAM_TABLE(SlopeParams, tunnel_items),
     tunnel_run},
    {"caves",
     "a block of rock with tunnels and rooms along the ways of water",
     "",
     {silt_caves_items, SILT_CAVES_ITEMS, sizeof(SiltCavesParams)},
     silt_caves_run},
    {"sphere", "a sphere of rock", "", SILT_PARAM_TABLE(BodyParams, sphere_items), sphere_run},
    {"torus", "a ring of rock", "", SILT_PARAM_TABLE(BodyParams, torus_items), torus_run},
    {"box", "a box of rock", "", SILT_PARAM_TABLE(BodyParams, box_items), box_run},
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

int silt_volume_shape_count(void)
{
    return SHAPE_COUNT;
}

const SiltVolumeShape *silt_volume_shape_at(int index)
{
    return &shapes[index];
}

const SiltVolumeShape *silt_volume_shape_find(const char *name)
{
    for (int k = 0; k < SHAPE_COUNT; k++)
        if (strcmp(shapes[k].name, name) == 0)
            return &shapes[k];
    return NULL;
}

// Bytes of so many bricks at the surface, and of the triangles in them: about one and a half a voxel of a
// brick's side, of which each takes 65 bytes with its vertices while they are made.
static uint64_t bytes_of(const int size[3], int side, double bricks, bool meshed)
{
    double mesh = meshed ? bricks * side * side * 1.5 * 65.0 : 0.0;
    return silt_volume_bytes(size, side, (uint64_t)bricks) + (uint64_t)mesh;
}

SiltStatus silt_volume_make_bytes(const SiltVolumeShape *shape, const int size[3], int side, double cell,
                                  const void *params, const SiltRock *rock, uint64_t seed, bool meshed,
                                  uint64_t *out)
{
    enum { PROBE = 64 };
    const double spare = 1.25; // a small one has lost what is thinner than its voxels
    int longest = 0, small[3];
    double total = 1.0;
    *out = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = size[axis] > longest ? size[axis] : longest;
        total *= floor(((double)size[axis] + side - 1.0) / side);
    }
    if (longest > SILT_MAX_VOXELS || side < 1)
        return SILT_OK;                         // is refused by who makes it
    *out = bytes_of(size, side, total, meshed); // if all of it lay at the surface
    if (longest <= 2 * PROBE || (*out < UINT64_C(1) << 29 && *out <= silt_memory_available()))
        return SILT_OK;
    double scale = (double)longest / PROBE;
    for (int axis = 0; axis < 3; axis++)
        small[axis] = (int)larger(floor(size[axis] / scale + 0.5), 2.0);
    SiltVolume *probe;
    SiltStatus status = silt_volume_make(shape, small, 8, cell * scale, params, rock, seed, &probe);
    if (status != SILT_OK)
        return SILT_OK; // there may be too little of it at this size
    double bricks =
        (double)silt_volume_info(probe).brick_count * scale * scale * spare * 64.0 / (side * side);
    silt_volume_destroy(probe);
    *out = bytes_of(size, side, smaller(bricks, total), meshed);
    return SILT_OK;
}

SiltStatus silt_volume_make(const SiltVolumeShape *shape, const int size[3], int side, double cell,
                            const void *params, const SiltRock *rock, uint64_t seed, SiltVolume **out)
{
    *out = NULL;
    SiltVolume *volume = NULL;
    void *defaults = NULL;
    SiltStatus status = silt_alloc_for("parameters", 1, shape->params.size, &defaults);
    if (status == SILT_OK)
        status = silt_params_init(&shape->params, defaults);
    if (status == SILT_OK && params)
        status = silt_params_check(&shape->params, params, shape->name);
    if (status == SILT_OK)
        status = silt_volume_create(size, side, cell, rock, seed, &volume);
    if (status == SILT_OK)
        status = shape->run(volume, params ? params : defaults);
    if (status == SILT_OK && !(silt_volume_rock(volume) > 0.0))
        status = silt_fail(SILT_BAD_ARGUMENT,
                           "%s: no rock is left of it in %d x %d x %d voxels: it is thinner than one; take "
                           "more of them, or a larger shape",
                           shape->name, size[0], size[1], size[2]);
    silt_free(defaults); // no shape has a list
    if (status != SILT_OK) {
        silt_volume_destroy(volume);
        return status;
    }
    *out = volume;
    return SILT_OK;
}
