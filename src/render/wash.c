#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/wash.h"

#include "core/status.h"
#include "render/shaders.h"

static void drop_targets(SiltWash *wash)
{
    GLuint textures[] = {wash->kept, wash->place, wash->ground};
    GLuint frames[] = {wash->frame, wash->finished, wash->shown};
    GLuint buffers[] = {wash->depth, wash->shown_colour};
    glDeleteFramebuffers(3, frames);
    glDeleteRenderbuffers(2, buffers);
    glDeleteTextures(3, textures);
    *wash = (SiltWash){.programs = {wash->programs[0], wash->programs[1]}, .array = wash->array};
}

void silt_wash_destroy(SiltWash *wash)
{
    drop_targets(wash);
    for (int k = 0; k < 2; k++)
        glDeleteProgram(wash->programs[k]);
    glDeleteVertexArrays(1, &wash->array);
    *wash = (SiltWash){0};
}

bool silt_wash_fits(const SiltGround *ground)
{
    return ground->has_water && !ground->has_overlay && !ground->has_ice &&
           ground->pieces_x * ground->pieces_y == 1;
}

static void make_buffer(GLuint *buffer, GLenum attachment, GLenum form, int width, int height)
{
    glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, form, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, *buffer);
}

static void make_texture(GLuint *texture, const SiltTextureForm *form, int index, int width, int height)
{
    silt_gl_texture(texture, form, width, height, NULL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)index, GL_TEXTURE_2D, *texture, 0);
}

static void make_frame(GLuint *frame)
{
    glGenFramebuffers(1, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, *frame);
}

static SiltStatus make_targets(SiltWash *wash, int width, int height)
{
    static const SiltTextureForm light = {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true, false, false};
    static const SiltTextureForm place = {GL_RGBA32F, GL_RGBA, GL_FLOAT, false, false, false};
    static const SiltTextureForm eight = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, false, false, false};
    drop_targets(wash);
    make_frame(&wash->finished);
    make_texture(&wash->ground, &eight, 0, width, height);
    make_frame(&wash->shown);
    make_buffer(&wash->shown_colour, GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height);
    make_buffer(&wash->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, width, height);
    make_frame(&wash->frame);
    make_texture(&wash->kept, &light, 0, width, height);
    make_texture(&wash->place, &place, 1, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, wash->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return silt_fail(SILT_MISSING_FEATURE,
                         "render: the graphics driver cannot draw into two floating-point pictures at once");
    wash->width = width;
    wash->height = height;
    return silt_gl_check("a picture");
}

SiltStatus silt_wash_begin(SiltWash *wash, int width, int height)
{
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    static const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f}, far = 1.0f;
    SiltStatus status = SILT_OK;
    if (wash->width != width || wash->height != height)
        status = make_targets(wash, width, height);
    if (status != SILT_OK)
        return status;
    wash->is_kept = true;
    glBindFramebuffer(GL_FRAMEBUFFER, wash->frame);
    glDrawBuffers(2, both);
    glViewport(0, 0, width, height);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_COLOR, 1, nothing);
    glClearBufferfv(GL_DEPTH, 0, &far);
    return SILT_OK;
}

void silt_wash_leave_land(SiltWash *wash)
{
    static const GLenum one[] = {GL_COLOR_ATTACHMENT0, GL_NONE};
    (void)wash;
    glDrawBuffers(2, one);
}

static SiltStatus require_programs(SiltWash *wash)
{
    static const char *const parts[] = {silt_shader_common_glsl, "uniform sampler2D noise_map;\n",
                                        silt_shader_water_glsl,  silt_shader_film_glsl,
                                        silt_shader_wash_frag,   NULL};
    static const char *const defines[2] = {"#define DRAFT 1\n#define COPIES 1\n",
                                           "#define DRAFT 1\n#define COPIES 0\n"};
    SiltStatus status = SILT_OK;
    if (!wash->array)
        glGenVertexArrays(1, &wash->array);
    for (int k = 0; k < 2 && status == SILT_OK; k++)
        if (!wash->programs[k])
            status = silt_gl_program("wash", defines[k], silt_shader_screen_vert, parts, &wash->programs[k]);
    return status;
}

// Renderers that run both sides of an `if` do nothing where the depth forbids it.
SiltStatus silt_wash_draw(SiltWash *wash, const SiltGround *ground, const SiltView *view,
                          const SiltPost *post)
{
    SiltStatus status = require_programs(wash);
    if (status != SILT_OK)
        return status;
    glBindFramebuffer(GL_FRAMEBUFFER, wash->shown);
    glViewport(0, 0, wash->width, wash->height);
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(wash->array);
    for (int k = 0; k < 2; k++) {
        GLuint program = wash->programs[k];
        silt_ground_uniforms(ground, view, program);
        // units that samplers of the ground have, but these look at no heights and overlays
        silt_gl_sampler(program, k == 0 ? "shown_map" : "kept", 0, k == 0 ? wash->ground : wash->kept);
        silt_gl_sampler(program, "place_map", 1, wash->place);
        silt_gl_sampler(program, "bloom", 4, post->bloom_light[0]);
        silt_gl_float(program, "glow", post->bloom_strength);
        glDepthFunc(k == 0 ? GL_ALWAYS : GL_LEQUAL); // the screen lies at depth 1
        glDepthMask(k == 0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glBindVertexArray(0);
    return SILT_OK;
}

#endif
