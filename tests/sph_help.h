// What the tests of particle water share.
#ifndef SILT_SPH_HELP_H
#define SILT_SPH_HELP_H

#include "test.h"

#include "core/streams.h"
#include "physics/random.h"
#include "sph/sph.h"

static inline SiltSph *make_water(const SiltSphConfig *config)
{
    SiltSph *sph;
    assert_ok(silt_sph_create("test", config, &sph));
    return sph;
}

static inline void set_faces(SiltSphConfig *config, int axis, int face)
{
    config->face[axis][0] = config->face[axis][1] = face;
}

static inline void fill_box(SiltSph *sph, double x, double y, double z)
{
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {x, y, z};
    const float still[3] = {0.0f, 0.0f, 0.0f};
    silt_sph_fill(sph, low, high, still);
}

static inline float draw(uint64_t seed, uint64_t index, uint32_t what)
{
    return silt_uniform(silt_random(seed, SILT_STREAM_TEST, index, what).word[0]);
}

#endif
