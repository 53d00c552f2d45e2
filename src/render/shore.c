#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/shore.h"

#include <math.h>

#include "core/memory.h"

enum { SIDE = 512 };

typedef struct Shore {
    float *away; // metres, SIDE * SIDE
    double low[2], texel[2];
} Shore;

// Marks the texels of a line from a to b.
static void mark(Shore *shore, const double a[2], const double b[2])
{
    double from[2], to[2];
    for (int k = 0; k < 2; k++) {
        from[k] = (a[k] - shore->low[k]) / shore->texel[k];
        to[k] = (b[k] - shore->low[k]) / shore->texel[k];
    }
    int steps = (int)fmin(fmax(fabs(to[0] - from[0]), fabs(to[1] - from[1])), 4.0 * SIDE) + 1;
    for (int n = 0; n <= steps; n++) {
        double x = floor(from[0] + (to[0] - from[0]) * n / steps),
               y = floor(from[1] + (to[1] - from[1]) * n / steps);
        if (x >= 0.0 && x < SIDE && y >= 0.0 && y < SIDE)
            shore->away[(size_t)y * SIDE + (size_t)x] = 0.0f;
    }
}

// Where the triangles pass through the level of the sea.
static void mark_lines(Shore *shore, const SiltFacets *facets, double level)
{
    for (size_t t = 0; t < facets->triangle_count; t++) {
        double at[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
        int met = 0;
        for (int k = 0; k < 3 && met < 2; k++) {
            const float *p = facets->places + (size_t)facets->stride * facets->indices[3 * t + (size_t)k];
            const float *q =
                facets->places + (size_t)facets->stride * facets->indices[3 * t + (size_t)((k + 1) % 3)];
            double low = (double)p[2] - level, high = (double)q[2] - level;
            if ((low < 0.0) == (high < 0.0))
                continue;
            double part = low / (low - high);
            for (int axis = 0; axis < 2; axis++)
                at[met][axis] = (double)p[axis] + part * ((double)q[axis] - (double)p[axis]);
            met++;
        }
        if (met == 2)
            mark(shore, at[0], at[1]);
    }
}

// Distances from texel to texel, along axes and diagonals, towards the far corner and back.
static void spread(Shore *shore)
{
    double across = hypot(shore->texel[0], shore->texel[1]);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < SIDE * SIDE; n++) {
            int place = pass == 0 ? n : SIDE * SIDE - 1 - n, x = place % SIDE, y = place / SIDE,
                back = pass == 0 ? -1 : 1;
            const int beside[4][2] = {{back, 0}, {0, back}, {back, back}, {-back, back}};
            double best = (double)shore->away[place];
            for (int k = 0; k < 4; k++) {
                int i = x + beside[k][0], j = y + beside[k][1];
                if (i < 0 || i >= SIDE || j < 0 || j >= SIDE)
                    continue;
                double way = k == 0 ? shore->texel[0] : k == 1 ? shore->texel[1] : across;
                best = fmin(best, (double)shore->away[j * SIDE + i] + way);
            }
            shore->away[place] = (float)best;
        }
}

SiltStatus silt_shore_set(GLuint *map, const SiltFacets *facets, SiltClip *clip)
{
    static const SiltTextureForm form = {GL_R16F, GL_RED, GL_FLOAT, true, false, false};
    Shore shore;
    SiltStatus status = silt_alloc_for("a picture", (size_t)SIDE * SIDE, sizeof(float), (void **)&shore.away);
    if (status != SILT_OK)
        return status;
    for (int k = 0; k < 2; k++) {
        shore.low[k] = (double)clip->low[k];
        shore.texel[k] = fmax(((double)clip->high[k] - shore.low[k]) / SIDE, 1e-6);
    }
    for (size_t k = 0; k < (size_t)SIDE * SIDE; k++)
        shore.away[k] = 60000.0f; // the most that half a float holds
    mark_lines(&shore, facets, (double)clip->sea);
    spread(&shore);
    for (size_t k = 0; k < (size_t)SIDE * SIDE; k++)
        shore.away[k] = fminf(shore.away[k], 60000.0f);
    silt_gl_texture(map, &form, SIDE, SIDE, shore.away);
    clip->shore = *map;
    silt_free(shore.away);
    return SILT_OK;
}

#endif
