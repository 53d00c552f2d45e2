// What covers the ground, cell by cell: the weights that the pictures' shader (shaders/land.glsl) draws sand,
// grass, rock and snow with, its speckle at its mean; and the colour they make.
#ifndef SILT_TERRAIN_COVER_H
#define SILT_TERRAIN_COVER_H

#include "core/colour.h"
#include "silt/terrain.h"

// Snow lies above this many metres on land between two heights: on the upper part of mountains, or nowhere.
double silt_usual_snow_line(double low, double high);

typedef struct SiltCoverMap {
    const SiltTerrain *terrain;
    const SiltField *height, *sky, *water, *ice; // the last two may be NULL
    float low, over_span;                        // of heights
    float snow_line;                             // as a part of the span
    float arid;
    SiltField around; // open sky and water of blocks of 8 x 8 cells, one above the other
} SiltCoverMap;

// `sky` is what silt_light_sky makes, `snow` metres above which snow lies or NaN, `arid` 0 to 1.
// silt_cover_end frees what it holds.
SiltStatus silt_cover_begin(const SiltTerrain *terrain, double snow, double arid, const SiltField *sky,
                            SiltCoverMap *out);
void silt_cover_end(SiltCoverMap *map);

typedef struct SiltCover {
    float weights[SILT_COVER_COUNT]; // their sum is 1 but for rounding
    float scree;                     // share of rubble below rock, part of the rock's weight
    float lush, trees;               // of the grass: green rather than dry, forest rather than meadow
    float level;                     // 0 at the lowest place, 1 at the highest
    float pale;                      // of the rock
} SiltCover;
// In linear light.
SiltColour silt_cover_colour(float arid, const SiltCover *cover);
// The colour of one cell of the map, and of bare rock.
SiltColour silt_cover_colour_at(const SiltCoverMap *map, int i, int j);
SiltColour silt_cover_colour_rock(float arid);

// What a place is like for what covers it.
typedef struct SiltPlace {
    float level;     // 0 at the lowest place, 1 at the highest
    float steep;     // rise over run
    float north;     // of the normal
    float open;      // sky, 0 to 1
    float shore;     // 1 beside water
    float ice;       // metres
    float snow_line; // as level
    float arid;
} SiltPlace;
SiltCover silt_cover_of(const SiltPlace *place);

// The same for cells side by side, many at a time.
enum { SILT_COVER_CELLS = 256 };
typedef struct SiltCoverCells {
    float weights[SILT_COVER_COUNT][SILT_COVER_CELLS];
    float scree[SILT_COVER_CELLS], lush[SILT_COVER_CELLS], trees[SILT_COVER_CELLS], level[SILT_COVER_CELLS];
} SiltCoverCells;
// Of `count` cells, SILT_COVER_CELLS at the most, from (i, j) on; the slopes are theirs.
void silt_cover_cells(const SiltCoverMap *map, int i, int j, int count, const float *slope_east,
                      const float *slope_south, SiltCoverCells *out);
void silt_cover_colours(float arid, const SiltCoverCells *cells, int count, float out[3][SILT_COVER_CELLS]);

// Integers in the proportion of the weights whose sum is `largest`: what rounding down leaves goes to those
// that lost most.
void silt_cover_quantise(const float weights[SILT_COVER_COUNT], unsigned largest,
                         uint16_t out[SILT_COVER_COUNT]);

#endif
