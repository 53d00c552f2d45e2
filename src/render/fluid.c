#include "silt/base.h"

#ifdef SILT_HAS_GL
#include "render/fluid.h"

#include "render/shaders.h"

enum { DEPTH, SPARE, THICK, MARGIN = 40, ROUNDS = 3 };

void silt_fluid_drop_targets(SiltDrops *drops)
{
    glDeleteFramebuffers(3, drops->frames);
    glDeleteTextures(3, drops->maps);
    glDeleteRenderbuffers(1, &drops->nearest);
    for (int k = 0; k < 3; k++)
        drops->frames[k] = drops->maps[k] = 0;
    drops->nearest = 0;
    drops->width = drops->height = 0;
}

static bool make_targets(SiltDrops *drops, int width, int height)
{
    static const SiltTextureForm forms[3] = {{GL_R32F, GL_RED, GL_FLOAT, false, false, false},
                                             {GL_R32F, GL_RED, GL_FLOAT, false, false, false},
                                             {GL_RG16F, GL_RG, GL_HALF_FLOAT, false, false, false}};
    if (drops->width == width && drops->height == height)
        return true;
    silt_fluid_drop_targets(drops);
    glGenFramebuffers(3, drops->frames);
    glGenRenderbuffers(1, &drops->nearest);
    glBindRenderbuffer(GL_RENDERBUFFER, drops->nearest);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    bool complete = true;
    for (int k = 0; k < 3; k++) {
        silt_gl_texture(&drops->maps[k], &forms[k], width, height, NULL);
        glBindFramebuffer(GL_FRAMEBUFFER, drops->frames[k]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, drops->maps[k], 0);
        if (k == DEPTH)
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, drops->nearest);
        complete = complete && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    drops->width = complete ? width : 0;
    drops->height = height;
    return complete;
}

static void begin(const SiltDrops *drops, int frame)
{
    glBindFramebuffer(GL_FRAMEBUFFER, drops->frames[frame]);
    glViewport(0, 0, drops->width, drops->height);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | (frame == DEPTH ? GL_DEPTH_BUFFER_BIT : 0));
}

static void set_axis(const SiltView *view, GLuint program)
{
    float axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = (float)view->camera->forward[k];
    silt_gl_vec3(program, "axis", axis);
    silt_gl_float(program, "focal", 0.5 * view->height / view->camera->slope);
}

static void draw_depth(const SiltDrops *drops, const SiltView *view)
{
    begin(drops, DEPTH);
    glEnable(GL_DEPTH_TEST);
    silt_drops_use(drops, view, drops->depth_program, 1.25 * drops->radius);
    set_axis(view, drops->depth_program);
    silt_drops_some(drops, 0, drops->fluid_count);
    glDisable(GL_DEPTH_TEST);
}

static void cover(const SiltDrops *drops)
{
    glBindVertexArray(drops->screen_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

static void smooth_depth(const SiltDrops *drops, const SiltView *view)
{
    GLuint program = drops->smooth_program;
    glUseProgram(program);
    silt_view_uniforms(view, program);
    set_axis(view, program);
    silt_gl_float(program, "radius", drops->radius);
    for (int k = 0; k < 2 * ROUNDS; k++) {
        begin(drops, k & 1 ? DEPTH : SPARE);
        silt_gl_sampler(program, "depth_map", 0, drops->maps[k & 1 ? SPARE : DEPTH]);
        silt_gl_ivec2(program, "way", k & 1 ? 0 : 1, k & 1);
        cover(drops);
    }
}

static void draw_thickness(const SiltDrops *drops, const SiltView *view)
{
    begin(drops, THICK);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    // twice as large and so much thinner that each holds its own water: then the gaps between them close
    silt_drops_use(drops, view, drops->thick_program, 2.0 * drops->radius);
    set_axis(view, drops->thick_program);
    silt_gl_float(drops->thick_program, "thin", 8.0 / (4.18879 * 8.0));
    silt_gl_float(drops->thick_program, "furthest", 160.0 * drops->radius);
    silt_gl_sampler(drops->thick_program, "depth_map", 1, drops->maps[DEPTH]);
    silt_drops_some(drops, 0, drops->fluid_count);
    glDisable(GL_BLEND);
}

static SiltStatus shade(SiltDrops *drops, const SiltView *view, SiltPost *post)
{
    static const char *const parts[] = {silt_shader_common_glsl, silt_shader_shade_glsl, silt_shader_box_glsl,
                                        silt_shader_fluid_frag, NULL};
    GLuint program;
    SiltStatus status = silt_view_program(&drops->fluids, silt_view_key(view, 0), "fluid",
                                          silt_shader_screen_vert, parts, &program);
    if (status != SILT_OK)
        return status;
    silt_post_resolve(post); // what is seen through the water
    silt_post_resume(post);
    silt_drops_use(drops, view, program, drops->radius);
    set_axis(view, program);
    silt_gl_sampler(program, "depth_map", 1, drops->maps[DEPTH]);
    silt_gl_sampler(program, "thick_map", 2, drops->maps[THICK]);
    silt_gl_sampler(program, "behind_map", 3, post->light);
    silt_clip_uniforms(&drops->clip, program);
    silt_gl_vec2(program, "margin", MARGIN, 1.0 / (14.0 * drops->radius));
    glEnable(GL_DEPTH_TEST);
    cover(drops);
    return SILT_OK;
}

SiltStatus silt_fluid_draw(SiltDrops *drops, const SiltView *view, SiltPost *post, bool *drawn)
{
    // wider than the tile, so that smoothing sees what lies beyond its edges
    SiltView wide = *view;
    wide.tile = (SiltTile){view->tile.x - MARGIN, view->tile.y - MARGIN, view->tile.width + 2 * MARGIN,
                           view->tile.height + 2 * MARGIN};
    silt_camera_matrix(view->camera, view->width, view->height, &wide.tile, wide.matrix);
    *drawn = make_targets(drops, wide.tile.width, wide.tile.height);
    if (*drawn) {
        draw_depth(drops, &wide);
        smooth_depth(drops, &wide);
        draw_thickness(drops, &wide);
        return shade(drops, view, post);
    }
    silt_post_resume(post);
    return SILT_OK;
}

SiltStatus silt_fluid_create(SiltDrops *drops)
{
    const char *common = silt_shader_common_glsl, *ball = silt_shader_ball_glsl;
    const char *const depth[] = {common, ball, silt_shader_drop_depth_frag, NULL};
    const char *const thick[] = {common, ball, silt_shader_drop_thick_frag, NULL};
    const char *const smooth[] = {silt_shader_drop_smooth_frag, NULL};
    SiltStatus status =
        silt_gl_program("drop depth", "", silt_shader_drop_vert, depth, &drops->depth_program);
    if (status == SILT_OK)
        status = silt_gl_program("drop thickness", "", silt_shader_drop_vert, thick, &drops->thick_program);
    if (status == SILT_OK)
        status = silt_gl_program("drop smooth", "", silt_shader_screen_vert, smooth, &drops->smooth_program);
    return status;
}

#endif
