#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/post.h"

#include <math.h>

#include "core/status.h"
#include "render/shaders.h"

enum { SAMPLES = 4, BLOOM_PART = 4 };

static SiltStatus create(const char *const finishes[3], SiltPost *out)
{
    glGenVertexArrays(1, &out->array);
    silt_post_set_quick(out, out->is_draft);
    static const char *const bright[] = {silt_shader_bright_frag, NULL};
    static const char *const blur[] = {silt_shader_blur_frag, NULL};
    static const char *const last[] = {silt_shader_film_glsl, silt_shader_finish_frag, NULL};
    SiltStatus status = silt_gl_program("bright", "", silt_shader_screen_vert, bright, &out->bright_program);
    if (status == SILT_OK)
        status = silt_gl_program("blur", "", silt_shader_screen_vert, blur, &out->blur_program);
    for (int k = 0; k < 3 && status == SILT_OK; k++)
        if (finishes[k])
            status = silt_gl_program("finish", finishes[k], silt_shader_screen_vert, last,
                                     &out->finish_programs[k]);
    return status;
}

SiltStatus silt_post_create(SiltPost *out)
{
    static const char *const finishes[3] = {"#define SMOOTHS 0\n#define DRAFT 0\n",
                                            "#define SMOOTHS 1\n#define DRAFT 0\n", NULL};
    *out = (SiltPost){0};
    return create(finishes, out);
}

SiltStatus silt_post_create_draft(SiltPost *out)
{
    static const char *const finishes[3] = {NULL, NULL, "#define SMOOTHS 0\n#define DRAFT 1\n"};
    *out = (SiltPost){.is_draft = true};
    return create(finishes, out);
}

void silt_post_set_quick(SiltPost *post, bool quick)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    post->samples = quick ? 1 : most > SAMPLES ? SAMPLES : most;
    post->width = 0; // the targets are made again
}

static void drop_targets(SiltPost *post)
{
    GLuint frames[] = {post->drawn, post->resolved, post->shown, post->bloom[0], post->bloom[1]};
    GLuint buffers[] = {post->drawn_colour, post->drawn_depth, post->shown_colour};
    GLuint textures[] = {post->light, post->bloom_light[0], post->bloom_light[1]};
    glDeleteFramebuffers(5, frames);
    glDeleteRenderbuffers(3, buffers);
    glDeleteTextures(3, textures);
    SiltPost kept = {
        .samples = post->samples,
        .smooths = post->smooths,
        .bright_program = post->bright_program,
        .blur_program = post->blur_program,
        .is_draft = post->is_draft,
        .finish_programs = {post->finish_programs[0], post->finish_programs[1], post->finish_programs[2]},
        .array = post->array};
    *post = kept;
}

void silt_post_destroy(SiltPost *post)
{
    drop_targets(post);
    glDeleteProgram(post->bright_program);
    glDeleteProgram(post->blur_program);
    for (int k = 0; k < 3; k++)
        glDeleteProgram(post->finish_programs[k]);
    glDeleteVertexArrays(1, &post->array);
    *post = (SiltPost){0};
}

static void make_buffer(GLuint *buffer, GLenum attachment, int samples, GLenum form, int width, int height)
{
    glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    if (samples > 1)
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, form, width, height);
    else
        glRenderbufferStorage(GL_RENDERBUFFER, form, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, *buffer);
}

static void make_frame(GLuint *frame)
{
    glGenFramebuffers(1, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, *frame);
}

