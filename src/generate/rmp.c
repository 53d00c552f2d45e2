// A mountain at a given place, by repeated magnification and probing (Kamal and Uddin 2007; Fritz 2016, 3.3):
// again and again the map is cut into random polygons, and the polygon that holds the peak is raised,
// together with those around it as far as the mountain spreads.
#include "core/streams.h"
#include "generate/massif.h"
#include "generate/shape.h"

typedef struct RmpParams {
    double place[2];
    double height, spread, sharpness, ridges, smooth;
    int cells, complexity, iterations;
    bool paper;
} RmpParams;

static const SiltParam rmp_items[] = {
    SILT_PAPER_SWITCH(RmpParams),
    SILT_VECTOR2(RmpParams, place, "", 0.5, 0.5, 0.0, 1.0,
                 "where the peak is, as a fraction of the map eastwards and southwards"),
    SILT_LENGTH(RmpParams, height, 0.0, 0.15, "height of the peak"),
    SILT_LENGTH_OF(RmpParams, spread, 0.0, 0.4,
                   "how far the mountain reaches from its peak; 0 raises the polygon of the peak alone", "0"),
    SILT_REAL(RmpParams, sharpness, "", 1.5, 0.1, 10.0, "1 for a cone, more for a spire, less for a dome"),
    SILT_REAL(RmpParams, ridges, "", 1.5, 0.0, 10.0, "how much ridges and valleys stand out; 0 for none",
              .paper = "0"),
    SILT_CHOICE(RmpParams, cells, "voronoi graph", "voronoi",
                "polygons from random seeds, or from random cut lines"),
    SILT_INT(RmpParams, complexity, "", 2000, 1, SILT_MAX_POLYGONS,
             "polygons the map is cut into in each iteration"),
    SILT_INT(RmpParams, iterations, "", 200, 1, 100000, "how often polygons are drawn and raised"),
    SILT_LENGTH_OF(RmpParams, smooth, 0.0, 0.006, "how far the edges of polygons are softened", "0"),
};

static SiltStatus rmp_run(SiltTerrain *terrain, const void *params, const SiltRun *run)
{
    RmpParams own = *(const RmpParams *)params, *p = &own;
    SILT_RESOLVE(rmp_items, p, terrain);
    SiltMassif massif = {.name = "rmp",
                         .stream = SILT_STREAM_RMP,
                         .from = {p->place[0], p->place[1]},
                         .to = {p->place[0], p->place[1]},
                         .height = p->height,
                         .spread = p->spread,
                         .sharpness = p->sharpness,
                         .ridges = p->ridges,
                         .smooth = p->smooth,
                         .keep_peak = true,
                         .polygons = p->cells,
                         .complexity = p->complexity,
                         .iterations = p->iterations};
    return silt_massif_raise(terrain, &massif, run);
}

const SiltGenerator silt_generator_rmp = {
    .name = "rmp",
    .summary = "a mountain at a given place, from random polygons",
    .source = "Fritz 2016, section 3.3, after Kamal and Uddin 2007",
    .params = SILT_PARAM_TABLE(RmpParams, rmp_items),
    .run = rmp_run,
};
