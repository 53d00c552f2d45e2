// The ground of a terrain in grains (physics/grains.h), and back: what models that work in whole numbers
// share.
#ifndef SILT_ERODE_GROUND_H
#define SILT_ERODE_GROUND_H

#include "erode/model.h"

typedef struct SiltGround {
    const SiltTerrain *terrain;
    const SiltField *height;
    const SiltField *before; // "change" as the run found it, or NULL
    double grain;            // metres, a power of two
    double low, high;        // metres, lowest and highest ground; grain number zero lies at low
} SiltGround;

// Thirty bits span the heights and `headroom` metres above them, and every deposit: a terrain of 2,000 m has
// grains of two micrometres. Copies the layer "change", if there is one, into `before`, a field of the
// model's state. Fails, in a sentence that begins with `owner`, when a height is not finite.
SiltStatus silt_ground_begin(const char *owner, const SiltTerrain *terrain, double headroom,
                             SiltField *before, SiltGround *out);

// Metres above sea level, as the run found the cell.
double silt_ground_height(const SiltGround *ground, int i, int j);
// The same in grains above the lowest.
int32_t silt_ground_grains(const SiltGround *ground, int i, int j);
void silt_ground_grains_row(const SiltGround *ground, int j, int32_t *out);
// Metres of a layer, not below zero, in grains; 0 for NULL.
int32_t silt_ground_layer_grains(const SiltGround *ground, const SiltField *layer, int i, int j);
// The layer "change" for columns begin to end of row j, which has `grains` now.
void silt_ground_change_row(const SiltGround *ground, const int32_t *grains, int j, int begin, int end,
                            float *out);
// The layer "deposition" of a row from which so many grains were taken: those, and what it has gained since.
void silt_ground_laid_row(const SiltGround *ground, const int32_t *grains, const int32_t *worn, int j,
                          int begin, int end, float *out);
// The sum of all heights of cells with data, in metres; of the whole map, as the grain and `low` are.
double silt_ground_sum(const SiltGround *ground);

// Raises the cell as the run found it by `metres`, or by so many grains that it gains no less than `least`
// and no more than `most`: the grains it has gained. What the run has changed since stays as it is.
int32_t silt_ground_edit(const SiltGround *ground, int i, int j, float metres, int32_t least, int32_t most);
// Whether a cell that has `now` grains can be raised by `metres` and stay between `least` and `most`.
bool silt_ground_can_edit(const SiltGround *ground, int i, int j, float metres, int32_t now, int32_t least,
                          int32_t most);
// After the state was brought back.
SiltStatus silt_ground_resume(const char *owner, SiltGround *ground, const SiltField *before);

#define SILT_GROUND_STATE(S, ground)                                                                         \
    SILT_STATE(S, ground.grain, SILT_STATE_DOUBLE, "m", "height of a grain"),                                \
        SILT_STATE(S, ground.low, SILT_STATE_DOUBLE, "m", "lowest ground, where grain zero lies"),           \
        SILT_STATE(S, ground.high, SILT_STATE_DOUBLE, "m", "highest ground as the run found it")

static inline int32_t *silt_grains_row(const SiltField *field, int j)
{
    return (int32_t *)(void *)silt_field_row(field, j);
}

#endif