static void make_light(GLuint *frame, GLuint *texture, int width, int height)
{
    static const SiltTextureForm form = {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true, false, false};
    make_frame(frame);
    silt_gl_texture(texture, &form, width, height, NULL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
}

static SiltStatus make_targets(SiltPost *post, int width, int height)
{
    drop_targets(post);
    post->width = width;
    post->height = height;
    post->bloom_width = (width + BLOOM_PART - 1) / BLOOM_PART;
    post->bloom_height = (height + BLOOM_PART - 1) / BLOOM_PART;
    make_light(&post->resolved, &post->light, width, height);
    for (int k = 0; k < 2; k++)
        make_light(&post->bloom[k], &post->bloom_light[k], post->bloom_width, post->bloom_height);
    make_frame(&post->shown);
    make_buffer(&post->shown_colour, GL_COLOR_ATTACHMENT0, 0, GL_RGBA8, width, height);
    make_frame(&post->drawn);
    make_buffer(&post->drawn_colour, GL_COLOR_ATTACHMENT0, post->samples, GL_RGBA16F, width, height);
    make_buffer(&post->drawn_depth, GL_DEPTH_ATTACHMENT, post->samples, GL_DEPTH_COMPONENT24, width, height);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    SiltStatus status = silt_gl_check("a picture");
    if (status != SILT_OK || complete)
        return status;
    return silt_fail(SILT_MISSING_FEATURE,
                     "render: the graphics driver cannot draw into floating-point pictures");
}

bool silt_post_smooths(const SiltPost *post)
{
    return !post->is_draft && (post->samples <= 1 || post->smooths);
}

void silt_post_resume(SiltPost *post)
{
    glBindFramebuffer(GL_FRAMEBUFFER, post->drawn);
    glViewport(0, 0, post->width, post->height);
}

SiltStatus silt_post_begin(SiltPost *post, int width, int height)
{
    SiltStatus status = SILT_OK;
    if (post->width != width || post->height != height)
        status = make_targets(post, width, height);
    silt_post_resume(post);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return status;
}

void silt_post_resolve(SiltPost *post)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, post->drawn);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, post->resolved);
    glBlitFramebuffer(0, 0, post->width, post->height, 0, 0, post->width, post->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

static void cover(const SiltPost *post)
{
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(post->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

void silt_post_make_bloom(SiltPost *post)
{
    glViewport(0, 0, post->bloom_width, post->bloom_height);
    glUseProgram(post->bright_program);
    silt_gl_sampler(post->bright_program, "picture", 0, post->light);
    silt_gl_vec2(post->bright_program, "texel", 1.0 / post->width, 1.0 / post->height);
    silt_gl_float(post->bright_program, "above", post->bloom_above);
    silt_gl_float(post->bright_program, "per_white",
                  isnan(post->bloom_white) ? 0.0 : 1.0 / (post->bloom_white * post->bloom_white));
    glBindFramebuffer(GL_FRAMEBUFFER, post->bloom[0]);
    cover(post);
    // the glow is as wide in any size of picture: taps lie a five-hundredth of its height apart
    double tap = 1.0 / 500.0, aspect = (double)post->width / post->height;
    glUseProgram(post->blur_program);
    for (int k = 0; k < 2; k++) {
        silt_gl_sampler(post->blur_program, "picture", 0, post->bloom_light[k]);
        silt_gl_vec2(post->blur_program, "way", k == 0 ? tap / aspect : 0.0, k == 0 ? 0.0 : tap);
        glBindFramebuffer(GL_FRAMEBUFFER, post->bloom[1 - k]);
        cover(post);
    }
}

void silt_post_finish(SiltPost *post, const SiltTile *tile, int width, int height, GLuint framebuffer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, tile->width, tile->height);
    GLuint program = post->finish_programs[post->is_draft ? 2 : silt_post_smooths(post)];
    glUseProgram(program);
    silt_gl_sampler(program, "picture", 0, post->light);
    silt_gl_sampler(program, "bloom", 1, post->bloom_light[0]);
    silt_gl_float(program, "glow", post->bloom_strength);
    silt_gl_vec4(program, "window", (double)tile->x / width, (double)tile->y / height,
                 (double)tile->width / width, (double)tile->height / height);
    silt_gl_vec2(program, "origin", tile->x, tile->y);
    silt_gl_vec2(program, "texel", 1.0 / tile->width, 1.0 / tile->height);
    double aside = post->is_soft ? 0.5 : 0.0;
    silt_gl_vec2(program, "soft", aside / tile->width, aside / tile->height);
    cover(post);
}

#endif
