// A mountain range between two points (Fritz 2016, 3.6.2 and 4.2): as `rmp`, but raising all the polygons
// that the line between them crosses, alike (fig. 4.8) or each by its own amount (fig. 4.9).
#include "core/streams.h"
#include "generate/massif.h"
#include "generate/shape.h"

typedef struct RangeParams {
    double from[2], to[2];
    double height, spread, wander, sharpness, ridges, variation, smooth;
    int raise, cells, complexity, iterations;
} RangeParams;

static const SiltParam range_items[] = {
    SILT_VECTOR2(RangeParams, from, "", 0.2, 0.7, 0.0, 1.0,
                 "where the range begins, as a fraction of the map eastwards and southwards"),
    SILT_VECTOR2(RangeParams, to, "", 0.8, 0.3, 0.0, 1.0, "where the range ends"),
    SILT_LENGTH(RangeParams, height, 0.0, 0.15,
                "height of the crest, or its mean when polygons rise by their own amounts"),
    SILT_LENGTH(RangeParams, spread, 0.0, 0.25,
                "how far the range reaches from its crest; 0 raises the polygons under the crest alone"),
    SILT_REAL(RangeParams, wander, "", 0.2, 0.0, 0.5,
              "how far the crest strays from the straight line, as a fraction of its length"),
    SILT_REAL(RangeParams, sharpness, "", 1.5, 0.1, 10.0,
              "1 for a gable, more for a knife's edge, less for a barrel"),
    SILT_CHOICE(RangeParams, raise, "alike random", "random",
                "polygons of an iteration rise alike, or each by its own amount"),
    SILT_REAL(RangeParams, variation, "", 1.0, 0.0, 1.0,
              "how far its own amount may be from the mean, as a fraction of it"),
    SILT_REAL(RangeParams, ridges, "", 1.5, 0.0, 10.0, "how much ridges and valleys stand out; 0 for none"),
    SILT_CHOICE(RangeParams, cells, "voronoi graph", "voronoi",
                "polygons from random seeds, or from random cut lines"),
    SILT_INT(RangeParams, complexity, "", 2000, 1, SILT_MAX_POLYGONS,
             "polygons the map is cut into in each iteration"),
    SILT_INT(RangeParams, iterations, "", 200, 1, 100000, "how often polygons are drawn and raised"),
    SILT_LENGTH(RangeParams, smooth, 0.0, 0.006, "how far the edges of polygons are softened"),
};

static SiltStatus range_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    RangeParams own = *(const RangeParams *)params, *p = &own;
    SILT_RESOLVE(range_items, p, terrain);
    SiltMassif massif = {.name = "range",
                         .stream = SILT_STREAM_RANGE,
                         .from = {p->from[0], p->from[1]},
                         .to = {p->to[0], p->to[1]},
                         .height = p->height,
                         .spread = p->spread,
                         .sharpness = p->sharpness,
                         .ridges = p->ridges,
                         .wander = p->wander,
                         .smooth = p->smooth,
                         .variation = p->raise == 1 ? p->variation : 0.0,
                         .polygons = p->cells,
                         .complexity = p->complexity,
                         .iterations = p->iterations};
    return silt_massif_raise(terrain, &massif, run);
}

const SiltGenerator silt_generator_range = {
    .name = "range",
    .summary = "a mountain range between two points, from random polygons",
    .source = "Fritz 2016, sections 3.6.2 and 4.2",
    .params = SILT_PARAM_TABLE(RangeParams, range_items),
    .run = range_run,
};
