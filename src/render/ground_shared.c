// A height field on the card whose values come from a buffer that lies there already.
#include "silt/base.h"

#ifdef SILT_HAS_GL
#include <stdint.h>

#include "core/status.h"
#include "render/ground.h"
#include "render/shaders.h"

static const SiltTextureForm slopes_form = {GL_RG16F, GL_RG, GL_HALF_FLOAT, false, false, false};

static bool fits(const SiltGround *ground, const SiltSharedLand *land)
{
    return ground->pieces && ground->pieces_x * ground->pieces_y == 1 && ground->pieces->is_filled &&
           silt_ground_thin(ground) == 1 && !ground->has_overlay && !ground->has_ice &&
           (!land->has_water || (ground->has_water && ground->has_cover)) && land->width == ground->width &&
           land->height == ground->height;
}

// From the buffer that is bound.
static void take(GLuint texture, GLenum format, GLenum type, const SiltSharedLand *land, size_t at)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, land->width, land->height, format, type,
                    (const void *)(uintptr_t)at);
}

static SiltStatus require_slopes(SiltGround *ground)
{
    static const char *const parts[] = {silt_shader_slopes_frag, NULL};
    SiltStatus status = SILT_OK;
    if (!ground->slopes_program)
        status = silt_gl_program("slopes", "", silt_shader_screen_vert, parts, &ground->slopes_program);
    if (status != SILT_OK || ground->slopes_map)
        return status;
    glGenVertexArrays(1, &ground->slopes_array);
    glGenFramebuffers(1, &ground->slopes_frame);
    silt_gl_texture(&ground->slopes_map, &slopes_form, ground->width, ground->height, NULL);
    return SILT_OK;
}

// Two of the surface's four numbers; the light stays.
static SiltStatus lay_slopes(SiltGround *ground, const SiltPiece *piece)
{
    glBindFramebuffer(GL_FRAMEBUFFER, ground->slopes_frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, piece->surface_map, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: the graphics driver draws no floating-point pictures");
    glViewport(0, 0, ground->width, ground->height);
    glDisable(GL_DEPTH_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_FALSE, GL_FALSE);
    glUseProgram(ground->slopes_program);
    silt_gl_sampler(ground->slopes_program, "slopes_map", 0, ground->slopes_map);
    glBindVertexArray(ground->slopes_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBindTexture(GL_TEXTURE_2D, piece->surface_map);
    glGenerateMipmap(GL_TEXTURE_2D);
    return SILT_OK;
}

SiltStatus silt_ground_update_shared(SiltGround *ground, const SiltRange *range, const SiltSharedLand *land)
{
    if (!fits(ground, land))
        return silt_fail(SILT_BAD_ARGUMENT, "render: this land is not drawn from a buffer");
    SiltStatus status = require_slopes(ground);
    if (status != SILT_OK)
        return status;
    const SiltPiece *piece = ground->pieces;
    ground->range = *range;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, land->buffer);
    take(piece->height_map, GL_RED, GL_FLOAT, land, land->heights);
    take(ground->slopes_map, GL_RG, GL_HALF_FLOAT, land, land->slopes);
    if (land->has_water) {
        take(piece->water_map, GL_RED, GL_FLOAT, land, land->water);
        take(piece->cover_map, GL_RGBA, GL_UNSIGNED_BYTE, land, land->cover);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    status = lay_slopes(ground, piece);
    return status == SILT_OK ? silt_gl_check("the terrain") : status;
}

void silt_ground_drop_shared(SiltGround *ground)
{
    glDeleteProgram(ground->slopes_program);
    glDeleteVertexArrays(1, &ground->slopes_array);
    glDeleteFramebuffers(1, &ground->slopes_frame);
    glDeleteTextures(1, &ground->slopes_map);
    ground->slopes_program = ground->slopes_array = ground->slopes_frame = ground->slopes_map = 0;
}

#endif
