#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/palette.h"

#include <math.h>

enum { COLOURS = 256 };

static uint8_t byte_of(float value)
{
    return (uint8_t)(value <= 0.0f ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f);
}

// sRGB to linear light, as bytes: the ramps are given as they shall look.
static uint8_t linear_byte(float value)
{
    return byte_of(value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f));
}

static void put(uint8_t to[4], SiltColour colour, float cover)
{
    to[0] = linear_byte(colour.r);
    to[1] = linear_byte(colour.g);
    to[2] = linear_byte(colour.b);
    to[3] = byte_of(cover);
}

static void upload(GLuint *texture, uint8_t ramp[COLOURS][4])
{
    static const SiltTextureForm form = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true, false, false};
    silt_gl_texture(texture, &form, COLOURS, 1, ramp);
}

void silt_palette_upload(GLuint *texture, const SiltScale *scale)
{
    uint8_t ramp[COLOURS][4];
    for (int k = 0; k < COLOURS; k++) {
        float place = (float)k / (COLOURS - 1);
        SiltColour colour = scale ? silt_scale_colour(scale, place) : silt_ramp_heights(place);
        put(ramp[k], colour, 1.0f);
    }
    upload(texture, ramp);
}

void silt_palette_water(GLuint *texture)
{
    static const SiltColour stops[] = {{0.24f, 0.47f, 0.60f}, {0.36f, 0.46f, 0.42f}, {0.50f, 0.40f, 0.26f}};
    uint8_t ramp[COLOURS][4];
    for (int k = 0; k < COLOURS; k++)
        put(ramp[k], silt_ramp(stops, 3, (float)k / (COLOURS - 1)), 1.0f);
    upload(texture, ramp);
}

#endif
